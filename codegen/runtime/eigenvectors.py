"""All or some eigenvectors of symmetric matrices, left eigenvectors and eigenvalues of two matrices, by LAPACK: for the cpu target's kernels."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.codegen.runtime.decompositions import linked
from s2s.codegen.runtime.linear_algebra import BEFORE


def eigen_part(kind, a, values, vectors, upper, first):  # type: ignore[no-untyped-def]
    """Of what one triangle of a real matrix says, the eigenvalues from this one on and their eigenvectors, by relatively robust representations. False where they were not found."""
    n, count = a.shape[0], values.shape[0]
    if n == 0:
        return True
    matrix, found, every, ends = np.empty((n, n), a.dtype), np.empty((count, n), a.dtype), np.empty(n, a.dtype), np.zeros(2, a.dtype)
    turn(a, matrix)
    letters, numbers, places = np.empty(3, np.int8), np.zeros(7, np.int32), np.empty(2 * n, np.int32)
    letters[0], letters[1], letters[2] = 86, 73, 85 if upper else 76
    numbers[0], numbers[1], numbers[2], numbers[4], numbers[5] = n, first + 1, first + count, -1, -1
    room, whole_room = np.empty(1, a.dtype), np.empty(1, np.int32)
    for _ in range(2):
        letter, number, end = letters.ctypes.data, numbers.ctypes.data, ends.ctypes.data
        if kind == 100:
            dsyevr(
                letter, letter + 1, letter + 2, number, matrix.ctypes.data, number, end, end, number + 4, number + 8, end, number + 12, every.ctypes.data,
                found.ctypes.data, number, places.ctypes.data, room.ctypes.data, number + 16, whole_room.ctypes.data, number + 20, number + 24,
            )
        else:
            ssyevr(
                letter, letter + 1, letter + 2, number, matrix.ctypes.data, number, end, end, number + 4, number + 8, end, number + 12, every.ctypes.data,
                found.ctypes.data, number, places.ctypes.data, room.ctypes.data, number + 16, whole_room.ctypes.data, number + 20, number + 24,
            )
        if numbers[4] == -1:
            numbers[4], numbers[5] = np.int64(room[0]), whole_room[0]
            room, whole_room = np.empty(np.int64(numbers[4]), a.dtype), np.empty(np.int64(numbers[5]), np.int32)
    letters[0], places[0], whole_room[0] = 0, 0, 0  # needed until here
    ends[0], room[0], matrix[0, 0] = 0, 0, 0
    for i in range(count):
        values[i] = every[i]
    turn(found, vectors)
    return numbers[6] == 0


def eigen_part_complex(kind, a, values, vectors, upper, first):  # type: ignore[no-untyped-def]
    """The same of a Hermitian matrix of complex numbers."""
    n, count = a.shape[0], values.shape[0]
    if n == 0:
        return True
    matrix, found, every, ends = np.empty((n, n), a.dtype), np.empty((count, n), a.dtype), np.empty(n, values.dtype), np.zeros(2, values.dtype)
    turn(a, matrix)
    letters, numbers, places = np.empty(3, np.int8), np.zeros(8, np.int32), np.empty(2 * n, np.int32)
    letters[0], letters[1], letters[2] = 86, 73, 85 if upper else 76
    numbers[0], numbers[1], numbers[2], numbers[4], numbers[5], numbers[7] = n, first + 1, first + count, -1, -1, -1
    room, real_room, whole_room = np.empty(1, a.dtype), np.empty(1, values.dtype), np.empty(1, np.int32)
    for _ in range(2):
        letter, number, end = letters.ctypes.data, numbers.ctypes.data, ends.ctypes.data
        if kind == 122:
            zheevr(
                letter, letter + 1, letter + 2, number, matrix.ctypes.data, number, end, end, number + 4, number + 8, end, number + 12, every.ctypes.data,
                found.ctypes.data, number, places.ctypes.data, room.ctypes.data, number + 16, real_room.ctypes.data, number + 28, whole_room.ctypes.data, number + 20, number + 24,
            )
        else:
            cheevr(
                letter, letter + 1, letter + 2, number, matrix.ctypes.data, number, end, end, number + 4, number + 8, end, number + 12, every.ctypes.data,
                found.ctypes.data, number, places.ctypes.data, room.ctypes.data, number + 16, real_room.ctypes.data, number + 28, whole_room.ctypes.data, number + 20, number + 24,
            )
        if numbers[4] == -1:
            numbers[4], numbers[5], numbers[7] = np.int64(room[0].real), whole_room[0], np.int64(real_room[0])
            room, real_room, whole_room = np.empty(np.int64(numbers[4]), a.dtype), np.empty(np.int64(numbers[7]), values.dtype), np.empty(np.int64(numbers[5]), np.int32)
    letters[0], places[0], whole_room[0] = 0, 0, 0  # needed until here
    ends[0], real_room[0] = 0, 0
    room[0], matrix[0, 0] = 0, 0
    for i in range(count):
        values[i] = every[i]
    turn(found, vectors)
    return numbers[6] == 0


def in_pairs(found, imaginary, vectors):  # type: ignore[no-untyped-def]
    """The complex eigenvectors (columns) that LAPACK writes as two real ones for each pair of eigenvalues."""
    n = found.shape[0]
    for j in range(n):
        if imaginary[j] == 0:
            for i in range(n):
                vectors[i, j] = found[j, i]
        elif imaginary[j] > 0 and j + 1 < n:
            for i in range(n):
                vectors[i, j] = complex(found[j, i], found[j + 1, i])
                vectors[i, j + 1] = complex(found[j, i], -found[j + 1, i])


def sides_of_real(kind, a, values, left, right):  # type: ignore[no-untyped-def]
    """Eigenvalues, left and right eigenvectors (columns) of a matrix of real numbers. False where they were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    work, lefts, rights, parts = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((2, n), a.dtype)
    turn(a, work)
    found = rgeev(
        np.int8(kind), np.int8(86), np.int8(86), n, work.ctypes.data, n, parts.ctypes.data, parts.ctypes.data + n * a.itemsize, lefts.ctypes.data, n,
        rights.ctypes.data, n,
    )
    work[0, 0] = 0  # needed until here
    for j in range(n):
        values[j] = complex(parts[0, j], parts[1, j])
    in_pairs(lefts, parts[1], left)
    in_pairs(rights, parts[1], right)
    return found == 0


def sides_of_complex(kind, a, values, left, right):  # type: ignore[no-untyped-def]
    """The same of a matrix of complex numbers."""
    n = a.shape[0]
    if n == 0:
        return True
    work, lefts, rights, every = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty(n, a.dtype)
    turn(a, work)
    found = cgeev(np.int8(kind), np.int8(86), np.int8(86), n, work.ctypes.data, n, every.ctypes.data, lefts.ctypes.data, n, rights.ctypes.data, n)
    work[0, 0] = 0  # needed until here
    values[:] = every
    turn(lefts, left)
    turn(rights, right)
    return found == 0


def quotients(above, below, values):  # type: ignore[no-untyped-def]
    """The eigenvalues that two numbers each say: inf of 0 below, nan of 0 above and below."""
    for k in range(values.shape[0]):
        if below[k] != 0:
            values[k] = above[k] / below[k]
        elif above[k] != 0:
            values[k] = np.inf
        else:
            values[k] = np.nan


def to_length_one(vectors):  # type: ignore[no-untyped-def]
    """Each column divided by its length."""
    n = vectors.shape[0]
    for j in range(n):
        square = 0.0
        for i in range(n):
            square += vectors[i, j].real ** 2 + vectors[i, j].imag ** 2
        length = np.sqrt(square)
        for i in range(n):
            vectors[i, j] = complex(vectors[i, j].real / length, vectors[i, j].imag / length)


def pair_of_real(kind, a, b, values, left, right):  # type: ignore[no-untyped-def]
    """a x = w b x, of real numbers. False where the eigenvalues were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    one, other, lefts, rights = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype)
    turn(a, one)
    turn(b, other)
    letters, numbers, parts, room = np.empty(2, np.int8), np.zeros(3, np.int32), np.empty((3, n), a.dtype), np.empty(1, a.dtype)
    letters[0], letters[1], numbers[0], numbers[1] = 86, 86, n, -1
    for _ in range(2):
        letter, number, part = letters.ctypes.data, numbers.ctypes.data, parts.ctypes.data
        if kind == 100:
            dggev(
                letter, letter + 1, number, one.ctypes.data, number, other.ctypes.data, number, part, part + n * a.itemsize, part + 2 * n * a.itemsize,
                lefts.ctypes.data, number, rights.ctypes.data, number, room.ctypes.data, number + 4, number + 8,
            )
        else:
            sggev(
                letter, letter + 1, number, one.ctypes.data, number, other.ctypes.data, number, part, part + n * a.itemsize, part + 2 * n * a.itemsize,
                lefts.ctypes.data, number, rights.ctypes.data, number, room.ctypes.data, number + 4, number + 8,
            )
        if numbers[1] == -1:
            numbers[1] = np.int64(room[0])
            room = np.empty(np.int64(numbers[1]), a.dtype)
    letters[0], room[0], one[0, 0], other[0, 0] = 0, 0, 0, 0  # needed until here
    above = np.empty(n, values.dtype)
    for j in range(n):
        above[j] = complex(parts[0, j], parts[1, j])
    quotients(above, parts[2], values)
    in_pairs(lefts, parts[1], left)
    in_pairs(rights, parts[1], right)
    to_length_one(left)
    to_length_one(right)
    return numbers[2] == 0


def pair_of_complex(kind, a, b, values, left, right):  # type: ignore[no-untyped-def]
    """The same of complex numbers."""
    n = a.shape[0]
    if n == 0:
        return True
    one, other, lefts, rights = np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype), np.empty((n, n), a.dtype)
    turn(a, one)
    turn(b, other)
    letters, numbers, parts, room, reals = np.empty(2, np.int8), np.zeros(3, np.int32), np.empty((2, n), a.dtype), np.empty(1, a.dtype), np.empty(8 * n)
    letters[0], letters[1], numbers[0], numbers[1] = 86, 86, n, -1
    for _ in range(2):
        letter, number, part = letters.ctypes.data, numbers.ctypes.data, parts.ctypes.data
        if kind == 122:
            zggev(
                letter, letter + 1, number, one.ctypes.data, number, other.ctypes.data, number, part, part + n * a.itemsize,
                lefts.ctypes.data, number, rights.ctypes.data, number, room.ctypes.data, number + 4, reals.ctypes.data, number + 8,
            )
        else:
            cggev(
                letter, letter + 1, number, one.ctypes.data, number, other.ctypes.data, number, part, part + n * a.itemsize,
                lefts.ctypes.data, number, rights.ctypes.data, number, room.ctypes.data, number + 4, reals.ctypes.data, number + 8,
            )
        if numbers[1] == -1:
            numbers[1] = np.int64(room[0].real)
            room = np.empty(np.int64(numbers[1]), a.dtype)
    letters[0], room[0], one[0, 0], other[0, 0] = 0, 0, 0, 0  # needed until here
    reals[0] = 0
    quotients(parts[0], parts[1], values)
    turn(lefts, left)
    turn(rights, right)
    to_length_one(left)
    to_length_one(right)
    return numbers[2] == 0


def pair_values_of_real(kind, a, b, values):  # type: ignore[no-untyped-def]
    """The eigenvalues alone."""
    return pair_of_real(kind, a, b, values, np.empty(a.shape, values.dtype), np.empty(a.shape, values.dtype))


def pair_values_of_complex(kind, a, b, values):  # type: ignore[no-untyped-def]
    """The same of complex numbers."""
    return pair_of_complex(kind, a, b, values, np.empty(a.shape, values.dtype), np.empty(a.shape, values.dtype))


EIGENVECTORS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (
        eigen_part, eigen_part_complex, in_pairs, sides_of_real, sides_of_complex, quotients, to_length_one, pair_of_real, pair_of_complex, pair_values_of_real, pair_values_of_complex,
    )
}  # fmt: skip
"""By name."""

_OF_REAL, _OF_COMPLEX = ("turn", "in_pairs", "quotients", "to_length_one"), ("turn", "quotients", "to_length_one")
CALLS = {
    "eigen_part": ("turn",), "eigen_part_complex": ("turn",), "sides_of_real": ("turn", "in_pairs"), "sides_of_complex": ("turn",), "pair_of_real": _OF_REAL, "pair_of_complex": _OF_COMPLEX,
    "pair_values_of_real": ("pair_of_real", *_OF_REAL), "pair_values_of_complex": ("pair_of_complex", *_OF_COMPLEX),
}  # fmt: skip
"""What each function that kernels call needs beside it."""

LINKED = {
    "eigen_part": "\n".join(linked(name, 21) for name in ("dsyevr", "ssyevr")), "eigen_part_complex": "\n".join(linked(name, 23) for name in ("zheevr", "cheevr")),
    "pair_of_real": "\n".join(linked(name, 17) for name in ("dggev", "sggev")), "pair_of_complex": "\n".join(linked(name, 17) for name in ("zggev", "cggev")),
}  # fmt: skip
"""Lines before functions that call what SciPy offers by its address."""

NUMBAS = {"sides_of_real": BEFORE["eigen_of_real"], "sides_of_complex": BEFORE["eigen_of_complex"]}
"""Lines before functions that call what Numba brings."""

turn: Any = None
dsyevr: Any = None
ssyevr: Any = None
zheevr: Any = None
cheevr: Any = None
rgeev: Any = None
cgeev: Any = None
dggev: Any = None
sggev: Any = None
zggev: Any = None
cggev: Any = None
