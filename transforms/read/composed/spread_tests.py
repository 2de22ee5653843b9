"""scipy.stats: further tests of samples against each other, and numbers that describe one: spreads, ranks' sums, medians, k-statistics, L-moments, expectiles. Formulas are SciPy's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.descriptive import kept, ranks, rows_of, zscore
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.rank_tests import chi2_contingency
from s2s.transforms.read.composed.sample_rows import by_each, by_rows
from s2s.transforms.read.composed.statistical_results import SIDES, AlexanderGovernResult, SignificanceResult, chance_of_z


class AnsariResult(NamedTuple):
    """What scipy.stats.ansari gives."""

    statistic: Any
    pvalue: Any


class RanksumsResult(NamedTuple):
    """What scipy.stats.ranksums gives."""

    statistic: Any
    pvalue: Any


class MedianTestResult(NamedTuple):
    """What scipy.stats.median_test gives."""

    statistic: Any
    pvalue: Any
    median: Any
    table: Any


def _tied(x):
    """Of each number how many are equal to it, itself among them."""
    ordered = np.sort(x)
    return np.searchsorted(ordered, x, side="right") - np.searchsorted(ordered, x, side="left")


# ---- two samples ------------------------------------------------------------------------------------------------------------------------------


def mood(x, y, axis=0, alternative="two-sided", *, nan_policy="propagate", keepdims=False):
    """scipy.stats.mood: squared distances of ranks from the middle. Tied numbers share the mean of what their places would have; nan of fewer than three."""
    return SignificanceResult(*by_rows("mood", lambda x, y: _mood(x, y, alternative), (x, y), axis, nan_policy, keepdims, least=0))


def _mood(x, y, alternative):
    m, n = x.shape[0], y.shape[0]
    whole = m + n
    if whole < 3:
        return np.nan, np.nan
    both = np.concatenate((x, y)).astype(np.float64)
    count = 1.0 * _tied(both)
    below = ranks(both) - (count + 1.0) / 2.0
    middle = (whole + 1.0) / 2.0
    scores = (below + (count + 1.0) / 2.0 - middle) ** 2 + (count * count - 1.0) / 12.0
    spread = m * n * (whole + 1.0) * (whole**2 - 4.0) / 180.0
    lost = np.sum((count**2 - 1.0) * (count**2 - 4.0 + 15.0 * (whole - 2.0 * below - count) ** 2))
    spread = spread - m * n / (180.0 * whole * (whole - 1.0)) * lost
    z = (np.sum(scores[:m]) - m * (1.0 * whole * whole - 1.0) / 12.0) / np.sqrt(spread)
    return z, chance_of_z(z, alternative)


def _inner(ranks_of_both):
    """The smaller of the places from either end."""
    return np.minimum(ranks_of_both, ranks_of_both.shape[0] - ranks_of_both + 1.0)


def _ways_of_sums(m, n):
    """In how many ways m of m + n numbers come to each sum of places from the nearer end."""
    places = np.minimum(np.arange(m + n) + 1, m + n - np.arange(m + n))
    last = m * ((m + n + 1) // 2)
    ways = np.zeros((m + 1, last + 1))
    ways[0, 0] = 1.0
    for place in places:
        for taken in range(m, 0, -1):
            ways[taken, place:] += ways[taken - 1, : last + 1 - place]
    return ways[m]


def ansari(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.ansari: sums of places from the nearer end, counted where samples are small and no number is there twice in a row."""
    if alternative not in SIDES:
        raise ValueError("'alternative' must be 'two-sided', 'greater', or 'less'.")
    return AnsariResult(*by_rows("ansari", lambda x, y, plain: _ansari(x, y, alternative, plain), (x, y), axis, nan_policy, keepdims, alike=_untied))


def _untied(x, y):
    return np.all(_tied(np.concatenate((x, y))) == 1)


def _ansari(x, y, alternative, plain):
    n, m = x.shape[0], y.shape[0]
    whole = n + m
    inner = _inner(ranks(np.concatenate((x, y)).astype(np.float64)))
    found = np.sum(inner[:n])
    if n < 55 and m < 55 and plain:
        ways = _ways_of_sums(n, m)
        sums = np.arange(ways.shape[0])
        low, high = np.sum(ways[sums <= found]) / np.sum(ways), np.sum(ways[sums >= found]) / np.sum(ways)
        chance = 2.0 * np.minimum(low, high) if alternative == "two-sided" else low if alternative == "greater" else high
        return found, np.minimum(chance, 1.0)
    odd = whole % 2
    middle = n * (whole + 1.0) ** 2 / 4.0 / whole if odd else n * (whole + 2.0) / 4.0
    squares = np.sum(inner**2)
    if odd:
        spread = m * n * (16.0 * whole * squares - (whole + 1.0) ** 4) / (16.0 * whole**2 * (whole - 1.0))
    else:
        spread = m * n * (16.0 * squares - whole * (whole + 2.0) ** 2) / (16.0 * whole * (whole - 1.0))
    return found, chance_of_z((middle - found) / np.sqrt(spread), alternative)


def ranksums(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.ranksums."""
    return RanksumsResult(*by_rows("ranksums", lambda x, y: _ranksums(x, y, alternative), (x, y), axis, nan_policy, keepdims, double=True))


def _ranksums(x, y, alternative):
    n, m = x.shape[0], y.shape[0]
    z = (np.sum(ranks(np.concatenate((x, y)))[:n]) - n * (n + m + 1) / 2.0) / np.sqrt(n * m * (n + m + 1) / 12.0)
    return z, chance_of_z(z, alternative)


# ---- several ----------------------------------------------------------------------------------------------------------------------------------


def median_test(*samples, ties="below", correction=True, lambda_=1, nan_policy="propagate"):
    """scipy.stats.median_test of samples without nan."""
    if len(samples) < 2:
        raise ValueError("median_test requires two or more samples.")
    if ties not in ("below", "above", "ignore"):
        raise ValueError("invalid 'ties' option; 'ties' must be one of: 'below', 'above', 'ignore'")
    samples = [np.asarray(sample) for sample in samples]
    for sample in samples:
        if sample.ndim != 1 or sample.shape[0] == 0:
            raise ValueError("All samples must be one-dimensional sequences of at least one value.")
    whole = np.concatenate(samples)
    if np.any(np.isnan(whole)):
        raise NotImplementedError("scipy.stats.median_test of nan; leave out what np.isnan says before")
    median = np.median(whole)
    above = np.stack([np.count_nonzero(sample >= median if ties == "above" else sample > median) for sample in samples])
    below = np.stack([np.count_nonzero(sample <= median if ties == "below" else sample < median) for sample in samples])
    table = np.stack((above, below))
    if np.sum(above) == 0 or np.sum(below) == 0:
        raise ValueError("All values are below or above the grand median.")
    if np.any(above + below == 0):
        raise ValueError("All values in a sample are equal to the grand median, so they are ignored, resulting in an empty sample.")
    found = chi2_contingency(table, correction=correction, lambda_=lambda_)
    return MedianTestResult(found.statistic, found.pvalue, median, table)


def alexandergovern(*samples, nan_policy="propagate", axis=0, keepdims=False):
    """scipy.stats.alexandergovern: nan of a sample of fewer than two."""
    if len(samples) < 2:
        raise TypeError(f"2 or more inputs required, got {len(samples)}")
    return AlexanderGovernResult(*by_rows("alexandergovern", _alexander_govern, samples, axis, nan_policy, keepdims, least=2))


def _alexander_govern(*groups):
    import scipy.special as sp

    means = np.stack([np.mean(each) for each in groups])
    squares = np.stack([np.var(each, ddof=1) / each.shape[0] for each in groups])
    weights = 1.0 / squares / np.sum(1.0 / squares)
    errors = np.where(np.sqrt(squares) <= np.finfo(means.dtype).eps * np.abs(means), np.nan, np.sqrt(squares))
    t = (means - np.sum(weights * means)) / errors
    degrees = np.stack([each.shape[0] - 1.0 for each in groups])
    a = degrees - 0.5
    b = 48.0 * a**2
    c = np.sqrt(a * np.log1p(t**2 / degrees))
    z = c + (c**3 + 3.0 * c) / b - (4.0 * c**7 + 33.0 * c**5 + 240.0 * c**3 + 855.0 * c) / (10.0 * b**2 + 8.0 * b * c**4 + 1000.0 * b)
    statistic = np.sum(z * z)
    return statistic, sp.chdtrc(len(groups) - 1.0, statistic)


def obrientransform(*samples):
    """scipy.stats.obrientransform of samples of one length."""
    found = []
    for sample in samples:
        sample = np.asarray(sample)
        n = len(sample)
        squares = (sample - np.mean(sample)) ** 2
        found.append(((n - 1.5) * n * squares - 0.5 * np.sum(squares)) / ((n - 1) * (n - 2)))
    for each in found[1:]:
        if each.shape != found[0].shape:
            raise NotImplementedError("scipy.stats.obrientransform of samples of several lengths (the result is an array of arrays)")
    return np.stack(found)


# ---- numbers that describe a sample -----------------------------------------------------------------------------------------------------------


def _order_of(n, most):
    if n not in range(1, most + 1):
        raise ValueError(f"k-statistics only supported for 1<=n<={most}")
    return n


def _need_wide(name, data):
    if np.asarray(data).dtype.kind in "biu" and np.asarray(data).dtype != np.int64:
        unsupported(f"scipy.stats.{name} of {np.asarray(data).dtype} (SciPy's powers wrap)", "floats: x.astype(float)")


def kstat(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.kstat: the unbiased estimates of a distribution's first four cumulants."""
    _need_wide("kstat", data)
    if by_each(data, axis, nan_policy):
        return by_rows("kstat", lambda x: (_cumulant(x, _order_of(n, 4)),), (data,), axis, nan_policy, keepdims, count=1)[0]
    rows = rows_of("kstat", data, axis, nan_policy, omits=True)
    return kept(_cumulant(rows, _order_of(n, 4)), data, axis, keepdims)


def _cumulant(rows, n):
    """By sums of powers, of all samples along the first axis."""
    size = 1.0 * rows.shape[0]
    first = np.sum(rows, axis=0)
    if n == 1:
        return first / size
    second = np.sum(rows**2, axis=0)
    if n == 2:
        return (size * second - first**2) / (size * (size - 1.0))
    third = np.sum(rows**3, axis=0)
    if n == 3:
        return (2.0 * first**3 - 3.0 * size * first * second + size * size * third) / (size * (size - 1.0) * (size - 2.0))
    fourth = size * size * (size + 1.0) * np.sum(rows**4, axis=0)
    mixed = 12.0 * size * first**2 * second - 3.0 * size * (size - 1.0) * second**2 - 4.0 * size * (size + 1.0) * first * third
    return (-6.0 * first**4 + mixed + fourth) / (size * (size - 1.0) * (size - 2.0) * (size - 3.0))


def kstatvar(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.kstatvar: how much the first two k-statistics vary."""
    if n not in (1, 2):
        raise ValueError("Only n=1 or n=2 supported.")
    _need_wide("kstatvar", data)
    rows = rows_of("kstatvar", data, axis, nan_policy, omits=True)
    size, second = 1.0 * rows.shape[0], _cumulant(rows, 2)
    found = second / size if n == 1 else (2.0 * size * second**2 + (size - 1.0) * _cumulant(rows, 4)) / (size * (size + 1.0))
    return kept(found, data, axis, keepdims)


def _weighted_moments(rows, count):
    """The means of the sorted samples along the first axis, each weighted with how likely so many of the others are below it."""
    size = rows.shape[0]
    place, found = 1.0 * np.arange(size), []
    weights = np.ones(size)
    for k in range(count):
        found.append(np.tensordot(weights, rows, axes=(0, 0)) / size)
        weights = weights * (place - k) / max(size - 1.0 - k, 1.0)
    return found


def lmoment(sample, order=None, *, axis=0, sorted=False, standardize=True, nan_policy="propagate", keepdims=False):
    """scipy.stats.lmoment, of orders that are known and no more than the samples."""
    if keepdims:
        unsupported("scipy.stats.lmoment(…, keepdims=True)", "np.expand_dims")
    orders = np.arange(1, 5) if order is None else np.asarray(order)
    if orders.ndim > 1 or orders.size == 0 or orders.dtype.kind not in "iu" or np.any(orders <= 0):
        raise ValueError("`order` must be a scalar or a non-empty array of positive integers.")
    rows = rows_of("lmoment", sample, axis, nan_policy, omits=True)
    if np.any(np.isinf(rows)):
        raise NotImplementedError("scipy.stats.lmoment of infinite numbers is not supported")
    rows = rows if sorted else np.sort(rows, axis=0)
    count = max([int(each) for each in orders.ravel()])
    if rows.shape[0] < count:
        raise NotImplementedError("scipy.stats.lmoment of a higher order than there are samples (the result is nan)")
    weighted, found = _weighted_moments(rows, count), []
    for r in range(count):
        found.append(sum([(-1) ** (r - k) * math.comb(r, k) * math.comb(r + k, k) * weighted[k] for k in range(r + 1)]))
    if standardize:
        found = [each if r < 2 else each / found[1] for r, each in enumerate(found)]
    if orders.ndim == 0:
        return found[int(orders) - 1].astype(rows.dtype)
    return np.stack([found[int(each) - 1] for each in orders]).astype(rows.dtype)


def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    """scipy.stats.gzscore."""
    return zscore(np.log(a), axis=axis, ddof=ddof, nan_policy=nan_policy)


def expectile(a, alpha=0.5, *, weights=None):
    """scipy.stats.expectile: where the gaps above, times alpha, are as much as those below times the rest. Between two samples it is a mean."""
    a = np.asarray(a)
    if a.dtype.kind == "c":
        unsupported("scipy.stats.expectile of complex numbers", "floats")
    a = a if a.dtype.kind == "f" else a.astype(np.float64)
    if np.any(alpha < 0) or np.any(alpha > 1):
        raise ValueError("The expectile level alpha must be in the range [0, 1].")
    if np.any(np.isinf(a)):
        raise NotImplementedError("scipy.stats.expectile of infinite numbers is not supported")
    shares = np.ones(a.size) if weights is None else np.broadcast_to(weights, a.shape).ravel().astype(np.float64)
    values = a.ravel()
    order = np.argsort(values)
    values, shares = values[order], shares[order]
    below, total = np.cumsum(shares), np.cumsum(shares * values)
    above, beyond = below[-1] - below, total[-1] - total
    until = np.concatenate((values[1:], values[-1:]))
    weight = (1.0 - alpha) * below + alpha * above
    middles = np.where(weight > 0, ((1.0 - alpha) * total + alpha * beyond) / np.where(weight > 0, weight, 1.0), until)
    reached = np.concatenate(((middles <= until)[:-1], np.ones(1, bool)))
    return middles[np.argmax(reached)]


def poisson_means_test(k1, n1, k2, n2, *, diff=0, alternative="two-sided"):
    """scipy.stats.poisson_means_test: the E-test of Krishnamoorthy and Thomson. Counts of events are sums over where their chances matter."""
    import scipy.special as sp

    for each in (k1, k2):
        if isinstance(each, (float, np.floating)) and each != int(each):
            raise TypeError("`k1` and `k2` must be integers.")
    if alternative not in SIDES:
        raise ValueError("Alternative must be one of '{'less', 'two-sided', 'greater'}'.")
    if k1 < 0 or k2 < 0:
        raise ValueError("`k1` and `k2` must be greater than or equal to 0.")
    if n1 <= 0 or n2 <= 0:
        raise ValueError("`n1` and `n2` must be greater than 0.")
    if diff < 0:
        raise ValueError("diff must be greater than or equal to 0.")
    shared = (k1 + k2) / (n1 + n2) - diff * n1 / (n1 + n2)
    if shared <= 0:
        return SignificanceResult(0.0, 1.0)
    found = (k1 / n1 - k2 / n2 - diff) / np.sqrt(k1 / n1**2 + k2 / n2**2)
    first, second = n1 * (shared + diff), n2 * shared
    ones, twos = _likely_counts(first), _likely_counts(second)
    chances = np.exp(sp.xlogy(ones, first) - first - sp.gammaln(ones + 1.0))[:, np.newaxis] * np.exp(sp.xlogy(twos, second) - second - sp.gammaln(twos + 1.0))
    gap = ones[:, np.newaxis] / n1 - twos / n2
    spread = ones[:, np.newaxis] / n1 / n1 + twos / n2 / n2
    z = np.where(spread == 0, np.where(diff > 0, -np.inf, np.nan), (gap - diff) / np.sqrt(np.where(spread == 0, 1.0, spread)))
    met = np.abs(z) >= np.abs(found) if alternative == "two-sided" else z >= found if alternative == "greater" else z <= found
    return SignificanceResult(found, np.sum(np.where(met, chances, 0.0)))


def _likely_counts(mean):
    """The counts of events whose chances SciPy adds up: all but 1e-10 on either side."""
    import scipy.stats as st

    return 1.0 * np.arange(int(st.poisson.ppf(1e-10, mean)), int(st.poisson.ppf(1.0 - 1e-16, mean)) + 1)


SPREAD_TESTS: dict[str, Any] = {
    f"scipy.stats.{function.__name__}": function
    for function in (mood, ansari, ranksums, median_test, alexandergovern, obrientransform, kstat, kstatvar, lmoment, gzscore, poisson_means_test)
}
"""By qualified name."""
MORE = {"scipy.stats.expectile": expectile}
"""Where SciPy searches for what is a formula."""
