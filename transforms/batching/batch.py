"""Batching of straight-line code: equations for one example become equations for many of them, along a new leading axis.

    y = A @ x; z = y * c           ->         y = x @ A.T  (n rows);  z = y * c  (c repeated)

Batchedness is inferred: a value that depends on no batched one stays as it is, and is computed once. Each primitive's row says how it
is batched. Loops and branches are batched as they stand, in a `Map` (`examples.py`).
"""
from __future__ import annotations

from s2s.records import dataclass
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Array, Atom, Equation, Var
from s2s.transforms.primitives.row import NotYet
from s2s.transforms.primitives.value import Value
from s2s.types import Dim, atom_dim, dim_atom


@dataclass(frozen=True)
class Batched:
    """What stands for an atom of the program in the batched one: the same for all examples, or with a leading axis."""

    atom: Atom
    batched: bool


class Batch:
    """The batched equations of a block. `now`: what stands for the Vars of the program."""

    def __init__(self, builder: Builder, size: Dim) -> None:
        self.builder, self.size = builder, size
        self.now: dict[Var, Batched] = {}

    def atom(self, atom: Atom) -> Batched:
        """What stands for an atom."""
        same = Batched(atom, batched=False)
        return self.now.get(atom, same) if isinstance(atom, Var) else same

    def equation(self, node: Equation) -> None:
        """Append what stands for an equation whose row can be batched."""
        ins = [self.atom(atom) for atom in node.ins]
        values = tuple(Value(self.builder, each.atom) for each in ins)
        batched = tuple(each.batched for each in ins)
        if not any(batched):
            self._copied(node, values)
            return
        rule = node.primitive.batch
        assert not isinstance(rule, NotYet), node.primitive.name
        outs, on = rule(node.primitive, values, batched, Value(self.builder, dim_atom(self.size)), **node.params)
        for out, made, is_on in zip(node.outs, outs, on, strict=True):
            self._named(out, made)
            self.now[out] = Batched(made.atom, is_on)

    def _copied(self, node: Equation, values: tuple[Value, ...]) -> None:
        outs = tuple(Var(out.name, self._type(out.type)) for out in node.outs)
        self.now.update((old, Batched(new, batched=False)) for old, new in zip(node.outs, outs, strict=True))
        self.builder.add(Equation(outs, node.primitive, tuple(value.atom for value in values), node.params, node.where))

    def _type(self, type_: Array) -> Array:
        """The type of what stands for a value that is the same for all examples."""
        return Array(type_.dtype, tuple(atom_dim(self.atom(dim).atom) if isinstance(dim, Var) else dim for dim in type_.shape), type_.weak)

    def _named(self, out: Var, made: Value) -> None:
        if isinstance(made.atom, Var) and self.builder.nodes and made.atom in self.builder.nodes[-1].outs:
            made.atom.name = out.name


__all__ = ["Batch", "Batched"]
