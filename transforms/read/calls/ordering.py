"""sorted, min and max of what has a length that only the run knows: the keys are put into an array, which NumPy orders.

    sorted(range(len(x)), key=lambda i: x[i])      order = np.argsort(keys, kind="stable"); [item(k) for k in order]
    min(enumerate(x), key=lambda pair: pair[1])    item(np.argmin(keys))
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import greater_equal
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.composed import lists
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.filled_by_loops import run_time_map
from s2s.transforms.read.flow.items import as_python_int, counted
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.flow.many_numbers import through_array
from s2s.transforms.read.flow.subscripts import get_item, set_item
from s2s.transforms.read.iterations import Endless, Iteration, RunRange
from s2s.transforms.read.known import is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, shape_of
from s2s.transforms.read.storage.grown import Grown, Shape, Table, as_array
from s2s.transforms.read.storage.kinds_of_items import are_texts, ranks
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.storage.tables import any_length
from s2s.transforms.read.values import Abstract, DictRef, IteratorRef, ListRef, ObjectRef, View, is_atom, is_number
from s2s.transforms.read.wrapping import as_atom, unwrap
from s2s.types import kind_of, size_literal


def run_time_iteration(reader: Reader, value: Abstract) -> Iteration | None:
    """How to go through what has a length of run time; None for what is known item by item."""
    has_items = isinstance(value, View | RunRange | range | Iteration) or isinstance(value, ListRef) and isinstance(reader.heap[value], Grown)
    if isinstance(value, IteratorRef) and not isinstance(value.source, Endless):
        found = reader.rules.iterate(value.source) if isinstance(value.source, Iteration) else None
        if found is None or found.items is not None or found.static is not None:
            return None
        return iterate(reader, value)
    if not has_items:
        return None
    iteration = iterate(reader, value)
    return None if iteration.items is not None or iteration.static is not None else iteration


def _keys(reader: Reader, iteration: Iteration, key: Abstract) -> tuple[ListRef, tuple[View, ...]]:
    """The keys, and what NumPy orders them by: a vector, one for each place where they are tuples or lists of numbers; nothing where they are others."""
    found = run_time_map(reader, iteration, (lambda item: item) if key is None else lambda item: reader.rules.call(key, (item,)))
    content = reader.heap[found]
    columns = _columns(reader, content) if isinstance(content, Table) else [as_array(reader, content)]
    views = []
    for array in columns:
        view = unwrap(reader, array)
        assert isinstance(view, View)
        width = array.shape[-1]
        if content.row is not None and content.row.alike and array.ndim == 2 and isinstance(width, int):
            views += [get_item(reader, view, (slice(None), k)) for k in range(width)]
        else:
            views.append(view)
    if not views or any(load(reader, view).ndim != 1 or kind_of(load(reader, view).dtype) not in "bif" for view in views):
        _refuse_nan_among(reader, content)
        return found, ()
    return found, tuple(views)


def _columns(reader: Reader, content: Table) -> list[Value]:
    """What tuples and lists of numbers and texts are ordered by; nothing for objects and tuples in tuples."""
    is_one = are_texts(content.shape)
    parts = (content.shape,) if is_one else content.shape.parts
    if not is_one and content.shape.keys is not None or any(isinstance(part, Shape) and not are_texts(part) for part in parts):
        return []
    found = [as_array(reader, column) for column in content.columns]
    return [ranks(reader, each) if isinstance(part, Shape) else each for part, each in zip(parts, found, strict=True)]


def sorted_by_array(reader: Reader, value: Abstract, key: Abstract, reverse: Abstract) -> Abstract:
    """sorted(value, key=key, reverse=reverse) of a length of run time; None for what is known item by item."""
    iteration = run_time_iteration(reader, value)
    if iteration is None:
        return None
    count, item = counted(reader, iteration)
    if count == size_literal(0):  # of what it would have items nobody knows
        return reader.new_list(())
    order = _places_in_order(reader, iteration, key, reverse)
    return run_time_map(reader, iterate(reader, order), lambda place: item(reader.rules.call(int, (place,))))


def many_items(reader: Reader, what: str, items: tuple[Abstract, ...]) -> Abstract:
    """Many items of which only the run knows the order, as what has a length of run time: an array of numbers and of such tuples, or a list. Lists and objects must be in a pool, to stay what they are."""
    if (through := through_array(reader, items)) is not None:
        return through
    refusal = reader.unsupported(f"{what} of {len(items)} run-time values of several kinds", "np.sort, or np.argsort of an array of the keys")
    made = [item for item in items if isinstance(item, ListRef | DictRef | ObjectRef)]
    if all(is_atom(item) or is_number(item) for item in items):
        raise refusal
    found = reader.new_list(items)
    if made or not any_length(reader, found):
        raise refused(reader, refusal, *items)
    return found


@asks_python
def _places_in_order(reader: Reader, iteration: Iteration, key: Abstract, reverse: Abstract) -> Abstract:
    if not is_known(reader, reverse):
        raise reader.unsupported("sorted() with a reverse of run time", "an if")
    found, keys = _keys(reader, iteration, key)
    for each in keys:
        _refuse_nan(reader, each)
    backwards = bool(plain(reader, reverse))
    return _order(reader, keys, backwards=backwards) if keys else reader.rules.call(lists.places_in_order, (found, backwards))


def _order(reader: Reader, keys: tuple[View, ...], *, backwards: bool) -> Abstract:
    """Where the items stand, in order; equal ones as before."""
    flip = slice(None, None, -1)
    given = tuple(get_item(reader, key, flip) for key in keys) if backwards else keys
    found = numpy_call(reader, np.argsort, given, {"kind": "stable"}) if len(given) == 1 else numpy_call(reader, np.lexsort, (given[::-1],), {})
    if not backwards:
        return found
    last = as_python_int(reader, sizes.plus(reader.builder, _length(reader, keys[0]), size_literal(-1)))
    return reader.rules.binary("-", last, get_item(reader, found, flip))


def _refuse_nan_among(reader: Reader, content: Grown) -> None:
    for column in content.columns if isinstance(content, Table) else (content,):
        if column.item_type.dtype.kind == "f":
            view = unwrap(reader, as_array(reader, column))
            assert isinstance(view, View)
            _refuse_nan(reader, view)


def _refuse_nan(reader: Reader, keys: View) -> None:
    """Where Python puts nan goes by which items it happens to compare."""
    if kind_of(load(reader, keys).dtype) == "f":
        equal = numpy_call(reader, np.equal, (keys, keys), {})
        reader.builder.check(as_atom(reader, numpy_call(reader, np.all, (equal,), {})), "NotImplementedError", "the order of items among which is nan, in a list whose length is known only at run time")


def _length(reader: Reader, view: View) -> Any:
    dim = shape_of(reader, view)[0]
    return size_literal(dim) if isinstance(dim, int) else dim


def extreme_by_array(reader: Reader, function: Any, value: Abstract, key: Abstract) -> Abstract:
    """min or max of a length of run time, by Python's rule: the first of the best, and nothing is better than nan; None for what is known item by item."""
    iteration = run_time_iteration(reader, value)
    if iteration is None:
        return None
    _, several = _keys(reader, iteration, key)
    count, item = counted(reader, iteration)
    if len(several) != 1:
        items = value if isinstance(value, ListRef) else run_time_map(reader, iteration, lambda each: each)
        place = reader.rules.call(lists.smallest_of if function is min else lists.largest_of, (items, lists.itself if key is None else key))
        return reader.rules.item(items, place)
    (keys,) = several
    if not reader.builder.proves_at_least(count, size_literal(1)):
        (there_is,) = reader.builder.equation(greater_equal, (count, size_literal(1)))
        reader.builder.check(there_is, "ValueError", f"{function.__name__}() iterable argument is empty")
    place = numpy_call(reader, np.argmin if function is min else np.argmax, (_without_nan(reader, function, keys),), {})
    return item(reader.rules.call(int, (place,)))


def _without_nan(reader: Reader, function: Any, keys: View) -> Abstract:
    """Keys of which those that are nan are never better, but the first one always is where it is nan."""
    if load(reader, keys).dtype.kind != "f":
        return keys
    missing = numpy_call(reader, np.isnan, (keys,), {})
    worst, best = (np.inf, -np.inf) if function is min else (-np.inf, np.inf)
    rest = numpy_call(reader, np.where, (missing, worst, keys), {})
    first = get_item(reader, rest, 0)
    leads = numpy_call(reader, np.where, (get_item(reader, missing, 0), best, first), {})
    set_item(reader, rest, 0, leads)
    return rest


def sort_in_place(reader: Reader, ref: ListRef, key: Abstract = None, reverse: Abstract = False) -> None:
    """list.sort(), in a list whose length is known only at run time."""
    iteration = run_time_iteration(reader, ref)
    assert iteration is not None
    if counted(reader, iteration)[0] == size_literal(0):
        return
    order = numpy_call(reader, np.asarray, (_places_in_order(reader, iteration, key, reverse),), {})
    content = reader.heap[ref]  # not before: comparing may have made another heap
    whole = slice(as_python_int(reader, content.start), as_python_int(reader, content.end), None)
    for cell in content.storages:
        set_item(reader, View(cell), whole, get_item(reader, get_item(reader, View(cell), whole), order))


__all__ = ["extreme_by_array", "many_items", "run_time_iteration", "sort_in_place", "sorted_by_array"]
