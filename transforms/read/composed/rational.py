"""scipy.interpolate: a polynomial through points, rational approximations, and splines with one more knot or as polynomials."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.interpolants import Piecewise
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.polynomial_classes import Poly1d
from s2s.transforms.read.composed.splines import splev


def lagrange(x, w):
    """scipy.interpolate.lagrange: the polynomial through points, as a poly1d."""
    x, w = np.asarray(x), np.asarray(w)
    if x.ndim != 1 or w.ndim != 1:
        unsupported("scipy.interpolate.lagrange of several polynomials", "a loop over them")
    dtype = np.result_type(x, w, np.float64)
    n = x.shape[0]
    found = np.zeros(n, dtype)
    for j in range(n):
        part = np.zeros(n, dtype)
        part[0] = w[j]
        degree = 0
        for k in range(n):
            if k != j:
                degree += 1
                gap = x[j] - x[k]
                for place in range(degree, 0, -1):
                    part[place] = (part[place] - x[k] * part[place - 1]) / gap
                part[0] = part[0] / gap
        found = found + part
    return Poly1d(found)


def pade(an, m, n=None):
    """scipy.interpolate.pade: numerator and denominator, as poly1ds, of a series with these coefficients."""
    an = np.asarray(an)
    an = an if an.dtype.kind in "fc" else an.astype(np.float64)
    size = an.shape[0]
    if n is None:
        n = size - 1 - m
        if n < 0:
            raise ValueError("Order of q <m> must be smaller than len(an)-1.")
    if n < 0:
        raise ValueError("Order of p <n> must be greater than 0.")
    whole = m + n
    if whole > size - 1:
        raise ValueError("Order of q+p <m+n> must be smaller than len(an).")
    lower = np.zeros((whole + 1, m), an.dtype)
    for row in range(1, whole + 1):
        for column in range(min(row, m)):
            lower[row, column] = -an[row - 1 - column]
    system = np.concatenate((np.eye(whole + 1, n + 1, dtype=an.dtype), lower), axis=1)
    found = np.linalg.solve(system, an[: whole + 1])
    return Poly1d(found[: n + 1][::-1].copy()), Poly1d(np.concatenate((np.ones(1, an.dtype), found[n + 1 :]))[::-1].copy())


def insert(x, tck, m=1, per=0):
    """scipy.interpolate.insert of a knot into one spline (Boehm, 1980)."""
    t, c, k = tck
    if per or m != 1 or isinstance(c, (list, tuple)):
        unsupported("scipy.interpolate.insert of several knots, or into periodic or several splines", "one call for each knot")
    t, c = np.asarray(t, np.float64), np.asarray(c, np.float64)
    n = t.shape[0] - k - 1
    if not t[k] <= x <= t[n]:
        raise ValueError("An error occurred")
    place = np.minimum(np.searchsorted(t, x, side="right") - 1, n - 1)
    each = np.arange(n + 1)
    rising = (each > place - k) & (each <= place)
    span = np.where(rising, t[np.minimum(each + k, t.shape[0] - 1)] - t[each], 1.0)
    share = np.where(rising, (x - t[each]) / span, np.where(each <= place - k, 1.0, 0.0))
    held = np.concatenate((c[:n], c[n - 1 : n]))
    before = np.concatenate((c[:1], c[:n]))
    mixed = share * held + (1.0 - share) * before
    return np.concatenate((t[: place + 1], np.reshape(1.0 * x, 1), t[place + 1 :])), np.concatenate((mixed, np.zeros(k + 1))), k


def from_spline(tck, extrapolate=None):
    """scipy.interpolate.PPoly.from_spline: the polynomial of each interval between knots."""
    t, c, k = (tck.t, tck.c, tck.k) if hasattr(tck, "t") else tck
    t, c = np.asarray(t, np.float64), np.asarray(c)
    parts = [splev(t[:-1], (t, c, k), order) / math.factorial(order) for order in range(k, -1, -1)]
    beyond = (tck.extrapolate if hasattr(tck, "t") else True) if extrapolate is None else extrapolate
    return Piecewise(np.stack(parts), t, beyond, 0)


def sproot(tck, mest=10):
    """scipy.interpolate.sproot: the first `mest` zeros of a cubic spline."""
    knots, coefficients, degree = tck
    if degree != 3:
        raise ValueError("sproot works only for cubic (k=3) splines")
    if isinstance(coefficients, (list, tuple)) and len(coefficients) > 0 and np.ndim(coefficients[0]) > 0:
        unsupported("scipy.interpolate.sproot of several splines", "a loop over them")
    knots = np.asarray(knots, np.float64)
    found = from_spline((knots, coefficients, degree), False).roots(discontinuity=False, extrapolate=False)
    apart = np.concatenate((np.ones(1, bool), found[1:] - found[:-1] > 1e-12 * (knots[-1] - knots[0])))[: found.shape[0]]
    return found[apart][:mest]


RATIONAL: dict[str, Any] = {
    "scipy.interpolate.lagrange": lagrange, "scipy.interpolate.pade": pade, "scipy.interpolate.insert": insert, "scipy.interpolate.PPoly.from_spline": from_spline, "scipy.interpolate.sproot": sproot,
}  # fmt: skip
"""By qualified name."""
