"""Rewrites of the program before lowering (others that make programs: test_rewrite_pairs.py), each on a small function: the statements that it is lowered to before and after, and that both do the same."""
from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from program_texts import REWRITES, after, given, run, staged, statements_of
from statement_texts import picture, written

import s2s
from s2s.codegen.pipeline import PIPELINES
from s2s.transforms.batching.axes import in_axes_of, out_axes_of
from s2s.transforms.batching.vmap import Options, vmap
from s2s.transforms.derivatives import derive
from s2s.transforms.derivatives.rules import has_rules
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Equation, Function, Map, walk
from s2s.transforms.ir.staged import Staged
from s2s.transforms.loops import preaccumulate, registers, vectorise
from s2s.transforms.primitives.families import linear_structural
from s2s.transforms.primitives.indexing import Span, getitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import NotYet, Written
from s2s.transforms.read import read
from s2s.transforms.simplify import constants, dead_code, simplification, stores

STEPS = [*(step.name for step in PIPELINES["cpu"].rewrites), "integers of lists that fit"]
"""Of the cpu target, then the one that only the numpy target has."""


def itself(program: Staged) -> Staged:
    return program


def pullback(program: Staged) -> Staged:
    return derive.vjp(program)[1]


def times_nine(k):
    total = 0.0
    for each in k:
        total += int(each) * 9
    return total


def hashed(n):
    h = 17
    for _ in range(n):
        h = h * 31
    return h


@dataclass(frozen=True)
class Pair:
    """A step, and a function (or a derivative of it) whose statements it changes. `shown`: them, before and after, or the module whose docstring shows both."""

    step: str
    fun: Callable[..., Any]
    args: tuple[Any, ...]
    shown: ModuleType | tuple[str, str]
    derivative: Callable[[Staged], Staged] = itself

    @property
    def texts(self) -> tuple[str, str]:
        if isinstance(self.shown, ModuleType):
            return picture(self.shown)
        return written(self.shown[0]), written(self.shown[1])

    def functions(self) -> tuple[Function, Function]:
        """The program as the steps before leave it, and after this one."""
        earlier = [] if self.step == "simplified" else STEPS[: STEPS.index("integers that fit" if self.step == STEPS[-1] else self.step)]
        before = after(self.derivative(staged(self.fun, self.args)).function, *earlier)
        return before, after(before, self.step)


# ---- functions ----------------------------------------------------------------------------------------------------------


def rows(A, x):
    for i in range(len(x)):
        for k in range(i):
            x[i] -= A[i, k] * x[k]


def rows_that_meet(A, x):
    for i in range(len(x)):
        for k in range(len(x)):
            x[i] -= A[i, k] * x[k]


def smooth(u, v, steps):
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3.0
        for i in range(len(u)):
            u[i] = v[i]
    return u


def logistic(x, r, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def kept_apart(x, h, n):
    for _ in range(n):
        x = x + h * x
    return x


def signs(x, t):
    s = x + -t
    return s * np.sin(s) + np.sin(s)


def of_constants(x):
    y = (x - 0.0) / 1.0
    return np.where(np.logical_and(True, y > 0.0), np.sin(y), -0.5)


def cleared(b, v):
    for i in range(len(b)):
        b[i] = 0.0
        b[i] += v[i]
    for i in range(len(b)):
        v[i] = v[i] + b[i]


def unread(x, n):
    y = 0.0
    for i in range(n):
        y = y + x * i
    return 2.0 * x


def asked_twice(u, i):
    total = 0.0
    if i > 0:
        if i > 0:
            total = u[i - 1]
    return total


@s2s.custom_jvp
def cubed(x):
    return x * x * x


cubed.defjvp(lambda primals, tangents: (cubed(primals[0]), 3.0 * primals[0] * primals[0] * tangents[0]))


def ruled(x):
    return cubed(x) + 1.0


def squared(x):
    return x * x


def clipped(x: float) -> float:
    return x * x if x > 0 else 0.0


def halvings(x):
    count = 0
    while x > 1.0:
        x = 0.5 * x
        count += 1
    return count


def batched(program: Staged) -> Staged:
    one = Options(in_axes_of(0), out_axes_of(0), None, None, ())
    return vmap(lambda params, args, kwargs: read(clipped, params, args, kwargs), program.function.params, tuple(each.tree for each in program.parameters), {}, one)


def batch_of_halvings(program: Staged) -> Staged:
    one = Options(in_axes_of(0), out_axes_of(0), None, None, ())
    return vmap(lambda params, args, kwargs: read(halvings, params, args, kwargs), program.function.params, tuple(each.tree for each in program.parameters), {}, one)


mirrored = linear_structural(
    "mirrored", lambda x: x[::-1].copy(), infer=lambda ins: (ins[0].type.strong(),), linear_in=(0,), transpose=lambda bars, ins, linear: (mirrored(bars[0]),),
    batch=NotYet("a row of this test"), samples=(), emission=Written(lambda x: getitem(x, x.dim(0) - 1, x.dim(0), index=(Span(-1),))),
)  # fmt: skip


def turned(program: Staged) -> Staged:
    """The program that gives its argument turned around, by a row that says what it is made of."""
    builder, (x,) = new_builder(), program.function.params
    (out,) = builder.equation(mirrored, (x,))
    return replace(program, function=replace(program.function, body=builder.block(out)))


def summed(x, y):
    return x @ y


U, X = np.ones(5), np.ones(3)
PAIRS = {
    "in a scalar": Pair("elements in registers", rows, (np.eye(3), X), registers),
    "not where another trip may store it": Pair("elements in registers", rows_that_meet, (np.eye(3), X), ("""
        for i in range(n):
            for k in range(n):
                x[i] -= A[i, k] * x[k]
        return x
        """, """
        for i in range(n):
            for k in range(n):
                x[i] -= A[i, k] * x[k]
        return x
        """)),
    "gathered": Pair("derivatives in vector form", smooth, (U, U, 2), vectorise, pullback),
    "first the partials": Pair("partials multiplied first", logistic, (0.3, 3.7, 5), preaccumulate, pullback),
    "a unit coefficient": Pair("partials multiplied first", kept_apart, (0.3, 0.1, 5), ("""
        h_bar = 0.0
        for each in range(n - 1, -1, -1):
            x = x_tape[each]
            h_bar += x * x_bar
            x_bar += h * x_bar
        return x_bar, h_bar
        """, """
        h_bar = 0.0
        for each in range(n - 1, -1, -1):
            x = x_tape[each]
            h_bar += x * x_bar
            x_bar += h * x_bar
        return x_bar, h_bar
        """), pullback),
    "once": Pair("simplified", signs, (1.0, 2.0), simplification),
    "constants": Pair("simplified", of_constants, (1.5,), constants),
    "one store": Pair("simplified", cleared, (X, X), stores),
    "dead": Pair("simplified", unread, (1.5, 3), dead_code),
    "a test that is known": Pair("simplified", asked_twice, (U, 0), ("""
        if i > 0:
            if i > 0:
                if i - 1 >= n:
                    raise IndexError('index {} is out of bounds for axis 0 with size {}', i - 1, n)
                total = u[i - 1]
            else:
                total = 0.0
        else:
            total = 0.0
        return total
        """, """
        if i > 0:
            if i - 1 >= n:
                raise IndexError('index {} is out of bounds for axis 0 with size {}', i - 1, n)
            total = u[i - 1]
        else:
            total = 0.0
        return total
        """)),
    "a rule is used up": Pair("functions without their rules", ruled, (1.5,), ("""
        cubed_1 = _cubed(x)
        return cubed_1 + 1.0
        """, """
        cubed_1 = _cubed(x)
        return cubed_1 + 1.0
        """)),
    "a sum of halves": Pair("sums of float16 in float32", summed, (np.ones(5, np.float16), np.ones(5, np.float16)), ("""
        dot = f2_0_0
        for i in range(n):
            dot = np.float16(dot + x[i] * y[i])
        return dot
        """, """
        dot = f4_0
        for i in range(n):
            dot += np.float32(x[i]) * np.float32(y[i])
        return np.float16(dot)
        """)),
    "a row that is made of others": Pair("rows written out", squared, (U,), ("", """
        part = np.empty(n)
        for i in range(n):
            part[i] = x[n - i - 1]
        return part
        """), turned),
    "integers that may leave 64 bits": Pair("integers that fit", hashed, (3,), ("""
        h = 17
        for each in range(n):
            h *= 31
        return h
        """, """
        h = 17
        for each in range(n):
            if not abs(np.float64(h) * 31.0) < 9.223372036854776e+18:
                raise OverflowError('an integer beyond 64 bits, of {} and {}: compiled code has none (target="numpy" has)', h, 31)
            h *= 31
        return h
        """)),
    "an item that may leave 64 bits": Pair("integers of lists that fit", times_nine, (np.arange(3),), ("""
        total = 0.0
        for index_1 in range(n):
            each = k[index_1]
            total += np.float64(each * 9)
        return total
        """, """
        total = 0.0
        for index_1 in range(n):
            each = k[index_1]
            if not abs(np.float64(each) * 9.0) < 9.223372036854776e+18:
                raise OverflowError('an integer beyond 64 bits, of {} and {}: what floats, truths and the items of run-time lists become has none', each, 9)
            total += np.float64(each * 9)
        return total
        """)),
    "examples with their own trips": Pair("examples in lanes", squared, (U,), ("", """
        count = np.empty(n, np.int64)
        examples = np.empty(512, np.int64)
        count_lanes = np.empty(512, np.int64)
        x_lanes = np.empty(512)
        for first in range(0, n, 512):
            rest = n - first
            going = min(512, rest)
            groups = (going + 15) // 16
            last = n - 1
            for lane in range(16 * groups):
                example = first + lane
                example = min(example, last)
                x_1 = x[example]
                examples[lane] = example
                count_lanes[lane] = 0
                x_lanes[lane] = x_1
            while groups > 0:
                moved = 0
                for lane in range(16 * groups):
                    count_1 = count_lanes[lane]
                    x_2 = x_lanes[lane]
                    on = x_2 > 1.0
                    x_3 = 0.5 * x_2
                    count_2 = count_1 + 1
                    moved += np.int64(on)
                    count_3 = count_2 if on else count_1
                    count_lanes[lane] = count_3
                    x_4 = x_3 if on else x_2
                    x_lanes[lane] = x_4
                if 3 * moved <= 32 * (groups - 1):
                    kept = 0
                    for lane in range(16 * groups):
                        count_4 = count_lanes[lane]
                        x_5 = x_lanes[lane]
                        part = examples[lane]
                        examples[kept] = examples[lane]
                        count_lanes[kept] = count_4
                        x_lanes[kept] = x_5
                        count[part] = count_4
                        if x_5 > 1.0:
                            kept += 1
                    groups = (kept + 15) // 16
        return count
        """), batch_of_halvings),
    "a map": Pair("maps as loops", squared, (U,), ("", """
        value = np.empty(n)
        for i in range(n):
            x_1 = x[i]
            if x_1 > 0.0:
                value_1 = x_1 * x_1
            else:
                value_1 = 0.0
            value[i] = value_1
        return value
        """), batched),
}  # fmt: skip


def statements(function: Function) -> str:
    """The statements of a function; "" where it can't be lowered as it is."""
    foreign = any(isinstance(node, Map) or isinstance(node, Equation) and isinstance(node.primitive.emission, Written) for node in walk(function.body))
    return "" if foreign else statements_of(function)


@pytest.mark.parametrize("case", [case for case in PAIRS if PAIRS[case].fun is not ruled])
def test_before_and_after(case: str) -> None:
    assert tuple(map(statements, PAIRS[case].functions())) == PAIRS[case].texts


def test_every_rewrite_has_a_pair() -> None:
    assert {each.step for each in PAIRS.values()} == REWRITES.keys() == set(STEPS)


def test_rules_are_used_up() -> None:
    before, done = PAIRS["a rule is used up"].functions()
    assert has_rules(before) and not has_rules(done)


@pytest.mark.parametrize("case", PAIRS)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 6])
def test_both_do_the_same(case: str, size: int) -> None:
    """Interpreted, and, before and after, as the statements that are shown."""
    before, done = PAIRS[case].functions()
    rng = np.random.default_rng(size)
    args = [given(param, size, rng) for param in before.params]
    wanted = interpret(before, *copy.deepcopy(args))
    for found in (interpret(done, *copy.deepcopy(args)), *(run(each, args) for each in (before, done) if PAIRS[case].fun is not ruled and statements(each))):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-2 if other.dtype == np.float16 else 1e-12)
