"""scipy.signal: the forms of a filter (coefficients, zeros and poles, sections) from one another, checks of windows, and what else is a formula."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def _floats(x):
    x = np.atleast_1d(np.asarray(x))
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def normalize(b, a):
    """scipy.signal.normalize of one filter: the first coefficient of the denominator is 1, leading zeros are left out."""
    num, den = _floats(b), _floats(a)
    if den.ndim != 1:
        raise ValueError("Denominator polynomial must be rank-1 array.")
    if num.ndim != 1:
        unsupported("scipy.signal.normalize of several filters", "a loop over them")
    if np.all(den == 0):
        raise ValueError("Denominator must have at least on nonzero element.")
    den = den[np.argmax(den != 0) :]
    num, den = num / den[0], den / den[0]
    counted = np.abs(num) > 1e-14
    return num[np.where(np.any(counted), np.argmax(counted), num.shape[0] - 1) :], den


def tf2zpk(b, a):
    """scipy.signal.tf2zpk; zeros and poles are complex, as of numpy.roots."""
    b, a = normalize(b, a)
    return np.roots(b / b[0]), np.roots(a), b[0]


def _of_roots(roots):
    """The polynomial, the highest power first, of roots that are real or in pairs."""
    roots = np.atleast_1d(np.asarray(roots))
    if roots.ndim != 1:
        unsupported("scipy.signal.zpk2tf of several filters", "a loop over them")
    if roots.dtype.kind in "iu":
        found = np.zeros(roots.shape[0] + 1, roots.dtype)
        found[0] = 1
        for k in range(roots.shape[0]):
            found[1 : k + 2] = found[1 : k + 2] - roots[k] * found[: k + 1]
        return found
    if roots.dtype.kind != "c":
        return np.poly(roots)
    if np.any(np.sort(np.imag(roots)) != np.sort(-np.imag(roots))):
        raise NotImplementedError("scipy.signal.zpk2tf of complex zeros or poles without their conjugates (the result is complex) is not supported")
    found = np.zeros(roots.shape[0] + 1, np.complex128)
    found[0] = 1.0
    for k in range(roots.shape[0]):
        found[1 : k + 2] = found[1 : k + 2] - roots[k] * found[: k + 1]
    return np.real(found)


def zpk2tf(z, p, k):
    """scipy.signal.zpk2tf of zeros and poles that are real or in pairs."""
    if np.asarray(k).dtype.kind == "c" or np.ndim(k) > 0:
        unsupported("scipy.signal.zpk2tf of several gains, or of complex ones", "a number")
    kind = np.result_type(np.real(z), np.real(p), np.asarray(k) if isinstance(k, np.generic | np.ndarray) else k)
    return np.asarray(k, dtype=kind if kind.kind == "f" else np.float64) * _of_roots(z), _of_roots(p)


def sos2tf(sos):
    """scipy.signal.sos2tf."""
    sos = np.asarray(sos)
    sos = sos if sos.dtype.kind in "fc" else sos.astype(np.float64)
    b, a = np.ones(1, sos.dtype), np.ones(1, sos.dtype)
    for k in range(sos.shape[0]):
        b, a = np.polymul(b, sos[k, :3]), np.polymul(a, sos[k, 3:])
    return b, a


def sos2zpk(sos):
    """scipy.signal.sos2zpk: two zeros and two poles for each section, 0 where it has fewer."""
    sos = np.asarray(sos)
    z, p, gain = np.zeros(2 * sos.shape[0], np.complex128), np.zeros(2 * sos.shape[0], np.complex128), 1.0
    for k in range(sos.shape[0]):
        zeros, poles, factor = tf2zpk(sos[k, :3], sos[k, 3:])
        z[2 * k : 2 * k + zeros.shape[0]] = zeros
        p[2 * k : 2 * k + poles.shape[0]] = poles
        gain = gain * factor
    return z, p, gain


# ---- windows -----------------------------------------------------------------------------------------------------------------------------


def _added_up(window, nperseg, noverlap, power):
    """The sum of the windows at each place of a step."""
    import scipy.signal

    nperseg, noverlap = int(nperseg), int(noverlap)
    if nperseg < 1:
        raise ValueError("nperseg must be a positive integer")
    if noverlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg")
    win = scipy.signal.get_window(window, nperseg) if isinstance(window, (str, tuple)) else np.asarray(window)
    if win.ndim != 1:
        raise ValueError("window must be 1-D")
    if win.shape[0] != nperseg:
        raise ValueError("window must have length of nperseg")
    step = nperseg - noverlap
    sums = np.zeros(step)
    for k in range(nperseg):
        sums[k % step] += win[k] ** power
    return sums


def check_NOLA(window, nperseg, noverlap, tol=1e-10):  # noqa: N802 - SciPy's name
    """scipy.signal.check_NOLA: whether the sum of the windows' squares is nowhere 0."""
    if noverlap < 0:
        raise ValueError("noverlap must be a nonnegative integer")
    return np.min(_added_up(window, nperseg, noverlap, 2)) > tol


def check_COLA(window, nperseg, noverlap, tol=1e-10):  # noqa: N802 - SciPy's name
    """scipy.signal.check_COLA: whether the sum of the windows is the same everywhere."""
    sums = _added_up(window, nperseg, noverlap, 1)
    return np.max(np.abs(sums - np.median(sums))) < tol


# ---- others ------------------------------------------------------------------------------------------------------------------------------


def gauss_spline(x, n):
    """scipy.signal.gauss_spline: the normal density that a spline of this order is near to."""
    x = np.asarray(x)
    square = (n + 1) / 12.0
    return (2.0 * np.pi * square) ** -0.5 * np.exp(-(x**2) / 2 / square)


def hilbert2(x, N=None, axes=(-2, -1)):
    """scipy.signal.hilbert2: the analytic signal of two axes."""
    x = np.atleast_2d(np.asarray(x))
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    if len(axes) != 2:
        raise ValueError("axes must be a tuple of length 2")
    if axes[0] == axes[1]:
        raise ValueError("axes must contain 2 distinct axes")
    if x.dtype == np.float32:
        unsupported("scipy.signal.hilbert2 of float32", "float64")
    sizes = (x.shape[axes[0]], x.shape[axes[1]]) if N is None else (N, N) if isinstance(N, int) else tuple(N)
    if len(sizes) != 2 or sizes[0] <= 0 or sizes[1] <= 0:
        raise ValueError("When given as a tuple, N must hold exactly two positive integers")
    spectrum = np.moveaxis(np.fft.fft2(x, sizes, axes=axes), axes, (-2, -1))
    spectrum = spectrum * _one_side(sizes[0])[:, np.newaxis] * _one_side(sizes[1])
    return np.fft.ifft2(np.moveaxis(spectrum, (-2, -1), axes), axes=axes)


def _one_side(n):
    """2 at the lower frequencies, 1 at the first, 0 at the others."""
    places = np.arange(n)
    return np.where(places == 0, 1.0, np.where(places < (n + 1) // 2, 2.0, 0.0))


FILTER_FORMS: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (normalize, tf2zpk, zpk2tf, sos2tf, sos2zpk, check_NOLA, check_COLA, gauss_spline, hilbert2)}
"""By qualified name."""
