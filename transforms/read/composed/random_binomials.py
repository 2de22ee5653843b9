"""s2s.random's counts of successes: JAX's own algorithms, number by number (`jax.random`, version 0.10), so that its bits come out.

Sums of geometric numbers where few successes are expected; else Hörmann, "The generation of binomial random variates", 1993.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.random_checks import fitting, floats, single
from s2s.transforms.read.composed.random_keys import split, uniform


def binomial(key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """How many of n trials succeed, each with probability p; nan where there is no such distribution.

    >>> bool(0 <= binomial(np.array([0, 7]), 10, 0.5) <= 10)
    True
    """
    single("binomial", key)
    floats("binomial", dtype)
    sizes = np.broadcast_shapes(np.shape(n), np.shape(p)) if shape is None else fitting("binomial", shape, np.shape(n), np.shape(p))
    p = constant(np.asarray(p))
    p = p if p.dtype.kind == "f" else p.astype(np.float64)
    count, p = np.broadcast_to(constant(np.asarray(n)).astype(p.dtype), sizes), np.broadcast_to(p, sizes)
    with np.errstate(all="ignore"):
        return _drawn(key, count, p).astype(dtype)[()]


def _drawn(key: Any, count: Any, p: Any) -> Any:
    rare = p < 0.5
    q = np.where(rare, p, 1.0 - p).astype(p.dtype)
    no_count, no_q = np.isnan(count) | (count < 0.0), np.isnan(q) | (q < 0.0)
    q = np.where(no_q, np.asarray(0.01, p.dtype), q)
    few, infinite = no_count | (count * q <= 10.0), np.isinf(count)
    count = np.floor(count)
    sums = _by_sums(key, np.where(few, count, np.asarray(0.0, p.dtype)), q)
    found = np.where(few, sums, _by_rejection(key, np.where(few, np.asarray(1e4, p.dtype), count), np.where(few, np.asarray(0.5, p.dtype), q)))
    found = np.where(no_q | no_count, np.nan, np.where(infinite, np.inf, found))
    return np.where(rare | no_count | np.isnan(p) | infinite, found, count - found)


def _by_sums(key: Any, count: Any, q: Any) -> Any:
    """How many geometric numbers have a sum of at most `count`."""
    never, log_of_failure = q == 0.0, np.where(q == 0.0, 1.0, np.log1p(-q))
    numbers, total = np.zeros_like(q), np.zeros_like(q)
    while np.any(total <= count):
        keys = split(key)
        key = keys[1]
        numbers = np.where(total <= count, numbers + 1.0, numbers)
        total = total + np.where(never, np.inf, np.ceil(np.log(uniform(keys[0], q.shape, q.dtype)) / log_of_failure))
    return numbers - 1.0


def _by_rejection(key: Any, count: Any, q: Any) -> Any:
    """Hörmann's transformed rejection; all are drawn until each was accepted once, and the last that was is taken."""
    spread = np.sqrt(count * q * (1.0 - q))
    b = 1.15 + 2.53 * spread
    a, c, r, alpha, mode = -0.0873 + 0.0248 * b + 0.01 * q, count * q + 0.5, q / (1.0 - q), (2.83 + 5.1 / b) * spread, np.floor((count + 1.0) * q)
    found, accepted = np.full_like(q, -1.0), np.full(q.shape, False)
    while not np.all(accepted):
        keys = split(key, 3)
        key = keys[0]
        u, v = uniform(keys[1], q.shape, q.dtype) - 0.5, uniform(keys[2], q.shape, q.dtype)
        us = 0.5 - np.abs(u)
        wanted = np.floor((2.0 * a / us + b) * u + c)
        outside = (wanted < 0.0) | (wanted > count)
        k = np.where(outside, 0.0, wanted)
        bound = (
            (mode + 0.5) * np.log((mode + 1.0) / (r * (count - mode + 1.0))) + (count + 1.0) * np.log((count - mode + 1.0) / (count - k + 1.0))
            + (k + 0.5) * np.log(r * (count - k + 1.0) / (k + 1.0)) + _tail(mode) + _tail(count - mode) - _tail(k) - _tail(count - k)
        )  # fmt: skip
        fine = (us >= 0.07) & (v <= 0.92 - 4.2 / b) | ~outside & (np.log(v * alpha / (a / (us * us) + b)) <= bound)
        found, accepted = np.where(fine, wanted, found), accepted | fine
    return found


_TAILS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
    0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _tail(k: Any) -> Any:
    """What Stirling's formula lacks of log(k!): by a table, else by the first terms of its series."""
    small = np.clip(k, 0.0, 9.0)
    square = (small + 1.0) * (small + 1.0)
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (small + 1.0)
    return np.where(k <= 9.0, np.array(_TAILS, k.dtype)[np.where(np.isnan(small), 0.0, small).astype(np.int64)], series)


def multinomial(key: Any, n: Any, p: Any, *, shape: Any = None, dtype: Any = np.float64, unroll: Any = 1) -> Any:
    """How many of n trials have each outcome, their probabilities along the last axis of p.

    >>> float(multinomial(np.array([0, 7]), 10, np.array([0.2, 0.3, 0.5])).sum())
    10.0
    """
    single("multinomial", key)
    p = constant(np.asarray(p))
    p = p if p.dtype.kind == "f" else p.astype(np.float64)
    sizes = p.shape if shape is None else tuple(shape)
    p = np.moveaxis(np.broadcast_to(p, sizes), -1, 0)
    left = np.array(np.broadcast_to(constant(np.asarray(n)).astype(p.dtype), sizes[:-1]))
    rest = np.flip(np.cumsum(np.flip(p, 0), 0), 0)
    shares = p / np.where(rest == 0.0, 1.0, rest)
    keys, counts = split(key, p.shape[0]), np.zeros(p.shape, p.dtype)
    for k in range(p.shape[0]):
        counts[k] = binomial(keys[k], left, np.clip(shares[k], 0.0, 1.0), dtype=p.dtype)
        left = left - counts[k]
    return np.moveaxis(counts, 0, -1).astype(dtype)


EXPORTED: dict[str, Callable[..., Any]] = {"binomial": binomial, "multinomial": multinomial}
"""By the names that they have in s2s.random."""
