"""Which axes are stretched, decided by the call: slices whose length a whole number or a trip decides, of length 1, of the other's length, or of one that doesn't fit."""
from __future__ import annotations

import itertools

import numpy as np
import pytest

import s2s

P, V = np.arange(4.0) + 0.5, np.arange(7.0) - 1.5


def carried(p, v, k):
    for _ in range(3):
        p = p + v[k:]
    return p


def in_a_branch(p, v, k):
    s = 0.0
    for i in range(p.shape[0]):
        if i % 2:
            s += np.sum(p * v[k:] + i)
    return s


def by_the_trip(p, v, k):
    s = 0.0
    for i in range(k):
        s += np.sum(p * v[i : i + 1 + 3 * (i % 2)])
    return s


def while_it_goes(p, v, k):
    s = 0.0
    while k < v.size:
        s += np.sum(p + v[k:])
        k += 1
    return s


def outcome(call, *args):
    try:
        return call(*args)
    except ValueError as error:
        return str(error).partition("\n")[0]


PROGRAMS = (carried, in_a_branch, by_the_trip, while_it_goes)


@pytest.mark.parametrize("function", PROGRAMS)
def test_by_numpy(function):
    jitted = s2s.jit(function, target="numpy")
    for k, size, length in itertools.product((3, 5, 6, 3, 0), (4, 1), (7, 4)):
        wanted, found = (outcome(call, P[:size].copy(), V[:length].copy(), k) for call in (function, jitted))
        assert isinstance(found, str) == isinstance(wanted, str)
        if not isinstance(wanted, str):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("function", PROGRAMS[:3])
def test_derivatives(function):
    k = 6 if function is not by_the_trip else 3
    derivative = s2s.grad(s2s.jit(lambda p, v, k: np.sum(function(p, v, k) ** 2), target="numpy"))(P, V, k)
    steps = 1e-5 * np.eye(4)
    wanted = [(np.sum(function(P + step, V, k) ** 2) - np.sum(function(P - step, V, k) ** 2)) / 2e-5 for step in steps]
    np.testing.assert_allclose(derivative, wanted, rtol=1e-6, atol=1e-6)


def test_compiled():
    jitted = s2s.jit(carried)
    for k in (6, 3, 6):
        np.testing.assert_array_equal(jitted(P, V, k), carried(P, V, k))


def test_beside_a_product_of_matrices():
    """The module begins with the routine that multiplies them."""

    def distances(x, weights):
        column = x[:, 0:1]
        return (column.T - column) @ weights

    x, weights = V[:6].reshape(3, 2), np.arange(6.0).reshape(3, 2)
    for target in ("cpu", "numpy"):
        np.testing.assert_allclose(s2s.jit(distances, target=target)(x, weights), distances(x, weights), rtol=1e-14)


@pytest.mark.parametrize("count", [np.int64(2), np.int32(3), np.uint8(0)])
def test_lists_times_numpys_integers(count):
    def repeated(v, k):
        return [v * 2.0] * k, k * [v], (v, 1.0) * k

    wanted, found = repeated(V, count), s2s.jit(lambda v: repeated(v, count), target="numpy")(V)
    assert [type(each) for each in found] == [type(each) for each in wanted]
    assert [len(each) for each in found] == [len(each) for each in wanted]
