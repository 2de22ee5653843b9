"""s2s.lax's gather and scatter, as plain NumPy: one index into the flat array for each element. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np


class GatherDimensionNumbers(NamedTuple):
    """Which axes of operand, indices and result belong together; the last axis of the indices holds the index vectors.

    >>> from s2s import lax
    >>> numbers = lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
    >>> lax.gather(np.arange(4.0), np.array([[2], [0]]), numbers, slice_sizes=(1,))
    array([2., 0.])
    """

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(NamedTuple):
    """Which axes of operand, indices and updates belong together; the last axis of the indices holds the index vectors.

    >>> from s2s import lax
    >>> numbers = lax.ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> lax.scatter_add(np.arange(4.0), np.array([[2], [0]]), np.array([10.0, 20.0]), numbers)
    array([20.,  1., 12.,  3.])
    """

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    operand_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()


class GatherScatterMode(enum.Enum):
    """What is done with windows that don't lie within the array.

    >>> from s2s import lax
    >>> numbers = lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
    >>> lax.gather(np.arange(4.0), np.array([[2], [9]]), numbers, slice_sizes=(1,), mode=lax.GatherScatterMode.CLIP)
    array([2., 3.])
    """

    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4


_MODES = {
    "clip": GatherScatterMode.CLIP, "fill": GatherScatterMode.FILL_OR_DROP, "drop": GatherScatterMode.FILL_OR_DROP,
    "promise_in_bounds": GatherScatterMode.PROMISE_IN_BOUNDS, "one_hot": GatherScatterMode.ONE_HOT,
}  # fmt: skip


def gather(
    operand: Any, start_indices: Any, dimension_numbers: Any, slice_sizes: Sequence[int], *, unique_indices: bool = False, indices_are_sorted: bool = False,
    mode: Any = None, fill_value: Any = None,
) -> Any:  # fmt: skip
    """Windows of these sizes from each index vector on. Those beyond the array are brought within it, or (mode "fill") are `fill_value` (nan, the smallest integer).

    >>> numbers = GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
    >>> gather(np.array([10, 11, 12]), np.array([[0], [2], [2]]), numbers, (1,))
    array([10, 12, 12])
    """
    offsets, collapsed, start_map, batching, indices_batching = dimension_numbers
    how = _mode(GatherScatterMode.PROMISE_IN_BOUNDS if mode is None else mode)
    gone = (*collapsed, *batching)
    windows = [axis for axis in range(operand.ndim) if axis not in gone]
    places, inside = _places(operand.shape, start_indices, start_map, tuple(slice_sizes), windows, batching, indices_batching)
    found = np.ravel(operand)[places]
    if how is GatherScatterMode.FILL_OR_DROP:
        found = np.where(inside, found, _missing(operand.dtype) if fill_value is None else fill_value).astype(operand.dtype)
    return np.transpose(found, _order(start_indices.ndim - 1, tuple(offsets)))


def _mode(mode: Any) -> Any:
    if mode is None:
        return GatherScatterMode.FILL_OR_DROP
    if isinstance(mode, str):
        if mode not in _MODES:
            raise ValueError(f'Unknown gather mode "{mode}"')
        return _MODES[mode]
    return mode


def _missing(dtype: Any) -> Any:
    """What stands for an element that is not there."""
    return True if dtype.kind == "b" else np.nan if dtype.kind in "fc" else np.iinfo(dtype).min


def _order(batch: int, offsets: tuple[int, ...]) -> list[int]:
    """The axes of (*batch, *window) in the order in which the window's lie at `offsets`."""
    order = []
    taken = 0
    for axis in range(batch + len(offsets)):
        if axis in offsets:
            order.append(batch + offsets.index(axis))
        else:
            order.append(taken)
            taken = taken + 1
    return order


def _places(sizes: Any, indices: Any, start_map: Any, window: Any, windows: Any, batching: Any, indices_batching: Any) -> Any:
    """The place in the flat array of each element of (*batch, *window), and whether its window lies within the array."""
    batch, count = indices.ndim - 1, len(windows)
    places = np.zeros((1,) * (batch + count), dtype=np.int64)
    inside = np.ones((1,) * (batch + count), dtype=np.bool_)
    stride = 1
    for axis in range(len(sizes) - 1, -1, -1):
        start = np.zeros((1,) * (batch + count), dtype=np.int64)
        if axis in start_map:
            start = np.reshape(indices[..., list(start_map).index(axis)].astype(np.int64), (*indices.shape[:-1], *(1,) * count))
            inside = inside & (start >= 0) & (start <= sizes[axis] - window[axis])
            start = np.minimum(np.maximum(start, 0), sizes[axis] - window[axis])
        if axis in batching:
            along = indices_batching[list(batching).index(axis)]
            start = start + np.reshape(np.arange(sizes[axis]), (*(1,) * along, sizes[axis], *(1,) * (batch + count - along - 1)))
        if axis in windows:
            number = windows.index(axis)
            start = start + np.reshape(np.arange(window[axis]), (*(1,) * (batch + number), window[axis], *(1,) * (count - number - 1)))
        places = places + stride * start
        stride = stride * sizes[axis]
    return places, inside


def scatter(
    operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """A copy of the array with the windows from each index vector on replaced. Windows beyond the array are left out, or (mode "clip") are brought within.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter(np.zeros(4), np.array([[1], [3], [9]]), np.array([5.0, 6.0, 7.0]), numbers)
    array([0., 5., 0., 6.])
    """
    flat, places, values = _scattered(operand, scatter_indices, updates, dimension_numbers, mode)
    flat[places] = values
    return np.reshape(flat[:-1], operand.shape)


def scatter_add(
    operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """As scatter: the updates are added.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter_add(np.zeros(3), np.array([[1], [1]]), np.array([5.0, 6.0]), numbers)
    array([ 0., 11.,  0.])
    """
    flat, places, values = _scattered(operand, scatter_indices, updates, dimension_numbers, mode)
    np.add.at(flat, places, values)
    return np.reshape(flat[:-1], operand.shape)


def scatter_sub(
    operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """As scatter: the updates are taken away.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter_sub(np.zeros(3), np.array([[1], [1]]), np.array([5.0, 6.0]), numbers)
    array([  0., -11.,   0.])
    """
    flat, places, values = _scattered(operand, scatter_indices, updates, dimension_numbers, mode)
    np.add.at(flat, places, -values)
    return np.reshape(flat[:-1], operand.shape)


def scatter_mul(
    operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """As scatter: elements are multiplied by the updates.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter_mul(np.ones(3), np.array([[1], [1]]), np.array([5.0, 6.0]), numbers)
    array([ 1., 30.,  1.])
    """
    return _combined(np.multiply, operand, scatter_indices, updates, dimension_numbers, mode)


def scatter_min(
    operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """As scatter: the smaller of element and update stays.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter_min(np.ones(2), np.array([[0], [1]]), np.array([0.5, 6.0]), numbers)
    array([0.5, 1. ])
    """
    return _combined(np.minimum, operand, scatter_indices, updates, dimension_numbers, mode)


def scatter_max(
    operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """As scatter: the larger of element and update stays.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter_max(np.ones(2), np.array([[0], [1]]), np.array([0.5, 6.0]), numbers)
    array([1., 6.])
    """
    return _combined(np.maximum, operand, scatter_indices, updates, dimension_numbers, mode)


def scatter_apply(
    operand: Any, scatter_indices: Any, func: Callable[[Any], Any], dimension_numbers: Any, *, update_shape: Any = (), indices_are_sorted: bool = False,
    unique_indices: bool = False, mode: Any = None,
) -> Any:  # fmt: skip
    """As scatter: `func` of the elements that updates of this shape would meet, one by one, once for each time that they are met.

    >>> numbers = ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> scatter_apply(np.array([1.0, 2.0, 3.0]), np.array([[1], [1], [0]]), np.sqrt, numbers, update_shape=(3,)).round(3)
    array([1.   , 1.189, 3.   ])
    """
    flat, places, _ = _scattered(operand, scatter_indices, np.zeros(update_shape, dtype=operand.dtype), dimension_numbers, mode)
    for place in np.ravel(places):
        flat[place] = func(flat[place])
    return np.reshape(flat[:-1], operand.shape)


def _combined(function: Callable[[Any, Any], Any], operand: Any, indices: Any, updates: Any, numbers: Any, mode: Any) -> Any:
    """The updates' elements put in one by one."""
    flat, places, values = _scattered(operand, indices, updates, numbers, mode)
    places, values = np.ravel(places), np.ravel(values)
    for k in range(len(places)):
        flat[places[k]] = function(flat[places[k]], values[k])
    return np.reshape(flat[:-1], operand.shape)


def _scattered(operand: Any, indices: Any, updates: Any, numbers: Any, mode: Any) -> Any:
    """A flat copy of the array with one element behind it, for each update the place where it goes (that element: nowhere), and the updates."""
    offsets, inserted, start_map, batching, indices_batching = numbers
    how = _mode(mode)
    gone = (*inserted, *batching)
    windows = [axis for axis in range(operand.ndim) if axis not in gone]
    sizes = [1] * operand.ndim
    for number, axis in enumerate(windows):
        sizes[axis] = updates.shape[offsets[number]]
    batch = indices.ndim - 1
    order = _order(batch, tuple(offsets))
    values = np.transpose(updates, [order.index(axis) for axis in range(len(order))])
    places, inside = _places(operand.shape, indices, start_map, tuple(sizes), windows, batching, indices_batching)
    flat = np.concatenate([np.ravel(operand), np.zeros(1, dtype=operand.dtype)])
    if how is not GatherScatterMode.CLIP:
        places = np.where(inside, places, len(flat) - 1)
    return flat, np.broadcast_to(places, values.shape), values.astype(operand.dtype)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    gather, scatter, scatter_add, scatter_sub, scatter_mul, scatter_min, scatter_max, scatter_apply,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
