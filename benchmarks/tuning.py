"""Do the facts of the machine (`s2s/tuning.py`) still pay here? For each: a small program, its time with a few values of the fact.

    python benchmarks/tuning.py                          # all of them, some minutes
    python benchmarks/tuning.py --only blas_from reach   # those whose names contain one of these

Each value is tried in a process of its own, with an empty cache; times are CPU time of one call, the best of several rounds, on one
thread. A fact that has no program of its own says why (`WITHOUT`).
"""
from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from common import best, machine, table, us

# ---- the programs -------------------------------------------------------------------------------------------------------


def least_squares(x, a, b):
    total = 0.0
    for i in range(len(b)):
        dot = -b[i]
        for j in range(len(x)):
            dot += a[i, j] * x[j]
        total += dot * dot
    return total


def logistic(x, a, b):
    total = 0.0
    for i in range(len(b)):
        dot = 0.0
        for j in range(len(x)):
            dot += a[i, j] * x[j]
        margin = dot * b[i]
        total += np.log1p(np.exp(-margin)) + 0.01 * dot * dot - margin / (1.0 + dot * dot)
    return total


def fluxes(u, kappa, n):
    flux = np.zeros(len(u) + 1)
    for _ in range(n):
        for i in range(1, len(u)):
            flux[i] = kappa[i] * (u[i] - u[i - 1]) * u[i]
        for i in range(len(u)):
            u[i] += 0.1 * (flux[i + 1] - flux[i])
    return np.sum(u * u)


def stencil(u, c, n):
    v = np.zeros_like(u)
    for _ in range(n):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        for i in range(1, len(u) - 1):
            u[i] = v[i] * v[i]
    return np.sum(u)


def shares(u, v):
    t = u * v + 1.0
    return t / np.sum(t)


def many_statements(u, v):
    a = u[1:] - u[:-1]
    b = np.sin(v)
    c = v[1:] + v[:-1]
    d = b * v
    e = a * c
    f = b + d * v
    g = a - c * e
    h = f * b - d
    p = g * e + a
    q = h * f + b
    r = p * g - c
    s = q * h - f
    return np.sum(r * p) + np.sum(s * q)


def softmax_rows(x):
    total = 0.0
    for i in range(x.shape[0]):
        high = 0.0
        for j in range(4):
            high += np.exp(x[i, j])
        total += np.log(high)
    return total


def product_with_column(a, b):
    return a @ b[:, :1]


def products(a, b):
    out = np.zeros((len(a), a.shape[1], b.shape[2]))
    for t in range(len(a)):
        out[t] = a[t] @ b[t]
    return out


def swish(x, y):
    return x * y / (1.0 + x * x) + y


def helper_on_arrays(x, y):
    for _ in range(8):
        x = swish(x, y)
    return np.sum(x)


def pendulum(angle, speed, dt, n):
    for _ in range(n):
        force = -9.81 * np.sin(angle) - 0.1 * speed
        middle = angle + 0.5 * dt * speed
        faster = speed + 0.5 * dt * force
        angle = angle + dt * faster
        speed = speed + dt * (-9.81 * np.sin(middle) - 0.1 * faster)
    return angle * angle + speed


def lotka_volterra(prey, hunters, dt, n):
    for _ in range(n):
        prey, hunters = prey + dt * (1.1 * prey - 0.4 * prey * hunters), hunters + dt * (0.1 * prey * hunters - 0.4 * hunters)
    return prey + hunters


def halving(x, least):
    total = 0.0
    while x > least:
        x = x * 0.9999
        total += np.sin(x)
    return total


def square_root(a):
    x = a
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def reflected(a):
    x, speed = a, 1.0
    for _ in range(60):
        x = x + 0.05 * speed
        if x > 1.0:
            x, speed = 2.0 - x, -0.9 * speed
    return x


def product(a, b):
    return a @ b


def _drawn(*shape: int) -> Any:
    return np.random.default_rng(0).normal(size=shape)


@dataclass(frozen=True)
class Trial:
    """A program whose time a fact decides. `transform`: a name of s2s's, "steps" for a checkpointed gradient; `arguments`: of each call."""

    fun: Callable[..., Any]
    transform: str
    arguments: tuple[tuple[Any, ...], ...]
    values: tuple[float, ...]


def _squares(*sizes: int) -> tuple[tuple[Any, ...], ...]:
    return tuple((_drawn(n, n), _drawn(n, n)) for n in sizes)


ROWS = ((_drawn(8), _drawn(20_000, 8), _drawn(20_000)),)
VECTORS = (_drawn(4000), _drawn(4000))
MOTION = ((0.3, 0.1, 1e-3, 20_000),)
TRIALS: dict[str, Trial] = {
    "trips_abreast": Trial(least_squares, "grad", ROWS, (2, 4, 8)),
    "body_abreast": Trial(logistic, "grad", ROWS, (4, 16, 40)),
    "fusion_reach": Trial(many_statements, "jit", (VECTORS,), (1, 6, 24, 60)),
    "operations_again": Trial(shares, "jit", (VECTORS,), (0, 2, 4, 8)),
    "terms_again": Trial(fluxes, "grad", ((_drawn(2000) * 0.1, _drawn(2000) * 0.1, 50),), (0, 2, 4, 8)),
    "falling_elements": Trial(stencil, "grad", ((_drawn(2000) * 0.1, 0.1, 50),), (2, 4, 100)),
    "unrolled_trips": Trial(softmax_rows, "jit", ((_drawn(20_000, 4),),), (0, 8)),
    "lanes": Trial(square_root, "vmap", ((np.abs(_drawn(100_000)) + 0.1,),), (16, 32, 64, 128, 256, 1024)),
    "lane_choice": Trial(reflected, "vmap", ((_drawn(20_000),),), (0, 2, 8)),
    "blas_from": Trial(product_with_column, "jit", _squares(16, 32, 64, 96, 128, 256), (1_000, 4_000, 10_000, 30_000, 200_000)),
    "blas_in_loops": Trial(products, "jit", tuple((_drawn(200, n, n), _drawn(200, n, 6)) for n in (6, 10, 16, 20, 24, 32)), (500, 1_000, 1_750, 4_000, 10_000)),
    "numpy_product_from": Trial(product, "jit", _squares(30, 66, 80, 128, 200), (1, 100_000, 400_000, 2_000_000, 10**12)),
    "helper_in_place": Trial(helper_on_arrays, "grad", (VECTORS,), (0, 4, 16)),
    "chain_operations": Trial(pendulum, "grad", MOTION, (0, 160)),
    "chain_tries": Trial(pendulum, "grad", MOTION, (2, 24, 100)),
    "chain_gain": Trial(lotka_volterra, "grad", ((2.0, 1.0, 1e-3, 20_000),), (0.5, 0.9, 1.1)),
    "latency": Trial(pendulum, "grad", MOTION, (1.0, 3.5, 8.0)),
    "operations_a_cycle": Trial(pendulum, "grad", MOTION, (1.0, 2.5, 5.0)),
    "segment_room": Trial(pendulum, "steps", MOTION, (1, 1 << 12, 1 << 15, 1 << 20)),
    "while_snapshots": Trial(halving, "steps", ((1.0, 0.1),), (32, 128, 512)),
    "tape_entries": Trial(halving, "grad", ((1.0, 0.1),), (1, 16, 1024)),
}
WITHOUT = {
    "latency_of_division": "stands beside `latency`", "latency_of_sign": "stands beside `latency`", "latency_of_choice": "stands beside `latency`",
    "latency_of_access": "stands beside `latency`", "latency_of_update": "stands beside `latency`", "latency_of_branch": "stands beside `latency`",
    "latency_of_function": "stands beside `latency`", "large_kernel": "measured by start.py (first calls) and loop_cost.py (run time)",
    "helper_apart": "measured as `large_kernel` is", "long_kernel": "measured as `large_kernel` is", "places_in": "measured by rows.py (Riccati's equations)",
}
"""Facts that only mean something together with another one, or that other benchmarks measure."""


# ---- in a process of its own --------------------------------------------------------------------------------------------


def seconds(name: str, value: float) -> tuple[float, str]:
    """CPU seconds of one call (of all the arguments) with this value of the fact, and which text was run."""
    import s2s
    from s2s.tuning import TUNING

    setattr(TUNING, name, type(getattr(TUNING, name))(value))
    trial = TRIALS[name]
    call = s2s.grad(s2s.checkpoint(trial.fun, steps="auto")) if trial.transform == "steps" else getattr(s2s, trial.transform)(trial.fun)
    text = hashlib.sha256(call.source(*trial.arguments[0]).encode()).hexdigest()
    return sum(best(lambda args=args: call(*args), repeat=5, at_least=0.03, clock=time.process_time) for args in trial.arguments), text


def measured(name: str, value: float) -> tuple[float, str]:
    """The same, in a process and a cache of its own."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "S2S_CACHE_DIR": cache, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run([sys.executable, __file__, "--one", name, repr(value)], env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{name} = {value}:\n{done.stderr}")
        return tuple(json.loads(done.stdout.splitlines()[-1]))


def verdict(found: dict[float, tuple[float, str]], chosen: float) -> tuple[str, str, str, str]:
    """For each value its time (values that make the same text share the best of theirs), the value in use, the best, and what that says."""
    times = {value: min(each for each, other in found.values() if other == text) for value, (_, text) in found.items()}
    shown = ", ".join(f"{value:g}: {us(each)}" for value, each in times.items())
    quickest = min(times, key=lambda value: times[value])
    loss = times[chosen] / times[quickest] - 1
    if len({text for _, text in found.values()}) == 1:
        return shown, f"{chosen:g}", "", "decides nothing here"
    best_ones = ", ".join(f"{value:g}" for value in times if times[value] == times[quickest])
    return shown, f"{chosen:g}", best_ones, "pays" if loss < 0.05 else f"{loss:.0%} slower than the best"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="facts whose names contain one of these")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(seconds(options.one[0], float(options.one[1]))))
        return
    from s2s.tuning import TUNING

    print(machine())
    rows = []
    for field in dataclasses.fields(TUNING):
        if field.name in WITHOUT or options.only and not any(part in field.name for part in options.only):
            continue
        trial, chosen = TRIALS[field.name], getattr(TUNING, field.name)
        found = {value: measured(field.name, value) for value in sorted({*trial.values, chosen})}
        rows.append((field.name, field.metadata["unit"], trial.fun.__name__, *verdict(found, chosen)))
        print(" | ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    table("Facts of the machine (s2s/tuning.py)", ("fact", "unit", "program", "value: time of a call", "in use", "best", "verdict"), rows)


if __name__ == "__main__":
    main()
