"""More of s2s.lax as plain NumPy: bits of integers, stacking, ranks, names for what is simple here. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_reductions import top_k


def _words(x: Any) -> Any:
    """The bits of integers as int64, those of shorter ones the lowest."""
    wide = x.astype(np.int64)
    return wide & (1 << 8 * x.dtype.itemsize) - 1 if x.dtype.itemsize < 8 else wide


def _whole(name: str, x: Any) -> Any:
    """x as an array of integers; a TypeError for others."""
    x = np.asarray(x)
    if x.dtype.kind not in "iu":
        raise TypeError(f"{name} does not accept dtype {x.dtype}. Accepted dtypes are subtypes of integer.")
    return x


def population_count(x: Any) -> Any:
    """How many bits of an integer are one.

    >>> population_count(np.array([7, 0, -1]))
    array([ 3,  0, 64])
    """
    x = _whole("population_count", x)
    bits = _words(x)
    bits = bits - (bits >> 1 & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    bits = bits + (bits >> 8)
    bits = bits + (bits >> 16)
    return (bits + (bits >> 32) & 0x7F).astype(x.dtype)[()]


def clz(x: Any) -> Any:
    """How many bits of an integer are zero before the first one.

    >>> clz(np.array([1, 0, -1]))
    array([63, 64,  0])
    """
    x = _whole("clz", x)
    bits = _words(x)
    for shift in (1, 2, 4, 8, 16, 32):
        bits = bits | bits >> shift
    return (8 * x.dtype.itemsize - population_count(bits)).astype(x.dtype)[()]


def shift_right_logical(x: Any, y: Any) -> Any:
    """The bits of an integer shifted to the right, zeros behind them; all of them zeros where there is none left.

    >>> shift_right_logical(np.array([-1, 8]), 1)
    array([9223372036854775807,                   4])
    """
    x, y = np.asarray(x), np.asarray(y)
    width = 8 * x.dtype.itemsize
    bits, steps = _words(x), y.astype(np.int64)
    inside = (steps >= 0) & (steps < width)
    steps = np.where(inside, steps, 0)
    moved = bits >> steps & np.where(steps == 0, -1, ~(-1 << 64 - np.maximum(steps, 1)))
    return np.where(inside, moved, 0).astype(x.dtype)[()]


def reciprocal(x: Any) -> Any:
    """1 / x.

    >>> reciprocal(np.array([4.0]))
    array([0.25])
    """
    return 1.0 / x


def empty(shape: Sequence[int], dtype: Any) -> Any:
    """An array of zeros: JAX's too have a value.

    >>> empty((2,), np.float64)
    array([0., 0.])
    """
    return np.zeros(shape, dtype)


def tile(operand: Any, reps: Sequence[int]) -> Any:
    """The array repeated along its axes.

    >>> tile(np.array([1.0, 2.0]), (2,))
    array([1., 2., 1., 2.])
    """
    if len(reps) != operand.ndim:
        raise TypeError(f"reps length must be equal to the ndim of x, got len(reps)={len(reps)} and x.ndim={operand.ndim}.")
    return np.tile(operand, tuple(reps))


def stack(operands: Any, axis: int = 0) -> Any:
    """Arrays side by side along a new axis.

    >>> stack([np.zeros(1), np.ones(1)])
    array([[0.],
           [1.]])
    """
    return np.stack(operands, axis)


def unstack(x: Any, axis: int = 0) -> Any:
    """The parts of an array along an axis.

    >>> unstack(np.array([1.0, 2.0]))
    (np.float64(1.0), np.float64(2.0))
    """
    return np.unstack(x, axis=axis)


def broadcast_like(arr: Any, like_arr: Any) -> Any:
    """The array in the shape of another.

    >>> broadcast_like(1.0, np.zeros(2))
    array([1., 1.])
    """
    return np.array(np.broadcast_to(arr, np.shape(like_arr)))


def broadcast_to_rank(x: Any, rank: int) -> Any:
    """The array with axes of size 1 in front, so that it has this many.

    >>> broadcast_to_rank(np.zeros(2), 3).shape
    (1, 1, 2)
    """
    return np.reshape(x, ((1,) * (rank - np.ndim(x)) + np.shape(x)))


def index_take(src: Any, idxs: Any, axes: Sequence[int]) -> Any:
    """Elements by a vector of indices for each of these axes, negative ones from the end; the other axes stay.

    >>> index_take(np.arange(6.0).reshape(2, 3), (np.array([0, 1]), np.array([2, 0])), (0, 1))
    array([2., 3.])
    """
    x = np.moveaxis(src, tuple(axes), tuple(range(len(axes))))
    return x[tuple(idxs)]


def approx_max_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> Any:  # fmt: skip
    """The k largest along an axis and where they are: all of them, whatever `recall_target` would allow.

    >>> approx_max_k(np.array([1.0, 3.0, 2.0]), 2)
    (array([3., 2.]), array([1, 2]))
    """
    return top_k(operand, k, axis=reduction_dimension)


def approx_min_k(
    operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
) -> Any:  # fmt: skip
    """The k smallest along an axis and where they are: all of them, whatever `recall_target` would allow.

    >>> approx_min_k(np.array([1.0, 3.0, 2.0]), 2)
    (array([1., 2.]), array([0, 2]))
    """
    values, places = top_k(-operand, k, axis=reduction_dimension)
    return -values, places


def platform_dependent(*args: Any, default: Any = None, **per_platform: Any) -> Any:
    """The function given for `cpu`, or the default, of these arguments.

    >>> platform_dependent(2.0, cpu=np.sqrt, default=np.exp)
    np.float64(1.4142135623730951)
    """
    chosen = per_platform.get("cpu", default)
    if chosen is None:
        raise NotImplementedError("platform_dependent without a function for cpu and without a default")
    return chosen(*args)


def ragged_dot(lhs: Any, rhs: Any, group_sizes: Any, precision: Any = None, preferred_element_type: Any = None, group_offset: Any = None) -> Any:
    """Rows of lhs in groups of these sizes, each group times its own matrix of rhs; rows behind the last group are zero.

    >>> ragged_dot(np.ones((3, 2)), np.array([[[1.0], [1.0]], [[5.0], [5.0]]]), np.array([1, 2]))
    array([[ 2.],
           [10.],
           [10.]])
    """
    out = np.zeros((lhs.shape[0], rhs.shape[2]), dtype=np.result_type(lhs, rhs))
    start = 0
    for group in range(len(group_sizes)):
        for row in range(start, start + int(group_sizes[group])):
            out[row] = lhs[row] @ rhs[group]
        start = start + int(group_sizes[group])
    return out if preferred_element_type is None else out.astype(preferred_element_type)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    population_count, clz, shift_right_logical, reciprocal, empty, tile, stack, unstack, broadcast_like, broadcast_to_rank, index_take, approx_max_k,
    approx_min_k, platform_dependent, ragged_dot,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
