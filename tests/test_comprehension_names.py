"""A comprehension's names are its own: a function from around it that is called inside sees those around, one that is made inside sees the comprehension's."""
# ruff: noqa: B023, E731 (that such functions see names as they are when they are called is what is asked)
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s

v = 7.0


def bound_around(x, n):
    v = x[0]
    seen = lambda: v
    v = 5.0 + n
    return [seen() + v for v in x], {v * n: seen() for v in range(n)}, seen(), v


def a_global(x, n):
    def seen():
        return v

    return [seen() + v for v in x], [seen() for v in range(n)], max([v for v in x if v < seen()])


def shared(x, n):
    v = 0.0

    def add(d):
        nonlocal v
        v += d
        return v

    return [add(v * n) for v in x], v


def made_in_another(x, n):
    made = [lambda: v for v in range(3)]
    return [f() for f in made], [[(f(), v) for v in x] for f in [lambda: v + n for v in range(2)]], [[f() for v in range(2)] for v in x for f in [lambda: v * 2]]


def further_out(x, n):
    def inner():
        v = n
        seen = lambda: v
        return [(seen(), v) for v in x]

    return inner(), v


def differentiated(x, n):
    w = x[n]

    def f(k):
        return w * k * k

    return [s2s.grad(f)(w) for w in x], np.array([[f(w) + k for w in range(2)] for k in x])


PROGRAMS = [bound_around, a_global, shared, made_in_another, further_out]


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_each_function_sees_its_own(program: Any, target: str) -> None:
    run = s2s.jit(program, target=target)
    for seed in range(3):
        x, n = np.random.default_rng(seed).normal(size=3), seed % 3
        assert run(x, n) == program(x, n)


def test_derivatives() -> None:
    x = np.random.default_rng(4).normal(size=3)
    slopes, values = s2s.jit(differentiated, target="numpy")(x, 1)
    np.testing.assert_allclose(slopes, 2 * x[1] * x)
    np.testing.assert_allclose(values, x[:, None] + x[1] * np.array([0.0, 1.0]))
