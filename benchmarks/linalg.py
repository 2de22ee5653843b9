"""Solves and decompositions against NumPy's: the primal's and the gradient's time, one thread, the best of a few runs. `python benchmarks/linalg.py [sizes …]`."""
from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import s2s


def solve(a, b):
    return np.linalg.solve(a, b)


def cholesky(a):
    return np.linalg.cholesky(a)


def eigen(a):
    w, v = np.linalg.eigh(a)
    return w, v


def singular(a):
    return tuple(np.linalg.svd(a, full_matrices=False))


def solve_loss(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def cholesky_loss(a):
    return np.sum(np.linalg.cholesky(a) ** 3)


def eigen_loss(a):
    w, v = np.linalg.eigh(a)
    return np.sum(w**2) + np.sum(v[:, 0] ** 4)


def singular_loss(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(s**3) + np.sum(u[:, 0] ** 4) + np.sum(vh[0] ** 4)


def best(function, *args) -> float:
    """CPU seconds of a call."""
    function(*args)
    times = []
    for _ in range(5):
        count, start = 0, time.process_time()
        while (spent := time.process_time() - start) < 0.05:
            function(*args)
            count += 1
        times.append(spent / count)
    return min(times)


def main() -> None:
    """Print a line for each function and size."""
    sizes = [int(each) for each in sys.argv[1:]] or [4, 16, 100, 400, 1000]
    rng = np.random.default_rng(0)
    print(f"{'':10}{'n':>6}{'NumPy ms':>12}{'s2s/NumPy':>12}{'gradient/NumPy':>16}")
    for name, function, loss in (
        ("solve", solve, solve_loss), ("cholesky", cholesky, cholesky_loss), ("eigh", eigen, eigen_loss), ("svd", singular, singular_loss),
    ):  # fmt: skip
        compiled, gradient = s2s.jit(function), s2s.grad(loss)
        for n in sizes:
            a = rng.normal(size=(n, n))
            args = (a @ a.T + n * np.eye(n),) + ((rng.normal(size=n),) if name == "solve" else ())
            plain = best(function, *args)
            print(f"{name:10}{n:>6}{plain * 1e3:>12.4f}{best(compiled, *args) / plain:>12.2f}{best(gradient, *args) / plain:>16.2f}", flush=True)


if __name__ == "__main__":
    main()
