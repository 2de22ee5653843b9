"""numpy.fft and scipy.fft: lengths, axes and norms around transforms along one axis."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.spectra import from_half, half_spectrum, transformed
from s2s.transforms.read.names import within


def _scale(norm, inverse):
    if norm is not None and norm not in ("backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    if norm == "ortho":
        return "sqrt"
    return "n" if (norm == "forward") != inverse else ""


def _without(out):
    if out is not None:
        unsupported("out= of a Fourier transform", "x[...] = np.fft.fft(…)")


def _fitted(x, n, axis):
    """x cut off, or filled up with zeros, to n numbers along an axis."""
    if n is None:
        if x.shape[axis] < 1:
            raise ValueError(f"Invalid number of FFT data points ({x.shape[axis]}) specified.")
        return x
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    last = np.moveaxis(x, axis, -1)
    length = last.shape[-1]
    fitted = np.zeros((*last.shape[:-1], n), last.dtype)
    kept = min(n, length)
    fitted[..., :kept] = last[..., :kept]
    return np.moveaxis(fitted, -1, axis)


def _complex(x):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        return x
    return x.astype(np.complex64) if x.dtype.name in ("float16", "float32") else x.astype(np.complex128)


def _real(x):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types (<class 'numpy.dtypes.Complex128DType'>, <class 'numpy.dtypes.Float64DType'>) -> None")
    return x.astype(np.float32 if x.dtype.name == "float16" else np.float64) if x.dtype.kind != "f" or x.dtype.name == "float16" else x


def fft(a, n=None, axis=-1, norm=None, out=None):
    """np.fft.fft."""
    _without(out)
    return transformed(_complex(_fitted(np.asarray(a), n, axis)), axis, False, _scale(norm, False))


def ifft(a, n=None, axis=-1, norm=None, out=None):
    """np.fft.ifft."""
    _without(out)
    return transformed(_complex(_fitted(np.asarray(a), n, axis)), axis, True, _scale(norm, True))


def rfft(a, n=None, axis=-1, norm=None, out=None):
    """np.fft.rfft."""
    _without(out)
    return half_spectrum(_real(_fitted(np.asarray(a), n, axis)), axis, _scale(norm, False))


def irfft(a, n=None, axis=-1, norm=None, out=None):
    """np.fft.irfft."""
    _without(out)
    a = np.asarray(a)
    if n is None:
        n = (a.shape[axis] - 1) * 2
        half = a
    else:
        half = _fitted(a, n // 2 + 1, axis)
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    numbers = from_half(_complex(half), n, axis, _scale(norm, True))
    return numbers.astype(np.float16) if a.dtype.name == "float16" else numbers


def _swapped(norm):
    return {"backward": "forward", None: "forward", "ortho": "ortho", "forward": "backward"}[norm] if norm in (None, "backward", "ortho", "forward") else norm


def hfft(a, n=None, axis=-1, norm=None, out=None):
    """np.fft.hfft."""
    return irfft(np.conjugate(a), n, axis, _swapped(norm), out)


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """np.fft.ihfft."""
    return np.conjugate(rfft(a, n, axis, _swapped(norm), out))


def _axes(a, s, axes):
    if axes is not None:
        return tuple(axes)
    return tuple(range(np.ndim(a))) if s is None else tuple(range(-len(s), 0))


def _lengths(a, s, axes):
    """-1: the whole axis as it is; so it is of an axis that is transformed twice."""
    if s is None:
        for axis in axes:
            if not -np.ndim(a) <= axis < np.ndim(a):
                raise IndexError(f"index {axis} is out of bounds for axis 0 with size {np.ndim(a)}")
        twice = any(surely((one - other) % np.ndim(a) == 0) for k, one in enumerate(axes) for other in axes[:k])
        return [np.shape(a)[axis] if twice else None for axis in axes]
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return [np.shape(a)[axis] if surely(each == -1) else each for each, axis in zip(s, axes, strict=True)]


def _along(a, lengths, axes, norm, inverse):
    for k in range(len(axes) - 1, -1, -1):
        a = ifft(a, lengths[k], axes[k], norm) if inverse else fft(a, lengths[k], axes[k], norm)
    return a


def fftn(a, s=None, axes=None, norm=None, out=None):
    """np.fft.fftn."""
    _without(out)
    axes = _axes(a, s, axes)
    return _along(np.asarray(a), _lengths(a, s, axes), axes, norm, False)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    """np.fft.ifftn."""
    _without(out)
    axes = _axes(a, s, axes)
    return _along(np.asarray(a), _lengths(a, s, axes), axes, norm, True)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """np.fft.fft2."""
    return fftn(a, s, axes, norm, out)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """np.fft.ifft2."""
    return ifftn(a, s, axes, norm, out)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    """np.fft.rfftn."""
    _without(out)
    axes = _axes(a, s, axes)
    lengths = _lengths(a, s, axes)
    half = rfft(a, lengths[-1], axes[-1], norm)
    return _along(half, lengths[:-1], axes[:-1], norm, False)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    """np.fft.irfftn."""
    _without(out)
    axes = _axes(a, s, axes)
    lengths = _lengths(a, s, axes)
    a = np.asarray(a)
    for k in range(len(axes) - 1):
        a = ifft(a, lengths[k], axes[k], norm)
    last = lengths[-1]
    return irfft(a, 2 * (last - 1) if s is None and last is not None else last, axes[-1], norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """np.fft.rfft2."""
    return rfftn(a, s, axes, norm, out)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """np.fft.irfft2."""
    return irfftn(a, s, axes, norm, out)


def fftfreq(n, d=1.0, device=None):
    """np.fft.fftfreq."""
    _need_count(n)
    if isinstance(n, bool):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{n}'")
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    return np.concatenate((np.arange((n - 1) // 2 + 1), np.arange(-(n // 2), 0))) * (1.0 / (n * d))


def _need_count(n):
    if isinstance(n, np.ndarray) or not isinstance(n, (int, np.integer)):
        raise ValueError("n should be an integer")  # noqa: TRY004 - NumPy's


def rfftfreq(n, d=1.0, device=None):
    """np.fft.rfftfreq."""
    _need_count(n)
    return np.arange(n // 2 + 1) * (1.0 / (n * d))


def fftshift(x, axes=None):
    """np.fft.fftshift."""
    return _rolled(np.asarray(x), axes, 1)


def ifftshift(x, axes=None):
    """np.fft.ifftshift."""
    return _rolled(np.asarray(x), axes, -1)


def _rolled(x, axes, sign):
    chosen = tuple(range(x.ndim)) if axes is None else (axes,) if np.ndim(axes) == 0 else tuple(axes)
    if not chosen:
        if x.ndim == 0:
            raise ValueError("not enough values to unpack (expected 2, got 0)")  # NumPy's words
        return np.copy(x)
    for axis in chosen:
        half = x.shape[axis] // 2
        x = np.roll(x, half if sign > 0 else -half, axis)
    return x


# ---- scipy.fft -------------------------------------------------------------------------------------------------------------------


def _plain(plan):
    if plan is not None:
        unsupported("plan= of a Fourier transform", "leave it out")


def _places(x, axes):
    """SciPy's errors for axes."""
    if axes is not None:
        places = (axes,) if np.ndim(axes) == 0 else tuple(axes)
        for axis in places:
            if axis >= np.ndim(x) or axis < -np.ndim(x):
                raise ValueError("axes exceeds dimensionality of input")
        if len({axis % np.ndim(x) for axis in places}) != len(places):
            raise ValueError("all axes must be unique")


def _singles(x):
    """SciPy transforms half precision in single precision."""
    x = np.asarray(x)
    return x.astype(np.float32) if x.dtype.name == "float16" else x


def _points(x, n, axis):
    """SciPy's error for nothing to transform."""
    count = np.asarray(x).shape[axis] if n is None else n
    if count < 1:
        raise ValueError(f"invalid number of data points ({count}) specified")


def _each(numbers):
    """One number as one of a tuple."""
    return (numbers,) if numbers is not None and np.ndim(numbers) == 0 else numbers


def _any_places(x, axes):
    if np.ndim(x) == 0 if axes is None else not isinstance(axes, int) and len(axes) == 0:
        raise ValueError("at least 1 axis must be transformed")


def scipy_fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.fft."""
    _plain(plan)
    _points(x, n, axis)
    return fft(x, n, axis, norm)


def scipy_ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.ifft."""
    _plain(plan)
    _points(x, n, axis)
    return ifft(x, n, axis, norm)


def scipy_rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.rfft."""
    _plain(plan)
    _points(x, n, axis)
    return rfft(x, n, axis, norm)


def scipy_irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.irfft."""
    _plain(plan)
    return irfft(_singles(x), n, axis, norm)


def scipy_hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.hfft."""
    _plain(plan)
    return hfft(_singles(x), n, axis, norm)


def scipy_ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.ihfft."""
    _plain(plan)
    _points(x, n, axis)
    return ihfft(x, n, axis, norm)


def scipy_fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.fftn."""
    _plain(plan)
    _places(x, axes)
    return fftn(x, _each(s), _each(axes), norm)


def scipy_ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.ifftn."""
    _plain(plan)
    _places(x, axes)
    return ifftn(x, _each(s), _each(axes), norm)


def scipy_fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.fft2."""
    _plain(plan)
    _places(x, axes)
    return fftn(x, _each(s), _each(axes), norm)


def scipy_ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.ifft2."""
    _plain(plan)
    _places(x, axes)
    return ifftn(x, _each(s), _each(axes), norm)


def scipy_rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.rfftn."""
    _plain(plan)
    _any_places(x, axes)
    _places(x, axes)
    return rfftn(x, _each(s), _each(axes), norm)


def scipy_irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.irfftn."""
    _plain(plan)
    _any_places(x, axes)
    _places(x, axes)
    return irfftn(_singles(x), _each(_one_at_least(x, s, axes)), _each(axes), norm)


def _one_at_least(x, s, axes):
    """The lengths where a last axis of length 1 leaves none: SciPy's several-dimensional inverses make one number of it."""
    places = range(np.ndim(x)) if axes is None else (axes,) if np.ndim(axes) == 0 else axes
    shape = np.shape(x)
    if s is None and len(places) > 0 and surely(shape[places[-1]] == 1):
        return [shape[place] for place in places]
    return s


def scipy_rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.rfft2."""
    _plain(plan)
    _any_places(x, axes)
    _places(x, axes)
    return rfftn(x, _each(s), _each(axes), norm)


def scipy_irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.irfft2."""
    _plain(plan)
    _any_places(x, axes)
    _places(x, axes)
    return irfftn(_singles(x), _each(_one_at_least(x, s, axes)), _each(axes), norm)


def scipy_hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.hfftn."""
    return scipy_irfftn(np.conjugate(x), s, axes, _swapped(norm), plan=plan)


def scipy_ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.ihfftn."""
    return np.conjugate(scipy_rfftn(x, s, axes, _swapped(norm), plan=plan))


def scipy_hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.hfft2."""
    return scipy_hfftn(x, s, axes, norm, plan=plan)


def scipy_ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """scipy.fft.ihfft2."""
    return scipy_ihfftn(x, s, axes, norm, plan=plan)


def _is_fast(length, real):
    """Whether pocketfft has code for all prime factors."""
    rest = length
    for factor in (2, 3, 5) if real else (2, 3, 5, 7, 11):
        while rest % factor == 0:
            rest //= factor
    return rest == 1


def next_fast_len(target, real=False):
    """scipy.fft.next_fast_len."""
    if target < 0:
        raise ValueError("Target length must be positive")
    length = max(int(target), 1)
    while not _is_fast(length, real):
        length += 1
    return length if target > 0 else 0


def prev_fast_len(target, real=False):
    """scipy.fft.prev_fast_len."""
    if target < 0:
        raise ValueError("Target length must be positive")
    length = max(int(target), 1)
    while not _is_fast(length, real):
        length -= 1
    return length if target > 0 else 0


def scipy_fftfreq(n, d=1.0, *, xp=None, device=None):
    """scipy.fft.fftfreq."""
    return fftfreq(n, d)


def scipy_rfftfreq(n, d=1.0, *, xp=None, device=None):
    """scipy.fft.rfftfreq."""
    return rfftfreq(n, d)


FOURIER: dict[str, Callable[..., Any]] = {
    **within(
        "numpy.fft", fft=fft, ifft=ifft, rfft=rfft, irfft=irfft, hfft=hfft, ihfft=ihfft, fftn=fftn, ifftn=ifftn, fft2=fft2, ifft2=ifft2, rfftn=rfftn, irfftn=irfftn,
        rfft2=rfft2, irfft2=irfft2, fftfreq=fftfreq, rfftfreq=rfftfreq, fftshift=fftshift, ifftshift=ifftshift,
    ),
    **within(
        "scipy.fft", fft=scipy_fft, ifft=scipy_ifft, rfft=scipy_rfft, irfft=scipy_irfft, hfft=scipy_hfft, ihfft=scipy_ihfft, fftn=scipy_fftn, ifftn=scipy_ifftn,
        fft2=scipy_fft2, ifft2=scipy_ifft2, rfftn=scipy_rfftn, irfftn=scipy_irfftn, rfft2=scipy_rfft2, irfft2=scipy_irfft2, hfft2=scipy_hfft2, ihfft2=scipy_ihfft2, hfftn=scipy_hfftn, ihfftn=scipy_ihfftn, next_fast_len=next_fast_len, prev_fast_len=prev_fast_len, fftshift=fftshift, ifftshift=ifftshift, fftfreq=scipy_fftfreq, rfftfreq=scipy_rfftfreq,
    ),
}  # fmt: skip
"""By qualified names."""
