"""collections.UserList, UserDict and ChainMap, and what the user's subclasses of them inherit. Read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import collections
import sys

from s2s.transforms.read.values import STANDS_FOR


def _data(other):
    return other.data if isinstance(other, UserListBase | UserDictBase) else other


class Holding:
    """What both have."""

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, item):
        return item in self.data

    def __eq__(self, other):
        return self.data == _data(other)

    __hash__ = None

    def __repr__(self):
        return repr(self.data)


class UserListBase(Holding):
    """collections.UserList."""

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(_data(initlist))

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __lt__(self, other):
        return self.data < _data(other)

    def __le__(self, other):
        return self.data <= _data(other)

    def __gt__(self, other):
        return self.data > _data(other)

    def __ge__(self, other):
        return self.data >= _data(other)

    def __add__(self, other):
        return self.__class__(self.data + list(_data(other)))

    def __radd__(self, other):
        return self.__class__(list(_data(other)) + self.data)

    def __iadd__(self, other):
        self.data += list(_data(other))
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __reversed__(self):
        return reversed(self.data)

    def append(self, item):
        self.data.append(item)

    def extend(self, other):
        self.data.extend(_data(other))

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self)

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)


class UserDictBase(Holding):
    """collections.UserDict: what is put in goes through `self[key] = value`."""

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, "__missing__"):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def get(self, key, default=None):
        if sys.version_info >= (3, 12):
            return self[key] if key in self else default  # noqa: SIM401
        try:
            return self[key]
        except KeyError:
            return default

    def keys(self):
        return self.data.keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def update(self, other=(), /, **kwds):
        given = _data(other)
        for key, value in given.items() if hasattr(given, "items") else given:
            self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default

    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if not default:
                raise
            return default[0]
        del self[key]
        return value

    def clear(self):
        self.data.clear()


class ChainMapBase:
    """collections.ChainMap."""

    def __init__(self, *maps):
        self.maps = list(maps) if maps else [{}]

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def __missing__(self, key):
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __len__(self):
        return len(self.keys())

    def __iter__(self):
        return iter(self.keys())

    def __bool__(self):
        return any(len(mapping) > 0 for mapping in self.maps)

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items())

    __hash__ = None

    def get(self, key, default=None):
        return self[key] if key in self else default  # noqa: SIM401

    def keys(self):
        found = {}
        for mapping in reversed(self.maps):
            for key in mapping:
                found[key] = None
        return list(found)

    def values(self):
        return [self[key] for key in self.keys()]

    def items(self):
        return [(key, self[key]) for key in self.keys()]

    def copy(self):
        return self.__class__(self.maps[0].copy(), *self.maps[1:])

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def pop(self, key, *default):
        if key not in self.maps[0] and not default:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        return self.maps[0].pop(key, *default)

    def update(self, other=(), /, **kwds):
        for key, value in other.items() if hasattr(other, "items") else other:
            self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default

    def clear(self):
        self.maps[0].clear()


USER_BASES: dict[type, type] = {collections.UserList: UserListBase, collections.UserDict: UserDictBase, collections.ChainMap: ChainMapBase}
"""What stands for these among the bases of a user's class."""

for _pythons, _ours in USER_BASES.items():
    setattr(_ours, STANDS_FOR, _pythons)

__all__ = ["USER_BASES"]
