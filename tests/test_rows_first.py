"""Sums down columns that are made row by row: the numbers, the exceptions and what is left behind are those of the loops as they were written."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s


def product(a: Any, b: Any) -> Any:
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def dots(a: Any, b: Any) -> Any:
    c = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = np.dot(a[i, :], b[:, j])
    return c


def into(a: Any, b: Any, c: Any) -> Any:
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(c * c)


def triangular(a: Any, b: Any) -> Any:
    b = b.copy()
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    return b


def factors(a: Any, b: Any) -> Any:
    n = len(a)
    upper, lower = np.zeros((n, n)), np.eye(n)
    for i in range(n):
        for j in range(i, n):
            s = a[i, j] + 4.0 * (i == j)
            for k in range(i):
                s -= lower[i, k] * upper[k, j]
            upper[i, j] = s
        for j in range(i + 1, n):
            s = a[j, i] + b[i, j]
            for k in range(i):
                s -= lower[j, k] * upper[k, i]
            lower[j, i] = s / upper[i, i]
    return lower + upper


def running(a: Any, b: Any) -> Any:
    """The sum of a column begins with the one before: it stays as it is."""
    c = np.zeros((a.shape[0], b.shape[1] + 1))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = c[i, j]
            for k in range(b.shape[0]):
                s += b[k, j]
            c[i, j + 1] = s
    return c


FUNCTIONS: list[Callable[..., Any]] = [product, dots, triangular, factors, running]
SIZES = [((0, 0), (0, 0)), ((1, 1), (1, 1)), ((2, 2), (2, 2)), ((7, 7), (7, 7)), ((5, 5), (5, 9)), ((3, 3), (4, 3)), ((3, 4), (3, 4)), ((4, 3), (2, 5))]


def outcome(function: Callable[..., Any], *args: Any) -> tuple[str, Any]:
    try:
        return "value", np.asarray(function(*args))
    except (IndexError, ValueError) as error:
        return "raised", (type(error), str(error))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_written(function: Callable[..., Any]) -> None:
    rng = np.random.default_rng(3)
    compiled = s2s.jit(function)
    for a_shape, b_shape in SIZES:
        a, b = rng.normal(size=a_shape), rng.normal(size=b_shape)
        how, wanted = outcome(function, a, b)
        found_how, found = outcome(compiled, a, b)
        assert how == found_how, (a_shape, b_shape, found)
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13) if how == "value" else None
        assert how == "value" or found == wanted


@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives(function: Callable[..., Any]) -> None:
    rng = np.random.default_rng(4)
    for size in (1, 6):
        a, b, a_dot, b_dot = rng.normal(size=(4, size, size))
        pullback = s2s.vjp(function, a, b)[1]
        _, out_dot = s2s.jvp(function, (a, b), (a_dot, b_dot))
        out_bar = rng.normal(size=np.shape(out_dot))
        a_bar, b_bar = pullback(out_bar)
        np.testing.assert_allclose(np.sum(a_bar * a_dot) + np.sum(b_bar * b_dot), np.sum(out_bar * out_dot), rtol=1e-12)


def test_arrays_of_the_caller() -> None:
    """What the caller sees when an exception leaves the loops is what Python left."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(3, 4)), rng.normal(size=(2, 5))
    ours, pythons = np.zeros((3, 5)), np.zeros((3, 5))
    assert outcome(s2s.jit(into), a, b, ours) == outcome(into, a, b, pythons)
    np.testing.assert_allclose(ours, pythons, rtol=1e-13)


@pytest.mark.parametrize("function", [dots, triangular])
def test_other_dtypes(function: Callable[..., Any]) -> None:
    rng = np.random.default_rng(6)
    for dtype in (np.float32, np.complex128, np.int64):
        a, b = (9.0 * rng.normal(size=(2, 6, 6))).astype(dtype)
        found, wanted = s2s.jit(function)(a, b), function(a.astype(np.float64), b.astype(np.float64)) if dtype == np.float32 else function(a, b)
        assert found.dtype == function(a, b).dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-5 if dtype == np.float32 else 1e-13)
