"""The methods of lists, dicts, sets, tuples and texts: by Python where all is known, modelled where their structure is, or refused."""
from __future__ import annotations

import operator
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.calls import counters
from s2s.transforms.read.calls.builtin_functions import BUILTINS
from s2s.transforms.read.calls.ordering import run_time_iteration, sort_in_place
from s2s.transforms.read.calls.queues import deque_method
from s2s.transforms.read.composed import lists
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.comparisons import any_of, contains, is_plain, same_or_equal
from s2s.transforms.read.flow.failing import fail
from s2s.transforms.read.flow.found_in_lists import check_is_no_nan, is_found_in_table
from s2s.transforms.read.flow.items import content_of, items_of, refuse_changing
from s2s.transforms.read.flow.joining import first_of
from s2s.transforms.read.flow.options import alternatives
from s2s.transforms.read.flow.selection import has_choices, value_of_key, value_of_parts
from s2s.transforms.read.flow.spreading import joined_texts
from s2s.transforms.read.flow.texts import str_format
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.known import entered, hashed, is_known, key_value, plain, put_into_set, refused_by_python, sample
from s2s.transforms.read.known_sets import SetItems, itself, of_items
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import keys_of
from s2s.transforms.read.storage import tables
from s2s.transforms.read.storage.access import in_pythons_order
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.storage.kinds_of_items import are_all_texts
from s2s.transforms.read.storage.tables import any_length
from s2s.transforms.read.values import (
    Abstract,
    AnyText,
    DequeRef,
    DictRef,
    DictView,
    IteratorRef,
    JoinedText,
    ListRef,
    Outside,
    Pooled,
    SetRef,
    Text,
    View,
    is_atom,
    is_number,
)  # fmt: skip
from s2s.types import Atom, Literal

Args = tuple[Abstract, ...]


def call_container_method(reader: Reader, container: Abstract, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    """container.name(…)."""
    if not hasattr(sample(reader, container), name):
        raise AttributeError(f"'{type(sample(reader, container)).__name__}' object has no attribute '{name}'")
    match container:
        case ListRef():
            return _list_method(reader, container, name, args, kwargs)
        case SetRef():
            with keys_of(reader, container):
                return _set_method(reader, container, name, args)
        case DictRef():
            with keys_of(reader, container):
                return _dict_method(reader, container, name, args, kwargs)
        case str() | Text():
            return _text_method(reader, container, name, args, kwargs)
        case tuple() if name == "_replace":
            return container._replace(**kwargs)  # type: ignore[attr-defined]
        case tuple() if name == "_asdict":
            return reader.new_dict(container._asdict())  # type: ignore[attr-defined]
        case tuple() if name in ("count", "index") and args:
            return _search(reader, "tuple", container, name, *args)
    return _of_known(reader, container, name, args, kwargs)


@asks_python
def _of_known(reader: Reader, container: Abstract, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    """A method that changes nothing, of a container and arguments that are known."""
    if not all(is_known(reader, each) for each in (container, *args, *kwargs.values())):
        kind = type(sample(reader, container)).__name__
        raise reader.unsupported(f"{kind}.{name} of run-time values", "a loop that compares, or arrays")
    found = getattr(plain(reader, container), name)
    if not callable(found):
        return entered(reader, found)
    return entered(reader, found(*(plain(reader, arg) for arg in args), **{key: plain(reader, arg) for key, arg in kwargs.items()}))


@asks_python
def _search(reader: Reader, kind: str, items: Args, name: str, item: Abstract, *bounds: Abstract) -> Abstract:
    """items.count(item), items.index(item) and items.index(item, start, stop)."""
    if not bounds:
        return number_of(reader, items, item) if name == "count" else place_of(reader, kind, items, item)
    if name == "count" or len(bounds) > 2 or not all(is_known(reader, each) for each in bounds):
        return _of_known(reader, items, name, (item, *bounds), {})
    start, stop = (*plain(reader, bounds), len(items))[:2]
    if start is None or stop is None:
        refused_by_python(reader, [].index, item, start, stop)
    begin, end, _ = slice(start, stop).indices(len(items))
    return reader.rules.binary("+", place_of(reader, kind, items[begin:end], item), begin)


# ---- texts ---------------------------------------------------------------------------------------------------------------------


def _text_method(reader: Reader, text: Abstract, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    if isinstance(text, str) and name == "join" and len(args) == 1:
        texts = reader.rules.call(list, args) if isinstance(args[0], IteratorRef | Iteration) else args[0]
        if (listed := _as_long_as_the_run_makes_it(reader, texts)) is not None:
            return JoinedText(text, listed)
        parts = items_of(reader, texts)
        for number, part in enumerate(parts):
            if not all(isinstance(each, AnyText) for each in alternatives(part)):
                kind = type(sample(reader, part)).__name__
                raise ArgumentTypeError(f"sequence item {number}: expected str instance, {kind} found", where=reader.builder.where)
        return joined_texts(reader, [piece for part in parts for piece in (text, part)][1:])
    if isinstance(text, str) and name == "format" and not all(is_known(reader, arg) for arg in (*args, *kwargs.values())):
        return str_format(reader, text, args, kwargs)
    return _of_known(reader, text, name, args, kwargs)


def _as_long_as_the_run_makes_it(reader: Reader, texts: Abstract) -> ListRef | None:
    """A copy of the list of these texts, where only the run knows how many there are."""
    content = reader.heap[texts] if isinstance(texts, ListRef) else None
    if not isinstance(content, Grown):
        return None
    if not isinstance(content, Table) or not are_all_texts(content.shape):
        raise reader.unsupported("join of a list of run-time length that holds other things than texts", "a list of texts: [str(each) for each in …]")
    return reader.rules.call(reader.rules.attribute(texts, "copy"), ())


# ---- lists ---------------------------------------------------------------------------------------------------------------------


@asks_python
def _list_method(reader: Reader, ref: ListRef, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    if isinstance(ref, DequeRef) and name == "copy" and not args:
        return reader.rules.call(deque, (ref, ref.maxlen))
    if isinstance(ref, DequeRef) and (found := deque_method(reader, ref, name, args)) is not None:
        return found[0]
    if name == "extend" and len(args) == 1:
        refuse_changing(reader, ref, args[0], content_of(reader, ref))
    if isinstance(reader.heap[ref], Grown):
        return _growing_method(reader, ref, name, args, kwargs)
    if name not in ("append", "clear"):
        in_pythons_order(reader, ref)
    before, items = content_of(reader, ref), list(reader.heap[ref])
    if name in ("index", "count"):
        if name == "index" and len(args) in (2, 3) and not is_known(reader, args[1:]) and any_length(reader, ref):
            return _searched(reader, ref, name, *args)
        return _search(reader, "list", tuple(items), name, *args) if args and not kwargs else _of_known(reader, ref, name, args, kwargs)
    if name == "copy" and not args:
        return copied_list(reader, ref)
    writable(reader, ref)
    if name in ("pop", "insert") and args and not is_known(reader, args[0]):
        refused_by_python(reader, operator.getitem, ref, args[0])
        if not any_length(reader, ref):
            raise reader.unsupported(f"list.{name} at an index known only at run time", "an array instead of the list")
        return _growing_method(reader, ref, name, args, kwargs)
    result = None
    if name == "append":
        items.append(*args)
    elif name == "extend" and len(args) == 1 and has_run_time_length(reader, args[0]):
        reader.rules.call(lists.extend, (ref, args[0]))
        return None
    elif name == "extend":
        items.extend(items_of(reader, *args))
        refuse_changing(reader, ref, args[0], before)
    elif name == "remove":
        return _remove(reader, ref, items, *args)
    elif name in ("pop", "insert", "reverse", "clear"):
        result = getattr(items, name)(*(plain(reader, args[0]), *args[1:]) if args else ())
    elif name == "sort":
        reader.heap[ref] = _sorted_items(reader, ref, *args, **kwargs)
        return None
    else:
        raise reader.unsupported(f"list.{name} is not supported here", "append, extend, insert, pop, remove, reverse, clear, copy, sort of known values")
    reader.heap[ref] = tuple(items)
    return result


@asks_python
def _remove(reader: Reader, ref: ListRef, items: list[Abstract], *args: Abstract) -> Abstract:
    """items.remove(value)."""
    place = _place(reader, items, *args)
    if place is None and any_length(reader, ref) and _can_be_found(reader, ref, args[0]):
        return _searched(reader, ref, "remove", args[0])
    if place is None:
        raise reader.unsupported("list.remove of run-time values", "an array, and a mask of what is kept")
    del items[place]
    reader.heap[ref] = tuple(items)
    return None


@asks_python
def _sorted_items(reader: Reader, ref: ListRef, *args: Abstract, **kwargs: Abstract) -> tuple[Abstract, ...] | Grown:
    """What items.sort() leaves."""
    if args:
        raise ArgumentTypeError("sort() takes no positional arguments", where=reader.builder.where)
    found = BUILTINS[sorted](reader, ref, **kwargs)  # which may go back, to another heap
    return reader.heap[found]


_MOVING = {"insert": lists.insert, "pop": lists.pop, "reverse": lists.reverse, "extend": lists.extend}
"""What moves the items of a list whose length is known only at run time."""


def copied_list(reader: Reader, ref: ListRef) -> ListRef:
    """A new list or deque of the same items."""
    made = DequeRef(maxlen=ref.maxlen) if isinstance(ref, DequeRef) else ListRef()
    reader.heap[made] = reader.heap[ref]
    return made


def _place(reader: Reader, items: list[Abstract], item: Abstract) -> int | None:
    """Where the first item stands that is equal; None where only the run knows it."""
    for place, each in enumerate(items):
        same = same_or_equal(reader, each, item)
        if same is True:
            return place
        if not isinstance(same, bool):
            return None
    raise ValueError("list.remove(x): x not in list")


def has_run_time_length(reader: Reader, value: Abstract) -> bool:
    """Whether only the run knows how many items there are; a call knows the length of an array."""
    if isinstance(value, IteratorRef):
        return not once.is_pullable(reader, value)
    if isinstance(value, Pooled):
        iteration = reader.rules.iterate(value)
        return iteration.items is None and iteration.static is None
    return run_time_iteration(reader, value) is not None and not (isinstance(value, View) and reader.session.has_open_sizes)


def _can_be_found(reader: Reader, ref: ListRef, item: Abstract) -> bool:
    """Whether an item is found by what it is equal to: Python asks first whether two are one object, which tells where one is nan."""
    content = reader.heap[ref]
    if isinstance(content, Table) or content.row is not None:
        return is_found_in_table(reader, content, item)
    return not (content.row is not None or content.item_type.shape or content.members) and (is_atom(item) or is_number(item))


def _searched(reader: Reader, ref: ListRef, name: str, item: Abstract, *bounds: Abstract) -> Abstract:
    """list.count, list.index and list.remove of a list whose length is known only at run time."""
    check_is_no_nan(reader, item)
    if name == "count":
        return reader.rules.call(lists.count_of, (ref, item))
    place = reader.rules.call(lists.place_between, (ref, item, *bounds)) if bounds else reader.rules.call(lists.place_of, (ref, item))
    words, values = _not_there(reader, "list", item) if name == "index" else ("list.remove(x): x not in list", ())
    test = reader.rules.truth(reader.rules.compare(">=", place, 0))
    if test is False:
        raise ValueError(words)
    if not isinstance(test, bool):
        reader.builder.check(test, "ValueError", words, *values)
    return place if name == "index" else reader.rules.call(lists.delete, (ref, place))


def _growing_method(reader: Reader, ref: ListRef, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    """A method of a list whose length is known only at run time."""
    if name not in ("count", "index"):
        writable(reader, ref)
    if name in ("count", "index", "remove") and (len(args) == 1 or name == "index" and len(args) in (2, 3)) and _can_be_found(reader, ref, args[0]):
        return _searched(reader, ref, name, *args)
    if name == "append":
        tables.append(reader, reader.heap[ref], args[0])
        return None
    if name == "sort" and not args:
        sort_in_place(reader, ref, **kwargs)
        return None
    if name == "clear":
        reader.heap[reader.heap[ref].counter] = reader.heap[ref].start
        return None
    if name == "copy" and not args:
        return tables.item_at(reader, reader.heap[ref], slice(None))
    if name == "extend" and args and args[0] is ref:
        args = (tables.item_at(reader, reader.heap[ref], slice(None)),)
    if name in _MOVING and len(args) == _MOVING[name].__code__.co_argcount - 1:
        return reader.rules.call(_MOVING[name], (ref, *args))
    if name == "pop" and (not args or args[0] == -1 and isinstance(args[0], int)):
        return tables.pop(reader, reader.heap[ref])
    if name == "extend" and isinstance(args[0], tuple | ListRef):
        for item in items_of(reader, args[0]):
            tables.append(reader, reader.heap[ref], item)
        return None
    raise reader.unsupported(f"list.{name} of a list whose length is known only at run time", "append and pop; or np.array(…) of the list")


# ---- dicts and sets ------------------------------------------------------------------------------------------------------------


@asks_python
def _set_method(reader: Reader, ref: SetRef, name: str, args: Args) -> Abstract:
    """A set's items are known, and so must be what it gets: its methods are Python's."""
    content = plain(reader, ref)
    if name in ("add", "discard", "remove"):
        given: list[Any] = [hashed(reader, arg) for arg in args]
    else:
        given = [put_into_set(reader, arg, items_of(reader, arg)) for arg in args]
    result = getattr(content, name)(*given)
    if isinstance(result, set):
        held = reader.heap[ref]
        return reader.new_set_of(SetItems(lambda: getattr(itself(held), name)(*given)))
    if content != plain(reader, ref):
        writable(reader, ref)
        held = reader.heap[ref] if isinstance(reader.heap[ref], SetItems) else of_items(reader.heap[ref])
        reader.heap[ref] = held.changed(name, tuple(given))
    return result if name != "pop" else key_value(reader, result)


def _get(reader: Reader, ref: DictRef, key: Abstract, default: Abstract = None) -> Abstract:
    if has_choices(reader, key):
        return value_of_parts(reader, ref, key, default)
    if not is_atom(key) or isinstance(key, Literal):
        return reader.heap[ref].get(hashed(reader, key), default)
    if contains(reader, ref, key) is False:
        return default
    return value_of_key(reader, ref, key, default)


@asks_python
def _update(reader: Reader, items: dict[Any, Abstract], *args: Abstract, **kwargs: Abstract) -> None:
    given = BUILTINS[dict](reader, *args, **kwargs)
    if not isinstance(given, DictRef):
        raise reader.unsupported("dict.update with keys that are known only at run time", "a loop that stores the items")
    items.update(reader.heap[given])


@asks_python
def _popitem(reader: Reader, items: dict[Any, Abstract], last: Abstract = True) -> Abstract:
    if plain(reader, last):
        key, value = items.popitem()
    else:
        if not items:
            raise KeyError("dictionary is empty")
        key = next(iter(items))
        value = items.pop(key)
    return key_value(reader, key), value


CHANGES: dict[str, Callable[..., Abstract]] = {
    "update": _update, "popitem": _popitem, "clear": lambda reader, items: items.clear(),
    "setdefault": lambda reader, items, key, default=None: items.setdefault(hashed(reader, key), default),
    "pop": lambda reader, items, key, *default: items.pop(hashed(reader, key), *default),
}  # fmt: skip
"""The methods that change a dict: of the reader, what it holds, and the arguments."""


@asks_python
def _dict_method(reader: Reader, ref: DictRef, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    if name in ("items", "keys", "values"):
        return DictView(ref, name)
    if ref.kind is Counter and name in (*counters.ASKED, *counters.CHANGES, "fromkeys"):
        return _counter_method(reader, ref, name, args, kwargs)
    if name == "move_to_end" and ref.kind is OrderedDict:
        return _move_to_end(reader, ref, *args, **kwargs)
    if name == "get":
        return _get(reader, ref, *args)
    if name == "copy" and not args:
        return reader.new_dict(reader.heap[ref], ref.kind)
    if name == "fromkeys":
        return BUILTINS[dict.fromkeys](reader, *args)
    if name not in CHANGES:
        raise reader.unsupported(f"dict.{name} is not supported", "items, keys, values, get, update, setdefault, pop, popitem, copy, clear")
    if name == "popitem" and (args or kwargs) and ref.kind is not OrderedDict:
        refused_by_python(reader, {}.popitem, *args, **kwargs)
        raise reader.unsupported("dict.popitem with arguments", "popitem()")
    writable(reader, ref)
    items = dict(reader.heap[ref])
    result = CHANGES[name](reader, items, *args, **kwargs)
    reader.heap[ref] = items
    return result


@asks_python
def _counter_method(reader: Reader, ref: DictRef, name: str, args: Args, kwargs: dict[str, Abstract]) -> Abstract:
    if name in counters.ASKED:
        return counters.ASKED[name](reader, reader.heap[ref], *args, **kwargs)
    if name == "fromkeys":
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")
    writable(reader, ref)
    held = dict(reader.heap[ref])
    counters.CHANGES[name](reader, held, *args, **kwargs)
    reader.heap[ref] = held
    return None


@asks_python
def _move_to_end(reader: Reader, ref: DictRef, key: Abstract, last: Abstract = True) -> None:
    writable(reader, ref)
    items = OrderedDict(reader.heap[ref])
    items.move_to_end(hashed(reader, key), last=bool(plain(reader, last)))
    reader.heap[ref] = dict(items)


def number_of(reader: Reader, items: Sequence[Abstract], item: Abstract) -> Abstract:
    """items.count(item)."""
    total: Abstract = 0
    for each in items:
        same = same_or_equal(reader, each, item)
        total = reader.rules.binary("+", total, int(same) if isinstance(same, bool) else reader.rules.call(int, (same,)))
    return total


def _not_there(reader: Reader, kind: str, item: Abstract) -> tuple[str, tuple[Abstract, ...]]:
    """What index raises where no item is equal: a list names what it has not."""
    if kind != "list":
        return f"{kind}.index(x): x not in {kind}", ()
    if is_atom(item):
        return ("{} is not in list" if item.type.weak else f"np.{item.type.dtype}({{}}) is not in list"), (item,)
    shown = repr(plain(reader, item)) if is_known(reader, item) else describe(reader, item)
    return f"{shown} is not in list", ()


def place_of(reader: Reader, kind: str, items: Sequence[Abstract], item: Abstract) -> Abstract:
    """items.index(item)."""
    tests: list[bool | Atom] = []
    for each in items:
        if not all(map(is_plain, (each, item))) and any(not isinstance(test, bool) for test in tests):
            raise reader.unsupported(f"{kind}.index of run-time values", "a loop that compares")
        tests.append(same_or_equal(reader, each, item))
        if tests[-1] is True:
            break
    found = any_of(reader, tests)
    words, values = _not_there(reader, kind, item)
    if found is False:
        if not values:
            raise ValueError(words)
        fail(reader, ValueError, Text(words, values))
        return 0
    if isinstance(found, bool):
        return first_of(reader, tests, tuple(range(len(tests))))
    if reader.unrollable:
        raise reader.unsupported(f"{kind}.index of run-time values", "np.where, np.argmax")
    reader.builder.check(found, "ValueError", words, *values)
    return first_of(reader, tests, tuple(range(len(tests))))


__all__ = ["Outside", "call_container_method", "has_run_time_length", "number_of", "place_of"]
