"""A linear map along all unit vectors of a vector at once: their matrix is the identity, and is not built where that can be avoided.

    c * x_dot   ->   the diagonal c           A @ x_dot   ->   A.T           A @ (c * x_dot)   ->   c[:, None] * A.T
"""
from __future__ import annotations

from collections.abc import Sequence

from s2s.transforms.batching.batch import Batch, Batched
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Equation, Node, Var
from s2s.transforms.primitives.arithmetic import add, div, mul, neg, select, sub
from s2s.transforms.primitives.contract import contract, letters
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.structural import broadcast, copy, iota, permuted, retype
from s2s.transforms.primitives.value import Value
from s2s.types import Literal, dim_atom, literal


def along_all(builder: Builder, seed: Var, nodes: Sequence[Node], results: tuple[Atom, ...], *, columns: bool) -> tuple[Atom, ...]:
    """The results along all unit vectors of `seed`, one after the other on the first axis, or the last one with `columns`. () if the
    identity would have to be built and no result is as large.
    """
    before = len(builder.nodes)
    units = _UnitVectors(builder, seed, nodes)
    made = [units.full(result) for result in results]
    if units.wrote_diagonal and not any(seed.type.shape[0] in result.type.shape for result in results):
        del builder.nodes[before:]
        return ()
    values = [Value(builder, atom) for atom in made]
    found = tuple((permuted(value, (*range(1, value.ndim), 0)) if columns else value).atom for value in values)
    named(builder, before, found)
    return found


def named(builder: Builder, before: int, matrices: Sequence[Atom]) -> None:
    """Call those matrices Jacobians that have been appended since there were so many nodes."""
    written = {out for node in builder.nodes[before:] for out in node.outs}
    for atom in matrices:
        if isinstance(atom, Var) and atom in written:
            atom.name = "jac"


class _UnitVectors:
    """`diagonal`: the Vars that are diagonal matrices, one row for each unit vector, and what stands on the diagonal."""

    def __init__(self, builder: Builder, seed: Var, nodes: Sequence[Node]) -> None:
        self.builder, self.seed = builder, seed
        self.wrote_diagonal = False
        self.batch = Batch(builder, seed.type.shape[0])
        one = Value(builder, literal(1, seed.type.dtype))
        self.diagonal: dict[Atom, Value] = {seed: one.broadcast_to(seed.type.shape, ())}
        for node in nodes:
            assert isinstance(node, Equation)
            with builder.at(node.where):
                self.node(node)

    def node(self, node: Equation) -> None:
        on = [atom in self.diagonal for atom in node.ins]
        out = node.outs[0]
        if any(on):
            diagonal = self.still_diagonal(node, on)
            if diagonal is not None:
                self.diagonal[out] = diagonal
                return
            rows = self.rows(node, on)
            if rows is not None:
                self.batch.now[out] = Batched(self.with_size(rows).atom, batched=True)
                return
        for atom in node.ins:
            self.full(atom)
        self.batch.equation(node)

    def value(self, atom: Atom) -> Value | None:
        """What stands on the diagonal, or the value that is the same for all unit vectors; None if it differs in another way."""
        if atom in self.diagonal:
            return self.diagonal[atom]
        found = self.batch.atom(atom)
        return None if found.batched else Value(self.builder, found.atom)

    def still_diagonal(self, node: Equation, on: list[bool]) -> Value | None:
        """What stands on the diagonal of the out, where it is diagonal too."""
        values = [self.value(atom) for atom in node.ins]
        if any(value is None for value in values):
            return None
        known = [value for value in values if value is not None]
        both = all(on)
        if node.primitive in (neg, copy) or node.primitive in (add, sub) and both:
            return node.primitive(*known)
        if node.primitive is mul and not both or node.primitive is div and on == [True, False] or node.primitive is retype:
            return node.primitive(*known)
        if node.primitive is select and not on[0] and all(is_on or self.is_zero(value) for is_on, value in zip(on[1:], known[1:], strict=True)):
            return node.primitive(*known)
        multiplies = node.primitive is contract and not both and len(set(letters(node.params["spec"]))) == 1
        return known[0] * known[1] if multiplies else None

    def is_zero(self, value: Value) -> bool:
        made = (node for node in self.builder.nodes if value.atom in node.outs)
        return any(isinstance(node, Equation) and node.primitive is broadcast and isinstance(node.ins[0], Literal) and not node.ins[0].value for node in made)

    def rows(self, node: Equation, on: list[bool]) -> Value | None:
        """The out, one row for each unit vector, where it takes no product of matrices."""
        if node.primitive is reduce_sum and node.params["axes"] == (0,):
            return self.diagonal[node.ins[0]]
        if node.primitive is not contract or all(on):
            return None
        first, second, result = letters(node.params["spec"])
        matrix, own, letter = (node.ins[1], second, first) if on[0] else (node.ins[0], first, second)
        given = self.batch.atom(matrix)
        if given.batched or letter in result or sorted(own) != sorted(letter + result):
            return None
        turned = permuted(Value(self.builder, given.atom), tuple(own.index(each) for each in letter + result))
        scale = self.diagonal[node.ins[0] if on[0] else node.ins[1]]
        return turned * scale.broadcast_to(turned.shape, (0,))

    def with_size(self, rows: Value) -> Value:
        """The rows, whose number is known under the seed's name."""
        size = self.seed.type.shape[0]
        return rows if rows.shape[0] == size else retype(rows, Value(self.builder, dim_atom(size)), *rows.dims()[1:])

    def full(self, atom: Atom) -> Atom:
        """What stands for an atom, one row for each unit vector where it differs; a diagonal is written out."""
        if atom in self.diagonal and atom not in self.batch.now:
            assert isinstance(atom, Var)
            self.wrote_diagonal = True
            self.batch.now[atom] = Batched(self.written(self.diagonal[atom]).atom, batched=True)
        return self.batch.atom(atom).atom

    def written(self, diagonal: Value) -> Value:
        rows, columns = Value(self.builder, dim_atom(self.seed.type.shape[0])), diagonal.dim(0)
        number, position = broadcast(iota(rows), rows, columns, axes=(0,)), broadcast(iota(columns), rows, columns, axes=(1,))
        return number.equals(position).where(broadcast(diagonal, rows, columns, axes=(1,)), 0)
