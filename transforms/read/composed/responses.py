"""scipy.signal: answers of filters to frequencies, states of filters, waves."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.smoothing import lfilter
from s2s.transforms.read.installed import SCIPY_1_18


def _in_turn(coefficients, z):
    """A polynomial in z with its lowest power first."""
    found = np.zeros(z.shape, z.dtype) + coefficients[coefficients.shape[0] - 1]  # of several, the others stand along further axes
    for k in range(coefficients.shape[0] - 2, -1, -1):
        found = found * z + coefficients[k]
    return found


def _angles(worN, whole, fs, include_nyquist, dtype):
    if _counted(worN):
        count = 512 if worN is None else worN
        return np.linspace(0, 2 * np.pi if whole else np.pi, count, endpoint=include_nyquist and not whole).astype(dtype)
    return 2 * np.pi * np.atleast_1d(np.asarray(worN).astype(dtype)) / fs


def freqz(b, a=1, worN=512, whole=False, plot=None, fs=2 * np.pi, include_nyquist=False):
    """scipy.signal.freqz."""
    if plot is not None:
        unsupported("scipy.signal.freqz(…, plot=…)", "a call with its result")
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    kind = np.result_type(b, a, np.float32) if b.dtype.kind in "fc" else np.result_type(b, a, np.float64)
    dtype = np.dtype(np.float32) if kind.name in ("float32", "complex64") else np.dtype(np.float64)
    if not _counted(worN) and kind.kind == "c":
        dtype = kind  # SciPy's frequencies are complex, then
    w = _angles(worN, whole, fs, include_nyquist, dtype)
    z = np.exp(-1j * w)
    found = _in_turn(b, z) / _in_turn(a, z)
    if a.shape[0] == 1 and _counted(worN) and b.dtype.name in ("float32", "complex64"):
        if b.shape[0] > (1 if whole else 2) * (512 if worN is None else worN) - 2 * include_nyquist:
            raise NotImplementedError("scipy.signal.freqz of more single precision coefficients than there are frequencies is not supported")
        found = found.astype(np.complex64)  # SciPy's is a Fourier transform
    return w * (fs / (2 * np.pi)), found


def freqz_sos(sos, worN=512, whole=False, fs=2 * np.pi):
    """scipy.signal.freqz_sos."""
    sos = np.atleast_2d(np.asarray(sos))
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError("sos array must be shape (n_sections, 6)")
    if sos.shape[0] == 0:
        raise ValueError("Cannot compute frequencies with no sections")
    w, found = freqz(sos[0, :3], sos[0, 3:], worN, whole, fs=fs)
    for k in range(1, sos.shape[0]):
        found = found * freqz(sos[k, :3], sos[k, 3:], worN, whole, fs=fs)[1]
    return w, found


def sosfreqz(*args, **kwargs):
    """scipy.signal.sosfreqz: freqz_sos."""
    return freqz_sos(*args, **kwargs)


def freqs(b, a, worN=200, plot=None):
    """scipy.signal.freqs."""
    if plot is not None:
        unsupported("scipy.signal.freqs(…, plot=…)", "a call with its result")
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    w = findfreqs(b, a, 200 if worN is None else worN) if _counted(worN) else np.atleast_1d(np.asarray(worN))
    s = 1j * w
    return w, _in_turn(b[::-1], s) / _in_turn(a[::-1], s)


def _counted(worN):
    """Whether frequencies are given by their number."""
    return worN is None or isinstance(worN, int) or np.ndim(worN) == 0 and np.asarray(worN).dtype.kind in "iu"


def findfreqs(num, den, N, kind="ba"):
    """scipy.signal.findfreqs: decades of frequencies around the zeros and poles."""
    if kind not in ("ba", "zp"):
        raise ValueError("input must be one of {'ba', 'zp'}")
    poles, zeros = (np.roots(den), np.roots(num)) if kind == "ba" else (np.atleast_1d(den), np.atleast_1d(num))
    poles, zeros = poles + 0j, zeros + 0j
    if poles.shape[0] == 0:
        poles = np.array([-1000.0 + 0j])
    points = np.concatenate((poles, zeros))
    counted = (np.imag(points) >= 0) & (np.concatenate((np.zeros(poles.shape[0]), np.abs(zeros))) < 1e5)
    there = np.where(counted, points, 1.0)
    at_zero = np.where(np.abs(there) < 1e-10, 1.0, 0.0)
    size = np.abs(np.real(there) + at_zero)
    most = np.max(np.where(counted, 3 * size + 1.5 * np.imag(there), -np.inf))
    least = np.min(np.where(counted, size + 2 * np.imag(there), np.inf))
    return np.logspace(np.round(np.log10(0.1 * least) - 0.5), np.round(np.log10(most) + 0.5), N)


def _of_roots(s, roots):
    """The product of s - root."""
    found = np.ones(s.shape, s.dtype)
    for k in range(roots.shape[0]):
        found = found * (s - roots[k])
    return found


def freqs_zpk(z, p, k, worN=200):
    """scipy.signal.freqs_zpk."""
    z, p = np.atleast_1d(z), np.atleast_1d(p)
    w = findfreqs(z, p, 200 if worN is None else worN, "zp") if _counted(worN) else np.atleast_1d(np.asarray(worN))
    s = 1j * w
    return w, k * _of_roots(s, z) / _of_roots(s, p)


def freqz_zpk(z, p, k, worN=512, whole=False, fs=2 * np.pi):
    """scipy.signal.freqz_zpk."""
    z, p = np.atleast_1d(z), np.atleast_1d(p)
    dtype = np.dtype(np.float64 if np.result_type(z, p).name in ("float64", "complex128") else np.float32)  # of integers, too
    w = _angles(worN, whole, fs, False, dtype)
    at = np.exp(1j * w)
    return w * (fs / (2 * np.pi)), np.asarray(k, dtype) * _of_roots(at, z) / _of_roots(at, p)


def lfiltic(b, a, y, x=None):
    """scipy.signal.lfiltic: the state of a filter after outputs and inputs, the latest first."""
    a, b, y = np.atleast_1d(a), np.atleast_1d(b), np.asarray(y)
    if a.ndim > 1 or b.ndim > 1:
        raise ValueError("Filter coefficients `a` must be 1-D." if a.ndim > 1 else "Filter coefficients `b` must be 1-D.")
    poles, zeros = a.shape[0] - 1, b.shape[0] - 1
    dtype = np.result_type(b, a, y) if x is None else np.result_type(b, a, y, np.asarray(x))
    dtype = dtype if dtype.kind in "fc" else np.dtype(np.float64)
    before = np.zeros(zeros, dtype) if x is None else np.concatenate((np.asarray(x).astype(dtype), np.zeros(zeros, dtype)))
    given, state = np.concatenate((y.astype(dtype), np.zeros(poles, dtype))), np.zeros(max(poles, zeros), dtype)
    for m in range(zeros):
        state[m] = np.sum(b[m + 1 :] * before[: zeros - m])
    for m in range(poles):
        state[m] -= np.sum(a[m + 1 :] * given[: poles - m])
    if a[0] == 0.0:
        raise ValueError("First `a` filter coefficient must be non-zero.")
    return state / a[0]


def deconvolve(signal, divisor):
    """scipy.signal.deconvolve: the quotient of polynomials, and the rest."""
    signal, divisor = np.atleast_1d(signal), np.atleast_1d(divisor)
    if signal.ndim != 1 or divisor.ndim != 1:
        raise ValueError(f"Parameter signal must be non-empty 1d array, but its shape is {signal.shape}!")
    n, m = signal.shape[0], divisor.shape[0]
    if m > n:
        raise NotImplementedError("scipy.signal.deconvolve by what is longer than the signal is not supported")
    found = lfilter(signal, divisor, (np.arange(n - m + 1) == 0).astype(np.float64))
    return found, signal - np.convolve(divisor, found)


# ---- waves -----------------------------------------------------------------------------------------------------------------------------


def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    """scipy.signal.chirp."""
    phase = _phase(np.asarray(t), f0 * 1.0, t1 * 1.0, f1 * 1.0, method, vertex_zero) + np.deg2rad(phi)
    return np.exp(1j * phase) if complex else np.cos(phase)


def _phase(t, f0, t1, f1, method, vertex_zero):
    if method in ("linear", "lin", "li"):
        return 2 * np.pi * (f0 * t + 0.5 * ((f1 - f0) / t1) * t * t)
    if method in ("quadratic", "quad", "q"):
        beta = (f1 - f0) / t1**2
        return 2 * np.pi * (f0 * t + beta * t**3 / 3 if vertex_zero else f1 * t + beta * ((t1 - t) ** 3 - t1**3) / 3)
    if method in ("logarithmic", "log", "lo"):
        if f0 * f1 <= 0.0:
            raise ValueError("For a logarithmic chirp, f0 and f1 must be nonzero and have the same sign.")
        if f0 == f1:
            return 2 * np.pi * f0 * t
        return 2 * np.pi * (t1 / np.log(f1 / f0)) * f0 * ((f1 / f0) ** (t / t1) - 1.0)
    if method not in ("hyperbolic", "hyp"):
        raise ValueError(f"method must be 'linear', 'quadratic', 'logarithmic', or 'hyperbolic', but a value of {method!r} was given.")
    if f0 == 0 or f1 == 0:
        raise ValueError("For a hyperbolic chirp, f0 and f1 must be nonzero.")
    if f0 == f1:
        return 2 * np.pi * f0 * t
    pole = -f1 * t1 / (f0 - f1)
    return 2 * np.pi * (-pole * f0) * np.log(np.abs(1 - t / pole))


def square(t, duty=0.5):
    """scipy.signal.square."""
    t, duty = (each if np.ndim(each) == 0 else np.asarray(each) for each in (t, duty))
    dtype = np.result_type(t, duty, 1.0) if SCIPY_1_18 else np.dtype(np.float64)
    t, w = np.broadcast_arrays(np.asarray(t, dtype), np.asarray(duty, dtype))
    return np.where((w > 1) | (w < 0), np.nan, np.where(np.mod(t, 2 * np.pi) < w * 2 * np.pi, 1.0, -1.0)).astype(dtype)


def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):
    """scipy.signal.gausspulse at times."""
    if isinstance(t, str):
        unsupported("scipy.signal.gausspulse('cutoff')", "times")
    if fc < 0:
        raise ValueError(f"Center frequency (fc={fc:.2f}) must be >=0.")
    if bw <= 0:
        raise ValueError(f"Fractional bandwidth (bw={bw:.2f}) must be > 0.")
    if bwr >= 0:
        raise ValueError(f"Reference level for bandwidth (bwr={bwr:.2f}) must be < 0 dB")
    slope = -((np.pi * fc * bw) ** 2) / (4.0 * np.log(10.0 ** (bwr / 20.0)))
    around = np.exp(-slope * t * t)
    wave = around * np.cos(2 * np.pi * fc * t)
    if not retquad:
        return (wave, around) if retenv else wave
    turned = around * np.sin(2 * np.pi * fc * t)
    return (wave, turned, around) if retenv else (wave, turned)


def unit_impulse(shape, idx=None, dtype=float):
    """scipy.signal.unit_impulse."""
    found = np.zeros(shape, dtype)
    if idx is None:
        place = (0,) * found.ndim
    elif isinstance(idx, str):
        place = tuple([n // 2 for n in found.shape])
    else:
        place = tuple(idx) if isinstance(idx, (tuple, list)) else (idx,) * found.ndim
    found[place] = 1
    return found


RESPONSES: dict[str, Any] = {
    f"scipy.signal.{function.__name__}": function for function in (freqz, freqz_sos, sosfreqz, freqs, findfreqs, freqs_zpk, freqz_zpk, lfiltic, deconvolve, chirp, square, gausspulse, unit_impulse)
}
"""By qualified name."""
