"""scipy.integrate.solve_ivp with events, and with a solution between the steps.

Steps are `ode`'s; where an event's function changes its sign within one, Brent's method finds where (SciPy's tolerances). Derivatives of that time are those of the implicit function theorem.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.roots import FINEST, zero_between


class Events(NamedTuple):
    """The functions of time, state and `args`; when each counts (`directions`), and how many of it end the solution (`most`)."""

    functions: Any
    args: Any
    most: Any
    directions: Any


def events_of(functions, args):
    """What solve_ivp is given as one function or several, with their attributes."""
    functions = (functions,) if callable(functions) else tuple(functions)
    most = tuple(_most(getattr(function, "terminal", None)) for function in functions)
    return Events(functions, args, most, tuple(getattr(function, "direction", 0) for function in functions))


def values(events, t, y):
    """All functions at a time and a state."""
    return [_number(function(t, y, *events.args)) for function in events.functions]


def _number(value):
    """An event's number, that an array of one may hold."""
    return np.asarray(value, np.float64).reshape(-1)[0]


def _most(terminal):
    if terminal is None or terminal == 0:
        return np.inf
    if int(terminal) == terminal and terminal > 0:
        return float(terminal)
    raise ValueError("The `terminal` attribute of each event must be a boolean or positive integer.")


def active(before, after, direction):
    """Whether a function changes its sign as its direction asks."""
    up, down = (before <= 0) & (after >= 0), (before >= 0) & (after <= 0)
    return (up & (direction > 0)) | (down & (direction < 0)) | ((up | down) & (direction == 0))


def times_within(events, before, after, counts, step, forward):
    """Of one step (its ends, the state before, the polynomial): when each event happens, whether it does before one of them ends the solution, when that is (nan: it goes on), and how often each happened by then."""
    happens = [active(first, second, direction) for first, second, direction in zip(before, after, events.directions, strict=True)]
    counts = [count + (1.0 if happened else 0.0) for count, happened in zip(counts, happens, strict=True)]
    times, ends = [], []
    t_old, t, y, bends = step
    for function, happened, count, most in zip(events.functions, happens, counts, events.most, strict=True):
        time = t
        if happened:
            time = zero_between(lambda at, function=function: _number(function(at, state_at(at, t_old, t, y, bends), *events.args)), t_old, t, FINEST, FINEST)
        times.append(time)
        ends.append(happened and count >= most)
    stop, place, stops = t, len(times), False
    for k in range(len(times)):
        if ends[k] and (not stops or (times[k] < stop if forward else times[k] > stop)):
            stop, place, stops = times[k], k, True
    for k in range(len(times)):
        if stops and (times[k] > stop if forward else times[k] < stop) or (stops and times[k] == stop and k > place):
            happens[k] = False
    return times, happens, counts, stop, stops


def stacked(states, like):
    """States of all times an event happened at; without any an array of none."""
    return np.array(states) if len(states) > 0 else np.zeros((0, like.size), like.dtype)


# ---- between the steps -----------------------------------------------------------------------------------------------------


def state_at(at, t, t_new, y, bends):
    """Between two steps' ends."""
    return y + polynomial(bends, (at - t) / (t_new - t))


def polynomial(coefficients, x):
    """Without a constant term."""
    value = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient
    return value * x


def in_powers(parts):
    """The coefficients of x (a + (1 - x) (b + x (c + (1 - x) (d + ...)))), from that of x on."""
    found = [parts[-1]]
    for place in range(len(parts) - 2, -1, -1):
        if place % 2 == 1:  # x times what follows
            found = [parts[place], *found]
        else:
            turned = [found[0], *[found[k] - found[k - 1] for k in range(1, len(found))], -found[-1]]
            found = [parts[place] + turned[0], *turned[1:]]
    return found
