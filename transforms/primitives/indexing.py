"""Reading and writing parts of arrays: getitem, setitem, additem, and the growing and cutting of tapes.

An index is a static tuple of items, one for each axis of the array, and the run-time integers that they consume, in order:

    A[i, 2:n, ::-1, k]   index=(At(), Span(1), Span(-1), Take())   operands: i, 2, n2, last, m, k

At() takes an integer and drops the axis. Span(step) takes a start (never negative) and a length, the new dimension.
Full() keeps the axis. Take() takes an integer array; all Takes of an index are broadcast to one shape by the reader,
stand next to each other in the result as NumPy puts them (`take_axis`), and may repeat elements.
At and Take may be negative and out of bounds, as in NumPy (codegen checks what it can't prove); Spans are exact by construction.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.families import linear_structural, repeat
from s2s.transforms.primitives.index import At, Full, Index, Item, Span, Take, numpy_index, operand_count, part_shape, take_axis
from s2s.transforms.primitives.index_batch import batch_index
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, STORES, STRUCTURAL, ZERO, Cost, Primitive, Sample
from s2s.transforms.primitives.structural import broadcast, draws, iota, permuted, sample, shared_sizes, transpose
from s2s.transforms.primitives.value import Scatter, Value, Values, zeros
from s2s.types import Array, Atom, atom_dim

__all__ = [
    "ROWS", "At", "Full", "Index", "Item", "Span", "Take", "additem", "at", "getitem", "grow", "last_writer", "numpy_index", "operand_count",
    "part_shape", "put", "setitem", "shrink", "take_along", "take_axis",
]

# ---- samples: one for each form of index ----------------------------------------------------------------------------


def _one(*choices: int) -> Any:
    """A run-time integer: one of these."""
    return lambda rng: np.asarray(rng.choice(choices))


def _many(length: int, *shape: int) -> Any:
    """An array of positions in an axis of this length, from either end, with repetitions."""
    return lambda rng: rng.integers(-length, length, shape)


_FORMS: tuple[tuple[tuple[int, ...], Index, tuple[Any, ...], tuple[int, ...]], ...] = (
    ((5,), (At(),), (_one(0, 2, 4),), ()),
    ((5,), (At(),), (_one(-1, -5),), ()),
    ((3, 4), (At(), At()), (_one(-1, 0, 1), _one(2, 3)), ()),
    ((3, 4), (At(), Full()), (_one(1, -2),), (4,)),
    ((3, 4), (Full(), At()), (_one(-2, 3),), (3,)),
    ((6,), (Span(),), (_one(0, 1, 3), 3), (3,)),
    ((6,), (Span(2),), (_one(0, 1), 3), (3,)),
    ((6,), (Span(-1),), (_one(5), 6), (6,)),
    ((6,), (Span(-2),), (_one(4, 5), 3), (3,)),
    ((6,), (Span(),), (_one(0, 6), 0), (0,)),
    ((0,), (Span(-1),), (_one(0), 0), (0,)),
    ((3, 5), (At(), Span()), (_one(1, -1), _one(2, 3), 2), (2,)),
    ((3, 5), (Span(), Span(-1)), (_one(0, 1), 2, _one(3, 4), 4), (2, 4)),
    ((1,), (Full(),), (), (1,)),
    ((), (), (), ()),
    ((5,), (Take(),), (_many(3, 4),), (4,)),
    ((5,), (Take(),), (_many(5, 2, 2),), (2, 2)),
    ((5,), (Take(),), (_many(5, 0),), (0,)),
    ((3, 4), (Take(), Take()), (_many(2, 5), _many(2, 5)), (5,)),
    ((3, 4), (Take(), Full()), (_many(2, 3),), (3, 4)),
    ((3, 4), (Full(), Take()), (_many(4, 2),), (3, 2)),
    ((2, 3, 4), (Full(), Take(), Take()), (_many(2, 3), _many(2, 3)), (2, 3)),
    ((2, 3, 4), (Take(), Full(), Take()), (_many(2, 3), _many(2, 3)), (3, 3)),
    ((2, 3, 4), (Take(), Span(), At()), (_many(2, 3), _one(0, 1), 2, _one(2, -1)), (3, 2)),
    ((2, 3, 4), (Full(), At(), Take()), (_one(1, -1), _many(2, 2)), (2, 2)),
    ((2, 3, 4), (At(), Span(), Take()), (_one(1, -2), _one(0, 1), 2, _many(2, 3)), (3, 2)),
    ((2, 3, 4), (Span(), Take(), Full()), (_one(0, 1), 1, _many(3, 2, 2)), (1, 2, 2, 4)),
)
"""(shape, index, operands, the part's shape): negative and repeated positions, negative steps, empty parts."""


def _samples(*, store: bool, wrt: tuple[int, ...]) -> tuple[Sample, ...]:
    floats = tuple(sample(draws(*shape), *([draws(*part)] if store else []), *ops, index=index, wrt=wrt) for shape, index, ops, part in _FORMS)
    whole = draws(5, dtype=np.int64)
    return (*floats, sample(whole, *([draws(dtype=np.int64)] if store else []), _one(3), index=(At(),), wrt=()))


# ---- rows -----------------------------------------------------------------------------------------------------------


def _infer_getitem(ins: tuple[Atom, ...], *, index: Index) -> tuple[Array, ...]:
    array, *operands = ins
    return (array.type.strong().with_shape(part_shape(array.type.shape, tuple(operands), index)),)


def _transpose_getitem(bars: Any, ins: Values, linear: tuple[bool, ...], *, index: Index) -> Any:
    return (Scatter(bars[0], ins[1:], index), *(None,) * (len(ins) - 1))


def _batch_getitem(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, index: Index) -> Any:
    new = batch_index(primitive, index, ins[1:], batched[1:], size, array_batched=batched[0])
    return (permuted(getitem(ins[0], *new.operands, index=new.index), new.order),), (True,)


getitem = linear_structural(
    "getitem", lambda array, *operands, index: np.array(array[numpy_index(operands, index)]), infer=_infer_getitem, linear_in=(0,),
    transpose=_transpose_getitem, batch=_batch_getitem, samples=_samples(store=False, wrt=(0,)),
)
"""getitem(array, *operands; index): array[index], new storage."""


def _infer_store(ins: tuple[Atom, ...], *, index: Index) -> tuple[Array, ...]:
    array, value, *operands = ins
    part = part_shape(array.type.shape, tuple(operands), index)
    if value.type.shape != part or value.type.dtype != array.type.dtype:
        raise ShapeError(f"a value of type {value.type} is stored where {array.type.with_shape(part)} is expected")
    return (array.type.strong(),)


def _set(array: Any, value: Any, *operands: Any, index: Index) -> Any:
    result = np.array(array)
    result[numpy_index(operands, index)] = value
    return result


def _add(array: Any, value: Any, *operands: Any, index: Index) -> Any:
    result = np.array(array)
    np.add.at(result, numpy_index(operands, index), value)
    return result


def _transpose_setitem(bars: Any, ins: Values, linear: tuple[bool, ...], *, index: Index) -> Any:
    (bar,), value, operands = bars, ins[1], ins[2:]
    part = getitem(bar, *operands, index=index) if linear[1] else None  # read before the positions are cleared, which is done in place
    if part is not None and any(isinstance(item, Take) for item in index):
        part = part * last_writer(bar, part, *operands, index=index)
    array_bar = setitem(bar, zeros(bar.builder, value.type), *operands, index=index) if linear[0] else None
    return (array_bar, part, *(None,) * len(operands))


def _transpose_additem(bars: Any, ins: Values, linear: tuple[bool, ...], *, index: Index) -> Any:
    (bar,), operands = bars, ins[2:]
    part = getitem(bar, *operands, index=index) if linear[1] else None
    return (bar if linear[0] else None, part, *(None,) * len(operands))


def _batch_store(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, index: Index) -> Any:
    array, value = (x if is_batched else repeat(x, size) for x, is_batched in zip(ins[:2], batched, strict=False))
    new = batch_index(primitive, index, ins[2:], batched[2:], size, array_batched=True)
    out = primitive(array, permuted(value, new.inverse), *new.operands, index=new.index)
    return (permuted(out, new.order) if primitive is last_writer else out,), (True,)


setitem = linear_structural(
    "setitem", _set, infer=_infer_store, linear_in=(0, 1), storage=STORES, transpose=_transpose_setitem, batch=_batch_store,
    samples=_samples(store=True, wrt=(0, 1)), cost=Cost.HEAVY,
)
"""setitem(array, value, *operands; index): the array after array[index] = value; of repeated positions the last value stays."""
additem = linear_structural(
    "additem", _add, infer=_infer_store, linear_in=(0, 1), storage=STORES, transpose=_transpose_additem, batch=_batch_store,
    samples=_samples(store=True, wrt=(0, 1)), cost=Cost.HEAVY,
)
"""additem(array, value, *operands; index): the array after np.add.at(array, index, value): repeated positions add up."""


def _last_writer(array: Any, value: Any, *operands: Any, index: Index) -> Any:
    order = np.arange(1, np.size(value) + 1, dtype=np.float64).reshape(np.shape(value))
    winner = np.zeros(np.shape(array))
    winner[numpy_index(operands, index)] = order
    return (winner[numpy_index(operands, index)] == order).astype(np.asarray(value).dtype)


last_writer = Primitive(
    "last_writer", infer=lambda ins, *, index: (_infer_store(ins, index=index), (ins[1].type.strong(),))[1], evaluate=_last_writer,
    jvp=ZERO, transpose=NOT_LINEAR, batch=_batch_store, cost=Cost.HEAVY, emission=STRUCTURAL, storage=NEW, samples=_samples(store=True, wrt=()),
)
"""last_writer(array, value, *operands; index): 1 for each element of value that stays after array[index] = value (the last,
in C order, of those that go to one position), else 0. Of the array and the value only the types matter."""

# ---- tapes ----------------------------------------------------------------------------------------------------------


def _resize(tape: Any, size: Any, *, zeros: bool = True) -> Any:
    result = np.zeros((int(size), *np.shape(tape)[1:]), np.asarray(tape).dtype)
    kept = min(len(tape), int(size))
    result[:kept] = tape[:kept]
    return result


def _infer_resized(ins: tuple[Atom, ...], *, zeros: bool = True) -> tuple[Array, ...]:
    tape, size = ins
    return (tape.type.strong().with_shape((atom_dim(size), *tape.type.shape[1:])),)


def _batch_resized(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: bool) -> Any:
    shared_sizes(primitive, batched[1:], size.builder.where)
    swapped = (1, 0, *range(2, ins[0].ndim))
    return (transpose(primitive(transpose(ins[0], axes=swapped), ins[1], **params), axes=swapped),), (True,)


grow = linear_structural(
    "grow", _resize, infer=_infer_resized, linear_in=(0,), storage=STORES, transpose=lambda bars, ins, linear, *, zeros: (shrink(bars[0], ins[0].dim(0)), None),
    batch=_batch_resized, cost=Cost.HEAVY,
    samples=(*(sample(draws(*shape), size, zeros=True) for shape, size in (((2,), 5), ((2, 3), 4), ((0,), 2), ((3,), 3))), sample(draws(3), 3, zeros=False)),
)
"""grow(tape, size; zeros): the tape with axis 0 made longer, with zeros behind or with anything; in place where the size is unchanged."""
shrink: Primitive = linear_structural(
    "shrink", _resize, infer=_infer_resized, linear_in=(0,), storage=STORES, transpose=lambda bars, ins, linear: (grow(bars[0], ins[0].dim(0), zeros=True), None),
    batch=_batch_resized, samples=(sample(draws(5), 2), sample(draws(4, 3), 0), sample(draws(3), 3)), cost=Cost.FREE,
)
"""shrink(tape, size): the first `size` of the tape: grow's transpose."""

ROWS: tuple[Primitive, ...] = (getitem, setitem, additem, last_writer, grow, shrink)

# ---- what rules and the reader use ----------------------------------------------------------------------------------


def at(value: Value, *positions: Value) -> Value:
    """The part at leading integer positions: value[i, j, :, …]."""
    index = (*(At() for _ in positions), *(Full() for _ in range(value.ndim - len(positions))))
    return getitem(value, *positions, index=index)


def put(array: Value, part: Value, *positions: Value) -> Value:
    """The array with the part at leading integer positions replaced."""
    index = (*(At() for _ in positions), *(Full() for _ in range(array.ndim - len(positions))))
    return setitem(array, part, *positions, index=index)


def take_along(array: Value, positions: Value, axis: int) -> Value:
    """np.take_along_axis of an array and positions of the same shape but along the axis."""
    shape = positions.dims()
    operands = tuple(positions if k == axis else broadcast(iota(shape[k]), *shape, axes=(k,)) for k in range(array.ndim))
    return getitem(array, *operands, index=(Take(),) * array.ndim)
