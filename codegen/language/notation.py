"""Operations written down as Python expressions over a, b, c: how rows say what they compute. Read once, into their structure.

    operation("a + b") is ADD,   operation("b if a else c") is CHOOSE,   operation("dtype(a)", {"dtype": FLOAT32}) is conversion(FLOAT32)
    operation("a if a > b or a != a else b")   is a formula of its operands, the same one each time
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from s2s.codegen.language import operations
from s2s.codegen.language.expressions import Constant, Expr, Infix, Logic, Number, Op, Operand, Operation, Part, Prefix, Type
from s2s.errors import InternalError

LETTERS = "abcdefgh"
"""What the operands are called."""
_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.MatMult: "@", ast.Pow: "**", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitXor: "^", ast.BitOr: "|", ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not ", ast.And: "and",
    ast.Or: "or", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_BY_SYMBOL = {
    (type(each.written), each.written.symbol): each for each in operations.OPERATORS if isinstance(each.written, Infix | Prefix | Logic)
}
Leaves = Callable[[ast.expr], Expr | None]
_NUMPY_NUMBERS = {"inf": np.inf, "nan": np.nan}


def operation(text: str, params: Mapping[str, Any] | None = None) -> Operation:
    """The operation that a text stands for; `params`: names in it that stand for numbers and dtypes.

    Raises
    ------
    InternalError
        If something stands in it that operations are not made of.
    """
    return _operation(text, tuple((params or {}).items()))


@cache
def _operation(text: str, params: tuple[tuple[str, Any], ...]) -> Operation:
    body = expression(ast.parse(text, mode="eval").body, _leaves(dict(params)))
    is_one = isinstance(body, Op) and body.operands == tuple(map(Operand, range(len(body.operands))))
    return body.operation if is_one else operations.formula(text, body)  # type: ignore[union-attr]


def _leaves(params: dict[str, Any]) -> Leaves:
    """Operands, and the parameters' values."""

    def leaf(node: ast.expr) -> Expr | None:
        if not isinstance(node, ast.Name):
            return None
        if node.id in params:
            return Type(params[node.id]) if isinstance(params[node.id], np.dtype) else Number(params[node.id])
        return Operand(LETTERS.index(node.id)) if node.id in LETTERS else None

    return leaf


def expression(node: ast.expr, leaves: Leaves) -> Expr:
    """A Python expression in the loop language. `leaves`: what stands for a node, None: what it is made of says."""
    if (leaf := leaves(node)) is not None:
        return leaf

    def inner(*nodes: ast.expr) -> tuple[Expr, ...]:
        return tuple(expression(each, leaves) for each in nodes)

    match node:
        case ast.Constant(value):
            return Constant(value) if isinstance(value, str | complex) or value is None else Number(value)  # type: ignore[arg-type]
        case ast.Attribute(ast.Name("np"), name) if name in _NUMPY_NUMBERS:
            return Number(_NUMPY_NUMBERS[name])
        case ast.Attribute(base, name):
            return Op(operations.attribute(name), inner(base))
        case ast.UnaryOp(ast.USub(), operand) if isinstance(number := inner(operand)[0], Number):
            return Number(-number.value)
        case ast.UnaryOp(op, operand):
            return Op(_BY_SYMBOL[Prefix, _SYMBOLS[type(op)]], inner(operand))
        case ast.BinOp(left, op, right):
            return Op(_BY_SYMBOL[Infix, _SYMBOLS[type(op)]], inner(left, right))
        case ast.BoolOp(op, values):
            return Op(_BY_SYMBOL[Logic, _SYMBOLS[type(op)]], inner(*values))
        case ast.Compare(left, ops, others):
            return Op(operations.comparison(*(_SYMBOLS[type(op)] for op in ops)), inner(left, *others))
        case ast.Subscript(base, ast.Constant(int() as place)):
            return Part(expression(base, leaves), (Number(place),))
        case ast.IfExp(test, body, orelse):
            return Op(operations.CHOOSE, inner(test, body, orelse))
        case ast.Call(ast.Name(name) as called, args, []):
            dtype = leaves(called)
            return Op(operations.conversion(dtype.dtype) if isinstance(dtype, Type) else operations.function(name), inner(*args))
        case ast.Call(ast.Attribute() as called, args, []) if (root := _root(called)) is not None and leaves(root) is None:
            return Op(operations.function(ast.unparse(called)), inner(*args))
        case ast.Call(ast.Attribute(base, name), args, []):
            return Op(operations.method(name), inner(base, *args))
        case _:
            raise InternalError(f"{ast.unparse(node)!r} is nothing that operations are made of")


def _root(called: ast.expr) -> ast.Name | None:
    """The name that a dotted one begins with; None for what is no name."""
    while isinstance(called, ast.Attribute):
        called = called.value
    return called if isinstance(called, ast.Name) else None
