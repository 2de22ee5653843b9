"""Expressions of the emitted text: small frozen nodes that can be compared, searched and printed as Python.

    Op("a * b", (Name("x"), Load("u", (total((Name("i"), 1), constant=1),))))   prints as   x * u[i + 1]

Templates are Python expressions over the operands a, b, c, d; `ast.unparse` sets the parentheses.
"""
from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Union

from s2s.errors import NOWHERE, Location

OPERANDS = "abcdefgh"
"""What the operands are called in templates."""


@dataclass(frozen=True)
class Name:
    """A Python variable."""

    id: str


@dataclass(frozen=True)
class Number:
    """A Python number or bool; -0.0 and 0.0, 1 and 1.0 and True are different."""

    text: str

    @staticmethod
    def of(value: bool | int | float | complex) -> Number:
        """The number as Python writes it."""
        if isinstance(value, complex):
            return Number(f"complex({_real(value.real)}, {_real(value.imag)})")
        return Number(_real(value))


def _real(value: bool | int | float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
    return repr(value)


@dataclass(frozen=True)
class Load:
    """array[index]."""

    array: str
    index: tuple[Expr, ...]
    where: Location = field(default=NOWHERE, compare=False)
    """The user's code that it stems from, where that may be another line than its statement's (numpy target)."""


@dataclass(frozen=True)
class Length:
    """array.shape[axis]."""

    array: str
    axis: int


@dataclass(frozen=True)
class Op:
    """A template with its operands put in."""

    template: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True)
class Sum:
    """constant + sum of coefficient * term, of int64s; terms sorted, so that equal sums are equal. Built by `total`."""

    terms: tuple[tuple[Expr, int], ...]
    constant: int


@dataclass(frozen=True)
class Slice:
    """start:stop:step inside an index (numpy target)."""

    start: Expr | None
    stop: Expr | None
    step: int = 1


@dataclass(frozen=True)
class Invoke:
    """function(*args, **keywords): a call by name; keywords hold ready text (numpy target)."""

    function: str
    args: tuple[Expr, ...]
    keywords: tuple[tuple[str, str], ...] = ()
    where: Location = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Part:
    """base[index] where base is any expression (numpy target); items may be Slices and Names such as None."""

    base: Expr
    index: tuple[Expr, ...]
    where: Location = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Tuple:
    """(a, b): a shape or several results."""

    items: tuple[Expr, ...]


Expr = Union[Name, Number, Load, Length, Op, Sum, Slice, Invoke, Part, Tuple]


def integer(value: int) -> Expr:
    """An int constant."""
    return Number(repr(int(value)))


def as_int(expr: Expr) -> int | None:
    """The value of an int constant, None for anything else."""
    if isinstance(expr, Number):
        try:
            return int(expr.text)
        except ValueError:
            return None
    return None


def total(*terms: tuple[Expr, int], constant: int = 0) -> Expr:
    """constant + sum of coefficient * term, flattened and collected."""
    collected: dict[Expr, int] = {}
    for term, coefficient in terms:
        value = as_int(term)
        if value is not None:
            constant += coefficient * value
        elif isinstance(term, Sum):
            constant += coefficient * term.constant
            for inner, factor in term.terms:
                collected[inner] = collected.get(inner, 0) + coefficient * factor
        else:
            collected[term] = collected.get(term, 0) + coefficient
    rest = sorted(((term, factor) for term, factor in collected.items() if factor), key=lambda item: (item[1] < 0, repr(item[0])))
    if not rest:
        return integer(constant)
    if constant == 0 and len(rest) == 1 and rest[0][1] == 1:
        return rest[0][0]
    return Sum(tuple(rest), constant)


def plus(a: Expr, b: Expr) -> Expr:
    """a + b of int64s."""
    return total((a, 1), (b, 1))


def minus(a: Expr, b: Expr) -> Expr:
    """a - b of int64s."""
    return total((a, 1), (b, -1))


def apply(template: str, *operands: Expr) -> Expr:
    """The template of these operands; x + -y is written x - y, x * -y is -(x * y) and so on: the same numbers."""
    if template in ("a * b", "a / b"):
        signs = sum(isinstance(operand, Op) and operand.template == "-a" for operand in operands)
        bare = tuple(operand.operands[0] if isinstance(operand, Op) and operand.template == "-a" else operand for operand in operands)
        return Op("-a", (Op(template, bare),)) if signs == 1 else Op(template, bare)
    if template in ("a + b", "a - b"):
        first, second = operands
        if isinstance(second, Op) and second.template == "-a":
            return Op("a - b" if template == "a + b" else "a + b", (first, second.operands[0]))
        if template == "a + b" and isinstance(first, Op) and first.template == "-a" and not _is_negative_number(second):
            return Op("a - b", (second, first.operands[0]))
        if template == "a + b" and isinstance(second, Op) and second.template in ("a * b", "a / b") and _is_negative_number(second.operands[0]):
            factor = second.operands[0]
            assert isinstance(factor, Number)
            return Op("a - b", (first, Op(second.template, (Number(factor.text[1:]), second.operands[1]))))
    return Op(template, operands)


def _is_negative_number(expr: Expr) -> bool:
    return isinstance(expr, Number) and expr.text.startswith("-")


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside."""
    match expr:
        case Op():
            return expr.operands
        case Load():
            return expr.index
        case Sum():
            return tuple(term for term, _ in expr.terms)
        case Slice():
            return tuple(bound for bound in (expr.start, expr.stop) if bound is not None)
        case Invoke():
            return expr.args
        case Part():
            return (expr.base, *expr.index)
        case Tuple():
            return expr.items
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all inside it."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def size(expr: Expr) -> int:
    """How many nodes it has."""
    return sum(1 for _ in walk(expr))


def names_read(expr: Expr) -> set[str]:
    """Every variable that it reads, arrays included."""
    found: set[str] = set()
    for part in walk(expr):
        match part:
            case Name():
                found.add(part.id)
            case Load() | Length():
                found.add(part.array)
            case _:
                pass
    return found


def loads(expr: Expr, array: str) -> Iterator[Load]:
    """Every element of this array that it reads."""
    for part in walk(expr):
        if isinstance(part, Load) and part.array == array:
            yield part


def substitute(expr: Expr, by: dict[Expr, Expr]) -> Expr:
    """The expression with whole subexpressions replaced."""
    if expr in by:
        return by[expr]
    match expr:
        case Op():
            return Op(expr.template, tuple(substitute(item, by) for item in expr.operands))
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
            return Invoke(expr.function, tuple(substitute(item, by) for item in expr.args), expr.keywords)
        case Part():
            return Part(substitute(expr.base, by), tuple(substitute(item, by) for item in expr.index))
        case Tuple():
            return Tuple(tuple(substitute(item, by) for item in expr.items))
        case _:
            return expr


# ---- printing -------------------------------------------------------------------------------------------------------


def text(expr: Expr) -> str:
    """The expression as Python, with the parentheses that it needs."""
    return ast.unparse(to_ast(expr))


@cache
def parsed(template: str) -> ast.expr:
    """A template's syntax tree (shared: never changed)."""
    return ast.parse(template, mode="eval").body


def to_ast(expr: Expr) -> ast.expr:
    """The expression as Python's own syntax tree."""
    match expr:
        case Name():
            return ast.Name(expr.id)
        case Number():
            return parsed(expr.text)
        case Load():
            return ast.Subscript(ast.Name(expr.array), _index(expr.index))
        case Length():
            return parsed(f"{expr.array}.shape[{expr.axis}]")
        case Op():
            return _fill(parsed(expr.template), dict(zip(OPERANDS, map(to_ast, expr.operands), strict=False)))
        case Sum():
            return _sum(expr)
        case Slice():
            bounds = [None if bound is None else to_ast(bound) for bound in (expr.start, expr.stop)]
            step = None if expr.step == 1 else to_ast(integer(expr.step)) if expr.step >= 0 else parsed(repr(expr.step))
            return ast.Slice(bounds[0], bounds[1], step)
        case Invoke():
            keywords = [ast.keyword(key, parsed(value)) for key, value in expr.keywords]
            return ast.Call(parsed(expr.function), [to_ast(arg) for arg in expr.args], keywords)
        case Part():
            return ast.Subscript(to_ast(expr.base), _index(expr.index))
        case Tuple():
            return ast.Tuple([to_ast(item) for item in expr.items])


def _index(items: tuple[Expr, ...]) -> ast.expr:
    return to_ast(items[0]) if len(items) == 1 else ast.Tuple([to_ast(item) for item in items])


def _fill(node: ast.expr, operands: dict[str, ast.expr]) -> ast.expr:
    """A copy of the template with names a, b, … replaced."""
    if isinstance(node, ast.Name):
        return operands.get(node.id, node)
    if not any(isinstance(inner, ast.Name) and inner.id in operands for inner in ast.walk(node)):
        return node
    copied = type(node)()
    for part in node._fields:
        value = getattr(node, part, None)
        if isinstance(value, list):
            value = [_fill(item, operands) if isinstance(item, ast.expr | ast.keyword) else item for item in value]  # type: ignore[arg-type]
        elif isinstance(value, ast.expr):
            value = _fill(value, operands)
        setattr(copied, part, value)
    return copied


def _sum(expr: Sum) -> ast.expr:
    result: ast.expr | None = None
    for term, factor in expr.terms:
        node = to_ast(term)
        if abs(factor) != 1:
            node = ast.BinOp(ast.Constant(abs(factor)), ast.Mult(), node)
        if result is None:
            result = node if factor > 0 else None
            if factor < 0:
                result = ast.BinOp(ast.Constant(expr.constant), ast.Sub(), node) if expr.constant else ast.UnaryOp(ast.USub(), node)
                if expr.constant:
                    return _more(result, expr.terms[1:])
        else:
            result = ast.BinOp(result, ast.Add() if factor > 0 else ast.Sub(), node)
    assert result is not None
    if expr.constant:
        result = ast.BinOp(result, ast.Add() if expr.constant > 0 else ast.Sub(), ast.Constant(abs(expr.constant)))
    return result


def _more(result: ast.expr, terms: Iterable[tuple[Expr, int]]) -> ast.expr:
    for term, factor in terms:
        node = to_ast(term) if abs(factor) == 1 else ast.BinOp(ast.Constant(abs(factor)), ast.Mult(), to_ast(term))
        result = ast.BinOp(result, ast.Add() if factor > 0 else ast.Sub(), node)
    return result
