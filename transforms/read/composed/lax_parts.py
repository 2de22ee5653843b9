"""s2s.lax's functions of parts of arrays for which NumPy has no one function, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def slice_between(operand: Any, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Any = None) -> Any:
    """operand[start:limit:stride, …], bounds within the array.

    >>> slice_between(np.arange(6.0), (1,), (5,), (2,))
    array([1., 3.])
    """
    steps = (1,) * len(start_indices) if strides is None else tuple(strides)
    return operand[tuple([slice(start, limit, step) for start, limit, step in zip(start_indices, limit_indices, steps, strict=True)])]


def slice_in_dim(operand: Any, start_index: Any, limit_index: Any, stride: int = 1, axis: int = 0) -> Any:
    """operand[…, start:limit:stride, …] along one axis.

    >>> slice_in_dim(np.arange(6.0), 1, None, 2)
    array([1., 3., 5.])
    """
    x = operand
    return x[(*(slice(None),) * (axis % x.ndim), slice(start_index, limit_index, stride))]


def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
    """One place along an axis, which stays as one of size 1, or goes.

    >>> index_in_dim(np.arange(6.0).reshape(2, 3), 1, axis=1)
    array([[1.],
           [4.]])
    """
    found = np.take(operand, index, axis=axis)
    return np.expand_dims(found, axis) if keepdims else found


def dynamic_slice(operand: Any, start_indices: Sequence[Any], slice_sizes: Sequence[int]) -> Any:
    """A part of these sizes from run-time indices on, which are taken so that it lies within the array.

    >>> dynamic_slice(np.arange(6.0), (5,), (2,))
    array([4., 5.])
    """
    x = operand
    for axis in range(x.ndim):
        x = dynamic_slice_in_dim(x, start_indices[axis], slice_sizes[axis], axis)
    return x


def dynamic_slice_in_dim(operand: Any, start_index: Any, slice_size: int, axis: int = 0) -> Any:
    """The same along one axis.

    >>> dynamic_slice_in_dim(np.arange(6.0), -2, 2)
    array([4., 5.])
    """
    start = _start(start_index, operand.shape[axis], slice_size)
    return slice_in_dim(operand, start, start + slice_size, 1, axis)


def _start(index: Any, size: Any, count: Any) -> Any:
    """Where a part of `count` elements starts: negative indices count from the end, all are brought within."""
    index = int(index)
    index = index + size if index < 0 else index
    return min(max(index, 0), size - count)


def dynamic_index_in_dim(operand: Any, index: Any, axis: int = 0, keepdims: bool = True) -> Any:
    """One place along an axis by a run-time index, brought within.

    >>> dynamic_index_in_dim(np.arange(6.0), 9, keepdims=False)
    np.float64(5.0)
    """
    found = np.take(operand, _start(index, operand.shape[axis], 1), axis=axis)
    return np.expand_dims(found, axis) if keepdims else found


def dynamic_update_slice(operand: Any, update: Any, start_indices: Sequence[Any]) -> Any:
    """A copy of the array with a part replaced, from run-time indices on, which are brought within.

    >>> dynamic_update_slice(np.zeros(4), np.ones(2), (3,))
    array([0., 0., 1., 1.])
    """
    out = np.array(operand)
    starts = [_start(start_indices[axis], operand.shape[axis], update.shape[axis]) for axis in range(operand.ndim)]
    out[tuple([slice(start, start + size) for start, size in zip(starts, update.shape, strict=True)])] = update
    return out


def dynamic_update_slice_in_dim(operand: Any, update: Any, start_index: Any, axis: int) -> Any:
    """The same along one axis.

    >>> dynamic_update_slice_in_dim(np.zeros(4), np.ones(2), 1, 0)
    array([0., 1., 1., 0.])
    """
    out = np.array(operand)
    start = _start(start_index, operand.shape[axis], update.shape[axis])
    out[(*(slice(None),) * (axis % operand.ndim), slice(start, start + update.shape[axis]))] = update
    return out


def dynamic_update_index_in_dim(operand: Any, update: Any, index: Any, axis: int) -> Any:
    """A copy of the array with one place along an axis replaced.

    >>> dynamic_update_index_in_dim(np.zeros(3), 5.0, 1, 0)
    array([0., 5., 0.])
    """
    part = np.asarray(update)
    return dynamic_update_slice_in_dim(operand, np.expand_dims(part, axis) if part.ndim != operand.ndim else part, index, axis)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    slice_in_dim, index_in_dim, dynamic_slice, dynamic_slice_in_dim, dynamic_index_in_dim, dynamic_update_slice, dynamic_update_slice_in_dim, dynamic_update_index_in_dim,
)} | {"slice": slice_between}  # fmt: skip
"""By the names that they have in s2s.lax."""
