"""What Jacobians and Hessians cost, as multiples of their function's time: `python benchmarks/jacobians.py`."""
from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import programs_arrays as programs
from common import interleaved, jax_or_none, machine, ms, table

import s2s
from s2s.tree_util import tree_leaves


def logistic(w, X, y):
    z = X @ w
    return np.mean(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0.0) - y * z)


def network(x, params):
    h = np.tanh(params["W1"] @ x + params["b1"])
    h = np.tanh(params["W2"] @ h + params["b2"])
    return params["W3"] @ h


def predators(theta):
    """A scalar loop: 10 000 steps of Lotka and Volterra's equations."""
    x, y = 1.0, 0.5
    for _ in range(10_000):
        dx = theta[0] * x - theta[1] * x * y
        dy = theta[3] * x * y - theta[2] * y
        x = x + 1e-3 * dx
        y = y + 1e-3 * np.sin(dy)
    return np.array([x, y])


def reprojection_rows(cameras, points, weights, seen, features):
    """Every observation's Jacobian with respect to camera (11), point (3) and weight, by jacrev inside of the loop."""
    count = seen.shape[0]
    rows = np.empty((count, 2, 15))
    for i in range(count):
        first, second = s2s.jacrev(programs.reprojection, argnums=(0, 1, 2))(cameras[seen[i, 0]], points[seen[i, 1]], weights[i], features[i])
        rows[i, 0, :11], rows[i, 0, 11:14], rows[i, 0, 14] = first
        rows[i, 1, :11], rows[i, 1, 11:14], rows[i, 1, 14] = second
    return rows


Case = tuple[str, Callable[..., Any], Callable[..., Any], tuple[Any, ...], Callable[..., Any] | None]


def cases(jax: Any) -> list[Case]:
    """(name, function, derivative, arguments, JAX's derivative)."""
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(2000, 300)), (rng.random(2000) < 0.5) * 1.0, 0.1 * rng.normal(size=300)
    params = {"W1": 0.1 * rng.normal(size=(64, 32)), "b1": np.zeros(64), "W2": 0.1 * rng.normal(size=(64, 64)), "b2": np.zeros(64)}
    params["W3"] = 0.1 * rng.normal(size=(10, 64))
    x, theta = rng.normal(size=32), np.array([1.5, 1.0, 3.0, 1.0])
    seen = np.stack([rng.integers(0, 50, 30_000), rng.integers(0, 8000, 30_000)], axis=1)
    scene = (0.1 * rng.normal(size=(50, 11)) + 1.0, rng.normal(size=(8000, 3)), rng.normal(size=30_000), seen, rng.normal(size=(30_000, 2)))
    theirs: dict[str, Callable[..., Any]] = {}
    if jax is not None:
        jnp = jax.numpy

        def their_logistic(w: Any, X: Any, y: Any) -> Any:
            z = X @ w
            return jnp.mean(jnp.log1p(jnp.exp(-jnp.abs(z))) + jnp.maximum(z, 0.0) - y * z)

        def their_network(x: Any, params: Any) -> Any:
            h = jnp.tanh(params["W1"] @ x + params["b1"])
            return params["W3"] @ jnp.tanh(params["W2"] @ h + params["b2"])

        theirs = {"hessian": jax.jit(jax.hessian(their_logistic))}
        theirs |= {name: jax.jit(getattr(jax, name)(their_network)) for name in ("jacfwd", "jacrev")}
    return [
        ("Hessian, logistic regression 2000 x 300", logistic, s2s.hessian(logistic), (w, X, y), theirs.get("hessian")),
        ("jacfwd, network 32-64-64-10", network, s2s.jacfwd(network), (x, params), theirs.get("jacfwd")),
        ("jacrev, network 32-64-64-10", network, s2s.jacrev(network), (x, params), theirs.get("jacrev")),
        ("jacfwd, loop of 10 000 steps, 4 -> 2", predators, s2s.jacfwd(predators), (theta,), None),
        ("jacrev, loop of 10 000 steps, 4 -> 2", predators, s2s.jacrev(predators), (theta,), None),
        ("jacrev in a loop, 30 000 reprojections, 15 -> 2", programs.residuals, s2s.jit(reprojection_rows), scene, None),
    ]


def measured(case: Case, clock: Callable[[], float]) -> tuple[str, ...]:
    """One row of the table."""
    name, function, derivative, args, theirs = case
    primal = s2s.jit(function)
    calls: list[Callable[[], object]] = [lambda: primal(*args), lambda: derivative(*args)]
    if theirs is not None:
        for one, other in zip(tree_leaves(theirs(*args)), tree_leaves(derivative(*args)), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-12)
        calls.append(lambda: np.asarray(theirs(*args)))
    times = interleaved(*calls, clock=clock)
    row = name, ms(times[0]), ms(times[1]), f"{times[1] / times[0]:.2f}"
    return (*row, ms(times[2])) if theirs is not None else (*row, "")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cpu-time", action="store_true", help="count CPU time: for a machine that is busy, with OPENBLAS_NUM_THREADS=1")
    parser.add_argument("--no-jax", action="store_true", help="leave JAX out")
    options = parser.parse_args()
    clock = time.process_time if options.cpu_time else time.perf_counter
    print(machine())
    rows = [measured(case, clock) for case in cases(None if options.no_jax else jax_or_none())]
    table("Jacobians", ("derivative", "function", "s2s", "s2s / function", "JAX"), rows)


if __name__ == "__main__":
    main()
