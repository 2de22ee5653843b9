"""Examples in lanes: the same numbers as one after the other, in blocks of any size, and only where the rule says."""
from __future__ import annotations

import importlib.util
from dataclasses import replace

import numpy as np
import pytest
from batches import stage_batch
from staging import run, simplified, stage

import s2s
from s2s import tree_util
from s2s.codegen.runtime.vector_math import VECTOR_MATH
from s2s.transforms.ir.program import Map, walk
from s2s.transforms.ir.verify import verify
from s2s.transforms.loops.lanes import FUNCTIONS, in_lanes
from s2s.tuning import TUNING

RNG = np.random.default_rng(0)


def root(a, start):
    x, step = start, 1.0
    while abs(step) > 1e-12:
        power = np.exp(x)
        step = (x * power - a) / (power * (x + 1.0))
        x = x - step
    return x, step


def halvings(x, most):
    count, small = 0, False
    while count < 40 and not small:
        x = 0.5 * x if x > 2.0 else x - 0.125
        small = x < most
        count += 1
    return count, x, small, most * count


def swings(angle, steps):
    speed = 0.0
    for k in range(3, steps):
        speed = speed - 0.01 * angle * k
        angle = angle + 0.01 * speed
    return angle * speed


def shared_trips(x, w):
    y = 1.0
    for k in range(9, 0, -2):
        y = y + np.tanh(w * x) / k
    return y * x


def polynomial(x, c):
    total, last = 0.0, 0.0
    for k in range(1, len(c)):
        last = c[k] - 0.5 * c[k - 1]
        total = total * x + last if c[k] > 0.0 else total - x
    return total, last


def single(x, w):
    y = x
    for _ in range(7):
        y = np.exp(-y) * w + x
    return y


def untouched(x, n):
    before = np.sqrt(x)
    for _ in range(n):
        x = x + 1.0
    return before, n, x


def looked_up(x, most, table):
    k = -9
    while k < 0 and x < most:
        x = 1.5 * x + 0.1
        k += 1
    return table[k + 3], x


LANES, SIZES = 64, (0, 1, 3, 15, 16, 17, 63, 64, 65, 150)
CASES = [
    (root, lambda n: (RNG.uniform(0.1, 50.0, n), np.full(n, 0.5)), (0, 0)),
    (root, lambda n: (RNG.uniform(0.1, 50.0, n), 0.5), (0, None)),
    (halvings, lambda n: (RNG.uniform(0.0, 1e3, n), 0.7), (0, None)),
    (halvings, lambda n: (900.0, RNG.uniform(0.1, 1.0, n)), (None, 0)),
    (swings, lambda n: (RNG.normal(size=n), RNG.integers(0, 30, n)), (0, 0)),
    (swings, lambda n: (RNG.normal(size=n), 12), (0, None)),
    (shared_trips, lambda n: (RNG.normal(size=n), 0.3), (0, None)),
    (polynomial, lambda n: (RNG.normal(size=n), RNG.normal(size=6)), (0, None)),
    (single, lambda n: (RNG.normal(size=n).astype(np.float32), np.float32(0.3)), (0, None)),
    (looked_up, lambda n: (RNG.uniform(3.0, 9.0, n), 40.0, np.arange(4.0)), (0, None, None)),
    (untouched, lambda n: (RNG.uniform(size=n), RNG.integers(-2, 6, n)), (0, 0)),
]


def programs(fun, in_axes, args, *, exact=False):
    """The batch as it is, and in lanes."""
    plain = simplified(stage_batch(fun, in_axes, args, (), inside=lambda staged: staged, exact=exact))
    return plain, replace(plain, function=in_lanes(plain.function))


def has_map(staged):
    return any(isinstance(node, Map) for node in walk(staged.function.body))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_lanes_are_the_examples_one_after_the_other(number, monkeypatch):
    monkeypatch.setattr(TUNING, "lanes", LANES)
    fun, draw, in_axes = CASES[number]
    args = draw(3)
    plain, lanes = programs(fun, in_axes, args)
    assert has_map(plain)
    assert not has_map(lanes)
    verify(lanes.function)
    for size in SIZES:
        args = draw(size)
        with np.errstate(all="ignore"):
            one, other = run(fun, plain, args), run(fun, lanes, args)
        for a, b in zip(tree_util.tree_leaves(one), tree_util.tree_leaves(other), strict=True):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_array_equal(a, b)


def test_compiled():
    @s2s.jit
    def together(a, steps, x):
        return s2s.vmap(root, in_axes=(0, None))(a, 0.5), s2s.vmap(swings)(a, steps), s2s.vmap(shared_trips, in_axes=(0, None))(x, 0.3), s2s.vmap(halvings)(a, x)

    args = RNG.uniform(0.1, 50.0, 300), RNG.integers(0, 30, 300), RNG.uniform(0.1, 1.0, 300)
    with s2s.disable_jit():
        wanted = together(*args)
    assert "array_exp(" in together.source(*args)
    for one, other in zip(tree_util.tree_leaves(together(*args)), tree_util.tree_leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def raising(x):
    while x > 1.0:
        if x > 900.0:
            raise ValueError("large")
        x = 0.5 * x
    return x


def reading(x, table):
    k = 0
    while table[k] < x:
        k += 1
    return k


def moving(x, table):
    k = 0
    for _ in range(3):
        k = min(k + int(x > 0.0), 2)
        x = x - table[k]
    return x


def own_trips(x, table, n):
    for k in range(n):
        x = x - table[k]
    return x


def dividing(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count


def two_loops(x):
    while x > 1.0:
        x = 0.5 * x
    while x < 3.0:
        x = x + 1.0
    return x


def rows(x):
    total = 0.0
    for k in range(len(x)):
        total = total + x[k]
    return total


@pytest.mark.parametrize(
    ("fun", "args", "in_axes"),
    [
        (raising, (np.ones(4),), (0,)), (reading, (np.ones(4), np.arange(5.0)), (0, None)), (dividing, (np.arange(4),), (0,)),
        (moving, (np.ones(4), np.ones(3)), (0, None)), (own_trips, (np.ones(4), np.ones(3), np.arange(4)), (0, None, 0)), (two_loops, (np.ones(4),), (0,)),
        (rows, (np.ones((4, 3)),), (0,)),
    ],
)  # fmt: skip
def test_what_the_rule_leaves_alone(fun, args, in_axes):
    plain, lanes = programs(fun, in_axes, args)
    assert lanes.function is plain.function


def test_functions_of_lanes_are_those_for_vectors():
    assert {"array_" + primitive.emission.scalar.partition("(")[0] for primitive in FUNCTIONS} == VECTOR_MATH.keys()


def test_a_program_without_maps_stays_as_it_is():
    function = stage(root, (2.0, 0.5), ()).function
    assert in_lanes(function) is function


class Drawn:
    """The text of a random function of numbers with one loop."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def pick(self, *choices: str) -> str:
        return str(choices[self.rng.integers(len(choices))])

    def number(self, depth: int = 2) -> str:
        if depth == 0 or self.rng.uniform() < 0.2:
            return self.pick("x", "y", "w", "0.7", "1.3", "k * 0.1", "n")
        one, other = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({one} + {other})", f"({one} - {other})", f"0.5 * {one}", f"np.tanh({one})", f"np.exp(-abs({one}))", f"{one} / (1.0 + abs({other}))", f"np.maximum({one}, {other})",
            f"({one} if {self.test()} else {other})", f"np.sqrt(abs({one}))", f"np.where({self.test()}, {one}, {other})", f"math.erf({one})",
        )  # fmt: skip

    def test(self) -> str:
        return self.pick("x > y", "w < 0.3", "n > 4", "b", "not b", "x * y < 0.5 and n < 6", "k > 2")

    def statement(self) -> str:
        if self.rng.uniform() < 0.3:
            arms = [self.simple(), self.simple()]
            return f"if {self.test()}:\n            {arms[0]}\n        else:\n            {arms[1]}"
        return self.simple()

    def simple(self) -> str:
        return self.pick(f"x = {self.number()}", f"y = {self.number()}", f"x = np.tanh(x + {self.number()})", f"b = {self.test()}", "n += 1", "n = n + k", "n = min(n, 9)")

    def text(self) -> str:
        head = self.pick("for k in range(5):", "for k in range(m):", "for k in range(2, m + 3, 2):", "while k < m and y < 2.5:", "while k < 9 and not (b and k > m):")
        step = "\n        k += 1" if head.startswith("while") else ""
        body = "\n        ".join(self.statement() for _ in range(self.rng.integers(1, 5)))
        return f"import math\n\nimport numpy as np\n\n\ndef f(x, w, m):\n    y, n, b, k = 0.5, 0, w > 0.0, 0\n    {head}\n        {body}{step}\n    return x, y * 2.0, n, b, k\n"


def drawn(seed, folder):
    path = folder / f"lanes_{seed}.py"
    path.write_text(Drawn(seed).text())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def test_drawn_functions(tmp_path):
    in_them = 0
    for seed in range(40):
        fun = drawn(seed, tmp_path)
        rng = np.random.default_rng(seed)
        size = int(rng.choice([1, 3, 130]))
        args = rng.normal(size=size), rng.normal(size=size), rng.integers(-1, 8, size)
        in_axes = [(0, 0, 0), (0, None, 0), (None, 0, None), (0, 0, None)][seed % 4]
        args = tuple(arg if axis == 0 else arg[0].item() for arg, axis in zip(args, in_axes, strict=True))
        plain, lanes = programs(fun, in_axes, args)
        verify(lanes.function)
        in_them += lanes.function is not plain.function
        for one, other in zip(run(fun, plain, args), run(fun, lanes, args), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=Drawn(seed).text())
    assert in_them > 25
