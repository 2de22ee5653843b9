"""Compiled functions as text."""
from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from s2s.records import cached_property, dataclass


class NotCovered(Exception):
    """A construct that `s2s.codegen.native` does not know: Numba's own compiler takes the function."""


LEAST = -(2**63)
"""The least int64: as text the negative of a number that is none."""


def is_least(node: ast.UnaryOp) -> bool:
    """Whether an expression is the least int64."""
    return isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value == -LEAST and isinstance(node.operand.value, int)


def walked(tree: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes of a tree, in the order of `ast.walk`, which takes three times as long."""
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                found.extend([each for each in value if isinstance(each, ast.AST)])
            elif isinstance(value, ast.AST):
                found.append(value)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Module:
    """A module of compiled functions. What is known of all of them together is found when one of them is compiled: its text is not parsed before."""

    text: str
    file: str
    names: Mapping[str, Any]
    """Its globals."""

    @cached_property
    def lines(self) -> Sequence[str]:
        """Its text, line by line."""
        return self.text.split("\n")

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """The trees of its functions, by name."""
        return {tree.name: tree for tree in ast.parse(self.text).body if isinstance(tree, ast.FunctionDef)}

    @cached_property
    def nodes(self) -> dict[str, tuple[ast.AST, ...]]:
        """Of each function, all of its tree."""
        return {name: walked(tree) for name, tree in self.functions.items()}

    @cached_property
    def called(self) -> frozenset[str]:
        """The names that its kernels read."""
        kernels = [tree for tree in self.functions.values() if tree.decorator_list]
        return frozenset(node.id for tree in kernels for node in self.nodes[tree.name] if isinstance(node, ast.Name))

    @cached_property
    def flags(self) -> dict[str, dict[str, set[bool | None]]]:
        """Of each function that kernels call, what its parameters are given: True, False, or what is not told."""
        found: dict[str, dict[str, set[bool | None]]] = {name: {arg.arg: set() for arg in tree.args.args} for name, tree in self.functions.items()}
        calls = [(name, node.func.id, node.args) for name in found for node in self.nodes[name] if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        inner = {callee for _, callee, _ in calls}
        before = None
        while before != found:
            before = {name: {param: set(values) for param, values in params.items()} for name, params in found.items()}
            for caller, callee, args in calls:
                for values, arg in zip(found.get(callee, {}).values(), args, strict=False):
                    values.update(_told(arg, found[caller] if caller in inner else {}))
        return found

    @cached_property
    def new(self) -> dict[str, frozenset[str]]:
        """Of each kernel that the module's public function calls, at one place, the parameters that are given new arrays."""
        functions = self.functions.values()
        kernels = {tree.name: tree for tree in functions if tree.decorator_list}
        named = Counter(node.id for tree in functions for node in self.nodes[tree.name] if isinstance(node, ast.Name) and node.id in kernels)
        found: dict[str, frozenset[str]] = {}
        for tree in functions:
            for call in self.nodes[tree.name] if not tree.decorator_list else ():
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and named[call.func.id] == 1:
                    params = [arg.arg for arg in kernels[call.func.id].args.args]
                    if len(params) == len(call.args) and not call.keywords:
                        found[call.func.id] = _new(tree, self.nodes[tree.name], call, params)
        return found


@dataclass(frozen=True)
class Source:
    """A function: its name, and the module in which it stands."""

    name: str
    module: Module
    fastmath: frozenset[str]
    """The liberties that LLVM may take with its floats."""
    in_place: bool
    """Whether it is to be written in place of its calls, however long it is."""

    @property
    def tree(self) -> ast.FunctionDef:
        """Its syntax tree."""
        return self.module.functions[self.name]

    @property
    def file(self) -> str:
        """The module's file."""
        return self.module.file

    @property
    def names(self) -> Mapping[str, Any]:
        """The module's globals."""
        return self.module.names

    @property
    def text(self) -> str:
        """Its lines, from `def` on."""
        return "\n".join(self.module.lines[self.tree.lineno - 1 : self.tree.end_lineno])

    @property
    def new(self) -> frozenset[str]:
        """Parameters that are given new arrays, which nothing else holds."""
        return self.module.new.get(self.name, frozenset())

    @property
    def called(self) -> bool:
        """Whether another compiled function calls it."""
        return self.name in self.module.called

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of its tree."""
        return self.module.nodes[self.name]

    @cached_property
    def stores(self) -> Counter[str]:
        """How often each name is bound in it, parameters left out."""
        return Counter([node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)])

    @property
    def params(self) -> tuple[str, ...]:
        """The names of its parameters."""
        args = self.tree.args
        if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults:
            raise NotCovered("parameters")
        return tuple(arg.arg for arg in args.args)


def _told(arg: ast.expr, params: Mapping[str, set[bool | None]]) -> set[bool | None]:
    """What is given: `params`, what those of the function hold in which it stands."""
    match arg:
        case ast.Constant(value=bool(value)):
            return {value}
        case ast.Name(id=name) if name in params:
            return params[name]
        case _:
            return {None}


def _new(caller: ast.FunctionDef, nodes: Sequence[ast.AST], call: ast.Call, params: list[str]) -> frozenset[str]:
    stores = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    new: set[str] = set()
    for node in caller.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and _is_new(node.value) and node.lineno < call.lineno:
            targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            new.update(target.id for target in targets if isinstance(target, ast.Name) and stores[target.id] == 1)
    times = Counter(arg.id for arg in call.args if isinstance(arg, ast.Name))

    def lies_apart(arg: ast.expr) -> bool:
        return arg.id in new and times[arg.id] == 1 if isinstance(arg, ast.Name) else _is_new(arg)

    return frozenset(param for param, arg in zip(params, call.args, strict=True) if lies_apart(arg))


def _is_new(node: ast.expr) -> bool:
    """np.empty(…), np.zeros(…), x.copy(): of several targets each gets a row of its own."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr="empty" | "zeros")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="copy"), args=[], keywords=[]):
            return True
        case _:
            return False
