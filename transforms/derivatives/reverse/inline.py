"""Calls of helpers that update an argument's array are replaced by the helpers' bodies: rolling back works inside one function."""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.derivatives.reverse.chains import chain_to
from s2s.transforms.derivatives.reverse.tapes import Layout
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.program import Block, Call, Check, Equation, Function, Node, Print, walk


def inline_mutating(function: Function) -> Function:
    """The function with calls of helpers that update an argument's array replaced by their bodies: rolling back works inside one function."""
    if not any(isinstance(node, Call) and _mutates(node.function) for node in walk(function.body)):
        return function
    return replace(function, body=_inlined(function.body, rewrite.Substitution(renew=False)))


def _mutates(function: Function) -> bool:
    if function.rule is not None:
        return False
    layout = Layout(function)
    for result in function.body.results:
        chain = chain_to(result, function.body, layout)
        if chain is not None and chain.updates and chain.start in function.params:
            return True
    return any(isinstance(node, Call) and _mutates(node.function) for node in walk(function.body))


def _inlined(block: Block, substitution: rewrite.Substitution) -> Block:
    nodes: list[Node] = []
    for node in block.nodes:
        match node:
            case Call() if _mutates(node.function):
                call = Call(node.outs, node.function, substitution.atoms(node.ins), node.where)
                inner, results = rewrite.inline(call)
                body = _inlined(Block(inner, tuple(results.values())), rewrite.Substitution(renew=False))
                nodes += body.nodes
                substitution.mapping.update(zip(results, body.results, strict=True))
            case Equation() | Call() | Check() | Print():
                nodes.append(substitution.node(node))
            case _:
                nodes.append(_inlined_region(node, substitution))
    return Block(tuple(nodes), substitution.atoms(block.results))


def _inlined_region(node: Node, substitution: rewrite.Substitution) -> Node:
    class Inside(rewrite.Substitution):
        def block(self, block: Block) -> Block:
            return _inlined(block, self)

    inside = Inside(renew=False)
    inside.mapping = substitution.mapping
    return inside.node(node)
