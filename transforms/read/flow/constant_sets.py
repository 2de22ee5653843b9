"""Displays of constants: CPython keeps such a set as a frozenset, in the order in which its compiler, or the file of bytecode that it left, put the items.

    {33, 1, 17}              set().update(frozenset(…)), of three items and more
    for v in {33, 1, 17}:    the frozenset itself
"""
from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FunctionType
from typing import Any

import libcst as cst

from s2s.transforms.read.known_sets import SetItems
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, SetRef

FEW = 2
"""Items of a display that are put in one after the other, constants or not."""


def content_of_display(reader: Reader, node: cst.Set, keys: list[Any]) -> SetItems | None:
    """What a display of constants holds; None of any other one."""
    constant = _constant(reader, node, keys) if len(keys) > FEW else None
    return None if constant is None else SetItems(set, (("update", (constant,)),))


def as_gone_through(reader: Reader, node: cst.BaseExpression, over: Abstract) -> Abstract:
    """What a loop goes through: of a display of constants the frozenset, else the value itself."""
    constant = _constant(reader, node, reader.heap[over]) if isinstance(node, cst.Set) and isinstance(over, SetRef) else None
    return over if constant is None else constant


def _constant(reader: Reader, node: cst.Set, keys: Iterable[Any]) -> frozenset[Any] | None:
    frame = reader.frame
    while frame.python is None and frame.outer is not None:
        frame = frame.outer
    if not isinstance(frame.python, FunctionType) or not all(_is_constant(element.value) for element in node.elements):
        return None
    return next(iter(_constants_in(frame.python.__code__, frozenset(keys))), None)


def _is_constant(node: cst.BaseExpression) -> bool:
    """Whether the compiler has its value."""
    match node:
        case cst.UnaryOperation():
            return _is_constant(node.expression)
        case cst.BinaryOperation():
            return _is_constant(node.left) and _is_constant(node.right)
        case cst.Tuple():
            return all(_is_constant(element.value) for element in node.elements)
        case cst.Name():
            return node.value in ("True", "False", "None")
    return isinstance(node, cst.BaseNumber | cst.SimpleString | cst.ConcatenatedString)


def _constants_in(code: CodeType, items: frozenset[Any]) -> list[frozenset[Any]]:
    """The constants of a function, and of those inside of it, that are this set."""
    inside = [each for each in code.co_consts if isinstance(each, CodeType)]
    own = [each for each in code.co_consts if isinstance(each, frozenset) and each == items]
    return own + [found for each in inside for found in _constants_in(each, items)]


__all__ = ["as_gone_through", "content_of_display"]
