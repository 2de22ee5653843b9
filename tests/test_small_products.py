"""Products of matrices too small for BLAS: each way in which their sums are taken, beside NumPy's."""
import numpy as np
import pytest

import s2s

SIZES = [(m, k, r) for m in (0, 1, 2, 3, 4, 5, 7) for k in (0, 1, 2, 3, 4, 9) for r in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)]


def stored(a, b):
    return a @ b


def in_loop(a, b):
    out = np.zeros((len(a), a.shape[1], b.shape[2]), a.dtype)
    for t in range(len(a)):
        out[t] = a[t] @ b[t]
    return out


def added(start, a, b):
    total = start.copy()
    for t in range(len(a)):
        total += a[t] @ b[t]
    return total


def turned(a, b, c):
    """All four ways in which operands may lie."""
    return a @ b, a.T @ c, c.T @ b.T, c @ a.T


def drawn(dtype, *shape):
    values = np.random.default_rng(sum(shape) + len(shape)).normal(size=(2, *shape))
    return (values[0] + 1j * values[1] if np.dtype(dtype).kind == "c" else values[0]).astype(dtype)


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "c8"])
def test_as_numpy(dtype):
    close = {"rtol": 1e-4, "atol": 1e-4} if dtype in {"f4", "c8"} else {"rtol": 1e-12, "atol": 1e-12}
    alone, loop, sums = s2s.jit(stored), s2s.jit(in_loop), s2s.jit(added)
    for m, k, r in SIZES if dtype == "f8" else SIZES[::5]:
        a, b, start = drawn(dtype, 2, m, k), drawn(dtype, 2, k, r), drawn(dtype, m, r)
        np.testing.assert_allclose(alone(a[0], b[0]), a[0] @ b[0], **close)
        np.testing.assert_allclose(loop(a, b), a @ b, **close)
        np.testing.assert_allclose(sums(start, a, b), start + a[0] @ b[0] + a[1] @ b[1], **close)


def test_transposed():
    products = s2s.jit(turned)
    batch = s2s.vmap(turned)
    for m, k in [(m, k) for m in (1, 2, 3, 4, 5, 6, 9) for k in (1, 2, 3, 4, 5, 8)]:
        a, b, c = drawn("f8", 3, m, k), drawn("f8", 3, k, m), drawn("f8", 3, m, k)
        for args in (a[0], b[0], c[0]), (a[1], b[1], c[1]):
            for ours, numpys in zip(products(*args), turned(*args), strict=True):
                np.testing.assert_allclose(ours, numpys, rtol=1e-12, atol=1e-12)
        for ours, numpys in zip(batch(a, b, c), zip(*map(turned, a, b, c), strict=True), strict=True):
            np.testing.assert_allclose(ours, np.stack(numpys), rtol=1e-12, atol=1e-12)


def test_what_is_not_finite():
    """What is computed twice, or beyond the last row, adds nothing to a sum."""
    product = s2s.jit(stored)
    for n in (2, 3, 5, 6):
        a, b = drawn("f8", n, n), drawn("f8", n, n)
        a[-1, 0], b[0, -1] = np.inf, np.nan
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-12)


def test_gradients_of_a_batch():
    gradient = s2s.vmap(s2s.grad(lambda a, b: np.sum((a @ b) ** 2), argnums=(0, 1)))
    for n in (2, 3, 4, 5, 8):
        a, b = drawn("f8", 3, n, n), drawn("f8", 3, n, n)
        a_bar, b_bar = gradient(a, b)
        np.testing.assert_allclose(a_bar, 2 * (a @ b) @ b.transpose(0, 2, 1), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(b_bar, 2 * a.transpose(0, 2, 1) @ (a @ b), rtol=1e-12, atol=1e-12)


def test_where_it_is_written():
    """In a loop narrow ones are written in place; outside of one a call is nothing. What has one column is no matrix, what is turned is not copied before."""
    assert "small_product(" not in s2s.jit(stored).source(np.ones((3, 3)), np.ones((3, 3)))
    assert "            small_product(a[t], False, b[t], False, out[t], False, 0.0)" in s2s.jit(in_loop).source(np.ones((2, 3, 3)), np.ones((2, 3, 3)))
    assert "    product_with_column(a, False, b, False, dot, False, 0.0)" in s2s.jit(stored).source(np.ones((5, 3)), np.ones((3, 1)))
    assert "small_product(a[i], False, b[i], True, dot[i], False, 0.0)" in s2s.jit(s2s.vmap(lambda a, b: a @ b.T)).source(np.ones((2, 3, 3)), np.ones((2, 3, 3)))


def test_one_in_common():
    """Products of a column and a row: nothing is added."""
    product = s2s.jit(stored)
    assert "total" not in product.source(np.ones((5, 1)), np.ones((1, 3)))
    for dtype in ("f8", "i8", "?"):
        a, b = (np.random.default_rng(0).normal(size=shape).astype(dtype) for shape in ((5, 1), (1, 3)))
        np.testing.assert_array_equal(product(a, b), a @ b)
        np.testing.assert_array_equal(s2s.vmap(stored)(a[None], b[None])[0], a @ b)


def columns(a, b, c):
    """Products with one column, of what is given, of what is turned, and added to what is there."""
    out = np.zeros((a.shape[0], 1), a.dtype)
    for _ in range(2):
        out += a @ b
    return a @ b, c.T @ b, (b.T @ a.T).T, out


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16"])
def test_one_column(dtype):
    one, batch = s2s.jit(columns), s2s.jit(s2s.vmap(columns))
    for rows, inner in ((0, 3), (3, 0), (1, 1), (2, 7), (5, 4), (8, 8), (9, 33)):
        a, b, c = drawn(dtype, 2, rows, inner), drawn(dtype, 2, inner, 1), drawn(dtype, 2, inner, rows)
        wanted = [columns(*each) for each in zip(a, b, c, strict=True)]
        for got, expected in ((one(a[0], b[0], c[0]), wanted[0]), (batch(a, b, c), [np.stack(each) for each in zip(*wanted, strict=True)])):
            for ours, theirs in zip(got, expected, strict=True):
                assert ours.dtype == theirs.dtype
                np.testing.assert_allclose(ours, theirs, rtol=1e-4 if dtype == "f4" else 1e-12, atol=1e-4 if dtype == "f4" else 1e-12)


def test_many_rows():
    """BLAS gets them in pieces."""
    product = s2s.jit(lambda a, b, c: (a @ b, c.T @ b, a @ b + 1.0))
    gradient = s2s.jit(s2s.grad(lambda a, b: np.sum((a @ b) ** 2), argnums=(0, 1)))
    for rows, inner, width in ((1023, 16, 64), (1024, 5, 64), (2500, 30, 70), (1500, 4, 256), (1100, 3, 300)):
        a, b, c = drawn("f8", rows, inner), drawn("f8", inner, width), drawn("f8", inner, rows)
        for ours, theirs in zip(product(a, b, c), (a @ b, c.T @ b, a @ b + 1.0), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
        for ours, theirs in zip(gradient(a, b), (2 * a @ b @ b.T, 2 * a.T @ a @ b), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-9)


def test_without_numba(monkeypatch):
    """Where Numba compiles nothing, kernels are Python, and call the same BLAS."""
    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)
    for dtype in ("f4", "f8", "c8", "c16"):
        a, b = drawn(dtype, 7, 5), drawn(dtype, 5, 6)
        np.testing.assert_allclose(s2s.jit(lambda a, b: a @ b, target="cpu")(a, b), a @ b, rtol=1e-5)


@pytest.mark.parametrize("sizes", [(0, 2, 3), (2, 0, 3), (2, 3, 0), (0, 0, 0), (1, 1, 1), (1, 4, 3), (3, 4, 1), (2, 300, 2), (70, 2, 80)])
def test_products_once_in_a_call(sizes):
    """By BLAS, whatever their sizes: nothing of nothing, zeros as sums of nothing, and added to what is there."""
    rows, inner, columns = sizes
    a, b, c = np.random.default_rng(0).normal(size=(rows, inner)), np.random.default_rng(1).normal(size=(inner, columns)), np.ones((rows, columns))
    for function in (once, once_added, once_turned):
        np.testing.assert_allclose(s2s.jit(function)(a, b, c), function(a, b, c), rtol=1e-12, atol=1e-14)


def once(a, b, c):
    return a @ b


def once_added(a, b, c):
    d = 2.0 * c
    return d + a @ b


def once_turned(a, b, c):
    return (b.T @ a.T) * c.T
