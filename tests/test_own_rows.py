"""Lists of lists of run-time length that are stored into, table[i][j] = value: right where no row is ever anything's value, else refused."""
import copy

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s
from s2s.errors import UnsupportedError

X = np.array([0.313, 1.741, 2.029, 0.757])
Y = np.array([1.531, 0.217, 1.173, 4.057, 0.639])


def edit_distance(x, y, n):
    table = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(len(x) + 1):
        for j in range(len(y) + 1):
            if i == 0:
                table[i][j] = float(j)
            elif j == 0:
                table[i][j] = float(i)
            else:
                table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + abs(x[i - 1] - y[j - 1]))
    return table[-1][-1], table[len(x)][0]


def product(x, y, n):
    c = [[0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i][j] += x[i] * y[k] - x[k] * y[j]
            c[j][i] *= 0.5
    return sum(c[n - 1]), len(c), len(c[0]), max(c[0]), np.array(c)


def knapsack(x, y, n):
    best = [[0] * (n + 3) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for w in range(n + 3):
            best[i][w] = best[i - 1][w]
            if i <= w:
                best[i][w] = max(best[i][w], best[i - 1][w - i] + x[i - 1])
    return best[len(x)][n + 2]


def whole_numbers(x, y, n):
    counts = [[0] * n for _ in range(n)]
    counts[0][0] = n
    counts[1][1] = counts[0][0] // 2
    counts[-1][-1] += 3
    return counts[0][0] / 3, counts[1][1], counts[0][1], counts


def flags(x, y, n):
    seen = [[False] * n for _ in range(n)]
    steps = 0
    i, j = 0, 0
    while not seen[i][j]:
        seen[i][j] = True
        i, j = (i + 2) % n, (j + 1) % n
        steps += 1
    return steps, seen[0][1], sum(seen[0])


def of_three(x, y, n):
    rows = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        for j in range(3):
            rows[i][j] = rows[i - 1][j] + x[j]
    rows[0][0], rows[1][1] = rows[1][1], rows[0][0]
    return rows[0][2] + rows[-1][1], rows[0][0], sum(rows[0][1:])


def with_a_while(x, y, n):
    c: list = [[0.0] * n for _ in range(n)]
    k = 0
    while c[0][0] < 5:
        c[0][0] += x[k % 4]
        c[1][k % 2] = c[0][0] * y[k % 5]
        k += 1
    return c[0][0], c[1][0], c[1][1], k


def in_a_helper(x, y, n):
    def filled(m):
        grid = [[0.0] * m for _ in range(m)]
        for k in range(m):
            grid[k][k] = x[k] * y[k]
        return grid[0][0] + grid[m - 1][m - 1] * 2 + grid[0][1]

    return filled(n) + filled(2)


PROGRAMS = (edit_distance, product, knapsack, whole_numbers, flags, of_three, with_a_while, in_a_helper)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right(program):
    for n in (2, 3, 4):
        wanted = program(X, Y, n)
        try:
            found = s2s.jit(program, target="numpy")(X, Y, n)
        except UnsupportedError:
            assert program is whole_numbers  # which returns it
            continue
        for one, other in zip(found if isinstance(found, tuple) else (found,), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13)


@pytest.mark.parametrize("program", [edit_distance, product, knapsack, of_three, with_a_while, in_a_helper], ids=lambda each: each.__name__)
def test_derivatives(program):
    def total(x, y):
        result = program(x, y, 3)
        return (result[0] if isinstance(result, tuple) else result) * 1.0

    x_dot, y_dot = (np.random.default_rng(len(v)).normal(size=v.shape) for v in (X, Y))
    step = 1e-6
    wanted = (total(X + step * x_dot, Y + step * y_dot) - total(X - step * x_dot, Y - step * y_dot)) / (2 * step)
    x_bar, y_bar = s2s.jit(s2s.grad(total, argnums=(0, 1)), target="numpy")(X, Y)
    np.testing.assert_allclose(x_bar @ x_dot + y_bar @ y_dot, wanted, rtol=1e-6, atol=1e-9)
    forward = s2s.jit(lambda *given: s2s.jvp(total, given, (x_dot, y_dot))[1], target="numpy")(X, Y)
    np.testing.assert_allclose(x_bar @ x_dot + y_bar @ y_dot, forward, rtol=1e-12)


def test_compiled():
    found = s2s.jit(edit_distance)(X, Y, 3)
    np.testing.assert_allclose(found, edit_distance(X, Y, 3), rtol=1e-13)


def outside(x, y, n):
    c = [[0.0] * n for _ in range(n)]
    c[n][0] = 1.0
    return c[0][0]


def outside_of_a_row(x, y, n):
    c = [[0.0] * n for _ in range(n)]
    c[0][n] = 1.0
    return c[0][0]


def read_outside(x, y, n):
    c = [[0.0] * n for _ in range(n)]
    c[0][0] = c[0][-n - 1]
    return c[0][0]


@pytest.mark.parametrize("program", [outside, outside_of_a_row, read_outside])
def test_raises_as_python(program):
    with pytest.raises(IndexError) as wanted:
        program(X, Y, 3)
    with pytest.raises(IndexError) as found:
        s2s.jit(program, target="numpy")(X, Y, 3)
    assert str(wanted.value) in str(found.value)


HANDED_OUT = (
    "row = c[0]\n    c[0][1] = 5.0\n    return row[1]",
    "for row in c:\n        c[0][1] += 5.0\n    return row[1] + c[0][1]",
    "d = c\n    c[0][1] = 5.0\n    return d[0][1]",
    "d = list(c)\n    c[0][1] = 5.0\n    return d[0][1]",
    "d = c[:]\n    c[0][1] = 5.0\n    return d[0][1]",
    "d = [row for row in c]\n    c[0][1] = 5.0\n    return d[0][1]",
    "read = lambda: c[0]\n    row = read()\n    c[0][1] = 5.0\n    return row[1]",
    "def read():\n        return c[0]\n    row = read()\n    c[0][1] = 5.0\n    return row[1]",
    "row = max(c)\n    c[0][1] = 5.0\n    return row[1]",
    "c[1] = c[0]\n    c[0][1] = 5.0\n    return c[1][1]",
    "c[0], c[1] = c[1], c[0]\n    c[0][1] = 5.0\n    return c[1][1]",
    "rows = (c[k] for k in range(2))\n    row = next(rows)\n    c[0][1] = 5.0\n    return row[1]",
    "(row := c[0])\n    c[0][1] = 5.0\n    return row[1]",
    "pair = (c[0], 1)\n    c[0][1] = 5.0\n    return pair[0][1]",
    "box = {'row': c[0]}\n    c[0][1] = 5.0\n    return box['row'][1]",
    "try:\n        return c[0]\n    finally:\n        c[0][1] = 9.0",
    "c[0].append(1.0)\n    c[0][1] = 5.0\n    return len(c[0])",
    "first, *rest = c\n    c[0][1] = 5.0\n    return first[1]",
)
"""What makes a row of `c` something's value, and a store that it sees."""
SHARED = ("c = [[0.0] * n] * n", "row = [0.0] * n\n    c = [row for _ in range(n)]", "row = [0.0] * n\n    c = []\n    for _ in range(n):\n        c.append(row)")
"""Rows that are one list."""


def test_what_is_handed_out_is_right_or_refused(tmp_path):
    texts = [f"c = [[0.0] * n for _ in range(n)]\n    {body}" for body in HANDED_OUT] + [f"{made}\n    c[0][1] = 5.0\n    return c[1][1]" for made in SHARED]
    path = tmp_path / "handed_out.py"
    path.write_text("".join(f"def f{k}(n):\n    {text}\n\n\n" for k, text in enumerate(texts)), "utf-8")
    names: dict = {}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), names)
    for k, text in enumerate(texts):
        wanted = copy.deepcopy(names[f"f{k}"](3))
        try:
            found = s2s.jit(names[f"f{k}"], target="numpy")(3)
        except UnsupportedError:
            continue
        assert not differs(found, wanted, text)
