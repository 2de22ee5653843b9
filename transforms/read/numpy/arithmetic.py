"""Arithmetic, comparison and logic of two operands, with NumPy's promotion: what both `a + b` and np.add(a, b) do.

Operands that are all weak give a weak result, as Python's numbers do; `strong_result`: what NumPy's functions make
of such a result. int64 scalars go through `primitives.sizes`, so that equal index expressions
are the same Var and their bounds are known.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives import rows, sizes
from s2s.transforms.primitives.elementwise import static_power
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy import complex_order
from s2s.transforms.read.numpy.broadcasting import aligned, spread
from s2s.transforms.read.numpy.building import Operand, unsupported
from s2s.transforms.read.numpy.common import cast, everywhere, lift, marked, result_type, strong, to_bool, wrapped
from s2s.types import BOOL, COMPLEX128, FLOAT64, INT8, INT64, UINT64, Array, Literal, Var, is_integer, is_unsigned, is_whole, kind_of


def strong_result(result: Any, operands: tuple[Value, ...]) -> Any:
    """A result that is never weak: marked so if it was made here, else converted."""
    if isinstance(result, tuple):
        items = [strong_result(item, operands) for item in result]
        return result._make(items) if hasattr(result, "_make") else tuple(items)
    if not isinstance(result, Value) or not result.type.weak:
        return result
    if isinstance(result.atom, Literal) or result.dtype == INT64:  # an int64 Var may be a size that others share
        return strong(result)
    return strong(result) if any(result.atom is value.atom for value in operands) else marked(result, weak=False)


# ---- + - * / -------------------------------------------------------------------------------------------------------


def _common(a: Operand, b: Operand) -> tuple[Value, Value, Array]:
    x, y = lift(a), lift(b)
    return x, y, result_type(x, y)


def _apply(row: Primitive, x: Value, y: Value, type_: Array) -> Value:
    """The row on operands cast to a common type and broadcast."""
    x, y = aligned(x, y, dtypes=type_.dtype, weak=type_.weak)
    return marked(row(x, y), weak=type_.weak)


def _is_size(type_: Array, *values: Value) -> bool:
    return type_.weak and type_.dtype == INT64 and all(value.dtype == INT64 and not value.ndim for value in values)


def add(a: Operand, b: Operand) -> Value:
    """a + b; of NumPy's bools the logical or."""
    x, y, type_ = _common(a, b)
    if type_.dtype == BOOL and not type_.weak:
        return _apply(rows.logical_or, x, y, type_)
    if _is_size(type_, x, y):
        return x.with_atom(sizes.plus(x.builder, x.atom, y.atom))
    return _noted(_apply(rows.add, x, y, _at_least_int(type_)), x, y, 1)


def subtract(a: Operand, b: Operand) -> Value:
    """a - b."""
    x, y, type_ = _common(a, b)
    if type_.dtype == BOOL and not type_.weak:
        raise ArgumentTypeError(
            "numpy boolean subtract, the `-` operator, is not supported", where=x.builder.where,
            instead="the bitwise_xor, the `^` operator, or the logical_xor function",
        )
    if _is_size(type_, x, y):
        return x.with_atom(sizes.minus(x.builder, x.atom, y.atom))
    return _noted(_apply(rows.sub, x, y, _at_least_int(type_)), x, y, -1)


def multiply(a: Operand, b: Operand) -> Value:
    """a * b; of NumPy's bools the logical and."""
    x, y, type_ = _common(a, b)
    if type_.dtype == BOOL and not type_.weak:
        return _apply(rows.logical_and, x, y, type_)
    if _is_size(type_, x, y):
        return x.with_atom(sizes.times(x.builder, x.atom, y.atom))
    return _apply(rows.mul, x, y, _at_least_int(type_))


def _at_least_int(type_: Array) -> Array:
    """Bools count as ints in arithmetic: Python's as Python's, NumPy's as the smallest."""
    return type_ if type_.dtype != BOOL else Array(INT64, weak=True) if type_.weak else Array(INT8)


def _noted(result: Value, x: Value, y: Value, sign: int) -> Value:
    """Sums of strong int64 scalars, too, are known to the prover: they may be indices."""
    builder, atom = result.builder, result.atom
    if isinstance(atom, Var) and atom.type == Array(INT64) and x.dtype == y.dtype == INT64:
        builder.normal[atom] = builder.form(x.atom) + builder.form(y.atom) * sign
        builder.facts.know(atom)
    return result


def divide(a: Operand, b: Operand) -> Value:
    """a / b; integers give float64."""
    x, y, type_ = _common(a, b)
    if is_whole(type_.dtype):
        type_ = Array(FLOAT64, weak=type_.weak)
    return _apply(rows.div, x, y, type_)


def floor_divide(a: Operand, b: Operand) -> Value:
    """a // b."""
    return _quotient("//", rows.floor_divide, a, b)


def remainder(a: Operand, b: Operand) -> Value:
    """a % b, with the sign of b."""
    return _quotient("%", rows.mod, a, b)


def fmod(a: Operand, b: Operand) -> Value:
    """The remainder with the sign of a, as C's fmod."""
    return _quotient("np.fmod", rows.fmod, a, b)


def _quotient(symbol: str, row: Primitive, a: Operand, b: Operand) -> Value:
    x, y, type_ = _common(a, b)
    type_ = _at_least_int(type_)
    _need(symbol, type_, "if", x)
    if symbol == "//" and _is_size(type_, x, y):
        return x.with_atom(sizes.quotient(x.builder, x.atom, y.atom))
    result = _apply(row, x, y, type_)
    if symbol == "%" and isinstance(result.atom, Var) and type_ == Array(INT64, weak=True) and y.builder.proves_at_least(y.atom, 1):
        builder = result.builder
        builder.facts.know(result.atom, lower=(builder.form(0),), upper=(builder.form(y.atom) - builder.form(1),))
    return result


def _need(symbol: str, type_: Array, kinds: str, value: Value) -> None:
    if kind_of(type_.dtype) in kinds:
        return
    raise ArgumentTypeError(f"`{symbol}` is not defined for {type_.dtype}", where=value.builder.where)


def of_numpy(function: Callable[[Operand, Operand], Any]) -> Callable[[Operand, Operand], Any]:
    """NumPy's function of a division of integers: Python's own count as NumPy's there, of which some divide by zero."""

    def apply(a: Operand, b: Operand) -> Any:
        x, y = lift(a), lift(b)
        if result_type(x, y) == Array(INT64, weak=True):
            x, y = strong(x), strong(y)
        return function(x, y)

    return apply


def divmod_(a: Operand, b: Operand) -> tuple[Value, Value]:
    """(a // b, a % b)."""
    return floor_divide(a, b), remainder(a, b)


# ---- powers ----------------------------------------------------------------------------------------------------------


def power(a: Operand, b: Operand, *, checked: bool = False) -> Value:
    """a ** b. `checked`: an integer exponent is known not to be negative. Static exponents 2, 0.5, -1 and small integers take the same short cuts as NumPy's arrays do."""
    x, y, type_ = _common(a, b)
    type_ = _at_least_int(type_)
    _need("**", type_, "ifc", x)
    exponent = y.atom.value if isinstance(y.atom, Literal) else None
    if x.dtype == BOOL and not x.type.weak and exponent == 2 and y.type.weak:
        raise unsupported("`** 2` of bools (NumPy makes it int8 or int64) is not supported", instead="convert with .astype(np.int64)")
    if is_integer(type_.dtype):
        return _integer_power(x, y, type_, exponent, checked=checked)
    if exponent is not None and type_.dtype.kind in "fc":
        base = aligned(x, y, dtypes=type_.dtype, weak=type_.weak)[0]
        short = _short_power(base, exponent)
        if short is not None:
            return short if short.atom is base.atom else marked(short, weak=type_.weak)
    return _apply(rows.power, x, y, type_)


def _integer_power(x: Value, y: Value, type_: Array, exponent: Any, *, checked: bool) -> Value:
    aligned(x, y, dtypes=type_.dtype, weak=type_.weak)  # Python's integers must fit, which NumPy finds first
    if exponent is not None and exponent < 0 and not (is_unsigned(type_.dtype) and y.type.weak):
        raise ArgumentValueError("Integers to negative integer powers are not allowed.", where=x.builder.where, instead="a float base")
    if exponent is not None:
        base = aligned(x, y, dtypes=type_.dtype, weak=type_.weak)[0]
        return base if exponent == 1 else marked(static_power(base, int(exponent)), weak=type_.weak)
    if exponent is None and not checked:
        _check_exponent(y)
    return _apply(rows.power, x, y, type_)


def _check_exponent(exponent: Value) -> None:
    builder = exponent.builder
    if exponent.dtype == BOOL or is_unsigned(exponent.dtype) or not exponent.ndim and builder.proves_at_least(exponent.atom, 0):
        return
    test = rows.greater_equal(exponent, exponent.like(0))
    builder.check(everywhere(test).atom, "ValueError", "Integers to negative integer powers are not allowed.")


def _short_power(base: Value, exponent: complex) -> Value | None:
    """The forms that NumPy's arrays take for a static exponent."""
    if isinstance(exponent, complex):
        return None
    if exponent == -1:
        return base.like(1) / base if base.ndim or base.dtype.kind == "f" else None  # of complex numbers NumPy multiplies first: inf differs
    return static_power(base, int(exponent) if exponent == int(exponent) else exponent) if np.isfinite(exponent) else None


def float_power(a: Operand, b: Operand) -> Value:
    """a ** b in float64 or complex128."""
    x, y, type_ = _common(a, b)
    dtype = COMPLEX128 if type_.dtype.kind == "c" else FLOAT64
    return power(cast(x, dtype), cast(y, dtype))


def square(a: Operand) -> Value:
    """a * a."""
    x = lift(a)
    x = cast(x, _at_least_int(x.type).dtype, weak=x.type.weak)
    return marked(rows.square(x), weak=x.type.weak)


# ---- comparison --------------------------------------------------------------------------------------------------------

COMPARISONS = {"<": rows.less, "<=": rows.less_equal, ">": rows.greater, ">=": rows.greater_equal, "==": rows.equal, "!=": rows.not_equal}
SYMBOLS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@asks_python
def compare(op: str, a: Operand, b: Operand) -> Value:
    """a op b, elementwise, as NumPy bools; of two sums of sizes that differ by a number, known."""
    x, y = lift(a), lift(b)
    if _is_size(x.type, x, y) and y.type.weak and not (gap := x.builder.known_form(x.atom) - x.builder.known_form(y.atom)).terms:
        return marked(lift(SYMBOLS[op](gap.constant, 0)), weak=True)
    for one, other in ((x, y), (y, x)):
        if (number := beyond(one, other)) is not None:
            known = lift(SYMBOLS[op](number, 0) if one is x else SYMBOLS[op](0, number))
            return marked(spread(known, other.shape), weak=other.type.weak)
    if {x.dtype.kind, y.dtype.kind} == {"i", "u"} and UINT64 in (x.dtype, y.dtype) and not any(value.type.weak and _holds(UINT64, value) for value in (x, y)):
        return _compared_across(op, x, y)
    dtype = _compared_dtype(x, y)
    if dtype == BOOL and op not in ("==", "!="):
        dtype = INT64
    weak = x.type.weak and y.type.weak
    if dtype.kind == "c" and op not in ("==", "!="):
        if weak:
            raise ArgumentTypeError(f"'{op}' not supported between instances of 'complex' and 'complex'", where=x.builder.where)
        return complex_order.compared(op, *aligned(x, y, dtypes=dtype))
    x, y = aligned(x, y, dtypes=dtype)
    return marked(COMPARISONS[op](x, y), weak=weak)


def beyond(x: Value, other: Value) -> int | None:
    """A known Python int that no integer of the other's dtype reaches. NumPy's bools are not compared with such."""
    if not isinstance(x.atom, Literal) or not x.type.weak or not isinstance(x.atom.value, int) or not is_whole(other.dtype) or other.type == Array(BOOL, other.type.shape):
        return None
    limits = np.iinfo(INT64 if other.dtype == BOOL else other.dtype)
    return None if min(limits.min, -(2**63)) <= x.atom.value <= max(limits.max, 2**63 - 1) else x.atom.value


def _compared_dtype(x: Value, y: Value) -> np.dtype:
    """The common dtype; a Python int that the other's integer dtype may not hold is compared exactly, in int64."""
    dtype = result_type(x, y).dtype
    is_beyond = is_integer(dtype) and dtype != INT64 and any(value.type.weak and not _holds(dtype, value) for value in (x, y))
    return INT64 if is_beyond else dtype


def _holds(dtype: np.dtype, value: Value) -> bool:
    """Whether an integer dtype surely holds a Python number."""
    limits = np.iinfo(dtype)
    return value.dtype == BOOL or isinstance(value.atom, Literal) and limits.min <= value.atom.value <= limits.max  # type: ignore[operator]


def _compared_across(op: str, x: Value, y: Value) -> Value:
    """A uint64 and an integer with a sign, exactly as NumPy compares them: what is negative is less than all of the others."""
    if is_unsigned(x.dtype):
        return _compared_across({"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op), y, x)
    if isinstance(x.atom, Literal) and int(x.atom.value) > np.iinfo(INT64).max:  # type: ignore[arg-type]
        return compare(op, strong(x.with_atom(Literal(x.atom.value, Array(UINT64)))), y)
    negative_, x, y = aligned(rows.less(x, x.like(0)), wrapped(x, UINT64), y)
    found = COMPARISONS[op](x, y)
    if op in ("<", "<=", "!="):
        return rows.logical_or(negative_, found)
    return rows.logical_and(rows.logical_not(negative_), found)


# ---- logic and bits ----------------------------------------------------------------------------------------------------


def logical(row: Primitive) -> Callable[..., Value]:
    """logical_and, logical_or, logical_xor: of the elements' truth."""

    def apply(a: Operand, b: Operand) -> Value:
        tests = to_bool(lift(a)), to_bool(lift(b))
        return marked(row(*aligned(*tests)), weak=all(test.type.weak for test in tests))

    return apply


def logical_not(a: Operand) -> Value:
    """The elements' untruth."""
    x = to_bool(lift(a))
    return marked(rows.logical_not(x), weak=x.type.weak)


def bitwise(row: Primitive, of_bools: Primitive, symbol: str) -> Callable[..., Value]:
    """&, |, ^ of ints or bools."""

    def apply(a: Operand, b: Operand) -> Value:
        x, y, type_ = _common(a, b)
        _need(symbol, type_, "bi", x)
        if type_.dtype == BOOL:
            return logical(of_bools)(x, y)
        return _apply(row, x, y, type_)

    return apply


def shift(row: Primitive, symbol: str) -> Callable[..., Value]:
    """<< and >> of ints."""

    def apply(a: Operand, b: Operand) -> Value:
        x, y, type_ = _common(a, b)
        type_ = _at_least_int(type_)
        _need(symbol, type_, "i", x)
        return _apply(row, x, y, type_)

    return apply


def invert(a: Operand) -> Value:
    """~a: the bits of ints, the untruth of bools."""
    x = lift(a)
    _need("~", x.type, "bi", x)
    x = cast(x, INT64, weak=True) if x.dtype == BOOL and x.type.weak else x
    return logical_not(x) if x.dtype == BOOL else marked(rows.bitwise_invert(x), weak=x.type.weak)


def negative(a: Operand) -> Value:
    """-a."""
    x = lift(a)
    x = cast(x, INT64, weak=True) if x.dtype == BOOL and x.type.weak else x
    if x.dtype == BOOL:
        raise ArgumentTypeError(
            "The numpy boolean negative, the `-` operator, is not supported", where=x.builder.where, instead="the `~` operator or the logical_not function"
        )
    if _is_size(x.type, x):
        return x.with_atom(sizes.minus(x.builder, 0, x.atom))
    return marked(rows.neg(x), weak=x.type.weak)


def positive(a: Operand) -> Value:
    """+a."""
    x = lift(a)
    x = cast(x, INT64, weak=True) if x.dtype == BOOL and x.type.weak else x
    if x.dtype == BOOL:
        raise ArgumentTypeError("`+` of a bool array is not defined", where=x.builder.where)
    return x if not x.ndim else rows.copy(x)


# ---- choice ----------------------------------------------------------------------------------------------------------


def where(condition: Operand, x: Operand, y: Operand) -> Any:
    """np.where of a condition and two values: a choice for each element."""
    yes, no = lift(x), lift(y)
    dtype = result_type(yes, no).dtype
    test, yes, no = aligned(to_bool(lift(condition)), wrapped(yes, dtype), wrapped(no, dtype))
    return rows.select(test, yes, no)


def extremum(row: Primitive, of_integers: Primitive, of_bools: Primitive) -> Callable[..., Value]:
    """maximum, minimum, fmax, fmin."""

    def apply(a: Operand, b: Operand) -> Value:
        x, y, type_ = _common(a, b)
        if type_.dtype.kind == "c":
            return complex_order.extremum(row.name, *aligned(x, y, dtypes=type_.dtype))
        if type_.dtype == BOOL:
            return logical(of_bools)(x, y)
        return _apply(of_integers if is_integer(type_.dtype) else row, x, y, type_)

    return apply


maximum, fmax = (extremum(row, rows.maximum, rows.logical_or) for row in (rows.maximum, rows.fmax))
minimum, fmin = (extremum(row, rows.minimum, rows.logical_and) for row in (rows.minimum, rows.fmin))
