"""np.vectorize: made outside and inside, with its options; complex numbers in NumPy's order; functions of SciPy of what is known."""
from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.signal
import scipy.special
import scipy.stats
from test_composed import quietly

import s2s

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(3, 4)), RNG.normal(size=4)
Z = X + 1j * RNG.normal(size=(3, 4))


@np.vectorize
def bent(x, y):
    if x > 0:
        return x * y
    return y - x * x


power = np.vectorize(lambda x, n=2: x**n, otypes=[float], excluded={"n"})
two = np.vectorize(lambda x: (x, 2 * x))
FORMS = {
    "decorated": lambda x, y: bent(x, y), "excluded": lambda x, y: power(x, n=3) + power(y), "several results": lambda x, y: two(x)[0] + two(y)[1],
    "inside": lambda x, y: np.vectorize(lambda a, b: a / b if a > b else b - a)(x, y), "dtype": lambda x, y: np.vectorize(lambda a: a + 1, otypes="f")(x),
    "whole numbers": lambda x, y: np.vectorize(lambda a: 1 if a > 0 else -1)(x) * y, "a number": lambda x, y: np.vectorize(np.hypot)(x, 2.0), "by place": lambda x, y: np.vectorize(lambda a, n: a**n, excluded={1})(y, 3),
    "signature": lambda x, y: np.vectorize(np.dot, signature="(n),(n)->()")(x, y), "signature without loops": lambda x, y: np.vectorize(lambda a, b: a @ b, signature="(m,n),(n)->(m)")(x, y),
    "signature of several": lambda x, y: np.vectorize(lambda a: (a.sum(), 2 * a), signature="(n)->(),(n)")(x)[1] + y, "another axis": lambda x, y: np.vectorize(np.convolve, signature="(n),(m)->(k)")(x, y[:2]),
    "signature and options": lambda x, y: np.vectorize(lambda a, b, n=2: (a * b) ** n, signature="(n),()->(n)", excluded={"n"}, otypes=[float])(x, y[:3], n=3),
}  # fmt: skip


def test_sizes_of_a_signature():
    for x, y, words in ((X, X[:, :3], "inconsistent size for core dimension 'n'"), (X[0, 0], Y, "does not have enough dimensions"), (X[:0], Y, "size 0 inputs")):
        for f in (s2s.jit(FORMS["signature"], target="numpy"), FORMS["signature"]):
            with pytest.raises(ValueError, match=words):
                f(x, y)


@pytest.mark.parametrize("form", FORMS)
def test_forms(form):
    found, wanted = s2s.jit(FORMS[form], target="numpy")(X, Y), FORMS[form](X, Y)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    if wanted.dtype == np.float64:
        s2s.check_grads(s2s.jit(FORMS[form], target="numpy"), (X, Y), order=2)


OF_ELEMENTS = {
    "products": lambda x: np.vectorize(lambda a: a * a)(x), "sums": lambda x: np.vectorize(lambda a, b: a + b)(x, x), "several": lambda x: np.vectorize(lambda a: (a, a + 1, a > 0))(x), "beside a number": lambda x: np.vectorize(lambda a, b: a * b)(x, 2),
    "math": lambda x: np.vectorize(lambda a: abs(a) / 3)(x), "otypes": lambda x: np.vectorize(lambda a: 50 * a, otypes="b")(x), "paths": lambda x: np.vectorize(lambda a: a * 1.5 if a == 0 else a * 2.5)(x),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["f4", "f2", "i4", "i1", "u1", "?", "c8", "c16"])
@pytest.mark.parametrize("form", OF_ELEMENTS)
def test_dtypes_are_those_of_numpys_numbers_and_elements_pythons(form, dtype):
    x = np.array([[1.1, 3.3], [100.7, 0.0]]).astype(dtype)
    try:
        wanted = quietly(OF_ELEMENTS[form], x)
    except (OverflowError, TypeError) as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            quietly(s2s.jit(OF_ELEMENTS[form], target="numpy"), x)
        return
    found = quietly(s2s.jit(OF_ELEMENTS[form], target="numpy"), x)
    for a, b in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]:
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-15 if b.dtype.itemsize > 4 else 1e-6)


def test_compiled_and_batched():
    np.testing.assert_allclose(s2s.jit(bent)(X, Y), bent(X, Y), rtol=1e-15)
    np.testing.assert_allclose(s2s.vmap(lambda x: bent(x, 2.0))(X), bent(X, 2.0), rtol=1e-15)
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(bent(x, Y)))(X), np.where(X > 0, np.broadcast_to(Y, X.shape), -2 * X), rtol=1e-15)


def test_what_is_refused():
    with pytest.raises(s2s.UnsupportedError, match="of one type on one path and of another") as error:
        s2s.jit(lambda x: np.vectorize(lambda a: 1 if a > 0 else 0.5)(x), target="numpy")(X)
    assert "otypes=[float]" in str(error.value)
    with pytest.raises(ValueError, match="size 0 inputs unless `otypes`"):
        s2s.jit(lambda x: np.vectorize(lambda a: a)(x), target="numpy")(X[:0])


# ---- complex numbers in order ------------------------------------------------------------------------------------------------------

NAN = np.array([1 + 2j, complex(0.0, np.nan), complex(np.nan, 1.0), 5.0])
TIES = np.array([1 + 2j, 1 - 1j, 1 + 2j, 0 + 9j, 1 - 1j])
ORDERS = {
    "max": lambda z: np.max(z), "min": lambda z: np.min(z), "axis": lambda z: np.max(z, axis=0), "axes": lambda z: np.min(z, axis=(0, 1), keepdims=True), "method": lambda z: z.max(axis=1), "argmax": lambda z: np.argmax(z),
    "argmin": lambda z: np.argmin(z, axis=1), "initial": lambda z: np.max(z, initial=0.5), "maximum": lambda z: np.maximum(z, z[::-1]), "fmin": lambda z: np.fmin(z, z[::-1]), "less": lambda z: z < z[::-1],
    "greater_equal": lambda z: np.greater_equal(z, 0.5), "ptp": lambda z: np.ptp(z, axis=0), "clip": lambda z: np.clip(z, -1, 1 + 1j), "sorted": lambda z: np.sort_complex(z),
}  # fmt: skip


@pytest.mark.parametrize("name", ORDERS)
def test_complex_numbers_in_order(name):
    f = ORDERS[name]
    for z in (Z, np.stack([NAN, NAN[::-1]]), TIES[None] * np.ones((2, 1)), Z.astype(np.complex64)):
        found, wanted = quietly(s2s.jit(f, target="numpy"), z), quietly(f, z)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    if name in ("max", "axis", "axes", "maximum", "ptp"):
        s2s.check_grads(s2s.jit(f, target="numpy"), (Z,), order=1)


def test_pythons_complex_numbers_have_no_order():
    with pytest.raises(TypeError, match="'<' not supported between instances of 'complex'"):
        s2s.jit(lambda z: z[0, 0].item() < 1j, target="numpy")(Z)


# ---- SciPy's functions of what is known -------------------------------------------------------------------------------------------


def test_functions_of_scipy_of_what_is_known():
    def f(x):
        points, weights = scipy.special.roots_legendre(4)
        b, a = scipy.signal.butter(2, 0.3)
        return np.sum(weights * np.exp(points)) * x + b[0] * a[1] + scipy.signal.windows.hann(5)[2] + scipy.stats.norm.ppf(0.9)

    np.testing.assert_allclose(s2s.jit(f, target="numpy")(X), f(X), rtol=1e-15)


def test_what_draws_or_gives_objects_is_refused():
    for f in (lambda x: scipy.signal.ShortTimeFFT(np.ones(3), 1, 1.0).delta_t + x, lambda x: scipy.stats.Normal(mu=0.5).sample(3) + x):
        with pytest.raises(s2s.UnsupportedError, match="is not supported"):
            s2s.jit(f, target="numpy")(X)


def test_sums_of_products_by_places():
    f = s2s.jit(lambda x, z: (np.einsum(x, [0, 1], z, [2, 1], [0, 2]), np.einsum(x, [..., 0]), np.einsum(x, [1, 0])), target="numpy")
    for found, wanted in zip(f(X, X), (np.einsum(X, [0, 1], X, [2, 1], [0, 2]), np.einsum(X, [..., 0]), np.einsum(X, [1, 0])), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
