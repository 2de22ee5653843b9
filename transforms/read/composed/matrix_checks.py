"""What scipy.linalg's functions of matrices ask of their arguments."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

NOT_SQUARE = {
    "issymmetric": "Input array must be square.", "ishermitian": "Input array must be square.", "logm": "expected a square matrix", "matrix_balance": "The data matrix for balancing should be square.",
    "solve_continuous_lyapunov": "Matrix a should be square.",
}
"""SciPy's words where they are others, by the function's name."""


def one_square(name, a):
    """A square matrix."""
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported(f"scipy.linalg.{name} of stacks of matrices", "a loop over them")
    if a.shape[0] != a.shape[1]:
        raise ValueError(NOT_SQUARE.get(name, "expected square array_like input"))
    return a


def floats(a):
    """Of floats or complex numbers."""
    return a.astype(np.float64) if a.dtype.kind in "biu" else a


def in_lapack(a):
    """As what wraps LAPACK takes it: what single precision holds (bools, integers of 8 and 16 bits) is of that, other integers are doubles."""
    return a.astype(np.float32) if a.dtype.kind in "biuf" and a.dtype.itemsize < 4 else floats(a)


def one_matrix(name, a):
    """A matrix, no stack."""
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported(f"scipy.linalg.{name} of stacks of matrices", "np.linalg's, or a loop over them")
    return a


def finite(a, check):
    """The array, of finite numbers where that is to be checked."""
    if check and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def selected_values(name, w, select, select_range):
    """Of sorted eigenvalues all, those of these indices, or those in a half-open interval."""
    if select in ("a", "all", 0):
        return w
    if select not in ("i", "index", 2, "v", "value", 1):
        raise ValueError("invalid argument for select")
    low, high = select_range
    if high < low:
        raise ValueError("select_range must be a 2-element array-like in nondecreasing order")
    if select in ("v", "value", 1):
        if high == low:
            raise ValueError(f"the bounds of the eigenvalues that scipy.linalg.{name} is to find are the same number")
        return w[(w > low) & (w <= high)]
    if low < 0 or high >= w.shape[0]:
        raise ValueError("select_range out of bounds")
    return w[low : high + 1]
