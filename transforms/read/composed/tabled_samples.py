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


class BinnedStatistic2dResult(NamedTuple):
    """What scipy.stats.binned_statistic_2d gives."""

    statistic: Any
    x_edge: Any
    y_edge: Any
    binnumber: Any


class BinnedStatisticddResult(NamedTuple):
    """What scipy.stats.binned_statistic_dd gives."""

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
    x = np.asarray(x)
    limits = range if range is None or np.ndim(range) == 2 else (range,)
    found, edges, number = _binned("binned_statistic", (x,), values, statistic, (bins,), limits)
    return BinnedStatisticResult(found, edges[0], number)


def binned_statistic_2d(x, y, values, statistic="mean", bins=10, range=None, expand_binnumbers=False):
    """scipy.stats.binned_statistic_2d of values of one axis."""
    bins = bins if _several(bins) and len(bins) == 2 else (bins, bins)
    found, edges, number = _binned("binned_statistic_2d", (np.asarray(x), np.asarray(y)), values, statistic, bins, range)
    return BinnedStatistic2dResult(found, edges[0], edges[1], _by_axes(number, edges) if expand_binnumbers else number)


def binned_statistic_dd(sample, values, statistic="mean", bins=10, range=None, expand_binnumbers=False, binned_statistic_result=None):
    """scipy.stats.binned_statistic_dd of values of one axis."""
    if binned_statistic_result is not None:
        unsupported("scipy.stats.binned_statistic_dd(…, binned_statistic_result=…)", "its edges: bins=…")
    if isinstance(sample, tuple | list):
        parts = [np.asarray(part) for part in sample]
    else:
        parts = [sample[:, k] for k in np.arange(sample.shape[1])] if np.ndim(sample) == 2 else [np.asarray(sample)]
    if _several(bins) and len(bins) != len(parts):
        raise AttributeError("The dimension of bins must be equal to the dimension of the sample x.")
    found, edges, number = _binned("binned_statistic_dd", parts, values, statistic, bins if _several(bins) else [bins for _ in parts], range)
    return BinnedStatisticddResult(found, edges, _by_axes(number, edges) if expand_binnumbers and len(parts) > 1 else number)


def _several(bins):
    """Whether bins are given for each axis."""
    return isinstance(bins, tuple | list) or np.ndim(bins) > 0


def _binned(name, parts, values, statistic, bins, limits):
    """What is told of the values in each bin, the edges along each axis, and the bin of each value, those beyond the edges counted."""
    values = np.asarray(values)
    if values.ndim != 1 or values.dtype.kind == "c":
        unsupported(f"scipy.stats.{name} of other than numbers of one axis", "a loop over the rows")
    if not callable(statistic) and statistic not in ("mean", "median", "count", "sum", "std", "min", "max"):
        raise ValueError(f"invalid statistic {statistic!r}")
    dtype = np.result_type(*parts)
    edges, number, count = [], 0, 1
    for k, part in enumerate(parts):
        if part.ndim != 1:
            unsupported(f"scipy.stats.{name} of other than numbers of one axis", "a loop over the rows")
        if part.shape[0] != values.shape[0]:
            raise AttributeError("The number of `values` elements must match the length of each `sample` dimension.")
        own = _edges(part, bins[k], None if limits is None else limits[k], dtype if dtype.kind == "f" else np.dtype(np.float64))
        number = number * (own.shape[0] + 1) + _numbers(constant(part), constant(own))
        count = count * (own.shape[0] + 1)
        edges.append(own)
    found = _of_bins(values.astype(np.float64), number, count, statistic).reshape([own.shape[0] + 1 for own in edges])
    for k in range(len(edges)):
        found = np.moveaxis(np.moveaxis(found, k, 0)[1:-1], 0, k)
    return found, edges, number


def _by_axes(number, edges):
    """The bin along each axis."""
    parts = []
    for own in edges[::-1]:
        parts.append(number % (own.shape[0] + 1))
        number = number // (own.shape[0] + 1)
    return np.stack(parts[::-1])


def _edges(x, bins, limits, dtype):
    if np.ndim(bins) > 0:
        return np.asarray(bins, dtype)
    if not np.all(np.isfinite(x)):
        raise ValueError("the sample contains non-finite values.")
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


NAMES = {np.mean: "mean", np.std: "std", np.sum: "sum", np.median: "median", np.min: "min", np.max: "max"}
"""What SciPy computes as if it were named."""


def _of_bins(values, number, count, statistic):
    name = statistic if isinstance(statistic, str) else None
    for function, other in NAMES.items():
        if statistic is function:
            name = other
    counts, sums = np.zeros(count), np.zeros(count)
    np.add.at(counts, number, 1.0)
    np.add.at(sums, number, values)
    if name in ("count", "sum"):
        return counts if name == "count" else sums
    held = np.maximum(counts, 1.0)
    mean = sums / held
    if name in ("mean", "std"):
        squares = np.zeros(count)
        np.add.at(squares, number, (values - mean[number]) ** 2)
        spread = squares > 0  # of one value, or of equal ones, the derivative is 0
        return np.where(counts > 0, mean if name == "mean" else np.where(spread, np.sqrt(np.where(spread, squares, 1.0) / held), squares), np.nan)
    found = np.full(count, np.nan if name is not None else _of_nothing(statistic))
    for k in range(count):
        own = values[number == k]
        if own.shape[0] > 0:
            found[k] = statistic(own) if name is None else np.median(own) if name == "median" else np.min(own) if name == "min" else np.max(own)
    return found


def _of_nothing(statistic):
    """The statistic of an empty bin, nan where it has none."""
    try:
        return float(statistic([]))
    except Exception:  # noqa: BLE001 - as SciPy does
        return np.nan


TABLED = {"scipy.stats.fisher_exact": fisher_exact}
"""By qualified name."""
CALLING: dict[str, Any] = {"scipy.stats.binned_statistic": binned_statistic, "scipy.stats.binned_statistic_2d": binned_statistic_2d, "scipy.stats.binned_statistic_dd": binned_statistic_dd}
"""That may call the user's function."""
