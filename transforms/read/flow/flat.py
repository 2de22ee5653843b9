"""x.flat: the elements of an array in C order, whatever its layout; what is taken from it is a copy, what is stored into it is stored into the array.

    x.flat[3]                 one element
    x.flat[2:6]               a copy
    x.flat[::5] = [1, 2]      the numbers again and again
    for t in x.flat
"""
from __future__ import annotations

from s2s.errors import BoundsError
from s2s.transforms.primitives import structural
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.composed import choices
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import product
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, new_array, shape_of
from s2s.transforms.read.values import Abstract, Reshaped, View


def line_of(reader: Reader, flat: FlatArray) -> View:
    """The elements as a vector, into which a store changes the array."""
    with building(reader.builder):
        size = product(reader.builder, shape_of(reader, flat.array))
    return View(flat.array.cell, (*flat.array.steps, Reshaped((size,), ravel=False)))


def copy_of(reader: Reader, flat: FlatArray) -> View:
    """The elements as a vector of its own, as NumPy's functions see them."""
    return copied(reader, line_of(reader, flat))


def copied(reader: Reader, view: View) -> View:
    """What a view shows, in an array of its own."""
    with building(reader.builder):
        return new_array(reader, structural.copy(load(reader, view)).atom)


def get_of_flat(reader: Reader, flat: FlatArray, key: Abstract) -> Abstract:
    """x.flat[key]."""
    if key is None or isinstance(key, tuple) and len(key) != 1:
        raise BoundsError("unsupported iterator index", where=reader.builder.where)
    found = reader.rules.item(line_of(reader, flat), key)
    return copied(reader, found) if isinstance(found, View) else found


def set_of_flat(reader: Reader, flat: FlatArray, key: Abstract, value: Abstract) -> None:
    """x.flat[key] = value."""
    reader.rules.call(choices.store_flat, (line_of(reader, flat), key, copy_of(reader, value) if isinstance(value, FlatArray) else value))


__all__ = ["copied", "copy_of", "get_of_flat", "line_of", "set_of_flat"]
