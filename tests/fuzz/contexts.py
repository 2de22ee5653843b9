"""Programs of the test modules, called by drawn ones: in loops and branches, where a `try` catches, by closures, generators, classes, and functions that are transformed inside.

    def f(x, y, n):
        r = 0.5
        try:
            r = number(one(x, y, n))
            r += number(other(x, y - 5.0, n))
        except (ValueError, LookupError, ArithmeticError):
            r = r * 2.0
        return r

Each of these programs is read alone by its own test; here it shares its names, its helpers and what it raises with others. `text(seed)` is a drawn module:
`f` gives what its context makes of two programs, `g` a number. The programs' modules are loaded once more for it, so that what they store stays here.
"""
from __future__ import annotations

import importlib.util
import inspect
import random
import sys
from functools import cache
from pathlib import Path

MODULES = ("class", "container", "idiom", "keyed", "laboratory", "pool", "python", "recursive")
PARAMETERS = ["x", "y", "n"]
SLOW = {"way_through_a_field"}
"""Programs that take long to read."""

HEAD = """import functools

import numpy as np

import s2s
from {module} import {one} as one
from {other_module} import {other} as other


def number(v):
    if isinstance(v, (float, np.floating)):
        return v
    if isinstance(v, (list, tuple)):
        return sum(number(w) for w in v)
    return float(np.sum(v)) if isinstance(v, (int, np.integer, bool, np.bool_, np.ndarray)) else 0.25


def f(x, y, n):
{context}

def g(x, y, n):
    return number(f(x, y, n))
"""
CONTEXTS = {
    "after each other": """
    a = one(x, y, n)
    b = other(x, y * 0.5, n)
    return a, b, one(x, y + 1.0, n)
""",
    "of other types": """
    return one(x, y, n), one(x, 2, n), one(x * 2.0, y, n + 1)
""",
    "in a loop": """
    r = []
    for t in range(n + 1):
        r.append(one(x, y + 0.25 * t, n))
    return r
""",
    "in a loop that is left": """
    r = 0.0
    for t in range(n + 1):
        r += number(one(x, y + 0.25 * t, t))
        if r > 50.0:
            break
    return r
""",
    "on a path": """
    r = number(one(x, y, n)) if y > 0.5 else number(other(x, y, n))
    return r * 2.0
""",
    "before a return on a path": """
    r = 1.0
    if y > 0.5:
        r = number(one(x, y, n))
        if r > 1.0:
            return r
    return r + number(other(x, y, n))
""",
    "in a try": """
    r = 0.5
    try:
        r = number(one(x, y, n))
        r += number(other(x, y - 5.0, n))
    except (ValueError, LookupError, ArithmeticError):
        r = r * 2.0 + 100.0
    return r
""",
    "in a method": """
    class Holder:
        def __init__(self, scale):
            self.scale, self.seen = scale, []

        def step(self, v):
            self.seen.append(number(one(x, v, n)))
            self.scale = self.scale * 0.5 + self.seen[-1]
            return self

    holder = Holder(y)
    for t in range(n):
        holder.step(y + t)
    return holder.scale, holder.seen
""",
    "for each item": """
    return [number(one(x, v, n)) for v in x[:n]], sum(number(other(x, y, k)) for k in range(n))
""",
    "of the other's number": """
    return one(x, np.tanh(number(other(x, y, n))), n)
""",
    "by a closure": """
    total = 0.0

    def apply(function, v):
        nonlocal total
        w = number(function(v))
        total += w
        return w * 0.5

    a = apply(lambda v: one(x, v, n), y)
    b = apply(functools.partial(other, x, n=n), a)
    return a, b, total
""",
    "by a generator": """
    def drawn(k):
        for i in range(k):
            v = number(one(x, y + i, n))
            yield v
            if v > 20.0:
                return

    return sum(drawn(n)), list(drawn(2))
""",
    "in a while": """
    k, r = 0, y
    while k < 3 and abs(r) < 30.0:
        r = number(one(x, r * 0.5, n))
        k += 1
    else:
        r = r + 0.125
    return r, k
""",
    "for keys": """
    d = {}
    for t in range(n):
        d[t % 2] = d.get(t % 2, 0.0) + number(one(x, y + t, n))
    return sorted(d.items())
""",
    "of parts of arrays": """
    z = np.concatenate([x, np.array([y, 1.0]), x[::-1]])
    return one(z[::2], y, n), other(z[4:0:-1], y, n), z
""",
    "of each row": """
    m = np.stack([x, x * 0.5, -x])
    return [number(one(row, y, n)) for row in m], [number(other(row, m[k, 1], n)) for k, row in enumerate(m)]
""",
    "by helpers of helpers": """
    def at(v):
        return number(one(x, v, n))

    def around(v, k):
        return at(v) + at(v * 0.5) * k

    t = 0.0
    for k in range(n):
        t = t * 0.5 + around(y + k, k)
    return t, around(t, 2)
""",
    "to find the best": """
    best, where = -1e9, None
    for i in range(n):
        for j in range(i + 1):
            r = number(one(x, y + 0.5 * i - j, n))
            if r > best:
                best, where = r, (i, j)
    return best, where
""",
    "of a checkpoint": """
    return s2s.checkpoint(lambda v: number(one(x, v, n)))(y) + s2s.checkpoint(lambda w: number(other(w, y, n)))(x)
""",
    "of a slope": """
    value, slope = s2s.value_and_grad(lambda z: number(one(z, y, n)))(x)
    return value, slope, x - 0.1 * slope
""",
}


@cache
def programs() -> tuple[tuple[str, str], ...]:
    """(module, name) of each program of an array, a number and a whole number."""
    found = []
    for name in MODULES:
        path = Path(__file__).parent.parent / f"{name}_programs.py"
        own = f"called_{name}_programs"
        spec = importlib.util.spec_from_file_location(own, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[own] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found += [
            (own, each) for each, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == own and each not in SLOW and list(inspect.signature(value).parameters) == PARAMETERS
        ]  # fmt: skip
    return tuple(found)


def text(seed: int) -> str:
    """A drawn module."""
    draw = random.Random(seed)
    (module, one), (other_module, other) = draw.choice(programs()), draw.choice(programs())
    context = draw.choice(list(CONTEXTS.values())).lstrip("\n")
    return HEAD.format(module=module, one=one, other_module=other_module, other=other, context=context)
