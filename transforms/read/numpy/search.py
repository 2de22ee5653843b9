"""Where elements are, and elements from places: nonzero, take, sort, searchsorted, interp, select, isclose, …"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.ir.program import For
from s2s.transforms.primitives import indexing, rows
from s2s.transforms.primitives.index import At
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add, compare, divide, logical, maximum, minimum, multiply, remainder, subtract, where
from s2s.transforms.read.numpy.axes import no_flag, normal_axis
from s2s.transforms.read.numpy.broadcasting import broadcast_shape, spread
from s2s.transforms.read.numpy.building import Operand, building, current_builder, has_value, refuse, unsupported
from s2s.transforms.read.numpy.common import (
    agreed,
    as_shape,
    as_weak,
    cast,
    filled,
    iota,
    lift,
    reshape,
    result_type,
    retyped,
    size_values,
    supported,
    to_bool,
)
from s2s.transforms.read.numpy.creation import zeros_like
from s2s.transforms.read.numpy.elementwise import absolute
from s2s.transforms.read.numpy.joining import concatenate, stack
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.reductions import all_, any_, count
from s2s.transforms.read.numpy.shapes import ravel
from s2s.types import BOOL, COMPLEX128, FLOAT64, INT64, SIZE, Array, Literal, Var, atom_dim, dim_atom, is_integer, is_whole, size_literal


def nonzero(a: Operand) -> tuple[Value, ...]:
    """np.nonzero: an array of positions for each axis."""
    mask = to_bool(lift(a))
    if not mask.ndim:
        raise ArgumentValueError("Calling nonzero on 0d arrays is not allowed", where=mask.builder.where, instead="np.atleast_1d(…)")
    _, *positions = rows.where_true.outs(mask)
    return tuple(positions)


def where_or_nonzero(condition: Operand, x: Operand = None, y: Operand = None) -> Any:
    """np.where: a choice for each element; of a condition alone, the indices where it holds."""
    if (x is None) != (y is None):
        raise ArgumentValueError("either both or neither of x and y should be given", where=lift(condition).builder.where)
    return nonzero(condition) if x is None else where(condition, x, y)


def flatnonzero(a: Operand) -> Value:
    """np.flatnonzero."""
    return nonzero(ravel(lift(a)))[0]


def argwhere(a: Operand) -> Value:
    """np.argwhere."""
    value = lift(a)
    if not value.ndim:  # one row of no positions, or none
        found = cast(to_bool(value), INT64)
        return filled(value.builder, 0, INT64, (atom_dim(found.atom), 0))
    return stack(nonzero(a), axis=1)


def compress(condition: Operand, a: Operand, axis: Any = None, out: Any = None) -> Value:
    """np.compress: the condition may be shorter than the axis, and longer where it does not hold."""
    refuse("np.compress", out=out)
    value = lift(a)
    value = ravel(value) if axis is None or not value.ndim and axis in (0, -1) else value
    place = 0 if axis is None else normal_axis(no_flag(axis), value.ndim)
    chosen = to_bool(lift(condition))
    if chosen.ndim != 1:
        raise ArgumentValueError("condition must be a 1-d array", where=value.builder.where)
    return get(value, (*(slice(None),) * place, nonzero(chosen)[0]))


def take(a: Operand, indices: Operand, axis: Any = None, out: Any = None, mode: str = "raise") -> Value:
    """np.take."""
    refuse("np.take", out=out)
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})", where=current_builder().where)
    value = lift(a)
    value = ravel(value) if axis is None or not value.ndim and axis in (0, -1) else value
    place = 0 if axis is None else normal_axis(no_flag(axis), value.ndim)
    places = lift(np.zeros(0, np.int64) if isinstance(indices, list) and not indices else indices)
    if places.dtype == BOOL:
        places = cast(places, INT64)  # the numbers 0 and 1 here
    if places.dtype.kind in "fc" and (isinstance(indices, list | tuple) or not places.ndim):
        raise unsupported("np.take at places that are floats", instead="int(…): NumPy cuts floats of lists off")
    if mode != "raise":
        places = cast(places, INT64) if is_integer(places.dtype) else get(value, (*(slice(None),) * place, places))  # which raises what NumPy does
        (size,) = size_values(value.builder, value.shape[place : place + 1])
        places = remainder(places, size) if mode == "wrap" else maximum(minimum(places, subtract(size, 1)), 0)
    return get(value, (*(slice(None),) * place, places))


def take_along_axis(arr: Operand, indices: Operand, axis: Any = -1) -> Value:
    """np.take_along_axis."""
    value, places = lift(arr), cast(lift(indices), INT64)
    if axis is None:
        if places.ndim != 1:
            raise ArgumentValueError("when axis=None, `indices` must have a single dimension.", where=value.builder.where)
        value, axis = ravel(value), 0
    place = normal_axis(axis, value.ndim)
    if places.ndim != value.ndim:
        raise ArgumentValueError("`indices` and `arr` must have the same number of dimensions", where=value.builder.where)
    shape = broadcast_shape(
        value.builder, [tuple(1 if k == place else dim for k, dim in enumerate(value.shape)), places.shape]
    )
    operands = []
    for k, dim in enumerate(value.shape):
        one = places if k == place else reshape(iota(value.builder, dim), tuple(dim if j == k else 1 for j in range(value.ndim)))
        operands.append(spread(one, shape))
    return indexing.getitem(value, *operands, index=(indexing.Take(),) * value.ndim)


def _check_kind(kind: Any, stable: Any) -> None:
    """What sorts, NumPy's names only: the results are equal."""
    if kind is not None and stable is not None:
        raise ArgumentValueError("`kind` and keyword parameters can't be provided at the same time. Use only one of them.", where=current_builder().where)
    if kind is not None and str(kind).lower()[:1] not in ("q", "h", "m", "s"):
        raise ArgumentValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})", where=current_builder().where)


def _need_no_order(order: Any) -> None:
    if order is not None:
        raise ArgumentValueError("Cannot specify order when the array has no fields.", where=current_builder().where)


def sort(a: Operand, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Value:
    """np.sort."""
    _need_no_order(order)
    _check_kind(kind, stable)
    value = ravel(lift(a)) if axis is None else lift(a)
    return rows.sort(value, axis=normal_axis(-1 if axis is None else axis, value.ndim))


def argsort(a: Operand, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Value:
    """np.argsort, always stable."""
    _need_no_order(order)
    _check_kind(kind, stable)
    value = ravel(lift(a)) if axis is None or not lift(a).ndim and axis in (0, -1) else lift(a)
    return rows.argsort(value, axis=normal_axis(-1 if axis is None else axis, value.ndim))


def lexsort(keys: Sequence[Operand] | Value, axis: Any = -1) -> Value:
    """np.lexsort: by the last key, then by the one before it: each a stable sort of what the keys before it left."""
    given = [get(keys, k) for k in range(keys.shape[0])] if isinstance(keys, Value) and keys.ndim and isinstance(keys.shape[0], int) else keys
    if isinstance(given, Value):
        raise unsupported("np.lexsort of an array with a run-time number of keys is not supported", instead="a tuple of keys")
    values = [lift(key) for key in given]
    if not values or any(value.ndim != 1 for value in values):
        raise unsupported("np.lexsort is supported for keys that are vectors, at least one", instead="vectors of one length")
    place = normal_axis(axis, 1)
    length = agreed(values[0].builder, [value.shape[0] for value in values], "all keys need to be the same shape")
    order = argsort(retyped(values[0], (length,)), axis=place)
    for value in values[1:]:
        order = get(order, argsort(get(retyped(value, (length,)), order)))
    return order


def searchsorted(a: Operand, v: Operand, side: str = "left", sorter: Any = None) -> Value:
    """np.searchsorted, by its bisection: the same also where the points don't rise."""
    value, wanted = lift(a), lift(v)
    builder = value.builder
    if side not in ("left", "right"):
        raise ArgumentValueError(f"search side must be 'left' or 'right' (got {side!r})", where=builder.where)
    if value.ndim != 1:
        raise ArgumentValueError(f"object {'of too small depth' if not value.ndim else 'too deep'} for desired array", where=builder.where)
    if sorter is not None:
        value = _in_order_of(value, lift(sorter))
    dtype = np.result_type(value.dtype, wanted.dtype)
    if dtype.kind == "c":
        raise unsupported("np.searchsorted of complex numbers is not supported", instead="their real or imaginary parts")
    dtype = INT64 if dtype.kind == "b" else dtype
    found = rows.searchsorted(cast(value, dtype), cast(ravel(wanted), dtype), side=side)
    return reshape(found, wanted.shape)


def _in_order_of(points: Value, sorter: Value) -> Value:
    if not is_integer(sorter.dtype):
        raise ArgumentTypeError("sorter must only contain integers", where=points.builder.where)
    if sorter.ndim != 1:
        raise ArgumentValueError("object too deep for desired array", where=points.builder.where)
    agreed(points.builder, [points.shape[0], sorter.shape[0]], "sorter.size must equal a.size")
    return get(points, sorter)


def digitize(x: Operand, bins: Operand, right: bool = False) -> Value:
    """np.digitize: of falling bins, the number of those left in the reversed ones."""
    at, edges = lift(x), lift(bins)
    side = "left" if right else "right"
    if at.dtype.kind == "c":
        raise ArgumentTypeError("x may not be complex", where=edges.builder.where)
    if edges.ndim != 1:
        raise ArgumentValueError(f"object {'of too small depth' if not edges.ndim else 'too deep'} for desired array", where=edges.builder.where)
    message = "bins must be monotonically increasing or decreasing"
    if not has_value(bins):
        known = np.asarray(bins)
        if not any(np.all(sign * np.diff(known) >= 0) for sign in (1, -1)):
            raise ArgumentValueError(message, where=edges.builder.where)
        if np.all(np.diff(known) >= 0):
            return searchsorted(edges, at, side)
        return subtract(known.size, searchsorted(get(edges, slice(None, None, -1)), at, side))
    before, after = get(edges, slice(None, -1)), get(edges, slice(1, None))
    rises = all_(logical(rows.logical_or)(compare("<=", before, after), compare("!=", after, after)))  # nan comes last
    falls = logical(rows.logical_and)(all_(rows.logical_not(compare("<", before, after))), any_(compare("!=", before, after)))
    edges.builder.check(logical(rows.logical_or)(rises, falls).atom, "ValueError", message)
    found = searchsorted(where(falls, get(edges, slice(None, None, -1)), edges), at, side)
    return where(falls, subtract(count(edges, (0,)), found), found)


def interp(x: Operand, xp: Operand, fp: Operand, left: Operand = None, right: Operand = None, period: Any = None) -> Value:
    """np.interp: linear between the points, constant outside. That the points rise is checked: else NumPy's numbers mean nothing."""
    for given in map(lift, (x, xp)):
        if given.dtype.kind == "c":
            raise ArgumentTypeError(f"Cannot cast array data from {given.dtype!r} to dtype('float64') according to the rule 'safe'", where=given.builder.where)
    at, points = cast(lift(x), FLOAT64), cast(lift(xp), FLOAT64)
    values = cast(lift(fp), COMPLEX128 if lift(fp).dtype.kind == "c" else FLOAT64)
    builder = at.builder
    if period is not None:
        return _interp(*_periodic(at, points, values, period), None, None)
    if points.ndim != 1 or values.ndim != 1:
        deep = max(points.ndim, values.ndim) > 1
        raise ArgumentValueError(f"object {'too deep' if deep else 'of too small depth'} for desired array", where=builder.where)
    _some_points(points)
    agreed(builder, [points.shape[0], values.shape[0]], "fp and xp are not of the same length.")
    return _interp(at, points, retyped(values, points.shape), left, right)


def _periodic(at: Value, points: Value, values: Value, period: Operand) -> tuple[Value, Value, Value]:
    """All of it within one period, the points in order and with a neighbour of the periods before and after."""
    builder, message = at.builder, "period must be a non-zero value"
    if lift(period).ndim:
        raise unsupported("np.interp with a period that is an array is not supported", instead="a number")
    if has_value(period):
        builder.check(compare("!=", period, 0).atom, "ValueError", message)
    elif not period:
        raise ArgumentValueError(message, where=builder.where)
    if points.ndim != 1 or values.ndim != 1:
        raise ArgumentValueError("Data points must be 1-D sequences", where=builder.where)
    agreed(builder, [points.shape[0], values.shape[0]], "fp and xp are not of the same length")
    length = absolute(lift(period))
    places = remainder(points, length)
    order = argsort(places)
    places, ordered = get(places, order), get(retyped(values, points.shape), order)
    before, after = slice(None, -1), slice(1, None)
    either = logical(rows.logical_or)
    apart = either(compare("<", get(places, before), get(places, after)), compare("!=", get(places, after), get(places, after)))
    alike = either(apart, compare("==", get(ordered, before), get(ordered, after)))
    builder.check(all_(alike).atom, "NotImplementedError", "np.interp needs points that differ by no multiple of the period where their values differ: NumPy takes one or the other")
    first, last = slice(None, 1), slice(-1, None)
    return (remainder(at, length), concatenate([subtract(get(places, last), length), places, add(get(places, first), length)]),
            concatenate([get(ordered, last), ordered, get(ordered, first)]))  # fmt: skip


def _interp(at: Value, points: Value, values: Value, left: Operand, right: Operand) -> Value:
    size = _some_points(points)
    rises = all_(compare("<=", get(points, slice(None, -1)), get(points, slice(1, None))))
    at.builder.check(rises.atom, "NotImplementedError", "np.interp needs points that rise: of others NumPy's result has no meaning")
    if values.dtype.kind == "c":
        parts = [_between_points(at, points, part(values), size, _part_of(part, left), _part_of(part, right), undefined) for part, undefined in ((rows.real, np.nan), (rows.imag, 0.0))]
        return rows.complex_(*parts)
    return _between_points(at, points, values, size, left, right)


def _some_points(points: Value) -> Value:
    """How many points there are; a check that there is one."""
    builder, dim = points.builder, dim_atom(points.shape[0])
    message = "array of sample points is empty"
    if isinstance(dim, Literal) and not dim.value:
        raise ArgumentValueError(message, where=builder.where)
    if not builder.proves_at_least(dim, 1):
        (test,) = builder.equation(rows.greater, (dim, size_literal(0)), name="some")
        builder.check(test, "ValueError", message)
    return count(points, (0,))


def _part_of(part: Primitive, edge: Operand) -> Operand:
    return None if edge is None else part(cast(lift(edge), COMPLEX128))


def _between_points(at: Value, points: Value, values: Value, size: Value, left: Operand, right: Operand, undefined: Operand = np.nan) -> Value:
    """As NumPy's loop does it: from the point before, where that is nan (an infinite value) from the one behind, and on a point its own value."""
    low = minimum(maximum(subtract(searchsorted(points, at, "right"), 1), 0), maximum(subtract(size, 2), 0))
    high = minimum(add(low, 1), subtract(size, 1))
    x0, x1, y0, y1 = get(points, low), get(points, high), get(values, low), get(values, high)
    slope = divide(subtract(y1, y0), where(compare("==", x1, x0), 1.0, subtract(x1, x0)))
    first, last = get(points, 0), get(points, -1)
    from_before, is_last = add(multiply(slope, subtract(at, x0)), y0), compare("==", at, last)
    result = where(_or(is_last, rows.isnan(from_before)), add(multiply(slope, subtract(at, x1)), y1), from_before)
    is_known = _or(_or(is_last, compare("==", at, x0)), compare("==", y0, y1))
    result = where(logical(rows.logical_and)(rows.isnan(result), is_known), where(is_last, y1, y0), result)
    result = where(logical(rows.logical_and)(rows.isnan(at), compare(">", size, 1)), undefined, result)
    result = where(compare(">", at, last), get(values, -1) if right is None else right, result)
    return where(compare("<", at, first), get(values, 0) if left is None else left, result)


def _or(one: Value, other: Value) -> Value:
    return logical(rows.logical_or)(one, other)


def select(condlist: Sequence[Operand], choicelist: Sequence[Operand], default: Operand = 0) -> Value:
    """np.select: the first choice whose condition holds."""
    if len(condlist) != len(choicelist):
        raise ArgumentValueError("list of cases must be same length as list of conditions", where=lift(condlist[0]).builder.where)
    dtype = result_type(*(lift(choice) for choice in choicelist), lift(default)).dtype
    result: Operand = cast(lift(default), dtype)
    for test, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        result = where(test, choice, result)
    return result


def isclose(a: Operand, b: Operand, rtol: Operand = 1e-05, atol: Operand = 1e-08, equal_nan: bool = False) -> Value:
    """np.isclose: |a - b| <= atol + rtol |b|, infinities equal to themselves."""
    x, y = lift(a), lift(b)
    if is_whole(y.dtype):
        y = cast(y, FLOAT64, weak=y.type.weak)
    near = compare("<=", absolute(subtract(x, y)), add(atol, multiply(rtol, absolute(y))))
    finite = rows.isfinite(absolute(y))
    found = logical(rows.logical_or)(logical(rows.logical_and)(near, finite), compare("==", x, y))
    if not equal_nan or is_whole(x.dtype):
        return found
    return logical(rows.logical_or)(found, logical(rows.logical_and)(rows.isnan(absolute(x)), rows.isnan(absolute(y))))


def allclose(a: Operand, b: Operand, rtol: Operand = 1e-05, atol: Operand = 1e-08, equal_nan: bool = False) -> Value:
    """np.allclose: a Python bool."""
    return as_weak(all_(isclose(a, b, rtol, atol, equal_nan)))


def polyval(p: Operand, x: Operand) -> Value:
    """np.polyval by Horner's rule: a loop where the number of coefficients is known at run time only."""
    if lift(p).dtype == BOOL or lift(x).dtype == BOOL:
        raise unsupported("np.polyval of bools is not supported", instead="np.polyval of floats: p * 1.0, x * 1.0")
    if isinstance(p, Value) and p.ndim == 1 and not isinstance(p.shape[0], int):
        return _horner(p, lift(x))
    coefficients = _items("np.polyval", p)
    at = lift(x)
    result: Operand = zeros_like(at)
    for coefficient in _as_array_items(coefficients):
        result = add(multiply(result, at), coefficient)
    return lift(result)


def _horner(p: Value, x: Value) -> Value:
    """result = result * x + p[k] for each coefficient, from zeros."""
    builder, coefficients = p.builder, p.shape[0]
    dtype = np.result_type(p.dtype, x.dtype)
    at = cast(x, dtype, weak=False)
    start = zeros_like(at)
    index = Var("index", Array(SIZE.dtype, (), weak=True))
    carried, out = (Var("polyval", start.type) for _ in range(2))
    inner = builder.inside()
    inner.know_index(index, size_literal(0), dim_atom(coefficients), size_literal(1))
    with building(inner):
        coefficient = indexing.getitem(Value(inner, p.atom), Value(inner, index), index=(At(),))
        result = add(multiply(Value(inner, carried), Value(inner, at.atom)), cast(coefficient, dtype))
    body = inner.block(result.atom)
    builder.add(For((out,), index, size_literal(0), dim_atom(coefficients), size_literal(1), (carried,), (start.atom,), body, builder.where, reverse=False))
    return Value(builder, out)


def _as_array_items(items: list[Any]) -> list[Value]:
    """The items as np.asarray(items) would hold them: of one dtype, and no Python numbers."""
    values = [lift(item) for item in items]
    dtype = np.result_type(*(value.dtype for value in values)) if values else FLOAT64
    return [rows.convert(value, dtype=dtype) if value.type.weak or value.dtype != dtype else value for value in values]


def _items(function: str, sequence: Operand) -> list[Any]:
    if not isinstance(sequence, Value):
        return list(sequence)
    if sequence.ndim != 1 or not isinstance(sequence.shape[0], int):
        raise unsupported(f"{function} with an array of run-time length is not supported", instead="a loop over the coefficients")
    return [get(sequence, k) for k in range(sequence.shape[0])]


def ix_(*args: Operand) -> tuple[Value, ...]:
    """np.ix_: index arrays that span a grid."""
    values = [lift(arg) for arg in args]
    if any(value.dtype.kind == "b" for value in values):
        values = [nonzero(value)[0] if value.dtype.kind == "b" else value for value in values]
    if any(value.ndim != 1 for value in values):
        raise ArgumentTypeError("Cross index must be 1 dimensional", where=values[0].builder.where)
    return tuple(reshape(value, tuple(value.shape[0] if k == number else 1 for k in range(len(values)))) for number, value in enumerate(values))


def indices(dimensions: Sequence[Operand], dtype: Any = int) -> Value:
    """np.indices: the grid of positions."""
    if isinstance(dimensions, Value) and not dimensions.ndim:
        raise ArgumentTypeError("'int' object is not iterable", where=dimensions.builder.where)
    builder, shape = current_builder(), as_shape(dimensions if isinstance(dimensions, Value) else tuple(dimensions))
    if not shape:
        return filled(builder, 0, supported(dtype), (0,))
    grids = [
        spread(reshape(iota(builder, dim), tuple(dim if j == k else 1 for j in range(len(shape)))), shape) for k, dim in enumerate(shape)
    ]
    return cast(stack(grids, axis=0), supported(dtype))

