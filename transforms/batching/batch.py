"""Batching: a program for one example becomes a program for many of them, along a new leading axis.

    y = A @ x; z = y * c           ->         y = x @ A.T  (n rows);  z = y * c  (c repeated)

Batchedness is inferred: a value that depends on no batched one stays as it is, and is computed once. Each primitive's row says how it
is batched. Loops and branches on values that are the same for all examples stay loops and branches, and carry batched values.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from s2s.errors import UnsupportedError
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Array, Atom, Block, Call, Check, Equation, For, Function, If, Map, Node, Var, While
from s2s.transforms.primitives.families import repeat
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import NotYet
from s2s.transforms.primitives.structural import permuted
from s2s.transforms.primitives.value import Value
from s2s.types import SIZE, Dim, atom_dim, dim_atom

Mask = tuple[bool, ...]
Known = dict[tuple[Function, Mask, bool], tuple[Function, Mask]]


def batch(function: Function, batched: Mask, known: Known | None = None, *, size: int | None = None) -> tuple[Function, Mask]:
    """The function for a batch: the params marked have a leading axis, all of the same length. Also: which results have one.

    Parameters
    ----------
    function, batched
        What is batched, and for which params; at least one.
    known
        The batched functions that are written already, so that each is written once.
    size
        The number of examples, if the program is made for just one number.

    Raises
    ------
    UnsupportedError
        At the user's line: a branch, a loop's range or a size that differs from example to example, or a row that can't be batched.
    """
    known = {} if known is None else known
    key = (function, batched, size is not None)
    if key not in known:
        if function.rule is not None:
            raise UnsupportedError(f"a batch of {function.name}, which has a derivative rule of its own", where=function.where, why="its rule can't be batched yet")
        length: Dim = Var("batch", SIZE) if size is None else size
        builder = new_builder()
        batches = Batch(builder, length, known)
        params = tuple(batches.bind(param, batched=on) for param, on in zip(function.params, batched, strict=True))
        results = batches.block(function.body)
        made = Function(f"{function.name}_batch", params, builder.block(*(result.atom for result in results)), function.where, function.doc, None, function.derived)
        known[key] = rewrite.renewed(made), tuple(result.batched for result in results)
    return known[key]


@dataclass(frozen=True)
class Batched:
    """What stands for an atom of the program in the batched one: the same for all examples, or with a leading axis."""

    atom: Atom
    batched: bool


class Batch:
    """The batched nodes of a block, and of the blocks inside it. `now`: what stands for the Vars of the program."""

    def __init__(self, builder: Builder, size: Dim, known: Known, now: dict[Var, Batched] | None = None) -> None:
        self.builder, self.size, self.known = builder, size, known
        self.now: dict[Var, Batched] = {} if now is None else now

    # ---- Vars -------------------------------------------------------------------------------------------------------

    def atom(self, atom: Atom) -> Batched:
        """What stands for an atom."""
        same = Batched(atom, batched=False)
        return self.now.get(atom, same) if isinstance(atom, Var) else same

    def atoms(self, atoms: Sequence[Atom]) -> list[Batched]:
        return [self.atom(atom) for atom in atoms]

    def type(self, type_: Array, *, batched: bool) -> Array:
        """The type of what stands for a value of this type."""
        shape = tuple(atom_dim(self.atom(dim).atom) if isinstance(dim, Var) else dim for dim in type_.shape)
        return Array(type_.dtype, (self.size, *shape)) if batched else Array(type_.dtype, shape, type_.weak)

    def bind(self, var: Var, *, batched: bool) -> Var:
        """A Var for a binding of var."""
        made = Var(var.name, self.type(var.type, batched=batched))
        self.now[var] = Batched(made, batched)
        return made

    def shared(self, atom: Atom, node: Node, what: str) -> Atom:
        """The atom that stands for one that must not differ from example to example."""
        found = self.atom(atom)
        if found.batched:
            raise UnsupportedError(f"{what} that differs from example to example", where=node.where, why="it can't be batched yet")
        return found.atom

    def full(self, found: Batched, builder: Builder, *, batched: bool) -> Atom:
        """What stands for a value, repeated along the batch if it has to have that axis."""
        if found.batched or not batched:
            return found.atom
        return repeat(Value(builder, found.atom), Value(builder, dim_atom(self.size))).atom

    # ---- nodes ------------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> list[Batched]:
        """Append the block's nodes; what stands for its results."""
        for node in block.nodes:
            with self.builder.at(node.where):
                self.node(node)
        return self.atoms(block.results)

    def inside(self) -> Batch:
        return Batch(self.builder.inside(), self.size, self.known, dict(self.now))

    def node(self, node: Node) -> None:
        match node:
            case Equation():
                self.equation(node)
            case Call():
                self.call(node)
            case For() | While():
                self.loop(node)
            case If():
                self.branches(node)
            case Map():
                self.map(node)
            case Check():
                test = self.shared(node.test, node, "a check of a value")
                values = tuple(self.shared(value, node, "a message with a value") for value in node.values)
                self.builder.add(replace(node, test=test, values=values))
            case _:
                assert_never(node)

    def equation(self, node: Equation) -> None:
        ins = self.atoms(node.ins)
        values = tuple(Value(self.builder, each.atom) for each in ins)
        batched = tuple(each.batched for each in ins)
        if not any(batched):
            self.copied(node, values)
            return
        rule = node.primitive.batch
        if isinstance(rule, NotYet):
            raise UnsupportedError(f"{node.primitive.name} can't be batched", where=node.where, why=rule.why)
        outs, on = rule(node.primitive, values, batched, Value(self.builder, dim_atom(self.size)), **node.params)
        for out, made, is_on in zip(node.outs, outs, on, strict=True):
            self.named(out, made)
            self.now[out] = Batched(made.atom, is_on)

    def copied(self, node: Equation, values: tuple[Value, ...]) -> None:
        outs = tuple(self.bind(out, batched=False) for out in node.outs)
        self.builder.add(Equation(outs, node.primitive, tuple(value.atom for value in values), node.params, node.where))

    def named(self, out: Var, made: Value) -> None:
        if isinstance(made.atom, Var) and self.builder.nodes and made.atom in self.builder.nodes[-1].outs:
            made.atom.name = out.name

    def call(self, node: Call) -> None:
        ins = self.atoms(node.ins)
        batched = tuple(each.batched for each in ins)
        if not any(batched):
            function, on = node.function, (False,) * len(node.outs)
        else:
            function, on = batch(node.function, batched, self.known, size=self.size if isinstance(self.size, int) else None)
        made = rewrite.call(function, tuple(each.atom for each in ins), tuple(out.name for out in node.outs), node.where)
        self.builder.add(made)
        for out, new, is_on in zip(node.outs, made.outs, on, strict=True):
            self.now[out] = Batched(new, is_on)

    def branches(self, node: If) -> None:
        test = self.shared(node.test, node, "a branch on a value")
        then, orelse = self.inside(), self.inside()
        sides = then.block(node.then), orelse.block(node.orelse)
        on = tuple(any(each.batched for each in both) for both in zip(*sides, strict=True))
        made = [
            inner.builder.block(*(self.full(each, inner.builder, batched=is_on) for each, is_on in zip(side, on, strict=True)))
            for inner, side in zip((then, orelse), sides, strict=True)
        ]
        outs = tuple(self.bind(out, batched=is_on) for out, is_on in zip(node.outs, on, strict=True))
        self.builder.add(If(outs, test, made[0], made[1], node.where))

    def loop(self, node: For | While) -> None:
        init = self.atoms(node.init)
        on = tuple(each.batched for each in init)
        bounds = tuple(self.shared(atom, node, "a loop's range") for atom in ((node.lo, node.hi, node.step) if isinstance(node, For) else ()))
        while True:
            inner = self.inside()
            index = inner.bind(node.index, batched=False) if isinstance(node, For) else None
            carry = tuple(inner.bind(var, batched=is_on) for var, is_on in zip(node.carry, on, strict=True))
            test = self.test(node, inner) if isinstance(node, While) else None
            results = inner.block(node.body)
            grown = tuple(is_on or each.batched for is_on, each in zip(on, results, strict=True))
            if grown == on:
                break
            on = grown
        body = inner.builder.block(*(self.full(each, inner.builder, batched=is_on) for each, is_on in zip(results, on, strict=True)))
        starts = tuple(self.full(each, self.builder, batched=is_on) for each, is_on in zip(init, on, strict=True))
        outs = tuple(self.bind(out, batched=is_on) for out, is_on in zip(node.outs, on, strict=True))
        if isinstance(node, For):
            assert index is not None
            lo, hi, step = bounds
            self.builder.add(For(outs, index, lo, hi, step, carry, starts, body, node.where, node.reverse))
        else:
            assert test is not None
            self.builder.add(While(outs, carry, starts, test, body, node.where))

    def test(self, node: While, around: Batch) -> Block:
        inner = around.inside()
        (result,) = inner.block(node.test)
        if result.batched:
            raise UnsupportedError("a while whose test differs from example to example", where=node.where, why="it can't be batched yet")
        return inner.builder.block(result.atom)

    def map(self, node: Map) -> None:
        size = self.shared(node.size, node, "a number of trips")
        inner = self.inside()
        index = inner.bind(node.index, batched=False)
        results = inner.block(node.body)
        stacked = tuple(Var(out.name, self.map_type(out, each)) for out, each in zip(node.outs, results, strict=True))
        self.builder.add(Map(stacked, index, size, inner.builder.block(*(each.atom for each in results)), node.where))
        for out, made, each in zip(node.outs, stacked, results, strict=True):
            value = Value(self.builder, made)
            self.now[out] = Batched(permuted(value, (1, 0, *range(2, value.ndim))).atom if each.batched else made, each.batched)

    def map_type(self, out: Var, result: Batched) -> Array:
        own = self.type(out.type, batched=False)
        return Array(own.dtype, (own.shape[0], self.size, *own.shape[1:]) if result.batched else own.shape)
