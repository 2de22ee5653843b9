"""s2s.image as plain NumPy: along each axis a product with a matrix of weights. Contracts: those of `jax.image` (documentation of version 0.10).

Sources: Keys, "Cubic convolution interpolation for digital image processing" (1981); Turkowski, "Filters for common resampling tasks" (1990).
"""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import surely


class ResizeMethod(enum.Enum):
    """How `resize` finds what lies between pixels.

    >>> from s2s.image import resize
    >>> resize(np.array([0.0, 1.0]), (4,), ResizeMethod.LINEAR)
    array([0.  , 0.25, 0.75, 1.  ])
    """

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """The method of this name."""
        return method_of(s)


NAMES = {
    "nearest": ResizeMethod.NEAREST, **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR), "lanczos3": ResizeMethod.LANCZOS3,
    "lanczos5": ResizeMethod.LANCZOS5, **dict.fromkeys(("cubic", "bicubic", "tricubic"), ResizeMethod.CUBIC), "area": ResizeMethod.AREA,
    **dict.fromkeys(("cubic-pytorch", "bicubic-pytorch"), ResizeMethod.CUBIC_PYTORCH),
}  # fmt: skip
"""What the methods are called."""
SMALLEST = 1000.0 * 2.0**-23
"""Sums of weights up to this are none."""


def method_of(method: Any) -> ResizeMethod:
    """A method, or that of a name."""
    if not isinstance(method, str):
        return method
    if method not in NAMES:
        raise ValueError(f'Unknown resize method "{method}"')
    return NAMES[method]


def _triangle(x: Any) -> Any:
    return np.maximum(0.0, 1.0 - x)


def _lanczos(radius: float) -> Callable[[Any], Any]:
    def kernel(x: Any) -> Any:
        apart = x > 1e-3
        angle = np.pi * np.where(apart, x, 1.0)
        return np.where(x > radius, 0.0, np.where(apart, radius * np.sin(angle) * np.sin(angle / radius) / angle**2, 1.0))

    return kernel


def _cubic(slope: float) -> Callable[[Any], Any]:
    """Keys's kernel, whose slope at 1 is given."""
    def kernel(x: Any) -> Any:
        near = ((slope + 2.0) * x - (slope + 3.0)) * x * x + 1.0
        far = ((slope * x - 5.0 * slope) * x + 8.0 * slope) * x - 4.0 * slope
        return np.where(x >= 2.0, 0.0, np.where(x >= 1.0, far, near))

    return kernel


def _kernel(method: ResizeMethod) -> Callable[[Any], Any]:
    if method == ResizeMethod.LINEAR:
        return _triangle
    if method == ResizeMethod.LANCZOS3:
        return _lanczos(3.0)
    if method == ResizeMethod.LANCZOS5:
        return _lanczos(5.0)
    return _cubic(-0.75 if method == ResizeMethod.CUBIC_PYTORCH else -0.5)


def _weights(count: int, wanted: int, scale: Any, translation: Any, method: ResizeMethod, antialias: bool) -> Any:
    """How much each of `count` pixels counts for each of the `wanted` ones, in columns that sum to 1."""
    step = 1.0 / scale
    centres = (np.arange(wanted) + 0.5) * step - translation * step - 0.5
    if method == ResizeMethod.AREA:
        left, pixels = (np.arange(wanted) * step - translation * step)[np.newaxis, :], np.arange(count)[:, np.newaxis]
        weights = np.maximum(0.0, np.minimum(left + step, pixels + 1.0) - np.maximum(left, 1.0 * pixels))
    elif method == ResizeMethod.CUBIC_PYTORCH and not antialias:
        return _summing_to_one(_repeating_edges(_cubic(-0.75)(np.abs(centres[np.newaxis, :] - np.arange(-2, count + 2)[:, np.newaxis]))))
    else:
        width = np.maximum(step, 1.0) if antialias else 1.0
        weights = _kernel(ResizeMethod.CUBIC if method == ResizeMethod.CUBIC_PYTORCH else method)(np.abs(centres[np.newaxis, :] - np.arange(count)[:, np.newaxis]) / width)
    return np.where((centres >= -0.5) & (centres <= count - 0.5), _summing_to_one(weights), 0.0)


def _repeating_edges(weights: Any) -> Any:
    """Those of the two pixels before and behind are the edges' own."""
    inside = np.array(weights[2:-2])
    inside[0] += weights[0] + weights[1]
    inside[-1] += weights[-2] + weights[-1]
    return inside


def _summing_to_one(weights: Any) -> Any:
    total = np.sum(weights, axis=0)
    some = np.abs(total) > SMALLEST
    return np.where(some, weights / np.where(some, total, 1.0), 0.0)


def _inexact(x: Any) -> Any:
    x = np.asarray(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _along(image: Any, axis: int, weights: Any) -> Any:
    return np.moveaxis(np.tensordot(image, weights.astype(image.dtype), axes=((axis,), (0,))), -1, axis)


def _check_shape(image: Any, shape: Sequence[int]) -> None:
    if len(shape) != np.ndim(image):
        raise ValueError(f"shape must have length equal to the number of dimensions of x;  {tuple(shape)} vs {np.shape(image)}")


def resize(image: Any, shape: Sequence[int], method: Any, antialias: bool = True, precision: Any = None) -> Any:
    """The image in another size, along each axis whose length changes; where it shrinks the filter grows, unless `antialias=False`.

    >>> resize(np.array([0.0, 1.0, 2.0, 3.0]), (2,), "linear")
    array([0.71428571, 2.28571429])
    >>> resize(np.array([[0.0, 1.0]]), (1, 4), "nearest")
    array([[0., 0., 1., 1.]])
    """
    method = method_of(method)
    _check_shape(image, shape)
    image = np.asarray(image) if method == ResizeMethod.NEAREST else _inexact(image)
    for axis in range(image.ndim):
        before, after = image.shape[axis], shape[axis]
        if surely(before == after):
            continue
        if method == ResizeMethod.NEAREST:
            places = (np.arange(after, dtype=np.float32) + np.float32(0.5)) * np.float32(before) / np.float32(after)  # in the precision of JAX's own
            image = np.take(image, np.floor(places).astype(np.int64), axis=axis)
        else:
            image = _along(image, axis, _weights(before, after, after / before if after else 1.0, 0.0, method, antialias))
    return image


def scale_and_translate(
    image: Any, shape: Sequence[int], spatial_dims: Sequence[int], scale: Any, translation: Any, method: Any, antialias: bool = True, precision: Any = None,
) -> Any:  # fmt: skip
    """The image of this shape in which the pixel at x lies at x * scale + translation along each of these axes; zero where the image has nothing.

    >>> scale_and_translate(np.array([0.0, 1.0, 2.0]), (3,), (0,), np.array([1.0]), np.array([0.5]), "linear")
    array([0. , 0.5, 1.5])
    """
    method = method_of(method)
    _check_shape(image, shape)
    if method == ResizeMethod.NEAREST:
        raise ValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    image, scale, translation = _inexact(image), _inexact(scale), _inexact(translation)
    for k, axis in enumerate(spatial_dims):
        image = _along(image, axis % image.ndim, _weights(image.shape[axis], shape[axis], scale[k], translation[k], method, antialias))
    return image


EXPORTED: dict[str, Callable[..., Any]] = {"resize": resize, "scale_and_translate": scale_and_translate}
"""By the names that they have in s2s.image."""
