"""scipy.linalg: forms of matrices and of their decompositions from one another: bands, blocks of eigenvalues, Schur's forms, companions, products with Q."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.matrix_checks import finite, floats, in_lapack, one_matrix, selected_values

# ---- bands -------------------------------------------------------------------------------------------------------------------------------


def bandwidth(a):
    """scipy.linalg.bandwidth: how far below and above the diagonal something is not 0."""
    a = np.asarray(a)
    if a.ndim != 2:
        raise ValueError("Input array must be a 2D NumPy array.")
    n = min(a.shape[0], a.shape[1])
    found = _widths(a)
    if _widths(a[:n, :n]) != found:
        raise NotImplementedError("scipy.linalg.bandwidth of a matrix that is wider outside of its leading square (SciPy looks there or not by the order in memory) is not supported")
    return found


def _widths(a):
    below = np.arange(a.shape[0])[:, np.newaxis] - np.arange(a.shape[1])
    there = a != 0
    return int(np.max(np.where(there, below, 0), initial=0)), int(np.max(np.where(there, -below, 0), initial=0))


def eigvals_banded(a_band, lower=False, overwrite_a_band=False, select="a", select_range=None, check_finite=True):
    """scipy.linalg.eigvals_banded, of the whole matrix."""
    return eig_banded(a_band, lower, True, overwrite_a_band, select, select_range, 0, check_finite)


def eig_banded(a_band, lower=False, eigvals_only=False, overwrite_a_band=False, select="a", select_range=None, max_ev=0, check_finite=True):
    """scipy.linalg.eig_banded: eigenvalues, of the whole matrix."""
    if not eigvals_only:
        unsupported("scipy.linalg.eig_banded with eigenvectors", "scipy.linalg.eigh of the matrix", "its driver chooses other signs of the vectors")
    band = finite(floats(np.asarray(a_band)), check_finite)
    if band.ndim != 2:
        raise ValueError("expected a 2-D array")
    rows, n = band.shape
    whole = np.zeros((n, n), band.dtype)
    for row in range(rows):
        off = row if lower else rows - 1 - row
        if off < n:
            whole = whole + np.diag(band[row, : n - off] if lower else np.conj(band[row, off:]), -off)
    return selected_values("eig_banded", np.linalg.eigvalsh(whole), select, select_range)


# ---- eigenvalues -------------------------------------------------------------------------------------------------------------------------


def cdf2rdf(w, v):
    """scipy.linalg.cdf2rdf: a real block for each pair of eigenvalues, and the real vectors to it."""
    w, v = np.asarray(w), one_matrix("cdf2rdf", v)
    if w.ndim != 1:
        raise ValueError("expected eigenvectors array to have exactly one dimension more than eigenvalues array")
    if v.shape[0] != v.shape[1]:
        raise ValueError("expected v to be a square matrix or stacked square matrices: v.shape[-2] = v.shape[-1]")
    if v.shape[1] != w.shape[0]:
        raise ValueError("expected the same number of eigenvalues as eigenvectors")
    w, v = finite(w, True), finite(v, True)
    turning = np.imag(w) != 0
    if np.count_nonzero(turning) % 2 != 0:
        raise ValueError("expected complex-conjugate pairs of eigenvalues")
    second = turning & (np.cumsum(turning) % 2 == 0)
    blocks, vectors = np.diag(np.real(w)).copy(), np.real(floats(v)).copy()
    last = 0
    for k in range(w.shape[0]):
        if turning[k]:
            if second[k]:
                blocks[last, k], blocks[k, last] = np.imag(w[last]), np.imag(w[k])
                vectors[:, last], vectors[:, k] = -0.5 * np.imag(v[:, last]) + 0.5 * np.imag(v[:, k]), 0.5 * np.real(v[:, last]) + 0.5 * np.real(v[:, k])
            last = k
    return blocks, vectors.astype(np.float64)


def rsf2csf(T, Z, check_finite=True):
    """scipy.linalg.rsf2csf: from the real Schur form to the complex one, by rotations from the last block on."""
    vectors, form = finite(one_matrix("rsf2csf", Z), check_finite), finite(one_matrix("rsf2csf", T), check_finite)
    if vectors.shape[0] != vectors.shape[1]:
        raise ValueError("Input 'Z' must be square.")
    if form.shape[0] != form.shape[1]:
        raise ValueError("Input 'T' must be square.")
    if form.shape[0] != vectors.shape[0]:
        raise ValueError(f"Input array shapes must match: Z: {vectors.shape} vs. T: {form.shape}")
    dtype = np.result_type(vectors, form, np.complex64)
    form, vectors = form.astype(dtype), vectors.astype(dtype)
    for m in range(form.shape[0] - 1, 0, -1):
        if np.abs(form[m, m - 1]) > np.finfo(np.float64).eps * (np.abs(form[m - 1, m - 1]) + np.abs(form[m, m])):
            turn = _rotation(form[m - 1 : m + 1, m - 1 : m + 1])
            form[m - 1 : m + 1, m - 1 :] = turn @ form[m - 1 : m + 1, m - 1 :]
            form[: m + 1, m - 1 : m + 1] = form[: m + 1, m - 1 : m + 1] @ np.conj(turn.T)
            vectors[:, m - 1 : m + 1] = vectors[:, m - 1 : m + 1] @ np.conj(turn.T)
        form[m, m - 1] = 0.0
    return form, vectors


def _rotation(block):
    """What makes a block of two rows triangular."""
    shift = np.linalg.eigvals(block)[0] - block[1, 1]
    below = block[1, 0]
    size = np.sqrt(np.abs(shift) ** 2 + np.abs(below) ** 2)
    return np.stack((np.stack((np.conj(shift), below)), np.stack((-below, shift)))) / size


# ---- others ------------------------------------------------------------------------------------------------------------------------------


def fiedler_companion(a):
    """scipy.linalg.fiedler_companion of a polynomial's coefficients, the highest power first."""
    a = np.atleast_1d(np.asarray(a))
    if a.ndim > 1:
        unsupported("scipy.linalg.fiedler_companion of several polynomials", "a loop over them")
    n = a.shape[0] - 1
    if n < 1:
        unsupported("scipy.linalg.fiedler_companion of a constant (the result has no elements)", "a polynomial")
    if n > 1 and a[0] == 0:
        raise ValueError("Leading coefficient is zero.")
    a = a / a[0]
    if n == 1:
        return np.reshape(-a[1], (1, 1))
    found = np.zeros((n, n), a.dtype)
    found[0, 0], found[1, 0] = -a[1], 1.0
    for k in range(1, n):
        if k % 2 == 1:
            found[k - 1, k] = -a[k + 1]
            if k + 2 < n:
                found[k + 2, k] = 1.0
        else:
            found[k, k - 1] = -a[k + 1]
            found[k - 2, k] = 1.0
    return found


def qr_multiply(a, c, mode="right", pivoting=False, conjugate=False, overwrite_a=False, overwrite_c=False):
    """scipy.linalg.qr_multiply: the product with Q, and R."""
    import scipy.linalg

    if mode not in ("left", "right"):
        raise ValueError(f"Mode argument can only be 'left' or 'right' but not '{mode}'")
    if overwrite_c:
        unsupported("scipy.linalg.qr_multiply(…, overwrite_c=True)", "its result")
    a, c = np.atleast_2d(np.asarray(a)), finite(in_lapack(np.asarray(c)), True)
    flat = c.ndim < 2
    rows = np.atleast_2d(c).T if flat and mode == "left" else np.atleast_2d(c)
    if mode == "left" and rows.shape[0] != min(a.shape):
        raise ValueError(f"Array shapes are not compatible for Q @ c operation: {a.shape} vs {rows.shape}")
    if mode == "right" and rows.shape[1] != a.shape[0]:
        raise ValueError(f"Array shapes are not compatible for c @ Q operation: {rows.shape} vs {a.shape}")
    parts = scipy.linalg.qr(a, mode="economic", pivoting=pivoting)
    q = np.conj(parts[0]) if conjugate else parts[0]
    product = q @ rows if mode == "left" else rows @ q
    return (product.ravel() if flat else product, *parts[1:])


FORMS: dict[str, Any] = {f"scipy.linalg.{function.__name__}": function for function in (bandwidth, eigvals_banded, eig_banded, cdf2rdf, rsf2csf, fiedler_companion, qr_multiply)}
"""By qualified name."""
