"""Transformations inside of the user's own functions, in any order and nesting: against analytic values, without perturbation confusion."""
from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np
import pytest
from reading import run, staged

import s2s
from s2s.errors import S2SError, UnsupportedError

RNG = np.random.default_rng(5)
X, W = RNG.normal(size=4), RNG.normal(size=4)
A = RNG.normal(size=(4, 4))
SYMMETRIC = A + A.T


def agree(found, wanted):
    if isinstance(wanted, dict):
        assert set(found) == set(wanted)
        for key, item in wanted.items():
            agree(found[key], item)
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            agree(a, b)
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11)


# ---- derivatives of derivatives, in every mode ------------------------------------------------------------------------------


def by_grad(f):
    return s2s.grad(f)


def by_jvp(f):
    return lambda x: s2s.jvp(f, (x,), (1.0,))[1]


def by_vjp(f):
    return lambda x: s2s.vjp(f, x)[1](1.0)[0]


def by_linearize(f):
    return lambda x: s2s.linearize(f, x)[1](1.0)


def by_value(f):
    return lambda x: s2s.value_and_grad(f)(x)[1]


def by_jacobian(f):
    return s2s.jacfwd(f)


MODES = {"grad": by_grad, "jvp": by_jvp, "vjp": by_vjp}
MORE = {**MODES, "value_and_grad": by_value, "jacfwd": by_jacobian, "linearize": by_linearize}


def second(x, outer, inner):
    return outer(inner(lambda v: v**4 + np.sin(v)))(x)


def confusion(x, outer, inner):
    """d/dx (x * d/dy (x + y)): 1, and not 2."""
    return outer(lambda x: x * inner(lambda y: x + y)(1.0))(x)


def shared(x, outer, inner):
    """d/dx (x * d/dy (x * y**3) at y = x): the inner function reads the outer variable, and is taken at it."""
    return outer(lambda x: x * inner(lambda y: x * y**3)(x))(x)


def through_a_product(x, outer, inner):
    """d/dx [d/dy (x * y) at y = 3 times x]: the closure is used by both."""

    def f(x):
        def g(y):
            return x * y + y * y

        return inner(g)(3.0) * x

    return outer(f)(x)


@pytest.mark.parametrize("outer", MORE)
@pytest.mark.parametrize("inner", MORE)
def test_two_deep(outer, inner):
    x = 1.3
    for function, wanted in (
        (second, 12 * x**2 - np.sin(x)), (confusion, 1.0), (shared, 12 * x**3), (through_a_product, 2 * x + 6),
    ):  # fmt: skip
        agree(run(function, x, MORE[outer], MORE[inner])[0], wanted)


def third(x, one, two, three):
    return one(lambda x: x * two(lambda y: x * y * three(lambda z: x * y * z**2)(y))(x))(x)


@pytest.mark.parametrize("modes", list(itertools.product(MODES, repeat=3)), ids="-".join)
def test_three_deep(modes):
    """three: 2xy·y; two: d/dy (2 x² y³) = 6x²y² at x; one: d/dx (6 x⁵)."""
    x = 1.1
    agree(run(third, x, *(MODES[mode] for mode in modes))[0], 30 * x**4)


def test_siskind_and_pearlmutter():
    def derivative(f):
        return lambda x: s2s.jvp(f, (x,), (1.0,))[1]

    def offset(u):  # the function returns a function: the perturbations of its two calls must not meet
        return lambda g: lambda x: g(x + u)

    def f(x):
        shifted = derivative(lambda u: offset(u)(lambda v: v**3)(x))
        return derivative(lambda x: shifted(0.0) * 1.0 + 0.0 * x)(x), shifted(0.0), derivative(derivative(lambda v: offset(0.0)(lambda t: t**3)(v)))(x)

    x = 2.0
    agree(run(f, x)[0], (0.0, 3 * x**2, 6 * x))


def test_hessian_vector_products_agree():
    def f(x, v):
        g = s2s.grad(lambda u: np.sum(u**3) + u @ A @ u)
        return (
            s2s.jvp(g, (x,), (v,))[1], s2s.vjp(g, x)[1](v)[0], s2s.grad(lambda u: g(u) @ v)(x),
            s2s.grad(lambda u: s2s.jvp(lambda z: np.sum(z**3) + z @ A @ z, (u,), (v,))[1])(x),
        )  # fmt: skip

    agree(run(f, X, W)[0], (6 * X * W + SYMMETRIC @ W,) * 4)


def test_jacobians():
    def f(x, a):
        square = lambda v: a @ v**2  # noqa: E731
        return s2s.jacfwd(square)(x), s2s.jacrev(square)(x), s2s.hessian(lambda v: v @ a @ v)(x), s2s.jacobian(s2s.grad(lambda v: np.sum(v**3)))(x)

    agree(run(f, X, A)[0], (A * 2 * X, A * 2 * X, SYMMETRIC, np.diag(6 * X)))


# ---- functions of every kind ------------------------------------------------------------------------------------------------


class Model:
    """Made outside or inside."""

    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum((self.w * x) ** 2)

    def __call__(self, x):
        return np.sum(self.w * x**2)

    @staticmethod
    def plain(x):
        return np.sum(x**2)

    @classmethod
    def doubled(cls, x):
        return cls.plain(x) * 2

    @property
    def gradient(self):
        return s2s.grad(self.loss)


MODEL = Model(W)


def test_methods_and_objects():
    def f(x, w):
        made = Model(w)
        return (
            s2s.grad(MODEL.loss)(x), s2s.grad(made.loss)(x), MODEL.gradient(x), made.gradient(x),
            s2s.grad(MODEL)(x), s2s.grad(made)(x), s2s.grad(Model.plain)(x), s2s.grad(Model.doubled)(x),
        )  # fmt: skip

    agree(run(f, X, W)[0], (*(2 * W * W * X,) * 4, *(2 * W * X,) * 2, 2 * X, 4 * X))


def loss(w, x, k=2, *more, scale=1.0, **named):
    return np.sum(w * x**k) * scale + sum(np.sum(each * x) for each in more) + sum(np.sum(each * x) for each in named.values())


def test_partials_and_every_kind_of_argument():
    def f(x, w):
        args, named = [w, x, 3, w], {"scale": 2.0, "extra": x}
        return (
            s2s.grad(partial(loss, x=x, k=3))(w), s2s.grad(partial(loss, w, k=3))(x),
            s2s.grad(loss, argnums=1)(w, x, 3, w, scale=2.0, extra=x), s2s.grad(lambda *a, **k: loss(*a, **k), argnums=[1])(*args, **named),
        )  # fmt: skip

    whole = 6 * W * X**2 + W + X
    agree(run(f, X, W)[0], (X**3, 3 * W * X**2, whole, (whole,)))


def test_containers_of_functions():
    def f(x):
        losses = {"a": lambda v: np.sum(v**2), "b": lambda v: np.sum(v**3), "c": np.sum}
        gradients = [s2s.grad(lambda v, p=p: np.sum(v**p)) for p in (2, 3)]
        return [s2s.grad(losses[key])(x) for key in sorted(losses)], [g(x) for g in gradients], s2s.grad(math.sin)(0.5)

    agree(run(f, X)[0], ([2 * X, 3 * X**2, np.ones(4)], [2 * X, 3 * X**2], math.cos(0.5)))


def power_sum(k):
    def f(v):
        return np.sum(v**k)

    return f


def weighted_gradient(f):
    return s2s.grad(lambda v: np.sum(f(v) * v))


def applied(f, *args):
    return f(*args)


def test_functions_that_come_from_and_go_to_functions():
    def f(x, w):
        g = weighted_gradient(lambda v: v**2)

        def outer(v, h, *others):
            return np.sum(h(v)) + sum(np.sum(other(v)) for other in others)

        return (
            s2s.grad(power_sum(3))(x), g(x), s2s.grad(lambda v: np.sum(g(v)))(x), applied(s2s.grad(power_sum(2)), x),
            s2s.grad(outer)(x, lambda u: u**2 * w, lambda u: u * w), s2s.grad(applied, argnums=1)(lambda u: np.sum(u * w), x),
        )  # fmt: skip

    agree(run(f, X, W)[0], (3 * X**2, 3 * X**2, 6 * X, 2 * X, 2 * X * W + W, W))


def test_decorators_inside():
    def f(x):
        @s2s.jit
        def cube(v):
            return v**3

        @s2s.grad
        def slope(v):
            return np.sum(cube(v))

        @partial(s2s.value_and_grad, has_aux=True)
        def pair(v):
            return np.sum(slope(v)), v

        @partial(s2s.jit, static_argnames=("n",))
        def times(v, n):
            return v * n

        @s2s.jit(static_argnames="n")
        def also(v, n):
            return v * n

        (value, aux), gradient = pair(x)
        return value, aux, gradient, s2s.grad(lambda v: np.sum(also(times(slope(v), n=2), 3)))(x)

    agree(run(f, X)[0], (np.sum(3 * X**2), X, 6 * X, 36 * X))


@partial(s2s.value_and_grad, has_aux=True)
def decorated(w, x):
    return np.sum(w * x), x


@s2s.grad
def slope(x):
    return np.sum(x**2)


def test_decorators_outside():
    def f(w, x):
        (value, aux), gradient = decorated(w, x)
        return value, aux, gradient, slope(x), s2s.grad(lambda v: np.sum(slope(v)))(x)

    agree(run(f, W, X)[0], (np.sum(W * X), X, X, 2 * X, np.full(4, 2.0)))


class Decorated:
    """Methods that are transformed in the class's body."""

    def __init__(self, w):
        self.w = w

    @s2s.jit
    def squares(self, x):
        return self.w * x**2

    @partial(s2s.grad, argnums=1)
    def slope(self, x):
        return np.sum(self.w * x**3)

    @staticmethod
    @s2s.grad
    def plain(x):
        return np.sum(x**2)

    def whole(self, x):
        return s2s.grad(lambda v: np.sum(self.squares(v)))(x)


DECORATED = Decorated(W)


def test_decorated_methods():
    def f(x, w):
        made = Decorated(w)
        return [(m.squares(x), m.slope(x), m.plain(x), m.whole(x), s2s.grad(lambda v: np.sum(m.slope(v)))(x)) for m in (DECORATED, made)]

    agree(run(f, X, W)[0], [(W * X**2, 3 * W * X**2, 2 * X, 2 * W * X, 6 * W * X)] * 2)


def test_a_nested_function_that_mutates_its_own_arrays():
    def f(x, a):
        def residual(v):
            y = np.zeros(4)
            for i in range(4):
                for j in range(4):
                    y[i] += a[i, j] * v[j]
            y *= 1.0
            return np.sum(y**2)

        return s2s.grad(residual)(x)

    agree(run(f, X, A)[0], 2 * A.T @ A @ X)


def test_in_loops_and_branches():
    def f(x, n, c):
        for _ in range(n):
            g = s2s.grad(lambda v: np.sum(v * x))  # reads x as it is in this trip  # noqa: B023
            x = x - 0.1 * g(x)
        s = 1.0
        while s2s.grad(lambda v: v**2 * s)(s) < 30.0:  # noqa: B023
            s = s * 2
        if c > 0:
            y = s2s.grad(lambda v: np.sum(v**3))(x)
        else:
            y = s2s.vjp(lambda v: np.sum(v**2) * s, x)[1](1.0)[0]
        return x, s, y

    x = X * 0.9**3
    agree(run(f, X, 3, 1.0)[0], (x, 4.0, 3 * x**2))
    agree(run(f, X, 3, -1.0)[0], (x, 4.0, 8 * x))


def newton(x, c):
    def f(v):
        return v**2 - c

    for _ in range(25):
        x = x - f(x) / s2s.grad(f)(x)
    return x


def test_derivatives_through_newtons_method():
    agree(run(lambda c: s2s.value_and_grad(lambda c: newton(1.0, c))(c), 2.0)[0], (math.sqrt(2), 0.5 / math.sqrt(2)))


def test_containers_as_arguments():
    def f(p):
        def objective(q):
            return np.sum(q["a"] ** 2) * q["b"][1] + np.sum(q["b"][0])

        value, pull = s2s.vjp(lambda q: {"r": objective(q)}, p)
        return s2s.grad(objective)(p), pull({"r": 1.0})[0], s2s.jvp(objective, [p], [p])[1], value

    wanted = {"a": 4 * X, "b": [np.ones(4), X @ X]}
    agree(run(f, {"a": X, "b": [W, 2.0]})[0], (wanted, wanted, 4 * X @ X + W.sum() + 2 * X @ X, {"r": 2 * X @ X + W.sum()}))


# ---- pullbacks ----------------------------------------------------------------------------------------------------------------


def used_twice(pull, w):
    return pull(w)[0] + pull(2 * w)[0]


def slope_along(f, x):
    _, pull = s2s.vjp(f, x)
    return lambda w: pull(w)[0]


def test_pullbacks_are_values():
    def f(x, w):
        x = x * 1.0
        y, pull = s2s.vjp(lambda v: v**3, x)
        x[:] = 0.0  # what the pullback keeps was copied
        kept = {"pulls": [pull]}
        total = np.zeros_like(w)
        for k in range(len(w)):
            total += pull(w * k)[0]
        return y, used_twice(kept["pulls"][0], w), total, slope_along(lambda v: v**3, w)(w), s2s.grad(lambda u: np.sum(pull(u)[0]))(w)

    agree(run(f, X, W)[0], (X**3, 9 * X**2 * W, 18 * X**2 * W, 3 * W**3, 3 * X**2))


def test_rows_of_a_jacobian():
    def f(x, a):
        n = len(x)
        rows = np.zeros((n, n))
        _, pull = s2s.vjp(lambda v: a @ v**2, x)
        i = 0
        while i < n:
            unit = np.zeros(n)
            unit[i] = 1.0
            rows[i] = pull(unit)[0]
            i += 1
        return rows

    agree(run(f, X, A)[0], A * 2 * X)


def test_aux_integers_and_several_results():
    def f(x, n):
        y, pull, aux = s2s.vjp(lambda u: (u**2, u + 1), x, has_aux=True)
        (z, k), pull_pair = s2s.vjp(lambda v, m: (v * m, 3), x, n)
        return y, aux, pull(x)[0], k, pull_pair((x, None))[0], s2s.jvp(lambda u: (u**2, "text"), (x,), (x,), has_aux=True)[1:]

    agree(run(f, X, 3)[0][:5], (X**2, X + 1, 2 * X**2, 3, 3 * X))


def test_linearize_and_linear_transpose():
    def f(x, w, a):
        a = a * 1.0
        y, push = s2s.linearize(lambda v: a @ np.sin(v), x)
        back = s2s.linear_transpose(lambda v: a @ v, x)
        a[:] = 0.0
        rows = np.zeros((4, 4))
        for i in range(4):
            unit = np.zeros(4)
            unit[i] = 1.0
            rows[:, i] = push(unit)
        twice = s2s.linear_transpose(lambda u: s2s.linear_transpose(lambda v: w * v, x)(u)[0], x)
        return y, rows, back(w)[0], twice(x)[0], s2s.grad(lambda u: np.sum(s2s.linearize(lambda v: v**3, u)[1](w)))(x)

    agree(run(f, X, W, A)[0], (A @ np.sin(X), A * np.cos(X), A.T @ W, W * X, 6 * X * W))


# ---- refusals ---------------------------------------------------------------------------------------------------------------


def itself(x):
    return s2s.grad(itself)(x)


def power(n, x):
    return x if n <= 0 else x * power(n - 1, x)


def stores_what_it_captured(x):
    kept = []

    def f(v):
        kept.append(v)
        return np.sum(v)

    return s2s.grad(f)(x)


@pytest.mark.parametrize(
    ("function", "args", "kind", "text"),
    [
        (lambda x: s2s.grad(lambda v: v**2)(x), (X,), TypeError, "Gradient only defined for scalar-output functions"),
        (lambda n: s2s.grad(lambda v: v**2)(n), (3,), TypeError, "real- or complex-valued inputs"),
        (lambda x: s2s.grad(x)(x), (X,), TypeError, "Expected a callable value, got an array"),
        (lambda x: s2s.grad()(x), (X,), TypeError, "missing 1 required positional argument"),
        (lambda x: s2s.grad(lambda u: u.sum(), argnums=1)(x), (X,), TypeError, "requires at least 2 positional arguments"),
        (lambda x: s2s.grad(lambda u: u.sum(), argnums=x[0])(x), (X,), UnsupportedError, "known only at run time"),
        (lambda x: s2s.jvp(lambda u: u**2, (x,), (1.0,)), (X,), ValueError, "different primal and tangent shapes"),
        (lambda x: s2s.jvp(lambda u: u**2, (x,), (x, x)), (X,), TypeError, "same tree structure"),
        (lambda x: s2s.jvp(lambda u: u**2, (x,), (x.astype(np.float32),)), (X,), TypeError, "dtypes must be equal"),
        (lambda x: s2s.jvp(lambda u: u**2, x, x), (X,), TypeError, "must be tuples or lists"),
        (lambda x: s2s.vjp(lambda u: (u, u), x)[1](x), (X,), ValueError, "unexpected tree structure of argument to vjp"),
        (lambda x: s2s.vjp(lambda u: u, x)[1](1), (X,), ValueError, "unexpected type"),
        (lambda x: s2s.vjp(lambda u: u, x)[1](x, x), (X,), TypeError, "takes 1 positional arguments"),
        (lambda x: s2s.linearize(lambda u: u, x)[1](x, x), (X,), TypeError, "takes 1 positional arguments"),
        (lambda x: s2s.linear_transpose(lambda u: u * u, x)(x), (X,), TypeError, "linear"),
        (lambda x: s2s.linear_transpose(lambda u: u * 2, x)((x, x)), (X,), TypeError, "cotangent"),
        (lambda x: s2s.vjp(lambda u: u, x)[1], (X,), UnsupportedError, "returns a function"),
        (itself, (1.0,), UnsupportedError, "calls a transformation of itself without an end"),
        (stores_what_it_captured, (X,), UnsupportedError, "a change of kept"),
        (lambda x, n: s2s.jit(lambda v, n: v * n, static_argnames="n")(x, n), (X, 3), TypeError, "a static argument of lambda"),
        (lambda x: s2s.jit(lambda v: v, static_argnames="q")(x), (X,), ValueError, "invalid argnames {'q'} in static_argnames"),
    ],
)
def test_refusals(function, args, kind, text):
    with pytest.raises(kind) as caught:
        staged(function, *args)
    assert text in str(caught.value)
    if isinstance(caught.value, S2SError):
        assert "test_nesting.py" in str(caught.value)


def test_a_recursion_inside():
    """Its depth is the run's; x**(n + 1) and what it is differentiated to."""
    assert run(lambda x, n: s2s.grad(lambda u: power(n, u))(x), 2.0, 3)[0] == 32.0


def test_shapes_are_checked_at_run_time():
    with pytest.raises(ValueError, match=r"jvp called with different primal and tangent shapes; Got primal shape \(4,\) and tangent shape as \(3,\)"):
        run(lambda x: s2s.jvp(lambda u: u**2, (x,), (x[1:],)), X)
    with pytest.raises(ValueError, match=r"unexpected type .* got shape \(3,\), but expected \(4,\)"):
        run(lambda x: s2s.vjp(lambda u: u, x)[1](x[1:]), X)


def test_pullbacks_made_outside():
    """What vjp and linearize returned can be called by functions that are read, compiled and differentiated itself."""
    with s2s.disable_jit():
        y, pull = s2s.vjp(lambda u: u**3, X)
        _, push = s2s.linearize(lambda u, v: u * np.sin(v), X, W)
        agree(s2s.vjp(lambda u: pull(u * u)[0], W)[1](X)[0], 6 * X**3 * W)
        agree(s2s.vjp(pull, W)[1]((X,))[0], 3 * X**3)
        agree(s2s.jvp(lambda a: push(a, a), (W,), (X,))[1], push(X, X))
    quick = s2s.jit(lambda u: pull(u)[0], target="numpy")
    agree(quick(W), 3 * X**2 * W)
    with pytest.raises(ValueError, match=r"got shape \(3,\), but expected \(4,\)"):
        quick(W[1:])
    y, pull = s2s.vjp(lambda u: u**2, X)  # the function reads another one now
    agree(quick(W), 2 * X * W)
    agree(s2s.jit(pull, target="numpy")(W)[0], 2 * X * W)
    assert y.shape == X.shape
    assert "pullback" in repr(pull)


def test_compiled():
    def f(x, w):
        hvp = s2s.grad(lambda u: np.sum(s2s.vjp(lambda v: v**3, u)[1](w)[0]))
        return s2s.jvp(hvp, (x,), (w,))

    agree(s2s.jit(f)(X, W), (6 * X * W, 6 * W * W))
    agree(s2s.jit(f, target="numpy")(X, W), (6 * X * W, 6 * W * W))
