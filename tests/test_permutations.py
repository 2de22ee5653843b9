"""Reverse mode of loops over integer arrays that permute each other: where a store went may be known only by a tape."""
from __future__ import annotations

import numpy as np
import pytest
from staging import stage_and_vjp

import s2s


def determinant(A):
    """By Heap's walk over the permutations."""
    n = A.shape[0]
    p = np.arange(n)
    c = np.zeros(n, dtype=np.int64)
    sign, total, t = 1.0, 0.0, 1.0
    for i in range(n):
        t *= A[i, p[i]]
    total += t
    i = 0
    while i < n:
        if c[i] < i:
            if i % 2 == 0:
                j = 0
            else:
                j = c[i]
            tmp = p[j]
            p[j] = p[i]
            p[i] = tmp
            sign = -sign
            t = sign
            for k in range(n):
                t *= A[k, p[k]]
            total += t
            c[i] += 1
            i = 0
        else:
            c[i] = 0
            i += 1
    return total


def crossing(A):
    """Two arrays, each of which says where the other is changed, on paths of three kinds."""
    n = A.shape[0]
    p, q = np.arange(n), np.zeros(n, np.int64)
    s, i = 1.0, 0
    while i < n:
        j = p[i] if i % 2 else n - 1 - p[i]
        k = q[j] if j > i else p[j]
        if k % 2 == 0:
            q[j] = p[k]
            p[i], p[k] = p[k], p[i]
        elif j != k:
            m = 0
            while m < k:
                m += 2
            q[m % n] = j
        s = s * A[i, p[k]] + A[q[j], j]
        i += 1
    return s


def deals(A):
    """The same in a for, with the index chosen by a float, and a float array beside that moves along."""
    n = A.shape[0]
    p, w = np.arange(n), np.ones(n)
    s = 0.0
    for i in range(n):
        if A[i, i] > 0.0:
            j = 0
        elif s > 0.5:
            j = p[i]
        else:
            j = n - 1
        p[j], p[i] = p[i], p[j]
        w[p[j]] = w[p[i]] * A[j, p[i]] + s
        s += w[j] * A[p[j], i]
    return s + np.sum(w)


@pytest.mark.parametrize("function", [determinant, crossing, deals])
def test_derivatives_are_those_of_differences(function, rng: np.random.Generator) -> None:
    for n in (1, 2, 3, 4):
        A = rng.normal(size=(n, n))
        out, _, (bar,) = stage_and_vjp(function, (A,), lambda out: 1.0)
        assert np.isclose(out, function(A), rtol=1e-12)
        numeric = np.empty_like(A)
        for place in np.ndindex(*A.shape):
            step = np.zeros_like(A)
            step[place] = 1e-6
            numeric[place] = (function(A + step) - function(A - step)) / 2e-6
        np.testing.assert_allclose(bar, numeric, rtol=1e-6, atol=1e-7)


def test_compiled_and_twice(rng: np.random.Generator) -> None:
    A, V = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))
    inverse = np.linalg.inv(A)
    np.testing.assert_allclose(s2s.grad(determinant)(A), np.linalg.det(A) * inverse.T, rtol=1e-10)
    wanted = np.linalg.det(A) * (np.trace(inverse @ V) * inverse - inverse @ V @ inverse).T
    gradient = s2s.grad(s2s.jit(determinant, target="numpy"))
    np.testing.assert_allclose(s2s.jvp(gradient, (A,), (V,))[1], wanted, rtol=1e-9)
    np.testing.assert_allclose(s2s.grad(lambda A: np.sum(gradient(A) * V))(A), wanted, rtol=1e-9)
