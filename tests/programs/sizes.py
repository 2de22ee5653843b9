"""Arrays whose sizes change while the program runs: shrinking, growing, chosen by a branch, of the elements that a mask takes."""
from __future__ import annotations

import numpy as np

from programs.case import Case


def shrinking(x):
    s = 1.0
    while len(x) > 1:
        x = x[1:] * x[:-1] + s
        s = s + np.sum(x * x) * 0.1
    return s


def halving(x):
    while len(x) > 1:
        x = x[::2] * x[1::2]
    return x[0]


def doubling(x, n):
    while len(x) < n:
        x = np.concatenate((x, np.sin(x))) * 1.1
    return x


def alternating(a, b, n):
    s = 0.5
    for k in range(n):
        y = a * s + 1 if k % 2 else b * a[0]
        s += np.prod(y) + np.sum(y**2)
    return s


def swapped_sizes(a, b):
    s = 0.0
    for k in range(3):
        if (a[0] > b[0]) == (k % 2 == 0):
            a, b = b, a * 1.1
        s += np.sum(a * 2.0) * b[0]
    return s


def swapped_buffers(a, b, n):
    a, b = a.copy(), b.copy()
    for _ in range(n):
        if a[0] < b[0]:
            a[1:] = b[:-1] * a[1:]
            a, b = b, a
        else:
            b[:] = a * b
    return a - b


def masked(x):
    s = 0.0
    for k in range(3):
        y = x[x > k * 0.3 - 0.5]
        s += np.sum(np.sin(y)) * np.sum(y * y)
        x = x * 0.9
    return s


def nested(x):
    s = 0.0
    for i in range(1, 4):
        y = x[:i]
        while len(y) < 8:
            y = np.concatenate((y, y * x[i]))
            s += np.sum(y * y)
    return s


def normal(rng, *shape):
    return rng.normal(size=shape)


CASES = (
    Case(shrinking, lambda rng: (normal(rng, 7),), wrt=(0,), more=(lambda rng: (normal(rng, 1),),)),
    Case(halving, lambda rng: (normal(rng, 8),), wrt=(0,), more=(lambda rng: (normal(rng, 1),),)),
    Case(doubling, lambda rng: (normal(rng, 2), 6), wrt=(0,), more=(lambda rng: (normal(rng, 3), 3),)),
    Case(alternating, lambda rng: (normal(rng, 3), normal(rng, 2), 3), wrt=(0, 1), more=(lambda rng: (normal(rng, 2), normal(rng, 4), 4),)),
    Case(swapped_sizes, lambda rng: (normal(rng, 3), normal(rng, 2)), wrt=(0, 1)),
    Case(swapped_buffers, lambda rng: (normal(rng, 6), normal(rng, 6), 3), wrt=(0, 1)),
    Case(masked, lambda rng: (normal(rng, 6),), wrt=(0,)),
    Case(nested, lambda rng: (normal(rng, 5),), wrt=(0,)),
)
