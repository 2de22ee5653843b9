"""Lists of which only the run knows which one a name stands for: parts of one long list. These classes are read like a user's own.

    list_items    what all lists of the pool hold, one behind the other
    list_start    where a list's first item stands, of `list_count`; there is room for `list_room` of them. One that has no more room moves to the end.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from numpy import ndarray

from s2s.transforms.read.composed.by_copies import ByCopies
from s2s.transforms.read.composed.lists import bounds
from s2s.transforms.read.composed.marks import items_between, stored, surely, taken, unsupported
from s2s.transforms.read.values import STANDS_FOR

FIELDS = ("list_start", "list_count", "list_room")
"""Under names that no list has: `hasattr(x, "items")` tells lists from dicts, and `count` is a method."""


class PooledList(ByCopies):
    """A list."""

    def __len__(self):
        return self.list_count

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self.copy()[key]
        return taken(self.list_items, self.list_start + _place(self.list_count, key, "list index out of range"))

    def __setitem__(self, key, value):
        if isinstance(key, slice):
            if not isinstance(value, list | tuple):
                key, value = _made_first(self, key, value)
            held = self.copy()
            held[key] = value
            _hold(self, held)
        else:
            stored(self.list_items, self.list_start + _place(self.list_count, key, "list assignment index out of range"), value)

    def __delitem__(self, key):
        held = self.copy()
        del held[key]
        _hold(self, held)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __imul__(self, count):
        unsupported("`*=` of a list of which only the run knows which one it is", "a new list")

    def append(self, value):
        """list.append."""
        if self.list_count == self.list_room:
            _move(self, 2 * self.list_count if self.list_count > 1 else 2, value)
        stored(self.list_items, self.list_start + self.list_count, value)
        self.list_count = self.list_count + 1

    def extend(self, values):
        """list.extend."""
        if not isinstance(values, list | tuple | dict | set | range | ndarray):
            for value in values:  # one by one: an iterator's items may change the list when they are made
                self.append(value)
            return
        values = values.copy() if isinstance(values, list) else list(values)
        count = len(values)
        if count > 0 and self.list_count + count > self.list_room:
            _move(self, self.list_count + count, values[0])
        place = self.list_start + self.list_count
        for value in values:
            stored(self.list_items, place, value)
            place = place + 1
        self.list_count = self.list_count + count

    def pop(self, place=-1):
        """list.pop."""
        if self.list_count == 0:
            raise IndexError("pop from empty list")
        place = _place(self.list_count, place, "pop index out of range")
        found = taken(self.list_items, self.list_start + place)
        for k in range(self.list_start + place, self.list_start + self.list_count - 1):
            stored(self.list_items, k, taken(self.list_items, k + 1))
        self.list_count = self.list_count - 1
        return found

    def insert(self, place, value):
        """list.insert."""
        count = self.list_count
        if place < 0:
            place = max(place + count, 0)
        place = min(place, count)
        self.append(value)
        for k in range(self.list_start + count, self.list_start + place, -1):
            stored(self.list_items, k, taken(self.list_items, k - 1))
        stored(self.list_items, self.list_start + place, value)

    def remove(self, value):
        """list.remove."""
        held = self.copy()
        held.remove(value)
        _hold(self, held)

    def clear(self):
        """list.clear."""
        self.list_count = 0

    def sort(self, *, key=None, reverse=False):
        """list.sort."""
        held = self.copy()
        held.sort(key=key, reverse=reverse)
        _hold(self, held)

    def reverse(self):
        """list.reverse."""
        held = self.copy()
        held.reverse()
        _hold(self, held)

    def copy(self):
        """list.copy: a list of its own."""
        return items_between(self.list_items, self.list_start, self.list_start + self.list_count)

    __copy__ = copy


def in_a_row(lists):
    """All items of lists, one behind the other, and where each list starts and ends among them."""
    items, starts, ends = [], [], []
    for each in lists:
        starts.append(len(items))
        for item in each:
            items.append(item)  # noqa: PERF402 - a list of a pool is gone through
        ends.append(len(items))
    return items, starts, ends


def attributes(objects, name):
    """An attribute of each."""
    return [getattr(each, name) for each in objects]


def begin(held, values):
    """Give a new list its first items."""
    items = held.list_items
    held.list_start = len(items)
    for value in values:
        items.append(value)
    held.list_count = held.list_room = len(items) - held.list_start


def _place(count, key, words):
    """Where an index points to."""
    place = key + count if key < 0 else key
    if place < 0 or place >= count:
        raise IndexError(words)
    return place


def _move(held, room, value):
    """Make room for so many, at the end of all items; a value stands where there is none yet."""
    items = held.list_items
    start, count = len(items), held.list_count
    if not surely(start == 0):  # else no list has items yet, of which it would be known what they are
        for k in range(held.list_start, held.list_start + count):
            items.append(taken(items, k))
    for _ in range(room - count):
        items.append(value)
    held.list_start = start
    held.list_room = room


def _made_first(held, key, values):
    """Where what an iterator gives is stored, and that as a list: its items may change the list when they are made, and Python knows by then where they go."""
    count = held.list_count
    values = list(values)
    if key.step is None:
        return slice(*bounds(count, key.start, key.stop)), values
    if held.list_count != count:
        raise NotImplementedError("a store into a part of a list of an iterator whose items change that list; write list(…) of the iterator before it")
    return key, values


def _hold(held, values):
    """Make a list one of other items."""
    held.list_count = 0
    held.extend(values)


setattr(PooledList, STANDS_FOR, list)
PooledList.__name__ = "list"
