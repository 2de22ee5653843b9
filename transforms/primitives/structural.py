"""Shapes: broadcast, transpose, reshape, retype, concatenate, copy. Everything that moves whole arrays."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.families import linear_structural
from s2s.transforms.primitives.row import NotYet, Values
from s2s.transforms.primitives.value import Value
from s2s.types import Array, Atom, atom_dim


def _infer_broadcast(ins: tuple[Atom, ...], *, axes: tuple[int, ...]) -> tuple[Array, ...]:
    source, *dims = ins
    shape = tuple(atom_dim(dim) for dim in dims)
    if tuple(shape[axis] for axis in axes) != source.type.shape:
        raise ShapeError(f"{source.type} can't be broadcast to {shape} along axes {axes}")
    return (source.type.strong().with_shape(shape),)


def _broadcast(source: Any, *dims: Any, axes: tuple[int, ...]) -> Any:
    source = np.asarray(source)
    spread = [1] * len(dims)
    for axis, length in zip(axes, source.shape, strict=True):
        spread[axis] = length
    return np.broadcast_to(source.reshape(spread), tuple(int(dim) for dim in dims)).copy()


def _transpose_broadcast(bars: Any, ins: Values, linear: tuple[bool, ...], *, axes: tuple[int, ...]) -> Any:
    from s2s.transforms.primitives.reductions import reduce_sum  # reductions' transposes are broadcasts: each needs the other

    summed = tuple(axis for axis in range(bars[0].ndim) if axis not in axes)
    bar = reduce_sum(bars[0], axes=summed) if summed else bars[0]
    return (bar, *(None,) * (len(ins) - 1))


broadcast = linear_structural(
    "broadcast", _broadcast, infer=_infer_broadcast, linear_in=(0,), transpose=_transpose_broadcast, batch=NotYet("vmap"), samples=()
)
"""broadcast(x, *dims; axes): x's axis k becomes axis axes[k] (increasing) of the result; the others are new. Nothing of
length 1 is stretched: the reader first drops such axes by reshape."""


def _retype_back(bars: Any, ins: Values, linear: tuple[bool, ...]) -> Any:
    return (same_dims(bars[0], ins[0]), *(None,) * (len(ins) - 1))


retype = linear_structural(
    "retype", lambda x, *dims: np.asarray(x), infer=lambda ins: (ins[0].type.with_shape(tuple(atom_dim(dim) for dim in ins[1:])),),
    linear_in=(0,), transpose=_retype_back, batch=NotYet("vmap"), samples=(),
)
"""retype(x, *dims): x, whose dimensions a Check has shown to equal these. It costs nothing."""


def same_dims(x: Value, like: Value) -> Value:
    """x with like's dimensions, which are known to be equal."""
    return x if x.shape == like.shape else retype(x, *like.dims())


copy = linear_structural(
    "copy", lambda x: np.array(x), infer=lambda ins: (ins[0].type,), linear_in=(0,),
    transpose=lambda bars, ins, linear: (bars[0],), batch=NotYet("vmap"), samples=(),
)
"""New storage: only codegen's in-place pass needs it; to the program it is the identity."""

transpose = linear_structural(
    "transpose", lambda x, *, axes: np.transpose(x, axes).copy(),
    infer=lambda ins, *, axes: (ins[0].type.with_shape(tuple(ins[0].type.shape[axis] for axis in axes)),), linear_in=(0,),
    transpose=lambda bars, ins, linear, *, axes: (transpose(bars[0], axes=tuple(int(k) for k in np.argsort(axes))),),
    batch=NotYet("vmap"), samples=(),
)


def _infer_reshape(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    return (ins[0].type.strong().with_shape(tuple(atom_dim(dim) for dim in ins[1:])),)


reshape = linear_structural(
    "reshape", lambda x, *dims: np.reshape(x, tuple(int(dim) for dim in dims)).copy(), infer=_infer_reshape, linear_in=(0,),
    transpose=lambda bars, ins, linear: (reshape(bars[0], *ins[0].dims()), *(None,) * (len(ins) - 1)),
    batch=NotYet("vmap"), samples=(),
)
"""reshape(x, *dims): C order; the reader has checked that the sizes agree."""

ROWS = (broadcast, retype, copy, transpose, reshape)
