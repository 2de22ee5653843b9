"""Solves, decompositions and Fourier transforms against NumPy's (SciPy's) and JAX's: the primal's and the gradient's time over NumPy's time of the call, one thread, CPU time.

    python benchmarks/linalg.py                     # all, at 4, 10, 32, 100, 316, 1000
    python benchmarks/linalg.py solve fft -n 400    # some of them, at one size
"""
from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
from common import interleaved, jax_or_none, machine, table

import s2s

SIZES = (4, 10, 32, 100, 316, 1000)
ALONE = {"OPENBLAS_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu", "MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30)}
"""One thread; memory that stays with the process, or what is measured of large arrays is who was given new pages."""
AIMS = {"solve": 2.0, "cholesky": 3.0, "eigh": 2.0, "svd": 2.0, "complex_svd": 2.0, "fft": 2.0}
"""Of gradients, over NumPy's time of the call; 1.2 for all primals."""


# ---- what is measured: read by s2s, and by JAX with its own NumPy --------------------------------------------------------


def solve(a, b):
    return np.linalg.solve(a, b)


def solve_loss(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def cholesky(a):
    return np.linalg.cholesky(a)


def cholesky_loss(a):
    return np.sum(np.linalg.cholesky(a) ** 3)


def eigh(a):
    return tuple(np.linalg.eigh(a))


def eigh_loss(a):
    w, v = np.linalg.eigh(a)
    return np.sum(w**2) + np.sum(v[:, 0] ** 4)


def svd(a):
    return tuple(np.linalg.svd(a, full_matrices=False))


def svd_loss(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(s**3) + np.sum(u[:, 0] ** 4) + np.sum(vh[0] ** 4)


def qr(a):
    return tuple(np.linalg.qr(a))


def qr_loss(a):
    q, r = np.linalg.qr(a)
    return np.sum(q**3) + np.sum(r**2)


def inv(a):
    return np.linalg.inv(a)


def inv_loss(a):
    return np.sum(np.linalg.inv(a) ** 2)


def det(a):
    return np.linalg.det(a)


def det_loss(a):
    return np.linalg.det(a)


def lu(a):
    return tuple(scipy.linalg.lu(a))


def lu_loss(a):
    _p, lower, upper = scipy.linalg.lu(a)
    return np.sum(lower**2) + np.sum(upper**3)


def fft(x):
    return np.fft.fft(x)


def fft_loss(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2)


def rfft(x):
    return np.fft.rfft(x)


def rfft_loss(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2)


def fft2(a):
    return np.fft.fft2(a)


def fft2_loss(a):
    return np.sum(np.abs(np.fft.fft2(a)) ** 2)


def complex_svd(a):
    return tuple(np.linalg.svd(a, full_matrices=False))


def complex_svd_loss(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(s**3) + np.sum(np.abs(u[:, 0]) ** 4) + np.sum(np.abs(vh[0]) ** 4)


def lstsq(a, b):
    return np.linalg.lstsq(a, b)[0]


def lstsq_loss(a, b):
    return np.sum(np.linalg.lstsq(a, b)[0] ** 2)


def dct(x):
    return scipy.fft.dct(x)


def dct_loss(x):
    return np.sum(scipy.fft.dct(x) ** 2)


NAMES = ("solve", "cholesky", "eigh", "svd", "complex_svd", "qr", "inv", "det", "lu", "lstsq", "fft", "rfft", "fft2", "dct")


# ---- measuring ------------------------------------------------------------------------------------------------------------


def arguments(name: str, n: int) -> tuple[np.ndarray, ...]:
    """A positive definite matrix whose determinant is no overflow; a right side, or a vector."""
    rng = np.random.default_rng(n)
    if name in ("fft", "rfft", "dct"):
        return (rng.normal(size=n),)
    a = rng.normal(size=(n, n))
    whole = (a @ a.T) / n + np.eye(n)
    if name == "complex_svd":
        return (whole + 0.1j * a,)
    return (whole, rng.normal(size=n)) if name in ("solve", "lstsq") else (whole,)


def twins(jax: Any) -> dict[str, Callable[..., Any]]:
    """The functions of this file with JAX's NumPy and SciPy."""
    text = Path(__file__).read_text(encoding="utf-8").split("# ---- ")[1].partition("\n")[2]
    own: dict[str, Any] = {"np": jax.numpy, "scipy": jax.scipy}
    exec(compile(text, __file__, "exec"), own)
    return {f"{name}{kind}": jax.jit(own[f"{name}{kind}"] if not kind else jax.grad(own[f"{name}{kind}"])) for name in NAMES for kind in ("", "_loss")}


def measured(name: str, n: int, theirs: dict[str, Callable[..., Any]], block: Callable[[Any], Any]) -> tuple[str, ...]:
    """A line of the table."""
    args = arguments(name, n)
    plain = globals()[name]
    compiled, gradient = s2s.jit(plain), s2s.grad(globals()[f"{name}_loss"])
    calls = [lambda: plain(*args), lambda: compiled(*args), lambda: gradient(*args)]
    if theirs:
        calls += [lambda: block(theirs[name](*args)), lambda: block(theirs[f"{name}_loss"](*args))]
    base, *times = interleaved(*calls, repeat=3, at_least=0.01, clock=time.process_time)
    return name, str(n), f"{base * 1e6:.4g} µs", *(f"{each / base:.2f}" for each in times)


def main() -> None:
    """Read the command line, print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", help="functions; all of them without")
    options.add_argument("-n", type=int, nargs="*", default=SIZES, help="sizes")
    given = options.parse_args()
    if not ALONE.items() <= os.environ.items():  # they are looked at when a process starts
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALONE})
    jax: Any = jax_or_none()
    if jax is not None:
        import jax.scipy.fft
        import jax.scipy.linalg
    theirs = {} if jax is None else twins(jax)
    rows = []
    for name in given.names or NAMES:
        for n in given.n:
            if name != "fft2" or n <= 316:  # a million elements
                rows.append(measured(name, n, theirs, (lambda x: x) if jax is None else jax.block_until_ready))
                print(f"  {' '.join(rows[-1])}", file=sys.stderr, flush=True)
    print(machine())
    table("CPU time over NumPy's of the call", ("function", "n", "NumPy", "s2s", "s2s, gradient", *(("JAX", "JAX, gradient") if theirs else ())), rows)
    over = [f"{row[0]} {row[1]}" for row in rows if float(row[3]) > 1.2]
    print(f"\nprimals over 1.2: {', '.join(over) or 'none'}")
    missed = [f"{row[0]} {row[1]}" for row in rows if float(row[4]) > AIMS.get(row[0], np.inf)]
    print(f"gradients over their aims: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
