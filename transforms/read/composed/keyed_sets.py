"""Sets whose items are known only at run time: what Python's do, of lists. This class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.key_slots import add_key, fill, place_of, remove_key
from s2s.transforms.read.composed.keyed import Keys
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.values import STANDS_FOR


class KeyedSet(Keys):  # noqa: PLW1641 - as a set it has no hash
    """A set."""

    def __iter__(self):
        unsupported("a loop over a set whose items are known only at run time, in Python's order,", "sorted(…) of it, or a dict")

    def __eq__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        return len(self) == len(other) and self.issubset(other)

    def __copy__(self):
        return self.copy()

    def __or__(self, other):
        return self.union(other) if isinstance(other, set) else NotImplemented

    def _become(self, other):
        self.clear()
        self.update(other)
        return self

    def __isub__(self, other):
        return self._become(self.difference(other)) if isinstance(other, set) else NotImplemented

    def __iand__(self, other):
        return self._become(self.intersection(other)) if isinstance(other, set) else NotImplemented

    def __ixor__(self, other):
        return self._become(self.symmetric_difference(other)) if isinstance(other, set) else NotImplemented

    def __ior__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        self.update(other)
        return self

    def __ror__(self, other):
        made = KeyedSet()
        made.update(other, self)
        return made

    def __rand__(self, other):
        return self.intersection(other)

    def __rsub__(self, other):
        return self.__ror__(other).difference(self)

    def __rxor__(self, other):
        return self.symmetric_difference(other)

    def __and__(self, other):
        return self.intersection(other) if isinstance(other, set) else NotImplemented

    def __xor__(self, other):
        return self.symmetric_difference(other) if isinstance(other, set) else NotImplemented

    def __lt__(self, other):
        return len(self) < len(other) and self.issubset(other) if isinstance(other, set) else NotImplemented

    def __gt__(self, other):
        return len(self) > len(other) and self.issuperset(other) if isinstance(other, set) else NotImplemented

    def __sub__(self, other):
        return self.difference(other) if isinstance(other, set) else NotImplemented

    def __le__(self, other):
        return self.issubset(other) if isinstance(other, set) else NotImplemented

    def __ge__(self, other):
        return self.issuperset(other) if isinstance(other, set) else NotImplemented

    def copy(self):
        """set.copy."""
        return self.union()

    def union(self, *others):
        """set.union."""
        made = KeyedSet()
        for key in self.key_list():
            made.add(key)
        made.update(*others)
        return made

    def intersection(self, *others):
        """set.intersection."""
        made = KeyedSet()
        found = [_as_set(other) for other in others]
        for key in self.key_list():
            if all(key in each for each in found):
                made.add(key)
        return made

    def difference(self, *others):
        """set.difference."""
        made = KeyedSet()
        taken = [_as_set(other) for other in others]
        for key in self.key_list():
            if not any(key in each for each in taken):
                made.add(key)
        return made

    def symmetric_difference(self, other):
        """set.symmetric_difference."""
        found = _as_set(other)
        made = self.difference(found)
        for key in _items(found):
            if key not in self:
                made.add(key)
        return made

    def intersection_update(self, *others):
        """set.intersection_update."""
        self._become(self.intersection(*others))

    def difference_update(self, *others):
        """set.difference_update."""
        self._become(self.difference(*others))

    def symmetric_difference_update(self, other):
        """set.symmetric_difference_update."""
        self._become(self.symmetric_difference(other))

    def isdisjoint(self, other):
        """set.isdisjoint."""
        return len(self.intersection(other)) == 0

    def issubset(self, other):
        """set.issubset."""
        found = True
        there = _as_set(other)
        for key in self.key_list():
            if key not in there:
                found = False
                break
        return found

    def issuperset(self, other):
        """set.issuperset."""
        found = True
        for key in _items(other):
            if key not in self:
                found = False
                break
        return found

    def add(self, key):
        """set.add."""
        if key not in self:
            add_key(self.keys_, self.slots, key)

    def discard(self, key):
        """set.discard."""
        place = place_of(self.keys_, self.slots, key)
        if place >= 0:
            remove_key(self.keys_, self.slots, place)

    def remove(self, key):
        """set.remove."""
        if key not in self:
            raise KeyError(key)
        self.discard(key)

    def update(self, *others):
        """set.update."""
        for other in others:
            for key in _items(other):
                self.add(key)

    def clear(self):
        """set.clear."""
        self.keys_.clear()
        fill(self.keys_, self.slots)


def _items(given):
    return given.key_list() if hasattr(given, "key_list") else given


def _as_set(given):
    """What may be gone through, as something that knows what it holds."""
    if isinstance(given, set | frozenset | dict) or hasattr(given, "key_list"):
        return given
    made = KeyedSet()
    for key in given:
        made.add(key)
    return made


setattr(KeyedSet, STANDS_FOR, set)
KeyedSet.__name__ = "set"
