"""Small pieces of syntax, as rewritings of what users write put them together."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from s2s.transforms.read.syntax.source import parts_of


def name(text: str) -> cst.Name:
    """A name."""
    return cst.Name(text)


def number(value: int) -> cst.BaseExpression:
    """An integer."""
    return cst.Integer(str(value)) if value >= 0 else cst.UnaryOperation(cst.Minus(), cst.Integer(str(-value)))


def assign(target: cst.BaseAssignTargetExpression | str, value: cst.BaseExpression) -> cst.Assign:
    """target = value"""
    return cst.Assign([cst.AssignTarget(cst.Name(target) if isinstance(target, str) else target)], value)


def assign_all(targets: Sequence[str], values: Sequence[cst.BaseExpression]) -> list[Any]:
    """a, b = x, y; nothing where there is nothing to assign."""
    if len(targets) < 2:
        return [assign(target, value) for target, value in zip(targets, values, strict=True)]
    left = cst.Tuple([cst.Element(cst.Name(target)) for target in targets])
    return [assign(left, cst.Tuple([cst.Element(value) for value in values]))]


def call(function: cst.BaseExpression | str, *args: cst.BaseExpression) -> cst.Call:
    """function(*args)"""
    return cst.Call(cst.Name(function) if isinstance(function, str) else function, [cst.Arg(arg) for arg in args])


def method(owner: str, what: str, *args: cst.BaseExpression) -> cst.Call:
    """owner.what(*args)"""
    return call(cst.Attribute(cst.Name(owner), cst.Name(what)), *args)


def item(sequence: cst.BaseExpression, index: cst.BaseExpression) -> cst.Subscript:
    """sequence[index]"""
    return cst.Subscript(sequence, [cst.SubscriptElement(cst.Index(index))])


def compare(left: cst.BaseExpression, operator: cst.BaseCompOp, right: cst.BaseExpression) -> cst.Comparison:
    """left < right"""
    return cst.Comparison(left, [cst.ComparisonTarget(operator, right)])


def binary(left: cst.BaseExpression, operator: cst.BaseBinaryOp, right: cst.BaseExpression) -> cst.BinaryOperation:
    """left + right"""
    return cst.BinaryOperation(left, operator, right)


def suite(statements: Iterable[Any]) -> cst.IndentedBlock:
    """An indented block."""
    body = [each if isinstance(each, cst.BaseCompoundStatement) else cst.SimpleStatementLine([each]) for each in statements]
    return cst.IndentedBlock(body or [cst.SimpleStatementLine([cst.Pass()])])


def branch(test: cst.BaseExpression, then: list[Any], orelse: list[Any]) -> cst.If:
    """if test: … else: …"""
    if len(orelse) == 1 and isinstance(orelse[0], cst.If):
        return cst.If(test, suite(then), orelse=orelse[0])
    return cst.If(test, suite(then), orelse=cst.Else(suite(orelse)) if orelse else None)


def inside(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    """A node and all nodes in it."""
    yield node
    for part in parts_of(node):
        yield from inside(part)


def names_inside(node: cst.CSTNode) -> frozenset[str]:
    """All names in a node: read, written, or only said (an attribute's too)."""
    return frozenset(each.value for each in inside(node) if isinstance(each, cst.Name))


