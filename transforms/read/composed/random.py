"""Methods of NumPy's random generators: `rng` draws what `drawn` names, the rest is arithmetic, which is differentiated.

So `rng.normal(mu, sigma)` is mu + sigma * z, with derivatives by mu and sigma, and z is a constant. A method of RandomState stands in RANDOM_STATE
where it draws by another algorithm than Generator's.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.drawing import drawn, polar
from s2s.transforms.read.composed.marks import unsupported


def _shape(size, *given):
    found = np.broadcast_shapes(*[np.shape(each) for each in given])
    if size is None:
        return found
    shape = tuple(size) if isinstance(size, tuple | list) else (size,)
    for each in given:
        np.broadcast_to(each, shape)
    return shape


def _double(x):
    return np.float64(x) if np.ndim(x) == 0 else np.asarray(x, dtype=np.float64)


def _result(x, size):
    """Without a size and with numbers only Python's float."""
    if np.ndim(x):
        return x
    return float(x) if size is None else np.asarray(x)


def _count(x, size):
    if np.ndim(x):
        return x
    return int(x) if size is None else np.asarray(x)


def _require(holds, message):
    if not np.all(holds):
        raise ValueError(message)


def _letter(dtype, name):
    """The ending of what is drawn of a float dtype."""
    chosen = np.dtype(dtype).name
    if chosen == "float32":
        return "_f"
    if chosen != "float64":
        raise TypeError(f"Unsupported dtype dtype('{chosen}') for {name}")
    return ""


def _without(out):
    if out is not None:
        unsupported("out= of random numbers", "x[...] = rng.random(x.shape)")


# ---- what is drawn directly ------------------------------------------------------------------------------------------------


def random(rng, size=None, dtype=np.float64, out=None):
    """rng.random."""
    _without(out)
    return _result(drawn(rng, "uniform" + _letter(dtype, "random"), _shape(size)), size)


def standard_normal(rng, size=None, dtype=np.float64, out=None):
    """rng.standard_normal."""
    _without(out)
    return _result(drawn(rng, "normal" + _letter(dtype, "standard_normal"), _shape(size)), size)


def standard_exponential(rng, size=None, dtype=np.float64, method="zig", out=None):
    """rng.standard_exponential."""
    _without(out)
    if method != "zig":
        unsupported("rng.standard_exponential(method='inv')", "method='zig'")
    return _result(drawn(rng, "exponential" + _letter(dtype, "standard_exponential"), _shape(size)), size)


# ---- numbers that are shifted and scaled --------------------------------------------------------------------------------------


def normal(rng, loc=0.0, scale=1.0, size=None):
    """rng.normal."""
    return _located(drawn(rng, "normal", _checked_shape(size, loc, scale)), loc, scale, size)


def _checked_shape(size, loc, scale):
    _require(~(np.asarray(scale) < 0), "scale < 0")
    return _shape(size, loc, scale)


def _located(z, loc, scale, size):
    return _result(_double(loc) + _double(scale) * z, size)


def uniform(rng, low=0.0, high=1.0, size=None):
    """rng.uniform."""
    shape = _shape(size, low, high)
    low = _double(low)
    span = _double(high) - low
    if not np.all(np.isfinite(span)):
        raise OverflowError("high - low range exceeds valid bounds")
    return _result(low + span * drawn(rng, "uniform", shape), size)


def exponential(rng, scale=1.0, size=None):
    """rng.exponential."""
    return _result(_double(scale) * drawn(rng, "exponential", _checked_shape(size, 0.0, scale)), size)


def lognormal(rng, mean=0.0, sigma=1.0, size=None):
    """rng.lognormal."""
    _require(~(np.asarray(sigma) < 0), "sigma < 0")
    return _result(np.exp(_double(mean) + _double(sigma) * drawn(rng, "normal", _shape(size, mean, sigma))), size)


def laplace(rng, loc=0.0, scale=1.0, size=None):
    """rng.laplace."""
    return _located(drawn(rng, "laplace", _checked_shape(size, loc, scale), 0.0, 1.0), loc, scale, size)


def gumbel(rng, loc=0.0, scale=1.0, size=None):
    """rng.gumbel."""
    return _located(drawn(rng, "gumbel", _checked_shape(size, loc, scale), 0.0, 1.0), loc, scale, size)


def logistic(rng, loc=0.0, scale=1.0, size=None):
    """rng.logistic."""
    return _located(drawn(rng, "logistic", _checked_shape(size, loc, scale), 0.0, 1.0), loc, scale, size)


def rayleigh(rng, scale=1.0, size=None):
    """rng.rayleigh."""
    return _result(_double(scale) * np.sqrt(2.0 * drawn(rng, "exponential", _checked_shape(size, 0.0, scale))), size)


def weibull(rng, a, size=None):
    """rng.weibull."""
    _require(np.asarray(a) > 0, "a <= 0")
    return _result(drawn(rng, "exponential", _shape(size, a)) ** (1.0 / _double(a)), size)


def pareto(rng, a, size=None):
    """rng.pareto."""
    _require(np.asarray(a) > 0, "a <= 0")
    return _result(np.expm1(drawn(rng, "exponential", _shape(size, a)) / _double(a)), size)


def power(rng, a, size=None):
    """rng.power."""
    _require(np.asarray(a) > 0, "a <= 0")
    return _result((-np.expm1(-drawn(rng, "exponential", _shape(size, a)))) ** (1.0 / _double(a)), size)


def gamma(rng, shape, scale=1.0, size=None):
    """rng.gamma; its derivative is by the scale alone."""
    _require(~(np.asarray(shape) < 0), "shape < 0")
    return _result(_double(scale) * drawn(rng, "gamma", _checked_shape(size, shape, scale), shape), size)


def standard_gamma(rng, shape, size=None, dtype=np.float64, out=None):
    """rng.standard_gamma."""
    _without(out)
    if np.dtype(dtype).name != "float64":
        unsupported("rng.standard_gamma of float32", "dtype=np.float64")
    _require(~(np.asarray(shape) < 0), "shape < 0")
    return _result(drawn(rng, "gamma", _shape(size, shape), shape), size)


def multivariate_normal(rng, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
    """rng.multivariate_normal."""
    mean, cov = np.asarray(mean), np.asarray(cov)
    count = mean.shape[0]
    shape = (*_shape(size), count)
    if mean.ndim != 1 or cov.ndim != 2:
        raise ValueError("mean must be 1 dimensional" if mean.ndim != 1 else "cov must be 2 dimensional and square")
    if cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if cov.shape[0] != count:
        raise ValueError("mean and cov must have same length")
    if check_valid == "raise":
        unsupported("rng.multivariate_normal(check_valid='raise')", "check_valid='ignore'")
    z = drawn(rng, "normal", shape)
    if method == "cholesky":
        factor = np.linalg.cholesky(cov)
    elif method == "eigh":
        values, vectors = np.linalg.eigh(cov)
        factor = vectors * np.sqrt(np.abs(values))
    else:
        left, values, _ = np.linalg.svd(cov, full_matrices=False)
        factor = left * np.sqrt(values)
    return mean + z @ factor.T


# ---- numbers that an algorithm draws: no derivatives by their parameters -----------------------------------------------------------


def beta(rng, a, b, size=None):
    """rng.beta."""
    _require(np.asarray(a) > 0, "a <= 0")
    _require(np.asarray(b) > 0, "b <= 0")
    return _result(drawn(rng, "beta", _shape(size, a, b), a, b), size)


def chisquare(rng, df, size=None):
    """rng.chisquare."""
    _require(np.asarray(df) > 0, "df <= 0")
    return _result(drawn(rng, "chisquare", _shape(size, df), df), size)


def noncentral_chisquare(rng, df, nonc, size=None):
    """rng.noncentral_chisquare."""
    _require(np.asarray(df) > 0, "df <= 0")
    _require(~(np.asarray(nonc) < 0), "nonc < 0")
    return _result(drawn(rng, "noncentral_chisquare", _shape(size, df, nonc), df, nonc), size)


def f(rng, dfnum, dfden, size=None):
    """rng.f."""
    _require(np.asarray(dfnum) > 0, "dfnum <= 0")
    _require(np.asarray(dfden) > 0, "dfden <= 0")
    return _result(drawn(rng, "f", _shape(size, dfnum, dfden), dfnum, dfden), size)


def standard_t(rng, df, size=None):
    """rng.standard_t."""
    _require(np.asarray(df) > 0, "df <= 0")
    return _result(drawn(rng, "standard_t", _shape(size, df), df), size)


def standard_cauchy(rng, size=None):
    """rng.standard_cauchy."""
    return _result(drawn(rng, "cauchy", _shape(size)), size)


def wald(rng, mean, scale, size=None):
    """rng.wald."""
    _require(np.asarray(mean) > 0, "mean <= 0")
    _require(np.asarray(scale) > 0, "scale <= 0")
    return _result(drawn(rng, "wald", _shape(size, mean, scale), mean, scale), size)


def vonmises(rng, mu, kappa, size=None):
    """rng.vonmises."""
    _require(~(np.asarray(kappa) < 0), "kappa < 0")
    return _result(drawn(rng, "vonmises", _shape(size, mu, kappa), mu, kappa), size)


def triangular(rng, left, mode, right, size=None):
    """rng.triangular."""
    _require(np.asarray(left) <= np.asarray(mode), "left > mode")
    _require(np.asarray(mode) <= np.asarray(right), "mode > right")
    _require(np.asarray(left) != np.asarray(right), "left == right")
    return _result(drawn(rng, "triangular", _shape(size, left, mode, right), left, mode, right), size)


def poisson(rng, lam=1.0, size=None):
    """rng.poisson."""
    _require(np.asarray(lam) >= 0, "lam < 0 or lam is NaN")
    _require(np.asarray(lam) <= 9.223372006484771e18, "lam value too large")
    return _count(drawn(rng, "poisson", _shape(size, lam), lam), size)


def binomial(rng, n, p, size=None):
    """rng.binomial."""
    _require(np.asarray(n) >= 0, "n < 0")
    _require((np.asarray(p) >= 0) & (np.asarray(p) <= 1), "p < 0, p > 1 or p is NaN")
    return _count(drawn(rng, "binomial", _shape(size, n, p), n, p), size)


def geometric(rng, p, size=None):
    """rng.geometric."""
    _require((np.asarray(p) > 0) & (np.asarray(p) <= 1), "p <= 0, p > 1 or p contains NaNs")
    return _count(drawn(rng, "geometric", _shape(size, p), p), size)


# ---- integers, orders, choices -------------------------------------------------------------------------------------------------


def integers(rng, low, high=None, size=None, dtype=np.int64, endpoint=False):
    """rng.integers of bounds that are numbers."""
    if high is None:
        low, high = 0, low
    found = _integers(rng, low, high, size, dtype, endpoint, False)
    return int(found) if size is None and dtype is int else found


def _integers(rng, low, high, size, dtype, endpoint, masked):
    if np.ndim(low) or np.ndim(high):
        unsupported("random integers with bounds that are arrays", "numbers, or low + (span * rng.random(shape)).astype(int)")
    name = np.dtype(dtype).name
    if name not in ("int64", "int32"):
        unsupported(f"random integers of the dtype {name}", "dtype=np.int64")
    last = high if endpoint else high - 1
    if last < low:
        raise ValueError("low > high" if endpoint else "low >= high")
    shape = _shape(size)
    if name == "int64":
        return drawn(rng, "integers", shape, low, last - low, masked)
    return drawn(rng, "integers_32", shape, low, last - low, masked) if shape else drawn(rng, "integers_32", (1,), low, last - low, masked)[0]


def permutation(rng, x, axis=0):
    """rng.permutation."""
    if np.ndim(x) == 0:
        return drawn(rng, "permutation", (x,))
    x = np.asarray(x)
    return np.take(x, drawn(rng, "permutation", (x.shape[axis],)), axis=axis)


def shuffle(rng, x, axis=0):
    """rng.shuffle of an array."""
    if isinstance(x, list):
        unsupported("rng.shuffle of a list", "an array, or rng.permutation(len(x))")
    x[...] = np.take(x, drawn(rng, "permutation", (x.shape[axis],)), axis=axis)


def choice(rng, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    """rng.choice."""
    count = a if np.ndim(a) == 0 else np.asarray(a).shape[axis]
    shape = _shape(size)
    if p is not None:
        places = _weighted(rng, count, shape, replace, p)
    elif replace:
        _require(np.asarray(count) > 0, "a cannot be empty unless no samples are taken")
        places = drawn(rng, "integers", shape, 0, count - 1, False)
        places = places if shape else int(places)
    else:
        total = np.prod(np.asarray(shape, dtype=np.int64)) if shape else 1
        _require(np.asarray(total) <= count, "Cannot take a larger sample than population when replace is False")
        found = drawn(rng, "chosen", (int(total),), count, shuffle)
        places = found.reshape(shape) if shape else int(found[0])
    return places if np.ndim(a) == 0 else np.take(np.asarray(a), places, axis=axis)


def _weighted(rng, count, shape, replace, p):
    if not replace:
        unsupported("rng.choice(…, replace=False, p=…)", "rng.choice without p, or np.argsort of keys rng.random(n) ** (1 / p)")
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.shape[0] != count:
        raise ValueError("a and p must have same size")
    _require(~np.isnan(p), "Probabilities contain NaN")
    _require(p >= 0, "Probabilities are not non-negative")
    _require(np.abs(np.sum(p) - 1.0) <= 1.4901161193847656e-08, "Probabilities do not sum to 1. See Notes section of docstring for more information.")
    sums = np.cumsum(p)
    places = np.searchsorted(sums / sums[-1], drawn(rng, "uniform", shape), side="right")
    return places if shape else int(places)


# ---- RandomState: where it draws otherwise -----------------------------------------------------------------------------------------


def _old_normal(rng, loc=0.0, scale=1.0, size=None):
    return _located(polar(rng, _checked_shape(size, loc, scale)), loc, scale, size)


def _old_standard_normal(rng, size=None):
    return _result(polar(rng, _shape(size)), size)


def _old_exponentials(rng, shape):
    return -np.log1p(-drawn(rng, "uniform", shape))


def _old_standard_exponential(rng, size=None):
    return _result(_old_exponentials(rng, _shape(size)), size)


def _old_exponential(rng, scale=1.0, size=None):
    return _result(_double(scale) * _old_exponentials(rng, _checked_shape(size, 0.0, scale)), size)


def _old_lognormal(rng, mean=0.0, sigma=1.0, size=None):
    _require(~(np.asarray(sigma) < 0), "sigma < 0")
    return _result(np.exp(_double(mean) + _double(sigma) * polar(rng, _shape(size, mean, sigma))), size)


def _old_rayleigh(rng, scale=1.0, size=None):
    return _result(_double(scale) * np.sqrt(-2.0 * np.log1p(-drawn(rng, "uniform", _checked_shape(size, 0.0, scale)))), size)


def _old_random(rng, size=None):
    return _result(drawn(rng, "uniform", _shape(size)), size)


def _old_rand(rng, *lengths):
    return _old_random(rng, lengths or None)


def _old_randn(rng, *lengths):
    return _old_standard_normal(rng, lengths or None)


def _old_randint(rng, low, high=None, size=None, dtype=int):
    if high is None:
        low, high = 0, low
    found = _integers(rng, low, high, size, dtype, False, True)
    return int(found) if size is None and dtype is int else found


def _old_permutation(rng, x):
    return permutation(rng, x)


def _old_shuffle(rng, x):
    shuffle(rng, x)


def _old_choice(rng, a, size=None, replace=True, p=None):
    count = a if np.ndim(a) == 0 else np.asarray(a).shape[0]
    shape = _shape(size)
    if p is not None:
        places = _weighted(rng, count, shape, replace, p)
    elif replace:
        _require(np.asarray(count) > 0, "a must be greater than 0 unless no samples are taken" if np.ndim(a) == 0 else "'a' cannot be empty unless no samples are taken")
        places = drawn(rng, "integers", shape, 0, count - 1, True)
        places = places if shape else int(places)
    else:
        total = np.prod(np.asarray(shape, dtype=np.int64)) if shape else 1
        _require(np.asarray(total) <= count, "Cannot take a larger sample than population when 'replace=False'")
        found = drawn(rng, "permutation", (count,))[: int(total)]
        places = found.reshape(shape) if shape else int(found[0])
    return places if np.ndim(a) == 0 else np.take(np.asarray(a), places, axis=0)


def _old_multivariate_normal(rng, mean, cov, size=None, check_valid="warn", tol=1e-8):
    mean, cov = np.asarray(mean), np.asarray(cov)
    count = mean.shape[0]
    if cov.shape[0] != count or cov.shape[1] != count:
        raise ValueError("mean and cov must have same length")
    if check_valid == "raise":
        unsupported("np.random.multivariate_normal(check_valid='raise')", "check_valid='ignore'")
    z = polar(rng, (*_shape(size), count))
    _, values, right = np.linalg.svd(cov, full_matrices=False)
    return z @ (np.sqrt(values)[:, None] * right) + mean


GENERATOR = {
    function.__name__: function for function in (
        random, standard_normal, standard_exponential, normal, uniform, exponential, lognormal, laplace, gumbel, logistic, rayleigh, weibull, pareto, power,
        gamma, standard_gamma, multivariate_normal, beta, chisquare, noncentral_chisquare, f, standard_t, standard_cauchy, wald, vonmises, triangular,
        poisson, binomial, geometric, integers, permutation, shuffle, choice,
    )
}  # fmt: skip
"""Generator's methods by name."""

RANDOM_STATE = {
    "rand": _old_rand, "randn": _old_randn, **dict.fromkeys(("random", "random_sample", "ranf", "sample"), _old_random), "standard_normal": _old_standard_normal,
    "normal": _old_normal, "uniform": uniform, "standard_exponential": _old_standard_exponential, "exponential": _old_exponential, "lognormal": _old_lognormal,
    "laplace": laplace, "gumbel": gumbel, "logistic": logistic, "rayleigh": _old_rayleigh, "randint": _old_randint, "permutation": _old_permutation,
    "shuffle": _old_shuffle, "choice": _old_choice, "multivariate_normal": _old_multivariate_normal, "poisson": poisson, "binomial": binomial,
    "triangular": triangular,
}  # fmt: skip
"""RandomState's methods, and the module's old functions, by name."""

METHODS: dict[str, dict[str, Any]] = {"Generator": GENERATOR, "RandomState": RANDOM_STATE}
"""By class."""
