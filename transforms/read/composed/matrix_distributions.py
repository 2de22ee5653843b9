"""scipy.stats' distributions of counts in classes and of matrices: multinomial, dirichlet_multinomial, wishart, invwishart; multivariate_t."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.vector_distributions import _fitting, _points, _squeezed, multivariate_normal_logpdf

# ---- counts in classes -------------------------------------------------------------------------------------------------------------------


def _trials(n, p):
    """The number of trials, the chances, the last one so that their sum is 1, and where they are ones."""
    given = np.asarray(p)
    eps = np.finfo(given.dtype if given.dtype == np.float32 else np.float64).eps * 10
    p = given.astype(np.float64)
    off = np.abs(1.0 - np.sum(p, axis=-1)) > eps
    last = np.where(off, 1.0 - np.sum(p[..., :-1], axis=-1), p[..., -1])
    p = np.concatenate((p[..., :-1], last[..., np.newaxis]), axis=-1)
    n = np.trunc(np.asarray(n, np.float64))
    return n, p, np.all((p >= 0) & (p <= 1), axis=-1) & (n >= 0)


def multinomial_logpmf(x, n, p):
    """scipy.stats.multinomial.logpmf."""
    import scipy.special as sp

    n, p, valid = _trials(n, p)
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("x must be an array.")
    if x.shape[-1] != p.shape[-1]:
        raise ValueError(f"Size of each quantile should be size of p: received {x.shape[-1]}, but expected {p.shape[-1]}.")
    x = x.astype(np.float64)
    inside = np.all((np.floor(x) == x) & (x >= 0), axis=-1) & (np.sum(x, axis=-1) == n)
    held, chances = np.where(inside[..., np.newaxis], x, 0.0), np.where(valid[..., np.newaxis], p, 0.5)
    found = sp.gammaln(np.where(valid, n, 0.0) + 1.0) + np.sum(sp.xlogy(held, chances) - sp.gammaln(held + 1.0), axis=-1)
    return np.where(valid, np.where(inside, found, -np.inf), np.nan)


def multinomial_pmf(x, n, p):
    """scipy.stats.multinomial.pmf."""
    return np.exp(multinomial_logpmf(x, n, p))


def multinomial_mean(n, p):
    """scipy.stats.multinomial.mean."""
    n, p, valid = _trials(n, p)
    return np.where(valid[..., np.newaxis], n[..., np.newaxis] * p, np.nan)


def multinomial_cov(n, p):
    """scipy.stats.multinomial.cov."""
    n, p, valid = _trials(n, p)
    own = np.eye(p.shape[-1]) * p[..., np.newaxis]
    return np.where(valid[..., np.newaxis, np.newaxis], n[..., np.newaxis, np.newaxis] * (own - p[..., :, np.newaxis] * p[..., np.newaxis, :]), np.nan)


def _urn(alpha, n):
    alpha, n = np.asarray(alpha).astype(np.float64), np.asarray(n).astype(np.float64)
    if np.any(alpha <= 0):
        raise ValueError("`alpha` must contain only positive values.")
    if np.any(n < 0) or np.any(n != np.floor(n)):
        raise ValueError("`n` must be a non-negative integer.")
    return alpha, np.sum(alpha, axis=-1), n


def dirichlet_multinomial_logpmf(x, alpha, n):
    """scipy.stats.dirichlet_multinomial.logpmf."""
    import scipy.special as sp

    alpha, total, n = _urn(alpha, n)
    x = np.asarray(x).astype(np.float64)
    if np.any(x < 0) or np.any(x != np.floor(x)):
        raise ValueError("`x` must contain only non-negative integers.")
    found = sp.gammaln(total) + sp.gammaln(n + 1.0) - sp.gammaln(n + total) + np.sum(sp.gammaln(x + alpha) - (sp.gammaln(alpha) + sp.gammaln(x + 1.0)), axis=-1)
    return np.where(np.sum(x + 0.0 * alpha, axis=-1) == n, found, -np.inf)[()]


def dirichlet_multinomial_pmf(x, alpha, n):
    """scipy.stats.dirichlet_multinomial.pmf."""
    return np.exp(dirichlet_multinomial_logpmf(x, alpha, n))


def dirichlet_multinomial_mean(alpha, n):
    """scipy.stats.dirichlet_multinomial.mean."""
    alpha, total, n = _urn(alpha, n)
    return n[..., np.newaxis] * alpha / total[..., np.newaxis]


def dirichlet_multinomial_var(alpha, n):
    """scipy.stats.dirichlet_multinomial.var."""
    alpha, total, n = _urn(alpha, n)
    n, total = n[..., np.newaxis], total[..., np.newaxis]
    return n * alpha / total * (1.0 - alpha / total) * (n + total) / (1.0 + total)


def dirichlet_multinomial_cov(alpha, n):
    """scipy.stats.dirichlet_multinomial.cov."""
    alpha, total, n = _urn(alpha, n)
    n, share = n[..., np.newaxis, np.newaxis], alpha / total[..., np.newaxis]
    total = total[..., np.newaxis, np.newaxis]
    own = np.eye(alpha.shape[-1]) * share[..., np.newaxis]
    return n * (own - share[..., :, np.newaxis] * share[..., np.newaxis, :]) * (n + total) / (1.0 + total)


# ---- matrices ----------------------------------------------------------------------------------------------------------------------------


def _scale(df, scale):
    """The degrees of freedom, and the scale as a matrix."""
    scale = np.asarray(1.0 if scale is None else scale)
    if scale.dtype.kind == "c":
        unsupported("scipy.stats.wishart of complex numbers", "real numbers")
    scale = scale.astype(np.float64)
    if scale.ndim > 2:
        raise ValueError(f"Array 'scale' must be at most two-dimensional, but scale.ndim = {scale.ndim}")
    if scale.ndim == 2 and scale.shape[0] != scale.shape[1]:
        raise ValueError(f"Array 'scale' must be square if it is two dimensional, but scale.scale = {scale.shape}.")
    matrix = scale.reshape(1, 1) if scale.ndim == 0 else np.diag(scale) if scale.ndim == 1 else scale
    if df is None:
        return matrix.shape[0] * 1.0, matrix
    if np.ndim(df) > 0:
        raise ValueError("Degrees of freedom must be a scalar.")
    if df <= matrix.shape[0] - 1:
        raise ValueError("Degrees of freedom must be greater than the dimension of scale matrix minus 1.")
    return df, matrix


def _matrices(x, dim):
    """Matrices along the first axis; whether there is only one."""
    x = np.asarray(x).astype(np.float64)
    if x.ndim > 3:
        raise ValueError(f"Quantiles must be at most two-dimensional with an additional dimension for multiple components, but x.ndim = {x.ndim}")
    if x.ndim == 0:
        x = (x * np.eye(dim))[np.newaxis]
    elif x.ndim == 1:
        x = x.reshape(-1, 1, 1) if surely(dim == 1) else np.diag(x)[np.newaxis]
    else:
        x = x[np.newaxis] if x.ndim == 2 else np.moveaxis(x, 2, 0)
    if x.shape[1] != dim or x.shape[2] != dim:
        raise ValueError(f"Quantiles have incompatible dimensions: should be {(dim, dim)}, got {x.shape[1:]}.")
    return x


def _log_determinant(factor):
    return 2.0 * np.sum(np.log(np.diagonal(factor, axis1=-2, axis2=-1)), axis=-1)


def _squares(factor, other):
    """The sum of the squares of factor**-1 @ other for each of a stack."""
    scaled = np.linalg.solve(factor, other)
    return np.sum(scaled * scaled, axis=(-2, -1))


def _wishart_constant(df, dim):
    import scipy.special as sp

    parts = (1.0 - np.arange(1, dim + 1)) / 2.0
    return 0.5 * df * dim * np.log(2.0) + dim * (dim - 1) / 4.0 * np.log(np.pi) + np.sum(sp.gammaln(0.5 * df + parts))


def wishart_logpdf(x, df, scale):
    """scipy.stats.wishart.logpdf: of several matrices along the last axis."""
    df, scale = _scale(df, scale)
    dim = scale.shape[0]
    roots, root = np.linalg.cholesky(_matrices(x, dim)), np.linalg.cholesky(scale)
    spread = _squares(root[np.newaxis] + 0.0 * roots, roots)
    return _squeezed(0.5 * (df - dim - 1) * _log_determinant(roots) - 0.5 * spread - 0.5 * df * _log_determinant(root) - _wishart_constant(df, dim))


def wishart_pdf(x, df, scale):
    """scipy.stats.wishart.pdf."""
    return np.exp(wishart_logpdf(x, df, scale))


def wishart_mean(df, scale):
    """scipy.stats.wishart.mean."""
    df, scale = _scale(df, scale)
    return _squeezed(df * scale)


def wishart_var(df, scale):
    """scipy.stats.wishart.var."""
    df, scale = _scale(df, scale)
    own = np.diagonal(scale)
    return _squeezed((scale**2 + own[:, np.newaxis] * own) * df)


def invwishart_logpdf(x, df, scale):
    """scipy.stats.invwishart.logpdf: of several matrices along the last axis."""
    df, scale = _scale(df, scale)
    dim = scale.shape[0]
    roots, root = np.linalg.cholesky(_matrices(x, dim)), np.linalg.cholesky(scale)
    spread = _squares(roots, root[np.newaxis] + 0.0 * roots)
    return _squeezed(0.5 * df * _log_determinant(root) - 0.5 * spread - 0.5 * (df + dim + 1) * _log_determinant(roots) - _wishart_constant(df, dim))


def invwishart_pdf(x, df, scale):
    """scipy.stats.invwishart.pdf."""
    return np.exp(invwishart_logpdf(x, df, scale))


def invwishart_mean(df, scale):
    """scipy.stats.invwishart.mean, of degrees of freedom above the dimension plus 1."""
    df, scale = _scale(df, scale)
    if df <= scale.shape[0] + 1:
        raise NotImplementedError("scipy.stats.invwishart.mean of so few degrees of freedom (the result is None) is not supported")
    return _squeezed(scale / (df - scale.shape[0] - 1))


# ---- Student's ---------------------------------------------------------------------------------------------------------------------------


def _placed(loc, shape, df):
    """The location as a vector, the shape as a matrix."""
    loc = None if loc is None else np.atleast_1d(np.asarray(loc).astype(np.float64))
    shape = np.asarray(1.0 if shape is None else shape).astype(np.float64)
    if loc is None:
        loc = np.zeros(1 if shape.ndim < 2 else shape.shape[0])
    if loc.ndim != 1:
        raise ValueError(f"Array 'loc' must be a vector of length {loc.size}.")
    if shape.ndim > 2:
        raise ValueError(f"Array 'cov' must be at most two-dimensional, but cov.ndim = {shape.ndim}")
    if df <= 0:
        raise ValueError("'df' must be greater than zero.")
    if shape.ndim == 0:
        return loc, shape * np.eye(loc.shape[0])
    return _fitting(loc, shape, np.diag(shape) if shape.ndim == 1 else shape)


def multivariate_t_logpdf(x, loc=None, shape=1, df=1):
    """scipy.stats.multivariate_t.logpdf of a shape that is positive definite."""
    import scipy.linalg
    import scipy.special as sp

    loc, shape = _placed(loc, shape, df)
    dim = loc.shape[0]
    if np.isinf(df):
        return multivariate_normal_logpdf(x, loc, shape)
    x = _points(x, loc)
    root = np.linalg.cholesky(shape)
    off = (x - loc).reshape(-1, dim)
    scaled = scipy.linalg.solve_triangular(root, off.T, lower=True, check_finite=False)
    spread = np.sum(scaled * scaled, axis=0).reshape(x.shape[:-1])
    half = 0.5 * (df + dim)
    return _squeezed(sp.gammaln(half) - sp.gammaln(0.5 * df) - dim / 2.0 * np.log(df * np.pi) - 0.5 * _log_determinant(root) - half * np.log1p(spread / df))


def multivariate_t_pdf(x, loc=None, shape=1, df=1, allow_singular=False):
    """scipy.stats.multivariate_t.pdf of a shape that is positive definite."""
    if allow_singular is not False:
        unsupported("scipy.stats.multivariate_t.pdf(…, allow_singular=True)", "leave it out")
    return np.exp(multivariate_t_logpdf(x, loc, shape, df))


# ---- normal matrices ---------------------------------------------------------------------------------------------------------------------


def _covariance(name, value, count):
    """One of the rows or the columns: of a number or a diagonal the matrix."""
    value = np.asarray(value, dtype=np.float64)
    if value.ndim == 0:
        return value * np.eye(count)
    value = np.diag(value) if value.ndim == 1 else value
    if value.ndim != 2:
        raise ValueError(f"`{name}` must be a scalar or a 2D array.")
    if value.shape[0] != value.shape[1]:
        raise ValueError(f"Array `{name}` must be square.")
    return value


def matrix_normal_logpdf(X, mean=None, rowcov=1, colcov=1):
    """scipy.stats.matrix_normal.logpdf: of a matrix or a stack of them."""
    sizes = (1, 1) if mean is None else np.shape(mean)
    if len(sizes) != 2:
        raise ValueError("Array `mean` must be two dimensional.")
    rows, columns = _covariance("rowcov", rowcov, sizes[0]), _covariance("colcov", colcov, sizes[1])
    n, m = rows.shape[0], columns.shape[0]
    if mean is not None and sizes[0] != n:
        raise ValueError("Arrays `mean` and `rowcov` must have the same number of rows.")
    if mean is not None and sizes[1] != m:
        raise ValueError("Arrays `mean` and `colcov` must have the same number of columns.")
    x = np.asarray(X, dtype=np.float64)
    if x.ndim < 2 or x.shape[-2] != n or x.shape[-1] != m:
        raise ValueError("The shape of array `X` is not compatible with the distribution parameters.")
    left, right = np.linalg.cholesky(rows), np.linalg.cholesky(columns)
    off = x if mean is None else x - np.asarray(mean, dtype=np.float64)
    scaled = np.linalg.solve(right, np.swapaxes(np.linalg.solve(left, off), -1, -2))
    squares = np.sum(scaled * scaled, axis=(-2, -1))
    return _squeezed(-0.5 * (n * m * np.log(2.0 * np.pi) + m * _log_determinant(left) + n * _log_determinant(right) + squares))


def matrix_normal_pdf(X, mean=None, rowcov=1, colcov=1):
    """scipy.stats.matrix_normal.pdf."""
    return np.exp(matrix_normal_logpdf(X, mean, rowcov, colcov))


def matrix_normal_entropy(rowcov=1, colcov=1):
    """scipy.stats.matrix_normal.entropy, of two matrices."""
    rows, columns = np.asarray(rowcov, dtype=np.float64), np.asarray(colcov, dtype=np.float64)
    n, m = rows.shape[0], columns.shape[0]
    return 0.5 * (n * m * (1.0 + np.log(2.0 * np.pi)) + m * _log_determinant(np.linalg.cholesky(rows)) + n * _log_determinant(np.linalg.cholesky(columns)))


MATRICES: dict[str, Any] = {
    f"scipy.stats.{distribution}.{method}": function
    for distribution, methods in (
        ("multinomial", {"logpmf": multinomial_logpmf, "pmf": multinomial_pmf, "mean": multinomial_mean, "cov": multinomial_cov}),
        ("dirichlet_multinomial", {"logpmf": dirichlet_multinomial_logpmf, "pmf": dirichlet_multinomial_pmf, "mean": dirichlet_multinomial_mean, "var": dirichlet_multinomial_var, "cov": dirichlet_multinomial_cov}),
        ("wishart", {"logpdf": wishart_logpdf, "pdf": wishart_pdf, "mean": wishart_mean, "var": wishart_var}),
        ("invwishart", {"logpdf": invwishart_logpdf, "pdf": invwishart_pdf, "mean": invwishart_mean}),
        ("matrix_normal", {"logpdf": matrix_normal_logpdf, "pdf": matrix_normal_pdf, "entropy": matrix_normal_entropy}),
        ("multivariate_t", {"logpdf": multivariate_t_logpdf, "pdf": multivariate_t_pdf}),
    )
    for method, function in methods.items()
}
