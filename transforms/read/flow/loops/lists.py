"""Lists of numbers that a loop binds to a name anew in each trip, of another length: carried as arrays.

    front = [0]
    while len(front) > 0:                     while front.shape[0] > 0:
        found = []                                found, count = …
        …                                         …
        front = found                             front = found[:count]
"""
from __future__ import annotations

from typing import Any

from s2s.records import dataclass
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import new_array
from s2s.transforms.read.storage.growing import grown, item_type, listed
from s2s.transforms.read.storage.grown import Grown, Table, as_array
from s2s.transforms.read.values import Abstract, ListRef, View, is_atom
from s2s.transforms.read.zero_dim import is_member
from s2s.types import BOOL, Array, promote

OTHER = "another list, in some trip"


@dataclass(frozen=True)
class Carried:
    """Of a list that is carried: the type of its items, and where such lists were made."""

    type: Array
    origins: frozenset[Any] = frozenset()


def can_be_carried(reader: Reader, one: Any, other: Any) -> bool:
    """Whether these contents of lists are those of one to be carried: numbers, and not as many known ones in both, which are carried one by one."""
    if not isinstance(one, Grown) and not isinstance(other, Grown) and len(one) == len(other):
        return False
    return type_of_list(reader, one, other) is not None


def type_of_list(reader: Reader, one: Any, other: Any) -> Array | None:
    """The type of the numbers that are the items of both; None where they are no numbers, or there are none."""
    found: Array | None = None
    for content in (one, other):
        if not isinstance(content, Grown) and not content:
            continue
        type_ = _type_of_items(reader, content)
        found = type_ if found is None or type_ is None else _joined(found, type_)
        if found is None:
            return None
    return found


def _type_of_items(reader: Reader, content: Any) -> Array | None:
    if isinstance(content, Grown):
        plain = not isinstance(content, Table) and content.row is None and content.first is None and not content.members
        return content.item_type if plain and not content.item_type.shape and not content.item_type.boxed else None
    found = item_type(reader, content)
    members = any(is_atom(item) and is_member(reader, item) for item in content)
    return None if found is None or found.shape or found.boxed or members else found


def as_carried(reader: Reader, content: Any, carried: Carried) -> Value:
    """A list's items as an array."""
    if not isinstance(content, Grown) and not content:
        return zeros(reader.builder, Array(carried.type.dtype, (0,)))
    held = content if isinstance(content, Grown) else grown(reader, content, carried.type)
    with building(reader.builder):
        return cast(as_array(reader, held), carried.type.dtype)


def _joined(own: Array, new: Array) -> Array | None:
    """The type of a list's items that are of these types in some trips: Python's numbers become those of others; None where there is none."""
    if own == new:
        return own
    if BOOL in (own.dtype, new.dtype) or not (own.weak or new.weak or own.dtype == new.dtype):
        return None
    return promote([own, new])


def list_of(reader: Reader, array: View, carried: Carried) -> ListRef:
    """The list at the start of a trip. Who holds it besides is not known there: it is not changed."""
    ref = listed(reader, array, weak=carried.type.weak)
    ref.owner, ref.merged, ref.origins = OTHER, True, carried.origins
    return ref


def as_view(reader: Reader, value: Value) -> View:
    """An array that is carried, as what a name stands for."""
    return new_array(reader, value.atom)


def is_list(value: Abstract) -> bool:
    """Whether it is a list (no deque)."""
    return type(value) is ListRef


__all__ = ["Carried", "as_carried", "as_view", "can_be_carried", "is_list", "list_of", "type_of_list"]
