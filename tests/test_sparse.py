"""scipy.sparse's matrices in compressed rows and columns, made inside of their three arrays."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import s2s

D = sp.random(5, 4, 0.5, format="csr", random_state=1, dtype=float)
DATA, INDICES, INDPTR = D.data, D.indices, D.indptr
RNG = np.random.default_rng(0)
X = RNG.normal(size=4)


def made(d, kind=sp.csr_array, shape=(5, 4)):
    return kind((d, INDICES, INDPTR), shape=shape)


FORMS = {
    "vector": lambda d, x: made(d) @ x, "matrix": lambda d, x: made(d) @ np.outer(x, x[:2]), "transposed": lambda d, x: made(d).T @ np.append(x, x[0]), "star": lambda d, x: made(d, sp.csr_matrix) * x,
    "scaled": lambda d, x: (2.0 * made(d) / 3.0) @ x, "dense": lambda d, x: made(d).toarray() @ x, "dot": lambda d, x: made(d).dot(x), "columns": lambda d, x: made(d, sp.csc_array, (4, 5)).T @ x,
    "of columns": lambda d, x: made(d, sp.csc_matrix, (4, 5)) @ np.append(x, x[0]), "negative": lambda d, x: (-made(d)) @ x, "kept": lambda d, x: made(d).nnz * made(d).shape[0] * (made(d) @ x), "complex": lambda d, x: made(d) @ (x * (1 + 2j)),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_products(form):
    f = FORMS[form]
    found, wanted = s2s.jit(f, target="numpy")(DATA, X), f(DATA, X)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    if form != "complex":
        s2s.check_grads(s2s.jit(f, target="numpy"), (DATA, X), order=2)


def residual(data, indices, indptr, b, x):
    a = sp.csr_array((data, indices, indptr), shape=(indptr.shape[0] - 1, x.shape[0]))
    return np.sum((a @ x - b) ** 2)


def test_compiled_batched_and_drawn():
    b = RNG.normal(size=5)
    np.testing.assert_allclose(s2s.jit(residual)(DATA, INDICES, INDPTR, b, X), residual(DATA, INDICES, INDPTR, b, X), rtol=1e-14)
    np.testing.assert_allclose(s2s.grad(residual, argnums=4)(DATA, INDICES, INDPTR, b, X), 2 * D.T @ (D @ X - b), rtol=1e-12)
    many = RNG.normal(size=(3, 4))
    np.testing.assert_allclose(s2s.vmap(lambda x: made(DATA) @ x)(many), (D @ many.T).T, rtol=1e-14)
    f = s2s.jit(lambda d, i, p, x: sp.csr_array((d, i, p), shape=(p.shape[0] - 1, x.shape[0])) @ x, target="numpy")
    slope = s2s.grad(lambda d, i, p, x: np.sum(f(d, i, p, x) ** 2), argnums=(0, 3))
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, m = rng.integers(1, 9, 2)
        a = sp.random(n, m, rng.uniform(0, 1), format="csr", random_state=seed, dtype=rng.choice([np.float64, np.float32]))
        x = rng.normal(size=m)
        np.testing.assert_allclose(f(a.data, a.indices, a.indptr, x), a @ x, rtol=1e-6, atol=1e-7)
        data_bar, x_bar = slope(a.data, a.indices, a.indptr, x)
        rows = np.repeat(np.arange(n), np.diff(a.indptr))
        np.testing.assert_allclose(data_bar, 2 * (a @ x)[rows] * x[a.indices], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(x_bar, 2 * a.T @ (a @ x), rtol=1e-4, atol=1e-5)


def test_what_does_not_fit():
    for call in (lambda d, x: made(d) @ x[:2], lambda d, x: made(d, shape=(6, 4)) @ x, lambda d, x: sp.csr_array((d[:2], INDICES, INDPTR), shape=(5, 4)) @ x):
        with pytest.raises(ValueError) as wanted:  # noqa: PT011 - the words are compared
            call(DATA, X)
        with pytest.raises(ValueError) as found:  # noqa: PT011
            s2s.jit(call, target="numpy")(DATA, X)
        assert str(wanted.value).split("(")[0].strip()[:20] in str(found.value)


def test_what_is_refused():
    for call in (lambda d, x: made(d) @ made(d), lambda d, x: sp.csr_array(np.outer(x, x)) @ x, lambda d, x: made(d).sum() * x, lambda d, x: x * made(d)):
        with pytest.raises(s2s.UnsupportedError):
            s2s.jit(call, target="numpy")(DATA, X)
    with pytest.raises(TypeError, match="neither an array"):
        s2s.jit(lambda a, x: a @ x, target="numpy")(D, X)
