"""What a caller of grad, jvp and vjp can rely on beyond JAX: arrays are mutable, numbers keep their types, errors name places."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from reading import loaded

import s2s


@pytest.fixture(autouse=True)
def _on_numpy() -> Iterator[None]:
    with s2s.disable_jit():
        yield


class Layer(NamedTuple):
    weights: Any
    bias: Any


@dataclass
class Body:
    position: Any
    mass: Any


def smooth(u):
    for i in range(1, len(u)):
        u[i] = u[i] * u[i - 1]
    return np.sum(u)


def guarded(x):
    if x < 0.0:
        raise ValueError("negative")
    assert x < 10.0, "too large"
    return np.sqrt(x)


# ---- types ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2.0, np.float64(2.0), np.float32(2.0), 1.0 + 2.0j, np.complex64(1.0 + 2.0j)])
def test_gradients_of_numbers_have_their_type(number: Any) -> None:
    def square(x):
        return np.real(x * x * 3.0)

    def other(x):
        return np.real(x)

    for f in (square, other):
        assert type(s2s.grad(f)(number)) is type(number)
        assert type(s2s.vjp(f, number)[1](f(number))[0]) is type(number)
    out, out_dot = s2s.jvp(lambda x: x * 2, (number,), (number,))
    assert type(out) is type(number)
    assert type(out_dot) is type(number)


def test_gradients_of_containers_have_their_classes() -> None:
    def energy(body):
        return body.mass * np.sum(body.position**2)

    def apply(layer):
        return np.sum(layer.weights) * layer.bias

    got = s2s.grad(energy)(Body(np.array([1.0, 2.0]), 3.0))
    assert isinstance(got, Body)
    np.testing.assert_allclose(got.position, [6.0, 12.0])
    assert got.mass == 5.0
    layer = s2s.grad(apply)(Layer(np.ones((2, 2)), 0.5))
    assert isinstance(layer, Layer)
    assert layer.bias == 4.0


def test_longdouble_and_subclasses_are_refused() -> None:
    with pytest.raises(TypeError, match="float128"):
        s2s.grad(lambda x: np.sum(x))(np.ones(3, np.longdouble))
    with pytest.raises(TypeError, match="MaskedArray"):
        s2s.grad(lambda x: np.sum(x))(np.ma.masked_array(np.ones(3)))
    with pytest.raises(TypeError, match="object"):
        s2s.grad(lambda x: np.sum(x))(np.array([1.0, None], object))


# ---- mutation -------------------------------------------------------------------------------------------------------


def test_arguments_stay_as_they_are() -> None:
    u = np.arange(1.0, 5.0)
    before = u.copy()
    value, _ = s2s.value_and_grad(smooth)(u)
    assert value == np.cumprod(before).sum()
    s2s.jvp(smooth, (u,), (np.ones(4),))
    _, pullback = s2s.vjp(smooth, u)
    pullback(1.0)
    np.testing.assert_array_equal(u, before)


def test_a_read_only_argument_of_a_function_that_writes() -> None:
    u = np.arange(1.0, 5.0)
    u.flags.writeable = False
    np.testing.assert_allclose(s2s.grad(smooth)(u), s2s.grad(smooth)(u.copy()))


def test_a_cotangent_called_like_the_container_that_holds_it() -> None:
    def f(x, y):
        chosen = s2s.lax.cond(y > 0.1, lambda: (x * 2.0, y), lambda: (x * x, y))
        return {"a": x * 3.0, "b": (y,), "c": {"a": chosen[0], "c": y}}

    out, pullback = s2s.vjp(f, np.ones(3), 1.0)
    x_bar, y_bar = pullback(out)
    np.testing.assert_array_equal(x_bar, np.full(3, 13.0))
    assert y_bar == 2.0


@pytest.mark.parametrize("names", ["out_bar residuals", "residuals out_bar", "x_bar out_bar", "tangents primals", "out_dot x_dot", "args kwargs", "size n", "result total"])
def test_arguments_called_like_those_of_derivatives(names: str, tmp_path: Path) -> None:
    one, two = names.split()
    text = f"import numpy as np\n\n\ndef f({one}, {two}):\n    return {{'{two}': np.sin({one}) * {two}, '{one}': {two}[0] * {one}}}\n"
    f = loaded(tmp_path / "named.py", text).f
    x, y = np.arange(3.0) + 0.5, np.arange(3.0) - 0.3
    out, pullback = s2s.vjp(f, x, y)
    bars = pullback({two: np.ones(3), one: 2.0 * np.ones(3)})
    np.testing.assert_allclose(bars[0], np.cos(x) * y + 2.0 * y[0], rtol=1e-14)
    np.testing.assert_allclose(bars[1], np.sin(x) + np.array([2.0 * np.sum(x), 0.0, 0.0]), rtol=1e-14)
    _, push = s2s.linearize(f, x, y)
    for dots in (push(x, y), s2s.jvp(f, (x, y), (x, y))[1]):
        np.testing.assert_allclose(dots[two], np.cos(x) * y * x + np.sin(x) * y, rtol=1e-14)
        np.testing.assert_allclose(dots[one], 2.0 * y[0] * x, rtol=1e-14)
    np.testing.assert_array_equal(out[one], y[0] * x)


def test_the_pullback_does_not_see_what_is_written_later() -> None:
    def f(x, y):
        z = np.sin(x)
        return z * y, z

    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    want = np.cos(x) * y, np.sin(x)
    (out, z), pullback = s2s.vjp(f, x, y)
    first = pullback((np.ones(2), np.zeros(2)))
    for array in (x, y, out, z):
        array[...] = np.nan
    second = pullback((np.ones(2), np.zeros(2)))
    np.testing.assert_allclose(first, want)
    np.testing.assert_allclose(second, want)
    first[0][...] = np.nan  # results are the caller's
    np.testing.assert_allclose(pullback((np.ones(2), np.zeros(2))), want)


def test_cotangents_and_tangents_stay_as_they_are() -> None:
    u, bar = np.arange(1.0, 5.0), np.ones(4)
    _, pullback = s2s.vjp(lambda u: u * u, u)
    pullback(bar)
    np.testing.assert_array_equal(bar, np.ones(4))
    _, pullback = s2s.vjp(lambda u: u, u)
    (got,) = pullback(bar)
    got[...] = 7.0
    np.testing.assert_array_equal(bar, np.ones(4))
    out, out_dot = s2s.jvp(lambda u: u, (u,), (bar,))
    out[...] = out_dot[...] = 7.0
    np.testing.assert_array_equal((u, bar), (np.arange(1.0, 5.0), np.ones(4)))


def test_arguments_that_share_memory_with_one_that_is_written() -> None:
    def f(a, b):
        a[0] = 2.0 * b[1]
        return np.sum(a * b)

    x, line = np.array([1.0, 3.0]), np.arange(4.0)
    gradient = s2s.grad(f, argnums=(0, 1))
    np.testing.assert_allclose(gradient(x, x.copy()), ([0.0, 3.0], [6.0, 5.0]))
    for target in ("numpy", "cpu"):
        with s2s.disable_jit(target == "numpy"):
            for args in ((x, x), (line[:2], line[1:3])):
                for call in (gradient, s2s.value_and_grad(f), lambda *args: s2s.vjp(f, *args), lambda *args: s2s.jvp(f, args, args)):
                    with pytest.raises(ValueError, match=r"two arguments of f share memory, .*: a and b"):
                        call(*args)
            np.testing.assert_allclose(gradient(x, x.copy()), ([0.0, 3.0], [6.0, 5.0]))
            np.testing.assert_allclose(gradient(line[:2], line[2:]), ([0.0, 3.0], [6.0, 5.0]))
    np.testing.assert_array_equal(x, [1.0, 3.0])
    with pytest.raises(s2s.UnsupportedError, match="separate variables"):
        s2s.grad(lambda x: np.sum(s2s.grad(f)(x, x)))(x)
    dot = np.ones(2)  # tangents are separate from their primals in any case
    np.testing.assert_allclose(s2s.jvp(f, (x, dot), (dot, x))[1], s2s.jvp(f, (x.copy(), dot), (dot.copy(), x))[1])


# ---- errors ---------------------------------------------------------------------------------------------------------


def test_errors_of_the_user_pass_through_derivatives() -> None:
    for call in (s2s.grad(guarded), lambda x: s2s.jvp(guarded, (x,), (1.0,)), lambda x: s2s.vjp(guarded, x)):
        with pytest.raises(ValueError, match=r"^negative$"):
            call(-1.0)
        with pytest.raises(AssertionError, match="too large"):
            call(11.0)
    assert s2s.grad(guarded)(4.0) == 0.25


def test_errors_name_the_function_and_its_place() -> None:
    def vector(x):
        return x * 2.0

    with pytest.raises(s2s.ArgumentTypeError, match="scalar-output") as caught:
        s2s.grad(vector)(np.ones(3))
    assert caught.value.where.file == __file__
    assert "def vector(x):" in str(caught.value)
    with pytest.raises(TypeError, match="scalar-output") as caught:
        s2s.jit(lambda x: s2s.grad(vector)(x))(np.ones(3))
    assert __file__ in str(caught.value)


def test_errors_inside_the_users_code_name_the_call() -> None:
    def inner(n):
        return n * 1.0

    def outer(x):
        k = 3
        return x * s2s.grad(inner)(k)

    with pytest.raises(TypeError, match="requires real- or complex-valued inputs.*int64") as caught:
        s2s.grad(outer)(2.0)
    assert "s2s.grad(inner)(k)" in str(caught.value)


def test_argnums_names_an_argument_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        s2s.grad(lambda x, y: x * y, argnums=(0, -2))(1.0, 2.0)


# ---- jit's options --------------------------------------------------------------------------------------------------


def test_options_of_jit_that_change_nothing() -> None:
    f = s2s.jit(lambda x, y: x * y, donate_argnums=(0,), donate_argnames="y", keep_unused=True, inline=True, backend="cpu", target="numpy")
    x = np.ones(3)
    np.testing.assert_array_equal(f(x, 2.0), 2.0 * x)
    decorate = s2s.jit(inline=True, static_argnames="n", target="numpy")
    assert decorate(lambda x, n: x**n)(2.0, n=3) == 8.0


@pytest.mark.parametrize("option", [{"device": "gpu"}, {"backend": "gpu"}, {"compiler_options": {"a": 1}}])
def test_options_of_jit_that_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(NotImplementedError, match=next(iter(option))):
        s2s.jit(lambda x: x, **option)


def test_static_arguments_are_not_differentiated() -> None:
    f = s2s.jit(lambda x, mode: x * x if mode == "square" else x, static_argnames="mode")
    assert s2s.grad(f)(3.0, "square") == 6.0
    assert s2s.grad(f)(3.0, mode="same") == 1.0
    with pytest.raises(TypeError, match="can't differentiate with respect to 'square'"):
        s2s.grad(f, argnums=1)(3.0, "square")


# ---- third order ----------------------------------------------------------------------------------------------------


def layer_of(w, h):
    return np.tanh(w @ h)


def looped(x):
    y = x
    for k in range(3):
        y = np.sin(y) * x + k
    return y


def searched(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x * np.exp(x)


def branching(x):
    return x**4 if x > 1.0 else np.cos(x) * x


def relaxed(u):
    for _ in range(2):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] * u[i + 1] + np.sin(u[i]))
    return np.sum(u**3)


def network(w):
    h = np.array([0.3, -0.7, 0.2])
    for _ in range(2):
        h = layer_of(w, h)
    return np.sum(h * h)


def mixed(x):
    return np.prod(x) + np.linalg.norm(x) * np.max(x)


MATRIX = np.array([[0.2, -0.4, 0.9], [0.5, 0.1, -0.3], [-0.6, 0.8, 0.7]])
PROGRAMS = [
    (looped, 0.4), (searched, 2.7), (branching, 1.7), (branching, 0.3), (relaxed, np.array([0.3, -0.8, 1.1, 0.6])), (network, MATRIX), (mixed, np.array([0.4, 2.0, -1.1])),
]  # fmt: skip


@pytest.mark.parametrize(("function", "x"), PROGRAMS)
def test_third_order(function: Any, x: Any) -> None:
    """The third derivative along u, v and w: all three modes of the outermost steps, and differences of the second one."""
    rng = np.random.default_rng(0)
    u, v, w = (rng.normal(size=np.shape(x))[()] if np.shape(x) else float(rng.normal()) for _ in range(3))

    def second(x):
        return s2s.jvp(s2s.grad(function), (x,), (v,))[1]

    def third_reverse(x):
        return s2s.grad(lambda x: np.sum(s2s.grad(lambda x: np.sum(s2s.grad(function)(x) * v))(x) * w))(x)

    forward = s2s.jvp(second, (x,), (w,))[1]
    step = 1e-5
    differences = (np.asarray(second(x + step * w)) - second(x - step * w)) / (2 * step)
    np.testing.assert_allclose(forward, differences, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(third_reverse(x), forward, rtol=1e-9, atol=1e-12)
    reverse_of_forward = s2s.grad(lambda x: np.sum(s2s.jvp(lambda x: s2s.jvp(function, (x,), (v,))[1], (x,), (w,))[1]))(x)
    np.testing.assert_allclose(np.sum(reverse_of_forward * u), np.sum(forward * u), rtol=1e-9)


def test_what_follows_from_an_unsupported_statement_is_not_told_first() -> None:
    def scaled(x):
        factors = np.fromfile("factors")
        return np.sum(factors * x)

    with pytest.raises(s2s.UnsupportedError, match=r"np\.fromfile is not supported"):
        s2s.grad(scaled)(3.0)


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: s2s.grad(lambda p: p[0] * p[1] ** 2)([x, 2.0]), lambda x: s2s.grad(lambda p: p["a"] * p["b"] ** 2)({"a": x, "b": 3.0}),
        lambda x: s2s.value_and_grad(lambda p: p[0][0] * p[1] ** 2)([[x], 2.0]), lambda x: s2s.jvp(lambda p: p[0] * p[1] ** 2, ([x, 2.0],), ([1.0, 1.0],)),
        lambda x: s2s.grad(lambda p: p[0] * (p[1][0] + p[1][1]["k"]))((x, [1.5, {"k": 2.5}])),
    ],
)  # fmt: skip
def test_floats_written_in_containers_are_differentiated_like_those_of_run_time(fun):
    assert s2s.jit(fun, target="numpy")(1.5) == fun(1.5)


def test_a_list_that_was_differentiated_is_what_it_was():
    def fun(x):
        pair = [x, 2.0]
        slopes = s2s.grad(lambda p: p[0] * p[1] ** 2)(pair)
        pair.append(pair[1] * 3.0)
        return slopes, pair, [10, 20, 30][int(pair[1])]

    assert s2s.jit(fun, target="numpy")(1.5) == fun(1.5) == ([4.0, 6.0], [1.5, 2.0, 6.0], 30)
