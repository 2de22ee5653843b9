"""scipy.ndimage: images between their pixels, by splines.

Methods: Unser 1999 (the filters whose results are the coefficients), de Boor's recurrence for the values of the splines.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.signals import _continued, _of_each, kind_of
from s2s.transforms.read.installed import SCIPY_1_18

_POLES = {
    2: (-0.171572875253809902396622551580603843,),
    3: (-0.267949192431122706472553658494127633,),
    4: (-0.361341225900220177092212841325675255, -0.013725429297339121360331226939128204),
    5: (-0.430575347099973791851434783493520110, -0.043096288203264653822712376822550182),
}  # fmt: skip
"""Of the filters, by order."""
_SPLINE_MODES = {"reflect": "reflect", "grid-mirror": "reflect", "nearest": "reflect", "grid-wrap": "grid-wrap"}
"""How coefficients go on beyond the edges; of other modes as in a mirror that lies on the last element."""
_KNOWN = ("constant", "nearest", "reflect", "grid-mirror", "mirror", "grid-wrap", "grid-constant", "wrap")


# ---- coefficients -----------------------------------------------------------------------------------------------------------------------


def spline_filter1d(input, order=3, axis=-1, output=np.float64, mode="mirror"):
    """scipy.ndimage.spline_filter1d."""
    if order < 0 or order > 5:
        raise RuntimeError("spline order not supported")
    if output is not np.float64 and output is not float:
        unsupported("scipy.ndimage.spline_filter1d(…, output=…)", "astype of the result")
    if mode not in ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap"):
        raise RuntimeError("boundary mode not supported")
    x = np.asarray(input)
    if x.dtype.kind == "c":
        unsupported("scipy.ndimage.spline_filter1d of complex numbers", "its real and imaginary parts")
    x = x.astype(np.float64)
    return x if order < 2 else np.moveaxis(_coefficients(np.moveaxis(x, axis, 0), order, mode), 0, axis)


def spline_filter(input, order=3, output=np.float64, mode="mirror"):
    """scipy.ndimage.spline_filter."""
    if order < 2 or order > 5:
        raise RuntimeError("spline order not supported")
    found = np.asarray(input)
    for axis in range(found.ndim):
        found = spline_filter1d(found, order, axis, output, mode)
    return found


def _coefficients(x, order, mode):
    """Along the first axis: a filter forwards and one backwards for each pole."""
    n = x.shape[0]
    if n < 2:
        return x
    c = x.copy()
    for z in _POLES[order]:
        c = c * ((1 - z) * (1 - 1 / z))
        c[0] = _first(c, z, n, mode)
        for k in range(1, n):
            c[k] += z * c[k - 1]
        c[n - 1] = _last(c, z, n, mode)
        for k in range(n - 2, -1, -1):
            c[k] = z * (c[k + 1] - c[k])
    return c


def _first(c, z, n, mode):
    """The first number of the filter forwards: what went before, beyond the edge."""
    powers = z ** np.arange(n)
    how = _SPLINE_MODES.get(mode, "mirror")
    if how == "reflect":
        inner = c[1 : n - 1] + z**n * c[n - 2 : 0 : -1]
        total = c[0] + z**n * c[n - 1] + np.tensordot(powers[1 : n - 1], inner, 1)
        first = c[0] if SCIPY_1_18 else total  # until 1.17 SciPy added what it had so far in the place of the first
        total = total + z ** (n - 1) * (c[n - 1] + z**n * first)
        return c[0] + total * (z / (1 - z ** (2 * n)))
    if how == "grid-wrap":
        return (c[0] + np.tensordot(powers[1:], c[:0:-1], 1)) / (1 - z**n)
    inner = powers[1 : n - 1] + z ** (2 * (n - 1)) / powers[1 : n - 1]
    return (c[0] + z ** (n - 1) * c[n - 1] + np.tensordot(inner, c[1 : n - 1], 1)) / (1 - z ** (2 * (n - 1)))


def _last(c, z, n, mode):
    how = _SPLINE_MODES.get(mode, "mirror")
    if how == "reflect":
        return c[n - 1] * (z / (z - 1))
    if how == "grid-wrap":
        return (c[n - 1] + np.tensordot(z ** np.arange(1, n), c[: n - 1], 1)) * (z / (z**n - 1))
    return (z * c[n - 2] + c[n - 1]) * (z / (z * z - 1))


# ---- values -----------------------------------------------------------------------------------------------------------------------------


def _image(name, input, output):
    """An image, in float64 where the result has a dtype of its own, and that dtype."""
    if isinstance(output, np.ndarray):
        unsupported(f"scipy.ndimage.{name}(…, output=…) of an array", "x[...] = of the result")
    kind, x = kind_of(name, input, output), np.asarray(input)
    if kind is not None:
        return x.astype(np.float64), kind
    if x.dtype.kind != "f":
        unsupported(f"scipy.ndimage.{name} of {x.dtype}", "floats")
    return x, x.dtype


def _between(name, x, at, order, mode, cval, prefilter, kind):
    """The image at places: `at` has an array of coordinates for each axis."""
    if order < 0 or order > 5:
        raise RuntimeError("spline order not supported")
    if mode not in _KNOWN:
        raise RuntimeError("boundary mode not supported")
    if mode in ("wrap", "grid-constant"):
        unsupported(f"scipy.ndimage.{name}(…, mode={mode!r})", "mode='constant', 'nearest', 'reflect', 'mirror' or 'grid-wrap'")
    c, more = x.astype(np.float64), 0
    if prefilter and order > 1:
        more = 12 if mode == "nearest" else 0
        c = spline_filter(np.pad(c, more, mode="edge") if more else c, order, mode=mode)
    outside = np.zeros(np.shape(at[0]), bool)
    places, weights = [], []
    for k in range(x.ndim):
        where, n = at[k] + more, c.shape[k]
        if mode == "constant":
            outside = outside | (where < 0) | (where > n - 1)
            where = np.clip(where, 0.0, n - 1.0)
        elif mode == "nearest":
            where = np.clip(where, 0.0, n - 1.0)
        low = np.floor(where if order % 2 else where + 0.5)
        part, start = where - low + (0.0 if order % 2 else 0.5), low.astype(np.int64) - order // 2
        how = mode if order < 2 or mode == "nearest" else _SPLINE_MODES.get(mode, "mirror")
        axes = (1,) * k + (order + 1,) + (1,) * (x.ndim - 1 - k)
        around = _continued(start + np.arange(order + 1).reshape((-1,) + (1,) * start.ndim), n, how)
        places.append(around.reshape(axes + around.shape[1:]))
        weights.append(np.stack(_basis(part, order)).reshape(axes + around.shape[1:]))
    total = c[tuple(places)]
    for weight in weights:
        total = total * weight
    found = np.sum(total, axis=tuple(range(x.ndim)))
    return np.where(outside, cval, found).astype(kind)


def _basis(part, order):
    """The splines that are not zero at a part of the way from one knot to the next."""
    if order == 0:
        return [np.ones_like(part)]
    values = [np.ones_like(part)]
    for degree in range(1, order + 1):
        carried, following = np.zeros_like(part), []
        for r in range(degree):
            share = values[r] / degree
            following.append(carried + (r + 1 - part) * share)
            carried = (part + (degree - 1 - r)) * share
        values = [*following, carried]
    return values


def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """scipy.ndimage.map_coordinates of floats."""
    (x, kind), at = _image("map_coordinates", input, output), np.asarray(coordinates, np.float64)
    if at.shape[0] != x.ndim:
        raise RuntimeError("invalid shape for coordinate array")
    return _between("map_coordinates", x, [at[k] for k in range(x.ndim)], order, mode, cval, prefilter, kind)


def _places(shape):
    """The coordinates of all elements of an array."""
    return np.meshgrid(*[np.arange(n).astype(np.float64) for n in shape], indexing="ij")


def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """scipy.ndimage.shift of floats."""
    x, kind = _image("shift", input, output)
    by = _of_each(shift, x.ndim) if np.ndim(shift) == 0 or isinstance(shift, (tuple, list)) else [shift[k] for k in range(x.ndim)]
    return _between("shift", x, [place - each for place, each in zip(_places(x.shape), by, strict=True)], order, mode, cval, prefilter, kind)


def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """scipy.ndimage.zoom of floats."""
    x, kind = _image("zoom", input, output)
    sizes = tuple([int(round(n * by)) for n, by in zip(x.shape, _of_each(zoom, x.ndim), strict=True)])  # noqa: RUF046 - of run time it is a float
    if grid_mode:
        at = [(place + 0.5) * (n / m) - 0.5 for place, n, m in zip(_places(sizes), x.shape, sizes, strict=True)]
        return _between("zoom", x, at, order, mode, cval, prefilter, kind)
    at = [place * ((n - 1) / np.maximum(m - 1, 1) if m != 1 else 1.0) for place, n, m in zip(_places(sizes), x.shape, sizes, strict=True)]
    return _between("zoom", x, at, order, mode, cval, prefilter, kind)


def affine_transform(input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """scipy.ndimage.affine_transform of floats."""
    (x, kind), matrix = _image("affine_transform", input, output), np.asarray(matrix, np.float64)
    n = x.ndim
    if matrix.ndim not in (1, 2):
        raise RuntimeError("no proper affine matrix provided")
    if matrix.ndim == 2 and surely(matrix.shape[1] == n + 1) and (surely(matrix.shape[0] == n) or surely(matrix.shape[0] == n + 1)):
        offset, matrix = matrix[:n, n], matrix[:n, :n]
    if matrix.shape[0] != n:
        raise RuntimeError("affine matrix has wrong number of rows")
    if matrix.ndim == 2 and matrix.shape[1] != n:
        raise RuntimeError("affine matrix has wrong number of columns")
    by = (offset,) * n if np.ndim(offset) == 0 else [offset[k] for k in range(n)]
    places = _places(x.shape if output_shape is None else output_shape)
    if matrix.ndim == 1:
        at = [matrix[k] * places[k] + by[k] for k in range(n)]
    else:
        at = [sum([matrix[k, j] * places[j] for j in range(n)]) + by[k] for k in range(n)]
    return _between("affine_transform", x, at, order, mode, cval, prefilter, kind)


def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """scipy.ndimage.rotate of floats, in the plane of all of an image's axes."""
    x, kind = _image("rotate", input, output)
    if x.ndim != 2 or axes[0] % 2 == axes[1] % 2:
        unsupported("scipy.ndimage.rotate of other arrays than tables", "a loop over the planes")
    cos, sin = _cosine(angle), _cosine(angle - 90.0)
    height, width = x.shape
    rows, columns = height, width
    if reshape:
        rows = int(np.abs(sin) * width + np.abs(cos) * height + 0.5)
        columns = int(np.abs(sin) * height + np.abs(cos) * width + 0.5)
    middle, beside = (rows - 1) / 2, (columns - 1) / 2
    first, second = _places((rows, columns))
    first, second = first - middle, second - beside
    at = [cos * first + sin * second + (height - 1) / 2, cos * second - sin * first + (width - 1) / 2]
    return _between("rotate", x, at, order, mode, cval, prefilter, kind)


def _cosine(angle):
    """Of degrees; of multiples of 90 it is exact."""
    turn = np.mod(angle, 360.0)
    found = np.cos(np.deg2rad(angle))
    return np.where((turn == 90.0) | (turn == 270.0), 0.0, found)[()]


def geometric_transform(input, mapping, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True, extra_arguments=(), extra_keywords=None):
    """scipy.ndimage.geometric_transform of floats."""
    x, kind = _image("geometric_transform", input, output)
    shape = x.shape if output_shape is None else tuple(output_shape)
    keywords = {} if extra_keywords is None else extra_keywords
    flat = [each.ravel() for each in np.meshgrid(*[np.arange(n) for n in shape], indexing="ij")]
    at = np.zeros((x.ndim, flat[0].shape[0]))
    for k in range(flat[0].shape[0]):
        found = mapping(tuple([each[k] for each in flat]), *extra_arguments, **keywords)
        for axis in range(x.ndim):
            at[axis, k] = found[axis]
    return _between("geometric_transform", x, [at[axis].reshape(shape) for axis in range(x.ndim)], order, mode, cval, prefilter, kind)


IMAGE_SPLINES: dict[str, Any] = {
    f"scipy.ndimage.{function.__name__}": function for function in (spline_filter1d, spline_filter, map_coordinates, shift, zoom, affine_transform, rotate, geometric_transform)
}
"""By qualified name."""
