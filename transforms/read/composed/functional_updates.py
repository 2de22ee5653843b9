"""x.at[index].set(v), .add(v), .get(), …: what JAX's arrays have in the place of stores, as plain NumPy. x itself stays as it is.

    mode               an integer beyond its axis
    None, promise_in_bounds     IndexError, as of x[index]
    clip               is the nearest one that exists
    drop, fill         is no element: what would be stored there is dropped, what is read there is `fill_value`

The last ones see x with one more element behind each axis that integers index; it takes what is dropped and holds what fills.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import ufunc_methods
from s2s.transforms.read.composed.marks import unsupported

OUTSIDE = ("drop", "fill")
"""Modes in which an index may be that of no element."""
MODES = (None, "promise_in_bounds", "clip", *OUTSIDE)


def get(x, index, *, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None, out_sharding=None, wrap_negative_indices=True):
    """x[index]."""
    _check(mode, out_sharding)
    x = np.asarray(x)
    place = _place(index, x.shape, mode, wrap_negative_indices)
    if mode not in OUTSIDE:
        return np.array(x[place])[()]
    return np.array(_extended(x, index, _filling(x.dtype) if fill_value is None else fill_value)[place])[()]


def set_(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of y[index] = values."""
    _check(mode, out_sharding)
    y = _room(x, index, mode)
    y[_place(index, np.shape(x), mode, wrap_negative_indices)] = values
    return _inner(y, x, mode)


def add(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.add.at(y, index, values)."""
    return _folded(np.add, x, index, values, mode, out_sharding, wrap_negative_indices)


def subtract(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.subtract.at(y, index, values)."""
    return _folded(np.subtract, x, index, values, mode, out_sharding, wrap_negative_indices)


def multiply(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.multiply.at(y, index, values)."""
    return _folded(np.multiply, x, index, values, mode, out_sharding, wrap_negative_indices)


def divide(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.divide.at(y, index, values); of integers floats, as in JAX."""
    x = np.asarray(x)
    return _folded(np.divide, x if x.dtype.kind in "fc" else x.astype(np.float64), index, values, mode, out_sharding, wrap_negative_indices)


def power(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.power.at(y, index, values)."""
    return _folded(np.power, x, index, values, mode, out_sharding, wrap_negative_indices)


def min_(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.minimum.at(y, index, values)."""
    return _folded(np.minimum, x, index, values, mode, out_sharding, wrap_negative_indices)


def max_(x, index, values, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of np.maximum.at(y, index, values)."""
    return _folded(np.maximum, x, index, values, mode, out_sharding, wrap_negative_indices)


def apply(x, index, func, /, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
    """The result of func.at(y, index), of a function of one element."""
    _check(mode, out_sharding)
    y = _room(x, index, mode)
    place = _place(index, np.shape(x), mode, wrap_negative_indices)
    if unique_indices:
        y[place] = func(y[place])
    else:
        ufunc_methods.applied_at(func, y, place)
    return _inner(y, x, mode)


UPDATES: dict[str, Callable[..., Any]] = {
    "get": get, "set": set_, "add": add, "subtract": subtract, "multiply": multiply, "mul": multiply, "divide": divide, "power": power, "min": min_,
    "max": max_, "apply": apply,
}  # fmt: skip
"""x.at[index].name -> the function of (x, index, …)."""


# ---- parts ---------------------------------------------------------------------------------------------------------------


def _folded(op, x, index, values, mode, out_sharding, wrap):
    _check(mode, out_sharding)
    y = _room(x, index, mode)
    _check_cast(op, op(np.ones(1, dtype=y.dtype), values if np.ndim(values) == 0 else np.ones(1, dtype=np.asarray(values).dtype)).dtype, y.dtype)
    place = _place(index, np.shape(x), mode, wrap)
    if op is np.add:  # rows of the program: quicker than a loop
        np.add.at(y, place, values)
    elif op is np.subtract:
        np.subtract.at(y, place, values)
    else:
        ufunc_methods.at(op, y, place, values)
    return _inner(y, x, mode)


def _check_cast(op, found, wanted):
    if not np.can_cast(found, wanted, "same_kind"):
        raise TypeError(f"Cannot cast ufunc '{op.__name__}' output from {found!r} to {wanted!r} with casting rule 'same_kind'")


def _check(mode, out_sharding):
    if mode not in MODES:
        raise ValueError(f"Unrecognized mode: {mode!r} (one of 'promise_in_bounds', 'clip', 'drop' and 'fill')")
    if out_sharding is not None:
        unsupported("x.at[…] with out_sharding", instead="leave it out")


def _room(x, index, mode):
    """A copy of x, with room for what is dropped."""
    return _extended(np.asarray(x), index, 0) if mode in OUTSIDE else np.array(x)


def _inner(y, x, mode):
    """The result without that room."""
    return np.array(y[tuple([slice(0, length) for length in np.shape(x)])]) if mode in OUTSIDE else y


def _is_integers(item):
    """Whether an item of an index is an integer or an array of them."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return False
    return np.asarray(item).dtype.kind in "iu"


def _axes_of(item):
    """How many axes an item of an index takes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, slice) or _is_integers(item):
        return 1
    return np.ndim(item)


def _items(index, ndim):
    """The index with a tuple of all axes: what is left out is `:`."""
    items = index if isinstance(index, tuple) else (index,)
    missing = (slice(None),) * (ndim - sum([_axes_of(item) for item in items]))
    whole = ()
    for item in items:
        if item is Ellipsis:
            whole = (*whole, *missing)
            missing = ()
        else:
            whole = (*whole, item)
    return (*whole, *missing)


def _place(index, shape, mode, wrap):
    """The index with its integers where the mode has them."""
    if wrap and (mode is None or mode == "promise_in_bounds"):
        return index
    axis = 0
    place = ()
    for item in _items(index, len(shape)):
        place = (*place, _placed(np.asarray(item), shape[axis], mode, wrap) if _is_integers(item) else item)
        axis += _axes_of(item)
    return place


def _placed(item, length, mode, wrap):
    at = np.where(item < 0, item + length, item) if wrap else item
    if mode == "clip":
        return np.clip(at, 0, length - 1)
    return np.where((at < 0) | (at >= length), length, at)  # beyond the end: dropped, filled, or an IndexError


def _extended(x, index, fill):
    """x with one more element, `fill`, behind each axis that integers index."""
    widths = ()
    for item in _items(index, x.ndim):
        widths = (*widths, *([(0, 1 if _is_integers(item) else 0)] * _axes_of(item)))
    if not widths:
        return np.array(x)
    return np.pad(x, widths, constant_values=np.asarray(fill).astype(x.dtype))


def _filling(dtype):
    """What `get` reads beyond an axis if nothing is said: nan, the least integer, the largest one of those without a sign, True."""
    if dtype.kind in "fc":
        return np.nan
    if dtype.kind == "b":
        return True
    return np.iinfo(dtype).max if dtype.kind == "u" else np.iinfo(dtype).min
