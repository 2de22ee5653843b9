"""Lists of bools, integers and floats beside each other, of which only the run knows which one a name stands for: an attribute for each place, as each is of a type of its own. This class is read like a user's own.

    entry = [priority, count, item]      item_0, item_1 and item_2 of one of them
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.by_copies import ByCopies
from s2s.transforms.read.composed.marks import attributes_of, surely, unsupported
from s2s.transforms.read.values import STANDS_FOR

PREFIX = "item_"
"""Before a place in the name of its attribute."""


class PooledRow(ByCopies):
    """A list, as long as it was made."""

    BY_INDEX = True

    def __len__(self):
        return len(attributes_of(self))

    def __getitem__(self, key):
        if not isinstance(key, slice):
            for place, name in enumerate(attributes_of(self)):
                if surely(key == place) or surely(key + len(self) == place):
                    return getattr(self, name)
        return self.copy()[key]

    def __setitem__(self, key, value):
        if isinstance(key, slice):
            _refuse_change("a slice of")
        count = len(self)
        place = key + count if key < 0 else key
        if place < 0 or place >= count:
            raise IndexError("list assignment index out of range")
        setattr(self, PREFIX + str(place), value)

    def __delitem__(self, key):
        _refuse_change("`del` of an item of")

    def __iadd__(self, other):
        _refuse_change("`+=` of")

    def __imul__(self, count):
        _refuse_change("`*=` of")

    def append(self, value):
        """list.append."""
        _refuse_change("append to")

    def extend(self, values):
        """list.extend."""
        _refuse_change("extend of")

    def pop(self, place=-1):
        """list.pop."""
        _refuse_change("pop of")

    def insert(self, place, value):
        """list.insert."""
        _refuse_change("insert into")

    def remove(self, value):
        """list.remove."""
        _refuse_change("remove from")

    def clear(self):
        """list.clear."""
        _refuse_change("clear of")

    def sort(self, *, key=None, reverse=False):
        """list.sort."""
        _refuse_change("sort of")

    def reverse(self):
        """list.reverse."""
        _refuse_change("reverse of")

    def copy(self):
        """list.copy: a list of its own."""
        return [getattr(self, name) for name in attributes_of(self)]

    __copy__ = copy


def _refuse_change(what):
    unsupported(f"{what} a list of bools, integers and floats of which only the run knows which one it is", "a tuple, or one list for each")


setattr(PooledRow, STANDS_FOR, list)
PooledRow.__name__ = "list"
