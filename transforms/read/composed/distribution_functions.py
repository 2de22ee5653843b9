"""scipy.stats: distribution functions of continuous distributions, their complements, logarithms and inverses.

As in SciPy results are float64, nan where the scale is not positive or a shape is outside of its domain.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.distributions import _checked, _held, _log_of_part, _real, _standard


def _inside(y, low, high):
    return (y > low) & (y < high)


def _rising(value, y, scale, low, high, below, above, valid=None):
    """The value inside of the support, and what it is below and above."""
    return _checked(np.where(_inside(y, low, high), value, np.where(y >= high, above, below)), scale, y, valid)


def _quantile(value, q, loc, scale, at_zero, at_one, valid=True):
    """The point of a probability; that of 0 and of 1; nan for what is none."""
    standard = np.where((q > 0) & (q < 1), value, np.where(q == 0, at_zero, np.where(q == 1, at_one, np.nan)))
    return np.where(valid & np.greater(scale, 0), standard * scale + loc, np.nan)[()]


def _chance(q):
    """A probability strictly between 0 and 1; where it is none, one at which no derivative is infinite."""
    return _held(q, (q > 0) & (q < 1))


def _entropy(value, scale, loc, valid=True):
    """The entropy of the standard distribution, scaled."""
    return np.where(valid & np.greater(scale, 0) & ~np.isnan(np.asarray(loc, dtype=np.float64)), value + np.log(_held(scale, np.greater(scale, 0))), np.nan)[()]


# ---- norm -------------------------------------------------------------------------------------------------------------


def norm_logcdf(x, loc=0, scale=1):
    """scipy.stats.norm.logcdf."""
    import scipy.special as sp

    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.log_ndtr(y), points, scale, -np.inf, np.inf, -np.inf, 0.0)


def norm_logsf(x, loc=0, scale=1):
    """scipy.stats.norm.logsf."""
    import scipy.special as sp

    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.log_ndtr(-y), points, scale, -np.inf, np.inf, 0.0, -np.inf)


def norm_ppf(q, loc=0, scale=1):
    """scipy.stats.norm.ppf."""
    import scipy.special as sp

    chances = _real(q)
    q = _chance(chances)
    return _quantile(sp.ndtri(q), chances, loc, scale, -np.inf, np.inf)


def norm_entropy(loc=0, scale=1):
    """scipy.stats.norm.entropy."""
    return _entropy(0.5 * (np.log(2 * np.pi) + 1.0), scale, loc)


# ---- expon ------------------------------------------------------------------------------------------------------------


def expon_logcdf(x, loc=0, scale=1):
    """scipy.stats.expon.logcdf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(_log_of_part(-np.expm1(-y), np.exp(-y)), points, scale, 0.0, np.inf, -np.inf, 0.0)


def expon_logsf(x, loc=0, scale=1):
    """scipy.stats.expon.logsf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, np.inf))
    return _rising(-y, points, scale, 0.0, np.inf, 0.0, -np.inf)


def expon_ppf(q, loc=0, scale=1):
    """scipy.stats.expon.ppf."""
    chances = _real(q)
    q = _chance(chances)
    return _quantile(-np.log1p(-q), chances, loc, scale, 0.0, np.inf)


def expon_entropy(loc=0, scale=1):
    """scipy.stats.expon.entropy."""
    return _entropy(1.0, scale, loc)


# ---- laplace ----------------------------------------------------------------------------------------------------------


def laplace_logcdf(x, loc=0, scale=1):
    """scipy.stats.laplace.logcdf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(np.where(y > 0, np.log1p(-0.5 * np.exp(-np.abs(y))), y - np.log(2.0)), points, scale, -np.inf, np.inf, -np.inf, 0.0)


def laplace_sf(x, loc=0, scale=1):
    """scipy.stats.laplace.sf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(np.where(y > 0, 0.5 * np.exp(-np.abs(y)), 1.0 - 0.5 * np.exp(-np.abs(y))), points, scale, -np.inf, np.inf, 1.0, 0.0)


def laplace_logsf(x, loc=0, scale=1):
    """scipy.stats.laplace.logsf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(np.where(y > 0, -y - np.log(2.0), np.log1p(-0.5 * np.exp(-np.abs(y)))), points, scale, -np.inf, np.inf, 0.0, -np.inf)


def laplace_ppf(q, loc=0, scale=1):
    """scipy.stats.laplace.ppf."""
    chances = _real(q)
    q = _chance(chances)
    return _quantile(np.where(q > 0.5, -np.log(2.0 * (1.0 - q)), np.log(2.0 * q)), chances, loc, scale, -np.inf, np.inf)


def laplace_entropy(loc=0, scale=1):
    """scipy.stats.laplace.entropy."""
    return _entropy(np.log(2.0) + 1.0, scale, loc)


# ---- logistic ---------------------------------------------------------------------------------------------------------


def logistic_logcdf(x, loc=0, scale=1):
    """scipy.stats.logistic.logcdf."""
    import scipy.special as sp

    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.log_expit(y), points, scale, -np.inf, np.inf, -np.inf, 0.0)


def logistic_sf(x, loc=0, scale=1):
    """scipy.stats.logistic.sf."""
    import scipy.special as sp

    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.expit(-y), points, scale, -np.inf, np.inf, 1.0, 0.0)


def logistic_logsf(x, loc=0, scale=1):
    """scipy.stats.logistic.logsf."""
    import scipy.special as sp

    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(sp.log_expit(-y), points, scale, -np.inf, np.inf, 0.0, -np.inf)


def logistic_ppf(q, loc=0, scale=1):
    """scipy.stats.logistic.ppf."""
    import scipy.special as sp

    chances = _real(q)
    q = _chance(chances)
    return _quantile(sp.logit(q), chances, loc, scale, -np.inf, np.inf)


def logistic_entropy(loc=0, scale=1):
    """scipy.stats.logistic.entropy."""
    return _entropy(2.0, scale, loc)


# ---- cauchy -----------------------------------------------------------------------------------------------------------


def cauchy_logcdf(x, loc=0, scale=1):
    """scipy.stats.cauchy.logcdf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(_log_of_part(np.arctan2(1.0, -y) / np.pi, np.arctan2(1.0, y) / np.pi), points, scale, -np.inf, np.inf, -np.inf, 0.0)


def cauchy_sf(x, loc=0, scale=1):
    """scipy.stats.cauchy.sf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(np.arctan2(1.0, y) / np.pi, points, scale, -np.inf, np.inf, 1.0, 0.0)


def cauchy_logsf(x, loc=0, scale=1):
    """scipy.stats.cauchy.logsf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, -np.inf, np.inf))
    return _rising(_log_of_part(np.arctan2(1.0, y) / np.pi, np.arctan2(1.0, -y) / np.pi), points, scale, -np.inf, np.inf, 0.0, -np.inf)


def cauchy_ppf(q, loc=0, scale=1):
    """scipy.stats.cauchy.ppf."""
    chances = _real(q)
    q = _chance(chances)
    outer = 1.0 / np.tan(np.pi * np.minimum(q, 1.0 - q))
    found = np.where(q < 0.25, -outer, np.where(q > 0.75, outer, np.tan(np.pi * (q - 0.5))))
    return _quantile(found, chances, loc, scale, -np.inf, np.inf)


def cauchy_entropy(loc=0, scale=1):
    """scipy.stats.cauchy.entropy."""
    return _entropy(np.log(4 * np.pi), scale, loc)


# ---- uniform ----------------------------------------------------------------------------------------------------------


def uniform_logcdf(x, loc=0, scale=1):
    """scipy.stats.uniform.logcdf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(np.log(y), points, scale, 0.0, 1.0, -np.inf, 0.0)


def uniform_sf(x, loc=0, scale=1):
    """scipy.stats.uniform.sf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(1.0 - y, points, scale, 0.0, 1.0, 1.0, 0.0)


def uniform_logsf(x, loc=0, scale=1):
    """scipy.stats.uniform.logsf."""
    points = _standard(x, loc, scale)
    y = _held(points, _inside(points, 0.0, 1.0))
    return _rising(np.log1p(-y), points, scale, 0.0, 1.0, 0.0, -np.inf)


def uniform_ppf(q, loc=0, scale=1):
    """scipy.stats.uniform.ppf."""
    chances = _real(q)
    q = _chance(chances)
    return _quantile(q, chances, loc, scale, 0.0, 1.0)


def uniform_entropy(loc=0, scale=1):
    """scipy.stats.uniform.entropy."""
    return _entropy(0.0, scale, loc)


FUNCTIONS = (
    norm_logcdf, norm_logsf, norm_ppf, norm_entropy, expon_logcdf, expon_logsf, expon_ppf, expon_entropy, laplace_logcdf, laplace_sf, laplace_logsf,
    laplace_ppf, laplace_entropy, logistic_logcdf, logistic_sf, logistic_logsf, logistic_ppf, logistic_entropy, cauchy_logcdf, cauchy_sf,
    cauchy_logsf, cauchy_ppf, cauchy_entropy, uniform_logcdf, uniform_sf, uniform_logsf, uniform_ppf, uniform_entropy,
)  # fmt: skip
