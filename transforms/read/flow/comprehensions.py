"""Comprehensions: item by item where the items are known, else a loop that fills an array or makes a list grow."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import libcst as cst

from s2s.transforms.read import made_of
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.flow import by_turns, once, own_iterators
from s2s.transforms.read.flow.asked_first import asked_first
from s2s.transforms.read.flow.by_trips import known_count
from s2s.transforms.read.flow.constant_sets import as_gone_through
from s2s.transforms.read.flow.control_flow import read_either
from s2s.transforms.read.flow.filled_by_loops import narrowed_by, region, run_time_items
from s2s.transforms.read.flow.items import content_of, is_changed, settled
from s2s.transforms.read.flow.iteration import iterate, trip_item, trips
from s2s.transforms.read.flow.joining import finish_if
from s2s.transforms.read.flow.keyed import at_once, in_any_order, method, must_be_new, new, refuse_run_time
from s2s.transforms.read.flow.many_numbers import FEW, are_many_numbers, through_array
from s2s.transforms.read.flow.many_trips import in_a_loop, in_either_way, make_much, much, trips_of, under_known_keys
from s2s.transforms.read.flow.own_names import own_names
from s2s.transforms.read.flow.sides import attempted, side
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.flow.written_loops import as_loop, is_to_be_a_loop
from s2s.transforms.read.iterations import Iteration, Pulled
from s2s.transforms.read.known import hashed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import must_be
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.tables import append
from s2s.transforms.read.syntax.scope import walruses
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    IteratorRef,
    ListRef,
)

_T = TypeVar("_T")


def comprehension(reader: Reader, node: Any) -> Abstract:
    """The value of a comprehension or generator expression."""
    whole = not isinstance(node, cst.GeneratorExp) or reader.frame.taken_whole is node
    if whole and is_to_be_a_loop(reader, node):
        found = as_loop(reader, node)
        return made_of.new_iterator(reader, found, _GENERATOR) if isinstance(node, cst.GeneratorExp) else found
    given = _iterated(reader, node.for_in, whole=whole, in_order=not isinstance(node, cst.SetComp))
    if isinstance(node, cst.GeneratorExp) and not whole and reader.builder.where in reader.session.by_turns and not isinstance(given, IteratorRef):
        given = reader.rules.call(iter, (given,))
    if (_is_of_the_run(reader, given, whole=whole) or not whole and own_iterators.gives_own(given)) and (taken := _by_turns(reader, node, given)) is not None:
        return taken
    return _going_through(reader, node, given, lambda over: _generator(reader, node, over, whole=whole) if isinstance(node, cst.GeneratorExp) else _items(reader, node, over), whole=whole)


def _by_turns(reader: Reader, node: Any, given: Abstract) -> Abstract:
    """A list or generator of an iterator from which others take, too, maybe itself; None where nothing is known of such."""
    if isinstance(node, cst.GeneratorExp):
        return by_turns.expression(reader, node, given)
    return by_turns.list_of(reader, node, given) if isinstance(node, cst.ListComp) else None


def _generator(reader: Reader, node: cst.GeneratorExp, over: Abstract, *, whole: bool) -> Abstract:
    """A generator expression, whose items are made now; if that changes or prints something or may raise, each is made when it is asked for."""
    element = None if whole else _as_function(node)
    before, given = None if element is None else reader.checkpoint(), over
    seen = made_of.seen_in(reader, node, over)
    with made_of.effects(reader) as changed, made_of.effects(reader, failures=not whole) as fallible:
        over = own_iterators.items(reader, over)
        items = _items(reader, node, over) if whole or not isinstance(over, IteratorRef) else once.in_advance(reader, lambda: _items(reader, node, over))
        changes, may_fail = changed(), not whole and bool(fallible())
        if element is None or before is None or not may_fail:
            binds = bool(walruses(node)) or may_fail and bool(reader.catching)
            seen = made_of.seen_in(reader, node, over) if changes or binds else seen  # what making the items changed, they have seen
            return made_of.new_iterator(reader, items, _GENERATOR, None if whole else seen, changed=changes, effects=binds)
    reader.rollback(before)
    reader.frame.tree.locations[element] = reader.builder.where
    mapped = reader.rules.call(map if isinstance(node.for_in.target, cst.Name) else itertools.starmap, (reader.rules.evaluate(element), given))
    if not isinstance(mapped, IteratorRef):
        return mapped  # the object that goes on by turns
    made = replace(mapped, example=_GENERATOR)
    reader.heap[made] = reader.heap[mapped]
    return made


def _as_function(node: cst.GeneratorExp) -> cst.Lambda | None:
    """(element for a, b in items) as a function of the names; None of another one."""
    target: Any = node.for_in.target
    names: list[Any] = [target] if isinstance(target, cst.Name) else [each.value for each in target.elements] if isinstance(target, cst.Tuple) else []
    is_plain = names and all(isinstance(each, cst.Name) for each in names) and len({each.value for each in names}) == len(names)
    if node.for_in.inner_for_in is not None or node.for_in.ifs or not is_plain or walruses(node):
        return None
    return cst.Lambda(cst.Parameters([cst.Param(each) for each in names]), node.elt)


def _iterated(reader: Reader, loop: cst.CompFor, *, whole: bool = True, in_order: bool = True) -> Abstract:
    """What a loop goes through; `whole`: at once, `in_order`: in Python's order, if it has one."""
    over = as_gone_through(reader, loop.iter, reader.rules.evaluate(loop.iter))  # once: it may store into arrays
    over = over.iterator if isinstance(over, FlatArray) else over
    check_special(reader, over, "__iter__")
    over = at_once(reader, over) if in_order else in_any_order(reader, over)
    if whole and (iterator := own_iterators.iterator_of(reader, over)) is not None:
        return iterator
    said = special(reader, over, "__iter__")  # so may this
    return over if said is None else said[0]


def _is_of_the_run(reader: Reader, over: Abstract, *, whole: bool) -> bool:
    """Whether it is an iterator that is not taken from item by item while reading."""
    return isinstance(over, IteratorRef) and not (whole and once.is_pullable(reader, over) or isinstance(over.source, Pulled))


def _going_through(reader: Reader, node: Any, over: Abstract, read: Callable[[Abstract], _T], *, whole: bool = True) -> _T:
    """What is read of a loop through it: meanwhile nothing else may take from an iterator of which only the run knows where it stands."""
    if whole and own_iterators.is_own_iterator(over):
        return asked_first(reader, node, over, read)
    if not isinstance(over, IteratorRef) or not _is_of_the_run(reader, over, whole=whole):
        return read(over)
    opened = once.opened(reader, over, whole=whole)
    if not whole or once.is_pullable(reader, over):
        return read(opened)
    made_of.move_to(reader, over, made_of.UNKNOWN)
    found = read(opened)
    made_of.move_to(reader, over, None)
    return found


_GENERATOR = (each for each in range(0))
"""An object of the class of generators."""


@spreads(1)
def _items(reader: Reader, node: Any, over: Abstract) -> Abstract:
    """What a comprehension holds; of a generator expression the items."""
    if isinstance(node, cst.DictComp | cst.SetComp) and (keys := _run_time_keys(reader, node, over)) is not None:
        return keys
    if isinstance(over, IteratorRef) or isinstance(node, cst.SetComp):
        return _one_by_one(reader, node, over)
    if not isinstance(node, cst.DictComp) and (found := run_time_comprehension(reader, node, over)) is not None:
        return found
    element = partial(reader.rules.evaluate, node.value if isinstance(node, cst.DictComp) else node.elt)
    known, one_by_one = trips_of(reader, node, iterate(reader, over)), partial(_one_by_one, reader, node, over)
    if known is None or not make_much(reader, node, known, element):
        return one_by_one()
    return under_known_keys(reader, node, known, one_by_one) if isinstance(node, cst.DictComp) else in_a_loop(reader, node, known, element, one_by_one)


def _one_by_one(reader: Reader, node: Any, over: Abstract) -> Abstract:
    """What a comprehension over something known holds."""
    if isinstance(node, cst.DictComp):
        pairs = _comprehended(reader, node, over, lambda: (reader.rules.evaluate(node.key), reader.rules.evaluate(node.value))).known(reader)
        refuse_run_time(reader, [key for key, _ in pairs])
        return reader.new_dict({hashed(reader, key): value for key, value in pairs})
    items = _comprehended(reader, node, over, lambda: reader.rules.evaluate(node.elt))
    if isinstance(node, cst.SetComp):
        found = items.known(reader)
        refuse_run_time(reader, found)
        return reader.new_set(hashed(reader, item) for item in found)
    if items.ref is not None:
        return items.ref
    return tuple(items.items) if isinstance(node, cst.GeneratorExp) else reader.new_list(items.items)


def _run_time_keys(reader: Reader, node: Any, over: Abstract) -> Abstract:
    """A dict or set of as many items as are known at run time; None for one over something known, which need not be made as such a one."""
    loop: cst.CompFor = node.for_in
    found = new(reader, set if isinstance(node, cst.SetComp) else dict)
    if found is None:
        iteration = None if isinstance(over, IteratorRef) else iterate(reader, over)
        if iteration is None or iteration.items is not None or iteration.static is not None:
            return None
        found = must_be_new(reader, set if isinstance(node, cst.SetComp) else dict, "a dict or set comprehension of run-time length", "a loop that puts the items in")

    def put() -> None:
        if isinstance(node, cst.SetComp):
            method(reader, found, "add", reader.rules.evaluate(node.elt))
        else:
            key = reader.rules.evaluate(node.key)
            method(reader, found, "__setitem__", key, reader.rules.evaluate(node.value))

    with own_names(reader, node):
        each = partial(_go_through, reader, node, loop, over, _Into(put))
        given = None if isinstance(over, IteratorRef) else iterate(reader, over).items
        if given is not None and are_many_numbers(reader, given):  # what puts one key in is long
            read_either(reader, lambda: each(iteration=through_array(reader, given)), each)
        else:
            each()
    return found


def run_time_comprehension(reader: Reader, node: Any, over: Abstract) -> Abstract:
    """A list of as many items as are known at run time, computed in a loop; None for one over something known."""
    loop: cst.CompFor = node.for_in
    iteration = iterate(reader, over)
    if iteration.items is not None or iteration.static is not None:
        return None
    if loop.inner_for_in is not None or len(loop.ifs) > 1:
        return None  # item by item is put into a list
    before = content_of(reader, over)
    found = run_time_items(reader, node, iteration, partial(reader.rules.assign, loop.target), loop.ifs, partial(reader.rules.evaluate, node.elt))
    _refuse_changed(reader, over, before)
    return found


def _refuse_changed(reader: Reader, over: Abstract, before: tuple[Any, ...]) -> None:
    if is_changed(reader, over, before):
        raise reader.unsupported("a comprehension that changes the list of run-time length that it goes through", "a loop, or a comprehension over a copy of it: list(…)")


@dataclass
class _Into:
    """What the items of a comprehension are put into: a dict or set of run-time keys."""

    put: Callable[[], None]

    def begin(self, reader: Reader) -> None:
        """From here on only the run knows how many there are."""

    def put_next(self, reader: Reader) -> None:
        """Make an item and put it in."""
        self.put()

    def back(self) -> Callable[[], None]:
        """What brings it back to what it is now."""
        return lambda: None


@dataclass
class _Collected(_Into):
    """What a comprehension over something known has so far: the items, or from the first condition on that is known only at run time, a list that grows."""

    put: Callable[[], Any]
    items: list[Abstract] = field(default_factory=list)
    ref: ListRef | None = None

    def begin(self, reader: Reader) -> None:
        """From here on only the run knows how many there are."""
        if self.ref is None:
            self.ref = reader.new_list(self.items)
            reader.frame.held = (*reader.frame.held, self.ref)  # an array that is put in must not change later

    def put_next(self, reader: Reader) -> None:
        """Make an item and put it in."""
        item = self.put()
        if self.ref is None:
            self.items.append(item)
        elif isinstance(reader.heap[self.ref], Grown):
            append(reader, reader.heap[self.ref], item)
        else:
            reader.heap[self.ref] = (*reader.heap[self.ref], item)

    def back(self) -> Callable[[], None]:
        """What brings it back to what it is now."""
        items, ref = list(self.items), self.ref

        def restore() -> None:
            self.items, self.ref = list(items), ref

        return restore

    def known(self, reader: Reader) -> list[Abstract]:
        """The items of a dict or set."""
        if self.ref is not None:
            raise must_be(reader, reader.unsupported("a comprehension of a dict or set with a run-time condition", "a list, or an array and a mask"))
        return self.items


def _comprehended(reader: Reader, node: Any, over: Abstract, element: Callable[[], Abstract]) -> _Collected:
    collected, held = _Collected(element), reader.frame.held
    try:
        with own_names(reader, node):
            _go_through(reader, node, node.for_in, over, collected)
    finally:
        reader.frame.held = held
    return collected


def _go_through(reader: Reader, node: Any, loop: cst.CompFor, over: Abstract, into: _Into, *, iteration: Iteration | None = None) -> None:
    """Put each item in. `iteration`: the way through them, where it is another one."""
    iteration = None if isinstance(over, IteratorRef) else iterate(reader, over) if iteration is None else iteration
    go_on = partial(_go_on_if, reader, node, loop, list(loop.ifs), into)
    if iteration is None or iteration.items is not None:
        _one_after_the_other(reader, loop, over, iteration, go_on)
        return
    as_region = partial(_as_region, reader, node, loop, over, replace(iteration, static=None), into)
    if iteration.static is None:
        as_region()
        return
    restore = into.back()

    def by_trips() -> None:
        restore()
        _one_after_the_other(reader, loop, over, iteration, go_on)

    if FEW < known_count(iteration) <= once.MOST and _is_worth_it(reader, node, loop, iteration, into):
        in_either_way(reader, loop, as_region, by_trips)
    else:
        by_trips()


def _one_after_the_other(reader: Reader, loop: cst.CompFor, over: Abstract, iteration: Iteration | None, go_on: Callable[[], None]) -> None:
    for item in _each(reader, over, iteration):
        reader.rules.assign(loop.target, item)
        go_on()


def _as_region(reader: Reader, node: Any, loop: cst.CompFor, over: Abstract, iteration: Iteration, into: _Into) -> None:
    into.begin(reader)
    before = content_of(reader, over)
    region(reader, node, iteration, partial(_go_on_if, reader, node, loop, list(loop.ifs), into), partial(reader.rules.assign, loop.target))
    _refuse_changed(reader, over, before)


def _is_worth_it(reader: Reader, node: Any, loop: cst.CompFor, iteration: Iteration, into: _Into) -> bool:
    """Whether a loop of many trips makes much trip by trip: of one around others what its last trip makes tells; what puts one key in is long."""
    if not isinstance(into, _Collected):
        return True
    if loop.inner_for_in is None or isinstance(node, cst.DictComp | cst.SetComp):
        return False
    restore = into.back()

    def trip() -> None:
        assert iteration.static is not None
        reader.rules.assign(loop.target, settled(reader, iteration.static()[-1]))
        _go_on_if(reader, node, loop, list(loop.ifs), into)

    try:
        return much(reader, node, known_count(iteration), trip)
    finally:
        restore()


def _each(reader: Reader, over: Abstract, iteration: Iteration | None) -> Iterator[Abstract]:
    """The items of something known: of a list as it is on each trip."""
    if iteration is None or iteration.items is None or not isinstance(iteration.container, ListRef | DictRef):
        yield from once.each(reader, over)
        return
    number = 0
    while number < trips(reader, iteration, number):
        if number > once.MOST:
            raise reader.unsupported("a comprehension over a list that it makes longer and longer", "a loop over a copy of it")
        yield trip_item(reader, iteration, number)
        number += 1


def _go_on_if(reader: Reader, node: Any, loop: cst.CompFor, tests: list[cst.CompIf], into: _Into) -> None:
    """What one item gives if these conditions hold."""
    if not tests:
        inner = loop.inner_for_in
        if inner is None:
            attempted(reader, lambda: into.put_next(reader))
        else:
            _going_through(reader, node, _iterated(reader, inner), lambda over: _go_through(reader, node, inner, over, into))
        return
    test = truth_of(reader, reader.rules.evaluate(tests[0].test))
    if isinstance(test, bool):
        if test:
            _go_on_if(reader, node, loop, tests[1:], into)
        return
    into.begin(reader)
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        narrowed_by(reader, test)
        side(reader, lambda: _go_on_if(reader, node, loop, tests[1:], into))
    finish_if(reader, test, one, two, walruses(node))
