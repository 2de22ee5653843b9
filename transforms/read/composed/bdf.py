"""Backward differentiation formulas of orders 1 to 5 for stiff problems, by SciPy's steps (Shampine, Reichelt, The MATLAB ODE suite, 1997; Byrne, Hindmarsh 1975).

The state's past is a table of backward differences at one length of step. A step solves  c f(t, y + d) = psi + d  by Newton's steps with a Jacobian that is kept as long as they converge. All that
is only how d is found: derivatives are those of the equation (`custom_root`), at the length and order that the errors have chosen.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_root
from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.roots import solved
from s2s.transforms.read.composed.runge_kutta import SAFETY, SHRINK, Step, shortest_step, size_of

HIGHEST, MOST_TRIPS, GROW = 5, 4, 10.0
SUMS = (0.0, 1.0, 3 / 2, 11 / 6, 25 / 12, 137 / 60)
"""1 + 1/2 + … + 1/k."""
KAPPA = (0.0, -0.1850, -1 / 9, -0.0823, -0.0415, 0.0)
ALPHA = tuple((1 - kappa) * total for kappa, total in zip(KAPPA, SUMS, strict=True))
ERRORS = tuple(kappa * total + 1 / (k + 1) for k, (kappa, total) in enumerate(zip(KAPPA, SUMS, strict=True)))
IN_POWERS = (
    (0.0, 0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), (1 / 2, 1 / 2, 0.0, 0.0, 0.0), (1 / 3, 1 / 2, 1 / 6, 0.0, 0.0), (1 / 4, 11 / 24, 1 / 4, 1 / 24, 0.0),
    (1 / 5, 5 / 12, 7 / 24, 1 / 12, 1 / 120),
)  # fmt: skip
"""s (s + 1) … (s + j - 1) / j! by the powers s, …, s⁵."""
MOVED = ((1.0, -2.0, 3.0, -4.0, 5.0), (0.0, 1.0, -3.0, 6.0, -10.0), (0.0, 0.0, 1.0, -4.0, 10.0), (0.0, 0.0, 0.0, 1.0, -5.0), (0.0, 0.0, 0.0, 0.0, 1.0))
"""(x - 1)ᵏ by the powers x, …, x⁵: a column for each k."""


class Kept(NamedTuple):
    """From one step to the next: the differences, the order, how many steps were of this length, the length, the Jacobian, the inverse of the system and whether it is that of this length."""

    table: Any
    order: Any
    equal: Any
    length: Any
    jacobian: Any
    inverse: Any
    inverted: Any


def begun(method, problem, t, y, f, length):
    """What is kept before the first step; how many Jacobians it took."""
    jacobian, njev = problem.jacobian.first(t, y)
    rest = np.zeros((HIGHEST + 1, y.size), y.dtype)
    table = np.concatenate((np.stack((y, f * length * problem.direction)), rest))
    return Kept(table, 1, 0, length, constant(jacobian), np.zeros((y.size, y.size), y.dtype), False), njev


def powers(method):
    """How many powers the polynomial within a step has."""
    return HIGHEST


def bends(method, problem, t, t_new, y, y_new, inner):
    """The coefficients of the polynomial between two steps' ends, and how many further slopes it took."""
    table, order, length = inner
    part = (t_new - t) / (length * problem.direction)
    used = np.where(np.arange(HIGHEST + 1) <= order, 1.0, 0.0)
    of_steps = np.array(IN_POWERS).T @ (used[:, np.newaxis] * table[: HIGHEST + 1])
    found = np.array(MOVED) @ (part ** np.arange(1.0, HIGHEST + 1)[:, np.newaxis] * of_steps)
    return [found[k] for k in range(HIGHEST)], 0


def changed(table, order, factor):
    """The differences for steps that are `factor` as long."""
    used = np.arange(HIGHEST + 1) <= order
    both = used[:, np.newaxis] & used
    turned = np.where(both, (_rescaling(factor) @ _rescaling(1.0)).T, np.eye(HIGHEST + 1))
    return np.concatenate((turned @ table[: HIGHEST + 1], table[HIGHEST + 1 :]))


def _rescaling(factor):
    row = np.arange(1.0, HIGHEST + 1)
    ratios = (row[:, np.newaxis] - 1.0 - factor * row) / row[:, np.newaxis]
    products = [np.ones(HIGHEST)]
    for k in range(HIGHEST):
        products.append(products[-1] * ratios[k])
    return np.concatenate((np.eye(HIGHEST + 1)[:, :1], np.stack(products)), axis=1)


def step(method, problem, t, t_bound, y, kept):
    """One step."""
    start, order = kept.length, kept.order
    d, length, jacobian, inverse, inverted, ends, trips, counts = _searched(problem, constant(t), constant(t_bound), kept._replace(table=constant(kept.table)))
    clipped, failed, equal = ends
    t_new = t_bound if clipped else t + length * problem.direction
    factor = (t_new - t) * problem.direction / start if clipped else length / start
    table = changed(kept.table, order, factor)
    guess, past, coefficient = _predicted(table, order, t_new - t)
    d = custom_root(lambda d: _gaps(problem.fun, t_new, guess, past, coefficient, d), d, _as_found, solved)
    y_new = guess + d
    after = Kept(_with_step(table, order, d), order, equal + 1, length, jacobian, inverse, inverted)
    if not failed and after.equal >= order + 1:
        after = _of_best_order(problem, after, constant(d), constant(y_new), trips)
    return Step(t_new, y_new, after, (after.table, after.order, after.length), failed, counts[0], counts[1], counts[2])


def _as_found(equation, d):
    return d


def _gaps(fun, t, guess, past, coefficient, d):
    return coefficient * np.array(fun(t, guess + d), guess.dtype) - past - d


def _predicted(table, order, h):
    """The state at the end as the past would have it, what the past adds to the equation, and the factor of the slope."""
    row = np.arange(HIGHEST + 1)
    used = row <= order
    alpha = np.array(ALPHA)[order]
    return np.where(used, 1.0, 0.0) @ table[: HIGHEST + 1], np.where(used, np.array(SUMS), 0.0) / alpha @ table[: HIGHEST + 1], h / alpha


def _with_step(table, order, d):
    """The differences with the step's end as the newest state."""
    row = np.arange(HIGHEST + 3)[:, np.newaxis]
    sums = np.cumsum(np.where(row <= order, table, 0.0)[::-1], axis=0)[::-1] + d
    return np.where(row <= order, sums, np.where(row == order + 1, d, np.where(row == order + 2, d - table[order + 1], table)))


def _searched(problem, t, t_bound, kept):
    """d of a step that is exact enough, and its length; Jacobian and inverse then; whether it ends at the bound, whether none was short enough, how many were of this length; Newton's steps; the counts."""
    order, shortest = kept.order, shortest_step(problem, t)
    length = min(max(kept.length, shortest), problem.longest)
    equal = kept.equal if length == kept.length else 0
    table = changed(kept.table, order, length / kept.length) if length != kept.length else kept.table
    jacobian, inverse, inverted = kept.jacobian, kept.inverse, kept.inverted
    current = problem.jacobian.at is None
    d, trips, nfev, njev, nlu = np.zeros_like(table[0]), 0, 0, 0, 0
    open_, failed, clipped = True, False, False
    while open_:
        if not length >= shortest:  # nan, too
            failed, open_ = True, False
        else:
            clipped = problem.direction * (t + length * problem.direction - t_bound) > 0
            if clipped:
                table = changed(table, order, abs(t_bound - t) / length)
                length, equal, inverted = abs(t_bound - t), 0, False
            t_new = t_bound if clipped else t + length * problem.direction
            length = abs(t_new - t)
            guess, past, coefficient = _predicted(table, order, t_new - t)
            converged, solving = False, True
            while solving:
                if not inverted:
                    inverse, inverted, nlu = np.linalg.inv(np.eye(d.size) - coefficient * jacobian), True, nlu + 1
                converged, trips, d = _newtons(problem, t_new, guess, past, coefficient, inverse)
                nfev += trips
                solving = not converged and not current
                if solving:
                    jacobian, current, inverted, njev = constant(problem.jacobian.at(t_new, guess)), True, False, njev + 1
            factor = 0.5
            if converged:
                error = size_of(np.array(ERRORS)[order] * d / (problem.atol + problem.rtol * np.abs(guess + d)))
                open_ = not error <= 1
                if open_:
                    factor = max(SHRINK, _safety(trips) * error ** (-1 / (order + 1)))
            if open_:
                length, table, equal = length * factor, changed(table, order, factor), 0
                inverted = inverted and converged
    return d, length, jacobian, inverse, inverted, (clipped, failed, equal), trips, (nfev, njev, nlu)


def _safety(trips):
    return SAFETY * (2 * MOST_TRIPS + 1) / (2 * MOST_TRIPS + trips)


def _newtons(problem, t, guess, past, coefficient, inverse):
    """Newton's steps: whether they converged, how many there were, and d."""
    scale = problem.atol + problem.rtol * np.abs(guess)
    tolerance = max(10 * np.finfo(np.float64).eps / problem.rtol, min(0.03, problem.rtol**0.5))
    d, converged, open_, trips, before = np.zeros_like(guess), False, True, 0, -1.0
    while open_:
        slope = constant(np.array(problem.fun(t, guess + d), guess.dtype))
        trips += 1
        if not np.all(np.isfinite(slope)):
            open_ = False
        else:
            change = inverse @ (coefficient * slope - past - d)
            size = size_of(change / scale)
            rate = size / before if before >= 0 else 0.0
            if before >= 0 and (rate >= 1 or rate ** (MOST_TRIPS - trips + 1) / (1 - rate) * size > tolerance):
                open_ = False
            else:
                d = d + change
                converged = size == 0 or before >= 0 and rate / (1 - rate) * size < tolerance
                open_ = not converged and trips < MOST_TRIPS
            before = size
    return converged, trips, d


def _of_best_order(problem, kept, d, y, trips):
    """What is kept for the next step of the order that allows the longest one."""
    order, errors, table = kept.order, np.array(ERRORS), constant(kept.table)
    scale = problem.atol + problem.rtol * np.abs(y)
    lower = size_of(errors[order - 1] * table[order] / scale) if order > 1 else np.inf
    higher = size_of(errors[order + 1] * table[order + 2] / scale) if order < HIGHEST else np.inf
    allowed = [_allowed(size, order + k) for k, size in enumerate((lower, size_of(errors[order] * d / scale), higher))]
    best = 0 if allowed[0] >= allowed[1] and allowed[0] >= allowed[2] else 1 if allowed[1] >= allowed[2] else 2
    factor = min(GROW, _safety(trips) * max(allowed[0], allowed[1], allowed[2]))
    order = order + best - 1
    return kept._replace(table=changed(kept.table, order, factor), order=order, equal=0, length=kept.length * factor, inverted=False)


def _allowed(size, order):
    return np.inf if size == 0 else size ** (-1 / order)
