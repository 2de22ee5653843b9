"""Sparse matrices element by element: arithmetic, comparisons, the larger and the smaller ones."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_patterns import added_up, in_rows


class Elementwise(Sparse):
    """What is done with the elements of matrices."""

    __hash__ = None

    def __neg__(self):
        return self._with(-self.values, same=True)

    def __abs__(self):
        summed = self._summed_as_it_is()
        return summed._with(np.abs(summed.values))

    def _each(self, function, name):
        """A function of each element, 0 of 0."""
        if self.format in ("lil", "dok"):
            raise AttributeError(f"'{self.format}_{'matrix' if self.starred else 'array'}' object has no attribute '{name}'")
        summed = self._summed_as_it_is()
        return summed._with(function(summed.values))

    def sin(self):
        return self._each(np.sin, "sin")

    def tan(self):
        return self._each(np.tan, "tan")

    def arcsin(self):
        return self._each(np.arcsin, "arcsin")

    def arctan(self):
        return self._each(np.arctan, "arctan")

    def sinh(self):
        return self._each(np.sinh, "sinh")

    def tanh(self):
        return self._each(np.tanh, "tanh")

    def arcsinh(self):
        return self._each(np.arcsinh, "arcsinh")

    def arctanh(self):
        return self._each(np.arctanh, "arctanh")

    def rint(self):
        return self._each(np.rint, "rint")

    def sign(self):
        return self._each(np.sign, "sign")

    def expm1(self):
        return self._each(np.expm1, "expm1")

    def log1p(self):
        return self._each(np.log1p, "log1p")

    def deg2rad(self):
        return self._each(np.deg2rad, "deg2rad")

    def rad2deg(self):
        return self._each(np.rad2deg, "rad2deg")

    def floor(self):
        return self._each(np.floor, "floor")

    def ceil(self):
        return self._each(np.ceil, "ceil")

    def trunc(self):
        return self._each(np.trunc, "trunc")

    def sqrt(self):
        return self._each(np.sqrt, "sqrt")

    def power(self, n, dtype=None):
        if np.ndim(n) > 0:
            raise NotImplementedError("input is not scalar")
        if n == 0:
            raise NotImplementedError("zero power is not supported as it would densify the matrix.\nUse `np.ones(A.shape, dtype=A.dtype)` for this case.")
        summed = self._summed_as_it_is()
        values = (summed.values if dtype is None else summed.values.astype(dtype)) ** n
        return summed._with(values if n > 0 or summed.exact == 1 else np.where(summed.values == 0, values.dtype.type(0), values))

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
            made = self._by_coordinates(np.ones(self.shape[0], self.dtype), along, along, self.shape).todia()
            made.starred = False  # as SciPy's eye_array
            return made
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
            return self.T.tocsr()._both(other.T.tocsr()).T if self.format == "csc" else self.tocsr()._both(other.tocsr())
        if np.ndim(other) == 0:
            return self._with(self.values * other)
        row, column = self._coordinates()
        other = np.asarray(other)
        if other.ndim > 2:
            raise ValueError("inconsistent shapes")
        factor = np.broadcast_to(other, self.shape)
        made = self._by_coordinates(self.values * factor[row, column], row, column, self.shape)
        return made.todia() if self.format == "dia" else made

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
        return self._as_dense(of_both(self.toarray(), np.broadcast_to(np.asarray(other), self.shape)))

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


def _sum_of(a, b, sign):
    a._check_sides(b)
    (row, column), (others, beside) = a._coordinates(), b._coordinates()
    dtype = np.result_type(a.values, b.values)
    if sign < 0 and dtype.kind == "b":
        unsupported("the difference of sparse matrices of bools", "a != b")
    added = b.values.astype(dtype)
    values = np.concatenate((a.values.astype(dtype), added if sign > 0 else -added))
    return a._compressed(in_rows, values, np.concatenate((row, others)), np.concatenate((column, beside)), a.shape, b)


def _side_by_side(a, b):
    """Places where one of two matrices has an element, in order, and both their values there."""
    (row, column), (others, beside) = a._coordinates(), b._coordinates()
    rows, columns = np.concatenate((row, others)), np.concatenate((column, beside))
    one = a._compressed(added_up, np.concatenate((a.values, np.zeros(others.shape[0], a.values.dtype))), rows, columns, a.shape)
    other = a._compressed(added_up, np.concatenate((np.zeros(row.shape[0], b.values.dtype), b.values)), rows, columns, a.shape)
    return one, other


def _compared(a, other, compare, of_zeros):
    """Where a comparison holds; `of_zeros`: whether it does of two zeros. Of an array an array."""
    if isinstance(other, Sparse):
        a._check_sides(other)
        if of_zeros:
            return _where(a, compare(a.toarray(), other.toarray()))
        one, two = _side_by_side(a, other)
        row, column = one._coordinates()
        there = compare(one.values, two.values)
        return _marked(a, row[there], column[there])
    if np.ndim(other) > 0:
        return a._as_dense(compare(a.toarray(), np.asarray(other)))
    return _where(a, compare(a.toarray(), other))


def _where(a, there):
    row, column = np.nonzero(there)
    return _marked(a, row, column)


def _marked(a, row, column):
    """True at some places, in compressed columns where a is, else in compressed rows."""
    return a._compressed(in_rows, np.ones(row.shape[0], bool), row, column, a.shape, exact=True)


def _chosen(a, other, choose):
    """The larger or the smaller elements of a matrix and another one, an array or a number."""
    if isinstance(other, Sparse):
        a._check_sides(other)
        one, two = _side_by_side(a, other)
        row, column = one._coordinates()
        return a._compressed(in_rows, choose(one.values, two.values), row, column, a.shape)
    if np.ndim(other) > 0:
        return a._as_dense(choose(a.toarray(), np.asarray(other)))
    if a.format not in ("csr", "csc") and not surely(other == 0):
        unsupported(f"maximum or minimum of a sparse matrix in the format {a.format!r} and a number other than 0", "that of its tocsr()")
    made = a._of_array(choose(a.toarray(), other))
    return made.tocsc() if a.format == "csc" else made.tocsr()
