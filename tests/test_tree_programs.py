"""Trees, chains, queues and searches of objects as textbooks write them: what they give is Python's, call after call, and derivatives are theirs."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from leaf_programs import PROGRAMS
from tree_programs import DEAR, DIFFERENTIATED
from turns import in_turn

import s2s


def same(found: Any, wanted: Any) -> bool:
    """Whether two results are alike, floats nearly."""
    if isinstance(wanted, list | tuple):
        return type(found) is type(wanted) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, str) or wanted is None:
        return found == wanted
    return np.shape(found) == np.shape(wanted) and isinstance(found, bool | np.bool) is isinstance(wanted, bool | np.bool) and np.allclose(found, wanted, rtol=1e-12, atol=1e-13)


def outcome(function: Any, args: tuple[Any, ...]) -> Any:
    """What a call gives, and its arguments afterwards; what it raises."""
    args = copy.deepcopy(args)
    try:
        return function(*args), args
    except (ArithmeticError, LookupError, ValueError, TypeError, AttributeError) as error:
        return type(error).__name__


def as_python(name: str, target: str) -> None:
    """Compare a program to itself, with arguments of several draws."""
    function, draw = PROGRAMS[name]
    run, rng = s2s.jit(function, target=target), np.random.default_rng(len(name))
    for _ in range(4):
        args = draw(rng)
        assert same(outcome(run, args), outcome(function, args))


@pytest.mark.parametrize("name", in_turn(list(PROGRAMS), 6, dear=DEAR))
def test_as_python(name: str) -> None:
    as_python(name, "numpy")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled(name: str) -> None:
    as_python(name, "cpu")


@pytest.mark.parametrize("name", in_turn(list(DIFFERENTIATED), 3))
def test_derivatives(name: str) -> None:
    function, draw = PROGRAMS[name]
    args, by = draw(np.random.default_rng(len(name))), DIFFERENTIATED[name]

    def of_one(x: Any) -> Any:
        given = copy.deepcopy(args)
        return function(*given[:by], x, *given[by + 1 :])

    x = np.asarray(args[by])
    change = 1e-6 * np.random.default_rng(1).normal(size=x.shape)
    difference = (of_one(x + change) - of_one(x - change)) / 2
    gradient = s2s.jit(s2s.grad(function, by), target="numpy")(*copy.deepcopy(args))
    np.testing.assert_allclose(np.sum(gradient * change), difference, rtol=1e-5, atol=1e-13)
