"""Operators of collections.Counter, of which only counts above 0 are left: what Python's do, read at their place.

    a + b, a - b      counts added, subtracted
    a | b, a & b      the larger count, the smaller one
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


def combined(op, one, other, result):
    """`one op other`, put into `result`, which is empty."""
    for key in one:
        count = _of_two(op, one[key], other[key])
        if count > 0:
            result[key] = count
    if op != "&":
        for key in other:
            count = _of_two(op, 0, other[key])
            if key not in one and count > 0:
                result[key] = count
    return result


def _of_two(op, one, other):
    if op == "+":
        return one + other
    if op == "-":
        return one - other
    if op == "|":
        return max(one, other)
    return min(one, other)


def same(one, other):
    """one == other: a key that one of them has not is counted 0."""
    return all(one[key] == other[key] for key in one) and all(one[key] == other[key] for key in other)
