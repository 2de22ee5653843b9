"""Stores into what may or may not be another array (`read/storage/selected.py`): the run selects, values and derivatives are Python's."""
from __future__ import annotations

import numpy as np
import pytest
from reading import check, staged
from selected_programs import PROGRAMS, copied_in_a_trip, copied_on_one_path, in_a_container, one_after_another

import s2s
from s2s.errors import UnsupportedError

RNG = np.random.default_rng(29)


def drawn(size=5, other=5):
    return RNG.normal(size=size), RNG.normal(size=other)


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda fun: fun.__name__)
def test_values_and_arguments(fun):
    for n in (0, 1, 2, 4):
        check(fun, *drawn(5, 5 + n % 2), n)


def total_of(fun, n):
    """A number that depends on the result and on what both arguments hold in the end."""

    def total(x, y):
        x, y = x.copy(), y.copy()
        result = fun(x, y, n)
        parts = result if isinstance(result, tuple) else (result,)
        return sum(np.sum(np.sin(part)) for part in parts) + np.sum(np.cos(x)) + 2.0 * np.sum(np.cos(y))

    return total


@pytest.mark.parametrize("fun", PROGRAMS, ids=lambda fun: fun.__name__)
def test_derivatives(fun):
    s2s.check_grads(total_of(fun, 3), drawn(), order=1)


def test_second_derivatives():
    for fun in (copied_in_a_trip, in_a_container):
        s2s.check_grads(total_of(fun, 3), drawn(), order=2)


def test_compiled():
    def all_of(x, y, n):
        return copied_on_one_path(x, y, n) + one_after_another(x, y, n) + copied_in_a_trip(x, y, n)

    compiled, gradient = s2s.jit(all_of), s2s.jit(s2s.grad(total_of(all_of, 3), argnums=(0, 1)))
    for n in (1, 3):
        x, y = drawn()
        mine, theirs = (x.copy(), y.copy()), (x.copy(), y.copy())
        assert compiled(*mine, n) == pytest.approx(all_of(*theirs, n), rel=1e-13)
        np.testing.assert_allclose(mine, theirs, rtol=1e-13)
    found, wanted = gradient(x, y), s2s.jit(s2s.grad(total_of(all_of, 3), argnums=(0, 1)), target="numpy")(x, y)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_the_callers_own_array_is_given_back():
    def f(x, y, flag):
        a = x if flag else y.copy()
        a[0] = 3.0
        return a

    jitted = s2s.jit(f, target="numpy")
    x, y = drawn()
    assert jitted(x, y, True) is x
    assert not np.shares_memory(jitted(x, y, False), y)


def test_elements_are_stored_one_by_one():
    """A store into an element copies no array."""
    text = s2s.jit(one_after_another, target="numpy").source(*drawn(), 3)
    assert "x[" in text
    assert "copy" not in text


def test_what_is_read_only_on_one_path_is_refused():
    def f(x, y, flag):
        a = np.broadcast_to(y[:1], 5) if flag else x
        a[0] = 1.0
        return x.sum() + a[1]

    with pytest.raises(UnsupportedError, match="read-only on one path"):
        staged(f, *drawn(), True)


def test_what_depends_on_the_layout_is_refused():
    def f(A, flag):
        b = np.asarray(A.T, order="C")
        c = b if flag else A
        c[0, 0] = 2.0
        return A.sum()

    with pytest.raises(UnsupportedError, match="may or may not be the same array"):
        staged(f, RNG.normal(size=(3, 3)), True)
