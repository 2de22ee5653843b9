"""Methods of RandomState, and the module's old functions, where they draw by another algorithm than Generator's."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.drawing import drawn, old_drawn, seeded
from s2s.transforms.read.composed.random import (
    bounded,
    check_choice,
    check_positive,
    check_shapes,
    check_shares,
    checked_shape,
    double,
    located,
    not_negative,
    positive,
    require,
    result,
    shape_of,
)
from s2s.transforms.read.composed.random_counts import (
    check_things,
    count_of,
    integers_of,
    is_count,
    of_kinds,
    weighted,
)
from s2s.transforms.read.composed.random_counts import permutation as order_of
from s2s.transforms.read.composed.random_counts import shuffle as mix
from s2s.transforms.read.installed import NUMPY_2_5


def normal(rng, loc=0.0, scale=1.0, size=None):
    """RandomState.normal."""
    return located(old_drawn(rng, "old_normal", checked_shape(size, loc, scale)), loc, scale, size)


def standard_normal(rng, size=None):
    """RandomState.standard_normal."""
    return result(old_drawn(rng, "old_normal", shape_of(size)), size)


def seed(rng, seed=None):
    """RandomState.seed."""
    seeded(rng, seed)


def exponentials(rng, shape):
    """Standard exponential numbers."""
    return -np.log1p(-drawn(rng, "uniform", shape))


def standard_exponential(rng, size=None):
    """RandomState.standard_exponential."""
    return result(exponentials(rng, shape_of(size)), size)


def exponential(rng, scale=1.0, size=None):
    """RandomState.exponential."""
    return result(double(scale) * exponentials(rng, checked_shape(size, 0.0, scale)), size)


def lognormal(rng, mean=0.0, sigma=1.0, size=None):
    """RandomState.lognormal."""
    not_negative(sigma, "sigma")
    return result(np.exp(double(mean) + double(sigma) * old_drawn(rng, "old_normal", shape_of(size, mean, sigma))), size)


def rayleigh(rng, scale=1.0, size=None):
    """RandomState.rayleigh."""
    return result(double(scale) * np.sqrt(-2.0 * np.log1p(-drawn(rng, "uniform", checked_shape(size, 0.0, scale)))), size)


def uniform(rng, low=0.0, high=1.0, size=None):
    """RandomState.uniform: low may be the higher one."""
    shape = shape_of(size, low, high)
    span = double(high) - double(low)
    bounded(span, "Range exceeds valid bounds")
    return result(double(low) + span * drawn(rng, "uniform", shape), size)


def random(rng, size=None):
    """RandomState.random."""
    return result(drawn(rng, "uniform", shape_of(size)), size)


def rand(rng, *lengths):
    """RandomState.rand."""
    return random(rng, lengths or None)


def randn(rng, *lengths):
    """RandomState.randn."""
    return standard_normal(rng, lengths or None)


def randint(rng, low, high=None, size=None, dtype=int):
    """RandomState.randint."""
    return integers_of(rng, low, high, size, dtype, False, True)


def random_integers(rng, low, high=None, size=None):
    """RandomState.random_integers."""
    if high is None:
        low, high = 1, low
    return randint(rng, low, int(high) + 1, size, np.int64)


def permutation(rng, x):
    """RandomState.permutation."""
    return order_of(rng, x)


def shuffle(rng, x):
    """RandomState.shuffle."""
    mix(rng, x)


def choice(rng, a, size=None, replace=True, p=None):
    """RandomState.choice."""
    if np.ndim(a) == 0:
        is_count(a, "a must be 1-dimensional or an integer")
    elif np.ndim(a) != 1:
        raise ValueError("a must be 1-dimensional")
    count = a if np.ndim(a) == 0 else np.asarray(a).shape[0]
    shape = shape_of(size)
    if p is not None:
        places = weighted(rng, count, shape, replace, p)
    elif replace:
        require(np.asarray(count) > 0, "a must be greater than 0 unless no samples are taken" if np.ndim(a) == 0 else "'a' cannot be empty unless no samples are taken")
        places = drawn(rng, "integers", shape, 0, count - 1, True)
        places = places if shape else int(places)
    else:
        total = np.prod(np.asarray(shape, dtype=np.int64)) if shape else 1
        require(np.asarray(total) <= count, "Cannot take a larger sample than population when 'replace=False'")
        found = drawn(rng, "permutation", (count,))[: int(total)]
        places = found.reshape(shape) if shape else int(found[0])
    return places if np.ndim(a) == 0 else np.take(np.asarray(a), places, axis=0)


def multivariate_normal(rng, mean, cov, size=None, check_valid="warn", tol=1e-8):
    """RandomState.multivariate_normal."""
    mean, cov = np.asarray(mean), np.asarray(cov)
    check_shapes(mean, cov)
    count = mean.shape[0]
    if cov.shape[0] != count:
        raise ValueError("mean and cov must have same length")
    check_choice(check_valid)
    z = old_drawn(rng, "old_normal", (*shape_of(size), count))
    _, values, right = np.linalg.svd(cov, full_matrices=False)
    if check_valid == "raise":
        check_positive(cov, values, right, tol)
    return z @ (np.sqrt(values)[:, None] * right) + mean


# ---- gamma numbers, and what is made of them ---------------------------------------------------------------------------------------


def standard_gamma(rng, shape, size=None):
    """RandomState.standard_gamma."""
    not_negative(shape, "shape")
    return result(old_drawn(rng, "old_gamma", shape_of(size, shape), shape), size)


def gamma(rng, shape, scale=1.0, size=None):
    """RandomState.gamma; its derivative is by the scale alone."""
    not_negative(shape, "shape")
    return result(double(scale) * old_drawn(rng, "old_gamma", checked_shape(size, shape, scale), shape), size)


def dirichlet(rng, alpha, size=None):
    """RandomState.dirichlet."""
    alpha = np.asarray(alpha, dtype=np.float64)
    if np.any(alpha <= 0):
        raise ValueError("alpha <= 0")
    check_shares(alpha)
    shape = (*shape_of(size), alpha.shape[0])
    numbers = old_drawn(rng, "old_gamma", shape, np.broadcast_to(alpha, shape))
    return numbers * (1.0 / np.sum(numbers, axis=-1, keepdims=True))


def beta(rng, a, b, size=None):
    """RandomState.beta."""
    positive(a, "a")
    positive(b, "b")
    return result(old_drawn(rng, "old_beta", shape_of(size, a, b), a, b), size)


def chisquare(rng, df, size=None):
    """RandomState.chisquare."""
    positive(df, "df")
    return result(old_drawn(rng, "old_chisquare", shape_of(size, df), df), size)


def noncentral_chisquare(rng, df, nonc, size=None):
    """RandomState.noncentral_chisquare."""
    positive(df, "df")
    not_negative(nonc, "nonc")
    return result(old_drawn(rng, "old_noncentral_chisquare", shape_of(size, df, nonc), df, nonc), size)


def f(rng, dfnum, dfden, size=None):
    """RandomState.f."""
    positive(dfnum, "dfnum")
    positive(dfden, "dfden")
    return result(old_drawn(rng, "old_f", shape_of(size, dfnum, dfden), dfnum, dfden), size)


def noncentral_f(rng, dfnum, dfden, nonc, size=None):
    """RandomState.noncentral_f."""
    positive(dfnum, "dfnum")
    positive(dfden, "dfden")
    not_negative(nonc, "nonc")
    return result(old_drawn(rng, "old_noncentral_f", shape_of(size, dfnum, dfden, nonc), dfnum, dfden, nonc), size)


def standard_t(rng, df, size=None):
    """RandomState.standard_t."""
    positive(df, "df")
    return result(old_drawn(rng, "old_standard_t", shape_of(size, df), df), size)


def standard_cauchy(rng, size=None):
    """RandomState.standard_cauchy."""
    return result(old_drawn(rng, "old_cauchy", shape_of(size)), size)


def wald(rng, mean, scale, size=None):
    """RandomState.wald."""
    positive(mean, "mean")
    positive(scale, "scale")
    return result(old_drawn(rng, "old_wald", shape_of(size, mean, scale), mean, scale), size)


def negative_binomial(rng, n, p, size=None):
    """RandomState.negative_binomial."""
    require(np.asarray(n) > 0, "n <= 0")
    require((np.asarray(p) >= 0) & (np.asarray(p) <= 1), "p < 0, p > 1 or p is NaN")
    return count_of(old_drawn(rng, "old_negative_binomial", shape_of(size, n, p), n, p), size)


# ---- others ------------------------------------------------------------------------------------------------------------------------


def weibull(rng, a, size=None):
    """RandomState.weibull."""
    positive(a, "a")
    return result(exponentials(rng, shape_of(size, a)) ** (1.0 / double(a)), size)


def pareto(rng, a, size=None):
    """RandomState.pareto."""
    positive(a, "a")
    return result(np.exp(exponentials(rng, shape_of(size, a)) / double(a)) - 1.0, size)


def power(rng, a, size=None):
    """RandomState.power."""
    positive(a, "a")
    return result((1.0 - np.exp(-exponentials(rng, shape_of(size, a)))) ** (1.0 / double(a)), size)


def vonmises(rng, mu, kappa, size=None):
    """RandomState.vonmises."""
    not_negative(kappa, "kappa")
    return result(drawn(rng, "old_vonmises", shape_of(size, mu, kappa), mu, kappa), size)


def binomial(rng, n, p, size=None):
    """RandomState.binomial."""
    require(np.asarray(n) >= 0, "n < 0")
    require((np.asarray(p) >= 0) & (np.asarray(p) <= 1), "p < 0, p > 1 or p is NaN")
    return count_of(drawn(rng, "old_binomial", shape_of(size, n, p), n, p), size)


def multinomial(rng, n, pvals, size=None):
    """RandomState.multinomial: since NumPy 2.5 of binomial numbers for which something is drawn where they are known, too."""
    if np.ndim(pvals) > 1:
        raise ValueError("setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 1." if isinstance(pvals, list | tuple) else "object too deep for desired array")
    return of_kinds(rng, "old_binomial" if NUMPY_2_5 else "binomial", n, pvals, size)


def geometric(rng, p, size=None):
    """RandomState.geometric."""
    require((np.asarray(p) > 0) & (np.asarray(p) <= 1), "p <= 0, p > 1 or p contains NaNs")
    return count_of(drawn(rng, "old_geometric", shape_of(size, p), p), size)


def logseries(rng, p, size=None):
    """RandomState.logseries."""
    require((np.asarray(p) >= 0) & (np.asarray(p) < 1), "p < 0, p >= 1 or p is NaN")
    return count_of(drawn(rng, "old_logseries", shape_of(size, p), p), size)


def zipf(rng, a, size=None):
    """RandomState.zipf."""
    require(np.asarray(a) > 1, "a <= 1 or a is NaN")
    return count_of(drawn(rng, "old_zipf", shape_of(size, a), a), size)


def hypergeometric(rng, ngood, nbad, nsample, size=None):
    """RandomState.hypergeometric."""
    require(np.asarray(nsample) >= 1, "nsample < 1 or nsample is NaN")
    check_things(ngood, nbad, nsample)
    return count_of(drawn(rng, "old_hypergeometric", shape_of(size, ngood, nbad, nsample), ngood, nbad, nsample), size)


OLD = (
    seed, normal, uniform, standard_normal, standard_exponential, exponential, lognormal, rayleigh, random, rand, randn, randint, random_integers, permutation, shuffle, choice,
    multivariate_normal, standard_gamma, gamma, dirichlet, beta, chisquare, noncentral_chisquare, f, noncentral_f, standard_t, standard_cauchy, wald,
    negative_binomial, weibull, pareto, power, vonmises, binomial, multinomial, geometric, logseries, zipf, hypergeometric,
)  # fmt: skip
"""RandomState's own methods."""
