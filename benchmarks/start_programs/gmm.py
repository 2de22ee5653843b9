"""The log-likelihood of a mixture of Gaussians, precisions by logarithmic diagonals and lower triangles."""
import numpy as np

ARGNUMS = (0, 1, 2)
STATIC = ()


def log_sum_exp(x, axis):
    """Without overflow."""
    top = np.max(x, axis=axis, keepdims=True)
    return np.sum(top, axis=axis) + np.log(np.sum(np.exp(x - top), axis=axis))


def loss(alphas, means, factors, x, gamma):
    """Minus the log-likelihood of the points x (n, d), with a Wishart prior's penalty."""
    n, d = x.shape
    diagonal = np.sum(factors * np.eye(d), axis=2)
    lower = factors * np.tri(d, d, -1)
    scale = lower + np.exp(diagonal)[:, :, np.newaxis] * np.eye(d)
    centred = x[:, np.newaxis, :] - means
    scaled = np.sum(scale[np.newaxis, :, :, :] * centred[:, :, np.newaxis, :], axis=3)
    inner = alphas + np.sum(diagonal, axis=1) - 0.5 * np.sum(scaled**2, axis=2)
    penalty = 0.5 * gamma**2 * (np.sum(np.exp(diagonal) ** 2) + np.sum(lower**2)) - np.sum(diagonal)
    return penalty - np.sum(log_sum_exp(inner, 1)) + n * log_sum_exp(alphas, 0)


def arguments():
    """Twenty points in three dimensions, four clusters."""
    rng = np.random.default_rng(0)
    return rng.normal(size=4), rng.normal(size=(4, 3)), 0.3 * rng.normal(size=(4, 3, 3)), rng.normal(size=(20, 3)), 1.0
