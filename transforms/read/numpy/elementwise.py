"""NumPy's functions of one element: exp, sin, floor, isnan, real, … and their dtypes.

Integers and bools become float64 where the result is not an integer, as in NumPy; results are never weak.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add, compare, divide, maximum, minimum, multiply, power, where
from s2s.transforms.read.numpy.broadcasting import aligned
from s2s.transforms.read.numpy.building import NONE, Operand, builder_of, unsupported
from s2s.transforms.read.numpy.common import as_integer, as_weak, cast, filled, lift, marked, result_type, strong
from s2s.types import BOOL, FLOAT16, FLOAT32, FLOAT64, INT8, INT32, INT64, Array, Literal, is_integer, is_unsigned, is_whole, kind_of

Function = Callable[..., Any]


def float_of(dtype: np.dtype) -> np.dtype:
    """The dtype in which NumPy computes a function of floats: the smallest that holds all numbers of a dtype of one or two bytes, else float64."""
    if not is_whole(dtype):
        return dtype
    return FLOAT16 if dtype.itemsize == 1 else FLOAT32 if dtype.itemsize == 2 else FLOAT64


def floating(row: Primitive, kinds: str = "fc") -> Function:
    """The function of a row that is defined for floats (and complex numbers): ints become float64."""

    def apply(a: Operand) -> Value:
        x = lift(a)
        type_ = x.type if x.dtype.kind in kinds else Array(float_of(x.dtype), weak=x.type.weak)
        _need(row.name, type_, kinds, x)
        return marked(row(cast(x, type_.dtype, weak=type_.weak)), weak=x.type.weak)

    apply.__name__ = row.name
    return apply


def _float_type(x: Value, y: Value) -> Array:
    """The float dtype in which NumPy computes a function of two operands, each of which it must hold."""
    common = result_type(x, y)
    if not is_whole(common.dtype):
        return common
    strongly = [value.dtype for value in (x, y) if not value.type.weak and value.dtype != BOOL] or [FLOAT64 if common.weak else common.dtype]
    return Array(float_of(max(strongly, key=lambda dtype: dtype.itemsize)), weak=common.weak)


def floating_pair(row: Primitive, kinds: str = "f") -> Function:
    """As floating, of two operands."""

    def apply(a: Operand, b: Operand) -> Value:
        x, y = lift(a), lift(b)
        type_ = _float_type(x, y)
        _need(row.name, type_, kinds, x)
        x, y = aligned(x, y, dtypes=type_.dtype, weak=type_.weak)
        return marked(row(x, y), weak=type_.weak)

    apply.__name__ = row.name
    return apply


def _need(name: str, type_: Array, kinds: str, value: Value) -> None:
    if kind_of(type_.dtype) not in kinds:
        raise ArgumentTypeError(f"ufunc '{name}' is not supported for {type_.dtype}", where=value.builder.where)


def rounding(row: Primitive) -> Function:
    """floor, ceil, trunc, rint: integers stay as they are (rint makes them float64)."""

    def apply(a: Operand) -> Value:
        x = lift(a)
        if is_whole(x.dtype) and row is not rows.rint:
            return rows.copy(x) if x.ndim else x
        if x.dtype.kind == "c" and row is rows.rint:
            return rows.complex_(rows.rint(real(x)), rows.rint(imag(x)))
        return floating(row, "f")(x)

    apply.__name__ = row.name
    return apply


def test(row: Primitive, of_integers: bool) -> Function:
    """isnan, isinf, isfinite: of integers a constant."""

    def apply(a: Operand) -> Any:
        x = lift(a)
        if is_whole(x.dtype):
            return np.bool_(of_integers) if not x.ndim else filled(x.builder, of_integers, BOOL, x.shape)
        if x.dtype.kind == "c":
            parts = row(rows.real(x)), row(rows.imag(x))
            return (rows.logical_and if of_integers else rows.logical_or)(*parts)
        return row(x)

    apply.__name__ = row.name
    return apply


def signbit(a: Operand) -> Value:
    """Whether the sign is negative, also of -0.0."""
    x = lift(a)
    return floating(rows.signbit, "f")(cast(x, FLOAT64) if is_whole(x.dtype) else x)


def absolute(a: Operand) -> Value:
    """|a|; of complex numbers the modulus."""
    x = lift(a)
    return x if x.dtype == BOOL else marked(rows.absolute(x), weak=x.type.weak)


def fabs(a: Operand) -> Value:
    """|a| in floating point."""
    x = lift(a)
    _need("fabs", x.type, "bif", x)
    return absolute(cast(x, float_of(x.dtype)))


def sign(a: Operand) -> Value:
    """-1, 0 or 1; of complex numbers a / |a|."""
    x = lift(a)
    if x.dtype == BOOL:
        raise ArgumentTypeError("ufunc 'sign' is not supported for bool", where=x.builder.where)
    if x.dtype.kind == "c":
        return _direction(x)
    return marked(rows.sign(x), weak=x.type.weak)


def _direction(x: Value) -> Value:
    """x / |x|; 0 of 0, a unit where one part is infinite, undefined where both are."""
    size = absolute(x)
    zero, infinite = rows.equal(size, size.like(0)), rows.isinf(size)
    is_special = rows.logical_or(zero, infinite)
    finite = divide(rows.select(is_special, x.like(1), x), rows.select(is_special, size.like(1), size))
    parts = rows.real(x), rows.imag(x)
    units = (rows.select(rows.isinf(part), rows.sign(part), part.like(0)) for part in parts)
    both = rows.logical_and(*(rows.isinf(part) for part in parts))
    limit = rows.select(both, x.like(complex(np.nan, np.nan)), rows.complex_(*units))
    return rows.select(zero, x.like(0), rows.select(infinite, limit, finite))


def reciprocal(a: Operand) -> Value:
    """1 / a; of integers the integer quotient."""
    x = lift(a)
    if is_whole(x.dtype):
        return _integer_reciprocal(cast(x, INT8) if x.dtype == BOOL else x)
    return marked(x.like(1) / x, weak=x.type.weak)


def _integer_reciprocal(x: Value) -> Value:
    """1 or -1 of themselves, else 0; of 0 what C's quotient is on x86-64: the least int32 or int64, else 0."""
    found = rows.select(rows.equal(x, x.like(1)), x.like(1), x.like(0))
    if not is_unsigned(x.dtype):
        found = rows.select(rows.equal(x, x.like(-1)), x, found)
    return rows.select(rows.equal(x, x.like(0)), x.like(int(np.iinfo(x.dtype).min)), found) if x.dtype in (INT32, INT64) else found


def _counted(x: Value) -> Value:
    """Python's bools count as ints."""
    return cast(x, INT64, weak=True) if x.dtype == BOOL and x.type.weak else x


def real(a: Operand) -> Value:
    """The real part."""
    x = _counted(lift(a))
    return rows.real(x) if x.dtype.kind == "c" else x


def imag(a: Operand) -> Value:
    """The imaginary part; zeros for real numbers."""
    x = _counted(lift(a))
    return rows.imag(x) if x.dtype.kind == "c" else marked(filled(x.builder, 0, x.dtype, x.shape), weak=x.type.weak)


def conj(a: Operand) -> Value:
    """The complex conjugate."""
    x = lift(a)
    if x.dtype == BOOL:
        return cast(x, INT8)
    return rows.conj(x) if x.dtype.kind == "c" else x


def conj_method(a: Operand) -> Value:
    """x.conj(): what is not complex itself (Python's bools as the ints that they are)."""
    x = lift(a)
    if x.dtype.kind != "b":
        return conj(x)
    return add(x, 0) if x.type.weak else x


def angle(z: Operand, deg: bool = False) -> Value:
    """The argument of a complex number, in (-pi, pi]."""
    x = lift(z)
    x = cast(x, INT64) if x.dtype == BOOL else x
    parts = (imag(x), real(x)) if x.dtype.kind == "c" else (x.like(0), x)
    result = floating_pair(rows.arctan2)(*parts)
    return multiply(result, 180 / np.pi) if deg else result


def deg2rad(a: Operand) -> Value:
    """Degrees as radians."""
    return _scaled(a, np.pi / 180)


def rad2deg(a: Operand) -> Value:
    """Radians as degrees."""
    return _scaled(a, 180 / np.pi)


def _scaled(a: Operand, factor: float) -> Value:
    x = lift(a)
    _need("deg2rad", x.type, "bif", x)
    return multiply(cast(x, float_of(x.dtype)), factor)


def clip(a: Operand, a_min: Operand = NONE, a_max: Operand = NONE, *, min: Operand = NONE, max: Operand = NONE) -> Value:
    """min(max(a, a_min), a_max)."""
    place = lift(a).builder.where
    if (a_min is NONE) != (a_max is NONE):
        missing = "a_max" if a_max is NONE else "a_min"
        raise ArgumentTypeError(f"clip() missing 1 required positional argument: {missing!r}", where=place)
    if a_min is not NONE and (min is not NONE or max is not NONE):
        raise ArgumentValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.", where=place)
    low, high = ((None if given is NONE else given) if named is NONE else named for given, named in ((a_min, min), (a_max, max)))
    result = lift(a)
    if result.type.weak and any(bound is not None and not lift(bound).type.weak for bound in (low, high)):  # np.clip makes an array of a number
        result = strong(result)
    if is_integer(result.dtype) and not result.type.weak:
        low, high = _bound_of(result.dtype, low, largest=False), _bound_of(result.dtype, high, largest=True)
    if low is None and high is None and result.ndim:
        return rows.copy(result)
    if low is not None and high is not None and not result.type.weak and lift(low).type.weak:  # a Python number adapts to the other two
        result = cast(result, result_type(result, lift(high)).dtype)
    if low is not None:
        result = maximum(result, low)
    return result if high is None else minimum(result, high)


def _bound_of(dtype: np.dtype, bound: Operand, *, largest: bool) -> Operand:
    """A bound of np.clip for integers of this dtype: a Python int that is none, because it lies beyond all of them, changes nothing."""
    if bound is None or isinstance(bound, list | tuple | np.ndarray):
        return bound
    value, limits = lift(bound), np.iinfo(dtype)
    if not (value.type.weak and value.dtype == INT64):
        return bound
    most = int(limits.max if largest else limits.min)
    if isinstance(value.atom, Literal):
        return None if (value.atom.value >= most if largest else value.atom.value <= most) else bound  # type: ignore[operator]
    if dtype.itemsize == 8 and (largest or not is_unsigned(dtype)):
        return bound  # of run time they have 64 bits
    return (minimum if largest else maximum)(bound, most)


def round_(a: Operand, decimals: Operand = 0) -> Value:
    """To `decimals` decimals, halves to even, as np.round does: scaled, rint, scaled back. Integers to tens and hundreds by way of floats."""
    x = lift(a)
    if x.dtype.kind == "c":
        return rows.complex_(round_(real(x), decimals), round_(imag(x), decimals))
    digits = builder_of(x, decimals).known_form(as_integer(decimals))
    if digits.terms:
        return _rounded_at_run_time(x, decimals)
    count = digits.constant
    if is_whole(x.dtype) and count >= 0:
        return x if is_integer(x.dtype) else cast(x, float_of(x.dtype))
    if x.dtype == BOOL:
        raise ArgumentTypeError("Cannot cast ufunc 'divide' output from dtype('float64') to dtype('bool') with casting rule 'same_kind'", where=x.builder.where)
    if count == 0:
        return marked(rows.rint(x), weak=x.type.weak)
    return cast(_to_multiples(x, float(np.power(10.0, abs(count))), count > 0), x.dtype)


def _to_multiples(x: Value, scale: Operand, up: bool) -> Value:
    """x, of integers as floats, to so many parts of one, or to a multiple of the scale."""
    x = cast(x, FLOAT64) if is_whole(x.dtype) else x
    return divide(rows.rint(multiply(x, scale)), scale) if up else multiply(rows.rint(divide(x, scale)), scale)


def _rounded_at_run_time(x: Value, decimals: Operand) -> Value:
    """x to a number of decimals that only the run knows."""
    if x.dtype == BOOL:
        float_of(x.dtype)
    count = cast(lift(decimals), INT64)
    scale = as_weak(power(FLOAT64.type(10.0), cast(absolute(count), FLOAT64)))
    up = lift(compare(">=", count, 0))
    found = x if is_integer(x.dtype) else _to_multiples(x, scale, up=True)
    return where(up, found, cast(_to_multiples(x, scale, up=False), x.dtype))


def heaviside(a: Operand, b: Operand) -> Value:
    """0 below zero, 1 above, b at zero."""
    return rows.heaviside(*_floats("heaviside", a, b))


def nextafter(a: Operand, b: Operand) -> Value:
    """The float that follows a on the way to b."""
    return rows.nextafter(*_floats("nextafter", a, b))


def _floats(name: str, a: Operand, b: Operand) -> tuple[Value, ...]:
    """Two operands as floats of one dtype and shape."""
    x, y = lift(a), lift(b)
    dtype = _float_type(x, y).dtype
    _need(name, Array(dtype), "f", x)
    return tuple(aligned(x, y, dtypes=dtype))


def sinc(a: Operand) -> Value:
    """sin(pi a) / (pi a); near zero its Taylor series, whose derivatives of all orders are right at zero and have no cancellation."""
    x = lift(a)
    y = multiply(cast(x, FLOAT64) if is_whole(x.dtype) else x, np.pi)
    square, size = multiply(y, y), absolute(y)
    series: Operand = 1 / 362880
    for coefficient in (-1 / 5040, 1 / 120, -1 / 6, 1.0):  # the next term is below 1e-19
        series = add(multiply(series, square), coefficient)
    near = rows.less(size, size.like(0.06))
    away = rows.select(near, y.like(1.0), y)
    return rows.select(near, lift(series), divide(floating(rows.sin)(away), away))


def copysign(a: Operand, b: Operand) -> Value:
    """|a| with the sign of b."""
    return floating_pair(rows.copysign)(a, b)


def nan_to_num(x: Operand, copy: bool = True, nan: Operand = 0.0, posinf: Operand = None, neginf: Operand = None) -> Value:
    """NaN and infinities replaced by numbers."""
    if not copy:
        raise unsupported("np.nan_to_num(…, copy=False) is not supported", instead="x[...] = np.nan_to_num(x)")
    value = lift(x)
    if is_whole(value.dtype):
        return rows.copy(value)
    if value.dtype.kind == "c":
        return rows.complex_(*(nan_to_num(part(value), copy, nan, posinf, neginf) for part in (rows.real, rows.imag)))
    bounds = np.finfo(value.dtype)
    high, low = (float(bounds.max) if posinf is None else posinf), (float(bounds.min) if neginf is None else neginf)
    result = rows.select(rows.equal(value, value), value, _number_for(nan, value))
    result = rows.select(rows.equal(value, value.like(np.inf)), _number_for(high, value), result)
    return rows.select(rows.equal(value, value.like(-np.inf)), _number_for(low, value), result)


def _number_for(number: Operand, value: Value) -> Value:
    """A number, known or of run time, as an array like the value."""
    found = lift(number)
    if found.ndim:
        raise unsupported("np.nan_to_num with an array of numbers is not supported", instead="np.where(np.isnan(x), y, x)")
    if found.dtype.kind == "c":
        rule = f"Cannot cast scalar from dtype('{found.dtype}') to dtype('{value.dtype}') according to the rule 'same_kind'"
        raise ArgumentTypeError(rule, where=value.builder.where)
    return cast(found, value.dtype).broadcast_to(value.shape, ()) if isinstance(number, Value) else value.like(number)
