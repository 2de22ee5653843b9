"""Chances of counts and densities of large parameters, without differences of large logarithms.

Binomial chances: Loader 2000, "Fast and accurate computation of binomial probabilities" (deviances and Stirling's error).
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

LOG_ROOT_2PI = 0.9189385332046727
LARGE = 16.0
"""From here on Stirling's series stands for the logarithm of the gamma function."""
CLOSE = 0.1
"""Up to this share of their sum a count's distance from what is expected is close: its deviance is a series."""


def stirling_error(n):
    """log(n!) less Stirling's formula, of n > 0."""
    import scipy.special as sp

    above = n > LARGE
    large, small = np.where(above, n, LARGE), np.where(above, 1.0, n)
    square = 1.0 / (large * large)
    series = (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - square / 1188.0) * square) * square) * square) / large
    return np.where(above, series, sp.gammaln(small + 1.0) - (small + 0.5) * np.log(small) + small - LOG_ROOT_2PI)


def deviance(k, expected):
    """k log(k / expected) + expected - k, of positive numbers."""
    gap = k - expected
    close = np.abs(gap) < CLOSE * (k + expected)
    v = np.where(close, gap / (k + expected), 0.0)
    w = v * v
    series = (1.0 / 3.0 + (1.0 / 5.0 + (1.0 / 7.0 + (1.0 / 9.0 + (1.0 / 11.0 + (1.0 / 13.0 + (1.0 / 15.0 + w / 17.0) * w) * w) * w) * w) * w) * w) * w
    ratio = np.where(close, 1.0, k / expected)
    return np.where(close, gap * v + 2.0 * k * v * series, k * np.log(ratio) - gap)


def log_binomial(k, n, p, rest):
    """The logarithm of the chance of k in n, 0 <= k <= n, each of chance p; `rest` is 1 - p."""
    import scipy.special as sp

    none, every = k == 0, k == n
    of_none = np.where(rest > 0, sp.xlog1py(n, -np.where(rest > 0, p, 0.0)), np.where(n > 0, -np.inf, 0.0))
    of_all = np.where(p > 0, sp.xlogy(n, np.where(p > 0, p, 1.0)), np.where(n > 0, -np.inf, 0.0))
    ends = np.where(none, of_none, of_all)
    between = ~none & ~every & (p > 0) & (rest > 0)
    n, k, p, rest = np.where(between, n, 2.0), np.where(between, k, 1.0), np.where(between, p, 0.5), np.where(between, rest, 0.5)
    errors = stirling_error(n) - stirling_error(k) - stirling_error(n - k)
    found = errors - deviance(k, n * p) - deviance(n - k, n * rest) - LOG_ROOT_2PI - 0.5 * (np.log(k) + np.log1p(-k / n))
    return np.where(none | every, ends, np.where(between, found, -np.inf))


def log_half_step(z):
    """log(gamma(z + 1/2) / (gamma(z) sqrt(z))), of z > 0."""
    import scipy.special as sp

    above = z > 2.0 * LARGE
    large, small = np.where(above, z, 2.0 * LARGE), np.where(above, 1.0, z)
    square = 1.0 / (large * large)
    series = (-1.0 / 8.0 + (1.0 / 192.0 + (-1.0 / 640.0 + 17.0 / 14336.0 * square) * square) * square) / large
    return np.where(above, series, sp.gammaln(small + 0.5) - sp.gammaln(small) - 0.5 * np.log(small))
