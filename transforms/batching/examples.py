"""A function of one example as a Map over the examples: each runs its own way through branches and loops.

    def f(x, w):                       c = sum(w)                      what is the same for all examples, once
        c = sum(w)              ->     map i in range(size):
        while x > c: x = x * 0.5           x_i = x[i]
        return x                           while x_i > c: x_i = x_i * 0.5
                                           yield x_i
"""
from __future__ import annotations

from collections.abc import Sequence
from copy import copy as copy_of

from s2s.records import dataclass
from s2s.transforms.batching.parts import Parted
from s2s.transforms.batching.whole_slices import with_whole_slices
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Check, Equation, Function, Map, Node, Print, Var, free_vars, walk
from s2s.transforms.ir.rewrite import Substitution, call
from s2s.transforms.primitives.indexing import At, Full, getitem
from s2s.transforms.primitives.row import NotYet
from s2s.transforms.primitives.structural import copy, iota, permuted, retype
from s2s.transforms.primitives.value import Value
from s2s.types import EXAMPLE, SIZE, Array, Dim, dim_atom


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
    varied = [param for param, each in zip(function.params, ins, strict=True) if each.axis is not None]
    parted = Parted(body_of(function), varied)
    if parted.has_own_sizes(parted.results):
        parted = Parted(with_whole_slices(builder, parted.nodes, tuple(parted.results), parted.varied), varied)
    for result in parted.results:
        parted.check_shape(result, function)
    return _staged(Made(builder, function, ins, size), parted)


def over_numbers(builder: Builder, number: Var, block: Block, size: Dim) -> list[Mapped]:
    """Append what computes a block for all numbers from 0 to `size`; its results, those that differ with an axis of numbers in front."""
    function = Function(number.name, (number,), block, builder.where, "", None, derived=True)
    made = Made(builder, function, [Mapped(iota(Value(builder, dim_atom(size))).atom, 0)], size)
    made.number, made.name, made.tells = number, number.name, False
    return _staged(made, Parted(block, [number]))


def _staged(made: Made, parted: Parted) -> list[Mapped]:
    """Append all stages; the results."""
    for node in parted.shared:
        made.builder.add(made.outside.node(node))
    stages = parted.stages()
    for number, stage in enumerate(stages):
        for node in stage.once:
            made.builder.add(made.outside.node(node))
        for product in stage.products:
            made.product(product)
        handed = parted.handed_on(stages, number)
        if handed or any(isinstance(each, Check | Print) for node in stage.own for each in (node, *(inner for block in node.blocks for inner in walk(block)))):
            made.map(stage.own, handed)
    return [made.result(result) for result in parted.results]


def body_of(function: Function) -> Block:
    """What the function does; one with a rule is called, so that its rule holds for each example."""
    if function.rule is None:
        return function.body
    made = call(function, function.params, tuple(getattr(result, "name", "out") for result in function.body.results), function.where)
    return Block((made,), made.outs)


class Made:
    """What is appended. `outside`: the atoms that examples share; `now`: for Vars of one example the arrays of all."""

    def __init__(self, builder: Builder, function: Function, ins: Sequence[Mapped], size: Dim) -> None:
        self.builder, self.function, self.size = builder, function, size
        self.outside = Substitution()
        self.now: dict[Atom, Mapped] = {}
        self.written: set[Atom] = set()
        """Those of them that are new arrays."""
        self.number: Var | None = None
        """What stands for the number of the example, if anything does."""
        self.tells = True
        """Whether what is raised names the example."""
        self.name = ""
        """What the number of the example is called in the Maps."""
        for param, each in zip(function.params, ins, strict=True):
            self.bind(param, each)

    def count(self, number: Var) -> None:
        """A Var stands for the number of the example."""
        self.number = number
        self.now[number] = Mapped(iota(Value(self.builder, dim_atom(self.size))).atom, 0)

    def within(self, builder: Builder) -> Made:
        """The same, appended to a block inside."""
        inner = copy_of(self)
        inner.builder, inner.outside = builder, Substitution(self.outside.mapping)
        return inner

    def bind(self, param: Var, given: Mapped) -> None:
        """What stands for the param's sizes, and for itself."""
        shape = given.atom.type.shape
        if given.axis is None:
            self.outside.mapping[param] = given.atom
        else:
            shape = (*shape[: given.axis], *shape[given.axis + 1 :])
            self.now[param] = given
        for dim, actual in zip(param.type.shape, shape, strict=True):
            if isinstance(dim, Var):
                self.outside.mapping.setdefault(dim, dim_atom(actual))

    def product(self, node: Equation) -> None:
        """A row for all examples at once."""
        ins = tuple(self.in_front(atom) for atom in node.ins)
        batched = tuple(atom in self.now for atom in node.ins)
        assert not isinstance(node.primitive.batch, NotYet)
        with self.builder.at(node.where):
            outs, _ = node.primitive.batch(node.primitive, ins, batched, Value(self.builder, dim_atom(self.size)), **node.params)
        for out, value in zip(node.outs, outs, strict=True):
            value.atom.name = out.name
            self.now[out] = Mapped(value.atom, 0)
            self.written.update(() if node.primitive is retype else (out,))

    def in_front(self, atom: Atom) -> Value:
        """A shared value, or the array of all examples with their axis in front."""
        if atom not in self.now:
            return Value(self.builder, self.outside.atom(atom))
        value, axis = Value(self.builder, self.now[atom].atom), self.now[atom].axis
        assert axis is not None
        front = permuted(value, (axis, *(other for other in range(value.ndim) if other != axis)))
        return front if front.shape[0] == self.size else retype(front, Value(self.builder, dim_atom(self.size)), *front.dims()[1:])

    def result(self, atom: Atom) -> Mapped:
        """A result; an argument as an array of its own."""
        if atom not in self.now:
            return Mapped(self.outside.atom(atom), None)
        value = self.in_front(atom)
        return Mapped(value.atom if atom in self.written else copy(value).atom, 0)

    def map(self, nodes: Sequence[Node], handed: Sequence[Var]) -> None:
        """A Map of nodes of one example, of which it hands on some values."""
        index = Var(self.name, EXAMPLE if self.tells else SIZE)
        inner = self.builder.inside()
        inner.where = self.function.where
        substitution = Substitution(self.outside.mapping)
        read = free_vars(Block(tuple(nodes), tuple(handed)))
        for var, each in self.now.items():
            if var is self.number:
                substitution.mapping[self.number] = index
            elif var in read and each.axis is not None:
                places = (*(Full(),) * each.axis, At(inside=True), *(Full(),) * (var.type.ndim - each.axis))
                (substitution.mapping[var],) = inner.equation(getitem, (each.atom, index), {"index": places}, name=var.name)
        for node in nodes:
            inner.add(substitution.node(node))
        outs = tuple(Var(var.name, _stacked(self.outside.type(var.type), self.size)) for var in handed)
        self.builder.add(Map(outs, index, dim_atom(self.size), inner.block(*substitution.atoms(tuple(handed))), self.function.where))
        self.written.update(handed)
        self.now.update((var, Mapped(out, 0)) for var, out in zip(handed, outs, strict=True))


def _stacked(type_: Array, size: Dim) -> Array:
    return Array(type_.dtype, (size, *type_.shape))


__all__ = ["Made", "Mapped", "body_of", "over_examples"]
