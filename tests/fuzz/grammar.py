"""A grammar of random NumPy source: what users write, and all that a reader and a differentiator can get wrong.

Loops (for, while, nested, triangular, reversed, strided, left early, that don't run), branches, stores in place, views,
aliases, swapped buffers, helpers that change their arguments or return arrays and tuples, closures, containers, masks,
reductions, matrix products. Magnitudes stay bounded, so that derivatives can be compared.

A program is `f(a, b, P, x, k)`: a, b of length 5, P 5 by 5, x a float, k an int from 0 to 4, and `loss` of the same
arguments, a float. What is drawn comes from `Draws`: a seeded generator, or Hypothesis.
"""
from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

HEADER = '''"""Made by tests/fuzz/grammar.py."""
import math
import numpy as np


def shift(v, s):
    v += s
    return s * 0.5


def grown(v, s):
    if s > 1.0:
        return v * s
    w = v.copy()
    for i in range(len(w)):
        if w[i] > s:
            break
        w[i] = s - w[i]
    return w


def same(v):
    return v


def pick(v, w, s):
    if s > 0.0:
        return v[0]
    w[0] = s
    return w[1] * 0.5


def both(v, s):
    t = 0.0
    for i in range(len(v)):
        t = 0.5 * t + v[i] * np.cos(s)
    return t, v * np.sin(t)


def smooth(v, w, times):
    for _ in range(times):
        for i in range(1, len(v) - 1):
            w[i] = 0.5 * v[i] * np.cos(v[i - 1]) + 0.25 * v[i + 1]
        v, w = w, v
    return v


def settle(s, t):
    n = 0
    while abs(s) > 0.2 and n < 5:
        s = s * np.cos(t) * 0.7
        n += 1
    return s


'''
TRANSFORMED = """import s2s


def wave(t):
    return np.sin(t) * t


def total(v, s):
    r = 0.0
    for i in range(len(v)):
        r = r + np.sin(v[i] * s) * 0.5
    return r


def layer(v, s):
    w = v * 0.5
    for i in range(1, len(v)):
        w[i] = w[i] + 0.3 * np.tanh(w[i - 1] * s)
    return w


@s2s.custom_jvp
def soft(t):
    return np.log1p(np.exp(t))


@soft.defjvp
def soft_jvp(primals, tangents):
    return soft(primals[0]), tangents[0] / (1.0 + np.exp(-primals[0]))


def body(v, s):
    return layer(v, s) + 0.1 * soft(s)


"""
"""Functions for programs that use transformations themselves."""
SCALARS, VECTORS, MATRICES, INTS = ("x", "y", "z"), ("a", "b", "c", "d"), ("P", "Q"), ("k", "m")
RETURNS = (
    "x, y, z, a * 1.0, b * 1.0, c * 1.0, d * 1.0, P * 1.0, Q.sum(), k, items[0], pair[0]",
    "{'s': x + y * z, 'v': a * d, 'w': (b + c, P @ Q)}",
    "x * y + z + np.sum(a * c) + np.sum(b * d) + np.sum(P * Q.T) + items[0] * pair[0]",
    "[x, (y, z)], a + b, c * d, items[1] * 1.0, pair[1] * 1.0, P - Q, m, box['s'], box['v'] * 1.0",
)  # fmt: skip


class Draws(Protocol):
    """Where choices come from. What comes first is the simplest."""

    def integer(self, low: int, high: int) -> int: ...


class Seeded:
    """Choices of a seeded generator: for runs of thousands."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self.random.randint(low, high)


class Chooser:
    """Choices among things, made of drawn integers."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws

    def pick(self, items: Sequence[Any]) -> Any:
        return items[self.draws.integer(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        return self.draws.integer(0, 99) >= 100 - percent

    def weighted(self, *pairs: tuple[int, Any]) -> Any:
        at = self.draws.integer(0, sum(weight for weight, _ in pairs) - 1)
        for weight, item in pairs:
            if at < weight:
                return item
            at -= weight
        raise AssertionError


class StatementProgram(Chooser):
    """The text of one program of so many statements, in a module with classes of its own. A grammar says what stands before and behind them, and what a statement may be."""

    header = ""
    start: tuple[str, ...] = ()
    returned = ""
    loss = ""

    def __init__(self, draws: Draws, size: int = 4) -> None:
        super().__init__(draws)
        self.size = size

    def text(self) -> str:
        """The module."""
        lines = list(self.start)
        for _ in range(self.size):
            lines += self.statement(2)
        body = "\n".join(f"    {line}" for line in lines)
        return f"{self.header}def f(a, x, n, y, items, table):\n{body}\n    return {self.returned}\n{self.loss}"

    def statement(self, depth: int) -> list[str]:
        """Lines of one statement, with statements in it so deep."""
        raise NotImplementedError

    def body(self, depth: int) -> list[str]:
        """One or two statements, indented."""
        lines = self.statement(depth) + (self.statement(0) if self.draws.integer(0, 1) else [])
        return [f"    {line}" for line in lines]


class Program(Chooser):
    """The text of one program: `size` bounds its statements; `transformed`: with transformations inside."""

    def __init__(self, draws: Draws, size: int = 14, *, transformed: bool = False) -> None:
        super().__init__(draws)
        self.left, self.transformed = size, transformed
        self.lines: list[str] = []
        self.loops: list[tuple[str, bool]] = []
        """Loop indices at hand, each with whether one less and one more are indices too."""
        self.in_loop = False
        self.closures = 0

    # ---- the function ----

    def text(self) -> str:
        """The module."""
        self.emit(0, "def f(a, b, P, x, k):")
        self.emit(1, "y = 0.5; z = 0.25; m = 1")
        if not self.chance(30):
            self.emit(1, "a = a.copy(); b = b + 0.0; P = P * 1.0")
        self.emit(1, self.pick(["c = a * 1.0", "c = np.ones(5)", "c = np.zeros(5)", "c = a.copy()", "c = np.empty(5); c[:] = b"]))
        self.emit(1, self.weighted((6, "d = b + 0"), (1, "d = b"), (1, "d = a[::-1]"), (1, "d = c"), (1, "d = P[1]")))
        self.emit(1, self.weighted((4, "Q = P * 0.5"), (1, "Q = P.T"), (1, "Q = np.zeros((5, 5))"), (1, "Q = P"), (2, "Q = np.outer(a, b) * 0.3")))
        self.emit(1, "items = [x, a * 1.0]; pair = (y, c * 0.5); box = {'s': x * 0.5, 'v': b * 0.5}")
        self.returned = self.pick(RETURNS)
        while self.left > 0 and self.draws.integer(0, 30) > 0:
            self.statement(1)
        self.emit(1, f"return {self.returned}")
        loss = {0: _LOSS_TUPLE, 1: _LOSS_DICT, 2: _LOSS_SCALAR, 3: _LOSS_LIST}[RETURNS.index(self.returned)]
        return HEADER + (TRANSFORMED if self.transformed else "") + "\n".join(self.lines) + "\n" + loss

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    # ---- expressions ----

    def scalar(self, fuel: int = 3) -> str:
        """A float expression that does not grow fast."""
        leaf = [(30, self.scalar_name), (18, self.element), (6, lambda: self.pick(["0.25", "1.5", "-0.5", "2.0"]))]
        if fuel <= 0:
            return self.weighted(*leaf)()
        less = fuel - 1
        return self.weighted(
            *leaf,
            (8, lambda: f"np.tanh({self.scalar(less)})"),
            (8, lambda: f"np.sin({self.scalar(less)})"),
            (6, lambda: f"({self.scalar(less)} + {self.scalar(less)})"),
            (6, lambda: f"({self.scalar(less)} - {self.scalar(less)})"),
            (6, lambda: f"{self.scalar(less)} * np.cos({self.scalar(less)})"),
            (4, lambda: f"0.4 * {self.scalar(less)} * {self.scalar_name()}"),
            (3, lambda: f"{self.scalar(less)} / (1.5 + {self.scalar_name()} ** 2)"),
            (3, lambda: f"({self.scalar(less)} if {self.test(less)} else {self.scalar(less)})"),
            (3, lambda: self.pick([f"max({self.scalar(less)}, {self.scalar(less)})", f"min({self.scalar(less)}, {self.scalar(less)})", f"abs({self.scalar(less)})"])),
            (2, lambda: f"np.maximum({self.scalar(less)}, {self.scalar(less)})"),
            (2, lambda: f"math.sqrt(1.0 + {self.scalar_name()} ** 2)"),
            (3, lambda: f"0.2 * np.sum({self.vector(less)})"),
            (3, lambda: f"0.2 * np.dot({self.vector_name()}, {self.vector_name()})"),
            (2, lambda: f"0.2 * ({self.vector_name()}[{self.piece()}] @ {self.vector_name()}[{self.piece()}])"),
            (2, lambda: self.pick([f"{self.vector_name()}.max()", f"{self.vector_name()}.mean()", f"{self.matrix_name()}.mean()", f"{self.matrix_name()}[1:, 2].sum()"])),
            (2, lambda: f"settle({self.scalar(less)}, {self.scalar_name()})"),
            (1, lambda: f"sum([0.2 * t for t in {self.vector_name()}])"),
            (1, lambda: f"np.prod(np.cos({self.vector_name()}[:3]))"),
        )()

    def scalar_name(self) -> str:
        return self.weighted((8, self.pick(SCALARS)), (1, "items[0]"), (1, "pair[0]"), (1, "box['s']"))

    def vector_name(self) -> str:
        return self.weighted((10, self.pick(VECTORS)), (1, "items[1]"), (1, "pair[1]"), (1, "box['v']"))

    def matrix_name(self) -> str:
        return self.pick(MATRICES)

    def element(self) -> str:
        return self.weighted(
            (12, lambda: f"{self.vector_name()}[{self.index()}]"), (3, lambda: f"{self.matrix_name()}[{self.index()}, {self.index()}]"),
            (1, lambda: f"{self.matrix_name()}.T[{self.index()}][{self.index()}]"), (1, lambda: f"{self.matrix_name()}.reshape(-1)[{self.index()} * 5 + 1]"),
            (1, lambda: f"{self.vector_name()}[::-1][{self.index()}]"),
        )()  # fmt: skip

    def index(self) -> str:
        options = ["0", "1", "-1", "3", "k", "m % 5", "(k + m) % 5"]
        for name, near in self.loops:
            options += [name, name]
            if near:
                options += [f"{name} - 1", f"{name} + 1"]
        return self.pick(options)

    def piece(self) -> str:
        """A slice of length 3."""
        return self.pick(["1:4", "2:", ":3", "::2", "-3:", "3:0:-1"])

    def vector(self, fuel: int = 2) -> str:
        """A new array of length 5."""
        name = self.vector_name
        leaf = [
            (6, lambda: f"{name()} * 0.5"), (3, lambda: f"{name()}.copy()"), (4, lambda: f"np.sin({name()})"), (2, lambda: f"{name()} - 0.25"),
            (2, lambda: f"np.cos({name()}[::-1])"), (2, lambda: f"{self.matrix_name()}[{self.index()}] * 0.5"), (2, lambda: f"{self.matrix_name()}[:, {self.index()}] + 0.1"),
        ]  # fmt: skip
        if fuel <= 0:
            return self.weighted(*leaf)()
        less = fuel - 1
        return self.weighted(
            *leaf,
            (4, lambda: f"0.5 * ({self.vector(less)} + {name()})"),
            (3, lambda: f"({self.vector(less)} - {self.scalar(less)})"),
            (3, lambda: f"{self.vector(less)} * np.cos({name()})"),
            (3, lambda: f"{self.vector(less)} * np.tanh({self.scalar(less)})"),
            (2, lambda: f"0.3 * ({self.matrix_name()} @ {name()})"),
            (1, lambda: f"0.3 * ({name()} @ {self.matrix_name()}.T)"),
            (2, lambda: f"np.where({name()} > {self.scalar(less)}, {name()}, {self.pick([name(), '0.5'])})"),
            (2, lambda: f"grown({name()}, {self.scalar(less)})"),
            (1, lambda: f"both({name()}, {self.scalar(less)})[1]"),
            (1, lambda: f"smooth({name()} * 1.0, {name()}.copy(), {self.pick(['2', 'k', '3'])}) * 1.0"),
            (1, lambda: f"{name()}[[0, 2, 1, 1, 4]]"),
            (1, lambda: f"np.concatenate(({name()}[2:], {name()}[:2]))"),
            (1, lambda: f"0.3 * np.cumsum({name()})"),
            (1, lambda: f"np.roll({name()}, 1)"),
            (1, lambda: f"np.maximum({name()}, {self.scalar_name()})"),
            (1, lambda: f"0.3 * {self.matrix_name()}.sum(axis={self.pick(['0', '1'])})"),
            (1, lambda: f"np.array([x, y, z, {name()}[1], {self.scalar(less)}])"),
            (1, lambda: f"np.array([np.sin(t) for t in {name()}])"),
            (1, lambda: f"np.clip({name()}, -0.7, 0.9)"),
            (1, lambda: f"np.diag({self.matrix_name()}) * 0.5"),
        )()

    def matrix(self) -> str:
        name = self.matrix_name
        return self.weighted(
            (4, lambda: f"{name()} * 0.5"), (2, lambda: f"np.sin({name()})"), (2, lambda: f"{name()}.T * 0.5"), (2, lambda: f"0.3 * ({name()} @ {name()})"),
            (2, lambda: f"{name()} * np.cos({self.scalar(1)})"), (1, lambda: f"0.3 * np.outer({self.vector_name()}, {self.vector_name()})"),
            (2, lambda: f"0.5 * ({name()} + {self.vector_name()})"), (1, lambda: f"np.tanh({name()} - {self.vector_name()}[:, None])"), (1, lambda: f"{name()}.copy()"),
            (1, lambda: f"np.where({name()} > 0.0, {name()}, 0.1 * {name()})"), (1, lambda: f"np.tril({name()})"),
        )()  # fmt: skip

    def test(self, fuel: int = 2) -> str:
        return self.weighted(
            (7, lambda: f"{self.scalar(fuel - 1)} {self.pick(['<', '>', '>='])} {self.scalar(fuel - 1)}"),
            (1, lambda: f"{self.pick(INTS)} % 2 == 0"), (1, lambda: f"not {self.scalar_name()} > 0.1"), (1, lambda: f"{self.index()} < {self.index()}"),
            (1, lambda: f"({self.test(fuel - 1)} {self.pick(['and', 'or'])} {self.test(fuel - 1)})" if fuel > 0 else "x > 0.0"),
        )()  # fmt: skip

    # ---- statements ----

    def statement(self, depth: int) -> None:
        self.left -= 1
        kinds: list[tuple[int, Callable[[int], None]]] = [
            (5, self.assign_scalar), (5, self.store), (3, self.assign_vector), (3, self.augment), (2, self.whole), (2, self.containers), (2, self.call),
            (1, self.swap), (1, self.alias), (1, self.assign_matrix), (1, self.assign_int), (2, self.view_store), (1, self.closure),
        ]  # fmt: skip
        if self.transformed:
            kinds += [(6, self.transform)]
        if depth < 5:
            kinds += [(4, self.branch), (6, self.loop), (2, self.while_loop)]
        if self.in_loop:
            kinds += [(2, self.leave)]
        self.weighted(*kinds)(depth)

    def body(self, depth: int) -> None:
        for _ in range(self.draws.integer(1, 3)):
            self.statement(depth)

    def assign_scalar(self, depth: int) -> None:
        target = self.weighted((10, self.pick(SCALARS)), (1, "items[0]"), (1, "box['s']"))
        if self.chance(15):
            self.emit(depth, f"t = {self.scalar()}")
            self.emit(depth, f"{target} = t * 0.5")
        elif self.chance(10):
            self.emit(depth, f"{target} = {self.pick(SCALARS)} = {self.scalar()}" if "[" not in target else f"{target} = {self.scalar()}")
        else:
            self.emit(depth, f"{target} = {self.scalar()}")

    def assign_vector(self, depth: int) -> None:
        target = self.weighted((8, self.pick(VECTORS)), (1, "items[1]"), (1, "box['v']"))
        self.emit(depth, f"{target} = {self.vector()}")

    def assign_matrix(self, depth: int) -> None:
        self.emit(depth, f"{self.matrix_name()} = {self.matrix()}")

    def assign_int(self, depth: int) -> None:
        self.emit(depth, f"{self.pick(INTS)} = ({self.pick(INTS)} + {self.draws.integer(0, 3)}) % 5")

    def swap(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        self.emit(depth, self.weighted(
            (4, f"{one}, {two} = {two}, {one}"), (1, "P, Q = Q, P"), (2, "x, y = y, x * np.cos(y)"), (1, f"{one}, {two} = {two}, {one} * 0.5"), (1, "a, b, c = b, c, a"),
        ))  # fmt: skip

    def alias(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        self.emit(depth, self.pick([f"{one} = {two}", f"{one} = {two}[::-1]", f"{one} = same({two})", f"{one} = P[2]", f"{one} = Q[:, 1]", f"items[1] = {two}", "Q = P.T"]))

    def store(self, depth: int) -> None:
        name = self.vector_name()
        self.emit(depth, self.weighted(
            (8, lambda: f"{name}[{self.index()}] = {self.scalar()}"),
            (4, lambda: f"{name}[{self.index()}] {self.pick(['+=', '-='])} {self.scalar(2)}"),
            (2, lambda: f"{name}[{self.index()}] *= np.cos({self.scalar(1)})"),
            (3, lambda: f"{name}[{self.piece()}] = {self.vector_name()}[{self.piece()}] * {self.pick(['0.5', 'np.sin(x)', 'np.cos(y)'])}"),
            (2, lambda: f"{name}[{self.piece()}] {self.pick(['+=', '-='])} 0.5 * {self.vector_name()}[{self.piece()}]"),
            (1, lambda: f"{name}[{self.piece()}] = {self.scalar(1)}"),
            (1, lambda: f"{name}[{self.vector_name()} > {self.scalar(1)}] = {self.scalar(1)}"),
            (1, lambda: f"{name}[{name} > {self.scalar(1)}] *= 0.5"),
            (1, lambda: f"{name}[[0, 2, 4]] = {self.vector_name()}[{self.piece()}]"),
            (3, lambda: f"{self.matrix_name()}[{self.index()}, {self.index()}] = {self.scalar(2)}"),
            (1, lambda: f"{self.matrix_name()}[{self.index()}, {self.index()}] += {self.scalar(2)}"),
            (2, lambda: f"{self.matrix_name()}[{self.index()}] = {self.vector(1)}"),
            (1, lambda: f"{self.matrix_name()}[:, {self.index()}] = {self.vector(1)}"),
            (1, lambda: f"{self.matrix_name()}[1:4, :2] = {self.matrix_name()}[:3, 2:4] * 0.5"),
            (1, lambda: f"{self.matrix_name()}[{self.index()}] -= 0.5 * {self.matrix_name()}[{self.index()}]"),
            (1, lambda: f"{self.matrix_name()}[{self.index()}, {self.piece()}] += {self.vector_name()}[{self.piece()}]"),
        )())  # fmt: skip

    def view_store(self, depth: int) -> None:
        first, second = self.weighted(
            (3, (f"w = {self.vector_name()}[1:]", f"w[{self.pick(['0', '1', 'k % 4'])}] = {self.scalar(2)}")),
            (2, (f"w = {self.matrix_name()}[{self.index()}]", f"w[{self.index()}] = {self.scalar(2)}")),
            (1, (f"w = {self.matrix_name()}[:, {self.index()}]", f"w[{self.index()}] += {self.scalar(2)}")),
            (1, (f"w = {self.matrix_name()}.T", f"w[{self.index()}, {self.index()}] = {self.scalar(2)}")),
            (1, (f"w = {self.matrix_name()}[1:4]", f"w[1] = {self.vector(1)}")),
            (1, (f"w = {self.vector_name()}[::2]", "w *= 0.5")),
            (1, (f"w = {self.vector_name()}[1:4]", f"w += {self.scalar(1)}")),
        )
        self.emit(depth, first)
        if self.chance(30):
            self.emit(depth, f"{self.pick(SCALARS)} = {self.scalar(1)}")
        self.emit(depth, second)

    def whole(self, depth: int) -> None:
        """A whole array written in place, or read as a whole after single stores."""
        self.emit(depth, self.weighted(
            (2, lambda: f"{self.pick(VECTORS)}[:] = {self.vector(1)}"), (1, lambda: f"{self.pick(MATRICES)}[...] = {self.matrix()}"),
            (1, lambda: f"{self.pick(VECTORS)}[:] = {self.scalar(1)}"), (1, lambda: f"{self.pick(VECTORS)}.sort()" if self.chance(5) else f"{self.pick(VECTORS)} *= 0.5"),
            (1, lambda: f"{self.pick(SCALARS)} = 0.2 * ({self.matrix_name()} @ {self.vector_name()}).sum()"),
        )())  # fmt: skip

    def augment(self, depth: int) -> None:
        self.emit(depth, self.weighted(
            (4, lambda: f"{self.pick(SCALARS)} {self.pick(['+=', '-='])} {self.scalar(2)}"), (2, lambda: f"{self.pick(SCALARS)} *= np.cos({self.scalar(1)})"),
            (3, lambda: f"{self.pick(VECTORS)} {self.pick(['+=', '-='])} {self.pick(['0.5 * ' + self.vector_name(), self.scalar(1)])}"),
            (1, lambda: f"{self.pick(VECTORS)} *= np.cos({self.vector_name()})"), (1, lambda: f"{self.pick(MATRICES)} *= 0.5"),
            (1, lambda: f"{self.pick(MATRICES)} += 0.3 * {self.vector_name()}"), (1, lambda: f"{self.pick(SCALARS)} /= 1.5 + {self.scalar_name()} ** 2"),
        )())  # fmt: skip

    def containers(self, depth: int) -> None:
        self.emit(depth, self.weighted(
            (1, lambda: f"items[0] = {self.scalar(1)}"), (1, lambda: f"items[1] = {self.vector(1)}"), (1, lambda: f"items[1][{self.index()}] = {self.scalar(1)}"),
            (1, lambda: f"pair = ({self.scalar(1)}, pair[1])"), (1, lambda: f"pair = (pair[0], {self.vector(1)})"), (1, lambda: f"pair[1][2] = {self.scalar(1)}"),
            (1, lambda: f"items = [items[0] * 0.5, {self.vector(1)}]"), (1, lambda: f"box['v'][{self.index()}] += {self.scalar(1)}"), (1, lambda: f"box['s'] += {self.scalar(1)}"),
            (1, lambda: f"y, {self.pick(VECTORS)} = both({self.vector_name()}, {self.scalar(1)})"), (1, lambda: f"box = {{'s': {self.scalar(1)}, 'v': {self.vector(1)}}}"),
        )())  # fmt: skip

    def call(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        self.emit(depth, self.weighted(
            (2, lambda: f"shift({one}, {self.scalar(1)})"), (1, lambda: f"y = shift({one}[1:4], {self.scalar(1)})"), (2, lambda: f"z = pick({one}, {two}, {self.scalar(1)})"),
            (1, lambda: f"{one} = grown({two}, {self.scalar(1)})"), (1, lambda: f"{one} = smooth({one}, {two} * 1.0, {self.pick(['1', '2', 'k'])})"),
            (1, lambda: f"x, items[1] = both({one}, {self.scalar(1)})"), (1, lambda: f"shift(P[{self.index()}], {self.scalar(1)})"),
        )())  # fmt: skip

    def transform(self, depth: int) -> None:
        """A derivative, a checkpoint or a custom rule inside the program."""
        one, name = self.pick(SCALARS), self.vector_name
        self.emit(depth, self.weighted(
            (2, lambda: f"{one} = s2s.grad(wave)({self.scalar(1)})"),
            (2, lambda: f"{self.pick(VECTORS)} = s2s.grad(total)({name()}, {self.scalar(1)})"),
            (1, lambda: f"{one}, {self.pick(VECTORS)} = s2s.value_and_grad(total)({name()} * 1.0, {self.scalar_name()})"),
            (1, lambda: f"{one} = s2s.grad(total, argnums=1)({name()}, {self.scalar(1)})"),
            (2, lambda: f"{one} = s2s.jvp(wave, ({self.scalar(1)},), ({self.scalar_name()},))[1]"),
            (1, lambda: f"{self.pick(VECTORS)} = s2s.jvp(layer, ({name()}, {self.scalar_name()}), ({name()}, {self.scalar_name()}))[1]"),
            (2, lambda: f"{self.pick(VECTORS)} = s2s.vjp(layer, {name()}, {self.scalar_name()})[1]({name()} * 1.0)[0]"),
            (2, lambda: f"{self.pick(VECTORS)} = s2s.checkpoint(layer)({name()}, {self.scalar(1)})"),
            (1, lambda: f"{self.pick(VECTORS)} = s2s.checkpoint(body)({name()}, {self.scalar(1)})"),
            (1, lambda: f"{one} = s2s.checkpoint(settle)({self.scalar(1)}, {self.scalar_name()})"),
            (2, lambda: f"{one} = soft({self.scalar(1)})"),
            (1, lambda: f"{self.pick(VECTORS)} = soft({name()})"),
            (1, lambda: f"{self.pick(MATRICES)} = s2s.jacfwd(layer)({name()}, {self.scalar_name()})"),
            (1, lambda: f"{self.pick(MATRICES)} = s2s.jacrev(layer)({name()}, {self.scalar_name()})"),
            (1, lambda: f"{self.pick(MATRICES)} = s2s.hessian(total)({name()}, {self.scalar_name()})"),
            (1, lambda: f"{one} = s2s.grad(s2s.grad(wave))({self.scalar(1)})"),
            (1, lambda: f"{one} = s2s.grad(lambda t: s2s.grad(lambda u: np.sin(t * u))({self.scalar_name()}) * t)({self.scalar(1)})"),
            (1, lambda: f"{one} = s2s.grad(lambda t: t * np.sum(s2s.checkpoint(layer)({name()}, t)))({self.scalar(1)})"),
        )())  # fmt: skip

    def closure(self, depth: int) -> None:
        """A function inside the function, that sees its variables."""
        name = f"g{self.closures}"
        self.closures += 1
        if self.chance(60):
            self.emit(depth, f"{name} = lambda t: {self.pick(['t * np.cos(x)', 'np.sin(t) + 0.1 * y', '0.3 * t * z + a[0]'])}")
        else:
            self.emit(depth, f"def {name}(t):")
            self.emit(depth + 1, "s = 0.0")
            self.emit(depth + 1, self.pick(["for j in range(3):", "for j in range(k):"]))
            self.emit(depth + 2, self.pick(["s += 0.3 * t * np.cos(s + x)", "s = s * 0.5 + b[j] * t"]))
            self.emit(depth + 1, "return s")
        self.emit(depth, f"{self.pick(SCALARS)} = {name}({self.scalar(1)})")

    def branch(self, depth: int) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.body(depth + 1)
        if self.chance(25):
            self.emit(depth, f"elif {self.test()}:")
            self.body(depth + 1)
        if self.chance(45):
            self.emit(depth, "else:")
            self.body(depth + 1)

    def loop(self, depth: int) -> None:
        name = f"i{len(self.loops)}"
        options = [("range(3)", False), ("range(k)", False), ("range(5)", False), ("range(1, 4)", True), ("range(1, len(a) - 1)", True),
                   ("range(4, 0, -1)", False), ("range(4, -1, -2)", False), ("range(k, 4)", False), ("range(3, k)", False), ("range(0, 5, 2)", False),
                   ("range(len(a) - 2, 0, -1)", True)]  # fmt: skip
        for outer, _ in self.loops:
            options += [(f"range({outer})", False), (f"range({outer} + 1)", False), (f"range({outer}, 5)", False)] * 2
        source, near = self.pick(options)
        header = self.weighted(
            (8, f"for {name} in {source}:"), (1, f"for {name}, t in enumerate({self.pick(VECTORS)}):"), (1, f"for t, s in zip({self.pick(VECTORS)}, {self.pick(VECTORS)}):"),
            (1, f"for t in {self.pick(VECTORS)}:"),
        )  # fmt: skip
        self.emit(depth, header)
        has_index = f" {name} in" in header or f" {name}, t" in header
        if " t" in header:
            self.emit(depth + 1, f"{self.pick(SCALARS)} = 0.5 * t + {self.scalar(1)}")
        outer_in_loop, self.in_loop = self.in_loop, True
        if has_index:
            self.loops.append((name, near and "enumerate" not in header))
        self.body(depth + 1)
        if has_index:
            self.loops.pop()
        self.in_loop = outer_in_loop
        if self.chance(10):
            self.emit(depth, "else:")
            self.emit(depth + 1, f"y = {self.scalar(1)}")

    def while_loop(self, depth: int) -> None:
        self.emit(depth, f"n{depth} = 0")
        self.emit(depth, f"while n{depth} < {self.pick(['3', '4', 'k'])} and {self.test(1)}:" if self.chance(70) else f"while n{depth} < 3:")
        self.emit(depth + 1, f"n{depth} += 1")
        outer_in_loop, self.in_loop = self.in_loop, True
        self.body(depth + 1)
        self.in_loop = outer_in_loop

    def leave(self, depth: int) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, self.weighted((2, "continue"), (2, "break"), (1, f"return {self.returned}")))


_LOSS_TUPLE = """

def loss(a, b, P, x, k):
    x, y, z, a, b, c, d, P, q, k, first, second = f(a, b, P, x, k)
    weights = np.arange(1.0, 6.0)
    return 0.3 * x + y * z + np.sum(a * weights) - np.sum(b * c) + np.sum(np.sin(d)) + np.sum(P * weights) * 0.1 + 0.1 * q + first * second
"""
_LOSS_DICT = """

def loss(a, b, P, x, k):
    out = f(a, b, P, x, k)
    weights = np.arange(1.0, 6.0)
    return out["s"] + np.sum(out["v"] * weights) + np.sum(out["w"][0] * weights) * 0.5 + np.sum(out["w"][1] * weights) * 0.1
"""
_LOSS_SCALAR = """

def loss(a, b, P, x, k):
    return f(a, b, P, x, k)
"""
_LOSS_LIST = """

def loss(a, b, P, x, k):
    (x, (y, z)), ab, cd, items, pair, P, m, s, v = f(a, b, P, x, k)
    weights = np.arange(1.0, 6.0)
    return x * y + z + np.sum(ab * weights) + np.sum(np.sin(cd)) + np.sum(items * pair) + np.sum(P * weights) * 0.1 + s + np.sum(v * weights)
"""
