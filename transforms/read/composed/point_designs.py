"""scipy.stats.qmc: how evenly points fill the unit cube (Zhou, Fang and Ning 2013, Warnock 1972), and points scaled to bounds."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def scale(sample, l_bounds, u_bounds, *, reverse=False):
    """scipy.stats.qmc.scale."""
    sample = np.asarray(sample)
    if sample.ndim != 2:
        raise ValueError("Sample is not a 2D array")
    lower, upper = np.broadcast_to(l_bounds, (sample.shape[1],)), np.broadcast_to(u_bounds, (sample.shape[1],))
    if not np.all(lower < upper):
        raise ValueError("Bounds are not consistent 'l_bounds' < 'u_bounds'")
    if reverse:
        if not (np.all(sample >= lower) and np.all(sample <= upper)):
            raise ValueError("Sample is out of bounds")
        return (sample - lower) / (upper - lower)
    if np.max(sample) > 1.0 or np.min(sample) < 0.0:
        raise ValueError("Sample is not in unit hypercube")
    return sample * (upper - lower) + lower


def _in_cube(sample):
    sample = np.asarray(sample, dtype=np.float64)
    if sample.ndim != 2:
        raise ValueError("Sample is not a 2D array")
    if np.max(sample) > 1.0 or np.min(sample) < 0.0:
        raise ValueError("Sample is not in unit hypercube")
    return sample


def discrepancy(sample, *, iterative=False, method="CD", workers=1):
    """scipy.stats.qmc.discrepancy: centred, wrapped around, a mixture of both, or of boxes at the origin."""
    x = _in_cube(sample)
    n, d = x.shape
    count, one, two = n + 1 if iterative else n, x[:, np.newaxis, :], x[np.newaxis, :, :]
    apart, off, off_one, off_two = np.abs(one - two), np.abs(x - 0.5), np.abs(one - 0.5), np.abs(two - 0.5)
    if method == "CD":
        single, pairs = np.sum(np.prod(1.0 + 0.5 * off - 0.5 * off**2, axis=1)), np.sum(np.prod(1.0 + 0.5 * off_one + 0.5 * off_two - 0.5 * apart, axis=2))
        return (13.0 / 12.0) ** d - 2.0 / count * single + pairs / count**2
    if method == "WD":
        return -((4.0 / 3.0) ** d) + np.sum(np.prod(1.5 - apart * (1.0 - apart), axis=2)) / count**2
    if method == "MD":
        single = np.sum(np.prod(5.0 / 3.0 - 0.25 * off - 0.25 * off**2, axis=1))
        pairs = np.sum(np.prod(15.0 / 8.0 - 0.25 * off_one - 0.25 * off_two - 0.75 * apart + 0.5 * apart**2, axis=2))
        return (19.0 / 12.0) ** d - 2.0 / count * single + pairs / count**2
    if method == "L2-star":
        single, pairs = np.sum(np.prod(1.0 - x**2, axis=1)), np.sum(np.prod(np.minimum(1.0 - one, 1.0 - two), axis=2))
        return np.sqrt(3.0 ** (-d) - 2.0 ** (1 - d) / count * single + pairs / count**2)
    raise ValueError(f"{method!r} is not a valid method. It must be one of 'CD', 'WD', 'MD', 'L2-star'")


def geometric_discrepancy(sample, method="mindist", metric="euclidean"):
    """scipy.stats.qmc.geometric_discrepancy: the least distance of two points, or the mean one in the least tree."""
    import scipy.spatial.distance

    x = _in_cube(sample)
    if method not in ("mindist", "mst"):
        raise ValueError(f"{method!r} is not a valid method. It must be one of {{'mindist', 'mst'}}")
    if method == "mst":
        unsupported("scipy.stats.qmc.geometric_discrepancy(…, method='mst')", "scipy.sparse.csgraph.minimum_spanning_tree of the distances")
    if x.shape[0] < 2:
        raise ValueError("Sample must contain at least two points")
    lengths = scipy.spatial.distance.pdist(x, metric=metric)
    return np.min(np.where(lengths == 0.0, np.inf, lengths))


POINT_DESIGNS: dict[str, Any] = {f"scipy.stats.qmc.{function.__name__}": function for function in (scale, discrepancy, geometric_discrepancy)}
"""By qualified name."""
