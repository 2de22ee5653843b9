"""Iterators of the user's own classes, those with `__next__`: what Python's functions do with them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


def next_or(iterator, default):
    """next(iterator, default)."""
    try:
        found = iterator.__next__()
    except StopIteration:
        found = default
    return found


def items_of(iterator):
    """list(iterator)."""
    items = []
    while True:
        try:
            item = iterator.__next__()
        except StopIteration:
            break
        items.append(item)
    return items
