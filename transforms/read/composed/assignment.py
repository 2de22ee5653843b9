"""scipy.optimize: assignments of least cost, and differences in the place of derivatives."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.equations import fmin
from s2s.transforms.read.composed.marks import constant, unsupported


def linear_sum_assignment(cost_matrix, maximize=False):
    """scipy.optimize.linear_sum_assignment: shortest augmenting paths (Crouse 2016), in SciPy's order; no derivatives, as positions have none."""
    cost = constant(np.asarray(cost_matrix, np.float64))
    if cost.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {cost.ndim} array")
    if np.any(np.isnan(cost)):
        raise ValueError("matrix contains invalid numeric entries")
    cost = -cost if maximize else cost
    if cost.shape[0] > cost.shape[1]:
        columns = _assigned(cost.T)
        order = np.argsort(columns, kind="stable")
        return columns[order], order
    return np.arange(cost.shape[0]), _assigned(cost)


def _assigned(cost):
    """The column of each row; there are not more rows than columns."""
    rows, columns = cost.shape
    of_rows, of_columns = np.zeros(rows), np.zeros(columns)
    column, row = np.full(rows, -1), np.full(columns, -1)
    for current in range(rows):
        path, shortest = np.full(columns, -1), np.full(columns, np.inf)
        seen_row, seen_column = np.zeros(rows, bool), np.zeros(columns, bool)
        rest, left = np.arange(columns - 1, -1, -1), columns
        least, i, sink = 0.0, current, -1
        while sink == -1:
            seen_row[i] = True
            place, lowest = -1, np.inf
            for k in range(left):
                j = rest[k]
                reach = least + cost[i, j] - of_rows[i] - of_columns[j]
                if reach < shortest[j]:
                    path[j], shortest[j] = i, reach
                if shortest[j] < lowest or (shortest[j] == lowest and row[j] == -1):
                    lowest, place = shortest[j], k
            least = lowest
            if least == np.inf:
                raise ValueError("cost matrix is infeasible")
            j = rest[place]
            if row[j] == -1:
                sink = j
            else:
                i = row[j]
            seen_column[j] = True
            left -= 1
            rest[place] = rest[left]
        of_rows[current] += least
        for k in range(rows):
            if seen_row[k] and k != current:
                of_rows[k] += least - shortest[column[k]]
        for k in range(columns):
            if seen_column[k]:
                of_columns[k] -= least - shortest[k]
        j, open_ = sink, True
        while open_:
            i = path[j]
            row[j] = i
            before = column[i]
            column[i] = j
            j = before
            open_ = i != current
    return column


def approx_fprime(xk, f, epsilon=1.4901161193847656e-08, *args):
    """scipy.optimize.approx_fprime: forward differences."""
    x = np.asarray(xk, np.float64)
    if x.ndim != 1:
        unsupported("scipy.optimize.approx_fprime at other than a vector", "np.atleast_1d")
    value = np.asarray(f(x, *args), np.float64)
    ahead = x + epsilon
    steps = ahead - x
    found = np.stack([np.asarray(f(np.where(np.arange(x.shape[0]) == k, ahead, x), *args), np.float64) - value for k in range(x.shape[0])], axis=-1)
    return found / steps


def check_grad(func, grad, x0, *args, epsilon=1.4901161193847656e-08, direction="all", rng=None, seed=None):
    """scipy.optimize.check_grad along all axes."""
    if direction != "all":
        unsupported("scipy.optimize.check_grad(…, direction='random')", "direction='all'")
    x0 = np.asarray(x0)
    return np.sqrt(np.sum(np.abs((grad(x0, *args) - approx_fprime(x0, func, epsilon, *args)) ** 2)))


def brute(func, ranges, args=(), Ns=20, full_output=0, finish=0, disp=False, workers=1):
    """scipy.optimize.brute: the point of a grid with the least value, and the minimum that fmin finds from there."""
    import scipy.optimize

    if finish is not None and finish != 0 and finish is not scipy.optimize.fmin:
        unsupported("scipy.optimize.brute that goes on from the point by another function than fmin", "finish=None, and that function from there")
    if not isinstance(args, tuple):
        args = (args,)
    axes = [np.arange(each.start, each.stop, each.step) if isinstance(each, slice) else np.linspace(each[0], each[1], Ns) for each in ranges]
    grid = np.meshgrid(*axes, indexing="ij")
    flat = [each.ravel() for each in grid]
    values = np.empty(flat[0].shape[0])
    for k in range(flat[0].shape[0]):
        values[k] = np.reshape(func(np.stack([each[k] for each in flat]), *args), ())
    best = np.argmin(values)
    point = np.stack([each[best] for each in flat]) if len(flat) > 1 else flat[0][best]
    least = values[best]
    if finish is not None:
        point, least, *_ = fmin(func, point, args, full_output=1)
    if not full_output:
        return point
    return point, least, np.stack(grid) if len(flat) > 1 else grid[0], values.reshape(grid[0].shape)


ASSIGNMENT: dict[str, Any] = {f"scipy.optimize.{function.__name__}": function for function in (linear_sum_assignment, approx_fprime, check_grad, brute)}
"""By qualified name."""
