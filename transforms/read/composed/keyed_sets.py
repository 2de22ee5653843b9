"""Sets whose items are known only at run time: what Python's do, of lists. This class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed import set_slots
from s2s.transforms.read.composed.keyed import Keys
from s2s.transforms.read.composed.marks import is_whole, taken, unsupported
from s2s.transforms.read.values import STANDS_FOR


class KeyedSet(Keys):  # noqa: PLW1641 - as a set it has no hash
    """A set. `filled`: how many slots have or had an item; `finger`: where `pop` looks first; `is_ordered`: whether the items stand in the slots as in CPython's set."""

    def __init__(self, room=set_slots.ROOM):
        super().__init__(room)
        self.filled = self.finger = 0
        self.is_ordered = True

    def __contains__(self, key):
        return set_slots.place_of(self.keys_, self.slots, key) >= 0

    def __iter__(self):
        count = len(self)
        for key in self.in_order():
            yield key
            if len(self) != count:
                raise RuntimeError("Set changed size during iteration")

    def in_order(self):
        """The list of the items in Python's order."""
        self.check_order()
        for key in self.keys_:
            if isinstance(key, tuple) or not is_whole(key):
                _refuse()
        return self.listed()

    def check_order(self):
        """Refuse to say an order that nobody knows."""
        if not self.is_ordered:
            unsupported("the order of a set that an operator but | has made, or that had several known items before some that only the run knows", _INSTEAD)

    def mark(self, made):
        """Say of another set that it has the order of what comes of this one."""
        made.is_ordered = made.is_ordered and self.is_ordered

    def merged_into(self, made):
        """Put all items into another set."""
        self.mark(made)
        if _are_slotted(self.keys_):
            set_slots.merge(made, self)
        else:
            for key in self.keys_:
                made.add(key)

    def listed(self):
        """The list of the items, as they stand in the slots if they have any."""
        found = []
        for number in set_slots.numbers_of(self):
            found.append(taken(self.keys_, number - 1))
        return found if _are_slotted(self.keys_) else self.keys_

    def begin(self, is_ordered):
        """Find slots for the items that it begins with."""
        self.is_ordered = is_ordered
        for place in range(len(self.keys_)):
            key = taken(self.keys_, place)
            if is_whole(key):
                set_slots.put(self, key, place + 1)

    def __eq__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        return len(self) == len(other) and self.issubset(other)

    def __copy__(self):
        return self.copy()

    def __or__(self, other):
        return self.union(other) if isinstance(other, set) else NotImplemented

    def __isub__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        self.difference_update(other)
        return self

    def __iand__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        self.intersection_update(other)
        return self

    def __ixor__(self, other):
        if not isinstance(other, set):
            return NotImplemented
        self.symmetric_difference_update(other)
        return self

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
        self.merged_into(made)
        made.update(*others)
        return made

    def intersection(self, *others):
        """set.intersection."""
        made = KeyedSet()
        made.is_ordered = False
        found = [_as_set(other) for other in others]
        for key in self.key_list():
            if all(key in each for each in found):
                made.add(key)
        return made

    def difference(self, *others):
        """set.difference."""
        made = KeyedSet()
        made.is_ordered = False
        taken_away = [_as_set(other) for other in others]
        for key in self.key_list():
            if not any(key in each for each in taken_away):
                made.add(key)
        return made

    def symmetric_difference(self, other):
        """set.symmetric_difference."""
        found = _as_set(other)
        made = self.difference(found)
        for key in listed_of(found):
            if key not in self:
                made.add(key)
        return made

    def _become(self, other):
        self.clear()
        self.is_ordered = False
        for key in other.key_list():
            self.add(key)

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
        for key in listed_of(other):
            if key not in self:
                found = False
                break
        return found

    def add(self, key):
        """set.add."""
        if key not in self:
            set_slots.add_key(self, key)

    def discard(self, key):
        """set.discard."""
        place = set_slots.place_of(self.keys_, self.slots, key)
        if place >= 0:
            set_slots.remove_key(self, place)

    def pop(self):
        """set.pop."""
        if len(self) == 0:
            raise KeyError("pop from an empty set")
        self.check_order()
        mask = len(self.slots) - 1
        slot = self.finger & mask
        while taken(self.slots, slot) <= 0:
            slot = slot + 1 if slot < mask else 0
        found = taken(self.keys_, taken(self.slots, slot) - 1)
        if isinstance(found, tuple) or not is_whole(found):
            _refuse()
        set_slots.remove_key(self, taken(self.slots, slot) - 1)
        self.finger = slot + 1
        return found

    def remove(self, key):
        """set.remove."""
        if key not in self:
            raise KeyError(key)
        self.discard(key)

    def update(self, *others):
        """set.update."""
        for other in others:
            if hasattr(other, "merged_into"):
                other.merged_into(self)
            else:
                for key in _listed(self, other):
                    self.add(key)

    def clear(self):
        """set.clear."""
        set_slots.clear(self)


_INSTEAD = "sorted(…) of it, or a dict"


def _are_slotted(keys):
    """Whether items stand in slots: all are of one kind."""
    is_slotted = True
    for key in keys:
        is_slotted = is_whole(key)
    return is_slotted


def _refuse():
    unsupported("the order of a set of floats, tuples or texts that only the run knows", _INSTEAD)


def listed_of(given):
    """What is gone through where the order does not matter."""
    return given.key_list() if hasattr(given, "key_list") else given


def _listed(made, given):
    """What is put into a set, or taken away: of another one in its order, if that is known."""
    if hasattr(given, "merged_into"):
        given.mark(made)
        return given.listed()
    if hasattr(given, "isdisjoint") or hasattr(given, "keys"):  # a set or dict of known ones, or a dict, none of which says how its items stand
        made.is_ordered = False
    return listed_of(given)


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
