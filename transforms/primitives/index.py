"""The grammar of an index: a static tuple of items, one for each axis of the array. Its operands stand in the equation.

    A[i, 2:n, ::-1, k]   index=(At(), Span(1), Span(-1), Take())   operands: i, 2, n2, last, m, k
"""
from __future__ import annotations

from typing import Any, Union

import numpy as np

from s2s.errors import ShapeError
from s2s.records import dataclass, field
from s2s.types import Atom, Dim, atom_dim


@dataclass(frozen=True)
class At:
    """One position. `inside`: whoever built the index knows that it is in [0, n) (a tape's own count): nothing needs to check it."""

    inside: bool = field(default=False, repr=False)


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


OPERANDS: dict[type[Item], int] = {At: 1, Span: 2, Full: 0, Take: 1}
"""How many operands an item of an index consumes."""


def operand_count(index: Index) -> int:
    """How many operands an index consumes."""
    return sum([OPERANDS[type(item)] for item in index])


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
    advanced = [k for k, item in enumerate(index) if isinstance(item, (At, Take))]
    if not any(isinstance(item, Take) for item in index):
        return 0
    contiguous = advanced == list(range(advanced[0], advanced[0] + len(advanced)))
    return sum(not isinstance(item, (At, Take)) for item in index[: advanced[0]]) if contiguous else 0


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
