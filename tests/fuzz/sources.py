"""Random Python source: branches, loops left early, aliases, views, stores, helpers that change their arguments, containers."""
from __future__ import annotations

import random

HEADER = '''"""Made by tests/fuzz/sources.py."""
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

'''
SCALARS, ARRAYS, INTS = ("x", "y", "z"), ("a", "b", "c", "d"), ("k", "m")


class Source:
    """The text of one program f(a, b, x, k): a and b of length 6."""

    def __init__(self, seed: int, size: int = 14) -> None:
        self.draw = random.Random(seed)
        self.left = size
        self.lines: list[str] = []
        self.loops = 0

    def text(self) -> str:
        self.emit(0, "def f(a, b, x, k):")
        self.emit(1, "y = 0.5; z = 0.0; m = 1")
        if self.draw.random() < 0.7:
            self.emit(1, "a = a.copy(); b = b + 0.0")
        self.emit(1, self.draw.choice(["c = a * 1.0", "c = np.ones(6)", "c = a.copy()"]))
        self.emit(1, self.draw.choice(["d = b + 0"] * 5 + ["d = b", "d = a[::-1]", "d = c"]))
        self.emit(1, "items = [x, a]; pair = (y, c)")
        while self.left > 0:
            self.statement(1, in_loop=False)
        self.emit(1, "return x, y, z, a, b, c * 1.0, d.sum(), k, m, items[0], pair[0]")
        return HEADER + "\n".join(self.lines) + "\n"

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    # ---- expressions ----

    def scalar(self) -> str:
        pick = self.draw.random()
        if pick < 0.35:
            return self.draw.choice(SCALARS)
        if pick < 0.5:
            return f"{self.draw.choice(ARRAYS)}[{self.index()}]"
        if pick < 0.6:
            return self.draw.choice(["0.25", "1.5", "-0.5", "2.0"])
        if pick < 0.7:
            return f"np.tanh({self.scalar()})"
        if pick < 0.75:
            return f"({self.scalar()} if {self.test()} else {self.scalar()})"
        if pick < 0.8:
            return self.draw.choice(["items[0]", "pair[0]", "np.sin(pair[1][1])", "items[1][2]"])
        if pick < 0.84:
            return f"0.1 * {self.draw.choice(ARRAYS)}.sum()"
        return f"({self.scalar()} {self.draw.choice('+-*')} {self.scalar()})"

    def array(self) -> str:
        pick = self.draw.random()
        name = self.draw.choice(ARRAYS)
        if pick < 0.06:
            return name
        if pick < 0.12:
            return f"{name}[::-1]"
        if pick < 0.4:
            return self.draw.choice([f"{name} * 0.5", f"{name}.copy()", f"{name} - 0.25", f"np.cos({name}[::-1])"])
        if pick < 0.5:
            return f"np.sin({name})"
        if pick < 0.55:
            return f"{name}[[0, 2, 1, 1, 4, 5]]"
        if pick < 0.6:
            return f"grown({name}, {self.scalar()})"
        if pick < 0.65:
            return f"np.where({name} > {self.scalar()}, {self.draw.choice(ARRAYS)}, 0.5)"
        if pick < 0.66:
            return f"same({name})"
        return f"({self.array()} {self.draw.choice('+-*')} {self.draw.choice([self.scalar(), self.draw.choice(ARRAYS)])})"

    def index(self) -> str:
        return self.draw.choice(["0", "1", "-1", "3", "k % 6", "m % 5", "(k + m) % 6", *(f"i{loop} % 6" for loop in range(self.loops))])

    def test(self) -> str:
        pick = self.draw.random()
        if pick < 0.7:
            return f"{self.scalar()} {self.draw.choice(['<', '>', '>='])} {self.scalar()}"
        if pick < 0.8:
            return f"{self.draw.choice(INTS)} % 2 == 0"
        if pick < 0.9:
            return f"not {self.draw.choice(SCALARS)} > 0.1"
        return f"({self.test()} {self.draw.choice(['and', 'or'])} {self.test()})"

    # ---- statements ----

    def statement(self, depth: int, *, in_loop: bool) -> None:
        self.left -= 1
        kinds = [self.assign, self.assign, self.store, self.store, self.augment, self.containers, self.call]
        if depth < 4:
            kinds += [self.branch, self.branch, self.loop, self.loop, self.while_loop]
        if in_loop:
            kinds += [self.leave]
        self.draw.choice(kinds)(depth, in_loop)

    def body(self, depth: int, *, in_loop: bool) -> None:
        for _ in range(self.draw.randint(1, 3)):
            self.statement(depth, in_loop=in_loop)

    def assign(self, depth: int, in_loop: bool) -> None:
        pick = self.draw.random()
        if pick < 0.4:
            self.emit(depth, f"{self.draw.choice(SCALARS)} = {self.scalar()}")
        elif pick < 0.5:
            self.emit(depth, f"{self.draw.choice(INTS)} = ({self.draw.choice(INTS)} + {self.draw.randint(0, 3)}) % 7")
        elif pick < 0.8:
            self.emit(depth, f"{self.draw.choice(ARRAYS)} = {self.array()}")
        elif pick < 0.84:
            one, two = self.draw.sample(ARRAYS, 2)
            self.emit(depth, f"{one}, {two} = {two}, {one}")
        else:
            self.emit(depth, f"t = {self.scalar()}")
            self.emit(depth, f"{self.draw.choice(SCALARS)} = t * 0.5")

    def store(self, depth: int, in_loop: bool) -> None:
        name = self.draw.choice(ARRAYS)
        pick = self.draw.random()
        if pick < 0.4:
            self.emit(depth, f"{name}[{self.index()}] = {self.scalar()}")
        elif pick < 0.6:
            self.emit(depth, f"{name}[1:4] = {self.draw.choice(ARRAYS)}[2:5] * {self.scalar()}")
        elif pick < 0.7:
            self.emit(depth, f"{name}[{name} > {self.scalar()}] = {self.scalar()}")
        elif pick < 0.8:
            self.emit(depth, f"w = {name}[2:]; w[k % 4] = {self.scalar()}")
        else:
            self.emit(depth, f"{name}[{self.index()}] {self.draw.choice('+-')}= {self.scalar()}")

    def augment(self, depth: int, in_loop: bool) -> None:
        pick = self.draw.random()
        if pick < 0.4:
            self.emit(depth, f"{self.draw.choice(SCALARS)} {self.draw.choice('+-*')}= {self.scalar()}")
        elif pick < 0.8:
            self.emit(depth, f"{self.draw.choice(ARRAYS)} {self.draw.choice('+-')}= {self.draw.choice([self.scalar(), self.draw.choice(ARRAYS)])}")
        else:
            self.emit(depth, f"{self.draw.choice(INTS)} += 1")

    def containers(self, depth: int, in_loop: bool) -> None:
        self.emit(depth, self.draw.choice([
            f"items[0] = {self.scalar()}", f"items[1] = {self.array()}", f"items[1][0] = {self.scalar()}", f"pair = ({self.scalar()}, pair[1])",
            f"pair = (pair[0], {self.array()})", f"pair[1][2] = {self.scalar()}", f"items = [items[0] * 0.5, {self.draw.choice(ARRAYS)}]",
        ]))  # fmt: skip

    def call(self, depth: int, in_loop: bool) -> None:
        one, two = self.draw.choice(ARRAYS), self.draw.choice(ARRAYS)
        self.emit(depth, self.draw.choice([
            f"shift({one}, {self.scalar()})", f"y = shift({one}[1:5], {self.scalar()})", f"z = pick({one}, {two}, {self.scalar()})",
            f"{one} = grown({two}, {self.scalar()})",
        ]))  # fmt: skip

    def branch(self, depth: int, in_loop: bool) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.body(depth + 1, in_loop=in_loop)
        if self.draw.random() < 0.3:
            self.emit(depth, f"elif {self.test()}:")
            self.body(depth + 1, in_loop=in_loop)
        if self.draw.random() < 0.5:
            self.emit(depth, "else:")
            self.body(depth + 1, in_loop=in_loop)

    def loop(self, depth: int, in_loop: bool) -> None:
        name = f"i{self.loops}"
        source = self.draw.choice(["range(3)", "range(k)", "range(5, 0, -2)", "range(1, len(a) - 1)", "range(k, 4)"])
        if self.draw.random() < 0.2:
            self.emit(depth, f"for {name}, t in enumerate({self.draw.choice(ARRAYS)}):")
        else:
            self.emit(depth, f"for {name} in {source}:")
        self.loops += 1
        self.body(depth + 1, in_loop=True)
        self.loops -= 1
        if self.draw.random() < 0.15:
            self.emit(depth, "else:")
            self.emit(depth + 1, f"y = {self.scalar()}")

    def while_loop(self, depth: int, in_loop: bool) -> None:
        self.emit(depth, f"n{depth} = 0")
        self.emit(depth, f"while n{depth} < 4 and {self.test()}:")
        self.emit(depth + 1, f"n{depth} += 1")
        self.body(depth + 1, in_loop=True)

    def leave(self, depth: int, in_loop: bool) -> None:
        self.emit(depth, f"if {self.test()}:")
        self.emit(depth + 1, self.draw.choice(["break", "continue", "continue", "return x, y, z, a, b, c * 1.0, d.sum(), k, m, items[0], pair[0]"]))
