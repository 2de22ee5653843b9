"""A grammar of programs about names that are one array or another: which one it is depends on paths and trips, and something is stored.

A program is `f(x, y, t, n)`: two vectors of one length, three numbers that decide paths, and a count of trips. NumPy says what is right: the
result and both arguments afterwards; a refusal has a line.
"""
from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

import s2s

from .check import Outcome, judged, load
from .compare import Fault, Skip
from .grammar import Chooser, Draws

HEADER = '''"""Made by tests/fuzz/aliases.py."""
import numpy as np


def either(u, v, s):
    if s > 0.0:
        return u
    return v


def part(u, v, s):
    if s > 0.0:
        return u[::-1]
    w = v.copy()
    w[0] = s
    return w


def raised(u, v, s):
    if s > 0.3:
        u[0] = s
        return v
    v += 0.5
    return u * 1.0


'''
NAMES = ("x", "y", "a", "b", "c")


class AliasProgram(Chooser):
    """The text of one program."""

    def __init__(self, draws: Draws, size: int = 8) -> None:
        super().__init__(draws)
        self.left, self.lines = size, [HEADER + "def f(x, y, t, n):"]

    def text(self) -> str:
        """The module."""
        self.emit(1, "a = x; b = y; c = x * 0.5")
        self.emit(1, f"a = {self.array()}; b = {self.array('x', 'y', 'a')}; c = {self.array('x', 'y', 'a', 'b')}")
        self.block(1)
        self.emit(1, "return a * 1.0, b * 2.0, c.sum(), x[0] + y[-1]")
        return "\n".join(self.lines) + "\n"

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def block(self, depth: int, most: int = 5) -> None:
        for _ in range(self.draws.integer(1, most)):
            self.left -= 1
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kinds = [(4, self.bind), (5, self.store)]
        if self.left > 0 and depth < 4:
            kinds += [(4, self.branch), (3, self.loop), (2, self.exchange)]
        self.weighted(*kinds)(depth)

    def name(self) -> str:
        return self.pick(NAMES[2:])

    def array(self, *names: str) -> str:
        """An array of the common length."""
        u, v = self.pick(names or NAMES[:2]), self.pick(names or NAMES[:2])
        return self.weighted(
            (5, u), (2, f"{u}.copy()"), (1, f"{u} * 0.5"), (1, f"{u}[::-1]"), (2, f"({u} if {self.test()} else {v})"), (1, f"either({u}, {v}, {self.number()})"),
            (1, f"part({u}, {v}, {self.number()})"), (1, f"raised({u}, {v}, {self.number()})"), (1, f"({u} if {self.test()} else {v}.copy())"), (1, f"np.flip({u})"),
        )  # fmt: skip

    def test(self) -> str:
        return self.pick(["t[0] > 0.0", "t[1] > 0.0", "t[2] > 0.2", f"{self.pick(NAMES)}[0] > 0.5", f"{self.pick(NAMES)}[1] < t[0]", "n > 1"])

    def number(self) -> str:
        return self.pick(["t[0]", "0.5", f"{self.pick(NAMES)}[0]", f"{self.pick(NAMES)}[-1] * 0.5", "t[1] + 0.25"])

    def bind(self, depth: int) -> None:
        if self.chance(15):
            one, two = self.pick([("a", "b"), ("b", "c"), ("a", "c")])
            self.emit(depth, f"{one}, {two} = {two}, {one}")
        else:
            self.emit(depth, f"{self.name()} = {self.array(*NAMES)}")

    def store(self, depth: int) -> None:
        name = self.pick(NAMES)
        self.emit(depth, self.pick([
            f"{name}[{self.pick(['0', '1', '-1', 'n % 3'])}] = {self.number()}", f"{name}[1] += {self.number()}", f"{name} *= 0.75", f"{name}[1:] = {self.pick(NAMES)}[:-1] * 0.5",
            f"{name}[::2] -= 0.25", f"{name}[:] = {self.pick(NAMES)}", f"np.sin({self.pick(NAMES)}, out={name})", f"{name}[{self.pick(NAMES)} > 0.4] = 0.1",
        ]))  # fmt: skip

    def branch(self, depth: int) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.block(depth + 1, 3)
        if self.chance(50):
            self.emit(depth, "else:")
            self.block(depth + 1, 3)

    def exchange(self, depth: int) -> None:
        """Two names change places on one path; on the other, or behind both, one of them becomes something else, and there is a store."""
        one, two = self.pick([("a", "b"), ("b", "c"), ("a", "c")])
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, f"{one}, {two} = {two}, {one}")
        if self.chance(40):
            self.bind(depth + 1)
        if self.chance(30):
            self.store(depth + 1)
        if self.chance(50):
            self.emit(depth, "else:")
            self.emit(depth + 1, self.pick([f"{one} = {two}.copy()", f"{two} = {one}", f"{one}, {two} = {two}, {one}.copy()", f"{one} = {self.array(*NAMES)}", f"{two} *= 0.5"]))
        if self.chance(40):
            self.bind(depth)
        self.store(depth)

    def limit(self) -> str:
        """A test beside the count of a while loop."""
        return f"{self.pick(NAMES)}[0] < 3.0"

    def loop(self, depth: int) -> None:
        index = f"i{depth}"
        if self.chance(30):
            self.emit(depth, f"{index} = 0")
            self.emit(depth, f"while {index} < n and {self.limit()}:")
            self.emit(depth + 1, f"{index} += 1")
        else:
            self.emit(depth, f"for {index} in range(n):")
        self.block(depth + 1, 3)
        if self.chance(20):
            self.emit(depth + 1, f"if {self.test()}:")
            self.emit(depth + 2, "break")


def drawn(seed: int) -> tuple[Any, ...]:
    """Arguments of a program."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=4), rng.normal(size=4), tuple(float(each) for each in rng.normal(size=3)), int(rng.integers(0, 4))


def observed(function: Any, args: tuple[Any, ...]) -> tuple[np.ndarray, ...]:
    """What it gives, and what its arguments hold afterwards."""
    x, y, *rest = copy.deepcopy(args)
    with np.errstate(all="ignore"):
        result = function(x, y, *rest)
    return (*map(np.asarray, result), x, y)


def total(function: Any, x: np.ndarray, y: np.ndarray, t: Any, n: int) -> Any:
    """A number that depends on all of that."""
    x, y = x.copy(), y.copy()
    a, b, c, d = function(x, y, t, n)
    return np.sum(np.sin(a)) + np.sum(np.cos(b)) + c * d + np.sum(x * 0.3) + np.sum(y * y)


def examine_aliases(text: str, seed: int, *, points: int = 3, target: str = "numpy", gradient: bool = True) -> Outcome:
    """Values and arguments at some points, and the gradient by forward and by reverse mode at the first."""
    return judged(Examination(seed, points, target, gradient), text, compiled=target == "cpu")


@dataclass
class Examination:
    """All checks of one program; `stage` says which of them is going on."""

    seed: int
    points: int
    target: str
    gradient: bool
    stage: str = "value"

    def run(self, text: str) -> None:
        module = load(text)
        drawn_ones = [drawn(self.seed * 10 + number) for number in range(self.points)]
        try:
            said = [observed(module.f, args) for args in drawn_ones]
        except Exception as error:
            raise Skip(str(error)) from error  # what Python itself can't run is no program
        compiled = s2s.jit(module.f, target=self.target)
        for args, wanted_ones in zip(drawn_ones, said, strict=True):
            for found, wanted in zip(observed(compiled, args), wanted_ones, strict=True):
                if not np.allclose(found, wanted, rtol=1e-12, atol=1e-12, equal_nan=True):
                    raise Fault(f"numbers differ: {found} for {wanted}")
        self.stage = "gradient"
        if self.gradient:
            self.derivatives(module, *drawn_ones[0])

    def derivatives(self, module: Any, x: np.ndarray, y: np.ndarray, t: Any, n: int) -> None:
        reverse = s2s.grad(lambda x: total(module.f, x, y, t, n))(x)
        for direction in np.eye(len(x)):
            forward = s2s.jvp(lambda x: total(module.f, x, y, t, n), (x,), (direction,))[1]
            if not np.isclose(forward, direction @ reverse, rtol=1e-9, atol=1e-9):
                raise Fault(f"derivatives differ: {direction @ reverse} for {forward}")
