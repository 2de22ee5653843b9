"""A function of one example as a Map over the examples: each runs its own way through branches and loops.

    def f(x, w):                       c = sum(w)                      what is the same for all examples, once
        c = sum(w)              ->     map i in range(size):
        while x > c: x = x * 0.5           x_i = x[i]
        return x                           while x_i > c: x_i = x_i * 0.5
                                           yield x_i
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from s2s.errors import UnknownSizeError
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Call, Check, Equation, Function, Map, Node, Var, blocks, dims_of, free_vars, operands
from s2s.transforms.ir.rewrite import Substitution, call, inline
from s2s.transforms.primitives.indexing import At, Full, getitem
from s2s.transforms.primitives.row import Cost
from s2s.transforms.primitives.structural import broadcast, copy, empty
from s2s.types import SIZE, Array, Dim, dim_atom, is_size


@dataclass(frozen=True)
class Mapped:
    """What stands for a value of the function: the same for all examples (`axis` is None), or an array with an axis of them."""

    atom: Atom
    axis: int | None


def over_examples(builder: Builder, function: Function, ins: Sequence[Mapped], size: Dim) -> list[Mapped]:
    """Append what computes the function for `size` examples; its results, those that differ with the examples' axis in front.

    Raises
    ------
    UnknownSizeError
        At the user's line: the shape of a result differs from example to example.
    """
    body = _body(function)
    substitution = Substitution()
    for param, each in zip(function.params, ins, strict=True):
        _bind(substitution, param, each)
    parted = _Parted(body, [param for param, each in zip(function.params, ins, strict=True) if each.axis is not None])
    for node in parted.shared:
        builder.add(substitution.node(node))
    varied = [result for result in dict.fromkeys(parted.results) if result in parted.varied]
    places: dict[Atom, int] = {result: number for number, result in enumerate(varied)}
    for result in varied:
        parted.check_shape(result, function)
    outs: tuple[Var, ...] = ()
    if varied or any(isinstance(node, Check) for node in parted.own):
        outs = _map(builder, function, ins, size, Block(tuple(parted.own), tuple(varied)), substitution)
    return [Mapped(outs[places[result]], 0) if result in places else Mapped(substitution.atom(result), None) for result in parted.results]


def _body(function: Function) -> Block:
    """What the function does; one with a rule is called, so that its rule holds for each example."""
    if function.rule is None:
        return function.body
    made = call(function, function.params, tuple(getattr(result, "name", "out") for result in function.body.results), function.where)
    return Block((made,), made.outs)


def _bind(substitution: Substitution, param: Var, given: Mapped) -> None:
    """What stands for the param's sizes, and for itself if it is no example's."""
    shape = given.atom.type.shape
    if given.axis is None:
        substitution.mapping[param] = given.atom
    else:
        shape = (*shape[: given.axis], *shape[given.axis + 1 :])
    for dim, actual in zip(param.type.shape, shape, strict=True):
        if isinstance(dim, Var):
            substitution.mapping.setdefault(dim, dim_atom(actual))


def _map(builder: Builder, function: Function, ins: Sequence[Mapped], size: Dim, block: Block, outside: Substitution) -> tuple[Var, ...]:
    index = Var("", SIZE)
    inner = builder.inside()
    inner.where = function.where
    substitution = _OfExample(index, outside.mapping)
    read = free_vars(block)
    for param, each in zip(function.params, ins, strict=True):
        if each.axis is not None and param in read:
            places = (*(Full(),) * each.axis, At(inside=True), *(Full(),) * (param.type.ndim - each.axis))
            (substitution.mapping[param],) = inner.equation(getitem, (each.atom, index), {"index": places}, name=param.name)
    for node in block.nodes:
        inner.add(substitution.node(node))
    outs = tuple(Var(result.name, _stacked(outside.type(result.type), size)) for result in block.results if isinstance(result, Var))
    builder.add(Map(outs, index, dim_atom(size), inner.block(*substitution.atoms(block.results)), function.where))
    return outs


def _stacked(type_: Array, size: Dim) -> Array:
    return Array(type_.dtype, (size, *type_.shape))


class _OfExample(Substitution):
    """The nodes of one example: its checks say which one it is."""

    def __init__(self, index: Var, mapping: dict[Var, Atom]) -> None:
        super().__init__(mapping)
        self.index = index

    def node(self, node: Node) -> Node:
        made = super().node(node)
        if isinstance(made, Check) and not made.stretch and not made.late:
            return replace(made, message=made.message + " (example {} of the batch)", values=(*made.values, self.index))
        return made


# ---- what differs from example to example -------------------------------------------------------------------------------


class _Parted:
    """A block's nodes: `own`, those that depend on the example, and `shared`, those that don't. Memory that nobody outside reads is each example's own.
    `results`: of the block, by what computes them here.
    """

    def __init__(self, block: Block, params: Iterable[Var]) -> None:
        self.varied: set[Atom] = set(params)
        self.opened = Substitution(renew=False)
        """Calls of which examples share a part stand for what they do."""
        self.nodes: list[Node] = []
        self.own: list[Node] = []
        self.visit(block.nodes)
        self.results = self.opened.atoms(block.results)
        own = self.with_memory()
        self.own = [node for node in self.nodes if node in own]
        self.shared = [node for node in self.nodes if node not in own]
        self.bound: dict[Var, Node] = {out: node for node in self.own for out in node.outs}
        """What each example binds for itself."""

    def visit(self, nodes: Iterable[Node]) -> None:
        for each in nodes:
            node = self.opened.node(each)
            if self.varied.isdisjoint(reads(node)):
                self.nodes.append(node)
            elif isinstance(node, Call) and node.function.rule is None and self.has_shared_work(node):
                inner, results = inline(node)
                self.visit(inner)
                self.opened.mapping.update((out, self.opened.atom(result)) for out, result in results.items())
            else:
                self.nodes.append(node)
                self.own.append(node)
                self.varied.update(node.outs)

    def has_shared_work(self, node: Call) -> bool:
        """Whether a part of what a call does is the same for all examples."""
        params = (param for param, atom in zip(node.function.params, node.ins, strict=True) if atom in self.varied)
        inside = _Parted(node.function.body, params)
        return any(map(_is_work, inside.shared)) or not inside.varied.issuperset(inside.results)

    def with_memory(self) -> set[Node]:
        """The nodes of an example: what depends on it, and the memory that only it writes."""
        own = set(self.own)
        outside = {atom for node in self.nodes if node not in own and not _is_memory(node) for atom in reads(node)}
        outside |= {atom for atom in self.results if atom not in self.varied}
        for node in reversed(self.nodes):
            if node not in own and _is_memory(node) and outside.isdisjoint(node.outs):
                own.add(node)
        return own

    def check_shape(self, result: Atom, function: Function) -> None:
        """Refuse a result whose sizes each example computes."""
        for dim in result.type.shape:
            if isinstance(dim, Var) and (dim in self.varied or dim in self.bound):
                where = self.bound[dim].where if dim in self.bound else self.bound[result].where if result in self.bound else function.where
                raise UnknownSizeError(
                    f"a batch of {function.name}, whose result {getattr(result, 'name', '')} has a size that differs from example to example", where=where,
                    why="the results of all examples are one array", instead="give all examples one size, and mask what is beyond theirs",
                )  # fmt: skip


def reads(node: Node) -> set[Atom]:
    """The atoms that a node reads, blocks and sizes in types included."""
    found: set[Atom] = {*operands(node), *dims_of(node.outs)}
    for block in blocks(node):
        found.update(free_vars(block))
    return found


def _is_work(node: Node) -> bool:
    """Whether a node costs more than a view, a size, or memory."""
    return not isinstance(node, Equation | Check) or isinstance(node, Equation) and node.primitive.cost is not Cost.FREE and not is_size(node.outs[0].type)


def _is_memory(node: Node) -> bool:
    """Whether a node makes memory that is filled later, or filled with one number: no work that all examples could share."""
    return isinstance(node, Equation) and (node.primitive in (empty, copy) or node.primitive is broadcast and not node.ins[0].type.shape)


__all__ = ["Mapped", "over_examples"]
