"""scipy.stats: skewness and excess of the kurtosis of distributions beyond the usual ones, by their textbook formulas (Johnson, Kotz and Balakrishnan; Forbes et al., Statistical Distributions)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import Formula

PI = np.pi
ZETA_3 = 1.2020569031595942


def _above(bound, shape, formula):
    """The formula where the shape is above a bound, else nan."""
    there = np.greater(shape, bound)
    return np.where(there, formula(np.where(there, shape, bound + 1.0)), np.nan)


def _weibull_parts(c):
    import scipy.special as sp

    first, second, third, fourth = (sp.gamma(1.0 + k / c) for k in (1.0, 2.0, 3.0, 4.0))
    variance = second - first * first
    return (third - 3.0 * first * variance - first**3) / variance**1.5, (fourth - 4.0 * first * third + 6.0 * first**2 * second - 3.0 * first**4) / variance**2 - 3.0


def _pareto_skew(b):
    return _above(3.0, b, lambda b: 2.0 * (1.0 + b) * np.sqrt(b - 2.0) / ((b - 3.0) * np.sqrt(b)))


def _pareto_kurtosis(b):
    return _above(4.0, b, lambda b: 6.0 * (b**3 + b * b - 6.0 * b - 2.0) / (b * (b - 3.0) * (b - 4.0)))


def _f_skew(m, n):
    return _above(6.0, n, lambda n: (2.0 * m + n - 2.0) * np.sqrt(8.0 * (n - 4.0)) / ((n - 6.0) * np.sqrt(m * (m + n - 2.0))))


def _f_kurtosis(m, n):
    return _above(8.0, n, lambda n: 12.0 * (m * (5.0 * n - 22.0) * (m + n - 2.0) + (n - 4.0) * (n - 2.0) ** 2) / (m * (n - 6.0) * (n - 8.0) * (m + n - 2.0)))


def _tilt(a):
    """The mean of a skewed normal number, of scale 1."""
    return np.sqrt(2.0 / PI) * a / np.sqrt(1.0 + a * a)


def _skewnorm_skew(a):
    return (4.0 - PI) / 2.0 * (_tilt(a) / np.sqrt(1.0 - _tilt(a) ** 2)) ** 3


def _skewnorm_kurtosis(a):
    return 2.0 * (PI - 3.0) * (_tilt(a) ** 2 / (1.0 - _tilt(a) ** 2)) ** 2


def _hypergeom_skew(M, n, N):
    return (M - 2.0 * n) * np.sqrt(M - 1.0) * (M - 2.0 * N) / (np.sqrt(n * (M - n) * N * (M - N)) * (M - 2.0))


def _hypergeom_kurtosis(M, n, N):
    both, drawn = n * (M - n), N * (M - N)
    return ((M - 1.0) * M * M * (M * (M + 1.0) - 6.0 * drawn - 6.0 * both) + 6.0 * both * drawn * (5.0 * M - 6.0)) / (both * drawn * (M - 2.0) * (M - 3.0))


def _randint_kurtosis(low, high):
    square = (high - low) ** 2
    return -6.0 * (square + 1.0) / (5.0 * (square - 1.0))


HIGHER: dict[str, tuple[Formula, Formula]] = {
    "gumbel_r": (lambda: 12.0 * np.sqrt(6.0) / PI**3 * ZETA_3, lambda: 2.4), "gumbel_l": (lambda: -12.0 * np.sqrt(6.0) / PI**3 * ZETA_3, lambda: 2.4),
    "rayleigh": (lambda: 2.0 * (PI - 3.0) * np.sqrt(PI) / (4.0 - PI) ** 1.5, lambda: -(6.0 * PI**2 - 24.0 * PI + 16.0) / (4.0 - PI) ** 2),
    "maxwell": (lambda: np.sqrt(2.0) * (32.0 - 10.0 * PI) / (3.0 * PI - 8.0) ** 1.5, lambda: (-12.0 * PI**2 + 160.0 * PI - 384.0) / (3.0 * PI - 8.0) ** 2),
    "halfnorm": (lambda: np.sqrt(2.0) * (4.0 - PI) / (PI - 2.0) ** 1.5, lambda: 8.0 * (PI - 3.0) / (PI - 2.0) ** 2), "moyal": (lambda: 28.0 * np.sqrt(2.0) * ZETA_3 / PI**3, lambda: 4.0),
    "semicircular": (lambda: 0.0, lambda: -1.0), "arcsine": (lambda: 0.0, lambda: -1.5), "hypsecant": (lambda: 0.0, lambda: 2.0), "anglit": (lambda: 0.0, lambda: -2.0 * (PI**4 - 96.0) / (PI**2 - 8.0) ** 2),
    "weibull_min": (lambda c: _weibull_parts(c)[0], lambda c: _weibull_parts(c)[1]), "weibull_max": (lambda c: -_weibull_parts(c)[0], lambda c: _weibull_parts(c)[1]),
    "pareto": (_pareto_skew, _pareto_kurtosis), "lomax": (_pareto_skew, _pareto_kurtosis), "invgauss": (lambda mu: 3.0 * np.sqrt(mu), lambda mu: 15.0 * mu), "wald": (lambda: 3.0, lambda: 15.0),
    "f": (_f_skew, _f_kurtosis), "triang": (lambda c: np.sqrt(2.0) * (2.0 * c - 1.0) * (c + 1.0) * (c - 2.0) / (5.0 * (1.0 - c + c * c) ** 1.5), lambda c: -0.6 + 0.0 * c),
    "skewnorm": (_skewnorm_skew, _skewnorm_kurtosis), "erlang": (lambda a: 2.0 / np.sqrt(a), lambda a: 6.0 / a),
    "invgamma": (lambda a: _above(3.0, a, lambda a: 4.0 * np.sqrt(a - 2.0) / (a - 3.0)), lambda a: _above(4.0, a, lambda a: 6.0 * (5.0 * a - 11.0) / ((a - 3.0) * (a - 4.0)))),
    "powerlaw": (lambda a: 2.0 * (1.0 - a) / (a + 3.0) * np.sqrt((a + 2.0) / a), lambda a: 6.0 * (a**3 - a * a - 6.0 * a + 2.0) / (a * (a + 3.0) * (a + 4.0))),
    "nbinom": (lambda n, p: (2.0 - p) / np.sqrt(n * (1.0 - p)), lambda n, p: 6.0 / n + p * p / (n * (1.0 - p))), "hypergeom": (_hypergeom_skew, _hypergeom_kurtosis),
    "skellam": (lambda a, b: (a - b) / np.sqrt((a + b) ** 3), lambda a, b: 1.0 / (a + b)), "planck": (lambda rate: 2.0 * np.cosh(rate / 2.0), lambda rate: 4.0 + 2.0 * np.cosh(rate)),
    "dlaplace": (lambda a: 0.0 * a, lambda a: np.cosh(a) + 2.0), "randint": (lambda low, high: 0.0 * (low + high), _randint_kurtosis),
}  # fmt: skip
"""By SciPy's name."""
