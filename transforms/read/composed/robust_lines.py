"""scipy.stats: lines of which single points do not move far: medians of slopes (Theil 1950, Sen 1968, Siegel 1982)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.sample_rows import by_rows
from s2s.transforms.read.installed import SCIPY_1_18


class TheilslopesResult(NamedTuple):
    """What scipy.stats.theilslopes gives."""

    slope: Any
    intercept: Any
    low_slope: Any
    high_slope: Any


class SiegelslopesResult(NamedTuple):
    """What scipy.stats.siegelslopes gives."""

    slope: Any
    intercept: Any


def theilslopes(y, x=None, alpha=0.95, method="separate", *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.theilslopes: nan where no two points have another x."""
    if method not in ("joint", "separate"):
        raise ValueError("method must be either 'joint' or 'separate'.")
    return TheilslopesResult(*by_rows("theilslopes", lambda *points: _theil(*_line(points), alpha, method), _given(y, x), axis, nan_policy, keepdims, count=4, paired=True, least=2, double=not SCIPY_1_18))


def _given(y, x):
    return (y,) if x is None else (y, x)


def _line(points):
    """y and x in double precision; x counts where it is not given."""
    y = points[0].astype(np.float64)
    x = np.arange(y.shape[0]) * 1.0 if len(points) == 1 else points[1].astype(np.float64)
    if y.shape[0] != x.shape[0]:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    return y, x


def _theil(y, x, alpha, method):
    import scipy.special as sp

    n, steps = y.shape[0], x[:, np.newaxis] - x
    slopes = np.sort((y[:, np.newaxis] - y)[steps > 0] / steps[steps > 0])
    count = slopes.shape[0]
    if count == 0:
        return np.nan, np.nan, np.nan, np.nan
    slope = np.median(slopes)
    intercept = np.median(y - slope * x) if method == "joint" else np.median(y) - slope * np.median(x)
    z = sp.ndtri((1.0 - alpha if alpha > 0.5 else alpha) / 2.0)
    spread = (n * (n - 1) * (2 * n + 5.0) - _tied_pairs(x) - _tied_pairs(y)) / 18.0
    sigma = np.sqrt(np.maximum(spread, 0.0))
    high, low = min(int(np.rint((count - z * sigma) / 2.0)), count - 1), max(int(np.rint((count + z * sigma) / 2.0)) - 1, 0)
    return slope, intercept, slopes[low], slopes[high]


def _tied_pairs(x):
    """The sum of k (k - 1) (2 k + 5) over numbers that are there k times."""
    counts = np.sum(x[:, np.newaxis] == x, axis=-1)
    return np.sum((counts - 1.0) * (2 * counts + 5))


def siegelslopes(y, x=None, method="hierarchical", *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.siegelslopes."""
    if method not in ("hierarchical", "separate"):
        raise ValueError("method can only be 'hierarchical' or 'separate'")
    return SiegelslopesResult(*by_rows("siegelslopes", lambda *points: _siegel(*_line(points), method), _given(y, x), axis, nan_policy, keepdims, paired=True, least=2, double=not SCIPY_1_18))


def _siegel(y, x, method):
    if np.any(np.isinf(x)) or np.any(np.isinf(y)):
        raise NotImplementedError("scipy.stats.siegelslopes of infinite numbers, whose slopes are no numbers that have a median, is not supported")
    n = y.shape[0]
    slopes, intercepts = np.zeros(n), np.zeros(n)
    for k in range(n):
        steps = x - x[k]
        apart = steps != 0
        slopes[k] = np.median((y - y[k])[apart] / steps[apart])
        intercepts[k] = np.median((y[k] * x - y * x[k])[apart] / steps[apart])
    slope = np.median(slopes)
    return slope, np.median(intercepts) if method == "separate" else np.median(y - slope * x)


ROBUST_LINES: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (theilslopes, siegelslopes)}
"""By qualified name."""
