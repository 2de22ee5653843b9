"""Steps of Dormand's and Prince's method until the problem turns out to be stiff, of backward differentiation from there on.

Whether it is: a step times the largest eigenvalue, as two slopes at its end tell it, is over 3.25 fifteen times (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2).
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed import bdf, runge_kutta
from s2s.transforms.read.composed.marks import constant

BOUND, ENOUGH, FORGOTTEN = 3.25, 15, 6
"""More is not stable; so often is stiff; so often stable in between is not."""


class Kept(NamedTuple):
    """From one step to the next: whether it is stiff, how often it seemed so and how often not since; what each method keeps."""

    stiff: Any
    seemed: Any
    calm: Any
    explicit: Any
    implicit: Any


def begun(method, problem, t, y, f, length):
    """What is kept before the first step; how many Jacobians it took."""
    nothing = problem._replace(jacobian=problem.jacobian._replace(first=lambda t, y: (np.zeros((y.size, y.size)), 0)))
    return Kept(False, 0, 0, (f, length), bdf.begun(method, nothing, t, y, f, length)[0]), 0


def powers(method):
    """How many powers the polynomial within a step has."""
    return bdf.powers(method)


def bends(method, problem, t, t_new, y, y_new, inner):
    """The coefficients of the polynomial between two steps' ends."""
    return [inner[k] for k in range(powers(method))], 0


def step(method, problem, t, t_bound, y, kept):
    """One step."""
    return _implicit(method, problem, t, t_bound, y, kept) if kept.stiff else _explicit(method, problem, t, t_bound, y, kept)


def _explicit(method, problem, t, t_bound, y, kept):
    taken = runge_kutta.step(method, problem, t, t_bound, y, kept.explicit)
    stiff_there = constant(_stretched(method, taken.t - t, y, taken.y, taken.inner)) > BOUND
    seemed, calm = (kept.seemed + 1, 0) if stiff_there else (kept.seemed, kept.calm + 1)
    seemed = 0 if calm == FORGOTTEN else seemed
    stiff = seemed == ENOUGH and not taken.failed
    slope, length = taken.kept
    implicit, njev = kept.implicit, 0
    if stiff:
        implicit, njev = bdf.begun(method, problem, taken.t, taken.y, slope, length)
    inner = np.stack([*runge_kutta.bends(method, problem, t, taken.t, y, taken.y, taken.inner)[0], np.zeros_like(y)])
    return taken._replace(kept=Kept(stiff, seemed, calm, taken.kept, implicit), inner=inner, njev=njev)


def _implicit(method, problem, t, t_bound, y, kept):
    taken = bdf.step(method, problem, t, t_bound, y, kept.implicit)
    inner = np.stack(bdf.bends(method, problem, t, taken.t, y, taken.y, taken.inner)[0])
    return taken._replace(kept=kept._replace(implicit=taken.kept), inner=inner)


def _stretched(method, h, y, y_new, slopes):
    """How far two slopes at the step's end are from each other, beside two states."""
    other = y + h * runge_kutta.weighted(method.stages[-1], slopes)
    apart = np.linalg.norm(y_new - other)
    return abs(h) * np.linalg.norm(slopes[-1] - slopes[-2]) / apart if apart > 0 else 0.0
