"""From the program to statements: carried values, branches, stores that go in place or into a copy, and which positions need no check."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from program_texts import after, given, run, staged, statements_of
from statement_texts import written

import s2s
from s2s.codegen.lowering.liveness import Liveness, storage_root, successors
from s2s.codegen.lowering.naming import Naming
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import For, walk


def fibonacci(a, b, n):
    for _ in range(n):
        a, b = b, a + b
    return a


def branch(x, y):
    if x > 0.0:
        z = 2.0 * x
    else:
        z = y
    return z


def old_is_needed(x):
    y = x.copy()
    for i in range(len(x)):
        y[i] = y[i] + 2.0
    return x * y


def used_twice(x):
    s = x + 1.0
    return s, s * s


def until(x):
    while x < 10.0:
        x = 2.0 * x
    return x


def guarded(x, i):
    if 0 <= i < len(x):
        return x[i]
    return 0.0


def not_outside(x, i):
    if i < 0 or i >= len(x):
        return 0.0
    return x[i]


def half_guarded(x, i):
    if 0 <= i or i < len(x):
        return x[i]
    return 0.0


U = np.ones(3)
PAIRS: dict[Callable[..., Any], tuple[tuple[Any, ...], str]] = {
    fibonacci: ((1.0, 1.0, 3), """
        for each in range(n):
            a, b = b, a + b
        return a
        """),
    branch: ((1.0, 2.0), """
        if x > 0.0:
            z = 2.0 * x
        else:
            z = y
        return z
        """),
    old_is_needed: ((U,), """
        y = np.empty(n)
        for i in range(n):
            y[i] = x[i]
        for i in range(n):
            y[i] += 2.0
        mul = np.empty(n)
        for i in range(n):
            mul[i] = x[i] * y[i]
        return mul
        """),
    used_twice: ((U,), """
        s = np.empty(n)
        for i in range(n):
            s[i] = x[i] + 1.0
        mul = np.empty(n)
        for i in range(n):
            mul[i] = s[i] * s[i]
        return s, mul
        """),
    until: ((1.0,), """
        while x < 10.0:
            x = 2.0 * x
        return x
        """),
    guarded: ((U, 1), """
        if (0 <= i) & (i < n):
            result = x[i]
        else:
            result = 0.0
        return result
        """),
    not_outside: ((U, 1), """
        if (i < 0) | (i >= n):
            result = 0.0
        else:
            result = x[i]
        return result
        """),
    half_guarded: ((U, 1), """
        if (0 <= i) | (i < n):
            if not -n <= i < n:
                raise IndexError('index {} is out of bounds for axis 0 with size {}', i, n)
            result = x[i]
        else:
            result = 0.0
        return result
        """),
}  # fmt: skip


@pytest.mark.parametrize("fun", PAIRS)
def test_statements(fun: Callable[..., Any]) -> None:
    args, shown = PAIRS[fun]
    assert statements_of(after(staged(fun, args).function, "simplified")) == written(shown)


@pytest.mark.parametrize("fun", PAIRS)
@pytest.mark.parametrize("size", [1, 3, 6])
def test_they_do_what_the_program_does(fun: Callable[..., Any], size: int) -> None:
    function = after(staged(fun, PAIRS[fun][0]).function, "simplified")
    rng = np.random.default_rng(size)
    args = [given(param, size, rng) for param in function.params]
    for number, param in enumerate(function.params):
        if param.name == "i":
            args[number] = size - 1
    for one, other in zip(run(function, args), interpret(function, *args), strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_is_needed_later() -> None:
    """Who continues an array, what a loop needs from outside, and whose storage a result ends in."""

    def sweep(u, v):
        for i in range(len(u)):
            u[i] = 2.0 * v[i]
        return np.sum(u)

    function = staged(sweep, (U, U)).function
    u, v = function.params
    (loop,) = (node for node in walk(function.body) if isinstance(node, For))
    assert storage_root(function.body, loop.outs[0]) is u
    assert successors(function)[u] is loop.carry[0]
    live = Liveness(function)
    assert live.counts[v] == 1 and u.type.shape[0] in live.dimensions
    naming = Naming(function, frozenset({"mul", "setitem"}))
    doubled = next(out for node in loop.body.nodes for out in node.outs if out.name.startswith("mul"))
    assert naming.is_named(u) and not naming.is_named(doubled) and naming.hint(doubled).startswith("mul")


def test_reshapes_leave_axes_alone_that_are_as_long() -> None:
    def joined(x, y):
        return np.sum(x.reshape(-1, x.shape[2]) ** 2), np.sum(np.kron(y, y) ** 2)

    text = s2s.jit(joined).source(np.zeros((2, 3, 4)), np.zeros((2, 2)))
    assert "x[i // m, i % m, j]" in text
    assert text.count("//") == 3  # none of the numbers of all axes at once
    x, y = np.random.default_rng(0).normal(size=(2, 3, 4)), np.random.default_rng(1).normal(size=(3, 2))
    np.testing.assert_allclose(s2s.jit(joined)(x, y), joined(x, y))
