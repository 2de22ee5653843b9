"""scipy.stats: distributions by their formulas, each stated once for location 0 and scale 1; the methods that follow from them are in `standardized.py`.

    "rayleigh": Family(low=_zero, logpdf=lambda y: np.log(y) - y * y / 2.0, …)

Formulas get points strictly inside of the support (the density also its ends), the shapes behind them, all of them valid.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Formula = Callable[..., Any]
EULER = 0.5772156649015329
LOG_ROOT_2PI = 0.9189385332046727


def _all(*shapes):
    """Shapes have no bounds."""
    return True


def _positive(*shapes):
    """All shapes are positive."""
    valid = True
    for shape in shapes:
        valid = valid & np.greater(shape, 0)
    return valid


def _minus_infinity(*shapes):
    return -np.inf


def _infinity(*shapes):
    return np.inf


def _zero(*shapes):
    return 0.0


def _one(*shapes):
    return 1.0


@dataclass(frozen=True)
class Family:
    """What is known of a distribution; None where SciPy's own number is not such a formula."""

    shapes: str = ""
    """The names of its shapes, as SciPy lists them."""
    valid: Formula = _all
    low: Formula = _minus_infinity
    high: Formula = _infinity
    logpdf: Formula | None = None
    pdf: Formula | None = None
    cdf: Formula | None = None
    sf: Formula | None = None
    logcdf: Formula | None = None
    logsf: Formula | None = None
    ppf: Formula | None = None
    isf: Formula | None = None
    entropy: Formula | None = None
    mean: Formula | None = None
    var: Formula | None = None
    open: bool = False
    """Whether the density is 0 at the ends of the support, where its formula is no number."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the shapes."""
        return tuple(self.shapes.split(", ")) if self.shapes else ()


def _where_above(limit, shape, value):
    """value(shape) where the shape is above a limit, else infinite."""
    above = np.greater(shape, limit)
    return np.where(above, value(np.where(above, shape, limit + 1.0)), np.inf)


# ---- extreme values ----------------------------------------------------------------------------------------------------------

GUMBEL_R = Family(
    logpdf=lambda y: -y - np.exp(-y), logcdf=lambda y: -np.exp(-y), cdf=lambda y: np.exp(-np.exp(-y)), sf=lambda y: -np.expm1(-np.exp(-y)),
    ppf=lambda q: -np.log(-np.log(q)), isf=lambda q: -np.log(-np.log1p(-q)), entropy=lambda: EULER + 1.0, mean=lambda: EULER, var=lambda: np.pi * np.pi / 6.0,
)  # fmt: skip
GUMBEL_L = Family(
    logpdf=lambda y: y - np.exp(y), cdf=lambda y: -np.expm1(-np.exp(y)), sf=lambda y: np.exp(-np.exp(y)), logsf=lambda y: -np.exp(y),
    ppf=lambda q: np.log(-np.log1p(-q)), isf=lambda q: np.log(-np.log(q)), entropy=lambda: EULER + 1.0, mean=lambda: -EULER, var=lambda: np.pi * np.pi / 6.0,
)  # fmt: skip


def _weibull_mean(c):
    import scipy.special as sp

    return sp.gamma(1.0 + 1.0 / c)


def _weibull_var(c):
    import scipy.special as sp

    return sp.gamma(1.0 + 2.0 / c) - sp.gamma(1.0 + 1.0 / c) ** 2


def _weibull_logpdf(y, c):
    import scipy.special as sp

    return np.log(c) + sp.xlogy(c - 1.0, y) - y**c


WEIBULL_MIN = Family(
    "c", _positive, _zero, logpdf=_weibull_logpdf, cdf=lambda y, c: -np.expm1(-(y**c)), sf=lambda y, c: np.exp(-(y**c)), logsf=lambda y, c: -(y**c),
    ppf=lambda q, c: (-np.log1p(-q)) ** (1.0 / c), isf=lambda q, c: (-np.log(q)) ** (1.0 / c),
    entropy=lambda c: -EULER / c - np.log(c) + EULER + 1.0, mean=_weibull_mean, var=_weibull_var,
)  # fmt: skip
WEIBULL_MAX = Family(
    "c", _positive, high=_zero, logpdf=lambda y, c: _weibull_logpdf(-y, c), cdf=lambda y, c: np.exp(-((-y) ** c)), logcdf=lambda y, c: -((-y) ** c),
    sf=lambda y, c: -np.expm1(-((-y) ** c)), ppf=lambda q, c: -((-np.log(q)) ** (1.0 / c)), isf=lambda q, c: -((-np.log1p(-q)) ** (1.0 / c)),
    entropy=lambda c: -EULER / c - np.log(c) + EULER + 1.0, mean=lambda c: -_weibull_mean(c), var=_weibull_var,
)  # fmt: skip


def _exponweib_logpdf(y, a, c):
    import scipy.special as sp

    power = y**c
    return np.log(a) + np.log(c) + sp.xlogy(a - 1.0, -np.expm1(-power)) - power + sp.xlogy(c - 1.0, y)


EXPONWEIB = Family(
    "a, c", _positive, _zero, logpdf=_exponweib_logpdf, cdf=lambda y, a, c: (-np.expm1(-(y**c))) ** a, ppf=lambda q, a, c: (-np.log1p(-(q ** (1.0 / a)))) ** (1.0 / c),
    sf=lambda y, a, c: -np.expm1(a * np.log1p(-np.exp(-(y**c)))),
)  # fmt: skip

# ---- powers ------------------------------------------------------------------------------------------------------------------


def _pareto_mean(b):
    return _where_above(1.0, b, lambda b: b / (b - 1.0))


def _pareto_var(b):
    return _where_above(2.0, b, lambda b: b / (b - 2.0) / (b - 1.0) ** 2)


PARETO = Family(
    "b", _positive, _one, logpdf=lambda y, b: np.log(b) - (b + 1.0) * np.log(y), pdf=lambda y, b: b * y ** (-b - 1.0), cdf=lambda y, b: 1.0 - y**-b, sf=lambda y, b: y**-b,
    ppf=lambda q, b: (1.0 - q) ** (-1.0 / b), isf=lambda q, b: q ** (-1.0 / b), entropy=lambda b: 1.0 + 1.0 / b - np.log(b), mean=_pareto_mean, var=_pareto_var,
)  # fmt: skip
LOMAX = Family(
    "c", _positive, _zero, logpdf=lambda y, c: np.log(c) - (c + 1.0) * np.log1p(y), cdf=lambda y, c: -np.expm1(-c * np.log1p(y)), sf=lambda y, c: np.exp(-c * np.log1p(y)),
    logsf=lambda y, c: -c * np.log1p(y), ppf=lambda q, c: np.expm1(-np.log1p(-q) / c), isf=lambda q, c: q ** (-1.0 / c) - 1.0, entropy=lambda c: 1.0 + 1.0 / c - np.log(c),
    mean=lambda c: _pareto_mean(c) - 1.0, var=_pareto_var,
)  # fmt: skip


def _powerlaw_logpdf(y, a):
    import scipy.special as sp

    return np.log(a) + sp.xlogy(a - 1.0, y)


POWERLAW = Family(
    "a", _positive, _zero, _one, logpdf=_powerlaw_logpdf, cdf=lambda y, a: y**a, logcdf=lambda y, a: a * np.log(y), sf=lambda y, a: -np.expm1(a * np.log(y)),
    ppf=lambda q, a: q ** (1.0 / a), entropy=lambda a: 1.0 - 1.0 / a - np.log(a), mean=lambda a: a / (a + 1.0), var=lambda a: a / (a + 2.0) / (a + 1.0) ** 2,
)  # fmt: skip
LOGUNIFORM = Family(
    "a, b", lambda a, b: np.greater(a, 0) & np.greater(b, a), lambda a, b: a, lambda a, b: b, logpdf=lambda y, a, b: -np.log(y) - np.log(np.log(b) - np.log(a)),
    cdf=lambda y, a, b: (np.log(y) - np.log(a)) / (np.log(b) - np.log(a)), ppf=lambda q, a, b: np.exp(np.log(a) + q * (np.log(b) - np.log(a))),
    entropy=lambda a, b: 0.5 * (np.log(a) + np.log(b)) + np.log(np.log(b) - np.log(a)),
)  # fmt: skip


def _genpareto_logpdf(y, c):
    import scipy.special as sp

    near = c == 0
    c = np.where(near, 1.0, c)
    return np.where(near, -y, -sp.xlog1py(c + 1.0, c * y) / c)


def _genpareto_logsf(y, c):
    near = c == 0
    c = np.where(near, 1.0, c)
    return np.where(near, -y, -np.log1p(c * y) / c)


def _genpareto_at(logarithm, c):
    """Where the logarithm of sf is this."""
    near = c == 0
    c = np.where(near, 1.0, c)
    return np.where(near, -logarithm, np.expm1(-c * logarithm) / c)


GENPARETO = Family(
    "c", _all, _zero, lambda c: np.where(np.less(c, 0), -1.0 / np.where(np.less(c, 0), c, -1.0), np.inf), logpdf=_genpareto_logpdf,
    cdf=lambda y, c: -np.expm1(_genpareto_logsf(y, c)), sf=lambda y, c: np.exp(_genpareto_logsf(y, c)), logsf=_genpareto_logsf,
    ppf=lambda q, c: _genpareto_at(np.log1p(-q), c), isf=lambda q, c: _genpareto_at(np.log(q), c), entropy=lambda c: 1.0 + c,
)  # fmt: skip


def _burr12_logpdf(y, c, d):
    import scipy.special as sp

    return np.log(c) + np.log(d) + sp.xlogy(c - 1.0, y) + sp.xlog1py(-d - 1.0, y**c)


BURR12 = Family(
    "c, d", _positive, _zero, logpdf=_burr12_logpdf, cdf=lambda y, c, d: -np.expm1(-d * np.log1p(y**c)), sf=lambda y, c, d: np.exp(-d * np.log1p(y**c)),
    logsf=lambda y, c, d: -d * np.log1p(y**c), ppf=lambda q, c, d: np.expm1(-1.0 / d * np.log1p(-q)) ** (1.0 / c),
    isf=lambda q, c, d: np.expm1(-1.0 / d * np.log(q)) ** (1.0 / c),
)  # fmt: skip


def _fisk_logpdf(y, c):
    import scipy.special as sp

    low, high = np.minimum(y, 1.0), np.maximum(y, 1.0)
    return np.log(c) + np.where(y < 1, sp.xlogy(c - 1.0, low) - 2.0 * np.log1p(low**c), -(c + 1.0) * np.log(high) - 2.0 * np.log1p(high**-c))


FISK = Family(
    "c", _positive, _zero, logpdf=_fisk_logpdf, cdf=lambda y, c: 1.0 / (1.0 + y**-c),
    sf=lambda y, c: 1.0 / (1.0 + y**c), ppf=lambda q, c: (1.0 / q - 1.0) ** (-1.0 / c), isf=lambda q, c: (1.0 / q - 1.0) ** (1.0 / c), entropy=lambda c: 2.0 - np.log(c),
)  # fmt: skip

# ---- of normal ones ----------------------------------------------------------------------------------------------------------


def _erf(x):
    import scipy.special as sp

    return sp.erf(x)


def _erfc(x):
    import scipy.special as sp

    return sp.erfc(x)


def _erfinv(x):
    import scipy.special as sp

    return sp.erfinv(x)


def _ndtri(q):
    import scipy.special as sp

    return sp.ndtri(q)


HALFNORM = Family(
    low=_zero, logpdf=lambda y: 0.5 * np.log(2.0 / np.pi) - y * y / 2.0, cdf=lambda y: _erf(y / np.sqrt(2.0)), sf=lambda y: _erfc(y / np.sqrt(2.0)),
    ppf=lambda q: _ndtri((1.0 + q) / 2.0), isf=lambda q: -_ndtri(q / 2.0), entropy=lambda: 0.5 * np.log(np.pi / 2.0) + 0.5, mean=lambda: np.sqrt(2.0 / np.pi), var=lambda: 1.0 - 2.0 / np.pi,
)  # fmt: skip
RAYLEIGH = Family(
    low=_zero, logpdf=lambda y: np.log(y) - 0.5 * y * y, cdf=lambda y: -np.expm1(-0.5 * y * y), sf=lambda y: np.exp(-0.5 * y * y), logsf=lambda y: -0.5 * y * y,
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


def _gammainc(a, x):
    import scipy.special as sp

    return sp.gammainc(a, x)


def _gammaincc(a, x):
    import scipy.special as sp

    return sp.gammaincc(a, x)


def _gammaincinv(a, q):
    import scipy.special as sp

    return sp.gammaincinv(a, q)


def _gammainccinv(a, q):
    import scipy.special as sp

    return sp.gammainccinv(a, q)


CHI = Family(
    "df", _positive, _zero, logpdf=_chi_logpdf, cdf=lambda y, df: _gammainc(0.5 * df, 0.5 * y * y), sf=lambda y, df: _gammaincc(0.5 * df, 0.5 * y * y),
    ppf=lambda q, df: np.sqrt(2.0 * _gammaincinv(0.5 * df, q)), isf=lambda q, df: np.sqrt(2.0 * _gammainccinv(0.5 * df, q)), mean=_chi_mean, var=lambda df: df - _chi_mean(df) ** 2,
)  # fmt: skip
MAXWELL = Family(
    low=_zero, logpdf=lambda y: 0.5 * np.log(2.0 / np.pi) + 2.0 * np.log(y) - 0.5 * y * y, cdf=lambda y: _gammainc(1.5, y * y / 2.0), sf=lambda y: _gammaincc(1.5, y * y / 2.0),
    ppf=lambda q: np.sqrt(2.0 * _gammaincinv(1.5, q)), isf=lambda q: np.sqrt(2.0 * _gammainccinv(1.5, q)), entropy=lambda: EULER + 0.5 * np.log(2.0 * np.pi) - 0.5,
    mean=lambda: 2.0 * np.sqrt(2.0 / np.pi), var=lambda: 3.0 - 8.0 / np.pi,
)  # fmt: skip


def _nakagami_logpdf(y, nu):
    import scipy.special as sp

    return np.log(2.0) + sp.xlogy(nu, nu) - sp.gammaln(nu) + sp.xlogy(2.0 * nu - 1.0, y) - nu * y**2


NAKAGAMI = Family(
    "nu", _positive, _zero, logpdf=_nakagami_logpdf, cdf=lambda y, nu: _gammainc(nu, nu * y * y), sf=lambda y, nu: _gammaincc(nu, nu * y * y),
    ppf=lambda q, nu: np.sqrt(1.0 / nu * _gammaincinv(nu, q)), isf=lambda q, nu: np.sqrt(1.0 / nu * _gammainccinv(nu, q)),
)  # fmt: skip


def _rice_logpdf(y, b):
    import scipy.special as sp

    return np.log(y) - (y - b) * (y - b) / 2.0 + np.log(sp.i0e(y * b))


RICE = Family("b", lambda b: np.greater_equal(b, 0), _zero, logpdf=_rice_logpdf)


def _log_ndtr(x):
    import scipy.special as sp

    return sp.log_ndtr(x)


def _skewnorm_mean(a):
    return np.sqrt(2.0 / np.pi) * a / np.sqrt(1.0 + a * a)


SKEWNORM = Family(
    "a", np.isfinite, logpdf=lambda y, a: np.log(2.0) - y * y / 2.0 - LOG_ROOT_2PI + _log_ndtr(a * y), mean=_skewnorm_mean, var=lambda a: 1.0 - _skewnorm_mean(a) ** 2,
)  # fmt: skip


def _exponnorm_tail(y, shape):
    rate = 1.0 / shape
    return np.exp(rate * (0.5 * rate - y) + _log_ndtr(y - rate))


EXPONNORM = Family(
    "K", _positive, logpdf=lambda y, K: 0.5 / K**2 - y / K + _log_ndtr(y - 1.0 / K) - np.log(K), cdf=lambda y, K: np.exp(_log_ndtr(y)) - _exponnorm_tail(y, K),
    sf=lambda y, K: np.exp(_log_ndtr(-y)) + _exponnorm_tail(y, K), mean=lambda K: K, var=lambda K: 1.0 + K * K,
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
    middle = np.log1p(-np.exp(_log_ndtr(middle_low)) - np.exp(_log_ndtr(-middle_high)))
    return np.where(tail, _log_difference(_log_ndtr(high_tail), _log_ndtr(low_tail)), middle)


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
    cdf=lambda y, a, b: np.exp(_log_ndtr(a + b * np.arcsinh(y))), sf=lambda y, a, b: np.exp(_log_ndtr(-(a + b * np.arcsinh(y)))),
    ppf=lambda q, a, b: np.sinh((_ndtri(q) - a) / b), isf=lambda q, a, b: np.sinh((-_ndtri(q) - a) / b),
)  # fmt: skip
LEVY = Family(
    low=_zero, logpdf=lambda y: -LOG_ROOT_2PI - 1.5 * np.log(y) - 0.5 / y, cdf=lambda y: _erfc(np.sqrt(0.5 / y)), sf=lambda y: _erf(np.sqrt(0.5 / y)),
    ppf=lambda q: 1.0 / _ndtri(q / 2.0) ** 2, isf=lambda q: 0.5 / _erfinv(q) ** 2, mean=lambda: np.inf, var=lambda: np.inf,
    open=True,
)  # fmt: skip


def _moyal_ppf(q):
    import scipy.special as sp

    return -np.log(2.0 * sp.erfcinv(q) ** 2)


MOYAL = Family(
    logpdf=lambda y: -(y + np.exp(-y)) / 2.0 - LOG_ROOT_2PI, cdf=lambda y: _erfc(np.exp(-0.5 * y) / np.sqrt(2.0)), sf=lambda y: _erf(np.exp(-0.5 * y) / np.sqrt(2.0)),
    ppf=_moyal_ppf, mean=lambda: np.log(2.0) + EULER, var=lambda: np.pi * np.pi / 2.0,
)  # fmt: skip


def _invgauss_parts(y, mu):
    """The logarithms of both parts of its distribution function."""
    root = 1.0 / np.sqrt(y)
    return root * (y / mu - 1.0), 2.0 / mu + _log_ndtr(-root * (y + mu) / mu)


def _invgauss_logcdf(y, mu):
    first, b = _invgauss_parts(y, mu)
    a = _log_ndtr(first)
    return a + np.log1p(np.exp(b - a))


def _invgauss_logsf(y, mu):
    first, b = _invgauss_parts(y, mu)
    a = _log_ndtr(-first)
    return a + np.log1p(-np.exp(b - a))


INVGAUSS = Family(
    "mu", lambda mu: np.greater(mu, 0) & np.isfinite(mu), _zero, logpdf=lambda y, mu: -LOG_ROOT_2PI - 1.5 * np.log(y) - ((y - mu) / mu) ** 2 / (2.0 * y),
    logcdf=_invgauss_logcdf, cdf=lambda y, mu: np.exp(_invgauss_logcdf(y, mu)), logsf=_invgauss_logsf, sf=lambda y, mu: np.exp(_invgauss_logsf(y, mu)),
    mean=lambda mu: mu, var=lambda mu: mu**3,
    open=True,
)  # fmt: skip
WALD = Family(
    low=_zero, logpdf=lambda y: -LOG_ROOT_2PI - 1.5 * np.log(y) - (y - 1.0) ** 2 / (2.0 * y), logcdf=lambda y: _invgauss_logcdf(y, 1.0), cdf=lambda y: np.exp(_invgauss_logcdf(y, 1.0)),
    logsf=lambda y: _invgauss_logsf(y, 1.0), sf=lambda y: np.exp(_invgauss_logsf(y, 1.0)), mean=lambda: 1.0, var=lambda: 1.0,
    open=True,
)  # fmt: skip

# ---- of gamma and beta functions ------------------------------------------------------------------------------------------------


def _gammaln(x):
    import scipy.special as sp

    return sp.gammaln(x)


INVGAMMA = Family(
    "a", _positive, _zero, logpdf=lambda y, a: -(a + 1.0) * np.log(y) - _gammaln(a) - 1.0 / y, cdf=lambda y, a: _gammaincc(a, 1.0 / y), sf=lambda y, a: _gammainc(a, 1.0 / y),
    ppf=lambda q, a: 1.0 / _gammainccinv(a, q), isf=lambda q, a: 1.0 / _gammaincinv(a, q), mean=lambda a: _where_above(1.0, a, lambda a: 1.0 / (a - 1.0)),
    var=lambda a: _where_above(2.0, a, lambda a: 1.0 / (a - 1.0) ** 2 / (a - 2.0)),
    open=True,
)  # fmt: skip


def _gengamma_logpdf(y, a, c):
    import scipy.special as sp

    y = np.where((y == 0) & np.less(c, 0), 1e-300, y)
    return np.log(np.abs(c)) + sp.xlogy(c * a - 1.0, y) - y**c - sp.gammaln(a)


GENGAMMA = Family(
    "a, c", lambda a, c: np.greater(a, 0) & np.not_equal(c, 0), _zero, logpdf=_gengamma_logpdf,
    cdf=lambda y, a, c: np.where(np.greater(c, 0), _gammainc(a, y**c), _gammaincc(a, y**c)), sf=lambda y, a, c: np.where(np.greater(c, 0), _gammaincc(a, y**c), _gammainc(a, y**c)),
    ppf=lambda q, a, c: np.where(np.greater(c, 0), _gammaincinv(a, q), _gammainccinv(a, q)) ** (1.0 / c),
    isf=lambda q, a, c: np.where(np.greater(c, 0), _gammainccinv(a, q), _gammaincinv(a, q)) ** (1.0 / c),
)  # fmt: skip


def _gennorm_logpdf(y, beta):
    import scipy.special as sp

    return np.log(0.5 * beta) - sp.gammaln(1.0 / beta) - np.abs(y) ** beta


def _gennorm_cdf(y, beta):
    half = 0.5 * np.sign(y)
    return (0.5 + half) - half * _gammaincc(1.0 / beta, np.abs(y) ** beta)


def _gennorm_ppf(q, beta):
    side = np.sign(q - 0.5)
    return side * _gammainccinv(1.0 / beta, (1.0 + side) - 2.0 * side * q) ** (1.0 / beta)


GENNORM = Family(
    "beta", _positive, logpdf=_gennorm_logpdf, cdf=_gennorm_cdf, sf=lambda y, beta: _gennorm_cdf(-y, beta), ppf=_gennorm_ppf, isf=lambda q, beta: -_gennorm_ppf(q, beta),
    entropy=lambda beta: 1.0 / beta - np.log(0.5 * beta) + _gammaln(1.0 / beta), mean=lambda beta: 0.0 * beta, var=lambda beta: np.exp(_gammaln(3.0 / beta) - _gammaln(1.0 / beta)),
)  # fmt: skip


def _f_logpdf(y, n, m):
    import scipy.special as sp

    return m / 2 * np.log(m) + n / 2 * np.log(n) + sp.xlogy(n / 2 - 1, y) - ((n + m) / 2 * np.log(m + n * y) + sp.betaln(n / 2, m / 2))


def _betainc(a, b, x):
    import scipy.special as sp

    return sp.betainc(a, b, x)


F = Family(
    "dfn, dfd", _positive, _zero, logpdf=_f_logpdf, cdf=lambda y, n, m: _betainc(n / 2, m / 2, n * y / (m + n * y)), sf=lambda y, n, m: _betainc(m / 2, n / 2, m / (m + n * y)),
    mean=lambda n, m: _where_above(2.0, m, lambda m: m / (m - 2.0)) + 0.0 * n, var=lambda n, m: _where_above(4.0, m, lambda m: 2.0 * m**2 * (n + m - 2.0) / (n * (m - 2.0) ** 2 * (m - 4.0))),
)  # fmt: skip


def _betaprime_logpdf(y, a, b):
    import scipy.special as sp

    held = np.minimum(y, 1e300)
    return np.where(np.isinf(y), -np.inf, sp.xlogy(a - 1.0, held) - sp.xlog1py(a + b, held) - sp.betaln(a, b))


BETAPRIME = Family(
    "a, b", _positive, _zero, logpdf=_betaprime_logpdf, cdf=lambda y, a, b: _betainc(a, b, y / (1.0 + y)), sf=lambda y, a, b: _betainc(b, a, 1.0 / (1.0 + y)),
    mean=lambda a, b: _where_above(1.0, b, lambda b: a / (b - 1.0)),
)  # fmt: skip

# ---- on an interval, and others ------------------------------------------------------------------------------------------------

ARCSINE = Family(
    low=_zero, high=_one, logpdf=lambda y: -np.log(np.pi) - 0.5 * np.log(y) - 0.5 * np.log1p(-y), cdf=lambda y: 2.0 / np.pi * np.arcsin(np.sqrt(y)), ppf=lambda q: np.sin(np.pi / 2.0 * q) ** 2,
    entropy=lambda: -0.24156447527049044469, mean=lambda: 0.5, var=lambda: 1.0 / 8,
)  # fmt: skip
SEMICIRCULAR = Family(
    low=lambda: -1.0, high=_one, logpdf=lambda y: np.log(2.0 / np.pi) + 0.5 * np.log1p(-y * y), cdf=lambda y: 0.5 + 1.0 / np.pi * (y * np.sqrt(1.0 - y * y) + np.arcsin(y)),
    entropy=lambda: 0.64472988584940017414, mean=lambda: 0.0, var=lambda: 0.25,
)  # fmt: skip
COSINE = Family(
    low=lambda: -np.pi, high=lambda: np.pi, logpdf=lambda y: np.log1p(np.cos(y)) - np.log(2.0 * np.pi), pdf=lambda y: 0.5 / np.pi * (1.0 + np.cos(y)), cdf=lambda y: (np.pi + y + np.sin(y)) / (2.0 * np.pi),
    sf=lambda y: (np.pi - y - np.sin(y)) / (2.0 * np.pi), entropy=lambda: np.log(4.0 * np.pi) - 1.0, mean=lambda: 0.0, var=lambda: np.pi * np.pi / 3.0 - 2.0,
)  # fmt: skip
ANGLIT = Family(
    low=lambda: -np.pi / 4.0, high=lambda: np.pi / 4.0, logpdf=lambda y: np.log(np.cos(2.0 * y)), cdf=lambda y: np.sin(y + np.pi / 4.0) ** 2.0, sf=lambda y: np.cos(y + np.pi / 4.0) ** 2.0,
    ppf=lambda q: np.arcsin(np.sqrt(q)) - np.pi / 4.0, entropy=lambda: 1.0 - np.log(2.0), mean=lambda: 0.0, var=lambda: np.pi * np.pi / 16.0 - 0.5,
)  # fmt: skip


def _triang_pdf(y, c):
    first, last = c == 0, c == 1
    inner = np.where(first | last, 0.5, c)
    return np.where(y < c, 2.0 * y / np.where(first, 1.0, c), np.where(y >= c, np.where(last, 2.0 * y, 2.0 * (1.0 - y) / (1.0 - np.where(last, inner, c))), 0.0))


def _triang_cdf(y, c):
    below, above = np.where(c == 0, 1.0, c), np.where(c == 1, 0.5, c)
    return np.where(y < c, y * y / below, np.where(c == 1, y * y, (y * y - 2.0 * y + c) / (above - 1.0)))


def _triang_ppf(q, c):
    below = q < c
    return np.where(below, np.sqrt(c * np.where(below, q, 0.0) + np.where(below, 0.0, 1.0)), 1.0 - np.sqrt((1.0 - c) * (1.0 - np.where(below, 0.0, q)) + np.where(below | (c == 1), 1.0, 0.0)))


TRIANG = Family(
    "c", lambda c: np.greater_equal(c, 0) & np.less_equal(c, 1), _zero, _one, logpdf=lambda y, c: np.log(_triang_pdf(y, c)), pdf=_triang_pdf, cdf=_triang_cdf, ppf=_triang_ppf,
    entropy=lambda c: 0.5 - np.log(2.0) + 0.0 * c, mean=lambda c: (c + 1.0) / 3.0, var=lambda c: (1.0 - c + c * c) / 18.0,
)  # fmt: skip
TRUNCEXPON = Family(
    "b", _positive, _zero, lambda b: b, logpdf=lambda y, b: -y - np.log(-np.expm1(-b)), cdf=lambda y, b: np.expm1(-y) / np.expm1(-b), sf=lambda y, b: (np.exp(-b) - np.exp(-y)) / np.expm1(-b),
    ppf=lambda q, b: -np.log1p(q * np.expm1(-b)),
)  # fmt: skip


def _vonmises_logpdf(y, kappa):
    import scipy.special as sp

    return -2.0 * kappa * np.sin(y / 2.0) ** 2 - np.log(2.0 * np.pi) - np.log(sp.i0e(kappa))


VONMISES = Family("kappa", lambda kappa: np.greater_equal(kappa, 0), logpdf=_vonmises_logpdf)


def _wrapcauchy_cdf(y, c):
    """Of half of the circle, and of its mirror image."""
    low = y < np.pi
    angle = np.arctan((1.0 + c) / (1.0 - c) * np.tan(np.where(low, y, 2.0 * np.pi - y) / 2.0)) / np.pi
    return np.where(low, angle, 1.0 - angle)


def _wrapcauchy_pdf(y, c):
    return (1.0 - c * c) / (2.0 * np.pi * (1.0 + c * c - 2.0 * c * np.cos(y)))


WRAPCAUCHY = Family(
    "c", lambda c: np.greater(c, 0) & np.less(c, 1), _zero, lambda c: 2.0 * np.pi, logpdf=lambda y, c: np.log(_wrapcauchy_pdf(y, c)), pdf=_wrapcauchy_pdf, cdf=_wrapcauchy_cdf,
    entropy=lambda c: np.log(2.0 * np.pi * (1.0 - c * c)),
)  # fmt: skip
HALFCAUCHY = Family(
    low=_zero, logpdf=lambda y: np.log(2.0 / np.pi) - np.log1p(y * y), cdf=lambda y: 2.0 / np.pi * np.arctan(y), sf=lambda y: 2.0 / np.pi * np.arctan2(1.0, y), ppf=lambda q: np.tan(np.pi / 2.0 * q),
    isf=lambda q: 1.0 / np.tan(np.pi * q / 2.0), entropy=lambda: np.log(2.0 * np.pi), mean=lambda: np.inf, var=lambda: np.inf,
)  # fmt: skip
HYPSECANT = Family(
    logpdf=lambda y: -np.log(np.pi * np.cosh(y)), cdf=lambda y: 2.0 / np.pi * np.arctan(np.exp(y)), sf=lambda y: 2.0 / np.pi * np.arctan(np.exp(-y)), ppf=lambda q: np.log(np.tan(np.pi * q / 2.0)),
    isf=lambda q: -np.log(np.tan(np.pi * q / 2.0)), entropy=lambda: np.log(2.0 * np.pi), mean=lambda: 0.0, var=lambda: np.pi * np.pi / 4.0,
)  # fmt: skip


def _asymmetric_cdf(y, kappa):
    whole = kappa + 1.0 / kappa
    above, below = np.maximum(y, 0.0), np.minimum(y, 0.0)
    return np.where(y >= 0, 1.0 - np.exp(-above * kappa) * (1.0 / kappa / whole), np.exp(below / kappa) * (kappa / whole))


def _asymmetric_sf(y, kappa):
    whole = kappa + 1.0 / kappa
    above, below = np.maximum(y, 0.0), np.minimum(y, 0.0)
    return np.where(y >= 0, np.exp(-above * kappa) * (1.0 / kappa / whole), 1.0 - np.exp(below / kappa) * (kappa / whole))


def _asymmetric_ppf(q, kappa):
    whole = kappa + 1.0 / kappa
    return np.where(q >= kappa / whole, -np.log((1.0 - q) * whole * kappa) / kappa, np.log(q * whole / kappa) * kappa)


LAPLACE_ASYMMETRIC = Family(
    "kappa", _positive, logpdf=lambda y, kappa: y * np.where(y >= 0, -kappa, 1.0 / kappa) - np.log(kappa + 1.0 / kappa), cdf=_asymmetric_cdf, sf=_asymmetric_sf, ppf=_asymmetric_ppf,
    entropy=lambda kappa: 1.0 + np.log(kappa + 1.0 / kappa), mean=lambda kappa: 1.0 / kappa - kappa, var=lambda kappa: 1.0 / kappa**2 + kappa * kappa,
)  # fmt: skip

# ---- what `distributions.py` and its neighbours leave: inverses of the complement, means and variances -----------------------------


def _logit(q):
    import scipy.special as sp

    return sp.logit(q)


def _betaincinv(a, b, q):
    import scipy.special as sp

    return sp.betaincinv(a, b, q)


def _betainccinv(a, b, q):
    import scipy.special as sp

    return 1.0 - sp.betaincinv(b, a, q)


def _stdtrit(df, q):
    import scipy.special as sp

    return sp.stdtrit(df, q)


def _t_var(df):
    """Infinite down to 1, none at and below."""
    return np.where(np.greater(df, 1), _where_above(2.0, df, lambda df: df / (df - 2.0)), np.nan)


def _laplace_at(q):
    """Where the complement is q, below one half."""
    return -np.log(2.0 * q)


OTHERS = {
    "norm": Family(ppf=_ndtri, isf=lambda q: -_ndtri(q), mean=lambda: 0.0, var=lambda: 1.0),
    "lognorm": Family("s", _positive, _zero, ppf=lambda q, s: np.exp(s * _ndtri(q)), isf=lambda q, s: np.exp(-s * _ndtri(q)), mean=lambda s: np.exp(s * s / 2.0), var=lambda s: np.exp(s * s) * (np.exp(s * s) - 1.0)),
    "expon": Family(low=_zero, ppf=lambda q: -np.log1p(-q), isf=lambda q: -np.log(q), mean=_one, var=_one),
    "laplace": Family(ppf=lambda q: np.where(q > 0.5, _laplace_at(1.0 - q), -_laplace_at(q)), isf=lambda q: np.where(q > 0.5, -_laplace_at(1.0 - q), _laplace_at(q)), mean=_zero, var=lambda: 2.0),
    "logistic": Family(ppf=_logit, isf=lambda q: -_logit(q), mean=_zero, var=lambda: np.pi * np.pi / 3.0),
    "cauchy": Family(ppf=lambda q: -1.0 / np.tan(np.pi * q), isf=lambda q: 1.0 / np.tan(np.pi * q), mean=lambda: np.nan, var=lambda: np.nan),
    "uniform": Family(low=_zero, high=_one, ppf=lambda q: q, isf=lambda q: 1.0 - q, mean=lambda: 0.5, var=lambda: 1.0 / 12),
    "gamma": Family("a", _positive, _zero, ppf=lambda q, a: _gammaincinv(a, q), isf=lambda q, a: _gammainccinv(a, q), mean=lambda a: a, var=lambda a: a),
    "chi2": Family("df", _positive, _zero, ppf=lambda q, df: 2.0 * _gammaincinv(df / 2.0, q), isf=lambda q, df: 2.0 * _gammainccinv(df / 2.0, q), mean=lambda df: df, var=lambda df: 2.0 * df),
    "beta": Family(
        "a, b", _positive, _zero, _one, ppf=lambda q, a, b: _betaincinv(a, b, q), isf=lambda q, a, b: _betainccinv(a, b, q), mean=lambda a, b: a / (a + b),
        var=lambda a, b: a * b / ((a + b) ** 2 * (a + b + 1.0)),
    ),
    "t": Family("df", _positive, ppf=lambda q, df: _stdtrit(df, q), isf=lambda q, df: -_stdtrit(df, q), mean=lambda df: np.where(np.greater(df, 1), 0.0, np.inf), var=_t_var),
}  # fmt: skip
"""Their other methods are functions of their own."""

FAMILIES = {
    **OTHERS,
    "gumbel_r": GUMBEL_R, "gumbel_l": GUMBEL_L, "weibull_min": WEIBULL_MIN, "weibull_max": WEIBULL_MAX, "exponweib": EXPONWEIB, "pareto": PARETO, "lomax": LOMAX, "powerlaw": POWERLAW,
    "loguniform": LOGUNIFORM, "reciprocal": LOGUNIFORM, "genpareto": GENPARETO, "burr12": BURR12, "fisk": FISK, "halfnorm": HALFNORM, "rayleigh": RAYLEIGH, "chi": CHI, "maxwell": MAXWELL,
    "nakagami": NAKAGAMI, "rice": RICE, "skewnorm": SKEWNORM, "exponnorm": EXPONNORM, "truncnorm": TRUNCNORM, "johnsonsu": JOHNSONSU, "levy": LEVY, "moyal": MOYAL, "invgauss": INVGAUSS, "wald": WALD,
    "invgamma": INVGAMMA, "gengamma": GENGAMMA, "gennorm": GENNORM, "f": F, "betaprime": BETAPRIME, "arcsine": ARCSINE, "semicircular": SEMICIRCULAR, "cosine": COSINE, "anglit": ANGLIT, "triang": TRIANG,
    "truncexpon": TRUNCEXPON, "vonmises": VONMISES, "wrapcauchy": WRAPCAUCHY, "halfcauchy": HALFCAUCHY, "hypsecant": HYPSECANT, "laplace_asymmetric": LAPLACE_ASYMMETRIC,
}  # fmt: skip
"""By SciPy's name."""
