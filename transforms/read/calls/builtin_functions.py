"""Python's built-in functions and the methods of lists, dicts, tuples and strings."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, UnsupportedError
from s2s.transforms.read import made_of
from s2s.transforms.read.callables import Applied, FlatArray
from s2s.transforms.read.calls import making, objects, special_methods, texts_of_objects
from s2s.transforms.read.calls.cached import CACHES
from s2s.transforms.read.calls.chosen_items import chosen
from s2s.transforms.read.calls.counters import COUNTERS
from s2s.transforms.read.calls.dataclass_functions import DATACLASSES
from s2s.transforms.read.calls.error_states import ERROR_STATES
from s2s.transforms.read.calls.item_functions import MOST_SORTED, check_lengths, sorted_items
from s2s.transforms.read.calls.logged import LOGGED
from s2s.transforms.read.calls.made_containers import MADE_CONTAINERS, gone_through, gone_through_in_any_order
from s2s.transforms.read.calls.numba_words import NUMBA_WORDS
from s2s.transforms.read.calls.number_functions import NUMBER_FUNCTIONS, by_value
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.calls.operator_functions import OPERATOR_FUNCTIONS
from s2s.transforms.read.calls.ordering import many_items, run_time_iteration, sorted_by_array
from s2s.transforms.read.calls.own_attributes import VARS
from s2s.transforms.read.calls.printed import print_values
from s2s.transforms.read.calls.queues import QUEUES
from s2s.transforms.read.calls.reflection import REFLECTION
from s2s.transforms.read.calls.written import WRITTEN
from s2s.transforms.read.classes import class_of
from s2s.transforms.read.composed import lists
from s2s.transforms.read.composed.keyed_views import ItemsOf
from s2s.transforms.read.composed.user_containers import USER_BASES
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.filled_by_loops import run_time_map
from s2s.transforms.read.flow.flat import line_of
from s2s.transforms.read.flow.items import as_python_int, items_of, range_length, settled
from s2s.transforms.read.flow.iteration import iterate, make_enumerate, make_range, make_reversed
from s2s.transforms.read.flow.iterators import ITERATORS, zipped
from s2s.transforms.read.flow.keyed import is_keyed
from s2s.transforms.read.flow.texts import format_static, formatted
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.identity import identity
from s2s.transforms.read.iterations import Iteration, RunRange, Turn
from s2s.transforms.read.known import is_known, plain, refused_by_python
from s2s.transforms.read.names import Table, within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import shape_of
from s2s.transforms.read.storage.grown import Grown
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
    Text,
    View,
    is_atom,
    is_dict_of_fields,
)
from s2s.transforms.read.wrapping import weak_dim
from s2s.types import Opaque


def _len(reader: Reader, value: Abstract) -> Abstract:
    said = special_methods.special(reader, value, "__len__")
    if said is not None:
        return said[0]
    if is_dict_of_fields(value):
        return _len(reader, reader.rules.call(reader.rules.attribute(value, "keys"), ()))
    match value:
        case DictView():
            return len(reader.heap[value.ref])
        case Text():
            raise reader.unsupported("the length of a text with run-time values", "a number that is known while reading")
        case FlatArray():
            return _len(reader, line_of(reader, value))
        case View():
            refused_by_python(reader, len, value)
            return weak_dim(reader, shape_of(reader, value)[0])
        case ListRef() if isinstance(reader.heap[value], Grown):
            return as_python_int(reader, reader.heap[value].length)
        case ListRef() | DictRef():
            return len(reader.heap[value])
        case RunRange():
            return as_python_int(reader, range_length(reader, value))
        case ObjectRef():
            raise ArgumentTypeError(f"object of type {value.kind.__name__!r} has no len()", where=reader.builder.where)
        case Outside():
            raise reader.unsupported(f"len() of a {type(value.object).__name__} outside of the function", "a list, tuple or dict")
    refused_by_python(reader, len, value)
    if isinstance(value, Opaque):
        raise reader.unsupported(f"the length of {describe(reader, value)}", "a list, tuple, dict or array")
    return len(value)


def _range(reader: Reader, *args: Abstract) -> Abstract:
    return make_range(reader, args)


def _zip(reader: Reader, *args: Abstract, strict: Abstract = False) -> Abstract:
    if truth_of(reader, strict) is not False and args:
        check_lengths(reader, args)
    return zipped(reader, args) if args else Iteration(())


def _enumerate(reader: Reader, value: Abstract, start: Abstract = 0) -> Abstract:
    return make_enumerate(reader, value, start)


def _reversed(reader: Reader, value: Abstract) -> Abstract:
    return make_reversed(reader, value)


def _map(reader: Reader, function: Abstract, *args: Abstract) -> Abstract:
    if not args:
        raise ArgumentTypeError("map() must have at least two arguments.", where=reader.builder.where)
    iteration = zipped(reader, args)
    if iteration.items is not None:
        return Iteration(tuple(reader.rules.call(function, settled(reader, items)) for items in iteration.items))
    item, known = iteration.item, iteration.static
    assert item is not None

    def applied(k: Abstract) -> Abstract:
        return reader.rules.call(function, item(k))

    static = None if known is None else lambda: tuple(Turn(applied, number) for number in range(len(known())))
    return dataclasses.replace(iteration, item=applied, static=static, calls=True)


def _filter(reader: Reader, function: Abstract, value: Abstract) -> Abstract:
    kept = []
    for item in items_of(reader, value):
        test = truth_of(reader, item if function is None else reader.rules.call(function, (item,)))
        if not isinstance(test, bool):
            raise reader.unsupported("filter with a run-time condition", "a mask: x[x > 0]")
        if test:
            kept.append(item)
    return Iteration(tuple(kept))


def _iter(reader: Reader, value: Abstract) -> Abstract:
    refused_by_python(reader, iter, value)
    iteration = value if isinstance(value, IteratorRef) else iterate(reader, value)
    return iteration if isinstance(iteration, IteratorRef) else made_of.new_iterator(reader, iteration, _EXAMPLES.get(type(value), iter(())))


@asks_python
def _hash(reader: Reader, value: Abstract) -> Abstract:
    said = special_methods.special(reader, value, "__hash__")
    if said is not None:
        return said[0]
    if not isinstance(value, int):
        raise reader.unsupported(f"hash() of {describe(reader, value)}", "a number of your own", "it differs from one process to the next, or is known only at run time")
    return hash(value)


@asks_python
def _in_their_order(reader: Reader, items: Sequence[Abstract], keys: list[Abstract], reverse: Abstract) -> list[Abstract]:
    """The items by keys that are objects: as their class says now, where it knows that, else as the run finds it."""
    backwards, before = bool(plain(reader, reverse)), reader.checkpoint()
    if len(items) > 2:
        try:
            with reader.alternative():
                return special_methods.in_order(reader, items, keys, reverse=backwards)
        except UnsupportedError:
            reader.rollback(before)
    return sorted_items(reader, items, keys, reverse=backwards)


@asks_python
def _sorted(reader: Reader, value: Abstract, *, key: Abstract = None, reverse: Abstract = False) -> Abstract:
    if is_keyed(value):
        key = by_value(value, key=key).get("key", key)
    if key is None and isinstance(value, ObjectRef) and issubclass(value.kind, ItemsOf):  # no two keys are equal
        key = lists.first
    value = gone_through_in_any_order(reader, value, key)
    by_array = sorted_by_array(reader, value, key, reverse)
    if by_array is not None:
        return by_array
    items, before = items_of(reader, value), reader.checkpoint()
    keys = [item if key is None else reader.rules.call(key, (item,)) for item in items]
    if len(items) > MOST_SORTED and not is_known(reader, tuple(keys)):
        reader.rollback(before)
        return sorted_by_array(reader, many_items(reader, "sorted()", items), key, reverse)
    if any(special_methods.orders(item) for item in keys):
        return reader.new_list(_in_their_order(reader, items, keys, reverse))
    if not is_known(reader, reverse):
        raise reader.unsupported("sorted() with a reverse of run time", "an if")
    if not is_known(reader, tuple(keys)):
        return reader.new_list(sorted_items(reader, items, keys, reverse=bool(plain(reader, reverse)), by_trips=not isinstance(value, View)))
    known = plain(reader, tuple(keys))
    order = sorted(range(len(items)), key=lambda k: known[k], reverse=plain(reader, reverse))
    return reader.new_list(items[k] for k in order)


def _format(reader: Reader, value: Abstract, format_spec: Abstract = "") -> Abstract:
    return formatted(reader, value, None, format_spec)


def _slice(reader: Reader, *args: Abstract) -> Abstract:
    del reader
    return slice(*args)


@asks_python
def _text(function: Callable[[Any], str]) -> Callable[..., Abstract]:
    def rule(reader: Reader, value: Abstract = "") -> Abstract:
        if is_atom(value) or isinstance(value, View):
            return formatted(reader, value, "r" if function is repr else "s", "")
        said = texts_of_objects.text(reader, value, "r" if function is repr else "s", "")
        if said is not None:
            return said
        if is_known(reader, value):
            return function(plain(reader, value))
        if isinstance(value, tuple | ListRef | DictRef) or isinstance(value, Text | JoinedText) and function is str:
            return format_static(reader, value, None, "")
        raise reader.unsupported(f"{function.__name__}() of {describe(reader, value)}", "a scalar")

    return rule


def _partial(reader: Reader, function: Abstract, *args: Abstract, **kwargs: Abstract) -> Abstract:
    del reader
    return Applied(function, args, kwargs)


def _reduce(reader: Reader, function: Abstract, value: Abstract, *initial: Abstract) -> Abstract:
    if (iteration := run_time_iteration(reader, gone_through(reader, value))) is not None:
        return reader.rules.call(lists.reduced, (function, run_time_map(reader, iteration, lambda item: item), *initial))
    items = [*initial, *items_of(reader, value)]
    if not items:
        raise ArgumentTypeError("reduce() of empty iterable with no initial value", where=reader.builder.where)
    result = items[0]
    for item in items[1:]:
        result = reader.rules.call(function, (result, item))
    return result


@asks_python
def _copy(reader: Reader, value: Abstract) -> Abstract:
    if isinstance(value, View):
        return numpy_call(reader, np.copy, (value,), {})
    if isinstance(value, DequeRef):
        return QUEUES["collections.deque"](reader, value, value.maxlen)
    if isinstance(value, ListRef):
        return reader.new_list(reader.heap[value])
    if isinstance(value, DictRef):
        return reader.new_dict(reader.heap[value], value.kind)
    is_object = class_of(value) is not None and isinstance(value, ObjectRef | Outside | Pooled)
    return objects.copied(reader, value) if is_object else value


def _deepcopy(reader: Reader, value: Abstract, memo: Abstract = None) -> Abstract:
    if memo is not None:
        raise reader.unsupported("copy.deepcopy with a memo", "a method of another name that makes the copy", "what else was copied with it is not told here")
    return objects.deep_copied(reader, value, {})


def _warn(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
    del reader, args, kwargs
    return None


def _cast(reader: Reader, typ: Abstract, val: Abstract) -> Abstract:
    del reader, typ
    return val


def _made_by(kind: type) -> Callable[..., Abstract]:
    """A call of a class of Python's for which one of ours stands."""
    return lambda reader, *args, **kwargs: reader.rules.call(kind, args, kwargs)


_BUILTINS: dict[str, Callable[..., Abstract]] = {
    **within(
        "builtins",
        len=_len, range=_range, zip=_zip, enumerate=_enumerate, reversed=_reversed, map=_map, filter=_filter,
        sorted=_sorted, print=print_values,
        slice=_slice, format=_format, str=_text(str), repr=_text(repr), super=making.parent_of, iter=_iter,
        next=once.next_item, hash=_hash, id=identity,
    ),
    **MADE_CONTAINERS, "builtins.object.__setattr__": objects.store, "builtins.object.__new__": making.bare, "builtins.type.__call__": making.called_by_type, "builtins.tuple.__new__": making.bare_tuple, "copy.copy": _copy,
    **{f"collections.{kind.__name__}": _made_by(base) for kind, base in USER_BASES.items()}, "copy.deepcopy": _deepcopy, "typing.cast": _cast, "warnings.warn": _warn, "warnings.simplefilter": _warn, "warnings.filterwarnings": _warn,
}  # fmt: skip
_EXAMPLES: dict[type, Any] = {ListRef: iter([]), tuple: iter(()), range: iter(range(0)), RunRange: iter(range(0)), str: iter("")}


BUILTINS: Table[Callable[..., Abstract]] = Table({
    **QUEUES, **LOGGED, **ERROR_STATES, **CACHES, **COUNTERS, **DATACLASSES, **WRITTEN, **NUMBA_WORDS,
    **NUMBER_FUNCTIONS, **_BUILTINS, **REFLECTION, **VARS, **OPERATOR_FUNCTIONS, **ITERATORS.entries, **chosen({"builtins.filter": _BUILTINS["builtins.filter"], **ITERATORS.entries}), "functools.partial": _partial, "functools.reduce": _reduce,
})  # fmt: skip
"""Qualified name of a function of Python and its modules -> rule(reader, *args, **kwargs)."""


