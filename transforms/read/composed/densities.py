"""What scipy.stats.gaussian_kde gives. The class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np


class Density:
    """scipy.stats.gaussian_kde: normal densities around samples, `dataset` with a row for each variable."""

    def __init__(self, dataset, factor, weights):
        self.dataset, self.factor, self.weights = dataset, factor, weights
        self.d, self.n = dataset.shape
        gaps = dataset - (dataset @ weights)[:, np.newaxis]
        self.covariance = (gaps * weights) @ gaps.T / (1.0 - np.sum(weights**2)) * factor**2

    def logpdf(self, points):
        """The logarithm of the density at points (a column each)."""
        import scipy.special

        points = np.atleast_2d(np.asarray(points, np.float64))
        if points.shape[0] != self.d:
            if points.shape[0] == 1 and points.shape[1] == self.d:
                points = points.reshape(self.d, 1)
            else:
                raise ValueError(f"points have dimension {points.shape[0]}, dataset has dimension {self.d}")
        root = np.linalg.cholesky(self.covariance)
        gaps = np.linalg.solve(root, points[:, :, np.newaxis].transpose(1, 0, 2) - self.dataset[np.newaxis])
        energies = -0.5 * np.sum(gaps**2, axis=1)
        norm = np.sum(np.log(np.diagonal(root))) + 0.5 * self.d * np.log(2 * np.pi)
        return scipy.special.logsumexp(energies, axis=1, b=self.weights) - norm

    def evaluate(self, points):
        """The density at points (a column each)."""
        return np.exp(self.logpdf(points))

    def pdf(self, x):
        """As `evaluate`."""
        return self.evaluate(x)

    def __call__(self, points):
        return self.evaluate(points)
