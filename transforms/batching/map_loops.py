"""A Map as the loop that fills its results one by one, which reverse mode knows how to run backwards and codegen how to write.

    y = Map(i in range(n): sin(x[i]))    ->    y = empty(n); for i in range(n): y[i] = sin(x[i])
"""
from __future__ import annotations

from dataclasses import replace

from s2s.transforms.ir.program import Atom, Block, For, Function, Map, Node, Var, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.indexing import At, Full, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty
from s2s.types import dim_atom, size_literal


def maps_as_loops(function: Function) -> Function:
    """The function without Maps of its own (those of functions that it calls stay)."""
    if not any(isinstance(node, Map) for node in walk(function.body)):
        return function
    return replace(function, body=_Loops(renew=False).block(function.body))


class _Loops(Substitution):
    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            done = self.node(node)
            nodes += _loop(done) if isinstance(done, Map) else [done]
        return Block(tuple(nodes), self.atoms(block.results))


def _loop(node: Map) -> list[Node]:
    """The allocations and the loop; its body's nodes may be the Map's own, which is gone."""
    before, body = new_builder(), new_builder()
    before.where = body.where = node.where
    body.nodes.extend(node.body.nodes)
    carry: list[Var] = []
    results: list[Atom] = []
    starts: list[Atom] = []
    for out, result in zip(node.outs, node.body.results, strict=True):
        starts += before.equation(empty, tuple(dim_atom(dim) for dim in out.type.shape), {"dtype": out.type.dtype}, name=out.name)
        current = Var(out.name, out.type)
        index = (At(inside=True), *(Full() for _ in result.type.shape))
        results += body.equation(setitem, (current, result, node.index), {"index": index}, name=out.name)
        carry.append(current)
    loop = For(node.outs, node.index, size_literal(0), node.size, size_literal(1), tuple(carry), tuple(starts), body.block(*results), node.where, reverse=False)
    return [*before.nodes, loop]
