"""Fourier transforms against NumPy's: the primal's and the gradient's time, the best of a few runs. `python benchmarks/fourier.py [sizes …]`."""
from __future__ import annotations

import sys
import time

import numpy as np

import s2s

SIZES = (4, 16, 100, 128, 1000, 1021, 2**20)


def spectrum(x):
    return np.fft.fft(x)


def half(x):
    return np.fft.rfft(x)


def back(c):
    return np.fft.irfft(c)


def spectrum_loss(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2)


def half_loss(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2)


def back_loss(c):
    return np.sum(np.fft.irfft(c) ** 2)


def best(function, x) -> float:
    """CPU seconds of a call."""
    function(x)
    times = []
    for _ in range(5):
        count, start = 0, time.process_time()
        while (spent := time.process_time() - start) < 0.02:
            function(x)
            count += 1
        times.append(spent / count)
    return min(times)


def main() -> None:
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    rng = np.random.default_rng(0)
    print(f"{'':8} {'n':>8} {'NumPy µs':>10} {'s2s µs':>10} {'s2s/NumPy':>10} {'loss µs':>10} {'gradient/loss':>14}")
    for name, f, loss in (("fft", spectrum, spectrum_loss), ("rfft", half, half_loss), ("irfft", back, back_loss)):
        ours, ours_loss, gradient = s2s.jit(f), s2s.jit(loss), s2s.grad(loss)
        for n in sizes:
            x = rng.normal(size=n)
            if name != "rfft":
                x = x + 1j * x[::-1]
            theirs, mine, primal, derived = (1e6 * best(g, x) for g in (f, ours, ours_loss, gradient))
            print(f"{name:8} {n:8} {theirs:10.2f} {mine:10.2f} {mine / theirs:10.2f} {primal:10.2f} {derived / primal:14.2f}")


if __name__ == "__main__":
    main()
