"""scipy.stats: further distributions of counts (`counts.py`)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.family import Counts, is_count, minus_infinity, one, positive, where_above, zero
from s2s.transforms.read.composed.special_by_name import betaln


def _skellam_logpmf(k, mu1, mu2):
    """By the Bessel function of the count, scaled."""
    import scipy.special as sp

    z = 2.0 * np.sqrt(mu1 * mu2)
    return -((np.sqrt(mu1) - np.sqrt(mu2)) ** 2) + k / 2.0 * np.log(mu1 / mu2) + np.log(sp.ive(np.abs(k), z))


def _skellam_cdf(k, mu1, mu2):
    """By the distribution of squares that are not centred."""
    import scipy.special as sp

    below, beyond = k < 0, np.isneginf(k)
    k = np.where(beyond, -1.0, k)
    low = np.where(beyond, 0.0, 1.0) * sp.chndtr(2.0 * mu2, np.where(below, -2.0 * k, 2.0), 2.0 * mu1)
    return np.where(below, low, 1.0 - sp.chndtr(2.0 * mu1, np.where(below, 2.0, 2.0 * (k + 1.0)), 2.0 * mu2))


SKELLAM = Counts("mu1, mu2", positive, minus_infinity, logpmf=_skellam_logpmf, cdf=_skellam_cdf, mean=lambda mu1, mu2: mu1 - mu2, var=lambda mu1, mu2: mu1 + mu2, example=(1.0, 1.5))


def _step_less(count, cdf, q):
    """1 less than a formula says, where that is enough."""
    less = np.maximum(count - 1.0, 0.0)
    return np.where(cdf(less) >= q, less, count)


PLANCK = Counts(
    "lambda_", positive, logpmf=lambda k, lambda_: np.log(-np.expm1(-lambda_)) - lambda_ * k, pmf=lambda k, lambda_: -np.expm1(-lambda_) * np.exp(-lambda_ * k), cdf=lambda k, lambda_: -np.expm1(-lambda_ * (k + 1.0)),
    sf=lambda k, lambda_: np.exp(-lambda_ * (k + 1.0)), logsf=lambda k, lambda_: -lambda_ * (k + 1.0),
    ppf=lambda q, lambda_: _step_less(np.ceil(-1.0 / lambda_ * np.log1p(-q) - 1.0), lambda k: -np.expm1(-lambda_ * (k + 1.0)), q),
    entropy=lambda lambda_: lambda_ * np.exp(-lambda_) / -np.expm1(-lambda_) - np.log(-np.expm1(-lambda_)), mean=lambda lambda_: 1.0 / np.expm1(lambda_),
    var=lambda lambda_: np.exp(-lambda_) / np.expm1(-lambda_) ** 2, example=(1.0,),
)  # fmt: skip


def _boltzmann_cdf(k, lambda_, N):
    return np.expm1(-lambda_ * (k + 1.0)) / np.expm1(-lambda_ * N)


BOLTZMANN = Counts(
    "lambda_, N", lambda lambda_, N: np.greater(lambda_, 0) & np.greater(N, 0) & np.equal(np.floor(N), N), zero, lambda lambda_, N: N - 1,
    logpmf=lambda k, lambda_, N: np.log(np.expm1(-lambda_) / np.expm1(-lambda_ * N)) - lambda_ * k, cdf=_boltzmann_cdf,
    ppf=lambda q, lambda_, N: _step_less(np.ceil(-1.0 / lambda_ * np.log1p(q * np.expm1(-lambda_ * N)) - 1.0), lambda k: _boltzmann_cdf(k, lambda_, N), q),
    mean=lambda lambda_, N: 1.0 / np.expm1(lambda_) - N / np.expm1(lambda_ * N),
    var=lambda lambda_, N: np.exp(-lambda_) / (1.0 - np.exp(-lambda_)) ** 2 - N * N * np.exp(-lambda_ * N) / (1.0 - np.exp(-lambda_ * N)) ** 2, example=(1.0, 3.0),
)  # fmt: skip


def _harmonic(n, a):
    """The sum of 1 / j**a for j up to n."""
    last = np.max(n, initial=0.0)
    j, total = 1.0, 0.0 * (n + a)
    while j <= last:
        total = total + np.where(j <= n, j**-a, 0.0)
        j += 1.0
    return total


ZIPFIAN = Counts(
    "a, n", lambda a, n: np.greater_equal(a, 0) & np.greater_equal(n, 1) & np.equal(np.floor(n), n), one, lambda a, n: n, logpmf=lambda k, a, n: -a * np.log(k) - np.log(_harmonic(n, a)),
    cdf=lambda k, a, n: _harmonic(np.floor(k), a) / _harmonic(n, a), sf=lambda k, a, n: (_harmonic(n, a) - _harmonic(np.floor(k), a)) / _harmonic(n, a),
    mean=lambda a, n: _harmonic(n, a - 1.0) / _harmonic(n, a), var=lambda a, n: _harmonic(n, a - 2.0) / _harmonic(n, a) - (_harmonic(n, a - 1.0) / _harmonic(n, a)) ** 2, example=(1.0, 2.0),
)  # fmt: skip


def _yulesimon_var(alpha):
    found = where_above(2.0, alpha, lambda alpha: alpha**2 / ((alpha - 2.0) * (alpha - 1.0) ** 2))
    return np.where(np.less_equal(alpha, 1), np.nan, found)


YULESIMON = Counts(
    "alpha", positive, one, logpmf=lambda k, alpha: np.log(alpha) + betaln(k, alpha + 1.0), cdf=lambda k, alpha: 1.0 - k * np.exp(betaln(k, alpha + 1.0)), sf=lambda k, alpha: k * np.exp(betaln(k, alpha + 1.0)),
    logsf=lambda k, alpha: np.log(k) + betaln(k, alpha + 1.0), mean=lambda alpha: where_above(1.0, alpha, lambda alpha: alpha / (alpha - 1.0)), var=_yulesimon_var, between=True, example=(1.5,),
)  # fmt: skip


def _nhypergeom_logpmf(k, M, n, r):
    none = (r == 0) & (k == 0)
    held = np.where(r == 0, 1.0, r)
    found = (
        -betaln(k + 1.0, held) + betaln(k + held, 1.0) - betaln(n - k + 1.0, M - r - n + 1.0) + betaln(M - r - k + 1.0, 1.0) + betaln(n + 1.0, M - n + 1.0) - betaln(M + 1.0, 1.0)
    )  # fmt: skip
    return np.where(none, 0.0, np.where(r == 0, -np.inf, found))


NHYPERGEOM = Counts(
    "M, n, r", lambda M, n, r: is_count(M) & is_count(n) & is_count(r) & np.less_equal(n, M) & np.less_equal(r, M - n), zero, lambda M, n, r: n, logpmf=_nhypergeom_logpmf,
    mean=lambda M, n, r: r * n / (M - n + 1.0), var=lambda M, n, r: r * (M + 1.0) * n / ((M - n + 1.0) * (M - n + 2.0)) * (1.0 - r / (M - n + 1.0)), example=(6.0, 3.0, 2.0),
)  # fmt: skip
BETANBINOM = Counts(
    "n, a, b", lambda n, a, b: is_count(n) & np.greater(a, 0) & np.greater(b, 0),
    logpmf=lambda k, n, a, b: -np.log(n + k) - betaln(n, k + 1.0) + betaln(a + n, b + k) - betaln(a, b), mean=lambda n, a, b: where_above(1.0, a, lambda a: n * b / (a - 1.0)),
    var=lambda n, a, b: where_above(2.0, a, lambda a: n * b * (n + a - 1.0) * (a + b - 1.0) / ((a - 2.0) * (a - 1.0) ** 2)), example=(2.0, 3.5, 1.5),
)  # fmt: skip

FURTHER = {"skellam": SKELLAM, "planck": PLANCK, "boltzmann": BOLTZMANN, "zipfian": ZIPFIAN, "yulesimon": YULESIMON, "nhypergeom": NHYPERGEOM, "betanbinom": BETANBINOM}
"""By SciPy's name."""
