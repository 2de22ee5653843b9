"""Iterators: what is gone through once.

    m = map(f, xs)        heap[m] = {"position": 0}
    next(m); sum(m)       the first item, then the others: position 1, None (it has no more)

What an iterator gives is worked out where it is made (items known while reading), or where a loop of run time comes to it. Python
does so when an item is asked for: where something that the items depend on has changed by then, a use is refused.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import less
from s2s.transforms.read.callables import Applied, Closure, Method
from s2s.transforms.read.calls.lifted import free_names, is_local
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.comparisons import same_or_equal
from s2s.transforms.read.flow.control_flow import truth_of
from s2s.transforms.read.flow.iteration import counted, items_of, iterate, settled
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.cells import content_of
from s2s.transforms.read.syntax.scope import names_read
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    DictView,
    Endless,
    Iteration,
    IteratorRef,
    Later,
    ListRef,
    Missing,
    ObjectRef,
    Pulled,
    Seen,
    View,
)
from s2s.types import Opaque, size_literal

POSITION, STATE, HELD = "position", "state", "held"
AHEAD = "ahead"
"""The item that a loop's trip begins with."""
END = object()
"""What `pull` gives where there is no item left."""
NOW = object()
"""What a step gives where there is none at present: it is asked again the next time."""
MOST = 10_000
"""An iterator that goes on for longer has no end."""
UNKNOWN = Missing("an iterator of which it is known only at run time how many items are left")


def new_iterator(reader: Reader, source: Abstract, example: Any, seen: Seen | None = None, *, effects: bool = False) -> IteratorRef:
    """An iterator that goes through `source`. `example`: one of its class; `seen`: what its items were made of."""
    ref = IteratorRef(source=source, example=example, seen=seen, made_in=reader.frame.statement if effects else None)
    reader.heap[ref] = {POSITION: 0}
    return ref


# ---- what items depend on --------------------------------------------------------------------------------------------------------


def seen_by(reader: Reader, *values: Abstract) -> Seen:
    """The names that functions among these values read, and what the storages and containers hold that they lead to."""
    names: list[tuple[Any, str, Abstract]] = []
    contents: dict[Any, Any] = {}
    functions: set[Closure] = set()

    def look(value: Abstract) -> None:
        match value:
            case View():
                contents[value.cell] = content_of(reader, value.cell)
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
                for item in content.values() if isinstance(content, dict) else content if isinstance(content, tuple) else (View(content.cell),):
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


def _has_changed(reader: Reader, seen: Seen) -> bool:
    if any(frame.find(name) is not value for frame, name, value in seen.names):
        return True
    return any(not _same_content(content_of(reader, ref) if not isinstance(content, tuple | dict) and ref in reader.parked else reader.heap[ref], content) for ref, content in seen.contents.items())


def _same_content(now: Any, before: Any) -> bool:
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
        not _same_content(reader.heap[ref], content) and not (isinstance(ref, IteratorRef) and reader.heap[ref][POSITION] is UNKNOWN)
        for ref, content in before.items()
    )


# ---- use -------------------------------------------------------------------------------------------------------------------------


def _position(reader: Reader, ref: IteratorRef, *, whole: bool) -> int | None:
    """How many items were taken; None if it has no more."""
    position = reader.heap[ref][POSITION]
    if position is None:
        return None
    if not isinstance(position, int):
        raise reader.unsupported(UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    if ref.seen is not None and _has_changed(reader, ref.seen):
        raise reader.unsupported("an iterator that is gone through after something that its items depend on has changed", "a list: [… for …], list(map(…))")
    if ref.made_in is not None and not (whole and ref.made_in is reader.frame.statement):
        raise reader.unsupported("an iterator whose items change something when they are made, and that is not gone through at once", "a list, or a for loop")
    return position


def _set(reader: Reader, ref: IteratorRef, position: Any) -> None:
    reader.heap[ref] = {**reader.heap[ref], POSITION: position}


def state(reader: Reader, ref: IteratorRef) -> tuple[Any, ...]:
    """How far an iterator of `pulled` came."""
    found = reader.heap[ref][STATE]
    if not isinstance(found, tuple) or any(isinstance(each, Opaque) and not isinstance(each, IteratorRef) for each in found):
        raise reader.unsupported(UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    return found


def held(reader: Reader, ref: IteratorRef) -> tuple[Abstract, ...]:
    """What it keeps."""
    found = reader.heap[ref][HELD]
    if not isinstance(found, tuple):
        raise reader.unsupported(UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    return found


def pull(reader: Reader, ref: IteratorRef) -> Abstract:
    """The next item, made now; END if there is none. How many there are must be known."""
    position = _position(reader, ref, whole=False)
    if position is None:
        return END
    if isinstance(ref.source, Pulled):
        found = ref.source.step(reader, state(reader, ref), held(reader, ref))
        if found is None:
            _set(reader, ref, None)
        if found is None or found is NOW:
            return END
        reader.heap[ref] = {POSITION: position + 1, STATE: found[1], HELD: found[2]}
        return found[0]
    if isinstance(ref.source, Endless):
        _set(reader, ref, position + 1)
        return ref.source.at(position)
    iteration = iterate(reader, ref.source)
    items = iteration.items if iteration.items is not None else iteration.static() if iteration.static is not None else None
    if items is None:
        raise reader.unsupported("an item of an iterator of which only the run knows how many there are", "an array, and an index")
    _set(reader, ref, position + 1 if position < len(items) else None)
    return settled(reader, items[position]) if position < len(items) else END


def is_pullable(reader: Reader, ref: IteratorRef) -> bool:
    """Whether it can be gone through item by item while reading."""
    if isinstance(ref.source, Pulled | Endless):
        return True
    iteration = iterate(reader, ref.source)
    return iteration.items is not None or iteration.static is not None


def each(reader: Reader, value: Abstract) -> Iterator[Abstract]:
    """The items for a comprehension, one after the other: what it does with one may take others."""
    if not isinstance(value, IteratorRef) or not is_pullable(reader, value):
        yield from items_of(reader, value)
        return
    number = 0
    while (item := pull(reader, value)) is not END:
        yield item
        if (number := number + 1) > MOST:
            raise reader.unsupported("an iterator that has no end", "itertools.islice of it")


def _drained(reader: Reader, ref: IteratorRef) -> tuple[Abstract, ...]:
    """All that is left."""
    return tuple(each(reader, ref))


def _in_advance(reader: Reader, ref: IteratorRef) -> tuple[Abstract, ...]:
    """All that is left, for a use that may take less of it, later."""
    before = dict(reader.heap)
    items = _drained(reader, ref)
    changed = [each for each, content in before.items() if not _same_content(reader.heap[each], content)]
    if not all(isinstance(each, IteratorRef) for each in changed):
        raise reader.unsupported("an iterator whose items change something when they are made, and that is not gone through at once", "a list, or a for loop")
    for each in (ref, *changed):
        _set(reader, each, UNKNOWN)
    return items


def _taken(reader: Reader, ref: IteratorRef, stops: Callable[[Abstract], Any]) -> tuple[Abstract, ...]:
    """The items up to the first for which `stops` holds; all where only the run knows that."""
    items = []
    while (item := pull(reader, ref)) is not END:
        items.append(item)
        test = stops(item)
        if not isinstance(test, bool):
            return (*items, *_in_advance(reader, ref))
        if test:
            break
    return tuple(items)


def opened(reader: Reader, ref: IteratorRef, *, whole: bool = True) -> Abstract:
    """What is left, for a use that takes all of it now, or else that takes some of it, or later."""
    if isinstance(ref.source, Pulled):
        return _drained(reader, ref) if whole else _in_advance(reader, ref)
    position = _position(reader, ref, whole=whole)
    _set(reader, ref, None if whole or position is None else UNKNOWN)
    return () if position is None else _behind(reader, ref.source, position)


def _behind(reader: Reader, source: Abstract, position: int) -> Abstract:
    """A source without its first items."""
    if position == 0:
        return source
    if isinstance(source, Endless):
        return dataclasses.replace(source, at=lambda k: source.at(reader.plus(k, position) if not isinstance(k, int) else k + position))
    iteration = iterate(reader, source)
    items = iteration.items if iteration.items is not None else iteration.static() if iteration.static is not None else None
    if items is not None:
        return Iteration(items[position:], views=iteration.views)
    count, at = counted(reader, iteration)
    return Iteration(None, size_literal(position), count, size_literal(1), at, None, iteration.views)


def next_item(reader: Reader, ref: Abstract, *default: Abstract) -> Abstract:
    """next(ref)."""
    from s2s.transforms.read.flow.statements import fail
    from s2s.transforms.read.known import refused_by_python

    if not isinstance(ref, IteratorRef) or len(default) > 1:
        refused_by_python(reader, next, ref, *default)
        raise reader.unsupported(f"next() of {describe(reader, ref)}", "an element: x[0]")
    position = _position(reader, ref, whole=False)
    if position is not None:
        iteration = None if isinstance(ref.source, Pulled | Endless) else iterate(reader, ref.source)
        if iteration is not None and iteration.items is None and iteration.static is None:
            return _next_of_run_time(reader, ref, iteration, position, default)
        if (item := pull(reader, ref)) is not END:
            return item
    if default:
        return default[0]
    fail(reader, StopIteration, None)
    return UNKNOWN


def _next_of_run_time(reader: Reader, ref: IteratorRef, iteration: Iteration, position: int, default: tuple[Abstract, ...]) -> Abstract:
    count, at = counted(reader, iteration)
    if not reader.builder.proves_at_least(count, size_literal(position + 1)):
        if default:
            raise reader.unsupported("next() with a default of an iterator whose length is known only at run time", "an if that compares the length")
        (is_there,) = reader.builder.equation(less, (size_literal(position), sizes.larger(reader.builder, count, 0)), name="is_there")
        reader.builder.check(is_there, "StopIteration", "")
    _set(reader, ref, position + 1)
    return at(size_literal(position))


def _early(reader: Reader, ref: IteratorRef, source: Abstract, stops: Callable[[Abstract], Any]) -> None:
    """Note how far a search came that ends at the first item for which `stops` holds."""
    if isinstance(source, Endless) or (items := iterate(reader, source).items) is None:
        return  # it stays unknown
    done = len(iterate(reader, ref.source).items or ()) - len(items)
    for number, item in enumerate(items):
        test = stops(settled(reader, item))
        if not isinstance(test, bool):
            return
        if test:
            _set(reader, ref, done + number + 1)
            return
    _set(reader, ref, None)


def _settled(reader: Reader, source: Abstract) -> Abstract:
    """A source whose known items are made now, once."""
    if isinstance(source, Endless) or (items := iterate(reader, source).items) is None:
        return source
    return tuple(settled(reader, item) for item in items)


def search(reader: Reader, function: Any, ref: IteratorRef, rule: Callable[[Abstract], Abstract]) -> Abstract:
    """any(ref), all(ref): up to the item that decides."""
    def stops(item: Abstract) -> Any:
        test = truth_of(reader, item)
        return test is (function is any) if isinstance(test, bool) else test

    if isinstance(ref.source, Pulled):
        return rule(_taken(reader, ref, stops))
    source = _settled(reader, opened(reader, ref, whole=False))
    result = rule(source)
    _early(reader, ref, source, stops)
    return result


def contains(reader: Reader, ref: IteratorRef, item: Abstract, rule: Callable[[Abstract], Abstract]) -> Abstract:
    """item in ref: up to the first that is equal."""
    if isinstance(ref.source, Pulled):
        return rule(_taken(reader, ref, lambda each: same_or_equal(reader, item, each)))
    source = _settled(reader, opened(reader, ref, whole=False))
    result = rule(items_of(reader, source))
    _early(reader, ref, source, lambda each: same_or_equal(reader, item, each))
    return result


# ---- for loops -------------------------------------------------------------------------------------------------------------------


def looped(reader: Reader, ref: IteratorRef) -> Iteration:
    """What a for loop over an iterator goes through: trip by trip it sees what its body takes from it."""
    position = _position(reader, ref, whole=False)
    if position is None:
        return Iteration(())
    if isinstance(ref.source, Pulled):
        return Iteration((), container=ref)
    iteration = iterate(reader, ref.source)
    if iteration.items is not None:
        return dataclasses.replace(iteration, container=ref)
    _set(reader, ref, UNKNOWN)
    return iterate(reader, _behind(reader, ref.source, position))


def left(reader: Reader, ref: IteratorRef, iteration: Iteration) -> int:
    """How many items are left for a loop, one at most of those that are made when the loop comes to them."""
    if isinstance(ref.source, Pulled):
        if (item := pull(reader, ref)) is END:
            return 0
        reader.heap[ref] = {**reader.heap[ref], AHEAD: item}
        return 1
    position = _position(reader, ref, whole=False)
    count = 0 if position is None else max(len(iteration.items or ()) - position, 0)
    if count == 0:
        _set(reader, ref, None)
    return count


def take(reader: Reader, ref: IteratorRef, iteration: Iteration) -> Abstract:
    """The next item for a loop, which `left` said there is."""
    if isinstance(ref.source, Pulled):
        content = dict(reader.heap[ref])
        item = content.pop(AHEAD)
        reader.heap[ref] = content
        return item
    position = reader.heap[ref][POSITION]
    assert iteration.items is not None
    _set(reader, ref, position + 1)
    return settled(reader, iteration.items[position])


def rest_of(reader: Reader, iteration: Iteration, number: int) -> Iteration:
    """What is left for a loop that may have been left behind so many trips: only the run knows how many items it takes."""
    ref = iteration.container
    if not isinstance(ref, IteratorRef) or not isinstance(ref.source, Pulled):
        return iteration
    return Iteration((None,) * number + _in_advance(reader, ref))


def finished(reader: Reader, ref: IteratorRef) -> None:
    """Behind a run-time loop that nothing leaves early."""
    _set(reader, ref, None)


__all__ = ["contains", "each", "effects", "finished", "is_pullable", "left", "looped", "new_iterator", "next_item", "opened", "pull", "rest_of", "search", "seen_by", "seen_in", "take"]
