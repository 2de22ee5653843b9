"""Items of several kinds in a list whose length only the run knows: None beside numbers or tuples, texts, members of enumerations, and any of these beside each other. A column says which one each is.

    before = [None] * n             before_kind, before = zeros(n, int), zeros(n)
    before[k] = 2.5                 before_kind[k] = 1; before[k] = 2.5
    came[k] = (i, j)                came_kind[k] = 1; came_0[k] = i; came_1[k] = j
    names.append("up")              names_kind.append(0), of ("up", …), all texts that lists of the program hold
    kinds.append(Kind.UP)           kinds_kind.append(0), of (Kind.UP, …), the members of Kind
    told = [f"at {x:.2f}", "end"]   told_kind, told = [0, 1], [x, 0.0], of the text with its number, and behind it all texts of the program

Which one of several alternatives an item is, stands in one column; the numbers of each alternative stand in columns of their own, 0 where an item is another one.
"""
from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, TypeGuard

import libcst as cst

from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.failures import MoreTexts
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.arithmetic import where
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Lengths, Shape
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.syntax.nodes import inside
from s2s.transforms.read.values import Abstract, OneOf, Pooled, Text, View, is_atom, is_number, is_text
from s2s.transforms.read.wrapping import as_atom
from s2s.types import Array, Atom, Literal, size_literal

_TEXTS = Shape(OneOf, (str,), (0,))
ABSENT = object()
"""Stands for the number that an item has not which is None."""
SEVERAL = object()
"""Among the keys of a shape: items are one of its alternatives (its parts behind the first), or, where `str` is among the keys, too, one of the program's texts, which are numbered behind these."""
NOTHING = Shape(type(None), (), ())
"""The shape of None, as an alternative."""
MOST = 64
"""Texts among which a list's items may be."""


def leaves_of(reader: Reader, value: Abstract, leaves: list[Abstract], shape_of: Callable[[Abstract, list[Abstract]], int | Shape]) -> Shape | None:
    """The shape of None, of a text, of a member of an enumeration and of what is one of these or a number or tuple (`shape_of` it), whose columns are put behind `leaves`; None of all else."""
    options = value.options if isinstance(value, OneOf) else (value,)
    if (kind := enumeration_of(options)) is not None:
        leaves.append(place_of(reader, value, [list(kind).index(option) for option in options]))
        return Shape(OneOf, (kind,), (len(leaves) - 1,))
    if all(isinstance(option, str) for option in options):
        leaves.append(place_of(reader, value, [number_of_text(reader, option) for option in options]))
        return Shape(OneOf, (str,), (len(leaves) - 1,))
    there = [option for option in options if option is not None]
    if len(there) == len(options) or len(there) > 1 or not all(is_atom(each) or is_number(each) or type(each) is tuple or _is_of_any_size(each, shape_of) for each in there):
        return None
    leaves.append(place_of(reader, value, [int(option is not None) for option in options]))
    return Shape(OneOf, (None,), (len(leaves) - 1, *(shape_of(each, leaves) for each in there)))


def _is_of_any_size(value: Abstract, shape_of: Callable[[Abstract, list[Abstract]], int | Shape]) -> bool:
    """Whether it is an array that stands in lists as one of a size of its own (`ragged.py`)."""
    shape = shape_of(value, []) if isinstance(value, View) else 0
    return isinstance(shape, Shape) and shape.kind is Lengths


def enumeration_of(options: tuple[Abstract, ...]) -> type[enum.Enum] | None:
    """The enumeration whose members all of these are, none of them a number; None where there is none."""
    kinds = {type(option) for option in options}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None or not issubclass(kind, enum.Enum) or not all(is_text(option) for option in options):
        return None
    members = list(kind)
    return kind if all(option in members for option in options) else None


def is_optional(shape: int | Shape) -> TypeGuard[Shape]:
    """Whether it is that of a number or tuple, or None."""
    return isinstance(shape, Shape) and shape.kind is OneOf and shape.keys == (None,)


def there_in(shape: Shape) -> int | Shape | None:
    """Of an item that may be None: the shape of one that is not; None where all are None."""
    return shape.parts[1] if len(shape.parts) > 1 else None


def are_texts(shape: int | Shape) -> bool:
    """Whether it is that of a text."""
    return isinstance(shape, Shape) and shape.kind is OneOf and shape.keys == (str,)


def ranks(reader: Reader, numbers: Value) -> Value:
    """Of texts, by their numbers, where each stands in the order of all."""
    reader.session.texts_told = True
    known = list(reader.session.texts)
    order = sorted(known)
    found = reader.value(size_literal(0))
    with building(reader.builder):
        for number, text in enumerate(known):
            found = where(operators.compare("==", numbers, reader.value(size_literal(number))), reader.value(size_literal(order.index(text))), found)
    return found


def made(reader: Reader, shape: Shape, parts: list[Abstract]) -> Abstract:
    """An item, of what its columns hold."""
    place = as_atom(reader, parts[0])
    if is_optional(shape):
        ruled_out = reader.excluded.get(place, frozenset())
        if len(parts) == 1 or 1 in ruled_out:
            return None
        return parts[1] if 0 in ruled_out else OneOf(place, (None, parts[1]))
    if is_several(shape):
        return OneOf(place, chosen_among(reader, shape, parts[1:]))
    return OneOf(place, named(reader, shape))


def is_several(shape: int | Shape) -> TypeGuard[Shape]:
    """Whether it is that of an item which is one of several alternatives."""
    return isinstance(shape, Shape) and shape.kind is OneOf and shape.keys is not None and SEVERAL in shape.keys


def alternatives_in(shape: int | Shape) -> tuple[tuple[int | Shape, ...], bool]:
    """The alternatives of an item of a shape, and whether it may be a text that is known."""
    if is_several(shape):
        assert shape.keys is not None
        return shape.parts[1:], str in shape.keys
    if is_optional(shape):
        return (NOTHING, *shape.parts[1:]), False
    return ((), True) if are_texts(shape) else ((shape,), False)


def are_all_texts(shape: int | Shape) -> bool:
    """Whether items of a shape are texts, known or with numbers of the run."""
    others, _ = alternatives_in(shape)
    return all(isinstance(each, Shape) and each.kind is Text for each in others)


def several(alternatives: tuple[int | Shape, ...], *, with_texts: bool) -> Shape | None:
    """The shape of items that are one of these, its columns not yet numbered; None where one of them can't stand in a list beside others."""
    return Shape(OneOf, (SEVERAL, str) if with_texts else (SEVERAL,), (0, *alternatives)) if all(map(_may_stand_beside, alternatives)) else None


def _may_stand_beside(shape: int | Shape) -> bool:
    """Whether it is that of a value without an identity, of which a copy is as good, or of one of a pool. What is of several kinds again (an item of the list in a tuple that is put into it) may be as deep as the run is long."""
    if isinstance(shape, int) or shape == NOTHING:
        return True
    return not is_several(shape) and (shape.kind in (Text, OneOf, Pooled) or issubclass(shape.kind, tuple)) and all(map(_may_stand_beside, shape.parts))


def named(reader: Reader, shape: Shape) -> tuple[Abstract, ...]:
    """All texts, or members of an enumeration, that an item of this shape may be, by their numbers."""
    assert shape.keys is not None
    (kind,) = shape.keys
    if kind is str:
        reader.session.texts_told = True
        return tuple(reader.session.texts)
    return tuple(kind)


def chosen_among(reader: Reader, shape: Shape, alternatives: list[Any]) -> tuple[Any, ...]:
    """What an item of several kinds may be, of its alternatives, in the order of their numbers."""
    assert shape.keys is not None
    return (*alternatives, *(named(reader, _TEXTS) if str in shape.keys else ()))


def nothing(type_: Array) -> Literal:
    """What a column holds of a number that is not there."""
    return Literal(type_.dtype.type(0).item(), Array(type_.dtype, (), type_.weak))


def number_of_text(reader: Reader, text: str) -> int:
    """The number of a text among all that lists of the program hold; where these were told already, the function is read again."""
    known = reader.session.texts
    if text not in known:
        if len(known) == MOST:
            raise reader.unsupported(f"a list of more than {MOST} texts, of which only the run knows which one an item is", "numbers, and a tuple of the texts")
        if reader.session.texts_told:
            likely = [*_keys_stored(_users(reader.frame).tree.node), *(_texts_beside(reader, text) if known else ())]
            raise MoreTexts(reader.builder.where, tuple(dict.fromkeys((*known, text, *likely)))[:MOST])
        known[text] = len(known)
    return known[text]


def _users(frame: Frame) -> Frame:
    """The innermost frame that is the user's: s2s's own classes stand for dicts (`composed/keyed.py`)."""
    while frame.caller is not None and frame.tree.at is not None:
        frame = frame.caller
    return frame


def _keys_stored(function: cst.CSTNode) -> list[str]:
    """The texts under which a function stores into dicts: each that is met would be another reading."""
    targets = (target.target for node in inside(function) if isinstance(node, cst.Assign) for target in node.targets)
    indices = (each.slice[0].slice for each in targets if isinstance(each, cst.Subscript) and len(each.slice) == 1)
    keys = (index.value for index in indices if isinstance(index, cst.Index))
    return list(dict.fromkeys(str(key.evaluated_value) for key in keys if isinstance(key, cst.SimpleString)))


def _texts_beside(reader: Reader, text: str) -> list[str]:
    """Those that a list, tuple or dict of texts holds beside this one."""
    contents = [[each for each in content if isinstance(each, str)] for content in reader.heap.values() if isinstance(content, tuple | dict)]
    return [each for texts in contents if text in texts for each in texts]


def place_of(reader: Reader, value: Abstract, numbers: list[int]) -> Atom:
    """Which one it is, by these numbers of its options."""
    if not isinstance(value, OneOf):
        return size_literal(numbers[0])
    if numbers == list(range(len(numbers))):
        return value.place
    with building(reader.builder):
        found = reader.value(size_literal(numbers[-1]))
        for place, number in reversed(list(enumerate(numbers[:-1]))):
            (is_it,) = reader.builder.equation(equal, (value.place, size_literal(place)))
            found = where(reader.value(is_it), reader.value(size_literal(number)), found)
        atom: Atom = found.atom
        return atom


__all__ = [
    "ABSENT", "NOTHING", "alternatives_in", "are_all_texts", "are_texts", "chosen_among", "enumeration_of", "is_optional", "is_several", "leaves_of", "made", "named", "nothing", "number_of_text", "place_of", "ranks", "several", "there_in",
]  # fmt: skip
