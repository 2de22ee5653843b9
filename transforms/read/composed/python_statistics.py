"""Functions of the module statistics, as Python: they are read like a user's. Sums are rounded once, as those of fractions are there."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def _values(data, least, message):
    """The numbers, of which there must be so many."""
    values = list(data)
    if len(values) < least:
        _fail(message)
    return values


def _fail(message):
    import statistics  # where a program uses it, it is loaded

    raise statistics.StatisticsError(message)


def _kind(values, name):
    """The class of what is computed of them."""
    kind = type(sum(values))
    _refuse_complex(kind)
    if not issubclass(kind, float) and kind.__name__ not in ("float32", "float16"):
        unsupported(f"statistics.{name} of integers that only the run knows", "statistics.fmean, or float(…) of each")
    return kind


def _refuse_complex(kind):
    """Raise Python's TypeError, which makes a fraction of each."""
    if issubclass(kind, complex | np.complexfloating):
        raise TypeError(f"can't convert type '{kind.__name__}' to numerator/denominator")


def mean(data):
    """statistics.mean."""
    values = _values(data, 1, "mean requires at least one data point")
    return _kind(values, "mean")(math.fsum(values) / len(values))


def fmean(data, weights=None):
    """statistics.fmean."""
    values = _values(data, 1, "fmean requires at least one data point")
    if weights is None:
        return math.fsum(values) / len(values)
    weights = list(weights)
    if len(weights) != len(values):
        _fail("data and weights must be the same length")
    total = math.fsum(weights)
    if total == 0.0:
        _fail("sum of weights must be non-zero")
    return math.fsum([value * weight for value, weight in zip(values, weights, strict=True)]) / total


def _squares(values, center):
    """The sum of the squares of what they are beside the center, their mean where there is none."""
    _refuse_complex(type(sum(values)))
    if center is not None:
        return math.fsum([(value - center) ** 2 for value in values])
    middle = math.fsum(values) / len(values)
    beside = [value - middle for value in values]
    return math.fsum([each * each for each in beside]) - math.fsum(beside) ** 2 / len(values)


def variance(data, xbar=None):
    """statistics.variance."""
    values = _values(data, 2, "variance requires at least two data points")
    return _kind(values, "variance")(_squares(values, xbar) / (len(values) - 1))


def pvariance(data, mu=None):
    """statistics.pvariance."""
    values = _values(data, 1, "pvariance requires at least one data point")
    return _kind(values, "pvariance")(_squares(values, mu) / len(values))


def stdev(data, xbar=None):
    """statistics.stdev."""
    values = _values(data, 2, "stdev requires at least two data points")
    return math.sqrt(_squares(values, xbar) / (len(values) - 1))


def pstdev(data, mu=None):
    """statistics.pstdev."""
    values = _values(data, 1, "pstdev requires at least one data point")
    return math.sqrt(_squares(values, mu) / len(values))


def harmonic_mean(data, weights=None):
    """statistics.harmonic_mean."""
    values = _values(data, 1, "harmonic_mean requires at least one data point")
    if min(values) < 0:
        _fail("harmonic mean does not support negative values")
    weights = [1.0 for _ in values] if weights is None else list(weights)
    if len(weights) != len(values):
        _fail("Number of weights does not match data size")
    parts = [np.float64(weight) / value for weight, value in zip(weights, values, strict=True)]
    return _kind(values, "harmonic_mean")(math.fsum(weights) / math.fsum(parts))


def geometric_mean(data):
    """statistics.geometric_mean."""
    message = "geometric mean requires a non-empty dataset containing positive numbers"
    values = _values(data, 1, message)
    if min(values) <= 0:
        _fail(message)
    return math.exp(math.fsum([math.log(value) for value in values]) / len(values))
