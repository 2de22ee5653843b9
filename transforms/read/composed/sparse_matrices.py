"""scipy.sparse's matrices: classes that are read like a user's own.

Products are sums over what is stored; everything that makes another pattern goes by coordinates (row, column, value). Derivatives are with respect
to the stored values and to what a matrix is multiplied with. How many values a sum, a product or a matrix of diagonals stores depends in SciPy on
which of them are zero; here they are all kept (`exact` is False), as derivatives need them, and their arrays are not shown.

What is done with matrices stands by topic in the modules of `Elementwise`, `Products` and `Indexed`, all of `Sparse`. Matrices of one format make those
of others: these classes stand together, and the topics, which cannot name them, make matrices by the methods of `Matrix`.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.keyed import Keyed
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sparse_base import NONZERO, Sparse
from s2s.transforms.read.composed.sparse_elementwise import Elementwise
from s2s.transforms.read.composed.sparse_indexing import Indexed
from s2s.transforms.read.composed.sparse_patterns import added_up, diagonal, everywhere, in_order, in_rows, is_number, of_kind, stored
from s2s.transforms.read.composed.sparse_products import Products


class Matrix(Elementwise, Products, Indexed):
    """What makes matrices of others, in all formats; the base of those that are made."""

    def _by_coordinates(self, values, row, column, sides, format="coo", exact=False):
        return Coordinates(values, row, column, sides, self.starred, format, exact)

    def _compressed(self, order, values, row, column, sides, other=None, exact=False):
        """In compressed columns where this one is, else in compressed rows; `order`: `in_rows` or `added_up`; of this one and perhaps another."""
        starred = self.starred and (other is None or other.starred)
        if self.format == "csc":
            return Compressed(*order(values, column, row, sides[1]), sides[::-1], True, starred, exact)
        return Compressed(*order(values, row, column, sides[0]), sides, False, starred, exact)

    def _of_array(self, a):
        """All elements of an array."""
        return self._by_coordinates(a.ravel(), *everywhere(a.shape), a.shape)

    def tocoo(self, copy=False):
        return self._by_coordinates(self.values, *self._coordinates(), self.shape, exact=self.exact)

    def _summed(self):
        """With each place once, in order."""
        return self._compressed(added_up, self.values, *self._coordinates(), self.shape)

    def tocsc(self, copy=False):
        return self.transpose().tocsr().transpose()

    def todia(self, copy=False):
        return self if self.format == "dia" else Coordinates(self.values, *self._coordinates(), self.shape, self.starred, "dia", False)

    def tolil(self, copy=False):
        return assembled(self, "lil")

    def todok(self, copy=False):
        return assembled(self, "dok")

    def asformat(self, format, copy=False):
        if format is None or format == self.format:
            return self
        if format not in ("csr", "csc", "coo", "lil", "dok", "dia"):
            unsupported(f"a sparse matrix in the format {format!r}", "'csr', 'csc', 'coo', 'lil', 'dok' or 'dia'")
        if format == "dia":
            return self.todia()
        if format in ("lil", "dok"):
            return assembled(self, format)
        return self.tocsr() if format == "csr" else self.tocsc() if format == "csc" else self.tocoo()

    def setdiag(self, values, k=0):
        self._check_inside("setdiag of", "one of its copy()")
        (row, column), (new_row, new_column, new) = self._coordinates(), diagonal(self.shape, values, k)
        new = of_kind(new, self.dtype)
        kept = (column - row != k) | (np.minimum(row, column) >= new.shape[0])
        rows, columns = np.concatenate((row[kept], new_row.astype(row.dtype))), np.concatenate((column[kept], new_column.astype(row.dtype)))
        self._take(np.concatenate((self.values[kept], new)), rows, columns)


class Compressed(Matrix):
    """A matrix in compressed rows; `turned`: its transpose; `outside`: whether it is found outside of the function."""

    def __init__(self, values, indices, indptr, sides, turned, starred, exact=True, outside=False):
        self.values, self.indices_, self.indptr_ = values, indices, indptr
        self.sides, self.turned, self.starred, self.exact, self.outside = sides, turned, starred, exact, outside

    def __setitem__(self, key, value):
        self._check_inside("storing into", "storing into its copy()")
        if isinstance(key, Sparse):
            unsupported("storing into a sparse matrix where another one is True", "np.where of its toarray()")
        rows, columns, given = stored(self.shape, key, _as_array(value))
        (row, column), new = self._coordinates(), given.astype(self.dtype)
        places, old = rows * self.shape[1] + columns, row.astype(np.int64) * self.shape[1] + column
        if np.unique(places).shape[0] != places.shape[0]:
            raise NotImplementedError("storing into one place of a sparse matrix twice at once is not supported")
        kept = ~np.isin(old, places)
        row, column = np.concatenate((row[kept], rows.astype(row.dtype))), np.concatenate((column[kept], columns.astype(row.dtype)))
        self._take(np.concatenate((self.values[kept], new)), row, column)

    def _take(self, values, row, column):
        """Other elements, of which SciPy may store some as zeros."""
        row, column = (column, row) if self.turned else (row, column)
        self.values, self.indices_, self.indptr_ = added_up(values, row, column, self.sides[0])
        self.exact = False

    def __given_back__(self):
        """SciPy's own object; of a matrix that was made of an array without its zeros."""
        import scipy.sparse

        kind = getattr(scipy.sparse, ("csc" if self.turned else "csr") + ("_matrix" if self.starred else "_array"))
        made = kind((self.values, self.indices_, self.indptr_), shape=self.sides[::-1] if self.turned else self.sides)
        if self.exact != 1:
            made.sum_duplicates()
            made.eliminate_zeros()
        return made

    @property
    def shape(self):
        return self.sides[::-1] if self.turned else self.sides

    @property
    def format(self):
        return "csc" if self.turned else "csr"

    @property
    def indices(self):
        self._check_exact("indices")
        return self._shown(self.indices_.astype(np.int32, copy=False) if self.starred or self.exact != 1 else self.indices_)

    @property
    def indptr(self):
        self._check_exact("indptr")
        if self.exact != 1:
            return self._starts_without_zeros().astype(np.int32)
        return self.indptr_.astype(np.int32, copy=False) if self.starred else self.indptr_

    def _starts_without_zeros(self):
        counted = np.zeros(self.values.shape[0] + 1, self.indptr_.dtype)
        counted[1:] = np.cumsum(self.values != 0)
        return counted[self.indptr_]

    def _leave_zeros_out(self):
        there, starts = self.values != 0, self._starts_without_zeros()
        self.values, self.indices_, self.indptr_, self.exact = self.values[there], self.indices_[there], starts, True

    def transpose(self, axes=None, copy=False):
        return Compressed(self.values, self.indices_, self.indptr_, self.sides, not self.turned, self.starred, self.exact)

    def tocsr(self, copy=False):
        if not self.turned:
            return self
        return Compressed(*in_rows(self.values, *self._coordinates(), self.shape[0]), self.shape, False, self.starred, self.exact)

    def _summed(self):
        """With each place once, in order."""
        return self._compressed(added_up, self.values, *self._coordinates(), self.shape, exact=self.exact)

    def _both(self, other):
        """The products of elements that stand at one place of this and another matrix in compressed rows."""
        self._check_sides(other)
        if not (np.all(np.isfinite(self.values)) and np.all(np.isfinite(other.values))):
            raise NotImplementedError("products of the elements of sparse matrices that are not finite, of which those with zeros are nan, are not supported")
        values = np.zeros(self.values.shape[0], np.result_type(self.values, other.values))
        for i in range(self.sides[0]):
            for k in range(self.indptr_[i], self.indptr_[i + 1]):
                for j in range(other.indptr_[i], other.indptr_[i + 1]):
                    if self.indices_[k] == other.indices_[j]:
                        values[k] = self.values[k] * other.values[j]
        return Compressed(values, self.indices_, self.indptr_, self.sides, False, self.starred and other.starred, False)

    def _with(self, values, same=False):
        return Compressed(values, self.indices_, self.indptr_, self.sides, self.turned, self.starred, self.exact if same else self.exact == 1)

    def _coordinates(self):
        outer = np.zeros(self.values.shape[0], self.indices_.dtype)
        for i in range(self.sides[0]):
            outer[self.indptr_[i] : self.indptr_[i + 1]] = i
        return (self.indices_, outer) if self.turned else (outer, self.indices_)

    def _times(self, x):
        found = np.zeros((self.shape[0], *x.shape[1:]), dtype=np.result_type(self.values, x))
        for i in range(self.sides[0]):
            for k in range(self.indptr_[i], self.indptr_[i + 1]):
                if self.turned:
                    found[self.indices_[k]] += self.values[k] * x[i]
                else:
                    found[i] += self.values[k] * x[self.indices_[k]]
        return found


class Coordinates(Matrix):
    """A matrix by the rows and columns of its values; `format`: what it is called; `outside`: whether it is found outside of the function."""

    def __init__(self, values, row, column, sides, starred, format, exact=True, outside=False):
        self.values, self.row_, self.column_ = values, row, column
        self.sides, self.starred, self.format, self.exact, self.outside = sides, starred, format, exact, outside

    def __given_back__(self):
        """SciPy's own object; of a matrix that was made of an array without its zeros."""
        import scipy.sparse

        form = "_matrix" if self.starred else "_array"
        made = getattr(scipy.sparse, f"coo{form}")((self.values, (self.row_, self.column_)), shape=self.sides)
        if self.exact != 1:
            made.sum_duplicates()
            made.eliminate_zeros()
        return made if self.format == "coo" else getattr(scipy.sparse, f"{self.format}{form}")(made)

    @property
    def shape(self):
        return self.sides

    @property
    def row(self):
        self._check_exact("row")
        return self._shown(self.row_.astype(np.int32, copy=False) if self.starred or self.exact != 1 else self.row_)

    @property
    def col(self):
        self._check_exact("col")
        return self._shown(self.column_.astype(np.int32, copy=False) if self.starred or self.exact != 1 else self.column_)

    def _leave_zeros_out(self):
        there = self.values != 0
        self.values, self.row_, self.column_, self.exact = self.values[there], self.row_[there], self.column_[there], True

    @property
    def coords(self):
        return self.row, self.col

    def _take(self, values, row, column):
        """Other elements."""
        self.values, self.row_, self.column_, self.exact = values, row, column, False

    def transpose(self, axes=None, copy=False):
        return Coordinates(self.values, self.column_, self.row_, self.sides[::-1], self.starred, self.format, self.exact)

    def tocsr(self, copy=False):
        if self.format == "dia":  # of which SciPy leaves out zeros here
            return self._compressed(in_order, self.values, self.row_, self.column_, self.sides, exact=NONZERO)
        order = added_up if self.exact == 1 else in_rows
        return self._compressed(order, self.values, self.row_, self.column_, self.sides, exact=self.exact)

    def _with(self, values, same=False):
        return Coordinates(values, self.row_, self.column_, self.sides, self.starred, self.format, self.exact if same else self.exact == 1)

    def _summed_as_it_is(self):
        summed = self._summed()
        return self._by_coordinates(summed.values, *summed._coordinates(), self.sides, self.format)

    def _coordinates(self):
        return self.row_, self.column_

    def _times(self, x):
        found = np.zeros((self.sides[0], *x.shape[1:]), dtype=np.result_type(self.values, x))
        for e in range(self.values.shape[0]):
            found[self.row_[e]] += self.values[e] * x[self.column_[e]]
        return found


class Assembled(Matrix):
    """A matrix whose elements are set one by one (SciPy's "lil" and "dok"), in a table by their places; what is set to 0 is no element of it, but has a derivative."""

    def __init__(self, sides, kind, starred, format):
        self.sides, self.empty, self.starred, self.format, self.exact = sides, np.zeros(0, kind), starred, format, False
        self.table = Keyed()

    def __given_back__(self):
        """SciPy's own object."""
        return self._listed().__given_back__()

    @property
    def shape(self):
        return self.sides

    @property
    def dtype(self):
        return self.empty.dtype

    @property
    def nnz(self):
        return int(np.count_nonzero(self.values))

    @property
    def values(self):
        found = np.zeros(len(self.table), self.dtype)
        for k, value in enumerate(self.table.values()):
            found[k] = value
        return found

    def _coordinates(self):
        places = np.zeros(len(self.table), np.int64)
        for k, place in enumerate(self.table):
            places[k] = place
        return places // self.sides[1], places % self.sides[1]

    def _listed(self):
        """With its elements in arrays."""
        return self._with(self.values)

    def tocsr(self, copy=False):
        return self._listed().tocsr()

    def transpose(self, axes=None, copy=False):
        return self._listed().transpose()

    @property
    def real(self):
        return self.tocsr().real

    @property
    def imag(self):
        return self.tocsr().imag

    def conj(self, copy=True):
        return self.tocsr().conj() if self.dtype.kind == "c" else self.copy()

    def __neg__(self):
        return -self.tocsr()

    def _with(self, values, same=False):
        return self._by_coordinates(values, *self._coordinates(), self.sides, self.format)

    def copy(self):
        made = Assembled(self.sides, self.dtype, self.starred, self.format)
        for place, value in self.table.items():
            made.table[place] = value
        return made

    def _times(self, x):
        return self._listed()._times(x)

    def _fill(self, row, column, values):
        for e in range(values.shape[0]):
            self.table[self._place(row[e], column[e])] = self.dtype.type(values[e])

    def _place(self, i, j):
        n, m = self.sides
        if not -n <= i < n:
            raise IndexError(f"row index ({i}) out of bounds" if self.format == "lil" else f"index ({i}) out of range")
        if not -m <= j < m:
            raise IndexError(f"column index ({j}) out of bounds" if self.format == "lil" else f"index ({j}) out of range")
        return int(i) % n * m + int(j) % m

    def _element(self, i, j):
        return self.dtype.type(self.table.get(self._place(i, j), self.dtype.type(0)))

    def __setitem__(self, key, value):
        if np.ndim(value) == 0 and not isinstance(value, Sparse) and isinstance(key, tuple) and is_number(key[0]) and is_number(key[1]):
            self.table[self._place(key[0], key[1])] = self.dtype.type(value)
        else:
            rows, columns, given = stored(self.sides, key, _as_array(value))
            for e in range(rows.shape[0]):
                self.table[self._place(rows[e], columns[e])] = self.dtype.type(given[e])

    def setdiag(self, values, k=0):
        row, column, new = diagonal(self.sides, values, k)
        for e in range(new.shape[0]):
            self.table[self._place(row[e], column[e])] = self.dtype.type(new[e])


def _as_array(value):
    return value.toarray() if isinstance(value, Sparse) else np.asarray(value)


def assembled(a, format):
    """With elements that can be set."""
    made = Assembled(a.shape, a.dtype, a.starred, format)
    summed = a._summed()
    (row, column), values = summed._coordinates(), summed.values
    made._fill(row, column, values)
    return made
