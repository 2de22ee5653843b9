"""A grammar of programs about lists whose length only the run knows: of numbers, of arrays, of records, of lists; who else holds them or what they hold.

A program is `f(x, y, t, n)` as those of `aliases` are, and judged as they are: right, or refused with a line.
"""
from __future__ import annotations

from .aliases import AliasProgram

HEADER = '''"""Made by tests/fuzz/lists.py."""
import numpy as np


def doubled(values):
    found = []
    for v in values:
        found.append(v * 2.0)
    return found


def grows(values, by):
    values.append(by)
    return values


def last(values, otherwise):
    return values[-1] if len(values) > 0 else otherwise


'''
NUMBERS = ("p", "q")
ARRAYS = ("x", "y", "a")


class ListProgram(AliasProgram):
    """The text of one program: p and q are lists of numbers, g one of arrays, h one of records, m one of lists; a is an array, s a number."""

    def text(self) -> str:
        """The module."""
        self.lines = [HEADER + "def f(x, y, t, n):"]
        self.emit(1, f"a = {self.pick(['x', 'y', 'x.copy()', 'x * 0.5'])}; s = 0.5")
        self.emit(1, f"p = {self.numbers_of()}")
        self.emit(1, f"q = {self.numbers_of('p')}")
        self.emit(1, f"g = {self.pick(['[]', '[x for k in range(n)]', '[x * k for k in range(n)]', '[a for k in range(n)]', '[x, y]', '[x[k:k + 2] for k in range(2)]'])}")
        self.emit(1, "h = [{'at': x[k], 'of': a * k} for k in range(n)]" if self.chance(30) else "h = [(x[k], a) for k in range(n)]" if self.chance(50) else "h = [(x[k], a * k) for k in range(n)]")
        self.is_dict = "'at'" in self.lines[-1]
        self.emit(1, "m = [[0.0] * 3 for _ in range(n + 2)]")
        self.block(1)
        self.emit(1, "s += sum(v[0] for v in g)")
        self.emit(1, "for r in h:")
        self.emit(2, f"s += {self.record('r')}")
        self.emit(1, "return np.array(p) * 1.0, np.array(q) * 2.0, s + a[0], x[0] + y[-1] + m[1][2] + m[0][1]")
        return "\n".join(self.lines) + "\n"

    def record(self, name: str) -> str:
        """What a record holds."""
        return f"{name}['at'] + {name}['of'][1]" if self.is_dict else f"{name}[0] + {name}[1][1]"

    def new_record(self) -> str:
        array = self.pick(["a", "x", "a.copy()", "y * 0.5"])
        return f"{{'at': {self.number()}, 'of': {array}}}" if self.is_dict else f"({self.number()}, {array})"

    def numbers_of(self, *names: str) -> str:
        """A list of numbers."""
        fresh = self.weighted(
            (2, "[0.5] * n"), (2, "[x[k] for k in range(n)]"), (1, "[]"), (1, "[x[0], y[1]]"), (2, "[v for v in x if v > t[0]]"), (1, "list(y)"), (1, "[float(k) for k in range(n + 1)]"),
        )  # fmt: skip
        if not names:
            return fresh
        u = self.pick(names)
        return self.weighted(
            (2, fresh), (4, u), (3, f"{u}[:]"), (2, f"list({u})"), (2, f"[v * 0.5 for v in {u}]"), (1, f"{u}[1:]"), (1, f"{u}[::-1]"), (1, f"sorted({u})"), (1, f"doubled({u})"),
            (1, f"{u}.copy()"), (1, f"[v for v in {u} if v > {self.number()}]"), (1, f"({u} if {self.test()} else {u}[:])"),
        )  # fmt: skip

    def statement(self, depth: int) -> None:
        kinds = [(5, self.of_numbers), (4, self.of_arrays), (2, self.of_records), (2, self.of_rows), (3, self.store)]
        if self.left > 0 and depth < 4:
            kinds += [(3, self.branch), (4, self.loop)]
        self.weighted(*kinds)(depth)

    def test(self) -> str:
        return self.pick(["t[0] > 0.0", "t[1] > 0.0", "t[2] > 0.2", "x[0] > 0.5", "s > 1.0", "n > 1", f"len({self.pick(NUMBERS)}) > 2", "len(g) > 1"])

    def number(self) -> str:
        return self.pick(["t[0]", "0.5", "x[0]", "s * 0.5", f"{self.pick(ARRAYS)}[1]", f"last({self.pick(NUMBERS)}, 0.25)", f"len({self.pick(NUMBERS)}) * 0.1"])

    def of_numbers(self, depth: int) -> None:
        u, v = self.pick([("p", "q"), ("q", "p")])
        self.emit(depth, self.weighted(
            (4, f"{u}.append({self.number()})"), (4, f"{u} = {self.numbers_of('p', 'q')}"), (1, "p, q = q, p"), (2, f"if len({u}) > 0: {u}[0] = {self.number()}"),
            (2, f"if len({u}) > 1: s += {u}.pop()"), (1, f"{u}.insert(0, {self.number()})"), (2, f"for v in {u}: s += v * 0.5"), (1, f"{u}.extend([{self.number()}, 1.5])"),
            (1, f"grows({u}, {self.number()})"), (1, f"s += sum({v}) * 0.1"), (1, f"{u}.reverse()"), (1, f"if len({u}) > 0: s += max({u})"), (1, f"if len({u}) > 0: {u}[-1] += {self.number()}"),
            (1, f"for k, v in enumerate({u}): s += k * v"), (1, "for v, w in zip(p, q): s += v * w"),
        ))  # fmt: skip

    def of_arrays(self, depth: int) -> None:
        array = self.pick(ARRAYS)
        self.emit(depth, self.weighted(
            (4, f"g.append({array})"), (2, f"g.append({array}.copy())"), (2, f"a = last(g, {array})"), (1, "g = g[1:]"), (1, "g = [v * 0.5 for v in g]"), (1, "g = list(g)"),
            (2, "for v in g: s += v[0] * 0.1"), (1, f"if len(g) > 0: g[0] = {array}"), (1, "if len(g) > 1: a = g.pop()"), (1, f"a = {self.pick(['x', 'x.copy()', 'y', 'a * 0.5'])}"), (1, "g = g[::-1]"),
            (1, "if len(g) > 0: s += np.stack(g).sum()"),
        ))  # fmt: skip

    def of_records(self, depth: int) -> None:
        self.emit(depth, self.weighted(
            (3, f"h.append({self.new_record()})"), (1, f"if len(h) > 0: h[0] = {self.new_record()}"), (1, "h = h[1:]"), (1, "h = [r for r in h]"),
            (1, f"if len(h) > 0: s += {self.record('h[-1]')}"), (1, f"if len(h) > 1: r = h.pop(); s += {self.record('r')}"),
        ))  # fmt: skip

    def of_rows(self, depth: int) -> None:
        i, j = self.pick(["0", "n", "-1", "1", "len(p) % 2"]), self.pick(["0", "1", "2", "-1", "n % 3"])
        self.emit(depth, self.pick([f"m[{i}][{j}] = {self.number()}", f"m[{i}][{j}] += {self.number()}", f"m[{i}][{j}] = m[0][1] * 0.5 + m[n][2]", f"s += sum(m[{i}])"]))

    def store(self, depth: int) -> None:
        name = self.pick(ARRAYS)
        self.emit(depth, self.pick([f"{name}[{self.pick(['0', '1', '-1', 'n % 3'])}] = {self.number()}", f"{name} *= 0.75", f"{name}[1:] = {self.pick(ARRAYS)}[:-1] * 0.5"]))

    def limit(self) -> str:
        return self.pick(["s < 9.0", "len(p) < 9", "x[0] < 3.0"])
