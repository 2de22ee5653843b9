"""Reductions over axes: sum, max, any, argmax, cumsum, norm, … with NumPy's result dtypes.

    sum(A, axis=0, keepdims=True)   ->   reshape(reduce_sum(A; axes=(0,)), 1, n)
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from s2s.transforms.primitives import rows, sizes
from s2s.transforms.primitives.orthogonal_factors import svd
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.structural import permuted
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy import complex_order
from s2s.transforms.read.numpy.arithmetic import add, divide, maximum, minimum, multiply, power, square, subtract
from s2s.transforms.read.numpy.arithmetic import where as choice
from s2s.transforms.read.numpy.axes import axes_in_order, check_elements, no_flag, normal_axes, normal_axis
from s2s.transforms.read.numpy.broadcasting import spread
from s2s.transforms.read.numpy.building import NONE, Operand, refuse, unsupported
from s2s.transforms.read.numpy.common import (
    Shape,
    agreed,
    cast,
    concatenated,
    filled,
    lift,
    marked,
    product,
    reshape,
    result_type,
    retyped,
    strong,
    supported,
    to_bool,
)
from s2s.transforms.read.numpy.elementwise import absolute, floating
from s2s.transforms.read.numpy.joining import concatenate
from s2s.transforms.read.numpy.parts import fitted, get
from s2s.transforms.read.numpy.python_checks import check_bounds
from s2s.types import BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, UINT64, Literal, Var, dim_atom, is_integer, is_unsigned, is_whole, literal


def _reduced(row: Primitive, value: Value, axes: tuple[int, ...], keepdims: Any) -> Value:
    """The row over these axes; over none, the value itself."""
    result = row(value, axes=axes) if axes else value
    return _kept(result, value.shape, axes, keepdims)


def _kept(result: Value, shape: Shape, axes: tuple[int, ...], keepdims: Any) -> Value:
    if keepdims is None:
        raise ArgumentTypeError("'NoneType' object cannot be interpreted as an integer", where=result.builder.where)
    if keepdims is NONE or not keepdims:
        return marked(result, weak=False) if result.atom.type.weak and isinstance(result.atom, Literal) else result
    return reshape(result, tuple(1 if axis in axes else dim for axis, dim in enumerate(shape)))


def _chosen(value: Value, where: Any, neutral: float) -> Value:
    """The array with what changes no result in the place of each element that is left out."""
    if where is True or where is NONE:
        return value
    if where is None:
        raise unsupported("where=None is not supported", "where=True, or the function of s2s.numpy, to which None is no mask", "to NumPy it is a mask that is False everywhere")
    mask = lift(where)
    if mask.dtype != BOOL:
        raise ArgumentTypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'", where=value.builder.where)
    return choice(fitted(mask, value.shape), value, Value(value.builder, literal(neutral, value.dtype)))


def _strong_operand(a: Operand) -> Value:
    """A reduction of a Python number is a NumPy scalar."""
    value = lift(a)
    if value.type.weak:
        value = cast(value, value.dtype) if isinstance(value.atom, Literal) else rows.convert(value, dtype=value.dtype)
    return value


def _summed_dtype(value: Value, dtype: Any) -> np.dtype:
    if dtype is not None and dtype is not NONE:
        return supported(dtype)
    if not is_whole(value.dtype):
        return value.dtype
    return UINT64 if is_unsigned(value.dtype) else INT64


def sum_(a: Operand, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = NONE, initial: Any = NONE, where: Any = NONE) -> Value:
    """np.sum."""
    refuse("np.sum", out=out)
    value = _strong_operand(a)
    value = _chosen(cast(value, _summed_dtype(value, dtype)), where, 0)
    if value.dtype == FLOAT16 and value.ndim:
        return _of_halves(rows.reduce_sum, rows.sum_of_halves, add, value, reduced_axes(axis, value.ndim), keepdims, initial)
    row = rows.reduce_any if value.dtype == BOOL else rows.reduce_sum  # a sum of bools as bools is whether one is true
    result = _reduced(row, value, reduced_axes(axis, value.ndim), keepdims)
    if not value.ndim and value.dtype.kind in "fc" and initial is NONE:
        result = add(result, 0.0)  # what a sum starts with: that of -0.0 is 0.0
    return result if initial is NONE else add(result, _initial("np.sum", initial, value))


def prod(a: Operand, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = NONE, initial: Any = NONE, where: Any = NONE) -> Value:
    """np.prod."""
    refuse("np.prod", out=out)
    value = _strong_operand(a)
    value = _chosen(cast(value, _summed_dtype(value, dtype)), where, 1)
    if value.dtype == FLOAT16 and value.ndim:
        return _of_halves(rows.reduce_prod, rows.prod_of_halves, multiply, value, reduced_axes(axis, value.ndim), keepdims, initial)
    result = _reduced(rows.reduce_all if value.dtype == BOOL else rows.reduce_prod, value, reduced_axes(axis, value.ndim), keepdims)
    return result if initial is NONE else multiply(result, _initial("np.prod", initial, value))


def _of_halves(row: Primitive, in_order: Primitive, step: Any, value: Value, axes: tuple[int, ...], keepdims: Any, initial: Any) -> Value:
    """A sum or product of float16: along the last axes in float32, rounded once; where others are reduced, rounded whenever one of them goes on."""
    last_axes = axes == tuple(range(value.ndim - len(axes), value.ndim))
    result = _reduced(row, cast(value, FLOAT32), axes, keepdims) if last_axes else _reduced(in_order, value, axes, keepdims)
    if initial is not NONE:
        result = step(result, cast(_initial(f"np.{row.name.removeprefix('reduce_')}", initial, value), result.dtype))
    return cast(result, FLOAT16)


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes of a ufunc's reduction: a scalar has an axis 0 to it, of length 1."""
    return () if not ndim and not isinstance(axis, bool) and isinstance(axis, int) and axis in (0, -1) else normal_axes(axis, ndim)


def _initial(function: str, initial: Operand, value: Value) -> Operand:
    """The number that a reduction starts with, of the reduction's dtype."""
    if initial is None:
        raise unsupported(f"{function}(…, initial=None) is not supported", instead="leave initial out")
    number = lift(initial)
    if number.type.weak and is_whole(number.dtype) and is_integer(value.dtype):
        if isinstance(number.atom, Var):
            check_bounds(number, value.dtype)
        return cast(number, value.dtype)
    if number.ndim or not np.can_cast(number.dtype, value.dtype, "same_kind"):
        raise unsupported(f"{function} of {value.dtype} with an initial of {number.dtype} is not supported", instead="an initial of the array's dtype")
    return cast(number, value.dtype)


def count(value: Value, axes: tuple[int, ...]) -> Value:
    """The number of elements over these axes, a Python int."""
    return Value(value.builder, dim_atom(product(value.builder, tuple(value.shape[axis] for axis in axes))))


def average(a: Operand, axis: Any = None, weights: Operand = None, returned: bool = False, *, keepdims: Any = NONE) -> Any:
    """np.average, with weights of a's shape or of its axes'."""
    value = _strong_operand(a)
    axes = None if axis is None else axes_in_order(axis, value.ndim)
    if weights is None:
        found = _mean(value, axes, keepdims)
        size = cast(count(value, normal_axes(axes, value.ndim)), found.dtype)
        return (found, filled(value.builder, size, found.dtype, found.shape)) if returned else found
    factors = _weights(value, lift(weights), axes)
    dtype = result_type(value, strong(factors), *([lift(np.float64(0))] if is_whole(value.dtype) else [])).dtype
    total = sum_(factors, axes, dtype, keepdims=keepdims)
    test = all_(rows.not_equal(total, total.like(0)))
    value.builder.check(test.atom, "ZeroDivisionError", "Weights sum to zero, can't be normalized")
    found = divide(sum_(multiply(cast(value, dtype), cast(factors, dtype)), axes, keepdims=keepdims), total)
    return (found, spread(total, found.shape)) if returned else found


def _mean(value: Value, axes: tuple[int, ...] | None, keepdims: Any) -> Value:
    dtype = FLOAT64 if is_whole(value.dtype) else value.dtype
    value = cast(value, FLOAT32 if dtype == FLOAT16 else dtype)  # NumPy's mean of float16 is rounded once
    return cast(divide(sum_(value, axes, keepdims=keepdims), count(value, normal_axes(axes, value.ndim))), dtype)


def _weights(value: Value, factors: Value, axes: tuple[int, ...] | None) -> Value:
    """The weights with an axis of length 1 for each axis of the array that is not theirs."""
    message = "Shape of weights must be consistent with shape of a along specified axis."
    builder = value.builder
    if factors.ndim == value.ndim:
        axes = tuple(range(value.ndim))
    if axes is None:
        raise ArgumentTypeError("Axis must be specified when shapes of a and weights differ.", where=builder.where)
    if len(axes) != factors.ndim:
        raise ShapeError(message, where=builder.where)
    dims = tuple(agreed(builder, [factors.shape[k], value.shape[axis]], message) for k, axis in enumerate(axes))
    order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
    factors = retyped(factors, dims)
    factors = factors if order == tuple(range(len(axes))) else rows.transpose(factors, axes=order)
    return reshape(factors, tuple(value.shape[k] if k in axes else 1 for k in range(value.ndim)))


# ---- extremes ----------------------------------------------------------------------------------------------------------


def max_(a: Operand, axis: Any = None, out: Any = None, keepdims: Any = NONE, initial: Any = NONE, where: Any = NONE) -> Value:
    """np.max."""
    return _extreme("max", rows.reduce_max, maximum, a, axis, out, keepdims, initial, where)


def min_(a: Operand, axis: Any = None, out: Any = None, keepdims: Any = NONE, initial: Any = NONE, where: Any = NONE) -> Value:
    """np.min."""
    return _extreme("min", rows.reduce_min, minimum, a, axis, out, keepdims, initial, where)


def _extreme(name: str, row: Primitive, pair: Any, a: Operand, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> Value:
    refuse(f"np.{name}", out=out)
    value = _strong_operand(a)
    if value.dtype.kind == "c":
        return _complex_extreme(name, pair, value, reduced_axes(axis, value.ndim), keepdims, initial, where)
    axes = reduced_axes(axis, value.ndim)
    if initial is NONE and where is not NONE and where is not True:
        message = f"reduction operation '{name}imum' does not have an identity, so to use a where mask one has to specify 'initial'"
        raise ArgumentValueError(message, where=value.builder.where)
    limits = (-np.inf, np.inf) if value.dtype.kind == "f" else (False, True) if value.dtype == BOOL else (np.iinfo(value.dtype).min, np.iinfo(value.dtype).max)
    value = _chosen(value, where, limits[name == "min"])
    initial = initial if initial is NONE else _initial(f"np.{name}", initial, value)
    if initial is NONE:
        check_elements(value, axes, f"zero-size array to reduction operation {name}imum which has no identity")
    if value.dtype == BOOL:
        result = _reduced(rows.reduce_any if row is rows.reduce_max else rows.reduce_all, value, axes, keepdims)
        return result if initial is NONE else pair(result, to_bool(lift(initial)))
    if initial is NONE:
        return _reduced(row, value, axes, keepdims)
    return pair(_reduced(row, _never_empty(value, axes, limits[name == "min"]), axes, keepdims), initial)


def _complex_extreme(name: str, pair: Any, value: Value, axes: tuple[int, ...], keepdims: Any, initial: Any, where: Any) -> Value:
    """The element at the place of the extreme."""
    if where is not NONE and where is not True:
        raise unsupported(f"np.{name}(…, where=…) of complex numbers is not supported", instead="np.where before")
    check_elements(value, axes, f"zero-size array to reduction operation {name}imum which has no identity")
    found = value
    if axes:
        rest = tuple(k for k in range(value.ndim) if k not in axes)
        flat = permuted(value, (*rest, *axes))
        flat = reshape(flat, (*(value.shape[k] for k in rest), product(value.builder, tuple(value.shape[k] for k in axes))))
        place = complex_order.place_of_extreme(flat, len(rest), name == "max")
        found = complex_order.elements_at(flat, place)
    result = _kept(found, value.shape, axes, keepdims)
    return result if initial is NONE else pair(result, _initial(f"np.{name}", initial, value))


def _never_empty(value: Value, axes: tuple[int, ...], neutral: float) -> Value:
    """The value with one element more, which changes no extreme, along those axes that may be empty."""
    builder = value.builder
    for axis in axes:
        dim = value.shape[axis]
        if dim > 0 if isinstance(dim, int) else builder.proves_at_least(dim, 1):
            continue
        shape = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
        value = concatenated([value, Value(builder, literal(neutral, value.dtype)).broadcast_to(shape, ())], axis)
    return value


def ptp(a: Operand, axis: Any = None, out: Any = None, keepdims: Any = NONE) -> Value:
    """max - min."""
    refuse("np.ptp", out=out)
    return subtract(max_(a, axis, keepdims=keepdims), min_(a, axis, keepdims=keepdims))


def any_(a: Operand, axis: Any = None, out: Any = None, keepdims: Any = NONE, *, where: Any = NONE) -> Value:
    """np.any."""
    refuse("np.any", out=out)
    value = _chosen(to_bool(lift(a)), where, False)
    return _reduced(rows.reduce_any, value, reduced_axes(axis, value.ndim), keepdims)


def all_(a: Operand, axis: Any = None, out: Any = None, keepdims: Any = NONE, *, where: Any = NONE) -> Value:
    """np.all."""
    refuse("np.all", out=out)
    value = _chosen(to_bool(lift(a)), where, True)
    return _reduced(rows.reduce_all, value, reduced_axes(axis, value.ndim), keepdims)


def count_nonzero(a: Operand, axis: Any = None, *, keepdims: Any = False) -> Value:
    """np.count_nonzero."""
    value = cast(to_bool(lift(a)), INT64)
    return _reduced(rows.reduce_sum, value, normal_axes(axis, value.ndim), keepdims)


def argmax(a: Operand, axis: Any = None, out: Any = None, *, keepdims: Any = NONE) -> Value:
    """np.argmax: the first position of the largest element."""
    return _position_of(rows.argmax, a, axis, out, keepdims)


def argmin(a: Operand, axis: Any = None, out: Any = None, *, keepdims: Any = NONE) -> Value:
    """np.argmin: the first position of the smallest element."""
    return _position_of(rows.argmin, a, axis, out, keepdims)


def _position_of(row: Primitive, a: Operand, axis: Any, out: Any, keepdims: Any) -> Value:
    refuse(f"np.{row.name}", out=out)
    value = _strong_operand(a)
    shape = value.shape
    if axis is None or not value.ndim:
        value = reshape(value, (product(value.builder, value.shape),))
    place = 0 if axis is None else normal_axis(no_flag(axis), value.ndim)
    check_elements(value, (place,), f"attempt to get {row.name} of an empty sequence")
    if value.dtype == BOOL:
        value = cast(value, INT64)
    found = complex_order.place_of_extreme(value, place, row is rows.argmax) if value.dtype.kind == "c" else row(value, axis=place)
    return _kept(found, shape, tuple(range(len(shape))) if axis is None or not shape else (place,), keepdims)


# ---- running sums ------------------------------------------------------------------------------------------------------


def cumsum(a: Operand, axis: Any = None, dtype: Any = None, out: Any = None) -> Value:
    """np.cumsum."""
    return _running(rows.cumsum, a, axis, dtype, out)


def cumprod(a: Operand, axis: Any = None, dtype: Any = None, out: Any = None) -> Value:
    """np.cumprod."""
    return _running(rows.cumprod, a, axis, dtype, out)


def _running(row: Primitive, a: Operand, axis: Any, dtype: Any, out: Any) -> Value:
    refuse(f"np.{row.name}", out=out)
    value = _strong_operand(a)
    value = cast(value, _summed_dtype(value, dtype))
    if axis is None and value.ndim != 1 or not value.ndim:
        value = reshape(value, (product(value.builder, value.shape),))
    params = {"reverse": False} if row is rows.cumsum else {"reverse": False, "exclusive": False}
    place = 0 if axis is None else normal_axis(no_flag(axis), value.ndim)
    if value.dtype == BOOL:  # whether one (all) so far are true
        return to_bool(row(cast(value, INT64), axis=place, **params))
    return row(value, axis=place, **params)


def diff(a: Operand, n: int = 1, axis: int = -1, prepend: Any = NONE, append: Any = NONE) -> Value:
    """np.diff: differences of neighbours, n times."""
    value = lift(a)
    if isinstance(n, Value):
        raise unsupported("np.diff of an order that is known only at run time is not supported", instead="a loop: x = np.diff(x)")
    if n == 0:
        return value
    if n < 0:
        raise ArgumentValueError(f"order must be non-negative but got {n}", where=value.builder.where)
    if not value.ndim:
        raise ShapeError("diff requires input that is at least one dimensional", where=value.builder.where)
    place = normal_axis(axis, value.ndim)
    if prepend is not NONE or append is not NONE:
        parts = [prepend, value, append]
        value = concatenate([_edge(part, value, place) for part in parts if part is not NONE], axis=place)
    before = (slice(None),) * place
    for _ in range(n):
        later, earlier = get(value, (*before, slice(1, None))), get(value, (*before, slice(None, -1)))
        value = rows.not_equal(later, earlier) if value.dtype == BOOL else subtract(later, earlier)
    return value


def _edge(part: Operand, value: Value, axis: int) -> Value:
    edge = lift(part)
    if edge.ndim:
        return edge
    shape = tuple(1 if k == axis else dim for k, dim in enumerate(value.shape))
    return filled(value.builder, edge, edge.dtype, shape)


# ---- norms -------------------------------------------------------------------------------------------------------------


def norm(x: Operand, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Value:
    """np.linalg.norm: the 2-norm (Frobenius for matrices), and ord 0, 1, 2, p, inf, -inf of vectors; 1, 2, inf, 'fro', 'nuc' of matrices."""
    value = _strong_operand(x)
    if is_whole(value.dtype):
        value = cast(value, FLOAT64)
    if isinstance(ord, Value):
        raise unsupported("np.linalg.norm with an ord that is read at run time is not supported", instead="write it as it is: ord=np.inf")
    if isinstance(axis, list):
        raise ArgumentTypeError("'axis' must be None, an integer or a tuple of integers", where=value.builder.where)
    axes = normal_axes(int(axis) if isinstance(axis, bool) else axis, value.ndim)
    if len(axes) not in (1, 2) and not (axis is None and ord is None):
        raise ArgumentValueError("Improper number of dimensions to norm.", where=value.builder.where)
    if ord is None or (ord == 2 and len(axes) == 1) or (ord in ("fro", "f") and len(axes) == 2):
        return floating(rows.sqrt)(_reduced(rows.reduce_sum, squared_modulus(value), axes, keepdims))
    if len(axes) == 1:
        return _vector_norm(value, ord, axes, keepdims)
    if len(axes) == 2 and ord in (1, -1, np.inf, -np.inf):
        given = axes if axis is None else axes_in_order(axis, value.ndim)  # rows, columns
        sums = _reduced(rows.reduce_sum, absolute(value), (given[0 if abs(ord) == 1 else 1],), True)
        return _kept(_end_of(sums, axes, ord > 0), value.shape, axes, keepdims)
    if len(axes) == 2 and ord in SINGULAR:
        values, last = _singular_values(value, axes), (value.ndim - 2,)
        found = _reduced(rows.reduce_sum, values, last, False) if ord == "nuc" else _end_of(values, last, ord > 0)
        return _kept(found, value.shape, axes, keepdims)
    raise ArgumentValueError("Invalid norm order for matrices.", where=value.builder.where)


def _end_of(value: Value, axes: tuple[int, ...], is_largest: bool) -> Value:
    """The largest of numbers that are not negative (of none 0), or the smallest."""
    return max_(value, axis=axes, initial=0) if is_largest else min_(value, axis=axes)


SINGULAR = {2: rows.reduce_max, -2: rows.reduce_min, "nuc": rows.reduce_sum}
"""Norms of matrices that are made of their singular values."""


def _singular_values(value: Value, axes: tuple[int, ...]) -> Value:
    """Of the matrices along two axes; they lie along the last axis of the result."""
    matrices = permuted(value, (*(axis for axis in range(value.ndim) if axis not in axes), *axes))
    shorter = sizes.smaller(value.builder, dim_atom(matrices.shape[-2]), dim_atom(matrices.shape[-1]))
    return svd.outs(matrices, Value(value.builder, shorter))[1]


def squared_modulus(value: Value) -> Value:
    """x * conj(x), real."""
    return square(value) if value.dtype.kind != "c" else add(square(rows.real(value)), square(rows.imag(value)))


def _vector_norm(value: Value, order: Any, axes: tuple[int, ...], keepdims: Any) -> Value:
    if order in (np.inf, -np.inf):
        return _kept(_end_of(absolute(value), axes, order > 0), value.shape, axes, keepdims)
    if order == 0:
        counted = cast(to_bool(value), absolute(value).dtype)
        return _reduced(rows.reduce_sum, counted, axes, keepdims)
    if order == 1:
        return _reduced(rows.reduce_sum, absolute(value), axes, keepdims)
    if not isinstance(order, int | float):
        raise ArgumentValueError(f"Invalid norm order '{order}' for vectors", where=value.builder.where)
    return power(_reduced(rows.reduce_sum, power(absolute(value), order), axes, keepdims), 1.0 / order)


__all__ = ["all_", "any_", "argmax", "argmin", "average", "count_nonzero", "cumprod", "cumsum", "diff", "max_", "min_", "norm", "prod", "ptp", "sum_"]
