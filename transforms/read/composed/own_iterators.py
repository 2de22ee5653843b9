"""Iterators of the user's own classes, those with `__next__`: what Python's functions do with them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations


class ByItems:
    """iter(of) of an object that has `__getitem__` only."""

    def __init__(self, of):
        self.of, self.at = of, 0

    def __iter__(self):
        return self

    def __next__(self):
        try:
            found = self.of[self.at]
        except IndexError:
            raise StopIteration from None
        self.at += 1
        return found


class OfList:
    """iter(of) of a list that may grow or shrink meanwhile."""

    def __init__(self, of):
        self.of, self.at = of, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.of):
            raise StopIteration
        self.at += 1
        return self.of[self.at - 1]


class OfKeys:
    """iter(of) of a dict of run-time keys that may grow or shrink meanwhile."""

    def __init__(self, of):
        self.of, self.count, self.at = of, len(of), 0
        self.last = of.keys_[0] if len(of) else 0

    def __iter__(self):
        return self

    def __next__(self):
        if len(self.of) != self.count:
            raise RuntimeError("dictionary changed size during iteration")
        if self.at > 0 and self.of.keys_[self.at - 1] != self.last:
            raise NotImplementedError("a dict that loses a key and gets another one while a loop goes through it")
        if self.at >= self.count:
            raise StopIteration
        self.last = self.of.keys_[self.at]
        self.at += 1
        return self.found()

    def found(self):
        return self.last


class OfValues(OfKeys):
    """iter(of.values())."""

    def found(self):
        return self.of.held[self.at - 1]


class OfItems(OfKeys):
    """iter(of.items())."""

    def found(self):
        return self.last, self.of.held[self.at - 1]


class Until:
    """iter(function, sentinel)."""

    def __init__(self, function, sentinel):
        self.function, self.sentinel, self.ended = function, sentinel, False

    def __iter__(self):
        return self

    def __next__(self):
        if self.ended:
            raise StopIteration
        found = self.function()
        if self.sentinel == found:
            self.ended = True
            raise StopIteration
        return found


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


def holds(container, sought):
    """sought in container, of an object that has `__getitem__` only."""
    at, found = 0, False
    while not found:
        try:
            item = container[at]
        except IndexError:
            break
        found = item == sought
        at += 1
    return found


def any_of(items):
    """any(items), of which no more are made than Python makes."""
    for item in items:  # noqa: SIM110 - it is what any() stands for here
        if item:
            return True
    return False


def all_of(items):
    """all(items), of which no more are made than Python makes."""
    for item in items:  # noqa: SIM110 - it is what all() stands for here
        if not item:
            return False
    return True


def among(items, sought):
    """sought in items, of numbers and texts, of which no more are made than Python makes."""
    for item in items:  # noqa: SIM110 - Python's `in` is what this stands for
        if item == sought:
            return True
    return False
