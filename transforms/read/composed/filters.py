"""scipy.signal's and scipy.ndimage's filters of several axes: sums of products as they stand."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _MODES, _continued, _cut, _floats, convolved, correlate1d

# ---- scipy.signal ------------------------------------------------------------------------------------------------------------------


def fftconvolve(in1, in2, mode="full", axes=None):
    """scipy.signal.fftconvolve along all axes."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if axes is not None:
        unsupported("scipy.signal.fftconvolve(…, axes=…)", "scipy.signal.convolve, or a loop")
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if mode not in ("full", "valid", "same"):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if in1.ndim == 0:
        return in1 * in2
    if in1.size == 0 or in2.size == 0:
        raise NotImplementedError("scipy.signal.fftconvolve of arrays without elements is not supported")
    dtype = np.result_type(in1.dtype, in2.dtype)
    in1, in2 = in1.astype(dtype), in2.astype(dtype)  # all digits of the result's type
    shape = tuple([n + m - 1 for n, m in zip(in1.shape, in2.shape, strict=True)])
    places = tuple(range(in1.ndim))
    if in1.dtype.kind == "c" or in2.dtype.kind == "c":
        whole = np.fft.ifftn(np.fft.fftn(in1, shape, axes=places) * np.fft.fftn(in2, shape, axes=places), shape, axes=places)
    else:
        whole = np.fft.irfftn(np.fft.rfftn(in1, shape, axes=places) * np.fft.rfftn(in2, shape, axes=places), shape, axes=places)
    return _cut(whole, in1.shape, in2.shape, mode)


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """scipy.signal.convolve2d with zeros around."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if not in1.ndim == in2.ndim == 2:
        raise ValueError("convolve2d inputs must both be 2-D arrays")
    if mode not in ("full", "valid", "same"):
        raise ValueError("Acceptable mode flags are 'valid', 'same', or 'full'.")
    if boundary != "fill" or fillvalue != 0:
        unsupported("scipy.signal.convolve2d with another boundary than zeros", "np.pad before, and mode='valid'")
    return convolved(in1, in2, mode)


def correlate(in1, in2, mode="full", method="auto"):
    """scipy.signal.correlate: convolved with the other one turned round."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if mode not in ("full", "valid", "same"):
        raise ValueError("Acceptable mode flags are 'valid', 'same', or 'full'.")
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    turned = np.flip(np.conj(in2)) if in2.dtype.kind == "c" else np.flip(in2)
    return in1 * turned if in1.ndim == 0 else convolved(in1, turned, mode)


# ---- scipy.ndimage -------------------------------------------------------------------------------------------------------------------


def correlate_of_images(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.correlate of floats."""
    x, weights = _floats("correlate", input, output), np.asarray(weights)
    if axes is not None:
        unsupported("scipy.ndimage.correlate(…, axes=…)", "weights with axes of length 1")
    if weights.ndim != x.ndim:
        raise RuntimeError("filter weights array has incorrect shape.")
    if mode not in _MODES:
        raise RuntimeError("boundary mode not supported")
    if weights.dtype.kind == "c":
        unsupported("scipy.ndimage.correlate with complex weights", "the real and the imaginary parts one by one")
    if x.size == 0:
        return x + 0.0
    origins = tuple(origin) if isinstance(origin, (tuple, list)) else (origin,) * x.ndim
    padded = x
    for axis in range(x.ndim):
        size, length = weights.shape[axis], x.shape[axis]
        before = size // 2 + origins[axis]
        if before < 0 or before >= size:
            raise ValueError("Invalid origin; origin must satisfy -(weights.shape[k] // 2) <= origin[k] <= (weights.shape[k]-1) // 2")
        places = np.arange(-before, length + size - 1 - before)
        padded = np.take(padded, _continued(places, length, mode), axis=axis)
        if mode in ("constant", "grid-constant"):
            inside = ((places >= 0) & (places < length)).reshape((1,) * axis + (-1,) + (1,) * (x.ndim - 1 - axis))
            padded = np.where(inside, padded, cval)
    total = np.zeros(x.shape, dtype=np.result_type(np.float64, weights))
    for place in np.ndindex(weights.shape):
        total += weights[place] * padded[tuple([slice(place[k], place[k] + x.shape[k]) for k in range(x.ndim)])]
    return total.astype(x.dtype)


def convolve_of_images(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.convolve of floats."""
    weights = np.asarray(weights)
    origins = tuple(origin) if isinstance(origin, (tuple, list)) else (origin,) * weights.ndim
    turned = tuple([-origins[k] - 1 if weights.shape[k] % 2 == 0 else -origins[k] for k in range(weights.ndim)])
    return correlate_of_images(input, np.flip(weights), output, mode, cval, turned, axes=axes)


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """scipy.ndimage.uniform_filter1d of floats."""
    if size < 1:
        raise RuntimeError("incorrect filter size")
    return correlate1d(input, np.ones(size) / size, axis, output, mode, cval, origin)


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.uniform_filter of floats: along one axis after the other."""
    found = _floats("uniform_filter", input, output) + 0.0
    if axes is not None or isinstance(mode, (tuple, list)) or isinstance(origin, (tuple, list)):
        unsupported("scipy.ndimage.uniform_filter with axes, or modes and origins by axis", "uniform_filter1d along each")
    sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,) * found.ndim
    for axis, each in zip(range(found.ndim), sizes, strict=True):
        found = uniform_filter1d(found, each, axis, None, mode, cval, origin)
    return found


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """scipy.ndimage.laplace of floats: the sum of second differences."""
    x = _floats("laplace", input, output)
    if axes is not None:
        unsupported("scipy.ndimage.laplace(…, axes=…)", "correlate1d along each")
    found = correlate1d(x, np.array([1.0, -2.0, 1.0]), 0, None, mode, cval, 0)
    for axis in range(1, x.ndim):
        found = found + correlate1d(x, np.array([1.0, -2.0, 1.0]), axis, None, mode, cval, 0)
    return found


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """scipy.ndimage.sobel of floats."""
    return _slope("sobel", input, axis, output, mode, cval, np.array([1.0, 2.0, 1.0]))


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """scipy.ndimage.prewitt of floats."""
    return _slope("prewitt", input, axis, output, mode, cval, np.array([1.0, 1.0, 1.0]))


def _slope(name, input, axis, output, mode, cval, across):
    x = _floats(name, input, output)
    place = axis + x.ndim if axis < 0 else axis
    found = correlate1d(x, np.array([-1.0, 0.0, 1.0]), place, None, mode, cval, 0)
    for other in range(x.ndim):
        if other != place:
            found = correlate1d(found, across, other, None, mode, cval, 0)
    return found


FILTERS: dict[str, Any] = {
    **{f"scipy.signal.{function.__name__}": function for function in (fftconvolve, convolve2d, correlate)},
    **{f"scipy.ndimage.{function.__name__}": function for function in (uniform_filter1d, uniform_filter, laplace, sobel, prewitt)},
    "scipy.ndimage.correlate": correlate_of_images, "scipy.ndimage.convolve": convolve_of_images,
}  # fmt: skip
