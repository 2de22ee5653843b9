"""What is done with an object of a pool that may be None, in the two cases. These functions are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


def copied(held):
    """A copy as a list; of None one without items."""
    return [] if held is None else held.copy()


def keys(held):
    """The keys of a dict or set; of None a list without items."""
    return [] if held is None else held.key_list()


def values(held):
    """The values of a dict; of None a list without items."""
    return [] if held is None else held.value_list()


def equal(one, other):
    """one == other."""
    return other is None if one is None else one == other


def unequal(one, other):
    """one != other."""
    return other is not None if one is None else one != other
