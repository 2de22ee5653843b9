"""scipy.stats: further distributions of extreme values, of powers, on intervals and of two sides (`families.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import EULER, Family, one, positive, zero
from s2s.transforms.read.composed.special_by_name import expit, logit, powm1, psi, xlogy, zeta

# ---- extreme values and logistic ones ----------------------------------------------------------------------------------------------


def _extreme_low(c):
    below = np.less(c, 0)
    return np.where(below, 1.0 / np.where(below, c, -1.0), -np.inf)


def _extreme_high(c):
    above = np.greater(c, 0)
    return np.where(above, 1.0 / np.where(above, c, 1.0), np.inf)


def _extreme_logarithm(y, c):
    """log(-log(cdf)) of a point inside of the support."""
    none = c == 0
    return np.where(none, -y, np.log1p(-np.where(none, 0.0, c * y)) / np.where(none, 1.0, c))


def _extreme_logpdf(y, c):
    end = c * y == 1
    held = np.where(end, 0.0, y)
    logarithm = _extreme_logarithm(held, c)
    found = -np.exp(logarithm) + logarithm - np.log1p(-np.where(c == 0, 0.0, c * held))
    return np.where(end, np.where(c == 1, 0.0, -np.inf), np.where(np.isinf(y), -np.inf, found))


def _extreme_at(x, c):
    none = c == 0
    return np.where(none, x, -np.expm1(-np.where(none, 1.0, c) * x) / np.where(none, 1.0, c))


GENEXTREME = Family(
    "c", np.isfinite, _extreme_low, _extreme_high, logpdf=_extreme_logpdf, cdf=lambda y, c: np.exp(-np.exp(_extreme_logarithm(y, c))), logcdf=lambda y, c: -np.exp(_extreme_logarithm(y, c)),
    sf=lambda y, c: -np.expm1(-np.exp(_extreme_logarithm(y, c))), ppf=lambda q, c: _extreme_at(-np.log(-np.log(q)), c), isf=lambda q, c: _extreme_at(-np.log(-np.log1p(-q)), c),
    entropy=lambda c: EULER * (1.0 - c) + 1.0,
)  # fmt: skip
GOMPERTZ = Family(
    "c", positive, zero, logpdf=lambda y, c: np.log(c) + y - c * np.expm1(y), cdf=lambda y, c: -np.expm1(-c * np.expm1(y)), sf=lambda y, c: np.exp(-c * np.expm1(y)),
    ppf=lambda q, c: np.log1p(-1.0 / c * np.log1p(-q)), isf=lambda q, c: np.log1p(-np.log(q) / c),
)  # fmt: skip


GENLOGISTIC = Family(
    "c", positive, logpdf=lambda y, c: np.log(c) + (-(c - 1.0) * (y < 0) - 1.0) * np.abs(y) - (c + 1.0) * np.log1p(np.exp(-np.abs(y))), cdf=lambda y, c: (1.0 + np.exp(-y)) ** -c,
    logcdf=lambda y, c: -c * np.log1p(np.exp(-y)), sf=lambda y, c: -np.expm1(-c * np.log1p(np.exp(-y))), ppf=lambda q, c: -np.log(powm1(q, -1.0 / c)),
    entropy=lambda c: np.where(c < 8e6, -np.log(c) + psi(c + 1.0) + EULER + 1.0, 1.0 / (2.0 * c) + EULER + 1.0), mean=lambda c: EULER + psi(c), var=lambda c: np.pi * np.pi / 6.0 + zeta(2.0, c),
)  # fmt: skip
HALFLOGISTIC = Family(
    low=zero, logpdf=lambda y: np.log(2.0) - y - 2.0 * np.log1p(np.exp(-y)), cdf=lambda y: np.tanh(y / 2.0), sf=lambda y: 2.0 * expit(-y), ppf=lambda q: 2.0 * np.arctanh(q),
    isf=lambda q: np.where(q < 0.5, -logit(0.5 * q), 2.0 * np.arctanh(1.0 - q)), entropy=lambda: 2.0 - np.log(2.0),
)  # fmt: skip


def _half_power(y, c):
    return (1.0 - c * y) ** (1.0 / c)


def _genhalflogistic_pdf(y, c):
    part = (1.0 - c * y) ** (1.0 / c - 1.0)
    return 2.0 * part / (1.0 + part * (1.0 - c * y)) ** 2


GENHALFLOGISTIC = Family(
    "c", positive, zero, lambda c: 1.0 / c, logpdf=lambda y, c: np.log(_genhalflogistic_pdf(y, c)), pdf=_genhalflogistic_pdf, cdf=lambda y, c: (1.0 - _half_power(y, c)) / (1.0 + _half_power(y, c)),
    ppf=lambda q, c: 1.0 / c * (1.0 - ((1.0 - q) / (1.0 + q)) ** c), entropy=lambda c: 2.0 - (2.0 * c + 1.0) * np.log(2.0),
)  # fmt: skip
INVWEIBULL = Family(
    "c", positive, zero, logpdf=lambda y, c: np.log(c * y ** (-c - 1.0) * np.exp(-(y**-c))), pdf=lambda y, c: c * y ** (-c - 1.0) * np.exp(-(y**-c)), cdf=lambda y, c: np.exp(-(y**-c)), sf=lambda y, c: -np.expm1(-(y**-c)),
    ppf=lambda q, c: (-np.log(q)) ** (-1.0 / c), isf=lambda q, c: (-np.log1p(-q)) ** (-1.0 / c), entropy=lambda c: 1.0 + EULER + EULER / c - np.log(c), open=True,
)  # fmt: skip

# ---- powers --------------------------------------------------------------------------------------------------------------------------


def _burr_logpdf(y, c, d):
    start = y == 0
    held = np.where(start, 1.0, y)
    at_start = np.log(c) + np.log(d) + xlogy(c * d - 1.0, np.where(start, 0.0, 1.0))
    return np.where(start, at_start, np.log(c) + np.log(d) - (c + 1.0) * np.log(held) - (d + 1.0) * np.log1p(held**-c))


BURR = Family(
    "c, d", positive, zero, logpdf=_burr_logpdf, cdf=lambda y, c, d: (1.0 + y**-c) ** -d, logcdf=lambda y, c, d: np.log1p(y**-c) * -d, sf=lambda y, c, d: np.exp(np.log1p(-((1.0 + y**-c) ** -d))),
    logsf=lambda y, c, d: np.log1p(-((1.0 + y**-c) ** -d)), ppf=lambda q, c, d: (q ** (-1.0 / d) - 1.0) ** (-1.0 / c), isf=lambda q, c, d: np.expm1(-1.0 / d * np.log1p(-q)) ** (-1.0 / c),
)  # fmt: skip
MIELKE = Family(
    "k, s", positive, zero, logpdf=lambda y, k, s: np.log(k) + np.log(y) * (k - 1.0) - np.log1p(y**s) * (1.0 + k / s), pdf=lambda y, k, s: k * y ** (k - 1.0) / (1.0 + y**s) ** (1.0 + k / s),
    cdf=lambda y, k, s: y**k / (1.0 + y**s) ** (k / s), ppf=lambda q, k, s: (q ** (s / k) / (1.0 - q ** (s / k))) ** (1.0 / s),
)  # fmt: skip


def _kappa3_sf(y, a):
    plain = 1.0 - y * (a + y**a) ** (-1.0 / a)
    far = -np.expm1(-1.0 / a * np.log1p(a * y**-a))
    return np.where((plain < 0.01) & (far <= 0.01), far, plain)


KAPPA3 = Family(
    "a", positive, zero, logpdf=lambda y, a: np.log(a * (a + y**a) ** (-1.0 / a - 1.0)), pdf=lambda y, a: a * (a + y**a) ** (-1.0 / a - 1.0), cdf=lambda y, a: y * (a + y**a) ** (-1.0 / a),
    sf=_kappa3_sf, ppf=lambda q, a: (a / (q**-a - 1.0)) ** (1.0 / a), isf=lambda q, a: (a / np.expm1(-a * np.log1p(-q))) ** (1.0 / a),
)  # fmt: skip
EXPONPOW = Family(
    "b", positive, zero, logpdf=lambda y, b: 1.0 + np.log(b) + xlogy(b - 1.0, y) + y**b - np.exp(y**b), cdf=lambda y, b: -np.expm1(-np.expm1(y**b)), sf=lambda y, b: np.exp(-np.expm1(y**b)),
    ppf=lambda q, b: np.log1p(-np.log1p(-q)) ** (1.0 / b), isf=lambda q, b: np.log1p(-np.log(q)) ** (1.0 / b),
)  # fmt: skip
GENEXPON = Family(
    "a, b, c", positive, zero, logpdf=lambda y, a, b, c: np.log(a - b * np.expm1(-c * y)) + (-a - b) * y - b * np.expm1(-c * y) / c, cdf=lambda y, a, b, c: -np.expm1((-a - b) * y - b * np.expm1(-c * y) / c),
    sf=lambda y, a, b, c: np.exp((-a - b) * y - b * np.expm1(-c * y) / c),
    pdf=lambda y, a, b, c: (a - b * np.expm1(-c * y)) * np.exp((-a - b) * y - b * np.expm1(-c * y) / c),
)  # fmt: skip


def _truncpareto_logpdf(y, b, c):
    """Of a negative power the logarithm of the density, which is a number too."""
    return np.log(np.abs(b)) - np.log(np.abs(np.expm1(-b * np.log(c)))) - (b + 1.0) * np.log(y)


TRUNCPARETO = Family(
    "b, c", lambda b, c: np.not_equal(b, 0) & np.greater(c, 1), one, lambda b, c: c, logpdf=_truncpareto_logpdf, pdf=lambda y, b, c: b * y ** -(b + 1.0) / (1.0 - c**-b), cdf=lambda y, b, c: (1.0 - y**-b) / (1.0 - c**-b),
    sf=lambda y, b, c: (y**-b - c**-b) / (1.0 - c**-b), ppf=lambda q, b, c: (1.0 - (1.0 - c**-b) * q) ** (-1.0 / b), isf=lambda q, b, c: (c**-b + (1.0 - c**-b) * q) ** (-1.0 / b),
    entropy=lambda b, c: -(np.log(b / (1.0 - c**-b)) + (b + 1.0) * (np.log(c) / (c**b - 1.0) - 1.0 / b)),
)  # fmt: skip


def _weibull_left(y, c):
    return np.exp(-(y**c))


TRUNCWEIBULL_MIN = Family(
    "c, a, b", lambda c, a, b: np.greater_equal(a, 0) & np.greater(b, a) & np.greater(c, 0), lambda c, a, b: a, lambda c, a, b: b,
    logpdf=lambda y, c, a, b: np.log(c) + xlogy(c - 1.0, y) - y**c - np.log(_weibull_left(a, c) - _weibull_left(b, c)),
    cdf=lambda y, c, a, b: (_weibull_left(a, c) - _weibull_left(y, c)) / (_weibull_left(a, c) - _weibull_left(b, c)),
    sf=lambda y, c, a, b: (_weibull_left(y, c) - _weibull_left(b, c)) / (_weibull_left(a, c) - _weibull_left(b, c)),
    ppf=lambda q, c, a, b: (-np.log((1.0 - q) * _weibull_left(a, c) + q * _weibull_left(b, c))) ** (1.0 / c), isf=lambda q, c, a, b: (-np.log((1.0 - q) * _weibull_left(b, c) + q * _weibull_left(a, c))) ** (1.0 / c),
)  # fmt: skip

# ---- on an interval ------------------------------------------------------------------------------------------------------------------

BRADFORD = Family(
    "c", positive, zero, one, logpdf=lambda y, c: np.log(c / (c * y + 1.0) / np.log1p(c)), pdf=lambda y, c: c / (c * y + 1.0) / np.log1p(c), cdf=lambda y, c: np.log1p(c * y) / np.log1p(c),
    ppf=lambda q, c: np.expm1(q * np.log1p(c)) / c, entropy=lambda c: np.log1p(c) / 2.0 - np.log(c / np.log1p(c)), mean=lambda c: (c - np.log1p(c)) / (c * np.log1p(c)),
    var=lambda c: ((c + 2.0) * np.log1p(c) - 2.0 * c) / (2.0 * c * np.log1p(c) ** 2),
)  # fmt: skip


def _trapezoid_pdf(y, c, d):
    height = 2.0 / (d - c + 1.0)
    rising, falling = height * y / np.where(c == 0, 1.0, c), height * (1.0 - y) / np.where(d == 1, 1.0, 1.0 - d)
    return np.where(y < c, rising, np.where(y <= d, height + 0.0 * y, falling))


def _trapezoid_cdf(y, c, d):
    whole = d - c + 1.0
    rising, falling = y**2 / np.where(c == 0, 1.0, c) / whole, 1.0 - (1.0 - y) ** 2 / whole / np.where(d == 1, 1.0, 1.0 - d)
    return np.where(y < c, rising, np.where(y <= d, (c + 2.0 * (y - c)) / whole, falling))


def _trapezoid_ppf(q, c, d):
    whole = 1.0 + d - c
    low, high = q < _trapezoid_cdf(c, c, d), q > _trapezoid_cdf(d, c, d)
    rising, falling = np.sqrt(np.where(low, q * c * whole, 1.0)), 1.0 - np.sqrt(np.where(high, (1.0 - q) * whole * (1.0 - d), 1.0))
    return np.where(low, rising, np.where(high, falling, 0.5 * q * whole + 0.5 * c))


TRAPEZOID = Family(
    "c, d", lambda c, d: np.greater_equal(c, 0) & np.less_equal(c, 1) & np.greater_equal(d, 0) & np.less_equal(d, 1) & np.greater_equal(d, c), zero, one,
    logpdf=lambda y, c, d: np.log(_trapezoid_pdf(y, c, d)), pdf=_trapezoid_pdf, cdf=_trapezoid_cdf, ppf=_trapezoid_ppf, entropy=lambda c, d: 0.5 * (1.0 - d + c) / (1.0 + d - c) + np.log(0.5 * (1.0 + d - c)),
)  # fmt: skip

# ---- of two sides ------------------------------------------------------------------------------------------------------------------------


def _dweibull_at(q, c):
    """Where the complement of a half is q."""
    return (-np.log(q)) ** (1.0 / c)


def _smaller(q):
    return 2.0 * np.where(q <= 0.5, q, 1.0 - q)


DWEIBULL = Family(
    "c", positive, logpdf=lambda y, c: np.log(c) - np.log(2.0) + xlogy(c - 1.0, np.abs(y)) - np.abs(y) ** c, pdf=lambda y, c: c / 2.0 * np.abs(y) ** (c - 1.0) * np.exp(-(np.abs(y) ** c)),
    cdf=lambda y, c: np.where(y > 0, 1.0 - 0.5 * np.exp(-(np.abs(y) ** c)), 0.5 * np.exp(-(np.abs(y) ** c))), sf=lambda y, c: np.where(y > 0, 0.5 * np.exp(-(np.abs(y) ** c)), 1.0 - 0.5 * np.exp(-(np.abs(y) ** c))),
    ppf=lambda q, c: np.where(q > 0.5, 1.0, -1.0) * _dweibull_at(_smaller(q), c), isf=lambda q, c: np.where(q > 0.5, -1.0, 1.0) * _dweibull_at(_smaller(q), c),
    entropy=lambda c: -EULER / c - np.log(c) + EULER + 1.0 - np.log(0.5),
)  # fmt: skip
LOGLAPLACE = Family(
    "c", positive, zero, logpdf=lambda y, c: np.log(c / 2.0 * y ** (np.where(y < 1, c, -c) - 1.0)), pdf=lambda y, c: c / 2.0 * y ** (np.where(y < 1, c, -c) - 1.0),
    cdf=lambda y, c: np.where(y < 1, 0.5 * y**c, 1.0 - 0.5 * y**-c), sf=lambda y, c: np.where(y < 1, 1.0 - 0.5 * y**c, 0.5 * y**-c),
    ppf=lambda q, c: np.where(q < 0.5, (2.0 * q) ** (1.0 / c), (2.0 * (1.0 - q)) ** (-1.0 / c)), isf=lambda q, c: np.where(q > 0.5, (2.0 * (1.0 - q)) ** (1.0 / c), (2.0 * q) ** (-1.0 / c)),
    entropy=lambda c: np.log(2.0 / c) + 1.0,
)  # fmt: skip


def _skewcauchy_cdf(y, a):
    return np.where(y <= 0, (1.0 - a) / 2.0 + (1.0 - a) / np.pi * np.arctan(y / (1.0 - a)), (1.0 - a) / 2.0 + (1.0 + a) / np.pi * np.arctan(y / (1.0 + a)))


def _skewcauchy_ppf(q, a):
    side = np.where(q < (1.0 - a) / 2.0, 1.0 - a, 1.0 + a)
    return np.tan(np.pi / side * (q - (1.0 - a) / 2.0)) * side


SKEWCAUCHY = Family(
    "a", lambda a: np.less(np.abs(a), 1), logpdf=lambda y, a: np.log(1.0 / (np.pi * (y**2 / (a * np.sign(y) + 1.0) ** 2 + 1.0))), pdf=lambda y, a: 1.0 / (np.pi * (y**2 / (a * np.sign(y) + 1.0) ** 2 + 1.0)),
    cdf=_skewcauchy_cdf, ppf=_skewcauchy_ppf, mean=lambda a: np.nan * a, var=lambda a: np.nan * a,
)  # fmt: skip
FOLDCAUCHY = Family(
    "c", lambda c: np.greater_equal(c, 0), zero, logpdf=lambda y, c: np.log(1.0 / np.pi * (1.0 / (1.0 + (y - c) ** 2) + 1.0 / (1.0 + (y + c) ** 2))),
    pdf=lambda y, c: 1.0 / np.pi * (1.0 / (1.0 + (y - c) ** 2) + 1.0 / (1.0 + (y + c) ** 2)), cdf=lambda y, c: 1.0 / np.pi * (np.arctan(y - c) + np.arctan(y + c)),
    sf=lambda y, c: (np.arctan2(1.0, y - c) + np.arctan2(1.0, y + c)) / np.pi, mean=lambda c: np.inf + 0.0 * c, var=lambda c: np.inf + 0.0 * c,
)  # fmt: skip


def _breitwigner_pdf(y, rho):
    most = np.sqrt(2.0 * (1.0 + 1.0 / rho**2) / (1.0 + np.sqrt(1.0 + 1.0 / rho**2))) * 2.0 / np.pi
    return most / (((y - rho) * (y + rho) / rho) ** 2 + 1.0)


REL_BREITWIGNER = Family("rho", positive, zero, logpdf=lambda y, rho: np.log(_breitwigner_pdf(y, rho)), pdf=_breitwigner_pdf)

TAILS = {
    "genextreme": GENEXTREME, "gompertz": GOMPERTZ, "genlogistic": GENLOGISTIC, "halflogistic": HALFLOGISTIC, "genhalflogistic": GENHALFLOGISTIC, "invweibull": INVWEIBULL, "burr": BURR, "mielke": MIELKE,
    "kappa3": KAPPA3, "exponpow": EXPONPOW, "genexpon": GENEXPON, "truncpareto": TRUNCPARETO, "truncweibull_min": TRUNCWEIBULL_MIN, "bradford": BRADFORD, "trapezoid": TRAPEZOID, "dweibull": DWEIBULL,
    "loglaplace": LOGLAPLACE, "skewcauchy": SKEWCAUCHY, "foldcauchy": FOLDCAUCHY, "rel_breitwigner": REL_BREITWIGNER,
}  # fmt: skip
"""By SciPy's name."""
