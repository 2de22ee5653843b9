"""scipy.ndimage: filters of the numbers of windows, in order or by a function, and morphology of grey images."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _MODES, _continued, _of_each, axes_of, into


def windows_of(x, sizes, mode, cval, origins):
    """The numbers of each window along a first axis. `mode`: one, or one for each axis."""
    modes = _of_each(mode, x.ndim)
    for each in modes:
        if each not in _MODES:
            raise RuntimeError("boundary mode not supported")
    padded, count, step, places = x, math.prod(sizes), math.prod(sizes), []
    for axis in range(x.ndim):
        size, length = sizes[axis], x.shape[axis]
        before = size // 2 + origins[axis]
        if before < 0 or before >= size:
            raise ValueError("invalid origin")
        around, ones = np.arange(-before, length + size - 1 - before), (1,) * (x.ndim - 1 - axis)
        padded = np.take(padded, _continued(around, length, modes[axis]), axis=axis)
        if modes[axis] in ("constant", "grid-constant"):
            inside = ((around >= 0) & (around < length)).reshape((1,) * axis + (-1, *ones))
            padded = np.where(inside, padded, cval).astype(x.dtype)
        step = step // size
        corners = np.arange(count) // step % size
        places.append(corners.reshape((-1,) + (1,) * x.ndim) + np.arange(length).reshape((1,) * (axis + 1) + (-1, *ones)))
    return padded[tuple(places)]


def _ordered(name, input, size, footprint, output, mode, cval, origin, axes):
    """The windows, which of their numbers count (None: all) and how many do."""
    x = np.asarray(input)
    if x.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    if x.dtype.kind == "b":
        unsupported(f"scipy.ndimage.{name} of bool", "numbers, or scipy.ndimage.binary_dilation")
    if output is not None:
        unsupported(f"scipy.ndimage.{name} with output", "its result")
    if isinstance(mode, (tuple, list)) and (footprint is not None or name not in ("maximum_filter", "minimum_filter")):
        unsupported(f"scipy.ndimage.{name} with modes by axis and a footprint, or an order", "one mode")
    if footprint is None and size is None:
        raise RuntimeError("no footprint or filter size provided")
    places = axes_of(axes, x.ndim)
    modes, origins = _at(places, x.ndim, mode, "nearest"), _at(places, x.ndim, origin, 0)
    if footprint is None:
        sizes = _at(places, x.ndim, size, 1)
        return windows_of(x, sizes, modes, cval, origins), None, math.prod(sizes)
    counted = np.asarray(footprint).astype(bool)
    if counted.ndim != len(places):
        raise RuntimeError("footprint array has incorrect shape.")
    counted = np.expand_dims(counted, tuple([k for k in range(x.ndim) if k not in places]))
    windows = windows_of(x, counted.shape, modes, cval, origins)
    return windows, counted.reshape((-1,) + (1,) * x.ndim), np.count_nonzero(counted)


def _at(places, ndim, value, otherwise):
    """What is given for some axes, for each."""
    given = _of_each(value, len(places))
    return tuple([given[places.index(k)] if k in places else otherwise for k in range(ndim)])


def _compared(name, input, *words):
    """As `_ordered`, of numbers that are compared."""
    _orderly(name, np.asarray(input))
    return _ordered(name, input, *words)


def _orderly(name, x):
    """Refuse nan, which has no place among other numbers: SciPy's result is that of its own comparisons."""
    if x.dtype.kind == "f" and np.any(np.isnan(x)):
        raise NotImplementedError(f"scipy.ndimage.{name} of nan, where the result hangs on the order of SciPy's comparisons, is not supported")


def _least(dtype):
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _greatest(dtype):
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.maximum_filter."""
    windows, counted, _ = _compared("maximum_filter", input, size, footprint, None if isinstance(output, np.ndarray) else output, mode, cval, origin, axes)
    return into(np.max(windows if counted is None else np.where(counted, windows, windows.dtype.type(_least(windows.dtype))), axis=0), output)


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.minimum_filter."""
    windows, counted, _ = _compared("minimum_filter", input, size, footprint, None if isinstance(output, np.ndarray) else output, mode, cval, origin, axes)
    return into(np.min(windows if counted is None else np.where(counted, windows, windows.dtype.type(_greatest(windows.dtype))), axis=0), output)


def _sorted(windows, counted):
    return np.sort(windows if counted is None else np.where(counted, windows, windows.dtype.type(_greatest(windows.dtype))), axis=0)


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.median_filter."""
    windows, counted, count = _compared("median_filter", input, size, footprint, None if isinstance(output, np.ndarray) else output, mode, cval, origin, axes)
    return into(_sorted(windows, counted)[count // 2], output)


def rank_filter(input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.rank_filter."""
    windows, counted, count = _compared("rank_filter", input, size, footprint, None if isinstance(output, np.ndarray) else output, mode, cval, origin, axes)
    if not -count <= rank < count:
        raise RuntimeError("rank not within filter footprint size")
    return into(_sorted(windows, counted)[rank % count], output)


def percentile_filter(input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.percentile_filter."""
    windows, counted, count = _compared("percentile_filter", input, size, footprint, None if isinstance(output, np.ndarray) else output, mode, cval, origin, axes)
    part = percentile + 100.0 if percentile < 0 else percentile
    if part < 0 or part > 100:
        raise RuntimeError("invalid percentile")
    return into(_sorted(windows, counted)[count - 1 if part == 100.0 else int(float(count) * part / 100.0)], output)


def _along(name, filtered, input, size, axis, output, mode, cval, origin):
    x = np.asarray(input)
    if size < 1:
        raise RuntimeError("incorrect filter size")
    if output is not None:
        unsupported(f"scipy.ndimage.{name}(…, output=…)", "its result")
    place = axis % x.ndim
    return filtered(x, tuple([size if k == place else 1 for k in range(x.ndim)]), mode=mode, cval=cval, origin=tuple([origin if k == place else 0 for k in range(x.ndim)]))


def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """scipy.ndimage.maximum_filter1d."""
    return _along("maximum_filter1d", maximum_filter, input, size, axis, output, mode, cval, origin)


def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """scipy.ndimage.minimum_filter1d."""
    return _along("minimum_filter1d", minimum_filter, input, size, axis, output, mode, cval, origin)


def generic_filter(input, function, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, extra_arguments=(), extra_keywords=None, *, axes=None):
    """scipy.ndimage.generic_filter by the size of the window: a function of the numbers of each."""
    if footprint is not None:
        unsupported("scipy.ndimage.generic_filter(…, footprint=…)", "size, and the numbers that count in the function")
    windows, _, count = _ordered("generic_filter", input, size, footprint, output, mode, cval, origin, axes)
    shape = windows.shape[1:]
    flat = windows.reshape(count, -1).astype(np.float64)
    found = np.zeros(flat.shape[1], windows.dtype)
    keywords = {} if extra_keywords is None else extra_keywords
    for k in range(flat.shape[1]):
        found[k] = function(flat[:, k], *extra_arguments, **keywords)
    return found.reshape(shape)


# ---- scipy.signal's ---------------------------------------------------------------------------------------------------------------------


def medfilt(volume, kernel_size=None):
    """scipy.signal.medfilt: medians of windows, with zeros around."""
    x = np.atleast_1d(volume)
    sizes = _of_each(3 if kernel_size is None else kernel_size, x.ndim)
    for size in sizes:
        if size % 2 != 1:
            raise ValueError("Each element of kernel_size should be odd.")
    return median_filter(x, sizes, mode="constant")


def medfilt2d(input, kernel_size=3):
    """scipy.signal.medfilt2d."""
    return medfilt(input, kernel_size)


def order_filter(a, domain, rank):
    """scipy.signal.order_filter."""
    domain = np.asarray(domain)
    for size in domain.shape:
        if size % 2 != 1:
            raise ValueError("Each dimension of domain argument should have an odd number of elements.")
    return rank_filter(a, rank, footprint=domain, mode="constant")


# ---- morphology -------------------------------------------------------------------------------------------------------------------------


def _mirrored(size, footprint, origin, ndim):
    """The window of a dilation: the structure turned round."""
    sizes = _of_each(size, ndim) if footprint is None else np.asarray(footprint).shape
    turned = None if footprint is None else np.flip(np.asarray(footprint))
    return turned, tuple([-each if n % 2 else -each - 1 for each, n in zip(_of_each(origin, ndim), sizes, strict=True)])


def _raised(name, input, footprint, structure, output, mode, cval, origin, axes):
    """The windows in float64, the heights of the structure beside them, and which count."""
    heights = np.asarray(structure, np.float64)
    counted = np.ones(heights.shape, bool) if footprint is None else np.asarray(footprint).astype(bool)
    if counted.shape != heights.shape:
        raise RuntimeError("structure array has incorrect shape")
    windows, there, _ = _ordered(name, input, None, counted, output, mode, cval, origin, axes)
    return windows.astype(np.float64), heights.reshape((-1,) + (1,) * (windows.ndim - 1)), there


def _refuse_output(name, output):
    if output is not None:
        unsupported(f"scipy.ndimage.{name}(…, output=…)", "its result")


def grey_erosion(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.grey_erosion."""
    if structure is not None:
        windows, heights, there = _raised("grey_erosion", input, footprint, structure, output, mode, cval, origin, axes)
        return np.min(np.where(there, windows - heights, np.inf), axis=0).astype(np.asarray(input).dtype)
    if size is None and footprint is None:
        raise ValueError("size, footprint, or structure must be specified")
    return minimum_filter(input, size, footprint, output, mode, cval, origin, axes=axes)


def grey_dilation(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.grey_dilation."""
    if structure is not None:
        turned, places = _mirrored(None, structure, origin, len(axes_of(axes, np.ndim(input))))
        there = None if footprint is None else np.flip(np.asarray(footprint))
        windows, heights, there = _raised("grey_dilation", input, there, turned, output, mode, cval, places, axes)
        return np.max(np.where(there, windows + heights, -np.inf), axis=0).astype(np.asarray(input).dtype)
    if size is None and footprint is None:
        raise ValueError("size, footprint, or structure must be specified")
    turned, places = _mirrored(size, footprint, origin, len(axes_of(axes, np.ndim(input))))
    return maximum_filter(input, size, turned, output, mode, cval, places, axes=axes)


def grey_opening(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.grey_opening."""
    _refuse_output("grey_opening", output)
    return grey_dilation(grey_erosion(input, size, footprint, structure, output, mode, cval, origin, axes=axes), size, footprint, structure, None, mode, cval, origin, axes=axes)


def grey_closing(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.grey_closing."""
    _refuse_output("grey_closing", output)
    return grey_erosion(grey_dilation(input, size, footprint, structure, output, mode, cval, origin, axes=axes), size, footprint, structure, None, mode, cval, origin, axes=axes)


def morphological_gradient(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.morphological_gradient."""
    _refuse_output("morphological_gradient", output)
    grown = grey_dilation(input, size, footprint, structure, output, mode, cval, origin, axes=axes)
    return grown - grey_erosion(input, size, footprint, structure, None, mode, cval, origin, axes=axes)


def morphological_laplace(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.morphological_laplace."""
    _refuse_output("morphological_laplace", output)
    x = np.asarray(input)
    return grey_dilation(x, size, footprint, structure, output, mode, cval, origin, axes=axes) + grey_erosion(x, size, footprint, structure, output, mode, cval, origin, axes=axes) - x - x


def white_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.white_tophat."""
    return np.asarray(input) - grey_opening(input, size, footprint, structure, output, mode, cval, origin, axes=axes)


def black_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.black_tophat."""
    return grey_closing(input, size, footprint, structure, output, mode, cval, origin, axes=axes) - np.asarray(input)


IMAGE_WINDOWS: dict[str, Any] = {
    **{
        f"scipy.ndimage.{function.__name__}": function for function in (
            maximum_filter, minimum_filter, median_filter, rank_filter, percentile_filter, maximum_filter1d, minimum_filter1d, generic_filter, grey_erosion, grey_dilation,
            grey_opening, grey_closing, morphological_gradient, morphological_laplace, white_tophat, black_tophat,
        )
    },
    **{f"scipy.signal.{function.__name__}": function for function in (medfilt, medfilt2d, order_filter)},
}  # fmt: skip
"""By qualified name."""
