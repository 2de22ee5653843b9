"""Functions of itertools and math, and of NumPy, that go through something or call something, on abstract values.

    itertools.product(range(n), range(m))     a loop of n * m trips
    itertools.islice(itertools.count(1), 3)   1, 2, 3
    np.ndindex(x.shape), np.ndenumerate(x)    a loop over all places
"""
from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.primitives import sizes
from s2s.transforms.read import made_of
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.composed import by_turns, python_math
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.items import as_python_int, counted, items_of, settled
from s2s.transforms.read.flow.iteration import Endless, RunRange, iterate, make_zip
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.iterations import Iteration, Turn
from s2s.transforms.read.names import Table
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import as_shape
from s2s.transforms.read.numpy.python import coordinate
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import shape_of
from s2s.transforms.read.values import Abstract, ListRef, View, is_atom, is_runtime
from s2s.transforms.read.wrapping import as_size, unwrap, wrap
from s2s.types import SIZE, Array, Atom, Var, dim_atom, size_literal


def _binary(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:


    return reader.rules.binary(op, a, b)


# ---- of known items --------------------------------------------------------------------------------------------------------


@asks_python
def _of_items(function: Callable[..., Any]) -> Callable[..., Abstract]:
    """A function that only moves items about."""

    def rule(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        if any(is_atom(arg) and not arg.type.shape for arg in (*args[1:], kwargs.get("r"))):
            raise reader.unsupported(f"itertools.{function.__name__} of a number that is known only at run time", "a constant, or a static argument")
        plain = [arg if isinstance(arg, int | type(None)) else items_of(reader, arg) for arg in args]
        return Iteration(tuple(function(*plain, **kwargs)))

    return rule


def _batched(reader: Reader, iterable: Abstract, n: Abstract, *, strict: Abstract = False) -> Abstract:
    """itertools.batched, of Python 3.12."""
    if not isinstance(n, int):
        raise reader.unsupported("itertools.batched by a length that is not known while reading", "a constant")
    if n < 1:
        raise ArgumentValueError("n must be at least one", where=reader.builder.where)
    items = items_of(reader, iterable)
    if strict and len(items) % n:
        raise reader.unsupported("itertools.batched(…, strict=True) whose last batch is shorter (Python raises when it comes to it)", "a test of the length before it")
    return Iteration(tuple(items[k : k + n] for k in range(0, len(items), n)))


def _from_iterable(reader: Reader, iterables: Abstract) -> Abstract:
    parts = items_of(reader, iterables)
    if any(iterate(reader, part).items is None and iterate(reader, part).static is None for part in parts):
        return reader.rules.call(itertools.chain, parts)
    return Iteration(tuple(item for part in items_of(reader, iterables) for item in items_of(reader, part)))


def _tee(reader: Reader, iterable: Abstract, n: int = 2) -> Abstract:
    if not isinstance(n, int):
        raise reader.unsupported("itertools.tee of a number that is not known while reading", "a constant")
    iteration = iterate(reader, iterable)
    if iteration.items is None and iteration.static is None:
        found: Abstract = reader.rules.call(by_turns.teed, (iterable, n))
        return found
    return (Iteration(items_of(reader, iterable)),) * n


def _truths(reader: Reader, function: str, tests: list[Abstract]) -> list[bool]:
    """The truth of each; they must be known."""
    known: list[bool] = []
    for test in tests:
        found = truth_of(reader, test)
        if not isinstance(found, bool):
            raise reader.unsupported(f"itertools.{function} with a run-time condition", "a mask: x[x > 0], or a loop with an if")
        known.append(found)
    return known


def _compress(reader: Reader, data: Abstract, selectors: Abstract) -> Abstract:
    kept = _truths(reader, "compress", list(items_of(reader, selectors)))
    return Iteration(tuple(itertools.compress(items_of(reader, data), kept)))


@asks_python
def _by_predicate(function: Callable[..., Any]) -> Callable[..., Abstract]:
    """takewhile, dropwhile, filterfalse; the condition is read for the items that Python asks it of."""

    def rule(reader: Reader, predicate: Abstract, iterable: Abstract) -> Abstract:
        def holds(item: Abstract) -> bool:
            return _truths(reader, function.__name__, [item if predicate is None else reader.rules.call(predicate, (item,))])[0]

        if isinstance(iterable, Endless) and function is itertools.takewhile:
            return Iteration(tuple(itertools.takewhile(holds, map(iterable.at, itertools.islice(itertools.count(), _LONG)))))
        return Iteration(tuple(function(holds, items_of(reader, iterable))))

    return rule


_LONG = 10_000
"""An endless iterator whose end was not found after so many items has none."""


def _groupby(reader: Reader, iterable: Abstract, key: Abstract = None) -> Abstract:
    items = items_of(reader, iterable)
    keys = [item if key is None else reader.rules.call(key, (item,)) for item in items]
    if not all(isinstance(each, str | int | float | bool | type(None)) for each in keys):
        raise reader.unsupported("itertools.groupby with keys that are known only at run time", "np.unique, or a loop with an if")
    groups = itertools.groupby(range(len(items)), keys.__getitem__)
    return Iteration(tuple((name, Iteration(tuple(items[k] for k in numbers))) for name, numbers in groups))


def _accumulate(reader: Reader, iterable: Abstract, func: Abstract = None, *, initial: Abstract = None) -> Abstract:
    items = items_of(reader, iterable)
    if initial is not None:
        items = (initial, *items)
    totals = list(items[:1])
    for item in items[1:]:
        totals.append(_binary(reader, "+", totals[-1], item) if func is None else reader.rules.call(func, (totals[-1], item)))
    return Iteration(tuple(totals))


# ---- calls, slices, counts -------------------------------------------------------------------------------------------------


def _starmap(reader: Reader, function: Abstract, iterable: Abstract) -> Abstract:
    iteration = iterate(reader, iterable)

    def applied(item: Abstract) -> Abstract:
        return reader.rules.call(function, items_of(reader, item))

    if iteration.items is not None:
        return Iteration(tuple(applied(settled(reader, item)) for item in iteration.items))
    item = iteration.item
    assert item is not None
    return dataclasses.replace(iteration, item=lambda k: applied(item(k)), static=None)


def _islice(reader: Reader, iterable: Abstract, *bounds: Abstract) -> Abstract:
    part = slice(*bounds)
    for bound in (part.start, part.stop, part.step):
        if is_runtime(bound):
            raise reader.unsupported("itertools.islice with a bound that is known only at run time", "a slice of an array, or a loop with a range")
        if bound is not None and (not isinstance(bound, int) or bound < 0):
            raise ArgumentValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.", where=reader.builder.where)
    if isinstance(iterable, Endless):
        if part.stop is None:
            raise reader.unsupported("itertools.islice of an endless iterator, without an end", "islice(iterator, count)")
        return Iteration(tuple(iterable.at(k) for k in range(part.stop)[part]))
    if isinstance(iterable, View):
        return iterate(reader, get_item(reader, iterable, part))
    return Iteration(items_of(reader, iterable)[part])


def _count(reader: Reader, start: Abstract = 0, step: Abstract = 1) -> Abstract:
    def at(k: Abstract) -> Abstract:
        if isinstance(start, int) and isinstance(step, int) and isinstance(k, int):
            return start + k * step
        return _binary(reader, "+", start, _binary(reader, "*", k, step))

    return Endless(at, "itertools.count()")


def _cycle(reader: Reader, iterable: Abstract) -> Abstract:
    iteration = iterate(reader, iterable)
    if iteration.items is None and iteration.static is None:
        raise reader.unsupported("itertools.cycle of something whose length is known only at run time", "x[k % len(x)] of an array")
    items = items_of(reader, iteration)
    if not items:
        return Iteration(())

    def at(k: Abstract) -> Abstract:
        return items[k % len(items)] if isinstance(k, int) else get_item(reader, items, _binary(reader, "%", as_python_int(reader, k) if is_atom(k) else k, len(items)))

    return Endless(at, "itertools.cycle()")


def _repeat(reader: Reader, object: Abstract, times: Abstract = None) -> Abstract:  # noqa: A002 - its name in itertools
    if times is None:
        return Endless(lambda k: object, "itertools.repeat()")
    if isinstance(times, int):
        return Iteration((object,) * max(times, 0))
    count = sizes.larger(reader.builder, as_size(reader, times, "the times of itertools.repeat"), 0)
    return Iteration(None, size_literal(0), count, size_literal(1), lambda k: object)


def _changes_something(reader: Reader, iteration: Iteration) -> bool:
    """Whether making an item changes what exists."""
    assert iteration.item is not None
    trial = reader.fork()
    with reader.inside(trial), made_of.effects(reader) as changed:
        iteration.item(Var("index", Array(SIZE.dtype, (), weak=True)))
        return bool(changed())


def zipped(reader: Reader, args: tuple[Abstract, ...]) -> Iteration:
    """zip(…), also of endless iterators beside others."""
    for arg in args[:-1]:
        if isinstance(arg, Iteration) and arg.calls and _changes_something(reader, arg):
            raise reader.unsupported("zip of a map whose function changes something, beside what may be shorter", "list(map(…)) in a statement before", "Python makes one item more of it then")
    finite = tuple(arg for arg in args if not isinstance(arg, Endless))
    if len(finite) == len(args):
        return make_zip(reader, args)
    if not finite:
        raise reader.unsupported("a zip of endless iterators only", "zip with something that ends")
    iteration = make_zip(reader, finite)

    def together(k: Abstract, items: Abstract) -> Abstract:
        rest = iter(items)
        return tuple(arg.at(k) if isinstance(arg, Endless) else next(rest) for arg in args)

    if iteration.items is not None:
        return Iteration(tuple(together(k, items) for k, items in enumerate(iteration.items)), views=iteration.views)
    item, static = iteration.item, iteration.static
    assert item is not None
    all_items = None if static is None else lambda: tuple(together(k, items) for k, items in enumerate(static()))
    return dataclasses.replace(iteration, item=lambda k: together(k, item(k)), static=all_items)


# ---- all combinations ------------------------------------------------------------------------------------------------------


@asks_python
def _product(reader: Reader, *iterables: Abstract, repeat: Abstract = 1) -> Abstract:
    times = reader.rules.call(operator.index, (repeat,))
    if not isinstance(times, int):  # the call knows it
        raise reader.unsupported("itertools.product with a repeat that is known only at run time", "a constant, or nested loops")
    itertools.product(repeat=times)  # what Python says of a negative one
    parts = [iterate(reader, each) for each in iterables] * times
    if all(part.items is not None or part.static is not None for part in parts):
        return Iteration(tuple(itertools.product(*(items_of(reader, part) for part in parts))))
    if any(part.items is not None for part in parts):
        raise reader.unsupported("itertools.product of items and of something whose length is known only at run time", "nested loops")
    pairs = [counted(reader, part) for part in parts]
    views = tuple(view for part in parts for view in part.views)
    return _over_places(reader, [count for count, _ in pairs], lambda place: tuple(at(k) for (_, at), k in zip(pairs, place, strict=True)), views)


def _over_places(reader: Reader, counts: list[Atom], item: Callable[[tuple[Abstract, ...]], Abstract], views: tuple[View, ...] = ()) -> Iteration:
    """One loop over all places of a grid, in C order."""
    total: Atom = size_literal(1)
    for count in counts:
        total = sizes.times(reader.builder, total, count)
    if isinstance(total, Var):
        reader.builder.know_size(total)

    def at(k: Abstract) -> Abstract:
        place: list[Abstract] = []
        rest: Abstract = as_python_int(reader, k) if is_atom(k) else k
        for count in reversed(counts[1:]):
            size = as_python_int(reader, count)
            place.append(_binary(reader, "%", rest, size))
            rest = _binary(reader, "//", rest, size)
        return item((rest, *reversed(place)) if counts else ())

    return Iteration(None, size_literal(0), total, size_literal(1), at, None, views)


def _ndindex(reader: Reader, *shape: Abstract) -> Abstract:
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    with building(reader.builder):
        dims = as_shape(wrap(reader, given))
    if all(isinstance(dim, int) for dim in dims):
        return Iteration(tuple(np.ndindex(*dims)))  # type: ignore[arg-type]
    return _over_places(reader, [dim_atom(dim) for dim in dims], lambda place: place)


def _ndenumerate(reader: Reader, arr: Abstract) -> Abstract:
    array = arr if isinstance(arr, View) else numpy_call(reader, np.asarray, (arr,), {})
    if not isinstance(array, View):
        return Iteration((((), array),))
    shape = shape_of(reader, array)
    if all(isinstance(dim, int) for dim in shape):
        places = tuple(np.ndindex(*shape))  # type: ignore[arg-type]

        def at(number: Any) -> Abstract:
            return get_item(reader, array, places[int(number.value)])

        return Iteration(tuple((place, Turn(at, number)) for number, place in enumerate(places)), views=(array,))
    return _over_places(reader, [dim_atom(dim) for dim in shape], lambda place: (place, get_item(reader, array, place)), (array,))


# ---- arrays from functions and iterators -----------------------------------------------------------------------------------


def _fromfunction(reader: Reader, function: Abstract, shape: Abstract, *, dtype: Abstract = float, like: Abstract = None, **kwargs: Abstract) -> Abstract:
    """np.fromfunction: the function of the arrays of positions."""
    grid = numpy_call(reader, np.indices, (shape,), {"dtype": dtype})
    count = shape_of(reader, grid)[0]
    assert isinstance(count, int)
    return reader.rules.call(function, tuple(get_item(reader, grid, k) for k in range(count)), kwargs)


def _fromiter(reader: Reader, iter: Abstract, dtype: Abstract, count: Abstract = -1, *, like: Abstract = None) -> Abstract:  # noqa: A002 - NumPy's name
    """np.fromiter: a vector of the items."""
    if not isinstance(count, int):
        raise reader.unsupported("np.fromiter with a count that is known only at run time", "np.array(…)[:count]")
    source = iter
    if not isinstance(source, View | RunRange):
        is_list = isinstance(source, ListRef) and not isinstance(reader.heap[source], tuple)
        source = source if is_list else reader.rules.call(list, (source,))
    array = numpy_call(reader, np.array, (source,), {"dtype": dtype})
    if not isinstance(array, View) or len(shape_of(reader, array)) != 1:
        raise ArgumentValueError("setting an array element with a sequence.", where=reader.builder.where)
    if count < 0:
        return array
    length = shape_of(reader, array)[0]
    if not isinstance(length, int):
        raise reader.unsupported("np.fromiter with a count, of something whose length is known only at run time", "np.array(…)[:count]")
    if length < count:
        raise ArgumentValueError(f"iterator too short: Expected {count} but iterator had only {length} items.", where=reader.builder.where)
    return numpy_call(reader, np.copy, (array,), {}) if length == count else _first(reader, array, count)


def _first(reader: Reader, array: Abstract, count: int) -> Abstract:
    return numpy_call(reader, np.copy, (get_item(reader, array, slice(None, count)),), {})


# ---- math ------------------------------------------------------------------------------------------------------------------


def _prod(reader: Reader, iterable: Abstract, /, *, start: Abstract = 1) -> Abstract:
    """math.prod."""
    if isinstance(iterable, View):
        shape = shape_of(reader, iterable)
        if not isinstance(shape[0], int):
            rows = numpy_call(reader, np.prod, (iterable,), {"axis": 0})
            return _binary(reader, "*", start, rows)
    iteration = iterate(reader, iterable)
    if iteration.items is None and iteration.static is None and not isinstance(iterable, View):
        return reader.rules.call(functools.reduce, (operator.mul, iteration, start))
    total = start
    for item in items_of(reader, iteration):
        total = _binary(reader, "*", total, item)
    return total


def _dist(reader: Reader, p: Abstract, q: Abstract, /) -> Abstract:
    """math.dist."""
    if any(isinstance(each, View) and not isinstance(shape_of(reader, each)[0], int) for each in (p, q)):
        return call_part(reader, python_math.dist, (p, q), {}, "math.dist")
    one, two = ([unwrap(reader, coordinate(wrap(reader, item))) for item in items_of(reader, each)] for each in (p, q))
    if len(one) != len(two):
        raise ArgumentValueError("both points must have the same number of dimensions", where=reader.builder.where)
    return reader.rules.call(math.hypot, tuple(_binary(reader, "-", a, b) for a, b in zip(one, two, strict=True)))


ITERATORS: Table[Callable[..., Abstract]] = Table({
    "itertools.chain.from_iterable": _from_iterable, "itertools.tee": _tee, "itertools.compress": _compress, "itertools.groupby": _groupby,
    "itertools.accumulate": _accumulate, "itertools.starmap": _starmap, "itertools.islice": _islice, "itertools.count": _count,
    "itertools.batched": _batched, "itertools.cycle": _cycle, "itertools.repeat": _repeat, "itertools.product": _product, "math.prod": _prod, "math.dist": _dist,
    "numpy.ndindex": _ndindex, "numpy.ndenumerate": _ndenumerate, "numpy.fromfunction": _fromfunction, "numpy.fromiter": _fromiter,
    **{f"itertools.{function.__name__}": _by_predicate(function) for function in (itertools.takewhile, itertools.dropwhile, itertools.filterfalse)},
    **{f"itertools.{function.__name__}": _of_items(function) for function in (
        itertools.chain, itertools.combinations, itertools.combinations_with_replacement, itertools.permutations, itertools.pairwise,
        itertools.zip_longest,
    )},
})  # fmt: skip
