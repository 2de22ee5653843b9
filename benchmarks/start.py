"""How long the first call takes: a 30-line function with an empty cache, then a second process from the warm cache; and JAX's.

The aims: at most 1.5 s for the first call (import not counted), at most 0.9 s for the whole second process.
"""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import jax_or_none, machine, table

PROGRAM = '''
import time
start = time.perf_counter()
import numpy as np
import s2s
imported = time.perf_counter()


def simulate(u, v, kappa, dt, steps):
    """A damped wave on a line with a nonlinear spring, some measurements taken on the way; about thirty lines."""
    n = u.shape[0]
    u = u.copy()
    v = v.copy()
    energy = 0.0
    highest = 0.0
    for step in range(steps):
        for i in range(1, n - 1):
            force = u[i - 1] - 2.0 * u[i] + u[i + 1]
            stretch = u[i] * u[i]
            if stretch > 1.0:
                force -= kappa * u[i] * stretch
            else:
                force -= kappa * np.sin(u[i])
            v[i] += dt * force
        for i in range(1, n - 1):
            u[i] += dt * v[i]
            v[i] *= 0.999
        now = 0.0
        for i in range(n):
            now += 0.5 * v[i] * v[i]
        for i in range(n - 1):
            d = u[i + 1] - u[i]
            now += 0.5 * d * d
        energy += now
        if now > highest:
            highest = now
    mean = energy / steps
    rough = np.sum((u[1:] - u[:-1]) ** 2)
    return mean + 0.1 * highest + rough


u = np.sin(np.linspace(0.0, 3.0, 50))
call = s2s.TRANSFORM(simulate)
call(u, np.zeros(50), 0.3, 0.01, 20)
called = time.perf_counter()
print(imported - start, called - imported)
'''


def timed(script: Path, cache: str) -> tuple[float, float, float]:
    """Run a script that prints its two figures."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, script], check=True, capture_output=True, text=True, env={**os.environ, "S2S_CACHE_DIR": cache})
    whole = time.perf_counter() - start
    imported, called = map(float, done.stdout.split()[-2:])
    return imported, called, whole


def main() -> None:
    """Print the table."""
    print(machine())
    rows = []
    for transform in ("jit", "grad", "value_and_grad"):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
            script = Path(folder) / "program.py"  # the same file in both runs: what is cached belongs to it
            script.write_text(PROGRAM.replace("TRANSFORM", transform), encoding="utf-8")
            first = timed(script, cache)
            second = min((timed(script, cache) for _ in range(3)), key=lambda times: times[2])
        rows.append((transform, f"{first[1]:.2f} s", f"{first[2]:.2f} s", f"{second[1]:.2f} s", f"{second[2]:.2f} s"))
    head = ("transformation", "first call, empty cache", "whole process", "first call, warm cache", "whole process, warm cache")
    table("A 30-line function", head, rows)
    if jax_or_none() is None:
        print("\nJAX is not installed: no comparison")


if __name__ == "__main__":
    main()
