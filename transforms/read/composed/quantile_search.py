"""scipy.stats: quantiles of distributions whose distribution function is a formula and its inverse is none: roots, with the derivatives of the implicit function theorem.

A root is found by halving, as a constant; two of Newton's steps that change nothing of its value bring its derivatives: one step those of the first order, two those up to the third.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import constant

FARTHEST = 1e300
"""As far from 0 as a root is looked for."""


def sought(formula, density, low, high, falling):
    """The inverse of a formula that rises with a density, or falls, from `low` to `high` (functions of the shapes)."""

    def quantile(q, *shapes):
        q, *shapes = np.broadcast_arrays(q, *shapes)

        def gap(y):
            return (q - formula(y, *shapes)) if falling else (formula(y, *shapes) - q)

        start = np.zeros(q.shape)
        y = constant(_between(gap, *_bracket(gap, start + low(*shapes), start + high(*shapes))))
        for _ in range(2):
            step = gap(y) / density(y, *shapes)
            y = y - np.where(np.isfinite(step), step - constant(step), 0.0)
        return y

    return quantile


def _bracket(gap, low, high):
    """Numbers within the support between which the gap changes its sign, beyond 1 a factor of about 2 apart."""
    below, above = np.where(np.isfinite(low), low, np.minimum(-1.0, high - 1.0)), np.where(np.isfinite(high), high, np.maximum(1.0, low + 1.0))
    far, outside = 1.0, np.isinf(low) & (gap(below) > 0)
    while np.any(outside):
        far = 2.0 * far
        below, above = np.where(outside, below - far, below), np.where(outside, below, above)
        outside = np.isinf(low) & (gap(below) > 0) & (below > -FARTHEST)
    far, outside = 1.0, np.isinf(high) & (gap(above) < 0)
    while np.any(outside):
        far = 2.0 * far
        below, above = np.where(outside, above, below), np.where(outside, above + far, above)
        outside = np.isinf(high) & (gap(above) < 0) & (above < FARTHEST)
    return below, above


def _between(gap, below, above):
    """Halved until what is left is rounding."""
    middle = 0.5 * below + 0.5 * above
    open_ = np.ones(middle.shape, bool)
    while np.any(open_):
        rest = gap(middle)
        below, above = np.where(rest <= 0, middle, below), np.where(rest >= 0, middle, above)
        middle = 0.5 * below + 0.5 * above
        open_ = above - below > 2.3e-16 * np.abs(middle) + 1e-300
    return middle


__all__ = ["sought"]
