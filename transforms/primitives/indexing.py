"""Reading and writing parts of arrays: getitem, setitem, additem, and the growing and cutting of tapes.

An index is a static tuple of items, one for each axis of the array, and the run-time integers that they consume, in order:

    A[i, 2:n, ::-1, k]   index=(At(), Span(1), Span(-1), Take())   operands: i, 2, n2, last, m, k

At() takes an integer and drops the axis. Span(step) takes a start (never negative) and a length, the new dimension.
Full() keeps the axis. Take() takes an integer array; all Takes of an index are broadcast to one shape by the reader,
stand next to each other in the result as NumPy puts them (`take_axis`), and may repeat elements.
At and Take may be negative and out of bounds, as in NumPy (codegen checks what it can't prove); Spans are exact by construction.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.families import linear_structural
from s2s.transforms.primitives.row import NOT_LINEAR, STRUCTURAL, Cost, NotYet, Primitive, Scatter, Values
from s2s.transforms.primitives.value import Value, zeros
from s2s.types import Array, Atom, Dim, atom_dim


@dataclass(frozen=True)
class At:
    """One position."""


@dataclass(frozen=True)
class Span:
    """start, start + step, …: as many as the length says. `step` is a non-zero int."""

    step: int = 1


@dataclass(frozen=True)
class Full:
    """The whole axis."""


@dataclass(frozen=True)
class Take:
    """The positions that an integer array lists."""


Item = Union[At, Span, Full, Take]
Index = tuple[Item, ...]


def operand_count(index: Index) -> int:
    """How many operands an index consumes."""
    return sum({At: 1, Span: 2, Full: 0, Take: 1}[type(item)] for item in index)


def part_shape(shape: tuple[Dim, ...], operands: tuple[Atom, ...], index: Index) -> tuple[Dim, ...]:
    """The shape of array[index]; Takes together give their broadcast shape, at the first one if they are adjacent
    (At counts as adjacent to Take, as in NumPy), in front otherwise.
    """
    if len(index) != len(shape) or len(operands) != operand_count(index):
        raise ShapeError(f"index {index} does not fit shape {shape}")
    rest, taken = iter(operands), None
    result: list[Dim] = []
    place = take_axis(index)
    for axis, item in enumerate(index):
        match item:
            case At():
                next(rest)
            case Span():
                next(rest)
                result.append(atom_dim(next(rest)))
            case Full():
                result.append(shape[axis])
            case Take():
                taken = next(rest).type.shape
    return tuple(result) if taken is None else (*result[:place], *taken, *result[place:])


def take_axis(index: Index) -> int:
    """Where the Takes' shape stands in the result: in front if a kept axis separates two Takes (or Take and At)."""
    advanced = [k for k, item in enumerate(index) if isinstance(item, At | Take)]
    if not any(isinstance(item, Take) for item in index):
        return 0
    contiguous = advanced == list(range(advanced[0], advanced[0] + len(advanced)))
    return sum(not isinstance(item, At | Take) for item in index[: advanced[0]]) if contiguous else 0


def numpy_index(operands: tuple[Any, ...], index: Index) -> tuple[Any, ...]:
    """The index as NumPy takes it, from run-time values."""
    rest = iter(operands)
    items: list[Any] = []
    for item in index:
        match item:
            case At() | Take():
                items.append(np.asarray(next(rest))[()])
            case Full():
                items.append(slice(None))
            case Span():
                start, length = int(next(rest)), int(next(rest))
                stop = start + item.step * length
                items.append(slice(start, stop if stop >= 0 else None, item.step) if length else slice(0, 0))
    return tuple(items)


# ---- rows -----------------------------------------------------------------------------------------------------------


def _infer_getitem(ins: tuple[Atom, ...], *, index: Index) -> tuple[Array, ...]:
    array, *operands = ins
    return (array.type.strong().with_shape(part_shape(array.type.shape, tuple(operands), index)),)


def _transpose_getitem(bars: Any, ins: Values, linear: tuple[bool, ...], *, index: Index) -> Any:
    return (Scatter(bars[0], ins[1:], index), *(None,) * (len(ins) - 1))


getitem = linear_structural(
    "getitem", lambda array, *operands, index: np.array(array[numpy_index(operands, index)]), infer=_infer_getitem, linear_in=(0,),
    transpose=_transpose_getitem, batch=NotYet("vmap"), samples=(),
)


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
    array_bar = setitem(bar, zeros(bar.builder, value.type), *operands, index=index) if linear[0] else None
    if not linear[1]:
        return (array_bar, None, *(None,) * len(operands))
    part = getitem(bar, *operands, index=index)
    if any(isinstance(item, Take) for item in index):
        part = part * last_writer(zeros(bar.builder, bar.type), part, *operands, index=index)
    return (array_bar, part, *(None,) * len(operands))


def _transpose_additem(bars: Any, ins: Values, linear: tuple[bool, ...], *, index: Index) -> Any:
    (bar,), operands = bars, ins[2:]
    part = getitem(bar, *operands, index=index) if linear[1] else None
    return (bar if linear[0] else None, part, *(None,) * len(operands))


setitem = linear_structural(
    "setitem", _set, infer=_infer_store, linear_in=(0, 1), transpose=_transpose_setitem, batch=NotYet("vmap"), samples=(),
    cost=Cost.HEAVY,
)
additem = linear_structural(
    "additem", _add, infer=_infer_store, linear_in=(0, 1), transpose=_transpose_additem, batch=NotYet("vmap"), samples=(),
    cost=Cost.HEAVY,
)


def _last_writer(array: Any, value: Any, *operands: Any, index: Index) -> Any:
    """1 where a stored element is the one that survives repeated Takes (the last in C order), else 0."""
    order = np.arange(1, np.size(value) + 1, dtype=np.float64).reshape(np.shape(value))
    winner = np.zeros(np.shape(array))
    winner[numpy_index(operands, index)] = order
    return (winner[numpy_index(operands, index)] == order).astype(np.asarray(value).dtype)


last_writer = Primitive(
    "last_writer", infer=lambda ins, **_: (ins[1].type.strong(),), evaluate=_last_writer,
    jvp=lambda dots, ins, outs, **_: (None,), transpose=NOT_LINEAR, batch=NotYet("vmap"), cost=Cost.HEAVY,
    emission=STRUCTURAL, samples=(),
)


def _grow(tape: Any, size: Any) -> Any:
    result = np.zeros((int(size), *np.shape(tape)[1:]), np.asarray(tape).dtype)
    kept = min(len(tape), int(size))
    result[:kept] = tape[:kept]
    return result


def _infer_resized(ins: tuple[Atom, ...]) -> tuple[Array, ...]:
    tape, size = ins
    return (tape.type.with_shape((atom_dim(size), *tape.type.shape[1:])),)


def _resized_back(other: str) -> Any:
    def transpose(bars: Any, ins: Values, linear: tuple[bool, ...]) -> Any:
        return ({"grow": grow, "shrink": shrink}[other](bars[0], ins[0].dim(0)), None)

    return transpose


grow = linear_structural(
    "grow", _grow, infer=_infer_resized, linear_in=(0,), transpose=_resized_back("shrink"), batch=NotYet("vmap"), samples=(), cost=Cost.HEAVY
)
"""grow(tape, size): the tape with axis 0 made longer (zeros or anything behind); in place where the size is unchanged."""
shrink = linear_structural(
    "shrink", _grow, infer=_infer_resized, linear_in=(0,), transpose=_resized_back("grow"), batch=NotYet("vmap"), samples=(), cost=Cost.FREE
)
"""shrink(tape, size): the first `size` of the tape: grow's transpose."""

ROWS = (getitem, setitem, additem, last_writer, grow, shrink)


def at(value: Value, *positions: Value) -> Value:
    """The part at leading integer positions: value[i, j, :, …]."""
    index = (*(At() for _ in positions), *(Full() for _ in range(value.ndim - len(positions))))
    return getitem(value, *positions, index=index)


def put(array: Value, part: Value, *positions: Value) -> Value:
    """The array with the part at leading integer positions replaced."""
    index = (*(At() for _ in positions), *(Full() for _ in range(array.ndim - len(positions))))
    return setitem(array, part, *positions, index=index)
