"""Derivatives by the shape parameter: of the incomplete gamma function, and of what a sampler of gamma numbers gives.

A number x of the gamma distribution of parameter a moves with a as the point moves at which the distribution function has one value: dx/da = -(dP(a, x)/da) / p(a, x).
Method: the series of P(a, x), or the continued fraction of 1 - P(a, x), differentiated term by term (S. Moshier, Cephes, 1984; M. Figurnov, S. Mohamed, A. Mnih,
"Implicit reparameterization gradients", 2018).
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, ours


def random_gamma_grad(a: Any, x: Any, *, dtype: Any = None) -> Any:
    """How a number x drawn from the gamma distribution of parameter a moves with a.

    >>> random_gamma_grad(np.array([1.5, 30.0]), np.array([2.0, 25.0])).round(6)
    array([1.28463 , 0.916682])
    """
    return _by_elements(_moved, a, x, dtype)


def igamma_grad_a(a: Any, x: Any) -> Any:
    """The derivative of the regularized incomplete gamma function P(a, x) by a.

    >>> igamma_grad_a(np.array([1.5]), np.array([2.0])).round(6)
    array([-0.277434])
    """
    return _by_elements(_slope, a, x, None)


def _by_elements(function: Callable[[Any, Any], Any], a: Any, x: Any, dtype: Any) -> Any:
    sizes = np.broadcast_shapes(np.shape(a), np.shape(x))
    kind = np.result_type(a, x) if dtype is None else np.dtype(dtype)
    first = np.ravel(np.broadcast_to(np.asarray(a, np.float64), sizes))
    second = np.ravel(np.broadcast_to(np.asarray(x, np.float64), sizes))
    out = np.zeros(len(first))
    for k in range(len(first)):
        out[k] = function(first[k], second[k])
    return np.reshape(out, sizes).astype(kind)[()]


def _moved(a, x):
    """-(dP/da) / p of two numbers."""
    from scipy.special import digamma

    from s2s.transforms.primitives.scalar_helpers import gamma_motion

    return gamma_motion(a, x, digamma(a))


def _slope(a, x):
    """dP/da of two numbers."""
    from scipy.special import gammaln

    if not (a > 0.0 and x >= 0.0):
        return np.nan
    if x == 0.0:
        return 0.0
    return -_moved(a, x) * np.exp((a - 1.0) * np.log(x) - x - gammaln(a))


def moving(a: Any, drawn: Any, log_space: bool) -> Any:
    """`drawn`, gamma numbers of parameters `a` or their logarithms, as a function of `a`."""
    made = ours("custom_jvp")(lambda a, drawn: drawn)
    made.defjvp(_log_rule if log_space else _rule)
    return made(a, drawn)


def igamma(a: Any, x: Any) -> Any:
    """The regularized incomplete gamma function P(a, x), with derivatives by both arguments.

    >>> igamma(1.0, 2.0).round(6)
    np.float64(0.864665)
    """
    from scipy.special import gammainc

    a, x = np.broadcast_arrays(a, x)
    return _turning(a, x, gammainc(constant(a), constant(x)), 1.0)[()]


def igammac(a: Any, x: Any) -> Any:
    """1 - P(a, x), with derivatives by both arguments.

    >>> igammac(1.0, 2.0).round(6)
    np.float64(0.135335)
    """
    from scipy.special import gammaincc

    a, x = np.broadcast_arrays(a, x)
    return _turning(a, x, gammaincc(constant(a), constant(x)), -1.0)[()]


def _turning(a: Any, x: Any, value: Any, sign: Any) -> Any:
    """`value` as a function of a and x: it grows as `sign` times P(a, x)."""
    made = ours("custom_jvp")(lambda a, x, value, sign: value)
    made.defjvp(_turning_rule)
    return made(a, x, value, sign)


def _turning_rule(primals, tangents):
    """That of x is the density of the gamma distribution."""
    from scipy.special import gammaln, xlogy

    a, x, value, sign = primals
    density = np.exp(xlogy(a - 1.0, x) - x - gammaln(a))
    return _turning(a, x, value, sign), sign * (igamma_grad_a(a, x) * tangents[0] + density * tangents[1])


def _rule(primals, tangents):
    a, drawn = primals
    return moving(a, drawn, False), tangents[1] + random_gamma_grad(a, drawn) * tangents[0]


def _log_rule(primals, tangents):
    a, logs = primals
    drawn = np.maximum(np.exp(logs), np.finfo(logs.dtype).tiny)
    return moving(a, logs, True), tangents[1] + random_gamma_grad(a, drawn) / drawn * tangents[0]


EXPORTED: dict[str, Callable[..., Any]] = {"random_gamma_grad": random_gamma_grad, "igamma_grad_a": igamma_grad_a, "igamma": igamma, "igammac": igammac}
"""By the names that they have in s2s.lax."""
