"""scipy.optimize.line_search: a step that satisfies Wolfe's strong conditions.

Method: Nocedal and Wright, "Numerical optimization" (1999), algorithms 3.5 and 3.6, with SciPy's interpolation and limits.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np


def line_search(f, myfprime, xk, pk, gfk=None, old_fval=None, old_old_fval=None, args=(), c1=0.0001, c2=0.9, amax=None, extra_condition=None, maxiter=10):
    """scipy.optimize.line_search: the step, the calls of both functions, the new and the old value, the new slope; None for what was not found."""
    if not 0 < c1 < c2 < 1:
        raise ValueError("'c1' and 'c2' do not satisfy '0 < c1 < c2 < 1'.")
    xk, pk = np.asarray(xk), np.asarray(pk)
    first = myfprime(xk, *args) if gfk is None else gfk
    start, slope = f(xk, *args) if old_fval is None else old_fval, np.dot(first, pk)
    counts, latest = [1 if old_fval is None else 0, 0], [np.asarray(first) * 1.0]

    def value(step):
        counts[0] += 1
        return f(xk + step * pk, *args)

    def derivative(step):
        counts[1] += 1
        latest[0] = np.asarray(myfprime(xk + step * pk, *args)) * 1.0
        return np.dot(latest[0], pk)

    def accepted(step, found):
        return True if extra_condition is None else bool(extra_condition(step, xk + step * pk, found, latest[0]))

    step, found, outcome = _searched(value, derivative, accepted, start, slope, old_old_fval, c1, c2, amax, maxiter)
    if outcome == FAILED:
        return None, counts[0], counts[1], None, start, None
    if outcome == BEYOND:
        return None, counts[0], counts[1], start, old_old_fval, None
    if outcome == STOPPED:
        return step, counts[0], counts[1], found, start, None
    return step, counts[0], counts[1], found, start, latest[0]


FOUND, FAILED, BEYOND, STOPPED = 0, 1, 2, 3
"""How a search ends: with a step, without one between two steps, at a limit, with the last step that it tried."""


def _searched(value, derivative, accepted, start, slope, before, c1, c2, amax, maxiter):
    step = 1.0
    if before is not None and slope != 0:
        step = min(1.0, 1.01 * 2 * (start - before) / slope)
    if step < 0:
        step = 1.0
    if amax is not None:
        step = min(step, amax)
    last, found, found_last, slope_last = 0.0, value(step), start * 1.0, slope * 1.0
    outcome, trial = STOPPED, 0
    while trial < maxiter:
        if step == 0 or amax is not None and last > amax:
            outcome = BEYOND
            break
        if found > start + c1 * step * slope or found >= found_last and trial > 0:
            step, found, outcome = _between(value, derivative, accepted, start, slope, c1, c2, (last, found_last, slope_last), (step, found))
            break
        slope_here = derivative(step)
        if abs(slope_here) <= -c2 * slope and accepted(step, found):
            outcome = FOUND
            break
        if slope_here >= 0:
            step, found, outcome = _between(value, derivative, accepted, start, slope, c1, c2, (step, found, slope_here), (last, found_last))
            break
        further = 2 * step
        if amax is not None:
            further = min(further, amax)
        last, step, found_last, slope_last = step, further, found, slope_here
        found = value(step)
        trial += 1
    return step, found, outcome


def _between(value, derivative, accepted, start, slope, c1, c2, better, worse):
    """A step between two, of which the better one has the smaller value."""
    low, found_low, slope_low = better
    high, found_high = worse
    recent, found_recent, trial = 0.0, start * 1.0, 0
    step, found = low, found_low
    while trial <= 10:
        width = high - low
        first, last = min(low, high), max(low, high)
        step = _lowest_of_cubic(low, found_low, slope_low, high, found_high, recent, found_recent) if trial > 0 else np.nan
        if not (first + 0.2 * width <= step <= last - 0.2 * width):
            step = _lowest_of_parabola(low, found_low, slope_low, high, found_high)
            if not (first + 0.1 * width <= step <= last - 0.1 * width):
                step = low + 0.5 * width
        found = value(step)
        if found > start + c1 * step * slope or found >= found_low:
            recent, found_recent, high, found_high = high, found_high, step, found
        else:
            slope_here = derivative(step)
            if abs(slope_here) <= -c2 * slope and accepted(step, found):
                return step, found, FOUND
            if slope_here * (high - low) >= 0:
                recent, found_recent, high, found_high = high, found_high, low, found_low
            else:
                recent, found_recent = low, found_low
            low, found_low, slope_low = step, found, slope_here
        trial += 1
    return step, found, FAILED


def _lowest_of_cubic(a, fa, slope, b, fb, c, fc):
    """Of the polynomial through three points with this slope at the first, nan where there is none."""
    b, c = b - a, c - a
    size = (b * c) ** 2 * (b - c)
    one, two = fb - fa - slope * b, fc - fa - slope * c
    safe = size if size != 0 else 1.0
    third, second = (c**2 * one - b**2 * two) / safe, (-(c**3) * one + b**3 * two) / safe
    radical = second * second - 3 * third * slope
    if size == 0 or third == 0 or not radical >= 0:
        return np.nan
    return a + (-second + np.sqrt(radical)) / (3 * third)


def _lowest_of_parabola(a, fa, slope, b, fb):
    b = b - a
    bent = (fb - fa - slope * b) / (b * b) if b != 0 else 0.0
    return a - slope / (2.0 * bent) if bent != 0 else np.nan


LINE_SEARCHES: dict[str, Any] = {"scipy.optimize.line_search": line_search}
"""By qualified name."""
