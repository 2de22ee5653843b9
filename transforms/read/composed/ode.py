"""scipy.integrate: initial value problems by explicit Runge-Kutta methods whose steps are chosen by their error.

Steps, tolerances and what happens between steps are SciPy's (Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.4), so the number of steps is SciPy's too. Derivatives
are those of the method's own formulas with the steps as they were taken: how long a step is depends on the error, and of that no derivative is taken.
Slopes are copied (`np.array(fun(…))`): a user's function may write all of them into one array.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import dop853
from s2s.transforms.read.composed.interpolants import Solution
from s2s.transforms.read.composed.marks import constant, surely, unsupported
from s2s.transforms.read.composed.ode_events import events_of, in_powers, polynomial, stacked, state_at, times_within, values


class Method(NamedTuple):
    """An embedded pair: its Butcher tableau, the weights of the error, and the polynomials of its slopes between two steps. DOP853 has another error of order `third`."""

    order: int
    nodes: tuple[float, ...]
    stages: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]
    errors: tuple[float, ...]
    between: tuple[tuple[float, ...], ...]
    third: tuple[float, ...] = ()


METHODS: dict[str, Method] = {
    "RK23": Method(  # Bogacki, Shampine 1989
        2, (1 / 2, 3 / 4), ((1 / 2,), (0, 3 / 4)), (2 / 9, 1 / 3, 4 / 9), (5 / 72, -1 / 12, -1 / 9, 1 / 8),
        ((1, -4 / 3, 5 / 9), (0, 1, -2 / 3), (0, 4 / 3, -8 / 9), (0, -1, 1)),
    ),
    "RK45": Method(  # Dormand, Prince 1980; between the steps Shampine 1986
        4, (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1),
        (
            (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9), (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
            (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        ),
        (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
        (-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40),
        (
            (1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432), (0, 0, 0, 0),
            (0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
            (0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
            (0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
            (0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
            (0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
        ),
    ),
    "DOP853": Method(7, dop853.NODES, dop853.STAGES, dop853.WEIGHTS, dop853.FIFTH, dop853.BETWEEN, dop853.THIRD),
}  # fmt: skip
"""By scipy.integrate.solve_ivp's names."""

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
"""A new step is this part of what the error allows, and not smaller or larger than the old one by more than these."""


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
    njev: int = 0
    nlu: int = 0


def solve_ivp(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None,
    *, first_step=None, max_step=np.inf, rtol=1e-3, atol=1e-6,
):  # fmt: skip
    """scipy.integrate.solve_ivp by explicit methods."""
    if method not in METHODS:
        unsupported(f"scipy.integrate.solve_ivp by {method!r}", "method='RK45'", "the others are implicit, or not in these tables")
    start, end = t_span
    t0, t_bound = float(start), float(end)
    y0 = _initial(y0)
    if y0.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    if first_step is not None and first_step <= 0:
        raise ValueError("`first_step` must be positive.")
    if first_step is not None and first_step > abs(t_bound - t0):
        raise ValueError("`first_step` exceeds bounds.")
    if max_step <= 0:
        raise ValueError("`max_step` must be positive.")
    slope = fun if args is None else _with_arguments(fun, args)
    tolerances = _tolerances(rtol, atol, y0)
    if t_eval is None and events is None and not dense_output:
        return _through_steps(METHODS[method], slope, t0, t_bound, y0, first_step, max_step, tolerances)
    times = None if t_eval is None else _wanted_times(t_eval, t0, t_bound)
    if events is not None or dense_output:
        asked = events_of(() if events is None else events, () if args is None else args)
        return _with_events(METHODS[method], slope, t0, t_bound, y0, times, first_step, max_step, tolerances, asked, events is not None, dense_output)
    y, count, nfev, status = _at_times(METHODS[method], slope, t0, t_bound, y0, times, first_step, max_step, tolerances)
    return OdeResult(times[:count], y[:, :count], nfev, status, status >= 0)


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
    """scipy.integrate.odeint, by RK45's steps instead of LSODA's: within the same tolerances another number. What LSODA alone uses (Jacobians, orders, counts of its steps, messages) changes nothing."""
    if full_output or tcrit is not None or hmin != 0.0:
        unsupported("scipy.integrate.odeint with full_output, tcrit or hmin", "scipy.integrate.solve_ivp")
    if not isinstance(args, tuple):
        args = (args,)
    times = np.asarray(t, np.float64)
    y0 = np.atleast_1d(_initial(y0))
    if y0.dtype.kind == "c":
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
    if y0.ndim != 1:
        raise ValueError("Initial condition y0 must be one-dimensional.")
    slope = _with_arguments(func, args) if tfirst else _state_first(func, args)
    relative, absolute = 1.49012e-8 if rtol is None else rtol, 1.49012e-8 if atol is None else atol
    first, longest = None if h0 == 0.0 else h0, np.inf if hmax == 0.0 else hmax
    y, count, _, _ = _at_times(METHODS["RK45"], slope, times[0], times[-1], y0, times, first, longest, _tolerances(relative, absolute, y0))
    if count < times.size:
        raise RuntimeError("odeint: the step size is less than the spacing between numbers")
    return y.T


def _initial(y0):
    y0 = np.asarray(y0)
    return y0.astype(np.complex128 if y0.dtype.kind == "c" else np.float64)


def _with_arguments(fun, args):
    return lambda t, y: fun(t, y, *args)


def _state_first(func, args):
    return lambda t, y: func(y, t, *args)


def _tolerances(rtol, atol, y0):
    """SciPy's: no relative one below what rounding allows."""
    atol = np.asarray(atol)
    if atol.ndim > 0 and atol.shape != y0.shape:
        raise ValueError("`atol` has wrong shape.")
    if np.any(atol < 0):
        raise ValueError("`atol` must be positive.")
    return constant(np.maximum(rtol, 100 * np.finfo(np.float64).eps)), constant(atol)


# ---- steps ---------------------------------------------------------------------------------------------------------------------


def _begun(method, fun, t, t_bound, y, first_step, max_step, tolerances):
    """Both ends as NumPy's numbers, the direction, the first slope, how long the first step is, and how many slopes are known by then."""
    direction = 1.0 if t_bound >= t else -1.0
    f = np.array(fun(t, y), y.dtype)
    t, t_bound = np.float64(t), np.float64(t_bound)
    return t, t_bound, direction, f, *_first(method, fun, t, t_bound, y, f, direction, first_step, max_step, tolerances)


def _through_steps(method, fun, t, t_bound, y, first_step, max_step, tolerances):
    """All steps' ends."""
    t, t_bound, direction, f, length, nfev = _begun(method, fun, t, t_bound, y, first_step, max_step, tolerances)
    status = 0
    times, states = [t], [y]
    if t == t_bound or y.size == 0:  # one step, to the end
        times.append(t_bound)
        states.append(y)
    while y.size > 0 and direction * (t - t_bound) < 0 and status == 0:
        t_new, y_new, slopes, length, tries = _step(method, fun, t, t_bound, y, f, direction, length, max_step, tolerances)
        nfev += tries * len(method.weights)
        if length == 0.0:
            status = -1
        else:
            t, y, f = t_new, y_new, slopes[-1]
            times.append(t)
            states.append(y)
    return OdeResult(np.array(times), np.array(states).T, nfev, status, status >= 0)


def _at_times(method, fun, t, t_bound, y, times, first_step, max_step, tolerances):
    """What the solution is at these times, how many of them were reached, how many slopes were computed for that, and how it ended."""
    t, t_bound, direction, f, length, nfev = _begun(method, fun, t, t_bound, y, first_step, max_step, tolerances)
    status, count = 0, 0
    found = np.empty((y.size, times.size), y.dtype)
    while count < times.size and (times[count] == t and (not method.third or t == t_bound) or y.size == 0):
        found[:, count] = y
        count += 1
    while y.size > 0 and direction * (t - t_bound) < 0 and status == 0:
        t_new, y_new, slopes, length, tries = _step(method, fun, t, t_bound, y, f, direction, length, max_step, tolerances)
        nfev += tries * len(method.weights)
        if length == 0.0:
            status = -1
        else:
            if method.third and count < times.size and direction * (times[count] - t_new) <= 0:
                bends, more = _bends(method, fun, t, t_new, y, y_new, slopes)
                nfev += more
                while count < times.size and direction * (times[count] - t_new) <= 0:
                    found[:, count] = state_at(times[count], t, t_new, y, bends)
                    count += 1
            while count < times.size and direction * (times[count] - t_new) <= 0:
                part = (times[count] - t) / (t_new - t)
                found[:, count] = y + (t_new - t) * _weighted([polynomial(row, part) if any(row) else 0 for row in method.between], slopes)
                count += 1
            t, y, f = t_new, y_new, slopes[-1]
    return found, count, nfev, status


def _with_events(method, fun, t, t_bound, y, times, first_step, max_step, tolerances, events, has_events, dense_output):
    """All steps' ends, or what the solution is at `times`; when each event happened, and the states then; polynomials between the steps, if they are wanted."""
    t, t_bound, direction, f, length, nfev = _begun(method, fun, t, t_bound, y, first_step, max_step, tolerances)
    if t == t_bound or y.size == 0:
        raise NotImplementedError("scipy.integrate.solve_ivp over no time, or of no equations, with events or dense_output is not supported")
    y0, status, forward = y, 0, direction > 0
    ends, states, starts, rows = [t], [y], [], [[] for _ in range(_powers(method))]
    found, count = (np.empty((y.size, 0), y.dtype), 0) if times is None else (np.empty((y.size, times.size), y.dtype), 0)
    before, counts = values(events, t, y), [0.0 for _ in events.functions]
    t_events, y_events = [[] for _ in events.functions], [[] for _ in events.functions]
    open_ = True
    while open_:
        t_new, y_new, slopes, length, tries = _step(method, fun, t, t_bound, y, f, direction, length, max_step, tolerances)
        nfev += tries * len(method.weights)
        if length == 0.0:
            status, open_ = -1, False
        else:
            bends, more = _bends(method, fun, t, t_new, y, y_new, slopes)
            asked = dense_output
            open_ = direction * (t_new - t_bound) < 0
            t_end, y_end = t_new, y_new
            if has_events:
                after = values(events, t_new, y_new)
                moments, happens, counts, stop, stops = times_within(events, before, after, counts, (t, t_new, y, bends), forward)
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
            nfev += more if asked else 0
            ends.append(t_end)
            states.append(y_end)
            t, y, f = t_new, y_new, slopes[-1]
    sol = Solution(np.array(ends), np.array(starts), [np.array(each) for each in rows], forward) if dense_output else None
    t_found, y_found = (np.array(ends), np.array(states).T) if times is None else (times[:count], found[:, :count])
    moments = [np.array(each) if len(each) > 0 else np.zeros(0) for each in t_events] if has_events else None
    return OdeResult(t_found, y_found, nfev, status, status >= 0, sol, moments, [stacked(each, y0) for each in y_events] if has_events else None)


def _powers(method):
    return 7 if method.third else len(method.between[0])


def _bends(method, fun, t, t_new, y, y_new, slopes):
    """The coefficients of the polynomial between two steps' ends, and how many further slopes it took."""
    h = t_new - t
    if not method.third:
        return [h * _weighted([row[power] for row in method.between], slopes) for power in range(len(method.between[0]))], 0
    slopes = [*slopes]
    for node, weights in zip(dop853.MORE_NODES, dop853.MORE_STAGES, strict=True):
        slopes.append(np.array(fun(t + node * h, y + _weighted(weights, slopes) * h), y.dtype))
    moved = y_new - y
    first, last = h * slopes[0], h * slopes[len(method.weights)]
    return in_powers([moved, first - moved, 2 * moved - (last + first), *[h * _weighted(row, slopes) for row in method.between]]), len(dop853.MORE_NODES)


def _first(method, fun, t, t_bound, y, f, direction, first_step, max_step, tolerances):
    """How long the first step is (Hairer et al., II.4), and how many slopes are known by then."""
    if first_step is not None:
        return constant(first_step), 1
    interval = constant(abs(t_bound - t))
    if interval == 0.0 or y.size == 0:
        return interval, 1
    rtol, atol = tolerances
    scale = atol + np.abs(y) * rtol
    value, slope = constant(_size(y / scale)), constant(_size(f / scale))
    guess = min(1e-6 if value < 1e-5 or slope < 1e-5 else 0.01 * value / slope, interval)
    moved = np.array(fun(t + guess * direction, y + guess * direction * f), y.dtype)
    bend = constant(_size((moved - f) / scale)) / guess
    length = max(1e-6, guess * 1e-3) if slope <= 1e-15 and bend <= 1e-15 else (0.01 / max(slope, bend)) ** (1 / (method.order + 1))
    return min(100 * guess, length, interval, max_step), 2


def _step(method, fun, t, t_bound, y, f, direction, length, max_step, tolerances):
    """One step: the next time, state and slopes, how long the next one may be (0: there is none), and how often it was tried."""
    rtol, atol = tolerances
    shortest = constant(10 * abs(np.nextafter(t, direction * np.inf) - t))
    length = min(max(length, shortest), max_step)
    t_new, y_new, slopes, tries = t, y, [f for _ in range(len(method.weights) + 1)], 0
    rejected, open_ = False, True
    while open_:
        if length < shortest:
            length, open_ = 0.0, False
        else:
            t_new = t + direction * length
            if direction * (t_new - t_bound) > 0:
                t_new = t_bound
            h = t_new - t
            y_new, slopes = _stages(method, fun, t, y, f, h)
            error = h * _weighted(method.errors, slopes)
            scale = atol + np.maximum(np.abs(y), np.abs(y_new)) * rtol
            size = constant(_two_errors(_weighted(method.errors, slopes) / scale, _weighted(method.third, slopes) / scale, h) if method.third else _size(error / scale))
            allowed = GROW if size == 0.0 else SAFETY * size ** (-1 / (method.order + 1))
            tries += 1
            open_ = not size < 1
            factor = max(SHRINK, allowed) if open_ else min(GROW, allowed)
            length = constant(abs(h)) * (min(1.0, factor) if rejected and not open_ else factor)
            rejected = True
    return t_new, y_new, slopes, length, tries


def _stages(method, fun, t, y, f, h):
    """The state after one step, and all slopes: the last one is the next step's first."""
    slopes = [f]
    for node, weights in zip(method.nodes, method.stages, strict=True):
        slopes.append(np.array(fun(t + node * h, y + _weighted(weights, slopes) * h), y.dtype))
    y_new = y + h * _weighted(method.weights, slopes)
    return y_new, [*slopes, np.array(fun(t + h, y_new), y.dtype)]


def _weighted(weights, slopes):
    """The sum of weights times slopes, without those that are known to be zero."""
    kept = [(weight, slope) for weight, slope in zip(weights, slopes, strict=False) if not surely(weight == 0)]
    total = kept[0][0] * kept[0][1]
    for weight, slope in kept[1:]:
        total = total + weight * slope
    return total


def _two_errors(fifth, third, h):
    """The size of the error of two estimates."""
    large, small = np.linalg.norm(fifth) ** 2, np.linalg.norm(third) ** 2
    return 0.0 if large == 0 and small == 0 else np.abs(h) * large / np.sqrt((large + 0.01 * small) * fifth.size)


def _size(x):
    """The root of the mean of squares."""
    return np.linalg.norm(x) / x.size**0.5
