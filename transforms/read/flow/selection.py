"""What a run-time number selects among values that are known one by one: an item of a list or tuple, a value of a dict.

    bc[i]    with bc = {0: 1.0, 8: 0.5}    check i == 0 or i == 8 (KeyError);  1.0 if i == 0 else 0.5
    w[k]     with w = [a, b]               check -2 <= k < 2 (IndexError);     a if k == 0 else b
    w[k]     with 5 numbers or more        check -n <= k < n (IndexError);     np.array(w)[k]

In a loop whose few trips can be read one by one they are: then the number is known, and nothing need be compared.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, getitem
from s2s.transforms.read.failures import NeedsInline, ToBePooled
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.conditions import either
from s2s.transforms.read.flow.failing import check
from s2s.transforms.read.flow.items import as_python_int, range_length
from s2s.transforms.read.flow.joining import first_of
from s2s.transforms.read.flow.options import MOST, is_option
from s2s.transforms.read.flow.spreading import spread
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.known import is_known, key_value, plain, refused_by_python
from s2s.transforms.read.numpy import creation
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.growing import position_in
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.storage.tables import any_length, item_at, keep
from s2s.transforms.read.values import (
    Abstract,
    Arguments,
    DictRef,
    ListRef,
    OneOf,
    Pooled,
    Ref,
    View,
    factory_of,
    is_atom,
    is_long,
    is_number,
    scalar_type,
)
from s2s.transforms.read.wrapping import as_atom, as_size, unwrap_atom, wrap
from s2s.types import Atom, size_literal

FEW = 4
"""Numbers of one type, of which an array is made if there are more (before the loops in which they do not change: `ir/tables_first.py`)."""
MANY = 64
"""Values, of which no more are compared."""
_IN_AN_ARRAY = "put the items into one array (np.stack) before the loop, or loop over the items themselves"


def _selectable(reader: Reader, values: Sequence[Abstract]) -> bool:
    """Whether one of the values can be chosen at run time, and nothing better can be done."""
    return not reader.unrollable and 0 < len(values) <= MANY and all(_is_number(value) for value in values)


def _is_number(value: Abstract) -> bool:
    return is_atom(value) or is_number(value) or isinstance(value, View | Pooled) or (type(value) is tuple and all(_is_number(item) for item in value))


def are_options(reader: Reader, values: Sequence[Abstract]) -> bool:
    """Whether a name may stand for one of the values, of which the run knows which."""
    return not reader.unrollable and 0 < len(values) <= MANY and all(map(partial(is_option, reader), values))


@asks_python
def item_of_sequence(reader: Reader, base: Abstract, items: Sequence[Abstract], key: Abstract) -> Abstract:
    """items[key] of a list or tuple, where the key is known at run time only."""
    refused_by_python(reader, operator.getitem, base, key)
    if isinstance(base, ListRef) and items and all(isinstance(item, Pooled) for item in items) and any_length(reader, base):
        return item_at(reader, reader.heap[base], key)
    refusal = reader.unsupported("an index of a list or tuple that is known only at run time", _IN_AN_ARRAY)
    if isinstance(key, View):
        raise refusal
    if (len(items) > FEW or isinstance(items[0], str)) and not reader.unrollable and are_a_table(items, texts=True):
        return table_of(reader, items)(position_in(reader, size_literal(len(items)), key, f"{_kind(base)} index out of range"))
    selectable = _selectable(reader, items)
    if not selectable and (isinstance(error := refused(reader, refusal, *items), ToBePooled) or not are_options(reader, items)):
        raise error
    position = position_in(reader, size_literal(len(items)), key, f"{_kind(base)} index out of range")
    if _are_refs(items):
        return OneOf(position, tuple(items))
    tests = [reader.rules.truth(reader.rules.compare("==", position, number)) for number in range(len(items))]
    return first_of(reader, tests, items)


def _kind(base: Abstract) -> str:
    return "tuple" if isinstance(base, tuple) else "string" if isinstance(base, str) else "list"


def are_a_table(items: Sequence[Abstract], *, texts: bool = False) -> bool:
    """Whether the items are numbers of one type (or texts), or tuples of as many, so that an array of them (or of their numbers) can be asked."""
    if items and all(type(item) is tuple and len(item) == len(items[0]) for item in items):
        return bool(items[0]) and all(are_a_table(column, texts=texts) for column in zip(*items, strict=True))
    if texts and items and all(type(item) is str for item in items):
        return len(set(items)) <= MOST
    return all(is_atom(item) or is_number(item) and not is_long(item) for item in items) and len({scalar_type(item) for item in items}) == 1


def table_of(reader: Reader, items: Sequence[Abstract]) -> Callable[[Atom], Abstract]:
    """An array of such items: which one stands at a position that there is."""
    if isinstance(items[0], tuple):
        columns = [table_of(reader, column) for column in zip(*items, strict=True)]
        return lambda position: tuple(column(position) for column in columns)
    if isinstance(items[0], str):
        return _table_of_texts(reader, items)
    type_ = scalar_type(items[0])
    with building(reader.builder):
        table = creation.array([wrap(reader, item) for item in items], type_.dtype)

    def item(position: Atom) -> Abstract:
        with building(reader.builder):
            found = getitem(reader.value(table.atom), reader.value(position), index=(At(),))
            return unwrap_atom(reader, marked(found, weak=type_.weak).atom)

    return item


def _table_of_texts(reader: Reader, items: Sequence[str]) -> Callable[[Atom], Abstract]:
    texts = tuple(dict.fromkeys(items))
    if len(texts) == 1:
        return lambda position: texts[0]
    if len(texts) == len(items):
        return lambda position: OneOf(position, texts)
    number = table_of(reader, [texts.index(item) for item in items])
    return lambda position: OneOf(as_atom(reader, number(position)), texts)


def as_one_list(reader: Reader, value: Abstract) -> Abstract:
    """Of lists of numbers, of which the run knows which one it is: a copy, as which it stands in a list of run-time length. Neither may change from there on. Other values: themselves."""
    options = value.options if isinstance(value, OneOf) else ()
    contents = [reader.heap[each] for each in options if type(each) is ListRef and each in reader.heap]
    if not isinstance(value, OneOf) or len(contents) < len(options) or not all(isinstance(each, tuple) and each and len(each) == len(contents[0]) for each in contents):
        return value
    columns = list(zip(*contents, strict=True))
    if not all(map(are_a_table, columns)):
        return value
    for each in options:
        keep(reader, each)
    found = reader.new_list([table_of(reader, column)(value.place) for column in columns])
    keep(reader, found)
    found.origins = frozenset[Any]().union(*(each.origins for each in options if isinstance(each, ListRef)))
    return found


def item_of_range(reader: Reader, base: range | RunRange, key: Abstract) -> Abstract:
    """range(…)[key]."""
    refused_by_python(reader, operator.getitem, base, key)
    if isinstance(key, slice | View):
        raise reader.unsupported("a slice of a range that is known only at run time", "another range")
    bounds = RunRange.of(base)
    position = position_in(reader, range_length(reader, bounds), key, "range object index out of range")
    return as_python_int(reader, sizes.plus(reader.builder, bounds.lo, sizes.times(reader.builder, position, bounds.step)))


def value_of_key(reader: Reader, container: Any, key: Abstract, *default: Abstract) -> Abstract:
    """container[key] of a dict, where the key is known at run time only; with a default, container.get(key, default)."""
    items = reader.heap[container]
    if not default and _are_refs(tuple(items.values())) and are_options(reader, list(items.values())) and (container.origin is None or any(map(_is_plain_dict, items.values()))):
        return OneOf(_place_of_key(reader, container, key), tuple(items.values()))
    if not _selectable(reader, [*items.values(), *default]) or len(default) == 1 and not items:
        if container.owner == "the caller":
            raise NeedsInline  # the caller knows where it was made, and may make it one of run-time keys
        refusal = reader.unsupported("a key of a dict that is known only at run time", "a constant key, or an array and an integer index")
        raise refused(reader, refusal, *items.values()) if container.origin is None else refusal
    if not default:
        _check_key(reader, container, key)
        return first_of(reader, _tests_of_keys(reader, items, key), tuple(items.values()))
    return first_of(reader, [*_tests_of_keys(reader, items, key), True], (*items.values(), *default))


def has_choices(reader: Reader, key: Abstract) -> bool:
    """Whether a key is a tuple with texts that only the run knows: `(state, flag)`."""
    return type(key) is tuple and any(map(_is_text, key)) and not is_known(reader, key)


def _is_text(part: Abstract) -> bool:
    return isinstance(part, str) or isinstance(part, OneOf) and all(isinstance(option, str) for option in part.options)


def value_of_parts(reader: Reader, container: Any, key: tuple[Abstract, ...], *default: Abstract) -> Abstract:
    """container[key] of a dict of known tuples, for each text that a part of the key may be; with a default, container.get(key, default)."""
    place = next((place for place, part in enumerate(key) if isinstance(part, OneOf)), None)
    if place is not None:
        return spread(reader, key[place], lambda option: value_of_parts(reader, container, (*key[:place], option, *key[place + 1 :]), *default))
    fits = {known: value for known, value in reader.heap[container].items() if type(known) is tuple and len(known) == len(key) and _may_be(reader, key, known)}
    values = (*fits.values(), *default)
    tests = _tests_of_keys(reader, fits, key)
    if True in tests or len(values) == 1 and not tests:
        return values[tests.index(True) if True in tests else 0]
    if not fits:
        raise KeyError(plain(reader, key) if is_known(reader, key) else "a tuple that only the run knows")
    if not _selectable(reader, values) and not are_options(reader, values):
        raise reader.unsupported("a key of a dict that is known only at run time", "a constant key, or an array and an integer index")
    if default:
        return first_of(reader, [*tests, True], values)
    check(reader, reduce(partial(either, reader), map(partial(as_atom, reader), tests)), KeyError, Arguments((key,), {}))
    return first_of(reader, tests, values)


def _may_be(reader: Reader, key: tuple[Abstract, ...], known: tuple[Any, ...]) -> bool:
    return all(not is_known(reader, part) or plain(reader, part) == each for part, each in zip(key, known, strict=True))


def _tests_of_keys(reader: Reader, items: dict[Any, Abstract], key: Abstract) -> list[Any]:
    return [reader.rules.truth(reader.rules.compare("==", key, key_value(reader, known))) for known in items]


def _check_key(reader: Reader, container: Any, key: Abstract) -> None:
    """KeyError in the run, unless the dict has the key."""
    found = reader.rules.contains(container, key)
    if isinstance(found, bool):
        if not found:
            raise reader.unsupported("a key of a dict that it surely does not have", "a key that it has")
    elif factory_of(container.kind) is not None:
        reader.builder.check(found, "NotImplementedError", "a new key of a defaultdict that is known only at run time")
    else:
        check(reader, found, KeyError, Arguments((key,), {}) if is_atom(key) else None)


def _place_of_key(reader: Reader, container: Any, key: Abstract) -> Any:
    """Which of a dict's values a key leads to."""
    _check_key(reader, container, key)
    items = reader.heap[container]
    return as_size(reader, first_of(reader, _tests_of_keys(reader, items, key), tuple(range(len(items)))), "a place")


def _are_refs(items: Sequence[Abstract]) -> bool:
    """Whether there are containers or objects among them, and few enough for a name to stand for one (`OneOf`)."""
    return any(map(_holds_ref, items)) and len(items) <= MOST and not any(isinstance(item, OneOf) for item in items)


def _holds_ref(item: Abstract) -> bool:
    return any(map(_holds_ref, item)) if isinstance(item, tuple) else isinstance(item, Ref)


def _is_plain_dict(value: Abstract) -> bool:
    """Whether it is a dict or set of known keys that can't stand in a pool, as records can."""
    return isinstance(value, DictRef) and not value.origins


__all__ = ["are_a_table", "are_options", "as_one_list", "has_choices", "item_of_range", "item_of_sequence", "table_of", "value_of_key", "value_of_parts"]
