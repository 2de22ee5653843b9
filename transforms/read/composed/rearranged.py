"""NumPy's functions that lay arrays out otherwise: windows that slide, parts along an axis, layouts in memory; and how many bits of integers are one."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed import lax_more
from s2s.transforms.read.composed.marks import axes_in_memory, unsupported


def unstack(x, /, *, axis=0):
    """np.unstack."""
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(np.moveaxis(x, axis, 0))


def asfortranarray(a, dtype=None, *, like=None):
    """np.asfortranarray: the numbers; here all arrays that are made lie in C order."""
    if like is not None:
        unsupported("np.asfortranarray(…, like=…)", "leave it out")
    return np.asarray(a, dtype=dtype, order="F") if np.ndim(a) > 0 else np.reshape(np.asarray(a, dtype=dtype), (1,))


_FLAGS = {"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F", "A": "A", "ALIGNED": "A", "E": "E", "ENSUREARRAY": "E",
          "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O"}  # fmt: skip


def require(a, dtype=None, requirements=None, *, like=None):
    """np.require of an order, and of what every array here fulfils. Of one that can't be written to NumPy makes a copy: here a store into it is an error."""
    if like is not None:
        unsupported("np.require(…, like=…)", "leave it out")
    wanted = [] if requirements is None else [_FLAGS[each.upper()] for each in requirements]
    if "O" in wanted:
        unsupported("np.require of arrays that own their data", "np.array(a)", "whether that is a copy depends on the array that is given")
    if "C" in wanted and "F" in wanted:
        raise ValueError('Cannot specify both "C" and "F" order')
    return np.asarray(a, dtype=dtype, order="F" if "F" in wanted else "C" if "C" in wanted else None)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """np.lib.stride_tricks.sliding_window_view, of known axes: here a copy, into which nothing can be stored."""
    if writeable:
        unsupported("sliding_window_view(…, writeable=True)", "a loop over the windows")
    x = np.asarray(x)
    lengths = tuple(window_shape) if isinstance(window_shape, tuple | list) else (window_shape,)
    for length in lengths:
        if length < 0:
            raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(lengths) != x.ndim:
            raise ValueError(
                f"Since axis is None, must provide window_shape for all dimensions of `x`; got {len(lengths)} window_shape elements and `x.ndim` is {x.ndim}."
            )
    else:
        axes = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
        if len(lengths) != len(axes):
            raise ValueError(f"Must provide matching length window_shape and axis; got {len(lengths)} window_shape elements and {len(axes)} axes elements.")
    for place in axes:
        if not -x.ndim <= place < x.ndim:
            raise np.exceptions.AxisError(f"axis {place} is out of bounds for array of dimension {x.ndim}")
    for place, length in zip([place % x.ndim for place in axes], lengths, strict=True):
        count = x.shape[place] - length + 1
        if count < 1:
            raise ValueError("window shape cannot be larger than input array shape")
        x = _windows(x, place, length, count)
    return x


def as_strided(x, shape=None, strides=None, subok=False, writeable=True, *, check_bounds=None):
    """np.lib.stride_tricks.as_strided of an array in C order: here a copy; what lies outside of the array's memory is an IndexError, with NumPy's own check its ValueError."""
    x = np.asarray(x)
    if axes_in_memory(x, "K") != tuple(range(x.ndim)):
        unsupported("np.lib.stride_tricks.as_strided of an array that does not lie in C order", "np.ascontiguousarray(…) of it before")
    lengths = x.shape if shape is None else tuple(shape)
    apart = [x.itemsize * math.prod(lengths[k + 1 :]) for k in range(len(lengths))] if strides is None else tuple(strides)
    if len(lengths) != len(apart):
        raise ValueError("mismatch in length of strides and shape")
    places = np.zeros((), np.int64)
    first, last = 0, 0
    for length, step in zip(lengths, apart, strict=True):
        if length < 0:
            raise ValueError("negative dimensions are not allowed")
        if step % x.itemsize != 0:
            raise ValueError(f"a stride of {step} bytes lies between numbers of {x.itemsize}")
        places = places[..., np.newaxis] + np.arange(length) * (step // x.itemsize)
        first += min(step, 0) * max(length - 1, 0)
        last += max(step, 0) * max(length - 1, 0)
    if check_bounds and places.size > 0 and (first < 0 or last >= x.size * x.itemsize):
        outside = f"starts {-first} bytes before lowest" if first < 0 else f"ends {last + x.itemsize - x.size * x.itemsize} bytes after highest"
        raise ValueError(f"Given shape and strides would access memory out of bounds. View {outside} address")
    if first < 0 and places.size > 0:
        raise IndexError("as_strided of what lies before the array")
    return np.asarray(np.ravel(x)[places])


def _windows(x, axis, length, count):
    """The windows along an axis: their places in it, and a last axis for what is in each."""
    first = np.moveaxis(x, axis, 0)
    windows = first[np.arange(count)[:, np.newaxis] + np.arange(length)]
    return np.moveaxis(np.moveaxis(windows, 1, -1), 0, axis)


def bitwise_count(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.bitwise_count: how many bits of the number's size are one."""
    if out is not None or where is not True or dtype is not None or signature is not None or casting != "same_kind":
        unsupported("np.bitwise_count with an option of ufuncs", "np.where, astype")
    x = np.asarray(x)
    if x.dtype.kind not in "biu":
        raise TypeError("ufunc 'bitwise_count' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
    whole = x.astype(np.int8) if x.dtype.kind == "b" else x
    return lax_more.population_count(np.abs(whole)).astype(np.uint8)


def packbits(a, /, axis=None, bitorder="big"):
    """np.packbits: which numbers are not zero, eight in a byte."""
    a = np.asarray(a)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    place, numbers = (0, np.ravel(a)) if axis is None else (axis, np.atleast_1d(a))
    bits = np.moveaxis(numbers, place, -1) != 0
    count = (bits.shape[-1] + 7) // 8
    filled = np.zeros((*bits.shape[:-1], 8 * count), np.uint8)
    filled[..., : bits.shape[-1]] = bits
    bytes_ = np.sum(np.reshape(filled, (*bits.shape[:-1], count, 8)) << _shifts(bitorder), axis=-1, dtype=np.uint8)
    return np.moveaxis(bytes_, -1, place)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """np.unpackbits: the bits of bytes, as many along the axis as `count` says."""
    a = np.asarray(a)
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    place, numbers = (0, np.ravel(a)) if axis is None else (axis, np.atleast_1d(a))
    bytes_ = np.moveaxis(numbers, place, -1)
    total = 8 * bytes_.shape[-1]
    bits = np.reshape((bytes_[..., np.newaxis] >> _shifts(bitorder)) & np.uint8(1), (*bytes_.shape[:-1], total))
    wanted = total if count is None else count if count >= 0 else total + count
    if wanted < 0:
        raise ValueError("-count larger than number of elements")
    found = np.zeros((*bytes_.shape[:-1], wanted), np.uint8)
    found[..., : min(wanted, total)] = bits[..., : min(wanted, total)]
    return np.moveaxis(found, -1, place)


def _shifts(bitorder):
    """By how much each of eight bits is shifted."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    return np.arange(7, -1, -1, dtype=np.uint8) if bitorder == "big" else np.arange(8, dtype=np.uint8)


REARRANGED: dict[str, Any] = {
    **{f"numpy.{function.__name__}": function for function in (unstack, asfortranarray, require, bitwise_count, packbits, unpackbits)}, "numpy.lib.stride_tricks.sliding_window_view": sliding_window_view, "numpy.lib.stride_tricks.as_strided": as_strided,
}  # fmt: skip
"""By qualified name."""
