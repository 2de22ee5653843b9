"""s2s.lax.linalg as plain NumPy and SciPy. Contracts: those of `jax.lax.linalg` (documentation of version 0.10); leading axes are stacks of matrices.

What has no decomposition is NumPy's LinAlgError, where JAX gives nan.
"""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import control
from s2s.transforms.read.composed.marks import unsupported


class EigImplementation(enum.Enum):
    """Accepted by `eig`: LAPACK is what there is."""

    LAPACK = "lapack"


class EighImplementation(enum.Enum):
    """Accepted by `eigh`: LAPACK is what there is."""

    QR = "qr"


class SvdAlgorithm(enum.Enum):
    """Accepted by `svd`: LAPACK's divide and conquer is what there is."""

    DEFAULT = "default"
    QR = "QR"


def _adjoint(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _each(function: Callable[..., Any], stacked: int, *arrays: Any) -> Any:
    """A function of single matrices, over so many leading axes."""
    for _ in range(stacked):
        function = _along_first(function)
    return function(*arrays)


def _along_first(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arrays: control.map(lambda each: function(*each), arrays)


def _square(name: str, x: Any) -> Any:
    x = np.asarray(x)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"Argument to {name} must have shape [..., n, n], got shape {x.shape}")
    return x


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Any:
    """The lower factor L of x = L L^H; of the lower triangle alone unless `symmetrize_input`.

    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    x = _square("cholesky", x)
    return np.linalg.cholesky(0.5 * (x + _adjoint(x)) if symmetrize_input else x)


def cholesky_update(r_matrix: Any, w_vector: Any) -> Any:
    """The upper factor of R^T R + w w^T, from R: a rotation for each row, O(n²).

    >>> r = cholesky_update(np.array([[2.0, 1.0], [0.0, 2.0]]), np.array([1.0, 0.0]))
    >>> np.round(r.T @ r, 12)
    array([[5., 2.],
           [2., 5.]])
    """
    r, w = np.array(r_matrix), np.array(w_vector)
    if r.ndim != 2 or w.ndim != 1 or r.shape != (w.shape[0], w.shape[0]):
        raise ValueError(f"Arguments to cholesky_update must have the shapes [n, n] and [n], got {r.shape} and {w.shape}")
    for k in range(w.shape[0]):
        length = np.hypot(r[k, k], w[k])
        safe = 1.0 if length == 0.0 else length
        c, s = (1.0 if length == 0.0 else r[k, k] / safe), w[k] / safe
        row = c * r[k] + s * w
        w[...] = c * w - s * r[k]
        r[k] = row
    return r


def symmetric_product(a_matrix: Any, c_matrix: Any, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False) -> Any:
    """alpha A A^T + beta C; with `symmetrize_output` the upper triangle is the lower one's.

    >>> symmetric_product(np.array([[1.0, 2.0]]), np.array([[1.0]]), beta=3.0)
    array([[8.]])
    """
    result = alpha * (a_matrix @ np.swapaxes(a_matrix, -1, -2)) + beta * np.asarray(c_matrix)
    return np.tril(result) + np.swapaxes(np.tril(result, -1), -1, -2) if symmetrize_output else result


def eig(
    x: Any, *, compute_left_eigenvectors: bool = True, compute_right_eigenvectors: bool = True, enable_eigvec_derivs: bool = False, implementation: Any = None, use_magma: Any = None,
) -> Any:  # fmt: skip
    """The eigenvalues of general matrices, their left and their right eigenvectors: a list of those that are wanted.

    >>> values, vectors = eig(np.array([[2.0, 0.0], [0.0, 3.0]]), compute_left_eigenvectors=False)
    >>> values
    array([2.+0.j, 3.+0.j])
    """
    del enable_eigvec_derivs, implementation, use_magma
    x = _square("eig", x)
    if compute_left_eigenvectors:
        import scipy.linalg

        found = tuple(scipy.linalg.eig(x, left=True)) if compute_right_eigenvectors else tuple(scipy.linalg.eig(x, left=True, right=False))
        return [each.astype(np.result_type(each.dtype, np.complex64)) for each in found]
    found = tuple(np.linalg.eig(x)) if compute_right_eigenvectors else (np.linalg.eigvals(x),)
    return [each.astype(np.result_type(each.dtype, np.complex64)) for each in found]  # NumPy's are real where no eigenvalue is complex


def eigh(x: Any, *, lower: bool = True, symmetrize_input: bool = True, sort_eigenvalues: bool = True, subset_by_index: Any = None, implementation: Any = None) -> Any:
    """The eigenvectors of Hermitian matrices, in columns, and their eigenvalues, rising: in this order.

    >>> vectors, values = eigh(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> values
    array([1., 3.])
    """
    del sort_eigenvalues, implementation
    x = _square("eigh", x)
    x = 0.5 * (x + _adjoint(x)) if symmetrize_input else x
    values, vectors = np.linalg.eigh(x) if lower else np.linalg.eigh(x, UPLO="U")
    if subset_by_index is None:
        return vectors, values
    start, end = subset_by_index
    return vectors[..., start:end], values[..., start:end]


def qr(x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: Any = None) -> Any:
    """The factors of x = Q R; with `pivoting` of x[:, p] = Q R, and p.

    >>> q, r = qr(np.array([[3.0], [4.0]]), full_matrices=False)
    >>> np.round(r, 12)
    array([[-5.]])
    """
    del use_magma
    if not pivoting:
        q, r = np.linalg.qr(x, mode="complete") if full_matrices else np.linalg.qr(x)
        return q, r
    import scipy.linalg

    q, r, p = scipy.linalg.qr(x, pivoting=True) if full_matrices else scipy.linalg.qr(x, mode="economic", pivoting=True)
    return q, r, p.astype(np.int32)


def svd(x: Any, *, full_matrices: bool = True, compute_uv: bool = True, subset_by_index: Any = None, algorithm: Any = None) -> Any:
    """U, the singular values and V^H of x = U S V^H; the singular values alone without `compute_uv`.

    >>> svd(np.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    array([4., 3.])
    """
    del algorithm
    if subset_by_index is not None and tuple(subset_by_index) != (0, min(x.shape[-2:])):
        if full_matrices and compute_uv:
            raise ValueError("full_matrices and subset_by_index cannot both be be set.")
        start, end = subset_by_index
        if not compute_uv:
            return np.linalg.svd(x, compute_uv=False)[..., start:end]
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        return u[..., start:end], s[..., start:end], vh[..., start:end, :]
    if not compute_uv:
        return np.linalg.svd(x, compute_uv=False)
    u, s, vh = np.linalg.svd(x) if full_matrices else np.linalg.svd(x, full_matrices=False)
    return u, s, vh


def schur(x: Any, *, compute_schur_vectors: bool = True, sort_eig_vals: bool = False, select_callable: Any = None) -> Any:
    """T and Q of x = Q T Q^H, T upper triangular; of real matrices with blocks of two on its diagonal.

    >>> schur(np.array([[1.0, 2.0], [0.0, 3.0]]))[0]
    array([[1., 2.],
           [0., 3.]])
    """
    import scipy.linalg

    if sort_eig_vals or select_callable is not None:
        unsupported("lax.linalg.schur with an order of the eigenvalues", "schur without it")
    x = _square("schur", x)
    t, q = scipy.linalg.schur(x)
    return (t, q) if compute_schur_vectors else t


# ---- LU ------------------------------------------------------------------------------------------------------------------------


def lu(x: Any) -> Any:
    """Both factors of P x = L U in one matrix, the row that each row was exchanged with, and P as the order of the rows.

    >>> factors, pivots, permutation = lu(np.array([[1.0, 2.0], [4.0, 3.0]]))
    >>> permutation
    array([1, 0], dtype=int32)
    """
    import scipy.linalg

    x = np.asarray(x)
    factors, pivots = scipy.linalg.lu_factor(x)
    pivots = pivots.astype(np.int32)
    return factors, pivots, lu_pivots_to_permutation(pivots, x.shape[-2])


def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Any:
    """The order of the rows that exchanges one after the other make.

    >>> lu_pivots_to_permutation(np.array([2, 2], np.int32), 3)
    array([2, 0, 1], dtype=int32)
    """
    pivots = np.asarray(pivots)
    if permutation_size < pivots.shape[-1]:
        raise ValueError(f"Output permutation size {permutation_size} has to exceed the trailing dimension of the pivots. Got pivots size {pivots.shape[-1]}")

    def one(exchanged: Any) -> Any:
        order = np.arange(permutation_size, dtype=np.int32)
        for k in range(exchanged.shape[0]):
            kept = order[k]
            order[k] = order[exchanged[k]]
            order[exchanged[k]] = kept
        return order

    return _each(one, pivots.ndim - 1, pivots)


# ---- systems of equations ------------------------------------------------------------------------------------------------------


def triangular_solve(
    a: Any, b: Any, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False, conjugate_a: bool = False, unit_diagonal: bool = False,
) -> Any:  # fmt: skip
    """X of op(A) X = B, or of X op(A) = B unless `left_side`; of A the lower or the upper triangle, transposed or conjugated as asked.

    >>> triangular_solve(np.array([[2.0, 0.0], [1.0, 4.0]]), np.array([[2.0], [9.0]]), left_side=True, lower=True)
    array([[1.],
           [2.]])
    """
    import scipy.linalg

    a, b = _square("triangular_solve", a), np.asarray(b)
    if a.ndim != b.ndim or a.shape[:-2] != b.shape[:-2]:
        raise TypeError(f"triangular_solve requires both arguments to have the same number of dimensions and equal batch dimensions, got {a.shape} and {b.shape}")
    if b.shape[-2 if left_side else -1] != a.shape[-1]:
        raise TypeError(f"Incompatible shapes for arguments to triangular_solve: {a.shape} and {b.shape}")
    a = np.conj(a) if conjugate_a else a
    right = b if left_side else np.swapaxes(b, -1, -2)
    transposed = bool(transpose_a) == bool(left_side)
    found = scipy.linalg.solve_triangular(a, right, trans=1 if transposed else 0, lower=lower, unit_diagonal=unit_diagonal, check_finite=False)
    return found if left_side else np.swapaxes(found, -1, -2)


def tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool = False) -> Any:
    """X of A X = B, A's diagonals being `dl` (whose first element is not read), `d` and `du` (whose last one is not).

    >>> tridiagonal_solve(np.array([0.0, 1.0]), np.array([2.0, 3.0]), np.array([1.0, 0.0]), np.array([[4.0], [7.0]]))
    array([[1.],
           [2.]])
    """
    import scipy.linalg

    if perturb_singular:
        unsupported("lax.linalg.tridiagonal_solve(…, perturb_singular=True)", "a small number on the diagonal d")
    dl, d, du, b = np.asarray(dl), np.asarray(d), np.asarray(du), np.asarray(b)
    if dl.shape != d.shape or du.shape != d.shape:
        raise ValueError(f"tridiagonal_solve requires that all diagonal arguments have the same shape. Got {dl.shape}, {d.shape}, {du.shape}")
    if b.ndim != d.ndim + 1 or b.shape[:-1] != d.shape:
        raise ValueError(f"tridiagonal_solve requires that the leading ndim-1 dimensions of b equal the dimensions of d. Got {b.shape} and {d.shape}")

    nothing = np.zeros((*d.shape[:-1], 1), dtype=d.dtype)
    bands = np.stack((np.concatenate((nothing, du[..., :-1]), -1), d, np.concatenate((dl[..., 1:], nothing), -1)), -2)
    return scipy.linalg.solve_banded((1, 1), bands, b, check_finite=False)


# ---- reflections: H = I - tau v v^H, v's first element being 1 and not kept -------------------------------------------------------


def _reflected(x: Any) -> Any:
    """v, tau and what the vector becomes the first element of: LAPACK's larfg."""
    alpha, rest = x[0], x[1:]
    size = np.sqrt(np.sum(np.real(rest * np.conj(rest))))
    if size == 0.0 and np.imag(alpha) == 0.0:
        return np.zeros_like(x), np.zeros((), dtype=x.dtype)[()], alpha
    beta = -np.copysign(np.sqrt(np.real(alpha * np.conj(alpha)) + size * size), np.real(alpha))
    v = x / (alpha - beta)
    v[0] = 1.0
    return v, (beta - alpha) / beta, alpha * 0 + beta


def householder_product(a: Any, taus: Any) -> Any:
    """The columns of the product of the reflections whose vectors stand below the diagonal of `a`, as LAPACK's factorizations leave them.

    >>> a, taus = np.linalg.qr(np.array([[3.0], [4.0]]), mode="raw")
    >>> np.round(householder_product(a.T, taus), 12)
    array([[-0.6],
           [-0.8]])
    """
    a, taus = np.asarray(a), np.asarray(taus)
    if a.ndim < 2 or a.shape[-2] < a.shape[-1] or taus.shape[-1] > a.shape[-1]:
        raise ValueError(f"householder_product requires [..., m, n] with m >= n and at most n taus, got {a.shape} and {taus.shape}")
    return _each(lambda x, t: _applied(x, t, np.eye(x.shape[0], x.shape[1], dtype=x.dtype), False), a.ndim - 2, a, taus)


def _applied(a: Any, taus: Any, c: Any, turned: bool) -> Any:
    """Q c, or Q^H c, one reflection after the other."""
    count, result = taus.shape[0], np.array(c)
    for step in range(count):
        k = step if turned else count - 1 - step
        v = np.concatenate((np.ones(1, dtype=a.dtype), a[k + 1 :, k]))
        tau = np.conj(taus[k]) if turned else taus[k]
        result[k:] -= tau * v[:, np.newaxis] * (np.conj(v) @ result[k:])
    return result


def ormqr(a: Any, taus: Any, c: Any, *, left: bool = True, transpose: bool = False) -> Any:
    """Q c, or c Q unless `left`, of the Q of a factorization that is kept as reflections; Q^H with `transpose`.

    >>> a, taus = np.linalg.qr(np.array([[3.0], [4.0]]), mode="raw")
    >>> np.round(ormqr(a.T, taus, np.array([[3.0], [4.0]]), transpose=True), 12)
    array([[-5.],
           [ 0.]])
    """
    a, taus, c = np.asarray(a), np.asarray(taus), np.asarray(c)
    if left:
        return _each(lambda x, t, y: _applied(x, t, y, bool(transpose)), a.ndim - 2, a, taus, c)
    return _adjoint(_each(lambda x, t, y: _applied(x, t, y, not transpose), a.ndim - 2, a, taus, _adjoint(c)))


def hessenberg(a: Any) -> Any:
    """The Hessenberg form in the upper triangle and the first diagonal below it, the reflections that make it below; and their taus.

    >>> h, taus = hessenberg(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> h
    array([[1., 2.],
           [3., 4.]])
    """

    def one(given: Any) -> Any:
        h, count = np.array(given), max(given.shape[0] - 1, 0)
        taus = np.zeros(count, dtype=h.dtype)
        for k in range(count):
            v, tau, beta = _reflected(np.array(h[k + 1 :, k]))
            h[k + 1 :, k + 1 :] -= np.conj(tau) * v[:, np.newaxis] * (np.conj(v) @ h[k + 1 :, k + 1 :])
            h[:, k + 1 :] -= tau * (h[:, k + 1 :] @ v)[:, np.newaxis] * np.conj(v)
            h[k + 1, k] = beta
            h[k + 2 :, k] = v[1:]
            taus[k] = tau
        return h, taus

    a = _square("hessenberg", a)
    return _each(one, a.ndim - 2, a)


def tridiagonal(a: Any, *, lower: bool = True) -> Any:
    """A Hermitian matrix made tridiagonal: the matrix with its reflections in the place of what was made zero, its diagonal, the one beside it, and the taus.

    >>> _, d, e, _ = tridiagonal(np.array([[1.0, 2.0], [2.0, 4.0]]))
    >>> d, e
    (array([1., 4.]), array([2.]))
    """

    def one(given: Any) -> Any:
        n = given.shape[0]
        count = max(n - 1, 0)
        x, taus, e = np.tril(given), np.zeros(count, dtype=given.dtype), np.zeros(count, dtype=np.real(given).dtype)
        x = x + np.conj(np.tril(given, -1).T)
        kept = np.array(given)
        for k in range(count):
            v, tau, beta = _reflected(np.array(x[k + 1 :, k]))
            part = x[k + 1 :, k + 1 :] - np.conj(tau) * v[:, np.newaxis] * (np.conj(v) @ x[k + 1 :, k + 1 :])
            x[k + 1 :, k + 1 :] = part - tau * (part @ v)[:, np.newaxis] * np.conj(v)
            kept[k, k] = x[k, k]
            kept[k + 1, k] = beta
            kept[k + 2 :, k] = v[1:]
            e[k], taus[k] = np.real(beta), tau
        if n > 0:
            kept[n - 1, n - 1] = x[n - 1, n - 1]
        return kept, np.real(np.diag(x)), e, taus

    a = _square("tridiagonal", a)
    if lower:
        return _each(one, a.ndim - 2, a)
    kept, d, e, taus = _each(one, a.ndim - 2, np.flip(a, (-2, -1)))
    return np.flip(kept, (-2, -1)), np.flip(d, -1), np.flip(e, -1), np.flip(taus, -1)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    cholesky, cholesky_update, eig, eigh, hessenberg, householder_product, lu, lu_pivots_to_permutation, ormqr, qr, schur, svd, symmetric_product, triangular_solve, tridiagonal,
    tridiagonal_solve,
)}  # fmt: skip
"""By the names that they have in s2s.lax.linalg."""
