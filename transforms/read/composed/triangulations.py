"""scipy.interpolate.LinearNDInterpolator of two variables: planes over the triangles into which Qhull divides the points.

Which triangles these are is SciPy's choice where four points lie on a circle, so that SciPy is called for them, a callback of the program: a module that is emitted for such a function
imports s2s for it. Derivatives are those of the planes.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.callbacks import pure_callback
from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.spline_classes import Planes


def triangles(points):
    """The corners of each triangle, -1 in the rows behind the last one. It is not read."""
    import scipy.spatial

    found = np.full((2 * points.shape[0], 3), -1, np.int64)
    made = scipy.spatial.Delaunay(points).simplices
    found[: made.shape[0]] = made
    return found


def linear(points, values, fill_value=np.nan, rescale=False):
    """scipy.interpolate.LinearNDInterpolator of two variables."""
    points = np.stack(np.broadcast_arrays(*points), axis=-1) if isinstance(points, tuple) else np.asarray(points)
    values = np.asarray(values)
    if points.ndim != 2:
        raise ValueError("invalid shape for input data points")
    if points.shape[1] != 2:
        raise NotImplementedError("scipy.interpolate.LinearNDInterpolator of other than two variables is not supported: scipy.interpolate.RBFInterpolator")
    if points.shape[0] != values.shape[0]:
        raise ValueError("different number of values and points")
    points = points.astype(np.float64)
    still = constant(points)
    if rescale:
        width = np.max(still, axis=0) - np.min(still, axis=0)
        still = (still - np.mean(still, axis=0)) / np.where(width > 0, width, 1.0)
    corners = pure_callback(triangles, np.zeros((2 * points.shape[0], 3), np.int64), still, vmap_method="sequential")
    return Planes(points, values.astype(np.complex128 if values.dtype.kind == "c" else np.float64), corners, fill_value)


TRIANGULATIONS: dict[str, Any] = {"scipy.interpolate.LinearNDInterpolator": linear}
"""By qualified name."""
