"""What a loop has raised, and what it was made with, is looked at behind the loop."""
# ruff: noqa: TRY301 (a program raises where it catches)
from __future__ import annotations

import numpy as np
import pytest
from outcomes import check

import s2s

RNG = np.random.default_rng(7)
ARGUMENTS = tuple((RNG.uniform(-6, 6, size=size),) for size in (4, 4, 3, 5, 1, 6))
OTHER_TYPE = ("first", "one_of_two", "one_of_two_without_a_loop", "of_several_classes")  # a float of Python that was joined with one of NumPy's


class Found(Exception):
    def __init__(self, v):
        self.v = v


class Plain(Exception):
    pass


class Stopped(Exception):
    def __init__(self, best, n, *, why="enough"):
        super().__init__(f"{why} after {n}")
        self.best, self.n, self.why = best, n, why


def first(x):
    try:
        for v in x:
            if v > 2:
                raise Found(3 * v)
    except Found as e:
        return e.v
    return -1.0


def one_of_two(x):
    try:
        for v in x:
            if v > 4:
                raise Found(v)
            if v < -4:
                raise Found(v + 1)
    except Found as e:
        return 2 * e.v
    return -1.0


def one_of_two_without_a_loop(x):
    try:
        if x[0] > 2:
            raise Found(x[0])
        if x[0] < -2:
            raise Found(x[0] * x[0])
    except Found as e:
        return e.v
    return -1.0


def of_loops_in_loops(x):
    try:
        for v in x:
            for w in x:
                if v * w > 6:
                    raise Found((v, w))
    except Found as e:
        return e.v
    return 0.0, 0.0


def of_a_while(x):
    s, k = 0.0, 0
    try:
        while k < len(x):
            s += abs(x[k])
            k += 1
            if s > 5:
                raise Stopped(s, k, why="large")
    except Stopped as e:
        return e.best, e.n, str(e), e.why
    return s, k, "", ""


def by_a_function(x):
    def newton(a):
        y = a
        for k in range(9):
            z = 0.5 * (y + a / y)
            if abs(z - y) < 1e-3:
                raise Stopped(z, k)
            y = z
        return y

    try:
        return newton(1 + x[0] ** 2), -1
    except Stopped as e:
        return e.best, e.n


def of_several_classes(x):
    out = 0.0
    for w in x:
        try:
            for v in x:
                if v > w + 1:
                    raise Found(v)
                if v + w < 0:
                    raise Plain(w)
        except Found as e:
            out += e.v
        except Plain as e:
            out += 2 * e.args[0]
        else:
            out -= 1
        finally:
            out += 0.5
    return out


def texts(x):
    try:
        for i, v in enumerate(x):
            if v > 4:
                raise ValueError(f"{v:.2f} at {i}")
            if v < -3:
                raise ValueError("negative")
    except ValueError as e:
        return str(e)
    return "fine"


def raised_again(x):
    try:
        for v in x:
            if v > 2:
                raise Found(v)
    except Found as e:
        raise ValueError(f"found {e.v:.3f}") from e
    return 1.0


PROGRAMS = (first, one_of_two, one_of_two_without_a_loop, of_loops_in_loops, of_a_while, by_a_function, of_several_classes, texts, raised_again)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_it_is_what_it_was_made_with(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_it_is_what_it_was_made_with_compiled(program):
    check(program, "cpu", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.parametrize("program", [first, one_of_two], ids=lambda each: each.__name__)
def test_derivatives_go_through_it(program):
    gradient = s2s.jit(s2s.grad(program), target="numpy")
    for (x,) in ARGUMENTS:
        steps = 1e-6 * np.eye(len(x))
        differences = [(program(x + step) - program(x - step)) / 2e-6 for step in steps]
        np.testing.assert_allclose(gradient(x), differences, rtol=1e-6, atol=1e-8)
