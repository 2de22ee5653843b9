"""scipy.stats: distribution functions of counts, their complements, logarithms and, where they are formulas, inverses and entropies."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.distributions import _held, _real
from s2s.transforms.read.composed.family import is_chance, is_rate


def _steps(value, k, low, high, valid, below=0.0, above=1.0):
    """The value from `low` on and below `high`, and what it is outside."""
    inside = np.where(k >= high, above, np.where(k >= low, value, below))
    return np.where(valid & ~np.isnan(k), inside, np.nan)[()]


def _place(k, low, high):
    """The count at or below k; where that is none, one at which no derivative is infinite."""
    return np.where((k >= low) & (k < high), np.floor(k), low)


# ---- Poisson ---------------------------------------------------------------------------------------------------------------


def poisson_cdf(k, mu, loc=0):
    """scipy.stats.poisson.cdf."""
    import scipy.special as sp

    k, valid = _real(k) - loc, np.greater_equal(mu, 0)
    return _steps(sp.gammaincc(_place(k, 0.0, np.inf) + 1.0, _held(mu, valid)), k, 0.0, np.inf, valid)


def poisson_sf(k, mu, loc=0):
    """scipy.stats.poisson.sf."""
    import scipy.special as sp

    k, valid = _real(k) - loc, np.greater_equal(mu, 0)
    return _steps(sp.gammainc(_place(k, 0.0, np.inf) + 1.0, _held(mu, valid)), k, 0.0, np.inf, valid, 1.0, 0.0)


def poisson_logcdf(k, mu, loc=0):
    """scipy.stats.poisson.logcdf."""
    return np.log(poisson_cdf(k, mu, loc))


def poisson_logsf(k, mu, loc=0):
    """scipy.stats.poisson.logsf."""
    return np.log(poisson_sf(k, mu, loc))


# ---- binomial, Bernoulli ---------------------------------------------------------------------------------------------------


def binom_cdf(k, n, p, loc=0):
    """scipy.stats.binom.cdf."""
    import scipy.special as sp

    k, valid = _real(k) - loc, _are_trials(n, p)
    place = _place(k, 0.0, n)
    return _steps(sp.betaincc(place + 1.0, _held(n - place, valid & (place < n)), _held(p, valid)), k, 0.0, n, valid)


def binom_sf(k, n, p, loc=0):
    """scipy.stats.binom.sf."""
    import scipy.special as sp

    k, valid = _real(k) - loc, _are_trials(n, p)
    place = _place(k, 0.0, n)
    return _steps(sp.betainc(place + 1.0, _held(n - place, valid & (place < n)), _held(p, valid)), k, 0.0, n, valid, 1.0, 0.0)


def _are_trials(n, p):
    return np.greater_equal(n, 0) & (np.floor(n) == n) & np.greater_equal(p, 0) & np.less_equal(p, 1)


def binom_logcdf(k, n, p, loc=0):
    """scipy.stats.binom.logcdf."""
    return np.where(_real(k) - loc >= n, 0.0, np.log(binom_cdf(k, n, p, loc)))[()]  # of a p that is no chance, too


def binom_logsf(k, n, p, loc=0):
    """scipy.stats.binom.logsf."""
    return np.log(binom_sf(k, n, p, loc))


def bernoulli_cdf(k, p, loc=0):
    """scipy.stats.bernoulli.cdf."""
    k, valid = _real(k) - loc, is_chance(p)
    return _steps(1.0 - _real(p), k, 0.0, 1.0, valid)


def bernoulli_sf(k, p, loc=0):
    """scipy.stats.bernoulli.sf."""
    k, valid = _real(k) - loc, is_chance(p)
    return _steps(_real(p), k, 0.0, 1.0, valid, 1.0, 0.0)


def bernoulli_logcdf(k, p, loc=0):
    """scipy.stats.bernoulli.logcdf."""
    return np.where(_real(k) - loc >= 1, 0.0, np.log(bernoulli_cdf(k, p, loc)))[()]  # of a p that is no chance, too


def bernoulli_ppf(q, p, loc=0):
    """scipy.stats.bernoulli.ppf."""
    q, valid = _real(q), is_chance(p)
    found = np.where(q == 0, -1.0, np.where(q == 1, 1.0, np.where(q <= 1.0 - p, 0.0, 1.0)))
    return np.where(valid & (q >= 0) & (q <= 1), found + loc, np.nan)[()]


def bernoulli_entropy(p, loc=0):
    """scipy.stats.bernoulli.entropy."""
    import scipy.special as sp

    valid = is_chance(p)
    held = _held(_real(p), valid)
    return np.where(valid & ~np.isnan(loc), sp.entr(held) + sp.entr(1.0 - held), np.nan)[()]


# ---- geometric ------------------------------------------------------------------------------------------------------------------


def geom_cdf(k, p, loc=0):
    """scipy.stats.geom.cdf."""
    k, valid = _real(k) - loc, is_rate(p)
    return _steps(-np.expm1(np.log1p(-_held(p, valid)) * _place(k, 1.0, np.inf)), k, 1.0, np.inf, valid)


def geom_logsf(k, p, loc=0):
    """scipy.stats.geom.logsf."""
    k, valid = _real(k) - loc, is_rate(p)
    return _steps(_place(k, 1.0, np.inf) * np.log1p(-_held(p, valid)), k, 1.0, np.inf, valid, 0.0, -np.inf)


def geom_sf(k, p, loc=0):
    """scipy.stats.geom.sf."""
    return np.exp(geom_logsf(k, p, loc))


def geom_logcdf(k, p, loc=0):
    """scipy.stats.geom.logcdf."""
    return np.log(geom_cdf(k, p, loc))


def geom_entropy(p, loc=0):
    """scipy.stats.geom.entropy."""
    valid = is_rate(p)
    held = _held(_real(p), valid)
    return np.where(valid & ~np.isnan(loc), -np.log(held) - np.log1p(-held) * (1.0 - held) / held, np.nan)[()]


FUNCTIONS = (
    poisson_cdf, poisson_sf, poisson_logcdf, poisson_logsf, binom_cdf, binom_sf, binom_logcdf, binom_logsf, bernoulli_cdf, bernoulli_sf, bernoulli_logcdf,
    bernoulli_ppf, bernoulli_entropy, geom_cdf, geom_sf, geom_logcdf, geom_logsf, geom_entropy,
)  # fmt: skip
