"""Which calls of NumPy's functions are of lists of arrays of several lengths (`storage/ragged.py`), and what serves them (`composed/several_lengths.py`)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.primitives.arithmetic import greater
from s2s.transforms.read.composed import several_lengths
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import shape_of
from s2s.transforms.read.storage.grown import Grown, Lengths, Table
from s2s.transforms.read.values import Abstract, ListRef, View
from s2s.types import size_literal

JOINED: dict[Any, Callable[..., Any]] = {np.concatenate: several_lengths.concatenate, np.hstack: several_lengths.beside, np.vstack: several_lengths.concatenate}
CUT = (np.split, np.array_split)


def source_for(reader: Reader, function: Any, args: tuple[Abstract, ...]) -> Callable[..., Any] | None:
    """The function that serves a call; None where all sizes are one, or known."""
    if not args:
        return None
    if function in JOINED and (rank := _rank_of_items(reader, args[0])) is not None:
        if rank == 1 and function is not np.concatenate:
            return None if function is np.vstack else several_lengths.concatenate
        return JOINED[function]
    if function in CUT and len(args) > 1 and _is_of_any_length(reader, args[1]):
        return several_lengths.split
    return None


def as_rows(reader: Reader, function: Any, value: Abstract) -> Abstract:
    """A list of arrays of several lengths as the array that NumPy makes of it, where they are of one; other values: themselves."""
    if _rank_of_items(reader, value) is None:
        return value
    need_items(reader, function, reader.heap[value])
    return reader.rules.call(several_lengths.stacked, (function.__name__, value))


_EMPTY_LISTS = {
    **dict.fromkeys((np.array, np.asarray, np.asanyarray), ("NotImplementedError", "an array of a list that holds no arrays (its shape is (0,) in NumPy) is not supported")),
    np.stack: ("ValueError", "need at least one array to stack"),
    **dict.fromkeys((np.vstack, np.concatenate, np.hstack), ("ValueError", "need at least one array to concatenate")),
}  # fmt: skip
"""What a function does with a list whose items are arrays, where it holds none."""


def need_items(reader: Reader, function: Any, content: Grown) -> None:
    """The Check that a list of arrays whose length only the run knows has an item."""
    builder, length = reader.builder, content.length
    if function not in _EMPTY_LISTS or not isinstance(content, Table) and reader.value(content.array).ndim < 2 or builder.proves_at_least(length, 1):
        return
    (test,) = builder.equation(greater, (length, size_literal(0)), name="some")
    builder.check(test, *_EMPTY_LISTS[function])


def _rank_of_items(reader: Reader, value: Abstract) -> int | None:
    """How many axes the arrays of such a list have; None of other values."""
    content = reader.heap.get(value) if isinstance(value, ListRef) else None
    if not isinstance(content, Table) or content.shape.kind is not Lengths:
        return None
    return len(content.shape.parts) - 1


def _is_of_any_length(reader: Reader, value: Abstract) -> bool:
    if isinstance(value, ListRef):
        return isinstance(reader.heap[value], Grown)
    shape = shape_of(reader, value) if isinstance(value, View) else ()
    return len(shape) == 1 and not isinstance(shape[0], int)


__all__ = ["as_rows", "need_items", "source_for"]
