"""scipy.optimize.linprog of dense matrices: the least of a linear function within linear bounds, at a corner, by the simplex method; with the corner's derivatives.

Method: primal steps from corner to corner, numbers between bounds of their own (Dantzig, Linear Programming and Extensions, 1963, chapter 18), in two phases; Bland's order (1977) once steps
bring nothing. Where several corners are as good, the one found may be another than SciPy's; the least value is the same. At the corner a system of equations holds, of which the derivatives are.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.bounded import limits
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.marks import constant, unsupported

TOLERANCE = 1e-9
"""Of slopes, and of what is left of equations, in units of their numbers."""
STATUS = ("Optimization terminated successfully. (HiGHS Status 7: Optimal)", "Iteration limit reached.", "The problem is infeasible. (HiGHS Status 8: model_status is Infeasible)", "The problem is unbounded. (HiGHS Status 10: model_status is Unbounded)")


@as_dict("residual", "marginals")
class Sensitivities(NamedTuple):
    """What is left of some bounds, and what the least value changes by as they move."""

    residual: Any
    marginals: Any


@as_dict("x", "slack", "con", "ineqlin", "eqlin", "lower", "upper", "fun", "status", "success", "message", "nit", "crossover_nit", unsure=("mip_node_count", "mip_dual_bound", "mip_gap"))
class LinprogResult(NamedTuple):
    """What scipy.optimize.linprog gives."""

    x: Any
    fun: Any
    slack: Any
    con: Any
    ineqlin: Any
    eqlin: Any
    lower: Any
    upper: Any
    status: Any
    success: Any

    @property
    def nit(self):
        """Of steps that HiGHS would have taken."""
        unsupported("scipy.optimize.linprog's nit", "status and success", "other steps than HiGHS's lead to the same corner")

    @property
    def message(self):
        """How it ended."""
        return STATUS[self.status]


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), method="highs", callback=None, options=None, x0=None, integrality=None):
    """scipy.optimize.linprog; where there is no least value, x and fun are None, and what is left of bounds nan (SciPy's is None)."""
    if integrality is not None or callback is not None or x0 is not None:
        unsupported("scipy.optimize.linprog with integrality, callback or x0", "leave them out")
    if method not in ("highs", "highs-ds", "highs-ipm"):
        unsupported(f"scipy.optimize.linprog(…, method={method!r})", "method='highs'")
    c = np.asarray(c, np.float64).ravel()
    n = c.shape[0]
    above, at_most = _rows("A_ub", A_ub, b_ub, n)
    equal, at = _rows("A_eq", A_eq, b_eq, n)
    low, high = _sides(bounds, n)
    m, e = above.shape[0], equal.shape[0]
    matrix = np.concatenate((np.concatenate((above, np.eye(m)), axis=1), np.concatenate((equal, np.zeros((e, m))), axis=1)))
    right, cost = np.concatenate((at_most, at)), np.concatenate((c, np.zeros(m)))
    if A_ub is None and A_eq is None:  # a condition that always holds
        matrix, right = np.zeros((1, n)), np.zeros(1)
    low, high = np.concatenate((low, np.zeros(m))), np.concatenate((high, np.full(m, np.inf)))
    most = 1000 + 50 * (n + m + e) if options is None or options.get("maxiter") is None else options["maxiter"]
    basis, up, _, status = _corner(constant(matrix), constant(right), constant(cost), constant(low), constant(high), most)
    z, duals = _at(matrix, right, cost, low, high, basis, up)
    x = np.where(status == 0, z[:n], np.nan)
    slopes = c - matrix[:, :n].T @ duals
    inside = np.zeros(n + m, bool)
    inside[basis[basis < n + m]] = True
    free = inside[:n]
    at_high = up[:n] & ~free
    at_low = ~at_high & ~free & np.isfinite(low[:n])
    return LinprogResult(
        x if status == 0 else None, float(c @ z[:n]) if status == 0 else None, at_most - above @ x, at - equal @ x, Sensitivities(at_most - above @ x, duals[:m]), Sensitivities(at - equal @ x, duals[m : m + e]),
        Sensitivities(x - low[:n], np.where(at_low, slopes, 0.0)), Sensitivities(high[:n] - x, np.where(at_high, slopes, 0.0)), status, status == 0,
    )  # fmt: skip


def _rows(name, matrix, right, n):
    """Of conditions: the matrix, and the right side."""
    if matrix is None:
        return np.zeros((0, n)), np.zeros(0)
    matrix, right = np.asarray(matrix, np.float64), np.asarray(right, np.float64).ravel()
    if matrix.ndim != 2 or matrix.shape[1] != n:
        raise ValueError(f"Invalid input for linprog: {name} must have exactly two dimensions, and the number of columns in {name} must be equal to the size of c")
    if matrix.shape[0] != right.shape[0]:
        raise ValueError(f"Invalid input for linprog: the number of rows of {name} and of its right side must be the same")
    return matrix, right


def _sides(bounds, n):
    """The bounds of each number."""
    if bounds is None:
        return np.zeros(n), np.full(n, np.inf)
    if hasattr(bounds, "lb"):
        raise TypeError("Invalid input for linprog: unable to interpret bounds; scipy.optimize.Bounds are not taken, pairs are")
    if isinstance(bounds, np.ndarray):
        return limits(bounds, n)
    if len(bounds) == 2 and not isinstance(bounds[0], (tuple, list)) and not isinstance(bounds[1], (tuple, list)):
        return limits([(bounds[0], bounds[1])] * n, n)
    return limits([(bounds[0][0], bounds[0][1])] * n if len(bounds) == 1 else bounds, n)


def _resting(low, high, up):
    """Where numbers are that are not in the basis."""
    return np.where(up, high, np.where(np.isfinite(low), low, 0.0))


def _at(matrix, right, cost, low, high, basis, up):
    """The corner of a basis, and what the right sides are worth. Rows that others imply have an artificial number in the basis, which is 0."""
    rows, count = matrix.shape
    whole = np.concatenate((matrix, np.eye(rows)), axis=1)
    resting = np.concatenate((_resting(low, high, up), np.zeros(rows)))
    resting[basis] = 0.0
    found = np.linalg.solve(whole[:, basis], right - whole @ resting)
    duals = np.linalg.solve(whole[:, basis].T, np.concatenate((cost, np.zeros(rows)))[basis])
    resting[basis] = found
    return resting[:count], duals


def _corner(matrix, right, cost, low, high, most):
    """The basis and which numbers are at their upper bounds, at the least corner; how many steps it took and how it ended."""
    rows, count = matrix.shape
    up = ~np.isfinite(low) & np.isfinite(high)
    left = right - matrix @ _resting(low, high, up)
    whole = np.concatenate((matrix, np.eye(rows)), axis=1)
    artificial_low, artificial_high = np.where(left < 0, -np.inf, 0.0), np.where(left < 0, 0.0, np.inf)
    basis, up = count + np.arange(rows), np.concatenate((up, left < 0))
    away = np.concatenate((np.zeros(count), np.where(left < 0, -1.0, 1.0)))
    zeros, size = np.zeros(rows), 1.0 + np.max(np.abs(right), initial=0.0)
    basis, up, steps, status = _simplex(whole, right, away, np.concatenate((low, artificial_low)), np.concatenate((high, artificial_high)), basis, up, most)
    z = _values(whole, right, np.concatenate((low, zeros)), np.concatenate((high, zeros)), basis, up)
    if status == 0 and np.max(np.abs(z[count:]), initial=0.0) > TOLERANCE * size:
        status = 2
    more = 0
    if status == 0:
        basis, up, more, status = _simplex(whole, right, np.concatenate((cost, zeros)), np.concatenate((low, zeros)), np.concatenate((high, zeros)), basis, up, most)
    return basis, up[:count], steps + more, status


def _values(whole, right, low, high, basis, up):
    resting = _resting(low, high, up)
    resting[basis] = 0.0
    resting[basis] = np.linalg.solve(whole[:, basis], right - whole @ resting)
    return resting


def _simplex(whole, right, cost, low, high, basis, up, most):
    """From a corner to the least one: the basis, what is at its upper bound, steps, and 0, 1 (too many steps) or 3 (no bound)."""
    count = whole.shape[1]
    basis, up = basis.copy(), up.copy()
    steps, status, idle, open_, scale = 0, 0, 0, True, 1.0 + np.max(np.abs(cost), initial=0.0)
    while open_:
        z = _values(whole, right, low, high, basis, up)
        slopes = cost - whole.T @ np.linalg.solve(whole[:, basis].T, cost[basis])
        outside = np.ones(count, bool)
        outside[basis] = False
        unbounded = ~np.isfinite(low) & ~np.isfinite(high)
        falls = outside & (low < high) & np.where(unbounded, np.abs(slopes) > TOLERANCE * scale, np.where(up, slopes > TOLERANCE * scale, slopes < -TOLERANCE * scale))
        if not np.any(falls):
            open_ = False
        elif steps >= most:
            status, open_ = 1, False
        else:
            steps += 1
            entering = np.argmax(falls) if idle > 20 else np.argmax(np.where(falls, np.abs(slopes), -1.0))
            way = -1.0 if slopes[entering] > 0 else 1.0
            change = -way * np.linalg.solve(whole[:, basis], whole[:, entering])
            sinking, rising = change < -TOLERANCE, change > TOLERANCE
            room = np.where(sinking, z[basis] - low[basis], np.where(rising, high[basis] - z[basis], np.inf))
            far = np.where(sinking | rising, np.maximum(room, 0.0) / np.where(sinking | rising, np.abs(change), 1.0), np.inf)
            least, own = np.min(far, initial=np.inf), high[entering] - low[entering]
            if not np.isfinite(np.minimum(least, own)):
                status, open_ = 3, False
            elif own <= least:
                up[entering] = not up[entering]
                idle = 0
            else:
                tied = far <= least + 1e-12 * (1.0 + least)
                leaving = np.argmin(np.where(tied, basis, count)) if idle > 20 else np.argmax(np.where(tied, np.abs(change), -1.0))
                up[basis[leaving]] = change[leaving] > 0
                basis[leaving] = entering
                up[entering] = False
                idle = idle + 1 if least <= TOLERANCE else 0
    return basis, up, steps, status


LINEAR_PROGRAMS: dict[str, Any] = {"scipy.optimize.linprog": linprog}
"""By qualified name."""
