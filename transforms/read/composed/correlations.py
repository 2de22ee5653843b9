"""scipy.stats: Pearson's correlation along an axis, and Spearman's of the columns of matrices."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.descriptive import ranks
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.statistical_results import SIDES, PearsonRResult, SignificanceResult, chance_of_t


def _floats(name, a):
    a = np.asarray(a)
    if a.dtype.kind == "c" or a.dtype == np.float16:
        unsupported(f"scipy.stats.{name} of {a.dtype}", "floats")
    return a if a.dtype.kind == "f" else a.astype(np.float64)


def _correlation(x, y):
    """Along the last axis, between -1 and 1; nan where one of them does not change."""
    x_gaps, y_gaps = x - np.mean(x, axis=-1, keepdims=True), y - np.mean(y, axis=-1, keepdims=True)
    level = np.all(x == x[..., :1], axis=-1, keepdims=True) | np.all(y == y[..., :1], axis=-1, keepdims=True)
    x_most, y_most = np.max(np.abs(x_gaps), axis=-1, keepdims=True), np.max(np.abs(y_gaps), axis=-1, keepdims=True)  # squares that are no numbers any more
    x_gaps, y_gaps = x_gaps / np.where(level, 1, x_most), y_gaps / np.where(level, 1, y_most)
    level = level[..., 0]
    x_size, y_size = np.sqrt(np.sum(x_gaps**2, axis=-1)), np.sqrt(np.sum(y_gaps**2, axis=-1))
    x_unit, y_unit = x_gaps / np.where(level, 1, x_size)[..., np.newaxis], y_gaps / np.where(level, 1, y_size)[..., np.newaxis]
    return np.where(level, np.nan, np.clip(np.sum(x_unit * y_unit, axis=-1), -1.0, 1.0)).astype(x.dtype)[()]


def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    """scipy.stats.pearsonr."""
    import scipy.special

    if method is not None:
        unsupported("scipy.stats.pearsonr(…, method=…)", "without it")
    x, y = _floats("pearsonr", x), _floats("pearsonr", y)
    kind, count = np.result_type(x, y), max(x.ndim, y.ndim)
    x, y = x.astype(kind), y.astype(kind)
    x, y = (x.ravel(), y.ravel()) if axis is None else (x.reshape((1,) * (count - x.ndim) + x.shape), y.reshape((1,) * (count - y.ndim) + y.shape))
    axis = 0 if axis is None else axis
    if x.shape[axis] != y.shape[axis]:
        raise ValueError("`x` and `y` must have the same length along `axis`.")
    n = x.shape[axis]
    if n < 2:
        raise ValueError("`x` and `y` must have length at least 2.")
    if alternative not in SIDES:
        raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")
    r = _correlation(np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1))
    if n == 2:
        return PearsonRResult(np.round(r), np.where(np.isnan(r), np.nan, 1.0).astype(kind)[()], 2.0, SIDES[alternative])
    half = n / 2 - 1
    if alternative == "two-sided":
        chance = 2 * scipy.special.betaincc(half, half, (1 + np.abs(r)) / 2)
    elif alternative == "less":
        chance = scipy.special.betainc(half, half, (1 + r) / 2)
    else:
        chance = scipy.special.betaincc(half, half, (1 + r) / 2)
    return PearsonRResult(r, chance.astype(kind), float(n), SIDES[alternative])


def spearmanr(a, b=None, axis=0, nan_policy="propagate", alternative="two-sided"):
    """scipy.stats.spearmanr: the correlation of ranks; of two columns numbers, of more a matrix."""
    if nan_policy not in ("propagate", "raise"):
        unsupported(f"scipy.stats.spearmanr(…, nan_policy={nan_policy!r})", "nan_policy='propagate', of what np.isnan left out")
    if axis is not None and axis > 1:
        raise ValueError(f"spearmanr only handles 1-D or 2-D arrays, supplied axis argument {axis}, please use only values 0, 1 or None for axis")
    columns = _columns(_floats("spearmanr", a), axis)
    if b is not None:
        others = _columns(_floats("spearmanr", b), axis)
        if others.shape[0] != columns.shape[0]:
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        columns = np.concatenate((columns, others), axis=1)
    elif np.ndim(a) < 2 or axis is None:
        raise ValueError("`spearmanr` needs at least 2 variables to compare")
    n, count = columns.shape
    if n < 3:
        raise NotImplementedError("scipy.stats.spearmanr of fewer than three samples (the result is nan) is not supported")
    if nan_policy == "raise" and np.any(np.isnan(columns)):
        raise ValueError("The input contains nan values")
    if count == 2:
        r = _correlation(ranks(columns[:, 0]), ranks(columns[:, 1]))
        t = r * np.sqrt(np.maximum((n - 2) / ((r + 1.0) * (1.0 - r)), 0))
        return SignificanceResult(r, chance_of_t(t, n - 2, alternative))
    if np.all(columns[:, 0] == columns[0, 0]) or np.all(columns[:, 1] == columns[0, 1]):
        raise NotImplementedError("scipy.stats.spearmanr of a matrix whose first columns do not change (the result is one nan) is not supported")
    order = np.empty((count, n))
    for k in range(count):
        order[k] = ranks(columns[:, k])
    r = _correlation(order[:, np.newaxis], order)
    r = np.where((np.eye(count) > 0) & (r > 0.0), 1.0, r)
    away = np.where(np.abs(r) == 1.0, 0.0, r)
    t = np.where(np.abs(r) == 1.0, r * np.inf, away * np.sqrt((n - 2) / ((away + 1.0) * (1.0 - away))))
    return SignificanceResult(r, chance_of_t(t, n - 2, alternative))


def _columns(a, axis):
    """With the samples along the first axis."""
    if a.ndim > 2:
        raise ValueError("spearmanr only handles 1-D or 2-D arrays")
    rows = a.ravel() if axis is None else a
    return rows[:, np.newaxis] if rows.ndim == 1 else rows.T if axis in (1, -1) else rows


CORRELATIONS: dict[str, Any] = {"scipy.stats.pearsonr": pearsonr, "scipy.stats.spearmanr": spearmanr}
"""By qualified name."""
