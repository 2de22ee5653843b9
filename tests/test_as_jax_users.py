"""What somebody who moves code from JAX meets: each test here was once a wrong number, a refusal or a worse message than JAX's."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s

X32 = np.array([0.2, 0.5, 0.7], np.float32)


def same(got: Any, want: Any) -> None:
    """Equal values, dtypes and shapes."""
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-6)


# ---- dtypes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.dot(x, 0.4), lambda x: np.inner(0.4, x), lambda x: np.outer(x, 0.4), lambda x: np.kron(x, 0.4), lambda x: np.tensordot(x, 0.4, 0),
        lambda x: np.einsum("i,->i", x, 0.4), lambda x: np.diff(x, prepend=0.5), lambda x: np.arange(x[0], 3.0), lambda x: np.arange(x[0]),
        lambda x: np.vander(x, 3), lambda x: np.array([x, [1.0, 2.0, 3.0]]), lambda x: np.array([[1, 2, 3], x]),
    ],
)  # fmt: skip
def test_python_numbers_that_numpy_makes_arrays_of_are_float64(function: Callable[..., Any]) -> None:
    same(s2s.jit(function, target="numpy")(X32), function(X32))
    with s2s.disable_jit():
        assert s2s.grad(lambda x: np.sum(function(x)))(X32).dtype == np.float32


def test_interpolation_of_complex_values() -> None:
    def between(x: Any, points: Any, values: Any) -> Any:
        return np.interp(x, points, values)

    points, values = np.arange(3.0), np.array([1.0 + 2.0j, 3.0 - 1.0j, 0.5j])
    x = np.array([-1.0, 0.3, 1.7, 5.0])
    same(s2s.jit(between, target="numpy")(x, points, values), between(x, points, values))
    with s2s.disable_jit():
        bar = s2s.vjp(lambda v: np.interp(x, points, v), values)[1](np.ones(4, complex))[0]
    np.testing.assert_allclose(bar, [1.7, 0.6, 1.7])
