"""scipy.signal's and scipy.ndimage's filters along an axis."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import operator

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported


def convolve(in1, in2, mode="full", method="auto"):
    """scipy.signal.convolve, by the sums themselves."""
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if in1.ndim != in2.ndim:
        raise ValueError("volume and kernel should have the same dimensionality")
    if mode not in ("full", "valid", "same"):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    if in1.ndim == 0:
        return in1 * in2
    if in1.ndim > 1:
        return convolved(in1, in2, mode)
    if mode == "valid" and in1.shape[0] < in2.shape[0]:
        return np.convolve(in2, in1, mode)
    if mode != "same":
        return np.convolve(in1, in2, mode)
    if in1.shape[0] == 0:
        return np.zeros(0, np.result_type(in1, in2))
    start = (in2.shape[0] - 1) // 2
    return np.convolve(in1, in2)[start : start + in1.shape[0]]


def convolved(in1, in2, mode):
    """The convolution of two arrays of as many axes."""
    sizes = [(n, m) for n, m in zip(in1.shape, in2.shape, strict=True)]
    whole = np.zeros(tuple([max(n + m - 1, 0) for n, m in sizes]), dtype=np.result_type(in1, in2))
    for place in np.ndindex(in2.shape):
        whole[tuple([slice(place[k], place[k] + in1.shape[k]) for k in range(in1.ndim)])] += in2[place] * in1
    return _cut(whole, in1.shape, in2.shape, mode)


def _cut(whole, first, second, mode):
    if mode == "full":
        return whole
    if mode == "same":
        return whole[tuple([slice((m - 1) // 2, (m - 1) // 2 + n) for n, m in zip(first, second, strict=True)])]
    if all(n >= m for n, m in zip(first, second, strict=True)):
        return whole[tuple([slice(m - 1, n) for n, m in zip(first, second, strict=True)])]
    if all(n <= m for n, m in zip(first, second, strict=True)):
        return whole[tuple([slice(n - 1, m) for n, m in zip(first, second, strict=True)])]
    raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")


_MODES = ("reflect", "grid-mirror", "mirror", "nearest", "wrap", "grid-wrap", "constant", "grid-constant")


def _continued(places, length, mode):
    """Where the elements lie that stand for those at places outside of an axis."""
    if mode in ("reflect", "grid-mirror"):
        within = places % (2 * length)
        return np.where(within < length, within, 2 * length - 1 - within)
    if mode == "mirror":
        within = places % max(2 * length - 2, 1)
        return np.where(within < length, within, 2 * length - 2 - within)
    if mode in ("wrap", "grid-wrap"):
        return places % length
    return np.minimum(np.maximum(places, 0), length - 1)


def kind_of(name, input, output):
    """The dtype that a result is to have, a float's, or None: the image's own."""
    if output is None:
        return None
    kind = output.dtype if isinstance(output, np.ndarray) else np.dtype(output)
    if isinstance(output, np.ndarray) and kind == np.asarray(input).dtype:
        return None
    if kind.kind != "f" or kind.itemsize < 4 or np.asarray(input).dtype.kind not in "fiu":
        unsupported(f"scipy.ndimage.{name}(…, output=…) of {kind}", "astype of the result")
    return kind


def axes_of(axes, ndim):
    """The axes that a filter goes along."""
    given = range(ndim) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    for axis in given:
        operator.index(axis)
        if not -ndim <= axis < ndim:
            raise ValueError(f"specified axis: {axis} is out of range")
    places = tuple([axis % ndim for axis in given])
    if len(set(places)) != len(places):
        raise ValueError("axes must be unique")
    return places


def into(found, output):
    """What was found, in the array that was given for it."""
    if not isinstance(output, np.ndarray):
        return found
    if output.shape != found.shape:
        raise RuntimeError("output shape not correct")
    if output.dtype != found.dtype:
        unsupported(f"scipy.ndimage with an output of {output.dtype}, of {found.dtype}", "an output of this dtype")
    output[...] = found
    return output


def pixels_for(name, input, output):
    """An image, in float64 where the result is to have it."""
    kind = kind_of(name, input, output)
    if kind is None:
        return pixels(name, input, None)
    if kind != np.float64 and kind != np.asarray(input).dtype:
        unsupported(f"scipy.ndimage.{name}(…, output=…) of {kind}", "astype of the result")
    return np.asarray(input).astype(kind)


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """scipy.ndimage.correlate1d."""
    kind = kind_of("correlate1d", input, output)
    if kind is None:
        return into(_correlated(input, weights, axis, mode, cval, origin), output)
    return into(_correlated(np.asarray(input).astype(np.float64), weights, axis, mode, cval, origin).astype(kind), output)


def _correlated(input, weights, axis, mode, cval, origin):
    x, weights = pixels("correlate1d", input, None), np.asarray(weights)
    if weights.dtype.kind == "c":
        unsupported("scipy.ndimage.correlate1d with complex weights", "the real and the imaginary parts one by one")
    if weights.ndim != 1 or weights.shape[0] < 1:
        raise RuntimeError("no filter weights given")
    if mode not in _MODES:
        raise RuntimeError("boundary mode not supported")
    size = weights.shape[0]
    before = size // 2 + origin
    if before < 0 or before >= size:
        raise ValueError("Invalid origin; origin must satisfy -(len(weights) // 2) <= origin <= (len(weights)-1) // 2")
    rows = np.moveaxis(x, axis, 0)
    length = rows.shape[0]
    if length == 0:
        return x.copy()
    places = np.arange(-before, length + size - 1 - before)
    padded = rows[_continued(places, length, mode)]
    if mode in ("constant", "grid-constant"):
        inside = ((places >= 0) & (places < length)).reshape(-1, *(1,) * (rows.ndim - 1))
        padded = np.where(inside, padded, cval)
    if x.dtype.kind != "f":
        return np.moveaxis(stored(_as_scipy_adds(padded.astype(np.float64), weights.astype(np.float64), length), x.dtype), 0, axis)
    total = np.zeros(rows.shape, dtype=np.result_type(np.float64, weights))
    for k in range(size):
        total += weights[k] * padded[k : k + length]
    return np.moveaxis(total.astype(x.dtype), 0, axis)


def _as_scipy_adds(padded, weights, length):
    """Sums in SciPy's order, since a cast to whole numbers shows their rounding: the middle first, then, with weights that are even or odd, pairs from the ends on."""
    size = weights.shape[0]
    half = size // 2
    even = size % 2 == 1 and bool(np.all(np.abs(weights - weights[::-1]) <= 2.220446049250313e-16))
    odd = size % 2 == 1 and bool(np.all(np.abs(weights[:half] + weights[::-1][:half]) <= 2.220446049250313e-16))
    if even or odd:
        total = padded[half : half + length] * weights[half]
        sign = 1.0 if even else -1.0
        for k in range(half):
            total += (padded[k : k + length] + sign * padded[size - 1 - k : size - 1 - k + length]) * weights[k]
        return total
    total = padded[size - 1 : size - 1 + length] * weights[size - 1]
    for k in range(size - 1):
        total += padded[k : k + length] * weights[k]
    return total


def stored(x, dtype):
    """Floats in the dtype of an image: towards 0, and what does not fit wraps."""
    return x.astype(dtype) if dtype.kind == "f" else x.astype(np.int64).astype(dtype)


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """scipy.ndimage.convolve1d of floats."""
    weights = np.asarray(weights)[::-1]
    origin = -origin - 1 if weights.shape[0] % 2 == 0 else -origin
    return correlate1d(input, weights, axis, output, mode, cval, origin)


def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    """scipy.ndimage.gaussian_filter1d; `order`: which derivative."""
    if not isinstance(order, int) or order < 0:
        unsupported("scipy.ndimage.gaussian_filter1d of an order that is known only at run time", "a number")
    reach = int(truncate * sigma + 0.5) if radius is None else radius
    if isinstance(reach, (float, np.floating)) or reach < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    if np.asarray(input).dtype.kind != "f" and kind_of("gaussian_filter1d", input, output) is None:
        return correlate1d(input, _known_bell(sigma, order, reach), axis, output, mode, cval, 0)
    places = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 / (sigma * sigma) * places**2)
    weights = weights / np.sum(weights)
    if order > 0:
        weights = (weights * _hermite(order, places, sigma))[::-1]
    return correlate1d(input, weights, axis, output, mode, cval, 0)


def _known_bell(sigma, order, reach):
    """NumPy's own weights, to the last bit: whole numbers show it."""
    import scipy.ndimage

    if order > 0 or not surely(sigma < np.inf and reach >= 0):
        unsupported("scipy.ndimage.gaussian_filter of whole numbers with an order, or a width that is known only at run time", "x.astype(float)")
    return np.asarray(scipy.ndimage.gaussian_filter1d((0.0,) * reach + (1.0,) + (0.0,) * reach, sigma, mode="constant", radius=reach))


def _hermite(order, places, sigma):
    """The polynomial beside the bell in its derivative."""
    before, found = np.zeros(places.shape), np.ones(places.shape)
    for k in range(order):
        before, found = found, (-places * found - k * before) / (sigma * sigma)
    return found


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
    """scipy.ndimage.gaussian_filter: along one axis after the other."""
    kind = kind_of("gaussian_filter", input, output)
    result = pixels("gaussian_filter", input, None).copy()
    places = tuple(range(result.ndim)) if axes is None else tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    count = len(places)
    sigmas, orders, modes, radii = _of_each(sigma, count), _of_each(order, count), _of_each(mode, count), _of_each(radius, count)
    for k, each, bend, edge, reach in zip(places, sigmas, orders, modes, radii, strict=True):
        if each > 1e-15:
            result = gaussian_filter1d(result, each, k, bend, kind, edge, cval, truncate, radius=reach)
    return into(result if kind is None else result.astype(kind), output)


def _of_each(value, count):
    if isinstance(value, np.ndarray) and value.ndim == 1:
        value = tuple(value)
    if not isinstance(value, (tuple, list)):
        return (value,) * count
    if len(value) != count:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return tuple(value)


def pixels(name, x, output):
    """An image of floats or whole numbers."""
    x = np.asarray(x)
    return x if output is None and x.dtype.kind in "iu" and x.dtype != np.uint64 else _floats(name, x, output)


def _floats(name, x, output):
    if output is not None:
        unsupported(f"scipy.ndimage.{name}(…, output=…)", "astype of the result")
    x = np.asarray(x)
    if x.dtype.kind != "f":
        unsupported(f"scipy.ndimage.{name} of {x.dtype}", "floats")
    return x
