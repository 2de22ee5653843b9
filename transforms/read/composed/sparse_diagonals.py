"""Sparse matrices by an array of diagonals."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.sparse_matrices import Coordinates
from s2s.transforms.read.composed.sparse_patterns import diagonal, of_kind


class Diagonals(Coordinates):
    """A matrix by an array of diagonals, each element in its column, which it may share."""

    def __init__(self, rows, offsets, sides, starred, outside=False):
        self.sides, self.starred, self.format, self.exact, self.outside = sides, starred, "dia", False, outside
        self._take_rows(rows, offsets)

    def _take_rows(self, rows, offsets):
        self.rows_, self.offsets_ = rows, offsets
        count, width = rows.shape
        places = np.arange(count * width)
        column = places % width
        row = column - offsets[places // width]
        self.there = (row >= 0) & (row < self.sides[0]) & (column < self.sides[1])
        self.row_, self.column_ = row[self.there], column[self.there]

    @property
    def values(self):
        return self.rows_.ravel()[self.there]

    @property
    def dtype(self):
        return self.rows_.dtype

    @property
    def nnz(self):
        return self.row_.shape[0]

    @property
    def data(self):
        return self.rows_

    @property
    def offsets(self):
        return self.offsets_.astype(np.int32)

    def setdiag(self, values, k=0):
        self._check_inside("setdiag of", "one of its copy()")
        _, column, new = diagonal(self.sides, values, k)
        new = of_kind(new, self.dtype)
        there, (count, width) = np.any(self.offsets_ == k), self.rows_.shape
        if not there or new.shape[0] + max(k, 0) > width:
            wider = np.zeros((count if there else count + 1, max(width, new.shape[0] + max(k, 0))), self.rows_.dtype)
            wider[:count, :width] = self.rows_
            self._take_rows(wider, self.offsets_ if there else np.append(self.offsets_, k))
        for number in range(self.offsets_.shape[0]):
            if self.offsets_[number] == k:
                self.rows_[number, column] = new
