"""scipy.interpolate.make_smoothing_spline: the natural cubic spline near samples that bends least.

Method: Reinsch, Smoothing by spline functions, Numer. Math. 10 (1967): a system of five bands for the second derivatives at the samples. What is not given of lam is the number of least
generalized cross-validation (Craven and Wahba 1979), sought between the bounds that SciPy takes.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.banded import solveh_banded
from s2s.transforms.read.composed.fitting import minimize_scalar
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.splines import make_interp_spline


def make_smoothing_spline(x, y, w=None, lam=None, *, axis=0):
    """scipy.interpolate.make_smoothing_spline."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if x.ndim != 1 or x.shape[0] != y.shape[axis]:
        raise ValueError("``x`` should be 1D, and as long as ``y`` along the axis")
    if np.any(x[1:] <= x[:-1]):
        raise ValueError("``x`` should be an ascending array")
    n = x.shape[0]
    if n <= 4:
        raise ValueError("``x`` and ``y`` length must be at least 5")
    weights = np.ones(n) if w is None else np.asarray(w, np.float64)
    if np.any(weights <= 0):
        raise ValueError("Invalid vector of weights")
    y = np.moveaxis(y, axis, 0)
    if lam is None and y.ndim > 1:
        unsupported("scipy.interpolate.make_smoothing_spline of several samples without lam", "lam, or a loop over them")
    steps, errors = x[1:] - x[:-1], 1.0 / weights
    rises = np.diff(y.reshape(n, -1), axis=0) / steps[:, np.newaxis]
    lam = _cross_validated(steps, errors, rises[:, 0], n) if lam is None else lam
    if lam < 0:
        raise ValueError("Regularization parameter should be non-negative")
    bent = solveh_banded(_bands(steps, errors, lam), np.diff(rises, axis=0))
    smooth = y - lam * _spread(steps, errors, bent).reshape(y.shape)
    return make_interp_spline(x, np.moveaxis(smooth, 0, axis), bc_type="natural", axis=axis)


def _bends(steps):
    """What a second difference takes of each of three samples."""
    before, behind = 1.0 / steps[:-1], 1.0 / steps[1:]
    return before, -(before + behind), behind


def _bands(steps, errors, lam):
    """The upper bands of R + lam Q' W^-1 Q."""
    a, b, c = _bends(steps)
    count = a.shape[0]
    diagonal = (steps[:-1] + steps[1:]) / 3.0 + lam * (a**2 * errors[:-2] + b**2 * errors[1:-1] + c**2 * errors[2:])
    beside = steps[1:-1] / 6.0 + lam * (b[:-1] * a[1:] * errors[1:-2] + c[:-1] * b[1:] * errors[2:-1])
    far = lam * (c[:-2] * a[2:] * errors[2:-2])
    found = np.zeros((3, count))
    found[0, 2:], found[1, 1:], found[2] = far, beside, diagonal
    return found


def _spread(steps, errors, bent):
    """W^-1 Q times second derivatives."""
    a, b, c = [each[:, np.newaxis] for each in _bends(steps)]
    found = np.zeros((errors.shape[0], bent.shape[1]))
    found[:-2] += a * bent
    found[1:-1] += b * bent
    found[2:] += c * bent
    return found * errors[:, np.newaxis]


def _whole(bands):
    """A symmetric matrix of its upper bands."""
    return np.diag(bands[2]) + np.diag(bands[1, 1:], 1) + np.diag(bands[1, 1:], -1) + np.diag(bands[0, 2:], 2) + np.diag(bands[0, 2:], -2)


def _cross_validated(steps, errors, rises, n):
    """The number of least generalized cross-validation, by the eigenvalues of how much each shape bends."""
    plain = _whole(_bands(steps, errors, 0.0))
    root = np.linalg.cholesky(plain)
    half = np.linalg.solve(root, _whole(_bands(steps, errors, 1.0)) - plain)
    sizes, shapes = np.linalg.eigh(np.linalg.solve(root, half.T))
    parts = shapes.T @ np.linalg.solve(root, np.diff(rises))
    back = _spread(steps, errors, np.linalg.solve(root.T, shapes))

    def score(lam):
        left = back @ (lam * parts / (1.0 + lam * sizes))
        return np.sum(left**2) / n / (np.sum(lam * sizes / (1.0 + lam * sizes)) / n) ** 2

    return minimize_scalar(score, bounds=(0, n), method="bounded").x


SMOOTHING_SPLINES: dict[str, Any] = {"scipy.interpolate.make_smoothing_spline": make_smoothing_spline}
"""By qualified name."""
