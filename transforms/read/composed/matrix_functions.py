"""scipy.linalg's functions of matrices, composed of decompositions and products. Source: Higham, "Functions of Matrices" (2008)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.balancing import BALANCING
from s2s.transforms.read.composed.banded import BANDED
from s2s.transforms.read.composed.marks import constant, gemm, gesv, matrix_power, unsupported
from s2s.transforms.read.composed.matrices_of_vectors import OF_VECTORS
from s2s.transforms.read.composed.matrix_checks import finite, floats, one_square
from s2s.transforms.read.composed.matrix_equations import EQUATIONS
from s2s.transforms.read.composed.matrix_factors import FACTORS
from s2s.transforms.read.composed.matrix_forms import FORMS
from s2s.transforms.read.composed.symmetric_factors import SYMMETRIC

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


MATRIX_FUNCTIONS: dict[str, Any] = BALANCING | BANDED | EQUATIONS | FACTORS | FORMS | OF_VECTORS | SYMMETRIC | {
    f"scipy.linalg.{function.__name__}": function
    for function in (logm, fractional_matrix_power, signm, funm, cosm, sinm, tanm, coshm, sinhm, tanhm, expm_frechet)
}
"""By qualified name, those of the modules around it among them."""
