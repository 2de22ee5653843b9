"""What scipy.interpolate's functions give. These classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.piecewise_roots import piecewise_roots


class Piecewise:
    """Polynomials between points: row k of `c` belongs to the power c.shape[0] - 1 - k of the distance from the point before."""

    def __init__(self, c, x, extrapolate, axis, name="PPoly"):
        self.c, self.x, self.extrapolate, self.axis, self.name = c, x, extrapolate, axis, name

    def __given_back__(self):
        """SciPy's own object of the class that made it."""
        import scipy.interpolate

        return getattr(scipy.interpolate, self.name).construct_fast(self.c, self.x, self.extrapolate, self.axis)

    def __call__(self, x, nu=0, extrapolate=None):
        if nu < 0:
            raise ValueError("Order of derivative cannot be negative")
        c = _derived(self.c, nu)
        at = np.asarray(x)
        if at.dtype.kind == "c":
            unsupported(f"a scipy.interpolate.{self.name} at complex numbers", "their real part")
        flat = at.ravel()
        beyond = self.extrapolate if extrapolate is None else extrapolate
        if beyond == "periodic":
            flat = self.x[0] + np.mod(flat - self.x[0], self.x[-1] - self.x[0])
        place = np.clip(np.searchsorted(self.x, flat, side="right") - 1, 0, self.x.size - 2)
        distance = (flat - self.x[place]).reshape(flat.shape + (1,) * (c.ndim - 2))
        found = c[0][place]
        for row in range(1, c.shape[0]):
            found = found * distance + c[row][place]
        outside = ((flat < self.x[0]) | (flat > self.x[-1])) & (not beyond)
        if not beyond or c.shape[0] == 1:  # a constant is nan at nan, too
            found = np.where((outside | np.isnan(flat)).reshape(flat.shape + (1,) * (c.ndim - 2)), np.nan, found)
        return at_axis(found.reshape(at.shape + c.shape[2:]), at.ndim, self.axis)

    def __getattr__(self, name):
        unsupported(f"{name} of a piecewise polynomial", "its values, derivative, antiderivative, integrate, roots, solve, c and x")

    def derivative(self, nu=1):
        """The polynomials of the derivative."""
        if nu < 0:
            return self.antiderivative(-nu)
        return Piecewise(_derived(self.c, nu), self.x, self.extrapolate, self.axis, self.name)

    def antiderivative(self, nu=1):
        """The polynomials of an integral that is 0 at the first point."""
        if nu <= 0:
            return self.derivative(-nu)
        c = self.c
        for _ in range(nu):
            c = _integrated(c, self.x)
        return Piecewise(c, self.x, False if self.extrapolate == "periodic" else self.extrapolate, self.axis, self.name)

    def integrate(self, a, b, extrapolate=None):
        """The integral from a to b."""
        beyond = self.extrapolate if extrapolate is None else extrapolate
        whole = Piecewise(_integrated(self.c, self.x), self.x, beyond != "periodic" and beyond, 0, self.name)
        if beyond != "periodic":
            return np.asarray((whole(b) - whole(a)).reshape(self.c.shape[2:]))
        first, period = self.x[0], self.x[-1] - self.x[0]
        turns_a, turns_b = np.floor((a - first) / period), np.floor((b - first) / period)
        between = whole(b - turns_b * period, 0, True) - whole(a - turns_a * period, 0, True)
        return np.asarray((between + (turns_b - turns_a) * whole(self.x[-1])).reshape(self.c.shape[2:]))

    def solve(self, y=0.0, discontinuity=True, extrapolate=None):
        """Where the polynomials are y, in order; where one is y everywhere, its beginning and nan."""
        if self.c.ndim != 2 or self.c.dtype.kind == "c":
            unsupported("roots of piecewise polynomials of several values, or of complex ones", "an interpolant of each real value")
        beyond = self.extrapolate if extrapolate is None else extrapolate  # "periodic" is a yes for SciPy, too
        return piecewise_roots(self.c, self.x, y, discontinuity, beyond)

    def roots(self, discontinuity=True, extrapolate=None):
        """Where the polynomials are zero."""
        return self.solve(0.0, discontinuity, extrapolate)


def at_axis(found, points, axis):
    """With the axes of the points where the interpolated axis was."""
    return found if axis == 0 else np.moveaxis(found, tuple(range(points)), tuple(range(axis, axis + points)))


def _derived(c, nu):
    for _ in range(nu):
        if c.shape[0] == 1:
            return np.zeros_like(c)
        powers = np.arange(c.shape[0] - 1, 0, -1, dtype=np.float64)
        c = c[:-1] * powers.reshape((-1,) + (1,) * (c.ndim - 1))
    return c


def _integrated(c, x):
    """Of the same distance variable; the constants make it continuous."""
    powers = np.arange(c.shape[0], 0, -1, dtype=np.float64)
    grown = c / powers.reshape((-1,) + (1,) * (c.ndim - 1))
    steps = np.diff(x).reshape((-1,) + (1,) * (c.ndim - 2))
    areas = grown[0] * steps
    for row in range(1, c.shape[0]):
        areas = (areas + grown[row]) * steps
    constants = np.concatenate((np.zeros_like(areas[:1]), np.cumsum(areas[:-1], axis=0)))
    return np.concatenate((grown, constants[None]))


def piecewise_from_outside(name, c, x, extrapolate, axis):
    """Polynomials of a class that were made outside, of their attributes."""
    return Piecewise(c, x, extrapolate, axis, name)


def are_numpys(x, y):
    """Whether SciPy hands lines between such points to np.interp."""
    return y.ndim == 1 and y.dtype == np.float64 and x.dtype in (np.float64, np.int64)


class Pieces:
    """Lines between points, or steps: what interp1d gives. `rows`: the values along their first axis, which was `axis`. `numpys`: whether the lines are np.interp's, to which nan beside a point is nothing."""

    def __init__(self, x, rows, kind, axis, outside, fill, spline=None, numpys=False):
        self.x, self.rows, self.kind, self.axis, self.outside, self.fill, self.spline, self.numpys = x, rows, kind, axis, outside, fill, spline, numpys

    def __given_back__(self):
        """SciPy's own object."""
        import scipy.interpolate

        fill = "extrapolate" if self.outside == "extrapolated" else tuple(self.fill) if self.outside == "filled" else np.nan
        return scipy.interpolate.interp1d(self.x, np.moveaxis(self.rows, 0, self.axis), self.kind, self.axis, bounds_error=self.outside == "fails", fill_value=fill, assume_sorted=True)

    def __call__(self, x):
        at = np.asarray(x)
        if at.dtype.kind == "c":
            unsupported("an interpolant at complex points", "their real parts")
        flat = at.ravel() if at.dtype.kind == "f" else at.ravel().astype(np.float64)
        low, high = flat < self.x[0], flat > self.x[-1]
        if self.outside == "fails":
            for k in range(flat.shape[0]):
                if low[k]:
                    raise ValueError(f"A value ({flat[k]}) in x_new is below the interpolation range's minimum value ({self.x[0]}).")
            for k in range(flat.shape[0]):
                if high[k]:
                    raise ValueError(f"A value ({flat[k]}) in x_new is above the interpolation range's maximum value ({self.x[-1]}).")
        ones = (1,) * (self.rows.ndim - 1)
        found = self._found(flat, ones)
        if self.outside == "extrapolated" and self.kind in ("previous", "next"):  # nothing comes before the first, or behind the last
            found = np.where((low if self.kind == "previous" else high).reshape(-1, *ones), np.nan, found).astype(found.dtype)
        if self.outside == "filled":
            found = np.where(low.reshape(-1, *ones), self.fill[0], np.where(high.reshape(-1, *ones), self.fill[1], found)).astype(found.dtype)
        found = found.reshape(at.shape + self.rows.shape[1:])
        return np.moveaxis(found, tuple(range(at.ndim)), tuple(range(self.axis, self.axis + at.ndim)))

    def _found(self, flat, ones):
        if self.spline is not None:
            return self.spline(flat)
        if self.numpys:
            return np.interp(flat, self.x, self.rows)
        n = self.x.shape[0]
        if self.kind in ("linear", "slinear"):
            place = np.clip(np.searchsorted(self.x, flat), 1, n - 1)
            before, behind = self.x[place - 1], self.x[place]
            rows = self.rows.astype(np.result_type(self.rows, np.float64)) if self.kind == "slinear" else self.rows
            slope = (rows[place] - rows[place - 1]) / (behind - before).reshape(-1, *ones)
            return slope * (flat - before).reshape(-1, *ones) + rows[place - 1]
        if self.kind in ("nearest", "nearest-up"):
            middles = self.x[1:] / 2.0 + self.x[:-1] / 2.0
            return self.rows[np.clip(np.searchsorted(middles, flat, side="left" if self.kind == "nearest" else "right"), 0, n - 1)] + 0.0
        if self.kind == "previous":
            return self.rows[np.clip(np.searchsorted(self.x, flat, side="right") - 1, 0, n - 1)] + 0.0
        return self.rows[np.clip(np.searchsorted(self.x, flat, side="left"), 0, n - 1)] + 0.0


def lines_from_outside(x, y, kind, axis, bounds_error, extrapolate, below, above, spline):
    """An interp1d that was made outside, of its attributes."""
    rows = np.moveaxis(y, axis, 0)
    outside = "extrapolated" if extrapolate else "fails" if bounds_error else "filled"
    numpys = kind == "linear" and not extrapolate and are_numpys(x, y)
    return Pieces(x if x.dtype.kind == "f" else x.astype(np.float64), rows, kind, axis % y.ndim, outside, (below, above), spline, numpys)


class Solution:
    """scipy.integrate.OdeSolution: the polynomials between the steps' ends `ts`. `rows`: for each power the coefficients of each step."""

    def __init__(self, ts, starts, rows, forward):
        self.ts, self.starts, self.rows, self.forward = ts, starts, rows, forward
        self.t_min, self.t_max = (ts[0], ts[-1]) if forward else (ts[-1], ts[0])

    def __given_back__(self):
        """SciPy's own object, of polynomials as its Runge-Kutta methods have them."""
        from scipy.integrate import OdeSolution
        from scipy.integrate._ivp.rk import RkDenseOutput

        ends = list(zip(self.ts, self.ts[1:], strict=False))
        parts = [np.stack([row[k] for row in self.rows], axis=1) / (ends[k][1] - ends[k][0]) for k in range(len(ends))]
        return OdeSolution(self.ts, [RkDenseOutput(*ends[k], self.starts[k], parts[k]) for k in range(len(ends))])

    def __call__(self, t):
        at = np.asarray(t)
        if at.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        flat = np.atleast_1d(at).astype(np.float64)
        last = self.ts.shape[0] - 2
        if self.forward:
            place = np.clip(np.searchsorted(self.ts, flat, side="left") - 1, 0, last)
        else:
            place = last - np.clip(np.searchsorted(self.ts[::-1], flat, side="right") - 1, 0, last)
        part = ((flat - self.ts[place]) / (self.ts[place + 1] - self.ts[place]))[:, np.newaxis]
        found = self.rows[-1][place]
        for row in self.rows[-2::-1]:
            found = found * part + row[place]
        found = (found * part + self.starts[place]).T
        return found[:, 0] if at.ndim == 0 else found
