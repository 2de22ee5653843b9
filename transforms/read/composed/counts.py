"""scipy.stats: distributions of counts by their formulas, each stated once for location 0, and the methods that follow from them.

Formulas get counts within the support, the shapes behind them, all of them valid.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.distributions import _real
from s2s.transforms.read.composed.families_of_counts import FURTHER
from s2s.transforms.read.composed.family import Counts, is_chance, is_count, is_rate, minus_infinity, one, outside_of, positive
from s2s.transforms.read.composed.saddle_points import log_binomial
from s2s.transforms.read.composed.special_by_name import betainc

# ---- binomial ones -----------------------------------------------------------------------------------------------------------


def _nbinom_logpmf(k, n, p):
    return np.log(n / (n + k)) + log_binomial(n, n + k, p, 1.0 - p)


NBINOM = Counts(
    "n, p", lambda n, p: np.greater(n, 0) & is_rate(p), logpmf=_nbinom_logpmf, cdf=lambda k, n, p: betainc(n, k + 1.0, p), sf=lambda k, n, p: betainc(k + 1.0, n, 1.0 - p),
    own_isf=True, mean=lambda n, p: n * (1.0 - p) / p, var=lambda n, p: n * (1.0 - p) / (p * p), example=(2.0, 0.5),
)  # fmt: skip


def _betabinom_logpmf(k, n, a, b):
    import scipy.special as sp

    return -np.log(n + 1.0) - sp.betaln(n - k + 1.0, k + 1.0) + sp.betaln(k + a, n - k + b) - sp.betaln(a, b)


BETABINOM = Counts(
    "n, a, b", lambda n, a, b: is_count(n) & np.greater(a, 0) & np.greater(b, 0), high=lambda n, a, b: n, logpmf=_betabinom_logpmf, mean=lambda n, a, b: n * a / (a + b),
    var=lambda n, a, b: n * (a / (a + b)) * (1.0 - a / (a + b)) * (a + b + n) / (a + b + 1.0), example=(2.0, 1.5, 1.5),
)  # fmt: skip


def _hypergeom_logpmf(k, M, n, N):
    drawn, left = N / M, (M - N) / M
    return log_binomial(k, n, drawn, left) + log_binomial(N - k, M - n, drawn, left) - log_binomial(N, M, drawn, left)


HYPERGEOM = Counts(
    "M, n, N", lambda M, n, N: is_count(M) & np.greater(M, 0) & is_count(n) & is_count(N) & np.less_equal(n, M) & np.less_equal(N, M), lambda M, n, N: np.maximum(N - (M - n), 0), lambda M, n, N: np.minimum(n, N),
    logpmf=_hypergeom_logpmf, mean=lambda M, n, N: N * (n / M), var=lambda M, n, N: n * (M - n) * N * (M - N) / (M * M * (M - 1.0)), only_counts=True, adds_both=True, example=(4.0, 2.0, 2.0),
)  # fmt: skip

# ---- others ---------------------------------------------------------------------------------------------------------------------

RANDINT = Counts(
    "low, high", lambda low, high: np.greater(high, low) & np.equal(np.floor(low), low) & np.equal(np.floor(high), high), lambda low, high: low, lambda low, high: high - 1,
    logpmf=lambda k, low, high: -np.log(high - low) + 0.0 * k, pmf=lambda k, low, high: 1.0 / (high - low) + 0.0 * k, cdf=lambda k, low, high: (k - low + 1.0) / (high - low),
    entropy=lambda low, high: np.log(high - low), mean=lambda low, high: (high + low - 1.0) / 2.0, var=lambda low, high: ((high - low) ** 2 - 1.0) / 12.0, example=(0.0, 2.0),
)  # fmt: skip


def _logser_sf(k, p):
    """SciPy's incomplete beta function of nearly 0."""
    import scipy.special as sp

    return -sp.betainc(k + 1.0, 1e-100, p) * sp.beta(k + 1.0, 1e-100) / np.log1p(-p)


LOGSER = Counts(
    "p", lambda p: np.greater(p, 0) & np.less(p, 1), one, logpmf=lambda k, p: k * np.log(p) - np.log(k) - np.log(-np.log1p(-p)), pmf=lambda k, p: -(p**k) / k / np.log1p(-p),
    mean=lambda p: p / (p - 1.0) / np.log1p(-p), var=lambda p: -p / np.log1p(-p) / (p - 1.0) ** 2 - (p / (p - 1.0) / np.log1p(-p)) ** 2, sf=_logser_sf, between=True, example=(0.5,),
)  # fmt: skip


def _zipf_logpmf(k, a):
    import scipy.special as sp

    return -a * np.log(k) - np.log(sp.zeta(a, 1.0))


def _zipf_cdf(k, a):
    """By the rest of the series, which Hurwitz's function adds up."""
    import scipy.special as sp

    return 1.0 - sp.zeta(a, k + 1.0) / sp.zeta(a, 1.0)


ZIPF = Counts("a", lambda a: np.greater(a, 1), one, logpmf=_zipf_logpmf, cdf=_zipf_cdf, example=(2.0,))
DLAPLACE = Counts(
    "a", positive, lambda a: -np.inf, logpmf=lambda k, a: np.log(np.tanh(a / 2.0)) - a * np.abs(k),
    cdf=lambda k, a: np.where(k >= 0, 1.0 - np.exp(-a * np.maximum(k, 0.0)) / (np.exp(a) + 1.0), np.exp(a * (np.minimum(k, 0.0) + 1.0)) / (np.exp(a) + 1.0)),
    entropy=lambda a: a / np.sinh(a) - np.log(np.tanh(a / 2.0)), mean=lambda a: 0.0 * a, var=lambda a: 2.0 * np.exp(a) / (np.exp(a) - 1.0) ** 2, example=(1.0,),
)  # fmt: skip

# ---- what `count_distributions.py` leaves -----------------------------------------------------------------------------------------


def _poisson_cdf(k, mu):
    import scipy.special as sp

    return sp.gammaincc(k + 1.0, mu)


def _poisson_sf(k, mu):
    import scipy.special as sp

    return sp.gammainc(k + 1.0, mu)


def _poisson_entropy(mu):
    """The sum of -p log(p) over all counts that count."""
    import scipy.special as sp

    last = np.max(mu, initial=0.0) + 20.0 * np.sqrt(np.max(mu, initial=0.0)) + 40.0
    k, total = 0.0, 0.0 * mu
    while k < last:
        logarithm = sp.xlogy(k, mu) - sp.gammaln(k + 1.0) - mu
        total = total - np.exp(logarithm) * np.where(logarithm > -700.0, logarithm, 0.0)
        k += 1.0
    return total


def _binom_cdf(k, n, p):
    import scipy.special as sp

    last = k >= n
    return np.where(last, 1.0, sp.betaincc(k + 1.0, np.where(last, 1.0, n - k), p))


def _binom_sf(k, n, p):
    last = k >= n
    return np.where(last, 0.0, betainc(k + 1.0, np.where(last, 1.0, n - k), p))


def _geom_ppf(q, p):
    """1 less than the formula says where that is enough."""
    rate = np.log1p(-p)
    count = np.ceil(np.log1p(-q) / rate)
    return np.where((-np.expm1(rate * (count - 1.0)) >= q) & (count > 0), count - 1.0, count)


def _binom_entropy(n, p):
    import scipy.special as sp

    most = np.max(n, initial=0.0)
    k, total = 0.0, 0.0 * (n + p)
    while k <= most:
        inside = k <= n
        rest = np.where(inside, n - k, 0.0)
        logarithm = sp.gammaln(n + 1.0) - sp.gammaln(k + 1.0) - sp.gammaln(rest + 1.0) + sp.xlogy(k, p) + sp.xlog1py(rest, -p)
        counted = inside & (logarithm > -700.0)
        held = np.where(counted, logarithm, 0.0)
        total = total - np.where(counted, np.exp(held) * held, 0.0)
        k += 1.0
    return total


OTHERS = {
    "poisson": Counts("mu", lambda mu: np.greater_equal(mu, 0), cdf=_poisson_cdf, sf=_poisson_sf, entropy=_poisson_entropy, mean=lambda mu: mu, var=lambda mu: mu, example=(1.0,)),
    "binom": Counts(
        "n, p", lambda n, p: is_count(n) & is_chance(p), high=lambda n, p: n, cdf=_binom_cdf, sf=_binom_sf, own_isf=True, entropy=_binom_entropy, mean=lambda n, p: n * p,
        var=lambda n, p: n * p * (1.0 - p), example=(2.0, 0.5),
    ),
    "bernoulli": Counts(
        "p", is_chance, high=one, cdf=lambda k, p: np.where(k >= 1, 1.0, 1.0 - p), sf=lambda k, p: np.where(k >= 1, 0.0, p), own_isf=True, mean=lambda p: p, var=lambda p: p * (1.0 - p),
        example=(0.5,),
    ),
    "geom": Counts("p", is_rate, one, cdf=lambda k, p: -np.expm1(np.log1p(-p) * k), ppf=_geom_ppf, mean=lambda p: 1.0 / p, var=lambda p: (1.0 - p) / p / p, example=(0.5,)),
}  # fmt: skip
"""Their other methods are functions of their own."""
COUNTS = {**OTHERS, "nbinom": NBINOM, "betabinom": BETABINOM, "hypergeom": HYPERGEOM, "randint": RANDINT, "logser": LOGSER, "zipf": ZIPF, "dlaplace": DLAPLACE, **FURTHER}
"""By SciPy's name."""

# ---- methods ------------------------------------------------------------------------------------------------------------------


def _parts(family, args, kwds):
    """The shapes in float64, valid ones where they are not; where they are; the location."""
    names = [*family.names, "loc"]
    if len(args) > len(names):
        raise TypeError("_parse_args() takes from 1 to 2 positional arguments but more were given")
    given = dict(zip(names, args, strict=False))
    for name in kwds:
        if name not in names or name in given:
            raise TypeError(f"_parse_args() got an unexpected keyword argument '{name}'")
    given = {**given, **kwds}
    if not all(name in given for name in family.names):
        raise TypeError(f"_parse_args() missing a required argument: one of {', '.join(family.names)}")
    shapes = [_real(given[name]) for name in family.names]
    valid = family.valid(*shapes)
    return [np.where(valid, shape, example) for shape, example in zip(shapes, family.example, strict=True)], valid, given.get("loc", 0)


def _mass(family, k, args, kwds, logarithm):
    shapes, valid, loc = _parts(family, args, kwds)
    k = _real(k) - loc
    low, high = family.low(*shapes), family.high(*shapes)
    inside = (k >= low) & (k <= high) & (np.floor(k) == k)
    held = np.where(inside, k, np.where(np.isfinite(low), low, 0.0))
    if logarithm:
        value = np.where(inside, family.logpmf(held, *shapes), -np.inf)
    else:
        value = np.where(inside, np.exp(family.logpmf(held, *shapes)) if family.pmf is None else family.pmf(held, *shapes), 0.0)
    return np.where(valid & ~np.isnan(k), value, np.nan)[()]


def _sum(family, k, shapes):
    """The distribution function, by adding up where it is no formula; of a support with a known first count."""
    if family.cdf is not None:
        return family.cdf(k, *shapes)
    below = _below(family, k, shapes)
    return _near_one(below, _above(family, k, shapes)) if family.adds_both else below


def _rest(family, k, shapes):
    """What the distribution function leaves of 1."""
    if family.sf is not None:
        return family.sf(k, *shapes)
    return _near_one(_above(family, k, shapes), _below(family, k, shapes)) if family.adds_both else 1.0 - _sum(family, k, shapes)


def _near_one(part, other):
    """A part of 1, by the other one where that is the smaller one."""
    return np.where(other < 0.5, 1.0 - other, part)


def _below(family, k, shapes):
    return _added(family, family.low(*shapes), k, 1.0, shapes)


def _above(family, k, shapes):
    return _added(family, family.high(*shapes), k + 1.0, -1.0, shapes)


def _added(family, first, last, way, shapes):
    """The probabilities from one count to another one, upwards (1.0) or downwards (-1.0)."""
    count = way * (last - first)
    most = np.max(count, initial=0.0)
    step, total = 0.0, 0.0 * count
    while step <= most:
        inside = step <= count
        total = total + np.where(inside, np.exp(family.logpmf(np.where(inside, first + way * step, first), *shapes)), 0.0)
        step += 1.0
    return np.minimum(total, 1.0)


def _log_sum(family, k, shapes):
    """The logarithm of the distribution function."""
    return _log_near_one(_below(family, k, shapes), _above(family, k, shapes)) if family.adds_both else np.log(_sum(family, k, shapes))


def _log_rest(family, k, shapes):
    """The logarithm of what is left."""
    if family.adds_both:
        return _log_near_one(_above(family, k, shapes), _below(family, k, shapes))
    return np.log1p(-_sum(family, k, shapes)) if family.sf is None else np.log(family.sf(k, *shapes))


def _log_near_one(part, other):
    return np.where(other < 0.5, np.log1p(-np.minimum(other, 0.5)), np.log(part))


def _rising(family, k, args, kwds, formula, below, above):
    """A formula from the first count on and below the last one, and what it is outside."""
    shapes, valid, loc = _parts(family, args, kwds)
    k = _real(k) - loc
    low, high = family.low(*shapes), family.high(*shapes)
    inside = (k >= low) & (k < high)
    if family.only_counts and np.any(inside & (np.floor(k) != k)):
        raise NotImplementedError("a distribution function of scipy.stats.hypergeom between counts (SciPy's is nan, and its logarithm another number) is not supported")
    value = formula(np.where(inside, k if family.between else np.floor(k), np.where(np.isfinite(low), low, 0.0)), shapes)
    return np.where(valid & ~np.isnan(k), np.where(inside, value, np.where(k >= high, above, below)), np.nan)[()]


LEAST = 1.2e-16
"""1 - q is 1 below, where only the complement itself tells counts apart."""


def _least(family, q, shapes, falling):
    """The first count whose distribution function is at least q (or its complement at most q): doubled until it is, then halved."""

    def reached(k):
        held = np.minimum(np.maximum(k, low), high)
        if falling and family.own_isf:
            return np.where(k >= high, 0.0, np.where(k < low, 1.0, family.sf(held, *shapes))) <= q
        total = np.where(k >= high, 1.0, np.where(k < low, 0.0, _sum(family, held, shapes)))
        if not falling:
            return total >= q
        if family.sf is None:  # SciPy begins at the last count, which has 1, and stays there
            return (total >= 1.0 - q) & ((1.0 - q < 1.0) | (k >= high) | ~np.isfinite(high))
        rest = np.where(k >= high, 0.0, np.where(k < low, 1.0, family.sf(held, *shapes)))
        return np.where(q > LEAST, total >= 1.0 - q, rest <= q)

    low, high = family.low(*shapes) + 0.0 * q, family.high(*shapes) + 0.0 * q
    first = np.where(np.isfinite(low), low, 0.0)
    down, up = first - 1.0, first
    width = 1.0
    while not np.all(reached(up)):
        up = np.where(reached(up), up, up + width)
        width *= 2.0
    width = 1.0
    while np.any(reached(down) & (down >= low)):
        down = np.where(reached(down) & (down >= low), down - width, down)
        width *= 2.0
    while np.any(up - down > 1.0):
        middle = np.floor((up + down) / 2.0)
        enough = reached(middle)
        up, down = np.where(enough & (up - down > 1.0), middle, up), np.where(enough | (up - down <= 1.0), down, middle)
    return up


def _quantile(family, q, args, kwds, falling):
    shapes, valid, loc = _parts(family, args, kwds)
    q = _real(q)
    inside = (q > 0) & (q < 1)
    low, high = family.low(*shapes), family.high(*shapes)
    held = np.where(inside & valid, q, 0.5)
    value = _least(family, held, shapes, falling) if family.ppf is None else family.ppf(1.0 - held if falling else held, *shapes)
    standard = np.where(inside, value, np.where(q == 0, high if falling else low - 1.0, np.where(q == 1, low - 1.0 if falling else high, np.nan)))
    return np.where(valid, standard + loc, np.nan)[()]


def _spread(family, args, kwds):
    """The variance."""
    shapes, valid, loc = _parts(family, args, kwds)
    return np.where(valid & ~np.isnan(loc), family.var(*shapes), np.nan)[()]


def methods_of(family):
    """The methods that follow from the formulas, by name."""
    f = family

    def pmf(k, *args, **kwds):
        return _mass(f, k, args, kwds, False)

    def logpmf(k, *args, **kwds):
        return _mass(f, k, args, kwds, True)

    def cdf(k, *args, **kwds):
        return _rising(f, k, args, kwds, lambda k, shapes: _sum(f, k, shapes), 0.0, 1.0)

    def logcdf(k, *args, **kwds):
        return _rising(f, k, args, kwds, lambda k, shapes: _log_sum(f, k, shapes), -np.inf, 0.0)

    def sf(k, *args, **kwds):
        return _rising(f, k, args, kwds, lambda k, shapes: _rest(f, k, shapes), 1.0, 0.0)

    def logsf(k, *args, **kwds):
        return _rising(f, k, args, kwds, lambda k, shapes: _log_rest(f, k, shapes), 0.0, -np.inf)

    def ppf(q, *args, **kwds):
        return _quantile(f, q, args, kwds, False)

    def isf(q, *args, **kwds):
        return _quantile(f, q, args, kwds, True)

    def median(*args, **kwds):
        return _quantile(f, 0.5, args, kwds, False)

    def interval(confidence, *args, **kwds):
        outside = outside_of(_real(confidence))
        return _quantile(f, outside, args, kwds, False), _quantile(f, 1.0 - outside, args, kwds, False)

    def entropy(*args, **kwds):
        shapes, valid, loc = _parts(f, args, kwds)
        return np.where(valid & ~np.isnan(loc), f.entropy(*shapes), np.nan)[()]

    def mean(*args, **kwds):
        shapes, valid, loc = _parts(f, args, kwds)
        return np.where(valid, f.mean(*shapes) + loc, np.nan)[()]

    def var(*args, **kwds):
        return _spread(f, args, kwds)

    def std(*args, **kwds):
        return np.sqrt(_spread(f, args, kwds))

    unbounded = f.cdf is None and f.low is minus_infinity  # nothing to add up from
    needs = {
        f.logpmf: (pmf, logpmf), f.cdf or f.logpmf: (cdf, sf, logcdf, logsf, ppf, isf, median, interval), f.entropy: (entropy,), f.mean: (mean,), f.var: (var, std),
    }
    if unbounded:
        needs[f.logpmf] = (pmf, logpmf)
    elif f.cdf is None and f.logpmf is not None:  # one key
        needs[f.logpmf] = (pmf, logpmf, cdf, sf, logcdf, logsf, ppf, isf, median, interval)
    return {method.__name__: method for formula, methods in needs.items() if formula is not None for method in methods}
