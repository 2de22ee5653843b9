"""Loops written with `lax`, and the Python loops that they stand for: the same text is emitted for both, up to names (test_lax_loops), in the same time (benchmarks/surface_cost.py)."""
from __future__ import annotations

import numpy as np

from s2s import lax


def recurrence_by_hand(x, rate):
    total = 0.0
    squares = np.empty(len(x))
    for i in range(len(x)):
        total = rate * total + x[i]
        energy = total * total
        squares[i] = energy
    return total, squares


def recurrence(x, rate):
    def step(total, value):
        total = rate * total + value
        return total, total * total

    return lax.scan(step, 0.0, x)


def backwards_by_hand(x, rate):
    total = 0.0
    after = np.empty(len(x))
    for i in range(len(x) - 1, -1, -1):
        total = rate * total + x[i]
        after[i] = total
    return total, after


def backwards(x, rate):
    def step(total, value):
        total = rate * total + value
        return total, total

    return lax.scan(step, 0.0, x, reverse=True)


def cell_by_hand(x, W):
    h = np.zeros(W.shape[0])
    states = np.empty(x.shape)
    for i in range(len(x)):
        h = np.tanh(W @ h + x[i])
        states[i] = h
    return h, states


def cell(x, W):
    def step(h, value):
        h = np.tanh(W @ h + value)
        return h, h

    return lax.scan(step, np.zeros(W.shape[0]), x)


def decay_by_hand(x, n):
    level = x
    for i in range(n):
        level = level * 0.99 + 0.01 * i
    return level


def decay(x, n):
    return lax.fori_loop(0, n, lambda i, x: x * 0.99 + 0.01 * i, x)


def smooth_by_hand(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
    return u


def smooth(u, n):
    def step(_, u):
        u = u.copy()
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
        return u

    return lax.fori_loop(0, n, step, u)


PAIRS = {
    "recurrence": (recurrence_by_hand, recurrence, lambda n: (np.linspace(0.0, 1.0, n), 0.9)),
    "backwards": (backwards_by_hand, backwards, lambda n: (np.linspace(0.0, 1.0, n), 0.9)),
    "cell": (cell_by_hand, cell, lambda n: (np.ones((n, 8)), np.full((8, 8), 0.1))),
    "decay of a number": (decay_by_hand, decay, lambda n: (1.0, n)),
    "decay of an array": (decay_by_hand, decay, lambda n: (np.ones(16), n)),
    "smoothing": (smooth_by_hand, smooth, lambda n: (np.arange(32.0), n)),
}
