"""Arguments that change places (`read/exchange.py`): values, what the caller's arrays hold afterwards, derivatives."""
from __future__ import annotations

import numpy as np
import pytest
from exchange_programs import PROGRAMS, double_buffer, early_return, never_stored, rows, until_settled, wave
from reading import staged

import s2s
from s2s.errors import UnsupportedError

RNG = np.random.default_rng(3)
COMPILED = (double_buffer, until_settled, wave)


def arguments(fun, trips, size=6):
    count = fun.__code__.co_argcount - 1
    shape = (size, 3) if fun is rows else (size,)
    return [*(RNG.normal(size=shape) for _ in range(count)), trips]


def copied(args):
    return [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]


def leaves(result):
    return result if isinstance(result, tuple) else (result,)


def assert_same(fun, jitted, args):
    mine, theirs = copied(args), copied(args)
    for one, two in zip(leaves(jitted(*mine)), leaves(fun(*theirs)), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-13)
    for one, two in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-13)


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda fun: fun.__name__)
def test_values_and_the_callers_arrays(fun):
    jitted = s2s.jit(fun, target="cpu" if fun in COMPILED else "numpy")
    for trips in range(6):
        assert_same(fun, jitted, arguments(fun, trips))


def observed(fun, trips, count):
    """A number that depends on the result and on what every argument holds in the end."""

    def total(*arrays):
        held = [np.copy(each) for each in arrays]
        result = fun(*held, trips)
        number = 0.0
        for weight, each in enumerate((*leaves(result), *held)):
            number += np.sum(np.sin(each)) * (weight + 1.0)
        return number

    return s2s.jit(s2s.grad(total, argnums=tuple(range(count))), target="numpy"), s2s.jit(lambda a, d: s2s.jvp(total, a, d), target="numpy"), total


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda fun: fun.__name__)
def test_derivatives(fun):
    for trips in (0, 1, 4):
        args = tuple(arguments(fun, trips)[:-1])
        gradient, tangent, total = observed(fun, trips, len(args))
        directions = tuple(RNG.normal(size=each.shape) for each in args)
        reverse = sum(np.vdot(one, two) for one, two in zip(gradient(*args), directions, strict=True))
        _, forward = tangent(args, directions)
        np.testing.assert_allclose(reverse, forward, rtol=1e-11)
        step = 1e-6
        ahead, behind = (total(*(each + sign * step * way for each, way in zip(args, directions, strict=True))) for sign in (1, -1))
        np.testing.assert_allclose(reverse, (ahead - behind) / (2 * step), rtol=1e-5, atol=1e-7)


def test_second_derivatives():
    def total(u):
        v = np.copy(u)
        return np.sum(np.sin(double_buffer(u * u, v, 3)))

    x, direction = RNG.normal(size=5), RNG.normal(size=5)
    over = s2s.jit(lambda x, d: s2s.jvp(s2s.grad(total), (x,), (d,))[1], target="numpy")(x, direction)
    step = 1e-6
    gradient = s2s.jit(s2s.grad(total), target="numpy")
    np.testing.assert_allclose(over, (gradient(x + step * direction) - gradient(x - step * direction)) / (2 * step), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_small_arrays(size):
    assert_same(double_buffer, s2s.jit(double_buffer, target="numpy"), arguments(double_buffer, 3, size))


def test_arrays_of_several_sizes():
    """Swapped without a store that would not fit: the loop carries the sizes."""

    def f(u, v, n):
        for _ in range(n):
            u[0] += 1.0
            u, v = v, u
        return u

    jitted = s2s.jit(f, target="numpy")
    for trips in range(4):
        assert_same(f, jitted, [RNG.normal(size=3), RNG.normal(size=5), trips])
        assert_same(f, jitted, [RNG.normal(size=4), RNG.normal(size=4), trips])


def test_what_is_not_stored_into_is_not_changed():
    program, _ = staged(never_stored, RNG.normal(size=3), RNG.normal(size=3), 2)
    assert not program.mutated


def test_a_store_into_what_may_be_any_of_them_is_refused():
    def f(u, v, n):
        w = early_return(u, v, n)
        w[0] = 100.0
        return u.sum()

    def g(u, v, n):
        w = early_return(u, v, n)
        u[0] = 100.0
        return w.sum()

    def part(u, v, n):
        tail = u[1:]
        for _ in range(n):
            u, v = v, u
            u[1] += tail[0]
            tail = v[1:]
        tail[1] = 3.0
        return u[1]

    for fun in (f, g, part):
        with pytest.raises(UnsupportedError, match="may or may not be"):
            staged(fun, RNG.normal(size=4), RNG.normal(size=4), 3)


def test_the_same_array_twice():
    """Swapping an array with itself changes nothing, but the program takes the two for separate ones."""
    u = np.arange(4.0)
    wanted = np.copy(u)
    double_buffer(wanted, wanted, 3)
    np.testing.assert_allclose(s2s.jit(double_buffer, target="numpy")(u, u, 3), wanted)
    np.testing.assert_array_equal(u, wanted)


def swapped_on_a_path(a, b, P, x):
    Q = np.outer(a, b)
    items = [x, a]
    if x > Q[3, 3]:
        items[1] = P[1]
    else:
        for _ in range(4):
            P, Q = Q, P
    return P * Q.T


@pytest.mark.parametrize("x", [1.0, 100.0])
def test_sizes_that_a_path_and_the_place_around_it_say_the_other_way_round(x):
    a, P = np.arange(5.0), np.ones((5, 5))
    np.testing.assert_array_equal(s2s.jit(swapped_on_a_path, target="numpy")(a, a, P, x), swapped_on_a_path(a, a, P, x))


def test_an_exchange_on_one_path_that_the_other_ends_is_not_forgotten():
    """The arrays may still be each other behind both paths: a store into one of them is right, or refused."""
    def ended(x, y, t, n):
        a, b = x, y
        if t > 0.0:
            b = x.copy()
        elif n == 1:
            a, b = b, a
        a *= 0.75
        return a, b, y.sum(), x[0]

    def ended_of_loop(x, y, t, n):
        a, b = x, y
        c = np.flip(b)
        if t > 0.0:
            b = c
        else:
            for _ in range(n):
                a, b = b, a
        a *= 0.75
        return a, b, c.sum(), x[0]

    for fun in (ended, ended_of_loop):
        for t, n in ((1.0, 1), (-1.0, 0), (-1.0, 1)):
            x, y = np.array([1.0, 2.0, 3.0]), np.array([5.0, 7.0, 11.0])
            try:
                found = s2s.jit(fun, target="numpy")(x.copy(), y.copy(), t, n)
            except s2s.UnsupportedError as error:
                assert "may or may not be the same array" in str(error)  # noqa: PT017
            else:
                assert all(np.array_equal(one, two) for one, two in zip(found, fun(x, y, t, n), strict=True))


def test_two_exchanges_on_two_paths_beside_an_array_that_is_made_anew():
    def program(a, b, x, k):
        count, d, o = 1, b * 0.5, b * 1.0
        for j in range(k):
            if x > 0.4:
                b, d = d, b
            else:
                o = o * 1.5
                if count % 2 == 0:
                    a, b = b, a
                else:
                    a[0] = x + j
                    for _ in range(k):
                        count += 1
        return o, a * 1, b * 1, d * 1

    for x in (0.2, 0.6):
        given, wanted_given = (np.arange(3.0), np.full(3, 2.0)), (np.arange(3.0), np.full(3, 2.0))
        found, wanted = s2s.jit(program, target="numpy")(*given, x, 3), program(*wanted_given, x, 3)
        for one, other in zip((*found, *given), (*wanted, *wanted_given), strict=True):
            np.testing.assert_array_equal(one, other)
