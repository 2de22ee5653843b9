"""scipy.stats: tables of counts by several factors (scipy.stats.contingency), Chatterjee's correlation (2021), Bayesian intervals of mean, variance and deviation."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.odds import is_empty, likeliest_ratio, ratio_of_sample
from s2s.transforms.read.composed.rank_tests import chi2_contingency
from s2s.transforms.read.composed.sample_rows import by_rows
from s2s.transforms.read.composed.statistical_results import CrosstabResult, OddsRatioResult, RelativeRiskResult, SignificanceResult

# ---- tables of counts ---------------------------------------------------------------------------------------------------------------------


def margins(a):
    """scipy.stats.contingency.margins: for each axis the sums over all others."""
    return [np.sum(a, axis=tuple(j for j in range(a.ndim) if j != k), keepdims=True) for k in range(a.ndim)]


def expected_freq(observed):
    """scipy.stats.contingency.expected_freq: the counts of factors that have nothing to do with each other."""
    counts = np.asarray(observed, dtype=np.float64)
    found, total = np.ones(()), np.sum(counts)
    for each in margins(counts):
        found = found * each
    return found / total ** (counts.ndim - 1)


def association(observed, method="cramer", correction=False, lambda_=None):
    """scipy.stats.contingency.association: by Cramer, Tschuprow or Pearson."""
    counts = np.asarray(observed)
    if counts.dtype.kind not in "iu":
        raise ValueError("`observed` must be an integer array.")
    if counts.ndim != 2:
        raise ValueError("method only accepts 2d arrays")
    share = chi2_contingency(counts, correction=correction, lambda_=lambda_).statistic / np.sum(counts)
    rows, columns = counts.shape
    if method == "cramer":
        return float(np.sqrt(share / min(columns - 1, rows - 1)))
    if method == "tschuprow":
        return float(np.sqrt(share / np.sqrt((rows - 1.0) * (columns - 1.0))))
    if method == "pearson":
        return float(np.sqrt(share / (1.0 + share)))
    raise ValueError("Invalid argument value: 'method' argument must be 'cramer', 'tschuprow', or 'pearson'")


def _count(k, least, name):
    if np.asarray(k).dtype.kind not in "iub" or np.ndim(k) > 0:
        raise TypeError(f"{name} must be an integer not less than {least}, but got {k!r}")
    if k < least:
        raise ValueError(f"{name} must be an integer not less than {least}, but got {k}")
    return int(k)


def relative_risk(exposed_cases, exposed_total, control_cases, control_total):
    """scipy.stats.contingency.relative_risk: of counts."""
    cases, total = _count(exposed_cases, 0, "exposed_cases"), _count(exposed_total, 1, "exposed_total")
    others, all_others = _count(control_cases, 0, "control_cases"), _count(control_total, 1, "control_total")
    if cases > total:
        raise ValueError("exposed_cases must not exceed exposed_total.")
    if others > all_others:
        raise ValueError("control_cases must not exceed control_total.")
    if others == 0:
        return RelativeRiskResult(np.nan if cases == 0 else np.inf, cases, total, others, all_others)
    return RelativeRiskResult((cases / total) / (others / all_others), cases, total, others, all_others)


def odds_ratio(table, *, kind="conditional"):
    """scipy.stats.contingency.odds_ratio: of a table of two by two counts."""
    if kind not in ("conditional", "sample"):
        raise ValueError("`kind` must be 'conditional' or 'sample'.")
    counts = np.asarray(table)
    if counts.shape != (2, 2):
        raise ValueError(f"Invalid shape {counts.shape}. The input `table` must be of shape (2, 2).")
    if counts.dtype.kind not in "iu":
        raise ValueError(f"`table` must be an array of integers, but got type {counts.dtype}")
    counts = counts.astype(np.int64)
    if np.any(counts < 0):
        raise ValueError("All values in `table` must be nonnegative.")
    if is_empty(counts):
        return OddsRatioResult(counts, kind, np.nan)
    return OddsRatioResult(counts, kind, likeliest_ratio(counts) if kind == "conditional" else ratio_of_sample(counts))


def crosstab(*args, levels=None, sparse=False):
    """scipy.stats.contingency.crosstab: how often values of several factors come together."""
    if len(args) == 0:
        raise TypeError("At least one input sequence is required.")
    if sparse or levels is not None:
        unsupported("scipy.stats.contingency.crosstab(…, levels, sparse)", "the table of all values that there are")
    if not all(len(each) == len(args[0]) for each in args):
        raise ValueError("All input sequences must have the same length.")
    found = [np.unique(each, return_inverse=True) for each in args]
    count = np.zeros([len(values) for values, _ in found], dtype=int)
    np.add.at(count, tuple([places for _, places in found]), 1)
    return CrosstabResult(tuple([values for values, _ in found]), count)


# ---- Chatterjee's -------------------------------------------------------------------------------------------------------------------------


def chatterjeexi(x, y, *, axis=0, y_continuous=False, method="asymptotic", nan_policy="propagate", keepdims=False):
    """scipy.stats.chatterjeexi."""
    if method != "asymptotic":
        raise NotImplementedError("scipy.stats.chatterjeexi with a method of permutations is not supported")
    return SignificanceResult(*by_rows("chatterjeexi", lambda x, y: _chatterjee(x, y, y_continuous), (x, y), axis, nan_policy, keepdims, paired=True, least=2))


def _chatterjee(first, second, y_continuous):
    import scipy.special as sp
    import scipy.stats

    n = first.shape[0]
    ordered = np.sort(first)
    if np.any(ordered[1:] == ordered[:-1]):
        raise NotImplementedError("scipy.stats.chatterjeexi of an x with equal numbers (whose order is SciPy's choice) is not supported")
    second = second[np.argsort(first)]
    up, down = scipy.stats.rankdata(second, method="max"), scipy.stats.rankdata(-second, method="max")
    steps, places = np.sum(np.abs(np.diff(up))), np.arange(1.0, n + 1.0)
    if y_continuous:
        found, spread = 1.0 - 3.0 * steps / (n**2 - 1.0), np.sqrt(0.4 / n)
    else:
        found = 1.0 - n * steps / (2.0 * np.sum((n - down) * down))
        rising = np.sort(up)
        four = np.sum((2.0 * n - 2.0 * places + 1.0) * rising**2) / n**4.0
        five = np.sum((np.cumsum(rising) + (n - places) * rising) ** 2) / n**5.0
        three, rest = np.sum((2.0 * n - 2.0 * places + 1.0) * rising) / n**3.0, np.sum(down * (n - down)) / n**3.0
        spread = np.sqrt((four - 2.0 * five + three**2) / rest**2) / np.sqrt(1.0 * n)
    return found, sp.ndtr(-found / spread)


# ---- Bayesian intervals -------------------------------------------------------------------------------------------------------------------


class Mean(NamedTuple):
    """Of a mean: its estimate and where it is."""

    statistic: Any
    minmax: Any


class Variance(NamedTuple):
    """Of a variance."""

    statistic: Any
    minmax: Any


class Std_dev(NamedTuple):  # noqa: N801 - SciPy's name
    """Of a standard deviation."""

    statistic: Any
    minmax: Any


def bayes_mvs(data, alpha=0.9):
    """scipy.stats.bayes_mvs: mean, variance and standard deviation with intervals, of what is drawn from a normal distribution."""
    import scipy.special as sp
    import scipy.stats

    x = np.ravel(np.asarray(data)).astype(np.float64)
    n = x.shape[0]
    if n < 2:
        raise ValueError("Need at least 2 data-points.")
    if np.any(np.isinf(x)):
        raise NotImplementedError("scipy.stats.bayes_mvs of infinite numbers is not supported")
    if alpha >= 1 or alpha <= 0:
        raise ValueError(f"0 < alpha < 1 is required, but alpha={alpha!r} was given.")
    centre, square = np.mean(x), np.var(x)
    if n > 1000:
        width, third, second = np.sqrt(square / n), np.sqrt(square / (2.0 * n)), np.sqrt(2.0 / n) * square
        return (
            Mean(centre, scipy.stats.norm.interval(alpha, loc=centre, scale=width)), Variance(square, scipy.stats.norm.interval(alpha, loc=square, scale=second)),
            Std_dev(np.sqrt(square), scipy.stats.norm.interval(alpha, loc=np.sqrt(square), scale=third)),
        )  # fmt: skip
    half, scale = (n - 1) / 2.0, n * square / 2.0
    low, high = scipy.stats.invgamma.interval(alpha, half, scale=scale)
    mean = scale / (half - 1.0) if half > 1.0 else np.inf
    deviation = np.sqrt(scale) * np.exp(sp.gammaln(half - 0.5) - sp.gammaln(half)) if half > 0.5 else np.inf
    return Mean(centre if n > 2 else np.inf, scipy.stats.t.interval(alpha, n - 1, loc=centre, scale=np.sqrt(square / (n - 1)))), Variance(mean, (low, high)), Std_dev(deviation, (np.sqrt(low), np.sqrt(high)))


ASSOCIATIONS: dict[str, Any] = {
    **{f"scipy.stats.contingency.{function.__name__}": function for function in (margins, expected_freq, association, relative_risk, odds_ratio, crosstab)}, "scipy.stats.chatterjeexi": chatterjeexi, "scipy.stats.bayes_mvs": bayes_mvs,
}
"""By qualified name."""
