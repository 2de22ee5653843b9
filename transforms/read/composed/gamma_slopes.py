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

FINE = 1e-16
MOST = 2000
LARGE = 4503599627370496.0


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

    if not (a > 0.0 and x >= 0.0):
        return np.nan
    if x == 0.0:
        return 0.0
    if x <= 1.0 or x <= a:
        total, slope = _series(a, x)
        return -(slope + total * (np.log(x) - digamma(a + 1.0))) * x / a
    total, slope = _fraction(a, x)
    return (slope + total * (np.log(x) - digamma(a))) * x


def _slope(a, x):
    """dP/da of two numbers."""
    from scipy.special import gammaln

    if not (a > 0.0 and x >= 0.0):
        return np.nan
    if x == 0.0:
        return 0.0
    return -_moved(a, x) * np.exp((a - 1.0) * np.log(x) - x - gammaln(a))


def _series(a, x):
    """sum of x^n / ((a + 1) … (a + n)), and its derivative by a."""
    total, term = 1.0, 1.0
    slope, change = 0.0, 0.0
    n = 0
    while n < MOST:
        n += 1
        change = (change - term / (a + n)) * (x / (a + n))
        term = term * (x / (a + n))
        total += term
        slope += change
        if abs(change) <= FINE * abs(slope) and term <= FINE * total:
            break
    return total, slope


def _fraction(a, x):
    """The continued fraction that x^a e^-x / gamma(a) multiplies to 1 - P, and its derivative by a."""
    y, z, c = 1.0 - a, x + 2.0 - a, 0.0
    before, top = 1.0, x + 1.0
    under_before, under = x, z * x
    value = top / under
    d_before, d_top, d_under_before, d_under = 0.0, 0.0, 0.0, -x
    slope = (d_top - value * d_under) / under
    n = 0
    while n < MOST:
        n += 1
        c += 1.0
        y += 1.0
        z += 2.0
        yc = y * c
        d_next = d_top * z - top - d_before * yc + before * c
        d_next_under = d_under * z - under - d_under_before * yc + under_before * c
        following, following_under = top * z - before * yc, under * z - under_before * yc
        before, top, under_before, under = top, following, under, following_under
        d_before, d_top, d_under_before, d_under = d_top, d_next, d_under, d_next_under
        step = 1.0
        if under != 0.0:
            found = top / under
            found_slope = (d_top - found * d_under) / under
            step = max(abs(found - value) / abs(found), abs(found_slope - slope) / (abs(found_slope) + 1e-300))
            value, slope = found, found_slope
        if abs(top) > LARGE:
            before, top, under_before, under = before / LARGE, top / LARGE, under_before / LARGE, under / LARGE
            d_before, d_top, d_under_before, d_under = d_before / LARGE, d_top / LARGE, d_under_before / LARGE, d_under / LARGE
        if step <= 10 * FINE:
            break
    return value, slope


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
