"""scipy.linalg's equations of matrices and special systems of equations: Lyapunov's and Riccati's, of bands, Toeplitz and circulant matrices."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, gesv, riccati
from s2s.transforms.read.composed.matrix_checks import finite, floats, one_square
from s2s.transforms.read.composed.stacks import RIGHT, over_stacks
from s2s.transforms.read.names import within

# ---- Lyapunov's ------------------------------------------------------------------------------------------------------------------


def solve_continuous_lyapunov(a, q):
    """scipy.linalg.solve_continuous_lyapunov: a x + x a^H = q."""
    import scipy.linalg

    a = one_square("solve_continuous_lyapunov", a)
    return scipy.linalg.solve_sylvester(a, np.conj(a.T), q)


def solve_discrete_lyapunov(a, q, method=None):
    """scipy.linalg.solve_discrete_lyapunov, a x a^H - x + q = 0: as an equation in continuous time of the matrix's Cayley transform, or (`direct`) as one system of all elements."""
    import scipy.linalg

    a, q = one_square("solve_discrete_lyapunov", a), np.asarray(q)
    n = a.shape[0]
    if method is not None and method.lower() not in ("direct", "bilinear"):
        raise ValueError(f"Unknown solver {method}")
    if method is not None and method.lower() == "direct":
        return np.linalg.solve(np.eye(n * n) - np.kron(a, np.conj(a)), q.ravel()).reshape(q.shape)
    one = np.eye(n)
    right = gesv(np.conj(floats(a).T) + one, one)
    b = one - 2.0 * right
    return scipy.linalg.solve_sylvester(np.conj(b.T), b, -2.0 * (np.conj(right.T) @ q @ right))


# ---- Riccati's --------------------------------------------------------------------------------------------------------------------

NEAR_AXIS, NEAR_CIRCLE = "The associated Hamiltonian pencil has eigenvalues too close to the imaginary axis", "The associated symplectic pencil has eigenvalues too close to the unit circle"


def solve_continuous_are(a, b, q, r, e=None, s=None, balanced=True):
    """scipy.linalg.solve_continuous_are, by the stable half of the Hamiltonian matrix."""
    a, b, q, r, e, s = _of_riccati(a, b, q, r, e, s)
    _regular("r", r, True)
    if s is not None:
        gain = gesv(r, np.conj(s.T))
        a, q = a - b @ gain, q - s @ gain
    if e is not None:
        a, b = gesv(e, a), gesv(e, b)
    x = -_hermitian(riccati(a, b @ gesv(r, np.conj(b.T)), q, -np.conj(a.T)), NEAR_AXIS)  # of -x no matrix but a changes its sign
    return x if e is None else gesv(np.conj(e.T), np.conj(gesv(np.conj(e.T), x).T))


def solve_discrete_are(a, b, q, r, e=None, s=None, balanced=True):
    """scipy.linalg.solve_discrete_are, by the stable half of the extended symplectic pencil (`r` may be singular), of which a Cayley transform makes one matrix."""
    a, b, q, r, e, s = _of_riccati(a, b, q, r, e, s)
    n, m = b.shape
    one, turned = np.eye(n), np.conj(a.T)
    step = one if e is None else e
    both, side, below = np.zeros((2 * n + m, 2 * n + m), dtype=a.dtype), np.zeros((2 * n + m, 2 * n), dtype=a.dtype), -np.conj(b.T)
    both[:n, :n], side[:n, :n], both[:n, 2 * n :] = a + step, step, b
    both[n : 2 * n, :n], side[n : 2 * n, n:], both[n : 2 * n, n : 2 * n] = -q, turned, np.conj(step.T) + turned
    both[2 * n :, n : 2 * n], side[2 * n :, n:], both[2 * n :, 2 * n :] = below, below, r
    if s is not None:
        both[n : 2 * n, 2 * n :], both[2 * n :, :n] = -s, np.conj(s.T)
    there = gesv(both, side)
    x = riccati(one - 2.0 * there[:n, :n], -2.0 * there[:n, n:], -2.0 * there[n : 2 * n, :n], one - 2.0 * there[n : 2 * n, n:])
    return _hermitian(x if e is None else gesv(e.T, x.T).T, NEAR_CIRCLE)


def _hermitian(x, words):
    """A solution, which is Hermitian up to rounding unless eigenvalues are too close to the boundary of what is stable."""
    turned = np.conj(x.T)
    middle = 0.5 * (x + turned)
    if not np.sum(np.abs(constant(x - turned))) <= 1e-6 * np.sum(np.abs(constant(x))):
        raise np.linalg.LinAlgError(words)
    return middle


def _of_riccati(a, b, q, r, e, s):
    """The matrices of the equation, of floats."""
    a, b = finite(np.atleast_2d(a), True), finite(np.atleast_2d(b), True)
    q, r = np.atleast_2d(q), np.atleast_2d(r)  # whether all is finite is seen with whether they are symmetric
    for name, each in (("a", a), ("q", q), ("r", r)):
        if each.shape[0] != each.shape[1]:
            raise ValueError(f"Matrix {name} should be square.")
    if b.shape[0] != a.shape[0]:
        raise ValueError("Matrix a and b should have the same number of rows.")
    if b.shape[0] != q.shape[0]:
        raise ValueError("Matrix a and q should have the same shape.")
    if b.shape[1] != r.shape[0]:
        raise ValueError("Matrix b and r should have the same number of cols.")
    if q.shape[0] == 0 or r.shape[0] == 0:
        raise ValueError("zero-size array to reduction operation maximum which has no identity")
    for name, each in (("q", q), ("r", r)):
        known = constant(floats(each))
        off, size, ends = np.sum(np.abs(known - np.conj(known.T))), np.sum(np.abs(known)), np.all(np.isfinite(known))  # of all elements: no sums in memory
        if not ends:
            raise ValueError("array must not contain infs or NaNs")
        if off > 100.0 * 2.220446049250313e-16 * size:
            raise ValueError(f"Matrix {name} should be symmetric/hermitian.")
    given = [each for each in (a, b, q, r, e, s) if each is not None]
    dtype = np.result_type(np.float64, *given)
    a, b, q, r = a.astype(dtype), b.astype(dtype), q.astype(dtype), r.astype(dtype)
    if e is not None:
        e = finite(np.atleast_2d(e), True).astype(dtype)
        if e.shape[0] != e.shape[1]:
            raise ValueError("Matrix e should be square.")
        if e.shape[0] != a.shape[0]:
            raise ValueError("Matrix a and e should have the same shape.")
        _regular("e", e)
    if s is not None:
        s = finite(np.atleast_2d(s), True).astype(dtype)
        if s.shape[0] != b.shape[0] or s.shape[1] != b.shape[1]:
            raise ValueError("Matrix b and s should have the same shape.")
    return a, b, q, r, e, s


def _regular(name, a, hermitian=False):
    """Refuse what has no solutions up to rounding."""
    known = constant(floats(a))
    least = np.min(np.abs(np.linalg.eigvalsh(known)) if hermitian else np.linalg.svd(known, compute_uv=False))
    size = np.max(np.sum(np.abs(known), axis=1 if hermitian else 0))  # of a Hermitian matrix rows and columns have the same sums
    if least == 0.0 or least < 2.220446049250313e-16 * size:
        raise ValueError(f"Matrix {name} is numerically singular.")


# ---- bands, Toeplitz, circulant ---------------------------------------------------------------------------------------------------


def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """scipy.linalg.solve_banded: elimination in the band, with exchanges of rows."""
    lower, upper = l_and_u
    ab, b = finite(np.asarray(ab), check_finite), finite(np.asarray(b), check_finite)
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
    """scipy.linalg.solve_toeplitz, as a system of all elements, which has a solution only where Levinson's recursion has one, too."""
    import scipy.linalg

    column = finite(np.asarray(c_or_cr[0] if isinstance(c_or_cr, tuple) else c_or_cr), check_finite)
    row = finite(np.asarray(c_or_cr[1]), check_finite) if isinstance(c_or_cr, tuple) else np.conjugate(column)
    b = finite(np.asarray(b), check_finite)
    if column.ndim > 1 or row.ndim > 1 or b.ndim > 2:
        return over_stacks(lambda c, r, b: scipy.linalg.solve_toeplitz((c, r), b, check_finite), "solve_toeplitz", (1, 1, RIGHT), {"c": column, "r": row, "b": b}, {})
    if row.shape[0] != column.shape[0] or b.shape[0] != row.shape[0]:
        raise ValueError("Incompatible dimensions.")
    dtype = np.result_type(column, row, b, np.float64)
    if b.size:
        _leading_minors(constant(column.astype(dtype)), constant(row.astype(dtype)))
    return np.linalg.solve(scipy.linalg.toeplitz(column, row).astype(dtype), b.astype(dtype))


def _leading_minors(column, row):
    """Refuse Toeplitz matrices one of whose leading minors is zero: each is the one before times a pivot, which follows from the solutions of T right = e_0 and T left = e_m of the part before."""
    n, pivot = column.shape[0], column[0]
    ahead, behind = np.zeros_like(column), np.zeros_like(column)  # the first ones without their 1, the last ones without theirs, from the last
    for m in range(n):
        if pivot == 0:
            raise np.linalg.LinAlgError("Singular principal minor")
        if m < n - 1:
            low = -(column[m + 1] + np.sum(column[1 : m + 1][::-1] * ahead[:m])) / pivot
            high = -(row[m + 1] + np.sum(row[1 : m + 1][::-1] * behind[:m])) / pivot
            before = ahead[:m].copy()
            ahead[:m] += low * behind[:m][::-1]
            behind[:m] += high * before[::-1]
            ahead[m], behind[m] = low, high
            pivot = pivot * (1.0 - low * high)


def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    """scipy.linalg.solve_circulant, by Fourier transforms."""
    c, b = np.moveaxis(np.atleast_1d(c), caxis, -1), np.moveaxis(np.atleast_1d(b), baxis, -1)
    if c.shape[-1] != b.shape[-1]:
        raise ValueError(f"Shapes of c {np.moveaxis(c, -1, caxis).shape} and b {np.moveaxis(b, -1, baxis).shape} are incompatible")
    factors = np.fft.fft(c)
    sizes = np.abs(constant(factors))
    least = np.max(sizes, axis=-1, keepdims=True, initial=0.0) * (c.shape[-1] * np.finfo(np.float64).eps) if tol is None else tol
    small = sizes <= least
    if singular == "raise":
        if np.any(small):
            raise np.linalg.LinAlgError("near singular circulant matrix.")
        quotients = np.fft.fft(b) / factors
    else:
        quotients = np.where(small, 0.0, np.fft.fft(b) / np.where(small, 1.0, factors))
    x = np.fft.ifft(quotients)
    if c.dtype.kind != "c" and b.dtype.kind != "c":
        x = x.real
    return np.moveaxis(x, -1, outaxis)


EQUATIONS: dict[str, Any] = within(
    "scipy.linalg", solve_continuous_lyapunov=solve_continuous_lyapunov, solve_discrete_lyapunov=solve_discrete_lyapunov, solve_continuous_are=solve_continuous_are,
    solve_discrete_are=solve_discrete_are, solve_banded=solve_banded, solve_toeplitz=solve_toeplitz, solve_circulant=solve_circulant,
)  # fmt: skip
"""By qualified name."""
