"""Dicts whose keys are texts that the function says, of which only the run knows whether each is there: an attribute for each key, of a type of its own.

    found = {"count": n}                           found = Record()  with an attribute `key_count`
    if n: found["mean"] = total / n                the attribute `key_mean` is set on one path only

The order of the keys is that of the attributes; where a run would have another one, it raises. This class is read like a user's own.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.attribute_dicts import AttributeDict
from s2s.transforms.read.composed.pooled_dicts import PREFIX
from s2s.transforms.read.values import STANDS_FOR


class Record(AttributeDict):  # noqa: PLW1641 - as a dict it has no hash
    """A dict."""

    def __len__(self):
        count = 0
        for key in marks.keys_held(self):
            if hasattr(self, PREFIX + key):
                count += 1
        return count

    def __reversed__(self):
        return reversed(self.keys())

    def __contains__(self, key):
        return marks.is_key_text(self, key) and hasattr(self, PREFIX + key)

    def __setitem__(self, key, value):
        for other in marks.keys_behind(self, key):
            if not hasattr(self, PREFIX + key) and hasattr(self, PREFIX + other):
                raise NotImplementedError("a dict gets its keys in another order on some paths than on others")
        marks.hold_key(self, key, value)

    def held(self, key):
        """What is under a key that is there."""
        return getattr(self, PREFIX + key)

    def drop(self, key):
        """Take away a key that is there."""
        delattr(self, PREFIX + key)

    def __eq__(self, other):
        if not hasattr(other, "keys"):
            return NotImplemented
        same = len(self) == len(other)
        for key in marks.keys_held(self):
            if key in self and same:
                same = key in other and self[key] == other[key]
        return same

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def keys(self):
        """dict.keys, as they are now."""
        return [key for key in marks.keys_held(self) if hasattr(self, PREFIX + key)]

    def values(self):
        """dict.values, as they are now."""
        return [getattr(self, PREFIX + key) for key in marks.keys_held(self) if hasattr(self, PREFIX + key)]

    def items(self):
        """dict.items, as they are now."""
        return [(key, getattr(self, PREFIX + key)) for key in marks.keys_held(self) if hasattr(self, PREFIX + key)]

    def clear(self):
        """dict.clear."""
        for key in marks.keys_held(self):
            if key in self:
                delattr(self, PREFIX + key)

    def copy(self):
        """dict.copy."""
        made = Record()
        for key in marks.keys_held(self):
            if key in self:
                made[key] = self[key]
        return made

    def update(self, other=(), **more):
        """dict.update."""
        if marks.is_record(other):
            for key in marks.keys_held(other):
                if key in other:
                    self[key] = other[key]
        else:
            for key, value in dict(other).items():
                self[key] = value
        for key, value in more.items():
            self[key] = value


setattr(Record, STANDS_FOR, dict)
Record.__name__ = "dict"
