"""Assignments that take arrays and lists apart whose lengths only the run knows: as Python binds, or its ValueError."""
from __future__ import annotations

import re

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s


def ends(a):
    first, *middle, last = a
    return first, middle, last, len(middle)


def all_but_last(a):
    *rest, last = a
    if rest:
        rest[0] = 5.0
    return rest, last, a


def two(a):
    left, right = [each * 2.0 for each in a if each > 0.5]
    return left - right


def of_list(a):
    chosen = [each * 2.0 for each in a if each > 0.5]
    first, second, *rest = chosen
    chosen.append(1.0)
    return first + second * sum(rest), len(rest), len(chosen)


def used_up(a):
    rest = [each for each in a if each > 0.0]
    total = 0.0
    while rest:
        first, *rest = rest
        total += first * len(rest)
    return total


def rows(a):
    first, *rest = np.stack((a, a * 2.0), axis=1)
    total = np.sum(first)
    for row in rest:
        total += row[1]
    return total


def of_iterators(a):
    total, count = map(np.asarray, (np.sum(a), a.size))
    low, high = (each * total for each in (0.5, 2.0))
    once = iter((low, high, count))
    first, *rest = once
    return first, rest, list(once)


PROGRAMS = [ends, all_but_last, two, of_list, used_up, rows, of_iterators]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", PROGRAMS)
def test_what_is_bound(fun, target, rng) -> None:
    run = s2s.jit(fun, target=target)
    for size in (0, 1, 2, 3, 7):
        given = rng.uniform(-0.5, 2.0, size)
        mine, theirs = given.copy(), given.copy()
        try:
            wanted = fun(theirs)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                run(mine)
            continue
        assert not differs(run(mine), wanted, "result")
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("fun", [ends, of_list, used_up, rows])
def test_derivatives(fun, rng) -> None:
    def loss(a):
        found = fun(a)
        return found if fun in (used_up, rows) else found[0] ** 2 * (sum(found[1]) if fun is ends else 1.0)

    a, a_dot = rng.uniform(0.6, 2.0, 5), rng.normal(size=5)
    bar, dot = s2s.grad(loss)(a), s2s.jvp(loss, (a,), (a_dot,))[1]
    np.testing.assert_allclose(bar @ a_dot, dot, rtol=1e-12)
    np.testing.assert_allclose(dot, (loss(a + 1e-6 * a_dot) - loss(a - 1e-6 * a_dot)) / 2e-6, rtol=1e-6)


def test_what_the_call_knows():
    """How many elements a matrix has, and how often a list is repeated."""
    def determinant(m):
        a, b, c, d = m.flat
        return a * d - b * c

    def columns(x):
        return np.stack([x] * len(x), axis=-1)

    m = np.array([[1.0, 2.0], [3.0, 5.0]])
    assert s2s.jit(determinant, target="numpy")(m) == -1.0
    np.testing.assert_array_equal(s2s.grad(determinant)(m), [[5.0, -3.0], [-2.0, 1.0]])
    np.testing.assert_array_equal(s2s.jit(columns, target="numpy")(m[0]), columns(m[0]))


def clipped(x, y):
    try:
        x[x < 1e-3] = 0.0
        y[y < 1e-3] = 0.0
    except TypeError:
        x = 0.0 if x < 1e-3 else x
        y = 0.0 if y < 1e-3 else y
    return np.hypot(x, y)


@pytest.mark.parametrize("args", [(1.0, 2.0), (1e-5, 2.0), (np.float64(1e-9), 3.0), (np.array([1.0, 1e-9]), np.array([1e-4, 2.0]))], ids=repr)
def test_numbers_have_no_items(args):
    np.testing.assert_array_equal(s2s.jit(clipped, target="numpy")(*[np.copy(each) if np.ndim(each) else each for each in args]), clipped(*args))


@pytest.mark.parametrize("x", [1.0, 3, True, np.float32(2.0)], ids=repr)
def test_a_store_into_a_number_is_pythons_error(x):
    def f(x):
        x[0] = 1.0
        return x

    with pytest.raises(TypeError) as wanted:
        f(x)
    with pytest.raises(TypeError, match=re.escape(str(wanted.value))):
        s2s.jit(f, target="numpy")(x)


def matched_with_nothing_inside(y):
    def inner(items):
        match items:
            case []:
                return -1.0
            case [first, *_]:
                return first

    return inner([]) + inner([y, 2.0])


def test_a_pattern_of_nothing_in_a_function_of_a_function():
    assert s2s.jit(matched_with_nothing_inside, target="numpy")(3.0) == 2.0


class Listed(list):
    """A list of the user's own."""


def matched_in_a_loop(x, n):
    found = []
    for _ in range(n):
        items = [x[0], x[1]]
        match items:
            case [first, *_]:
                found.append(first)
                found.append(items)
    return found


def test_a_list_of_which_only_the_run_knows_which_one_it_is_fits_a_pattern():
    x = np.array([1.0, 2.0])
    assert s2s.jit(matched_in_a_loop, target="numpy")(x, 2) == matched_in_a_loop(x, 2)


def test_a_pattern_for_items_of_another_class_is_no_silent_miss():
    def f(y):
        match Listed([y, 2.0]):
            case [a, b]:
                return a + b
        return -1.0

    with pytest.raises(s2s.UnsupportedError, match="a pattern for the items of a Listed"):
        s2s.jit(f, target="numpy")(1.0)


def best_so_far(x, start):
    best = start
    for i in range(len(x)):
        if best is None or x[i] < best[0]:
            best = (x[i], i, 2.0 * x[i])
    low, number, twice = best
    return low + number * twice


def of_two_lengths(x):
    found = None
    if x[0] > 0.0:
        found = (x[0], 1.0)
    elif x[0] < -2.0:
        found = (x[0], 1.0, 3.0)
    first, *rest = found
    first, second = found
    return first * second + len(rest)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("fun", "args"), [(best_so_far, (np.array([3.0, 1.0, 2.0]), None)), (best_so_far, (np.array([]), None)), *((of_two_lengths, (np.array([value]),)) for value in (1.5, -1.0, -3.0))], ids=lambda each: getattr(each, "__name__", str(each)))
def test_a_tuple_or_none(fun, args, target) -> None:
    """What was found, or None where nothing was: as Python binds, or its error and words."""
    try:
        expected = fun(*args)
    except (TypeError, ValueError) as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            s2s.jit(fun, target=target)(*args)
        return
    np.testing.assert_array_equal(s2s.jit(fun, target=target)(*args), expected, strict=True)
    np.testing.assert_allclose(s2s.grad(s2s.jit(fun, target=target))(*args), s2s.jacfwd(s2s.jit(fun, target=target))(*args), rtol=1e-12)
