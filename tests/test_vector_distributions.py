"""scipy.stats' distributions of vectors, and distributions that hold their parameters."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
import scipy.stats as st

import s2s
from s2s.transforms.read.composed.matrix_distributions import MATRICES
from s2s.transforms.read.composed.vector_distributions import VECTORS
from s2s.transforms.read.names import resolved

RNG = np.random.default_rng(0)
A = RNG.normal(size=(3, 3))
V, S, X = RNG.normal(size=3), A @ A.T + np.eye(3), RNG.normal(size=(4, 3))
P, W = np.array([0.2, 0.3, 0.5]), np.array([0.7, 2.0, 3.5])
CASES = {
    "multivariate_normal.logpdf": [(V, V[::-1].copy(), S), (X, V, S), (X[None], V, 2.0), (X, V, W), (V,), (V, 0.5, 2.0), (V[0], 0.5, 2.0), (X, None, S), (X, V, S[:2, :2]), (X, V, -S), (X, V, np.zeros((3, 3)))],
    "multivariate_normal.pdf": [(V, V[::-1].copy(), S), (X, V, S)], "multivariate_normal.entropy": [(V, S), (V, W)],
    "dirichlet.logpdf": [(P, W), (P[:2], W), (np.stack([P, P[::-1]], axis=1), W), (P, -W), (P + 0.1, W), (-P, W), (P, W[:1])], "dirichlet.pdf": [(P, W)], "dirichlet.entropy": [(W,)], "dirichlet.mean": [(W,)], "dirichlet.var": [(W,)],
}  # fmt: skip
APART = {"multivariate_normal.cdf", "multivariate_normal.logcdf"}
"""To some digits, or by a seed: below."""
EACH = [(name, args) for name, cases in CASES.items() for args in cases]


def test_every_method_is_tested():
    assert {f"scipy.stats.{name}" for name in {*CASES, *APART}} == {*VECTORS}


@pytest.mark.parametrize("name", CASES)
def test_signatures_are_scipys(name):
    assert str(inspect.signature(VECTORS[f"scipy.stats.{name}"])) == str(inspect.signature(resolved(f"scipy.stats.{name}")))


@pytest.mark.parametrize(("name", "args"), EACH)
def test_called_as_it_stands_and_as_it_is_read(name, args):
    function, own = resolved(f"scipy.stats.{name}"), VECTORS[f"scipy.stats.{name}"]
    f = s2s.jit(lambda *a: function(*(each if isinstance(arg, np.ndarray) else arg for arg, each in zip(args, a, strict=True))), target="numpy")
    given = [arg if isinstance(arg, np.ndarray) else 0 for arg in args]
    try:
        wanted = function(*args)
    except ValueError:
        for call in (lambda: own(*args), lambda: f(*given)):
            with pytest.raises(ValueError):  # noqa: PT011 - the words are LAPACK's in one of the two
                call()
        return
    for found in (own(*args), f(*given)):
        assert (type(found), np.shape(found)) == (type(wanted), np.shape(wanted))
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_derivatives(name):
    function = resolved(f"scipy.stats.{name}")
    args = CASES[name][0]
    if name.startswith("dirichlet") and len(args) > 1:  # points outside of the simplex have no density
        s2s.check_grads(s2s.jit(lambda a: function(args[0], a), target="numpy"), args[1:], order=2)
    elif name.endswith("entropy") or len(args) == 1:
        s2s.check_grads(s2s.jit(lambda a: function(*args[:-1], a), target="numpy"), args[-1:], order=2)
    else:
        s2s.check_grads(s2s.jit(lambda x, m, r: function(x, m, r @ r.T + np.eye(3)), target="numpy"), (args[0], args[1], A), order=2)


CLASSES, B = np.array([0.2, 0.3, 0.5]), A @ A.T + 2.0 * np.eye(3)
STACK = np.stack([S, B], axis=-1)
OF_MATRICES = {
    "multinomial.logpmf": [([1, 3, 4], 8, CLASSES), ([[1, 3, 4], [2, 3, 4], [0, 0, 8]], 8, CLASSES), ([1, 3, 4], [8, 7], CLASSES), ([1, 1], 2, np.array([0.3, 0.3])), ([1, 3, 4], 8, np.array([1.2, -0.2, 0.0])), ([-1, 5, 4], 8, CLASSES), ([1, 3], 8, CLASSES)],
    "multinomial.pmf": [([3, 4], 7, CLASSES[:2] * 2)], "multinomial.mean": [(8, CLASSES)], "multinomial.cov": [(8, CLASSES), ([4, 5], np.array([[0.3, 0.7], [0.4, 0.6]]))],
    "dirichlet_multinomial.logpmf": [([1, 2, 3], W, 6), ([1, 2, 3], W, 7), ([[1, 2, 3], [3, 2, 1]], W, [6, 5]), ([1, 2, 3], -W, 6), ([1, 2.5, 3], W, 6)], "dirichlet_multinomial.pmf": [([1, 2, 3], W, 6)], "dirichlet_multinomial.mean": [(W, 6)],
    "dirichlet_multinomial.var": [(W, 6)], "dirichlet_multinomial.cov": [(W, 6)],
    **{f"{name}.{method}": [(S, 5.5, B), (STACK, 4, B), (S, 2.0, B), (S[:2, :2], 5, B), (np.array([0.5, 2.0]), 1.5, np.array(2.0)), (np.array([0.5, 2.0, 1.0]), 4.0, np.array([0.5, 2.0, 1.0])), (-S, 5.5, B)] for name in ("wishart", "invwishart") for method in ("logpdf", "pdf")},
    "wishart.mean": [(5.5, B)], "wishart.var": [(5.5, B)], "invwishart.mean": [(5.5, B)],
    **{f"matrix_normal.{method}": [(STACK.transpose(2, 0, 1)[:, :2], S[:2], B[:2, :2], B), (S, None, B, W), (S[:2], B[:2], 2.0, 0.5), (S[:2], None, B[:2, :2], B), (S[:2], None, B, B), (S, S[:2], B, B), (np.array([[0.3]]), None, 2.0, 3.0)] for method in ("logpdf", "pdf")},
    "matrix_normal.entropy": [(B, B[:2, :2] + 0.0)],
    "multivariate_t.logpdf": [(X, V, B, 3.5), (V, V[::-1].copy(), B), (X, V, W, 2), (V[:1], None, 2.0, 1.5), (X, V, B, np.inf), (X, V, B, -1.0)], "multivariate_t.pdf": [(X, V, B, 3.5)],
}  # fmt: skip


def test_every_method_of_matrices_is_tested():
    assert {f"scipy.stats.{name}" for name in OF_MATRICES} == {*MATRICES}
    for name in OF_MATRICES:
        assert str(inspect.signature(MATRICES[f"scipy.stats.{name}"])) == str(inspect.signature(resolved(f"scipy.stats.{name}")))


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, cases in OF_MATRICES.items() for args in cases])
@pytest.mark.filterwarnings("ignore")
def test_of_matrices(name, args):
    function, own = resolved(f"scipy.stats.{name}"), MATRICES[f"scipy.stats.{name}"]
    f = s2s.jit(lambda *a: function(*(each if isinstance(arg, np.ndarray) else arg for arg, each in zip(args, a, strict=True))), target="numpy")
    given = [arg if isinstance(arg, np.ndarray) else 0 for arg in args]
    with np.errstate(all="ignore"):
        try:
            wanted = function(*args)
        except ValueError:
            for call in (lambda: own(*args), lambda: f(*given)):
                with pytest.raises(ValueError):  # noqa: PT011 - the words are LAPACK's in some
                    call()
            return
        for found in (own(*args), f(*given)):
            assert np.shape(found) == np.shape(wanted)
            np.testing.assert_allclose(found, wanted, rtol=1e-10)


@pytest.mark.parametrize("name", OF_MATRICES)
def test_derivatives_of_matrices(name):
    function, args = resolved(f"scipy.stats.{name}"), OF_MATRICES[name][0]
    places = [k for k, arg in enumerate(args) if isinstance(arg, np.ndarray)]

    def f(*moved):
        given = list(args)
        for place, value in zip(places, moved, strict=True):
            given[place] = value @ value.T + np.eye(3) if np.ndim(args[place]) == 2 and np.shape(args[place]) == (3, 3) else value / np.sum(value) if name.startswith("multinomial") else value
        return function(*given)

    s2s.check_grads(s2s.jit(f, target="numpy"), tuple(args[place] for place in places), order=1, modes=("fwd", "rev"))


HELD = {
    "norm": lambda x: st.norm(0.5, 2.0).logpdf(x), "by name": lambda x: st.norm(loc=x[0], scale=2.0).cdf(x), "gamma": lambda x: st.gamma(2.5).pdf(x**2), "sf": lambda x: st.expon(scale=2.0).sf(x**2),
    "vectors": lambda x: st.multivariate_normal(x, S).logpdf(x + 1.0), "dirichlet": lambda x: st.dirichlet(x**2 + 1.0).logpdf(P), "entropy": lambda x: st.norm(0.0, x[0] ** 2).entropy(), "counts": lambda x: st.poisson(x[0] ** 2).logpmf(3), "classes": lambda x: st.multinomial(6, x**2 / np.sum(x**2)).logpmf([1, 2, 3]), "matrices": lambda x: st.wishart(5.0, np.diag(x**2)).logpdf(S), "covariance": lambda x: st.dirichlet_multinomial(x**2, 4).cov(),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_distributions_that_hold_their_parameters(name):
    f = HELD[name]
    np.testing.assert_allclose(s2s.jit(f, target="numpy")(V), f(V), rtol=1e-13)
    s2s.check_grads(s2s.jit(f, target="numpy"), (V,), order=2)


def test_drawing_from_one_is_scipys_stream():
    for f in (lambda x: st.multivariate_normal(x, S).rvs(size=3, random_state=5), lambda x: st.multivariate_normal.rvs(x, S, random_state=5), lambda x: st.dirichlet(x**2 + 1.0).rvs(size=3, random_state=5)):
        np.testing.assert_allclose(s2s.jit(f, target="numpy")(V), f(V), rtol=1e-12)


PAIR = np.array([[2.0, 0.7], [0.7, 1.1]])


def test_the_distribution_function_of_two_variables():
    """SciPy draws points for it, and is right to five digits."""
    def f(h, k, r, m):
        at = np.array([h, k])
        return (
            st.multivariate_normal.cdf(at, m, PAIR), st.multivariate_normal.cdf(at, cov=np.array([[1.0, r], [r, 1.0]])), st.multivariate_normal.logcdf(np.array([[h, k], [k, np.inf]]), cov=PAIR), st.multivariate_normal.cdf(h, cov=2.0),
            st.multivariate_normal.cdf(at + 2.0, cov=PAIR, lower_limit=np.array([-1.0, -0.5])),
        )  # fmt: skip

    jitted, rng = s2s.jit(f, target="numpy"), np.random.default_rng(2)
    for r in (-0.99, -0.5, 0.0, 0.8, 0.97):
        args = rng.normal(), rng.normal(), r, rng.normal(size=2)
        for found, expected in zip(jitted(*args), f(*args), strict=True):
            np.testing.assert_allclose(found, expected, atol=3e-5)
    s2s.check_grads(jitted, (0.3, -0.2, 0.4, np.array([0.1, 0.2])), order=2)
    at = np.array([0.3, -0.2])
    np.testing.assert_allclose(s2s.jit(lambda x, c: st.multivariate_normal.cdf(x, cov=c), target="numpy")(at, PAIR), st.multivariate_normal.cdf(at, cov=PAIR), atol=3e-5)
    with pytest.raises(s2s.UnsupportedError, match="more than two variables"):
        s2s.jit(lambda x, c: st.multivariate_normal.cdf(x, cov=c), target="numpy")(V, S)


def test_compiled_and_batched():
    def f(x, m, c):
        return st.multivariate_normal.logpdf(x, m, c)

    np.testing.assert_allclose(s2s.jit(f)(X, V, S), f(X, V, S), rtol=1e-13)
    np.testing.assert_allclose(s2s.vmap(f, in_axes=(0, None, None))(X, V, S), f(X, V, S), rtol=1e-13)


COVARIANCES = [np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([[2.0, 0.3], [0.3, 1.0]]), np.array([[0.0, 0.0], [0.0, 2.0]])]


@pytest.mark.parametrize("cov", COVARIANCES)
@pytest.mark.parametrize("x", [[1.0, 2.0], [1.0, 2.1], [0.0, -0.5], [[1.0, 2.0], [0.5, 1.0], [0.0, 3.0]]])
def test_a_normal_distribution_of_any_rank(x, cov):
    """allow_singular=True: -inf off the axes that are there; of a full rank all is as without it, derivatives too."""

    def logpdf(x, cov):
        return st.multivariate_normal.logpdf(x, np.zeros(2), cov, allow_singular=True)

    x = np.array(x)
    assert np.allclose(s2s.jit(logpdf, target="numpy")(x, cov), logpdf(x, cov), rtol=1e-10)
    if np.linalg.matrix_rank(cov) == 2:
        with_it, without = (s2s.jit(s2s.jacrev(each, argnums=(0, 1)), target="numpy") for each in (logpdf, lambda x, cov: st.multivariate_normal.logpdf(x, np.zeros(2), cov)))
        for one, other in zip(with_it(x, cov), without(x, cov), strict=True):
            assert np.allclose(one, other, rtol=1e-12)


def test_a_covariance_with_a_negative_variance():
    with pytest.raises(ValueError, match="must be symmetric positive semidefinite"):
        s2s.jit(lambda x, cov: st.multivariate_normal.pdf(x, np.zeros(2), cov, allow_singular=True), target="numpy")(np.ones(2), -np.eye(2))
