"""Which axes s2s.lax's products and convolutions mean, and what does not go together: the conditions and words of `jax.lax` (version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class ConvDimensionNumbers(NamedTuple):
    """The axes of (array, kernel, result) in the order batch or out feature, feature, *space.

    >>> ConvDimensionNumbers((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2)).out_spec
    (0, 3, 1, 2)
    """

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


def conv_dimension_numbers(lhs_shape: Any, rhs_shape: Any, dimension_numbers: Any) -> Any:
    """Three texts such as ("NHWC", "HWIO", "NHWC") as axes; None for batch, feature, *space.

    >>> conv_dimension_numbers((1, 5, 5, 3), (3, 3, 3, 2), ("NHWC", "HWIO", "NHWC"))
    ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2))
    """
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    ndim = len(lhs_shape)
    if len(rhs_shape) != ndim:
        raise TypeError(f"convolution requires lhs and rhs ndim to be equal, got {ndim} and {len(rhs_shape)}.")
    if dimension_numbers is None:
        order = tuple(range(ndim))
        return ConvDimensionNumbers(order, order, order)
    if len(dimension_numbers) != 3:
        raise TypeError(f"convolution dimension_numbers list/tuple must be length 3, got {len(dimension_numbers)}.")
    for number, text in enumerate(dimension_numbers):
        _check_text(number, text, ndim)
    lhs, rhs, out = dimension_numbers
    space = [each for each in rhs if each not in "OI"]
    for text in (lhs, out):
        if sorted([each for each in text if each not in "NC"]) != sorted(space):
            raise TypeError(f"convolution dimension_numbers elements must each have the same set of spatial characters, got {tuple(dimension_numbers)}.")
    return ConvDimensionNumbers(
        tuple([lhs.index(each) for each in ("N", "C", *space)]), tuple([rhs.index(each) for each in ("O", "I", *space)]), tuple([out.index(each) for each in ("N", "C", *space)])
    )


def _check_text(number: int, text: Any, ndim: int) -> None:
    if not isinstance(text, str):
        raise TypeError("convolution dimension_numbers elements must be strings.")
    if len(text) != ndim:
        raise TypeError(f"convolution dimension_numbers[{number}] must have len equal to the ndim of lhs and rhs, got {len(text)} for {ndim} axes.")
    first, second = "OI" if number == 1 else "NC"
    if text.count(first) != 1 or text.count(second) != 1:
        raise TypeError(f"convolution dimension_numbers[{number}] must contain the characters '{first}' and '{second}' exactly once, got {text}.")
    if len(set(text)) != len(text):
        raise TypeError(f"convolution dimension_numbers[{number}] cannot have duplicate characters, got {text}.")


def check_windows(space: int, window_strides: Any, padding: Any, lhs_dilation: Any) -> None:
    """What JAX says of strides and pads that are too many or too few."""
    if len(window_strides) != space:
        raise ValueError(f"conv_general_dilated window and window_strides must have the same number of dimensions, but got {space} and {len(window_strides)}")
    if not isinstance(padding, str):
        if len(padding) != space:
            raise TypeError(f"Wrong number of explicit pads for convolution: expected {space}, got {len(padding)}.")
    elif lhs_dilation is not None and any(each != 1 for each in lhs_dilation):
        raise ValueError("String padding is not implemented for transposed convolution using this op. Please either exactly specify the required padding or use conv_transpose.")


def check_groups(shape: Sequence[int], kernel: Sequence[int], features: int, batches: int) -> None:
    """What JAX says of sizes that do not go together."""
    if features > 1 and batches > 1:
        raise ValueError(f"At most one of batch_group_count and feature_group_count may be > 1, got batch_group_count={batches} and feature_group_count={features}")
    if shape[1] != kernel[1] * features:
        raise ValueError(f"conv_general_dilated lhs feature dimension size divided by feature_group_count must equal the rhs input feature dimension size, but {shape[1]} // {features} != {kernel[1]}.")
    if kernel[0] % (features * batches) != 0:
        raise ValueError(f"conv_general_dilated rhs output feature dimension size must be a multiple of feature_group_count and batch_group_count, but {kernel[0]} is not a multiple of {features * batches}.")
    if shape[0] % batches != 0:
        raise ValueError(f"conv_general_dilated lhs batch dimension size must be a multiple of batch_group_count, but {shape[0]} is not a multiple of {batches}.")


def check_product(lhs: Sequence[int], rhs: Sequence[int], summed: Any, batch: Any) -> None:
    """What JAX says of the axes of dot_general for these shapes; `summed` and `batch`: those of both sides."""
    for side, shape, contracting, batches in (("lhs", lhs, summed[0], batch[0]), ("rhs", rhs, summed[1], batch[1])):
        for axis in (*contracting, *batches):
            if not 0 <= axis < len(shape):
                raise TypeError(
                    f"dot_general requires {side} dimension numbers to be nonnegative and less than the number of axes of the {side} value, got {side}_batch of {tuple(batches)} and "
                    f"{side}_contracting of {tuple(contracting)} for {side} of rank {len(shape)}"
                )
        if len(set(batches)) != len(batches):
            raise TypeError(f"dot_general requires {side} batch dimensions to be distinct, got {side}_batch {tuple(batches)}.")
        if len(set(contracting)) != len(contracting):
            raise TypeError(f"dot_general requires {side} contracting dimensions to be distinct, got {side}_contracting {tuple(contracting)}.")
        if len({*contracting, *batches}) != len(contracting) + len(batches):
            raise TypeError(
                f"dot_general requires {side} batch dimensions to be disjoint from contracting dimensions, got {side}_batch {tuple(batches)} and {side}_contracting {tuple(contracting)}."
            )
    if len(batch[0]) != len(batch[1]):
        raise TypeError(f"dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch {tuple(batch[0])} and rhs_batch {tuple(batch[1])}.")
    for name, (left, right) in (("lhs batch dimensions and rhs batch dimensions", batch), ("contracting dimensions", summed)):
        one, two = tuple([lhs[axis] for axis in left]), tuple([rhs[axis] for axis in right])
        if one != two:
            raise TypeError(f"dot_general requires {name} to have the same shape, got {one} and {two}.")
