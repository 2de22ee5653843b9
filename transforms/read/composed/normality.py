"""scipy.stats: is a sample of a family of distributions? Shapiro's and Wilk's test by Royston's polynomials (AS R94), Anderson's and Darling's with Stephens' tables."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sample_rows import by_rows
from s2s.transforms.read.composed.statistical_results import SignificanceResult


class ShapiroResult(NamedTuple):
    """What scipy.stats.shapiro gives."""

    statistic: Any
    pvalue: Any


class AndersonResult(NamedTuple):
    """What scipy.stats.anderson gives."""

    statistic: Any
    critical_values: Any
    significance_level: Any


# ---- Shapiro and Wilk -----------------------------------------------------------------------------------------------------------------------

LAST = (-2.706056, 4.434685, -2.07119, -0.147981, 0.221157, 0.0)
"""The largest weight, and the next, as polynomials in 1 / sqrt(n)."""
NEXT = (-3.582633, 5.682633, -1.752461, -0.293762, 0.042981, 0.0)
FEW_MEAN, FEW_SPREAD, FEW_BOUND = (-6.714e-4, 0.025054, -0.39978, 0.5440), (-0.0020322, 0.062767, -0.77857, 1.3822), (0.459, -2.273)
"""Of the logarithm's distribution: of up to 11 numbers in n, of more in log(n)."""
MANY_MEAN, MANY_SPREAD = (0.0038915, -0.083751, -0.31082, -1.5861), (0.0030302, -0.082676, -0.4803)


def _weights(n):
    """Of the upper half of the sorted numbers, the largest first; the lower half has the negatives."""
    import scipy.special as sp

    half = n // 2
    if n == 3:
        return np.full(1, np.sqrt(0.5))
    scores = -sp.ndtri((np.arange(1, half + 1) - 0.375) / (n + 0.25))
    squares, root = 2.0 * np.sum(scores**2), 1.0 / np.sqrt(n)
    last = np.polyval(LAST, root) + scores[0] / np.sqrt(squares)
    if n <= 5:
        scale = np.sqrt((squares - 2.0 * scores[0] ** 2) / (1.0 - 2.0 * last**2))
        return np.concatenate((np.full(1, last), scores[1:] / scale))
    second = np.polyval(NEXT, root) + scores[1] / np.sqrt(squares)
    scale = np.sqrt((squares - 2.0 * scores[0] ** 2 - 2.0 * scores[1] ** 2) / (1.0 - 2.0 * last**2 - 2.0 * second**2))
    return np.concatenate((np.full(1, last), np.full(1, second), scores[2:] / scale))


def shapiro(x, *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.shapiro: nan of fewer than three numbers."""
    return ShapiroResult(*by_rows("shapiro", _shapiro, (x,), axis, nan_policy, keepdims, least=3, double=True))


def _shapiro(rows):
    import scipy.special as sp

    n = rows.shape[0]
    if np.any(np.isinf(rows)):
        raise NotImplementedError("scipy.stats.shapiro of infinite numbers is not supported")
    ordered = np.sort(rows.astype(np.float64))
    ordered = ordered - np.mean(ordered)
    half = _weights(n)
    squares = np.sum(ordered**2)
    if ordered[0] == ordered[n - 1]:
        raise NotImplementedError("scipy.stats.shapiro of numbers that are all equal (a statistic of 1, with a warning) is not supported")
    weights = np.concatenate((-half, np.zeros(n % 2), half[::-1]))
    agreement = np.sum(weights * ordered) / np.sqrt(np.sum(weights**2) * squares)
    left = (1.0 - agreement) * (1.0 + agreement)
    statistic = 1.0 - left
    if n == 3:
        chance = np.maximum(6.0 / np.pi * (np.arcsin(np.sqrt(statistic)) - np.arcsin(np.sqrt(0.75))), 0.0)
    elif n <= 11:
        bound, far = np.polyval(FEW_BOUND, n), np.log(left)
        gap = np.where(far >= bound, 1.0, bound - far)
        chance = np.where(far >= bound, 1e-99, sp.ndtr((np.polyval(FEW_MEAN, n) + np.log(gap)) / np.exp(np.polyval(FEW_SPREAD, n))))[()]
    else:
        size = np.log(n)
        chance = sp.ndtr((np.polyval(MANY_MEAN, size) - np.log(left)) / np.exp(np.polyval(MANY_SPREAD, size)))
    return statistic, chance


# ---- Anderson and Darling -------------------------------------------------------------------------------------------------------------------

CRITICAL = {
    "norm": (0.561, 0.631, 0.752, 0.873, 1.035),
    "expon": (0.916, 1.062, 1.321, 1.591, 1.959),
    "gumbel_l": (0.474, 0.637, 0.757, 0.877, 1.038),
    "gumbel_r": (0.474, 0.637, 0.757, 0.877, 1.038),
    "logistic": (0.426, 0.563, 0.660, 0.769, 0.906, 1.010),
}
"""Stephens' critical values of very many numbers, at the levels of SIGNIFICANCE."""
SIGNIFICANCE = {
    "norm": (15.0, 10.0, 5.0, 2.5, 1.0),
    "expon": (15.0, 10.0, 5.0, 2.5, 1.0),
    "gumbel_l": (25.0, 10.0, 5.0, 2.5, 1.0),
    "gumbel_r": (25.0, 10.0, 5.0, 2.5, 1.0),
    "logistic": (25.0, 10.0, 5.0, 2.5, 1.0, 0.5),
}


STEPS = 60
"""Of Newton's method, at most: a handful is taken."""


def _of_size(n, dist):
    """What the critical values are divided by for n numbers."""
    if dist == "norm":
        return 1.0 + 0.75 / n + 2.25 / n / n
    if dist == "expon":
        return 1.0 + 0.6 / n
    return 1.0 + 0.25 / n if dist == "logistic" else 1.0 + 0.2 / np.sqrt(n)


def _extreme_fit(x):
    """The likeliest place and scale of largest numbers: Newton's steps for the scale's inverse, from what the spread says."""
    inverse, mean, low = np.pi / np.sqrt(6.0) / np.std(x), np.mean(x), np.min(x)
    for _ in range(STEPS):
        weights = np.exp(-(x - low) * inverse)
        weights = weights / np.sum(weights)
        middle = np.sum(weights * x)
        step = (1.0 / inverse - mean + middle) / (np.sum(weights * (x - middle) ** 2) + 1.0 / inverse**2)
        inverse = inverse + np.maximum(step, -0.5 * inverse)
        if np.abs(step) <= 1e-13 * inverse:
            break
    return low - np.log(np.mean(np.exp(-(x - low) * inverse))) / inverse, 1.0 / inverse


def _logistic_fit(x):
    """The likeliest place and scale: Newton's steps for a and b in a x - b, of which the likelihood is concave."""
    n, a = x.shape[0], 1.0 / np.std(x, ddof=1)
    b = a * np.mean(x)
    for _ in range(STEPS):
        tangent = np.tanh((a * x - b) / 2.0)
        slope = (1.0 - tangent**2) / 2.0
        along_a, along_b = n / a - np.sum(tangent * x), np.sum(tangent)
        aa, ab, bb = n / a**2 + np.sum(slope * x**2), -np.sum(slope * x), np.sum(slope)
        bottom = aa * bb - ab**2
        step_a, step_b = (along_a * bb - along_b * ab) / bottom, (along_b * aa - along_a * ab) / bottom
        decrement = np.sqrt(np.maximum(step_a * along_a + step_b * along_b, 0.0))
        part = np.where(decrement > 0.5, 1.0 / (1.0 + decrement), 1.0)[()]
        a, b = a + np.maximum(part * step_a, -0.5 * a), b + part * step_b
        if decrement <= 1e-14 * n:
            break
    return b / a, 1.0 / a


def _standardised(x, dist):
    """Less its place, over its scale, as fitted."""
    if dist == "norm":
        return (x - np.mean(x)) / np.std(x, ddof=1)
    if dist == "expon":
        return x / np.mean(x)
    if dist == "gumbel_l":
        place, scale = _extreme_fit(-x)
        return (x + place) / scale
    place, scale = _logistic_fit(x) if dist == "logistic" else _extreme_fit(x)
    return (x - place) / scale


def anderson(x, dist="norm", *, method=None):
    """scipy.stats.anderson: without a method, with critical values; 'interpolate': with the probability between them."""
    import scipy.stats as st

    dist = "gumbel_l" if dist.lower() in ("extreme1", "gumbel") else dist.lower()
    if dist not in CRITICAL:
        unsupported(f"scipy.stats.anderson of {dist!r}", "'norm', 'expon', 'gumbel_l', 'gumbel_r' or 'logistic'")
    if method not in (None, "interpolate"):
        unsupported("scipy.stats.anderson of numbers that it draws (method)", "method='interpolate'")
    x = np.sort(np.asarray(x).astype(np.float64))
    if x.ndim != 1:
        raise ValueError("x must be one-dimensional")
    n = x.shape[0]
    each, family = _standardised(x, dist), getattr(st, dist)
    statistic = -n - np.sum((2.0 * np.arange(1, n + 1) - 1.0) / n * (family.logcdf(each) + family.logsf(each)[::-1]))
    critical = np.round(np.array(CRITICAL[dist]) / _of_size(n, dist), 3)
    levels = np.array(SIGNIFICANCE[dist])
    if method is None:
        return AndersonResult(statistic, critical, levels)
    return SignificanceResult(statistic, np.interp(statistic, critical, levels / 100.0))


NORMALITY: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (shapiro, anderson)}
"""By qualified name."""
