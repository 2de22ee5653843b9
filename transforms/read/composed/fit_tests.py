"""scipy.stats: how well a distribution fits a sample, or two samples each other. Distances between steps and distributions are SciPy's; their chances are counted as Durbin, Pelz and Good, Csörgő and Faraway do."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.descriptive import ranks
from s2s.transforms.read.composed.group_tests import as_samples, groups_of
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.normality import NORMALITY
from s2s.transforms.read.composed.rank_tests import ks_2samp
from s2s.transforms.read.composed.statistical_results import SIDES, CramerVonMisesResult, KstestResult

HUGE, DIGITS = 2.0**128, 128
"""What powers of matrices are divided by when they grow beyond it."""


def _distribution(cdf):
    """A distribution function, by its name or itself."""
    import scipy.stats as st

    return getattr(st, cdf).cdf if isinstance(cdf, str) else cdf


# ---- Kolmogorov and Smirnov -----------------------------------------------------------------------------------------------------------------


def _in_time(n, distance):
    """The probability of a distance below, by Durbin's matrix of Poisson steps: the middle of its n-th power."""
    half = int(np.ceil(n * distance))
    rest, size = half - n * distance, 2 * half - 1
    gap = np.arange(size)[:, np.newaxis] - np.arange(size) + 1
    factorials = np.cumprod(np.concatenate((np.ones(1), 1.0 * np.arange(1, size + 1))))
    step = np.where(gap >= 0, 1.0 / factorials[np.maximum(gap, 0)], 0.0)
    edge = (1.0 - rest ** (np.arange(size) + 1)) / factorials[1:]
    step[:, 0] = edge
    step[size - 1] = edge[::-1]
    step[size - 1, 0] = (1.0 - 2.0 * rest**size + np.maximum(2.0 * rest - 1.0, 0.0) ** size) / factorials[size]
    power, scale, step_scale, left = np.eye(size), 0, 0, n
    while left > 0:
        if left % 2 == 1:
            power = power @ step
            scale += step_scale
        step = step @ step
        step_scale *= 2
        if step[half - 1, half - 1] > HUGE:
            step = step / HUGE
            step_scale += DIGITS
        left = left // 2
    chance = power[half - 1, half - 1]
    for k in range(1, n + 1):
        chance = chance * (k / n)
        if chance < 1.0 / HUGE:
            chance = chance * HUGE
            scale -= DIGITS
    return chance * 2.0**scale


def _pelz_good(n, distance):
    """The probability of a distance below, for large n: the first terms of a series in 1 / sqrt(n)."""
    z, t = np.sqrt(n) * distance, np.pi**2
    odd = (2.0 * np.arange(np.ceil(16.0 * z / np.pi) + 1) + 1.0) ** 2
    even = (1.0 * np.arange(1, np.ceil(16.0 * z / np.pi) + 1)) ** 2
    odds, evens = np.exp(-t / 8.0 / z**2 * odd), np.exp(-t / 2.0 / z**2 * even)
    zeroth = np.sum(odds) / z
    first = np.sum((t / 4.0 * odd - z**2) * odds) / (6.0 * z**4)
    second = np.sum((6.0 * z**6 + 2.0 * z**4 + (2.0 * z**4 - 5.0 * z**2) * (t / 4.0) * odd + t**2 / 16.0 * (1.0 - 2.0 * z**2) * odd**2) * odds) / (72.0 * z**7)
    second = second - t / (36.0 * z**3) * np.sum(even * evens)
    third = (t**3 / 64.0) * (5.0 - 30.0 * z**2) * odd**3 + (t**2 / 16.0) * (212.0 * z**4 - 60.0 * z**2) * odd**2
    third = third + (t / 4.0) * (135.0 * z**4 - 96.0 * z**6) * odd - 30.0 * z**6 - 90.0 * z**8
    third = np.sum(third * odds) / (6480.0 * z**10) + t / (216.0 * z**6) * np.sum((3.0 * z**2 - t * even) * even * evens)
    return np.sqrt(2.0 * np.pi) * (zeroth + first / np.sqrt(n) + second / n + third / n**1.5)


def _to_one_side(distance, n):
    """The probability of a distance of n numbers as large, to one side (Birnbaum and Tingey): a sum of positive terms."""
    place = 1.0 * np.arange(n + 1)
    share, rest = distance + place / n, 1.0 - distance - place / n
    ways = np.cumsum(np.concatenate((np.zeros(1), np.log((n - place[:-1]) / place[1:]))))
    met = (rest > 0) & (share > 0)
    terms = ways + (place - 1.0) * np.log(np.where(met, share, 1.0)) + (n - place) * np.log(np.where(met, rest, 1.0))
    return np.where(distance <= 0, 1.0, distance * np.sum(np.exp(np.where(met, terms, -np.inf))))[()]


def _beyond_distance(distance, n):
    """The probability of a distance of n numbers as large, to either side: exact, or where SciPy approximates, as it does."""
    import scipy.special as sp

    t = n * distance
    if distance >= 1.0:
        chance = 0.0 * distance
    elif t <= 0.5:
        chance = 1.0 + 0.0 * distance
    elif t <= 1.0:
        chance = 1.0 - np.exp(sp.gammaln(n + 1.0) + n * np.log((2.0 * t - 1.0) / n))
    elif t >= n - 1:
        chance = 2.0 * (1.0 - distance) ** n
    elif distance >= 0.5 or t * distance >= (4.0 if n <= 140 else 2.2):
        chance = 2.0 * _to_one_side(distance, n)
    elif n <= 140 or n <= 100000 and n * distance**1.5 <= 1.4:
        chance = 1.0 - _in_time(n, distance)
    else:
        chance = 1.0 - _pelz_good(n, distance)
    return np.clip(chance, 0.0, 1.0)


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
        chance = _to_one_side(distance, n)
    elif method in ("auto", "exact"):
        chance = _beyond_distance(distance.astype(np.float64), n)
    elif method == "asymp":
        chance = sp.kolmogorov(distance * np.sqrt(n))
    else:
        chance = np.clip(2.0 * _to_one_side(distance, n), 0.0, 1.0)
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
    return CramerVonMisesResult(*as_samples((x, y), found, chance))


FIT_TESTS: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (ks_1samp, kstest, cramervonmises, cramervonmises_2samp)} | NORMALITY
"""By qualified name: those that call functions, and those whose numbers SciPy's are near."""
