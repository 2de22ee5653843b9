"""np.roll, np.repeat, np.tile, np.pad: arrays made of an array's parts, one after the other."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from s2s.transforms.primitives import indexing, rows, sizes, structural
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import remainder
from s2s.transforms.read.numpy.axes import no_flag, normal_axis
from s2s.transforms.read.numpy.building import Operand, current_builder, has_value, unsupported
from s2s.transforms.read.numpy.common import agreed, as_dim, as_integer, cast, filled, iota, lift, product, retyped, sizes_of
from s2s.transforms.read.numpy.common import reshape as reshaped
from s2s.transforms.read.numpy.joining import concatenate
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.reductions import cumsum, sum_
from s2s.transforms.read.numpy.search import searchsorted
from s2s.transforms.read.numpy.shapes import ravel
from s2s.types import INT64, UINT64, Dim, Var, atom_dim, dim_atom, is_whole


def roll(a: Operand, shift: Any, axis: Any = None) -> Value:
    """np.roll: by a static or run-time shift, along one axis, several, or the raveled array."""
    value = lift(a)
    if axis is None:
        return reshaped(roll(ravel(value), shift, 0), value.shape)
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    shifts = shift if isinstance(shift, tuple | list) else (shift,)
    if isinstance(shift, Value) and shift.ndim:
        raise unsupported("np.roll by an array of run-time length is not supported", instead="one shift for each axis")
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ShapeError("'shift' and 'axis' should be scalars or 1D sequences", where=value.builder.where)
    count = 0 if 0 in (len(shifts), len(axes)) else max(len(shifts), len(axes))
    for number in range(count):
        value = _rolled(value, shifts[number % len(shifts)], normal_axis(axes[number % len(axes)], value.ndim))
    return value if count else rows.copy(value)


def _rolled(value: Value, shift: Any, axis: int) -> Value:
    """x[k:] then x[:k], k the (wrapped) place of the new first element."""
    builder, dim = value.builder, value.shape[axis]
    if isinstance(shift, int) and shift == 0 or isinstance(dim, int) and dim in (0, 1):
        return rows.copy(value)
    cut = _cut(value, shift, dim)
    before = (slice(None),) * axis
    parts = [get(value, (*before, slice(cut, None))), get(value, (*before, slice(None, cut)))]
    rolled = concatenate(parts, axis=axis)
    return structural.retype(rolled, *(Value(builder, dim_atom(d)) for d in value.shape)) if rolled.shape != value.shape else rolled


def _cut(value: Value, shift: Any, dim: Dim) -> Any:
    """(-shift) % dim; exact also where dim is 0."""
    builder = value.builder
    shift_atom, n = as_integer(shift), dim_atom(dim)
    amount = builder.form(shift_atom)
    if isinstance(dim, int) and not amount.terms:
        return -amount.constant % dim
    if not amount.terms and abs(amount.constant) == 1:
        return Value(builder, sizes.smaller(builder, 1, n) if amount.constant < 0 else sizes.larger(builder, sizes.minus(builder, n, 1), 0))
    length = sizes.larger(builder, n, 1)
    cut = remainder(Value(builder, sizes.minus(builder, 0, shift_atom)), Value(builder, length))
    if isinstance(cut.atom, Var):
        builder.facts.know(cut.atom, lower=(builder.form(0),), upper=(builder.form(n),))
    return cut


def repeat(a: Operand, repeats: Any, axis: Any = None) -> Value:
    """np.repeat: each element so many times, or as often as its own count says."""
    value = ravel(a) if axis is None or not lift(a).ndim else lift(a)
    place = 0 if axis is None else normal_axis(no_flag(axis), value.ndim)
    counts = _counts(repeats)
    if counts is not None:
        return _by_counts(value, counts, place)
    count = _one_count(repeats, value.shape[place])
    shape = value.shape
    long = value.broadcast_to((*shape[: place + 1], count, *shape[place + 1 :]), tuple(k for k in range(value.ndim + 1) if k != place + 1))
    return reshaped(long, (*shape[:place], product(value.builder, (shape[place], count)), *shape[place + 1 :]))


def _counts(repeats: Any) -> Value | None:
    """How often each element is repeated; None where one number says it for all."""
    if isinstance(repeats, list | tuple) and len(repeats) == 1 or not (has_value(repeats) or np.ndim(repeats)):
        return None
    counts = lift(repeats)
    if not counts.ndim or counts.shape == (1,):
        return None
    if counts.ndim > 1:
        raise ArgumentValueError("object too deep for desired array", where=counts.builder.where)
    if not is_whole(counts.dtype) or counts.dtype == UINT64:
        raise ArgumentTypeError(f"Cannot cast array data from {counts.dtype!r} to {INT64!r} according to the rule 'safe'", where=counts.builder.where)
    return cast(counts, INT64)


def _by_counts(value: Value, counts: Value, place: int) -> Value:
    """The elements along an axis, each as often as its count says: where the sums of counts end, the next element begins."""
    builder = value.builder
    shape = value.shape
    told = (dim_atom(shape[place]), dim_atom(counts.shape[0]))
    dim = agreed(builder, (shape[place], counts.shape[0]), "operands could not be broadcast together with shape ({},) ({},)", told, stretch=True)
    counts = retyped(counts, (dim,))
    builder.check(rows.reduce_all(rows.greater_equal(counts, counts.like(0)), axes=(0,)).atom, "ValueError", "repeats may not contain negative values.")
    total = sum_(counts)
    builder.know_size(total.atom)
    places = searchsorted(cumsum(counts), iota(builder, as_dim(total)), side="right")
    return get(retyped(value, (*shape[:place], dim, *shape[place + 1 :])), (*(slice(None),) * place, places))


def _one_count(repeats: Any, dim: Dim) -> Dim:
    """One number as the count of each of `dim` elements; NumPy's error where it is negative, and there are any."""
    (count,) = repeats if isinstance(repeats, list | tuple) else (repeats,)
    value = lift(count)
    builder = value.builder
    atom = as_integer(get(value, 0) if value.ndim == 1 else value)
    if not builder.proves_at_least(atom, 0):
        number = Value(builder, atom)
        some, none = rows.greater_equal(number, number.like(0)), rows.equal(Value(builder, dim_atom(dim)), number.like(0))
        builder.check(rows.logical_or(some, none).atom, "ValueError", "negative dimensions are not allowed")
        atom = sizes.larger(builder, atom, 0)
    return as_dim(Value(builder, atom))


def tile(A: Operand, reps: Any) -> Value:
    """np.tile."""
    value = lift(A)
    counts: list[Dim] = [as_dim(count) for count in sizes_of(reps)]
    ndim = max(len(counts), value.ndim)
    counts = [*(1,) * (ndim - len(counts)), *counts]
    shape = (*(1,) * (ndim - value.ndim), *value.shape)
    value = reshaped(value, shape)
    spread_shape = tuple(dim for pair in zip(counts, shape, strict=True) for dim in pair)
    long = value.broadcast_to(spread_shape, tuple(range(1, 2 * ndim, 2))) if ndim else value
    return reshaped(long, tuple(product(value.builder, pair) for pair in zip(counts, shape, strict=True)))


def pad(array: Operand, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Value:
    """np.pad: constant, edge, wrap or reflect."""
    value = lift(array)
    widths = _pairs(pad_width, value.ndim)
    if mode == "constant":
        return _padded(value, widths, constant_values)
    if mode not in ("edge", "wrap", "reflect"):
        raise unsupported(f"np.pad(…, mode={mode!r}) is not supported", instead="'constant', 'edge', 'wrap' or 'reflect'")
    for axis, (low, high) in enumerate(widths):
        value = _extended(value, axis, low, high, mode)
    return value


def _pairs(given: Any, ndim: int) -> list[tuple[Any, Any]]:
    """How much is added before and behind each axis: numbers and pairs, broadcast to one pair for each axis."""
    if isinstance(given, dict):
        by_axis = {normal_axis(axis, ndim): width if isinstance(width, tuple) else (width, width) for axis, width in given.items()}
        return [by_axis.get(axis, (0, 0)) for axis in range(ndim)]
    if isinstance(given, Value) and given.ndim:
        known = given.builder.told.get(given.atom) if isinstance(given.atom, Var) else None
        if known is None:
            raise unsupported("np.pad by an array of widths that is known only at run time", instead="a tuple of numbers")
        given = tuple(tuple(row) if isinstance(row, list) else row for row in known.tolist())
    found = given if isinstance(given, tuple) else (given,)
    nested = [isinstance(row, tuple) for row in found]
    if not any(nested):
        found = (found,)
    lengths = {len(row) if isinstance(row, tuple) else 0 for row in found}
    if any(nested) and not all(nested) or len(lengths) > 1:
        raise ArgumentValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape", where=current_builder().where)
    if not lengths <= {1, 2} or len(found) not in (1, ndim):
        raise ShapeError(f"operands could not be broadcast together with the requested shape ({ndim},2) of pad_width", where=current_builder().where)
    pairs = [(row[0], row[-1]) for row in found]
    if any(isinstance(width, int) and width < 0 for pair in pairs for width in pair):
        raise ArgumentValueError("index can't contain negative values", where=current_builder().where)
    return pairs * ndim if len(pairs) == 1 else pairs


def _padded(value: Value, widths: list[tuple[Any, Any]], constant: Any) -> Value:
    builder = value.builder
    shape, key = [], []
    for dim, (low, high) in zip(value.shape, widths, strict=True):
        first, last = dim_atom(as_dim(low)), dim_atom(as_dim(high))
        stop = sizes.plus(builder, first, dim_atom(dim))
        total = sizes.plus(builder, stop, last)
        if isinstance(total, Var):
            builder.facts.know(total, lower=(builder.form(dim_atom(dim)), builder.form(0)))
        shape.append(atom_dim(total))
        key.append((Value(builder, first), Value(builder, dim_atom(dim))))
    if isinstance(constant, list | tuple):
        raise unsupported("np.pad with several constant_values is not supported", instead="one number")
    whole = filled(builder, lift(constant), value.dtype, tuple(shape))
    operands = tuple(each for pair in key for each in pair)
    return indexing.setitem(whole, value, *operands, index=(indexing.Span(1),) * value.ndim) if value.ndim else value


def _need_elements(value: Value, axis: int, least: int, mode: str) -> None:
    """Refuse what NumPy makes by going round several times; its error of an empty axis."""
    builder, dim = value.builder, value.shape[axis]
    empty = f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
    short = f"np.pad(…, mode={mode!r}) by more than an axis has is not supported"
    if isinstance(dim, int):
        if not dim:
            raise ArgumentValueError(empty, where=builder.where)
        if dim < least:
            raise unsupported(short, instead="np.pad in several steps")
        return
    for needed, error, words in ((1, "ValueError", empty), (least, "NotImplementedError", short)):
        if not builder.proves_at_least(dim, needed):
            (test,) = builder.equation(rows.greater_equal, (dim, dim_atom(needed)), name="fits")
            builder.check(test, error, words)
            builder.facts.know(dim, lower=(builder.form(needed),))


def _extended(value: Value, axis: int, low: Any, high: Any, mode: str) -> Value:
    before, dim = (slice(None),) * axis, value.shape[axis]
    if not isinstance(low, int) or not isinstance(high, int) or not isinstance(dim, int) and mode == "wrap" and max(low, high) > 1:
        raise unsupported(f"np.pad(…, mode={mode!r}) with run-time widths is not supported", instead="concatenate the parts")

    if low or high:
        _need_elements(value, axis, {"edge": 1, "wrap": max(low, high), "reflect": max(low, high) + 1}[mode], mode)

    def part(start: Any, stop: Any, step: int = 1) -> Value:
        return get(value, (*before, slice(start, stop, step)))

    def repeated(edge: Value, count: int) -> Value:
        return edge if count == 1 else repeat(edge, count, axis)

    parts = [value]
    if low:
        parts.insert(0, {"edge": lambda: repeated(part(0, 1), low), "wrap": lambda: part(-low, None), "reflect": lambda: part(low, 0, -1)}[mode]())
    if high:
        parts.append({"edge": lambda: repeated(part(-1, None), high), "wrap": lambda: part(0, high), "reflect": lambda: part(-2, -2 - high, -1)}[mode]())
    return concatenate(parts, axis=axis)
