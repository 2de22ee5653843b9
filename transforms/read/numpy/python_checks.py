"""Checks of what Python's own numbers refuse, where NumPy's give nan, inf or some number.

    math.sqrt(x)              ->   check(not (x < 0.0), ValueError, "math domain error"); sqrt(x)
    math.sqrt(x * x + 1.0)    ->   sqrt(add(mul(x, x), 1.0))      known to be inside: no check
    int(x)                    ->   if not (abs(x) < 2 ** 63): check(x == x, ValueError, …); …

Each test is a comparison of numbers that are there anyway, and hardly ever fails. The words of divisions by zero and of wrong types are Python's own: it is asked.
"""
from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.ir.program import Block, If
from s2s.transforms.overflow.sizes import BEYOND_TOTAL
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.building import building, unsupported
from s2s.transforms.read.numpy.domains import is_nonnegative, is_positive
from s2s.types import BOOL, FLOAT64, INT64, UINT64, Literal, Var, is_integer, is_unsigned, kind_of, literal

Error = tuple[str, str]
"""The name of a built-in exception, and its message."""

DOMAIN: Error = ("ValueError", "math domain error")
RANGE: Error = ("OverflowError", "math range error")
TOO_LARGE: Error = ("OverflowError", "(34, 'Numerical result out of range')")
COMPLEX_TOO_LARGE: Error = ("OverflowError", "complex exponentiation")
NEGATIVE_SHIFT: Error = ("ValueError", "negative shift count")
NO_COMPLEX: Error = (
    "NotImplementedError",
    "a negative Python number to a power that is no integer is complex: its type would depend on the value; write complex(x) ** y, or np.float64(x) ** y",
)
NO_FLOAT: Error = (
    "NotImplementedError",
    "a Python int to a negative power is a float: its type would depend on the value; write float(x) ** y",
)
NO_INFINITE_COMPLEX: Error = (
    "NotImplementedError", "an infinite or undefined Python number to a complex power (Python and NumPy disagree): write np.complex128(x) ** y",
)
NAN_TO_INT: Error = ("ValueError", "cannot convert float NaN to integer")
INFINITY_TO_INT: Error = ("OverflowError", "cannot convert float infinity to integer")
BEYOND_INT64: Error = ("OverflowError", "a float beyond 64 bits as a Python int: integers of run time have 64 bits in s2s")
BEYOND_PYTHON: Error = ("OverflowError", "a uint64 beyond 63 bits as a Python int: integers of run time have 64 bits, one of them the sign, in s2s")
BEYOND_PYTHONS: Error = ("OverflowError", "a Python int beyond 64 bits: integers of run time have 64 bits in s2s")
INEXACT: Error = (
    "NotImplementedError", "an int too large for the float that it is on another path, or in another trip, to hold it exactly: write float(n) on its path",
)
BEYOND_LONG: Error = ("OverflowError", "Python int too large to convert to C long")

EXP_LIMIT, EXP2_LIMIT, COSH_LIMIT = 709.782712893384, math.nextafter(1024.0, 0.0), 710.4758600739439
"""The largest numbers whose exp, exp2 and cosh are finite."""


_OF_FLOATS = (RANGE, TOO_LARGE, COMPLEX_TOO_LARGE, ("ZeroDivisionError", "0.0 cannot be raised to a negative power"))


def forbid(test: Value, error: Error, *, late: bool = True) -> None:
    """Append the Check that raises if this bool scalar holds. In a jaxpr floats are what JAX takes them for: arrays, which overflow in silence."""
    if is_traced_order() and error in _OF_FLOATS:
        return
    test.builder.check(rows.logical_not(test).atom, *error, late=late)


def check_joined(value: Value, dtype: np.dtype[Any]) -> None:
    """Append the Check of an int that another path has as a float: it must be a number that the float type holds exactly."""
    if value.dtype != INT64 or value.ndim or dtype.kind not in "fc":
        return
    builder, atom, most = value.builder, value.atom, 2 ** (np.finfo(dtype).nmant + 1)
    if isinstance(atom, Literal):
        if int(dtype.type(atom.value).real) != atom.value:
            raise unsupported(f"{atom.value} is {INEXACT[1].partition(':')[0]}, which is not supported", instead=f"float({atom.value})")
        return
    if not (builder.proves_at_least(atom, -most) and builder.proves_at_least(most, atom)):
        forbid(rows.logical_or(value < -most, value > most), INEXACT)


def all_hold(*tests: Value) -> Value:
    """Whether all of these bool scalars hold."""
    result = tests[0]
    for test in tests[1:]:
        result = rows.logical_and(result, test)
    return result


def is_finite(x: Value) -> Value:
    """Whether each part of x is neither nan nor infinite."""
    if x.dtype.kind == "c":
        return all_hold(rows.isfinite(rows.real(x)), rows.isfinite(rows.imag(x)))
    return rows.isfinite(x)


def _not(test: Value) -> Value:
    return rows.logical_not(test)


# ---- math ----------------------------------------------------------------------------------------------------------------


def _above(limit: float, *, both_sides: bool = False) -> Callable[[Value], Value]:
    """Finite numbers above a limit (in size, if asked)."""

    def test(x: Value) -> Value:
        size = rows.absolute(x) if both_sides else x
        return all_hold(size > limit, size < math.inf)

    return test


def _infinite(x: Value) -> Value:
    return rows.isinf(x)


def _is_pole(x: Value) -> Value:
    """Zero and the negative integers."""
    return all_hold(x <= 0, x > -math.inf, x.equals(rows.floor(x)))


_LIMITS: dict[str, tuple[Callable[[Value], bool], Callable[[Value], Value], Error]] = {
    "sqrt": (is_nonnegative, lambda x: x < 0, DOMAIN),
    "log": (is_positive, lambda x: x <= 0, DOMAIN), "log2": (is_positive, lambda x: x <= 0, DOMAIN), "log10": (is_positive, lambda x: x <= 0, DOMAIN),
    "log1p": (is_nonnegative, lambda x: x <= -1, DOMAIN),
    "asin": (lambda x: False, lambda x: rows.absolute(x) > 1, DOMAIN), "acos": (lambda x: False, lambda x: rows.absolute(x) > 1, DOMAIN),
    "atanh": (lambda x: False, lambda x: rows.absolute(x) >= 1, DOMAIN), "acosh": (lambda x: False, lambda x: x < 1, DOMAIN),
    "sin": (lambda x: False, _infinite, DOMAIN), "cos": (lambda x: False, _infinite, DOMAIN), "tan": (lambda x: False, _infinite, DOMAIN),
    "exp": (lambda x: False, _above(EXP_LIMIT), RANGE), "expm1": (lambda x: False, _above(EXP_LIMIT), RANGE),
    "exp2": (lambda x: False, _above(EXP2_LIMIT), RANGE),
    "sinh": (lambda x: False, _above(COSH_LIMIT, both_sides=True), RANGE), "cosh": (lambda x: False, _above(COSH_LIMIT, both_sides=True), RANGE),
    "gamma": (lambda x: False, lambda x: rows.logical_or(_is_pole(x), x.equals(-math.inf)), DOMAIN),
    "lgamma": (lambda x: False, _is_pole, DOMAIN),
}  # fmt: skip
"""math's function -> where it is known not to raise, where it raises, and what."""


def check_math(name: str, x: Value) -> None:
    """Append the Check that math's function of this name makes of its argument."""
    if name in _LIMITS:
        never, outside, error = _LIMITS[name]
        if not never(x):
            forbid(outside(x), error)


def check_range(x: Value, result: Value) -> None:
    """Append the Check of a result that is too large for a float."""
    forbid(all_hold(rows.isinf(result), is_finite(x)), RANGE)


def with_result(compute: Callable[..., Value], check: Callable[..., None], *operands: Value) -> Value:
    """compute(*operands), with the Checks that `check` makes of them and it. Where an error would be caught they are of a result of their own: no
    derivative goes through a number that is dropped. What is used stands behind them, where nothing has failed.
    """
    if operands[0].builder.on_check is None:
        result = compute(*operands)
        check(*operands, result)
        return result
    check(*operands, compute(*map(rows.stop_gradient, operands)))
    return compute(*operands)


def check_fmod(x: Value, y: Value) -> None:
    """math.fmod of an infinity, or by zero."""
    bad = rows.logical_or(rows.isinf(x), y.equals(0))
    forbid(all_hold(bad, x.equals(x), y.equals(y)), DOMAIN)


def check_math_power(x: Value, y: Value) -> None:
    """Before math.pow: zero to a negative power, and what would be complex."""
    for tests in filter(None, _without_power(x, y)):
        forbid(all_hold(*tests), DOMAIN)


def check_math_range(x: Value, y: Value, result: Value) -> None:
    """After math.pow: an infinite result of finite numbers."""
    if not _keeps_finite(x, y):
        forbid(all_hold(rows.isinf(result), is_finite(x), is_finite(y)), RANGE)


def _without_power(x: Value, y: Value) -> tuple[list[Value], list[Value]]:
    """What must hold for x ** y to be zero to a negative power, or complex; nothing where it is known not to be."""
    base, exponent = _known(x), _known(y)
    zero: list[Value] = []
    if (exponent is None or exponent < 0) and not (base or is_positive(x)):
        zero = [x.equals(0)] + ([] if exponent is not None else [y < 0, y > -math.inf])
    negative: list[Value] = []
    if (exponent is None or math.isfinite(exponent) and exponent != int(exponent)) and not is_nonnegative(x):
        negative = [x < 0, x > -math.inf] + ([] if exponent is not None else [is_finite(y), _not(y.equals(rows.floor(y)))])
    return zero, negative


def _keeps_finite(x: Value, y: Value) -> bool:
    """Whether x ** y is known to be a finite number where x is: it is x, 1, or a root of what is not negative."""
    exponent = _known(y)
    return exponent in (0, 1) or exponent is not None and 0 < exponent < 1 and is_nonnegative(x)


def _known(x: Value) -> Any:
    return x.atom.value if isinstance(x.atom, Literal) else None


# ---- powers of Python's numbers -------------------------------------------------------------------------------------------


def check_power(x: Value, y: Value) -> None:
    """Before x ** y of floats: zero to a negative power, and what would be complex."""
    zero, negative = _without_power(x, y)
    if zero:
        forbid(all_hold(*zero), ("ZeroDivisionError", power_of_zero("f")))
    if negative:
        forbid(all_hold(*negative), NO_COMPLEX)


def check_finite_power(x: Value, y: Value, result: Value) -> None:
    """After x ** y: an infinite result of finite numbers."""
    if result.dtype.kind != "c" and _keeps_finite(x, y) or isinstance(result.atom, Literal) or result.atom is x.atom:
        return
    grown = [is_finite(each) for each in (x, y) if not isinstance(each.atom, Literal)]
    if any(isinstance(each.atom, Literal) and not np.isfinite(each.atom.value) for each in (x, y)):
        return
    if result.dtype.kind == "c":
        forbid(all_hold(_not(is_finite(result)), *grown), COMPLEX_TOO_LARGE)
    else:
        forbid(all_hold(rows.isinf(result), *grown), TOO_LARGE)


def check_complex_power(x: Value, y: Value) -> None:
    """Before x ** y of complex numbers: zero to a power that is negative or complex."""
    exponent = _known(y)
    if exponent is not None and complex(exponent).imag == 0 and complex(exponent).real >= 0:
        return
    tests = [x.equals(0)]
    if exponent is None:
        forbid(_not(all_hold(is_finite(x), is_finite(y))), NO_INFINITE_COMPLEX)
        tests.append(rows.logical_or(rows.real(y) < 0, _not(rows.imag(y).equals(0))))
    forbid(all_hold(*tests), ("ZeroDivisionError", power_of_zero("c")))


def check_integer_power(x: Value, y: Value) -> None:
    """Before x ** y of Python ints with a run-time exponent: a negative one would make it a float."""
    if y.builder.proves_at_least(y.atom, 0):
        return
    negative = y < 0
    forbid(all_hold(x.equals(0), negative), ("ZeroDivisionError", power_of_zero("i")), late=False)
    forbid(negative, NO_FLOAT, late=False)


_ONES: dict[str, Any] = {"b": 1, "i": 1, "f": 1.0, "c": 1 + 1j}
_DIVISIONS: dict[str, Callable[[Any, Any], Any]] = {"/": operator.truediv, "//": operator.floordiv, "%": operator.mod, "divmod": divmod}


def power_of_zero(kind: str) -> str:
    """What Python says of zero to a negative power, of numbers of a dtype's kind."""
    return _words(ZeroDivisionError, lambda: (0 * _ONES[kind]) ** -1)


def division_by_zero(symbol: str, kind: str) -> str:
    """What Python says of x / 0, x // 0, x % 0 or divmod(x, 0) of numbers of a dtype's kind."""
    one, function = _ONES[kind], _DIVISIONS[symbol]
    return _words(ZeroDivisionError, lambda: function(one, 0 * one))


def _words(kind: type[Exception], of: Callable[[], Any]) -> str:
    try:
        of()
    except kind as error:
        return str(error)
    return kind.__name__


# ---- floats as integers ----------------------------------------------------------------------------------------------------


def check_integer(x: Value, *, nan: Error = NAN_TO_INT, infinite: Error = INFINITY_TO_INT, beyond: Error = BEYOND_INT64) -> None:
    """Before a float or a uint64 becomes an int64: nan, infinities, and what needs more than 64 bits."""
    builder = x.builder
    if x.dtype == UINT64:
        builder.check((x <= 2**63 - 1).atom, *(BEYOND_PYTHON if beyond is BEYOND_INT64 else beyond))
    if x.dtype.kind != "f" or isinstance(x.atom, Literal) or (checked := ("fits int64", x.atom)) in builder.numbered:
        return
    assert isinstance(x.atom, Var)
    builder.numbered[checked] = x.atom
    fits = all_hold(x >= -(2.0**63), x < 2.0**63)
    if builder.on_check is not None:  # what catches an error looks at those of this block
        builder.check(x.equals(x).atom, *nan)
        forbid(rows.isinf(x), infinite, late=False)
        builder.check(fits.atom, *beyond)
        return
    inner = builder.inside()
    with building(inner):
        number = Value(inner, x.atom)
        inner.check(number.equals(number).atom, *nan)
        forbid(rows.isinf(number), infinite, late=False)
        inner.check(literal(False, BOOL), *beyond)
    builder.add(If((), _not(fits).atom, inner.block(), Block((), ()), builder.where))


def check_stored(x: Value, dtype: np.dtype) -> Value:
    """The number, before it becomes an element of an integer array: NumPy stores int(x) and raises where that does not fit."""
    if not is_integer(dtype) or kind_of(x.dtype) not in "if" or x.ndim:
        return x
    if is_unsigned(dtype) and not x.type.weak:
        return x  # NumPy's own numbers wrap there
    if isinstance(x.atom, Literal):
        return _stored_number(x, dtype)
    if dtype == UINT64 and x.dtype.kind == "f":
        check_natural(x)
        return x
    check_integer(x, beyond=BEYOND_LONG)
    check_bounds(x, dtype)
    return x


def check_bounds(x: Value, dtype: np.dtype) -> None:
    """Before a scalar becomes an integer of another dtype: it must be one of its numbers."""
    builder, limits, own = x.builder, np.iinfo(dtype), np.iinfo(x.dtype if is_integer(x.dtype) else INT64)
    known = x.dtype == INT64 and not isinstance(x.atom, Literal) and builder.proves_at_least(x.atom, 0)
    whole = rows.trunc(x) if x.dtype.kind == "f" else x
    tests = [whole >= int(limits.min)] if limits.min > own.min and not (limits.min == 0 and known) else []
    tests += [whole <= int(limits.max)] if limits.max < own.max else []
    if not tests or (checked := (f"fits {dtype}", x.atom)) in builder.numbered:
        return
    if isinstance(x.atom, Var):
        builder.numbered[checked] = x.atom
    number = rows.convert(x, dtype=INT64) if x.dtype.kind == "f" else x
    builder.check(all_hold(*tests).atom, "OverflowError", f"Python integer {{}} out of bounds for {dtype}", number.atom)


def check_natural(x: Value) -> None:
    """Before a Python float becomes a uint64: nan, infinities, what is below 0 or needs more than 64 bits."""
    builder = x.builder
    builder.check(x.equals(x).atom, *NAN_TO_INT)
    forbid(rows.isinf(x), INFINITY_TO_INT, late=False)
    builder.check((x < 2.0**64).atom, *BEYOND_LONG)
    builder.check((x > -1.0).atom, "OverflowError", "Python integer {} out of bounds for uint64", rows.convert(x, dtype=INT64).atom)


def _stored_number(x: Value, dtype: np.dtype) -> Value:
    try:
        np.zeros((), dtype)[()] = x.atom.value  # type: ignore[union-attr]
    except (ValueError, OverflowError) as error:
        if x.builder.outer is None:
            raise
        x.builder.check(literal(False, BOOL), type(error).__name__, str(error))
        return x.with_atom(literal(0))
    return x


# ---- wrong types ------------------------------------------------------------------------------------------------------------


def example(value: Any) -> Any:
    """A number or array of the type of a Value; what is static as it is."""
    if not isinstance(value, Value):
        return value
    if value.ndim:
        return np.ones(tuple(dim if isinstance(dim, int) else 2 for dim in value.shape), value.dtype)
    one = value.dtype.type(1)
    return one.item() if value.type.weak else one


@asks_python
def refuse_as_python(function: Callable[..., Any], *operands: Any) -> None:
    """Raise what Python or NumPy raises for operands of these types, if they are wrong for the function."""
    if not all(isinstance(operand, Value | bool | int | float | complex | np.generic) for operand in operands):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        try:
            function(*(example(operand) for operand in operands))
        except np.exceptions.ComplexWarning:
            name = getattr(function, "__name__", "this")
            raise unsupported(f"{name}() of a NumPy complex number (its imaginary part would be dropped)", instead="x.real") from None
        except TypeError as error:
            raise ArgumentTypeError(str(error), where=_where(operands)) from None
        except (ArithmeticError, ValueError):
            return


def _where(operands: tuple[Any, ...]) -> Any:
    return next(operand.builder.where for operand in operands if isinstance(operand, Value))


def check_total(total: Value, items: Value, start: Any = 0) -> None:
    """The sum of a list of Python integers, which has 64 bits. Where it is known to fit, the check is dropped later (`overflow/checked.py`)."""
    if total.dtype == INT64 and isinstance(total.atom, Var) and items.ndim == 1 and not is_traced_order():
        in_floats = rows.reduce_sum(rows.convert(items, dtype=FLOAT64), axes=(0,)) + (rows.convert(start, dtype=FLOAT64) if isinstance(start, Value) else float(start))
        total.builder.check((rows.absolute(in_floats) < 2.0**63).atom, "OverflowError", BEYOND_TOTAL, total.atom, late=True)
