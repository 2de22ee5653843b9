"""Decompositions and systems of equations, under the names that they have in jax.lax.linalg. Stacks of matrices along leading axes."""
from __future__ import annotations

from s2s.not_here import refusing
from s2s.transforms.read.composed.lax_linalg import (
    EighImplementation,
    EigImplementation,
    SvdAlgorithm,
    cholesky,
    cholesky_update,
    eig,
    eigh,
    hessenberg,
    householder_product,
    lu,
    lu_pivots_to_permutation,
    ormqr,
    qr,
    schur,
    svd,
    symmetric_product,
    triangular_solve,
    tridiagonal,
    tridiagonal_solve,
)

__all__ = [
    "EigImplementation",
    "EighImplementation",
    "SvdAlgorithm",
    "cholesky",
    "cholesky_update",
    "eig",
    "eigh",
    "hessenberg",
    "householder_product",
    "lu",
    "lu_pivots_to_permutation",
    "ormqr",
    "qr",
    "schur",
    "svd",
    "symmetric_product",
    "triangular_solve",
    "tridiagonal",
    "tridiagonal_solve",
]

__getattr__ = refusing(__name__)
