"""Custom derivative rules: custom_jvp, custom_vjp, custom_gradient, custom_transpose, linear_call, closure_convert, stop_gradient."""
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest

import s2s
from s2s.errors import S2SError

X = np.linspace(-1.5, 2.0, 6)


def on_numpy(function):
    return s2s.jit(function, target="numpy")


def grad(function, *args, **kwargs):
    return s2s.grad(on_numpy(function), *args, **kwargs)


def jvp(function, primals, tangents):
    return s2s.jvp(on_numpy(function), primals, tangents)


# ---- custom_jvp -----------------------------------------------------------------------------------------------------------


@s2s.custom_jvp
def log1pexp(x):
    return np.log(1.0 + np.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,) = primals
    (x_dot,) = tangents
    return log1pexp(x), (1.0 - 1.0 / (1.0 + np.exp(x))) * x_dot


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@s2s.custom_jvp
def scaled(x, y):
    return np.sin(x) * y


@scaled.defjvp
def scaled_jvp(primals, tangents):  # 10 times the derivative by x, 100 times that by y: one sees which rule is used
    x, y = primals
    x_dot, y_dot = tangents
    return scaled(x, y), 10.0 * np.cos(x) * y * x_dot + 100.0 * np.sin(x) * y_dot


def test_plain_call_runs_the_function():
    assert log1pexp(0.0) == np.log(2.0)
    np.testing.assert_array_equal(scaled(X, 2.0), np.sin(X) * 2.0)


def test_root_with_a_rule_in_every_mode():
    assert s2s.jit(log1pexp)(0.0) == np.log(2.0)
    assert grad(log1pexp)(700.0) == 1.0
    assert s2s.value_and_grad(on_numpy(log1pexp))(0.5) == (log1pexp(0.5), pytest.approx(sigmoid(0.5)))
    assert jvp(log1pexp, (0.5,), (2.0,))[1] == pytest.approx(2.0 * sigmoid(0.5))
    out, pull = s2s.vjp(on_numpy(log1pexp), X)
    np.testing.assert_allclose(pull(np.ones(6))[0], sigmoid(X))


def test_higher_orders_differentiate_the_rule():
    s = sigmoid(0.3)
    assert grad(s2s.grad(log1pexp))(0.3) == pytest.approx(s * (1 - s))
    assert grad(s2s.grad(s2s.grad(log1pexp)))(0.3) == pytest.approx(s * (1 - s) * (1 - 2 * s))
    assert jvp(s2s.grad(log1pexp), (0.3,), (1.0,))[1] == pytest.approx(s * (1 - s))


def test_rule_is_used_and_only_for_what_is_differentiated():
    def loss(x, y):
        return np.sum(scaled(x, y) ** 2)

    y = X + 3.0
    by_x, by_y = grad(loss, argnums=(0, 1))(X, y)
    np.testing.assert_allclose(by_x, 20.0 * np.sin(X) * y * np.cos(X) * y)
    np.testing.assert_allclose(by_y, 200.0 * np.sin(X) * y * np.sin(X))
    np.testing.assert_allclose(grad(loss, argnums=1)(X, y), by_y)
    assert jvp(loss, (X, y), (np.ones(6), np.zeros(6)))[1] == pytest.approx(by_x.sum())


def test_emitted_text_is_the_users_rule():
    text = grad(lambda x: np.sum(scaled(x, x))).source(X)
    assert "scaled" in text and "100.0 * " in text


def test_compiled_like_numpy():
    def loss(x, y):
        total = 0.0
        for i in range(len(x)):
            if x[i] > 0.0:
                total += scaled(x[i], y)
            else:
                total += log1pexp(x[i]) * y
        return total

    for number in (0, 1):
        np.testing.assert_allclose(s2s.grad(loss, argnums=number)(X, 0.7), grad(loss, argnums=number)(X, 0.7))
    on = X > 0
    np.testing.assert_allclose(s2s.grad(loss)(X, 0.7), np.where(on, 10.0 * np.cos(X) * 0.7, sigmoid(X) * 0.7))


def test_in_while_loops_and_helpers():
    def helper(x, y):
        return scaled(x, y) + x

    def loss(x):
        steps = 0
        while steps < 3:
            x = helper(x, 0.5)
            steps += 1
        return x

    x, expected = 0.4, 1.0
    for _ in range(3):
        expected *= 10.0 * np.cos(x) * 0.5 + 1.0
        x = np.sin(x) * 0.5 + x
    assert grad(loss)(0.4) == pytest.approx(expected)
    assert jvp(loss, (0.4,), (1.0,)) == (pytest.approx(x), pytest.approx(expected))


def test_defjvps_with_none():
    @s2s.custom_jvp
    def f(x, y):
        return np.sin(x) * y

    f.defjvps(lambda x_dot, ans, x, y: np.cos(x) * x_dot * y, None)
    assert grad(f, argnums=(0, 1))(0.3, 2.0) == (pytest.approx(np.cos(0.3) * 2.0), 0.0)
    f.defjvps(lambda x_dot, ans, x, y: ans * x_dot, lambda y_dot, ans, x, y: 5.0 * y_dot)
    assert grad(f, argnums=(0, 1))(0.3, 2.0) == (pytest.approx(np.sin(0.3) * 2.0), 5.0)


def test_another_rule_is_noticed():
    @s2s.custom_jvp
    def f(x):
        return x * x

    f.defjvp(lambda primals, tangents: (primals[0] ** 2, 3.0 * tangents[0]))
    g = grad(lambda x: f(x))
    assert g(2.0) == 3.0
    f.defjvp(lambda primals, tangents: (primals[0] ** 2, 4.0 * tangents[0]))
    assert g(2.0) == 4.0


def test_nondiff_function_argument():
    @partial(s2s.custom_jvp, nondiff_argnums=(0,))
    def app(f, x):
        return f(x)

    @app.defjvp
    def app_jvp(f, primals, tangents):
        (x,), (x_dot,) = primals, tangents
        return f(x), 2.0 * x_dot

    assert grad(lambda x: app(lambda v: v ** 3, x))(3.0) == 2.0
    assert grad(lambda x: app(np.sin, x))(3.0) == 2.0

    @partial(s2s.custom_jvp, nondiff_argnames=("power",))
    def raised(x, power=2):
        return x ** power

    @raised.defjvp
    def raised_jvp(power, primals, tangents):
        return raised(primals[0], power), 100.0 * power * tangents[0]

    assert grad(lambda x: raised(x, power=3))(2.0) == 300.0
    assert grad(lambda x: raised(x))(2.0) == 200.0


class Pair(NamedTuple):
    a: float
    b: np.ndarray


@dataclass
class Layer:
    w: np.ndarray
    b: float


@s2s.custom_jvp
def mixed(params, n):
    return {"sum": params["p"].a + np.sum(params["p"].b), "n": n, "list": [params["q"][0] * 2.0, None]}


@mixed.defjvp
def mixed_jvp(primals, tangents):
    params, n = primals
    dot, n_dot = tangents
    out = mixed(params, n)
    return out, {"sum": 7.0 * dot["p"].a + np.sum(dot["p"].b) * 3.0, "n": n_dot, "list": [dot["q"][0] * 5.0, None]}


def test_containers_and_integers():
    params = {"p": Pair(1.0, X), "q": [2.0 * X]}

    def loss(params, n):
        out = mixed(params, n)
        return out["sum"] * out["n"] + np.sum(out["list"][0])

    g = grad(loss)(params, 2)
    assert g["p"].a == 14.0
    np.testing.assert_array_equal(g["p"].b, np.full(6, 6.0))
    np.testing.assert_array_equal(g["q"][0], np.full(6, 5.0))
    out, dots = jvp(loss, (params, 2), (params, np.zeros((), [("float0", np.void, 0)])))
    assert dots == pytest.approx(14.0 + 6.0 * X.sum() + 10.0 * X.sum())


def test_dataclass_and_methods():
    @s2s.custom_jvp
    def apply(layer, x):
        return layer.w * x + layer.b

    @apply.defjvp
    def apply_jvp(primals, tangents):
        (layer, x), (layer_dot, x_dot) = primals, tangents
        return apply(layer, x), 2.0 * layer_dot.w * x + layer_dot.b + 0.0 * x_dot

    g = grad(lambda layer, x: np.sum(apply(layer, x)))(Layer(X, 1.0), X)
    np.testing.assert_array_equal(g.w, 2.0 * X)
    assert g.b == 6.0


class Model:
    def __init__(self, rate):
        self.rate = rate

    @partial(s2s.custom_jvp, nondiff_argnums=(0,))
    def step(self, x):
        return self.rate * x

    @step.defjvp
    def step_jvp(self, primals, tangents):
        return self.step(primals[0]), 10.0 * self.rate * tangents[0]


def test_methods():
    model = Model(3.0)
    assert model.step(2.0) == 6.0
    assert grad(model.step)(2.0) == 30.0
    g = grad(lambda x: model.step(x) ** 2)
    assert g(2.0) == 360.0
    model.rate = 1.0
    assert g(2.0) == 40.0


SCALE = np.array([1.0, 2.0, 3.0])


@s2s.custom_jvp
def closes_over(x):
    return np.sum(x)


@closes_over.defjvp
def closes_over_jvp(primals, tangents):
    return closes_over(primals[0]), np.sum(SCALE * tangents[0])


def test_arrays_that_only_the_rule_reads_are_read_at_each_call():
    def loss(x):
        return closes_over(x) + closes_over(2.0 * x)

    g = grad(loss)
    np.testing.assert_array_equal(g(np.ones(3)), [3.0, 6.0, 9.0])
    SCALE[0] = 10.0
    try:
        np.testing.assert_array_equal(g(np.ones(3)), [30.0, 6.0, 9.0])
    finally:
        SCALE[0] = 1.0
    assert on_numpy(loss)(np.ones(3)) == 9.0


def test_defined_inside_of_the_function():
    def loss(x, rate):
        @s2s.custom_jvp
        def f(v):
            return v * rate

        @f.defjvp
        def f_jvp(primals, tangents):
            (v,), (v_dot,) = primals, tangents
            return f(v), 5.0 * rate * v_dot

        return f(x) + f(x * x)

    assert grad(loss)(3.0, 2.0) == pytest.approx(10.0 + 60.0)
    with pytest.raises(TypeError, match="closed-over"):
        grad(loss, argnums=1)(3.0, 2.0)


def test_safe_square_root():
    @s2s.custom_jvp
    def safe_sqrt(x):
        return np.sqrt(x)

    @safe_sqrt.defjvp
    def safe_sqrt_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        ans = safe_sqrt(x)
        return ans, np.where(x > 0.0, 0.5 / np.where(x > 0.0, ans, 1.0), 0.0) * x_dot

    x = np.array([0.0, 1.0, 4.0])
    np.testing.assert_array_equal(grad(lambda x: np.sum(safe_sqrt(x)))(x), [0.0, 0.5, 0.25])


def test_loops_in_rules():
    @s2s.custom_jvp
    def cumulate(x):
        total = 0.0
        for i in range(len(x)):
            total += x[i] ** 2
        return total

    @cumulate.defjvp
    def cumulate_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        total, dot = 0.0, 0.0
        for i in range(len(x)):
            total += x[i] ** 2
            dot += 3.0 * x[i] * x_dot[i]
        return total, dot

    np.testing.assert_allclose(grad(cumulate)(X), 3.0 * X)
    np.testing.assert_allclose(s2s.grad(cumulate)(X), 3.0 * X)


def test_results_of_sizes_found_at_run_time():
    @s2s.custom_jvp
    def positive(x):
        return x[x > 0.0]

    @positive.defjvp
    def positive_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        return x[x > 0.0], 3.0 * x_dot[x > 0.0]

    np.testing.assert_allclose(grad(lambda x: np.sum(positive(x) ** 2))(X), np.where(X > 0, 6.0 * X, 0.0))
