"""What all of scipy.sparse's matrices have, whatever is done with them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.dense_matrices import Dense
from s2s.transforms.read.composed.marks import unsupported

NONZERO = 2


class Sparse:
    """The root of the matrices' classes. `values`, `starred`: whether * is the product of matrices.

    A concrete one has `shape`, `format`, `exact` (whether what is stored is what SciPy stores; `NONZERO`: but for zeros, of which SciPy stores none), `transpose`, `tocsr`, `_coordinates` (rows and
    columns of the values), `_with` (other values at the same places), `_times` (the product with an array). What makes matrices of other formats
    is `Matrix`'s, below all of them.
    """

    __array_priority__ = 10.1

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def nnz(self):
        self._check_exact("nnz")
        return self.values.size if self.exact == 1 else np.count_nonzero(self.values)

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
        return self._shown(self.values)

    @data.setter
    def data(self, data):
        self._check_exact("data")
        if self.exact != 1:
            self._leave_zeros_out()
        self.values = data

    def _shown(self, stored):
        """Of one of the arrays with an item for each value what SciPy stores: where that is a part, nothing can be stored into it."""
        if self.exact == 1:
            return stored
        part = stored[self.values != 0]
        return np.broadcast_to(part, part.shape)

    @property
    def real(self):
        return self._with(np.real(self.values))

    @property
    def imag(self):
        return self._with(np.imag(self.values))

    def _check_exact(self, name):
        if not self.exact:
            unsupported(f"{name} of a sparse matrix that was computed", "products with it, or its toarray()", "which zeros SciPy stores depends on the numbers")

    def _check_inside(self, what, instead):
        if self.outside:
            unsupported(f"{what} a sparse matrix that is found outside", instead)

    def _check_starred(self, name):
        if not self.starred:
            raise AttributeError(f"'{self.format}_array' object has no attribute '{name}'")

    def _check_has(self, name):
        if self.format in ("dia", "lil", "dok"):
            raise AttributeError(f"'{self.format}_{'matrix' if self.starred else 'array'}' object has no attribute '{name}'")

    def _check_sides(self, other):
        if self.shape != other.shape:
            raise ValueError("inconsistent shapes")

    def toarray(self, order=None, out=None):
        row, column = self._coordinates()
        found = np.zeros(self.shape, self.dtype)
        np.add.at(found, (row, column), self.values)
        return found

    def todense(self, order=None, out=None):
        return self._as_dense(self.toarray())

    def _as_dense(self, found):
        """An array as what a function of this matrix gives: of a matrix a matrix."""
        return Dense(found) if self.starred else found

    def copy(self):
        return self._with(self.values.copy(), same=True)

    def astype(self, dtype, casting="unsafe", copy=True):
        return self._with(self.values.astype(dtype))

    def conj(self, copy=True):
        return self._with(np.conj(self.values), same=True) if self.dtype.kind == "c" else self.copy()

    def conjugate(self, copy=True):
        return self.conj()

    def eliminate_zeros(self):
        self._ordered("eliminate_zeros", "coo", "csr", "csc")

    def sum_duplicates(self):
        self._ordered("sum_duplicates", "coo", "csr", "csc")

    def sort_indices(self):
        self._ordered("sort_indices", "csr", "csc")

    def _ordered(self, name, *formats):
        """What changes which numbers are stored, and none of the matrix."""
        if self.format not in formats:
            raise AttributeError(f"'{self.format}_{'matrix' if self.starred else 'array'}' object has no attribute '{name}'")
        self._check_inside(f"{name} of", "one of its copy()")
        if self.exact != NONZERO:
            self.exact = False

    def _summed_as_it_is(self):
        """With each place once, in the same format."""
        return self._summed()

    def __len__(self):
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __getattr__(self, name):
        unsupported(f"{name} of a sparse matrix", "products with it, its data, or its toarray()")
