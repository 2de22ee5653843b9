"""scipy.stats: tests and estimates that count: binomial tests, empirical distributions, directions, agreement of orders. Formulas and their words are SciPy's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.descriptive import rows_of
from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.statistical_results import (
    SIDES,
    BinomTestResult,
    DirectionalStats,
    ECDFResult,
    EmpiricalDistributionFunction,
    SignificanceResult,
    SomersDResult,
    beyond,
)
from s2s.transforms.read.installed import SCIPY_1_18

# ---- binomial test -------------------------------------------------------------------------------------------------------------------


def _whole(value, name, least):
    if SCIPY_1_18 and (np.ndim(value) != 0 or np.asarray(value).dtype.kind not in "iu" or value < least):
        raise NotImplementedError(f"scipy.stats.binomtest whose {name} is no count, or several (since SciPy 1.18 nan, or arrays), is not supported")
    if np.ndim(value) != 0 or np.asarray(value).dtype.kind not in "iu":
        raise TypeError(f"{name} must be an integer.")
    if value < least:
        raise ValueError(f"{name} must be greater than or equal to {least}.")
    return value


def _last_place(mass, limit, low, high):
    """The last of rising masses that is not above a limit; `low` less 1 where none is."""
    while low < high:
        middle = low + (high - low + 1) // 2
        if mass(middle) <= limit:
            low = middle
        else:
            high = middle - 1
    return low if mass(low) <= limit else low - 1


def _both_sides(k, n, p):
    """The probability of all counts that are not likelier."""
    import scipy.stats

    limit = scipy.stats.binom.pmf(k, n, p) * (1.0 + 1e-7)
    if k == p * n:
        return 1.0
    if k < p * n:
        far = n - _last_place(lambda place: scipy.stats.binom.pmf(n - place, n, p), limit, 0, n - int(np.ceil(p * n)))
        return scipy.stats.binom.cdf(k, n, p) + scipy.stats.binom.sf(far - 1, n, p)
    near = _last_place(lambda place: scipy.stats.binom.pmf(place, n, p), limit, 0, int(np.floor(p * n)))
    return scipy.stats.binom.cdf(near, n, p) + scipy.stats.binom.sf(k - 1, n, p)


def binomtest(k, n, p=0.5, alternative="two-sided"):
    """scipy.stats.binomtest."""
    import scipy.stats

    k, n = _whole(k, "k", 0), _whole(n, "n", 1)
    if SCIPY_1_18 and not (k <= n and 0 <= p <= 1):
        raise NotImplementedError("scipy.stats.binomtest of more successes than trials, or of no probability (since SciPy 1.18 nan), is not supported")
    if k > n:
        raise ValueError(f"k ({k}) must not be greater than n ({n}).")
    if not 0 <= p <= 1:
        raise ValueError(f"p ({p}) must be in range [0,1]")
    if alternative not in SIDES:
        raise ValueError(f"alternative ('{alternative}') not recognized; \nmust be 'two-sided', 'less' or 'greater'")
    if alternative == "less":
        chance = scipy.stats.binom.cdf(k, n, p)
    elif alternative == "greater":
        chance = scipy.stats.binom.sf(k - 1, n, p)
    else:
        chance = np.minimum(_both_sides(k, n, p), 1.0)
    if SCIPY_1_18:
        dtype = np.result_type(k, n, p, 1.0)
        return BinomTestResult(k, n, np.asarray(k / n, dtype)[()], np.asarray(chance, dtype)[()], SIDES[alternative])
    return BinomTestResult(k, n, k / n, chance, SIDES[alternative])


# ---- empirical distributions, directions --------------------------------------------------------------------------------------------


def ecdf(sample):
    """scipy.stats.ecdf of samples all of which are seen."""
    sample = np.asarray(sample)
    sample = sample if sample.dtype.kind == "c" else sample.astype(np.float64)
    if sample.ndim != 1:
        raise ValueError("`sample` must be a one-dimensional sequence.")
    if sample.dtype.kind == "c":
        unsupported(f"scipy.stats.ecdf of {sample.dtype}", "floats")
    if np.any(np.isnan(sample)):
        raise ValueError("The sample must not contain NaNs.")
    values, events = np.unique(sample, return_counts=True)
    up_to, n = np.cumsum(events), sample.shape[0]
    at_risk, chances = n - up_to + events, up_to / n
    return ECDFResult(EmpiricalDistributionFunction(values, chances, 0.0, at_risk, events), EmpiricalDistributionFunction(values, 1.0 - chances, 1.0, at_risk, events))


def directional_stats(samples, *, axis=0, normalize=True):
    """scipy.stats.directional_stats: the mean of directions, each along the last axis."""
    samples = np.asarray(samples)
    if samples.ndim < 2:
        raise ValueError(f"samples must at least be two-dimensional. Instead samples has shape: {samples.shape}")
    rows = np.moveaxis(samples, axis, 0)
    rows = rows / np.sqrt(np.sum(rows * rows, axis=-1, keepdims=True)) if normalize else rows
    mean = np.mean(rows, axis=0)
    length = np.sqrt(np.sum(mean * mean, axis=-1))
    return DirectionalStats(mean / length[..., np.newaxis], length)


def quantile(x, p, *, method="linear", axis=0, nan_policy="propagate", keepdims=None, weights=None):
    """scipy.stats.quantile of one probability, or of several of one axis of samples; nan where that is no probability."""
    if weights is not None or keepdims is False and np.ndim(p) > 0:
        unsupported("scipy.stats.quantile(…, weights=…)", "samples that count alike")
    if np.ndim(p) > 1 or np.ndim(p) == 1 and np.ndim(x) > 1:
        unsupported("scipy.stats.quantile of probabilities of several axes", "one probability, or one axis of samples")
    if method not in ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "hazen", "interpolated_inverted_cdf", "linear", "median_unbiased", "normal_unbiased", "weibull"):
        unsupported(f"scipy.stats.quantile(…, method={method!r})", "method='linear' or another of numpy.quantile's")
    if np.asarray(p).dtype.kind != "f":
        raise ValueError("`p` must have real floating dtype.")
    if np.asarray(x).dtype.kind == "b":
        raise ValueError("`x` must have real dtype.")
    rows = rows_of("quantile", x, axis, nan_policy)
    p = p if np.ndim(p) == 0 else np.asarray(p)
    dtype, p = np.result_type(rows, p), np.asarray(p)
    valid = (p >= 0) & (p <= 1)
    found = np.quantile(rows, np.where(valid, p, 0.5), axis=0, method=method)
    found = np.where(valid, found, np.nan).astype(dtype)[()]
    if keepdims is None and p.ndim > 0 and surely(p.shape[0] == 1):
        return found[0]
    if not keepdims or p.ndim > 0:
        return found
    return np.reshape(found, (1,) * np.ndim(x)) if axis is None else np.expand_dims(found, axis)


# ---- agreement of orders ------------------------------------------------------------------------------------------------------------


def _hyperbolic(rank):
    return 1.0 / (1.0 + rank)


def _weighted(x, y, rank, weigher, additive):
    """Of all pairs that are in one order in both, less those that are not, by weights."""
    n = x.shape[0]
    weights = np.empty(n)
    for k in range(n):
        weights[k] = weigher(rank[k])
    both = of_x = of_y = 0.0
    for k in range(n):
        pair = weights[k] + weights[k + 1 :] if additive else weights[k] * weights[k + 1 :]
        x_signs, y_signs = np.sign(x[k + 1 :] - x[k]), np.sign(y[k + 1 :] - y[k])
        both += np.sum(pair * x_signs * y_signs)
        of_x += np.sum(pair * np.abs(x_signs))
        of_y += np.sum(pair * np.abs(y_signs))
    most = np.sqrt(of_x) * np.sqrt(of_y)
    return np.where(most == 0.0, np.nan, np.clip(both / np.where(most == 0.0, 1.0, most), -1.0, 1.0))[()]


def _falling_ranks(x, y):
    """0 for the largest x, those with the largest y first."""
    order = np.lexsort((y, x))[::-1]
    rank = np.empty(order.shape, np.int64)
    rank[order] = np.arange(order.shape[0])
    return rank


def weightedtau(x, y, rank=True, weigher=None, additive=True, *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.weightedtau of two samples."""
    if axis is not None or nan_policy != "propagate" or keepdims:
        unsupported("scipy.stats.weightedtau(…, axis, nan_policy, keepdims)", "two samples")
    x, y = np.ravel(np.asarray(x)), np.ravel(np.asarray(y))
    x, y = x if x.dtype.kind == "f" else x.astype(np.float64), y if y.dtype.kind == "f" else y.astype(np.float64)
    if x.shape[0] != y.shape[0]:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    if x.shape[0] == 0 or np.any(np.isnan(x)) or np.any(np.isnan(y)):
        raise NotImplementedError("scipy.stats.weightedtau of no samples or of samples that are nan is not supported")
    weigher = _hyperbolic if weigher is None else weigher
    if rank is True:
        tau = (_weighted(x, y, _falling_ranks(x, y), weigher, additive) + _weighted(x, y, _falling_ranks(y, x), weigher, additive)) / 2.0
    else:
        given = np.arange(x.shape[0]) if rank is False else _falling_ranks(x, y) if rank is None else np.ravel(np.asarray(rank))
        if given.shape[0] != x.shape[0]:
            raise ValueError(f"All inputs to `weightedtau` must be of the same size, found x-size {x.shape[0]} and rank-size {given.shape[0]}")
        tau = _weighted(x, y, given, weigher, additive)
    return SignificanceResult(tau, np.full((), np.nan, np.result_type(x, y))[()])


def _table(x, y):
    """How often each value of x occurs with each of y."""
    x_values, x_places = np.unique(x, return_inverse=True)
    y_values, y_places = np.unique(y, return_inverse=True)
    table = np.zeros((x_values.shape[0], y_values.shape[0]), np.int64)
    for k in range(x.shape[0]):
        table[x_places[k], y_places[k]] += 1
    return table


def somersd(x, y=None, alternative="two-sided"):
    """scipy.stats.somersd of two rankings, or of a table of counts."""
    x = np.asarray(x)
    if x.ndim not in (1, 2):
        raise ValueError("x must be either a 1D or 2D array")
    if alternative not in SIDES:
        raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")
    if x.ndim == 1 and np.size(x) != np.size(y):
        raise ValueError("Rankings must be of equal length.")
    if x.ndim == 2 and np.any(x < 0):
        raise ValueError("All elements of the contingency table must be non-negative.")
    if x.ndim == 2 and np.any(x != np.floor(x)):
        raise ValueError("All elements of the contingency table must be integer.")
    if x.ndim == 2 and np.count_nonzero(x) < 2:
        raise ValueError("At least two elements of the contingency table must be nonzero.")
    table = _table(x, np.asarray(y)) if x.ndim == 1 else x
    counts = table.astype(np.float64)
    if counts.shape[0] <= 1 or counts.shape[1] <= 1:
        raise NotImplementedError("scipy.stats.somersd of rankings one of which is always the same (the result is nan) is not supported")
    same, other = _concordant(counts), _concordant(counts[:, ::-1])[:, ::-1]
    whole, gap = np.sum(counts), np.sum(counts * (same - other))
    d = gap / (whole**2 - np.sum(np.sum(counts, axis=1) ** 2))
    spread = np.sum(counts * (same - other) ** 2) - gap**2 / whole
    z = gap / np.sqrt(4.0 * spread)
    return SomersDResult(d, beyond(z, alternative), table)


def _concordant(counts):
    """For each cell, how many lie above it on the left or below it on the right."""
    sums = np.zeros((counts.shape[0] + 1, counts.shape[1] + 1))
    sums[1:, 1:] = np.cumsum(np.cumsum(counts, axis=0), axis=1)
    before = sums[:-1, :-1]
    behind = sums[-1:, -1:] - sums[-1:, 1:] - sums[1:, -1:] + sums[1:, 1:]
    return before + behind


GIVING: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (ecdf, directional_stats, weightedtau, somersd)}
"""Those that call functions or give objects with arrays: by qualified name."""
COUNTED: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (binomtest, quantile)} | GIVING
"""By qualified name."""
