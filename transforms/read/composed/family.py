"""What is stated of a distribution of scipy.stats (`families.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Formula = Callable[..., Any]
EULER = 0.5772156649015329
LOG_ROOT_2PI = 0.9189385332046727


def any_shapes(*shapes):
    """Shapes have no bounds."""
    return True


def positive(*shapes):
    """All shapes are positive."""
    valid = True
    for shape in shapes:
        valid = valid & np.greater(shape, 0)
    return valid


def is_chance(p):
    """A probability."""
    return np.greater_equal(p, 0) & np.less_equal(p, 1)


def is_rate(p):
    """A probability that is not 0."""
    return np.greater(p, 0) & np.less_equal(p, 1)


def is_count(n):
    """A count."""
    return np.greater_equal(n, 0) & np.equal(np.floor(n), n)


def outside_of(confidence):
    """The share on either side of an interval that has this one."""
    if np.any((np.asarray(confidence) > 1) | (np.asarray(confidence) < 0)):
        raise ValueError("alpha must be between 0 and 1 inclusive")
    return (1.0 - confidence) / 2.0


def minus_infinity(*shapes):
    """No bound below, whatever the shapes."""
    return -np.inf


def infinity(*shapes):
    """No bound above."""
    return np.inf


def zero(*shapes):
    """A bound at 0."""
    return 0.0


def one(*shapes):
    """A bound at 1."""
    return 1.0


@dataclass(frozen=True)
class Family:
    """What is known of a distribution; None where SciPy's own number is not such a formula."""

    shapes: str = ""
    """The names of its shapes, as SciPy lists them."""
    valid: Formula = any_shapes
    low: Formula = minus_infinity
    high: Formula = infinity
    logpdf: Formula | None = None
    pdf: Formula | None = None
    cdf: Formula | None = None
    sf: Formula | None = None
    logcdf: Formula | None = None
    logsf: Formula | None = None
    ppf: Formula | None = None
    isf: Formula | None = None
    entropy: Formula | None = None
    mean: Formula | None = None
    var: Formula | None = None
    open: bool = False
    """Whether the density is 0 at the ends of the support, where its formula is no number."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the shapes."""
        return tuple(self.shapes.split(", ")) if self.shapes else ()


@dataclass(frozen=True)
class Counts:
    """What is known of a distribution of counts; None where SciPy's own number is not such a formula."""

    shapes: str = ""
    valid: Formula = any_shapes
    low: Formula = zero
    high: Formula = infinity
    logpmf: Formula | None = None
    pmf: Formula | None = None
    cdf: Formula | None = None
    sf: Formula | None = None
    logsf: Formula | None = None
    ppf: Formula | None = None
    own_isf: bool = False
    """Whether SciPy inverts the complement; elsewhere isf(q) is its ppf(1 - q), which decides at the jumps."""
    entropy: Formula | None = None
    mean: Formula | None = None
    var: Formula | None = None
    between: bool = False
    """Whether SciPy's formulas of distribution functions are taken of what lies between counts as it stands; elsewhere they are steps."""
    only_counts: bool = False
    """Whether SciPy's distribution functions are nan between counts, and their logarithms other numbers than those of a step."""
    adds_both: bool = False
    """Whether SciPy adds probabilities on either side of a count, so that what is left above it has all its digits, however little."""
    example: tuple[float, ...] = ()
    """Shapes that are valid."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the shapes."""
        return tuple(self.shapes.split(", ")) if self.shapes else ()


def where_above(limit, shape, value):
    """value(shape) where the shape is above a limit, else infinite."""
    above = np.greater(shape, limit)
    return np.where(above, value(np.where(above, shape, limit + 1.0)), np.inf)
