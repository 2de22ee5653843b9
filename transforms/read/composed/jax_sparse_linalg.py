"""jax.scipy.sparse.linalg: linear systems in containers, by functions, with the derivatives of the solution. Contracts: those of `jax.scipy.sparse.linalg` (documentation of version 0.10)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_linear_solve
from s2s.transforms.read.composed.raveling import ravel_pytree
from s2s.transforms.read.composed.sparse_linalg import conjugate_gradients, least_residuals, stabilised


def cg(A, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, M=None):
    """The x with A x = b for a Hermitian positive definite A, and None. `A` and the preconditioner `M` are functions of b's container, or matrices.

    >>> x, _ = cg(lambda v: {"u": 2.0 * v["u"]}, {"u": np.array([2.0, 4.0])})
    >>> x["u"]
    array([1., 2.])
    """
    return _solved(conjugate_gradients, A, b, x0, tol, atol, maxiter, M, True)


def bicgstab(A, b, x0=None, *, tol=1e-5, atol=0.0, maxiter=None, M=None):
    """The x with A x = b, and None.

    >>> np.round(bicgstab(np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([3.0, 3.0]))[0], 6)
    array([1., 1.])
    """
    return _solved(stabilised, A, b, x0, tol, atol, maxiter, M, False)


def gmres(A, b, x0=None, *, tol=1e-5, atol=0.0, restart=20, maxiter=None, M=None, solve_method="batched"):
    """The x with A x = b, and None; `solve_method` is accepted and not needed.

    >>> np.round(gmres(np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([3.0, 3.0]))[0], 6)
    array([1., 1.])
    """
    if solve_method not in ("incremental", "batched"):
        raise ValueError(f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'")
    return _solved(lambda *args: least_residuals(*args, restart), A, b, x0, tol, atol, maxiter, M, False)


def _solved(steps, A, b, x0, tol, atol, maxiter, M, symmetric):
    product, solve, right, back = _parts(steps, A, b, x0, tol, atol, maxiter, M)
    return back(custom_linear_solve(product, right, solve, None if symmetric else solve, symmetric=symmetric)), None


def solved_outside(steps, A, b, x0, tol, atol, maxiter, M):
    """The solution alone, by plain Python: where nothing is read."""
    product, solve, right, back = _parts(steps, A, b, x0, tol, atol, maxiter, M)
    return back(solve(product, right)), None


def _parts(steps, A, b, x0, tol, atol, maxiter, M):
    """The product, the solver and the right side for vectors, and the function that makes b's container of one."""
    right, back = ravel_pytree(_inexact(b))
    first = np.zeros_like(right) if x0 is None else ravel_pytree(x0)[0].astype(right.dtype)
    if first.shape != right.shape:
        raise ValueError(f"arrays in x0 and b must have matching shapes: {first.shape[0]} and {right.shape[0]} elements")
    most = 10 * right.shape[0] if maxiter is None else maxiter
    product = _of_vectors(A, back)
    precondition = (lambda r: r) if M is None else _of_vectors(M, back)
    return product, lambda matvec, rest: steps(matvec, rest, first, tol, atol, most, precondition)[0], right, back


def _inexact(b):
    """What is no container as an array of floats."""
    if isinstance(b, dict | list | tuple):
        return b
    b = np.asarray(b)
    return b if b.dtype.kind in "fc" else b.astype(np.float64)


def _of_vectors(operator, back):
    """A function of a container, or a matrix, as a function of vectors."""
    if callable(operator):
        return lambda v: ravel_pytree(operator(back(v)))[0]
    if operator.ndim != 2 or operator.shape[0] != operator.shape[1]:
        raise ValueError(f"linear operator must be a square matrix, but has shape: {operator.shape}")
    return lambda v: operator @ v


EXPORTED: dict[str, Callable[..., Any]] = {"bicgstab": bicgstab, "cg": cg, "gmres": gmres}
"""By the names that they have in s2s.scipy.sparse.linalg."""
