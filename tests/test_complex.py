"""Derivatives of functions of complex numbers: tangents against differences, cotangents paired with tangents as JAX pairs them.

    Re(sum(out_bar * out_dot)) = Re(sum(bar * dot))

which, for all directions, is all that there is to know of a cotangent; JAX's answers for the same conventions are in
`test_conformance.py`. Also: derivatives of those derivatives, single precision, loops with stores, the compiled target.
"""
from __future__ import annotations

import cmath
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from reading import loaded

import s2s

MATRIX = np.array([[1.0, 2.0j], [0.5, -1.0 + 1j]])


@pytest.fixture(autouse=True)
def _on_numpy(request: pytest.FixtureRequest) -> Iterator[None]:
    with s2s.disable_jit("compiled" not in request.node.name):
        yield


def recurrent(z):
    w = np.zeros(len(z), dtype=z.dtype)
    for i in range(len(z)):
        w[i] = z[i] * np.conj(z[i - 1]) + w[i - 1] * 0.5j
        w[i] *= 1.0 + z[i].imag
    return np.sum(w.real * w.imag) + np.abs(w[-1])


def escape(z):
    for _ in range(3):
        z = z * z + 0.3j
        if abs(z) > 2.0:
            z = z / abs(z)
    return z.real * z.imag


def in_place(z, x):
    out = z.copy()
    out[1:] += x[1:] * 2j
    out *= np.conj(z)
    return out


# "C": a complex vector, "M": a complex matrix, "R": a real vector, "N": a real matrix, "c", "r": numbers
FUNCTIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "C": (
        lambda z: np.real(z), lambda z: z.imag * 2.0, lambda z: np.conj(z), lambda z: np.abs(z), lambda z: np.angle(z), lambda z: np.exp(z),
        lambda z: np.log(z), lambda z: np.sqrt(z), lambda z: np.sin(z), lambda z: np.cos(z), lambda z: np.tan(z), lambda z: np.sinh(z),
        lambda z: np.cosh(z), lambda z: np.tanh(z), lambda z: np.arcsin(z), lambda z: np.arccos(z), lambda z: np.arctan(z),
        lambda z: np.arcsinh(z), lambda z: np.arccosh(z), lambda z: np.arctanh(z), lambda z: np.log1p(z), lambda z: np.expm1(z),
        lambda z: np.log2(z), lambda z: np.log10(z), lambda z: np.exp2(z), lambda z: np.square(z), lambda z: z**3, lambda z: z**-1,
        lambda z: z**0.5, lambda z: z ** (1 + 2j), lambda z: 2.0**z, lambda z: 1.0 / z, lambda z: np.reciprocal(z), lambda z: -1j * z,
        lambda z: z * np.conj(z), lambda z: z.real**2 + z.imag**2, lambda z: np.sign(z), lambda z: np.sinc(z),
        lambda z: np.sum(z), lambda z: np.mean(z), lambda z: np.prod(z), lambda z: np.cumsum(z), lambda z: np.cumprod(z), lambda z: np.var(z),
        lambda z: np.std(z), lambda z: np.linalg.norm(z), lambda z: np.max(np.abs(z)), lambda z: np.average(z),
        lambda z: np.dot(z, z), lambda z: np.vdot(z, z), lambda z: np.outer(z, np.conj(z)), lambda z: np.einsum("i,j->ij", z, z), lambda z: np.convolve(z, z),
        lambda z: np.where(np.abs(z) > 1.0, z * z, z), lambda z: np.where(z.real > 0, z, 1.0), lambda z: z[1:] * z[0], lambda z: z[::-1],
        lambda z: np.concatenate([z, z * 2]), lambda z: np.stack([z, np.abs(z)]), lambda z: np.array([z[0], 1.0, z[1].real]), lambda z: np.pad(z, 1),
        lambda z: np.take(z, np.array([0, 0, 2])), lambda z: np.abs(np.exp(1j * z) - 1) ** 2, recurrent,
    ),
    "M": (
        lambda m: MATRIX @ m @ m, lambda m: m.T @ np.conj(m), lambda m: np.trace(m), lambda m: np.sum(m, axis=0), lambda m: np.prod(m, axis=0),
        lambda m: np.linalg.norm(m), lambda m: np.linalg.matrix_power(m, 3), lambda m: np.tensordot(m, m, 1), lambda m: np.diag(m),
    ),
    "RC": (
        lambda x, z: x + z, lambda x, z: x - z, lambda x, z: x * z, lambda x, z: x / z, lambda x, z: z / x, lambda x, z: (x * x + 0.5) ** z,
        lambda x, z: z**x, lambda x, z: np.dot(x, z), lambda x, z: np.vdot(z, x), lambda x, z: np.where(x > 0, x, z), lambda x, z: np.abs(x + 1j * z),
        lambda x, z: np.exp(1j * x) + z.real, lambda x, z: np.imag(x) + np.conj(x) * z, lambda x, z: np.sum(x) * z + np.mean(z) * x,
        lambda x, z: in_place(z, x),
    ),
    "NM": (lambda a, b: a @ b, lambda a, b: b @ a[0]),
    "CC": (
        lambda x, z: x * z, lambda x, z: x / z, lambda x, z: x**z, lambda x, z: np.vdot(x, z), lambda x, z: np.cross(x, z),
        lambda x, z: np.correlate(x, z, "full"), lambda x, z: np.maximum(np.abs(x), np.abs(z)),
    ),
    "c": (lambda z: abs(z), lambda z: z.conjugate() * z.real, lambda z: z**2.5, lambda z: z.real + 2j * z, escape),
    "r": (lambda x: x * 1j, lambda x: np.exp(1j * x), lambda x: np.sqrt(x + 0j), lambda x: complex(x, 2.0) * x, lambda x: 1j**x),
}  # fmt: skip
CASES = [(kinds, number) for kinds, functions in FUNCTIONS.items() for number in range(len(functions))]
SHAPES = {"c": (), "r": (), "C": (3,), "R": (3,), "M": (2, 2), "N": (2, 2)}


def drawn(rng: np.random.Generator, shape: tuple[int, ...], complex_: bool) -> Any:
    number = np.asarray(rng.normal(size=shape) + 1j * rng.normal(size=shape) if complex_ else rng.normal(size=shape))
    return number if shape else number[()]


def arguments(rng: np.random.Generator, kinds: str) -> tuple[Any, ...]:
    return tuple(drawn(rng, SHAPES[kind], kind in "cCM") for kind in kinds)


def pairing(bars: Any, dots: Any) -> float:
    return sum(float(np.sum(np.asarray(bar) * np.asarray(dot)).real) for bar, dot in zip(bars, dots, strict=True))


def like(rng: np.random.Generator, out: Any) -> Any:
    return drawn(rng, np.shape(out), np.iscomplexobj(out))


@pytest.mark.parametrize(("kinds", "number"), CASES)
def test_first_order(kinds: str, number: int) -> None:
    rng, function = np.random.default_rng(number), FUNCTIONS[kinds][number]
    args, dots = arguments(rng, kinds), arguments(rng, kinds)
    out, out_dot = s2s.jvp(function, args, dots)
    np.testing.assert_allclose(out, function(*args), rtol=1e-12)
    step = 1e-6
    ahead, behind = (function(*(arg + sign * dot for arg, dot in zip(args, dots, strict=True))) for sign in (step, -step))
    np.testing.assert_allclose(out_dot, (ahead - behind) / (2 * step), rtol=1e-6, atol=1e-7)
    bar = like(rng, out)
    bars = s2s.vjp(function, *args)[1](bar)
    assert [np.asarray(each).dtype for each in bars] == [np.asarray(arg).dtype for arg in args]
    np.testing.assert_allclose(pairing(bars, dots), pairing([bar], [out_dot]), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("kinds", "number"), CASES[::5])
def test_second_order(kinds: str, number: int) -> None:
    """The tangent of the gradient against differences of the gradient."""
    rng, function = np.random.default_rng(number), FUNCTIONS[kinds][number]
    args, dots = arguments(rng, kinds), arguments(rng, kinds)

    def scalar(*args):
        out = function(*args)
        return np.sum(np.real(out * out) + np.imag(out))

    gradient = s2s.grad(scalar, argnums=tuple(range(len(args))))
    _, found = s2s.jvp(gradient, args, dots)
    step = 1e-6
    ahead, behind = (gradient(*(arg + sign * dot for arg, dot in zip(args, dots, strict=True))) for sign in (step, -step))
    for got, up, down in zip(found, ahead, behind, strict=True):
        np.testing.assert_allclose(got, (up - down) / (2 * step), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("kinds", "number"), [case for case in CASES if case[0] in ("C", "M", "CC")][::3])
def test_single_precision(kinds: str, number: int) -> None:
    rng, function = np.random.default_rng(number), FUNCTIONS[kinds][number]
    args = tuple(arg.astype(np.complex64) for arg in arguments(rng, kinds))
    out, pullback = s2s.vjp(function, *args)
    assert out.dtype == np.asarray(function(*args)).dtype
    bars = pullback(like(rng, out).astype(out.dtype))
    assert {bar.dtype for bar in bars} == {np.dtype(np.complex64)}


@pytest.mark.parametrize("function", [recurrent, lambda z: np.sum(np.abs(np.exp(1j * z) * z - 1) ** 2), lambda z: in_place(z, z.imag)[0].real])
def test_compiled(function: Callable[..., Any]) -> None:
    z = arguments(np.random.default_rng(0), "C")[0]
    with s2s.disable_jit():
        want = s2s.grad(function)(z)
    np.testing.assert_allclose(s2s.grad(function)(z), want, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_complex_numbers_are_sorted_compiled(dtype):
    """By real parts, then by imaginary ones; nan last, as NumPy has it."""

    def in_order(x, rows):
        return np.sort(x), np.argsort(x, kind="stable"), np.sort(rows, axis=0), np.sort_complex(x), np.unique(x[:2])

    parts = np.array([0.0, 1.0, -1.0, np.nan, np.inf, 2.5, -np.inf, 1.0])
    x = np.array([complex(real, imag) for real in parts for imag in parts], dtype)[np.random.default_rng(5).permutation(64)]
    rows = x.reshape(8, 8)
    for found, wanted in zip(s2s.jit(in_order)(x, rows), in_order(x, rows), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


OF_COMPLEX = (
    np.exp, np.exp2, np.expm1, np.log1p, np.sqrt, np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh, np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arccosh, np.arctanh, np.square, np.reciprocal,
)  # fmt: skip


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_functions_compiled_where_they_are_large_or_on_a_cut(dtype):
    """Wherever NumPy's result is finite: next to zero, on both sides of the cuts, where an exponential overflows."""
    parts = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 20.0, -20.0, 400.0, -1000.0, 1e-10)
    z = np.array([complex(real, imag) for real in parts for imag in parts], dtype)

    def all_of_them(z):
        return [function(z) for function in OF_COMPLEX]

    with np.errstate(all="ignore"):
        wanted = all_of_them(z)
    for function, each, want in zip(OF_COMPLEX, s2s.jit(all_of_them)(z), wanted, strict=True):
        finite = np.isfinite(want)
        assert each.dtype == want.dtype
        np.testing.assert_allclose(each[finite], want[finite], rtol=1e-11 if dtype is np.complex128 else 1e-5, err_msg=function.__name__)


CMATH = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10", "phase", "polar", "sin", "sinh", "sqrt", "tan", "tanh", "isnan", "isinf", "isfinite",
)  # fmt: skip


def of_cmath(tmp_path, expression):
    return loaded(tmp_path / "program.py", f"import cmath\n\n\ndef program(z, w):\n    return {expression}\n").program


@pytest.mark.parametrize("name", CMATH)
def test_cmath(name, tmp_path):
    """Python's numbers, and its errors."""
    program = of_cmath(tmp_path, f"cmath.{name}(z)")
    for z in (0.5 + 0.3j, -2 + 0j, 1j, 1.0, 2.0, 0.0, -0.5, 3, 1000.0 + 1j, complex(-2, -0.0), np.complex128(1 + 2j), complex(np.inf, 1)):
        try:
            wanted = program(z, 0)
        except (ValueError, OverflowError) as error:
            with pytest.raises(type(error), match=str(error)), np.errstate(all="ignore"):
                s2s.jit(program)(z, 0)
            continue
        found = s2s.jit(program)(z, 0)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def parts_of(call):
    """The parts of what a call gives, as texts: of zeros with their signs; or the error."""
    try:
        found = call()
    except ValueError as error:
        return str(error)
    return repr(float(found.real)), repr(float(found.imag))


@pytest.mark.parametrize("expression", ["cmath.rect(z, w)", "cmath.log(complex(z, w), complex(w, z))"])
def test_cmath_at_its_ends(expression, tmp_path):
    program = of_cmath(tmp_path, expression)
    compiled = s2s.jit(program, target="numpy")
    ends = (0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan)
    with np.errstate(all="ignore"):
        for z, w in itertools.product(map(float, ends), repeat=2):
            assert parts_of(lambda: compiled(z, w)) == parts_of(lambda: program(z, w)), (z, w)  # noqa: B023 - called at once


def test_cmath_of_two(tmp_path):
    program = of_cmath(tmp_path, "(cmath.log(z, w), cmath.rect(abs(z), 0.5), cmath.isclose(z, w), cmath.isclose(z, z + 1e-12), cmath.isclose(z, w, abs_tol=9.0))")
    for z, w in ((2.0, 3.0), (1 + 2j, -0.5j)):
        for found, wanted in zip(s2s.jit(program)(z, w), program(z, w), strict=True):
            assert found == pytest.approx(wanted, rel=1e-14)
    slope = s2s.jvp(lambda z: of_log(z), (1 + 2j,), (1.0 + 0j,))[1]
    assert slope == pytest.approx(1 / (1 + 2j) + 1j / (2 * np.sqrt(1j * (1 + 2j))), rel=1e-14)


def of_log(z):
    return cmath.log(z) + cmath.sqrt(1j * z)


@pytest.mark.parametrize("program", [lambda z: 1 / (z * z + 1), lambda z: 1 / (z + (2 + 1j)) + 1 / (z**2 + 1)])
def test_no_complex_number_is_known_to_be_positive(program):
    """z * z + 1 is 0 for 1j: the division is checked as Python does."""
    assert s2s.jit(program)(2 + 1j) == pytest.approx(program(2 + 1j), rel=1e-14)
    with pytest.raises(ZeroDivisionError):
        s2s.jit(program)(1j)


def stored_parts(x, y):
    z = np.zeros(x.shape, np.complex128)
    z.real = x
    z.imag = y
    return z, x.view(np.complex128)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [stored_parts, lambda x, y: s2s.lax.complex(x, y), lambda x, y: s2s.lax.complex(x[0], y[1])])
def test_parts_are_joined_as_they_are_compiled(program, target):
    """`x + 1j * y` makes nan of x where y is infinite, and 0.0 of -0.0."""
    x, y = np.array([1.0, np.inf, -0.0, 0.0, 2.0, -0.0]), np.array([np.inf, -0.0, 1.0, -0.0, np.nan, -np.inf])
    for found, wanted in zip(s2s.tree.leaves(s2s.jit(program, target=target)(x, y)), s2s.tree.leaves(program(x, y)), strict=True):
        assert type(found) is type(wanted)
        assert np.array_equal([found.real, found.imag], [wanted.real, wanted.imag], equal_nan=True)
        assert np.array_equal(np.signbit(found.real), np.signbit(wanted.real))
    single = s2s.jit(s2s.lax.complex, target=target)(np.float32(1), np.ones(2, np.float32))
    assert single.dtype == np.complex64


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("f", [lambda z: np.real(np.sum(z) * 0.3), lambda z: np.imag(0.3 * z[0]) + 0.1 * np.real(z[1]), lambda z: np.real(0.7j * np.sum(z * 0.3))])
def test_cotangents_have_all_digits(f, dtype):
    """The first cotangent is made of two known numbers: it had the digits of complex64."""
    z = np.array([0.3 - 1.2j, 0.9 + 0.1j]).astype(dtype)
    found = s2s.grad(f)(z)
    assert found.dtype == dtype
    moved = [f(z + step) for step in (np.eye(2) * 1.0).astype(dtype)], [f(z + step) for step in (np.eye(2) * 1j).astype(dtype)]
    wanted = (np.array(moved[0]) - f(z)) - 1j * (np.array(moved[1]) - f(z))
    np.testing.assert_allclose(found, wanted, rtol=8 * np.finfo(dtype).eps, atol=8 * np.finfo(dtype).eps)
