"""scipy.signal: a low-pass filter at another frequency, as another band's or sampled; and what else is a formula of times."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.filter_forms import _floats, normalize
from s2s.transforms.read.composed.marks import unsupported

# ---- of coefficients, the highest power first ------------------------------------------------------------------------------------------


def _rows(b, a):
    b, a = _floats(b), _floats(a)
    kind = np.result_type(b, a)
    return b.astype(kind), a.astype(kind)


def lp2lp(b, a, wo=1.0):
    """scipy.signal.lp2lp: s becomes s / wo."""
    b, a = _rows(b, a)
    most = a.shape[0] - 1
    return normalize(b * float(wo) ** (most - np.arange(b.shape[0])[::-1]), a * float(wo) ** np.arange(most + 1))


def lp2hp(b, a, wo=1.0):
    """scipy.signal.lp2hp: s becomes wo / s."""
    b, a = _rows(b, a)
    count = max(b.shape[0], a.shape[0])
    return normalize(_turned(b, float(wo), count), _turned(a, float(wo), count))


def _turned(given, wo, count):
    n = given.shape[0]
    return np.concatenate((given[::-1] * wo ** np.arange(n).astype(given.dtype), np.zeros(count - n, given.dtype)))


def lp2bp(b, a, wo=1.0, bw=1.0):
    """scipy.signal.lp2bp: s becomes (s**2 + wo**2) / (bw s)."""
    b, a = _rows(b, a)
    most = max(b.shape[0], a.shape[0]) - 1
    return normalize(_passing(b, wo * wo, bw, most), _passing(a, wo * wo, bw, most))


def _passing(given, square, bw, most):
    """A polynomial of (s**2 + square) / (bw s), times s**most."""
    n = given.shape[0]
    found = np.zeros(n + most, given.dtype)
    for i in range(n):
        for k in range(i + 1):
            found[n + most - 1 - (most - i + 2 * k)] += given[n - 1 - i] * (math.comb(i, k) * square ** (i - k) / bw**i)
    return found


def lp2bs(b, a, wo=1.0, bw=1.0):
    """scipy.signal.lp2bs: s becomes bw s / (s**2 + wo**2)."""
    b, a = _rows(b, a)
    most = max(b.shape[0], a.shape[0]) - 1
    return normalize(_stopping(b, wo * wo, bw, most), _stopping(a, wo * wo, bw, most))


def _stopping(given, square, bw, most):
    """A polynomial of bw s / (s**2 + square), times (s**2 + square)**most."""
    n = given.shape[0]
    found = np.zeros(2 * most + 1, given.dtype)
    for i in range(n):
        for k in range(most - i + 1):
            found[2 * most - (i + 2 * k)] += given[n - 1 - i] * (math.comb(most - i, k) * square ** (most - i - k) * bw**i)
    return found


# ---- of zeros, poles and a gain --------------------------------------------------------------------------------------------------------


def _ends(z, p):
    """Zeros and poles, and how many more poles there are."""
    z, p = np.atleast_1d(z), np.atleast_1d(p)
    if p.shape[0] < z.shape[0]:
        raise ValueError("Improper transfer function. Must have at least as many poles as zeros.")
    return z, p, p.shape[0] - z.shape[0]


def lp2lp_zpk(z, p, k, wo=1.0):
    """scipy.signal.lp2lp_zpk."""
    z, p, more = _ends(z, p)
    return float(wo) * z, float(wo) * p, k * float(wo) ** more


def lp2hp_zpk(z, p, k, wo=1.0):
    """scipy.signal.lp2hp_zpk."""
    z, p, more = _ends(z, p)
    return np.concatenate((float(wo) / z, np.zeros(more))), float(wo) / p, k * np.real(np.prod(-z) / np.prod(-p))


def lp2bp_zpk(z, p, k, wo=1.0, bw=1.0):
    """scipy.signal.lp2bp_zpk."""
    z, p, more = _ends(z, p)
    return np.concatenate((_about(z * float(bw) / 2, float(wo)), np.zeros(more))), _about(p * float(bw) / 2, float(wo)), k * float(bw) ** more


def lp2bs_zpk(z, p, k, wo=1.0, bw=1.0):
    """scipy.signal.lp2bs_zpk."""
    z, p, more = _ends(z, p)
    zeros = np.concatenate((_about(float(bw) / 2 / z, float(wo)), np.full(more, 1j * float(wo)), np.full(more, -1j * float(wo))))
    return zeros, _about(float(bw) / 2 / p, float(wo)), k * np.real(np.prod(-z) / np.prod(-p))


def _about(points, wo):
    """Each point twice, about wo and -wo."""
    points = points.astype(np.complex128)
    apart = np.sqrt(points**2 - wo**2)
    return np.concatenate((points + apart, points - apart))


def bilinear_zpk(z, p, k, fs):
    """scipy.signal.bilinear_zpk."""
    z, p, more = _ends(z, p)
    double = 2.0 * float(fs)
    return np.concatenate(((double + z) / (double - z), -np.ones(more))), (double + p) / (double - p), k * np.real(np.prod(double - z) / np.prod(double - p))


# ---- of times --------------------------------------------------------------------------------------------------------------------------


def vectorstrength(events, period):
    """scipy.signal.vectorstrength: how well events keep to a period, and their phase in it."""
    events, periods = np.asarray(events), np.asarray(period)
    if events.dtype.kind == "c" or periods.dtype.kind == "c":
        unsupported("scipy.signal.vectorstrength of complex numbers", "real numbers")
    if events.ndim > 1:
        raise ValueError("events cannot have dimensions more than 1")
    if periods.ndim > 1:
        raise ValueError("period cannot have dimensions more than 1")
    if np.any(periods <= 0):
        raise ValueError("periods must be positive")
    middle = np.mean(np.exp(2j * np.pi / np.atleast_1d(periods)[:, np.newaxis] * np.atleast_1d(events)), axis=1)
    found = np.abs(middle), np.angle(middle)
    return found if periods.ndim else (found[0][0], found[1][0])


def sweep_poly(t, poly, phi=0):
    """scipy.signal.sweep_poly: a cosine whose frequency is a polynomial of the time."""
    return np.cos(2 * np.pi * np.polyval(np.polyint(np.asarray(poly)), np.asarray(t)) + phi * np.pi / 180)


FILTER_BANDS: dict[str, Any] = {
    f"scipy.signal.{function.__name__}": function
    for function in (lp2lp, lp2hp, lp2bp, lp2bs, lp2lp_zpk, lp2hp_zpk, lp2bp_zpk, lp2bs_zpk, bilinear_zpk, vectorstrength, sweep_poly)
}
"""By qualified name."""
