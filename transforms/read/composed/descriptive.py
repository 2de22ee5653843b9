"""scipy.stats: what describes samples, along one axis or of all numbers. Formulas and their words are SciPy's; `nan_policy` is "propagate"."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.installed import SCIPY_1_18

NORMAL_QUARTILE = 0.6744897501960817
"""scipy.special.ndtri(0.75)."""


class ModeResult(NamedTuple):
    """What scipy.stats.mode gives."""

    mode: Any
    count: Any


class DescribeResult(NamedTuple):
    """What scipy.stats.describe gives."""

    nobs: Any
    minmax: Any
    mean: Any
    variance: Any
    skewness: Any
    kurtosis: Any


def rows_of(name, a, axis, nan_policy="propagate", omits=False):
    """Floats with the samples along the first axis. `omits`: what is nan may be left out, of one axis."""
    if nan_policy not in ("propagate", "raise", "omit"):
        raise ValueError("nan_policy must be one of {'propagate', 'raise', 'omit'}")
    if nan_policy == "omit" and not omits:
        unsupported(f"scipy.stats.{name}(…, nan_policy={nan_policy!r})", "nan_policy='propagate', of what np.isnan left out")
    if isinstance(axis, (tuple, list)):
        unsupported(f"scipy.stats.{name} along several axes", "a reshape before")
    a = np.asarray(a)
    if a.dtype.kind == "c" or a.dtype == np.float16:
        unsupported(f"scipy.stats.{name} of {a.dtype}", "floats")
    a = a if a.dtype.kind == "f" else a.astype(np.float64)
    rows = a.ravel() if axis is None or a.ndim == 0 else np.moveaxis(a, axis, 0)
    if nan_policy == "raise" and np.any(np.isnan(rows)):
        raise ValueError("The input contains nan values")
    if nan_policy == "omit":
        if rows.ndim > 1:
            unsupported(f"scipy.stats.{name}(…, nan_policy='omit') along an axis of several", "a loop over the rows")
        rows = rows[~np.isnan(rows)]
    if rows.shape[0] == 0:
        raise NotImplementedError("scipy.stats of no samples (the result is nan, with a warning) is not supported")
    return rows


def together(samples, axis):
    """Samples of as many axes, as SciPy makes them: axes of length 1 are put in front, and all but the one along which the samples lie are stretched."""
    arrays = [np.atleast_1d(np.asarray(each)) for each in samples]
    most = max([each.ndim for each in arrays])
    if axis is None or most == 1:
        return arrays
    if not -most <= axis < most:
        raise np.exceptions.AxisError(f"`axis` is out of bounds for array of dimension {most}")
    place = axis % most
    arrays = [each.reshape((1,) * (most - each.ndim) + each.shape) for each in arrays]
    outer = np.broadcast_shapes(*[(*each.shape[:place], *each.shape[place + 1 :]) for each in arrays])
    return [np.broadcast_to(each, (*outer[:place], each.shape[place], *outer[place:])) for each in arrays]


def kept(found, a, axis, keepdims):
    """With an axis of length 1 where the samples were."""
    if not keepdims:
        return found
    return np.reshape(found, (1,) * np.ndim(a)) if axis is None else np.expand_dims(found, axis)


def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    """scipy.stats.zscore: nan where all samples are the same."""
    rows = rows_of("zscore", a, axis, "propagate" if nan_policy == "omit" else nan_policy)
    if nan_policy == "omit":
        mean, deviation = np.nanmean(rows, axis=0), np.nanstd(rows, axis=0, ddof=ddof)
        gaps = np.where(np.isnan(rows), 0.0, rows) - np.where(np.isnan(rows), 0.0, mean)
    else:
        mean, deviation = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=ddof)
        gaps = rows - mean
    flat = deviation <= np.abs(np.finfo(rows.dtype).eps * mean)
    found = np.where(flat | (np.isnan(rows) if nan_policy == "omit" else False), np.nan, gaps / np.where(flat, 1, deviation)).astype(rows.dtype)
    return found.reshape(np.shape(a)) if axis is None else np.moveaxis(found, 0, axis)


def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    """scipy.stats.zmap: by the mean and deviation of other samples."""
    rows = rows_of("zmap", compare, axis, nan_policy)
    mean, deviation = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=ddof)
    if axis is not None:
        mean, deviation = np.expand_dims(mean, axis), np.expand_dims(deviation, axis)
    return (np.asarray(scores) - mean) / deviation


def _moments(rows, order):
    return np.mean((rows - np.mean(rows, axis=0)) ** order, axis=0)


def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):
    """scipy.stats.moment of orders that are known while reading; those of several stand along a new first axis."""
    if isinstance(order, (list, tuple)):
        if not order:
            raise ValueError("`order` must be a scalar or a non-empty 1D array.")
        if keepdims:
            unsupported("scipy.stats.moment of several orders with keepdims=True", "a reshape of the result")
        return np.stack([np.asarray(moment(a, each, axis, nan_policy, center=center)) for each in order])
    rows = rows_of("moment", a, axis, nan_policy, omits=True)
    if not isinstance(order, int) or order < 0:
        unsupported("scipy.stats.moment of a negative order, or of one that is known only at run time", "a constant order")
    if order == 0 or order == 1 and center is None:
        return kept(np.where(np.any(np.isnan(rows), axis=0), np.nan, 1.0 - order).astype(rows.dtype)[()], a, axis, keepdims)
    centred = rows - (np.mean(rows, axis=0) if center is None else np.asarray(center, rows.dtype))
    return kept(np.mean(centred**order, axis=0), a, axis, keepdims)


def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.skew: nan where all samples are the same."""
    rows = rows_of("skew", a, axis, nan_policy, omits=True)
    second, third, n = _moments(rows, 2), _moments(rows, 3), rows.shape[0]
    flat = second <= (np.finfo(rows.dtype).eps * np.mean(rows, axis=0)) ** 2
    found = third / np.where(flat, 1, second) ** 1.5
    if not bias and n > 2:
        found = ((n - 1.0) * n) ** 0.5 / (n - 2.0) * found
    return kept(np.where(flat, np.nan, found).astype(rows.dtype)[()], a, axis, keepdims)


def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.kurtosis: nan where all samples are the same."""
    rows = rows_of("kurtosis", a, axis, nan_policy, omits=True)
    second, fourth, n = _moments(rows, 2), _moments(rows, 4), rows.shape[0]
    flat = second <= (np.finfo(rows.dtype).eps * np.mean(rows, axis=0)) ** 2
    found = fourth / np.where(flat, 1, second) ** 2.0
    if not bias and n > 3:
        found = 1.0 / (n - 2) / (n - 3) * ((n**2 - 1.0) * found - 3 * (n - 1) ** 2.0) + 3.0
    found = found - 3 if fisher else found
    return kept(np.where(flat, np.nan, found).astype(rows.dtype)[()], a, axis, keepdims)


def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.sem: the error of the mean."""
    rows = rows_of("sem", a, axis, nan_policy, omits=True)
    return kept((np.std(rows, axis=0, ddof=ddof) / rows.shape[0] ** 0.5).astype(rows.dtype)[()], a, axis, keepdims)


def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    """scipy.stats.variation: the deviation by the mean."""
    rows = rows_of("variation", a, axis, nan_policy, omits=True)
    n = rows.shape[0]
    mean, deviation = np.mean(rows, axis=0), np.std(rows, axis=0)
    if ddof == n:
        raise NotImplementedError("scipy.stats.variation of as many samples as ddof (the result is inf) is not supported")
    found = deviation * (n / (n - ddof)) ** 0.5 / mean
    return kept(found.astype(rows.dtype)[()], a, axis, keepdims)


# ---- means -----------------------------------------------------------------------------------------------------------------------


def _mean(rows, weights, a, axis):
    """The mean along the first axis, of samples that may count differently."""
    if weights is None:
        return np.mean(rows, axis=0)
    if np.shape(weights) != np.shape(a):
        if np.ndim(weights) != 1 or axis is None:
            unsupported("means in scipy.stats with weights of another shape", "np.broadcast_to of the weights")
        own = np.asarray(weights, rows.dtype).reshape((-1,) + (1,) * (rows.ndim - 1))
    else:
        own = rows_of("mean", np.asarray(weights, rows.dtype), axis)
    return np.sum(rows * own, axis=0) / np.sum(own * np.ones_like(rows), axis=0)


def _of_type(a, dtype):
    return np.asarray(a) if dtype is None else np.asarray(a, dtype)


def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.gmean: the geometric mean."""
    if dtype is None and np.asarray(a).dtype.kind in "biu" and np.asarray(a).dtype.itemsize < 4:
        unsupported(f"scipy.stats.gmean of {np.asarray(a).dtype} (NumPy's logarithms of it are of lower precision)", "dtype=np.float64")
    rows = rows_of("gmean", _of_type(a, dtype), axis, nan_policy, omits=weights is None)
    return kept(np.exp(_mean(np.log(rows), weights, a, axis)), a, axis, keepdims)


def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.hmean: the harmonic mean; nan where a sample is negative."""
    rows = rows_of("hmean", _of_type(a, dtype), axis, nan_policy, omits=weights is None)
    found = 1.0 / _mean(1.0 / rows, weights, a, axis)
    return kept(np.where(np.any(rows < 0, axis=0), np.nan, found).astype(found.dtype)[()], a, axis, keepdims)


def pmean(a, p, *, axis=0, dtype=None, weights=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.pmean: the mean of powers; nan where a sample is negative."""
    if type(p) not in (int, float):
        raise ValueError("Power mean only defined for exponent of type int or float.")
    if p == 0:
        return gmean(a, axis, dtype, weights, nan_policy=nan_policy, keepdims=keepdims)
    if np.isinf(p):
        raise NotImplementedError("Power mean only implemented for finite `p`")
    rows = rows_of("pmean", _of_type(a, dtype), axis, nan_policy, omits=weights is None)
    found = _mean(np.abs(rows) ** float(p), weights, a, axis) ** (1 / p)
    return kept(np.where(np.any(rows < 0, axis=0), np.nan, found).astype(found.dtype)[()], a, axis, keepdims)


def gstd(a, axis=0, ddof=1, *, keepdims=False, nan_policy="propagate"):
    """scipy.stats.gstd: the geometric deviation."""
    a = np.asarray(a)
    rows = rows_of("gstd", np.log(a if a.dtype.kind == "f" else a.astype(np.float64)), axis, nan_policy, omits=True)
    return kept(np.exp(np.std(rows, axis=0, ddof=ddof)), a, axis, keepdims)


def trim_mean(a, proportiontocut, axis=0, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.trim_mean: without the smallest and the largest samples."""
    rows = np.sort(rows_of("trim_mean", a, axis, nan_policy), axis=0)
    none = np.where(np.isnan(rows[-1]), np.nan, 0.0).astype(rows.dtype)  # nan stands last, and is none of those that are cut off
    cut = int(proportiontocut * rows.shape[0])
    if cut > rows.shape[0] - cut:
        raise ValueError("Proportion too big.")
    return kept(np.mean(rows[cut : rows.shape[0] - cut], axis=0) + none, a, axis, keepdims)


def _within(name, a, limits, inclusive, axis, nan_policy):
    """The samples, and which of them lie between the limits."""
    rows = rows_of(name, a, axis, nan_policy)
    return rows, within_limits(rows, limits, inclusive)


def within_limits(rows, limits, inclusive):
    """Which samples lie between the limits; nan does, as in SciPy."""
    outside = np.zeros(rows.shape, bool)
    if limits is not None:
        lower, upper = limits
        if lower is not None:
            outside = rows < lower if inclusive[0] else rows <= lower
        if upper is not None:
            outside = outside | (rows > upper if inclusive[1] else rows >= upper)
        if np.all(outside):
            raise ValueError("No array values within given limits")
    return ~outside


def tmean(a, limits=None, inclusive=(True, True), axis=None, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.tmean: the mean of the samples between two limits."""
    rows, inside = _within("tmean", a, limits, inclusive, axis, nan_policy)
    whole = np.asarray(a)
    found = np.sum(np.where(inside, rows, 0), axis=0) / np.sum(inside, axis=0).astype(rows.dtype)
    if whole.dtype.kind not in "bui" or whole.dtype.itemsize == 8:
        return kept(found, a, axis, keepdims)
    own = whole.ravel() if axis is None else np.moveaxis(whole, axis, 0)  # SciPy adds up small integers as they are, as long as none is outside of the limits
    wrapped = np.sum(own, axis=0, dtype=own.dtype) / np.sum(np.ones(own.shape, own.dtype), axis=0, dtype=own.dtype)
    return kept(np.where(np.all(inside), wrapped, found)[()], a, axis, keepdims)


def tvar(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.tvar: the variance of the samples between two limits."""
    rows, inside = _within("tvar", a, limits, inclusive, axis, nan_policy)
    count = np.sum(inside, axis=0).astype(rows.dtype)
    mean = np.sum(np.where(inside, rows, 0), axis=0) / count
    apart = (rows - mean) ** 2
    known = inside & (~np.isnan(apart) | np.isnan(rows))  # SciPy leaves out inf - inf
    found = np.sum(np.where(known, apart, 0), axis=0) / np.sum(known, axis=0).astype(rows.dtype) * (count / (count - ddof))
    return kept(found.astype(rows.dtype)[()], a, axis, keepdims)


def tstd(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.tstd: the deviation of the samples between two limits."""
    return np.sqrt(tvar(a, limits, inclusive, axis, ddof, nan_policy=nan_policy, keepdims=keepdims))


# ---- orders ----------------------------------------------------------------------------------------------------------------------


def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False):
    """scipy.stats.iqr: between the quartiles, or other percentiles."""
    if np.asarray(x).dtype.kind == "b":
        raise ValueError("`x` must have real dtype.")
    rows = rows_of("iqr", x, axis, nan_policy)
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"{scale} not a valid scale for `iqr`")
        scale = 1.3489795003921634
    if len(rng) != 2:
        raise TypeError("`rng` must be a two element sequence.")
    low, high = (rng[0], rng[1]) if rng[0] < rng[1] else (rng[1], rng[0])
    if low < 0 or high > 100:
        raise ValueError("Elements of `rng` must be in the range [0, 100].")
    found = np.percentile(rows, high, axis=0, method=interpolation) - np.percentile(rows, low, axis=0, method=interpolation)
    return kept((found if scale == 1.0 else found / scale), x, axis, keepdims)


def median_abs_deviation(x, axis=0, center=None, scale=1.0, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.median_abs_deviation from the median, or from what a function of the user's (of samples and an axis) gives."""
    rows = rows_of("median_abs_deviation", x, axis, nan_policy)
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"{scale} is not a valid scale value.")
        scale = NORMAL_QUARTILE
    return kept(np.median(np.abs(rows - (np.median(rows, axis=0) if center is None else center(rows, axis=0))), axis=0) / scale, x, axis, keepdims)


def mode(a, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.mode: the least of the most frequent ones, and how often it is there."""
    x = np.asarray(a)
    if x.dtype.kind == "b":
        raise TypeError("Argument `a` is not recognized as numeric.")
    if x.dtype.kind == "c" or x.dtype == np.float16 or isinstance(axis, tuple | list):
        unsupported(f"scipy.stats.mode of {x.dtype}, or along several axes", "floats or integers")
    if x.size == 0:
        raise NotImplementedError("scipy.stats.mode of no samples (the result is nan) is not supported")
    if nan_policy not in ("propagate", "raise"):
        unsupported(f"scipy.stats.mode(…, nan_policy={nan_policy!r})", "nan_policy='propagate', of what np.isnan left out")
    if x.dtype.kind == "f" and np.any(np.isnan(x)):
        if nan_policy == "raise":
            raise ValueError("The input contains nan values")
        raise NotImplementedError("scipy.stats.mode of samples that are nan is not supported")
    rows = x.ravel() if axis is None or x.ndim == 0 else np.moveaxis(x, axis, -1)
    ordered = np.sort(rows, axis=-1)
    counts = np.sum(ordered[..., :, np.newaxis] == ordered[..., np.newaxis, :], axis=-1) if rows.ndim > 1 else np.searchsorted(ordered, ordered, side="right") - np.searchsorted(ordered, ordered, side="left")
    place = np.argmax(counts, axis=-1)[..., np.newaxis]
    found, times = np.take_along_axis(ordered, place, -1)[..., 0], np.take_along_axis(counts, place, -1)[..., 0]
    return ModeResult(kept(found, x, axis, keepdims)[()], kept(times, x, axis, keepdims)[()])


def rankdata(a, method="average", *, axis=None, nan_policy="propagate"):
    """scipy.stats.rankdata: from 1 on; equal ones share theirs as `method` says."""
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f'unknown method "{method}"')
    if nan_policy != "propagate":
        unsupported(f"scipy.stats.rankdata(…, nan_policy={nan_policy!r})", "nan_policy='propagate', of what np.isnan left out")
    x = np.asarray(a)
    if x.dtype.kind == "c":
        unsupported("scipy.stats.rankdata of complex numbers", "real ones")
    if x.dtype.kind == "f" and method != "average" and np.any(np.isnan(x)):
        raise NotImplementedError(f"scipy.stats.rankdata(…, method={method!r}) of numbers that are nan is not supported")
    found = _ranks_along(x, method, axis)
    return found.astype(x.dtype if x.dtype.kind == "f" else np.float64) if SCIPY_1_18 else found


def _ranks_along(x, method, axis):
    if axis is None or x.ndim == 1:
        return ranks(x.ravel(), method)
    rows = np.moveaxis(x, axis, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    found = np.empty(flat.shape, np.float64 if method == "average" else np.int64)
    for k in range(flat.shape[0]):
        found[k] = ranks(flat[k], method)
    return np.moveaxis(found.reshape(rows.shape), -1, axis)


def ranks(x, method="average"):
    """Of one axis of numbers; all nan where one is nan."""
    if method == "ordinal":
        found = np.empty(x.shape, np.int64)
        found[np.argsort(x, kind="stable")] = np.arange(1, x.shape[0] + 1)
        return found
    ordered = np.sort(x)
    before = np.searchsorted(ordered, x, side="left")
    if method == "min":
        return before + 1
    if method == "dense":
        ahead = np.concatenate((np.ones(1, bool), ordered[1:] != ordered[:-1]))[: x.shape[0]]
        return np.cumsum(ahead)[before]
    behind = np.searchsorted(ordered, x, side="right")
    if method == "max":
        return behind
    found = (before + behind + 1) / 2
    return np.where(np.any(np.isnan(x)), np.nan, found) if x.dtype.kind == "f" else found


# ---- of distributions ------------------------------------------------------------------------------------------------------------


def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.entropy of weights, or the relative one of two distributions."""
    import scipy.special

    if base is not None and base <= 0:
        raise ValueError("`base` must be a positive number or `None`.")
    if qk is not None:
        pk, qk = together((pk, qk), axis)
        if axis is not None:
            pk, qk = np.broadcast_arrays(pk, qk)
    rows = rows_of("entropy", pk, axis, nan_policy)
    rows = rows / np.sum(rows, axis=0)
    if qk is None:
        found = np.sum(scipy.special.entr(rows), axis=0)
    else:
        others = rows_of("entropy", qk, axis, nan_policy)
        found = np.sum(scipy.special.rel_entr(rows, others / np.sum(others, axis=0)), axis=0)
    return kept(found if base is None else found / np.log(base).astype(found.dtype), pk, axis, keepdims)


def describe(a, axis=0, ddof=1, bias=True, nan_policy="propagate"):
    """scipy.stats.describe."""
    rows = rows_of("describe", a, axis, nan_policy)
    given = np.asarray(a).ravel() if axis is None else np.asarray(a)
    place = 0 if axis is None else axis
    bounds = np.min(given, axis=place), np.max(given, axis=place)
    return DescribeResult(np.int64(rows.shape[0]), bounds, np.mean(rows, axis=0), np.var(rows, axis=0, ddof=ddof), skew(rows, 0, bias), kurtosis(rows, 0, True, bias))


def _angles(name, given, high, low, axis, nan_policy):
    rows = rows_of(name, given, axis, nan_policy) * (2.0 * np.pi / (high - low))
    return np.mean(np.sin(rows), axis=0), np.mean(np.cos(rows), axis=0)


def circmean(samples, high=2 * np.pi, low=0, axis=None, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.circmean: of angles, or of what repeats otherwise."""
    sines, cosines = _angles("circmean", samples, high, low, axis, nan_policy)
    period = high - low
    found = (np.arctan2(sines, cosines) * (period / (2.0 * np.pi)) - low) % period + low
    return kept(found, samples, axis, keepdims)


def circvar(samples, high=2 * np.pi, low=0, axis=None, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.circvar: 1 less the length of the mean direction."""
    sines, cosines = _angles("circvar", samples, high, low, axis, nan_policy)
    return kept(1.0 - np.minimum(np.hypot(sines, cosines), 1.0), samples, axis, keepdims)


def circstd(samples, high=2 * np.pi, low=0, axis=None, nan_policy="propagate", *, normalize=False, keepdims=False):
    """scipy.stats.circstd."""
    sines, cosines = _angles("circstd", samples, high, low, axis, nan_policy)
    found = np.sqrt(-2 * np.log(np.minimum(np.hypot(sines, cosines), 1.0)))
    return kept(found if normalize else found * ((high - low) / (2.0 * np.pi)), samples, axis, keepdims)


DESCRIPTIVE: dict[str, Any] = {
    f"scipy.stats.{function.__name__}": function
    for function in (
        zscore, zmap, moment, skew, kurtosis, sem, variation, gmean, hmean, pmean, gstd, trim_mean, tmean, tvar, tstd, iqr, median_abs_deviation, mode, rankdata, entropy, describe, circmean, circvar, circstd,
    )
}  # fmt: skip
"""By qualified name."""
