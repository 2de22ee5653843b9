"""scipy.signal: linear systems in continuous and discrete time, given by coefficients, by zeros and poles or by matrices; transforms along parts of the unit circle."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.filter_forms import _floats, normalize, tf2zpk, zpk2tf
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.responses import freqs, freqs_zpk

# ---- forms -------------------------------------------------------------------------------------------------------------------------------


def _coefficients(num, den):
    """Of one output, the first coefficient of the denominator 1."""
    num, den = _floats(num), _floats(den)
    if num.ndim == 2 and num.shape[0] == 1:
        num = num[0]
    if num.ndim != 1 or den.ndim != 1:
        unsupported("a linear system in scipy.signal with several outputs, by coefficients", "its matrices A, B, C, D")
    if den[0] == 0:
        raise NotImplementedError("a linear system in scipy.signal whose denominator begins with 0 is not supported")
    return num / den[0], den / den[0]


def tf2ss(num, den):
    """scipy.signal.tf2ss."""
    num, den = _coefficients(num, den)
    count, states = num.shape[0], den.shape[0] - 1
    if count > states + 1:
        raise ValueError("Improper transfer function. `num` is longer than `den`.")
    whole = np.concatenate((np.zeros(states + 1 - count, num.dtype), num))
    d = whole[:1][np.newaxis]
    if states == 0:
        return np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, 1)), d
    a = np.concatenate((-den[1:][np.newaxis], np.eye(states - 1, states)))
    return a, np.eye(states, 1), (whole[1:] - whole[0] * den[1:])[np.newaxis], d


def _polynomial(a):
    """The characteristic polynomial (Faddeev and LeVerrier)."""
    n = a.shape[0]
    found, product = np.zeros(n + 1, a.dtype), np.zeros_like(a)
    found[0] = 1.0
    for k in range(1, n + 1):
        product = a @ product + found[k - 1] * np.eye(n, dtype=a.dtype)
        found[k] = -np.trace(a @ product) / k
    return found


def ss2tf(A, B, C, D, input=0):
    """scipy.signal.ss2tf."""
    a, b, c, d = _matrices(A, B, C, D)
    if input >= d.shape[1]:
        raise ValueError("System does not have the input specified.")
    b, d = b[:, input : input + 1], d[:, input : input + 1]
    den = _polynomial(a)
    return np.stack([_polynomial(a - b @ c[k : k + 1]) + (d[k] - 1) * den for k in range(c.shape[0])]), den


def zpk2ss(z, p, k):
    """scipy.signal.zpk2ss."""
    return tf2ss(*zpk2tf(z, p, k))


def ss2zpk(A, B, C, D, input=0):
    """scipy.signal.ss2zpk, of one output; zeros and poles are complex, as of numpy.roots."""
    num, den = ss2tf(A, B, C, D, input)
    if num.shape[0] != 1:
        unsupported("scipy.signal.ss2zpk of several outputs", "a loop over the rows of C and D")
    return tf2zpk(num[0], den)


def _matrices(a, b, c, d):
    found = [np.atleast_2d(_floats(each)) for each in (a, b, c, d)]
    a, b, c, d = found
    if a.shape[0] != a.shape[1] or b.shape[0] != a.shape[0] or c.shape[1] != a.shape[0] or d.shape[0] != c.shape[0] or d.shape[1] != b.shape[1]:
        raise ValueError("The input matrices are not compatible with each other.")
    return a, b, c, d


def _parts(name, system):
    """Of a system: (num, den), (z, p, k) or (A, B, C, D)."""
    if hasattr(system, "parts"):
        return system.parts
    if not isinstance(system, tuple | list) or len(system) not in (2, 3, 4):
        unsupported(f"scipy.signal.{name} of such an object", "a tuple: (num, den), (z, p, k) or (A, B, C, D)")
    return system


def _states(name, system):
    """The matrices of a system in continuous time."""
    system = _parts(name, system)
    if len(system) == 2:
        return tf2ss(system[0], system[1])
    if len(system) == 3:
        return tf2ss(*zpk2tf(system[0], system[1], system[2]))
    return _matrices(*system)


# ---- continuous time --------------------------------------------------------------------------------------------------------------------------


def lsim(system, U, T, X0=None, interp=True):
    """scipy.signal.lsim."""
    import scipy.linalg

    a, b, c, d = _states("lsim", system)
    t = np.atleast_1d(T)
    if t.ndim != 1:
        raise ValueError("T must be a rank-1 array.")
    if t[0] < 0:
        raise ValueError("Initial time must be nonnegative")
    steps, n, m = t.shape[0], a.shape[0], b.shape[1]
    if steps < 2:
        raise NotImplementedError("scipy.signal.lsim of one point of time is not supported")
    spacing = t[1] - t[0]
    if not np.allclose(np.diff(t), spacing):
        raise ValueError("Time steps are not equally spaced.")
    given = np.zeros((steps, m)) if U is None else np.asarray(U)
    u = np.zeros((steps, m)) if given.ndim == 0 else given[:, np.newaxis] if given.ndim == 1 else given
    if u.shape[0] != steps:
        raise ValueError("U must have the same number of rows as elements in T.")
    if u.shape[1] != m:
        raise ValueError("System does not define that many inputs.")
    first = np.zeros(n) if X0 is None else np.broadcast_to(np.asarray(X0), (n,)) if np.ndim(X0) == 0 else np.asarray(X0)
    x = np.zeros((steps, n), a.dtype)
    x[0] = first @ scipy.linalg.expm(a.T * t[0])
    whole = np.zeros((n + 2 * m if interp else n + m, n + 2 * m if interp else n + m), a.dtype)
    whole[:n, :n], whole[:n, n : n + m] = a * spacing, b * spacing
    if interp:
        whole[n : n + m, n + m :] = np.eye(m)
    moved = scipy.linalg.expm(whole.T)
    late = moved[n + m :, :n] if interp else np.zeros((m, n))
    early = moved[n : n + m, :n] - late
    for i in range(1, steps):
        x[i] = x[i - 1] @ moved[:n, :n] + u[i - 1] @ early + u[i] @ late
    return t, np.squeeze(x @ c.T + u @ d.T), np.squeeze(x)


def impulse(system, X0=None, T=None, N=None):
    """scipy.signal.impulse."""
    a, b, c, d = _states("impulse", system)
    first = np.squeeze(b) if X0 is None else np.squeeze(b + X0)
    t = _times(a, N) if T is None else np.asarray(T)
    return t, lsim((a, b, c, d), 0.0, t, np.atleast_1d(first), False)[1]


def step(system, X0=None, T=None, N=None):
    """scipy.signal.step."""
    a, b, c, d = _states("step", system)
    t = _times(a, N) if T is None else np.asarray(T)
    t, y, _ = lsim((a, b, c, d), np.ones(t.shape), t, X0, False)
    return t, y


def _times(a, count):
    """As long as the slowest part of a response lasts."""
    slowest = np.min(np.abs(np.real(np.linalg.eigvals(a))))
    return np.linspace(0.0, 7 / (1.0 if slowest == 0.0 else slowest), 100 if count is None else count)


def freqresp(system, w=None, n=10000):
    """scipy.signal.freqresp, of one output."""
    system, at = _parts("freqresp", system), n if w is None else w
    if len(system) == 2:
        return freqs(np.ravel(_floats(system[0])), system[1], at)
    if len(system) == 3:
        return freqs_zpk(system[0], system[1], system[2], at)
    num, den = ss2tf(*system)
    return freqs(np.ravel(num), den, at)


def bode(system, w=None, n=100):
    """scipy.signal.bode: magnitudes in decibels, phases in degrees."""
    w, response = freqresp(system, w, n)
    return w, 20.0 * np.log10(np.abs(response)), np.unwrap(np.arctan2(np.imag(response), np.real(response))) * 180.0 / np.pi


# ---- filters -------------------------------------------------------------------------------------------------------------------------------


def group_delay(system, w=512, whole=False, fs=6.283185307179586):
    """scipy.signal.group_delay."""
    b, a = np.atleast_1d(system[0]), np.atleast_1d(system[1])
    count = 512 if w is None else w
    at = np.linspace(0, 2 * np.pi if whole else np.pi, count, endpoint=False) if np.ndim(count) == 0 else 2 * np.pi * np.atleast_1d(count) / fs
    c = np.convolve(b, np.conjugate(a[::-1]))
    z = np.exp(-1j * at)
    above, below = np.polyval((c * np.arange(c.shape[0]))[::-1], z), np.polyval(c[::-1], z)
    none = below == 0
    return at * (fs / (2 * np.pi)), np.where(none, 0.0, np.real(above / np.where(none, 1.0, below)) - a.shape[0] + 1)


def bilinear(b, a, fs=1.0):
    """scipy.signal.bilinear."""
    b, a, fs = _floats(b), _floats(a), float(fs)
    if b.ndim != 1 or a.ndim != 1:
        raise ValueError("Parameter b or a is not .ndim == 1!")
    most = max(b.shape[0], a.shape[0]) - 1
    return normalize(_warped(b, fs, most), _warped(a, fs, most))


def _warped(given, fs, most):
    """What s -> 2 fs (z - 1) / (z + 1) makes of a polynomial, times (z + 1)**most; powers of z, the highest first."""
    found = np.zeros(most + 1, given.dtype)
    for i in range(given.shape[0]):
        row = [0] * (most + 1)
        for k in range(i + 1):
            for j in range(most - i + 1):
                row[k + j] += math.comb(i, k) * math.comb(most - i, j) * (-1) ** k
        found = found + given[given.shape[0] - 1 - i] * (2.0 * fs) ** i * np.array(row, np.float64)
    return found


# ---- transforms --------------------------------------------------------------------------------------------------------------------------------


def _points(count):
    if count < 1 or isinstance(count, (float, np.floating)):
        raise ValueError(f"Invalid number of CZT output points ({count}) specified. m must be positive and integer type.")
    return count


def czt(x, m=None, w=None, a=(1 + 0j), *, axis=-1):
    """scipy.signal.czt, by the sums themselves."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    n = rows.shape[-1]
    count = _points(n if m is None else m)
    turn = np.exp(-2j * np.pi / count) if w is None else w + 0j
    places = np.arange(n)[:, np.newaxis]
    return np.moveaxis(rows @ ((a + 0j) ** -places * turn ** (places * np.arange(count))), -1, axis)


def zoom_fft(x, fn, m=None, *, fs=2, endpoint=False, axis=-1):
    """scipy.signal.zoom_fft, by the sums themselves."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    n = rows.shape[-1]
    count = _points(n if m is None else m)
    low, high = (fn[0], fn[1]) if np.ndim(fn) == 1 and len(fn) == 2 else (0.0, fn)
    scale = (high - low) * count / (fs * (count - 1)) if endpoint else (high - low) / fs
    angles = np.arange(n)[:, np.newaxis] * (low / fs + scale / count * np.arange(count))
    return np.moveaxis(rows @ np.exp(-2j * np.pi * angles), -1, axis)


LINEAR_SYSTEMS: dict[str, Any] = {
    f"scipy.signal.{function.__name__}": function for function in (tf2ss, ss2tf, lsim, impulse, step, freqresp, bode, zpk2ss, ss2zpk, group_delay, bilinear, czt, zoom_fft)
}
"""By qualified name."""
