"""Sums and products of many float16 numbers are made in float32 and rounded once, as NumPy's are along an axis that lies in order, and JAX's.

    s = reduce_sum(x)    ->    s = convert(reduce_sum(convert(x; float32)); float16)
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.ir.program import Block, Equation, Function, Node, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.reductions import reduce_prod, reduce_sum
from s2s.transforms.primitives.value import Value
from s2s.types import FLOAT16, FLOAT32, Var

_SUMS = frozenset({reduce_sum, reduce_prod, contract})


def _is_half_sum(node: Node) -> bool:
    return isinstance(node, Equation) and node.primitive in _SUMS and node.outs[0].type.dtype == FLOAT16


def half_sums_in_single(function: Function) -> Function:
    """The function with such sums in float32 (those of functions that it calls stay)."""
    if not any(map(_is_half_sum, walk(function.body))):
        return function
    return replace(function, body=_InSingle(renew=False).block(function.body))


class _InSingle(Substitution):
    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            nodes += self._widened(node) if _is_half_sum(node) else [self.node(node)]  # type: ignore[arg-type]
        return Block(tuple(nodes), self.atoms(block.results))

    def _widened(self, node: Equation) -> list[Node]:
        """The equations that stand for a sum; the last one defines what it defined."""
        builder, (out,) = new_builder(), node.outs
        builder.where = node.where
        wide = [convert(Value(builder, atom), dtype=FLOAT32) if atom.type.dtype == FLOAT16 else Value(builder, atom) for atom in self.atoms(node.ins)]
        total = node.primitive(*wide, **node.params).atom
        total_type = replace(self.type(out.type), dtype=FLOAT32)
        made = Var(out.name, total_type)
        *before, last = builder.nodes
        assert isinstance(last, Equation) and last.outs == (total,)
        narrowed = replace(last, outs=(out,), primitive=convert, ins=(made,), params={"dtype": FLOAT16})
        return [*before, replace(last, outs=(made,)), narrowed]
