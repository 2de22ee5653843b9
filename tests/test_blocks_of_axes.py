"""Axes that a reshape parts into blocks, and puts together again: indices of the blocks are sums, not quotients of a place in the whole array."""
from __future__ import annotations

import numpy as np
import pytest

import s2s


def largest(x):
    n, h, w, c = x.shape
    return np.max(x.reshape(n, h // 2, 2, w // 2, 2, c), axis=(2, 4))


def means(x):
    n, m = x.shape
    return x.reshape(n // 3, 3, m // 2, 2).mean(axis=(1, 3))


def beside_axes_of_one(x):
    n, m = x.shape
    return x.reshape(n, 1, m // 2, 2, 1).sum(axis=3)


def put_together(x):
    a, b, c, d = x.shape
    return np.cumsum(x.reshape(a * b, c * d), axis=1)


def turned_blocks(x):
    n, m = x.shape
    return x.reshape(n // 3, 3, m // 2, 2).transpose(0, 2, 1, 3).reshape(n * m // 6, 6)


def of_a_helper(x):
    return np.sum(means(np.sin(x)) ** 2) + x[0, 0]


def of_the_rest(x):
    n, m = x.shape
    return x.reshape(n // 3, -1) * 2.0


def of_other_lengths(x):
    """Neither axis is within one of the others."""
    n, m = x.shape
    return np.cumsum(x.reshape(m, n), axis=0)


CASES = [
    (largest, [(2, 4, 6, 3), (1, 2, 2, 1), (0, 5, 7, 3), (2, 0, 5, 2), (3, 6, 2, 0)], [(2, 5, 6, 3), (2, 4, 5, 1), (1, 1, 2, 2)]),
    (means, [(6, 4), (3, 2), (9, 8)], [(5, 4), (6, 3)]),
    (beside_axes_of_one, [(3, 4), (0, 5), (1, 2), (2, 0)], [(3, 5)]),
    (put_together, [(2, 3, 4, 5), (1, 1, 3, 2), (0, 3, 2, 2)], []),
    (turned_blocks, [(6, 4), (3, 2), (0, 4)], [(4, 3), (5, 2)]),
    (of_the_rest, [(6, 4), (3, 5), (3, 0)], []),
    (of_other_lengths, [(2, 3), (4, 4), (1, 5)], []),
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("fun", "shapes", "wrong"), CASES)
def test_values(fun, shapes, wrong, target, dtype, rng):
    compiled = s2s.jit(fun, target=target)
    for shape in shapes:
        x = rng.normal(size=shape).astype(dtype)
        for given in (x, np.asfortranarray(x), x[..., ::-1]):
            np.testing.assert_allclose(compiled(given), fun(given), rtol=1e-12 if dtype == "float64" else 1e-5, strict=True)
    for shape in wrong:
        with pytest.raises(ValueError, match="cannot reshape array of size"):
            compiled(np.zeros(shape, dtype))


@pytest.mark.parametrize(("fun", "shapes"), [(fun, shapes) for fun, shapes, _ in CASES] + [(of_a_helper, [(6, 4)])])
def test_derivatives(fun, shapes, rng):
    def loss(x):
        return np.sum(np.sin(fun(x)) * fun(x))

    for shape in shapes[:2]:
        x = rng.normal(size=shape)
        s2s.check_grads(loss, (x,), order=2)
        batch = rng.normal(size=(3, *shape))
        for got, each in zip(s2s.vmap(s2s.grad(loss))(batch), batch, strict=True):
            np.testing.assert_allclose(got, s2s.grad(loss)(each), rtol=1e-12)


@pytest.mark.parametrize("fun", [largest, means, beside_axes_of_one])
@pytest.mark.parametrize("transform", [s2s.jit, lambda fun: s2s.grad(lambda x: np.sum(fun(x) ** 2))])
def test_no_place_in_the_whole_array_is_taken_apart(fun, transform):
    shape = dict((each, shapes[0]) for each, shapes, _ in CASES)[fun]
    loops = [line for line in transform(fun).source(np.zeros(shape)).splitlines() if "[" in line and "for" not in line and "#" not in line]
    assert not any(f"% {name}" in line or f"// {name}" in line for line in loops for name in ("n", "m", "h", "w", "a", "b", "c", "d", "size"))
