"""What stands at the bounds of derivatives that are taken inside of a shard_map (`derivatives/shared.py`), where it is known what all examples share.

    tied(x_bar, x)        psum(x_bar) where x is the same for all, else x_bar
    shared_out(y_bar, y)  y_bar / size where y is the same for all, else y_bar
"""
from __future__ import annotations

from s2s.transforms.batching.meetings import BOUNDS, LIKE, Flow
from s2s.transforms.ir.program import Atom, Block, Equation
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives import collectives
from s2s.transforms.primitives.conversion import converted
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value
from s2s.types import Dim, dim_atom


class Settled(Substitution):
    """A block without bounds over the examples' axis. `flow`: what differs in it."""

    def __init__(self, flow: Flow, size: Dim) -> None:
        super().__init__(renew=False)
        self.flow, self.size = flow, size

    def block(self, block: Block) -> Block:
        builder = new_builder()
        for node in block.nodes:
            done = self.node(node)
            if not self.flow.is_ours(node) or node.primitive not in BOUNDS:
                builder.add(done)
                continue
            assert isinstance(done, Equation)
            with builder.at(node.where):
                self.mapping[node.outs[0]] = self.mapping[done.outs[0]] = self.settled(node, Value(builder, done.ins[0]))
        return builder.block(*self.atoms(block.results))

    def settled(self, node: Equation, value: Value) -> Atom:
        """What stands for a bound; what belongs to a variable of each example counts as different."""
        if node.ins[1] in self.flow.varied:
            return collectives.varied(value, axis=node.params["axis"]).atom if node.primitive in LIKE else value.atom
        if node.primitive is collectives.tied:
            return collectives.psum(value, axis=node.params["axis"], groups=None).atom
        if node.primitive is collectives.shared_out:
            count = converted(Value(value.builder, dim_atom(self.size)), value.dtype)
            return (value / count.broadcast_to(value.shape, ())).atom
        return value.atom


__all__ = ["Settled"]
