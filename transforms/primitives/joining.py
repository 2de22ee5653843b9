"""Arrays put together: concatenate, pack. Their transposes take them apart again by indexing."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.families import linear_structural, repeat
from s2s.transforms.primitives.indexing import Full, Span, at, getitem
from s2s.transforms.primitives.row import Cost, Primitive
from s2s.transforms.primitives.sizes import plus
from s2s.transforms.primitives.structural import draws, reshape, sample, shared_sizes
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom, Literal, atom_dim


def _infer_concatenate(ins: tuple[Atom, ...], *, axis: int) -> tuple[Array, ...]:
    *arrays, total = ins
    first = arrays[0].type
    for other in arrays[1:]:
        if other.type.dtype != first.dtype or _without(other.type.shape, axis) != _without(first.shape, axis):
            raise ShapeError(f"{first} and {other.type} can't be concatenated along axis {axis}")
    if isinstance(total, Literal) and sum(dim for atom in arrays if isinstance(dim := atom.type.shape[axis], int)) > int(total.value):  # type: ignore[arg-type]
        raise ShapeError(f"arrays longer than {total} are concatenated along axis {axis}")
    return (first.strong().with_shape((*first.shape[:axis], atom_dim(total), *first.shape[axis + 1 :])),)


def _without(shape: tuple[Any, ...], axis: int) -> tuple[Any, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


def _transpose_concatenate(bars: Any, ins: Values, linear: tuple[bool, ...], *, axis: int) -> Any:
    (bar,), cotangents = bars, []
    start = bar.size(0)
    for array, is_linear in zip(ins[:-1], linear, strict=False):
        index = tuple(Span() if k == axis else Full() for k in range(bar.ndim))
        cotangents.append(getitem(bar, start, array.dim(axis), index=index) if is_linear else None)
        start = bar.with_atom(plus(bar.builder, start.atom, array.dim(axis).atom, "start"))
    return (*cotangents, None)


def _batch_concatenate(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, axis: int) -> Any:
    full = [x if is_batched else repeat(x, size) for x, is_batched in zip(ins[:-1], batched, strict=False)]
    shared_sizes(primitive, batched[-1:], size.builder.where)
    return (concatenate(*full, ins[-1], axis=axis + 1),), (True,)


concatenate = linear_structural(
    "concatenate", lambda *ins, axis: np.concatenate(ins[:-1], axis=axis), infer=_infer_concatenate, linear_in=slice(None, -1),
    transpose=_transpose_concatenate, batch=_batch_concatenate, cost=Cost.CHEAP,
    samples=(
        sample(draws(2), draws(3), 5, axis=0, wrt=(0, 1)), sample(draws(2, 1), draws(2, 3), draws(2, 0), 4, axis=1, wrt=(0, 1, 2)),
        sample(draws(0), draws(0), 0, axis=0, wrt=(0, 1)), sample(draws(4), 4, axis=0),
        sample(draws(2, dtype=np.int64), draws(1, dtype=np.int64), 3, axis=0, wrt=()),
    ),
)
"""concatenate(*arrays, total; axis): the last operand is the result's length along the axis."""


def _infer_pack(ins: tuple[Atom, ...], *, shape: tuple[int, ...]) -> tuple[Array, ...]:
    dtype = ins[0].type.dtype
    if any(atom.type.dtype != dtype or atom.type.shape for atom in ins):
        raise ShapeError(f"pack of {', '.join(str(atom.type) for atom in ins)}: scalars of one dtype are expected")
    if math.prod(shape) != len(ins):
        raise ShapeError(f"pack of {len(ins)} numbers in the shape {shape}")
    return (Array(dtype, shape),)


def _transpose_pack(bars: Any, ins: Values, linear: tuple[bool, ...], *, shape: tuple[int, ...]) -> Any:
    places = [tuple(map(bars[0].size, place)) for place in np.ndindex(shape)]
    return tuple(at(bars[0], *place) if is_linear else None for place, is_linear in zip(places, linear, strict=True))


def _batch_pack(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, shape: tuple[int, ...]) -> Any:
    one = size.size(1)
    columns = [reshape(x if is_batched else repeat(x, size), size, one) for x, is_batched in zip(ins, batched, strict=True)]
    joined = concatenate(*columns, size.size(len(ins)), axis=1)
    return (joined if len(shape) == 1 else reshape(joined, size, *map(size.size, shape)),), (True,)


pack = linear_structural(
    "pack", lambda *scalars, shape: np.array(scalars).reshape(shape), infer=_infer_pack, linear_in=slice(None), transpose=_transpose_pack, batch=_batch_pack,
    samples=(
        sample(draws(), shape=(1,), wrt=(0,)), sample(draws(), draws(), draws(), shape=(3,), wrt=(0, 1, 2)),
        sample(draws(), draws(), draws(), draws(), shape=(2, 1, 2), wrt=(0, 1, 3)), sample(draws(dtype=np.int64), draws(dtype=np.int64), shape=(2, 1), wrt=()),
    ),
)
"""pack(*scalars; shape): the array of them in C order, np.array([[a, b], [c, d]])."""

ROWS: tuple[Primitive, ...] = (concatenate, pack)
