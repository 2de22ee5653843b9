"""scipy.stats: further distributions that are made of normal, gamma and beta ones (`families.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import LOG_ROOT_2PI, Family, one, positive, zero
from s2s.transforms.read.composed.special_by_name import (
    betainc,
    erf,
    expit,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    log_ndtr,
    logit,
    ndtr,
    ndtri,
    polygamma,
    psi,
    xlogy,
)


def _log_normal(x):
    """The logarithm of the normal density."""
    return -(x**2) / 2.0 - LOG_ROOT_2PI


def _normal(x):
    return np.exp(-(x**2) / 2.0) / np.sqrt(2.0 * np.pi)


# ---- of normal ones ---------------------------------------------------------------------------------------------------------------------


def _foldnorm_mean(c):
    return 2.0 * np.exp(-0.5 * c * c) / np.sqrt(2.0 * np.pi) + c * erf(c / np.sqrt(2.0))


FOLDNORM = Family(
    "c", lambda c: np.greater_equal(c, 0), zero, logpdf=lambda y, c: np.log(_normal(y + c) + _normal(y - c)), pdf=lambda y, c: _normal(y + c) + _normal(y - c),
    cdf=lambda y, c: 0.5 * (erf((y - c) / np.sqrt(2.0)) + erf((y + c) / np.sqrt(2.0))), sf=lambda y, c: ndtr(c - y) + ndtr(-(y + c)), mean=_foldnorm_mean, var=lambda c: c * c + 1.0 - _foldnorm_mean(c) ** 2,
)  # fmt: skip
GIBRAT = Family(
    low=zero, logpdf=lambda y: -(np.log(y) ** 2) / 2.0 - np.log(y * np.sqrt(2.0 * np.pi)), cdf=lambda y: ndtr(np.log(y)), sf=lambda y: ndtr(-np.log(y)), ppf=lambda q: np.exp(ndtri(q)), isf=lambda q: np.exp(-ndtri(q)),
    entropy=lambda: 0.5 * np.log(2.0 * np.pi) + 0.5, mean=lambda: np.sqrt(np.e), var=lambda: np.e * (np.e - 1.0), open=True,
)  # fmt: skip


JOHNSONSB = Family(
    "a, b", lambda a, b: np.greater(b, 0) & np.equal(a, a), zero, one, logpdf=lambda y, a, b: np.log(b / (y * (1.0 - y)) * _normal(a + b * logit(y))), pdf=lambda y, a, b: b / (y * (1.0 - y)) * _normal(a + b * logit(y)),
    cdf=lambda y, a, b: ndtr(a + b * logit(y)), sf=lambda y, a, b: ndtr(-(a + b * logit(y))), ppf=lambda q, a, b: expit((ndtri(q) - a) / b), isf=lambda q, a, b: expit((-ndtri(q) - a) / b),
    open=True,
)  # fmt: skip


def _fatigue_at(tail):
    return 0.25 * (tail + np.sqrt(tail**2 + 4.0)) ** 2


FATIGUELIFE = Family(
    "c", positive, zero, logpdf=lambda y, c: np.log(y + 1.0) - (y - 1.0) ** 2 / (2.0 * y * c**2) - np.log(2.0 * c) - 0.5 * (np.log(2.0 * np.pi) + 3.0 * np.log(y)),
    cdf=lambda y, c: ndtr((np.sqrt(y) - 1.0 / np.sqrt(y)) / c), sf=lambda y, c: ndtr(-(np.sqrt(y) - 1.0 / np.sqrt(y)) / c), ppf=lambda q, c: _fatigue_at(c * ndtri(q)), isf=lambda q, c: _fatigue_at(-c * ndtri(q)),
    mean=lambda c: c * c / 2.0 + 1.0, var=lambda c: c * c * (5.0 * c * c + 4.0) / 4.0, open=True,
)  # fmt: skip
POWERNORM = Family(
    "c", positive, logpdf=lambda y, c: np.log(c) + _log_normal(y) + (c - 1.0) * log_ndtr(-y), pdf=lambda y, c: c * _normal(y) * ndtr(-y) ** (c - 1.0), cdf=lambda y, c: -np.expm1(c * log_ndtr(-y)),
    sf=lambda y, c: np.exp(c * log_ndtr(-y)), logsf=lambda y, c: c * log_ndtr(-y), ppf=lambda q, c: -ndtri((1.0 - q) ** (1.0 / c)), isf=lambda q, c: -ndtri(np.exp(np.log(q) / c)),
)  # fmt: skip
POWERLOGNORM = Family(
    "c, s", positive, zero, logpdf=lambda y, c, s: np.log(c) - np.log(y) - np.log(s) + _log_normal(np.log(y) / s) + log_ndtr(-np.log(y) / s) * (c - 1.0),
    cdf=lambda y, c, s: -np.expm1(log_ndtr(-np.log(y) / s) * c), sf=lambda y, c, s: np.exp(log_ndtr(-np.log(y) / s) * c), logsf=lambda y, c, s: log_ndtr(-np.log(y) / s) * c,
    ppf=lambda q, c, s: np.exp(-ndtri((1.0 - q) ** (1.0 / c)) * s), isf=lambda q, c, s: np.exp(-ndtri(q ** (1.0 / c)) * s), open=True,
)  # fmt: skip
def _recipinvgauss_logpdf(y, mu):
    held = np.where(y > 0, y, 1.0)
    return np.where(y > 0, -((1.0 - mu * held) ** 2) / (2.0 * held * mu**2) - 0.5 * np.log(2.0 * np.pi * held), -np.inf)


RECIPINVGAUSS = Family(
    "mu", positive, zero, logpdf=_recipinvgauss_logpdf,
    cdf=lambda y, mu: ndtr(-(1.0 / mu - y) / np.sqrt(y)) - np.exp(2.0 / mu) * ndtr(-(1.0 / mu + y) / np.sqrt(y)), sf=lambda y, mu: ndtr((1.0 / mu - y) / np.sqrt(y)) + np.exp(2.0 / mu) * ndtr(-(1.0 / mu + y) / np.sqrt(y)),
)  # fmt: skip
ALPHA = Family(
    "a", positive, zero, logpdf=lambda y, a: -2.0 * np.log(y) + _log_normal(a - 1.0 / y) - np.log(ndtr(a)), pdf=lambda y, a: 1.0 / y**2 / ndtr(a) * _normal(a - 1.0 / y), cdf=lambda y, a: ndtr(a - 1.0 / y) / ndtr(a),
    ppf=lambda q, a: 1.0 / (a - ndtri(q * ndtr(a))), mean=lambda a: np.inf + 0.0 * a, var=lambda a: np.inf + 0.0 * a, open=True,
)  # fmt: skip
LEVY_L = Family(
    high=zero, logpdf=lambda y: np.log(1.0 / np.sqrt(-2.0 * np.pi * y) / -y * np.exp(1.0 / (2.0 * y))), pdf=lambda y: 1.0 / np.sqrt(-2.0 * np.pi * y) / -y * np.exp(1.0 / (2.0 * y)), cdf=lambda y: 2.0 * ndtr(1.0 / np.sqrt(-y)) - 1.0,
    sf=lambda y: 2.0 * ndtr(-1.0 / np.sqrt(-y)), ppf=lambda q: -1.0 / ndtri((q + 1.0) / 2.0) ** 2, isf=lambda q: -1.0 / ndtri(q / 2.0) ** 2, mean=lambda: np.inf, var=lambda: np.inf, open=True,
)  # fmt: skip


def _ball_parts(beta, m):
    """m / beta, the tail's part of the whole, and the whole by the root of 2 pi."""
    ratio = m / beta
    tail = ratio * np.exp(-(beta**2) / 2.0) / (m - 1.0)
    return ratio, tail, 1.0 / (tail + np.sqrt(2.0 * np.pi) * ndtr(beta))


def _ball_gap(y, beta, m):
    """m / beta - beta - y in the tail, elsewhere as where it ends."""
    return m / beta - beta - np.minimum(y, -beta)


def _ball_logpdf(y, beta, m):
    ratio, _, share = _ball_parts(beta, m)
    return np.log(share) + np.where(y > -beta, -(y**2) / 2.0, m * np.log(ratio) - beta**2 / 2.0 - m * np.log(_ball_gap(y, beta, m)))


def _ball_cdf(y, beta, m):
    ratio, tail, share = _ball_parts(beta, m)
    in_tail = ratio**m * np.exp(-(beta**2) / 2.0) * _ball_gap(y, beta, m) ** (1.0 - m) / (m - 1.0)
    return share * np.where(y > -beta, tail + np.sqrt(2.0 * np.pi) * (ndtr(y) - ndtr(-beta)), in_tail)


def _ball_ppf(q, beta, m):
    ratio, tail, share = _ball_parts(beta, m)
    in_tail = q < share * tail
    low = np.where(in_tail, q, share * tail)
    far = ratio - beta - ((m - 1.0) * ratio**-m / np.exp(-(beta**2) / 2.0) * low / share) ** (1.0 / (1.0 - m))
    return np.where(in_tail, far, ndtri(ndtr(-beta) + np.where(in_tail, 0.0, q / share - tail) / np.sqrt(2.0 * np.pi)))


def _ball_isf(q, beta, m):
    _, _, share = _ball_parts(beta, m)
    core = share * np.sqrt(2.0 * np.pi)
    near = q < core * ndtr(beta)
    return np.where(near, -ndtri(np.where(near, q, 0.5 * core * ndtr(beta)) / core), _ball_ppf(1.0 - q, beta, m))


CRYSTALBALL = Family(
    "beta, m", lambda beta, m: np.greater(m, 1) & np.greater(beta, 0), logpdf=_ball_logpdf, cdf=_ball_cdf,
    sf=lambda y, beta, m: np.where(y > -beta, np.sqrt(2.0 * np.pi) * ndtr(-y) * _ball_parts(beta, m)[2], 1.0 - _ball_cdf(y, beta, m)), ppf=_ball_ppf, isf=_ball_isf,
)  # fmt: skip

# ---- of gamma and beta ones ---------------------------------------------------------------------------------------------------------------

def _dgamma_cdf(y, a):
    above = np.where(y > 0, y, 1.0)
    below = np.where(y > 0, 1.0, -y)
    return np.where(y > 0, 0.5 + 0.5 * gammainc(a, above), 0.5 * gammaincc(a, below))


def _dgamma_sf(y, a):
    above = np.where(y > 0, y, 1.0)
    below = np.where(y > 0, 1.0, -y)
    return np.where(y > 0, 0.5 * gammaincc(a, above), 0.5 + 0.5 * gammainc(a, below))


def _dgamma_ppf(q, a):
    above = q > 0.5
    return np.where(above, gammaincinv(a, np.where(above, 2.0 * q - 1.0, 0.5)), -gammainccinv(a, np.where(above, 0.5, 2.0 * q)))


DGAMMA = Family(
    "a", positive, logpdf=lambda y, a: xlogy(a - 1.0, np.abs(y)) - np.abs(y) - np.log(2.0) - gammaln(a), cdf=_dgamma_cdf, sf=_dgamma_sf, ppf=_dgamma_ppf, isf=lambda q, a: -_dgamma_ppf(q, a),
    mean=lambda a: 0.0 * a, var=lambda a: a * (a + 1.0),
)  # fmt: skip
LOWEST = -708.0
"""Below it exp(y) is no regular number any more."""


def _loggamma_below(y, c):
    """The logarithm of the chance of less, far below."""
    return c * y - gammaln(c + 1.0)


def _loggamma_ppf(q, c):
    """By the first term of its series where the gamma function's inverse is too small for a number."""
    found = gammaincinv(c, q)
    there = found > 1e-300
    return np.where(there, np.log(np.where(there, found, 1.0)), (np.log(q) + gammaln(c + 1.0)) / c)


LOGGAMMA = Family(
    "c", positive, logpdf=lambda y, c: c * y - np.exp(y) - gammaln(c), cdf=lambda y, c: np.where(y < LOWEST, np.exp(_loggamma_below(np.minimum(y, LOWEST), c)), gammainc(c, np.exp(y))),
    sf=lambda y, c: np.where(y < LOWEST, -np.expm1(_loggamma_below(np.minimum(y, LOWEST), c)), gammaincc(c, np.exp(y))), ppf=_loggamma_ppf, isf=lambda q, c: np.log(gammainccinv(c, q)),
    mean=psi, var=lambda c: polygamma(1, c),
)  # fmt: skip
HALFGENNORM = Family(
    "beta", positive, zero, logpdf=lambda y, beta: np.log(beta) - gammaln(1.0 / beta) - y**beta, cdf=lambda y, beta: gammainc(1.0 / beta, y**beta), sf=lambda y, beta: gammaincc(1.0 / beta, y**beta),
    ppf=lambda q, beta: gammaincinv(1.0 / beta, q) ** (1.0 / beta), isf=lambda q, beta: gammainccinv(1.0 / beta, q) ** (1.0 / beta), entropy=lambda beta: 1.0 / beta - np.log(beta) + gammaln(1.0 / beta),
)  # fmt: skip


def _argus_part(chi):
    return gammainc(1.5, chi**2 / 2.0) / 2.0


ARGUS = Family(
    "chi", positive, zero, one, logpdf=lambda y, chi: 3.0 * np.log(chi) - LOG_ROOT_2PI - np.log(_argus_part(chi)) + np.log(y) + 0.5 * np.log1p(-y * y) - chi**2 * (1.0 - y * y) / 2.0,
    cdf=lambda y, chi: 1.0 - _argus_part(chi * np.sqrt((1.0 - y) * (1.0 + y))) / _argus_part(chi), sf=lambda y, chi: _argus_part(chi * np.sqrt((1.0 - y) * (1.0 + y))) / _argus_part(chi), open=True,
)  # fmt: skip


def _rdist_logpdf(y, c):
    import scipy.special as sp

    x, a = (y + 1.0) / 2.0, c / 2.0
    return -np.log(2.0) + sp.xlog1py(a - 1.0, -x) + sp.xlogy(a - 1.0, x) - sp.betaln(a, a)


def _rdist_ppf(q, c):
    import scipy.special as sp

    return 2.0 * sp.betaincinv(c / 2.0, c / 2.0, q) - 1.0


RDIST = Family(
    "c", positive, lambda c: -1.0, one, logpdf=_rdist_logpdf, cdf=lambda y, c: betainc(c / 2.0, c / 2.0, (y + 1.0) / 2.0), sf=lambda y, c: betainc(c / 2.0, c / 2.0, (1.0 - y) / 2.0), ppf=_rdist_ppf,
)  # fmt: skip

NEARLY_NORMAL = 0.000016
"""A skewness below which SciPy takes Pearson's distribution for the normal one."""


def _pearson(y, skew):
    """Whether it is nearly normal; the shape of the gamma distribution, its scale, and the point there."""
    normal = np.abs(skew) < NEARLY_NORMAL
    rate = 2.0 / np.where(normal, 1.0, skew)
    return normal, rate**2, rate, rate * (y + rate)


def _pearson_logpdf(y, skew):
    normal, alpha, rate, point = _pearson(y, skew)
    inside = point >= 0
    held = np.where(inside, point, 1.0)
    return np.where(normal, _log_normal(y), np.where(inside, np.log(np.abs(rate)) + xlogy(alpha - 1.0, held) - held - gammaln(alpha), -np.inf))


def _pearson_cdf(y, skew):
    normal, alpha, rate, point = _pearson(y, skew)
    held = np.where(point > 0, point, 1.0)
    low, high = np.where(point > 0, gammainc(alpha, held), 0.0), np.where(point > 0, gammaincc(alpha, held), 1.0)
    return np.where(normal, ndtr(y), np.where(rate > 0, low, high))


def _pearson_ppf(q, skew):
    normal, alpha, rate, _ = _pearson(0.0, skew)
    return np.where(normal, ndtri(q), gammaincinv(alpha, np.where(rate < 0, 1.0 - q, q)) / rate - rate)


def _pearson_pdf(y, skew):
    logarithm = _pearson_logpdf(y, skew)
    return np.where(np.isnan(logarithm), 0.0, np.exp(logarithm))


PEARSON3 = Family(
    "skew", np.isfinite, logpdf=_pearson_logpdf, pdf=_pearson_pdf, cdf=_pearson_cdf, sf=lambda y, skew: _pearson_cdf(-y, -skew), ppf=_pearson_ppf, mean=lambda skew: 0.0 * skew, var=lambda skew: 1.0 + 0.0 * skew,
)  # fmt: skip

THROUGH_NORMALS = {
    "foldnorm": FOLDNORM, "gibrat": GIBRAT, "johnsonsb": JOHNSONSB, "fatiguelife": FATIGUELIFE, "powernorm": POWERNORM, "powerlognorm": POWERLOGNORM, "recipinvgauss": RECIPINVGAUSS, "alpha": ALPHA,
    "levy_l": LEVY_L, "crystalball": CRYSTALBALL, "dgamma": DGAMMA, "loggamma": LOGGAMMA, "halfgennorm": HALFGENNORM, "argus": ARGUS, "rdist": RDIST, "pearson3": PEARSON3,
}  # fmt: skip
"""By SciPy's name."""
