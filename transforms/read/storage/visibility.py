"""Who still sees a storage: a live name, a container, the caller, a function around."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from s2s.transforms.read.callables import Closure
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import State
from s2s.transforms.read.storage.cells import exchange_of
from s2s.transforms.read.storage.parts_of import parts_of
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DictRef,
    ListRef,
    ObjectRef,
    Ref,
    View,
    storages_of,
)


def is_held(reader: Reader, frame: Frame, cell: Cell) -> bool:
    """Whether what a frame goes through, or shares with nested functions, is in this storage."""
    taken = (each.ref for each in reader.session.taken.values() if each.ref in reader.heap)
    slots = (ref for ref in reader.session.slots.values() if ref in reader.heap)
    pooled = (value for pool in reader.session.pools for value in (pool.rows, *pool.known.values()))
    return any(refers(reader, value, cell) for value in (*frame.held, frame.box, *taken, *slots, *pooled))


def refers(reader: Reader, value: Abstract, cell: Cell) -> bool:
    """Whether a value is in a storage, or holds what is."""
    return any(
        isinstance(each, View) and (each.cell is cell or each.cell.selected is not None and cell in storages_of(each.cell))
        for each in reachable(reader, [value], but=calls_around(reader.frame))
    )


def reachable(reader: Reader, values: Iterable[Abstract], *, but: Collection[Frame] = ()) -> Iterator[Any]:
    """These values and all that they hold, at any depth; of functions that are called inside also the names that they see, but for those of these calls."""
    met: dict[int, Any] = {}
    left = list(values)
    while left:
        each = left.pop()
        if id(each) in met:
            continue
        met[id(each)] = each
        yield each
        left.extend(parts_of(reader.heap, each))
        frame = each.frame if isinstance(each, Closure) else each  # that of a generator is seen by what makes its items
        if isinstance(frame, Frame):
            left.extend(names_of_ended(frame, but))


def names_of_ended(frame: Frame | None, around: Collection[Frame]) -> Iterator[Abstract]:
    """What a function sees of calls that have ended: those that are being read are asked themselves."""
    while frame is not None:
        if frame not in around:
            yield from frame.names.values()
            yield frame.box
        frame = frame.outer


def calls_around(frame: Frame | None) -> tuple[Frame, ...]:
    """The calls that are being read, innermost first."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.caller
    return tuple(found)


Path = tuple[Any, ...]
"""Where a value is: ('u',), ('pair', 0), (a list, 1)."""


def matters(reader: Reader, cells: Sequence[Cell], but: frozenset[Path], live: frozenset[str], states: Sequence[State]) -> bool:
    """Whether anybody else than these paths sees one of the cells: the caller, an exchange around, another name."""
    return any(
        cell.owner is not None or exchange_of(cell, reader.parked) is not None or any(is_seen(reader, state, cell, but, live) for state in states)
        for cell in cells
    )


def is_seen(reader: Reader, state: State, cell: Cell, but: frozenset[Path], live: frozenset[str]) -> bool:
    """Whether a storage is seen in a state by a live name, or in a function around, from elsewhere than these paths."""

    def seen(value: Abstract, path: Path, inside: frozenset[Ref] = frozenset()) -> bool:
        if path in but or isinstance(value, Ref) and value in inside:
            return False
        if isinstance(value, tuple):
            return any(seen(item, (*path, key), inside) for key, item in enumerate(value))
        items = items_of_container(state, value)
        if items is not None:
            return any((value, key) not in but and seen(item, (*path, key), inside | {value}) for key, item in items)
        return refers(reader, value, cell)

    if any(seen(value, (name,)) for name, value in state.names.items() if name in live) or is_held(reader, reader.frame, cell):
        return True
    around = calls_around(reader.frame)
    if any(any(seen(value, ()) for value in frame.names.values()) or is_held(reader, frame, cell) for frame in around[1:]):
        return True
    return any(seen(value, ()) for value in names_of_ended(reader.frame.outer, around))


def items_of_container(state: State, value: Abstract) -> list[tuple[Any, Abstract]] | None:
    """The items of a list, dict or object with their keys."""
    content = state.heap.get(value) if isinstance(value, ListRef | DictRef | ObjectRef) else None
    if isinstance(content, tuple):
        return list(enumerate(content))
    return list(content.items()) if isinstance(content, dict) else None
