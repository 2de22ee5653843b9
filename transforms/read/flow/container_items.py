"""Items of lists, tuples and dicts: read and stored, also those of which only the run knows the place or the key."""
from __future__ import annotations

import operator
from collections import Counter, defaultdict
from typing import Any

from s2s.transforms.read.composed import lists
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import ToBePooled
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.items import content_of, has_changed, is_changed, items_of
from s2s.transforms.read.flow.joining import pick
from s2s.transforms.read.flow.selection import MANY, are_options, has_choices, item_of_range, item_of_sequence, value_of_key, value_of_parts
from s2s.transforms.read.known import factory_value, hashed, is_known, key_value, plain, refused_by_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import keys_of
from s2s.transforms.read.storage.access import in_pythons_order
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.growing import position_in
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.storage.tables import any_length, as_tuple, item_at, store_item
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    IteratorRef,
    ListRef,
    Pooled,
    TupleRef,
    is_atom,
    is_number,
    scalar_type,
)
from s2s.transforms.read.wrapping import scalar_of
from s2s.transforms.read.zero_dim import is_member
from s2s.types import Literal, size_literal


def get_of_list(reader: Reader, base: ListRef, key: Abstract) -> Abstract:
    """An item of a list, or a part of it."""
    content = reader.heap[base]
    if isinstance(content, Grown):
        found = item_at(reader, content, key)
        return as_tuple(reader, found) if isinstance(base, TupleRef) and isinstance(key, slice) else found
    if not isinstance(key, int) or key != 0:
        in_pythons_order(reader, base)
    if isinstance(key, slice) and not is_known(reader, key):
        return _part_of_list(reader, base, key)
    found = get_of_sequence(reader, base, list(reader.heap[base]), key)
    return reader.new_list(found) if isinstance(key, slice) else found


@asks_python
def store_into_list(reader: Reader, base: ListRef, key: Abstract, value: Abstract) -> None:
    """base[key] = value of a list."""
    if isinstance(base, TupleRef):
        refused_by_python(reader, operator.setitem, base, key, value)
    writable(reader, base)
    if isinstance(key, slice) and isinstance(value, IteratorRef):
        value = _all_of(reader, base, value)
    if _stored_by_places(reader, base, key, value):
        return
    if isinstance(reader.heap[base], Grown):
        store_item(reader, reader.heap[base], key, value)
        return
    items = list(reader.heap[base])
    if isinstance(key, slice):
        items[plain(reader, key)] = list(items_of(reader, value))
    elif not is_known(reader, key) and isinstance(value, Pooled) and any_length(reader, base):
        store_item(reader, reader.heap[base], key, value)
        return
    elif not is_known(reader, key):
        items = _stored_somewhere(reader, items, key, value)
    else:
        items[plain(reader, key)] = value
    reader.heap[base] = tuple(items)


def _stored_by_places(reader: Reader, base: ListRef, key: Abstract, value: Abstract) -> bool:
    """Whether this is a store into a part of a list of which only the run knows how long it is, or what is put there: done item by item."""
    if type(base) is not ListRef or not isinstance(key, slice) or not isinstance(value, tuple | ListRef):
        return False
    is_grown = isinstance(reader.heap[base], Grown)
    if key.step is None and value is not base and (is_grown or isinstance(value, ListRef) and isinstance(reader.heap[value], Grown)):
        reader.rules.call(lists.store_part, (base, key.start, key.stop, value))
        return True
    if key.step is not None and is_grown:
        reader.rules.call(lists.store_stepped, (base, key.start, key.stop, key.step, value))
        return True
    return False


def get_of_dict(reader: Reader, base: DictRef, key: Abstract) -> Abstract:
    """base[key] of a dict."""
    with keys_of(reader, base):
        return _value_under(reader, base, key)


def store_into_dict(reader: Reader, base: DictRef, key: Abstract, value: Abstract) -> None:
    """base[key] = value of a dict."""
    writable(reader, base)
    with keys_of(reader, base):
        is_static = not is_atom(key) or isinstance(key, Literal)
        reader.heap[base] = {**reader.heap[base], static_key(reader, key): value} if is_static else _stored_under(reader, base, key, value)


def _value_under(reader: Reader, base: DictRef, key: Abstract) -> Abstract:
    if is_atom(key) and not isinstance(key, Literal):
        if issubclass(base.kind, defaultdict) and base.origin is not None:
            static_key(reader, key)  # it may get the key
        return value_of_key(reader, base, key, *((0,) if base.kind is Counter else ()))
    if has_choices(reader, key) and base.kind is dict and reader.heap[base]:
        return value_of_parts(reader, base, key)
    items = reader.heap[base]
    name = hashed(reader, key)
    if name in items:
        return items[name]
    kind: Any = base.kind
    if kind is Counter:
        return 0
    factory = factory_value(reader, kind)
    if factory is None:
        raise KeyError(name)
    writable(reader, base)
    made = reader.rules.call(factory, ())
    reader.heap[base] = {**reader.heap[base], name: made}
    return made


def static_key(reader: Reader, key: Abstract) -> Any:
    """A key of a container, which must be known while reading."""
    return hashed(reader, key)


@asks_python
def get_of_sequence(reader: Reader, base: Abstract, items: Any, key: Abstract) -> Abstract:
    """items[key], the items of `base`."""
    key = scalar_of(reader, key)
    if isinstance(key, slice) and not is_known(reader, key):
        raise reader.unsupported("a slice of a tuple with bounds known only at run time", "a list, or an array")
    if not is_known(reader, key):
        if isinstance(base, range):
            return item_of_range(reader, base, key)
        if isinstance(base, tuple | ListRef):
            return item_of_sequence(reader, base, items, key)
        if isinstance(base, str) and not reader.unrollable and not reader.over_text:
            return item_of_sequence(reader, base, tuple(base), key)
        raise reader.unsupported(f"an index of {describe(reader, base)} that is known only at run time", "a constant index")
    found = items[plain(reader, key)]
    return tuple(found) if isinstance(base, tuple) and isinstance(key, slice) else found


def _part_of_list(reader: Reader, base: ListRef, key: slice) -> Abstract:
    """A part of a list of known items between bounds known only at run time."""
    items = reader.heap[base]
    part = reader.new_list(items)
    kinds = {(scalar_type(item).dtype, scalar_type(item).weak) for item in items if is_atom(item) or is_number(item)}
    if len(kinds) > 1 or not any_length(reader, part):
        raise reader.unsupported("a slice of a list of several types of items with bounds known only at run time", "an array, or one list for each type")
    return item_at(reader, reader.heap[part], key)


def _all_of(reader: Reader, base: ListRef, value: IteratorRef) -> Abstract:
    """The list of what an iterator gives, which is stored into another list: where it stands is said by the length that this had before."""
    before = content_of(reader, base)
    found = reader.rules.call(list, (value,))
    if has_changed(reader, value, base) or is_changed(reader, base, before):
        raise reader.unsupported("a store into a part of a list of an iterator whose items change that list", "list(…) of the iterator before it")
    return found


def _stored_somewhere(reader: Reader, items: list[Abstract], key: Abstract, value: Abstract) -> list[Abstract]:
    """A list's items behind a store at an index that only the run knows."""
    refused_by_python(reader, operator.getitem, reader.new_list(items), key)
    if reader.unrollable or len(items) > MANY or not all(is_atom(each) or is_number(each) for each in (value, *items)) or not is_atom(key):
        error = refused(reader, reader.unsupported("a store into a list at an index known only at run time", "an array (np.zeros(n)) instead of the list"), value, *items)
        if isinstance(error, ToBePooled) or not is_atom(key) or not are_options(reader, (value, *items)):
            raise error
    position = position_in(reader, size_literal(len(items)), key, "list assignment index out of range")
    tests = [reader.rules.truth(reader.rules.compare("==", position, number)) for number in range(len(items))]
    return [pick(reader, test, value, item) for test, item in zip(tests, items, strict=True)]


def _stored_under(reader: Reader, base: DictRef, key: Abstract, value: Abstract) -> dict[Any, Abstract]:
    """A dict's items behind a store under a key that only the run knows: one of those that it has."""
    items = reader.heap[base]
    if base.origin is not None and not is_member(reader, key):
        static_key(reader, key)
    if reader.unrollable or not 0 < len(items) <= MANY or not all(is_atom(each) or is_number(each) for each in (value, *items.values())):
        static_key(reader, key)
    found = reader.rules.contains(base, key)
    if found is False:
        static_key(reader, key)
    if not isinstance(found, bool):
        reader.builder.check(found, "NotImplementedError", "a new key of a dict that is known only at run time")
    tests = [reader.rules.truth(reader.rules.compare("==", key, key_value(reader, known))) for known in items]
    return {known: pick(reader, test, value, item) for (known, item), test in zip(items.items(), tests, strict=True)}


__all__ = ["get_of_dict", "get_of_list", "get_of_sequence", "static_key", "store_into_dict", "store_into_list"]
