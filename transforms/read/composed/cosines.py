"""scipy.fft's transforms into cosines and sines, of all four types.

By real transforms: of the types 2 and 3 of the same length (Makhoul 1980), of type 1 of the whole period; of type 4 by a complex one of half the length, of odd ones by a real one of
the same. Sines are cosines of what is turned round and changes signs. Scales and what `orthogonalize` does are those of SciPy's pocketfft.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.fourier import _fitted, _places, _points
from s2s.transforms.read.composed.spectra import from_half, half_spectrum, transformed
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
    axes, lengths = _numbers(axes), _numbers(s)
    if s is not None and axes is not None and len(lengths) != len(axes):
        raise ValueError("when given, axes and shape arguments have to be of the same length")
    _places(x, axes)
    if s is not None and axes is None and len(lengths) > x.ndim:
        raise ValueError("shape requires more axes than are present")
    chosen = range(x.ndim - (x.ndim if s is None else len(lengths)), x.ndim) if axes is None else axes
    lengths = [None] * len(chosen) if s is None else lengths
    if len(chosen) == 0:
        return given
    for axis, length in zip(chosen, lengths, strict=True):
        x = _one(name, x, type, x.shape[axis] if length is not None and length == -1 else length, axis, norm, orthogonalize)
    return x


def _numbers(given):
    """Lengths or axes one by one."""
    return given if given is None else (given,) if np.ndim(given) == 0 else tuple(given)


def _samples(x):
    x = np.asarray(x)
    if x.dtype.name == "float16":
        return x.astype(np.float32)
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
    found = _transformed(_before(x, kind, cosine) if orthogonal else x, kind, cosine)
    found = _behind(found, kind, cosine) if orthogonal else found
    if norm == "ortho":
        found = found * (1.0 / np.sqrt(length)).astype(found.dtype)
    elif inverse == (norm != "forward"):
        found = found * np.float64(1.0 / length).astype(found.dtype)
    return np.moveaxis(found, -1, axis)


def _before(x, kind, cosine):
    """What makes the transform orthogonal but for its scale: the ends of what is transformed, …"""
    if kind == 1 and cosine:
        return _ends(x, (0, -1), 2 * HALF)
    return _ends(x, (0 if cosine else -1,), 2 * HALF) if kind == 3 else x


def _behind(found, kind, cosine):
    """… and of what comes out."""
    if kind == 1 and cosine:
        return _ends(found, (0, -1), HALF)
    return _ends(found, (0 if cosine else -1,), HALF) if kind == 2 else found


def _ends(x, places, factor):
    """x, times a factor at its ends."""
    x = x.copy()
    for place in places:
        x[..., place] *= factor
    return x


def _transformed(x, kind, cosine):
    if kind == 1:
        return _first_cosines(x) if cosine else _first_sines(x)
    if kind == 2:
        return _second(x, cosine)
    if kind == 3:
        return _third(x, cosine)
    found = (_quarters if x.shape[-1] % 2 == 0 else _odd_quarters)(x if cosine else x[..., ::-1])
    if not cosine:
        found[..., 1::2] *= -1
    return found


def _first_cosines(x):
    return np.real(half_spectrum(np.concatenate((x, x[..., -2:0:-1]), axis=-1), -1, ""))


def _first_sines(x):
    zero = np.zeros_like(x[..., :1])
    return -np.imag(half_spectrum(np.concatenate((zero, x, zero, -x[..., ::-1]), axis=-1), -1, ""))[..., 1 : x.shape[-1] + 1]


def _second(x, cosine):
    """Type 2; the sines are the cosines, in turn, of what has every other sign changed."""
    n, last = x.shape[-1], x[..., 1::2][..., ::-1]
    half = half_spectrum(np.concatenate((x[..., ::2], last if cosine else -last), axis=-1), -1, "")
    half = half * _turns(n // 2 + 1, -np.pi / (2 * n), x.dtype)
    rising, falling = 2 * np.real(half), -2 * np.imag(half)[..., 1 : (n + 1) // 2]
    return np.concatenate((rising, falling[..., ::-1]) if cosine else (falling, rising[..., ::-1]), axis=-1)


def _third(x, cosine):
    """Type 3: type 2's steps the other way."""
    n = x.shape[-1]
    count, other = n // 2 + 1, x[..., ::-1]
    x, other = (x, other) if cosine else (other, x)
    turned = np.concatenate((np.zeros_like(x[..., :1]), other[..., : count - 1]), axis=-1)
    turns = _turns(count, np.pi / (2 * n), x.dtype)
    numbers = from_half((x[..., :count] - turned * turns.dtype.type(1j)) * turns, n, -1, "")
    last = numbers[..., (n + 1) // 2 :][..., ::-1]
    found = np.zeros_like(x)
    found[..., ::2] = numbers[..., : (n + 1) // 2]
    found[..., 1::2] = last if cosine else -last
    return found


def _quarters(x):
    """Type 4 of an even length: pairs of numbers from both ends are complex ones."""
    n = x.shape[-1]
    first = complex(np.cos(np.pi / (8 * n)), -np.sin(np.pi / (8 * n)))
    turns = _turns(n // 2, -np.pi / n, x.dtype)
    turns = turns * turns.dtype.type(first)
    spectrum = transformed((x[..., ::2] + x[..., ::-2] * turns.dtype.type(1j)) * turns, -1, False, "") * turns
    found = np.zeros_like(x)
    found[..., ::2] = 2 * np.real(spectrum)
    found[..., ::-2] = -2 * np.imag(spectrum)
    return found


def _odd_quarters(x):
    """Type 4 of an odd length n, of which x goes on as -x turned round, -x, x turned round, x again.

    With y[i] = x[(n - 1) / 2 + 4 i] and its spectrum s, result k is 2 cos(a) Re s[2 k + 1] + 2 sin(a) Im s[2 k + 1], a = pi (2 k + 1) / 4.
    """
    n = x.shape[-1]
    turned = x[..., ::-1]
    half = half_spectrum(np.concatenate((x, -turned, -x, turned, x), axis=-1)[..., n // 2 :: 4][..., :n], -1, "")
    whole = np.concatenate((half, np.conjugate(half[..., 1:])[..., ::-1]), axis=-1)
    places = np.arange(n)
    cosines, sines = (np.where(each % 4 < 2, 2 * HALF, -2 * HALF).astype(x.dtype) for each in (places + 1, places))
    ordered = np.concatenate((whole[..., 1::2], whole[..., ::2]), axis=-1)
    return np.real(ordered) * cosines + np.imag(ordered) * sines


def _turns(n, angle, dtype):
    """The numbers exp(i angle k) for k below n: products of a few with a few, which cost less than n cosines."""
    near, far = angle * np.arange(16), (16 * angle) * np.arange(n // 16 + 1)
    turns = ((np.cos(far) + 1j * np.sin(far))[:, None] * (np.cos(near) + 1j * np.sin(near))).reshape(-1)[:n]
    return turns.astype(np.complex64 if dtype.name == "float32" else np.complex128)


COSINES = within("scipy.fft", **{function.__name__: function for function in (dct, idct, dst, idst, dctn, idctn, dstn, idstn)})
"""By qualified name."""
