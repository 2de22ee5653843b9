"""scipy.stats: tests of samples that have one axis, of samples of several: row by row. What `axis`, `nan_policy` and `keepdims` mean to all of them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def by_rows(name, statistic, samples, axis, nan_policy, keepdims, *, count=2, paired=False, least=1, double=False, alike=None):
    """The `count` numbers that `statistic` gives of each row of the samples along an axis, or along several.

    They are nan of a row with nan, unless those are left out (of `paired` samples wherever one of them is nan), and of fewer than `least` numbers.
    In the samples' precision, or in `double`. `alike`: a question about a row whose answer, where no number is nan, is yes only if it is so of all
    rows; `statistic` is given it last.
    """
    if nan_policy not in ("propagate", "raise", "omit"):
        raise ValueError("nan_policy must be one of {'propagate', 'raise', 'omit'}")
    arrays = [_real(name, each) for each in samples]
    most = max([each.ndim for each in arrays])
    common = _precision(samples)
    arrays, dtype = [each.astype(common) for each in arrays], np.dtype(np.float64) if double else common
    if axis is None:
        rows, places = [each.ravel() for each in arrays], tuple(range(most))
    else:
        places = axis if isinstance(axis, tuple) else (axis,)
        rows = _along(arrays, places, most, paired)
    if nan_policy == "raise" and _any_nan(rows):
        raise ValueError("The input contains nan values")
    if rows[0].ndim == 1:
        found = [np.asarray(each).astype(dtype)[()] for each in _of_row(statistic, rows, nan_policy, count, paired, least, alike)]
    else:
        found = _of_rows(statistic, rows, nan_policy, count, paired, least, alike, dtype)
    return [np.expand_dims(each, places) for each in found] if keepdims else found


def by_each(x, axis, nan_policy):
    """Whether what is computed of all rows at once has to be of each by itself, or of several axes as one."""
    return isinstance(axis, tuple) or nan_policy == "omit" and axis is not None and np.ndim(x) > 1


def _real(name, sample):
    sample = np.asarray(sample)
    if sample.dtype.kind == "c" or sample.dtype == np.float16:
        unsupported(f"scipy.stats.{name} of {sample.dtype}", "floats")
    return np.atleast_1d(sample if sample.dtype.kind == "f" else sample.astype(np.float64))


def _precision(samples):
    """The dtype that all are computed in."""
    common = np.result_type(*[np.asarray(each).dtype for each in samples])
    return common if common.kind == "f" else np.dtype(np.float64)


def _any_nan(rows):
    return np.any(np.array([np.any(np.isnan(each)) for each in rows]))


def _along(arrays, axes, most, paired):
    """The samples with those axes at the end, as one; all others stretched to each other, of pairs these too."""
    for axis in axes:
        if not -most <= axis < most:
            raise np.exceptions.AxisError(f"`axis` is out of bounds for array of dimension {most}")
    where = tuple([axis % most for axis in axes])
    if len(set(where)) < len(where):
        raise np.exceptions.AxisError("`axis` must contain only distinct elements")
    arrays = [each.reshape((1,) * (most - each.ndim) + each.shape) for each in arrays]
    if paired:
        _fit([each.shape for each in arrays])
        arrays = np.broadcast_arrays(*arrays) if len(arrays) > 1 else arrays
    others = [axis for axis in range(most) if axis not in where]
    turned = [np.transpose(each, (*others, *where)) for each in arrays]
    outer = [each.shape[: len(others)] for each in turned]
    _fit(outer)
    outer = np.broadcast_shapes(*outer)
    return [np.broadcast_to(each, (*outer, *each.shape[len(others) :])).reshape((*outer, math.prod(each.shape[len(others) :]))) for each in turned]


def _fit(shapes):
    for sizes in zip(*shapes, strict=True):
        longest = max(sizes)
        for size in sizes:
            if size not in (1, longest):
                raise ValueError("Array shapes are incompatible for broadcasting.")


def _of_row(statistic, row, nan_policy, count, paired, least, alike):
    if nan_policy == "omit":
        row = _without_nan(row, paired)
    elif _any_nan(row):
        return [np.nan for _ in range(count)]
    if min([each.shape[0] for each in row]) < least:
        return [np.nan for _ in range(count)]
    return list(statistic(*row) if alike is None else statistic(*row, alike(*row)))


def _without_nan(row, paired):
    if not paired:
        return [each[~np.isnan(each)] for each in row]
    none = np.isnan(row[0])
    for each in row[1:]:
        none = none | np.isnan(each)
    return [each[~none] for each in row]


def _of_rows(statistic, rows, nan_policy, count, paired, least, alike, dtype):
    outer = rows[0].shape[:-1]
    lines = math.prod(outer)
    rows = [each.reshape(lines, each.shape[-1]) for each in rows]
    asked = None if alike is None else _of_all(alike, rows, lines)
    found = np.empty((count, lines), dtype)
    for k in range(lines):
        numbers = _of_row(statistic, [each[k] for each in rows], nan_policy, count, paired, least, asked)
        for place in range(count):
            found[place, k] = numbers[place]
    return [found[place].reshape(outer) for place in range(count)]


def _of_all(alike, rows, lines):
    """The question to a row, which is answered for all of them where none has a nan."""
    some, answer = _any_nan(rows), True
    for k in range(lines):
        answer = answer and alike(*[each[k] for each in rows])
    return lambda *row: alike(*row) if some else answer
