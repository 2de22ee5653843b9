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


def equal_by_fields(one, other, fields, others):
    """What @dataclass writes for == since Python 3.13."""
    return True if one is other else all_equal(fields, others)


def all_equal(fields, others):
    """Each with its own ==, until one is not equal: what the last one said."""
    if len(fields) == 0:
        return True
    return fields[0] == others[0] if len(fields) == 1 else fields[0] == others[0] and all_equal(fields[1:], others[1:])


def unequal(one, other):
    """one != other."""
    return other is not None if one is None else one != other
