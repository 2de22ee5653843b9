"""scipy.linalg's functions of matrices, composed of decompositions and products. Source: Higham, "Functions of Matrices" (2008)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.balancing import BALANCING
from s2s.transforms.read.composed.banded import BANDED
from s2s.transforms.read.composed.marks import constant, gemm, gesv, matrix_power, surely, unsupported
from s2s.transforms.read.composed.matrix_checks import finite, floats, in_lapack, one_matrix, one_square, selected_values
from s2s.transforms.read.composed.matrix_equations import EQUATIONS
from s2s.transforms.read.composed.matrix_forms import FORMS
from s2s.transforms.read.composed.symmetric_factors import SYMMETRIC

# ---- logarithm, powers, sines ------------------------------------------------------------------------------------------------------

_ON_THE_AXIS = "scipy.linalg.{0} of a real matrix with eigenvalues on the negative axis is not supported, because what it gives is complex: {0}(A + 0j)"


def logm(A, disp=None):
    """scipy.linalg.logm: square roots of the Schur form until it is near 1, then a series (Higham, 11.5)."""
    a = one_square("logm", A)
    a = a.astype(np.result_type(a.dtype, np.float64))
    if disp is not None:
        unsupported("scipy.linalg.logm(…, disp=…)", "leave disp out")
    if a.shape[0] == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    return _real_of("logm", a, matrix_power(finite(a, True) + 0j, None))


def fractional_matrix_power(A, t):
    """scipy.linalg.fractional_matrix_power: of whole numbers a product, else by square roots as the logarithm."""
    a = one_square("fractional_matrix_power", A)
    if isinstance(t, int):
        return np.linalg.matrix_power(a, t)
    a = a.astype(np.result_type(a.dtype, np.float64))
    return _real_of("fractional_matrix_power", a, matrix_power(finite(a, True) + 0j, np.ones(1) * t + 0j))


def _real_of(name, a, found):
    """What a real matrix gives is real, unless eigenvalues lie on the negative axis: their logarithms' imaginary parts are pi."""
    if a.dtype.kind == "c":
        return found
    if not np.sum(np.abs(constant(found).imag)) <= 1e-6 * np.sum(np.abs(constant(found).real)):
        raise NotImplementedError(_ON_THE_AXIS.format(name))
    return found.real


def cosm(A):
    """scipy.linalg.cosm."""
    a = floats(one_square("cosm", A))
    _, powers, count = _scaled("cosm", a)
    less = _series(_COSINE, powers)
    for _ in range(count):
        less = 2.0 * gemm(less, less) + 4.0 * less
    return np.eye(a.shape[0], dtype=a.dtype) + less


def sinm(A):
    """scipy.linalg.sinm."""
    return _cosine_and_sine("sinm", floats(one_square("sinm", A)))[1]


def tanm(A):
    """scipy.linalg.tanm."""
    return _tangent("tanm", floats(one_square("tanm", A)), -1.0)


def coshm(A):
    """scipy.linalg.coshm."""
    return _cosine_and_sine("coshm", floats(one_square("coshm", A)), True)[0]


def sinhm(A):
    """scipy.linalg.sinhm."""
    return _cosine_and_sine("sinhm", floats(one_square("sinhm", A)), True)[1]


def tanhm(A):
    """scipy.linalg.tanhm."""
    return _tangent("tanhm", floats(one_square("tanhm", A)), 1.0)


_COSINE = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(1, 10))
"""Of powers of the square of x, in cos(x) - 1."""
_SINE = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 10))
"""The same in sin(x) / x - 1."""
_SMALL = 1.09
"""Up to which norm of x what comes behind them is rounding."""


def _cosine_and_sine(name, a, hyperbolic=False):
    """By Taylor's sums of a scaled matrix, whose angle is doubled; of the cosine less 1, which keeps the digits of small angles (Higham, 12.4)."""
    both, count = _of_scaled(name, a, hyperbolic)
    n = a.shape[0]
    weights = np.where(np.arange(2 * n) < n, 4.0, 2.0).astype(a.dtype)[:, np.newaxis]
    for _ in range(count):
        both = 2.0 * gemm(both, both[:n]) + weights * both
    return np.eye(n, dtype=a.dtype) + both[:n], both[n:]


def _tangent(name, a, sign):
    """Of a scaled matrix, doubled: of a large one, cosine and sine are so large that their quotient has no digits."""
    (both, count), n = _of_scaled(name, a, sign > 0.0), a.shape[0]
    one = np.eye(n, dtype=a.dtype)
    tangent = gesv(one + both[:n], both[n:])
    for _ in range(count):
        tangent = gesv(one + sign * gemm(tangent, tangent), 2.0 * tangent)
    return tangent


def _of_scaled(name, a, hyperbolic):
    """The cosine less 1 of a scaled matrix, its sine below, and how often the matrix was halved."""
    x, powers, count = _scaled(name, a)
    even, odd = [tuple(abs(factor) for factor in factors) if hyperbolic else factors for factors in (_COSINE, _SINE)]
    cosine, sine = _three(even, 6, powers), _three(odd, 6, powers)
    for k in (3, 0):  # both in one loop over their elements
        one, other = gemm(cosine, powers[2]), gemm(sine, powers[2])
        cosine, sine = _three(even, k, powers) + one, _three(odd, k, powers) + other
    return np.concatenate((cosine, x + gemm(x, sine)), axis=0), count


def _scaled(name, a):
    """A matrix halved until it is small, the first three powers of its square, and how often it was halved."""
    size, scale, count = constant(np.sum(np.abs(a))), 1.0, 0
    if not np.isfinite(size):
        raise ValueError(f"scipy.linalg.{name} of a matrix with infs or NaNs")
    while size > 1.0:  # so small that no power overflows
        size, scale, count = 0.5 * size, 0.5 * scale, count + 1
    x = a * scale
    one = x @ x
    two = one @ one
    three = two @ one
    of_two, of_three, again = _squared(two), _squared(three), 1.0
    while count > 0 and 256.0 * of_two < _SMALL**8 and 4096.0 * of_three < _SMALL**12:  # of matrices far from normal less than their norm says
        of_two, of_three, again, count = 256.0 * of_two, 4096.0 * of_three, 2.0 * again, count - 1
    return x * again, (one * again**2, two * again**4, three * again**6), count


def _series(factors, powers):
    """The sum of these multiples of the first nine powers, of which three are given."""
    low, middle, high = [_three(factors, k, powers) for k in (0, 3, 6)]
    return low + (middle + high @ powers[2]) @ powers[2]


def _three(factors, k, powers):
    """The sum of three multiples of these powers, with the factors from there on."""
    one, two, three = powers
    return factors[k] * one + factors[k + 1] * two + factors[k + 2] * three


def _squared(a):
    """Of Frobenius's norm."""
    return np.sum(np.abs(constant(a)) ** 2)


# ---- parts ----------------------------------------------------------------------------------------------------------------------


def signm(A, disp=None):
    """scipy.linalg.signm by Newton's iteration, scaled by determinants' sizes (Higham, 5.3 and 5.5): of matrices without eigenvalues on the imaginary axis."""
    a = floats(one_square("signm", A))
    if disp is not None:
        unsupported("scipy.linalg.signm(…, disp=…)", "leave disp out")
    n = a.shape[0]
    sign, trips, rest = a, 0, 3
    while rest > 0:  # two trips more than halve the digits that are wrong, for the value and its derivatives
        inverse = np.linalg.inv(sign)
        scale = np.sqrt(np.sqrt(np.sum(np.abs(constant(inverse)) ** 2) / np.sum(np.abs(constant(sign)) ** 2)))
        after = 0.5 * (scale * sign + inverse / scale)
        change = np.sum(np.abs(constant(after - sign)) ** 2)
        sign = after
        if change <= 1e-4 * n * n * np.finfo(a.dtype).eps:
            rest -= 1
        trips += 1
        if trips > 100 or not np.isfinite(change):
            raise NotImplementedError("scipy.linalg.signm of a matrix with eigenvalues on the imaginary axis, or so near it that digits are lost, is not supported")
    return sign


def funm(A, func, disp=True):
    """scipy.linalg.funm of matrices with as many eigenvectors as rows: the function of their eigenvalues, which gets all of them, complex numbers, at once."""
    a = floats(one_square("funm", A))
    if not disp:
        unsupported("scipy.linalg.funm(…, disp=False)", "leave disp out")
    if a.shape[0] == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    n, (values, vectors) = a.shape[0], np.linalg.eig(a)
    turned = vectors.T
    both = gesv(turned, np.concatenate((values[:, np.newaxis] * turned, func(values)[:, np.newaxis] * turned), axis=1))
    again, found = both[:, :n].T, both[:, n:].T
    small = 1e4 * n * np.finfo(a.dtype).eps
    if np.sum(_size(constant(again - a))) > small * np.sum(_size(constant(a))):
        raise NotImplementedError("scipy.linalg.funm of a matrix with fewer eigenvectors than rows is not supported")
    if a.dtype.kind == "c":
        return found.astype(a.dtype)
    if np.sum(np.abs(constant(found).imag)) > small * np.sum(_size(constant(found))):
        raise NotImplementedError("scipy.linalg.funm of a real matrix that gives a complex one is not supported: funm(a + 0j, …)")
    return found.real.astype(a.dtype)


def _size(x):
    """Of each number, up to a factor: without a root."""
    return np.abs(x.real) + np.abs(x.imag)


def polar(a, side="right"):
    """scipy.linalg.polar: a unitary and a positive semidefinite factor."""
    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported("scipy.linalg.polar of stacks of matrices", "a loop over them")
    a = in_lapack(finite(a, True))
    w, s, vh = np.linalg.svd(a, full_matrices=False)
    u = w @ vh
    return u, (np.conj(vh.T) * s) @ vh if side == "right" else (w * s) @ np.conj(w.T)


def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """scipy.linalg.pinvh: the pseudo-inverse of a Hermitian matrix, of which one triangle is read."""
    a = np.asarray(a)
    if a.ndim != 2:
        unsupported("scipy.linalg.pinvh of stacks of matrices", "a loop over them")
    a = in_lapack(finite(a, check_finite))
    if not lower:
        a = np.conj(a.T)
    s, u = np.linalg.eigh(a)
    size = np.abs(constant(s))
    largest = np.max(size, initial=0.0)
    least = (0.0 if atol is None else atol) + (max(a.shape) * np.finfo(u.dtype).eps if rtol is None else rtol) * largest
    kept = size > least
    inverse = (u * np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0)) @ np.conj(u.T)
    return (inverse, int(np.count_nonzero(kept))) if return_rank else inverse


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """scipy.linalg.qr; with pivots that of the columns in their order, which has no derivative."""
    if mode not in ("full", "r", "economic", "raw"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic', 'raw']")
    a = finite(in_lapack(one_matrix("qr", a)), check_finite)
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


def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True):
    """scipy.linalg.hessenberg, by LAPACK's reflections: the first number below the diagonal changes its sign. Up to two rows are as they are."""
    h = finite(np.asarray(a), check_finite)
    if h.ndim != 2 or h.shape[0] != h.shape[1]:
        raise ValueError("expected square matrix")
    n = h.shape[0]
    if 0 < len(tuple(h)) <= 2:  # by the sizes of the call, by which SciPy's dtypes go
        return (h.copy(), np.eye(n)) if calc_q else h.copy()
    h = h.astype(np.float32) if h.dtype.char in "?bBhHe" else floats(h)
    h, q = h.copy(), np.eye(n, dtype=h.dtype)
    for k in range(n - 1):
        column = h[k + 1 :, k].copy()
        first = column[0]
        if not np.any(constant(column[1:]) != 0) and constant(first).imag == 0:
            continue
        size = np.sqrt(np.sum(np.abs(column) ** 2))
        new = size if constant(first).real < 0 else -size
        scale = (new - first) / new
        column = column / (first - new)
        column[0] = 1.0
        h[:, k + 1 :] -= np.outer(h[:, k + 1 :] @ column, scale * np.conj(column))
        h[k + 1 :, k:] -= np.outer(np.conj(scale) * column, np.conj(column) @ h[k + 1 :, k:])
        h[k + 2 :, k] = 0.0
        q[:, k + 1 :] -= np.outer(q[:, k + 1 :] @ column, scale * np.conj(column))
    return (h, q) if calc_q else h


def diagsvd(s, M, N):
    """scipy.linalg.diagsvd: singular values on the diagonal of a matrix of this shape."""
    s = np.asarray(s)
    if s.shape[0] not in (M, N):
        raise ValueError("Length of s must be M or N.")
    if min(M, N) < s.shape[0]:
        raise ValueError("negative dimensions are not allowed")
    rows, columns = np.arange(M)[:, np.newaxis], np.arange(N)[np.newaxis, :]
    return np.where(rows == columns, s[np.minimum(np.arange(M), s.shape[0] - 1)][:, np.newaxis], np.zeros((), s.dtype))


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """scipy.linalg.pinv."""
    a = finite(in_lapack(one_matrix("pinv", a)), check_finite)
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
    a, e = finite(np.asarray(A), check_finite), finite(np.asarray(E), check_finite)
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
    alone = whole[:n, :n] if np.asarray(A).dtype.kind == "c" else whole[:n, :n].real
    return (alone, whole[:n, n:]) if compute_expm else whole[:n, n:]


def eigvalsh_tridiagonal(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """scipy.linalg.eigvalsh_tridiagonal, of the whole matrix."""
    return eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)


def eigh_tridiagonal(d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    """scipy.linalg.eigh_tridiagonal: of the whole matrix, which LAPACK's reduction leaves as it is."""
    d, e = finite(np.asarray(d), check_finite), finite(np.asarray(e), check_finite)
    if d.ndim != 1 or e.ndim != 1:
        raise ValueError("expected a 1-D array")
    if d.shape[0] != e.shape[0] + 1:
        raise ValueError(f"d ({d.size}) must have one more element than e ({e.size})")
    if d.dtype.kind == "c" or e.dtype.kind == "c":
        raise TypeError("Only real arrays currently supported")
    matrix = in_lapack(np.diag(d) + np.diag(e, -1))
    if eigvals_only:
        return selected_values("eigh_tridiagonal", np.linalg.eigvalsh(matrix), select, select_range)
    if select in ("i", 2) and lapack_driver in ("auto", "stebz"):
        return _some_vectors(matrix, select_range)
    if select not in ("a", 0):
        unsupported(f"scipy.linalg.eigh_tridiagonal(…, select={select!r}) with eigenvectors", "all of them, and a slice or a mask", "its driver chooses other signs of the vectors")
    if lapack_driver not in ("auto", "stevd") or matrix.dtype != np.float64:
        unsupported("scipy.linalg.eigh_tridiagonal with eigenvectors by other drivers, or of other dtypes than float64,", "scipy.linalg.eigh of the matrix", "it chooses other signs of the vectors")
    w, v = np.linalg.eigh(matrix)
    return w, v


def _some_vectors(matrix, select_range):
    import scipy.linalg

    if select_range[0] == 0 and select_range[1] == matrix.shape[0] - 1:
        raise NotImplementedError("scipy.linalg.eigh_tridiagonal with the eigenvectors from the first to the last, of other signs than all of them have, is not supported")
    return scipy.linalg.eigh(matrix, subset_by_index=select_range)


def subspace_angles(A, B):
    """scipy.linalg.subspace_angles. Source: Knyazev and Argentati (2002)."""
    first, second = finite(in_lapack(one_matrix("subspace_angles", A)), True), finite(in_lapack(one_matrix("subspace_angles", B)), True)
    if first.shape[0] != second.shape[0]:
        raise ValueError(f"A and B must have the same number of rows, got {first.shape[0]} and {second.shape[0]}")
    one, other = _basis(first), _basis(second)
    if one.shape[1] < other.shape[1]:
        one, other = other, one
    product = np.conj(one.T) @ other
    cosines = np.linalg.svd(product, compute_uv=False)
    rest = other - one @ product
    near = cosines**2 >= 0.5
    sines = np.minimum(np.linalg.svd(rest, compute_uv=False), 1.0)
    small, large = np.where(near[::-1], sines[: cosines.size], 0.0), np.where(near[::-1], 0.0, np.minimum(cosines[::-1], 1.0))
    return np.where(near[::-1], np.arcsin(small), np.arccos(large))


def _basis(a):
    """An orthonormal basis of a matrix's columns: by QR, whose derivative is that of the space; of as many mixtures of its columns as do not depend on each other (scipy.linalg.orth)."""
    _, s, vh = np.linalg.svd(constant(a), full_matrices=False)
    rank = np.count_nonzero(s > (s[0] if s.size > 0 else 0.0) * np.finfo(s.dtype).eps * max(a.shape))
    return np.linalg.qr(a @ np.conj(vh[:rank]).T)[0]


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
    """scipy.linalg.matmul_toeplitz, by Fourier transforms of a circulant matrix that holds the Toeplitz matrix; the length is even where that is square."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, np.conj(c_or_cr))
    c, r, x = finite(np.asarray(c), check_finite), finite(np.asarray(r), check_finite), finite(np.asarray(x), check_finite)
    if c.ndim != 1 or r.ndim != 1:
        unsupported("scipy.linalg.matmul_toeplitz of stacks", "a loop over them")
    if r.shape[0] != x.shape[0]:
        raise ValueError("Incompatible dimensions.")
    length = max(c.shape[0] + r.shape[0], 1)
    column, x = np.concatenate((c, np.zeros(1), r[:0:-1])), x.astype(np.result_type(x, np.float64))
    if x.ndim > 1:
        column = column[:, np.newaxis]
    if column.dtype.kind == "c" or x.dtype.kind == "c":
        return np.fft.ifft(np.fft.fft(column, length, axis=0) * np.fft.fft(x, length, axis=0), length, axis=0)[: c.shape[0]]
    return np.fft.irfft(np.fft.rfft(column, length, axis=0) * np.fft.rfft(x, length, axis=0), length, axis=0)[: c.shape[0]]


def orthogonal_procrustes(A, B, check_finite=True):
    """scipy.linalg.orthogonal_procrustes."""
    import scipy.linalg

    a, b = finite(np.asarray(A), check_finite), finite(np.asarray(B), check_finite)
    if a.ndim != 2:
        raise ValueError(f"expected ndim to be 2, but observed {a.ndim}")
    if a.shape[0] != b.shape[0] or a.shape[1] != b.shape[1]:
        raise ValueError(f"the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, w, vt = scipy.linalg.svd((b.T @ np.conj(a)).T, full_matrices=False)
    return u @ vt, np.sum(w)


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
    a = one_square("issymmetric", a)
    other = np.conj(a.T) if turned else a.T
    if atol is None and rtol is None:
        same = a == other
        return bool(np.all(same)) if turned and a.dtype.kind == "c" else bool(np.all(same | np.eye(a.shape[0], dtype=bool)))  # SciPy compares no number with itself
    return bool(np.allclose(a, other, atol=0.0 if atol is None else atol, rtol=0.0 if rtol is None else rtol))


MATRIX_FUNCTIONS: dict[str, Any] = BALANCING | BANDED | EQUATIONS | FORMS | SYMMETRIC | {
    f"scipy.linalg.{function.__name__}": function
    for function in (
        logm, fractional_matrix_power, signm, funm, hessenberg, diagsvd, cosm, sinm, tanm, coshm, sinhm, tanhm, polar, pinvh, qr, orthogonal_procrustes, khatri_rao, companion, issymmetric, ishermitian, pinv, expm_frechet, eigvalsh_tridiagonal, eigh_tridiagonal,
        subspace_angles, convolution_matrix, leslie, fiedler, matmul_toeplitz,
    )
}  # fmt: skip
