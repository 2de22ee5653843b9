"""scipy.integrate.solve_bvp: collocation by cubic polynomials on a mesh that is refined, with the derivatives of the solution on the last mesh.

Method: Kierzenka and Shampine, "A BVP solver based on residual control and the MATLAB PSE" (2001). The steps are SciPy's; a matrix is factored as a whole, so that meshes should have
hundreds of nodes, not many thousands.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.interpolants import Piecewise
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.lax_solves import custom_root
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.roots import solved

SMALL = np.finfo(np.float64).eps ** 0.5
"""Of differences, relative to 1 and a number."""


@as_dict("sol", "p", "x", "y", "yp", "rms_residuals", "niter", "status", "message", "success")
class BVPResult(NamedTuple):
    """What scipy.integrate.solve_bvp gives."""

    sol: Any
    p: Any
    x: Any
    y: Any
    yp: Any
    rms_residuals: Any
    niter: Any
    status: Any
    success: Any

    @property
    def message(self):
        """How it ended."""
        if self.status == 0:
            return "The algorithm converged to the desired accuracy."
        if self.status == 1:
            return "The maximum number of mesh nodes is exceeded."
        return "A singular Jacobian encountered when solving the collocation system." if self.status == 2 else "The solver was unable to satisfy boundary conditions tolerance on iteration 10."


class Problem(NamedTuple):
    """The equations, the conditions at both ends, the derivatives of both (None: differences); with a singular term the matrices for it (None: there is none)."""

    fun: Any
    ends: Any
    fun_jac: Any
    ends_jac: Any
    singular: Any


# ---- equations on a mesh -----------------------------------------------------------------------------------------------------------------


def _rate(problem, x, y, p, at_nodes):
    """The right side of the equations; at nodes the first point is where the singular term is a limit."""
    found = np.asarray(problem.fun(x, y, p), np.float64)
    if problem.singular is None:
        return found
    term, limit, _, start = problem.singular
    if not at_nodes:
        return found + term @ y / (x - start)
    return np.concatenate((limit @ found[:, :1], found[:, 1:] + term @ y[:, 1:] / (x[1:] - start)), axis=1)


def _gaps(problem, x, y, p):
    """What is left of the equations between nodes; with the middle points, and the right side there and at the nodes."""
    h, f = np.diff(x), _rate(problem, x, y, p, True)
    middle = 0.5 * (y[:, 1:] + y[:, :-1]) - 0.125 * h * (f[:, 1:] - f[:, :-1])
    f_middle = _rate(problem, x[:-1] + 0.5 * h, middle, p, False)
    return y[:, 1:] - y[:, :-1] - h / 6 * (f[:, :-1] + f[:, 1:] + 4 * f_middle), middle, f, f_middle


def _at_ends(problem, y, p):
    return np.asarray(problem.ends(y[:, 0], y[:, y.shape[1] - 1], p), np.float64)


def _whole(gaps, at_ends):
    return np.concatenate((gaps.T.ravel(), at_ends))


def _rate_slopes(problem, x, y, p, f, at_nodes):
    """Derivatives of the right side by y and by p, a matrix for each point."""
    if problem.fun_jac is not None:
        by_y, by_p = problem.fun_jac(x, y, p)
        return _singular_slopes(problem, x, np.moveaxis(np.asarray(by_y, np.float64), -1, 0), at_nodes), None if by_p is None else np.moveaxis(np.asarray(by_p, np.float64), -1, 0)
    n, k = y.shape[0], p.shape[0]
    by_y, by_p = np.zeros((y.shape[1], n, n)), np.zeros((y.shape[1], n, k))
    for i in range(n):
        moved = y.copy()
        moved[i] += SMALL * (1 + np.abs(y[i]))
        by_y[:, :, i] = ((_rate(problem, x, moved, p, at_nodes) - f) / (moved[i] - y[i])).T
    for i in range(k):
        moved = p.copy()
        moved[i] += SMALL * (1 + np.abs(p[i]))
        by_p[:, :, i] = ((_rate(problem, x, y, moved, at_nodes) - f) / (moved[i] - p[i])).T
    return by_y, by_p


def _singular_slopes(problem, x, by_y, at_nodes):
    if problem.singular is None:
        return by_y
    term, limit, _, start = problem.singular
    if not at_nodes:
        return by_y + term / (x - start)[:, np.newaxis, np.newaxis]
    return np.concatenate((limit @ by_y[:1], by_y[1:] + term / (x[1:] - start)[:, np.newaxis, np.newaxis]))


def _end_slopes(problem, y, p, at_ends):
    """Derivatives of the conditions by y at both ends and by p."""
    first, last = y[:, 0], y[:, y.shape[1] - 1]
    if problem.ends_jac is not None:
        return problem.ends_jac(first, last, p)
    parts = []
    for which in range(3):
        at = (first, last, p)[which]
        columns = np.zeros((at_ends.shape[0], at.shape[0]))
        for i in range(at.shape[0]):
            moved = at.copy()
            moved[i] += SMALL * (1 + np.abs(at[i]))
            given = [first, last, p]
            given[which] = moved
            columns[:, i] = (np.asarray(problem.ends(given[0], given[1], given[2]), np.float64) - at_ends) / (moved[i] - at[i])
        parts.append(columns)
    return parts[0], parts[1], parts[2]


def _jacobian(problem, x, y, p, middle, f, f_middle, at_ends):
    """The derivatives of all that must be zero, by y of the first node, of the second, …, and p."""
    n, m, k = y.shape[0], y.shape[1], p.shape[0]
    step = np.diff(x)
    h = step[:, np.newaxis, np.newaxis]
    by_y, by_p = _rate_slopes(problem, x, y, p, f, True)
    by_y_middle, by_p_middle = _rate_slopes(problem, x[:-1] + 0.5 * step, middle, p, f_middle, False)
    left = -np.eye(n) - h / 6 * (by_y[:-1] + 2 * by_y_middle) - h**2 / 12 * (by_y_middle @ by_y[:-1])
    right = np.eye(n) - h / 6 * (by_y[1:] + 2 * by_y_middle) + h**2 / 12 * (by_y_middle @ by_y[1:])
    found = np.zeros((n * m + k, n * m + k))
    for i in range(m - 1):
        found[i * n : (i + 1) * n, i * n : (i + 1) * n] = left[i]
        found[i * n : (i + 1) * n, (i + 1) * n : (i + 2) * n] = right[i]
    by_first, by_last, ends_by_p = _end_slopes(problem, y, p, at_ends)
    found[(m - 1) * n :, :n], found[(m - 1) * n :, (m - 1) * n : m * n] = by_first, by_last
    if k > 0:
        shifted = by_p_middle + 0.125 * h * (by_y_middle @ (by_p[:-1] - by_p[1:]))
        found[: (m - 1) * n, m * n :] = (-h / 6 * (by_p[:-1] + by_p[1:] + 4 * shifted)).reshape(-1, k)
        found[(m - 1) * n :, m * n :] = ends_by_p
    return found


# ---- Newton's method, and the mesh -----------------------------------------------------------------------------------------------------------


def _newton(problem, x, y, p, tol, bc_tol):
    """y and p that solve the equations on a mesh, and whether the matrix was singular; it is computed at most four times, and kept after full steps."""
    import scipy.linalg

    n, m = y.shape
    allowed = 2 / 3 * np.diff(x) * 5e-2 * tol
    gaps, middle, f, f_middle = _gaps(problem, x, y, p)
    at_ends = _at_ends(problem, y, p)
    rest = _whole(gaps, at_ends)
    factors, order = scipy.linalg.lu_factor(_jacobian(problem, x, y, p, middle, f, f_middle, at_ends))
    if np.any(np.diagonal(factors) == 0):
        return y, p, True
    step = scipy.linalg.lu_solve((factors, order), rest)
    cost, computed, again, singular = step @ step, 1, False, False
    for _ in range(8):
        if again:
            factors, order = scipy.linalg.lu_factor(_jacobian(problem, x, y, p, middle, f, f_middle, at_ends))
            computed += 1
            if np.any(np.diagonal(factors) == 0):
                singular = True
                break
            step = scipy.linalg.lu_solve((factors, order), rest)
            cost = step @ step
        part, y_step, p_step = 1.0, step[: m * n].reshape(m, n).T, step[m * n :]
        y_new, p_new, step_new, cost_new = y, p, step, cost
        for trial in range(5):
            y_new, p_new = y - part * y_step, p - part * p_step
            if problem.singular is not None:
                y_new[:, 0] = problem.singular[2] @ y_new[:, 0]
            gaps, middle, f, f_middle = _gaps(problem, x, y_new, p_new)
            at_ends = _at_ends(problem, y_new, p_new)
            rest = _whole(gaps, at_ends)
            step_new = scipy.linalg.lu_solve((factors, order), rest)
            cost_new = step_new @ step_new
            if cost_new < (1 - 0.4 * part) * cost:
                break
            if trial < 4:
                part *= 0.5
        y, p = y_new, p_new
        if computed == 4 or np.all(np.abs(gaps) < allowed * (1 + np.abs(f_middle))) and np.all(np.abs(at_ends) < bc_tol):
            break
        again = part != 1
        if not again:
            step, cost = step_new, cost_new
    return y, p, singular


def _spline(x, y, f):
    """The cubic polynomials through y with the slopes f."""
    h = np.diff(x)
    slope = (y[:, 1:] - y[:, :-1]) / h
    t = (f[:, :-1] + f[:, 1:] - 2 * slope) / h
    parts = np.stack((t / h, (slope - f[:, :-1]) / h - t, f[:, :-1], y[:, :-1]))
    return Piecewise(np.moveaxis(parts, 1, 2), x, True, 1)


def _relative(r, f):
    return np.sum((r / (1 + np.abs(f))) ** 2, axis=0)


def _residuals(problem, spline, x, p, gaps, f_middle):
    """How far off the polynomials are between nodes, by the rule of Lobatto with five points."""
    h = np.diff(x)
    side = 0.5 * h * (3 / 7) ** 0.5
    found = 32 / 45 * _relative(1.5 * gaps / h, f_middle)
    for at in (x[:-1] + 0.5 * h + side, x[:-1] + 0.5 * h - side):
        f = _rate(problem, at, spline(at), p, False)
        found = found + 49 / 90 * _relative(spline(at, 1) - f, f)
    return (0.5 * found) ** 0.5


def _refined(problem, x, y, p, tol, bc_tol, max_nodes):
    """The last mesh, and y and p on it; how many meshes there were, and how it ended."""
    status, count = -1, 0
    while status < 0:
        y, p, singular = _newton(problem, x, y, p, tol, bc_tol)
        count += 1
        gaps, _, f, f_middle = _gaps(problem, x, y, p)
        spline = _spline(x, y, f)
        off = _residuals(problem, spline, x, p, gaps, f_middle)
        worst = np.max(np.abs(_at_ends(problem, y, p)))
        (one,), (two,) = np.nonzero((off > tol) & (off < 100 * tol)), np.nonzero(off >= 100 * tol)
        added = one.shape[0] + 2 * two.shape[0]
        if singular:
            status = 2
        elif x.shape[0] + added > max_nodes:
            status = 1
        elif added > 0:
            x = np.sort(np.concatenate((x, 0.5 * (x[one] + x[one + 1]), (2 * x[two] + x[two + 1]) / 3, (x[two] + 2 * x[two + 1]) / 3)))
            y = spline(x)
        elif worst <= bc_tol:
            status = 0
        elif count >= 10:
            status = 3
    return x, y, p, count, status


# ---- the function -------------------------------------------------------------------------------------------------------------------------------


def _of_both(function, k):
    """A user's function as one that is given p, too."""
    return function if k > 0 or function is None else lambda a, b, p: function(a, b)


def _with_none(function, k):
    if k > 0 or function is None:
        return function
    return lambda x, y, p: (function(x, y), None)


def _ends_with_none(function, k):
    if k > 0 or function is None:
        return function
    return lambda first, last, p: (*function(first, last), np.zeros((0, 0)))


def _singular_term(S, n, start):
    if S is None:
        return None
    term = np.asarray(S, np.float64)
    if term.shape[0] != n or term.shape[1] != n:
        raise ValueError(f"`S` is expected to have shape {(n, n)}, but actually has {term.shape}")
    return term, np.linalg.pinv(np.eye(n) - term), np.eye(n) - np.linalg.pinv(term) @ term, start


def solve_bvp(fun, bc, x, y, p=None, S=None, fun_jac=None, bc_jac=None, tol=0.001, max_nodes=1000, verbose=0, bc_tol=None):
    """scipy.integrate.solve_bvp of real unknowns."""
    if verbose != 0:
        unsupported("scipy.integrate.solve_bvp(…, verbose=…)", "its result")
    x, y = np.asarray(x).astype(np.float64), np.asarray(y)
    if y.dtype.kind == "c":
        unsupported("scipy.integrate.solve_bvp of complex unknowns", "their real and imaginary parts as unknowns")
    y = y.astype(np.float64)
    if x.ndim != 1:
        raise ValueError("`x` must be 1 dimensional.")
    if np.any(np.diff(x) <= 0):
        raise ValueError("`x` must be strictly increasing.")
    if y.ndim != 2:
        raise ValueError("`y` must be 2 dimensional.")
    if y.shape[1] != x.shape[0]:
        raise ValueError(f"`y` is expected to have {x.shape[0]} columns, but actually has {y.shape[1]}.")
    first = np.zeros(0) if p is None else np.asarray(p).astype(np.float64)
    if first.ndim != 1:
        raise ValueError("`p` must be 1 dimensional.")
    n, k = y.shape[0], 0 if p is None else 1
    problem = Problem(_of_both(fun, k), _of_both(bc, k), _with_none(fun_jac, k), _ends_with_none(bc_jac, k), _singular_term(S, n, x[0]))
    if problem.singular is not None:
        y = np.concatenate((problem.singular[2] @ y[:, :1], y[:, 1:]), axis=1)
    if _at_ends(problem, y, first).shape[0] != n + first.shape[0]:
        raise ValueError(f"`bc` return is expected to have shape {(n + first.shape[0],)}")
    tol = np.maximum(tol, 100 * SMALL**2)
    x, y, found, count, status = _refined(problem, x, marks.constant(y), marks.constant(first), tol, tol if bc_tol is None else bc_tol, max_nodes)
    m = x.shape[0]

    def equations(z):
        rows = z[: n * m].reshape(m, n).T
        return _whole(_gaps(problem, x, rows, z[n * m :])[0], _at_ends(problem, rows, z[n * m :]))

    z = custom_root(equations, marks.constant(np.concatenate((y.T.ravel(), found))), lambda _, z: z, solved)
    y, found = z[: n * m].reshape(m, n).T, z[n * m :]
    gaps, _, f, f_middle = _gaps(problem, x, y, found)
    spline = _spline(x, y, f)
    return BVPResult(spline, None if p is None else found, x, y, f, _residuals(problem, spline, x, found, gaps, f_middle), count, status, status == 0)


BOUNDARY_VALUES: dict[str, Any] = {"scipy.integrate.solve_bvp": solve_bvp}
"""By qualified name."""
