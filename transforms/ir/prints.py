"""Prints happen once: what computes a function's values a second time does it without them."""
from __future__ import annotations

import types
from typing import Any

from s2s.records import replace
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.program import Block, Call, Check, Equation, Function, Node, Print, walk


def first_print(function: Function) -> Print | None:
    """Where a function prints, or one that it calls does."""
    for node in walk(function.body):
        found = first_print(node.function) if isinstance(node, Call) else node
        if isinstance(found, Print):
            return found
    return None


def prints(node: Node) -> bool:
    r"""Whether a node prints, or anything in it does.

    >>> prints(Print("hello", (), "\n", False, None, ""))
    True
    """
    if isinstance(node, Print):
        return True
    if isinstance(node, Call):
        return first_print(node.function) is not None
    return any(isinstance(each, Print) or isinstance(each, Call) and prints(each) for block in node.blocks for each in walk(block))


def raises(node: Node) -> bool:
    """Whether a node, or anything in it, may raise an error that a user sees."""
    if isinstance(node, Check):
        return not node.stretch
    if isinstance(node, Call):
        return any(isinstance(each, Check | Call) or isinstance(each, Equation) and "index" in each.params for each in walk(node.function.body))
    return any(raises(each) for block in node.blocks for each in block.nodes)


def silent(node: Any) -> Any:
    """A node that does not print; what it binds and calls is the same otherwise."""
    return Without(Print).node(node)


class Without(rewrite.Substitution):
    """Copies of blocks without nodes of some kinds, also in the functions that they call."""

    def __init__(self, kinds: type | types.UnionType) -> None:
        super().__init__(renew=False)
        self.kinds = kinds
        self.done: dict[Function, Function] = {}
        self.held: dict[Function, bool] = {}

    def block(self, block: Block) -> Block:
        return Block(tuple(self.node(node) for node in block.nodes if not isinstance(node, self.kinds)), self.atoms(block.results))

    def node(self, node: Node) -> Node:
        made = super().node(node)
        return replace(made, function=self.called(made.function)) if isinstance(made, Call) else made

    def called(self, function: Function) -> Function:
        """The function without such nodes; itself where it has none."""
        if not self.holds(function):
            return function
        if function not in self.done:
            self.done[function] = replace(function, body=self.block(function.body))
        return self.done[function]

    def holds(self, function: Function) -> bool:
        """Whether a function has such a node, or one that it calls has."""
        if function not in self.held:
            self.held[function] = any(isinstance(node, self.kinds) or isinstance(node, Call) and self.holds(node.function) for node in walk(function.body))
        return self.held[function]
