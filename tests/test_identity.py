"""`is` of objects, lists and dicts of which paths decide which one a name stands for: the run says whether they are one."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2s


class Mass:
    def __init__(self, x: float) -> None:
        self.x = x

    def __abs__(self) -> float:
        return abs(self.x)


def sorted_objects(x, y, n):
    u, v = Mass(x), Mass(y)
    found = sorted([u, v], key=abs)
    return found[0].x, u is v, u is found[0], found[1] is found[0], found[1] is v


def bound_on_one_path(x, y, n):
    u, v = Mass(x), Mass(y)
    if x > y:
        u = v
    return u is v, u.x


def exchanged_lists(x, y, n):
    u, v = [x], [y, x]
    w = u
    if x > y:
        u, v = v, u
    return u is v, w is u, w is not v, u


def exchanged_dicts(x, y, n):
    u, v = {"a": x}, {"a": y}
    w = u
    if n > 1:
        u, v = v, u
    return u is v, w is u, w is not v, u["a"]


def in_a_loop(x, y, n):
    u, v = Mass(x), Mass(y)
    best = u
    for k in range(n):
        if k % 2 == 1:
            best = v
    return best is u, best is v, best.x


def as_a_test(x, y, n):
    u, v = Mass(x), Mass(y)
    heavy = u if abs(u) > abs(v) else v
    light = v if heavy is u else u
    return heavy.x - light.x, light is heavy


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [sorted_objects, bound_on_one_path, exchanged_lists, exchanged_dicts, in_a_loop, as_a_test])
def test_which_is_which(program: Any, target: str) -> None:
    run = s2s.jit(program, target=target)
    drawn = [(0.5, -0.25, 0), (-0.5, 0.25, 1), (-1.0, -2.0, 2), (1.0, 2.0, 3)]
    for args in [*drawn, *((np.float64(x), np.float64(y), n) for x, y, n in drawn)]:  # where NumPy's numbers decide, the answer is Python's bool too
        wanted, found = program(*args), run(*args)
        assert found == wanted
        assert [type(each) for each in found] == [type(each) for each in wanted]


@pytest.mark.parametrize("program", [bound_on_one_path, in_a_loop, as_a_test])
def test_derivatives(program: Any) -> None:
    def number(x, y, n):
        found = program(x, y, n)
        return found[0] * 1.0 + found[-1] * 2.0 + (3.0 * x if found[1] is True else 0.0)

    step = 1e-6
    for args in [(0.5, -0.25, 2), (-0.5, 0.25, 1), (1.0, 2.5, 0)]:
        x_bar, y_bar = s2s.grad(number, argnums=(0, 1))(*args)
        x, y, n = args
        assert x_bar == pytest.approx((number(x + step, y, n) - number(x - step, y, n)) / (2 * step), abs=1e-6)
        assert y_bar == pytest.approx((number(x, y + step, n) - number(x, y - step, n)) / (2 * step), abs=1e-6)


def merged_lists(x, y, n):
    held = [1.0, 2.0]
    if n > 1:
        held = [y, x]
    return x in held, held.count(x), held == [y, x]


def merged_numbers(x, y, n):
    one = x if n > 1 else 2.0
    return one in (x, y), {"k": one} == {"k": y}, (n, one) < (n, y)


def one_beside_none(x, y, n):
    held = [None, None]
    if n > 1:
        held = [None, x]
    return x in held, held.index(x) if x in held else -1


def computed(x, y, n):
    return x + 1.0 in [x, y], [x * 2.0] == [y], (x, n) == (x, 1)


def loaded(x, y, n):
    held = np.array([x, y])[:n]
    return n > 0 and ((held[0], n) == (held[0], n), held[1] in (held[1], 1.0), {"k": held[0]} == {"k": held[0]})


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("program", [merged_lists, merged_numbers, one_beside_none, computed, loaded])
def test_nan_is_found_where_it_is_that_object(program: Any, target: str) -> None:
    nan, rng = float("nan"), np.random.default_rng(7)
    compiled = s2s.jit(program, target=target)
    for x, y in [(nan, rng.normal()), (rng.normal(), nan), (nan, nan), tuple(rng.normal(size=2))]:
        for n in (0, 3):
            try:
                assert compiled(x, y, n) == program(x, y, n)
            except NotImplementedError as error:
                assert "nan is compared with nan" in str(error)
                assert program is not one_beside_none
                assert program is not computed
                assert np.isnan([x, y]).any()
