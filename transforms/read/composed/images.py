"""scipy.ndimage: derivatives of smoothed images, extreme values of windows, values between the pixels."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _MODES, _continued, _floats, gaussian_filter


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """scipy.ndimage.gaussian_laplace of floats: the sum of the second derivatives of the smoothed image."""
    x = _floats("gaussian_laplace", input, output)
    if axes is not None:
        unsupported("scipy.ndimage.gaussian_laplace(…, axes=…)", "gaussian_filter along each")
    found = _bent(x, 0, 2, sigma, mode, cval, kwargs)
    for axis in range(1, x.ndim):
        found = found + _bent(x, axis, 2, sigma, mode, cval, kwargs)
    return found


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """scipy.ndimage.gaussian_gradient_magnitude of floats."""
    x = _floats("gaussian_gradient_magnitude", input, output)
    if axes is not None:
        unsupported("scipy.ndimage.gaussian_gradient_magnitude(…, axes=…)", "gaussian_filter along each")
    found = _bent(x, 0, 1, sigma, mode, cval, kwargs) ** 2
    for axis in range(1, x.ndim):
        found = found + _bent(x, axis, 1, sigma, mode, cval, kwargs) ** 2
    return np.sqrt(found)


def _bent(x, axis, order, sigma, mode, cval, kwargs):
    return gaussian_filter(x, sigma, tuple([order if k == axis else 0 for k in range(x.ndim)]), None, mode, cval, **kwargs)


# ---- windows -------------------------------------------------------------------------------------------------------------------------


def _windows(name, input, size, footprint, output, mode, cval, origin, axes):
    """The numbers of each window along a first axis."""
    x = _floats(name, input, output)
    if footprint is not None or axes is not None or isinstance(origin, (tuple, list)) or origin != 0 or size is None:
        unsupported(f"scipy.ndimage.{name} with footprint, axes or origin", "size")
    if mode not in _MODES:
        raise RuntimeError("boundary mode not supported")
    sizes = tuple(size) if isinstance(size, (tuple, list)) else (size,) * x.ndim
    padded = x
    for axis in range(x.ndim):
        before = sizes[axis] // 2
        places = np.arange(-before, x.shape[axis] + sizes[axis] - 1 - before)
        padded = np.take(padded, _continued(places, x.shape[axis], mode), axis=axis)
        if mode in ("constant", "grid-constant"):
            inside = ((places >= 0) & (places < x.shape[axis])).reshape((1,) * axis + (-1,) + (1,) * (x.ndim - 1 - axis))
            padded = np.where(inside, padded, cval).astype(x.dtype)
    return np.stack([padded[tuple([slice(corner[k], corner[k] + x.shape[k]) for k in range(x.ndim)])] for corner in np.ndindex(sizes)])


def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.maximum_filter of floats, by the size of the window."""
    return np.max(_windows("maximum_filter", input, size, footprint, output, mode, cval, origin, axes), axis=0)


def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.minimum_filter of floats, by the size of the window."""
    return np.min(_windows("minimum_filter", input, size, footprint, output, mode, cval, origin, axes), axis=0)


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """scipy.ndimage.median_filter of floats, by the size of the window."""
    windows = np.sort(_windows("median_filter", input, size, footprint, output, mode, cval, origin, axes), axis=0)
    return windows[windows.shape[0] // 2]


# ---- between the pixels --------------------------------------------------------------------------------------------------------------


def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """scipy.ndimage.map_coordinates of floats by lines (order 1) or the nearest pixel (order 0)."""
    x, at = _floats("map_coordinates", input, output), np.asarray(coordinates, np.float64)
    if order not in (0, 1):
        unsupported(f"scipy.ndimage.map_coordinates(…, order={order})", "order=1, or scipy.interpolate.RectBivariateSpline")
    if mode not in ("constant", "nearest", "reflect", "grid-mirror", "mirror", "grid-wrap"):
        unsupported(f"scipy.ndimage.map_coordinates(…, mode={mode!r})", "mode='constant', 'nearest', 'reflect', 'mirror' or 'grid-wrap'")
    if at.shape[0] != x.ndim:
        raise RuntimeError("invalid shape for coordinate array")
    outside = np.zeros(at.shape[1:], bool)
    lows, parts = [], []
    for k in range(x.ndim):
        place, n = at[k], x.shape[k]
        if mode == "constant":
            outside = outside | (place < 0) | (place > n - 1)
            place = np.clip(place, 0.0, n - 1.0)
        elif mode == "nearest":
            place = np.clip(place, 0.0, n - 1.0)
        low = np.floor(place + 0.5 if order == 0 else place)
        lows.append(low.astype(np.int64))
        parts.append(place - low)
    if order == 0:
        found = x[tuple([_continued(low, n, mode) for low, n in zip(lows, x.shape, strict=True)])]
    else:
        found = np.zeros(at.shape[1:])
        for corner in np.ndindex((2,) * x.ndim):
            weight = np.ones(at.shape[1:])
            for side, part in zip(corner, parts, strict=True):
                weight = weight * (part if side else 1.0 - part)
            found = found + weight * x[tuple([_continued(low + side, n, mode) for low, side, n in zip(lows, corner, x.shape, strict=True)])]
    return np.where(outside, cval, found).astype(x.dtype)


IMAGES: dict[str, Any] = {
    f"scipy.ndimage.{function.__name__}": function for function in (gaussian_laplace, gaussian_gradient_magnitude, maximum_filter, minimum_filter, median_filter, map_coordinates)
}
"""By qualified name."""
