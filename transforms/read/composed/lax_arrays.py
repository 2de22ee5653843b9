"""s2s.lax's functions of arrays that NumPy has no one function for, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

# ---- elements --------------------------------------------------------------------------------------------------------------


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """Elements of `on_true` where `pred` holds, of `on_false` elsewhere.

    >>> select(np.array([True, False]), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    array([1., 4.])
    """
    return np.where(pred, on_true, on_false)


def select_n(which: Any, *cases: Any) -> Any:
    """Elements of the case whose number `which` says; a bool chooses between two.

    >>> select_n(np.array([0, 2, 1]), np.zeros(3), np.ones(3), np.full(3, 2.0))
    array([0., 2., 1.])
    """
    chosen = cases[-1]
    for number in reversed(range(len(cases) - 1)):
        chosen = np.where(which <= number, cases[number], chosen)
    return chosen


def clamp(min: Any, x: Any, max: Any) -> Any:
    """x, or the bound that it lies beyond.

    >>> clamp(0.0, np.array([-1.0, 0.5, 2.0]), 1.0)
    array([0. , 0.5, 1. ])
    """
    return np.minimum(np.maximum(x, min), max)


def rsqrt(x: Any) -> Any:
    """1 / sqrt(x).

    >>> rsqrt(np.array([4.0]))
    array([0.5])
    """
    return 1.0 / np.sqrt(x)


def div(x: Any, y: Any) -> Any:
    """x / y; of integers the quotient rounded towards zero.

    >>> div(np.array([-7, 7]), 2), div(np.array([1.0]), 2.0)
    (array([-3,  3]), array([0.5]))
    """
    if np.result_type(x, y).kind in "iub":
        floor = x // y
        return floor + ((floor * y != x) & (floor < 0))
    return x / y


def round_away(x: Any, rounding_method: int = 0) -> Any:
    """x rounded to whole numbers: halves away from zero (0), or to even ones (1).

    >>> round_away(np.array([0.5, 1.5, 2.5, -0.5])), round_away(np.array([0.5, 1.5, 2.5, -0.5]), 1)
    (array([ 1.,  2.,  3., -1.]), array([ 0.,  2.,  2., -0.]))
    """
    if rounding_method == 1:
        return np.round(x)
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1.0, x), whole)


def integer_pow(x: Any, y: int) -> Any:
    """x ** y for an integer y that is known when the function is read.

    >>> integer_pow(np.array([2.0, 3.0]), 3)
    array([ 8., 27.])
    """
    return x**y


def make_complex(x: Any, y: Any) -> Any:
    """x + i y.

    >>> make_complex(1.0, 2.0)
    (1+2j)
    """
    return x + 1j * y


def convert_element_type(operand: Any, new_dtype: Any) -> Any:
    """The elements as `new_dtype`.

    >>> convert_element_type(np.array([1.7]), np.int64)
    array([1])
    """
    return np.asarray(operand).astype(new_dtype)[()]


def identity(operand: Any) -> Any:
    """The operand: there is nothing to hold back."""
    return operand


# ---- making ----------------------------------------------------------------------------------------------------------------


def iota(dtype: Any, size: int) -> Any:
    """0, 1, …, size - 1.

    >>> iota(np.float64, 3)
    array([0., 1., 2.])
    """
    return np.arange(size, dtype=dtype)


def broadcasted_iota(dtype: Any, shape: Sequence[int], dimension: int) -> Any:
    """An array of this shape in which each element is its index along `dimension`.

    >>> broadcasted_iota(np.int64, (2, 3), 1)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    return np.array(np.broadcast_to(_along(np.arange(shape[dimension], dtype=dtype), dimension % len(shape), len(shape)), shape))


def _along(x: Any, axis: int, ndim: int) -> Any:
    """A vector along one of so many axes."""
    return np.expand_dims(x, tuple(each for each in range(ndim) if each != axis))


def full(shape: Sequence[int], fill_value: Any, dtype: Any = None) -> Any:
    """An array of one value.

    >>> full((2,), 7.0)
    array([7., 7.])
    """
    return np.full(shape, fill_value, dtype)


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """An array of one value with the shape and dtype of x, or those that are given.

    >>> full_like(np.zeros(2), 7)
    array([7., 7.])
    """
    return np.full_like(x, fill_value, dtype=dtype, shape=shape)


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
    others = tuple(axis for axis in range(len(shape)) if axis not in broadcast_dimensions)
    return np.array(np.broadcast_to(np.expand_dims(operand, others), shape))


# ---- shapes ----------------------------------------------------------------------------------------------------------------


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
    return np.squeeze(array, tuple(dimensions))


def reshape(operand: Any, new_sizes: Sequence[int], dimensions: Any = None) -> Any:
    """The elements in another shape; `dimensions` orders the axes before.

    >>> reshape(np.arange(4.0), (2, 2))
    array([[0., 1.],
           [2., 3.]])
    """
    return np.reshape(operand if dimensions is None else np.transpose(operand, dimensions), new_sizes)


def collapse(operand: Any, start_dimension: int, stop_dimension: Any = None) -> Any:
    """The array with the axes from `start_dimension` up to (not with) `stop_dimension` made one.

    >>> collapse(np.zeros((2, 3, 4)), 0, 2).shape
    (6, 4)
    """
    shape = operand.shape
    stop = len(shape) if stop_dimension is None else stop_dimension % (len(shape) + 1) if stop_dimension >= 0 else stop_dimension + len(shape)
    start = start_dimension % len(shape)
    count = 1
    for size in shape[start:stop]:
        count = count * size
    return np.reshape(operand, (*shape[:start], count, *shape[stop:]))


def transpose(operand: Any, permutation: Sequence[int]) -> Any:
    """The array with its axes in this order.

    >>> transpose(np.zeros((2, 3)), (1, 0)).shape
    (3, 2)
    """
    return np.transpose(operand, tuple(permutation))


def rev(operand: Any, dimensions: Sequence[int]) -> Any:
    """The array backwards along these axes.

    >>> rev(np.arange(3.0), (0,))
    array([2., 1., 0.])
    """
    return np.flip(operand, tuple(dimensions))


def concatenate(operands: Any, dimension: int) -> Any:
    """Arrays one behind the other along an axis.

    >>> concatenate([np.zeros(1), np.ones(2)], 0)
    array([0., 1., 1.])
    """
    return np.concatenate(operands, dimension)


def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> Any:
    """Parts of these sizes along an axis.

    >>> split(np.arange(3.0), (1, 2))
    [array([0.]), array([1., 2.])]
    """
    parts = []
    start = 0
    for size in sizes:
        parts.append(slice_in_dim(operand, start, start + size, 1, axis))
        start = start + size
    return parts


def pad(operand: Any, padding_value: Any, padding_config: Sequence[Any]) -> Any:
    """The array with (low, high, interior) elements of `padding_value` before, behind and between its elements, per axis; negative ones cut off.

    >>> pad(np.array([1.0, 2.0]), 0.0, [(1, 2, 1)])
    array([0., 1., 0., 2., 0., 0.])
    """
    x = operand
    for axis, (low, high, interior) in enumerate(padding_config):
        x = np.moveaxis(_padded(np.moveaxis(x, axis, 0), padding_value, low, high, interior), 0, axis)
    return x


def _padded(x: Any, value: Any, low: int, high: int, interior: int) -> Any:
    """The same along the first axis."""
    inner = len(x) + interior * (len(x) - 1 if len(x) > 0 else 0)
    before, behind = max(low, 0), max(high, 0)
    out = np.full((before + inner + behind, *x.shape[1:]), value, dtype=x.dtype)
    out[before : before + inner : interior + 1] = x
    cut = before + inner + behind
    return out[max(-low, 0) : cut - max(-high, 0)]


# ---- parts -----------------------------------------------------------------------------------------------------------------


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


# ---- sums and searches --------------------------------------------------------------------------------------------------------


def reduce_sum(operand: Any, axes: Sequence[int]) -> Any:
    """The sum over these axes.

    >>> reduce_sum(np.ones((2, 3)), (0,))
    array([2., 2., 2.])
    """
    return np.sum(operand, axis=tuple(axes))


def reduce_prod(operand: Any, axes: Sequence[int]) -> Any:
    """The product over these axes.

    >>> reduce_prod(np.full((2, 3), 2.0), (0, 1))
    np.float64(64.0)
    """
    return np.prod(operand, axis=tuple(axes))


def reduce_max(operand: Any, axes: Sequence[int]) -> Any:
    """The largest element over these axes.

    >>> reduce_max(np.arange(4.0), (0,))
    np.float64(3.0)
    """
    return np.max(operand, axis=tuple(axes))


def reduce_min(operand: Any, axes: Sequence[int]) -> Any:
    """The smallest element over these axes.

    >>> reduce_min(np.arange(4.0), (0,))
    np.float64(0.0)
    """
    return np.min(operand, axis=tuple(axes))


def reduce_and(operand: Any, axes: Sequence[int]) -> Any:
    """Whether all hold over these axes.

    >>> reduce_and(np.array([True, False]), (0,))
    np.False_
    """
    return np.all(operand, axis=tuple(axes))


def reduce_or(operand: Any, axes: Sequence[int]) -> Any:
    """Whether any holds over these axes.

    >>> reduce_or(np.array([True, False]), (0,))
    np.True_
    """
    return np.any(operand, axis=tuple(axes))


def reduce(operand: Any, init_value: Any, computation: Callable[[Any, Any], Any], dimensions: Sequence[int]) -> Any:
    """`computation` folded over these axes from `init_value` on; it is called with arrays of what is left.

    >>> reduce(np.arange(1.0, 5.0), 1.0, np.multiply, (0,))
    np.float64(24.0)
    """
    axes = tuple(axis % operand.ndim for axis in dimensions)
    x = np.moveaxis(operand, axes, tuple(range(len(axes))))
    left = x.shape[len(axes) :]
    rows = np.reshape(x, (int(np.prod(np.array(x.shape[: len(axes)], dtype=np.int64))), *left))
    total = np.full(left, init_value, dtype=operand.dtype)[()]
    for k in range(len(rows)):
        total = computation(total, rows[k])
    return total


def reduce_window(operand: Any, init_value: Any, computation: Callable[[Any, Any], Any], window_dimensions: Sequence[int], window_strides: Sequence[int], padding: Any) -> Any:
    """`computation` folded over windows; `padding` is "VALID", "SAME" or (low, high) for each axis, filled with `init_value`.

    >>> reduce_window(np.arange(5.0), -np.inf, np.maximum, (2,), (2,), "VALID")
    array([1., 3.])
    """
    pads = _paddings(padding, operand.shape, window_dimensions, window_strides)
    x = pad(operand, init_value, [(low, high, 0) for low, high in pads])
    counts = [(size - window) // stride + 1 for size, window, stride in zip(x.shape, window_dimensions, window_strides, strict=True)]
    total = np.full(tuple(counts), init_value, dtype=operand.dtype)
    for place in np.ndindex(*window_dimensions):
        spans = [slice(start, start + (count - 1) * stride + 1, stride) for start, count, stride in zip(place, counts, window_strides, strict=True)]
        total = computation(total, x[tuple(spans)])
    return total


def _paddings(padding: Any, sizes: Sequence[int], windows: Sequence[int], strides: Sequence[int]) -> Any:
    """(low, high) for each axis."""
    if padding == "VALID":
        return [(0, 0) for _ in sizes]
    if padding in ("SAME", "SAME_LOWER"):
        pads = []
        for size, window, stride in zip(sizes, windows, strides, strict=True):
            missing = max((-(-size // stride) - 1) * stride + window - size, 0)
            small = missing // 2
            pads.append((small, missing - small) if padding == "SAME" else (missing - small, small))
        return pads
    return padding


def cumsum(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Running sums along an axis.

    >>> cumsum(np.arange(4.0), reverse=True)
    array([6., 6., 5., 3.])
    """
    return _running(np.cumsum, operand, axis, reverse)


def cumprod(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Running products along an axis.

    >>> cumprod(np.array([1.0, 2.0, 3.0]))
    array([1., 2., 6.])
    """
    return _running(np.cumprod, operand, axis, reverse)


def cummax(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Running maxima along an axis.

    >>> cummax(np.array([1.0, 3.0, 2.0]))
    array([1., 3., 3.])
    """
    return _folded(np.maximum, operand, axis, reverse)


def cummin(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Running minima along an axis.

    >>> cummin(np.array([2.0, 3.0, 1.0]))
    array([2., 2., 1.])
    """
    return _folded(np.minimum, operand, axis, reverse)


def cumlogsumexp(operand: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Running logarithms of sums of exponentials along an axis.

    >>> cumlogsumexp(np.zeros(2))
    array([0.        , 0.69314718])
    """
    return _folded(np.logaddexp, operand, axis, reverse)


def _running(accumulate: Callable[..., Any], operand: Any, axis: int, reverse: bool) -> Any:
    if reverse:
        return np.flip(accumulate(np.flip(operand, axis), axis=axis), axis)
    return accumulate(operand, axis=axis)


def _folded(function: Callable[[Any, Any], Any], operand: Any, axis: int, reverse: bool) -> Any:
    """Running results of a function of two elements."""
    out = np.array(np.moveaxis(operand, axis, 0))
    n = len(out)
    for step in range(1, n):
        k = n - 1 - step if reverse else step
        out[k] = function(out[k + 1 if reverse else k - 1], out[k])
    return np.moveaxis(out, 0, axis)


def argmax(operand: Any, axis: int, index_dtype: Any) -> Any:
    """Where the largest element along an axis is.

    >>> argmax(np.array([1.0, 3.0]), 0, np.int64)
    np.int64(1)
    """
    return convert_element_type(np.argmax(operand, axis=axis), index_dtype)


def argmin(operand: Any, axis: int, index_dtype: Any) -> Any:
    """Where the smallest element along an axis is.

    >>> argmin(np.array([1.0, 3.0]), 0, np.int64)
    np.int64(0)
    """
    return convert_element_type(np.argmin(operand, axis=axis), index_dtype)


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """The array in order along an axis; of a tuple all arrays, in the order of the first `num_keys`.

    >>> sort((np.array([2, 1, 2]), np.array([1.0, 5.0, 0.0])), num_keys=2)
    (array([1, 2, 2]), array([5., 0., 1.]))
    """
    if not isinstance(operand, tuple | list):
        return np.sort(operand, axis=dimension, kind="stable")
    order = np.lexsort([operand[num_keys - 1 - number] for number in range(num_keys)], axis=dimension) if num_keys > 1 else np.argsort(operand[0], axis=dimension, kind="stable")
    return tuple([np.take_along_axis(each, order, axis=dimension) for each in operand])


def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> Any:
    """Keys in order along an axis, and the values in their order.

    >>> sort_key_val(np.array([2, 1]), np.array([0.5, 1.5]))
    (array([1, 2]), array([1.5, 0.5]))
    """
    return sort((keys, values), dimension)


def top_k(operand: Any, k: int, *, axis: int = -1) -> Any:
    """The k largest elements along an axis, largest first, and where they are.

    >>> top_k(np.array([1.0, 3.0, 2.0]), 2)
    (array([3., 2.]), array([1, 2]))
    """
    order = slice_in_dim(np.argsort(-operand, axis=axis, kind="stable"), 0, k, 1, axis)
    return np.take_along_axis(operand, order, axis=axis), order


# ---- products --------------------------------------------------------------------------------------------------------------


def dot(lhs: Any, rhs: Any, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product of vectors and matrices.

    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    np.float64(11.0)
    """
    out = np.dot(lhs, rhs)
    return out if preferred_element_type is None else convert_element_type(out, preferred_element_type)


def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """Products of stacks of matrices.

    >>> batch_matmul(np.ones((2, 1, 3)), np.ones((2, 3, 1))).shape
    (2, 1, 1)
    """
    return np.matmul(lhs, rhs)


def dot_general(lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product over ((lhs contracting, rhs contracting), (lhs batch, rhs batch)) axes: batch axes first, then those left of lhs, then of rhs.

    >>> dot_general(np.ones((2, 3)), np.ones((3, 4)), (((1,), (0,)), ((), ()))).shape
    (2, 4)
    """
    (left_summed, right_summed), (left_batch, right_batch) = dimension_numbers
    left = list(range(lhs.ndim))
    right = list(range(lhs.ndim, lhs.ndim + rhs.ndim))
    for one, two in zip((*left_summed, *left_batch), (*right_summed, *right_batch), strict=True):
        right[two] = left[one]
    batch = [left[axis] for axis in left_batch]
    out = batch + [each for axis, each in enumerate(left) if axis not in (*left_summed, *left_batch)] + [each for axis, each in enumerate(right) if axis not in (*right_summed, *right_batch)]
    found = np.einsum(f"{_letters(left)},{_letters(right)}->{_letters(out)}", lhs, rhs)
    return found if preferred_element_type is None else convert_element_type(found, preferred_element_type)


def _letters(numbers: Sequence[int]) -> str:
    return "".join(["abcdefghijklmnopqrstuvwxyz"[number] for number in numbers])


def conv(lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """A convolution of (batch, feature, *space) with (out feature, in feature, *space); the kernel is not flipped.

    >>> conv(np.ones((1, 1, 5)), np.ones((1, 1, 3)), (1,), "VALID")
    array([[[3., 3., 3.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding)


def conv_general_dilated(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None, dimension_numbers: Any = None,
    feature_group_count: int = 1, batch_group_count: int = 1, precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """A convolution with strides, padding, holes in the array (`lhs_dilation`) and in the kernel (`rhs_dilation`), and groups of features.

    `dimension_numbers`: None for (batch, feature, *space), (out feature, in feature, *space), (batch, feature, *space), or three texts such as
    ("NHWC", "HWIO", "NHWC"). One product of matrices for each place of the kernel.

    >>> conv_general_dilated(np.arange(6.0).reshape(1, 6, 1), np.ones((2, 1, 1)), (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))[0, :, 0]
    array([1., 5., 9.])
    """
    if batch_group_count != 1:
        unsupported("lax.conv_general_dilated(…, batch_group_count=…)", "feature_group_count, or a loop over the groups")
    space = lhs.ndim - 2
    x, kernel = lhs, rhs
    if dimension_numbers is not None:
        axes = "".join([each for each in dimension_numbers[0] if each not in "NC"])
        x = np.transpose(lhs, [dimension_numbers[0].index(each) for each in "NC" + axes])
        kernel = np.transpose(rhs, [dimension_numbers[1].index(each) for each in "OI" + axes])
    holes = (1,) * space if rhs_dilation is None else tuple(rhs_dilation)
    gaps = (1,) * space if lhs_dilation is None else tuple(lhs_dilation)
    windows = [(size - 1) * hole + 1 for size, hole in zip(kernel.shape[2:], holes, strict=True)]
    wide = [(size - 1) * gap + 1 for size, gap in zip(x.shape[2:], gaps, strict=True)]
    pads = _paddings(padding, wide, windows, window_strides)
    x = pad(x, 0.0, [(0, 0, 0), (0, 0, 0), *[(low, high, gap - 1) for (low, high), gap in zip(pads, gaps, strict=True)]])
    counts = [(size - window) // stride + 1 for size, window, stride in zip(x.shape[2:], windows, window_strides, strict=True)]
    outs, ins = kernel.shape[0] // feature_group_count, kernel.shape[1]
    out = np.zeros((x.shape[0], kernel.shape[0], *counts), dtype=np.result_type(x, kernel))
    letters = "defgh"[:space]
    for place in np.ndindex(*kernel.shape[2:]):
        spans = [slice(k * hole, k * hole + (count - 1) * stride + 1, stride) for k, hole, count, stride in zip(place, holes, counts, window_strides, strict=True)]
        part, weights = x[(slice(None), slice(None), *spans)], kernel[(slice(None), slice(None), *place)]
        for group in range(feature_group_count):
            chosen = part[:, group * ins : (group + 1) * ins]
            out[:, group * outs : (group + 1) * outs] += np.einsum(f"ab{letters},cb->ac{letters}", chosen, weights[group * outs : (group + 1) * outs])
    if dimension_numbers is not None:
        axes = "".join([each for each in dimension_numbers[0] if each not in "NC"])
        out = np.transpose(out, [("NC" + axes).index(each) for each in dimension_numbers[2]])
    return out if preferred_element_type is None else convert_element_type(out, preferred_element_type)


EXPORTED: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        select, select_n, clamp, rsqrt, div, integer_pow, convert_element_type, iota, broadcasted_iota, full, full_like, broadcast, broadcast_in_dim, expand_dims,
        squeeze, reshape, collapse, transpose, rev, concatenate, split, pad, slice_in_dim, index_in_dim, dynamic_slice, dynamic_slice_in_dim, dynamic_index_in_dim,
        dynamic_update_slice, dynamic_update_slice_in_dim, dynamic_update_index_in_dim, reduce_sum, reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or,
        reduce, reduce_window, cumsum, cumprod, cummax, cummin, cumlogsumexp, argmax, argmin, sort, sort_key_val, top_k, dot, batch_matmul, dot_general, conv,
        conv_general_dilated,
    )
} | {"round": round_away, "complex": make_complex, "slice": slice_between, "optimization_barrier": identity}  # fmt: skip
"""By the names that they have in s2s.lax."""
