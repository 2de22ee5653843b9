"""What programs in Python's data model (`data_model`) use: classes, generators, context managers, functions with side effects."""

HEADER = '''"""Made by tests/fuzz/data_model.py."""
import bisect
import contextlib
import copy
import functools
import heapq
import itertools
import math
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np

RATE = 0.75


class Own(Exception):
    def __init__(self, amount):
        super().__init__(f"own {amount}")
        self.amount = 0.5 if isinstance(amount, str) else amount


class Acc:
    made = 0

    def __init__(self, x):
        self.x = x
        self.log = []

    @property
    def size(self):
        return abs(self.x) + len(self.log)

    @size.setter
    def size(self, value):
        self.log.append(value)
        self.x = value * 0.5

    @classmethod
    def of(cls, values):
        made = cls(0.0)
        for v in values:
            made.add(v)
        return made

    @functools.cached_property
    def cached(self):
        self.log.append(self.x)
        return self.x * 2.0

    def add(self, v):
        self.x += v
        self.log.append(v)
        return self

    def scaled(self, t):
        return self.x * t

    def __call__(self, t):
        self.log.append(t)
        return self.scaled(t) + 0.5

    def __add__(self, other):
        if isinstance(other, Acc):
            return type(self)(self.x + other.x)
        return type(self)(self.x + other)

    def __radd__(self, other):
        return Acc(other - self.x)

    def __sub__(self, other):
        return Acc(self.x - (other.x if isinstance(other, Acc) else other))

    def __isub__(self, other):
        self.x -= other.x if isinstance(other, Acc) else other
        return self

    def __mul__(self, other):
        if isinstance(other, Acc):
            return NotImplemented
        return Acc(self.x * other)

    def __getitem__(self, k):
        return self.log[k]

    def __setitem__(self, k, v):
        self.log[k] = v

    def __iter__(self):
        yield self.x
        yield from self.log

    def __contains__(self, v):
        return v > self.x

    def __len__(self):
        return len(self.log)

    def __lt__(self, other):
        return self.x < other.x

    def __eq__(self, other):
        return isinstance(other, Acc) and self.x == other.x


class Long(Acc):
    def __init__(self, x, y=0.25):
        super().__init__(x)
        self.y = y

    def scaled(self, t):
        return super().scaled(t) + self.y

    def __bool__(self):
        return self.x > self.y

    def __getattr__(self, name):
        if name == "missing":
            return self.x
        raise AttributeError(name)


class Cut(Acc):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, min(value, 1.0) if name == "x" else value)


@dataclass
class Record:
    x: float
    values: list = field(default_factory=list)

    @property
    def total(self):
        return self.x + sum(self.values)


class Logged:
    def __init__(self, to, swallow=False):
        self.to, self.swallow = to, swallow

    def __enter__(self):
        self.to.append(1.0)
        return self

    def __exit__(self, kind, error, trace):
        self.to.append(-1.0 if kind is None else -2.0)
        return self.swallow


@contextlib.contextmanager
def scaled(o, t):
    before = o.x
    o.x = o.x * t
    try:
        yield before
    finally:
        o.x = before + 0.25


def counted(n, x):
    for k in range(n):
        x = x * 0.5 + k
        yield x


def put(values, v, result=None):
    values.append(v)
    return v if result is None else result


def mixed(v, u=0.25, *, k=0.5):
    return v * k + u


def checked(v):
    if v > 1.5:
        raise ValueError("large")
    if v < -1.5:
        raise Own(v)
    return v * 0.5


def key_of(v):
    if v > 0.5:
        return "u"
    return "v" if v > -0.5 else "k"


'''
