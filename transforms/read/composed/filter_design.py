"""scipy.signal: filters that are designed for critical frequencies which only the run knows.

The analogue prototype of an order (and of known ripples) is SciPy's own; what moves it to the frequencies is read: Oppenheim, Schafer, Discrete-Time Signal Processing, chapter 7.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed import filter_bands, filter_sections
from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.signal_windows import get_window

BANDS = {
    **dict.fromkeys(("band", "bandpass", "pass", "bp"), "bandpass"), **dict.fromkeys(("bs", "bandstop", "bands", "stop"), "bandstop"),
    **dict.fromkeys(("l", "low", "lowpass", "lp"), "lowpass"), **dict.fromkeys(("high", "highpass", "h", "hp"), "highpass"),
}  # fmt: skip
"""By what SciPy calls them."""
KINDS = {
    "butter": "butter", "butterworth": "butter", "cheby1": "cheby1", "chebyshev1": "cheby1", "chebyshevi": "cheby1", "cheby2": "cheby2", "chebyshev2": "cheby2", "chebyshevii": "cheby2",
    "ellip": "ellip", "elliptic": "ellip", "cauer": "ellip", "bessel": "phase", "bessel_phase": "phase", "bessel_delay": "delay", "bessel_mag": "mag",
}  # fmt: skip


def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    """scipy.signal.butter."""
    return iirfilter(N, Wn, None, None, btype, analog, "butter", output, fs)


def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    """scipy.signal.cheby1."""
    return iirfilter(N, Wn, rp, None, btype, analog, "cheby1", output, fs)


def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    """scipy.signal.cheby2."""
    return iirfilter(N, Wn, None, rs, btype, analog, "cheby2", output, fs)


def ellip(N, rp, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    """scipy.signal.ellip."""
    return iirfilter(N, Wn, rp, rs, btype, analog, "elliptic", output, fs)


def bessel(N, Wn, btype="low", analog=False, output="ba", norm="phase", fs=None):
    """scipy.signal.bessel."""
    return iirfilter(N, Wn, None, None, btype, analog, f"bessel_{norm}", output, fs)


def iirfilter(N, Wn, rp=None, rs=None, btype="band", analog=False, ftype="butter", output="ba", fs=None):
    """scipy.signal.iirfilter."""
    if analog and fs is not None:
        raise ValueError("fs cannot be specified for an analog filter")
    if btype.lower() not in BANDS:
        raise ValueError(f"'{btype}' is an invalid bandtype for filter.")
    if ftype.lower() not in KINDS:
        raise ValueError(f"'{ftype}' is not a valid basic IIR filter.")
    if output.lower() not in ("ba", "zpk", "sos"):
        raise ValueError(f"'{output}' is not a valid output form.")
    if output.lower() == "sos" and analog:
        unsupported(f"scipy.signal.{ftype}(…, analog=True, output='sos') of frequencies that are known only at run time", "output='ba', or frequencies that are constants")
    wanted = np.asarray(Wn, np.float64) if fs is None else np.asarray(Wn, np.float64) / (fs / 2)
    band = BANDS[btype.lower()]
    if np.any(wanted <= 0):
        raise ValueError("filter critical frequencies must be greater than 0")
    if not analog and np.any(wanted >= 1):
        raise ValueError("Digital filter critical frequencies must be 0 < Wn < 1" if fs is None else f"Digital filter critical frequencies must be 0 < Wn < fs/2 (fs={fs} -> fs/2={fs / 2})")
    z, p, k = _prototype(N, rp, rs, KINDS[ftype.lower()])
    warped = wanted if analog else 4.0 * np.tan(np.pi * wanted / 2.0)
    if band in ("lowpass", "highpass"):
        if wanted.size != 1:
            raise ValueError("Must specify a single critical frequency Wn for lowpass or highpass filter")
        z, p, k = _scaled(z, p, k, warped.reshape(-1)[0], band)
    else:
        if wanted.size != 2:
            raise ValueError("Wn must specify start and stop frequencies for bandpass or bandstop filter")
        if not wanted[0] < wanted[1]:
            raise ValueError("Wn[0] must be less than Wn[1]")
        z, p, k = _shifted(z, p, k, np.sqrt(warped[0] * warped[1]), warped[1] - warped[0], band)
    if not analog:
        z, p, k = filter_bands.bilinear_zpk(z, p, k, 2.0)
    if output.lower() == "sos":
        return filter_sections.sections(z, p, k)
    return (z, p, k) if output.lower() == "zpk" else (k * _polynomial(z), _polynomial(p))


def _prototype(n, rp, rs, kind):
    """Zeros, poles and gain of SciPy's analogue lowpass."""
    import scipy.signal

    if not all(each is None or surely(each > -np.inf) for each in (n, rp, rs)):
        unsupported("a filter whose order or ripples are known only at run time", "constants")
    if rp is not None and rp < 0:
        raise ValueError("passband ripple (rp) must be positive")
    if rs is not None and rs < 0:
        raise ValueError("stopband attenuation (rs) must be positive")
    if kind == "butter":
        return scipy.signal.buttap(n)
    if kind == "cheby1":
        if rp is None:
            raise ValueError("passband ripple (rp) must be provided to design a Chebyshev I filter.")
        return scipy.signal.cheb1ap(n, rp)
    if kind == "cheby2":
        if rs is None:
            raise ValueError("stopband attenuation (rs) must be provided to design an Chebyshev II filter.")
        return scipy.signal.cheb2ap(n, rs)
    if kind == "ellip":
        if rs is None or rp is None:
            raise ValueError("Both rp and rs must be provided to design an elliptic filter.")
        return scipy.signal.ellipap(n, rp, rs)
    return scipy.signal.besselap(n, kind)


def _scaled(z, p, k, w, band):
    """With the edge at w, where it was at 1; of a highpass turned round."""
    return filter_bands.lp2lp_zpk(z, p, k, w) if band == "lowpass" else filter_bands.lp2hp_zpk(z, p, k, w)


def _shifted(z, p, k, middle, width, band):
    """With a band around the middle, that is passed or stopped."""
    return filter_bands.lp2bp_zpk(z, p, k, middle, width) if band == "bandpass" else filter_bands.lp2bs_zpk(z, p, k, middle, width)


def _polynomial(roots):
    """Its coefficients, the highest power first, of roots that are real or in pairs."""
    found = [np.complex128(1.0)]
    for k in range(roots.shape[0]):
        found = [new - roots[k] * old for new, old in zip([*found, np.complex128(0.0)], [np.complex128(0.0), *found], strict=True)]
    return np.real(np.array(found))


def iirnotch(w0, Q, fs=2.0, *, xp=None, device=None):
    """scipy.signal.iirnotch."""
    gain, around = _notch(w0, Q, fs)
    return gain * np.array([1.0, -2.0 * np.cos(around), 1.0]), np.array([1.0, -2.0 * gain * np.cos(around), 2.0 * gain - 1.0])


def iirpeak(w0, Q, fs=2.0, *, xp=None, device=None):
    """scipy.signal.iirpeak."""
    gain, around = _notch(w0, Q, fs)
    return (1.0 - gain) * np.array([1.0, 0.0, -1.0]), np.array([1.0, -2.0 * gain * np.cos(around), 2.0 * gain - 1.0])


def _notch(w0, quality, fs):
    if fs is None:
        raise ValueError("Sampling frequency can not be none.")
    at = 2 * np.float64(w0) / fs
    if at > 1.0 or at < 0.0:
        raise ValueError("w0 should be such that 0 < w0 < 1")
    return 1.0 / (1.0 + np.tan(at / quality * np.pi / 2.0)), at * np.pi


def kaiser_beta(a):
    """scipy.signal.kaiser_beta."""
    return 0.1102 * (a - 8.7) if a > 50 else 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0


def kaiser_atten(numtaps, width):
    """scipy.signal.kaiser_atten."""
    return 2.285 * (numtaps - 1) * np.pi * width + 7.95


def firwin(numtaps, cutoff, *, width=None, window="hamming", pass_zero=True, scale=True, fs=None):
    """scipy.signal.firwin."""
    if not isinstance(pass_zero, bool | str) or pass_zero not in (True, False, "bandpass", "lowpass", "highpass", "bandstop"):
        raise ValueError(f"Parameter {pass_zero=} not in (True, False, 'bandpass', 'lowpass', 'highpass', 'bandstop')")
    highest = 1.0 if fs is None else 0.5 * fs
    edges = np.atleast_1d(np.asarray(cutoff, np.float64)) / highest
    _check_edges(edges, pass_zero)
    if width is not None:
        window = ("kaiser", kaiser_beta(kaiser_atten(numtaps, np.float64(width) / highest)))
    low = pass_zero in ("bandstop", "lowpass", True)
    high = (edges.size % 2 == 0) == low
    if high and numtaps % 2 == 0:
        raise ValueError("A filter with an even number of coefficients must have zero response at the Nyquist frequency.")
    edges = np.concatenate((np.zeros(int(low)), edges, np.ones(int(high))))
    m = np.arange(numtaps) - 0.5 * (numtaps - 1)
    h = np.zeros(numtaps)
    for j in range(0, edges.shape[0], 2):
        h = h + (edges[j + 1] * np.sinc(edges[j + 1] * m) - edges[j] * np.sinc(edges[j] * m))
    h = h * get_window(window, numtaps, fftbins=False)
    if not scale:
        return h
    middle = 0.0 if low else 1.0 if high and edges.shape[0] == 2 else 0.5 * (edges[0] + edges[1])
    return h / np.sum(h * np.cos(np.pi * m * middle))


def _check_edges(edges, pass_zero):
    if edges.ndim > 1:
        raise ValueError("The cutoff argument must be at most one-dimensional.")
    if edges.size == 0:
        raise ValueError("At least one cutoff frequency must be given.")
    if np.min(edges) <= 0 or np.max(edges) >= 1:
        raise ValueError("Invalid cutoff frequency: frequencies must be greater than 0 and less than fs/2.")
    if np.any(np.diff(edges) <= 0):
        raise ValueError("Invalid cutoff frequencies: the frequencies must be strictly increasing.")
    if pass_zero in ("lowpass", "highpass") and edges.size != 1:
        raise ValueError(f'cutoff must have one element if pass_zero=="{pass_zero}", got {edges.shape}')
    if pass_zero in ("bandpass", "bandstop") and edges.size <= 1:
        raise ValueError(f'cutoff must have at least two elements if pass_zero=="{pass_zero}", got {edges.shape}')


FILTER_DESIGN: dict[str, Any] = {
    f"scipy.signal.{function.__name__}": function for function in (butter, cheby1, cheby2, ellip, bessel, iirfilter, iirnotch, iirpeak, kaiser_beta, kaiser_atten, firwin)
}
"""By qualified name."""
