"""scipy.stats: distributions by their formulas, each stated once for location 0 and scale 1; the methods that follow from them are in `standardized.py`.

    "rayleigh": Family(low=zero, logpdf=lambda y: np.log(y) - y * y / 2.0, …)

Formulas get points strictly inside of the support (the density also its ends), the shapes behind them, all of them valid.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.families_of_bessels import OF_BESSELS
from s2s.transforms.read.composed.families_of_normals import (
    CHI,
    EXPONNORM,
    HALFNORM,
    INVGAUSS,
    JOHNSONSU,
    LEVY,
    MAXWELL,
    MOYAL,
    NAKAGAMI,
    RAYLEIGH,
    RICE,
    SKEWNORM,
    TRUNCNORM,
    WALD,
)
from s2s.transforms.read.composed.families_of_powers import (
    BURR12,
    EXPONWEIB,
    FISK,
    GENPARETO,
    GUMBEL_L,
    GUMBEL_R,
    LOGUNIFORM,
    LOMAX,
    PARETO,
    POWERLAW,
    WEIBULL_MAX,
    WEIBULL_MIN,
)
from s2s.transforms.read.composed.families_of_tails import TAILS
from s2s.transforms.read.composed.families_skewed import SKEWED, vonmises_cdf, vonmises_logpdf
from s2s.transforms.read.composed.families_through_normals import THROUGH_NORMALS
from s2s.transforms.read.composed.family import Family, one, positive, where_above, zero
from s2s.transforms.read.composed.special_by_name import (
    betainc,
    betainccinv,
    betaincinv,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    logit,
    ndtri,
    stdtrit,
)

# ---- of gamma and beta functions ------------------------------------------------------------------------------------------------


INVGAMMA = Family(
    "a", positive, zero, logpdf=lambda y, a: -(a + 1.0) * np.log(y) - gammaln(a) - 1.0 / y, cdf=lambda y, a: gammaincc(a, 1.0 / y), sf=lambda y, a: gammainc(a, 1.0 / y),
    ppf=lambda q, a: 1.0 / gammainccinv(a, q), isf=lambda q, a: 1.0 / gammaincinv(a, q), mean=lambda a: where_above(1.0, a, lambda a: 1.0 / (a - 1.0)),
    var=lambda a: where_above(2.0, a, lambda a: 1.0 / (a - 1.0) ** 2 / (a - 2.0)),
    open=True,
)  # fmt: skip


def _gengamma_logpdf(y, a, c):
    import scipy.special as sp

    y = np.where((y == 0) & np.less(c, 0), 1e-300, y)
    return np.log(np.abs(c)) + sp.xlogy(c * a - 1.0, y) - y**c - sp.gammaln(a)


GENGAMMA = Family(
    "a, c", lambda a, c: np.greater(a, 0) & np.not_equal(c, 0), zero, logpdf=_gengamma_logpdf,
    cdf=lambda y, a, c: np.where(np.greater(c, 0), gammainc(a, y**c), gammaincc(a, y**c)), sf=lambda y, a, c: np.where(np.greater(c, 0), gammaincc(a, y**c), gammainc(a, y**c)),
    ppf=lambda q, a, c: np.where(np.greater(c, 0), gammaincinv(a, q), gammainccinv(a, q)) ** (1.0 / c),
    isf=lambda q, a, c: np.where(np.greater(c, 0), gammainccinv(a, q), gammaincinv(a, q)) ** (1.0 / c),
)  # fmt: skip


def _gennorm_logpdf(y, beta):
    import scipy.special as sp

    return np.log(0.5 * beta) - sp.gammaln(1.0 / beta) - np.abs(y) ** beta


def _gennorm_cdf(y, beta):
    half = 0.5 * np.sign(y)
    return (0.5 + half) - half * gammaincc(1.0 / beta, np.abs(y) ** beta)


def _gennorm_ppf(q, beta):
    side = np.sign(q - 0.5)
    return side * gammainccinv(1.0 / beta, (1.0 + side) - 2.0 * side * q) ** (1.0 / beta)


GENNORM = Family(
    "beta", positive, logpdf=_gennorm_logpdf, cdf=_gennorm_cdf, sf=lambda y, beta: _gennorm_cdf(-y, beta), ppf=_gennorm_ppf, isf=lambda q, beta: -_gennorm_ppf(q, beta),
    entropy=lambda beta: 1.0 / beta - np.log(0.5 * beta) + gammaln(1.0 / beta), mean=lambda beta: 0.0 * beta, var=lambda beta: np.exp(gammaln(3.0 / beta) - gammaln(1.0 / beta)),
)  # fmt: skip


def _f_logpdf(y, n, m):
    import scipy.special as sp

    return m / 2 * np.log(m) + n / 2 * np.log(n) + sp.xlogy(n / 2 - 1, y) - ((n + m) / 2 * np.log(m + n * y) + sp.betaln(n / 2, m / 2))


def _f_ppf(q, n, m):
    import scipy.special as sp

    return sp.fdtri(n, m, q)


F = Family(
    "dfn, dfd", positive, zero, logpdf=_f_logpdf, cdf=lambda y, n, m: betainc(n / 2, m / 2, n * y / (m + n * y)), sf=lambda y, n, m: betainc(m / 2, n / 2, m / (m + n * y)),
    ppf=_f_ppf, isf=lambda q, n, m: _f_ppf(1.0 - q, n, m),
    mean=lambda n, m: where_above(2.0, m, lambda m: m / (m - 2.0)) + 0.0 * n, var=lambda n, m: where_above(4.0, m, lambda m: 2.0 * m**2 * (n + m - 2.0) / (n * (m - 2.0) ** 2 * (m - 4.0))),
)  # fmt: skip


def _betaprime_logpdf(y, a, b):
    import scipy.special as sp

    held = np.minimum(y, 1e300)
    return np.where(np.isinf(y), -np.inf, sp.xlogy(a - 1.0, held) - sp.xlog1py(a + b, held) - sp.betaln(a, b))


BETAPRIME = Family(
    "a, b", positive, zero, logpdf=_betaprime_logpdf, cdf=lambda y, a, b: betainc(a, b, y / (1.0 + y)), sf=lambda y, a, b: betainc(b, a, 1.0 / (1.0 + y)),
    mean=lambda a, b: where_above(1.0, b, lambda b: a / (b - 1.0)),
)  # fmt: skip

# ---- on an interval, and others ------------------------------------------------------------------------------------------------

ARCSINE = Family(
    low=zero, high=one, logpdf=lambda y: -np.log(np.pi) - 0.5 * np.log(y) - 0.5 * np.log1p(-y), cdf=lambda y: 2.0 / np.pi * np.arcsin(np.sqrt(y)), ppf=lambda q: np.sin(np.pi / 2.0 * q) ** 2,
    entropy=lambda: -0.24156447527049044469, mean=lambda: 0.5, var=lambda: 1.0 / 8,
)  # fmt: skip
SEMICIRCULAR = Family(
    low=lambda: -1.0, high=one, logpdf=lambda y: np.log(2.0 / np.pi) + 0.5 * np.log1p(-y * y), cdf=lambda y: 0.5 + 1.0 / np.pi * (y * np.sqrt(1.0 - y * y) + np.arcsin(y)),
    ppf=lambda q: 2.0 * betaincinv(1.5, 1.5, q) - 1.0, isf=lambda q: 1.0 - 2.0 * betaincinv(1.5, 1.5, q), entropy=lambda: 0.64472988584940017414, mean=lambda: 0.0, var=lambda: 0.25,
)  # fmt: skip
def _below_cosine(y):
    """t - sin(t) over a turn, t from the lower end; of small t by its series, where the difference has few digits."""
    t = (y + np.pi) + 1.2246467991473532e-16  # what np.pi lacks
    s = t * t
    series = t * s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0 * (1.0 - s / 110.0 * (1.0 - s / 156.0 * (1.0 - s / 210.0))))))
    return np.where(t < 1.0, series, t - np.sin(t)) / (2.0 * np.pi)


COSINE = Family(
    low=lambda: -np.pi, high=lambda: np.pi, logpdf=lambda y: np.log1p(np.cos(y)) - np.log(2.0 * np.pi), pdf=lambda y: 0.5 / np.pi * (1.0 + np.cos(y)), cdf=_below_cosine,
    sf=lambda y: _below_cosine(-y), entropy=lambda: np.log(4.0 * np.pi) - 1.0, mean=lambda: 0.0, var=lambda: np.pi * np.pi / 3.0 - 2.0,
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
    "c", lambda c: np.greater_equal(c, 0) & np.less_equal(c, 1), zero, one, logpdf=lambda y, c: np.log(_triang_pdf(y, c)), pdf=_triang_pdf, cdf=_triang_cdf, ppf=_triang_ppf,
    entropy=lambda c: 0.5 - np.log(2.0) + 0.0 * c, mean=lambda c: (c + 1.0) / 3.0, var=lambda c: (1.0 - c + c * c) / 18.0,
)  # fmt: skip
TRUNCEXPON = Family(
    "b", positive, zero, lambda b: b, logpdf=lambda y, b: -y - np.log(-np.expm1(-b)), cdf=lambda y, b: np.expm1(-y) / np.expm1(-b), sf=lambda y, b: (np.exp(-b) - np.exp(-y)) / np.expm1(-b),
    ppf=lambda q, b: -np.log1p(q * np.expm1(-b)),
)  # fmt: skip


VONMISES = Family("kappa", lambda kappa: np.greater_equal(kappa, 0), logpdf=vonmises_logpdf, cdf=vonmises_cdf)


def _wrapcauchy_cdf(y, c):
    """Of half of the circle, and of its mirror image."""
    low = y < np.pi
    angle = np.arctan((1.0 + c) / (1.0 - c) * np.tan(np.where(low, y, 2.0 * np.pi - y) / 2.0)) / np.pi
    return np.where(low, angle, 1.0 - angle)


def _wrapcauchy_pdf(y, c):
    return (1.0 - c * c) / (2.0 * np.pi * (1.0 + c * c - 2.0 * c * np.cos(y)))


WRAPCAUCHY = Family(
    "c", lambda c: np.greater(c, 0) & np.less(c, 1), zero, lambda c: 2.0 * np.pi, logpdf=lambda y, c: np.log(_wrapcauchy_pdf(y, c)), pdf=_wrapcauchy_pdf, cdf=_wrapcauchy_cdf,
    entropy=lambda c: np.log(2.0 * np.pi * (1.0 - c * c)),
)  # fmt: skip
HALFCAUCHY = Family(
    low=zero, logpdf=lambda y: np.log(2.0 / np.pi) - np.log1p(y * y), cdf=lambda y: 2.0 / np.pi * np.arctan(y), sf=lambda y: 2.0 / np.pi * np.arctan2(1.0, y), ppf=lambda q: np.tan(np.pi / 2.0 * q),
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


def _asymmetric_isf(q, kappa):
    whole = kappa + 1.0 / kappa
    return np.where(q <= 1.0 / kappa / whole, -np.log(q * whole * kappa) / kappa, np.log((1.0 - q) * whole / kappa) * kappa)


LAPLACE_ASYMMETRIC = Family(
    "kappa", positive, logpdf=lambda y, kappa: y * np.where(y >= 0, -kappa, 1.0 / kappa) - np.log(kappa + 1.0 / kappa), cdf=_asymmetric_cdf, sf=_asymmetric_sf, ppf=_asymmetric_ppf, isf=_asymmetric_isf,
    entropy=lambda kappa: 1.0 + np.log(kappa + 1.0 / kappa), mean=lambda kappa: 1.0 / kappa - kappa, var=lambda kappa: 1.0 / kappa**2 + kappa * kappa,
)  # fmt: skip

# ---- what `distributions.py` and its neighbours leave: inverses of the complement, means and variances -----------------------------


def _t_var(df):
    """Infinite down to 1, none at and below."""
    normal = np.isinf(df)
    return np.where(normal, 1.0, np.where(np.greater(df, 1), where_above(2.0, np.where(normal, 3.0, df), lambda df: df / (df - 2.0)), np.nan))


def _cauchy_isf(q):
    """Of the nearer end, where q or 1 - q is exact."""
    low = q < 0.5
    return np.where(q == 0.5, 0.0, np.where(low, 1.0, -1.0) / np.tan(np.pi * np.where(low, q, 1.0 - q)))


def _laplace_at(q):
    """Where the complement is q, below one half."""
    return -np.log(2.0 * q)


OTHERS = {
    "norm": Family(ppf=ndtri, isf=lambda q: -ndtri(q), mean=lambda: 0.0, var=lambda: 1.0),
    "lognorm": Family("s", positive, zero, ppf=lambda q, s: np.exp(s * ndtri(q)), isf=lambda q, s: np.exp(-s * ndtri(q)), mean=lambda s: np.exp(s * s / 2.0), var=lambda s: np.exp(s * s) * (np.exp(s * s) - 1.0)),
    "expon": Family(low=zero, ppf=lambda q: -np.log1p(-q), isf=lambda q: -np.log(q), mean=one, var=one),
    "laplace": Family(ppf=lambda q: np.where(q > 0.5, _laplace_at(1.0 - q), -_laplace_at(q)), isf=lambda q: np.where(q > 0.5, -_laplace_at(1.0 - q), _laplace_at(q)), mean=zero, var=lambda: 2.0),
    "logistic": Family(ppf=logit, isf=lambda q: -logit(q), mean=zero, var=lambda: np.pi * np.pi / 3.0),
    "cauchy": Family(ppf=lambda q: -_cauchy_isf(q), isf=_cauchy_isf, mean=lambda: np.nan, var=lambda: np.nan),
    "uniform": Family(low=zero, high=one, ppf=lambda q: q, isf=lambda q: 1.0 - q, mean=lambda: 0.5, var=lambda: 1.0 / 12),
    "gamma": Family("a", positive, zero, ppf=lambda q, a: gammaincinv(a, q), isf=lambda q, a: gammainccinv(a, q), mean=lambda a: a, var=lambda a: a),
    "chi2": Family("df", positive, zero, ppf=lambda q, df: 2.0 * gammaincinv(df / 2.0, q), isf=lambda q, df: 2.0 * gammainccinv(df / 2.0, q), mean=lambda df: df, var=lambda df: 2.0 * df),
    "beta": Family(
        "a, b", positive, zero, one, ppf=lambda q, a, b: betaincinv(a, b, q), isf=lambda q, a, b: betainccinv(a, b, q), mean=lambda a, b: a / (a + b),
        var=lambda a, b: a * b / ((a + b) ** 2 * (a + b + 1.0)),
    ),
    "t": Family("df", positive, ppf=lambda q, df: stdtrit(df, q), isf=lambda q, df: -stdtrit(df, q), mean=lambda df: np.where(np.greater(df, 1), 0.0, np.inf), var=_t_var),
}  # fmt: skip
"""Their other methods are functions of their own."""

FAMILIES = {
    **OTHERS, **SKEWED, **TAILS, **THROUGH_NORMALS, **OF_BESSELS,
    "gumbel_r": GUMBEL_R, "gumbel_l": GUMBEL_L, "weibull_min": WEIBULL_MIN, "weibull_max": WEIBULL_MAX, "exponweib": EXPONWEIB, "pareto": PARETO, "lomax": LOMAX, "powerlaw": POWERLAW,
    "loguniform": LOGUNIFORM, "reciprocal": LOGUNIFORM, "genpareto": GENPARETO, "burr12": BURR12, "fisk": FISK, "halfnorm": HALFNORM, "rayleigh": RAYLEIGH, "chi": CHI, "maxwell": MAXWELL,
    "nakagami": NAKAGAMI, "rice": RICE, "skewnorm": SKEWNORM, "exponnorm": EXPONNORM, "truncnorm": TRUNCNORM, "johnsonsu": JOHNSONSU, "levy": LEVY, "moyal": MOYAL, "invgauss": INVGAUSS, "wald": WALD,
    "invgamma": INVGAMMA, "gengamma": GENGAMMA, "gennorm": GENNORM, "f": F, "betaprime": BETAPRIME, "arcsine": ARCSINE, "semicircular": SEMICIRCULAR, "cosine": COSINE, "anglit": ANGLIT, "triang": TRIANG,
    "truncexpon": TRUNCEXPON, "vonmises": VONMISES, "wrapcauchy": WRAPCAUCHY, "halfcauchy": HALFCAUCHY, "hypsecant": HYPSECANT, "laplace_asymmetric": LAPLACE_ASYMMETRIC,
}  # fmt: skip
"""By SciPy's name."""
