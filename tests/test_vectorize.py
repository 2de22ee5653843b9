"""numpy.vectorize under s2s.numpy: NumPy's own is the reference, JAX's errors."""
import numpy as np
import pytest

import s2s
import s2s.numpy as jnp

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def _on_numpy():
    with s2s.disable_jit():
        yield


def pick(a, b):
    return a - b if a > b else a * b


def pair(x, y):
    return np.sum(x) * y, x[0] - y


def drawn_shape(rng, known=()):
    """A shape that can be broadcast with (3, 1, 2)."""
    whole = tuple(int(n) if rng.integers(2) else 1 for n in (3, 4, 2))
    return whole[int(rng.integers(4)) :]


@pytest.mark.parametrize("seed", range(8))
def test_numbers_of_any_broadcast_shapes(seed):
    rng = np.random.default_rng(seed)
    a, b = (rng.normal(size=drawn_shape(rng)) for _ in range(2))
    np.testing.assert_allclose(jnp.vectorize(pick)(a, b), np.vectorize(pick, otypes=[float])(a, b))
    slope = s2s.grad(lambda a, b: np.sum(jnp.vectorize(pick)(a, b) ** 2))(a, b)
    step = rng.normal(size=a.shape)
    near = [np.sum(np.vectorize(pick, otypes=[float])(a + h * step, b) ** 2) for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(np.sum(slope * step), (near[0] - near[1]) / 2e-6, rtol=1e-5)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("function", "signature", "cores"), [
    (np.dot, "(n,m),(m)->(n)", ((2, 3), (3,))), (np.matmul, "(n,m),(m,k)->(n,k)", ((2, 3), (3, 2))), (np.sum, "(n)->()", ((4,),)), (pair, "(n),()->(),()", ((3,), ())),
    (np.outer, "(n),(m)->(n,m)", ((2,), (3,))),
])  # fmt: skip
def test_signatures(function, signature, cores, seed):
    rng = np.random.default_rng(seed)
    args = tuple(rng.normal(size=(*drawn_shape(rng), *core)) for core in cores)
    found, wanted = jnp.vectorize(function, signature=signature)(*args), np.vectorize(function, signature=signature)(*args)
    for one, other in zip(found if isinstance(found, tuple) else (found,), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_what_is_excluded_is_passed_as_it_is():
    x, p = RNG.normal(size=(2, 3)), np.array([1.0, 2.0, 0.5])

    def polynomial(x, p, power=1):
        return (p[0] + p[1] * x + p[2] * x**2) ** power

    wanted = p[0] + p[1] * x + p[2] * x**2
    np.testing.assert_allclose(jnp.vectorize(polynomial, excluded={1})(x, p), wanted)
    np.testing.assert_allclose(jnp.vectorize(polynomial, excluded={"p", "power"})(x, p=p, power=2), wanted**2)
    np.testing.assert_allclose(jnp.vectorize(polynomial, excluded=[1, 2])(x, p, 2), wanted**2)
    np.testing.assert_allclose(jnp.vectorize(lambda x, f: f(x), excluded={1})(x, np.sin), np.sin(x))
    np.testing.assert_allclose(jnp.vectorize(lambda x, y: x if y is None else x + y)(x, None), x)


def test_inside_of_functions_and_as_a_decorator():
    x = RNG.normal(size=(4, 3))

    @jnp.vectorize
    def clipped(a, b):
        if a > b:
            return b
        return a

    @s2s.jit
    def inside(x, limit):
        scaled = jnp.vectorize(lambda row: row / np.sum(row * limit), signature="(n)->(n)")
        return clipped(scaled(x), limit), scaled(x[0])

    found = inside(x, 0.5)
    scaled = x / np.sum(x * 0.5, axis=1, keepdims=True)
    np.testing.assert_allclose(found[0], np.minimum(scaled, 0.5))
    np.testing.assert_allclose(found[1], scaled[0])
    np.testing.assert_allclose(s2s.vmap(clipped, (0, None))(x, 0.5), np.minimum(x, 0.5))
    np.testing.assert_allclose(s2s.grad(lambda x: np.sum(clipped(x, 0.5)))(x), x <= 0.5)
    assert clipped(1.0, 0.5) == 0.5


APPLY = jnp.vectorize(np.dot, signature="(n,m),(m)->(n)")
X = np.ones((2, 3))
ERRORS = [
    (lambda: jnp.vectorize(pick, excluded={1.5}), TypeError, "can only exclude integer or string arguments"),
    (lambda: jnp.vectorize(pick, excluded={-1}), ValueError, "contains negative numbers"),
    (lambda: jnp.vectorize(pick, signature="n->n"), ValueError, "not a valid gufunc signature: n->n"),
    (lambda: APPLY(X, np.ones(4)), ValueError, "inconsistent size for core dimension 'm': 4 vs 3 on vectorized function with excluded="),
    (lambda: APPLY(np.ones(3), np.ones(3)), ValueError, r"input with shape \(3,\) does not have enough dimensions for all core dimensions \('n', 'm'\)"),
    (lambda: jnp.vectorize(lambda x: x, signature="(n)->()")(X), ValueError, r"output shape \(3,\) does not match core dimensions \(\)"),
    (lambda: jnp.vectorize(lambda x, y: x * y)(np.ones((4, 3)), np.ones((4, 4))), ValueError, r"Incompatible shapes for broadcasting: shapes=\[\(4, 3\), \(4, 4\)\]"),
    (lambda: APPLY(X), TypeError, r"^wrong number of positional arguments: expected 2, got 1 on vectorized function with excluded=frozenset\(\)"),
    (lambda: jnp.vectorize(lambda a, n: a * n, signature="(n)->(n)", excluded={1})(X, 2, 3), TypeError, r"expected 1, got 2 on vectorized function with excluded=frozenset\(\{1\}\)"),
    (lambda: jnp.vectorize(lambda x: x[1:], signature="(n)->(n)")(X), ValueError, "inconsistent size for core dimension 'n': 2 vs 3"),
    (lambda: jnp.vectorize(lambda x: (x, x), signature="(n)->(n)")(X), TypeError, "wrong number of output arguments: expected 1, got 2"),
    (lambda: jnp.vectorize(lambda x: x, signature="(n)->(n),(n)")(X), TypeError, "output must be a tuple when multiple outputs are expected"),
    (lambda: jnp.vectorize(lambda x, y=0.0: x, signature="(n)->(n)")(X, X), TypeError, "wrong number of positional arguments: expected 1, got 2"),
    (lambda: jnp.vectorize(lambda x, y: x, signature="(n),(n)->(n)")(X, None), ValueError, "Cannot pass None at locations {1}"),
    (lambda: jnp.vectorize(lambda x, y=1.0: x * y)(X, y=X), NotImplementedError, "the keyword argument y of a vectorized function"),
]


@pytest.mark.parametrize(("call", "error", "words"), ERRORS)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()
