"""NumPy's functions whose results are as long as values make them, with JAX's `size`: a length that is said, to which results are cut off or filled.

    nonzero([0, 1, 1], size=3)      ->      ([1, 2, 0],)
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# ---- places ------------------------------------------------------------------------------------------------------------------


def nonzero(a, *, size=None, fill_value=None):
    """np.nonzero; `fill_value`: a number, or one for each axis.

    >>> nonzero([0, 1, 1], size=3, fill_value=-1)
    (array([ 1,  2, -1]),)
    """
    places = np.nonzero(a)
    if size is None:
        return places
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * len(places)
    return tuple([_filled(found, size, 0 if fill is None else fill) for found, fill in zip(places, fills, strict=True)])


def flatnonzero(a, *, size=None, fill_value=None):
    """np.flatnonzero.

    >>> flatnonzero([[0, 5], [6, 0]], size=3)
    array([1, 2, 0])
    """
    return _filled(np.flatnonzero(a), size, 0 if fill_value is None else fill_value)


def argwhere(a, *, size=None, fill_value=None):
    """np.argwhere.

    >>> argwhere([[0, 5], [6, 0]], size=1)
    array([[0, 1]])
    """
    return _filled(np.argwhere(a), size, 0 if fill_value is None else fill_value)


def where(condition, x=None, y=None, /, *, size=None, fill_value=None):
    """np.where.

    >>> where([True, False, True], size=2)
    (array([0, 2]),)
    """
    if x is None and y is None:
        return nonzero(condition, size=size, fill_value=fill_value)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return np.where(condition, x, y)


def mask_indices(n, mask_func, k=0, *, size=None):
    """np.mask_indices.

    >>> mask_indices(2, np.triu, size=2)
    (array([0, 0]), array([0, 1]))
    """
    return nonzero(mask_func(np.ones((n, n), dtype=np.int64), k), size=size)


def compress(condition, a, axis=None, out=None, *, size=None, fill_value=0):
    """np.compress.

    >>> compress([False, True, True], [1, 2, 3], size=3)
    array([2, 3, 0])
    """
    found = np.compress(condition, a, axis=axis, out=out)
    if size is None:
        return found
    along = 0 if axis is None else axis
    return np.moveaxis(_filled(np.moveaxis(found, along, 0), size, fill_value), 0, along)


def extract(condition, arr, *, size=None, fill_value=0):
    """np.extract.

    >>> extract([False, True, True], [1, 2, 3], size=1)
    array([2])
    """
    return _filled(np.extract(condition, arr), size, fill_value)


# ---- sets --------------------------------------------------------------------------------------------------------------------


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True, size=None, fill_value=None):
    """np.unique, always sorted. Filled with the least element; places of what fills are the least one's, counts 0.

    >>> unique([3, 1, 3], return_counts=True, size=3)
    (array([1, 3, 1]), array([1, 2, 0]))
    """
    if size is None:
        return np.unique(ar, return_index=return_index, return_inverse=return_inverse, return_counts=return_counts, axis=axis, equal_nan=equal_nan)
    if fill_value is None and size > 0 and np.size(ar) == 0:
        raise ValueError("jnp.unique: for zero-sized input with nonzero size argument, fill_value must be specified")
    values, index, inverse, counts = np.unique(ar, True, True, True, axis, equal_nan=equal_nan)
    along = 0 if axis is None else axis
    rows = np.moveaxis(values, along, 0)
    values = np.moveaxis(_filled(rows, size, _least(rows) if fill_value is None else fill_value), 0, along)
    found = (values,)
    if return_index:
        found = (*found, _filled(index, size, _least(index[:1])))
    if return_inverse:
        found = (*found, inverse)
    if return_counts:
        found = (*found, _filled(counts, size, 0))
    return found if len(found) > 1 else values


def unique_values(x, /, *, size=None, fill_value=None):
    """np.unique_values, sorted.

    >>> unique_values([3, 1, 3], size=3, fill_value=9)
    array([1, 3, 9])
    """
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


def union1d(ar1, ar2, *, size=None, fill_value=None):
    """np.union1d.

    >>> union1d([1, 2], [2, 3], size=4)
    array([1, 2, 3, 1])
    """
    return _sized(np.union1d(ar1, ar2), size, fill_value)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False, *, size=None, fill_value=None):
    """np.intersect1d; places of what fills are beyond the end.

    >>> intersect1d([1, 2, 3], [3, 1], size=3)
    array([1, 3, 1])
    """
    found = np.intersect1d(ar1, ar2, assume_unique=assume_unique, return_indices=return_indices)
    if not return_indices:
        return _sized(found, size, fill_value)
    if size is None:
        return found
    return _sized(found[0], size, fill_value), _filled(found[1], size, np.size(ar1)), _filled(found[2], size, np.size(ar2))


def setdiff1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """np.setdiff1d; filled with 0 if nothing is said.

    >>> setdiff1d([1, 2, 3], [2], size=3)
    array([1, 3, 0])
    """
    return _filled(np.setdiff1d(ar1, ar2, assume_unique=assume_unique), size, 0 if fill_value is None else fill_value)


def setxor1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """np.setxor1d.

    >>> setxor1d([1, 2], [2, 3])
    array([1, 3])
    """
    return _sized(np.setxor1d(ar1, ar2, assume_unique=assume_unique), size, fill_value)


# ---- counts ------------------------------------------------------------------------------------------------------------------


def bincount(x, weights=None, minlength=0, *, length=None):
    """np.bincount; of a `length`, what is larger is not counted, and what is negative is counted as 0.

    >>> bincount([1, 3, 1, 9], length=4)
    array([0, 2, 0, 1])
    """
    if length is None:
        return np.bincount(x, weights=weights, minlength=minlength)
    return np.bincount(np.maximum(x, 0), weights=weights, minlength=length)[:length]


def repeat(a, repeats, axis=None, *, total_repeat_length=None):
    """np.repeat; with `total_repeat_length` cut off there, or filled with the last one.

    >>> repeat([5, 6], [2, 1], total_repeat_length=5)
    array([5, 5, 6, 6, 6])
    """
    found = np.repeat(a, repeats, axis=axis)
    if total_repeat_length is None:
        return found
    along = 0 if axis is None else axis
    return np.take(found, np.minimum(np.arange(total_repeat_length), found.shape[along] - 1), axis=along)


# ---- parts -------------------------------------------------------------------------------------------------------------------


def _filled(found, size, fill):
    """As many of them as `size` says along the first axis, `fill` behind the last one."""
    if size is None:
        return found
    made = np.full((size, *found.shape[1:]), fill, dtype=found.dtype)
    count = min(size, found.shape[0])
    made[:count] = found[:count]
    return made


def _least(found):
    """The first of those that were sorted; zeros where there is none."""
    if found.shape[0] > 0:
        return np.array(found[0])
    return np.zeros(found.shape[1:], dtype=found.dtype)


def _sized(found, size, fill_value):
    """The same, filled with the least element if nothing is said."""
    if size is None:
        return found
    return _filled(found, size, _least(found) if fill_value is None else fill_value)


EXPORTED: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        nonzero, flatnonzero, argwhere, where, mask_indices, compress, extract, unique, unique_values, union1d, intersect1d, setdiff1d, setxor1d, bincount, repeat,
    )
}  # fmt: skip
"""s2s.numpy's, by name."""
