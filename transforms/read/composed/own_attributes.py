"""The `__dict__` of an object that is made while reading: read like a user's class, it sees the attributes and sets them, whatever the object's class says of them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.attribute_dicts import AttributeDict
from s2s.transforms.read.values import STANDS_FOR


class OwnAttributes(AttributeDict):  # noqa: PLW1641 - as a dict it has no hash
    """A dict of the attributes."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(marks.names_held(self.of))

    def __iter__(self):
        return iter(marks.names_held(self.of))

    def __contains__(self, name):
        return name in marks.names_held(self.of)

    def __setitem__(self, name, value):
        marks.hold_attribute(self.of, name, value)

    def held(self, name):
        """The attribute of a name that is there."""
        return marks.attribute_held(self.of, name)

    def drop(self, name):
        """Take away an attribute that is there."""
        marks.drop_attribute(self.of, name)

    def __eq__(self, other):
        return self.copy() == (other.copy() if isinstance(other, OwnAttributes) else other)

    def __or__(self, other):
        return self.copy() | (other.copy() if isinstance(other, OwnAttributes) else other)

    def __ror__(self, other):
        return other | self.copy()

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
