"""Comprehensions: item by item where the items are known, else a loop that fills an array or makes a list grow."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import libcst as cst
import numpy as np

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn
from s2s.transforms.primitives import sizes
from s2s.transforms.read import made_of
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.failures import Suppressed
from s2s.transforms.read.flow import once, own_iterators
from s2s.transforms.read.flow.by_trips import known_count, nodes_made
from s2s.transforms.read.flow.conditions import is_safe
from s2s.transforms.read.flow.control_flow import MUCH, either_way, failures, read_either, runtime_for, unrollable
from s2s.transforms.read.flow.items import content_of, counted, is_changed, settled
from s2s.transforms.read.flow.iteration import iterate, trip_item, trips
from s2s.transforms.read.flow.joining import finish_if
from s2s.transforms.read.flow.keyed import at_once, in_any_order, method, new, refuse_run_time
from s2s.transforms.read.flow.many_numbers import FEW, are_many_numbers, through_array
from s2s.transforms.read.flow.options import narrowed
from s2s.transforms.read.flow.own_names import own_names
from s2s.transforms.read.flow.sides import attempted, side
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.iterations import Iteration, Pulled
from s2s.transforms.read.known import hashed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import must_be
from s2s.transforms.read.state import Branch, bound_in
from s2s.transforms.read.storage import ragged
from s2s.transforms.read.storage.growing import append_item, filled_list, grown, item_type, put_at, type_at
from s2s.transforms.read.storage.grown import Grown, Row, Template
from s2s.transforms.read.storage.plans import of_any_length, refused
from s2s.transforms.read.storage.pooled_arrays import pooled
from s2s.transforms.read.storage.shapes_of_items import template_of, types_in
from s2s.transforms.read.storage.tables import append, fill, filled, is_table, keep, table
from s2s.transforms.read.syntax.frame import RAISED
from s2s.transforms.read.syntax.scope import walruses
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    IteratorRef,
    ListRef,
    ObjectRef,
    OneOf,
    Pooled,
    Text,
    TupleRef,
    is_atom,
    is_number,
    scalar_type,
)
from s2s.types import BOOL, SIZE, Array, Atom, Dim, Literal, Var, size_literal


def comprehension(reader: Reader, node: Any) -> Abstract:
    """The value of a comprehension or generator expression."""
    whole = not isinstance(node, cst.GeneratorExp) or reader.frame.taken_whole is node
    over = _gone_through(reader, node.for_in, whole=whole, in_order=not isinstance(node, cst.SetComp))
    return _generator(reader, node, over, whole=whole) if isinstance(node, cst.GeneratorExp) else _items(reader, node, over)


def _generator(reader: Reader, node: cst.GeneratorExp, over: Abstract, *, whole: bool) -> IteratorRef:
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


def _gone_through(reader: Reader, loop: cst.CompFor, *, whole: bool = True, in_order: bool = True) -> Abstract:
    """What a loop goes through; `whole`: at once, `in_order`: in Python's order, if it has one."""
    over = reader.rules.evaluate(loop.iter)  # once: it may store into arrays
    over = over.iterator if isinstance(over, FlatArray) else over
    check_special(reader, over, "__iter__")
    over = at_once(reader, over) if in_order else in_any_order(reader, over)
    over = own_iterators.items(reader, over) if whole else over
    said = special(reader, over, "__iter__")  # so may this
    over = over if said is None else said[0]
    is_pulled = isinstance(over, IteratorRef) and (whole and once.is_pullable(reader, over) or isinstance(over.source, Pulled))
    return once.opened(reader, over, whole=whole) if isinstance(over, IteratorRef) and not is_pulled else over


_GENERATOR = (each for each in range(0))
"""An object of the class of generators."""


@spreads(1)
def _items(reader: Reader, node: Any, over: Abstract) -> Abstract:
    """What a comprehension holds; of a generator expression the items."""
    if isinstance(node, cst.DictComp | cst.SetComp) and (keys := _run_time_keys(reader, node, over)) is not None:
        return keys
    if not isinstance(node, cst.DictComp | cst.SetComp) and not isinstance(over, IteratorRef):
        found = run_time_comprehension(reader, node, over)
        if found is not None:
            return found
        iteration = iterate(reader, over)
        if iteration.static is not None and _make_much(reader, node, iteration):
            return _either_way(reader, node, over, iteration)
    return _one_by_one(reader, node, over)


def _either_way(reader: Reader, node: Any, over: Abstract, iteration: Iteration) -> Abstract:
    """The items of many trips, computed in a loop; one by one where that is refused."""
    found: Abstract = None

    def as_region() -> None:
        nonlocal found
        with unrollable(reader):
            found = run_time_items(reader, node, node.for_in, replace(iteration, static=None))

    def by_trips() -> None:
        nonlocal found
        found = _one_by_one(reader, node, over)

    before = len(reader.errors)
    either_way(reader, node, as_region, by_trips, lambda: True)
    if len(reader.errors) > before:
        raise Suppressed
    return found


def _make_much(reader: Reader, node: Any, iteration: Iteration) -> bool:
    """Whether the trips of a comprehension, of which there are as many as is known, make much, by what its last one makes."""
    count = known_count(iteration)
    if count <= FEW or count > once.MOST or node.for_in.inner_for_in is not None or len(node.for_in.ifs) > 1:
        return False

    def trip() -> None:
        assert iteration.static is not None
        reader.rules.assign(node.for_in.target, settled(reader, iteration.static()[-1]))
        for test in node.for_in.ifs:
            _narrowed_by(reader, truth_of(reader, reader.rules.evaluate(test.test)))
        _element(reader, node)

    with own_names(reader, node), _tried(reader) as trial:
        return not failures(reader, trip) and count * nodes_made(trial.builder.nodes) > MUCH


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
        raise must_be(reader, reader.unsupported("a dict or set comprehension of run-time length", "a loop that puts the items in"))

    def put() -> None:
        if isinstance(node, cst.SetComp):
            method(reader, found, "add", reader.rules.evaluate(node.elt))
        else:
            key = reader.rules.evaluate(node.key)
            method(reader, found, "__setitem__", key, reader.rules.evaluate(node.value))

    with own_names(reader, node):
        each = partial(_go_through, reader, node, loop, over, put)
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
    found = run_time_items(reader, node, loop, iteration)
    _refuse_changed(reader, over, before)
    return found


def _refuse_changed(reader: Reader, over: Abstract, before: tuple[Any, ...]) -> None:
    if is_changed(reader, over, before):
        raise reader.unsupported("a comprehension that changes the list of run-time length that it goes through", "a loop, or a comprehension over a copy of it: list(…)")


@dataclass
class _Collected:
    """What a comprehension over something known has so far: the items, or from the first condition on that is known only at run time, a list that grows."""

    items: list[Abstract] = field(default_factory=list)
    ref: ListRef | None = None

    def begin(self, reader: Reader) -> None:
        """From here on only the run knows how many there are."""
        if self.ref is None:
            self.ref = reader.new_list(self.items)

    def put(self, reader: Reader, item: Abstract) -> None:
        if self.ref is None:
            self.items.append(item)
        elif isinstance(reader.heap[self.ref], Grown):
            append(reader, reader.heap[self.ref], item)
        else:
            reader.heap[self.ref] = (*reader.heap[self.ref], item)

    def known(self, reader: Reader) -> list[Abstract]:
        """The items of a dict or set."""
        if self.ref is not None:
            raise must_be(reader, reader.unsupported("a comprehension of a dict or set with a run-time condition", "a list, or an array and a mask"))
        return self.items


def _comprehended(reader: Reader, node: Any, over: Abstract, element: Callable[[], Abstract]) -> _Collected:
    collected = _Collected()
    with own_names(reader, node):
        _go_through(reader, node, node.for_in, over, lambda: collected.put(reader, element()), partial(collected.begin, reader))
    return collected


def _go_through(reader: Reader, node: Any, loop: cst.CompFor, over: Abstract, put: Callable[[], None], begin: Callable[[], None] = lambda: None, *, iteration: Iteration | None = None) -> None:
    """Call `put` for each item; `begin` before that is done in a loop or on a path of run time. `iteration`: the way through them, where it is another one."""
    iteration = None if isinstance(over, IteratorRef) else iterate(reader, over) if iteration is None else iteration
    if iteration is None or iteration.items is not None or iteration.static is not None:
        for item in _each(reader, over, iteration):
            reader.rules.assign(loop.target, item)
            _go_on_if(reader, node, loop, list(loop.ifs), put, begin)
        return
    begin()

    def body() -> None:
        _go_on_if(reader, node, loop, list(loop.ifs), put, begin)

    before = content_of(reader, over)
    _loop(reader, node, iteration, body, partial(reader.rules.assign, loop.target))
    _refuse_changed(reader, over, before)


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


def _go_on_if(reader: Reader, node: Any, loop: cst.CompFor, tests: list[cst.CompIf], put: Callable[[], None], begin: Callable[[], None]) -> None:
    """What one item gives if these conditions hold."""
    if not tests:
        inner = loop.inner_for_in
        if inner is None:
            attempted(reader, put)
        else:
            _go_through(reader, node, inner, _gone_through(reader, inner), put, begin)
        return
    test = truth_of(reader, reader.rules.evaluate(tests[0].test))
    if isinstance(test, bool):
        if test:
            _go_on_if(reader, node, loop, tests[1:], put, begin)
        return
    begin()
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        _narrowed_by(reader, test)
        side(reader, lambda: _go_on_if(reader, node, loop, tests[1:], put, begin))
    finish_if(reader, test, one, two, walruses(node))


# ---- of run-time length ------------------------------------------------------------------------------------------------------


def run_time_items(reader: Reader, node: Any, loop: cst.CompFor, iteration: Iteration) -> Abstract:
    """A comprehension over a run-time iteration: an array that a loop fills, or a list that grows where there is a condition."""
    count, item = counted(reader, iteration)
    count = sizes.larger(reader.builder, count, 0)
    counting = _counting(iteration, count)
    with own_names(reader, node):
        with _tried(reader) as trial:
            index = Var("index", Array(SIZE.dtype, (), weak=True))
            reader.builder.know_index(index, size_literal(0), count, size_literal(1))
            reader.rules.assign(loop.target, item(index))
            for test in loop.ifs:  # what they bind and tell, the item may use
                _narrowed_by(reader, truth_of(reader, reader.rules.evaluate(test.test)))
            sample = _element(reader, node)
            arrays = ragged.types_of_arrays(reader, sample)
            type_, row = _type_and_row(reader, sample)
        if type_ is None or not all(hoisted(reader, trial.builder, dim, index) for each in types_in(type_) for dim in each.shape):
            refusal = reader.unsupported("a comprehension of run-time length whose items are neither numbers nor arrays of one size", "a loop that fills an array")
            raise of_any_length(reader, refused(reader, refusal, sample), arrays)
        if not loop.ifs:

            def element(position: Abstract) -> Abstract:
                reader.rules.assign(loop.target, item(position))
                return _element(reader, node)

            return _filled(reader, node, counting, type_, row, element)
        ref = ListRef()
        origin = (reader.builder.where, "found")
        reader.heap[ref] = grown(reader, (), type_, row=row, origin=origin if row is None else None) if isinstance(type_, Array) else table(reader, (), type_, origin=origin)

        def body() -> None:
            reader.rules.assign(loop.target, item(reader.frame.names["%index"]))
            value = truth_of(reader, reader.rules.evaluate(loop.ifs[0].test))
            test = Literal(value, Array(BOOL)) if isinstance(value, bool) else value
            one, two = reader.fork(), reader.fork()
            with reader.inside(one):
                _narrowed_by(reader, test)
                found = _element(reader, node)
                if is_table(reader, ref):
                    append(reader, reader.heap[ref], found)
                else:
                    append_item(reader, reader.heap[ref], _as_item(reader, found))
            finish_if(reader, test, one, two, walruses(node))

        _comprehension_loop(reader, node, counting, body)
        return ref


@contextmanager
def _tried(reader: Reader) -> Iterator[Branch]:
    """A branch in which an item is looked at. Lists outside that it makes grow are seen to do so in the loop, where the sizes of their items are known."""
    trial, growing = reader.fork(), reader.session.growing
    before = set(growing)
    with reader.inside(trial):
        yield trial
    for ref in [ref for ref in growing if ref not in before and any(isinstance(dim, Var) for each in types_in(growing[ref]) for dim in each.shape)]:
        del growing[ref]


def _narrowed_by(reader: Reader, test: Any) -> None:
    """Let what a condition tells of a value's kind hold from here on."""
    if isinstance(test, Var):
        narrowed(reader, test, holds=True)


def _element(reader: Reader, node: Any) -> Abstract:
    """An item of a comprehension of run-time length. One that always fails the run raises; a number stands for it."""
    found = side(reader, lambda: reader.rules.evaluate(node.elt))
    return 0.0 if reader.raised or reader.frame.names[RAISED] is True else found


def run_time_map(reader: Reader, iteration: Iteration, function: Callable[[Abstract], Abstract]) -> ListRef:
    """A list of what a function makes of each item of a run-time iteration."""
    count, item = counted(reader, iteration)
    count = sizes.larger(reader.builder, count, 0)
    with _tried(reader) as trial:
        index = Var("index", Array(SIZE.dtype, (), weak=True))
        reader.builder.know_index(index, size_literal(0), count, size_literal(1))
        sample = function(item(index))
        arrays = ragged.types_of_arrays(reader, sample)
        type_, row = _type_and_row(reader, sample)
    if type_ is None or not all(hoisted(reader, trial.builder, dim, index) for each in types_in(type_) for dim in each.shape):
        raise of_any_length(reader, reader.unsupported("items of run-time length that are neither numbers nor arrays of one size", "a loop that fills an array"), arrays)
    return _filled(reader, reader.frame.read_now, _counting(iteration, count), type_, row, lambda position: function(item(position)))


def _counting(iteration: Iteration, count: Atom) -> Iteration:
    """The positions of an iteration of so many items; what it goes through is held meanwhile."""
    return Iteration(None, size_literal(0), count, size_literal(1), lambda k: k, None, iteration.views)


def _type_and_row(reader: Reader, sample: Abstract) -> tuple[Array | Template | None, Row | None]:
    """What holds such items: an array, of which tuples and lists of one type are rows, or an array for each number that they hold."""
    if isinstance(sample, TupleRef):
        return None, None
    row = row_of(reader, sample)
    if row is not None and not row.alike or isinstance(sample, str | Text | OneOf | ObjectRef | DictRef | Pooled | None) or pooled(reader, sample) is not None or ragged.pool_for(reader, sample) is not None:
        template = template_of(reader, (sample,))
        if template is not None:
            return template, None
        if row is not None and not isinstance(sample, ListRef) or isinstance(sample, ListRef) and not isinstance(reader.heap[sample], Grown):
            return None, None
    return item_type(reader, (_as_item(reader, sample),)), row


def _filled(reader: Reader, node: Any, counting: Iteration, type_: Array | Template, row: Row | None, element: Callable[[Abstract], Abstract]) -> ListRef:
    """A list of as many items: element(position)."""
    assert counting.hi is not None
    count = counting.hi

    def loop(store: Callable[[Abstract, Abstract], None]) -> None:
        def body() -> None:
            position = reader.frame.names["%index"]
            store(position, element(position))

        _comprehension_loop(reader, node, counting, body)

    if isinstance(type_, Array):
        origin = (reader.builder.where, "rows") if row is not None and row.alike else None
        other = reader.session.items.get(origin)
        if other is not None and row is not None:  # what is stored into the rows later is of this type
            type_, row = Array(other.dtype, type_.shape), replace(row, weak=other.weak)
        if row is None and not type_.shape:
            origin = (reader.builder.where, "items")
            type_ = type_at(reader, origin, type_)
        return filled_list(reader, count, type_, lambda content: loop(lambda position, item: put_at(reader, content, position, _as_item(reader, item))), origin, row)
    ref, content = filled(reader, count, type_, (reader.builder.where, "items"))
    loop(lambda position, item: fill(reader, content, position, item))
    return ref


def hoisted(reader: Reader, inner: Builder, dim: Dim, index: Var) -> bool:
    """Make a size that a block computed known in this one: move its integer arithmetic here. False if that is not possible."""
    if dim is index:
        return False
    if isinstance(dim, int) or dim not in bound_in(inner):
        return True
    node = next(node for node in inner.nodes if dim in node.outs)
    if not is_safe([node]) or not all(isinstance(atom, Literal) or hoisted(reader, inner, atom, index) for atom in node.ins):  # type: ignore[union-attr]
        return False
    if dim in bound_in(reader.builder):
        return True
    reader.builder.add(node)
    learn(reader.builder, node)  # what it is, not what the block's checks say of it
    return True


def row_of(reader: Reader, value: Abstract) -> Row | None:
    """What a tuple or list is as a row of an array; None for what is neither."""
    if not isinstance(value, tuple | ListRef):
        return None
    content = value if isinstance(value, tuple) else reader.heap[value]
    if isinstance(content, Grown):
        return Row("list", content.weak, content.row is None and not content.item_type.shape, value.origins if isinstance(value, ListRef) else frozenset())
    alike = type(value) in (tuple, ListRef) and len(content) > 0 and all(is_atom(item) or is_number(item) for item in content)
    types = {(scalar_type(item).dtype, scalar_type(item).weak) for item in content} if alike else set()
    return Row("tuple" if isinstance(value, tuple) else "list", all(weak for _, weak in types), len(types) == 1, value.origins if isinstance(value, ListRef) else frozenset())


def _as_item(reader: Reader, value: Abstract) -> Abstract:
    """An item of a list of arrays: a list or tuple of numbers is a row."""
    if isinstance(value, tuple | ListRef):
        keep(reader, value)
        return numpy_call(reader, np.array, (value,), {})
    return value


def _comprehension_loop(reader: Reader, node: Any, iteration: Iteration, body: Any) -> None:
    def bind(index: Abstract) -> None:
        reader.frame.names["%index"] = index

    _loop(reader, node, iteration, body, bind)
    reader.frame.names.pop("%index", None)


def _loop(reader: Reader, node: Any, iteration: Iteration, body: Callable[[], None], bind: Callable[[Abstract], None]) -> None:
    before = len(reader.errors)
    runtime_for(reader, node, body, iteration, bind)
    if len(reader.errors) > before:
        raise Suppressed
