"""Sums may be added in any order; the user's own arithmetic keeps IEEE's rules, in the same kernel."""
from __future__ import annotations

import numpy as np

import s2s


def zeros_and_sum(y, v):
    total = np.sum(v)
    return np.arctan2(0.0 - y, -1.0), total


def scaled_and_sum(x, v):
    total = np.sum(v)
    return x * 1e-200 * 1e-200 * 1e300, total


def compensated(v):
    total, lost = 0.0, 0.0
    for i in range(len(v)):
        y = v[i] - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total * np.sum(v) / np.sum(v)


def difference_of_squares(a, b, v):
    return np.sqrt(a * a - b * b), np.sum(v)


V = np.array([1.0, 2.0, 3.0])


def test_the_sign_of_zero_is_kept():
    assert s2s.jit(zeros_and_sum)(0.0, V)[0] == np.pi


def test_constants_are_not_multiplied_first():
    np.testing.assert_allclose(s2s.jit(scaled_and_sum)(1e150, V)[0], 1e50)


def test_products_are_not_contracted():
    a = np.nextafter(1.1, 2.0)
    assert s2s.jit(difference_of_squares)(a, a, V)[0] == 0.0


def test_compensated_sums_stay_compensated():
    v = np.array([1.0, *[1e-16] * 1000])
    assert s2s.jit(compensated)(v) == compensated(v) != 1.0
    assert s2s.value_and_grad(compensated)(v)[0] == compensated(v)


def test_sums_of_arrays_are_free():
    source = s2s.jit(lambda a, b: np.sum(a * b)).source(V, V)
    assert "plus(" in source
    assert "fastmath" in source


def logistic(w, x, y):
    z = x @ w
    return np.mean(np.log(1.0 + np.exp(-z)) + (1.0 - y) * z)


def running(v, x):
    z = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(v)):
            z[i] += v[j]
    return z


def test_products_whose_array_became_a_scalar_are_free():
    assert "z = plus(z, x[i, j] * w[j])" in s2s.jit(logistic).source(V, np.ones((2, 3)), np.ones(2))


def test_the_users_own_sums_are_not():
    assert "plus(" not in s2s.jit(running).source(V, V)
