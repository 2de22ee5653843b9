"""scipy.stats: what distributions draw from a generator, with SciPy's own stream of numbers.

`random_state` is a Generator, a RandomState, a known seed, or None: NumPy's own generator.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.counts import COUNTS
from s2s.transforms.read.composed.families import FAMILIES
from s2s.transforms.read.composed.given_generators import generator_of

_DRAWS: dict[str, Callable[..., Any]] = {
    "norm": lambda rng, size: rng.standard_normal(size),
    "expon": lambda rng, size: rng.standard_exponential(size),
    "gamma": lambda rng, size, a: rng.standard_gamma(a, size),
    "beta": lambda rng, size, a, b: rng.beta(a, b, size),
    "chi2": lambda rng, size, df: rng.chisquare(df, size),
    "laplace": lambda rng, size: rng.laplace(0, 1, size),
    "logistic": lambda rng, size: rng.logistic(size=size),
    "lognorm": lambda rng, size, s: np.exp(s * rng.standard_normal(size)),
    "uniform": lambda rng, size: rng.uniform(0.0, 1.0, size),
    "t": lambda rng, size, df: rng.standard_t(df, size),
    "f": lambda rng, size, dfn, dfd: rng.f(dfn, dfd, size),
    "halfnorm": lambda rng, size: np.abs(rng.standard_normal(size)),
    "rayleigh": lambda rng, size: np.sqrt(rng.chisquare(2, size)),
    "maxwell": lambda rng, size: np.sqrt(rng.chisquare(3.0, size)),
    "chi": lambda rng, size, df: np.sqrt(rng.chisquare(df, size)),
    "nakagami": lambda rng, size, nu: np.sqrt(rng.standard_gamma(nu, size) / nu),
    "gengamma": lambda rng, size, a, c: rng.standard_gamma(a, size) ** (1.0 / c),
    "betaprime": lambda rng, size, a, b: rng.standard_gamma(a, size) / rng.standard_gamma(b, size),
    "exponnorm": lambda rng, size, K: rng.standard_exponential(size) * K + rng.standard_normal(size),
    "moyal": lambda rng, size: -np.log(rng.standard_gamma(0.5, size) * 2),
    "invgauss": lambda rng, size, mu: rng.wald(mu, 1.0, size),
    "wald": lambda rng, size: rng.wald(1.0, 1.0, size),
    "semicircular": lambda rng, size: np.sqrt(rng.uniform(size=size)) * np.cos(np.pi * rng.uniform(size=size)),
    "triang": lambda rng, size, c: rng.triangular(0, c, 1, size),
    "vonmises": lambda rng, size, kappa: rng.vonmises(0.0, kappa, size),
    "skewnorm": lambda rng, size, a: _skewed(a, rng.normal(size=size), rng.normal(size=size)),
}
"""Of location 0 and scale 1."""
_BY_QUANTILES = (
    "cauchy", "gumbel_r", "gumbel_l", "weibull_min", "weibull_max", "exponweib", "pareto", "lomax", "powerlaw", "loguniform", "reciprocal", "genpareto", "burr12", "fisk", "truncnorm", "johnsonsu", "levy",
    "invgamma", "arcsine", "anglit", "truncexpon", "halfcauchy", "hypsecant", "laplace_asymmetric",
)  # fmt: skip
"""Of these SciPy draws where a uniform number lies between 0 and 1."""
_COUNTS: dict[str, Callable[..., Any]] = {
    "poisson": lambda rng, size, mu: rng.poisson(mu, size),
    "binom": lambda rng, size, n, p: rng.binomial(n, p, size),
    "bernoulli": lambda rng, size, p: rng.binomial(1, p, size),
    "geom": lambda rng, size, p: rng.geometric(p, size),
    "nbinom": lambda rng, size, n, p: rng.negative_binomial(n, p, size),
    "hypergeom": lambda rng, size, M, n, N: rng.hypergeometric(n, M - n, N, size),
    "logser": lambda rng, size, p: rng.logseries(p, size),
    "zipf": lambda rng, size, a: rng.zipf(a, size),
    "betabinom": lambda rng, size, n, a, b: rng.binomial(n, rng.beta(a, b, size), size),
    "dlaplace": lambda rng, size, a: rng.geometric(-np.expm1(-np.asarray(a)), size) - rng.geometric(-np.expm1(-np.asarray(a)), size),
}


def _skewed(a, one, other):
    share = a / np.sqrt(1 + a**2)
    found = share * one + other * np.sqrt(1 - share**2)
    return np.where(one >= 0, found, -found)


def _around(x):
    """On the circle from -pi to pi."""
    return np.mod(x + np.pi, 2 * np.pi) - np.pi


def _by_quantiles(name):
    """The draw by the distribution's quantiles."""
    ppf = FAMILIES[name].ppf

    def draw(rng, size, *shapes):
        return ppf(rng.uniform(size=size), *shapes)

    return draw


def _drawn(name, family, draw, names, args, kwds):
    """Numbers times the scale plus the location, of the size that all parameters have if none is given."""
    if len(args) > len(names):
        raise TypeError(f"_parse_args_rvs() takes from {len(family.names) + 1} to {len(names) + 1} positional arguments but {len(args) + 1} were given")
    for each in kwds:
        if each not in (*names, "random_state"):
            raise TypeError(f"_parse_args_rvs() got an unexpected keyword argument '{each}'")
        if each in names[: len(args)]:
            raise TypeError(f"_parse_args_rvs() got multiple values for argument '{each}'")
    for each in family.names[len(args) :]:
        if each not in kwds:
            raise TypeError(f"_parse_args_rvs() missing 1 required positional argument: '{each}'")
    given = {"loc": 0, "scale": 1, "size": None, "random_state": None, **dict(zip(names, args, strict=False)), **kwds}
    shapes = [given[each] for each in family.names]
    loc, scale, size = given["loc"], given["scale"], given["size"]
    if not (np.all(family.valid(*shapes)) and np.all(np.greater_equal(scale, 0))):
        raise ValueError(
            "Domain error in arguments. The `scale` parameter must be positive for all distributions, and many distributions have restrictions on shape parameters. "
            f"Please see the `scipy.stats.{name}` documentation for details."
        )
    sizes = np.broadcast_shapes(*[np.shape(each) for each in (*shapes, loc, scale)])
    size = size if size is not None else sizes if len(sizes) > 0 else None
    return (np.asarray(draw(generator_of(None, given["random_state"]), size, *shapes)) * scale + loc)[()]


def _rvs(name, draw):
    family = FAMILIES[name]
    names = (*family.names, "loc", "scale", "size")

    def rvs(*args, **kwds):
        found = _drawn(name, family, draw, names, args, kwds)
        return _around(found) if name == "vonmises" else found

    return rvs


def _rvs_of_counts(name, draw):
    family = COUNTS[name]
    names = (*family.names, "loc", "size")

    def rvs(*args, **kwds):
        counts = _drawn(name, family, draw, names, args, kwds)
        return int(counts) if np.ndim(counts) == 0 else counts.astype(np.int64)

    return rvs


SAMPLED: dict[str, Callable[..., Any]] = {
    **{f"scipy.stats.{name}.rvs": _rvs(name, draw) for name, draw in ({name: _by_quantiles(name) for name in _BY_QUANTILES} | _DRAWS).items()},
    **{f"scipy.stats.{name}.rvs": _rvs_of_counts(name, draw) for name, draw in _COUNTS.items()},
}  # fmt: skip
"""By qualified name."""
