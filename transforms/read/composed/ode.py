"""scipy.integrate: initial value problems, by explicit Runge-Kutta methods (`runge_kutta`), or where they are stiff by implicit ones (`radau`, `bdf`), whose steps are chosen by their error.

Steps, tolerances and what happens between steps are SciPy's, so the number of steps is SciPy's too. LSODA, and odeint of a Jacobian, are here Dormand's and Prince's method as long as the
problem is not stiff, and backward differentiation from there on (`stiffness`), odeint without one that method alone: the same solution within the tolerances, by other steps. Derivatives are those of the method's own formulas with the steps as they were
taken: how long a step is depends on the error, and of that no derivative is taken.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import bdf, marks, radau, runge_kutta, stiffness
from s2s.transforms.read.composed.interpolants import Solution
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.ode_events import events_of, stacked, state_at, times_within, values
from s2s.transforms.read.composed.runge_kutta import METHODS, Problem, first_length


@as_dict("t", "y", "sol", "t_events", "y_events", "nfev", "njev", "nlu", "status", "message", "success")
class OdeResult(NamedTuple):
    """What scipy.integrate.solve_ivp gives."""

    t: Any
    y: Any
    nfev: Any
    status: Any
    success: Any
    sol: Any = None
    t_events: Any = None
    y_events: Any = None
    njev: Any = 0
    nlu: Any = 0

    @property
    def message(self):
        """How it ended."""
        return "The solver successfully reached the end of the integration interval." if self.status == 0 else "A termination event occurred." if self.status == 1 else "Required step size is less than spacing between numbers."


@as_dict("message", unsure=("hu", "tcur", "tolsf", "tsw", "nst", "nfe", "nje", "nqu", "imxer", "lenrw", "leniw", "mused"))
class Integration(NamedTuple):
    """What is told of scipy.integrate.odeint's solution besides: of LSODA's own steps nothing."""

    message: str


class Jacobian(NamedTuple):
    """The functions that give the Jacobian at a time and a state: where the solution begins, with how many were computed for it, and later (None: it is always the first one)."""

    first: Any
    at: Any


def solve_ivp(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None,
    *, first_step=None, max_step=np.inf, rtol=1e-3, atol=1e-6, jac=None, jac_sparsity=None, lband=None, uband=None, min_step=0.0,
):  # fmt: skip
    """scipy.integrate.solve_ivp. Where nothing is known of the Jacobian it is exact: its sparsity is of no use."""
    if isinstance(method, type):
        method = method.__name__
    if method not in METHODS:
        unsupported(f"scipy.integrate.solve_ivp by {method!r}", " or ".join(METHODS))
    if lband is not None or uband is not None or min_step != 0.0:
        unsupported("scipy.integrate.solve_ivp with lband, uband or min_step", "a whole Jacobian")
    start, end = t_span
    t0, t_bound = float(start), float(end)
    y0 = _initial(y0)
    if y0.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    if not np.all(np.isfinite(y0)):
        raise ValueError("All components of the initial state `y0` must be finite.")
    if first_step is not None and first_step <= 0:
        raise ValueError("`first_step` must be positive.")
    if first_step is not None and first_step > abs(t_bound - t0):
        raise ValueError("`first_step` exceeds bounds.")
    if max_step <= 0:
        raise ValueError("`max_step` must be positive.")
    if method == "Radau" and y0.dtype.kind == "c":
        raise ValueError("`y0` is complex, but the chosen solver does not support integration in a complex domain.")
    given = fun if args is None else _with_arguments(fun, args)
    slope = _of_columns(given) if vectorized else given
    slopes_of = _with_arguments(jac, args) if callable(jac) and args is not None else jac
    problem = _problem(slope, slopes_of, t0, t_bound, y0, max_step, rtol, atol)
    steps = _method(method, slope, t0, y0)
    times = None if t_eval is None else _wanted_times(t_eval, t0, t_bound)
    if t_eval is None and events is None and not dense_output:
        return _through_steps(steps, problem, t0, t_bound, y0, first_step)
    if events is not None or dense_output:
        asked = events_of(() if events is None else events, () if args is None else args)
        return _with_events(steps, problem, t0, t_bound, y0, times, first_step, asked, events is not None, dense_output)
    y, count, counts, status = _at_times(steps, problem, t0, t_bound, y0, times, first_step)
    return OdeResult(times[:count], y[:, :count], counts[0], status, status >= 0, None, None, None, counts[1], counts[2])


def _wanted_times(t_eval, t0, t_bound):
    t_eval = np.asarray(t_eval)
    if t_eval.ndim != 1:
        raise ValueError("`t_eval` must be 1-dimensional.")
    if np.any(t_eval < min(t0, t_bound)) or np.any(t_eval > max(t0, t_bound)):
        raise ValueError("Values in `t_eval` are not within `t_span`.")
    steps = np.diff(t_eval)
    if (t_bound > t0 and np.any(steps <= 0)) or (t_bound < t0 and np.any(steps >= 0)):
        raise ValueError("Values in `t_eval` are not properly sorted.")
    return t_eval.astype(np.float64)


def odeint(
    func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None, tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5,
    printmessg=0, tfirst=False,
):  # fmt: skip
    """scipy.integrate.odeint: within the same tolerances another number. What LSODA's own steps use (orders, bands, `tcrit`, where no step may end behind, messages) changes nothing."""
    if hmin != 0.0:
        unsupported("scipy.integrate.odeint with hmin", "scipy.integrate.solve_ivp", "it is of SciPy's own steps")
    if not isinstance(args, tuple):
        args = (args,)
    slope = _with_arguments(func, args) if tfirst else _state_first(func, args)
    relative, absolute = 1.49012e-8 if rtol is None else rtol, 1.49012e-8 if atol is None else atol
    method = "RK45" if Dfun is None else "LSODA"  # whoever gives a Jacobian has a stiff problem: both methods take four times as long to compile
    y = states_at(method, slope, _of_odeint(Dfun, args, col_deriv, tfirst, ml, mu), y0, t, relative, absolute, None if h0 == 0.0 else h0, np.inf if hmax == 0.0 else hmax)
    return (y, Integration("Integration successful.")) if full_output else y


def states_at(name, slope, jac, y0, t, rtol, atol, first=None, longest=np.inf):
    """The states at the times t by a method of solve_ivp, a row for each."""
    times = np.asarray(t, np.float64)
    y0 = np.atleast_1d(_initial(y0))
    if y0.dtype.kind == "c":
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
    if y0.ndim != 1:
        raise ValueError("Initial condition y0 must be one-dimensional.")
    problem = _problem(slope, jac, times[0], times[-1], y0, longest, rtol, atol)
    y, count, _, _ = _at_times(_method(name, slope, times[0], y0), problem, times[0], times[-1], y0, times, first)
    if count < times.size:
        raise RuntimeError("odeint: the step size is less than the spacing between numbers")
    return y.T


def _of_odeint(jac, args, turned, tfirst, ml, mu):
    """The function that gives the Jacobian at a time and a state; of one with bands an exact one."""
    if jac is None or ml is not None or mu is not None:
        return None
    given = _with_arguments(jac, args) if tfirst else _state_first(jac, args)
    return (lambda t, y: np.asarray(given(t, y)).T) if turned else given


def _initial(y0):
    y0 = np.asarray(y0)
    return y0.astype(np.complex128 if y0.dtype.kind == "c" else np.float64)


def _with_arguments(fun, args):
    return lambda t, y: fun(t, y, *args)


def _of_columns(fun):
    """Of one state a function of columns of states."""
    return lambda t, y: np.asarray(fun(t, y[:, np.newaxis])).ravel()


def _state_first(func, args):
    return lambda t, y: func(y, t, *args)


def _problem(fun, jac, t, t_bound, y0, max_step, rtol, atol):
    """What is solved. No relative tolerance is below what rounding allows."""
    atol = np.asarray(atol)
    if atol.ndim > 0 and atol.shape != y0.shape:
        raise ValueError("`atol` has wrong shape.")
    if np.any(atol < 0):
        raise ValueError("`atol` must be positive.")
    direction = 1.0 if t_bound >= t else -1.0
    return Problem(fun, _jacobian(fun, jac, y0), direction, max_step, constant(np.maximum(rtol, 100 * np.finfo(np.float64).eps)), constant(atol))


def _jacobian(fun, jac, y0):
    """As it was given, or the exact one."""
    if jac is None:

        def exact(t, y):
            return marks.ours("jacfwd")(lambda y: np.array(fun(t, y), y.dtype), holomorphic=y.dtype.kind == "c")(y)

        return Jacobian(lambda t, y: (exact(t, y), 1), exact)
    if callable(jac):

        def given(t, y):
            return _square(jac(t, y), y)

        return Jacobian(lambda t, y: (given(t, y), 1), given)
    fixed = _square(jac, y0)
    return Jacobian(lambda t, y: (fixed, 0), None)


def _square(jac, y):
    found = np.asarray(jac.toarray() if hasattr(jac, "toarray") else jac).astype(y.dtype)
    if found.shape != (y.size, y.size):
        raise ValueError(f"`jac` is expected to have shape {(y.size, y.size)}, but actually has {found.shape}.")
    return found


# ---- steps ---------------------------------------------------------------------------------------------------------------------


def _method(name, fun, t, y):
    """A method by its name. A function that stores outside of it has no equation of its own that an implicit step could solve."""
    return METHODS["RK45" if name == "LSODA" and marks.stores_outside(fun, np.float64(t), y) else name]


def _steps_of(method):
    """The module that takes a method's steps: `begun`, `step`, `bends` and `powers` are the same questions in each."""
    return {"Radau": radau, "BDF": bdf, "LSODA": stiffness}.get(method.name, runge_kutta)


def _begun(method, problem, t, t_bound, y, first_step):
    """Both ends as NumPy's numbers, what the method keeps, and how many slopes and Jacobians are known by then."""
    f = np.array(problem.fun(t, y), y.dtype)
    t, t_bound = np.float64(t), np.float64(t_bound)
    length, nfev = first_length(method, problem, t, t_bound, y, f, first_step)
    kept, njev = _steps_of(method).begun(method, problem, t, y, f, length)
    return t, t_bound, kept, (nfev, njev, 0)


def _added(counts, step):
    return counts[0] + step.nfev, counts[1] + step.njev, counts[2] + step.nlu


def _through_steps(method, problem, t, t_bound, y, first_step):
    """All steps' ends."""
    t, t_bound, kept, counts = _begun(method, problem, t, t_bound, y, first_step)
    status = 0
    times, states = [t], [y]
    if t == t_bound or y.size == 0:  # one step, to the end
        times.append(t_bound)
        states.append(y)
    while y.size > 0 and problem.direction * (t - t_bound) < 0 and status == 0:
        step = _steps_of(method).step(method, problem, t, t_bound, y, kept)
        counts = _added(counts, step)
        if step.failed:
            status = -1
        else:
            t, y, kept = step.t, step.y, step.kept
            times.append(t)
            states.append(y)
    return OdeResult(np.array(times), np.array(states).T, counts[0], status, status >= 0, None, None, None, counts[1], counts[2])


def _at_times(method, problem, t, t_bound, y, times, first_step):
    """What the solution is at these times, how many of them were reached, the counts, and how it ended."""
    t, t_bound, kept, counts = _begun(method, problem, t, t_bound, y, first_step)
    status, count, direction = 0, 0, problem.direction
    found = np.empty((y.size, times.size), y.dtype)
    while count < times.size and (times[count] == t and (not method.third or t == t_bound) or y.size == 0):
        found[:, count] = y
        count += 1
    while y.size > 0 and direction * (t - t_bound) < 0 and status == 0:
        step = _steps_of(method).step(method, problem, t, t_bound, y, kept)
        counts = _added(counts, step)
        if step.failed:
            status = -1
        else:
            if count < times.size and direction * (times[count] - step.t) <= 0:
                bends, more = _steps_of(method).bends(method, problem, t, step.t, y, step.y, step.inner)
                counts = (counts[0] + more, counts[1], counts[2])
                while count < times.size and direction * (times[count] - step.t) <= 0:
                    found[:, count] = state_at(times[count], t, step.t, y, bends)
                    count += 1
            t, y, kept = step.t, step.y, step.kept
    return found, count, counts, status


def _with_events(method, problem, t, t_bound, y, times, first_step, events, has_events, dense_output):
    """All steps' ends, or what the solution is at `times`; when each event happened, and the states then; polynomials between the steps, if they are wanted."""
    t, t_bound, kept, counts = _begun(method, problem, t, t_bound, y, first_step)
    direction = problem.direction
    if t == t_bound or y.size == 0:
        raise NotImplementedError("scipy.integrate.solve_ivp over no time, or of no equations, with events or dense_output is not supported")
    y0, status, forward = y, 0, direction > 0
    ends, states, starts, rows = [t], [y], [], [[] for _ in range(_steps_of(method).powers(method))]
    found, count = (np.empty((y.size, 0), y.dtype), 0) if times is None else (np.empty((y.size, times.size), y.dtype), 0)
    before, happened = values(events, t, y), [0.0 for _ in events.functions]
    t_events, y_events = [[] for _ in events.functions], [[] for _ in events.functions]
    open_ = True
    while open_:
        step = _steps_of(method).step(method, problem, t, t_bound, y, kept)
        counts, t_new, y_new = _added(counts, step), step.t, step.y
        if step.failed:
            status, open_ = -1, False
        else:
            bends, more = _steps_of(method).bends(method, problem, t, t_new, y, y_new, step.inner)
            asked = dense_output
            open_ = direction * (t_new - t_bound) < 0
            t_end, y_end = t_new, y_new
            if has_events:
                after = values(events, t_new, y_new)
                moments, happens, happened, stop, stops = times_within(events, before, after, happened, (t, t_new, y, bends), forward)
                for k in range(len(moments)):
                    if happens[k]:
                        t_events[k].append(moments[k])
                        y_events[k].append(state_at(moments[k], t, t_new, y, bends))
                        asked = True
                if stops:
                    status, open_, t_end, y_end = 1, False, stop, state_at(stop, t, t_new, y, bends)
                before = after
            if times is not None:
                while count < times.size and direction * (times[count] - t_end) <= 0:
                    found[:, count] = state_at(times[count], t, t_new, y, bends)
                    count += 1
                    asked = True
            if dense_output:
                starts.append(y)
                for power in range(len(rows)):
                    rows[power].append(bends[power] * ((t_end - t) / (t_new - t)) ** (power + 1))
            counts = (counts[0] + (more if asked else 0), counts[1], counts[2])
            ends.append(t_end)
            states.append(y_end)
            t, y, kept = t_new, y_new, step.kept
    sol = Solution(np.array(ends), np.array(starts), [np.array(each) for each in rows], forward) if dense_output else None
    t_found, y_found = (np.array(ends), np.array(states).T) if times is None else (times[:count], found[:, :count])
    moments = [np.array(each) if len(each) > 0 else np.zeros(0) for each in t_events] if has_events else None
    return OdeResult(t_found, y_found, counts[0], status, status >= 0, sol, moments, [stacked(each, y0) for each in y_events] if has_events else None, counts[1], counts[2])
