"""Names of a function that stand for a list of lists of its own, which nothing but the function's own indices ever looks into.

    table = [[0.0] * m for _ in range(n)]
    table[i][j] = table[i - 1][j] + 1.0         # a row is never anything's value: no other name, no argument, no item of another list

A row of such a list can be stored into where it stands, though the list is an array inside: nobody holds the row itself.
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from s2s.transforms.read.syntax.scope import NONE, Names
from s2s.transforms.read.syntax.source import FunctionNode, parts_of

OF_ROWS = frozenset({"len", "sum", "min", "max"})
"""Python's functions that are often asked of a list or a row, and hold none."""


@lru_cache(maxsize=256)
def of_own_rows(function: FunctionNode) -> Names:
    """The names of such lists."""
    if not isinstance(function, cst.FunctionDef):
        return NONE
    made, seen = set[str](), set[str]()
    for part in (function.params, function.body):
        for name, is_made in _uses(part):
            (made if is_made else seen).add(name)
    return frozenset(made - seen)


def _uses(node: cst.CSTNode) -> Iterator[tuple[str, bool]]:
    """The names that a node may hand out, or bind to what others hold (False), and those that it binds to a new list of new lists (True)."""
    match node:
        case cst.Name():
            yield node.value, False
        case cst.Attribute() | cst.Arg():
            yield from _uses(node.value)
        case cst.Return():
            return  # nothing is stored behind it
        case cst.FunctionDef():
            own = of_own_rows(node)
            yield from ((name, name in own) for name, _ in _all(node))
        case cst.Lambda() | cst.ClassDef():
            yield from _all(node)
        case cst.Try() | cst.TryStar() if node.finalbody is not None:
            yield from _all(node)  # what follows a return
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value) if _is_new(value, depth=2) and isinstance(target, cst.Name):
            yield target.value, True
            yield from _uses(value)
        case cst.AnnAssign(target=cst.Name(value=name), value=value) if value is not None and _is_new(value, depth=2):
            yield name, True
            yield from _uses(value)
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value) if _is_new(value, depth=1) and (index := _row(target)) is not None:
            yield from _uses(index)
            yield from _uses(value)
        case cst.Subscript() if (index := _row(node.value)) is not None:
            yield from _uses(index)
            for element in node.slice:
                yield from _uses(element)
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=given, star="", keyword=None)]) if name in OF_ROWS:
            yield name, False
            if not isinstance(given, cst.Name) or name != "len":
                index = _row(given)
                yield from _uses(given if index is None else index)
        case _:
            for child in parts_of(node):
                yield from _uses(child)


def _row(node: cst.CSTNode) -> cst.CSTNode | None:
    """The index of name[index]; None for anything else."""
    match node:
        case cst.Subscript(value=cst.Name(), slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            return index
    return None


def _is_new(node: cst.CSTNode, depth: int) -> bool:
    """Whether an expression makes a list; of depth 2, of lists that it makes too."""
    match node:
        case cst.ListComp():
            return depth == 1 or _is_new(node.elt, depth - 1)
        case cst.List():
            return depth == 1 or all(_is_new(element.value, depth - 1) for element in node.elements)
        case cst.BinaryOperation(operator=cst.Multiply()):
            return depth == 1 and any(isinstance(side, cst.List) for side in (node.left, node.right))
    return False


def _all(node: cst.CSTNode) -> Iterator[tuple[str, bool]]:
    """All names, as what may be handed out."""
    if isinstance(node, cst.Name):
        yield node.value, False
    for child in parts_of(node):
        yield from _all(child)


__all__ = ["OF_ROWS", "of_own_rows"]
