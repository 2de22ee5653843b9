"""Eigenvalues and singular values of one matrix without vectors, by LAPACK, which needs half the time then: for the cpu target's kernels."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.codegen.runtime.linear_algebra import BEFORE


def eigenvalues(kind, a, values):  # type: ignore[no-untyped-def]
    """Eigenvalues of what a's lower triangle says. False where they were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    work = np.empty((n, n), a.dtype)
    turn(a, work)
    found = evd(np.int8(kind), np.int8(78), np.int8(76), n, work.ctypes.data, n, values.ctypes.data)
    work[0, 0] = 0  # needed until here
    return found == 0


def singular_values(kind, a, values):  # type: ignore[no-untyped-def]
    """Singular values, falling. False where they were not found."""
    rows, columns = a.shape
    if rows == 0 or columns == 0:
        return True
    work, unused = np.empty((columns, rows), a.dtype), np.empty(1, a.dtype)
    turn(a, work)
    found = gesdd(
        np.int8(kind), np.int8(78), rows, columns, work.ctypes.data, rows, values.ctypes.data, unused.ctypes.data, rows, unused.ctypes.data, min(rows, columns),
    )
    work[0, 0], unused[0] = 0, 0  # needed until here
    return found == 0


def eigenvalues_of_real(kind, a, values):  # type: ignore[no-untyped-def]
    """Eigenvalues of a matrix of real numbers. False where they were not found."""
    n = a.shape[0]
    if n == 0:
        return True
    work, parts, unused = np.empty((n, n), a.dtype), np.empty((2, n), a.dtype), np.empty(1, a.dtype)
    turn(a, work)
    found = rgeev(
        np.int8(kind), np.int8(78), np.int8(78), n, work.ctypes.data, n, parts.ctypes.data, parts.ctypes.data + n * a.itemsize, unused.ctypes.data, 1,
        unused.ctypes.data, 1,
    )
    work[0, 0], unused[0] = 0, 0  # needed until here
    for i in range(n):
        values[i] = complex(parts[0, i], parts[1, i])
    return found == 0


def eigenvalues_of_complex(kind, a, values):  # type: ignore[no-untyped-def]
    """The same of a matrix of complex numbers."""
    n = a.shape[0]
    if n == 0:
        return True
    work, unused = np.empty((n, n), a.dtype), np.empty(1, a.dtype)
    turn(a, work)
    found = cgeev(np.int8(kind), np.int8(78), np.int8(78), n, work.ctypes.data, n, values.ctypes.data, unused.ctypes.data, 1, unused.ctypes.data, 1)
    work[0, 0], unused[0] = 0, 0  # needed until here
    return found == 0


SPECTRA: dict[str, Callable[..., Any]] = {function.__name__: function for function in (eigenvalues, singular_values, eigenvalues_of_real, eigenvalues_of_complex)}
"""By name."""

CALLS = dict.fromkeys(SPECTRA, ("turn",))
"""What each needs beside it."""

NUMBAS = {
    "eigenvalues": BEFORE["eigen"], "singular_values": BEFORE["singular"], "eigenvalues_of_real": BEFORE["eigen_of_real"], "eigenvalues_of_complex": BEFORE["eigen_of_complex"],
}
"""Lines that a function needs before it."""

turn: Any = None
evd: Any = None
gesdd: Any = None
rgeev: Any = None
cgeev: Any = None
