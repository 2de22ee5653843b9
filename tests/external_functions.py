"""Functions that s2s is told not to read: see test_custom_register.py."""
import ctypes
import ctypes.util
import math

import numba
import numpy as np

_libm = ctypes.CDLL(ctypes.util.find_library("m"))
_libm.cbrt.restype, _libm.cbrt.argtypes = ctypes.c_double, [ctypes.c_double]
cbrt = _libm.cbrt


@numba.njit
def square_plus(x):
    return x * x + 1.0


@numba.vectorize
def cube(x):
    return x ** 3


@numba.njit
def log_gamma(x):
    return math.lgamma(x)


@numba.njit
def prefix_sums(a):
    out = np.empty_like(a)
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i]
        out[i] = total
    return out


def solve(a, b):
    """Nothing that could be read."""
    return np.array(list(map(float, np.linalg.solve(a, b))), dtype=eval("float"))


def three_zeros(x):
    return np.zeros(3)


def fails(x):
    raise FloatingPointError("from inside")
