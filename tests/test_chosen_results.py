"""Results that are a text, a member or None, of which only the run knows which."""
from __future__ import annotations

import enum

import numpy as np
import pytest
from reading import check

import s2s
from s2s.errors import UnsupportedError


class Mode(enum.Enum):
    LOW = 1
    MID = "m"
    HIGH = 3


def of_a_branch(x, n):
    return "low" if x[0] < 0 else "high"


def in_containers(x, n):
    name = "low" if x[0] < 0 else "high" if x[0] > 1 else None
    mode = Mode.LOW
    for i in range(n):
        if x[i] > 0.5:
            mode = Mode.MID
        elif x[i] < -1:
            mode = Mode.HIGH
    return x.sum(), name, {"mode": mode, "pair": ("a", name)}


def of_a_helper(x, n):
    total, name, found = s2s.jit(in_containers)(x, n)
    return (1.0 if name == "low" else 2.0) * total, found["mode"], found["mode"] is Mode.MID, of_a_branch(x, n)


def early(x, n):
    for i in range(n):
        if x[i] > 0:
            return "positive"
    return "none"


POINTS = [np.array([-2.0, 0.0]), np.array([2.0, 0.3]), np.array([0.1, 0.2])]


@pytest.mark.parametrize("fun", [of_a_branch, in_containers, early])
def test_interpreted(fun):
    for x in POINTS:
        check(fun, x, 2)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_emitted(target):
    jitted = s2s.jit(of_a_helper, target=target)
    for x in POINTS:
        assert jitted(x, 2) == of_a_helper(x, 2)


def test_beside_a_derivative():
    def loss(x, n):
        total, *rest = in_containers(x, n)
        return total, tuple(rest)

    for x in POINTS:
        bar, aux = s2s.grad(loss, has_aux=True)(x, 2)
        np.testing.assert_array_equal(bar, np.ones(2))
        assert aux == loss(x, 2)[1]


def test_a_text_has_no_derivative():
    x = POINTS[0]
    for call in (lambda: s2s.jvp(lambda v: in_containers(v, 2), (x,), (x,)), lambda: s2s.vjp(lambda v: in_containers(v, 2), x), lambda: s2s.grad(of_a_branch)(x, 2)):
        with pytest.raises(UnsupportedError, match="returns one of several texts"):
            call()
    with pytest.raises(UnsupportedError, match="vmap of a function that returns one of several texts"):
        s2s.vmap(lambda v: of_a_branch(v, 2))(np.ones((3, 2)))
    with pytest.raises(UnsupportedError, match="the shape of a result"):
        s2s.eval_shape(of_a_branch, x, 2)


def test_the_text_says_what_is_returned():
    source = s2s.jit(of_a_branch, target="numpy").source(POINTS[0], 2)
    assert "'low' | 'high'" in source
    assert '("low", "high")[' in source


def either_way(x, n):
    for i in range(n):
        if x[i] > 0:
            return "positive" if x[i] > 1 else None
        if x[i] < -1:
            return "small"
    return "none"


def of_a_while(x, n):
    i = 0
    while i < n:
        if x[i] > 0:
            return Mode.HIGH
        i += 1
    return Mode.LOW if n else None


@pytest.mark.parametrize("fun", [either_way, of_a_while])
def test_left_in_a_loop(fun):
    for x in (*POINTS, np.array([-0.5, -3.0]), np.array([-0.5, -0.5]), np.array([-0.5, 3.0])):
        for n in (0, 1, 2):
            check(fun, x, n)
