"""A linear map in a program, asked for its matrix: the map along all unit vectors.

    (x_dot) -> y_dot       ->      for i in range(n):  J[:, i] = y_dot along the unit vector i

What does not depend on the direction is computed before; what comes of other directions is zero and is left out.
"""
from __future__ import annotations

from collections.abc import Sequence

from s2s.transforms import linear
from s2s.transforms.build import Builder
from s2s.transforms.primitives.arithmetic import add, neg, sub
from s2s.transforms.primitives.indexing import At, Full, setitem
from s2s.transforms.primitives.structural import empty, reshape, same_dims
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.program import Array, Atom, Equation, For, Function, Node, Var
from s2s.transforms.rewrite import Substitution
from s2s.types import SIZE, Dim, dim_atom, literal, size_literal


class Directions:
    """`into`: atoms of the types of the directions; `of`: of what the map makes of them."""

    def __init__(self, builder: Builder, function: Function, residuals: tuple[Atom, ...], into: Sequence[Atom], of: Sequence[Atom]) -> None:
        self.builder, self.where = builder, function.where
        self.seeds = tuple(Var(f"{linear.name_of(atom)}_unit", atom.type.strong()) for atom in into)
        inner = Builder()
        results = linear.outs_of(inner, function, (*residuals, *self.seeds))
        self.results = tuple(same_dims(Value(inner, result), Value(inner, like)).atom for result, like in zip(results, of, strict=True))
        self.nodes: list[Node] = []
        depend: set[Var] = set(self.seeds)
        for node in inner.nodes:
            if linear.reads_any(node, depend):
                self.nodes.append(node)
                depend.update(node.outs)
            else:
                builder.add(node)

    def matrices(self, number: int, *, columns: bool) -> list[Atom | None]:
        """The matrix of each result with respect to direction `number`: its axes are the direction's, then the result's, or with
        `columns` the other way round. None where it is zero.
        """
        seed = self.seeds[number]
        others = {other for other in self.seeds if other is not seed}
        part = _Along(self.nodes, seed, others)
        on = [k for k, result in enumerate(self.results) if result in part.reached]
        results = tuple(part.substitution.atom(self.results[k]) for k in on)
        found = _Loop(seed, part.builder.nodes, results, columns).matrices(self.builder) if on else ()
        return [found[on.index(k)] if k in on else None for k in range(len(self.results))]


class _Along:
    """The nodes of a linear map that matter along one of its directions; what comes of the others is zero."""

    def __init__(self, nodes: Sequence[Node], seed: Var, others: set[Var]) -> None:
        self.reached: set[Atom] = {seed}
        self.zero: set[Var] = set(others)
        self.substitution = Substitution(renew=False)
        self.builder = Builder()
        for node in nodes:
            read = linear.read_by(node)
            if not read & self.reached:
                self.zero.update(node.outs)
                continue
            self.reached.update(node.outs)
            self.builder.where = node.where
            if not (isinstance(node, Equation) and node.primitive in (add, sub) and self.is_sum(node)):
                for var in read & self.zero:
                    self.substitution.mapping.setdefault(var, zeros(self.builder, self.substitution.type(var.type)).atom)
                self.builder.add(self.substitution.node(node))

    def is_sum(self, node: Equation) -> bool:
        """Whether a sum or difference has a zero, and is the other term."""
        first, second = node.ins
        if first not in self.zero and second not in self.zero:
            return False
        kept = Value(self.builder, self.substitution.atom(second if first in self.zero else first))
        self.substitution.mapping[node.outs[0]] = (-kept if node.primitive is sub and first in self.zero else kept).atom
        return True


class _Loop:
    """A loop over the elements of one direction."""

    def __init__(self, seed: Var, nodes: Sequence[Node], results: tuple[Atom, ...], columns: bool) -> None:
        self.seed, self.nodes, self.results, self.columns = seed, nodes, results, columns
        self.dims = seed.type.shape

    def matrices(self, builder: Builder) -> tuple[Atom, ...]:
        """The matrices; a direction that is known to have one element needs no loop."""
        axes = [axis for axis, dim in enumerate(self.dims) if dim != 1]
        if not axes:
            found = self.along(builder, zeros_but_one(builder, self.seed.type, ()))
            return tuple(self.with_axes(builder, result) for result in found)
        starts = tuple(self.unwritten(builder, result) for result in self.results)
        return self.nest(builder, axes, {}, starts)

    def nest(self, builder: Builder, axes: list[int], positions: dict[int, Var], starts: tuple[Atom, ...]) -> tuple[Atom, ...]:
        if not axes:
            return self.stored(builder, tuple(positions.get(axis, size_literal(0)) for axis in range(len(self.dims))), starts)
        index = Var("col" if self.columns else "row", SIZE)
        carry = tuple(Var(linear.name_of(atom), atom.type) for atom in starts)
        inner = builder.inside()
        results = self.nest(inner, axes[1:], {**positions, axes[0]: index}, carry)
        outs = tuple(Var(var.name, var.type) for var in carry)
        hi = dim_atom(self.dims[axes[0]])
        builder.add(For(outs, index, size_literal(0), hi, size_literal(1), carry, starts, inner.block(*results), builder.where))
        return outs

    def stored(self, builder: Builder, positions: tuple[Atom, ...], starts: tuple[Atom, ...]) -> tuple[Atom, ...]:
        """One row or column of each matrix."""
        found = self.along(builder, zeros_but_one(builder, self.seed.type, positions))
        here = (At(inside=True),) * len(positions)
        made = []
        for start, result in zip(starts, found, strict=True):
            rest = (Full(),) * result.type.ndim
            index = (*rest, *here) if self.columns else (*here, *rest)
            made += builder.equation(setitem, (start, result, *positions), {"index": index}, name=linear.name_of(start))
        return tuple(made)

    def along(self, builder: Builder, unit: Atom) -> tuple[Atom, ...]:
        """The map along one unit vector."""
        copied = Substitution({self.seed: unit})
        builder.nodes.extend(copied.node(node) for node in self.nodes)
        return copied.atoms(self.results)

    def shape(self, result: Atom) -> tuple[Dim, ...]:
        return (*result.type.shape, *self.dims) if self.columns else (*self.dims, *result.type.shape)

    def unwritten(self, builder: Builder, result: Atom) -> Atom:
        dims = tuple(dim_atom(dim) for dim in self.shape(result))
        return builder.equation(empty, dims, {"dtype": result.type.dtype}, name="jac")[0]

    def with_axes(self, builder: Builder, result: Atom) -> Atom:
        if not self.dims:
            return result
        return builder.equation(reshape, (result, *(dim_atom(dim) for dim in self.shape(result))), name="jac")[0]


def zeros_but_one(builder: Builder, type_: Array, positions: tuple[Atom, ...]) -> Atom:
    """An array of zeros with a 1 at these positions; without positions of ones (of which there is one)."""
    one = literal(1, type_.dtype)
    if not positions:
        return Value(builder, one).broadcast_to(type_.shape, ()).atom
    into = zeros(builder, type_).atom
    return builder.equation(setitem, (into, one, *positions), {"index": (At(inside=True),) * len(positions)}, name="unit")[0]
