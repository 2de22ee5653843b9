"""scipy.stats: densities of distributions with their logarithms, and distribution functions where they are formulas.

As in SciPy results are float64, nan where the scale is not positive or a shape is outside of its domain, and 0 (-inf) outside of the support.
SciPy is imported where a function is called or read: then the user has imported it.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.saddle_points import LOG_ROOT_2PI, log_binomial, log_half_step


def _real(x):
    """x in float64."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        unsupported("scipy.stats of complex numbers", "real numbers")
    return np.asarray(x, dtype=np.float64)


def _standard(x, loc, scale):
    """(x - loc) / scale in float64."""
    return (_real(x) - loc) / scale


def _held(value, valid):
    """The value where it is valid; elsewhere a number that no derivative is infinite at."""
    return np.where(valid, value, 0.5)


def _log_of_part(part, rest):
    """The logarithm of a probability, of one near 1 by what is left of it."""
    small = part < 0.5
    return np.where(small, np.log(np.where(small, part, 0.5)), np.log1p(-np.where(small, 0.5, rest)))


def _checked(value, scale, y, valid=None):
    """The value where the scale is positive, the shapes are valid and y is a number, else nan."""
    defined = (scale > 0) & ~np.isnan(y)
    return np.where(defined if valid is None else defined & valid, value, np.nan)[()]


def _density(logarithm, y, scale, inside=None, valid=None):
    """exp(logarithm) / scale inside of the support, 0 outside."""
    density = np.exp(logarithm)
    return _checked((density if inside is None else np.where(inside, density, 0.0)) / scale, scale, y, valid)


def _logarithm(logarithm, y, scale, inside=None, valid=None):
    return _checked((logarithm if inside is None else np.where(inside, logarithm, -np.inf)) - np.log(scale), scale, y, valid)


# ---- normal --------------------------------------------------------------------------------------------------------------


def norm_pdf(x, loc=0, scale=1):
    """scipy.stats.norm.pdf."""
    y = _standard(x, loc, scale)
    return _density(-(y * y) / 2.0 - 0.9189385332046727, y, scale)


def norm_logpdf(x, loc=0, scale=1):
    """scipy.stats.norm.logpdf."""
    y = _standard(x, loc, scale)
    return _logarithm(-(y * y) / 2.0 - 0.9189385332046727, y, scale)


def norm_cdf(x, loc=0, scale=1):
    """scipy.stats.norm.cdf."""
    import scipy.special

    y = _standard(x, loc, scale)
    return _checked(0.5 * scipy.special.erfc(-y * 0.7071067811865476), scale, y)


def norm_sf(x, loc=0, scale=1):
    """scipy.stats.norm.sf."""
    import scipy.special

    y = _standard(x, loc, scale)
    return _checked(0.5 * scipy.special.erfc(y * 0.7071067811865476), scale, y)


def lognorm_logpdf(x, s, loc=0, scale=1):
    """scipy.stats.lognorm.logpdf."""
    y = _standard(x, loc, scale)
    inside, valid = y > 0, np.greater(s, 0)
    held, s = _held(y, inside), _held(s, valid)
    return _logarithm(-(np.log(held) ** 2) / (2 * s**2) - np.log(s * held) - 0.9189385332046727, y, scale, inside, valid)


def lognorm_pdf(x, s, loc=0, scale=1):
    """scipy.stats.lognorm.pdf."""
    return np.exp(lognorm_logpdf(x, s, loc, scale))


# ---- exponential, Laplace, logistic, Cauchy, uniform ------------------------------------------------------------------------


def expon_pdf(x, loc=0, scale=1):
    """scipy.stats.expon.pdf."""
    y = _standard(x, loc, scale)
    return _density(-y, y, scale, y >= 0)


def expon_logpdf(x, loc=0, scale=1):
    """scipy.stats.expon.logpdf."""
    y = _standard(x, loc, scale)
    return _logarithm(-y, y, scale, y >= 0)


def expon_cdf(x, loc=0, scale=1):
    """scipy.stats.expon.cdf."""
    y = _standard(x, loc, scale)
    return _checked(-np.expm1(-np.maximum(y, 0.0)), scale, y)


def expon_sf(x, loc=0, scale=1):
    """scipy.stats.expon.sf."""
    y = _standard(x, loc, scale)
    return _checked(np.exp(-np.maximum(y, 0.0)), scale, y)


def laplace_pdf(x, loc=0, scale=1):
    """scipy.stats.laplace.pdf."""
    y = _standard(x, loc, scale)
    return _checked(0.5 * np.exp(-np.abs(y)) / scale, scale, y)


def laplace_logpdf(x, loc=0, scale=1):
    """scipy.stats.laplace.logpdf."""
    y = _standard(x, loc, scale)
    return _logarithm(np.log(0.5) - np.abs(y), y, scale)


def laplace_cdf(x, loc=0, scale=1):
    """scipy.stats.laplace.cdf."""
    y = _standard(x, loc, scale)
    half = 0.5 * np.exp(-np.abs(y))
    return _checked(np.where(y > 0, 1.0 - half, half), scale, y)


def logistic_logpdf(x, loc=0, scale=1):
    """scipy.stats.logistic.logpdf."""
    y = -np.abs(_standard(x, loc, scale))
    return _logarithm(y - 2.0 * np.log1p(np.exp(y)), y, scale)


def logistic_pdf(x, loc=0, scale=1):
    """scipy.stats.logistic.pdf."""
    return np.exp(logistic_logpdf(x, loc, scale))


def logistic_cdf(x, loc=0, scale=1):
    """scipy.stats.logistic.cdf."""
    import scipy.special

    y = _standard(x, loc, scale)
    return _checked(scipy.special.expit(y), scale, y)


def cauchy_pdf(x, loc=0, scale=1):
    """scipy.stats.cauchy.pdf."""
    y = _standard(x, loc, scale)
    return _checked(1.0 / (np.pi * (1.0 + y * y)) / scale, scale, y)


def cauchy_logpdf(x, loc=0, scale=1):
    """scipy.stats.cauchy.logpdf: beyond 1e9 without the square, which overflows."""
    y = _standard(x, loc, scale)
    far = np.abs(y) > 1e9
    near = -np.log1p(_held(y, ~far) ** 2)
    return _logarithm(np.where(far, -2.0 * np.log(np.abs(np.where(far, y, 1e9))), near) - np.log(np.pi), y, scale)


def cauchy_cdf(x, loc=0, scale=1):
    """scipy.stats.cauchy.cdf."""
    y = _standard(x, loc, scale)
    return _checked(np.arctan2(1.0, -y) / np.pi, scale, y)


def uniform_pdf(x, loc=0, scale=1):
    """scipy.stats.uniform.pdf."""
    y = _standard(x, loc, scale)
    return _density(0.0 * y, y, scale, (y >= 0) & (y <= 1))


def uniform_logpdf(x, loc=0, scale=1):
    """scipy.stats.uniform.logpdf."""
    y = _standard(x, loc, scale)
    return _logarithm(0.0 * y, y, scale, (y >= 0) & (y <= 1))


def uniform_cdf(x, loc=0, scale=1):
    """scipy.stats.uniform.cdf."""
    y = _standard(x, loc, scale)
    return _checked(np.clip(y, 0.0, 1.0), scale, y)


# ---- gamma, beta, chi-squared, Student's t --------------------------------------------------------------------------------------


def gamma_logpdf(x, a, loc=0, scale=1):
    """scipy.stats.gamma.logpdf."""
    import scipy.special

    y = _standard(x, loc, scale)
    inside, valid = y >= 0, np.greater(a, 0)
    a = _held(a, valid)
    return _logarithm(scipy.special.xlogy(a - 1.0, _held(y, inside)) - y - scipy.special.gammaln(a), y, scale, inside, valid)


def gamma_pdf(x, a, loc=0, scale=1):
    """scipy.stats.gamma.pdf."""
    return np.exp(gamma_logpdf(x, a, loc, scale))


def chi2_logpdf(x, df, loc=0, scale=1):
    """scipy.stats.chi2.logpdf."""
    import scipy.special

    y = _standard(x, loc, scale)
    inside, valid = y >= 0, np.greater(df, 0)
    half = _held(df, valid) / 2.0
    logarithm = scipy.special.xlogy(half - 1.0, _held(y, inside)) - y / 2.0 - scipy.special.gammaln(half) - np.log(2.0) * half
    return _logarithm(logarithm, y, scale, inside, valid)


def chi2_pdf(x, df, loc=0, scale=1):
    """scipy.stats.chi2.pdf."""
    return np.exp(chi2_logpdf(x, df, loc, scale))


def beta_logpdf(x, a, b, loc=0, scale=1):
    """scipy.stats.beta.logpdf."""
    import scipy.special

    y = _standard(x, loc, scale)
    inside, valid = (y >= 0) & (y <= 1), np.greater(a, 0) & np.greater(b, 0)
    held, a, b = _held(y, inside), _held(a, valid), _held(b, valid)
    logarithm = scipy.special.xlog1py(b - 1.0, -held) + scipy.special.xlogy(a - 1.0, held)
    constants = scipy.special.gammaln(a + b) - scipy.special.gammaln(a) - scipy.special.gammaln(b)
    return _logarithm(logarithm + constants, y, scale, inside, valid)


def beta_pdf(x, a, b, loc=0, scale=1):
    """scipy.stats.beta.pdf."""
    return np.exp(beta_logpdf(x, a, b, loc, scale))


def t_logpdf(x, df, loc=0, scale=1):
    """scipy.stats.t.logpdf."""
    y = _standard(x, loc, scale)
    valid, normal = np.greater(df, 0), np.isinf(df)
    df = np.where(valid & ~normal, df, 0.5)
    logarithm = np.where(normal, -(y * y) / 2.0 - LOG_ROOT_2PI, log_half_step(0.5 * df) - LOG_ROOT_2PI - (df + 1.0) / 2.0 * np.log1p(y * y / df))
    return _logarithm(logarithm, y, scale, None, valid)


def t_pdf(x, df, loc=0, scale=1):
    """scipy.stats.t.pdf."""
    return np.exp(t_logpdf(x, df, loc, scale))


# ---- counts ------------------------------------------------------------------------------------------------------------------


def _is_count(k):
    return (k >= 0) & (np.floor(k) == k)


def _of_counts(logarithm, k, inside, valid):
    return np.where(valid & ~np.isnan(k), np.where(inside, logarithm, -np.inf), np.nan)[()]


def poisson_logpmf(k, mu, loc=0):
    """scipy.stats.poisson.logpmf."""
    import scipy.special

    k = _real(k) - loc
    inside, valid = _is_count(k), np.greater_equal(mu, 0)
    held, mu = np.where(inside, k, 0.0), _held(mu, valid)
    return _of_counts(scipy.special.xlogy(held, mu) - scipy.special.gammaln(held + 1.0) - mu, k, inside, valid)


def poisson_pmf(k, mu, loc=0):
    """scipy.stats.poisson.pmf."""
    return np.exp(poisson_logpmf(k, mu, loc))


def binom_logpmf(k, n, p, loc=0):
    """scipy.stats.binom.logpmf."""
    k = _real(k) - loc
    valid = np.greater_equal(n, 0) & np.equal(np.floor(n), n) & np.greater_equal(p, 0) & np.less_equal(p, 1)
    inside = _is_count(k) & (k <= n)
    n, p = np.where(valid, n, 2.0), _held(p, valid)
    return _of_counts(log_binomial(np.where(inside & valid, k, 0.0), n, p, 1.0 - p), k, inside, valid)


def binom_pmf(k, n, p, loc=0):
    """scipy.stats.binom.pmf."""
    return np.exp(binom_logpmf(k, n, p, loc))


def bernoulli_logpmf(k, p, loc=0):
    """scipy.stats.bernoulli.logpmf."""
    import scipy.special

    k = _real(k) - loc
    inside = (k == 0) | (k == 1)
    valid = np.greater_equal(p, 0) & np.less_equal(p, 1)
    held, p = np.where(inside, k, 0.0), _held(p, valid)
    return _of_counts(scipy.special.xlogy(held, p) + scipy.special.xlog1py(1.0 - held, -p), k, inside, valid)


def bernoulli_pmf(k, p, loc=0):
    """scipy.stats.bernoulli.pmf."""
    return np.exp(bernoulli_logpmf(k, p, loc))


def geom_logpmf(k, p, loc=0):
    """scipy.stats.geom.logpmf."""
    import scipy.special

    k = _real(k) - loc
    inside, valid = _is_count(k) & (k >= 1), np.greater(p, 0) & np.less_equal(p, 1)
    held, p = np.where(inside, k, 1.0), _held(p, valid)
    return _of_counts(scipy.special.xlog1py(held - 1.0, -p) + np.log(p), k, inside, valid)


def geom_pmf(k, p, loc=0):
    """scipy.stats.geom.pmf."""
    return np.exp(geom_logpmf(k, p, loc))


FUNCTIONS = (
    norm_pdf, norm_logpdf, norm_cdf, norm_sf, lognorm_pdf, lognorm_logpdf, expon_pdf, expon_logpdf, expon_cdf, expon_sf,
    laplace_pdf, laplace_logpdf, laplace_cdf, logistic_pdf, logistic_logpdf, logistic_cdf, cauchy_pdf, cauchy_logpdf, cauchy_cdf,
    uniform_pdf, uniform_logpdf, uniform_cdf, gamma_pdf, gamma_logpdf, chi2_pdf, chi2_logpdf, beta_pdf, beta_logpdf, t_pdf, t_logpdf,
    poisson_pmf, poisson_logpmf, binom_pmf, binom_logpmf, bernoulli_pmf, bernoulli_logpmf, geom_pmf, geom_logpmf,
)  # fmt: skip
