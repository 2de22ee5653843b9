"""What loops go through: ranges, arrays, containers, zip, enumerate, reversed; known item by item or by an index."""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import greater_equal, not_equal
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.classes import type_name, users
from s2s.transforms.read.composed.marks import taken
from s2s.transforms.read.composed.pooled_lists import FIELDS, PooledList
from s2s.transforms.read.composed.pooled_rows import PREFIX, PooledRow
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import ChangedMeanwhile
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.items import as_python_int, check_dict, check_length, counted, settled
from s2s.transforms.read.flow.once import left, opened, take
from s2s.transforms.read.flow.options import alternatives
from s2s.transforms.read.iterations import Endless, Iteration, Later, RunRange, Turn
from s2s.transforms.read.known import entered, key_value, plain, refused_by_python
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import pools
from s2s.transforms.read.storage.access import in_pythons_order, shape_of
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.storage.tables import items_iteration
from s2s.transforms.read.values import (
    Abstract,
    DequeRef,
    DictRef,
    DictView,
    IteratorRef,
    JoinedText,
    ListRef,
    ObjectRef,
    Outside,
    Pooled,
    SetRef,
    View,
    is_atom,
    is_dict_of_fields,
)
from s2s.transforms.read.wrapping import as_size, scalar_of
from s2s.types import BOOL, SIZE, Atom, Literal, Opaque, Var, dim_atom, size_literal

FIELDS_IN_ORDER = tuple(sorted(FIELDS))


def iterate(reader: Reader, value: Abstract) -> Iteration:
    """How to loop over a value."""
    if isinstance(value, Pooled):
        check_special(reader, value, "__iter__")
        if value.pool.kind is PooledList:
            return _over_pooled(reader, value)
        if value.pool.kind is PooledRow:
            return Iteration(tuple(Turn(partial(_at_place, reader, value, k), k) for k in range(len(pools.names_held(reader, value)))))
    if isinstance(value, ObjectRef) and getattr(value.kind, "BY_INDEX", False):
        return _by_index(reader, value)
    if (said := special_methods.iteration(reader, value)) is not None:
        return said
    if is_dict_of_fields(value):
        return iterate(reader, reader.rules.call(reader.rules.attribute(value, "keys"), ()))
    match value:
        case Iteration():
            return value
        case IteratorRef():
            return iterate(reader, opened(reader, value))
        case range():
            return _static_range(value)
        case RunRange():
            return Iteration(None, value.lo, value.hi, value.step, lambda index: index)
        case tuple():
            return Iteration(value)
        case ListRef() if isinstance(reader.heap[value], Grown):
            return items_iteration(reader, reader.heap[value])
        case ListRef():
            in_pythons_order(reader, value)
            length = len(reader.heap[value])
            return Iteration(tuple(Later(value, k, length) for k in range(length)), container=value)
        case DictRef():
            return Iteration(tuple(key_value(reader, key) for key in reader.heap[value]), container=value)
        case DictView():
            return Iteration(_dict_items(reader, value), container=value.ref)
        case View():
            return _over_array(reader, value)
        case FlatArray():
            return iterate(reader, value.iterator)
        case JoinedText() if not value.separator and _are_letters(reader, value.items):
            return iterate(reader, value.items)
        case str() | bytes() | frozenset():
            return Iteration(tuple(entered(reader, item) for item in value))
        case Endless():
            raise reader.unsupported(f"a loop over {value.name}, which has no end", "zip or itertools.islice of it, or while True")
        case Outside():
            return Iteration(_outside_items(reader, value))
    if is_atom(value):
        refused_by_python(reader, iter, value)
        raise ArgumentTypeError("iteration over a 0-d array or a number", where=reader.builder.where, instead="for i in range(n)")
    if not isinstance(value, Opaque) and hasattr(value, "__iter__") and not hasattr(value, "__next__"):
        return Iteration(tuple(value))
    if value is None or isinstance(value, int | float | complex):
        refused_by_python(reader, iter, value)
    raise reader.unsupported(f"a loop over {describe(reader, value)}", "loop over a range, an array, a list, a tuple or a dict")


def _are_letters(reader: Reader, items: ListRef) -> bool:
    """Whether each item of a list of texts is one letter: then a loop through their joined text goes through the list."""
    with reader.inside(reader.fork()):
        found = items_iteration(reader, reader.heap[items]).item
        item = None if found is None else found(size_literal(0))
    return all(isinstance(each, str) and len(each) == 1 for each in alternatives(item))


def _at_place(reader: Reader, value: Pooled, place: int, _: Atom) -> Abstract:
    """An item of a list of a pool whose places are of several types, as it is when its turn comes."""
    return pools.get(reader, value, f"{PREFIX}{place}")


def _over_pooled(reader: Reader, value: Pooled) -> Iteration:
    """A loop over a list of a pool, which sees what is stored into it meanwhile; how long it is must stay what it is."""
    items = value.pool.known["list_items"]
    begun = reader.heap[value.pool.rows]
    count = as_size(reader, pools.get(reader, value, "list_count"), "the length of a list")

    def at(index: Atom) -> Abstract:
        if _counts(value, reader.heap[value.pool.rows]) != _counts(value, begun):
            raise ChangedMeanwhile(reader, value, "a list of which only the run knows which one it is, where one of such grows while a loop goes through it")
        return reader.rules.call(taken, (items, as_python_int(reader, reader.plus(as_size(reader, pools.get(reader, value, "list_start"), "a place"), index))))

    known = int(count.value) if isinstance(count, Literal) else None  # type: ignore[arg-type]
    if known is not None:
        return Iteration(tuple(Turn(at, k) for k in range(known)))
    rows = reader.heap[value.pool.rows]
    views = tuple(View(cell) for cell in rows.storages) if isinstance(rows, Grown) else ()
    return Iteration(None, size_literal(0), count, size_literal(1), at, None, views)


def _by_index(reader: Reader, value: ObjectRef) -> Iteration:
    """A loop over an object of ours that stands for a list of run-time length, whose items are made when they are asked for."""
    call, attribute = reader.rules.call, reader.rules.attribute
    count = as_size(reader, call(attribute(value, "__len__"), ()), "the length of a list")
    return Iteration(None, size_literal(0), count, size_literal(1), lambda index: call(attribute(value, "__getitem__"), (as_python_int(reader, index),)))


def _counts(value: Pooled, rows: Any) -> Any:
    """What changes when a list of a pool grows or shrinks."""
    place = FIELDS_IN_ORDER.index("list_count")
    if isinstance(rows, Table):
        return id(rows.columns[place].array)
    known = [rows[int(value.number.value)]] if isinstance(value.number, Literal) else rows  # type: ignore[arg-type]
    return [int(row[place]) if isinstance(row[place], int) else id(row[place]) for row in known]


def _dict_items(reader: Reader, view: DictView) -> tuple[Abstract, ...]:
    content = reader.heap[view.ref]
    pairs = tuple((key_value(reader, key), value) for key, value in content.items())
    return pairs if view.part == "items" else tuple(pair[view.part == "values"] for pair in pairs)


def trips(reader: Reader, iteration: Iteration, done: int) -> int:
    """How many items a loop that is read trip by trip goes through, as its container is after so many of them."""
    assert iteration.items is not None
    if isinstance(iteration.container, IteratorRef):
        return done + left(reader, iteration.container, iteration)
    count = len(iteration.items)
    if iteration.container is None:
        if done == count:
            for item in iteration.items[-1:]:
                check_length(reader, item)  # what a zip or enumerate goes through may not have grown meanwhile
        return count
    content = reader.heap[iteration.container]
    if isinstance(iteration.container, DictRef):
        check_dict(reader, iteration.container, count)
        return count
    if isinstance(iteration.container, DequeRef) and isinstance(content, tuple) and len(content) != count:
        raise RuntimeError("deque mutated during iteration")
    if not isinstance(content, tuple):
        raise ChangedMeanwhile(reader, iteration.container)
    return len(content)


def trip_item(reader: Reader, iteration: Iteration, number: int) -> Abstract:
    """The item of a trip."""
    assert iteration.items is not None
    if isinstance(iteration.container, IteratorRef):
        return take(reader, iteration.container, iteration)
    if isinstance(iteration.container, ListRef):
        return reader.heap[iteration.container][number]
    return settled(reader, iteration.items[number])


def _outside_items(reader: Reader, value: Outside) -> tuple[Abstract, ...]:
    if not isinstance(value.object, list | tuple | range | str):
        raise reader.unsupported(f"a loop over {type(value.object).__name__}", "loop over a list or tuple")
    return tuple(enter(reader, item, (*value.steps, ("item", k)) if value.steps is not None else None) for k, item in enumerate(value.object))


def _static_range(value: range) -> Iteration:
    if len(value) == 0:
        return Iteration(())
    bounds = (size_literal(value.start), size_literal(value.stop), size_literal(value.step))
    return Iteration(None, *bounds, lambda index: index, lambda: tuple(value))


def _over_array(reader: Reader, view: View) -> Iteration:
    refused_by_python(reader, iter, view)


    shape = shape_of(reader, view)
    count = shape[0]
    static: Callable[[], Any] | None = None
    if isinstance(count, int):
        static = partial(_rows, view, count)
    return Iteration(None, size_literal(0), dim_atom(count), size_literal(1), lambda index: reader.rules.item(view, index), static, (view,))


def _rows(view: View, count: int) -> tuple[Abstract, ...]:
    return tuple(Later(view, k, count) for k in range(count))


def make_range(reader: Reader, args: tuple[Abstract, ...]) -> Abstract:
    """range(…)."""
    args = tuple(int(arg) if isinstance(arg, np.integer) else arg for arg in (scalar_of(reader, special_methods.as_index(reader, each)) for each in args))
    if any(isinstance(arg, np.bool_) or is_atom(arg) and arg.type.dtype == BOOL and not arg.type.weak for arg in args):
        raise ArgumentTypeError("'numpy.bool' object cannot be interpreted as an integer", where=reader.builder.where, instead="int(…) of it")
    if all(isinstance(arg, int) for arg in args):
        return range(*args)
    atoms = [as_size(reader, arg, "an argument of range") for arg in args]
    lo, hi, step = (size_literal(0), atoms[0], size_literal(1)) if len(atoms) == 1 else (*atoms, size_literal(1))[:3]
    if isinstance(step, Var):
        (test,) = reader.builder.equation(not_equal, (step, Literal(0, SIZE)))
        reader.builder.check(test, "ValueError", "range() arg 3 must not be zero")
    elif step.value == 0:
        raise ValueError("range() arg 3 must not be zero")
    return RunRange(lo, hi, step)


def make_zip(reader: Reader, args: tuple[Abstract, ...]) -> Iteration:
    """zip(…)."""
    parts = [_each_later(iterate(reader, arg)) for arg in args]
    countable = all(part.items is not None or part.static is not None for part in parts)
    views = tuple(view for part in parts for view in part.views)

    def together() -> tuple[Abstract, ...]:
        return tuple(zip(*(part.items if part.items is not None else part.static() for part in parts), strict=False))  # type: ignore[misc]

    if countable and any(part.items is not None for part in parts):
        return Iteration(together(), views=views)
    if any(part.items is not None for part in parts) and (items := _beside_container(reader, parts)) is not None:
        return Iteration(items, views=views)
    pairs = [counted(reader, part) for part in parts]
    count = pairs[0][0]
    for other, _ in pairs[1:]:
        count = sizes.smaller(reader.builder, count, other)
    return Iteration(None, size_literal(0), count, size_literal(1), lambda k: tuple(at(k) for _, at in pairs), together if countable else None, views)


def _beside_container(reader: Reader, parts: list[Iteration]) -> tuple[Abstract, ...] | None:
    """The items of a zip of containers and of arrays of run-time length: as many as the containers have; where an array has fewer, all is read again for its size.

    None where only the run decides it: of lists that grow, of arrays whose sizes are no call's.
    """
    known: dict[int, Sequence[Abstract]] = {}
    for k, part in enumerate(parts):
        if part.items is not None or part.static is not None:
            known[k] = part.items if part.items is not None else part.static()  # type: ignore[misc]
    count = min(map(len, known.values()))
    columns: list[Sequence[Abstract]] = []
    for k, part in enumerate(parts):
        if k in known:
            columns.append(known[k])
            continue
        length, at = counted(reader, part)
        if not reader.builder.proves_at_least(length, size_literal(count)):
            if not part.views or not reader.session.has_open_sizes:
                return None
            with building(reader.builder):
                enough = greater_equal(reader.value(length), reader.value(size_literal(count))).atom
            reader.builder.check(enough, "NotImplementedError", f"zip of {count} items and of only {{}}: s2s reads it for no fewer than {count}", length, stretch=True)
        columns.append([Turn(at, number) for number in range(count)])
    return tuple(zip(*columns, strict=False))


def _each_later(part: Iteration) -> Iteration:
    """What goes through a dict beside other things, which notices that it grows."""
    if part.items is None or not isinstance(part.container, DictRef):
        return part
    return Iteration(tuple(Later(part.container, item, len(part.items)) for item in part.items), container=part.container, views=part.views)


@asks_python
def make_enumerate(reader: Reader, value: Abstract, start: Abstract = 0) -> Iteration:
    """enumerate(…)."""
    part = _each_later(iterate(reader, value))
    if not is_atom(start):
        refused_by_python(reader, operator.index, start)
    if part.items is not None and is_atom(start):
        first = as_size(reader, start, "the start of enumerate")
        counts = [as_python_int(reader, reader.plus(first, k)) for k in range(len(part.items))]
        return Iteration(tuple(zip(counts, part.items, strict=True)), views=part.views)
    if part.items is not None:
        return Iteration(tuple(enumerate(part.items, plain(reader, start))), views=part.views)
    count, at = counted(reader, part)
    first = as_size(reader, start, "the start of enumerate")
    known = part.static
    static = (lambda: tuple(enumerate(known(), start))) if known is not None and isinstance(start, int) else None

    def item(k: Atom) -> Abstract:
        return (as_python_int(reader, sizes.plus(reader.builder, k, first)), at(k))

    return Iteration(None, size_literal(0), count, size_literal(1), item, static, part.views)


def make_reversed(reader: Reader, value: Abstract) -> Iteration:
    """reversed(…)."""
    if (said := special_methods.special(reader, value, "__reversed__")) is not None:
        return iterate(reader, said[0])
    if isinstance(value, ObjectRef | IteratorRef | Iteration | SetRef) and not (isinstance(value, ObjectRef) and users(value.kind, "__getitem__")):
        name = "iterator" if isinstance(value, Iteration) else type_name(reader, value)
        raise ArgumentTypeError(f"{name!r} object is not reversible", where=reader.builder.where)
    part = iterate(reader, value)
    if part.items is not None:
        return Iteration(tuple(reversed(part.items)), views=part.views)
    known = part.static
    static = (lambda: tuple(reversed(known()))) if known is not None else None
    step = part.step
    if isinstance(step, Literal) and step.value in (1, -1):
        back = -1 if step.value == 1 else 1
        return Iteration(None, reader.plus(part.hi, back), reader.plus(part.lo, back), size_literal(back), part.item, static, part.views)  # type: ignore[arg-type]
    count, at = counted(reader, part)
    return Iteration(None, reader.plus(count, -1), size_literal(-1), size_literal(-1), at, static, part.views)
