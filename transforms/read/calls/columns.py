"""zip(*rows) of rows of which only the run knows how many there are: a tuple of run-time length for each place of theirs."""
from __future__ import annotations

from functools import partial
from typing import Any

from s2s.transforms.primitives.arithmetic import greater_equal
from s2s.transforms.read.calls.ordering import run_time_iteration
from s2s.transforms.read.composed import lists
from s2s.transforms.read.flow.filled_by_loops import run_time_map
from s2s.transforms.read.flow.items import counted, items_of
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.made_of import new_iterator, seen_by
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.storage.tables import as_tuple
from s2s.transforms.read.values import STANDS_FOR, Abstract, IteratorRef, ListRef, ObjectRef, Pooled, TupleRef, View
from s2s.transforms.read.wrapping import as_size
from s2s.types import size_literal


def zipped(reader: Reader, rows: Abstract) -> Abstract:
    """zip(*rows)."""
    items = as_list(reader, rows)
    if items is None:
        return reader.rules.call(zip, items_of(reader, rows))
    width = _width(reader.heap[items])
    if width is not None:
        return new_iterator(reader, Iteration(tuple(_column(reader, items, place) for place in range(width))), zip())
    places = as_size(reader, reader.rules.call(lists.shortest, (items,)), "how many places all rows have")
    through = Iteration(None, size_literal(0), places, size_literal(1), lambda place: _places(reader, items, place))
    return new_iterator(reader, through, zip(), seen_by(reader, items))


def as_list(reader: Reader, value: Abstract) -> ListRef | None:
    """What is gone through as a list, where only the run knows how many items there are; None where that is known, or a call knows it."""
    is_growing = isinstance(value, IteratorRef) and isinstance(value.source, ListRef) and isinstance(reader.heap[value.source], Grown)
    if is_growing or isinstance(value, Pooled) or isinstance(value, ObjectRef) and STANDS_FOR in vars(value.kind):
        value = reader.rules.call(list, (value,))
    iteration = None if isinstance(value, View) else run_time_iteration(reader, value)
    if iteration is None or type(value) is ListRef:
        return None if iteration is None else value
    return run_time_map(reader, iteration, lambda item: item)


def _width(content: Any) -> int | None:
    """How many places the rows have; None where only the run knows it, or they are no tuples or lists."""
    if isinstance(content, Table):
        return len(content.shape.parts) if issubclass(content.shape.kind, tuple | list) else None
    width = content.item_type.shape[0] if isinstance(content, Grown) and content.row is not None and content.row.alike else None
    return width if isinstance(width, int) else None


def _column(reader: Reader, rows: ListRef, place: int) -> TupleRef:
    iteration = iterate(reader, rows)
    count, _ = counted(reader, iteration)
    if not reader.builder.proves_at_least(count, size_literal(1)):
        (there_is,) = reader.builder.equation(greater_equal, (count, size_literal(1)))
        reader.builder.check(there_is, "NotImplementedError", "zip(*…) of no rows, where only the run knows how many there are")
    return as_tuple(reader, run_time_map(reader, iteration, partial(_part, reader, place)))


def _places(reader: Reader, rows: ListRef, place: Abstract) -> TupleRef:
    """What all rows have at a place, which is a tuple of its own for each place."""
    return as_tuple(reader, run_time_map(reader, iterate(reader, rows), partial(_part, reader, place)))


def _part(reader: Reader, place: Abstract, row: Abstract) -> Abstract:
    return reader.rules.item(row, place)


__all__ = ["as_list", "zipped"]
