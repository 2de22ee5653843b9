"""NumPy's functions that leave nan out."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def nansum(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nansum: nan counts as 0."""
    _refuse("nansum", out, initial, where)
    return np.sum(_replaced(a, 0.0), axis=axis, dtype=dtype, keepdims=keepdims)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nanprod: nan counts as 1."""
    _refuse("nanprod", out, initial, where)
    return np.prod(_replaced(a, 1.0), axis=axis, dtype=dtype, keepdims=keepdims)


def nancumsum(a, axis=None, dtype=None, out=None):
    """np.nancumsum: nan counts as 0."""
    _refuse("nancumsum", out)
    return np.cumsum(_replaced(a, 0.0), axis=axis, dtype=dtype)


def nancumprod(a, axis=None, dtype=None, out=None):
    """np.nancumprod: nan counts as 1."""
    _refuse("nancumprod", out)
    return np.cumprod(_replaced(a, 1.0), axis=axis, dtype=dtype)


def nanmax(a, axis=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nanmax: nan only where all elements are nan."""
    _refuse("nanmax", out, initial, where)
    found = np.max(_replaced(a, -np.inf), axis=axis, keepdims=keepdims)
    return _or_nan(found, a, axis, keepdims)


def nanmin(a, axis=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    """np.nanmin: nan only where all elements are nan."""
    _refuse("nanmin", out, initial, where)
    found = np.min(_replaced(a, np.inf), axis=axis, keepdims=keepdims)
    return _or_nan(found, a, axis, keepdims)


def _replaced(a, neutral):
    a = np.asarray(a)
    return np.where(np.isnan(a), neutral, a) if a.dtype.kind in "fc" else a


def _or_nan(found, a, axis, keepdims):
    a = np.asarray(a)
    if a.dtype.kind not in "fc":
        return found
    present = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)
    return np.where(present == 0, np.nan, found)[()]


def _refuse(name, out, initial=np._NoValue, where=np._NoValue):
    if out is not None:
        unsupported(f"np.{name}(…, out) by its place", "out=…")
    if initial is not np._NoValue:
        unsupported(f"np.{name}(…, initial=…)", "leave initial out")
    if where is not np._NoValue:
        unsupported(f"np.{name}(…, where=…)", "np.where(condition, a, np.nan)")
