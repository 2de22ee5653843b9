"""s2s.lax's functions that reduce, run along an axis and sort for which NumPy has no one function, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_elements import convert_element_type
from s2s.transforms.read.composed.lax_parts import between
from s2s.transforms.read.composed.lax_shapes import axis_of, pad


def reduce_sum(operand: Any, axes: Sequence[int]) -> Any:
    """The sum over these axes.

    >>> reduce_sum(np.ones((2, 3)), (0,))
    array([2., 2., 2.])
    """
    return np.sum(operand, axis=_axes(operand, axes), dtype=_own_dtype("reduce_sum", operand))


def reduce_prod(operand: Any, axes: Sequence[int]) -> Any:
    """The product over these axes.

    >>> reduce_prod(np.full((2, 3), 2.0), (0, 1))
    np.float64(64.0)
    """
    return np.prod(operand, axis=_axes(operand, axes), dtype=_own_dtype("reduce_prod", operand))


def _own_dtype(name: str, operand: Any) -> Any:
    """The dtype of the result where NumPy has another one: integers keep theirs."""
    dtype = np.asarray(operand).dtype
    if dtype.kind == "b":
        raise TypeError(f"{name} does not accept dtype bool. Accepted dtypes are subtypes of number.")
    return dtype if dtype.kind in "iu" else None


def reduce_max(operand: Any, axes: Sequence[int]) -> Any:
    """The largest element over these axes.

    >>> reduce_max(np.arange(4.0), (0,))
    np.float64(3.0)
    """
    if operand.dtype.kind == "c":
        return np.max(operand, axis=_axes(operand, axes))
    return np.max(operand, axis=_axes(operand, axes), initial=_bounds(operand.dtype)[0])


def reduce_min(operand: Any, axes: Sequence[int]) -> Any:
    """The smallest element over these axes.

    >>> reduce_min(np.arange(4.0), (0,))
    np.float64(0.0)
    """
    if operand.dtype.kind == "c":
        return np.min(operand, axis=_axes(operand, axes))
    return np.min(operand, axis=_axes(operand, axes), initial=_bounds(operand.dtype)[1])


def _bounds(dtype: Any) -> Any:
    """The least and the greatest number of a dtype: what an extreme of nothing is."""
    if dtype.kind == "f":
        return dtype.type(-np.inf), dtype.type(np.inf)
    return (False, True) if dtype.kind == "b" else (dtype.type(np.iinfo(dtype).min), dtype.type(np.iinfo(dtype).max))


def reduce_and(operand: Any, axes: Sequence[int]) -> Any:
    """Whether all hold over these axes; of integers bit by bit.

    >>> reduce_and(np.array([True, False]), (0,))
    np.False_
    """
    if _logical(operand):
        return np.all(operand, axis=_axes(operand, axes))
    return _fold_bits(np.bitwise_and, operand, _axes(operand, axes), -1)


def reduce_or(operand: Any, axes: Sequence[int]) -> Any:
    """Whether any holds over these axes; of integers bit by bit.

    >>> reduce_or(np.array([5, 2]), (0,))
    np.int64(7)
    """
    if _logical(operand):
        return np.any(operand, axis=_axes(operand, axes))
    return _fold_bits(np.bitwise_or, operand, _axes(operand, axes), 0)


def reduce_xor(operand: Any, axes: Sequence[int]) -> Any:
    """The exclusive or over these axes; of integers bit by bit.

    >>> reduce_xor(np.array([5, 1]), (0,))
    np.int64(4)
    """
    return _fold_bits(np.bitwise_xor, operand, _axes(operand, axes), False if _logical(operand) else 0)


def _logical(operand: Any) -> bool:
    """Whether an array holds bools; TypeError where it holds no integers either."""
    if operand.dtype.kind not in "biu":
        raise TypeError(f"logical reduction requires operand dtype bool or int, got {operand.dtype}.")
    return bool(operand.dtype.kind == "b")


def _fold_bits(function: Callable[[Any, Any], Any], operand: Any, axes: tuple[int, ...], start: Any) -> Any:
    x = np.moveaxis(operand, axes, tuple(range(len(axes))))
    left = x.shape[len(axes) :]
    count = 1
    for size in x.shape[: len(axes)]:
        count = count * size
    rows = np.reshape(x, (count, *left))
    total = np.full(left, start).astype(operand.dtype)[()]
    for k in range(count):
        total = function(total, rows[k])
    return total


def reduce(operands: Any, init_values: Any, computation: Callable[[Any, Any], Any], dimensions: Sequence[int]) -> Any:
    """`computation` folded over these axes from `init_values` on; it is called with arrays of what is left.

    >>> reduce(np.arange(1.0, 5.0), 1.0, np.multiply, (0,))
    np.float64(24.0)
    """
    if isinstance(operands, tuple | list):
        return _reduce_together(operands, init_values, computation, dimensions)
    operand = operands
    axes = _axes(operand, dimensions)
    x = np.moveaxis(operand, axes, tuple(range(len(axes))))
    left = x.shape[len(axes) :]
    rows = np.reshape(x, (int(np.prod(np.array(x.shape[: len(axes)], dtype=np.int64))), *left))
    total = np.full(left, init_values, dtype=operand.dtype)[()]
    for k in range(len(rows)):
        total = computation(total, rows[k])
    return total


def _axes(operand: Any, axes: Sequence[int]) -> tuple[int, ...]:
    """Axes to reduce over; ValueError for one twice, or that is none."""
    if len(set(axes)) != len(axes):
        raise ValueError(f"duplicate value in 'axes' of reduction: {tuple(axes)}")
    for axis in axes:
        if not 0 <= axis < operand.ndim:
            raise ValueError(f"reduction axes {tuple(axes)} contains out-of-bounds indices for {operand.dtype} of shape {operand.shape}.")
    return tuple(axes)


def _reduce_together(operands: Any, init_values: Any, computation: Callable[[Any, Any], Any], dimensions: Sequence[int]) -> Any:
    """The same of arrays of one shape: `computation` takes and gives as many."""
    axes = _axes(operands[0], dimensions)
    moved = [np.moveaxis(each, axes, tuple(range(len(axes)))) for each in operands]
    left = moved[0].shape[len(axes) :]
    count = int(np.prod(np.array(moved[0].shape[: len(axes)], dtype=np.int64)))
    rows = [np.reshape(each, (count, *left)) for each in moved]
    totals = tuple([np.full(left, init, dtype=each.dtype)[()] for init, each in zip(init_values, operands, strict=True)])
    for k in range(count):
        totals = tuple(computation(totals, tuple([each[k] for each in rows])))
    return totals


def reduce_window(
    operand: Any, init_value: Any, computation: Callable[[Any, Any], Any], window_dimensions: Sequence[int], window_strides: Any = None, padding: Any = "VALID",
    base_dilation: Any = None, window_dilation: Any = None,
) -> Any:  # fmt: skip
    """`computation` folded over windows; `padding` is "VALID", "SAME" or (low, high) for each axis, filled with `init_value`, as are the holes of `base_dilation`.

    >>> reduce_window(np.arange(5.0), -np.inf, np.maximum, (2,), (2,), "VALID")
    array([1., 3.])
    """
    if len(window_dimensions) != operand.ndim:
        raise TypeError(f"reduce_window got the wrong number of window_dimensions for operand: got operand shape {operand.shape} with window_dimensions {tuple(window_dimensions)}.")
    strides = (1,) * operand.ndim if window_strides is None else tuple(window_strides)
    gaps = (1,) * operand.ndim if base_dilation is None else tuple(base_dilation)
    holes = (1,) * operand.ndim if window_dilation is None else tuple(window_dilation)
    windows = [(window - 1) * hole + 1 for window, hole in zip(window_dimensions, holes, strict=True)]
    pads = paddings(padding, operand.shape, windows, strides)  # "SAME" as the array without its holes, as in JAX
    x = pad(operand, init_value, [(low, high, gap - 1) for (low, high), gap in zip(pads, gaps, strict=True)])
    counts = [(size - window) // stride + 1 for size, window, stride in zip(x.shape, windows, strides, strict=True)]
    total = np.full(tuple(counts), init_value, dtype=operand.dtype)
    for place in np.ndindex(*window_dimensions):
        starts = [k * hole for k, hole in zip(place, holes, strict=True)]
        spans = [slice(start, start + (count - 1) * stride + 1, stride) for start, count, stride in zip(starts, counts, strides, strict=True)]
        total = computation(total, x[tuple(spans)])
    return total


def paddings(padding: Any, sizes: Sequence[int], windows: Sequence[int], strides: Sequence[int]) -> Any:
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
    if isinstance(padding, str):
        raise RuntimeError(f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.")  # noqa: TRY004 - as JAX
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
    _one_axis(operand, axis)
    dtype = _own_dtype(accumulate.__name__, operand)
    if reverse:
        return np.flip(accumulate(np.flip(operand, axis), axis=axis, dtype=dtype), axis)
    return accumulate(operand, axis=axis, dtype=dtype)


def _one_axis(operand: Any, axis: int) -> None:
    if axis < 0:
        raise ValueError("XLA operations do not allow negative axes")
    if axis >= np.ndim(operand):
        raise ValueError(f"axis {axis} is out of bounds for array of shape {np.shape(operand)}")


def _folded(function: Callable[[Any, Any], Any], operand: Any, axis: int, reverse: bool) -> Any:
    """Running results of a function of two elements."""
    _one_axis(operand, axis)
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
    _index_dtype(index_dtype, operand, axis)
    return convert_element_type(np.argmax(operand, axis=axis), index_dtype)


def argmin(operand: Any, axis: int, index_dtype: Any) -> Any:
    """Where the smallest element along an axis is.

    >>> argmin(np.array([1.0, 3.0]), 0, np.int64)
    np.int64(0)
    """
    _index_dtype(index_dtype, operand, axis)
    return convert_element_type(np.argmin(operand, axis=axis), index_dtype)


def _index_dtype(dtype: Any, operand: Any, axis: int) -> None:
    if not 0 <= axis < operand.ndim:
        raise ValueError(f"Invalid axis {axis} for operand shape {operand.shape}")
    if operand.shape[axis] < 1:
        raise ValueError(f"argmin and argmax require non-empty reduced dimension. operand.shape={operand.shape} axis={axis}")
    if np.dtype(dtype).kind not in "iu":
        raise TypeError(f"index_dtype must be an integer type, but got {np.dtype(dtype)}")


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """The array in order along an axis; of a tuple all arrays, in the order of the first `num_keys`.

    >>> sort((np.array([2, 1, 2]), np.array([1.0, 5.0, 0.0])), num_keys=2)
    (array([1, 2, 2]), array([5., 0., 1.]))
    """
    if not isinstance(operand, tuple | list):
        axis_of(operand, dimension)
        return np.sort(operand, axis=dimension, kind="stable")
    if len(operand) == 0:
        raise TypeError("Sort requires at least one operand")
    axis_of(operand[0], dimension)
    if not 1 <= num_keys <= len(operand):
        raise ValueError(f"num_keys={num_keys} must be between 1 and len(operand)={len(operand)}")
    for each in operand[1:]:
        if each.shape != operand[0].shape:
            raise TypeError(f"Arguments to sort must have equal shapes, got: {operand[0].shape} {each.shape}")
    order = np.argsort(operand[num_keys - 1], axis=dimension, kind="stable")
    for number in range(1, num_keys):  # by the last key first: what is stable keeps that order where the others are equal
        key = np.take_along_axis(operand[num_keys - 1 - number], order, axis=dimension)
        order = np.take_along_axis(order, np.argsort(key, axis=dimension, kind="stable"), axis=dimension)
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
    axis_of(operand, axis)
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    if k > operand.shape[axis]:
        raise ValueError(f"k argument to top_k must be no larger than size along axis; got k={k} with shape={operand.shape} and axis={axis % operand.ndim}")
    backwards = np.flip(np.argsort(np.flip(operand, axis), axis=axis, kind="stable"), axis)  # of equal ones the first one first, nan first
    order = between(operand.shape[axis] - 1 - backwards, 0, k, 1, axis)
    return np.take_along_axis(operand, order, axis=axis), order


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    reduce_sum, reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or, reduce_xor, reduce, reduce_window, cumsum, cumprod, cummax, cummin, cumlogsumexp, argmax, argmin, sort, sort_key_val, top_k,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
