"""A grammar of programs about lists whose items differ in type, that grow on one path only, and what is asked of them: order, positions, slices, texts.

A program is `f(x, n, c, t)`: an array, an int, a bool and a float; it is judged as those of `objects` are, without derivatives. What may fail fails as Python does.
"""
from __future__ import annotations

from .grammar import Chooser

HEADER = '''"""Made by tests/fuzz/mixed.py."""
import numpy as np


def arguments(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=3).round(2), int(rng.integers(0, 4)), bool(rng.integers(0, 2)), round(float(rng.normal()), 2)


def change(number):
    pass


'''
KINDS = {
    "int": ("n", "3", "n + 1", "len(L)"), "float": ("t", "0.5", "float(x[0])", "t * 2.0"), "text": ("'b'", "'a'", "f'{n}'", "f'{t:.2f}'", "str(n)", "'' if c else 'z'"),
    "None": ("None", "None if c else t"), "bool": ("c", "True", "t > 0.0"), "tuple": ("(n, t)", "('k', n)", "(t, t)", "()"), "array": ("x", "x * 2.0", "np.zeros(2)"), "list": ("[n]", "[t, t]", "[]"),
}  # fmt: skip
ORDERED = ("int", "float", "bool")


class MixedProgram(Chooser):
    """The text of one program of so many statements: L and M are lists, of items of the same few kinds."""

    def __init__(self, draws, size: int = 3) -> None:  # type: ignore[no-untyped-def]
        super().__init__(draws)
        self.size = size
        number = self.pick((1, 1, 2, 2, 3))
        self.kinds = [self.pick(tuple(KINDS)) for _ in range(number)]
        numeric = [kind for kind in self.kinds if kind in ORDERED]
        self.is_exact = len(set(numeric)) < 2 and "tuple" not in self.kinds and not ("None" in self.kinds and numeric and numeric[0] != "float")

    def text(self) -> str:
        """The module."""
        lines = ["r = 0", f"L = {self.fresh()}", f"M = {self.fresh()}"]
        for _ in range(self.size):
            lines += self.statement(0)
        lines += [self.question()]
        lines.append("return " + self.pick(("L, r", "L, r", "r, len(L), M", "L, M, r", "r", "tuple(L), r")))
        return HEADER + "def f(x, n, c, t):\n" + "\n".join("    " + line for line in lines) + "\n"

    def item(self) -> str:
        return self.pick(KINDS[self.pick(self.kinds)])

    def fresh(self) -> str:
        items = [self.item() for _ in range(self.draws.integer(0, 3))]
        one = f"[{self.item()} for k in range(n)]"
        return self.weighted((6, f"[{', '.join(items)}]".replace("len(L)", "n")), (1, one.replace("len(L)", "k")))

    def test(self) -> str:
        return self.pick(("c", "t > 0.0", "n > 1", "x[1] > 0.0", "len(L) > 2"))

    def statement(self, depth: int) -> list[str]:
        if depth < 2 and self.chance(45):
            inner = self.statement(depth + 1) + (self.statement(depth + 1) if self.chance(30) else [])
            head = self.weighted((3, f"if {self.test()}:"), (2, f"for k{depth} in range(n):"))
            lines = [head, *("    " + line for line in inner)]
            if head.startswith("if") and self.chance(30):
                lines += ["else:", *("    " + line for line in self.statement(depth + 1))]
            return lines
        return [self.change()]

    def change(self) -> str:
        u = self.pick(("L", "L", "M"))
        return self.weighted(
            (8, f"{u}.append({self.item()})"), (1, f"{u}.insert(0, {self.item()})"), (1, f"{u}.insert(n, {self.item()})"), (1, f"{u}.extend([{self.item()}, {self.item()}])"), (1, f"if {u}: {u}.pop()"),
            (1, f"if {u}: {u}.pop(0)"), (1, f"{u}.reverse()"), (1, f"{u} += [{self.item()}]"), (1, f"if {u}: {u}[-1] = {self.item()}"), (1, f"if {u}: {u}[0] = {self.item()}"), (1, f"if {u}: del {u}[0]"),
            (1, f"{u} = {u}[::-1]"), (1, f"{u} = {u}[1:]"), (1, "L = L + M"), (1, "L = L * 2"), (1, f"{u} = [v for v in {u}]"), (1, f"{u} = list({u})"), (1, f"M = [{self.item()}] + L"), (1, f"{u} = []"),
            (1, f"{u} = {self.fresh()}"), (1, f"{u}.sort(key=str)"), (1, f"{u}.clear()"), (2, self.question()),
        )  # fmt: skip

    def question(self) -> str:
        u = self.pick(("L", "L", "M"))
        ways = [
            (3, f"r = len({u})"), (2, f"r = {u}[-1] if {u} else None"), (1, f"r = {u}[0] if {u} else r"), (1, f"r = [i for i, v in enumerate({u}) if v is not None]"), (1, f"r = [(a, b) for a, b in zip(L, {u})]"),
            (1, f"for v in {u}: r = v"), (1, f"r = sum(1 for v in {u})"), (1, f"r = {u}[n:]"), (1, f"r = {u}[:2]"), (1, f"r = bool({u})"),
            (1, f"r = any(v is None for v in {u})"),
        ]  # fmt: skip
        if self.is_exact:
            ways += [(1, f"r = str({u})"), (1, f"r = ', '.join(str(v) for v in {u})")]  # the numbers of a list are of one type
            ways += [(1, f"r = [type(v).__name__ for v in {u}]"), (1, f"r = [v for v in {u} if isinstance(v, float)]"), (1, f"r = [v for v in {u} if isinstance(v, str)]")]
        if "array" not in self.kinds:
            item = f"({self.item()})"
            ways += [(1, f"r = {item} in {u}"), (1, f"r = {u}.count({item})"), (1, f"r = {u}.index({item}) if {item} in {u} else -1"), (1, f"r = L == {u}"), (1, f"if {item} in {u}: {u}.remove({item})")]
        if set(self.kinds) <= set(ORDERED) or len(set(self.kinds)) == 1 and self.kinds[0] in ("text", "list"):
            ways += [(1, f"r = sorted({u})"), (1, f"{u}.sort()"), (1, f"{u}.sort(reverse=True)"), (1, f"r = min({u}) if {u} else None"), (1, f"r = max({u}, default=None)")]
        if set(self.kinds) <= set(ORDERED):
            ways += [(1, f"r = sum({u})"), (1, f"r = max({u}, key=abs) if {u} else None"), (1, f"r = sorted({u}, key=lambda v: -v)"), (1, f"r = np.array({u}).sum()"), (1, f"r = [v * 2 for v in {u}]")]
        if self.kinds == ["text"]:
            ways += [(3, f"r = ', '.join({u})"), (2, f"r = [len(v) for v in {u}]"), (1, f"r = max({u}, key=len) if {u} else ''"), (1, f"r = [v.upper() for v in {u}]"), (1, f"r = [v + '!' for v in {u}]")]
        return self.weighted(*ways)
