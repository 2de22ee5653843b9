"""s2s.numpy and s2s.scipy: NumPy's and SciPy's own objects under one import, read like them. Programs as users of array libraries write them."""
from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.cluster.vq
import scipy.spatial.distance
import scipy.spatial.transform
import scipy.special
import scipy.stats

import s2s
import s2s.numpy as jnp
import s2s.scipy as jsp
from s2s.numpy.linalg import norm as norm_of_numpy
from s2s.scipy.linalg import cho_factor, cho_solve, solve_triangular
from s2s.scipy.special import expit, logsumexp
from s2s.scipy.stats import multivariate_normal, norm
from s2s.transforms.read.composed import jax_numpy, sized

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(8, 3)), RNG.normal(size=8)


def test_they_are_the_library_s_own():
    of_jax = {"vectorize", "linalg", "fft", *jax_numpy.EXPORTED, *sized.EXPORTED}  # with JAX's arguments
    assert all(getattr(jnp, name) is getattr(np, name) for name in np.__all__ if name not in of_jax)
    assert jnp.linalg.norm is norm_of_numpy is np.linalg.norm
    assert jnp.fft.rfft is np.fft.rfft
    assert jsp.special.erf is scipy.special.erf is s2s.scipy.special.erf
    assert norm is scipy.stats.norm
    assert jsp.spatial.transform.Rotation is scipy.spatial.transform.Rotation
    assert jsp.spatial.distance.cdist is scipy.spatial.distance.cdist
    assert jsp.cluster.vq.vq is scipy.cluster.vq.vq
    assert multivariate_normal is scipy.stats.multivariate_normal
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        jnp.nothing  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        jsp.nothing  # noqa: B018


def test_a_part_of_scipy_is_imported_when_it_is_asked_for():
    code = "import sys, s2s.numpy, s2s.scipy as sp; assert 'scipy' not in sys.modules; sp.special; assert 'scipy.special' in sys.modules and 'scipy.stats' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_distributions_are_imported_by_their_names():
    code = "import s2s.scipy.stats.norm as norm, scipy.stats; from s2s.scipy.stats.beta import logpdf; assert norm is scipy.stats.norm and logpdf == scipy.stats.beta.logpdf"
    subprocess.run([sys.executable, "-c", code], check=True)


def mixture(theta, y):
    """The likelihood of a mixture of normal distributions."""
    weights = theta[0] - logsumexp(theta[0])
    terms = norm.logpdf(y[:, None], theta[1], jnp.exp(theta[2])) + weights
    return -jnp.sum(logsumexp(terms, axis=1))


def gaussian_process(theta, x, y):
    """The evidence of a Gaussian process: a Cholesky factor, a solve and a determinant."""
    lengths, noise = jnp.exp(theta[:3]), jnp.exp(theta[3])
    gaps = (x[:, None, :] - x[None, :, :]) / lengths
    covariance = jnp.exp(-0.5 * jnp.sum(gaps**2, axis=-1)) + noise * jnp.eye(x.shape[0])
    factor = jnp.linalg.cholesky(covariance)
    scaled = solve_triangular(factor, y, lower=True)
    return 0.5 * jnp.dot(scaled, scaled) + jnp.sum(jnp.log(jnp.diag(factor)))


def logistic_regression(w, x, y):
    chances = expit(x @ w[:3] + w[3])
    return -jnp.sum(jsp.special.xlogy(y > 0, chances) + jsp.special.xlogy(y <= 0, 1 - chances)) + 0.1 * jnp.sum(w**2)


def survival(theta, times):
    """Gamma times, of which those above 2 were not seen to the end."""
    scale = jnp.exp(theta)
    seen = jsp.stats.gamma.logpdf(times, 1.7, 0.0, scale)
    return -jnp.sum(jnp.where(times < 2.0, seen, jsp.stats.gamma.logsf(2.0, 1.7, 0.0, scale)))


def probit(w, x, y):
    sign = jnp.where(y > 0, 1.0, -1.0)
    return -jnp.sum(jsp.special.log_ndtr(sign * (x @ w)))


def ridge(w, x, y):
    factors = cho_factor(x.T @ x + jnp.exp(w) * jnp.eye(3))
    return jnp.sum((y - x @ cho_solve(factors, x.T @ y)) ** 2)


def decay(theta, t):
    """A linear system's state at some time."""
    generator = jnp.array([[-theta[0], theta[1]], [theta[0], -theta[1]]])
    return jnp.sum(jsp.linalg.expm(generator * t) @ jnp.array([1.0, 0.0]) * jnp.array([1.0, 2.0]))


def fitted(c, t):
    """The residual of a fit by least squares, and a Toeplitz matrix's pseudo-inverse."""
    columns = jnp.stack([jnp.ones_like(t), t, jnp.tanh(c * t)], axis=1)
    found = jnp.linalg.lstsq(columns, jnp.sin(t))[0]
    return jnp.sum((columns @ found - jnp.sin(t)) ** 2) + jnp.sum(jnp.linalg.pinv(columns)) + jnp.sum(jsp.linalg.toeplitz(found) ** 2)


def counts(theta, k):
    return -jnp.sum(jsp.stats.poisson.logpmf(k, jnp.exp(theta[0]))) - jnp.sum(jsp.stats.binom.logpmf(k, 9, expit(theta[1]))) + jsp.special.multigammaln(theta[2] + 3.0, 2)


PROGRAMS = [
    (mixture, (RNG.normal(size=(3, 2)), Y)), (gaussian_process, (RNG.normal(size=4) * 0.3, X, Y)), (logistic_regression, (RNG.normal(size=4), X, Y)),
    (survival, (0.3, np.abs(Y) * 3)), (probit, (RNG.normal(size=3), X, Y)), (ridge, (0.2, X, Y)), (decay, (np.array([0.7, 0.3]), 1.5)),
    (fitted, (0.8, np.linspace(-1.0, 2.0, 9))), (counts, (np.array([0.2, 0.4, 1.1]), np.arange(5))),
]


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=[program.__name__ for program, _ in PROGRAMS])
def test_programs(program, args):
    f = s2s.jit(program, target="numpy")
    np.testing.assert_allclose(f(*args), program(*args), rtol=1e-12)
    s2s.check_grads(lambda theta: f(theta, *args[1:]), args[:1], order=2, modes=("fwd", "rev"))


def test_programs_compiled():
    for program, args in (PROGRAMS[0], PROGRAMS[4], PROGRAMS[6]):
        np.testing.assert_allclose(s2s.grad(program)(*args), s2s.grad(s2s.jit(program, target="numpy"))(*args), rtol=1e-10)
