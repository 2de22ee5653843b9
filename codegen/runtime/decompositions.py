"""Decompositions of one matrix by those of SciPy's LAPACK functions that Numba does not bring, and by others with complete bases, copied into emitted modules.

`scipy.linalg.cython_lapack` offers the functions' addresses; the module gives each a name that the linker knows, so that machine code which calls it can be cached.
All of their arguments are addresses; a first call asks how much room they want. What is needed until a call is over is named once more behind it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def lu_of_any(kind, a, factors, order):  # type: ignore[no-untyped-def]
    """a[order] = L U of a matrix of any shape, singular or not; L without its ones and U into `factors`."""
    rows, columns = a.shape
    for i in range(rows):
        order[i] = i
    short = min(rows, columns)
    if short > 0:
        work, swaps = np.empty((columns, rows), a.dtype), np.empty(short, np.int32)
        turn(a, work)
        getrf(np.int8(kind), rows, columns, work.ctypes.data, rows, swaps.ctypes.data)
        turn(work, factors)
        for i in range(short):
            order[i], order[swaps[i] - 1] = order[swaps[i] - 1], order[i]


def orthogonal_whole(kind, a, q, r):  # type: ignore[no-untyped-def]
    """a = q @ r, q square, r of a's shape."""
    rows, columns = a.shape
    short = min(rows, columns)
    for i in range(rows):
        for j in range(rows):
            q[i, j] = 1 if i == j else 0
    if short > 0:
        work, scales = np.empty((max(rows, columns), rows), a.dtype), np.empty(short, a.dtype)
        for i in range(rows):
            for j in range(columns):
                work[j, i] = a[i, j]
        geqrf(np.int8(kind), rows, columns, work.ctypes.data, rows, scales.ctypes.data)
        for i in range(rows):
            for j in range(columns):
                r[i, j] = work[j, i] if i <= j else 0
        gqr(np.int8(kind), rows, rows, short, work.ctypes.data, rows, scales.ctypes.data)
        scales[0] = 0  # needed until here
        for i in range(rows):
            for j in range(rows):
                q[i, j] = work[j, i]


def reflections(kind, a, turned, scales):  # type: ignore[no-untyped-def]
    """LAPACK's Householder reflections of a, transposed, and their scales."""
    rows, columns = a.shape
    for i in range(rows):
        for j in range(columns):
            turned[j, i] = a[i, j]
    if min(rows, columns) > 0:
        geqrf(np.int8(kind), rows, columns, turned.ctypes.data, rows, scales.ctypes.data)


def singular_whole(kind, a, left, values, right):  # type: ignore[no-untyped-def]
    """a = left @ diag(values) @ right, left and right square. False where they were not found."""
    rows, columns = a.shape
    for i in range(rows):
        for j in range(rows):
            left[i, j] = 1 if i == j else 0
    for i in range(columns):
        for j in range(columns):
            right[i, j] = 1 if i == j else 0
    if min(rows, columns) == 0:
        return True
    work, left_turned, right_turned = np.empty((columns, rows), a.dtype), np.empty((rows, rows), a.dtype), np.empty((columns, columns), a.dtype)
    turn(a, work)
    found = gesdd(
        np.int8(kind), np.int8(65), rows, columns, work.ctypes.data, rows, values.ctypes.data, left_turned.ctypes.data, rows, right_turned.ctypes.data, columns,
    )
    work[0, 0] = 0  # needed until here
    turn(left_turned, left)
    turn(right_turned, right)
    return found == 0


def eigen_upper(kind, a, values, vectors):  # type: ignore[no-untyped-def]
    """Eigenvalues and eigenvectors (columns) of what a's upper triangle says. False where they were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    for i in range(n):
        for j in range(n):
            vectors[j, i] = a[i, j] if j >= i else 0
    found = evd(np.int8(kind), np.int8(86), np.int8(85), n, vectors.ctypes.data, n, values.ctypes.data)
    for i in range(n):
        for j in range(i):
            vectors[i, j], vectors[j, i] = vectors[j, i], vectors[i, j]
    return found == 0


def schur_of_real(kind, a, form, vectors):  # type: ignore[no-untyped-def]
    """a = vectors @ form @ vectors.T, of real numbers. False where it was not found."""
    n = a.shape[0]
    if n == 0:
        return True
    matrix, found, parts = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((2, n), a.dtype)
    turn(a, matrix)
    letters, numbers, flags, room = np.empty(2, np.int8), np.zeros(4, np.int32), np.empty(n, np.int32), np.empty(1, a.dtype)
    letters[0], letters[1], numbers[0], numbers[2] = 86, 78, n, -1
    for _ in range(2):
        letter, number, part = letters.ctypes.data, numbers.ctypes.data, parts.ctypes.data
        if kind == 100:
            dgees(
                letter, letter + 1, np.uintp(0), number, matrix.ctypes.data, number, number + 4, part, part + n * a.itemsize, found.ctypes.data, number,
                room.ctypes.data, number + 8, flags.ctypes.data, number + 12,
            )
        else:
            sgees(
                letter, letter + 1, np.uintp(0), number, matrix.ctypes.data, number, number + 4, part, part + n * a.itemsize, found.ctypes.data, number,
                room.ctypes.data, number + 8, flags.ctypes.data, number + 12,
            )
        if numbers[2] == -1:
            numbers[2] = np.int64(room[0])
            room = np.empty(np.int64(numbers[2]), a.dtype)
    letters[0], flags[0] = 0, 0  # needed until here
    parts[0, 0], room[0] = 0, 0
    turn(matrix, form)
    turn(found, vectors)
    return numbers[3] == 0


def schur_of_complex(kind, a, form, vectors):  # type: ignore[no-untyped-def]
    """The same of complex numbers."""
    n = a.shape[0]
    if n == 0:
        return True
    matrix, found, values, reals = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty(n, a.dtype), np.empty(n)  # `reals`: room for numbers of either length
    turn(a, matrix)
    letters, numbers, flags, room = np.empty(2, np.int8), np.zeros(4, np.int32), np.empty(n, np.int32), np.empty(1, a.dtype)
    letters[0], letters[1], numbers[0], numbers[2] = 86, 78, n, -1
    for _ in range(2):
        letter, number = letters.ctypes.data, numbers.ctypes.data
        if kind == 122:
            zgees(
                letter, letter + 1, np.uintp(0), number, matrix.ctypes.data, number, number + 4, values.ctypes.data, found.ctypes.data, number,
                room.ctypes.data, number + 8, reals.ctypes.data, flags.ctypes.data, number + 12,
            )
        else:
            cgees(
                letter, letter + 1, np.uintp(0), number, matrix.ctypes.data, number, number + 4, values.ctypes.data, found.ctypes.data, number,
                room.ctypes.data, number + 8, reals.ctypes.data, flags.ctypes.data, number + 12,
            )
        if numbers[2] == -1:
            numbers[2] = np.int64(room[0].real)
            room = np.empty(np.int64(numbers[2]), a.dtype)
    letters[0], flags[0] = 0, 0  # needed until here
    values[0], room[0] = 0, 0
    reals[0] = 0
    turn(matrix, form)
    turn(found, vectors)
    return numbers[3] == 0


def solved(kind, a, b, x):  # type: ignore[no-untyped-def]
    """x = the solution of a x = b. False where a is singular."""
    n, columns = b.shape
    if n == 0 or columns == 0:
        return True
    work, right, swaps = np.empty((n, n), a.dtype), np.empty((columns, n), a.dtype), np.empty(n, np.int32)
    turn(a, work)
    turn(b, right)
    outcome = gesv(np.int8(kind), n, columns, work.ctypes.data, n, swaps.ctypes.data, right.ctypes.data, n)
    work[0, 0], swaps[0] = 0, 0  # needed until here
    turn(right, x)
    return outcome == 0


def turned_by(kind, left, q, right, out, back):  # type: ignore[no-untyped-def]
    """out = left^H @ q @ right; with `back` left @ q @ right^H."""
    rows, columns = q.shape
    first, half, last = np.empty((rows, rows), q.dtype), np.empty((rows, columns), q.dtype), np.empty((columns, columns), q.dtype)
    for i in range(rows):
        for j in range(rows):
            first[i, j] = left[i, j] if back else np.conj(left[j, i])
    for i in range(columns):
        for j in range(columns):
            last[i, j] = np.conj(right[j, i]) if back else right[i, j]
    matmul(kind, rows, rows, columns, first, False, q, False, half, False)
    matmul(kind, rows, columns, columns, half, False, last, False, out, False)


def sylvester_of_real(kind, a, b, q, x):  # type: ignore[no-untyped-def]
    """x = the solution of a x + x b = q, of real numbers. False where it was not found."""
    rows, columns = q.shape
    if rows == 0 or columns == 0:
        return True
    form, left, other, right = np.empty((rows, rows), a.dtype), np.empty((rows, rows), a.dtype), np.empty((columns, columns), a.dtype), np.empty((columns, columns), a.dtype)
    if not schur_of_real(kind, a, form, left) or not schur_of_real(kind, b, other, right):
        return False
    turned_by(kind, left, q, right, x, False)
    form_turned, other_turned, work, scale = np.empty((rows, rows), a.dtype), np.empty((columns, columns), a.dtype), np.empty((columns, rows), a.dtype), np.empty(1, a.dtype)
    turn(form, form_turned)
    turn(other, other_turned)
    turn(x, work)
    letters, numbers = np.empty(1, np.int8), np.empty(4, np.int32)
    letters[0], numbers[0], numbers[1], numbers[2] = 78, 1, rows, columns
    letter, number = letters.ctypes.data, numbers.ctypes.data
    if kind == 100:
        dtrsyl(
            letter, letter, number, number + 4, number + 8, form_turned.ctypes.data, number + 4, other_turned.ctypes.data, number + 8, work.ctypes.data, number + 4,
            scale.ctypes.data, number + 12,
        )
    else:
        strsyl(
            letter, letter, number, number + 4, number + 8, form_turned.ctypes.data, number + 4, other_turned.ctypes.data, number + 8, work.ctypes.data, number + 4,
            scale.ctypes.data, number + 12,
        )
    letters[0], form_turned[0, 0], other_turned[0, 0] = 0, 0, 0  # needed until here
    for i in range(rows):
        for j in range(columns):
            x[i, j] = work[j, i] / scale[0]
    turned_by(kind, left, x, right, x, True)
    return numbers[3] == 0


def sylvester_of_complex(kind, a, b, q, x):  # type: ignore[no-untyped-def]
    """The same of complex numbers."""
    rows, columns = q.shape
    if rows == 0 or columns == 0:
        return True
    form, left, other, right = np.empty((rows, rows), a.dtype), np.empty((rows, rows), a.dtype), np.empty((columns, columns), a.dtype), np.empty((columns, columns), a.dtype)
    if not schur_of_complex(kind, a, form, left) or not schur_of_complex(kind, b, other, right):
        return False
    turned_by(kind, left, q, right, x, False)
    form_turned, other_turned, work, scale = np.empty((rows, rows), a.dtype), np.empty((columns, columns), a.dtype), np.empty((columns, rows), a.dtype), np.empty(1)
    turn(form, form_turned)
    turn(other, other_turned)
    turn(x, work)
    letters, numbers, small = np.empty(1, np.int8), np.empty(4, np.int32), np.empty(1, np.float32)
    letters[0], numbers[0], numbers[1], numbers[2] = 78, 1, rows, columns
    letter, number = letters.ctypes.data, numbers.ctypes.data
    if kind == 122:
        ztrsyl(
            letter, letter, number, number + 4, number + 8, form_turned.ctypes.data, number + 4, other_turned.ctypes.data, number + 8, work.ctypes.data, number + 4,
            scale.ctypes.data, number + 12,
        )
    else:
        ctrsyl(
            letter, letter, number, number + 4, number + 8, form_turned.ctypes.data, number + 4, other_turned.ctypes.data, number + 8, work.ctypes.data, number + 4,
            small.ctypes.data, number + 12,
        )
        scale[0] = small[0]
    letters[0], form_turned[0, 0], other_turned[0, 0] = 0, 0, 0  # needed until here
    for i in range(rows):
        for j in range(columns):
            x[i, j] = work[j, i] / scale[0]
    turned_by(kind, left, x, right, x, True)
    return numbers[3] == 0


def riccati_of_real(kind, a, b, c, d, v):  # type: ignore[no-untyped-def]
    """v = the solution of c + d v = v a + v b v that makes a + b v stable, of real numbers. False where it was not found."""
    n, rows = b.shape
    whole = n + rows
    if n == 0 or rows == 0:
        return True
    matrix, form, vectors = np.empty((whole, whole), np.float64), np.empty((whole, whole), np.float64), np.empty((whole, whole), np.float64)
    for i in range(whole):
        for j in range(whole):
            if i < n:
                matrix[i, j] = a[i, j] if j < n else b[i, j - n]
            else:
                matrix[i, j] = c[i - n, j] if j < n else d[i - n, j - n]
    letters, numbers, chosen, places = np.empty(3, np.int8), np.empty(6, np.int32), np.empty(whole, np.int32), np.empty(whole, np.int32)
    scales = np.empty(whole)
    letters[0], letters[1], letters[2] = 78, 86, 83
    numbers[0], numbers[1], numbers[2], numbers[3] = whole, n, rows, 0
    letter, number = letters.ctypes.data, numbers.ctypes.data
    dgebal(letter + 2, number, matrix.ctypes.data, number, number + 12, number + 12, scales.ctypes.data, number + 16)  # sees the transposed matrix, whose scales are the inverse ones
    if not schur_of_real(100, matrix, form, vectors):
        return False
    turn(form, matrix)
    turn(vectors, form)
    values, ends, room = np.empty((2, whole), np.float64), np.empty(2), np.empty(whole, np.float64)
    for i in range(whole):
        chosen[i] = matrix[i, i] < 0.0
    end, vector = ends.ctypes.data, form.ctypes.data
    dtrsen(
        letter, letter + 1, chosen.ctypes.data, number, matrix.ctypes.data, number, vector, number, values.ctypes.data, values.ctypes.data + whole * 8, number + 12,
        end, end + 8, room.ctypes.data, number, places.ctypes.data, number, number + 16,
    )
    if numbers[3] != n or numbers[4] != 0:
        return False
    letters[0], chosen[0], places[0], values[0, 0], ends[0], room[0], matrix[0, 0] = 0, 0, 0, 0, 0, 0, 0  # needed until here
    first, second = np.empty((n, n), np.float64), np.empty((n, rows), np.float64)
    for i in range(n):
        for j in range(whole):
            if j < n:
                first[i, j] = form[i, j]
            else:
                second[i, j - n] = form[i, j]
    if not solved(100, first, second, second):
        return False
    size = 0.0
    for i in range(rows):
        for j in range(n):
            size += second[j, i] * second[j, i]
            v[i, j] = second[j, i] * (scales[j] / scales[n + i])
    return size < 1e28  # beyond, the first half of the vectors is singular but for rounding


def riccati_of_complex(kind, a, b, c, d, v):  # type: ignore[no-untyped-def]
    """The same of complex numbers."""
    n, rows = b.shape
    whole = n + rows
    if n == 0 or rows == 0:
        return True
    matrix, form, vectors = np.empty((whole, whole), np.complex128), np.empty((whole, whole), np.complex128), np.empty((whole, whole), np.complex128)
    for i in range(whole):
        for j in range(whole):
            if i < n:
                matrix[i, j] = a[i, j] if j < n else b[i, j - n]
            else:
                matrix[i, j] = c[i - n, j] if j < n else d[i - n, j - n]
    letters, numbers, chosen, places = np.empty(3, np.int8), np.empty(6, np.int32), np.empty(whole, np.int32), np.empty(whole, np.int32)
    scales = np.empty(whole)
    letters[0], letters[1], letters[2] = 78, 86, 83
    numbers[0], numbers[1], numbers[2], numbers[3] = whole, n, rows, 0
    letter, number = letters.ctypes.data, numbers.ctypes.data
    zgebal(letter + 2, number, matrix.ctypes.data, number, number + 12, number + 12, scales.ctypes.data, number + 16)  # sees the transposed matrix, whose scales are the inverse ones
    if not schur_of_complex(122, matrix, form, vectors):
        return False
    turn(form, matrix)
    turn(vectors, form)
    values, ends, room = np.empty((2, whole), np.complex128), np.empty(2), np.empty(whole, np.complex128)
    for i in range(whole):
        chosen[i] = matrix[i, i].real < 0.0
    end, vector = ends.ctypes.data, form.ctypes.data
    ztrsen(
        letter, letter + 1, chosen.ctypes.data, number, matrix.ctypes.data, number, vector, number, values.ctypes.data, number + 12, end, end + 8, room.ctypes.data, number, number + 16,
    )
    if numbers[3] != n or numbers[4] != 0:
        return False
    letters[0], chosen[0], places[0], values[0, 0], ends[0], room[0], matrix[0, 0] = 0, 0, 0, 0, 0, 0, 0  # needed until here
    first, second = np.empty((n, n), np.complex128), np.empty((n, rows), np.complex128)
    for i in range(n):
        for j in range(whole):
            if j < n:
                first[i, j] = form[i, j]
            else:
                second[i, j - n] = form[i, j]
    if not solved(122, first, second, second):
        return False
    size = 0.0
    for i in range(rows):
        for j in range(n):
            size += second[j, i].real * second[j, i].real + second[j, i].imag * second[j, i].imag
            v[i, j] = second[j, i] * (scales[j] / scales[n + i])
    return size < 1e28  # beyond, the first half of the vectors is singular but for rounding


DECOMPOSITIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (
        lu_of_any, orthogonal_whole, reflections, singular_whole, eigen_upper, schur_of_real, schur_of_complex, solved, turned_by,
        sylvester_of_real, sylvester_of_complex, riccati_of_real, riccati_of_complex,
    )
}  # fmt: skip
"""By name."""

CALLS = {
    "lu_of_any": ("turn",), "orthogonal_whole": (), "reflections": (), "singular_whole": ("turn",), "eigen_upper": (),
    "solved": ("turn",), "schur_of_real": ("turn",), "schur_of_complex": ("turn",), "sylvester_of_real": ("schur_of_real", "turn", "turned_by", "matmul"),
    "sylvester_of_complex": ("schur_of_complex", "turn", "turned_by", "matmul"),
    "riccati_of_real": ("schur_of_real", "solved", "turn"), "riccati_of_complex": ("schur_of_complex", "solved", "turn"),
}  # fmt: skip
"""What each function that kernels call needs beside it."""

BY_LAPACK = frozenset((*DECOMPOSITIONS, "eigen", "singular", "orthogonal", "eigen_of_real", "eigen_of_complex", "lu_by_lapack", "least_squares", "subtracted")) - {"turned_by"}
"""Functions that call LAPACK or BLAS, and at most move elements beside it: the work is there, and LLVM's time for them would be lost."""


def linked(name: str, count: int) -> str:
    """The lines that make a function of LAPACK, of so many addresses, known by its name."""
    return (
        f'add_symbol("scipy.linalg.{name}", get_cython_function_address("scipy.linalg.cython_lapack", "{name}"))\n'
        f'{name} = types.ExternalFunction("scipy.linalg.{name}", types.void(*[types.uintp] * {count}))'
    )


LINKED = {
    "schur_of_real": "\n".join(linked(name, 15) for name in ("dgees", "sgees")), "schur_of_complex": "\n".join(linked(name, 15) for name in ("zgees", "cgees")),
    "sylvester_of_real": "\n".join(linked(name, 13) for name in ("dtrsyl", "strsyl")), "sylvester_of_complex": "\n".join(linked(name, 13) for name in ("ztrsyl", "ctrsyl")),
    "riccati_of_real": "\n".join(linked(*each) for each in (("dgebal", 8), ("dtrsen", 18))),
    "riccati_of_complex": "\n".join(linked(*each) for each in (("zgebal", 8), ("ztrsen", 15))),
}  # fmt: skip
"""Lines before functions that call what SciPy offers by its address."""

turn: Any = None
getrf: Any = None
geqrf: Any = None
gqr: Any = None
gesv: Any = None
gesdd: Any = None
evd: Any = None
dgees: Any = None
sgees: Any = None
zgees: Any = None
cgees: Any = None
dtrsyl: Any = None
strsyl: Any = None
ztrsyl: Any = None
ctrsyl: Any = None
dgebal: Any = None
dtrsen: Any = None
zgebal: Any = None
ztrsen: Any = None
matmul: Any = None
