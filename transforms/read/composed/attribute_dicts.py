"""What dicts whose keys are attributes have in common, told once. Their classes say which keys there are (`keys`, `in`) and how a key that is there is seen, set and dropped (`held`, `self[key] = …`, `drop`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


class AttributeDict:
    """A dict."""

    def __len__(self):
        return len(self.keys())

    def __bool__(self):
        return len(self) > 0

    def __iter__(self):
        return iter(self.keys())

    def __getitem__(self, key):
        if key not in self:
            raise KeyError(key)
        return self.held(key)

    def __delitem__(self, key):
        if key not in self:
            raise KeyError(key)
        self.drop(key)

    def __copy__(self):
        return self.copy()

    def __ior__(self, other):
        self.update(other)
        return self

    def get(self, key, default=None):
        """dict.get."""
        return self.held(key) if key in self else default

    def setdefault(self, key, default=None):
        """dict.setdefault."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *default):
        """dict.pop."""
        if len(default) == 0 and key not in self:
            raise KeyError(key)
        if key not in self:
            found = default[0]
        else:
            found = self.held(key)
            self.drop(key)
        return found
