"""scipy.stats' distributions of tables: rv_histogram, and rv_discrete of values with their chances. The classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.family import outside_of
from s2s.transforms.read.composed.marks import unsupported


class TableDistribution:
    """What both kinds have in common: what follows from `cdf`, `ppf`, `moment` and `support`."""

    def __getattr__(self, name):
        unsupported(f"{name} of a distribution of a table", "its density, cdf, ppf, moments and entropy; what is drawn as an argument")

    def sf(self, x):
        return 1.0 - self.cdf(x)

    def logcdf(self, x):
        return np.log(self.cdf(x))

    def logsf(self, x):
        return np.log1p(-self.cdf(x))

    def isf(self, q):
        return self.ppf(1.0 - np.asarray(q))

    def median(self):
        return self.ppf(0.5)

    def interval(self, confidence):
        outside = outside_of(confidence)
        return self.ppf(outside), self.ppf(1.0 - outside)

    def mean(self):
        return self.moment(1)

    def var(self):
        return self.moment(2) - self.moment(1) ** 2

    def std(self):
        return np.sqrt(self.var())


class HistogramDistribution(TableDistribution):
    """scipy.stats.rv_histogram."""

    def __init__(self, heights, edges):
        self.heights, self.edges = heights, edges
        self.shares = np.concatenate((np.zeros(1), np.cumsum(heights * (edges[1:] - edges[:-1]))))

    def pdf(self, x):
        x = np.asarray(x, np.float64)
        steps = np.concatenate((np.zeros(1), self.heights, np.zeros(1)))
        return np.where(np.isnan(x), np.nan, steps[np.searchsorted(self.edges, x, side="right")])[()]

    def logpdf(self, x):
        return np.log(self.pdf(x))

    def cdf(self, x):
        return np.interp(x, self.edges, self.shares)

    def ppf(self, q):
        q = np.asarray(q, np.float64)
        return np.where((q >= 0) & (q <= 1), np.interp(q, self.shares, self.edges), np.nan)[()]

    def support(self):
        return self.edges[0], self.edges[-1]

    def moment(self, order):
        if order not in range(1, 5):
            unsupported(f"the moment {order!r} of a histogram", "1, 2, 3 or 4")
        return np.sum(self.heights * (self.edges[1:] ** (order + 1) - self.edges[:-1] ** (order + 1)) / (order + 1.0))

    def entropy(self):
        widths = self.edges[1:] - self.edges[:-1]
        return -np.sum(np.where(self.heights > 0, self.heights * np.log(np.where(self.heights > 0, self.heights, 1.0)), 0.0) * widths)


class ValuesDistribution(TableDistribution):
    """scipy.stats.rv_discrete of values and their chances, in order."""

    def __init__(self, values, chances):
        self.xk, self.pk = values, chances
        self.qvals = np.cumsum(chances)

    def pmf(self, k):
        k = np.asarray(k)
        return np.where(np.isnan(k), np.nan, np.sum(np.where(k[..., np.newaxis] == self.xk, self.pk, 0.0), axis=-1))[()]

    def logpmf(self, k):
        return np.log(self.pmf(k))

    def cdf(self, x):
        x = np.asarray(x)
        sums = np.concatenate((np.zeros(1), self.qvals[:-1], np.ones(1)))
        return np.where(np.isnan(x), np.nan, sums[np.searchsorted(self.xk, x, side="right")])[()]

    def ppf(self, q):
        q = np.asarray(q, np.float64)
        found = 1.0 * self.xk[np.argmax(self.qvals >= q[..., np.newaxis], axis=-1)]
        found = np.where(q == 0, self.xk[0] - 1.0, np.where(q == 1, self.xk[-1], found))
        return np.where((q >= 0) & (q <= 1), found, np.nan)[()]

    def support(self):
        return self.xk[0], self.xk[-1]

    def moment(self, order):
        return np.sum(self.xk ** (1.0 * order) * self.pk)

    def expect(self, func=None):
        return np.sum((self.xk if func is None else func(self.xk)) * self.pk)

    def entropy(self):
        shares = self.pk / np.sum(self.pk)
        return -np.sum(np.where(shares > 0, shares * np.log(np.where(shares > 0, shares, 1.0)), 0.0))


def rv_histogram(histogram, *args, density=None, **kwargs):
    """scipy.stats.rv_histogram; without `density` widths that differ are an error (SciPy warns, and takes densities)."""
    if args or kwargs:
        unsupported("scipy.stats.rv_histogram with further arguments", "density")
    if len(histogram) != 2:
        raise ValueError("Expected length 2 for parameter histogram")
    heights, edges = np.asarray(histogram[0], np.float64), np.asarray(histogram[1], np.float64)
    if heights.shape[0] + 1 != edges.shape[0]:
        raise ValueError("Number of elements in histogram content and histogram boundaries do not match, expected n and n+1.")
    widths = edges[1:] - edges[:-1]
    if density is None and not np.allclose(widths, widths[0]):
        raise NotImplementedError("scipy.stats.rv_histogram of bins of several widths without density=… is not supported")
    heights = heights if density else heights / widths
    return HistogramDistribution(heights / np.sum(heights * widths), edges)


def rv_discrete(a=0, b=np.inf, name=None, badvalue=None, moment_tol=1e-08, values=None, inc=1, longname=None, shapes=None, seed=None):
    """scipy.stats.rv_discrete of values with their chances."""
    if values is None or badvalue is not None or shapes is not None:
        unsupported("scipy.stats.rv_discrete other than of values", "values=(numbers, chances)")
    numbers, chances = np.asarray(values[0]).ravel(), np.asarray(values[1], np.float64).ravel()
    if numbers.shape[0] != chances.shape[0]:
        raise ValueError("xk and pk must have the same shape.")
    if np.any(chances < 0):
        raise ValueError("All elements of pk must be non-negative.")
    if not np.allclose(np.sum(chances), 1):
        raise ValueError("The sum of provided pk is not 1.")
    order = np.argsort(numbers)
    numbers = numbers[order]
    if np.any(numbers[1:] == numbers[:-1]):
        raise ValueError("xk may not contain duplicate values.")
    if np.any(numbers != np.floor(numbers)):
        raise NotImplementedError("scipy.stats.rv_discrete of values that are no integers is not supported")
    return ValuesDistribution(numbers, chances[order])


OWN_DISTRIBUTIONS: dict[str, Any] = {"scipy.stats.rv_histogram": rv_histogram, "scipy.stats.rv_discrete": rv_discrete}
"""By qualified name."""
