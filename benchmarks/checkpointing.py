"""Memory and time of gradients of long loops: plain (a tape of all trips), `checkpoint(steps=…)`, and the primal.

Each measurement is a process of its own (its peak resident memory is the kernel's ru_maxrss; the memory of a run is what
it adds to that of the process after a short run of the same function); times are CPU times, the best of three. `python benchmarks/checkpointing.py`.
"""
from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time

import numpy as np
from common import machine, table

import s2s


def lorenz63(state, rate, steps):
    """Three scalars, explicit Euler; the squared distance from the origin at the end."""
    x, y, z = state[0], state[1], state[2]
    for _ in range(steps):
        dx = 10.0 * (y - x)
        dy = x * (rate - z) - y
        dz = x * y - 2.5 * z
        x, y, z = x + 1e-7 * dx, y + 1e-7 * dy, z + 1e-7 * dz
    return x * x + y * y + z * z


def lorenz96(state, force, steps):
    """A ring of coupled variables, fourth-order Runge-Kutta; their mean energy at the end."""
    n = len(state)
    h = 1e-5
    for _ in range(steps):
        k1 = slope(state, force, n)
        k2 = slope(state + 0.5 * h * k1, force, n)
        k3 = slope(state + 0.5 * h * k2, force, n)
        k4 = slope(state + h * k3, force, n)
        state = state + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(state * state) / n


def slope(x, force, n):
    """dx/dt of Lorenz-96."""
    d = np.empty(n)
    for i in range(n):
        d[i] = (x[(i + 1) % n] - x[i - 2]) * x[i - 1] - x[i] + force
    return d


def diffusion(u, steps):
    """Nonlinear smoothing in place."""
    n = len(u)
    for _ in range(steps):
        for i in range(1, n - 1):
            u[i] = u[i] + 1e-4 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) / (1.0 + u[i] * u[i])
    return np.sum(u * u)


def adaptive(state, rate, steps):
    """Lorenz-63 until a time is reached, with steps that depend on the state: a While loop of about `steps` trips."""
    x, y, z = state[0], state[1], state[2]
    t, end = 0.0, 1e-7 * steps
    while t < end:
        dx = 10.0 * (y - x)
        dy = x * (rate - z) - y
        dz = x * y - 2.5 * z
        h = 1e-7 * (1.0 + 1e-3 / (1.0 + dx * dx))
        x, y, z = x + h * dx, y + h * dy, z + h * dz
        t = t + h
    return x * x + y * y + z * z


def block(w, v, x):
    """A layer with a hidden part four times as wide."""
    h = x @ w
    h = h / (1.0 + np.exp(-h)) * np.tanh(0.5 * h)
    return x + np.sin(h @ v)


def network(w, v, x, layers):
    """Layers one after the other; a sum of squares."""
    for i in range(layers):
        x = block(w[i], v[i], x)
    return np.sum(x * x)


def network_of(layer):
    """The same network with another layer."""
    def network(w, v, x, layers):
        for i in range(layers):
            x = layer(w[i], v[i], x)
        return np.sum(x * x)

    return network


def arguments(name, steps):
    """The program's arguments."""
    random = np.random.default_rng(0)
    match name:
        case "lorenz63" | "adaptive":
            return np.array([1.0, 2.0, 3.0]), 28.0, steps
        case "lorenz96":
            return 8.0 + random.normal(size=100), 8.0, steps
        case "diffusion":
            return random.normal(size=1000), steps
        case _:
            return 0.1 * random.normal(size=(steps, 32, 128)), 0.1 * random.normal(size=(steps, 128, 32)), random.normal(size=(1024, 32)), steps


PROGRAMS = {"lorenz63": lorenz63, "adaptive": adaptive, "lorenz96": lorenz96, "diffusion": diffusion, "network": network}


def kept_less(fun, how):
    """`checkpoint` with a number of steps, or of each layer with a policy."""
    if hasattr(s2s.checkpoint_policies, how):
        return network_of(s2s.checkpoint(block, policy=getattr(s2s.checkpoint_policies, how)))
    return s2s.checkpoint(fun, steps=int(how) if how.isdigit() else how)


def measured(name, how, steps):
    """In this process: seconds, MB added, the result."""
    fun = PROGRAMS[name]
    function = s2s.jit(fun) if how == "primal" else s2s.grad(fun if how == "plain" else kept_less(fun, how))
    function(*arguments(name, 8))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = math.inf
    for _ in range(3):
        args = arguments(name, steps)
        start = time.process_time()
        result = function(*args)
        seconds = min(seconds, time.process_time() - start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "added": (after - before) / 1024, "peak": after / 1024, "result": np.ravel(result).tolist()}


def in_process(*what):
    """`measured`, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, *map(str, what)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def rows_of(name, steps, ways, plain_steps):
    """One row for each way. Where a plain gradient of all steps does not fit into memory it is measured for `plain_steps`."""
    primal = in_process(name, "primal", steps)
    plain = in_process(name, "plain", plain_steps)
    scale = steps / plain_steps
    yield ("primal", f"{primal['seconds']:.3g} s", f"{primal['added']:.0f} MB", f"{primal['peak']:.0f} MB", "1", "")
    of = f" (of {plain_steps:,} steps, times {scale:g})" if scale != 1 else ""
    yield (f"plain gradient{of}", f"{plain['seconds'] * scale:.3g} s", f"{plain['added'] * scale:.0f} MB", f"{plain['peak']:.0f} MB",
           f"{plain['seconds'] * scale / primal['seconds']:.2f}", "1")  # fmt: skip
    for way in ways:
        found = in_process(name, way, steps)
        if scale == 1:
            np.testing.assert_allclose(found["result"], plain["result"], rtol=1e-11)
        yield (f"steps={way}" if str(way).isdigit() or way == "auto" else way, f"{found['seconds']:.3g} s", f"{found['added']:.0f} MB", f"{found['peak']:.0f} MB",
               f"{found['seconds'] / primal['seconds']:.2f}", f"{found['seconds'] / plain['seconds'] / scale:.2f}")  # fmt: skip


def main() -> None:
    """Print the tables."""
    print(machine())
    head = ("way", "time", "memory added", "peak of the process", "time / primal", "time / plain")
    table("Lorenz-63, 1,000,000 steps, 3 scalars", head, list(rows_of("lorenz63", 1_000_000, (10, 100, "auto"), 1_000_000)))
    table("Lorenz-63 with adaptive steps (while), 1,000,000 steps", head, list(rows_of("adaptive", 1_000_000, (10, 100, "auto"), 1_000_000)))
    table("Lorenz-96, 1,000,000 Runge-Kutta steps, 100 variables", head, list(rows_of("lorenz96", 1_000_000, (100, 1000, "auto"), 50_000)))
    ways = ("nothing_saveable", "dots_saveable", 8)
    table("64 layers, each checkpointed; then the loop with steps", head, list(rows_of("network", 64, ways, 64)))
    table("Smoothing in place, 100,000 sweeps, 1000 points", head, list(rows_of("diffusion", 100_000, (30, 100, "auto"), 20_000)))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(measured(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main()
