"""np.pad with every mode: along one axis after the other."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import plain_pad, surely, unsupported

_OPTIONS = {
    "empty": (), "edge": (), "wrap": (), "constant": ("constant_values",), "linear_ramp": ("end_values",), "maximum": ("stat_length",), "mean": ("stat_length",),
    "median": ("stat_length",), "minimum": ("stat_length",), "reflect": ("reflect_type",), "symmetric": ("reflect_type",),
}  # fmt: skip
_STATISTICS = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}


def pad(array, pad_width, mode="constant", **kwargs):
    """np.pad."""
    if callable(mode):
        unsupported("np.pad with a function as its mode", "the function's stores, after np.pad(x, widths)")
    if mode not in _OPTIONS:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = [name for name in kwargs if name not in _OPTIONS[mode]]
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {set(unknown)}")
    if mode == "empty":  # whatever is there: zeros
        mode = "constant"
    x = np.asarray(array)
    values = kwargs.get("constant_values", 0)
    if mode == "constant" and not isinstance(values, (tuple, list, dict)) and np.ndim(values) == 0:
        return plain_pad(x, pad_width, mode, values)
    widths = _pairs(pad_width, x.ndim)
    if mode != "constant":
        for axis in range(x.ndim):
            if (widths[axis][0] > 0 or widths[axis][1] > 0) and x.shape[axis] == 0:
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if kwargs.get("reflect_type", "even") == "even" and mode in ("edge", "wrap", "reflect") and _sliced(x, widths, mode):
        return plain_pad(x, pad_width, mode, 0)
    length = kwargs.get("stat_length")
    options = _pairs(values if mode == "constant" else kwargs.get("end_values", 0) if mode == "linear_ramp" else (None, None) if length is None else length, x.ndim)
    for axis in range(x.ndim):
        low, high = widths[axis]
        if not surely(low == 0) or not surely(high == 0):
            rows = _padded(np.moveaxis(x, axis, 0), low, high, mode, kwargs, options[axis])
            x = np.moveaxis(rows, 0, axis)
    return x


def _sliced(x, widths, mode):
    """Whether all parts are slices of known widths. (A reflection by one element of an axis that has only one stops when it runs.)"""
    for axis in range(x.ndim):
        for width in widths[axis]:
            if not surely(width >= 0):
                return False
            if mode != "edge" and not surely(width <= 1) and not surely(width < x.shape[axis]) or mode == "reflect" and surely(width >= x.shape[axis]):
                return False
    return True


def _pairs(given, ndim):
    """Numbers and pairs, broadcast to one pair for each axis."""
    if isinstance(given, dict):
        found = [(0, 0)] * ndim
        for axis, width in given.items():
            found[axis] = tuple(width) if isinstance(width, (tuple, list)) else (width, width)
        return tuple(found)
    if not isinstance(given, (tuple, list)):
        if np.ndim(given) > 0:
            given = [tuple(row) if np.ndim(row) > 0 else row for row in given]
        else:
            return ((given, given),) * ndim
    rows = [tuple(row) if isinstance(row, (tuple, list)) else row for row in given]
    if not any(isinstance(row, tuple) for row in rows):
        rows = [tuple(rows)]
    pairs = [(row[0], row[-1]) for row in rows]
    if len(pairs) not in (1, ndim) or any(len(row) > 2 for row in rows):
        raise ValueError(f"operands could not be broadcast together with the requested shape ({ndim},2) of pad_width")
    return tuple(pairs) * ndim if len(pairs) == 1 else tuple(pairs)


def _padded(rows, low, high, mode, kwargs, option):
    """Along the first axis."""
    n = rows.shape[0]
    if mode == "constant":
        return np.concatenate((_filled(rows, low, option[0]), rows, _filled(rows, high, option[1])))
    if mode == "linear_ramp":
        return np.concatenate((_ramp(option[0], rows[0], low, rows.dtype), rows, _ramp(option[1], rows[-1], high, rows.dtype)[::-1]))
    if mode in _STATISTICS:
        one, other = _length(option[0], n), _length(option[1], n)
        return np.concatenate((_statistic(rows[:one], low, mode), rows, _statistic(rows[n - other :], high, mode)))
    places = np.arange(-low, n + high)
    if mode == "edge":
        return rows[np.clip(places, 0, n - 1)]
    if mode == "wrap":
        return rows[places % max(n, 1)]
    if mode == "symmetric":
        turn = places % max(2 * n, 1)
        if kwargs.get("reflect_type", "even") != "even":
            unsupported("np.pad(…, mode='symmetric', reflect_type='odd')", "mode='reflect'")
        return rows[np.where(turn < n, turn, 2 * n - 1 - turn)]
    period = max(2 * (n - 1), 1)
    turn = places % period
    found = rows[np.where(turn < n, turn, 2 * (n - 1) - turn)]
    if kwargs.get("reflect_type", "even") == "even":
        return found
    return _odd(rows, found, places // period, turn, n)


def _odd(rows, found, periods, turn, n):
    """Reflected at its ends as points: what is turned lies as far beyond the last element, and each period higher by twice the rise."""
    shape = (-1, *(1,) * (rows.ndim - 1))
    turned = np.where((turn < n).reshape(shape), found, 2 * rows[-1] - found)
    return turned + 2 * (rows[-1] - rows[0]) * periods.astype(rows.dtype).reshape(shape)


def _filled(rows, count, value):
    return np.full((count, *rows.shape[1:]), value, dtype=rows.dtype)


def _ramp(end, edge, count, dtype):
    return np.linspace(end, edge, count, endpoint=False, dtype=dtype, axis=0)


def _length(given, n):
    return n if given is None else min(given, n)


def _statistic(rows, count, mode):
    """So many times what is typical of the elements."""
    if mode in ("maximum", "minimum") and rows.shape[0] == 0:
        raise ValueError("stat_length of 0 yields no value for padding")
    found = _STATISTICS[mode](rows, axis=0, keepdims=True)
    if rows.dtype.kind in "iu":
        found = np.rint(found)
    return np.repeat(found.astype(rows.dtype), count, axis=0)


PADDING: dict[str, Any] = {"numpy.pad": pad}
