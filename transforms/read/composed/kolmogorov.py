"""How likely a distance between an empirical distribution and the one that numbers are from is: Kolmogorov's and Smirnov's, of few numbers and of many."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

HUGE, DIGITS = 2.0**128, 128
"""What powers of matrices are divided by when they grow beyond it."""

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


def to_one_side(distance, n):
    """The probability of a distance of n numbers as large, to one side (Birnbaum and Tingey): a sum of positive terms."""
    place = 1.0 * np.arange(n + 1)
    share, rest = distance + place / n, 1.0 - distance - place / n
    ways = np.cumsum(np.concatenate((np.zeros(1), np.log((n - place[:-1]) / place[1:]))))
    met = (rest > 0) & (share > 0)
    terms = ways + (place - 1.0) * np.log(np.where(met, share, 1.0)) + (n - place) * np.log(np.where(met, rest, 1.0))
    return np.where(distance <= 0, 1.0, distance * np.sum(np.exp(np.where(met, terms, -np.inf))))[()]


def beyond_distance(distance, n):
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
        chance = 2.0 * to_one_side(distance, n)
    elif n <= 140 or n <= 100000 and n * distance**1.5 <= 1.4:
        chance = 1.0 - _in_time(n, distance)
    else:
        chance = 1.0 - _pelz_good(n, distance)
    return np.clip(chance, 0.0, 1.0)
