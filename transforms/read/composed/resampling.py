"""scipy.signal: signals at other rates."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.analytic import sosfilt, sosfiltfilt
from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.signal_edges import MODES, extended
from s2s.transforms.read.composed.signal_windows import get_window


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    """scipy.signal.resample: by the transform, cut or filled up with zeros."""
    if domain != "time":
        unsupported("scipy.signal.resample(…, domain='freq')", "np.fft.ifft(x) before")
    x = np.moveaxis(np.asarray(x), axis, -1)
    n = x.shape[-1]
    weights = None if window is None else np.fft.fftshift(get_window(window, n)) if isinstance(window, (str, tuple)) else np.asarray(window)
    if weights is not None and x.dtype.name == "float32":
        weights = weights.astype(np.float32)
    found = _complex(x, n, num, weights) if x.dtype.kind == "c" else _real(x, n, num, weights)
    found = np.moveaxis(found, -1, axis)
    return found if t is None else (found, t[0] + (t[1] - t[0]) * (n / num) * np.arange(num))


def _real(x, n, num, weights):
    spectrum, least = np.fft.rfft(x), min(num, n)
    if weights is not None:
        count = spectrum.shape[-1]
        turned = np.flip(weights[n - count + 1 :])
        spectrum = spectrum * np.concatenate((weights[:1], (weights[1:count] + turned) / 2))
    spectrum = spectrum[..., : least // 2 + 1]
    places = np.arange(least // 2 + 1)
    if num != n:
        factor = 2.0 if num < n else 0.5
        spectrum = spectrum * np.where((least % 2 == 0) & (places == least // 2), factor, 1.0).astype(spectrum.real.dtype)
    return np.fft.irfft(spectrum * (num / n), num)


def _complex(x, n, num, weights):
    spectrum, least = np.fft.fft(x) if weights is None else np.fft.fft(x) * weights, min(num, n)
    places = np.arange(num)
    low, high = places < least // 2 + 1, places >= num - (least - least // 2 - 1)
    found = np.where(low | high, spectrum[..., np.where(high, n - num + places, np.minimum(places, n - 1))], 0.0)
    middle = least // 2
    if num < n:
        found = found + np.where((least % 2 == 0) & (places == middle), spectrum[..., n - max(middle, 1) : n - max(middle, 1) + 1], 0.0)
    elif num > n:
        half = np.where((least % 2 == 0) & (places == middle), 0.5, 1.0)
        found = found * half + np.where((least % 2 == 0) & (places == num - middle), spectrum[..., middle : middle + 1] / 2, 0.0)
    return np.fft.ifft(found.astype(spectrum.dtype) * (num / n), num)


def upfirdn(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    """scipy.signal.upfirdn: zeros between, a filter, and each `down`th of that."""
    if mode not in MODES:
        raise ValueError(f"Unknown mode: {mode}")
    h, x = np.asarray(h), np.asarray(x)
    if h.ndim != 1 or h.shape[0] == 0:
        raise ValueError("h must be 1-D with non-zero length")
    if up < 1 or down < 1:
        raise ValueError("Both up and down must be >= 1")
    dtype = np.result_type(h, x, np.float32)
    h, rows = h.astype(dtype), np.moveaxis(x, axis, 0).astype(dtype)
    n, taps = rows.shape[0], h.shape[0]
    length = ((n - 1) * up + taps - 1) // down + 1
    alone = mode == "constant" and surely(cval == 0)
    around = 0 if alone else (taps - 1) // up + 1
    if not alone:
        rows = extended(rows, around, around, mode, cval).astype(dtype)
    found = np.zeros((length, *rows.shape[1:]), dtype)
    for m in range(length):
        last = (m * down) // up
        for j in range(max(-((taps - 1 - m * down) // up), -around), min(last, n - 1 + around) + 1):
            found[m] += h[m * down - j * up] * rows[j + around]
    return np.moveaxis(found, 0, axis)


def resample_poly(x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None):
    """scipy.signal.resample_poly by whole numbers that are known while reading."""
    import scipy.signal

    x = np.asarray(x)
    if not isinstance(up, int) or not isinstance(down, int):
        unsupported("scipy.signal.resample_poly by numbers that are known only at run time", "numbers")
    if up < 1 or down < 1:
        raise ValueError("up and down must be >= 1")
    if padtype not in ("mean", "minimum", "maximum", "median", *MODES):
        raise ValueError(f"`padtype` must be one of: mean, minimum, maximum, median, {', '.join(MODES)}")
    if padtype != "constant" and cval is not None:
        raise ValueError(f"cval has no effect when padtype is {padtype}")
    both = math.gcd(up, down)
    up, down = up // both, down // both
    if up == down == 1:
        return x.copy()
    n = x.shape[axis]
    wanted = n * up // down + (1 if n * up % down else 0)
    if isinstance(window, (str, tuple)):
        reach = 10 * max(up, down)
        h = scipy.signal.firwin(2 * reach + 1, 1.0 / max(up, down), window=window)
        h = h.astype(x.dtype) if x.dtype.kind in "fc" else h
    else:
        h = np.asarray(window)
        reach = (h.shape[0] - 1) // 2
    h = h * up
    before = down - reach % down
    removed, behind = (reach + before) // down, 0
    taps = h.shape[0] + before
    needed = (wanted + removed - 1) * down + 1 - (n - 1) * up
    behind = np.maximum(needed - taps, 0)
    h = np.concatenate((np.zeros(before, h.dtype), h, np.zeros(behind, h.dtype)))
    middle = {"mean": np.mean, "minimum": np.min, "maximum": np.max, "median": np.median}
    ground = middle[padtype](x, axis=axis, keepdims=True) if padtype in middle else None
    found = np.moveaxis(upfirdn(h, x if ground is None else x - ground, up, down, axis, "constant" if padtype in middle else padtype, 0 if cval is None else cval), axis, 0)[removed : removed + wanted]
    found = np.moveaxis(found, 0, axis)
    return found if ground is None else found + ground


def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """scipy.signal.decimate by Chebyshev's filter or a finite one."""
    import scipy.signal

    x = np.asarray(x)
    if not isinstance(q, int):
        unsupported("scipy.signal.decimate by a number that is known only at run time", "a number")
    if ftype not in ("iir", "fir"):
        raise ValueError("invalid ftype")
    dtype = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    if ftype == "iir":
        sos = scipy.signal.cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos").astype(dtype)
        found = sosfiltfilt(sos, x, axis) if zero_phase else sosfilt(sos, x, axis)
        return np.moveaxis(np.moveaxis(found, axis, 0)[::q], 0, axis)
    taps = scipy.signal.firwin((20 * q if n is None else n) + 1, 1.0 / q, window="hamming").astype(dtype)
    if zero_phase:
        return resample_poly(x, 1, q, axis, taps)
    count = x.shape[axis] // q + (1 if x.shape[axis] % q else 0)
    return np.moveaxis(np.moveaxis(upfirdn(taps, x, 1, q, axis), axis, 0)[:count], 0, axis)


RESAMPLING: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (resample, upfirdn, resample_poly, decimate)}
"""By qualified name."""
