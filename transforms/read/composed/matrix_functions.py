"""scipy.linalg's functions of matrices, and what solves special systems of equations, composed of decompositions and products.

Sources: Higham, "Functions of Matrices" (2008); Bartels and Stewart's equation as one linear system (Golub, Van Loan, 4th edition, 7.6.3).
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.banded import BANDED
from s2s.transforms.read.composed.marks import constant, surely, unsupported

# ---- logarithm, powers, sines ------------------------------------------------------------------------------------------------------

_NODES, _WEIGHTS = (0.5 * (np.polynomial.legendre.leggauss(12)[0] + 1.0), 0.5 * np.polynomial.legendre.leggauss(12)[1])
"""Of the Pade approximant of log(1 + x) as a sum of fractions (Higham, 11.2)."""
_NO_LOGARITHM = "scipy.linalg.logm of a singular matrix, or of one with eigenvalues on the negative axis, is not supported"


def logm(A, disp=None):
    """scipy.linalg.logm: square roots until the matrix is near 1, then a Pade approximant (Higham, 11.5)."""
    import scipy.linalg

    a = _one_square("logm", A)
    a = a.astype(np.result_type(a.dtype, np.float64))
    if disp is not None:
        unsupported("scipy.linalg.logm(…, disp=…)", "leave disp out")
    if a.shape[0] == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    a = _finite(a, True)
    one, count = np.eye(a.shape[0], dtype=a.dtype), 0
    root = a + 0.0
    while np.max(np.sum(np.abs(constant(root) - one), axis=0)) > 0.3:
        root = scipy.linalg.sqrtm(root)
        count += 1
        if count > 100:
            raise NotImplementedError(_NO_LOGARITHM)
    off = root - one
    found = np.zeros_like(a)
    for k in range(12):
        found = found + _WEIGHTS[k] * np.linalg.solve(one + _NODES[k] * off, off)
    return found * 2.0**count


def fractional_matrix_power(A, t):
    """scipy.linalg.fractional_matrix_power: of whole numbers a product, else exp(t log A)."""
    import scipy.linalg

    a = _one_square("fractional_matrix_power", A)
    if isinstance(t, int):
        return np.linalg.matrix_power(a, t)
    return scipy.linalg.expm(t * scipy.linalg.logm(a))


def cosm(A):
    """scipy.linalg.cosm."""
    return _cosine_and_sine(_floats(_one_square("cosm", A)))[0]


def sinm(A):
    """scipy.linalg.sinm."""
    return _cosine_and_sine(_floats(_one_square("sinm", A)))[1]


def tanm(A):
    """scipy.linalg.tanm."""
    cosine, sine = _cosine_and_sine(_floats(_one_square("tanm", A)))
    return np.linalg.solve(cosine, sine)


def coshm(A):
    """scipy.linalg.coshm."""
    there, back = _exponentials(_one_square("coshm", A))
    return 0.5 * (there + back)


def sinhm(A):
    """scipy.linalg.sinhm."""
    there, back = _exponentials(_one_square("sinhm", A))
    return 0.5 * (there - back)


def tanhm(A):
    """scipy.linalg.tanhm."""
    there, back = _exponentials(_one_square("tanhm", A))
    return np.linalg.solve(0.5 * (there + back), 0.5 * (there - back))


def _cosine_and_sine(a):
    import scipy.linalg

    if a.dtype.kind != "c":
        whole = scipy.linalg.expm(1j * a)
        return np.real(whole), np.imag(whole)
    there, back = _exponentials(1j * a)
    return 0.5 * (there + back), -0.5j * (there - back)


def _exponentials(a):
    """Of a and -a, which are scaled alike."""
    import scipy.linalg

    both = scipy.linalg.expm(np.stack((a, -a)))
    return both[0], both[1]


def _one_square(name, a):
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported(f"scipy.linalg.{name} of stacks of matrices", "a loop over them")
    if a.shape[0] != a.shape[1]:
        raise ValueError("expected square array_like input")
    return a


def _floats(a):
    return a.astype(np.float64) if a.dtype.kind in "biu" else a


# ---- parts ----------------------------------------------------------------------------------------------------------------------


def polar(a, side="right"):
    """scipy.linalg.polar: a unitary and a positive semidefinite factor."""
    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported("scipy.linalg.polar of stacks of matrices", "a loop over them")
    w, s, vh = np.linalg.svd(a, full_matrices=False)
    u = w @ vh
    return u, (np.conj(vh.T) * s) @ vh if side == "right" else (w * s) @ np.conj(w.T)


def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """scipy.linalg.pinvh: the pseudo-inverse of a Hermitian matrix, of which one triangle is read."""
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported("scipy.linalg.pinvh of stacks of matrices", "a loop over them")
    a = _finite(a, check_finite)
    if not lower:
        a = np.conj(a.T)
    s, u = np.linalg.eigh(a)
    size = np.abs(constant(s))
    largest = np.max(size, initial=0.0)
    least = (0.0 if atol is None else atol) + (max(a.shape) * np.finfo(u.dtype).eps if rtol is None else rtol) * largest
    kept = size > least
    inverse = (u * np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0)) @ np.conj(u.T)
    return (inverse, np.count_nonzero(kept)) if return_rank else inverse


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """scipy.linalg.qr; with pivots that of the columns in their order, which has no derivative."""
    if mode not in ("full", "r", "economic", "raw"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic', 'raw']")
    a = _finite(_floats(_one_matrix("qr", a)), check_finite)
    if pivoting:
        order = _pivots(constant(a))
        return (*qr(a[:, order], mode=mode, check_finite=False), order.astype(np.int32))
    if mode == "economic":
        q, r = np.linalg.qr(a)
        return q, r
    if mode == "full":
        q, r = np.linalg.qr(a, mode="complete")
        return q, r
    r = np.linalg.qr(a, mode="r")
    if mode == "raw":
        reflections, scales = np.linalg.qr(a, mode="raw")
        return (reflections.T, scales), r
    whole = np.zeros_like(a)
    whole[: r.shape[0]] = r
    return (whole,)


def _pivots(a):
    """The columns in the order of what is left of them when those before are taken out, the longest first."""
    rest, order = 1.0 * a, np.arange(a.shape[1])
    for k in range(min(a.shape[0], a.shape[1])):
        sizes = np.sum(np.abs(rest[:, k:]) ** 2, axis=0)
        best = k + int(np.argmax(sizes))
        kept, column = order[k], rest[:, k].copy()
        order[k], rest[:, k] = order[best], rest[:, best]
        order[best], rest[:, best] = kept, column
        size = np.linalg.norm(rest[:, k])
        if size > 0:
            unit = rest[:, k] / size
            for _ in range(2):  # what rounding leaves
                rest[:, k + 1 :] -= np.outer(unit, np.conj(unit) @ rest[:, k + 1 :])
    return order


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """scipy.linalg.pinv."""
    a = _finite(_floats(_one_matrix("pinv", a)), check_finite)
    if atol is None and not return_rank:
        return np.linalg.pinv(a, rtol=rtol)
    relative = max(a.shape) * np.finfo(a.dtype).eps if rtol is None else rtol
    sizes = np.linalg.svd(constant(a), compute_uv=False)
    largest = np.max(sizes, initial=0.0)
    cutoff = (0.0 if atol is None else atol) + largest * relative
    inverse = np.linalg.pinv(a, rtol=cutoff / (largest if largest > 0 else 1.0))
    return (inverse, np.count_nonzero(sizes > cutoff)) if return_rank else inverse


# ---- others ----------------------------------------------------------------------------------------------------------------------


def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    """scipy.linalg.expm_frechet: the exponential of both in one matrix of blocks (Higham, 3.16)."""
    import scipy.linalg

    if method not in (None, "SPS", "blockEnlarge"):
        raise ValueError(f"Unknown implementation {method}")
    a, e = _finite(np.asarray(A), check_finite), _finite(np.asarray(E), check_finite)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError("expected A to be a square matrix")
    if e.ndim != 2 or e.shape[0] != e.shape[1]:
        raise ValueError("expected E to be a square matrix")
    if a.shape != e.shape:
        raise ValueError("expected A and E to be the same shape")
    n = a.shape[0]
    dtype = np.result_type(a, e, np.float64)  # as SciPy's
    a, e = a.astype(dtype), e.astype(dtype)
    whole = scipy.linalg.expm(np.concatenate((np.concatenate((a, e), axis=1), np.concatenate((0.0 * a, a), axis=1)), axis=0))
    return (whole[:n, :n], whole[:n, n:]) if compute_expm else whole[:n, n:]


def eigvalsh_tridiagonal(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """scipy.linalg.eigvalsh_tridiagonal, of the whole matrix."""
    return eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)


def eigh_tridiagonal(d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """scipy.linalg.eigh_tridiagonal: eigenvalues, of the whole matrix."""
    if not eigvals_only:
        unsupported("scipy.linalg.eigh_tridiagonal with eigenvectors", "scipy.linalg.eigh of the matrix", "its driver chooses other signs of the vectors")
    d, e = _finite(np.asarray(d), check_finite), _finite(np.asarray(e), check_finite)
    if d.ndim != 1 or e.ndim != 1:
        raise ValueError("expected a 1-D array")
    if d.shape[0] != e.shape[0] + 1:
        raise ValueError(f"d ({d.size}) must have one more element than e ({e.size})")
    if select not in ("a", "i", 0, 2):
        unsupported(f"scipy.linalg.eigh_tridiagonal(…, select={select!r})", "all of them, and a mask")
    w = np.linalg.eigvalsh(np.diag(d) + np.diag(e, -1))
    return w if select in ("a", 0) else w[select_range[0] : select_range[1] + 1]


def subspace_angles(A, B):
    """scipy.linalg.subspace_angles. Source: Knyazev and Argentati (2002)."""
    first, second = _finite(_floats(_one_matrix("subspace_angles", A)), True), _finite(_floats(_one_matrix("subspace_angles", B)), True)
    if first.shape[0] != second.shape[0]:
        raise ValueError(f"A and B must have the same number of rows, got {first.shape[0]} and {second.shape[0]}")
    one, other = _basis(first), _basis(second)
    product = np.conj(one.T) @ other
    cosines = np.linalg.svd(product, compute_uv=False)
    rest = other - one @ product if one.shape[1] >= other.shape[1] else one - other @ np.conj(product.T)
    near = cosines**2 >= 0.5
    sines = np.clip(np.linalg.svd(rest, compute_uv=False), -1.0, 1.0)
    small, large = np.where(near[::-1], sines[: cosines.size], 0.0), np.where(near[::-1], 0.0, np.clip(cosines[::-1], -1.0, 1.0))
    return np.where(near[::-1], np.arcsin(small), np.arccos(large))


def _basis(a):
    """An orthonormal basis of a matrix's columns: by QR, whose derivative is that of the space, unless they depend on each other (scipy.linalg.orth)."""
    u, s, _ = np.linalg.svd(a, full_matrices=False)
    rank = np.sum(s > np.max(s, initial=0.0) * np.finfo(s.dtype).eps * max(a.shape))
    if rank < s.size:
        return u[:, :rank]
    return np.linalg.qr(a)[0]


def convolution_matrix(a, n, mode="full"):
    """scipy.linalg.convolution_matrix."""
    if n <= 0:
        raise ValueError("n must be a positive integer.")
    a = np.asarray(a)
    if a.ndim != 1:
        unsupported("scipy.linalg.convolution_matrix of stacks", "a loop over them")
    if a.size == 0:
        raise ValueError("len(a) must be at least 1.")
    if mode not in ("full", "valid", "same"):
        raise ValueError("'mode' argument must be one of ('full', 'valid', 'same')")
    m = a.size
    if mode == "full":
        first, count = 0, m + n - 1
    elif mode == "same":
        first, count = (min(m, n) - 1) // 2, max(m, n)
    else:
        first, count = min(m, n) - 1, max(m, n) - min(m, n) + 1
    places = np.arange(first, first + count)[:, np.newaxis] - np.arange(n)[np.newaxis, :]
    inside = (places >= 0) & (places < m)
    return np.where(inside, a[np.where(inside, places, 0)], np.zeros((), a.dtype))


def leslie(f, s):
    """scipy.linalg.leslie."""
    f, s = np.atleast_1d(f), np.atleast_1d(s)
    if f.ndim != 1 or s.ndim != 1:
        unsupported("scipy.linalg.leslie of stacks", "a loop over them")
    if f.shape[0] != s.shape[0] + 1:
        raise ValueError("Incorrect lengths for f and s. The length of s must be one less than the length of f.")
    if s.shape[0] == 0:
        raise ValueError("The length of s must be at least 1.")
    whole = np.zeros((f.shape[0], f.shape[0]), dtype=np.result_type(f, s))
    whole[0] = f
    for k in range(s.shape[0]):
        whole[k + 1, k] = s[k]
    return whole


def fiedler(a):
    """scipy.linalg.fiedler."""
    a = np.atleast_1d(a)
    if a.ndim != 1:
        unsupported("scipy.linalg.fiedler of stacks", "a loop over them")
    if surely(a.size == 1):
        return np.zeros((1, 1))
    if a.size == 0:
        raise NotImplementedError("scipy.linalg.fiedler of nothing, of which SciPy makes a vector, is not supported")
    return np.abs(a[:, np.newaxis] - a)


def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    """scipy.linalg.matmul_toeplitz, as a product of all elements."""
    import scipy.linalg

    a = scipy.linalg.toeplitz(c_or_cr[0], c_or_cr[1]) if isinstance(c_or_cr, tuple) else scipy.linalg.toeplitz(c_or_cr)
    x = _finite(np.asarray(x), check_finite)
    if a.shape[1] != x.shape[0]:
        raise ValueError("Toeplitz matrix and b have incompatible shapes")
    dtype = np.result_type(a, x, np.float64)
    return a.astype(dtype) @ x.astype(dtype)


def _one_matrix(name, a):
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported(f"scipy.linalg.{name} of stacks of matrices", "np.linalg's, or a loop over them")
    return a


def _finite(a, check):
    if check and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def orthogonal_procrustes(A, B, check_finite=True):
    """scipy.linalg.orthogonal_procrustes."""
    a, b = _finite(np.asarray(A), check_finite), _finite(np.asarray(B), check_finite)
    if a.ndim != 2:
        raise ValueError(f"expected ndim to be 2, but observed {a.ndim}")
    if a.shape[0] != b.shape[0] or a.shape[1] != b.shape[1]:
        raise ValueError(f"the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, w, vt = np.linalg.svd((b.T @ np.conj(a)).T, full_matrices=False)
    return u @ vt, np.sum(w)


# ---- equations -------------------------------------------------------------------------------------------------------------------


def solve_continuous_lyapunov(a, q):
    """scipy.linalg.solve_continuous_lyapunov: a x + x a^H = q."""
    import scipy.linalg

    a = _one_square("solve_continuous_lyapunov", a)
    return scipy.linalg.solve_sylvester(a, np.conj(a.T), q)


def solve_discrete_lyapunov(a, q, method=None):
    """scipy.linalg.solve_discrete_lyapunov: a x a^H - x + q = 0."""
    if method not in (None, "direct", "bilinear"):
        raise ValueError(f"Unknown solver {method}")
    a, q = _one_square("solve_discrete_lyapunov", a), np.asarray(q)
    n = a.shape[0]
    return np.linalg.solve(np.eye(n * n) - np.kron(a, np.conj(a)), q.ravel()).reshape(q.shape)


def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """scipy.linalg.solve_banded: elimination in the band, with exchanges of rows."""
    lower, upper = l_and_u
    ab, b = _finite(np.asarray(ab), check_finite), _finite(np.asarray(b), check_finite)
    if lower + upper + 1 != ab.shape[0]:
        raise ValueError(f"invalid values for the number of lower and upper diagonals: l+u+1 ({lower + upper + 1}) does not equal ab.shape[0] ({ab.shape[0]})")
    n = ab.shape[1]
    if n != b.shape[0]:
        raise ValueError("shapes of ab and b are not compatible.")
    dtype = np.result_type(ab, b, np.float32)
    dtype = np.result_type(dtype, np.float64) if ab.dtype.kind in "biu" or b.dtype.kind in "biu" else dtype
    width = lower + upper + lower + 1
    rows, right = np.zeros((n, width), dtype=dtype), b.astype(dtype)
    for i in range(n):
        for d in range(-lower, upper + 1):
            if 0 <= i + d < n:
                rows[i, d + lower] = ab[upper - d, i + d]
    for k in range(n):  # row i's element of column j stands at j - i + lower, of a row k that was exchanged at j - k
        best = 0
        for i in range(1, min(lower, n - 1 - k) + 1):
            if np.abs(constant(rows[k + i, lower - i])) > np.abs(constant(rows[k + best, lower - best])):
                best = i
        if best > 0:
            for j in range(lower + upper + 1):
                kept = rows[k, lower + j]
                rows[k, lower + j] = rows[k + best, lower - best + j]
                rows[k + best, lower - best + j] = kept
            one = right[k].copy()
            right[k] = right[k + best]
            right[k + best] = one
        if rows[k, lower] == 0:
            raise np.linalg.LinAlgError("singular matrix")
        for i in range(1, min(lower, n - 1 - k) + 1):
            factor = rows[k + i, lower - i] / rows[k, lower]
            for j in range(1, lower + upper + 1):
                rows[k + i, lower - i + j] -= factor * rows[k, lower + j]
            right[k + i] -= factor * right[k]
    for k in range(n - 1, -1, -1):
        for j in range(1, min(lower + upper, n - 1 - k) + 1):
            right[k] -= rows[k, lower + j] * right[k + j]
        right[k] /= rows[k, lower]
    return right


def solve_toeplitz(c_or_cr, b, check_finite=True):
    """scipy.linalg.solve_toeplitz, as a system of all elements."""
    import scipy.linalg

    a = scipy.linalg.toeplitz(c_or_cr[0], c_or_cr[1]) if isinstance(c_or_cr, tuple) else scipy.linalg.toeplitz(c_or_cr)
    b = np.asarray(b)
    dtype = np.result_type(a, b, np.float64)
    return np.linalg.solve(a.astype(dtype), b.astype(dtype))


def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    """scipy.linalg.solve_circulant of a vector c, as a system of all elements."""
    import scipy.linalg

    if singular != "raise" or tol is not None or caxis not in (-1, 0) or baxis != 0 or outaxis != 0 or np.ndim(c) != 1:
        unsupported("scipy.linalg.solve_circulant with an option", "np.linalg.solve with scipy.linalg.circulant")
    if np.ndim(b) > 2:
        unsupported("scipy.linalg.solve_circulant of right hand sides of more than two axes", "b.reshape(b.shape[0], -1)")
    return np.linalg.solve(scipy.linalg.circulant(c), np.asarray(b))


# ---- matrices of vectors, kinds -----------------------------------------------------------------------------------------------------


def khatri_rao(a, b):
    """scipy.linalg.khatri_rao: the Kronecker products of columns."""
    a, b = np.asarray(a), np.asarray(b)
    if not (a.ndim == 2 and b.ndim == 2):
        raise ValueError("The both arrays should be 2-dimensional.")
    if a.shape[1] != b.shape[1]:
        raise ValueError("The number of columns for both arrays should be equal.")
    return (a[:, np.newaxis, :] * b[np.newaxis, :, :]).reshape(-1, a.shape[1])


def companion(a):
    """scipy.linalg.companion."""
    a = np.atleast_1d(a)
    if a.ndim != 1:
        unsupported("scipy.linalg.companion of stacks", "a loop over them")
    if a.size < 2:
        raise ValueError("The length of `a` along the last axis must be at least 2.")
    if a[0] == 0:
        raise ValueError("The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not be zero.")
    first = -a[1:] / (1.0 * a[0])
    found = np.eye(a.size - 1, k=-1, dtype=first.dtype)
    found[0] = first
    return found


def issymmetric(a, atol=None, rtol=None):
    """scipy.linalg.issymmetric of numbers that are equal."""
    return _equals_its(a, atol, rtol, False)


def ishermitian(a, atol=None, rtol=None):
    """scipy.linalg.ishermitian."""
    return _equals_its(a, atol, rtol, True)


def _equals_its(a, atol, rtol, turned):
    a = _one_square("issymmetric", a)
    other = np.conj(a.T) if turned else a.T
    if atol is None and rtol is None:
        return bool(np.all(a == other))
    return bool(np.allclose(a, other, atol=0.0 if atol is None else atol, rtol=0.0 if rtol is None else rtol))


MATRIX_FUNCTIONS: dict[str, Any] = BANDED | {
    f"scipy.linalg.{function.__name__}": function
    for function in (
        logm, fractional_matrix_power, cosm, sinm, tanm, coshm, sinhm, tanhm, polar, pinvh, qr, orthogonal_procrustes, solve_continuous_lyapunov,
        solve_discrete_lyapunov, solve_banded, solve_toeplitz, solve_circulant, khatri_rao, companion, issymmetric, ishermitian, pinv, expm_frechet, eigvalsh_tridiagonal, eigh_tridiagonal,
        subspace_angles, convolution_matrix, leslie, fiedler, matmul_toeplitz,
    )
}  # fmt: skip
