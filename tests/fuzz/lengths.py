"""A grammar of programs about lists of arrays that are each of a size of their own: what puts arrays into such lists, moves them about in them, takes them out and joins them.

A program is `f(x, labels, n, c)`: an array, integers beside it, an int and a bool; it is judged as those of `objects` are, and the slope of what it gives against differences.
"""
from __future__ import annotations

from .grammar import Chooser

HEADER = '''"""Made by tests/fuzz/lengths.py."""
import numpy as np


class Part:
    def __init__(self, at, data):
        self.at = at
        self.data = data

    def grow(self, by):
        self.data = np.append(self.data, by)


def arguments(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 8))
    return rng.normal(size=size).round(2), rng.integers(0, 4, size), int(rng.integers(0, 4)), bool(rng.integers(0, 2))


def change(number):
    pass


def groups_of(values, labels):
    return [values[labels == k] for k in range(labels.max() + 1)]


def halves(values):
    half = len(values) // 2
    return [values[:half], values[half:]]


def put(parts, part):
    parts.append(part)
    return len(parts)


def last(parts, otherwise):
    return parts[-1] if parts else otherwise


def pieces(values, step):
    for k in range(0, len(values), step):
        yield values[k : k + step]


def divided(values, limit):
    if len(values) <= limit:
        return [values]
    half = len(values) // 2
    return divided(values[:half], limit) + divided(values[half:], limit)


def weighed(result):
    if result is None or isinstance(result, (str, bool)):
        return 0.0
    if isinstance(result, dict):
        return weighed(list(result.values()))
    if isinstance(result, (list, tuple)):
        return sum((k + 1) * weighed(each) for k, each in enumerate(result)) + 0.0
    return np.sum(np.sin(result))


'''
SOURCES = {"float": "x", "int": "labels", "bool": "(x > 0.0)", "complex": "(x * (1.0 + 0.5j))"}
LISTS = ("L", "L", "M")


class LengthProgram(Chooser):
    """The text of one program of so many statements: L and M are lists of parts of `u`, `a` is one, `D` a dict of them by labels; r is what is asked for."""

    def __init__(self, draws, size: int = 3) -> None:  # type: ignore[no-untyped-def]
        super().__init__(draws)
        self.size = size
        self.kind = self.weighted((6, "float"), (2, "int"), (1, "bool"), (1, "complex"))
        self.is_flat = self.chance(85)
        self.has_dict = self.is_flat and self.chance(25)
        self.loops = 0

    def text(self) -> str:
        """The module."""
        lines = ["r = 0.0", f"u = {SOURCES[self.kind]}" + ("" if self.is_flat else "[:, None] * np.ones(2, int)"), f"a = {self.pick(('u', 'u[1:]', 'u[:n]', 'u[labels > 1]'))}", "k = n"]
        lines += [f"L = {self.many()}", f"M = {self.pick(('[]', '[u[:1]]', 'L[:]', 'L[1:]', 'L', self.many()))}"]
        if self.has_dict:
            lines += ["D = {}"]
        for _ in range(self.size):
            lines += self.statement(0)
        lines += self.question()
        results = ["L, r", "L, r", "r, len(L), M", "L, M, r", "r", "tuple(L), r", "r, a", "{'L': L, 'r': r}", "[L, M], r"]
        lines.append("return " + self.pick(results + (["D, r", "L, D"] if self.has_dict else [])))
        return HEADER + "def f(x, labels, n, c):\n" + "\n".join("    " + line for line in lines) + "\n\n\ndef loss(x, labels, n, c):\n    return weighed(f(x, labels, n, c))\n"

    # ---- expressions --------------------------------------------------------------------------------------------------------------

    def number(self) -> str:
        return self.pick(("0", "1", "2", "k", "n", "-1", "k + 1", "len(L)", "labels[0]", "labels.max()"))

    def one(self) -> str:
        """An array."""
        i, j = self.number(), self.number()
        ways = [
            (4, f"u[{i}:]"), (3, f"u[:{i}]"), (3, f"u[{i}:{j}]"), (5, f"u[labels == {i}]"), (2, "u[x > 0.25]"), (1, "u[:0]"), (2, "a"), (1, "a[1:]"), (1, f"a[:{i}]"), (1, "a.copy()"), (1, "u[::-1]"), (1, "u[::2]"),
            (1, "u"), (1, "u.copy()"), (2, f"last(L, {self.pick(('u', 'a'))})"), (1, f"np.concatenate([u[:{i}], a])"), (1, f"u[np.argsort(labels, kind='stable')][:{i}]"), (1, f"np.where(c, u, u)[{i}:]"), (1, "np.concatenate([a, a])[:5]"),
            (1, f"(a if c else u[{i}:])"), (1, "np.repeat(u, 2, axis=0)[:n]"),
        ]  # fmt: skip
        if self.is_flat:
            ways += [(2, "np.append(a, u[0])[:6]"), (1, "np.hstack([a, u[1:]])[:6]"), (1, f"np.zeros({self.pick(('0', 'n', 'k', '2'))}, u.dtype)"), (1, f"np.array([u[0], u[k % 3]])[:{i}]"), (1, "u[np.array([0, 0, 1])]"), (1, "np.unique(u)")]
        if self.kind == "int" and self.is_flat:
            ways += [(3, f"np.where(labels == {i})[0]"), (2, "np.nonzero(x > 0.0)[0]"), (1, f"np.arange({self.pick(('n', 'k', 'labels[0]', 'len(L)'))})"), (1, 'np.argsort(a, kind="stable")')]
        if self.kind == "float":
            ways += [(2, f"u[labels == {i}] * 0.5"), (1, "np.sort(a, axis=0)"), (1, "a - u.mean()"), (1, "np.cumsum(a, axis=0)")]
        return self.weighted(*ways)

    def many(self) -> str:
        """A list of them."""
        return self.weighted(
            (2, "[]"), (2, f"[{self.one()}, {self.one()}]".replace("len(L)", "n").replace("last(L, ", "(")), (3, "groups_of(u, labels)"), (2, "[u[labels == k] for k in range(n)]"), (2, "[u[:k] for k in range(n + 1)]"),
            (1, "[u[k:] for k in range(n) if x[k] > 0.0]"), (1, "halves(u)"), (1, "np.split(u, np.flatnonzero(np.diff(x) < 0.0) + 1)"), (1, "[u[: v + 1] for v in labels]"), (1, "list(pieces(u, n + 1))"),
            (1, "divided(u, n + 1)"), (1, "[u[labels == k] for k in np.unique(labels)]"), (1, "[u[i:j] for i in range(n) for j in range(i, n)]"), (1, "[u[:2]] * n"), (1, "[u[x > v] for v in x]"),
        )  # fmt: skip

    def changed(self) -> str:
        """A list made of lists."""
        u, v = self.pick((("L", "M"), ("M", "L")))
        return self.weighted(
            (2, f"{u}[1:]"), (2, f"{u}[::-1]"), (1, f"{u}[:]"), (1, f"{u}.copy()"), (1, f"list({u})"), (2, f"[v for v in {u} if len(v) > {self.pick(('0', '1', 'n'))}]"), (2, f"[v[1:] for v in {u}]"), (1, f"{u} + {v}"),
            (1, f"{u} * 2"), (1, f"sorted({u}, key=len)"), (1, f"[h for v in {u} for h in halves(v)]"), (1, f"[np.concatenate([v, w]) for v, w in zip({u}, {v})]"), (1, f"[v[::-1] for v in reversed({u})]"), (1, v), (1, f"{u}[:n]"),
            (1, f"[np.array([v[0], v[-1]]) for v in {u} if len(v)]"), (1, f"[{self.one()} for v in {u}]"), (1, f"{u}[n:] + {u}[:n]"), (1, f"({u} if c else {v})"), (1, f"[v * 2 for v in {u}]"), (1, f"list(filter(len, {u}))"),
            (1, f"list(map(np.copy, {u}))"), (1, f"[v if len(v) > 1 else {self.one()} for v in {u}]"), (1, f"sorted({u}, key=lambda v: -len(v))"),
        )  # fmt: skip

    def test(self) -> str:
        return self.pick(("c", "n > 1", "x[0] > 0.0", "len(L) > 2", "len(M) > 0", "x[k % 3] > 0.0", "len(a) > 1", "labels[k % 3] > 1", "L"))

    # ---- statements ---------------------------------------------------------------------------------------------------------------

    def statement(self, depth: int) -> list[str]:
        if depth < 2 and self.chance(45):
            return self.compound(depth)
        ways = [(6, self.change), (2, self.question)]
        if self.has_dict:
            ways.append((4, self.of_dict))
        return self.weighted(*ways)()

    def block(self, depth: int) -> list[str]:
        lines = [line for _ in range(self.draws.integer(1, 2)) for line in self.statement(depth + 1)]
        return ["    " + line for line in lines]

    def compound(self, depth: int) -> list[str]:
        head = self.weighted((4, f"if {self.test()}:"), (3, "for k in range(n):"), (1, "for k in labels:"), (1, f"for b in {self.pick(LISTS)}[:]:"), (1, "while"), (1, "try:"))
        if head == "while":
            self.loops += 1
            return [f"i{self.loops} = 0", f"while i{self.loops} < n and len(L) < 6:", f"    i{self.loops} += 1", *self.block(depth)]
        lines = [head, *self.block(depth)]
        if head == "try:":
            return [*lines, "except (IndexError, ValueError):", f"    {self.pick(('r = -1.0', 'L.append(u[:1])', 'L = []'))}"]
        if head.startswith("for b"):
            return [*lines, f"    {self.pick(('M.append(b)', 'a = b', 'if len(b) > 1: M.append(b[1:])', 'M = [b] + M[:4]', 'M.append(np.concatenate([b, a])[:6])'))}"]
        if head.startswith("if") and self.chance(40):
            return [*lines, "else:", *self.block(depth)]
        if head.startswith("for") and self.chance(20):
            return [*lines, f"    if {self.test()}:", f"        {self.pick(('break', 'continue'))}"]
        return lines

    def change(self) -> list[str]:
        u = self.pick(LISTS)
        v, one = ("M" if u == "L" else "L"), self.one()
        return [self.weighted(
            (8, f"{u}.append({one})"), (2, f"{u}.insert({self.pick(('0', '1', 'n', '-1'))}, {one})"), (1, f"{u}.extend([{one}, {self.one()}])"), (1, f"{u}.extend({v}[:2])"), (1, f"{u} += [{one}]"), (1, f"if {u}: a = {u}.pop()"),
            (1, f"if {u}: a = {u}.pop(0)"), (1, f"if len({u}) > n: {u}.pop(n)"), (2, f"if {u}: {u}[-1] = {one}"), (2, f"if {u}: {u}[0] = {one}"), (2, f"if {u}: {u}[n % len({u})] = {one}"), (1, f"if {u}: del {u}[0]"), (1, f"{u}.reverse()"),
            (1, f"{u}.sort(key=len)"), (1, f"{u}.clear()"), (1, f"{u} = []"), (4, f"{u} = {self.changed()}"), (1, f"{u} = {self.many()}"), (1, "L, M = M, L"), (2, f"a = {one}"), (1, f"if {u}: a = {u}[n % len({u})]"), (1, f"put({u}, {one})"),
            (1, f"if len({u}) > 1: {u}[0], {u}[-1] = {u}[-1], {u}[0]"), (1, f"if {u}: {u}[-1] = np.concatenate([{u}[-1], {one}])[:6]"), (1, f"{u} = {u}[:1] + {v}[:2]"), (1, f"{u}[1:2] = [{one}, {self.one()}]"), (1, f"if {u}: {u}[0] = {u}[-1]"),
            (1, f"if len(a): {self.pick(('a', 'u', 'u'))}[0] = {self.pick(('u[1]', 'a[-1]'))}"), (1, "a += u[0]" if self.kind != "bool" else "a = ~a"), (1, f"if {u} and len({u}[0]): {u}[0][0] = u[1]"), (1, f"for b in {u}: b += 1" if self.kind != "bool" else "pass"),
            (1, f"{u}.append(u.copy()[:n])"),
        )]  # fmt: skip

    def of_dict(self) -> list[str]:
        key, one = self.pick(("k", "n", "labels[0]", "k % 2", "len(L)")), self.one()
        return [self.weighted(
            (3, f"D[{key}] = {one}"), (3, f"if {key} in D: D[{key}] = np.append(D[{key}], u[0])"), (2, "for v, key in zip(u, labels): D[key] = np.append(D[key], v) if key in D else np.array([v])"), (1, f"if {key} in D: a = D[{key}]"),
            (1, f"a = D.get({key}, a)"), (1, "L = list(D.values())"), (1, "for b in D.values(): L.append(b)"), (1, f"r = D.pop({key}, a)"), (1, "for key in np.unique(labels): D[key] = u[labels == key]"), (1, "r = [(key, v.sum()) for key, v in D.items()]"),
            (1, f"D.setdefault({key}, {one})"), (1, "r = sorted(D)"), (1, "r = max(D.values(), key=len) if D else None"), (1, "D = {key: v[1:] for key, v in D.items()}"), (1, f"if {key} in D: del D[{key}]"),
        )]  # fmt: skip

    def question(self) -> list[str]:
        u = self.pick(LISTS)
        ways = [
            (2, f"r = len({u})"), (2, f"r = [len(v) for v in {u}]"), (2, f"r = [v.sum() for v in {u}]"), (3, f"if {u}: r = np.concatenate({u})"), (1, f"r = {u}[0]"), (1, f"r = {u}[-1] if {u} else None"), (1, f"r = {u}[n]"),
            (1, f"r = max({u}, key=len) if {u} else None"), (1, f"r = min({u}, key=len) if {u} else a"), (1, f"r = sorted({u}, key=len)"), (2, f"r = [(i, v) for i, v in enumerate({u})]"), (1, "r = [(len(v), w) for v, w in zip(L, M)]"),
            (1, f"r = {u}[1:]"), (1, f"r = {u}[:n]"), (1, f"r = {u}[n]"), (1, f"if {u}: r = np.vstack({u})"), (1, f"if {u}: r = np.array({u})"), (1, f"if {u}: r = np.stack({u})"), (1, f"r = sum(len(v) for v in {u})"), (1, f"r = [v[0] for v in {u} if len(v)]"),
            (1, f"r = [v.shape for v in {u}]"), (1, f"r = [list(v) for v in {u}]" if self.is_flat else f"r = [v.T for v in {u}]"), (1, f"r = any(len(v) > 1 for v in {u})"), (1, f"if {u}: a, *r = {u}"), (1, f"if len({u}) == 2: a, r = {u}"),
            (1, f"r = [v if len(v) > 1 else None for v in {u}]"), (2, f"r = [Part(i, v) for i, v in enumerate({u})]; r = [p.data for p in r if p.at != 1]"), (1, f"P = [Part(len(v), v) for v in {u}]\nfor p in P: p.grow(u[0])\nr = [p.data for p in P]" if self.is_flat else "pass"),
            (1, f"r = [{{'v': v, 'at': k}} for k, v in enumerate({u})]; r = [b['v'] for b in r]"), (1, "P = [L, M]; r = [len(v) for w in P for v in w]"), (1, "P = []\nfor k in range(n): P.append(L[k:])\nr = [v.sum() for w in P for v in w]"),
            (1, f"r = [np.concatenate([v, w]) for v, w in zip({u}, {u}[1:])]"), (1, f"if {u}: r = np.hstack({u})"), (1, f"for v in {u}: r = v"), (1, f"r = {u}[0] if {u} else r"), (1, f"r = [v @ v for v in {u}]" if self.kind in ("float", "int") and self.is_flat else f"r = [v.mean() for v in {u} if len(v)]"),
            (1, f"r = str([len(v) for v in {u}])"), (1, f"r = {u}[{self.pick(('-2', '1', 'n'))}].sum()"), (1, f"r = next((v for v in {u} if len(v) > 1), a)"), (1, f"r = np.array([v.sum() for v in {u}])"), (1, f"r = {{len(v): v for v in {u}}}"), (1, f"r = {{i: v for i, v in enumerate({u})}}"),
            (1, f"r = [v.dtype for v in {u}][:1] == [u.dtype]"),
        ]  # fmt: skip
        return self.weighted(*ways).split("\n")
