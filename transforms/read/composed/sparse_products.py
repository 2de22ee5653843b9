"""Products of sparse matrices, and their sums, diagonals and extremes."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.dense_matrices import Dense
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_patterns import added_up


class Products(Sparse):
    """Products and sums over what is stored."""

    def __matmul__(self, other):
        if isinstance(other, Sparse):
            return _product_of(self, other)
        else:
            x = np.asarray(other)
            if x.ndim == 0 or x.ndim > 2:
                raise ValueError("Scalar operands are not allowed, use '*' instead") if x.ndim == 0 else ValueError("could not interpret dimensions")
            if x.shape[0] != self.shape[1]:
                raise ValueError("matmul: dimension mismatch")
            return self._times(x)

    def __rmatmul__(self, other):
        return (self.transpose() @ np.asarray(other).T).T

    def dot(self, other):
        return self @ other if isinstance(other, Sparse) or np.ndim(other) > 0 else self * other

    def sum(self, axis=None, dtype=None, out=None):
        if out is not None:
            unsupported("sum of a sparse matrix with out", "leave it out")
        axis, values = _axis(axis), self.values.astype(_kind_of_sums(self.dtype) if dtype is None else dtype)
        if axis is None:
            return np.sum(values)
        row, column = self._coordinates()
        found = np.zeros(self.shape[1 - axis], values.dtype)
        np.add.at(found, row if axis else column, values)
        return Dense(found[:, np.newaxis] if axis else found[np.newaxis]) if self.starred else found

    def mean(self, axis=None, dtype=None, out=None):
        if out is not None:
            unsupported("mean of a sparse matrix with out", "leave it out")
        axis = _axis(axis)
        total = self.sum(axis)
        found = (total.A if axis is not None and self.starred else total) / (self.shape[0] * self.shape[1] if axis is None else self.shape[axis])
        found = found if dtype is None else found.astype(dtype)
        return Dense(found) if axis is not None and self.starred else found

    def diagonal(self, k=0):
        row, column = self._coordinates()
        n, m = self.shape
        if k <= -n or k >= m:
            return np.empty(0, self.dtype)
        found = np.zeros(min(n + min(k, 0), m - max(k, 0)), self.dtype)
        for e in range(row.shape[0]):
            if column[e] - row[e] == k:
                found[row[e] + min(k, 0)] += self.values[e]
        return found

    def trace(self, offset=0):
        return np.sum(self.diagonal(offset))

    def max(self, axis=None, out=None):
        return self._extreme("max", np.max, axis)

    def min(self, axis=None, out=None):
        return self._extreme("min", np.min, axis)

    def _extreme(self, name, extreme, axis):
        self._check_has(name)
        if axis is None:
            return extreme(self.toarray())
        if not self.starred:
            unsupported(f"{name} of a sparse array along an axis (it has one axis)", f"np.{name}(a.toarray(), axis)")
        return self._of_array(extreme(self.toarray(), axis=axis, keepdims=True))

    def argmax(self, axis=None, out=None, *, explicit=False):
        return self._argument("argmax", np.argmax, axis, explicit)

    def argmin(self, axis=None, out=None, *, explicit=False):
        return self._argument("argmin", np.argmin, axis, explicit)

    def _argument(self, name, place, axis, explicit):
        if explicit:
            unsupported(f"{name} of a sparse matrix with explicit=True", "that of its data")
        self._check_has(name)
        if np.any(np.isnan(self.values)):
            raise NotImplementedError("argmax and argmin of a sparse matrix with nan, which is none of SciPy's largest or smallest numbers, are not supported")
        found = place(self.toarray(), axis=axis)
        return found if axis is None or not self.starred else Dense(np.expand_dims(found, axis))


def _product_of(a, b):
    if a.shape[1] != b.shape[0]:
        raise ValueError("matmul: dimension mismatch")
    (row, column), right = a._coordinates(), b.tocsr()
    total = 0
    for e in range(row.shape[0]):
        total += int(right.indptr_[column[e] + 1]) - int(right.indptr_[column[e]])
    values, rows, columns = np.zeros(total, np.result_type(a.values, b.values)), np.zeros(total, np.int64), np.zeros(total, np.int64)
    place = 0
    for e in range(row.shape[0]):
        for k in range(right.indptr_[column[e]], right.indptr_[column[e] + 1]):
            values[place], rows[place], columns[place] = a.values[e] * right.values[k], row[e], right.indices_[k]
            place += 1
    return a._compressed(added_up, values, rows, columns, (a.shape[0], b.shape[1]), b)


def _axis(axis):
    """Along which of the two axes; None: along both."""
    given = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
    if axis is not None and len(given) == 0:
        raise ValueError("sparse does not accept 0D axis (). Either use toarray (for dense) or copy (for sparse).")
    for each in given:
        if not isinstance(each, int | np.integer):
            raise TypeError(f"axis must be an integer/tuple of ints, not {axis}")
        if not -2 <= each < 2:
            raise ValueError("axis out of range for ndim")
    if len(given) == 2 and given[0] % 2 == given[1] % 2:
        raise ValueError("duplicate value in axis")
    return given[0] % 2 if len(given) == 1 else None


def _kind_of_sums(dtype):
    """What NumPy's sums of it are."""
    return np.result_type(dtype, np.int64) if dtype.kind in "bi" else np.result_type(dtype, np.uint64) if dtype.kind == "u" else dtype
