"""scipy.sparse's matrices: classes that are read like a user's own.

Products are sums over what is stored; everything that makes another pattern goes by coordinates (row, column, value). Derivatives are with respect
to the stored values and to what a matrix is multiplied with. How many values a sum, a product or a matrix of diagonals stores depends in SciPy on
which of them are zero; here they are all kept (`exact` is False), as derivatives need them, and their arrays are not shown.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.dense_matrices import Dense
from s2s.transforms.read.composed.keyed import Keyed
from s2s.transforms.read.composed.marks import surely, unsupported


class Sparse:
    """What all matrices have. `values`, `sides` (the shape, of compressed columns turned round), `starred`: whether * is the product of matrices."""

    __array_priority__ = 10.1
    __hash__ = None

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def nnz(self):
        self._check_exact("nnz")
        return self.values.size

    @property
    def size(self):
        return self.nnz

    @property
    def ndim(self):
        return 2

    @property
    def T(self):  # noqa: N802 - the name that it has
        return self.transpose()

    @property
    def data(self):
        self._check_exact("data")
        return self.values

    @data.setter
    def data(self, data):
        self._check_exact("data")
        self.values = data

    @property
    def real(self):
        return self._with(np.real(self.values))

    @property
    def imag(self):
        return self._with(np.imag(self.values))

    def _check_exact(self, name):
        if not self.exact:
            unsupported(f"{name} of a sparse matrix that was computed", "products with it, or its toarray()", "which zeros SciPy stores depends on the numbers")

    # ---- elementwise ---------------------------------------------------------------------------------------------------------------

    def copy(self):
        return self._with(self.values.copy())

    def astype(self, dtype, casting="unsafe", copy=True):
        return self._with(self.values.astype(dtype))

    def conj(self, copy=True):
        return self._with(np.conj(self.values)) if self.dtype.kind == "c" else self.copy()

    def conjugate(self, copy=True):
        return self.conj()

    def __neg__(self):
        return self._with(-self.values)

    def __abs__(self):
        summed = self._summed_as_it_is()
        return summed._with(np.abs(summed.values))

    def _summed_as_it_is(self):
        """With each place once, in the same format."""
        return self._summed()

    def power(self, n, dtype=None):
        if np.ndim(n) > 0:
            raise NotImplementedError("input is not scalar")
        if n == 0:
            raise NotImplementedError("zero power is not supported as it would densify the matrix.\nUse `np.ones(A.shape, dtype=A.dtype)` for this case.")
        summed = self._summed_as_it_is()
        values = (summed.values if dtype is None else summed.values.astype(dtype)) ** n
        return summed._with(values if n > 0 or summed.exact else np.where(summed.values == 0, values.dtype.type(0), values))

    def __pow__(self, other):
        if not self.starred and np.ndim(other) == 0:
            return self.power(other)
        if not isinstance(other, int):
            unsupported("a power of a sparse matrix by ** other than a number that is known", "a.power(n) of its elements, a @ a")
        if self.shape[0] != self.shape[1]:
            raise TypeError("sparse matrix is not square")
        if other < 0:
            raise ValueError("exponent must be >= 0")
        if other == 0:
            along = np.arange(self.shape[0])
            return Coordinates(np.ones(self.shape[0], self.dtype), along, along, self.shape, self.starred, "coo", False).tocsr()
        found = self
        for _ in range(other - 1):
            found = found @ self
        return found

    def __mul__(self, other):
        return self @ other if self.starred and not np.isscalar(other) and (isinstance(other, Sparse) or np.ndim(other) > 0) else self.multiply(other)

    def __rmul__(self, other):
        return other @ self if self.starred and np.ndim(other) > 0 else self.multiply(other)

    def multiply(self, other):
        if isinstance(other, Sparse):
            return _both(self.T.tocsr(), other.T.tocsr()).T if self.format == "csc" else _both(self.tocsr(), other.tocsr())
        if np.ndim(other) == 0:
            return self._with(self.values * other)
        row, column = self._coordinates()
        other = np.asarray(other)
        if other.ndim > 2:
            raise ValueError("inconsistent shapes")
        factor = np.broadcast_to(other, self.shape)
        return Coordinates(self.values * factor[row, column], row, column, self.shape, self.starred, "coo", False)

    def __truediv__(self, other):
        if isinstance(other, Sparse):
            return unsupported("a sparse matrix divided by another one", "arrays: a.toarray() / b.toarray()")
        if np.ndim(other) > 0:
            return self.multiply(1 / np.asarray(other))
        if self.format == "lil":
            if self.dtype.kind in "biu":
                unsupported("a quotient of a sparse matrix of whole numbers in the format 'lil', of which SciPy says that they are whole", "that of its tocsr()")
            return self._with(self.values / other)
        return self._with((self.values.astype(np.float64) if np.can_cast(self.dtype, np.float64) else self.values) * (1 / other))

    def __add__(self, other):
        if isinstance(other, Sparse):
            return _sum_of(self, other, 1)
        return self._with_dense(other, lambda a, b: a + b)

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        if isinstance(other, Sparse):
            return _sum_of(self, other, -1)
        return self._with_dense(other, lambda a, b: a - b)

    def __rsub__(self, other):
        return self._with_dense(other, lambda a, b: b - a, -1)

    def _with_dense(self, other, of_both, sign=1):
        if np.ndim(other) == 0:
            if other != 0:
                raise NotImplementedError("adding a nonzero scalar to a sparse array is not supported")
            return self.copy() if sign > 0 else -self
        found = of_both(self.toarray(), np.broadcast_to(np.asarray(other), self.shape))
        return Dense(found) if self.starred else found

    def __eq__(self, other):
        return _compared(self, other, lambda a, b: a == b, True)

    def __ne__(self, other):
        return _compared(self, other, lambda a, b: a != b, False)

    def __lt__(self, other):
        return _compared(self, other, lambda a, b: a < b, False)

    def __le__(self, other):
        return _compared(self, other, lambda a, b: a <= b, True)

    def __gt__(self, other):
        return _compared(self, other, lambda a, b: a > b, False)

    def __ge__(self, other):
        return _compared(self, other, lambda a, b: a >= b, True)

    def maximum(self, other):
        return _chosen(self, other, np.maximum)

    def minimum(self, other):
        return _chosen(self, other, np.minimum)

    # ---- products, sums ------------------------------------------------------------------------------------------------------------

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

    def _check_has(self, name):
        if self.format in ("dia", "lil", "dok"):
            raise AttributeError(f"'{self.format}_{'matrix' if self.starred else 'array'}' object has no attribute '{name}'")

    def _extreme(self, name, extreme, axis):
        self._check_has(name)
        if axis is None:
            return extreme(self.toarray())
        if not self.starred:
            unsupported(f"{name} of a sparse array along an axis (it has one axis)", f"np.{name}(a.toarray(), axis)")
        return _of_dense(extreme(self.toarray(), axis=axis, keepdims=True), self.starred)

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

    # ---- formats, parts ------------------------------------------------------------------------------------------------------------

    def toarray(self, order=None, out=None):
        row, column = self._coordinates()
        found = np.zeros(self.shape, self.dtype)
        np.add.at(found, (row, column), self.values)
        return found

    def todense(self, order=None, out=None):
        return Dense(self.toarray()) if self.starred else self.toarray()

    def tocoo(self, copy=False):
        row, column = self._coordinates()
        return Coordinates(self.values, row, column, self.shape, self.starred, "coo", self.exact)

    def _summed(self):
        """With each place once, in order."""
        row, column = self._coordinates()
        return compressed(self.values, row, column, self.shape, self.starred, False)

    def tocsc(self, copy=False):
        return self.transpose().tocsr().transpose()

    def tolil(self, copy=False):
        return assembled(self, "lil")

    def todok(self, copy=False):
        return assembled(self, "dok")

    def asformat(self, format, copy=False):
        if format is None or format == self.format:
            return self
        if format not in ("csr", "csc", "coo", "lil", "dok"):
            unsupported(f"a sparse matrix in the format {format!r}", "'csr', 'csc', 'coo', 'lil' or 'dok'")
        if format in ("lil", "dok"):
            return assembled(self, format)
        return self.tocsr() if format == "csr" else self.tocsc() if format == "csc" else self.tocoo()

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
        return Coordinates(self.values, flat // width, flat % width, (height, width), self.starred, "coo", self.exact)

    def nonzero(self):
        self._check_exact("nonzero()")
        row, column = self._coordinates()
        there = self.values != 0
        return row[there], column[there]

    def getnnz(self, axis=None):
        self._check_starred("getnnz")
        if axis is not None:
            unsupported("getnnz of a sparse matrix along an axis", "np.diff(a.indptr)")
        return self.nnz

    def count_nonzero(self, axis=None):
        if axis is not None:
            unsupported("count_nonzero of a sparse matrix along an axis", "np.count_nonzero(a.toarray(), axis)")
        return np.count_nonzero(self._summed().values)

    def _check_starred(self, name):
        if not self.starred:
            raise AttributeError(f"'{self.format}_array' object has no attribute '{name}'")

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
            row, column = _as_list(row), _as_list(column)
        found = self._columns_of(column) if isinstance(row, slice) and row == slice(None) else self._rows_of(row)._columns_of(column)
        return found if self.format in ("csr", "csc") else Coordinates(found.values, *found._coordinates(), found.shape, found.starred, self.format, False)

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
        return _in_format(self.format, in_rows, self.values[there], row[there], place[column][there], (self.shape[0], chosen.shape[0]), self.starred)

    def __setitem__(self, key, value):
        unsupported(f"storing into a sparse matrix in the format {self.format!r}", "storing into its tocsr()")

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __getattr__(self, name):
        unsupported(f"{name} of a sparse matrix", "products with it, its data, or its toarray()")


class Compressed(Sparse):
    """A matrix in compressed rows; `turned`: its transpose; `outside`: whether it is found outside of the function."""

    def __init__(self, values, indices, indptr, sides, turned, starred, exact=True, outside=False):
        self.values, self.indices_, self.indptr_ = values, indices, indptr
        self.sides, self.turned, self.starred, self.exact, self.outside = sides, turned, starred, exact, outside

    def setdiag(self, values, k=0):
        if self.outside:
            unsupported("setdiag of a sparse matrix that is found outside", "one of its copy()")
        (row, column), (new_row, new_column, new) = self._coordinates(), _diagonal(self.shape, values, k)
        new = _of_kind(new, self.dtype)
        kept = (column - row != k) | (np.minimum(row, column) >= new.shape[0])
        rows, columns = np.concatenate((row[kept], new_row.astype(row.dtype))), np.concatenate((column[kept], new_column.astype(row.dtype)))
        self._take(np.concatenate((self.values[kept], new)), rows, columns)

    def __setitem__(self, key, value):
        if self.outside:
            unsupported("storing into a sparse matrix that is found outside", "storing into its copy()")
        if isinstance(key, Sparse):
            unsupported("storing into a sparse matrix where another one is True", "np.where of its toarray()")
        rows, columns, given = _stored(self.shape, key, value)
        (row, column), new = self._coordinates(), given.astype(self.dtype)
        places, old = rows * self.shape[1] + columns, row.astype(np.int64) * self.shape[1] + column
        if np.unique(places).shape[0] != places.shape[0]:
            raise NotImplementedError("storing into one place of a sparse matrix twice at once is not supported")
        kept = ~np.isin(old, places)
        row, column = np.concatenate((row[kept], rows.astype(row.dtype))), np.concatenate((column[kept], columns.astype(row.dtype)))
        self._take(np.concatenate((self.values[kept], new)), row, column)

    def _take(self, values, row, column):
        """Other elements, of which SciPy may store some as zeros."""
        made = compressed(values, column if self.turned else row, row if self.turned else column, self.sides, self.starred, False)
        self.values, self.indices_, self.indptr_, self.exact = made.values, made.indices_, made.indptr_, False

    def __given_back__(self):
        """SciPy's own object; of a matrix that was made of an array without its zeros."""
        import scipy.sparse

        kind = getattr(scipy.sparse, ("csc" if self.turned else "csr") + ("_matrix" if self.starred else "_array"))
        made = kind((self.values, self.indices_, self.indptr_), shape=self.sides[::-1] if self.turned else self.sides)
        if not self.exact:
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
        return self.indices_.astype(np.int32, copy=False) if self.starred else self.indices_

    @property
    def indptr(self):
        self._check_exact("indptr")
        return self.indptr_.astype(np.int32, copy=False) if self.starred else self.indptr_

    def transpose(self, axes=None, copy=False):
        return Compressed(self.values, self.indices_, self.indptr_, self.sides, not self.turned, self.starred, self.exact)

    def tocsr(self, copy=False):
        if not self.turned:
            return self
        row, column = self._coordinates()
        return in_rows(self.values, row, column, self.shape, self.starred, self.exact)

    def _summed(self):
        """With each place once, in order."""
        if self.turned:
            return self.transpose()._summed().transpose()
        row, column = self._coordinates()
        return compressed(self.values, row, column, self.shape, self.starred, self.exact)

    def _with(self, values):
        return Compressed(values, self.indices_, self.indptr_, self.sides, self.turned, self.starred, self.exact)

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


class Coordinates(Sparse):
    """A matrix by the rows and columns of its values; `format`: what it is called; `outside`: whether it is found outside of the function."""

    def __init__(self, values, row, column, sides, starred, format, exact=True, outside=False):
        self.values, self.row_, self.column_ = values, row, column
        self.sides, self.starred, self.format, self.exact, self.outside = sides, starred, format, exact, outside

    def __given_back__(self):
        """SciPy's own object; of a matrix that was made of an array without its zeros."""
        import scipy.sparse

        form = "_matrix" if self.starred else "_array"
        made = getattr(scipy.sparse, f"coo{form}")((self.values, (self.row_, self.column_)), shape=self.sides)
        if not self.exact:
            made.sum_duplicates()
            made.eliminate_zeros()
        return made if self.format == "coo" else getattr(scipy.sparse, f"{self.format}{form}")(made)

    @property
    def shape(self):
        return self.sides

    @property
    def row(self):
        self._check_exact("row")
        return self.row_.astype(np.int32, copy=False) if self.starred else self.row_

    @property
    def col(self):
        self._check_exact("col")
        return self.column_.astype(np.int32, copy=False) if self.starred else self.column_

    @property
    def coords(self):
        return self.row, self.col

    def setdiag(self, values, k=0):
        if self.outside:
            unsupported("setdiag of a sparse matrix that is found outside", "one of its copy()")
        row, column, new = _diagonal(self.sides, values, k)
        new = _of_kind(new, self.dtype)
        kept = (self.column_ - self.row_ != k) | (np.minimum(self.row_, self.column_) >= new.shape[0])
        self.values = np.concatenate((self.values[kept], new))
        self.row_, self.column_ = np.concatenate((self.row_[kept], row)), np.concatenate((self.column_[kept], column))
        self.exact = False

    def transpose(self, axes=None, copy=False):
        return Coordinates(self.values, self.column_, self.row_, self.sides[::-1], self.starred, self.format, self.exact)

    def tocsr(self, copy=False):
        made = compressed if self.exact else in_rows
        return made(self.values, self.row_, self.column_, self.sides, self.starred, self.exact)

    def _with(self, values):
        return Coordinates(values, self.row_, self.column_, self.sides, self.starred, self.format, self.exact)

    def _summed_as_it_is(self):
        summed = self._summed()
        row, column = summed._coordinates()
        return Coordinates(summed.values, row, column, self.sides, self.starred, self.format, False)

    def _coordinates(self):
        return self.row_, self.column_

    def _times(self, x):
        found = np.zeros((self.sides[0], *x.shape[1:]), dtype=np.result_type(self.values, x))
        for e in range(self.values.shape[0]):
            found[self.row_[e]] += self.values[e] * x[self.column_[e]]
        return found


class Diagonals(Coordinates):
    """A matrix by an array of diagonals, each element in its column, which it may share."""

    def __init__(self, rows, offsets, sides, starred, outside=False):
        self.sides, self.starred, self.format, self.exact, self.outside = sides, starred, "dia", False, outside
        self._take(rows, offsets)

    def _take(self, rows, offsets):
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
        if self.outside:
            unsupported("setdiag of a sparse matrix that is found outside", "one of its copy()")
        _, column, new = _diagonal(self.sides, values, k)
        new = _of_kind(new, self.dtype)
        there, (count, width) = np.any(self.offsets_ == k), self.rows_.shape
        if not there or new.shape[0] + max(k, 0) > width:
            wider = np.zeros((count if there else count + 1, max(width, new.shape[0] + max(k, 0))), self.rows_.dtype)
            wider[:count, :width] = self.rows_
            self._take(wider, self.offsets_ if there else np.append(self.offsets_, k))
        for number in range(self.offsets_.shape[0]):
            if self.offsets_[number] == k:
                self.rows_[number, column] = new


class Assembled(Sparse):
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
        row, column = self._coordinates()
        return Coordinates(self.values, row, column, self.sides, self.starred, self.format, False)

    def tocoo(self, copy=False):
        row, column = self._coordinates()
        return Coordinates(self.values, row, column, self.sides, self.starred, "coo", False)

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

    def _with(self, values):
        row, column = self._coordinates()
        return Coordinates(values, row, column, self.sides, self.starred, self.format, False)

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
        if np.ndim(value) == 0 and not isinstance(value, Sparse) and isinstance(key, tuple) and _is_number(key[0]) and _is_number(key[1]):
            self.table[self._place(key[0], key[1])] = self.dtype.type(value)
        else:
            rows, columns, given = _stored(self.sides, key, value)
            for e in range(rows.shape[0]):
                self.table[self._place(rows[e], columns[e])] = self.dtype.type(given[e])

    def setdiag(self, values, k=0):
        row, column, new = _diagonal(self.sides, values, k)
        for e in range(new.shape[0]):
            self.table[self._place(row[e], column[e])] = self.dtype.type(new[e])


# ---- other patterns ----------------------------------------------------------------------------------------------------------------


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


def _is_number(index):
    """Of an index along an axis: whether it is one number."""
    return not isinstance(index, slice) and np.ndim(index) == 0


def _stored(sides, key, value):
    """The rows, columns and values that a store into `key` is of: those of slices, or pairs of two lists."""
    row, column = key if isinstance(key, tuple) else (key, slice(None))
    given = value.toarray() if isinstance(value, Sparse) else np.asarray(value)
    rows, columns = np.atleast_1d(_numbers(sides[0], row)), np.atleast_1d(_numbers(sides[1], column))
    if isinstance(row, slice) or isinstance(column, slice):
        rows, columns = np.broadcast_arrays(rows[:, np.newaxis], columns)
    elif not (_is_number(row) and _is_number(column)):
        rows, columns = np.broadcast_arrays(_numbers(sides[0], row), _numbers(sides[1], column))
    return rows.ravel(), columns.ravel(), np.broadcast_to(given, rows.shape).ravel()


def _numbers(side, index):
    """Which places along an axis of this length an index stands for."""
    return np.arange(side)[index]


def _of_kind(values, dtype):
    """In this dtype."""
    if values.dtype.kind == "c" and dtype.kind != "c":
        unsupported("setdiag of complex numbers in a sparse matrix of real ones", "one of its astype(complex)", "which of them SciPy cuts off depends on what the diagonal holds")
    return values.astype(dtype)


def _diagonal(sides, values, k):
    """The places and values that setdiag sets: as many as there are of both."""
    n, m = sides
    if (k > 0 and k >= m) or (k < 0 and -k >= n):
        raise ValueError("k exceeds array dimensions")
    length, given = min(n + min(k, 0), m - max(k, 0)), np.asarray(values)
    new = np.full(length, given) if given.ndim == 0 else given[:length]
    along = np.arange(new.shape[0])
    return along - min(k, 0), along + max(k, 0), new


def assembled(a, format):
    """With elements that can be set."""
    made = Assembled(a.shape, a.dtype, a.starred, format)
    summed = a._summed()
    (row, column), values = summed._coordinates(), summed.values
    made._fill(row, column, values)
    return made


def starts_of(row, count):
    """Where each row begins among elements in order of their rows, and the end."""
    starts = np.zeros(count + 1, row.dtype)
    np.add.at(starts, row + 1, 1)
    return np.cumsum(starts, dtype=row.dtype)


def in_rows(values, row, column, sides, starred, exact):
    """In compressed rows, of coordinates in any order, elements of one place side by side."""
    order = np.argsort(row, kind="stable")
    return Compressed(values[order], column[order], starts_of(row, sides[0]), sides, False, starred, exact)


def compressed(values, row, column, sides, starred, exact):
    """In compressed rows, of coordinates in any order: elements of one place are added up."""
    count = values.shape[0]
    order = np.lexsort((column, row))
    row, column, values = row[order], column[order], values[order]
    first = np.ones(count, bool)
    first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    summed = np.zeros(np.count_nonzero(first), values.dtype)
    np.add.at(summed, np.cumsum(first) - 1, values)
    return Compressed(summed, column[first], starts_of(row[first], sides[0]), sides, False, starred, exact)


def _sum_of(a, b, sign):
    if a.shape != b.shape:
        raise ValueError("inconsistent shapes")
    (row, column), (others, beside) = a._coordinates(), b._coordinates()
    dtype = np.result_type(a.values, b.values)
    if sign < 0 and dtype.kind == "b":
        unsupported("the difference of sparse matrices of bools", "a != b")
    added = b.values.astype(dtype)
    values = np.concatenate((a.values.astype(dtype), added if sign > 0 else -added))
    return _like(a, b, in_rows, values, np.concatenate((row, others)), np.concatenate((column, beside)), a.shape)


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
    return _like(a, b, compressed, values, rows, columns, (a.shape[0], b.shape[1]))


def _like(a, b, made, values, row, column, sides):
    """In compressed columns where the first of two matrices is, else in compressed rows."""
    return _in_format(a.format, made, values, row, column, sides, a.starred and b.starred)


def _in_format(format, made, values, row, column, sides, starred):
    """In compressed columns where `format` says so, else in compressed rows."""
    if format == "csc":
        return made(values, column, row, sides[::-1], starred, False).transpose()
    return made(values, row, column, sides, starred, False)


def _both(a, b):
    """The products of elements that stand at one place of two matrices in compressed rows."""
    if a.shape != b.shape:
        raise ValueError("inconsistent shapes")
    if not (np.all(np.isfinite(a.values)) and np.all(np.isfinite(b.values))):
        raise NotImplementedError("products of the elements of sparse matrices that are not finite, of which those with zeros are nan, are not supported")
    values = np.zeros(a.values.shape[0], np.result_type(a.values, b.values))
    for i in range(a.sides[0]):
        for k in range(a.indptr_[i], a.indptr_[i + 1]):
            for j in range(b.indptr_[i], b.indptr_[i + 1]):
                if a.indices_[k] == b.indices_[j]:
                    values[k] = a.values[k] * b.values[j]
    return Compressed(values, a.indices_, a.indptr_, a.sides, False, a.starred and b.starred, False)


def _as_list(key):
    """An index that is a number as a list of it."""
    return key if isinstance(key, slice) or np.ndim(key) > 0 else [key]


# ---- element by element ------------------------------------------------------------------------------------------------------------


def _of_dense(a, starred):
    """All elements of an array."""
    n, m = a.shape
    places = np.arange(n * m)
    return Coordinates(a.ravel(), places // m, places % m, (n, m), starred, "coo", False)


def _side_by_side(a, b):
    """Places where one of two matrices has an element, in order, and both their values there."""
    (row, column), (others, beside) = a._coordinates(), b._coordinates()
    rows, columns = np.concatenate((row, others)), np.concatenate((column, beside))
    one = compressed(np.concatenate((a.values, np.zeros(others.shape[0], a.values.dtype))), rows, columns, a.shape, a.starred, False)
    other = compressed(np.concatenate((np.zeros(row.shape[0], b.values.dtype), b.values)), rows, columns, a.shape, a.starred, False)
    return one, other


def _compared(a, other, compare, of_zeros):
    """Where a comparison holds; `of_zeros`: whether it does of two zeros. Of an array an array."""
    if isinstance(other, Sparse):
        if a.shape != other.shape:
            raise ValueError("inconsistent shapes")
        if of_zeros:
            return _where(a, compare(a.toarray(), other.toarray()))
        one, two = _side_by_side(a, other)
        row, column = one._coordinates()
        there = compare(one.values, two.values)
        return _marked(a, row[there], column[there])
    if np.ndim(other) > 0:
        found = compare(a.toarray(), np.asarray(other))
        return Dense(found) if a.starred else found
    return _where(a, compare(a.toarray(), other))


def _where(a, there):
    row, column = np.nonzero(there)
    return _marked(a, row, column)


def _marked(a, row, column):
    """True at some places, in compressed columns where a is, else in compressed rows."""
    n, m = a.shape
    true = np.ones(row.shape[0], bool)
    if a.format == "csc":
        return in_rows(true, column, row, (m, n), a.starred, True).transpose()
    return in_rows(true, row, column, (n, m), a.starred, True)


def _chosen(a, other, choose):
    """The larger or the smaller elements of a matrix and another one, an array or a number."""
    if isinstance(other, Sparse):
        if a.shape != other.shape:
            raise ValueError("inconsistent shapes")
        one, two = _side_by_side(a, other)
        row, column = one._coordinates()
        return _in_format(a.format, in_rows, choose(one.values, two.values), row, column, a.shape, a.starred)
    if np.ndim(other) > 0:
        found = choose(a.toarray(), np.asarray(other))
        return Dense(found) if a.starred else found
    if a.format not in ("csr", "csc") and not surely(other == 0):
        unsupported(f"maximum or minimum of a sparse matrix in the format {a.format!r} and a number other than 0", "that of its tocsr()")
    made = _of_dense(choose(a.toarray(), other), a.starred)
    return made.tocsc() if a.format == "csc" else made.tocsr()
