"""Drawn rules of custom_jvp whose loops and branches carry ints, bools and floats beside the tangents: reverse mode gives what forward mode gives."""
from __future__ import annotations

import importlib.util
import itertools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2s

HEAD = """
import numpy as np, s2s

def scaled(t, s, k):
    for m in range(2):
        t = t * s
        k = k + 1
    return t * k

def pair(u, w, k):
    if np.sum(w) > 0.2:
        u = u * w
        k = k + 1
    return u, k

@s2s.custom_jvp
def f(x, y):
    return x * y

def g(x, y):
    return np.sum(f(x, y) * np.cos(x))

@f.defjvp
def f_jvp(primals, tangents):
    x, y = primals
    t, u = tangents[0] * y, tangents[1] * x
    s, k, flag, w = 1.0, 0, False, x * 1.0
"""
PLAIN = (
    "t = t * 0.5", "t = t * s", "u = u + t", "s = s * 0.5 + 0.25 * y", "k += 1", "flag = not flag", "w = np.sin(w)", "t = t + u * w", "t, u = u, t",
    "u = u * (k + 1)", "t = scaled(t, s, k)", "u, k = pair(u, w, k)",
)  # fmt: skip
"""What a rule does: t and u are tangents, the others numbers."""
TESTS = ("s > 0.8", "flag", "k > 1", "np.sum(w) > 0.5")


def drawn(seed: int) -> str:
    """A module with a function g whose rule is drawn."""
    rng, numbers = random.Random(seed), itertools.count()

    def block(depth: int) -> list[str]:
        lines = []
        for _ in range(rng.randint(2, 4)):
            kind = rng.random() if depth < 3 else 1.0
            if kind < 0.2:
                number = next(numbers)
                left = [f"    if {rng.choice(TESTS)}: {rng.choice(['break', 'continue'])}"] if rng.random() < 0.3 else []
                lines += [f"for i{number} in range({rng.choice(['2', 'min(k, 3)'])}):", *left, *(f"    {line}" for line in block(depth + 1))]
            elif kind < 0.35:
                number = next(numbers)
                lines += [f"j{number} = 0", f"while j{number} < 2 and {rng.choice(['s < 3.0', 'not flag', 'k < 5'])}:", f"    j{number} += 1", *(f"    {line}" for line in block(depth + 1))]
            elif kind < 0.55:
                lines += [f"if {rng.choice(TESTS)}:", *(f"    {line}" for line in block(depth + 1)), "else:", *(f"    {line}" for line in block(depth + 1))]
            else:
                lines.append(rng.choice(PLAIN))
        return lines

    body = [*block(0), *rng.sample(PLAIN, 3), f"return x * y, {rng.choice(['t', 'u', 't + u', 't * k + u'])}"]
    return HEAD + "".join(f"    {line}\n" for line in body)


def module(path: Path, text: str) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_reverse_mode_is_forward_mode(seed: int, tmp_path: Path) -> None:
    g = s2s.jit(module(tmp_path / f"rule_{seed}.py", drawn(seed)).g, target="numpy")
    rng = np.random.default_rng(seed)
    x, y = (float(rng.normal()) if seed % 2 else rng.normal(size=3)), float(rng.uniform(0.2, 1.0))
    one = 1.0 if seed % 2 else np.ones(3)
    along_x, along_y = s2s.jvp(g, (x, y), (one, 0.0))[1], s2s.jvp(g, (x, y), (0.0 * one, 1.0))[1]
    x_bar, y_bar = s2s.grad(g, argnums=(0, 1))(x, y)
    np.testing.assert_allclose([np.sum(x_bar), y_bar], [along_x, along_y], rtol=1e-9, atol=1e-12)
