"""What a loop's text says that its trips change, before anybody has read it.

    for i in range(n):      stored: A                 (an index, or += of an array)
        A[i] = s            updated: {s: {x}, u: {}}  (computed from what it was, and from elements of these)
        s += x[i]           beside: {s: {x}, u: {v}}  (the names that it is computed from beside its own)
        u = u + v           rebound: u                (by an assignment alone)
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import libcst as cst

from s2s.records import dataclass
from s2s.transforms.read.syntax.scope import NONE, Names, blocks_of, names_bound, names_read
from s2s.transforms.read.syntax.source import parts_of


@dataclass(frozen=True)
class Changes:
    """The names of which the arrays are stored into and that nothing binds anew, and those that are computed from what they were."""

    stored: Names
    rebound: Names
    updated: Mapping[str, Names]
    beside: Mapping[str, Names]


@lru_cache(maxsize=1024)
def changes_of(loop: cst.CSTNode) -> Changes:
    """The changes of a for or while loop; of a comprehension, none."""
    if not isinstance(loop, cst.For | cst.While):
        return Changes(NONE, NONE, {}, {})
    stored: set[str] = set()
    bound: set[str] = set()
    updated: dict[str, Names] = {}
    beside: dict[str, Names] = {}
    for target, value, in_place in _targets(loop):
        names = set(names_bound(_root(target)))
        if isinstance(target, cst.Subscript):
            stored |= names
            continue
        (stored if in_place else bound).update(names)
        if value is not None and (in_place or not names.isdisjoint(names_read(value))):
            for name in names:
                updated[name] = updated.get(name, NONE) | frozenset(_subscripted(value))
                beside[name] = beside.get(name, NONE) | names_read(value) - {name}
    return Changes(frozenset(stored - bound), frozenset(bound - stored), updated, beside)


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
