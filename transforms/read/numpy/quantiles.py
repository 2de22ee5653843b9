"""Quantiles: np.quantile, np.percentile and np.median along one axis or several, of one level or of many, by every method.

    np.quantile(x, q)  ->  ordered = sort(x), at = q (n - 1), between ordered[floor(at)] and the next one
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add, compare, divide, floor_divide, logical, maximum, multiply, remainder, subtract, where
from s2s.transforms.read.numpy.axes import axes_in_order
from s2s.transforms.read.numpy.building import Operand, has_value, refuse
from s2s.transforms.read.numpy.common import Shape, cast, lift, product, reshape, strong
from s2s.transforms.read.numpy.elementwise import clip, rounding
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.reductions import all_, any_, count, sum_
from s2s.transforms.read.numpy.shapes import ravel, transpose
from s2s.types import FLOAT16, FLOAT32, FLOAT64, INT64, is_integer, is_whole


def _level_index(alpha: float, beta: float) -> Callable[[Value, Value], Value]:
    """Where a level lies among n sorted elements (Hyndman & Fan 1996, DOI 10.1080/00031305.1996.10473566)."""

    def place(n: Value, level: Value) -> Value:
        return subtract(add(multiply(n, level), add(alpha, multiply(level, 1 - alpha - beta))), 1)

    return place


def _of_gaps(n: Value, level: Value) -> Value:
    return multiply(subtract(n, 1), level)


def _of_count(n: Value, level: Value) -> Value:
    return subtract(multiply(n, level), 1)


def _stepped(index: Value, stays: Callable[[Value, Value], Value]) -> Value:
    """The element before an index where `stays(fraction, whole)`, else the one after it."""
    whole = rounding(rows.floor)(index)
    return where(stays(subtract(index, whole), whole), whole, add(whole, 1))


def _is_odd(whole: Value) -> Value:
    return compare("==", remainder(whole, 2), 1)


_NEAREST: dict[str, Callable[[Value, Value], Value]] = {
    "lower": lambda n, q: rounding(rows.floor)(_of_gaps(n, q)),
    "higher": lambda n, q: rounding(rows.ceil)(_of_gaps(n, q)),
    "nearest": lambda n, q: rounding(rows.rint)(_of_gaps(n, q)),
    "inverted_cdf": lambda n, q: _stepped(_of_count(n, q), lambda fraction, whole: compare("==", fraction, 0)),
    "closest_observation": lambda n, q: _stepped(
        subtract(_of_count(n, q), 0.5), lambda fraction, whole: logical(rows.logical_and)(compare("==", fraction, 0), _is_odd(whole))
    ),
}
"""Methods that give one of the elements: the index of which."""
_BETWEEN: dict[str, Callable[[Value, Value], Value]] = {
    "linear": _of_gaps, "averaged_inverted_cdf": _of_count,
    "midpoint": lambda n, q: multiply(0.5, add(rounding(rows.floor)(_of_gaps(n, q)), rounding(rows.ceil)(_of_gaps(n, q)))),
    "interpolated_inverted_cdf": _level_index(0, 1), "hazen": _level_index(0.5, 0.5), "weibull": _level_index(0, 0),
    "median_unbiased": _level_index(1 / 3.0, 1 / 3.0), "normal_unbiased": _level_index(3 / 8.0, 3 / 8.0),
}  # fmt: skip
"""Methods that lie between two elements: at which place."""
_FRACTIONS: dict[str, Callable[[Value], Value]] = {
    "averaged_inverted_cdf": lambda part: where(compare("==", part, 0), 0.5, 1.0),
    "midpoint": lambda part: where(compare("==", part, 0), 0.0, 0.5),
}
"""How far between them a method goes, where that is not the fraction of the place."""


def quantile(a: Operand, q: Operand, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear", keepdims: bool = False,
             *, weights: Any = None) -> Value:  # fmt: skip
    """np.quantile."""
    refuse("np.quantile", out=out, weights=weights)
    return _quantile(a, q, lift(q), axis, method, keepdims, "Quantiles must be in the range [0, 1]")


def percentile(a: Operand, q: Operand, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear", keepdims: bool = False,
               *, weights: Any = None) -> Value:  # fmt: skip
    """np.percentile."""
    refuse("np.percentile", out=out, weights=weights)
    level = divide(lift(q), 100) if has_value(q) else lift(np.true_divide(q, 100))
    return _quantile(a, q, level, axis, method, keepdims, "Percentiles must be in the range [0, 100]")


def _quantile(a: Operand, q: Operand, level: Value, axis: Any, method: str, keepdims: bool, message: str) -> Value:
    is_weak = type(q) in (int, float) or (isinstance(q, Value) and q.type.weak)
    value, level = lift(a), strong(level)
    level = cast(level, INT64) if level.dtype.kind == "b" else level
    if value.dtype.kind == "c":
        raise ArgumentTypeError("a must be an array of real numbers", where=value.builder.where)
    if level.ndim > 2:
        raise ArgumentValueError("q must be a scalar or 1d", where=value.builder.where)
    if method not in _NEAREST and method not in _BETWEEN:
        known = ", ".join(map(repr, (*_BETWEEN, *_NEAREST)))
        raise ArgumentValueError(f"{method!r} is not a valid method. Use one of: {known}", where=value.builder.where)
    _check_levels(q, level, message)
    ordered, place, kept = _in_order(value, axis)
    size = count(ordered, (place,))
    if method in _NEAREST or (method == "linear" and is_integer(level.dtype)):
        index = _NEAREST[method](size, level) if method in _NEAREST else _of_gaps(size, level)
        found = _picked(ordered, place, clip(cast(index, INT64), 0, None), level.ndim)
    else:
        found = _interpolated(ordered, place, _BETWEEN[method](size, level), level.ndim, method, is_weak=is_weak)
    if value.dtype.kind == "f":
        worst = _picked(ordered, place, -1, 0)
        found = where(rows.isnan(worst), cast(worst, found.dtype), found)
    return reshape(found, (*level.shape, *kept)) if keepdims else found


def _check_levels(q: Operand, level: Value, message: str) -> None:
    builder = level.builder
    fits = logical(rows.logical_and)(compare(">=", level, 0), compare("<=", level, 1))
    if has_value(q):
        builder.check(all_(fits).atom, "ValueError", message)
    elif not np.all((np.asarray(q) >= 0) & (np.asarray(q) <= (1 if "1]" in message else 100))):
        raise ArgumentValueError(message, where=builder.where)


def _in_order(value: Value, axis: Any) -> tuple[Value, int, Shape]:
    """The array sorted along an axis into which all reduced ones are merged, that axis, and the shape that keeps the reduced ones."""
    axes = tuple(range(value.ndim)) if axis is None else axes_in_order(axis, value.ndim)
    kept = tuple(1 if k in axes else dim for k, dim in enumerate(value.shape))
    if axis is None:
        value, place = ravel(value), 0
    elif len(axes) == 1:
        (place,) = axes
    else:
        others = [k for k in range(value.ndim) if k not in axes]
        merged = product(value.builder, tuple(value.shape[k] for k in sorted(axes)))
        shape = (*(value.shape[k] for k in others), merged)
        value, place = reshape(transpose(value, (*others, *sorted(axes))), shape), len(others)
    return rows.sort(value, axis=place), place, kept


def _picked(ordered: Value, axis: int, index: Operand, ndim: int) -> Value:
    """The elements at an index along an axis; those of an index array of `ndim` dimensions come first."""
    found = get(ordered, (*(slice(None),) * axis, index))
    if not ndim or not axis:
        return found
    own = range(axis, axis + ndim)
    return transpose(found, (*own, *(k for k in range(found.ndim) if k not in own)))


def _interpolated(ordered: Value, axis: int, at: Value, ndim: int, method: str, *, is_weak: bool) -> Value:
    """Between the two elements around a place, from the nearer one, as NumPy computes it."""
    last = subtract(count(ordered, (axis,)), 1)
    below = rounding(rows.floor)(at)
    low, high = (cast(clip(each, 0, last), INT64) for each in (below, add(below, 1)))
    lower, upper = (_picked(ordered, axis, index, ndim) for index in (low, high))
    part = subtract(at, below)
    part = cast(_FRACTIONS[method](part) if method in _FRACTIONS else part, at.dtype)
    if is_weak:
        part = cast(part, ordered.dtype if ordered.dtype.kind == "f" else FLOAT64)
    elif ndim:
        part = reshape(part, (*part.shape, *(1,) * (ordered.ndim - 1)))
    gap = subtract(upper, lower)
    return where(compare(">=", part, 0.5), subtract(upper, multiply(gap, subtract(1, part))), add(lower, multiply(gap, part)))


_ADDED = {FLOAT16: FLOAT32}
"""In which dtype np.mean adds."""


def median(a: Operand, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Value:
    """np.median: the mean of the middle element, or two (nan of none, and if there is one, which is sorted last). `overwrite_input` permits a change of `a`, which is not made."""
    refuse("np.median", out=out)
    value = lift(a)
    ordered, place, kept = _in_order(value, axis)
    size = count(ordered, (place,))

    def part(start: Operand, stop: Operand) -> Value:
        return get(ordered, (*(slice(None),) * place, slice(start, stop)))

    between = part(floor_divide(subtract(maximum(size, 1), 1), 2), add(floor_divide(size, 2), 1))
    wide = cast(between, _ADDED.get(value.dtype, FLOAT64 if is_whole(value.dtype) else value.dtype))
    middle = divide(sum_(wide, axis=place), count(wide, (place,)))
    middle = cast(middle, value.dtype) if value.dtype in _ADDED else middle
    if value.dtype.kind in "fc":
        last = part(-1, None)
        is_nan = rows.isnan(last) if value.dtype.kind == "f" else rows.logical_or(rows.isnan(rows.real(last)), rows.isnan(rows.imag(last)))
        middle = where(any_(is_nan, axis=place), sum_(last, axis=place), middle)
    return reshape(middle, kept) if keepdims else middle


QUANTILES: dict[str, Callable[..., Any]] = {"numpy.quantile": quantile, "numpy.percentile": percentile, "numpy.median": median}
