"""NumPy's sums over windows."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import anonymous


@anonymous
def convolve(a, v, mode="full"):
    """np.convolve, as sums over windows of the longer operand."""
    a, v = _vectors("np.convolve", np.atleast_1d(a), np.atleast_1d(v))
    if a.shape[0] == 0:
        raise ValueError("a cannot be empty")
    if v.shape[0] == 0:
        raise ValueError("v cannot be empty")
    return _windowed(v, a[::-1], mode) if mode != "full" and a.shape[0] < v.shape[0] else _windowed(a, v[::-1], mode)


@anonymous
def correlate(a, v, mode="valid"):
    """np.correlate."""
    a, v = _vectors("np.correlate", a, v)
    if a.shape[0] == 0:
        raise ValueError("first array argument cannot be empty")
    if v.shape[0] == 0:
        raise ValueError("second array argument cannot be empty")
    v = np.conj(v) if v.dtype.kind == "c" else v
    return _windowed(v, a, mode)[::-1] if mode != "full" and a.shape[0] < v.shape[0] else _windowed(a, v, mode)


def _vectors(function, a, v):
    a, v = np.asarray(a), np.asarray(v)
    if a.ndim < 1 or v.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"{function} takes two vectors")
    dtype = np.result_type(a, v)
    return a.astype(dtype, copy=False), v.astype(dtype, copy=False)


@anonymous
def _windowed(a, kernel, mode):
    """The sum over j of a[k + j] * kernel[j], a with zeros around it; a must be at least as long as the kernel but for 'full'."""
    n, m = a.shape[0], kernel.shape[0]
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode must be one of 'full', 'same', 'valid' (got {mode!r})")
    if a.dtype.name == "float16":
        return _windowed(a.astype(np.float32), kernel.astype(np.float32), mode).astype(np.float16)
    low = 0 if mode == "valid" else m // 2 if mode == "same" else m - 1
    high = 0 if mode == "valid" else m - 1 - low if mode == "same" else m - 1
    places = np.arange(n + low + high - (m - 1))[:, None] + np.arange(m)
    windows = np.pad(a, (low, high))[places]
    if mode == "valid":
        return windows @ kernel
    products = windows * np.where((places >= low) & (places < n + low), kernel, kernel.dtype.type(0))  # beyond the ends nothing is added, not 0 * inf
    return np.any(products, axis=1) if products.dtype.kind == "b" else np.sum(products, axis=1, dtype=products.dtype)
