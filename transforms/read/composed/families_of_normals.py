"""scipy.stats: distributions made of normal ones (`families.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import EULER, LOG_ROOT_2PI, Family, positive, zero
from s2s.transforms.read.composed.special_by_name import erf, erfc, erfinv, gammainc, gammaincc, gammainccinv, gammaincinv, log_ndtr, ndtri

# ---- of normal ones ----------------------------------------------------------------------------------------------------------


HALFNORM = Family(
    low=zero, logpdf=lambda y: 0.5 * np.log(2.0 / np.pi) - y * y / 2.0, cdf=lambda y: erf(y / np.sqrt(2.0)), sf=lambda y: erfc(y / np.sqrt(2.0)),
    ppf=lambda q: ndtri((1.0 + q) / 2.0), isf=lambda q: -ndtri(q / 2.0), entropy=lambda: 0.5 * np.log(np.pi / 2.0) + 0.5, mean=lambda: np.sqrt(2.0 / np.pi), var=lambda: 1.0 - 2.0 / np.pi,
)  # fmt: skip
RAYLEIGH = Family(
    low=zero, logpdf=lambda y: np.log(y) - 0.5 * y * y, cdf=lambda y: -np.expm1(-0.5 * y * y), sf=lambda y: np.exp(-0.5 * y * y), logsf=lambda y: -0.5 * y * y,
    ppf=lambda q: np.sqrt(-2.0 * np.log1p(-q)), isf=lambda q: np.sqrt(-2.0 * np.log(q)), entropy=lambda: EULER / 2.0 + 1.0 - 0.5 * np.log(2.0),
    mean=lambda: np.sqrt(np.pi / 2.0), var=lambda: (4.0 - np.pi) / 2.0,
    open=True,
)  # fmt: skip


def _chi_logpdf(y, df):
    import scipy.special as sp

    return np.log(2.0) - 0.5 * np.log(2.0) * df - sp.gammaln(0.5 * df) + sp.xlogy(df - 1.0, y) - 0.5 * y**2


def _chi_mean(df):
    import scipy.special as sp

    return np.sqrt(2.0) * sp.poch(0.5 * df, 0.5)


CHI = Family(
    "df", positive, zero, logpdf=_chi_logpdf, cdf=lambda y, df: gammainc(0.5 * df, 0.5 * y * y), sf=lambda y, df: gammaincc(0.5 * df, 0.5 * y * y),
    ppf=lambda q, df: np.sqrt(2.0 * gammaincinv(0.5 * df, q)), isf=lambda q, df: np.sqrt(2.0 * gammainccinv(0.5 * df, q)), mean=_chi_mean, var=lambda df: df - _chi_mean(df) ** 2,
)  # fmt: skip
MAXWELL = Family(
    low=zero, logpdf=lambda y: 0.5 * np.log(2.0 / np.pi) + 2.0 * np.log(y) - 0.5 * y * y, cdf=lambda y: gammainc(1.5, y * y / 2.0), sf=lambda y: gammaincc(1.5, y * y / 2.0),
    ppf=lambda q: np.sqrt(2.0 * gammaincinv(1.5, q)), isf=lambda q: np.sqrt(2.0 * gammainccinv(1.5, q)), entropy=lambda: EULER + 0.5 * np.log(2.0 * np.pi) - 0.5,
    mean=lambda: 2.0 * np.sqrt(2.0 / np.pi), var=lambda: 3.0 - 8.0 / np.pi,
)  # fmt: skip


def _nakagami_logpdf(y, nu):
    import scipy.special as sp

    return np.log(2.0) + sp.xlogy(nu, nu) - sp.gammaln(nu) + sp.xlogy(2.0 * nu - 1.0, y) - nu * y**2


NAKAGAMI = Family(
    "nu", positive, zero, logpdf=_nakagami_logpdf, cdf=lambda y, nu: gammainc(nu, nu * y * y), sf=lambda y, nu: gammaincc(nu, nu * y * y),
    ppf=lambda q, nu: np.sqrt(1.0 / nu * gammaincinv(nu, q)), isf=lambda q, nu: np.sqrt(1.0 / nu * gammainccinv(nu, q)),
)  # fmt: skip


def _rice_logpdf(y, b):
    import scipy.special as sp

    return np.log(y) - (y - b) * (y - b) / 2.0 + np.log(sp.i0e(y * b))


def _rice_cdf(y, b):
    import scipy.special as sp

    return sp.chndtr(y * y, 2.0, b * b)


RICE = Family("b", lambda b: np.greater_equal(b, 0), zero, logpdf=_rice_logpdf, cdf=_rice_cdf, sf=lambda y, b: 1.0 - _rice_cdf(y, b))


def _skewnorm_mean(a):
    return np.sqrt(2.0 / np.pi) * a / np.sqrt(1.0 + a * a)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)
"""For integrals of what falls by 16 powers of 10."""


def _skewnorm_cdf(y, a):
    """By Owen's T; where that leaves few digits, the integral of the density from where it is 1e-16 of what it is at y (SciPy integrates below 1e-6, too)."""
    import scipy.special as sp

    y, a = np.asarray(y, np.float64), np.asarray(a, np.float64)
    found = sp.ndtr(y) - 2.0 * sp.owens_t(y, a)
    steep = np.sqrt(1.0 + a * a)
    below = np.where((found < 1e-5) & (a > 0) & (y < 0), y, -1.0)
    width = (np.sqrt(below * below * steep * steep + 74.0) + below * steep) / steep
    at = below[..., np.newaxis] + width[..., np.newaxis] * (NODES - 1.0) / 2.0
    tail = width * np.sum(WEIGHTS * np.exp(-at * at / 2.0 - LOG_ROOT_2PI) * sp.ndtr(a[..., np.newaxis] * at), axis=-1)
    return np.where((found < 1e-5) & (a > 0) & (y < 0), tail, np.clip(found, 0.0, 1.0))


SKEWNORM = Family(
    "a", np.isfinite, cdf=_skewnorm_cdf, sf=lambda y, a: _skewnorm_cdf(-np.asarray(y), -np.asarray(a)), logpdf=lambda y, a: np.log(2.0) - y * y / 2.0 - LOG_ROOT_2PI + log_ndtr(a * y), mean=_skewnorm_mean, var=lambda a: 1.0 - _skewnorm_mean(a) ** 2,
)  # fmt: skip


def _exponnorm_tail(y, shape):
    rate = 1.0 / shape
    return np.exp(rate * (0.5 * rate - y) + log_ndtr(y - rate))


EXPONNORM = Family(
    "K", positive, logpdf=lambda y, K: 0.5 / K**2 - y / K + log_ndtr(y - 1.0 / K) - np.log(K), cdf=lambda y, K: np.exp(log_ndtr(y)) - _exponnorm_tail(y, K),
    sf=lambda y, K: np.exp(log_ndtr(-y)) + _exponnorm_tail(y, K), mean=lambda K: K, var=lambda K: 1.0 + K * K,
)  # fmt: skip


def _log_difference(a, b):
    """log(exp(a) - exp(b)), a being the larger one."""
    return a + np.log(-np.expm1(b - a))


def _log_mass(a, b):
    """The logarithm of the normal mass between a and b."""
    left, right = b <= 0, a > 0
    low, high = np.where(right, -b, a), np.where(right, -a, b)
    tail = left | right
    low_tail, high_tail = np.where(tail, low, -2.0), np.where(tail, high, -1.0)
    middle_low, middle_high = np.where(tail, -1.0, a), np.where(tail, 1.0, b)
    middle = np.log1p(-np.exp(log_ndtr(middle_low)) - np.exp(log_ndtr(-middle_high)))
    return np.where(tail, _log_difference(log_ndtr(high_tail), log_ndtr(low_tail)), middle)


def _truncnorm_logcdf(y, a, b):
    value = _log_mass(a, y) - _log_mass(a, b)
    near = value > -0.1
    other = _log_mass(np.where(near, y, a), b) - _log_mass(a, b)
    return np.where(near, np.log1p(-np.exp(np.where(near, other, -1.0))), value)


def _truncnorm_logsf(y, a, b):
    value = _log_mass(y, b) - _log_mass(a, b)
    near = value > -0.1
    other = _log_mass(a, np.where(near, y, b)) - _log_mass(a, b)
    return np.where(near, np.log1p(-np.exp(np.where(near, other, -1.0))), value)


def _truncnorm_at(log_below, log_above, a, b):
    """Where the logarithms of cdf and sf are these."""
    import scipy.special as sp

    mass = _log_mass(a, b)
    left = sp.ndtri_exp(np.logaddexp(sp.log_ndtr(a), log_below + mass))
    return np.where(np.less(a, 0), left, -sp.ndtri_exp(np.logaddexp(sp.log_ndtr(-b), log_above + mass)))


TRUNCNORM = Family(
    "a, b", np.less, lambda a, b: a, lambda a, b: b, logpdf=lambda y, a, b: -y * y / 2.0 - LOG_ROOT_2PI - _log_mass(a, b),
    logcdf=_truncnorm_logcdf, cdf=lambda y, a, b: np.exp(_truncnorm_logcdf(y, a, b)), logsf=_truncnorm_logsf, sf=lambda y, a, b: np.exp(_truncnorm_logsf(y, a, b)),
    ppf=lambda q, a, b: _truncnorm_at(np.log(q), np.log1p(-q), a, b), isf=lambda q, a, b: _truncnorm_at(np.log1p(-q), np.log(q), a, b),
)  # fmt: skip
JOHNSONSU = Family(
    "a, b", lambda a, b: np.greater(b, 0) & np.equal(a, a), logpdf=lambda y, a, b: -((a + b * np.arcsinh(y)) ** 2) / 2.0 - LOG_ROOT_2PI + np.log(b) - 0.5 * np.log1p(y * y),
    cdf=lambda y, a, b: np.exp(log_ndtr(a + b * np.arcsinh(y))), sf=lambda y, a, b: np.exp(log_ndtr(-(a + b * np.arcsinh(y)))),
    ppf=lambda q, a, b: np.sinh((ndtri(q) - a) / b), isf=lambda q, a, b: np.sinh((-ndtri(q) - a) / b),
)  # fmt: skip
LEVY = Family(
    low=zero, logpdf=lambda y: -LOG_ROOT_2PI - 1.5 * np.log(y) - 0.5 / y, cdf=lambda y: erfc(np.sqrt(0.5 / y)), sf=lambda y: erf(np.sqrt(0.5 / y)),
    ppf=lambda q: 1.0 / ndtri(q / 2.0) ** 2, isf=lambda q: 0.5 / erfinv(q) ** 2, mean=lambda: np.inf, var=lambda: np.inf,
    open=True,
)  # fmt: skip


def _moyal_ppf(q):
    import scipy.special as sp

    return -np.log(2.0 * sp.erfcinv(q) ** 2)


MOYAL = Family(
    logpdf=lambda y: -(y + np.exp(-y)) / 2.0 - LOG_ROOT_2PI, cdf=lambda y: erfc(np.exp(-0.5 * y) / np.sqrt(2.0)), sf=lambda y: erf(np.exp(-0.5 * y) / np.sqrt(2.0)),
    ppf=_moyal_ppf, mean=lambda: np.log(2.0) + EULER, var=lambda: np.pi * np.pi / 2.0,
)  # fmt: skip


def _invgauss_parts(y, mu):
    """The logarithms of both parts of its distribution function."""
    root = 1.0 / np.sqrt(y)
    return root * (y / mu - 1.0), 2.0 / mu + log_ndtr(-root * (y + mu) / mu)


def _invgauss_logcdf(y, mu):
    first, b = _invgauss_parts(y, mu)
    a = log_ndtr(first)
    return a + np.log1p(np.exp(b - a))


def _invgauss_logsf(y, mu):
    first, b = _invgauss_parts(y, mu)
    a = log_ndtr(-first)
    return a + np.log1p(-np.exp(b - a))


INVGAUSS = Family(
    "mu", lambda mu: np.greater(mu, 0) & np.isfinite(mu), zero, logpdf=lambda y, mu: -LOG_ROOT_2PI - 1.5 * np.log(y) - ((y - mu) / mu) ** 2 / (2.0 * y),
    logcdf=_invgauss_logcdf, cdf=lambda y, mu: np.exp(_invgauss_logcdf(y, mu)), logsf=_invgauss_logsf, sf=lambda y, mu: np.exp(_invgauss_logsf(y, mu)),
    mean=lambda mu: mu, var=lambda mu: mu**3,
    open=True,
)  # fmt: skip
WALD = Family(
    low=zero, logpdf=lambda y: -LOG_ROOT_2PI - 1.5 * np.log(y) - (y - 1.0) ** 2 / (2.0 * y), logcdf=lambda y: _invgauss_logcdf(y, 1.0), cdf=lambda y: np.exp(_invgauss_logcdf(y, 1.0)),
    logsf=lambda y: _invgauss_logsf(y, 1.0), sf=lambda y: np.exp(_invgauss_logsf(y, 1.0)), mean=lambda: 1.0, var=lambda: 1.0,
    open=True,
)  # fmt: skip
