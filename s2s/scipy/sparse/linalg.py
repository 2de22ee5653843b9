"""Linear systems by functions of containers, under the names of jax.scipy.sparse.linalg; the rest is scipy.sparse.linalg's own.

Here they are plain Python; inside of functions that are read they are `composed/jax_sparse_linalg.py`'s, with the derivatives of the solution.
"""
from __future__ import annotations

from functools import partial
from typing import Any

import scipy.sparse.linalg as _linalg

from s2s.transforms.read.composed.jax_sparse_linalg import solved_outside
from s2s.transforms.read.composed.sparse_linalg import conjugate_gradients, least_residuals, stabilised


def cg(A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None) -> tuple[Any, None]:  # noqa: N803 - JAX's names
    """The x with A x = b for a Hermitian positive definite A, and None. `A` and the preconditioner `M` are functions of b's container, or matrices.

    >>> import numpy as np
    >>> x, _ = cg(lambda v: {"u": 2.0 * v["u"]}, {"u": np.array([2.0, 4.0])})
    >>> x["u"]
    array([1., 2.])
    """
    return solved_outside(conjugate_gradients, A, b, x0, tol, atol, maxiter, M)


def bicgstab(A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None) -> tuple[Any, None]:  # noqa: N803 - JAX's names
    """The x with A x = b, and None."""
    return solved_outside(stabilised, A, b, x0, tol, atol, maxiter, M)


def gmres(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, restart: int = 20, maxiter: int | None = None, M: Any = None, solve_method: str = "batched",  # noqa: N803 - JAX's names
) -> tuple[Any, None]:  # fmt: skip
    """The x with A x = b, and None; `solve_method` is accepted and not needed."""
    if solve_method not in ("incremental", "batched"):
        raise ValueError(f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'")
    return solved_outside(partial(least_residuals, restart=restart), A, b, x0, tol, atol, maxiter, M)


__all__ = ["bicgstab", "cg", "gmres"]


def __getattr__(name: str) -> Any:
    return getattr(_linalg, name)
