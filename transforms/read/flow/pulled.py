"""Iterators that take their items from other iterators when they are asked for one, as Python's own do.

    it = iter(xs); head = list(islice(it, 2)); rest = list(it)      what islice took, `it` has no more

Used where an argument is an iterator itself, or what is made shares its state (groupby, tee, cycle), and items are known one by one. Each
step is Python's: how far it came stands in the heap (`state`, known while reading, and `held`, values), so that both paths of an if have their own.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from s2s.errors import Location
from s2s.transforms.read import made_of
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.composed import own_iterators
from s2s.transforms.read.failures import TakenByTurns
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.comparisons import same_or_equal
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.flow.operations import binary
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.iterations import Endless, Pulled
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, IteratorRef, ListRef

Stepped = Any
"""An item, the state and what is held behind it. None where there is none any more; NOW where it asks again the next time, as Python's own do."""
END, NOW = once.END, once.NOW


def started(reader: Reader, value: Abstract) -> IteratorRef:
    """iter(value), of which the items are known one by one; None if only the run knows how many there are."""
    return value if isinstance(value, IteratorRef) else made_of.new_iterator(reader, value if isinstance(value, Endless) else iterate(reader, value), iter(()))


def is_pullable(reader: Reader, value: Abstract) -> bool:
    """Whether it can be gone through item by item while reading."""
    if isinstance(value, IteratorRef):
        return once.is_pullable(reader, value)
    iteration = iterate(reader, value)
    return iteration.items is not None or iteration.static is not None


def new(reader: Reader, refs: tuple[IteratorRef, ...], step: Callable[..., Stepped], state: tuple[Any, ...] = (), held: tuple[Abstract, ...] = (), example: Any = None) -> IteratorRef:
    """An iterator over such others."""
    ref = IteratorRef(source=Pulled(refs, step), example=iter(()) if example is None else example, made_at=reader.builder.where)
    reader.heap[ref] = {made_of.POSITION: 0, once.STATE: state, once.HELD: held}
    return ref


def _holds(reader: Reader, name: str, test: Abstract, made_at: Location | None) -> bool:
    found = truth_of(reader, test)
    if not isinstance(found, bool):
        refusal = reader.unsupported(f"{name} with a run-time condition", "a mask: x[x > 0], or a loop with an if")
        raise refusal if made_at is None else TakenByTurns(refusal, frozenset((made_at,)))
    return found


# ---- item by item ----------------------------------------------------------------------------------------------------------------


def _zip(reader: Reader, *refs: IteratorRef) -> IteratorRef:
    return new(reader, refs, lambda reader, state, held: _together(reader, refs), example=zip())


def _together(reader: Reader, refs: tuple[IteratorRef, ...]) -> Stepped:
    items = []
    for ref in refs:
        item = once.pull(reader, ref)
        if item is END:
            return NOW
        items.append(item)
    return (tuple(items), (), ()) if refs else NOW


def _map(reader: Reader, function: Abstract, *refs: IteratorRef) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        found = _together(reader, refs)
        try:
            return NOW if found is NOW else (reader.rules.call(function, found[0]), (), ())
        except StopIteration:  # map(next, iterators) ends with them
            return NOW

    return new(reader, refs, step, example=map(abs, ()))


def _starmap(reader: Reader, function: Abstract, ref: IteratorRef) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        item = once.pull(reader, ref)
        return NOW if item is END else (reader.rules.call(function, items_of(reader, item)), (), ())

    return new(reader, (ref,), step, example=itertools.starmap(abs, ()))


def _enumerate(reader: Reader, ref: IteratorRef, start: Abstract = 0) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        item = once.pull(reader, ref)
        return NOW if item is END else ((state[0], item), (state[0] + 1,), ())

    return new(reader, (ref,), step, (start,), example=enumerate(()))


def _filter(wanted: bool, name: str, example: Any) -> Callable[..., IteratorRef]:
    def made(reader: Reader, function: Abstract, ref: IteratorRef) -> IteratorRef:
        place = reader.builder.where

        def step(reader: Reader, state: Any, held: Any) -> Stepped:
            while (item := once.pull(reader, ref)) is not END:
                if _holds(reader, name, item if function is None else reader.rules.call(function, (item,)), place) is wanted:
                    return item, (), ()
            return NOW

        return new(reader, (ref,), step, example=example)

    return made


def _takewhile(reader: Reader, function: Abstract, ref: IteratorRef) -> IteratorRef:
    place = reader.builder.where

    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        item = once.pull(reader, ref)
        if item is END:
            return NOW
        return (item, (), ()) if _holds(reader, "itertools.takewhile", reader.rules.call(function, (item,)), place) else None

    return new(reader, (ref,), step, example=itertools.takewhile(bool, ()))


def _dropwhile(reader: Reader, function: Abstract, ref: IteratorRef) -> IteratorRef:
    place = reader.builder.where

    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        while (item := once.pull(reader, ref)) is not END:
            if state[0] or not _holds(reader, "itertools.dropwhile", reader.rules.call(function, (item,)), place):
                return item, (True,), ()
        return NOW

    return new(reader, (ref,), step, (False,), example=itertools.dropwhile(bool, ()))


def _compress(reader: Reader, data: IteratorRef, selectors: IteratorRef) -> IteratorRef:
    place = reader.builder.where

    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        while (found := _together(reader, (data, selectors))) is not NOW:
            if _holds(reader, "itertools.compress", found[0][1], place):
                return found[0][0], (), ()
        return NOW

    return new(reader, (data, selectors), step, example=itertools.compress((), ()))


def _chain(reader: Reader, *refs: IteratorRef) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        for number in range(state[0], len(refs)):
            if (item := once.pull(reader, refs[number])) is not END:
                return item, (number,), ()
        return None

    return new(reader, refs, step, (0,), example=itertools.chain())


def _from_iterable(reader: Reader, ref: IteratorRef) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        (current,) = state
        while True:
            if current is None:
                part = once.pull(reader, ref)
                if part is END:
                    return None
                current = started(reader, part)
            if (item := once.pull(reader, current)) is not END:
                return item, (current,), ()
            current = None

    return new(reader, (ref,), step, (None,), example=itertools.chain())


def _islice(reader: Reader, ref: IteratorRef, *bounds: Abstract) -> IteratorRef:
    part = slice(*bounds)
    start, stop, stride = part.start or 0, part.stop, part.step or 1

    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        count, following = state
        for _ in range(count, following):
            if once.pull(reader, ref) is END:
                return None
        count = max(count, following)
        if stop is not None and count >= stop or (item := once.pull(reader, ref)) is END:
            return None
        return item, (count + 1, following + stride if stop is None else min(following + stride, stop)), ()

    return new(reader, (ref,), step, (0, start), example=itertools.islice((), 0))


def _accumulate(reader: Reader, ref: IteratorRef, func: Abstract = None, *, initial: Abstract = None) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        if state[0] and not held:
            return initial, (False,), (initial,)
        item = once.pull(reader, ref)
        if item is END:
            return NOW
        total = item if not held else binary(reader, "+", held[0], item) if func is None else reader.rules.call(func, (held[0], item))
        return total, (False,), (total,)

    return new(reader, (ref,), step, (initial is not None,), example=itertools.accumulate(()))


def _pairwise(reader: Reader, ref: IteratorRef) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        first = held[0] if held else once.pull(reader, ref)
        second = END if first is END else once.pull(reader, ref)
        return None if second is END else ((first, second), (), (second,))

    return new(reader, (ref,), step, example=itertools.pairwise(()))


def _zip_longest(reader: Reader, *refs: IteratorRef, fillvalue: Abstract = None) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        items = []
        left = list(state)
        for number, ref in enumerate(refs):
            item = once.pull(reader, ref) if left[number] else END
            left[number] = item is not END
            items.append(fillvalue if item is END else item)
            if not any(left):
                return None
        return tuple(items), tuple(left), ()

    return new(reader, refs, step, (True,) * len(refs), example=itertools.zip_longest(()))


# ---- with a state that is shared, or kept ----------------------------------------------------------------------------------------


def _cycle(reader: Reader, ref: IteratorRef) -> IteratorRef:
    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        (number,) = state
        if number is None:
            if (item := once.pull(reader, ref)) is not END:
                return item, (None,), (*held, item)
            number = 0
        return (held[number], ((number + 1) % len(held),), held) if held else None

    return new(reader, (ref,), step, (None,), example=itertools.cycle(()))


def _tee(reader: Reader, ref: IteratorRef, n: int = 2) -> tuple[IteratorRef, ...]:
    buffer = new(reader, (ref,), lambda reader, state, held: None)

    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        taken = once.held(reader, buffer)
        if state[0] == len(taken):
            item = once.pull(reader, ref)
            if item is END:
                return NOW
            taken = (*taken, item)
            reader.heap[buffer] = {**reader.heap[buffer], once.HELD: taken}
        return taken[state[0]], (state[0] + 1,), ()

    return tuple(new(reader, (ref, buffer), step, (0,), example=itertools.tee(())[0]) for _ in range(n))


class _Groups:
    """groupby: the group that is gone through and the groups of the others share one iterator. Held: the item that waits. State: its key, that of
    the group, the group's number, and which of the two there are.
    """

    def __init__(self, reader: Reader, ref: IteratorRef, key: Abstract) -> None:
        self.ref, self.key = ref, key
        self.all = new(reader, (ref,), self.following, (None, None, 0, False, False), example=itertools.groupby(()))

    def advance(self, reader: Reader) -> tuple[Any, Abstract] | None:
        """The next item, and its key."""
        item = once.pull(reader, self.ref)
        if item is END:
            return None
        key = item if self.key is None else reader.rules.call(self.key, (item,))
        if not is_known(reader, key):
            raise reader.unsupported("itertools.groupby with keys that are known only at run time", "np.unique, or a loop with an if")
        return plain(reader, key), item

    def following(self, reader: Reader, state: Any, held: Any) -> Stepped:
        """The next group."""
        current, target, number, has_item, has_target = state
        has_key = has_target  # not by the number: it counts on where there was no group at all
        while not has_key or has_target and current == target:
            found = self.advance(reader)
            if found is None:  # the last group is over, too
                reader.heap[self.all] = {**reader.heap[self.all], once.STATE: (current, target, number + 1, False, has_target), once.HELD: ()}
                return NOW
            current, held, has_item, has_key = found[0], (found[1],), True, True
        number += 1
        group = new(reader, (self.all,), self.item_of(number, current), example=iter(()))
        return (current, group), (current, current, number, has_item, True), held

    def item_of(self, own: int, key: Any) -> Callable[..., Stepped]:
        """How a group is gone through."""

        def step(reader: Reader, state: Any, held: Any) -> Stepped:
            current, target, number, has_item, has_target = once.state(reader, self.all)
            (*waiting,) = once.held(reader, self.all)
            if number != own:
                return NOW
            if not has_item:
                found = self.advance(reader)
                if found is None:
                    return NOW
                current, waiting = found[0], [found[1]]
            ended = current != key
            content = reader.heap[self.all]
            reader.heap[self.all] = {
                **content, once.STATE: (current, target, number, ended, has_target), once.HELD: tuple(waiting) if ended else (),
            }  # fmt: skip
            return NOW if ended else (waiting[0], (), ())

        return step


def _groupby(reader: Reader, ref: IteratorRef, key: Abstract = None) -> IteratorRef:
    return _Groups(reader, ref, key).all


def _has_known_keys(reader: Reader, iterable: Abstract, key: Abstract = None) -> bool:
    """Whether all keys of groupby are known."""
    before = reader.checkpoint()
    try:
        return all(is_known(reader, item if key is None else reader.rules.call(key, (item,))) for item in items_of(reader, iterable))
    finally:
        reader.rollback(before)


def until(reader: Reader, function: Abstract, sentinel: Abstract) -> Abstract:
    """iter(function, sentinel)."""
    before = reader.checkpoint()
    decided = isinstance(same_or_equal(reader, sentinel, reader.rules.call(function, ())), bool)
    reader.rollback(before)
    if not decided:  # by the run, which item is the last
        return reader.rules.call(own_iterators.Until, (function, sentinel))

    def step(reader: Reader, state: Any, held: Any) -> Stepped:
        item = reader.rules.call(function, ())
        found = same_or_equal(reader, sentinel, item)
        if not isinstance(found, bool):
            raise reader.unsupported("iter(function, value) of what is known only at run time", "a while loop")
        return None if found else (item, (), ())

    return new(reader, (), step, example=iter(int, 0))


PULLED: dict[Any, tuple[int, Callable[..., Any]]] = {
    zip: (0, _zip), map: (1, _map), enumerate: (0, _enumerate), filter: (1, _filter(True, "filter", filter(None, ()))),
    itertools.filterfalse: (1, _filter(False, "itertools.filterfalse", itertools.filterfalse(None, ()))), itertools.takewhile: (1, _takewhile),
    itertools.dropwhile: (1, _dropwhile), itertools.compress: (0, _compress), itertools.chain: (0, _chain), itertools.chain.from_iterable: (0, _from_iterable),
    itertools.islice: (0, _islice), itertools.accumulate: (0, _accumulate), itertools.starmap: (1, _starmap), itertools.pairwise: (0, _pairwise),
    itertools.zip_longest: (0, _zip_longest), itertools.cycle: (0, _cycle), itertools.tee: (0, _tee), itertools.groupby: (0, _groupby),
}  # fmt: skip
"""Function -> the place of the first iterable among its arguments, and how it is made."""
_ONE = frozenset((
    enumerate, filter, itertools.islice, itertools.accumulate, itertools.tee, itertools.groupby, itertools.filterfalse, itertools.takewhile, itertools.dropwhile,
    itertools.starmap, itertools.cycle, itertools.pairwise, itertools.chain.from_iterable,
))  # fmt: skip
"""What takes one iterable; the others take any number."""
_SHARE = frozenset((itertools.groupby, itertools.tee, itertools.chain.from_iterable))
"""What is pulled also where no argument is an iterator."""


def _has_long_parts(reader: Reader, value: Abstract) -> bool:
    """Whether it is a tuple or list with parts whose lengths only the run knows."""
    parts = value if isinstance(value, tuple) else reader.heap[value] if isinstance(value, ListRef) else ()
    return not all(is_pullable(reader, part) for part in parts)


def pulled(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], *, always: bool = False) -> Abstract:
    """What such a function makes of iterators, or `always`; None where it makes its items at once."""
    first, make = PULLED.get(function, (0, None))
    iterables = args[first : first + 1] if function in _ONE else args[first:]
    iterables = tuple(arg.iterator if isinstance(arg, FlatArray) else arg for arg in iterables)
    if make is None or not iterables or not (always or function in _SHARE or any(isinstance(arg, IteratorRef) for arg in iterables)):
        return None
    options = (*args[first + len(iterables) :], *kwargs.values())
    by_name = set(kwargs) <= {"func", "initial", "key", "fillvalue", "start", "n"}
    is_plain = function in (itertools.groupby, itertools.accumulate, itertools.zip_longest) or all(option is None or type(option) is int and option >= 0 for option in options)
    if not by_name or not is_plain or not all(is_pullable(reader, arg) for arg in iterables) or function is itertools.chain.from_iterable and _has_long_parts(reader, iterables[0]):
        return None
    if function is itertools.groupby and not isinstance(args[0], IteratorRef) and not _has_known_keys(reader, *args, **kwargs):
        return None
    refs = tuple(started(reader, arg) for arg in iterables)
    return make(reader, *args[:first], *refs, *args[first + len(iterables) :], **kwargs)


__all__ = ["pulled", "until"]
