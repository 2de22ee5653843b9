"""`/`, `//`, `%`, `**`, `<<` and `>>` as Python's numbers have them: they raise where NumPy's give inf, nan or some integer.

    a / b        ->   check(b != 0.0, ZeroDivisionError, "float division by zero"); div(a, b)
    x ** -1      ->   check(x != 0.0, ZeroDivisionError, …); div(1.0, x)
    x ** 0.5     ->   check(not (x < 0.0), NotImplementedError, …); half_power(x)

What a NumPy scalar or array takes part in is NumPy's (`numpy_functions_arithmetic`).
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2s.transforms.ir.program import Check, If
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy import arithmetic
from s2s.transforms.read.numpy import python_checks as checks
from s2s.transforms.read.numpy.building import Operand
from s2s.transforms.read.numpy.common import cast, lift, marked, result_type
from s2s.transforms.read.numpy.domains import is_nonnegative, is_positive
from s2s.types import BOOL, COMPLEX128, FLOAT64, INT64, Array, Literal, Var, is_integer, is_whole, kind_of, literal


def divide(a: Operand, b: Operand) -> Value:
    """a / b."""
    return arithmetic.divide(a, checked_divisor("/", a, b))


def floor_divide(a: Operand, b: Operand) -> Value:
    """a // b."""
    if (divisor := _beyond(a, b)) is not None:
        x = lift(a)
        return marked((x < 0).where(-1, x.like(0)) if divisor > 0 else (x > 0).where(-1, x.like(0)), weak=True)
    return arithmetic.floor_divide(a, checked_divisor("//", a, b))


def remainder(a: Operand, b: Operand) -> Value:
    """a % b."""
    if (divisor := _beyond(a, b)) == 2**63:
        return bitwise_and(a, 2**63 - 1)
    if divisor is not None and divisor > 0:
        checks.forbid(lift(a) < 0, checks.BEYOND_PYTHONS, late=False)
        return lift(a)
    return arithmetic.remainder(a, checked_divisor("%", a, b))


def divmod_(a: Operand, b: Operand) -> tuple[Value, Value]:
    """divmod(a, b)."""
    if _beyond(a, b) is not None:
        return floor_divide(a, b), remainder(a, b)
    return arithmetic.divmod_(a, checked_divisor("divmod", a, b))


def bitwise_and(a: Operand, b: Operand) -> Value:
    """a & b; a mask of more than 64 bits leaves a Python int as it is, which must not be negative."""
    for x, mask in ((a, b), (b, a)):
        if (bits := _beyond(x, mask)) is not None and bits > 0:
            checks.forbid(lift(x) < 0, checks.BEYOND_PYTHONS, late=False)
            return _BITWISE_AND(x, bits % 2**63)
    return _BITWISE_AND(a, b)


_BITWISE_AND = arithmetic.bitwise(rows.bitwise_and, rows.logical_and, "&")


def _beyond(a: Operand, b: Operand) -> int | None:
    """b, where a is a Python int of run time and b one that is known, and has more than 64 bits."""
    x, y = lift(a), lift(b)
    return arithmetic.beyond(y, x) if x.type == Array(INT64, weak=True) and isinstance(x.atom, Var) else None


def checked_divisor(symbol: str, a: Operand, b: Operand) -> Operand:
    """b, of Python's numbers after a check that it is not zero (in a jaxpr, floats are what JAX takes them for: arrays)."""
    y, type_ = lift(b), result_type(lift(a), lift(b))
    if y.type.weak and not type_.weak and not is_traced_order():
        _not_nothing_by_zero(symbol, lift(a), y)
    if lift(a).type.weak and not y.type.weak and not is_traced_order():
        _not_by_nothing(symbol, y, type_)
    if not type_.weak or is_traced_order() and type_.dtype.kind == "f" or type_.dtype.kind == "c" and symbol != "/":
        return b
    checked = _not_zero(y, checks.division_by_zero(symbol, kind_of(type_.dtype)))
    return b if checked is y else checked


SUM_OF = "sum of"
"""Of a sum of an array's elements by Python's `sum`: the length of the array. The sum of nothing is the int 0."""


def _not_nothing_by_zero(symbol: str, total: Value, divisor: Value) -> None:
    """A check that it is not the sum of nothing, Python's own 0, that is divided by Python's zero: of NumPy's sums that gives nan."""
    builder = divisor.builder
    length = builder.numbered.get((SUM_OF, total.atom))
    if length is None or isinstance(divisor.atom, Literal) and divisor.atom.value != 0:
        return
    if builder.proves_at_least(length, 1) or is_integer(divisor.dtype) and builder.proves_at_least(divisor.atom, 1):
        return
    test = rows.not_equal(divisor, divisor.like(0))
    if builder.form(divisor.atom) != builder.form(length) if is_integer(divisor.dtype) else True:
        size = divisor.with_atom(length)
        test = rows.logical_or(test, rows.not_equal(size, size.like(0)))
    builder.check(test.atom, "ZeroDivisionError", checks.division_by_zero(symbol, kind_of(divisor.dtype)))


def _not_by_nothing(symbol: str, total: Value, type_: Array) -> None:
    """A check that it is not the sum of nothing, Python's own 0, by which a number of Python's is divided."""
    builder = total.builder
    length = builder.numbered.get((SUM_OF, total.atom))
    if length is None or builder.proves_at_least(length, 1):
        return
    size = Value(builder, length)
    builder.check(rows.not_equal(size, size.like(0)).atom, "ZeroDivisionError", checks.division_by_zero(symbol, kind_of(type_.dtype)))


def _not_zero(divisor: Value, message: str) -> Value:
    """The divisor, after a check; one that is known to be zero raises at once, or where it stands if that may not be reached."""
    builder, atom = divisor.builder, divisor.atom
    if isinstance(atom, Literal):
        if atom.value == 0 and builder.outer is None and not any(isinstance(node, Check | If) for node in builder.nodes):
            raise ZeroDivisionError(message)
        if atom.value == 0:
            builder.check(literal(False, BOOL), "ZeroDivisionError", message)
            return divisor.with_atom(Literal(literal(1, atom.type.dtype).value, atom.type))
        return divisor
    of_integers = atom.type.dtype == INT64
    if of_integers and (builder.proves_at_least(atom, 1) or builder.proves_at_least(-1, atom)):
        return divisor
    checked = ("not zero", atom)
    if checked in builder.numbered or (not of_integers and is_positive(divisor)):
        return divisor
    builder.numbered[checked] = atom
    (test,) = builder.equation(rows.not_equal, (atom, literal(0, atom.type.dtype)), name="fits")
    builder.check(test, "ZeroDivisionError", message, late=not of_integers)
    if of_integers and builder.proves_at_least(atom, 0) and isinstance(atom, Var):
        builder.facts.know(atom, lower=(builder.form(1),))
    return divisor


def power(a: Operand, b: Operand) -> Value:
    """a ** b."""
    x, y = lift(a), lift(b)
    type_ = result_type(x, y)
    if not type_.weak:
        return plain_power(x, y, type_)
    if is_whole(type_.dtype):
        return _integer_power(x, y)
    return _float_power(x, y, type_)


def plain_power(x: Value, y: Value, type_: Array) -> Value:
    """x ** y without Python's errors. Arrays take the square root for a half, numbers C's pow, which is another one at -inf and -0.0."""
    is_half = isinstance(y.atom, Literal) and y.atom.value == 0.5
    if is_half and not x.ndim and not y.ndim and type_.dtype.kind == "f" and x.dtype.kind == "f" and not is_nonnegative(x):
        return marked(rows.half_power(cast(x, type_.dtype)), weak=type_.weak)
    return arithmetic.power(x, y)


def _integer_power(x: Value, y: Value) -> Value:
    exponent = y.atom.value if isinstance(y.atom, Literal) else None
    if exponent is not None and exponent < 0:  # type: ignore[operator]
        return _float_power(cast(x, FLOAT64, weak=True), y, Array(FLOAT64, weak=True))
    if exponent is None and y.dtype != BOOL:
        checks.check_integer_power(x, y)
    return arithmetic.power(x, y, checked=True)


def _float_power(x: Value, y: Value, type_: Array) -> Value:
    base, exponent = (cast(each, type_.dtype, weak=True) for each in (x, y))
    before = checks.check_complex_power if type_.dtype == COMPLEX128 else checks.check_power
    before(base, exponent)
    return checks.with_result(lambda x, y: plain_power(x, y, type_), lambda x, _, result: checks.check_finite_power(x, exponent, result), base, y)


@asks_python
def shift(function: Callable[[Operand, Operand], Value]) -> Callable[[Operand, Operand], Value]:
    """<< or >>."""

    def apply(a: Operand, b: Operand) -> Value:
        x, y = lift(a), lift(b)
        type_ = result_type(x, y)
        if type_.weak and is_whole(type_.dtype) and not y.builder.proves_at_least(cast(y, INT64, weak=True).atom, 0):
            checks.forbid(cast(y, INT64, weak=True) < 0, checks.NEGATIVE_SHIFT, late=False)
        return function(x, y)

    return apply


def weak_beside_complex(a: Operand, b: Operand) -> Operand:
    """b; of a Python complex and np.float64 the number that Python takes it for: np.float64 is a float, and the result Python's own complex."""
    if not isinstance(a, (Value, complex)) or not isinstance(b, (Value, np.float64)):
        return b
    x, y = lift(a), lift(b)
    if x.type == Array(COMPLEX128, weak=True) and y.type == Array(FLOAT64):
        return marked(cast(y, COMPLEX128), weak=True)
    return b
