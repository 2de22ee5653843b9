"""A grammar of programs about dicts and sets whose keys only the run knows: of integers and of tuples of them; read, changed and gone through, in loops and branches.

A program is `f(x, y, t, n)` as those of `aliases` are, and judged as they are: right (the order of the keys, too), or refused with a line.
"""
from __future__ import annotations

from .aliases import AliasProgram

HEADER = '''"""Made by tests/fuzz/keyed.py."""
from collections import Counter, OrderedDict, defaultdict

import numpy as np


def counted(table, key):
    table[key] = table.get(key, 0) + 1
    return table[key]


def total(table):
    found = 0.0
    for key, value in table.items():
        found += key * 0.1 + value
    return found


'''
TABLES = ("d", "e")


class KeyedProgram(AliasProgram):
    """The text of one program: d and e hold numbers by integers, c counts, u is a set, g has pairs as keys; s is a number."""

    def text(self) -> str:
        """The module."""
        self.lines = [HEADER + "def f(x, y, t, n):"]
        self.emit(1, "s = 0.5")
        self.emit(1, f"d = {self.pick(['{}', '{}', '{0: 0.5}', '{n: x[0]}', '{k: x[k] for k in range(n)}', 'dict(zip(range(n), y))', 'OrderedDict()', 'defaultdict(float)', '{1: x[0], 7: 0.25}'])}")
        self.emit(1, f"e = {self.pick(['{}', '{k * 3 % 5: float(k) for k in range(n)}', 'd.copy()', 'dict(d)', 'd', '{k: v * 0.5 for k, v in d.items()}'])}")
        self.emit(1, f"c = {self.pick(['{}', 'Counter()', 'defaultdict(int)', '{2: 1}', 'Counter(k % 2 for k in range(n))'])}")
        self.emit(1, f"u = {self.pick(['set()', '{1}', '{k * 2 for k in range(n)}', 'set(range(n))'])}; g = {{}}")
        self.emit(1, f"for k in range({self.pick(['n', '2 * n', 'n + 3'])}):")
        self.block(2, 3)
        self.block(1)
        self.emit(1, "for key in sorted(c):")
        self.emit(2, "s += key * 0.01 + c[key]")
        self.emit(1, "for (i, j), v in g.items():")
        self.emit(2, "s += i * 0.5 + j + v")
        self.emit(1, "return np.array(list(d)) * 1.0, np.array(list(d.values())), s + len(d) + len(u) + len(g) + sum(u), total(e)")
        return "\n".join(self.lines) + "\n"

    def key(self) -> str:
        return self.pick(["n", "n + 1", "k", "k % 3", "k * 7 % 5", "2", "0", "-1", "len(d)", "int(x[0] * 4)", "k - 2"])

    def pair(self) -> str:
        return f"{self.key()}, {self.key()}"

    def number(self) -> str:
        return self.pick(["t[0]", "0.5", "x[0]", "s * 0.5", "x[k % 3]", "d.get(k, 0.25)", "len(e) * 0.1"])

    def test(self) -> str:
        u = self.pick(TABLES)
        return self.pick(["t[0] > 0.0", "x[k % 3] > 0.0", "s > 1.0", f"{self.key()} in {u}", f"{self.key()} not in u", f"len({u}) > 2", f"({self.pair()}) in g", f"{self.key()} in {u}.keys()"])

    def statement(self, depth: int) -> None:
        kinds = [(6, self.of_table), (2, self.of_counter), (2, self.of_set), (2, self.of_pairs)]
        if self.left > 0 and depth < 4:
            kinds += [(3, self.branch), (2, self.loop)]
        if "k = 1" not in self.lines and depth == 1 and not self.chance(70):
            self.emit(1, "k = 1")
        self.weighted(*kinds)(depth)

    def block(self, depth: int, most: int = 5) -> None:
        if depth == 1:
            self.emit(1, "k = n")
        super().block(depth, most)

    def of_table(self, depth: int) -> None:
        u, v = self.pick([("d", "e"), ("e", "d")])
        key = self.key()
        self.emit(depth, self.weighted(
            (6, f"{u}[{key}] = {self.number()}"), (3, f"{u}[{key}] = {u}.get({key}, 0.5) + {self.number()}"), (2, f"if {key} in {u}: {u}[{key}] *= 0.5"), (2, f"if {key} in {u}: s += {u}[{key}]"),
            (1, f"s += {u}.setdefault({key}, {self.number()})"), (1, f"s += {u}.pop({key}, 0.5)"), (1, f"if {key} in {u}: del {u}[{key}]"), (1, f"{u}.update({v})"), (1, f"{u}.clear()"),
            (1, f"for i, w in {u}.items(): s += i * w"), (1, f"for i in {u}: s += {u}.get(i, 0.0)"), (1, f"for i in list({u}): {u}[i] = {u}[i] * 0.5 + i"), (1, f"for w in {u}.values(): s = s * 0.5 + w"),
            (1, f"s += sum({u}.values())"), (1, f"if len({u}) > 0: s += max({u}.values())"), (1, f"if {u}: s += max({u}, key={u}.get)"), (1, f"for i in sorted({u}): s = s * 0.5 + {u}[i]"),
            (1, f"s += {u} == {v}"), (1, f"if len({u}) > 0: w = {u}.popitem(); s += w[0] + w[1]"), (1, f"s += total({u})"), (1, f"counted({u}, {key})"), (1, f"for i, w in sorted({u}.items(), key=lambda item: item[0]): s = s * 0.5 + w"),
        ))  # fmt: skip

    def of_counter(self, depth: int) -> None:
        self.emit(depth, self.pick([f"c[{self.key()}] = c.get({self.key()}, 0) + 1", f"counted(c, {self.key()})", f"s += c.get({self.key()}, 0)", f"c[{self.key()}] = k"]))

    def of_set(self, depth: int) -> None:
        self.emit(depth, self.pick([f"u.add({self.key()})", f"u.add({self.key()})", f"u.discard({self.key()})", f"if {self.key()} in u: s += 1.0", "for i in sorted(u): s += i * 0.5", f"u.update([{self.key()}, 3])"]))

    def of_pairs(self, depth: int) -> None:
        self.emit(depth, self.pick([f"g[{self.pair()}] = {self.number()}", f"g[{self.pair()}] = g.get(({self.pair()}), 0.0) + {self.number()}", f"if ({self.pair()}) in g: s += 0.25"]))

    def loop(self, depth: int) -> None:
        index = self.pick(["k", f"i{depth}"])
        self.emit(depth, f"for {index} in range({self.pick(['n', 'n + 1', '3'])}):")
        self.block(depth + 1, 3)
        if self.chance(20):
            self.emit(depth + 1, f"if {self.test()}:")
            self.emit(depth + 2, "break")
