"""scipy.linalg.ldl, by pivots of one or two rows. Method: Bunch and Kaufman (1977), in LAPACK's order."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.matrix_checks import finite, in_lapack

ALPHA = (1.0 + np.sqrt(17.0)) / 8.0
"""How much smaller than others a pivot may be."""


def ldl(A, lower=True, hermitian=True, overwrite_a=False, check_finite=True):
    """scipy.linalg.ldl: a = lu @ d @ lu^H, lu a triangle whose rows are exchanged, d of blocks of one or two rows."""
    a = finite(np.atleast_2d(in_lapack(np.asarray(A))), check_finite)
    if a.ndim != 2:
        unsupported(f"scipy.linalg.ldl of {a.ndim} axes", "a loop over the matrices")
    if a.shape[0] != a.shape[1]:
        raise ValueError('The input array "a" should be square.')
    turned = hermitian and a.dtype.kind == "c"
    if lower:
        return _factored(_of_triangle(a, turned), turned, False)
    factor, blocks, order = _factored(_of_triangle(a[::-1, ::-1], turned), turned, True)
    n = a.shape[0]
    return factor[::-1, ::-1], blocks[::-1, ::-1], (n - 1 - order)[::-1]


def _adjoint(x, turned):
    return np.conj(x.T) if turned else x.T


def _of_triangle(a, turned):
    """The matrix that the lower triangle says."""
    strict, diagonal = np.tril(a, -1), np.diag(np.real(np.diagonal(a)) if turned else np.diagonal(a))
    return strict + _adjoint(strict, turned) + diagonal


def _factored(a, turned, backwards):
    n = a.shape[0]
    places = np.arange(n)
    rest, factor, blocks, order = a.copy(), np.eye(n, dtype=a.dtype), np.zeros((n, n), a.dtype), np.arange(n)
    k = 0
    while k < n:
        other, two = _pivot(constant(rest), k, places, backwards)
        first = min(k + 1, n - 1) if two else k
        swapped = np.where(places == first, other, np.where(places == other, first, places))
        rest = rest[swapped][:, swapped]
        early = places[np.newaxis, :] < k
        factor = np.where(early, factor[swapped], factor)
        order = order[swapped]
        if turned:
            rest = np.where(places[:, np.newaxis] == places, np.real(rest), rest)
        if two:
            column, beside = rest[:, k], rest[:, k + 1]
            one, below, last = rest[k, k], rest[k + 1, k], rest[k + 1, k + 1]
            above = np.conj(below) if turned else below
            size = one * last - below * above
            behind = places > k + 1
            left = np.where(behind, (column * last - beside * below) / size, 0)
            right = np.where(behind, (beside * one - column * above) / size, 0)
            rest = rest - np.outer(left, np.where(behind, np.conj(column) if turned else column, 0)) - np.outer(right, np.where(behind, np.conj(beside) if turned else beside, 0))
            factor[:, k] += left
            factor[:, k + 1] += right
            blocks[k, k], blocks[k + 1, k], blocks[k, k + 1], blocks[k + 1, k + 1] = one, below, above, last
            k += 2
        else:
            pivot = rest[k, k]
            column = np.where((places > k) & (pivot != 0), rest[:, k] / np.where(pivot != 0, pivot, 1), 0)
            rest = rest - pivot * np.outer(column, np.conj(column) if turned else column)
            factor[:, k] += column
            blocks[k, k] = pivot
            k += 1
    found = np.zeros((n, n), a.dtype)
    found[order] = factor
    return found, blocks, order


def _pivot(rest, k, places, backwards):
    """Which row comes to the place of the pivot, and whether the block has two rows. `backwards`: of rows with the same numbers the last counts as the first."""
    sizes = np.abs(np.real(rest)) + np.abs(np.imag(rest)) if rest.dtype.kind == "c" else np.abs(rest)
    own = sizes[k, k]
    column = np.where(places > k, sizes[:, k], -1.0)
    row = places.shape[0] - 1 - np.argmax(column[::-1]) if backwards else np.argmax(column)
    most = column[row]
    if max(own, most) <= 0 or own >= ALPHA * most:
        return k, False
    across = np.max(np.where((places >= k) & (places != row), sizes[row], 0.0))
    if own >= ALPHA * most * (most / across):
        return k, False
    return row, bool(sizes[row, row] < ALPHA * across)


SYMMETRIC: dict[str, Any] = {"scipy.linalg.ldl": ldl}
"""By qualified name."""
