"""Matrices of bool, short integers and float16 in scipy.linalg's calls: float32, as SciPy hands them to LAPACK.

    scipy.linalg.svd(pixels)      pixels: uint8      ->  scipy.linalg.svd(pixels.astype(np.float32))

SciPy takes the narrowest of LAPACK's types that holds a dtype (`scipy.linalg.blas.find_best_blas_type`); some functions make float64 of integers, or of all but float16, before.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.names import Table, within
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, View
from s2s.transforms.read.wrapping import unwrap

_BY_LAPACK = (
    "eigh eigvalsh eig eigvals eig_banded eigvals_banded eigh_tridiagonal eigvalsh_tridiagonal qr rq qr_multiply lu lu_factor lu_solve cholesky cho_factor cho_solve cholesky_banded "
    "cho_solve_banded solveh_banded svd svdvals ldl matrix_balance null_space orth polar pinv pinvh lstsq subspace_angles inv solve_triangular"
)
_AFTER_INTEGERS = "schur signm funm solve_continuous_lyapunov solve_lyapunov solve_sylvester"
_FLOATS = "expm solve solve_banded solve_circulant cosm sinm tanm coshm sinhm tanhm sqrtm logm fractional_matrix_power det expm_frechet solve_discrete_lyapunov orthogonal_procrustes"
_CAST: Table[str] = Table({
    name: kinds for names, kinds in ((_BY_LAPACK, "?bBhHe"), (_AFTER_INTEGERS, "?e"), (_FLOATS, "e")) for name in within("scipy.linalg", **dict.fromkeys(names.split(), ""))
})
"""The dtypes, as NumPy's letters, that a function makes float32 of."""


def with_narrow_matrices(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The call's arguments, arrays of these dtypes in single precision."""
    if function not in _CAST:
        return args, kwargs
    kinds = _CAST[function]
    return tuple(_single(reader, arg, kinds) for arg in args), {key: _single(reader, arg, kinds) for key, arg in kwargs.items()}


def _single(reader: Reader, arg: Abstract, kinds: str) -> Abstract:
    if type(arg) is tuple:  # a factor and which one it is
        return tuple(_single(reader, item, kinds) for item in arg)
    if not isinstance(arg, View):
        return arg
    with building(reader.builder):
        value = load(reader, arg)
        return unwrap(reader, cast(value, np.dtype(np.float32))) if value.dtype.char in kinds else arg
