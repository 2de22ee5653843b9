"""numpy.linalg's functions that are composed of decompositions."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import constant, least_squares
from s2s.transforms.read.composed.matrix_checks import floats
from s2s.transforms.read.installed import NUMPY_2_5


def cond(x, p=None):
    """np.linalg.cond: by singular values, or by the norms of a matrix and its inverse."""
    x = np.asarray(x)
    if x.ndim < 2:
        raise np.linalg.LinAlgError(f"{x.ndim}-dimensional array given. Array must be at least two-dimensional")
    if x.shape[-2] == 0 or x.shape[-1] == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        fits = np.all(np.isfinite(x), axis=(-2, -1)) if NUMPY_2_5 else np.ones(x.shape[:-2], np.bool_)
        s = np.linalg.svd(np.where(np.expand_dims(fits, (-2, -1)), x, np.ones_like(x)) if NUMPY_2_5 else x, compute_uv=False)
        s = np.where(np.expand_dims(fits, -1), s, np.nan) if NUMPY_2_5 else s
        ratio = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        regular = np.linalg.slogdet(x)[0] != 0
        inverse = np.linalg.inv(np.where(np.expand_dims(regular, (-2, -1)), x, np.eye(x.shape[-1], dtype=x.dtype)))
        ratio = np.where(regular, np.linalg.norm(x, ord=p, axis=(-2, -1)) * np.linalg.norm(inverse, ord=p, axis=(-2, -1)), np.nan)
    missing = np.isnan(ratio) & ~np.any(np.isnan(x), axis=(-2, -1))
    return np.where(missing, np.inf, ratio)[()]


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """np.linalg.matrix_rank: how many singular values are larger than rounding."""
    a = np.asarray(A)
    if a.ndim < 2:
        return int(not np.all(a == 0))
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    s = np.abs(np.linalg.eigvalsh(a)) if hermitian else np.linalg.svd(a, compute_uv=False)
    if tol is None:
        if rtol is None:
            rtol = max(a.shape[-2], a.shape[-1]) * np.finfo(s.dtype).eps
        tol = np.max(s, axis=-1, keepdims=True, initial=0.0) * np.expand_dims(rtol, -1)
    else:
        tol = np.expand_dims(tol, -1)
    return np.count_nonzero(s > tol, axis=-1)


def lstsq(a, b, rcond=None):
    """np.linalg.lstsq. No residuals where the rank is less than the number of columns, as in NumPy."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != 2:
        raise np.linalg.LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if a.shape[0] != b.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    if a.dtype.name == "float16" or b.dtype.name == "float16":
        raise TypeError("array type float16 is unsupported in linalg")
    a, b = floats(a), floats(b)
    dtype = np.result_type(a, b)
    a, b = a.astype(dtype), b.astype(dtype)
    if rcond is not None:
        rcond = np.finfo(dtype).eps if rcond < 0 else rcond
    found, s = least_squares(a, b if b.ndim == 2 else b[:, np.newaxis], rcond)
    x = found if b.ndim == 2 else found[:, 0]
    cutoff = max(a.shape[0], a.shape[1]) * np.finfo(s.dtype).eps if rcond is None else rcond
    rank = np.sum(s > cutoff * np.max(s, initial=0.0))
    gaps = (b - a @ x) if b.ndim == 2 else (b - a @ x)[:, np.newaxis]
    residuals = np.sum(np.real(gaps * np.conj(gaps)), axis=0)
    count = gaps.shape[1] if rank == a.shape[1] and a.shape[0] > a.shape[1] else 0
    return x, residuals[:count], np.int32(rank), s


def tensorsolve(a, b, axes=None):
    """np.linalg.tensorsolve."""
    a, b = np.asarray(a), np.asarray(b)
    if axes is not None:
        others = [k for k in range(a.ndim) if k not in axes]
        a = a.transpose((*others, *axes))
    shape = a.shape[b.ndim - a.ndim:] if a.ndim > b.ndim else ()
    size = 1
    for length in shape:
        size *= length
    if a.size != size**2:
        raise np.linalg.LinAlgError("Input arrays must satisfy the requirement             prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return np.linalg.solve(a.reshape(size, size), b.ravel()).reshape(shape)


def tensorinv(a, ind=2):
    """np.linalg.tensorinv."""
    a = np.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape, size = a.shape[ind:] + a.shape[:ind], 1
    for length in a.shape[ind:]:
        size *= length
    return np.linalg.inv(a.reshape(size, -1)).reshape(shape)


# ---- whether LAPACK takes a matrix: for a `try` that catches its LinAlgError ---------------------------------------------------


def is_positive_definite(a):
    """Whether np.linalg.cholesky factors a matrix."""
    return _failing_minor(a) == 0


def _failing_minor(a):
    """The order of the first leading minor that is not positive, or 0; the lower triangle counts."""
    a = constant(a)
    n = a.shape[0]
    factor = np.zeros((n, n))
    failing = 0
    for j in range(n):
        for i in range(j, n):
            left = a[i, j]
            for k in range(j):
                left -= factor[i, k] * factor[j, k]
            if i == j:
                if left <= 0.0:  # nan goes on, as in LAPACK
                    failing = j + 1 if failing == 0 else failing
                    left = 1.0
                factor[j, j] = np.sqrt(left)
            else:
                factor[i, j] = left / factor[j, j]
    return failing


def failing_minor_of_scipy(a):
    """The one for which scipy.linalg.cholesky raises LinAlgError, or 0: of what is not finite it raises ValueError."""
    return _failing_minor(a) if np.all(np.isfinite(constant(a))) else 0


def is_regular(a):
    """Whether np.linalg.solve and inv take a matrix, or each of several."""
    return bool(np.all(np.linalg.slogdet(constant(a))[0] != 0.0))


def irregular(a, kind, lower):
    """-1 where scipy.linalg.solve and inv take a matrix, of which they read what is of this kind; of what is not finite they raise ValueError."""
    a = constant(a)
    if not np.all(np.isfinite(a)):
        return -1
    if kind == "positive":
        return -1 if is_positive_definite(a if lower else a.T) else 0
    if kind in ("symmetric", "hermitian"):
        half = np.tril(a) if lower else np.triu(a)
        return -1 if is_regular(half + half.T - np.diag(np.diagonal(a))) else 0
    if kind in ("upper", "lower", "diagonal"):
        return -1 if np.all(np.diagonal(a) != 0.0) else 0
    return -1 if is_regular(np.triu(np.tril(a, 1), -1) if kind == "tridiagonal" else a) else 0


def zero_on_diagonal(a):
    """The first zero on the diagonal, or -1."""
    a = constant(a)
    zeros = np.diagonal(a) == 0.0
    return int(np.argmax(zeros)) if np.any(zeros) and np.all(np.isfinite(a)) else -1


def has_no_nan(a):
    """Whether LAPACK finds a matrix's singular values: infinities give nan."""
    return not np.any(np.isnan(constant(a)))


def is_finite(a):
    """Whether np.linalg.eig takes a matrix."""
    return bool(np.all(np.isfinite(constant(a))))


def has_no_infinity(a):
    """Of infinities LAPACK's steps for singular vectors don't end, and some symmetric matrices have eigenvalues."""
    return not np.any(np.isinf(constant(a)))


def gives_eigenvalues(a):
    """Whether LAPACK finds a symmetric matrix's eigenvalues: up to two by formulas, which nan goes through."""
    return a.shape[0] < 3 or not np.any(np.isnan(constant(a)))


# ---- the array API's names ---------------------------------------------------------------------------------------------------


def cross(x1, x2, /, *, axis=-1):
    """np.linalg.cross."""
    if np.shape(x1)[axis] != 3 or np.shape(x2)[axis] != 3:
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are {np.shape(x1)[axis]} and {np.shape(x2)[axis]} dimensional instead.")
    return np.cross(x1, x2, axis=axis)


def diagonal(x, /, *, offset=0):
    """np.linalg.diagonal: of the last two axes."""
    return np.diagonal(x, offset, axis1=-2, axis2=-1)


def matmul(x1, x2, /):
    """np.linalg.matmul."""
    return np.matmul(x1, x2)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """np.linalg.matrix_norm: of the last two axes."""
    return np.linalg.norm(x, axis=(-2, -1), keepdims=keepdims, ord=ord)


def outer(x1, x2, /):
    """np.linalg.outer of two vectors."""
    if np.ndim(x1) != 1 or np.ndim(x2) != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={np.ndim(x1)} and x2.ndim={np.ndim(x2)}.")
    return np.outer(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    """np.linalg.tensordot."""
    return np.tensordot(x1, x2, axes=axes)


def trace(x, /, *, offset=0, dtype=None):
    """np.linalg.trace: of the last two axes."""
    return np.trace(x, offset, axis1=-2, axis2=-1) if dtype is None else np.trace(np.asarray(x).astype(dtype), offset, axis1=-2, axis2=-1).astype(dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """np.linalg.vector_norm: of all elements, or along axes."""
    x = np.asanyarray(x)
    if axis is None:
        found = np.linalg.norm(x.ravel(), ord=ord)
        return np.reshape(found, (1,) * x.ndim) if keepdims else found
    if not isinstance(axis, tuple):
        return np.linalg.norm(x, axis=axis, keepdims=keepdims, ord=ord)
    rest = tuple(k for k in range(x.ndim) if k not in [each + x.ndim if each < 0 else each for each in axis])
    moved = np.moveaxis(x, axis, tuple(range(len(axis))))
    found = np.linalg.norm(moved.reshape((math.prod(moved.shape[: len(axis)]), *[x.shape[k] for k in rest])), axis=0, ord=ord)
    return np.expand_dims(found, axis) if keepdims else found


OF_ARRAYS = {f"numpy.linalg.{function.__name__}": function for function in (cross, diagonal, matmul, matrix_norm, outer, tensordot, trace, vector_norm)}
