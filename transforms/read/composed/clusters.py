"""scipy.cluster.vq: means of clusters, from first ones that are given or drawn."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.given_generators import generator_of, whole_number
from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.units import vq


def kmeans(obs, k_or_guess, iter=20, thresh=1e-5, check_finite=True, *, rng=None, seed=None):
    """scipy.cluster.vq.kmeans: the means and the average distance from the nearest one."""
    rows, guess = _observations(obs, "kmeans"), np.asarray(k_or_guess)
    if iter < 1:
        raise ValueError(f"iter must be at least 1, got {iter}")
    if guess.ndim == 0:
        return _best(rows, _count(k_or_guess), iter, thresh, generator_of(rng, seed), np.ndim(obs))
    if guess.shape[0] < 1:
        raise ValueError(f"Asked for 0 clusters. Initial book was {guess}")
    book, distance = _settled(rows, guess[:, np.newaxis] if guess.ndim == 1 else guess, thresh)
    return _as_given(book, np.ndim(obs)), distance


def _count(k):
    if int(k) != k:
        raise ValueError("If k_or_guess is a scalar, it must be an integer.")
    if k < 1:
        raise ValueError(f"Asked for {k} clusters.")
    return int(k)


def _best(rows, k, count, thresh, generator, axes):
    """The best of several, each from rows that are drawn."""
    best, least = _settled(rows, _drawn(rows, k, generator), thresh)
    for _ in range(count - 1):
        book, distance = _settled(rows, _drawn(rows, k, generator), thresh)
        if distance < least:
            best, least = book, distance
    return _as_given(best, axes), least


def _drawn(rows, k, generator):
    return rows[generator.choice(rows.shape[0], size=k, replace=False)]


def _observations(obs, name):
    obs = np.asarray(obs)
    if obs.dtype.kind != "f" or obs.ndim not in (1, 2):
        unsupported(f"scipy.cluster.vq.{name} of other than numbers or rows of floats", "a matrix of floats")
    return obs[:, np.newaxis] if obs.ndim == 1 else obs


def _as_given(book, axes):
    return book[:, 0] if axes == 1 else book


def _settled(rows, book, thresh):
    """Means of what is nearest to each, until the average distance changes by less than a bound; those of nothing are left out."""
    last, change = np.inf, np.inf
    while change > thresh:
        label, _ = vq(rows, book)
        average = np.mean(_lengths(rows - book[label]))
        change, last = np.abs(last - average), average
        means, members = _means(rows, label, book.shape[0])
        book = means[members > 0]
    return book, last


def _lengths(gaps):
    """Of each row, with slope 0 for one that is its own mean, as it stays."""
    squares = np.sum(gaps * gaps, axis=1)
    return np.where(squares > 0, np.sqrt(np.where(squares > 0, squares, 1.0)), 0.0).astype(gaps.dtype)


def _means(rows, label, count):
    """The mean of the rows of each label, and how many they are."""
    total, members = np.zeros((count, rows.shape[1]), rows.dtype), np.zeros(count, np.int64)
    for i in range(rows.shape[0]):
        total[label[i]] += rows[i]
        members[label[i]] += 1
    return total / np.maximum(members, 1)[:, np.newaxis].astype(rows.dtype), members


def _clusters(k):
    if int(k) < 1:
        raise ValueError(f"Cannot ask kmeans2 for {int(k)} clusters (k was {k})")
    return int(k)


def _first_means(rows, k, minit, axes, generator):
    """Rows that are drawn; normal numbers of the rows' mean and covariance; or rows that are drawn one after another, far ones more often (Arthur and Vassilvitskii, 2007)."""
    if minit == "points":
        return _drawn(rows, k, generator)
    n, d = rows.shape
    if minit == "random":
        middle = np.mean(rows, axis=0)
        if axes == 1:
            return (generator.standard_normal(size=k) * np.sqrt(np.cov(rows[:, 0])) + middle)[:, np.newaxis]
        if d > n:
            _, s, vh = np.linalg.svd(rows - middle, full_matrices=False)
            return generator.standard_normal(size=(k, n)) @ (s[:, np.newaxis] * vh / np.sqrt(n - 1.0)) + middle
        return generator.standard_normal(size=(k, d)) @ np.linalg.cholesky(np.atleast_2d(np.cov(rows.T))).T + middle
    means = np.empty((k, d))
    means[0] = rows[whole_number(generator, n)]
    least = np.full(n, np.inf)
    for i in range(1, k):
        least = np.minimum(least, np.sum((rows - means[i - 1]) ** 2, axis=1))
        means[i] = rows[np.searchsorted(constant(np.cumsum(least / np.sum(least))), generator.uniform())]
    return means


def kmeans2(data, k, iter=10, thresh=1e-5, minit="random", missing="warn", check_finite=True, *, rng=None, seed=None):
    """scipy.cluster.vq.kmeans2: the means after some steps and the label of each observation."""
    if int(iter) < 1:
        raise ValueError(f"Invalid iter ({iter}), must be a positive integer.")
    if missing not in ("warn", "raise"):
        raise ValueError(f"Unknown missing method {missing!r}")
    if missing == "raise":
        return unsupported("scipy.cluster.vq.kmeans2(…, missing='raise')", "missing='warn', which keeps the mean of nothing")
    rows, book = _observations(data, "kmeans2"), np.asarray(k)
    if book.ndim > 0:
        if np.ndim(data) != book.ndim:
            raise ValueError("k array doesn't match data rank")
        book = book[:, np.newaxis] if book.ndim == 1 else book
        if book.shape[1] != rows.shape[1]:
            raise ValueError("k array doesn't match data dimension")
    elif minit not in ("points", "random", "++"):
        raise ValueError(f"Unknown init method {minit!r}")
    else:
        book = _first_means(rows, _clusters(k), minit, np.ndim(data), generator_of(rng, seed))
    label = np.zeros(rows.shape[0], np.int32)
    book = book.astype(rows.dtype)
    for _ in range(iter):
        label = vq(rows, book)[0]
        means, members = _means(rows, label, book.shape[0])
        book = np.where((members > 0)[:, np.newaxis], means, book)
    return _as_given(book, np.ndim(data)), label


CLUSTERS: dict[str, Any] = {f"scipy.cluster.vq.{function.__name__}": function for function in (kmeans, kmeans2)}
"""By qualified name."""
