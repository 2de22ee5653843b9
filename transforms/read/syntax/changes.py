"""What a loop's text says that its trips change, before anybody has read it.

    for i in range(n):      stored: A                 (an index, or += of an array)
        A[i] = s            updated: {s: {x}, u: {}}  (computed from what it was, and from elements of these)
        s += x[i]           beside: {s: {x}, u: {v}}  (the names that it is computed from beside its own)
        u = u + v           rebound: u                (by an assignment alone)
        fill(B, at=C)       handed: B, C              (to what may store into them)

The same of a function's text, whose parameters are names as others are.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import libcst as cst

from s2s.records import dataclass
from s2s.transforms.read.syntax.scope import NONE, Names, blocks_of, names_bound, names_read
from s2s.transforms.read.syntax.source import parts_of, statements_of


@dataclass(frozen=True)
class Handed:
    """A name that the function called `to` is handed, as its parameter of this place or name."""

    to: str
    parameter: int | str
    name: str


@dataclass(frozen=True)
class Changes:
    """The names of which the arrays are stored into and that nothing binds anew, and those that are computed from what they were."""

    stored: Names
    rebound: Names
    updated: Mapping[str, Names]
    beside: Mapping[str, Names]
    handed: tuple[Handed, ...]


NO_CHANGES = Changes(NONE, NONE, {}, {}, ())


@lru_cache(maxsize=1024)
def changes_of(node: cst.CSTNode) -> Changes:
    """The changes of a for or while loop, or of a function's body; of a comprehension or lambda, none."""
    if not isinstance(node, cst.For | cst.While | cst.FunctionDef):
        return NO_CHANGES
    statements = list(statements_of(node.body)) if isinstance(node, cst.FunctionDef) else [node]
    stored: set[str] = set()
    bound: set[str] = set()
    updated: dict[str, Names] = {}
    beside: dict[str, Names] = {}
    for target, value, in_place in (each for statement in statements for each in _targets(statement)):
        names = set(names_bound(_root(target)))
        if isinstance(target, cst.Subscript):
            stored |= names
            continue
        (stored if in_place else bound).update(names)
        if value is not None and (in_place or not names.isdisjoint(names_read(value))):
            for name in names:
                updated[name] = updated.get(name, NONE) | frozenset(_subscripted(value))
                beside[name] = beside.get(name, NONE) | names_read(value) - {name}
    handed = tuple(each for statement in statements for each in _handed(statement) if each.name not in bound)
    return Changes(frozenset(stored - bound), frozenset(bound - stored), updated, beside, handed)


def _handed(statement: cst.CSTNode) -> Iterator[Handed]:
    """What calls are handed that are a statement, or all of what one assigns."""
    value = getattr(statement, "value", None) if isinstance(statement, cst.Expr | cst.Assign | cst.AnnAssign | cst.AugAssign) else None
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and not any(arg.star for arg in value.args):
        for number, arg in enumerate(value.args):
            if isinstance(arg.value, cst.Name):
                yield Handed(value.func.value, number if arg.keyword is None else arg.keyword.value, arg.value.value)
    for block in blocks_of(statement):
        for inner in block:
            yield from _handed(inner)


def _targets(statement: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode | None, bool]]:
    """Each target of assignments, what it is made from, and whether it is what was there before that is changed."""
    match statement:
        case cst.Assign():
            for target in statement.targets:
                yield from ((each, value, False) for each, value in _unpacked(target.target, statement.value))
        case cst.AugAssign():
            yield statement.target, statement.value, True
        case cst.AnnAssign():
            yield statement.target, statement.value, False
        case cst.For():
            yield from ((each, None, False) for each, _ in _unpacked(statement.target, statement.iter))
    for block in blocks_of(statement):
        for inner in block:
            yield from _targets(inner)


def _unpacked(target: cst.CSTNode, value: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """The targets in a tuple, each with what is assigned to it: `u, v = v, u` is an update of neither."""
    if not isinstance(target, cst.Tuple | cst.List):
        yield target, value
        return
    parts = [each.value for each in value.elements] if isinstance(value, cst.Tuple | cst.List) else []
    fits = len(parts) == len(target.elements) and not any(isinstance(each, cst.StarredElement) for each in (*target.elements, *value.elements))  # type: ignore[attr-defined]
    for number, element in enumerate(target.elements):
        yield from _unpacked(element.value, parts[number] if fits else value)


def _root(target: cst.CSTNode) -> cst.CSTNode:
    while isinstance(target, cst.Subscript):
        target = target.value
    return target


def _subscripted(node: cst.CSTNode) -> Iterator[str]:
    """The names of which an expression takes elements."""
    if isinstance(node, cst.Subscript):
        yield from names_bound(_root(node))
    for part in parts_of(node):
        yield from _subscripted(part)
