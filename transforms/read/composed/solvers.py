"""scipy.integrate.RK45 and its like: a method's steps one by one, as a program asks for them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed import ode
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.ode_events import state_at
from s2s.transforms.read.composed.runge_kutta import METHODS
from s2s.transforms.read.names import within

STATES = ("finished", "running", "failed")
"""By the number that a solver holds."""


class Solver:
    """One of SciPy's solvers. What it keeps between two steps is the method's own; `begins` and `before`: where the last step began."""

    def __init__(self, steps, problem, t0, t_bound, y0, first_step):
        self.steps, self.problem, self.fun, self.direction, self.n = steps, problem, problem.fun, problem.direction, y0.size
        self.t, self.t_bound, self.kept, self.counts = ode._begun(steps, problem, t0, t_bound, y0, first_step)
        self.y, self.begins, self.before, self.number, self.taken = y0, self.t, y0, 1, 0
        self.inner = [y0 for _ in range(len(steps.weights) + 1)]

    @property
    def status(self):
        return STATES[0] if self.number == 0 else STATES[1] if self.number == 1 else STATES[2]

    @property
    def nfev(self):
        return self.counts[0]

    @property
    def njev(self):
        return self.counts[1]

    @property
    def nlu(self):
        return self.counts[2]

    @property
    def t_old(self):
        return None if self.taken == 0 else self.begins

    @property
    def step_size(self):
        return None if self.taken == 0 else np.abs(self.t - self.begins)

    def step(self):
        if self.number != 1:
            raise RuntimeError("Attempt to step on a failed or finished solver.")
        if self.n == 0 or self.t == self.t_bound:
            raise NotImplementedError("a step of one of scipy.integrate's solvers over no time, or of no equations, is not supported")
        step = ode._steps_of(self.steps).step(self.steps, self.problem, self.t, self.t_bound, self.y, self.kept)
        self.counts = ode._added(self.counts, step)
        if step.failed:
            self.number = 2
            return "Required step size is less than spacing between numbers."
        self.begins, self.before, self.t, self.y, self.kept, self.inner, self.taken = self.t, self.y, step.t, step.y, step.kept, step.inner, self.taken + 1
        if self.direction * (self.t - self.t_bound) >= 0:
            self.number = 0
        return None

    def dense_output(self):
        if self.taken == 0:
            raise RuntimeError("Dense output is available after a successful step was made.")
        bends, more = ode._steps_of(self.steps).bends(self.steps, self.problem, self.begins, self.t, self.before, self.y, self.inner)
        self.counts = (self.counts[0] + more, self.counts[1], self.counts[2])
        return Between(self.begins, self.t, self.before, bends)


class Between:
    """The solution between two steps' ends."""

    def __init__(self, t_old, t, before, bends):
        self.t_old, self.t, self.before, self.bends = t_old, t, before, bends
        self.t_min, self.t_max = min(t, t_old), max(t, t_old)

    def __call__(self, t):
        t = np.asarray(t)
        if t.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        if t.ndim == 0:
            return state_at(t, self.t_old, self.t, self.before, self.bends)
        return state_at(t, self.t_old, self.t, self.before[:, np.newaxis], [bend[:, np.newaxis] for bend in self.bends])


def _solver(name):
    def solver(fun, t0, y0, t_bound, max_step=np.inf, rtol=1e-3, atol=1e-6, vectorized=False, first_step=None):
        if not isinstance(vectorized, bool) or vectorized:
            unsupported(f"scipy.integrate.{name}(…, vectorized=True)", "a function of one state")
        if first_step is not None and first_step <= 0:
            raise ValueError("`first_step` must be positive.")
        if max_step <= 0:
            raise ValueError("`max_step` must be positive.")
        t, end, y = float(t0), float(t_bound), ode._initial(y0)
        if y.ndim != 1:
            raise ValueError("`y0` must be 1-dimensional.")
        if not np.all(np.isfinite(y)):
            raise ValueError("All components of the initial state `y0` must be finite.")
        if first_step is not None and first_step > abs(end - t):
            raise ValueError("`first_step` exceeds bounds.")
        return Solver(METHODS[name], ode._problem(fun, None, t, end, y, max_step, rtol, atol), t, end, y, first_step)

    return solver


SOLVERS: dict[str, Any] = within("scipy.integrate", **{name: _solver(name) for name in ("RK23", "RK45", "DOP853")})
"""By qualified name: they call the user's function."""
