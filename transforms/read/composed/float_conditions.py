"""What NumPy's np.errstate(…="raise") asks of the operations inside: whether a condition of floats has come up, found by what was put in and what came out."""
# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numpy as np

TINY = 2.2250738585072014e-308


def divided_by_zero(x, y, result):
    """Whether a finite number other than 0 was divided by 0."""
    return np.any((y == 0) & (x != 0) & np.isfinite(x))


def powered_zero(x, y, result):
    """Whether 0 was raised to a negative power."""
    return np.any((x == 0) & (y < 0))


def logarithm_of_zero(x, result):
    """Whether a logarithm was taken of 0."""
    return np.any(x == 0)


def overflowed(x, y, result):
    """Whether finite numbers gave an infinite one."""
    return np.any(np.isinf(result) & np.isfinite(x) & np.isfinite(y))


def overflowed_quotient(x, y, result):
    """Whether finite numbers gave an infinite quotient, not by a division by 0."""
    return np.any(np.isinf(result) & np.isfinite(x) & (y != 0))


def overflowed_power(x, y, result):
    """Whether finite numbers gave an infinite power, which is none of 0."""
    return np.any(np.isinf(result) & np.isfinite(x) & np.isfinite(y) & (x != 0))


def overflowed_one(x, result):
    """Whether a finite number gave an infinite one."""
    return np.any(np.isinf(result) & np.isfinite(x))


def undefined(x, y, result):
    """Whether numbers gave nan."""
    return np.any(np.isnan(result) & ~np.isnan(x) & ~np.isnan(y))


def undefined_one(x, result):
    """Whether a number gave nan."""
    return np.any(np.isnan(result) & ~np.isnan(x))


def lost(x, y, result):
    """Whether a product or quotient of numbers that are neither 0 nor infinite is 0."""
    return np.any((result == 0) & (x != 0) & (y != 0) & np.isfinite(y))


def may_be_lost(x, y, result):
    """Whether digits may be lost: whether they are is in no number."""
    return np.any((result != 0) & (np.abs(result) < TINY))


def lost_power(x, y, result):
    """Whether a power of numbers that are neither 0 nor infinite is 0."""
    return np.any((result == 0) & (x != 0) & np.isfinite(x) & np.isfinite(y))


def lost_one(x, result):
    """Whether a function of a finite number is 0 that has none."""
    return np.any((result == 0) & np.isfinite(x))


def may_be_lost_one(x, result):
    """Whether digits of a function of one number may be lost."""
    return np.any((result != 0) & (np.abs(result) < TINY))
