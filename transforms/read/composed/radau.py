"""Radau IIA's implicit Runge-Kutta method of order 5 for stiff problems, by SciPy's steps (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8).

A step solves  Z = h A F(t + h c, y + Z)  by Newton's steps with a Jacobian that is kept as long as they converge. All that is only how Z is found: derivatives are those of the equation
(`custom_root`), at the length of step that the error has chosen.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.lax_solves import custom_root
from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.roots import solved
from s2s.transforms.read.composed.runge_kutta import SAFETY, SHRINK, Step, shortest_step, size_of

_ROOT = 6**0.5
NODES = ((4 - _ROOT) / 10, (4 + _ROOT) / 10, 1.0)
STAGES = (
    ((88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225),
    ((296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225),
    ((16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9),
)
"""A."""
ERRORS = ((-13 - 7 * _ROOT) / 3, (-13 + 7 * _ROOT) / 3, -1 / 3)
REAL = 3 + 3 ** (2 / 3) - 3 ** (1 / 3)
COMPLEX = 3 + 0.5 * (3 ** (1 / 3) - 3 ** (2 / 3)) - 0.5j * (3 ** (5 / 6) + 3 ** (7 / 6))
"""The eigenvalues of A's inverse."""
OUT_OF = ((0.09443876248897524, -0.14125529502095421, 0.03002919410514742), (0.25021312296533332, 0.20412935229379994, -0.38294211275726192), (1.0, 1.0, 0.0))
INTO = (
    (4.17871859155190428, 0.32768282076106237, 0.52337644549944951), (-4.17871859155190428, -0.32768282076106237, 0.47662355450055044),
    (0.50287263494578682, -2.57192694985560522, 0.59603920482822492),
)  # fmt: skip
"""Of and to the directions that belong to them."""
BETWEEN = ((13 / 3 + 7 * _ROOT / 3, -23 / 3 - 22 * _ROOT / 3, 10 / 3 + 5 * _ROOT), (13 / 3 - 7 * _ROOT / 3, -23 / 3 + 22 * _ROOT / 3, 10 / 3 - 5 * _ROOT), (1 / 3, -8 / 3, 10 / 3))
"""Z's polynomial within the step: by the powers of its part."""
MOST_TRIPS, GROW = 6, 10.0


class Kept(NamedTuple):
    """From one step to the next: the slope, the next step's length, that of the last one and its error (-1: none yet), the Jacobian and whether it is that of here, the inverses of both systems and
    whether they are those of this length, the last step's polynomial, and how long that was.
    """

    f: Any
    length: Any
    length_old: Any
    error_old: Any
    jacobian: Any
    current: Any
    real: Any
    complex: Any
    inverted: Any
    bends: Any
    h_old: Any


def begun(method, problem, t, y, f, length):
    """What is kept before the first step; how many Jacobians it took."""
    jacobian, njev = problem.jacobian.first(t, y)
    empty = np.zeros((y.size, y.size))
    return Kept(constant(f), length, -1.0, -1.0, constant(jacobian), True, empty, empty * 1j, False, np.zeros((3, y.size)), 1.0), njev


def powers(method):
    """How many powers the polynomial within a step has."""
    return 3


def bends(method, problem, t, t_new, y, y_new, inner):
    """The coefficients of the polynomial between two steps' ends, and how many further slopes it took."""
    return [inner[0], inner[1], inner[2]], 0


def step(method, problem, t, t_bound, y, kept):
    """One step."""
    at = constant(t)
    z, after, clipped, failed, counts = _searched(problem, at, constant(t_bound), constant(y), kept)
    t_new = t_bound if clipped else t + after.h_old
    z = custom_root(lambda z: _gaps(problem.fun, t, y, t_new - t, z), z, _as_found, solved)
    inner = np.array(BETWEEN).T @ z
    return Step(t_new, y + z[2], after, inner, failed, counts[0], counts[1], counts[2])


def _as_found(equation, z):
    return z


def _gaps(fun, t, y, h, z):
    slopes = np.stack([np.array(fun(t + node * h, y + z[k]), y.dtype) for k, node in enumerate(NODES)])
    return h * (np.array(STAGES) @ slopes) - z


def _searched(problem, t, t_bound, y, kept):
    """How far a step goes that is exact enough, and Z; what is kept then (its `h_old` is the step), whether it ends at the bound, whether none was short enough, the counts."""
    shortest = shortest_step(problem, t)
    within = shortest <= kept.length <= problem.longest
    length = min(max(kept.length, shortest), problem.longest)
    length_old, error_old = (kept.length_old, kept.error_old) if within else (-1.0, -1.0)
    jacobian, current, real, pair, inverted = kept.jacobian, kept.current, kept.real, kept.complex, kept.inverted
    nfev, njev, nlu = 0, 0, 0
    z, h, error, safety, rate, trips = np.zeros((3, y.size)), 0.0, 0.0, 1.0, 0.0, 0
    rejected, open_, failed, clipped = False, True, False, False
    while open_:
        if not length >= shortest:  # nan, too
            failed, open_ = True, False
        else:
            h = length * problem.direction
            clipped = problem.direction * (t + h - t_bound) > 0
            h = t_bound - t if clipped else t + h - t
            length = abs(h)
            before = _continued(kept.bends, h / kept.h_old)
            converged, solving = False, True
            while solving:
                if not inverted:
                    real, pair = np.linalg.inv(REAL / h * np.eye(y.size) - jacobian), np.linalg.inv(COMPLEX / h * np.eye(y.size) - jacobian)
                    inverted, nlu = True, nlu + 2
                converged, trips, z, rate = _newtons(problem, t, y, h, before, real, pair)
                nfev += 3 * trips
                solving = not converged and not current
                if solving:
                    jacobian, current, inverted, njev = constant(problem.jacobian.at(t, y)), True, False, njev + 1
            if not converged:
                length, inverted = 0.5 * length, False
            else:
                scale = problem.atol + np.maximum(np.abs(y), np.abs(y + z[2])) * problem.rtol
                bent = np.array(ERRORS) @ z / h
                gap = real @ (kept.f + bent)
                error = size_of(gap / scale)
                safety = SAFETY * (2 * MOST_TRIPS + 1) / (2 * MOST_TRIPS + trips)
                if rejected and error > 1:
                    error = size_of(real @ (constant(np.array(problem.fun(t, y + gap), y.dtype)) + bent) / scale)
                    nfev += 1
                open_ = not error <= 1
                if open_:
                    length, inverted, rejected = length * max(SHRINK, safety * _factor(length, length_old, error, error_old)), False, True
    after, more = _renewed(problem, t + h, y + z[2], Kept(kept.f, length, length_old, error_old, jacobian, current, real, pair, inverted, np.array(BETWEEN).T @ z, h), error, safety, trips > 2 and rate > 1e-3, kept.length)
    return z, after, clipped, failed, (nfev + 1, njev + more, nlu)


def _renewed(problem, t, y, kept, error, safety, slow, length_before):
    """What is kept at the step's end, and how many Jacobians it took: a new one where Newton's steps were slow; the same length where a longer one would gain little."""
    fresh = problem.jacobian.at is not None and slow
    factor = min(GROW, safety * _factor(kept.length, kept.length_old, error, kept.error_old))
    same = not fresh and factor < 1.2
    factor = 1.0 if same else factor
    f = constant(np.array(problem.fun(t, y), y.dtype))
    jacobian, njev = kept.jacobian, 0
    if problem.jacobian.at is not None and fresh:
        jacobian, njev = constant(problem.jacobian.at(t, y)), 1
    current = fresh or problem.jacobian.at is None
    return Kept(f, kept.length * factor, length_before, error, jacobian, current, kept.real, kept.complex, kept.inverted and same, kept.bends, kept.h_old), njev


def _factor(length, length_old, error, error_old):
    """By how much a step may be longer: as the last two errors say (Gustafsson's controller)."""
    if error == 0:
        return np.inf
    again = 1.0 if error_old < 0 or length_old < 0 else length / length_old * (error_old / error) ** 0.25
    return min(1.0, again) * error**-0.25


def _continued(bends, part):
    """The last step's polynomial at the nodes of this one, less its end."""
    ahead = 1.0 + part * np.array(NODES)
    return np.stack((ahead - 1.0, ahead**2 - 1.0, ahead**3 - 1.0), axis=1) @ bends


def _newtons(problem, t, y, h, z, real, pair):
    """Newton's steps: whether they converged, how many there were, Z, and by what part they became shorter."""
    scale = problem.atol + np.abs(y) * problem.rtol
    tolerance = max(10 * np.finfo(np.float64).eps / problem.rtol, min(0.03, problem.rtol**0.5))
    into = np.array(INTO)
    w = into @ z
    converged, open_, trips, rate, before = False, True, 0, 0.0, -1.0
    while open_:
        slopes = constant(np.stack([np.array(problem.fun(t + node * h, y + z[k]), y.dtype) for k, node in enumerate(NODES)]))
        trips += 1
        if not np.all(np.isfinite(slopes)):
            open_ = False
        else:
            turned = into @ slopes
            first = real @ (turned[0] - REAL / h * w[0])
            others = pair @ (turned[1] + 1j * turned[2] - COMPLEX / h * (w[1] + 1j * w[2]))
            change = np.stack((first, others.real, others.imag))
            size = size_of(change / scale)
            rate = size / before if before >= 0 else 0.0
            if before >= 0 and (rate >= 1 or rate ** (MOST_TRIPS - trips + 1) / (1 - rate) * size > tolerance):
                open_ = False
            else:
                w = w + change
                z = np.array(OUT_OF) @ w
                converged = size == 0 or before >= 0 and rate / (1 - rate) * size < tolerance
                open_ = not converged and trips < MOST_TRIPS
            before = size
    return converged, trips, z, rate
