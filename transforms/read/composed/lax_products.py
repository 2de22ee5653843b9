"""s2s.lax's functions that multiply and convolve for which NumPy has no one function, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_dimension_numbers import check_groups, check_product, check_windows, conv_dimension_numbers
from s2s.transforms.read.composed.lax_elements import convert_element_type
from s2s.transforms.read.composed.lax_reductions import paddings
from s2s.transforms.read.composed.lax_shapes import pad


def dot(lhs: Any, rhs: Any, dimension_numbers: Any = None, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product of vectors and matrices.

    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    np.float64(11.0)
    """
    if dimension_numbers is not None:
        return dot_general(lhs, rhs, dimension_numbers, precision, preferred_element_type)
    if lhs.ndim > 2 or rhs.ndim > 2 or lhs.ndim == 0 or rhs.ndim == 0:
        raise ValueError(f"jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched matrix-matrix, matrix-vector, or vector-vector products; got lhs_shape={lhs.shape} rhs_shape={rhs.shape}")
    if lhs.shape[-1] != rhs.shape[0]:
        raise ValueError(
            "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched matrix-matrix, matrix-vector, or vector-vector products; "
            f"got lhs_shape={lhs.shape} rhs_shape={rhs.shape}"
        )
    return np.dot(*_preferred(lhs, rhs, preferred_element_type))


def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """Products of stacks of matrices.

    >>> batch_matmul(np.ones((2, 1, 3)), np.ones((2, 3, 1))).shape
    (2, 1, 1)
    """
    if lhs.ndim != rhs.ndim or lhs.ndim < 2:
        raise ValueError(f"Arguments to batch_matmul must have equal ndims >= 2, got {lhs.ndim} and {rhs.ndim}")
    batch = tuple(range(lhs.ndim - 2))
    check_product(lhs.shape, rhs.shape, ((lhs.ndim - 1,), (rhs.ndim - 2,)), (batch, batch))
    return np.matmul(lhs, rhs)


def dot_general(lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The product over ((lhs contracting, rhs contracting), (lhs batch, rhs batch)) axes: batch axes first, then those left of lhs, then of rhs.

    >>> dot_general(np.ones((2, 3)), np.ones((3, 4)), (((1,), (0,)), ((), ()))).shape
    (2, 4)
    """
    (left_summed, right_summed), (left_batch, right_batch) = dimension_numbers
    check_product(lhs.shape, rhs.shape, (left_summed, right_summed), (left_batch, right_batch))
    left = list(range(lhs.ndim))
    right = list(range(lhs.ndim, lhs.ndim + rhs.ndim))
    for one, two in zip((*left_summed, *left_batch), (*right_summed, *right_batch), strict=True):
        right[two] = left[one]
    batch = [left[axis] for axis in left_batch]
    out = batch + [each for axis, each in enumerate(left) if axis not in (*left_summed, *left_batch)] + [each for axis, each in enumerate(right) if axis not in (*right_summed, *right_batch)]
    return np.einsum(f"{_letters(left)},{_letters(right)}->{_letters(out)}", *_preferred(lhs, rhs, preferred_element_type))


def _preferred(lhs: Any, rhs: Any, dtype: Any) -> Any:
    """Both factors as the dtype that the product shall have."""
    return (lhs, rhs) if dtype is None else (convert_element_type(lhs, dtype), convert_element_type(rhs, dtype))


def _letters(numbers: Sequence[int]) -> str:
    return "".join(["abcdefghijklmnopqrstuvwxyz"[number] for number in numbers])


def conv(lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """A convolution of (batch, feature, *space) with (out feature, in feature, *space); the kernel is not flipped.

    >>> conv(np.ones((1, 1, 5)), np.ones((1, 1, 3)), (1,), "VALID")
    array([[[3., 3., 3.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, preferred_element_type=preferred_element_type)


def conv_general_dilated(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None, dimension_numbers: Any = None,
    feature_group_count: int = 1, batch_group_count: int = 1, precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """A convolution with strides, padding, holes in the array (`lhs_dilation`) and in the kernel (`rhs_dilation`), and groups of features.

    `dimension_numbers`: None for (batch, feature, *space), (out feature, in feature, *space), (batch, feature, *space), three texts such as
    ("NHWC", "HWIO", "NHWC"), or what `conv_dimension_numbers` makes of them. One product of matrices for each place of the kernel.

    >>> conv_general_dilated(np.arange(6.0).reshape(1, 6, 1), np.ones((2, 1, 1)), (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))[0, :, 0]
    array([1., 5., 9.])
    """
    space = lhs.ndim - 2
    numbers = conv_dimension_numbers(lhs.shape, rhs.shape, dimension_numbers)
    check_windows(space, window_strides, padding, lhs_dilation)
    x, kernel = _preferred(lhs, rhs, preferred_element_type)
    if dimension_numbers is not None:
        x, kernel = np.transpose(x, numbers.lhs_spec), np.transpose(kernel, numbers.rhs_spec)
    holes = (1,) * space if rhs_dilation is None else tuple(rhs_dilation)
    gaps = (1,) * space if lhs_dilation is None else tuple(lhs_dilation)
    windows = [(size - 1) * hole + 1 for size, hole in zip(kernel.shape[2:], holes, strict=True)]
    wide = [(size - 1) * gap + 1 for size, gap in zip(x.shape[2:], gaps, strict=True)]
    pads = paddings(padding, wide, windows, window_strides)
    x = pad(x, 0.0, [(0, 0, 0), (0, 0, 0), *[(low, high, gap - 1) for (low, high), gap in zip(pads, gaps, strict=True)]])
    counts = [max((size - window) // stride + 1, 0) for size, window, stride in zip(x.shape[2:], windows, window_strides, strict=True)]
    check_groups(x.shape, kernel.shape, feature_group_count, batch_group_count)
    outs, ins = kernel.shape[0] // (feature_group_count * batch_group_count), kernel.shape[1]
    examples = x.shape[0] // batch_group_count
    out = np.zeros((examples, kernel.shape[0], *counts), dtype=np.result_type(x, kernel))
    letters = "defgh"[:space]
    for place in np.ndindex(*kernel.shape[2:]):
        spans = [slice(k * hole, k * hole + (count - 1) * stride + 1, stride) for k, hole, count, stride in zip(place, holes, counts, window_strides, strict=True)]
        part, weights = x[(slice(None), slice(None), *spans)], kernel[(slice(None), slice(None), *place)]
        for group in range(feature_group_count * batch_group_count):  # one of both counts is 1
            chosen = part[:, group * ins : (group + 1) * ins] if batch_group_count == 1 else part[group * examples : (group + 1) * examples]
            out[:, group * outs : (group + 1) * outs] += np.einsum(f"ab{letters},cb->ac{letters}", chosen, weights[group * outs : (group + 1) * outs])
    if dimension_numbers is not None:
        order = list(numbers.out_spec)
        out = np.transpose(out, [order.index(axis) for axis in range(len(order))])
    return out


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    dot, batch_matmul, dot_general, conv, conv_general_dilated,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
