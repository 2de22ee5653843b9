"""scipy.stats: how samples hang together and differ, with the probability of what is found by chance; densities estimated of samples."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.correlations import pearsonr
from s2s.transforms.read.composed.densities import Density
from s2s.transforms.read.composed.descriptive import kept, rows_of, together
from s2s.transforms.read.composed.fitting import minimize_scalar
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.sample_rows import by_each, by_rows
from s2s.transforms.read.composed.statistical_results import SIDES, LinregressResult, SignificanceResult, TtestResult, chance_of_t
from s2s.transforms.read.installed import SCIPY_1_18


class F_onewayResult(NamedTuple):  # noqa: N801 - SciPy's name
    """What scipy.stats.f_oneway gives."""

    statistic: Any
    pvalue: Any


class Power_divergenceResult(NamedTuple):  # noqa: N801 - SciPy's name
    """What scipy.stats.chisquare gives."""

    statistic: Any
    pvalue: Any


def pointbiserialr(x, y, *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.pointbiserialr: the correlation of a choice of two with numbers."""
    return SignificanceResult(*by_rows("pointbiserialr", lambda x, y: tuple(pearsonr(x, y)), (x, y), axis, nan_policy, keepdims, paired=True, least=2))


def linregress(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.linregress: a line through points; nan of fewer than two."""
    return LinregressResult(*by_rows("linregress", lambda x, y: _regressed(x, y, alternative), (x, y), axis, nan_policy, keepdims, count=6, paired=True, least=2, double=not SCIPY_1_18))


def _regressed(x, y, alternative):
    dtype = x.dtype if SCIPY_1_18 else np.dtype(np.float64)
    x, y = x.astype(dtype), y.astype(dtype)
    n = x.shape[0]
    if n != y.shape[0]:
        raise ValueError("Array shapes are incompatible for broadcasting.")
    if not SCIPY_1_18 and np.max(x) == np.min(x):
        raise ValueError("Cannot calculate a linear regression if all x values are identical")
    x_gaps, y_gaps = x - np.mean(x), y - np.mean(y)
    of_x, of_both, of_y = np.mean(x_gaps**2), np.mean(x_gaps * y_gaps), np.mean(y_gaps**2)
    level = (of_x == 0.0) | (of_y == 0.0)
    r = np.where(level, np.where(of_both == 0.0, np.nan, 0.0), np.clip(of_both / np.sqrt(np.where(level, 1.0, of_x * of_y)), -1.0, 1.0)).astype(dtype)[()]
    slope = of_both / of_x
    intercept = np.mean(y) - slope * np.mean(x)
    if n == 2 and not SCIPY_1_18:
        return slope, intercept, r, np.where(y[0] == y[1], 1.0, 0.0)[()], 0.0, 0.0
    t = r * np.sqrt((n - 2) / ((1.0 - r + 1.0e-20) * (1.0 + r + 1.0e-20)))
    error = np.sqrt((1 - r**2) * of_y / of_x / (n - 2))
    return slope, intercept, r, chance_of_t(t, n - 2, alternative), error, error * np.sqrt(of_x + np.mean(x) ** 2)


# ---- tests of means --------------------------------------------------------------------------------------------------------------


def _tested(estimate, popmean, error, degrees, alternative, like=None, axis=0, keepdims=False):
    """`like`: samples whose axis is kept, of length 1."""
    if keepdims:
        estimate, error = kept(estimate, like, axis, True), kept(error, like, axis, True)
        popmean, degrees = (kept(each, like, axis, True) if np.ndim(each) > 0 else each for each in (popmean, degrees))
    t = (estimate - popmean) / error
    return TtestResult(t, chance_of_t(t, degrees, alternative).astype(t.dtype), np.broadcast_to(degrees, t.shape)[()], SIDES[alternative], error, estimate)


def _of_each(name, test, samples, axis, nan_policy, keepdims, alternative, paired=False):
    """The test of each row by itself."""
    found = by_rows(name, lambda *row: _numbers(test(*row)), samples, axis, nan_policy, keepdims, count=5, paired=paired)
    return TtestResult(found[0], found[1], found[2], SIDES[alternative], found[3], found[4])


def _numbers(found):
    return found.statistic, found.pvalue, found.df, found._error, found._estimate


def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """scipy.stats.ttest_1samp."""
    if np.ndim(popmean) > 0:
        a, means = together((a, popmean), axis)
        means = np.ravel(means) if axis is None else np.moveaxis(means, axis, 0)
        if means.shape[0] != 1:
            raise ValueError("`popmean.shape[axis]` must equal 1.")
        popmean = means[0]
    elif by_each(a, axis, nan_policy):
        return _of_each("ttest_1samp", lambda a: ttest_1samp(a, popmean, alternative=alternative), (a,), axis, nan_policy, keepdims, alternative)
    rows = rows_of("ttest_1samp", a, axis, nan_policy, omits=True)
    n = rows.shape[0]
    return _tested(np.mean(rows, axis=0), popmean, np.sqrt(np.var(rows, axis=0, ddof=1) / n), n - 1, alternative, a, axis, keepdims)


def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """scipy.stats.ttest_rel: of pairs."""
    if nan_policy == "omit" or isinstance(axis, tuple):
        return _of_each("ttest_rel", lambda a, b: ttest_rel(a, b, alternative=alternative), (a, b), axis, nan_policy, keepdims, alternative, True)
    first, second = together((a, b), axis)
    if nan_policy == "raise":
        rows_of("ttest_rel", first, axis, nan_policy), rows_of("ttest_rel", second, axis, nan_policy)
    rows = rows_of("ttest_rel", first - second, axis, "propagate" if nan_policy == "raise" else nan_policy)  # of integers in their own dtype, where they may wrap
    n = rows.shape[0]
    return _tested(np.mean(rows, axis=0), 0.0, np.sqrt(np.var(rows, axis=0, ddof=1) / n), n - 1, alternative, first, axis, keepdims)


def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy="propagate", alternative="two-sided", trim=0, method=None, keepdims=False):
    """scipy.stats.ttest_ind: of independent samples; Welch's where the variances may differ, Yuen's of trimmed ones."""
    if method is not None:
        unsupported("scipy.stats.ttest_ind with method", "the samples that count")
    if not 0 <= trim < 0.5:
        raise ValueError("Trimming percentage should be 0 <= `trim` < .5.")
    if by_each(a, axis, nan_policy) or by_each(b, axis, nan_policy):
        return _of_each("ttest_ind", lambda a, b: ttest_ind(a, b, equal_var=equal_var, alternative=alternative, trim=trim), (a, b), axis, nan_policy, keepdims, alternative)
    a, b = together((a, b), axis)
    first, second = rows_of("ttest_ind", a, axis, nan_policy, omits=True), rows_of("ttest_ind", b, axis, nan_policy, omits=True)
    if trim > 0:
        (mean, own, n), (other_mean, other, m) = _trimmed(first, trim), _trimmed(second, trim)
        degrees = n + m - 2.0 if equal_var else (own / n + other / m) ** 2 / ((own / n) ** 2 / (n - 1) + (other / m) ** 2 / (m - 1))
        own, other = (np.where(count == 1, 0.0, spread) if equal_var else spread for spread, count in ((own, n), (other, m)))  # of one sample
        error = np.sqrt(((n - 1) * own + (m - 1) * other) / degrees * (1.0 / n + 1.0 / m)) if equal_var else np.sqrt(own / n + other / m)
        dtype = np.result_type(first, second)
        return _tested(mean - other_mean, 0.0, np.asarray(error).astype(dtype), np.asarray(degrees).astype(dtype), alternative, a, axis, keepdims)
    n, m = first.shape[0], second.shape[0]
    if equal_var:
        spread = np.var(first, axis=0) * n + np.var(second, axis=0) * m
        degrees = np.asarray(n + m - 2.0, spread.dtype)
        pooled = spread / degrees
        error = np.sqrt(pooled * (1.0 / n + 1.0 / m))
    else:
        one, two = np.var(first, axis=0, ddof=1) / n, np.var(second, axis=0, ddof=1) / m
        degrees = (one + two) ** 2 / (one**2 / (n - 1) + two**2 / (m - 1))
        degrees = np.where(np.isnan(degrees), 1.0, degrees).astype(degrees.dtype)[()]
        error = np.sqrt(one + two)
    return _tested(np.mean(first, axis=0) - np.mean(second, axis=0), 0.0, error, degrees, alternative, a, axis, keepdims)


def _trimmed(rows, part):
    """The mean of what is left in the middle, the variance with the ends drawn in, and how many are left."""
    n, ordered = rows.shape[0], np.sort(rows, axis=0)
    cut = int(n * part)
    places = np.clip(np.arange(n), cut, n - cut - 1)
    none = np.where(np.any(np.isnan(rows), axis=0), np.nan, 0.0).astype(rows.dtype)  # the ends that are cut off, too
    return np.mean(ordered[cut : n - cut], axis=0) + none, np.var(ordered[places], axis=0, ddof=2 * cut + 1) + none, n - 2 * cut


def f_oneway(*samples, axis=0, equal_var=True, nan_policy="propagate", keepdims=False):
    """scipy.stats.f_oneway: whether groups have one mean."""
    import scipy.stats

    if not equal_var:
        unsupported("scipy.stats.f_oneway(…, equal_var=False)", "equal_var=True")
    if len(samples) < 2:
        raise TypeError(f"at least two inputs are required; got {len(samples)}.")
    if isinstance(axis, tuple) or nan_policy == "omit" and axis is not None and max([np.ndim(each) for each in samples]) > 1:
        return F_onewayResult(*by_rows("f_oneway", lambda *row: tuple(f_oneway(*row)), samples, axis, nan_policy, keepdims))
    samples = together(samples, axis)
    groups = [rows_of("f_oneway", each, axis, nan_policy, omits=True) for each in samples]
    whole = np.concatenate(groups)
    middle, n = np.mean(whole, axis=0), whole.shape[0]
    means = [np.mean(each, axis=0) for each in groups]
    between = sum(each.shape[0] * (mean - middle) ** 2 for each, mean in zip(groups, means, strict=True))
    within = sum(np.sum((each - mean) ** 2, axis=0) for each, mean in zip(groups, means, strict=True))
    f = kept((between / (len(groups) - 1)) / (within / (n - len(groups))), samples[0], axis, keepdims)
    return F_onewayResult(f, scipy.stats.f.sf(f, len(groups) - 1, n - len(groups)).astype(f.dtype))


POWERS = {"pearson": 1, "log-likelihood": 0, "freeman-tukey": -0.5, "mod-log-likelihood": -1, "neyman": -2, "cressie-read": 2 / 3}
"""The powers that have names."""


def divergence(rows, expected, power):
    """What is summed."""
    import scipy.special as sp

    if power == 1:
        return (rows - expected) ** 2 / expected
    if power == 0:
        return 2.0 * sp.xlogy(rows, rows / expected)
    if power == -1:
        return 2.0 * sp.xlogy(expected, expected / rows)
    return rows * ((rows / expected) ** power - 1.0) / (0.5 * power * (power + 1))


def _compared(name, f_obs, f_exp, ddof, axis, power, sum_check, nan_policy, keepdims):
    import scipy.stats

    rows = rows_of(name, f_obs, axis, nan_policy)
    expected = np.mean(rows, axis=0) if f_exp is None else rows_of(name, f_exp, axis, nan_policy)
    if f_exp is not None and sum_check:
        one, two = np.sum(rows, axis=0), np.sum(expected, axis=0)
        if np.any(np.abs(one - two) > np.finfo(np.result_type(rows, expected)).eps ** 0.5 * np.minimum(one, two)):
            raise ValueError("For each axis slice, the sum of the observed frequencies must agree with the sum of the expected frequencies to a relative tolerance")
    found = np.sum(divergence(rows, expected, power), axis=0)
    chance = scipy.stats.chi2.sf(found, rows.shape[0] - 1 - ddof).astype(found.dtype)
    return Power_divergenceResult(kept(found, f_obs, axis, keepdims), kept(chance, f_obs, axis, keepdims))


def chisquare(f_obs, f_exp=None, ddof=0, axis=0, *, sum_check=True, nan_policy="propagate", keepdims=False):
    """scipy.stats.chisquare."""
    return _compared("chisquare", f_obs, f_exp, ddof, axis, 1, sum_check, nan_policy, keepdims)


def power_divergence(f_obs, f_exp=None, ddof=0, axis=0, lambda_=None, *, nan_policy="propagate", keepdims=False):
    """scipy.stats.power_divergence of a power that is known while reading."""
    return _compared("power_divergence", f_obs, f_exp, ddof, axis, power_named(lambda_), True, nan_policy, keepdims)


def power_named(lambda_):
    """The power that a name, a number or None stands for."""
    if isinstance(lambda_, str) and lambda_ not in POWERS:
        raise ValueError(f"invalid string for lambda_: {lambda_!r}. Valid strings are {repr(list(POWERS))[1:-1]}")
    power = 1 if lambda_ is None else POWERS[lambda_] if isinstance(lambda_, str) else lambda_
    if not isinstance(power, (int, float)):
        unsupported("scipy.stats' divergences of a lambda_ that is known only at run time", "a number")
    return power


# ---- distributions of samples ----------------------------------------------------------------------------------------------------


def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None):
    """scipy.stats.wasserstein_distance of samples of one axis."""
    u, v, shares_of_u, shares_of_v = _shares(u_values, v_values, u_weights, v_weights)
    deltas = np.diff(np.sort(np.concatenate((u, v))))
    return np.sum(np.abs(shares_of_u - shares_of_v) * deltas)


def energy_distance(u_values, v_values, u_weights=None, v_weights=None):
    """scipy.stats.energy_distance of samples of one axis."""
    u, v, shares_of_u, shares_of_v = _shares(u_values, v_values, u_weights, v_weights)
    deltas = np.diff(np.sort(np.concatenate((u, v))))
    return np.sqrt(2) * np.sqrt(np.sum((shares_of_u - shares_of_v) ** 2 * deltas))


def _shares(u, v, u_weights, v_weights):
    """The samples, and which share of each lies up to each of all but the largest."""
    if np.ndim(u) != 1 or np.ndim(v) != 1:
        raise ValueError("Distribution values must be one-dimensional.")
    u, v = np.asarray(u, np.float64), np.asarray(v, np.float64)
    if u.shape[0] == 0 or v.shape[0] == 0:
        raise ValueError("Distribution can't be empty.")
    both = np.sort(np.concatenate((u, v)))[:-1]
    return u, v, _share(u, u_weights, both), _share(v, v_weights, both)


def _share(values, weights, at):
    order = np.argsort(values)
    places = np.searchsorted(values[order], at, side="right")
    if weights is None:
        return places / values.shape[0]
    weights = np.asarray(weights, np.float64)
    if weights.shape != values.shape:
        raise ValueError("Value and weight array-likes for the same empirical distribution must be of the same size.")
    if np.any(weights < 0):
        raise ValueError("All weights must be non-negative.")
    sums = np.concatenate((np.zeros(1), np.cumsum(weights[order])))
    return sums[places] / sums[-1]


def gaussian_kde(dataset, bw_method=None, weights=None):
    """scipy.stats.gaussian_kde, by Scott's, Silverman's or a given width."""
    data = np.atleast_2d(np.asarray(dataset, np.float64))
    d, n = data.shape
    if n * d <= 1:
        raise ValueError("`dataset` input should have multiple elements.")
    shares = np.full(n, 1.0 / n) if weights is None else np.asarray(weights, np.float64) / np.sum(weights)
    many = 1.0 / np.sum(shares**2)
    if bw_method is None or bw_method == "scott":
        factor = many ** (-1.0 / (d + 4))
    elif bw_method == "silverman":
        factor = (many * (d + 2.0) / 4.0) ** (-1.0 / (d + 4))
    elif isinstance(bw_method, str) or callable(bw_method):
        unsupported(f"scipy.stats.gaussian_kde(…, bw_method={bw_method!r})", "a number")
    else:
        factor = bw_method
    return Density(data, factor, shares)


def boxcox(x, lmbda=None, alpha=None, optimizer=None):
    """scipy.stats.boxcox of a given power; else of the likeliest one, which it gives, too."""
    if alpha is not None or optimizer is not None:
        unsupported("scipy.stats.boxcox with alpha or an optimizer", "scipy.stats.boxcox(x)")
    x = np.asarray(x)
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    if lmbda is None:
        if x.ndim != 1:
            raise ValueError("Data must be 1-dimensional.")
        if np.all(x == x[0]):
            raise ValueError("Data must not be constant.")
        if np.any(x <= 0):
            raise ValueError("Data must be positive.")
        best = minimize_scalar(lambda power: -_boxcox_llf(power, x), (-2.0, 2.0)).x
        return _raised(x.astype(np.float64), best), best
    if np.any(x <= 0):
        raise NotImplementedError("scipy.stats.boxcox of numbers that are not positive (the result is nan or -inf) is not supported")
    return _raised(x, lmbda)


def _raised(x, power):
    none = np.abs(power) < 1e-19
    return np.where(none, np.log(x), np.expm1(power * np.log(x)) / np.where(none, 1.0, power)).astype(x.dtype)


def boxcox_llf(lmb, data, *, axis=0, keepdims=False, nan_policy="propagate"):
    """scipy.stats.boxcox_llf of samples of one axis."""
    x = rows_of("boxcox_llf", data, axis, nan_policy)
    if x.ndim != 1 or keepdims:
        unsupported("scipy.stats.boxcox_llf along an axis of several, or with keepdims", "a loop over the rows")
    _need_spread("boxcox_llf", x)
    return _boxcox_llf(lmb, x)


def _need_spread(name, x):
    if np.all(x == x[0]) or np.any(np.isinf(x)):
        raise NotImplementedError(f"scipy.stats.{name} of numbers that are all the same or infinite (what the variance's logarithm is there is rounding) is not supported")


def _boxcox_llf(lmb, x):
    return (lmb - 1.0) * np.sum(np.log(x)) - x.shape[0] / 2.0 * np.log(np.var(_raised(x, lmb)))


def yeojohnson(x, lmbda=None):
    """scipy.stats.yeojohnson of a given power; else of the likeliest one, which it gives, too."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise ValueError("Yeo-Johnson transformation is not defined for complex numbers.")
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    if lmbda is not None:
        return _turned(x, lmbda)
    if np.any(~np.isfinite(x)):
        raise ValueError("Yeo-Johnson input must be finite.")
    info, most = np.finfo(x.dtype), np.log1p(20 * np.max(np.abs(x)))
    low, high = (np.log(info.tiny) - np.log(info.eps)) / 2 / most, (np.log(info.max) + np.log(info.eps)) / 2 / most
    every, some = np.all(x < 0), np.any(x < 0)
    low, high = np.where(every, 2 - high, np.where(some, np.maximum(2 - high, low), low)), np.where(every, 2 - low, np.where(some, np.minimum(2 - low, high), high))
    best = minimize_scalar(lambda power: -_yeojohnson_llf(power, x), bounds=(low, high), method="bounded", options={"xatol": 1.48e-08}).x
    return _turned(x.astype(np.float64), best), best


def _turned(x, power):
    """By the power above 0, by 2 less it below."""
    above, below, other = np.where(x >= 0, x, 0.0), np.where(x >= 0, 0.0, x), 2.0 - power
    none, none_below = np.abs(power) < np.finfo(np.float64).eps, np.abs(other) < np.finfo(np.float64).eps
    one = np.where(none, np.log1p(above), np.expm1(power * np.log1p(above)) / np.where(none, 1.0, power))
    two = np.where(none_below, np.log1p(-below), np.expm1(other * np.log1p(-below)) / np.where(none_below, 1.0, other))
    return np.where(x >= 0, one, -two).astype(x.dtype)


def yeojohnson_llf(lmb, data, *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.yeojohnson_llf of samples of one axis."""
    x = rows_of("yeojohnson_llf", data, axis, nan_policy)
    if x.ndim != 1 or keepdims:
        unsupported("scipy.stats.yeojohnson_llf along an axis of several, or with keepdims", "a loop over the rows")
    _need_spread("yeojohnson_llf", x)
    if np.asarray(data).dtype.kind in "biu" and np.asarray(data).dtype.itemsize < 4:
        unsupported(f"scipy.stats.yeojohnson_llf of {np.asarray(data).dtype} (NumPy's logarithms of it are of lower precision)", "floats: x.astype(float)")
    return _yeojohnson_llf(lmb, x)


def _yeojohnson_llf(lmb, x):
    return (lmb - 1.0) * np.sum(np.sign(x) * np.log1p(np.abs(x))) - x.shape[0] / 2.0 * np.log(np.var(_turned(x, lmb)))


COMPARISONS: dict[str, Any] = {
    f"scipy.stats.{function.__name__}": function
    for function in (pointbiserialr, linregress, ttest_1samp, ttest_rel, ttest_ind, f_oneway, chisquare, power_divergence, wasserstein_distance, energy_distance, gaussian_kde, boxcox, boxcox_llf, yeojohnson, yeojohnson_llf)
}
"""By qualified name."""
