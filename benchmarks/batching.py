"""Batches of examples: s2s.vmap on plain NumPy functions of one example, beside jax.jit(jax.vmap(…)) of the same mathematics.

    python benchmarks/batching.py [NAME …] [--cpu-time] [--quick]
    python benchmarks/batching.py [NAME …] --first      # first calls: a fresh process for each, an empty cache, imports not counted

JAX's twins are written as its manual asks for: while_loop, fori_loop, where. One core for both, some calls of each in turns, medians: XLA makes some products on a second thread whatever its flags say, and the
process's CPU time is told late of what other threads did.
"""
from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # before any library counts cores

import numpy as np
from common import jax_or_none, machine, ms, table

import s2s
from s2s import lax

RNG = np.random.default_rng(0)


# ---- functions of one example ----------------------------------------------------------------------------------------------


def mlp(params, x, y):
    h = np.tanh(params["w1"] @ x + params["b1"])
    out = params["w2"] @ h + params["b2"]
    return np.sum((out - y) ** 2)


def solve(a, b):
    return np.linalg.solve(a, b)


def cholesky_determinant(a):
    """By loops, as a textbook has it."""
    n = len(a)
    L = np.zeros((n, n))
    det = 1.0
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = np.sqrt(s) if i == j else s / L[j, j]
        det *= L[i, i] ** 2
    return L, det


def pendulum(angle, speed, dt, steps):
    """Each example with its own number of steps."""
    for _ in range(steps):
        middle = speed - 0.5 * dt * np.sin(angle)
        angle = angle + dt * middle
        speed = middle - 0.5 * dt * np.sin(angle)
    return angle, speed


def newton(a):
    """The root of x e^x = a."""
    x = 0.5
    step = 1.0
    while abs(step) > 1e-12:
        power = np.exp(x)
        step = (x * power - a) / (power * (x + 1.0))
        x = x - step
    return x


def escape(re, im):
    x, y, count = 0.0, 0.0, 0
    while count < 200 and x * x + y * y < 4.0:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        count += 1
    return count


def black_scholes(spot, strike, rate, sigma, years):
    root = sigma * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / root
    above = 0.5 * (1.0 + math.erf(d1 * 0.7071067811865476))
    below = 0.5 * (1.0 + math.erf((d1 - root) * 0.7071067811865476))
    return spot * above - strike * np.exp(-rate * years) * below


def dot(x, y):
    return np.dot(x, y)


def matmul(a, b):
    return a @ b


def batch_norm(x, scale, shift):
    """Normalised over the batch, component by component."""
    mean = lax.pmean(x, "batch")
    var = lax.pmean((x - mean) ** 2, "batch")
    return scale * (x - mean) / np.sqrt(var + 1e-5) + shift


# ---- JAX's twins --------------------------------------------------------------------------------------------------------------


def twins(jax: Any) -> dict[str, Callable[..., Any]]:
    """The same for JAX."""
    jnp, lax = jax.numpy, jax.lax

    def mlp(params, x, y):
        out = params["w2"] @ jnp.tanh(params["w1"] @ x + params["b1"]) + params["b2"]
        return jnp.sum((out - y) ** 2)

    def cholesky_determinant(a):
        L = jnp.linalg.cholesky(a)
        return L, jnp.prod(jnp.diagonal(L)) ** 2

    def pendulum(angle, speed, dt, steps):
        def step(_, state):
            angle, speed = state
            middle = speed - 0.5 * dt * jnp.sin(angle)
            angle = angle + dt * middle
            return angle, middle - 0.5 * dt * jnp.sin(angle)

        return lax.fori_loop(0, steps, step, (angle, speed))

    def newton(a):
        def body(state):
            x, _ = state
            power = jnp.exp(x)
            step = (x * power - a) / (power * (x + 1.0))
            return x - step, step

        return lax.while_loop(lambda state: abs(state[1]) > 1e-12, body, (0.5 + 0.0 * a, 1.0 + 0.0 * a))[0]

    def escape(re, im):
        def body(state):
            x, y, count = state
            return x * x - y * y + re, 2.0 * x * y + im, count + 1

        return lax.while_loop(lambda s: (s[2] < 200) & (s[0] * s[0] + s[1] * s[1] < 4.0), body, (0.0 * re, 0.0 * im, 0))[2]

    def black_scholes(spot, strike, rate, sigma, years):
        root = sigma * jnp.sqrt(years)
        d1 = (jnp.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / root
        above = 0.5 * (1.0 + lax.erf(d1 * 0.7071067811865476))
        below = 0.5 * (1.0 + lax.erf((d1 - root) * 0.7071067811865476))
        return spot * above - strike * jnp.exp(-rate * years) * below

    def batch_norm(x, scale, shift):
        mean = lax.pmean(x, "batch")
        var = lax.pmean((x - mean) ** 2, "batch")
        return scale * (x - mean) / jnp.sqrt(var + 1e-5) + shift

    return {
        "batch_norm": batch_norm, "mlp": mlp, "solve": jnp.linalg.solve, "cholesky_determinant": cholesky_determinant, "pendulum": pendulum, "newton": newton,
        "escape": escape, "black_scholes": black_scholes, "dot": jnp.dot, "matmul": jnp.matmul,
    }  # fmt: skip


# ---- what is measured ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """`make(library, function)`: the transformed function of s2s or JAX."""

    name: str
    function: Callable[..., Any]
    make: Callable[..., Any]
    args: tuple[Any, ...]


def batch(library: Any, function: Callable[..., Any]) -> Any:
    return library.vmap(function)


def shared_first(library: Any, function: Callable[..., Any]) -> Any:
    return library.vmap(function, in_axes=(None, 0))


def gradients(library: Any, function: Callable[..., Any]) -> Any:
    return library.vmap(library.grad(function), in_axes=(None, 0, 0))


def greeks(library: Any, function: Callable[..., Any]) -> Any:
    return library.vmap(library.value_and_grad(function, argnums=(0, 2, 3, 4)))


def along_batch(library: Any, function: Callable[..., Any]) -> Any:
    return library.vmap(function, (0, None, None), axis_name="batch")


def along_batch_gradients(library: Any, function: Callable[..., Any]) -> Any:
    sums = np if library is s2s else library.numpy
    return library.grad(lambda x, scale, shift: sums.sum(along_batch(library, function)(x, scale, shift) ** 3), argnums=(0, 1, 2))


def rows(scale: float) -> list[Row]:
    """All of them; `scale`: of the numbers of examples."""
    def many(count: float) -> int:
        return max(2, int(count * scale))

    def spd(count: int, n: int) -> np.ndarray:
        a = RNG.normal(size=(count, n, n))
        return a @ a.transpose(0, 2, 1) + n * np.eye(n)

    n = many(1e4)
    params = {"w1": RNG.normal(size=(32, 16)), "b1": np.zeros(32), "w2": RNG.normal(size=(8, 32)), "b2": np.zeros(8)}
    network = (params, RNG.normal(size=(n, 16)), RNG.normal(size=(n, 8)))
    n = many(1e5)
    side = many(1e3)
    re, im = np.meshgrid(np.linspace(-2.0, 1.0, side), np.linspace(-1.5, 1.5, many(1e6) // side))
    m = many(1e6)
    options = tuple(RNG.uniform(lo, hi, m) for lo, hi in ((80, 120), (80, 120), (0.0, 0.05), (0.1, 0.5), (0.2, 2.0)))
    swings = (RNG.normal(size=n), RNG.normal(size=n), np.full(n, 0.01), RNG.geometric(0.02, size=n))
    norms = (RNG.normal(size=(n, 64)), RNG.normal(size=64), RNG.normal(size=64))
    return [
        Row("MLP, gradient of each", mlp, gradients, network),
        Row("solve 3 x 3", solve, batch, (spd(n, 3), RNG.normal(size=(n, 3)))),
        Row("solve 8 x 8", solve, batch, (spd(n, 8), RNG.normal(size=(n, 8)))),
        Row("Cholesky, det 3 x 3, loops", cholesky_determinant, batch, (spd(n, 3),)),
        Row("Cholesky, det 8 x 8, loops", cholesky_determinant, batch, (spd(n, 8),)),
        Row("ODE, own steps", pendulum, batch, swings),
        Row("Newton", newton, batch, (RNG.uniform(0.1, 50.0, n),)),
        Row("Mandelbrot", escape, batch, (re.ravel(), im.ravel())),
        Row("Black-Scholes", black_scholes, batch, options),
        Row("Greeks", black_scholes, greeks, options),
        Row("batch norm, pmean", batch_norm, along_batch, norms),
        Row("batch norm, gradient", batch_norm, along_batch_gradients, norms),
        Row("dot 64", dot, batch, (RNG.normal(size=(n, 64)), RNG.normal(size=(n, 64)))),
        Row("matrix shared, 64 x 64", matmul, shared_first, (RNG.normal(size=(64, 64)), RNG.normal(size=(many(2e4), 64)))),
        Row("matmul 4 x 4", matmul, batch, (RNG.normal(size=(n, 4, 4)), RNG.normal(size=(n, 4, 4)))),
        Row("matmul 32 x 32", matmul, batch, (RNG.normal(size=(many(5e3), 32, 32)), RNG.normal(size=(many(5e3), 32, 32)))),
    ]


def in_turns(*calls: Callable[[], Any], clock: Callable[[], float]) -> list[float]:
    """Seconds of each call: the median, of at least three turns of three calls each, and of as many as take a second. A turn begins with a call that is not counted: it finds memory as the other left it."""
    times: list[list[float]] = [[] for _ in calls]
    begun = time.perf_counter()
    while len(times[0]) < LEAST or (len(times[0]) < MOST and time.perf_counter() - begun < 1.0):
        for call, found in zip(calls, times, strict=True):
            call()
            for _ in range(3):
                start = clock()
                call()
                found.append(clock() - start)
    return [statistics.median(found) for found in times]


LEAST, MOST = 9, 200
"""Calls."""


def first(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def measured(row: Row, jax: Any, clock: Callable[[], float]) -> tuple[str, ...]:
    ours = row.make(s2s, row.function)
    compiling = first(lambda: ours(*row.args))
    if jax is None:
        (seconds,) = in_turns(lambda: ours(*row.args), clock=clock)
        return row.name, ms(seconds), "", "", f"{compiling:.2f} s", ""
    theirs = jax.jit(row.make(jax, twins(jax)[row.function.__name__]))
    given = jax.tree_util.tree_map(jax.numpy.asarray, row.args)
    theirs_first = first(lambda: jax.block_until_ready(theirs(*given)))
    for one, other in zip(jax.tree_util.tree_leaves(ours(*row.args)), jax.tree_util.tree_leaves(theirs(*given)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)
    seconds, other = in_turns(lambda: ours(*row.args), lambda: jax.block_until_ready(theirs(*given)), clock=clock)
    return row.name, ms(seconds), ms(other), f"{other / seconds:.2f}", f"{compiling:.2f} s", f"{theirs_first:.2f} s"


def first_call(row: Row, who: str) -> float:
    """CPU seconds of the first call in this process, which has imported what it needs; imports that s2s and Numba put off until a first call are counted."""
    if who == "jax":
        jax = jax_or_none()
        import jax.lax as _
        import jax.numpy as _  # noqa: F401, F811

        theirs = jax.jit(row.make(jax, twins(jax)[row.function.__name__]))
        return first(lambda: jax.block_until_ready(theirs(*row.args)))
    import libcst  # noqa: F401
    import numba  # noqa: F401

    from s2s.calls import building  # noqa: F401
    from s2s.calls.transformations import programs
    from s2s.codegen.modules import kernel_cache  # noqa: F401
    from s2s.codegen.native import writing  # noqa: F401
    from s2s.transforms.read import entry, wiring  # noqa: F401

    programs()
    ours = row.make(s2s, row.function)
    return first(lambda: ours(*row.args))


def in_process(row: Row, who: str) -> float:
    """The same, in a process of its own: the median of three."""
    found = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            words = [sys.executable, __file__, "--one", row.name, who]
            done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "S2S_CACHE_DIR": cache})
        found.append(float(done.stdout.split()[-1]))
    return sorted(found)[1]


def first_calls(chosen: list[Row]) -> None:
    """Print a table of first calls."""
    lines, ratios = [], []
    for row in chosen:
        ours, theirs = in_process(row, "s2s"), in_process(row, "jax")
        ratios.append(ours / theirs)
        lines.append((row.name, f"{ours:.2f} s", f"{theirs:.2f} s", f"{ours / theirs:.2f}"))
    table("First calls of batches, CPU seconds", ("batch of", "s2s", "jit(vmap) of JAX", "s2s / JAX"), lines)
    print(f"\n- geometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} (at most 1.5); over 3: {sum(each > 3 for each in ratios)}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only rows whose names hold one of these")
    parser.add_argument("--cpu-time", action="store_true", help="CPU time, where other processes keep the machine busy")
    parser.add_argument("--no-jax", action="store_true")
    parser.add_argument("--first", action="store_true", help="first calls instead")
    parser.add_argument("--one", nargs=2, metavar=("NAME", "WHO"), help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the examples")
    options = parser.parse_args()
    if options.one:
        print(first_call(next(row for row in rows(0.01) if row.name == options.one[0]), options.one[1]))
        return
    clock = time.process_time if options.cpu_time else time.perf_counter
    jax = None if options.no_jax else jax_or_none()
    chosen = [row for row in rows(0.01 if options.quick else 1.0) if not options.names or any(name in row.name for name in options.names)]
    print(machine())
    if options.first:
        first_calls(chosen)
        return
    table("Batches", ("batch of", "s2s", "jit(vmap) of JAX", "JAX / s2s", "first call", "JAX's"), [measured(row, jax, clock) for row in chosen])


if __name__ == "__main__":
    main()
