"""scipy.linalg: decompositions composed of others: polar, QR with pivots, Hessenberg, pseudo-inverses, tridiagonal eigenvalues, angles of spaces."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.matrix_checks import finite, floats, in_lapack, one_matrix, selected_values


def polar(a, side="right"):
    """scipy.linalg.polar: a unitary and a positive semidefinite factor."""
    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported("scipy.linalg.polar of stacks of matrices", "a loop over them")
    a = in_lapack(finite(a, True))
    w, s, vh = np.linalg.svd(a, full_matrices=False)
    u = w @ vh
    return u, (np.conj(vh.T) * s) @ vh if side == "right" else (w * s) @ np.conj(w.T)


def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """scipy.linalg.pinvh: the pseudo-inverse of a Hermitian matrix, of which one triangle is read."""
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported("scipy.linalg.pinvh of stacks of matrices", "a loop over them")
    a = in_lapack(finite(a, check_finite))
    if not lower:
        a = np.conj(a.T)
    s, u = np.linalg.eigh(a)
    size = np.abs(constant(s))
    largest = np.max(size, initial=0.0)
    least = (0.0 if atol is None else atol) + (max(a.shape) * np.finfo(u.dtype).eps if rtol is None else rtol) * largest
    kept = size > least
    inverse = (u * np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0)) @ np.conj(u.T)
    return (inverse, int(np.count_nonzero(kept))) if return_rank else inverse


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """scipy.linalg.qr; with pivots that of the columns in their order, which has no derivative."""
    if mode not in ("full", "r", "economic", "raw"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic', 'raw']")
    a = finite(in_lapack(one_matrix("qr", a)), check_finite)
    if pivoting:
        order = _pivots(constant(a))
        return (*qr(a[:, order], mode=mode, check_finite=False), order.astype(np.int32))
    if mode == "economic":
        q, r = np.linalg.qr(a)
        return q, r
    if mode == "full":
        q, r = np.linalg.qr(a, mode="complete")
        return q, r
    r = np.linalg.qr(a, mode="r")
    if mode == "raw":
        reflections, scales = np.linalg.qr(a, mode="raw")
        return (reflections.T, scales), r
    whole = np.zeros_like(a)
    whole[: r.shape[0]] = r
    return (whole,)


def _pivots(a):
    """The columns in the order of what is left of them when those before are taken out, the longest first."""
    rest, order = 1.0 * a, np.arange(a.shape[1])
    for k in range(min(a.shape[0], a.shape[1])):
        sizes = np.sum(np.abs(rest[:, k:]) ** 2, axis=0)
        best = k + int(np.argmax(sizes))
        kept, column = order[k], rest[:, k].copy()
        order[k], rest[:, k] = order[best], rest[:, best]
        order[best], rest[:, best] = kept, column
        size = np.linalg.norm(rest[:, k])
        if size > 0:
            unit = rest[:, k] / size
            for _ in range(2):  # what rounding leaves
                rest[:, k + 1 :] -= np.outer(unit, np.conj(unit) @ rest[:, k + 1 :])
    return order


def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True):
    """scipy.linalg.hessenberg, by LAPACK's reflections: the first number below the diagonal changes its sign. Up to two rows are as they are."""
    h = finite(np.asarray(a), check_finite)
    if h.ndim != 2 or h.shape[0] != h.shape[1]:
        raise ValueError("expected square matrix")
    n = h.shape[0]
    if 0 < len(tuple(h)) <= 2:  # by the sizes of the call, by which SciPy's dtypes go
        return (h.copy(), np.eye(n)) if calc_q else h.copy()
    h = h.astype(np.float32) if h.dtype.char in "?bBhHe" else floats(h)
    h, q = h.copy(), np.eye(n, dtype=h.dtype)
    for k in range(n - 1):
        column = h[k + 1 :, k].copy()
        first = column[0]
        if not np.any(constant(column[1:]) != 0) and constant(first).imag == 0:
            continue
        size = np.sqrt(np.sum(np.abs(column) ** 2))
        new = size if constant(first).real < 0 else -size
        scale = (new - first) / new
        column = column / (first - new)
        column[0] = 1.0
        h[:, k + 1 :] -= np.outer(h[:, k + 1 :] @ column, scale * np.conj(column))
        h[k + 1 :, k:] -= np.outer(np.conj(scale) * column, np.conj(column) @ h[k + 1 :, k:])
        h[k + 2 :, k] = 0.0
        q[:, k + 1 :] -= np.outer(q[:, k + 1 :] @ column, scale * np.conj(column))
    return (h, q) if calc_q else h


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """scipy.linalg.pinv."""
    a = finite(in_lapack(one_matrix("pinv", a)), check_finite)
    if atol is None and not return_rank:
        return np.linalg.pinv(a, rtol=rtol)
    relative = max(a.shape) * np.finfo(a.dtype).eps if rtol is None else rtol
    sizes = np.linalg.svd(constant(a), compute_uv=False)
    largest = np.max(sizes, initial=0.0)
    cutoff = (0.0 if atol is None else atol) + largest * relative
    inverse = np.linalg.pinv(a, rtol=cutoff / (largest if largest > 0 else 1.0))
    return (inverse, np.count_nonzero(sizes > cutoff)) if return_rank else inverse


def eigvalsh_tridiagonal(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """scipy.linalg.eigvalsh_tridiagonal, of the whole matrix."""
    return eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)


def eigh_tridiagonal(d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """scipy.linalg.eigh_tridiagonal: of the whole matrix, which LAPACK's reduction leaves as it is."""
    d, e = finite(np.asarray(d), check_finite), finite(np.asarray(e), check_finite)
    if d.ndim != 1 or e.ndim != 1:
        raise ValueError("expected a 1-D array")
    if d.shape[0] != e.shape[0] + 1:
        raise ValueError(f"d ({d.size}) must have one more element than e ({e.size})")
    if d.dtype.kind == "c" or e.dtype.kind == "c":
        raise TypeError("Only real arrays currently supported")
    matrix = in_lapack(np.diag(d) + np.diag(e, -1))
    if eigvals_only:
        return selected_values("eigh_tridiagonal", np.linalg.eigvalsh(matrix), select, select_range)
    if select in ("i", 2) and lapack_driver in ("auto", "stebz"):
        return _some_vectors(matrix, select_range)
    if select not in ("a", 0):
        unsupported(f"scipy.linalg.eigh_tridiagonal(…, select={select!r}) with eigenvectors", "all of them, and a slice or a mask", "its driver chooses other signs of the vectors")
    if lapack_driver not in ("auto", "stevd") or matrix.dtype != np.float64:
        unsupported("scipy.linalg.eigh_tridiagonal with eigenvectors by other drivers, or of other dtypes than float64,", "scipy.linalg.eigh of the matrix", "it chooses other signs of the vectors")
    w, v = np.linalg.eigh(matrix)
    return w, v


def _some_vectors(matrix, select_range):
    import scipy.linalg

    if select_range[0] == 0 and select_range[1] == matrix.shape[0] - 1:
        raise NotImplementedError("scipy.linalg.eigh_tridiagonal with the eigenvectors from the first to the last, of other signs than all of them have, is not supported")
    return scipy.linalg.eigh(matrix, subset_by_index=select_range)


def subspace_angles(A, B):
    """scipy.linalg.subspace_angles. Source: Knyazev and Argentati (2002)."""
    first, second = finite(in_lapack(one_matrix("subspace_angles", A)), True), finite(in_lapack(one_matrix("subspace_angles", B)), True)
    if first.shape[0] != second.shape[0]:
        raise ValueError(f"A and B must have the same number of rows, got {first.shape[0]} and {second.shape[0]}")
    one, other = _basis(first), _basis(second)
    if one.shape[1] < other.shape[1]:
        one, other = other, one
    product = np.conj(one.T) @ other
    cosines = np.linalg.svd(product, compute_uv=False)
    rest = other - one @ product
    near = cosines**2 >= 0.5
    sines = np.minimum(np.linalg.svd(rest, compute_uv=False), 1.0)
    small, large = np.where(near[::-1], sines[: cosines.size], 0.0), np.where(near[::-1], 0.0, np.minimum(cosines[::-1], 1.0))
    return np.where(near[::-1], np.arcsin(small), np.arccos(large))


def _basis(a):
    """An orthonormal basis of a matrix's columns: by QR, whose derivative is that of the space; of as many mixtures of its columns as do not depend on each other (scipy.linalg.orth)."""
    _, s, vh = np.linalg.svd(constant(a), full_matrices=False)
    rank = np.count_nonzero(s > (s[0] if s.size > 0 else 0.0) * np.finfo(s.dtype).eps * max(a.shape))
    return np.linalg.qr(a @ np.conj(vh[:rank]).T)[0]


def orthogonal_procrustes(A, B, check_finite=True):
    """scipy.linalg.orthogonal_procrustes."""
    import scipy.linalg

    a, b = finite(np.asarray(A), check_finite), finite(np.asarray(B), check_finite)
    if a.ndim != 2:
        raise ValueError(f"expected ndim to be 2, but observed {a.ndim}")
    if a.shape[0] != b.shape[0] or a.shape[1] != b.shape[1]:
        raise ValueError(f"the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, w, vt = scipy.linalg.svd((b.T @ np.conj(a)).T, full_matrices=False)
    return u @ vt, np.sum(w)


FACTORS: dict[str, Any] = {
    f"scipy.linalg.{function.__name__}": function
    for function in (polar, pinvh, qr, hessenberg, pinv, eigvalsh_tridiagonal, eigh_tridiagonal, subspace_angles, orthogonal_procrustes)
}
"""By qualified name."""
