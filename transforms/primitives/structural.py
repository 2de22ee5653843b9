"""Shapes: broadcast, transpose, reshape, retype, copy, empty, iota. What moves whole arrays (`joining` puts several together).

Lengths are operands (int64 atoms): `broadcast(x, n, m; axes)`. In batching they can't differ from example to example.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError, UnsupportedError
from s2s.records import replace
from s2s.transforms.primitives.families import linear_structural
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, RENAMES, STRUCTURAL, ZERO, Cost, NotYet, Out, Primitive, Sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import INT64, SIZE, Array, Atom, atom_dim


def shared_sizes(primitive: Primitive, sizes_batched: tuple[bool, ...], where: Any) -> None:
    """Refuse a length that differs from example to example.

    Raises
    ------
    UnsupportedError
        If one of the operands that are lengths is batched.
    """
    if any(sizes_batched):
        raise UnsupportedError(
            f"{primitive.name} with a size that differs from example to example", where=where,
            why="the examples' results would have different shapes", instead="give all examples one size and mask what is beyond theirs",
        )


def draws(*shape: int, dtype: type[np.generic] = np.float64) -> Callable[[np.random.Generator], Any]:
    """For samples: a random array of this shape."""
    return lambda rng: rng.uniform(-2.0, 2.0, shape).astype(dtype)


def complex_draws(*shape: int, dtype: type[np.generic] = np.complex128) -> Callable[[np.random.Generator], Any]:
    """The same of complex numbers."""
    return lambda rng: (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)


def sample(*operands: Any, wrt: tuple[int, ...] = (0,), **params: Any) -> Sample:
    """A sample whose operands are made by functions of the generator, or stand as they are (ints are sizes)."""
    return Sample(lambda rng: tuple(each(rng) if callable(each) else each for each in operands), params, wrt)


# ---- broadcast ------------------------------------------------------------------------------------------------------


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
    summed = tuple(axis for axis in range(bars[0].ndim) if axis not in axes)
    bar = bars[0].summed(summed) if summed else bars[0]
    return (bar, *(None,) * (len(ins) - 1))


def _batch_broadcast(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, axes: tuple[int, ...]) -> Any:
    shared_sizes(primitive, batched[1:], size.builder.where)
    return (broadcast(ins[0], size, *ins[1:], axes=(0, *(axis + 1 for axis in axes))),), (True,)


broadcast = linear_structural(
    "broadcast", _broadcast, infer=_infer_broadcast, linear_in=(0,), transpose=_transpose_broadcast, batch=_batch_broadcast,
    samples=(
        sample(draws(), 3, 4, axes=()), sample(draws(3), 3, 4, axes=(0,)), sample(draws(4), 3, 4, axes=(1,)), sample(draws(3), 3, 0, axes=(0,)),
        sample(draws(0), 2, 0, axes=(1,)), sample(draws(2, 4), 2, 3, 4, axes=(0, 2)), sample(draws(1), 1, 5, axes=(0,)),
        sample(draws(3, dtype=np.int64), 3, 2, axes=(0,), wrt=()),
    ),
)
"""broadcast(x, *dims; axes): x's axis k becomes axis axes[k] (increasing) of the result; the others are new. Nothing of
length 1 is stretched: the reader first drops such axes by reshape."""

# ---- the same elements in another shape -----------------------------------------------------------------------------


def _infer_dims(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    return (ins[0].type.strong().with_shape(tuple(atom_dim(dim) for dim in ins[1:])),)


def _batch_dims(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value) -> Any:
    shared_sizes(primitive, batched[1:], size.builder.where)
    return (primitive(ins[0], size, *ins[1:]),), (True,)


def _retype_back(bars: Any, ins: Values, linear: tuple[bool, ...]) -> Any:
    return (same_dims(bars[0], ins[0]), *(None,) * (len(ins) - 1))


retype = linear_structural(
    "retype", lambda x, *dims: np.asarray(x), infer=_infer_dims, linear_in=(0,), storage=RENAMES, transpose=_retype_back, batch=_batch_dims,
    samples=(sample(draws(3, 2), 3, 2), sample(draws(0), 0)),
)
"""retype(x, *dims): x, whose dimensions a Check has shown to equal these. It costs nothing."""


def same_dims(x: Value, like: Value) -> Value:
    """x with like's dimensions, which are known to be equal."""
    return x if x.shape == like.shape else retype(x, *like.dims())


reshape: Primitive = linear_structural(
    "reshape", lambda x, *dims: np.reshape(x, tuple(int(dim) for dim in dims)).copy(), infer=_infer_dims, linear_in=(0,), storage=RENAMES,
    transpose=lambda bars, ins, linear: (reshape(bars[0], *ins[0].dims()), *(None,) * (len(ins) - 1)), batch=_batch_dims,
    samples=(
        sample(draws(6), 2, 3), sample(draws(2, 3), 6), sample(draws(0, 3), 3, 0), sample(draws(1)), sample(draws(), 1, 1),
        sample(draws(2, 1, 3), 2, 3), sample(draws(4, dtype=np.int64), 2, 2, wrt=()),
    ),
)
"""reshape(x, *dims): C order; the reader has checked that the sizes agree."""

copy: Primitive = linear_structural(
    "copy", np.array, infer=lambda ins: (ins[0].type,), linear_in=(0,), storage=RENAMES,
    transpose=lambda bars, ins, linear: (bars[0],), batch=lambda primitive, ins, batched, size: ((copy(ins[0]),), (True,)),
    samples=(sample(draws()), sample(draws(2, 3)), sample(draws(0))),
)
"""New storage: only codegen's in-place pass needs it; to the program it is the identity."""


def _copied(x: Any, *, name: str) -> Any:
    return np.array(x)


checkpoint_name: Primitive = linear_structural(
    "checkpoint_name", _copied, infer=lambda ins, *, name: (ins[0].type,), linear_in=(0,), storage=RENAMES,
    transpose=lambda bars, ins, linear, *, name: (bars[0],),
    batch=lambda primitive, ins, batched, size, *, name: ((primitive(ins[0], name=name),), (True,)),
    samples=(sample(draws(), name="h"), sample(draws(2, 3), name="h"), sample(draws(0), name="h"), sample(draws(2, dtype=np.int64), name="h", wrt=())),
)
"""checkpoint_name(x; name): x, under a name by which the policy of a checkpoint may keep it."""


stop_gradient: Primitive = replace(
    linear_structural(
        "stop_gradient", np.array, infer=lambda ins: (ins[0].type,), linear_in=(0,), storage=RENAMES, transpose=lambda bars, ins, linear: (bars[0],),
        batch=lambda primitive, ins, batched, size: ((stop_gradient(ins[0]),), (True,)),
        samples=(sample(draws(), wrt=()), sample(draws(2, 3), wrt=()), sample(draws(0), wrt=()), sample(draws(2, dtype=np.complex128), wrt=())),
    ),
    jvp=ZERO, transpose=NOT_LINEAR,
)
"""stop_gradient(x): x, whose tangent is zero."""


def _infer_transpose(ins: tuple[Atom, ...], *, axes: tuple[int, ...]) -> tuple[Array, ...]:
    type_ = ins[0].type
    if sorted(axes) != list(range(type_.ndim)):
        raise ShapeError(f"axes {axes} don't permute those of {type_}")
    return (type_.strong().with_shape(tuple(type_.shape[axis] for axis in axes)),)


def _batch_transpose(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, axes: tuple[int, ...]) -> Any:
    return (transpose(ins[0], axes=(0, *(axis + 1 for axis in axes))),), (True,)


def _transpose_back(bars: Any, ins: Values, linear: tuple[bool, ...], *, axes: tuple[int, ...]) -> Any:
    return (transpose(bars[0], axes=tuple(int(k) for k in np.argsort(axes))),)


transpose = linear_structural(
    "transpose", lambda x, *, axes: np.transpose(x, axes).copy(), infer=_infer_transpose, linear_in=(0,), transpose=_transpose_back,
    batch=_batch_transpose,
    samples=(
        sample(draws(2, 3), axes=(1, 0)), sample(draws(2, 3, 4), axes=(2, 0, 1)), sample(draws(0, 3), axes=(1, 0)), sample(draws(), axes=()),
        sample(draws(2, 3, dtype=np.int64), axes=(1, 0), wrt=()),
    ),
)


def permuted(x: Value, axes: tuple[int, ...]) -> Value:
    """transpose, or x itself where axes are in order."""
    return x if axes == tuple(range(x.ndim)) else transpose(x, axes=axes)


# ---- new arrays -----------------------------------------------------------------------------------------------------


def _batch_new(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    shared_sizes(primitive, batched, size.builder.where)
    return primitive.outs(*ins, **params), (False,)


empty = Primitive(
    "empty", infer=lambda ins, *, dtype: (Array(np.dtype(dtype), tuple(atom_dim(dim) for dim in ins)),),
    evaluate=lambda *dims, dtype: np.zeros(tuple(int(dim) for dim in dims), dtype), jvp=ZERO, transpose=NOT_LINEAR,
    batch=_batch_new, cost=Cost.FREE, emission=STRUCTURAL, storage=NEW, samples=(sample(2, 3, wrt=(), dtype=np.dtype(np.float64)),),
)
"""empty(*dims; dtype): an array whose elements are all written before they are read (tapes, np.empty). Each is new storage."""

iota = Primitive(
    "iota", infer=lambda ins: (Array(INT64, (atom_dim(ins[0]),)),), evaluate=lambda size: np.arange(int(size), dtype=np.int64),
    jvp=ZERO, transpose=NOT_LINEAR, batch=_batch_new, cost=Cost.FREE, emission=STRUCTURAL, storage=NEW,
    samples=(sample(4, wrt=()), sample(0, wrt=()), sample(1, wrt=())),
)
"""iota(size): np.arange(size), int64."""


def _where_true(mask: Any) -> tuple[Any, ...]:
    positions = np.nonzero(mask)
    return (np.int64(len(positions[0])), *positions)


where_true = Primitive(
    "where_true", infer=lambda ins: (SIZE, *(Array(INT64, (Out(0),)) for _ in ins[0].type.shape)), evaluate=_where_true,  # type: ignore[arg-type]
    jvp=ZERO, transpose=NOT_LINEAR, batch=NotYet("the number of true elements differs from example to example"), cost=Cost.HEAVY,
    emission=STRUCTURAL, storage=NEW,
    samples=tuple(sample(lambda rng, shape=shape: rng.uniform(0, 1, shape) < 0.5, wrt=()) for shape in ((6,), (3, 4), (0,), (1,))),
)
"""where_true(mask) -> count, and for each axis of mask (at least one) the positions of its true elements, C order."""

ROWS: tuple[Primitive, ...] = (broadcast, retype, reshape, copy, checkpoint_name, stop_gradient, transpose, empty, iota, where_true)
