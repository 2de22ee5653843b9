"""Random programs: nested loops, branches, stores, swaps, slices, helpers, over a few float scalars and arrays of one length.

Everything that a rewrite has to keep right occurs: arrays overwritten many times and read between, carried scalars,
triangular nests, loops that don't run, `while` with a trip count that depends on values, branches inside loops.
"""
from __future__ import annotations

import random
from dataclasses import dataclass, field

import nodes

from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Function, Var
from s2s.transforms.primitives import elementwise, indexing, reductions, sizes
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.indexing import Span
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value
from s2s.types import FLOAT64, SIZE, Array, Atom, literal, size_literal


@dataclass
class Scope:
    """What the statements at a point may use: named float scalars and arrays (all of length n), and valid indices."""

    builder: Builder
    scalars: dict[str, Atom]
    arrays: dict[str, Atom]
    indices: list[Atom]
    n: Var
    depth: int = 0

    def inner(self, builder: Builder) -> Scope:
        return Scope(builder, dict(self.scalars), dict(self.arrays), list(self.indices), self.n, self.depth + 1)


@dataclass
class Generator:
    """One random program for a seed; `size` bounds the number of statements."""

    seed: int
    size: int = 14
    draw: random.Random = field(init=False)
    helpers: list[Function] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.left = self.size

    def function(self) -> Function:
        """f(a: f8[n], b: f8[n], x: f8, y: f8) -> (scalar, a, b)."""
        self.helpers = [self.helper(number) for number in range(2)]
        builder = new_builder()
        n = Var("n", SIZE)
        builder.know_size(n)
        params = (Var("a", Array(FLOAT64, (n,))), Var("b", Array(FLOAT64, (n,))), Var("x", Array(FLOAT64)), Var("y", Array(FLOAT64)))
        scope = Scope(builder, {"x": params[2], "y": params[3]}, {"a": params[0], "b": params[1]}, [size_literal(0), size_literal(2)], n)
        while self.left > 0:
            self.statement(scope)
        total = self.value(scope, scope.scalars["x"])
        for array in scope.arrays.values():
            total = total + reductions.reduce_sum(self.value(scope, array), axes=(0,))
        return nodes.Function(f"random_{self.seed}", params, builder.block(total.atom, *scope.arrays.values()))

    def helper(self, number: int) -> Function:
        """A helper of two scalars, with a branch or a loop inside."""
        builder = new_builder()
        params = (Var("p", Array(FLOAT64)), Var("q", Array(FLOAT64)))
        scope = Scope(builder, {"p": params[0], "q": params[1]}, {}, [], Var("unused", SIZE), 1)
        self.left, kept = 3, self.left
        while self.left > 0:
            self.scalar_statement(scope)
            self.left -= 1
        if number:
            self.loop(scope)
        self.left = kept
        return nodes.Function(f"helper_{number}", params, builder.block(*scope.scalars.values()))

    def value(self, scope: Scope, atom: Atom) -> Value:
        return Value(scope.builder, atom)

    # ---- statements -------------------------------------------------------------------------------------------------

    def statement(self, scope: Scope) -> None:
        self.left -= 1
        choices = [self.scalar_statement, self.scalar_statement]
        if scope.arrays:
            choices += [self.store, self.store, self.store, self.span_store, self.whole, self.reduction]
        if self.helpers:
            choices.append(self.call)
        if scope.depth < 3:
            choices += [self.loop, self.loop, self.branch, self.repeat]
        self.draw.choice(choices)(scope)

    def scalar(self, scope: Scope, fuel: int = 2) -> Value:
        """A bounded smooth expression of scalars and elements."""
        kind = self.draw.randrange(8) if fuel else self.draw.randrange(2)
        if kind == 0 or (kind == 1 and not scope.arrays):
            return self.value(scope, self.draw.choice([*scope.scalars.values()]))
        if kind == 1:
            return self.element(scope)
        a, b = self.scalar(scope, fuel - 1), self.scalar(scope, fuel - 1)
        match kind:
            case 2:
                return a + b
            case 3:
                return a * b * 0.5
            case 4:
                return a / (b * b + 1.5)
            case 5:
                return elementwise.sin(a)
            case 6:
                return a - b * 0.3
            case _:
                return (a > b).where(a * 0.7, b)

    def element(self, scope: Scope) -> Value:
        array = self.draw.choice([*scope.arrays.values()])
        return indexing.at(self.value(scope, array), self.value(scope, self.draw.choice(scope.indices)))

    def vector(self, scope: Scope) -> Value:
        arrays = [self.value(scope, atom) for atom in scope.arrays.values()]
        a, b = self.draw.choice(arrays), self.draw.choice(arrays)
        s = self.scalar(scope, 1).broadcast_to(a.shape, ())
        return self.draw.choice([lambda: a * b * 0.5, lambda: elementwise.sin(a) + b, lambda: a * s, lambda: a - b * 0.5])()

    def scalar_statement(self, scope: Scope) -> None:
        name = self.draw.choice([*scope.scalars])
        scope.scalars[name] = (elementwise.sin(self.scalar(scope)) if self.draw.random() < 0.5 else self.scalar(scope) * 0.9).atom

    def store(self, scope: Scope) -> None:
        name = self.draw.choice([*scope.arrays])
        where = self.value(scope, self.draw.choice(scope.indices))
        scope.arrays[name] = indexing.put(self.value(scope, scope.arrays[name]), self.scalar(scope), where).atom

    def span_store(self, scope: Scope) -> None:
        """a[1:] = 0.5 * b[:-1] or the other way round, possibly of the same array."""
        one, other = self.draw.choice([*scope.arrays]), self.draw.choice([*scope.arrays])
        length = Value(scope.builder, sizes.minus(scope.builder, scope.n, 1))
        first, second = self.draw.choice([(0, 1), (1, 0)])
        source = self.value(scope, scope.arrays[other])
        part = indexing.getitem(source, source.size(second), length, index=(Span(1),)) * 0.8
        target = self.value(scope, scope.arrays[one])
        store = self.draw.choice([indexing.setitem, indexing.additem])
        scope.arrays[one] = store(target, part, target.size(first), length, index=(Span(1),)).atom

    def whole(self, scope: Scope) -> None:
        name = self.draw.choice([*scope.arrays])
        scope.arrays[name] = self.vector(scope).atom
        if self.draw.random() < 0.4:
            scope.arrays["a"], scope.arrays["b"] = scope.arrays["b"], scope.arrays["a"]

    def reduction(self, scope: Scope) -> None:
        name = self.draw.choice([*scope.scalars])
        if self.draw.random() < 0.5:
            a, b = (self.value(scope, self.draw.choice([*scope.arrays.values()])) for _ in range(2))
            scope.scalars[name] = (contract(a, b, spec="i,i->") * 0.2).atom
        else:
            scope.scalars[name] = (reductions.reduce_sum(self.vector(scope), axes=(0,)) * 0.3).atom

    def call(self, scope: Scope) -> None:
        ins = tuple(self.scalar(scope, 1).atom for _ in range(2))
        node = rewrite.call(self.draw.choice(self.helpers), ins, ("first", "second"), scope.builder.where)
        scope.builder.add(node)
        for out in node.outs:
            scope.scalars[self.draw.choice([*scope.scalars])] = out

    # ---- regions ----------------------------------------------------------------------------------------------------

    def carried(self, scope: Scope, inner: Scope) -> tuple[list[str], list[str], tuple[Var, ...], tuple[Atom, ...]]:
        scalars, arrays = list(scope.scalars), list(scope.arrays)
        init = (*(scope.scalars[k] for k in scalars), *(scope.arrays[k] for k in arrays))
        carry = tuple(Var(k, atom.type) for k, atom in zip([*scalars, *arrays], init, strict=True))
        inner.scalars.update(zip(scalars, carry, strict=False))
        inner.arrays.update(zip(arrays, carry[len(scalars):], strict=True))
        return scalars, arrays, carry, init

    def finish(self, scope: Scope, scalars: list[str], arrays: list[str], outs: tuple[Var, ...]) -> None:
        scope.scalars.update(zip(scalars, outs, strict=False))
        scope.arrays.update(zip(arrays, outs[len(scalars):], strict=True))

    def body(self, scope: Scope) -> None:
        for _ in range(self.draw.randint(1, 4)):
            self.statement(scope)

    def results(self, inner: Scope, scalars: list[str], arrays: list[str]) -> tuple[Atom, ...]:
        return (*(inner.scalars[k] for k in scalars), *(inner.arrays[k] for k in arrays))

    def loop(self, scope: Scope) -> None:
        """for over all, inner, reversed, triangular or no positions; steps of 1, -1 and 2."""
        builder = scope.builder.inside()
        inner = scope.inner(builder)
        scalars, arrays, carry, init = self.carried(scope, inner)
        index = Var(f"i{scope.depth}", SIZE)
        b = scope.builder
        ranges = [(size_literal(1), size_literal(4), 1), (size_literal(3), size_literal(0), -1), (size_literal(0), size_literal(4), 2), (size_literal(2), size_literal(2), 1)]
        if scope.arrays:
            ranges += [(size_literal(1), sizes.minus(b, scope.n, 1), 1), (size_literal(0), scope.n, 1), (sizes.minus(b, scope.n, 2), size_literal(0), -1)]
            ranges += [(size_literal(0), atom, 1) for atom in scope.indices if isinstance(atom, Var)] * 2
        lo, hi, step = self.draw.choice(ranges)
        builder.know_index(index, lo, hi, size_literal(step))
        if scope.arrays:
            inner.indices.append(index)
        self.body(inner)
        outs = tuple(Var(var.name, var.type) for var in carry)
        block = builder.block(*self.results(inner, scalars, arrays))
        scope.builder.add(nodes.For(outs, index, lo, hi, size_literal(step), carry, init, block))
        self.finish(scope, scalars, arrays, outs)

    def repeat(self, scope: Scope) -> None:
        """while z < limit: …; z grows by at least 0.3 a trip."""
        builder, test = scope.builder.inside(), scope.builder.inside()
        inner = scope.inner(builder)
        scalars, arrays, carry, init = self.carried(scope, inner)
        z = Var("z", Array(FLOAT64))
        self.body(inner)
        s = self.scalar(inner, 1)
        grown = Value(builder, z) + s * s / (s * s + 1.0) + 0.3
        proceed = Value(test, z) < 1.5
        outs = tuple(Var(var.name, var.type) for var in (*carry, z))
        block = builder.block(*self.results(inner, scalars, arrays), grown.atom)
        scope.builder.add(nodes.While(outs, (*carry, z), (*init, literal(0.0, FLOAT64)), test.block(proceed.atom), block))
        self.finish(scope, scalars, arrays, outs[:-1])
        scope.scalars[self.draw.choice(scalars)] = outs[-1]

    def branch(self, scope: Scope) -> None:
        test = self.scalar(scope, 1) > self.scalar(scope, 1)
        scalars, arrays = list(scope.scalars), list(scope.arrays)
        made = []
        for full in (True, self.draw.random() < 0.5):
            builder = scope.builder.inside()
            inner = scope.inner(builder)
            if full:
                self.body(inner)
            made.append(builder.block(*self.results(inner, scalars, arrays)))
        outs = tuple(Var(k, atom.type) for k, atom in zip([*scalars, *arrays], made[0].results, strict=True))
        scope.builder.add(nodes.If(outs, test.atom, made[0], made[1]))
        self.finish(scope, scalars, arrays, outs)


def program(seed: int, size: int = 14) -> Function:
    """The random program of this seed."""
    return Generator(seed, size).function()


