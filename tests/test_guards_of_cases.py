"""Guards of cases: what a pattern and its guard bind stays bound where the guard fails, as in Python."""
from __future__ import annotations

import pytest

import s2s


def walrus(x, n):
    match n:
        case 3 if (y := x * 2) > 1:
            return y
        case k if (z := k + 1) > 2:
            return z * x
    return x


def captured(x, n):
    y = 1.0
    match (n, x):
        case (3, y) if y > 1:
            return y
    return 3 * y


def captured_before_others(x, n):
    y = 1.0
    match (n, x):
        case (3, y) if y > 1:
            return y * y
        case (4, z) if z > 1:
            return 7.0 * z
        case _:
            return x + y


def known(x, n):
    del n
    match (2, x):
        case (2, y) if y > 1:
            return y * y
        case (3, _):
            return 0.0
    return 5 * y


def in_a_loop(x, n):
    w = 0.0
    for i in range(n):
        match i:
            case 2 if (w := x + i) > 2.5:
                w = w * 2
            case j if j % 2:
                w = w + j * x
            case j:
                w = w - j
    return w


def on_one_path(x, n):
    match n:
        case 3 if (y := x * 2) > 1 and (z := y + 1) > 2:
            return y + z
        case 4 if (y := x * 3) > 1:
            return y
    try:
        return y
    except UnboundLocalError:
        return -x


@pytest.mark.parametrize("function", [walrus, captured, captured_before_others, known, in_a_loop, on_one_path])
def test_guards(function):
    compiled, derivative = s2s.jit(function, target="numpy"), s2s.grad(function)
    for n in range(1, 6):
        for x in (0.3, 3.0):
            assert compiled(x, n) == function(x, n)
            assert derivative(x, n) == pytest.approx((function(x + 1e-6, n) - function(x - 1e-6, n)) / 2e-6)
