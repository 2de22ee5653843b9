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
    if len(start_indices) != operand.ndim or len(limit_indices) != operand.ndim:
        raise TypeError(f"slice start_indices and limit_indices must have one entry for each of the operand's {operand.ndim} dimensions")
    for start, limit, size in zip(start_indices, limit_indices, operand.shape, strict=True):
        if start < 0:
            raise TypeError(f"slice start_indices must be greater than or equal to zero, got {start}.")
        if limit > size:
            raise TypeError(f"slice limit_indices must be less than or equal to operand shape, got {limit} for a dimension of size {size}.")
        if limit < start:
            raise TypeError(f"slice limit_indices must be greater than or equal to start_indices, got {start} and {limit}.")
    steps = (1,) * len(start_indices) if strides is None else tuple(strides)
    return operand[tuple([slice(start, limit, step) for start, limit, step in zip(start_indices, limit_indices, steps, strict=True)])]


def slice_in_dim(operand: Any, start_index: Any, limit_index: Any, stride: int = 1, axis: int = 0) -> Any:
    """operand[…, start:limit:stride, …] along one axis.

    >>> slice_in_dim(np.arange(6.0), 1, None, 2)
    array([1., 3., 5.])
    """
    size = operand.shape[axis]
    start = 0 if start_index is None else start_index
    limit = size if limit_index is None else limit_index
    first, last = start if start >= 0 else start + size, limit if limit >= 0 else limit + size
    if first < 0:
        raise TypeError(f"slice start_indices must have every element be nonnegative, got {first} along axis {axis}.")
    if last > size:
        raise TypeError(f"slice limit_indices must be less than or equal to operand shape, got {last} for a dimension of size {size}.")
    if last < first:
        raise TypeError(f"slice limit_indices must be greater than or equal to start_indices, got {first} and {last}.")
    return between(operand, start_index, limit_index, stride, axis)


def between(x: Any, start: Any, limit: Any, stride: int, axis: int) -> Any:
    """operand[…, start:limit:stride, …] along one axis, bounds that lie within."""
    return x[(*(slice(None),) * (axis % x.ndim), slice(start, limit, stride))]


def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
    """One place along an axis, which stays as one of size 1, or goes.

    >>> index_in_dim(np.arange(6.0).reshape(2, 3), 1, axis=1)
    array([[1.],
           [4.]])
    """
    found = np.take(operand, index, axis=axis)
    return np.expand_dims(found, axis) if keepdims else found


def dynamic_slice(operand: Any, start_indices: Sequence[Any], slice_sizes: Sequence[int], *, allow_negative_indices: Any = True) -> Any:
    """A part of these sizes from run-time indices on, which are taken so that it lies within the array.

    >>> dynamic_slice(np.arange(6.0), (5,), (2,))
    array([4., 5.])
    """
    if len(start_indices) != operand.ndim or len(slice_sizes) != operand.ndim:
        raise ValueError(f"Length of slice indices must match number of operand dimensions ({len(start_indices)} vs {operand.shape})")
    x = operand
    for axis in range(x.ndim):
        x = dynamic_slice_in_dim(x, start_indices[axis], slice_sizes[axis], axis, allow_negative_indices=allow_negative_indices)
    return x


def dynamic_slice_in_dim(operand: Any, start_index: Any, slice_size: int, axis: int = 0, *, allow_negative_indices: Any = True) -> Any:
    """The same along one axis.

    >>> dynamic_slice_in_dim(np.arange(6.0), -2, 2)
    array([4., 5.])
    """
    if slice_size > operand.shape[axis]:
        raise TypeError(f"slice slice_sizes must be less than or equal to operand shape, got slice_size {slice_size} for a dimension of size {operand.shape[axis]}.")
    start = _start(start_index, operand.shape[axis], slice_size, _allowed(allow_negative_indices, axis))
    return between(operand, start, start + slice_size, 1, axis)


def _allowed(allow_negative_indices: Any, axis: int) -> bool:
    """Whether negative indices along an axis count from the end."""
    return allow_negative_indices[axis] if isinstance(allow_negative_indices, tuple | list) else allow_negative_indices


def _start(index: Any, size: Any, count: Any, from_end: bool = True) -> Any:
    """Where a part of `count` elements starts: negative indices count from the end (`from_end`), all are brought within."""
    index = int(index)
    if from_end:
        index = index + size if index < 0 else index
    return min(max(index, 0), size - count)


def dynamic_index_in_dim(operand: Any, index: Any, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True) -> Any:
    """One place along an axis by a run-time index, brought within.

    >>> dynamic_index_in_dim(np.arange(6.0), 9, keepdims=False)
    np.float64(5.0)
    """
    found = np.take(operand, _start(index, operand.shape[axis], 1, allow_negative_indices), axis=axis)
    return np.expand_dims(found, axis) if keepdims else found


def dynamic_update_slice(operand: Any, update: Any, start_indices: Sequence[Any], *, allow_negative_indices: Any = True) -> Any:
    """A copy of the array with a part replaced, from run-time indices on, which are brought within.

    >>> dynamic_update_slice(np.zeros(4), np.ones(2), (3,))
    array([0., 0., 1., 1.])
    """
    if update.ndim != operand.ndim:
        raise TypeError(f"dynamic_update_slice update must have the same rank as operand, got update shape {update.shape} for operand shape {operand.shape}.")
    for size, room in zip(update.shape, operand.shape, strict=True):
        if size > room:
            raise TypeError(f"dynamic_update_slice update shape must be smaller than operand shape, got update shape {update.shape} for operand shape {operand.shape}.")
    out = np.array(operand)
    starts = [_start(start_indices[axis], operand.shape[axis], update.shape[axis], _allowed(allow_negative_indices, axis)) for axis in range(operand.ndim)]
    out[tuple([slice(start, start + size) for start, size in zip(starts, update.shape, strict=True)])] = update
    return out


def dynamic_update_slice_in_dim(operand: Any, update: Any, start_index: Any, axis: int, *, allow_negative_indices: bool = True) -> Any:
    """The same along one axis.

    >>> dynamic_update_slice_in_dim(np.zeros(4), np.ones(2), 1, 0)
    array([0., 1., 1., 0.])
    """
    out = np.array(operand)
    start = _start(start_index, operand.shape[axis], update.shape[axis], allow_negative_indices)
    out[(*(slice(None),) * (axis % operand.ndim), slice(start, start + update.shape[axis]))] = update
    return out


def dynamic_update_index_in_dim(operand: Any, update: Any, index: Any, axis: int, *, allow_negative_indices: bool = True) -> Any:
    """A copy of the array with one place along an axis replaced.

    >>> dynamic_update_index_in_dim(np.zeros(3), 5.0, 1, 0)
    array([0., 5., 0.])
    """
    part = np.asarray(update)
    return dynamic_update_slice_in_dim(operand, np.expand_dims(part, axis) if part.ndim != operand.ndim else part, index, axis, allow_negative_indices=allow_negative_indices)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    slice_in_dim, index_in_dim, dynamic_slice, dynamic_slice_in_dim, dynamic_index_in_dim, dynamic_update_slice, dynamic_update_slice_in_dim, dynamic_update_index_in_dim,
)} | {"slice": slice_between}  # fmt: skip
"""By the names that they have in s2s.lax."""
