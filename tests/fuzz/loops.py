"""A grammar of loop programs at any sizes: sweeps, recurrences, nests, buffers, counters; in float64, float32 and complex numbers.

What compiled code is rewritten for (fused, vectorised, kept in registers, bounds proven) lives in loops over elements. Here each
index is in bounds for arrays of every length, 0 and 1 included, so that a program runs at points of different sizes (`points`).

A program is `f(a, b, P, x, k)`: a, b of length n, P n by m, a number x, an int k from 0 to 4, and `loss` of them, a float.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .grammar import Chooser, Draws

KINDS = ("real", "single", "complex")
HELPERS = '''"""Made by tests/fuzz/loops.py."""
import math
import numpy as np
import s2s

KIND = {kind!r}


def relax(u, s):
    for i in range(1, len(u) - 1):
        u[i] = 0.5 * u[i] + 0.25 * s * (u[i - 1] - u[i + 1])


def backward(u, w):
    for i in range(len(u) - 2, -1, -1):
        u[i] = u[i] - 0.4 * w[i] * u[i + 1]
    return u


def march(u, steps, s):
    w = np.zeros_like(u)
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            w[i] = u[i] + 0.2 * s * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        u, w = w, u
    return u


def sweep(A, B):
    for i in range(1, A.shape[0]):
        for j in range(1, A.shape[1]):
            A[i, j] = 0.3 * (A[i - 1, j] + A[i, j - 1]) + 0.5 * B[i, j]


def first_above(u, s):
    for i in range(len(u)):
        if abs(u[i]) > abs(s):
            return u[i] * 0.5
    return s


def horner(u, s):
    r = 0.0 * s
    for i in range(len(u) - 1, -1, -1):
        r = r * 0.5 * s / (1.0 + abs(s)) + u[i]
    return r


def halved(s, t):
    n = 0
    while abs(s) > 0.1 and n < 6:
        s = s * 0.5 + 0.1 * t / (1.5 + abs(t))
        n += 1
    return s


def marched(u, steps, s):
    return march(u * 1.0, steps, s)


@s2s.checkpoint(steps=2)
def kept(u, s):
    for i in range(1, len(u)):
        s = 0.5 * s * u[i] / (1.0 + abs(u[i])) + 0.1 * u[i - 1]
        u[i] = u[i] + 0.3 * s
    return s


@s2s.checkpoint(steps="auto")
def settled(s, t):
    n = 0
    while abs(s) > 0.05 and n < 9:
        s = s * 0.6 / (1.0 + 0.1 * abs(t))
        n += 1
    return s


@s2s.custom_vjp
def scaled(u, s):
    return u * s


def scaled_fwd(u, s):
    return u * s, (u, s)


def scaled_bwd(kept, bar):
    u, s = kept
    return bar * s, np.sum(bar * u)


scaled.defvjp(scaled_fwd, scaled_bwd)


def energy(u, s):
    r = 0.0
    for i in range(1, len(u)):
        r += 0.3 * abs(u[i] * s - u[i - 1]) ** 2
    return r


'''
RETURNED = "x, y, z, a * 1.0, b * 1.0, c * 1.0, d * 1.0, v * 1.0, P * 1.0, Q * 1.0, S * 1.0, e.sum(), m"
LOSS = """

def loss(a, b, P, x, k):
    x, y, z, a, b, c, d, v, P, Q, S, e, m = f(a, b, P, x, k)
    weights = np.arange(len(a)) * 0.1 + 0.3
    r = 0.3 * x + y * z + np.sum(a * weights) - np.sum(b * c) + 0.5 * np.sum(d * weights) + np.sum(v * v)
    r = r + 0.2 * np.sum(P * Q) + 0.1 * np.sum(S * weights) + np.sum(P.T * weights) * 0.1
    return np.real(r)
"""
VECTORS, SCALARS, MATRICES = ("a", "b", "c", "d"), ("x", "y", "z"), ("P", "Q")


@dataclass(frozen=True)
class Index:
    """A loop index at hand: of vectors ("n") or columns ("m"), with so many valid indices below and above it."""

    name: str
    extent: str
    below: int
    above: int


class LoopProgram(Chooser):
    """The text of one program: `size` bounds its statements; `kind`: of its numbers; `plain`: all scalars are float32 as the arrays are, not Python's."""

    returned = RETURNED

    def __init__(self, draws: Draws, size: int = 8, kind: str = "real", *, transformed: bool = False) -> None:
        super().__init__(draws)
        self.left, self.kind, self.transformed = size, kind, transformed
        self.plain = kind == "single" and not self.chance(15)
        self.lines: list[str] = []
        self.indices: list[Index] = []
        self.in_loop = False
        self.names = 0

    def text(self) -> str:
        """The module."""
        self.emit(0, "def f(a, b, P, x, k):")
        if self.plain:
            self.emit(1, "x = np.float32(x)")
        self.emit(1, "y = 0.5 * x; z = 0.25 * x; m = 1; n = len(a)")
        if not self.chance(30):
            self.emit(1, "a = a.copy(); b = b + 0.0; P = P * 1.0")
        self.emit(1, self.pick(["c = a * 0.5", "c = np.zeros_like(a)", "c = np.empty_like(a); c[:] = b", "c = b.copy()"]))
        self.emit(1, self.weighted((5, "d = b * 0.5"), (2, "d = np.zeros_like(b)"), (1, "d = b"), (1, "d = a[::-1]"), (1, "d = c")))
        self.emit(1, self.weighted((3, "Q = P * 0.5"), (2, "Q = np.zeros_like(P)"), (1, "Q = P")))
        self.emit(1, self.pick(["v = P.sum(axis=0) * 0.3", "v = np.zeros(P.shape[1], a.dtype)", "v = 0.2 * (a @ P)"]))
        self.emit(1, self.pick(["S = 0.3 * a[:, None] * b", "S = np.zeros((n, n), a.dtype)", "S = 0.3 * np.outer(b, b)"]))
        self.emit(1, self.pick(["e = np.zeros(n, dtype=np.int64)", "e = np.arange(n)", "e = (np.arange(n) * 3 + k) % max(n, 1)"]))
        while self.left > 0:
            self.weighted((6, self.loop), (2, self.nest), (1, self.buffers), (2, self.statement))(1)
        self.emit(1, f"return {self.returned}")
        return HELPERS.replace("{kind!r}", repr(self.kind)) + "\n".join(self.lines) + "\n" + LOSS

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    @property
    def complex(self) -> bool:
        return self.kind == "complex"

    def number(self, text: str) -> str:
        """A number, of the arrays' dtype where all scalars are: one that is Python's on one path and float32 on another is refused."""
        return f"np.float32({text})" if self.plain else text

    # ---- expressions ----

    def at(self, extent: str) -> str | None:
        """An index in bounds, where a loop over such an extent goes on."""
        options: list[str] = []
        size = "n" if extent == "n" else "P.shape[1]"
        for index in self.indices:
            if index.extent != extent:
                continue
            options += [index.name] * 3 + [f"{size} - 1 - {index.name}", f"({index.name} + m) % {size}", f"({index.name} * 2 + 1) % {size}", "0", "-1"]
            options += [f"{index.name} - 1"] * (2 * min(index.below, 1)) + [f"{index.name} + 1"] * (2 * min(index.above, 1))
            if extent == "n":
                options += [f"e[{index.name}] % n"]
        return self.pick(options) if options else None

    def element(self) -> str:
        """An element of an array; a name where no index is at hand."""
        i, j = self.at("n"), self.at("m")
        options: list[Callable[[], str]] = [lambda: self.pick(SCALARS)]
        if i is not None:
            options += [lambda: f"{self.pick(VECTORS)}[{i}]"] * 5 + [lambda: f"S[{i}, {self.at('n')}]"]
        if j is not None:
            options += [lambda: f"v[{j}]"]
        if i is not None and j is not None:
            options += [lambda: f"{self.pick(MATRICES)}[{i}, {j}]"] * 4
        return self.pick(options)()

    def scalar(self, fuel: int = 2) -> str:
        """An expression that does not grow fast."""
        leaf = [(6, self.element), (2, lambda: self.pick(SCALARS)), (1, lambda: self.number(self.pick(["0.25", "-0.5", "1.5"])))]
        if fuel <= 0:
            return self.weighted(*leaf)()
        less = fuel - 1
        return self.weighted(
            *leaf,
            (3, lambda: f"({self.scalar(less)} {self.pick(['+', '-'])} {self.scalar(less)})"),
            (3, lambda: f"0.5 * {self.element()} * {self.bounded(less)}"),
            (3, lambda: self.bounded(less)),
            (1, lambda: f"({self.scalar(less)} if {self.test(less)} else {self.scalar(less)})"),
            (1, lambda: f"halved({self.scalar(less)}, {self.element()})"),
            (1, lambda: f"0.2 * np.sum({self.part()})"),
            (1, lambda: self.pick(["horner(a[1:], x)", "first_above(b, y)", "0.2 * np.sum(a * b)", "horner(c[::2], y)", "0.1 * np.sum(S.T * d)", "0.1 * (a @ S @ b)"])),
        )()

    def bounded(self, fuel: int) -> str:
        """A smooth or kinked function of an expression, of modest size."""
        inner = self.scalar(fuel)
        if self.complex:
            return self.pick([
                f"np.exp(1j * np.real({inner}))", f"np.conj({inner})", f"{inner} / (1.5 + abs({self.element()}))", f"(1j * {inner}).imag", f"np.sin(np.real({inner}))",
                f"np.maximum(np.real({inner}), np.imag({self.element()}))", f"({inner}).real", f"np.sqrt(2.0 + abs({inner}))", f"abs({inner})",
            ])  # fmt: skip
        return self.pick([
            f"np.tanh({inner})", f"np.sin({inner})", f"np.cos({inner})", f"np.exp(-({inner}) ** 2)", f"np.log(1.0 + ({inner}) ** 2)", f"np.sqrt(1.0 + ({inner}) ** 2)",
            f"1.0 / (1.0 + np.exp(-np.tanh({inner})))", f"max({inner}, {self.element()})", f"min({inner}, {self.element()})", f"abs({inner})",
            f"np.maximum({inner}, {self.element()})", f"np.where({inner} > {self.element()}, {self.element()}, 0.5)", f"np.log1p(abs({inner}))", f"np.arctan({inner})" if self.plain else f"math.atan({inner})",
        ])  # fmt: skip

    def part(self) -> str:
        """A slice, of varying length where an index is at hand."""
        name = self.pick(VECTORS)
        options = [f"{name}[1:]", f"{name}[:-1]", f"{name}[::2]", f"{name}[::-1]", f"{name}[k:]", f"{name}[:k]"]
        options += [text for i in self.indices if i.extent == "n" for text in (f"{name}[:{i.name}]", f"{name}[{i.name}:]", f"{name}[{i.name} + 1:]", f"S[{i.name}, :{i.name}]")]
        return self.pick(options)

    def vector(self) -> str:
        """A new array of length n."""
        name = lambda: self.pick(VECTORS)  # noqa: E731
        options = [
            f"{name()} * 0.5", f"{name()}.copy()", f"0.5 * ({name()} + {name()})", f"{name()} * {self.bounded(0)}", f"0.3 * (S @ {name()})", "0.3 * (P @ v)", f"{name()}[::-1] * 0.5",
            f"np.where(np.real({name()}) > np.real({self.pick(SCALARS)}), {name()}, {name()} * 0.5)", f"np.conj({name()})", f"abs({name()})", f"0.3 * np.cumsum({name()})",
            f"march({name()} * 1.0, {self.pick(['2', 'k'])}, {self.bounded(0)})", f"{name()}[e % max(n, 1)]", "0.3 * P.sum(axis=1)", f"backward({name()}.copy(), {name()})",
            f"np.concatenate(({name()}[1:], {name()}[:1]))",
        ]  # fmt: skip
        if not self.complex:
            options += [f"np.tanh({name()})", f"np.exp(-{name()} ** 2)", f"np.log1p({name()} ** 2)", f"np.maximum({name()}, {name()})", f"np.clip({name()}, -0.7, 0.9)", f"np.sin({name()})"]
        return self.pick(options)

    def test(self, fuel: int = 1) -> str:
        real = (lambda text: f"np.real({text})") if self.complex else (lambda text: text)
        options = [f"{real(self.scalar(fuel - 1))} {self.pick(['>', '<'])} {real(self.scalar(fuel - 1))}", f"abs({self.element()}) > 0.4", "m % 2 == 0", "k > 1"]
        options += [f"{index.name} {self.pick(['> k', '% 2 == 0', '< 2'])}" for index in self.indices] + [f"e[{i.name}] > 1" for i in self.indices if i.extent == "n"]
        return self.pick(options)

    # ---- statements ----

    def statement(self, depth: int) -> None:
        self.left -= 1
        kinds: list[tuple[int, Any]] = [(3, self.assign), (1, self.whole), (1, self.call), (1, self.renamed), (1, self.sliced)]
        if self.at("n") is not None:
            kinds += [(8, self.store), (1, self.count), (2, self.sliced)]
        if depth < 5:
            kinds += [(2, self.branch), (3, self.loop), (1, self.while_loop)]
        if self.in_loop:
            kinds += [(1, self.leave)]
        if self.transformed:
            kinds += [(4, self.transform)]
        self.weighted(*kinds)(depth)

    def body(self, depth: int) -> None:
        for _ in range(self.draws.integer(1, 3)):
            self.statement(depth)

    def assign(self, depth: int) -> None:
        name = self.pick(SCALARS)
        self.emit(depth, self.pick([
            f"{name} = {self.scalar()}", f"{name} = 0.5 * {name} + {self.scalar(1)}", f"{name} += 0.3 * {self.scalar(1)}", f"{name} -= 0.3 * {self.element()} * {self.bounded(0)}",
            f"{name} *= {self.bounded(0)} * 0.5", "m += 1", "m = (m * 2 + k) % 5",
        ]))  # fmt: skip

    def store(self, depth: int) -> None:
        i, j = self.at("n"), self.at("m")
        target = f"{self.pick(VECTORS)}[{i}]"
        if j is not None and self.chance(60):
            target = f"{self.pick(MATRICES)}[{i}, {j}]" if self.chance(85) else f"v[{j}]"
        elif self.chance(12):
            target = f"S[{i}, {self.at('n')}]"
        self.emit(depth, self.weighted(
            (5, f"{target} = {self.scalar()}"), (3, f"{target} = 0.5 * {target} + 0.25 * {self.element()} - 0.25 * {self.element()}"), (3, f"{target} += 0.3 * {self.scalar(1)}"),
            (1, f"{target} -= 0.3 * {self.element()} * {self.element()} / (1.0 + abs({self.element()}))"), (1, f"{target} *= {self.bounded(0)} * 0.5"),
            (1, f"{target}, {self.pick(SCALARS)} = {self.pick(SCALARS)}, {target}"),
        ))  # fmt: skip

    def sliced(self, depth: int) -> None:
        """Parts of arrays written at once, which other parts of the same may be read for."""
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        options = [
            f"{one}[1:] = 0.5 * {two}[:-1]", f"{one}[:-1] += 0.3 * {two}[1:]", f"{one}[::2] *= 0.5", f"{one}[:] = {self.vector()}", f"{one}[::-1] = {two} * 0.5", f"{one}[:k] = {self.pick(SCALARS)}",
            f"{one}[1:-1] = 0.3 * ({one}[:-2] + {two}[2:])", "P[1:] = 0.5 * P[:-1] + 0.1 * Q[1:]", "Q[:, 1:] -= 0.3 * P[:, :-1]", "v[:] = 0.3 * (a @ P)", "Q *= 0.5",
            f"w = {one}[1:]; w *= 0.5; w += 0.1 * {two}[1:]", "P[:, ::-1] = 0.5 * Q",
        ]  # fmt: skip
        for index in self.indices:
            i = index.name
            if index.extent == "n":
                options += [
                    f"{one}[{i}:] *= 0.8", f"{one}[:{i}] = {two}[:{i}] * 0.5", f"{one}[{i} + 1:] -= 0.3 * {self.element()} * {two}[{i} + 1:]", f"S[{i}, :{i}] = 0.5 * {one}[:{i}]",
                    f"S[{i}] = 0.3 * {one}", f"P[{i}] = 0.5 * P[{i}] + 0.3 * v", f"v += 0.2 * {one}[{i}] * Q[{i}]", f"w = {one}[{i}:]; w[0] = {self.scalar(1)}",
                    f"w = P[{i}]; w *= 0.5", f"{one}[{i}] = 0.2 * np.sum({two}[:{i}] * {one}[:{i}])", f"{one}[{i}] -= 0.2 * (S[{i}, :{i}] @ {two}[:{i}])", f"S[{i} + 1:, {i}] *= 0.5",
                ]  # fmt: skip
            else:
                options += [f"P[:, {i}] = 0.5 * {one}", f"v[{i}] = 0.2 * np.sum(P[:, {i}] * {one})", f"Q[:, {i}] += 0.1 * {one} * v[{i}]", f"v[{i}:] *= 0.7"]
        self.emit(depth, self.pick(options))

    def count(self, depth: int) -> None:
        """Counters in an array of integers, and what they choose."""
        i = self.at("n")
        self.emit(depth, self.pick([f"e[{i}] += 1", f"e[{i}] = (e[{i}] * 2 + k) % n", f"c[e[{i}] % n] += 0.3 * a[{i}]", f"e[{i}] = m", f"if a[{i}].real > 0.0: e[{i}] += 1"]))

    def whole(self, depth: int) -> None:
        self.emit(depth, self.pick([f"{self.pick(VECTORS)} = {self.vector()}", "Q = 0.5 * (P - Q)", "P = P * 0.5", "S = 0.3 * (S + S.T)", "S = 0.2 * (P @ Q.T)", "v = 0.3 * (b @ Q)", "S = 0.1 * (S @ S)"]))

    def renamed(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        self.emit(depth, self.pick([f"{one}, {two} = {two}, {one}", "P, Q = Q, P", f"{one} = {two}", "x, y = y, x * 0.5", "a, b, c = b, c, a", f"{one} = {two}[::-1]", "Q = P.copy()"]))

    def call(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        self.emit(depth, self.pick([
            f"relax({one}, {self.bounded(0)})", f"backward({one}, {two} * 0.5)", f"{one} = backward({two} * 1.0, {one})", "sweep(P, Q * 1.0)", f"y = horner({one}, {self.scalar(0)})",
            f"z = first_above({one}, {self.scalar(0)})", f"{one} = march({one} * 1.0, {self.pick(['1', '3', 'k'])}, 0.5)", "relax(P[:, 0], 0.5) if P.shape[1] > 0 else None", "sweep(S, S.T * 0.5)",
        ]))  # fmt: skip

    def transform(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(SCALARS)
        options = [f"{two} = kept({one}, {self.scalar(0)})", f"{two} = settled({self.scalar(0)}, {two})", f"{two} = s2s.checkpoint(horner)({one}, {two})"]
        if not self.complex:
            options += [
                f"{one} = s2s.grad(energy)({one}, 0.5 * {two})", f"{two} = s2s.grad(energy, argnums=1)({one}, {two} * 1.0)", f"{two} = 0.1 * s2s.jvp(energy, ({one}, {two}), ({one} * 0.5, {two}))[1]",
                f"{one} = s2s.vjp(marched, {one}, 2, {two})[1]({one} * 0.5)[0]", f"S = 0.2 * s2s.jacfwd(marched)({one}, 2, {two})", f"S = 0.2 * s2s.jacrev(marched)({one}, 2, {two})",
                f"S = 0.2 * s2s.hessian(energy)({one}, {two})", f"{two} = 0.2 * s2s.grad(lambda t: energy(s2s.checkpoint(marched)({one}, 2, t), t))({two})",
            ]  # fmt: skip
        self.emit(depth, self.pick(options))

    def branch(self, depth: int) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.body(depth + 1)
        if self.chance(40):
            self.emit(depth, "else:")
            self.body(depth + 1)

    def leave(self, depth: int) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, self.weighted((3, "continue"), (2, "break"), (1, f"return {self.returned}")))

    # ---- loops ----

    def fresh(self) -> str:
        self.names += 1
        return "ijlpqrst"[self.names % 8] + (str(self.names // 8) if self.names >= 8 else "")

    def source(self) -> tuple[str, str, int, int]:
        """What a loop goes over: the text, and what is known of its index (extent, below, above); extent "" where it is no index."""
        extent, size = self.weighted((3, ("n", "n")), (1, ("m", "P.shape[1]")))
        options = [
            (f"range({size})", extent, 0, 0), (f"range(1, {size} - 1)", extent, 1, 1), (f"range(1, {size})", extent, 1, 0), (f"range({size} - 1)", extent, 0, 1),
            (f"range({size} - 1, -1, -1)", extent, 0, 0), (f"range({size} - 2, 0, -1)", extent, 1, 1), (f"range({size} - 2, -1, -1)", extent, 0, 1), (f"range(0, {size}, 2)", extent, 0, 0),
            (f"range({size} - 1, 0, -3)", extent, 1, 0), (f"range(1, {size} - 1, 3)", extent, 1, 1), (f"range(k, {size})", extent, 0, 0), ("range(3)", "", 0, 0), ("range(k)", "", 0, 0),
            ("range(0)", "", 0, 0),
        ]  # fmt: skip
        for index in self.indices:
            i, size = index.name, "n" if index.extent == "n" else "P.shape[1]"
            options += [
                (f"range({i})", index.extent, 0, 1 + index.above), (f"range({i} + 1, {size})", index.extent, 1 + index.below, 0), (f"range({i}, -1, -1)", index.extent, 0, index.above),
                (f"range({i} + 1)", index.extent, 0, index.above), (f"range({i}, {size})", index.extent, index.below, 0), (f"range({i} % 3)", "", 0, 0),
            ]  # fmt: skip
        return self.pick(options)

    def loop(self, depth: int) -> None:
        name = self.fresh()
        source, extent, below, above = self.source()
        if self.chance(12):
            one = self.pick(VECTORS)
            self.emit(depth, self.pick([f"for {name}, h in enumerate({one}):", f"for {name}, (h, y) in enumerate(zip({one}, {self.pick(VECTORS)})):"]))
            self.emit(depth + 1, f"x = 0.5 * h + {self.scalar(0)}")
            extent, below, above = "n", 0, 0
        else:
            self.emit(depth, f"for {name} in {source}:")
        outer, self.in_loop = self.in_loop, True
        if extent:
            self.indices.append(Index(name, extent, below, above))
        self.body(depth + 1)
        if extent:
            self.indices.pop()
        self.in_loop = outer

    def while_loop(self, depth: int) -> None:
        """Counted at its start, so that `continue` comes to an end too; the index of the trip is one less."""
        name, limit = self.fresh(), self.pick(["n", "n", "n - 1", "3", "k"])
        self.emit(depth, f"{name} = 0")
        self.emit(depth, f"while {name} < {limit} and {self.test(1)}:" if self.chance(50) else f"while {name} < {limit}:")
        self.emit(depth + 1, f"{name} += 1")
        bounded = limit.startswith("n")
        if bounded:
            self.emit(depth + 1, f"{name}0 = {name} - 1")
            self.indices.append(Index(f"{name}0", "n", 0, int(limit == "n - 1")))
        outer, self.in_loop = self.in_loop, True
        self.body(depth + 1)
        self.in_loop = outer
        if bounded:
            self.indices.pop()

    def nest(self, depth: int) -> None:
        """The nests of textbooks: products of matrices, sweeps, elimination, substitution, convolution."""
        self.left -= 2
        one, two, s, i, j, t = self.pick(VECTORS), self.pick(VECTORS), self.pick(["y", "z"]), *(self.fresh() for _ in range(3))
        g = self.bounded(0)
        nests = [
            [f"for {i} in range(n):", f"    for {j} in range(P.shape[1]):", f"        {s} = {self.number('0.0')}", f"        for {t} in range(n):", f"            {s} += S[{i}, {t}] * P[{t}, {j}]", f"        Q[{i}, {j}] = 0.2 * {s}"],
            [f"for {i} in range(1, n - 1):", f"    for {j} in range(1, P.shape[1] - 1):",
             f"        P[{i}, {j}] = 0.2 * (P[{i} - 1, {j}] + P[{i} + 1, {j}] + P[{i}, {j} - 1] + P[{i}, {j} + 1]) + 0.2 * Q[{i}, {j}] * {g}"],
            [f"for {i} in range(n - 1, -1, -1):", f"    for {j} in range({i} + 1, n):", f"        {one}[{i}] -= 0.2 * S[{i}, {j}] * {one}[{j}]", f"    {one}[{i}] /= 1.5 + abs(S[{i}, {i}])"],
            [f"for {i} in range(n):", f"    for {j} in range({i} + 1, n):", f"        {s} = 0.3 * S[{j}, {i}] / (1.5 + abs(S[{i}, {i}]))", f"        for {t} in range({i}, n):", f"            S[{j}, {t}] -= {s} * S[{i}, {t}]"],
            [f"for {i} in range(n):", f"    {s} = {one}[{i}]", f"    for {j} in range({i}):", f"        {s} = {s} - 0.2 * S[{i}, {j}] * {two}[{j}]", f"    {two}[{i}] = {s} * 0.5"],
            [f"for {i} in range(2, n - 2):", f"    {one}[{i}] = 0.2 * ({two}[{i} - 2] + {two}[{i} - 1] + {two}[{i}] + {two}[{i} + 1] + {two}[{i} + 2])"],
            [f"for {i} in range(P.shape[1]):", f"    for {j} in range(n - 1):", f"        Q[{j} + 1, {i}] = 0.5 * Q[{j}, {i}] + 0.3 * P[{j}, {i}] * {g}"],
            [f"for {i} in range(n):", f"    for {j} in range(n):", f"        if {i} == {j}:", "            continue", f"        S[{i}, {j}] = 0.3 * ({one}[{i}] - {two}[{j}]) / (1.0 + abs({one}[{i}] - {two}[{j}]) ** 2)"],
        ]  # fmt: skip
        for line in self.pick(nests):
            self.emit(depth, line)

    def buffers(self, depth: int) -> None:
        """Steps in time between two buffers that are swapped, or copied back."""
        self.left -= 2
        one, i, t = self.pick(VECTORS), self.fresh(), self.fresh()
        self.emit(depth, f"u, w = {one}, np.zeros_like({one})" if self.chance(40) else f"u, w = {one} * 1.0, {self.pick(VECTORS)} * 0.5")
        self.emit(depth, f"for {t} in range({self.pick(['2', '3', 'k', 'k + 1'])}):")
        self.emit(depth + 1, f"for {i} in range({self.pick(['1, n - 1', 'n - 2, 0, -1'])}):")
        outer = self.in_loop
        self.in_loop = True
        self.indices.append(Index(i, "n", 1, 1))
        self.emit(depth + 2, self.pick([f"w[{i}] = 0.4 * u[{i} - 1] + 0.3 * u[{i} + 1] * {self.bounded(0)}", f"w[{i}] = u[{i}] + 0.2 * (u[{i} + 1] - 2.0 * u[{i}] + u[{i} - 1]) * {self.element()}"]))
        if self.chance(40):
            self.statement(depth + 2)
        self.indices.pop()
        self.emit(depth + 1, self.weighted((4, "u, w = w, u"), (1, "u[:] = w"), (1, "u, w = w, u.copy()"), (1, "u = w.copy()")))
        if self.chance(20):
            self.leave(depth + 1)
        self.in_loop = outer
        self.emit(depth, f"{self.pick(VECTORS)} = {self.pick(['u * 1.0', 'u', '0.5 * (u + w)'])}")
