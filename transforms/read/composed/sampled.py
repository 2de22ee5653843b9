"""scipy.stats: what distributions draw from a generator, with SciPy's own stream of numbers, and fits that are formulas.

`random_state` is a Generator, a RandomState, a known seed, or None: NumPy's own generator.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.counts import COUNTS
from s2s.transforms.read.composed.families import FAMILIES

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
}
"""Of location 0 and scale 1."""
_COUNTS: dict[str, Callable[..., Any]] = {
    "poisson": lambda rng, size, mu: rng.poisson(mu, size),
    "binom": lambda rng, size, n, p: rng.binomial(n, p, size),
    "bernoulli": lambda rng, size, p: rng.binomial(1, p, size),
}


def _generator(random_state):
    if random_state is None:
        return np.random
    return np.random.RandomState(random_state) if isinstance(random_state, int) else random_state


def _drawn(name, family, draw, names, args, kwds):
    """Numbers times the scale plus the location, of the size that all parameters have if none is given."""
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
    return (np.asarray(draw(_generator(given["random_state"]), size, *shapes)) * scale + loc)[()]


def _rvs(name, draw):
    family = FAMILIES[name]
    names = (*family.names, "loc", "scale", "size")

    def rvs(*args, **kwds):
        return _drawn(name, family, draw, names, args, kwds)

    return rvs


def _rvs_of_counts(name, draw):
    family = COUNTS[name]
    names = (*family.names, "loc", "size")

    def rvs(*args, **kwds):
        counts = _drawn(name, family, draw, names, args, kwds)
        return int(counts) if np.ndim(counts) == 0 else counts.astype(np.int64)

    return rvs


# ---- fits -----------------------------------------------------------------------------------------------------------------------


def _finite(data):
    data = np.asarray(data)
    if not np.all(np.isfinite(data)):
        raise ValueError("The data contains non-finite values.")
    return data


def _one_free(floc, fscale):
    if floc is not None and fscale is not None:
        raise ValueError("All parameters fixed. There is nothing to optimize.")


def norm_fit(data, *, floc=None, fscale=None):
    """scipy.stats.norm.fit: mean and standard deviation."""
    _one_free(floc, fscale)
    data = _finite(data)
    loc = np.mean(data) if floc is None else floc
    return loc, np.sqrt(np.mean((data - loc) ** 2)) if fscale is None else fscale


def expon_fit(data, *, floc=None, fscale=None):
    """scipy.stats.expon.fit: the least number, and how far the mean is from it."""
    _one_free(floc, fscale)
    data = _finite(data)
    loc = np.min(data) if floc is None else floc
    return np.float64(loc), np.float64(np.mean(data) - loc if fscale is None else fscale)


def laplace_fit(data, *, floc=None, fscale=None):
    """scipy.stats.laplace.fit: the median, and the mean distance from it."""
    if floc is not None and fscale is not None:
        raise RuntimeError("All parameters fixed. There is nothing to optimize.")
    data = _finite(data)
    loc = np.median(data) if floc is None else floc
    return loc, np.sum(np.abs(data - loc)) / len(data) if fscale is None else fscale


SAMPLED: dict[str, Callable[..., Any]] = {
    **{f"scipy.stats.{name}.rvs": _rvs(name, draw) for name, draw in _DRAWS.items()},
    **{f"scipy.stats.{name}.rvs": _rvs_of_counts(name, draw) for name, draw in _COUNTS.items()},
    "scipy.stats.norm.fit": norm_fit, "scipy.stats.expon.fit": expon_fit, "scipy.stats.laplace.fit": laplace_fit,
}  # fmt: skip
"""By qualified name."""
