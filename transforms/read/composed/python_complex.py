"""cmath: Python's functions of complex numbers, by NumPy's, which are the same functions; what they refuse is refused in Python's words."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np


def _by_numpy(function, z):
    found = complex(function(complex(z)))
    if isnan(found) and not isnan(z):
        raise ValueError("math domain error")
    if not _is_finite(found) and _is_finite(complex(z)):
        raise OverflowError("math range error")
    return found


def _is_finite(z):
    return bool(np.isfinite(z))


def exp(z, /):
    """cmath.exp."""
    return _by_numpy(np.exp, z)


def sqrt(z, /):
    """cmath.sqrt."""
    return _by_numpy(np.sqrt, z)


def sin(z, /):
    """cmath.sin."""
    return _by_numpy(np.sin, z)


def cos(z, /):
    """cmath.cos."""
    return _by_numpy(np.cos, z)


def tan(z, /):
    """cmath.tan."""
    return _by_numpy(np.tan, z)


def sinh(z, /):
    """cmath.sinh."""
    return _by_numpy(np.sinh, z)


def cosh(z, /):
    """cmath.cosh."""
    return _by_numpy(np.cosh, z)


def tanh(z, /):
    """cmath.tanh."""
    return _by_numpy(np.tanh, z)


def asin(z, /):
    """cmath.asin."""
    return _by_numpy(np.arcsin, z)


def acos(z, /):
    """cmath.acos."""
    return _by_numpy(np.arccos, z)


def atan(z, /):
    """cmath.atan."""
    if z in (1.0j, -1.0j):
        raise ValueError("math domain error")
    return _by_numpy(np.arctan, z)


def asinh(z, /):
    """cmath.asinh."""
    return _by_numpy(np.arcsinh, z)


def acosh(z, /):
    """cmath.acosh."""
    return _by_numpy(np.arccosh, z)


def atanh(z, /):
    """cmath.atanh."""
    if z in (1.0, -1.0):
        raise ValueError("math domain error")
    return _by_numpy(np.arctanh, z)


def log(z, base=None, /):
    """cmath.log."""
    if base is not None:  # CPython forgets that the logarithm of zero is none when it takes the base's
        below = log(base)
        if below == 0:
            raise ValueError("math domain error")
        return complex(np.log(complex(z))) / below
    if z == 0:
        raise ValueError("math domain error")
    return complex(np.log(complex(z)))


def log10(z, /):
    """cmath.log10."""
    if z == 0:
        raise ValueError("math domain error")
    found = complex(np.log(complex(z)))
    return complex(found.real / math.log(10.0), found.imag / math.log(10.0))


def phase(z, /):
    """cmath.phase."""
    return math.atan2(complex(z).imag, complex(z).real)


def polar(z, /):
    """cmath.polar."""
    return math.hypot(complex(z).real, complex(z).imag), phase(z)


def rect(r, phi, /):
    """cmath.rect: no angle matters to a length of 0, and no length to an angle of 0."""
    if math.isinf(phi) and r != 0 and not math.isnan(r):
        raise ValueError("math domain error")
    if not math.isfinite(phi):
        return complex(0.0, 0.0) if r == 0 else complex(abs(r) if math.isinf(r) else math.nan, math.nan)
    if phi == 0 and not math.isfinite(r):
        return complex(r, 0.0 if math.isnan(r) else math.copysign(1.0, r) * phi)
    return complex(r * math.cos(phi), r * math.sin(phi))


def isfinite(z, /):
    """cmath.isfinite."""
    return _is_finite(complex(z))


def isnan(z, /):
    """cmath.isnan."""
    return bool(np.isnan(complex(z)))


def isinf(z, /):
    """cmath.isinf."""
    return bool(np.isinf(complex(z)))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    """cmath.isclose."""
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    a, b = complex(a), complex(b)
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    return bool(abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol))
