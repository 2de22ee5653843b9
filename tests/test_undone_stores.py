"""Reverse sweeps that undo stores whose places are read from arrays that are stored into as well: where each store went must be known when it is undone."""
from __future__ import annotations

import numpy as np
import pytest

import s2s

UPDATES = (
    "e[{a}] = (e[{b}] + i) % n",
    "p[{a}] = (p[{b}] + 2) % n",
    "e[{a}], p[{b}] = p[{b}], e[{a}]",
    "z[{a}] = z[{b}] * y[{a}] + np.sin(z[{a}])",
    "z[{a}] += y[{b}] * z[i]",
    "y[{a}], z[{b}] = z[{b}], 0.5 * y[{a}]",
    "for s in range(2):\n            k = {a} if s == 0 else {b}\n            z[k] = np.cos(z[k]) * y[{b}]\n            e[k] = (k + s) % n",
    "if z[{a}] > y[{b}]:\n            p[{a}] = {b}\n            z[{b}] = 0.3 * z[{a}]",
    "out += z[{a}] ** 2 * y[{b}]",
)  # fmt: skip
PLACES = ("i", "a", "b", "e[i]", "p[i]", "e[p[i]]", "p[a]", "np.argmax(z[: i + 1])", "int(10 * abs(y[i])) % n")


def drawn(rng):
    """The text of a program in which places hang on what was stored."""
    lines = ["a = e[i]", "b = p[i]"]
    for _ in range(4):
        a, b = rng.choice(PLACES, 2)
        lines.append(rng.choice(UPDATES).format(a=a, b=b))
    body = "".join(f"        {line}\n" for line in lines)
    head = "for i in range(n):" if rng.random() < 0.5 else "i = 0\n    while i < n and np.sum(e[:2]) < 2 * n:"
    step = "" if head.startswith("for") else "        i += 1\n"
    copies = "    z, y, e, p, n, out = x.copy(), w.copy(), e.copy(), p.copy(), len(e), 0.0\n"
    return f"def program(x, w, e, p):\n{copies}    {head}\n{body}{step}    return out + np.sum(z * y)\n"


def agrees(program, args, wrt, rng):
    """Value, and reverse against forward along a direction."""
    function = s2s.jit(program, target="numpy")
    assert function(*args) == pytest.approx(program(*args), rel=1e-12)
    dots = [rng.normal(size=np.shape(args[k])) if np.ndim(args[k]) else rng.normal() for k in wrt]
    bars = s2s.grad(function, argnums=wrt)(*args)
    rest = args[len(wrt):]
    slope = s2s.jvp(lambda *moved: function(*moved, *rest), args[: len(wrt)], tuple(dots))[1]
    assert sum(np.sum(bar * dot) for bar, dot in zip(bars, dots, strict=True)) == pytest.approx(slope, rel=1e-11, abs=1e-12)


def part(c, a, b):
    return np.sin(c * b) - np.sin(c * a), (b - a) ** 2


def adaptive(c, edges):
    """Only the test of the loop and an argmax read the errors: nothing else asks for them, but where intervals were stored hangs on them."""
    starts, stops, parts, errors = np.empty(50), np.empty(50), np.empty(50), np.zeros(50)
    count = edges.shape[0] - 1
    for k in range(count):
        starts[k], stops[k] = edges[k], edges[k + 1]
        parts[k], errors[k] = part(c, edges[k], edges[k + 1])
    while np.sum(errors[:count]) > 0.1:
        worst = np.argmax(errors[:count])
        middle = 0.5 * (starts[worst] + stops[worst])
        starts[count], stops[count], stops[worst] = middle, stops[worst], middle
        for side in range(2):
            k = count if side == 0 else worst
            parts[k], errors[k] = part(c, starts[k], stops[k])
        count += 1
    return np.sum(parts[:count] ** 2)


def crossed(x, y, e, p):
    """Each of two arrays says where the other one was stored into."""
    e, p, z, out = e.copy(), p.copy(), x.copy(), 0.0
    for i in range(len(e)):
        a, b = p[i], e[i]
        e[a] = (b + i) % len(e)
        p[b] = (a + 1) % len(e)
        z[e[i]] = z[p[i]] * y[a]
        out += z[b] ** 2
    return out + np.sum(z)


def test_places_that_no_adjoint_asks_for():
    rng = np.random.default_rng(0)
    agrees(adaptive, (1.3, np.linspace(0.0, 1.0, 3)), (0, 1), rng)
    agrees(crossed, (rng.normal(size=6), rng.normal(size=6), rng.permutation(6), rng.permutation(6)), (0, 1), rng)


@pytest.mark.parametrize("seed", range(24))
def test_reverse_is_forward(seed, tmp_path):
    rng = np.random.default_rng(seed)
    path = tmp_path / "program.py"
    text = drawn(rng)
    path.write_text(text)
    names = {"np": np}
    exec(compile(text, str(path), "exec"), names)  # noqa: S102 — the program is the test's own
    args = rng.normal(size=5), rng.normal(size=5), rng.permutation(5), rng.permutation(5)
    agrees(names["program"], args, (0, 1), rng)
