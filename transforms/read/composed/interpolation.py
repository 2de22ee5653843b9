"""scipy.interpolate: piecewise polynomials through points of one variable.

Method: de Boor, A Practical Guide to Splines, IV; Fritsch and Butland 1984 for slopes that keep what is monotone; Akima 1970.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.interpolants import Pieces, Piecewise, are_numpys
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.splines import make_interp_spline, nearest
from s2s.transforms.read.composed.triangulations import linear


def _points(x, y, axis, least=2):
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype.kind == "c":
        raise ValueError("`x` must contain real values.")
    y = np.moveaxis(y, axis, 0)
    x = x.astype(np.float64)
    y = y.astype(np.complex128 if y.dtype.kind == "c" else np.float64)
    if x.ndim != 1:
        raise ValueError("`x` must be 1-dimensional.")
    if x.shape[0] < least:
        raise ValueError(f"`x` must contain at least {least} elements.")
    if x.shape[0] != y.shape[0]:
        raise ValueError(f"The length of `y` along `axis`={axis} doesn't match the length of `x`")
    if not np.all(np.isfinite(x)):
        raise ValueError("`x` must contain only finite values.")
    if not np.all(np.isfinite(y)):
        raise ValueError("`y` must contain only finite values.")
    steps = np.diff(x)
    if np.any(steps <= 0):
        raise ValueError("`x` must be strictly increasing sequence.")
    steps = steps.reshape((-1,) + (1,) * (y.ndim - 1))
    return x, y, steps, np.diff(y, axis=0) / steps


def _hermite(x, y, steps, rises, slopes, extrapolate, axis, name):
    """The cubics with these slopes at the points."""
    bend = (slopes[:-1] + slopes[1:] - 2 * rises) / steps
    c = np.stack((bend / steps, (rises - slopes[:-1]) / steps - bend, slopes[:-1], y[:-1]))
    return Piecewise(c, x, extrapolate, axis % y.ndim, name)


def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    """scipy.interpolate.CubicSpline."""
    x, y, steps, rises = _points(x, y, axis)
    ends = _ends(bc_type, y, axis)
    n = x.size
    if ends[0] == "periodic":
        slopes = np.concatenate((rises, rises)) if n == 2 else _closed_through_two(steps, rises) if n == 3 else _periodic_slopes(y, steps.ravel(), rises)
        return _hermite(x, y, steps, rises, slopes, "periodic" if extrapolate is None else extrapolate, axis, "CubicSpline")
    if n == 2:
        ends = tuple([(1, rises[0]) if isinstance(end, str) else end for end in ends])
    if n == 3 and ends == ("not-a-knot", "not-a-knot"):
        bend = (rises[1:] - rises[:1]) / (steps[1:] + steps[:1])
        slopes = np.concatenate((rises[:1] - bend * steps[:1], rises[:1] + bend * steps[:1], rises[1:] + bend * steps[1:]))
    else:
        slopes = _spline_slopes(y, steps, rises, ends)
    return _hermite(x, y, steps, rises, slopes, True if extrapolate is None else extrapolate, axis, "CubicSpline")


_NAMED_ENDS = {"clamped": 1, "natural": 2}
"""Ends whose derivative of this order is zero."""


def _ends(bc_type, y, axis):
    """What holds at both ends: "not-a-knot", "periodic", or the order of a derivative and what it is."""
    if isinstance(bc_type, str):
        if bc_type == "periodic" and np.any(np.abs(y[0] - y[-1]) > 1e-15 + 1e-15 * np.abs(y[-1])):
            raise ValueError(f"The first and last `y` point along axis {axis} must be identical (within machine precision) when bc_type='periodic'.")
        return _end_of(bc_type, y), _end_of(bc_type, y)
    if len(bc_type) != 2:
        raise ValueError("`bc_type` must contain 2 elements to specify start and end conditions.")
    first, last = bc_type
    if isinstance(first, str) and first == "periodic" or isinstance(last, str) and last == "periodic":
        raise ValueError("'periodic' `bc_type` is defined for both curve ends and cannot be used with other boundary conditions.")
    return _end_of(first, y), _end_of(last, y)


def _end_of(end, y):
    if isinstance(end, str):
        if end not in ("not-a-knot", "periodic", "clamped", "natural"):
            raise ValueError(f"bc_type={end} is not allowed.")
        return (_NAMED_ENDS[end], np.zeros_like(y[0])) if end in ("clamped", "natural") else end
    order, value = end
    if order not in (1, 2):
        raise ValueError("The specified derivative order must be 1 or 2.")
    value = np.asarray(value)
    if value.shape != y.shape[1:]:
        raise ValueError(f"`deriv_value` shape {value.shape} is not the expected one {y.shape[1:]}.")
    if value.dtype.kind == "c" and y.dtype.kind != "c":
        unsupported("scipy.interpolate.CubicSpline of real values with complex slopes at an end", "complex values")
    return order, value


def _closed_through_two(steps, rises):
    """The slope of a closed curve of two pieces, the same at all points."""
    slope = np.sum(rises / steps, axis=0, keepdims=True) / np.sum(1.0 / steps, axis=0, keepdims=True)
    return np.concatenate((slope, slope, slope))


def _periodic_slopes(y, h, rises):
    """The slopes at the points of a curve that is closed."""
    n = y.shape[0] - 1
    before = np.concatenate((h[-1:], h[:-1]))
    places = np.arange(n)
    system = np.zeros((n, n))
    system[places, places] = 2 * (before + h)
    system[places, places - 1] += h
    system[places, (places + 1) % n] += before
    ones = (-1,) + (1,) * (y.ndim - 1)
    right = 3 * (h.reshape(ones) * np.concatenate((rises[-1:], rises[:-1])) + before.reshape(ones) * rises)
    found = np.linalg.solve(system, right.reshape(n, -1)).reshape(right.shape)
    return np.concatenate((found, found[:1]))


def _spline_slopes(y, steps, rises, ends):
    """The slopes at the points for which the second derivative has no jumps: a tridiagonal system, by elimination."""
    n = y.shape[0]
    diagonal, slopes = np.empty(n), np.empty_like(y)
    h = steps.ravel()
    first, above, right = _end(ends[0], h[0], h[1 if n > 2 else 0], rises[0], rises[1 if n > 2 else 0], 1.0)
    last, below, left = _end(ends[1], h[-1], h[-2 if n > 2 else -1], rises[-1], rises[-2 if n > 2 else -1], -1.0)
    diagonal[0], slopes[0] = first, right
    upper = above
    for i in range(1, n - 1):
        factor = h[i] / diagonal[i - 1]
        diagonal[i] = 2 * (h[i - 1] + h[i]) - factor * upper
        slopes[i] = 3 * (h[i] * rises[i - 1] + h[i - 1] * rises[i]) - factor * slopes[i - 1]
        upper = h[i - 1]
    factor = below / diagonal[n - 2]
    slopes[n - 1] = (left - factor * slopes[n - 2]) / (last - factor * upper)
    for i in range(n - 2, -1, -1):
        above_here = above if i == 0 else h[i - 1]
        slopes[i] = (slopes[i] - above_here * slopes[i + 1]) / diagonal[i]
    return slopes


def _end(condition, h, next_, rise, next_rise, sign):
    """The row of an end: the factors of its own slope and of its neighbour's, and the right hand side."""
    if condition == "not-a-knot":
        both = h + next_
        return next_, both, ((h + 2 * both) * next_ * rise + h**2 * next_rise) / both
    order, value = condition
    if order == 1:
        return 1.0, 0.0, value + 0.0 * rise
    return 2 * h, h, 3 * h * rise - sign * 0.5 * value * h**2


def pchip(x, y, axis=0, extrapolate=None):
    """scipy.interpolate.PchipInterpolator."""
    x, y, steps, rises = _points(x, y, axis)
    if y.dtype.kind == "c":
        raise ValueError("`y` must contain real values.")
    if x.size == 2:
        return _hermite(x, y, steps, rises, np.concatenate((rises, rises)), True if extrapolate is None else extrapolate, axis, "PchipInterpolator")
    one, two = 2 * steps[1:] + steps[:-1], steps[1:] + 2 * steps[:-1]
    flat = (np.sign(rises[1:]) != np.sign(rises[:-1])) | (rises[1:] == 0) | (rises[:-1] == 0)
    left, right = np.where(flat, 1.0, rises[:-1]), np.where(flat, 1.0, rises[1:])
    inner = np.where(flat, 0.0, (one + two) / (one / left + two / right))
    first, last = _pchip_end(steps[0], steps[1], rises[0], rises[1]), _pchip_end(steps[-1], steps[-2], rises[-1], rises[-2])
    return _hermite(x, y, steps, rises, np.concatenate((first[None], inner, last[None])), True if extrapolate is None else extrapolate, axis, "PchipInterpolator")


def _pchip_end(h, next_, rise, next_rise):
    """Three points' slope at an end that keeps the shape."""
    slope = ((2 * h + next_) * rise - h * next_rise) / (h + next_)
    turned = np.sign(slope) != np.sign(rise)
    steep = (np.sign(rise) != np.sign(next_rise)) & (np.abs(slope) > 3.0 * np.abs(rise))
    return np.where(turned, 0.0, np.where(steep, 3.0 * rise, slope))


def akima(x, y, axis=0, *, method="akima", extrapolate=None):
    """scipy.interpolate.Akima1DInterpolator."""
    if method not in ("akima", "makima"):
        raise NotImplementedError(f"`method`={method} is unsupported.")
    x, y, steps, rises = _points(x, y, axis)
    if y.dtype.kind == "c":
        raise ValueError("`Akima1DInterpolator` only works with real values for `y`.")
    beyond = False if extrapolate is None else extrapolate
    if x.size == 2:
        return _hermite(x, y, steps, rises, np.concatenate((rises, rises)), beyond, axis, "Akima1DInterpolator")
    before, behind = 2.0 * rises[:1] - rises[1:2], 2.0 * rises[-1:] - rises[-2:-1]
    m = np.concatenate((2.0 * before - rises[:1], before, rises, behind, 2.0 * behind - rises[-1:]))
    turns = np.abs(np.diff(m, axis=0))
    if method == "makima":
        turns = turns + 0.5 * np.abs(m[1:] + m[:-1])
    weights = turns[2:] + turns[:-2]
    turned = weights > 1e-9 * np.max(weights)
    slopes = m[1:-2] + turns[:-2] / np.where(turned, weights, 1.0) * (m[2:-1] - m[1:-2])
    return _hermite(x, y, steps, rises, np.where(turned, slopes, 0.5 * (m[3:] + m[:-3])), beyond, axis, "Akima1DInterpolator")


def hermite(x, y, dydx, axis=0, extrapolate=None):
    """scipy.interpolate.CubicHermiteSpline."""
    x, y, steps, rises = _points(x, y, axis)
    slopes = np.moveaxis(np.asarray(dydx), axis, 0).astype(y.dtype)
    if slopes.shape != y.shape:
        raise ValueError("The shapes of `y` and `dydx` must be identical.")
    return _hermite(x, y, steps, rises, slopes, True if extrapolate is None else extrapolate, axis, "CubicHermiteSpline")


def polynomials(c, x, extrapolate=None, axis=0):
    """scipy.interpolate.PPoly."""
    c, x = np.asarray(c), np.asarray(x, np.float64)
    c = c.astype(np.complex128 if c.dtype.kind == "c" else np.float64)
    if axis != 0:
        unsupported("scipy.interpolate.PPoly along another axis than the first", "np.moveaxis of c")
    if c.ndim < 2 or x.ndim != 1 or c.shape[1] != x.shape[0] - 1:
        raise ValueError("c must have at least 2 dimensions, and as many polynomials as x has intervals")
    if np.any(np.diff(x) <= 0):
        raise NotImplementedError("scipy.interpolate.PPoly of breakpoints that do not increase is not supported")
    return Piecewise(c, x, True if extrapolate is None else extrapolate, 0)


def pchip_interpolate(xi, yi, x, der=0, axis=0):
    """scipy.interpolate.pchip_interpolate."""
    return pchip(xi, yi, axis)(x, der)


def interp1d(x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False):
    """scipy.interpolate.interp1d by lines, steps or splines."""
    degree = {"zero": 0, "quadratic": 2, "cubic": 3}.get(kind, -1) if isinstance(kind, str) else kind
    if degree in (0, 1):
        kind = ("zero", "slinear")[degree]
    if degree < 2 and kind not in ("zero", "linear", "slinear", "nearest", "nearest-up", "previous", "next"):
        unsupported(f"scipy.interpolate.interp1d(…, kind={kind!r})", "kind='linear', or 'cubic'")
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype.kind == "c":
        unsupported("scipy.interpolate.interp1d of complex x", "x.real")
    if y.dtype.kind not in "fc":
        y = y.astype(np.float64)
    if x.ndim != 1:
        raise ValueError("the x array must have exactly one dimension.")
    if y.ndim == 0:
        raise ValueError("the y array must have at least one dimension.")
    rows = np.moveaxis(y, axis, 0)
    if rows.shape[0] != x.shape[0]:
        raise ValueError(f"x and y arrays must be equal in length along interpolation axis (dimension {axis}).")
    least = degree + 1 if degree > 1 else 2 if kind in ("linear", "slinear") else 1
    if x.shape[0] < least:
        raise ValueError(f"x and y arrays must have at least {least} entries")
    if not assume_sorted:
        order = np.argsort(x, kind="stable")
        x, rows = x[order], rows[order]
    beyond = isinstance(fill_value, str)
    if beyond and fill_value != "extrapolate":
        raise ValueError(f"fill_value must be a number, two numbers or 'extrapolate', not {fill_value!r}")
    if beyond and bounds_error is True:
        raise ValueError("Cannot extrapolate and raise at the same time.")
    outside = ("fails" if bounds_error is None or bounds_error else "filled") if not beyond else "extrapolated"
    pair = fill_value if isinstance(fill_value, tuple) else (fill_value, fill_value)
    if not beyond and (np.ndim(pair[0]) > 0 or np.ndim(pair[1]) > 0):
        unsupported("scipy.interpolate.interp1d(…, fill_value=…) of arrays", "numbers: (below, above)")
    numpys = kind == "linear" and not beyond and are_numpys(x, y)
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    return Pieces(x, rows, kind, axis % y.ndim, outside, pair, make_interp_spline(x, rows, degree) if degree > 1 or degree == 0 else None, numpys)


def griddata(points, values, xi, method="linear", fill_value=np.nan, rescale=False):
    """scipy.interpolate.griddata of one variable, of two by planes, or of the nearest point."""
    if np.ndim(points) == 1 or isinstance(points, tuple) and len(points) == 1 or np.ndim(points) == 2 and np.shape(points)[1] == 1:
        x = np.ravel(np.asarray(points))
        order = np.argsort(x, kind="stable")
        outside = "extrapolate" if method == "nearest" else fill_value
        return interp1d(x[order], np.asarray(values)[order], kind=method, axis=0, bounds_error=False, fill_value=outside)(xi[0] if isinstance(xi, tuple) else xi)
    if method == "linear":
        planes = linear(points, values, fill_value, rescale)
        return planes(*xi) if isinstance(xi, tuple) else planes(xi)
    if method != "nearest":
        unsupported(f"scipy.interpolate.griddata(…, method={method!r}) of several variables", "method='linear' or 'nearest', or scipy.interpolate.RBFInterpolator")
    at = np.stack(np.broadcast_arrays(*points), axis=-1) if isinstance(points, tuple) else points
    numbers = np.asarray(values)
    found = nearest(at, numbers if numbers.dtype.kind in "fc" else numbers.astype(np.float64), rescale)
    return found(*xi) if isinstance(xi, tuple) else found(xi)


INTERPOLATION: dict[str, Any] = {
    f"scipy.interpolate.{name}": function for name, function in {
        "CubicSpline": cubic_spline, "PchipInterpolator": pchip, "interp1d": interp1d, "griddata": griddata, "Akima1DInterpolator": akima, "CubicHermiteSpline": hermite, "PPoly": polynomials, "pchip_interpolate": pchip_interpolate,
    }.items()
}  # fmt: skip
"""By qualified name."""
