"""What s2s.lax's functions say to the reader about what branches give, what loops carry and what decides (`composed/marks.py`)."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.ir.facts import learn_test
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.bits import OF_DTYPES
from s2s.transforms.primitives.lapack import gemm, gesv
from s2s.transforms.primitives.matrix_powers import UNDEFINED, matrix_power
from s2s.transforms.primitives.riccati import UNSOLVED, riccati
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.read.calls import lax_words, trees
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.calls.shapes import struct_of, type_of, types_of_call
from s2s.transforms.read.composed import marks
from s2s.transforms.read.describing import describe
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import agreed, cast, retyped
from s2s.transforms.read.numpy.linalg import least_squares
from s2s.transforms.read.numpy.structured import triangular
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.rule_parts import NO_TANGENT
from s2s.transforms.read.values import Abstract, ListRef, is_atom, is_number, is_runtime
from s2s.transforms.read.wrapping import scalar_of, unwrap, wrap
from s2s.tree_keys import key_paths, keystr
from s2s.types import BOOL, Array, dim_atom, is_float, is_whole, promote


def _numbers(reader: Reader, tree: Abstract) -> Abstract:
    """NumPy's scalars in the place of arrays without axes and of Python's bools."""
    leaves, treedef = trees.flatten(reader, tree)
    scalars = [scalar_of(reader, leaf) for leaf in leaves]
    found = [reader.rules.call(np.bool_, (each,)) if _is_pythons_bool(each) else each for each in scalars]  # what a known array holds is Python's, too
    return tree if all(one is two for one, two in zip(leaves, found, strict=True)) else trees.unflatten(reader, treedef, found)


def _is_pythons_bool(leaf: Abstract) -> bool:
    return isinstance(leaf, bool) or is_atom(leaf) and leaf.type.weak and leaf.type.dtype == BOOL


def _output(reader: Reader, outputs: marks.Outputs, number: int, value: Abstract) -> Abstract:
    """The first branch's output is noted, others are compared with it."""
    value = _numbers(reader, value)
    leaves, treedef = trees.flatten(reader, value)
    types = [type_of(reader, leaf) for leaf in leaves]
    forms = [tuple(reader.builder.known_form(dim) for dim in type_.shape) for type_ in types]
    if outputs.first is None:
        outputs.first = number, (treedef, types, forms)
        return value
    other, (wanted, expected, before) = outputs.first
    names = (outputs.names[other], outputs.names[number])
    infos = (lax_words.source_of(outputs.branches[other]), lax_words.source_of(outputs.branches[number]))
    if treedef != wanted:
        raise _differing(reader, lax_words.branch_trees(outputs.api, names, infos, wanted, treedef))
    differing = [
        (keystr(path), one, two) for path, one, two, mine, theirs in zip(key_paths(wanted), expected, types, before, forms, strict=True)
        if not _agree(one, two) or any(not (a - b).terms and a != b for a, b in zip(mine, theirs, strict=True))
    ]  # fmt: skip
    if differing:
        raise _differing(reader, lax_words.branch_types(outputs.api, names, infos, differing))
    outputs.unsure |= before != forms
    return value


def _same_outputs(reader: Reader, outputs: marks.Outputs, operands: tuple[tuple[Abstract, ...], ...]) -> None:
    """Sizes of outputs that are not known to be the same are worked out beside the branches and compared."""
    if not outputs.unsure:
        return
    found = [types_of_call(reader, branch, given, {}) for branch, given in zip(outputs.branches, operands, strict=True)]
    (treedef, first), *others = found
    for number, (_, types) in enumerate(others, 1):
        for path, one, two in zip(key_paths(treedef), first, types, strict=True):
            _same_sizes(reader, partial(_of_branches, outputs, number, keystr(path)), one, two)


def _of_branches(outputs: marks.Outputs, number: int, path: str, one: Array, two: Array) -> str:
    names, infos = (outputs.names[0], outputs.names[number]), (lax_words.source_of(outputs.branches[0]), lax_words.source_of(outputs.branches[number]))
    return lax_words.branch_types(outputs.api, names, infos, [(path, one, two)])


def _of_carry(loop: str, name: str, path: str, one: Array, two: Array) -> str:
    return lax_words.carry_types(loop, name, [(path, one, two)])


def _carried(reader: Reader, loop: str, body: Abstract, place: int, before: Abstract, after: Abstract) -> Abstract:
    """What a trip gives has the structure and the types of what it was given; weak numbers take the other's type.

    Sizes that are not known to be the same are compared when the trip ends. `place`: which of the body's parameters is the carry.
    """
    after = _numbers(reader, after)
    (one, wanted), (two, treedef) = trees.flatten(reader, before), trees.flatten(reader, after)
    name = lax_words.parameter_of(body, place)
    if wanted != treedef:
        raise _differing(reader, lax_words.carry_trees(loop, name, wanted, treedef))
    types = [(keystr(path), type_of(reader, leaf), type_of(reader, other)) for path, leaf, other in zip(key_paths(wanted), one, two, strict=True)]
    if differing := [each for each in types if not _agree(each[1], each[2]) or _sizes_differ(reader, each[1], each[2])]:
        raise _differing(reader, lax_words.carry_types(loop, name, differing))
    for path, first, second in types:
        _same_sizes(reader, partial(_of_carry, loop, name, path), first, second)
    return after


def _sizes_differ(reader: Reader, one: Array, two: Array) -> bool:
    """Whether it is known that sizes are not the same."""
    known = reader.builder
    return any(known.proves_less(a, b) or known.proves_less(b, a) for a, b in zip(one.shape, two.shape, strict=True))


def _same_sizes(reader: Reader, said: Callable[[Array, Array], str], one: Array, two: Array) -> None:
    """A check that sizes are the same, where that is not known."""
    for a, b in zip(one.shape, two.shape, strict=True):
        if not reader.builder.same_size(a, b):
            (test,) = reader.builder.equation(equal, (dim_atom(a), dim_atom(b)))
            reader.builder.check(test, "TypeError", lax_words.with_holes(said, one, two), *map(dim_atom, (*one.shape, *two.shape)))
            learn_test(reader.builder, test, holds=True)


def _differing(reader: Reader, text: str) -> ArgumentTypeError:
    return ArgumentTypeError(text, where=reader.builder.where)


def _agree(one: Array, two: Array) -> bool:
    """Whether JAX takes them for one type, but for sizes that only the run knows."""
    if one.ndim != two.ndim or any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(one.shape, two.shape, strict=True)):
        return False
    if one.dtype == two.dtype:
        return True
    joined = promote([Array(one.dtype, (), one.weak), Array(two.dtype, (), two.weak)])
    return one.weak and joined.dtype == two.dtype or two.weak and joined.dtype == one.dtype


def _predicate(reader: Reader, name: str, value: Abstract) -> Abstract:
    """A number, or an array without axes, that decides; of while_loop a bool."""
    value = scalar_of(reader, value)
    leaves, treedef = trees.flatten(reader, value)
    types = [type_of(reader, leaf) for leaf in leaves] if all(is_runtime(leaf) or is_number(leaf) and not isinstance(leaf, complex | np.complexfloating) for leaf in leaves) else []
    if len(types) != 1 or leaves[0] is not value:
        raise _differing(reader, marks.NO_PREDICATE[name].format(describe(reader, value), treedef))
    if types[0].ndim or name == "while_loop" and types[0].dtype.kind != "b":
        raise _differing(reader, marks.PREDICATE[name].format(lax_words.type_name(types[0])))
    return value


def _number(reader: Reader, name: str, value: Abstract) -> Abstract:
    """An integer that counts."""
    value = scalar_of(reader, value)
    type_ = type_of(reader, value)
    if type_.ndim:
        raise _differing(reader, marks.COUNTED[name][0].format(lax_words.type_name(type_)))
    if not is_whole(type_.dtype):
        raise _differing(reader, marks.COUNTED[name][1].format(lax_words.type_name(type_)))
    return reader.rules.call(int, (value,))


def _pair_types(reader: Reader, body: Abstract, *args: Abstract) -> Abstract:
    treedef, types = types_of_call(reader, body, args, {})
    if args and (carry := _as_carried(reader, args[0], treedef, types)) is not None:
        treedef, types = types_of_call(reader, body, (carry, *args[1:]), {})
    if treedef.num_children != 2 or treedef.type not in (tuple, list):
        shown = treedef.unflatten([lax_words.type_name(type_) for type_ in types])
        raise _differing(reader, marks.NO_PAIR.format(shown))
    return trees.unflatten(reader, treedef, [struct_of(reader, type_.shape, type_.dtype) for type_ in types])


def _as_carried(reader: Reader, init: Abstract, treedef: Any, types: list[Array]) -> Abstract | None:
    """What a loop starts with as the type that it is carried in, where that is another one: a Python 0 that becomes a float is one from the first trip on."""
    leaves, carried = trees.flatten(reader, init)
    if not treedef.num_children or treedef.children()[0].num_leaves != len(leaves):
        return None
    made = [_of_type(reader, leaf, after) for leaf, after in zip(leaves, types, strict=False)]
    return None if all(one is two for one, two in zip(leaves, made, strict=True)) else trees.unflatten(reader, carried, made)


def _of_type(reader: Reader, leaf: Abstract, after: Array) -> Abstract:
    before = type_of(reader, leaf)
    if not before.weak or before.dtype == after.dtype or after.shape:
        return leaf
    if after.weak and isinstance(leaf, int | float):
        return complex(leaf) if after.dtype.kind == "c" else float(leaf)
    return struct_of(reader, (), after.dtype)


def _bits(reader: Reader, x: Abstract, dtype: Abstract) -> Abstract:
    operand = wrap(reader, reader.rules.call(np.asarray, (x,)))
    with building(reader.builder):
        return unwrap(reader, OF_DTYPES[operand.dtype, np.dtype(dtype)](operand, dtype=np.dtype(dtype)))


def _riccati(reader: Reader, *matrices: Abstract) -> Abstract:
    operands = [wrap(reader, reader.rules.call(np.asarray, (each,))) for each in matrices]
    with building(reader.builder) as builder:
        a, b, c, d = operands
        first, second = (agreed(builder, dims, UNSOLVED) for dims in ((*a.shape, b.shape[0], c.shape[1]), (*d.shape, b.shape[1], c.shape[0])))
        shapes = (first, first), (first, second), (second, first), (second, second)
        return unwrap(reader, riccati(*map(retyped, operands, shapes)))


def _pair(reader: Reader, a: Abstract, b: Abstract) -> tuple[Value, Value]:
    """Two matrices of one dtype."""
    first, second = (wrap(reader, reader.rules.call(np.asarray, (each,))) for each in (a, b))
    dtype = np.result_type(first.dtype, second.dtype)
    return cast(first, dtype), cast(second, dtype)


def _gemm(reader: Reader, a: Abstract, b: Abstract) -> Abstract:
    first, second = _pair(reader, a, b)
    with building(reader.builder) as builder:
        inner = agreed(builder, (first.shape[1], second.shape[0]), "matrices of these sizes can't be multiplied")
        return unwrap(reader, gemm(retyped(first, (first.shape[0], inner)), retyped(second, (inner, second.shape[1]))))


def _trsm(reader: Reader, a: Abstract, b: Abstract, lower: bool, transposed: bool, unit: bool) -> Abstract:
    with building(reader.builder):
        return unwrap(reader, triangular(wrap(reader, a), wrap(reader, b), lower=lower, transposed=transposed, unit=unit))


def _gesv(reader: Reader, a: Abstract, b: Abstract) -> Abstract:
    first, second = _pair(reader, a, b)
    with building(reader.builder) as builder:
        rows = agreed(builder, (*first.shape, second.shape[0]), "matrices of these sizes are no system of equations")
        return unwrap(reader, gesv(retyped(first, (rows, rows)), retyped(second, (rows, second.shape[1]))))


def _least_squares(reader: Reader, a: Abstract, b: Abstract, rcond: Abstract) -> Abstract:
    first, second = _pair(reader, a, b)
    with building(reader.builder) as builder:
        count = agreed(builder, (first.shape[0], second.shape[0]), "Incompatible dimensions")
        return unwrap(reader, least_squares(retyped(first, (count, first.shape[1])), retyped(second, (count, second.shape[1])), rcond if rcond is None or isinstance(rcond, float) else wrap(reader, rcond)))


def _matrix_power(reader: Reader, a: Abstract, t: Abstract) -> Abstract:
    matrix = wrap(reader, reader.rules.call(np.asarray, (a,)))
    exponent = wrap(reader, reader.rules.call(np.zeros, (1, np.complex128)) if t is None else t)
    with building(reader.builder) as builder:
        n = agreed(builder, matrix.shape, UNDEFINED)
        return unwrap(reader, matrix_power(retyped(matrix, (n, n)), exponent, logarithm=t is None))


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
    marks.numbers: _numbers, marks.output: _output, marks.same_outputs: _same_outputs, marks.carried: _carried, marks.predicate: _predicate, marks.number: _number, marks.struct: _struct, marks.types_of: _types_of, marks.pair_types: _pair_types, marks.ours: _ours, marks.bits: _bits, marks.riccati: _riccati, marks.gemm: _gemm, marks.gesv: _gesv, marks.trsm: _trsm, marks.least_squares: _least_squares, marks.matrix_power: _matrix_power,
    marks.same_structure: _same_structure, marks.with_aux: _with_aux,
    marks.no_tangents: _no_tangents,
    marks.outputs: lambda reader, api, names, branches: marks.Outputs(api, names, branches),
}  # fmt: skip
"""By the function of `marks`."""

__all__ = ["MARKS"]
