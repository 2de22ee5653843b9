"""NumPy's means and deviations."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import anonymous, surely, unsupported


@anonymous
def mean(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, *, where=np._NoValue):
    """np.mean: of integers in float64."""
    refuse("np.mean", out)
    a = np.asarray(a)
    wanted = summed_in(a, dtype)
    summed = np.float32 if dtype is None and wanted == np.float16 else wanted  # NumPy's mean of float16 is rounded once
    found = np.sum(a, axis=axis, dtype=summed, keepdims=keepdims, where=where) / counted(a, axis, keepdims, where)
    return found if found.dtype == wanted else found.astype(wanted)


@anonymous
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=np._NoValue, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    """np.var: the mean of squared deviations, divided by n - ddof."""
    refuse("np.var", out)
    a = np.asarray(a)
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        unsupported(f"np.var(…, dtype={np.dtype(dtype)})", "dtype=float")
    if a.dtype.kind == "c" and dtype is not None and np.dtype(dtype).kind != "c":
        unsupported(f"np.var(…, dtype={np.dtype(dtype)}) of complex numbers", "np.var without dtype")
    if correction is not np._NoValue:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    n, wanted = counted(a, axis, keepdims, where), summed_in(a, dtype)
    deviation = a - (_divided(np.sum(a, axis=axis, dtype=wanted, keepdims=True, where=where), counted(a, axis, True, where)) if mean is np._NoValue else mean)
    squares = (deviation * np.conj(deviation)).real if a.dtype.kind == "c" else np.square(deviation)
    total = np.sum(squares, axis=axis, dtype=None if dtype is None and a.dtype.kind in "fc" else wanted, keepdims=keepdims, where=where)
    return _divided(total, n if ddof == 0 else max(n - ddof, 0) if where is np._NoValue or where is True else np.maximum(n - ddof, 0))


@anonymous
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=np._NoValue, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    """np.std: the root of np.var; of single numbers 0 (or nan), where the root has no derivative."""
    refuse("np.std", out)
    variance = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return variance if mean is np._NoValue and where is np._NoValue and surely(np.size(a, axis) == 1) else np.sqrt(variance)


@anonymous
def _divided(total, n):
    """A sum divided by a number, in the sum's dtype."""
    found = total / n
    return found if found.dtype == total.dtype else found.astype(total.dtype)


def summed_in(a, dtype):
    """The dtype in which elements are summed."""
    return np.dtype(dtype) if dtype is not None else a.dtype if a.dtype.kind in "fc" else np.dtype(np.float64)


def counted(a, axis, keepdims, where):
    """How many elements there are to a result."""
    if where is np._NoValue or where is True:
        return np.size(a, axis)
    return np.sum(np.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)


def refuse(function, out):
    """What these functions don't take."""
    if out is not None:
        unsupported(f"{function}(…, out) by its place", "out=…")
