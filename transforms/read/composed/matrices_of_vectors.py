"""scipy.linalg: matrices made of vectors, products with them, and what kind a matrix is."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.matrix_checks import finite, one_square
from s2s.transforms.read.composed.stacks import RIGHT, over_stacks


def diagsvd(s, M, N):
    """scipy.linalg.diagsvd: singular values on the diagonal of a matrix of this shape."""
    s = np.asarray(s)
    if s.shape[0] not in (M, N):
        raise ValueError("Length of s must be M or N.")
    if min(M, N) < s.shape[0]:
        raise ValueError("negative dimensions are not allowed")
    rows, columns = np.arange(M)[:, np.newaxis], np.arange(N)[np.newaxis, :]
    return np.where(rows == columns, s[np.minimum(np.arange(M), s.shape[0] - 1)][:, np.newaxis], np.zeros((), s.dtype))


def convolution_matrix(a, n, mode="full"):
    """scipy.linalg.convolution_matrix."""
    if n <= 0:
        raise ValueError("n must be a positive integer.")
    a = np.asarray(a)
    if a.ndim != 1:
        unsupported("scipy.linalg.convolution_matrix of stacks", "a loop over them")
    if a.size == 0:
        raise ValueError("len(a) must be at least 1.")
    if mode not in ("full", "valid", "same"):
        raise ValueError("'mode' argument must be one of ('full', 'valid', 'same')")
    m = a.size
    if mode == "full":
        first, count = 0, m + n - 1
    elif mode == "same":
        first, count = (min(m, n) - 1) // 2, max(m, n)
    else:
        first, count = min(m, n) - 1, max(m, n) - min(m, n) + 1
    places = np.arange(first, first + count)[:, np.newaxis] - np.arange(n)[np.newaxis, :]
    inside = (places >= 0) & (places < m)
    return np.where(inside, a[np.where(inside, places, 0)], np.zeros((), a.dtype))


def leslie(f, s):
    """scipy.linalg.leslie."""
    f, s = np.atleast_1d(f), np.atleast_1d(s)
    if f.ndim != 1 or s.ndim != 1:
        unsupported("scipy.linalg.leslie of stacks", "a loop over them")
    if f.shape[0] != s.shape[0] + 1:
        raise ValueError("Incorrect lengths for f and s. The length of s must be one less than the length of f.")
    if s.shape[0] == 0:
        raise ValueError("The length of s must be at least 1.")
    whole = np.zeros((f.shape[0], f.shape[0]), dtype=np.result_type(f, s))
    whole[0] = f
    for k in range(s.shape[0]):
        whole[k + 1, k] = s[k]
    return whole


def fiedler(a):
    """scipy.linalg.fiedler."""
    a = np.atleast_1d(a)
    if a.ndim != 1:
        unsupported("scipy.linalg.fiedler of stacks", "a loop over them")
    if surely(a.size == 1):
        return np.zeros((1, 1))
    if a.size == 0:
        raise NotImplementedError("scipy.linalg.fiedler of nothing, of which SciPy makes a vector, is not supported")
    return np.abs(a[:, np.newaxis] - a)


def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    """scipy.linalg.matmul_toeplitz, by Fourier transforms of a circulant matrix that holds the Toeplitz matrix; the length is even where that is square."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, np.conj(c_or_cr))
    c, r, x = finite(np.asarray(c), check_finite), finite(np.asarray(r), check_finite), finite(np.asarray(x), check_finite)
    if c.ndim > 1 or r.ndim > 1 or x.ndim > 2:
        return over_stacks(lambda c, r, x: matmul_toeplitz((c, r), x, check_finite), "matmul_toeplitz", (1, 1, RIGHT), {"c": c, "r": r, "x": x}, {})
    if r.shape[0] != x.shape[0]:
        raise ValueError("Incompatible dimensions.")
    length = max(c.shape[0] + r.shape[0], 1)
    column, x = np.concatenate((c, np.zeros(1), r[:0:-1])), x.astype(np.result_type(x, np.float64))
    if x.ndim > 1:
        column = column[:, np.newaxis]
    if column.dtype.kind == "c" or x.dtype.kind == "c":
        return np.fft.ifft(np.fft.fft(column, length, axis=0) * np.fft.fft(x, length, axis=0), length, axis=0)[: c.shape[0]]
    return np.fft.irfft(np.fft.rfft(column, length, axis=0) * np.fft.rfft(x, length, axis=0), length, axis=0)[: c.shape[0]]


def khatri_rao(a, b):
    """scipy.linalg.khatri_rao: the Kronecker products of columns."""
    a, b = np.asarray(a), np.asarray(b)
    if not (a.ndim == 2 and b.ndim == 2):
        raise ValueError("The both arrays should be 2-dimensional.")
    if a.shape[1] != b.shape[1]:
        raise ValueError("The number of columns for both arrays should be equal.")
    return (a[:, np.newaxis, :] * b[np.newaxis, :, :]).reshape(-1, a.shape[1])


def companion(a):
    """scipy.linalg.companion."""
    a = np.atleast_1d(a)
    if a.ndim != 1:
        unsupported("scipy.linalg.companion of stacks", "a loop over them")
    if a.size < 2:
        raise ValueError("The length of `a` along the last axis must be at least 2.")
    if a[0] == 0:
        raise ValueError("The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not be zero.")
    first = -a[1:] / (1.0 * a[0])
    found = np.eye(a.size - 1, k=-1, dtype=first.dtype)
    found[0] = first
    return found


def issymmetric(a, atol=None, rtol=None):
    """scipy.linalg.issymmetric of numbers that are equal."""
    return _equals_its(a, atol, rtol, False)


def ishermitian(a, atol=None, rtol=None):
    """scipy.linalg.ishermitian."""
    return _equals_its(a, atol, rtol, True)


def _equals_its(a, atol, rtol, turned):
    a = one_square("issymmetric", a)
    other = np.conj(a.T) if turned else a.T
    if atol is None and rtol is None:
        same = a == other
        return bool(np.all(same)) if turned and a.dtype.kind == "c" else bool(np.all(same | np.eye(a.shape[0], dtype=bool)))  # SciPy compares no number with itself
    return bool(np.allclose(a, other, atol=0.0 if atol is None else atol, rtol=0.0 if rtol is None else rtol))


OF_VECTORS: dict[str, Any] = {
    f"scipy.linalg.{function.__name__}": function
    for function in (diagsvd, convolution_matrix, leslie, fiedler, matmul_toeplitz, khatri_rao, companion, issymmetric, ishermitian)
}
"""By qualified name."""
