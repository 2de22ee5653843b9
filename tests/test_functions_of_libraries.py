"""Functions of SciPy given to a transformation as they are: as if a function of the user's called them."""
from __future__ import annotations

import functools

import numpy as np
import pytest
import scipy.interpolate
import scipy.linalg
import scipy.signal
import scipy.special
import scipy.stats

import s2s

A = np.eye(3) + np.arange(9.0).reshape(3, 3) / 20
SPLINE = scipy.interpolate.CubicSpline(np.arange(4.0), np.arange(4.0) ** 2)


@pytest.mark.parametrize(("function", "args"), [
    (scipy.linalg.expm, (A,)), (scipy.linalg.solve, (A, A[0])), (scipy.linalg.lu, (A,)), (scipy.special.logsumexp, (A,)), (scipy.special.expit, (A,)), (scipy.stats.norm.pdf, (A,)),
    (scipy.signal.convolve, (A[0], A[1])), (SPLINE, (A,)), (scipy.linalg.fiedler, (A[0],)), (scipy.linalg.fiedler, (np.ones(1, np.float32),)),
])  # fmt: skip
def test_are_called(function, args):
    found, wanted = s2s.jit(function, target="numpy")(*args), function(*args)
    for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, wanted)), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_are_transformed():
    np.testing.assert_allclose(s2s.jit(s2s.grad(scipy.special.logsumexp), target="numpy")(A), scipy.special.softmax(A), rtol=1e-13)
    np.testing.assert_allclose(s2s.jit(s2s.vmap(scipy.linalg.inv), target="numpy")(np.stack((A, 2.0 * A))), np.stack((np.linalg.inv(A), np.linalg.inv(A) / 2.0)), rtol=1e-12)


def _boxed(target):
    @functools.wraps(target)
    def function(x, *args):
        return target(np.asarray(x), *args)[()] if isinstance(x, float) else 2.0 * target(x, *args)

    return function


FLOOR, ERF, POWER = _boxed(np.floor), _boxed(scipy.special.erf), _boxed(np.power)


def test_a_users_function_that_says_it_is_numpys_is_read() -> None:
    """functools.wraps copies the name and the module of what it wraps."""
    def f(x, y):
        return FLOOR(x) + ERF(x) * POWER(x, 2.0) + POWER(y, 3.0)

    x = np.array([0.3, 1.7, -0.4])
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(x, 1.5), f(x, 1.5), rtol=1e-14)
    np.testing.assert_allclose(s2s.grad(f, argnums=1)(1.2, 1.5), 6.75, rtol=1e-14)


def array(items, scale):
    total = np.zeros(3)
    for k in range(3):
        total[k] = items[k] * scale
    return total


def test_a_helper_may_be_called_like_a_function_of_the_emitted_module() -> None:
    x = np.array([0.3, 1.7, -0.4])
    f = lambda x: array(x, 2.0) + array(array(x, 3.0), 2.0)  # noqa: E731
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(x), f(x), rtol=1e-14)
    assert s2s.jit(f, target="numpy").source(x).count("def _array(") == 1
