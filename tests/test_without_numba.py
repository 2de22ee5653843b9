"""NUMBA_DISABLE_JIT: what is made for Numba runs as Python, with the same numbers. What it calls by C pointers is called by Python as well."""
import warnings

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import s2s
from s2s.calls.standalone import emit_text

RNG = np.random.default_rng(0)
X = RNG.uniform(0.2, 1.8, 8)
MATRIX = RNG.normal(size=(6, 6)) + 6 * np.eye(6)
LARGE = RNG.normal(size=(70, 70)) + 70 * np.eye(70)
ROWS = {
    "fft": (np.fft.fft, X), "rfft of an odd length": (np.fft.rfft, X[1:]), "irfft": (np.fft.irfft, X + 0j), "fft2": (np.fft.fft2, MATRIX),
    "solve": (lambda a: np.linalg.solve(a, a[0]), LARGE), "cholesky": (np.linalg.cholesky, LARGE @ LARGE.T), "eigh": (lambda a: np.linalg.eigh(a @ a.T)[0], MATRIX),
    "eigvals": (lambda a: np.sort(np.abs(np.linalg.eigvals(a))), MATRIX), "svd": (lambda a: np.linalg.svd(a)[1], MATRIX), "qr": (lambda a: np.abs(np.linalg.qr(a)[1]), MATRIX),
    "schur": (lambda a: np.abs(scipy.linalg.schur(a @ a.T)[0]), MATRIX), "product": (lambda a: a @ a, LARGE), "of complex numbers": (lambda a: (a + 1j) @ a, MATRIX),
    "i0": (scipy.special.i0, X), "ndtri": (lambda x: scipy.special.ndtri(x / 2), X), "gammainc": (lambda x: scipy.special.gammainc(x, x), X),
    "draws": (lambda x: x * np.random.default_rng(3).normal(size=8), X),
}  # fmt: skip


@pytest.fixture(autouse=True)
def disabled(monkeypatch):
    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)


@pytest.mark.parametrize("name", ROWS)
def test_numbers(name):
    function, x = ROWS[name]
    np.testing.assert_allclose(s2s.jit(function, target="cpu")(x), function(x), rtol=1e-9, atol=1e-12)


def test_derivative():
    """A gradient through a transform, against finite differences."""

    def power(x):
        return np.sum(np.abs(np.fft.rfft(x * x)) ** 2)

    v = RNG.normal(size=8)
    wanted = (power(X + 1e-6 * v) - power(X - 1e-6 * v)) / 2e-6
    assert s2s.grad(power)(X) @ v == pytest.approx(wanted, rel=1e-6)


def spectrum(x):
    return np.abs(np.fft.rfft(x)) ** 2


def test_a_module_that_stands_alone_says_so():
    """It has nobody who gives Python the C functions: an error, and no numbers that nothing has written."""
    name, text = emit_text(spectrum, ["jit"], args="f8[:]")
    with pytest.raises(AssertionError, match="unset NUMBA_DISABLE_JIT"):
        exec(compile(text, f"{name}.py", "exec"), {"__name__": name})  # noqa: S102


@pytest.mark.parametrize("name", ["sqrt", "log", "log1p", "arcsin", "arccosh", "arctanh", "exp", "cosh", "expm1"])
def test_out_of_the_domain(name):
    """Where Python's math raises, kernels give C's number, as compiled ones do; of a derivative, too."""
    function = getattr(np, name)
    x = np.array([-2.0, -1.0, 0.0, 1.0, 800.0])
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        np.testing.assert_allclose(s2s.jit(lambda x: function(x))(x), function(x), rtol=1e-15)
        assert np.isfinite(s2s.grad(lambda x: function(x[0]))(np.array([0.5 if name != "arccosh" else 1.5])))
        s2s.grad(lambda x: np.sum(function(x)))(x)
