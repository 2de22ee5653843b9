"""scipy.stats: distributions fitted to data by a search for the likeliest parameters: SciPy's start, objective and simplices (Nelder and Mead 1965)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.distribution_fits import (
    by_likelihood,
    gamma_fit,
    one_data,
    one_free,
    outside,
    rayleigh_fit,
    weibull_min_fit,
)
from s2s.transforms.read.composed.families import FAMILIES
from s2s.transforms.read.composed.marks import constant, unsupported

_OUTSIDE = 100.0 * math.log(sys.float_info.max)
"""What each datum of probability 0 adds to the objective."""


_ENDLESS = 1e5
"""Shapes beyond it differ from infinite ones by less than what tells likelihoods apart."""


def searched(name, family, data, guesses, words):
    """The likeliest shapes, location and scale; those that are fixed as they are given."""
    import scipy.optimize
    import scipy.stats

    own, data = getattr(scipy.stats, name), one_data(data)
    if len(guesses) > len(family.names):
        raise TypeError("Too many input arguments.")
    fixed, loc, scale = _fixed(name, family.names, words)
    shapes = _first_shapes(name, data, len(family.names))
    start = (*guesses, *shapes[len(guesses) :], *_first_place(name, family, data, shapes))
    start = (*start[:-2], start[-2] if loc is None else loc, start[-1] if scale is None else scale)
    if None not in fixed:
        raise ValueError("All parameters fixed. There is nothing to optimize.")

    def whole(free):
        found, place = [], 0
        for each in fixed:
            found.append(free[place] if each is None else each)
            place += each is None
        return found

    def lost(free):
        *shapes, loc, scale = whole(free)
        sure = np.all(family.valid(*[np.float64(each) for each in shapes])) & (scale > 0)
        held = np.where(sure, scale, 1.0)
        logs = own.logpdf((data - loc) / held, *shapes)
        fine = np.isfinite(logs)
        return np.where(sure, _OUTSIDE * np.sum(~fine) - np.sum(np.where(fine, logs, 0.0)) + data.shape[0] * np.log(held), np.inf)

    free = [1.0 * each for each, known in zip(start, fixed, strict=True) if known is None]
    found = whole(scipy.optimize.fmin(lost, constant(np.stack(free)), disp=0))
    if not np.all(family.valid(*[np.float64(each) for each in found[:-2]])) or found[-1] <= 0:
        raise RuntimeError("Optimization converged to parameters that are outside the range allowed by the distribution.")
    ends = [each is None and np.abs(value) > _ENDLESS for each, value in zip(fixed[:-2], found[:-2], strict=True)]
    if any(ends):
        raise NotImplementedError(f"scipy.stats.{name}.fit where the likelihood rises for ever along a shape (SciPy ends where rounding stops it) is not supported")
    return tuple(found)


def _fixed(name, names, words):
    """For each parameter what it is fixed to, or None; guesses of location and scale."""
    known = {"loc": None, "scale": None, "method": "MLE", **words}
    if known["method"].lower() != "mle":
        unsupported(f"scipy.stats.{name}.fit(…, method={known['method']!r})", "method='MLE'")
    if "optimizer" in known:
        unsupported(f"scipy.stats.{name}.fit(…, optimizer=…)", "leave it out")
    ways = [(f"f{k}", f"f{each}", f"fix_{each}") for k, each in enumerate(names)] + [("floc",), ("fscale",)]
    allowed = {"loc", "scale", "method", *[word for way in ways for word in way]}
    if not all(word in allowed for word in words):
        raise TypeError(f"Unknown arguments: {[word for word in words if word not in allowed]}.")
    found = []
    for way in ways:
        given = [words[word] for word in way if word in words and words[word] is not None]
        if len(given) > 1:
            raise ValueError(f"fit method got multiple keyword arguments to specify the same fixed parameter: {', '.join(way)}")
        found.append(given[0] if given else None)
    return found, known["loc"], known["scale"]


def _skewness(data):
    gaps = data - np.mean(data)
    return np.mean(gaps**3) / np.power(np.mean(gaps**2), 1.5)


def _first_shapes(name, data, count):
    """Where the search begins: by the skewness where SciPy goes by it, else at 1."""
    if name in ("gamma", "erlang"):
        shape = 4.0 / (1e-8 + _skewness(data) ** 2)
        return (np.floor(shape) if name == "erlang" else shape,)
    if name == "genextreme":
        return (np.where(_skewness(data) < 0, 0.5, -0.5),)
    return (1.0,) * count


def _first_place(name, family, data, shapes):
    """Location and scale by mean and variance, or so that the data lie in the support."""
    import scipy.stats

    if name == "cauchy":
        low, middle, high = np.percentile(data, [25, 50, 75])
        return middle, (high - low) / 2
    if name == "genextreme":  # of shape 0.5 or -0.5
        mean, variance = np.where(shapes[0] > 0, 2 - math.sqrt(math.pi), 2 * math.sqrt(math.pi) - 2), np.where(shapes[0] > 0, 4 - math.pi, np.inf)
    else:
        own = getattr(scipy.stats, name)
        mean, variance = own.mean(*shapes), own.var(*shapes)
    scale = np.sqrt(np.var(data) / variance)
    loc = np.mean(data) - scale * mean
    loc, scale = np.where(np.isfinite(loc), loc, 0.0), np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)
    shapes = [np.float64(each) for each in shapes]
    low, high, least, most = 1.0 * family.low(*shapes), 1.0 * family.high(*shapes), np.min(data), np.max(data)
    below, above = np.isfinite(low), np.isfinite(high)
    low_end, high_end = np.where(below, low, 0.0), np.where(above, high, 1.0)
    fits = (~below | (loc + low_end * scale < least)) & (~above | (most < loc + high_end * scale))
    margin = (most - least) * 0.1
    moved = np.where(below, least - low_end - margin, most - high_end + margin)
    wide = np.where(below & above, (most - least + 2 * margin) / np.where(below & above, high_end - low_end, 1.0), 1.0)
    return np.where(fits, loc, moved), np.where(fits, scale, wide)


def _searching(name):
    family = FAMILIES[name]

    def fit(data, *args, **kwds):
        return searched(name, family, data, args, kwds)

    return fit


def gamma(data, *args, **kwds):
    """scipy.stats.gamma.fit: a root where the location is known."""
    return searched("gamma", FAMILIES["gamma"], data, args, kwds) if kwds.get("floc") is None else gamma_fit(data, *args, **kwds)


def weibull_min(data, *args, **kwds):
    """scipy.stats.weibull_min.fit: a root where the location alone is known; else from the parameters with the data's first three moments."""
    import scipy.special as sp

    family = FAMILIES["weibull_min"]
    fixed, loc, scale = _fixed("weibull_min", family.names, kwds)
    if fixed[0] is None and fixed[1] is not None and fixed[2] is None:
        return weibull_min_fit(data, *args, **kwds)
    data = one_data(data)
    skewness = _skewness(data)
    if fixed[0] is None and len(args) == 0:
        if skewness < _weibulls_skewness(_MOST):
            raise NotImplementedError("scipy.stats.weibull_min.fit of data that are so skew to the left is not supported")
        shape = _shape_of_skewness(constant(skewness))
    else:
        shape = fixed[0] if fixed[0] is not None else args[0]
    first, second = sp.gamma(1.0 + 1.0 / shape), sp.gamma(1.0 + 2.0 / shape)
    given = {key: value for key, value in kwds.items() if key not in ("loc", "scale")}
    width = fixed[2] if fixed[2] is not None else np.sqrt(np.var(data) / (second - first**2)) if scale is None else scale
    place = fixed[1] if fixed[1] is not None else np.mean(data) - width * first if loc is None else loc
    return searched("weibull_min", family, data, (shape,), {**given, "loc": place, "scale": width})


_MOST = 1e4
"""The largest shape that is sought by skewness."""


def _weibulls_skewness(c):
    import scipy.special as sp

    first, second, third = sp.gamma(1 + 1 / c), sp.gamma(1 + 2 / c), sp.gamma(1 + 3 / c)
    return (2 * first**3 - 3 * first * second + third) / (second - first**2) ** 1.5


def _shape_of_skewness(skewness):
    import scipy.optimize

    return scipy.optimize.bisect(lambda c: _weibulls_skewness(c) - skewness, 0.02, _MOST)


def _around(slope, start):
    """A bracket of a root, found by doubling."""
    low, high = start / 2.0, start * 2.0
    while np.sign(slope(low)) == np.sign(slope(high)) and (low > 0 or high < np.inf):
        low, high = low / 2.0, high * 2.0
    return low, high


def gumbel_r(data, *, floc=None, fscale=None, loc=None, scale=1.0, method="MLE"):
    """scipy.stats.gumbel_r.fit: the root of the likelihood's slope along the scale. Source: Evans, Hastings and Peacock, Statistical distributions (2000)."""
    import scipy.optimize
    import scipy.special as sp

    by_likelihood("gumbel_r", method)
    one_free(floc, fscale)
    data = one_data(data)

    def slope(scale):
        if floc is not None:
            return np.sum((floc - data) * np.exp((floc - data) / scale) + data) - data.shape[0] * (floc + scale)
        shares = np.exp(-data / scale - np.max(-data / scale))
        return np.mean(data) - np.sum(shares * data) / np.sum(shares) - scale

    if fscale is not None:
        width = fscale
    else:
        low, high = _around(lambda scale: constant(slope(scale)), 1.0 * scale)
        width = scipy.optimize.brentq(slope, low, high, xtol=1e-14, rtol=1e-14)
    return floc if floc is not None else -width * (sp.logsumexp(-data / width) - np.log(data.shape[0])), width


def gumbel_l(data, *, floc=None, fscale=None, loc=None, scale=1.0, method="MLE"):
    """scipy.stats.gumbel_l.fit: gumbel_r's of the data with other signs."""
    place, width = gumbel_r(-np.asarray(data), floc=None if floc is None else -floc, fscale=fscale, scale=scale, method=method)
    return -place, width


def rayleigh(data, *, floc=None, fscale=None, loc=None, scale=None, method="MLE"):
    """scipy.stats.rayleigh.fit: the root of the likelihood's slope along the location."""
    import scipy.optimize

    by_likelihood("rayleigh", method)
    one_free(floc, fscale)
    if floc is not None:
        return rayleigh_fit(data, floc=floc)
    data = one_data(data)

    def slope(loc):
        gaps = data - loc
        first = np.sum(gaps)
        return first - np.sum(1.0 / gaps) * (np.sum(gaps**2) / (2.0 * data.shape[0]) if fscale is None else fscale**2)

    high = np.nextafter(np.min(constant(data)), -np.inf)
    gap = 1.0
    while np.sign(constant(slope(high - gap))) == np.sign(constant(slope(high))):
        gap *= 2.0
        if not np.isfinite(high - gap):
            raise RuntimeError("Solver for the MLE equations failed to converge: The solver could not find a bracket containing a root to an MLE first order condition.")
    place = scipy.optimize.brentq(slope, high - gap, high)
    return place, np.sqrt(np.sum((data - place) ** 2) / (2.0 * data.shape[0])) if fscale is None else fscale


def halfnorm(data, *, floc=None, fscale=None, loc=None, scale=None, method="MLE"):
    """scipy.stats.halfnorm.fit: the least number, and the root of the mean square from there."""
    by_likelihood("halfnorm", method)
    one_free(floc, fscale)
    data = one_data(data)
    if floc is not None and np.min(data) < floc:
        raise ValueError(outside("halfnorm", floc, np.inf))
    place = np.min(data) if floc is None else floc
    return place, np.sqrt(np.mean((data - place) ** 2)) if fscale is None else fscale


_OTHERWISE = frozenset(
    ["beta", "erlang", "expon", "gumbel_l", "gumbel_r", "halfcauchy", "halflogistic", "halfnorm", "invgauss", "laplace", "logistic", "loglaplace", "lognorm", "loguniform", "norm", "pareto", "pearson3", "powerlaw", "rayleigh", "reciprocal", "rel_breitwigner", "skewnorm", "truncpareto", "uniform", "vonmises", "vonmises_line", "weibull_min", "crystalball", "genhyperbolic", "invweibull", "landau", "nakagami", "norminvgauss", "skewcauchy", "trapezoid", "truncnorm", "truncweibull_min", "wrapcauchy", "gamma", "geninvgauss", "gausshyper", "ncf", "recipinvgauss", "ncx2", "nct"]
)
"""Those that SciPy fits by formulas of their own or starts otherwise, whose densities have no slopes along a shape, and whose search takes minutes."""
SEARCHES: dict[str, Callable[..., Any]] = {f"scipy.stats.{name}.fit": _searching(name) for name in FAMILIES if name not in _OTHERWISE} | {f"scipy.stats.{function.__name__}.fit": function for function in (gamma, weibull_min, gumbel_r, gumbel_l, rayleigh, halfnorm)}
"""By qualified name."""
