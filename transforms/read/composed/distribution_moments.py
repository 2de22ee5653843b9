"""scipy.stats: moments of distributions, the ends of their support, and what is expected of a function of them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import counts, standardized
from s2s.transforms.read.composed.distributions import _real
from s2s.transforms.read.composed.families import FAMILIES
from s2s.transforms.read.composed.family import Formula, one, zero
from s2s.transforms.read.composed.higher_moments import HIGHER
from s2s.transforms.read.composed.marks import unsupported


def _t_skew(df):
    return np.where(np.greater(df, 3), 0.0, np.nan)


def _t_kurtosis(df):
    above = np.greater(df, 4)
    return np.where(above, 6.0 / (np.where(above, df, 5.0) - 4.0), np.where(np.greater(df, 2), np.inf, np.nan))


def _lognorm_skew(s):
    p = np.exp(s * s)
    return np.sqrt(p - 1.0) * (2.0 + p)


def _lognorm_kurtosis(s):
    p = np.exp(s * s)
    return p**4 + 2.0 * p**3 + 3.0 * p**2 - 6.0


def _beta_kurtosis(a, b):
    return 6.0 * ((a - b) ** 2 * (a + b + 1.0) - a * b * (a + b + 2.0)) / (a * b * (a + b + 2.0) * (a + b + 3.0))


def _binom_skew(n, p):
    spread = np.sqrt(n * p * (1.0 - p))
    return 1.0 / spread - 2.0 * p / spread


def _binom_kurtosis(n, p):
    return 1.0 / (n * p * (1.0 - p)) - 6.0 / n


def _bernoulli_kurtosis(p):
    apart = np.greater(p, 0) & np.less(p, 1)
    return np.where(apart, _binom_kurtosis(1.0, np.where(apart, p, 0.5)), np.nan)


USUAL: dict[str, tuple[Formula, Formula]] = {
    "norm": (lambda: 0.0, lambda: 0.0),
    "lognorm": (_lognorm_skew, _lognorm_kurtosis),
    "expon": (lambda: 2.0, lambda: 6.0),
    "laplace": (lambda: 0.0, lambda: 3.0),
    "logistic": (lambda: 0.0, lambda: 1.2),
    "cauchy": (lambda: np.nan, lambda: np.nan),
    "uniform": (lambda: 0.0, lambda: -1.2),
    "gamma": (lambda a: 2.0 / np.sqrt(a), lambda a: 6.0 / a),
    "chi2": (lambda df: 2.0 * np.sqrt(2.0 / df), lambda df: 12.0 / df),
    "beta": (lambda a, b: 2.0 * (b - a) * np.sqrt(a + b + 1.0) / ((a + b + 2.0) * np.sqrt(a * b)), _beta_kurtosis),
    "t": (_t_skew, _t_kurtosis),
    "poisson": (lambda mu: np.sqrt(1.0 / mu), lambda mu: 1.0 / mu),
    "binom": (_binom_skew, _binom_kurtosis),
    "bernoulli": (lambda p: _binom_skew(1.0, p), _bernoulli_kurtosis),
    "geom": (lambda p: (2.0 - p) / np.sqrt(1.0 - p), lambda p: (p * p - 6.0 * p + 6.0) / (1.0 - p)),
}
"""By SciPy's name, of the distributions of which `expect` is read, too."""
SHAPES: dict[str, tuple[Formula, Formula]] = USUAL | HIGHER
"""Skewness and excess of the kurtosis, by SciPy's name."""


def _taken_apart(family, args, kwds):
    """Shapes, location and scale in float64, and where all of them are valid."""
    if isinstance(family, counts.Counts):
        shapes, valid, loc = counts._parts(family, args, kwds)
        return shapes, _real(loc), np.float64(1.0), valid & ~np.isnan(loc)
    shapes, valid, loc, scale = standardized._parts(family, args, kwds)
    loc, scale = _real(loc), _real(scale)
    return shapes, loc, scale, valid & (scale > 0) & ~np.isnan(loc)


def _central(name, family, order, shapes):
    """The moments around 0 up to an order, of location 0 and scale 1."""
    mean, variance = family.mean(*shapes), family.var(*shapes)
    found = [1.0, mean, variance + mean * mean]
    if order > 2:
        skew, kurtosis = SHAPES[name]
        none = variance == 0
        third = np.where(none, 0.0, skew(*shapes) * np.power(variance, 1.5))
        found = [*found, third + 3.0 * mean * variance + mean * mean * mean]
        if order > 3:
            fourth = np.where(none, 0.0, (kurtosis(*shapes) + 3.0) * variance**2.0)
            found = [*found, fourth + 4.0 * mean * third + 6.0 * mean * mean * variance + mean * mean * mean * mean]
    return found[: order + 1]


def _shifted(parts, order, loc, scale):
    """The moment of loc + scale * Z, of those of Z."""
    ratio = scale / np.where(loc == 0, 1.0, loc)
    total = 0.0
    for k in range(order + 1):
        total = total + math.comb(order, k) * ratio**k * parts[k]
    return np.where(loc == 0, parts[order] * scale**order, total * loc**order)


def moments_of(name, family):
    """The methods that follow from a distribution's moments, by name."""
    f, known = family, name in SHAPES

    def stats(*args, moments="mv", **kwds):
        if not known and ("s" in moments or "k" in moments):
            unsupported(f"scipy.stats.{name}.stats(…, moments={moments!r}) with parameters of run time", "moments='mv'")
        shapes, loc, scale, valid = _taken_apart(f, args, kwds)
        found = []
        if "m" in moments:
            found = [*found, f.mean(*shapes) * scale + loc]
        if "v" in moments:
            found = [*found, f.var(*shapes) * scale * scale]
        if "s" in moments:
            found = [*found, SHAPES[name][0](*shapes)]
        if "k" in moments:
            found = [*found, SHAPES[name][1](*shapes)]
        found = tuple(np.where(valid, each, np.nan)[()] for each in found)
        return found[0] if len(found) == 1 else found

    def moment(order, *args, **kwds):
        if math.floor(order) != order:
            raise ValueError("Moment must be an integer.")
        if order < 0:
            raise ValueError("Moment must be positive.")
        if order > (4 if known else 2):
            unsupported(f"scipy.stats.{name}.moment({order})", f"{name}.expect(lambda x: x**{order}, …)")
        if order == 0:
            _, valid, loc, scale = (*counts._parts(f, args, kwds), 1.0) if isinstance(f, counts.Counts) else standardized._parts(f, args, kwds)
            return np.where(valid & np.greater(scale, 0) & np.ones(np.shape(loc), np.bool_), 1.0, np.nan)[()]
        shapes, loc, scale, valid = _taken_apart(f, args, kwds)
        return np.where(valid, _shifted(_central(name, f, int(order), shapes), int(order), loc, scale), np.nan)[()]

    return {"stats": stats, "moment": moment}


def _end_of_support(given, end, valid):
    """An end of a support, of what was given and in float64."""
    if given.dtype.kind not in "bui":
        return np.where(valid, end, np.nan)[()]
    if not np.all(valid):
        raise NotImplementedError("scipy.stats: the support of integers outside of their domain (the result is nan) is not supported")
    return given[()]


def support_of(family):
    """The method `support`: the ends, in float64; integers where an end is a shape, and it and its place are integers."""
    f = family

    def support(*args, **kwds):
        shapes, loc, scale, _ = _taken_apart(f, args, kwds)
        valid = standardized._parts(f, args, kwds)[1] & (scale > 0)
        given = dict(zip((*f.names, "loc", "scale"), args, strict=False)) | kwds
        raw = [np.asarray(given[each]) for each in f.names]
        loc_given, scale_given = np.asarray(given.get("loc", 0)), np.asarray(given.get("scale", 1))
        some = np.zeros(np.broadcast_shapes(np.shape(loc), np.shape(scale), *[np.shape(each) for each in raw]), np.int64)
        return tuple(_end_of_support(end(*raw) * scale_given + loc_given + some, end(*shapes) * scale + loc, valid) for end in (f.low, f.high))

    return support


def support_of_counts(name, family):
    """The method `support` of counts: integers where all that an end is made of are."""
    f = family

    def support(*args, **kwds):
        _, valid, loc = counts._parts(f, args, kwds)
        if not np.all(valid):
            raise NotImplementedError(f"scipy.stats.{name}.support of parameters outside of their domain (the result is nan) is not supported")
        given = dict(zip((*f.names, "loc"), args, strict=False)) | kwds
        shapes = [given[each] for each in f.names]
        low = 0 if f.low is zero else 1 if f.low is one else f.low(*shapes)
        high = 1 if f.high is one else f.high(*shapes)
        some = np.zeros(np.broadcast_shapes(*[np.shape(each) for each in (*shapes, loc)]), np.int64)
        return (np.asarray(low) + loc + some)[()], (np.asarray(high) + loc + some)[()]

    return support


def _positions(name, args, loc, scale):
    """The shapes, which `args` hands over."""
    shapes = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    return (*shapes, loc, scale)


def _end(end, loc, scale):
    """An end of the support; an infinite one moves with nothing."""
    return end if _is_infinite(end) else end * scale + loc


def _is_infinite(end):
    """Whether it is known to be."""
    return isinstance(end, float) and abs(end) == math.inf


def _below(distribution, end, given):
    """The probability of what is below; at infinity there is nothing to differentiate."""
    if _is_infinite(end):
        return 1.0 if end > 0 else 0.0
    return distribution.cdf(end, *given)


def expect_of(name, family):
    """What is expected of a function: SciPy's three integrals, tails and body."""

    def expect(func=None, args=(), loc=0, scale=1, lb=None, ub=None, conditional=False, **kwds):
        import scipy.integrate
        import scipy.stats

        distribution, given = getattr(scipy.stats, name), _positions(name, args, loc, scale)
        low = _end(family.low(*given[:-2]), loc, scale) if lb is None else lb
        high = _end(family.high(*given[:-2]), loc, scale) if ub is None else ub

        def weighted(x):
            return (x if func is None else func(x)) * distribution.pdf(x, *given)

        start, end = _below(distribution, low, given), _below(distribution, high, given)
        mass = end - start
        first, last = distribution.ppf(start + mass * 0.05, *given), distribution.ppf(start + mass * 0.95, *given)
        total = 0.0
        for left, right in ((low, first), (first, last), (last, high)):
            total = total + scipy.integrate.quad(weighted, left, right, **kwds)[0]
        return np.float64(total / mass if conditional else total)

    return expect


def expect_of_counts(name, family):
    """What is expected of a function: SciPy's sum, from the median on in both directions, 32 counts at a time."""

    def expect(func=None, args=(), loc=0, lb=None, ub=None, conditional=False, maxcount=1000, tolerance=1e-10, chunksize=32):
        import scipy.stats

        distribution = getattr(scipy.stats, name)
        args = tuple(args) if isinstance(args, (tuple, list)) else (args,)
        shapes = [_real(each) for each in args]
        low = family.low(*shapes) + 0.0 if lb is None else np.ceil(lb - loc)
        high = family.high(*shapes) + 0.0 if ub is None else np.floor(ub - loc)

        def part(start, stop):
            total = 0.0
            for k in range(chunksize):
                x = start + k
                if x <= stop:
                    total = total + (x + loc if func is None else func(x + loc)) * distribution.pmf(x, *args)
            return total

        middle = min(max(distribution.ppf(0.5, *args), low), high)
        if high - low <= chunksize - 1:
            total = part(low, high)
        else:
            total, count, start, more = 0.0, 0.0, middle, True
            while more and start <= high:
                size = min(chunksize, high - start + 1.0)
                delta = part(start, high)
                total, count, start = total + delta, count + size, start + size
                more = abs(delta) >= tolerance * size and count <= maxcount
            start, more = middle - 1.0, count <= maxcount
            while more and start >= low:
                size = min(chunksize, start - low + 1.0)
                delta = part(start - size + 1.0, start)
                total, count, start = total + delta, count + size, start - size
                more = abs(delta) >= tolerance * size and count <= maxcount
        return np.float64(total / (distribution.sf(low - 1.0, *args) - distribution.sf(high, *args)) if conditional else total)

    return expect


SUPPORTS: dict[str, Callable[..., Any]] = {
    **{f"scipy.stats.{name}.support": support_of(family) for name, family in FAMILIES.items()},
    **{f"scipy.stats.{name}.support": support_of_counts(name, family) for name, family in counts.COUNTS.items()},
}
MOMENTS: dict[str, Callable[..., Any]] = SUPPORTS | {
    f"scipy.stats.{name}.{method}": function
    for name, family in {**FAMILIES, **counts.COUNTS}.items() if family.mean is not None and family.var is not None for method, function in moments_of(name, family).items()
}  # fmt: skip
"""By qualified name."""
EXPECTED: dict[str, Callable[..., Any]] = {
    f"scipy.stats.{name}.expect": expect_of_counts(name, counts.COUNTS[name]) if name in counts.COUNTS else expect_of(name, FAMILIES[name]) for name in USUAL
}
"""Those that call the user's function."""
