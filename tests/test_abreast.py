"""Four trips at once: where a derivative adds a row to one array in each trip, and nowhere else."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def llsq(x, a, b):
    miss = a @ x - b
    return 0.5 * np.sum(miss * miss)


def logistic(w, x, y):
    z = x @ w
    return np.mean(np.log(1.0 + np.exp(-z)) + (1.0 - y) * z)


def in_loops(x, a, b):
    total = 0.0
    for i in range(len(b)):
        dot = 0.0
        for j in range(len(x)):
            dot += a[i, j] * x[j]
        total += np.sin(dot - b[i]) * dot
    return total


def chosen_rows(x, a, b):
    rows = x.reshape(-1, 1) * a.T
    total = 0.0
    for i in range(len(b)):
        nearest = int(b[i] > 0.0)
        for j in range(a.shape[0]):
            total += rows[nearest, j] * b[i]
    return total


def chained(x, a, b):
    before = 0.0
    for i in range(len(b)):
        dot = 0.0
        for j in range(len(x)):
            dot += a[i, j] * x[j]
        before = np.tanh(before + dot)
    return before


def triangular(x, a, b):
    total = 0.0
    for i in range(len(x)):
        dot = 0.0
        for j in range(i):
            dot += a[i, j] * x[j]
        total += dot * dot * b[i]
    return total


PROGRAMS = {"llsq": llsq, "logistic": logistic, "in_loops": in_loops, "chosen_rows": chosen_rows, "chained": chained, "triangular": triangular}


def arguments(rows: int, columns: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(rows)
    return rng.normal(size=columns), rng.normal(size=(rows, columns)), rng.normal(size=rows)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("transform", [s2s.grad, s2s.value_and_grad])
def test_numbers(name, transform):
    function = PROGRAMS[name]
    here, there = transform(function), s2s.jit(transform(function), target="numpy")
    for rows in (1, 3, 4, 7, 8, 13) if name != "triangular" else (3, 4, 9):
        args = arguments(rows)
        for one, other in zip(s2s.tree_util.tree_leaves(here(*args)), s2s.tree_util.tree_leaves(there(*args)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-14)


def fewer_rows(x, a, b):
    total = 0.0
    for i in range(len(b) - 6):
        dot = 0.0
        for j in range(len(x)):
            dot += a[i, j] * x[j]
        total += dot * dot * b[i]
    return total


def test_a_range_that_ends_before_it_starts():
    gradient = s2s.grad(fewer_rows)
    assert "part = max(" in gradient.source(*arguments(5))
    for rows in (1, 2, 3, 4, 5, 6, 7, 10, 15):
        x, a, b = arguments(rows)
        used = max(rows - 6, 0)
        np.testing.assert_allclose(gradient(x, a, b), 2.0 * a[:used].T @ (b[:used] * (a[:used] @ x)), rtol=1e-12)


def test_no_rows():
    np.testing.assert_array_equal(s2s.grad(llsq)(*arguments(0)), np.zeros(3))


@pytest.mark.parametrize(("name", "expected"), [
    ("llsq", True), ("logistic", True), ("in_loops", True), ("chosen_rows", False), ("chained", False), ("triangular", False),
])
def test_which_loops(name, expected):
    assert ("part = " in s2s.grad(PROGRAMS[name]).source(*arguments(5))) == expected


def test_the_users_own_loops_are_not():
    assert "part = " not in s2s.jit(in_loops).source(*arguments(5))


def test_trips_share_the_sum():
    source = s2s.grad(llsq).source(*arguments(5))
    assert "x_bar[j] += a[i, j] * factor + a[i_1, j] * factor_1 + a[i_2, j] * factor_2 + a[i_3, j] * factor_3\n" in source
    assert "for i in range(4 * part, m):" in source
