"""collections.Counter: a dict whose keys are known and whose counts may be of run time; a key that it has not is counted 0."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from s2s.transforms.read.calls.ordering import run_time_iteration
from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.items import items_of
from s2s.transforms.read.flow.keyed import is_keyed, method, must_be_new
from s2s.transforms.read.iterations import Iteration
from s2s.transforms.read.known import hashed, is_known, key_value, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, IteratorRef, ListRef, ObjectRef, SetRef, View

Counts = dict[Any, Abstract]


def counter(reader: Reader, iterable: Abstract = None, /, **counts: Abstract) -> Abstract:
    """Counter(iterable, **counts)."""
    if isinstance(iterable, IteratorRef | Iteration | View | ListRef | ObjectRef) and not counts and (of_run_time := _of_run_time(reader, iterable)) is not None:
        return of_run_time
    held: Counts = {}
    _add(reader, held, iterable, "+")
    for key, count in counts.items():
        held[key] = reader.rules.binary("+", count, held[key]) if key in held else count
    return reader.new_dict(held, Counter)


def _of_run_time(reader: Reader, iterable: Abstract) -> Abstract:
    """A counter of something whose length only the run knows; None for what is known item by item."""
    given = iterable
    said = special(reader, iterable, "__iter__")
    iterable = iterable if said is None else said[0]
    iteration = run_time_iteration(reader, iterable)
    if iteration is None:
        return None
    found = must_be_new(reader, Counter, "a Counter of something whose length is known only at run time", "a loop that counts")
    method(reader, found, "update", given if is_keyed(given) else iteration)
    return found


def _add(reader: Reader, held: Counts, given: Abstract, sign: str) -> None:
    """Count what an iterable has, or a dict's counts."""
    if given is None:
        return
    if isinstance(given, DictRef) and not isinstance(given, SetRef):
        pairs = [(key, count) for key, count in reader.heap[given].items()]
        if sign == "+" and not held:  # as it stands: a count need be no number
            held.update(pairs)
            return
    else:
        pairs = [(hashed(reader, item), 1) for item in items_of(reader, given)]
    for key, count in pairs:
        held[key] = reader.rules.binary(sign, held.get(key, 0), count)


def _update(reader: Reader, held: Counts, iterable: Abstract = None, **counts: Abstract) -> None:
    _add(reader, held, iterable, "+")
    _add(reader, held, reader.new_dict(counts) if counts else None, "+")


def _subtract(reader: Reader, held: Counts, iterable: Abstract = None, **counts: Abstract) -> None:
    _add(reader, held, iterable, "-")
    _add(reader, held, reader.new_dict(counts) if counts else None, "-")


@asks_python
def _known(reader: Reader, held: Counts, name: str) -> Any:
    if not is_known(reader, tuple(held.values())):
        raise reader.unsupported(f"Counter.{name} of counts that are known only at run time", "sorted(counter.items(), key=…), or a loop")
    return Counter({key: plain(reader, count) for key, count in held.items()})


@asks_python
def _most_common(reader: Reader, held: Counts, n: Abstract = None) -> Abstract:
    return reader.new_list((key_value(reader, key), count) for key, count in _known(reader, held, "most_common").most_common(plain(reader, n)))


def _elements(reader: Reader, held: Counts) -> Abstract:
    return reader.rules.call(iter, (reader.new_list(key_value(reader, key) for key in _known(reader, held, "elements").elements()),))


def _total(reader: Reader, held: Counts) -> Abstract:
    return reader.rules.call(sum, (tuple(held.values()),))


CHANGES: dict[str, Callable[..., None]] = {"update": _update, "subtract": _subtract}
"""Methods that change a counter."""
ASKED: dict[str, Callable[..., Abstract]] = {"most_common": _most_common, "elements": _elements, "total": _total}
"""Methods that do not, beside those of a dict."""
COUNTERS: dict[str, Callable[..., Abstract]] = {"collections.Counter": counter}

__all__ = ["ASKED", "CHANGES", "COUNTERS"]
