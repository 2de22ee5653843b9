"""scipy.optimize within bounds: minima by quasi-Newton steps, sums of squares by damped Gauss-Newton steps; minima by Newton's steps.

Methods: Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J. Control Optim. 20 (1982): numbers that a bound holds stay there, the others take the step of a
Newton method among themselves, and what leaves the bounds is put back. What is solved for derivatives is x = clip(x - slope, low, high): at a minimum within bounds
it holds whichever of them holds x, so that the minimum's derivatives are those of the implicit function theorem for free numbers, and those of the bound for others.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

DECREASE = 1e-4
"""The part of the slope's promise that a step must bring."""


def limits(bounds, n):
    """The lower and the upper bounds, as arrays."""
    if bounds is None:
        return np.full(n, -np.inf), np.full(n, np.inf)
    if hasattr(bounds, "lb"):
        low, high = np.asarray(bounds.lb, np.float64), np.asarray(bounds.ub, np.float64)
    elif isinstance(bounds, np.ndarray):
        low, high = bounds[:, 0].astype(np.float64), bounds[:, 1].astype(np.float64)
    else:
        low = np.array([-np.inf if pair[0] is None else pair[0] for pair in bounds], np.float64)
        high = np.array([np.inf if pair[1] is None else pair[1] for pair in bounds], np.float64)
    if low.ndim > 0 and low.shape[0] != n or high.ndim > 0 and high.shape[0] != n:
        raise ValueError("length of x0 != length of bounds")
    low, high = low + np.zeros(n), high + np.zeros(n)
    if np.any(low > high):
        raise ValueError("An upper bound is less than the corresponding lower bound.")
    return low, high


def condition(slope, low, high):
    """What is zero at a minimum within bounds."""
    return lambda x: x - np.clip(x - slope(x), low, high)


def _held(x, slope, low, high):
    """Which numbers a bound holds."""
    return ((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0))


def _among(matrix, right, free):
    """The solution of a system of the free numbers alone; 0 elsewhere."""
    own = np.where(np.outer(free, free), matrix, 0.0) + np.diag(np.where(free, 0.0, 1.0))
    return np.linalg.solve(own, np.where(free, right, 0.0))


def projected_bfgs(value_and_slope, x, low, high, gtol, ftol, most, stops):
    """The minimum within bounds; and how many steps and values it took, and how it ended: 0, 1 (too many steps), 2 (no step brings less) or 99 (`stops` of x and its value)."""
    x = np.clip(x, low, high)
    value, slope = value_and_slope(x)
    hessian = np.eye(x.size) * max(np.linalg.norm(slope), 1e-8)
    nit, nfev, status, found = 0, 1, 0, False
    while status == 0 and not found and np.max(np.abs(x - np.clip(x - slope, low, high)), initial=0.0) > gtol:
        if nit == most:
            status = 1
        else:
            step = _among(hessian, -slope, ~_held(x, slope, low, high))
            part, tries, open_ = 1.0, 0, True
            after, value_new, slope_new = x, value, slope
            while open_ and tries < 60:
                after = np.clip(x + part * step, low, high)
                value_new, slope_new = value_and_slope(after)
                tries += 1
                open_ = not value_new <= value + DECREASE * (slope @ (after - x))
                part = 0.5 * part
            nfev += tries
            if open_ or np.all(after == x):
                status = 2 if nit == 0 or open_ else 0
                found = True
            else:
                nit += 1
                found = value - value_new <= ftol * max(abs(value), abs(value_new), 1.0)
                hessian = _with_turn(hessian, after - x, slope_new - slope, nit == 1)
                x, value, slope = after, value_new, slope_new
                if stops(x, value):
                    status = 99
    return x, (nit, nfev, 0 if status == 2 and np.max(np.abs(x - np.clip(x - slope, low, high)), initial=0.0) <= 1e3 * gtol else status)


def _with_turn(hessian, moved, turned, first):
    """The Hessian that also maps the step to the slope's change, if it curves upwards."""
    along = moved @ turned
    if along <= 1e-14 * np.sqrt((moved @ moved) * (turned @ turned)):
        return hessian
    if first:
        hessian = np.eye(moved.size) * ((turned @ turned) / along)
    image = hessian @ moved
    return hessian - np.outer(image, image) / (moved @ image) + np.outer(turned, turned) / along


def newtons(value_and_slope, hessian, x, gtol, most, stops):
    """The minimum by Newton's steps, uphill curvature turned down; counts and status as above."""
    value, slope = value_and_slope(x)
    nit, nfev, status = 0, 1, 0
    while status == 0 and np.max(np.abs(slope), initial=0.0) > gtol:
        if nit == most:
            status = 1
        else:
            sizes, directions = np.linalg.eigh(hessian(x))
            sizes = np.maximum(np.abs(sizes), 1e-8 * max(np.max(np.abs(sizes)), 1e-300))
            step = -(directions @ ((directions.T @ slope) / sizes))
            part, tries, open_ = 1.0, 0, True
            value_new, slope_new = value, slope
            while open_ and tries < 60:
                value_new, slope_new = value_and_slope(x + part * step)
                tries += 1
                open_ = not value_new <= value + DECREASE * part * (slope @ step)
                part = 0.5 * part if open_ else part
            nfev += tries
            if open_:
                status = 2
            else:
                nit += 1
                x, value, slope = x + part * step, value_new, slope_new
                if stops(x, value):
                    status = 99
    return x, (nit, nfev, 0 if status == 2 and np.max(np.abs(slope), initial=0.0) <= 1e3 * gtol else status)


# ---- sums of squares ---------------------------------------------------------------------------------------------------------------


def robust(loss, z):
    """What a loss makes of squares, and its first and second derivatives."""
    if loss == "linear":
        return z, np.ones_like(z), np.zeros_like(z)
    if loss == "soft_l1":
        t = 1.0 + z
        return 2.0 * (np.sqrt(t) - 1.0), 1.0 / np.sqrt(t), -0.5 / t**1.5
    if loss == "huber":
        inside = z <= 1.0
        safe = np.where(inside, 1.0, z)
        return np.where(inside, z, 2.0 * np.sqrt(safe) - 1.0), np.where(inside, 1.0, 1.0 / np.sqrt(safe)), np.where(inside, 0.0, -0.5 / safe**1.5)
    if loss == "cauchy":
        return np.log1p(z), 1.0 / (1.0 + z), -1.0 / (1.0 + z) ** 2
    return np.arctan(z), 1.0 / (1.0 + z**2), -2.0 * z / (1.0 + z**2) ** 2


def units_of(x_scale, method, n):
    """What is 1 of each number for the lengths of steps; and whether the Jacobian says it."""
    if x_scale is None:
        x_scale = "jac" if method == "lm" else 1.0
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError("`x_scale` must be None, 'jac' or array_like with positive numbers.")
        return np.full(n, np.inf), True
    units = np.asarray(x_scale, np.float64) + np.zeros(n)
    if not np.all(np.isfinite(units)) or np.any(units <= 0):
        raise ValueError("`x_scale` must be None, 'jac' or array_like with positive numbers.")
    return units, False


def _in_units(there, units):
    """The units, where no column of the Jacobian has been longer."""
    sizes = np.sqrt(np.sum(there**2, axis=0))
    return np.minimum(units, 1.0 / np.where(sizes == 0, 1.0, sizes))


def damped(gaps, jacobian, x, low, high, loss, scale, ftol, xtol, gtol, most, units):
    """The least sum of squares by Gauss-Newton steps within a trusted distance (as scipy.optimize.least_squares chooses it); and how many Jacobians and values it took, and how it
    ended: 0 (too many), 1 (slope), 2 (cost) or 3 (step). `units`: of lengths, and whether the Jacobian changes them.
    """
    unit, changing = units
    x = np.clip(x, low, high)
    value = gaps(x)
    price, nfev, njev, status = cost(value, loss, scale), 1, 0, 0
    normal, slope = np.eye(x.size), np.zeros(x.size)
    reach = -1.0
    fresh, open_ = True, True
    while open_:
        if fresh:
            there = jacobian(x)
            normal, slope = _normal(value, there, loss, scale)
            njev += 1
            unit = _in_units(there, unit) if changing else unit
            reach = np.linalg.norm(x / unit) if reach < 0 else reach
            reach = reach if reach > 0 else 1.0
            if np.max(np.abs(x - np.clip(x - slope, low, high)), initial=0.0) <= 1e-3 * gtol:
                status, open_ = 1, False
        if open_ and nfev >= most:
            open_ = False
        elif open_:
            step, length = _trusted(normal * np.outer(unit, unit), slope * unit, ~_held(x, slope, low, high), reach)
            after = np.clip(x + unit * step, low, high)
            value_after = gaps(after)
            nfev += 1
            price_after = cost(value_after, loss, scale)
            moved = after - x
            gained = price - price_after
            gain = gained / max(-(slope @ moved + 0.5 * moved @ normal @ moved), 1e-300)
            small = np.linalg.norm(moved) <= 1e-2 * xtol * (xtol + np.linalg.norm(x))
            if not gain >= 0.25:
                reach = 0.25 * length
            elif gain > 0.75 and length > 0.95 * reach:
                reach = 2.0 * reach
            fresh = price_after <= price
            status = 2 if fresh and gained <= 1e-6 * ftol * price and gain > 0.25 else 3 if small else 0
            open_ = status == 0
            if fresh:
                x, value, price = after, value_after, price_after
    return x, (njev, nfev, status)


def _trusted(normal, slope, free, reach):
    """The step of the free numbers that minimizes the model within a distance, and its length."""
    own = np.where(np.outer(free, free), normal, 0.0) + np.diag(np.where(free, 0.0, 1.0))
    sizes, directions = np.linalg.eigh(own)
    sizes = np.maximum(sizes, 1e-15 * max(np.max(sizes), 1e-300))
    along = directions.T @ np.where(free, -slope, 0.0)
    damping, parts = 0.0, along / sizes
    length, trips = np.linalg.norm(parts), 0
    if length > reach:
        while abs(length - reach) > 1e-2 * reach and trips < 50:
            damping = max(damping + length**2 / np.sum(parts**2 / (sizes + damping)) * (length - reach) / reach, 0.0)
            parts = along / (sizes + damping)
            length, trips = np.linalg.norm(parts), trips + 1
        parts = parts * (reach / length)
        length = reach
    return directions @ parts, length


def cost(value, loss, scale):
    """Half the sum of what a loss makes of the squares."""
    return 0.5 * scale**2 * np.sum(robust(loss, (value / scale) ** 2)[0])


def _normal(value, there, loss, scale):
    """The Gauss-Newton matrix and the slope of the cost."""
    z = (value / scale) ** 2
    _, first, second = robust(loss, z)
    weights = np.maximum(first + 2.0 * second * z, 2.2e-16)
    return there.T @ (weights[:, np.newaxis] * there), there.T @ (first * value)


def curved(value, there, loss, scale):
    """The Jacobian whose square is the Hessian that SciPy gives for a loss."""
    if loss == "linear":
        return there
    z = (value / scale) ** 2
    _, first, second = robust(loss, z)
    return np.sqrt(np.maximum(first + 2.0 * second * z, np.finfo(np.float64).eps))[:, np.newaxis] * there
