"""Which values are taped, and that growing tapes cost no more than they hold."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def root(a):
    x = a
    n = 0
    while abs(x * x - a) > 1e-12 and n < 100:
        x = 0.5 * (x + a / x)
        n += 1
    return x


def up_and_down(x, trips):
    k = 1
    r = 1.0
    for _ in range(trips):
        r = r * x / k
        k += 2
    while k > 3:
        r = r * np.sin(x * k)
        k -= 1
    return r


def on_numpy(function):
    return s2s.jit(function, target="numpy")


def test_counters_are_not_taped():
    program = str(s2s.grad(on_numpy(up_and_down)).program(1.1, 4))
    assert "k_tape" not in program and "convert_tape" not in program
    assert "n_tape" not in str(s2s.grad(s2s.grad(on_numpy(root))).program(2.0))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_counters_in_derivatives(target):
    function = s2s.jit(up_and_down, target=target)
    gradient = s2s.grad(function, argnums=0)
    for trips in (0, 1, 4, 30):
        assert gradient(1.1, trips) == pytest.approx(s2s.jvp(lambda x, trips=trips: function(x, trips), (1.1,), (1.0,))[1], rel=1e-12, abs=1e-300)
    second = s2s.jvp(lambda x: gradient(x, 4), (1.1,), (1.0,))[1]
    assert s2s.grad(gradient)(1.1, 4) == pytest.approx(second, rel=1e-12)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_cotangents_of_growing_tapes_are_cut_only_where_they_had_grown(target):
    """A copy in every trip would make second derivatives of `while` loops quadratic."""
    second = s2s.grad(s2s.grad(s2s.jit(root, target=target)))
    assert second(2.0) == pytest.approx(-0.25 * 2.0**-1.5, rel=1e-12)
    lines = [line.strip() for line in second.source(2.0).splitlines()]
    cut = next(k for k, line in enumerate(lines) if "shorter_x_tape_bar = np.empty" in line or ".copy()" in line and "x_tape_bar[:" in line)
    assert lines[cut - 1].startswith("if capacity_")
