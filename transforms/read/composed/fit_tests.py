"""scipy.stats: how well a distribution fits a sample, or two samples each other. Distances between steps and distributions are SciPy's; their chances are counted as Durbin, Pelz and Good, Csörgő and Faraway do."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.descriptive import ranks
from s2s.transforms.read.composed.group_tests import as_samples, groups_of
from s2s.transforms.read.composed.kolmogorov import beyond_distance, to_one_side
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.normality import NORMALITY
from s2s.transforms.read.composed.rank_tests import ks_2samp
from s2s.transforms.read.composed.statistical_results import SIDES, CramerVonMisesResult, KstestResult


def _distribution(cdf):
    """A distribution function, by its name or itself."""
    import scipy.stats as st

    return getattr(st, cdf).cdf if isinstance(cdf, str) else cdf


# ---- Kolmogorov and Smirnov -----------------------------------------------------------------------------------------------------------------


def ks_1samp(x, cdf, args=(), alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.ks_1samp."""
    import scipy.special as sp

    (x,) = groups_of("ks_1samp", (x,), axis, nan_policy, keepdims, 1)
    side = {"t": "two-sided", "g": "greater", "l": "less"}.get(alternative.lower()[0], alternative)
    if side not in SIDES:
        raise ValueError(f"Unexpected value alternative={alternative!r}")
    if np.any(np.isnan(x)):
        raise NotImplementedError("scipy.stats.ks_1samp of nan; leave out what np.isnan says before")
    n, x = x.shape[0], np.sort(x)
    below = cdf(x, *args)
    up, down = np.arange(1.0, n + 1.0) / n - below, below - np.arange(0.0, n) / n
    most_up, most_down = np.argmax(up), np.argmax(down)
    ahead = up[most_up] > down[most_down] if side == "two-sided" else side == "greater"
    distance = np.where(ahead, up[most_up], down[most_down])[()]
    place = np.where(ahead, x[most_up], x[most_down])[()]
    sign = np.where(ahead, np.int8(1), np.int8(-1))[()]
    if side != "two-sided":
        chance = to_one_side(distance, n)
    elif method in ("auto", "exact"):
        chance = beyond_distance(distance.astype(np.float64), n)
    elif method == "asymp":
        chance = sp.kolmogorov(distance * np.sqrt(n))
    else:
        chance = np.clip(2.0 * to_one_side(distance, n), 0.0, 1.0)
    return KstestResult(distance, np.asarray(chance).astype(x.dtype)[()], place, sign)


def kstest(rvs, cdf, args=(), N=20, alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.kstest of a sample, with a distribution's name, a function, or another sample."""
    if isinstance(rvs, str) or callable(rvs):
        unsupported("scipy.stats.kstest of numbers that it draws", "of numbers that a generator gives")
    if isinstance(cdf, str) or callable(cdf):
        return ks_1samp(rvs, _distribution(cdf), args, alternative, method, axis=axis, nan_policy=nan_policy, keepdims=keepdims)
    return ks_2samp(rvs, cdf, alternative, method, axis=axis, nan_policy=nan_policy, keepdims=keepdims)


# ---- Cramér and von Mises --------------------------------------------------------------------------------------------------------------------


def _limit(x):
    """The distribution of the statistic of very many numbers: terms of a series, as long as they matter to SciPy."""
    import scipy.special as sp

    total, k, term = 0.0 * x, 0, 1.0 + 0.0 * x
    while np.abs(term) >= 1e-7:
        q = (4.0 * k + 1.0) ** 2 / (16.0 * x)
        term = np.exp(sp.gammaln(k + 0.5) - sp.gammaln(k + 1.0)) / (np.pi**1.5 * np.sqrt(x)) * np.sqrt(4.0 * k + 1.0) * np.exp(-q) * sp.kv(0.25, q)
        total = total + term
        k += 1
    return total


def _square(y):
    import scipy.special as sp

    z = y**2 / 4.0
    return np.exp(-z) * (y / 2.0) ** 1.5 * (sp.kv(0.25, z) + sp.kv(0.75, z)) / np.sqrt(np.pi)


def _cube(y):
    import scipy.special as sp

    z = y**2 / 4.0
    return np.exp(-z) / np.sqrt(np.pi) * (y / 2.0) ** 2.5 * (2.0 * sp.kv(0.25, z) + 3.0 * sp.kv(0.75, z) - sp.kv(1.25, z))


def _correction(x):
    """What one over the size of the sample is multiplied with, but for a twelfth of the limit."""
    import scipy.special as sp

    total, k, term = 0.0 * x, 0, 1.0 + 0.0 * x
    root, three, five = 2.0 * np.sqrt(x), x**0.75, x**1.25
    while np.abs(term) >= 1e-7:
        m, near, far = 2.0 * k + 1.0, (4.0 * k + 1.0) / root, (4.0 * k + 5.0) / root
        half, next_half = np.exp(sp.gammaln(k + 0.5) - sp.gammaln(k + 1.0)), np.exp(sp.gammaln(k + 1.5) - sp.gammaln(k + 1.0))
        squares = m * half * _square((4.0 * k + 3.0) / root) / (9.0 * three) + 7.0 * m * half * (_square(near) + _square(far)) / (144.0 * three)
        cubes = half * _cube(near) / (72.0 * five) + (m + 2.0) * next_half * _cube(far) / (6.0 * five)
        term = -(squares + cubes) / np.pi
        total = total + term
        k += 1
    return total


def cramervonmises(rvs, cdf, args=(), *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.cramervonmises."""
    (x,) = groups_of("cramervonmises", (rvs,), axis, nan_policy, keepdims, 1)
    n = x.shape[0]
    if n < 2:
        raise ValueError("The sample must contain at least two observations.")
    gaps = (2.0 * np.arange(1, n + 1) - 1.0) / (2.0 * n) - _distribution(cdf)(np.sort(x), *args)
    found = 1.0 / (12.0 * n) + np.sum(gaps**2)
    below = 0.0 * found
    if found >= n / 3.0:
        below = 1.0 + 0.0 * found
    elif found > 1.0 / (12.0 * n):
        below = _limit(found) * (1.0 + 1.0 / (12.0 * n)) + _correction(found) / n
    return CramerVonMisesResult(*as_samples((x,), found, np.maximum(1.0 - below, 0.0)))


def _paths(least, m, n):
    """The share of paths through a grid of m by n steps whose squared distances from the diagonal, weighted as in Xiao, Gordon and Yakovlev, sum to at least so much."""
    scale = math.lcm(m, n)
    a, b = scale // m, scale // n
    last = sum([max((a * v - b * u) ** 2 for v in range(m + 1)) for u in range(n + 1)]) + sum([(a * v) ** 2 for v in range(m + 1)]) + sum([(b * u) ** 2 for u in range(n + 1)])
    ways = np.zeros((m + 1, last + 1))
    ways[0, 0] = 1.0
    for u in range(n + 1):
        for v in range(m + 1):
            if v > 0:
                ways[v] += ways[v - 1]
            gap = (a * v - b * u) ** 2
            if gap > 0:
                ways[v, gap:] = ways[v, : last + 1 - gap].copy()
                ways[v, :gap] = 0.0
    return np.sum(ways[m, np.arange(last + 1) >= least]) / np.sum(ways[m])


def cramervonmises_2samp(x, y, method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.cramervonmises_2samp."""
    x, y = groups_of("cramervonmises_2samp", (x, y), axis, nan_policy, keepdims)
    if method not in ("auto", "exact", "asymptotic"):
        raise ValueError("method must be either auto, exact or asymptotic.")
    m, n = x.shape[0], y.shape[0]
    if m < 2 or n < 2:
        raise ValueError("x and y must contain at least two observations.")
    order = ranks(np.concatenate((np.sort(x), np.sort(y))))
    u = m * np.sum((order[:m] - np.arange(1, m + 1)) ** 2) + n * np.sum((order[m:] - np.arange(1, n + 1)) ** 2)
    both, whole = 1.0 * m * n, m + n
    found = u / (both * whole) - (4.0 * both - 1.0) / (6.0 * whole)
    if method == "exact" or method == "auto" and max(m, n) <= 20:
        scale = np.lcm(m, n)
        least = scale**2 * whole * (6.0 * u - both * (4.0 * both - 1.0)) // (6.0 * both**2)
        chance = _paths(least, m, n)
    else:
        mean, spread = (1.0 + 1.0 / whole) / 6.0, (whole + 1.0) * (4.0 * both * whole - 3.0 * (m**2 + n**2) - 2.0 * both) / (45.0 * whole**2 * 4.0 * both)
        moved = 1.0 / 6.0 + (found - mean) / np.sqrt(45.0 * spread)
        chance = 1.0 + 0.0 * found
        if moved >= 0.003:
            chance = np.maximum(1.0 - _limit(moved), 0.0)
    return CramerVonMisesResult(*as_samples((x, y), found, np.where(np.isnan(found), np.nan, chance)))


FIT_TESTS: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (ks_1samp, kstest, cramervonmises, cramervonmises_2samp)} | NORMALITY
"""By qualified name: those that call functions, and those whose numbers SciPy's are near."""
