"""scipy.sparse.linalg: systems by biconjugate gradients (Fletcher 1976) and by their square (Sonneveld 1989); steps and tests in SciPy's order."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_linear_solve
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_linalg import Operator, _iterated, _product


def cgs(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """scipy.sparse.linalg.cgs."""
    return _iterated("cgs", _squared, A, b, x0, rtol, atol, maxiter, M, callback, False)


def _squared(product, b, first, rtol, atol, most, precondition):
    """The solution by conjugate gradients squared, and what SciPy says of how it ended."""
    size = np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    shadow, p, q, before, count, info = r, np.zeros_like(b), np.zeros_like(b), b.dtype.type(1.0), 0, 0
    tiny, running = np.finfo(b.dtype).eps ** 2, size != 0
    while running:
        if count >= most:
            info, running = most, False
        elif np.linalg.norm(r) < least:
            running = False
        else:
            rho = np.vdot(shadow, r)
            if np.abs(rho) < tiny:
                info, running = -10, False
            else:
                beta = rho / before if count > 0 else 0.0 * rho
                u = r + beta * q
                p = u + beta * (q + beta * p)
                v = product(precondition(p))
                rv = np.vdot(shadow, v)
                if rv == 0:
                    info, running = -11, False
                else:
                    alpha = rho / rv
                    q = u - alpha * v
                    x = x + alpha * precondition(u + q)
                    r = b - product(x)
                    before = rho
                    count += 1
    return (x if size != 0 else b), info


def bicg(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M=None, callback=None):
    """scipy.sparse.linalg.bicg; of a preconditioner of real numbers or that is Hermitian, without `rmatvec` of its own."""
    if callback is not None:
        unsupported("scipy.sparse.linalg.bicg with a callback", "leave it out")
    if atol is None or atol < 0:
        raise ValueError(f"'scipy.sparse.linalg.bicg' called with invalid `atol`={atol}; if set, `atol` must be a real, non-negative number.")
    b = np.asarray(b)
    if b.ndim != 1:
        unsupported("scipy.sparse.linalg.bicg of a right side that is no vector", "b.ravel()")
    b = b if b.dtype.kind in "fc" else b.astype(np.float64)
    if A.shape[0] != A.shape[1] or A.shape[0] != b.shape[0]:
        raise ValueError(f"expected square matrix, but got shape={A.shape}" if A.shape[0] != A.shape[1] else f"shapes of A {A.shape} and b {b.shape} are incompatible")
    most = b.shape[0] * 10 if maxiter is None else maxiter
    first = np.zeros_like(b) if x0 is None else np.asarray(x0).astype(b.dtype)
    before = (lambda r: r) if M is None else lambda r: M @ r
    before_adjoint = (lambda r: r) if M is None else lambda r: M.rmatvec(r) if isinstance(M, Operator) else M.conj().T @ r
    if isinstance(A, Sparse):
        row, column = A._coordinates()
        one, other = lambda x: _product(A.values, row, column, x), lambda x: _product(np.conj(A.values), column, row, x)
    elif isinstance(A, Operator):
        one, other = lambda x: A @ x, A.rmatvec
    else:
        one, other = lambda x: A @ x, lambda x: A.conj().T @ x

    def solve(product, right):
        return _two_sided(product, other, right, first, rtol, atol, most, before, before_adjoint)

    def solve_transposed(product, right):
        return _two_sided(product, lambda x: np.conj(one(np.conj(x))), right, first, rtol, atol, most, before_adjoint, before)

    return custom_linear_solve(one, b, solve, solve_transposed, symmetric=False, has_aux=True)


def _two_sided(product, adjoint, b, first, rtol, atol, most, precondition, precondition_adjoint):
    """The solution by residuals of the matrix and of its adjoint, and what SciPy says of how it ended."""
    size = np.linalg.norm(b)
    least, x, r = max(atol, rtol * size), first.copy(), b - product(first)
    shadow, p, beside, before, count, info = r, np.zeros_like(b), np.zeros_like(b), b.dtype.type(1.0), 0, 0
    tiny, running = np.finfo(b.dtype).eps ** 2, size != 0
    while running:
        if count >= most:
            info, running = most, False
        elif np.linalg.norm(r) < least:
            running = False
        else:
            z = precondition(r)
            rho = np.vdot(shadow, z)
            if np.abs(rho) < tiny:
                info, running = -10, False
            else:
                beta = rho / before if count > 0 else 0.0 * rho
                p, beside = z + beta * p, precondition_adjoint(shadow) + np.conj(beta) * beside
                q = product(p)
                rv = np.vdot(beside, q)
                if rv == 0:
                    info, running = -11, False
                else:
                    alpha = rho / rv
                    x, r, shadow = x + alpha * p, r - alpha * q, shadow - np.conj(alpha) * adjoint(beside)
                    before = rho
                    count += 1
    return (x if size != 0 else b), info


SPARSE_ITERATIONS: dict[str, Any] = {"scipy.sparse.linalg.cgs": cgs, "scipy.sparse.linalg.bicg": bicg}
"""By qualified name."""
