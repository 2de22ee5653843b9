"""Factorisations and solves of one matrix, copied into emitted modules: loops for small ones, SciPy's LAPACK for large ones.

LAPACK's matrices lie column by column, so that a matrix in C order is given to it as its transpose. Numba finds LAPACK's
functions when they are first called; unlike pointers they can be cached. Each function that can fail returns whether it did not.
An address keeps no array: what LAPACK was given is named once more behind the call, or it would be freed before.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def lu_factors(kind, a, factors, order):  # type: ignore[no-untyped-def]
    """a[order] = L U with the largest pivots; L without its ones and U into `factors`. False where a pivot is zero."""
    n = a.shape[0]
    for i in range(n):
        order[i] = i
    if n > (64 if 99 < kind < 122 else 16):  # of complex numbers loops lose sooner
        return lu_by_lapack(kind, a, factors, order)
    for i in range(n):
        for j in range(n):
            factors[i, j] = a[i, j]
    for k in range(n):
        pivot, largest = k, np.float64(abs(factors[k, k].real) + abs(factors[k, k].imag))
        for i in range(k + 1, n):  # a nan is no larger one, and is none of the zeros that make a matrix singular
            size = np.float64(abs(factors[i, k].real) + abs(factors[i, k].imag))
            if size > largest:
                pivot, largest = i, size
        if largest == 0.0:
            return False
        if pivot != k:
            order[k], order[pivot] = order[pivot], order[k]
            for j in range(n):
                factors[k, j], factors[pivot, j] = factors[pivot, j], factors[k, j]
        for i in range(k + 1, n):
            factor = factors[i, k] / factors[k, k]
            factors[i, k] = factor
            for j in range(k + 1, n):
                factors[i, j] -= factor * factors[k, j]
    return True


def lu_by_lapack(kind, a, factors, order):  # type: ignore[no-untyped-def]
    """As `lu_factors`; `order` holds the numbers of the rows."""
    n = a.shape[0]
    work, swaps = np.empty((n, n), a.dtype), np.empty(n, np.int32)
    turn(a, work)
    singular = getrf(np.int8(kind), n, n, work.ctypes.data, n, swaps.ctypes.data)
    turn(work, factors)
    for i in range(n):
        order[i], order[swaps[i] - 1] = order[swaps[i] - 1], order[i]
    return singular == 0


def log_determinant(kind, a):  # type: ignore[no-untyped-def]
    """The determinant's sign (phase) and the logarithm of its modulus; 0 and -inf for a singular matrix."""
    n = a.shape[0]
    factors, order = np.empty((n, n), a.dtype), np.empty(n, np.int64)
    one = np.empty(1, a.dtype)
    one[0] = 1
    sign, logarithm = one[0], 0.0
    if not lu_factors(kind, a, factors, order):
        return sign - sign, logarithm - np.inf
    for i in range(n):
        while order[i] != i:  # each exchange puts one row where it belongs
            place = order[i]
            order[i], order[place] = order[place], place
            sign = -sign
        modulus = abs(factors[i, i])
        if 99 < kind < 122:  # d and s, real numbers: also of inf and nan the sign is 1 or -1, as NumPy's
            sign = -sign if factors[i, i].real < 0 else sign
        else:
            sign *= factors[i, i] / modulus
        logarithm += np.log(modulus)
    return sign, logarithm


def turn(a, out):  # type: ignore[no-untyped-def]
    """out = a.T, in blocks that stay in the cache; stores side by side, as those of rows a power of two apart push each other out of it."""
    rows, columns = a.shape
    for top in range(0, rows, 32):
        for left in range(0, columns, 32):
            for j in range(left, min(left + 32, columns)):
                for i in range(top, min(top + 32, rows)):
                    out[j, i] = a[i, j]


def lu_solved(kind, factors, order, b, x):  # type: ignore[no-untyped-def]
    """x = the solution of a x = b from the factors of a."""
    n, columns = b.shape
    for i in range(n):
        for j in range(columns):
            x[i, j] = b[order[i], j]
    substituted(kind, factors, x, True, False, True)
    substituted(kind, factors, x, False, False, False)


def lu_solved_turned(kind, factors, order, b, x):  # type: ignore[no-untyped-def]
    """x = the solution of a.T x = b from the factors of a."""
    n, columns = b.shape
    found = np.empty((n, columns), b.dtype)
    for i in range(n):
        for j in range(columns):
            found[i, j] = b[i, j]
    substituted(kind, factors, found, False, True, False)
    substituted(kind, factors, found, True, True, True)
    for i in range(n):
        for j in range(columns):
            x[order[i], j] = found[i, j]


def substituted(kind, a, x, lower, transposed, unit):  # type: ignore[no-untyped-def]
    """x = the solution of T y = x, or of T.T y = x, T one triangle of a; for many columns in blocks of rows, by BLAS."""
    n, columns = x.shape
    forward, nothing = lower != transposed, np.empty(1, x.dtype)
    nothing[0] = 0
    step = 64 if n > 64 and columns > 16 else n
    for first in range(0, n, max(step, 1)):
        start = first if forward else max(n - first - step, 0)
        end = min(first + step, n) if forward else n - first
        if first > 0:
            before, until = 0 if forward else end, start if forward else n
            row, column = before if transposed else start, start if transposed else before
            subtracted(kind, end - start, until - before, columns, a, row, column, 116 if transposed else 110, x, before, 0, x, start, 0)
        for number in range(start, end):
            i = number if forward else start + end - 1 - number
            left, right = start if lower else i + 1, i if lower else end
            if not transposed and columns == 1:
                total = nothing[0]
                for j in range(left, right):
                    total = plus(total, a[i, j] * x[j, 0])
                x[i, 0] -= total
            elif not transposed:
                for j in range(left, right):
                    factor = a[i, j]
                    for k in range(columns):
                        x[i, k] -= factor * x[j, k]
            if not unit and a[i, i] == 0 and not 99 < kind < 122:  # complex: Numba would raise
                for k in range(columns):
                    x[i, k] *= np.nan
            elif not unit:
                for k in range(columns):
                    x[i, k] /= a[i, i]
            if transposed and columns == 1:
                factor = x[i, 0]
                for j in range(left, right):
                    x[j, 0] -= a[i, j] * factor
            elif transposed:
                for j in range(left, right):
                    factor = a[i, j]
                    for k in range(columns):
                        x[j, k] -= factor * x[i, k]


def triangle_solved(kind, a, b, x, lower, transposed, unit, checked):  # type: ignore[no-untyped-def]
    """x = the solution of T x = b, or of T.T x = b, T one triangle of a. The number of the first zero on its diagonal, or -1."""
    n, columns = b.shape
    if checked and not unit:
        for i in range(n):
            if a[i, i] == 0:
                return i
    for i in range(n):
        for j in range(columns):
            x[i, j] = b[i, j]
    substituted(kind, a, x, lower, transposed, unit)
    return -1


def cholesky_factor(kind, a, factor):  # type: ignore[no-untyped-def]
    """factor @ factor.conj().T = what a's lower triangle says. False where that is not positive definite."""
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            factor[i, j] = a[i, j] if j <= i else 0
    if n > 24:
        return potrf(np.int8(kind), np.int8(85), n, factor.ctypes.data, n) == 0
    for i in range(n):
        for j in range(i):
            total = factor[i, j]
            for k in range(j):
                total -= factor[i, k] * np.conj(factor[j, k])
            factor[i, j] = total / factor[j, j]
        rest = factor[i, i].real
        for k in range(i):
            rest -= factor[i, k].real ** 2 + factor[i, k].imag ** 2
        if rest <= 0:
            return False
        factor[i, i] = np.sqrt(rest)
    return True


def cholesky_reversed(kind, factor, bar, out):  # type: ignore[no-untyped-def]
    """out = the cotangent of the matrix, its lower triangle, from that of the factor. Murray's algorithm: from the last column to the first; of large ones in blocks of blocks, by BLAS.

    Of complex numbers it goes with the conjugate cotangents, the directions of steepest ascent.
    """
    n = factor.shape[0]
    for i in range(n):
        for j in range(n):
            out[i, j] = np.conj(bar[i, j]) if j <= i else 0
    step = 24 if n > 48 else max(n, 1)
    wide = 96 if n > 192 else max(n, 1)
    for right in range(n, 0, -wide):
        left = max(right - wide, 0)
        if right < n:
            column_reversed(kind, factor, out, 0, left, right, n, step)
        for end in range(right, left, -step):
            start = max(end - step, left)
            if end < right:
                column_reversed(kind, factor, out, left, start, end, right, step)
            diagonal_reversed(factor, out, start, end)
            if start > left:
                block_reversed(kind, factor, out, left, start, end)
        if left > 0:
            block_reversed(kind, factor, out, 0, left, right)
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = np.conj(out[i, j])


def diagonal_reversed(factor, out, start, end):  # type: ignore[no-untyped-def]
    """The steps of `cholesky_reversed` inside of a block on the diagonal, column by column."""
    for j in range(end - 1, start - 1, -1):
        pivot = factor[j, j].real
        total = out[j, j].real
        for i in range(j + 1, end):
            out[i, j] /= pivot
            total -= (np.conj(factor[i, j]) * out[i, j]).real
        total /= pivot
        for k in range(start, j):
            out[j, k] -= total * factor[j, k]
        for i in range(j + 1, end):
            slope = out[i, j]
            for k in range(start, j):
                out[j, k] -= np.conj(slope) * factor[i, k]
                out[i, k] -= slope * factor[j, k]
        out[j, j] = total / 2


def block_reversed(kind, factor, out, left, start, end):  # type: ignore[no-untyped-def]
    """What a finished block on the diagonal says of the columns from `left` on that are beside it."""
    whole = np.empty((end - start, end - start), out.dtype)
    for i in range(end - start):
        for j in range(i + 1):
            whole[i, j] = out[start + i, start + j]
            whole[j, i] = np.conj(out[start + i, start + j])
        whole[i, i] *= 2
    subtracted(kind, end - start, end - start, start - left, whole, 0, 0, 110, factor, start, left, out, start, left)
    whole[0, 0] = 0  # needed until here


def column_reversed(kind, factor, out, left, start, end, bottom, step):  # type: ignore[no-untyped-def]
    """What lies below a block on the diagonal, down to `bottom`, and what is beside both from `left` on: the steps of `cholesky_reversed` for them."""
    width = end - start
    for last in range(end, start, -step):
        first = max(last - step, start)
        panel_reversed(kind, factor, out, end, bottom, first, last)
        if first > start:
            subtracted(kind, bottom - end, last - first, first - start, out, end, first, 110, factor, first, start, out, end, start)
    inner = np.zeros((width, width), out.dtype)
    subtracted(kind, width, bottom - end, width, out, end, start, 99, factor, end, start, inner, 0, 0)
    for i in range(width):
        for j in range(i + 1):
            out[start + i, start + j] += inner[i, j]
    if start > left:
        subtracted(kind, bottom - end, width, start - left, out, end, start, 110, factor, start, left, out, end, left)
        subtracted(kind, width, bottom - end, start - left, out, end, start, 99, factor, end, left, out, start, left)


def panel_reversed(kind, factor, out, top, bottom, start, end):  # type: ignore[no-untyped-def]
    """A panel times the inverse of the block on the diagonal above it: the rows are many times the block's."""
    width = end - start
    inverse, panel = np.zeros((width, width), out.dtype), np.empty((bottom - top, width), out.dtype)
    for j in range(width):  # less the inverse
        for i in range(j, width):
            total = inverse[j, j] - inverse[j, j]
            for k in range(j, i):
                total += factor[start + i, start + k] * inverse[k, j]
            inverse[i, j] = (-1 if i == j else -total) / factor[start + i, start + i].real
    for i in range(top, bottom):
        for j in range(width):
            panel[i - top, j] = out[i, start + j]
            out[i, start + j] = 0
    subtracted(kind, bottom - top, width, width, panel, 0, 0, 110, inverse, 0, 0, out, top, start)
    inverse[0, 0], panel[0, 0] = 0, 0  # needed until here


def subtracted(kind, rows, inner, columns, a, a_row, a_column, a_form, b, b_row, b_column, out, row, column):  # type: ignore[no-untyped-def]
    """A part of out, from a row and a column on, less the product of parts of a and b, by BLAS, which sees them transposed. `a_form`: a as it is (n), turned (t) or turned and conjugate (c), BLAS's letter as its number."""
    scale = np.empty(2, out.dtype)
    scale[0], scale[1] = -1, 1
    gemm(
        np.int8(kind), np.int8(110), np.int8(a_form), columns, rows, inner,
        scale.ctypes.data, b.ctypes.data + (b_row * b.shape[1] + b_column) * b.itemsize, b.shape[1],
        a.ctypes.data + (a_row * a.shape[1] + a_column) * a.itemsize, a.shape[1],
        scale.ctypes.data + out.itemsize, out.ctypes.data + (row * out.shape[1] + column) * out.itemsize, out.shape[1],
    )
    scale[0] = 0  # needed until here


def eigen(kind, a, values, vectors):  # type: ignore[no-untyped-def]
    """Eigenvalues and eigenvectors (columns) of what a's lower triangle says. False where they were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    for i in range(n):
        for j in range(n):
            vectors[j, i] = a[i, j] if j <= i else 0
    found = evd(np.int8(kind), np.int8(86), np.int8(76), n, vectors.ctypes.data, n, values.ctypes.data)
    for i in range(n):
        for j in range(i):
            vectors[i, j], vectors[j, i] = vectors[j, i], vectors[i, j]
    return found == 0


def singular(kind, a, left, values, right):  # type: ignore[no-untyped-def]
    """a = left @ diag(values) @ right, `values` falling. False where they were not found."""
    rows, columns = a.shape
    short = min(rows, columns)
    if short == 0:
        return True
    work = np.empty((columns, rows), a.dtype)
    left_turned, right_turned = np.empty((short, rows), a.dtype), np.empty((columns, short), a.dtype)
    turn(a, work)
    found = gesdd(
        np.int8(kind), np.int8(83), rows, columns, work.ctypes.data, rows, values.ctypes.data,
        left_turned.ctypes.data, rows, right_turned.ctypes.data, short,
    )
    work[0, 0] = 0  # needed until here
    turn(left_turned, left)
    turn(right_turned, right)
    return found == 0


def orthogonal(kind, a, q, r):  # type: ignore[no-untyped-def]
    """a = q @ r, q with orthonormal columns, r an upper triangle."""
    rows, columns = a.shape
    short = min(rows, columns)
    if short > 0:
        work, scales = np.empty((columns, rows), a.dtype), np.empty(short, a.dtype)
        turn(a, work)
        geqrf(np.int8(kind), rows, columns, work.ctypes.data, rows, scales.ctypes.data)
        for i in range(short):
            for j in range(columns):
                r[i, j] = work[j, i] if i <= j else 0
        gqr(np.int8(kind), rows, short, short, work.ctypes.data, rows, scales.ctypes.data)
        scales[0] = 0  # needed until here
        for i in range(rows):
            for j in range(short):
                q[i, j] = work[j, i]


def eigen_of_real(kind, a, values, vectors):  # type: ignore[no-untyped-def]
    """Eigenvalues and eigenvectors (columns) of a matrix of real numbers: complex ones in pairs. False where they were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    work, right, parts, unused = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((2, n), a.dtype), np.empty(1, a.dtype)
    turn(a, work)
    found = rgeev(
        np.int8(kind), np.int8(78), np.int8(86), n, work.ctypes.data, n, parts.ctypes.data, parts.ctypes.data + n * a.itemsize, unused.ctypes.data, 1,
        right.ctypes.data, n,
    )
    work[0, 0], unused[0] = 0, 0  # needed until here
    for j in range(n):
        values[j] = complex(parts[0, j], parts[1, j])
        if parts[1, j] == 0:
            for i in range(n):
                vectors[i, j] = right[j, i]
        elif parts[1, j] > 0:
            for i in range(n):
                vectors[i, j] = complex(right[j, i], right[j + 1, i])
                vectors[i, j + 1] = complex(right[j, i], -right[j + 1, i])
    return found == 0


def eigen_of_complex(kind, a, values, vectors):  # type: ignore[no-untyped-def]
    """The same of a matrix of complex numbers."""
    n = a.shape[0]
    if n == 0:
        return True
    work, right, unused = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty(1, a.dtype)
    turn(a, work)
    found = cgeev(np.int8(kind), np.int8(78), np.int8(86), n, work.ctypes.data, n, values.ctypes.data, unused.ctypes.data, 1, right.ctypes.data, n)
    work[0, 0], unused[0] = 0, 0  # needed until here
    turn(right, vectors)
    return found == 0


def pseudo_inverse(kind, a, cutoff, out):  # type: ignore[no-untyped-def]
    """out = the pseudo-inverse of a, without singular values up to cutoff[0] times the largest. False where they were not found."""
    rows, columns = a.shape
    short = min(rows, columns)
    if short == 0:
        return True
    return inverse_by_values(kind, a, cutoff, out, np.empty(short, cutoff.dtype))


def inverse_by_values(kind, a, cutoff, out, values):  # type: ignore[no-untyped-def]
    """The same, and the singular values."""
    rows, columns = a.shape
    short = min(rows, columns)
    left, right = np.empty((rows, short), a.dtype), np.empty((short, columns), a.dtype)
    found = singular(kind, a, left, values, right)
    for k in range(short):
        scale = 1 / values[k] if values[k] > cutoff[0] * values[0] else values[k] - values[k]
        for j in range(columns):
            right[k, j] = np.conj(right[k, j]) * scale
    for i in range(rows):
        for k in range(short):
            left[i, k] = np.conj(left[i, k])
    matmul(kind, columns, short, rows, right, True, left, True, out, False)
    return found


def least_squares(kind, a, cutoff, b, x, values):  # type: ignore[no-untyped-def]
    """x = the shortest of those that a x comes nearest to b with, without singular values up to cutoff[0] times the largest; all of these. False where they were not found."""
    rows, columns = a.shape
    count = b.shape[1]
    for i in range(columns):
        for j in range(count):
            x[i, j] = 0
    if rows == 0 or columns == 0:
        return True
    work, sides, rank = np.empty((columns, rows), a.dtype), np.zeros((max(count, 1), max(rows, columns)), a.dtype), np.empty(1, np.int32)
    turn(a, work)
    for i in range(rows):
        for j in range(count):
            sides[j, i] = b[i, j]
    found = gelsd(
        np.int8(kind), rows, columns, max(count, 1), work.ctypes.data, rows, sides.ctypes.data, max(rows, columns), values.ctypes.data, np.float64(cutoff[0]), rank.ctypes.data,
    )
    work[0, 0], rank[0] = 0, 0  # needed until here
    for i in range(columns):
        for j in range(count):
            x[i, j] = sides[j, i]
    return found == 0


def least_squares_by_inverse(kind, a, cutoff, b, x, inverse, values):  # type: ignore[no-untyped-def]
    """The same, and the pseudo-inverse."""
    found = True
    if min(a.shape) > 0:
        found = inverse_by_values(kind, a, cutoff, inverse, values)
    matmul(kind, a.shape[1], a.shape[0], b.shape[1], inverse, False, b, False, x, False)
    return found


LINEAR_ALGEBRA: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (
        lu_factors, lu_by_lapack, log_determinant, turn, lu_solved, lu_solved_turned, substituted, triangle_solved, cholesky_factor, cholesky_reversed, diagonal_reversed, column_reversed, block_reversed, panel_reversed, subtracted, eigen, singular, orthogonal,
        eigen_of_real, eigen_of_complex, pseudo_inverse, inverse_by_values, least_squares, least_squares_by_inverse,
    )
}  # fmt: skip
"""By name."""

CALLS = {
    "lu_factors": ("lu_by_lapack", "turn"), "log_determinant": ("lu_factors", "lu_by_lapack", "turn"), "lu_solved": ("substituted", "subtracted", "plus"), "lu_solved_turned": ("substituted", "subtracted", "plus"), "triangle_solved": ("substituted", "subtracted", "plus"),
    "cholesky_factor": (), "cholesky_reversed": ("diagonal_reversed", "column_reversed", "block_reversed", "panel_reversed", "subtracted"), "eigen": (), "singular": ("turn",), "orthogonal": ("turn",),
    "eigen_of_real": ("turn",), "eigen_of_complex": ("turn",), "pseudo_inverse": ("inverse_by_values", "singular", "turn", "matmul"), "least_squares": ("turn",), "least_squares_by_inverse": ("inverse_by_values", "singular", "turn", "matmul"),
}  # fmt: skip
"""What each function that kernels call needs beside it."""


def external(name: str, symbol: str, *arguments: str) -> str:
    """The line that makes a function of LAPACK, as Numba knows it, known by a name."""
    listed = ", ".join(f"types.{argument}" for argument in arguments)
    return f'{name} = types.ExternalFunction("{symbol}", types.intc({listed}))  # SciPy\'s LAPACK'


BEFORE = {
    "lu_by_lapack": external("getrf", "numba_xxgetrf", "char", "intp", "intp", "uintp", "intp", "uintp"),
    "cholesky_factor": external("potrf", "numba_xxpotrf", "char", "char", "intp", "uintp", "intp"),
    "eigen": external("evd", "numba_ez_xxxevd", "char", "char", "char", "intp", "uintp", "intp", "uintp"),
    "singular": external("gesdd", "numba_ez_gesdd", "char", "char", "intp", "intp", "uintp", "intp", "uintp", "uintp", "intp", "uintp", "intp"),
    "eigen_of_real": external("rgeev", "numba_ez_rgeev", "char", "char", "char", "intp", "uintp", "intp", "uintp", "uintp", "uintp", "intp", "uintp", "intp"),
    "eigen_of_complex": external("cgeev", "numba_ez_cgeev", "char", "char", "char", "intp", "uintp", "intp", "uintp", "uintp", "intp", "uintp", "intp"),
    "least_squares": external("gelsd", "numba_ez_gelsd", "char", "intp", "intp", "intp", "uintp", "intp", "uintp", "intp", "uintp", "float64", "uintp"),
    "orthogonal": "\n".join((
        external("geqrf", "numba_ez_geqrf", "char", "intp", "intp", "uintp", "intp", "uintp"),
        external("gqr", "numba_ez_xxgqr", "char", "intp", "intp", "intp", "uintp", "intp", "uintp"),
    )),
}
"""Lines that a function needs before it."""

plus: Any = None
matmul: Any = None
gemm: Any = None
getrf: Any = None
potrf: Any = None
evd: Any = None
gesdd: Any = None
gelsd: Any = None
geqrf: Any = None
gqr: Any = None
rgeev: Any = None
cgeev: Any = None
