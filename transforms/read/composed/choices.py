"""NumPy's functions that choose, insert, delete and overwrite elements."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import printed_otherwise, unsupported


def choose(a, choices, out=None, mode="raise"):
    """np.choose: of these arrays the a-th, element by element."""
    if out is not None:
        unsupported("np.choose(…, out) by its place", "out=…")
    if isinstance(choices, (tuple, list)):
        choices = [np.asarray(each) if isinstance(each, (tuple, list)) else each for each in choices]
        dtype = np.result_type(*choices)  # Python's numbers among them decide nothing
        options = np.stack([each.astype(dtype) for each in np.broadcast_arrays(a, *choices)[1:]])
    else:
        shape = np.broadcast_shapes(np.shape(a), np.shape(choices)[1:])
        options = np.broadcast_to(np.reshape(choices, (len(choices), *(1,) * (len(shape) + 1 - np.ndim(choices)), *np.shape(choices)[1:])), (len(choices), *shape))
    if not isinstance(a, int):
        _need_safe(np.asarray(a), np.dtype(np.int64), "array data" if isinstance(a, np.ndarray) else "scalar")
    chosen = _placed(np.broadcast_to(a, options.shape[1:]), len(options), mode, "invalid entry in choice array")  # of those that are chosen by
    return np.take_along_axis(options, chosen[np.newaxis], axis=0)[0]


def _placed(chosen, length, mode, message):
    """Places among so many, as a mode has them."""
    if mode == "wrap":
        return chosen % length
    if mode == "clip":
        return np.clip(chosen, 0, length - 1)
    if np.any((chosen < 0) | (chosen >= length)):
        raise ValueError(message)
    return chosen


def extract(condition, arr):
    """np.extract."""
    return np.take(np.ravel(arr), np.nonzero(np.ravel(condition))[0])


def piecewise(x, condlist, funclist, *args, **kw):
    """np.piecewise: of the last condition that holds the function, else the one behind all."""
    x = np.asanyarray(x)
    conditions = [np.asarray(each, dtype=np.bool_) for each in condlist] if isinstance(condlist, (list, tuple)) else [np.asarray(condlist, dtype=np.bool_)] if np.ndim(condlist) == x.ndim else list(condlist)
    if len(funclist) == len(conditions) + 1:
        other = ~conditions[0]
        for each in conditions[1:]:
            other = other & ~each
        conditions = [*conditions, other]
    elif len(funclist) != len(conditions):
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are expected")
    y = np.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if not callable(function):
            y[condition] = function
        elif x.ndim == 0:
            if condition:
                y[...] = np.ravel(function(np.reshape(x, 1), *args, **kw))[0]
        else:
            values = x[condition]
            if values.size > 0:
                y[condition] = function(values, *args, **kw)
    return y


def delete(arr, obj, axis=None):
    """np.delete."""
    arr = np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    _need_axis(axis)
    moved = np.moveaxis(arr, axis, 0)
    if not isinstance(obj, slice) and np.ndim(obj) == 0 and np.asarray(obj).dtype.kind != "b":
        if obj < -len(moved) or obj >= len(moved):
            raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {len(moved)}")
        at = obj + len(moved) if obj < 0 else obj
        return np.moveaxis(np.concatenate((moved[:at], moved[at + 1 :])), 0, axis)
    if isinstance(obj, slice):
        keep = np.ones(len(moved), dtype=np.bool_)
        keep[obj] = False
    else:
        obj = np.asarray(obj)
        if obj.dtype.kind == "b":
            if len(obj) != len(moved):
                raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {len(moved)}")
            keep = ~obj
        else:
            keep = np.ones(len(moved), dtype=np.bool_)
            keep[obj] = False
    return np.moveaxis(moved[keep], 0, axis)


def _need_axis(axis):
    if isinstance(axis, (tuple, list)):
        raise TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer")


def insert(arr, obj, values, axis=None):
    """np.insert: values before the given places."""
    arr = np.asarray(arr)
    if axis is None:
        arr, axis = arr.ravel(), 0
    _need_axis(axis)
    moved = np.moveaxis(arr, axis, 0)
    n = len(moved)
    if isinstance(obj, slice):
        obj = np.arange(n)[obj]
    elif np.ndim(obj) > 0 and np.asarray(obj).dtype.kind == "b":
        obj = np.flatnonzero(obj)
    if np.ndim(obj) == 0:
        if obj < -n or obj > n:
            raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {n}")
        before = obj + n if obj < 0 else obj
        new = np.array(values, ndmin=arr.ndim).astype(arr.dtype)
        new = np.moveaxis(new, 0, axis) if np.ndim(values) > 0 else new
        new = np.moveaxis(new, axis, 0)
        new = np.broadcast_to(new, (len(new), *moved.shape[1:]))
        return np.moveaxis(np.concatenate((moved[:before], new, moved[before:])), 0, axis)
    if np.ndim(obj) > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    new = np.moveaxis(np.array(values, ndmin=arr.ndim).astype(arr.dtype), axis, 0)
    places = _before_each(np.asarray(obj), len(new), n, axis)
    order = np.argsort(places, kind="stable")
    at = np.zeros(places.size, dtype=np.int64)
    at[order] = places[order] + np.arange(places.size)
    old = np.ones(n + places.size, dtype=np.bool_)
    old[at] = False
    found = np.zeros((n + places.size, *moved.shape[1:]), dtype=arr.dtype)
    found[at] = new
    found[old] = moved
    return np.moveaxis(found, 0, axis)


def _before_each(places, count, n, axis):
    """The places counted from the front; a single one is that of all the values."""
    if places.size == 1:
        if places[0] < -n or places[0] > n:
            raise IndexError(f"index [{places[0]}] is out of bounds for axis {axis} with size {n}")
    else:
        count = places.size
    places = places[np.minimum(np.arange(count), places.size - 1)]
    return np.where(places < 0, places + n, places)


def resize(a, new_shape):
    """np.resize: repeated, or cut."""
    a = np.ravel(a)
    size = 1
    for length in new_shape if isinstance(new_shape, tuple | list) else (new_shape,):
        if length < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        size = size * length
    if a.size == 0:
        return np.zeros(new_shape, dtype=a.dtype)
    return a[np.arange(size, dtype=np.int64) % a.size].reshape(new_shape)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """np.apply_along_axis: a function of a vector, of each vector along an axis."""
    arr = np.asanyarray(arr)
    axis = axis + arr.ndim if axis < 0 else axis
    moved = np.moveaxis(arr, axis, -1)
    rows = moved.reshape((math.prod(moved.shape[:-1]), moved.shape[-1]))
    if len(rows) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    found = np.stack([np.asarray(func1d(row, *args, **kwargs)) for row in rows])
    inner = found.shape[1:]
    found = found.reshape((*moved.shape[:-1], *inner))
    first = arr.ndim - 1
    return np.moveaxis(found, tuple([first + k for k in range(len(inner))]), tuple([axis + k for k in range(len(inner))]))


def apply_over_axes(func, a, axes):
    """np.apply_over_axes: a reduction over one axis after the other."""
    a = np.asarray(a)
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        found = func(a, axis)
        a = found if found.ndim == a.ndim else np.expand_dims(found, axis)
    return a


# ---- stores ----------------------------------------------------------------------------------------------------------------


def _need_safe(values, dtype, what="array data"):
    if isinstance(values, np.ndarray) and not np.can_cast(values.dtype, dtype, "safe"):
        raise TypeError(f"Cannot cast {what} from {values.dtype!r} to {dtype!r} according to the rule 'safe'")


def _stored(values, a):
    """The values as a vector; a number of Python's as the array's dtype has it."""
    if isinstance(values, np.generic) or not isinstance(values, (int, float)):
        return np.ravel(values)
    stored = np.zeros(1, dtype=a.dtype)
    stored[0] = values
    return stored


def place(arr, mask, vals):
    """np.place: arr[mask] = vals, repeated as often as needed."""
    _need_safe(vals, arr.dtype)
    if np.size(mask) != arr.size:
        raise ValueError("place: mask and data must be the same size")
    vals = _stored(vals, arr)
    places = np.flatnonzero(mask)
    if vals.size == 0 and places.size > 0:
        raise ValueError("Cannot insert from an empty array!")
    flat = arr.flatten()
    flat[places] = vals[np.arange(places.size) % max(vals.size, 1)]
    arr[...] = flat.reshape(arr.shape)


def putmask(a, /, mask, values):
    """np.putmask: a[mask] = values[mask], of values repeated to a's size."""
    if np.size(mask) != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    _need_safe(values, a.dtype)
    values = _stored(values, a)
    if values.size > 0:
        a[...] = np.where(np.reshape(mask, a.shape), values[np.arange(a.size) % values.size].reshape(a.shape), a)


def put(a, ind, v, mode="raise"):
    """np.put: a.flat[ind] = v, repeated as often as needed."""
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    _need_safe(ind, np.dtype(np.int64))
    ind, v = np.ravel(ind), _stored(v, a)
    ind = ind.astype(np.int64)  # True is 1 here
    if a.size == 0 and ind.size > 0:
        raise IndexError("cannot replace elements of an empty array")
    flat = a.flatten()
    if mode == "clip":
        ind = np.clip(ind, 0, a.size - 1)
    if mode == "wrap":
        ind = ind % a.size
    if v.size > 0:
        flat[ind] = v[np.arange(ind.size) % v.size]
    a[...] = flat.reshape(a.shape)


def put_along_axis(arr, indices, values, axis):
    """np.put_along_axis."""
    indices = np.asarray(indices)
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        flat = arr.flatten()
        flat[indices] = values
        arr[...] = flat.reshape(arr.shape)
    else:
        if not -arr.ndim <= axis < arr.ndim:
            raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension {arr.ndim}")
        axis = axis + arr.ndim if axis < 0 else axis
        if indices.ndim != arr.ndim:
            raise ValueError("`indices` and `arr` must have the same number of dimensions")
        key = tuple([indices if k == axis else np.arange(arr.shape[k]).reshape((1,) * k + (-1,) + (1,) * (arr.ndim - k - 1)) for k in range(arr.ndim)])
        arr[key] = values


def store_flat(line, key, value):
    """x.flat[key] = value, `line` being the elements: repeated as often as needed, or cut off."""
    if np.ndim(value) == 0 or np.ndim(line[key]) == 0:
        line[key] = value if np.ndim(value) == 0 else np.ravel(value)[0]
    else:
        places, values = np.arange(line.size)[key], np.ravel(value)
        if values.size == 0 and places.size > 0:
            raise ValueError("Error setting single item of array.")
        line[places] = values[np.arange(places.size) % max(values.size, 1)]


def are_inside(places, size):
    """Whether all of an array's positions are in bounds of an axis of this length."""
    return bool(np.all((places >= -size) & (places < size)))


def first_outside(places, size):
    """The first position that is out of bounds, or 0."""
    outside = 0
    for each in np.ravel(places)[::-1]:
        if each < -size or each >= size:
            outside = int(each)
    return outside


def taken_if(x, test):
    """x[test] of a single bool: x as the one item along a new axis, or none."""
    return np.expand_dims(x, 0)[: 1 if test else 0].copy()


def store_if(x, test, value):
    """x[test] = value of a single bool."""
    if test:
        x[np.newaxis, ...] = value


def part_taken_if(x, test, rest):
    """x[test, *rest] of a single bool and slices, positions, new axes."""
    return np.expand_dims(x, 0)[: 1 if test else 0][(slice(None), *rest)].copy()


def part_stored_if(x, test, rest, value):
    """x[test, *rest] = value of those."""
    if test:
        x[(np.newaxis, *rest)] = value


def filled(a, fill_value=None):
    """np.ma.filled of an array that is not masked: the array."""
    return np.asarray(a)


def getdata(a, subok=True):
    """np.ma.getdata of one: the array."""
    return np.asarray(a)


STORES = {f"numpy.{function.__name__}": function for function in (place, putmask, put, put_along_axis)}
CHOICES = {f"numpy.{function.__name__}": function for function in (choose, extract, piecewise, delete, insert, resize, apply_along_axis, apply_over_axes)}
CHOICES |= {f"numpy.ma.{function.__name__}": function for function in (filled, getdata)}


def mask_indices(n, mask_func, k=0):
    """np.mask_indices: where a function like np.triu leaves ones."""
    return np.nonzero(mask_func(np.ones((n, n), dtype=np.int64), k) != 0)


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None):
    """np.set_printoptions: it changes no number."""
    printed_otherwise()


CALLING = {f"numpy.{function.__name__}": function for function in (piecewise, apply_along_axis, apply_over_axes, mask_indices, set_printoptions)}
"""Those that call the user's functions, or are read also of what is known."""
