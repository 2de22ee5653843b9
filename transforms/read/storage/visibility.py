"""Who still sees a storage: a live name, a container, the caller, a function around."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.records import fields
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import State
from s2s.transforms.read.storage.cells import exchange_of
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.values import Abstract, Cell, IteratorRef, Outside, Ref, StandIn, View, storages_of


def is_held(reader: Reader, frame: Frame, cell: Cell) -> bool:
    """Whether what a frame goes through, or shares with nested functions, is in this storage."""
    taken = (each.ref for each in reader.session.taken.values() if each.ref in reader.heap)
    return any(refers(reader, value, cell) for value in (*frame.held, frame.box, *taken))


def refers(reader: Reader, value: Abstract, cell: Cell) -> bool:
    """Whether a value is in a storage, or holds what is."""
    return _refers(reader, value, cell, set())


def _refers(reader: Reader, value: Any, cell: Cell, through: set[Any]) -> bool:
    """The same; `through`: the containers and frames that were looked into, which may hold each other."""
    match value:
        case View():
            return value.cell is cell or value.cell.selected is not None and cell in storages_of(value.cell)
        case tuple() | list():
            return any(_refers(reader, item, cell, through) for item in value)
        case dict():
            return any(_refers(reader, item, cell, through) for item in value.values())
        case Grown():
            return cell in value.storages
        case Outside():
            return False
        case Frame():
            return value is not reader.frame and _once(value, through) and _refers(reader, (value.names, value.outer), cell, through)
        case Ref():
            held = (reader.heap.get(value), value.source if isinstance(value, IteratorRef) else None)
            return _once(value, through) and _refers(reader, held, cell, through)
        case StandIn():  # what else holds values: all that it was made of
            return any(_refers(reader, getattr(value, each.name), cell, through) for each in fields(value))  # type: ignore[arg-type]
    return False


def _once(value: Any, through: set[Any]) -> bool:
    """Whether it was not looked into yet; it is now."""
    new = id(value) not in through
    through.add(id(value))
    return new


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

    def seen(value: Abstract, path: Path) -> bool:
        if path in but:
            return False
        if isinstance(value, tuple):
            return any(seen(item, (*path, key)) for key, item in enumerate(value))
        items = items_of_container(state, value)
        if items is not None:
            inner = any((value, key) not in but and seen(item, (*path, key)) for key, item in items)
            return inner or isinstance(value, IteratorRef) and refers(reader, value.source, cell)
        return refers(reader, value, cell)

    if any(seen(value, (name,)) for name, value in state.names.items() if name in live) or is_held(reader, reader.frame, cell):
        return True
    frame = reader.frame.caller
    while frame is not None:
        if any(seen(value, ()) for value in frame.names.values()) or is_held(reader, frame, cell):
            return True
        frame = frame.caller
    return False


def items_of_container(state: State, value: Abstract) -> list[tuple[Any, Abstract]] | None:
    """The items of a list, dict or object with their keys."""
    content = state.heap.get(value) if isinstance(value, Ref) else None
    if isinstance(content, tuple):
        return list(enumerate(content))
    return list(content.items()) if isinstance(content, dict) else None
