"""A linear map in a program, asked for its matrix: the map along all unit vectors.

    (x_dot) -> y_dot       ->      for i in range(n):  J[:, i] = y_dot along the unit vector i

What does not depend on the direction is computed before; what comes of other directions is zero and is left out. Where the map is
products of matrices with vectors, all directions are run at once: J = A @ eye is a product of matrices, or no product at all (`unit_vectors`).
"""
from __future__ import annotations

from collections.abc import Sequence

from s2s.transforms.batching.examples import over_numbers
from s2s.transforms.derivatives import linear
from s2s.transforms.derivatives.activity import varied_from
from s2s.transforms.derivatives.unit_vectors import along_all, named
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Array, Atom, Block, Call, Check, Equation, Function, Node, Var, operands
from s2s.transforms.ir.rewrite import Substitution, inline
from s2s.transforms.primitives.arithmetic import add, sub
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.indexing import At, setitem
from s2s.transforms.primitives.opaque import opaque
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import NotYet
from s2s.transforms.primitives.structural import permuted, reshape, same_dims
from s2s.transforms.primitives.value import Value, zeros
from s2s.types import SIZE, Dim, dim_atom, literal, size_literal


class Directions:
    """`into`: atoms of the types of the directions; `of`: of what the map makes of them."""

    def __init__(self, builder: Builder, function: Function, residuals: tuple[Atom, ...], into: Sequence[Atom], of: Sequence[Atom]) -> None:
        self.builder, self.where = builder, function.where
        self.seeds = tuple(Var(f"{linear.name_of(atom)}_unit", atom.type.strong()) for atom in into)
        inner = new_builder()
        results = linear.outs_of(inner, function, (*residuals, *self.seeds))
        self.results = tuple(same_dims(Value(inner, result), Value(inner, like)).atom for result, like in zip(results, of, strict=True))
        self.nodes: list[Node] = []
        depend: set[Var] = set(self.seeds)
        straight = _Inlined()
        nodes = straight.block(Block(tuple(inner.nodes), self.results))
        self.results = nodes.results
        for node in nodes.nodes:
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
        found: tuple[Atom, ...] = ()
        if on and _is_batched(part.builder.nodes, seed, results):
            found = along_all(self.builder, seed, part.builder.nodes, results, columns=columns)
        if on and not found:
            found = _OneByOne(seed, part.builder.nodes, results, columns).matrices(self.builder)
        return [found[on.index(k)] if k in on else None for k in range(len(self.results))]


class _Inlined(Substitution):
    """Calls of straight-line helpers replaced by what they do: what of it does not depend on the direction then needs not be repeated."""

    def __init__(self) -> None:
        super().__init__(renew=False)

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            copied = self.node(node)
            if isinstance(copied, Call) and is_straight(copied.function):
                inner, results = inline(copied)
                outs = tuple(results.values())
                made = self.block(Block(inner, outs))
                nodes += made.nodes
                self.mapping.update(zip(node.outs, made.results, strict=True))
            else:
                nodes.append(copied)
        return Block(tuple(nodes), self.atoms(block.results))


def is_straight(function: Function) -> bool:
    """Whether a function has neither loops nor branches nor a rule, and neither have those that it calls."""
    straight = all(isinstance(node, Equation | Check) or isinstance(node, Call) and is_straight(node.function) for node in function.body.nodes)
    return straight and function.rule is None


class _Along:
    """The nodes of a linear map that matter along one of its directions: what comes of the others is zero, and is left out. Values that
    come of no direction (arrays that a reversed loop puts back) stay.
    """

    def __init__(self, nodes: Sequence[Node], seed: Var, others: set[Var]) -> None:
        self.reached = varied_from(nodes, [seed])
        self.zero = varied_from(nodes, others) - self.reached
        self.substitution = Substitution(renew=False)
        self.builder = new_builder()
        for node in nodes:
            if node.outs and self.zero.issuperset(node.outs):
                continue
            self.builder.where = node.where
            if not (isinstance(node, Equation) and node.primitive in (add, sub) and self.is_sum(node)):
                for var in self.zero & linear.read_by(node):
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


class _OneByOne:
    """A linear map along each unit vector of one direction: a batch of the numbers of the direction's elements."""

    def __init__(self, seed: Var, nodes: Sequence[Node], results: tuple[Atom, ...], columns: bool) -> None:
        self.seed, self.nodes, self.results, self.columns = seed, nodes, results, columns
        self.dims = seed.type.shape

    def matrices(self, builder: Builder) -> tuple[Atom, ...]:
        """The matrices; a direction that is known to have one element needs no batch."""
        axes = [axis for axis, dim in enumerate(self.dims) if dim != 1]
        before = len(builder.nodes)
        found = self.batch(builder, axes, {})
        made = tuple(self.placed(Value(builder, each), like).atom for each, like in zip(found, self.results, strict=True))
        if self.dims:
            named(builder, before, made)
        return made

    def batch(self, builder: Builder, axes: list[int], positions: dict[int, Var]) -> tuple[Atom, ...]:
        """The results for all positions along these axes, which are their first ones."""
        if not axes:
            places = tuple(positions.get(axis, size_literal(0)) for axis in range(len(self.dims))) if positions else ()
            return self.along(builder, zeros_but_one(builder, self.seed.type, places))
        number, size = Var("col" if self.columns else "row", SIZE), self.dims[axes[0]]
        inner = builder.inside()
        inner.where = builder.where
        results = self.batch(inner, axes[1:], {**positions, axes[0]: number})
        found = over_numbers(builder, number, inner.block(*results), size)
        return tuple(repeated(Value(builder, each.atom), size).atom if each.axis is None else each.atom for each in found)

    def along(self, builder: Builder, unit: Atom) -> tuple[Atom, ...]:
        """The map along one unit vector."""
        copied = Substitution({self.seed: unit})
        builder.nodes.extend(copied.node(node) for node in self.nodes)
        return copied.atoms(self.results)

    def placed(self, found: Value, like: Atom) -> Value:
        """A matrix with the axes of the direction, those of length 1 too, where they belong."""
        ndim, own = len(self.dims), like.type.ndim
        if found.ndim < ndim + own:
            found = reshape(found, *(Value(found.builder, dim_atom(dim)) for dim in (*self.dims, *like.type.shape)))
        return permuted(found, (*range(ndim, ndim + own), *range(ndim))) if self.columns else found


def repeated(value: Value, size: Dim) -> Value:
    """A value that is the same along a new first axis."""
    return value.broadcast_to((size, *value.shape), tuple(range(1, value.ndim + 1)))


def _is_batched(nodes: Sequence[Node], seed: Var, results: tuple[Atom, ...]) -> bool:
    """Whether all directions are run at once: the map is straight-line code in which all that depends on the direction are vectors and
    scalars (of results, whatever is stored in the matrix anyway), and a matrix is multiplied with such a vector. All directions together
    are then about as large as such matrices and the result, and a product of matrices is many times faster than as many with a vector.
    """
    depend: set[Atom] = {seed}
    products = False
    if seed.type.ndim != 1 or seed.type.shape[0] == 1 or seed in results:
        return False
    for node in nodes:
        if not isinstance(node, Equation) or isinstance(node.primitive.batch, NotYet) or node.primitive is opaque:
            return False
        on = [atom in depend for atom in node.ins]
        if not any(on):
            continue
        depend.update(node.outs)
        products |= node.primitive is contract and any(not is_on and atom.type.ndim > 1 for is_on, atom in zip(on, node.ins, strict=True))
    read = {atom for node in nodes for atom in operands(node)}
    return products and all(atom.type.ndim <= 1 or atom in results and atom not in read for atom in depend)


def zeros_but_one(builder: Builder, type_: Array, positions: tuple[Atom, ...]) -> Atom:
    """An array of zeros with a 1 at these positions; without positions of ones (of which there is one)."""
    one = literal(1, type_.dtype)
    if not positions:
        return Value(builder, one).broadcast_to(type_.shape, ()).atom
    into = zeros(builder, type_).atom
    return builder.equation(setitem, (into, one, *positions), {"index": (At(inside=True),) * len(positions)}, name="unit")[0]
