"""Programs that store into what is one of several arrays, as the run decides (`read/storage/selected.py`). Each takes two vectors and a count."""
from __future__ import annotations

import numpy as np


def _one_of(x, y, test):
    if test:
        return x[::-1]
    return y


def copied_on_one_path(x, y, n):
    a = x if n > 2 else x.copy()
    a[n % 2] = 5.0
    a[1:] *= 2.0
    return a.sum() + 3 * x.sum() + y[0]


def part_on_one_path(x, y, n):
    a = y
    if n > 2:
        a = x[1:] if y[0] > 0 else y[::2]
    a += 1.0
    a[0] = 4.0
    return x.sum() + (y * y).sum() + len(a)


def made_on_a_path(x, y, n):
    if n % 2:
        t = x * 2.0
        a = t
    else:
        t = x + y[: len(x)]
        a = x
    a[0] = 7.0
    t[1] += 3.0
    return a * 2 + t


def of_a_helper(x, y, n):
    a = _one_of(x, y, n > 2)
    a[-1] = a[0] * 2
    b = _one_of(a, x, y[0] > 0)
    b[0] += 1.0
    return a.sum() + x * 2.0


def seen_through(x, y, n):
    a = x[:3] if n > 2 else y[1:4]
    row = a.reshape(1, 3).T
    row[1:, 0] *= 3.0
    np.exp(a, out=a)
    a.sort()
    return a[::-1] - row[:, 0], x.sum()


def in_a_container(x, y, n):
    kept = {"u": x, "v": (y, 1.0)}
    if n > 2:
        kept["u"] = kept["v"][0]
    kept["u"][0] = 2.0
    pair = [x, y] if y[1] > 0 else [y, x]
    pair[0][1] += 5.0
    return x * 2.0, y[:2] * 3.0


def one_after_another(x, y, n):
    b = y
    for i in range(n):
        if x[i % len(x)] > 0:
            b = x
        b[i % len(b)] = b[0] * 2 + i
    b[0] = 3.0
    return x.sum() * 2 + y[0]


def copied_in_a_trip(x, y, n):
    b = x
    for i in range(n):
        if y[i % len(y)] > 0:
            b = b.copy()
        b[i % len(b)] += 1.0
        x[0] += 0.5 * b[0]
    b[1] = 2.0
    return b.sum() + 3 * x.sum()


def while_it_is_small(x, y, n):
    i, b = 0, x
    while i < n and b[0] < 5:
        b[0] += 1.0
        b = y if y[i % len(y)] > x[0] else x
        i += 1
    return x * 2, y.sum(), i


def best_so_far(x, y, n):
    best = x
    for i in range(n):
        trial = x * (i * y[0])
        if trial.sum() > best.sum():
            best = trial
        best[0] += 1.0
    return best + x


def left_early(x, y, n):
    a = y
    for i in range(n):
        if x[i % len(x)] > 1.0:
            a = x
            break
        a[0] += 0.1
    a[1] = -1.0
    return x.sum() - y.sum()


def inner_loop(x, y, n):
    for k in range(3):
        a = x if y[k % len(y)] > 0 else y
        for i in range(n):
            a[i % len(a)] += 0.5
            if a[0] > 1:
                a = y
    return x.sum() + 2 * y.sum()


def gone_through(x, y, n):
    a = x if n > 2 else y
    total = 0.0
    for v in a:
        a[0] = a[0] + 0.25 * v
        total += v * a[0]
    return total + x.sum()


PROGRAMS = (
    copied_on_one_path, part_on_one_path, made_on_a_path, of_a_helper, seen_through, in_a_container, one_after_another, copied_in_a_trip, while_it_is_small,
    best_so_far, left_early, inner_loop, gone_through,
)  # fmt: skip


def parts_in_a_trip(x, y, n):
    b = x[1:]
    for i in range(n):
        if x[i % len(x)] > 0:
            b = y[:-2]
        elif y[i % len(y)] > 0:
            b = x[1:][::-1]
        b[0] += 2.0
    return x.sum() + (y * y).sum() + b.sum()


def copied_from_either(x, y, n):
    b = x if n > 1 else y.copy()
    c = y[::-1]
    for i in range(n):
        c = c if x[0] > 0.0 else b
        if y[0] > -9.0:
            b = b if x[i % len(x)] > 9.0 else c.copy()
    y[:3] = b[:3]
    return b * 2.0, c.sum()


PROGRAMS = (*PROGRAMS, parts_in_a_trip, copied_from_either)
