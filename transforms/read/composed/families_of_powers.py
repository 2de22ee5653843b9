"""scipy.stats: distributions of extreme values and of powers (`families.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import EULER, Family, one, positive, where_above, zero

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
    "c", positive, zero, logpdf=_weibull_logpdf, cdf=lambda y, c: -np.expm1(-(y**c)), sf=lambda y, c: np.exp(-(y**c)), logsf=lambda y, c: -(y**c),
    ppf=lambda q, c: (-np.log1p(-q)) ** (1.0 / c), isf=lambda q, c: (-np.log(q)) ** (1.0 / c),
    entropy=lambda c: -EULER / c - np.log(c) + EULER + 1.0, mean=_weibull_mean, var=_weibull_var,
)  # fmt: skip
WEIBULL_MAX = Family(
    "c", positive, high=zero, logpdf=lambda y, c: _weibull_logpdf(-y, c), cdf=lambda y, c: np.exp(-((-y) ** c)), logcdf=lambda y, c: -((-y) ** c),
    sf=lambda y, c: -np.expm1(-((-y) ** c)), ppf=lambda q, c: -((-np.log(q)) ** (1.0 / c)), isf=lambda q, c: -((-np.log1p(-q)) ** (1.0 / c)),
    entropy=lambda c: -EULER / c - np.log(c) + EULER + 1.0, mean=lambda c: -_weibull_mean(c), var=_weibull_var,
)  # fmt: skip


def _exponweib_logpdf(y, a, c):
    import scipy.special as sp

    power = y**c
    return np.log(a) + np.log(c) + sp.xlogy(a - 1.0, -np.expm1(-power)) - power + sp.xlogy(c - 1.0, y)


EXPONWEIB = Family(
    "a, c", positive, zero, logpdf=_exponweib_logpdf, cdf=lambda y, a, c: (-np.expm1(-(y**c))) ** a, ppf=lambda q, a, c: (-np.log1p(-(q ** (1.0 / a)))) ** (1.0 / c),
    sf=lambda y, a, c: -np.expm1(a * np.log1p(-np.exp(-(y**c)))), isf=lambda q, a, c: (-np.log(-np.expm1(np.log1p(-q) / a))) ** (1.0 / c),
)  # fmt: skip

# ---- powers ------------------------------------------------------------------------------------------------------------------


def _pareto_mean(b):
    return where_above(1.0, b, lambda b: b / (b - 1.0))


def _pareto_var(b):
    return where_above(2.0, b, lambda b: b / (b - 2.0) / (b - 1.0) ** 2)


PARETO = Family(
    "b", positive, one, logpdf=lambda y, b: np.log(b) - (b + 1.0) * np.log(y), pdf=lambda y, b: b * y ** (-b - 1.0), cdf=lambda y, b: 1.0 - y**-b, sf=lambda y, b: y**-b,
    ppf=lambda q, b: (1.0 - q) ** (-1.0 / b), isf=lambda q, b: q ** (-1.0 / b), entropy=lambda b: 1.0 + 1.0 / b - np.log(b), mean=_pareto_mean, var=_pareto_var,
)  # fmt: skip
LOMAX = Family(
    "c", positive, zero, logpdf=lambda y, c: np.log(c) - (c + 1.0) * np.log1p(y), cdf=lambda y, c: -np.expm1(-c * np.log1p(y)), sf=lambda y, c: np.exp(-c * np.log1p(y)),
    logsf=lambda y, c: -c * np.log1p(y), ppf=lambda q, c: np.expm1(-np.log1p(-q) / c), isf=lambda q, c: q ** (-1.0 / c) - 1.0, entropy=lambda c: 1.0 + 1.0 / c - np.log(c),
    mean=lambda c: _pareto_mean(c) - 1.0, var=_pareto_var,
)  # fmt: skip


def _powerlaw_logpdf(y, a):
    import scipy.special as sp

    return np.where(np.equal(y, 0) & np.less(a, 1), -np.inf, np.log(a) + sp.xlogy(a - 1.0, y))  # SciPy's support is open there


POWERLAW = Family(
    "a", positive, zero, one, logpdf=_powerlaw_logpdf, cdf=lambda y, a: y**a, logcdf=lambda y, a: a * np.log(y), sf=lambda y, a: -np.expm1(a * np.log(y)),
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
    "c", np.isfinite, lambda c: np.zeros(np.shape(c)), lambda c: np.where(np.less(c, 0), -1.0 / np.where(np.less(c, 0), c, -1.0), np.inf), logpdf=_genpareto_logpdf,
    cdf=lambda y, c: -np.expm1(_genpareto_logsf(y, c)), sf=lambda y, c: np.exp(_genpareto_logsf(y, c)), logsf=_genpareto_logsf,
    ppf=lambda q, c: _genpareto_at(np.log1p(-q), c), isf=lambda q, c: _genpareto_at(np.log(q), c), entropy=lambda c: 1.0 + c,
)  # fmt: skip


def _burr12_logpdf(y, c, d):
    import scipy.special as sp

    return np.log(c) + np.log(d) + sp.xlogy(c - 1.0, y) + sp.xlog1py(-d - 1.0, y**c)


BURR12 = Family(
    "c, d", positive, zero, logpdf=_burr12_logpdf, cdf=lambda y, c, d: -np.expm1(-d * np.log1p(y**c)), sf=lambda y, c, d: np.exp(-d * np.log1p(y**c)),
    logsf=lambda y, c, d: -d * np.log1p(y**c), ppf=lambda q, c, d: np.expm1(-1.0 / d * np.log1p(-q)) ** (1.0 / c),
    isf=lambda q, c, d: np.expm1(-1.0 / d * np.log(q)) ** (1.0 / c),
)  # fmt: skip


def _fisk_logpdf(y, c):
    import scipy.special as sp

    low, high = np.minimum(y, 1.0), np.maximum(y, 1.0)
    return np.log(c) + np.where(y < 1, sp.xlogy(c - 1.0, low) - 2.0 * np.log1p(low**c), -(c + 1.0) * np.log(high) - 2.0 * np.log1p(high**-c))


FISK = Family(
    "c", positive, zero, logpdf=_fisk_logpdf, cdf=lambda y, c: 1.0 / (1.0 + y**-c),
    sf=lambda y, c: 1.0 / (1.0 + y**c), ppf=lambda q, c: (1.0 / q - 1.0) ** (-1.0 / c), isf=lambda q, c: (1.0 / q - 1.0) ** (1.0 / c), entropy=lambda c: 2.0 - np.log(c),
)  # fmt: skip
