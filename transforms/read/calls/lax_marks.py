"""What s2s.lax's functions say to the reader about what branches give, what loops carry and what decides (`composed/marks.py`)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives.value import zeros
from s2s.transforms.read.calls import trees
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.calls.shapes import struct_of, type_of, types_of_call
from s2s.transforms.read.composed import marks
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.rule_parts import NO_TANGENT
from s2s.transforms.read.values import Abstract, ListRef
from s2s.transforms.read.wrapping import scalar_of, unwrap
from s2s.types import Array, is_float, is_whole, promote


def _output(reader: Reader, outputs: marks.Outputs, number: int, value: Abstract) -> Abstract:
    """The first branch's output is noted, others are compared with it."""
    leaves, treedef = trees.flatten(reader, value)
    types = [type_of(reader, leaf) for leaf in leaves]
    if outputs.first is None:
        outputs.first = number, (treedef, types)
        return value
    other, (wanted, expected) = outputs.first
    names = f"{outputs.names[other]} and {outputs.names[number]}"
    if treedef != wanted:
        raise _differing(reader, f"{names} output must have same type structure, got {wanted} and {treedef}.")
    for one, two in zip(expected, types, strict=True):
        if not _agree(one, two):
            raise _differing(reader, f"{names} must have identical types, got\n{_shown(expected)} and {_shown(types)}.")
    return value


def _carried(reader: Reader, name: str, before: Abstract, after: Abstract) -> Abstract:
    """What a trip gives has the structure and the types of what it was given; weak numbers take the other's type."""
    (one, wanted), (two, treedef) = trees.flatten(reader, before), trees.flatten(reader, after)
    says = f"{name} body function carry input and carry output must have"
    if wanted != treedef:
        raise _differing(reader, f"{says} the same pytree structure, but they differ: the input carry has {wanted}, the output carry {treedef}.")
    types = [(type_of(reader, leaf), type_of(reader, other)) for leaf, other in zip(one, two, strict=True)]
    found = [
        f"the input carry component carry{path} has type {_name(first)} but the corresponding output carry component has type {_name(second)}, so the {_what(first, second)} do not match"
        for path, (first, second) in zip(_paths(wanted), types, strict=True) if not _agree(first, second)
    ]  # fmt: skip
    if found:
        raise _differing(reader, f"{says} equal types, but they differ: {'; '.join(found)}.")
    return after


def _differing(reader: Reader, text: str) -> ArgumentTypeError:
    return ArgumentTypeError(text, where=reader.builder.where)


def _agree(one: Array, two: Array) -> bool:
    """Whether JAX takes them for one type; sizes that differ only at run time are the loop's or the branch's to compare."""
    if one.ndim != two.ndim or any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(one.shape, two.shape, strict=True)):
        return False
    if one.dtype == two.dtype:
        return True
    joined = promote([Array(one.dtype, (), one.weak), Array(two.dtype, (), two.weak)])
    return one.weak and joined.dtype == two.dtype or two.weak and joined.dtype == one.dtype


def _what(one: Array, two: Array) -> str:
    return "dtypes" if one.ndim == two.ndim and one.dtype != two.dtype else "shapes"


def _paths(treedef: Any) -> list[str]:
    """Where each leaf stands: [1]['w']."""
    return ["".join(f"[{part!r}]" for part in path) for path in treedef.paths()]


def _name(type_: Array) -> str:
    return f"{type_.dtype}[{','.join(map(str, type_.shape))}]"


def _shown(types: list[Array]) -> str:
    return f"({', '.join(map(_name, types))})"


def _predicate(reader: Reader, name: str, value: Abstract) -> Abstract:
    """A number, or an array without axes, that decides."""
    value = scalar_of(reader, value)
    leaves, _ = trees.flatten(reader, value)
    types = [type_of(reader, leaf) for leaf in leaves]
    if len(leaves) != 1 or leaves[0] is not value or types[0].ndim:
        raise _differing(reader, _PREDICATES[name].format(_shown(types) if len(types) != 1 else _name(types[0])))
    return value


_PREDICATES = {"cond": "Pred must be a scalar, got {}.", "while_loop": "cond_fun must return a boolean scalar, but got output type(s) {}."}


def _number(reader: Reader, name: str, value: Abstract) -> Abstract:
    """An integer that counts."""
    value = scalar_of(reader, value)
    type_ = type_of(reader, value)
    if type_.ndim or not is_whole(type_.dtype):
        raise _differing(reader, f"{name} needs integers, got {_name(type_)}: {describe(reader, value)}")
    return reader.rules.call(int, (value,))


def _struct(reader: Reader, shape: tuple[Abstract, ...], dtype: Abstract) -> Abstract:
    return struct_of(reader, shape, np.dtype(dtype))


def _types_of(reader: Reader, function: Abstract, *args: Abstract) -> Abstract:
    treedef, types = types_of_call(reader, function, args, {})
    return trees.unflatten(reader, treedef, [struct_of(reader, type_.shape, type_.dtype) for type_ in types])


def _ours(reader: Reader, name: str) -> Abstract:
    return enter(reader, marks.ours(name), None)


def _no_tangents(reader: Reader, tree: Abstract) -> Abstract:
    leaves, treedef = trees.flatten(reader, tree)
    return trees.unflatten(reader, treedef, [_no_tangent(reader, leaf) for leaf in leaves])


def _no_tangent(reader: Reader, leaf: Abstract) -> Abstract:
    type_ = type_of(reader, leaf).strong()
    return unwrap(reader, zeros(reader.builder, type_)) if is_float(type_.dtype) else NO_TANGENT


def _same_structure(reader: Reader, name: str, expected_name: str, actual: Abstract, expected: Abstract) -> None:
    found, wanted = (trees.flatten(reader, value)[1] for value in (actual, expected))
    if found != wanted:
        raise _differing(reader, marks.STRUCTURE.format(name, expected_name, found, wanted))


def _with_aux(reader: Reader, name: str, found: Abstract) -> None:
    items = reader.heap[found] if isinstance(found, ListRef) else found
    if not isinstance(items, tuple) or len(items) != 2:
        raise ArgumentValueError(marks.AUX.format(name, trees.flatten(reader, found)[1]), where=reader.builder.where)


MARKS: dict[Any, Callable[..., Abstract]] = {
    marks.output: _output, marks.carried: _carried, marks.predicate: _predicate, marks.number: _number, marks.struct: _struct, marks.types_of: _types_of, marks.ours: _ours,
    marks.same_structure: _same_structure, marks.with_aux: _with_aux,
    marks.no_tangents: _no_tangents,
    marks.outputs: lambda reader, *names: marks.Outputs(names),
}  # fmt: skip
"""By the function of `marks`."""

__all__ = ["MARKS"]
