"""The check that every example makes of its gradient."""
from collections.abc import Callable

import numpy as np


def directional_error(loss: Callable[..., float], point: np.ndarray, gradient: np.ndarray, *, directions: int = 3, step: float = 1e-5) -> float:
    """The largest relative error of gradient . v against (loss(x + h v) - loss(x - h v)) / 2 h, over random unit v.

    `loss` is the plain NumPy function of one array; v leans on the gradient so that the derivative isn't small by chance.
    """
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(directions):
        v = rng.normal(size=point.shape) / np.sqrt(point.size) + gradient / np.linalg.norm(gradient)
        v /= np.linalg.norm(v)
        slope = (loss(point + step * v) - loss(point - step * v)) / (2 * step)
        worst = max(worst, abs(float(np.sum(gradient * v)) / slope - 1.0))
    return float(worst)
