"""scipy.stats: samples against the quantiles of a distribution, and the powers that make them like normal ones."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.comparisons import boxcox_llf, linregress, yeojohnson, yeojohnson_llf
from s2s.transforms.read.composed.correlations import pearsonr
from s2s.transforms.read.composed.descriptive import rankdata
from s2s.transforms.read.composed.fitting import minimize_scalar
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.statistical_results import SignificanceResult


def _medians(n):
    """Of the order statistics of n uniform numbers, about (Filliben 1975)."""
    last = 0.5 ** (1.0 / n)
    return np.concatenate((np.full(1, 1.0 - last), (np.arange(2, n) - 0.3175) / (n + 0.365), np.full(1, last)))


def probplot(x, sparams=(), dist="norm", fit=True, plot=None, rvalue=False):
    """scipy.stats.probplot: quantiles, the sorted samples, and the line through them."""
    import scipy.stats as st

    if plot is not None:
        unsupported("scipy.stats.probplot that plots", "the two arrays that it gives")
    x = np.asarray(x)
    if x.ndim != 1 or x.shape[0] < 2:
        raise NotImplementedError("scipy.stats.probplot of fewer than two samples, or of several axes, is not supported")
    family = getattr(st, dist) if isinstance(dist, str) else dist
    parameters = () if sparams is None else tuple(sparams) if isinstance(sparams, (tuple, list)) else (sparams,)
    quantiles, ordered = family.ppf(_medians(x.shape[0]), *parameters), np.sort(x)
    if not fit:
        return quantiles, ordered
    line = linregress(quantiles, ordered)
    return (quantiles, ordered), (line.slope, line.intercept, line.rvalue)


def spearmanrho(x, y, /, *, alternative="two-sided", method=None, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.spearmanrho of samples without nan."""
    if nan_policy != "propagate" or keepdims:
        unsupported("scipy.stats.spearmanrho with a nan_policy or keepdims", "samples without nan")
    if np.ndim(x) != np.ndim(y):
        unsupported("scipy.stats.spearmanrho of samples with another number of axes", "as many")
    dtype = np.result_type(np.asarray(x).dtype, np.asarray(y).dtype)
    dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)
    found = pearsonr(rankdata(x, axis=axis).astype(dtype), rankdata(y, axis=axis).astype(dtype), alternative=alternative, method=method, axis=axis)
    return SignificanceResult(found.statistic, found.pvalue)


def boxcox_normmax(x, brack=None, method="pearsonr", optimizer=None, *, ymax=np.inf):
    """scipy.stats.boxcox_normmax: the power of the straightest probability plot, or the likeliest one."""
    if method not in ("pearsonr", "mle", "all"):
        raise ValueError(f"Method {method} not recognized.")
    if optimizer is not None or ymax != np.inf:
        unsupported("scipy.stats.boxcox_normmax with an optimizer or ymax", "brack")
    x = np.asarray(x, np.float64)
    if np.any(~np.isfinite(x) | (x <= 0)):
        raise ValueError("The `x` argument of `boxcox_normmax` must contain only positive, finite, real numbers.")
    limits = (-2.0, 2.0) if brack is None else brack
    if method == "mle":
        return _likeliest(x, limits)
    straight = _straightest(x, limits)
    return straight if method == "pearsonr" else np.stack((straight, _likeliest(x, limits)))


def _likeliest(x, limits):
    return minimize_scalar(lambda power: -boxcox_llf(power, x), limits).x


def _straightest(x, limits):
    import scipy.special as sp

    scores, logarithms = sp.ndtri(_medians(x.shape[0])), np.log(np.sort(x))
    scores = scores / np.sqrt(np.sum(scores**2))

    def bend(power):
        none = np.abs(power) < 1e-19
        raised = np.where(none, logarithms, np.expm1(power * logarithms) / np.where(none, 1.0, power))
        raised = raised - np.mean(raised)
        return 1.0 - np.sum(scores * raised) / np.sqrt(np.sum(raised**2))

    return minimize_scalar(bend, limits).x


def yeojohnson_normmax(x, brack=None):
    """scipy.stats.yeojohnson_normmax."""
    x = np.asarray(x)
    if brack is None:
        return yeojohnson(x)[1]
    return minimize_scalar(lambda power: -yeojohnson_llf(power, x), brack).x


NORMAL_SCORES: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (probplot, spearmanrho, boxcox_normmax, yeojohnson_normmax)}
"""By qualified name."""
