"""What reverse mode keeps and how: the tapes of small programs, read off the emitted program."""
from __future__ import annotations

from typing import Any

import nodes
import numpy as np
import pytest
from staging import stage

import s2s
from s2s.transforms.derivatives import derive
from s2s.transforms.derivatives.reverse import adjoint
from s2s.transforms.derivatives.reverse.adjoint import vjp
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Equation, For, Function, While, walk
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives.elementwise import sin
from s2s.transforms.primitives.indexing import At, Full, getitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.value import Value
from s2s.transforms.simplify.simplification import simplify
from s2s.types import FLOAT64, SIZE, Array, Var


def gradient(fun, *args) -> Function:
    return simplify(derive.grad(stage(fun, args)).function)


def tapes(function: Function) -> list[str]:
    """The types of the allocated tapes."""
    return [str(node.outs[0].type) for node in walk(function.body) if isinstance(node, Equation) and node.primitive.name == "empty"]


def loops(function: Function) -> int:
    return sum(isinstance(node, For | While) for node in walk(function.body))


def linear(u, n):
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return np.sum(u)


def test_linear_code_keeps_nothing():
    assert tapes(gradient(linear, np.ones(5), 3)) == []


def dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


def test_read_only_arrays_are_read_again():
    assert tapes(gradient(dot, np.ones(5), np.ones(5))) == []


def sweep(u, n):
    for _ in range(n):
        for i in range(1, len(u)):
            u[i] = u[i] * u[i] + u[i - 1] * u[i]
    return np.sum(u)


def test_an_overwritten_element_is_kept_once_for_several_reads():
    assert len(tapes(gradient(sweep, np.ones(5), 3))) == 1


def state(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return x


def test_a_carried_scalar_has_one_slot_a_trip():
    kept = tapes(gradient(state, 1.0, 3))
    assert len(kept) <= 2
    assert all(tape.startswith("f8[") for tape in kept)


def pendulum(angle, speed, n):
    for _ in range(n):
        speed = speed - 0.1 * np.sin(angle)
        angle = angle + 0.1 * speed
    return angle


def test_the_cosine_is_kept_in_place_of_its_argument():
    """The forward sweep computes both of one number; where the number is kept anyway, nothing more is."""
    function = gradient(pendulum, 0.5, 0.1, 3)
    forward, backward = (node for node in function.body.nodes if isinstance(node, For))
    names = [[node.primitive.name for node in loop.body.nodes if isinstance(node, Equation)] for loop in (forward, backward)]
    assert "cos" in names[0]
    assert "cos" not in names[1]
    assert tapes(function) == ["f8[trips]"]
    assert len(tapes(gradient(state, 1.0, 3))) == 2


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def test_while_has_a_growing_tape_and_a_for_as_adjoint():
    function = gradient(newton, 2.0)
    assert tapes(function) == ["f8[16]"]
    assert any(isinstance(node, Equation) and node.primitive.name == "grow" for node in walk(function.body))
    assert loops(function) == 2


def swapped(start, n):
    u, v = start.copy(), start.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            v[i] = u[i] * u[i - 1] + u[i + 1]
        u, v = v, u
    return np.sum(u * u)


def test_swapped_buffers_are_rolled_back_not_copied():
    """What is kept is one element a store, never a whole array a trip."""
    function = gradient(swapped, np.ones(5), 3)
    assert len(tapes(function)) == 1


def triangular(a):
    s = 0.0
    for i in range(len(a)):
        t = a[i]
        for j in range(i):
            t = np.sin(t) * a[j]
        s += t
    return s


def test_a_triangular_nest_has_a_bounded_tape():
    function = gradient(triangular, np.ones(5))
    assert not any(isinstance(node, Equation) and node.primitive.name == "grow" for node in walk(function.body))
    assert any(tape.count(",") == 1 for tape in tapes(function))


def branch(x):
    y = x * 2.0
    if x > 0.0:
        y = np.sin(y) * y
    return y


def test_a_branch_stays_a_branch():
    text = str(gradient(branch, 1.0))
    assert text.count("if ") <= 2
    assert "select" not in text


def test_a_map_is_differentiated_as_the_loop_that_fills_its_results():
    n, k = Var("n", SIZE), Var("k", SIZE)
    x, i = Var("x", Array(FLOAT64, (n, k))), Var("i", SIZE)
    inner = new_builder()
    row = getitem(Value(inner, x), Value(inner, i), index=(At(inside=True), Full()))
    body = inner.block(sin(row).atom, reduce_sum(row * row, axes=(0,)).atom)
    outs = Var("y", Array(FLOAT64, (n, k))), Var("s", Array(FLOAT64, (n,)))
    function = nodes.Function("f", (x,), nodes.Block((nodes.Map(outs, i, n, body),), outs))
    verify(function)
    back = vjp(function, (True,), (True, True))
    verify(back)
    rng = np.random.default_rng(0)
    at, bars = rng.normal(size=(3, 2)), (rng.normal(size=(3, 2)), rng.normal(size=3))
    for program in (back, simplify(back)):
        *results, x_bar = interpret(program, at, *bars)
        np.testing.assert_allclose(results[0], np.sin(at))
        np.testing.assert_allclose(x_bar, np.cos(at) * bars[0] + 2 * at * bars[1][:, None])


def turned(angles, x, y):
    total = 0.0
    for i in range(len(angles)):
        a = angles[i] * (x + 1.0)
        s = np.sin(a)
        c = np.cos(a)
        x, y = c * x - s * y, s * x + c * y
        total += x * y
    return total


def test_functions_of_the_forward_sweep_are_not_called_again():
    """The adjoint of a sine needs the cosine, which a rotation has computed."""
    args = np.linspace(0.1, 2.0, 7), 0.3, 0.7
    s2s.check_grads(turned, args, order=1)
    text = str(s2s.grad(turned).program(*args))
    assert (text.count("sin("), text.count("cos(")) == (1, 1)


def test_trips_of_an_inner_while_on_a_tape_that_grows():
    def total(a, b, k):
        n = len(a)
        a, b = a.copy(), b + 0.0
        for p in range(n):
            if abs(b[0]) > 0.9:
                continue
            if k > 1:
                for _ in range(p % 3):
                    r = 0
                    while r < n and k > 1:
                        r += 1
                        a[0] += 0.15 * a[p] * np.arctan(b[p])
            a, b = b, a
        return np.sum(a) - np.sum(a * b)

    rng = np.random.default_rng(0)
    given = tuple(0.5 * rng.normal(size=4) for _ in range(2))
    s2s.check_grads(s2s.jit(lambda a, b: total(a, b, 2), target="numpy"), given, order=1, modes=("fwd", "rev"))


def _backwards(x: Any, factor: Any) -> Any:
    total = 0.0
    for k in range(len(x) - 1, -1, -1):
        total = total * factor + x[k] * factor
    return total


def _after_the_first(x: Any, y: Any, factor: Any) -> Any:
    y = y.copy()
    for _ in range(1, len(x) - 1, 3):
        for k in range(len(y)):
            y[k] = x[k % len(x)] - _backwards(x[1:], factor)
    return np.sum(y * y)


@pytest.mark.parametrize("size", [0, 1, 2, 4])
def test_tapes_of_loops_without_trips(size: int) -> None:
    """In the loop `x[1:]` has len(x) - 1 elements: its tape must not be asked for -1 of them where the loop has no trip."""
    x, y, x_dot, y_dot = np.random.default_rng(1).uniform(0.2, 0.9, (4, size))
    x_bar, y_bar, factor_bar = s2s.grad(_after_the_first, argnums=(0, 1, 2))(x, y, 0.3)
    _, out_dot = s2s.jvp(_after_the_first, (x, y, 0.3), (x_dot, y_dot, 0.7))
    np.testing.assert_allclose(np.sum(x_bar * x_dot) + np.sum(y_bar * y_dot) + 0.7 * factor_bar, out_dot, rtol=1e-12, atol=1e-300)


def _alternating(u: Any, steps: Any) -> Any:
    """Three regions in a trip that update arrays which are rolled back."""
    p = np.zeros_like(u)
    u = u.copy()
    for _ in range(steps):
        for j in range(1, u.shape[0]):
            p[:, j] = u[:, j] / (p[:, j - 1] + 2.0)
        for j in range(1, u.shape[0]):
            u[j, :] = p[j, :] * u[j - 1, :] + 0.5
        for j in range(1, u.shape[0]):
            p[:, j] = u[j, :] / (p[:, j - 1] + 2.0)
    return np.sum(u * p)


def test_what_is_rolled_back_in_several_regions_is_decided_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweeps are written twice, not once for each region."""
    tries: list[str] = []
    written = adjoint.Sweeps.__init__

    def counted(self: Any, function: Function, *rest: Any) -> None:
        tries.append(function.name)
        written(self, function, *rest)

    monkeypatch.setattr(adjoint.Sweeps, "__init__", counted)
    u = np.linspace(0.5, 1.2, 9).reshape(3, 3)
    s2s.check_grads(s2s.jit(lambda u: _alternating(u, 3), target="numpy"), (u,), order=1, modes=("rev",))
    tries.clear()
    gradient(_alternating, u, 3)
    assert len(tries) == 2


def under_two_names(v, w, t):
    x, y = v * 1.0, np.exp(w)
    q = (x**3).sum() + (y**3).sum()
    a = x if t > 0.0 else y
    b = y
    c = b
    if t > 0.0:
        a, b = b, a
        c = b.copy()
    else:
        x[0] = c[0] * 2
        c = x
        b[1] = x[0] * c[2]
    return a.sum() + 2 * b.sum() + 3 * (c**2).sum() + x[0] * q + (x**2).sum() + (y**2).sum()


def test_an_array_that_a_branch_hands_out_under_two_names_is_rolled_back_once():
    """By the result that is this array on both paths, not by the name that is another one, perhaps of another size, on the other path."""
    gradient = s2s.jit(s2s.grad(under_two_names, argnums=(0, 1)), target="numpy")
    v = np.array([0.3, 0.4, 0.5])
    for t in (1.0, -1.0):
        for size in (3, 4):
            w = np.linspace(0.1, 0.5, size)
            found = gradient(v, w, t)
            of_v = [(under_two_names(v + h, w, t) - under_two_names(v - h, w, t)) / 2e-6 for h in 1e-6 * np.eye(3)]
            of_w = [(under_two_names(v, w + h, t) - under_two_names(v, w - h, t)) / 2e-6 for h in 1e-6 * np.eye(size)]
            np.testing.assert_allclose(found[0], of_v, rtol=1e-6)
            np.testing.assert_allclose(found[1], of_w, rtol=1e-6)
