"""Results whose sizes each example computes, where they are slices of what has one size for all examples: a batch has them whole.

    y = found[:, :count]; return y    ->    count == n or ValueError; y = found[:, :n]; return y

How many of the times that it is asked for a solver reaches only the run knows, and it is nearly always all of them. The results of all examples
are one array, so that each of them is whole, or the call fails as np.stack of them would.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Equation, Node, Var
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.index import Full, Span
from s2s.transforms.primitives.indexing import getitem
from s2s.types import Dim, dim_atom

_UNEQUAL = "a batch, one of whose examples returns {} of {} elements along an axis: the results of all examples are one array"


def with_whole_slices(builder: Builder, nodes: Sequence[Node], results: tuple[Atom, ...], varied: AbstractSet[Atom]) -> Block:
    """The nodes of one example, the slices that give results their sizes whole."""
    wanted = {dim for result in results for dim in result.type.shape if dim in varied}
    inner, settled = builder.inside(), Substitution(renew=False)
    for node in nodes:
        for length, whole in _lengths(node, wanted, varied):
            if length not in settled.mapping:
                with inner.at(node.where):
                    inner.check(inner.equation(equal, (length, whole))[0], "ValueError", _UNEQUAL, length, whole)
                settled.mapping[length] = whole
        inner.add(settled.node(node))
    return inner.block(*settled.atoms(results))


def _lengths(node: Node, wanted: AbstractSet[Dim], varied: AbstractSet[Atom]) -> Iterator[tuple[Var, Atom]]:
    """The wanted lengths of what a slice gives, from the first element on, and what they would be of the whole axis, where all examples share that."""
    if not isinstance(node, Equation) or node.primitive is not getitem or not all(isinstance(item, Full | Span) for item in node.params["index"]):
        return
    starts = iter(node.ins[1:])
    for item, length, whole in zip(node.params["index"], node.outs[0].type.shape, node.ins[0].type.shape, strict=False):
        if isinstance(item, Span):
            start, _ = next(starts), next(starts)
            if isinstance(length, Var) and length in wanted and whole not in varied and item.step == 1 and getattr(start, "value", None) == 0:
                yield length, dim_atom(whole)
