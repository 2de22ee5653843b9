"""scipy.optimize.minimize by Nelder's and Mead's simplices, along Powell's directions, and by conjugate gradients.

Methods: Nelder and Mead 1965, with SciPy's constants, first simplex and order of what is tried, so that its numbers are SciPy's; Polak and Ribière 1969, whose steps are searched as BFGS's; Powell 1964 in Acton's variant.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.fitting import _brent


def nelder_mead(f, x, low, high, simplex, xatol, fatol, adaptive, most, most_values, stops):
    """The lowest corner within bounds, from x or from the corners `simplex`; and how many steps and values it took, and how it ended: 0, 1 (too many values), 2 (too many steps) or 99 (`stops` of x and its value)."""
    n = x.size
    grown, shrunk, pulled = (1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n) if adaptive else (2.0, 0.5, 0.5)
    corners, values = np.empty((n + 1, n)), np.empty(n + 1)
    x = np.clip(x, low, high)
    corners[0] = x
    for k in range(n):
        corners[k + 1] = x
        corners[k + 1, k] = 1.05 * x[k] if x[k] != 0 else 0.00025
    if simplex is not None:
        corners[:] = simplex
    corners = np.clip(np.where(corners > high, 2.0 * high - corners, corners), low, high)
    for k in range(n + 1):
        values[k] = f(corners[k].copy())
    order = np.argsort(values)
    corners, values = corners[order], values[order]
    order = np.argsort(values)  # as SciPy, twice
    corners, values = corners[order], values[order]
    nit, nfev, stopped = 1, n + 1, False
    while not stopped and nfev < most_values and nit < most and not (np.max(np.abs(corners[1:] - corners[0])) <= xatol and np.max(np.abs(values[0] - values[1:])) <= fatol):
        middle = np.sum(corners[:-1], axis=0) / n
        reflected = np.clip(2.0 * middle - corners[-1], low, high)
        value = f(reflected)
        nfev += 1
        shrinks = False
        if value < values[0]:
            further = np.clip((1 + grown) * middle - grown * corners[-1], low, high)
            value_further = f(further)
            nfev += 1
            if value_further < value:
                corners[-1], values[-1] = further, value_further
            else:
                corners[-1], values[-1] = reflected, value
        elif value < values[-2]:
            corners[-1], values[-1] = reflected, value
        else:
            outside = value < values[-1]
            between = np.clip((1 + shrunk) * middle - shrunk * corners[-1] if outside else (1 - shrunk) * middle + shrunk * corners[-1], low, high)
            value_between = f(between)
            nfev += 1
            if value_between <= value if outside else value_between < values[-1]:
                corners[-1], values[-1] = between, value_between
            else:
                shrinks = True
        if shrinks:
            for j in range(1, n + 1):
                corners[j] = np.clip(corners[0] + pulled * (corners[j] - corners[0]), low, high)
                values[j] = f(corners[j].copy())
            nfev += n
        nit += 1
        order = np.argsort(values)
        corners, values = corners[order], values[order]
        stopped = stops(corners[0], values[0])
    return corners[0].copy(), (nit, nfev, 99 if stopped else 1 if nfev >= most_values else 2 if nit >= most else 0)


def largest(x):
    """The length of a slope, by its largest number."""
    return np.max(np.abs(x), initial=0.0)


def conjugate_gradients(value_and_slope, line_search, x, gtol, most, stops, size=largest):
    """The minimum; and how many steps and values it took, and how it ended: 0, 1 (too many steps) or 2 (no step brings less)."""
    value, slope = value_and_slope(x)
    direction = -slope
    nit, nfev, status = 0, 1, 0
    last = value + np.linalg.norm(slope) / 2
    while status == 0 and size(slope) > gtol:
        if nit == most:
            status = 1
        else:
            promise = slope @ direction
            if promise >= 0:
                direction = -slope
                promise = slope @ direction
            first = min(1.0, 2.02 * (value - last) / promise)
            step, value_new, slope_new, tries = line_search(value_and_slope, x, direction, value, promise, first if first > 0 else 1.0, 0.1)
            nfev += tries
            if step == 0.0:
                status = 2
            else:
                nit += 1
                x = x + step * direction
                turned = max(0.0, slope_new @ (slope_new - slope) / (slope @ slope))
                direction = turned * direction - slope_new
                last, value, slope = value, value_new, slope_new
                if stops(x, value):
                    status = 99
    return x, (nit, nfev, status)


def powell(f, x, xtol, ftol, most, most_values, stops):
    """The minimum along one direction after the other, of which the best is replaced by the whole move; counts and status as above."""
    n = x.size
    directions = np.eye(n)
    value, nit, nfev, status, found = f(x), 0, 1, 0, False
    while not found and status == 0:
        start, value_start, best, most_gained = x, value, 0, 0.0
        for k in range(n):
            before = value
            x, value, count = _along(f, x, directions[k], xtol)
            nfev += count
            if before - value > most_gained:
                best, most_gained = k, before - value
        nit += 1
        found = 2.0 * (value_start - value) <= ftol * (abs(value_start) + abs(value)) + 1e-20
        stopped = stops(x, value)
        status = 99 if stopped else 0 if found else 1 if nfev >= most_values else 2 if nit >= most else 0
        if not found and status == 0:
            moved = x - start
            beyond = f(x + moved)
            nfev += 1
            if beyond < value_start:
                bend = 2.0 * (value_start + beyond - 2.0 * value) * (value_start - value - most_gained) ** 2
                if bend - most_gained * (value_start - beyond) ** 2 < 0.0:
                    x, value, count = _along(f, x, moved, xtol)
                    nfev += count
                    directions[best] = directions[n - 1]
                    directions[n - 1] = moved
    return x, (nit, nfev, status)


def _along(f, x, direction, xtol):
    part, counts = _brent(lambda part: f(x + part * direction), None, 1e-2 * xtol, 500)
    return x + part * direction, f(x + part * direction), counts[1]
