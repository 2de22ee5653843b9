"""NumPy's differences, slopes and integrals of samples."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def gradient(f, *varargs, axis=None, edge_order=1):
    """np.gradient: central differences inside, one-sided ones at the ends. Source of the formulas: NumPy's notes (Quarteroni, Sacco, Saleri 2007)."""
    f = np.asarray(f)
    if f.dtype.kind in "iu":
        f = f.astype(np.float64)
    axes = tuple(range(f.ndim)) if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (int(axis) if isinstance(axis, bool) else axis,)
    for k in axes:
        np.flip(f, k)  # NumPy's error, where f has no such axis
    if not varargs:
        gaps = (1.0,) * len(axes)
    elif len(varargs) == 1 and np.ndim(varargs[0]) == 0:
        gaps = varargs * len(axes)
    elif len(varargs) == len(axes):
        gaps = varargs
    else:
        raise TypeError("invalid number of arguments")
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    slopes = tuple(_slope(f, gap, k + f.ndim if k < 0 else k, edge_order) for gap, k in zip(gaps, axes, strict=True))
    return slopes[0] if len(slopes) == 1 else slopes


def _slope(f, gap, axis, edge_order):
    if f.shape[axis] < edge_order + 1:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    if np.ndim(gap) == 0:
        inside = (_part(f, axis, 2, None) - _part(f, axis, None, -2)) / (2.0 * gap)
        if edge_order == 1:
            first = (_part(f, axis, 1, 2) - _part(f, axis, 0, 1)) / gap
            last = (_part(f, axis, -1, None) - _part(f, axis, -2, -1)) / gap
        else:
            first = (-1.5 / gap) * _part(f, axis, 0, 1) + (2.0 / gap) * _part(f, axis, 1, 2) + (-0.5 / gap) * _part(f, axis, 2, 3)
            last = (0.5 / gap) * _part(f, axis, -3, -2) + (-2.0 / gap) * _part(f, axis, -2, -1) + (1.5 / gap) * _part(f, axis, -1, None)
    else:
        inside, first, last = _uneven(f, np.asarray(gap), axis, edge_order)
    slope = np.concatenate((first, inside, last), axis=axis)
    return slope if slope.dtype == f.dtype else slope.astype(f.dtype)  # NumPy stores into an array of f's type


def _uneven(f, points, axis, edge_order):
    """Where points stand at these coordinates."""
    if points.ndim != 1:
        raise ValueError("distances must be either scalars or 1d")
    if points.shape[0] != f.shape[axis]:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    steps = np.diff(points if points.dtype.kind in "fc" else points.astype(np.float64))
    if np.any(steps == 0):
        raise NotImplementedError("np.gradient at points that coincide is not supported: NumPy's numbers depend on whether all of them do")
    shape = (1,) * axis + (-1,) + (1,) * (f.ndim - axis - 1)
    one, two = steps[:-1].reshape(shape), steps[1:].reshape(shape)
    before, here, after = _part(f, axis, None, -2), _part(f, axis, 1, -1), _part(f, axis, 2, None)
    inside = -two / (one * (one + two)) * before + (two - one) / (one * two) * here + one / (two * (one + two)) * after
    if edge_order == 1:
        first = (_part(f, axis, 1, 2) - _part(f, axis, 0, 1)) / steps[0]
        last = (_part(f, axis, -1, None) - _part(f, axis, -2, -1)) / steps[-1]
        return inside, first, last
    p, q = steps[0], steps[1]
    a, b, c = -(2.0 * p + q) / (p * (p + q)), (p + q) / (p * q), -p / (q * (p + q))
    first = a * _part(f, axis, 0, 1) + b * _part(f, axis, 1, 2) + c * _part(f, axis, 2, 3)
    p, q = steps[-2], steps[-1]
    a, b, c = q / (p * (p + q)), -(q + p) / (p * q), (2.0 * q + p) / (q * (p + q))
    last = a * _part(f, axis, -3, -2) + b * _part(f, axis, -2, -1) + c * _part(f, axis, -1, None)
    return inside, first, last


def _part(f, axis, start, stop):
    return f[(slice(None),) * axis + (slice(start, stop),)]


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """np.trapezoid."""
    y = np.asarray(y)
    place = axis + y.ndim if axis < 0 else axis
    if x is None:
        gaps = dx
    else:
        x = np.asarray(x)
        gaps = np.diff(x).reshape((1,) * place + (-1,) + (1,) * (y.ndim - place - 1)) if x.ndim == 1 else np.diff(x, axis=axis)
    return np.sum(gaps * (_part(y, place, 1, None) + _part(y, place, None, -1)) / 2.0, axis=axis)


def ediff1d(ary, to_end=None, to_begin=None):
    """np.ediff1d."""
    ary = np.asarray(ary).ravel()
    steps = ary[1:] - ary[:-1]
    if to_begin is None and to_end is None:
        return steps
    ends = tuple(np.asarray(end).ravel() for end in (to_begin, to_end) if end is not None)
    for end in ends:
        if not np.can_cast(end.dtype, ary.dtype, "same_kind"):
            raise TypeError("dtype of `to_end` must be compatible with input `ary` under the `same_kind` rule.")
    before = () if to_begin is None else (ends[0].astype(ary.dtype),)
    after = () if to_end is None else (ends[-1].astype(ary.dtype),)
    return np.concatenate((*before, steps, *after))


def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    """np.unwrap: steps larger than half a period are made smaller by whole periods."""
    p = np.asarray(p)
    if p.dtype.kind not in "fiu":
        unsupported("np.unwrap of bools or of complex numbers", "np.unwrap of floats")
    place = axis + p.ndim if axis < 0 else axis
    steps = np.diff(p, axis=axis)
    dtype = np.result_type(steps, period)
    p = p.astype(dtype)
    if dtype.kind in "iu":
        high, odd = divmod(period, 2)
    else:
        high, odd = period / 2, 0
    smaller = np.mod(steps + high, period) - high
    smaller = np.where((smaller == -high) & (steps > 0) & (odd == 0), high, smaller)
    change = np.where(np.abs(steps) < (period / 2 if discont is None else discont), 0, smaller - steps)
    return np.concatenate((_part(p, place, None, 1), _part(p, place, 1, None) + np.cumsum(change, axis=axis, dtype=dtype)), axis=axis)
