"""scipy.signal: analytic signals, sections of second order, waves."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.smoothing import _extended, lfilter_zi
from s2s.transforms.read.installed import SCIPY_1_18


def hilbert(x, N=None, axis=-1):
    """scipy.signal.hilbert: the analytic signal."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError("x must be real.")
    n = x.shape[axis] if N is None else N
    if n <= 0:
        raise ValueError("N must be positive.")
    rows = np.fft.fft(np.moveaxis(x, axis, 0), n, axis=0)
    places = np.arange(n)
    weights = np.where(places == 0, 1.0, np.where(2 * places < n, 2.0, np.where(2 * places == n, 1.0, 0.0))).astype(rows.real.dtype)
    return np.moveaxis(np.fft.ifft(rows * weights.reshape((-1,) + (1,) * (x.ndim - 1)), axis=0), 0, axis)


def sosfilt(sos, x, axis=-1, zi=None):
    """scipy.signal.sosfilt: one section of second order after the other; with `zi` their first states, and the last ones beside the result."""
    sos, x = _sections(sos), np.asarray(x)
    dtype = np.result_type(sos, x) if zi is None else np.result_type(sos, x, np.asarray(zi))
    if dtype.kind not in "fc":
        dtype = np.dtype(np.float64)
    rows = np.moveaxis(x, axis, 0).astype(dtype)
    count, rest = sos.shape[0], rows.shape[1:]
    first = np.zeros((count, 2, *rest), dtype)
    if zi is not None:
        given = np.asarray(zi)
        if given.ndim != x.ndim + 1 or given.shape[0] != count:
            raise ValueError("Invalid zi shape. With axis, an input with shape and an sos array with sections, zi must have shape (n_sections, ..., 2, ...)")
        first = np.moveaxis(given, axis + 1 if axis >= 0 else axis, 1).astype(dtype)
    lasts = []
    for k in range(count):
        b0, b1, b2, a1, a2 = sos[k, 0], sos[k, 1], sos[k, 2], sos[k, 4], sos[k, 5]
        found, one, two = np.empty_like(rows), first[k, 0], first[k, 1]
        for t in range(rows.shape[0]):
            now = b0 * rows[t] + one
            one = b1 * rows[t] - a1 * now + two
            two = b2 * rows[t] - a2 * now
            found[t] = now
        rows = found
        lasts.append(np.stack((one, two)))
    if zi is None:
        return np.moveaxis(rows, 0, axis)
    return np.moveaxis(rows, 0, axis), np.moveaxis(np.stack(lasts), 1, axis + 1 if axis >= 0 else axis)


def _sections(sos):
    sos = np.atleast_2d(np.asarray(sos))
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError("sos array must be shape (n_sections, 6)")
    sos = sos if sos.dtype.kind in "fc" else sos.astype(np.float64)
    if np.any(sos[:, 3] != 1):
        raise ValueError("sos[:, 3] should be all ones")
    return sos


def sosfilt_zi(sos):
    """scipy.signal.sosfilt_zi: the states in which the sections' answer to a step does not change."""
    sos = _sections(sos)
    states, scale = [], 1.0
    for k in range(sos.shape[0]):
        states.append(scale * lfilter_zi(sos[k, :3], sos[k, 3:]))
        scale = scale * np.sum(sos[k, :3]) / np.sum(sos[k, 3:])
    return np.stack(states)


def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    """scipy.signal.sosfiltfilt."""
    sos, x = _sections(sos), np.asarray(x)
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(f"Unknown value '{padtype}' given to padtype. padtype must be 'even', 'odd', 'constant', or None.")
    if padlen is None:
        padlen = 3 * (2 * sos.shape[0] + 1 - min(int(np.sum(sos[:, 2] == 0)), int(np.sum(sos[:, 5] == 0))))
    edge = 0 if padtype is None else padlen
    rows = np.moveaxis(x, axis, 0)
    if rows.shape[0] <= edge:
        raise ValueError(f"The length of the input vector x must be greater than padlen, which is {edge}.")
    extended = rows if padtype is None else _extended(rows, padtype, edge)
    zi = sosfilt_zi(sos).reshape((sos.shape[0], 2) + (1,) * (rows.ndim - 1))
    forward, _ = sosfilt(sos, extended, 0, zi * extended[0])
    found, _ = sosfilt(sos, forward[::-1], 0, zi * forward[-1])
    return np.moveaxis(found[::-1][edge : found.shape[0] - edge], 0, axis)


def sawtooth(t, width=1):
    """scipy.signal.sawtooth of a width that is a number between 0 and 1."""
    if np.ndim(width) > 0:
        unsupported("scipy.signal.sawtooth of an array of widths", "a loop over them")
    t = np.asarray(t)
    dtype = np.result_type(t, width, 1.0) if SCIPY_1_18 else np.dtype(np.float64)
    t, width = t.astype(dtype), np.asarray(width, dtype)[()]
    phase = np.mod(t, 2 * np.pi)
    rising = phase < width * 2 * np.pi
    up = phase / (np.pi * (width if width != 0 else 1.0)) - 1
    down = (np.pi * (width + 1) - phase) / (np.pi * (1 - width if width != 1 else 1.0))
    return np.where((width > 1) | (width < 0), np.nan, np.where(rising, up, down))


def envelope(z, bp_in=(1, None), *, n_out=None, squared=False, residual="lowpass", axis=-1):
    """scipy.signal.envelope: the size of what is left of a signal in a band, and what is beside the band."""
    import scipy.fft

    z = np.asarray(z)
    if not -z.ndim <= axis < z.ndim:
        raise ValueError(f"Invalid parameter axis={axis!r} for z.shape={z.shape!r}!")
    if len(bp_in) != 2 or not all(each is None or isinstance(each, int) for each in bp_in):
        raise ValueError(f"bp_in={bp_in!r} isn't a 2-tuple of type (int | None, int | None)!")
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"residual={residual!r} not in ['lowpass', 'all', None]!")
    z = np.moveaxis(z, axis, -1)
    n = z.shape[-1]
    count = n if n_out is None else n_out
    start, stop = -(n // 2) if bp_in[0] is None else bp_in[0], (n + 1) // 2 if bp_in[1] is None else bp_in[1]
    if not -n // 2 <= start < stop <= (n + 1) // 2:
        raise ValueError(f"`-n//2 <= bp_in[0] < bp_in[1] <= (n+1)//2` does not hold for n=z.shape[axis]={n!r} and bp_in={bp_in!r}!")
    if z.dtype.kind == "c":
        spectrum = scipy.fft.fft(z)
    else:
        half = scipy.fft.rfft(z)
        spectrum = np.concatenate((half, np.zeros((*z.shape[:-1], n - n // 2 - 1), half.dtype)), axis=-1)
        spectrum[..., max(start, 1) : max(stop, 1)] *= 2
    around = start <= 0 < stop
    band = np.fft.fftshift(spectrum, axes=-1)[..., start + n // 2 : stop + n // 2] if around else spectrum[..., start:stop]
    found = scipy.fft.ifft(band, n=count) * (count / n)
    size = np.real(found) ** 2 + np.imag(found) ** 2 if squared else np.abs(found)
    if residual is None:
        return np.moveaxis(size, -1, axis)
    return np.stack((np.moveaxis(size, -1, axis), np.moveaxis(_beside(spectrum, z.dtype.kind == "c", start, stop, count, residual), -1, axis)), axis=0)


def _beside(spectrum, is_complex, start, stop, count, residual):
    """The signal of what is beside a band, for "lowpass" below it."""
    import scipy.fft
    import scipy.signal

    n = spectrum.shape[-1]
    spectrum = spectrum.copy()
    if start <= 0 < stop:
        spectrum[..., :stop] = 0
        spectrum[..., start:] = 0
    else:
        spectrum[..., start:stop] = 0
    if residual == "lowpass" and stop > 0:
        spectrum[..., stop : (n + 1) // 2] = 0
    elif residual == "lowpass":
        spectrum[..., start:] = 0
        spectrum[..., : (n + 1) // 2] = 0
    if is_complex:
        return scipy.signal.resample(scipy.fft.ifft(spectrum), count, axis=-1)
    if count != n and min(n, count) % 2 == 0:
        spectrum[..., min(n, count) // 2] *= 2 if count < n else 0.5
    return scipy.fft.irfft(spectrum, n=count) * (count / n)


ANALYTIC: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (hilbert, envelope, sosfilt, sosfilt_zi, sosfiltfilt, sawtooth)}
"""By qualified name."""
