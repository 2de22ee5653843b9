"""A grammar of programs about where the run goes: branches, loops with breaks and elses, `try` with all its parts, `match`, returns at any depth, functions that change what is around them.

A program is `f(x, n, c, v)`: a float, an int, a bool and an array; of every other seed NumPy's scalars. It is judged as those of `objects` are, without derivatives.
Arrays are read and stored within their bounds: an element that nothing uses is not read.
"""
from __future__ import annotations

from .grammar import Chooser

HEADER = '''"""Made by tests/fuzz/flow.py."""
import math
import numpy as np


class Own(Exception):
    pass


def arguments(seed):
    rng = np.random.default_rng(seed)
    x, n, c = [(0.7, 2, True), (-1.3, 0, False), (0.0, 4, True), (2.5, -1, False)][seed % 4]
    kinds = (np.float64, np.int64, np.bool_) if seed // 4 % 2 else (float, int, bool)
    return *(kind(each) for kind, each in zip(kinds, (x, n, c))), rng.normal(size=3).round(2)


def change(number):
    pass


'''
ERRORS = ("ValueError", "ZeroDivisionError", "IndexError", "KeyError", "Own", "OverflowError")
DEPTH = 3


class FlowProgram(Chooser):
    """The text of one program of so many statements: i, j, k are ints, x, y floats, q is a bool, L a list of ints, v an array."""

    def __init__(self, draws, size: int = 4) -> None:  # type: ignore[no-untyped-def]
        super().__init__(draws)
        self.size, self.names = size, 0

    def text(self) -> str:
        """The module."""
        lines = ["i, j, k, y, q = 1, n, 2, 0.5, c", "L = [n, 2, 5]", *self.functions()]
        for _ in range(self.size):
            lines += self.statement(DEPTH, in_loop=False)
        lines.append("return x, y, i, j, k, q, L, v")
        return HEADER + "def f(x, n, c, v):\n" + "\n".join("    " + line for line in lines) + "\n"

    def functions(self) -> list[str]:
        """h may raise, g changes a number outside of it, keep a list."""
        return [
            "def h(m):", f"    if m < {self.pick((-2, 0, 2))}:", "        " + self.pick(("raise ValueError('h')", "return 0", "return -m")), "    return " + self.pick(("m + 1", "L[m % 3]", "m // n")),
            "def g(z):", "    nonlocal j", "    " + self.pick(("j += 1", "j = j - 1", "pass")), "    return " + self.pick(("z * 2.0", "z / x", "z + y")), "def keep(m):", "    L[1] = m",
        ]  # fmt: skip

    # ---- expressions -----------------------------------------------------------------------------------------------------

    def whole(self, depth: int = 0) -> str:
        if depth > 2 or self.chance(30):
            return self.pick(("i", "j", "n", "k", "-3", "-1", "0", "1", "2", "4"))
        a, b = self.whole(depth + 1), self.whole(depth + 1)
        return self.pick((
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} // {b})", f"({a} % {b})", f"abs({a})", f"min({a}, {b})", f"max({a}, {b})", f"({a} if {self.truth(depth + 1)} else {b})",
            f"int({self.real(depth + 1)})", "len(L)", f"L[{a} % len(L)]", f"L[{a}]", f"-{a}", f"divmod({a}, {b})[0]", f"({a} & {b})", f"({a} ^ {b})", f"h({a})", f"round({self.real(depth + 1)})",
            f"int({self.truth(depth + 1)})", "sum(L)", f"pow({a}, 2)",
        ))  # fmt: skip

    def real(self, depth: int = 0) -> str:
        if depth > 2 or self.chance(30):
            return self.pick(("x", "y", "v[0]", "v[-1]", "0.25", "-1.5", "0.0"))
        a, b = self.real(depth + 1), self.real(depth + 1)
        return self.pick((
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"abs({a})", f"min({a}, {b})", f"({a} if {self.truth(depth + 1)} else {b})", f"float({self.whole(depth + 1)})", f"np.sin({a})",
            "np.sum(v)", f"v[{self.whole(depth + 1)} % 3]", f"({a} * {self.whole(depth + 1)})", f"g({a})", f"math.sqrt({a})", f"math.sqrt(abs({a}))", f"({a} // {b})", f"({a} % {b})", f"({a}) ** 2",
        ))  # fmt: skip

    def truth(self, depth: int = 0) -> str:
        if depth > 2 or self.chance(25):
            return self.pick(("c", "q", "True", "not c"))
        a, b = self.whole(depth + 1), self.whole(depth + 1)
        return self.pick((
            f"{a} < {b}", f"{self.real(depth + 1)} > {self.real(depth + 1)}", f"({self.truth(depth + 1)} and {self.truth(depth + 1)})", f"({self.truth(depth + 1)} or {self.truth(depth + 1)})", f"{a} == {b}",
            f"{a} in L", f"0 <= {a} < 4", f"not {self.truth(depth + 1)}", f"bool({a})", f"any(t > {a} for t in L)", "all(L)",
        ))  # fmt: skip

    # ---- statements ------------------------------------------------------------------------------------------------------

    def body(self, depth: int, *, in_loop: bool) -> list[str]:
        lines = [line for _ in range(self.draws.integer(1, 2)) for line in self.statement(depth, in_loop=in_loop)]
        return ["    " + line for line in lines]

    def statement(self, depth: int, *, in_loop: bool) -> list[str]:
        if depth <= 0:
            return [self.simple()]
        way = self.weighted((8, None), (3, self.branch), (3, self.loop), (1, self.repeated), (4, self.tried), (1, self.matched), (3, self.leaves))
        return [self.simple()] if way is None else way(depth - 1, in_loop)

    def simple(self) -> str:
        whole, real = self.whole(), self.real()
        return self.pick((
            f"i = {whole}", f"j = {whole}", f"x = {real}", f"y = {real}", f"q = {self.truth()}", f"i += {whole}", f"x *= {real}", "j -= 1", f"i, j = j, {whole}", "x, y = y, x", f"L[{whole}] = {self.whole()}",
            f"L[-1] += {whole}", f"v[{whole} % 3] = {real}", f"v += {real}", f"v[1:] *= {real}", "keep(i)", f"j = k = {whole}", "L[0], i = i, L[0]",
        ))  # fmt: skip

    def branch(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"if {self.truth()}:", *self.body(depth, in_loop=in_loop)]
        if self.chance(30):
            lines += [f"elif {self.truth()}:", *self.body(depth, in_loop=in_loop)]
        return [*lines, "else:", *self.body(depth, in_loop=in_loop)] if self.chance(50) else lines

    def loop(self, depth: int, in_loop: bool) -> list[str]:
        self.names += 1
        t = f"t{self.names}"
        over = self.pick((f"{t} in range({self.pick(('n', '3', 'abs(i) % 5'))})", f"{t} in L", f"{t}, w in enumerate(v)", "k in range(2)", f"{t} in range(3, 0, -1)", f"{t}, w in zip(L, v)"))
        return self._with_else([f"for {over}:", *self.body(depth, in_loop=True)], depth, in_loop)

    def repeated(self, depth: int, in_loop: bool) -> list[str]:
        self.names += 1
        w = f"w{self.names}"
        return [f"{w} = 0", *self._with_else([f"while {w} < {self.pick(('3', 'n'))} and {self.truth()}:", f"    {w} += 1", *self.body(depth, in_loop=True)], depth, in_loop)]

    def _with_else(self, lines: list[str], depth: int, in_loop: bool) -> list[str]:
        return [*lines, "else:", *self.body(depth, in_loop=in_loop)] if self.chance(25) else lines

    def tried(self, depth: int, in_loop: bool) -> list[str]:
        lines = ["try:", *self.body(depth, in_loop=in_loop)]
        number = self.draws.integer(0, 2)
        for _ in range(number):
            kind = self.pick((*ERRORS, f"({self.pick(ERRORS)}, {self.pick(ERRORS)})"))
            lines += [f"except {kind}{self.pick(('', ' as e'))}:", *self.body(depth, in_loop=in_loop), *(["    raise"] if self.chance(15) else [])]
        if number and self.chance(30):
            lines += ["else:", *self.body(depth, in_loop=in_loop)]
        return [*lines, "finally:", "    " + self.simple()] if not number or self.chance(30) else lines

    def matched(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"match {self.pick(('i % 3', 'j', 'k'))}:"]
        for pattern in ("0", self.pick(("1 | 2", "2", "-1")), "_")[: self.draws.integer(1, 3)]:
            lines += [f"    case {pattern}:", *("    " + line for line in self.body(depth, in_loop=in_loop))]
        return lines

    def leaves(self, depth: int, in_loop: bool) -> list[str]:
        ways = [f"raise {self.pick(ERRORS)}({self.pick((chr(39) + 'bad' + chr(39), 'f' + chr(39) + 'bad {i}' + chr(39)))})", f"return x, {self.whole()}"]
        return [f"if {self.truth()}: {self.pick((*ways, 'break', 'continue') if in_loop else ways)}"]
