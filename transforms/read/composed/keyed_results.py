"""Results of SciPy's that are dicts: named tuples, whose fields are found by their names as texts, too."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.marks import unsupported


def as_dict(*names, unsure=()):
    """A named tuple's class as one of dicts that hold these names in SciPy's order, and perhaps `unsure` ones; a class that has `keys` says itself which."""

    def made(kind):
        kind.KEYED, kind.UNSURE = True, unsure
        if not hasattr(kind, "keys"):
            kind.NAMES, kind.keys = names, _keys
        kind.get, kind.items, kind.values, kind.__getitem__ = _get, _items, _values, _item
        kind.__contains__ = kind._contains = _contains
        return kind

    return made


def _keys(self):
    if self.UNSURE:
        unsupported("what names there are in what SciPy gives here", "those that are asked for", "it depends on SciPy's own steps")
    return list(self.NAMES)


def _get(self, key, default=None):
    return self[key] if key in self else default  # noqa: SIM401 - this is what get does


def _items(self):
    return [(name, self[name]) for name in self.keys()]


def _values(self):
    return [self[name] for name in self.keys()]


def _contains(self, key):
    if key in self.UNSURE:
        unsupported(f"whether {key!r} is in what SciPy gives here", "what it holds in any case", "it depends on SciPy's own steps")
    return key in (self.NAMES if self.UNSURE else self.keys())


def _item(self, key):
    """An item by its name; by its place outside, where it is a tuple."""
    return getattr(self, key) if isinstance(key, str) else tuple.__getitem__(self, key)


__all__ = ["as_dict"]
