"""NumPy's own functions under the names that they have in jax.lax, and SciPy's, by name: scipy is imported when one of them is asked for."""
from __future__ import annotations

import enum

import numpy as np

from s2s.transforms.read.composed import jax_numpy


class Precision(enum.Enum):
    """Accepted wherever JAX takes one: products have all digits of their dtype.

    >>> from s2s import lax
    >>> print(lax.dot(np.arange(4.0), np.arange(4.0), precision=lax.Precision.HIGH))
    14.0
    """

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2


class RoundingMethod(enum.IntEnum):
    """Where `lax.round` takes halves.

    >>> from s2s import lax
    >>> lax.round(np.array([0.5, 1.5]), lax.RoundingMethod.TO_NEAREST_EVEN)
    array([0., 2.])
    """

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


abs = np.abs
acos = np.arccos
acosh = np.arccosh
add = np.add
asin = np.arcsin
asinh = np.arcsinh
atan = np.arctan
atan2 = np.arctan2
atanh = np.arctanh
bitwise_and = np.bitwise_and
bitwise_not = np.invert
bitwise_or = np.bitwise_or
bitwise_xor = np.bitwise_xor
broadcast_shapes = np.broadcast_shapes
cbrt = np.cbrt
ceil = np.ceil
cos = np.cos
cosh = np.cosh
eq = np.equal
exp = np.exp
exp2 = np.exp2
expm1 = np.expm1
floor = np.floor
ge = np.greater_equal
gt = np.greater
imag = np.imag
is_finite = np.isfinite
le = np.less_equal
log = np.log
log1p = np.log1p
lt = np.less
max = np.maximum
min = np.minimum
mul = np.multiply
ne = np.not_equal
neg = np.negative
nextafter = np.nextafter
pow = np.power
real = np.real
rem = np.fmod
shift_left = np.left_shift
shift_right_arithmetic = np.right_shift
sign = np.sign
sin = np.sin
sinh = np.sinh
sqrt = np.sqrt
square = np.square
sub = np.subtract
tan = np.tan
tanh = np.tanh
zeros_like_array = jax_numpy.zeros_like

SPECIAL = {
    "bessel_i0e": "i0e", "bessel_i1e": "i1e", "betainc": "betainc", "digamma": "digamma", "erf": "erf", "erf_inv": "erfinv", "erfc": "erfc",
    "lgamma": "gammaln", "logistic": "expit", "polygamma": "polygamma", "zeta": "zeta",
}  # fmt: skip
"""Names in scipy.special."""
