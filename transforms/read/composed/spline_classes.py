"""What scipy.interpolate's splines and interpolants of several variables are. These classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.interpolants import at_axis
from s2s.transforms.read.composed.marks import constant, unsupported


def between(t, k, n, x):
    """Between which knots points lie."""
    return np.clip(np.searchsorted(t, x, side="right") - 1, k, n - 1)


def by_de_boor(t, k, parts, place, x, ones):
    """The spline at points, of the k + 1 coefficients that count there (de Boor's algorithm)."""
    parts = [*parts]
    if k == 0:
        return parts[0]
    empty = t[place] == t[place + 1]  # the first or the last knots, where there are more than k + 1 of them: to SciPy all is 0 beyond
    gap = 1.0 * empty
    for r in range(1, k + 1):
        for j in range(k, r - 1, -1):
            low, high = t[place + (j - k)], t[place + (j + 1 - r)]
            share = ((x - low) / (high - low + gap)).reshape(x.shape + ones)
            parts[j] = (1.0 - share) * parts[j - 1] + share * parts[j]
    return np.where(empty.reshape(x.shape + ones), 0.0, parts[k])


class BSpline:
    """scipy.interpolate.BSpline: coefficients `c` along the first axis, knots `t`, degree `k`."""

    def __init__(self, t, c, k, extrapolate, axis):
        self.t, self.c, self.k, self.extrapolate, self.axis = t, c, k, extrapolate, axis

    def __given_back__(self):
        """SciPy's own object."""
        import scipy.interpolate

        return scipy.interpolate.BSpline.construct_fast(self.t, self.c, self.k, self.extrapolate, self.axis)

    def __call__(self, x, nu=0, extrapolate=None):
        beyond = self.extrapolate if extrapolate is None else extrapolate
        own = self.derivative(nu) if nu > 0 else self
        at = np.asarray(x)
        flat = at.ravel().astype(np.float64)
        n = own.t.shape[0] - own.k - 1
        first, last = own.t[own.k], own.t[n]
        if beyond == "periodic":
            flat = first + np.mod(flat - first, last - first)
        place = between(own.t, own.k, n, flat)
        ones = (1,) * (own.c.ndim - 1)
        found = by_de_boor(own.t, own.k, [own.c[place + (j - own.k)] for j in range(own.k + 1)], place, flat, ones)
        outside = ((flat < first) | (flat > last)) & (not beyond)
        if not beyond or own.k == 0:  # a constant is nan at nan, too
            found = np.where((outside | np.isnan(flat)).reshape(flat.shape + ones), np.nan, found)
        return at_axis(found.reshape(at.shape + own.c.shape[1:]), at.ndim, self.axis)

    @property
    def tck(self):
        """Knots, coefficients and degree."""
        return self.t, self.c, self.k

    def derivative(self, nu=1):
        """The spline of the derivative."""
        if nu == 0:
            return self
        t, c, k = self.t, self.c, self.k
        if k == 0:
            raise ValueError(f"Order of derivative (n = {nu}) must be <= order of spline (k = 0)")
        n = t.shape[0] - k - 1
        steps = (t[k + 1 : n + k] - t[1:n]).reshape((-1,) + (1,) * (c.ndim - 1))
        if np.any(steps == 0):
            raise ValueError("The spline has internal repeated knots and is not differentiable")
        c = np.concatenate(((c[1:n] - c[: n - 1]) * k / steps, np.zeros((k, *c.shape[1:]), c.dtype)))
        return BSpline(t[1:-1], c, k - 1, self.extrapolate, self.axis).derivative(nu - 1)

    def antiderivative(self, nu=1):
        """The spline of an integral that is 0 at the first knot."""
        if nu == 0:
            return self
        t, c, k = self.t, self.c, self.k
        n = t.shape[0] - k - 1
        steps = (t[k + 1 :] - t[:n]).reshape((-1,) + (1,) * (c.ndim - 1))
        sums = np.cumsum(c[:n] * steps, axis=0) / (k + 1)
        c = np.concatenate((np.zeros_like(sums[:1]), sums, *[sums[-1:]] * (k + 2)))
        return BSpline(np.concatenate((t[:1], t, t[-1:])), c, k + 1, self.extrapolate, self.axis).antiderivative(nu - 1)

    def integrate(self, a, b, extrapolate=None):
        """The integral from a to b."""
        if self.extrapolate == "periodic" or extrapolate is not None or not self.extrapolate:
            unsupported("the integral of a spline that is periodic or ends", "its antiderivative")
        whole = self.antiderivative()
        return np.asarray(whole(b) - whole(a))

    def __getattr__(self, name):
        unsupported(f"{name} of a spline", "its values, derivative, antiderivative, integrate, t, c and k")

    def integral(self, a, b):
        """The integral from a to b of a spline that is 0 outside of its knots."""
        n, whole = self.t.shape[0] - self.k - 1, self.antiderivative()
        first, last = self.t[self.k], self.t[n]
        return whole(np.clip(b, first, last)) - whole(np.clip(a, first, last))


class Univariate:
    """scipy.interpolate.UnivariateSpline: a spline of one variable, and what it is outside of its knots (`ext`)."""

    def __init__(self, t, c, k, ext, left=None):
        self.spline, self.ext, self.left = BSpline(t, c, k, True, 0), ext, left

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.interpolate.UnivariateSpline", "its values, derivative, antiderivative, integral, get_knots, get_coeffs and get_residual")

    def __call__(self, x, nu=0, ext=None):
        return evaluated(self.spline, x, nu, self.ext if ext is None else ext)

    def derivative(self, n=1):
        """The spline of the derivative."""
        found = self.spline.derivative(n)
        return Univariate(found.t, found.c, found.k, 1 if self.ext in (3, "const") else self.ext)

    def antiderivative(self, n=1):
        """The spline of an integral that is 0 at the first knot."""
        found = self.spline.antiderivative(n)
        return Univariate(found.t, found.c, found.k, self.ext)

    def derivatives(self, x):
        """All derivatives at a point."""
        return np.stack([self.spline(x, nu) for nu in range(self.spline.k + 1)])

    def integral(self, a, b):
        """The integral from a to b of a spline that is 0 outside of its knots."""
        return float(self.spline.integral(a, b))

    def roots(self):
        """The zeros between the outer knots of a cubic spline."""
        import scipy.interpolate

        if self.spline.k != 3:
            raise NotImplementedError("finding roots unsupported for non-cubic splines")
        return scipy.interpolate.sproot((self.spline.t, self.spline.c, 3), 3 * (self.spline.t.shape[0] - 7))

    def get_knots(self):
        """The inner knots, and both ends."""
        k, t = self.spline.k, self.spline.t
        return t[k : t.shape[0] - k]

    def get_residual(self):
        """The weighted sum of squares that is left of the samples."""
        if self.left is None:
            unsupported("get_residual of a scipy.interpolate.UnivariateSpline that does not smooth samples", "the sum of squares of its values less the samples")
        return float(self.left)

    def get_coeffs(self):
        """The coefficients that count."""
        k, t = self.spline.k, self.spline.t
        return self.spline.c[: t.shape[0] - k - 1]


def evaluated(spline, x, nu, ext):
    """A spline at points, FITPACK's way: `ext` says what it is outside of its knots."""
    how = {0: 0, 1: 1, 2: 2, 3: 3, "extrapolate": 0, "zeros": 1, "raise": 2, "const": 3}[ext]
    how = 0 if how == 3 and nu > 0 else how  # FITPACK's splder goes on as it is
    at, k = np.asarray(x), spline.k
    first, last = spline.t[k], spline.t[spline.t.shape[0] - k - 1]
    outside = (at < first) | (at > last)
    if how == 2 and np.any(outside):
        raise ValueError("Invalid input data")
    found = spline(np.clip(at, first, last) if how == 3 else at, nu)
    return np.where(outside, 0.0, found) if how == 1 else found


class Surface:
    """scipy.interpolate.RectBivariateSpline: splines of one variable whose coefficients are splines of another."""

    def __init__(self, tx, ty, c, kx, ky):
        self.tx, self.ty, self.c, self.kx, self.ky = tx, ty, c, kx, ky

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.interpolate.RectBivariateSpline", "its values, ev, integral, and dx and dy")

    def __call__(self, x, y, dx=0, dy=0, grid=True):
        if not grid:
            return self.ev(x, y, dx, dy)
        if dx or dy:
            return self._derived(dx, dy)(self._inside(x, self.tx, self.kx), self._inside(y, self.ty, self.ky))
        along = BSpline(self.tx, self.c, self.kx, True, 0)(self._inside(x, self.tx, self.kx))
        return np.atleast_2d(BSpline(self.ty, np.atleast_2d(along).T, self.ky, True, 0)(self._inside(y, self.ty, self.ky)).T)

    def ev(self, xi, yi, dx=0, dy=0):
        """At points."""
        if dx or dy:
            x, y = np.broadcast_arrays(np.asarray(xi, np.float64), np.asarray(yi, np.float64))
            return self._derived(dx, dy).ev(self._inside(x, self.tx, self.kx).reshape(x.shape), self._inside(y, self.ty, self.ky).reshape(y.shape))
        x, y = np.broadcast_arrays(np.asarray(xi, np.float64), np.asarray(yi, np.float64))
        u, v = self._inside(x.ravel(), self.tx, self.kx), self._inside(y.ravel(), self.ty, self.ky)
        rows = BSpline(self.tx, self.c, self.kx, True, 0)(u)
        place = between(self.ty, self.ky, self.c.shape[1], v)
        points = np.arange(v.shape[0])
        return by_de_boor(self.ty, self.ky, [rows[points, place + (j - self.ky)] for j in range(self.ky + 1)], place, v, ()).reshape(x.shape)

    def integral(self, xa, xb, ya, yb):
        """The integral over a rectangle of a surface that is 0 outside of its knots."""
        along = BSpline(self.tx, self.c, self.kx, True, 0).integral(xa, xb)
        return BSpline(self.ty, along, self.ky, True, 0).integral(ya, yb)

    def _derived(self, dx, dy):
        along = BSpline(self.tx, self.c, self.kx, True, 0).derivative(dx)
        across = BSpline(self.ty, along.c[: along.t.shape[0] - along.k - 1].T, self.ky, True, 0).derivative(dy)
        return Surface(along.t, across.t, across.c[: across.t.shape[0] - across.k - 1].T, along.k, across.k)

    def _inside(self, x, t, k):
        return np.clip(np.atleast_1d(np.asarray(x, np.float64)), t[k], t[t.shape[0] - k - 1])


def basis(t, k, place, x):
    """The k + 1 B-splines that are not zero at points."""
    values = [np.ones_like(x)]
    for degree in range(1, k + 1):
        carried, following = np.zeros_like(x), []
        for r in range(degree):
            right, left = t[place + (r + 1)] - x, x - t[place + (1 - degree + r)]
            part = values[r] / (right + left)
            following.append(carried + right * part)
            carried = left * part
        values = [*following, carried]
    return values


class Tensor:
    """scipy.interpolate.NdBSpline: products of splines of each variable."""

    def __init__(self, t, c, k):
        self.t, self.c, self.k = t, c, (k,) * len(t) if isinstance(k, int) else tuple([int(each) for each in k])

    def at(self, flat):
        """At points, by their coordinates."""
        count, rest = len(flat), self.c.ndim - len(flat)
        places, weights = [], []
        for axis in range(count):
            t, k, x = self.t[axis], self.k[axis], flat[axis]
            place = between(t, k, t.shape[0] - k - 1, x)
            ones = (1,) * axis + (k + 1,) + (1,) * (count - 1 - axis) + (-1,)
            places.append((place + np.arange(-k, 1)[:, np.newaxis]).reshape(ones))
            weights.append(np.stack(basis(t, k, place, x)).reshape(ones + (1,) * rest))
        total = self.c[tuple(places)]
        for weight in weights:
            total = total * weight
        return np.sum(total, axis=tuple(range(count)))


class Planes:
    """scipy.interpolate.LinearNDInterpolator of two variables: a plane over each triangle, whose corners are numbers of points (-1: there are no more)."""

    def __init__(self, points, values, corners, fill_value):
        self.points, self.values, self.corners, self.fill_value = points, values, corners, fill_value

    def __getattr__(self, name):
        unsupported(f"{name} of an interpolant of several variables", "its values")

    def __call__(self, *args):
        at, shape = rows_of_points(args)
        if at.shape[1] != 2:
            raise ValueError(f"number of dimensions in xi does not match x: {at.shape[1]} and 2")
        place = self._triangles(constant(self.points), constant(at))
        own = self.corners[np.maximum(place, 0)]
        ones = (1,) * (self.values.ndim - 1)
        second, third, _ = shares(self.points[own[:, 0]], self.points[own[:, 1]], self.points[own[:, 2]], at)
        second, third = second.reshape(second.shape + ones), third.reshape(third.shape + ones)
        found = (1.0 - second - third) * self.values[own[:, 0]] + second * self.values[own[:, 1]] + third * self.values[own[:, 2]]
        inside = (place >= 0).reshape(place.shape + ones)
        return np.where(inside, found, self.fill_value).reshape(shape + self.values.shape[1:])

    def _triangles(self, points, at):
        """In which triangle each point is, -1 where in none."""
        found, slack = np.full(at.shape[0], -1), 100 * np.finfo(np.float64).eps
        for k in range(self.corners.shape[0]):
            if self.corners[k, 0] < 0:
                break
            a, b, c = points[self.corners[k, 0]], points[self.corners[k, 1]], points[self.corners[k, 2]]
            second, third, wide = shares(a[np.newaxis], b[np.newaxis], c[np.newaxis], at)
            inside = wide & (second >= -slack) & (third >= -slack) & (1.0 - second - third >= -slack)
            found = np.where(inside & (found < 0), k, found)
        return found


def shares(a, b, c, at):
    """What part of a point in a triangle the second and the third corner have, and whether the triangle has an area."""
    one, two, own = b - a, c - a, at - a
    area = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    wide = np.abs(area) > 1e-13 * np.sqrt(np.sum(one**2, axis=1) * np.sum(two**2, axis=1))
    area = np.where(wide, area, 1.0)
    return (own[:, 0] * two[:, 1] - own[:, 1] * two[:, 0]) / area, (one[:, 0] * own[:, 1] - one[:, 1] * own[:, 0]) / area, wide


def rows_of_points(args):
    """Points that are given as coordinates or as rows, as rows, and their shape."""
    if len(args) > 1:
        columns = np.broadcast_arrays(*args)
        return np.stack([np.ravel(each) for each in columns], axis=-1).astype(np.float64), columns[0].shape
    at = np.asarray(args[0])
    return at.reshape(-1, at.shape[-1]).astype(np.float64), at.shape[:-1]


class Nearest:
    """scipy.interpolate.NearestNDInterpolator: the value of the nearest point."""

    def __init__(self, points, values):
        self.points, self.values = points, values

    def __call__(self, *args):
        if len(args) > 1:
            columns = np.broadcast_arrays(*args)
            at = np.stack([np.ravel(each) for each in columns], axis=-1)
            shape = columns[0].shape
        else:
            at = np.asarray(args[0])
            shape = at.shape[:-1]
            at = at.reshape(-1, at.shape[-1])
        found = np.zeros(at.shape[0], np.int64)
        for k in range(at.shape[0]):
            found[k] = np.argmin(np.sum((self.points - at[k]) ** 2, axis=1))
        return self.values[found].reshape(shape + self.values.shape[1:])


class Newton:
    """The polynomial through points, in Newton's form: what BarycentricInterpolator and KroghInterpolator give."""

    def __init__(self, x, c):
        self.x, self.c = x, c

    def __getattr__(self, name):
        unsupported(f"{name} of a polynomial through points", "its values, and s2s.grad of them")

    def __call__(self, x):
        at = np.asarray(x)
        flat = at.ravel()
        ones = (1,) * (self.c.ndim - 1)
        n = self.x.shape[0]
        found = np.zeros(flat.shape + self.c.shape[1:], self.c.dtype) + self.c[n - 1]
        for k in range(n - 2, -1, -1):
            found = found * (flat - self.x[k]).reshape(flat.shape + ones) + self.c[k]
        return found.reshape(at.shape + self.c.shape[1:])


class Grid:
    """scipy.interpolate.RegularGridInterpolator by products of lines or of splines, or the nearest point."""

    def __init__(self, grid, values, method, bounds_error, fill_value, spline=None):
        self.grid, self.values, self.method, self.bounds_error, self.fill_value, self.spline = grid, values, method, bounds_error, fill_value, spline

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.interpolate.RegularGridInterpolator", "its values, grid and method")

    def __call__(self, xi, method=None):
        how = self.method if method is None else method
        if how not in ("linear", "nearest") and (self.spline is None or how != self.method):
            unsupported(f"scipy.interpolate.RegularGridInterpolator by {how!r}", "method='linear', 'nearest', 'slinear', 'cubic' or 'quintic'")
        count = len(self.grid)
        if isinstance(xi, tuple):
            columns = np.broadcast_arrays(*[np.asarray(each, np.float64) for each in xi])
        else:
            points = np.asarray(xi, np.float64)
            if points.ndim == 1 and count == 1:
                points = points[:, np.newaxis]
            if points.shape[-1] != count:
                raise ValueError(f"The requested sample points xi have dimension {points.shape[-1]}, but this RegularGridInterpolator has dimension {count}")
            columns = [points[..., k] for k in range(count)]
        shape = columns[0].shape if columns[0].ndim > 0 or isinstance(xi, tuple) else (1,)
        flat = [each.ravel() for each in columns]
        outside, undefined = np.zeros(flat[0].shape, bool), np.zeros(flat[0].shape, bool)
        for k in range(count):
            beyond = (flat[k] < self.grid[k][0]) | (flat[k] > self.grid[k][-1])
            if self.bounds_error and np.any(beyond | np.isnan(flat[k])):
                raise ValueError(f"One of the requested xi is out of bounds in dimension {k}")
            outside, undefined = outside | beyond, undefined | np.isnan(flat[k])
        ones = (1,) * (self.values.ndim - count)
        found = self._found(flat, how, ones)
        if not self.bounds_error and self.fill_value is not None:
            found = np.where(outside.reshape(outside.shape + ones), self.fill_value, found).astype(found.dtype)
        found = np.where(undefined.reshape(undefined.shape + ones), np.nan, found).astype(found.dtype)
        return found.reshape(shape + self.values.shape[count:])

    def _found(self, flat, how, ones):
        if how not in ("linear", "nearest"):
            return self.spline.at(flat)
        places, parts = [], []
        for x, grid in zip(flat, self.grid, strict=True):
            place = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, grid.shape[0] - 2)
            places.append(place)
            parts.append((x - grid[place]) / (grid[place + 1] - grid[place]))
        if how == "nearest":
            return self.values[tuple([np.where(part <= 0.5, place, place + 1) for place, part in zip(places, parts, strict=True)])]
        found = np.zeros(flat[0].shape + self.values.shape[len(flat) :], self.values.dtype)
        for corner in np.ndindex((2,) * len(flat)):
            weight = np.ones(flat[0].shape)
            for side, part in zip(corner, parts, strict=True):
                weight = weight * (part if side else 1.0 - part)
            found = found + weight.reshape(weight.shape + ones) * self.values[tuple([place + side for place, side in zip(places, corner, strict=True)])]
        return found


class Radial:
    """scipy.interpolate.RBFInterpolator: sums of a function of the distances, and a polynomial."""

    def __init__(self, y, coefficients, kernel, epsilon, degree, middle, width, shape):
        self.y, self.coefficients, self.kernel, self.epsilon, self.degree, self.middle, self.width, self.shape = y, coefficients, kernel, epsilon, degree, middle, width, shape

    def __call__(self, x):
        at = np.asarray(x, np.float64)
        if at.ndim != 2:
            raise ValueError("`x` must be a 2-dimensional array.")
        if at.shape[1] != self.y.shape[1]:
            raise ValueError(f"Expected the second axis of `x` to have length {self.y.shape[1]}.")
        rows = np.concatenate((radial(at, self.y, self.kernel, self.epsilon), monomials((at - self.middle) / self.width, self.degree)), axis=1)
        return (rows @ self.coefficients).reshape((at.shape[0], *self.shape))


def surface_from_outside(tx, ty, c, kx, ky):
    """A RectBivariateSpline that was made outside."""
    return Surface(tx, ty, c.reshape(tx.shape[0] - kx - 1, ty.shape[0] - ky - 1), kx, ky)


def radial_from_outside(y, coefficients, kernel, epsilon, powers, middle, width, shape, neighbors, dtype):
    """An RBFInterpolator that was made outside; `powers`: how many polynomials stand beside, of how many variables."""
    count, variables = powers
    if neighbors is not None or count not in (0, 1, variables + 1) or kernel == "quintic" or np.dtype(dtype).kind == "c":
        unsupported("scipy.interpolate.RBFInterpolator with neighbors, degree > 1, of complex values or by 'quintic', made outside", "kernel='thin_plate_spline'")
    return Radial(y, coefficients, kernel, epsilon, min(count, 2) - 1, middle, width, shape)


def radial(a, b, kernel, epsilon):
    """A function of the distances of points from points."""
    squares = np.sum((a[:, np.newaxis, :] - b[np.newaxis, :, :]) ** 2, axis=-1) * epsilon**2
    here = squares == 0.0
    safe = np.where(here, 1.0, squares)
    if kernel == "linear":
        return np.where(here, 0.0, -np.sqrt(safe))
    if kernel == "thin_plate_spline":
        return np.where(here, 0.0, 0.5 * safe * np.log(safe))
    if kernel == "cubic":
        return np.where(here, 0.0, safe * np.sqrt(safe))
    if kernel == "multiquadric":
        return -np.sqrt(squares + 1.0)
    if kernel == "inverse_multiquadric":
        return 1.0 / np.sqrt(squares + 1.0)
    if kernel == "inverse_quadratic":
        return 1.0 / (squares + 1.0)
    return np.exp(-squares)


def monomials(x, degree):
    """1 and the variables."""
    if degree < 0:
        return np.zeros((x.shape[0], 0))
    one = np.ones((x.shape[0], 1))
    return one if degree == 0 else np.concatenate((one, x), axis=1)
