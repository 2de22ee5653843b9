"""Linear least squares of numbers that bounds hold (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np


def among(matrix, b, free):
    """The least squares of the free numbers alone; the others are 0."""
    own = np.where(np.outer(free, free), matrix.T @ matrix, 0.0) + np.diag(np.where(free, 0.0, 1.0))
    return np.linalg.solve(own, np.where(free, matrix.T @ b, 0.0))


def free_of_nnls(matrix, b, most):
    """Which numbers are not held at zero."""
    n = matrix.shape[1]
    free, x, trips = np.zeros(n, bool), np.zeros(n), 0
    tolerance = 10 * max(matrix.shape[0], n) * 2.220446049250313e-16 * np.max(np.sum(np.abs(matrix), axis=0), initial=0.0)
    w = np.where(free, -np.inf, matrix.T @ (b - matrix @ x))
    while not np.all(free) and np.max(w, initial=-np.inf) > tolerance:
        free[np.argmax(w)] = True
        s = among(matrix, b, free)
        while trips < most and np.any(free & (s <= 0)):
            trips += 1
            falling = free & (s <= 0)
            part = np.min(np.where(falling, x / np.where(falling, x - s, 1.0), np.inf))
            x = x + part * (s - x)
            free = free & (x > tolerance)
            s = among(matrix, b, free)
        if trips >= most:
            raise RuntimeError("Maximum number of iterations reached.")
        x = s
        w = np.where(free, -np.inf, matrix.T @ (b - matrix @ x))
    return free
