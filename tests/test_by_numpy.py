"""Products that are all that a function does: NumPy makes the large ones, a kernel the small ones, and nobody can tell but by the clock."""
from __future__ import annotations

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import s2s
from s2s.codegen.runtime.helpers import product
from s2s.tuning import TUNING


def times(a, b):
    return a @ b


def times_again(a, b):
    """Asked for where another fact holds than for the first."""
    return a @ b


def turned(a, b):
    return a.T @ b


def both_turned(a, b):
    return a.T @ b.T


FUNCTIONS = {"times": times, "turned": turned, "both_turned": both_turned}
SIZES = ((1, 1, 1), (3, 0, 4), (7, 2, 9), (4, 4, 4), (12, 30, 13))
DTYPES = (np.float64, np.float32, np.complex128)
RNG = np.random.default_rng(5)


def drawn(dtype, *shape):
    real = RNG.normal(size=shape)
    return (real + 1j * RNG.normal(size=shape) if np.dtype(dtype).kind == "c" else real).astype(dtype)


def arguments(name, dtype, rows, inner, columns, *batch):
    first = (rows, inner) if name == "times" else (inner, rows)
    second = (columns, inner) if name == "both_turned" else (inner, columns)
    return drawn(dtype, *batch, *first), drawn(dtype, *batch, *second)


def agrees(found, wanted):
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    assert found.flags.c_contiguous
    np.testing.assert_allclose(found, wanted, rtol=2e-5 if wanted.dtype == np.float32 else 1e-12, atol=1e-4 if wanted.dtype == np.float32 else 1e-11)


@pytest.mark.parametrize("target", ["cpu", "numpy"])
@pytest.mark.parametrize(("name", "dtype"), list(zip(FUNCTIONS, DTYPES, strict=True)))
def test_batches_of_products(name, dtype, target):
    """Of any sizes, batches and layouts, one argument shared or none."""
    fun = FUNCTIONS[name]
    for rows, inner, columns in SIZES:
        for batch in (0, 5):
            a, b = arguments(name, dtype, rows, inner, columns, batch)
            wanted = np.stack([fun(x, y) for x, y in zip(a, b, strict=True)]) if batch else np.empty((0, rows, columns), dtype)
            agrees(s2s.jit(s2s.vmap(fun), target=target)(a, b), wanted)
            if batch:
                agrees(s2s.jit(s2s.vmap(fun, in_axes=(None, 0)), target=target)(a[0], b), np.stack([fun(a[0], y) for y in b]))
                agrees(s2s.jit(s2s.vmap(fun, in_axes=(0, None)), target=target)(a, b[0]), np.stack([fun(x, b[0]) for x in a]))
                agrees(s2s.jit(s2s.vmap(fun), target=target)(a[:, ::-1, ::-1], b[:, ::-1, ::-1]), np.stack([fun(x, y) for x, y in zip(a[:, ::-1, ::-1], b[:, ::-1, ::-1], strict=True)]))


@pytest.mark.parametrize(("name", "dtype"), list(zip(FUNCTIONS, DTYPES, strict=True)))
def test_single_products(name, dtype):
    """On both sides of where NumPy's begins, many rows of narrow results too."""
    for sizes in ((3, 4, 5), (30, 20, 600), (65, 100, 64), (2100, 3, 70), (90, 90, 90), (8, 6_000, 9)):
        a, b = arguments(name, dtype, *sizes)
        agrees(s2s.jit(FUNCTIONS[name])(a, b), FUNCTIONS[name](a, b))


def test_the_larger_is_numpys(monkeypatch):
    """Which of the two makes a product is told in the text; both make the same of infinities and nan, and say nothing."""
    a = np.array([[[np.inf, -np.inf], [np.nan, 1e308]]] * 3).repeat(8, axis=1).repeat(8, axis=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = s2s.vmap(times)(a, a)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, np.stack([x @ x for x in a]))
    text = s2s.vmap(times).source(a, a)
    assert "product(a, b, dot)" in text and "gemm" not in text and "np.errstate" in text
    monkeypatch.setattr(TUNING, "numpy_product_from", 5)
    single = s2s.jit(times_again).source(a[0], a[0])
    assert "> 5:" in single and "product(a, b, dot)" in single and "_times_again_jit(a, b, dot)" in single


def test_large_products_compile_nothing(tmp_path):
    """A first call of a large product does not even load what compiles."""
    program = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
import numpy as np
import s2s
from test_by_numpy import times
a = np.ones((20, 40, 40))
assert (s2s.vmap(times)(a, a) == 40.0).all()
print(sorted(name for name in sys.modules if name in ("s2s.codegen.native.writing", "scipy.linalg")))
assert (s2s.vmap(times)(a[:, :4, :4], a[:, :4, :4]) == 4.0).all()
print("s2s.codegen.native.writing" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=True, env={**os.environ, "S2S_CACHE_DIR": str(tmp_path)})
    assert done.stdout.split("\n")[:2] == ["[]", "True"]


@pytest.mark.parametrize("rows", [2, 20])
def test_sizes_that_do_not_fit(rows):
    """Are NumPy's error, at the user's line, whichever would have made the product."""
    a, b = np.ones((3, rows, rows)), np.ones((3, rows + 1, rows))
    with pytest.raises(ValueError, match="mismatch in its core dimension") as found:
        s2s.vmap(times)(a, b)
    places = [(str(entry.path), entry.lineno + 1) for entry in found.traceback]
    assert (__file__, times.__code__.co_firstlineno + 1) in places
    with pytest.raises(ValueError, match="inconsistent sizes"):
        s2s.vmap(times)(a, b[:2])


def test_derivatives_of_batches():
    """Nothing changes for who differentiates a batch of products."""
    a, b = drawn(np.float64, 4, 12, 11), drawn(np.float64, 4, 11, 13)

    def loss(a, b):
        return np.sum(np.sin(s2s.vmap(times)(a, b)))

    found = s2s.grad(loss, argnums=(0, 1))(a, b)
    outer = np.cos(a @ b)
    agrees(found[0], outer @ b.mT)
    agrees(found[1], a.mT @ outer)
    s2s.test_util.check_grads(loss, (a[:2, :3], b[:2, :, :10]), order=2)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_product_that_modules_bring_along(threads, monkeypatch):
    """It is what NumPy makes, in pieces or whole; many threads are given the whole."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", threads)
    for rows, inner, columns in ((1, 1, 1), (2500, 7, 64), (1024, 3, 256), (30, 5, 700), (0, 3, 65), (5, 0, 80)):
        a, b, out = drawn(np.float64, rows, inner), drawn(np.float64, columns, inner).T, np.full((rows, columns), np.nan)
        product(a, b, out)
        agrees(out, a @ b)
