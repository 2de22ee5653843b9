"""scipy.ndimage: derivatives of images, smoothed ones, too, and filters of their Fourier transforms."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _floats, _of_each, gaussian_filter, into, pixels_for


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """scipy.ndimage.gaussian_laplace of floats: the sum of the second derivatives of the smoothed image."""
    x = _floats("gaussian_laplace", pixels_for("gaussian_laplace", input, output), None)
    if axes is not None:
        unsupported("scipy.ndimage.gaussian_laplace(…, axes=…)", "gaussian_filter along each")
    modes = _of_each(mode, x.ndim)
    found = _bent(x, 0, 2, sigma, modes[0], cval, kwargs)
    for axis in range(1, x.ndim):
        found = found + _bent(x, axis, 2, sigma, modes[axis], cval, kwargs)
    return into(found, output)


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """scipy.ndimage.gaussian_gradient_magnitude of floats."""
    x = _floats("gaussian_gradient_magnitude", pixels_for("gaussian_gradient_magnitude", input, output), None)
    if axes is not None:
        unsupported("scipy.ndimage.gaussian_gradient_magnitude(…, axes=…)", "gaussian_filter along each")
    modes = _of_each(mode, x.ndim)
    found = _bent(x, 0, 1, sigma, modes[0], cval, kwargs) ** 2
    for axis in range(1, x.ndim):
        found = found + _bent(x, axis, 1, sigma, modes[axis], cval, kwargs) ** 2
    return into(np.sqrt(found), output)


def _bent(x, axis, order, sigma, mode, cval, kwargs):
    return gaussian_filter(x, sigma, tuple([order if k == axis else 0 for k in range(x.ndim)]), None, mode, cval, **kwargs)


def _along_axes(name, input, derivative, output, mode, cval, extra_arguments, extra_keywords, axes, squared):
    """The sum over axes of what a function gives for each, or of its squares."""
    x, words = np.asarray(input), {} if extra_keywords is None else extra_keywords
    if axes is not None or output is not None or x.ndim == 0:
        unsupported(f"scipy.ndimage.{name} with axes or an output, or of a number", "the sum of what the function gives along each")
    found, modes = None, _of_each(mode, x.ndim)
    for axis in range(x.ndim):
        each = derivative(x, axis, None, modes[axis], cval, *extra_arguments, **words)
        each = each * each if squared else each
        found = each if found is None else found + each
    return found


def generic_gradient_magnitude(input, derivative, output=None, mode="reflect", cval=0.0, extra_arguments=(), extra_keywords=None, *, axes=None):
    """scipy.ndimage.generic_gradient_magnitude of floats."""
    if np.asarray(input).dtype.kind not in "fc":
        unsupported("scipy.ndimage.generic_gradient_magnitude of integers (a root is cut off)", "floats")
    return np.sqrt(_along_axes("generic_gradient_magnitude", input, derivative, output, mode, cval, extra_arguments, extra_keywords, axes, True))


def generic_laplace(input, derivative2, output=None, mode="reflect", cval=0.0, extra_arguments=(), extra_keywords=None, *, axes=None):
    """scipy.ndimage.generic_laplace."""
    return _along_axes("generic_laplace", input, derivative2, output, mode, cval, extra_arguments, extra_keywords, axes, False)


# ---- by frequencies -----------------------------------------------------------------------------------------------------------------------


def _by_frequencies(name, input, amount, n, axis, output, factor):
    """An image's Fourier transform, times a factor along each axis. `n`: how long the axis was of which half is there."""
    x = np.asarray(input)
    if output is not None:
        unsupported(f"scipy.ndimage.{name}(…, output=…)", "what it gives")
    shift = name == "fourier_shift"
    dtype = (x.dtype if x.dtype.kind == "c" else np.dtype(np.complex128)) if shift else x.dtype if x.dtype.kind == "c" or x.dtype == np.float32 else np.dtype(np.float64)
    amounts = [amount] * x.ndim if np.ndim(amount) == 0 else [amount[k] for k in range(x.ndim)]
    found = x.astype(np.complex128 if dtype.kind == "c" else np.float64)
    for k in range(x.ndim):
        length = x.shape[k]
        place = np.arange(length)
        halved = k == (axis if axis >= 0 else axis + x.ndim) and n >= 0
        whole = n if halved else length
        frequency = 1.0 * place if halved else np.where(place < (length + 1) // 2, place, place - length) * 1.0
        along = factor(frequency, amounts[k] * 1.0, whole)
        found = found * along.reshape((1,) * k + (-1,) + (1,) * (x.ndim - 1 - k))
    return found.astype(dtype)


def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """scipy.ndimage.fourier_gaussian."""
    return _by_frequencies("fourier_gaussian", input, sigma, n, axis, output, lambda k, width, whole: np.exp(-2.0 * (np.pi * width * k / whole) ** 2))


def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """scipy.ndimage.fourier_uniform."""
    return _by_frequencies("fourier_uniform", input, size, n, axis, output, lambda k, width, whole: np.sinc(width * k / whole))


def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """scipy.ndimage.fourier_shift."""
    return _by_frequencies("fourier_shift", input, shift, n, axis, output, lambda k, way, whole: np.exp(-2j * np.pi * (way * k / whole)))


IMAGES: dict[str, Any] = {
    f"scipy.ndimage.{function.__name__}": function
    for function in (gaussian_laplace, gaussian_gradient_magnitude, generic_gradient_magnitude, generic_laplace, fourier_gaussian, fourier_uniform, fourier_shift)
}
"""By qualified name."""
