"""numpy.polynomial's functions by their names, with NumPy's parameters: one set for each basis."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed import series
from s2s.transforms.read.composed.basis import BASES, POWERS
from s2s.transforms.read.composed.series import (
    derivative,
    fitted,
    in_powers,
    integral,
    of_powers,
    of_roots,
    power,
    product,
    products,
    quotient,
    straight,
    times_x,
    total,
    value,
    vandermonde,
    zeros,
)


def values_of(basis):
    """Those of points, by the end of their names."""
    b = basis

    def val(x, c, tensor=True):
        return value(b, x, c, tensor)

    def val2d(x, y, c):
        return value(b, y, value(b, x, c, True), False)

    def val3d(x, y, z, c):
        return value(b, z, value(b, y, value(b, x, c, True), False), False)

    def grid2d(x, y, c):
        return value(b, y, value(b, x, c, True), True)

    def grid3d(x, y, z, c):
        return value(b, z, value(b, y, value(b, x, c, True), True), True)

    def vander(x, deg):
        return vandermonde(b, x, deg)

    def vander2d(x, y, deg):
        return products(vandermonde(b, x, deg[0]), vandermonde(b, y, deg[1]))

    def vander3d(x, y, z, deg):
        return products(products(vandermonde(b, x, deg[0]), vandermonde(b, y, deg[1])), vandermonde(b, z, deg[2]))

    def fit(x, y, deg, rcond=None, full=False, w=None):
        return fitted(b, x, y, deg, rcond, full, w)

    return {function.__name__: function for function in (val, val2d, val3d, grid2d, grid3d, vander, vander2d, vander3d, fit)}


def arithmetic_of(basis):
    """Those of coefficients, by the end of their names."""
    b = basis
    most = None if basis is POWERS else 16

    def line(off, scl):
        return straight(b, off, scl)

    def add(c1, c2):
        return total(c1, c2, 1)

    def sub(c1, c2):
        return total(c1, c2, -1)

    def mulx(c):
        return times_x(b, c)

    def mul(c1, c2):
        return product(b, c1, c2)

    def div(c1, c2):
        return quotient(b, c1, c2)

    def raised(c, pow, maxpower=most):
        return power(b, c, pow, maxpower)

    def der(c, m=1, scl=1, axis=0):
        return derivative(b, c, m, scl, axis)

    def integrated(c, m=1, k=[], lbnd=0, scl=1, axis=0):  # noqa: B006 - NumPy's own default, which is not changed
        return integral(b, c, m, k, lbnd, scl, axis)

    def fromroots(roots):
        return of_roots(b, roots)

    def roots(c):
        return zeros(b, c)

    return {function.__name__: function for function in (line, add, sub, mulx, mul, div, der, fromroots, roots)} | {"pow": raised, "int": integrated}


def others_of(basis):
    """Those that the powers of x have not, by their names."""
    b = basis

    def weight(x):
        return b.weight(x)

    def to_powers(c):
        return in_powers(b, c)

    def from_powers(pol):
        return of_powers(b, pol)

    return {f"{b.prefix}weight": weight, f"{b.prefix}2poly": to_powers, f"poly2{b.prefix}": from_powers}


def chebinterpolate(func, deg, args=()):
    """np.polynomial.chebyshev.chebinterpolate."""
    if deg < 0:
        raise ValueError("expected deg >= 0")
    points = series.chebpts1(deg + 1)
    found = np.dot(np.polynomial.chebyshev.chebvander(points, deg).T, func(points, *args))
    found[0] /= deg + 1
    found[1:] /= 0.5 * (deg + 1)
    return found


def functions_of(basis):
    """The functions of a basis, by their names."""
    named = {f"{basis.prefix}{name}": function for name, function in {**values_of(basis), **arithmetic_of(basis)}.items()}
    return named if basis is POWERS else {**named, **others_of(basis)}


CALLING = {"numpy.polynomial.chebyshev.chebinterpolate": chebinterpolate}
"""What calls the user's function."""
SERIES = {f"numpy.polynomial.{module}.{name}": function for module, basis in BASES.items() for name, function in functions_of(basis).items()} | {
    "numpy.polynomial.polynomial.polyvalfromroots": series.polyvalfromroots, "numpy.polynomial.chebyshev.chebpts1": series.chebpts1,
    "numpy.polynomial.chebyshev.chebpts2": series.chebpts2, "numpy.polynomial.polyutils.mapdomain": series.mapdomain, "numpy.polynomial.polyutils.mapparms": series.mapparms,
    "numpy.polynomial.polyutils.trimcoef": series.trimcoef, "numpy.polynomial.polyutils.trimseq": series.trimseq,
}  # fmt: skip
"""By qualified name."""

__all__ = ["CALLING", "SERIES"]
