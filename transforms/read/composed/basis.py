"""What is stated of the polynomials that numpy.polynomial has: the recurrence of each basis, and how its series are differentiated and integrated.

P[k+1] = (slope(k) x + shift(k)) P[k] - back(k) P[k-1], P[0] = 1 (Abramowitz and Stegun, table 22.7).
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Formula = Callable[..., Any]


@dataclass(frozen=True)
class Basis:
    """A family of polynomials. `slope` is None where it is 1, `shift` and `back` where they are 0."""

    prefix: str
    derived: Formula
    """The coefficients of the derivative: one row fewer."""
    integrated: Formula
    """Those of an antiderivative: one row more."""
    slope: Formula | None = None
    shift: Formula | None = None
    back: Formula | None = None
    weight: Formula | None = None


def _lower(c):
    return np.zeros((max(c.shape[0] - 1, 1), *c.shape[1:]), dtype=c.dtype)


def _higher(c):
    return np.zeros((c.shape[0] + 1, *c.shape[1:]), dtype=c.dtype)


def _power_derived(c):
    found = _lower(c)
    for k in range(1, c.shape[0]):
        found[k - 1] = k * c[k]
    return found


def _power_integrated(c):
    found = _higher(c)
    for k in range(c.shape[0]):
        found[k + 1] = c[k] / (k + 1)
    return found


def _chebyshev_derived(c):
    found, left = _lower(c), np.array(c)
    for k in range(c.shape[0] - 1, 2, -1):
        found[k - 1] = 2 * k * left[k]
        left[k - 2] += k * left[k] / (k - 2)
    if c.shape[0] > 2:
        found[1] = 4 * left[2]
    if c.shape[0] > 1:
        found[0] = left[1]
    return found


def _chebyshev_integrated(c):
    found = _higher(c)
    found[1] = c[0]
    if c.shape[0] > 1:
        found[2] = c[1] / 4
    for k in range(2, c.shape[0]):
        found[k + 1] = c[k] / (2 * (k + 1))
        found[k - 1] -= c[k] / (2 * (k - 1))
    return found


def _legendre_derived(c):
    found, left = _lower(c), np.array(c)
    for k in range(c.shape[0] - 1, 0, -1):
        found[k - 1] = (2 * k - 1) * left[k]
        if k > 1:
            left[k - 2] += left[k]
    return found


def _legendre_integrated(c):
    found = _higher(c)
    found[1] = c[0]
    for k in range(1, c.shape[0]):
        found[k + 1] = c[k] / (2 * k + 1)
        found[k - 1] -= c[k] / (2 * k + 1)
    return found


def _hermite_derived(c):
    return 2 * _power_derived(c)


def _hermite_integrated(c):
    return _power_integrated(c) / 2


def _laguerre_derived(c):
    found, left = _lower(c), np.array(c)
    for k in range(c.shape[0] - 1, 0, -1):
        found[k - 1] = -left[k]
        left[k - 1] += left[k]
    return found


def _laguerre_integrated(c):
    found = _higher(c)
    for k in range(c.shape[0]):
        found[k] += c[k]
        found[k + 1] -= c[k]
    return found


POWERS = Basis("poly", _power_derived, _power_integrated)
CHEBYSHEV = Basis(
    "cheb", _chebyshev_derived, _chebyshev_integrated, slope=lambda k: 1.0 if k == 0 else 2.0, back=lambda k: 1.0 if k > 0 else 0.0,
    weight=lambda x: 1.0 / (np.sqrt(1.0 + x) * np.sqrt(1.0 - x)),
)  # fmt: skip
LEGENDRE = Basis(
    "leg", _legendre_derived, _legendre_integrated, slope=lambda k: (2 * k + 1) / (k + 1), back=lambda k: k / (k + 1), weight=lambda x: x * 0.0 + 1.0,
)  # fmt: skip
HERMITE = Basis("herm", _hermite_derived, _hermite_integrated, slope=lambda k: 2.0, back=lambda k: 2.0 * k, weight=lambda x: np.exp(-(x**2)))
HERMITE_E = Basis("herme", _power_derived, _power_integrated, back=lambda k: 1.0 * k, weight=lambda x: np.exp(-0.5 * x**2))
LAGUERRE = Basis(
    "lag", _laguerre_derived, _laguerre_integrated, slope=lambda k: -1.0 / (k + 1), shift=lambda k: (2 * k + 1) / (k + 1), back=lambda k: k / (k + 1),
    weight=lambda x: np.exp(-x),
)  # fmt: skip

BASES = {
    "polynomial": POWERS, "chebyshev": CHEBYSHEV, "legendre": LEGENDRE, "hermite": HERMITE, "hermite_e": HERMITE_E, "laguerre": LAGUERRE,
}  # fmt: skip
"""By the module of numpy.polynomial."""

__all__ = ["BASES", "Basis"]
