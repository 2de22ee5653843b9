"""min, max, sum, any, all of items, and zip's strict lengths: where Python's own function can't be asked, item by item."""
from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from s2s.transforms.primitives.arithmetic import greater_equal
from s2s.transforms.read.doubts import note, types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.agreement import converted
from s2s.transforms.read.flow.comparisons import all_of, any_of, compare_by
from s2s.transforms.read.flow.items import counted, items_of
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.flow.joining import pick
from s2s.transforms.read.flow.operations import binary
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.known import by_python, is_known, refused_by_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import (
    Abstract,
    AnyText,
    DictView,
    ListRef,
    Ref,
    View,
    is_atom,
    is_number,
    remake,
    same_structure,
    scalar_type,
)
from s2s.transforms.read.wrapping import as_atom
from s2s.types import COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, Array, Atom, Literal, promote, size_literal

OF_ITEMS = (min, max, sum, any, all)


def of_items(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Abstract] | None:
    """(its value,), or None where all items are numbers and arrays and NumPy's rules have the function."""
    if all(is_known(reader, arg) for arg in (*args, *kwargs.values())) and not (function in (min, max, sum) and _chooses_container(reader, args)):
        return (by_python(reader, function, *args, **kwargs),)
    if function in (any, all):
        if len(args) != 1:
            refused_by_python(reader, function, *args)
        items = items_of(reader, args[0])
        if all(is_atom(item) or is_number(item) for item in items):
            return None
        return ((any_of if function is any else all_of)(reader, (truth_of(reader, item) for item in items)),)
    if function is sum:
        return _sum(reader, *args, **kwargs)
    return _extreme(reader, function, args, kwargs.get("key"), *((kwargs["default"],) if "default" in kwargs else ()))


def _chooses_container(reader: Reader, args: tuple[Abstract, ...]) -> bool:
    """Whether a list, dict or set may be what is given, or be held by it."""
    return len(args) > 1 and any(isinstance(arg, Ref) for arg in args[1:]) or any(_holds_containers(reader, arg) for arg in args)


def _holds_containers(reader: Reader, value: Abstract) -> bool:
    """Whether lists, dicts or sets are among the items, or among theirs: Python would give another one with the same items."""
    if isinstance(value, DictView):
        value = tuple(reader.heap[value.ref].values())
    items = reader.heap[value] if isinstance(value, ListRef) else value
    return isinstance(items, tuple) and any(isinstance(item, Ref) or _holds_containers(reader, item) for item in items)


def _are_numbers(items: Sequence[Abstract]) -> bool:
    return all(is_atom(item) or is_number(item) or isinstance(item, View) for item in items)


def _sum(reader: Reader, iterable: Abstract, start: Abstract = 0) -> tuple[Abstract] | None:
    items = items_of(reader, iterable)
    if isinstance(start, AnyText):
        refused_by_python(reader, builtins.sum, (), start)
    if _are_numbers((*items, start)):
        return None
    total = start
    for item in items:
        total = binary(reader, "+", total, item)
    return (total,)


def _extreme(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], key: Abstract, *default: Abstract) -> tuple[Abstract] | None:
    """The first of the best: Python's rule for equal and unordered items."""
    items: Sequence[Abstract] = args if len(args) > 1 else items_of(reader, args[0])
    if not items:
        if default:
            return default
        raise ValueError(f"{function.__name__}() iterable argument is empty")
    numbers = key is None and _are_numbers(items)
    if numbers and len(args) > 1:
        return None
    items, kinds = _of_one_precision(reader, items)
    if numbers and not kinds:
        return None
    best: Abstract = items[0]
    best_key = best if key is None else reader.rules.call(key, (best,))
    for item in items[1:]:
        item_key = item if key is None else reader.rules.call(key, (item,))
        better = truth_of(reader, compare_by(reader, ">" if function is max else "<", item_key, best_key))
        if not isinstance(better, bool) and reader.unrollable:
            raise reader.unsupported(f"{function.__name__}(…, key=…) of run-time values", "a loop with an if")
        best, best_key = pick(reader, better, item, best), pick(reader, better, item_key, best_key)
    return (_doubtful(reader, best, items, kinds),)


def sorted_items(reader: Reader, items: Sequence[Abstract], keys: Sequence[Abstract], *, reverse: bool, by_trips: bool = True) -> list[Abstract]:
    """The items in the order of their keys, of which only the run knows it: neighbours change places, as an insertion would move them (so that equal ones stay in order). `by_trips`: whether a loop that is read trip by trip may know it."""
    if len(items) > MOST_SORTED:
        raise reader.unsupported(f"sorted() of {len(items)} run-time values", "np.sort, or np.argsort of an array of the keys")
    same = all(key is item for key, item in zip(keys, items, strict=True))
    items, kinds = _of_one_precision(reader, items)
    pairs = list(zip(items if same else keys, items, strict=True))
    for end in range(1, len(pairs)):
        for k in range(end, 0, -1):
            (one_key, one), (two_key, two) = pairs[k - 1], pairs[k]
            first, second = (one_key, two_key) if reverse else (two_key, one_key)
            swap = truth_of(reader, compare_by(reader, "<", first, second))
            if swap is False:
                break
            if swap is True:
                pairs[k - 1 : k + 1] = [pairs[k], pairs[k - 1]]
                continue
            if reader.unrollable and by_trips:
                raise reader.unsupported("sorted() of run-time values in a loop", "np.sort")
            same = all(a is b for a, b in ((one_key, one), (two_key, two)))
            keys_then = pick(reader, swap, two_key, one_key), pick(reader, swap, one_key, two_key)
            items_then = keys_then if same else (pick(reader, swap, two, one), pick(reader, swap, one, two))
            pairs[k - 1 : k + 1] = list(zip(keys_then, items_then, strict=True))
    return [_doubtful(reader, item, items, kinds) for _, item in pairs]


Kinds = frozenset[Array] | tuple["Kinds", ...]
"""The types of which a number may be, depending on the path; of tuples those of each place."""


def _of_one_precision(reader: Reader, items: Sequence[Abstract]) -> tuple[Sequence[Abstract], Kinds]:
    """The items, in place by place of tuples, and their types: Python's floats beside NumPy's of single precision keep their digits, so the others get as many."""
    if all(same_structure(item, items[0]) for item in items):
        places = [_of_one_precision(reader, place) for place in zip(*items, strict=True)]
        rows = zip(*(found for found, _ in places), strict=True)
        return [remake(item, row) for item, row in zip(items, rows, strict=True)] if places else items, tuple(kinds for _, kinds in places)
    if not all(is_atom(item) or is_number(item) for item in items):
        return items, frozenset()
    types = [scalar_type(item) for item in items]
    single = promote(types).dtype
    if single not in _WIDER or not any(type_.weak and type_.dtype.kind in "fc" for type_ in types):
        return items, frozenset()
    kinds = frozenset(type_ for item in items for type_ in types_of(reader.builder, as_atom(reader, item)))
    return [converted(reader, item, Array(_WIDER[single], weak=True)) for item in items], kinds


def _doubtful(reader: Reader, found: Abstract, items: Sequence[Abstract], kinds: Kinds) -> Abstract:
    """One of the items, of which only the run knows which: of which types it may be is noted."""
    if isinstance(kinds, tuple):
        return remake(found, tuple(_doubtful(reader, each, place, one) for each, place, one in zip(found, zip(*items, strict=True), kinds, strict=True)))
    if kinds and is_atom(found) and not any(found is item for item in items):
        note(reader.builder, found, kinds)
    return found


_WIDER = {FLOAT16: FLOAT64, FLOAT32: FLOAT64, COMPLEX64: COMPLEX128}


MOST_SORTED = 16
"""Items that are sorted by comparing them one with the other."""


@asks_python
def check_lengths(reader: Reader, args: tuple[Abstract, ...]) -> None:
    """zip(…, strict=True): the ValueError that Python raises for different lengths."""
    lengths = [size_literal(len(part.items)) if part.items is not None else counted(reader, part)[0] for part in (iterate(reader, arg) for arg in args)]
    known = [int(length.value) for length in lengths if isinstance(length, Literal)]  # type: ignore[arg-type]
    if len(known) == len(lengths):
        list(zip(*map(range, known), strict=True))
        return
    if len(lengths) > 2:
        raise reader.unsupported("zip(…, strict=True) of more than two whose lengths are known only at run time", "a zip of two, or an assert")
    for a, b, how in ((lengths[1], lengths[0], "shorter"), (lengths[0], lengths[1], "longer")):
        if not reader.builder.proves_at_least(a, b):
            reader.builder.check(_at_least(reader, a, b), "ValueError", f"zip() argument 2 is {how} than argument 1")


def _at_least(reader: Reader, a: Atom, b: Atom) -> Atom:
    return greater_equal(reader.value(a), reader.value(b)).atom


__all__ = ["MOST_SORTED", "OF_ITEMS", "check_lengths", "of_items", "sorted_items"]
