"""Expressions as Python: the one place that writes them, with the parentheses that they need and no more.

    text(Op(MULTIPLY, (Op(ADD, (Name("a"), Name("b"))), Name("c"))))   is   (a + b) * c

Where parentheses stand is `ast.unparse`'s choice (`tests/test_expressions.py` compares).
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from s2s.codegen.language.expressions import (
    Attribute,
    Called,
    Chain,
    Choice,
    Constant,
    Expr,
    Filled,
    Formatted,
    Formula,
    Infix,
    Invoke,
    Length,
    Load,
    Logic,
    Method,
    Name,
    Number,
    Op,
    Operand,
    Part,
    Precedence,
    Prefix,
    Slice,
    Sum,
    Tuple,
    Type,
)
from s2s.codegen.language.operations import dtype_name
from s2s.f_strings import f_string

Given = tuple[Any, ...]
"""(operands, what is given around them): what a formula's operands are; () outside of formulas."""
ATOM, TEST = Precedence.ATOM, Precedence.TEST


def text(expr: Expr) -> str:
    """The expression as Python."""
    return _text(expr, TEST, ())


def _text(expr: Expr, least: int, given: Given) -> str:
    """An expression where an operator of precedence `least` or a looser one needs no parentheses."""
    return _WRITERS[type(expr)](expr, least, given)


def _wrapped(shown: str, precedence: int, least: int) -> str:
    return f"({shown})" if least > precedence else shown


def _items(items: Iterable[Expr], given: Given) -> str:
    return ", ".join([_text(item, TEST, given) for item in items])


def _name(expr: Name, least: int, given: Given) -> str:
    return expr.id


def _number(expr: Number, least: int, given: Given) -> str:
    return f"({expr.text})" if least > Precedence.SIGN and expr.text[0] == "-" else expr.text


def _constant(expr: Constant, least: int, given: Given) -> str:
    return "..." if expr.value is ... else repr(expr.value)


def _type(expr: Type, least: int, given: Given) -> str:
    return dtype_name(expr.dtype)


def _operand(expr: Operand, least: int, given: Given) -> str:
    operands, outer = given
    return _text(operands[expr.number], least, outer)


def _load(expr: Load, least: int, given: Given) -> str:
    return f"{expr.array}[{_index(expr.index, given)}]"


def _part(expr: Part, least: int, given: Given) -> str:
    return f"{_text(expr.base, ATOM, given)}[{_index(expr.index, given)}]"


def _index(items: tuple[Expr, ...], given: Given) -> str:
    if len(items) == 1 and isinstance(items[0], Tuple) and items[0].items:
        return _items(items[0].items, given) + ("," if len(items[0].items) == 1 else "")
    return _items(items, given)


def _length(expr: Length, least: int, given: Given) -> str:
    return f"{expr.array}.shape[{expr.axis}]"


def _slice(expr: Slice, least: int, given: Given) -> str:
    start, stop = ("" if bound is None else _text(bound, TEST, given) for bound in (expr.start, expr.stop))
    return f"{start}:{stop}" if expr.step == 1 else f"{start}:{stop}:{expr.step}"


def _invoke(expr: Invoke, least: int, given: Given) -> str:
    keywords = [f"{key}={_text(value, TEST, given)}" for key, value in expr.keywords]
    return f"{expr.function}({', '.join([_text(arg, TEST, given) for arg in expr.args] + keywords)})"


def _tuple(expr: Tuple, least: int, given: Given) -> str:
    return f"({_items(expr.items, given)}{',' if len(expr.items) == 1 else ''})"


def _formatted(expr: Formatted, least: int, given: Given) -> str:
    return f_string(expr.message, _parsed(expr.values, given))


def _parsed(values: Iterable[Expr], given: Given) -> list[ast.expr]:
    return [ast.parse(_text(value, TEST, given), mode="eval").body for value in values]


def _filled(expr: Filled, least: int, given: Given) -> str:
    """Through the syntax tree: a field may stand in an f-string, where quotes matter."""
    fields = {f"_{number}": value for number, value in enumerate(_parsed(expr.values, given))}
    call = ast.parse(f"_({expr.template.format(*fields)})", mode="eval")
    return ast.unparse(_Fields(fields).visit(call))[2:-1]


class _Fields(ast.NodeTransformer):
    """The values in the places of their names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


def _sum(expr: Sum, least: int, given: Given) -> str:
    shown, precedence = "", Precedence.SUM
    for term, factor in expr.terms:
        times = abs(factor) != 1
        if not shown and factor < 0 and not expr.constant:
            shown = f"-({abs(factor)} * {_text(term, Precedence.SIGN, given)})" if times else f"-{_text(term, Precedence.SIGN, given)}"
            precedence = Precedence.SIGN
            continue
        # a product stands where a factor of the sum may; a term alone is the sum's first or second operand
        alone = Precedence.SUM if not shown and factor > 0 else Precedence.PRODUCT
        one = f"{abs(factor)} * {_text(term, Precedence.SIGN, given)}" if times else _text(term, alone, given)
        if shown:
            shown, precedence = f"{shown} {'+' if factor > 0 else '-'} {one}", Precedence.SUM
        elif factor > 0:
            shown, precedence = one, Precedence.PRODUCT if times else Precedence.SUM
        else:
            shown, precedence = f"{expr.constant} - {one}", Precedence.SUM
    if expr.constant and expr.terms[0][1] > 0:
        shown, precedence = f"{shown} {'+' if expr.constant > 0 else '-'} {abs(expr.constant)}", Precedence.SUM
    return _wrapped(shown, precedence, least)


# ---- operations -------------------------------------------------------------------------------------------------------


def _op(expr: Op, least: int, given: Given) -> str:
    written, operands = expr.operation.written, expr.operands
    return _OPERATIONS[type(written)](written, operands, least, given)


def _infix(written: Infix, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    own = written.precedence
    first, second = (own + 1, own) if written.rightmost else (own, own + 1)
    return _wrapped(f"{_text(operands[0], first, given)} {written.symbol} {_text(operands[1], second, given)}", own, least)


def _prefix(written: Prefix, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    return _wrapped(f"{written.symbol}{_text(operands[0], written.precedence, given)}", written.precedence, least)


def _logic(written: Logic, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    shown = [_text(operand, written.precedence + number, given) for number, operand in enumerate(operands, 1)]
    return _wrapped(f" {written.symbol} ".join(shown), written.precedence, least)


def _chain(written: Chain, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    first, *others = (_text(operand, Precedence.COMPARE + 1, given) for operand in operands)
    return _wrapped(first + "".join(f" {symbol} {other}" for symbol, other in zip(written.symbols, others, strict=True)), Precedence.COMPARE, least)


def _choice(written: Choice, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    test, then, orelse = operands
    return _wrapped(f"{_text(then, TEST + 1, given)} if {_text(test, TEST + 1, given)} else {_text(orelse, TEST, given)}", TEST, least)


def _called(written: Called, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    return f"{written.function}({_items(operands, given)})"


def _base(operand: Expr, given: Given) -> str:
    """What stands before a dot."""
    shown = _text(operand, ATOM, given)
    return f"{shown} " if shown.isdigit() else shown


def _method(written: Method, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    return f"{_base(operands[0], given)}.{written.name}({_items(operands[1:], given)})"


def _attribute(written: Attribute, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    return f"{_base(operands[0], given)}.{written.name}"


def _formula(written: Formula, operands: tuple[Expr, ...], least: int, given: Given) -> str:
    return _text(written.body, least, (operands, given))


_OPERATIONS: dict[type, Callable[..., str]] = {
    Infix: _infix, Prefix: _prefix, Logic: _logic, Chain: _chain, Choice: _choice, Called: _called, Method: _method, Attribute: _attribute, Formula: _formula,
}
_WRITERS: dict[type, Callable[..., str]] = {
    Name: _name, Number: _number, Constant: _constant, Type: _type, Operand: _operand, Load: _load, Length: _length, Op: _op, Sum: _sum, Slice: _slice,
    Invoke: _invoke, Part: _part, Tuple: _tuple, Formatted: _formatted, Filled: _filled,
}
