"""NumPy's sets: unique elements, intersections, differences, membership."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    """np.unique: the elements in rising order, each once, and where and how often they stand."""
    ar = np.asarray(ar)
    if axis is not None and (ar.ndim != 1 or axis not in (0, -1)):
        return _unique_slices(ar, axis, return_index, return_inverse, return_counts)
    flat = ar.ravel()
    order = np.argsort(flat, kind="stable")
    rising = flat[order]
    first = _first(rising, equal_nan)
    found = (rising[first],)
    if return_index:
        found = (*found, order[first])
    if return_inverse:
        inverse = np.empty(flat.size, dtype=np.int64)
        inverse[order] = np.cumsum(first) - 1
        found = (*found, inverse.reshape(ar.shape))
    if return_counts:
        found = (*found, np.diff(np.append(np.flatnonzero(first), flat.size)))
    return found[0] if len(found) == 1 else found


def _unique_slices(ar, axis, return_index, return_inverse, return_counts):
    """The slices along an axis, in the order of their first elements that differ; a slice with a nan is like no other one."""
    moved = np.moveaxis(ar, axis, 0)
    rows = moved.reshape((len(moved), math.prod(moved.shape[1:])))
    order = np.arange(len(rows))
    for k in range(rows.shape[1]):  # the last column first: each sort is stable
        order = order[np.argsort(rows[order, rows.shape[1] - 1 - k], kind="stable")]
    rising = rows[order]
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = np.any(rising[1:] != rising[:-1], axis=1)
    found = (np.moveaxis(moved[order[first]], 0, axis),)
    if return_index:
        found = (*found, order[first])
    if return_inverse:
        inverse = np.empty(len(rows), dtype=np.int64)
        inverse[order] = np.cumsum(first) - 1
        found = (*found, inverse)
    if return_counts:
        found = (*found, np.diff(np.append(np.flatnonzero(first), len(rows))))
    return found[0] if len(found) == 1 else found


def _first(rising, equal_nan):
    """Which elements of a rising vector differ from the one before."""
    first = np.ones(rising.size, dtype=np.bool_)
    first[1:] = rising[1:] != rising[:-1]
    if equal_nan and rising.dtype.kind in "fc":
        first[1:] &= ~(np.isnan(rising[1:]) & np.isnan(rising[:-1]))
    return first


def union1d(ar1, ar2):
    """np.union1d."""
    return unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """np.intersect1d."""
    ar1, ar2 = np.ravel(ar1), np.ravel(ar2)
    if not assume_unique:
        ar1, at1 = unique(ar1, return_index=True)
        ar2, at2 = unique(ar2, return_index=True)
    both = np.concatenate((ar1, ar2))
    order = np.argsort(both, kind="stable")
    rising = both[order]
    same = rising[1:] == rising[:-1]
    found = rising[:-1][same]
    if not return_indices:
        return found
    one, two = order[:-1][same], order[1:][same] - ar1.size
    return (found, one, two) if assume_unique else (found, at1[one], at2[two])


def setdiff1d(ar1, ar2, assume_unique=False):
    """np.setdiff1d."""
    ar1 = np.ravel(ar1) if assume_unique else unique(ar1)
    return ar1[~isin(ar1, ar2)]


def setxor1d(ar1, ar2, assume_unique=False):
    """np.setxor1d."""
    both = np.concatenate((np.ravel(ar1), np.ravel(ar2)) if assume_unique else (unique(ar1), unique(ar2)))
    rising = np.sort(both)
    differs = np.ones(rising.size + 1, dtype=np.bool_)
    differs[1:-1] = rising[1:] != rising[:-1]
    return rising[differs[1:] & differs[:-1]] if rising.size > 0 else rising


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """np.isin: whether each element is one of those."""
    element, those = np.asarray(element), np.ravel(test_elements)
    if np.result_type(element, those).kind == "c":  # they have no order that a search goes by
        found = np.any(element[..., None] == those, axis=-1)
        return np.asarray(~found if invert else found)
    those = np.sort(those)
    found = np.zeros(element.shape, dtype=np.bool_)
    if those.size > 0:
        found = those[np.minimum(np.searchsorted(those, element), those.size - 1)] == element
    return np.asarray(~found if invert else found)


SETS = {f"numpy.{function.__name__}": function for function in (unique, union1d, intersect1d, setdiff1d, setxor1d, isin)}
