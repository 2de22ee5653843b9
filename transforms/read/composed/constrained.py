"""scipy.optimize.minimize under constraints: a sequence of quadratic problems, with the derivatives of the minimum.

Method: Kraft, A software package for sequential quadratic programming, 1988; the quadratic problem is one of least distance (Lawson and Hanson, Solving Least Squares Problems, 1974,
chapter 23). The steps are our own, so that numbers agree with SciPy's as far as both tolerances say. What is zero at the minimum is solved for derivatives: the slope without the
multipliers' parts of the constraints' slopes, the equalities, and for each inequality c(x) >= 0 with its multiplier m the number m - max(m - c, 0): c where it holds, m elsewhere.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.bounded import limits
from s2s.transforms.read.composed.least_squares import among, free_of_nnls
from s2s.transforms.read.composed.marks import surely
from s2s.transforms.read.composed.roots import root_of


class LinearConstraint(NamedTuple):
    """scipy.optimize.LinearConstraint."""

    A: Any
    lb: Any
    ub: Any


class NonlinearConstraint(NamedTuple):
    """scipy.optimize.NonlinearConstraint."""

    fun: Any
    lb: Any
    ub: Any


def linear_constraint(A, lb=-np.inf, ub=np.inf, keep_feasible=False):
    """scipy.optimize.LinearConstraint."""
    return LinearConstraint(A, lb, ub)


def nonlinear_constraint(fun, lb, ub, jac="2-point", hess=None, keep_feasible=False, finite_diff_rel_step=None, finite_diff_jac_sparsity=None):
    """scipy.optimize.NonlinearConstraint."""
    return NonlinearConstraint(fun, lb, ub)


# ---- constraints as functions -------------------------------------------------------------------------------------------------------------


def rows_of(constraints, low, high):
    """The functions whose values must be zero, and those whose values must not be negative."""
    equal, above = [], []
    for each in constraints if isinstance(constraints, (list, tuple)) and not hasattr(constraints, "lb") else (constraints,):
        if hasattr(each, "lb"):
            _add_limits(each, equal, above)
        else:
            kind = each["type"].lower()
            if kind not in ("eq", "ineq"):
                raise ValueError(f"Unknown constraint type '{each['type']}'.")
            (equal if kind == "eq" else above).append(_with_arguments(each["fun"], each.get("args", ())))
    if low is not None:
        above.append(lambda x: _gap(x, low, 1.0))
        above.append(lambda x: _gap(x, high, -1.0))
    return equal, above


def _with_arguments(fun, args):
    return lambda x: fun(x, *args)


def _add_limits(each, equal, above):
    fun = each.fun if hasattr(each, "fun") else _product(np.atleast_2d(np.asarray(each.A, np.float64)))
    if surely(np.ndim(each.lb) == 0 and np.ndim(each.ub) == 0 and each.lb == each.ub):
        equal.append(lambda x: np.atleast_1d(fun(x)) - each.lb)
        return
    above.append(lambda x: _gap(np.atleast_1d(fun(x)), np.asarray(each.lb, np.float64), 1.0))
    above.append(lambda x: _gap(np.atleast_1d(fun(x)), np.asarray(each.ub, np.float64), -1.0))


def _product(matrix):
    return lambda x: matrix @ x


def _gap(value, limit, sign):
    """How far a value is within a limit; where there is none, a number that says so."""
    there = np.isfinite(limit)
    return np.where(there, sign * (value - np.where(there, limit, 0.0)), 1.0)


def _stacked(functions, x):
    return np.concatenate([np.zeros(0), *[np.atleast_1d(np.asarray(each(x), np.float64)) for each in functions]])


# ---- the minimum --------------------------------------------------------------------------------------------------------------------------


def minimum(value_and_slope, constraints, start, bounds, ftol, most, stops):
    """The minimum, its value and slope, how many steps and values it took and how it ended, and the multipliers of the constraints."""
    low, high = (None, None) if bounds is None else limits(bounds, start.size)
    equal, above = rows_of(constraints, low, high)
    n, first, second = start.size, _stacked(equal, start).size, _stacked(above, start).size
    rows = marks.ours("jacfwd")(lambda x: np.concatenate((_stacked(equal, x), _stacked(above, x))))

    def conditions(z):
        x, lags = z[:n], z[n:]
        inner = _stacked(above, x)
        slope = value_and_slope(x)[1] - lags @ rows(x)
        return np.concatenate((slope, _stacked(equal, x), lags[first:] - np.maximum(lags[first:] - inner, 0.0)))

    def solve(_, z):
        x = z[:n] if low is None else np.clip(z[:n], low, high)
        return _quadratic(value_and_slope, lambda x: np.concatenate((_stacked(equal, x), _stacked(above, x))), rows, x, first, ftol, most, stops)

    z, counts = root_of(conditions, np.concatenate((start, np.zeros(first + second))), solve, stops)
    value, slope = value_and_slope(z[:n])
    bounds_too = 0 if low is None else 2 * n
    return z[:n], value, slope, counts, z[n : n + first + second - bounds_too]


def _violated(values, first):
    """How far constraints are from holding."""
    return np.concatenate((np.abs(values[:first]), np.maximum(-values[first:], 0.0)))


def _quadratic(value_and_slope, gaps, rows, x, first, ftol, most, stops):
    """The minimum and the multipliers, and (steps, values, status): 0, 4 (constraints that can't hold together), 8 (no step brings less), 9 (too many steps) or 99 (`stops` of x and its value)."""
    n = x.size
    value, slope = value_and_slope(x)
    gap, turn = gaps(x), rows(x)
    hessian, penalty, lags = np.eye(n), np.zeros(gap.size), np.zeros(gap.size)
    nit, nfev, status, found = 0, 1, 0, False
    while not found:
        step, lags, possible = _least(hessian, slope, turn, gap, first)
        wrong = _violated(gap, first)
        if not possible:
            status, found = 4, True
        elif np.max(np.abs(step)) <= 0.1 * ftol * (1.0 + np.max(np.abs(x))) and np.sum(wrong) < 1e-2 * ftol:
            found = True
        elif nit == most:
            status, found = 9, True
        else:
            penalty = np.maximum(np.abs(lags), 0.5 * (penalty + np.abs(lags)))
            promise, merit = slope @ step - penalty @ wrong, value + penalty @ wrong
            part, tries, open_ = 1.0, 0, True
            value_new, gap_new = value, gap
            while open_ and tries < 30:
                after = x + part * step
                value_new, gap_new = value_and_slope(after)[0], gaps(after)
                tries += 1
                open_ = not value_new + penalty @ _violated(gap_new, first) <= merit + 0.1 * part * promise + 1e-14 * np.abs(merit)
                part = 0.5 * part if open_ else part
            nfev += tries
            moved = part * step
            if open_:
                status, found = (0 if np.sum(wrong) < ftol and np.abs(promise) < 1e2 * ftol else 8), True
            else:
                nit += 1
                x_new = x + moved
                slope_new, turn_new = value_and_slope(x_new)[1], rows(x_new)
                hessian = _damped(hessian, moved, (slope_new - lags @ turn_new) - (slope - lags @ turn))
                x, value, slope, gap, turn = x_new, value_new, slope_new, gap_new, turn_new
                if stops(x, value):
                    status, found = 99, True
    return np.concatenate((x, lags)), (nit, nfev, status)


def _damped(hessian, moved, turned):
    """Powell's update, which stays positive definite."""
    image = hessian @ moved
    curve, along = moved @ image, moved @ turned
    if curve <= 0.0:
        return hessian
    share = 1.0 if along >= 0.2 * curve else 0.8 * curve / (curve - along)
    turned = share * turned + (1.0 - share) * image
    return hessian - np.outer(image, image) / curve + np.outer(turned, turned) / (moved @ turned)


def _least(hessian, slope, rows, gap, first):
    """The step with the least quadratic model under linear constraints, their multipliers, and whether there is one."""
    lower = np.linalg.cholesky(hessian)
    scaled = np.linalg.solve(lower, rows.T).T
    middle = np.linalg.solve(lower, slope)
    wanted = scaled @ middle - gap  # of y = lower.T @ step + middle: scaled @ y = wanted, or at least
    basis, corner = np.linalg.qr(scaled[:first].T, mode="complete")
    fixed = np.linalg.solve(corner[:first].T, wanted[:first])
    along, free = basis[:, :first], basis[:, first:]
    inner = scaled[first:] @ free
    rest = wanted[first:] - scaled[first:] @ (along @ fixed)
    above, possible = (np.zeros(0), True) if surely(rest.size == 0) else _multipliers(inner, rest)
    y = along @ fixed + free @ (inner.T @ above)
    step = np.linalg.solve(lower.T, y - middle)
    equal = np.linalg.solve(corner[:first], along.T @ (y - scaled[first:].T @ above))
    return step, np.concatenate((equal, above)), possible


def _multipliers(rows, least):
    """Of the shortest y with rows @ y >= least; and whether there is one."""
    system, right = np.concatenate((rows.T, least[np.newaxis])), np.concatenate((np.zeros(rows.shape[1]), np.ones(1)))
    weights = among(system, right, free_of_nnls(system, right, 3 * least.size + 3))
    left = 1.0 - least @ weights
    return weights / (left if left > 1e-12 else 1.0), bool(left > 1e-12)


CONSTRAINED: dict[str, Any] = {"scipy.optimize.LinearConstraint": linear_constraint, "scipy.optimize.NonlinearConstraint": nonlinear_constraint}
"""By qualified name."""
