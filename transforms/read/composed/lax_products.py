"""s2s.lax's functions that multiply and convolve for which NumPy has no one function, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_elements import convert_element_type
from s2s.transforms.read.composed.lax_reductions import _paddings
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
    for one, two in zip((*left_summed, *left_batch), (*right_summed, *right_batch), strict=True):
        if lhs.shape[one] != rhs.shape[two]:
            raise TypeError(f"dot_general requires contracting dimensions and batch dimensions to have the same shape, got {lhs.shape[one]} and {rhs.shape[two]}.")
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
    _matching_groups(x.shape, kernel.shape, feature_group_count, batch_group_count)
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
        axes = "".join([each for each in dimension_numbers[0] if each not in "NC"])
        out = np.transpose(out, [("NC" + axes).index(each) for each in dimension_numbers[2]])
    return out if preferred_element_type is None else convert_element_type(out, preferred_element_type)


def _matching_groups(shape: Sequence[int], kernel: Sequence[int], features: int, batches: int) -> None:
    """What JAX says of sizes that do not go together."""
    if features > 1 and batches > 1:
        raise ValueError(f"At most one of batch_group_count and feature_group_count may be > 1, got batch_group_count={batches} and feature_group_count={features}")
    if shape[1] != kernel[1] * features:
        raise ValueError(f"conv_general_dilated lhs feature dimension size divided by feature_group_count must equal the rhs input feature dimension size, but {shape[1]} // {features} != {kernel[1]}.")
    if kernel[0] % (features * batches) != 0:
        raise ValueError(f"conv_general_dilated rhs output feature dimension size must be a multiple of feature_group_count and batch_group_count, but {kernel[0]} is not a multiple of {features * batches}.")
    if shape[0] % batches != 0:
        raise ValueError(f"conv_general_dilated lhs batch dimension size must be a multiple of batch_group_count, but {shape[0]} is not a multiple of {batches}.")


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    dot, batch_matmul, dot_general, conv, conv_general_dilated,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
