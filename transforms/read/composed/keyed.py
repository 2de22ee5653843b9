"""Dicts whose keys are known only at run time: what Python's do, of lists (sets: `keyed_sets.py`). These classes are read like a user's own.

    keys      in the order in which they were put in; `held` are their values
    slots     where each key stands among the keys, from 1 on, by its hash, with open addresses; 0 where there is none
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import collections

from s2s.transforms.read.composed import counters
from s2s.transforms.read.composed.key_slots import ROOM, add_key, fill, place_of, remove_key
from s2s.transforms.read.composed.keyed_views import ItemsOf, KeysOf, ValuesOf
from s2s.transforms.read.composed.marks import check_value, is_item, made_now, unsupported, zeros
from s2s.transforms.read.values import STANDS_FOR


class Keys:
    """What dicts and sets of run-time keys have in common: their keys."""

    def __init__(self, room=ROOM):
        self.keys_, self.slots = [], zeros(room)

    def __len__(self):
        return len(self.keys_)

    def __contains__(self, key):
        return place_of(self.keys_, self.slots, key) >= 0

    def key_list(self):
        """The list of the keys, which may be the very one that is kept."""
        return self.keys_


class Keyed(Keys):  # noqa: PLW1641 - as a dict it has no hash
    """A dict."""

    def __init__(self, room=ROOM):
        super().__init__(room)
        self.held = []

    def __iter__(self):
        return iter(self.keys_)

    def __reversed__(self):
        return reversed(self.key_list())

    def value_list(self):
        """The list of the values, as of the keys."""
        return self.held

    def __getitem__(self, key):
        place = place_of(self.keys_, self.slots, key)
        if place < 0:
            raise KeyError(key)
        return self.held[place]

    def __setitem__(self, key, value):
        check_value(self, key, value)
        place = place_of(self.keys_, self.slots, key)
        if is_item(self.keys_, key) or place >= 0:
            self.held[place] = value
        else:
            self.held.append(value)
            add_key(self.keys_, self.slots, key)

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
        place = place_of(self.keys_, self.slots, key)
        return self.held[place] if place >= 0 else default

    def setdefault(self, key, default=None):
        """dict.setdefault."""
        check_value(self, key, default)
        place = place_of(self.keys_, self.slots, key)
        if place < 0:
            place = len(self.keys_)
            self.held.append(default)
            add_key(self.keys_, self.slots, key)
        return self.held[place]

    def pop(self, key, *default):
        """dict.pop."""
        place = place_of(self.keys_, self.slots, key)
        if place < 0:
            if not default:
                raise KeyError(key)
            found = default[0]
        else:
            found = self.held.pop(place)
            remove_key(self.keys_, self.slots, place)
        return found

    def popitem(self, last=True):
        """dict.popitem; an OrderedDict's takes the first one, too."""
        if len(self) == 0:
            raise KeyError("popitem(): dictionary is empty")
        place = len(self.keys_) - 1 if last else 0
        found = self.keys_[place], self.held.pop(place)
        remove_key(self.keys_, self.slots, place)
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
        place = place_of(self.keys_, self.slots, key)
        if not is_item(self.keys_, key) and place < 0:
            if self.default_factory is None:
                raise KeyError(key)
            place = len(self.keys_)
            self.held.append(made_now(self.default_factory()))
            add_key(self.keys_, self.slots, key)
        return self.held[place]


class Counting(Keyed):  # noqa: PLW1641 - as a dict it has no hash
    """A collections.Counter."""

    def __ior__(self, other):
        unsupported("an operator that changes a counter of run-time keys", "counter = counter + …, update or subtract")

    __iadd__ = __isub__ = __iand__ = __ior__

    def __add__(self, other):
        return counters.combined("+", self, other, Counting())

    def __sub__(self, other):
        return counters.combined("-", self, other, Counting())

    def __or__(self, other):
        return counters.combined("|", self, other, Counting())

    def __and__(self, other):
        return counters.combined("&", self, other, Counting())

    def __radd__(self, other):
        return counters.combined("+", other, self, Counting())

    def __rsub__(self, other):
        return counters.combined("-", other, self, Counting())

    def __ror__(self, other):
        return counters.combined("|", other, self, Counting())

    def __rand__(self, other):
        return counters.combined("&", other, self, Counting())

    def __eq__(self, other):
        return counters.same(self, other) if isinstance(other, collections.Counter) else super().__eq__(other)

    def __delitem__(self, key):
        self.pop(key, 0)

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
        return sum(self.value_list())


class Ordered(Keyed):  # noqa: PLW1641 - as a dict it has no hash
    """A collections.OrderedDict."""

    def __eq__(self, other):
        same = super().__eq__(other)
        if isinstance(other, collections.OrderedDict) and same:
            for mine, theirs in zip(self, other, strict=False):
                if mine != theirs:
                    same = False
                    break
        return same

    def copy(self):
        """OrderedDict.copy."""
        return _filled(Ordered(), self)

    def popitem(self, last=True):
        """OrderedDict.popitem."""
        if len(self) == 0:
            raise KeyError("dictionary is empty")
        return super().popitem(last)

    def move_to_end(self, key, last=True):
        """OrderedDict.move_to_end."""
        place = place_of(self.keys_, self.slots, key)
        if place < 0:
            raise KeyError(key)
        kept, value = self.keys_.pop(place), self.held.pop(place)
        end = len(self.keys_) if last else 0
        self.keys_.insert(end, kept)
        self.held.insert(end, value)
        fill(self.keys_, self.slots)


def _second(pair):
    return pair[1]


def held_of(table, key):
    """What a dict has under a key that it has."""
    return table.held[place_of(table.keys_, table.slots, key)]


def put_each(made, keys, value):
    """What dict.fromkeys does: the value under each of the keys."""
    for key in keys:
        made[key] = value


def _filled(made, other):
    for key, value in zip(other.key_list(), other.value_list(), strict=False):
        made[key] = value
    return made


STANDING = {Keyed: dict, Defaulting: collections.defaultdict, Counting: collections.Counter, Ordered: collections.OrderedDict}
for _ours, _pythons in STANDING.items():
    setattr(_ours, STANDS_FOR, _pythons)
    _ours.__name__ = _pythons.__name__
BY_KIND = {dict: Keyed, collections.OrderedDict: Ordered, collections.Counter: Counting}
"""The class that stands for one of Python's; a defaultdict's has a factory."""
