"""s2s.experimental.sparse.BCOO: as plain Python, as it is read, as a container."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import s2s
from s2s.experimental.sparse import BCOO, empty, eye

DENSE = np.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0]])
SPARSE = BCOO.fromdense(DENSE)
V, W = np.arange(1.0, 5.0), np.arange(3.0)


def on_numpy(f):
    return s2s.jit(f, target="numpy")


def operations(m, v, w):
    return m @ v, w @ m, m.T @ w, m @ np.stack([v, 2 * v], 1), (m * 2.0) @ v, (2.0 * m - m / 4.0) @ v, (m + m).todense(), (m * np.ones(4)).todense(), m.sum(), m.sum(0), (-m).T.todense(), m.astype(np.float32).data


def test_operations():
    wanted = (DENSE @ V, W @ DENSE, DENSE.T @ W, DENSE @ np.stack([V, 2 * V], 1), 2 * DENSE @ V, 1.75 * DENSE @ V, 2 * DENSE, DENSE, 10.0, DENSE.sum(0), -DENSE.T, SPARSE.data)
    for found in (operations(SPARSE, V, W), on_numpy(operations)(SPARSE, V, W)):
        for one, two in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, two)


def test_the_rest():
    assert (SPARSE.nse, SPARSE.shape, SPARSE.ndim, SPARSE.size, repr(SPARSE)) == (4, (3, 4), 2, 12, "BCOO(float64[3, 4], nse=4)")
    assert BCOO.fromdense(DENSE, nse=6).nse == 6
    np.testing.assert_array_equal(BCOO.fromdense(DENSE, nse=6).todense(), DENSE)
    np.testing.assert_array_equal(BCOO.from_scipy_sparse(scipy.sparse.csr_array(DENSE)).todense(), DENSE)
    np.testing.assert_array_equal((SPARSE @ SPARSE.T).todense(), DENSE @ DENSE.T)
    np.testing.assert_array_equal(eye(2, 3).todense(), np.eye(2, 3))
    np.testing.assert_array_equal(empty((2, 3)).todense(), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="more than nse=2"):
        BCOO.fromdense(DENSE, nse=2)
    with pytest.raises(TypeError, match="contracting dimensions to have the same shape"):
        SPARSE @ W
    with pytest.raises(NotImplementedError, match="n_batch"):
        BCOO.fromdense(DENSE, n_batch=1)
    with pytest.raises(AttributeError, match="scipy.sparse's matrices"):
        s2s.experimental.sparse.BCSR  # noqa: B018


def test_derivatives_and_batches():
    indices, shape = SPARSE.indices, SPARSE.shape

    def loss(data, v):
        return np.sum(np.sin(BCOO((data, indices), shape=shape) @ v))

    def dense_loss(matrix, v):
        return np.sum(np.sin(matrix @ v))

    slopes, wanted = s2s.grad(on_numpy(loss), (0, 1))(SPARSE.data, V), s2s.grad(on_numpy(dense_loss), (0, 1))(DENSE, V)
    np.testing.assert_allclose(slopes[0], wanted[0][tuple(indices.T)])
    np.testing.assert_allclose(slopes[1], wanted[1])
    np.testing.assert_allclose(s2s.vmap(on_numpy(lambda v: SPARSE @ v))(np.stack([V, -V])), np.stack([DENSE @ V, -DENSE @ V]))
    given = on_numpy(lambda data: BCOO((data, indices), shape=shape))(2 * SPARSE.data)
    np.testing.assert_array_equal(given.todense(), 2 * DENSE)


def test_as_jax():
    jax = pytest.importorskip("jax")
    from jax.experimental.sparse import BCOO as THEIRS

    def of_theirs(m, v, w):
        return m @ v, w @ m, m.T @ w, (m * 2.0) @ v

    jax.config.update("jax_enable_x64", True)
    for one, two in zip(of_theirs(SPARSE, V, W), of_theirs(THEIRS.fromdense(DENSE), *map(jax.numpy.asarray, (V, W))), strict=True):
        np.testing.assert_allclose(one, two)
    theirs = THEIRS.fromdense(DENSE)
    np.testing.assert_array_equal(theirs.indices, SPARSE.indices)
    np.testing.assert_array_equal(theirs.data, SPARSE.data)
