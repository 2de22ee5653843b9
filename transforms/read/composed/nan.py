"""NumPy's functions that leave nan out."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import anonymous, surely, unsupported
from s2s.transforms.read.composed.rarer import weighted_quantile


@anonymous
def nanmean(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, *, where=np._NoValue):
    """np.nanmean: the mean of what is there."""
    _refuse("nanmean", out)
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.mean(a, axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    _need_inexact(dtype)
    total = np.sum(_replaced(a, 0.0), axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    return total / np.sum(~np.isnan(a), axis=axis, keepdims=keepdims, where=where).astype(total.dtype)


@anonymous
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=np._NoValue, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    """np.nanvar: the mean of squared deviations of what is there, divided by its count - ddof."""
    _refuse("nanvar", out)
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return np.var(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean, correction=correction)
    _need_inexact(dtype)
    if a.dtype.kind == "c" and dtype is not None:
        unsupported(f"np.nanvar(…, dtype={np.dtype(dtype)}) of complex numbers", "np.nanvar without dtype")
    if correction is not np._NoValue:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    deviation = np.where(np.isnan(a), 0.0, a - (nanmean(a, axis=axis, keepdims=True, where=where) if mean is np._NoValue else mean)).astype(a.dtype)
    squares = (deviation * np.conj(deviation)).real if a.dtype.kind == "c" else deviation * deviation
    total = np.sum(squares, axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    present = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims, where=where)
    if ddof == 0:
        return total / present.astype(total.dtype)
    degrees = present - ddof
    found = total / degrees.astype(total.dtype)
    return np.where(degrees <= 0, np.nan, found)[()]


@anonymous
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=np._NoValue, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    """np.nanstd: the root of np.nanvar; of single numbers 0 (or nan), where the root has no derivative."""
    variance = nanvar(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    return variance if mean is np._NoValue and where is np._NoValue and surely(np.size(a, axis) == 1) else np.sqrt(variance)


def _need_inexact(dtype):
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")


def nansum(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nansum: nan counts as 0."""
    _refuse("nansum", out)
    return np.sum(_replaced(a, 0.0), axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nanprod: nan counts as 1."""
    _refuse("nanprod", out)
    return np.prod(_replaced(a, 1.0), axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)


def nancumsum(a, axis=None, dtype=None, out=None):
    """np.nancumsum: nan counts as 0."""
    _refuse("nancumsum", out)
    return np.cumsum(_replaced(a, 0.0), axis=axis, dtype=dtype)


def nancumprod(a, axis=None, dtype=None, out=None):
    """np.nancumprod: nan counts as 1."""
    _refuse("nancumprod", out)
    return np.cumprod(_replaced(a, 1.0), axis=axis, dtype=dtype)


def nanmax(a, axis=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nanmax: nan only where all elements are nan."""
    _refuse("nanmax", out)
    if initial is not np._NoValue or where is not np._NoValue:
        _need_initial("fmax", initial)
        return np.max(_replaced(a, -np.inf), axis=axis, keepdims=keepdims, initial=initial, where=where)
    found = np.max(_replaced(a, -np.inf), axis=axis, keepdims=keepdims)
    return _or_nan(found, a, axis, keepdims)


def nanmin(a, axis=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nanmin: nan only where all elements are nan."""
    _refuse("nanmin", out)
    if initial is not np._NoValue or where is not np._NoValue:
        _need_initial("fmin", initial)
        return np.min(_replaced(a, np.inf), axis=axis, keepdims=keepdims, initial=initial, where=where)
    found = np.min(_replaced(a, np.inf), axis=axis, keepdims=keepdims)
    return _or_nan(found, a, axis, keepdims)


def _need_initial(name, initial):
    if initial is np._NoValue:
        raise ValueError(f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'")


def _replaced(a, neutral):
    a = np.asarray(a)
    return np.where(np.isnan(a), neutral, a) if a.dtype.kind in "fc" else a


def _or_nan(found, a, axis, keepdims):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return found
    present = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)
    return np.where(present == 0, np.nan, found)[()]


def _refuse(name, out):
    if out is not None:
        unsupported(f"np.{name}(…, out) by its place", "out=…")


# ---- orders ----------------------------------------------------------------------------------------------------------------


def nanargmax(a, axis=None, out=None, *, keepdims=np._NoValue):
    """np.nanargmax."""
    _refuse("nanargmax", out)
    _need_numbers(a, axis)
    return np.argmax(_replaced(a, -np.inf), axis=axis, keepdims=keepdims)


def nanargmin(a, axis=None, out=None, *, keepdims=np._NoValue):
    """np.nanargmin."""
    _refuse("nanargmin", out)
    _need_numbers(a, axis)
    return np.argmin(_replaced(a, np.inf), axis=axis, keepdims=keepdims)


def _need_numbers(a, axis):
    a = np.asarray(a)
    if a.dtype.kind in "fc" and np.any(np.all(np.isnan(a), axis=axis)):
        raise ValueError("All-NaN slice encountered")


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=np._NoValue):
    """np.nanmedian."""
    _refuse("nanmedian", out)
    a = np.asarray(a)
    rising, count = _rising(a if a.dtype.kind in "fc" else a.astype(np.float64), axis)
    found = _mean_of_two(_at(rising, (count - 1) // 2), _at(rising, count // 2))
    return _of_axes(np.where(count == 0, np.nan, found), a, axis, keepdims)


def _mean_of_two(a, b):
    return np.where(a == b, a, (a + b) / 2)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=np._NoValue, *, weights=None):
    """np.nanquantile."""
    _refuse("nanquantile", out)
    a, q = _reals(a), np.asarray(q)
    if np.any((q < 0) | (q > 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    if weights is not None:
        return weighted_quantile(a, q if q.dtype.kind == "f" else q.astype(np.float64), axis, method, keepdims is not np._NoValue and keepdims, weights, skip_nan=True)
    if method not in _NEAREST and method not in _BETWEEN:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {tuple(_BETWEEN) + tuple(_NEAREST)}")
    if a.dtype.kind == "b" and (axis is not None or a.size > 0):
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
    a = a if a.dtype.kind in "fc" or method in _NEAREST else a.astype(np.float64)
    rising, count = _rising(a, axis)
    if q.ndim == 0:
        return _of_axes(_quantile(rising, count, q, method), a, axis, keepdims)
    if a.size == 0:
        raise NotImplementedError("np.nanquantile of no elements at several levels, for which NumPy's result has no axis")
    return np.stack([_of_axes(_quantile(rising, count, level, method), a, axis, keepdims) for level in q])


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=np._NoValue, *, weights=None):
    """np.nanpercentile."""
    a = _reals(a)
    if np.any((np.asarray(q) < 0) | (np.asarray(q) > 100)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return nanquantile(a, np.true_divide(q, 100), axis, out, overwrite_input, method, keepdims, weights=weights)


def _reals(a):
    a = np.asarray(a)
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    return a


def _rising(a, axis):
    """The elements that are reduced, along the last axis and in rising order with nan behind; how many of them are no nan."""
    axes = tuple(range(a.ndim)) if axis is None else tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    moved = np.moveaxis(a, axes, tuple(range(-len(axes), 0)))
    kept = a.ndim - len(axes)
    rising = np.sort(moved.reshape((*moved.shape[:kept], math.prod(moved.shape[kept:]))), axis=-1)
    return rising, np.sum(~np.isnan(rising), axis=-1)


def _at(rising, place):
    """The element of each row at a place; the first one where there is none; of empty rows nan."""
    if rising.shape[-1] == 0:
        return np.full(rising.shape[:-1], np.nan, rising.dtype)
    return np.take_along_axis(rising, np.maximum(place, 0)[..., np.newaxis], axis=-1)[..., 0]


def _quantile(rising, count, q, method):
    if method in _NEAREST:
        found = _at(rising, np.clip(_NEAREST[method](count, q), 0, np.maximum(count - 1, 0)).astype(np.int64))
        return np.where(count == 0, np.nan, found) if rising.dtype.kind == "f" else found
    virtual = _BETWEEN[method](count, q)
    if method == "linear":
        return _between(rising, count, virtual)
    whole = np.floor(virtual)
    part = _FRACTIONS[method](virtual - whole) if method in _FRACTIONS else virtual - whole
    return _between(rising, count, np.clip(whole + part, 0, np.maximum(count - 1, 0)))


def _between(rising, count, virtual):
    before = np.floor(virtual)
    part = (virtual - before).astype(rising.dtype)
    low = before.astype(np.int64)
    one, two = _at(rising, low), _at(rising, np.minimum(low + 1, count - 1))
    step = two - one
    return np.where(count == 0, np.nan, np.where(part >= 0.5, two - step * (1 - part), one + step * part))


def _of_gaps(n, q):
    return (n - 1) * q


def _of_count(n, q):
    return n * q - 1


def _level(alpha):
    return lambda n, q: n * q + (alpha + q * (1 - alpha - alpha)) - 1


_NEAREST = {
    "lower": lambda n, q: np.floor(_of_gaps(n, q)), "higher": lambda n, q: np.ceil(_of_gaps(n, q)), "nearest": lambda n, q: np.rint(_of_gaps(n, q)),
    "inverted_cdf": lambda n, q: np.ceil(_of_count(n, q)), "closest_observation": lambda n, q: _odd_half(_of_count(n, q) - 0.5),
}  # fmt: skip
"""Methods that give one of the elements: which of n (docs of np.quantile)."""
_BETWEEN = {
    "linear": _of_gaps, "averaged_inverted_cdf": _of_count, "interpolated_inverted_cdf": _of_count, "hazen": _level(0.5), "weibull": _level(0.0),
    "median_unbiased": _level(1 / 3.0), "normal_unbiased": _level(3 / 8.0), "midpoint": lambda n, q: 0.5 * (np.floor(_of_gaps(n, q)) + np.ceil(_of_gaps(n, q))),
}  # fmt: skip
"""Methods that lie between two elements: where."""
_FRACTIONS = {"averaged_inverted_cdf": lambda part: np.where(part == 0, 0.5, 1.0), "midpoint": lambda part: np.where(part == 0, 0.0, 0.5)}
"""How far between them, where that is not the fraction of the place."""


def _odd_half(place):
    """The element before a place that is whole and odd, else the one after it."""
    whole = np.floor(place)
    return np.where((place == whole) & (whole % 2 == 1), whole, whole + 1)


def _of_axes(found, a, axis, keepdims):
    if keepdims is np._NoValue or not keepdims:
        return found[()]
    axes = tuple(range(a.ndim)) if axis is None else axis
    return np.expand_dims(found, axes)


ORDERS = {f"numpy.{function.__name__}": function for function in (nanargmax, nanargmin, nanmedian, nanquantile, nanpercentile)}
