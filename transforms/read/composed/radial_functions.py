"""scipy.interpolate.Rbf: sums of a function of the distances. The class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

_NAMES = {"inverse": "inverse_multiquadric", "inverse multiquadric": "inverse_multiquadric", "thin-plate": "thin_plate"}
_FUNCTIONS = ("multiquadric", "inverse_multiquadric", "gaussian", "linear", "cubic", "quintic", "thin_plate")


def _of_squares(squares, function, epsilon):
    """A function of distances, of their squares: at 0 it has a slope where the function of the points has one."""
    if function == "multiquadric":
        return np.sqrt(squares / epsilon**2 + 1.0)
    if function == "inverse_multiquadric":
        return 1.0 / np.sqrt(squares / epsilon**2 + 1.0)
    if function == "gaussian":
        return np.exp(-squares / epsilon**2)
    here = squares == 0.0
    safe = np.where(here, 1.0, squares)
    if function == "thin_plate":
        return np.where(here, 0.0, 0.5 * safe * np.log(safe))
    return np.where(here, 0.0, np.sqrt(safe) * safe ** {"linear": 0, "cubic": 1, "quintic": 2}[function])


class OldRadial:
    """What scipy.interpolate.Rbf gives."""

    def __init__(self, xi, di, function, epsilon, smooth):
        self.xi, self.di, self.function, self.epsilon, self.smooth, self.N = xi, di, function, epsilon, smooth, xi.shape[1]
        self.A = _of_squares(self._squares(xi), function, epsilon) - np.eye(xi.shape[1]) * smooth
        self.nodes = np.linalg.solve(self.A, di)

    def _squares(self, at):
        return np.sum((at.T[:, np.newaxis, :] - self.xi.T[np.newaxis, :, :]) ** 2, axis=-1)

    def __call__(self, *args):
        at = [np.asarray(each, dtype=np.float64) for each in args]
        if not all(each.shape == at[0].shape for each in at):
            raise ValueError("Array lengths must be equal")
        found = _of_squares(self._squares(np.stack([each.ravel() for each in at])), self.function, self.epsilon) @ self.nodes
        return found.reshape(at[0].shape + self.nodes.shape[1:])

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.interpolate.Rbf", "its values at points, nodes and epsilon")


def rbf(*args, **kwargs):
    """scipy.interpolate.Rbf by Euclidean distances: coordinates, values, and words."""
    for name in kwargs:
        if name not in ("function", "epsilon", "smooth", "norm", "mode"):
            unsupported(f"scipy.interpolate.Rbf(…, {name}=…)", "function, epsilon, smooth and mode")
    function, mode, epsilon = kwargs.get("function", "multiquadric"), kwargs.get("mode", "1-D"), kwargs.get("epsilon")
    if not isinstance(function, str) or kwargs.get("norm", "euclidean") != "euclidean":
        unsupported("scipy.interpolate.Rbf with a function or a norm of one's own", "function='gaussian' and the like")
    function = _NAMES.get(function.lower(), function.lower())
    if function not in _FUNCTIONS:
        raise ValueError("function must be a callable or one of " + ", ".join(sorted(_FUNCTIONS)))
    if mode not in ("1-D", "N-D"):
        raise ValueError("Mode has to be 1-D or N-D.")
    points = np.stack([np.asarray(each, dtype=np.float64).ravel() for each in args[:-1]])
    values = np.asarray(args[-1]).ravel() if mode == "1-D" else np.asarray(args[-1])
    if values.shape[0] != points.shape[1]:
        raise ValueError("All arrays must be equal length.")
    if epsilon is None:
        edges = np.max(points, axis=1) - np.min(points, axis=1)
        epsilon = (np.prod(np.where(edges == 0, 1.0, edges)) / points.shape[1]) ** (1.0 / np.count_nonzero(edges))
    return OldRadial(points, values, function, epsilon, kwargs.get("smooth", 0.0))


RADIAL_FUNCTIONS: dict[str, Any] = {"scipy.interpolate.Rbf": rbf}
"""By qualified name."""
