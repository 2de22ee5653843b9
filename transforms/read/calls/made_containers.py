"""list(…), tuple(…), set(…), dict(…) and their like: containers made of what is gone through."""
from __future__ import annotations

import collections
from collections.abc import Callable

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.columns import as_list
from s2s.transforms.read.calls.ordering import run_time_iteration
from s2s.transforms.read.calls.records import is_record
from s2s.transforms.read.composed import keyed
from s2s.transforms.read.composed.keyed_sets import KeyedSet
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.call_arguments import as_dict
from s2s.transforms.read.flow.container_items import static_key
from s2s.transforms.read.flow.filled_by_loops import run_time_map
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.keyed import at_once, in_any_order, is_keyed, is_run_time_key, is_set, method, must_be_new, refuse_run_time
from s2s.transforms.read.flow.keyed import new as new_keyed
from s2s.transforms.read.known import hashed, is_known, plain, put_into_set
from s2s.transforms.read.known_sets import SetItems
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import must_be
from s2s.transforms.read.storage import growing
from s2s.transforms.read.storage.access import load, shape_of, store_view
from s2s.transforms.read.storage.tables import as_tuple
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    IteratorRef,
    Outside,
    SetRef,
    TupleRef,
    View,
    default_kind,
)
from s2s.types import Opaque, dim_atom


def _tuple(reader: Reader, value: Abstract = ()) -> Abstract:
    if isinstance(value, TupleRef):
        return value
    items = as_list(reader, value)
    if items is not None:
        return as_tuple(reader, items if items is not value else reader.rules.item(items, slice(None)))
    return tuple(items_of(reader, value))


def gone_through(reader: Reader, value: Abstract) -> Abstract:
    """What is gone through for a value: of an object of the user's what its `__iter__` gives, which is asked once."""
    if is_keyed(value) and not is_set(value):
        return in_any_order(reader, value)
    value = at_once(reader, value)
    said = special_methods.special(reader, value, "__iter__")
    found = value if said is None else said[0]
    return once.opened(reader, found) if said is not None and isinstance(found, IteratorRef) else found


def gone_through_in_any_order(reader: Reader, value: Abstract, key: Abstract) -> Abstract:
    """What is gone through where the order of a set does not matter: without a key, by which items may be equal."""
    return gone_through(reader, in_any_order(reader, value) if key is None else value)


def _list(reader: Reader, value: Abstract = ()) -> Abstract:
    value = gone_through(reader, value)
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
    found = must_be_new(reader, kind, f"{kind.__name__}() of something whose length is known only at run time", "a loop that puts the items in")
    method(reader, found, "update", iteration)
    return found


def _set(reader: Reader, value: Abstract = ()) -> Abstract:
    if is_keyed(value):
        return _as(reader, KeyedSet, value)
    value = gone_through(reader, value)
    if (found := _of_run_time_keys(reader, value, set)) is not None:
        return found
    items = items_of(reader, value)
    if any(is_run_time_key(reader, item) for item in items):
        if (made := new_keyed(reader, set)) is None:
            refuse_run_time(reader, items)
        method(reader, made, "update", items)
        return made
    return reader.new_set_of(SetItems(set, (("update", (put_into_set(reader, value, items),)),)))


def _frozenset(reader: Reader, value: Abstract = ()) -> Abstract:
    value = gone_through(reader, value)
    items = None if run_time_iteration(reader, value) is not None else items_of(reader, value)
    if items is None or any(is_run_time_key(reader, item) for item in items):
        raise must_be(reader, reader.unsupported("a frozenset of what is known only at run time", "a set, or sorted(set(…))"))
    return frozenset(put_into_set(reader, value, items))


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
    value = gone_through(reader, value)
    if not items and (found := _of_run_time_keys(reader, value, dict)) is not None:
        return found
    pairs = _pairs(reader, value)
    if not items and any(is_run_time_key(reader, key) for key, _ in pairs):
        if (found := new_keyed(reader, dict)) is None:
            refuse_run_time(reader, [key for key, _ in pairs])
        method(reader, found, "update", value)
        return found
    return reader.new_dict({**{static_key(reader, key): item for key, item in pairs}, **items})


@asks_python
def _pairs(reader: Reader, value: Abstract) -> list[tuple[Abstract, ...]]:
    """The keys and values that a dict is made of."""
    pairs = [tuple(items_of(reader, pair)) for pair in items_of(reader, value)]
    for number, pair in enumerate(pairs):
        if len(pair) != 2:
            raise ValueError(f"dictionary update sequence element #{number} has length {len(pair)}; 2 is required")
    return pairs


def _ordered_dict(reader: Reader, value: Abstract = (), **items: Abstract) -> Abstract:
    if is_keyed(value) and not items:
        return _as(reader, keyed.Ordered, value)
    value = gone_through(reader, value)
    if not items and (found := _of_run_time_keys(reader, value, collections.OrderedDict)) is not None:
        return found
    made = _dict(reader, value, **items)
    return reader.new_dict(reader.heap[made], collections.OrderedDict)


@asks_python
def _default_dict(reader: Reader, factory: Abstract = None, items: Abstract = (), **more: Abstract) -> Abstract:
    if factory is not None and not isinstance(factory, Opaque | Outside) and not callable(factory):
        raise ArgumentTypeError("first argument must be callable or None", where=reader.builder.where)
    made = items if is_keyed(items) and not more else _dict(reader, items, **more)
    if is_keyed(made):
        found = reader.rules.call(keyed.Defaulting, (factory,))
        method(reader, found, "update", made)
        return found
    if not isinstance(made, DictRef):
        raise reader.unsupported("defaultdict() of a dict of which only the run knows whether it has some keys", "a loop that puts the items in")
    return reader.new_dict(reader.heap[made], default_kind(plain(reader, factory) if is_known(reader, factory) else factory))


def _from_keys(reader: Reader, keys: Abstract, value: Abstract = None) -> Abstract:
    keys = gone_through(reader, keys)
    items = None if run_time_iteration(reader, keys) is not None else items_of(reader, keys)
    if items is None or any(is_run_time_key(reader, key) for key in items):
        if (found := new_keyed(reader, dict)) is None:
            if items is not None:
                refuse_run_time(reader, items)
            raise must_be(reader, reader.unsupported("dict.fromkeys() of something whose length is known only at run time", "a loop that puts the items in"))
        reader.rules.call(keyed.put_each, (found, keys if items is None else tuple(items), value))
        return found
    return reader.new_dict({hashed(reader, key): value for key in items})

MADE_CONTAINERS: dict[str, Callable[..., Abstract]] = {
    **within("builtins", tuple=_tuple, list=_list, dict=_dict, set=_set, frozenset=_frozenset),
    "builtins.dict.fromkeys": _from_keys, "collections.OrderedDict": _ordered_dict, "collections.defaultdict": _default_dict,
}  # fmt: skip
"""Qualified name of a class of containers -> how one is made."""

__all__ = ["MADE_CONTAINERS", "gone_through", "gone_through_in_any_order"]
