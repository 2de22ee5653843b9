"""numpy.polynomial's functions of series, of any basis (`basis.py`): coefficients with the lowest degree first."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.basis import POWERS

# ---- steps of the recurrence -------------------------------------------------------------------------------------------------------


def _step(basis, k, x):
    """What P[k] is multiplied with."""
    factor = x if basis.slope is None else basis.slope(k) * x
    return factor if basis.shift is None else factor + basis.shift(k)


def _times_x(basis, c):
    """The series times x, of as many coefficients: the last one is zero."""
    found = np.zeros(c.shape[0], dtype=c.dtype)
    for k in range(c.shape[0] - 1):
        share = c[k] if basis.slope is None else c[k] / basis.slope(k)
        found[k + 1] += share
        if basis.shift is not None:
            found[k] -= basis.shift(k) * share
        if basis.back is not None and k > 0:
            found[k - 1] += basis.back(k) * share
    return found


def _next(basis, k, c, before):
    """P[k+1] times what P[k] and P[k-1] times are."""
    found = _times_x(basis, c)
    if basis.slope is not None:
        found = basis.slope(k) * found
    if basis.shift is not None:
        found = found + basis.shift(k) * c
    return found if basis.back is None else found - basis.back(k) * before


# ---- coefficients ------------------------------------------------------------------------------------------------------------------


def _floats(c):
    c = np.array(c, ndmin=1)
    return c + 0.0 if c.dtype.kind in "biu" else c


def _series(c):
    """A vector of coefficients, without zeros at its end."""
    c = _floats(c)
    if c.size == 0:
        raise ValueError("Coefficient array is empty")
    if c.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    return trimseq(c)


def trimseq(seq):
    """np.polynomial.polyutils.trimseq: without zeros at its end."""
    seq = np.asarray(seq)
    count = len(seq)
    while count > 1 and seq[count - 1] == 0:
        count -= 1
    return seq[:count]


def trimcoef(c, tol=0):
    """np.polynomial.polyutils.trimcoef: without small coefficients at its end."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    c = _series(c)
    count = len(c)
    while count > 0 and np.abs(c[count - 1]) <= tol:
        count -= 1
    return c[:count].copy() if count > 0 else c[:1] * 0


def _padded(c, length, dtype):
    found = np.zeros(length, dtype=dtype)
    found[: c.shape[0]] = c
    return found


def _pair(c1, c2):
    c1, c2 = _series(c1), _series(c2)
    dtype = np.result_type(c1, c2)
    return c1.astype(dtype), c2.astype(dtype)


def mapparms(old, new):
    """np.polynomial.polyutils.mapparms: what maps one interval to another."""
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def mapdomain(x, old, new):
    """np.polynomial.polyutils.mapdomain."""
    off, scale = mapparms(old, new)
    return off + scale * (np.asarray(x) if isinstance(x, (list, tuple)) else x)


def polyvalfromroots(x, r, tensor=True):
    """np.polynomial.polynomial.polyvalfromroots."""
    r = _floats(r)
    if isinstance(x, (list, tuple)):
        x = np.asarray(x)
    if np.ndim(x) > 0 and tensor:
        r = r.reshape(r.shape + (1,) * x.ndim)
    return np.prod(x - r, axis=0)


def chebpts1(npts):
    """np.polynomial.chebyshev.chebpts1."""
    if npts < 1:
        raise ValueError("npts must be >= 1")
    return np.sin(0.5 * np.pi / npts * np.arange(-npts + 1, npts + 1, 2))


def chebpts2(npts):
    """np.polynomial.chebyshev.chebpts2."""
    if npts < 2:
        raise ValueError("npts must be >= 2")
    return np.cos(np.linspace(-np.pi, 0, npts))


# ---- what a basis says of them -----------------------------------------------------------------------------------------------------


def value(basis, x, c, tensor):
    """The sum of the series at points (Clenshaw 1955)."""
    c = _floats(c)
    if isinstance(x, (list, tuple)):
        x = np.asarray(x)
    if np.ndim(x) > 0 and tensor:
        c = c.reshape(c.shape + (1,) * x.ndim)
    last = c.shape[0] - 1
    reached = c[last] + x * 0
    before = reached * 0
    for k in range(last - 1, -1, -1):
        found = c[k] + _step(basis, k, x) * reached
        if basis.back is not None:
            found = found - basis.back(k + 1) * before
        reached, before = found, reached
    return reached


def vandermonde(basis, x, deg):
    """The polynomials up to a degree at points, in columns."""
    if deg < 0:
        raise ValueError("deg must be non-negative")
    x = np.array(x, ndmin=1) + 0.0
    columns = np.empty((deg + 1, *x.shape), dtype=x.dtype)
    columns[0] = x * 0 + 1
    if deg > 0:
        columns[1] = _step(basis, 0, x)
    for k in range(2, deg + 1):
        columns[k] = _step(basis, k - 1, x) * columns[k - 1]
        if basis.back is not None:
            columns[k] -= basis.back(k - 1) * columns[k - 2]
    return np.moveaxis(columns, 0, -1)


def products(one, other):
    """The products of each two columns of two Vandermonde matrices."""
    wide = one[..., :, None] * other[..., None, :]
    return wide.reshape((*wide.shape[:-2], -1))


def straight(basis, off, scl):
    """off + scl x."""
    start = off if basis.shift is None else off + scl
    slope = 1 if basis.slope is None else basis.slope(0)
    found = np.array([start, scl if slope == 1 else -scl if slope == -1 else scl / slope])
    return found[: 1 if scl == 0 else 2]


def total(c1, c2, sign):
    """c1 + sign c2."""
    c1, c2 = _pair(c1, c2)
    length = max(c1.shape[0], c2.shape[0])
    return trimseq(_padded(c1, length, c1.dtype) + sign * _padded(c2, length, c1.dtype))


def times_x(basis, c):
    """The series times x."""
    c = _series(c)
    return trimseq(_times_x(basis, _padded(c, c.shape[0] + 1, c.dtype)))


def product(basis, c1, c2):
    """c1 c2."""
    c1, c2 = _pair(c1, c2)
    if basis is POWERS:
        return trimseq(np.convolve(c1, c2))
    shifted = _padded(c2, c1.shape[0] + c2.shape[0] - 1, c2.dtype)
    before, found = shifted * 0, c1[0] * shifted
    for k in range(c1.shape[0] - 1):
        shifted, before = _next(basis, k, shifted, before), shifted
        found = found + c1[k + 1] * shifted
    return trimseq(found)


def quotient(basis, c1, c2):
    """c1 / c2, and what is left: by long division."""
    c1, c2 = _pair(c1, c2)
    n, m = c1.shape[0], c2.shape[0]
    if c2[m - 1] == 0:
        raise ZeroDivisionError
    found, left = np.zeros(max(n - m + 1, 1), dtype=c1.dtype), np.array(c1)
    multiples = np.zeros((max(n - m + 1, 1), max(n, m)), dtype=c1.dtype)  # c2 P[k]
    multiples[0] = _padded(c2, max(n, m), c1.dtype)
    for k in range(n - m):
        multiples[k + 1] = _next(basis, k, multiples[k], multiples[max(k - 1, 0)])
    for k in range(n - m, -1, -1):
        found[k] = left[k + m - 1] / multiples[k, k + m - 1]
        left -= found[k] * multiples[k, :n]
        left[k + m - 1] = 0.0
    return found, trimseq(left[: max(m - 1, 1)])


def power(basis, c, exponent, most):
    """c ** exponent."""
    if exponent != int(exponent) or exponent < 0:
        raise ValueError("Power must be a non-negative integer.")
    if most is not None and exponent > most:
        raise ValueError("Power is too large")
    c = _series(c)
    found = np.ones(1, dtype=c.dtype)
    for _ in range(exponent):
        found = product(basis, found, c)
    return found


def derivative(basis, c, m, scl, axis):
    """m times the derivative."""
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    c = np.moveaxis(_floats(c), axis, 0)
    for _ in range(m):
        c = basis.derived(c * scl)
    return np.moveaxis(c, 0, axis)


def integral(basis, c, m, k, lbnd, scl, axis):
    """m times the antiderivative that is k at lbnd."""
    constants = list(k) if np.iterable(k) else [k]
    if m < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(constants) > m:
        raise ValueError("Too many integration constants")
    if np.ndim(lbnd) != 0:
        raise ValueError("lbnd must be a scalar.")
    if np.ndim(scl) != 0:
        raise ValueError("scl must be a scalar.")
    c = np.moveaxis(_floats(c), axis, 0)
    constants = constants + [0] * (m - len(constants))
    for number in range(m):
        c = c * scl
        found = basis.integrated(c)
        found[0] += constants[number] - value(basis, lbnd, found, True)
        c = found[: 1 if c.shape[0] == 1 and np.all(c[0] == 0) else c.shape[0] + 1]
    return np.moveaxis(c, 0, axis)


def of_roots(basis, roots):
    """The monic polynomial with these zeros."""
    roots = np.sort(_floats(roots))
    if roots.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    found = _padded(np.ones(1, dtype=roots.dtype), roots.shape[0] + 1, roots.dtype)
    for root in roots:
        found = _times_x(basis, found) - root * found
    return found


def zeros(basis, c):
    """The zeros, complex also where all of them are real: the eigenvalues of the matrix that multiplies the polynomials below the last one with x."""
    c = _series(c)
    count = c.shape[0] - 1
    matrix = np.zeros((count, count), dtype=c.dtype)
    for k in range(count):
        slope = 1.0 if basis.slope is None else basis.slope(k)
        if k + 1 < count:
            matrix[k, k + 1] = 1.0 / slope
        else:
            matrix[k] -= c[:count] / (c[count] * slope)
        if basis.shift is not None:
            matrix[k, k] -= basis.shift(k) / slope
        if basis.back is not None and k > 0:
            matrix[k, k - 1] += basis.back(k) / slope
    return np.sort(np.linalg.eigvals(matrix))


def in_powers(basis, c):
    """The coefficients of the powers of x."""
    c = _series(c)
    found = np.zeros(c.shape[0], dtype=c.dtype)
    before = found * 0
    for k in range(c.shape[0] - 1, -1, -1):
        up = _times_x(POWERS, found)
        up = up if basis.slope is None else basis.slope(k) * up
        up = up if basis.shift is None else up + basis.shift(k) * found
        up = up if basis.back is None else up - basis.back(k + 1) * before
        up[0] += c[k]
        found, before = up, found
    return found


def of_powers(basis, pol):
    """The coefficients in the basis, of those of the powers of x."""
    pol = _series(pol)
    found = np.zeros(pol.shape[0], dtype=pol.dtype)
    for k in range(pol.shape[0] - 1, -1, -1):
        found = _times_x(basis, found)
        found[0] += pol[k]
    return found


def fitted(basis, x, y, deg, rcond, full, w):
    """Least squares."""
    x, y, deg = np.asarray(x) + 0.0, np.asarray(y) + 0.0, np.asarray(deg)
    _check_fit(x, y, deg)
    if deg.ndim == 0:
        matrix, degrees = vandermonde(basis, x, int(deg)), deg
    else:
        degrees = np.sort(deg)
        matrix = vandermonde(basis, x, int(degrees[-1]))[:, degrees]
    if w is not None:
        w = np.asarray(w) + 0.0
        if w.ndim != 1:
            raise TypeError("expected 1D vector for w")
        if len(x) != len(w):
            raise TypeError("expected x and w to have same length")
        matrix, y = matrix * w[:, None], (y.T * w).T
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    scale = np.sqrt(np.sum(np.abs(matrix) ** 2, axis=0))
    scale = np.where(scale == 0, 1.0, scale)
    c, residuals, rank, singular = np.linalg.lstsq(matrix / scale, y, rcond)
    c = (c.T / scale).T
    if deg.ndim == 1:
        spread = np.zeros((int(degrees[-1]) + 1, *c.shape[1:]), dtype=c.dtype)
        spread[degrees] = c
        c = spread
    return (c, [residuals, rank, singular, rcond]) if full else c


def _check_fit(x, y, deg):
    if deg.ndim > 1 or deg.dtype.kind not in "iu" or deg.size == 0:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if np.min(deg) < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
