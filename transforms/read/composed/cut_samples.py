"""scipy.stats: samples of which some are left out, and how often samples lie between bounds. Formulas and their words are SciPy's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.descriptive import kept, rows_of, tstd, within_limits
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.installed import SCIPY_1_18


class SigmaclipResult(NamedTuple):
    """What scipy.stats.sigmaclip gives."""

    clipped: Any
    lower: Any
    upper: Any


class CumfreqResult(NamedTuple):
    """What scipy.stats.cumfreq gives."""

    cumcount: Any
    lowerlimit: Any
    binsize: Any
    extrapoints: Any


class RelfreqResult(NamedTuple):
    """What scipy.stats.relfreq gives."""

    frequency: Any
    lowerlimit: Any
    binsize: Any
    extrapoints: Any


# ---- least and largest samples within limits --------------------------------------------------------------------------------------


def _bounded(name, a, limits, inclusive, axis, nan_policy):
    """Samples along the first axis, of a's own type, with those outside of the limits told apart."""
    given = np.asarray(a)
    rows_of(name, given, axis, nan_policy)  # for its errors
    rows = given.ravel() if axis is None or given.ndim == 0 else np.moveaxis(given, axis, 0)
    inside = within_limits(rows, limits, inclusive)
    if rows.dtype.kind != "f" and np.any(~np.any(inside, axis=0)):
        raise NotImplementedError(f"scipy.stats.{name} of integers none of which is within the limit (the result is floats with nan) is not supported")
    return rows, inside


def _farthest(dtype, sign):
    return sign * np.inf if dtype.kind == "f" else np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min


def tmin(a, lowerlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.tmin: the least sample from a limit on."""
    rows, inside = _bounded("tmin", a, (lowerlimit, None), (inclusive, None), axis, nan_policy)
    least = np.min(np.where(inside, rows, _farthest(rows.dtype, 1)), axis=0)
    return kept(least if rows.dtype.kind != "f" else np.where(np.any(inside, axis=0), least, np.nan).astype(rows.dtype)[()], a, axis, keepdims)


def tmax(a, upperlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.tmax: the largest sample up to a limit."""
    rows, inside = _bounded("tmax", a, (None, upperlimit), (None, inclusive), axis, nan_policy)
    largest = np.max(np.where(inside, rows, _farthest(rows.dtype, -1)), axis=0)
    return kept(largest if rows.dtype.kind != "f" else np.where(np.any(inside, axis=0), largest, np.nan).astype(rows.dtype)[()], a, axis, keepdims)


def tsem(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.tsem: the error of the mean of the samples between two limits."""
    rows = rows_of("tsem", a, axis, nan_policy)
    count = np.sum(within_limits(rows, limits, inclusive), axis=0).astype(rows.dtype)
    return kept(tstd(rows, limits, inclusive, 0, ddof) / np.sqrt(count), a, axis, keepdims)


# ---- without the ends ----------------------------------------------------------------------------------------------------------------


def _between(a, low, high, axis):
    """The samples from one place to another in their order along an axis."""
    where = (slice(None),) * (axis % a.ndim) + (slice(low, high),)
    return np.sort(a, axis=axis)[where]


def trimboth(a, proportiontocut, axis=0):
    """scipy.stats.trimboth: without the smallest and the largest samples; the others in order."""
    a = np.asarray(a)
    if a.size == 0:
        return a
    if axis is None:
        a, axis = a.ravel(), 0
    cut = int(proportiontocut * a.shape[axis])
    if cut >= a.shape[axis] - cut:
        raise ValueError("Proportion too big.")
    return _between(a, cut, a.shape[axis] - cut, axis)


def trim1(a, proportiontocut, tail="right", axis=0):
    """scipy.stats.trim1: without the samples at one end; the others in order."""
    a = np.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    if proportiontocut >= 1:
        unsupported("scipy.stats.trim1 of all samples (the result is a list)", "a proportion below 1")
    cut = int(proportiontocut * a.shape[axis])
    if tail.lower() == "right":
        return _between(a, 0, a.shape[axis] - cut, axis)
    if tail.lower() != "left":
        raise UnboundLocalError("cannot access local variable 'lowercut' where it is not associated with a value")
    return _between(a, cut, a.shape[axis], axis)


def sigmaclip(a, low=4.0, high=4.0):
    """scipy.stats.sigmaclip: without what lies further from the mean than some deviations, until nothing does."""
    c = np.ravel(np.asarray(a))
    more = True
    lower = upper = np.mean(c)
    while more:
        deviation, mean, size = np.std(c), np.mean(c), c.size
        lower, upper = mean - deviation * low, mean + deviation * high
        c = c[(c >= lower) & (c <= upper)]
        more = c.size < size
    return SigmaclipResult(c, lower, upper)


def _percentile(ordered, per, method):
    if not 0 <= per <= 100:
        raise ValueError("percentile must be in the range [0, 100]")
    if method not in ("fraction", "lower", "higher"):
        raise ValueError("interpolation_method can only be 'fraction', 'lower' or 'higher'")
    place = per / 100.0 * (ordered.shape[0] - 1)
    below = int(np.floor(place))
    above = int(np.ceil(place))
    if method == "lower":
        return ordered[below] * 1.0
    if method == "higher":
        return ordered[above] * 1.0
    share = place - below
    return np.where(below == above, ordered[below], ordered[below] * (1.0 - share) + ordered[above] * share)[()]


def scoreatpercentile(a, per, limit=(), interpolation_method="fraction", axis=None):
    """scipy.stats.scoreatpercentile."""
    a = np.asarray(a)
    if a.dtype.kind == "f" and a.dtype != np.float64:
        unsupported(f"scipy.stats.scoreatpercentile of {a.dtype}", "np.percentile")
    if a.size == 0:
        raise NotImplementedError("scipy.stats.scoreatpercentile of no samples (the result is nan) is not supported")
    if limit:
        a = a[(limit[0] <= a) & (a <= limit[1])]
    ordered = np.sort(a.ravel()) if axis is None else np.moveaxis(np.sort(a, axis=axis), axis, 0)
    if np.ndim(per) == 0:
        return _percentile(ordered, per, interpolation_method)
    if np.ndim(per) > 1:
        unsupported("scipy.stats.scoreatpercentile of several axes of percentiles", "a list of numbers")
    found = np.empty((len(per), *ordered.shape[1:]))
    for k in range(len(per)):
        found[k] = _percentile(ordered, per[k], interpolation_method)
    return found


# ---- how often -------------------------------------------------------------------------------------------------------------------


def _histogram(a, numbins, limits, weights):
    """Counts in equal parts, the first limit, the width of a part, how many lie outside."""
    a = np.ravel(np.asarray(a))
    if a.size == 0:
        raise NotImplementedError("frequencies in scipy.stats of no samples are not supported")
    if SCIPY_1_18:
        a, weights = _as_floats(a, limits, weights)
    if limits is None:
        if numbins == 1:
            unsupported("one bin without limits in scipy.stats", "defaultreallimits=(low, high)")
        beyond = (np.max(a) - np.min(a)) / (2.0 * (numbins - 1.0))
        limits = (np.min(a) - beyond, np.max(a) + beyond)
    counts, edges = np.histogram(a, bins=numbins, range=limits, weights=weights)
    outside = np.sum((limits[0] > a) | (a > limits[1]))
    if SCIPY_1_18:
        return counts.astype(a.dtype), np.asarray(limits[0], a.dtype)[()], edges[1] - edges[0], outside
    return np.asarray(counts, np.float64), limits[0], edges[1] - edges[0], outside


def _as_floats(a, limits, weights):
    """The samples and their weights, of one dtype; what SciPy refuses since 1.18."""
    if limits is not None and not limits[0] < limits[1]:
        raise ValueError("If specified, `defaultreallimits` must be given as an iterable in the order (lower limit, upper limit).")
    if weights is None:
        return a if a.dtype.kind == "f" else a.astype(np.float64), None
    weights = np.asarray(weights)
    if limits is not None and np.any(weights < 0):
        raise ValueError("All `weights` must be non-negative.")
    dtype = np.result_type(a, weights)
    dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)
    return a.astype(dtype), weights.astype(dtype)


def cumfreq(a, numbins=10, defaultreallimits=None, weights=None):
    """scipy.stats.cumfreq: how many samples lie up to the end of each part."""
    counts, low, width, outside = _histogram(a, numbins, defaultreallimits, weights)
    return CumfreqResult(np.cumsum(counts), low, width, outside)


def relfreq(a, numbins=10, defaultreallimits=None, weights=None):
    """scipy.stats.relfreq: which share of the samples lies in each part."""
    counts, low, width, outside = _histogram(a, numbins, defaultreallimits, weights)
    whole = np.shape(a)[0] if not SCIPY_1_18 else np.size(a) if weights is None else np.sum(np.asarray(weights, counts.dtype))
    return RelfreqResult(counts / whole, low, width, outside)


def tiecorrect(rankvals):
    """scipy.stats.tiecorrect: what equal ranks take from the variance."""
    ordered = np.sort(np.asarray(rankvals).ravel())
    size = float(ordered.size)
    count = (np.searchsorted(ordered, ordered, side="right") - np.searchsorted(ordered, ordered, side="left")).astype(np.float64)
    return np.where(size < 2.0, 1.0, 1.0 - np.sum(count * count - 1.0) / np.maximum(size**3 - size, 1.0))[()]


CUT_SAMPLES: dict[str, Any] = {
    f"scipy.stats.{function.__name__}": function for function in (tmin, tmax, tsem, trimboth, trim1, sigmaclip, scoreatpercentile, cumfreq, relfreq, tiecorrect)
}
"""By qualified name."""
