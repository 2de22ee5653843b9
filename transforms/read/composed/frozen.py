"""Distributions of scipy.stats with their parameters: scipy.stats.norm(0.0, 2.0). The class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from s2s.transforms.read.composed.marks import unsupported


class Frozen:
    """A distribution, and what its methods are given behind their own argument."""

    def __init__(self, dist, args, kwds):
        self.dist, self.args, self.kwds = dist, args, kwds

    def __getattr__(self, name):
        unsupported(f"{name} of a distribution of scipy.stats that holds its parameters", "its density or distribution function; what is drawn as an argument")

    def pdf(self, x):
        return self.dist.pdf(x, *self.args, **self.kwds)

    def logpdf(self, x):
        return self.dist.logpdf(x, *self.args, **self.kwds)

    def pmf(self, k):
        return self.dist.pmf(k, *self.args, **self.kwds)

    def logpmf(self, k):
        return self.dist.logpmf(k, *self.args, **self.kwds)

    def cdf(self, x):
        return self.dist.cdf(x, *self.args, **self.kwds)

    def logcdf(self, x):
        return self.dist.logcdf(x, *self.args, **self.kwds)

    def sf(self, x):
        return self.dist.sf(x, *self.args, **self.kwds)

    def logsf(self, x):
        return self.dist.logsf(x, *self.args, **self.kwds)

    def ppf(self, q):
        return self.dist.ppf(q, *self.args, **self.kwds)

    def entropy(self):
        return self.dist.entropy(*self.args, **self.kwds)

    def mean(self):
        return self.dist.mean(*self.args, **self.kwds)

    def var(self):
        return self.dist.var(*self.args, **self.kwds)

    def cov(self):
        return self.dist.cov(*self.args, **self.kwds)

    def isf(self, q):
        return self.dist.isf(q, *self.args, **self.kwds)

    def interval(self, confidence):
        return self.dist.interval(confidence, *self.args, **self.kwds)

    def std(self):
        return self.dist.std(*self.args, **self.kwds)

    def stats(self, moments="mv"):
        return self.dist.stats(*self.args, **self.kwds, moments=moments)

    def moment(self, order):
        return self.dist.moment(order, *self.args, **self.kwds)

    def support(self):
        return self.dist.support(*self.args, **self.kwds)

    def expect(self, func=None, lb=None, ub=None, conditional=False, **kwds):
        names = (*(self.dist.shapes.split(", ") if self.dist.shapes else ()), "loc", "scale")
        given = {**dict(zip(names, self.args, strict=False)), **self.kwds}
        shapes = tuple(given[name] for name in names if name in given and name not in ("loc", "scale"))
        places = {name: given[name] for name in ("loc", "scale") if name in given}
        return self.dist.expect(func, shapes, **places, lb=lb, ub=ub, conditional=conditional, **kwds)

    def rvs(self, size=None, random_state=None):
        return self.dist.rvs(*self.args, **self.kwds, size=size, random_state=random_state)

    def median(self):
        return self.dist.median(*self.args, **self.kwds)


def freeze(dist, *args, **kwds):
    """scipy.stats.norm(0.0, 2.0) and the like; `dist` is the distribution itself."""
    return Frozen(dist, args, kwds)
