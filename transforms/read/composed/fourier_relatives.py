"""scipy.fft.fht and ifht (Hankel transforms of points in equal steps of the logarithm, Hamilton 2000), and scipy.fftpack's names for scipy.fft's transforms."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely

# ---- Hankel's ---------------------------------------------------------------------------------------------------------------------------


def _coefficients(n, dln, mu, offset, bias, inverse):
    """By what each frequency is multiplied."""
    import scipy.special as sp

    above, below = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    y = np.arange(n // 2 + 1) * (np.pi / (n * dln))
    found = np.exp(sp.loggamma(above + 1j * y) - np.conj(sp.loggamma(below + 1j * y)) + np.log(2.0) * bias + 2j * (np.log(2.0) - offset) * y)
    last = (np.arange(n // 2 + 1) == n // 2) & (n % 2 == 0)
    found = np.where(last, np.real(found), found)
    first = np.where(np.isfinite(found[0]), np.real(found[0]), 2.0**bias * sp.poch(below, above - below))
    first = np.where(first == 0, np.inf, first) if inverse else np.where(np.isinf(first), 0.0, first)  # a singular transform
    return np.where(np.arange(n // 2 + 1) == 0, first, found)


def _transformed(a, dln, mu, offset, bias, inverse):
    import scipy.fft

    spectrum = scipy.fft.rfft(a, axis=-1)
    factor = _coefficients(a.shape[-1], dln, mu, offset, bias, inverse)
    spectrum = (spectrum / np.conj(factor) if inverse else spectrum * factor).astype(spectrum.dtype)
    return scipy.fft.irfft(spectrum, a.shape[-1], axis=-1)[..., ::-1]


def fht(a, dln, mu, offset=0.0, bias=0.0):
    """scipy.fft.fht."""
    a = np.asarray(a)
    if surely(bias == 0):
        return _transformed(a, dln, mu, offset, 0.0, False)
    steps = (np.arange(a.shape[-1]) - (a.shape[-1] - 1) / 2) * dln
    return _transformed(a * np.exp(-bias * steps), dln, mu, offset, bias, False) * np.exp(-bias * (steps + offset))


def ifht(A, dln, mu, offset=0.0, bias=0.0):
    """scipy.fft.ifht."""
    a = np.asarray(A)
    if surely(bias == 0):
        return _transformed(a, dln, mu, offset, 0.0, True)
    steps = (np.arange(a.shape[-1]) - (a.shape[-1] - 1) / 2) * dln
    return _transformed(a * np.exp(bias * (steps + offset)), dln, mu, offset, bias, True) / np.exp(-bias * steps)


def fhtoffset(dln, mu, initial=0.0, bias=0.0):
    """scipy.fft.fhtoffset: the offset near the first one with which the transform does not ring."""
    import scipy.special as sp

    y = np.pi / (2 * dln)
    turns = (np.log(2.0) - initial) / dln + (np.imag(sp.loggamma((mu + 1 + bias) / 2 + 1j * y)) + np.imag(sp.loggamma((mu + 1 - bias) / 2 + 1j * y))) / np.pi
    return initial + (turns - np.round(turns)) * dln


# ---- fftpack's names ------------------------------------------------------------------------------------------------------------------------


def fft(x, n=None, axis=-1, overwrite_x=False):
    """scipy.fftpack.fft."""
    import scipy.fft

    return scipy.fft.fft(x, n, axis)


def ifft(x, n=None, axis=-1, overwrite_x=False):
    """scipy.fftpack.ifft."""
    import scipy.fft

    return scipy.fft.ifft(x, n, axis)


def fft2(x, shape=None, axes=(-2, -1), overwrite_x=False):
    """scipy.fftpack.fft2."""
    import scipy.fft

    return scipy.fft.fft2(x, shape, axes)


def ifft2(x, shape=None, axes=(-2, -1), overwrite_x=False):
    """scipy.fftpack.ifft2."""
    import scipy.fft

    return scipy.fft.ifft2(x, shape, axes)


def fftn(x, shape=None, axes=None, overwrite_x=False):
    """scipy.fftpack.fftn."""
    import scipy.fft

    return scipy.fft.fftn(x, shape, axes)


def ifftn(x, shape=None, axes=None, overwrite_x=False):
    """scipy.fftpack.ifftn."""
    import scipy.fft

    return scipy.fft.ifftn(x, shape, axes)


def rfft(x, n=None, axis=-1, overwrite_x=False):
    """scipy.fftpack.rfft: real and imaginary parts by turns, those that are 0 left out."""
    import scipy.fft

    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    count = x.shape[axis] if n is None else n
    found = np.moveaxis(scipy.fft.rfft(x, n, axis), axis, -1)
    parts = np.stack((np.real(found), np.imag(found)), axis=-1).reshape((*found.shape[:-1], 2 * found.shape[-1]))
    return np.moveaxis(np.concatenate((parts[..., :1], parts[..., 2 : count + 1]), axis=-1), -1, axis)


def irfft(x, n=None, axis=-1, overwrite_x=False):
    """scipy.fftpack.irfft: of real and imaginary parts by turns."""
    import scipy.fft

    x = np.moveaxis(np.asarray(x), axis, -1)
    if x.dtype.kind == "c":
        raise TypeError("x must be a real sequence")
    count = x.shape[-1] if n is None else n
    held = x[..., :count]
    nothing = np.zeros_like(held[..., :1])
    held = np.concatenate((held, np.zeros((*held.shape[:-1], count - held.shape[-1]), held.dtype)), axis=-1)
    parts = np.concatenate((held[..., :1], nothing, held[..., 1:], nothing), axis=-1)
    spectrum = parts[..., 0 : 2 * (count // 2 + 1) : 2] + 1j * parts[..., 1 : 2 * (count // 2 + 1) : 2]
    return np.moveaxis(scipy.fft.irfft(spectrum, count), -1, axis)


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False):
    """scipy.fftpack.dct."""
    import scipy.fft

    return scipy.fft.dct(x, type, n, axis, norm)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False):
    """scipy.fftpack.idct, which by default is not divided by a number of points."""
    import scipy.fft

    return scipy.fft.dct(x, {1: 1, 2: 3, 3: 2, 4: 4}[type], n, axis, norm)


def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False):
    """scipy.fftpack.dst."""
    import scipy.fft

    return scipy.fft.dst(x, type, n, axis, norm)


def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False):
    """scipy.fftpack.idst, which by default is not divided by a number of points."""
    import scipy.fft

    return scipy.fft.dst(x, {1: 1, 2: 3, 3: 2, 4: 4}[type], n, axis, norm)


def next_fast_len(target):
    """scipy.fftpack.next_fast_len: of lengths for real numbers."""
    import scipy.fft

    return scipy.fft.next_fast_len(target, True)


FOURIER_RELATIVES: dict[str, Any] = {
    **{f"scipy.fft.{function.__name__}": function for function in (fht, ifht, fhtoffset)},
    **{f"scipy.fftpack.{function.__name__}": function for function in (fft, ifft, fft2, ifft2, fftn, ifftn, rfft, irfft, dct, idct, dst, idst, next_fast_len)},
}
"""By qualified name."""
