"""scipy.spatial: sets of points beside one another, and what tables of distances must be."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.distances import _of_truths, _vectors
from s2s.transforms.read.composed.marks import unsupported


def sokalsneath(u, v, w=None):
    """scipy.spatial.distance.sokalsneath."""
    u, v, w = _vectors(np.asarray(u).astype(np.float64), np.asarray(v).astype(np.float64), w)
    weights = 1.0 if w is None else w
    if np.sum(u * v * weights) + 2.0 * np.sum((u != v) * weights) == 0.0:
        raise ValueError("Sokal-Sneath dissimilarity is not defined for vectors that are entirely false.")
    return _of_truths("sokalsneath", u, v, weights)[()]


def directed_hausdorff(u, v, rng=None, *, seed=0):
    """scipy.spatial.distance.directed_hausdorff: how far the loneliest point of u is from v; which it is, and which of v is the nearest. Of several the draws decide, as SciPy's do."""
    if isinstance(seed, np.random.RandomState):
        raise TypeError("Cannot cast scalar from dtype('O') to dtype('int64') according to the rule 'safe'")
    u, v = np.asarray(u, np.float64), np.asarray(v, np.float64)
    if u.shape[1] != v.shape[1]:
        raise ValueError("u and v need to have the same number of columns")
    if u.shape[0] == 0 or v.shape[0] == 0:
        unsupported("scipy.spatial.distance.directed_hausdorff of no points", "points")
    if not np.all(np.isfinite(u)) or not np.all(np.isfinite(v)):
        raise NotImplementedError("scipy.spatial.distance.directed_hausdorff of nan or infinite points, where the result hangs on the order that SciPy draws, is not supported")
    rows, others = np.arange(u.shape[0]), np.arange(v.shape[0])
    if rng is not None or seed is not None:
        generator = np.random.default_rng(rng) if rng is not None else seed if isinstance(seed, np.random.Generator) else np.random.RandomState(seed)
        generator.shuffle(rows)
        generator.shuffle(others)
    square = np.empty(u.shape[0])
    nearest = np.empty(u.shape[0], np.int64)
    for k in range(u.shape[0]):
        gaps = np.sum((v[others] - u[rows[k]]) ** 2, axis=1)
        nearest[k] = np.argmin(gaps)
        square[k] = gaps[nearest[k]]
    farthest = u.shape[0] - 1 - np.argmax(square[::-1])
    return float(np.sqrt(square[farthest])), int(rows[farthest]), int(others[nearest[farthest]])


def procrustes(data1, data2):
    """scipy.spatial.procrustes: both centred and of size 1, the second turned and scaled onto the first, and what is left between them."""
    import scipy.linalg

    first, second = np.asarray(data1, np.float64), np.asarray(data2, np.float64)
    if first.ndim != 2 or second.ndim != 2:
        raise ValueError("Input matrices must be two-dimensional")
    if first.shape[0] != second.shape[0] or first.shape[1] != second.shape[1]:
        raise ValueError("Input matrices must be of same shape")
    if first.size == 0:
        raise ValueError("Input matrices must be >0 rows and >0 cols")
    first, second = first - np.mean(first, axis=0), second - np.mean(second, axis=0)
    one, other = np.linalg.norm(first), np.linalg.norm(second)
    if one == 0 or other == 0:
        raise ValueError("Input matrices must contain >1 unique points")
    first, second = first / one, second / other
    turn, scale = scipy.linalg.orthogonal_procrustes(first, second)
    second = second @ turn.T * scale
    return first, second, np.sum((first - second) ** 2)


def minkowski_distance_p(x, y, p=2.0):
    """scipy.spatial.minkowski_distance_p: the power of the distance, along the last axis."""
    gaps = np.abs(np.asarray(y, np.float64) - np.asarray(x, np.float64))
    return np.max(gaps, axis=-1) if p == np.inf else np.sum(gaps**p, axis=-1)


# ---- tables of distances -----------------------------------------------------------------------------------------------------------------


def is_valid_dm(D, tol=0.0, throw=False, name="D", warning=False):
    """scipy.spatial.distance.is_valid_dm: whether it is symmetric with zeros on the diagonal."""
    table = np.asarray(D)
    named = f"Distance matrix '{name}'" if name else "Distance matrix"
    if warning:
        unsupported("scipy.spatial.distance.is_valid_dm(…, warning=True)", "throw=True, or an if of its result")
    if table.ndim != 2:
        if throw:
            raise ValueError(f"{named} must have shape=2 (i.e. be two-dimensional).")
        return False
    if table.shape[0] != table.shape[1]:
        if throw:
            raise ValueError(f"{named} must be symmetric.")
        return False
    even, empty = np.all(table - table.T <= tol), np.all(np.diagonal(table) <= tol) if tol != 0.0 else np.all(np.diagonal(table) == 0)
    if throw and not even:
        raise ValueError(f"{named} must be symmetric.")
    if throw and not empty:
        raise ValueError(f"{named} diagonal must be zero.")
    return bool(even & empty)


def _observations(length):
    """How many points have so many distances; 0 where it is no such number."""
    count = int(np.ceil(np.sqrt(length * 2)))
    return count if count * (count - 1) // 2 == length else 0


def is_valid_y(y, warning=False, throw=False, name=None):
    """scipy.spatial.distance.is_valid_y: whether it has one axis, of such a length as tables of distances have."""
    y = np.asarray(y)
    named = f"Condensed distance matrix '{name}' must" if name else "Condensed distance matrix must"
    if warning:
        unsupported("scipy.spatial.distance.is_valid_y(…, warning=True)", "throw=True, or an if of its result")
    if y.ndim != 1:
        if throw:
            raise ValueError(f"{named} have shape=1 (i.e. be one-dimensional).")
        return False
    good = y.shape[0] == 0 or _observations(y.shape[0]) > 0
    if throw and not good:
        raise ValueError("Length n of condensed distance matrix must be a binomial coefficient, i.e. there must be a k such that (k \\choose 2)=n)!")
    return good


def num_obs_dm(d):
    """scipy.spatial.distance.num_obs_dm."""
    d = np.asarray(d)
    is_valid_dm(d, np.inf, True, "d")
    return d.shape[0]


def num_obs_y(Y):
    """scipy.spatial.distance.num_obs_y."""
    distances = np.asarray(Y)
    is_valid_y(distances, False, True, "Y")
    if distances.shape[0] == 0:
        raise ValueError("The number of observations cannot be determined on an empty distance matrix.")
    return _observations(distances.shape[0])


def geometric_slerp(start, end, t, tol=1e-7):
    """scipy.spatial.geometric_slerp: along the arc from one unit vector to another that is not opposite."""
    start, end, t = np.asarray(start, np.float64), np.asarray(end, np.float64), np.asarray(t, np.float64)
    if t.ndim > 1:
        raise ValueError("The interpolation parameter value must be one dimensional.")
    if start.ndim != 1 or end.ndim != 1:
        raise ValueError("Start and end coordinates must be one-dimensional")
    if start.shape[0] != end.shape[0]:
        raise ValueError("The dimensions of start and end must match (have same size)")
    if start.shape[0] < 2:
        raise ValueError("The start and end coordinates must both be in at least two-dimensional space")
    if np.abs(np.sqrt(np.sum(start**2)) - 1.0) > 1e-9 or np.abs(np.sqrt(np.sum(end**2)) - 1.0) > 1e-9:
        raise ValueError("start and end are not on a unit n-sphere")
    if np.abs(np.sqrt(np.sum((start - end) ** 2)) - 2.0) <= np.abs(tol):
        raise NotImplementedError("scipy.spatial.geometric_slerp of opposite points, between which any way is as short, is not supported")
    across = end - np.sum(start * end) * start
    sine = np.sqrt(np.sum(across**2))
    along = t[..., np.newaxis] * np.arctan2(sine, np.sum(start * end))
    return start * np.cos(along) + across / np.where(sine == 0, 1.0, sine) * np.sin(along)


POINT_SETS: dict[str, Any] = {
    **{f"scipy.spatial.distance.{function.__name__}": function for function in (sokalsneath, is_valid_dm, is_valid_y, num_obs_dm, num_obs_y)},
    **{f"scipy.spatial.{function.__name__}": function for function in (procrustes, minkowski_distance_p)},
}  # fmt: skip
"""By qualified name."""
SLERP: dict[str, Any] = {"scipy.spatial.geometric_slerp": geometric_slerp, "scipy.spatial.distance.directed_hausdorff": directed_hausdorff}
"""Whose own signature has types."""
