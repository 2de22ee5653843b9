"""Prints happen once: what computes a function's values a second time does it without them."""
from __future__ import annotations

from typing import Any

from s2s.records import replace
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.program import Block, Call, Check, Equation, Function, Node, Print, blocks, walk


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
    return any(isinstance(each, Print) or isinstance(each, Call) and prints(each) for block in blocks(node) for each in walk(block))


def raises(node: Node) -> bool:
    """Whether a node, or anything in it, may raise an error that a user sees."""
    if isinstance(node, Check):
        return not node.stretch
    if isinstance(node, Call):
        return any(isinstance(each, Check | Call) or isinstance(each, Equation) and "index" in each.params for each in walk(node.function.body))
    return any(raises(each) for block in blocks(node) for each in block.nodes)


def silent(node: Any) -> Any:
    """A node that does not print; what it binds and calls is the same otherwise."""
    return _Silent().node(node)


class _Silent(rewrite.Substitution):
    def __init__(self) -> None:
        super().__init__(renew=False)
        self.done: dict[Function, Function] = {}

    def block(self, block: Block) -> Block:
        return Block(tuple(self.node(node) for node in block.nodes if not isinstance(node, Print)), self.atoms(block.results))

    def node(self, node: Node) -> Node:
        made = super().node(node)
        return replace(made, function=self.called(made.function)) if isinstance(made, Call) else made

    def called(self, function: Function) -> Function:
        if first_print(function) is None:
            return function
        if function not in self.done:
            self.done[function] = replace(function, body=self.block(function.body))
        return self.done[function]
