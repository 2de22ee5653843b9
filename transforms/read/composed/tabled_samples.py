"""scipy.stats: Fisher's exact test of a table of four counts, and what is told of the values in each bin."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.statistical_results import SignificanceResult

ROUNDING = 1.0 + 1e-14
"""Probabilities are the same within this factor."""


class BinnedStatisticResult(NamedTuple):
    """What scipy.stats.binned_statistic gives."""

    statistic: Any
    bin_edges: Any
    binnumber: Any


# ---- a table of four counts ---------------------------------------------------------------------------------------------------------------


def fisher_exact(table, alternative=None, *, method=None):
    """scipy.stats.fisher_exact of two rows and two columns."""
    c = np.asarray(table)
    if c.ndim != 2:
        raise ValueError("The input `table` must have two dimensions.")
    c = c.astype(np.int64)
    if np.any(c < 0):
        raise ValueError("All values in `table` must be nonnegative.")
    if method is not None or c.shape[0] != 2 or c.shape[1] != 2:
        unsupported("scipy.stats.fisher_exact of a table of other than four counts, or with a method", "scipy.stats.chi2_contingency")
    if alternative not in (None, "two-sided", "less", "greater"):
        raise ValueError("`alternative` should be one of {'two-sided', 'less', 'greater'}")
    first, other, third, last = c[0, 0], c[0, 1], c[1, 0], c[1, 1]
    empty = (first + other == 0) | (third + last == 0) | (first + third == 0) | (other + last == 0)
    finite = (third > 0) & (other > 0)
    ratio = np.where(empty, np.nan, np.where(finite, first * last / np.where(finite, third * other, 1), np.inf))
    return SignificanceResult(ratio[()], np.where(empty, 1.0, _chance(first, other, third, last, alternative))[()])


def _chance(first, other, third, last, alternative):
    """Of a table with these sums in which the first count is like that one."""
    import scipy.stats

    total, row, column = first + other + third + last, first + other, first + third
    counts = np.arange(max(0, column - third - last), min(row, column) + 1)
    masses = scipy.stats.hypergeom.pmf(counts, total, row, column)
    if alternative == "less":
        chosen = counts <= first
    elif alternative == "greater":
        chosen = counts >= first
    else:
        chosen = masses <= np.sum(np.where(counts == first, masses, 0.0)) * ROUNDING
    return np.minimum(np.sum(np.where(chosen, masses, 0.0)), 1.0)


# ---- bins -----------------------------------------------------------------------------------------------------------------------------------


def binned_statistic(x, values, statistic="mean", bins=10, range=None):
    """scipy.stats.binned_statistic of values of one axis."""
    x, values = np.asarray(x), np.asarray(values)
    if x.ndim != 1 or values.ndim != 1:
        unsupported("scipy.stats.binned_statistic of other than numbers of one axis", "a loop over the rows")
    if x.shape[0] != values.shape[0]:
        raise AttributeError("The number of `values` elements must match the length of each `sample` dimension.")
    if not callable(statistic) and statistic not in ("mean", "median", "count", "sum", "std", "min", "max"):
        raise ValueError(f"invalid statistic {statistic!r}")
    edges = _edges(x, bins, range)
    number = _numbers(constant(x), constant(edges))
    return BinnedStatisticResult(_of_bins(values.astype(np.float64), number, edges.shape[0] - 1, statistic), edges, number)


def _edges(x, bins, limits):
    dtype = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    if np.ndim(bins) > 0:
        return np.asarray(bins, dtype)
    low, high = (np.min(x), np.max(x)) if limits is None else (limits[0], limits[1])
    if limits is not None and high < low:
        raise ValueError("In range, start must be <= stop")
    low, high = np.float64(low), np.float64(high)
    same = 0.5 if low == high else 0.0
    return np.linspace(low - same, high + same, bins + 1, dtype=dtype)


def _numbers(x, edges):
    """Which bin each number is in, from 1 on; the last edge belongs to the last bin."""
    least = np.min(np.diff(edges))
    if least == 0:
        raise ValueError("The smallest edge difference is numerically 0.")
    digits = 10.0 ** (np.trunc(-np.log10(least)) + 6)
    at_end = (x >= edges[-1]) & (np.rint(x * digits) == np.rint(edges[-1] * digits))
    return np.digitize(x, edges) - at_end


def _of_bins(values, number, count, statistic):
    counts, sums = np.zeros(count + 2), np.zeros(count + 2)
    np.add.at(counts, number, 1.0)
    np.add.at(sums, number, values)
    if not callable(statistic) and statistic in ("count", "sum"):
        return (counts if statistic == "count" else sums)[1:-1]
    held = np.maximum(counts, 1.0)
    mean = sums / held
    if not callable(statistic) and statistic in ("mean", "std"):
        squares = np.zeros(count + 2)
        np.add.at(squares, number, (values - mean[number]) ** 2)
        return np.where(counts > 0, mean if statistic == "mean" else np.sqrt(squares / held), np.nan)[1:-1]
    found = np.full(count, np.nan)
    for k in range(count):
        own = values[number == k + 1]
        if own.shape[0] > 0:
            found[k] = statistic(own) if callable(statistic) else np.median(own) if statistic == "median" else np.min(own) if statistic == "min" else np.max(own)
    return found


TABLED = {"scipy.stats.fisher_exact": fisher_exact}
"""By qualified name."""
CALLING = {"scipy.stats.binned_statistic": binned_statistic}
"""That may call the user's function."""
