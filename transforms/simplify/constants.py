"""What constants leave of an equation, exactly: identities that hold for every number, and what is computed of constants alone.

    y = (x - 0.0) / 1.0                              ->    return sin(x) if np.bool_(x > 0.0) else -0.5
    return sin(y) if True & np.bool_(y > 0.0) else -0.5

`x + 0.0` is not x (-0.0 + 0.0 is 0.0), `x * 0.0` not 0.0 (of inf it is nan).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from s2s.records import replace
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives.arithmetic import add, div, equal, greater, greater_equal, less, less_equal, mul, neg, not_equal, select, sub
from s2s.transforms.primitives.contract import contract, letters
from s2s.transforms.primitives.indexing import At, Span, Take, getitem
from s2s.transforms.primitives.joining import pack
from s2s.transforms.primitives.logic import bitwise_and, bitwise_or, logical_and, logical_not, logical_or
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.structural import broadcast, reshape, transpose
from s2s.types import Atom, Literal, Var, dim_atom, kind_of

Made = Mapping[Var, Equation]

_NEUTRAL: dict[Primitive, tuple[str, str, str]] = {
    sub: ("f", "", "0.0"), add: ("f", "-0.0", "-0.0"), mul: ("fi", "1", "1"), div: ("f", "", "1"),
    logical_and: ("b", "True", "True"), logical_or: ("b", "False", "False"), bitwise_and: ("b", "True", "True"), bitwise_or: ("b", "False", "False"),
}
"""Of which kinds of number, and which constants on the left and on the right leave the other operand; "1" is 1.0, too."""

_DECIDING: dict[Primitive, bool] = {logical_and: False, bitwise_and: False, logical_or: True, bitwise_or: True}
"""What decides the result whatever the other operand is."""

_FOLDED: dict[Primitive, str] = {
    **dict.fromkeys((add, sub, mul, div, neg), "f"), **dict.fromkeys((equal, not_equal, less, less_equal, greater, greater_equal), "f"),
    **dict.fromkeys((logical_and, logical_or, logical_not), "b"),
}
"""Computed here, where all operands are constants of such a kind: what any machine gives to the last bit."""

_MOVED = (broadcast, getitem, reshape)

_OF_EQUALS: dict[Primitive, bool] = {equal: True, less_equal: True, greater_equal: True, not_equal: False, less: False, greater: False}
"""What a comparison of an integer with itself gives."""


def constant(atom: Atom, made: Made) -> Literal | None:
    """The number that an atom is, or repeats: in parts of an array of it, too."""
    while not isinstance(atom, Literal):
        source = made.get(atom)
        if source is None or source.primitive not in _MOVED:
            return None
        atom = source.ins[0]
    return atom


def operand_left(node: Equation, made: Made, *, derived: bool) -> Atom | None:
    """The operand that the only result is. Of a derivative the end says which numbers are Python's own, of a function each operation."""
    left = _LEFT.get(node.primitive, _other)(node, made)
    out = node.outs[0].type
    if left is None or (left.type.dtype, left.type.shape) != (out.dtype, out.shape):
        return None
    if isinstance(left, Literal):
        return replace(left, type=out)
    return left if left.type.weak == out.weak or derived else None


def turned(node: Equation, made: Made) -> Equation:
    """A product with -1 is the negative."""
    if node.primitive is mul and kind_of(node.outs[0].type.dtype) == "f":
        for one, other in (node.ins, node.ins[::-1]):
            if (known := constant(one, made)) is not None and known.value == -1 and other.type == node.outs[0].type:
                return replace(node, primitive=neg, ins=(other,))
    return node


def folded(node: Equation, made: Made) -> Equation | Literal | None:
    """The constant that the result is; of an array the equation that repeats it."""
    value = _value(node, made)
    if value is None:
        return None
    out = node.outs[0].type
    number = Literal(value, replace(out, shape=()))
    return replace(node, primitive=broadcast, ins=(number, *map(dim_atom, out.shape)), params={"axes": ()}) if out.shape else number


def _chosen(node: Equation, made: Made) -> Atom | None:
    """Of a choice."""
    test, one, other = node.ins
    known = constant(test, made)
    if known is not None:
        return one if known.value else other
    return one if one is other else None


def _packed(node: Equation, made: Made) -> Atom | None:
    """Of a vector of one number that is taken for that number."""
    source = made.get(node.ins[0]) if isinstance(node.ins[0], Var) else None
    return source.ins[0] if source is not None and source.primitive is pack and not node.outs[0].type.shape else None


def _element(node: Equation, made: Made) -> Atom | None:
    """Of an array of numbers the one at a known place."""
    source, *places = node.ins
    found = made.get(source) if isinstance(source, Var) else None
    if found is None or found.primitive is not pack or not all(isinstance(item, At) for item in node.params["index"]):
        return None
    known = [int(place.value) for place in places if isinstance(place, Literal)]  # type: ignore[arg-type]
    shape = found.params["shape"]
    if len(known) < len(shape) or not all(0 <= place < length for place, length in zip(known, shape, strict=True)):
        return None
    return found.ins[int(np.ravel_multi_index(known, shape))]


def _other(node: Equation, made: Made) -> Atom | None:
    """Of an operation of which a constant leaves the other operand."""
    kinds, *neutral = _NEUTRAL.get(node.primitive, ("",))
    if not kinds or kind_of(node.outs[0].type.dtype) not in kinds:
        return None
    for number, wanted in enumerate(neutral):
        known = constant(node.ins[number], made)
        if known is not None and (known.value == 1 if wanted == "1" else repr(known.value) == wanted):
            return node.ins[1 - number]
    return None


def _turned_back(node: Equation, made: Made) -> Atom | None:
    """Of a transpose of a transpose that puts the axes back."""
    source = made.get(node.ins[0]) if isinstance(node.ins[0], Var) else None
    if source is None or source.primitive is not transpose:
        return None
    first, second = source.params["axes"], node.params["axes"]
    return source.ins[0] if [first[axis] for axis in second] == sorted(second) else None


def _times_one(node: Equation, made: Made) -> Atom | None:
    """Of a product with the number 1 that sums nothing."""
    *named, result = letters(node.params["spec"])
    for number, other in enumerate(reversed(node.ins)):
        one = constant(node.ins[number], made)
        if not named[number] and named[1 - number] == result and one is not None and one.value == 1:
            return other
    return None


_LEFT: dict[Primitive, Callable[[Equation, Made], Atom | None]] = {select: _chosen, reshape: _packed, getitem: _element, transpose: _turned_back, contract: _times_one}
"""How it is found which operand an equation leaves, where it is no neutral one that does."""


def _is_inside(node: Equation) -> bool:
    """Whether all places that are looked at are known to be there: those that are not, the run refuses."""
    _, *places = node.ins
    for item, dim in zip(node.params.get("index", ()), node.ins[0].type.shape, strict=False):
        if isinstance(item, Take):
            return False
        if isinstance(item, At):
            place = places.pop(0)
            if not isinstance(place, Literal) or not isinstance(dim, int) or not 0 <= place.value < dim:  # type: ignore[operator]
                return False
        elif isinstance(item, Span):
            del places[:2]
    return True


def _value(node: Equation, made: Made) -> bool | float | None:
    source = made.get(node.ins[0]) if node.primitive in (getitem, reshape) and isinstance(node.ins[0], Var) else None
    if source is not None and source.primitive is broadcast and isinstance(source.ins[0], Literal) and _is_inside(node):
        return source.ins[0].value  # type: ignore[return-value]
    if node.primitive in _OF_EQUALS and node.ins[0] is node.ins[1] and kind_of(node.ins[0].type.dtype) in "bi":
        return _OF_EQUALS[node.primitive]
    known = [constant(each, made) for each in node.ins] if node.primitive in _FOLDED or node.primitive in _DECIDING else []
    decides = _DECIDING.get(node.primitive)
    if decides is not None and any(each is not None and each.value is decides for each in known):
        return decides
    numbers = [each for each in known if each is not None]
    if not numbers or len(numbers) < len(known) or any(kind_of(each.type.dtype) not in _FOLDED.get(node.primitive, "") for each in numbers):
        return None
    compute: Callable[..., np.generic] = node.primitive.evaluate
    with np.errstate(all="ignore"):
        value = compute(*(each.type.dtype.type(each.value) for each in numbers))
    return value.item() if np.isfinite(value) else None
