"""Random nests of loops over elements of a matrix and two vectors, updated in place: triangular ranges, shifted positions, branches."""
from __future__ import annotations

import random

RANGES = ("range(n)", "range(1, n - 1)", "range(n - 1, -1, -1)", "range(0, n, 2)", "range(n - 2, 0, -1)", "range(2)")
INNER = ("range({k})", "range({k} + 1, n)", "range({k}, n)", "range({k} - 1, -1, -1)", "range(n - 1, {k}, -1)")


class Writer:
    """Writes one program. All positions are in bounds: they are clipped where the ranges don't say so."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.temporaries = 0

    def text(self) -> str:
        """`f(A, v, w, x)`, which returns a float."""
        self.lines = ["def f(A, v, w, x):", "    n = len(v)"]
        for _ in range(self.random.randint(1, 3)):
            self.nest("    ", [])
        self.lines += ["    total = x", "    for a in range(n):", "        total += v[a] * 0.7 + w[a] * 0.3", "        for b in range(n):"]
        self.lines += ["            total += A[a, b] * (1.0 + 0.1 * a - 0.2 * b)", "    return total"]
        return "\n".join(self.lines) + "\n"

    def nest(self, indent: str, indices: list[str]) -> None:
        index = "ijkl"[len(indices)]
        ranges = (*RANGES, *(each.format(k=outer) for each in INNER for outer in indices))
        self.lines.append(f"{indent}for {index} in {self.random.choice(ranges)}:")
        self.body(indent + "    ", [*indices, index])

    def body(self, indent: str, indices: list[str]) -> None:
        deep = len(indices) < 3 and self.random.random() < (0.85 if len(indices) == 1 else 0.4)
        if not deep or self.random.random() < 0.4:
            self.statements(indent, indices)
        if deep:
            self.nest(indent, indices)
            if self.random.random() < 0.5:
                self.statements(indent, indices)

    def statements(self, indent: str, indices: list[str]) -> None:
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.15 and len(indices) > 1:
                a, b = self.random.sample(indices, 2)
                self.lines.append(f"{indent}if {a} {self.random.choice(('==', '<', '>=', '!='))} {b}:")
                self.lines.append(f"{indent}    {self.store(indices)}")
            elif kind < 0.3:
                self.lines.append(f"{indent}x = 0.9 * x + 0.1 * {self.element(indices)}")
            elif kind < 0.4:
                self.temporaries += 1
                self.lines.append(f"{indent}t{self.temporaries} = {self.value(indices)}")
                self.lines.append(f"{indent}{self.element(indices)} = t{self.temporaries}")
            else:
                self.lines.append(f"{indent}{self.store(indices)}")

    def store(self, indices: list[str]) -> str:
        return f"{self.element(indices)} {self.random.choice(('=', '+=', '-=', '*='))} {self.value(indices)}"

    def value(self, indices: list[str]) -> str:
        a, b = self.element(indices), self.element(indices)
        return self.random.choice((f"0.3 * {a} * {b}", f"{a} / (2.0 + {b} * {b})", f"np.sin({a})", f"0.5 * {a} - 0.2 * {b}", f"0.1 * x * {a}", f"0.4 * {a}"))

    def element(self, indices: list[str]) -> str:
        array = self.random.choice(("A", "A", "v", "w"))
        return f"{array}[{', '.join(self.position(indices) for _ in range(2 if array == 'A' else 1))}]"

    def position(self, indices: list[str]) -> str:
        index = self.random.choice(indices)
        return self.random.choice((index, index, index, index, f"min({index} + 1, n - 1)", f"max({index} - 1, 0)", f"n - 1 - {index}", "0", f"{index} - 1"))
