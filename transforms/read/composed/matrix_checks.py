"""What scipy.linalg's functions of matrices ask of their arguments."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def one_square(name, a):
    """A square matrix."""
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported(f"scipy.linalg.{name} of stacks of matrices", "a loop over them")
    if a.shape[0] != a.shape[1]:
        raise ValueError("expected square array_like input")
    return a


def floats(a):
    """Of floats or complex numbers."""
    return a.astype(np.float64) if a.dtype.kind in "biu" else a


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
