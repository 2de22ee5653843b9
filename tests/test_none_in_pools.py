"""A name that is None, or a list or an object of which only the run knows which one: what is done with it is Python's, value or exception."""
from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import s2s

USES = (
    "return best", "return best, x", "return {'a': best}", "return best is None", "return best or [x]", "return isinstance(best, list)", "return isinstance(best, type(None))",
    "return len(best)", "return best[0]", "best[1] = x; return best", "best.append(x); return best", "return sum(best)", "return best + [1.0]", "best += [1.0]; return best",
    "return x in best", "return [v * 2.0 for v in best]", "first, second = best; return first * second", "return max(best)", "return best.pop()", "best[0] += x; return best",
    "return best[::-1]", "del best[0]; return best", "return sorted(best)", "return list(best)", "return tuple(best)", "return bool(best), not best", "return best * 2",
    "return best[-1] if best is not None else x", "return best < [x]",
)  # fmt: skip
TEXT = """
def f(x, n):
    best = None
    for k in range(n):
        if best is None or k * x > best[0]:
            best = [k * x, 1.0]
        best[1] = x
    {use}
"""

OF_OBJECTS = (
    "return best.v", "return best.twice()", "best.v = x; return best.v", "return len(best)", "return best[1]", "return best + 1.0", "return 1.0 + best", "return best < P(x)",
    "return best == P(x)", "return best != P(x)", "return best == None", "return bool(best), not best", "return best(x)", "return (-best).v", "return [v for v in best]",
    "return x in best", "return isinstance(best, P), isinstance(best, (P, type(None)))", "return getattr(best, 'v', -1.0)", "return hasattr(best, 'v')", "return callable(best)",
    "return (best or P(x)).v", "return (best and best.v)", "return best.v if best is not None else x",
)  # fmt: skip
OF_DICTS = (
    "return best", "return best[6]", "return len(best)", "return 6 in best", "return best.get(6, -1.0)", "return list(best)", "return sorted(best.values())", "return isinstance(best, dict)",
    "return best == {6: 4.0}", "for k in best: x = x + k; return x", "return best or {}", "del best[6]; return best", "return best.pop(6)", "return [best, x]", "return bool(best), max(best)",
)  # fmt: skip
DICTS = """
def f(x, n):
    best = None
    for k in range(n):
        if best is None or k % 2 == 0:
            best = {{}}
        best[k * 3] = k * x
    {use}
"""
OF_TWO = (
    "return a, b", "return c is a, a == b", "c.append(1.0); return a, b", "return len(c), len(a)", "return x in c, c.index(x) if x in c else -1, c.count(x)", "c *= 2; return a, b",
    "return hasattr(c, 'items'), hasattr(c, 'count'), hasattr(c, 'start')", "del c[0]; return a, b", "c.insert(0, x); return a, b", "return c < a, c <= a", "a[0:1] = [7.0, 8.0]; return a, b",
)  # fmt: skip
TWO = """
def f(x, n):
    a, b = [x], [2.0 * x]
    for k in range(n):
        if k % 2: a, b = b, a
        a.append(k * x)
    c = a if n > 1 else b
    {use}
"""
OF_NUMBERS = (
    "return [p.w for p in made]", "return sum(p.w for p in made if p.w is not None)", "return sum(p.w for p in made)", "return [p.w or 7.0 for p in made]", "return [p.w is None for p in made]",
    "made[0].w = x; return made[0].w, made[-1].w", "made[-1].w = None; return [p.w for p in made]", "k = 0; while made[k].w is None: k += 1; return made[k].w",
    "made[0].w, made[1].w = made[1].w, made[0].w; return [p.w for p in made]", "for p in made: p.w = p.v if p.w is None else None; return [p.w for p in made]",
    "return max((p for p in made if p.w is not None), key=lambda p: p.w).v", "made[0].w += 1.0; return made[0].w", "return (made[0].w and 2.0 * made[0].w), made[1].w or x",
    "return sorted(p.w for p in made)", "return [(p.w, p.v) for p in made if p.w]", "return made[n // 2].w", "made[0].w = (x, 1); return 0", "made[1].w = True; return [p.w for p in made]",
    "return [p.t for p in made]", "return [p.t[1] for p in made if p.t is not None]", "a, b = made[1].t; return a * b", "return [p.u for p in made], len([p for p in made if p.u is None])",
)  # fmt: skip
NUMBERS = """
class P:
    def __init__(self, v, w=None, t=None): self.v, self.w, self.t, self.u = v, w, t, None

def f(x, n):
    made = []
    for k in range(n):
        if k % 2:
            made.append(P(k * x, 2.0 * k, (k, x)))
        else:
            made.append(P(k * x))
    {use}
"""
OF_NODES = (
    "return root.left and root.left.v", "return root.left is None, (root.right or Node(9.0)).v", "return (root.left and root.left.left and root.left.left.v)", "return root.mean, root.left.mean",
    "node = root; while node.mean is None: node = node.left; return node.mean", "return total(root)", "return root and root.v",
)  # fmt: skip
NODES = """
class Node:
    def __init__(self, v=None, left=None, right=None, mean=None): self.v, self.left, self.right, self.mean = v, left, right, mean

def grown(x, low, high):
    if high - low < 2:
        return Node(mean=low * x)
    middle = (low + high) // 2
    return Node(middle + x, grown(x, low, middle), grown(x, middle, high))

def total(node):
    if node.mean is not None:
        return node.mean
    return total(node.left) * node.v + total(node.right)

def f(x, n):
    root = grown(x, 0, n)
    {use}
"""
OBJECTS = """
class P:
    def __init__(self, v): self.v = v
    def __len__(self): return 2
    def __getitem__(self, k): return self.v * k
    def __add__(self, other): return self.v + other
    __radd__ = __add__
    def __lt__(self, other): return self.v < other.v
    def __eq__(self, other): return isinstance(other, P) and self.v == other.v
    def __bool__(self): return self.v > 1.0
    def __call__(self, w): return self.v * w
    def __neg__(self): return P(-self.v)
    def __iter__(self):
        yield self.v
        yield 2.0 * self.v
    def __contains__(self, w): return self.v == w
    def twice(self): return 2.0 * self.v

def f(x, n):
    best = None
    for k in range(n):
        if best is None or k * x > best.v:
            best = P(k * x)
    {use}
"""


def outcome(function, *args):
    try:
        found = function(*args)
    except Exception as error:  # noqa: BLE001 whatever Python raises
        return next(cls for cls in type(error).__mro__ if not cls.__module__.startswith("s2s"))
    return found


CASES = [*((TEXT, use) for use in USES), *((OBJECTS, use) for use in OF_OBJECTS), *((DICTS, use) for use in OF_DICTS), *((TWO, use) for use in OF_TWO), *((NUMBERS, use) for use in OF_NUMBERS), *((NODES, use) for use in OF_NODES)]


@pytest.mark.parametrize(("text", "use", "target"), [*((*case, "numpy") for case in CASES), *((*case, "cpu") for case in CASES[::7])])
def test_as_python(text, use, target, tmp_path) -> None:
    source = tmp_path / "none_or_list.py"
    source.write_text(text.format(use="\n    ".join(use.split("; "))))
    spec = importlib.util.spec_from_file_location("none_or_list", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    read = s2s.jit(module.f, target=target)
    for n in (0, 3, 0, 1):
        assert outcome(read, 2.0, n) == outcome(module.f, 2.0, n), n


class Branch:
    """A search tree's node; all are true, though they have a length."""

    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def __len__(self):
        return 0

    def __bool__(self):
        return bool(self.value > -1.0)

    def depth(self):
        return 1 + max((each.depth() for each in (self.left, self.right) if each), default=0)


def tree_of(x):
    root = Branch(x[0])
    for value in x[1:]:
        node = root
        while True:
            side = "left" if value < node.value else "right"
            child = getattr(node, side)
            if not child:
                setattr(node, side, Branch(value))
                break
            node = child
    return root


def in_order(x):
    found, stack, node = [], [], tree_of(x)
    while stack or node:
        while node:
            stack.append(node)
            node = node.left
        node = stack.pop()
        found.append(node.value)
        node = node.right
    return found


def depth(x):
    return tree_of(x).depth()


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [in_order, depth])
def test_the_truth_of_nodes_that_may_be_none(program, target) -> None:
    read, random = s2s.jit(program, target=target), np.random.default_rng(7)
    for size in (1, 9):
        x = random.random(size)
        assert read(x) == program(x)
