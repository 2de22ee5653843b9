"""scipy.special's functions that are made of gamma functions: factorials, binomial coefficients, polygamma functions."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed import python_math
from s2s.transforms.read.composed.marks import unsupported


def factorial(n, exact=False, extend="zero"):
    """scipy.special.factorial: the gamma function of n + 1, 0 below 0."""
    import scipy.special

    if exact and np.ndim(n) == 0:
        return _exact(n)
    if exact:
        return _exact_of_each(n)
    if extend != "zero":
        unsupported(f"scipy.special.factorial(…, extend={extend!r})", "scipy.special.gamma(n + 1)")
    n = np.asarray(n)
    if n.dtype.kind == "b":
        raise ValueError("Unsupported data type for `n` in factorial: bool\nPermitted data types are integers and floating point numbers, as well as complex numbers if `extend='complex' is passed.")
    if n.dtype.kind == "c":
        raise ValueError(
            "In order to use non-integer arguments, you must opt into this by passing `extend='complex'`. "
            "Note that this changes the result for all negative arguments (which by default return 0)."
        )
    whole = n if n.dtype.kind == "f" else n.astype(np.float64)
    inside = whole >= 0
    found = scipy.special.gamma(np.where(inside, whole, 1.0) + 1.0)
    found = np.where(inside, found, np.where(np.isnan(whole), np.nan, 0.0))[()]
    return found if n.ndim == 0 else found.astype(np.float64)


def comb(N, k, *, exact=False, repetition=False):
    """scipy.special.comb: the binomial coefficient, 0 where N or k is negative or k is larger than N."""
    import scipy.special

    if exact:
        return _ways(N, k, repetition)
    k, n = np.asarray(k), np.asarray(N)
    if repetition:
        return np.where((k == 0) & (n >= 0), 1.0, scipy.special.binom(n + k - 1, k))[()]
    return np.where((k <= n) & (n >= 0) & (k >= 0), scipy.special.binom(n, k), 0.0)[()]


def perm(N, k, exact=False):
    """scipy.special.perm: N! / (N - k)!, 0 where N or k is negative or k is larger than N."""
    import scipy.special

    if exact:
        return 0 if N < 0 or k < 0 else python_math.perm(_whole(N), _whole(k))
    k, n = np.asarray(k), np.asarray(N)
    return np.where((k <= n) & (n >= 0) & (k >= 0), scipy.special.poch(n - k + 1, k), 0.0)[()]


def multigammaln(a, d):
    """scipy.special.multigammaln."""
    import scipy.special

    a = np.asarray(a)
    if np.ndim(d) > 0 or int(d) != d:
        raise ValueError("d should be a positive integer (dimension)")
    d = int(d)
    if np.any(a <= 0.5 * (d - 1)):
        raise ValueError(f"condition a > 0.5 * (d-1) ({0.5 * (d - 1)}) not met")
    constant = (d * (d - 1) * 0.25) * np.log(np.pi)
    terms = [scipy.special.gammaln(a - (j - 1.0) / 2) for j in range(1, d + 1)]
    return constant + sum(terms)


def polygamma(n, x):
    """scipy.special.polygamma: the derivative of this order of digamma."""
    import scipy.special

    n, x = np.asarray(n), np.asarray(x)
    held = np.where(n == 0, 1, n)
    sign = np.where(held % 2 == 0, -1.0, np.where((held % 2 == 1) | np.isinf(held), 1.0, np.nan)).astype(n.dtype if n.dtype.kind == "f" else np.float64)
    derivative = sign * scipy.special.gamma(held + 1.0) * scipy.special.zeta(held + 1, x)
    return np.where(n == 0, scipy.special.psi(x), derivative)


def zeta(x, q=None, out=None):
    """scipy.special.zeta: Riemann's, or Hurwitz's, with q."""
    import scipy.special._ufuncs

    if out is not None:
        unsupported("scipy.special.zeta(…, out) by its place", "out=…")
    return scipy.special._ufuncs._riemann_zeta(x) if q is None else scipy.special._ufuncs._zeta(x, q)


def _whole(n):
    if int(n) != n:
        raise ValueError("Non-integer `N` and `k` with `exact=True` is not supported.")
    return int(n)


def _ways(N, k, repetition):
    n, k = _whole(N), _whole(k)
    if repetition:
        if k == 0 and n >= 0:
            return 1
        n = n + k - 1
    return 0 if n < 0 or k < 0 else python_math.comb(n, k)


def _exact(n):
    if np.asarray(n).dtype.kind not in "iu":
        raise ValueError(f"`exact=True` only supports integers, cannot use data type {np.asarray(n).dtype}")
    return 0 if n < 0 else python_math.factorial(n)


def _exact_of_each(n):
    flat = np.ravel(n)
    found = np.zeros(len(flat), dtype=np.int64)
    for j in range(len(flat)):
        found[j] = _exact(flat[j])
    return np.reshape(found, np.shape(n))
