"""scipy.signal's and scipy.ndimage's filters of several axes: sums of products as they stand."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.signals import (
    _MODES,
    _continued,
    _cut,
    _floats,
    _of_each,
    axes_of,
    convolved,
    correlate1d,
    into,
    pixels_for,
    stored,
)

# ---- scipy.signal ------------------------------------------------------------------------------------------------------------------


def fftconvolve(in1, in2, mode="full", axes=None):
    """scipy.signal.fftconvolve."""
    return _by_transforms(np.asarray(in1), np.asarray(in2), mode, axes)


def oaconvolve(in1, in2, mode="full", axes=None):
    """scipy.signal.oaconvolve: the numbers are those of fftconvolve."""
    return _by_transforms(np.asarray(in1), np.asarray(in2), mode, axes)


def _by_transforms(in1, in2, mode, axes):
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if mode not in ("full", "valid", "same"):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if in1.ndim == 0:
        return in1 * in2
    if in1.size == 0 or in2.size == 0:
        raise NotImplementedError("scipy.signal.fftconvolve of arrays without elements is not supported")
    dtype = np.result_type(*[each.dtype if each.dtype.kind in "fc" else np.float64 for each in (in1, in2)])
    in1, in2 = in1.astype(dtype), in2.astype(dtype)  # all digits of the result's type
    places = tuple(range(in1.ndim)) if axes is None else tuple([axis % in1.ndim for axis in (axes if isinstance(axes, (tuple, list)) else (axes,))])
    full = {axis: in1.shape[axis] + in2.shape[axis] - 1 for axis in places}
    quick = {axis: _quick_length(full[axis]) for axis in places}
    one, other = _with_zeros(in1, quick), _with_zeros(in2, quick)
    if dtype.kind == "c":
        whole = np.fft.ifftn(np.fft.fftn(one, axes=places) * np.fft.fftn(other, axes=places), axes=places)
    else:
        both = np.fft.rfftn(one, axes=places) * np.fft.rfftn(other, axes=places)
        whole = np.fft.irfft(np.fft.ifftn(both, axes=places[:-1]) if len(places) > 1 else both, quick[places[-1]], axis=places[-1])
    whole = whole[tuple([slice(0, full[axis]) if axis in places else slice(None) for axis in range(in1.ndim)])]
    others = [max(n, m) for n, m in zip(in1.shape, in2.shape, strict=True)]
    first = tuple([in1.shape[axis] if axis in places else others[axis] for axis in range(in1.ndim)])
    return _cut(whole, first, tuple([in2.shape[axis] if axis in places else 1 for axis in range(in1.ndim)]), mode)


def _with_zeros(x, lengths):
    """An array that is followed by zeros along these axes."""
    whole = np.zeros(tuple([lengths.get(axis, x.shape[axis]) for axis in range(x.ndim)]), x.dtype)
    whole[tuple([slice(0, n) for n in x.shape])] = x
    return whole


def _quick_length(n):
    """A length from n on, by up to an eighth more, whose transform takes no long time: at most 16 times a power of 2."""
    step, length = 1, 0
    while 16 * step < n:
        step *= 2
    while length < n:
        length += step
    return length


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """scipy.signal.convolve2d."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if not in1.ndim == in2.ndim == 2:
        raise ValueError("convolve2d inputs must both be 2-D arrays")
    return _of_tables(in1, in2, mode, boundary, fillvalue, 1)


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """scipy.signal.correlate2d."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if not in1.ndim == in2.ndim == 2:
        raise ValueError("correlate2d inputs must both be 2-D arrays")
    turned = np.conj(in2)[::-1, ::-1] if in2.dtype.kind == "c" else in2[::-1, ::-1]
    if mode == "valid" and surely(in2.shape[0] > in1.shape[0]):
        unsupported("scipy.signal.correlate2d(…, mode='valid') by what is larger", "the larger array first")
    return _of_tables(in1, turned, mode, boundary, fillvalue, 0)


_EDGES = {"fill": "constant", "pad": "constant", "wrap": "grid-wrap", "circular": "grid-wrap", "symm": "grid-mirror", "symmetric": "grid-mirror"}


def _of_tables(in1, in2, mode, boundary, fillvalue, even):
    """The convolution of tables, of which the first goes on beyond its edges. `even`: the middle of an even number of weights is the first (1) or the second (0)."""
    if mode not in ("full", "valid", "same"):
        raise ValueError("Acceptable mode flags are 'valid', 'same', or 'full'.")
    if boundary not in _EDGES:
        raise ValueError("Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm').")
    if np.asarray(fillvalue).dtype.kind == "c" and np.result_type(in1, in2).kind != "c":
        raise ValueError("could not cast `fillvalue` directly to the output type (it was first converted to complex).")
    if mode == "valid":
        return convolved(in1, in2, mode)
    if _EDGES[boundary] == "constant" and surely(fillvalue == 0):
        return _middle(convolved(in1, in2, "full"), in1.shape, in2.shape, mode, even)
    padded, inside = in1, np.ones(in1.shape, bool)
    for axis in range(2):
        places = np.arange(1 - in2.shape[axis], in1.shape[axis] + in2.shape[axis] - 1)
        around = _continued(places, in1.shape[axis], _EDGES[boundary])
        padded = np.take(padded, around, axis=axis)
        there = (places >= 0) & (places < in1.shape[axis])
        inside = np.take(inside, around, axis=axis) & (there[:, np.newaxis] if axis == 0 else there)
    if _EDGES[boundary] == "constant":
        padded = np.where(inside, padded, fillvalue).astype(np.result_type(in1, np.asarray(fillvalue)) if padded.dtype.kind != "f" else padded.dtype)
    return _middle(convolved(padded, in2, "valid"), in1.shape, in2.shape, mode, even)


def _middle(whole, first, second, mode, even):
    if mode == "full":
        return whole
    return whole[tuple([slice((m - even) // 2, (m - even) // 2 + n) for n, m in zip(first, second, strict=True)])]


def correlation_lags(in1_len, in2_len, mode="full"):
    """scipy.signal.correlation_lags."""
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"Mode {mode} is invalid")
    if mode == "valid":
        most = in1_len - in2_len
        return np.arange(min(most, 0), max(most, 0) + 1)
    lags = np.arange(-in2_len + 1, in1_len)
    if mode == "full":
        return lags
    middle, reach = lags.size // 2, in1_len // 2
    return lags[middle - reach : middle + reach + in1_len % 2]


def wiener(im, mysize=None, noise=None):
    """scipy.signal.wiener."""
    im = np.asarray(im)
    sizes = (3,) * im.ndim if mysize is None else tuple(mysize) if isinstance(mysize, (tuple, list)) else (mysize,) * im.ndim
    if len(sizes) != im.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    means, squares = _summed(np.stack((im, im**2)).astype(np.result_type(im, np.float64)), sizes) / float(math.prod(sizes))
    spread = squares - means**2
    ground = np.mean(spread) if noise is None else noise
    low = spread < ground
    return np.where(low, means, (im - means) * (1 - ground / np.where(low, 1.0, spread)) + means)


def _summed(x, sizes):
    """Sums of boxes of these sizes about each number, along one axis after another; the first axis is none of theirs."""
    shape = x.shape[1:]
    wide = np.zeros((x.shape[0], *[n + size - 1 for n, size in zip(shape, sizes, strict=True)]), x.dtype)
    wide[(slice(None), *[slice(size // 2, size // 2 + n) for n, size in zip(shape, sizes, strict=True)])] = x
    for axis in range(1, x.ndim):
        n, before = x.shape[axis], (slice(None),) * axis
        shifted = [wide[(*before, slice(k, k + n))] for k in range(sizes[axis - 1])]
        wide = sum(shifted[1:], shifted[0]).copy()
    return wide


def correlate(in1, in2, mode="full", method="auto"):
    """scipy.signal.correlate: convolved with the other one turned round."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if mode not in ("full", "valid", "same"):
        raise ValueError("Acceptable mode flags are 'valid', 'same', or 'full'.")
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    if in1.ndim == 1 and mode != "same" and in1.shape[0] == 0:
        raise ValueError("a cannot be empty" if mode == "full" else "v cannot be empty")
    if in1.ndim == 1 and in2.shape[0] == 0:
        raise ValueError("v cannot be empty")
    turned = np.flip(np.conj(in2)) if in2.dtype.kind == "c" else np.flip(in2)
    return in1 * turned if in1.ndim == 0 else convolved(in1, turned, mode)


# ---- scipy.ndimage -------------------------------------------------------------------------------------------------------------------


NO_WEIGHT = 2.220446049250313e-16
"""Up to it a weight counts for none."""


def weighted(weight, x):
    """Numbers times a weight; 0 of what has none, be it infinite or nan."""
    return np.where(weight == 0, 0.0, weight * x)


def correlate_of_images(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.correlate of floats."""
    x, weights = pixels_for("correlate", input, output), np.asarray(weights)
    if x.dtype.kind != "i" or weights.dtype.kind != "i":  # sums of integers have no rounding that a cast would show
        x = _floats("correlate", x, None)
    if axes is not None:
        unsupported("scipy.ndimage.correlate(…, axes=…)", "weights with axes of length 1")
    if weights.ndim != x.ndim:
        raise RuntimeError("filter weights array has incorrect shape.")
    if mode not in _MODES:
        raise RuntimeError("boundary mode not supported")
    if weights.dtype.kind == "c":
        unsupported("scipy.ndimage.correlate with complex weights", "the real and the imaginary parts one by one")
    if x.size == 0:
        return into(x + 0.0, output)
    if weights.dtype.kind == "f":  # SciPy passes over what is no more than a rounding error, and over nan
        weights = np.where(np.abs(weights) > NO_WEIGHT, weights, 0)
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
        total += weighted(weights[place], padded[tuple([slice(place[k], place[k] + x.shape[k]) for k in range(x.ndim)])])
    return into(total.astype(x.dtype), output)


def convolve_of_images(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.convolve of floats."""
    weights = np.asarray(weights)
    origins = tuple(origin) if isinstance(origin, (tuple, list)) else (origin,) * weights.ndim
    turned = tuple([-origins[k] - 1 if weights.shape[k] % 2 == 0 else -origins[k] for k in range(weights.ndim)])
    return correlate_of_images(input, np.flip(weights), output, mode, cval, turned, axes=axes)


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """scipy.ndimage.uniform_filter1d."""
    if size < 1:
        raise RuntimeError("incorrect filter size")
    x = pixels_for("uniform_filter1d", input, output)
    if x.dtype.kind == "f" and not np.all(np.isfinite(x)):
        raise NotImplementedError("scipy.ndimage.uniform_filter of nan or infinite numbers, which SciPy's running sums carry on to the end of the line, is not supported")
    if x.dtype.kind != "f":
        return into(stored(correlate1d(x.astype(np.float64), np.ones(size), axis, None, mode, cval, origin) / size, x.dtype), output)
    return into(correlate1d(x, np.ones(size) / size, axis, None, mode, cval, origin), output)


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.uniform_filter: along one axis after the other."""
    found = pixels_for("uniform_filter", input, output).copy()
    places = axes_of(axes, found.ndim)
    sizes, modes, origins = _of_each(size, len(places)), _of_each(mode, len(places)), _of_each(origin, len(places))
    for k, axis in enumerate(places):
        if sizes[k] > 1:
            found = uniform_filter1d(found, sizes[k], axis, None, modes[k], cval, origins[k])
    return into(found, output)


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """scipy.ndimage.laplace: the sum of second differences."""
    x = pixels_for("laplace", input, output)
    places = axes_of(axes, x.ndim)
    modes = _of_each(mode, len(places))
    found = correlate1d(x, np.array([1.0, -2.0, 1.0]), places[0], None, modes[0], cval, 0)
    for k in range(1, len(places)):
        found = found + correlate1d(x, np.array([1.0, -2.0, 1.0]), places[k], None, modes[k], cval, 0)
    return into(found, output)


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """scipy.ndimage.sobel."""
    return _slope("sobel", input, axis, output, mode, cval, np.array([1.0, 2.0, 1.0]))


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """scipy.ndimage.prewitt."""
    return _slope("prewitt", input, axis, output, mode, cval, np.array([1.0, 1.0, 1.0]))


def _slope(name, input, axis, output, mode, cval, across):
    x = pixels_for(name, input, output)
    place, modes = axis + x.ndim if axis < 0 else axis, _of_each(mode, x.ndim)
    found = correlate1d(x, np.array([-1.0, 0.0, 1.0]), place, None, modes[place], cval, 0)
    for other in range(x.ndim):
        if other != place:
            found = correlate1d(found, across, other, None, modes[other], cval, 0)
    return into(found, output)


FILTERS: dict[str, Any] = {
    **{f"scipy.signal.{function.__name__}": function for function in (fftconvolve, oaconvolve, convolve2d, correlate2d, correlate, correlation_lags, wiener)},
    **{f"scipy.ndimage.{function.__name__}": function for function in (uniform_filter1d, uniform_filter, laplace, sobel, prewitt)},
    "scipy.ndimage.correlate": correlate_of_images, "scipy.ndimage.convolve": convolve_of_images,
}  # fmt: skip
