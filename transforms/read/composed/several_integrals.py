"""scipy.integrate: integrals over several variables, of functions that give arrays, and of samples."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.adaptive import GAUSS, KRONROD, NODES, quad
from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.quadrature import cumulative_trapezoid


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """scipy.integrate.dblquad: an integral of integrals."""
    return nquad(func, [lambda x, *args: (_limit(gfun, x), _limit(hfun, x)), (a, b)], args, {"epsabs": epsabs, "epsrel": epsrel})


def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """scipy.integrate.tplquad."""
    ranges = [lambda y, x, *args: (_limit(qfun, x, y), _limit(rfun, x, y)), lambda x, *args: (_limit(gfun, x), _limit(hfun, x)), (a, b)]
    return nquad(func, ranges, args, {"epsabs": epsabs, "epsrel": epsrel})


def _limit(limit, *at):
    return limit(*at) if callable(limit) else limit


def nquad(func, ranges, args=None, opts=None, full_output=False):
    """scipy.integrate.nquad: the first range is the innermost."""
    wanted = {} if opts is None else opts
    if full_output or not isinstance(wanted, dict):
        unsupported("scipy.integrate.nquad with full_output, or options by variable", "opts={'epsabs': …}")
    given = () if args is None else args if isinstance(args, tuple) else (args,)
    return _nested(func, ranges, len(ranges) - 1, (), given, wanted)


def _nested(func, ranges, depth, outer, args, wanted):
    """The integral over the variables up to a depth, at the others."""
    limits = ranges[depth](*outer, *args) if callable(ranges[depth]) else ranges[depth]

    def inner(x):
        return func(x, *outer, *args) if depth == 0 else _nested(func, ranges, depth - 1, (x, *outer), args, wanted)[0]

    return quad(inner, limits[0], limits[1], **wanted)


def quad_vec(f, a, b, epsabs=1e-200, epsrel=1e-08, norm="2", cache_size=100000000.0, limit=10000, workers=1, points=None, quadrature=None, full_output=False, *, args=()):
    """scipy.integrate.quad_vec between finite limits, by Gauss's and Kronrod's rule."""
    if points is not None or quadrature not in (None, "gk21") or full_output or norm not in ("2", "max"):
        unsupported("scipy.integrate.quad_vec with points, full_output, another quadrature or norm", "norm='2' or 'max'")
    a, b = np.float64(a), np.float64(b)
    if not (np.isfinite(a) and np.isfinite(b)):
        raise NotImplementedError("scipy.integrate.quad_vec over infinite ranges is not supported")
    shape = np.shape(f(a, *args))
    most = min(limit, 1000)

    def rule(low, high):
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        values = np.stack([np.ravel(np.asarray(f(middle + half * node, *args))) for node in NODES])
        found, there = half * (KRONROD @ values), constant(values)
        gap = np.abs((KRONROD - GAUSS) @ there) * np.abs(constant(half))
        return found, np.max(gap) if norm == "max" else np.sqrt(np.sum(gap**2))

    first, error = rule(a, b)
    parts, errors, starts, stops = np.zeros((most, first.shape[0]), first.dtype), np.zeros(most), np.zeros(most), np.zeros(most)
    parts[0], errors[0], starts[0], stops[0] = first, error, a, b
    count = 1
    while np.sum(errors[:count]) > max(epsabs, epsrel * _size(constant(np.sum(parts[:count], axis=0)), norm)) and count < most:
        worst = np.argmax(errors[:count])
        left, right = starts[worst], stops[worst]
        middle = 0.5 * (left + right)
        parts[count], errors[count] = rule(middle, right)
        starts[count], stops[count] = middle, right
        parts[worst], errors[worst] = rule(left, middle)
        stops[worst] = middle
        count += 1
    return np.sum(parts[:count], axis=0).reshape(shape)[()], float(np.sum(errors[:count]))


def _size(x, norm):
    return np.max(np.abs(x)) if norm == "max" else np.sqrt(np.sum(np.abs(x) ** 2))


# ---- of samples -------------------------------------------------------------------------------------------------------------------------


def romb(y, dx=1.0, axis=-1, show=False):
    """scipy.integrate.romb: Romberg's rule of 2**k + 1 samples."""
    if show:
        unsupported("scipy.integrate.romb(…, show=True)", "leave it out")
    if np.ndim(dx) > 0:
        unsupported("scipy.integrate.romb with an array of steps", "a number")
    rows = np.moveaxis(np.asarray(y), axis, 0)
    intervals, levels, width = rows.shape[0] - 1, 0, 1
    while width < intervals:
        width, levels = 2 * width, levels + 1
    if width != intervals:
        raise ValueError("Number of samples must be one plus a non-negative power of 2.")
    h = intervals * np.float64(dx)
    first = (rows[0] + rows[intervals]) / 2.0 * h
    sums = np.zeros((levels + 1, *rows.shape[1:]), np.result_type(first, np.float64))
    sums[0] = first
    count = 1
    for i in range(1, levels + 1):
        middles = (2 * np.arange(count) + 1) * (intervals // (2 * count))
        sums[i] = 0.5 * (sums[i - 1] + h * np.sum(rows[middles], axis=0))
        count, h = 2 * count, h / 2.0
    power = 1.0
    for j in range(1, levels + 1):
        power = 4.0 * power
        for i in range(levels + 1 - j):  # each is read once more before it is replaced
            sums[i] = sums[i + 1] + (sums[i + 1] - sums[i]) / (power - 1.0)
    return sums[0]


def cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
    """scipy.integrate.cumulative_simpson at points, or a step apart."""
    y = _floating(y)
    rows = np.moveaxis(y, axis, -1)
    if np.ndim(dx) > 0 or initial is not None and np.ndim(initial) > 0:
        unsupported("scipy.integrate.cumulative_simpson with arrays of steps or initial values", "numbers")
    step = _floating(dx)
    if rows.shape[-1] < 3:
        if x is None and np.result_type(y, step) != y.dtype:  # SciPy's dtype depends on the length
            raise NotImplementedError("scipy.integrate.cumulative_simpson of fewer than three samples of float32 is not supported; with dx=np.float32(…) it is")
        found = np.moveaxis(cumulative_trapezoid(y, x, dx, axis), axis, -1)
    else:
        steps = None if x is None else np.diff(np.asarray(x) if np.ndim(x) == 1 else np.moveaxis(np.asarray(x), axis, -1), axis=-1)
        if steps is not None and np.any(steps <= 0):
            raise ValueError("Input x must be strictly increasing.")
        ahead = _first_parts(rows, steps, step)
        behind = np.flip(_first_parts(np.flip(rows, -1), None if steps is None else np.flip(steps, -1), step), -1)
        places = np.arange(rows.shape[-1] - 1)
        last = rows.shape[-1] - 2
        from_ahead = ahead[..., np.minimum(places, last - 1)]
        from_behind = behind[..., np.maximum(places - 1, 0)]
        found = np.cumsum(np.where((places % 2 == 0) & (places < last), from_ahead, from_behind), axis=-1)
    if initial is not None:
        initial = _floating(initial)
        first = np.full((*rows.shape[:-1], 1), initial, initial.dtype)
        found = np.concatenate((first, (found + initial).astype(found.dtype)), axis=-1)
    return np.moveaxis(found, -1, axis)


def _floating(x):
    x = np.asarray(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _first_parts(y, steps, dx):
    """The integrals up to the second of each three points, of the parabola through them."""
    one, two, three = y[..., :-2], y[..., 1:-1], y[..., 2:]
    if steps is None:
        return dx / 3 * (5 * one / 4 + 2 * two - three / 4)
    first, second = steps[..., :-1], steps[..., 1:]
    part = first / (first + second)
    product = part * first / second
    return first / 6 * ((3 - part) * one + (3 + product + part) * two - product * three)


INTEGRALS = {f"scipy.integrate.{function.__name__}": function for function in (dblquad, tplquad, nquad, quad_vec)}
"""They call the user's functions."""
OF_SAMPLES = {f"scipy.integrate.{function.__name__}": function for function in (romb, cumulative_simpson)}
"""By qualified name."""
