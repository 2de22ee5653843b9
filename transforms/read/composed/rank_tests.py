"""scipy.stats: tests that look at the order of samples alone, at tables of counts, and the place of a score among others. Of one axis of numbers.

The distributions of small samples are counted: coefficients of polynomials, or the paths between two corners of a grid.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.comparisons import divergence, power_named
from s2s.transforms.read.composed.descriptive import ranks, rows_of
from s2s.transforms.read.composed.kolmogorov import beyond_distance
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sample_rows import by_rows
from s2s.transforms.read.composed.statistical_results import KstestResult, SignificanceResult, beyond
from s2s.transforms.read.installed import SCIPY_1_18


class MannwhitneyuResult(NamedTuple):
    """What scipy.stats.mannwhitneyu gives."""

    statistic: Any
    pvalue: Any


class WilcoxonResult(NamedTuple):
    """What scipy.stats.wilcoxon gives."""

    statistic: Any
    pvalue: Any


class Chi2ContingencyResult(NamedTuple):
    """What scipy.stats.chi2_contingency gives."""

    statistic: Any
    pvalue: Any
    dof: Any
    expected_freq: Any


def _need(alternative):
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError("`alternative` must be one of {'two-sided', 'less', 'greater'}.")


def tie_sum(x):
    """The sum of t^3 - t over groups of t equal numbers."""
    ordered = np.sort(x)
    count = np.searchsorted(ordered, x, side="right") - np.searchsorted(ordered, x, side="left")
    return np.sum(count * count - 1.0)


# ---- two samples --------------------------------------------------------------------------------------------------------------------


def _ways(n, m):
    """In how many orders of n and m numbers each count of pairs in the wrong order occurs."""
    found = np.zeros(n * m + 1)
    found[0] = 1.0
    for k in range(1, n + 1):
        for place in range(n * m, m + k - 1, -1):
            found[place] -= found[place - m - k]
        for place in range(k, n * m + 1):
            found[place] += found[place - k]
    return found


def mannwhitneyu(x, y, use_continuity=True, alternative="two-sided", axis=0, method="auto", *, nan_policy="propagate", keepdims=False):
    """scipy.stats.mannwhitneyu."""
    _need(alternative)
    if use_continuity not in (False, True):
        raise ValueError("`use_continuity` must be one of {False, True}.")
    if method not in ("auto", "asymptotic", "exact"):
        unsupported("scipy.stats.mannwhitneyu with another method", "'auto', 'asymptotic' or 'exact'")

    def statistic(x, y, counted):
        return _two_sides(x.astype(np.float64), y.astype(np.float64), use_continuity, alternative, method == "exact" or method == "auto" and counted)

    return MannwhitneyuResult(*by_rows("mannwhitneyu", statistic, (x, y), axis, nan_policy, keepdims, alike=_counted))


def _counted(x, y):
    """Whether SciPy counts the probability: one sample is small, and no two numbers are equal."""
    return (x.shape[0] <= 8 or y.shape[0] <= 8) and tie_sum(np.concatenate((x, y))) == 0


def _two_sides(x, y, use_continuity, alternative, exact):
    """The statistic and the probability."""
    n, m = x.shape[0], y.shape[0]
    both = np.concatenate((x, y))
    first = np.sum(ranks(both)[:n]) - n * (n + 1) / 2.0
    second = n * m - first
    chosen = np.maximum(first, second) if alternative == "two-sided" else first if alternative == "greater" else second
    if exact:
        counts = _ways(min(n, m), max(n, m))
        chance = np.sum(counts[np.arange(n * m + 1) >= np.floor(chosen)]) / np.sum(counts)
    else:
        spread = np.sqrt(n * m / 12.0 * ((n + m + 1) - tie_sum(both) / ((n + m) * (n + m - 1.0))))
        chance = beyond((chosen - n * m / 2.0 - (0.5 if use_continuity else 0.0)) / spread, "greater")
    chance = 2.0 * chance if alternative == "two-sided" else chance
    return first, np.clip(chance, 0.0, 1.0)


COUNTED = 10000
"""As many numbers in a sample as SciPy counts the probability of."""


def ks_2samp(data1, data2, alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.ks_2samp, with the probability counted, or of large samples Smirnov's and Hodges' formulas."""
    _need(alternative)
    if method not in ("auto", "exact", "asymp"):
        raise ValueError(f"Invalid value for mode: {method}")
    if max(np.ndim(data1), np.ndim(data2)) > 1 and axis is not None:
        return KstestResult(*by_rows("ks_2samp", lambda x, y: _two_steps(x, y, alternative, method), (data1, data2), axis, nan_policy, keepdims, count=4, double=True))
    x, y = rows_of("ks_2samp", data1, axis, nan_policy, omits=True), rows_of("ks_2samp", data2, axis, nan_policy, omits=True)
    found = _two_steps(x, y, alternative, method)
    return KstestResult(*(np.reshape(each, (1,) * max(np.ndim(data1), np.ndim(data2))) if keepdims else each for each in found))


def _two_steps(x, y, alternative, method):
    x, y = np.sort(x.astype(np.float64)), np.sort(y.astype(np.float64))
    n, m = x.shape[0], y.shape[0]
    if min(n, m) == 0:
        raise ValueError("Data passed to ks_2samp must not be empty")
    if method == "exact" and max(n, m) > COUNTED:
        raise NotImplementedError("scipy.stats.ks_2samp(…, method='exact') of more than 10000 numbers")
    both = np.concatenate((x, y))
    gaps = np.searchsorted(x, both, side="right") * m - np.searchsorted(y, both, side="right") * n
    lowest, highest = np.argmin(gaps), np.argmax(gaps)
    below, above = np.maximum(-gaps[lowest], 0), gaps[highest]
    is_below = alternative == "less" or alternative == "two-sided" and below > above
    most = np.where(is_below, below, above)
    if method == "asymp" or max(n, m) > COUNTED:
        chance = _of_many(max(n, m) * 1.0, min(n, m) * 1.0, most / (n * m), alternative)
    else:
        chance = _left(n, m, most, alternative)
    none = np.any(np.isnan(both))
    place, sign = np.where(is_below, both[lowest], both[highest])[()], np.where(is_below, np.int8(-1), np.int8(1))[()]
    return (np.where(none, np.nan, most / (n * m))[()], np.where(none, np.nan, np.clip(chance, 0.0, 1.0))[()], place, sign)


def _of_many(m, n, distance, alternative):
    """The probability of a distance as large of many numbers, n of them not more than m."""
    pairs = m * n / (m + n)
    if alternative == "two-sided":
        return beyond_distance(distance, int(np.round(pairs)))
    z = np.sqrt(pairs) * distance
    return np.exp(-2.0 * z**2 - 2.0 * z * (m + 2.0 * n) / np.sqrt(m * n * (m + n)) / 3.0)


def _left(n, m, most, alternative):
    """The probability that a path through a grid of n by m steps comes as far from the diagonal as `most`."""
    inside, total = np.zeros(m + 1), 0.0
    for i in range(n + 1):
        for j in range(m + 1):
            reached = 1.0 if i == 0 and j == 0 else 0.0
            if i > 0:
                reached = reached + inside[j] * ((n - i + 1.0) / (n + m - i - j + 1.0))
            if j > 0:
                reached = reached + inside[j - 1] * ((m - j + 1.0) / (n + m - i - j + 1.0))
            gap = i * m - j * n
            far = gap if alternative == "greater" else -gap if alternative == "less" else abs(gap)
            if far >= most:
                total = total + reached
                reached = 0.0
            inside[j] = reached
    return total


# ---- pairs ---------------------------------------------------------------------------------------------------------------------------


def wilcoxon(x, y=None, zero_method="wilcox", correction=False, alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.wilcoxon."""
    _need(alternative)
    if zero_method not in ("wilcox", "pratt", "zsplit") or method not in ("auto", "asymptotic", "exact"):
        unsupported("scipy.stats.wilcoxon with another method or zero_method", "zero_method='wilcox', 'pratt' or 'zsplit', method='auto', 'asymptotic' or 'exact'")
    if y is None:
        found = by_rows("wilcoxon", lambda x, plain: _wilcoxon(x, zero_method, correction, alternative, method, plain), (x,), axis, nan_policy, keepdims, paired=True, alike=_plain)
    else:
        found = by_rows("wilcoxon", lambda x, y, plain: _wilcoxon(_between(x, y), zero_method, correction, alternative, method, plain), (x, y), axis, nan_policy, keepdims, paired=True, alike=lambda x, y: _plain(_between(x, y)))
    return WilcoxonResult(*found)


def _between(x, y):
    if x.shape[0] != y.shape[0]:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    return x - y


def _plain(gaps):
    """Whether no difference is 0, and no two are equally large."""
    return np.all(gaps != 0) and tie_sum(np.abs(gaps)) == 0


def _wilcoxon(gaps, zero_method, correction, alternative, method, plain):
    gaps = gaps.astype(np.float64)
    kept = gaps[gaps != 0] if zero_method == "wilcox" else gaps
    n, size, none = kept.shape[0], gaps.shape[0], np.sum(gaps == 0) * 1.0
    order = ranks(np.abs(kept))
    up, down = np.sum(np.where(kept > 0, order, 0.0)), np.sum(np.where(kept < 0, order, 0.0))
    ties = tie_sum(np.abs(kept))
    moved = np.where(kept == 0, 0.0, order)
    half = np.sum(order - moved) / 2.0 if zero_method == "zsplit" else 0.0
    if method == "auto" and size <= 13 and not plain:
        chance = _signed(np.rint(2.0 * moved).astype(np.int64), 2.0 * up, alternative)
    elif method == "exact" or method == "auto" and size <= 50 and plain:
        chance = _signed(np.arange(1, n + 1), up + half, alternative)
    else:
        left = none if zero_method == "pratt" else 0.0
        whole = n * (n + 1.0) * (2.0 * n + 1.0) - left * (left + 1.0) * (2.0 * left + 1.0)
        spread = np.sqrt((whole - (ties - (left**3 - left)) / 2.0) / 24.0)
        z = (up + half - (n * (n + 1.0) - left * (left + 1.0)) * 0.25) / spread
        sign = np.sign(z) if alternative == "two-sided" else 1.0 if alternative == "greater" else -1.0
        chance = beyond(z - sign * 0.5 / spread if correction else z, alternative)
    statistic = np.minimum(up, down) + half if alternative == "two-sided" else up + half
    return statistic, chance


def _signed(order, up, alternative):
    """The probability of a sum of ranks of what is positive, where each sign is as likely as the other. Tied ranks are halves: all are given twice as large."""
    last = np.sum(order)
    counts = np.zeros(last + 1)
    counts[0] = 1.0
    for rank in order:
        for place in range(last, rank - 1, -1):
            counts[place] += counts[place - rank]
    places, whole = np.arange(last + 1), np.sum(counts)
    low, high = np.sum(counts[places <= np.ceil(up)]) / whole, np.sum(counts[places >= np.floor(up)]) / whole
    return np.minimum(2.0 * np.minimum(low, high), 1.0) if alternative == "two-sided" else low if alternative == "less" else high


def kendalltau(x, y, *, nan_policy="propagate", method="auto", variant="b", alternative="two-sided", axis=None, keepdims=False):
    """scipy.stats.kendalltau."""
    _need(alternative)
    if method not in ("auto", "asymptotic", "exact") or variant not in ("b", "c"):
        unsupported("scipy.stats.kendalltau with another method or variant", "variant='b' or 'c', method='auto', 'asymptotic' or 'exact'")
    return SignificanceResult(*by_rows("kendalltau", lambda x, y: _kendall(x, y, method, variant, alternative), (x, y), axis, nan_policy, keepdims, paired=True, least=2, double=not SCIPY_1_18))


def _kendall(x, y, method, variant, alternative):
    if x.shape[0] != y.shape[0]:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    n = x.shape[0]
    ahead = np.sum(_order(x) * _order(y)) / 2.0
    same_x, same_y = _equal(x), _equal(y)
    total = n * (n - 1) / 2.0
    pairs_x, pairs_y = np.sum(same_x - 1.0) / 2.0, np.sum(same_y - 1.0) / 2.0
    if variant == "b":
        tau = ahead / np.sqrt(total - pairs_x) / np.sqrt(total - pairs_y)
    else:
        classes = np.minimum(_classes(x), _classes(y))
        tau = 2.0 * ahead / (n**2 * (classes - 1.0) / classes)
    plain = pairs_x == 0 and pairs_y == 0
    agreeing = (total + ahead) / 2.0
    if method == "exact" and not plain:
        raise ValueError("Ties found, exact method cannot be used.")
    if method == "exact" or method == "auto" and plain and (n <= 33 or min(agreeing, total - agreeing) <= 1):
        if n > 170:
            raise NotImplementedError("scipy.stats.kendalltau's exact probability of more than 170 pairs; method='asymptotic' is there")
        chance = _inverted(n, agreeing, alternative)
    else:
        many = n * (n - 1.0)
        ends = np.sum((same_x - 1.0) * (2.0 * same_x + 5.0)) + np.sum((same_y - 1.0) * (2.0 * same_y + 5.0))
        shared = np.sum((same_x - 1.0) * (same_x - 2.0)) * np.sum((same_y - 1.0) * (same_y - 2.0))
        spread = (many * (2.0 * n + 5.0) - ends) / 18.0 + 2.0 * pairs_x * pairs_y / many + shared / (9.0 * many * (n - 2.0))
        chance = beyond(ahead / np.sqrt(spread), alternative)
    none = (pairs_x == total) | (pairs_y == total)
    return np.where(none, np.nan, np.clip(tau, -1.0, 1.0))[()], np.where(none, np.nan, chance)[()]


def _order(x):
    """Of each two numbers 1, 0 or -1: which is larger. No difference of them, which is nan of infinite ones."""
    return (x[:, np.newaxis] > x) * 1.0 - (x[:, np.newaxis] < x) * 1.0


def _classes(x):
    """How many different numbers there are."""
    return np.sum(np.diff(np.sort(x)) != 0) + 1.0


def _equal(x):
    """Of each number how many are equal to it, itself among them."""
    ordered = np.sort(x)
    return (np.searchsorted(ordered, x, side="right") - np.searchsorted(ordered, x, side="left")).astype(np.float64)


def _inverted(n, agreeing, alternative):
    """The probability that so many pairs of n numbers stand in order."""
    last = n * (n - 1) // 2
    share = np.zeros(last + 1)
    share[0] = 1.0
    for k in range(2, n + 1):
        running = np.cumsum(share)
        share = np.concatenate((running[:k], running[k:] - running[:-k])) / k if k <= last else running / k
    places = np.arange(last + 1)
    low, high = np.sum(share[places <= agreeing]), np.sum(share[places >= agreeing])
    return np.minimum(2.0 * np.minimum(low, high), 1.0) if alternative == "two-sided" else low if alternative == "less" else high


# ---- tables and scores ---------------------------------------------------------------------------------------------------------------


def chi2_contingency(observed, correction=True, lambda_=None, *, method=None):
    """scipy.stats.chi2_contingency of a table."""
    import scipy.special as sp

    observed = np.asarray(observed)
    if observed.ndim != 2 or method is not None:
        unsupported("scipy.stats.chi2_contingency of other than two factors, or with method", "a table, and scipy.stats.chisquare")
    power = power_named(lambda_)
    if np.any(observed < 0):
        raise ValueError("All values in `observed` must be nonnegative.")
    counts = observed.astype(np.float64)
    expected = np.sum(counts, axis=1)[:, np.newaxis] * np.sum(counts, axis=0) / np.sum(counts)
    if np.any(expected == 0):
        raise ValueError("The internally computed table of expected frequencies has a zero element.")
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    if freedom == 0:
        return Chi2ContingencyResult(0.0, 1.0, freedom, expected)
    gaps = expected - counts
    if freedom == 1 and correction:
        counts = counts + np.sign(gaps) * np.minimum(np.abs(gaps), 0.5)
    statistic = np.sum(divergence(counts, expected, power))
    return Chi2ContingencyResult(statistic, sp.gammaincc(freedom / 2.0, statistic / 2.0), freedom, expected)


def percentileofscore(a, score, kind="rank", nan_policy="propagate"):
    """scipy.stats.percentileofscore."""
    if nan_policy != "propagate":
        unsupported("scipy.stats.percentileofscore with a nan_policy", "numbers without nan")
    if kind not in ("rank", "strict", "weak", "mean"):
        raise ValueError("kind can only be 'rank', 'strict', 'weak' or 'mean'")
    a, score = np.asarray(a), np.asarray(score)
    if a.ndim != 1:
        raise ValueError("`a` must be 1-dimensional.")
    each, share = score[..., np.newaxis], 100.0 / len(a)
    below, until = np.count_nonzero(a < each, -1), np.count_nonzero(a <= each, -1)
    if kind == "strict":
        found = below * share
    elif kind == "weak":
        found = until * share
    else:
        found = (below + until + (below < until if kind == "rank" else 0)) * (share / 2.0)
    return np.where(np.any(np.isnan(a)) | np.isnan(score), np.nan, found)[()]


RANK_TESTS: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (mannwhitneyu, ks_2samp, wilcoxon, kendalltau, chi2_contingency, percentileofscore)}
"""By qualified name."""
