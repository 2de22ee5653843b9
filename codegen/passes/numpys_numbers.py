"""Numbers of Python's that are divided, or raised to a power, are made NumPy's: Python raises where NumPy has an inf or a nan, and has complex powers.

    if x > 1.0:                         if x > 1.0:
        scale = x                           scale = x
    else:                         ->    else:
        scale = 2.0                         scale = np.float64(2.0)
    y = 1.0 / scale                     y = 1.0 / scale

What a program wants of Python's own arithmetic it says in checks. Numba's numbers are NumPy's, so that only text that runs as Python needs it.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from s2s.codegen.language.expressions import Expr, Name, Number, Op, Operation
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import (
    ADD,
    CHOOSE,
    DIVIDE,
    FLOOR_DIVIDE,
    LARGEST,
    LEAST,
    MODULO,
    MULTIPLY,
    NEGATE,
    POSITIVE,
    POWER,
    SIZE,
    SUBTRACT,
    conversion,
)
from s2s.codegen.language.searching import substitute
from s2s.codegen.language.statements import Assign, Body, Statement, expressions, of_kind, walk, with_each_body
from s2s.records import replace

_RAISING = frozenset({DIVIDE, FLOOR_DIVIDE, MODULO, POWER})
_OF_ALL = frozenset({ADD, SUBTRACT, MULTIPLY, NEGATE, POSITIVE, SIZE, *_RAISING})
"""What Python computes where all operands are its own; NumPy does where one is NumPy's."""
_OF_ONE = frozenset({CHOOSE, LEAST, LARGEST})
"""What is one of the operands."""


def with_numpys_numbers(body: Body, returned: tuple[Expr, ...]) -> Body:
    """The statements, in which no variable that is divided holds a number of Python's. `returned`: expressions behind them."""
    found = [*(expr for each in walk(body) for expr in expressions(each)), *returned]
    if not any(_RAISING.intersection(operation.parts) for expr in found for operation in expr.operations):
        return body
    bound = [pair for each in of_kind(body, Assign) for pair in _pairs(each)]
    names = _names_of_pythons(bound)
    divided = {name for expr in found for part in parts(expr) if _raises(part, names) for name in part.names}
    while _grows(divided, (value.names & names for target, value in reversed(bound) if target in divided)):
        pass
    return _converted(body, divided & names) if divided & names else body


def _pairs(statement: Assign) -> list[tuple[str, Expr]]:
    """Each target with its value; what takes one value apart takes NumPy's numbers."""
    return list(zip(statement.targets, statement.values, strict=True)) if len(statement.values) == len(statement.targets) else []


def _names_of_pythons(bound: list[tuple[str, Expr]]) -> set[str]:
    names: set[str] = set()
    while _grows(names, ({target} for target, value in bound if target not in names and _is_pythons(value, names))):
        pass
    return names


def _grows(names: set[str], found: Iterable[set[str] | frozenset[str]]) -> bool:
    """Add to the names what is found, each for what is found after it; whether there was anything new: what a loop carries may need another walk."""
    before = len(names)
    for more in found:
        names |= more
    return len(names) > before


def _is_pythons(expr: Expr, names: set[str]) -> bool:
    """Whether it may be a number of Python's, if these variables may be."""
    match expr:
        case Number():
            return True
        case Name():
            return expr.id in names
        case Op(operation, operands) if _OF_ALL.issuperset(operation.parts):
            return all(_is_pythons(operand, names) for operand in operands)
        case Op(operation, operands) if operation in _OF_ONE:
            return any(_is_pythons(operand, names) for operand in operands[operation is CHOOSE :])
    return False


def _raises(expr: Expr, names: set[str]) -> bool:
    return isinstance(expr, Op) and not _RAISING.isdisjoint(expr.operation.parts) and all(_is_pythons(operand, names) for operand in expr.operands)


def _converted(body: Body, names: set[str]) -> Body:
    return tuple(_statement(statement, names) for statement in body)


def _statement(statement: Statement, names: set[str]) -> Statement:
    if not isinstance(statement, Assign):
        return with_each_body(statement, lambda inner: _converted(inner, names))
    values = tuple(_numpys(value) if target in names else value for target, value in _pairs(statement)) or statement.values
    return statement if values == statement.values else replace(statement, values=values)


def _numpys(value: Expr) -> Expr:
    """The same number as NumPy's, where it is one that stands in the text."""
    by: dict[Expr, Expr] = {number: Op(_dtype(number), (number,)) for number in _standing(value)}
    return substitute(value, by) if by else value


def _standing(value: Expr) -> Iterator[Number]:
    """The numbers of the text that a variable may be bound to."""
    if isinstance(value, Number) and not isinstance(value.value, bool):
        yield value
    elif isinstance(value, Op) and value.operation in _OF_ONE:
        for operand in value.operands[value.operation is CHOOSE :]:
            yield from _standing(operand)


def _dtype(number: Number) -> Operation:
    return conversion(np.result_type(type(number.value)))
