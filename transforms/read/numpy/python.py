"""Python's own functions of numbers: builtins and `math`. Their results are Python numbers (weak), and they raise what Python raises (`python_checks`).

Integers have 64 bits.
"""
from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, UnsupportedError
from s2s.transforms.primitives import rows, sizes
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.doubts import forbid_order, note, note_choice, settle, types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.names import within
from s2s.transforms.read.numpy import arithmetic
from s2s.transforms.read.numpy.arithmetic import add, compare, multiply
from s2s.transforms.read.numpy.broadcasting import aligned
from s2s.transforms.read.numpy.building import Operand, current_builder, has_value, unsupported
from s2s.transforms.read.numpy.common import as_weak, cast, lift, marked, result_type, truth
from s2s.transforms.read.numpy.creation import bool_, complex_, float_, int_
from s2s.transforms.read.numpy.elementwise import absolute, deg2rad, floating, floating_pair, rad2deg, round_, rounding, test
from s2s.transforms.read.numpy.parts import get
from s2s.transforms.read.numpy.python_checks import (
    check_fmod,
    check_integer,
    check_math,
    check_math_power,
    check_math_range,
    check_range,
    example,
    forbid,
    refuse_as_python,
    with_result,
)
from s2s.transforms.read.numpy.python_operators import SUM_OF, divide, divmod_, plain_power, power
from s2s.transforms.read.numpy.reductions import all_, any_, argmax, argmin, check_elements, max_, min_, sum_
from s2s.types import BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, Literal, Var, is_whole, kind_of


def _real(function: Callable[..., Any], x: Operand) -> Value:
    """An operand of math's function as a Python float; what is no real number is refused in Python's words."""
    value = lift(x)
    if value.dtype.kind == "c" or value.ndim:
        refuse_as_python(function, value)
    return lift(float_(value))


@asks_python
def _unary(function: Callable[..., Any], of_values: Callable[[Value], Value]) -> Callable[..., Any]:
    """math's function of one number."""

    def apply(x: Operand) -> Any:
        if not has_value(x):
            return function(x)
        value = _real(function, x)
        check_math(function.__name__, value)
        return as_weak(of_values(value))

    apply.__name__ = function.__name__
    return apply


@asks_python
def _binary(function: Callable[..., Any], of_values: Callable[[Value, Value], Value]) -> Callable[..., Any]:
    """math's function of two numbers."""

    def apply(x: Operand, y: Operand) -> Any:
        if not has_value(x, y):
            return function(x, y)
        return as_weak(of_values(*(_real(lambda each: function(each, 1.0), each) for each in (x, y))))

    apply.__name__ = function.__name__
    return apply


@asks_python
def _integer_part(row: Primitive) -> Callable[[Operand], Any]:
    """math.floor, ceil, trunc: a Python int; of an integer itself."""
    function = getattr(math, row.name)

    def apply(x: Operand) -> Any:
        if not has_value(x):
            return function(x)
        value = lift(x)
        if value.ndim or value.dtype.kind == "c" or row is rows.trunc:
            refuse_as_python(function, value)
        if is_whole(value.dtype) and not value.ndim:
            return int_(value)
        return _whole(rounding(row)(lift(float_(value))))

    apply.__name__ = row.name
    return apply


def _whole(x: Value) -> Value:
    """A float without a fraction as a Python int."""
    check_integer(x)
    return cast(x, INT64, weak=True)


def log(x: Operand, base: Operand = None) -> Any:
    """math.log, of any base."""
    if not has_value(x, base):
        return math.log(x) if base is None else math.log(x, base)
    value = _natural_log(x)
    return value if base is None else divide(value, _natural_log(base))


def _natural_log(x: Operand) -> Any:
    if not has_value(x):
        return math.log(x)
    number = _real(math.log, x)
    check_math("log", number)
    return as_weak(floating(rows.log)(number))


@asks_python
def coordinate(x: Operand) -> Operand:
    """A coordinate of math.dist, which is a Python float before any difference is taken."""
    if not has_value(x):
        math.hypot(x)  # refuses what is no real number
        return float(x)
    return _real(math.hypot, x)


def hypot(*coordinates: Operand) -> Any:
    """math.hypot."""
    if not has_value(coordinates):
        return math.hypot(*coordinates)
    values = [_real(math.hypot, x) for x in coordinates]
    result: Operand = values[0] if len(values) > 1 else abs_(values[0])
    for value in values[1:]:
        result = floating_pair(rows.hypot)(result, value)
    return result


def abs_(x: Operand) -> Any:
    """abs(x)."""
    if not has_value(x):
        return abs(x)
    value = lift(x)
    result = absolute(cast(value, INT64, weak=True) if value.dtype == BOOL and value.type.weak else value)
    if value.dtype.kind != "c":
        note(result.builder, result.atom, types_of(result.builder, value.atom))
    return result


def pow_(base: Operand, exp: Operand, mod: Operand = None) -> Any:
    """pow(x, y)."""
    if not has_value(base, exp, mod):
        return pow(base, exp, mod)
    if mod is not None:
        raise unsupported("pow with three arguments is not supported", instead="x ** y % m")
    try:
        result = power(base, exp)
    except (ArgumentTypeError, UnsupportedError):
        refuse_as_python(pow, base, exp)
        raise
    settle("**", base, exp, result)
    return result


def divmod_of(a: Operand, b: Operand) -> Any:
    """divmod(a, b)."""
    if not has_value(a, b):
        return divmod(a, b)
    try:
        quotient, rest = divmod_(a, b)
    except (ArgumentTypeError, UnsupportedError):
        refuse_as_python(divmod, a, b)
        raise
    settle("//", a, b, quotient)
    settle("%", a, b, rest)
    return quotient, rest


def round_of(number: Operand, ndigits: Any = None) -> Any:
    """round(x): an int, halves to even; round(x, n) of a NumPy scalar or array as np.round."""
    if not has_value(number, ndigits):
        return round(number, ndigits)
    value = lift(number)
    if kind_of(value.dtype) not in "if" or value.ndim:
        refuse_as_python(round, value)
    if value.dtype == BOOL:
        value = cast(value, INT64, weak=True)
    if ndigits is None and not value.ndim:
        return int_(value) if kind_of(value.dtype) == "i" else _whole(as_weak(rows.rint(value)))
    if not value.type.weak:
        return round_(value, 0 if ndigits is None else ndigits)
    raise unsupported("round(x, n) of a number that is Python's own on one path and NumPy's on another is not supported", instead="float(…) of it before")


def max_of(*args: Any, key: Any = None, default: Any = None) -> Any:
    """max(a, b, …), or max of a sequence or of an array."""
    return _extreme(builtins.max, args, key, default)


def min_of(*args: Any, key: Any = None, default: Any = None) -> Any:
    """min(a, b, …), or min of a sequence or of an array."""
    return _extreme(builtins.min, args, key, default)


@asks_python
def _extreme(function: Callable[..., Any], args: tuple[Any, ...], key: Any, default: Any) -> Any:
    name = function.__name__
    if not has_value(args):
        given = {} if key is None else {"key": key}
        return function(*args, **given) if default is None else function(*args, default=default, **given)
    if key is not None or default is not None:
        raise unsupported(f"{name}(…, key=…, default=…) of run-time values is not supported", instead="a loop with an if")
    if len(args) == 1:
        (only,) = args
        if isinstance(only, Value):
            return _of_array(name, only)
        args = tuple(only)
    args = _exactly_held(args)
    result = args[0]
    for other in args[1:]:
        result = _better(name, result, other)
    return result


def _exactly_held(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """float16 and float32 beside Python floats that they may not hold: in float64, since the operand that wins is given back as it is."""
    for short in (FLOAT16, FLOAT32):
        is_short = [isinstance(arg, Value) and arg.dtype == short or isinstance(arg, short.type) for arg in args]
        if any(is_short) and not all(is_one or _fits(arg, short) for arg, is_one in zip(args, is_short, strict=True)):
            args = tuple(cast(lift(arg), FLOAT64) if is_one else arg for arg, is_one in zip(args, is_short, strict=True))
    return args


def _fits(arg: Any, dtype: np.dtype) -> bool:
    """Whether a Python float is surely a number of a shorter dtype."""
    if isinstance(arg, Value):
        return not (arg.type.weak and arg.dtype == FLOAT64)
    with np.errstate(over="ignore"):
        return type(arg) is not float or math.isnan(arg) or float(dtype.type(arg)) == arg


def _of_array(name: str, value: Value) -> Value:
    if value.ndim != 1:
        raise unsupported(f"{name}() of an array of {value.ndim} dimensions is not supported", instead=f"np.{name}(…)")
    check_elements(value, (0,), _EMPTY[name])
    if value.dtype.kind != "f":
        return (max_ if name == "max" else min_)(value)
    first = get(value, 0)
    place = (argmax if name == "max" else argmin)(arithmetic.where(compare("==", value, value), value, first))
    return get(value, place)  # the first of equal ones; nan is never better than what is there, and nothing than a nan that comes first


@asks_python
def _empty_words(function: Callable[..., Any]) -> str:
    try:
        function([])
    except ValueError as error:
        return str(error)
    return ""


_EMPTY = {"max": _empty_words(max), "min": _empty_words(min)}


def _better(name: str, a: Operand, b: Operand) -> Operand:
    """The first, unless the second is strictly better: Python's rule for equal and unordered (nan) numbers."""
    if not has_value(a, b):
        return getattr(builtins, name)(a, b)
    x, y = lift(a), lift(b)
    symbol = ">" if name == "max" else "<"
    if x.ndim or y.ndim:
        truth(compare(symbol, y, x))
        raise unsupported(f"{name}() of arrays of one element", instead=f"np.{name}imum(a, b)")
    type_ = result_type(x, y)
    if type_.dtype == INT64 and type_.weak:
        for one, other in ((x, y), (y, x)):
            if (number := arithmetic.beyond(one, other)) is not None:
                return number if (number > 0) is (name == "max") else other
        x, y = (cast(value, INT64, weak=True) for value in (x, y))
        return x.with_atom((sizes.larger if name == "max" else sizes.smaller)(x.builder, x.atom, y.atom))
    forbid_order(symbol, y, x)
    try:
        is_better = compare(symbol, y, x)
    except UnsupportedError:
        refuse_as_python(getattr(builtins, name), x, y)
        raise
    types = types_of(x.builder, x.atom) | types_of(y.builder, y.atom)
    one, other = aligned(x, y, dtypes=type_.dtype, weak=type_.weak)
    result = marked(rows.select(is_better, other, one), weak=type_.weak)
    note_choice(x, y, types, result)
    return result


def sum_of(iterable: Any, start: Operand = 0) -> Any:
    """sum of a sequence of numbers or arrays, or of an array's rows."""
    if not has_value(iterable, start):
        return sum(iterable, start)
    if isinstance(iterable, Value):
        if not iterable.ndim:
            raise ArgumentTypeError("'float' object is not iterable", where=current_builder().where)
        begins = has_value(start) or start != 0
        dtype = result_type(lift(start), iterable).dtype if begins else iterable.dtype  # all is added in it, from the start on
        if iterable.dtype == BOOL and not iterable.atom.type.weak and lift(start).dtype == BOOL and isinstance(start, bool | np.bool_ | Value):
            return rows.logical_or(any_(iterable, axis=0), lift(start))  # True + np.True_ is np.True_
        result = sum_(cast(iterable, dtype), axis=0, dtype=dtype if is_whole(dtype) and dtype != BOOL else None)  # np.sum would add in 64 bits
        if not begins and iterable.ndim == 1 and isinstance(result.atom, Var):
            result.builder.numbered[SUM_OF, result.atom] = iterable.dim(0).atom
        return add(start, result) if begins else result
    total = start
    for item in iterable:
        summed = add(total, item) if has_value(total, item) else total + item
        settle("+", total, item, summed)
        total = summed
    return total


def all_of(iterable: Any) -> Any:
    """all of a sequence of scalars, or of a vector."""
    return _truths(iterable, all_, all)


def any_of(iterable: Any) -> Any:
    """any of a sequence of scalars, or of a vector."""
    return _truths(iterable, any_, any)


@asks_python
def _truths(iterable: Any, of_array: Callable[..., Value], of_static: Callable[..., bool]) -> Any:
    if not has_value(iterable):
        return of_static(iterable)
    if isinstance(iterable, Value):
        if iterable.ndim != 1:
            raise unsupported(f"{of_static.__name__}() of an array of {iterable.ndim} dimensions is not supported", instead="np.all or np.any")
        return as_weak(of_array(iterable))
    return as_weak(of_array([bool_(item) for item in iterable]))


def is_close(a: Operand, b: Operand, *, rel_tol: Operand = 1e-09, abs_tol: Operand = 0.0) -> Any:
    """math.isclose."""
    if not has_value(a, b, rel_tol, abs_tol):
        return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    x, y, relative, least = (_real(lambda each: math.isclose(each, 1.0), each) for each in (a, b, rel_tol, abs_tol))
    negative = rows.logical_or(relative < 0, least < 0)
    if not isinstance(negative.atom, Literal):
        forbid(negative, ("ValueError", "tolerances must be non-negative"))
    distance = absolute(add(x, multiply(y, -1.0)))
    largest = _better("max", absolute(x), absolute(y))
    near = compare("<=", distance, _better("max", multiply(relative, largest), least))
    infinite = rows.logical_or(rows.isinf(x), rows.isinf(y))
    return marked(rows.logical_or(rows.logical_and(near, rows.logical_not(infinite)), compare("==", x, y)), weak=True)


def is_integer(x: Operand) -> Any:
    """float.is_integer."""
    value = lift(x)
    if value.dtype.kind != "f":
        return example(value).is_integer()
    return marked(rows.logical_and(compare("==", value, rounding(rows.floor)(value)), rows.isfinite(value)), weak=True)


def _math_power(x: Value, y: Value) -> Value:
    check_math_power(x, y)
    return with_result(lambda x, y: plain_power(x, y, result_type(x, y)), check_math_range, x, y)


def _math_fmod(x: Value, y: Value) -> Value:
    check_fmod(x, y)
    return arithmetic.fmod(x, y)


def _gamma(x: Value) -> Value:
    return with_result(floating(rows.gamma), check_range, x)


def _log_gamma(x: Value) -> Value:
    """math.lgamma: SciPy's function but at -inf."""
    return with_result(lambda x: rows.select(x.equals(-math.inf), x.like(math.inf), floating(rows.gammaln)(x)), check_range, x)


PYTHON_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **within(
        "builtins", abs=abs_, pow=pow_, divmod=divmod_of, round=round_of, max=max_of, min=min_of, sum=sum_of, all=all_of, any=any_of,
        float=float_, int=int_, complex=complex_, bool=bool_,
    ),
    **within(
        "math", gamma=_unary(math.gamma, _gamma), lgamma=_unary(math.lgamma, _log_gamma), floor=_integer_part(rows.floor), ceil=_integer_part(rows.ceil), trunc=_integer_part(rows.trunc), log=log, hypot=hypot, isclose=is_close,
        fabs=_unary(math.fabs, absolute), degrees=_unary(math.degrees, rad2deg), radians=_unary(math.radians, deg2rad), pow=_binary(math.pow, _math_power),
        fmod=_binary(math.fmod, _math_fmod), atan2=_binary(math.atan2, floating_pair(rows.arctan2)), copysign=_binary(math.copysign, floating_pair(rows.copysign)),
    ),
}  # fmt: skip


for _function, _row in (
    (math.exp, rows.exp), (math.expm1, rows.expm1), (math.log1p, rows.log1p), (math.log2, rows.log2), (math.log10, rows.log10), (math.sqrt, rows.sqrt),
    (math.sin, rows.sin), (math.cos, rows.cos), (math.tan, rows.tan), (math.asin, rows.arcsin), (math.acos, rows.arccos), (math.atan, rows.arctan),
    (math.sinh, rows.sinh), (math.cosh, rows.cosh), (math.tanh, rows.tanh), (math.asinh, rows.arcsinh), (math.acosh, rows.arccosh),
    (math.atanh, rows.arctanh), (math.cbrt, rows.cbrt), (math.exp2, rows.exp2), (math.erf, rows.erf), (math.erfc, rows.erfc),
):  # fmt: skip
    PYTHON_FUNCTIONS[f"math.{_function.__name__}"] = _unary(_function, floating(_row))
for _function, _row in ((math.isnan, rows.isnan), (math.isinf, rows.isinf), (math.isfinite, rows.isfinite)):
    PYTHON_FUNCTIONS[f"math.{_function.__name__}"] = _unary(_function, test(_row, _row is rows.isfinite))

__all__ = ["PYTHON_FUNCTIONS", "is_integer"]
