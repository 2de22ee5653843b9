"""What s2s.lax says of arguments that do not go together: JAX 0.10.2's exceptions and words, stored, and live where it is installed; and corners that once were silent."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s
from s2s import lax as own

X = np.arange(12.0).reshape(3, 4) / 7
V = np.array([0.5, -1.0, 2.0, 0.0, 3.0])
I = np.arange(12).reshape(3, 4)  # noqa: E741 - integers
A, K = np.arange(216.0).reshape(2, 3, 6, 6) / 100, np.arange(72.0).reshape(4, 3, 3, 2) / 50

WRONG: dict[str, tuple[Callable[..., Any], type[Exception], str]] = {
    "select": (lambda lax, x: lax.select(x > 0, x, V), TypeError, "select cases must have the same shapes, got "),
    "select_n": (lambda lax, x: lax.select_n(V > 0, x, x), TypeError, "select `which` must be scalar or have the same shape as cases, got `which` shape (5,) but case shape (3, 4)."),
    "clamp": (lambda lax, x: lax.clamp(V, x, x), TypeError, "clamp requires min.shape == operand.shape or min.shape == (), got min.shape=(5,), operand.shape=(3, 4)."),
    "clamp max": (lambda lax, x: lax.clamp(x, x, V), TypeError, "clamp requires max.shape == operand.shape or max.shape == (), got max.shape=(5,), operand.shape=(3, 4)."),
    "round": (lambda lax, x: lax.round(I), TypeError, "round does not accept dtype int64. Accepted dtypes are subtypes of floating."),
    "integer_pow": (lambda lax, x: lax.integer_pow(I, -1), TypeError, "Integers cannot be raised to negative powers, got integer_pow"),
    "slice_in_dim limit": (lambda lax, x: lax.slice_in_dim(x, 1, 9), TypeError, "slice limit_indices must be less than or equal to operand shape, got "),
    "slice_in_dim order": (lambda lax, x: lax.slice_in_dim(x, 2, 1), TypeError, "slice limit_indices must be greater than or equal to start_indices, got "),
    "slice_in_dim start": (lambda lax, x: lax.slice_in_dim(x, -9, 2), TypeError, "slice start_indices must have every element be nonnegative, got "),
    "top_k": (lambda lax, x: lax.top_k(V, 9), ValueError, "k argument to top_k must be no larger than size along axis; got k=9 with shape="),
    "concatenate": (lambda lax, x: lax.concatenate([x, V], 0), TypeError, "Cannot concatenate arrays with different numbers of dimensions: got (3, 4), (5,)."),
    "concatenate axis": (lambda lax, x: lax.concatenate([x, x], -1), TypeError, "concatenate dimension out of bounds: dimension -1 for shape"),
    "transpose": (lambda lax, x: lax.transpose(x, (0, 0)), TypeError, "transpose permutation isn't a permutation of operand dimensions, got permutation (0, 0) for operand shape (3, 4)."),
    "rev": (lambda lax, x: lax.rev(x, (5,)), TypeError, "rev dimensions must all be less than operand ndim, got dimensions (5,) for operand ndim 2."),
    "rev twice": (lambda lax, x: lax.rev(x, (0, 0)), TypeError, "rev dimensions must be unique, got (0, 0)."),
    "broadcast_in_dim": (
        lambda lax, x: lax.broadcast_in_dim(x, (2, 3), (0, 1)), TypeError,
        "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the target broadcast shape; got operand of shape (3, 4), "
        "target broadcast shape (2, 3), broadcast_dimensions (0, 1)",
    ),
    "broadcast_in_dim axes": (
        lambda lax, x: lax.broadcast_in_dim(x, (2, 3), (0,)), TypeError,
        "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions (0,) for operand ndim 2.",
    ),
    "squeeze": (lambda lax, x: lax.squeeze(x, (0,)), ValueError, "cannot select an axis to squeeze out which has size not equal to one, got shape=(3, 4) and dimensions=(0,)"),
    "reshape": (lambda lax, x: lax.reshape(x, (2, -1)), TypeError, "reshape new_sizes must all be positive, got (2, -1)."),
    "pad": (lambda lax, x: lax.pad(x, 0.0, [(-2, -2, 0), (0, 0, 0)]), ValueError, "Dimension size after padding is not at least 0, got "),
    "full": (lambda lax, x: lax.full((-1,), 2.0), TypeError, "shape must have every element be nonnegative, got (-1,)."),
    "split": (lambda lax, x: lax.split(V, (2, 2)), ValueError, "Sum of sizes 4 must be equal to dimension 0 of the operand shape "),
    "tile": (lambda lax, x: lax.tile(x, (1,)), TypeError, "reps length must be equal to the ndim of x, got len(reps)=1 and x.ndim=2."),
    "iota": (lambda lax, x: lax.broadcasted_iota(int, (2, 3), 2), ValueError, "iota dimension must be between 0 and len(shape), got dimension=2 for shape=(2, 3)"),
    "collapse": (lambda lax, x: lax.collapse(x, 1, 0), ValueError, "Invalid dimension range passed to collapse: (3, 4)[1:0]"),
    "cumsum": (lambda lax, x: lax.cumsum(x, axis=3), ValueError, "axis 3 is out of bounds for array of shape (3, 4)"),
    "cummax": (lambda lax, x: lax.cummax(x, axis=-1), ValueError, "XLA operations do not allow negative axes"),
    "cumsum bool": (lambda lax, x: lax.cumsum(x > 0), TypeError, "cumsum does not accept dtype bool. Accepted dtypes are subtypes of number."),
    "argmax": (lambda lax, x: lax.argmax(x, 5, np.int32), ValueError, "Invalid axis 5 for operand shape (3, 4)"),
    "argmin of nothing": (lambda lax, x: lax.argmin(np.zeros((0, 3)), 0, np.int32), ValueError, "argmin and argmax require non-empty reduced dimension. operand.shape=(0, 3) axis=0"),
    "sort": (lambda lax, x: lax.sort(()), TypeError, "Sort requires at least one operand"),
    "reduce": (lambda lax, x: lax.reduce_max(x, (5,)), ValueError, "reduction axes (5,) contains out-of-bounds indices for float64"),
    "reduce twice": (lambda lax, x: lax.reduce_sum(x, (0, 0)), ValueError, "duplicate value in 'axes' of reduction: (0, 0)"),
    "reduce_window": (
        lambda lax, x: lax.reduce_window(x, 0.0, lax.add, (2,), (1,), "VALID"), TypeError,
        "reduce_window got the wrong number of window_dimensions for operand: got operand shape (3, 4) with window_dimensions (2,).",
    ),
    "batch_matmul": (lambda lax, x: lax.batch_matmul(x, x), TypeError, "dot_general requires contracting dimensions to have the same shape, got (4,) and (3,)."),
    "dot": (lambda lax, x: lax.dot(x, x), ValueError, "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched matrix-matrix, matrix-vector, or vector-vector products"),
    "dot_general": (lambda lax, x: lax.dot_general(x, x, (((0,), (1,)), ((), ()))), TypeError, "dot_general requires contracting dimensions to have the same shape, got (3,) and (4,)."),
    "dot_general batch": (
        lambda lax, x: lax.dot_general(x, x, (((), ()), ((0,), (1,)))), TypeError,
        "dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got (3,) and (4,).",
    ),
    "dot_general twice": (lambda lax, x: lax.dot_general(x, x, (((0, 0), (0, 0)), ((), ()))), TypeError, "dot_general requires lhs contracting dimensions to be distinct, got lhs_contracting (0, 0)."),
    "dot_general both": (
        lambda lax, x: lax.dot_general(x, x, (((0,), (0,)), ((0,), (0,)))), TypeError,
        "dot_general requires lhs batch dimensions to be disjoint from contracting dimensions, got lhs_batch (0,) and lhs_contracting (0,).",
    ),
    "dot_general none": (
        lambda lax, x: lax.dot_general(x, x, (((-1,), (-1,)), ((), ()))), TypeError,
        "dot_general requires lhs dimension numbers to be nonnegative and less than the number of axes of the lhs value, got lhs_batch of () and lhs_contracting of (-1,) for lhs of rank 2",
    ),
    "conv strides": (
        lambda lax, x: lax.conv_general_dilated(A, K, (1,), "VALID"), ValueError,
        "conv_general_dilated window and window_strides must have the same number of dimensions, but got 2 and 1",
    ),
    "conv padding": (lambda lax, x: lax.conv_general_dilated(A, K, (1, 1), "FULL"), RuntimeError, "Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got FULL."),
    "conv pads": (lambda lax, x: lax.conv_general_dilated(A, K, (1, 1), [(0, 0)]), TypeError, "Wrong number of explicit pads for convolution: expected 2, got 1."),
    "conv dilated": (
        lambda lax, x: lax.conv_general_dilated(A, K, (1, 1), "SAME", lhs_dilation=(2, 2)), ValueError,
        "String padding is not implemented for transposed convolution using this op. Please either exactly specify the required padding or use conv_transpose.",
    ),
    "conv rank": (lambda lax, x: lax.conv_general_dilated(A, K[0], (1, 1), "VALID"), TypeError, "convolution requires lhs and rhs ndim to be equal, got 4 and 3."),
    "conv space": (
        lambda lax, x: lax.conv_general_dilated(A, K, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHX", "NCHW")), TypeError,
        "convolution dimension_numbers elements must each have the same set of spatial characters, got ('NCHW', 'OIHX', 'NCHW').",
    ),
    "conv features": (
        lambda lax, x: lax.conv_general_dilated(A, K, (1, 1), "VALID", dimension_numbers=("NXHW", "OIHW", "NCHW")), TypeError,
        "convolution dimension_numbers[0] must contain the characters 'N' and 'C' exactly once, got NXHW.",
    ),
    "conv texts": (lambda lax, x: lax.conv_general_dilated(A, K, (1, 1), "VALID", dimension_numbers=(None, None, None)), TypeError, "convolution dimension_numbers elements must be strings"),
}


@pytest.mark.parametrize("name", WRONG)
def test_words_are_jax_s(name: str) -> None:
    call, kind, text = WRONG[name]
    with pytest.raises(kind) as caught:
        call(own, X)
    assert text in str(caught.value)


@pytest.mark.parametrize("name", list(WRONG)[::3])
def test_words_are_the_same_inside(name: str) -> None:
    call, kind, text = WRONG[name]
    with pytest.raises(kind) as caught:
        s2s.jit(lambda x: call(own, x), target="numpy")(X)
    assert text in str(caught.value) or kind is RuntimeError


def test_stored_words_are_those_of_the_installed_jax() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    for call, kind, text in WRONG.values():
        with warnings.catch_warnings(), pytest.raises(kind) as caught:
            warnings.simplefilter("ignore")
            call(jax.lax, X)
        assert text in str(caught.value)


def test_the_largest_ones_of_all_dtypes() -> None:
    """Unsigned zeros and the smallest integers came first, nan last."""
    for x in (np.array([1.0, np.nan, 3.0, 3.0, -np.inf]), np.array([0, 5, 3, 5, 0], np.uint8), np.array([-128, 5, 127], np.int8), np.array([np.iinfo(np.int64).min, 0]), np.array([True, False, True])):
        wanted = sorted(range(len(x)), key=lambda k: (not np.isnan(float(x[k])), -float(x[k]) if not np.isnan(float(x[k])) else 0, k))  # noqa: B023 - used at once
        for call in (own.top_k, s2s.jit(own.top_k, static_argnums=1, target="numpy")):
            values, places = call(x, len(x) - 1)
            np.testing.assert_array_equal(places, wanted[:-1])
            np.testing.assert_array_equal(values, x[wanted[:-1]])


def test_dimension_numbers_of_convolutions() -> None:
    x, kernel = A.transpose(0, 3, 2, 1), K.transpose(3, 2, 1, 0)  # axes of space in another order than the kernel's
    texts = ("NWHC", "WHIO", "NHWC")
    numbers = own.conv_dimension_numbers(x.shape, kernel.shape, texts)
    assert tuple(numbers) == ((0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 2, 1))
    plain = own.conv_general_dilated(A.transpose(0, 1, 3, 2), K.transpose(0, 1, 3, 2), (2, 1), "VALID")
    for given in (texts, numbers):
        found = own.conv_general_dilated(x, kernel, (2, 1), "VALID", dimension_numbers=given)
        np.testing.assert_allclose(found, plain.transpose(0, 3, 2, 1))
        np.testing.assert_allclose(s2s.jit(lambda x, kernel: own.conv_general_dilated(x, kernel, (2, 1), "VALID", dimension_numbers=given), target="numpy")(x, kernel), found)  # noqa: B023 - used at once
    assert own.conv_general_dilated(V.reshape(1, 1, 5), np.ones((1, 1, 7)), (1,), "VALID").shape == (1, 1, 0)


def test_preferred_element_types_are_those_of_the_sums() -> None:
    ones = np.full((1, 3), 1e8, np.float32)
    small = np.array([[1.0], [1e-8], [-1.0]], np.float32)
    assert own.dot(ones, small, preferred_element_type=np.float64)[0, 0] == pytest.approx(1.0, rel=1e-6)  # float32: 0
    assert own.dot_general(ones, small, (((1,), (0,)), ((), ())), preferred_element_type=np.float64).dtype == np.float64
    assert own.conv(ones[None], np.ones((1, 1, 2), np.float32), (1,), "VALID", preferred_element_type=np.float64).dtype == np.float64
