"""numpy.linalg's functions that are composed of decompositions."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported


def cond(x, p=None):
    """np.linalg.cond: by singular values, or by the norms of a matrix and its inverse."""
    x = np.asarray(x)
    if x.shape[-2] == 0 or x.shape[-1] == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = np.linalg.svd(x, compute_uv=False)
        ratio = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        ratio = np.linalg.norm(x, ord=p, axis=(-2, -1)) * np.linalg.norm(np.linalg.inv(x), ord=p, axis=(-2, -1))
    missing = np.isnan(ratio) & ~np.any(np.isnan(x), axis=(-2, -1))
    return np.where(missing, np.inf, ratio)[()]


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """np.linalg.matrix_rank: how many singular values are larger than rounding."""
    if hermitian:
        unsupported("np.linalg.matrix_rank(…, hermitian=True)", "hermitian=False")
    a = np.asarray(A)
    if a.ndim < 2:
        return int(not np.all(a == 0))
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    s = np.linalg.svd(a, compute_uv=False)
    if tol is None:
        if rtol is None:
            rtol = max(a.shape[-2], a.shape[-1]) * np.finfo(s.dtype).eps
        tol = np.max(s, axis=-1, keepdims=True) * np.expand_dims(rtol, -1)
    else:
        tol = np.expand_dims(tol, -1)
    return np.count_nonzero(s > tol, axis=-1)


# ---- whether LAPACK takes a matrix: for a `try` that catches its LinAlgError ---------------------------------------------------


def is_positive_definite(a):
    """Whether np.linalg.cholesky factors a matrix."""
    a = constant(a)
    n = a.shape[0]
    factor = np.zeros((n, n))
    fine = True
    for j in range(n):
        for i in range(j, n):
            left = a[i, j]
            for k in range(j):
                left -= factor[i, k] * factor[j, k]
            if i == j:
                if not left > 0.0:
                    fine = False
                    left = 1.0
                factor[j, j] = np.sqrt(left)
            else:
                factor[i, j] = left / factor[j, j]
    return fine


def is_regular(a):
    """Whether np.linalg.solve and inv take a matrix."""
    return np.linalg.slogdet(constant(a))[0] != 0.0
