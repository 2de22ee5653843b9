"""Programs about what some paths and trips set and others don't: names, attributes of objects, lists; what deletes them, and what catches that they are not there.

    for i in range(n):
        if hasattr(p, "y"):
            s += p.y
            del p.y
        else:
            q.y = i * x

A program is a function f(x, z, n) of three floats; `text(seed)` is its module. Where Python gives numbers, so must s2s, or refuse; where Python raises, s2s raises.
"""
from __future__ import annotations

import random

HELPERS = """
import copy


class Box:
    kind = 2.0

    def __init__(self, x):
        self.x = x

    def get(self):
        return self.y if hasattr(self, "y") else self.x

    def put(self, v):
        if v > 1.0:
            self.y = v
        else:
            self.z = v


"""
CAUGHT = ("AttributeError", "UnboundLocalError", "(AttributeError, UnboundLocalError, IndexError)")


class Draw:
    """The statements of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.depth, self.in_loop = 1, False

    def one(self, *texts: str) -> str:
        return self.random.choice(texts)

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def number(self, depth: int = 0) -> str:
        box, held = self.one("p", "q"), self.one("l", "m")
        simple = [
            "x", "s", "z", self.one("0.5", "1.5", "2.0"), f"getattr({box}, '{self.one('y', 'z', 'w', 'x')}', {self.one('x', '2.0', 's')})",
            f"{box}.{self.one('x', 'x', 'y', 'z')}", f"{box}.get()", f"{box}.kind", f"sum({held})", f"len({held}) * x", f"{held}[{self.one('0', '-1')}]",
        ]  # fmt: skip
        simple += ["float(i)", "i * x"] if self.in_loop else []
        if depth > 2 or self.random.random() < 0.75:
            return self.one(*simple)
        return f"({self.number(depth + 1)} {self.one('+', '-', '*')} {self.number(depth + 1)})"

    def test(self) -> str:
        asked = f"hasattr({self.one('p', 'q')}, '{self.one('y', 'z', 'w')}')"
        tests = [asked, asked, f"not {asked}", "z > 0.7", f"{self.number(1)} {self.one('>', '<')} {self.number(1)}"]
        return self.one(*tests, *(["i > 0", "i == 1", "i % 2 == 0"] if self.in_loop else []))

    def simple(self) -> None:
        box, held, name = self.one("p", "q"), self.one("l", "m"), self.one("y", "z", "w", "x")
        self.line(self.one(
            f"{box}.{name} = {self.number()}", f"{box}.{name} = {self.number()}", f"{box}.{name} += {self.number()}", f"s += {self.number()}", f"s = {self.number()}",
            f"{box} = Box({self.number()})", f"{box} = {self.one('p', 'q')}", "p, q = q, p", f"{box} = copy.copy({self.one('p', 'q')})", f"del {box}.{self.one('y', 'z', 'w')}",
            f"{box}.put({self.number()})", f"{held} = [{self.number()}, {self.number()}]", f"{held} = [{self.number()}]", f"{held}.append({self.number()})",
            f"{held} = {self.one('l', 'm')}", f"{held} = [k * x for k in {self.one('l', 'm')}]",
        ))  # fmt: skip

    def statement(self, depth: int) -> None:
        kind = self.random.random()
        if depth > 2 or kind < 0.7:
            self.simple()
        elif kind < 0.85:
            self.block(f"if {self.test()}:", depth)
            if self.random.random() < 0.5:
                self.block("else:", depth)
        elif kind < 0.93 and not self.in_loop:
            self.in_loop = True
            self.block(f"for i in range({self.one('int(n)', 'int(n)', 'int(n) - 1', '3')}):", depth)
            self.in_loop = False
        else:
            self.block("try:", depth)
            self.block(f"except {self.one(*CAUGHT)}:", depth)

    def block(self, head: str, depth: int) -> None:
        self.line(head)
        self.depth += 1
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.statement(depth + 1)
        self.depth -= 1


def text(seed: int, size: int = 9) -> str:
    """The module of a program."""
    draw = Draw(seed)
    draw.line("s = 0.0")
    for name, made in (("p", "Box(x)"), ("q", "Box(2.0)"), ("l", "[x]"), ("m", "[x, 2.0]")):
        if draw.random.random() < 0.93:
            draw.line(f"{name} = {made}")
    for _ in range(size):
        draw.statement(0)
    for name in "pqlm":  # local also where nothing binds it
        draw.line(f"if False:\n        {name} = None")
    draw.line(f"return s + {draw.number()}, {draw.number()}, {draw.number(1)}")
    return HELPERS + "def f(x, z, n):\n" + "\n".join(draw.lines) + "\n"
