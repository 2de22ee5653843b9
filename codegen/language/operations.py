"""The operations of the loop language, with what passes want to know of each: one table.

    ADD.pace, EQUAL.compares, opposite(EQUAL) is NOT_EQUAL, function("exp"), conversion(np.dtype("float32"))
"""
from __future__ import annotations

from functools import cache

import numpy as np

from s2s.codegen.language.expressions import (
    Attribute,
    Called,
    Chain,
    Choice,
    Expr,
    Formula,
    Infix,
    Logic,
    Method,
    Number,
    Op,
    Operation,
    Pace,
    Precedence,
    Prefix,
)
from s2s.codegen.runtime.vector_math import VECTOR_MATH
from s2s.records import replace
from s2s.types import FLOAT64

# ---- the table ------------------------------------------------------------------------------------------------------

ADD = Operation("a + b", Infix("+", Precedence.SUM), Pace.ARITHMETIC, augments=True)
SUBTRACT = Operation("a - b", Infix("-", Precedence.SUM), Pace.ARITHMETIC, augments=True)
MULTIPLY = Operation("a * b", Infix("*", Precedence.PRODUCT), Pace.ARITHMETIC, augments=True)
DIVIDE = Operation("a / b", Infix("/", Precedence.PRODUCT), augments=True, raises=True)
FLOOR_DIVIDE = Operation("a // b", Infix("//", Precedence.PRODUCT), raises=True)
MODULO = Operation("a % b", Infix("%", Precedence.PRODUCT), raises=True)
MATMUL = Operation("a @ b", Infix("@", Precedence.PRODUCT))
POWER = Operation("a ** b", Infix("**", Precedence.POWER, rightmost=True))
LEFT_SHIFT = Operation("a << b", Infix("<<", Precedence.SHIFT), raises=True)
RIGHT_SHIFT = Operation("a >> b", Infix(">>", Precedence.SHIFT), raises=True)
BIT_AND = Operation("a & b", Infix("&", Precedence.BIT_AND), augments=True)
BIT_XOR = Operation("a ^ b", Infix("^", Precedence.BIT_XOR))
BIT_OR = Operation("a | b", Infix("|", Precedence.BIT_OR), augments=True)
NEGATE = Operation("-a", Prefix("-", Precedence.SIGN), Pace.ARITHMETIC)
POSITIVE = Operation("+a", Prefix("+", Precedence.SIGN))
INVERT = Operation("~a", Prefix("~", Precedence.SIGN))
NOT = Operation("not a", Prefix("not ", Precedence.NOT))
AND = Operation("a and b", Logic("and", Precedence.AND))
OR = Operation("a or b", Logic("or", Precedence.OR))
LESS = Operation("a < b", Chain(("<",)), compares=True)
LESS_EQUAL = Operation("a <= b", Chain(("<=",)), compares=True)
GREATER = Operation("a > b", Chain((">",)), compares=True)
GREATER_EQUAL = Operation("a >= b", Chain((">=",)), compares=True)
EQUAL = Operation("a == b", Chain(("==",)), Pace.LIGHT, compares=True)
NOT_EQUAL = Operation("a != b", Chain(("!=",)), compares=True)
CHOOSE = Operation("b if a else c", Choice())
LEAST = Operation("min(a, b)", Called("min"))
LARGEST = Operation("max(a, b)", Called("max"))
SIZE = Operation("abs(a)", Called("abs"))
PLUS = Operation("plus(a, b)", Called("plus"), Pace.ARITHMETIC)
"""A sum whose order the compiler may choose (`runtime.helpers.plus`)."""
UNORDERED = Operation("unordered(a)", Called("unordered"))
"""An integer of which the compiler does not see how it changes (`runtime.helpers.unordered`)."""
UNSIGNED = Operation("np.uint64(a)", Called("np.uint64"))
"""A position that is known not to be negative."""

OPERATORS = (
    ADD, SUBTRACT, MULTIPLY, DIVIDE, FLOOR_DIVIDE, MODULO, MATMUL, POWER, LEFT_SHIFT, RIGHT_SHIFT, BIT_AND, BIT_XOR, BIT_OR, NEGATE, POSITIVE, INVERT, NOT,
    AND, OR, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, CHOOSE,
)  # fmt: skip
_FUNCTIONS = {operation.written.function: operation for operation in (LEAST, LARGEST, SIZE, PLUS, UNORDERED, UNSIGNED) if isinstance(operation.written, Called)}
_OPPOSITE = {EQUAL: NOT_EQUAL, NOT_EQUAL: EQUAL}


@cache
def function(name: str) -> Operation:
    """The call of a function of which nothing is known but its name."""
    return _FUNCTIONS.get(name) or Operation(f"{name}(a)", Called(name))


@cache
def method(name: str) -> Operation:
    """a.name(b, c)."""
    return Operation(f"a.{name}(b)", Method(name))


@cache
def attribute(name: str) -> Operation:
    """a.name."""
    return Operation(f"a.{name}", Attribute(name))


@cache
def comparison(*symbols: str) -> Operation:
    """a <= b < c."""
    named = (each for each in OPERATORS if each.written == Chain(symbols))
    return next(named, None) or Operation(f"a {' … '.join(symbols)} b", Chain(symbols), compares=True)


@cache
def conversion(dtype: np.dtype) -> Operation:
    """np.float32(a): a number of another dtype."""
    return Operation(f"{dtype_name(dtype)}(a)", Called(dtype_name(dtype)), Pace.LIGHT if dtype == FLOAT64 else Pace.DEAR)


@cache
def restored(dtype: np.dtype) -> Operation:
    """np.float32(a): a number that has this dtype in the program, and that Numba computes in a wider one."""
    return replace(conversion(dtype), pace=Pace.NONE)


def dtype_name(dtype: np.dtype) -> str:
    """np.float32, np.bool_, …"""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def formula(name: str, body: Expr) -> Operation:
    """The operation of an expression over operands."""
    made = Operation(name, Formula(body))
    return replace(made, compares=any(part.compares for part in made.parts), raises=any(part.raises for part in made.parts))


# ---- functions for vectors --------------------------------------------------------------------------------------------

VECTOR = {function(name.removeprefix("array_")): function(name) for name in VECTOR_MATH}
"""`math`'s functions of one number -> those that loops over arrays can call without leaving vector registers."""
SINGLE = {vector: single for single, vector in VECTOR.items()}


@cache
def vectorised(operation: Operation) -> Operation:
    """The operation by functions for vectors."""
    return _mapped(operation, VECTOR)


@cache
def single(operation: Operation) -> Operation:
    """The operation by `math`'s functions."""
    return _mapped(operation, SINGLE)


def _mapped(operation: Operation, by: dict[Operation, Operation]) -> Operation:
    if not any(part in by for part in operation.parts):
        return operation
    if not isinstance(operation.written, Formula):
        return by[operation]

    def mapped(expr: Expr) -> Expr:
        return Op(by.get(expr.operation, expr.operation), tuple(map(mapped, expr.operands))) if isinstance(expr, Op) else expr

    return formula(operation.name, mapped(operation.written.body))


# ---- expressions made of them -----------------------------------------------------------------------------------------


def apply(operation: Operation, *operands: Expr) -> Expr:
    """The operation on these operands; x + -y is x - y, x * -y is -(x * y) and so on: the same numbers."""
    if operation in (MULTIPLY, DIVIDE):
        signs = sum(_is(operand, NEGATE) for operand in operands)
        bare = tuple(operand.operands[0] if isinstance(operand, Op) and operand.operation is NEGATE else operand for operand in operands)
        return Op(NEGATE, (Op(operation, bare),)) if signs == 1 else Op(operation, bare)
    if operation in (ADD, SUBTRACT):
        first, second = operands
        if isinstance(second, Op) and second.operation is NEGATE:
            return Op(SUBTRACT if operation is ADD else ADD, (first, second.operands[0]))
        if isinstance(second, Number) and isinstance(second.value, int | float) and is_negative(second) and second.value > -128:  # less may not be of the dtype
            return Op(SUBTRACT if operation is ADD else ADD, (first, Number(-second.value)))
        if operation is ADD and isinstance(first, Op) and first.operation is NEGATE and not is_negative(second):
            return Op(SUBTRACT, (second, first.operands[0]))
        if operation is ADD and isinstance(second, Op) and second.operation in (MULTIPLY, DIVIDE) and is_negative(second.operands[0]):
            factor = second.operands[0]
            assert isinstance(factor, Number)
            return Op(SUBTRACT, (first, Op(second.operation, (Number(-factor.value), second.operands[1]))))
    return Op(operation, operands)


def _is(expr: Expr, operation: Operation) -> bool:
    return isinstance(expr, Op) and expr.operation is operation


def is_negative(expr: Expr) -> bool:
    """Whether it is a number that is written with a minus."""
    return isinstance(expr, Number) and expr.text[0] == "-"


def negated(test: Expr) -> Expr:
    """not test."""
    if isinstance(test, Op) and test.operation is NOT:
        return test.operands[0]
    if isinstance(test, Op) and test.operation in _OPPOSITE:
        return Op(_OPPOSITE[test.operation], test.operands)
    return Op(NOT, (test,))


def added(value: Expr, before: Expr) -> Expr | None:
    """x, where a value is before + x; -x, where it is before - x; None where it is anything else."""
    if not isinstance(value, Op) or value.operation not in (ADD, SUBTRACT) or value.operands[0] != before:
        return None
    return value.operands[1] if value.operation is ADD else apply(NEGATE, value.operands[1])
