"""scipy.stats' distributions of vectors: multivariate_normal by Cholesky's factor of the covariance, dirichlet."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.given_generators import generator_of
from s2s.transforms.read.composed.marks import surely, unsupported

LOG_TWO_PI = 1.8378770664093453
FARTHEST = 40.0
"""Behind it a normal distribution has nothing."""


def multivariate_normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    """scipy.stats.multivariate_normal.logpdf."""
    mean, cov = _parameters(mean, cov)
    x = _points(x, mean)
    if x.shape[-1] != mean.shape[0]:
        raise ValueError(f"operands could not be broadcast together with shapes {x.shape} {mean.shape}")
    if allow_singular is not False:
        return _squeezed(_of_any_rank(x, mean, cov))
    return _squeezed(_by_cholesky(x, mean, cov))


def _of_any_rank(x, mean, cov):
    """Along the axes of the covariance that are there; -inf off them. Source: SciPy's documentation of `allow_singular`."""
    values, axes = np.linalg.eigh(cov)
    least = 1e6 * np.finfo(np.float64).eps * np.max(np.abs(values))
    if np.min(values) < -least:
        raise ValueError("The input matrix must be symmetric positive semidefinite.")
    kept = values > least
    if np.all(kept):
        return _by_cholesky(x, mean, cov)
    along = (x - mean) @ axes
    logarithm = np.sum(np.log(np.where(kept, values, 1.0)))
    size = np.sum(np.where(kept, along * along / np.where(kept, values, 1.0), 0.0), axis=-1)
    off = np.sum(np.where(kept, 0.0, along * along), axis=-1)
    found = -0.5 * (np.sum(kept) * LOG_TWO_PI + logarithm + size)
    return found + np.where(off < (1e3 * least) ** 2, 0.0, -np.inf)


def _by_cholesky(x, mean, cov):
    import scipy.linalg

    factor = np.linalg.cholesky(cov)
    off = (x - mean).reshape(-1, mean.shape[0])
    scaled = scipy.linalg.solve_triangular(factor, off.T, lower=True, check_finite=False)
    size = np.sum(scaled * scaled, axis=0).reshape(x.shape[:-1])
    logarithm = 2.0 * np.sum(np.log(np.diagonal(factor)))
    return -0.5 * (mean.shape[0] * LOG_TWO_PI + logarithm + size)


def multivariate_normal_pdf(x, mean=None, cov=1, allow_singular=False):
    """scipy.stats.multivariate_normal.pdf."""
    return np.exp(multivariate_normal_logpdf(x, mean, cov, allow_singular))


def multivariate_normal_entropy(mean=None, cov=1):
    """scipy.stats.multivariate_normal.entropy."""
    mean, cov = _parameters(mean, cov)
    return 0.5 * (mean.shape[0] * (LOG_TWO_PI + 1.0) + 2.0 * np.sum(np.log(np.diagonal(np.linalg.cholesky(cov)))))


def multivariate_normal_cdf(x, mean=None, cov=1, allow_singular=False, maxpts=None, abseps=1e-5, releps=1e-5, *, lower_limit=None, rng=None):
    """scipy.stats.multivariate_normal.cdf of one variable or two, by a formula where SciPy draws points: Plackett 1954, by Gauss's and Legendre's points."""
    if allow_singular is not False:
        unsupported("scipy.stats.multivariate_normal.cdf(…, allow_singular=True)", "leave it out")
    import scipy.special

    mean, cov = _parameters(mean, cov)
    np.linalg.cholesky(cov)
    roots = np.sqrt(np.diagonal(cov))
    x = _points(x, mean)
    count = _how_many(x, mean, cov, roots)
    upper = _standing(x, mean, roots)
    lower = np.full_like(upper, -FARTHEST) if lower_limit is None else _standing(np.asarray(lower_limit, np.float64), mean, roots) + 0.0 * upper
    if count == 1:
        return _squeezed((scipy.special.ndtr(upper) - scipy.special.ndtr(lower))[..., 0])
    if count != 2:
        unsupported("scipy.stats.multivariate_normal.cdf of more than two variables", "two of them", "SciPy's numbers are those of points that it draws")
    r = cov[0, 1] / (roots[0] * roots[1])
    first, second = (upper[..., 0], lower[..., 0]), (upper[..., 1], lower[..., 1])
    return _squeezed(sum(sign * _below(first[i], second[j], r) for i, j, sign in ((0, 0, 1.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 1.0))))


def multivariate_normal_logcdf(x, mean=None, cov=1, allow_singular=False, maxpts=None, abseps=1e-5, releps=1e-5, *, lower_limit=None, rng=None):
    """scipy.stats.multivariate_normal.logcdf of one variable or two."""
    return np.log(multivariate_normal_cdf(x, mean, cov, allow_singular, lower_limit=lower_limit))


def _how_many(x, mean, cov, roots):
    """How many variables there are, as one of the arguments knows; where none does, the function is read for just so many."""
    for known in (1, 2):
        if surely(cov.shape[0] == known) or surely(mean.shape[0] == known) or surely(x.shape[-1] == known):
            return known
    return len([*roots])


def _standing(x, mean, roots):
    return np.clip((x - mean) / roots, -FARTHEST, FARTHEST)


def _below(h, k, r):
    """How often two standard normal numbers of correlation r lie below h and k."""
    import scipy.special

    nodes, weights = np.polynomial.legendre.leggauss(24)
    quarters = np.arange(4.0)[:, np.newaxis]
    end = np.arcsin(r)
    angles = end * ((quarters + 0.5 * (nodes + 1.0)) / 4.0).ravel()
    h, k = h[..., np.newaxis], k[..., np.newaxis]
    slopes = np.exp(-0.5 * (h * h + k * k - 2.0 * h * k * np.sin(angles)) / np.cos(angles) ** 2)
    return (scipy.special.ndtr(h) * scipy.special.ndtr(k))[..., 0] + end / (16.0 * np.pi) * np.sum(slopes * (0.0 * quarters + weights).ravel(), axis=-1)


def multivariate_normal_rvs(mean=None, cov=1, size=1, random_state=None):
    """scipy.stats.multivariate_normal.rvs."""
    mean, cov = _parameters(mean, cov)
    return _squeezed(generator_of(None, random_state).multivariate_normal(mean, cov, size))


def dirichlet_rvs(alpha, size=1, random_state=None):
    """scipy.stats.dirichlet.rvs."""
    return generator_of(None, random_state).dirichlet(_shape(alpha), size=size)


def _parameters(mean, cov):
    """The mean as a vector, the covariance as a matrix."""
    cov = np.asarray(cov)
    if cov.dtype.kind == "c" or mean is not None and np.asarray(mean).dtype.kind == "c":
        unsupported("scipy.stats.multivariate_normal of complex numbers", "real numbers")
    cov = cov.astype(np.float64)
    if mean is None:
        dim = 1 if cov.ndim < 2 else cov.shape[0]
        mean = np.zeros(dim)
    mean = np.atleast_1d(np.asarray(mean).astype(np.float64))
    if mean.ndim != 1:
        raise ValueError("Array 'mean' must be a vector.")
    dim = mean.shape[0]
    if cov.ndim == 0:
        return mean, cov * np.eye(dim)
    if cov.ndim == 1:
        return _fitting(mean, cov, np.diag(cov))
    if cov.ndim > 2:
        raise ValueError(f"Array 'cov' must be at most two-dimensional, but cov.ndim = {cov.ndim}")
    if cov.shape[0] != cov.shape[1]:
        raise ValueError(f"Array 'cov' must be square if it is two dimensional, but cov.shape = {cov.shape}.")
    return _fitting(mean, cov, cov)


def _fitting(mean, cov, matrix):
    if mean.shape[0] != cov.shape[0]:
        raise ValueError(f"Array 'mean' must be a vector of length {cov.shape[0]}.")
    return mean, matrix


def _points(x, mean):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        unsupported("scipy.stats.multivariate_normal of complex numbers", "real numbers")
    x = x.astype(np.float64)
    if x.ndim == 0:
        return x.reshape(1)
    return x[:, np.newaxis] if x.ndim == 1 and surely(mean.shape[0] == 1) else x


def _squeezed(found):
    """Without axes of length 1; a number where no axis is left."""
    return np.squeeze(found)[()]


def dirichlet_logpdf(x, alpha):
    """scipy.stats.dirichlet.logpdf: x as columns; its last element may be left out."""
    import scipy.special

    x, alpha = _simplex(x, alpha)
    return _squeezed(np.sum(scipy.special.xlogy(alpha - 1.0, x.T).T, axis=0) - _log_beta(alpha))


def dirichlet_pdf(x, alpha):
    """scipy.stats.dirichlet.pdf."""
    return np.exp(dirichlet_logpdf(x, alpha))


def dirichlet_entropy(alpha):
    """scipy.stats.dirichlet.entropy."""
    import scipy.special

    alpha = _shape(alpha)
    total = np.sum(alpha)
    rest = np.sum((alpha - 1.0) * scipy.special.digamma(alpha))
    return _log_beta(alpha) + (total - alpha.shape[0]) * scipy.special.digamma(total) - rest


def dirichlet_mean(alpha):
    """scipy.stats.dirichlet.mean."""
    alpha = _shape(alpha)
    return _squeezed(alpha / np.sum(alpha))


def dirichlet_var(alpha):
    """scipy.stats.dirichlet.var."""
    alpha = _shape(alpha)
    total = np.sum(alpha)
    return _squeezed(alpha * (total - alpha) / (total * total * (total + 1.0)))


def _log_beta(alpha):
    import scipy.special

    return np.sum(scipy.special.gammaln(alpha)) - scipy.special.gammaln(np.sum(alpha))


def _shape(alpha):
    alpha = np.asarray(alpha)
    if alpha.dtype.kind == "c":
        unsupported("scipy.stats.dirichlet of complex numbers", "real numbers")
    alpha = alpha.astype(np.float64)
    if alpha.ndim != 1:
        raise ValueError(f"Parameter vector 'a' must be one dimensional, but a.shape = {alpha.shape}.")
    if np.min(alpha) <= 0:
        raise ValueError("All parameters must be greater than 0")
    return alpha


def _simplex(x, alpha):
    alpha = _shape(alpha)
    x = np.asarray(x).astype(np.float64)
    if x.ndim == 0:
        raise IndexError("tuple index out of range")
    if x.shape[0] + 1 == alpha.shape[0]:
        x = np.concatenate((x, np.expand_dims(1.0 - np.sum(x, axis=0), 0)))
    elif x.shape[0] != alpha.shape[0]:
        raise ValueError(f"Vector 'x' must have either the same number of entries as, or one entry fewer than, parameter vector 'a', but alpha.shape = {alpha.shape} and x.shape = {x.shape}.")
    if np.min(x) < 0:
        raise ValueError("Each entry in 'x' must be greater than or equal to zero.")
    if np.max(x) > 1:
        raise ValueError("Each entry in 'x' must be smaller or equal one.")
    small = (x == 0) & (alpha < 1).reshape((-1,) + (1,) * (x.ndim - 1))
    if np.any(small):
        raise ValueError("Each entry in 'x' must be greater than zero if its alpha is less than one.")
    if np.any(np.abs(np.sum(x, axis=0) - 1.0) > 10e-10):
        raise ValueError("The input vector 'x' must lie within the normal simplex.")
    return x, alpha


VECTORS: dict[str, Any] = {
    f"scipy.stats.{distribution}.{method}": function
    for distribution, methods in (
        ("multivariate_normal", {"logpdf": multivariate_normal_logpdf, "pdf": multivariate_normal_pdf, "entropy": multivariate_normal_entropy, "cdf": multivariate_normal_cdf, "logcdf": multivariate_normal_logcdf}),
        ("dirichlet", {"logpdf": dirichlet_logpdf, "pdf": dirichlet_pdf, "entropy": dirichlet_entropy, "mean": dirichlet_mean, "var": dirichlet_var}),
    )
    for method, function in methods.items()
}
"""By qualified name."""
DRAWN: dict[str, Any] = {"scipy.stats.multivariate_normal.rvs": multivariate_normal_rvs, "scipy.stats.dirichlet.rvs": dirichlet_rvs}
"""Their numbers: drawn anew in each call, also where all of the arguments are known."""
