"""NumPy's histograms."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """np.histogram_bin_edges: as given, or so many of one width."""
    a = np.ravel(a)
    if isinstance(bins, str):
        return _even(a, _count_of_bins(a, bins, range, weights), range)
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if np.ndim(bins) > 1:
        raise ValueError("`bins` must be 1d, when an array")
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return _even(a, bins, range)


def _count_of_bins(a, rule, range, weights):
    """How many bins of the width that a rule gives span the range."""
    if rule not in WIDTHS:
        raise ValueError(f"{rule!r} is not a valid estimator for `bins`")
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    first, last = _ends(a, range)
    if range is not None:
        a = a[(a >= first) & (a <= last)]
    if a.size == 0:
        return 1
    width = 1.0 * WIDTHS[rule](a, (first, last))
    if a.dtype.kind in "iu" and 0.0 < width < 1.0:
        width = 1.0
    return int(np.ceil((last - first) / width)) if width != 0.0 else 1


def _span(a):
    return 1.0 * (np.max(a) - np.min(a))


def _by_root(a, range):
    return _span(a) / np.sqrt(a.size)


def _by_sturges(a, range):
    return _span(a) / (np.log2(a.size) + 1.0)


def _by_rice(a, range):
    return _span(a) / (2.0 * a.size ** (1.0 / 3.0))


def _by_scott(a, range):
    return (24.0 * np.pi**0.5 / a.size) ** (1.0 / 3.0) * np.std(a)


def _by_freedman_diaconis(a, range):
    quartiles = np.percentile(a, [75, 25])
    return 2.0 * (quartiles[0] - quartiles[1]) * a.size ** (-1.0 / 3.0)


def _by_doane(a, range):
    if a.size <= 2 or not np.std(a) > 0.0:
        return 0.0
    scale = np.sqrt(6.0 * (a.size - 2) / ((a.size + 1.0) * (a.size + 3)))
    skewness = np.mean(((a - np.mean(a)) / np.std(a)) ** 3)
    return _span(a) / (1.0 + np.log2(a.size) + np.log2(1.0 + np.abs(skewness) / scale))


def _by_stone(a, range):
    """The width with the least estimated error, of all numbers of bins up to a hundred, or the root of how many elements there are."""
    n, span = a.size, _span(a)
    if n <= 1 or span == 0.0:
        return 0.0
    best, least = 1, np.inf
    for count in np.arange(1, max(100, int(np.sqrt(n))) + 1):
        shares = histogram(a, count, range)[0] / n
        error = (2 - (n + 1) * shares.dot(shares)) / (span / count)
        if error < least:
            best, least = count, error
    return span / best


def _by_both(a, range):
    return min(max(_by_freedman_diaconis(a, range), _by_root(a, range) / 2), _by_sturges(a, range))


WIDTHS = {"auto": _by_both, "doane": _by_doane, "fd": _by_freedman_diaconis, "rice": _by_rice, "scott": _by_scott, "sqrt": _by_root, "stone": _by_stone, "sturges": _by_sturges}
"""NumPy's rules for the width of bins."""


def _even(a, bins, range):
    first, last = _ends(a, range)
    dtype = np.result_type(first, last, a)
    return np.linspace(first, last, bins + 1, endpoint=True, dtype=dtype if dtype.kind in "fc" else np.float64)


def _ends(a, range):
    """The least and the largest edge."""
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif a.size == 0:
        first, last = 0.0, 1.0
    else:
        first, last = 1.0 * np.min(a), 1.0 * np.max(a)
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        return first - 0.5, last + 0.5
    return 1.0 * first, 1.0 * last


def _places(a, edges):
    """The bin of each element, and whether it has one: the last bin is closed."""
    place = np.searchsorted(edges, a, side="right") - 1
    place = np.where(a == edges[-1], edges.size - 2, place)
    inside = (a >= edges[0]) & (a <= edges[-1])
    return np.where(inside, place, 0), inside


def histogram(a, bins=10, range=None, density=None, weights=None):
    """np.histogram."""
    a = np.asarray(a)
    if a.dtype.kind in "bc":
        unsupported(f"np.histogram of {a.dtype}", "numbers that are real")
    if weights is not None and np.shape(weights) != a.shape:
        raise ValueError("weights should have the same shape as a.")
    edges = histogram_bin_edges(a, bins, range, weights)
    a = a.ravel()
    place, inside = _places(a, edges)
    if weights is None:
        counts = np.bincount(place[inside], minlength=edges.size - 1)
    else:
        weights = np.ravel(weights)
        at, kept = place[inside], weights[inside]
        counts = np.bincount(at, kept.real, edges.size - 1)
        if weights.dtype.kind == "c":
            counts = counts + 1j * np.bincount(at, kept.imag, edges.size - 1)
        counts = counts.astype(weights.dtype)
    if density:
        return counts / np.diff(edges) / np.sum(counts), edges
    return counts, edges


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """np.histogramdd, of an array of points or of a sequence of coordinates."""
    columns = _columns(sample)
    if any(np.ndim(column) != 1 for column in columns):
        raise ValueError("too many values to unpack (expected 2)")
    dtype = np.result_type(*columns)
    if dtype.kind not in "iuf" or dtype == np.float32:
        unsupported("np.histogramdd of these dtypes", "convert with .astype(float)")
    columns = tuple([np.asarray(column).astype(dtype, copy=False) for column in columns])
    given = bins if isinstance(bins, (tuple, list)) else (bins,) * len(columns)
    if len(given) != len(columns):
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = (None,) * len(columns) if range is None else range
    if len(ranges) != len(columns):
        raise ValueError("range argument must have one entry per dimension")
    edges = tuple(_edges(column, each, ends) for column, each, ends in zip(columns, given, ranges, strict=True))
    at, counted = np.zeros(len(columns[0]), dtype=np.int64), np.ones(len(columns[0]), dtype=np.bool_)
    for column, each in zip(columns, edges, strict=True):
        place, inside = _places(column, each)
        at = at * (each.size - 1) + place
        counted = counted & inside
    shape = tuple([each.size - 1 for each in edges])
    counts = np.bincount(at[counted], None if weights is None else np.asarray(weights)[counted], int(np.prod(shape))).astype(np.float64).reshape(shape)
    if density:
        total = np.sum(counts)
        for k, each in enumerate(edges):
            counts = counts / np.diff(each).reshape((1,) * k + (-1,) + (1,) * (len(edges) - k - 1))
        counts = counts / total
    return counts, list(edges)


def _columns(sample):
    if isinstance(sample, (tuple, list)):
        return tuple(sample)
    return tuple(np.transpose(sample)) if np.ndim(sample) == 2 else (sample,)


def _edges(a, bins, range):
    if np.ndim(bins) == 1:
        edges = np.asarray(bins)
        if np.any(edges[:-1] > edges[1:]):
            raise ValueError("`bins` must be monotonically increasing, when an array")
        return edges
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return np.linspace(*_ends(a, range), bins + 1)


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """np.histogram2d."""
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if np.ndim(x) != 1 or np.ndim(y) != 1:
        raise ValueError("too many values to unpack (expected 2)")
    if isinstance(bins, (tuple, list)) and len(bins) not in {1, 2} or not isinstance(bins, (tuple, list)) and np.ndim(bins) == 1:
        bins = (np.asarray(bins), np.asarray(bins))
    counts, edges = histogramdd((x, y), bins, range, density, weights)
    return counts, edges[0], edges[1]


HISTOGRAMS = {f"numpy.{function.__name__}": function for function in (histogram, histogram2d, histogramdd, histogram_bin_edges)}
