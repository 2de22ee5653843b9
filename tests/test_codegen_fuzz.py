"""Random programs with loops, branches, stores, views and swaps: both targets (the cpu text as plain Python) against the interpreter."""
from __future__ import annotations

import random
import warnings
from collections import defaultdict

import nodes
import numpy as np
import pytest
from codegen_kernels import check_results, load, run

from s2s.codegen.emit import emit_kernels, prepared
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Block, Function, Var
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.elementwise import tanh
from s2s.transforms.primitives.indexing import At, Full, Span, additem, getitem, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.structural import broadcast, copy, reshape, retype, transpose
from s2s.transforms.primitives.value import Value
from s2s.types import FLOAT64, SIZE, Array, Atom, literal, size_literal

NUMBER = Array(FLOAT64)


class Fuzzer:
    """Makes one random function over an n-vector type, an n×n-matrix type, floats and ints."""

    def __init__(self, seed: int, callee: Function | None = None) -> None:
        self.random = random.Random(seed)
        self.callee = callee
        self.n = Var("n", SIZE)
        self.vector, self.matrix = Array(FLOAT64, (self.n,)), Array(FLOAT64, (self.n, self.n))
        self.budget = 22
        self.names = 0

    def var(self, type_: Array) -> Var:
        self.names += 1
        return Var(self.random.choice(["x", "y", "u", "v", "w"]) if self.random.random() < 0.5 else "add", type_)

    def function(self) -> Function:
        builder = new_builder()
        builder.know_size(self.n)
        params = (Var("u", self.vector), Var("v", self.vector), Var("A", self.matrix), Var("s", NUMBER), Var("k", SIZE))
        scope: dict[Array, list[Atom]] = defaultdict(list)
        for param in params:
            scope[param.type].append(param)
        scope[NUMBER].append(literal(0.5, FLOAT64))
        self.statements(builder, scope, 0, 8)
        results = [self.random.choice(scope[type_]) for type_ in (self.vector, self.vector, self.matrix, NUMBER, NUMBER)]
        return nodes.Function("f", params, builder.block(*results))

    def statements(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int, count: int) -> None:
        for _ in range(self.random.randint(1, count)):
            self.budget -= 1
            choices = ["element", "element", "view", "store", "store", "add", "reduce", "product", "rename", "scalar", "scalar", "whole"]
            if depth < 3 and self.budget > 0:
                choices += ["for", "for", "if", "while", "call"]
            getattr(self, self.random.choice(choices))(builder, scope, depth)

    def pick(self, builder: Builder, scope: dict[Array, list[Atom]], type_: Array) -> Value:
        values = scope[type_]
        return Value(builder, values[-1] if self.random.random() < 0.5 else self.random.choice(values))

    def index(self, builder: Builder, scope: dict[Array, list[Atom]]) -> Value:
        atoms: list[Atom] = [size_literal(self.random.choice([0, 1, 2, -1])), *scope[Array(SIZE.dtype, (), True)]]
        return Value(builder, self.random.choice(atoms))

    def name(self, value: Value) -> Value:
        if self.random.random() < 0.4 and isinstance(value.atom, Var):
            value.atom.name = self.random.choice(["x", "y", "z", "u", "u"])
        return value

    def add_to(self, scope: dict[Array, list[Atom]], value: Value) -> None:
        scope[value.type].append(self.name(value).atom)

    def scalar(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        a, b = self.pick(builder, scope, NUMBER), self.pick(builder, scope, NUMBER)
        self.add_to(scope, self.random.choice([lambda: a + b, lambda: a * b, lambda: tanh(a) - b, lambda: (a < b).where(b, a)])())

    def element(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        type_ = self.random.choice([self.vector, self.vector, self.matrix])
        a, b = self.pick(builder, scope, type_), self.pick(builder, scope, type_)
        self.add_to(scope, self.random.choice([lambda: a + b, lambda: a * 0.5 - b, lambda: tanh(a) * b, lambda: a + self.like(builder, scope, type_)])())

    def like(self, builder: Builder, scope: dict[Array, list[Atom]], type_: Array) -> Value:
        source = self.pick(builder, scope, NUMBER)
        return source.broadcast_to(type_.shape, ())

    def view(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        vector, matrix = self.pick(builder, scope, self.vector), self.pick(builder, scope, self.matrix)
        one, i = Value(builder, size_literal(1)), self.index(builder, scope)
        last = Value(builder, sizes.minus(builder, self.n, 1))
        choice = self.random.choice(["row", "column", "T", "spread", "flip", "element", "element2", "spread1", "reshape", "retype", "copy"])
        match choice:
            case "row":
                value = getitem(matrix, i, index=(At(), Full()))
            case "column":
                value = getitem(matrix, i, index=(Full(), At()))
            case "T":
                value = transpose(matrix, axes=(1, 0))
            case "spread":
                value = broadcast(vector, *matrix.dims(), axes=(0,))
            case "spread1":
                value = broadcast(vector, *matrix.dims(), axes=(1,))
            case "flip":
                value = getitem(vector, last, vector.dim(0), index=(Span(-1),))
            case "element":
                value = getitem(vector, i, index=(At(),))
            case "retype":
                value = retype(vector, vector.dim(0))
            case "copy":
                value = copy(vector)
            case "reshape":
                wide = reshape(vector, one, vector.dim(0))
                value = getitem(wide, Value(builder, size_literal(0)), index=(At(), Full()))
            case _:
                value = getitem(matrix, i, self.index(builder, scope), index=(At(), At()))
        self.add_to(scope, value)

    def store(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int, row: object = setitem) -> None:
        vector, matrix, i = self.pick(builder, scope, self.vector), self.pick(builder, scope, self.matrix), self.index(builder, scope)
        length = Value(builder, sizes.minus(builder, self.n, 1))
        zero, one = Value(builder, size_literal(0)), Value(builder, size_literal(1))
        match self.random.choice(["element", "element", "slice", "row", "column", "entry"]):
            case "element":
                out = row(vector, self.pick(builder, scope, NUMBER), i, index=(At(),))
            case "slice":
                part = getitem(self.pick(builder, scope, self.vector), zero, length, index=(Span(),))
                if self.random.random() < 0.5:
                    part = part * 0.5 + getitem(self.pick(builder, scope, self.vector), one, length, index=(Span(),))
                out = row(vector, part, one, length, index=(Span(),))
            case "row":
                out = row(matrix, self.pick(builder, scope, self.vector), i, index=(At(), Full()))
            case "column":
                out = row(matrix, self.pick(builder, scope, self.vector), i, index=(Full(), At()))
            case _:
                out = row(matrix, self.pick(builder, scope, NUMBER), i, self.index(builder, scope), index=(At(), At()))
        self.replace(scope, out, vector if out.type == self.vector else matrix)

    def replace(self, scope: dict[Array, list[Atom]], out: Value, old: Value) -> None:
        """Mostly the old array is not used any more, as in programs read from source."""
        if self.random.random() < 0.85 and len(scope[out.type]) > 1:
            scope[out.type] = [atom for atom in scope[out.type] if atom is not old.atom]
        self.add_to(scope, out)

    def add(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        self.store(builder, scope, depth, additem)

    def whole(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        vector = self.pick(builder, scope, self.vector)
        self.replace(scope, self.random.choice([setitem, additem])(vector, self.pick(builder, scope, self.vector), index=(Full(),)), vector)

    def reduce(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        matrix = self.pick(builder, scope, self.matrix)
        axes = self.random.choice([(0,), (1,), (0, 1)])
        self.add_to(scope, reduce_sum(matrix, axes=axes))

    def product(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        vector, matrix = self.pick(builder, scope, self.vector), self.pick(builder, scope, self.matrix)
        other = self.pick(builder, scope, self.vector)
        self.add_to(scope, self.random.choice([
            lambda: contract(matrix, vector, spec="ij,j->i"), lambda: contract(vector, matrix, spec="i,ij->j"), lambda: contract(vector, other, spec="i,i->"),
            lambda: contract(vector, other, spec="i,j->ij"), lambda: contract(matrix, self.pick(builder, scope, self.matrix), spec="ij,jk->ik"),
        ])() * 0.1)

    def rename(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        for atoms in scope.values():
            self.random.shuffle(atoms)

    def inner(self, scope: dict[Array, list[Atom]]) -> dict[Array, list[Atom]]:
        return defaultdict(list, {type_: list(atoms) for type_, atoms in scope.items()})

    def carried(self, scope: dict[Array, list[Atom]]) -> tuple[list[Array], tuple[Atom, ...], tuple[Var, ...]]:
        types = [self.random.choice([self.vector, self.vector, self.matrix, NUMBER]) for _ in range(self.random.randint(1, 4))]
        return types, tuple(self.random.choice(scope[type_]) for type_ in types), tuple(self.var(type_) for type_ in types)

    def body(self, builder: Builder, scope: dict[Array, list[Atom]], carry: tuple[Var, ...], types: list[Array], depth: int) -> Block:
        if self.random.random() < 0.7:  # most code does not look at the initial values again
            for type_ in set(types):
                scope[type_] = scope[type_][:1]
        for var in carry:
            scope[var.type].append(var)
        self.statements(builder, scope, depth + 1, 4)
        return builder.block(*(self.pick(builder, scope, type_).atom for type_ in types))

    def outs(self, scope: dict[Array, list[Atom]], types: list[Array]) -> tuple[Var, ...]:
        outs = tuple(self.var(type_) for type_ in types)
        for out in outs:
            scope[out.type].append(out)
        return outs

    def do_for(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        types, init, carry = self.carried(scope)
        index = Var("i", Array(SIZE.dtype, (), True))
        lo, hi, step = self.random.choice([(0, 3, 1), (2, -1, -1), (1, 2, 1), (1, 1, 1)])
        bounds = (size_literal(lo), size_literal(hi), size_literal(step))
        inside, inner = builder.inside(), self.inner(scope)
        inside.know_index(index, *bounds)
        inner[index.type].append(index)
        body = self.body(inside, inner, carry, types, depth)
        builder.add(nodes.For(self.outs(scope, types), index, *bounds, carry, init, body))

    def do_if(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        types = [self.random.choice([self.vector, self.matrix, NUMBER]) for _ in range(self.random.randint(1, 3))]
        test = self.pick(builder, scope, NUMBER) < self.pick(builder, scope, NUMBER)
        blocks = []
        for _ in range(2):
            inside, inner = builder.inside(), self.inner(scope)
            if self.random.random() < 0.8:
                self.statements(inside, inner, depth + 1, 3)
            blocks.append(inside.block(*(self.pick(inside, inner, type_).atom for type_ in types)))
        builder.add(nodes.If(self.outs(scope, types), test.atom, blocks[0], blocks[1]))

    def do_while(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        types, init, carry = self.carried(scope)
        trips = Var("trips", Array(SIZE.dtype))
        test = builder.inside()
        (going,) = test.equation(sizes_less(), (trips, size_literal(self.random.choice([0, 1, 3]))))
        inside, inner = builder.inside(), self.inner(scope)
        body = self.body(inside, inner, carry, types, depth)
        (more,) = inside.equation(sizes.add, (trips, size_literal(1)))
        body = nodes.Block(tuple(inside.nodes), (*body.results, more))
        outs = (*self.outs(scope, types), Var("trips", trips.type))
        builder.add(nodes.While(outs, (*carry, trips), (*init, size_literal(0)), test.block(going), body))

    def call(self, builder: Builder, scope: dict[Array, list[Atom]], depth: int) -> None:
        if self.callee is None:
            return
        ins = tuple(self.pick(builder, scope, self.here(param.type)).atom for param in self.callee.params[:-1])
        outs = tuple(Var("called", self.here(type_)) for type_ in self.callee.result_types)
        builder.add(nodes.Call(outs, self.callee, (*ins, size_literal(1))))
        for out in outs:
            scope[out.type].append(out)

    def here(self, type_: Array) -> Array:
        return type_.with_shape((self.n,) * type_.ndim)


setattr(Fuzzer, "for", Fuzzer.do_for)
setattr(Fuzzer, "if", Fuzzer.do_if)
setattr(Fuzzer, "while", Fuzzer.do_while)


def sizes_less() -> object:
    from s2s.transforms.primitives.arithmetic import less

    return less


def program(seed: int) -> Function:
    """A random function; every third one calls another."""
    callee = Fuzzer(seed + 10**6).function() if seed % 3 == 0 else None
    return Fuzzer(seed, callee).function()


def check(seed: int, *, compiled: bool = False) -> None:
    function = program(seed)
    verify(function)
    rng = np.random.default_rng(seed)
    args = (rng.normal(size=4), rng.normal(size=4), rng.normal(size=(4, 4)), 0.7, 2)
    wanted = interpret(function, *args)
    mutated = ((function.params[0], 0), (function.params[1], 1)) if seed % 4 == 0 else ()
    for target in ("cpu",) if compiled else ("numpy", "cpu"):
        kernels = emit_kernels(prepared(function, target), name="_kernel", target=target, mutated=mutated)
        given = tuple(np.array(arg) if np.ndim(arg) else arg for arg in args)
        numbers = tuple(function.params.index(var) for var, _ in mutated)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = run(kernels, load(kernels, compiled=compiled), given, numbers)
        text = f"{function}\n{kernels.text}"
        check_results(got, wanted, text, exact_dtype=False, tol=1e-9)
        for number, (before, after) in enumerate(zip(args, given, strict=True)):
            if number not in numbers:
                np.testing.assert_array_equal(before, after, err_msg=f"argument {number} was written\n{text}")
        for (_, result), number in zip(mutated, numbers, strict=True):
            np.testing.assert_allclose(given[number], wanted[result], rtol=1e-9, err_msg=f"argument {number} is not what it should be\n{text}")


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_random_programs(start: int) -> None:
    for seed in range(start, start + 50):
        check(seed)


@pytest.mark.parametrize("seed", range(1000, 1006))
def test_random_programs_compiled(seed: int) -> None:
    check(seed, compiled=True)


