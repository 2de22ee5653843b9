"""Positions counted from the end of arrays that are shorter: an IndexError, as NumPy's, never another element."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def part(x):
    return x[-6]


def part_of_slice(x):
    return x[1:][-4]


def stored(x):
    y = x.copy()
    y[-5] = 7.0
    return y[-1] + y[-2] + y[-5] * x[-4]


def added(x):
    y = np.zeros(len(x) + 1)
    y[-3] += x[len(x) - 1]
    return np.sum(y)


def row(x):
    return np.sum(np.outer(x, x)[-3]) + np.outer(x, x)[:, -4].sum()


def last(x):
    return x[-1]


def last_by_length(x):
    return x[len(x) - 1]


def last_of_slice(x):
    return x[2:][-1]


def caught(x):
    try:
        return x[-4]
    except IndexError:
        return np.sum(x)


FUNCTIONS = (part, part_of_slice, stored, added, row, last, last_by_length, last_of_slice, caught)


def outcome(function, *args):
    try:
        return float(function(*args))
    except IndexError:
        return "IndexError"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_numpy_tells(function):
    compiled, derivative = s2s.jit(function, target="numpy"), s2s.jit(s2s.grad(function), target="numpy")
    for n in range(9):
        x = np.arange(n) * 0.5 + 1.0
        expected = outcome(function, x)
        assert outcome(compiled, x) == pytest.approx(expected)
        if expected == "IndexError":
            with pytest.raises(IndexError):
                derivative(x)
        else:
            steps = [1e-6 * np.eye(n)[k] for k in range(n)]
            assert derivative(x) == pytest.approx([(function(x + step) - function(x - step)) / 2e-6 for step in steps], abs=1e-6)


@pytest.mark.parametrize("function", [part, last, last_by_length, last_of_slice])
def test_compiled(function):
    compiled = s2s.jit(function)
    for n in range(8):
        x = np.arange(n) * 0.5 + 1.0
        assert outcome(compiled, x) == outcome(function, x)


@pytest.mark.parametrize("function", [part, stored, row])
def test_batches(function):
    batched = s2s.jit(s2s.vmap(function), target="numpy")
    for n in range(1, 8):
        xs = np.arange(2 * n).reshape(2, n) * 0.5 + 1.0
        if outcome(function, xs[0]) == "IndexError":
            with pytest.raises(IndexError):
                batched(xs)
        else:
            assert batched(xs) == pytest.approx([function(x) for x in xs])
