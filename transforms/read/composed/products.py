"""NumPy's products that are made of elementwise ones."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import anonymous, by_sizes, surely


@anonymous
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """np.cross of vectors of length 3, and of length 2, whose third component is 0."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    if axis is not None:
        axisa = axisb = axisc = axis
    a = a if axisa == -1 else np.moveaxis(a, axisa, -1)
    b = b if axisb == -1 else np.moveaxis(b, axisb, -1)
    for vectors in (a, b):
        if vectors.shape[-1] not in (2, 3):
            raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    if surely(a.shape[-1] == 2) or surely(b.shape[-1] == 2):
        return _of_planes(a, b, axisc)
    by_sizes(a.shape[-1] == 3)
    by_sizes(b.shape[-1] == 3)
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=axisc)


def _of_planes(a, b, axisc):
    third = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if a.shape[-1] == b.shape[-1]:
        return np.asarray(third)
    first, second = (a[..., 1] * b[..., 2], -(a[..., 0] * b[..., 2])) if a.shape[-1] == 2 else (-(a[..., 2] * b[..., 1]), a[..., 2] * b[..., 0])
    return np.stack((first, second, third), axis=axisc)
