"""What emitted text calls by symbols, for when it is run as plain Python: LAPACK's functions, NumPy does what they do, and NumPy's own loops of Fourier transforms."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import lapack

from s2s.transforms.primitives.scipy_functions import C_FUNCTIONS

_DTYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
_REAL = {"s": np.float32, "d": np.float64, "c": np.float32, "z": np.float64}


def matrix(address: int, rows: int, columns: int, dtype: Any) -> Any:
    """What lies at an address, column by column."""
    count = rows * columns
    memory = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address)
    return np.frombuffer(memory, dtype, count).reshape(columns, rows).T


def getrf(kind: Any, rows: int, columns: int, a: int, lda: int, swaps: int) -> int:
    del lda
    whole = matrix(a, rows, columns, _DTYPES[chr(kind)])
    whole[...], places, outcome = getattr(lapack, f"{chr(kind)}getrf")(whole.copy())
    matrix(swaps, min(rows, columns), 1, np.int32)[:, 0] = places + 1  # LAPACK counts from one, SciPy from zero
    return int(outcome)


def gesv(kind: Any, n: int, columns: int, a: int, lda: int, swaps: int, b: int, ldb: int) -> int:
    del lda, swaps, ldb
    right = matrix(b, n, columns, _DTYPES[chr(kind)])
    _, _, right[...], outcome = getattr(lapack, f"{chr(kind)}gesv")(matrix(a, n, n, _DTYPES[chr(kind)]), right.copy())
    return int(outcome)


def evd(kind: Any, job: Any, triangle: Any, n: int, a: int, lda: int, w: int) -> int:
    del job, lda
    whole = matrix(a, n, n, _DTYPES[chr(kind)])
    matrix(w, n, 1, _REAL[chr(kind)])[:, 0], whole[...] = np.linalg.eigh(whole.copy(), chr(triangle))
    return 0


def gesdd(kind: Any, job: Any, rows: int, columns: int, a: int, lda: int, s: int, u: int, ldu: int, vt: int, ldvt: int) -> int:
    del lda, ldu
    dtype = _DTYPES[chr(kind)]
    left, values, right = np.linalg.svd(matrix(a, rows, columns, dtype), full_matrices=chr(job) == "A")
    matrix(s, len(values), 1, _REAL[chr(kind)])[:, 0] = values
    if chr(job) != "N":
        matrix(u, rows, left.shape[1], dtype)[...], matrix(vt, ldvt, columns, dtype)[...] = left, right
    return 0


def geqrf(kind: Any, rows: int, columns: int, a: int, lda: int, scales: int) -> int:
    del lda
    whole = matrix(a, rows, columns, _DTYPES[chr(kind)])
    whole[...], matrix(scales, min(rows, columns), 1, _DTYPES[chr(kind)])[:, 0] = getattr(lapack, f"{chr(kind)}geqrf")(whole.copy())[:2]
    return 0


def gqr(kind: Any, rows: int, columns: int, short: int, a: int, lda: int, scales: int) -> int:
    del lda
    whole = matrix(a, rows, columns, _DTYPES[chr(kind)])
    name = "orgqr" if chr(kind) in "sd" else "ungqr"
    whole[...] = getattr(lapack, f"{chr(kind)}{name}")(whole.copy(), matrix(scales, short, 1, _DTYPES[chr(kind)])[:, 0])[0]
    return 0


def rgeev(kind: Any, left: Any, right: Any, n: int, a: int, lda: int, wr: int, wi: int, vl: int, ldvl: int, vr: int, ldvr: int) -> int:
    del lda, ldvl, ldvr
    dtype = _REAL[chr(kind)]
    matrix(wr, n, 1, dtype)[:, 0], matrix(wi, n, 1, dtype)[:, 0], lefts, rights, outcome = getattr(lapack, f"{chr(kind)}geev")(matrix(a, n, n, dtype).copy())
    if chr(left) == "V":
        matrix(vl, n, n, dtype)[...] = lefts
    if chr(right) == "V":
        matrix(vr, n, n, dtype)[...] = rights
    return int(outcome)


def cgeev(kind: Any, left: Any, right: Any, n: int, a: int, lda: int, w: int, vl: int, ldvl: int, vr: int, ldvr: int) -> int:
    del lda, ldvl, ldvr
    dtype = _DTYPES[chr(kind)]
    matrix(w, n, 1, dtype)[:, 0], lefts, rights, outcome = getattr(lapack, f"{chr(kind)}geev")(matrix(a, n, n, dtype).copy())
    if chr(left) == "V":
        matrix(vl, n, n, dtype)[...] = lefts
    if chr(right) == "V":
        matrix(vr, n, n, dtype)[...] = rights
    return int(outcome)


def gemm(kind: Any, turn_a: Any, turn_b: Any, rows: int, columns: int, inner: int, scale: int, a: int, lda: int, b: int, ldb: int, keep: int, c: int, ldc: int) -> int:
    dtype = _DTYPES[chr(kind)]
    left = matrix(a, lda, inner if chr(turn_a) == "n" else rows, dtype)
    right = matrix(b, ldb, columns if chr(turn_b) == "n" else inner, dtype)
    left, right = _turned(left, turn_a), _turned(right, turn_b)
    whole = matrix(c, ldc, columns, dtype)
    factor, kept = matrix(scale, 1, 1, dtype)[0, 0], matrix(keep, 1, 1, dtype)[0, 0]
    product = left[:rows, :inner] @ right[:inner, :columns]
    product = product if factor == 1 else factor * product
    whole[:rows] = product + kept * whole[:rows] if kept else product  # BLAS doesn't read what it does not keep
    return 0


def _turned(x: Any, form: Any) -> Any:
    return {"n": x, "t": x.T, "c": np.conj(x.T)}[chr(form)]


def gelsd(kind: Any, rows: int, columns: int, count: int, a: int, lda: int, b: int, ldb: int, s: int, cutoff: float, rank: int) -> int:
    del lda
    right = matrix(b, ldb, count, _DTYPES[chr(kind)])
    right[:columns], _, matrix(rank, 1, 1, np.int32)[0, 0], matrix(s, min(rows, columns), 1, _REAL[chr(kind)])[:, 0] = np.linalg.lstsq(matrix(a, rows, columns, _DTYPES[chr(kind)]), right[:rows].copy(), cutoff)
    return 0


def loops(ufunc: Any) -> dict[str, Any]:
    """The C functions of a ufunc, called by their addresses."""
    functions = ctypes.c_void_p.from_address(id(ufunc) + 32).value or 0
    kind = ctypes.CFUNCTYPE(None, *(ctypes.c_int64,) * 4)
    return {f"numpy_{ufunc.__name__}_{types[1]}": kind(ctypes.c_void_p.from_address(functions + 8 * number).value or 0) for number, types in enumerate(ufunc.types)}


_UFUNCS = (getattr(np.fft._pocketfft_umath, name) for name in ("fft", "ifft", "irfft", "rfft_n_even", "rfft_n_odd"))
STAND_INS = {**{function.__name__: function for function in (getrf, gesv, evd, gesdd, geqrf, gqr, rgeev, cgeev, gemm, gelsd)}, **{name: loop for ufunc in _UFUNCS for name, loop in loops(ufunc).items()}}


def stand_ins(module: Any) -> dict[str, Any]:
    """What the functions that a module calls by symbols do, by their names there: those above, SciPy's C functions by their addresses."""
    from llvmlite import binding
    from numba.core import types

    kinds = {types.float64: ctypes.c_double, types.intc: ctypes.c_int, types.uintp: ctypes.c_size_t, types.intp: ctypes.c_ssize_t, types.void: None}
    found = {name: function for name, function in STAND_INS.items() if hasattr(module, name)}
    for name, function in vars(module).items():
        if isinstance(function, types.ExternalFunction) and function.symbol.startswith(("scipy.special.", "scipy.linalg.")):
            called = ctypes.CFUNCTYPE(kinds[function.sig.return_type], *(kinds[each] for each in function.sig.args))
            found[name] = called(binding.address_of_symbol(function.symbol))
        elif name.startswith("scipy_") and (known := C_FUNCTIONS.get(name.removeprefix("scipy_"))) is not None and known.gives == "D":
            found[name] = complex_function(binding.address_of_symbol(f"scipy.special.{known.symbol}"), known.takes, known.parts)
    return found


class Parts(ctypes.Structure):
    """A complex number."""

    _fields_ = (("real", ctypes.c_double), ("imag", ctypes.c_double))


def complex_function(address: int, takes: str, parts: int) -> Callable[..., complex | None]:
    """A C function of floats and complex numbers that gives a complex number, or writes so many to the places that it is told behind its operands."""
    kinds = [Parts if letter == "D" else ctypes.c_double for letter in takes]
    called = ctypes.CFUNCTYPE(None, *kinds, *[ctypes.c_size_t] * parts)(address) if parts else ctypes.CFUNCTYPE(Parts, *kinds, ctypes.c_int)(address)

    def of_numbers(*operands: Any) -> complex | None:
        given = [Parts(each.real, each.imag) if letter == "D" else each for each, letter in zip(operands, takes, strict=False)]
        if parts:
            called(*given, *operands[len(takes) :])
            return None
        found = called(*given, 0)
        return complex(found.real, found.imag)

    return of_numbers
