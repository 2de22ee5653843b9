"""s2s.nn against formulas of NumPy and SciPy, as plain functions and as they are read, with both derivatives."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
from reading import run

import s2s
from s2s import nn
from s2s.transforms.read.composed import nn_attention
from s2s.transforms.read.composed.nn import EXPORTED

RNG = np.random.default_rng(5)
X, M = np.concatenate([RNG.normal(size=6) * 3, [0.3, -700.0, 700.0]]), RNG.normal(size=(4, 6))
Q, KEY, V = RNG.normal(size=(2, 5, 4, 3)), RNG.normal(size=(2, 7, 2, 3)), RNG.normal(size=(2, 7, 2, 3))
MASK = M > -1.0


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool) -> np.ndarray:
    out = np.zeros(q.shape)
    for b, t, n in np.ndindex(*q.shape[:3]):
        seen = min(t + 1, k.shape[1]) if causal else k.shape[1]
        weights = scipy.special.softmax(k[b, :seen, n // 2] @ q[b, t, n] / np.sqrt(3))
        out[b, t, n] = weights @ v[b, :seen, n // 2]
    return out


CASES: dict[str, list[tuple[Callable[..., Any], tuple[Any, ...], Callable[..., Any]]]] = {
    "identity": [(nn.identity, (X,), lambda x: x)], "relu": [(nn.relu, (X,), lambda x: np.maximum(x, 0)), (nn.relu, (np.array([1, -2]),), lambda x: np.maximum(x, 0)), (lambda x: nn.relu(x[0]), (X,), lambda x: max(x[0], 0.0))],
    "relu6": [(nn.relu6, (X,), lambda x: np.clip(x, 0, 6))], "sigmoid": [(nn.sigmoid, (X,), scipy.special.expit)], "softplus": [(nn.softplus, (X,), lambda x: np.logaddexp(x, 0))],
    "sparse_plus": [(nn.sparse_plus, (X,), lambda x: np.array([0.0 if v <= -1 else v if v >= 1 else (v + 1) ** 2 / 4 for v in x]))],
    "sparse_sigmoid": [(nn.sparse_sigmoid, (X,), lambda x: np.clip((x + 1) / 2, 0, 1))],
    "soft_sign": [(nn.soft_sign, (X,), lambda x: x / (1 + abs(x)))], "silu": [(nn.silu, (X,), lambda x: x * scipy.special.expit(x))],
    "log_sigmoid": [(nn.log_sigmoid, (X,), scipy.special.log_expit)], "elu": [(nn.elu, (X,), lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)))), (lambda x: nn.elu(x, 0.5), (X,), lambda x: np.where(x > 0, x, 0.5 * np.expm1(np.minimum(x, 0))))],
    "celu": [(lambda x: nn.celu(x, 2.0), (X,), lambda x: np.maximum(x, 0) + np.minimum(2 * np.expm1(np.minimum(x, 0) / 2), 0))],
    "selu": [(nn.selu, (X,), lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))))],
    "gelu": [(nn.gelu, (X,), lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))), (lambda x: nn.gelu(x, False), (X,), lambda x: x * scipy.special.ndtr(x))],
    "glu": [(nn.glu, (M,), lambda m: m[:, :3] * scipy.special.expit(m[:, 3:])), (lambda m: nn.glu(m, 0), (M,), lambda m: m[:2] * scipy.special.expit(m[2:]))],
    "squareplus": [(nn.squareplus, (X,), lambda x: (x + np.sqrt(x * x + 4)) / 2)], "mish": [(nn.mish, (X,), lambda x: x * np.tanh(np.logaddexp(x, 0)))],
    "leaky_relu": [(nn.leaky_relu, (X,), lambda x: np.where(x >= 0, x, 0.01 * x))], "hard_sigmoid": [(nn.hard_sigmoid, (X,), lambda x: np.clip(x + 3, 0, 6) / 6)],
    "hard_silu": [(nn.hard_silu, (X,), lambda x: x * np.clip(x + 3, 0, 6) / 6)], "hard_tanh": [(nn.hard_tanh, (X,), lambda x: np.clip(x, -1, 1))],
    "logsumexp": [(lambda m: nn.logsumexp(m, 1), (M,), lambda m: scipy.special.logsumexp(m, 1)), (lambda m, w: nn.logsumexp(m, axis=1, where=w), (M, MASK), lambda m, w: np.log(np.sum(np.exp(m) * w, 1)))],
    "log1mexp": [(lambda m: nn.log1mexp(np.abs(m) + 0.01), (M,), lambda m: np.log(1 - np.exp(-(np.abs(m) + 0.01))))],
    "logmeanexp": [(lambda m: nn.logmeanexp(m, 0), (M,), lambda m: np.log(np.mean(np.exp(m), 0)))],
    "softmax": [(nn.softmax, (M,), lambda m: scipy.special.softmax(m, -1)), (lambda m, w: nn.softmax(m, 0, where=w), (M, MASK), lambda m, w: np.exp(m) * w / np.sum(np.exp(m) * w, 0))],
    "log_softmax": [(nn.log_softmax, (M,), lambda m: scipy.special.log_softmax(m, -1))],
    "standardize": [(nn.standardize, (M,), lambda m: (m - m.mean(-1, keepdims=True)) / np.sqrt(m.var(-1, keepdims=True) + 1e-5)), (lambda m: nn.standardize(m, 0, epsilon=0.1), (M,), lambda m: (m - m.mean(0)) / np.sqrt(m.var(0) + 0.1))],
    "one_hot": [(lambda k: nn.one_hot(k, 4), (np.array([0, 3, 9, -1]),), lambda k: np.eye(10)[k, :4] * (k >= 0)[:, None]), (lambda k: nn.one_hot(k, 3, axis=0), (np.array([0, 2]),), lambda k: np.eye(3)[k].T)],
    "dot_product_attention": [(nn.dot_product_attention, (Q, KEY, V), lambda q, k, v: attention(q, k, v, False)), (lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True), (Q, KEY, V), lambda q, k, v: attention(q, k, v, True))],
}  # fmt: skip
EACH = [pytest.param(fun, args, formula, id=f"{name}-{number}") for name, cases in CASES.items() for number, (fun, args, formula) in enumerate(cases)]


def test_every_function_is_tested():
    assert set(CASES) == {*EXPORTED, *nn_attention.EXPORTED}


@pytest.mark.parametrize(("fun", "args", "formula"), EACH)
def test_values(fun, args, formula):
    wanted = formula(*args)
    for found in (fun(*args), run(fun, *args)[0], s2s.jit(fun, target="numpy")(*args)):
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize(("fun", "args", "formula"), [each for each in EACH if each.values[1][0].dtype.kind == "f"])
def test_derivatives(fun, args, formula):
    del formula
    floats = [arg for arg in args if arg.dtype.kind == "f"]
    rest = [arg for arg in args if arg.dtype.kind != "f"]
    given = tuple(np.where(np.abs(arg) > 50, 2.0, arg) for arg in floats)
    scalar = s2s.jit(lambda *xs: np.sum(np.sin(fun(*xs, *rest))), target="numpy")
    s2s.check_grads(scalar, given, order=2 if len(given) == 1 else 1, modes=("fwd", "rev"))


@pytest.mark.parametrize("name", ["relu", "sigmoid", "softplus", "silu", "log_sigmoid", "elu", "selu", "gelu", "leaky_relu", "hard_tanh"])
def test_far_out_derivatives_are_finite(name):
    slope = s2s.jit(s2s.grad(lambda x: np.sum(getattr(nn, name)(x))), target="numpy")(np.array([-800.0, -30.0, 0.0, 30.0, 800.0]))
    assert np.all(np.isfinite(slope))
    assert slope[0] == pytest.approx({"log_sigmoid": 1.0, "leaky_relu": 0.01}.get(name, 0.0), abs=1e-12)


def test_kinks_as_jax_has_them():
    assert s2s.grad(s2s.jit(nn.relu, target="numpy"))(0.0) == 0.0
    assert s2s.grad(s2s.jit(nn.relu6, target="numpy"))(6.0) == 0.0


def test_float32_stays():
    x = M.astype(np.float32)
    for name in sorted({*EXPORTED} - {"one_hot", "dot_product_attention", "glu", "log1mexp"}):
        assert s2s.jit(getattr(nn, name), target="numpy")(x).dtype == np.float32, name


def test_a_network_compiled():
    def loss(params, x, k):
        hidden = nn.gelu(x @ params["w"])
        return -np.mean(np.sum(nn.one_hot(k, 3) * nn.log_softmax(hidden @ params["v"]), axis=-1))

    params = {"w": RNG.normal(size=(6, 5)), "v": RNG.normal(size=(5, 3))}
    k = np.array([0, 2, 1, 0])
    value, slope = s2s.value_and_grad(loss)(params, M, k)
    assert value == pytest.approx(loss(params, M, k), rel=1e-13)
    step = np.zeros((6, 5))
    step[1, 2] = 1e-6
    found = (loss({**params, "w": params["w"] + step}, M, k) - loss({**params, "w": params["w"] - step}, M, k)) / 2e-6
    assert slope["w"][1, 2] == pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("name", ["sigmoid", "silu", "glu"])
def test_sigmoid_of_complex_numbers(name, target):
    """1 / (1 + exp(-z)), also far out, and its holomorphic derivative."""
    fun = getattr(s2s.nn, name)
    z = np.array([1 + 1j, -2 + 0.5j, 0.3 - 2j, 0j, -3 - 1j, 3 + 0j])
    plain = 1 / (1 + np.exp(-z))
    wanted = {"sigmoid": plain, "silu": z * plain, "glu": z[:3] * plain[3:]}[name]
    np.testing.assert_allclose(fun(z), wanted, rtol=1e-14)
    np.testing.assert_allclose(s2s.jit(fun, target=target)(z), wanted, rtol=1e-14)
    dz = np.array([0.3 + 1j, 0.2j, 1, 1 - 1j, 0.4, -1j])
    step = (fun(z + 1e-6 * dz) - fun(z - 1e-6 * dz)) / 2e-6
    np.testing.assert_allclose(s2s.jit(lambda z, dz: s2s.jvp(fun, (z,), (dz,))[1], target=target)(z, dz), step, atol=1e-8)
    far = np.array([-900 + 1j, 900 + 1j])
    if name == "sigmoid":
        np.testing.assert_array_equal(s2s.jit(fun, target=target)(far).real, [0.0, 1.0])
