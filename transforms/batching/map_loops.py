"""A Map as the loop that fills its results one by one, which reverse mode knows how to run backwards and codegen how to write.

    y = Map(i in range(n): sin(x[i]))                    ->    y = empty(n); for i in range(n): y[i] = sin(x[i])
    y = Map(i in range(n): x[i] * w); z = transpose(y)   ->    z = empty(m, n); for i in range(n): z[:, i] = x[i] * w       y is read by nobody else
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.batching.apart import reads
from s2s.transforms.ir.program import Atom, Block, Equation, For, Function, Map, Node, Var, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.indexing import At, Full, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty, permuted, transpose
from s2s.transforms.primitives.value import Value
from s2s.types import dim_atom, size_literal


def maps_as_loops(function: Function) -> Function:
    """The function without Maps of its own (those of functions that it calls stay)."""
    if not any(isinstance(node, Map) for node in walk(function.body)):
        return function
    return replace(function, body=_Loops(renew=False).block(function.body))


class _Loops(Substitution):
    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        turned = _turned(block)
        gone = set(turned.values())
        for node in block.nodes:
            if node in gone:
                continue
            if isinstance(node, Map):
                nodes += map(self.node, _loop(node, turned))  # outer loops first: which way their results turn, the inner ones' do, too
            else:
                nodes.append(self.node(node))
        return Block(tuple(nodes), self.atoms(block.results))


def _turned(block: Block) -> dict[Var, Equation]:
    """The results of Maps that nobody reads but a transpose, and that."""
    made = {out for node in block.nodes if isinstance(node, Map) for out in node.outs}
    readers: dict[Atom, list[Node]] = {}
    for node in block.nodes if made else ():
        for atom in reads(node) & made:
            readers.setdefault(atom, []).append(node)
    found = {}
    for out in made.difference(block.results):
        only = readers.get(out, [])
        if len(only) == 1 and isinstance(only[0], Equation) and only[0].primitive is transpose:
            found[out] = only[0]
    return found


def _loop(node: Map, turned: dict[Var, Equation]) -> list[Node]:
    """The allocations and the loop; its body's nodes may be the Map's own, which is gone."""
    before, body = new_builder(), new_builder()
    before.where = body.where = node.where
    body.nodes.extend(node.body.nodes)
    outs: list[Var] = []
    carry: list[Var] = []
    results: list[Atom] = []
    starts: list[Atom] = []
    for each, result in zip(node.outs, node.body.results, strict=True):
        axes = turned[each].params["axes"] if each in turned else tuple(range(each.type.ndim))
        out = turned[each].outs[0] if each in turned else each
        starts += before.equation(empty, tuple(dim_atom(dim) for dim in out.type.shape), {"dtype": out.type.dtype}, name=out.name)
        current = Var(out.name, out.type)
        place = axes.index(0)
        index = (*(Full(),) * place, At(inside=True), *(Full(),) * (len(axes) - place - 1))
        value = permuted(Value(body, result), tuple(axis - 1 for axis in axes if axis))
        results += body.equation(setitem, (current, value.atom, node.index), {"index": index}, name=out.name)
        carry.append(current)
        outs.append(out)
    loop = For(tuple(outs), node.index, size_literal(0), node.size, size_literal(1), tuple(carry), tuple(starts), body.block(*results), node.where, reverse=False)
    return [*before.nodes, loop]
