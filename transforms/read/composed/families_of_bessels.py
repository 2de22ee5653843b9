"""scipy.stats: distributions with Bessel and confluent hypergeometric functions, of squares that are not centred, and Kolmogorov's (`families.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import LOG_ROOT_2PI, Family, where_above, zero
from s2s.transforms.read.composed.special_by_name import chndtr, k1e, kve

# ---- of inverse Gaussian ones ---------------------------------------------------------------------------------------------------------


def _norminvgauss_logpdf(y, a, b):
    held = np.where(np.isfinite(y), y, 0.0)
    root = np.hypot(1.0, held)
    return np.where(np.isinf(y), -np.inf, np.log(a / np.pi) + np.log(k1e(a * root)) + b * held - a * root + np.sqrt(a * a - b * b) - np.log(root))


NORMINVGAUSS = Family(
    "a, b", lambda a, b: np.greater(a, 0) & np.less(np.abs(b), a), logpdf=_norminvgauss_logpdf, mean=lambda a, b: b / np.sqrt(a * a - b * b), var=lambda a, b: a * a / np.sqrt(a * a - b * b) ** 3,
)


def _ratio(p, b, more):
    return kve(p + more, b) / kve(p, b)


GENINVGAUSS = Family(
    "p, b", lambda p, b: np.equal(p, p) & np.greater(b, 0), zero, logpdf=lambda y, p, b: (p - 1.0) * np.log(y) - b * (y + 1.0 / y) / 2.0 - np.log(2.0) - np.log(kve(p, b)) + b,
    mean=lambda p, b: _ratio(p, b, 1.0), var=lambda p, b: _ratio(p, b, 2.0) - _ratio(p, b, 1.0) ** 2, open=True,
)  # fmt: skip


def _genhyperbolic_logpdf(y, p, a, b):
    held = np.where(np.isfinite(y), y, 0.0)
    spread, root = np.sqrt(a * a - b * b), np.hypot(1.0, held)
    first = p * np.log(spread) - LOG_ROOT_2PI - (p - 0.5) * np.log(a) - np.log(kve(p, spread)) + spread
    return np.where(np.isinf(y), -np.inf, first + np.log(kve(p - 0.5, a * root)) - a * root + (p - 0.5) * np.log(root) + b * held)


def _genhyperbolic_mean(p, a, b):
    spread = np.sqrt(a * a - b * b)
    return b / spread * _ratio(p, spread, 1.0)


def _genhyperbolic_var(p, a, b):
    spread = np.sqrt(a * a - b * b)
    one, two = _ratio(p, spread, 1.0), _ratio(p, spread, 2.0)
    return one / spread + (b / spread) ** 2 * (two - one**2)


GENHYPERBOLIC = Family(
    "p, a, b", lambda p, a, b: np.less(np.abs(b), a) & np.equal(p, p), logpdf=_genhyperbolic_logpdf, mean=_genhyperbolic_mean, var=_genhyperbolic_var,
)

# ---- not centred ------------------------------------------------------------------------------------------------------------------------


def _ncx2_logpdf(y, df, nc):
    import scipy.special as sp

    order, centred = df / 2.0 - 1.0, np.equal(nc, 0)
    far = np.where(centred, 1.0, nc)
    root, off = np.sqrt(y), np.sqrt(far)
    found = sp.xlogy(order / 2.0, y / far) - 0.5 * (root - off) ** 2 + np.log(sp.ive(order, root * off) / 2.0)
    return np.where(centred, sp.xlogy(order, y) - 0.5 * y - sp.gammaln(df / 2.0) - np.log(2.0) * df / 2.0, found)


def _mixed(part, half, least):
    """What part(k) is on average where k is Poisson's: so many terms at least, then until they add nothing."""
    import scipy.special as sp

    k, total = 0.0, np.exp(-half) * part(0.0)
    term, last = total, np.inf * np.ones_like(total)
    while np.any((k < least) | (term > 1e-17 * total) | (term > last)):
        k += 1.0
        last = term
        term = np.exp(sp.xlogy(k, half) - half - sp.gammaln(k + 1.0)) * part(k)
        total = total + term
    return total


def _ncx2_sf(y, df, nc):
    """Beyond the middle a sum of chi squares' tails: what is left of the distribution function has no digits there."""
    import scipy.special as sp

    below, half = chndtr(y, df, nc), nc / 2.0
    far = below > 0.5
    held = np.where(far, y, df + nc)
    return np.where(far, _mixed(lambda k: sp.gammaincc(df / 2.0 + k, held / 2.0), half, half + np.sqrt(half * held / 2.0)), 1.0 - below)


NCX2 = Family(
    "df, nc", lambda df, nc: np.greater(df, 0) & np.isfinite(df) & np.greater_equal(nc, 0), zero, logpdf=_ncx2_logpdf, cdf=chndtr, sf=_ncx2_sf, mean=lambda df, nc: df + nc,
    var=lambda df, nc: 2.0 * df + 4.0 * nc, open=True,
)  # fmt: skip


def _ncf_cdf(y, dfn, dfd, nc):
    import scipy.special as sp

    return sp.ncfdtr(dfn, dfd, nc, y)


def _ncf_sf(y, dfn, dfd, nc):
    """Beyond the middle a sum of beta distributions' tails."""
    import scipy.special as sp

    below, half = _ncf_cdf(y, dfn, dfd, nc), nc / 2.0
    far = below > 0.5
    held = np.where(far, y, 1.0)
    return np.where(far, _mixed(lambda k: sp.betainc(dfd / 2.0, dfn / 2.0 + k, dfd / (dfd + dfn * held)), half, 2.0 * half), 1.0 - below)


def _ncf_logpdf(y, dfn, dfd, nc):
    import scipy.special as sp

    first, second = dfn / 2.0, dfd / 2.0
    nc = np.where(np.isinf(nc), np.nan, nc)  # of which hyp1f1 finds no end
    ratio = dfn * y / (dfd + dfn * y)
    scale = -nc / 2.0 + first * np.log(dfn / dfd) + (first - 1.0) * np.log(y) - sp.betaln(first, second) - (first + second) * np.log1p(dfn * y / dfd)
    return scale + np.log(sp.hyp1f1(first + second, first, nc / 2.0 * ratio))


NCF = Family(
    "dfn, dfd, nc", lambda dfn, dfd, nc: np.greater(dfn, 0) & np.greater(dfd, 0) & np.greater_equal(nc, 0), zero, logpdf=_ncf_logpdf, cdf=_ncf_cdf, sf=_ncf_sf,
    mean=lambda dfn, dfd, nc: where_above(2.0, dfd, lambda dfd: dfd * (dfn + nc) / (dfn * (dfd - 2.0))),
    var=lambda dfn, dfd, nc: where_above(4.0, dfd, lambda dfd: 2.0 * (dfd / dfn) ** 2 * ((dfn + nc) ** 2 + (dfn + 2.0 * nc) * (dfd - 2.0)) / ((dfd - 2.0) ** 2 * (dfd - 4.0))), open=True,
)  # fmt: skip

# ---- Kolmogorov's -------------------------------------------------------------------------------------------------------------------------


def _small_sum(y, weight):
    """Of the series for small numbers, in powers of exp(-(pi / y)**2)."""
    held = np.where((y > 0) & (y < 1), y, 1.0)
    return np.sqrt(2.0 * np.pi) * sum([weight(k, held) * np.exp(-((2 * k - 1) ** 2) * np.pi**2 / (8.0 * held * held)) for k in range(1, 5)])


def _large_sum(y, weight):
    """Of the series for large numbers, in powers of exp(-y * y)."""
    held = np.where(y < 1, 1.0, y)
    return sum([(-1.0) ** (k - 1) * weight(k, held) * np.exp(-2.0 * k * k * held * held) for k in range(1, 7)])


def _kstwobign_cdf(y):
    return np.where(y < 1, _small_sum(y, lambda k, y: 1.0 / y), 1.0 - _large_sum(y, lambda k, y: 2.0))


def _kstwobign_sf(y):
    return np.where(y < 1, 1.0 - _small_sum(y, lambda k, y: 1.0 / y), _large_sum(y, lambda k, y: 2.0))


def _kstwobign_pdf(y):
    return np.where(y < 1, _small_sum(y, lambda k, y: ((2 * k - 1) ** 2 * np.pi**2 / (4.0 * y * y) - 1.0) / (y * y)), _large_sum(y, lambda k, y: 8.0 * k * k * y))


KSTWOBIGN = Family(
    low=zero, pdf=_kstwobign_pdf, logpdf=lambda y: np.log(_kstwobign_pdf(y)), cdf=_kstwobign_cdf, sf=_kstwobign_sf,
    logcdf=lambda y: np.where(y < 1, np.log(np.where(y < 1, _kstwobign_cdf(y), 1.0)), np.log1p(-np.where(y < 1, 0.0, _kstwobign_sf(y)))),
    logsf=lambda y: np.where(y < 1, np.log1p(-np.where(y < 1, _kstwobign_cdf(y), 0.0)), np.log(np.where(y < 1, 1.0, _kstwobign_sf(y)))), open=True,
)  # fmt: skip

# ---- Tukey's lambda -----------------------------------------------------------------------------------------------------------------------


def _tukeylambda_low(lam):
    held = np.where(np.greater(lam, 0), lam, 1.0)
    return np.where(np.greater(lam, 0), -1.0 / held, -np.inf)


def _tukeylambda_ppf(q, lam):
    import scipy.special as sp

    return sp.boxcox(q, lam) - sp.boxcox1p(-q, lam)


def _tukeylambda_cdf(y, lam):
    import scipy.special as sp

    return sp.tklmbda(y, lam)


def _tukeylambda_pdf(y, lam):
    chance = _tukeylambda_cdf(y, lam)
    return 1.0 / (chance ** (lam - 1.0) + (1.0 - chance) ** (lam - 1.0))


TUKEYLAMBDA = Family(
    "lam", np.isfinite, _tukeylambda_low, lambda lam: -_tukeylambda_low(lam), pdf=_tukeylambda_pdf, logpdf=lambda y, lam: np.log(_tukeylambda_pdf(y, lam)), cdf=_tukeylambda_cdf,
    sf=lambda y, lam: 1.0 - _tukeylambda_cdf(y, lam), ppf=_tukeylambda_ppf, open=True,
)  # fmt: skip

OF_BESSELS = {
    "norminvgauss": NORMINVGAUSS, "geninvgauss": GENINVGAUSS, "genhyperbolic": GENHYPERBOLIC, "ncx2": NCX2, "ncf": NCF, "kstwobign": KSTWOBIGN, "tukeylambda": TUKEYLAMBDA,
}  # fmt: skip
"""By SciPy's name."""
