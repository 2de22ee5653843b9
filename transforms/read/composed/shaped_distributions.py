"""scipy.stats: distribution functions of continuous distributions that have shapes, their complements, logarithms and inverses, and entropies."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.distribution_functions import _chance, _entropy, _inside, _quantile, _rising
from s2s.transforms.read.composed.distributions import _held, _log_of_part, _real, _standard

# ---- lognorm ----------------------------------------------------------------------------------------------------------


def lognorm_cdf(x, s, loc=0, scale=1):
    """scipy.stats.lognorm.cdf."""
    import scipy.special as sp

    valid = np.greater(s, 0)
    s = _held(s, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.ndtr(np.log(y) / s), points, scale, 0.0, np.inf, 0.0, 1.0, valid)


def lognorm_logcdf(x, s, loc=0, scale=1):
    """scipy.stats.lognorm.logcdf."""
    import scipy.special as sp

    valid = np.greater(s, 0)
    s = _held(s, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.log_ndtr(np.log(y) / s), points, scale, 0.0, np.inf, -np.inf, 0.0, valid)


def lognorm_sf(x, s, loc=0, scale=1):
    """scipy.stats.lognorm.sf."""
    import scipy.special as sp

    valid = np.greater(s, 0)
    s = _held(s, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.ndtr(-np.log(y) / s), points, scale, 0.0, np.inf, 1.0, 0.0, valid)


def lognorm_logsf(x, s, loc=0, scale=1):
    """scipy.stats.lognorm.logsf."""
    import scipy.special as sp

    valid = np.greater(s, 0)
    s = _held(s, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.log_ndtr(-np.log(y) / s), points, scale, 0.0, np.inf, 0.0, -np.inf, valid)


def lognorm_ppf(q, s, loc=0, scale=1):
    """scipy.stats.lognorm.ppf."""
    import scipy.special as sp

    valid = np.greater(s, 0)
    s = _held(s, valid)
    chances = _real(q)
    q = _chance(chances)
    return _quantile(np.exp(s * sp.ndtri(q)), chances, loc, scale, 0.0, np.inf, valid)


def lognorm_entropy(s, loc=0, scale=1):
    """scipy.stats.lognorm.entropy."""
    valid = np.greater(s, 0)
    s = _held(s, valid)
    return _entropy(0.5 * (1.0 + np.log(2 * np.pi) + 2.0 * np.log(s)), scale, loc, valid)


# ---- gamma ------------------------------------------------------------------------------------------------------------


def gamma_cdf(x, a, loc=0, scale=1):
    """scipy.stats.gamma.cdf."""
    import scipy.special as sp

    valid = np.greater(a, 0)
    a = _held(a, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.gammainc(a, y), points, scale, 0.0, np.inf, 0.0, 1.0, valid)


def gamma_logcdf(x, a, loc=0, scale=1):
    """scipy.stats.gamma.logcdf."""
    import scipy.special as sp

    valid = np.greater(a, 0)
    a = _held(a, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(_log_of_part(sp.gammainc(a, y), sp.gammaincc(a, y)), points, scale, 0.0, np.inf, -np.inf, 0.0, valid)


def gamma_sf(x, a, loc=0, scale=1):
    """scipy.stats.gamma.sf."""
    import scipy.special as sp

    valid = np.greater(a, 0)
    a = _held(a, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.gammaincc(a, y), points, scale, 0.0, np.inf, 1.0, 0.0, valid)


def gamma_logsf(x, a, loc=0, scale=1):
    """scipy.stats.gamma.logsf."""
    import scipy.special as sp

    valid = np.greater(a, 0)
    a = _held(a, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(_log_of_part(sp.gammaincc(a, y), sp.gammainc(a, y)), points, scale, 0.0, np.inf, 0.0, -np.inf, valid)


def gamma_ppf(q, a, loc=0, scale=1):
    """scipy.stats.gamma.ppf."""
    import scipy.special as sp

    valid = np.greater(a, 0)
    a = _held(a, valid)
    chances = _real(q)
    q = _chance(chances)
    return _quantile(sp.gammaincinv(a, q), chances, loc, scale, 0.0, np.inf, valid)


def gamma_entropy(a, loc=0, scale=1):
    """scipy.stats.gamma.entropy."""
    import scipy.special as sp

    valid = np.greater(a, 0)
    a = _held(a, valid)
    regular = sp.psi(a) * (1.0 - a) + a + sp.gammaln(a)
    large = 0.5 * (1.0 + np.log(2 * np.pi) + np.log(a)) - 1.0 / (3.0 * a) - a**-2.0 / 12.0 - a**-3.0 / 90.0 + a**-4.0 / 120.0
    return _entropy(np.where(a < 250, regular, large), scale, loc, valid)


# ---- chi2 -------------------------------------------------------------------------------------------------------------


def chi2_cdf(x, df, loc=0, scale=1):
    """scipy.stats.chi2.cdf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.gammainc(df / 2, y / 2), points, scale, 0.0, np.inf, 0.0, 1.0, valid)


def chi2_logcdf(x, df, loc=0, scale=1):
    """scipy.stats.chi2.logcdf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(_log_of_part(sp.gammainc(df / 2, y / 2), sp.gammaincc(df / 2, y / 2)), points, scale, 0.0, np.inf, -np.inf, 0.0, valid)


def chi2_sf(x, df, loc=0, scale=1):
    """scipy.stats.chi2.sf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(sp.gammaincc(df / 2, y / 2), points, scale, 0.0, np.inf, 1.0, 0.0, valid)


def chi2_logsf(x, df, loc=0, scale=1):
    """scipy.stats.chi2.logsf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(_log_of_part(sp.gammaincc(df / 2, y / 2), sp.gammainc(df / 2, y / 2)), points, scale, 0.0, np.inf, 0.0, -np.inf, valid)


def chi2_ppf(q, df, loc=0, scale=1):
    """scipy.stats.chi2.ppf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    chances = _real(q)
    q = _chance(chances)
    return _quantile(2 * sp.gammaincinv(df / 2, q), chances, loc, scale, 0.0, np.inf, valid)


def chi2_entropy(df, loc=0, scale=1):
    """scipy.stats.chi2.entropy."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    half, h = 0.5 * df, 1.0 / df
    regular = half + np.log(2.0) + sp.gammaln(half) + (1.0 - half) * sp.psi(half)
    large = h * (-2.0 / 3.0 + h * (-1.0 / 3.0 + h * (-4.0 / 45.0 + h / 7.5))) + 0.5 * np.log(half) + np.log(2.0) + 0.5 * (1.0 + np.log(2 * np.pi))
    return _entropy(np.where(half < 125, regular, large), scale, loc, valid)


# ---- beta -------------------------------------------------------------------------------------------------------------


def beta_cdf(x, a, b, loc=0, scale=1):
    """scipy.stats.beta.cdf."""
    import scipy.special as sp

    valid = np.greater(a, 0) & np.greater(b, 0)
    a = _held(a, valid)
    b = _held(b, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(sp.betainc(a, b, y), points, scale, 0.0, 1.0, 0.0, 1.0, valid)


def beta_logcdf(x, a, b, loc=0, scale=1):
    """scipy.stats.beta.logcdf."""
    import scipy.special as sp

    valid = np.greater(a, 0) & np.greater(b, 0)
    a = _held(a, valid)
    b = _held(b, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(_log_of_part(sp.betainc(a, b, y), sp.betaincc(a, b, y)), points, scale, 0.0, 1.0, -np.inf, 0.0, valid)


def beta_sf(x, a, b, loc=0, scale=1):
    """scipy.stats.beta.sf."""
    import scipy.special as sp

    valid = np.greater(a, 0) & np.greater(b, 0)
    a = _held(a, valid)
    b = _held(b, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(sp.betaincc(a, b, y), points, scale, 0.0, 1.0, 1.0, 0.0, valid)


def beta_logsf(x, a, b, loc=0, scale=1):
    """scipy.stats.beta.logsf."""
    import scipy.special as sp

    valid = np.greater(a, 0) & np.greater(b, 0)
    a = _held(a, valid)
    b = _held(b, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(_log_of_part(sp.betaincc(a, b, y), sp.betainc(a, b, y)), points, scale, 0.0, 1.0, 0.0, -np.inf, valid)


def beta_ppf(q, a, b, loc=0, scale=1):
    """scipy.stats.beta.ppf."""
    import scipy.special as sp

    valid = np.greater(a, 0) & np.greater(b, 0)
    a = _held(a, valid)
    b = _held(b, valid)
    chances = _real(q)
    q = _chance(chances)
    return _quantile(sp.betaincinv(a, b, q), chances, loc, scale, 0.0, 1.0, valid)


def beta_entropy(a, b, loc=0, scale=1):
    """scipy.stats.beta.entropy."""
    import scipy.special as sp

    valid = np.greater(a, 0) & np.greater(b, 0)
    a = _held(a, valid)
    b = _held(b, valid)
    return _entropy(sp.betaln(a, b) - (a - 1.0) * sp.psi(a) - (b - 1.0) * sp.psi(b) + (a + b - 2.0) * sp.psi(a + b), scale, loc, valid)


# ---- t ----------------------------------------------------------------------------------------------------------------


def t_cdf(x, df, loc=0, scale=1):
    """scipy.stats.t.cdf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.stdtr(df, y), points, scale, -np.inf, np.inf, 0.0, 1.0, valid)


def t_logcdf(x, df, loc=0, scale=1):
    """scipy.stats.t.logcdf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(_log_of_part(sp.stdtr(df, y), sp.stdtr(df, -y)), points, scale, -np.inf, np.inf, -np.inf, 0.0, valid)


def t_sf(x, df, loc=0, scale=1):
    """scipy.stats.t.sf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.stdtr(df, -y), points, scale, -np.inf, np.inf, 1.0, 0.0, valid)


def t_logsf(x, df, loc=0, scale=1):
    """scipy.stats.t.logsf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(_log_of_part(sp.stdtr(df, -y), sp.stdtr(df, y)), points, scale, -np.inf, np.inf, 0.0, -np.inf, valid)


def t_ppf(q, df, loc=0, scale=1):
    """scipy.stats.t.ppf."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    chances = _real(q)
    q = _chance(chances)
    return _quantile(sp.stdtrit(df, q), chances, loc, scale, -np.inf, np.inf, valid)


def t_entropy(df, loc=0, scale=1):
    """scipy.stats.t.entropy."""
    import scipy.special as sp

    valid = np.greater(df, 0)
    df = _held(df, valid)
    half = df / 2.0
    regular = (half + 0.5) * (sp.digamma(half + 0.5) - sp.digamma(half)) + 0.5 * np.log(df) + sp.betaln(half, 0.5)
    series = df**-2.0 / 4.0 - df**-3.0 / 6.0 - df**-4.0 / 8.0 + 0.3 * df**-5.0 + df**-6.0 / 4.0
    large = 0.5 * (np.log(2 * np.pi) + 1.0) + 1.0 / df + series
    return _entropy(np.where(df < 100, regular, large), scale, loc, valid)


FUNCTIONS = (
    lognorm_cdf, lognorm_logcdf, lognorm_sf, lognorm_logsf, lognorm_ppf, lognorm_entropy, gamma_cdf, gamma_logcdf, gamma_sf, gamma_logsf, gamma_ppf,
    gamma_entropy, chi2_cdf, chi2_logcdf, chi2_sf, chi2_logsf, chi2_ppf, chi2_entropy, beta_cdf, beta_logcdf, beta_sf, beta_logsf, beta_ppf,
    beta_entropy, t_cdf, t_logcdf, t_sf, t_logsf, t_ppf, t_entropy,
)  # fmt: skip
