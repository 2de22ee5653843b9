"""Joining and splitting arrays: concatenate, stack, hstack, split, meshgrid, …"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import indexing, rows, sizes
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.installed import NUMPY_2_5
from s2s.transforms.read.numpy.axes import check_elements, no_flag, normal_axis
from s2s.transforms.read.numpy.broadcasting import broadcast_shape, spread
from s2s.transforms.read.numpy.building import Operand, current_builder, refuse, unsupported
from s2s.transforms.read.numpy.common import agreed, as_dim, cast, concatenated, lift, product, reshape, retyped, strong, supported
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.shapes import atleast_1d, atleast_2d, atleast_3d, moveaxis, ravel, transpose
from s2s.types import Dim, dim_atom, promote


def concatenate(arrays: Sequence[Operand] | Value, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind") -> Value:
    """np.concatenate: one after the other along an axis (None: raveled)."""
    refuse("np.concatenate", out=out)
    if isinstance(arrays, Value) and arrays.ndim:
        return _rows_joined(_alike([arrays], dtype, casting)[0], axis)
    values = _parts(arrays, dtype, casting)
    if axis is None:
        values, axis = [ravel(value) for value in values], 0
    ndim = values[0].ndim
    if any(value.ndim != ndim for value in values):
        raise ShapeError(
            f"all the input array dimensions must match exactly: {', '.join(str(value.type) for value in values)}", where=values[0].builder.where
        )
    if not ndim:
        raise ShapeError("zero-dimensional arrays cannot be concatenated", where=values[0].builder.where)
    place = normal_axis(no_flag(axis), ndim)
    builder = values[0].builder
    shape = [None if k == place else _matched(builder, [value.shape[k] for value in values], k) for k in range(ndim)]
    values = [retyped(value, tuple(own if dim is None else dim for own, dim in zip(value.shape, shape, strict=True))) for value in values]
    return rows.copy(values[0]) if len(values) == 1 else concatenated(values, place)


def _matched(builder: Builder, dims: list[Dim], axis: int) -> Dim:
    """The one length that arrays have along an axis."""
    for number, dim in enumerate(dims[1:], 1):
        message = (
            f"all the input array dimensions except for the concatenation axis must match exactly, but along dimension {axis}, "
            f"the array at index 0 has size {{}} and the array at index {number} has size {{}}"
        )
        agreed(builder, [dims[0], dim], message, (dim_atom(dims[0]), dim_atom(dim)))
    return agreed(builder, dims, "")


_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe", "same_value")


def _parts(arrays: Sequence[Operand] | Value, dtype: Any = None, casting: Any = "same_kind") -> list[Value]:
    """The operands of a joining function, cast to their common dtype."""
    if isinstance(arrays, Value):
        raise ArgumentTypeError("iteration over a 0-d array", where=arrays.builder.where)
    values = [lift(array) for array in arrays]
    if not values:
        raise ArgumentValueError(_NOTHING, where=current_builder().where)
    return _alike(values, dtype, casting)


_NOTHING = "need at least one array to concatenate"


def _alike(values: list[Value], dtype: Any, casting: Any) -> list[Value]:
    common = supported(dtype) if dtype is not None else promote([value.type.strong() for value in values]).dtype
    if casting not in _CASTINGS[:-1]:
        raise ArgumentValueError(f"casting must be one of {', '.join(map(repr, _CASTINGS[:-1]))}, or {_CASTINGS[-1]!r} (got {casting!r})", where=current_builder().where)
    for value in values:
        if not np.can_cast(value.dtype, common, casting):
            what = f"Cannot cast array data from dtype('{value.dtype}') to dtype('{common}') according to the rule '{casting}'"
            raise ArgumentTypeError(what, where=current_builder().where)
    return [cast(value, common) for value in values]


def _rows_joined(x: Value, axis: Any, nothing: str = _NOTHING) -> Value:
    """The items of an array, x[0], x[1], …, one after the other along one of their axes: that axis of x in front of theirs, as one with it."""
    check_elements(x, (0,), nothing)
    if axis is None:
        return rows.copy(ravel(x))
    if x.ndim == 1:
        raise ShapeError("zero-dimensional arrays cannot be concatenated", where=x.builder.where)
    place = normal_axis(axis, x.ndim - 1)
    moved = moveaxis(x, 0, place)
    whole = product(x.builder, moved.shape[place : place + 2])
    return rows.copy(reshape(moved, (*moved.shape[:place], whole, *moved.shape[place + 2 :])))


def _with_ones(x: Value, before: int, behind: int) -> Value:
    """The items of an array with axes of length 1 in front of theirs, and behind them."""
    return reshape(x, (x.shape[0], *(1,) * before, *x.shape[1:], *(1,) * behind))


def stack(arrays: Sequence[Operand] | Value, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind") -> Value:
    """np.stack: along a new axis."""
    refuse("np.stack", out=out)
    if isinstance(arrays, Value) and arrays.ndim:
        (items,) = _alike([arrays], dtype, casting)
        check_elements(items, (0,), "need at least one array to stack")
        return rows.copy(moveaxis(items, 0, normal_axis(axis, items.ndim)))
    values = _parts(arrays, dtype, casting)
    if any(value.ndim != values[0].ndim for value in values):
        raise ShapeError("all input arrays must have the same shape", where=values[0].builder.where)
    place = normal_axis(axis, values[0].ndim + 1)
    builder = values[0].builder
    shape = tuple(agreed(builder, dims, "all input arrays must have the same shape") for dims in zip(*(value.shape for value in values), strict=True))
    values = [retyped(value, shape) for value in values]
    if not shape:
        return rows.pack(*values, shape=(len(values),))
    longer = (*shape[:place], 1, *shape[place:])
    parts = [reshape(value, longer) for value in values]
    return parts[0] if len(parts) == 1 else concatenated(parts, place)


def hstack(tup: Sequence[Operand] | Value, *, dtype: Any = None, casting: Any = "same_kind") -> Value:
    """np.hstack."""
    if isinstance(tup, Value) and tup.ndim:
        (items,) = _alike([tup], dtype, casting)
        return _rows_joined(items if items.ndim > 1 else _with_ones(items, 1, 0), 0 if items.ndim < 3 else 1)
    values = [atleast_1d(value) for value in _parts(tup, dtype, casting)]
    return concatenate(values, axis=0 if values[0].ndim == 1 else 1)


def vstack(tup: Sequence[Operand] | Value, *, dtype: Any = None, casting: Any = "same_kind") -> Value:
    """np.vstack."""
    if isinstance(tup, Value) and tup.ndim:
        (items,) = _alike([tup], dtype, casting)
        return _rows_joined(_with_ones(items, max(3 - items.ndim, 0), 0), 0)
    return concatenate([atleast_2d(value) for value in _parts(tup, dtype, casting)], axis=0)


def dstack(tup: Sequence[Operand] | Value) -> Value:
    """np.dstack."""
    if isinstance(tup, Value) and tup.ndim:
        return _rows_joined(_with_ones(tup, max(3 - tup.ndim, 0), tup.ndim < 4), 2)
    return concatenate([atleast_3d(value) for value in _parts(tup)], axis=2)


def column_stack(tup: Sequence[Operand] | Value) -> Value:
    """np.column_stack: vectors become columns."""
    if isinstance(tup, Value) and tup.ndim:
        return _rows_joined(_with_ones(tup, 0, max(3 - tup.ndim, 0)), 1)
    return concatenate([transpose(atleast_2d(value)) if value.ndim < 2 else value for value in _parts(tup)], axis=1)


def block(arrays: Any) -> Value:
    """np.block: what stands in the innermost lists side by side along the last axis, these along the one before it, and so on."""
    depth = _depth(arrays)
    leaves = list(_leaves(arrays))
    ndim = max(depth, *(leaf.ndim for leaf in leaves))
    found = _block(arrays, ndim, -depth)
    return found if depth else rows.copy(found) if found.ndim else strong(found)


def _depth(arrays: Any) -> int:
    """How deep lists lie in lists, the same everywhere."""
    if isinstance(arrays, tuple):
        raise ArgumentTypeError("arrays is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit conversion from tuple to ndarray.", where=current_builder().where)
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ArgumentValueError("List at arrays cannot be empty", where=current_builder().where)
    first, *others = (_depth(each) for each in arrays)
    for other in others:
        if other != first:
            raise ArgumentValueError(f"List depths are mismatched. First element was at depth {first}, but there is an element at depth {other}", where=current_builder().where)
    return 1 + first


def _leaves(arrays: Any) -> Iterator[Value]:
    if not isinstance(arrays, list):
        yield lift(arrays)
        return
    for each in arrays:
        yield from _leaves(each)


def _block(arrays: Any, ndim: int, axis: int) -> Value:
    """Lists put together along an axis, those in them along the next one."""
    if isinstance(arrays, list):
        return concatenate([_block(each, ndim, axis + 1) for each in arrays], axis=axis)
    value = lift(arrays)
    return reshape(value, (*(1,) * (ndim - value.ndim), *value.shape)) if value.ndim < ndim else value


def append(arr: Operand, values: Operand, axis: Any = None) -> Value:
    """np.append."""
    return concatenate([lift(arr), lift(values)], axis=axis)


def split(ary: Operand, indices_or_sections: Any, axis: int = 0) -> list[Value]:
    """np.split into a static number of parts, or at static places."""
    return _split("np.split", ary, indices_or_sections, axis, equal=True)


def array_split(ary: Operand, indices_or_sections: Any, axis: int = 0) -> list[Value]:
    """np.array_split: the first parts may be one longer."""
    return _split("np.array_split", ary, indices_or_sections, axis, equal=False)


def hsplit(ary: Operand, indices_or_sections: Any) -> list[Value]:
    """np.hsplit."""
    value = lift(ary)
    if not value.ndim:
        raise ArgumentValueError("hsplit only works on arrays of 1 or more dimensions", where=current_builder().where)
    return split(value, indices_or_sections, 1 if value.ndim > 1 else 0)


def vsplit(ary: Operand, indices_or_sections: Any) -> list[Value]:
    """np.vsplit."""
    if lift(ary).ndim < 2:
        raise ArgumentValueError("vsplit only works on arrays of 2 or more dimensions", where=current_builder().where)
    return split(ary, indices_or_sections, 0)


def _split(function: str, ary: Operand, places: Any, axis: int, *, equal: bool) -> list[Value]:
    value = lift(ary)
    place = normal_axis(axis, value.ndim)
    if place and isinstance(ary, list | tuple):
        raise unsupported(f"{function} of a list along another axis than 0, of which NumPy takes the list's length for the axis', is not supported", instead="np.array(…) of the list")
    before = (slice(None),) * place
    if isinstance(places, list | tuple):
        bounds = [None, *places, None]
        return [get(value, (*before, slice(lo, hi))) for lo, hi in pairwise(bounds)]
    if not isinstance(places, int | np.integer):
        raise unsupported(f"{function} into a run-time number of parts is not supported", instead="slices in a loop")
    return _sections(value, place, int(places), equal=equal)


def _sections(value: Value, axis: int, count: int, *, equal: bool) -> list[Value]:
    builder, dim, before = value.builder, value.shape[axis], (slice(None),) * axis
    if count <= 0:
        raise ArgumentValueError("number sections must be larger than 0.", where=builder.where)
    if isinstance(dim, int):
        if equal and dim % count:
            raise ShapeError("array split does not result in an equal division", where=builder.where)
        lengths = [dim // count + (k < dim % count) for k in range(count)]
        starts = [sum(lengths[:k]) for k in range(count + 1)]
        return [get(value, (*before, slice(lo, hi))) for lo, hi in pairwise(starts)]
    part = sizes.quotient(builder, dim, dim_atom(count))
    builder.know_size(part)
    whole = sizes.times(builder, part, dim_atom(count))
    if not equal:
        longer = sizes.minus(builder, dim, whole)
        bounds = [sizes.plus(builder, sizes.times(builder, part, dim_atom(k)), sizes.smaller(builder, dim_atom(k), longer)) for k in range(count + 1)]
        return [get(value, (*before, slice(Value(builder, lo), Value(builder, hi)))) for lo, hi in pairwise(bounds)]
    agreed(builder, [dim, as_dim(Value(builder, whole))], "array split does not result in an equal division")
    edges = [sizes.times(builder, part, dim_atom(k)) for k in range(count + 1)]
    return [_section(value, axis, lo, part) for lo in edges[:-1]]


def _section(value: Value, axis: int, start: Any, length: Any) -> Value:
    index = tuple(indexing.Span(1) if k == axis else indexing.Full() for k in range(value.ndim))
    return indexing.getitem(value, Value(value.builder, start), Value(value.builder, length), index=index)


def meshgrid(*xi: Operand, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Value, ...] | list[Value]:
    """np.meshgrid."""
    if indexing not in ("xy", "ij"):
        raise ArgumentValueError("Valid values for `indexing` are 'xy' and 'ij'.", where=current_builder().where)
    values = [ravel(x) for x in xi]
    ndim = len(values)
    order = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        order[0], order[1] = 1, 0
    shape = [values[order.index(k)].shape[0] for k in range(ndim)]
    grids = [reshape(value, tuple(value.shape[0] if k == order[number] else 1 for k in range(ndim))) for number, value in enumerate(values)]
    if sparse:
        return tuple(grids) if copy or NUMPY_2_5 else grids  # as NumPy has it
    whole = broadcast_shape(current_builder(), [grid.shape for grid in grids]) if grids else ()
    assert len(whole) == len(shape)
    return tuple(rows.copy(spread(grid, whole)) if grid.shape == whole else spread(grid, whole) for grid in grids)
