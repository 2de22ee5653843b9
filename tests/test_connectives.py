"""`and`, `or` and `not` of tests: the value and its type are Python's, where one side is known too."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s


class Pair:
    def __init__(self, x: float, y: float = 0.0) -> None:
        self.x, self.y = x, y

    def __bool__(self) -> bool:
        return self.x > 0.0 or self.y > 0.0


def known_second(x, y):
    return x > 0.0 or False, x > 0.0 or True, x > 0.0 and False, x > 0.0 and True, not (x > 0.0 or False)


def known_first(x, y):
    return False or x > 0.0, True and x > 0.0, not x > 0.0


def known_by_a_name(x, y):
    zero = 0.0
    return x > 0.0 or zero > 0.0, x > 0.0 and zero <= 0.0, x > 0.0 or y > 0.0


def numpys(x, y):
    return np.logical_or(x > 0.0, False), np.logical_and(x > 0.0, y > 0.0), (x > 0.0) | False, (x > 0.0) ^ True, np.float64(x) > 0.0 or np.bool_(False)


def truth_of_objects(x, y):
    return bool(Pair(x)), bool(Pair(x, y)), [k for k, each in enumerate([Pair(y), Pair(x), Pair(-1.0, y)]) if each], 1 if Pair(x) else 2


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [known_second, known_first, known_by_a_name, numpys, truth_of_objects])
def test_connectives(program: Any, target: str) -> None:
    run = s2s.jit(program, target=target)
    for args in [(0.5, -0.25), (-0.5, 0.25), (-1.0, -2.0), (1.0, 2.0)]:
        wanted, found = program(*args), run(*args)
        assert found == wanted
        assert [type(each) for each in found] == [type(each) for each in wanted]
