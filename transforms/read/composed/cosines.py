"""scipy.fft's transforms into cosines and sines, of all four types.

By complex transforms: of the types 2 and 3 of the same length (Makhoul 1980), of type 1 of the whole period, of type 4 of twice the length. Sines are cosines of what is turned round
and changes signs. Scales and what `orthogonalize` does are those of SciPy's pocketfft.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.fourier import _complex, _fitted, _places, _points
from s2s.transforms.read.composed.spectra import half_spectrum, transformed
from s2s.transforms.read.names import within

HALF = 0.7071067811865476
"""The root of one half."""


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.dct."""
    return _one("dct", x, type, n, axis, norm, orthogonalize)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.idct."""
    return _one("idct", x, type, n, axis, norm, orthogonalize)


def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.dst."""
    return _one("dst", x, type, n, axis, norm, orthogonalize)


def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.idst."""
    return _one("idst", x, type, n, axis, norm, orthogonalize)


def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """scipy.fft.dctn."""
    return _several("dct", x, type, s, axes, norm, orthogonalize)


def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.idctn."""
    return _several("idct", x, type, s, axes, norm, orthogonalize)


def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.dstn."""
    return _several("dst", x, type, s, axes, norm, orthogonalize)


def idstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """scipy.fft.idstn."""
    return _several("idst", x, type, s, axes, norm, orthogonalize)


def _several(name, x, type, s, axes, norm, orthogonalize):
    """Along one axis after the other."""
    given, x = np.asarray(x), _samples(x)
    _places(x, axes)
    if s is not None and axes is None and len(s if isinstance(s, tuple | list) else (s,)) > x.ndim:
        raise ValueError("shape requires more axes than are present")
    chosen = range(x.ndim - (x.ndim if s is None else len(s) if isinstance(s, tuple | list) else 1), x.ndim) if axes is None else (axes,) if np.ndim(axes) == 0 else tuple(axes)
    lengths = [None] * len(chosen) if s is None else s if isinstance(s, tuple | list) else (s,)
    if len(lengths) != len(chosen):
        raise ValueError("when given, axes and shape arguments have to be of the same length")
    if len(chosen) == 0:
        return given
    for axis, length in zip(chosen, lengths, strict=True):
        x = _one(name, x, type, length, axis, norm, orthogonalize)
    return x


def _samples(x):
    x = np.asarray(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _one(name, x, type, n, axis, norm, orthogonalize):
    """Along one axis. `name`: dct, dst, or with an i before it the inverse. Of complex numbers, of both parts."""
    x = _samples(x)
    if x.dtype.kind == "c":  # SciPy does not hand `orthogonalize` on to the parts
        return _one(name, np.real(x), type, n, axis, norm, None) + np.array(1j, x.dtype) * _one(name, np.imag(x), type, n, axis, norm, None)
    inverse, cosine = name.startswith("i"), name.endswith("dct")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"')
    _points(x, n, axis)
    if type not in (1, 2, 3, 4):
        raise ValueError("invalid DCT type" if cosine else "invalid DST type")
    x = np.moveaxis(_fitted(x, n, axis), axis, -1)
    if type == 1 and cosine and x.shape[-1] < 2:
        raise RuntimeError("zero-length FFT requested")
    kind = {2: 3, 3: 2}.get(type, type) if inverse else type
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    length = 2 * (x.shape[-1] + (0 if type != 1 else -1 if cosine else 1))
    found = (_cosines if cosine else _sines)(_before(x, kind, cosine) if orthogonal else x, kind)
    found = _behind(found, kind, cosine) if orthogonal else found
    if norm == "ortho":
        found = found * (1.0 / np.sqrt(length)).astype(found.dtype)
    elif inverse == (norm != "forward"):
        found = found * np.float64(1.0 / length).astype(found.dtype)
    return np.moveaxis(found, -1, axis)


def _before(x, kind, cosine):
    """What makes the transform orthogonal but for its scale: the ends of what is transformed, …"""
    if kind == 1 and cosine:
        return x * _ends(x.shape[-1], True, True, 2 * HALF).astype(x.dtype)
    if kind == 3:
        return x * _ends(x.shape[-1], cosine, not cosine, 2 * HALF).astype(x.dtype)
    return x


def _behind(found, kind, cosine):
    """… and of what comes out."""
    if kind == 1 and cosine:
        return found * _ends(found.shape[-1], True, True, HALF).astype(found.dtype)
    if kind == 2:
        return found * _ends(found.shape[-1], cosine, not cosine, HALF).astype(found.dtype)
    return found


def _ends(n, first, last, factor):
    """Ones, and a factor at the ends."""
    places = np.arange(n)
    return np.where((places == 0) & first | (places == n - 1) & last, factor, 1.0)


def _sines(x, kind):
    n = x.shape[-1]
    if kind == 1:
        zero = np.zeros_like(x[..., :1])
        return -np.imag(half_spectrum(np.concatenate((zero, x, zero, -x[..., ::-1]), axis=-1), -1, ""))[..., 1 : n + 1]
    signs = np.where(np.arange(n) % 2 == 0, 1.0, -1.0).astype(x.dtype)
    if kind == 2:
        return _cosines(x * signs, 2)[..., ::-1]
    if kind == 3:
        return _cosines(x[..., ::-1], 3) * signs
    return -2 * np.imag(_quarters(x))


def _cosines(x, kind):
    n = x.shape[-1]
    if kind == 1:
        return np.real(half_spectrum(np.concatenate((x, x[..., -2:0:-1]), axis=-1), -1, ""))
    if kind == 2:
        spectrum = transformed(_complex(np.concatenate((x[..., ::2], x[..., 1::2][..., ::-1]), axis=-1)), -1, False, "")
        return 2 * np.real(spectrum * _turns(n, x.dtype, -1))
    if kind == 3:
        x = x * (2 * n)
        turned = np.concatenate((np.zeros_like(x[..., :1]), x[..., :0:-1]), axis=-1)
        whole = _complex(x[..., :1]).dtype
        halves = np.real(transformed((x - 1j * turned).astype(whole) * (0.5 * _turns(n, x.dtype, 1)).astype(whole), -1, True, "n"))
        found = np.zeros_like(x)
        found[..., ::2] = halves[..., : (n + 1) // 2]
        found[..., 1::2] = halves[..., (n + 1) // 2 :][..., ::-1]
        return found
    return 2 * np.real(_quarters(x))


def _quarters(x):
    """The sums of x[j] exp(-i pi (2 k + 1) (2 j + 1) / (4 n)) over j."""
    n = x.shape[-1]
    turned = _complex(x) * _turns(n, x.dtype, -1)
    padded = np.concatenate((turned, np.zeros_like(turned)), axis=-1)
    angles = (2 * np.arange(n) + 1) * (np.pi / (4 * n))
    return transformed(padded, -1, False, "")[..., :n] * (np.cos(angles) - 1j * np.sin(angles)).astype(padded.dtype)


def _turns(n, dtype, sign):
    angles = np.arange(n) * (np.pi / (2 * n))
    return (np.cos(angles) + (sign * 1j) * np.sin(angles)).astype(np.complex64 if dtype.name == "float32" else np.complex128)


COSINES = within("scipy.fft", **{function.__name__: function for function in (dct, idct, dst, idst, dctn, idctn, dstn, idstn)})
"""By qualified name."""
