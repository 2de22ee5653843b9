"""s2s.lax's functions that make and reshape arrays for which NumPy has no one function, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.jax_numpy import example
from s2s.transforms.read.composed.lax_parts import between


def iota(dtype: Any, size: int) -> Any:
    """0, 1, …, size - 1.

    >>> iota(np.float64, 3)
    array([0., 1., 2.])
    """
    _check_counted(dtype)
    if size < 0:
        raise TypeError(f"iota shape must have every element be nonnegative, got ({size},).")
    return np.arange(size, dtype=dtype)


def _check_counted(dtype: Any) -> None:
    if np.dtype(dtype).kind == "b":
        raise TypeError("iota does not accept dtype bool. Accepted dtypes are subtypes of integer, floating, complexfloating.")


def axis_of(operand: Any, axis: int) -> int:
    """The axis, counted from the front; ValueError where there is none."""
    if not -np.ndim(operand) <= axis < np.ndim(operand):
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {np.ndim(operand)}")
    return axis % np.ndim(operand)


def broadcasted_iota(dtype: Any, shape: Sequence[int], dimension: int) -> Any:
    """An array of this shape in which each element is its index along `dimension`.

    >>> broadcasted_iota(np.int64, (2, 3), 1)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    _check_counted(dtype)
    if not 0 <= dimension < len(shape):
        raise ValueError(f"iota dimension must be between 0 and len(shape), got dimension={dimension} for shape={tuple(shape)}")
    return np.array(np.broadcast_to(_along(np.arange(shape[dimension], dtype=dtype), dimension % len(shape), len(shape)), shape))


def _along(x: Any, axis: int, ndim: int) -> Any:
    """A vector along one of so many axes."""
    return np.expand_dims(x, tuple(each for each in range(ndim) if each != axis))


def full(shape: Sequence[int], fill_value: Any, dtype: Any = None) -> Any:
    """An array of one value.

    >>> full((2,), 7.0)
    array([7., 7.])
    """
    for size in shape:
        if size < 0:
            raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got {tuple(shape)}.")
    return np.full(shape, fill_value, dtype)


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """An array of one value with the shape and dtype of x, or those that are given.

    >>> full_like(np.zeros(2), 7)
    array([7., 7.])
    """
    return np.full_like(example(x), fill_value, dtype=dtype, shape=shape)


def broadcast(operand: Any, sizes: Sequence[int]) -> Any:
    """The array with new axes of these sizes in front.

    >>> broadcast(np.array([1.0, 2.0]), (2,))
    array([[1., 2.],
           [1., 2.]])
    """
    return np.array(np.broadcast_to(operand, (*sizes, *np.shape(operand))))


def broadcast_in_dim(operand: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int]) -> Any:
    """An array of this shape in which the operand's axes lie where `broadcast_dimensions` says.

    >>> broadcast_in_dim(np.array([1.0, 2.0]), (2, 3), (0,))
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if len(broadcast_dimensions) != np.ndim(operand):
        raise TypeError(
            f"broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions {tuple(broadcast_dimensions)} for operand ndim {np.ndim(operand)}."
        )
    for axis, size in zip(broadcast_dimensions, np.shape(operand), strict=True):
        if not 0 <= axis < len(shape):
            raise TypeError(f"broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got {tuple(broadcast_dimensions)} for operand ndim {np.ndim(operand)} and shape {tuple(shape)}.")
        if size not in (1, shape[axis]):
            raise TypeError(
                f"broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the target broadcast shape; got operand of shape "
                f"{np.shape(operand)}, target broadcast shape {tuple(shape)}, broadcast_dimensions {tuple(broadcast_dimensions)} "
            )
    if tuple(sorted(set(broadcast_dimensions))) != tuple(broadcast_dimensions):
        raise TypeError(f"broadcast_in_dim broadcast_dimensions must be strictly increasing; got broadcast_dimensions {tuple(broadcast_dimensions)}")
    others = tuple(axis for axis in range(len(shape)) if axis not in broadcast_dimensions)
    return np.array(np.broadcast_to(np.expand_dims(operand, others), shape))

def expand_dims(array: Any, dimensions: Sequence[int]) -> Any:
    """The array with axes of size 1 at these places of the result.

    >>> expand_dims(np.zeros(2), (0, 2)).shape
    (1, 2, 1)
    """
    return np.expand_dims(array, tuple(dimensions))


def squeeze(array: Any, dimensions: Sequence[int]) -> Any:
    """The array without these axes, which have size 1.

    >>> squeeze(np.zeros((1, 2, 1)), (0,)).shape
    (2, 1)
    """
    for axis in dimensions:
        if array.shape[axis] != 1:
            raise ValueError(f"cannot select an axis to squeeze out which has size not equal to one, got shape={array.shape} and dimensions={tuple(dimensions)}")
    return np.squeeze(array, tuple(dimensions))


def reshape(operand: Any, new_sizes: Sequence[int], dimensions: Any = None) -> Any:
    """The elements in another shape; `dimensions` orders the axes before.

    >>> reshape(np.arange(4.0), (2, 2))
    array([[0., 1.],
           [2., 3.]])
    """
    for size in new_sizes:
        if size < 0:
            raise TypeError(f"reshape new_sizes must all be positive, got {tuple(new_sizes)}.")
    return np.reshape(operand if dimensions is None else np.transpose(operand, dimensions), new_sizes)


def collapse(operand: Any, start_dimension: int, stop_dimension: Any = None) -> Any:
    """The array with the axes from `start_dimension` up to (not with) `stop_dimension` made one.

    >>> collapse(np.zeros((2, 3, 4)), 0, 2).shape
    (6, 4)
    """
    shape = np.shape(operand)
    start, stop, _ = slice(start_dimension, stop_dimension).indices(len(shape))
    if stop < start:
        raise ValueError(f"Invalid dimension range passed to collapse: {shape}[{start_dimension}:{stop_dimension}]")
    count = 1
    for size in shape[start:stop]:
        count = count * size
    return np.reshape(operand, (*shape[:start], count, *shape[stop:]))


def transpose(operand: Any, permutation: Sequence[int]) -> Any:
    """The array with its axes in this order.

    >>> transpose(np.zeros((2, 3)), (1, 0)).shape
    (3, 2)
    """
    if tuple(sorted(permutation)) != tuple(range(operand.ndim)):
        raise TypeError(f"transpose permutation isn't a permutation of operand dimensions, got permutation {tuple(permutation)} for operand shape {operand.shape}.")
    return np.transpose(operand, tuple(permutation))


def rev(operand: Any, dimensions: Sequence[int]) -> Any:
    """The array backwards along these axes.

    >>> rev(np.arange(3.0), (0,))
    array([2., 1., 0.])
    """
    if len(set(dimensions)) != len(dimensions):
        raise TypeError(f"rev dimensions must be unique, got {tuple(dimensions)}.")
    for axis in dimensions:
        if not 0 <= axis < operand.ndim:
            raise TypeError(f"rev dimensions must all be less than operand ndim, got dimensions {tuple(dimensions)} for operand ndim {operand.ndim}.")
    return np.flip(operand, tuple(dimensions))


def concatenate(operands: Any, dimension: int) -> Any:
    """Arrays one behind the other along an axis.

    >>> concatenate([np.zeros(1), np.ones(2)], 0)
    array([0., 1., 1.])
    """
    if len(operands) == 0:
        raise ValueError("concatenate requires a non-empty sequences of arrays")
    for each in operands[1:]:
        if np.ndim(each) != np.ndim(operands[0]):
            raise TypeError(f"Cannot concatenate arrays with different numbers of dimensions: got {np.shape(operands[0])}, {np.shape(each)}.")
    if not 0 <= dimension < np.ndim(operands[0]):
        raise TypeError(f"concatenate dimension out of bounds: dimension {dimension} for shape {np.shape(operands[0])}.")
    return np.concatenate(operands, dimension)


def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> Any:
    """Parts of these sizes along an axis.

    >>> split(np.arange(3.0), (1, 2))
    [array([0.]), array([1., 2.])]
    """
    axis = axis_of(operand, axis)
    if operand.shape[axis] != sum(sizes):
        raise ValueError(f"Sum of sizes {sum(sizes)} must be equal to dimension {axis} of the operand shape {operand.shape}")
    parts = []
    start = 0
    for size in sizes:
        parts.append(between(operand, start, start + size, 1, axis))
        start = start + size
    return parts


def pad(operand: Any, padding_value: Any, padding_config: Sequence[Any]) -> Any:
    """The array with (low, high, interior) elements of `padding_value` before, behind and between its elements, per axis; negative ones cut off.

    >>> pad(np.array([1.0, 2.0]), 0.0, [(1, 2, 1)])
    array([0., 1., 0., 2., 0., 0.])
    """
    if len(padding_config) != operand.ndim:
        raise ValueError(f"length of padding_config must equal the number of axes of operand, got padding_config {tuple(padding_config)} for operand shape {operand.shape}")
    x = operand
    for axis, (low, high, interior) in enumerate(padding_config):
        if interior < 0:
            raise ValueError(f"interior padding in padding_config must be nonnegative, got padding_config {tuple(padding_config)}")
        if low < 0 or high < 0:
            _not_below(low + high + x.shape[axis] + interior * max(x.shape[axis] - 1, 0), padding_config, operand.shape)
        x = np.moveaxis(_padded(np.moveaxis(x, axis, 0), padding_value, low, high, interior), 0, axis)
    return x


def _not_below(size: int, padding_config: Any, shape: Any) -> None:
    if size < 0:
        raise ValueError(f"Dimension size after padding is not at least 0, got {size}, for padding_config {tuple(padding_config)} and operand shape {shape}")


def _padded(x: Any, value: Any, low: int, high: int, interior: int) -> Any:
    """The same along the first axis."""
    inner = len(x) + interior * (len(x) - 1 if len(x) > 0 else 0)
    before, behind = max(low, 0), max(high, 0)
    out = np.full((before + inner + behind, *x.shape[1:]), value, dtype=x.dtype)
    out[before : before + inner : interior + 1] = x
    cut = before + inner + behind
    return out[max(-low, 0) : cut - max(-high, 0)]


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    iota, broadcasted_iota, full, full_like, broadcast, broadcast_in_dim, expand_dims, squeeze, reshape, collapse, transpose, rev, concatenate, split, pad,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
