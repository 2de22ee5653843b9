"""Odds ratios of tables of two by two counts: the sample's, and by Fisher's distribution, in which rows and columns are given (Fisher, 1935).

Of a ratio r the first count x has weights C(n, x) C(M - n, N - x) r**x.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np


def is_empty(table):
    """Whether a row or a column has no counts."""
    return np.any(np.sum(table, axis=0) == 0) or np.any(np.sum(table, axis=1) == 0)


def ratio_of_sample(table):
    """The ratio of products."""
    if table[1, 0] > 0 and table[0, 1] > 0:
        return table[0, 0] * table[1, 1] / (table[1, 0] * table[0, 1])
    return np.float64(np.nan if table[0, 0] == 0 or table[1, 1] == 0 else np.inf)


def _counts(table):
    """The first counts that there could be, and the logarithms of their weights at a ratio of 1."""
    import scipy.special as sp

    row, column, rest = np.sum(table[0]), np.sum(table[:, 0]), np.sum(table[1])
    x = np.arange(np.maximum(column - rest, 0), np.minimum(row, column) + 1)
    return x, -sp.gammaln(x + 1.0) - sp.gammaln(row - x + 1.0) - sp.gammaln(column - x + 1.0) - sp.gammaln(rest - column + x + 1.0)


def _chances(x, weights, ratio):
    logarithms = weights + x * np.log(ratio)
    found = np.exp(logarithms - np.max(logarithms))
    return found / np.sum(found)


def _root(rising):
    """Where a rising function of ratios is 0."""
    import scipy.optimize

    low = high = 1.0
    while rising(low) > 0:
        low /= 2.0
    while rising(high) < 0:
        high *= 2.0
    return low if low == high else scipy.optimize.brentq(rising, low, high, xtol=1e-13)


def likeliest_ratio(table):
    """The ratio at which the first count is what is to be expected."""
    x, weights = _counts(table)
    if table[0, 0] == x[0]:
        return 0.0
    if table[0, 0] == x[-1]:
        return np.inf
    return _root(lambda ratio: np.sum(x * _chances(x, weights, ratio)) - table[0, 0])


def _least(table, alpha):
    """The ratio above which a first count as large is no rare one."""
    x, weights = _counts(table)
    if ratio_of_sample(table) == 0:
        return 0.0
    return _root(lambda ratio: np.sum(np.where(x >= table[0, 0], _chances(x, weights, ratio), 0.0)) - alpha)


def _most(table, alpha):
    """The ratio below which a first count as small is no rare one."""
    x, weights = _counts(table)
    if ratio_of_sample(table) == np.inf:
        return np.inf
    return _root(lambda ratio: alpha - np.sum(np.where(x <= table[0, 0], _chances(x, weights, ratio), 0.0)))


def conditional_limits(table, level, alternative):
    """Between which ratios it is, by Fisher's distribution."""
    alpha = (0.5 if alternative == "two-sided" else 1.0) * (1.0 - level)
    return 0.0 if alternative == "less" else _least(table, alpha), np.inf if alternative == "greater" else _most(table, alpha)


def limits_of_sample(table, level, alternative):
    """Between which ratios it is, if its logarithm is normally distributed."""
    import scipy.special as sp

    middle, gap = np.log(ratio_of_sample(table)), sp.ndtri(0.5 * level + 0.5 if alternative == "two-sided" else level) * np.sqrt(np.sum(1.0 / table))
    return np.float64(0.0) if alternative == "less" else np.exp(middle - gap), np.float64(np.inf) if alternative == "greater" else np.exp(middle + gap)
