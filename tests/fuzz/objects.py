"""A grammar of programs about Python's objects: what operators, `in`, `is`, `==`, texts and truth mean for them, and what changes between calls.

Classes with special methods (some count, some change their object), dataclasses, NamedTuples, enums, containers in containers, identity,
closures, and globals that `change(number)` alters between calls. A program is `f(a, x, n, p, q, items, table, mode)`: an array, a float,
an int, an object of a dataclass, a NamedTuple, a list, a dict and an Enum's member; `loss` of the same arguments is a float.
"""
from __future__ import annotations

from . import object_choices
from .grammar import Chooser, Draws

HEADER = '''"""Made by tests/fuzz/objects.py."""
import copy
import enum
import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Mode(enum.Enum):
    LOW = 1
    MID = 2
    HIGH = 3

    @property
    def half(self):
        return self.value / 2

    def scale(self, t):
        return t * self.value


class Level(enum.IntEnum):
    ONE = 1
    TWO = 2


class Flags(enum.Flag):
    A = 1
    B = 2


@dataclass(order=True)
class Point:
    x: float
    y: float = 0.5

    @property
    def size(self):
        return abs(self.x) + abs(self.y)

    @size.setter
    def size(self, value):
        self.x = value * 0.5


@dataclass(frozen=True)
class Fixed:
    x: float
    y: float


@dataclass(eq=False)
class Node:
    x: float
    kids: list


class Pair(NamedTuple):
    x: float
    y: float

    def swapped(self):
        return Pair(self.y, self.x)


class Vec:
    made = 0.25

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        if isinstance(other, Vec):
            return Vec(self.x + other.x, self.y + other.y)
        if isinstance(other, int):
            return Vec(self.x + other, self.y)
        return NotImplemented

    def __radd__(self, other):
        return Vec(self.x + 0.5 * other, self.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vec(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return type(self)(-self.x, -self.y)

    def __pos__(self):
        return Vec(abs(self.x), abs(self.y))

    def __invert__(self):
        return Vec(self.y, self.x)

    def __abs__(self):
        return abs(self.x) + abs(self.y)

    def __eq__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.x < other.x

    def __bool__(self):
        return self.x > 0.0

    def __getitem__(self, key):
        return (self.x, self.y)[key]

    def __setitem__(self, key, value):
        if key == 0:
            self.x = value
        else:
            self.y = value

    def __contains__(self, value):
        return value == self.x or value == self.y

    def __iter__(self):
        return iter((self.x, self.y))

    def __len__(self):
        return 2

    def __call__(self, t):
        return self.x * t + self.y

    def __str__(self):
        return "a vector"


class Long(Vec):
    def __init__(self, x, y, z=0.75):
        super().__init__(x, y)
        self.z = z

    def __radd__(self, other):
        return Long(self.x + other.x * 2.0, self.y)

    def __iadd__(self, other):
        self.x += other.x
        self.z = self.z * 0.5
        return self

    def __call__(self, t):
        return super().__call__(t) + self.z

    def __eq__(self, other):
        return self.x == other.x

    def __gt__(self, other):
        return True


class Counter:
    step = 1

    def __init__(self):
        self.n = 0
        self.log = []

    def __call__(self, t):
        self.n += self.step
        self.log.append(t)
        return t * self.n

    def __len__(self):
        return self.n

    def __ilshift__(self, t):
        self.log.append(t)
        return self

    def __delitem__(self, k):
        del self.log[k]


class Bag:
    __slots__ = ("inside",)

    def __init__(self, inside):
        self.inside = inside

    def __eq__(self, other):
        return len(self.inside) == len(other.inside)

    def __ne__(self, other):
        return True

    def __getattr__(self, name):
        return 0.125


class Settings:
    def __init__(self):
        self.rate = 0.5
        self.mode = Mode.MID
        self.weights = [0.5, 0.25]
        self.names = {"a": 1.0}


class Tuned(Settings):
    def __len__(self):
        return len(self.weights)


RATE = 0.75
COUNT = 2
MODE = Mode.LOW
TABLE = {"a": 0.5, "b": -0.25}
WEIGHTS = [0.5, 1.5]
SETTINGS = Settings()
TUNED = Tuned()
VEC = Vec(0.5, -0.5)
POINT = Point(0.25, 0.75)
LABEL = "low"


def activation(t):
    return t * 0.5


def other_activation(t):
    return t + 0.25


def same(one, two):
    return one is two


def moved(point, t):
    return Point(point.x + t, point.y)


def filled(vec, t):
    vec.x = t
    return vec


def chosen(mode, t):
    if mode is Mode.LOW:
        return t
    if mode == Mode.MID:
        return t * 0.5
    return mode.scale(t)


'''
CHANGES = (
    "RATE = RATE + 0.5", "COUNT = COUNT + 1", "MODE = Mode.HIGH", "MODE = Mode.MID", "TABLE['a'] = TABLE['a'] * 2.0", "TABLE['c'] = 1.5",
    "WEIGHTS.append(0.25)", "WEIGHTS[0] = -1.0", "SETTINGS.rate = SETTINGS.rate + 1.0", "SETTINGS.mode = Mode.HIGH", "SETTINGS.weights.append(2.0)",
    "SETTINGS.names['b'] = 3.0", "SETTINGS.extra = 5.0", "TUNED.weights.clear()", "VEC = Vec(-0.25, 2.0)", "VEC.x = -VEC.x", "POINT = Point(1.5, -0.5)",
    "LABEL = 'high'", "activation = other_activation", "RATE = 3", "Vec.made = 1.25", "SETTINGS = Tuned()", "POINT.x = 2.5", "COUNT = 2.5",
)  # fmt: skip
NAMES = ("'extra'", "'x'", "'rate'")
RETURNED = "x, y, z, t, u, m, float(np.sum(a)), v.x, v.y, w[0], p.x, o.y, p == o, q, items, e, s, counter.n, counter.log, node.x, node.kids, a, b"
LOSS = """

def loss(a, x, n, p, q, items, table, mode):
    r = f(a, x, n, p, q, items, table, mode)
    return 1.0 * r[0] + 0.5 * r[1] - r[2] + 0.25 * r[7] + r[8] * 0.125 + np.sum(r[-2]) + 0.0625 * np.sum(r[-1])
"""


class ObjectProgram(Chooser):
    """The text of one program. `raising`: it may fail as Python does."""

    def __init__(self, draws: Draws, size: int = 6, *, raising: bool = False) -> None:
        super().__init__(draws)
        self.size, self.raising = size, raising

    def text(self) -> str:
        """The module."""
        lines = [
            "y, z, t, u, m, e, s = x * 0.5, 0.25, True, False, 1, Mode.MID, 'b'", "b = a * 0.5", "v, w, o = Vec(x, 0.5), Vec(0.5, y), Point(x, 0.5)",
            "counter, node = Counter(), Node(x, [])",
        ]  # fmt: skip
        for _ in range(self.size):
            lines += self.statement(2)
        body = "\n".join(f"    {line}" for line in lines)
        changes = [self.pick(CHANGES) for _ in range(2)]
        targets = sorted({change.split(" ")[0] for change in changes if change.split(" ")[0].isidentifier()})
        declared = f"    global {', '.join(targets)}\n" if targets else ""
        branches = "\n".join(f"    if number == {k}:\n        {change}" for k, change in enumerate(changes))
        function = f"def f(a, x, n, p, q, items, table, mode):\n{body}\n    return {RETURNED}\n"
        return f"{HEADER}{object_choices.HEADER}def change(number):\n{declared}{branches}\n\n\n{function}{LOSS}"

    # ---- statements ----------------------------------------------------------------------------------------------------------

    def statement(self, depth: int) -> list[str]:
        """Lines of one statement."""
        number = self.draws.integer(0, 34 if depth else 26)
        if number > 26:
            return self.block(depth - 1)
        if number > 22:
            return object_choices.statement(self).split("; ")
        simple = (
            lambda: f"{self.pick(('x', 'y', 'z'))} = {self.number(2)}",
            lambda: f"{self.pick(('t', 'u'))} = {self.test(2)}",
            lambda: f"{self.pick(('v', 'w'))} = {self.vector(2)}",
            lambda: f"{self.pick(('p', 'o'))} = {self.point()}",
            lambda: f"e = {self.member()}",
            lambda: f"s = {self.string()}",
            lambda: f"{self.pick(('v', 'w'))} {self.pick(('+=', '-=', '*='))} {self.vector(1)}" if self.draws.integer(0, 2) else f"v *= {self.number(1)}",
            lambda: f"{self.pick(('v', 'w'))}.{self.pick(('x', 'y'))} {self.pick(('=', '+=', '*='))} {self.number(1)}",
            lambda: f"{self.pick(('v', 'w'))}[{self.pick(('0', '1'))}] {self.pick(('=', '+='))} {self.number(1)}",
            lambda: f"o.{self.pick(('x', 'y', 'size'))} {self.pick(('=', '+='))} {self.number(1)}",
            lambda: f"y = counter({self.number(1)})",
            lambda: f"counter <<= {self.number(1)}",
            lambda: f"node.kids.{self.pick(('append', 'append', 'insert'))}({self.number(1)})".replace("insert(", "insert(0, "),
            lambda: self.pick((f"node.x = {self.number(1)}", self.given(), self.given())),
            lambda: f"box = [{self.vector(1)}, {self.vector(1)}]; x = box[{self.pick(('0', '1', '-1'))}].x",
            lambda: f"held = {{{self.key()}: {self.number(1)}, {self.key()}: {self.number(1)}}}; y = held.get({self.key()}, {self.number(1)}) + len(held)",
            lambda: f"deep = {{'p': [{self.point()}, {{'v': {self.vector(1)}}}]}}; deep['p'][1]['v'].x = {self.number(1)}; z = deep['p'][1]['v'].x",
            lambda: f"more = copy.{self.pick(('copy', 'deepcopy'))}({self.pick(('node', 'v', 'p', 'counter', '[v, w]', '{1: p}'))}); t = more is node",
            lambda: f"a[{self.pick(('0', '1', 'm'))}] {self.pick(('=', '+=', '*='))} {self.number(1)}",
            lambda: f"b = {self.pick(('a', 'a * 1.0', 'b + a', 'v.x * a', 'np.sin(b)', 'a[::-1]'))}",
            lambda: f"m = {self.pick(('len(items)', 'n', 'len(counter)', 'COUNT', 'e.value', 'Level.TWO', 'len(table)', 'len(Mode)', 'm + 1', 'Level.ONE + n', '0', '-1'))}",
            lambda: f"x, y = {self.pick(('v', 'w', 'q', '(y, x)', 'q.swapped()'))}",
            lambda: f"z = {self.odd()}" if not self.raising else self.failing(),
        )
        return simple[number]().split("; ")

    def block(self, depth: int) -> list[str]:
        """A statement with statements in it."""
        inside = [f"    {line}" for line in self.statement(depth)]
        head = self.pick((
            lambda: f"if {self.test(2)}:",
            lambda: f"for i in range({self.pick(('n', '2', 'len(items)', 'COUNT'))}):",
            lambda: f"for i, c in enumerate({self.pick(('Mode', 'items', 'WEIGHTS', 'v', 'q', 'table'))}):",
            lambda: "if v:",
            lambda: f"while len(counter) < {self.pick(('2', 'n'))}:\n        counter({self.number(1)})",
            lambda: "def inner(r):",
        ))()  # fmt: skip
        if head.startswith("if") and self.draws.integer(0, 1):
            return [head, *inside, "else:", *(f"    {line}" for line in self.statement(depth))]
        if head.startswith("while"):
            return [line.removeprefix("    ") if k else line for k, line in enumerate(head.split("\n"))] + inside
        if head.startswith("def"):
            line = self.pick(("node.x = r", "v.x += r", "counter(r)", "o.x = r * 0.5", "a[0] = r", "p.x = r", "items[0] = r", "table['a'] = r", "items.append(r)"))
            return [head, f"    {line}", f"    return r + {self.number(1)}", f"y = inner({self.number(1)}) + inner(y)"]
        return [head, *inside]

    def given(self) -> str:
        """A statement that changes a container of the arguments."""
        value = self.number(1)
        return self.pick((
            f"p.{self.pick(('x', 'y', 'size'))} {self.pick(('=', '+=', '*='))} {value}", f"items[{self.pick(('0', '2', '-1'))}] {self.pick(('=', '+='))} {value}",
            f"items.{self.pick(('append', 'append', 'insert'))}({value})".replace("insert(", "insert(0, "), "items.reverse()", "x = items.pop()", "items[0], items[2] = items[2], items[0]",
            "items[1] = items[1] * 0.5", "items[1] *= 0.5", "items[1] = a", f"items += [{value}]", "del items[0]", f"items[1][0] = {value}", f"items[:1] = [{value}, y]",
            f"table['a'] {self.pick(('=', '+=', '*='))} {value}", f"table['c'] = {value}", "y = table.pop('a', 0.5)", f"table.update(b={value}, d=x)", f"y = table.setdefault('e', {value})",
            "table['n'] = n", "table['w'] = a * 2.0", "del table['b']; table['b'] = x", "p.x, p.y = p.y, p.x", "p.__init__(x, y)", "table['list'] = [x, y]",
        ))  # fmt: skip

    def failing(self) -> str:
        """A statement that fails, or might."""
        return self.pick((
            "Fixed(x, y).x = 1.0", "z = v.nothing", "z = p + 1.0", "z = items.index(5.0)", "z = table['none']", "z = Mode(7)", "z = Mode['NONE']",
            "counter[0] = 1.0", "z = len(p)", "z = v > p", "z = Vec(x)", "z = Point()", "z = q.nothing", "q.x = 1.0", "z = hash(v)", "z = {v: 1.0}",
            "z = -p", "z = 'a' + 1", "z = (1.0, 2.0)[2]", "z = Vec.nothing", "z = None + x", "z = p(x)", "z = int('x')", "del counter[3]", "z = x in 3",
            "z = sum([v, 'a'])", "z = max([])", "z = v < 3",
        ))  # fmt: skip

    # ---- expressions ---------------------------------------------------------------------------------------------------------

    def number(self, depth: int) -> str:
        """A float (or an int)."""
        leaf = self.pick((
            "x", "y", "z", "0.5", "-1.25", "2", "v.x", "w.y", "p.x", "o.y", "q.x", "q[1]", "items[0]", "items[1][0]", "table['a']", "RATE", "COUNT", "e.value", "mode.value",
            "SETTINGS.rate", "WEIGHTS[0]", "WEIGHTS[-1]", "TABLE['b']", "VEC.x", "VEC.made", "POINT.y", "len(WEIGHTS)", "node.x", "n", "m", "v.made",
            "len(SETTINGS.weights)", "float(t)", "Level.TWO", "counter.step",
        ))  # fmt: skip
        if not depth or self.draws.integer(0, 2) == 0:
            return leaf
        return self.pick((
            lambda: f"({self.number(depth - 1)} {self.pick(('+', '-', '*'))} {self.number(depth - 1)})",
            lambda: f"({self.number(depth - 1)} if {self.test(depth - 1)} else {self.number(depth - 1)})",
            lambda: f"({self.vector(depth - 1)} @ {self.vector(depth - 1)})",
            lambda: f"abs({self.vector(depth - 1)})",
            lambda: f"{self.pick(('v', 'w', 'VEC'))}({self.number(depth - 1)})",
            lambda: f"np.sin({self.number(depth - 1)})",
            lambda: f"activation({self.number(depth - 1)})",
            lambda: f"chosen({self.pick(('e', 'mode', 'MODE', 'SETTINGS.mode'))}, {self.number(depth - 1)})",
            lambda: f"{self.member()}.scale({self.number(depth - 1)})",
            lambda: f"moved({self.point()}, {self.number(depth - 1)}).x",
            lambda: f"{{Mode.LOW: {self.number(depth - 1)}, Mode.MID: 0.5, Mode.HIGH: y}}[{self.member()}]",
            lambda: f"sum([{self.vector(depth - 1)}, {self.vector(depth - 1)}], Vec(0.0, x)).x",
            lambda: f"max([{self.number(depth - 1)}, {self.number(depth - 1)}])",
            lambda: f"[{self.number(depth - 1)}, {self.number(depth - 1)}][{self.pick(('0', '1', '-1'))}]",
            lambda: f"getattr({self.pick(('SETTINGS', 'v', 'Bag([x])', 'p'))}, {self.pick(NAMES)}, {self.number(depth - 1)})",
            lambda: f"filled({self.pick(('v', 'w'))}, {self.number(depth - 1)}).x",
            lambda: f"(lambda r, c={self.member()}: r * c.value)({self.number(depth - 1)})",
            lambda: "Bag(items).nothing",
            lambda: f"[{self.number(depth - 1)}, {self.number(depth - 1)}].count({self.number(depth - 1)})",
        ))()  # fmt: skip

    def test(self, depth: int) -> str:
        """A bool."""
        leaf = self.pick((
            "t", "u", "True", "x > 0.25", "x < y", "n > 1", "v == w", "v != w", "v < w", "v > w", "p == o", "p != o", "p < o", "p >= o", "q == (x, y)", "q == q.swapped()",
            "e is Mode.MID", "e == mode", "mode is MODE", "mode is not Mode.LOW", "MODE == Mode.LOW", "v is w", "p is o", "a is b", "node is node", "same(a, b)", "same(v, w)",
            "x in items", "items[0] in (x, y)", "0.5 in v", "x in v", "e in (Mode.LOW, Mode.MID)", "p in [o, p]", "v in [w, v]", "'a' in table", "'c' in TABLE", "not v",
            "bool(w)", "isinstance(w, Long)", "isinstance(e, Mode)", "type(v) is Vec", "type(w) == Long", "v.__class__ is Vec", "hasattr(SETTINGS, 'extra')", "hasattr(v, 'x')",
            "callable(v)", "callable(p)", "LABEL == 'high'", "s == LABEL", "'b' in s", "s is LABEL", "x is None", "t is True", "n in {1, 2}", "bool(counter)", "not TUNED",
            "Bag([x]) == Bag([y])", "Bag([x]) != Bag([x])", "v == 1.0", "p == q", "Fixed(x, y) == Fixed(x, 0.5)", "None in items", "len(TUNED) > 1", "e.name == 'MID'",
            "Flags.A in (Flags.A | Flags.B)", "Level.ONE == n", "Level.ONE < m", "[x, y] == [y, x]", "(x, 1) < (y, 2)", "{'k': x} == {'k': y}", "[p] == [o]", "VEC", "MODE is SETTINGS.mode",
            "node == Node(x, [])", "[v, w].index(v) == 0", "activation is other_activation", "(v, e) == (w, mode)", "str(v) == 'a vector'", "f'{n}' == '2'",
        ))  # fmt: skip
        if not depth or self.draws.integer(0, 2) == 0:
            return leaf
        return self.pick((
            lambda: f"({self.test(depth - 1)} {self.pick(('and', 'or'))} {self.test(depth - 1)})",
            lambda: f"(not {self.test(depth - 1)})",
            lambda: f"({self.number(depth - 1)} {self.pick(('<', '<=', '>', '==', '!='))} {self.number(depth - 1)})",
            lambda: f"({self.vector(depth - 1)} {self.pick(('==', '!=', '<', '>'))} {self.vector(depth - 1)})",
            lambda: f"({self.number(depth - 1)} in {self.pick(('[x, y, 0.5]', 'v', 'WEIGHTS', 'items', '(z, 2)'))})",
            lambda: f"({self.point()} {self.pick(('==', '!=', '<', '>='))} {self.point()})",
            lambda: f"bool({self.vector(depth - 1)})",
            lambda: f"({self.pick(('v', 'p', 'e', 'a', 's', 'counter', 'None', 'node'))} {self.pick(('is', 'is not'))} {self.pick(('w', 'o', 'mode', 'b', 'LABEL', 'counter', 'None', 'node', 'v'))})",
        ))()  # fmt: skip

    def vector(self, depth: int) -> str:
        """A Vec or Long."""
        leaf = self.pick(("v", "w", "Vec(x, y)", "Vec(0.5, 1.0)", "Long(y, 0.5)", "VEC", "Vec(*q)", "Vec(y=x, x=z)"))
        if not depth or self.draws.integer(0, 2) == 0:
            return leaf
        return self.pick((
            lambda: f"({self.vector(depth - 1)} {self.pick(('+', '-', '+'))} {self.vector(depth - 1)})",
            lambda: f"({self.vector(depth - 1)} * {self.number(depth - 1)})",
            lambda: f"({self.number(depth - 1)} * {self.vector(depth - 1)})",
            lambda: f"({self.vector(depth - 1)} + {self.pick(('n', '2', 'm'))})",
            lambda: f"({self.number(0)} + {self.vector(depth - 1)})",
            lambda: f"({self.pick(('-', '+', '~'))}{self.vector(depth - 1)})",
            lambda: f"({self.vector(depth - 1)} if {self.test(depth - 1)} else {self.vector(depth - 1)})",
            lambda: f"copy.copy({self.vector(depth - 1)})",
            lambda: f"max([{self.vector(depth - 1)}, {self.vector(depth - 1)}])",
            lambda: f"[{self.vector(depth - 1)}, {self.vector(depth - 1)}][{self.pick(('0', '1'))}]",
        ))()  # fmt: skip

    def point(self) -> str:
        """A Point."""
        return self.pick(("p", "o", "POINT", f"Point({self.number(1)})", f"Point(y={self.number(1)}, x=x)", f"moved(p, {self.number(1)})", "Point(*q)", "copy.copy(o)"))

    def member(self) -> str:
        """A member of Mode."""
        return self.pick(("e", "mode", "MODE", "Mode.LOW", "Mode.MID", "Mode['HIGH']", "Mode(2)", "SETTINGS.mode", "list(Mode)[1]", "(Mode.LOW if n > 5 else Mode.LOW)"))

    def key(self) -> str:
        """A key of a dict."""
        return self.pick(("'a'", "1", "Mode.MID", "e", "(1, 'b')", "s", "LABEL", "Mode.LOW", "Level.ONE", "node", "math.sin", "activation", "None", "True", "counter"))

    def string(self) -> str:
        """A text known while reading (mostly)."""
        return self.pick(("'b'", "LABEL", "e.name", "f'{e.name}_{COUNT}'", "str(v)", "str(Mode.LOW)", "f'{v}'", "s + 'x'", "'-'.join(['a', s])", "type(w).__name__", "f'{n}'", "repr(e)", "str(Level.TWO)", "s.upper()"))

    def odd(self) -> str:
        """A number that few programs compute so."""
        return self.pick((
            "v[0] + w[-1]", "sum(v)", "sum([r * 2 for r in v])", "p.size", "e.half", "SETTINGS.names['a']", "len({1, 2, n})", "sorted([v, w])[0].x", "min(v, w).x",
            "sorted([p, o])[0].x", "float(len(v))", "next(iter([x]))", "dict(zip('ab', q))['a']", "Counter()(x)", "list(reversed([x, y]))[0]", "functools.reduce(lambda r, c: r + c, [v, w]).x",
            "[x, y, *items[1:1]][0]", "{**table, 'z': x}['z']", "{'a': v}['a'].x", "(v or w).x", "(v and w).x", "Vec.made", "type(v)(x, y).y", "sum(WEIGHTS)", "sum(SETTINGS.weights)",
            "sum(TABLE.values())", "sum(SETTINGS.names.values())", "any([v, w]) * 1.0", "all([v, w]) * 1.0", "max(items[0], x)", "len(items) * x", "q._replace(x=y).x", "sum(q)",
        ))  # fmt: skip
