"""Dicts of known keys of which only the run knows which one a name stands for: an attribute for each key. This class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.attribute_dicts import AttributeDict
from s2s.transforms.read.composed.marks import attributes_of, has_room_for, unsupported
from s2s.transforms.read.values import STANDS_FOR

PREFIX = "key_"
"""Before a key in the name of its attribute: a key may be called as a method is."""


class PooledDict(AttributeDict):  # noqa: PLW1641 - as a dict it has no hash
    """A dict."""

    def __len__(self):
        return len(attributes_of(self))

    def __contains__(self, key):
        return isinstance(key, str) and hasattr(self, PREFIX + key)

    def __setitem__(self, key, value):
        if not isinstance(key, str) or not has_room_for(self, PREFIX + key):
            unsupported("a new key of a dict of which only the run knows which one it is", "the same keys in all of them from the start")
        setattr(self, PREFIX + key, value)

    def held(self, key):
        """What is under a key that is there."""
        return getattr(self, PREFIX + key)

    def drop(self, key):
        """Refuse to take away a key."""
        unsupported("`del` of a key of a dict of which only the run knows which one it is", "the same keys in all of them")

    def __eq__(self, other):
        return self.copy() == (other.copy() if isinstance(other, dict) else other)

    def __ne__(self, other):
        return not self == other

    def __or__(self, other):
        return self.copy() | other

    def keys(self):
        """dict.keys."""
        return [name[len(PREFIX) :] for name in attributes_of(self)]

    def values(self):
        """dict.values."""
        return [getattr(self, name) for name in attributes_of(self)]

    def items(self):
        """dict.items."""
        return [(name[len(PREFIX) :], getattr(self, name)) for name in attributes_of(self)]

    def update(self, other=(), **more):
        """dict.update."""
        given = dict(other, **more)
        for key, value in given.items():
            self[key] = value

    def copy(self):
        """dict.copy: a dict of its own."""
        return {name[len(PREFIX) :]: getattr(self, name) for name in attributes_of(self)}


setattr(PooledDict, STANDS_FOR, dict)
PooledDict.__name__ = "dict"
