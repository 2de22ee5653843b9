"""check_grads: right derivatives pass, wrong ones are told with the argument, the size and the user's statement."""
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import s2s
from s2s import GradientCheckError, KinkError, check_grads
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.primitives.table import TABLE
from s2s.verification.differences import Tolerance, Verdict, compare, slopes


class Layer(NamedTuple):
    weights: object
    bias: object


@dataclasses.dataclass
class Model:
    layers: object
    rate: float


def smooth(u, n):
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * np.sin(u[i - 1]) + u[i + 1] * u[i]
    return np.sum(u * u)


def network(model, x):
    for layer in model.layers:
        x = np.tanh(layer.weights @ x + layer.bias)
    return {"y": x * model.rate, "n": 3, "loss": np.sum(x)}


def scaled(x, factor, name="sin", *, power=2):
    y = np.sin(x) if name == "sin" else np.cos(x)
    return np.sum(y**power) * factor


def newton(a):
    x = a
    while abs(x * x - a) > 1e-14 * a:
        x = 0.5 * (x + a / x)
    return x


def modulus(z):
    return np.sum(z * np.conj(z)), np.abs(z), z.real


def model():
    rng = np.random.default_rng(0)
    return Model([Layer(rng.normal(size=(3, 2)), rng.normal(size=3)), Layer(rng.normal(size=(2, 3)), rng.normal(size=2))], 0.5)


RIGHT = [
    (smooth, (np.array([0.3, -0.2, 0.5, 0.1]), 2)),
    (network, (model(), np.array([0.3, -0.4]))),
    (scaled, (np.array([0.3, 0.4]), 2.0, "cos")),
    (newton, (2.0,)),
    (modulus, (np.array([1 + 2j, 0.5 - 0.3j]),)),
    (lambda z: np.exp(z) * z**2, (np.array([0.5 + 0.2j]),)),
    (lambda x, k: x[k] * x[0] ** 3, (np.array([1.0, 2.0]), 1)),
    (smooth, (np.array([0.3, -0.2, 0.5, 0.1], np.float32), 2)),
    (s2s.jit(smooth, target="numpy"), (np.array([0.3, -0.2, 0.5, 0.1]), 2)),
    (s2s.grad(smooth), (np.array([0.3, -0.2, 0.5, 0.1]), 2)),
    (lambda x: np.log(x), (np.array([0.01, 3.0]),)),
    (lambda x: 1e6 * x * x, (3.0,)),
    (lambda a, b: a + b, (np.ones((3, 1)), np.arange(3.0))),
]


@pytest.mark.parametrize(("function", "args"), RIGHT, ids=range(len(RIGHT)))
def test_right(function, args):
    before = [np.copy(leaf) for leaf in s2s.tree_util.tree_leaves(args)]
    assert check_grads(function, args, order=2) is None
    for leaf, kept in zip(s2s.tree_util.tree_leaves(args), before):
        np.testing.assert_array_equal(leaf, kept)


def test_order_modes_kwargs_targets():
    check_grads(smooth, (np.array([0.3, -0.2, 0.5]), 1), 3)
    check_grads(scaled, (np.array([0.3]), 2.0), 1, modes=["rev"], kwargs={"power": 3})
    check_grads(scaled, (np.array([0.3]), 2.0), 1, modes="fwd", eps=1e-4, atol=1e-5, rtol=1e-5)
    check_grads(smooth, (np.array([0.3, -0.2, 0.5]), 1), 2, target="numpy")


@pytest.fixture
def broken(monkeypatch):
    """The partial derivative of tanh is a tenth too large, in both modes."""
    row = next(row for row in TABLE if row.name == "tanh")
    right = row.jvp

    def wrong(dots, ins, outs, **params):
        return tuple(None if dot is None else dot * 1.1 for dot in right(dots, ins, outs, **params))

    object.__setattr__(row, "jvp", wrong)
    yield
    object.__setattr__(row, "jvp", right)


def helper(v):
    w = v * 2.0
    return np.tanh(w) + w  # the line


def caller(x, scale):
    total = 0.0
    for i in range(len(x)):
        y = np.sin(x[i]) * scale["first"]
        if y > -10.0:
            total += helper(y)
    return total, scale["second"] * 2.0


LINE = next(number for number, line in enumerate(Path(__file__).read_text().split("\n"), 1) if line.endswith("# the line"))


@pytest.mark.parametrize("modes", [("fwd",), ("rev",)])
def test_a_wrong_rule_is_found_at_its_statement(broken, modes):
    with pytest.raises(AssertionError) as caught:
        check_grads(caller, (np.array([0.1, 0.2]), {"first": 0.7, "second": 1.0}), 1, modes)
    error = caught.value
    assert isinstance(error, GradientCheckError)
    assert not isinstance(error, KinkError)
    assert error.where.line == LINE
    assert error.check == {"fwd": "jvp of caller", "rev": "vjp of caller"}[modes[0]]
    assert error.argument in ("x", "scale['first']")
    assert "np.tanh(w) + w" in str(error)
    assert "off by" in str(error)
    assert "disagrees first" in str(error)
    assert abs(error.found - error.wanted) > 1e-3


def split_in_halves(x):
    if len(x) == 1:
        return x
    even, odd = split_in_halves(x[::2]), split_in_halves(x[1::2])
    return np.concatenate([even + 2.0 * odd, even * odd])


def test_what_only_the_call_knows():
    """A recursion that goes by a length, a count of rows that are stacked."""
    s2s.check_grads(lambda x: np.sum(split_in_halves(x) ** 2), (np.arange(1.0, 9.0) / 8,), order=1)
    s2s.check_grads(lambda x, n: np.stack([x] * n, -1) * np.arange(n), (np.ones(2), 3), order=1)


def test_kinks_and_jumps_are_no_wrong_derivatives():
    with pytest.raises(KinkError, match="the function has a kink here: the slope is .* from the left and .* from the right, s2s gives") as caught:
        check_grads(lambda x: np.sum(np.abs(x)), (np.array([0.5, 0.0]),), 1)
    assert "this statement has a kink here" in str(caught.value)
    with pytest.raises(KinkError, match="the function jumps here"):
        check_grads(lambda x: np.floor(x) * x, (2.0,), 1)
    check_grads(lambda x: np.abs(x), (1e-5,), 1)  # a kink that is near is no kink here


def test_bad_arguments():
    with pytest.raises(ArgumentTypeError, match="args must be a tuple"):
        check_grads(newton, 2.0, 1)
    with pytest.raises(ArgumentTypeError, match="no float or complex argument"):
        check_grads(lambda n: n * 2.0, (2,), 1)
    with pytest.raises(ArgumentTypeError, match="returns no float"):
        check_grads(lambda x: x > 0.0, (2.0,), 1)
    with pytest.raises(ArgumentValueError, match="modes must be among"):
        check_grads(newton, (2.0,), 1, modes=("forward",))
    with pytest.raises(ArgumentValueError, match="unknown target"):
        check_grads(newton, (2.0,), 1, target="gpu")
    with pytest.raises(ArgumentValueError, match="order must be"):
        check_grads(newton, (2.0,), 0)
    with pytest.raises(TypeError, match="missing a required argument"):
        check_grads(scaled, (2.0,), 1)


@pytest.mark.parametrize("function", [np.exp, np.sin, lambda t: 1e3 * np.tanh(50 * t), lambda t: np.sqrt(0.021 + t)])
def test_differences(function):
    (slope,) = slopes(lambda t: (np.asarray(function(t)),), 2.3e-16)
    exact = (function(1e-30j).imag / 1e-30) if function in (np.exp, np.sin) else None
    if exact is not None:
        assert abs(slope.value - exact) < 1e-11
    assert slope.error < 1e-6 * (1 + abs(slope.value))


def test_what_differences_say():
    def verdict(function, found):
        (slope,) = slopes(lambda t: (np.asarray(function(t)),), 2.3e-16)
        return compare(np.asarray(found), slope, Tolerance(1e-5, 1e-5), lambda t: np.asarray(function(t)), 2.3e-16).verdict

    assert verdict(np.sin, 1.0) is Verdict.SAME
    assert verdict(np.sin, 1.001) is Verdict.WRONG
    assert verdict(np.sin, np.nan) is Verdict.WRONG
    assert verdict(abs, 1.0) is Verdict.KINK
    assert verdict(lambda t: float(t > 0), 0.0) is Verdict.JUMP
    assert verdict(lambda t: abs(t - 1e-3), -1.0) is Verdict.SAME


@s2s.custom_jvp
def softplus(x):
    return np.log1p(np.exp(x))


@softplus.defjvp
def softplus_jvp(primals, tangents):
    return softplus(primals[0]), tangents[0] * 0.9 / (1.0 + np.exp(-primals[0]))


@s2s.custom_vjp
def product(x, y):
    return x * y


product.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, bar: (bar * kept[1], bar * kept[0] * 2.0))


def uses_softplus(x):
    total = 0.0
    for i in range(len(x)):
        total += softplus(np.sin(x[i]))  # softplus is called here
    return total


def uses_product(x, y):
    z = product(x * 2.0, y)  # product is called here
    return z * z


def stopped(x):
    z = x * 2.0
    w = s2s.stop_gradient(z)  # it is stopped here
    return np.sum(w * z)


def line_of(comment):
    return next(number for number, line in enumerate(Path(__file__).read_text().split("\n"), 1) if line.endswith(f"# {comment}"))


@pytest.mark.parametrize(
    ("function", "args", "modes", "line", "text"),
    [
        (uses_softplus, (np.array([0.1, 0.2]),), "fwd", "softplus is called here", "the rule given for softplus"),
        (uses_softplus, (np.array([0.1, 0.2]),), "rev", "softplus is called here", "the rule given for softplus"),
        (uses_product, (1.0, 2.0), "rev", "product is called here", "the rule given for product"),
        (stopped, (np.array([0.1, 0.2]),), ("fwd", "rev"), "it is stopped here", "stops the derivative on purpose (stop_gradient)"),
    ],
)
def test_users_own_rules(function, args, modes, line, text):
    with pytest.raises(GradientCheckError) as caught:
        check_grads(function, args, 1, modes)
    assert caught.value.where.line == line_of(line)
    assert text in str(caught.value)
    assert f"# {line}" in str(caught.value)


def lists_of_results(x):
    return [(a, a * a) for a in x if a > 0], {"z": [x[0]], "a": x * 2}


def dict_of_run_time_keys(x):
    return {i: a * a for i, a in enumerate(x) if a > 0}


def lists_of_several_lengths(x):
    rows = []
    for k in range(len(x)):
        rows.append([a * a * k for a in x[:k]])
    rows[0].append(x[1] * x[2])
    return rows, len(rows)


def texts_beside_numbers(x):
    return ["p" if a > 0 else "q" for a in x], [np.array([a, a**2]) for a in x if a > 0]


@pytest.mark.parametrize("function", [lists_of_results, dict_of_run_time_keys, lists_of_several_lengths, texts_beside_numbers])
def test_results_of_run_time_length(function):
    with s2s.disable_jit():
        s2s.check_grads(function, (np.array([0.5, -1.0, 2.0]),), order=1)
