"""Iterators: what is gone through once.

    m = map(f, xs)        heap[m] = {"position": 0}
    next(m); sum(m)       the first item, then the others: position 1, None (it has no more)

What an iterator gives is worked out where it is made (items known while reading), or where a loop of run time comes to it. Python
does so when an item is asked for: where something that the items depend on has changed by then, a use is refused.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from s2s.errors import S2SError, UnsupportedError
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import less
from s2s.transforms.read.composed import own_iterators
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import Suppressed
from s2s.transforms.read.flow import caught
from s2s.transforms.read.flow.by_turns import is_by_turns, untold
from s2s.transforms.read.flow.failing import fail
from s2s.transforms.read.flow.items import check_length, counted, items_of, settled
from s2s.transforms.read.flow.joining import choose
from s2s.transforms.read.flow.sides import connected
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.iterations import Endless, Iteration, Pulled
from s2s.transforms.read.known import refused_by_python
from s2s.transforms.read.made_of import GIVEN_BACK, POSITION, UNKNOWN, effects, has_changed, move_to, same_content
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, IteratorRef, is_atom
from s2s.types import SIZE, Array, Atom, Opaque, Var, dim_atom, size_literal

STATE, HELD = "state", "held"
AHEAD = "ahead"
"""The item that a loop's trip begins with."""
END = object()
"""What `pull` gives where there is no item left."""
NOW = object()
"""What a step gives where there is none at present: it is asked again the next time."""
_AT_ONCE = "an iterator whose items change or print something when they are made, or raise what is caught, and that is not gone through at once"
MOST = 10_000
"""An iterator that goes on for longer has no end."""


# ---- use -------------------------------------------------------------------------------------------------------------------------


def _position(reader: Reader, ref: IteratorRef, *, whole: bool) -> int | Atom | None:
    """How many items were taken, which only the run may know; None if it has no more."""
    position = reader.heap[ref][POSITION]
    if position is None:
        return None
    if not isinstance(position, int) and not is_atom(position):
        raise untold(reader, ref, UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    if ref.seen is not None and has_changed(reader, ref.seen):
        raise untold(reader, ref, "an iterator that is gone through after something that its items depend on has changed", "a list: [… for …], list(map(…))")
    if ref.made_in is not None and not (whole and ref.made_in is reader.frame.read_now):
        raise untold(reader, ref, _AT_ONCE, "a list, or a for loop")
    return position


def _known_position(reader: Reader, ref: IteratorRef, *, whole: bool) -> int | None:
    """How many items were taken of those that are known one by one."""
    position = _position(reader, ref, whole=whole)
    if position is not None and not isinstance(position, int):
        raise untold(reader, ref, UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    return position


def state(reader: Reader, ref: IteratorRef) -> tuple[Any, ...]:
    """How far an iterator of `pulled` came."""
    found = reader.heap[ref][STATE]
    if not isinstance(found, tuple) or any(isinstance(item, Opaque) and not isinstance(item, IteratorRef) for item in found):
        raise untold(reader, ref, UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    return found


def held(reader: Reader, ref: IteratorRef) -> tuple[Abstract, ...]:
    """What it keeps."""
    found = reader.heap[ref][HELD]
    if not isinstance(found, tuple):
        raise untold(reader, ref, UNKNOWN.what, "a list: list(…) of it, which can be gone through again")
    return found


def refuse_left(reader: Reader) -> None:
    """At the end of a statement: iterators whose items have changed something are gone through."""
    made, reader.frame.at_once = reader.frame.at_once, []
    others = [] if reader.errors else [ref for ref in made if ref in reader.heap and not is_over(reader, ref)]
    if others:
        raise untold(reader, others[0], _AT_ONCE, "a list, or a for loop")


def is_over(reader: Reader, ref: IteratorRef) -> bool:
    """Whether it surely has no more."""
    return reader.heap[ref][POSITION] is None


def pull(reader: Reader, ref: IteratorRef) -> Abstract:
    """The next item, made now; END if there is none. How many there are must be known."""
    if isinstance(ref.source, Endless) and is_atom(place := reader.heap[ref][POSITION]):
        move_to(reader, ref, reader.plus(place, size_literal(1)))
        return ref.source.at(place)
    position = _known_position(reader, ref, whole=False)
    if position is None:
        return END
    if isinstance(ref.source, Pulled):
        found = ref.source.step(reader, state(reader, ref), held(reader, ref))
        if found is None:
            move_to(reader, ref, None)
        if found is None or found is NOW:
            return END
        reader.heap[ref] = {POSITION: position, STATE: found[1], HELD: found[2]}
        return found[0]
    if isinstance(ref.source, Endless):
        move_to(reader, ref, position + 1)
        return ref.source.at(position)
    iteration = reader.rules.iterate(ref.source)
    items = iteration.items if iteration.items is not None else iteration.static() if iteration.static is not None else None
    if items is None:
        raise reader.unsupported("an item of an iterator of which only the run knows how many there are", "an array, and an index")
    move_to(reader, ref, position + 1 if position < len(items) else None)
    return settled(reader, items[position]) if position < len(items) else END


def is_pullable(reader: Reader, ref: IteratorRef) -> bool:
    """Whether it can be gone through item by item while reading."""
    if isinstance(ref.source, Pulled | Endless):
        return True
    if is_atom(reader.heap[ref][POSITION]):
        return False
    iteration = reader.rules.iterate(ref.source)
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
    with effects(reader, failures=bool(reader.catching)) as changed:  # an error of an item that Python does not come to would be caught
        items = in_advance(reader, lambda: _drained(reader, ref))
        makes_changes = not all(isinstance(thing, IteratorRef) for thing in changed())
    if makes_changes:
        raise reader.unsupported(_AT_ONCE, "a list, or a for loop")
    move_to(reader, ref, UNKNOWN)
    return items


def in_advance(reader: Reader, make: Callable[[], Any]) -> Any:
    """What is made of iterators' items now, of which a use may take less, later: how far they came is unknown then."""
    before = dict(reader.heap)
    made = make()
    for changed in _changed(reader, before):
        if isinstance(changed, IteratorRef):
            move_to(reader, changed, UNKNOWN)
    return made


def _changed(reader: Reader, before: dict[Any, Any]) -> list[Any]:
    return [ref for ref, content in before.items() if not same_content(reader.heap[ref], content)]


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
    move_to(reader, ref, None if whole or position is None else UNKNOWN)
    return () if position is None else _behind(reader, ref.source, position)


def _behind(reader: Reader, source: Abstract, position: int | Atom) -> Abstract:
    """A source without its first items."""
    if isinstance(position, int) and position == 0:
        return source
    if isinstance(source, Endless):
        return dataclasses.replace(source, at=lambda k: source.at(k + position if isinstance(k, int) and isinstance(position, int) else reader.plus(dim_atom(k), dim_atom(position))))
    iteration = reader.rules.iterate(source)
    items = iteration.items if iteration.items is not None else iteration.static() if iteration.static is not None else None
    if items is not None and isinstance(position, int):
        return Iteration(items[position:], views=iteration.views)
    count, at = counted(reader, iteration)
    return Iteration(None, dim_atom(position), count, size_literal(1), at, None, iteration.views)


def next_item(reader: Reader, ref: Abstract, *default: Abstract) -> Abstract:
    """next(ref)."""
    if not isinstance(ref, IteratorRef) or len(default) > 1:
        refused_by_python(reader, next, ref, *default)
        raise reader.unsupported(f"next() of {describe(reader, ref)}", "an element: x[0]")
    position = _position(reader, ref, whole=False)
    reader.given_back = None
    if position is not None:
        iteration = None if isinstance(ref.source, Pulled | Endless) else reader.rules.iterate(ref.source)
        if iteration is not None and (is_atom(position) or iteration.items is None and iteration.static is None):
            return _next_of_run_time(reader, ref, iteration, position, default)
        if (item := pull(reader, ref)) is not END:
            return item
    if default:
        return default[0]
    stop(reader, ref, is_over=position is None)
    return UNKNOWN


def stop(reader: Reader, ref: IteratorRef, *, is_over: bool) -> None:
    """Raise StopIteration at the end, with what a generator returns if that is where it came to its end now."""
    given = None if is_over else reader.given_back if gives_back(ref) else reader.heap[ref].get(GIVEN_BACK)
    fail(reader, StopIteration, given)


def gives_back(ref: IteratorRef) -> bool:
    """Whether it is a generator that is read yield by yield: `reader.given_back` is then what it returned."""
    return isinstance(ref.source, Pulled) and hasattr(ref.source.step, GIVEN_BACK)


def _next_of_run_time(reader: Reader, ref: IteratorRef, iteration: Iteration, position: int | Atom, default: tuple[Abstract, ...]) -> Abstract:
    count, at = counted(reader, iteration)
    place = dim_atom(position)
    following = position + 1 if isinstance(position, int) else reader.plus(place, size_literal(1))
    if not reader.builder.proves_at_least(count, dim_atom(following)):
        there = sizes.larger(reader.builder, count, 0)
        (found,) = reader.builder.equation(less, (place, there), name="is_there")
        is_there = marked(reader.value(found), weak=True).atom  # Python's own, as the flags that it sets
        if default:
            move_to(reader, ref, sizes.smaller(reader.builder, dim_atom(following), there))
            first, other = reader.fork(), reader.fork()
            with reader.inside(first):
                item = caught.settled(reader, lambda: at(place))
            return choose(reader, is_there, (first, item), (other, default[0]))
        if caught.catches(reader, StopIteration) and reader.heap[ref].get(GIVEN_BACK) is not None:
            caught.note_untold(reader, is_there, StopIteration)  # it holds that at the first such end, nothing at the next
        else:
            reader.builder.check(is_there, "StopIteration", "")
    move_to(reader, ref, following)
    return at(place)


def _early(reader: Reader, ref: IteratorRef, source: Abstract, stops: Callable[[Abstract], Any]) -> None:
    """Note how far a search came that ends at the first item for which `stops` holds."""
    if isinstance(source, Endless) or (items := reader.rules.iterate(source).items) is None:
        return  # it stays unknown
    done = len(reader.rules.iterate(ref.source).items or ()) - len(items)
    for number, item in enumerate(items):
        test = stops(settled(reader, item))
        if not isinstance(test, bool):
            return
        if test:
            move_to(reader, ref, done + number + 1)
            return
    move_to(reader, ref, None)


def _settled(reader: Reader, source: Abstract) -> Abstract:
    """A source whose known items are made now, once."""
    if isinstance(source, Endless) or (items := reader.rules.iterate(source).items) is None:
        return source
    return tuple(settled(reader, item) for item in items)


def search(reader: Reader, function: Any, ref: IteratorRef, rule: Callable[[Abstract], Abstract]) -> Abstract:
    """any(ref), all(ref): up to the item that decides."""
    def stops(item: Abstract) -> Any:
        test = reader.rules.truth(item)
        return test is (function is any) if isinstance(test, bool) else test

    if isinstance(ref.source, Pulled):
        return _of_all_or_each(reader, lambda: rule(_taken(reader, ref, stops)), lambda: reader.rules.call(bool, (_in_turn(reader, ref, function is any),)), also_changes=True)

    def of_all() -> Abstract:
        source = _settled(reader, opened(reader, ref, whole=False))
        result = rule(source)
        _early(reader, ref, source, stops)
        return result

    def of_each() -> Abstract:
        return reader.rules.call(own_iterators.any_of if function is any else own_iterators.all_of, (ref,))

    return of_each() if is_by_turns(reader, ref) or _an_item_has_effects(reader, ref.source) else _of_all_or_each(reader, of_all, of_each)


def _an_item_has_effects(reader: Reader, source: Abstract) -> bool:
    """Whether making an item of a map over a range changes or prints something, or may raise."""
    if not isinstance(source, Iteration) or not source.calls or source.static is None or source.item is None:
        return False
    trial = reader.fork()
    with reader.inside(trial), reader.trial() as errors, effects(reader, failures=True) as changed:
        try:
            source.item(Var("index", Array(SIZE.dtype, (), weak=True)))
        except (S2SError, Suppressed):
            return False
        return not errors and bool(changed())


def _in_turn(reader: Reader, ref: IteratorRef, decides: bool, number: int = 0) -> Abstract:
    """Whether an item's truth is `decides`: each is made only if no earlier one's is."""
    if number > MOST_IN_TURN:
        raise reader.unsupported(_AT_ONCE, "a list, or a for loop")
    item = pull(reader, ref)
    if item is END:
        return not decides
    test = truth_of(reader, item)
    if isinstance(test, bool):
        return decides if test is decides else _in_turn(reader, ref, decides, number)
    found = connected(reader, test, test, lambda: _in_turn(reader, ref, decides, number + 1), is_and=not decides)
    move_to(reader, ref, UNKNOWN)
    return found


MOST_IN_TURN = 48
"""Items of which each is made on the path on which those before did not decide."""


def _of_all_or_each(reader: Reader, of_all: Callable[[], Abstract], of_each: Callable[[], Abstract], *, also_changes: bool = False) -> Abstract:
    """What asks for all items, where Python would stop at one; a loop instead where making them changes or prints something, or may raise. `also_changes`: the first way refuses those itself."""
    before = reader.checkpoint()
    with effects(reader, failures=True) as changed:
        try:
            result = of_all()
            if also_changes or all(isinstance(thing, IteratorRef) for thing in changed()):
                return result
        except UnsupportedError:
            pass  # a loop has fewer demands
    reader.rollback(before)
    return of_each()


def contains(reader: Reader, ref: IteratorRef, item: Abstract, rule: Callable[[Abstract], Abstract], is_equal: Callable[[Abstract], bool | Atom]) -> Abstract:
    """item in ref: up to the first that is equal to the item."""
    if isinstance(ref.source, Pulled):
        return rule(_taken(reader, ref, is_equal))

    def of_all() -> Abstract:
        if not is_pullable(reader, ref):
            result = rule(reader.rules.call(list, (opened(reader, ref, whole=False),)))
            move_to(reader, ref, UNKNOWN)
            return result
        source = _settled(reader, opened(reader, ref, whole=False))
        result = rule(items_of(reader, source))
        _early(reader, ref, source, is_equal)
        return result

    def of_each() -> Abstract:
        return reader.rules.truth(reader.rules.call(own_iterators.among, (ref, item)))

    return of_each() if is_by_turns(reader, ref) else _of_all_or_each(reader, of_all, of_each)


# ---- for loops -------------------------------------------------------------------------------------------------------------------


def _without_end(reader: Reader, ref: IteratorRef, position: int | Atom) -> Iteration:
    """What a for loop over itertools.count() goes through that is left by a break."""
    move_to(reader, ref, UNKNOWN)
    return Iteration(None, dim_atom(position), size_literal(2**62), size_literal(1), ref.source.at, left_at=partial(move_to, reader, ref))


def looped(reader: Reader, ref: IteratorRef, *, whole: bool = True) -> Iteration:
    """What a for loop over an iterator goes through: trip by trip it sees what its body takes from it. `whole`: nothing leaves the loop early."""
    position = _position(reader, ref, whole=False)
    if position is None:
        return Iteration(())
    if isinstance(ref.source, Pulled):
        return Iteration((), container=ref)
    if isinstance(ref.source, Endless) and not whole:
        return _without_end(reader, ref, position)
    iteration = reader.rules.iterate(ref.source)
    if iteration.items is not None:
        return dataclasses.replace(iteration, container=ref)
    move_to(reader, ref, UNKNOWN)
    if not whole:
        count, at = counted(reader, iteration)
        from_start = isinstance(position, int) and position == 0
        return Iteration(None, dim_atom(position), count, size_literal(1), at, iteration.static if from_start else None, iteration.views, left_at=partial(move_to, reader, ref))
    return reader.rules.iterate(_behind(reader, ref.source, position))


def left(reader: Reader, ref: IteratorRef, iteration: Iteration) -> int:
    """How many items are left for a loop, one at most of those that are made when the loop comes to them."""
    if isinstance(ref.source, Pulled):
        if (item := pull(reader, ref)) is END:
            return 0
        reader.heap[ref] = {**reader.heap[ref], AHEAD: item}
        return 1
    position = _known_position(reader, ref, whole=False)
    count = 0 if position is None else max(len(iteration.items or ()) - position, 0)
    if count == 0:
        for item in (iteration.items or ())[-1:]:
            check_length(reader, item)  # what a zip or enumerate goes through may not have grown meanwhile
        move_to(reader, ref, None)
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
    move_to(reader, ref, position + 1)
    return settled(reader, iteration.items[position])


def rest_of(reader: Reader, iteration: Iteration, number: int) -> Iteration:
    """What is left for a loop that may have been left behind so many trips: only the run knows how many items it takes."""
    ref = iteration.container
    if not isinstance(ref, IteratorRef) or not isinstance(ref.source, Pulled):
        return iteration
    return Iteration((None,) * number + _in_advance(reader, ref))


def refuse_changed(reader: Reader, ref: IteratorRef) -> None:
    """Behind a run-time loop over what was worked out before it: the loop may not have changed what the items depend on."""
    if ref.seen is not None and not reader.errors and has_changed(reader, ref.seen):
        raise untold(reader, ref, "a loop that changes what the items of the iterator depend on that it goes through", "a list: [… for …], or a loop over what does not change")


__all__ = ["contains", "each", "in_advance", "is_pullable", "left", "looped", "next_item", "opened", "pull", "refuse_changed", "rest_of", "search", "take"]
