"""scipy.linalg.matrix_balance. Method: Parlett and Reinsch (1969), in LAPACK's order; the permutation and the scaling are constants."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.matrix_checks import finite, in_lapack, one_square


def matrix_balance(A, permute=True, scale=True, separate=False, overwrite_a=False):
    """scipy.linalg.matrix_balance."""
    a = finite(one_square("matrix_balance", in_lapack(np.asarray(A))), True)
    n = a.shape[0]
    order, low, high = np.arange(n), 0, n
    if permute:
        order, low, high = _isolated(constant(a))
    found = a[order][:, order]
    factors = _scaled(constant(found), low, high) if scale else np.ones(n)
    found = (found / factors[:, np.newaxis] * factors).astype(a.dtype)
    if separate:
        return found, (factors, order)
    turned = np.zeros((n, n))
    turned[order, np.arange(n)] = factors
    return found, turned


def _exchange(n, one, other):
    places = np.arange(n)
    return np.where(places == one, other, np.where(places == other, one, places))


def _isolated(a):
    """An order in which rows that isolate an eigenvalue stand last, columns that do first; where the rest begins and ends."""
    n = a.shape[0]
    order, there, low, high = np.arange(n), (a != 0) & ~np.eye(n, dtype=bool), 0, n
    again = n > 0
    while again:
        again = False
        for i in range(high - 1, -1, -1):
            if high > 0 and not np.any(there[i, :high]):
                swapped = _exchange(n, i, high - 1)
                order, there = order[swapped], there[swapped][:, swapped]
                high -= 1
                again = high > 0
    if high == 0:
        return order, 0, 1
    again = True
    while again:
        again = False
        for j in range(low, high):
            if not np.any(there[low:high, j]):
                swapped = _exchange(n, j, low)
                order, there = order[swapped], there[swapped][:, swapped]
                low += 1
                again = True
    return order, low, high


def _scaled(a, low, high):
    """Powers of two, for rows and columns of about the same length."""
    n = a.shape[0]
    sizes, factors, again = np.abs(a), np.ones(n), True
    while again:
        again = False
        for i in range(low, high):
            c, r = np.sqrt(np.sum(sizes[low:high, i] ** 2)), np.sqrt(np.sum(sizes[i, low:high] ** 2))
            if c == 0 or r == 0:
                continue
            size, f = c + r, 1.0
            g = r / 2
            while c < g:
                f, c, r, g = f * 2, c * 2, r / 2, g / 2
            g = c / 2
            while g >= r:
                f, c, r, g = f / 2, c / 2, r * 2, g / 2
            if c + r < 0.95 * size:
                factors[i] *= f
                sizes[i, low:] /= f
                sizes[:high, i] *= f
                again = True
    return factors


BALANCING: dict[str, Any] = {"scipy.linalg.matrix_balance": matrix_balance}
"""By qualified name."""
