"""What the user's subclasses of list, dict and tuple inherit: Python's methods, of a list, dict or tuple that the object holds. These classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.marks import unsupported

HELD = "_s2s_items"
"""The attribute that holds them."""


def _held(other):
    return other._s2s_items if isinstance(other, ListBase | DictBase | TupleBase) else other


class Held:
    """What all have."""

    __slots__ = ()

    def __len__(self):
        return len(self._s2s_items)

    def __iter__(self):
        return iter(self._s2s_items)

    def __contains__(self, item):
        return item in self._s2s_items

    def __eq__(self, other):
        return self._s2s_items == _held(other)

    def __ne__(self, other):
        return not self._s2s_items == _held(other)

    __hash__ = None

    def __repr__(self):
        return f"{self._s2s_items!r}"

    def __bool__(self):
        return len(self._s2s_items) > 0


class Base(Held):
    """What those have that can be changed."""

    def __delitem__(self, key):
        del self._s2s_items[key]

    def copy(self):
        return self._s2s_items.copy()

    def clear(self):
        self._s2s_items.clear()

    def pop(self, *args):
        return self._s2s_items.pop(*args)


class Items(Held):
    """What a list and a tuple have."""

    __slots__ = ()

    def __getitem__(self, key):
        return self._s2s_items[key]

    def __add__(self, other):
        return self._s2s_items + _held(other)

    def __radd__(self, other):
        return other + self._s2s_items

    def __mul__(self, number):
        return self._s2s_items * number

    def __rmul__(self, number):
        return self._s2s_items * number

    def __lt__(self, other):
        return self._s2s_items < _held(other)

    def __gt__(self, other):
        return self._s2s_items > _held(other)

    def __le__(self, other):
        return self._s2s_items <= _held(other)

    def __ge__(self, other):
        return self._s2s_items >= _held(other)

    def index(self, item):
        return self._s2s_items.index(item)

    def count(self, item):
        return self._s2s_items.count(item)


class ListBase(Base, Items):
    """list."""

    def __init__(self, items=()):
        object.__setattr__(self, "_s2s_items", list(items))

    def __setitem__(self, key, value):
        self._s2s_items[key] = value

    def __iadd__(self, other):
        self._s2s_items.extend(other)
        return self

    def __reversed__(self):
        return reversed(self._s2s_items)

    def append(self, item):
        self._s2s_items.append(item)

    def extend(self, items):
        self._s2s_items.extend(items)

    def insert(self, place, item):
        self._s2s_items.insert(place, item)

    def remove(self, item):
        self._s2s_items.remove(item)

    def reverse(self):
        self._s2s_items.reverse()

    def sort(self, **options):
        self._s2s_items.sort(**options)


class DictBase(Base):
    """dict."""

    def __init__(self, *args, **kwargs):
        object.__setattr__(self, "_s2s_items", dict(*[_held(each) for each in args], **kwargs))

    def __getitem__(self, key):
        if hasattr(type(self), "__missing__") and key not in self._s2s_items:
            return self.__missing__(key)
        return self._s2s_items[key]

    def __setitem__(self, key, value):
        self._s2s_items[key] = value

    def __or__(self, other):
        unsupported("`|` of a subclass of dict", "update")

    def get(self, key, default=None):
        return self._s2s_items.get(key, default)

    def keys(self):
        return self._s2s_items.keys()

    def values(self):
        return self._s2s_items.values()

    def items(self):
        return self._s2s_items.items()

    def update(self, *args, **kwargs):
        self._s2s_items.update(*[_held(each) for each in args], **kwargs)

    def setdefault(self, key, default=None):
        return self._s2s_items.setdefault(key, default)

    def popitem(self):
        return self._s2s_items.popitem()


class TupleBase(Items):
    """tuple."""

    __slots__ = ("_s2s_items",)

    def __new__(cls, items=()):
        made = object.__new__(cls)
        object.__setattr__(made, "_s2s_items", tuple(items))
        return made

    def __hash__(self):
        return hash(self._s2s_items)


BASES: dict[type, type] = {list: ListBase, dict: DictBase, tuple: TupleBase}
"""What stands for a class of Python's among the bases of a user's class."""
