"""s2s.lax's functions of the bits of numbers, and its fft, as plain NumPy. Contracts: those of `jax.lax` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import bits, constant, ours

INTEGERS: dict[int, Any] = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
WORDS: dict[int, Any] = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
"""By how many bytes they have."""


def bitcast_convert_type(operand: Any, new_dtype: Any) -> Any:
    """The bits of the elements as elements of another dtype; a narrower one needs a new last axis, a wider one takes the last axis.

    >>> bitcast_convert_type(np.array([1.0]), np.int64)
    array([4607182418800017408])
    """
    x, dtype = np.asarray(operand), np.dtype(new_dtype)
    if x.dtype == dtype:
        return constant(x[()])  # bits have no derivative
    if x.dtype.kind in "bc" or dtype.kind in "bc":
        raise TypeError(
            "lax.bitcast_convert_type does not support bool or complex values unless the operand and destination types match. "
            f"Got operand dtype={x.dtype}, new_dtype={dtype}."
        )
    if x.dtype.itemsize == dtype.itemsize:
        return _as(_as(x, INTEGERS[x.dtype.itemsize]), dtype)[()]
    if x.dtype.itemsize > dtype.itemsize:
        return _narrower(x, dtype)
    width, count = 8 * x.dtype.itemsize, dtype.itemsize // x.dtype.itemsize
    if x.ndim == 0 or x.shape[-1] != count:
        raise ValueError(
            f"Attempting to convert array of shape {x.shape} from {x.dtype} of size {width} bits to {dtype} of size {8 * dtype.itemsize}, bits but the last dimension is not {count}"
        )
    words = _as(x, INTEGERS[x.dtype.itemsize]).astype(np.int64) & ((1 << width) - 1)
    whole = words[..., 0]
    for k in range(1, count):
        whole = whole | words[..., k] << width * k
    return _as(whole.astype(WORDS[dtype.itemsize]), dtype)[()]


def _narrower(x: Any, dtype: Any) -> Any:
    """The bits in parts, the lowest first."""
    words, width = _as(x, INTEGERS[x.dtype.itemsize]).astype(np.int64), 8 * dtype.itemsize
    parts = [words >> width * k & ((1 << width) - 1) for k in range(x.dtype.itemsize // dtype.itemsize)]
    return _as(np.stack(parts, axis=-1).astype(WORDS[dtype.itemsize]), dtype)


def _as(x: Any, dtype: Any) -> Any:
    """Numbers as wide ones of another kind, by their bits."""
    if x.dtype == np.dtype(dtype):
        return x
    if x.dtype.kind in "iu" and np.dtype(dtype).kind in "iu":
        return x.astype(dtype)
    if x.dtype.kind == "f" and np.dtype(dtype).kind == "f":
        return bits(bits(x, INTEGERS[x.dtype.itemsize]), dtype)
    if x.dtype.kind == "u":
        return bits(x.astype(INTEGERS[x.dtype.itemsize]), dtype)
    if np.dtype(dtype).kind == "u":
        return bits(x, INTEGERS[x.dtype.itemsize]).astype(dtype)
    return bits(x, dtype)


def _low(words: Any) -> Any:
    """The lower half of int64 words, with the sign that it has as int32."""
    return ((words & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """The numbers rounded to what so many bits of exponent and of mantissa hold; what is too small is 0, what is too large infinite. Tangents go through unrounded.

    >>> reduce_precision(np.array([1.0625, 1e6, 1e-9]), 5, 3)
    array([ 1., inf,  0.])
    """
    operand = np.asarray(operand)
    if operand.dtype.kind != "f":
        raise TypeError(f"reduce_precision does not accept dtype {operand.dtype}. Accepted dtypes are subtypes of floating.")
    if exponent_bits < 1:
        raise ValueError(f"reduce_precision: exponent_bits must be positive; got {exponent_bits}")
    if mantissa_bits < 0:
        raise ValueError(f"reduce_precision: mantissa_bits must be nonnegative; got {mantissa_bits}")
    return _rounded(operand, constant(_reduced(operand, exponent_bits, mantissa_bits)))[()]


def _rounded(operand: Any, rounded: Any) -> Any:
    made = ours("custom_jvp")(lambda _, rounded: rounded)
    made.defjvp(_straight)
    return made(operand, rounded)


def _straight(primals: Any, tangents: Any) -> Any:
    """The tangent of what was rounded is that of what it was rounded from."""
    return _rounded(*primals), tangents[0] + tangents[1]


def _reduced(x: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """Method: round half to even by an addition to the bits, as XLA's ReducePrecision does."""
    x = np.asarray(x)
    kind = INTEGERS[x.dtype.itemsize]
    width, own_exponent = (52, 11) if x.dtype.itemsize == 8 else (23, 8)
    words = bits(x, kind).astype(np.int64)
    sign = words & np.int64(-(2**63)) if width == 52 else words & np.int64(0x80000000)
    words = words & 0x7FFFFFFFFFFFFFFF if width == 52 else words & 0x7FFFFFFF
    if mantissa_bits < width:
        step = 1 << width - mantissa_bits
        words = words + ((words >> width - mantissa_bits & 1) + (step >> 1) - 1) & ~(step - 1)
    full = (1 << own_exponent) - 1 << width
    if exponent_bits < own_exponent:
        bias, own = (1 << exponent_bits - 1) - 1, (1 << own_exponent - 1) - 1
        exponents = words & full
        words = np.where(exponents > own + bias << width, full, np.where(exponents <= own - bias << width, 0, words))
    words = words | sign
    if width == 23:
        words = _low(words)
    return np.where(np.isnan(x), x, bits(words.astype(kind), x.dtype))[()]


def mulhi(x: Any, y: Any) -> Any:
    """The upper half of the products of integers.

    >>> mulhi(np.array([2**40, -(2**50)]), 2**40)
    array([    65536, -67108864])
    """
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype.kind not in "iu":
        raise TypeError(f"mulhi does not accept dtype {x.dtype}. Accepted dtypes are subtypes of integer.")
    if x.dtype.itemsize < 8:
        return (x.astype(np.int64) * y.astype(np.int64) >> 8 * x.dtype.itemsize).astype(x.dtype)[()]
    x_low, x_high, y_low, y_high = x & 0xFFFFFFFF, x >> 32, y & 0xFFFFFFFF, y >> 32
    middle = x_high * y_low + (x_low * y_low >> 32 & 0xFFFFFFFF)
    return (x_high * y_high + (middle >> 32) + (x_low * y_high + (middle & 0xFFFFFFFF) >> 32))[()]


class FftType(enum.IntEnum):
    """Which transform `lax.fft` is.

    >>> from s2s import lax
    >>> lax.fft(np.arange(4.0), lax.FftType.RFFT, (4,))
    array([ 6.+0.j, -2.+2.j, -2.+0.j])
    """

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


def fft(x: Any, fft_type: Any, fft_lengths: Sequence[int]) -> Any:
    """The Fourier transform over the last axes, as many as there are lengths: FFT, IFFT, RFFT or IRFFT.

    >>> fft(np.array([1.0, 0.0, 0.0, 0.0]), "RFFT", (4,))
    array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    kind = (fft_type.upper() if fft_type.islower() else fft_type) if isinstance(fft_type, str) else FftType(fft_type).name
    if kind not in ("FFT", "IFFT", "RFFT", "IRFFT"):
        raise ValueError(f"Unknown FFT type '{kind}'")
    count = len(fft_lengths)
    axes = tuple(range(-count, 0))
    if x.dtype.kind == "c" and kind == "RFFT":
        raise ValueError(f"RFFT requires real input, got {x.dtype}.")
    for axis, length in zip(axes, fft_lengths, strict=True):
        held = length // 2 + 1 if kind == "IRFFT" and axis == -1 else length
        if x.shape[axis] != held:
            raise ValueError(f"{kind} of lengths {tuple(fft_lengths)} requires {held} elements along axis {axis}, got {x.shape[axis]}.")
    if kind == "FFT":
        return np.fft.fftn(x, axes=axes)
    if kind == "IFFT":
        return np.fft.ifftn(x, axes=axes)
    if kind == "RFFT":
        return np.fft.rfftn(x, axes=axes)
    return np.fft.irfftn(x, s=tuple(fft_lengths), axes=axes)


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (bitcast_convert_type, reduce_precision, mulhi, fft)}
"""By the names that they have in s2s.lax."""
