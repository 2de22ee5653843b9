"""scipy.stats: tests of groups of samples and of one, entropies of samples. Formulas are SciPy's; samples have one axis."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.cut_samples import trimboth
from s2s.transforms.read.composed.descriptive import kurtosis, rankdata, rows_of, skew
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.rank_tests import tie_sum
from s2s.transforms.read.composed.sample_rows import by_rows
from s2s.transforms.read.composed.statistical_results import SignificanceResult, chance_of_chi2, chance_of_t, chance_of_z
from s2s.transforms.read.installed import SCIPY_1_17


class KruskalResult(NamedTuple):
    """What scipy.stats.kruskal gives."""

    statistic: Any
    pvalue: Any


class FriedmanchisquareResult(NamedTuple):
    """What scipy.stats.friedmanchisquare gives."""

    statistic: Any
    pvalue: Any


class LeveneResult(NamedTuple):
    """What scipy.stats.levene gives."""

    statistic: Any
    pvalue: Any


class BartlettResult(NamedTuple):
    """What scipy.stats.bartlett gives."""

    statistic: Any
    pvalue: Any


class FlignerResult(NamedTuple):
    """What scipy.stats.fligner gives."""

    statistic: Any
    pvalue: Any


class SkewtestResult(NamedTuple):
    """What scipy.stats.skewtest gives."""

    statistic: Any
    pvalue: Any


class KurtosistestResult(NamedTuple):
    """What scipy.stats.kurtosistest gives."""

    statistic: Any
    pvalue: Any


class NormaltestResult(NamedTuple):
    """What scipy.stats.normaltest gives."""

    statistic: Any
    pvalue: Any


class BrunnerMunzelResult(NamedTuple):
    """What scipy.stats.brunnermunzel gives."""

    statistic: Any
    pvalue: Any


class Ttest_indResult(NamedTuple):  # noqa: N801 - SciPy's name
    """What scipy.stats.ttest_ind_from_stats gives."""

    statistic: Any
    pvalue: Any


# ---- what is common ------------------------------------------------------------------------------------------------------------------------


def _need_samples(name, samples, least=2):
    if len(samples) < least:
        raise ValueError(f"at least {least} samples are required by scipy.stats.{name}")


def groups_of(name, samples, axis, nan_policy, keepdims, least=2):
    """The samples, each one axis of floats."""
    if keepdims:
        unsupported(f"scipy.stats.{name}(…, keepdims=True)", "a reshape of the result")
    _need_samples(name, samples, least)
    found = [rows_of(name, each, axis, nan_policy, omits=True) for each in samples]
    for each in found:
        if each.ndim != 1:
            unsupported(f"scipy.stats.{name} along an axis of several", "a loop over the rows")
    return found


def as_samples(samples, *found):
    """The numbers in the samples' precision."""
    dtype = np.result_type(*samples)
    return [np.asarray(each).astype(dtype)[()] for each in found]


def _ties(rows):
    """Along the last axis, the sum of t**3 - t over numbers that are there t times."""
    counts = np.sum(rows[..., :, np.newaxis] == rows[..., np.newaxis, :], axis=-1)
    return np.sum(counts * counts - 1.0, axis=-1)


# ---- ranks ----------------------------------------------------------------------------------------------------------------------------------


def _parts(whole, groups):
    """The parts of what was put together."""
    found, start = [], 0
    for each in groups:
        found.append(whole[start : start + each.shape[0]])
        start += each.shape[0]
    return found


def kruskal(*samples, nan_policy="propagate", axis=0, keepdims=False):
    """scipy.stats.kruskal."""
    _need_samples("kruskal", samples)
    return KruskalResult(*by_rows("kruskal", _kruskal, samples, axis, nan_policy, keepdims))


def _kruskal(*groups):
    whole = np.concatenate(groups)
    n = whole.shape[0]
    ties = 1.0 - tie_sum(whole) / (1.0 * n**3 - n)
    among = sum([np.sum(part) ** 2 / part.shape[0] for part in _parts(rankdata(whole), groups)])
    h = (12.0 / (n * (n + 1)) * among - 3 * (n + 1)) / np.where(ties == 0, np.nan, ties)  # nan where all numbers are the same
    return h, chance_of_chi2(h, len(groups) - 1.0)


def friedmanchisquare(*samples, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.friedmanchisquare."""
    _need_samples("friedmanchisquare", samples, 3)
    return FriedmanchisquareResult(*by_rows("friedmanchisquare", _friedman, samples, axis, nan_policy, keepdims, paired=True))


def _friedman(*groups):
    rows = np.stack(groups, axis=1)
    n, k = rows.shape
    ranks = rankdata(rows, axis=1)
    c = 1.0 - np.sum(_ties(rows)) / (1.0 * k * (k * k - 1) * n)
    found = (12.0 / (k * n * (k + 1)) * np.sum(np.sum(ranks, axis=0) ** 2) - 3 * n * (k + 1)) / c
    return found, chance_of_chi2(found, k - 1.0)


def brunnermunzel(x, y, alternative="two-sided", distribution="t", nan_policy="propagate", *, axis=0, keepdims=False):
    """scipy.stats.brunnermunzel."""
    if distribution not in ("t", "normal"):
        raise ValueError("distribution should be 't' or 'normal'")
    return BrunnerMunzelResult(*by_rows("brunnermunzel", lambda x, y: _brunner_munzel(x, y, alternative, distribution), (x, y), axis, nan_policy, keepdims, double=True))


def _brunner_munzel(x, y, alternative, distribution):
    n, m = x.shape[0], y.shape[0]
    among = rankdata(np.concatenate((x, y)))
    gaps_x, gaps_y = among[:n] - rankdata(x), among[n:] - rankdata(y)
    spread_x, spread_y = n * np.var(gaps_x, ddof=1), m * np.var(gaps_y, ddof=1)
    w = n * m * (np.mean(among[n:]) - np.mean(among[:n])) / ((n + m) * np.sqrt(spread_x + spread_y))
    if distribution == "normal":
        return w, chance_of_z(-w, alternative)
    degrees = (spread_x + spread_y) ** 2 / (spread_x**2 / (n - 1) + spread_y**2 / (m - 1))
    return w, chance_of_t(-w, degrees, alternative)


# ---- variances -------------------------------------------------------------------------------------------------------------------------------


def _centred(name, groups, center, proportiontocut):
    if center not in ("mean", "median", "trimmed"):
        raise ValueError("center must be 'mean', 'median' or 'trimmed'.")
    kept = [trimboth(np.sort(each), proportiontocut) for each in groups] if center == "trimmed" else groups
    middles = [np.median(each) if center == "median" else np.mean(each) for each in kept]
    return [np.abs(each - middle) for each, middle in zip(groups if SCIPY_1_17 else kept, middles, strict=True)]


def levene(*samples, center="median", proportiontocut=0.05, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.levene."""
    _need_samples("levene", samples)
    return LeveneResult(*by_rows("levene", lambda *groups: _levene(groups, center, proportiontocut), samples, axis, nan_policy, keepdims))


def _levene(groups, center, proportiontocut):
    import scipy.special as sp

    gaps, k = _centred("levene", groups, center, proportiontocut), len(groups)
    n = sum([each.shape[0] for each in gaps])
    middle = sum([np.sum(each) for each in gaps]) / n
    above = sum([each.shape[0] * (np.mean(each) - middle) ** 2 for each in gaps])
    below = sum([np.sum((each - np.mean(each)) ** 2) for each in gaps])
    w = (n - k) * above / ((k - 1.0) * below)
    return w, sp.fdtrc(k - 1.0, n - k + 0.0, w)


def bartlett(*samples, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.bartlett."""
    _need_samples("bartlett", samples)
    return BartlettResult(*by_rows("bartlett", _bartlett, samples, axis, nan_policy, keepdims))


def _bartlett(*groups):
    if min([each.shape[0] for each in groups]) < 2:
        return np.nan, np.nan
    k, counts, spreads = len(groups), [each.shape[0] for each in groups], [np.var(each, ddof=1) for each in groups]
    n = sum(counts)
    pooled = sum([(count - 1) * spread for count, spread in zip(counts, spreads, strict=True)]) / (n - k)
    above = (n - k) * np.log(pooled) - sum([(count - 1) * np.log(spread) for count, spread in zip(counts, spreads, strict=True)])
    t = above / (1.0 + 1.0 / (3 * (k - 1)) * (sum([1.0 / (count - 1) for count in counts]) - 1.0 / (n - k)))
    return t, chance_of_chi2(t, k - 1.0)


def fligner(*samples, center="median", proportiontocut=0.05, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.fligner."""
    _need_samples("fligner", samples)
    return FlignerResult(*by_rows("fligner", lambda *groups: _fligner(groups, center, proportiontocut), samples, axis, nan_policy, keepdims))


def _fligner(groups, center, proportiontocut):
    import scipy.special as sp

    gaps = _centred("fligner", groups, center, proportiontocut)
    whole = np.concatenate(gaps)
    scores = sp.ndtri(rankdata(whole) / (2.0 * (whole.shape[0] + 1.0)) + 0.5)
    middle = np.mean(scores)
    found = sum([part.shape[0] * (np.mean(part) - middle) ** 2 for part in _parts(scores, gaps)]) / np.var(scores, ddof=1)
    return found, chance_of_chi2(found, len(groups) - 1.0)


# ---- of one sample ---------------------------------------------------------------------------------------------------------------------------


def _skewness(x):
    n = x.shape[0]
    y = skew(x) * np.sqrt((n + 1.0) * (n + 3) / (6.0 * (n - 2)))
    second = 3.0 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2.0) * (n + 5) * (n + 7) * (n + 9))
    y = np.where(y == 0, 1.0, y)  # as SciPy has it
    width = -1 + np.sqrt(2 * (second - 1))
    return 1.0 / np.sqrt(0.5 * np.log(width)) * np.arcsinh(y / np.sqrt(2.0 / (width - 1)))


def _peakedness(x):
    n = x.shape[0]
    spread = 24.0 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1.0) * (n + 3) * (n + 5))
    gap = (kurtosis(x, fisher=False) - 3.0 * (n - 1) / (n + 1)) / np.sqrt(spread)
    root = 6.0 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * np.sqrt(6.0 * (n + 3) * (n + 5) / (n * (n - 2.0) * (n - 3)))
    a = 6.0 + 8.0 / root * (2.0 / root + np.sqrt(1 + 4.0 / root**2))
    below = 1 + gap * np.sqrt(2 / (a - 4.0))
    return (1 - 2 / (9.0 * a) - np.sign(below) * np.cbrt((1 - 2.0 / a) / np.abs(below))) / np.sqrt(2 / (9.0 * a))


def skewtest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """scipy.stats.skewtest: nan of fewer than eight numbers."""
    return SkewtestResult(*by_rows("skewtest", lambda x: _with_chance(_skewness(x), alternative), (a,), axis, nan_policy, keepdims, least=8))


def _with_chance(z, alternative):
    return z, chance_of_z(z, alternative)


def kurtosistest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """scipy.stats.kurtosistest: nan of fewer than five numbers."""
    return KurtosistestResult(*by_rows("kurtosistest", lambda x: _with_chance(_peakedness(x), alternative), (a,), axis, nan_policy, keepdims, least=5))


def normaltest(a, axis=0, nan_policy="propagate", *, keepdims=False):
    """scipy.stats.normaltest: nan of fewer than eight numbers."""
    return NormaltestResult(*by_rows("normaltest", _normal, (a,), axis, nan_policy, keepdims, least=8))


def _normal(x):
    found = _skewness(x) ** 2 + _peakedness(x) ** 2
    return found, chance_of_chi2(found, 2.0)


def jarque_bera(x, *, axis=None, nan_policy="propagate", keepdims=False):
    """scipy.stats.jarque_bera."""
    return SignificanceResult(*by_rows("jarque_bera", _jarque_bera, (x,), axis, nan_policy, keepdims))


def _jarque_bera(x):
    found = x.shape[0] / 6.0 * (skew(x) ** 2 + kurtosis(x) ** 2 / 4.0)
    return found, chance_of_chi2(found, 2.0)


def ttest_ind_from_stats(mean1, std1, nobs1, mean2, std2, nobs2, equal_var=True, alternative="two-sided"):
    """scipy.stats.ttest_ind_from_stats."""
    one, two = np.asarray(std1) ** 2 / nobs1, np.asarray(std2) ** 2 / nobs2
    if equal_var:
        degrees = nobs1 + nobs2 - 2.0
        error = np.sqrt(((nobs1 - 1) * np.asarray(std1) ** 2 + (nobs2 - 1) * np.asarray(std2) ** 2) / degrees * (1.0 / nobs1 + 1.0 / nobs2))
    else:
        degrees, error = (one + two) ** 2 / (one**2 / (nobs1 - 1) + two**2 / (nobs2 - 1)), np.sqrt(one + two)
    t = (np.asarray(mean1) - np.asarray(mean2)) / error
    return Ttest_indResult(t, chance_of_t(t, degrees, alternative))


def differential_entropy(values, *, window_length=None, base=None, axis=0, method="auto", nan_policy="propagate", keepdims=False):
    """scipy.stats.differential_entropy: nan of fewer numbers than two windows."""
    if method.lower() not in ("auto", "vasicek", "van es", "ebrahimi"):
        unsupported(f"scipy.stats.differential_entropy(…, method={method!r})", "method='vasicek', 'van es' or 'ebrahimi'")
    if base is not None and base <= 0:
        raise ValueError("`base` must be a positive number or `None`.")
    return by_rows("differential_entropy", lambda x: (_entropy(x, window_length, base, method),), (values,), axis, nan_policy, keepdims, count=1)[0]


def _entropy(x, window_length, base, method):
    x = np.sort(x)
    n = x.shape[0]
    m = int(np.floor(np.sqrt(n) + 0.5)) if window_length is None else window_length
    if not 2 <= 2 * m < n:
        return np.nan
    i = np.arange(1, n + 1)
    if method.lower() == "van es" or method.lower() == "auto" and n <= 10:
        found = np.sum(np.log((n + 1) / m * (x[m:] - x[: n - m]))) / (n - m) + np.sum(np.where(i >= m, 1.0 / i, 0.0)) + np.log(m) - np.log(n + 1)
    else:
        gaps = x[np.minimum(i - 1 + m, n - 1)] - x[np.maximum(i - 1 - m, 0)]
        held = np.where(i >= n - m + 1, 1 + (n - i) / m, np.where(i <= m, 1 + (i - 1) / m, 2.0))
        flat = method.lower() == "vasicek" or method.lower() == "auto" and n > 1000
        found = np.mean(np.log(n * gaps / (np.where(flat, 2.0, held) * m)))
    return found if base is None else found / np.log(base)


GROUP_TESTS: dict[str, Any] = {
    f"scipy.stats.{function.__name__}": function
    for function in (
        kruskal, friedmanchisquare, brunnermunzel, levene, bartlett, fligner, skewtest, kurtosistest, normaltest, jarque_bera, ttest_ind_from_stats,
    )
}  # fmt: skip
"""By qualified name."""
MORE = {"scipy.stats.differential_entropy": differential_entropy}
"""Whose own signature has types."""
