"""Sparse arrays by the coordinates of what they store, under the names of jax.experimental.sparse: `BCOO` without batches. They are containers: their `data` is differentiated.

    m = BCOO.fromdense(dense)
    s2s.grad(lambda data, x: np.sum(BCOO((data, m.indices), shape=m.shape) @ x))(m.data, x)
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.tree_util import register_pytree_node_class


@register_pytree_node_class
class BCOO:
    """`data[k]` stands at the coordinates `indices[k]` of an array of this shape; what stands at one place twice is summed.

    >>> m = BCOO.fromdense(np.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> m @ np.array([1.0, 10.0]), m.T.todense()
    (array([20.,  3.]), array([[0., 3.],
           [2., 0.]]))
    """

    __array_priority__ = 100
    __array_ufunc__ = None

    def __init__(self, args: Any, *, shape: Sequence[int], indices_sorted: bool = False, unique_indices: bool = False) -> None:
        self.data, self.indices = args
        self.shape, self.indices_sorted, self.unique_indices = tuple(shape), indices_sorted, unique_indices

    @classmethod
    def fromdense(cls, mat: Any, *, nse: int | None = None, index_dtype: Any = np.int64, n_dense: int = 0, n_batch: int = 0) -> BCOO:
        """What of an array is not zero, in its order; with `nse` as many elements, the last of them zeros."""
        if n_dense or n_batch:
            raise NotImplementedError("BCOO.fromdense with n_dense or n_batch is not supported: an array whose axes are all sparse, and vmap")
        mat = np.asarray(mat)
        indices = np.argwhere(mat != 0).astype(index_dtype)
        data = mat[tuple(indices.T)]
        if nse is not None and nse < len(data):
            raise ValueError(f"BCOO.fromdense: the array has {len(data)} elements that are not zero, more than nse={nse}")
        missing = 0 if nse is None else nse - len(data)
        rest = np.zeros((missing, mat.ndim), indices.dtype)
        return cls((np.concatenate((data, np.zeros(missing, data.dtype))), np.concatenate((indices, rest))), shape=mat.shape, indices_sorted=not missing, unique_indices=not missing)

    @classmethod
    def from_scipy_sparse(cls, mat: Any, *, index_dtype: Any = np.int64, n_dense: int = 0, n_batch: int = 0) -> BCOO:
        """A matrix of scipy.sparse."""
        if n_dense or n_batch:
            raise NotImplementedError("BCOO.from_scipy_sparse with n_dense or n_batch is not supported")
        mat = mat.tocoo()
        return cls((mat.data, np.stack((mat.row, mat.col), -1).astype(index_dtype)), shape=mat.shape)

    @property
    def nse(self) -> int:
        """How many elements are stored."""
        return self.indices.shape[0]

    @property
    def dtype(self) -> Any:
        return self.data.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def T(self) -> BCOO:  # noqa: N802 - the name that it has
        return self.transpose()

    def todense(self) -> Any:
        """The array."""
        out = np.zeros(self.shape, self.data.dtype)
        np.add.at(out, tuple([self.indices[:, axis] for axis in range(self.ndim)]), self.data)
        return out

    def transpose(self, axes: Any = None) -> BCOO:
        """The axes in another order, by default backwards."""
        order = tuple(range(self.ndim))[::-1] if axes is None else tuple(axes)
        return BCOO((self.data, self.indices[:, list(order)]), shape=tuple([self.shape[axis] for axis in order]), unique_indices=self.unique_indices)

    def astype(self, dtype: Any) -> BCOO:
        """The elements in another dtype."""
        return self._with(self.data.astype(dtype))

    def sum(self, axis: Any = None) -> Any:
        """The sum of all elements; along an axis of an array of two the sums, as an array that is not sparse (JAX: a sparse one)."""
        return np.sum(self.data) if axis is None else np.sum(self.todense(), axis=axis)

    def _with(self, data: Any) -> BCOO:
        return BCOO((data, self.indices), shape=self.shape, indices_sorted=self.indices_sorted, unique_indices=self.unique_indices)

    def _times(self, x: Any, rows: Any, columns: Any, count: int) -> Any:
        """The sums of what is stored times the rows of x."""
        x = np.asarray(x)
        out = np.zeros((count, *x.shape[1:]), np.result_type(self.data, x))
        np.add.at(out, rows, np.reshape(self.data, (-1,) + (1,) * (x.ndim - 1)) * x[columns])
        return out

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, BCOO):
            return BCOO.fromdense(self.todense() @ other.todense())
        self._check(np.shape(other)[0], self.shape[-1])
        return self._times(other, self.indices[:, 0], self.indices[:, 1], self.shape[0])

    def __rmatmul__(self, other: Any) -> Any:
        self._check(np.shape(other)[-1], self.shape[0])
        return np.moveaxis(self._times(np.moveaxis(np.asarray(other), -1, 0), self.indices[:, 1], self.indices[:, 0], self.shape[1]), 0, -1)

    def _check(self, given: int, wanted: int) -> None:
        if self.ndim != 2:
            raise NotImplementedError(f"a product of a BCOO of {self.ndim} axes is not supported: m.todense() @ x")
        if given != wanted:
            raise TypeError(f"dot_general requires contracting dimensions to have the same shape, got ({wanted},) and ({given},).")

    def __mul__(self, other: Any) -> BCOO:
        if isinstance(other, BCOO):
            return BCOO.fromdense(self.todense() * other.todense())
        if np.ndim(other) == 0:
            return self._with(self.data * other)
        whole = np.broadcast_to(other, self.shape)
        return self._with(self.data * whole[tuple([self.indices[:, axis] for axis in range(self.ndim)])])

    def __rmul__(self, other: Any) -> BCOO:
        return self * other

    def __truediv__(self, other: Any) -> BCOO:
        return self * (1.0 / other)

    def __neg__(self) -> BCOO:
        return self._with(-self.data)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, BCOO):
            return self.todense() + other
        if self.shape != other.shape:
            raise ValueError(f"sums of BCOOs of the shapes {self.shape} and {other.shape}")
        return BCOO((np.concatenate((self.data, other.data)), np.concatenate((self.indices, other.indices))), shape=self.shape)

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __repr__(self) -> str:
        return f"BCOO({self.data.dtype}{list(self.shape)}, nse={self.nse})"

    def tree_flatten(self) -> Any:
        """Its arrays, and the rest."""
        return (self.data, self.indices), (self.shape, self.indices_sorted, self.unique_indices)

    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> BCOO:
        """One of such arrays."""
        shape, indices_sorted, unique_indices = aux_data
        return cls(children, shape=shape, indices_sorted=indices_sorted, unique_indices=unique_indices)


def todense(mat: Any) -> Any:
    """The array."""
    return mat.todense() if isinstance(mat, BCOO) else mat


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = np.float64) -> BCOO:
    """Ones along a diagonal.

    >>> eye(2).todense()
    array([[1., 0.],
           [0., 1.]])
    """
    return BCOO.fromdense(np.eye(N, M, k, dtype))


def empty(shape: Sequence[int], dtype: Any = np.float64) -> BCOO:
    """An array that stores nothing."""
    return BCOO((np.zeros(0, dtype), np.zeros((0, len(shape)), np.int64)), shape=tuple(shape))


EXPORTED: dict[str, Callable[..., Any]] = {"empty": empty, "eye": eye, "todense": todense}
"""By the names that they have in s2s.experimental.sparse."""
