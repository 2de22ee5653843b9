"""scipy.stats: probabilities of several tests together, and which of several means differ."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.group_tests import as_samples, groups_of
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.statistical_results import SignificanceResult, TukeyHSDResult, chance_of_chi2, chance_of_t, chance_of_z
from s2s.transforms.read.composed.studentized import within


def _together(p, statistic, chance):
    return SignificanceResult(*as_samples((p,), statistic, chance))


def combine_pvalues(pvalues, method="fisher", weights=None, *, axis=0, nan_policy="propagate", keepdims=False):
    """scipy.stats.combine_pvalues."""
    import scipy.special as sp

    p = groups_of("combine_pvalues", (pvalues,), axis, nan_policy if weights is None or nan_policy != "omit" else "propagate", keepdims, 1)[0]
    n = p.shape[0]
    if method == "fisher":
        found = -2.0 * np.sum(np.log(p))
        return _together(p, found, chance_of_chi2(found, 2.0 * n))
    if method == "pearson":
        found = 2.0 * np.sum(np.log1p(-p))
        return _together(p, found, sp.chdtr(2.0 * n, -found))
    if method == "mudholkar_george":
        found = np.sum(np.log1p(-p)) - np.sum(np.log(p))
        degrees = 5.0 * n + 4.0
        return _together(p, found, chance_of_t(found * np.sqrt(3.0 / n) / np.pi * np.sqrt(degrees / (degrees - 2.0)), degrees, "greater"))
    if method == "tippett":
        found = np.min(p)
        return _together(p, found, -np.expm1(n * np.log1p(-found)))
    if method != "stouffer":
        raise ValueError(f"Invalid method {method!r}. Valid methods are 'fisher', 'pearson', 'mudholkar_george', 'tippett', and 'stouffer'")
    weight = np.ones_like(p) if weights is None else np.asarray(weights, p.dtype)
    found = np.sum(weight * -sp.ndtri(p)) / np.sqrt(np.sum(weight**2))
    return _together(p, found, chance_of_z(found, "greater"))


def false_discovery_control(ps, *, axis=0, method="bh"):
    """scipy.stats.false_discovery_control."""
    p = np.asarray(ps)
    if method.lower() not in ("bh", "by"):
        raise ValueError(f"Unrecognized `method` '{method}'.")
    if p.dtype.kind == "b" or np.any((p < 0) | (p > 1)):
        raise ValueError("`ps` must include only numbers between 0 and 1.")
    if axis is not None and not isinstance(axis, int | np.integer):
        raise ValueError("`axis` must be an integer or `None`")
    if p.ndim != 1 and axis is not None:
        unsupported("scipy.stats.false_discovery_control along an axis of several", "a loop over the rows")
    p = p.ravel()
    m = p.shape[0]
    order, i = np.argsort(p), np.arange(1, m + 1)
    raised = p[order] * (m / i) * (np.sum(1.0 / i) if method.lower() == "by" else 1.0)
    least = np.minimum.accumulate(raised[::-1])[::-1]
    found = np.zeros_like(least)
    found[order] = least
    return np.clip(found, 0.0, 1.0).astype(p.dtype if p.dtype.kind == "f" else np.float64)


def tukey_hsd(*args, equal_var=True):
    """scipy.stats.tukey_hsd: which means differ (Tukey, Comparing individual means in the analysis of variance, 1949; where variances may differ Games and Howell, 1976)."""
    if len(args) < 2:
        raise ValueError("There must be more than 1 treatment.")
    if not isinstance(equal_var, bool):
        raise TypeError("Expected a boolean value for 'equal_var'")
    samples = [np.asarray(each) for each in args]
    for each in samples:
        if each.ndim != 1:
            raise ValueError("Input samples must be one-dimensional.")
        if each.shape[0] <= 1:
            raise ValueError("Input sample size must be greater than one.")
        if np.any(np.isinf(each)):
            raise ValueError("Input samples must be finite.")
    groups = len(samples)
    means, spreads = np.stack([np.mean(each) for each in samples]), np.stack([np.var(each, ddof=1) for each in samples])
    counts = np.array([each.shape[0] for each in samples]) * 1.0
    if equal_var:
        pooled, shares = np.sum(spreads * (counts - 1.0)) / (np.sum(counts) - groups), 1.0 / counts
        errors = np.sqrt((shares[:, np.newaxis] + shares) * pooled / 2.0)
        degrees = np.zeros((groups, groups)) + (np.sum(counts) - groups)
    else:
        shares = spreads / counts
        both, each = shares[:, np.newaxis] + shares, shares**2 / (counts - 1.0)
        errors, degrees = np.sqrt(both) / np.sqrt(2.0), both**2 / (each[:, np.newaxis] + each)
    gaps = means[:, np.newaxis] - means
    chances = np.ones((groups, groups))
    for i in range(groups):
        for j in range(i):
            chances[i, j] = 1.0 - within(np.abs(gaps[i, j]) / errors[i, j], groups, degrees[i, j])
            chances[j, i] = chances[i, j]
    return TukeyHSDResult(gaps, chances, errors, degrees)


SEVERAL_TESTS: dict[str, Any] = {f"scipy.stats.{function.__name__}": function for function in (combine_pvalues, false_discovery_control, tukey_hsd)}
"""By qualified name."""
