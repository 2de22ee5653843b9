"""What somebody who moves code from JAX meets: each test here was once a wrong number, a refusal or a worse message than JAX's."""
from __future__ import annotations

import operator
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s

X32 = np.array([0.2, 0.5, 0.7], np.float32)


def same(got: Any, want: Any) -> None:
    """Equal values, dtypes and shapes."""
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-6)


# ---- dtypes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.dot(x, 0.4), lambda x: np.inner(0.4, x), lambda x: np.outer(x, 0.4), lambda x: np.kron(x, 0.4), lambda x: np.tensordot(x, 0.4, 0),
        lambda x: np.einsum("i,->i", x, 0.4), lambda x: np.diff(x, prepend=0.5), lambda x: np.arange(x[0], 3.0), lambda x: np.arange(x[0]),
        lambda x: np.vander(x, 3), lambda x: np.array([x, [1.0, 2.0, 3.0]]), lambda x: np.array([[1, 2, 3], x]),
    ],
)  # fmt: skip
def test_python_numbers_that_numpy_makes_arrays_of_are_float64(function: Callable[..., Any]) -> None:
    same(s2s.jit(function, target="numpy")(X32), function(X32))
    with s2s.disable_jit():
        assert s2s.grad(lambda x: np.sum(function(x)))(X32).dtype == np.float32


def test_interpolation_of_complex_values() -> None:
    def between(x: Any, points: Any, values: Any) -> Any:
        return np.interp(x, points, values)

    points, values = np.arange(3.0), np.array([1.0 + 2.0j, 3.0 - 1.0j, 0.5j])
    x = np.array([-1.0, 0.3, 1.7, 5.0])
    same(s2s.jit(between, target="numpy")(x, points, values), between(x, points, values))
    with s2s.disable_jit():
        bar = s2s.vjp(lambda v: np.interp(x, points, v), values)[1](np.ones(4, complex))[0]
    np.testing.assert_allclose(bar, [1.7, 0.6, 1.7])


# ---- arguments --------------------------------------------------------------------------------------------------------


class Model:
    """No container: its attributes are read at each call."""

    def __init__(self, scale: float) -> None:
        self.scale, self.weights = scale, np.array([1.0, 2.0])

    def loss(self, x: Any) -> Any:
        return np.sum(x * x * self.weights) * self.scale


def loss_of(model: Model, x: Any) -> Any:
    return model.loss(x)


def test_objects_may_be_arguments_that_are_not_differentiated() -> None:
    x, one, two = np.array([1.0, 2.0]), Model(2.0), Model(3.0)
    with s2s.disable_jit():
        gradient = s2s.grad(loss_of, argnums=1)
        for model in (one, two, one):
            same(gradient(model, x), 2.0 * x * model.weights * model.scale)
        one.weights, one.scale = np.array([5.0, 5.0]), 1.0
        same(gradient(one, x), 2.0 * x * one.weights)
        same(s2s.hessian(loss_of, argnums=1)(two, x), np.diag(2.0 * two.weights * two.scale))
        with pytest.raises(s2s.ArgumentTypeError, match="can't differentiate with respect to"):
            s2s.grad(loss_of)(one, x)
        with pytest.raises(s2s.ArgumentTypeError, match=r"unsupported operand type\(s\) for \*: 'Model' and 'float'"):
            s2s.grad(lambda x, model: model * x)(2.0, one)
        with pytest.raises(s2s.ArgumentTypeError, match=r"unsupported operand type\(s\) for \*: 'function' and 'float'"):
            s2s.grad(lambda x: (lambda y: y) * 2.0 + x)(2.0)
        with pytest.raises(s2s.ArgumentTypeError, match="bad operand type for unary -: 'Model'"):
            s2s.grad(lambda x, model: -model)(2.0, one)


def test_default_dicts() -> None:
    given = defaultdict(list, {"a": 2.0, "b": np.ones(2)})

    def product(d: Any) -> Any:
        return np.sum(d["b"]) * d["a"]

    def inner(d: Any) -> Any:
        return s2s.grad(product)(d)

    with s2s.disable_jit():
        for got in (s2s.grad(product)(given), s2s.jit(inner, target="numpy")(given), s2s.vjp(lambda d: d, given)[1](given)[0]):
            assert type(got) is defaultdict
            assert got.default_factory is list
            assert sorted(got) == ["a", "b"]
    ordered = s2s.jit(inner, target="numpy")(OrderedDict(b=np.ones(2), a=2.0))
    assert type(ordered) is OrderedDict


# ---- tangents of integers ----------------------------------------------------------------------------------------------

NOTHING = np.zeros((), s2s.float0)


@s2s.custom_vjp
def repeated(n: Any, x: Any) -> Any:
    return n * x


@pytest.mark.parametrize(
    "backward",
    [
        lambda n, bar: (np.zeros(np.shape(n), dtype=s2s.float0), n * bar), lambda n, bar: (np.zeros_like(n, dtype=s2s.float0), n * bar),
        lambda n, bar: (NOTHING, n * bar), lambda n, bar: (None, n * bar),
    ],
)  # fmt: skip
def test_rules_may_return_float0(backward: Callable[..., Any]) -> None:
    repeated.defvjp(lambda n, x: (n * x, n), backward)
    with s2s.disable_jit():
        assert s2s.grad(repeated, argnums=1)(3, 2.0) == 3.0


def test_float0_inside_of_functions() -> None:
    def forward(x: Any, n: Any) -> Any:
        return s2s.jvp(lambda x, n: (x * n, n), (x, n), (np.ones_like(x), np.zeros(n.shape, s2s.float0)))

    def reverse(x: Any, n: Any) -> Any:
        _, pullback = s2s.vjp(lambda x, n: (x * n, n), x, n)
        return pullback((np.ones_like(x), np.zeros_like(n, dtype=s2s.float0)))

    x, n = np.ones(3), np.arange(3)
    (_, tangents), bars = s2s.jit(forward, target="numpy")(x, n), s2s.jit(reverse, target="numpy")(x, n)
    assert tangents[1].dtype == bars[1].dtype == s2s.float0
    same(tangents[0], np.arange(3.0))
    same(bars[0], np.arange(3.0))


# ---- loops ------------------------------------------------------------------------------------------------------------


def until(x: Any, n: Any) -> Any:
    while True:
        if n <= 0:
            return x
        x = np.cos(x) * x + 0.2
        n -= 1


def nested_until(x: Any, n: Any) -> Any:  # noqa: RET503 - it ends in the loop
    while 1:
        for i in range(n):
            x = np.sin(x) + 0.5
            if x > 1.2:
                return x * i
        n += 1


def test_a_function_may_end_inside_of_an_endless_loop() -> None:
    with s2s.disable_jit():
        for function in (until, nested_until):
            for n in (0, 1, 4):
                value, slope = s2s.value_and_grad(function)(0.4, n)
                assert value == function(0.4, n)
                np.testing.assert_allclose(slope, (function(0.4 + 1e-6, n) - function(0.4 - 1e-6, n)) / 2e-6, rtol=1e-6)
                assert s2s.grad(s2s.checkpoint(function, steps=np.int64(2)))(0.4, n) == pytest.approx(slope, rel=1e-12)


# ---- functions as arguments -------------------------------------------------------------------------------------------


def test_pullbacks_and_functions_with_rules_may_be_arguments() -> None:
    x = np.array([1.0, 2.0])
    applied = s2s.jit(lambda function, c: function(c), target="numpy")
    for scale in (1.0, 2.0, 1.0):
        _, pullback = s2s.vjp(lambda y: np.sin(y) * y, scale * x)
        _, along = s2s.linearize(np.sin, scale * x)
        same(applied(pullback, x)[0], pullback(x)[0])
        same(applied(along, x), np.cos(scale * x) * x)
    tripled = s2s.custom_jvp(lambda y: y)
    tripled.defjvp(lambda primals, tangents: (primals[0], 3.0 * tangents[0]))
    with s2s.disable_jit():
        assert s2s.grad(lambda function, y: function(y), argnums=1)(tripled, 2.0) == 3.0


def test_static_arguments_are_named_as_such() -> None:
    with pytest.raises(s2s.ArgumentTypeError, match=r"with respect to a static argument \(0.3\)"):
        s2s.grad(s2s.checkpoint(until, static_argnums=0))(0.3, 3)


@pytest.mark.parametrize(
    ("function", "args", "wanted"), [(abs, (-0.3,), -1.0), (operator.mul, (2.0, 3.0), 3.0), (operator.neg, (2.0,), -1.0), (float, (0.3,), 1.0), (pow, (2.0, 3.0), 12.0)]
)
def test_functions_of_python(function: Callable[..., Any], args: tuple[Any, ...], wanted: float) -> None:
    with s2s.disable_jit():
        assert s2s.grad(function)(*args) == wanted


# ---- what nothing is or raises here ---------------------------------------------------------------------------------


def told_apart(x: Any) -> Any:
    if isinstance(x, s2s.core.Tracer):
        return x * 0.0
    try:
        return x * 3.0 if x > 0.5 else x
    except s2s.errors.TracerBoolConversionError:
        return 0.0


def test_nothing_is_traced() -> None:
    for x in np.random.default_rng(3).uniform(0.0, 1.0, 3).tolist():
        same(s2s.jit(told_apart, target="numpy")(x), told_apart(x))
    with pytest.raises(TypeError, match="a Tracer can't be made"):
        s2s.core.Tracer(1.0)


@pytest.mark.parametrize("policy", [
    lambda p: p.save_only_these_names("h"), lambda p: p.save_any_names_but_these("g"), lambda p: p.save_from_both_policies(p.dots_saveable, p.save_anything_except_these_names("h")),
])  # fmt: skip
def test_checkpoint_policies_that_are_made_inside(policy: Callable[..., Any]) -> None:
    def hidden(x: Any) -> Any:
        return np.sin(s2s.ad_checkpoint.checkpoint_name(np.cos(x), "h"))

    def slope(x: Any) -> Any:
        return s2s.grad(s2s.checkpoint(hidden, policy=policy(s2s.checkpoint_policies)))(x)

    x = float(np.random.default_rng(4).uniform())
    same(s2s.jit(slope, target="numpy")(x), -np.cos(np.cos(x)) * np.sin(x))


def test_what_a_number_of_pythons_lacks_says_what_to_write() -> None:
    with pytest.raises(AttributeError, match="'float' object has no attribute 'astype'") as caught:
        s2s.jit(lambda x: x.astype(np.float32), target="numpy")(1.5)
    assert any("write np.asarray(…).astype" in note for note in caught.value.__notes__)


def test_numbers_that_were_computed_are_instances_of_jnps_ndarray() -> None:
    import s2s.numpy as jnp

    def squared(x: jnp.ndarray) -> Any:
        if not isinstance(x, (np.ndarray, jnp.ndarray)):
            raise TypeError("no array")
        return (x.conj() * x).real

    def squares(p: Any) -> Any:
        return s2s.tree_util.tree_map(squared, s2s.grad(lambda p: jnp.sum(p["w"] ** 2) * p["b"])(p))

    def kinds(x: Any) -> Any:
        return isinstance(x[0], jnp.ndarray), isinstance(x[0], np.ndarray), isinstance(3.0, jnp.ndarray), isinstance([1.0], jnp.ndarray)

    w, b = np.random.default_rng(8).normal(size=(2, 3)), np.array(0.5)
    for squares_of in (squares, s2s.jit(squares, target="numpy")):
        got = squares_of({"w": w, "b": b})
        same(got["w"], (2 * w * 0.5) ** 2)
        same(got["b"], np.sum(w**2) ** 2)
    assert kinds(w[0]) == s2s.jit(kinds, target="numpy")(w[0]) == (True, False, False, False)
