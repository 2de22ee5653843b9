"""linearize and linear_transpose: values, what is computed when, refusals; the linearity of every row against its meaning."""
from itertools import chain, combinations
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from nodes import Function
from test_rules import POINTS
from vector_programs import in_place, recurrence, while_loop

import s2s
from s2s.errors import ArgumentTypeError, UnsupportedError
from s2s.transforms.derivatives.linearity import check_linear
from s2s.transforms.primitives.operators import new_builder
from s2s.tree_util import tree_leaves, tree_map
from s2s.types import is_float

RNG = np.random.default_rng(0)
A = RNG.normal(size=(4, 3))
X3 = np.array([0.3, -0.5, 0.7])


def on_numpy(function):
    return s2s.jit(function, target="numpy")


def inner(a, b):
    return sum(np.sum(np.asarray(x) * np.asarray(y)) for x, y in zip(tree_leaves(a), tree_leaves(b), strict=True))


def like(tree):
    return tree_map(lambda leaf: RNG.normal(size=np.shape(leaf)) if np.ndim(leaf) else float(RNG.normal()), tree)


# ---- linearize -------------------------------------------------------------------------------------------------------------


def straight(x):
    return np.sin(A @ x) * x[0]


def helper(x, k):
    s = x
    for _ in range(3):
        s = np.sin(s * k)
    return s


def with_helper(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = helper(x[i], 2.0) * helper(x[0], i + 1.0)
    return y


def nested(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1):
            total += x[i] * x[j] ** 2 * total + x[j]
    return total


@pytest.mark.parametrize("function", [straight, recurrence, while_loop, in_place, with_helper, nested], ids=lambda f: f.__name__)
def test_linearize_agrees_with_jvp_each_time_it_is_called(function):
    function = on_numpy(function)
    out, f_jvp = s2s.linearize(function, X3)
    np.testing.assert_allclose(out, function(X3))
    for _ in range(3):
        v = RNG.normal(size=3)
        np.testing.assert_allclose(f_jvp(v), s2s.jvp(function, (X3,), (v,))[1], rtol=1e-12, atol=1e-13)


def test_linearize_compiled():
    for function in (straight, in_place):
        out, f_jvp = s2s.linearize(function, X3)
        v = np.array([1.0, 2.0, 3.0])
        np.testing.assert_allclose(out, function(X3))
        np.testing.assert_allclose(f_jvp(v), s2s.jvp(function, (X3,), (v,))[1], rtol=1e-12)


def test_the_linear_part_computes_no_function_again():
    for function in (straight, recurrence, with_helper):
        function = on_numpy(function)
        s2s.linearize(function, X3)[1](X3)
        (text,) = (text for made in function.__dict__["__s2s_transformed__"].values() if "pushforward" in made.rewrite.name for text in made.emitted())
        code = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
        assert not any("np.sin" in line or "np.cos" in line for line in code)
        assert not any("_bar_bar" in line for line in code)


def test_linearize_keeps_what_it_needs():
    x = X3.copy()
    out, f_jvp = s2s.linearize(on_numpy(lambda x: (x * x, x)), x)
    before = f_jvp(np.ones(3))[0]
    x[:] = 0.0
    out[0][:] = 0.0
    np.testing.assert_array_equal(f_jvp(np.ones(3))[0], before)


class Pair(NamedTuple):
    a: np.ndarray
    b: float


def test_linearize_containers_integers_and_aux():
    def f(pair, n, params):
        return {"y": pair.a * pair.b * n, "n": n, "fixed": np.ones(len(pair.a))}, params["W"] * 2

    W = RNG.normal(size=(2, 2))
    out, f_jvp, aux = s2s.linearize(on_numpy(f), Pair(X3, 2.0), 3, {"W": W}, has_aux=True)
    np.testing.assert_allclose(aux, W * 2)
    dot = f_jvp(Pair(np.ones(3), 0.0), np.zeros((), s2s.float0), {"W": W})
    np.testing.assert_allclose(dot["y"], 6.0 * np.ones(3))
    assert dot["n"].dtype == s2s.float0
    np.testing.assert_array_equal(dot["fixed"], np.zeros(3))
    assert out["n"] == 3


def test_linearize_scalars_and_dtypes():
    out, f_jvp = s2s.linearize(on_numpy(lambda x, y: x * y), 2.0, 3.0)
    assert (out, f_jvp(1.0, 0.0), f_jvp(0.0, 1.0)) == (6.0, 3.0, 2.0)
    _, f_jvp = s2s.linearize(on_numpy(lambda x: np.sin(x)), X3.astype(np.float32))
    assert f_jvp(np.ones(3, np.float32)).dtype == np.float32
    z = np.array([1.0 + 2.0j, 0.5j])
    _, f_jvp = s2s.linearize(on_numpy(lambda z: z**2), z)
    np.testing.assert_allclose(f_jvp(np.array([1.0, 1j])), 2 * z * np.array([1.0, 1j]))
    for size in (0, 1):
        out, f_jvp = s2s.linearize(on_numpy(recurrence), np.ones(size))
        np.testing.assert_allclose(f_jvp(np.ones(size)), s2s.jvp(on_numpy(recurrence), (np.ones(size),), (np.ones(size),))[1])


def test_linearize_of_a_gradient():
    def loss(x):
        return np.sum(in_place(x) ** 2)

    gradient, hvp = s2s.linearize(s2s.grad(on_numpy(loss)), X3)
    hessian = s2s.hessian(on_numpy(loss))(X3)
    np.testing.assert_allclose(gradient, s2s.grad(on_numpy(loss))(X3))
    for _ in range(2):
        v = RNG.normal(size=3)
        np.testing.assert_allclose(hvp(v), hessian @ v, rtol=1e-9)


@pytest.mark.parametrize(
    ("tangents", "error", "text"),
    [
        ((X3,), TypeError, "expected"),
        ((X3, X3[:2]), ValueError, r"Got tangent aval float64\[2\] for primal aval float64\[3\] but expected float64\[3\]"),
        ((X3, X3.astype(np.float32)), ValueError, "Got tangent aval float32"),
        ((X3, np.ones(3, int)), ValueError, "Got tangent aval int64"),
        ((X3, (X3,)), TypeError, "expected"),
    ],
)
def test_linearize_checks_tangents(tangents, error, text):
    _, f_jvp = s2s.linearize(on_numpy(lambda x, y: x * y), X3, X3)
    with pytest.raises(error, match=text):
        f_jvp(*tangents)


# ---- linear_transpose ----------------------------------------------------------------------------------------------------------


def containers(x, p):
    y = np.zeros(3)
    for i in range(len(x)):
        y[i % 3] += 2.0 * x[i]
        if i % 2 == 0:
            y[0] -= x[i] * 0.5
    return y * 3, {"s": np.sum(x) + p["c"]}, x[1:] - x[:-1]


def filtered(x):
    s = 0.0
    y = np.zeros(len(x))
    for i in range(len(x)):
        s = s * 0.5 + x[i]
        y[i] = s
    return y


def overwritten(x):
    y = x * 2.0
    y[0] = y[1] + y[2]
    y[1:] = y[:-1] - 3.0 * x[1:]
    return y


def linear_helper(x, c):
    return c * x + x[::-1]


def uses_helper(x, y):
    return linear_helper(x, 2.0) + linear_helper(y, np.sin(3.0))


def counted(x):
    y = np.zeros(len(x))
    k = 0
    while k < 2 * len(x):
        y[k % len(x)] = y[k % len(x)] + k * x[k // 2]
        k += 1
    return y


LINEAR = [
    (lambda x: A @ x, (X3,)),
    (containers, (np.ones(5), {"c": 1.5})),
    (filtered, (np.ones(4),)),
    (overwritten, (np.ones(4),)),
    (uses_helper, (np.ones(3), np.ones(3))),
    (counted, (np.ones(3),)),
    (lambda x: np.array([x, 2 * x]), (2.0,)),
    (lambda x: x.T @ np.arange(4.0), (np.ones((4, 3)),)),
    (lambda x: np.where(np.arange(3) > 1, x, 0.0), (np.ones(3),)),
    (lambda x: np.sum(x, axis=0) - np.mean(x) + np.cumsum(x[0]), (np.ones((2, 3)),)),
    (lambda x: np.concatenate([x, np.zeros(2), -x]) / 3.0, (np.ones(2),)),
    (lambda x: np.zeros(2), (np.ones(2),)),
]


@pytest.mark.parametrize(("function", "primals"), LINEAR)
def test_transpose_satisfies_the_dot_product_identity(function, primals):
    shapes = tree_map(lambda leaf: s2s.ShapeDtypeStruct(np.shape(leaf), np.float64) if np.ndim(leaf) else leaf, primals)
    transposed = s2s.linear_transpose(on_numpy(function), *shapes)
    for _ in range(2):
        x = like(primals)
        out_bar = like(function(*x))
        x_bar = transposed(out_bar)
        assert isinstance(x_bar, tuple)
        assert inner(function(*x), out_bar) == pytest.approx(inner(x, x_bar), abs=1e-12)


def test_transpose_compiled_and_of_other_sizes():
    for size in (3, 4, 1):
        x, y = RNG.normal(size=size), RNG.normal(size=size)
        (x_bar,) = s2s.linear_transpose(filtered, x)(y)
        assert filtered(x) @ y == pytest.approx(x @ x_bar)


def test_transpose_takes_anything_with_shape_and_dtype():
    struct = SimpleNamespace(shape=(3,), dtype=np.dtype(np.float32))
    (x_bar,) = s2s.linear_transpose(on_numpy(lambda x: x * np.float32(2.0)), struct)(np.ones(3, np.float32))
    np.testing.assert_array_equal(x_bar, np.full(3, 2.0, np.float32))
    assert x_bar.dtype == np.float32
    struct = s2s.ShapeDtypeStruct((2, 3), "float64")
    assert (struct.ndim, struct.size, len(struct)) == (2, 6, 2)
    assert struct == s2s.ShapeDtypeStruct((2, 3), np.float64)
    assert {struct: 1}[s2s.ShapeDtypeStruct([2, 3], float)] == 1


@pytest.mark.parametrize("function", [straight, recurrence, while_loop], ids=lambda f: f.__name__)
def test_transpose_of_a_linearized_function_is_the_pullback(function):
    out, f_jvp = s2s.linearize(on_numpy(function), X3)
    out_bar = RNG.normal(size=np.shape(out))
    wanted = s2s.vjp(on_numpy(function), X3)[1](out_bar)[0]
    for transposed in (s2s.linear_transpose(f_jvp, X3), s2s.linear_transpose(on_numpy(lambda x: 2.0 * f_jvp(0.5 * x)), X3)):
        np.testing.assert_allclose(transposed(out_bar)[0], wanted, rtol=1e-12)


def test_transpose_complex():
    w = np.array([1.0 + 1.0j, 2.0j])
    (x_bar,) = s2s.linear_transpose(on_numpy(lambda x: x * w), w)(np.ones(2) + 0j)
    np.testing.assert_allclose(x_bar, w)


def test_transposed_programs_have_no_primal_part():
    function = on_numpy(filtered)
    s2s.linear_transpose(function, X3)
    (made,) = (made for made in function.__dict__["__s2s_transformed__"].values() if made.rewrite.name == "linear_transpose")
    (text,) = made.emitted()
    assert text.count("for i in range") == 1 + text.count("# for i in range")


def square(x):
    y = x * 2
    return y * x


def affine(x):
    return x + 1.0


def branch(x):
    y = x * 3.0
    if y[0] > 0:
        return y
    return x


def loop_test(x):
    y = x * 1.0
    while y[0] < 3:
        y = y * 2
    return y


def partly_constant(x):
    y = np.ones(3)
    y[0] = x[0]
    return y


def in_a_loop(x):
    s = 1.0
    for i in range(len(x)):
        s = s + x[i]
    return s


def inside_helper(x):
    return helper(x[0], 2.0)


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (square, "return y * x"), (affine, "return x + 1.0"), (branch, "if y[0] > 0:"), (loop_test, "while y[0] < 3:"), (partly_constant, "y[0] = x[0]"),
        (in_a_loop, "s = s + x[i]"), (inside_helper, "s = np.sin(s * k)"),
        (lambda x: np.abs(x), "np.abs(x)"), (lambda x: np.max(x), "np.max(x)"), (lambda x: np.where(x > 0, x, 0.0), "x > 0"), (lambda x: 3.0 / x, "3.0 / x"),
        (lambda x: np.floor(x) * 0.5, "np.floor(x)"), (lambda x: np.ones(3), "np.ones(3)"), (lambda x: x[0] * x[1], "x[0] * x[1]"),
        (lambda x: np.where(np.arange(3) > 1, x, 1.0), "np.where"),
    ],
)  # fmt: skip
def test_what_is_not_linear_is_refused_at_its_line(function, line):
    with pytest.raises(TypeError, match="is not linear in its arguments") as caught:
        s2s.linear_transpose(function, X3)
    assert line in str(caught.value)
    assert "test_linear.py:" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: s2s.linear_transpose(lambda x: np.argmax(x), X3), TypeError, "only supports"),
        (lambda: s2s.linear_transpose(lambda x: x * 2, 3), TypeError, "only supports"),
        (lambda: s2s.linear_transpose(lambda x: A @ x, X3)(np.ones(3)), TypeError, r"cotangent type does not match function output, expected float64\[4\] and got float64\[3\]"),
        (lambda: s2s.linear_transpose(lambda x: A @ x, X3)(np.ones(4, np.float32)), TypeError, "cotangent type does not match"),
        (lambda: s2s.linear_transpose(lambda x: A @ x, X3)(np.ones((4, 1))), TypeError, "cotangent type does not match"),
        (lambda: s2s.linear_transpose(lambda x: A @ x, X3)((np.ones(4),)), TypeError, "cotangent tree does not match function output"),
        (lambda: s2s.linear_transpose(lambda x: A @ x, np.ones(5))(np.ones(4)), ValueError, "matmul"),
        (lambda: s2s.linear_transpose(lambda x: x, X3, reduce_axes=("i",)), NotImplementedError, "reduce_axes"),
        (lambda: s2s.linear_transpose(lambda x: x, X3, X3), TypeError, "arguments"),
    ],
)  # fmt: skip
def test_transpose_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# ---- linearity of rows -----------------------------------------------------------------------------------------------------------


def subsets(numbers):
    return chain.from_iterable(combinations(numbers, count) for count in range(1, len(numbers) + 1))


def accepted(point, which):
    """Whether the row is found linear in these operands jointly."""
    builder = new_builder()
    outs = builder.equation(point.row, tuple(point.atoms), point.sample.params)
    function = Function(point.row.name, point.params, builder.block(*outs))
    try:
        check_linear(function, tuple(any(param is point.atoms[k] for k in which) for param in function.params))
    except (ArgumentTypeError, UnsupportedError):  # a partial derivative that is refused is none of a linear row
        return False
    return True


def test_rows_found_linear_are_linear():
    found = set()
    for case in POINTS:
        (point,) = case.values
        floats = [k for k, number in enumerate(point.numbers) if isinstance(number, np.ndarray | np.generic) and is_float(np.asarray(number).dtype)]
        for which in subsets(floats[:3]):
            if not accepted(point, which):
                continue
            found.add(point.row.name)
            evaluate = lambda numbers, point=point: np.asarray(point.row.evaluate(*numbers, **point.sample.params))  # noqa: E731
            other = point.sample.make(np.random.default_rng(1))
            zero, both = (
                evaluate([make(a, b) if k in which else a for k, (a, b) in enumerate(zip(point.numbers, other, strict=True))])
                for make in (lambda a, b: np.zeros_like(a), lambda a, b: a * 2 + b)
            )
            second = evaluate([b if k in which else a for k, (a, b) in enumerate(zip(point.numbers, other, strict=True))])
            np.testing.assert_array_equal(zero, 0)
            tolerance = 4e-3 if both.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(both, 2 * evaluate(point.numbers) + second, rtol=tolerance, atol=tolerance)
    assert {"add", "sub", "neg", "mul", "div", "contract", "getitem", "setitem", "additem", "reduce_sum", "select", "broadcast", "reshape", "pack"} <= found
    assert not {"sin", "exp", "maximum", "power", "sqrt", "abs", "reduce_max"} & found


def test_the_second_half_is_that_of_what_the_function_sees_now():
    """Pullbacks and linear parts of one piece of code whose closure holds another number, function or array."""

    def powered(exponent, outer, scale):
        return lambda x: np.sum(outer(x) ** exponent * scale)

    x, ones = np.arange(3.0) + 1, np.ones(3)
    for exponent, outer, scale in ((2, np.sin, 1.0), (3, np.sin, 1.0), (3, np.cos, 1.0), (3, np.cos, ones), (3, np.cos, np.ones(1)), (2, np.cos, np.arange(3.0))):
        f = s2s.jit(powered(exponent, outer, scale), target="numpy")
        wanted = s2s.grad(f)(x)
        for _ in range(2):
            np.testing.assert_allclose(s2s.vjp(f, x)[1](1.0)[0], wanted, rtol=1e-13)
            np.testing.assert_allclose(s2s.linearize(f, x)[1](ones), wanted.sum(), rtol=1e-13)
