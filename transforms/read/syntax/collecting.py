"""A generator that calls itself as a function that gives a list of all that it yields.

    def walk(self):                              def walk(self):
        if self.left is not None:                    items = []
            yield from self.left.walk()              if self.left is not None:
        yield self.value                                 items.extend(self.left.walk())
                                                     items.append(self.value)
                                                     return items
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.records import replace
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.in_place import fresh, rebuilt
from s2s.transforms.read.syntax.source import FunctionNode, Tree, statements_of


def collected(tree: Tree) -> Tree | None:
    """The function's tree; None of another generator."""
    return _Collecting(tree).tree() if can_be_collected(tree.node) else None


@lru_cache(maxsize=256)
def can_be_collected(node: FunctionNode) -> bool:
    """Whether it is a generator that calls itself to yield what that yields, all of whose yields are statements."""
    if not isinstance(node, cst.FunctionDef):
        return False
    inside = list(nodes.inside(node.body))
    plain = [each for each in inside if isinstance(each, cst.Expr) and isinstance(each.value, cst.Yield)]
    if len(plain) != sum(isinstance(each, cst.Yield) for each in inside) or any(isinstance(each, cst.Return) and each.value is not None for each in inside):
        return False
    return any(_name_of_call(given) == node.name.value for given in _given_on(inside)) and not any(isinstance(each, cst.FunctionDef | cst.Lambda | cst.ClassDef) for each in inside)


_OF_NUMBERS = frozenset(("abs", "bool", "divmod", "enumerate", "float", "int", "isinstance", "len", "list", "max", "min", "pow", "range", "reversed", "round", "sorted", "sum", "tuple", "zip"))
_LIBRARIES = frozenset(("math", "np", "numpy"))


@lru_cache(maxsize=256)
def is_harmless(node: cst.FunctionDef) -> bool:
    """Whether such a generator surely changes and prints nothing: it binds names, and calls itself and what computes numbers."""
    inside = list(nodes.inside(node.body))
    targets = [target.target for each in inside if isinstance(each, cst.Assign) for target in each.targets]
    targets += [each.target for each in inside if isinstance(each, cst.AugAssign | cst.AnnAssign | cst.For)]
    if any(isinstance(each, cst.Attribute | cst.Subscript) for target in targets for each in nodes.inside(target)):
        return False
    if any(isinstance(each, cst.AugAssign | cst.Del | cst.Global | cst.Nonlocal | cst.With | cst.Import | cst.ImportFrom | cst.NamedExpr) for each in inside):
        return False
    return all(_computes(each, node.name.value) for each in inside if isinstance(each, cst.Call))


def _computes(call: cst.Call, own: str) -> bool:
    function = call.func
    if isinstance(function, cst.Name):
        return function.value == own or function.value in _OF_NUMBERS
    is_librarys = isinstance(function, cst.Attribute) and isinstance(function.value, cst.Name) and function.value.value in _LIBRARIES
    return _name_of_call(call) == own or is_librarys and all(arg.keyword is None for arg in call.args)


def _given_on(inside: list[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """What is gone through to yield what it gives."""
    for each in inside:
        if isinstance(each, cst.From):
            yield each.item
        elif isinstance(each, cst.For) and any(isinstance(inner, cst.Yield) for inner in nodes.inside(each.body)):
            yield each.iter


def _name_of_call(node: cst.CSTNode) -> str:
    """The name of the function or method that is called; nothing of all else."""
    function = node.func if isinstance(node, cst.Call) else None
    return function.value if isinstance(function, cst.Name) else function.attr.value if isinstance(function, cst.Attribute) else ""


class _Collecting:
    """The rewriting of one function."""

    def __init__(self, tree: Tree) -> None:
        self.source, self.items = tree, fresh("items", nodes.names_inside(tree.node))
        self.origins: dict[cst.CSTNode, cst.CSTNode] = {}
        self.where: dict[cst.CSTNode, Location] = dict(tree.locations)

    def tree(self) -> Tree:
        """The tree, whose new nodes stand where those stand that they are for."""
        node: Any = self.source.node
        where = self.source.where(node)
        begin, end = nodes.assign(self.items, cst.List([])), cst.Return(nodes.name(self.items))
        body = [begin, *self._block(list(statements_of(node.body))), end]
        made = node.with_changes(body=nodes.suite(body), decorators=())
        for new, old in self.origins.items():
            self._locate(new, self.source.where(old))
        self._locate(begin, replace(where, end_line=where.line, end_column=where.column + 1))
        self._locate(made, where)
        return replace(self.source, node=made, locations=self.where)

    def _locate(self, made: cst.CSTNode, where: Location) -> None:
        for each in nodes.inside(made):
            if each not in self.source.places:
                self.where.setdefault(each, where)

    def _block(self, statements: list[Any]) -> list[Any]:
        return [self._statement(each) for each in statements]

    def _statement(self, statement: Any) -> Any:
        if isinstance(statement, cst.BaseCompoundStatement):
            return rebuilt(statement, self._block, self._block, self.origins)
        if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Yield):
            made: Any = cst.Expr(self._put(statement.value.value))
        elif isinstance(statement, cst.Return):
            made = cst.Return(nodes.name(self.items))
        else:
            return statement
        self.origins[made] = statement
        return made

    def _put(self, given: Any) -> cst.Call:
        """What puts a yielded value, or all of several, into the list."""
        if isinstance(given, cst.From):
            return nodes.method(self.items, "extend", given.item)
        return nodes.method(self.items, "append", nodes.name("None") if given is None else given)


__all__ = ["can_be_collected", "collected", "is_harmless"]
