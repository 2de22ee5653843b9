"""base[key] and base[key] = value, of anything: arrays (`array_parts.py`), lists, tuples and dicts (`container_items.py`), objects."""
from __future__ import annotations

import operator

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.callables import AtArray, AtPlace, FlatArray
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.calls.hidden import enter_item
from s2s.transforms.read.classes import class_of_value, type_name
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow import float_errors
from s2s.transforms.read.flow.array_parts import get_of_number, get_part_of, note_index, store_into
from s2s.transforms.read.flow.container_items import get_of_dict, get_of_list, get_of_sequence, static_key, store_into_dict, store_into_list
from s2s.transforms.read.flow.flat import get_of_flat, set_of_flat
from s2s.transforms.read.flow.index_tricks import get_of_trick, is_index_trick
from s2s.transforms.read.flow.options import item_of_tuples
from s2s.transforms.read.flow.selection import item_of_range
from s2s.transforms.read.flow.spreading import spreads, spreads_key
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.known import by_python, is_known, refused_by_python
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.rows import RowPlace, item_of_row, store_into_row
from s2s.transforms.read.values import (
    Abstract,
    DequeRef,
    DictRef,
    ListRef,
    OneOf,
    Outside,
    Pooled,
    SetRef,
    Text,
    View,
    is_atom,
    is_dict_of_fields,
)
from s2s.transforms.read.zero_dim import which

_BY_INDEX = (RowPlace, View, RunRange, tuple, str, range, bytes, ListRef, FlatArray)
"""What is asked for an item by its place."""
_OF_ARRAYS = (View, RowPlace, FlatArray)


def by_index(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    """A key, with the integers for which objects in it stand where it is a place; of an array, with the lists of a pool as lists of their own."""
    key = _with_lists(reader, key) if isinstance(base, _OF_ARRAYS) else key
    return special_methods.as_index(reader, key) if isinstance(base, _BY_INDEX) else key


def _with_lists(reader: Reader, key: Abstract) -> Abstract:
    if type(key) is tuple:
        return tuple(_with_lists(reader, each) for each in key)
    return reader.rules.call(list, (key,)) if isinstance(key, Pooled) and class_of_value(reader, key) is list else key


def get_item(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    """base[key]."""
    of_tuples = item_of_tuples(reader, base, key) if isinstance(base, OneOf) and type(key) is int else None
    return _get_item(reader, base, key) if of_tuples is None else of_tuples[0]


@spreads(0, 1)
@spreads_key(1)
def _get_item(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    if (said := special_methods.item(reader, base, key)) is not None:
        return said[0]
    if is_dict_of_fields(base):
        if not isinstance(key, str) or key.startswith("_"):
            raise KeyError(key)
        return reader.rules.attribute(base, key)
    key = by_index(reader, base, key)
    match base:
        case RowPlace():
            return item_of_row(reader, base, key)
        case View():
            with numpys_words(reader, operator.getitem, (base, key)):
                return get_part_of(reader, base, key)
        case RunRange():
            return item_of_range(reader, base, key)
        case tuple() | str() | range() | bytes():
            return get_of_sequence(reader, base, base, key)
        case DequeRef() if isinstance(key, slice):
            raise ArgumentTypeError("sequence index must be integer, not 'slice'", where=reader.builder.where)
        case ListRef():
            return get_of_list(reader, base, key)
        case SetRef():
            raise ArgumentTypeError("'set' object is not subscriptable", where=reader.builder.where)
        case DictRef():
            return get_of_dict(reader, base, key)
        case AtArray():
            return AtPlace(base.array, key)
        case FlatArray():
            return get_of_flat(reader, base, key)
        case Outside() if is_index_trick(base.object):
            return get_of_trick(reader, base.object, key)
        case Outside():
            return enter_item(reader, base, static_key(reader, key))
    if is_atom(base):
        return get_of_number(reader, base, key)
    if is_index_trick(base):
        return get_of_trick(reader, base, key)
    refused_by_python(reader, operator.getitem, base, key)
    if not is_known(reader, base) or not is_known(reader, key):
        raise reader.unsupported(f"an item of {describe(reader, base)}", "an array, list, tuple or dict")
    return by_python(reader, operator.getitem, base, key)


def part_to_update(reader: Reader, base: Abstract, key: Abstract) -> Abstract:
    """base[key] that is stored back at once (base[key] op= …): a copy is never taken for an alias."""
    return get_part_of(reader, base, key, noted=False) if isinstance(base, View) else get_item(reader, base, key)


@spreads(0, 1)
@spreads_key(1)
def set_item(reader: Reader, base: Abstract, key: Abstract, value: Abstract) -> None:
    """base[key] = value."""
    if special_methods.stores_item(reader, base, key, value):
        return
    key = by_index(reader, base, key)
    match base:
        case RowPlace():
            store_into_row(reader, base, key, value)
        case View():
            note_index(reader, base, key)
            float_errors.stored(reader, base, value)
            store_into(reader, base, key, value)
        case FlatArray():
            float_errors.stored(reader, base.array, value)
            set_of_flat(reader, base, key, value)
        case ListRef():
            store_into_list(reader, base, key, value)
        case SetRef():
            raise ArgumentTypeError("'set' object does not support item assignment", where=reader.builder.where)
        case DictRef():
            store_into_dict(reader, base, key, value)
        case Outside():
            raise reader.unsupported(f"a store into an object outside of the function ({type(base.object).__name__})", "return the new value")
        case tuple():
            raise ArgumentTypeError("'tuple' object does not support item assignment", where=reader.builder.where)
        case str() | bytes() | range() | frozenset() | None | RunRange() | Text():
            raise ArgumentTypeError(f"{type_name(reader, base)!r} object does not support item assignment", where=reader.builder.where)
        case _ if is_atom(base):
            which(reader, base, "the class")
            raise ArgumentTypeError(f"{type_name(reader, base)!r} object does not support item assignment", where=reader.builder.where)
        case _:
            raise reader.unsupported(f"a store into {describe(reader, base)}", "an array, list or dict")


__all__ = ["by_index", "get_item", "part_to_update", "set_item"]
