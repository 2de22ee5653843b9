"""Custom derivative rules: custom_jvp, custom_vjp, custom_gradient, custom_transpose, linear_call, closure_convert, stop_gradient."""
import doctest
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import s2s
from s2s import registry
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
    root = grad(f)
    assert root(2.0) == 3.0
    f.defjvp(lambda primals, tangents: (primals[0] ** 2, 4.0 * tangents[0]))
    assert g(2.0) == root(2.0) == 4.0


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


@dataclass
class Affine:
    w: np.ndarray
    b: float

    @s2s.custom_jvp
    def apply(self, x):
        return self.w * x + self.b

    @apply.defjvp
    def apply_jvp(primals, tangents):
        (layer, x), (layer_dot, x_dot) = primals, tangents
        return layer.apply(x), 5.0 * layer_dot.w * x + layer_dot.b + layer.w * x_dot


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


class Slope:
    def __init__(self, slope):
        self.slope = slope

    def __call__(self, primals, tangents):
        return primals[0] * 2.0, self.slope * tangents[0]

    def tenfold(self, primals, tangents):
        return primals[0] * 2.0, 10.0 * self.slope * tangents[0]


def test_rules_of_every_kind_of_function():
    f = s2s.custom_jvp(lambda x: x * 2.0)
    for rule, slope in (
        (Slope(5.0), 5.0), (Slope(5.0).tenfold, 50.0), (partial(lambda k, primals, tangents: (primals[0] * 2.0, k * tangents[0]), 7.0), 7.0),
        (on_numpy(lambda primals, tangents: (primals[0] * 2.0, 3.0 * tangents[0])), 3.0),
    ):  # fmt: skip
        f.defjvp(rule)
        assert grad(lambda x: f(x))(1.0) == slope
    sine = s2s.custom_jvp(np.sin)
    sine.defjvp(lambda primals, tangents: (np.sin(primals[0]), 9.0 * tangents[0]))
    assert grad(sine)(1.0) == grad(lambda x: sine(x))(1.0) == 9.0


def test_derivatives_and_branches_in_rules():
    @s2s.custom_jvp
    def f(x):
        return np.abs(x)

    @f.defjvp
    def f_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        if x > 0.5:
            out = 2.0 * x_dot
        elif x > 0.0:
            out = s2s.grad(lambda v: v ** 3)(x) * x_dot
        else:
            out = 0.0 * x_dot
        return f(x), out

    slopes = {0.7: 2.0, 0.2: 3.0 * 0.2 ** 2, -0.3: 0.0}
    for x, slope in slopes.items():
        assert grad(f)(x) == pytest.approx(slope)
    assert grad(s2s.grad(f))(0.2) == pytest.approx(6.0 * 0.2)


def test_recursion_is_refused():
    @s2s.custom_jvp
    def f(x):
        return f(x)

    f.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
    with pytest.raises(S2SError, match="calls itself without an end"):
        on_numpy(lambda x: f(x))(1.0)


# ---- custom_vjp -----------------------------------------------------------------------------------------------------------


@s2s.custom_vjp
def times(x, y):
    return np.sin(x) * y


def times_fwd(x, y):
    return times(x, y), (np.cos(x), np.sin(x), y)


def times_bwd(res, g):
    cos_x, sin_x, y = res
    return cos_x * g * y * 10.0, sin_x * g


times.defvjp(times_fwd, times_bwd)


@partial(s2s.custom_vjp, nondiff_argnums=(0, 1))
def clip_gradient(lo, hi, x):
    return x


def clip_gradient_fwd(lo, hi, x):
    return x, None


def clip_gradient_bwd(lo, hi, _, g):
    return (np.clip(g, lo, hi),)


clip_gradient.defvjp(clip_gradient_fwd, clip_gradient_bwd)


def test_vjp_rule():
    y = X + 2.0
    by_x, by_y = grad(lambda x, y: np.sum(times(x, y)), argnums=(0, 1))(X, y)
    np.testing.assert_allclose(by_x, 10.0 * np.cos(X) * y)
    np.testing.assert_allclose(by_y, np.sin(X))
    assert grad(times)(0.3, 2.0) == pytest.approx(20.0 * np.cos(0.3))
    out, pull = s2s.vjp(on_numpy(times), 0.3, 2.0)
    assert (out, *pull(1.0)) == (times(0.3, 2.0), pytest.approx(20.0 * np.cos(0.3)), pytest.approx(np.sin(0.3)))


def test_vjp_compiled_in_a_loop():
    def loss(x):
        total = x[0]
        for i in range(1, len(x)):
            total = times(total, x[i]) + clip_gradient(-0.5, 0.5, 3.0 * total)
        return total

    np.testing.assert_allclose(s2s.grad(loss)(X), grad(loss)(X))


def test_gradient_clipping():
    def loss(x):
        return np.sum(100.0 * clip_gradient(-1.0, 0.5, np.sin(x)))

    np.testing.assert_allclose(grad(loss)(X), 0.5 * np.cos(X))
    np.testing.assert_allclose(on_numpy(clip_gradient)(0.0, 1.0, X), X)


def test_forward_mode_is_refused_and_forward_over_reverse_is_not():
    with pytest.raises(TypeError, match=r"can't apply forward-mode autodiff \(jvp\) to a custom_vjp function."):
        jvp(lambda x: times(x, x), (0.3,), (1.0,))
    assert jvp(s2s.grad(times), (0.3, 2.0), (1.0, 0.0))[1] == pytest.approx(-20.0 * np.sin(0.3))
    assert grad(s2s.grad(times))(0.3, 2.0) == pytest.approx(-20.0 * np.sin(0.3))


def test_none_stands_for_zeros():
    @s2s.custom_vjp
    def f(params, x):
        return params["a"] * x, params["b"] * 2

    f.defvjp(lambda params, x: (f(params, x), {"x": x, "n": 3, "none": None, "flag": True}), lambda res, g: (None, res["n"] * g[0]))
    params = {"a": X, "b": 2.0}
    g, by_x = grad(lambda params, x: np.sum(f(params, x)[0]), argnums=(0, 1))(params, X)
    np.testing.assert_array_equal(g["a"], np.zeros(6))
    assert g["b"] == 0.0
    np.testing.assert_array_equal(by_x, np.full(6, 3.0))
    f.defvjp(lambda params, x: (f(params, x), x), lambda res, g: ({"a": res * g[0], "b": None}, None))
    g, by_x = grad(lambda params, x: np.sum(f(params, x)[0]), argnums=(0, 1))(params, X)
    np.testing.assert_array_equal(g["a"], X)
    np.testing.assert_array_equal(by_x, np.zeros(6))


def test_zero_cotangents_of_unused_outputs():
    @s2s.custom_vjp
    def f(x):
        return x, [np.sin(x), len(x)]

    f.defvjp(lambda x: (f(x), None), lambda _, g: (g[0] + 7.0 * g[1][0],))
    np.testing.assert_array_equal(grad(lambda x: np.sum(f(x)[0]))(X), np.ones(6))
    np.testing.assert_array_equal(grad(lambda x: np.sum(f(x)[1][0]))(X), np.full(6, 7.0))


def test_fixed_point_with_implicit_differentiation():
    @partial(s2s.custom_vjp, nondiff_argnums=(0,))
    def fixed_point(f, a, x_guess):
        x_previous, x = x_guess, f(a, x_guess)
        while np.abs(x_previous - x) > 1e-12:
            x_previous, x = x, f(a, x)
        return x

    def fixed_point_fwd(f, a, x_guess):
        x_star = fixed_point(f, a, x_guess)
        return x_star, (a, x_star)

    def fixed_point_bwd(f, res, x_star_bar):
        a, x_star = res
        _, pull_a = s2s.vjp(lambda a: f(a, x_star), a)
        _, pull_x = s2s.vjp(lambda x: f(a, x), x_star)
        u_previous, u = 0.0, x_star_bar
        while np.abs(u - u_previous) > 1e-12:
            u_previous, u = u, x_star_bar + pull_x(u)[0]
        return pull_a(u)[0], 0.0

    fixed_point.defvjp(fixed_point_fwd, fixed_point_bwd)

    def newton_sqrt(a):
        return fixed_point(lambda a, x: 0.5 * (x + a / x), a, a)

    assert on_numpy(newton_sqrt)(2.0) == pytest.approx(np.sqrt(2.0))
    assert grad(newton_sqrt)(2.0) == pytest.approx(0.5 / np.sqrt(2.0))
    assert s2s.grad(newton_sqrt)(2.0) == pytest.approx(0.5 / np.sqrt(2.0))


def test_under_checkpoints():
    def steps(x, rate):
        for _ in range(20):
            x = x + rate * times(x, log1pexp(x))
        return np.sum(x ** 2)

    wanted = grad(steps, argnums=(0, 1))(X, 0.01)
    for remade in (s2s.checkpoint(steps), s2s.checkpoint(steps, steps=4)):
        got = grad(lambda x, rate: remade(x, rate), argnums=(0, 1))(X, 0.01)
        np.testing.assert_allclose(got[0], wanted[0])
        assert got[1] == pytest.approx(wanted[1])


def test_jacobians():
    x = X + 2.0
    expected = np.diag(10.0 * np.cos(x) * x + np.sin(x))
    np.testing.assert_allclose(s2s.jacrev(on_numpy(lambda x: times(x, x)))(x), expected)
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(log1pexp))(x), np.diag(sigmoid(x)), atol=1e-12)
    np.testing.assert_allclose(s2s.hessian(on_numpy(lambda x: np.sum(log1pexp(x))))(x), np.diag(sigmoid(x) * sigmoid(-x)), atol=1e-12)
    out, linear = s2s.linearize(on_numpy(log1pexp), x)
    np.testing.assert_allclose(linear(np.ones(6)), sigmoid(x))


def test_symbolic_zeros():
    @s2s.custom_vjp
    def f(x, y):
        return x * y

    def fwd(x, y):
        return f(x.value, y.value), (x.value, y.value) if x.perturbed else None

    f.defvjp(fwd, lambda res, g: (3.0 * res[1] * g, res[0] * g), symbolic_zeros=True)
    assert grad(f)(2.0, 5.0) == 15.0


def test_custom_gradient():
    @s2s.custom_gradient
    def f(x, y):
        product = x * y
        return product, lambda g: (g * y * 2.0, g * product)

    assert f(3.0, 4.0) == 12.0
    assert grad(f, argnums=(0, 1))(3.0, 4.0) == (8.0, 12.0)

    @s2s.custom_gradient
    def square(x):
        return x ** 2, lambda g: g * x

    np.testing.assert_array_equal(grad(lambda x: np.sum(square(x)))(X), X)
    assert grad(s2s.grad(lambda x: square(x)))(3.0) == 1.0


# ---- closures, linear functions, stop_gradient ---------------------------------------------------------------------------


def test_closure_convert():
    @partial(s2s.custom_vjp, nondiff_argnums=(0,))
    def apply(f, x, *captured):
        return f(x, *captured)

    def fwd(f, x, *captured):
        return apply(f, x, *captured), (x, captured)

    def bwd(f, res, g):
        x, captured = res
        _, pull = s2s.vjp(lambda *args: f(*args), x, *captured)
        return tuple(2.0 * bar for bar in pull(g))

    apply.defvjp(fwd, bwd)

    def loss(x, w):
        converted, captured = s2s.closure_convert(lambda v: v * w * w, x)
        return apply(converted, x, *captured)

    assert grad(loss, argnums=(0, 1))(3.0, 2.0) == (8.0, 24.0)
    with pytest.raises(TypeError, match="closed-over"):
        grad(lambda x, w: apply(lambda v: v * w, x), argnums=1)(3.0, 2.0)
    converted, captured = s2s.closure_convert(lambda v: v + 1.0, 2.0)
    assert captured == [] and converted(2.0) == 3.0


def test_linear_call_both_ways():
    def divide(r, x):
        return {"out": x["a"] / r}

    def divide_transpose(r, t):
        return {"a": 2.0 * t["out"] / r, "b": None}

    def loss(x, r):
        return np.sum(s2s.linear_call(divide, divide_transpose, r, {"a": x, "b": x})["out"])

    np.testing.assert_allclose(grad(loss)(X, 4.0), np.full(6, 0.5))
    assert jvp(lambda x: loss(x, 4.0), (X,), (X,))[1] == pytest.approx(X.sum() / 4.0)
    assert grad(loss, argnums=1)(X, 4.0) == pytest.approx(-X.sum() / 16.0)
    by_x, by_r = grad(loss, argnums=(0, 1))(X, 4.0)
    np.testing.assert_allclose(by_x, np.full(6, 0.5))
    assert by_r == pytest.approx(-X.sum() / 16.0)


def test_transpose_of_transpose_is_the_function():
    @s2s.custom_transpose
    def identity(_, x):
        return x

    @identity.def_transpose
    def seven(_, t):
        return 7.0 * t

    def f(x):
        return identity((), x)

    def transposed(f):
        return lambda t: s2s.vjp(f, 1.0)[1](t)[0]

    assert f(2.0) == 2.0
    assert on_numpy(transposed(f))(1.0) == 7.0
    assert on_numpy(transposed(transposed(f)))(1.0) == 1.0
    assert on_numpy(transposed(transposed(transposed(f))))(1.0) == 7.0
    assert on_numpy(lambda x: identity(None, (), x))(2.0) == 2.0


def test_stop_gradient():
    def straight_through(x):
        return np.sum(x + s2s.stop_gradient(np.round(x) - x))

    np.testing.assert_array_equal(grad(straight_through)(X), np.ones(6))
    assert on_numpy(straight_through)(X) == np.round(X).sum()
    assert grad(lambda x: x * s2s.lax.stop_gradient(x))(3.0) == 3.0
    assert grad(s2s.grad(lambda x: x * x * s2s.stop_gradient(x)))(3.0) == 6.0
    tree = grad(lambda tree: (lambda t: t["a"] * t["n"] * tree["a"])(s2s.stop_gradient({"a": tree["a"], "n": 2, "s": "text"})))({"a": 3.0})
    assert tree == {"a": 6.0}
    assert s2s.grad(lambda x: np.sum(x * s2s.stop_gradient(x)))(X) == pytest.approx(X)
    assert jvp(lambda x: s2s.stop_gradient(x) * 2.0, (3.0,), (1.0,)) == (6.0, 0.0)


def test_stores_after_stop_gradient_and_identities_are_refused():
    def through(x):
        y = s2s.stop_gradient(x)
        x[0] = 5.0
        return np.sum(y) + np.sum(x)

    with pytest.raises(S2SError, match="may or may not be the same array"):
        on_numpy(through)(X.copy())

    def through_identity(x):
        z = 2.0 * x
        y = clip_gradient(-1.0, 1.0, z)
        y[0] = 5.0
        return np.sum(z) + np.sum(y)

    with pytest.raises(S2SError, match="may or may not be the same array"):
        on_numpy(through_identity)(X)


# ---- errors -----------------------------------------------------------------------------------------------------------------


def bad_jvp(rule, match, error=TypeError, x=2.0, reverse=False):
    f = s2s.custom_jvp(lambda x: x * 2.0)
    f.defjvp(rule)
    assert on_numpy(lambda x: f(x))(x) is not None
    with pytest.raises(error, match=match):
        if reverse:
            grad(lambda x: np.sum(f(x)))(x)
        else:
            jvp(lambda x: f(x), (x,), (x,))


def test_errors_of_jvp_rules():
    bad_jvp(lambda primals, tangents: primals[0], "must produce a pair")
    bad_jvp(lambda primals, tangents: (primals[0], tangents[0], 1.0), "must produce a pair")
    bad_jvp(lambda primals, tangents: (primals[0] * 2.0, [tangents[0]]), "equal container")
    bad_jvp(lambda primals, tangents: ([primals[0] * 2.0], [tangents[0]]), "in particular of the same container/pytree structure")
    bad_jvp(lambda primals, tangents: (np.ones(3), np.ones(3)), "leaves of the same shape/dtype")
    bad_jvp(lambda primals, tangents: (primals[0], np.ones(3)), r"Expected float64\[\] \(tangent type of float64\[\]\) but got float64\[3\]")
    bad_jvp(lambda primals, tangents: (primals[0], np.float32(1.0) * np.float32(tangents[0])), "but got float32")
    bad_jvp(lambda primals, tangents: (primals[0], 1), "but got int64")
    bad_jvp(lambda primals, tangents: (primals[0], tangents[0] ** 2), "not linear", reverse=True)
    bad_jvp(lambda primals, tangents: (primals[0], tangents[0] * np.sum(tangents[0])), "not linear", x=X, reverse=True)
    bad_jvp(lambda primals, tangents: (primals[0], tangents[0] + 1.0), "not linear", reverse=True)
    bad_jvp(lambda primals: (primals[0], 1.0), "tangents|positional")


def bad_vjp(fwd, bwd, match, error=TypeError, x=2.0):
    f = s2s.custom_vjp(lambda x: x * 2.0)
    f.defvjp(fwd, bwd)
    assert on_numpy(lambda x: f(x))(x) is not None
    with pytest.raises(error, match=match):
        grad(lambda x: np.sum(f(x)))(x)


def test_float32_stays():
    @s2s.custom_vjp
    def f(x):
        return x * 2.0

    f.defvjp(lambda x: (f(x), None), lambda _, g: (g * np.full(6, 3.0),))  # a float64 cotangent is converted, as in JAX
    g = grad(lambda x: np.sum(f(x)))(X.astype(np.float32))
    assert g.dtype == np.float32
    np.testing.assert_array_equal(g, np.full(6, 3.0, np.float32))
    assert grad(lambda x: np.sum(log1pexp(x)))(X.astype(np.float32)).dtype == np.float32


def test_method_of_a_dataclass_argument():
    g = grad(lambda layer, x: np.sum(layer.apply(x)))(Affine(X, 1.0), X)
    np.testing.assert_array_equal(g.w, 5.0 * X)


def test_errors_of_vjp_rules():
    bad_vjp(lambda x: x, lambda _, g: (g,), "must produce a pair")
    bad_vjp(lambda x: ([x], None), lambda _, g: (g,), "same container/pytree structure")
    bad_vjp(lambda x: (np.ones(2), None), lambda _, g: (g,), "same shape/dtype")
    bad_vjp(lambda x: (x, None), lambda _, g: g, "same container")
    bad_vjp(lambda x: (x, None), lambda _, g: (g, g), "tuple of length equal")
    bad_vjp(lambda x: (x, None), lambda _, g: ([g],), "same container")
    bad_vjp(lambda x: (x, None), lambda _, g: (np.ones(3),), "at output.0. the bwd rule produced", error=ValueError)
    bad_vjp(lambda x: (x, None), lambda _, g: (np.ones((2, 3)),), "the bwd rule produced", error=ValueError, x=X)
    bad_vjp(lambda x: (x, None), lambda _, g: (np.ones(3),), "another shape", error=ValueError, x=X)


def test_errors_of_calls():
    f = s2s.custom_jvp(lambda x, *, flag=False: x)
    with pytest.raises(AttributeError, match="No JVP defined for custom_jvp function <lambda> using defjvp."):
        f(1.0)
    with pytest.raises(AttributeError, match="No JVP defined for custom_jvp function .* using defjvp."):
        on_numpy(lambda x: f(x))(1.0)
    g = s2s.custom_vjp(lambda x: x)
    with pytest.raises(AttributeError, match="No VJP defined for custom_vjp function .* using defvjp."):
        on_numpy(g)(1.0)
    g.defvjp(lambda x: (x, None), lambda _, g: (g,))
    with pytest.raises(TypeError, match="could not be resolved to positional-only"):
        on_numpy(lambda x: g(x, y=2.0))(1.0)
    h = s2s.custom_jvp(lambda x: x, nondiff_argnums=(1,))
    with pytest.raises(TypeError, match="Can't use ``defjvps`` with ``nondiff_argnums``."):
        h.defjvps(None)
    with pytest.raises(TypeError, match="Expected a callable"):
        s2s.custom_jvp(3.0)

    @s2s.custom_jvp
    def writes(x):
        x[0] = 1.0
        return x

    writes.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
    with pytest.raises(S2SError, match="a store into x by writes"):
        on_numpy(lambda x: writes(x))(X.copy())


def test_errors_in_rules_say_where():
    def bad(primals, tangents):
        return primals[0], np.no_such_function(tangents[0])

    f = s2s.custom_jvp(lambda x: x)
    f.defjvp(bad)
    with pytest.raises(AttributeError, match="no_such_function") as caught:
        grad(lambda x: f(x))(1.0)
    notes = " ".join(caught.value.__notes__)
    assert "test_custom_rules.py" in notes and "the custom derivative rules of" in notes


def test_examples_of_the_page():
    page = Path(__file__).resolve().parent.parent / "docs" / "custom_rules.md"
    try:
        assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
    finally:
        registry.REGISTERED.clear()


def test_a_result_that_is_an_array_without_axes_on_one_path_only_is_refused():
    @s2s.custom_jvp
    def either(x, c):
        return np.asarray(x) if c else x * 2.0

    either.defjvp(lambda primals, tangents: (either(*primals), tangents[0]))
    with pytest.raises(NotImplementedError, match="an array without axes on one path"):
        s2s.jit(lambda x: either(x, x > 0.0) + 1.0, target="numpy")(np.float64(2.0))


def test_a_function_whose_sizes_decide_its_results_rank():
    """`box.size == 1` gives another rank than the product of matrices does: it is read for the sizes of the call."""

    @s2s.custom_jvp
    def transform(box, x):
        return x * box if box.size == 1 else box @ x

    @transform.defjvp
    def transform_jvp(primals, tangents):
        (box, x), (box_dot, x_dot) = primals, tangents
        return transform(box, x), transform(box, x_dot) + box_dot @ x

    box = np.array([[2.0, 0.3], [0.0, 1.5]])
    np.testing.assert_allclose(on_numpy(transform)(box, X[:2]), box @ X[:2])
    np.testing.assert_allclose(on_numpy(transform)(box[:1, :1], X[:1]), box[:1, :1] * X[:1])
    np.testing.assert_allclose(s2s.jacfwd(on_numpy(lambda x: transform(box, x)))(X[:2]), box)


def test_a_rule_that_calls_its_own_function_of_tangents():
    """As jax_md's transform: in the rule the function of tangents is a linear function, which is transposed as it is computed, without the rule."""

    @s2s.custom_jvp
    def transform(box, x):
        return box @ x

    @transform.defjvp
    def transform_jvp(primals, tangents):
        (box, x), (box_dot, x_dot) = primals, tangents
        return transform(box, x), x_dot + transform(box_dot, x)  # the slope by x is that of the identity

    @s2s.custom_jvp
    def product(x, y):
        return x * y

    @product.defjvp
    def product_jvp(primals, tangents):
        return product(*primals), product(tangents[0], primals[1]) + product(primals[0], tangents[1])

    def energy(box, x):
        return np.sum(transform(box, x) ** 2)

    def nested(x):
        return np.sum(product(product(x, x + 1), np.sin(x)))

    box, x = np.array([[2.0, 0.3], [0.0, 1.5]]), np.array([0.7, -1.2])
    by_box, by_x = grad(energy, (0, 1))(box, x)
    np.testing.assert_allclose(by_box, np.outer(2 * box @ x, x))
    np.testing.assert_allclose(by_x, 2 * box @ x)
    slopes = (2 * x + 1) * np.sin(x) + (x * x + x) * np.cos(x)
    np.testing.assert_allclose(grad(nested)(x), slopes)
    np.testing.assert_allclose(jvp(nested, (x,), (np.ones(2),))[1], slopes.sum())
    curvatures = 2 * np.sin(x) + 2 * (2 * x + 1) * np.cos(x) - (x * x + x) * np.sin(x)
    np.testing.assert_allclose(s2s.hessian(on_numpy(nested))(x), np.diag(curvatures))
    np.testing.assert_allclose(s2s.jacrev(s2s.grad(on_numpy(nested)))(x), np.diag(curvatures))
