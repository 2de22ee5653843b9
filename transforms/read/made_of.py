"""What an iterator's items were made of: where that has changed, they can't be asked for any more."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from s2s.transforms.read.bound_names import free_names, is_local
from s2s.transforms.read.callables import Applied, Closure, Method
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.cells import content_of
from s2s.transforms.read.syntax.scope import names_read
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    DictView,
    Iteration,
    IteratorRef,
    Later,
    ListRef,
    Missing,
    ObjectRef,
    Pulled,
    Seen,
    View,
    storages_of,
)

POSITION = "position"
UNKNOWN = Missing("an iterator of which it is known only at run time how many items are left")


def new_iterator(reader: Reader, source: Abstract, example: Any, seen: Seen | None = None, *, effects: bool = False) -> IteratorRef:
    """An iterator that goes through `source`. `example`: one of its class; `seen`: what its items were made of."""
    ref = IteratorRef(source=source, example=example, seen=seen, made_in=reader.frame.statement if effects else None)
    reader.heap[ref] = {POSITION: 0}
    return ref


def seen_by(reader: Reader, *values: Abstract) -> Seen:
    """The names that functions among these values read, and what the storages and containers hold that they lead to."""
    names: list[tuple[Any, str, Abstract]] = []
    contents: dict[Any, Any] = {}
    functions: set[Closure] = set()

    def look(value: Abstract) -> None:
        match value:
            case View():
                contents.update((cell, content_of(reader, cell)) for cell in storages_of(value.cell))
            case tuple():
                for item in value:
                    look(item)
            case IteratorRef():
                look((value.source, *reader.heap[value].values()))
            case Pulled():
                look(value.refs)
            case Iteration():
                look((value.items or (), value.views, value.container))
            case Later():
                look(value.container)
            case ListRef() | DictRef() | ObjectRef() if value not in contents:
                content = contents[value] = reader.heap[value]
                for item in content.values() if isinstance(content, dict) else content if isinstance(content, tuple) else map(View, content.storages):
                    look(item)
            case DictView():
                look(value.ref)
            case Method():
                look((value.function, value.first))
            case Applied():
                look((value.function, *value.args, *value.kwargs.values()))
            case Closure() if value not in functions:
                functions.add(value)
                look(tuple(value.defaults.values()))
                for name in sorted(free_names(value.node)):
                    if is_local(value.frame, name):
                        named(value.frame, name)

    def named(frame: Any, name: str) -> None:
        names.append((frame, name, frame.find(name)))
        look(names[-1][2])

    for value in values:
        look(value)
    return Seen(tuple(names), contents)


def seen_in(reader: Reader, node: Any, *values: Abstract) -> Seen:
    """The same of an expression of the current frame."""
    frame = reader.frame
    found = {name: frame.find(name) for name in sorted(names_read(node)) if is_local(frame, name)}
    behind = seen_by(reader, *found.values(), *values)
    return Seen((*((frame, name, value) for name, value in found.items()), *behind.names), behind.contents)


def has_changed(reader: Reader, seen: Seen) -> bool:
    """Whether something that was seen is another one now."""
    if any(frame.find(name) is not value for frame, name, value in seen.names):
        return True
    return any(not same_content(content_of(reader, ref) if not isinstance(content, tuple | dict) and ref in reader.parked else reader.heap[ref], content) for ref, content in seen.contents.items())


def same_content(now: Any, before: Any) -> bool:
    """Whether a storage or container holds what it held before."""
    if isinstance(now, tuple) and isinstance(before, tuple):
        return len(now) == len(before) and all(a is b for a, b in zip(now, before, strict=True))
    if isinstance(now, dict) and isinstance(before, dict):
        return now.keys() == before.keys() and all(item is before[key] for key, item in now.items())
    return now is before


@contextmanager
def effects(reader: Reader) -> Iterator[Callable[[], bool]]:
    """Whether something that exists is changed inside (not iterators that nobody may use any more)."""
    before = dict(reader.heap)
    yield lambda: any(
        not same_content(reader.heap[ref], content) and not (isinstance(ref, IteratorRef) and reader.heap[ref][POSITION] is UNKNOWN)
        for ref, content in before.items()
    )
