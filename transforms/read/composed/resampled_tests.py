"""scipy.stats: bootstrap, permutation_test and monte_carlo_test of the user's statistics, with SciPy's draws from a generator.

Method: Efron and Tibshirani, "An introduction to the bootstrap" (1993), 14.3 and 15.4.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.given_generators import generator_of, whole_number
from s2s.transforms.read.composed.marks import parameter_names, unsupported
from s2s.transforms.read.composed.statistical_results import BootstrapResult, ConfidenceInterval, ResampledTestResult

# ---- what all ask of their arguments -------------------------------------------------------------------------------------------------


def _checked(name, n_resamples, batch, alternative, axis):
    if batch is not None:
        unsupported(f"scipy.stats.{name}(…, batch=…)", "all samples at once: batch=None")
    if axis not in (0, -1):
        raise ValueError(f"scipy.stats.{name} of samples of one axis along axis {axis}")
    if n_resamples <= 0:
        raise ValueError("`n_resamples` must be a positive integer.")
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError("`alternative` must be in {'two-sided', 'greater', 'less'}")


def _samples(name, data):
    if not isinstance(data, tuple | list):
        unsupported(f"scipy.stats.{name} of data that are no tuple or list", "a tuple of samples: (x,)")
    found = [np.asarray(sample) for sample in data]
    for sample in found:
        if sample.ndim != 1:
            unsupported(f"scipy.stats.{name} of samples of {sample.ndim} axes", "a loop over the samples")
        if sample.shape[0] <= 1:
            raise ValueError("each sample in `data` must contain two or more observations along `axis`.")
    return found


def _along_last(statistic, vectorized):
    """The statistic of samples along their last axis."""
    at_once = "axis" in parameter_names(statistic) if vectorized is None else vectorized

    def found(*samples):
        if samples[0].ndim == 1:
            return statistic(*samples, axis=-1) if at_once else statistic(*samples)
        if at_once:
            return statistic(*samples, axis=-1)
        given = [np.asarray(statistic(*[sample[0] for sample in samples]))]
        made = np.zeros(samples[0].shape[0], given[0].dtype)
        for k in range(samples[0].shape[0]):
            made[k] = statistic(*[sample[k] for sample in samples])
        return made

    return found


def _by_chance(observed, null, alternative, count, adjustment, dtype):
    """The share of what chance gives that is like what was observed, numbers that differ by rounding counted as equal."""
    slack = np.abs(100 * np.finfo(observed.dtype).eps * observed) if observed.dtype.kind == "f" else 0
    below = (np.sum(null <= observed + slack) + adjustment).astype(dtype) / (count + adjustment)
    above = (np.sum(null >= observed - slack) + adjustment).astype(dtype) / (count + adjustment)
    found = below if alternative == "less" else above if alternative == "greater" else 2 * np.minimum(below, above)
    return np.clip(found, 0.0, 1.0)


def _floating(samples):
    dtype = np.result_type(*samples)
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


# ---- bootstrap ---------------------------------------------------------------------------------------------------------------------------


def bootstrap(data, statistic, *, n_resamples=9999, batch=None, vectorized=None, paired=False, axis=0, confidence_level=0.95, alternative="two-sided", method="BCa", bootstrap_result=None, rng=None, random_state=None):
    """scipy.stats.bootstrap of samples of one axis."""
    _checked("bootstrap", n_resamples, batch, alternative, axis)
    if method.lower() not in ("percentile", "basic", "bca"):
        raise ValueError("`method` must be in {'percentile', 'basic', 'bca'}")
    if bootstrap_result is not None:
        unsupported("scipy.stats.bootstrap(…, bootstrap_result=…)", "one call with all resamples")
    samples, rng, of_samples = _samples("bootstrap", data), generator_of(rng, random_state), _along_last(statistic, vectorized)
    for sample in samples[1:]:
        if paired and sample.shape[0] != samples[0].shape[0]:
            raise ValueError("When `paired is True`, all samples must have the same length along `axis`")
    places = [np.arange(sample.shape[0]) for sample in samples[: 1 if paired else len(samples)]]

    def of_places(*chosen):
        return of_samples(*[sample[chosen[0 if paired else k]] for k, sample in enumerate(samples)])

    chosen = [whole_number(rng, place.shape[0], (n_resamples, place.shape[0])) for place in places]
    drawn = of_places(*chosen)
    alpha = (1 - confidence_level) / 2 if alternative == "two-sided" else 1 - confidence_level
    levels = _corrected_levels(of_places, places, drawn, alpha) if method.lower() == "bca" else np.array([alpha, 1 - alpha])
    known = np.isnan(levels)
    ends = np.where(known, np.nan, np.quantile(drawn, np.where(known, 0.5, levels)))
    low, high = ends[0], ends[1]
    if method.lower() == "basic":
        whole = of_places(*places)
        low, high = 2 * whole - high, 2 * whole - low
    if alternative == "less":
        low = low.dtype.type(-np.inf)
    elif alternative == "greater":
        high = high.dtype.type(np.inf)
    return BootstrapResult(ConfidenceInterval(low, high), drawn, np.std(drawn, ddof=1))


def _corrected_levels(of_places, places, drawn, alpha):
    """Levels that are corrected for bias and for skewness, by leaving out each observation in turn."""
    import scipy.special as sp

    whole = of_places(*places)
    bias = sp.ndtri((np.sum(drawn < whole) + np.sum(drawn <= whole)) / (2 * drawn.shape[0]))
    third, second = 0.0, 0.0
    for k in range(len(places)):
        n = places[k].shape[0]
        kept = np.arange(n - 1)[np.newaxis, :]
        without = kept + (kept >= np.arange(n)[:, np.newaxis])
        others = [without if j == k else np.zeros((n, 1), np.int64) + place for j, place in enumerate(places)]
        left_out = of_places(*others)
        moved = (n - 1.0) * (np.mean(left_out) - left_out)
        third, second = third + np.sum(moved**3) / (1.0 * n) ** 3, second + np.sum(moved**2) / (1.0 * n) ** 2
    speed = 1 / 6 * third / second**1.5
    ends = bias + np.array([1.0, -1.0]) * sp.ndtri(alpha)
    return sp.ndtr(bias + ends / (1 - speed * ends))


# ---- permutations --------------------------------------------------------------------------------------------------------------------------


def permutation_test(data, statistic, *, permutation_type="independent", vectorized=None, n_resamples=9999, batch=None, alternative="two-sided", axis=0, rng=None, random_state=None):
    """scipy.stats.permutation_test of samples of one axis."""
    _checked("permutation_test", n_resamples, batch, alternative, axis)
    if permutation_type not in ("samples", "pairings", "independent"):
        raise ValueError("`permutation_type` must be in {'samples', 'pairings', 'independent'}.")
    if len(data) < 2 and permutation_type == "independent":
        raise ValueError("`data` must be a tuple containing at least two samples")
    samples, of_samples = _samples("permutation_test", data), _along_last(statistic, vectorized)
    observed = of_samples(*samples)
    makers = {"independent": _independent, "pairings": _paired, "samples": _exchanged}
    exact, null = makers[permutation_type](samples, of_samples, n_resamples, generator_of(rng, random_state))
    observed = np.asarray(observed)[()]
    return ResampledTestResult(observed, _by_chance(observed, null, alternative, null.shape[0], 0 if exact else 1, _floating(samples)), null)


def _independent(samples, of_samples, n_resamples, rng):
    """Observations of all samples, divided anew."""
    sizes = [sample.shape[0] for sample in samples]
    count, total = 1.0, 0  # in floats, until there are more than are wanted
    for size in sizes:
        for k in range(1, size + 1):
            if count <= n_resamples:
                count = count * (total + k) / k
        total += size
    exact = n_resamples == np.inf or n_resamples >= count
    chosen = _divisions(sizes, total, int(count)) if exact else _orders(total, n_resamples, rng)
    whole = np.concatenate(samples)[chosen]
    first, parts = 0, []
    for size in sizes:
        parts.append(whole[:, first : first + size])
        first += size
    return exact, of_samples(*parts)


def _orders(total, count, rng):
    found = np.zeros((count, total), np.int64)
    for k in range(count):
        found[k] = rng.permutation(total)
    return found


def _divisions(sizes, total, count):
    """The places of all divisions, in the order of the places that the first part gets, then the second; within a part they increase (SciPy has a set's order there)."""
    labels, left = [], total
    for size in sizes[:-1]:
        labels.append((np.arange(left) >= size).astype(np.int64))
        left -= size
    found = np.zeros((count, total), np.int64)
    for k in range(count):
        rest, first = np.arange(total), 0
        for label, size in zip(labels, sizes, strict=False):
            order = rest[np.argsort(label, kind="stable")]
            found[k, first : first + size] = order[:size]
            rest, first = order[size:], first + size
        found[k, first:] = rest
        another = False
        for label in labels[::-1]:
            if not another:
                another = _next_order(label)
    return found


def _next_order(labels):
    """Put numbers into the order that follows theirs, after the last one into the first. Whether one followed. Method: Narayana Pandita, 14th century."""
    last = labels.shape[0] - 1
    turn = last - 1
    while turn >= 0 and labels[turn] >= labels[turn + 1]:
        turn -= 1
    if turn >= 0:
        other = last
        while labels[other] <= labels[turn]:
            other -= 1
        kept = labels[turn]
        labels[turn] = labels[other]
        labels[other] = kept
    labels[turn + 1 :] = labels[turn + 1 :][::-1].copy()
    return turn >= 0


def _paired(samples, of_samples, n_resamples, rng):
    """Observations of each sample in other orders."""
    for sample in samples:
        if sample.shape[0] != samples[0].shape[0]:
            raise ValueError("scipy.stats.permutation_test of pairings wants samples of the same length")
    exact, orders = _all_or_some_orders(len(samples), samples[0].shape[0], n_resamples, rng)
    return exact, of_samples(*[sample[orders[:, k]] for k, sample in enumerate(samples)])


def _exchanged(samples, of_samples, n_resamples, rng):
    """The observations at a place in other samples; of one sample their signs."""
    rows = np.stack([samples[0], -samples[0]] if len(samples) == 1 else samples)
    exact, orders = _all_or_some_orders(rows.shape[1], rows.shape[0], n_resamples, rng)
    return exact, of_samples(*[rows[orders[:, :, k], np.arange(rows.shape[1])] for k in range(len(samples))])


def _all_or_some_orders(rows, length, n_resamples, rng):
    """Whether these are all, and for each of them an order for each row."""
    count = 1.0
    for _ in range(rows):
        for k in range(2, length + 1):
            if count <= n_resamples:
                count *= k
    if n_resamples != np.inf and n_resamples < count:
        if not isinstance(rng, np.random.Generator):
            return False, np.argsort(rng.random_sample((n_resamples, rows, length)), axis=-1)
        return False, rng.permuted(np.zeros((n_resamples, rows, 1), np.int64) + np.arange(length), axis=-1)
    now = np.zeros((rows, length), np.int64) + np.arange(length)
    found = np.zeros((int(count), rows, length), np.int64)
    for k in range(found.shape[0]):
        found[k] = now
        row = rows - 1
        while row >= 0 and not _next_order(now[row]):
            row -= 1
    return True, found


def monte_carlo_test(data, rvs, statistic, *, vectorized=None, n_resamples=9999, batch=None, alternative="two-sided", axis=0):
    """scipy.stats.monte_carlo_test of samples of one axis."""
    _checked("monte_carlo_test", n_resamples, batch, alternative, axis)
    several = isinstance(rvs, tuple | list)
    makers = rvs if several else (rvs,)
    if several and len(data) != len(makers):
        raise ValueError("If `rvs` is a sequence, `len(rvs)` must equal `len(data)`.")
    samples, of_samples = _samples("monte_carlo_test", data if several else (data,)), _along_last(statistic, vectorized)
    observed = np.asarray(of_samples(*samples))[()]
    null = of_samples(*[make(size=(n_resamples, sample.shape[0])) for make, sample in zip(makers, samples, strict=True)])
    return ResampledTestResult(observed, _by_chance(observed, null, alternative, n_resamples, 1, _floating(samples)), null)


RESAMPLED_TESTS: dict[str, Any] = {"scipy.stats.bootstrap": bootstrap, "scipy.stats.permutation_test": permutation_test, "scipy.stats.monte_carlo_test": monte_carlo_test}
"""By qualified name."""
