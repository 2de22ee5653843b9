"""Python's built-in functions and the methods of lists, dicts, tuples and strings."""
from __future__ import annotations

import collections
import dataclasses
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, UnsupportedError
from s2s.transforms.read import made_of
from s2s.transforms.read.callables import Applied, FlatArray, Method
from s2s.transforms.read.calls import making, objects, special_methods
from s2s.transforms.read.calls.cached import CACHES
from s2s.transforms.read.calls.chosen_items import chosen
from s2s.transforms.read.calls.columns import as_list
from s2s.transforms.read.calls.composed import call_part
from s2s.transforms.read.calls.counters import COUNTERS
from s2s.transforms.read.calls.dataclass_functions import DATACLASSES
from s2s.transforms.read.calls.error_states import ERROR_STATES
from s2s.transforms.read.calls.item_functions import OF_ITEMS, check_lengths, of_items, sorted_items
from s2s.transforms.read.calls.logged import LOGGED
from s2s.transforms.read.calls.numba_words import NUMBA_WORDS
from s2s.transforms.read.calls.numpy_calls import numpy_call
from s2s.transforms.read.calls.operator_functions import OPERATOR_FUNCTIONS, truth
from s2s.transforms.read.calls.ordering import extreme_by_array, run_time_iteration, sorted_by_array
from s2s.transforms.read.calls.own_attributes import VARS
from s2s.transforms.read.calls.printed import print_values
from s2s.transforms.read.calls.queues import QUEUES
from s2s.transforms.read.calls.records import is_record
from s2s.transforms.read.calls.reflection import REFLECTION
from s2s.transforms.read.calls.written import WRITTEN
from s2s.transforms.read.classes import class_of
from s2s.transforms.read.composed import keyed, lists
from s2s.transforms.read.composed.keyed_sets import KeyedSet
from s2s.transforms.read.composed.keyed_views import ItemsOf
from s2s.transforms.read.composed.python_library import modular_power
from s2s.transforms.read.composed.python_math import rounded
from s2s.transforms.read.composed.user_containers import USER_BASES
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.call_arguments import as_dict
from s2s.transforms.read.flow.comprehensions import run_time_map
from s2s.transforms.read.flow.container_items import static_key
from s2s.transforms.read.flow.flat import line_of
from s2s.transforms.read.flow.items import as_python_int, items_of, range_length, settled
from s2s.transforms.read.flow.iteration import iterate, make_enumerate, make_range, make_reversed
from s2s.transforms.read.flow.iterators import ITERATORS, zipped
from s2s.transforms.read.flow.keyed import at_once, in_any_order, is_keyed, is_run_time_key, is_set, method, refuse_run_time
from s2s.transforms.read.flow.keyed import new as new_keyed
from s2s.transforms.read.flow.texts import format_static, formatted
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.identity import identity
from s2s.transforms.read.known import by_python, hashed, is_known, plain, refused_by_python
from s2s.transforms.read.names import Table, resolved, within
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import as_weak
from s2s.transforms.read.numpy.python import PYTHON_FUNCTIONS
from s2s.transforms.read.numpy.python_checks import check_total
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import must_be
from s2s.transforms.read.storage import growing
from s2s.transforms.read.storage.access import load, shape_of, store_view
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.tables import as_tuple
from s2s.transforms.read.values import (
    Abstract,
    DequeRef,
    DictRef,
    DictView,
    Iteration,
    IteratorRef,
    ListRef,
    Missing,
    ObjectRef,
    Outside,
    Pooled,
    RunRange,
    SetRef,
    StandIn,
    Text,
    TupleRef,
    Turn,
    View,
    default_kind,
    is_atom,
)
from s2s.transforms.read.wrapping import unwrap, weak_dim, wrap
from s2s.transforms.read.zero_dim import either, is_member, kinds
from s2s.types import Opaque, Var, dim_atom, kind_of


@asks_python
def _python_function(name: str) -> Callable[..., Abstract]:
    """A function of numbers: PYTHON_FUNCTIONS' on Values."""
    function = resolved(name)

    def rule(reader: Reader, *args: Abstract, **kwargs: Abstract) -> Abstract:
        if function is bool and len(args) > 1:
            raise ArgumentTypeError(f"bool expected at most 1 argument, got {len(args)}", where=reader.builder.where)
        if len(args) == 1 and is_keyed(args[0]) and function in OF_ITEMS:
            kwargs = {**kwargs, **_by_value(reader, args[0], **kwargs)}
            args = (_in_any_order(reader, args[0], kwargs.get("key")),)
        elif args and function in OF_ITEMS:
            args = (at_once(reader, args[0]), *args[1:])
        said = special_methods.converted(reader, function, args)
        if said is not None:
            return said[0]
        if function in (min, max, sum, any, all) and (found := special_methods.folded(reader, function, args, kwargs)) is not None:
            return found[0]
        if function in (min, max) and len(args) == 1 and "default" in kwargs and (iteration := run_time_iteration(reader, args[0])) is not None:
            items = args[0] if isinstance(args[0], ListRef | View) else run_time_map(reader, iteration, lambda item: item)
            return reader.rules.call(lists.or_default, (function, items, kwargs.get("key"), kwargs["default"]))
        if function in (min, max) and len(args) == 1 and "default" not in kwargs and (kwargs.get("key") is not None or isinstance(args[0], IteratorRef | Iteration) or _has_rows(reader, args[0])):
            found = extreme_by_array(reader, function, args[0], kwargs.get("key"))
            if found is not None:
                return found
        if function in (sum, min, max) and args and isinstance(args[0], IteratorRef | Iteration) and (iteration := run_time_iteration(reader, args[0])) is not None:
            args = (run_time_map(reader, iteration, lambda item: item), *args[1:])
        if function is sum and len(args) == 2 and isinstance(args[1], bool) and _is_growing(reader, args[0]) and getattr(reader.heap[args[0]].item_type, "weak", False):
            args = (args[0], int(args[1]))  # Python's own bools are numbers, those of NumPy are not
        if function in OF_ITEMS and args and not isinstance(args[0], View) and not _is_growing(reader, args[0]):
            found = of_items(reader, function, args, kwargs)
            if found is not None:
                return found[0]
            args = args if len(args) > 1 and function is not sum else (items_of(reader, args[0]), *args[1:])
            kwargs = {key: value for key, value in kwargs.items() if key not in ("key", "default")}
        elif all(is_known(reader, arg) for arg in (*args, *kwargs.values())):
            return by_python(reader, function, *args, **kwargs)
        elif function is bool and len(args) == 1:
            return truth(reader, args[0])
        elif function is round and _is_decimal(reader, *args, **kwargs):
            return call_part(reader, rounded, args, kwargs, "round")
        elif function is pow and len(args) == 3 and args[2] is not None:
            refused_by_python(reader, pow, *args)  # NumPy's integers have no such power
            return call_part(reader, modular_power, tuple(reader.rules.call(operator.index, (arg,)) for arg in args), kwargs, "pow")
        _refuse_objects(reader, function, args)
        _refuse_rows(reader, function, args)
        if function is sum and args and _is_growing(reader, args[0]) and any(isinstance(start, tuple | ListRef) for start in (*args[1:], *kwargs.values())):
            raise reader.unsupported("sum() of numbers that begins with a tuple or list", "a number, or an array")  # Python adds them to it one by one
        with building(reader.builder):
            wrapped = [wrap(reader, arg) for arg in args]
            result = PYTHON_FUNCTIONS[name](*wrapped, **{key: wrap(reader, arg) for key, arg in kwargs.items()})
            if function is sum and _holds_python_numbers(reader, args[0]):
                check_total(result, *wrapped, **{key: wrap(reader, arg) for key, arg in kwargs.items()})
            found = unwrap(reader, as_weak(result) if args and _holds_python_numbers(reader, args[0]) else result)
        if function in (min, max) and isinstance(found, Var) and any(is_member(reader, each) for arg in args for each in (arg if isinstance(arg, tuple) else (arg,))):
            reader.session.members.add(found)
        return either(reader, found) if function in (min, max) and any(_may_be_boxed(reader, arg) for arg in args) else found

    return rule


def _is_decimal(reader: Reader, number: Abstract, ndigits: Abstract = None) -> bool:
    """Whether round(number, ndigits) is of a number of Python's own to so many decimals."""
    if isinstance(number, View):
        raise ArgumentTypeError("type numpy.ndarray doesn't define __round__ method", where=reader.builder.where)
    if ndigits is None:
        return False
    return isinstance(number, int | float) or is_atom(number) and all(type_.weak and kind_of(type_.dtype) in "if" for type_ in types_of(reader.builder, number))


def _by_value(reader: Reader, value: Abstract, key: Abstract = None, **others: Abstract) -> dict[str, Abstract]:
    """max(d, key=d.get): each key is there."""
    del others
    if isinstance(key, Method) and key.first is value and isinstance(key.function, Outside) and key.function.object is keyed.Keyed.get and isinstance(value, ObjectRef):
        return {"key": Applied(keyed.held_of, (value,), {})}
    return {}


def _may_be_boxed(reader: Reader, value: Abstract) -> bool:
    """Whether it is, or may hold, an array without axes."""
    if isinstance(value, tuple | list):
        return any(_may_be_boxed(reader, item) for item in value)
    return True in (reader.heap[value].kinds if _is_growing(reader, value) else kinds(reader, value))


def _holds_python_numbers(reader: Reader, value: Abstract) -> bool:
    """Whether it is a list of run-time length with Python's own numbers, whose sum is one too."""
    content = reader.heap[value] if isinstance(value, ListRef) else None
    return isinstance(content, Grown) and content.weak


def _is_growing(reader: Reader, value: Abstract) -> bool:
    return isinstance(value, ListRef) and isinstance(reader.heap[value], Grown)


def _has_rows(reader: Reader, value: Abstract) -> bool:
    """Whether it is a list of tuples or such, whose length is known only at run time."""
    return _is_growing(reader, value) and reader.heap[value].row is not None


def _refuse_rows(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...]) -> None:
    """Refuse what compares or counts arrays, tuples or lists in a list whose length is known only at run time."""
    for content in (reader.heap[arg] for arg in args if _is_growing(reader, arg)):
        if content.row is not None or content.item_type.shape and function is not sum:
            raise reader.unsupported(f"{function.__name__}() of a list of arrays, tuples or lists whose length is known only at run time", "a loop over the list")


def _refuse_objects(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...]) -> None:
    """Refuse what no function of numbers takes: containers, texts, functions, objects; with Python's own words where it refuses them too."""
    if function in OF_ITEMS:
        return
    for value in args:
        if isinstance(value, StandIn | tuple | slice | str) and not isinstance(value, View | Outside | Missing):
            refused_by_python(reader, function, *args)
            raise reader.unsupported(f"{function.__name__}() of {describe(reader, value)}", "numbers and arrays")


def _len(reader: Reader, value: Abstract) -> Abstract:
    said = special_methods.special(reader, value, "__len__")
    if said is not None:
        return said[0]
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


def _tuple(reader: Reader, value: Abstract = ()) -> Abstract:
    if isinstance(value, TupleRef):
        return value
    items = as_list(reader, value)
    if items is not None:
        return as_tuple(reader, items if items is not value else reader.rules.item(items, slice(None)))
    return tuple(items_of(reader, value))


def _through(reader: Reader, value: Abstract) -> Abstract:
    """What is gone through for a value: of an object of the user's what its `__iter__` gives, which is asked once."""
    if is_keyed(value) and not is_set(value):
        return in_any_order(reader, value)
    value = at_once(reader, value)
    said = special_methods.special(reader, value, "__iter__")
    found = value if said is None else said[0]
    return once.opened(reader, found) if said is not None and isinstance(found, IteratorRef) else found


def _in_any_order(reader: Reader, value: Abstract, key: Abstract) -> Abstract:
    """What is gone through where the order of a set does not matter: without a key, by which items may be equal."""
    return _through(reader, in_any_order(reader, value) if key is None else value)


def _list(reader: Reader, value: Abstract = ()) -> Abstract:
    value = _through(reader, value)
    if isinstance(value, View) and len(shape := shape_of(reader, value)) == 1 and not isinstance(shape[0], int):
        numbers = load(reader, value)
        return growing.filled_list(reader, dim_atom(shape[0]), numbers.type.with_shape(()), lambda content: store_view(reader, View(content.cell), numbers), reader.builder.where)
    iteration = run_time_iteration(reader, value)
    if iteration is not None:
        return run_time_map(reader, iteration, lambda item: item)
    return reader.new_list(items_of(reader, value))


def _of_run_time_keys(reader: Reader, value: Abstract, kind: type) -> Abstract:
    """A dict or set of what has a length of run time; None for what is known item by item."""
    iteration = run_time_iteration(reader, value)
    if iteration is None:
        return None
    found = new_keyed(reader, kind)
    if found is None:
        raise must_be(reader, reader.unsupported(f"{kind.__name__}() of something whose length is known only at run time", "a loop that puts the items in"))
    method(reader, found, "update", iteration)
    return found


def _set(reader: Reader, value: Abstract = ()) -> Abstract:
    if is_keyed(value):
        return _as(reader, KeyedSet, value)
    value = _through(reader, value)
    if (found := _of_run_time_keys(reader, value, set)) is not None:
        return found
    items = items_of(reader, value)
    if any(is_run_time_key(reader, item) for item in items):
        if (made := new_keyed(reader, set)) is None:
            refuse_run_time(reader, items)
        method(reader, made, "update", items)
        return made
    return reader.new_set(hashed(reader, item) for item in items)


def _frozenset(reader: Reader, value: Abstract = ()) -> Abstract:
    return frozenset(hashed(reader, item) for item in items_of(reader, value))


def _as(reader: Reader, kind: type, value: Abstract) -> Abstract:
    """A new dict of this class with what a dict of run-time keys has."""
    found = reader.rules.call(kind, ())
    method(reader, found, "update", value)
    return found


def _dict(reader: Reader, value: Abstract = (), **items: Abstract) -> Abstract:
    if is_record(value):
        found = method(reader, value, "copy")
        method(reader, found, "update", reader.new_dict(items))
        return found
    value = as_dict(reader, value)
    if isinstance(value, DictRef) and not isinstance(value, SetRef):
        return reader.new_dict({**reader.heap[value], **items})
    if is_keyed(value):
        if items:
            raise reader.unsupported("dict() of a dict of run-time keys, and of names", "a copy, and stores into it")
        return _as(reader, keyed.Keyed, value)
    value = _through(reader, value)
    if not items and (found := _of_run_time_keys(reader, value, dict)) is not None:
        return found
    pairs = [items_of(reader, pair) for pair in items_of(reader, value)]
    if not items and all(len(pair) == 2 for pair in pairs) and any(is_run_time_key(reader, key) for key, _ in pairs):
        if (found := new_keyed(reader, dict)) is None:
            refuse_run_time(reader, [key for key, _ in pairs])
        method(reader, found, "update", value)
        return found
    return reader.new_dict({**{static_key(reader, key): item for key, item in pairs}, **items})


def _ordered_dict(reader: Reader, value: Abstract = (), **items: Abstract) -> Abstract:
    if is_keyed(value) and not items:
        return _as(reader, keyed.Ordered, value)
    value = _through(reader, value)
    if not items and (found := _of_run_time_keys(reader, value, collections.OrderedDict)) is not None:
        return found
    made = _dict(reader, value, **items)
    return reader.new_dict(reader.heap[made], collections.OrderedDict)


@asks_python
def _default_dict(reader: Reader, factory: Abstract = None, items: Abstract = (), **more: Abstract) -> Abstract:
    made = _dict(reader, items, **more)
    if not isinstance(made, DictRef):
        raise reader.unsupported("defaultdict() of a dict of run-time keys", "a loop that puts the items in")
    if factory is not None and not isinstance(factory, Opaque | Outside) and not callable(factory):
        raise ArgumentTypeError("first argument must be callable or None", where=reader.builder.where)
    return reader.new_dict(reader.heap[made], default_kind(plain(reader, factory) if is_known(reader, factory) else factory))


@asks_python
def _in_their_order(reader: Reader, items: Sequence[Abstract], keys: list[Abstract], reverse: Abstract) -> list[Abstract]:
    """The items by keys that are objects: as their class says now, where it knows that, else as the run finds it."""
    backwards, before = bool(plain(reader, reverse)), reader.checkpoint()
    if len(items) > 2:
        try:
            return special_methods.in_order(reader, items, keys, reverse=backwards)
        except UnsupportedError:
            reader.rollback(before)
    return sorted_items(reader, items, keys, reverse=backwards)


@asks_python
def _sorted(reader: Reader, value: Abstract, *, key: Abstract = None, reverse: Abstract = False) -> Abstract:
    if is_keyed(value):
        key = _by_value(reader, value, key=key).get("key", key)
    if key is None and isinstance(value, ObjectRef) and issubclass(value.kind, ItemsOf):  # no two keys are equal
        key = lists.first
    value = _in_any_order(reader, value, key)
    by_array = sorted_by_array(reader, value, key, reverse)
    if by_array is not None:
        return by_array
    items = items_of(reader, value)
    keys = [item if key is None else reader.rules.call(key, (item,)) for item in items]
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
        said = special_methods.text(reader, value, "r" if function is repr else "s", "")
        if said is not None:
            return said
        if is_known(reader, value):
            return function(plain(reader, value))
        if isinstance(value, tuple | ListRef | DictRef) or isinstance(value, Text) and function is str:
            return format_static(reader, value, None, "")
        raise reader.unsupported(f"{function.__name__}() of {describe(reader, value)}", "a scalar")

    return rule


def _partial(reader: Reader, function: Abstract, *args: Abstract, **kwargs: Abstract) -> Abstract:
    del reader
    return Applied(function, args, kwargs)


def _reduce(reader: Reader, function: Abstract, value: Abstract, *initial: Abstract) -> Abstract:
    if (iteration := run_time_iteration(reader, _through(reader, value))) is not None:
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


def _from_keys(reader: Reader, keys: Abstract, value: Abstract = None) -> Abstract:
    return reader.new_dict({hashed(reader, key): value for key in items_of(reader, keys)})


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
        len=_len, range=_range, zip=_zip, enumerate=_enumerate, reversed=_reversed, map=_map, filter=_filter, tuple=_tuple, list=_list, dict=_dict,
        set=_set, frozenset=_frozenset, sorted=_sorted, print=print_values,
        slice=_slice, format=_format, str=_text(str), repr=_text(repr), super=making.parent_of, iter=_iter,
        next=once.next_item, hash=_hash, id=identity,
    ),
    "collections.OrderedDict": _ordered_dict, "collections.defaultdict": _default_dict, "builtins.object.__setattr__": objects.store, "builtins.object.__new__": making.bare, "builtins.tuple.__new__": making.bare_tuple, "copy.copy": _copy,
    **{f"collections.{kind.__name__}": _made_by(base) for kind, base in USER_BASES.items()}, "copy.deepcopy": _deepcopy, "typing.cast": _cast, "warnings.warn": _warn, "warnings.simplefilter": _warn, "warnings.filterwarnings": _warn, "builtins.dict.fromkeys": _from_keys,
}  # fmt: skip
_EXAMPLES: dict[type, Any] = {ListRef: iter([]), tuple: iter(()), range: iter(range(0)), RunRange: iter(range(0)), str: iter("")}


BUILTINS: Table[Callable[..., Abstract]] = Table({
    **QUEUES, **LOGGED, **ERROR_STATES, **CACHES, **COUNTERS, **DATACLASSES, **WRITTEN, **NUMBA_WORDS,
    **{name: _python_function(name) for name in PYTHON_FUNCTIONS}, **_BUILTINS, **REFLECTION, **VARS, **OPERATOR_FUNCTIONS, **ITERATORS.entries, **chosen({"builtins.filter": _BUILTINS["builtins.filter"], **ITERATORS.entries}), "functools.partial": _partial, "functools.reduce": _reduce,
})  # fmt: skip
"""Qualified name of a function of Python and its modules -> rule(reader, *args, **kwargs)."""


