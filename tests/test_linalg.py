"""numpy.linalg and scipy.linalg: against NumPy and SciPy themselves (values, dtypes, types, exceptions), and derivatives against differences."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import s2s

# ---- what is called ------------------------------------------------------------------------------------------------------


def solve(a, b):
    return np.linalg.solve(a, b)


def inverse(a):
    return np.linalg.inv(a)


def determinant(a):
    return np.linalg.det(a)


def signed_logarithm(a):
    return np.linalg.slogdet(a)


def factor(a):
    return np.linalg.cholesky(a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1], dtype=a.dtype))


def upper_factor(a):
    return np.linalg.cholesky(a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(a.shape[-1], dtype=a.dtype), upper=True)


def eigenvalues(a):
    return np.linalg.eigvalsh(a + np.conj(np.swapaxes(a, -1, -2)))


def of_the_upper_triangle(a):
    return np.linalg.eigvalsh(a, UPLO="U")


def eigen(a):
    w, v = np.linalg.eigh(a + np.conj(np.swapaxes(a, -1, -2)))
    return w, np.abs(v)


def singular_values(a):
    return np.linalg.svd(a, compute_uv=False)


def rebuilt(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return (u * s[..., None, :] ** 3) @ vh


def triangle(a):
    q, r = np.linalg.qr(a)
    return np.abs(r), q @ r


def spectral_norms(a):
    return np.linalg.norm(a, 2, axis=(-2, -1)), np.linalg.norm(a, -2, axis=(-1, -2), keepdims=True), np.linalg.norm(a, "nuc", axis=(-2, -1))


def cho(a, b):
    c = scipy.linalg.cho_factor(a @ np.conj(a.T) + np.eye(len(a), dtype=a.dtype))
    return scipy.linalg.cho_solve(c, b)


def cho_lower(a, b):
    c, low = scipy.linalg.cho_factor(a @ np.conj(a.T) + np.eye(len(a), dtype=a.dtype), lower=True)
    return scipy.linalg.cho_solve((c, low), b)


def lower_triangle(a, b):
    return scipy.linalg.solve_triangular(a, b, lower=True)


def turned_triangle(a, b):
    return scipy.linalg.solve_triangular(a, b, trans="C", unit_diagonal=True)


def any_eigen(a):
    w, v = np.linalg.eig(a)
    return w, np.abs(v), np.linalg.eigvals(a) ** 2


def pseudo_inverse(a):
    return np.linalg.pinv(a), np.linalg.pinv(a, rcond=1e-3)


OF_SQUARES = [inverse, determinant, signed_logarithm, factor, upper_factor, eigenvalues, of_the_upper_triangle, eigen]
OF_ANY = [pseudo_inverse, singular_values, rebuilt, triangle, spectral_norms]
OF_SYSTEMS = [cho, cho_lower, lower_triangle, turned_triangle, solve]
DTYPES = [np.float64, np.float32, np.complex128, np.complex64, np.int64]


def drawn(rng: np.random.Generator, *shape: int, dtype: Any = np.float64) -> Any:
    """A matrix that is far from singular and has no repeated eigenvalues."""
    x = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.normal(size=shape)
    if len(shape) > 1:
        x = x + 3 * np.diag(np.arange(1.0, max(shape[-2:]) + 1))[: shape[-2], : shape[-1]]
    return (10 * x).astype(dtype) if np.dtype(dtype).kind == "i" else x.astype(dtype)


def leaves(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, tuple) else (result,)


def assert_same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted)
    for got, want in zip(leaves(found), leaves(wanted), strict=True):
        assert type(got) is type(want)
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        tolerance = 2e-4 if want.dtype.itemsize == (8 if want.dtype.kind == "c" else 4) else 1e-10
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * max(1.0, float(np.max(np.abs(want), initial=0.0))))


def calls() -> list[Any]:
    result = [(function, shapes) for function in OF_SQUARES for shapes in (((3, 3),), ((1, 1),), ((2, 4, 4),), ((0, 0),), ((0, 2, 2),), ((2, 1, 2, 2),))]
    result += [(function, shapes) for function in OF_ANY for shapes in (((3, 3),), ((4, 2),), ((2, 4),), ((3, 2, 2),), ((1, 3),))]
    result += [(function, ((3, 3), right)) for function in OF_SYSTEMS for right in ((3,), (3, 2), (3, 1))]
    result += [(solve, shapes) for shapes in (((2, 3, 3), (3, 1)), ((3, 3), (2, 3, 2)), ((2, 1, 2, 2), (3, 2, 2)), ((0, 0), (0,)), ((1, 1), (1,)), ((2, 3, 3), (3,)))]
    return [pytest.param(function, shapes, id=f"{function.__name__}-{shapes}") for function, shapes in result]


@pytest.mark.parametrize(("function", "shapes"), calls())
def test_values(function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...]) -> None:
    rng = np.random.default_rng(len(shapes[0]))
    for dtype in DTYPES if function is not turned_triangle else DTYPES[:4]:
        args = tuple(drawn(rng, *shape, dtype=dtype) for shape in shapes)
        kept = [np.array(arg) for arg in args]
        found = s2s.jit(function, target="numpy")(*args)
        assert_same(found, function(*args))
        for arg, before in zip(args, kept, strict=True):
            np.testing.assert_array_equal(arg, before)


def differences(function: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, ...]) -> float:
    ahead, behind = (function(*(arg + step * dot for arg, dot in zip(args, dots, strict=True))) for step in (1e-5, -1e-5))
    return (ahead - behind) / 2e-5


DIFFERENTIATED = [
    pytest.param(function, shapes, dtype, id=f"{function.__name__}-{shapes}-{np.dtype(dtype).name}")
    for function, shapes in (
        *((function, ((3, 3),)) for function in (inverse, determinant, factor, upper_factor, eigenvalues, of_the_upper_triangle, rebuilt, singular_values, triangle)),
        (spectral_norms, ((3, 4),)), (rebuilt, ((4, 2),)), (rebuilt, ((2, 3),)), (triangle, ((4, 3),)), (singular_values, ((2, 3, 2),)), (factor, ((2, 3, 3),)),
        *((function, ((3, 3), right)) for function in OF_SYSTEMS for right in ((3,), (3, 2))), (solve, ((2, 3, 3), (3,))),
    )
    for dtype in (np.float64, np.complex128)
]  # fmt: skip


def loss_of(function: Callable[..., Any]) -> Callable[..., Any]:
    def loss(*args):
        found = function(*args)
        total = 0.0
        for part in found if isinstance(found, tuple) else (found,):
            total = total + np.sum(np.real(part * np.conj(part))) + np.sum(np.real(part))
        return total

    return loss


@pytest.mark.parametrize(("function", "shapes", "dtype"), DIFFERENTIATED)
def test_derivatives(function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...], dtype: Any) -> None:
    rng = np.random.default_rng(3)
    args = tuple(drawn(rng, *shape, dtype=dtype) for shape in shapes)
    dots = tuple(drawn(rng, *shape, dtype=dtype) / 10 for shape in shapes)
    loss = s2s.jit(loss_of(function), target="numpy")
    value, pushed = s2s.jvp(loss, args, dots)
    bars = s2s.grad(loss, argnums=tuple(range(len(args))))(*args)
    pulled = sum(np.sum(bar * dot).real for bar, dot in zip(bars, dots, strict=True))
    assert abs(pushed - pulled) <= 1e-10 * max(1.0, abs(pushed))
    by_steps = differences(loss_of(function), args, dots)
    assert abs(pushed - by_steps) <= 1e-6 * max(1.0, abs(by_steps), abs(value))


ERRORS = [
    (solve, (np.zeros((2, 2)), np.ones(2))), (inverse, (np.ones((2, 2)),)), (inverse, (np.ones((2, 3)),)), (determinant, (np.ones((3, 2)),)),
    (inverse, (np.ones(3),)), (solve, (np.eye(2), np.ones(3))), (solve, (np.eye(2), np.ones((3, 2)))), (lambda a: np.linalg.cholesky(a), (-np.eye(3),)),
    (lambda a: np.linalg.cholesky(a), (np.ones((2, 3)),)), (lambda a: np.linalg.eigvalsh(a, UPLO="X"), (np.eye(2),)),
    (lambda a: np.linalg.eigh(a), (np.full((3, 3), np.nan),)), (lambda a: np.linalg.svd(a, compute_uv=False), (np.full((3, 3), np.nan),)),
    (solve, (np.ones((2, 2, 2)), np.ones((3, 2, 1)))), (inverse, (np.stack([np.eye(2), np.zeros((2, 2))]),)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors(number: int) -> None:
    """NumPy's exception with its words."""
    function, args = ERRORS[number]
    with pytest.raises(Exception) as wanted:  # noqa: PT011
        function(*args)
    with pytest.raises(type(wanted.value)) as found:
        s2s.jit(function, target="numpy")(*args)
    words = str(wanted.value)
    assert words.split("(size")[0].split("remapped shapes")[0] in str(found.value) or "broadcast" in words


def test_the_determinant_of_a_singular_matrix() -> None:
    singular = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert s2s.jit(determinant, target="numpy")(singular) == np.linalg.det(singular)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        s2s.grad(s2s.jit(determinant, target="numpy"))(singular)


def compiled_losses(a, b, tall):
    """Everything, at a size that goes through LAPACK."""
    s = a @ a.T + np.eye(len(a))
    w, v = np.linalg.eigh(s)
    q, r = np.linalg.qr(tall)
    _, sizes, _ = np.linalg.svd(tall, full_matrices=False)
    return (
        np.linalg.solve(a, b), np.linalg.slogdet(a)[1], np.linalg.cholesky(s), w, np.abs(v), q @ r, sizes,
        scipy.linalg.solve_triangular(a, b, trans=1, lower=True), scipy.linalg.solve_triangular(a, b),
    )  # fmt: skip


def log_density(x, covariance):
    lower = np.linalg.cholesky(covariance)
    return -np.sum(np.linalg.solve(lower, x) ** 2) - np.sum(np.log(np.diag(lower)))


def test_compiled() -> None:
    """Small matrices by loops, large ones by LAPACK and BLAS; the gradient is that of the numpy target."""
    rng = np.random.default_rng(0)
    gradient = s2s.grad(s2s.jit(log_density), argnums=(0, 1))
    plain = s2s.grad(s2s.jit(log_density, target="numpy"), argnums=(0, 1))
    values = s2s.jit(compiled_losses)
    for n in (3, 90):
        args = (drawn(rng, n, n) + 5 * n * np.eye(n), drawn(rng, n, 20), drawn(rng, n, 2))
        for found, wanted in zip(values(*args), compiled_losses(*args), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
        covariance = args[0] @ args[0].T + np.eye(n)
        for found, wanted in zip(gradient(args[1], covariance), plain(args[1], covariance), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        values(np.zeros((3, 3)), np.ones((3, 20)), np.ones((3, 2)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])
@pytest.mark.parametrize("shape", [(3, 3), (1, 1), (2, 4, 4), (0, 2, 2)])
def test_general_eigenvalues(shape: tuple[int, ...], dtype: Any) -> None:
    """Complex also where all eigenvalues are real."""
    a = drawn(np.random.default_rng(0), *shape, dtype=dtype)
    for found, wanted in zip(s2s.jit(any_eigen, target="numpy")(a), any_eigen(a.astype(dtype)), strict=True):
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-3 if np.dtype(dtype).itemsize == 4 or dtype == np.complex64 else 1e-10, atol=1e-5 if found.dtype.itemsize < 16 else 1e-12)
    with pytest.raises(np.linalg.LinAlgError, match="infs or NaNs"):
        s2s.jit(lambda a: np.linalg.eigvals(a), target="numpy")(np.full((2, 2), np.nan, dtype))


def of_scipy(a, b):
    p, low, up = scipy.linalg.lu(a)
    values = scipy.linalg.eigvals(a)
    return p @ low @ up, up, scipy.linalg.lu(a, permute_l=True)[0], np.real(np.sum(values**3)), scipy.linalg.pinv(b), scipy.linalg.eigvalsh(a + a.T), scipy.linalg.norm(b, 1)


def test_more_of_scipy() -> None:
    rng = np.random.default_rng(0)
    a, b = drawn(rng, 3, 3), drawn(rng, 4, 2)
    for found, wanted in zip(s2s.jit(of_scipy, target="numpy")(a, b), of_scipy(a, b), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)
    s2s.check_grads(s2s.jit(of_scipy, target="numpy"), (a, b), order=2, modes=("fwd", "rev"))


def compiled_ones(a, b):
    w, v = np.linalg.eig(a)
    return np.real(w), np.abs(v), np.linalg.pinv(b), np.linalg.pinv(b.astype(np.complex128)), scipy.linalg.expm(a / 9), np.abs(np.linalg.eigvals(a.astype(np.complex128)))


def test_general_matrices_compiled() -> None:
    rng = np.random.default_rng(0)
    a, b = drawn(rng, 3, 3), drawn(rng, 4, 2)
    for found, wanted in zip(s2s.jit(compiled_ones)(a, b), compiled_ones(a, b), strict=True):
        np.testing.assert_allclose(np.sort(np.ravel(found)), np.sort(np.ravel(wanted)), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("function", [np.linalg.pinv, np.linalg.eigvals])
def test_an_error_that_may_be_caught(function: Callable[..., Any]) -> None:
    def tried(a):
        try:
            return np.sum(np.abs(function(a)))
        except np.linalg.LinAlgError:
            return -1.0

    compiled = s2s.jit(tried, target="numpy")
    for a in (np.eye(2), np.array([[2.0, 1.0], [3.0, -1.0]])):
        np.testing.assert_allclose(compiled(a), tried(a), rtol=1e-14)


def of_what_is_not_finite(a):
    try:
        factor, state = np.linalg.cholesky(a), 0
    except np.linalg.LinAlgError:
        factor, state = a, 1
    sign, logarithm = np.linalg.slogdet(a)
    return np.diag(factor), state, sign, logarithm, np.linalg.det(a)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_nan_makes_no_matrix_singular(target):
    f = s2s.jit(of_what_is_not_finite, target=target)
    for place in np.ndindex(3, 3):
        for number in (np.nan, np.inf):
            a = np.diag([2.0, 3.0, 4.0])
            a[place] = number
            with np.errstate(all="ignore"):
                for found, wanted in zip(f(a), of_what_is_not_finite(a), strict=True):
                    np.testing.assert_array_equal(found, wanted, err_msg=f"{number} {place}")


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [lambda a: np.sum(np.linalg.solve(a, a[0])), lambda a: np.sum(np.linalg.inv(a)), lambda a: np.linalg.det(a), lambda a: np.linalg.slogdet(a)[1]])
def test_derivatives_at_nan_are_nan(function, target):
    """Where the value is nan, so are they: no error."""
    run = s2s.jit(s2s.value_and_grad(function), target=target)
    for size in (2, 30):
        a = np.eye(size) + 0.1
        a[1, 0] = np.nan
        value, slope = run(a)
        assert np.isnan(value), size
        assert np.isnan(slope).all(), size


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_order_of_lu_has_scipys_dtype(size):
    a = np.eye(size) + 0.3
    found, wanted = s2s.jit(lambda a: scipy.linalg.lu(a, p_indices=True)[0], target="numpy")(a), scipy.linalg.lu(a, p_indices=True)[0]
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("shape", [(4, 2), (3, 3), (2, 4)])
@pytest.mark.parametrize("dtype", [np.complex64, np.float32])
def test_residuals_have_scipys_dtype(shape, dtype):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=shape).astype(dtype), rng.normal(size=(shape[0], 2)).astype(np.complex64)
    found, wanted = s2s.jit(lambda a, b: scipy.linalg.lstsq(a, b)[1], target="numpy")(a, b), scipy.linalg.lstsq(a, b)[1]
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-4)


def test_the_gradient_of_a_large_cholesky_factor_goes_by_blocks() -> None:
    """Blocks of 24 from the last one to the first: sizes with and without a rest, and one example of a batch like another."""
    rng = np.random.default_rng(5)

    def loss(a: Any) -> Any:
        return np.sum(np.sin(np.linalg.cholesky(a)))

    compiled, plain = s2s.grad(loss), s2s.jit(lambda a: s2s.grad(loss)(a), target="numpy")
    for n in (1, 2, 48, 49, 60, 72, 130):
        a = rng.normal(size=(n, n))
        a = a @ a.T + n * np.eye(n)
        np.testing.assert_allclose(compiled(a), plain(a), rtol=1e-9, atol=1e-13)
        np.testing.assert_allclose(compiled(a.astype(np.float32)), plain(a), rtol=2e-3, atol=1e-5)
    stack = np.stack((a, 2.0 * a))
    np.testing.assert_allclose(s2s.vmap(compiled)(stack), np.stack([plain(each) for each in stack]), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("n", [49, 97, 193, 250])
def test_gradient_of_large_cholesky_factors(n):
    """In blocks, and in blocks of blocks."""
    a = np.random.default_rng(n).normal(size=(n, n))
    a, weights = a @ a.T + n * np.eye(n), np.tril(a)

    def loss(a, weights):
        return np.sum(weights * np.linalg.cholesky(a))

    found, wanted = s2s.grad(loss)(a, weights), s2s.grad(s2s.jit(loss, target="numpy"))(a, weights)
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-13 * np.max(np.abs(wanted)))


@pytest.mark.parametrize("n", [3, 49, 250])
def test_derivatives_of_large_cholesky_factors_of_complex_numbers(n):
    """In blocks: forward against reverse mode, their own derivatives, and one example of a batch like another."""
    rng = np.random.default_rng(n)
    a, d, weights = rng.normal(size=(3, n, n)) + 1j * rng.normal(size=(3, n, n))
    a = a @ np.conj(a.T) + n * np.eye(n)

    def loss(a):
        return np.sum(np.sin((weights * np.linalg.cholesky(a)).real))

    def along(a):
        return s2s.jvp(loss, (a,), (d,))[1]

    def reversed_along(a):
        return np.sum((s2s.grad(loss)(a) * d).real)

    slope = s2s.grad(loss)(a)
    np.testing.assert_allclose(slope, s2s.grad(s2s.jit(loss, target="numpy"))(a), rtol=1e-11, atol=1e-13 * np.max(np.abs(slope)))
    np.testing.assert_allclose(along(a), np.sum((slope * d).real), rtol=1e-11)
    np.testing.assert_allclose(s2s.vmap(s2s.grad(loss))(np.stack((2.0 * a, a)))[1], slope, rtol=1e-12)
    second = s2s.grad(along)(a)
    np.testing.assert_allclose(s2s.grad(reversed_along)(a), second, rtol=1e-9, atol=1e-12 * np.max(np.abs(second)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])
def test_values_alone_are_found_without_vectors(dtype):
    """Compiled: half of LAPACK's work, and one eigenvalue's derivative has the vectors all the same."""

    def values(a):
        return np.linalg.eigvalsh(a), np.sort(np.abs(np.linalg.eigvals(a)), -1), np.linalg.svd(a, compute_uv=False)

    def singular(a):
        return np.linalg.svd(a, compute_uv=False)

    compiled, singular_alone, rng = s2s.jit(values), s2s.jit(singular), np.random.default_rng(4)
    tolerance = {"rtol": 1e3 * np.finfo(dtype).eps, "atol": 1e2 * np.finfo(dtype).eps}
    for shape in ((4, 4), (1, 1), (3, 5, 5), (0, 2, 2)):
        a = (rng.normal(size=shape) + (1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else 0)).astype(dtype)
        for found, wanted in zip(compiled(a), values(a), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, **tolerance)
    for shape in ((3, 5), (5, 3), (0, 3), (2, 4, 3)):
        a = rng.normal(size=shape).astype(dtype)
        np.testing.assert_allclose(singular_alone(a), singular(a), **tolerance)
    source = compiled.source(np.eye(2, dtype=dtype))
    assert "eigenvalues(" in source and "singular_values(" in source and "vectors" not in source.replace("without vectors", "")


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
@pytest.mark.parametrize("options", [{"lower": lower, "trans": trans, "unit_diagonal": unit} for lower in (False, True) for trans in ("N", "T") for unit in (False, True)], ids=str)
def test_triangles_and_vectors(options, dtype):
    """One column goes by sums and by rows that are added, compiled."""
    rng = np.random.default_rng(6)
    compiled = s2s.jit(lambda a, b: scipy.linalg.solve_triangular(a, b, **options))
    for n in (1, 2, 9, 70):
        a = (rng.normal(size=(n, n)) / n + (1j * rng.normal(size=(n, n)) / n if np.dtype(dtype).kind == "c" else 0) + np.eye(n)).astype(dtype)
        b = (a @ rng.normal(size=n)).astype(dtype)
        tolerance = 200 * np.finfo(dtype).eps
        np.testing.assert_allclose(compiled(a, b), scipy.linalg.solve_triangular(a, b, **options), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("n", [15, 16, 17, 40, 70])
def test_systems_of_complex_numbers_of_any_size(n):
    """By loops, and from a size on by LAPACK."""
    rng = np.random.default_rng(n)
    a, b = (rng.normal(size=shape) + 1j * rng.normal(size=shape) for shape in ((n, n), (n,)))
    np.testing.assert_allclose(s2s.jit(solve)(a, b), solve(a, b), rtol=1e-9)
    np.testing.assert_allclose(s2s.jit(signed_logarithm)(a)[1], signed_logarithm(a)[1], rtol=1e-12)


@pytest.mark.parametrize("shape", [(3, 0), (2, 3, 0), (0, 3), (0, 0)])
def test_hermitian_pseudo_inverses_of_nothing(shape):
    def inverse(a):
        return np.linalg.pinv(a, hermitian=True)

    assert s2s.jit(inverse, target="numpy")(np.zeros(shape)).shape == inverse(np.zeros(shape)).shape


@pytest.mark.parametrize(("x", "out"), [(np.eye(2), np.zeros(3)), (np.ones((2, 2, 3)), np.zeros(())), (np.eye(2), np.zeros((1, 1)))])
def test_an_out_of_a_trace_has_its_axes(x, out):
    for trace in (lambda x, out: np.trace(x, out=out), s2s.jit(lambda x, out: np.trace(x, out=out), target="numpy")):
        with pytest.raises(ValueError, match="output parameter for reduction operation add has the wrong number of dimensions"):
            trace(x, out)


def shortest(a, b):
    return np.linalg.lstsq(a, b, rcond=None)[0]


@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.float32])
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (40, 40), (4, 0), (0, 4)])
def test_least_squares_by_lapack(shape, dtype):
    """A vector and a matrix of right sides, and a batch of them, for which a matrix is taken apart once."""
    rng = np.random.default_rng(3)
    a, b = (rng.normal(size=(*shape, 2)) @ [1, 1j if dtype == np.complex128 else 0]).astype(dtype), rng.normal(size=(shape[0], 4)).astype(dtype)
    near = {"rtol": 1e-4, "atol": 1e-4} if dtype == np.float32 else {"rtol": 1e-9, "atol": 1e-11}
    compiled = s2s.jit(shortest)
    np.testing.assert_allclose(compiled(a, b), shortest(a, b), **near)
    np.testing.assert_allclose(compiled(a, b[:, 0].copy()), shortest(a, b[:, 0]), **near)
    text = s2s.vmap(shortest, in_axes=(None, 1)).source(a, b)
    assert "least_squares(" in text and "pseudo_inverse(" not in text
    np.testing.assert_allclose(s2s.vmap(shortest, in_axes=(None, 1))(a, b), shortest(a, b).T, **near)
    np.testing.assert_allclose(s2s.vmap(shortest, in_axes=(0, None))(np.stack((a, 2 * a)), b)[1], shortest(2 * a, b), **near)


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (4, 4)])
def test_derivatives_of_least_squares(shape):
    """Both modes, and those of a matrix whose rank is too low along directions that keep it."""
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=shape), rng.normal(size=(shape[0], 2))

    def loss(a, b):
        return np.sum(np.sin(shortest(a, b)))

    def by_inverse(a, b):
        return np.sum(np.sin(np.linalg.pinv(a) @ b))

    for found, wanted in zip(s2s.grad(loss, (0, 1))(a, b), s2s.grad(by_inverse, (0, 1))(a, b), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)
    s2s.test_util.check_grads(loss, (a, b), order=2)
    low, side = np.outer(np.arange(1.0, 5.0), [1.0, -2.0]), np.arange(4.0)[:, np.newaxis]

    def of_first(t):
        return np.sum(shortest(t * low, side) ** 2)

    np.testing.assert_allclose(s2s.grad(of_first)(1.5), -2 * np.sum(shortest(low, side) ** 2) / 1.5**3, rtol=1e-11)


def test_all_results_of_least_squares_are_of_one_decomposition():
    def everything(a, b):
        return tuple(np.linalg.lstsq(a, b, rcond=None))

    rng = np.random.default_rng(9)
    for a in (rng.normal(size=(5, 3)), rng.normal(size=(3, 5)), np.outer(np.arange(1.0, 5.0), [1.0, -2.0]), rng.normal(size=(5, 3)).astype(np.float32)):
        b = rng.normal(size=(a.shape[0], 2)).astype(a.dtype)
        for each in (s2s.jit(everything), s2s.jit(everything, target="numpy")):
            for found, wanted in zip(each(a, b), everything(a, b), strict=True):
                np.testing.assert_allclose(found, wanted, **({"rtol": 1e-5} if a.dtype == np.float32 else {"rtol": 1e-11, "atol": 1e-13}))
                assert found.dtype == wanted.dtype
    assert "singular(" not in s2s.jit(everything).source(a, b)

    def loss(a, b):
        x, residuals, _, s = np.linalg.lstsq(a, b, rcond=None)
        return np.sum(x**3) + np.sum(residuals) + np.sum(s**2 * np.arange(1.0, 4.0))

    s2s.test_util.check_grads(loss, (rng.normal(size=(5, 3)), rng.normal(size=(5, 2))), order=2)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_vectors_of_a_square_matrix_whose_last_singular_value_is_0_have_a_derivative(dtype):
    """Those of the others: no side has anything orthogonal to all vectors."""
    rng = np.random.default_rng(4)
    (u, v), t = (np.linalg.qr((rng.normal(size=(2, 3, 3, 2)) @ [1, 1j if dtype == np.complex128 else 0]).astype(dtype)[k])[0] for k in (0, 1)), rng.normal(size=(3, 3))
    a = u @ np.diag([3.0, 2.0, 0.0]) @ v

    def loss(a):
        u, _, vh = np.linalg.svd(a)
        return np.sum(np.abs(u[:, :1]) ** 4) + np.sum(np.abs(vh[:1]) ** 4)

    found = s2s.jvp(loss, (a,), (t.astype(dtype),))[1]
    np.testing.assert_allclose(found, (loss(a + 1e-6 * t) - loss(a - 1e-6 * t)) / 2e-6, rtol=1e-7)
    if dtype == np.float64:
        np.testing.assert_allclose(np.sum(s2s.grad(loss)(a) * t), found, rtol=1e-12)


@pytest.mark.parametrize("first", [np.int64, np.int8, np.bool_, np.float32, np.complex64])
@pytest.mark.parametrize("second", [np.int64, np.bool_, np.float32, np.complex128])
def test_least_squares_of_whole_numbers(first, second):
    rng = np.random.default_rng(2)
    a, b = (3 * rng.normal(size=(4, 2))).astype(first), (3 * rng.normal(size=(4, 2))).astype(second)
    for found, wanted in zip(s2s.jit(lambda a, b: np.linalg.lstsq(a, b), target="numpy")(a, b), np.linalg.lstsq(a, b), strict=True):  # noqa: PLW0108
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype


def test_a_cutoff_below_0_is_rounding():
    a, b = np.outer(np.arange(1.0, 5.0), [1.0, -2.0]), np.arange(4.0)
    for each in (s2s.jit(lambda a, b, rcond: np.linalg.lstsq(a, b, rcond)), s2s.jit(lambda a, b, rcond: np.linalg.lstsq(a, b, rcond=-1), target="numpy")):
        found = each(a, b, -1.0)
        assert found[2] == np.linalg.lstsq(a, b, -1)[2] == 1
        np.testing.assert_allclose(found[0], np.linalg.lstsq(a, b, -1)[0], rtol=1e-12)


def test_a_hermitian_svd_of_a_singular_matrix_has_all_vectors():
    for a in (np.zeros((3, 3)), np.diag([2.0, 0.0, -1.0]), np.ones((2, 2, 2)) + 0j):
        u, s, vh = s2s.jit(lambda a: np.linalg.svd(a, hermitian=True), target="numpy")(a)
        np.testing.assert_allclose(vh, np.linalg.svd(a, hermitian=True)[2], atol=1e-15)
        np.testing.assert_allclose(vh @ np.conj(np.swapaxes(vh, -1, -2)), np.broadcast_to(np.eye(a.shape[-1]), a.shape), atol=1e-14)
        np.testing.assert_allclose((u * s[..., np.newaxis, :]) @ vh, a, atol=1e-14)


def test_least_squares_that_do_not_converge_say_so():
    for each in (shortest, s2s.jit(shortest), s2s.jit(shortest, target="numpy")):
        with pytest.raises(np.linalg.LinAlgError, match="SVD did not converge"):
            each(np.array([[1.0, np.nan], [2.0, 3.0], [1.0, 1.0]]), np.ones(3))


@pytest.mark.parametrize("dtype", [np.float64, np.complex64, np.int64])
@pytest.mark.parametrize("words", [{}, {"lower": True}, {"overwrite_a": True}])
def test_the_other_triangle_of_a_factor_is_scipys(dtype, words):
    matrix = np.array([[9, 3, 1], [3, 7, 5], [1, 5, 9]]).astype(dtype)
    found, wanted = s2s.jit(lambda a: scipy.linalg.cho_factor(a, **words), target="numpy")(matrix), scipy.linalg.cho_factor(matrix.copy(), **words)
    assert [(type(each), np.asarray(each).dtype, np.shape(each)) for each in found] == [(type(each), np.asarray(each).dtype, np.shape(each)) for each in wanted]
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-6)
    assert found[1] == wanted[1]
