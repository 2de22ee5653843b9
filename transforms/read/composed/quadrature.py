"""scipy.integrate: integrals of samples and of functions by fixed rules."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    """scipy.integrate.cumulative_trapezoid."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    if y.shape[-1] == 0:
        raise ValueError("At least one point is required along `axis`.")
    steps = dx if x is None else np.diff(_along(x, y, axis), axis=-1)
    if x is not None and steps.shape[-1] != y.shape[-1] - 1:
        raise ValueError("If given, length of x along axis must be the same as y.")
    sums = np.cumsum(steps * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        if initial != 0:
            raise ValueError("`initial` must be `None` or `0`.")
        sums = np.concatenate((np.zeros_like(y[..., :1], dtype=sums.dtype), sums), axis=-1)
    return np.moveaxis(sums, -1, axis)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """scipy.integrate.trapezoid."""
    if x is not None and (np.asarray(x).dtype.kind == "c" or np.ndim(x) == 0):
        unsupported("scipy.integrate.trapezoid at complex points, or at one", "np.trapezoid")
    if np.asarray(dx).dtype.kind == "c" and np.asarray(y).dtype.kind != "c":
        unsupported("scipy.integrate.trapezoid with complex steps, of which SciPy drops the imaginary part", "np.trapezoid")
    found, y = np.trapezoid(y, x, dx, axis), np.asarray(y)
    wanted = y.dtype if y.dtype.kind in "fc" else found.dtype
    return found if found.dtype == wanted else found.astype(wanted)


def simpson(y, x=None, *, dx=1.0, axis=-1):
    """scipy.integrate.simpson: of an even number of points with Cartwright's correction of the last interval."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    n = y.shape[-1]
    if y.dtype in (np.float32, np.complex64):
        unsupported("scipy.integrate.simpson of samples of single precision", "y.astype(np.float64)", "the result's dtype depends on whether their number is even")
    if n == 0:
        raise IndexError(f"index -1 is out of bounds for axis {axis} with size 0")
    if x is None:
        if n % 2 == 1:
            return _even(y, dx)
        if n == 2:
            return 0.5 * dx * (y[..., -1] + y[..., -2])
        before = last = np.float64(dx)
        inner = _even(y[..., :-1], dx)
    else:
        points = _along(x, y, axis)
        if points.dtype.kind == "c":
            unsupported("scipy.integrate.simpson at complex points", "their real parts: SciPy drops the others")
        if points.shape[-1] != n:
            raise ValueError("If given, length of x along axis must be the same as y.")
        steps = np.diff(points, axis=-1)
        if n % 2 == 1:
            return _parabolas(y, steps.astype(np.float64))
        if n == 2:
            return 0.5 * steps[..., -1] * (y[..., -1] + y[..., -2])
        steps = steps.astype(np.float64)
        before, last = steps[..., -2], steps[..., -1]
        inner = _parabolas(y[..., :-1], steps[..., :-1])
    of_last = _ratio(2 * last**2 + 3 * before * last, 6 * (last + before))
    of_second = _ratio(last**2 + 3.0 * before * last, 6 * before)
    of_third = _ratio(last**3, 6 * before * (before + last))
    return inner + (of_last * y[..., -1] + of_second * y[..., -2] - of_third * y[..., -3])


def _even(y, dx):
    """Of an odd number of points, a step apart."""
    return np.sum(y[..., :-2:2] + 4.0 * y[..., 1:-1:2] + y[..., 2::2], axis=-1) * (dx / 3.0)


def _parabolas(y, steps):
    """Of an odd number of points."""
    first, second = steps[..., :-1:2], steps[..., 1::2]
    total, product, ratio = first + second, first * second, _ratio(first, second)
    weighted = y[..., :-2:2] * (2.0 - _ratio(1.0, ratio)) + y[..., 1:-1:2] * (total * _ratio(total, product)) + y[..., 2::2] * (2.0 - ratio)
    return np.sum(total / 6.0 * weighted, axis=-1)


def _ratio(a, b):
    """a / b, and 0 where b is."""
    none = b == 0
    return np.where(none, 0.0, a / np.where(none, 1.0, b))


def _along(x, y, axis):
    """The points of samples whose axis is the last one: one row for all, or as many as samples."""
    x = np.asarray(x)
    if x.ndim == 1:
        return x
    if x.ndim != y.ndim:
        raise ValueError("If given, shape of x must be 1-D or the same as y.")
    return np.moveaxis(x, axis, -1)


def fixed_quad(func, a, b, args=(), n=5):
    """scipy.integrate.fixed_quad: Gauss and Legendre's rule of order n, known while reading."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    if np.isinf(a) or np.isinf(b):
        raise ValueError("Gaussian quadrature is only available for finite limits.")
    y = (b - a) * (nodes + 1) / 2.0 + a
    return (b - a) / 2.0 * np.sum(weights * func(y, *args), axis=-1), None
