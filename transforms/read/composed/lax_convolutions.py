"""s2s.lax's further convolutions, made of `conv_general_dilated`. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_dimension_numbers import ConvDimensionNumbers, conv_dimension_numbers
from s2s.transforms.read.composed.lax_products import conv_general_dilated
from s2s.transforms.read.composed.marks import unsupported


def conv_with_general_padding(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, lhs_dilation: Any, rhs_dilation: Any, precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """conv_general_dilated of (batch, feature, *space) and (out feature, in feature, *space).

    >>> conv_with_general_padding(np.ones((1, 1, 3)), np.ones((1, 1, 2)), (1,), [(1, 0)], None, None)
    array([[[1., 2., 2.]]])
    """
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, preferred_element_type=preferred_element_type)


def conv_transpose(
    lhs: Any, rhs: Any, strides: Sequence[int], padding: Any, rhs_dilation: Any = None, dimension_numbers: Any = None, transpose_kernel: bool = False,
    precision: Any = None, preferred_element_type: Any = None, use_consistent_padding: bool = False,
) -> Any:  # fmt: skip
    """A convolution with strides below one: the shapes of a convolution's gradient. With `transpose_kernel` it is that gradient.

    >>> conv_transpose(np.array([[[1.0], [2.0]]]), np.ones((2, 1, 1)), (2,), "VALID")[0, :, 0]
    array([1., 1., 2., 2.])
    """
    space = lhs.ndim - 2
    if dimension_numbers is None:
        if space > 3:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        dimension_numbers = (("NC", "IO", "NC"), ("NHC", "HIO", "NHC"), ("NHWC", "HWIO", "NHWC"), ("NHWDC", "HWDIO", "NHWDC"))[space]
    if not isinstance(dimension_numbers[1], str):
        unsupported("lax.conv_transpose(…, dimension_numbers=…) of axes", 'three texts, ("NHWC", "HWIO", "NHWC")')
    if use_consistent_padding:
        unsupported("lax.conv_transpose(…, use_consistent_padding=True)", "pairs of numbers as padding")
    text = dimension_numbers[1]
    axes = [place for place, each in enumerate(text) if each not in "OI"]
    holes = (1,) * space if rhs_dilation is None else tuple(rhs_dilation)
    kernel = rhs
    if isinstance(padding, str):
        sizes = [(rhs.shape[axis] - 1) * hole + 1 for axis, hole in zip(axes, holes, strict=True)]
        pads = [transposed_padding(size, stride, padding) for size, stride in zip(sizes, strides, strict=True)]
    else:
        pads = list(padding)
    if transpose_kernel:
        kernel = np.swapaxes(np.flip(rhs, tuple(axes)), text.index("O"), text.index("I"))
    return conv_general_dilated(lhs, kernel, (1,) * space, pads, tuple(strides), rhs_dilation, dimension_numbers, preferred_element_type=preferred_element_type)


def transposed_padding(size: int, stride: int, padding: str) -> tuple[int, int]:
    """What is put before and behind so that the sizes are those of the gradient."""
    if padding == "SAME":
        total = size + stride - 2
        before = size - 1 if stride > size - 1 else -(-total // 2)
    elif padding == "VALID":
        total = size + stride - 2 + max(size - stride, 0)
        before = size - 1
    else:
        raise ValueError("Padding mode must be `SAME` or `VALID`.")
    return (before, total - before)


def conv_general_dilated_patches(
    lhs: Any, filter_shape: Sequence[int], window_strides: Sequence[int], padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None, dimension_numbers: Any = None,
    precision: Any = None, preferred_element_type: Any = None,
) -> Any:  # fmt: skip
    """The windows that a convolution of this kernel shape sees, one behind the other in the feature axis: feature first, then the places of the kernel.

    >>> conv_general_dilated_patches(np.arange(4.0).reshape(1, 1, 4), (2,), (1,), "VALID")
    array([[[0., 1., 2.],
            [1., 2., 3.]]])
    """
    axes = conv_dimension_numbers(lhs.shape, (1,) * lhs.ndim, dimension_numbers)
    features = lhs.shape[axes.lhs_spec[1]]
    count = 1
    for size in filter_shape:
        count = count * size
    kernel = np.reshape(np.eye(count, dtype=lhs.dtype), (count, 1, *filter_shape))
    kernel = np.tile(kernel, (features, *(1,) * (len(filter_shape) + 1)))
    kernel = np.transpose(kernel, [list(axes.rhs_spec).index(axis) for axis in range(lhs.ndim)])
    return conv_general_dilated(lhs, kernel, window_strides, padding, lhs_dilation, rhs_dilation, axes, features, preferred_element_type=preferred_element_type)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    conv_dimension_numbers, conv_with_general_padding, conv_transpose, conv_general_dilated_patches,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
__all__ = ["EXPORTED", "ConvDimensionNumbers", "conv_dimension_numbers", "conv_general_dilated_patches", "conv_transpose", "conv_with_general_padding"]
