"""Statements of the loop language from a small Python text, for tests: what goes into a pass, readable.

    statements('''
    for i in range(n):
        y[i] = exp(x[i]) + 1.0
    ''')

`x = np.empty((n, m))` allocates; `move(u, v)` says that u gets the array v; what stands in an index or in range() is a sum of integers; a call
that is a statement calls a kernel; `raise ValueError("…")`, behind it `# late` or `# stretch`.
"""
from __future__ import annotations

import ast
import textwrap
from typing import Any

import numpy as np

from s2s.codegen.language import operations
from s2s.codegen.language.expressions import Expr, Length, Load, Name, Op, Tuple, Type, as_int, total
from s2s.codegen.language.notation import expression
from s2s.codegen.language.statements import ONE, Alloc, Assign, Body, CallKernel, IfElse, Loop, Raise, Statement, Store, WhileLoop, lines
from s2s.errors import NOWHERE


def statements(source: str) -> Body:
    """The statements."""
    source = textwrap.dedent(source)
    return _body(ast.parse(source).body, source.split("\n"))


def texts(body: Body) -> str:
    """The statements as text."""
    return textwrap.dedent("\n".join(lines(body)))


def written(source: str) -> str:
    """A text as `texts` writes it."""
    return textwrap.dedent(source).strip("\n")


def value(source: str) -> Expr:
    """An expression."""
    return _value(ast.parse(source, mode="eval").body)


def position(source: str) -> Expr:
    """An integer: sums in their normal form."""
    return _position(ast.parse(source, mode="eval").body)


def _leaf(node: ast.expr) -> Expr | None:
    match node:
        case ast.Subscript(ast.Attribute(ast.Name(array), "shape"), ast.Constant(axis)):
            return Length(array, axis)  # type: ignore[arg-type]
        case ast.Subscript(ast.Name(array), ast.Tuple(items)):
            return Load(array, tuple(map(_position, items)))
        case ast.Subscript(ast.Name(array), item):
            return Load(array, (_position(item),))
        case ast.Name(name):
            return Name(name)
        case ast.Tuple(items):
            return Tuple(tuple(map(_value, items)))
        case ast.Call(ast.Name(name), [inner]) if hasattr(np, name) and name.rstrip("0123456789") in ("float", "int", "uint"):
            return Op(operations.conversion(np.dtype(name)), (_value(inner),))
        case ast.Attribute(ast.Name("np"), name) if hasattr(np, name) and isinstance(getattr(np, name), type):
            return Type(np.dtype(getattr(np, name)))
        case _:
            return None


def _value(node: ast.expr) -> Expr:
    return expression(node, _leaf)


def _position(node: ast.expr) -> Expr:
    return _summed(_value(node))


def _summed(expr: Expr) -> Expr:
    """Sums of integers in their normal form."""
    if not isinstance(expr, Op):
        return expr
    items = tuple(map(_summed, expr.operands))
    if expr.operation in (operations.ADD, operations.SUBTRACT):
        return total((items[0], 1), (items[1], 1 if expr.operation is operations.ADD else -1))
    if expr.operation is operations.NEGATE:
        return total((items[0], -1))
    if expr.operation is operations.MULTIPLY and (factor := as_int(items[0])) is not None:
        return total((items[1], factor))
    return Op(expr.operation, items)


def _body(nodes: list[ast.stmt], source: list[str]) -> Body:
    return tuple(_statement(node, source) for node in nodes if not isinstance(node, ast.Pass))


def _statement(node: ast.stmt, source: list[str]) -> Statement:
    match node:
        case ast.Assign([ast.Subscript() as target], right):
            element = _value(target)
            assert isinstance(element, Load)
            return Store(element.array, element.index, _value(right))
        case ast.Assign([ast.Name(target)], ast.Call(ast.Attribute(ast.Name("np"), "empty"), [shape, *dtype])):
            shape_ = tuple(map(_position, shape.elts if isinstance(shape, ast.Tuple) else [shape]))
            given = _value(dtype[0]) if dtype else None
            return Alloc(target, shape_, given.dtype if isinstance(given, Type) else np.dtype(float))
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            return Assign(tuple(target.id for target in targets if isinstance(target, ast.Name)), tuple(map(_value, values)))
        case ast.Assign([ast.Name(target)], right):
            return Assign((target,), (_value(right),))
        case ast.AugAssign(target, op, right):
            return _augmented(target, op, right)
        case ast.For(ast.Name(index), ast.Call(ast.Name("range"), bounds), body):
            ends = [*map(_position, bounds)]
            lo, hi, step = (operations.Number(0), ends[0], ONE) if len(ends) == 1 else (*ends, ONE)[:3]
            return Loop(index, lo, hi, step, _body(body, source))
        case ast.While(test, body):
            return WhileLoop((), _value(test), _body(body, source))
        case ast.If(test, then, orelse):
            return IfElse(_value(test), _body(then, source), _body(orelse, source))
        case ast.Raise(ast.Call(ast.Name(kind), args)):
            said = source[node.lineno - 1].partition("#")[2]
            return Raise(kind, tuple(map(_value, args)), NOWHERE, stretch="stretch" in said, late="late" in said)
        case ast.Expr(ast.Call(ast.Name("move"), args)):
            names = [arg.id for arg in args if isinstance(arg, ast.Name)]
            half = len(names) // 2
            return Assign(tuple(names[:half]), tuple(map(Name, names[half:])), move=True)
        case ast.Expr(ast.Call(ast.Name(kernel), args)):
            return CallKernel((), kernel, tuple(map(_value, args)), writes=tuple(arg.id for arg in args if isinstance(arg, ast.Name)))
        case _:
            raise AssertionError(ast.unparse(node))


def _augmented(target: ast.expr, op: ast.operator, right: ast.expr) -> Statement:
    whole: Any = ast.BinOp(target, op, right)
    done = _value(whole)
    assert isinstance(done, Op)
    if isinstance(target, ast.Name):
        return Assign((target.id,), (done,))
    element = done.operands[0]
    assert isinstance(element, Load)
    return Store(element.array, element.index, done)
