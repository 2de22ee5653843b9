"""Parts of sparse matrices: elements, rows, columns, other shapes."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.dense_matrices import Dense
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_patterns import as_list, in_rows


class Indexed(Sparse):
    """What asks for some of the elements of a matrix, or how many there are."""

    def reshape(self, *shape, order="C", copy=False):
        sides = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        if order != "C" or len(sides) != 2 or self.format in ("lil", "dok"):
            unsupported("reshape of a sparse matrix to other than two axes, in another order, or in this format", "one in the format 'csr', 'csc', 'dia' or 'coo'")
        row, column = self._coordinates()
        (n, m), (height, width) = self.shape, sides
        if (height, width) == (n, m):
            return self
        height, width = n * m // width if height == -1 else height, n * m // height if width == -1 else width
        if height * width != n * m:
            raise ValueError(f"cannot reshape array of size {n * m} into shape {(height, width)}")
        flat = row.astype(np.int64) * m + column
        in_order = self.exact == 1 or self.format == "csr"
        return self._by_coordinates(self.values, flat // width, flat % width, (height, width), exact=self.exact if in_order else False)

    def nonzero(self):
        self._check_exact("nonzero()")
        row, column = self._coordinates()
        there = self.values != 0
        kind = np.int32 if self.starred or self.exact != 1 else row.dtype
        row, column = row[there].astype(kind), column[there].astype(kind)
        if self.format != "csc":
            return row, column
        order = np.argsort(row, kind="stable")
        return row[order], column[order]

    def getnnz(self, axis=None):
        self._check_starred("getnnz")
        if axis is not None:
            unsupported("getnnz of a sparse matrix along an axis", "np.diff(a.indptr)")
        return self.nnz

    def count_nonzero(self, axis=None):
        if axis is not None:
            unsupported("count_nonzero of a sparse matrix along an axis", "np.count_nonzero(a.toarray(), axis)")
        return np.count_nonzero(self._summed().values)

    def getrow(self, i):
        self._check_starred("getrow")
        return self.tocsr()[[i], :]

    def getcol(self, j):
        self._check_starred("getcol")
        return (self if self.format == "csc" else self.tocsr())[:, [j]]

    def __getitem__(self, key):
        if self.format == "dia" or self.format == "coo" and self.starred:
            raise TypeError(f"'{self.format}_{'matrix' if self.starred else 'array'}' object is not subscriptable")
        row, column = key if isinstance(key, tuple) else (key, slice(None))
        if np.ndim(row) == 0 and np.ndim(column) == 0 and not isinstance(row, slice) and not isinstance(column, slice):
            return self._element(row, column)
        if not isinstance(row, slice) and not isinstance(column, slice):
            if np.ndim(row) == 0 or np.ndim(column) == 0:
                unsupported("an index of a sparse matrix that is a number beside a list", "two lists")
            if self.format == "lil":
                unsupported("elements of a sparse matrix in the format 'lil' by two lists", "those of its tocsr()")
            return self._elements(np.asarray(row), np.asarray(column))
        if not isinstance(row, slice) and np.ndim(row) == 0 or not isinstance(column, slice) and np.ndim(column) == 0:
            if not self.starred:
                unsupported("a row or a column of a sparse array", "a[[i], :], a[:, [j]], or one of its toarray()", "it has one axis")
            row, column = as_list(row), as_list(column)
        found = self._columns_of(column) if isinstance(row, slice) and row == slice(None) else self._rows_of(row)._columns_of(column)
        return found if self.format in ("csr", "csc") else self._by_coordinates(found.values, *found._coordinates(), found.shape, self.format)

    def __setitem__(self, key, value):
        unsupported(f"storing into a sparse matrix in the format {self.format!r}", "storing into its tocsr()")

    def _element(self, i, j):
        n, m = self.shape
        if not -n <= i < n or not -m <= j < m:
            raise IndexError(f"index ({i}) out of range")
        row, column = self._coordinates()
        return np.sum(np.where((row == i % n) & (column == j % m), self.values, self.dtype.type(0)), dtype=self.dtype)

    def _elements(self, i, j):
        if not self.starred:
            unsupported("elements of a sparse array by two lists", "those of its toarray()")
        return Dense(self.toarray()[i, j][np.newaxis])

    def _rows_of(self, key):
        return self.transpose()._columns_of(key).transpose()

    def _columns_of(self, key):
        if isinstance(key, slice) and key == slice(None):
            return self
        chosen = np.arange(self.shape[1])[key]
        row, column = self._coordinates()
        place = np.full(self.shape[1], -1)
        place[chosen] = np.arange(chosen.shape[0])
        if not isinstance(key, slice) and np.any(place[chosen] != np.arange(chosen.shape[0])):
            raise NotImplementedError("a part of a sparse matrix with a column or row twice is not supported")
        there = place[column] >= 0
        return self._compressed(in_rows, self.values[there], row[there], place[column][there], (self.shape[0], chosen.shape[0]))
