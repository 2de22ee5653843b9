"""What scipy.stats' tests give: pairs, as in SciPy, with further attributes and methods. The classes are read like a user's own."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.odds import conditional_limits, is_empty, limits_of_sample
from s2s.transforms.read.composed.studentized import range_that_is_kept

SIDES = {"less": -1.0, "two-sided": 0.0, "greater": 1.0}
"""What results keep of `alternative`."""


def beyond(z, alternative):
    """The probability of a normal number, or of one beyond it."""
    import scipy.special as sp

    if alternative == "two-sided":
        return 2.0 * sp.ndtr(-np.abs(z))
    return sp.ndtr(z) if alternative == "less" else sp.ndtr(-z)


def chance_of_chi2(x, degrees):
    """The probability of a sum of squares of normal numbers beyond."""
    import scipy.special as sp

    return sp.chdtrc(degrees, x)


def chance_of_z(z, alternative):
    """The probability of a normal number beyond."""
    if alternative not in SIDES:
        raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")
    return beyond(z, alternative)


def chance_of_t(t, degrees, alternative):
    """The probability of a statistic of Student's distribution, or of one beyond it."""
    import scipy.stats

    if alternative == "two-sided":
        return 2 * scipy.stats.t.sf(np.abs(t), degrees)
    if alternative == "less":
        return scipy.stats.t.cdf(t, degrees)
    if alternative != "greater":
        raise ValueError("`alternative` must be 'less', 'greater', or 'two-sided'.")
    return scipy.stats.t.sf(t, degrees)


class ConfidenceInterval(NamedTuple):
    """What `confidence_interval` gives."""

    low: Any
    high: Any


@dataclass
class SignificanceResult:
    """A statistic, and the probability of one like it by chance."""

    statistic: Any
    pvalue: Any

    def __iter__(self):
        return iter((self.statistic, self.pvalue))

    def __getitem__(self, place):
        return (self.statistic, self.pvalue)[place]

    def __len__(self):
        return 2

    @property
    def correlation(self):
        """The statistic."""
        return self.statistic


@dataclass
class PearsonRResult(SignificanceResult):
    """What scipy.stats.pearsonr gives."""

    _count: Any
    _side: Any

    def confidence_interval(self, confidence_level=0.95, method=None):
        """Of the correlation, by Fisher's transformation."""
        import scipy.special as sp

        if method is not None:
            raise NotImplementedError("confidence_interval(method=…) of pearsonr's result is not supported")
        if self._count <= 3:
            return ConfidenceInterval(np.full_like(self.statistic, -1.0)[()], np.ones_like(self.statistic)[()])
        middle, error = np.arctanh(self.statistic), 1.0 / np.sqrt(self._count - 3.0)
        gap = sp.ndtri(0.5 + confidence_level / 2.0 if self._side == 0 else confidence_level) * error
        low = np.full_like(self.statistic, -1.0)[()] if self._side < 0 else np.tanh(middle - gap).astype(self.statistic.dtype)
        high = np.ones_like(self.statistic)[()] if self._side > 0 else np.tanh(middle + gap).astype(self.statistic.dtype)
        return ConfidenceInterval(low, high)


@dataclass
class KstestResult(SignificanceResult):
    """What scipy.stats.ks_1samp and kstest give."""

    statistic_location: Any
    statistic_sign: Any


@dataclass
class StatisticWithChance:
    """Two attributes, no pair."""

    statistic: Any
    pvalue: Any


@dataclass
class CramerVonMisesResult(StatisticWithChance):
    """What scipy.stats.cramervonmises and cramervonmises_2samp give."""


@dataclass
class AlexanderGovernResult(StatisticWithChance):
    """What scipy.stats.alexandergovern gives."""


@dataclass
class TtestResult(SignificanceResult):
    """What scipy.stats' tests of means give."""

    df: Any
    _side: Any
    _error: Any
    _estimate: Any

    def confidence_interval(self, confidence_level=0.95):
        """Of the mean, or of the difference of the means."""
        import scipy.special as sp

        if confidence_level < 0 or confidence_level > 1:
            raise ValueError("`confidence_level` must be a number between 0 and 1.")
        dtype = self._estimate.dtype
        level = confidence_level if self._side != 0 else (1.0 + confidence_level) / 2.0
        gap = sp.stdtrit(self.df, level).astype(dtype) * self._error
        low = np.full_like(gap, -np.inf)[()] if self._side < 0 else self._estimate - gap
        high = np.full_like(gap, np.inf)[()] if self._side > 0 else self._estimate + gap
        return ConfidenceInterval(low, high)


@dataclass
class LinregressResult:
    """What scipy.stats.linregress gives: five numbers, and the error of the intercept."""

    slope: Any
    intercept: Any
    rvalue: Any
    pvalue: Any
    stderr: Any
    intercept_stderr: Any

    def __iter__(self):
        return iter((self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr))

    def __getitem__(self, place):
        return (self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr)[place]

    def __len__(self):
        return 5


@dataclass
class BinomTestResult:
    """What scipy.stats.binomtest gives."""

    k: Any
    n: Any
    statistic: Any
    pvalue: Any
    _side: Any

    @property
    def proportion_estimate(self):
        """The statistic."""
        return self.statistic

    def proportion_ci(self, confidence_level=0.95, method="exact"):
        """Of the chance of a success."""
        if method not in ("exact", "wilson", "wilsoncc"):
            raise ValueError(f"method ('{method}') must be one of 'exact', 'wilson' or 'wilsoncc'.")
        if not 0 <= confidence_level <= 1:
            raise ValueError(f"confidence_level ({confidence_level}) must be in the interval [0, 1].")
        share = confidence_level if self._side != 0 else (1.0 + confidence_level) / 2.0
        low, high = self._exact(share) if method == "exact" else self._wilson(share, method == "wilsoncc")
        none, whole = self._side < 0 or self.k == 0, self._side > 0 or self.k == self.n
        return ConfidenceInterval(np.where(none, 0.0, low)[()], np.where(whole, 1.0, high)[()])

    def _exact(self, share):
        """Where the chance of as many successes, or as few, is what the level leaves."""
        import scipy.special as sp

        k, rest = 1.0 * self.k, 1.0 * (self.n - self.k)
        return sp.betaincinv(np.maximum(k, 0.5), rest + 1.0, 1.0 - share), sp.betaincinv(k + 1.0, np.maximum(rest, 0.5), share)

    def _wilson(self, share, correction):
        import scipy.special as sp

        n, p = 1.0 * self.n, self.k / self.n
        z, q = sp.ndtri(share), 1.0 - p
        below = 2.0 * (n + z**2)
        middle = (2.0 * n * p + z**2) / below
        if not correction:
            gap = z / below * np.sqrt(4.0 * n * p * q + z**2)
            return middle - gap, middle + gap
        down, up = z**2 - 2.0 - 1.0 / n + 4.0 * p * (n * q + 1.0), z**2 + 2.0 - 1.0 / n + 4.0 * p * (n * q - 1.0)
        return middle - (1.0 + z * np.sqrt(np.maximum(down, 0.0))) / below, middle + (1.0 + z * np.sqrt(np.maximum(up, 0.0))) / below


@dataclass
class DirectionalStats:
    """What scipy.stats.directional_stats gives."""

    mean_direction: Any
    mean_resultant_length: Any


@dataclass
class SomersDResult:
    """What scipy.stats.somersd gives."""

    statistic: Any
    pvalue: Any
    table: Any

    @property
    def correlation(self):
        """The statistic."""
        return self.statistic


@dataclass
class EmpiricalDistributionFunction:
    """The steps of scipy.stats.ecdf: probabilities from each of some samples on; `_first` before."""

    quantiles: Any
    probabilities: Any
    _first: Any
    _at_risk: Any
    _events: Any

    def evaluate(self, x):
        """The probability at points."""
        x = np.asarray(x)
        steps = np.concatenate((np.full(1, self._first), self.probabilities))
        found = steps[np.searchsorted(self.quantiles, x, side="right")]
        return np.where(x < np.inf, found, 1.0 - self._first)

    def confidence_interval(self, confidence_level=0.95, *, method="linear"):
        """Of the probabilities, by Greenwood's formula or its logarithm."""
        import scipy.special as sp

        if method.lower() not in ("linear", "log-log"):
            raise ValueError("`method` must be one of {'linear', 'log-log'}.")
        if not 0 <= confidence_level <= 1:
            raise ValueError("`confidence_level` must be a scalar between 0 and 1.")
        left = self.probabilities if self._first == 1.0 else 1.0 - self.probabilities
        spread = np.cumsum(self._events / (self._at_risk * (self._at_risk - self._events)))
        z = sp.ndtri(0.5 + confidence_level / 2.0)
        if method.lower() == "linear":
            gap = z * np.sqrt(left**2 * spread)
            low, high = self.probabilities - gap, self.probabilities + gap
        else:
            gap, middle = z * np.sqrt(1.0 / np.log(left) ** 2 * spread), np.log(-np.log(left))
            low, high = np.exp(-np.exp(middle + gap)), np.exp(-np.exp(middle - gap))
            low, high = (low, high) if self._first == 1.0 else (1.0 - high, 1.0 - low)
        return ConfidenceInterval(self._bound(np.clip(low, 0.0, 1.0)), self._bound(np.clip(high, 0.0, 1.0)))

    def _bound(self, probabilities):
        return EmpiricalDistributionFunction(self.quantiles, probabilities, self._first, self._at_risk, self._events)


@dataclass
class ECDFResult:
    """What scipy.stats.ecdf gives."""

    cdf: Any
    sf: Any


@dataclass
class BootstrapResult:
    """What scipy.stats.bootstrap gives."""

    confidence_interval: Any
    bootstrap_distribution: Any
    standard_error: Any


@dataclass
class ResampledTestResult:
    """What scipy.stats.permutation_test and monte_carlo_test give."""

    statistic: Any
    pvalue: Any
    null_distribution: Any


@dataclass
class CrosstabResult:
    """What scipy.stats.contingency.crosstab gives."""

    elements: Any
    count: Any

    def __iter__(self):
        return iter((self.elements, self.count))

    def __getitem__(self, place):
        return (self.elements, self.count)[place]

    def __len__(self):
        return 2


@dataclass
class RelativeRiskResult:
    """What scipy.stats.contingency.relative_risk gives."""

    relative_risk: Any
    exposed_cases: Any
    exposed_total: Any
    control_cases: Any
    control_total: Any

    def confidence_interval(self, confidence_level=0.95):
        """Of the ratio, by Katz's formula."""
        import scipy.special as sp

        if not 0 <= confidence_level <= 1:
            raise ValueError("confidence_level must be in the interval [0, 1].")
        exposed, control = self.exposed_cases == 0, self.control_cases == 0
        if exposed or control:
            return ConfidenceInterval(0.0 if exposed and not control else np.nan, np.inf if control and not exposed else np.nan)
        error = np.sqrt(1 / self.exposed_cases - 1 / self.exposed_total + 1 / self.control_cases - 1 / self.control_total)
        gap = sp.ndtri(1 - (1 - confidence_level) / 2) * error
        return ConfidenceInterval(self.relative_risk * np.exp(-gap), self.relative_risk * np.exp(gap))


@dataclass
class OddsRatioResult:
    """What scipy.stats.contingency.odds_ratio gives."""

    _table: Any
    _kind: Any
    statistic: Any

    def confidence_interval(self, confidence_level=0.95, alternative="two-sided"):
        """Of the ratio."""
        if alternative not in ("two-sided", "less", "greater"):
            raise ValueError("`alternative` must be 'two-sided', 'less' or 'greater'.")
        if confidence_level < 0 or confidence_level > 1:
            raise ValueError("confidence_level must be between 0 and 1")
        if is_empty(self._table):
            return ConfidenceInterval(0.0, np.inf)
        low, high = conditional_limits(self._table, confidence_level, alternative) if self._kind == "conditional" else limits_of_sample(self._table, confidence_level, alternative)
        return ConfidenceInterval(low, high)


@dataclass
class TukeyHSDResult:
    """What scipy.stats.tukey_hsd gives: the differences of the means, and how often chance makes them so large."""

    statistic: Any
    pvalue: Any
    _errors: Any
    _degrees: Any

    def confidence_interval(self, confidence_level=0.95):
        """Of each difference."""
        if not 0 < confidence_level < 1:
            raise ValueError("Confidence level must be between 0 and 1.")
        groups = self.statistic.shape[0]
        gaps = np.zeros((groups, groups))
        for i in range(groups):
            for j in range(groups):
                gaps[i, j] = range_that_is_kept(confidence_level, groups, constant(self._degrees[i, j]))
        return ConfidenceInterval(self.statistic - gaps * self._errors, self.statistic + gaps * self._errors)
