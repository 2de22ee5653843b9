"""Iterators that take from others, a number of the run of items at a time: what Python's own do, written out (`flow/by_turns.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import operator


class ByTurns:
    """An iterator; a subclass says what its next item is."""

    def __iter__(self):
        return self


class Expression(ByTurns):
    """(element(item) for item in items if wanted(item))"""

    def __init__(self, element, wanted, items):
        self.element, self.wanted, self.items = element, wanted, iter(items)

    def __next__(self):
        while True:
            item = next(self.items)
            try:
                if self.wanted is None or self.wanted(item):
                    return self.element(item)
            except StopIteration:
                raise RuntimeError("generator raised StopIteration") from None


class Mapped(ByTurns):
    """map(function, *items)"""

    def __init__(self, function, *items):
        self.function, self.items = function, tuple(iter(each) for each in items)

    def __next__(self):
        return self.function(*[next(each) for each in self.items])


class Starred(ByTurns):
    """itertools.starmap(function, items)"""

    def __init__(self, function, items):
        self.function, self.items = function, iter(items)

    def __next__(self):
        return self.function(*next(self.items))


def _up_to(number):
    return "argument 1" if number == 1 else f"arguments 1-{number}"


class Zipped(ByTurns):
    """zip(*items, strict=False)"""

    def __init__(self, *items, strict=False):
        self.items, self.strict = tuple(iter(each) for each in items), strict

    def __next__(self):
        return self._of_one_length() if self.strict else tuple([next(each) for each in self.items])

    def _of_one_length(self):
        found = []
        for number, each in enumerate(self.items):
            try:
                found.append(next(each))
            except StopIteration:
                if number > 0:
                    raise ValueError(f"zip() argument {number + 1} is shorter than {_up_to(number)}") from None
                self._end()
                raise
        return tuple(found)

    def _end(self):
        """The first has no more: nor may the others."""
        for number, each in enumerate(self.items):
            if number > 0:
                try:
                    next(each)
                except StopIteration:
                    continue
                raise ValueError(f"zip() argument {number + 1} is longer than {_up_to(number)}")


class Numbered(ByTurns):
    """enumerate(items, start)"""

    def __init__(self, items, start=0):
        self.items, self.number = iter(items), start

    def __next__(self):
        item = next(self.items)
        self.number += 1
        return self.number - 1, item


class Filtered(ByTurns):
    """filter(function, items)"""

    def __init__(self, function, items):
        self.function, self.items = function, iter(items)

    def __next__(self):
        while True:
            item = next(self.items)
            if item if self.function is None else self.function(item):
                return item


class Rejected(Filtered):
    """itertools.filterfalse(function, items)"""

    def __next__(self):
        while True:
            item = next(self.items)
            if not (item if self.function is None else self.function(item)):
                return item


class TakenWhile(ByTurns):
    """itertools.takewhile(function, items)"""

    def __init__(self, function, items):
        self.function, self.items, self.ended = function, iter(items), False

    def __next__(self):
        if self.ended:
            raise StopIteration
        item = next(self.items)
        if not self.function(item):
            self.ended = True
            raise StopIteration
        return item


class DroppedWhile(ByTurns):
    """itertools.dropwhile(function, items)"""

    def __init__(self, function, items):
        self.function, self.items, self.begun = function, iter(items), False

    def __next__(self):
        while True:
            item = next(self.items)
            if self.begun or not self.function(item):
                self.begun = True
                return item


class Compressed(ByTurns):
    """itertools.compress(data, selectors)"""

    def __init__(self, data, selectors):
        self.data, self.selectors = iter(data), iter(selectors)

    def __next__(self):
        while True:
            item = next(self.data)
            if next(self.selectors):
                return item


class Sliced(ByTurns):
    """itertools.islice(items, start, stop, step)"""

    def __init__(self, items, *bounds):
        part = slice(*bounds)
        self.items, self.taken = iter(items), 0
        self.following, self.stop, self.step = 0 if part.start is None else part.start, part.stop, 1 if part.step is None else part.step

    def __next__(self):
        while self.taken < self.following:
            next(self.items)
            self.taken += 1
        if self.stop is not None and self.taken >= self.stop:
            raise StopIteration
        item = next(self.items)
        self.taken += 1
        self.following += self.step
        if self.stop is not None and self.following > self.stop:
            self.following = self.stop
        return item


class Accumulated(ByTurns):
    """itertools.accumulate(items, function, initial=None)"""

    def __init__(self, items, func=None, *, initial=None):
        self.items, self.function = iter(items), operator.add if func is None else func
        self.begun, self.initial = False, initial
        self.total = initial

    def __next__(self):
        if self.begun:
            self.total = self.function(self.total, next(self.items))
        else:
            if self.initial is None:
                self.total = next(self.items)
            self.begun = True
        return self.total


class Paired(ByTurns):
    """itertools.pairwise(items)"""

    def __init__(self, items):
        self.items, self.begun, self.first = iter(items), False, None

    def __next__(self):
        if not self.begun:
            self.first = next(self.items)
            self.begun = True
        first, self.first = self.first, next(self.items)
        return first, self.first


class Chained(ByTurns):
    """itertools.chain(*items)"""

    def __init__(self, *items):
        self.items = tuple(iter(each) for each in items)

    def __next__(self):
        for each in self.items:
            try:
                return next(each)
            except StopIteration:
                pass
        raise StopIteration


class Cycled(ByTurns):
    """itertools.cycle(items)"""

    def __init__(self, items):
        self.items, self.taken, self.at, self.ended = iter(items), [], 0, False

    def __next__(self):
        if not self.ended:
            try:
                item = next(self.items)
            except StopIteration:
                self.ended = True
            else:
                self.taken.append(item)
                return item
        if len(self.taken) == 0:
            raise StopIteration
        self.at += 1
        return self.taken[(self.at - 1) % len(self.taken)]


class Taken:
    """What several iterators over the same items have taken of them."""

    def __init__(self, items):
        self.items, self.taken = iter(items), []


class Teed(ByTurns):
    """One of itertools.tee(items)"""

    def __init__(self, shared):
        self.shared, self.at = shared, 0

    def __next__(self):
        if self.at == len(self.shared.taken):
            self.shared.taken.append(next(self.shared.items))
        self.at += 1
        return self.shared.taken[self.at - 1]


def teed(items, n=2):
    """itertools.tee(items, n)"""
    shared = Taken(items)
    return tuple([Teed(shared) for _ in range(n)])


def comprehended(element, wanted, items):
    """[element(item) for item in items if wanted(item)] where what makes an item takes others."""
    found = []
    while True:
        try:
            item = next(items)
        except StopIteration:
            break
        if wanted is None or wanted(item):
            found.append(element(item))
    return found


__all__ = [
    "Accumulated", "Chained", "Compressed", "Cycled", "DroppedWhile", "Expression", "Filtered", "Mapped", "Numbered", "Paired", "Rejected", "Sliced", "Starred", "TakenWhile", "Zipped",
    "comprehended", "teed",
]  # fmt: skip
