"""scipy.sparse.linalg: systems of equations, by elimination in the band where there is one, and by iteration.

Derivatives are those of the solution (`lax_solves.custom_linear_solve`): another system with the same matrix, or with its transpose.
Methods: Hestenes and Stiefel 1952 (cg), van der Vorst 1992 (bicgstab), Saad and Schultz 1986 (gmres); steps and tests in SciPy's order.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_linear_solve
from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.matrix_equations import solve_banded
from s2s.transforms.read.composed.sparse import _matrix, csc_array, csc_matrix
from s2s.transforms.read.composed.sparse_matrices import Sparse

# ---- by elimination -------------------------------------------------------------------------------------------------------------------


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    """scipy.sparse.linalg.spsolve of a right side that is an array."""
    if isinstance(b, Sparse):
        return unsupported("scipy.sparse.linalg.spsolve of a sparse right side", "b.toarray()")
    a, b = _matrix(A), np.asarray(b)
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"matrix must be square (has shape {a.shape})")
    if b.shape[0] != a.shape[0]:
        raise ValueError(f"matrix - rhs dimension mismatch ({a.shape} - {b.shape[0]})")
    if b.ndim == 2 and surely(b.shape[1] == 1):
        return _solved(a, b.ravel())
    if b.ndim == 2 and b.shape[1] == 1:
        raise NotImplementedError("scipy.sparse.linalg.spsolve of a right side of which only the run knows that it has one column is not supported")
    return _solved(a, b)


def _solved(a, b):
    """The x with a @ x = b."""
    dtype = np.result_type(a.values, b, np.float32)
    a, b = a.astype(np.float64 if dtype.kind == "f" and dtype.itemsize < 4 else dtype), b.astype(dtype)
    row, column = a._coordinates()
    return custom_linear_solve(
        lambda x: _product(a.values, row, column, x), b,
        lambda product, right: _eliminated(a.values, row, column, right), lambda product, right: _eliminated(a.values, column, row, right),
    )  # fmt: skip


def _product(values, row, column, x):
    """A square matrix times a vector or a matrix, of which the result has the size."""
    found = np.zeros(x.shape, np.result_type(values, x))
    for e in range(values.shape[0]):
        found[row[e]] += values[e] * x[column[e]]
    return found


def _eliminated(values, row, column, b):
    """In the band that holds all elements; of one that is as wide as the matrix, as an array."""
    n = b.shape[0]
    if n == 0:
        return b.copy()
    lower, upper = max(np.max(row - column), 0), max(np.max(column - row), 0)
    if 3 * (lower + upper) < n:
        band = np.zeros((lower + upper + 1, n), values.dtype)
        np.add.at(band, (upper + row - column, column), values)
        return solve_banded((lower, upper), band, b)
    whole = np.zeros((n, n), values.dtype)
    np.add.at(whole, (row, column), values)
    return np.linalg.solve(whole, b)


class Factors:
    """What splu gives: the matrix, of which systems are solved."""

    def __init__(self, matrix):
        self.matrix, self.shape = matrix, matrix.shape

    def solve(self, rhs, trans="N"):
        """The solution for a right side; of the transposed matrix with trans='T'."""
        if trans not in ("N", "T", "H"):
            raise ValueError("trans must be N, T, or H")
        a = self.matrix if trans == "N" else self.matrix.transpose() if trans == "T" else self.matrix.conj().transpose()
        if rhs.shape[0] != a.shape[0]:
            raise ValueError("b is of incompatible size")
        return _solved(a, rhs)

    def __getattr__(self, name):
        unsupported(f"{name} of a factorised sparse matrix", "its solve")


def splu(A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None):
    """scipy.sparse.linalg.splu: for its solve."""
    a = _matrix(A)
    if a.shape[0] != a.shape[1]:
        raise ValueError("can only factor square matrices")
    return Factors(a)


def factorized(A):
    """scipy.sparse.linalg.factorized."""
    return splu(A).solve


def inv(A):
    """scipy.sparse.linalg.inv."""
    a = _matrix(A)
    found = np.linalg.inv(a.toarray())
    return csc_matrix(found) if a.starred else csc_array(found)


def spsolve_triangular(A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False):
    """scipy.sparse.linalg.spsolve_triangular of a matrix with a whole diagonal."""
    if unit_diagonal:
        unsupported("scipy.sparse.linalg.spsolve_triangular(…, unit_diagonal=True)", "a matrix with its diagonal")
    a, b = _matrix(A), np.asarray(b)
    row, column = a._coordinates()
    if np.any((row < column) if lower else (row > column)):
        raise np.linalg.LinAlgError(f"A is not triangular: A[{0}, {0}] is nonzero.")
    return _solved(a, b)


def norm(x, ord=None, axis=None):
    """scipy.sparse.linalg.norm of a whole matrix."""
    if axis is not None:
        unsupported("scipy.sparse.linalg.norm along an axis", "np.sqrt(a.multiply(a).sum(axis))")
    a = abs(x)
    if ord in (None, "fro", "f"):
        return np.sqrt(np.sum(a.values**2))
    if ord not in (1, -1, np.inf, -np.inf):
        unsupported(f"scipy.sparse.linalg.norm(…, {ord!r})", "np.linalg.norm of its toarray()")
    sums = np.ravel(np.asarray(a.sum(axis=0 if abs(ord) == 1 else 1)))
    return np.max(sums) if ord > 0 else np.min(sums)


def expm_multiply(A, B, start=None, stop=None, num=None, endpoint=None, traceA=None):
    """scipy.sparse.linalg.expm_multiply at time 1: by the exponential of all of the matrix."""
    import scipy.linalg

    if start is not None or stop is not None or num is not None:
        unsupported("scipy.sparse.linalg.expm_multiply at several times", "expm_multiply(t * a, b) for each")
    return scipy.linalg.expm(_matrix(A).toarray()) @ np.asarray(B)


# ---- by iteration -----------------------------------------------------------------------------------------------------------------------


class Operator:
    """scipy.sparse.linalg.LinearOperator: a shape and functions."""

    def __init__(self, shape, matvec, rmatvec=None):
        self.shape, self.matvec, self.rmatvec = shape, matvec, rmatvec

    def __matmul__(self, x):
        return self.matvec(x)

    def dot(self, x):
        return self.matvec(x)

    def __call__(self, x):
        return self.matvec(x)


def linear_operator(shape, matvec, rmatvec=None, matmat=None, dtype=None, rmatmat=None):
    """scipy.sparse.linalg.LinearOperator of functions."""
    return Operator(shape, matvec, rmatvec)


def aslinearoperator(A):
    """scipy.sparse.linalg.aslinearoperator."""
    return A if isinstance(A, Operator) else Operator(A.shape, lambda x: A @ x)


def cg(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """scipy.sparse.linalg.cg."""
    return _iterated("cg", _conjugate_gradients, A, b, x0, rtol, atol, maxiter, M, callback, True)


def bicgstab(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """scipy.sparse.linalg.bicgstab."""
    return _iterated("bicgstab", _stabilised, A, b, x0, rtol, atol, maxiter, M, callback, False)


def gmres(A, b, x0=None, *, rtol=1e-05, atol=0.0, restart=None, maxiter=None, M=None, callback=None, callback_type=None):
    """scipy.sparse.linalg.gmres."""
    if restart is not None:
        return _iterated("gmres", lambda *args: _least_residuals(*args, restart), A, b, x0, rtol, atol, maxiter, M, callback, False)
    return _iterated("gmres", lambda *args: _least_residuals(*args, 20), A, b, x0, rtol, atol, maxiter, M, callback, False)


def _iterated(name, steps, A, b, x0, rtol, atol, maxiter, M, callback, symmetric):
    if callback is not None:
        unsupported(f"scipy.sparse.linalg.{name} with a callback", "leave it out")
    if atol is None or atol < 0:
        raise ValueError(f"'scipy.sparse.linalg.{name}' called with invalid `atol`={atol}; if set, `atol` must be a real, non-negative number.")
    b = np.asarray(b)
    if b.ndim != 1:
        unsupported(f"scipy.sparse.linalg.{name} of a right side that is no vector", "b.ravel()")
    b = b if b.dtype.kind in "fc" else b.astype(np.float64)
    if A.shape[0] != A.shape[1] or A.shape[0] != b.shape[0]:
        raise ValueError(f"expected square matrix, but got shape={A.shape}" if A.shape[0] != A.shape[1] else f"shapes of A {A.shape} and b {b.shape} are incompatible")
    most = b.shape[0] * 10 if maxiter is None else maxiter
    first = np.zeros_like(b) if x0 is None else np.asarray(x0).astype(b.dtype)

    def solve(product, right):
        return steps(product, right, first, rtol, atol, most, (lambda r: r) if M is None else lambda r: M @ r)

    if isinstance(A, Sparse):
        row, column = A._coordinates()
        return custom_linear_solve(lambda x: _product(A.values, row, column, x), b, solve, None if symmetric else solve, symmetric=symmetric, has_aux=True)
    return custom_linear_solve(lambda x: A @ x, b, solve, None if symmetric else solve, symmetric=symmetric, has_aux=True)


def _conjugate_gradients(product, b, first, rtol, atol, most, precondition):
    size = np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    p, before, count = np.zeros_like(b), b.dtype.type(1.0), 0
    while size > 0 and count < most and np.linalg.norm(r) >= least:
        z = precondition(r)
        now = np.vdot(r, z)
        p = z + (now / before) * p if count > 0 else z + 0 * p
        q = product(p)
        alpha = now / np.vdot(p, q)
        x = x + alpha * p
        r = r - alpha * q
        before = now
        count += 1
    return (x if size > 0 else b), (count if size > 0 and count >= most else 0)


def _stabilised(product, b, first, rtol, atol, most, precondition):
    size = np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    shadow, p, v = r, np.zeros_like(b), np.zeros_like(b)
    before, alpha, omega, count, info = b.dtype.type(1.0), b.dtype.type(1.0), b.dtype.type(1.0), 0, 0
    tiny = np.finfo(b.dtype).eps ** 2
    running = size > 0
    while running:
        if count >= most:
            info, running = most, False
        elif np.linalg.norm(r) < least:
            running = False
        else:
            rho = np.vdot(shadow, r)
            if np.abs(rho) < tiny or count > 0 and np.abs(omega) < tiny:
                info, running = (-10 if np.abs(rho) < tiny else -11), False
            else:
                p = r + (rho / before) * (alpha / omega) * (p - omega * v) if count > 0 else r + 0 * p
                ahead = precondition(p)
                v = product(ahead)
                alpha = rho / np.vdot(shadow, v)
                s = r - alpha * v
                if np.linalg.norm(s) < least:
                    x = x + alpha * ahead
                    running = False
                else:
                    beside = precondition(s)
                    t = product(beside)
                    omega = np.vdot(t, s) / np.vdot(t, t)
                    x = x + alpha * ahead + omega * beside
                    r = s - omega * t
                    before = rho
                    count += 1
    return (x if size > 0 else b), info


def _least_residuals(product, b, first, rtol, atol, most, precondition, restart):
    """With the residual of least norm in the space of products with the residual; from there again after `restart` of them."""
    n, size = b.shape[0], np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    width, eps = min(restart, n), np.finfo(b.dtype).eps
    factor, rounds, running = 1.0, 0, size > 0
    inner = np.linalg.norm(precondition(b)) * min(1.0, least / size) if size > 0 else 0.0
    if running and np.linalg.norm(r) < least:
        running = False
    while running and rounds < most:
        x, within, broken = _round(product, precondition, x, r, width, inner, eps)
        r = b - product(x)
        rest = np.linalg.norm(r)
        rounds += 1
        if rest <= least or broken:
            running = False
        else:
            factor = max(eps, 0.25 * factor) if within <= inner else min(1.0, 1.5 * factor)
            inner = within * min(factor, least / rest)
    return (x if size > 0 else b), (0 if size == 0 or np.linalg.norm(r) <= least else most)


def _round(product, precondition, x, r, width, inner, eps):
    """One round of gmres: x with what the space adds, the residual's estimate, whether the space was exhausted."""
    start = precondition(r)
    length = np.linalg.norm(start)
    v, h = np.zeros((width + 1, x.shape[0]), x.dtype), np.zeros((width + 1, width), x.dtype)
    v[0] = start / length
    turned, cosines, sines = np.zeros(width + 1, x.dtype), np.zeros(width, x.dtype), np.zeros(width, x.dtype)
    turned[0] = length
    column, broken, within = 0, False, length + inner
    while column < width and within > inner and not broken:
        w = precondition(product(v[column]))
        before = np.linalg.norm(w)
        for k in range(column + 1):
            h[k, column] = np.vdot(v[k], w)
            w = w - h[k, column] * v[k]
        after = np.linalg.norm(w)
        broken = bool(after <= eps * before)
        if not broken:
            h[column + 1, column] = after
            v[column + 1] = w / after
        for k in range(column):
            above = cosines[k] * h[k, column] + sines[k] * h[k + 1, column]
            h[k + 1, column] = cosines[k] * h[k + 1, column] - np.conj(sines[k]) * h[k, column]
            h[k, column] = above
        radius = np.sqrt(np.abs(h[column, column]) ** 2 + np.abs(h[column + 1, column]) ** 2)
        if radius > 0:
            size = np.abs(h[column, column])
            phase = h[column, column] / size if size > 0 else x.dtype.type(1.0)
            cosines[column] = size / radius
            sines[column] = phase * np.conj(h[column + 1, column]) / radius
            h[column, column] = phase * radius
        h[column + 1, column] = 0.0
        turned[column + 1] = -np.conj(sines[column]) * turned[column]
        turned[column] = cosines[column] * turned[column]
        within = np.abs(turned[column + 1])
        column += 1
    y = np.zeros(width, x.dtype)
    for k in range(column - 1, -1, -1):
        y[k] = (turned[k] - h[k, k + 1 : column] @ y[k + 1 : column]) / h[k, k] if h[k, k] != 0 else 0.0
    return x + y @ v[:width], within, broken


SPARSE_LINALG: dict[str, Any] = {
    f"scipy.sparse.linalg.{name}": function for name, function in {
        "spsolve": spsolve, "splu": splu, "factorized": factorized, "inv": inv, "spsolve_triangular": spsolve_triangular, "norm": norm, "expm_multiply": expm_multiply,
        "LinearOperator": linear_operator, "aslinearoperator": aslinearoperator, "cg": cg, "bicgstab": bicgstab, "gmres": gmres,
    }.items()
}  # fmt: skip
"""By qualified name."""
