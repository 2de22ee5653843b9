"""Where the elements of sparse matrices stand: orders of coordinates, places of diagonals and indices. Functions of arrays, which know no matrices."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def starts_of(row, count):
    """Where each row begins among elements in order of their rows, and the end."""
    starts = np.zeros(count + 1, row.dtype)
    np.add.at(starts, row + 1, 1)
    return np.cumsum(starts, dtype=row.dtype)


def in_rows(values, row, column, count):
    """The arrays of this many compressed rows, of coordinates in any order, elements of one place side by side."""
    order = np.argsort(row, kind="stable")
    return values[order], column[order], starts_of(row, count)


def in_order(values, row, column, count):
    """The same with the elements of each row in order of their columns."""
    order = np.lexsort((column, row))
    return values[order], column[order], starts_of(row, count)


def added_up(values, row, column, count):
    """The arrays of this many compressed rows, of coordinates in any order: elements of one place are added up."""
    order = np.lexsort((column, row))
    row, column, values = row[order], column[order], values[order]
    first = np.ones(values.shape[0], bool)
    first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    summed = np.zeros(np.count_nonzero(first), values.dtype)
    np.add.at(summed, np.cumsum(first) - 1, values)
    return summed, column[first], starts_of(row[first], count)


def diagonal(sides, values, k):
    """The places and values that setdiag sets: as many as there are of both."""
    n, m = sides
    if (k > 0 and k >= m) or (k < 0 and -k >= n):
        raise ValueError("k exceeds array dimensions")
    length, given = min(n + min(k, 0), m - max(k, 0)), np.asarray(values)
    new = np.full(length, given) if given.ndim == 0 else given[:length]
    along = np.arange(new.shape[0])
    return along - min(k, 0), along + max(k, 0), new


def of_kind(values, dtype):
    """In this dtype."""
    if values.dtype.kind == "c" and dtype.kind != "c":
        unsupported("setdiag of complex numbers in a sparse matrix of real ones", "one of its astype(complex)", "which of them SciPy cuts off depends on what the diagonal holds")
    return values.astype(dtype)


def stored(sides, key, value):
    """The rows, columns and values that a store of an array into `key` is of: those of slices, or pairs of two lists."""
    row, column = key if isinstance(key, tuple) else (key, slice(None))
    rows, columns = np.atleast_1d(_numbers(sides[0], row)), np.atleast_1d(_numbers(sides[1], column))
    if isinstance(row, slice) or isinstance(column, slice):
        rows, columns = np.broadcast_arrays(rows[:, np.newaxis], columns)
    elif not (is_number(row) and is_number(column)):
        rows, columns = np.broadcast_arrays(_numbers(sides[0], row), _numbers(sides[1], column))
    return rows.ravel(), columns.ravel(), np.broadcast_to(value, rows.shape).ravel()


def _numbers(side, index):
    """Which places along an axis of this length an index stands for."""
    return np.arange(side)[index]


def is_number(index):
    """Of an index along an axis: whether it is one number."""
    return not isinstance(index, slice) and np.ndim(index) == 0


def everywhere(sides):
    """The rows and columns of all elements of an array, in their order."""
    places = np.arange(sides[0] * sides[1])
    return places // sides[1], places % sides[1]


def as_list(key):
    """An index that is a number as a list of it."""
    return key if isinstance(key, slice) or np.ndim(key) > 0 else [key]
