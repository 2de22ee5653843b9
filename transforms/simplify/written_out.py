"""Rows that say what they are made of (`row.Written`) give way to that: no target has a lowering of its own for them.

    y = mirrored(x)    ->    y = getitem(x, n - 1, n; index=(Span(step=-1),))
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.ir.program import Block, Equation, Function, Node, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Written
from s2s.transforms.primitives.structural import retype
from s2s.transforms.primitives.value import Value
from s2s.types import dim_atom


def rows_written_out(function: Function) -> Function:
    """The function without such rows (those of functions that it calls stay)."""
    if not any(isinstance(node, Equation) and isinstance(node.primitive.emission, Written) for node in walk(function.body)):
        return function
    return replace(function, body=_WrittenOut(renew=False).block(function.body))


class _WrittenOut(Substitution):
    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            written = isinstance(node, Equation) and isinstance(node.primitive.emission, Written)
            nodes += self._written(node) if written else [self.node(node)]  # type: ignore[arg-type]
        return Block(tuple(nodes), self.atoms(block.results))

    def _written(self, node: Equation) -> list[Node]:
        """The equations that stand for one; what it made has its own type, whatever sizes they computed."""
        builder, emission, (out,) = new_builder(), node.primitive.emission, node.outs
        assert isinstance(emission, Written)
        builder.where = node.where
        made = emission.of(*(Value(builder, atom) for atom in self.atoms(node.ins)), **node.params)
        shape = self.type(out.type).shape
        if made.type.shape != shape:
            made = retype(made, *(Value(builder, dim_atom(dim)) for dim in shape))
        self.mapping[out] = made.atom
        return list(builder.nodes)
