"""scipy.interpolate: splines through points by their knots and coefficients, and interpolants of several variables.

Method: de Boor, A Practical Guide to Splines, IX, X and XIII; the coefficients solve a system whose matrix has k + 1 numbers in a row.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.spline_classes import (
    BSpline,
    Grid,
    Nearest,
    Newton,
    Radial,
    Surface,
    Tensor,
    Univariate,
    basis,
    between,
    evaluated,
    monomials,
    radial,
    surface_from_outside,
)
from s2s.transforms.read.composed.spline_fits import fitted
from s2s.transforms.read.installed import SCIPY_1_18


def bspline(t, c, k, extrapolate=True, axis=0):
    """scipy.interpolate.BSpline."""
    t, c = np.asarray(t, np.float64), np.asarray(c)
    c = np.moveaxis(c.astype(np.complex128 if c.dtype.kind == "c" else np.float64), axis, 0)
    if t.ndim != 1:
        raise ValueError("Knot vector must be one-dimensional.")
    if t.shape[0] - k - 1 < k + 1:
        raise ValueError(f"Need at least {2 * k + 2} knots for degree {k}")
    if c.shape[0] < t.shape[0] - k - 1:
        raise ValueError("Knots, coefficients and degree are inconsistent.")
    if np.any(np.diff(t) < 0):
        raise ValueError("Knots must be in a non-decreasing order.")
    return BSpline(t, c, k, extrapolate, axis % c.ndim)


def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """scipy.interpolate.make_interp_spline with its own knots, or without conditions at the ends with given ones."""
    if bc_type is not None and (t is not None or not isinstance(bc_type, str)):
        unsupported("scipy.interpolate.make_interp_spline(…, t=…) with conditions at the ends, or with ones that are no names", "bc_type='natural', 'clamped' or 'not-a-knot'")
    if bc_type == "periodic" or (bc_type in ("natural", "clamped") and k != 3):
        unsupported(f"scipy.interpolate.make_interp_spline(…, k={k}, bc_type={bc_type!r})", "bc_type=None")
    if np.iscomplexobj(x):
        unsupported("scipy.interpolate.make_interp_spline of complex x", "x.real")
    x, y = np.asarray(x, np.float64), np.asarray(y)
    y = np.moveaxis(y.astype(np.complex128 if y.dtype.kind == "c" else np.float64), axis, 0)
    if x.shape[0] != y.shape[0]:
        raise ValueError(f"Shapes of x {x.shape} and y {y.shape} are incompatible")
    if np.any(np.diff(x) <= 0):
        raise ValueError("Expect x to not have duplicates, and to be sorted")
    if t is not None:
        knots = _given_knots(np.asarray(t, np.float64), k, x)
        return BSpline(knots, _coefficients(knots, k, x, y, 0), k, True, axis % y.ndim)
    natural = {"natural": 2, "clamped": 1}.get(bc_type, 0)
    if x.shape[0] < (2 if natural else k + 1):
        raise ValueError(f"Need at least {k + 1} points for degree {k}")
    if k == 0:
        return BSpline(np.concatenate((x, x[-1:])), y, 0, True, axis % y.ndim)
    inner = x[1:-1] if natural else x[(k + 1) // 2 : x.shape[0] - (k + 1) // 2] if k % 2 else ((x[1:] + x[:-1]) / 2)[k // 2 : x.shape[0] - 1 - k // 2]
    knots = np.concatenate((np.full(k + 1, x[0]), inner, np.full(k + 1, x[-1])))
    if k == 1:
        return BSpline(knots, y, 1, True, axis % y.ndim)
    return BSpline(knots, _coefficients(knots, k, x, y, natural), k, True, axis % y.ndim)


def _given_knots(t, k, x):
    """Knots of a spline that is determined by its values at some points (Schoenberg and Whitney, 1953)."""
    n = x.shape[0]
    if t.ndim != 1 or np.any(np.diff(t) < 0):
        raise ValueError("Expect t to be a 1-D sorted array_like.")
    if t.shape[0] < n + k + 1:
        raise ValueError(f"Got {t.shape[0]} knots, need at least {n + k + 1}.")
    if t.shape[0] != n + k + 1:
        raise ValueError(f"The number of derivatives at boundaries does not match: expected {t.shape[0] - k - 1 - n}, got 0+0")
    if x[0] < t[k] or x[-1] > t[n]:
        raise ValueError(f"Out of bounds w/ x = {x}.")
    if np.any(x[1:-1] <= t[1 : n - 1]) or np.any(x[1:-1] >= t[k + 2 : n + k]):
        raise np.linalg.LinAlgError("Collocation matrix is singular.")
    return t


def _coefficients(t, k, x, y, natural):
    """Of the spline through points; `natural`: the derivative that is 0 at both ends."""
    import scipy.linalg

    n, more = t.shape[0] - k - 1, 1 if natural else 0
    place = between(t, k, n, x)
    width = k + more
    band = np.zeros((2 * width + 1, n))
    rows = np.arange(x.shape[0]) + more
    for j, values in zip(range(k + 1), basis(t, k, place, x), strict=True):
        columns = place + (j - k)
        band[width + rows - columns, columns] = values
    right = y
    if natural:
        one = BSpline(t, np.eye(n)[:, : k + 1], k, True, 0)(x[0], natural)
        two = BSpline(t, np.eye(n)[:, n - k - 1 :], k, True, 0)(x[-1], natural)
        for j in range(k + 1):
            band[width - j, j] = one[j]
            band[width + k - j, n - 1 - k + j] = two[j]
        right = np.concatenate((np.zeros_like(y[:1]), y, np.zeros_like(y[:1])))
    flat = right.reshape(n, -1)
    return scipy.linalg.solve_banded((width, width), band, flat).reshape(right.shape)


# ---- FITPACK's names ---------------------------------------------------------------------------------------------------------------


def splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    """scipy.interpolate.splrep: knots, coefficients and degree of a spline through the samples, near them (s), or of given inner knots."""
    if full_output or per or task == 1:
        unsupported("scipy.interpolate.splrep with full_output, per or task=1", "scipy.interpolate.make_interp_spline(…, bc_type='periodic')")
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    first, last = x[0] if xb is None else xb, x[-1] if xe is None else xe
    if t is not None or task == -1:
        found = make_lsq_spline(x, y, np.concatenate((np.full(k + 1, first), np.asarray(t, np.float64), np.full(k + 1, last))), k, w)
        return found.t, np.concatenate((found.c, np.zeros(k + 1))), k
    near = (0.0 if w is None else x.shape[0] - np.sqrt(2.0 * x.shape[0])) if s is None else s
    if near == 0.0:
        if xb is not None or xe is not None:
            unsupported("scipy.interpolate.splrep(…, xb, xe) through the samples", "scipy.interpolate.make_interp_spline")
        found = make_interp_spline(x, y, k)
        return found.t, np.concatenate((found.c, np.zeros(k + 1))), k
    knots, c, _ = _near(x, y, w, first, last, k, near, x.shape[0] + k + 1)
    return knots, np.concatenate((c, np.zeros(k + 1))), k


def _near(x, y, w, first, last, k, s, limit):
    """A smoothing spline of one sequence."""
    weights = np.ones(x.shape[0]) if w is None else np.asarray(w, np.float64)
    check_samples(x, y, weights, k, s)
    t, c, left = fitted(x, y[:, np.newaxis], weights, first, last, k, s, limit)
    return t, c[:, 0], left


def check_samples(x, y, w, k, s):
    """What FITPACK takes."""
    if not 1 <= k <= 5:
        raise ValueError(f"k should be 1 <= k <= 5, but k={k}")
    if x.shape[0] <= k or y.shape[0] != x.shape[0] or w.shape[0] != x.shape[0]:
        raise ValueError("the samples of a spline of degree k are more than k, and x, y and w of one length")
    if s < 0.0 or np.any(w <= 0.0):
        raise ValueError("the smoothing s of a spline must not be negative, and its weights be positive")
    if np.any(x[1:] < x[:-1]):
        raise ValueError("x must be increasing if s > 0")


def splprep(x, w=None, u=None, ub=None, ue=None, k=3, task=0, s=None, t=None, full_output=0, nest=None, per=0, quiet=1):
    """scipy.interpolate.splprep: a curve in a space, through samples or near them, and where on it they lie."""
    if full_output or per or task != 0 or t is not None or nest is not None:
        unsupported("scipy.interpolate.splprep with task, t, full_output, nest or per", "leave them out")
    if any(np.iscomplexobj(row) for row in x):
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
    y = np.stack([np.asarray(row, np.float64) for row in x], axis=1)
    m, weights = y.shape[0], np.ones(y.shape[0]) if w is None else np.asarray(w, np.float64)
    along = np.concatenate((np.zeros(1), np.cumsum(np.sqrt(np.sum((y[1:] - y[:-1]) ** 2, axis=1)))))
    if u is None and along[-1] == 0:
        raise ValueError("Invalid inputs.")
    u = along / along[-1] if u is None else np.asarray(u, np.float64)
    first, last = u[0] if ub is None else ub, u[-1] if ue is None else ue
    near = m - np.sqrt(2.0 * m) if s is None else s
    check_samples(u, y, weights, k, near)
    if near == 0.0:
        if np.any(u[1:] <= u[:-1]):
            raise ValueError("Invalid inputs.")
        found = make_interp_spline(u, y, k)
        knots, c = found.t, found.c
    else:
        knots, c, _ = fitted(u, y, weights, first, last, k, near, m + 2 * k)
    return [knots, [c[:, number] for number in range(len(x))], k], u


def splev(x, tck, der=0, ext=0):
    """scipy.interpolate.splev of one spline."""
    t, c, k = tck
    if ext not in (0, 1, 2, 3):
        raise ValueError(f"ext = {ext} not in (0, 1, 2, 3) ")
    if isinstance(c, (list, tuple)):
        return [evaluated(BSpline(np.asarray(t, np.float64), np.asarray(each, np.float64), k, True, 0), x, der, ext) for each in c]
    return evaluated(BSpline(np.asarray(t, np.float64), np.asarray(c, np.float64), k, True, 0), x, der, ext)


def splder(tck, n=1):
    """scipy.interpolate.splder of one spline."""
    return _changed(tck, n)


def splantider(tck, n=1):
    """scipy.interpolate.splantider of one spline."""
    return _changed(tck, -n)


def _changed(tck, n):
    """The n-th derivative, or integral if it is negative: knots, coefficients (as many as knots) and degree."""
    t, c, k = tck
    if n > k:
        raise ValueError(f"Order of derivative (n = {n!r}) must be <= order of spline (k = {tck[2]!r})")
    spline = BSpline(np.asarray(t, np.float64), np.asarray(c, np.float64), k, True, 0)
    if n < 0:
        found = spline.antiderivative(-n)
        return found.t, found.c, found.k
    found = spline.derivative(n)
    count = found.t.shape[0] - found.k - 1
    return found.t, np.concatenate((found.c[:count], np.zeros(found.k + 1))), found.k


def make_lsq_spline(x, y, t, k=3, w=None, axis=0, check_finite=True, *, method="qr"):
    """scipy.interpolate.make_lsq_spline: the spline with these knots that is nearest to points."""
    x, t, y = np.asarray(x, np.float64), np.asarray(t, np.float64), np.asarray(y)
    y = np.moveaxis(y.astype(np.complex128 if y.dtype.kind == "c" else np.float64), axis, 0)
    if x.shape[0] != y.shape[0]:
        raise ValueError(f"Shapes of x {x.shape} and y {y.shape} are incompatible")
    _check_points(x, y, t, k, check_finite)
    if np.any(x[1:] - x[:-1] < (0 if method == "qr" else 5e-324)):
        raise ValueError("Expect x to be a 1D non-decreasing sequence." if method == "qr" else "Expect x to be a 1D strictly increasing sequence.")
    n = t.shape[0] - k - 1
    place = between(t, k, n, x)
    table = np.zeros((x.shape[0], n))
    for j, values in zip(range(k + 1), basis(t, k, place, x), strict=True):
        table[np.arange(x.shape[0]), place + (j - k)] = values
    flat, weights = y.reshape(x.shape[0], -1), np.ones(x.shape[0]) if w is None else np.asarray(w, np.float64)
    weighted = table * (weights**2)[:, np.newaxis]
    c = np.linalg.solve(weighted.T @ table, weighted.T @ flat)
    return BSpline(t, c.reshape((n, *y.shape[1:])), k, True, axis % y.ndim)


def _check_points(x, y, t, k, check_finite):
    """SciPy's errors of points, and of knots that don't hold them."""
    if check_finite and not (np.all(np.isfinite(x)) and np.all(np.isfinite(y)) and np.all(np.isfinite(t))):
        raise ValueError("Array must not contain infs or nans.")
    if x.shape[0] < k + 1:
        raise ValueError("Need more x points.")
    if np.any(t[1:] - t[:-1] < 0):
        raise ValueError("Expect t to be a 1D strictly increasing sequence.")
    if k > 0 and np.any((x < t[k]) | (x > t[t.shape[0] - k])):
        raise ValueError(f"Out of bounds w/ x = {x}.")


def lsq_univariate(x, y, t, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
    """scipy.interpolate.LSQUnivariateSpline of inner knots."""
    if tuple(bbox) != (None, None):
        unsupported("scipy.interpolate.LSQUnivariateSpline(…, bbox=…)", "scipy.interpolate.make_lsq_spline")
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    knots = np.concatenate((np.full(k + 1, x[0]), np.asarray(t, np.float64), np.full(k + 1, x[-1])))
    found = make_lsq_spline(x, y, knots, k, w, check_finite=check_finite)
    return Univariate(found.t, found.c, k, ext)


def splint(a, b, tck, full_output=0):
    """scipy.interpolate.splint."""
    if full_output:
        unsupported("scipy.interpolate.splint(…, full_output=1)", "leave it out")
    t, c, k = tck
    return float(BSpline(np.asarray(t, np.float64), np.asarray(c, np.float64), k, True, 0).integral(a, b))


def interpolated_spline(x, y, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
    """scipy.interpolate.InterpolatedUnivariateSpline."""
    if w is not None or tuple(bbox) != (None, None):
        unsupported("scipy.interpolate.InterpolatedUnivariateSpline(…, w, bbox)", "scipy.interpolate.make_interp_spline")
    if np.ndim(y) != 1:
        raise ValueError("x and y should have a same length")
    found = make_interp_spline(x, np.asarray(y, np.float64), k)
    return Univariate(found.t, found.c, k, ext)


def univariate_spline(x, y, w=None, bbox=(None, None), k=3, s=None, ext=0, check_finite=False):
    """scipy.interpolate.UnivariateSpline: near the samples as far as s says (as many as there are), or through them."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    near = float(x.shape[0]) if s is None else s
    if near == 0.0:
        return interpolated_spline(x, y, None, bbox, k, ext, check_finite)
    first, last = x[0] if bbox[0] is None else bbox[0], x[-1] if bbox[1] is None else bbox[1]
    limit = x.shape[0] + k + 1 if SCIPY_1_18 else max(x.shape[0] // 2, 2 * (k + 1))  # splrep's knots since 1.18
    t, c, left = _near(x, y, w, first, last, k, near, limit)
    return Univariate(t, c, k, ext, left)


def surface(x, y, z, bbox=(None, None, None, None), kx=3, ky=3, s=0, maxit=20):
    """scipy.interpolate.RectBivariateSpline through the points."""
    if s != 0 or tuple(bbox) != (None, None, None, None):
        unsupported("scipy.interpolate.RectBivariateSpline with smoothing or bbox", "s=0")
    along = make_interp_spline(x, z, kx)
    across = make_interp_spline(y, along.c.T, ky)
    return Surface(along.t, across.t, across.c.T, kx, ky)


def bisplev(x, y, tck, dx=0, dy=0):
    """scipy.interpolate.bisplev: at each x and each y, as an array of as many axes as there are several points along."""
    tx, ty, c, kx, ky = tck
    if not 0 <= dx < kx:
        raise ValueError(f"0 <= dx = {dx} < kx = {kx} must hold")
    if not 0 <= dy < ky:
        raise ValueError(f"0 <= dy = {dy} < ky = {ky} must hold")
    u, v = np.atleast_1d(np.asarray(x, np.float64)), np.atleast_1d(np.asarray(y, np.float64))
    if u.ndim != 1 or v.ndim != 1:
        raise ValueError("First two entries should be rank-1 arrays.")
    if np.any(u[1:] < u[:-1]) or np.any(v[1:] < v[:-1]):
        raise ValueError("Invalid input data")
    found = surface_from_outside(np.asarray(tx, np.float64), np.asarray(ty, np.float64), np.asarray(c, np.float64), kx, ky)(u, v, dx, dy)
    if u.shape[0] > 1:
        return found
    return found[0] if v.shape[0] > 1 else found[0, 0]


# ---- polynomials, grids, distances -------------------------------------------------------------------------------------------------


def newton(x, y):
    """The polynomial through points, by divided differences."""
    x, y = np.asarray(x, np.float64), np.asarray(y)
    c = y.astype(np.complex128 if y.dtype.kind == "c" else np.float64)
    n = x.shape[0]
    if n != c.shape[0]:
        raise ValueError("The length of the interpolation axis does not match the number of points")
    if np.any(np.diff(np.sort(x)) == 0):
        raise NotImplementedError("a polynomial through points of which two have the same x is not supported")
    ones = (1,) * (c.ndim - 1)
    for k in range(1, n):
        c = np.concatenate((c[:k], (c[k:] - c[k - 1 : n - 1]) / (x[k:] - x[: n - k]).reshape((-1, *ones))))
    return Newton(x, c)


def barycentric(xi, yi=None, axis=0, *, wi=None, rng=None, random_state=None):
    """scipy.interpolate.BarycentricInterpolator of values along the first axis."""
    if yi is None or axis != 0 or wi is not None:
        unsupported("scipy.interpolate.BarycentricInterpolator without yi, with weights or along another axis", "xi and yi")
    return newton(xi, yi)


def barycentric_interpolate(xi, yi, x, axis=0, *, der=0, rng=None):
    """scipy.interpolate.barycentric_interpolate."""
    if axis != 0 or der != 0:
        unsupported("scipy.interpolate.barycentric_interpolate(…, axis, der)", "axis=0, and s2s.grad")
    return newton(xi, yi)(x)


def krogh(xi, yi, axis=0):
    """scipy.interpolate.KroghInterpolator of values."""
    if axis != 0:
        unsupported("scipy.interpolate.KroghInterpolator along another axis", "np.moveaxis")
    return newton(xi, yi)


def krogh_interpolate(xi, yi, x, der=0, axis=0):
    """scipy.interpolate.krogh_interpolate of values."""
    if axis != 0 or der != 0:
        unsupported("scipy.interpolate.krogh_interpolate(…, axis, der)", "axis=0, and s2s.grad")
    return newton(xi, yi)(x)


def grid(points, values, method="linear", bounds_error=True, fill_value=np.nan, *, solver=None, solver_args=None):
    """scipy.interpolate.RegularGridInterpolator."""
    if method not in ("linear", "nearest", *_DEGREES_OF_GRIDS):
        unsupported(f"scipy.interpolate.RegularGridInterpolator by {method!r}", "method='linear', 'nearest', 'slinear', 'cubic' or 'quintic'")
    values = np.asarray(values)
    values = values if values.dtype.kind in "fc" else values.astype(np.float64)
    axes = [np.asarray(each, np.float64) for each in points]
    if len(axes) > values.ndim:
        raise ValueError(f"There are {len(axes)} point arrays, but values has {values.ndim} dimensions")
    for k in range(len(axes)):
        if axes[k].ndim != 1:
            raise ValueError(f"The points in dimension {k} must be 1-dimensional")
        if axes[k].shape[0] != values.shape[k]:
            raise ValueError(f"There are {axes[k].shape[0]} points and {values.shape[k]} values in dimension {k}")
        if axes[k][0] > axes[k][-1]:
            axes[k], values = axes[k][::-1], np.flip(values, k)
        if not np.all(np.diff(axes[k]) > 0):
            raise ValueError(f"The points in dimension {k} must be strictly ascending or descending")
    return Grid(axes, values, method, bounds_error, fill_value, _tensor(axes, values if values.dtype.kind == "c" else values.astype(np.float64), _DEGREES_OF_GRIDS[method]) if method in _DEGREES_OF_GRIDS else None)


_DEGREES_OF_GRIDS = {"slinear": 1, "cubic": 3, "quintic": 5}


def _tensor(axes, values, degree):
    """The product of splines through the values on a grid."""
    knots, c = [], values
    for axis in range(len(axes)):
        if axes[axis].shape[0] <= degree:
            raise ValueError(f"There are {axes[axis].shape[0]} points in dimension {axis}, but method needs at least {degree + 1} points per dimension.")
        found = make_interp_spline(axes[axis], np.moveaxis(c, axis, 0), degree)
        knots.append(found.t)
        c = np.moveaxis(found.c, 0, axis)
    return Tensor(knots, c, degree)


def nearest(x, y, rescale=False, tree_options=None):
    """scipy.interpolate.NearestNDInterpolator."""
    if rescale:
        unsupported("scipy.interpolate.NearestNDInterpolator(…, rescale=True)", "points in units of their own")
    points, values = np.asarray(x, np.float64), np.asarray(y)
    if points.ndim != 2:
        unsupported("scipy.interpolate.NearestNDInterpolator of other than a table of points", "np.stack(…, axis=-1)")
    if points.shape[0] != values.shape[0]:
        raise ValueError("different number of values and points")
    return Nearest(points, values)


def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    """scipy.interpolate.interpn."""
    at = np.stack(np.broadcast_arrays(*[np.asarray(each) for each in xi]), axis=-1) if isinstance(xi, tuple) else xi
    return grid(points, values, method, bounds_error, fill_value)(at)


_DEGREES = {"thin_plate_spline": 1, "linear": 0, "cubic": 1, "multiquadric": 0, "inverse_multiquadric": -1, "inverse_quadratic": -1, "gaussian": -1}
"""The least degrees of the polynomials beside radial functions."""


def rbf(y, d, neighbors=None, smoothing=0.0, kernel="thin_plate_spline", epsilon=None, degree=None):
    """scipy.interpolate.RBFInterpolator of all points at once."""
    if neighbors is not None or kernel not in _DEGREES or (degree is not None and degree not in (-1, 0, 1)):
        unsupported("scipy.interpolate.RBFInterpolator with neighbors, degree > 1 or by 'quintic'", "kernel='thin_plate_spline'")
    own = max(_DEGREES[kernel], 0) if degree is None else degree
    if epsilon is None and kernel not in ("thin_plate_spline", "linear", "cubic"):
        raise ValueError("`epsilon` must be specified if `kernel` is not one of {'linear', 'thin_plate_spline', 'cubic', 'quintic'}.")
    points, values = np.asarray(y, np.float64), np.asarray(d)
    if points.ndim != 2:
        raise ValueError("`y` must be a 2-dimensional array.")
    n = points.shape[0]
    if values.shape[0] != n:
        raise ValueError(f"Expected the first axis of `d` to have length {n}.")
    values = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    middle, width = (high + low) / 2, (high - low) / 2
    width = np.where(width == 0.0, 1.0, width)
    wide = 1.0 if epsilon is None else epsilon
    beside = monomials((points - middle) / width, own)
    count = beside.shape[1]
    system = np.block([[radial(points, points, kernel, wide) + smoothing * np.eye(n), beside], [beside.T, np.zeros((count, count))]])
    right = np.concatenate((values.reshape(n, -1), np.zeros((count, values.reshape(n, -1).shape[1]))))
    return Radial(points, np.linalg.solve(system, right), kernel, wide, own, middle, width, values.shape[1:])


SPLINES: dict[str, Any] = {
    f"scipy.interpolate.{name}": function for name, function in {
        "BSpline": bspline, "make_interp_spline": make_interp_spline, "splrep": splrep, "splprep": splprep, "splev": splev, "splint": splint, "splder": splder, "splantider": splantider, "make_lsq_spline": make_lsq_spline, "LSQUnivariateSpline": lsq_univariate, "NearestNDInterpolator": nearest, "InterpolatedUnivariateSpline": interpolated_spline, "UnivariateSpline": univariate_spline,
        "RectBivariateSpline": surface, "bisplev": bisplev, "BarycentricInterpolator": barycentric, "barycentric_interpolate": barycentric_interpolate, "KroghInterpolator": krogh, "krogh_interpolate": krogh_interpolate,
        "RegularGridInterpolator": grid, "interpn": interpn, "RBFInterpolator": rbf,
    }.items()
}  # fmt: skip
"""By qualified name."""
