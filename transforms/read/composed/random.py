"""Methods of NumPy's random generators that give floats: `rng` draws what `drawn` names, the rest is arithmetic, which is differentiated.

So `rng.normal(mu, sigma)` is mu + sigma * z, with derivatives by mu and sigma, and z is a constant. Integers and orders: `random_counts.py`; what
RandomState draws by another algorithm: `random_old.py`; the tables: `random_methods.py`.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.drawing import drawn


def shape_of(size, *given):
    """The shape of what is drawn."""
    found = np.broadcast_shapes(*[np.shape(each) for each in given])
    if size is None:
        return found
    if isinstance(size, bool | np.bool_):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{size}'")
    shape = tuple(size) if isinstance(size, tuple | list) else (size,)
    for each in given:
        np.broadcast_to(each, shape)
    return shape


def double(x):
    """In float64."""
    return np.float64(x) if np.ndim(x) == 0 else np.asarray(x, dtype=np.float64)


def result(x, size):
    """Without a size and with numbers only Python's float."""
    if np.ndim(x):
        return x
    return float(x) if size is None else np.asarray(x)


def require(holds, message):
    """ValueError with this message, unless it holds everywhere."""
    if not np.all(holds):
        raise ValueError(message)


def not_negative(x, name):
    """ValueError where it has a sign, as -0.0 has; nan passes."""
    require(np.logical_not(np.signbit(double(x))) | np.isnan(x), f"{name} < 0")


def positive(x, name):
    """ValueError where it is 0 or less; nan passes."""
    require((np.asarray(x) > 0) | np.isnan(x), f"{name} <= 0")


def _letter(dtype, name):
    """The ending of what is drawn of a float dtype."""
    chosen = np.dtype(dtype).name
    if chosen == "float32":
        return "_f"
    if chosen != "float64":
        raise TypeError(f"Unsupported dtype dtype('{chosen}') for {name}")
    return ""


def _filled(rng, what, size, out, *given):
    """What is drawn, in `out` where that is given."""
    if out is None:
        return result(drawn(rng, what, shape_of(size, *given), *given), size)
    if size is not None and shape_of(size) != out.shape:
        raise ValueError("size must match out.shape when used together")
    out[...] = drawn(rng, what, out.shape, *given)
    return out


# ---- what is drawn directly ------------------------------------------------------------------------------------------------


def random(rng, size=None, dtype=np.float64, out=None):
    """rng.random."""
    return _filled(rng, "uniform" + _letter(dtype, "random"), size, out)


def standard_normal(rng, size=None, dtype=np.float64, out=None):
    """rng.standard_normal."""
    return _filled(rng, "normal" + _letter(dtype, "standard_normal"), size, out)


def standard_exponential(rng, size=None, dtype=np.float64, method="zig", out=None):
    """rng.standard_exponential."""
    letter = _letter(dtype, "standard_exponential")
    if method == "zig":
        return _filled(rng, "exponential" + letter, size, out)
    found = -np.log1p(-np.asarray(drawn(rng, "uniform" + letter, shape_of(size) if out is None else out.shape), dtype=dtype)[()])
    if out is None:
        return result(found, size)
    out[...] = found
    return out


# ---- numbers that are shifted and scaled --------------------------------------------------------------------------------------


def normal(rng, loc=0.0, scale=1.0, size=None):
    """rng.normal."""
    return located(drawn(rng, "normal", checked_shape(size, loc, scale)), loc, scale, size)


def checked_shape(size, loc, scale):
    """The shape of what is drawn, of a scale that is not negative."""
    not_negative(scale, "scale")
    return shape_of(size, loc, scale)


def located(z, loc, scale, size):
    """loc + scale * z."""
    return result(double(loc) + double(scale) * z, size)


def uniform(rng, low=0.0, high=1.0, size=None):
    """rng.uniform."""
    shape = shape_of(size, low, high)
    span = double(high) - double(low)
    bounded(span, "high - low range exceeds valid bounds" if np.ndim(span) == 0 else "Range exceeds valid bounds")
    not_negative(span, "high - low")
    return result(double(low) + span * drawn(rng, "uniform", shape), size)


def bounded(span, message):
    """OverflowError unless it is finite."""
    if not np.all(np.isfinite(span)):
        raise OverflowError(message)


def exponential(rng, scale=1.0, size=None):
    """rng.exponential."""
    return result(double(scale) * drawn(rng, "exponential", checked_shape(size, 0.0, scale)), size)


def lognormal(rng, mean=0.0, sigma=1.0, size=None):
    """rng.lognormal."""
    not_negative(sigma, "sigma")
    return result(np.exp(double(mean) + double(sigma) * drawn(rng, "normal", shape_of(size, mean, sigma))), size)


def laplace(rng, loc=0.0, scale=1.0, size=None):
    """rng.laplace."""
    return located(drawn(rng, "laplace", checked_shape(size, loc, scale), 0.0, 1.0), loc, scale, size)


def gumbel(rng, loc=0.0, scale=1.0, size=None):
    """rng.gumbel."""
    return located(drawn(rng, "gumbel", checked_shape(size, loc, scale), 0.0, 1.0), loc, scale, size)


def logistic(rng, loc=0.0, scale=1.0, size=None):
    """rng.logistic."""
    return located(drawn(rng, "logistic", checked_shape(size, loc, scale), 0.0, 1.0), loc, scale, size)


def rayleigh(rng, scale=1.0, size=None):
    """rng.rayleigh."""
    return result(double(scale) * np.sqrt(2.0 * drawn(rng, "exponential", checked_shape(size, 0.0, scale))), size)


def weibull(rng, a, size=None):
    """rng.weibull."""
    positive(a, "a")
    return result(drawn(rng, "exponential", shape_of(size, a)) ** (1.0 / double(a)), size)


def pareto(rng, a, size=None):
    """rng.pareto."""
    positive(a, "a")
    return result(np.expm1(drawn(rng, "exponential", shape_of(size, a)) / double(a)), size)


def power(rng, a, size=None):
    """rng.power."""
    positive(a, "a")
    return result((-np.expm1(-drawn(rng, "exponential", shape_of(size, a)))) ** (1.0 / double(a)), size)


def gamma(rng, shape, scale=1.0, size=None):
    """rng.gamma; its derivative is by the scale alone."""
    not_negative(shape, "shape")
    return result(double(scale) * drawn(rng, "gamma", checked_shape(size, shape, scale), shape), size)


def standard_gamma(rng, shape, size=None, dtype=np.float64, out=None):
    """rng.standard_gamma."""
    not_negative(shape, "shape")
    return _filled(rng, "gamma" + _letter(dtype, "standard_gamma"), size, out, shape)


def multivariate_normal(rng, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
    """rng.multivariate_normal."""
    mean, cov = np.asarray(mean), np.asarray(cov)
    check_shapes(mean, cov)
    count = mean.shape[0]
    shape = (*shape_of(size), count)
    if cov.shape[0] != count:
        raise ValueError("mean and cov must have same length")
    check_choice(check_valid)
    z = drawn(rng, "normal", shape)
    if method == "cholesky":
        factor = np.linalg.cholesky(cov)
    elif method == "eigh":
        values, vectors = np.linalg.eigh(cov)
        if check_valid == "raise" and np.any(values < -tol):
            raise ValueError(NOT_POSITIVE)
        factor = vectors * np.sqrt(np.abs(values))
    else:
        left, values, right = np.linalg.svd(cov, full_matrices=False)
        if check_valid == "raise":
            check_positive(cov, values, right, tol)
        factor = left * np.sqrt(values)
    return mean + z @ factor.T


def check_shapes(mean, cov):
    """multivariate_normal's errors of the numbers of axes."""
    if mean.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.ndim != 2:
        raise ValueError("cov must be 2 dimensional and square")
    if cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")


NOT_POSITIVE = "covariance is not symmetric positive-semidefinite."


def check_choice(check_valid):
    """What may be said of it."""
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")


def check_positive(cov, values, right, tol):
    """NumPy's error, unless a matrix is what its singular values and right vectors make of a positive one."""
    if not np.allclose((right.T * values) @ right, cov, rtol=tol, atol=tol):
        raise ValueError(NOT_POSITIVE)


def dirichlet(rng, alpha, size=None):
    """rng.dirichlet: shares of gamma numbers; where all are small, parts that are broken off one after the other."""
    alpha = np.asarray(alpha, dtype=np.float64)
    check_shares(alpha)
    shape = (*shape_of(size), alpha.shape[0])
    found = np.zeros(shape)
    if alpha.shape[0] > 0 and np.max(alpha) < 0.1:
        rest = np.cumsum(alpha[::-1])[::-1]
        for place in np.ndindex(shape[:-1]):
            left = 1.0
            for k in range(alpha.shape[0] - 1):
                part = drawn(rng, "beta", (), alpha[k], rest[k + 1])
                found[(*place, k)] = left * part
                left *= 1.0 - part
            found[(*place, -1)] = left
    else:
        numbers = drawn(rng, "gamma", shape, np.broadcast_to(alpha, shape))
        found[...] = numbers * (1.0 / np.sum(numbers, axis=-1, keepdims=True))
    return found


def check_shares(alpha):
    """dirichlet's errors."""
    if alpha.ndim != 1:
        raise ValueError("Buffer has wrong number of dimensions (expected 1, got " + str(alpha.ndim) + ")")
    if np.any(alpha < 0):
        raise ValueError("alpha < 0")


# ---- numbers that an algorithm draws: no derivatives by their parameters -----------------------------------------------------------


def beta(rng, a, b, size=None):
    """rng.beta."""
    positive(a, "a")
    positive(b, "b")
    return result(drawn(rng, "beta", shape_of(size, a, b), a, b), size)


def chisquare(rng, df, size=None):
    """rng.chisquare."""
    positive(df, "df")
    return result(drawn(rng, "chisquare", shape_of(size, df), df), size)


def noncentral_chisquare(rng, df, nonc, size=None):
    """rng.noncentral_chisquare."""
    positive(df, "df")
    not_negative(nonc, "nonc")
    return result(drawn(rng, "noncentral_chisquare", shape_of(size, df, nonc), df, nonc), size)


def f(rng, dfnum, dfden, size=None):
    """rng.f."""
    positive(dfnum, "dfnum")
    positive(dfden, "dfden")
    return result(drawn(rng, "f", shape_of(size, dfnum, dfden), dfnum, dfden), size)


def noncentral_f(rng, dfnum, dfden, nonc, size=None):
    """rng.noncentral_f."""
    positive(dfnum, "dfnum")
    positive(dfden, "dfden")
    not_negative(nonc, "nonc")
    return result(drawn(rng, "noncentral_f", shape_of(size, dfnum, dfden, nonc), dfnum, dfden, nonc), size)


def standard_t(rng, df, size=None):
    """rng.standard_t."""
    positive(df, "df")
    return result(drawn(rng, "standard_t", shape_of(size, df), df), size)


def standard_cauchy(rng, size=None):
    """rng.standard_cauchy."""
    return result(drawn(rng, "cauchy", shape_of(size)), size)


def wald(rng, mean, scale, size=None):
    """rng.wald."""
    positive(mean, "mean")
    positive(scale, "scale")
    return result(drawn(rng, "wald", shape_of(size, mean, scale), mean, scale), size)


def vonmises(rng, mu, kappa, size=None):
    """rng.vonmises."""
    not_negative(kappa, "kappa")
    return result(drawn(rng, "vonmises", shape_of(size, mu, kappa), mu, kappa), size)


def triangular(rng, left, mode, right, size=None):
    """rng.triangular."""
    require(np.logical_not(np.asarray(left) > np.asarray(mode)), "left > mode")
    require(np.logical_not(np.asarray(mode) > np.asarray(right)), "mode > right")
    require(np.asarray(left) != np.asarray(right), "left == right")
    return result(drawn(rng, "triangular", shape_of(size, left, mode, right), left, mode, right), size)


FLOATS = (
    random, standard_normal, standard_exponential, normal, uniform, exponential, lognormal, laplace, gumbel, logistic, rayleigh, weibull, pareto, power, gamma, standard_gamma,
    multivariate_normal, dirichlet, beta, chisquare, noncentral_chisquare, f, noncentral_f, standard_t, standard_cauchy, wald, vonmises, triangular,
)  # fmt: skip
"""Generator's methods that give floats."""
