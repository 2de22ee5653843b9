"""Programs about values that are None on some paths: what `try`, loops that are left early, helpers, objects and dicts leave in a name.

    try:
        v = look(x, 2)
        if y > 1.0: raise KeyError
    except KeyError:
        v = None
    t += 100.0 if v is None else v

A program is a function f(x, y, n) of three numbers in an array, a float and an int; `text(seed)` is its module. Where Python gives a number, so must s2s, or
refuse; where Python raises, s2s raises.
"""
from __future__ import annotations

import random

HELPERS = """
import contextlib

import numpy as np


class Box:
    def __init__(self, a, b=None):
        self.a, self.b, self.asked = a, b, 0

    def get(self, k):
        self.asked += 1
        if k > 1:
            raise IndexError("far")
        return self.a if k == 0 else self.b

    def try_get(self, k, default=None):
        try:
            return self.get(k)
        except IndexError:
            return default

    @property
    def best(self):
        return self.b if self.b is not None else self.a


def look(x, k):
    try:
        if k >= len(x):
            raise IndexError
        return x[k]
    except IndexError:
        return None


def find(x, y):
    for v in x:
        if v > y:
            return v


def pick(x, y):
    best = None
    for v in x:
        if v < y:
            continue
        if best is None or v > best:
            best = v
    return best


def each(x, y):
    for v in x:
        yield v if v > y else None


def apply(g, a):
    return None if a is None else g(a)
"""
NAMES = ("v", "w", "u")
NUMBERS = ("x[0]", "x[1]", "y", "1.5", "2.0 * y", "x.sum()", "x[-1]", "t", "float(b.asked)", "d['p']", "x[n % 3]")
VALUES = (
    "find(x, y)", "pick(x, y)", "find(x, 100.0)", "pick(x, 2.0)", "look(x, n)", "look(x, 1)", "b.try_get(n)", "b.try_get(n, t)", "b.get(n)", "b.a", "b.b", "b.best", "d['q']",
    "d.get('q')", "d.get('z')", "next(it, None)", "next((z for z in x if z > y), None)", "max((z for z in x if z > y), default=None)", "items[-1] if items else None",
    "items[0] if len(items) > 1 else y", "'up'", "(y, t)", "True", "x[0] > y", "v", "w", "u",
)  # fmt: skip
USES = (
    "t += 100.0 if {0} is None else 1.0", "t += {0} if isinstance({0}, float) else 7.0", "t += 3.0 if isinstance({0}, str) else 0.25", "t += {0}[0] if isinstance({0}, tuple) else 5.0",
    "t += apply(lambda z: z * y, {0} if isinstance({0}, float) else None) or 2.0", "if isinstance({0}, float): items.append({0})",
)  # fmt: skip
CHANGES = (
    "items.append(y)", "items.append(t)", "if items: t += items.pop()", "t += sum(items)", "d['p'] += 1.0", "d['p'] += y", "t += sum(1.0 for z in each(x, y) if z is None)",
    "for z in it:\n    if z > y: break", "for z in each(x, y):\n    if z is None: break\n    t += z",
)  # fmt: skip
ERRORS = ("ValueError", "KeyError")


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def text(self) -> str:
        """The program's module."""
        choose = self.random.choice
        start = ["t = 0.0", "items = []", "it = iter(x)", f"b = Box({choose(('y', 'None', 'x[0]'))}, {choose(('None', 'y'))})", f"d = {{'p': 1.0, 'q': {choose(('None', 'y'))}}}"]
        start += [f"{'' if self.random.random() < 0.85 else 'if n > 1: '}{name} = {choose(('None', 'None', '0.5', 'y'))}" for name in NAMES]
        end = choose(("return t", "return t, v", "return v", "return (-1.0 if v is None else v), t", "return t, b.a, d['q']", "return t, items"))
        body = [*start, *self.block(3, self.random.randint(2, 4)), end]
        return "\n".join([HELPERS, "", "def f(x, y, n):", *indented(body), ""])

    def block(self, depth: int, count: int = 0) -> list[str]:
        """Some statements."""
        return [line for _ in range(count or self.random.randint(1, 3)) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        """One statement, with those inside of it."""
        kind = self.random.random()
        if depth == 0 or kind < 0.5:
            return self.simple()
        if kind < 0.63:
            return self.test(depth)
        if kind < 0.7:
            return [f"with {self.random.choice(('contextlib.suppress(ValueError)', 'contextlib.suppress(KeyError, IndexError)', 'contextlib.nullcontext()'))}:", *indented(self.block(depth - 1))]
        return self.guarded(depth) if kind < 0.87 else self.loop(depth)

    def simple(self) -> list[str]:
        """A statement without others inside."""
        choose, kind = self.random.choice, self.random.random()
        if kind < 0.4:
            target = choose((*NAMES, *NAMES, "b.a", "b.b", "d['q']"))
            return [f"{target} = {self.value()}"]
        if kind < 0.65:
            return [self.use()]
        if kind < 0.78:
            return choose(CHANGES).split("\n")
        if kind < 0.84 and self.loops:
            return [f"if {self.condition()}:", f"    {choose(('break', 'continue'))}"]
        if kind < 0.93:
            return [f"if {self.condition()}:", f"    raise {choose(ERRORS)}"]
        return [f"if {self.condition()}:", f"    return {choose(('None', 't', 'v', 'w'))}"]

    def use(self) -> str:
        """A statement that depends on what a name is."""
        return self.random.choice(USES).format(self.random.choice(NAMES))

    def value(self) -> str:
        """What a name gets."""
        kind = self.random.random()
        if kind < 0.25:
            return "None"
        if kind < 0.5:
            return self.random.choice(NUMBERS)
        if kind < 0.6:
            return f"{self.random.choice(NUMBERS)} if {self.condition()} else {self.random.choice(('None', 'y'))}"
        return self.random.choice(VALUES)

    def condition(self) -> str:
        """A test."""
        choose, kind = self.random.choice, self.random.random()
        if kind < 0.35:
            return f"{choose((*NAMES, 'b.a', 'b.b'))} is {choose(('', 'not '))}None"
        if kind < 0.7:
            return f"{choose(NUMBERS)} {choose('<>')} {choose(('1.0', '0.5', 'y', '2.0'))}"
        if kind < 0.85:
            return f"n {choose(('>', '==', '<'))} {self.random.randint(0, 3)}"
        return choose(("items", "len(items) > 1", f"isinstance({choose(NAMES)}, {choose(('float', 'str', 'tuple'))})"))

    def test(self, depth: int) -> list[str]:
        """An if."""
        lines = [f"if {self.condition()}:", *indented(self.block(depth - 1))]
        if self.random.random() < 0.3:
            lines += [f"elif {self.condition()}:", *indented(self.block(depth - 1))]
        return [*lines, "else:", *indented(self.block(depth - 1))] if self.random.random() < 0.6 else lines

    def guarded(self, depth: int) -> list[str]:
        """A try."""
        body = self.block(depth - 1)
        if self.random.random() < 0.5:
            body[:0] = [f"if {self.condition()}: raise {self.random.choice(ERRORS)}"]
        lines = ["try:", *indented(body)]
        caught = self.random.choice(("except ValueError:", "except (ValueError, KeyError):", "except Exception:", "except IndexError:"))
        lines += [caught, *indented(self.block(depth - 1, self.random.randint(1, 2)))]
        if self.random.random() < 0.3:
            lines += ["else:", *indented(self.block(depth - 1, 1))]
        return [*lines, "finally:", *indented([f"t += {self.random.choice(NUMBERS)}", self.use()])] if self.random.random() < 0.2 else lines

    def loop(self, depth: int) -> list[str]:
        """A for, or a while that counts."""
        name = f"i{self.loops}"
        self.loops += 1
        body = indented(self.block(depth - 1))
        self.loops -= 1
        if self.random.random() < 0.7:
            lines = [f"for {name} in range({self.random.choice(('n', '3', '2', 'len(x)'))}):", *body]
        else:
            lines = [f"{name} = 0", f"while {name} < {self.random.choice(('n', '3'))}:", f"    {name} += 1", *body]
        return [*lines, "else:", *indented(self.block(depth - 1, 1))] if self.random.random() < 0.2 else lines


def indented(lines: list[str]) -> list[str]:
    """One level deeper."""
    return [f"    {line}" for line in lines]


def text(seed: int) -> str:
    """The module of the program of a seed."""
    return Writer(seed).text()
