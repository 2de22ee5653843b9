"""scipy.stats: the methods of distributions that `families.py` states by their formulas.

As in SciPy results are float64, nan where the scale is not positive or a shape is outside of its domain; outside of the support a density is 0, a distribution function 0 or 1.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.distributions import _checked, _log_of_part, _real, _standard
from s2s.transforms.read.composed.family import outside_of
from s2s.transforms.read.composed.quantile_search import sought


def _parts(family, args, kwds):
    """The shapes in float64, valid ones where they are not; where they are; location and scale."""
    names = [*family.names, "loc", "scale"]
    if len(args) > len(names):
        raise TypeError("_parse_args() takes from 1 to 3 positional arguments but more were given")
    given = dict(zip(names, args, strict=False))
    for name in kwds:
        if name not in names or name in given:
            raise TypeError(f"_parse_args() got an unexpected keyword argument '{name}'")
    given = {**given, **kwds}
    if not all(name in given for name in family.names):
        raise TypeError(f"_parse_args() missing a required argument: one of {', '.join(family.names)}")
    shapes = [_real(given[name]) for name in family.names]
    valid = family.valid(*shapes)
    held = [np.where(valid, shape, 0.5 + 0.25 * place) for place, shape in enumerate(shapes)]  # the second of two ends is larger
    return held, valid, given.get("loc", 0), given.get("scale", 1)


def _within(y, low, high, closed):
    """Where y is in the support; y there, elsewhere a point inside of it."""
    from_low, to_high = np.isfinite(low), np.isfinite(high)
    below, above = np.where(from_low, low, 0.0), np.where(to_high, high, 0.0)
    middle = np.where(from_low & to_high, below + 0.37 * (above - below), np.where(from_low, below + 0.37, np.where(to_high, above - 0.37, 0.37)))
    inside = (y >= low) & (y <= high) if closed else (y > low) & (y < high)
    return inside, np.where(inside, y, middle)


def _density(family, x, args, kwds):
    shapes, valid, loc, scale = _parts(family, args, kwds)
    y = _standard(x, loc, scale)
    inside, held = _within(y, family.low(*shapes), family.high(*shapes), not family.open)
    density = np.exp(family.logpdf(held, *shapes)) if family.pdf is None else family.pdf(held, *shapes)
    return _checked(np.where(inside, density, 0.0) / scale, scale, y, valid)


def _log_density(family, x, args, kwds):
    shapes, valid, loc, scale = _parts(family, args, kwds)
    y = _standard(x, loc, scale)
    inside, held = _within(y, family.low(*shapes), family.high(*shapes), not family.open)
    return _checked(np.where(inside, family.logpdf(held, *shapes), -np.inf) - np.log(scale), scale, y, valid)


def _rising(family, formula, x, args, kwds, below, above):
    """A formula inside of the support, and what it is below and above."""
    shapes, valid, loc, scale = _parts(family, args, kwds)
    y = _standard(x, loc, scale)
    inside, held = _within(y, family.low(*shapes), family.high(*shapes), False)
    return _checked(np.where(inside, formula(held, *shapes), np.where(y >= family.high(*shapes), above, below)), scale, y, valid)


def _quantile(family, formula, q, args, kwds, falling):
    shapes, valid, loc, scale = _parts(family, args, kwds)
    q = _real(q)
    inside = (q > 0) & (q < 1)
    value = formula(np.where(inside, q, 0.5), *shapes)
    low, high = family.low(*shapes), family.high(*shapes)
    standard = np.where(inside, value, np.where(q == 0, high if falling else low, np.where(q == 1, low if falling else high, np.nan)))
    return np.where(valid & np.greater(scale, 0), standard * scale + loc, np.nan)[()]


def _moment(family, formula, args, kwds, power):
    """The mean, or with power 2 the variance."""
    shapes, valid, loc, scale = _parts(family, args, kwds)
    loc, scale = _real(loc), _real(scale)
    value = formula(*shapes)
    moment = value * scale + loc if power == 1 else value * scale * scale
    return np.where(valid & (scale > 0) & ~np.isnan(loc), moment, np.nan)[()]


def methods_of(family):
    """The methods that follow from the formulas, by name."""
    f = family
    inverse, inverse_of_rest = f.ppf, f.isf
    if inverse is None and f.cdf is not None:
        density = (lambda y, *shapes: np.exp(f.logpdf(y, *shapes))) if f.pdf is None else f.pdf
        inverse = sought(f.cdf, density, f.low, f.high, falling=False)
        inverse_of_rest = None if f.sf is None else sought(f.sf, density, f.low, f.high, falling=True)

    def pdf(x, *args, **kwds):
        return _density(f, x, args, kwds)

    def logpdf(x, *args, **kwds):
        return _log_density(f, x, args, kwds)

    def cdf(x, *args, **kwds):
        return _rising(f, f.cdf, x, args, kwds, 0.0, 1.0)

    def sf(x, *args, **kwds):
        return _rising(f, (lambda y, *shapes: 1.0 - f.cdf(y, *shapes)) if f.sf is None else f.sf, x, args, kwds, 1.0, 0.0)

    def logcdf(x, *args, **kwds):
        formula = f.logcdf if f.logcdf is not None else (lambda y, *shapes: np.log(f.cdf(y, *shapes))) if f.sf is None else (lambda y, *shapes: _log_of_part(f.cdf(y, *shapes), f.sf(y, *shapes)))
        return _rising(f, formula, x, args, kwds, -np.inf, 0.0)

    def logsf(x, *args, **kwds):
        formula = f.logsf if f.logsf is not None else (lambda y, *shapes: np.log1p(-f.cdf(y, *shapes))) if f.sf is None else (lambda y, *shapes: _log_of_part(f.sf(y, *shapes), f.cdf(y, *shapes)))
        return _rising(f, formula, x, args, kwds, 0.0, -np.inf)

    def ppf(q, *args, **kwds):
        return _quantile(f, inverse, q, args, kwds, False)

    def isf(q, *args, **kwds):
        return _quantile(f, (lambda q, *shapes: inverse(1.0 - q, *shapes)) if inverse_of_rest is None else inverse_of_rest, q, args, kwds, True)

    def entropy(*args, **kwds):
        shapes, valid, loc, scale = _parts(f, args, kwds)
        loc, scale = _real(loc), _real(scale)
        return np.where(valid & (scale > 0) & ~np.isnan(loc), f.entropy(*shapes) + np.log(np.where(scale > 0, scale, 1.0)), np.nan)[()]

    def mean(*args, **kwds):
        return _moment(f, f.mean, args, kwds, 1)

    def var(*args, **kwds):
        return _moment(f, f.var, args, kwds, 2)

    def std(*args, **kwds):
        return np.sqrt(_moment(f, f.var, args, kwds, 2))

    def median(*args, **kwds):
        return _quantile(f, inverse, 0.5, args, kwds, False)

    def interval(confidence, *args, **kwds):
        outside = outside_of(_real(confidence))
        return _quantile(f, inverse, outside, args, kwds, False), _quantile(f, inverse, 1.0 - outside, args, kwds, False)

    needs = (
        (f.logpdf, (pdf, logpdf)), (f.cdf, (cdf, sf, logcdf, logsf)), (inverse, (ppf, isf, median, interval)), (f.entropy, (entropy,)), (f.mean, (mean,)), (f.var, (var, std)),
    )  # fmt: skip
    return {method.__name__: method for formula, methods in needs if formula is not None for method in methods}
