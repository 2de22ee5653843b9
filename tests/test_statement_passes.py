"""Passes over statements, each on a small kernel: what goes in, and what comes out, as text."""
import numpy as np
import pytest

from s2s.codegen.language.expressions import Constant, Load, Name, Number, Op, integer
from s2s.codegen.language.operations import ADD, LESS, NOT_EQUAL
from s2s.codegen.language.ranges import ranges_of
from s2s.codegen.language.statements import Assign, IfElse, Loop, Raise, Store, lines
from s2s.codegen.passes.checks_first import checks_first
from s2s.errors import NOWHERE

SIZES = frozenset({"n", "m"})
ZERO, ONE = integer(0), integer(1)


def name(text):
    return Name(text)


def check(a, b):
    fault = Raise("ValueError", (Constant("sizes"),), NOWHERE, stretch=False, late=False)
    return IfElse(Op(NOT_EQUAL, (name(a), name(b))), (fault,), ())


def loop(index, end, *body, step=ONE):
    return Loop(index, ZERO, name(end) if isinstance(end, str) else integer(end), step, tuple(body))


def store(array, index, value="v"):
    return Store(array, (name(index),), name(value))


def texts(body):
    return [line.removeprefix("    ") for line in lines(tuple(body))]


CASES = {
    "a check that does not change": (
        [loop("i", "n", check("n", "m"), store("y", "i"))],
        ["if 0 < n and n != m:", "    raise ValueError('sizes')", "for i in range(n):", "    y[i] = v"],
    ),
    "a loop that surely runs": (
        [loop("i", 3, check("n", "m"), store("y", "i"))],
        ["if n != m:", "    raise ValueError('sizes')", "for i in range(3):", "    y[i] = v"],
    ),
    "a number before it": (
        [loop("i", 3, Assign(("best",), (Number(0.0),)), check("n", "m"), store("y", "i", "best"))],
        ["if n != m:", "    raise ValueError('sizes')", "for i in range(3):", "    best = 0.0", "    y[i] = best"],
    ),
    "out of two loops": (
        [loop("i", "n", loop("j", "m", check("n", "m"), store("y", "j")))],
        ["if 0 < n and (0 < m and n != m):", "    raise ValueError('sizes')", "for i in range(n):", "    for j in range(m):", "        y[j] = v"],
    ),
    "a check of the index stays": (
        [loop("i", "n", check("i", "m"), store("y", "i"))],
        ["for i in range(n):", "    if i != m:", "        raise ValueError('sizes')", "    y[i] = v"],
    ),
    "a check of what the loop changes stays": (
        [loop("i", "n", check("s", "m"), Assign(("s",), (Op(ADD, (name("s"), ONE)),)), store("y", "i", "s"))],
        ["for i in range(n):", "    if s != m:", "        raise ValueError('sizes')", "    s += 1", "    y[i] = s"],
    ),
    "a check behind a store stays": (
        [loop("i", "n", store("y", "i"), check("n", "m"))],
        ["for i in range(n):", "    y[i] = v", "    if n != m:", "        raise ValueError('sizes')"],
    ),
    "a check of an element that the loop stores stays": (
        [loop("i", "n", IfElse(Op(LESS, (Load("y", (ZERO,)), ZERO)), (Raise("ValueError", (), NOWHERE, stretch=False, late=False),), ()), store("y", "i"))],
        ["for i in range(n):", "    if y[0] < 0:", "        raise ValueError()", "    y[i] = v"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_checks_before_loops(case):
    before, after = CASES[case]
    assert texts(checks_first(tuple(before), ranges_of(tuple(before), SIZES))) == after


@pytest.mark.parametrize(("n", "m", "raises"), [(3, 3, False), (3, 4, True), (0, 4, False)])
def test_the_same_exceptions(n, m, raises):
    """As text that is run: with and without the pass."""
    before, after = CASES["a check that does not change"]
    for body in (texts(before), after):
        y = np.zeros(n)
        if raises:
            with pytest.raises(ValueError, match="sizes"):
                exec("\n".join(body), {"n": n, "m": m, "v": 1.0, "y": y})
        else:
            exec("\n".join(body), {"n": n, "m": m, "v": 1.0, "y": y})
        assert not raises or not y.any()
