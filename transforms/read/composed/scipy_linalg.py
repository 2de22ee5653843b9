"""scipy.linalg's functions that are composed of decompositions, and its special matrices."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.marks import constant, gemm, matrix_power, trsm, unsupported
from s2s.transforms.read.composed.matrix_checks import in_lapack
from s2s.transforms.read.installed import SCIPY_1_18


def lu_factor(a, overwrite_a=False, check_finite=True):
    """scipy.linalg.lu_factor: both factors in one, and the row that each row was exchanged with."""
    import scipy.linalg

    if np.ndim(a) != 2:
        unsupported(f"scipy.linalg.lu_factor of {np.ndim(a)} axes", "a matrix")
    places, lower, upper = scipy.linalg.lu(a, check_finite=check_finite, p_indices=True)
    n, count = places.shape[0], upper.shape[0]
    rows, exchanged = np.arange(n), np.zeros(count, dtype=np.int32)
    for k in range(count):
        wanted = 0
        for j in range(k, n):
            if places[rows[j]] == k:
                wanted = j
        exchanged[k] = wanted
        kept = rows[k]
        rows[k] = rows[wanted]
        rows[wanted] = kept
    factors = np.zeros((n, upper.shape[1]), dtype=upper.dtype)
    factors[:, :count] = np.tril(lower, -1)
    factors[:count] += upper
    return factors, exchanged


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """scipy.linalg.lu_solve."""
    factors, exchanged = lu_and_piv
    b = np.asarray(b)
    if factors.shape[0] != b.shape[0]:
        raise ValueError(f"Shapes of lu {factors.shape} and b {b.shape} are incompatible")
    if trans not in (0, 1, 2):
        raise ValueError("trans must be 0, 1 or 2")
    n = factors.shape[0]
    rows = np.arange(n)
    for k in range(n):
        other = exchanged[k]
        kept = rows[k]
        rows[k] = rows[other]
        rows[other] = kept
    if check_finite and not (np.all(np.isfinite(factors)) and np.all(np.isfinite(b))):
        raise ValueError("array must not contain infs or NaNs")
    if trans == 0:
        return trsm(factors, trsm(factors, b[rows], lower=True, transposed=False, unit=True), lower=False, transposed=False, unit=False)
    factors = np.conj(factors) if trans == 2 else factors
    first = trsm(factors, b, lower=False, transposed=True, unit=False)
    return trsm(factors, first, lower=True, transposed=True, unit=True)[np.argsort(rows)]


_TAYLOR = (
    (0.0, -0.100365581030144618, -0.00802924648241156960, -0.000892138498045729956, 0.0),
    (0.0, 0.397849749499645076, 1.36783778460411719, 0.498289622525382670, -0.000637898194594723302),
    (-10.9676396052962062, 1.68015813878906197, 0.0571779846478865511, -0.00698210122488052084, 0.0000334975017086070705),
    (-0.0904316832390810562, -0.0676404519071381908, 0.0675961301770459655, 0.0295552570429315522, -0.0000139180257516060693),
    (0.0, 0.0, -0.0923364619367118592, -0.0169364939002081719, -0.0000140086798182036159),
)
"""Of the sum x**k / k! up to k = 18 in five products: of 1, x, x**2, x**3 and x**6 in each of five factors."""
_SMALL = 1.09
"""The norm up to which the rest of that sum is rounding."""


def expm(A):
    """scipy.linalg.expm: Taylor's sum of order 18, squared; scaled by what powers of the matrix say, which for matrices far from normal is less than its norm.

    Sources: Bader, Blanes, Casas, "Computing the matrix exponential with an optimized Taylor polynomial approximation" (2019); Al-Mohy and Higham, "A new scaling and squaring algorithm" (2009), 4.2.
    """
    a = np.asarray(A)
    if a.dtype.kind in "biu":
        a = a.astype(np.float64)
    if a.ndim < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")
    n = a.shape[-1]
    if a.shape[-2] != n:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    size, scale, count = constant(np.sum(np.abs(a))), 1.0, 0
    if not np.isfinite(size):
        raise ValueError("scipy.linalg.expm of a matrix with infs or NaNs")
    while size > 1.0:  # so small that no power overflows
        size, scale, count = 0.5 * size, 0.5 * scale, count + 1
    x = a * scale
    two = x @ x
    three = two @ x
    of_two, of_three, again = 16.0 * _square(two), 64.0 * _square(three), 1.0
    while count > 0 and of_two < _SMALL**4 and of_three < _SMALL**6:
        of_two, of_three, again, count = 16.0 * of_two, 64.0 * of_three, 2.0 * again, count - 1
    x, two, three = x * again, two * (again * again), three * (again * again * again)
    powers = (np.eye(n, dtype=a.dtype), x, two, three, three @ three)
    one, low, middle, rest, high = [_combination(row, powers) for row in _TAYLOR]
    nine = one @ high + rest
    result = low + (middle + nine) @ nine
    for _ in range(count):
        result = gemm(result, result) if a.ndim == 2 else result @ result
    return result


def _combination(factors, powers):
    first, *others = [factor * power for factor, power in zip(factors, powers, strict=True) if factor != 0.0]
    for each in others:
        first = first + each
    return first


def _square(a):
    """Of Frobenius's norm, the largest of a stack."""
    sums = np.sum(np.abs(constant(a)) ** 2, axis=(-2, -1))
    return sums if a.ndim == 2 else np.max(sums, initial=0.0)


_NO_ROOT = "scipy.linalg.sqrtm of a real matrix with eigenvalues that are negative or 0, or so near that digits are lost, is not supported: sqrtm(A + 0j), which takes negative ones"


def sqrtm(A):
    """scipy.linalg.sqrtm by Newton's iteration in product form: of real matrices without eigenvalues on the negative axis. Source: Higham, "Functions of matrices" (2008), 6.29."""
    import scipy.linalg

    a = np.asarray(A)
    if a.dtype.kind in "biu":
        a = a.astype(np.float64)
    if a.ndim != 2:
        unsupported("scipy.linalg.sqrtm of stacks of matrices", "a loop over them")
    if a.shape[0] != a.shape[1]:
        raise ValueError("Non-matrix input to matrix function.")
    n = a.shape[0]
    if a.dtype.kind == "c":  # by Schur's triangle, which takes eigenvalues on the negative axis
        return _complex_root(a.astype(np.complex128)).astype(a.dtype)
    if a.dtype == np.float32:  # whether a step is one to a singular matrix is told of doubles
        return scipy.linalg.sqrtm(a.astype(np.float64)).astype(np.float32)
    one = np.eye(n, dtype=a.dtype)
    small = (10 * n * np.finfo(a.dtype).eps) ** 2
    product, root, trips, off = a.T.copy(), a.T.copy(), 0, np.inf
    while off > small or trips < 3:  # two trips more than the value needs, for the derivative
        try:
            both = np.linalg.solve(product, np.concatenate((one, root), axis=1))
        except np.linalg.LinAlgError:  # an eigenvalue of 0, or a step to one
            raise NotImplementedError(_NO_ROOT) from None
        root[...] = 0.5 * (root + both[:, n:])
        product[...] = 0.5 * (one + 0.5 * (product + both[:, :n]))
        off = _square(product - one)
        trips += 1
        if trips > 100 or np.isnan(off):
            raise NotImplementedError(_NO_ROOT)
    probe = 1.0 + (619 * np.arange(n) % 1021) / 1021.0  # of the square is looked at what it does to a vector, which costs no product
    gap = np.sum(root * np.sum(root * probe, axis=1), axis=1) - np.sum(a.T * probe, axis=1)
    if np.sum(np.abs(constant(gap)) ** 2) > 1000.0 * small * _square(a):
        raise NotImplementedError(_NO_ROOT)
    return root.T


def _complex_root(a):
    """The root r of complex numbers; along a_dot it moves by the x with r x + x r = a_dot (Higham, 6.1)."""
    import scipy.linalg

    @marks.ours("custom_jvp")
    def root(a):
        return matrix_power(a, np.full(1, 0.5 + 0j))

    @root.defjvp
    def root_jvp(primals, tangents):
        found = root(primals[0])
        return found, scipy.linalg.solve_sylvester(found, found, tangents[0])

    return root(a)


def block_diag(*arrs):
    """scipy.linalg.block_diag."""
    blocks = [np.atleast_2d(each) for each in arrs]
    if len(blocks) == 0:
        return np.zeros((1, 0))
    leading = np.broadcast_shapes(*[block.shape[:-2] for block in blocks])
    rows, columns = sum([block.shape[-2] for block in blocks]), sum([block.shape[-1] for block in blocks])
    whole = np.zeros((*leading, rows, columns), dtype=np.result_type(*[block.dtype for block in blocks]))
    top = left = 0
    for block in blocks:
        bottom, right = top + block.shape[-2], left + block.shape[-1]
        whole[..., top:bottom, left:right] = block
        top, left = bottom, right
    return whole


def toeplitz(c, r=None):
    """scipy.linalg.toeplitz of a first column and a first row."""
    c = _vector("toeplitz", c)
    r = c.conjugate() if r is None else _vector("toeplitz", r)
    rows, columns = np.arange(c.shape[0])[:, np.newaxis], np.arange(r.shape[0])[np.newaxis, :]
    values = np.concatenate((c[::-1], r[1:]))
    return values[columns - rows + (c.shape[0] - 1)]


def hankel(c, r=None):
    """scipy.linalg.hankel of a first column and a last row."""
    c = _vector("hankel", c)
    r = np.zeros_like(c) if r is None else _vector("hankel", r)
    rows, columns = np.arange(c.shape[0])[:, np.newaxis], np.arange(r.shape[0])[np.newaxis, :]
    return np.concatenate((c, r[1:]))[rows + columns]


def circulant(c):
    """scipy.linalg.circulant."""
    c = _vector("circulant", c)
    n = np.arange(c.shape[0])
    return c[(n[:, np.newaxis] - n[np.newaxis, :]) % max(c.shape[0], 1)]


def _vector(name, x):
    x = np.asarray(x)
    if x.ndim != 1:
        unsupported(f"scipy.linalg.{name} of {x.ndim} axes", "vectors")
    return x


def _rank(found):
    return np.int64(found) if SCIPY_1_18 else int(found)


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    """scipy.linalg.lstsq: np.linalg.lstsq's, with SciPy's rounding; the residuals of a vector are a number."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim > 2 or b.ndim > 2:
        unsupported("scipy.linalg.lstsq of stacks of matrices", "a loop over them", "the ranks say how many residuals there are")
    if a.ndim != 2:
        raise ValueError("Input array a should be 2D")
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"Shape mismatch: a and b should have the same number of rows ({a.shape[0]} != {b.shape[0]}).")
    if lapack_driver not in (None, "gelsd", "gelss", "gelsy"):
        raise ValueError(f'LAPACK driver "{lapack_driver}" is not found')
    if check_finite and not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        raise ValueError("array must not contain infs or NaNs")
    a, b = in_lapack(a), in_lapack(b)
    s = np.linalg.svd(a, compute_uv=False)
    x, residuals, rank, s = np.linalg.lstsq(a, b, np.finfo(s.dtype).eps if cond is None else cond)
    if lapack_driver == "gelsy":
        return x, np.zeros(0, x.dtype), _rank(rank), None
    if SCIPY_1_18 and len(tuple(a)) > len(tuple(a.T)):
        gaps = b - a @ x
        return x, np.where(rank == a.shape[1], np.sum(np.real(gaps * np.conj(gaps)), axis=0), np.nan).astype(x.dtype), np.int64(rank), s
    if b.ndim == 1 and len(tuple(a)) > len(tuple(a.T)):  # by the sizes of the call: what SciPy gives goes by them
        if int(rank) < a.shape[1]:
            raise NotImplementedError("scipy.linalg.lstsq of a vector and a matrix whose rank is less than its columns (SciPy's residuals are an array then) is not supported: np.linalg.lstsq")
        return x, residuals[0], int(rank), s
    if residuals.dtype != x.dtype and len(tuple(a)) <= len(tuple(a.T)):  # there are none: SciPy makes them of x's dtype
        residuals = residuals.astype(x.dtype)
    return x, residuals, _rank(rank), s
