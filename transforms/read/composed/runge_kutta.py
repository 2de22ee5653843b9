"""Steps of explicit Runge-Kutta methods whose length is chosen by their error, as SciPy takes them (Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.4).

What a method keeps from one step to the next: the slope at its end, and how long the next one may be. Slopes are copied (`np.array(fun(…))`): a user's function may write all of them into one array.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import dop853
from s2s.transforms.read.composed.marks import constant, surely
from s2s.transforms.read.composed.ode_events import in_powers


class Method(NamedTuple):
    """An embedded pair: its Butcher tableau, the weights of the error, and the polynomials of its slopes between two steps. DOP853 has another error of order `third`."""

    order: int
    nodes: tuple[float, ...]
    stages: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]
    errors: tuple[float, ...]
    between: tuple[tuple[float, ...], ...]
    third: tuple[float, ...] = ()
    name: str = ""


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
    "Radau": Method(3, (), (), (), (), (), name="Radau"), "BDF": Method(1, (), (), (), (), (), name="BDF"),
}  # fmt: skip
METHODS["LSODA"] = METHODS["RK45"]._replace(name="LSODA")
"""By scipy.integrate.solve_ivp's names. Of implicit ones the order of their first step is all that stands here."""

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
"""A new step is this part of what the error allows, and not smaller or larger than the old one by more than these."""


class Problem(NamedTuple):
    """What is solved, and how exactly: the slopes, the function that gives their Jacobian (None: it is always the first one), which way time goes, the longest step, the relative and absolute tolerance."""

    fun: Any
    jacobian: Any
    direction: Any
    longest: Any
    rtol: Any
    atol: Any


class Step(NamedTuple):
    """One step's end: time, state, what the method keeps, what the polynomial within the step is made of, whether no step was short enough, and how many slopes, Jacobians and factors it took."""

    t: Any
    y: Any
    kept: Any
    inner: Any
    failed: Any
    nfev: Any
    njev: Any
    nlu: Any


def begun(method, problem, t, y, f, length):
    """What is kept before the first step; how many Jacobians it took."""
    return (f, length), 0


def powers(method):
    """How many powers the polynomial within a step has."""
    return 7 if method.third else len(method.between[0])


def bends(method, problem, t, t_new, y, y_new, slopes):
    """The coefficients of the polynomial between two steps' ends, and how many further slopes it took."""
    h = t_new - t
    if not method.third:
        return [h * weighted([row[power] for row in method.between], slopes) for power in range(len(method.between[0]))], 0
    slopes = [*slopes]
    for node, weights in zip(dop853.MORE_NODES, dop853.MORE_STAGES, strict=True):
        slopes.append(np.array(problem.fun(t + node * h, y + weighted(weights, slopes) * h), y.dtype))
    moved = y_new - y
    first, last = h * slopes[0], h * slopes[len(method.weights)]
    return in_powers([moved, first - moved, 2 * moved - (last + first), *[h * weighted(row, slopes) for row in method.between]]), len(dop853.MORE_NODES)


def first_length(method, problem, t, t_bound, y, f, first_step):
    """How long the first step is (Hairer et al., II.4), and how many slopes are known by then."""
    if first_step is not None:
        return constant(first_step), 1
    interval = constant(abs(t_bound - t))
    if interval == 0.0 or y.size == 0:
        return interval, 1
    scale = problem.atol + np.abs(y) * problem.rtol
    value, slope = constant(size_of(y / scale)), constant(size_of(f / scale))
    guess = min(1e-6 if value < 1e-5 or slope < 1e-5 else 0.01 * value / slope, interval)
    moved = np.array(problem.fun(t + guess * problem.direction, y + guess * problem.direction * f), y.dtype)
    bend = constant(size_of((moved - f) / scale)) / guess
    length = max(1e-6, guess * 1e-3) if slope <= 1e-15 and bend <= 1e-15 else (0.01 / max(slope, bend)) ** (1 / (method.order + 1))
    return min(100 * guess, length, interval, problem.longest), 2


def shortest_step(problem, t):
    """No step is shorter: ten times what separates two times."""
    return constant(10 * abs(np.nextafter(t, problem.direction * np.inf) - t))


def step(method, problem, t, t_bound, y, kept):
    """One step."""
    f, length = kept
    direction = problem.direction
    shortest = shortest_step(problem, t)
    length = min(max(length, shortest), problem.longest)
    t_new, y_new, slopes, tries = t, y, [f for _ in range(len(method.weights) + 1)], 0
    rejected, open_, failed = False, True, False
    while open_:
        if not length >= shortest:  # nan, too
            failed, open_ = True, False
        else:
            t_new = t + direction * length
            if direction * (t_new - t_bound) > 0:
                t_new = t_bound
            h = t_new - t
            y_new, slopes = _stages(method, problem.fun, t, y, f, h)
            error = h * weighted(method.errors, slopes)
            scale = problem.atol + np.maximum(np.abs(y), np.abs(y_new)) * problem.rtol
            size = constant(_two_errors(weighted(method.errors, slopes) / scale, weighted(method.third, slopes) / scale, h) if method.third else size_of(error / scale))
            allowed = GROW if size == 0.0 else SAFETY * size ** (-1 / (method.order + 1))
            tries += 1
            open_ = not size < 1
            factor = max(SHRINK, allowed) if open_ else min(GROW, allowed)
            length = constant(abs(h)) * (min(1.0, factor) if rejected and not open_ else factor)
            rejected = True
    return Step(t_new, y_new, (slopes[-1], length), slopes, failed, tries * len(method.weights), 0, 0)


def _stages(method, fun, t, y, f, h):
    """The state after one step, and all slopes: the last one is the next step's first."""
    slopes = [f]
    for node, weights in zip(method.nodes, method.stages, strict=True):
        slopes.append(np.array(fun(t + node * h, y + weighted(weights, slopes) * h), y.dtype))
    y_new = y + h * weighted(method.weights, slopes)
    return y_new, [*slopes, np.array(fun(t + h, y_new), y.dtype)]


def weighted(weights, slopes):
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


def size_of(x):
    """The root of the mean of squares."""
    return np.linalg.norm(x) / x.size**0.5
