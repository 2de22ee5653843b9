"""Tangents that are known to be zero, taken out of a rule that was written for all of them.

    y_dot = x_dot @ b + a @ b_dot      with x_dot = 0   ->   y_dot = a @ b_dot
"""
from __future__ import annotations

from contextlib import suppress

from s2s.errors import ArgumentTypeError
from s2s.transforms.derivatives.linearity import Kind, kinds_in
from s2s.transforms.ir.program import Atom, Block, Equation, Node, Var, free_vars, operands
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.arithmetic import add, neg, sub
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import empty
from s2s.transforms.primitives.value import Value, zeros
from s2s.types import is_float


def without_zeros(block: Block, zero: tuple[Var, ...], linear: tuple[Var, ...]) -> Block:
    """The block for `zero` being zeros. What is computed from them by its straight-line code is left out where it is linear in all
    tangents; elsewhere, and in a block that is not linear in them, they are arrays of zeros.
    """
    if not zero:
        return block
    kinds: dict[Var, Kind] = {}
    with suppress(ArgumentTypeError):  # forward mode does not ask for a linear rule
        kinds = kinds_in(block, {**dict.fromkeys(zero, Kind.ZERO), **dict.fromkeys(linear, Kind.LINEAR)})
    return _Rewrite(zero, kinds).block(block)


class _Rewrite:
    def __init__(self, zero: tuple[Var, ...], kinds: dict[Var, Kind]) -> None:
        self.zero, self.kinds = set(zero), kinds
        self.builder = new_builder()
        self.substitution = Substitution(renew=False)

    def block(self, block: Block) -> Block:
        for node in block.nodes:
            with self.builder.at(node.where):
                self.node(node)
        self.written(block.results)
        return self.builder.block(*self.substitution.atoms(block.results))

    def node(self, node: Node) -> None:
        if isinstance(node, Equation):
            is_zero = all(self.kinds.get(out) is Kind.ZERO and is_float(out.type.dtype) for out in node.outs)
            if is_zero and node.primitive is not empty:  # new storage counts as zero, too
                self.zero.update(node.outs)
                return
            if node.primitive in (add, sub) and any(atom in self.zero for atom in node.ins):
                (one, other), (out,) = node.ins, node.outs
                kept = self.substitution.atom(one if other in self.zero else other)
                negative = node.primitive is sub and other not in self.zero
                self.substitution.mapping[out] = neg(Value(self.builder, kept)).atom if negative else kept
                return
        self.written((*operands(node), *(var for inner in node.blocks for var in free_vars(inner))))
        self.builder.add(self.substitution.node(node))

    def written(self, atoms: tuple[Atom, ...]) -> None:
        """Make zeros of those of these atoms that are."""
        for atom in atoms:
            if isinstance(atom, Var) and atom in self.zero and atom not in self.substitution.mapping:
                self.substitution.mapping[atom] = zeros(self.builder, self.substitution.type(atom.type)).atom
