"""Dicts and sets of run-time keys of which only the run knows which one a name stands for: parts of one table. These classes are read like a user's own.

    graph = {}                           keys_.append(v); held.append(w); owners.append(graph[u])
    graph[u] = {}                        slots: where (graph[u], v) stands
    graph[u][v] = w

    keys_, held          all keys that were put into one of the pool, and their values: a row for each
    owners               the number of the dict that has the row; -1 where the key was taken away again
    following, preceding the rows of the same dict's next and last key: its order; -1 where there is none
    slots                where a dict and a key stand among the rows, from 1 on, by the hash of both, with open addresses; 0 where there is none

A dict has its `first` and `last` row and the `count` of its keys.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import collections

from s2s.transforms.read.composed.key_slots import give_slot, hash_of
from s2s.transforms.read.composed.keyed import Counting, Defaulting, Keyed, Ordered
from s2s.transforms.read.composed.keyed_sets import KeyedSet, listed_of
from s2s.transforms.read.composed.keyed_views import ItemsOf, KeysOf, ValuesOf
from s2s.transforms.read.composed.marks import (
    arrays_behind,
    check_kinds,
    is_whole,
    made_now,
    number_of,
    numbers_of,
    stored,
    surely,
    taken,
    unsupported,
)
from s2s.transforms.read.values import STANDS_FOR

FIELDS = ("first", "last", "count")
SHARED = ("keys_", "held", "owners", "following", "preceding")
"""The lists that all of a pool have in common, and `slots`."""


def kind_for(kind):
    """The class that stands in a pool for such dicts or sets: Python's, or what stands for it."""
    kind = vars(kind).get(STANDS_FOR, kind)
    return next((ours for ours, pythons in STANDING.items() if pythons is kind), PooledKeyed)


class Part:
    """What dicts and sets of a pool have in common."""

    def __len__(self):
        return self.count

    def __contains__(self, key):
        return _row_of(self, key) >= 0

    def key_list(self):
        """A list of the keys, in order."""
        return [taken(self.keys_, row) for row in _rows(self)]

    def value_list(self):
        """A list of the values, in order."""
        return [taken(self.held, row) for row in _rows(self)]

    def item_list(self):
        """A list of keys and values, in order."""
        return [(taken(self.keys_, row), taken(self.held, row)) for row in _rows(self)]

    def clear(self):
        """dict.clear, set.clear."""
        for row in _rows(self):
            stored(self.owners, row, -1)
        self.first = self.last = -1
        self.count = 0


class PooledKeyed(Part, Keyed):
    """A dict."""

    def __iter__(self):
        row, end, count = self.first, self.last, self.count
        for _ in range(count):
            yield taken(self.keys_, row)
            _check_order(self, end, count)
            row = taken(self.following, row)

    def __getitem__(self, key):
        row = _row_of(self, key)
        if row < 0:
            raise KeyError(key)
        return taken(self.held, row)

    def __setitem__(self, key, value):
        row = _row_of(self, key)
        if row >= 0:
            stored(self.held, row, value)
        else:
            _add(self, key, value)

    def get(self, key, default=None):
        """dict.get."""
        row = _row_of(self, key)
        return taken(self.held, row) if row >= 0 else default

    def setdefault(self, key, default=None):
        """dict.setdefault."""
        row = _row_of(self, key)
        if row < 0:
            row = _add(self, key, default)
        return taken(self.held, row)

    def pop(self, key, *default):
        """dict.pop."""
        row = _row_of(self, key)
        if row < 0:
            if not default:
                raise KeyError(key)
            found = default[0]
        else:
            found = taken(self.held, row)
            _remove(self, row)
        return found

    def popitem(self, last=True):
        """dict.popitem, OrderedDict.popitem."""
        if self.count == 0:
            raise KeyError("popitem(): dictionary is empty")
        row = self.last if last else self.first
        found = taken(self.keys_, row), taken(self.held, row)
        _remove(self, row)
        return found

    def keys(self):
        """dict.keys."""
        return PooledKeysOf(self)

    def values(self):
        """dict.values."""
        return PooledValuesOf(self)

    def items(self):
        """dict.items."""
        return PooledItemsOf(self)


class PooledDefaulting(PooledKeyed, Defaulting):
    """A collections.defaultdict."""

    def __getitem__(self, key):
        row = _row_of(self, key)
        if row < 0:
            if self.default_factory is None:
                raise KeyError(key)
            row = _add(self, key, made_now(self.default_factory()))
        return taken(self.held, row)


class PooledCounting(PooledKeyed, Counting):
    """A collections.Counter."""

    def __getitem__(self, key):
        return self.get(key, 0)


class PooledOrdered(PooledKeyed, Ordered):
    """A collections.OrderedDict."""

    def popitem(self, last=True):
        """OrderedDict.popitem."""
        if self.count == 0:
            raise KeyError("dictionary is empty")
        return super().popitem(last)

    def move_to_end(self, key, last=True):
        """OrderedDict.move_to_end."""
        row = _row_of(self, key)
        if row < 0:
            raise KeyError(key)
        _remove(self, row)
        stored(self.owners, row, number_of(self))
        _link(self, row, self.last if last else -1, -1 if last else self.first)


class PooledSet(Part, KeyedSet):
    """A set, whose order nobody knows."""

    def __iter__(self):
        self.in_order()

    def in_order(self):
        """Refused."""
        unsupported("the order of a set of which only the run knows which one it is", "sorted(…) of it, or a dict")

    def pop(self):
        """Refused."""
        self.in_order()

    def listed(self):
        """The list of the items, as they were put in."""
        return self.key_list()

    def mark(self, made):
        """Nobody knows the order of what comes of it."""
        made.is_ordered = False

    def merged_into(self, made):
        """Put all items into another set."""
        self.mark(made)
        for key in self.key_list():
            made.add(key)

    def _become(self, other):
        self.clear()
        for key in other.key_list():
            self.add(key)

    def update(self, *others):
        """set.update."""
        for other in others:
            for key in listed_of(other):
                self.add(key)

    def add(self, key):
        """set.add."""
        if _row_of(self, key) < 0:
            _add_key(self, key)

    def discard(self, key):
        """set.discard."""
        row = _row_of(self, key)
        if row >= 0:
            _remove(self, row)


class PooledKeysOf(KeysOf):
    """dict.keys()."""

    def __iter__(self):
        row, end, count = self.of.first, self.of.last, self.of.count
        for _ in range(count):
            yield taken(self.of.keys_, row)
            _check_order(self.of, end, count)
            row = taken(self.of.following, row)

    def at_once(self):
        """The list of what there is."""
        return self.of.key_list()


class PooledValuesOf(ValuesOf):
    """dict.values()."""

    def __iter__(self):
        row, end, count = self.of.first, self.of.last, self.of.count
        for _ in range(count):
            yield taken(self.of.held, row)
            _check_order(self.of, end, count)
            row = taken(self.of.following, row)

    def at_once(self):
        """The list of what there is."""
        return self.of.value_list()


class PooledItemsOf(ItemsOf):
    """dict.items()."""

    def __iter__(self):
        row, end, count = self.of.first, self.of.last, self.of.count
        for _ in range(count):
            yield taken(self.of.keys_, row), taken(self.of.held, row)
            _check_order(self.of, end, count)
            row = taken(self.of.following, row)

    def at_once(self):
        """The list of what there is."""
        return self.of.item_list()


def in_a_row(tables):
    """All keys (of dicts pairs of keys and values) of dicts or sets, one behind the other, and where each starts and ends among them."""
    items, starts, ends = [], [], []
    for each in tables:
        starts.append(len(items))
        for item in each.key_list() if isinstance(each, set) else each.item_list():
            items.append(item)  # noqa: PERF402 - a list of run-time length is gone through
        ends.append(len(items))
    return items, starts, ends


def begin(table, given):
    """Give a new dict or set what another one has."""
    table.update(given)


def _rows(table):
    """The rows of a dict, in order."""
    found = []
    row = table.first
    for _ in range(table.count):
        found.append(row)
        row = taken(table.following, row)
    return found


def _check_order(table, end, count):
    """What Python raises of a dict that a loop goes through."""
    if table.count != count:
        raise RuntimeError("dictionary changed size during iteration")
    if table.last != end:
        raise NotImplementedError("a dict that loses a key and gets another one while a loop goes through it")


def _add(table, key, value):
    """Put a key with its value behind the others, of which it is none: its row."""
    table.held.append(value)
    return _add_key(table, key)


def _add_key(table, key):
    row = len(table.keys_)
    table.keys_.append(key)
    table.owners.append(number_of(table))
    table.following.append(-1)
    table.preceding.append(-1)
    _link(table, row, table.last, -1)
    if is_whole(key):
        if 2 * (row + 1) > len(table.slots):
            for _ in range(len(table.slots)):
                table.slots.append(0)
            _fill(table)
        else:
            _put(table, row)
    return row


def _remove(table, row):
    """Take the key of a row away."""
    before, after = taken(table.preceding, row), taken(table.following, row)
    stored(table.owners, row, -1)
    if before < 0:
        table.first = after
    else:
        stored(table.following, before, after)
    if after < 0:
        table.last = before
    else:
        stored(table.preceding, after, before)
    table.count = table.count - 1


def _link(table, row, before, after):
    """Give a row its place between two others in its dict's order; -1 where there is none."""
    stored(table.preceding, row, before)
    stored(table.following, row, after)
    if before < 0:
        table.first = row
    else:
        stored(table.following, before, row)
    if after < 0:
        table.last = row
    else:
        stored(table.preceding, after, row)
    table.count = table.count + 1


def _row_of(table, key):
    """The row of a key; -1 where the dict has it not."""
    if surely(len(table.keys_) == 0):
        return -1
    check_kinds(table.keys_, key)
    if not is_whole(key):
        row = table.first
        while row >= 0 and taken(table.keys_, row) != key:
            row = taken(table.following, row)
        return row
    number, slots = number_of(table), table.slots
    mask = len(slots) - 1
    slot = _slot(number, key) & mask
    while taken(slots, slot) != 0 and not _is_at(table, taken(slots, slot) - 1, number, key):
        slot = (slot + 1) & mask
    return taken(slots, slot) - 1


def _is_at(table, row, number, key):
    return taken(table.owners, row) == number and taken(table.keys_, row) == key


def _slot(number, key):
    return hash_of(_with_owner(number, key))


def _with_owner(number, key):
    return (number, *key) if isinstance(key, tuple) else (number, key)


def _fill(table):
    """Find a slot for each row that a dict still has."""
    for slot in range(len(table.slots)):
        stored(table.slots, slot, 0)
    for row in range(len(table.keys_)):
        if taken(table.owners, row) >= 0:
            _put(table, row)


def _put(table, row):
    owner, key = taken(table.owners, row), taken(table.keys_, row)
    give_slot(*arrays_behind(table.slots), len(table.slots), numbers_of(_with_owner(owner, key)), row + 1)


STANDING = {
    PooledKeyed: dict, PooledDefaulting: collections.defaultdict, PooledCounting: collections.Counter, PooledOrdered: collections.OrderedDict, PooledSet: set,
}  # fmt: skip
VIEWS = {PooledKeysOf: type({}.keys()), PooledValuesOf: type({}.values()), PooledItemsOf: type({}.items())}
for _ours, _pythons in (*STANDING.items(), *VIEWS.items()):
    setattr(_ours, STANDS_FOR, _pythons)
    _ours.__name__ = _pythons.__name__
