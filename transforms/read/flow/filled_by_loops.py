"""The items of a comprehension or map as a loop makes them: an array that it fills, or a list that grows where there is a condition."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst
import numpy as np

from s2s.records import replace
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn
from s2s.transforms.primitives import sizes
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.failures import Suppressed
from s2s.transforms.read.flow.conditions import is_safe
from s2s.transforms.read.flow.control_flow import runtime_for
from s2s.transforms.read.flow.items import counted
from s2s.transforms.read.flow.joining import finish_if
from s2s.transforms.read.flow.options import narrowed
from s2s.transforms.read.flow.own_names import own_names
from s2s.transforms.read.flow.selection import as_one_list
from s2s.transforms.read.flow.sides import side
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.reader import Reader
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
    ListRef,
    ObjectRef,
    OneOf,
    Pooled,
    Text,
    TupleRef,
    View,
    is_atom,
    is_number,
    scalar_type,
)
from s2s.types import BOOL, SIZE, Array, Atom, Dim, Literal, Var, size_literal


def run_time_items(reader: Reader, node: Any, iteration: Iteration, bind: Callable[[Abstract], None], tests: Sequence[cst.CompIf], element: Callable[[], Abstract]) -> ListRef:
    """A comprehension over a run-time iteration: an array that a loop fills, or a list that grows where there is a condition. `bind` gives an item to the names."""
    count, item = counted(reader, iteration)
    count = sizes.larger(reader.builder, count, 0)
    counting = _counting(iteration, count)
    with own_names(reader, node):
        with tried(reader) as trial:
            index = Var("index", Array(SIZE.dtype, (), weak=True))
            reader.builder.know_index(index, size_literal(0), count, size_literal(1))
            bind(item(index))
            for test in tests:  # what they bind and tell, the item may use
                narrowed_by(reader, truth_of(reader, reader.rules.evaluate(test.test)))
            sample = element_of(reader, element)
            arrays = ragged.types_of_arrays(reader, sample)
            type_, row = _type_and_row(reader, sample)
        if type_ is None or not all(hoisted(reader, trial.builder, dim, index) for each in types_in(type_) for dim in each.shape):
            refusal = reader.unsupported("a comprehension of run-time length whose items are neither numbers nor arrays of one size", "a loop that fills an array")
            raise of_any_length(reader, refused(reader, refusal, sample), arrays)
        if not tests:

            def element_at(position: Abstract) -> Abstract:
                bind(item(position))
                return element_of(reader, element)

            return _filled(reader, node, counting, type_, row, element_at)
        ref = ListRef()
        origin = (reader.builder.where, "found")
        content = reader.heap[ref] = grown(reader, (), type_, row=row, origin=origin if row is None else None) if isinstance(type_, Array) else table(reader, (), type_, origin=origin)

        def body() -> None:
            bind(item(reader.frame.names["%index"]))
            value = truth_of(reader, reader.rules.evaluate(tests[0].test))
            test = Literal(value, Array(BOOL)) if isinstance(value, bool) else value
            one, two = reader.fork(), reader.fork()
            with reader.inside(one):
                narrowed_by(reader, test)
                found = element_of(reader, element)
                if is_table(reader, ref):
                    append(reader, reader.heap[ref], found)
                else:
                    append_item(reader, reader.heap[ref], _as_item(reader, found))
            finish_if(reader, test, one, two, walruses(node))

        _in_loop(reader, node, counting, body, content)
        return ref


@contextmanager
def tried(reader: Reader) -> Iterator[Branch]:
    """A branch in which an item is looked at. Lists outside that it makes grow are seen to do so in the loop, where the sizes of their items are known."""
    trial, growing = reader.fork(), reader.session.growing
    before = set(growing)
    with reader.inside(trial):
        yield trial
    for ref in [ref for ref in growing if ref not in before and any(isinstance(dim, Var) for each in types_in(growing[ref]) for dim in each.shape)]:
        del growing[ref]


def narrowed_by(reader: Reader, test: Any) -> None:
    """Let what a condition tells of a value's kind hold from here on."""
    if isinstance(test, Var):
        narrowed(reader, test, holds=True)


def element_of(reader: Reader, element: Callable[[], Abstract]) -> Abstract:
    """An item of a comprehension of run-time length. One that always fails the run raises; a number stands for it."""
    found = side(reader, element)
    return 0.0 if reader.raised or reader.frame.names[RAISED] is True else as_one_list(reader, found)


def run_time_map(reader: Reader, iteration: Iteration, function: Callable[[Abstract], Abstract]) -> ListRef:
    """A list of what a function makes of each item of a run-time iteration."""
    count, item = counted(reader, iteration)
    count = sizes.larger(reader.builder, count, 0)
    with tried(reader) as trial:
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

    def loop(content: Grown, store: Callable[[Abstract, Abstract], None]) -> None:
        def body() -> None:
            position = reader.frame.names["%index"]
            store(position, element(position))

        _in_loop(reader, node, counting, body, content)

    if isinstance(type_, Array):
        origin = (reader.builder.where, "rows") if row is not None and row.alike else None
        other = reader.session.items.get(origin)
        if other is not None and row is not None:  # what is stored into the rows later is of this type
            type_, row = Array(other.dtype, type_.shape), replace(row, weak=other.weak)
        if row is None and not type_.shape:
            origin = (reader.builder.where, "items")
            type_ = type_at(reader, origin, type_)
        return filled_list(reader, count, type_, lambda content: loop(content, lambda position, item: put_at(reader, content, position, _as_item(reader, item))), origin, row)
    ref, content = filled(reader, count, type_, (reader.builder.where, "items"))
    loop(content, lambda position, item: fill(reader, content, position, item))
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


def _in_loop(reader: Reader, node: Any, iteration: Iteration, body: Any, fills: Grown) -> None:
    def bind(index: Abstract) -> None:
        reader.frame.names["%index"] = index

    frame = reader.frame
    held, frame.held = frame.held, (*frame.held, *map(View, fills.storages))  # an array that is put in must not change later
    try:
        region(reader, node, iteration, body, bind, fills)
    finally:
        frame.held = held
    frame.names.pop("%index", None)


def region(reader: Reader, node: Any, iteration: Iteration, body: Callable[[], None], bind: Callable[[Abstract], None], fills: Grown | None = None) -> None:
    """A loop that `body` reads. `fills`: the list into which each trip puts an item."""
    before = len(reader.errors)
    runtime_for(reader, node, body, iteration, bind, fills)
    if len(reader.errors) > before:
        raise Suppressed


__all__ = ["element_of", "narrowed_by", "region", "run_time_items", "run_time_map", "tried"]
