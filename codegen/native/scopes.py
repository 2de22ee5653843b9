"""Which variables of a kernel need no place in memory: wherever one is read, what was bound last in the text is its value.

    for i in range(n):
        a = x[i]            a: bound here, read here only
        total += a          total: read in the next trip, and behind the loop
"""
from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from s2s.codegen.native.source import walked

Path = tuple[int, ...]
"""A block of statements: the numbers of the blocks around it, and its own."""


class Scopes:
    """In which blocks of a function each name is bound, and which names are read before anything is bound that is surely theirs."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        self._bound: defaultdict[str, set[Path]] = defaultdict(set)
        self._carried: set[str] = set()
        """Names read where no block around has bound them before, in the text: what another block, or an earlier trip, has bound."""
        self._blocks = 0
        for arg in tree.args.args:
            self._bound[arg.arg].add(())
        self._block(tree.body, ())

    def values(self) -> frozenset[str]:
        """The names that need no memory: no block that binds one lies within another such block, and each reading lies behind a binding in a block around it."""
        return frozenset(name for name, bound in self._bound.items() if _apart(bound) and name not in self._carried)

    def _block(self, body: list[ast.stmt], path: Path) -> None:
        for statement in body:
            names = [node for child in _expressions(statement) for node in walked(child) if isinstance(node, ast.Name)]
            read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                read.add(statement.target.id)
            self._carried.update(name for name in read if not _within(path, self._bound.get(name, set())))
            for node in names:
                if isinstance(node.ctx, ast.Store):
                    self._bound[node.id].add(path)
            for inner in ("body", "orelse"):
                block = getattr(statement, inner, [])
                self._blocks += 1
                if inner == "body" and isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
                    self._bound[statement.target.id].add((*path, self._blocks))
                self._block(block, (*path, self._blocks))


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that are evaluated in the block in which it stands."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr) and not (isinstance(statement, ast.For) and child is statement.target):
            yield child


def _apart(paths: set[Path]) -> bool:
    ordered = sorted(paths)
    return all(inner[: len(outer)] != outer for outer, inner in pairwise(ordered))


def _within(path: Path, bound: set[Path]) -> bool:
    return any(path[:length] in bound for length in range(len(path) + 1))
