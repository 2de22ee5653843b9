"""Matrices as Values, for the rules of linear algebra, and matrices to test them at. Stacks of matrices have leading axes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.conversion import complex_, conj
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.structural import iota, permuted
from s2s.transforms.primitives.value import Value


def transposed(x: Value) -> Value:
    """Each matrix's transpose."""
    last = x.ndim - 1
    return permuted(x, (*range(last - 1), last, last - 1))


def adjoint(x: Value) -> Value:
    """Each matrix's conjugate transpose."""
    return conjugate(transposed(x))


def conjugate(x: Value) -> Value:
    """conj(x); a real x itself."""
    return conj(x) if x.dtype.kind == "c" else x


def product(a: Value, b: Value) -> Value:
    """a @ b of stacks with the same leading axes."""
    leading = "abcdefgh"[: a.ndim - 2]
    return contract(a, b, spec=f"{leading}xy,{leading}yz->{leading}xz")


def positions(x: Value) -> tuple[Value, Value]:
    """The row and the column number of each element."""
    first, last = x.ndim - 2, x.ndim - 1
    return iota(x.dim(first)).broadcast_to(x.shape, (first,)), iota(x.dim(last)).broadcast_to(x.shape, (last,))


def below(x: Value, strictly: bool = False) -> Value:
    """The lower triangles, with or without the diagonal; 0 elsewhere."""
    rows, columns = positions(x)
    return (columns < rows if strictly else columns <= rows).where(x, x.like(0))


def above(x: Value, strictly: bool = False) -> Value:
    """The upper triangles, with or without the diagonal."""
    rows, columns = positions(x)
    return (rows < columns if strictly else rows <= columns).where(x, x.like(0))


def diagonals(x: Value) -> Value:
    """The diagonals of square matrices."""
    rows, columns = positions(x)
    return reduce_sum(rows.equals(columns).where(x, x.like(0)), axes=(x.ndim - 1,))


def along_rows(v: Value, x: Value) -> Value:
    """A vector for each matrix as all of the matrix's rows."""
    return v.broadcast_to(x.shape, (*range(x.ndim - 2), x.ndim - 1))


def along_columns(v: Value, x: Value) -> Value:
    """A vector for each matrix as all of the matrix's columns."""
    return v.broadcast_to(x.shape, tuple(range(x.ndim - 1)))


def with_phase(v: Value, like: Value) -> Value:
    """A real Value in the dtype of another, which may be complex."""
    return complex_(v, v.like(0)) if like.dtype.kind == "c" and v.dtype.kind == "f" else v


# ---- matrices of samples ----------------------------------------------------------------------------------------------------


def drawn(*shape: int, dtype: Any = np.float64) -> Callable[[np.random.Generator], Any]:
    """Any matrices."""

    def make(rng: np.random.Generator) -> Any:
        x = rng.normal(size=shape)
        return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)

    return make


def regular(*shape: int, dtype: Any = np.float64) -> Callable[[np.random.Generator], Any]:
    """Matrices that are far from singular."""
    return lambda rng: (drawn(*shape, dtype=dtype)(rng) + 3 * np.eye(shape[-1])).astype(dtype)


def positive(*shape: int, dtype: Any = np.float64) -> Callable[[np.random.Generator], Any]:
    """Positive definite ones."""

    def make(rng: np.random.Generator) -> Any:
        x = drawn(*shape, dtype=dtype)(rng)
        return (x @ np.conj(np.swapaxes(x, -1, -2)) + shape[-1] * np.eye(shape[-1])).astype(dtype)

    return make


def spread_out(*shape: int, dtype: Any = np.float64) -> Callable[[np.random.Generator], Any]:
    """Hermitian matrices whose eigenvalues lie apart."""

    def make(rng: np.random.Generator) -> Any:
        x = drawn(*shape, dtype=dtype)(rng)
        return (0.2 * (x + np.conj(np.swapaxes(x, -1, -2))) + np.diag(np.arange(1.0, shape[-1] + 1))).astype(dtype)

    return make
