"""s2s.random's distributions that are made of others, or reject: JAX's own algorithms, number by number (`jax.random`, version 0.10), so that its bits come out.

Gamma numbers: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; Poisson numbers: Knuth below a rate of 10, Hörmann, "The transformed
rejection method for generating Poisson random variables", 1993, above.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.gamma_slopes import moving
from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.random_checks import fitting, floats, single, sizes_of
from s2s.transforms.read.composed.random_keys import exponential, normal, normal_of, rademacher, split, threefry, uniform, unit


def _sizes(name: str, shape: Any, *parameters: Any) -> Any:
    shapes = [np.shape(each) for each in parameters]
    return np.broadcast_shapes(*shapes) if shape is None else fitting(name, shape, *shapes)


def _broadcast(x: Any, sizes: Any, dtype: Any) -> Any:
    return np.broadcast_to(np.asarray(x, dtype), sizes)


def gamma(key: Any, a: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the gamma distribution with this shape parameter and scale 1.

    >>> bool(gamma(np.array([0, 7]), 2.0) > 0)
    True
    """
    single("gamma", key)
    floats("gamma", dtype)
    return _gamma(key, a, shape, dtype, False)


def loggamma(key: Any, a: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Logarithms of gamma numbers, which are right for small parameters, too.

    >>> loggamma(np.array([0, 7]), np.ones(3)).shape
    (3,)
    """
    single("loggamma", key)
    floats("loggamma", dtype)
    return _gamma(key, a, shape, dtype, True)


def _gamma(key: Any, a: Any, shape: Any, dtype: Any, log_space: bool) -> Any:
    """All numbers at once, each from a key of its own; those that were rejected are drawn again."""
    sizes = _sizes("gamma", shape, a)
    slopes = np.ravel(_broadcast(np.asarray(a, dtype), sizes, dtype))
    given = constant(slopes)
    one, zero = np.asarray(1.0, dtype)[()], np.asarray(0.0, dtype)[()]
    alpha = np.where(given >= one, given, given + one)
    d = alpha - np.asarray(1.0 / 3.0, dtype)
    c = np.asarray(1.0 / 3.0, dtype) / np.sqrt(d)
    high, low = _halves(split(key, len(given)), 2)
    last = high[:, 1], low[:, 1]
    key_high, key_low = high[:, 0], low[:, 0]
    inner_high, inner_low, u_high, u_low = 0 * key_high, 0 * key_high, 0 * key_high, 0 * key_high
    cube, todo, new = np.full(len(given), one), np.full(len(given), True), np.full(len(given), True)
    while np.any(todo):
        high, low = _numbered(key_high, key_low, 3)
        again = todo & new
        key_high, key_low = np.where(again, high[:, 0], key_high), np.where(again, low[:, 0], key_low)
        inner_high, inner_low = np.where(again, high[:, 1], inner_high), np.where(again, low[:, 1], inner_low)
        u_high, u_low = np.where(again, high[:, 2], u_high), np.where(again, low[:, 2], u_low)
        high, low = _numbered(inner_high, inner_low, 2)
        inner_high, inner_low = high[:, 0], low[:, 0]
        x = normal_of(unit(threefry((high[:, 1], low[:, 1]), 0, 0), dtype), dtype)
        v = one + x * c
        u = unit(threefry((u_high, u_low), 0, 0), dtype)
        new = v > zero
        square, v = x * x, np.where(new, v * v * v, one)
        rejected = (u >= one - np.asarray(0.0331, dtype) * (square * square)) & (np.log(u) >= square * np.asarray(0.5, dtype) + d * (one - v + np.log(v)))
        cube = np.where(todo & new, v, cube)
        todo = todo & (rejected | ~new)
    numbers = unit(threefry(last, 0, 0), dtype)
    if log_space:
        logs = np.log1p(-numbers)
        return np.reshape(moving(slopes, np.log(d) + np.log(cube) + np.where((given >= one) | (logs == 0), zero, logs * (one / given)), True), sizes)[()]
    return np.reshape(moving(slopes, d * cube * np.where(given >= one, one, (one - numbers) ** (one / given)), False), sizes)[()]


def _halves(keys: Any, count: int) -> Any:
    """The words of so many keys made of each key."""
    return _numbered(keys[:, 0], keys[:, 1], count)


def _numbered(high: Any, low: Any, count: int) -> Any:
    return threefry((high[:, None], low[:, None]), 0, np.arange(count))


def beta(key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the beta distribution.

    >>> bool(0 < beta(np.array([0, 7]), 2.0, 3.0) < 1)
    True
    """
    single("beta", key)
    floats("beta", dtype)
    sizes = _sizes("beta", shape, a, b)
    keys = split(key)
    one, two = loggamma(keys[0], a, sizes, dtype), loggamma(keys[1], b, sizes, dtype)
    most = np.maximum(one, two)
    one, two = np.exp(one - most), np.exp(two - most)
    return one / (one + two)


def dirichlet(key: Any, alpha: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Vectors of the Dirichlet distribution, which sum to 1.

    >>> float(dirichlet(np.array([0, 7]), np.ones(3)).sum().round(12))
    1.0
    """
    single("dirichlet", key)
    floats("dirichlet", dtype)
    if np.ndim(alpha) < 1:
        raise ValueError(f"dirichlet requires alpha.ndim >= 1, got alpha.ndim == {np.ndim(alpha)}")
    sizes = np.shape(alpha)[:-1] if shape is None else sizes_of(shape)
    logs = loggamma(key, alpha, (*sizes, np.shape(alpha)[-1]), dtype)
    scaled = np.exp(logs - np.max(logs, axis=-1, keepdims=True))
    return scaled / np.sum(scaled, axis=-1, keepdims=True)


def chisquare(key: Any, df: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the chi-square distribution.

    >>> bool(chisquare(np.array([0, 7]), 3.0) > 0)
    True
    """
    single("chisquare", key)
    floats("chisquare", dtype)
    return np.exp(loggamma(key, np.asarray(df, dtype) / 2, _sizes("chisquare", shape, df), dtype)) * np.asarray(2, dtype)


def f(key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the F distribution.

    >>> bool(f(np.array([0, 7]), 3.0, 4.0) > 0)
    True
    """
    single("f", key)
    floats("f", dtype)
    sizes = _sizes("f", shape, dfnum, dfden)
    keys = split(key)
    return (chisquare(keys[1], dfnum, sizes, dtype) / np.asarray(dfnum, dtype)) / (chisquare(keys[0], dfden, sizes, dtype) / np.asarray(dfden, dtype))


def t(key: Any, df: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of Student's t distribution.

    >>> t(np.array([0, 7]), 3.0, (2,)).shape
    (2,)
    """
    single("t", key)
    floats("t", dtype)
    sizes = _sizes("t", shape, df)
    keys = split(key)
    half = np.asarray(df, dtype) / 2
    return normal(keys[0], sizes, dtype) * np.sqrt(half / gamma(keys[1], half, sizes, dtype))


def pareto(key: Any, b: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the Pareto distribution.

    >>> bool(pareto(np.array([0, 7]), 3.0) >= 1)
    True
    """
    single("pareto", key)
    floats("pareto", dtype)
    return np.exp(exponential(key, _sizes("pareto", shape, b), dtype) / np.asarray(b, dtype))


def lognormal(key: Any, sigma: Any = 1.0, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers whose logarithms are normal.

    >>> bool(lognormal(np.array([0, 7])) > 0)
    True
    """
    single("lognormal", key)
    floats("lognormal", dtype)
    return np.exp(normal(key, _sizes("lognormal", shape, sigma), dtype) * np.asarray(sigma, dtype))


def rayleigh(key: Any, scale: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the Rayleigh distribution.

    >>> bool(rayleigh(np.array([0, 7]), 1.0) > 0)
    True
    """
    single("rayleigh", key)
    floats("rayleigh", dtype)
    sizes = _sizes("rayleigh", shape, scale)
    return np.asarray(scale, dtype) * np.sqrt(np.log(uniform(key, sizes, dtype)) * np.asarray(-2, dtype))


def weibull_min(key: Any, scale: Any, concentration: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Weibull distribution.

    >>> bool(weibull_min(np.array([0, 7]), 1.0, 2.0) > 0)
    True
    """
    single("weibull_min", key)
    floats("weibull_min", dtype)
    return (-np.log1p(-uniform(key, shape, dtype))) ** (1.0 / concentration) * scale


def wald(key: Any, mean: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the inverse Gaussian distribution with scale 1.

    >>> bool(wald(np.array([0, 7]), 2.0) > 0)
    True
    """
    single("wald", key)
    floats("wald", dtype)
    sizes = _sizes("wald", shape, mean)
    keys = split(key)
    mean = np.asarray(mean, dtype)
    v, z = normal(keys[0], sizes, dtype), uniform(keys[1], sizes, dtype)
    y = v * v
    x = mean + mean * mean * y / 2 - mean / 2 * np.sqrt(4 * mean * y + mean * mean * (y * y))
    return np.where(z <= mean / (mean + x), x, mean * mean / x)


def triangular(key: Any, left: Any, mode: Any, right: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Numbers of the triangular distribution.

    >>> bool(0 <= triangular(np.array([0, 7]), 0.0, 1.0, 2.0) <= 2)
    True
    """
    single("triangular", key)
    floats("triangular", dtype)
    left, mode, right = np.asarray(left, dtype), np.asarray(mode, dtype), np.asarray(right, dtype)
    u = uniform(key, _sizes("triangular", shape, left, mode, right), dtype)
    below, above = left + np.sqrt(u * (right - left) * (mode - left)), right - np.sqrt((1 - u) * (right - left) * (right - mode))
    return np.where(u < (mode - left) / (right - left), below, above)


def geometric(key: Any, p: Any, shape: Any = None, dtype: Any = None) -> Any:
    """How many trials it takes until one succeeds, each with probability p.

    >>> bool(geometric(np.array([0, 7]), 0.5) >= 1)
    True
    """
    single("geometric", key)
    p = np.asarray(p)
    u = uniform(key, _sizes("geometric", shape, p), p.dtype if p.dtype.kind == "f" else np.float64)
    return (np.floor(np.log(np.where(u == 0, 1.0, u)) / np.log1p(-p)) + 1).astype(np.int64 if dtype is None else dtype)[()]


def maxwell(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Maxwell distribution.

    >>> bool(maxwell(np.array([0, 7])) > 0)
    True
    """
    single("maxwell", key)
    floats("maxwell", dtype)
    x = normal(key, (*sizes_of(shape), 3), dtype)
    return np.sqrt(np.sum(x * x, axis=-1))


def double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Maxwell distribution with random signs.

    >>> double_sided_maxwell(np.array([0, 7]), 0.0, 1.0, (2,)).shape
    (2,)
    """
    single("double_sided_maxwell", key)
    floats("double_sided_maxwell", dtype)
    own = np.broadcast_shapes(np.shape(loc), np.shape(scale))
    sizes = (*(sizes_of(shape) or own), *own)
    keys = split(key)
    return rademacher(keys[1], sizes, dtype) * maxwell(keys[0], sizes, dtype) * scale + loc


def generalized_normal(key: Any, p: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers with the density exp(-|x| ** p), up to a factor.

    >>> generalized_normal(np.array([0, 7]), 2.0, (2,)).shape
    (2,)
    """
    single("generalized_normal", key)
    floats("generalized_normal", dtype)
    keys = split(key)
    return rademacher(keys[1], shape, dtype) * gamma(keys[0], 1 / p, shape, dtype) ** (1 / p)


def ball(key: Any, d: int, p: Any = 2, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Points of the ball of dimension d in the norm of order p.

    >>> bool(np.linalg.norm(ball(np.array([0, 7]), 3)) < 1)
    True
    """
    single("ball", key)
    floats("ball", dtype)
    keys = split(key)
    g = generalized_normal(keys[0], p, (*sizes_of(shape), d), dtype)
    e = exponential(keys[1], shape, dtype)
    return g / (np.sum(np.abs(g) ** p, axis=-1) + e)[..., None] ** (1 / p)


def orthogonal(key: Any, n: int, shape: Any = (), dtype: Any = np.float64, m: Any = None) -> Any:
    """Orthogonal matrices of n rows and m columns (n).

    >>> orthogonal(np.array([0, 7]), 2, m=3).shape
    (2, 3)
    """
    single("orthogonal", key)
    floats("orthogonal", dtype)
    columns = n if m is None else m
    z = normal(key, (*sizes_of(shape), max(n, columns), min(n, columns)), dtype)
    q, r = np.linalg.qr(z)
    x = q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :]
    return np.swapaxes(x, -1, -2) if n < columns else x


def poisson(key: Any, lam: Any, shape: Any = None, dtype: Any = None) -> Any:
    """Numbers of events at this rate.

    >>> int(poisson(np.array([0, 7]), 0.0))
    0
    """
    single("poisson", key)
    sizes = _sizes("poisson", shape, lam)
    rates = np.ravel(_broadcast(lam, sizes, np.float32))  # JAX's, whatever the dtype of lam
    few = np.isnan(rates) | (rates < 10)
    counts = np.where(few, _knuth(key, np.where(few, rates, np.float32(0.0)), sizes), _rejected(key, np.where(few, np.float32(1e5), rates), sizes))
    return np.reshape(np.where(rates == 0, np.float32(0.0), counts), sizes).astype(np.int64 if dtype is None else dtype)[()]


def _knuth(key: Any, rates: Any, sizes: Any) -> Any:
    """Uniform numbers are multiplied until they are small enough: their logarithms in float32, as JAX has them."""
    counts, logs = np.zeros(len(rates), np.float32), np.zeros(len(rates), np.float32)
    while np.any(logs > -rates):
        pair = split(key)
        key = pair[0]
        counts = np.where(logs > -rates, counts + 1, counts)
        logs = logs + np.log(np.ravel(uniform(pair[1], sizes, np.float32)))
    return counts - 1


def _rejected(key: Any, rates: Any, sizes: Any) -> Any:
    from scipy.special import gammaln

    b = 0.931 + 2.53 * np.sqrt(rates)
    a = -0.059 + 0.02483 * b
    inv_alpha, v_r = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    counts, accepted = np.full(len(rates), -1.0, np.float32), np.zeros(len(rates), np.bool_)
    while not np.all(accepted):
        keys = split(key, 3)
        key = keys[0]
        u, v = np.ravel(uniform(keys[1], sizes, np.float32)) - np.float32(0.5), np.ravel(uniform(keys[2], sizes, np.float32))
        inner = 0.5 - np.abs(u)
        k = np.floor((2 * a / inner + b) * u + rates + 0.43)
        s = np.log(v * inv_alpha / (a / (inner * inner) + b))
        most = -rates + k * np.log(rates) - gammaln(np.maximum(k, 0.0) + 1)
        accept = ((inner >= 0.07) & (v <= v_r)) | (~((k < 0) | ((inner < 0.013) & (v > inner))) & (s <= most))
        counts = np.where(accept, k, counts)
        accepted = accepted | accept
    return counts


EXPORTED = {
    function.__name__: function
    for function in (
        gamma, loggamma, beta, dirichlet, chisquare, f, t, pareto, lognormal, rayleigh, weibull_min, wald, triangular, geometric, maxwell, double_sided_maxwell,
        generalized_normal, ball, orthogonal, poisson,
    )
}  # fmt: skip
"""By the names that they have in s2s.random."""
