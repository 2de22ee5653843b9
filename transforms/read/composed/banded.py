"""scipy.linalg's equations with positive definite banded matrices, and the factorisation that begins with the last row.

Source: Golub, Van Loan, "Matrix computations" (4th edition), 4.3.5.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.matrix_checks import in_lapack


def cholesky_banded(ab, overwrite_ab=False, lower=False, check_finite=True):
    """scipy.linalg.cholesky_banded; what lies outside of the matrix stays as it was given."""
    ab = _finite_floats(ab, check_finite)
    _one_band("cholesky_banded", ab)
    return _factor(ab, "{}-th leading minor not positive definite") if lower else _turned(_factor(_turned(ab, False), "{}-th leading minor not positive definite"), True)


def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    """scipy.linalg.cho_solve_banded."""
    cb, lower = cb_and_lower
    cb, b = _finite_floats(cb, check_finite), _finite_floats(b, check_finite)
    _one_band("cho_solve_banded", cb)
    if cb.shape[-1] != b.shape[0]:
        raise ValueError("shapes of cb and b are not compatible.")
    return _substituted(cb if lower else _turned(cb, False), b)


def solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True):
    """scipy.linalg.solveh_banded."""
    ab, b = _finite_floats(ab, check_finite), _finite_floats(b, check_finite)
    _one_band("solveh_banded", ab)
    if ab.shape[-1] != b.shape[0]:
        raise ValueError("shapes of ab and b are not compatible.")
    return _substituted(_factor(ab if lower else _turned(ab, False), "{}th leading minor not positive definite"), b)


def _factor(ab, words):
    """The triangle whose product with its adjoint is the matrix; both by their diagonals, the main one first."""
    width, n = ab.shape
    band = ab.copy()
    for j in range(n):
        pivot = np.real(band[0, j])
        if not constant(pivot) > 0:
            raise np.linalg.LinAlgError(words.format(j + 1))
        root = np.sqrt(pivot)
        band[0, j] = root
        last = min(width, n - j)
        for d in range(1, last):
            band[d, j] /= root
        for d in range(1, last):
            for e in range(d, last):
                band[e - d, j + d] -= band[e, j] * np.conj(band[d, j])
    return band


def _substituted(band, b):
    """The solution, by the factor's diagonals."""
    width, n = band.shape
    x = b.astype(np.result_type(band, b))
    for j in range(n):
        x[j] /= band[0, j]
        for d in range(1, min(width, n - j)):
            x[j + d] -= band[d, j] * x[j]
    for j in range(n - 1, -1, -1):
        for d in range(1, min(width, n - j)):
            x[j] -= np.conj(band[d, j]) * x[j + d]
        x[j] /= np.conj(band[0, j])
    return x


def _turned(ab, back):
    """The adjoint's diagonals, the other way round: of an upper triangle (the main diagonal last) as of a lower one, or `back`. What is outside of the matrix stays with its diagonal."""
    turned = np.conj(ab[::-1])
    last = ab.shape[0] - 1
    for d in range(1, ab.shape[0]):
        if back:
            turned[last - d] = np.roll(np.conj(ab[d]), d)
        else:
            turned[d] = np.roll(np.conj(ab[last - d]), -d)
    return turned


def rq(a, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    """scipy.linalg.rq: QR of the adjoint, its rows and columns in reverse."""
    if mode not in ("full", "r", "economic"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic']")
    a = _finite_floats(a, check_finite)
    if a.ndim != 2:
        raise ValueError("expected matrix")
    q, r = np.linalg.qr(np.conj(a[::-1, ::-1]).T, mode="reduced" if mode == "economic" else "complete")
    triangle = np.conj(r.T)[::-1, ::-1].copy()
    return triangle if mode == "r" else (triangle, np.conj(q.T)[::-1, ::-1].copy())


def _one_band(name, ab):
    if ab.ndim != 2:
        unsupported(f"scipy.linalg.{name} of stacks", "a loop over them")


def _finite_floats(a, check):
    a = np.asarray(a)
    if check and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return in_lapack(a)


BANDED: dict[str, Any] = {f"scipy.linalg.{function.__name__}": function for function in (cholesky_banded, cho_solve_banded, solveh_banded, rq)}
