"""scipy.special's functions with options of their own: derivatives of Bessel functions, spherical ones, Lambert's W, multifactorials, …"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

# ---- Bessel functions -------------------------------------------------------------------------------------------------------


def jvp(v, z, n=1):
    """scipy.special.jvp."""
    import scipy.special as sp

    return _difference(sp.jv, v, z, n, -1.0)


def yvp(v, z, n=1):
    """scipy.special.yvp."""
    import scipy.special as sp

    return _difference(sp.yv, v, z, n, -1.0)


def ivp(v, z, n=1):
    """scipy.special.ivp."""
    import scipy.special as sp

    return _difference(sp.iv, v, z, n, 1.0)


def kvp(v, z, n=1):
    """scipy.special.kvp."""
    import scipy.special as sp

    return _difference(sp.kv, v, z, n, 1.0) if n % 2 == 0 else -_difference(sp.kv, v, z, n, 1.0)


def h1vp(v, z, n=1):
    """scipy.special.h1vp."""
    import scipy.special as sp

    return _difference(sp.hankel1, v, z, n, -1.0)


def h2vp(v, z, n=1):
    """scipy.special.h2vp."""
    import scipy.special as sp

    return _difference(sp.hankel2, v, z, n, -1.0)


def _difference(function, v, z, n, phase):
    """The n-th derivative by z: a sum over orders from v - n to v + n."""
    if n != int(n) or n < 0:
        raise ValueError("n must be a non-negative integer.")
    if n == 0:
        return function(v, z)
    v = np.asarray(v)
    weight, total = 1.0, function(v - n, z)
    for k in range(1, n + 1):
        weight = phase * (weight * (n - k + 1)) / k
        total = total + weight * function(v - n + 2 * k, z)
    return total / 2.0**n


def spherical_jn(n, z, derivative=False):
    """scipy.special.spherical_jn."""
    import scipy.special._ufuncs as sp

    return _reflected(sp._spherical_jn, n, z, derivative, -1.0, 1.0)


def spherical_yn(n, z, derivative=False):
    """scipy.special.spherical_yn."""
    import scipy.special._ufuncs as sp

    return _reflected(sp._spherical_yn, n, z, derivative, -1.0, -1.0)


def spherical_in(n, z, derivative=False):
    """scipy.special.spherical_in."""
    import scipy.special._ufuncs as sp

    return _reflected(sp._spherical_in, n, z, derivative, 1.0, 1.0)


def spherical_kn(n, z, derivative=False):
    """scipy.special.spherical_kn; of negative z by spherical_in of -z."""
    import scipy.special._ufuncs as sp

    n, z = np.asarray(n, dtype=np.int64), np.asarray(z)
    if z.dtype.kind == "c":
        return sp._spherical_kn(n, z)
    size = np.abs(z)
    value = -_slope(sp._spherical_kn, n, size, 1.0) if derivative else sp._spherical_kn(n, size)
    grown = _slope(sp._spherical_in, n, size, 1.0) if derivative else sp._spherical_in(n, size)
    below = np.pi * grown + np.where(n % 2 == 0, 1.0, -1.0) * value
    found = np.where(z < 0, below if derivative else -below, value)
    return found.astype(np.float32 if z.dtype == np.float32 else np.float64)[()]


def _reflected(function, n, z, derivative, high, even):
    """The function or its derivative, even or odd as n, before it is cut off, and `even` say."""
    is_even = np.asarray(n) % 2 == 0
    n, z = np.asarray(n, dtype=np.int64), np.asarray(z)
    if z.dtype.kind == "c":
        return function(n, z)
    size = np.abs(z)
    value = _slope(function, n, size, high) if derivative else function(n, size)
    even = -even if derivative else even
    return np.where(z < 0, np.where(is_even, even, -even) * value, value)[()]


def _slope(function, n, z, high):
    """The derivative by z: a sum over the neighbouring orders."""
    return (n * function(np.where(n == 0, 0, n - 1), z) + high * (n + 1) * function(n + 1, z)) / (2 * n + 1)


# ---- others -------------------------------------------------------------------------------------------------------------------


def lambertw(z, k=0, tol=1e-8):
    """scipy.special.lambertw."""
    import scipy.special._ufuncs

    return scipy.special._ufuncs._lambertw(z, np.asarray(k, dtype=np.int64), tol)


def assoc_laguerre(x, n, k=0.0):
    """scipy.special.assoc_laguerre."""
    import scipy.special

    return scipy.special.eval_genlaguerre(n, k, x)


def softplus(x, **kwargs):
    """scipy.special.softplus."""
    return np.logaddexp(0, x, **kwargs)


def diric(x, n):
    """scipy.special.diric: sin(n x / 2) / (n sin(x / 2)), at multiples of 2 pi what it comes near to."""
    x, n = np.asarray(x), np.asarray(n)
    x, n = x + (n - n), n + (x - x)
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    half = x / 2
    under = np.sin(half)
    at_peak = np.abs(under) < (1e-3 if np.finfo(x.dtype).eps > 1e-15 else 1e-7)
    peak = np.where(np.round(half / np.pi) * (n - 1) % 2 == 0, 1.0, -1.0) + 0.0 * half
    value = np.where(at_peak, peak, np.sin(n * half) / (n * np.where(at_peak, 1.0, under)))
    return np.where((n <= 0) | (n != np.floor(n)), np.nan, value).astype(x.dtype)


def factorial2(n, exact=False, extend="zero"):
    """scipy.special.factorial2."""
    return _multifactorial("factorial2", n, 2, exact, extend)


def factorialk(n, k, exact=False, extend="zero"):
    """scipy.special.factorialk."""
    return _multifactorial("factorialk", n, k, exact, extend)


def _multifactorial(name, n, k, exact, extend):
    """n (n - k) (n - 2 k) …, by gamma functions; 0 below 0."""
    from scipy.special import gamma

    if exact:
        return _exact(name, n, k)
    if extend != "zero":
        unsupported(f"scipy.special.{name}(…, extend={extend!r})", "scipy.special.gamma")
    n = np.asarray(n)
    if n.dtype.kind not in "iu":
        raise ValueError("In order to use non-integer arguments, you must opt into this by passing `extend='complex'`.")
    rest = n % k
    grown = np.power(float(k), (n - rest) / k) * gamma(n / k + 1) / gamma(rest / k + 1) * np.maximum(rest, 1)
    return np.where(n < 0, 0.0, grown)[()]


def _exact(name, n, k):
    if np.ndim(n) > 0 or np.asarray(n).dtype.kind not in "iu":
        unsupported(f"scipy.special.{name}(…, exact=True) of run-time arrays", "exact=False, or a number")
    if n < 0:
        return 0
    product = 1
    while n > 1:
        if product > 9223372036854775807 // n:
            raise OverflowError(f"scipy.special.{name} of run-time values with a result beyond 64 bits: integers of run time have 64 bits in s2s")
        product *= n
        n -= k
    return product


FORMS: dict[str, Callable[..., Any]] = {
    "jvp": jvp, "yvp": yvp, "ivp": ivp, "kvp": kvp, "h1vp": h1vp, "h2vp": h2vp, "spherical_jn": spherical_jn, "spherical_yn": spherical_yn, "spherical_in": spherical_in, "spherical_kn": spherical_kn,
    "lambertw": lambertw, "assoc_laguerre": assoc_laguerre, "softplus": softplus, "diric": diric, "factorial2": factorial2, "factorialk": factorialk,
}  # fmt: skip
"""By their names in scipy.special."""
