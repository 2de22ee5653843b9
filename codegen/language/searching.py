"""Names and parts in expressions: which are read, which stand in them, and one put in the place of another."""
from __future__ import annotations

import cmath
from collections.abc import Collection, Iterator

from s2s.codegen.language.expressions import (
    Expr,
    Filled,
    Formatted,
    Invoke,
    Length,
    Load,
    Name,
    Number,
    Op,
    Part,
    Slice,
    Sum,
    Tuple,
    Type,
    names_read,
    total,
    walk,
)


def first_name(path: str) -> str:
    """The name that must be bound for a function or an exception to be found: np of np.linalg.LinAlgError."""
    return path.partition(".")[0]


def identifiers(expr: Expr) -> set[str]:
    """Every name that stands in it: variables, functions, np."""
    found = {*names_read(expr), *(first_name(function) for operation in expr.operations for function in operation.functions)}
    for part in walk(expr):
        if type(part) not in _WITH_NAMES:
            continue
        match part:
            case Invoke():
                found.add(first_name(part.function))
            case Filled() if "np." in part.template:
                found.add("np")
            case Type():
                found.add("np")
            case Number(value=float() | complex() as value) if not cmath.isfinite(value):  # np.inf, np.nan
                found.add("np")
            case _:
                pass
    return found


_WITH_NAMES = frozenset((Invoke, Filled, Type, Number))
"""Expressions that may hold names of their own."""


def loads(expr: Expr, array: str) -> Iterator[Load]:
    """Every element of this array that it reads."""
    for part in walk(expr):
        if isinstance(part, Load) and part.array == array:
            yield part


def may_hold(names: frozenset[str], parts: Collection[Expr]) -> bool:
    """Whether one of these parts can stand in what reads these names: a quick question, where there are few."""
    return len(parts) > _FEW or any(part.names <= names for part in parts)


_FEW = 8


def substitute(expr: Expr, by: dict[Expr, Expr]) -> Expr:
    """The expression with whole subexpressions replaced."""
    if not may_hold(expr.names, by):
        return expr
    if expr in by:
        return by[expr]
    match expr:
        case Op():
            return Op(expr.operation, tuple(substitute(item, by) for item in expr.operands))
        case Load():
            array = by.get(Name(expr.array), Name(expr.array))
            assert isinstance(array, Name), expr
            return Load(array.id, tuple(substitute(item, by) for item in expr.index))
        case Length():
            array = by.get(Name(expr.array), Name(expr.array))
            assert isinstance(array, Name), expr
            return Length(array.id, expr.axis)
        case Sum():
            return total(*((substitute(term, by), factor) for term, factor in expr.terms), constant=expr.constant)
        case Slice():
            start, stop = (None if bound is None else substitute(bound, by) for bound in (expr.start, expr.stop))
            return Slice(start, stop, expr.step)
        case Invoke():
            return Invoke(expr.function, tuple(substitute(item, by) for item in expr.args), tuple((key, substitute(value, by)) for key, value in expr.keywords))
        case Part():
            return Part(substitute(expr.base, by), tuple(substitute(item, by) for item in expr.index))
        case Tuple():
            return Tuple(tuple(substitute(item, by) for item in expr.items))
        case Formatted():
            return Formatted(expr.message, tuple(substitute(value, by) for value in expr.values))
        case Filled():
            return Filled(expr.template, tuple(substitute(value, by) for value in expr.values))
        case _:
            return expr
