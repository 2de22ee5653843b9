"""lax.igamma and lax.igammac: derivatives by both arguments; the numbers are JAX 0.10.2's."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.special
import scipy.stats

import s2s
from s2s import lax

A, X = np.array([0.3, 1.5, 7.0, 40.0]), np.array([0.2, 2.0, 5.0, 45.0])
BY_A = [-1.02338031, -0.27743356, -0.12594771, -0.04462582]
BY_X = [0.84434723, 0.21596387, 0.14622281, 0.0419229]


def test_derivatives_by_both_arguments() -> None:
    with s2s.disable_jit():
        for function, sign in ((lax.igamma, 1.0), (lax.igammac, -1.0)):
            slopes = s2s.grad(lambda a, x: np.sum(function(a, x)), (0, 1))(A, X)  # noqa: B023 - used at once
            np.testing.assert_allclose(slopes, [np.multiply(sign, BY_A), np.multiply(sign, BY_X)], rtol=3e-7)
            np.testing.assert_allclose(s2s.vmap(s2s.grad(function, (0, 1)))(A, X), slopes, rtol=1e-12)
            np.testing.assert_allclose(s2s.jvp(function, (A, X), (np.ones(4), np.full(4, 2.0)))[1], sign * (np.array(BY_A) + 2 * np.array(BY_X)), rtol=3e-7)
            assert s2s.grad(function)(1.5, 2.0) == pytest.approx(sign * BY_A[1])
        assert s2s.grad(lambda a: np.sum(lax.igamma(a, X)))(1.5) == pytest.approx(-0.45015916545847884)


def test_second_derivatives() -> None:
    """Of uses that are not linear: the value is a function of both arguments in the rule, too."""
    for call in (lax.igamma, lax.igammac):
        s2s.check_grads(s2s.jit(lambda a, x: call(a, x) ** 2 + call(1.7 * a, a + x), target="numpy"), (1.3, 2.0), order=2)  # noqa: B023 - used at once
    rounded = s2s.jit(lambda x: lax.reduce_precision(x, 5, 20) ** 2, target="numpy")
    assert s2s.jit(s2s.grad(s2s.grad(rounded)), target="numpy")(1.3) == 2.0


def test_values_and_dtypes() -> None:
    for call in (lax.igamma, s2s.jit(lax.igamma, target="numpy")):
        np.testing.assert_array_equal(call(A, X), scipy.special.gammainc(A, X))
        assert call(A.astype(np.float32), X.astype(np.float32)).dtype == np.float32
        assert call(2.0, 0.0) == 0.0
    assert lax.igammac(a=2.0, x=0.0) == 1.0


def test_distributions_of_gamma_by_their_shapes() -> None:
    def f(a: np.ndarray) -> np.float64:
        ahead = np.sum(scipy.stats.gamma.cdf(X, a, scale=2.0)) + np.sum(scipy.stats.chi2.sf(X, a))
        return ahead + np.sum(scipy.stats.gamma.ppf([0.2, 0.7, 0.5, 0.9], a)) + np.sum(scipy.stats.invgamma.cdf(X, a))

    for target in ("numpy", "cpu"):
        s2s.check_grads(s2s.jit(f, target=target), (A,), order=1)
    with pytest.raises(s2s.UnsupportedError, match="with respect to a twice"):
        s2s.hessian(f)(A)
