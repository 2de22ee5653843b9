"""x.flat: the elements of an array in C order, whatever its layout; what is taken from it is a copy, what is stored into it is stored into the array.

    x.flat[3]                 one element
    x.flat[2:6]               a copy
    x.flat[::5] = [1, 2]      the numbers again and again
    for t in x.flat           goes on where an earlier loop through the same x.flat was left
"""
from __future__ import annotations

from typing import Any

from s2s.errors import BoundsError
from s2s.transforms.primitives import structural
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.composed import choices
from s2s.transforms.read.made_of import POSITION, move_to, new_iterator
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import product
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, new_array, shape_of
from s2s.transforms.read.values import Abstract, Reshaped, View


def flat_of(reader: Reader, array: View) -> FlatArray:
    """x.flat."""
    return FlatArray(array, new_iterator(reader, _line(reader, array), iter(())))


def line_of(reader: Reader, flat: FlatArray) -> View:
    """The elements as a vector, into which a store changes the array."""
    return _line(reader, flat.array)


def _line(reader: Reader, array: View) -> View:
    with building(reader.builder):
        size = product(reader.builder, shape_of(reader, array))
    return View(array.cell, (*array.steps, Reshaped((size,), ravel=False)))


def copy_of(reader: Reader, flat: FlatArray) -> View:
    """The elements as a vector of its own, as NumPy's functions see them."""
    return copied(reader, line_of(reader, flat))


_WHOLE = frozenset((sum, list, tuple, sorted, max, min, set, frozenset))
"""Python's functions that go through all elements at once."""
_ONE_BY_ONE = frozenset((next, iter, any, all, zip, enumerate, map, filter))


def gone_through(reader: Reader, function: Any, flat: FlatArray) -> Abstract:
    """What a function of Python's gets for x.flat: the elements that no loop has taken yet."""
    if function in _ONE_BY_ONE or function in _WHOLE and reader.heap[flat.iterator][POSITION] != 0:
        return flat.iterator
    if function in _WHOLE:
        move_to(reader, flat.iterator, None)
    return copy_of(reader, flat)


def copied(reader: Reader, view: View) -> View:
    """What a view shows, in an array of its own."""
    with building(reader.builder):
        return new_array(reader, structural.copy(load(reader, view)).atom)


def get_of_flat(reader: Reader, flat: FlatArray, key: Abstract) -> Abstract:
    """x.flat[key]."""
    if key is None or isinstance(key, tuple) and len(key) != 1:
        raise BoundsError("unsupported iterator index", where=reader.builder.where)
    move_to(reader, flat.iterator, 0)
    found = reader.rules.item(line_of(reader, flat), key)
    return copied(reader, found) if isinstance(found, View) else found


def set_of_flat(reader: Reader, flat: FlatArray, key: Abstract, value: Abstract) -> None:
    """x.flat[key] = value."""
    move_to(reader, flat.iterator, 0)
    reader.rules.call(choices.store_flat, (line_of(reader, flat), key, copy_of(reader, value) if isinstance(value, FlatArray) else value))


__all__ = ["copied", "copy_of", "flat_of", "get_of_flat", "gone_through", "line_of", "set_of_flat"]
