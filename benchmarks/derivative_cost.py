"""What derivatives of array programs cost, as multiples of their primal's time: `python benchmarks/derivative_cost.py --only gmm`."""
from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import programs_arrays as programs
from common import interleaved, jax_or_none, machine, ms, table
from programs_jax import derivatives

import s2s
from s2s.tree_util import tree_leaves, tree_map


@dataclass(frozen=True)
class Case:
    """A program at one size: primal and derivative take the same arguments. `target`: the ratio aimed at, 0: none."""

    name: str
    size: str
    target: float
    primal: Callable[..., Any]
    derivative: Callable[..., Any]
    args: tuple[Any, ...]


def cases() -> list[Case]:
    """Every program, at realistic sizes."""
    rng = np.random.default_rng(0)
    found = []

    def normal(*shape: int) -> np.ndarray:
        return rng.normal(size=shape)

    for n, d, k in ((1000, 10, 25), (1000, 64, 10), (10_000, 20, 50)):
        args = (normal(k), normal(k, d), 0.1 * normal(k, d + d * (d - 1) // 2), normal(n, d), 1.0, 0.0)
        found.append(Case("gmm", f"n={n} d={d} K={k}", 3.9, programs.gmm, s2s.grad(programs.gmm, argnums=(0, 1, 2)), args))
    for width, steps in ((14, 100), (128, 100)):
        args = (normal(2, 2, 4, width), normal(3, width), normal(2, 2, width), (rng.random((steps, width)) > 0.8) * 1.0)
        found.append(Case("d_lstm", f"b={width} T={steps}", 3.2, programs.d_lstm, s2s.grad(programs.d_lstm, argnums=(0, 1)), args))
    for h, batch, steps in ((64, 16, 20), (128, 64, 20)):
        args = (0.1 * normal(2, h, 4 * h), 0.1 * normal(2, h, 4 * h), normal(2, 4 * h), 0.1 * normal(h, h), normal(steps, batch, h))
        found.append(Case("lstm", f"h={h} batch={batch} T={steps}", 3.2, programs.lstm, s2s.grad(programs.lstm, argnums=(0, 1, 2, 3)), args))
    p = 30_000
    seen = np.stack([rng.integers(0, 50, p), rng.integers(0, 8000, p)], axis=1)
    args = (0.1 * normal(50, 11) + 1.0, normal(8000, 3), normal(p), seen, normal(p, 2))
    found.append(Case("bundle", f"{p} observations", 14, programs.residuals, s2s.jit(programs.residuals_jacobian), args))
    found.extend(Case("llsq", f"{n} x {m}", 1.5, programs.llsq, s2s.grad(programs.llsq), (normal(m), normal(n, m), normal(n))) for n, m in ((100_000, 10), (20_000, 100)))
    found.extend(Case("log_sum_exp", f"n={n}", 1.5, programs.log_sum_exp, s2s.grad(programs.log_sum_exp), (normal(n),)) for n in (10_000, 1_000_000))
    found.append(Case("logistic", "20000 x 50", 0, programs.logistic, s2s.grad(programs.logistic), (normal(50), normal(20_000, 50), (rng.random(20_000) > 0.5) * 1.0)))
    for n, k, d in ((10_000, 5, 2), (20_000, 10, 8), (100_000, 20, 16)):
        args = (normal(k, d), normal(n, d))
        found.append(Case("kmeans", f"n={n} k={k} d={d}", 2, programs.kmeans, s2s.jit(programs.kmeans_direction), args))
        found.append(Case("kmeans_min", f"n={n} k={k} d={d}", 2, programs.kmeans_min, s2s.jit(programs.kmeans_min_direction), args))
    return found


def measured(case: Case, theirs: Callable[..., Any] | None, repeat: int, clock: Callable[[], float]) -> tuple[str, ...]:
    """One row of the table. `theirs`: JAX's derivative."""
    primal = s2s.jit(case.primal)
    calls: list[Callable[[], object]] = [lambda: case.primal(*case.args), lambda: primal(*case.args), lambda: case.derivative(*case.args)]
    if theirs is not None:
        for one, other in zip(tree_leaves(theirs(*case.args)), tree_leaves(case.derivative(*case.args)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)
        calls.append(lambda: tree_map(np.asarray, theirs(*case.args)))
    slow = interleaved(calls[0], repeat=3, at_least=0.001, clock=clock)[0]
    times = interleaved(*calls[1:], repeat=repeat, at_least=0.001, clock=clock)
    own = case.name, case.size, ms(slow), ms(times[0]), f"{slow / times[0]:.1f}", ms(times[1]), f"{times[1] / times[0]:.2f}", f"{case.target:g}" if case.target else ""
    return (*own, ms(times[2]), f"{times[2] / times[1]:.2f}") if theirs is not None else (*own, "-", "-")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names that begin with this")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--cpu-time", action="store_true", help="count CPU time: for a machine that is busy, with OPENBLAS_NUM_THREADS=1")
    parser.add_argument("--no-jax", action="store_true", help="leave JAX out")
    options = parser.parse_args()
    clock = time.process_time if options.cpu_time else time.perf_counter
    print(machine())
    jax = None if options.no_jax else jax_or_none()
    theirs = derivatives(jax) if jax is not None else {}
    rows = [measured(case, theirs.get(case.name), options.repeat, clock) for case in cases() if case.name.startswith(options.only)]
    head = ("program", "size", "NumPy", "primal", "NumPy / primal", "derivative", "derivative / primal", "target", "JAX derivative", "JAX / s2s")
    table("Derivatives", head, rows)


if __name__ == "__main__":
    main()
