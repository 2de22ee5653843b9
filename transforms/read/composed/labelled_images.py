"""scipy.ndimage: where labelled numbers are least and largest, their medians, histograms and what a function makes of them; structures."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.binary_images import _binary, _cross, _dilated, _eroded, _groups, binary_dilation, maximum, minimum
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _of_each

# ---- places ------------------------------------------------------------------------------------------------------------------------------


def _rows(name, input, labels, index):
    """The numbers of each group in a row, and which of them belong to it; refused where one is nan."""
    rows, there = _rows_with_nan(name, input, labels, index)
    if rows.dtype.kind == "f" and np.any(np.isnan(rows)):
        raise NotImplementedError(f"scipy.ndimage.{name} of numbers that are nan is not supported")
    return rows, there


def _rows_with_nan(name, input, labels, index):
    x, there = _groups(input, labels, index)
    if x.dtype.kind not in "fiu":
        unsupported(f"scipy.ndimage.{name} of {x.dtype}", "floats or integers")
    flat = there.reshape(there.shape[0], -1)
    if not np.all(np.any(flat, axis=1)):
        raise NotImplementedError(f"scipy.ndimage.{name} of a label that is nowhere is not supported")
    return x.reshape(1, -1), flat


def _coordinates(place, shape):
    found = ()
    for size in shape[::-1]:
        found = (place % size, *found)
        place = place // size
    return found


def _positions(places, input, index):
    shape = np.shape(input)
    if index is None or np.ndim(index) == 0:
        return _coordinates(places[0], shape)
    return [_coordinates(places[k], shape) for k in range(len(index))]


def _least_places(rows, there):
    beyond = np.inf if rows.dtype.kind == "f" else np.iinfo(rows.dtype).max
    return np.argmin(np.where(there, rows, rows.dtype.type(beyond)), axis=1)


def _largest_places(rows, there, index):
    """Of equal ones the first; of several labels the last, as where SciPy's sort keeps their order (of many numbers it need not)."""
    beyond = -np.inf if rows.dtype.kind == "f" else np.iinfo(rows.dtype).min
    held = np.where(there, rows, rows.dtype.type(beyond))
    if index is None or np.ndim(index) == 0:
        return np.argmax(held, axis=1)
    return held.shape[1] - 1 - np.argmax(held[:, ::-1], axis=1)


def minimum_position(input, labels=None, index=None):
    """scipy.ndimage.minimum_position: a tuple of coordinates, or a list of them."""
    rows, there = _rows("minimum_position", input, labels, index)
    return _positions(_least_places(rows, there), input, index)


def maximum_position(input, labels=None, index=None):
    """scipy.ndimage.maximum_position: a tuple of coordinates, or a list of them."""
    rows, there = _rows("maximum_position", input, labels, index)
    return _positions(_largest_places(rows, there, index), input, index)


def extrema(input, labels=None, index=None):
    """scipy.ndimage.extrema: the least and the largest numbers, and where they are."""
    rows, there = _rows("extrema", input, labels, index)
    low, high = _positions(_least_places(rows, there), input, index), _positions(_largest_places(rows, there, index), input, index)
    return minimum(input, labels, index), maximum(input, labels, index), low, high


# ---- of the numbers of a label -----------------------------------------------------------------------------------------------------------


def median(input, labels=None, index=None):
    """scipy.ndimage.median."""
    rows, there = _rows_with_nan("median", input, labels, index)
    floats = rows if rows.dtype.kind == "f" else rows.astype(np.float64)
    ordered, count = np.sort(np.where(there, floats, floats.dtype.type(np.nan)), axis=1), np.sum(there, axis=1)
    each = np.arange(count.shape[0])
    found = (ordered[each, (count - 1) // 2] + ordered[each, count // 2]) / 2
    if index is None or np.ndim(index) == 0:
        found = np.where(np.any(np.isnan(floats) & there, axis=1), floats.dtype.type(np.nan), found)
    return found[0] if index is None or np.ndim(index) == 0 else found


def labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions=False):
    """scipy.ndimage.labeled_comprehension: what a function makes of the numbers of each label."""
    x = np.asarray(input)
    places = np.arange(x.size).reshape(x.shape)
    if labels is None:
        if index is not None:
            raise ValueError("index without defined labels")
        return func(x.ravel(), places.ravel()) if pass_positions else func(x.ravel())
    labels = np.broadcast_to(np.asarray(labels), x.shape)
    if index is None:
        there = labels > 0
        return func(x[there], places[there]) if pass_positions else func(x[there])
    if np.dtype(out_dtype).kind == "O":
        unsupported("scipy.ndimage.labeled_comprehension with out_dtype=object", "a number's type")
    wanted = np.atleast_1d(np.asarray(index))
    found = np.empty(wanted.shape, out_dtype)
    for k in range(wanted.shape[0]):
        there = labels == wanted[k]
        found[k] = default
        if np.any(there):
            found[k] = func(x[there], places[there]) if pass_positions else func(x[there])
    return found[0] if np.ndim(index) == 0 else found


def histogram(input, min, max, bins, labels=None, index=None):
    """scipy.ndimage.histogram of the numbers of one label, or of all that have one."""
    if np.ndim(index) > 0:
        unsupported("scipy.ndimage.histogram of several labels (the result is an array of arrays)", "a loop over the labels")
    x = np.asarray(input)
    if labels is None:
        if index is not None:
            raise ValueError("index without defined labels")
        chosen = x.ravel()
    else:
        labels = np.broadcast_to(np.asarray(labels), x.shape)
        chosen = x[labels > 0] if index is None else x[labels == index]
    if index is not None and chosen.shape[0] == 0:
        raise NotImplementedError("scipy.ndimage.histogram of a label that is nowhere (the result is None) is not supported")
    return np.histogram(chosen, np.linspace(min, max, bins + 1))[0]


# ---- structures ------------------------------------------------------------------------------------------------------------------------


def binary_propagation(input, structure=None, mask=None, output=None, border_value=0, origin=0, *, axes=None):
    """scipy.ndimage.binary_propagation: dilated until nothing changes."""
    return binary_dilation(input, structure, -1, mask, output, border_value, origin, axes=axes)


def binary_hit_or_miss(input, structure1=None, structure2=None, output=None, origin1=0, origin2=None, *, axes=None):
    """scipy.ndimage.binary_hit_or_miss: where one structure is in the image and the other one outside of it."""
    x, hit = _binary("binary_hit_or_miss", input, structure1, output, axes)
    miss = ~hit if structure2 is None else _cross(structure2, x.ndim)
    one = _of_each(origin1, x.ndim)
    other = one if origin2 is None else _of_each(origin2, x.ndim)
    return _eroded(x, hit, False, one) & _eroded(~x, miss, True, other)


def iterate_structure(structure, iterations, origin=None):
    """scipy.ndimage.iterate_structure: the structure that dilates as often at once."""
    structure = np.asarray(structure)
    if not isinstance(iterations, int):
        unsupported("scipy.ndimage.iterate_structure of a run-time number of iterations", "a number")
    if iterations < 2:
        if origin is not None:
            unsupported("scipy.ndimage.iterate_structure of less than two iterations with an origin", "the structure itself")
        return structure.copy()
    more, shape = iterations - 1, structure.shape
    found = np.zeros(tuple([n + more * (n - 1) for n in shape]), bool)
    found[tuple([slice(more * (n // 2), more * (n // 2) + n) for n in shape])] = structure != 0
    for _ in range(more):
        found = _dilated(found, structure != 0, False, (0,) * structure.ndim)
    if origin is None:
        return found
    return found, [iterations * each for each in _of_each(origin, structure.ndim)]


CALLING: dict[str, Any] = {"scipy.ndimage.labeled_comprehension": labeled_comprehension}
"""That calls the user's function."""
LABELLED_IMAGES: dict[str, Any] = {
    f"scipy.ndimage.{function.__name__}": function
    for function in (minimum_position, maximum_position, extrema, median, histogram, labeled_comprehension, binary_propagation, binary_hit_or_miss, iterate_structure)
}
"""By qualified name."""
