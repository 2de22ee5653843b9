"""scipy.signal: spectra of segments of signals."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import by_sizes, same_array, surely
from s2s.transforms.read.composed.signal_windows import get_window
from s2s.transforms.read.composed.smoothing import _extended, detrend


def _layout(window, nperseg, noverlap, nfft, length, shared):
    """The window, the length of a segment, how many numbers two of them share (`shared` part of one if not given) and the length of its transform."""
    if isinstance(window, (str, tuple)):
        if nperseg is not None and nperseg < 1:
            raise ValueError("nperseg must be a positive integer")
        count = min(256 if nperseg is None else nperseg, length)
        weights = get_window(window, count)
    else:
        weights = np.asarray(window)
        if weights.ndim != 1:
            raise ValueError("window must be 1-D")
        count = weights.shape[0]
        if nperseg is not None and nperseg != count:
            raise ValueError("value specified for nperseg is different from length of window")
        if length < count:
            raise ValueError("window is longer than input signal")
    if nfft is not None and nfft < count:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    over = count // shared if noverlap is None else noverlap
    if over >= count:
        raise ValueError("noverlap must be less than nperseg.")
    return weights, count, over, count if nfft is None else nfft


def _spectra(x, weights, count, over, length, trend, onesided):
    """The transforms of weighted segments of the last axis: segments along the last axis but one."""
    starts = np.arange((x.shape[-1] - over) // (count - over)) * (count - over)
    parts = x[..., starts[:, np.newaxis] + np.arange(count)]
    if callable(trend):
        parts = trend(parts)
    elif trend:
        parts = detrend(parts, -1, trend)
    parts = parts * weights
    return np.fft.rfft(parts, length) if onesided else np.fft.fft(parts, length)


def _scale(weights, fs, scaling):
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"Unknown scaling: {scaling!r}")
    return 1.0 / (fs * np.sum(weights * weights)) if scaling == "density" else 1.0 / np.sum(weights) ** 2


def _frequencies(length, fs, onesided):
    return np.fft.rfftfreq(length, 1 / fs) if onesided else np.fft.fftfreq(length, 1 / fs)


def _doubled(power, length):
    """One side's power for both: what has no counterpart stays."""
    places = np.arange(power.shape[-1])
    return power * np.where((places > 0) & ((2 * places < length) | (length % 2 == 1)), 2.0, 1.0)


def _averaged(power, average):
    """Over the segments."""
    if average not in ("mean", "median"):
        raise ValueError(f"Parameter average={average!r} must be 'median' or 'mean'!")
    if average == "mean":
        return np.mean(power, axis=-2)
    n = power.shape[-2]
    even = 2.0 * np.arange(1, (n - 1) // 2 + 1)
    bias = 1 + np.sum(1.0 / (even + 1) - 1.0 / even)
    if power.dtype.kind == "c":
        return (np.median(power.real, axis=-2) + 1j * np.median(power.imag, axis=-2)) / bias
    return np.median(power, axis=-2) / bias


def csd(x, y, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1, average="mean"):
    """scipy.signal.csd."""
    same = same_array(x, y)
    if _are_empty(np.asarray(x), np.asarray(y)):
        return _nothing(np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(y), axis, -1), axis)
    x, y = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(y), axis, -1)
    length = max(x.shape[-1], y.shape[-1])
    weights, count, over, long = _layout(window, nperseg, noverlap, nfft, length, 2)
    onesided = return_onesided and x.dtype.kind != "c" and y.dtype.kind != "c"
    dtype = np.result_type(x, y, np.complex64)
    x, y = _lengthened(x, length), _lengthened(y, length)
    one, other = _spectra(x, weights, count, over, long, detrend, onesided), _spectra(y, weights, count, over, long, detrend, onesided)
    power = np.conj(one) * other * _scale(weights, fs, scaling)
    power = _doubled(power, long) if onesided else power
    power = np.moveaxis(_averaged(power, average).astype(dtype), -1, axis)
    return _frequencies(long, fs, onesided), power.real if same else power


def _are_empty(*signals):
    """Whether one of them has no elements."""
    for x in signals:
        if surely(x.size == 0):
            return True
        by_sizes(x.size > 0)
    return False


def _nothing(x, y, axis):
    """What SciPy gives of two signals of which one has no elements, whose last axis was `axis`: the shape of a signal, for the frequencies, too."""
    empty = np.moveaxis(np.zeros((*np.broadcast_shapes(x.shape[:-1], y.shape[:-1]), min(x.shape[-1], y.shape[-1]))), -1, axis)
    return empty, empty


def _lengthened(x, length):
    return x if surely(x.shape[-1] == length) else np.concatenate((x, np.zeros((*x.shape[:-1], length - x.shape[-1]), x.dtype)), axis=-1)


def welch(x, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1, average="mean"):
    """scipy.signal.welch."""
    if _are_empty(np.asarray(x)):
        return np.zeros(np.asarray(x).shape), np.zeros(np.asarray(x).shape)
    x = np.moveaxis(np.asarray(x), axis, -1)
    weights, count, over, long = _layout(window, nperseg, noverlap, nfft, x.shape[-1], 2)
    onesided = return_onesided and x.dtype.kind != "c"
    found = _spectra(x, weights, count, over, long, detrend, onesided)
    power = (found.real**2 + found.imag**2) * _scale(weights, fs, scaling)
    power = _averaged(_doubled(power, long) if onesided else power, average)
    return _frequencies(long, fs, onesided), np.moveaxis(power.astype(np.float32 if np.result_type(x, np.complex64).name == "complex64" else np.float64), -1, axis)


def periodogram(x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1):
    """scipy.signal.periodogram."""
    if _are_empty(np.asarray(x)):
        return np.zeros(np.asarray(x).shape), np.zeros(np.asarray(x).shape)
    rows = np.moveaxis(np.asarray(x), axis, -1)
    if nfft is not None and nfft < rows.shape[-1]:
        rows = rows[..., :nfft]
    length = rows.shape[-1]
    freqs, power = welch(rows, fs, "boxcar" if window is None else window, length, 0, nfft, detrend, return_onesided, scaling)
    return freqs, np.moveaxis(power, -1, axis)


def coherence(x, y, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, detrend="constant", axis=-1):
    """scipy.signal.coherence."""
    freqs, first = welch(x, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, second = welch(y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    _, both = csd(x, y, fs, window, nperseg, noverlap, nfft, detrend, axis=axis)
    return freqs, (both.real**2 + both.imag**2) / first / second


def spectrogram(x, fs=1.0, window=("tukey_periodic", 0.25), nperseg=None, noverlap=None, nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1, mode="psd"):
    """scipy.signal.spectrogram."""
    if mode not in ("psd", "complex", "magnitude", "angle", "phase"):
        raise ValueError(f"unknown value for mode {mode}, must be one of ['psd', 'complex', 'magnitude', 'angle', 'phase']")
    x = np.moveaxis(np.asarray(x), axis, -1)
    weights, count, over, long = _layout(window, nperseg, noverlap, nfft, x.shape[-1], 8)
    onesided = return_onesided and x.dtype.kind != "c"
    dtype = np.result_type(x, np.complex64)
    found, scale = _spectra(x, weights, count, over, long, detrend, onesided), _scale(weights, fs, scaling)
    times = (np.arange(found.shape[-2]) * (count - over) + count / 2) / float(fs)
    if mode == "psd":
        found = (found.real**2 + found.imag**2) * scale
        found = (_doubled(found, long) if onesided else found).astype(np.float32 if dtype == np.complex64 else np.float64)
    else:
        found = (found * np.sqrt(scale)).astype(dtype)
        found = np.abs(found) if mode == "magnitude" else np.angle(found) if mode in ("angle", "phase") else found
    found = np.moveaxis(found, -1, axis - 1 if axis < 0 else axis)
    return _frequencies(long, fs, onesided), times, np.unwrap(found, axis=axis - 1 if axis < 0 else axis) if mode == "phase" else found


def stft(x, fs=1.0, window="hann_periodic", nperseg=256, noverlap=None, nfft=None, detrend=False, return_onesided=True, boundary="zeros", padded=True, axis=-1, scaling="spectrum"):
    """scipy.signal.stft."""
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter scaling={scaling!r} not in ['spectrum', 'psd']!")
    if boundary not in ("even", "odd", "constant", "zeros", None):
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: ['even', 'odd', 'constant', 'zeros', None]")
    x = np.moveaxis(np.asarray(x), axis, -1)
    weights, count, over, long = _layout(window, nperseg, noverlap, nfft, x.shape[-1], 2)
    dtype, step = np.result_type(x, np.complex64), count - over
    if boundary == "zeros":
        edge = np.zeros((*x.shape[:-1], count // 2), x.dtype)
        x = np.concatenate((edge, x, edge), axis=-1)
    elif boundary is not None:
        x = np.moveaxis(_extended(np.moveaxis(x, -1, 0), boundary, count // 2), 0, -1)
    if padded:
        more = (-(x.shape[-1] - count) % step) % count
        x = np.concatenate((x, np.zeros((*x.shape[:-1], more), x.dtype)), axis=-1)
    onesided = return_onesided and x.dtype.kind != "c"
    found = _spectra(x, weights, count, over, long, detrend, onesided) * np.sqrt(_scale(weights, fs, "density" if scaling == "psd" else scaling))
    times = (np.arange(found.shape[-2]) * step + (0 if boundary is not None else count / 2)) / float(fs)
    return _frequencies(long, fs, onesided), times, np.moveaxis(found.astype(dtype), -1, axis - 1 if axis < 0 else axis)


def istft(Zxx, fs=1.0, window="hann_periodic", nperseg=None, noverlap=None, nfft=None, input_onesided=True, boundary=True, time_axis=-1, freq_axis=-2, scaling="spectrum"):
    """scipy.signal.istft."""
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter scaling={scaling!r} not in ['spectrum', 'psd']!")
    z = np.asarray(Zxx) + 0j
    if z.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    z = np.moveaxis(z, (time_axis, freq_axis), (-2, -1))
    whole = 2 * (z.shape[-1] - 1) if input_onesided else z.shape[-1]
    count = whole if nperseg is None else nperseg
    long = (count if input_onesided and count == whole + 1 else whole) if nfft is None else nfft
    over = count // 2 if noverlap is None else noverlap
    if long < count:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    if over >= count:
        raise ValueError("noverlap must be less than nperseg.")
    weights = get_window(window, count) if isinstance(window, (str, tuple)) else np.asarray(window)
    if weights.shape != (count,):
        raise ValueError(f"window must have length of {count}")
    parts = (np.fft.irfft(z, long) if input_onesided else np.fft.ifft(z, long))[..., :count]
    weights = weights.astype(np.float32 if parts.dtype.name in ("float32", "complex64") else np.float64)
    parts = parts * (np.sum(weights) if scaling == "spectrum" else np.sqrt(fs * np.sum(weights**2)))
    return _overlapped(parts, weights, count, count - over, fs, boundary, time_axis - 1 if 0 <= freq_axis < time_axis else time_axis)


def _overlapped(parts, weights, count, step, fs, boundary, axis):
    """The signal whose segments are these, and its times."""
    segments = parts.shape[-2]
    x, norm = np.zeros((*parts.shape[:-2], count + (segments - 1) * step), parts.dtype), np.zeros(count + (segments - 1) * step, weights.dtype)
    for k in range(segments):
        x[..., k * step : k * step + count] += parts[..., k, :] * weights
        norm[k * step : k * step + count] += weights**2
    if boundary:
        x, norm = x[..., count // 2 : x.shape[-1] - count // 2], norm[count // 2 : norm.shape[0] - count // 2]
    x = x / np.where(norm > 1e-10, norm, weights.dtype.type(1.0))
    x = np.moveaxis(x, -1, axis) if x.ndim > 1 else x
    return np.arange(x.shape[0]) / float(fs), x


SPECTRAL: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (csd, welch, periodogram, coherence, spectrogram, stft, istft)}
"""By qualified name."""
