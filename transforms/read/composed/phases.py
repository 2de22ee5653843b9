"""scipy.signal: periods of signals that are sampled at any times, filters of least phase, and splines through the samples of a signal."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.installed import SCIPY_1_18


def lombscargle(x, y, freqs, *, precenter=False, normalize=False, weights=None, floating_mean=False):
    """scipy.signal.lombscargle: how much of each angular frequency samples at any times have (Zechmeister and Kürster 2009)."""
    x, y, freqs = np.asarray(x, np.float64), np.asarray(y, np.float64), np.asarray(freqs, np.float64)
    weights = np.ones(y.shape) if weights is None else np.asarray(weights, np.float64)
    if x.ndim != 1 or x.size == 0 or x.shape != y.shape or weights.shape != y.shape:
        raise ValueError("Parameters x, y, weights must be 1-D arrays of equal non-zero length!")
    if freqs.ndim != 1 or freqs.size == 0:
        raise ValueError("Parameter freqs must be a 1-D array of non-zero length!")
    if np.any(weights < 0) or np.sum(weights) <= 0:
        raise ValueError("Parameter weights must have only non-negative entries which sum to a positive value!")
    kind = ("normalize" if normalize else "power") if isinstance(normalize, bool) else normalize
    if kind not in ("power", "normalize", "amplitude"):
        raise ValueError("Normalize must be: False (or 'power'), True (or 'normalize'), or 'amplitude'.")
    weights = weights / np.sum(weights)
    y = y - np.mean(y) if precenter else y
    angles, mean = x[:, np.newaxis] * freqs, np.sum(weights * y)
    cosine, sine = np.cos(angles), np.sin(angles)
    even, odd, mixed = _second_moments(weights, cosine, sine, floating_mean)
    delay = 0.5 * np.arctan2(2.0 * mixed, even - odd)
    cosine, sine = np.cos(angles - delay), np.sin(angles - delay)
    even, odd, mixed = _second_moments(weights, cosine, sine, floating_mean)
    along, across = (weights * y) @ cosine, (weights * y) @ sine
    if floating_mean:
        along, across = along - mean * (weights @ cosine), across - mean * (weights @ sine)
    least = np.finfo(np.float64).epsneg
    a, b = along / np.maximum(even, least), across / np.maximum(odd, least)
    if kind == "amplitude":
        return (a + 1j * b) * np.exp(1j * delay)
    power = 2.0 * (a * along + b * across)
    if kind == "power":
        return power * (x.shape[0] / 4.0)
    return power * (0.5 / (np.sum(weights * y * y) - (mean * mean if floating_mean else 0.0)))


def _second_moments(weights, cosine, sine, centred):
    """The means of squares of the cosines and sines, and of their products; of what is left of their means, if they are centred."""
    even, mixed = weights @ (cosine * cosine), weights @ (cosine * sine)
    odd = 1.0 - even
    if not centred:
        return even, odd, mixed
    c, s = weights @ cosine, weights @ sine
    return even - c * c, odd - s * s, mixed - c * s


# ---- least phase --------------------------------------------------------------------------------------------------------------------------------


def minimum_phase(h, method="homomorphic", n_fft=None, *, half=True):
    """scipy.signal.minimum_phase of a filter that is the same from both ends."""
    h = np.asarray(h)
    if h.dtype.kind == "c":
        raise ValueError("Complex filters not supported")
    if h.ndim != 1 or h.shape[0] <= 2:
        raise ValueError("h must be 1-D and at least 2 samples long")
    if method not in ("homomorphic", "hilbert"):
        raise ValueError(f'method must be "homomorphic" or "hilbert", got {method!r}')
    if method == "hilbert" and not half:
        raise ValueError("`half=False` is only supported when `method='homomorphic'`")
    n = h.shape[0]
    count = 2 ** int(np.ceil(np.log2(2.0 * (n - 1) / 0.01))) if n_fft is None else int(n_fft)
    if count < n:
        raise ValueError("n_fft must be at least len(h)")
    found = _of_least_phase(h, count) if method == "hilbert" else _folded(h, count, half)
    return (found[: n // 2 + n % 2] if half else found[:n]).astype(h.dtype if h.dtype.kind == "f" else np.float64)


def _folded(h, count, half):
    """By the cepstrum, of which what is before time 0 is put on what is behind."""
    size = np.abs(np.fft.fft(h, count))
    size = size + 1e-7 * np.min(np.where(size > 0, size, np.inf))
    cepstrum = np.fft.ifft(np.log(size) * (0.5 if half else 1.0)).real
    place = np.arange(count)
    middle = (1.0 if count % 2 == 0 else 2.0) if SCIPY_1_18 else (0.0 if count % 2 == 0 else 1.0)
    twice = np.where(place == 0, 1.0, np.where(place < count // 2, 2.0, np.where(place == count // 2, middle, 0.0)))
    return np.fft.ifft(np.exp(np.fft.fft(cepstrum * twice))).real


def _of_least_phase(h, count):
    """By Hilbert's transform of the logarithm of the size, once the ripples are lifted above 0."""
    place = np.arange(count)
    size = (np.fft.fft(h, count) * np.exp(1j * place * (2.0 * np.pi / count * (h.shape[0] // 2)))).real
    above, below = np.max(size) - 1.0, -np.min(size)
    size = np.sqrt((size + below) * (4.0 / (np.sqrt(1.0 + above + below) + np.sqrt(1.0 - above + below)) ** 2)) + 1e-10
    middle = count // 2
    side = np.where((place == 0) | (place == middle), 0.0, np.where(place < middle, 1.0, -1.0))
    return np.fft.ifft(size * np.exp(np.fft.fft(side * np.fft.ifft(np.log(size))))).real


# ---- splines ------------------------------------------------------------------------------------------------------------------------------------


def _coefficients(name, signal, pole, gain, lamb):
    """Of splines through samples that are mirrored at both ends: one pole forwards, then backwards (Unser)."""
    if lamb != 0.0:
        unsupported(f"scipy.signal.{name} that smooths (lamb)", "lamb=0, or scipy.interpolate.make_smoothing_spline")
    signal = np.asarray(signal)
    signal = signal if signal.dtype.kind in "fc" else signal.astype(np.float64)
    if signal.ndim != 1 or signal.shape[0] < 2:
        raise NotImplementedError(f"scipy.signal.{name} of fewer than two samples, or of several axes, is not supported")
    n = signal.shape[0]
    found = np.empty(n, np.result_type(signal.dtype, np.float64))
    found[0] = signal[0] + pole * np.sum(pole ** np.arange(n) * signal)
    for k in range(1, n):
        found[k] = signal[k] + pole * found[k - 1]
    found[n - 1] = pole / (pole - 1.0) * found[n - 1]
    for k in range(n - 2, -1, -1):
        found[k] = pole * (found[k + 1] - found[k])
    return found * gain


def cspline1d(signal, lamb=0.0):
    """scipy.signal.cspline1d, that does not smooth."""
    return _coefficients("cspline1d", signal, -2.0 + math.sqrt(3.0), 6.0, lamb)


def qspline1d(signal, lamb=0.0):
    """scipy.signal.qspline1d."""
    if lamb != 0.0:
        raise ValueError("Smoothing quadratic splines not supported yet.")
    return _coefficients("qspline1d", signal, -3.0 + 2.0 * math.sqrt(2.0), 8.0, lamb)


def _at(coefficients, places, dx, x0, reach, shape):
    """The spline at places, mirrored beyond its ends, by the basis that is at most `reach` wide to either side."""
    coefficients = np.asarray(coefficients)
    if coefficients.dtype.kind not in "fc":
        unsupported("scipy.signal's spline of coefficients that are integers", "floats")
    if coefficients.size == 0:
        raise ValueError("Spline coefficients 'cj' must not be empty.")
    last = coefficients.shape[0] - 1
    places = (np.asarray(places) - x0) / float(dx)
    turn = np.where(last > 0, np.mod(places, 2.0 * max(last, 1)), 0.0)
    places = np.where(turn > last, 2.0 * last - turn, turn)
    first = np.floor(places - reach).astype(np.int64) + 1
    found = np.zeros(places.shape, coefficients.dtype)
    for k in range(int(2 * reach)):
        found = found + coefficients[np.clip(first + k, 0, last)] * shape(np.abs(places - (first + k)))
    return found.astype(coefficients.dtype)


def cspline1d_eval(cj, newx, dx=1.0, x0=0):
    """scipy.signal.cspline1d_eval."""
    return _at(cj, newx, dx, x0, 2.0, lambda x: np.where(x < 1.0, 2.0 / 3.0 - 0.5 * x**2 * (2.0 - x), np.where(x < 2.0, (2.0 - x) ** 3 / 6.0, 0.0)))


def qspline1d_eval(cj, newx, dx=1.0, x0=0):
    """scipy.signal.qspline1d_eval."""
    return _at(cj, newx, dx, x0, 1.5, lambda x: np.where(x < 0.5, 0.75 - x**2, np.where(x < 1.5, (x - 1.5) ** 2 / 2.0, 0.0)))


PHASES: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (minimum_phase, cspline1d, qspline1d, cspline1d_eval, qspline1d_eval)}
"""By qualified name."""
UNEVEN = {"scipy.signal.lombscargle": lombscargle}
"""Whose own signature has types."""
