"""What scipy.stats.gaussian_kde gives. The class is read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.given_generators import generator_of
from s2s.transforms.read.composed.marks import unsupported


def _normal_densities(gaps, covariance):
    """The normal density of this covariance at each column."""
    root = np.linalg.cholesky(covariance)
    energies = np.sum(np.linalg.solve(root, gaps) ** 2, axis=0)
    return np.exp(-0.5 * energies) / np.prod(np.diagonal(root) * np.sqrt(2.0 * np.pi))


class Density:
    """scipy.stats.gaussian_kde: normal densities around samples, `dataset` with a row for each variable."""

    def __init__(self, dataset, factor, weights):
        self.dataset, self.factor, self.weights = dataset, factor, weights
        self.d, self.n = dataset.shape
        gaps = dataset - (dataset @ weights)[:, np.newaxis]
        self.covariance = (gaps * weights) @ gaps.T / (1.0 - np.sum(weights**2)) * factor**2

    @property
    def neff(self):
        """How many samples of one weight would tell as much."""
        return 1.0 / np.sum(self.weights**2)

    def scotts_factor(self):
        """Scott's bandwidth."""
        return self.neff ** (-1.0 / (self.d + 4))

    def silverman_factor(self):
        """Silverman's bandwidth."""
        return (self.neff * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))

    def integrate_box_1d(self, low, high):
        """The integral between two numbers."""
        import scipy.special

        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        width = np.sqrt(self.covariance[0, 0])
        return np.sum(self.weights * (scipy.special.ndtr((high - self.dataset[0]) / width) - scipy.special.ndtr((low - self.dataset[0]) / width)))

    def integrate_gaussian(self, mean, cov):
        """The integral of the product with a normal density."""
        mean, cov = np.atleast_1d(np.squeeze(mean)), np.atleast_2d(cov)
        if mean.shape[0] != self.d:
            raise ValueError(f"mean does not have dimension {self.d}")
        return np.sum(self.weights * _normal_densities(self.dataset - mean[:, np.newaxis], self.covariance + cov))

    def integrate_kde(self, other):
        """The integral of the product with another density."""
        if other.d != self.d:
            raise ValueError("KDEs are not the same dimensionality")
        total = 0.0
        for k in range(other.n):
            total = total + other.weights[k] * np.sum(self.weights * _normal_densities(self.dataset - other.dataset[:, k : k + 1], self.covariance + other.covariance))
        return total

    def resample(self, size=None, seed=None):
        """Samples drawn from the density, a column each."""
        generator = generator_of(None, seed)
        count = int(self.neff) if size is None else size
        noise = generator.multivariate_normal(np.zeros(self.d), self.covariance, size=count)
        return self.dataset[:, generator.choice(self.n, size=count, p=self.weights)] + noise.T

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.stats.gaussian_kde", "pdf, logpdf, covariance, factor, neff, integrate_box_1d, integrate_gaussian, integrate_kde and resample")

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
