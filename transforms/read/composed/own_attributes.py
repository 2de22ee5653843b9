"""The `__dict__` of an object that is made while reading: read like a user's class, it sees the attributes and sets them, whatever the object's class says of them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed import marks
from s2s.transforms.read.values import STANDS_FOR


class OwnAttributes:  # noqa: PLW1641 - as a dict it has no hash
    """A dict of the attributes."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(marks.names_held(self.of))

    def __iter__(self):
        return iter(marks.names_held(self.of))

    def __contains__(self, name):
        return name in marks.names_held(self.of)

    def __bool__(self):
        return len(self) > 0

    def __getitem__(self, name):
        if name not in marks.names_held(self.of):
            raise KeyError(name)
        return marks.attribute_held(self.of, name)

    def __setitem__(self, name, value):
        marks.hold_attribute(self.of, name, value)

    def __delitem__(self, name):
        if name not in marks.names_held(self.of):
            raise KeyError(name)
        marks.drop_attribute(self.of, name)

    def __eq__(self, other):
        return self.copy() == (other.copy() if isinstance(other, OwnAttributes) else other)

    def __or__(self, other):
        return self.copy() | (other.copy() if isinstance(other, OwnAttributes) else other)

    def __ror__(self, other):
        return other | self.copy()

    def __ior__(self, other):
        self.update(other)
        return self

    def copy(self):
        """dict.copy."""
        return {name: marks.attribute_held(self.of, name) for name in marks.names_held(self.of)}

    def keys(self):
        """dict.keys, as they are now."""
        return self.copy().keys()

    def values(self):
        """dict.values, as they are now."""
        return self.copy().values()

    def items(self):
        """dict.items, as they are now."""
        return self.copy().items()

    def get(self, name, default=None):
        """dict.get."""
        return marks.attribute_held(self.of, name) if name in marks.names_held(self.of) else default

    def setdefault(self, name, default=None):
        """dict.setdefault."""
        if name not in marks.names_held(self.of):
            marks.hold_attribute(self.of, name, default)
        return marks.attribute_held(self.of, name)

    def pop(self, name, *default):
        """dict.pop."""
        if name not in marks.names_held(self.of):
            if len(default) == 0:
                raise KeyError(name)
            return default[0]
        found = marks.attribute_held(self.of, name)
        marks.drop_attribute(self.of, name)
        return found

    def update(self, other=(), **more):
        """dict.update."""
        given = other.copy() if isinstance(other, OwnAttributes) else dict(other)
        given.update(more)
        for name, value in given.items():
            marks.hold_attribute(self.of, name, value)

    def clear(self):
        """dict.clear."""
        for name in marks.names_held(self.of):
            marks.drop_attribute(self.of, name)


setattr(OwnAttributes, STANDS_FOR, dict)
OwnAttributes.__name__ = "dict"
