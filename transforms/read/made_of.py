"""What an iterator's items were made of: where that has changed, they can't be asked for any more."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.transforms.ir.prints import prints, raises
from s2s.transforms.read.bound_names import free_names, is_local
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.cells import content_of
from s2s.transforms.read.storage.grown import Table, pools_in
from s2s.transforms.read.storage.parts_of import parts_of
from s2s.transforms.read.syntax.scope import reads_behind_its_items
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    IteratorRef,
    ListRef,
    Missing,
    ObjectRef,
    Pooled,
    Seen,
    View,
    is_atom,
    storages_of,
)

POSITION = "position"
GIVEN_BACK = "given_back"
"""Of a generator that was read as a whole: what it returned."""
LEFT = "left"
"""Of such a one: how far the iterators came by then that it takes from."""
UNKNOWN = Missing("an iterator of which it is known only at run time how many items are left")


def new_iterator(reader: Reader, source: Abstract, example: Any, seen: Seen | None = None, *, changed: Sequence[Any] = (), effects: bool = False, taken_from: tuple[IteratorRef, ...] = (), made_at: Location | None = None) -> IteratorRef:
    """An iterator that goes through `source`. `example`: one of its class; `seen`: what its items were made of; `changed`: what they changed; `effects`: whether they did more;
    `taken_from`: the iterators that they were taken from, of which `LEFT` tells; `made_at`: where it is made (None: here).
    """
    ref = IteratorRef(source=source, example=example, seen=seen, made_in=reader.frame.read_now if effects or changed else None, changed=tuple(changed), made_at=made_at or reader.builder.where, taken_from=taken_from)
    reader.heap[ref] = {POSITION: 0}
    if ref.made_in is not None:
        reader.frame.at_once.append(ref)
    return ref


def move_to(reader: Reader, ref: IteratorRef, position: Any) -> None:
    """So many items of it were taken; None: it has no more, `UNKNOWN`: nobody may use it any more."""
    reader.heap[ref] = {**reader.heap[ref], POSITION: position}


def give_back(reader: Reader, ref: IteratorRef) -> None:
    """Behind a use of all items of an iterator: what these were taken from, and nobody could ask meanwhile, stands behind them."""
    for other, position in zip(ref.taken_from, reader.heap[ref].get(LEFT, ()), strict=False):
        if reader.heap[other][POSITION] is UNKNOWN:
            move_to(reader, other, position)


def seen_by(reader: Reader, *values: Abstract, positions: bool = False) -> Seen:
    """The names that functions among these values read, and what the storages and containers hold that they lead to; `positions`: also how far iterators came."""
    names: list[tuple[Any, str, Abstract]] = []
    contents: dict[Any, Any] = {}
    met: dict[int, Abstract] = {}

    def look(value: Abstract) -> None:
        if id(value) in met:
            return
        met[id(value)] = value
        match value:
            case View():
                contents.update((cell, content_of(reader, cell)) for cell in storages_of(value.cell))
            case ListRef() | DictRef() | ObjectRef():
                content = contents[value] = reader.heap[value]
                for _, pool in pools_in(content.shape) if isinstance(content, Table) else ():
                    pooled(pool)
            case IteratorRef() if positions:
                contents[value] = reader.heap[value]
            case Pooled():
                pooled(value.pool)
            case Closure():
                for name in sorted(free_names(value.node)):
                    if is_local(value.frame, name):
                        named(value.frame, name)
        for part in parts_of(reader.heap, value):
            look(part)

    def pooled(pool: Any) -> None:
        """All of a pool: only the run knows which of its objects are led to."""
        if id(pool) not in met and pool.rows in reader.heap:
            met[id(pool)] = pool
            for part in (pool.rows, *pool.known.values()):
                look(part)
            for other in pool.points.values():
                pooled(other)

    def named(frame: Any, name: str) -> None:
        names.append((frame, name, frame.find(name)))
        look(names[-1][2])

    for value in values:
        look(value)
    return Seen(tuple(names), contents)


def seen_of(reader: Reader, *values: Abstract) -> Seen:
    """Which items lists, tuples and arrays among these values hold, and not what the items hold; of other values the same as `seen_by`."""
    lists: dict[Any, Any] = {}
    others = []
    for value in values:
        if isinstance(value, ListRef) and isinstance(reader.heap[value], tuple):
            lists[value] = reader.heap[value]
        elif type(value) is not tuple:
            others.append(value)
    found = seen_by(reader, *others)
    return Seen(found.names, {**found.contents, **lists})


def seen_in(reader: Reader, node: cst.BaseComp, *values: Abstract, positions: bool = False) -> Seen:
    """The same of a comprehension or generator expression of the current frame."""
    frame = reader.frame
    found = {name: frame.find(name) for name in sorted(reads_behind_its_items(node)) if is_local(frame, name)}
    behind = seen_by(reader, *found.values(), *values, positions=positions)
    return Seen((*((frame, name, value) for name, value in found.items()), *behind.names), behind.contents)


def has_changed(reader: Reader, seen: Seen) -> bool:
    """Whether something that was seen is another one now."""
    if any(frame.find(name) is not value for frame, name, value in seen.names):
        return True
    return any(not same_content(content_of(reader, ref) if not isinstance(content, tuple | dict) and ref in reader.parked else reader.heap[ref], content) for ref, content in seen.contents.items())


def same_content(now: Any, before: Any) -> bool:
    """Whether a storage or container holds what it held before."""
    if isinstance(now, tuple) and isinstance(before, tuple):
        return len(now) == len(before) and all(map(_is_same, now, before))
    if isinstance(now, dict) and isinstance(before, dict):
        return now.keys() == before.keys() and all(_is_same(item, before[key]) for key, item in now.items())
    return now is before


def _is_same(one: Abstract, other: Abstract) -> bool:
    """Whether it is one value; of views, which are made anew behind a branch, whether they see the same of one storage."""
    return one is other or isinstance(one, View) and isinstance(other, View) and one.cell is other.cell and one.steps == other.steps


@contextmanager
def effects(reader: Reader, *, failures: bool = False) -> Iterator[Callable[[], list[Any]]]:
    """What exists and is changed inside, what is printed, and where it counts what may raise an error. Iterators don't count of which items were taken that only the run could count: nobody may use them any more."""
    before, builder = dict(reader.heap), reader.builder
    began, outer = len(builder.nodes), reader.unsure
    unsure = reader.unsure = (outer or 0) if failures else outer

    def changed() -> list[Any]:
        found: list[Any] = [node for node in builder.nodes[began:] if prints(node) or failures and raises(node)]
        if failures and reader.unsure != unsure:
            found.append(IndexError)
        for ref, content in before.items():
            if same_content(reader.heap[ref], content):
                continue
            if isinstance(ref, IteratorRef) and (is_atom(reader.heap[ref][POSITION]) or reader.heap[ref][POSITION] is UNKNOWN):
                move_to(reader, ref, UNKNOWN)
            else:
                found.append(ref)
        return found

    try:
        yield changed
    finally:
        reader.unsure = None if outer is None else reader.unsure
