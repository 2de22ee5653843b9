"""What a dict of run-time keys gives for its keys, values and items. These classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.values import STANDS_FOR


class KeysOf:  # noqa: PLW1641 - as a set it has no hash
    """dict.keys()."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)

    def __contains__(self, key):
        return key in self.of

    def __iter__(self):
        return iter(self.of.keys_)

    def __reversed__(self):
        return reversed(self.of.key_list())

    def __eq__(self, other):
        unsupported("a comparison of the keys or items of dicts of run-time keys", "the dicts themselves")

    __or__ = __and__ = __sub__ = __xor__ = __le__ = __lt__ = __ge__ = __gt__ = __eq__


class ValuesOf:
    """dict.values()."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)

    def __contains__(self, value):
        return value in self.of.value_list()

    def __iter__(self):
        return iter(self.of.held)

    def __reversed__(self):
        return reversed(self.of.value_list())


class ItemsOf:  # noqa: PLW1641 - as a set it has no hash
    """dict.items()."""

    def __init__(self, of):
        self.of = of

    def __len__(self):
        return len(self.of)

    def __iter__(self):
        return zip(self.of.keys_, self.of.held, strict=False)

    def __reversed__(self):
        return reversed(list(zip(self.of.key_list(), self.of.value_list(), strict=False)))

    def __eq__(self, other):
        unsupported("a comparison of the keys or items of dicts of run-time keys", "the dicts themselves")

    __or__ = __and__ = __sub__ = __xor__ = __le__ = __lt__ = __ge__ = __gt__ = __eq__


for _ours, _pythons in ((KeysOf, type({}.keys())), (ValuesOf, type({}.values())), (ItemsOf, type({}.items()))):
    setattr(_ours, STANDS_FOR, _pythons)
    _ours.__name__ = _pythons.__name__
