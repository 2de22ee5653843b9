"""Every function of the reader against NumPy: value, dtype and shape, by the interpreter, sizes symbolic and static."""
from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from traced_numpy import check, flat, program_of, run, unwrap, wrap

import s2s
from s2s.errors import S2SError
from s2s.transforms.ir.program import Check
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS, UPDATES

Arguments = tuple[Any, ...]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


rng = np.random.default_rng(0)
DTYPES = [np.float64, np.float32, np.int64, np.int32, np.bool_, np.complex128]
SHAPES: list[tuple[int, ...]] = [(), (3,), (1, 3), (0,), (2, 3)]


def sample(dtype: Any, shape: tuple[int, ...], lo: float = -2.0, hi: float = 2.0) -> Any:
    """An array of this type; rank 0 is a NumPy scalar."""
    drawn = rng.uniform(lo, hi, shape)
    kind = np.dtype(dtype).kind
    if kind == "b":
        drawn = drawn > 0
    elif kind == "i":
        drawn = np.round(drawn * 3)
    elif kind == "c":
        drawn = drawn + 1j * rng.uniform(-1, 1, shape)
    return np.asarray(drawn).astype(dtype)[()]


def positive(dtype: Any, shape: tuple[int, ...]) -> Any:
    return np.asarray(np.abs(sample(dtype, shape)) + (1 if np.dtype(dtype).kind != "b" else 0)).astype(dtype)[()]


# ---- operators -------------------------------------------------------------------------------------------------------

BINARY: dict[str, Callable[..., Any]] = {
    "+": lambda np, a, b: a + b, "-": lambda np, a, b: a - b, "*": lambda np, a, b: a * b, "/": lambda np, a, b: a / b,
    "//": lambda np, a, b: a // b, "%": lambda np, a, b: a % b, "**": lambda np, a, b: a**b,
    "&": lambda np, a, b: a & b, "|": lambda np, a, b: a | b, "^": lambda np, a, b: a ^ b, "<<": lambda np, a, b: a << b,
    ">>": lambda np, a, b: a >> b, "<": lambda np, a, b: a < b, "<=": lambda np, a, b: a <= b, ">": lambda np, a, b: a > b,
    ">=": lambda np, a, b: a >= b, "==": lambda np, a, b: a == b, "!=": lambda np, a, b: a != b,
}  # fmt: skip


def numpy_refuses(function: Callable[..., Any], *args: Any) -> bool:
    """Whether NumPy raises."""
    try:
        with np.errstate(all="ignore"):
            function(np, *args)
    except (TypeError, ValueError, ZeroDivisionError):
        return True
    return False


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", DTYPES)
def test_operator(op: str, left: Any, right: Any) -> None:
    function = BINARY[op]
    for first, second in (((3,), (3,)), ((2, 3), (3,)), ((1, 3), (2, 1)), ((), (0,)), ((), ())):
        a, b = sample(left, first), positive(right, second)
        if numpy_refuses(function, a, b):
            with pytest.raises((S2SError, ZeroDivisionError)):
                run(function, a, b)
            continue
        if np.shape(first) == np.shape(second) == (3,):  # two symbols: checked to be equal at run time
            check(function, a, b, static=True)
        check(function, a, b)


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("number", [2, 1.5, 1 + 1j, True, -1, 0.5])
def test_operator_with_number(op: str, dtype: Any, number: Any) -> None:
    for function in (lambda np, a: BINARY[op](np, a, number), lambda np, a: BINARY[op](np, number, a)):
        for shape in ((), (3,)):
            a = positive(dtype, shape)
            if dtype == np.bool_ and number == 2 and op == "**":  # an int8 of arrays, an int64 of scalars: refused
                continue
            if numpy_refuses(function, a):
                with pytest.raises((S2SError, ZeroDivisionError)):
                    run(function, a)
                continue
            check(function, a)


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("a", [7, 2.5, -3])
@pytest.mark.parametrize("b", [2, 1.5])
def test_operator_of_python_numbers(op: str, a: Any, b: Any) -> None:
    function = BINARY[op]
    if numpy_refuses(function, a, b):
        with pytest.raises(S2SError):
            run(function, a, b)
        return
    if op in ("<", "<=", ">", ">=", "==", "!="):
        assert run(function, a, b)[0].value == function(np, a, b)
        return
    if op == "**" and isinstance(a, int) and isinstance(b, int) or isinstance(function(np, a, b), complex):
        return
    check(function, a, b)


def test_python_integers_divided_by_zero() -> None:
    for function in (lambda np, a, b: a // b, lambda np, a, b: a % b):
        with pytest.raises(ZeroDivisionError):
            run(function, 3, 0)


def test_division_by_a_known_zero_raises_only_where_it_is_reached() -> None:
    """len(a) - 1 is known to be 0 for an array of one element; whether a trip is run is not."""

    def sampled(a, k):
        total = 0.0
        for i in range(k, len(a)):
            total += a[i % (len(a) - 1)] + i / (len(a) - 1)
        return total

    emitted = s2s.jit(sampled, target="numpy")
    assert emitted(np.ones(1), 1) == 0.0
    assert emitted(np.ones(3), 1) == sampled(np.ones(3), 1)
    with pytest.raises(ZeroDivisionError):
        emitted(np.ones(1), 0)


def test_python_floats_divided_by_zero() -> None:
    """As Python; nothing is checked where the divisor is known to be positive."""
    with pytest.raises(ZeroDivisionError, match="float division by zero"):
        run(lambda np, a, b: a / b, 1.0, 0.0)
    assert np.isinf(run(lambda np, a, b: a / b, np.float64(1.0), 0.0)[0].value)
    for function, checks in ((lambda np, a: 1.0 / (1.0 + a * a), 0), (lambda np, a: 1.0 / a + 2.0 / a, 1)):
        assert sum(isinstance(node, Check) for node in program_of(function, 2.0).body.nodes) == checks
        check(function, 2.0)


def test_numbers_of_the_text_are_numpys() -> None:
    """A variable that a number of the text is bound to is divided, and raised to a power, as NumPy's numbers are."""

    def divided(x: Any) -> Any:
        scale = np.float64(0.0) if x > 0 else np.float64(x)
        least, whole = -scale - 8.0, np.int64(0) if x > 0 else np.int64(2)
        return 1.0 / scale, least**0.5, scale**-1, np.remainder(3.0, scale), np.floor_divide(7, whole), (scale + 1e200) ** 2

    def rooted(x: Any) -> Any:
        tau = 1.0 - x / 3.0 if x < 3.0 else 0.0
        return 2.0 * tau**0.35 + x

    def of_parts(x: Any) -> Any:
        values, vectors = np.linalg.eigh(np.diag([x, 2.0 * x]))
        return values[0] / x + vectors[1, 1]

    assert s2s.jit(of_parts, target="numpy")(2.0) == of_parts(2.0)
    for target in ("numpy", "cpu"):
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(s2s.jit(divided, target=target)(1.0), divided(1.0))
            assert s2s.jit(s2s.grad(rooted), target=target)(4.0) == 1.0


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="operands could not be broadcast together with shapes"):
        run(lambda np, a, b: a + b, np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match=r"operands could not be broadcast together with shapes \(3,\) \(2,4\)"):
        run(lambda np, a, b: a + b, np.ones(3), np.ones((2, 4)), static=True)


def test_unary() -> None:
    for dtype in DTYPES:
        for shape in SHAPES:
            a = sample(dtype, shape)
            for function in (lambda np, a: -a, lambda np, a: +a, lambda np, a: ~a):
                if numpy_refuses(function, a):
                    with pytest.raises(S2SError):
                        run(function, a)
                else:
                    check(function, a)
    check(lambda np, a: -a, 2.5)
    check(lambda np, a: -a, 2)


def test_shape_is_weak() -> None:
    x = np.ones(3, np.float32)
    check(lambda np, a: a.sum() / a.shape[0], x)
    check(lambda np, a: a * a.size, x)
    check(lambda np, a: a.shape, np.ones((2, 3)))


# ---- elementwise -----------------------------------------------------------------------------------------------------

UNARY = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "floor", "ceil", "trunc", "rint", "absolute", "fabs", "sign", "square", "negative", "conjugate", "isnan", "isinf", "isfinite", "deg2rad", "rad2deg", "real", "imag", "angle", "sinc", "logical_not", "round", "nan_to_num", "signbit", "reciprocal"]


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise(name: str, dtype: Any) -> None:
    function = lambda np, a: getattr(np, name)(a)  # noqa: E731
    for shape in SHAPES:
        a = sample(dtype, shape, 0.1, 0.9) if name.startswith("arc") or "log" in name else sample(dtype, shape)
        if name == "arccosh":
            a = positive(dtype, shape)
        if numpy_refuses(function, a):
            with pytest.raises(S2SError):
                run(function, a)
            continue
        if name in ("round", "reciprocal", "nan_to_num") and np.dtype(dtype).kind in "bi" or name == "nan_to_num" and np.dtype(dtype).kind == "c":
            continue
        check(function, a)
    if np.dtype(dtype) == np.float64 and name != "nan_to_num":
        check(function, 0.5 if name != "arccosh" else 1.5)


@pytest.mark.parametrize("name", ["arctan2", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "fmax", "fmin", "copysign", "heaviside", "nextafter", "fmod", "remainder", "power", "float_power"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise_pairs(name: str, dtype: Any) -> None:
    function = lambda np, a, b: getattr(np, name)(a, b)  # noqa: E731
    for first, second in (((3,), ()), ((2, 3), (3,)), ((1, 3), (2, 1)), ((), (0,)), ((), ())):
        a, b = positive(dtype, first), positive(dtype, second)
        if numpy_refuses(function, a, b):
            with pytest.raises(S2SError):
                run(function, a, b)
            continue
        if np.dtype(dtype).kind == "c" and name in ("maximum", "minimum", "fmax", "fmin"):
            continue
        check(function, a, b)
    check(function, 1.5, 0.5)


def test_elementwise_specials() -> None:
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2.5, 0.5])
    for name in ("floor", "rint", "sign", "isnan", "isinf", "isfinite", "nan_to_num", "exp", "log", "sqrt", "absolute", "sinc"):
        check(lambda np, a, name=name: getattr(np, name)(a), special)
    for name in ("maximum", "minimum", "fmax", "fmin", "heaviside", "nextafter", "copysign"):
        check(lambda np, a, name=name: getattr(np, name)(a, a[::-1]), special)


def test_choice() -> None:
    a, b = sample(np.float64, (2, 3)), sample(np.float32, (3,))
    check(lambda np, a, b: np.where(a > 0, a, b), a, b)
    check(lambda np, a, b: np.where(a > 0, b, 0), a, b)
    check(lambda np, a: np.where(a > 0, a, 0.0), b)
    check(lambda np, a: np.where(a, 1, 2), sample(np.int64, (3,)))
    check(lambda np, a: np.clip(a, -0.5, 0.5), b)
    check(lambda np, a: np.clip(a, None, 0.5), a)
    check(lambda np, a: a.clip(0), sample(np.int32, (3,)))
    for low, high in ((0, np.uint8(250)), (0.5, np.float32(3)), (np.uint8(1), 5), (np.int8(0), np.float32(1)), (False, np.uint8(3))):  # a Python number adapts to the other two
        for kind in (bool, np.int8, np.float32):
            check(lambda np, a, low=low, high=high: np.clip(a, low, high), sample(np.int32, (3,)).astype(kind))
        check(lambda np, a, low=low, high=high: np.clip(3, low, high), a)
    check(lambda np, a: np.select([a > 1, a > 0], [a, -a], 7), a)
    check(lambda np, a: np.nonzero(a > 0), a)
    check(lambda np, a: np.where(a > 0), a)
    check(lambda np, a: np.argwhere(a > 0), a)


def test_power_shortcuts() -> None:
    for dtype in (np.float64, np.float32, np.complex128):
        for exponent in (0, 1, 2, 3, 4, 5, -1, -2, 0.5, 1.5, -0.5):
            check(lambda np, a, exponent=exponent: a**exponent, positive(dtype, (3,)), rtol=1e-15 if dtype == np.float64 else 1e-13)
    for exponent in (0, 1, 2, 3, 9):
        check(lambda np, a, exponent=exponent: a**exponent, sample(np.int64, (3,)))
    check(lambda np, a: a**2, 3)
    check(lambda np, a: a**-2, 4)
    check(lambda np, a: a**0.5, 4)
    with pytest.raises(ValueError, match="Integers to negative"):
        run(lambda np, a: a**-2, np.arange(3))
    with pytest.raises(ValueError, match="Integers to negative"):
        run(lambda np, a, b: a**b, np.arange(1, 3), np.int64(-1))


# ---- reductions --------------------------------------------------------------------------------------------------------

REDUCTIONS = ["sum", "prod", "max", "min", "any", "all", "count_nonzero", "ptp"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_reduction(name: str, dtype: Any) -> None:
    if np.dtype(dtype).kind == "c" and name in ("max", "min", "ptp"):
        return
    for shape, axes in (((2, 3), (None, 0, -1, (0, 1), (1,))), ((3,), (None, 0)), ((1, 3), (None, 0, 1)), ((0,), (None,)), ((2, 0), (0, 1)), ((), (None,))):
        a = sample(dtype, shape)
        for axis in axes:
            for keepdims in (False, True):
                function = lambda np, a, axis=axis, keepdims=keepdims: getattr(np, name)(a, axis=axis, keepdims=keepdims)  # noqa: E731
                if numpy_refuses(function, a):
                    with pytest.raises((S2SError, ValueError)):
                        run(function, a)
                    continue
                if name == "count_nonzero" and axis is None and not keepdims:
                    assert run(function, a)[0].value == np.count_nonzero(a)
                    continue
                check(function, a, rtol=1e-12)


def test_extremes_of_nothing_with_an_initial_value() -> None:
    for shape in ((0, 3), (3, 0), (2, 3), (0, 0)):
        x = np.cos(np.arange(np.prod(shape)) * 2.0).reshape(shape)
        for axis in (None, 0, 1, -1):
            check(lambda np, a, axis=axis: np.max(a, axis=axis, initial=-0.5), x)
            check(lambda np, a, axis=axis: np.min(a, axis=axis, initial=0.5, keepdims=True), x)
    check(lambda np, a: a.max(initial=3), np.zeros(0, np.int64))
    check(lambda np, a: np.max(a, initial=True), np.zeros(2, bool))


def test_reduction_arguments() -> None:
    a = sample(np.float32, (2, 3))
    check(lambda np, a: np.sum(a, dtype=np.float64), a)
    check(lambda np, a: a.sum(0, initial=2.0), a)
    check(lambda np, a: np.max(a, axis=1, initial=0.5), a)
    check(lambda np, a: np.average(a, axis=1, weights=[1.0, 2.0, 3.0]), a)
    check(lambda np, a: np.average(a, weights=a * a), a)
    check(lambda np, a: np.median(a), a)
    check(lambda np, a: np.median(a, axis=0, keepdims=True), a)
    with pytest.raises(np.exceptions.AxisError):
        run(lambda np, a: np.sum(a, axis=2), a)
    with pytest.raises(S2SError, match="out="):
        run(lambda np, a: np.sum(a, out=a), a)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        run(lambda np, a: np.sum(a, foo=1), a)
    with pytest.raises(ValueError, match="zero-size array"):
        run(lambda np, a: np.max(a), np.zeros(0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_positions_and_running_sums(dtype: Any) -> None:
    for shape, axes in (((2, 3), (None, 0, -1)), ((3,), (None, 0)), ((1, 3), (None, 1))):
        a = sample(dtype, shape)
        for axis in axes:
            check(lambda np, a, axis=axis: np.cumsum(a, axis=axis), a)
            check(lambda np, a, axis=axis: a.cumprod(axis), a)
            if np.dtype(dtype).kind != "c":
                check(lambda np, a, axis=axis: np.argmax(a, axis=axis), a)
                check(lambda np, a, axis=axis: np.argmin(a, axis=axis, keepdims=True), a)
            if axis is not None:
                check(lambda np, a, axis=axis: np.diff(a, axis=axis), a)
    check(lambda np, a: np.diff(a, n=2, prepend=0), sample(np.float64, (3,)))


def test_norms() -> None:
    a, v = sample(np.float64, (2, 3)), sample(np.float32, (3,))
    for order in (None, 0, 1, 2, 3, np.inf, -np.inf):
        check(lambda np, v, order=order: np.linalg.norm(v, order), v)
        check(lambda np, a, order=order: np.linalg.norm(a, ord=order, axis=1), a)
    for order in (None, "fro", 1, -1, np.inf):
        check(lambda np, a, order=order: np.linalg.norm(a, order), a)
    check(lambda np, a: np.linalg.norm(a), sample(np.complex128, (3,)))
    check(lambda np, a: np.linalg.norm(a, axis=0, keepdims=True), a)


# ---- products ----------------------------------------------------------------------------------------------------------

PRODUCTS: list[tuple[Callable[..., Any], tuple[int, ...], tuple[int, ...]]] = [
    (lambda np, a, b: a @ b, (2, 3), (3, 4)), (lambda np, a, b: a @ b, (3,), (3,)), (lambda np, a, b: a @ b, (2, 3), (3,)),
    (lambda np, a, b: a @ b, (3,), (3, 4)), (lambda np, a, b: a @ b, (5, 2, 3), (3, 4)), (lambda np, a, b: a @ b, (5, 2, 3), (5, 3, 4)),
    (lambda np, a, b: a @ b, (1, 2, 3), (5, 3, 4)), (lambda np, a, b: a @ b, (1, 2, 3), (1, 3, 4)), (lambda np, a, b: a @ b, (3, 1), (1, 4)),
    (lambda np, a, b: a @ b, (5, 2, 3), (3,)), (lambda np, a, b: a @ b, (2, 0), (0, 4)),
    (lambda np, a, b: np.dot(a, b), (2, 3), (3,)), (lambda np, a, b: a.dot(b), (2, 3), (3, 4)), (lambda np, a, b: np.dot(a, b), (2, 3), (5, 3, 4)),
    (lambda np, a, b: np.dot(a, b), (), (3,)), (lambda np, a, b: np.vdot(a, b), (2, 3), (2, 3)), (lambda np, a, b: np.inner(a, b), (2, 3), (4, 3)),
    (lambda np, a, b: np.outer(a, b), (2,), (3,)), (lambda np, a, b: np.outer(a, b), (2, 2), (3,)),
    (lambda np, a, b: np.tensordot(a, b), (2, 3, 4), (3, 4, 5)), (lambda np, a, b: np.tensordot(a, b, axes=([0, 1], [1, 0])), (2, 3), (3, 2)),
    (lambda np, a, b: np.tensordot(a, b, axes=0), (2,), (3,)), (lambda np, a, b: np.kron(a, b), (2, 2), (3, 2)), (lambda np, a, b: np.kron(a, b), (2,), (3,)),
    (lambda np, a, b: np.einsum("ij,jk->ik", a, b), (2, 3), (3, 4)), (lambda np, a, b: np.einsum("ij,j", a, b), (2, 3), (3,)),
    (lambda np, a, b: np.einsum("ij,ij->", a, b), (2, 3), (2, 3)), (lambda np, a, b: np.einsum("ij,kj->ki", a, b), (2, 3), (4, 3)),
    (lambda np, a, b: np.einsum("ij,k->j", a, b), (2, 3), (4,)), (lambda np, a, b: np.einsum("bij,bjk->bik", a, b), (5, 2, 3), (5, 3, 2)),
    (lambda np, a, b: np.einsum("ii,i->i", a, b), (3, 3), (3,)), (lambda np, a, b: np.einsum("ij,jk,k->i", a, b, b[0]), (2, 3), (3, 4)),
    (lambda np, a, b: np.einsum("i,i,i->", a, b, b), (3,), (3,)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(PRODUCTS)))
def test_products(number: int) -> None:
    function, first, second = PRODUCTS[number]
    for left, right in ((np.float64, np.float64), (np.float32, np.float32), (np.float32, np.int32), (np.complex128, np.float64), (np.int64, np.int32), (np.bool_, np.bool_)):
        if (left == np.bool_ and "cross" in function.__code__.co_names) or (left == np.bool_ and "einsum" in function.__code__.co_names):
            continue
        check(function, sample(left, first), sample(right, second), rtol=1e-12)


def test_products_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"mismatch in its core dimension 0.*size 4 is different from 3"):
        run(lambda np, a, b: a @ b, np.ones((2, 3)), np.ones(4))
    with pytest.raises(ValueError, match="size 4 is different from 3"):
        run(lambda np, a, b: a @ b, np.ones((2, 3)), np.ones(4), static=True)
    with pytest.raises(ValueError, match="not aligned"):
        run(lambda np, a, b: np.dot(a, b), np.ones((2, 3)), np.ones(4))


def test_one_operand_products() -> None:
    a = sample(np.float64, (3, 3))
    for function in (
        lambda np, a: np.trace(a), lambda np, a: np.einsum("ij->ji", a), lambda np, a: np.einsum("ii", a), lambda np, a: np.einsum("ij->j", a),
        lambda np, a: a.trace(offset=1), lambda np, a: np.einsum("ii->i", a),
    ):  # fmt: skip
        check(function, a)


# ---- shapes --------------------------------------------------------------------------------------------------------------

SHAPING: list[tuple[Callable[..., Any], tuple[int, ...]]] = [
    (lambda np, a: a.T, (2, 3)), (lambda np, a: a.T, (3,)), (lambda np, a: np.transpose(a, (1, 2, 0)), (2, 3, 4)), (lambda np, a: a.transpose(2, 0, 1), (2, 3, 4)),
    (lambda np, a: np.swapaxes(a, 0, -1), (2, 3, 4)), (lambda np, a: np.moveaxis(a, 0, -1), (2, 3, 4)), (lambda np, a: np.moveaxis(a, (0, 1), (2, 0)), (2, 3, 4)),
    (lambda np, a: np.reshape(a, (3, -1)), (2, 3)), (lambda np, a: a.reshape(-1), (2, 3)), (lambda np, a: a.reshape(a.shape[1], a.shape[0]), (2, 3)),
    (lambda np, a: a.reshape(a.shape[0], -1), (2, 3, 4)), (lambda np, a: a.reshape(-1, 1), (3,)), (lambda np, a: a.reshape((1, -1)), (3,)),
    (lambda np, a: a.reshape(6), (2, 3)), (lambda np, a: np.ravel(a), (2, 3)), (lambda np, a: a.flatten(), (2, 3)), (lambda np, a: np.squeeze(a), (1, 3)),
    (lambda np, a: np.squeeze(a, 0), (1, 3)), (lambda np, a: np.expand_dims(a, 1), (3,)), (lambda np, a: np.expand_dims(a, (0, 2)), (3,)),
    (lambda np, a: np.broadcast_to(a, (4, 3)), (3,)), (lambda np, a: np.broadcast_to(a, (2, 3)), (1, 3)),
    (lambda np, a: np.atleast_1d(a), ()), (lambda np, a: np.atleast_2d(a), (3,)), (lambda np, a: np.flip(a), (2, 3)), (lambda np, a: np.flip(a, 1), (2, 3)),
    (lambda np, a: np.fliplr(a), (2, 3)), (lambda np, a: np.rot90(a), (2, 3)), (lambda np, a: np.rot90(a, 3), (2, 3)), (lambda np, a: np.roll(a, 1), (3,)),
    (lambda np, a: np.roll(a, -1), (3,)), (lambda np, a: np.roll(a, 5), (3,)), (lambda np, a: np.roll(a, -2, axis=1), (2, 3)), (lambda np, a: np.roll(a, 2), (2, 3)),
    (lambda np, a: np.roll(a, 1, axis=0), (0,)), (lambda np, a: np.roll(a, (1, 2), axis=(0, 1)), (2, 3)), (lambda np, a: np.roll(a, 7), (0,)),
    (lambda np, a: np.diag(a), (3,)), (lambda np, a: np.diag(a, 1), (3,)), (lambda np, a: np.diag(a, -2), (3,)), (lambda np, a: np.diag(a), (2, 3)),
    (lambda np, a: np.diag(a, 1), (3, 3)), (lambda np, a: np.diag(a, -1), (2, 3)), (lambda np, a: np.diag(a, 3), (2, 3)), (lambda np, a: np.diagonal(a, 0, 1, 2), (2, 3, 4)),
    (lambda np, a: np.tril(a), (3, 3)), (lambda np, a: np.triu(a, 1), (3, 4)), (lambda np, a: np.tril(a, -1), (2, 3, 3)),
    (lambda np, a: np.repeat(a, 2), (2, 3)), (lambda np, a: np.repeat(a, 3, axis=0), (2, 3)), (lambda np, a: np.tile(a, 2), (3,)), (lambda np, a: np.tile(a, (2, 1)), (3,)),
    (lambda np, a: np.tile(a, (2, 3)), (2, 2)), (lambda np, a: np.tile(a, 2), (2, 3)),
    (lambda np, a: np.concatenate([a, a]), (3,)), (lambda np, a: np.concatenate((a, a, a), axis=1), (2, 3)),
    (lambda np, a: np.concatenate((a, a), axis=None), (2, 3)), (lambda np, a: np.stack([a, a]), (3,)), (lambda np, a: np.stack([a, a], axis=-1), (2, 3)),
    (lambda np, a: np.stack([a[0], a[1]]), (3,)), (lambda np, a: np.hstack([a, a]), (3,)), (lambda np, a: np.hstack([a, a]), (2, 3)), (lambda np, a: np.vstack([a, a]), (3,)),
    (lambda np, a: np.column_stack([a, a]), (3,)), (lambda np, a: np.split(a, 2), (4,)), (lambda np, a: np.split(a, [1, 3]), (4,)), (lambda np, a: np.split(a, 3, axis=1), (2, 3)),
    (lambda np, a: np.append(a, 1), (3,)), (lambda np, a: np.append(a, [1, 2]), (3,)), (lambda np, a: np.meshgrid(a, a), (3,)), (lambda np, a: np.meshgrid(a, a[1:], indexing="ij"), (3,)),
    (lambda np, a: np.block([[a, a], [a, a]]), (2, 2)), (lambda np, a: np.block([[[a, a]], [[a, a]]]), (2, 3)), (lambda np, a: np.block([[[a[0]]], [[a[1]]]]), (2, 3)), (lambda np, a: np.block([a, a]), (2, 1, 2)),
    (lambda np, a: np.dstack([a, a]), (2, 3)), (lambda np, a: np.broadcast_arrays(a, a[0]), (2, 3)),
    (lambda np, a: np.sort(a), (5,)), (lambda np, a: np.argsort(a, axis=0), (3, 2)), (lambda np, a: np.take(a, [0, 2]), (3,)), (lambda np, a: np.take(a, [[0, 1]], axis=1), (2, 3)),
    (lambda np, a: np.take_along_axis(a, np.argsort(a, axis=1), axis=1), (2, 3)), (lambda np, a: a[np.ix_([0, 1], [2, 0])], (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SHAPING)))
def test_shapes(number: int) -> None:
    function, shape = SHAPING[number]
    for dtype in (np.float64, np.float32, np.int64, np.bool_):
        if dtype == np.bool_ and "trapezoid" in function.__code__.co_names:
            continue
        check(function, sample(dtype, shape))


def test_reshape_misfit() -> None:
    with pytest.raises(ValueError, match=r"cannot reshape array of size 6 into shape \(4,\)"):
        run(lambda np, a: a.reshape(4), np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"cannot reshape array of size 6 into shape \(4,\)"):
        run(lambda np, a: a.reshape(4), np.ones((2, 3)), static=True)
    with pytest.raises(ValueError, match="cannot reshape"):
        run(lambda np, a: a.reshape(4, -1), np.ones((2, 3)))


# ---- creation --------------------------------------------------------------------------------------------------------------

CREATION: list[Callable[..., Any]] = [
    lambda np, n, x: np.zeros(3), lambda np, n, x: np.zeros(n), lambda np, n, x: np.zeros((n, 2), np.float32), lambda np, n, x: np.ones((2, n), dtype=int),
    lambda np, n, x: np.full(n, x), lambda np, n, x: np.full((2, n), 3), lambda np, n, x: np.full((n,), True), lambda np, n, x: np.full(n, x, np.float32),
    lambda np, n, x: np.zeros_like(np.ones(n, np.float32)), lambda np, n, x: np.ones_like(np.ones(n), dtype=np.int32), lambda np, n, x: np.full_like(np.ones(n), 2),
    lambda np, n, x: np.zeros(n, bool), lambda np, n, x: np.zeros(n, "complex"), lambda np, n, x: np.zeros(()), lambda np, n, x: np.zeros((n, n + 1)) + n,
    lambda np, n, x: np.empty(n) * 0 == 0, lambda np, n, x: np.empty_like(np.ones((2, n))) * 0 == 0,
    lambda np, n, x: np.arange(n), lambda np, n, x: np.arange(1, n), lambda np, n, x: np.arange(n, 0, -1), lambda np, n, x: np.arange(0, n, 2), lambda np, n, x: np.arange(n, 2),
    lambda np, n, x: np.arange(3.0), lambda np, n, x: np.arange(n, dtype=float), lambda np, n, x: np.arange(0, x, 0.25), lambda np, n, x: np.arange(0.0, 1.0, 0.1),
    lambda np, n, x: np.arange(x), lambda np, n, x: np.arange(1, 10, 3), lambda np, n, x: np.arange(5), lambda np, n, x: np.arange(0, 1, x),
    lambda np, n, x: np.linspace(0, 1, n), lambda np, n, x: np.linspace(0, x, 7), lambda np, n, x: np.linspace(0, x, n, endpoint=False), lambda np, n, x: np.linspace(0, 1, 5),
    lambda np, n, x: np.linspace(x, 1, 1), lambda np, n, x: np.linspace(0, 1, 11, retstep=True), lambda np, n, x: np.logspace(0, x, 4), lambda np, n, x: np.linspace(1, 2, n - 4),
    lambda np, n, x: np.eye(3), lambda np, n, x: np.eye(n), lambda np, n, x: np.eye(n, n + 1, k=1), lambda np, n, x: np.identity(n), lambda np, n, x: np.eye(n, dtype=bool), lambda np, n, x: np.tri(n),
    lambda np, n, x: np.array([1, 2, 3]), lambda np, n, x: np.array([1.0, x, 3]), lambda np, n, x: np.array([[1, 2], [3, 4]], dtype=float), lambda np, n, x: np.array([[x, 0], [1, x]]),
    lambda np, n, x: np.array([True, False]), lambda np, n, x: np.array([]), lambda np, n, x: np.array([[n, 1]]), lambda np, n, x: np.array(x), lambda np, n, x: np.array(2.5),
    lambda np, n, x: np.array([np.arange(n), np.ones(n)]), lambda np, n, x: np.asarray([x, x]), lambda np, n, x: np.array([1, 2], np.float32), lambda np, n, x: np.array([1, 2, 3], ndmin=2),
    lambda np, n, x: np.asarray(np.ones(n)), lambda np, n, x: np.copy(np.ones(n)), lambda np, n, x: np.indices((2, n)), lambda np, n, x: np.vander(np.arange(n) * x, 3),
    lambda np, n, x: np.float32(x), lambda np, n, x: np.int64(x), lambda np, n, x: np.float64(n), lambda np, n, x: np.bool_(x), lambda np, n, x: np.complex128(x), lambda np, n, x: np.int32(7),
    lambda np, n, x: np.ones(n).astype(int), lambda np, n, x: (np.ones(n) * x).astype(np.int32), lambda np, n, x: (np.ones(n) * x * 1j).astype(np.complex64), lambda np, n, x: np.ones(n).astype(bool),
    lambda np, n, x: np.arange(n).sum() + np.pi * x, lambda np, n, x: np.finfo(np.float32).eps * x, lambda np, n, x: np.sin(2.0) * x, lambda np, n, x: np.sqrt(n), lambda np, n, x: np.prod((2, 3)) * x,
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CREATION)))
def test_creation(number: int) -> None:
    for n, x in ((5, 1.75), (6, -0.5)):
        check(CREATION[number], n, x, rtol=1e-15)


# ---- Python's own -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["exp", "expm1", "log1p", "log2", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "cbrt", "exp2", "log", "fabs", "degrees", "radians", "floor", "ceil", "trunc", "isnan", "isinf"])
def test_math(name: str) -> None:
    function = getattr(math, name)
    for value in (0.5, 0.25):
        found = run(lambda np, x: NUMPY_AS_TRACED(function, x), value)[0]
        assert found.value == pytest.approx(function(value), rel=1e-14)
        assert found.type.weak == isinstance(function(value), float | int) or found.type.dtype == bool


def NUMPY_AS_TRACED(function: Any, *args: Any, **kwargs: Any) -> Any:
    return wrap(NUMPY_FUNCTIONS[function](*unwrap(args), **unwrap(kwargs)))


@pytest.mark.parametrize("name, inside, outside", [
    ("sqrt", 0.0, -1.0), ("log", 1e-9, 0.0), ("log2", 1.0, -1.0), ("log10", 1.0, 0.0), ("log1p", -0.5, -1.0), ("asin", 1.0, 1.5), ("acos", -1.0, -1.5),
    ("atanh", 0.5, 1.0), ("acosh", 1.0, 0.5),
])  # fmt: skip
def test_domains_of_math(name: str, inside: float, outside: float) -> None:
    function = getattr(math, name)
    call = lambda np, x: NUMPY_AS_TRACED(function, x)  # noqa: E731
    assert run(call, inside)[0].value == pytest.approx(function(inside), rel=1e-14)
    assert np.isnan(run(call, math.nan)[0].value)
    with pytest.raises(ValueError, match="math domain error"):
        run(call, outside)
    with pytest.raises(ValueError, match="math domain error"):
        run(lambda np, x: NUMPY_AS_TRACED(math.pow, x, 1.5), -2.0)


PYTHON: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda call, a, b: call(abs, a), (-2.5, 1)), (lambda call, a, b: call(abs, b), (-2.5, -1)), (lambda call, a, b: call(max, a, b), (-2.5, 1.5)),
    (lambda call, a, b: call(min, a, b), (3, 7)), (lambda call, a, b: call(max, a, 0.0), (np.float64(2.5), 1)), (lambda call, a, b: call(max, a, b), (np.float32(1), np.float32(2))),
    (lambda call, a, b: call(min, [a, b, 3]), (4, 7)), (lambda call, a, b: call(pow, a, b), (2.5, 1.5)), (lambda call, a, b: call(divmod, a, b), (7, 2)),
    (lambda call, a, b: call(round, a), (2.5, 1)), (lambda call, a, b: call(round, a), (np.float64(3.5), 1)), (lambda call, a, b: call(sum, [a, b, a]), (2.5, 1)),
    (lambda call, a, b: call(float, a), (3, 1)), (lambda call, a, b: call(int, a), (-3.7, 1)), (lambda call, a, b: call(float, a), (np.float32(0.1), 1)), (lambda call, a, b: call(complex, a, b), (3.0, 1.0)),
    (lambda call, a, b: call(math.atan2, a, b), (3.0, 1.0)), (lambda call, a, b: call(math.hypot, a, b), (3.0, 1)), (lambda call, a, b: call(math.log, a, 2), (3.0, 1)), (lambda call, a, b: call(math.pow, a, b), (3, 2)),
    (lambda call, a, b: call(math.floor, a), (-3.5, 1)), (lambda call, a, b: call(math.ceil, a), (3.5, 1)), (lambda call, a, b: call(sum, a), (np.arange(4.0), 1)), (lambda call, a, b: call(max, a), (np.arange(4.0), 1)),
    (lambda call, a, b: call(int, a), (np.int32(3), 1)), (lambda call, a, b: call(bool, a), (np.float64(3), 1)), (lambda call, a, b: call(math.copysign, a, b), (3.0, -1.0)), (lambda call, a, b: call(math.fmod, a, b), (-7.5, 2.0)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python_functions(number: int) -> None:
    function, args = PYTHON[number]
    expected = flat(function(lambda python, *a: python(*a), *args))
    found = run(lambda np, *a: function(NUMPY_AS_TRACED, *a), *args)
    for got, want in zip(found, expected, strict=True):
        assert got.value == pytest.approx(want, rel=1e-14)
        if isinstance(want, bool):
            assert got.type.dtype == bool
        elif isinstance(want, np.generic):
            assert got.type.dtype == want.dtype
        else:
            assert got.type.weak and got.type.dtype == np.asarray(want).dtype


# ---- numpy's others -----------------------------------------------------------------------------------------------------------

OTHERS: list[tuple[Callable[..., Any], Arguments]] = [
    (lambda np, a, b: np.isclose(a, b), (np.array([1.0, 2.0, np.inf]), np.array([1.0, 2.1, np.inf]))), (lambda np, a: np.interp(a, [0.0, 1.0, 3.0], [1.0, 2.0, -1.0]), (np.linspace(-1, 4, 11),)),
    (lambda np, a: np.searchsorted(a, [0.5, 2.0, 7]), (np.arange(4.0),)), (lambda np, a: np.searchsorted(a, 2.0, side="right"), (np.arange(4.0),)), (lambda np, a: np.polyval([1.0, 2.0, 3.0], a), (np.arange(4.0),)),
    (lambda np, a: np.polyval([], a), (np.array([1.0, np.nan, np.inf]),)), (lambda np, p, a: np.polyval(p, a), (np.zeros(0), np.array([1.0, np.nan, np.inf]))), (lambda np, p, a: np.polyval(p, a), (np.array([-0.0, -0.0]), np.array([-1.0, 2.0, np.inf]))),
    (lambda np, a: np.add.reduce(a), (np.ones((2, 3)),)), (lambda np, a: np.subtract.outer(a, a), (np.arange(3.0),)), (lambda np, a: np.maximum.reduce(a), (np.ones((2, 3)),)),
    (lambda np, a: a.real, (np.array([1 + 2j]),)), (lambda np, a: a.conj().imag, (np.array([1 + 2j, 3]),)), (lambda np, a: np.size(a), (np.ones((2, 3)),)),
    (lambda np, a: a.item(), (np.float64(2.5),)), (lambda np, a: a.item(1), (np.arange(3.0),)), (lambda np, a: np.logical_and(a > 0, a < 1), (np.arange(3.0),)), (lambda np, a: np.all(a > -1), (np.arange(3.0),)),
    (lambda np, a: np.divmod(a, 2), (np.arange(5),)), (lambda np, a: np.round(a, 2), (np.array([1.234567, -2.555]),)), (lambda np, a: np.add(a, 1, dtype=np.float64), (np.arange(3, dtype=np.float32),)),
    (lambda np, a: a < 2**40, (np.arange(3, dtype=np.int32),)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_others(number: int) -> None:
    function, args = OTHERS[number]
    if "reduce" in function.__code__.co_names or "outer" in function.__code__.co_names:
        ufunc = getattr(np, function.__code__.co_names[0])
        method = getattr(ufunc, function.__code__.co_names[1])
        reading = lambda np, a: NUMPY_AS_TRACED(method, *([a, a] if "outer" in function.__code__.co_names else [a]))  # noqa: E731
        np.testing.assert_allclose(run(reading, *args)[0].value, function(np, *args))
        return
    check(function, *args)


MISSING = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [2.0, 5.0, -1.0]])
COMPOSITES: list[tuple[Callable[..., Any], Arguments]] = [
    (lambda np, a: np.quantile(a, 0.3), (np.array([3.0, 1.0, 7.0, 2.0]),)), (lambda np, a: np.percentile(a, 90, axis=0), (np.arange(12.0).reshape(4, 3) ** 2,)), (lambda np, a, q: np.quantile(a, q), (np.arange(5.0), 0.8)),
    (lambda np, a: np.percentile(a, [25, 50][1], axis=1), (np.arange(12).reshape(4, 3),)),
    (lambda np, a: np.bincount(a), (np.array([0, 3, 1, 3]),)), (lambda np, a: np.bincount(a, minlength=6), (np.array([0, 3, 1, 3]),)), (lambda np, a, w: np.bincount(a, weights=w), (np.array([0, 3, 1, 3]), np.array([0.5, 1.0, 2.0, 4.0]))),
    (lambda np, a: np.digitize(a, [0.0, 1.0, 2.0]), (np.array([-1.0, 0.0, 1.5, 9.0]),)),
    (lambda np, a: np.linalg.matrix_power(a, 5), (np.array([[1.0, 2.0], [3.0, -1.0]]),)), (lambda np, a: np.linalg.matrix_power(a, 0), (np.array([[1.0, 2.0], [3.0, -1.0]]),)), (lambda np, a: np.linalg.matrix_power(a, 1), (np.ones((2, 2)),)),
    (lambda np, a: np.linalg.multi_dot([a, a, a[0]]), (np.array([[1.0, 2.0], [3.0, -1.0]]),)), (lambda np, a: np.linalg.vecdot(a, a), (np.arange(6.0).reshape(2, 3),)),
    (lambda np, a: a[np.tril_indices(3)], (np.arange(9.0).reshape(3, 3),)), (lambda np, a: a[np.triu_indices(3, 1)], (np.arange(9.0).reshape(3, 3),)), (lambda np, a: a[np.triu_indices_from(a)], (np.arange(9.0).reshape(3, 3),)),
    (lambda np, a: a[np.diag_indices(3)], (np.arange(9.0).reshape(3, 3),)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(COMPOSITES)))
def test_composites(number: int) -> None:
    function, args = COMPOSITES[number]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(function, *args, rtol=1e-12)


def test_updates() -> None:
    a, places = np.arange(5.0), np.array([0, 1, 1])
    expected = a.copy()
    np.add.at(expected, places, 2.0)
    found = run(lambda _, a, places: wrap(UPDATES[np.add.at](a.value, places.value, 2.0)), a, places)
    np.testing.assert_array_equal(found[0].value, expected)
    square = np.ones((3, 4))
    expected = square.copy()
    np.fill_diagonal(expected, 7)
    np.testing.assert_array_equal(run(lambda _, a: wrap(UPDATES[np.fill_diagonal](a.value, 7)), square)[0].value, expected)


def test_inplace() -> None:
    def update(op: str, number: Any) -> Callable[..., Any]:
        return lambda np, a: wrap(operators.inplace(op, a.value, number))

    assert run(update("+", 1.5), np.ones(3, np.float32))[0].type.dtype == np.float32
    with pytest.raises(TypeError, match="same_kind"):
        run(update("+", 1.5), np.ones(3, np.int64))
    with pytest.raises(TypeError, match="same_kind"):
        run(update("/", 2), np.ones(3, np.int64))
    with pytest.raises(ValueError, match="non-broadcastable"):
        run(update("+", np.ones((2, 3))), np.ones(3), static=True)


def test_a_length_that_never_fits_is_left_to_run_time() -> None:
    """a[:-1] + a fits where a has two elements: NumPy stretches; the program says "specialise again"."""
    for function in (lambda np, a: a[:-1] + a, lambda np, a: a + a[:-1], lambda np, a: a[1:] * a[:-1] + a):
        with pytest.raises(ValueError, match="operands could not be broadcast together"):
            run(function, np.ones(4))
        check(function, np.ones(2), static=True)


ELLIPSES = [
    ("...ij,jk->...ik", (2, 3, 4), (4, 5)), ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 5)), ("...ij,...jk", (2, 3, 4), (2, 4, 5)), ("...ij,...jk->...ik", (2, 3, 4), (1, 4, 5)),
    ("...", (2, 3)), ("i...->...i", (2, 3, 4)), ("...i->...", (2, 3, 4)), ("...ii->...i", (2, 3, 3)), ("...,...", (2, 3), (2, 3)), ("i...,i...->i...", (2, 3), (2, 3)),
    ("...ij,...jk->...ik", (1, 4, 5), (1, 5, 2)), ("ij...,j...->i...", (2, 3, 4), (3, 1)), ("...ij,...->i...", (2, 2, 3), (4, 1)), ("...i,...i,...->...", (4, 3), (2, 1, 3), (4,)),
]  # fmt: skip


@pytest.mark.parametrize(("subscripts", "shapes"), [(spec, shapes) for spec, *shapes in ELLIPSES])
def test_einsum_with_an_ellipsis(subscripts, shapes):
    rng = np.random.default_rng(4)
    arrays = [rng.normal(size=shape) for shape in shapes]
    found, wanted = s2s.jit(lambda *each: np.einsum(subscripts, *each), target="numpy")(*arrays), np.einsum(subscripts, *arrays)
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)
    s2s.check_grads(s2s.jit(lambda *each: np.sum(np.sin(np.einsum(subscripts, *each))), target="numpy"), tuple(arrays), order=1, modes=("fwd", "rev"))


@pytest.mark.parametrize("subscripts", ["...ij->ij", "..ij->ij", "...ijkl->ij..."])
def test_einsum_refuses_what_numpy_refuses(subscripts):
    for fun in (lambda x: np.einsum(subscripts, x), s2s.jit(lambda x: np.einsum(subscripts, x), target="numpy")):
        with pytest.raises(ValueError, match=r"einstein sum|subscripts|output"):
            fun(np.ones((2, 3, 4)))


def test_medians_of_complex_numbers_are_nan_where_a_part_is():
    numbers = np.array([[1 + 1j, 2 - 1j, complex(np.nan, 0.5)], [0.5j, complex(1, np.nan), 3.0], [2.0, 1.0, 4.0]])
    for axis in (None, 0, 1):
        found = s2s.jit(lambda z, axis=axis: np.median(z, axis=axis), target="numpy")(numbers)
        np.testing.assert_array_equal(found, np.median(numbers, axis=axis))


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value", "ignore:overflow")
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_medians_of_none_and_of_large_numbers(target):
    """One element is its own median: not half of its double, which overflows; of nothing it is nan."""

    def f(x):
        return np.median(x), np.median(x, axis=0), np.median(x, axis=-1, keepdims=True), np.median(x[:0], axis=0), np.median(x[x > np.max(np.abs(x), initial=0)])

    run = s2s.jit(f, target=target)
    for dtype in (np.float64, np.float32, np.float16, np.int64):
        for shape in ((0, 3), (3, 0), (1, 1), (2, 3), (3, 4), (5, 1)):
            x = np.random.default_rng(2).normal(size=shape)
            x = (x * (9 if dtype is np.int64 else np.finfo(dtype).max / 4)).astype(dtype)
            for found, wanted in zip(run(x), f(x), strict=True):
                assert (type(found), found.dtype, found.shape) == (type(wanted), wanted.dtype, wanted.shape)
                np.testing.assert_array_equal(found, wanted)
    for shape in ((3, 4), (5, 3)):
        s2s.test_util.check_grads(lambda x: f(x)[:3], (np.random.default_rng(2).normal(size=shape),), order=2)


@pytest.mark.parametrize("level", [True, False, np.int64(1)])
def test_quantiles_at_an_end_beside_infinities(level):
    x = np.array([[-1.0, 0.2], [-np.inf, np.inf]])
    np.testing.assert_array_equal(s2s.jit(lambda x: np.quantile(x, level), target="numpy")(x), np.quantile(x, level))


@pytest.mark.parametrize("dtypes", [("f4", "f8"), ("f8", "f4"), ("f4", "f4"), ("f4", "i8"), ("i8", "f4"), ("f4", "c16")])
def test_least_squares_computes_in_the_common_dtype(dtypes):
    rng = np.random.default_rng(2)
    a, b = (4 * rng.normal(size=(5, 3))).astype(dtypes[0]), (4 * rng.normal(size=5)).astype(dtypes[1])
    for one, two in zip(s2s.jit(lambda a, b: np.linalg.lstsq(a, b), target="numpy")(a, b), np.linalg.lstsq(a, b), strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_allclose(one, two, rtol=1e-4 if np.asarray(two).dtype.itemsize <= 8 and np.asarray(two).dtype != np.float64 else 1e-10)


@pytest.mark.parametrize(
    ("x", "start"),
    [
        (np.array([0.11234012, 1.5285878], np.float32), np.int32(5)), (np.array([0.1, 0.2], np.float32), 0.5), (np.array([0.1, 0.2], np.float32), np.float64(0.1)),
        (np.arange(4), 0.5), (np.arange(4, dtype=np.int32), np.int32(3)), (np.array([True, False]), 1), (np.ones((3, 2), np.float32), np.zeros(2)),
    ],
)  # fmt: skip
def test_pythons_sum_adds_in_the_type_of_its_start(x, start):
    found, wanted = s2s.jit(lambda x, start: sum(x, start), target="numpy")(x, start), sum(x, start)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(found, wanted)


def test_full_takes_values_with_too_many_axes_in_front():
    for fun in (lambda x, y: np.full_like(x, y), lambda x, y: np.full((4,), y)):
        args = np.arange(4.0), np.array([[2.0]])
        np.testing.assert_array_equal(s2s.jit(fun, target="numpy")(*args), fun(*args))


@pytest.mark.parametrize("fun", [lambda x, m: np.var(x, mean=m), lambda x, m: np.std(x, mean=m), lambda x, m: np.var(x, dtype=complex)], ids=("var", "std", "dtype"))
def test_a_complex_mean_of_real_numbers(fun):
    for x in (np.arange(3.0), np.arange(3.0, dtype=np.float32), np.arange(3) + 1j):
        found, expected = s2s.jit(fun, target="numpy")(x, 1j), fun(x, 1j)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_interp_of_points_that_coincide_within_a_period():
    def turned(x, xp, fp):
        return np.interp(x, xp, fp, period=360.0)

    x, xp = np.array([0.0, 10.0, 355.0, -20.0]), np.array([0.0, 90.0, 180.0, 360.0])
    same, other = np.array([1.0, 2.0, 3.0, 1.0]), np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(s2s.jit(turned, target="numpy")(x, xp, same), turned(x, xp, same), rtol=1e-15)
    with pytest.raises(NotImplementedError, match="that differ by no multiple of the period"):
        s2s.jit(turned, target="numpy")(x, xp, other)


@np.errstate(all="ignore")
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_negative_powers_of_zero_are_infinite(dtype):
    """Numba raises ZeroDivisionError of a number to a negative literal."""
    x = np.array([0.0, -0.0, 1.5, -3.0, np.inf, -np.inf, np.nan], dtype)

    def powers(x):
        return x**-1, x**-2, x**-3.0, np.power(x, -7), x[0] ** -2, np.linalg.norm(x[:3], -2)

    for target in ("numpy", "cpu"):
        for found, wanted in zip(s2s.jit(powers, target=target)(x), powers(x), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=4.0 * np.finfo(dtype).eps)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))
    np.testing.assert_array_equal(s2s.grad(lambda x: np.sum(x**-2.0))(x[:3].astype(float)), [-np.inf, np.inf, -2.0 * 1.5**-3])


def test_a_truth_of_numpy_s_is_no_bound_of_a_range() -> None:
    for call in (lambda x: len(range(x[0])), lambda x: list(range(x[0], 3)), lambda x: list(range(np.True_))):
        with pytest.raises(TypeError, match=r"numpy\.bool"):
            s2s.jit(call, target="numpy")(np.array([True, False]))
    assert s2s.jit(lambda x: len(range(bool(x[0]))), target="numpy")(np.array([True, False])) == 1
