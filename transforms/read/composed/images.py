"""scipy.ndimage: derivatives of smoothed images."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.signals import _floats, gaussian_filter


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """scipy.ndimage.gaussian_laplace of floats: the sum of the second derivatives of the smoothed image."""
    x = _floats("gaussian_laplace", input, output)
    if axes is not None:
        unsupported("scipy.ndimage.gaussian_laplace(…, axes=…)", "gaussian_filter along each")
    found = _bent(x, 0, 2, sigma, mode, cval, kwargs)
    for axis in range(1, x.ndim):
        found = found + _bent(x, axis, 2, sigma, mode, cval, kwargs)
    return found


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """scipy.ndimage.gaussian_gradient_magnitude of floats."""
    x = _floats("gaussian_gradient_magnitude", input, output)
    if axes is not None:
        unsupported("scipy.ndimage.gaussian_gradient_magnitude(…, axes=…)", "gaussian_filter along each")
    found = _bent(x, 0, 1, sigma, mode, cval, kwargs) ** 2
    for axis in range(1, x.ndim):
        found = found + _bent(x, axis, 1, sigma, mode, cval, kwargs) ** 2
    return np.sqrt(found)


def _bent(x, axis, order, sigma, mode, cval, kwargs):
    return gaussian_filter(x, sigma, tuple([order if k == axis else 0 for k in range(x.ndim)]), None, mode, cval, **kwargs)


IMAGES: dict[str, Any] = {f"scipy.ndimage.{function.__name__}": function for function in (gaussian_laplace, gaussian_gradient_magnitude)}
"""By qualified name."""
