"""Arrays of positions of which it is known between which numbers they are: read without a check, and never without one that can fail."""
from __future__ import annotations

import numpy as np
import pytest

import s2s

X = np.random.default_rng(0).normal(size=5)
A = np.random.default_rng(1).normal(size=(5, 5))


def diagonal(a):
    i, products = np.arange(len(a)), a * np.transpose(a)
    return products[i, i]


def backwards(x):
    n = len(x)
    return x[n - 1 - np.arange(n)]


def sorted_by(x):
    return x[np.argsort(-x)]


def one_by_one(x):
    order, total = np.argsort(x), 0.0
    for k in range(len(x)):
        total += x[order[k]] * k
    return total


def where_it_holds(x):
    y = np.zeros(len(x))
    y[x > 0.0] = x[x > 0.0] ** 2
    y[np.nonzero(x < 0.0)[0]] = 1.0
    return y


def repeated(x):
    return x[np.arange(len(x))[:, None] + np.zeros((1, 3), dtype=np.int64)]


def from_a_start(x, k):
    return x[np.arange(2) + k]


def of_another(x, y):
    return x[np.argsort(y)]


def shifted(x):
    return x[np.arange(len(x)) + 1]


def before(x):
    return x[np.arange(len(x)) - 2]


def none_of_none(x, i):
    y = x[i]
    return np.sum(y) + x[0]


def outcome(function, args):
    try:
        return function(*args)
    except IndexError as error:
        return str(error)


@pytest.mark.parametrize("function", [diagonal, backwards, sorted_by, one_by_one, where_it_holds, repeated])
def test_needs_no_check(function):
    x = A if function is diagonal else X
    compiled = s2s.jit(function)
    np.testing.assert_array_equal(compiled(x), function(x))
    assert "out of bounds" not in compiled.source(x)


@pytest.mark.parametrize(("function", "args"), [
    (from_a_start, (X, 3)), (from_a_start, (X, -2)), (from_a_start, (X, 4)), (from_a_start, (X, -6)), (of_another, (X, A[0, :4])), (of_another, (X[:3], X)), (shifted, (X,)),
    (before, (X,)), (before, (X[:1],)), (backwards, (X[:0],)), (sorted_by, (X[:0],)), (none_of_none, (X[:0], np.arange(0))), (none_of_none, (X, np.arange(0))),
])  # fmt: skip
def test_as_numpy(function, args):
    """Positions out of bounds raise; of an array without positions follows nothing of what they are positions in."""
    wanted = outcome(function, args)
    for target in ("cpu", "numpy"):
        np.testing.assert_array_equal(outcome(s2s.jit(function, target=target), args), wanted)
