"""What the programs of `iterators` begin with: generators, iterators of the user's own, functions that take from them."""
from __future__ import annotations

HEADER = '''"""Made by tests/fuzz/iterators.py."""
import functools
import itertools
import math
import operator
from functools import partial

import numpy as np


def arguments(seed):
    rng = np.random.default_rng(seed)
    size = (4, 6, 1, 3, 5)[seed % 5]
    return rng.uniform(-1.0, 4.0, size).round(2), rng.uniform(0.0, 3.0, 3).round(1), rng.uniform(0.0, 3.0, 4).round(1).tolist(), (2, 0, 3, 1)[seed % 4], round(float(rng.uniform(0.2, 2.0)), 2)


def change(number):
    pass


class Sum:
    def __init__(self, total):
        self.total = total

    def add(self, v):
        self.total += v
        return self.total


class Holder:
    def __init__(self, it):
        self.it = it


class Through:
    def __init__(self, items):
        self.items, self.at = list(items), 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.items):
            raise StopIteration
        self.at += 1
        return self.items[self.at - 1]


class Rising:
    """Those that are greater than the last one."""

    def __init__(self, items):
        self.it, self.last = iter(items), -10.0

    def __iter__(self):
        return self

    def __next__(self):
        v = next(self.it)
        while v <= self.last:
            v = next(self.it)
        self.last = v
        return v


class Falling:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        for k in range(len(self.items) - 1, -1, -1):
            yield self.items[k]


def above(items, low):
    for v in items:
        if v > low:
            yield v


def twice(items):
    for v in items:
        yield v
        yield -v


def counted(items, seen):
    for v in items:
        seen["n"] += 1
        yield v * 1.0
    seen["n"] += 100


def noted(items, held):
    for v in items:
        held.append(v)
        yield v * held[-1]


def told(items, own):
    for v in items:
        yield own.add(v)


def growing(items):
    held = []
    for v in items:
        held.append(v)
        yield held


def summed(items):
    out = np.zeros(2)
    for v in items:
        out[0] += v
        out[1] = v
        yield out


def written(a, low):
    for k in range(len(a)):
        if a[k] > low:
            a[k] = -a[k]
        yield a[k]


def in_twos(it):
    for v in it:
        yield v, next(it, 0.0)


def rests(it):
    while True:
        v = next(it, None)
        if v is None:
            return
        yield v


def runs(it):
    run = []
    for v in it:
        if run and v < run[-1]:
            yield run
            run = []
        run.append(v)
    if run:
        yield run


def taken(number, it):
    return list(itertools.islice(it, number))


def one_of(it):
    for v in it:
        return v
    return -3.0


def first_two(it):
    a, b = next(it, 0.0), next(it, 1.0)
    return a, b


def until(it, low):
    s = 0.0
    for v in it:
        if v > low:
            break
        s += v
    return s


def head_and_rest(it):
    head = list(itertools.takewhile(lambda v: v < 1.5, it))
    return head, sum(it)


def chunked(it):
    found = []
    while chunk := tuple(itertools.islice(it, 2)):
        found.append(sum(chunk))
    return found


def largest(*values):
    return max(values, default=0.0)


def whole(value):
    if isinstance(value, dict):
        return whole(list(value.values()))
    if isinstance(value, (list, tuple, np.ndarray)):
        return sum((whole(v) for v in value), 0.0)
    return float(value) if not isinstance(value, set) else 0.0


'''
