"""Functions of lists of arrays of several lengths, and what cuts arrays into such: plain NumPy source, read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np


def stacked(name, arrays):
    """The array that NumPy's function of this name makes of such a list: all are to be of one shape."""
    shape = arrays[0].shape
    found = np.empty((len(arrays), *shape), arrays[0].dtype)
    for k, each in enumerate(arrays):
        if each.shape != shape:
            if name == "stack":
                raise ValueError("all input arrays must have the same shape")
            if name == "vstack":
                raise ValueError(f"all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size {len(arrays[0])} and the array at index {k} has size {len(each)}")
            raise ValueError(f"setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was ({len(arrays)},) + inhomogeneous part.")
        found[k] = each
    return found


def concatenate(arrays, axis=0):
    """np.concatenate."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")
    first = arrays[0]
    if axis is None:
        return _concatenated([np.ravel(each) for each in arrays])
    if axis in (0, -first.ndim):
        return _concatenated(arrays)
    return np.ascontiguousarray(np.moveaxis(_concatenated([np.moveaxis(each, axis, 0) for each in arrays]), 0, axis))


def _concatenated(arrays):
    size = 0
    for each in arrays:
        size += len(each)
    first = arrays[0]
    found = np.empty((size, *first.shape[1:]), first.dtype)
    end = 0
    for k, each in enumerate(arrays):
        for axis in range(1, first.ndim):
            if each.shape[axis] != first.shape[axis]:
                raise ValueError(f"all the input array dimensions except for the concatenation axis must match exactly, but along dimension {axis}, the array at index 0 has size {first.shape[axis]} and the array at index {k} has size {each.shape[axis]}")
        found[end : end + len(each)] = each
        end += len(each)
    return found


def beside(tup):
    """np.hstack of what has more than one axis."""
    return concatenate(tup, 1)


def split(ary, indices_or_sections, axis=0):
    """np.split and np.array_split at places of which only the run knows how many there are."""
    rows = ary if axis == 0 else np.moveaxis(ary, axis, 0)
    found = []
    start = 0
    for end in indices_or_sections:
        found.append(_part(rows[start:end], axis))
        start = end
    found.append(_part(rows[start:], axis))
    return found


def _part(rows, axis):
    return rows if axis == 0 else np.moveaxis(rows, 0, axis)


__all__ = ["beside", "concatenate", "split", "stacked"]
