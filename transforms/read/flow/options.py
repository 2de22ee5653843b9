"""Values of which only the run knows what they are: `OneOf`.

    m = Mode.LOW if x > 0 else Mode.HIGH      m = OneOf(m_kind, (Mode.LOW, Mode.HIGH)),  m_kind = 0 if x > 0 else 1
    m is Mode.LOW                             m_kind == 0
    best = None, in a loop best = v           best = OneOf(best_kind, (None, best)), both carried

Where paths meet the values of each kind are joined as ever, and a number says which kind it is. What is asked of such a value is asked of each
option that it may be, on a path of its own (`spreading.py`); a test that told what it is holds for what stands behind it (`narrowed`).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from typing import Any

from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.read.callables import Applied, ArrayMethod, Closure, ContainerMethod, Method
from s2s.transforms.read.flow.agreement import differs_in_precision, same_static
from s2s.transforms.read.numpy.arithmetic import where
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.growing import IN_A_LIST
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    DictView,
    JoinedText,
    ListRef,
    MadeError,
    ObjectRef,
    OneOf,
    Outside,
    Pooled,
    Text,
    View,
    is_atom,
    is_number,
    same_structure,
    scalar_type,
)
from s2s.types import Array, Atom, Literal, Opaque, Var, size_literal

MOST = 64
"""Kinds of which a value may be one."""


def alternatives(value: Abstract) -> tuple[Abstract, ...]:
    """What it may be."""
    return value.options if isinstance(value, OneOf) else (value,)


def is_option(reader: Reader, value: Abstract) -> bool:
    """Whether a value may stand beside others."""
    if isinstance(value, OneOf):
        return all(is_option(reader, each) for each in value.options)
    if isinstance(value, tuple):
        return all(isinstance(each, Pooled) or is_option(reader, each) for each in value)
    if is_atom(value) or is_number(value) or isinstance(value, View):
        return True
    if isinstance(value, ObjectRef | ListRef | DictRef):
        return value in reader.heap
    if isinstance(value, Pooled):
        return not value.pool.plan.sites
    return isinstance(value, DictView | Outside | Closure | Method | Applied | ArrayMethod | ContainerMethod | MadeError | Text | JoinedText) or not isinstance(value, Opaque | slice)


def is_runtime_kind(value: Abstract) -> bool:
    """Whether the option holds a value of run time, which is joined and carried."""
    return is_atom(value) or is_number(value) or isinstance(value, View | tuple | Pooled) or is_copy(value)


def is_copy(value: Abstract) -> bool:
    """Whether it is a list that nobody may change any more, so that one with the same items is as good: an item of a list of run-time length, what is one or another of such."""
    return type(value) is ListRef and (value.owner == IN_A_LIST or value.owner is not None and value.merged)


def are_same_kind(reader: Reader, a: Abstract, b: Abstract, noted: Mapping[Abstract, Any] | None = None) -> bool:
    """Whether two values that are no numbers, arrays or tuples of such are options of one kind; `noted`: what lists of trips that are over held."""
    if not is_copy(a) or not is_copy(b) or a is b:
        return same_static(reader, a, b)
    one, two = (reader.heap[each] if each in reader.heap else (noted or {}).get(each) for each in (a, b))
    if not isinstance(one, tuple) or not isinstance(two, tuple) or len(one) != len(two):
        return False
    return all((is_atom(each) or is_number(each)) and (is_atom(other) or is_number(other)) and not differs_in_precision(scalar_type(each), scalar_type(other)) for each, other in zip(one, two, strict=True))


def alike(a: Abstract, b: Abstract, same: Callable[[Abstract, Abstract], bool], first: Callable[[View], Array], second: Callable[[View], Array]) -> bool:
    """Whether two values are options of one kind; `same`: of known ones, `first` and `second`: the types of their views."""
    if (is_atom(a) or is_number(a)) and (is_atom(b) or is_number(b)):
        return not differs_in_precision(scalar_type(a), scalar_type(b))
    if isinstance(a, View) and isinstance(b, View):
        one, two = first(a), second(b)
        return one.dtype == two.dtype and len(one.shape) == len(two.shape)
    if isinstance(a, Pooled) and isinstance(b, Pooled):
        return a.pool is b.pool
    if isinstance(a, OneOf) or isinstance(b, OneOf):  # items of tuples
        return True
    if isinstance(a, tuple) and a:
        return same_structure(a, b) and all(alike(x, y, same, first, second) for x, y in zip(a, b, strict=True))
    return same(a, b)


def union(ours: tuple[Abstract, ...], theirs: tuple[Abstract, ...], same: Callable[[Abstract, Abstract], bool]) -> tuple[list[tuple[Any, Any]], list[int], list[int]]:
    """The kinds of both: (of the first, of the second), ABSENT where one has none, and the place of each of ours and of theirs among them."""
    slots: list[tuple[Any, Any]] = [(each, ABSENT) for each in ours]
    places = []
    for each in theirs:
        number = next((k for k, (one, two) in enumerate(slots) if one is not ABSENT and two is ABSENT and same(one, each)), None)
        if number is None:
            number = len(slots)
            slots.append((ABSENT, each))
        else:
            slots[number] = (slots[number][0], each)
        places.append(number)
    return slots, list(range(len(ours))), places


ABSENT = object()
"""No value of this kind."""


def place_among(reader: Reader, value: Abstract, places: list[int]) -> Atom:
    """The place of a value of which the options are at these places among others."""
    if not isinstance(value, OneOf):
        return size_literal(places[0])
    if places == list(range(len(places))):
        return value.place
    with building(reader.builder):
        found: Any = reader.value(size_literal(places[-1]))
        for number in range(len(places) - 2, -1, -1):
            test = reader.value(value.place)
            (is_it,) = reader.builder.equation(equal, (test.atom, size_literal(number)))
            found = where(reader.value(is_it), reader.value(size_literal(places[number])), found)
        atom: Atom = found.atom
        return atom


def item_of_tuples(reader: Reader, value: OneOf, place: int) -> tuple[Abstract] | None:
    """The item at a place of what is one of several tuples on this path: one of several by the same number, so that what tells one item tells the others.

    None where it is not of another kind in each.
    """
    numbers = possible(reader, value)
    tuples = {number: value.options[number] for number in numbers if type(value.options[number]) is tuple}
    if len(tuples) < len(numbers) or any(not -len(each) <= place < len(each) or isinstance(each[place], OneOf) for each in tuples.values()):
        return None
    items = {number: each[place] for number, each in tuples.items()}
    first, *others = items.values()
    if all(same_static(reader, first, each) for each in others):
        return (first,)
    if any(is_runtime_kind(one) and _alike_now(reader, one, two) for one, two in combinations(items.values(), 2)):
        return None
    return (OneOf(value.place, tuple(items.get(number, first) for number in range(len(value.options)))),)


def _alike_now(reader: Reader, a: Abstract, b: Abstract) -> bool:
    def type_of(view: View) -> Array:
        return load(reader, view).type

    return alike(a, b, partial(are_same_kind, reader), type_of, type_of)


# ---- what is known of them on a path -----------------------------------------------------------------------------------------


def possible(reader: Reader, value: OneOf) -> list[int]:
    """The options that it may be on this path."""
    if isinstance(value.place, Literal):
        return [int(value.place.value)]  # type: ignore[arg-type]
    ruled_out = reader.excluded.get(value.place, frozenset()) | _of_other_side(reader, value.place)
    return [number for number in range(len(value.options)) if number not in ruled_out] or [len(value.options) - 1]


def _of_other_side(reader: Reader, place: Atom) -> frozenset[int]:
    """Options that an If's place has only on the side that this path does not come from."""
    test, first, second = reader.session.sides.get(place, (None, frozenset(), frozenset()))
    holds = _told(reader, test)
    return frozenset() if holds is None else second - first if holds else first - second


def _told(reader: Reader, test: Atom | None) -> bool | None:
    """Whether a test holds on this path, where what has been ruled out says so."""
    kind, *rest = reader.session.tests.get(test, ("",))
    if kind == "not":
        holds = _told(reader, rest[0])
        return None if holds is None else not holds
    if kind != "is":
        return None
    place, number = rest
    ruled_out = reader.excluded.get(place, frozenset())
    return False if number in ruled_out else True if ruled_out >= frozenset(range(MOST)) - {number} else None


def is_at(reader: Reader, value: OneOf, number: int) -> Atom:
    """Whether it is this option."""
    key = ("is option", value.place, number)
    if key not in reader.builder.numbered:
        (found,) = reader.builder.equation(equal, (value.place, size_literal(number)), name="is_it")
        with building(reader.builder):
            test = marked(reader.value(found), weak=True).atom
        reader.builder.numbered[key] = test
        reader.session.tests[test] = ("is", value.place, number)
    known: Var = reader.builder.numbered[key]
    return known


def narrowed(reader: Reader, test: Atom, *, holds: bool) -> None:
    """What is so from here on, on this path, because a test held or did not."""
    found = reader.session.tests.get(test) if isinstance(test, Var) else None
    if found is None:
        return
    kind, *rest = found
    if kind == "is":
        place, number = rest
        if holds:
            reader.excluded = {**reader.excluded, place: reader.excluded.get(place, frozenset()) | (frozenset(range(MOST)) - {number})}
        else:
            reader.excluded = {**reader.excluded, place: reader.excluded.get(place, frozenset()) | {number}}
        _narrow_side(reader, place)
    elif kind == "not":
        narrowed(reader, rest[0], holds=not holds)
    elif kind == ("and" if holds else "or"):
        for each in rest:
            narrowed(reader, each, holds=holds)


def _narrow_side(reader: Reader, place: Atom) -> None:
    """Where only options of one side of an If are left, its test has held, or has not."""
    test, first, second = reader.session.sides.get(place, (None, frozenset(), frozenset()))
    left = (first | second) - reader.excluded[place]
    if test is not None and left and (left.isdisjoint(first) or left.isdisjoint(second)) and _told(reader, test) is None:
        narrowed(reader, test, holds=left.isdisjoint(second))


__all__ = ["ABSENT", "MOST", "alike", "alternatives", "are_same_kind", "is_at", "is_copy", "is_option", "is_runtime_kind", "item_of_tuples", "narrowed", "place_among", "possible", "union"]
