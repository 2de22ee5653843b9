"""NumPy's polynomials by their coefficients, the highest power first."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.polynomial_classes import Poly1d


def polyadd(a1, a2):
    """np.polyadd."""
    if isinstance(a1, Poly1d) or isinstance(a2, Poly1d):
        return Poly1d(polyadd(np.asarray(a1), np.asarray(a2)))
    a1, a2 = _vector(a1), _vector(a2)
    return _padded(a1, a2.size) + _padded(a2, a1.size)


def polysub(a1, a2):
    """np.polysub."""
    if isinstance(a1, Poly1d) or isinstance(a2, Poly1d):
        return Poly1d(polysub(np.asarray(a1), np.asarray(a2)))
    a1, a2 = _vector(a1), _vector(a2)
    return _padded(a1, a2.size) - _padded(a2, a1.size)


def _padded(a, length):
    """The coefficients with zeros in front, up to a length."""
    return np.concatenate((np.zeros(max(length - a.size, 0), dtype=a.dtype), a))


def polymul(a1, a2):
    """np.polymul."""
    if isinstance(a1, Poly1d) or isinstance(a2, Poly1d):
        return Poly1d(polymul(np.asarray(a1), np.asarray(a2)))
    return np.convolve(_stripped(_vector(a1)), _stripped(_vector(a2)))


def _stripped(a):
    """The coefficients without zeros in front; of nothing but zeros one."""
    a = np.concatenate((np.zeros(max(1 - a.size, 0), dtype=a.dtype), a))
    first = a.size - 1
    for k in range(a.size):
        if a[k] != 0:
            first = k
            break
    return a[first:]


def polyder(p, m=1):
    """np.polyder: m times the derivative."""
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    if isinstance(p, Poly1d):
        return Poly1d(polyder(np.asarray(p), m))
    p = _vector(p)
    return p if m == 0 else polyder(p[:-1] * np.arange(p.size - 1, 0, -1), m - 1)


def polyint(p, m=1, k=None):
    """np.polyint: m times the antiderivative, with constants k."""
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    if isinstance(p, Poly1d):
        return Poly1d(polyint(np.asarray(p), m, k))
    p = _vector(p)
    constants = np.zeros(m) if k is None else np.atleast_1d(k)
    if constants.size == 1 and m > 1:
        constants = constants[0] * np.ones(m)
    if constants.size < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    return _integral(p, constants, m)


def _integral(p, constants, m):
    return p if m == 0 else _integral(np.concatenate((p / np.arange(p.size, 0, -1), constants[:1])), constants[1:], m - 1)


def _vector(p):
    """Coefficients as a vector."""
    p = np.atleast_1d(p)
    if p.ndim > 1:
        unsupported("a polynomial with coefficients of more than one axis", "a vector of coefficients")
    return p


def polydiv(u, v):
    """np.polydiv: quotient and remainder."""
    if isinstance(u, Poly1d) or isinstance(v, Poly1d):
        quotient, rest = polydiv(np.asarray(u), np.asarray(v))
        return Poly1d(quotient), Poly1d(rest)
    u, v = np.atleast_1d(u) + 0.0, np.atleast_1d(v) + 0.0
    if u.ndim != 1 or v.ndim != 1:
        unsupported("np.polydiv of a matrix", "its rows, one by one")
    if u.size == 0 or v.size == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    dtype = (u[:1] + v[:1]).dtype
    m, n = u.size - 1, v.size - 1
    scale = 1.0 / v[0]
    q, r = np.zeros(max(m - n + 1, 1), dtype=dtype), np.array(u, dtype=dtype)
    for k in range(m - n + 1):
        q[k] = scale * r[k]
        r[k : k + n + 1] -= q[k] * v
    first = 0
    while first < r.size - 1 and abs(r[first]) <= 1e-8:
        first += 1
    return q, r[first:]


def poly(seq_of_zeros):
    """np.poly: the monic polynomial with these zeros, or of a matrix with its eigenvalues."""
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.dtype.kind == "c":
        unsupported("np.poly of complex zeros (real or complex, by their values)", "real zeros")
    if zeros.ndim == 2:
        if zeros.shape[0] != zeros.shape[1] or zeros.shape[0] == 0:
            raise ValueError("input must be 1d or non-empty square 2d array.")
        return _product(np.linalg.eigvals(zeros)).real.copy()  # of real matrices: pairs of conjugates
    if zeros.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    return _product(zeros)


def _product(zeros):
    """The coefficients of (x - zeros[0]) (x - zeros[1]) …"""
    found = np.zeros(zeros.size + 1, dtype=np.float64 if zeros.dtype.kind in "biu" else zeros.dtype)
    found[0] = 1.0
    for k in range(zeros.size):
        found[1 : k + 2] = found[1 : k + 2] - zeros[k] * found[: k + 1]
    return found


def roots(p):
    """np.roots: the eigenvalues of the companion matrix, complex also where all of them are real."""
    p = np.atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    p = p.astype(np.complex128 if p.dtype.kind == "c" else np.float64)
    first, behind = p.size, 0
    for k in range(p.size):
        if p[k] != 0:
            first, behind = min(first, k), k + 1
    kept = p[first:behind]
    count = max(kept.size - 1, 0)
    companion = np.eye(count, k=-1, dtype=p.dtype)
    if count > 0:
        companion[0] = -kept[1:] / kept[0]
    found = np.linalg.eigvals(companion)
    return np.concatenate((found, np.zeros(p.size - behind if behind > 0 else 0, dtype=found.dtype)))


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """np.polyfit: least squares."""
    x, y = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    if rcond is None:
        rcond = len(x) * np.finfo(x.dtype).eps
    left, right = np.vander(x, deg + 1), y
    if w is not None:
        w = np.asarray(w) + 0.0
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        left = left * w[:, np.newaxis]
        right = right * (w[:, np.newaxis] if right.ndim == 2 else w)
    scale = np.sqrt(np.sum(left * left, axis=0))
    left = left / scale
    solution, residuals, rank, singular = np.linalg.lstsq(left, right, rcond)
    found = (solution.T / scale).T
    if full:
        return found, residuals, rank, singular, rcond
    if not cov:
        return found
    base = np.linalg.inv(np.dot(left.T, left)) / np.outer(scale, scale)
    if cov == "unscaled":
        factor = 1
    else:
        if len(x) <= deg + 1:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = np.sum((right - np.dot(left, (found.T * scale).T)) ** 2, axis=0) / (len(x) - deg - 1)
    return found, base * factor if y.ndim == 1 else base[:, :, np.newaxis] * factor


def trim_zeros(filt, trim="fb", axis=None):
    """np.trim_zeros of a vector."""
    if isinstance(filt, (list, tuple)):
        unsupported("np.trim_zeros of a list, of which NumPy gives a list,", "np.array(…) of the list")
    filt = np.asarray(filt)
    if trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim.lower()!r}")
    if filt.ndim != 1:
        return _trimmed(filt, trim.lower(), tuple(range(filt.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,))
    first, last = 0, filt.size
    if "f" in trim.lower():
        while first < last and filt[first] == 0:
            first += 1
    if "b" in trim.lower():
        while last > first and filt[last - 1] == 0:
            last -= 1
    return filt[first:last]


def _trimmed(filt, trim, axes):
    """Without the slices of zeros at the ends of axes."""
    some = filt != 0
    for axis in axes:
        others = tuple([k for k in range(filt.ndim) if k != axis % filt.ndim])
        kept = np.flatnonzero(np.any(some, axis=others))
        first = kept[0] if kept.size > 0 and "f" in trim else 0
        last = 0 if kept.size == 0 else kept[-1] + 1 if "b" in trim else filt.shape[axis]
        filt = np.moveaxis(np.moveaxis(filt, axis, 0)[first:last], 0, axis)
    return filt


POLYNOMIALS = {f"numpy.{function.__name__}": function for function in (polyadd, polysub, polymul, polyder, polyint, polydiv, poly, polyfit, roots, trim_zeros)}
