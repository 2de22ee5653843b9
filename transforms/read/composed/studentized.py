"""The studentized range: how far apart the largest and the smallest of normal means lie, in errors that are estimated, too."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

PANELS, POINTS, FARTHEST = 6, 24, 8.5
"""Gauss's and Legendre's points in each panel, and where a normal density has come to an end."""


def _points(low, high):
    """Where a function between two ends is asked, and with which weights."""
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    width = (high - low) / PANELS
    starts = low + width * np.arange(PANELS)[:, np.newaxis]
    return (starts + 0.5 * width * (nodes + 1.0)).ravel(), 0.5 * width * (np.zeros((PANELS, 1)) + weights).ravel()


def within(q, groups, degrees):
    """The probability of a studentized range below q."""
    import scipy.special as sp

    places, parts = _points(-FARTHEST, FARTHEST)
    spread = 1.0 / np.sqrt(2.0 * degrees)
    scales, shares = _points(np.maximum(1.0 - 9.0 * spread, 0.0), 1.0 + 12.0 * spread)
    low = sp.ndtr(places) - sp.ndtr(places - q * scales[:, np.newaxis])
    ranges = groups * np.sum(np.exp(-0.5 * places**2) / np.sqrt(2.0 * np.pi) * parts * low ** (groups - 1.0), axis=1)
    density = np.exp(0.5 * degrees * np.log(degrees) - sp.gammaln(0.5 * degrees) - (0.5 * degrees - 1.0) * np.log(2.0) + (degrees - 1.0) * np.log(scales) - 0.5 * degrees * scales**2)
    return np.minimum(np.sum(density * shares * ranges), 1.0)


def range_that_is_kept(level, groups, degrees):
    """The studentized range that chance keeps below so often, by halving."""
    low, high = 0.0, 4.0
    while within(high, groups, degrees) < level:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        if within(middle, groups, degrees) < level:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
