"""Decompositions with complete bases, by LAPACK's other drivers, Schur's form, least squares of a vector: NumPy's and SciPy's numbers, derivatives where there are any."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from staging import stage_and_run

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read.installed import SCIPY_1_18

RNG = np.random.default_rng(5)


def drawn(*shape: int, dtype: str = "f8", hermitian: bool = False) -> np.ndarray:
    x = RNG.normal(size=shape) + (1j * RNG.normal(size=shape) if dtype[0] == "c" else 0.0)
    return (x + np.conj(np.swapaxes(x, -1, -2)) if hermitian else x).astype(dtype)


def agree(found: Any, wanted: Any) -> None:
    """Equal but for rounding, and for the signs (phases) of columns."""
    assert type(found) is type(wanted)
    for one, two in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else ((found, wanted),):
        assert np.shape(one) == two.shape
        assert one.dtype == two.dtype
        close = 1e-4 if two.dtype.char in "fF" else 1e-11
        np.testing.assert_allclose(np.abs(one), np.abs(two), rtol=close, atol=close)


def complete_qr(a):
    return np.linalg.qr(a, mode="complete")


def raw_qr(a):
    return np.linalg.qr(a, mode="raw")


def complete_svd(a):
    return np.linalg.svd(a)


def scipys_qr(a):
    (reflections, scales), r = scipy.linalg.qr(a, mode="raw")
    return *scipy.linalg.qr(a), *scipy.linalg.qr(a, mode="r"), reflections * 1.0, scales, r


def upper(a):
    return np.linalg.eigh(a, "U")


def scipys_eigh(a):
    return *scipy.linalg.eigh(a), *scipy.linalg.eigh(a, lower=False), *scipy.linalg.eigh(a, lower=False, driver="evd")


def hermitian_svd(a):
    return *np.linalg.svd(a, hermitian=True), np.linalg.svd(a, compute_uv=False, hermitian=True)


def schur(a):
    return *scipy.linalg.schur(a), *scipy.linalg.schur(a, output="complex")


@pytest.mark.parametrize("function", [complete_qr, raw_qr, complete_svd, scipys_qr])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "c8"])
def test_rectangles(function: Callable[..., Any], dtype: str) -> None:
    for shape in ((3, 3), (4, 2), (2, 4), (1, 1), (9, 1), (0, 2), (2, 0), (2, 4, 3)):
        if function is not scipys_qr or (0 not in shape and len(shape) == 2):
            a = drawn(*shape, dtype=dtype)
            agree(stage_and_run(function, (a,)), function(a))


@pytest.mark.parametrize("function", [upper, scipys_eigh, hermitian_svd, schur])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "c8"])
def test_squares(function: Callable[..., Any], dtype: str) -> None:
    for size in (1, 2, 5):
        a = drawn(size, size, dtype=dtype, hermitian=function is not schur)
        agree(stage_and_run(function, (a,)), function(a))


def test_one_triangle_is_read():
    a = drawn(3, 3)
    agree(stage_and_run(upper, (a,)), upper(a))
    agree(stage_and_run(scipys_eigh, (a,)), scipys_eigh(a))


def test_compiled_code_calls_lapack_itself():
    def all_of(a, b, c, d):
        (h, tau), (q, r), (u, s, vh) = raw_qr(a), complete_qr(a), complete_svd(a)
        return h, tau, q, r, u, s, vh, *upper(b), *scipys_eigh(b), *schur(a[:3]), *upper(d), *scipys_eigh(d), *schur(c)

    for single in (False, True):
        given = [drawn(5, 3), drawn(4, 4, hermitian=True), drawn(3, 3, dtype="c16"), drawn(4, 4, dtype="c16", hermitian=True)]
        if single:
            given = [x.astype("f4" if x.dtype.kind == "f" else "c8") for x in given]
        agree(s2s.jit(all_of)(*given), all_of(*given))


def test_schur_says_what_scipy_says():
    for a, output in ((np.ones((2, 3)), "real"), (np.ones(2), "real"), (np.eye(2), "odd"), (np.array([[np.nan, 1.0], [0.0, 1.0]]), "real")):
        with pytest.raises(ValueError) as wanted:  # noqa: PT011
            scipy.linalg.schur(a, output)
        with pytest.raises(ValueError, match=str(wanted.value)):
            s2s.jit(lambda a, output: scipy.linalg.schur(a, output), target="numpy", static_argnums=1)(a, output)
    with pytest.raises(UnsupportedError, match="sort"):
        s2s.jit(lambda a: scipy.linalg.schur(a, sort="lhp"), target="numpy")(np.eye(2))


def test_least_squares_of_a_vector():
    def solution(a, b):
        return scipy.linalg.lstsq(a, b)

    for shape in ((5, 2), (3, 3), (2, 4)):
        a, b = drawn(*shape), drawn(shape[0])
        x, gap, rank, s = s2s.jit(solution, target="numpy")(a, b)
        wanted = scipy.linalg.lstsq(a, b)
        np.testing.assert_allclose(x, wanted[0], rtol=1e-10)
        np.testing.assert_allclose(gap, wanted[1], rtol=1e-10)
        assert np.shape(gap) == np.shape(wanted[1])
        assert rank == wanted[2]
        np.testing.assert_allclose(s, wanted[3], rtol=1e-10)
    if SCIPY_1_18:
        assert np.isnan(s2s.jit(solution, target="numpy")(np.ones((4, 2)), np.ones(4))[1])
    else:
        with pytest.raises(NotImplementedError, match="rank"):
            s2s.jit(solution, target="numpy")(np.ones((4, 2)), np.ones(4))
    with pytest.raises(ValueError, match="is not found"):
        s2s.jit(lambda a, b: scipy.linalg.lstsq(a, b, lapack_driver="odd"), target="numpy")(np.ones((4, 2)), np.ones(4))


# ---- derivatives -------------------------------------------------------------------------------------------------------------


def slope_by_differences(f, a):
    found = np.zeros_like(a)
    for index in np.ndindex(*a.shape):
        step = np.zeros_like(a)
        step[index] = 1e-6
        found[index] = (f(a + step) - f(a - step)) / 2e-6
    return found


@pytest.mark.parametrize("f", [
    lambda a: np.sum(np.linalg.svd(a)[1] ** 3), lambda a: np.sum(scipy.linalg.qr(a, mode="r")[0] * np.arange(1.0, 10.0).reshape(3, 3)),
    lambda a: np.sum(np.linalg.qr(a, mode="complete")[0] * np.arange(1.0, 10.0).reshape(3, 3)), lambda a: np.sum(np.linalg.svd(a)[0] ** 2 * np.arange(1.0, 10.0).reshape(3, 3)),
    lambda a: np.sum(np.linalg.eigh(a, "U")[1] ** 2 * np.arange(1.0, 10.0).reshape(3, 3)), lambda a: np.sum(scipy.linalg.eigh(a + a.T)[1] ** 2 * np.arange(1.0, 10.0).reshape(3, 3)),
    lambda a: np.sum(np.linalg.svd(a + a.T, hermitian=True)[0] ** 2 * np.arange(1.0, 10.0).reshape(3, 3)), lambda a: np.sum(scipy.linalg.lstsq(a, np.arange(3.0))[0]),
], ids=range(8))  # fmt: skip
def test_derivatives_of_squares(f: Callable[..., Any]) -> None:
    a = drawn(3, 3) + np.diag([1.0, 4.0, 9.0])
    np.testing.assert_allclose(s2s.grad(f)(a), slope_by_differences(f, a), rtol=1e-5, atol=1e-6)
    tangent = drawn(3, 3)
    np.testing.assert_allclose(s2s.jvp(f, (a,), (tangent,))[1], np.sum(slope_by_differences(f, a) * tangent), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape", [(5, 2), (2, 5), (1, 4), (4, 1)])
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_derivatives_of_rectangles(shape: tuple[int, int], mode: str) -> None:
    def f(a):
        q, r = np.linalg.qr(a, mode=mode)
        return np.sum(q * np.arange(q.size).reshape(q.shape)) + np.sum(r**2 * np.arange(r.size).reshape(r.shape))

    a, tangent = drawn(*shape), drawn(*shape)
    wanted = slope_by_differences(f, a)
    np.testing.assert_allclose(s2s.grad(f)(a), wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(s2s.jvp(f, (a,), (tangent,))[1], np.sum(wanted * tangent), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_the_further_columns_of_a_complete_qr_decomposition_move_with_the_first(target: str, dtype: Any) -> None:
    rng = np.random.default_rng(8)
    a, tangent = ((rng.normal(size=(3, 5, 2)) + (1j * rng.normal(size=(3, 5, 2)) if np.dtype(dtype).kind == "c" else 0)).astype(dtype) for _ in range(2))
    wanted = [(after - before) / 2e-6 for after, before in zip(complete_qr(a + 1e-6 * tangent), complete_qr(a - 1e-6 * tangent), strict=True)]
    compiled = s2s.jit(lambda a: tuple(complete_qr(a)), target=target)
    for found, each in zip(s2s.jvp(compiled, (a,), (tangent,))[1], wanted, strict=True):
        np.testing.assert_allclose(found, each, rtol=1e-6, atol=1e-8)
    if np.dtype(dtype).kind == "f":
        weights = [rng.normal(size=each.shape) for each in wanted]
        back = s2s.vjp(compiled, a)[1](tuple(weights))[0]
        forward = sum(np.sum(weight * each) for weight, each in zip(weights, s2s.jvp(compiled, (a,), (tangent,))[1], strict=True))
        np.testing.assert_allclose(np.sum(back * tangent), forward, rtol=1e-12)
    np.testing.assert_allclose(s2s.jvp(s2s.vmap(compiled), (a,), (tangent,))[1][0][0], s2s.jvp(compiled, (a[0],), (tangent[0],))[1][0], rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("shape", [(4, 2), (5, 3), (3, 1)])
def test_complete_qr_decompositions_of_upper_triangles_have_derivatives(shape: tuple[int, int], dtype: Any) -> None:
    """No column needs a reflection. Beside such a matrix Q's first columns have other signs, its last ones none; along triangles all move smoothly."""
    rng, (rows, columns) = np.random.default_rng(5), shape
    a, tangent = (np.triu((rng.normal(size=(*shape, 2)) @ [1, 1j if dtype == np.complex128 else 0]).astype(dtype)) for _ in range(2))
    for each in (a, tangent):
        each[range(columns), range(columns)] = each[range(columns), range(columns)].real
    compiled = s2s.jit(lambda a: tuple(complete_qr(a)))

    def differences(tangent):
        return [(after - before) / 2e-6 for after, before in zip(complete_qr(a + 1e-6 * tangent), complete_qr(a - 1e-6 * tangent), strict=True)]

    for found, wanted in zip(s2s.jvp(compiled, (a,), (tangent,))[1], differences(tangent), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
    tangent = tangent + rng.normal(size=shape)
    q_dot, r_dot = s2s.jvp(compiled, (a,), (tangent,))[1]
    np.testing.assert_allclose(q_dot[:, columns:], differences(tangent)[0][:, columns:], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(q_dot @ complete_qr(a)[1] + complete_qr(a)[0] @ r_dot, tangent, atol=1e-14)
    back = s2s.vjp(compiled, a)[1]((np.conj(q_dot), np.conj(r_dot)))[0]
    np.testing.assert_allclose(np.sum(back * tangent).real, np.sum(np.abs(q_dot) ** 2) + np.sum(np.abs(r_dot) ** 2), rtol=1e-12)
    with pytest.raises(np.linalg.LinAlgError, match="linearly dependent columns"):
        s2s.jvp(compiled, (0 * a,), (tangent,))


def test_second_derivatives_of_a_complete_qr_decomposition() -> None:
    def f(a):
        q, r = np.linalg.qr(a, mode="complete")
        return np.sum(q**3) + np.sum(r**2)

    s2s.test_util.check_grads(f, (drawn(4, 2),), order=2)


def test_values_of_rectangles_have_derivatives_and_some_forms_none():
    a = drawn(4, 2)
    np.testing.assert_allclose(s2s.grad(lambda a: np.sum(np.linalg.svd(a)[1] ** 2))(a), 2 * a, rtol=1e-10)
    for f in (lambda a: np.sum(scipy.linalg.schur(a @ a.T)[0]), lambda a: np.sum(np.linalg.qr(a, mode="raw")[0])):
        with pytest.raises(UnsupportedError, match="the derivative of a"):
            s2s.grad(f)(a)


def of_the_further_vectors(a):
    """What depends on their space alone."""
    u, s, vh = np.linalg.svd(a)
    u, v = u[..., s.shape[-1] :], np.conj(np.swapaxes(vh, -1, -2))[..., s.shape[-1] :]
    weights = np.arange(1.0, 26.0).reshape(5, 5)
    onto = [np.real(each @ np.conj(np.swapaxes(each, -1, -2))) for each in (u, v)]
    return np.sum(s**3) + sum(np.sum(each**3 * weights[: each.shape[-1], : each.shape[-1]]) for each in onto) + np.sum(np.abs(vh[..., : s.shape[-1], :]) ** 3)


@pytest.mark.parametrize("shape", [(5, 2), (2, 5), (1, 3), (3, 1), (4, 3), (2, 3, 4), (3, 3)])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_derivatives_of_a_complete_singular_value_decomposition(shape: tuple[int, ...], dtype: Any) -> None:
    rng = np.random.default_rng(9)
    a, tangent = ((rng.normal(size=shape) + (1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else 0)).astype(dtype) for _ in range(2))
    value, along = s2s.jvp(of_the_further_vectors, (a,), (tangent,))
    np.testing.assert_allclose(value, of_the_further_vectors(a), rtol=1e-12)
    np.testing.assert_allclose(along, (of_the_further_vectors(a + 1e-6 * tangent) - of_the_further_vectors(a - 1e-6 * tangent)) / 2e-6, rtol=1e-6)
    np.testing.assert_allclose(np.sum(s2s.grad(of_the_further_vectors)(a) * tangent).real, along, rtol=1e-12)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_the_vector_that_a_matrix_maps_to_zero_has_derivatives_twice(target: str) -> None:
    def loss(a):
        return np.sum(np.abs(np.linalg.svd(a)[2][-1]) ** 3)

    a = drawn(3, 4)
    gradient = s2s.jit(s2s.grad(loss), target=target)
    np.testing.assert_allclose(gradient(a), slope_by_differences(loss, a), rtol=1e-5, atol=1e-7)
    if target == "numpy":
        hessian = s2s.hessian(loss)(a)
        np.testing.assert_allclose(hessian, s2s.jacfwd(s2s.jacrev(loss))(a), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(hessian[..., 1, 2], slope_by_differences(lambda x: gradient(x)[1, 2], a), rtol=1e-5, atol=1e-6)
