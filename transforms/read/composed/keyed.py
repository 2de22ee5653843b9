"""Dicts and sets whose keys are known only at run time: what Python's do, of lists. These classes are read like a user's own.

    keys      in the order in which they were put in; `held` are their values
    slots     where each key stands among the keys, from 1 on, by its hash, with open addresses; 0 where there is none

A key that is no integer (or tuple of integers) is looked for among all.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import collections

import numpy as np

from s2s.transforms.read.composed.marks import is_item, made_now, surely, unsupported, zeros
from s2s.transforms.read.values import STANDS_FOR

ROOM = 16
"""Slots that there are at first, a power of two."""


class Keys:
    """What dicts and sets of run-time keys have in common: their keys."""

    def __init__(self, room=ROOM):
        self.keys_, self.slots = [], zeros(room)

    def __len__(self):
        return len(self.keys_)

    def __contains__(self, key):
        return _place(self.keys_, self.slots, key) >= 0


class Keyed(Keys):  # noqa: PLW1641 - as a dict it has no hash
    """A dict."""

    def __iter__(self):
        return iter(self.keys_)

    def __init__(self, room=ROOM):
        super().__init__(room)
        self.held = []

    def __getitem__(self, key):
        place = _place(self.keys_, self.slots, key)
        if place < 0:
            raise KeyError(key)
        return self.held[place]

    def __setitem__(self, key, value):
        place = _place(self.keys_, self.slots, key)
        if is_item(self.keys_, key) or place >= 0:
            self.held[place] = value
        else:
            self.held.append(value)
            _add(self.keys_, self.slots, key)

    def __delitem__(self, key):
        self.pop(key)

    def __eq__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        same = len(self) == len(other)
        if same:
            for key, value in self.items():
                if key not in other or other[key] != value:
                    same = False
                    break
        return same

    def __copy__(self):
        return self.copy()

    def __or__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        made = Keyed()
        made.update(other)
        made.update(self)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def get(self, key, default=None):
        """dict.get."""
        place = _place(self.keys_, self.slots, key)
        return self.held[place] if place >= 0 else default

    def setdefault(self, key, default=None):
        """dict.setdefault."""
        place = _place(self.keys_, self.slots, key)
        if place < 0:
            place = len(self.keys_)
            self.held.append(default)
            _add(self.keys_, self.slots, key)
        return self.held[place]

    def pop(self, key, *default):
        """dict.pop."""
        place = _place(self.keys_, self.slots, key)
        if place < 0:
            if not default:
                raise KeyError(key)
            found = default[0]
        else:
            found = self.held.pop(place)
            _remove(self.keys_, self.slots, place)
        return found

    def popitem(self, last=True):
        """dict.popitem, OrderedDict.popitem."""
        if len(self.keys_) == 0:
            raise KeyError("popitem(): dictionary is empty")
        place = len(self.keys_) - 1 if last else 0
        found = self.keys_[place], self.held.pop(place)
        _remove(self.keys_, self.slots, place)
        return found

    def clear(self):
        """dict.clear."""
        self.keys_.clear()
        self.held.clear()
        fill(self.keys_, self.slots)

    def copy(self):
        """dict.copy."""
        return _filled(Keyed(), self)

    def update(self, other=(), **more):
        """dict.update."""
        for key in other.keys() if hasattr(other, "keys") else ():
            self[key] = other[key]
        for key, value in () if hasattr(other, "keys") else other:
            self[key] = value
        for key, value in more.items():
            self[key] = value

    def keys(self):
        """dict.keys."""
        return KeysOf(self)

    def values(self):
        """dict.values."""
        return ValuesOf(self)

    def items(self):
        """dict.items."""
        return ItemsOf(self)


class Defaulting(Keyed):
    """A collections.defaultdict."""

    def __init__(self, default_factory=None, room=ROOM):
        super().__init__(room)
        self.default_factory = default_factory

    def copy(self):
        """defaultdict.copy."""
        return _filled(Defaulting(self.default_factory), self)

    def __getitem__(self, key):
        place = _place(self.keys_, self.slots, key)
        if not is_item(self.keys_, key) and place < 0:
            if self.default_factory is None:
                raise KeyError(key)
            place = len(self.keys_)
            self.held.append(made_now(self.default_factory()))
            _add(self.keys_, self.slots, key)
        return self.held[place]


class Counting(Keyed):
    """A collections.Counter."""

    def __or__(self, other):
        unsupported("an operator of counters of run-time keys", "a loop over their keys")

    __ror__ = __ior__ = __add__ = __sub__ = __and__ = __iadd__ = __isub__ = __iand__ = __eq__ = __or__

    def __getitem__(self, key):
        return self.get(key, 0)

    def update(self, iterable=()):
        """Counter.update."""
        for key in iterable:
            self[key] = self[key] + (iterable[key] if hasattr(iterable, "keys") else 1)

    def subtract(self, iterable=()):
        """Counter.subtract."""
        for key in iterable:
            self[key] = self[key] - (iterable[key] if hasattr(iterable, "keys") else 1)

    def most_common(self, n=None):
        """Counter.most_common."""
        found = sorted(self.items(), key=_second, reverse=True)
        return found if n is None else found[: max(n, 0)]

    def copy(self):
        """Counter.copy."""
        return _filled(Counting(), self)

    def total(self):
        """Counter.total."""
        return sum(self.held)


class Ordered(Keyed):
    """A collections.OrderedDict."""

    def copy(self):
        """OrderedDict.copy."""
        return _filled(Ordered(), self)

    def move_to_end(self, key):
        """OrderedDict.move_to_end."""
        value = self.pop(key)
        self[key] = value


class KeysOf:  # noqa: PLW1641 - as a set it has no hash
    """dict.keys()."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)

    def __contains__(self, key):
        return key in self.of

    def __iter__(self):
        return iter(self.of.keys_)

    def __eq__(self, other):
        unsupported("a comparison of the keys or items of dicts of run-time keys", "the dicts themselves")

    __or__ = __and__ = __sub__ = __xor__ = __le__ = __lt__ = __ge__ = __gt__ = __eq__


class ValuesOf:
    """dict.values()."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)

    def __contains__(self, value):
        return value in self.of.held

    def __iter__(self):
        return iter(self.of.held)


class ItemsOf:  # noqa: PLW1641 - as a set it has no hash
    """dict.items()."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)

    def __iter__(self):
        return zip(self.of.keys_, self.of.held, strict=False)

    def __eq__(self, other):
        unsupported("a comparison of the keys or items of dicts of run-time keys", "the dicts themselves")

    __or__ = __and__ = __sub__ = __xor__ = __le__ = __lt__ = __ge__ = __gt__ = __eq__


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
        for key in self.keys_:
            made.add(key)
        made.update(*others)
        return made

    def intersection(self, other):
        """set.intersection."""
        made = KeyedSet()
        found = _as_set(other)
        for key in self.keys_:
            if key in found:
                made.add(key)
        return made

    def difference(self, other):
        """set.difference."""
        made = KeyedSet()
        taken = _as_set(other)
        for key in self.keys_:
            if key not in taken:
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

    def isdisjoint(self, other):
        """set.isdisjoint."""
        return len(self.intersection(other)) == 0

    def issubset(self, other):
        """set.issubset."""
        found = True
        there = _as_set(other)
        for key in self.keys_:
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
            _add(self.keys_, self.slots, key)

    def discard(self, key):
        """set.discard."""
        place = _place(self.keys_, self.slots, key)
        if place >= 0:
            _remove(self.keys_, self.slots, place)

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


def _second(pair):
    return pair[1]


def _items(given):
    return given.keys_ if hasattr(given, "keys_") else given


def _as_set(given):
    """What may be gone through, as something that knows what it holds."""
    if isinstance(given, set | frozenset | dict) or hasattr(given, "keys_"):
        return given
    made = KeyedSet()
    for key in given:
        made.add(key)
    return made


def held_of(table, key):
    """What a dict has under a key that it has."""
    return table.held[_place(table.keys_, table.slots, key)]


def _filled(made, other):
    for key, value in zip(other.keys_, other.held, strict=False):
        made[key] = value
    return made


# ---- keys and slots ----------------------------------------------------------------------------------------------------------------


def _is_whole(key):
    """Whether a key has a slot."""
    if isinstance(key, tuple):
        return len(key) > 0 and all(isinstance(part, int | np.integer | np.bool_) for part in key)
    return isinstance(key, int | np.integer | np.bool_)


def _hash(key):
    found = 0
    for part in key if isinstance(key, tuple) else (key,):
        low = int(part) ^ (int(part) >> 32)
        found = (found ^ (low & 0xFFFFFFFF)) * 0x2545F491  # less than 2 ** 62: no integer's end is met
        found = (found ^ (found >> 17)) & 0xFFFFFFFF
    return found


def _place(keys, slots, key):
    """Where a key stands among the keys; -1 where it is none of them."""
    if surely(len(keys) == 0):
        return -1
    _check_kinds(keys, key)
    if not _is_whole(key):
        found = -1
        for place in range(len(keys)):
            if keys[place] == key:
                found = place
                break
        return found
    mask = len(slots) - 1
    slot = _hash(key) & mask
    while slots[slot] != 0 and keys[slots[slot] - 1] != key:
        slot = (slot + 1) & mask
    return slots[slot] - 1


def _check_kinds(keys, key):
    """Only whole keys have slots, and a float may be equal to one."""
    for other in keys:
        if _is_whole(other) is not _is_whole(key):
            unsupported("a dict or set of run-time keys of which some are integers and others are not", "float(…) of the integers, or a dict for each")


def _add(keys, slots, key):
    """Put a key behind the others, of which it is none."""
    keys.append(key)
    if _is_whole(key):
        if 2 * len(keys) > len(slots):
            for _ in range(len(slots)):
                slots.append(0)
            fill(keys, slots)
        else:
            _put(slots, key, len(keys))


def _remove(keys, slots, place):
    """Take the key at this place away."""
    keys.pop(place)
    fill(keys, slots)


def fill(keys, slots):
    """Find a slot for each key."""
    for slot in range(len(slots)):
        slots[slot] = 0
    for place in range(len(keys)):
        if _is_whole(keys[place]):
            _put(slots, keys[place], place + 1)


def _put(slots, key, number):
    mask = len(slots) - 1
    slot = _hash(key) & mask
    while slots[slot] != 0:
        slot = (slot + 1) & mask
    slots[slot] = number


STANDING = {
    Keyed: dict, Defaulting: collections.defaultdict, Counting: collections.Counter, Ordered: collections.OrderedDict, KeyedSet: set,
    KeysOf: type({}.keys()), ValuesOf: type({}.values()), ItemsOf: type({}.items()),
}  # fmt: skip
for _ours, _pythons in STANDING.items():
    setattr(_ours, STANDS_FOR, _pythons)
    _ours.__name__ = _pythons.__name__
BY_KIND = {dict: Keyed, collections.OrderedDict: Ordered, collections.Counter: Counting}
"""The class that stands for one of Python's; a defaultdict's has a factory."""
