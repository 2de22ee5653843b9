"""What scipy.signal.upfirdn takes for the values before and after a signal."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

MODES = ("constant", "symmetric", "edge", "smooth", "wrap", "reflect", "antisymmetric", "antireflect", "line")


def extended(x, before, after, mode, cval):
    """A signal along the first axis with this many values more on both sides."""
    n = x.shape[0]
    at = np.arange(-before, n + after)
    if mode == "wrap":
        return x[at % n]
    if mode in ("symmetric", "antisymmetric"):
        place, turned = at % n, at // n % 2 == 1
        found = x[np.where(turned, n - 1 - place, place)]
        return np.where(_beside(turned, x), -found, found) if mode == "antisymmetric" else found
    if mode in ("reflect", "antireflect"):
        period = max(2 * (n - 1), 1)
        place = at % period
        turned = place > n - 1
        found = x[np.where(turned, period - place, place)]
        if mode == "reflect":
            return found
        return np.where(_beside(turned, x), 2 * x[n - 1] - found, found) + _beside(at // period, x) * (2 * (x[n - 1] - x[0]))
    found, behind = x[np.clip(at, 0, n - 1)], np.maximum(at - (n - 1), 0)
    if mode == "edge":
        return found
    early, late = _beside(np.minimum(at, 0), x), _beside(behind, x)
    if mode == "constant":
        return np.where((early < 0) | (late > 0), np.asarray(cval, x.dtype), found)
    if mode == "line":
        slope = (x[n - 1] - x[0]) / (n - 1)
        return found + early * slope + late * slope
    return found + early * (x[min(1, n - 1)] - x[0]) + late * (x[n - 1] - x[max(n - 2, 0)])


def _beside(numbers, x):
    """A number for each place along the first axis."""
    return numbers.reshape((-1,) + (1,) * (x.ndim - 1))
