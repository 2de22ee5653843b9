"""scipy.sparse's matrices in compressed rows, made of their three arrays: csr_array((data, indices, indptr), shape=…). The class is read like a user's own.

Products are the sums over what is stored, row by row; derivatives are with respect to `data` and to what the matrix is multiplied with.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


class Compressed:
    """A matrix in compressed rows; `turned`: its transpose."""

    def __init__(self, data, indices, indptr, sides, turned, starred):
        self.data, self.indices, self.indptr = data, indices, indptr
        self.sides, self.turned, self.starred = sides, turned, starred

    @property
    def shape(self):
        return self.sides[::-1] if self.turned else self.sides

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def nnz(self):
        return self.data.size

    @property
    def ndim(self):
        return 2

    @property
    def T(self):  # noqa: N802 - the name that it has
        return self.transpose()

    def transpose(self):
        return Compressed(self.data, self.indices, self.indptr, self.sides, not self.turned, self.starred)

    def __matmul__(self, other):
        if isinstance(other, Compressed):
            return unsupported("a product of two sparse matrices", "one of them as an array: a.toarray()")
        else:  # what stands behind the if is read, too, where it is refused
            return _turned_product(self, np.asarray(other)) if self.turned else _product(self, np.asarray(other))

    def __rmatmul__(self, other):
        return (self.transpose() @ np.asarray(other).T).T

    def dot(self, other):
        return self * other if np.ndim(other) == 0 else self @ other

    def __mul__(self, other):
        if np.ndim(other) > 0:
            if self.starred:
                return self @ other
            unsupported("an elementwise product of a sparse matrix and an array", "the product with its data")
        return Compressed(self.data * other, self.indices, self.indptr, self.sides, self.turned, self.starred)

    def __rmul__(self, other):
        if np.ndim(other) > 0:
            unsupported("an array times a sparse matrix by *", "x @ a")
        return self * other

    def __truediv__(self, other):
        if np.ndim(other) > 0:
            unsupported("a sparse matrix divided by an array", "its data divided")
        return Compressed(self.data / other, self.indices, self.indptr, self.sides, self.turned, self.starred)

    def __neg__(self):
        return Compressed(-self.data, self.indices, self.indptr, self.sides, self.turned, self.starred)

    def __getattr__(self, name):
        unsupported(f"{name} of a sparse matrix", "products with it, its data, or its toarray()")

    def toarray(self):
        found = np.zeros(self.sides, dtype=self.data.dtype)
        for i in range(self.sides[0]):
            for k in range(self.indptr[i], self.indptr[i + 1]):
                found[i, self.indices[k]] += self.data[k]
        return found.T if self.turned else found


def _product(a, x):
    _check_factor(x, a.sides[1])
    found = np.zeros((a.sides[0], *x.shape[1:]), dtype=np.result_type(a.data, x))
    for i in range(a.sides[0]):
        for k in range(a.indptr[i], a.indptr[i + 1]):
            found[i] += a.data[k] * x[a.indices[k]]
    return found


def _turned_product(a, x):
    _check_factor(x, a.sides[0])
    found = np.zeros((a.sides[1], *x.shape[1:]), dtype=np.result_type(a.data, x))
    for i in range(a.sides[0]):
        for k in range(a.indptr[i], a.indptr[i + 1]):
            found[a.indices[k]] += a.data[k] * x[i]
    return found


def _check_factor(x, length):
    if x.ndim == 0 or x.ndim > 2:
        raise ValueError("Scalar operands are not allowed, use '*' instead") if x.ndim == 0 else ValueError("could not interpret dimensions")
    if x.shape[0] != length:
        raise ValueError("matmul: dimension mismatch")


def csr_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csr_array of data, indices and indptr."""
    return _compressed("csr_array", arg1, shape, dtype, False, False)


def csr_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csr_matrix of data, indices and indptr."""
    return _compressed("csr_matrix", arg1, shape, dtype, False, True)


def csc_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csc_array of data, indices and indptr: the transpose of one in compressed rows."""
    return _compressed("csc_array", arg1, shape, dtype, True, False)


def csc_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    """scipy.sparse.csc_matrix of data, indices and indptr."""
    return _compressed("csc_matrix", arg1, shape, dtype, True, True)


def _compressed(name, arg1, shape, dtype, turned, starred):
    if not isinstance(arg1, tuple) or len(arg1) != 3 or shape is None:
        unsupported(f"scipy.sparse.{name} of anything but its arrays and its shape", f"{name}((data, indices, indptr), shape=(n, m))")
    data, indices, indptr = np.asarray(arg1[0]), np.asarray(arg1[1]), np.asarray(arg1[2])
    if data.ndim != 1 or indices.ndim != 1 or indptr.ndim != 1:
        raise ValueError("data, indices, and indptr should be 1-D")
    sides = (shape[1], shape[0]) if turned else (shape[0], shape[1])
    if indptr.shape[0] != sides[0] + 1:
        raise ValueError(f"index pointer size {indptr.shape[0]} should be {sides[0] + 1}")
    if indices.shape[0] != data.shape[0]:
        raise ValueError("indices and data should have the same size")
    if indptr[0] != 0:
        raise ValueError("index pointer should start with 0")
    if indptr[sides[0]] > indices.shape[0]:
        raise ValueError("Last value of index pointer should be less than the size of index and data arrays")
    return Compressed(data if dtype is None else data.astype(dtype), indices, indptr, sides, turned, starred)


SPARSE: dict[str, Any] = {f"scipy.sparse.{function.__name__}": function for function in (csr_array, csr_matrix, csc_array, csc_matrix)}
"""They are read even where all of their arguments are known."""
