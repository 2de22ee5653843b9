"""The cosine beside a sine: machines compute both at once, and the adjoint of each is the other.

    for k in range(n):                      for k in range(n):
        w -= h * sin(x)             ->          cos_tape[k] = cos(x)        instead of x_tape[k] = x
        x += h * w                              w -= h * sin(x)
                                                x += h * w

The reverse sweep of a loop needs the cosine of a number that is gone by then: it would keep the number and compute the function.
Kept in its place, the cosine costs a fraction of that in the forward sweep: LLVM makes one call of `sincos` of the two. Where the
number is at hand or kept anyway, the cosine is computed from it again (`residuals.py`): nothing more is kept.
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.derivatives.activity import active_vars
from s2s.transforms.ir.program import Block, Equation, For, Function, If, Node, Var, While, walk
from s2s.transforms.primitives.elementwise import cos, sin
from s2s.transforms.primitives.operators import new_builder

_OTHER = {sin: cos, cos: sin}


def with_companions(function: Function, active: tuple[bool, ...], useful: tuple[bool, ...]) -> tuple[Function, frozenset[Node]]:
    """The function, with the cosine of what its loops take the sine of and the other way round, where reverse mode needs it; and
    the equations that are new.
    """
    if not any(_is_candidate(inner) for node in function.body.nodes for block in node.blocks for inner in walk(block)):
        return function, frozenset()
    companions = _Companions(active_vars(function, active, useful))
    made = replace(function, body=replace(function.body, nodes=tuple(companions.inner(node) for node in function.body.nodes)))
    return made, frozenset(companions.made)


def _is_candidate(node: Node) -> bool:
    return isinstance(node, Equation) and node.primitive in _OTHER and not node.outs[0].type.shape and node.outs[0].type.dtype.kind == "f"


class _Companions:
    def __init__(self, active: set[Var]) -> None:
        self.active = active
        self.made: set[Node] = set()

    def block(self, block: Block) -> Block:
        there = {(node.primitive, node.ins) for node in block.nodes if isinstance(node, Equation) and _is_candidate(node)}
        nodes: list[Node] = []
        for node in block.nodes:
            if isinstance(node, Equation) and _is_candidate(node) and node.outs[0] in self.active:
                other = (_OTHER[node.primitive], node.ins)
                if other not in there:
                    there.add(other)
                    builder = new_builder()
                    builder.where = node.where
                    builder.equation(*other)
                    nodes += builder.nodes
                    self.made.update(builder.nodes)
            nodes.append(self.inner(node))
        return replace(block, nodes=tuple(nodes))

    def inner(self, node: Node) -> Node:
        match node:
            case For() | While():
                return replace(node, body=self.block(node.body))
            case If():
                return replace(node, then=self.block(node.then), orelse=self.block(node.orelse))
            case _:
                return node
