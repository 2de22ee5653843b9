"""scipy.ndimage: morphology of binary images, labels of what hangs together, and statistics of labelled numbers."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.image_windows import _greatest, _least, windows_of
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _of_each

# ---- morphology -------------------------------------------------------------------------------------------------------------------------


def _cross(structure, ndim):
    """The structure; if none is given, an element and its neighbours along the axes."""
    if structure is not None:
        return np.asarray(structure).astype(bool)
    return np.sum(np.abs(np.indices((3,) * ndim) - 1), axis=0) <= 1


def _repeated(step, x, iterations, mask):
    """A step as often as told; if that is less than once, until nothing changes. Outside of the mask nothing does."""
    inside = None if mask is None else np.asarray(mask).astype(bool)
    found, count, changing = x, 0, True
    while changing and (iterations < 1 or count < iterations):
        other = step(found)
        other = other if inside is None else np.where(inside, other, x)
        changing = bool(np.any(other != found))
        found = other
        count += 1
    return found


def _eroded(x, structure, border, origins):
    counted = structure.reshape((-1,) + (1,) * x.ndim)
    return np.all(windows_of(x, structure.shape, "constant", border, origins) | ~counted, axis=0)


def _dilated(x, structure, border, origins):
    places = tuple([-origin if n % 2 else -origin - 1 for origin, n in zip(origins, structure.shape, strict=True)])
    counted = np.flip(structure).reshape((-1,) + (1,) * x.ndim)
    return np.any(windows_of(x, structure.shape, "constant", border, places) & counted, axis=0)


def _binary(name, input, structure, output, axes):
    x = np.asarray(input)
    if x.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    if output is not None or axes is not None:
        unsupported(f"scipy.ndimage.{name} with output or axes", "its result")
    shape = _cross(structure, x.ndim)
    if shape.ndim != x.ndim:
        raise RuntimeError("structure and input must have same dimensionality")
    return x != 0, shape


def binary_erosion(input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False, *, axes=None):
    """scipy.ndimage.binary_erosion."""
    x, shape = _binary("binary_erosion", input, structure, output, axes)
    return _repeated(lambda found: _eroded(found, shape, border_value != 0, _of_each(origin, x.ndim)), x, iterations, mask)


def binary_dilation(input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False, *, axes=None):
    """scipy.ndimage.binary_dilation."""
    x, shape = _binary("binary_dilation", input, structure, output, axes)
    return _repeated(lambda found: _dilated(found, shape, border_value != 0, _of_each(origin, x.ndim)), x, iterations, mask)


def binary_opening(input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False, *, axes=None):
    """scipy.ndimage.binary_opening."""
    return binary_dilation(binary_erosion(input, structure, iterations, mask, output, border_value, origin, axes=axes), structure, iterations, mask, None, border_value, origin)


def binary_closing(input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False, *, axes=None):
    """scipy.ndimage.binary_closing."""
    return binary_erosion(binary_dilation(input, structure, iterations, mask, output, border_value, origin, axes=axes), structure, iterations, mask, None, border_value, origin)


def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    """scipy.ndimage.binary_fill_holes: all that can't be reached from outside."""
    x, _ = _binary("binary_fill_holes", input, structure, output, axes)
    return ~binary_dilation(np.zeros_like(x), structure, -1, ~x, None, 1, origin)


# ---- labels -----------------------------------------------------------------------------------------------------------------------------


def label(input, structure=None, output=None):
    """scipy.ndimage.label: the numbers of what hangs together, in the order of its first elements, and how many there are."""
    x, shape = _binary("label", input, structure, output, None)
    for n in shape.shape:
        if n != 3:
            raise ValueError("structure dimensions must be equal to 3")
    if np.any(shape != np.flip(shape)):
        raise RuntimeError("structuring element is not symmetric")
    beyond = x.size + 1
    own = np.arange(1, x.size + 1).reshape(x.shape)
    counted = shape.reshape((-1,) + (1,) * x.ndim)
    found, changing = np.where(x, own, beyond), True
    while changing:
        least = np.min(np.where(counted, windows_of(found, shape.shape, "constant", beyond, (0,) * x.ndim), beyond), axis=0)
        other = np.where(x, np.minimum(least, found), beyond)
        changing = bool(np.any(other != found))
        found = other
    first = (found == own).ravel()
    numbers = np.concatenate((np.cumsum(first), np.zeros(1, np.int64)))
    return np.where(x, numbers[np.where(x, found - 1, x.size)], 0).astype(np.int32), int(np.count_nonzero(first))


def _groups(input, labels, index):
    """For each number of index (of all labels that are positive, if None) where the labels are it, along a first axis."""
    x = np.asarray(input)
    if labels is None:
        if index is not None:
            raise ValueError("labels must be given with index")
        return x[np.newaxis], np.ones((1, *x.shape), bool)
    labels = np.broadcast_to(np.asarray(labels), x.shape)
    if index is None:
        return x[np.newaxis], (labels > 0)[np.newaxis]
    if x.dtype.kind == "c" and np.ndim(index) > 0:
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
    wanted = np.atleast_1d(np.asarray(index))
    if wanted.ndim != 1:
        unsupported("labels of an array of indices with several axes", "index.ravel()")
    return x[np.newaxis], labels == wanted.reshape((-1,) + (1,) * x.ndim)


def _for_index(found, index):
    return found[0] if index is None or np.ndim(index) == 0 else found


def _sums(x, there):
    places = tuple(range(1, there.ndim))
    return np.sum(np.where(there, x, 0), axis=places)


def sum_labels(input, labels=None, index=None):
    """scipy.ndimage.sum_labels."""
    x, there = _groups(input, labels, index)
    return _for_index(_sums(x.astype(np.float64) if np.ndim(index) > 0 else x, there), index)


def mean(input, labels=None, index=None):
    """scipy.ndimage.mean."""
    x, there = _groups(input, labels, index)
    return _for_index(_sums(x, there) / np.sum(there, axis=tuple(range(1, there.ndim))).astype(np.float64), index)


def variance(input, labels=None, index=None):
    """scipy.ndimage.variance."""
    x, there = _groups(input, labels, index)
    count = np.sum(there, axis=tuple(range(1, there.ndim))).astype(np.float64)
    middle = (_sums(x, there) / count).reshape((-1,) + (1,) * (there.ndim - 1))
    if x.dtype.kind == "c":
        return _for_index(_sums((x - middle) * np.conj(x - middle), there) / count, index)
    return _for_index(_sums((x - middle) ** 2, there) / count, index)


def standard_deviation(input, labels=None, index=None):
    """scipy.ndimage.standard_deviation."""
    return np.sqrt(variance(input, labels, index))


def maximum(input, labels=None, index=None):
    """scipy.ndimage.maximum."""
    return _extreme(np.max, _least, input, labels, index)


def minimum(input, labels=None, index=None):
    """scipy.ndimage.minimum."""
    return _extreme(np.min, _greatest, input, labels, index)


def _extreme(which, beyond, input, labels, index):
    x, there = _groups(input, labels, index)
    if x.dtype.kind not in "fiu":
        unsupported(f"extreme values of labelled {x.dtype}", "floats or integers")
    if x.dtype.kind == "f" and np.ndim(index) > 0 and np.any(np.isnan(x)):
        raise NotImplementedError("extreme values of several labels, of numbers that are nan, are not supported")
    places = tuple(range(1, there.ndim))
    found = which(np.where(there, x, x.dtype.type(beyond(x.dtype))), axis=places)
    return _for_index(np.where(np.any(there, axis=places), found, x.dtype.type(0)), index)


def center_of_mass(input, labels=None, index=None):
    """scipy.ndimage.center_of_mass: a tuple of coordinates, or a list of them."""
    x, there = _groups(input, labels, index)
    total, shape = _sums(x, there), x.shape[1:]
    along = []
    for axis in range(len(shape)):
        places = np.arange(shape[axis]).astype(np.float64).reshape((1,) * (axis + 1) + (-1,) + (1,) * (len(shape) - 1 - axis))
        along.append(_sums(x * places, there) / total)
    if index is None or np.ndim(index) == 0:
        return tuple([each[0] for each in along])
    return [tuple([each[k] for each in along]) for k in range(len(index))]


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None):
    """scipy.ndimage.distance_transform_edt: how far it is to the nearest 0, one axis after the other, and where that is (of several the first)."""
    if distances is not None or indices is not None:
        unsupported("scipy.ndimage.distance_transform_edt into given arrays", "its results")
    if not return_distances and not return_indices:
        raise RuntimeError("at least one of return_distances/return_indices must be True")
    x = np.asarray(input)
    if x.ndim == 0:
        unsupported("scipy.ndimage.distance_transform_edt of a number", "an image")
    if np.all(x != 0):
        raise NotImplementedError("scipy.ndimage.distance_transform_edt of an image without 0, of which SciPy's distances mean nothing")
    steps = tuple(sampling) if isinstance(sampling, (tuple, list)) else (1.0 if sampling is None else sampling,) * x.ndim
    if len(steps) != x.ndim:
        raise RuntimeError("sequence argument must have length equal to input rank")
    square, where = np.where(x == 0, 0.0, np.inf), []
    for axis, step in enumerate(steps):
        rows = np.moveaxis(square, axis, 0)
        places = np.arange(rows.shape[0]).reshape((-1,) + (1,) * (x.ndim - 1))
        nearest, first = np.full(rows.shape, np.inf), np.zeros(rows.shape, np.int64)
        for place in range(rows.shape[0]):
            far = rows[place] + ((places - place) * step) ** 2
            first = np.where(far < nearest, place, first)
            nearest = np.minimum(nearest, far)
        square = np.moveaxis(nearest, 0, axis)
        if return_indices:
            where = [np.moveaxis(np.take_along_axis(np.moveaxis(each, axis, 0), first, 0), 0, axis) for each in where] + [np.moveaxis(first, 0, axis)]
    if not return_indices:
        return np.sqrt(square)
    found = np.stack(where).astype(np.int32)
    return (np.sqrt(square), found) if return_distances else found


BINARY_IMAGES: dict[str, Any] = {
    **{
        f"scipy.ndimage.{function.__name__}": function for function in (
            binary_erosion, binary_dilation, binary_opening, binary_closing, binary_fill_holes, label, sum_labels, mean, variance, standard_deviation, maximum, minimum, center_of_mass,
            distance_transform_edt,
        )
    },
    "scipy.ndimage.sum": sum_labels,
}  # fmt: skip
"""By qualified name."""
