"""s2s.mask and s2s.shapecheck: padded arrays with logical sizes, and polymorphic shapes."""
from __future__ import annotations

import numpy as np
import pytest

import s2s

RNG = np.random.default_rng(5)
X, A, B = RNG.normal(size=6), RNG.normal(size=(4, 5)), RNG.normal(size=5)


def summed(x):
    return np.sum(np.sin(x))


def product(a, b):
    return np.dot(a, b)


padded_sum = s2s.mask(summed, in_shapes=["n"], out_shape="")
padded_product = s2s.mask(product, ["(m, n)", "n"], "m")


def test_only_the_logical_part_counts():
    assert padded_sum([X], {"n": 3}) == pytest.approx(np.sum(np.sin(X[:3])))
    np.testing.assert_allclose(padded_product([A, B], {"m": 2, "n": 3}), [*(A[:2, :3] @ B[:3]), 0.0, 0.0])
    wider = s2s.mask(lambda x: np.concatenate([x, 2.0 * x, np.ones(1)]), ["n"], "n + n + 1")
    np.testing.assert_allclose(wider([X], {"n": 2}), [X[0], X[1], 2 * X[0], 2 * X[1], 1.0, *np.zeros(8)])


def test_read_with_sizes_of_run_time():
    f = s2s.jit(lambda x, n: padded_sum([x], {"n": n}), target="numpy")
    g = s2s.jit(lambda a, b, m, n: np.sum(padded_product([a, b], {"m": m, "n": n}) ** 2), target="numpy")
    for n in (0, 2, 6):
        assert f(X, n) == pytest.approx(np.sum(np.sin(X[:n])))
        np.testing.assert_allclose(s2s.grad(f)(X, n), np.where(np.arange(6) < n, np.cos(X), 0.0))
    s2s.check_grads(lambda a, b: g(a, b, 2, 3), (A, B), order=2, modes=("fwd", "rev"))
    with pytest.raises(ValueError, match="a logical size is larger than the padded one"):
        f(X, 7)


def test_batches_have_sizes_of_their_own():
    f = s2s.jit(lambda x, n: padded_sum([x], {"n": n}), target="numpy")
    xs, sizes = RNG.normal(size=(4, 6)), np.array([1, 6, 0, 3])
    np.testing.assert_allclose(s2s.vmap(f)(xs, sizes), [np.sum(np.sin(x[:n])) for x, n in zip(xs, sizes, strict=True)])
    np.testing.assert_allclose(s2s.vmap(s2s.grad(f))(xs, sizes), np.where(np.arange(6) < sizes[:, None], np.cos(xs), 0.0))


@pytest.mark.parametrize(
    ("ins", "out", "fun"),
    [(["(m, n)", "n"], "m", lambda a, b: np.dot(a, b)), (["(m, n)"], "m * n", lambda a: a.ravel()), (["n"], "n + 1", lambda x: np.concatenate([x, np.ones(1)])),
     (["n"], "n - 1", lambda x: np.diff(x)), (["(n, m)"], "", lambda a: np.sum(a)), (["(n, 3)"], "(3, n)", lambda a: a.T), (["n", "m"], "(2*n, m)", lambda x, y: np.outer(np.concatenate([x, x]), y)),
     (["n", "m"], ["n", "m"], lambda x, y: [x * 2.0, y + 1.0]), (["(n, m, k)"], "(n, m*k)", lambda a: a.reshape(a.shape[0], -1))],
)  # fmt: skip
def test_shapes_that_are_right(ins, out, fun):
    assert s2s.shapecheck(ins, out)(fun) is fun


@pytest.mark.parametrize(
    ("ins", "out", "fun"),
    [(["(m, n)", "n"], "n", lambda a, b: np.dot(a, b)), (["(m, n)"], "m + n", lambda a: a.ravel()), (["n"], "n * n", lambda x: np.concatenate([x, x])),
     (["n"], "(n, 1)", lambda x: x), (["n"], ["n"], lambda x: x)],
)  # fmt: skip
def test_shapes_that_are_wrong(ins, out, fun):
    with pytest.raises(TypeError):
        s2s.shapecheck(ins, out, fun)


def test_sizes_that_do_not_fit_are_the_function_s_error():
    with pytest.raises(ValueError, match=r"broadcast|mismatch|aligned"):
        s2s.shapecheck(["n", "m"], "n", lambda x, y: x + y)
    with pytest.raises(ValueError, match="is no shape"):
        s2s.shapecheck(["n //"], "n", lambda x: x)
    with pytest.raises(ValueError, match="sizes are made of names"):
        s2s.shapecheck(["n / 2"], "n", lambda x: x)
    with pytest.raises(ValueError, match="stands alone in no shape"):
        s2s.mask(summed, ["n + 1"], "")
    with pytest.raises(KeyError):
        padded_sum([X], {})
    with pytest.raises(TypeError, match="does not have as many"):
        padded_sum([A], {"n": 2})
