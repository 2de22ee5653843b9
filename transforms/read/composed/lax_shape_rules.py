"""s2s.lax's functions that say what shape a convolution or a window gives, and what it is padded with: numbers, no arrays. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.lax_convolutions import transposed_padding
from s2s.transforms.read.composed.lax_dimension_numbers import conv_dimension_numbers
from s2s.transforms.read.composed.lax_reductions import paddings


def padtype_to_pads(in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: Any) -> list[tuple[int, int]]:
    """What "SAME", "SAME_LOWER" or "VALID" put before and behind each axis.

    >>> padtype_to_pads((7, 8), (3, 2), (2, 3), "SAME")
    [(1, 1), (0, 0)]
    """
    return paddings(padding, in_shape, window_shape, window_strides)


def _windows(size: int, window: int, stride: int) -> int:
    """How many windows lie in an axis."""
    return (size - window) // stride + 1 if size >= window else 0


def conv_shape_tuple(lhs_shape: Sequence[int], rhs_shape: Sequence[int], strides: Sequence[int], pads: Any, batch_group_count: int = 1) -> tuple[int, ...]:
    """The shape of a convolution of (batch, feature, *space) and (out feature, in feature, *space).

    >>> conv_shape_tuple((2, 3, 7, 8), (4, 3, 3, 2), (2, 1), "SAME")
    (2, 4, 4, 8)
    """
    pads = padtype_to_pads(lhs_shape[2:], rhs_shape[2:], strides, pads) if isinstance(pads, str) else pads
    if len(pads) != len(lhs_shape) - 2:
        raise TypeError(f"Wrong number of explicit pads for convolution: expected {len(lhs_shape) - 2}, got {len(pads)}.")
    padded = [size + sum(pad) for size, pad in zip(lhs_shape[2:], pads, strict=True)]
    if min((0, *padded)) < 0:
        raise ValueError(f"Negative padding is larger than the size of the corresponding dimension: got padding={pads} for lhs_shape[2:]={tuple(lhs_shape[2:])}")
    space = [_windows(size, window, stride) for size, window, stride in zip(padded, rhs_shape[2:], strides, strict=True)]
    return (lhs_shape[0] // batch_group_count, rhs_shape[0], *space)


def conv_general_permutations(dimension_numbers: Any) -> Any:
    """The axes that three texts such as ("NHWC", "HWIO", "NHWC") mean, batch or out feature first, feature second.

    >>> conv_general_permutations(("NHWC", "HWIO", "NHWC"))
    ((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))
    """
    places = range(len(dimension_numbers[0]))
    return tuple(conv_dimension_numbers(places, places, dimension_numbers))


def _in_order(shape: Sequence[int], axes: Sequence[int]) -> tuple[int, ...]:
    return tuple([shape[axis] for axis in axes])


def _back(shape: Sequence[int], axes: Sequence[int]) -> tuple[int, ...]:
    return tuple([shape[axes.index(axis)] for axis in range(len(axes))])


def conv_general_shape_tuple(lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any, dimension_numbers: Any) -> tuple[int, ...]:
    """The shape of a convolution, its axes as three texts say.

    >>> conv_general_shape_tuple((2, 7, 8, 3), (3, 2, 3, 4), (2, 1), "SAME", ("NHWC", "HWIO", "NHWC"))
    (2, 4, 8, 4)
    """
    lhs, rhs, out = conv_general_permutations(dimension_numbers)
    return _back(conv_shape_tuple(_in_order(lhs_shape, lhs), _in_order(rhs_shape, rhs), window_strides, padding), out)


def conv_transpose_shape_tuple(lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any, dimension_numbers: Any) -> tuple[int, ...]:
    """The shape of a transposed convolution.

    >>> conv_transpose_shape_tuple((2, 7, 8, 3), (3, 2, 3, 4), (2, 1), "VALID", ("NHWC", "HWIO", "NHWC"))
    (2, 15, 9, 4)
    """
    lhs, rhs, out = conv_general_permutations(dimension_numbers)
    image, kernel = _in_order(lhs_shape, lhs), _in_order(rhs_shape, rhs)
    pads = [transposed_padding(size, stride, padding) for size, stride in zip(kernel[2:], window_strides, strict=True)] if isinstance(padding, str) else padding
    space = [(size - 1) * stride - window + 2 + sum(pad) for size, window, stride, pad in zip(image[2:], kernel[2:], window_strides, pads, strict=True)]
    return _back((image[0], kernel[0], *space), out)


def reduce_window_shape_tuple(
    operand_shape: Sequence[int], window_dimensions: Sequence[int], window_strides: Sequence[int], padding: Any, base_dilation: Any = None, window_dilation: Any = None,
) -> tuple[int, ...]:  # fmt: skip
    """How many windows lie along each axis.

    >>> reduce_window_shape_tuple((7, 8), (3, 2), (2, 1), [(0, 0), (1, 1)])
    (3, 9)
    """
    sizes = operand_shape if base_dilation is None else _dilated(operand_shape, base_dilation)
    windows = window_dimensions if window_dilation is None else _dilated(window_dimensions, window_dilation)
    return tuple([_windows(size + sum(pad), window, stride) for size, pad, window, stride in zip(sizes, padding, windows, window_strides, strict=True)])


def _dilated(shape: Sequence[int], holes: Sequence[int]) -> list[int]:
    return [0 if size == 0 else (size - 1) * hole + 1 for size, hole in zip(shape, holes, strict=True)]


def shape_as_value(shape: Sequence[int]) -> Any:
    """A shape as an array.

    >>> shape_as_value((2, 3))
    array([2, 3])
    """
    return np.array(shape, dtype=np.int64)


def dtype(x: Any) -> Any:
    """The dtype of an array or number, or of a type.

    >>> dtype(1.0), dtype(np.float32)
    (dtype('float64'), dtype('float32'))
    """
    return np.dtype(x) if isinstance(x, type | np.dtype) else np.asarray(x).dtype


def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Callable[..., Any]:
    """The function, which has this name for compilers that know it; keywords are attributes of it.

    >>> composite(lambda x, k: k * x, "my.scaled")(2.0, k=3.0)
    6.0
    """
    return decomposition


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    padtype_to_pads, conv_shape_tuple, conv_general_permutations, conv_general_shape_tuple, conv_transpose_shape_tuple, reduce_window_shape_tuple, shape_as_value, dtype, composite,
)}  # fmt: skip
"""By the names that they have in s2s.lax."""
