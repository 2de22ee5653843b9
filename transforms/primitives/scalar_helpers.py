"""Functions that scalar texts call by name where neither `math` nor an operator will do.

Plain Python that Numba compiles; codegen copies the source of those that are used into the emitted module.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def heaviside(a, b):
    """np.heaviside: 0 below zero, 1 above, b at zero, nan at nan."""
    if a == 0:
        return b
    sign = np.sign(a)
    return sign if a > 0 else sign - sign


def c_remainder(a, b):
    """np.fmod: the remainder with the sign of a. Numba's np.fmod is wrong for negative integers."""
    if a == 0 and abs(b) > 0:
        return a
    size = abs(a) % abs(b)
    return size if a > 0 else -size


def complex_power(a, b):
    """np.power of complex numbers: Numba's 0 ** b is nan unless b is an integer."""
    return a - a if a == 0 and b.real > 0 else a**b


def complex_tanh(z):
    """np.tanh of complex numbers: Numba's is nan where cosh overflows. Source: Kahan, "Branch cuts for complex elementary functions" (1987)."""
    x, y = z.real, z.imag
    if abs(x) > 20.0:  # the other term is below half a unit in the last place
        return complex(np.copysign(1.0, x), np.copysign(0.0, y) if np.isinf(x) else 4.0 * np.sin(y) * np.cos(y) * np.exp(-2.0 * abs(x)))
    t, s = np.tan(y), np.sinh(x)
    slope = 1.0 + t * t
    under = 1.0 + slope * s * s
    return complex(slope * np.sqrt(1.0 + s * s) * s / under, t / under)


def complex_exp_less_one(z):
    """np.expm1 of complex numbers: Numba's loses what is small."""
    half = np.sin(0.5 * z.imag)
    return complex(np.expm1(z.real) * np.cos(z.imag) - 2.0 * half * half, z.imag if z.imag == 0 else np.exp(z.real) * np.sin(z.imag))


def complex_arccosh(z):
    """np.arccosh of complex numbers: Numba's takes the other side of the cut at -0j."""
    w = np.arccos(z)
    return complex(abs(w.imag), np.copysign(w.real, z.imag))


def left_shift(a, b):
    """np.left_shift: 0 where machine code would wrap the count."""
    return a << b if 0 <= b < 64 else a - a


def right_shift(a, b):
    """np.right_shift: only the sign is left where machine code would wrap the count."""
    return a >> b if 0 <= b < 64 else a >> 63


def wrapped_sum(a, b):
    """a + b of integers, modulo 2 ** 64."""
    return np.int64(np.uint64(a) + np.uint64(b))


def wrapped_difference(a, b):
    """a - b of integers, modulo 2 ** 64."""
    return np.int64(np.uint64(a) - np.uint64(b))


def wrapped_product(a, b):
    """a * b of integers, modulo 2 ** 64."""
    return np.int64(np.uint64(a) * np.uint64(b))


def wrapped_quotient(a, b):
    """a // b of integers, modulo 2 ** 64: the least one divided by -1 is itself."""
    return np.int64(np.uint64(0) - np.uint64(a)) if b == -1 else a // b


def natural_right_shift(a, b):
    """np.right_shift of integers without a sign."""
    return a >> b if b < 64 else a - a


def natural_number(x):
    """A float as a uint64: what does not fit is cut off, as in NumPy."""
    return np.uint64(np.int64(x)) if not x >= 9223372036854775808.0 else np.uint64(np.int64(x - 9223372036854775808.0)) ^ np.uint64(9223372036854775808)


def logit(x):
    """scipy.special.logit: log(x / (1 - x)), around 1/2 without cancellation."""
    if x < 0.3 or x > 0.65:
        return np.log(x / (1.0 - x))
    s = 2.0 * (x - 0.5)
    return np.log1p(s) - np.log1p(-s)


def xlogy(x, y):
    """scipy.special.xlogy: x * log(y), 0 where x is 0."""
    return x - x if x == 0.0 and not np.isnan(y) else x * np.log(y)


def xlog1py(x, y):
    """scipy.special.xlog1py: x * log(1 + y), 0 where x is 0."""
    return x - x if x == 0.0 and not np.isnan(y) else x * np.log1p(y)


def entr(x):
    """scipy.special.entr: -x * log(x), 0 at 0, -inf below."""
    if x == 0.0:
        return x - x
    return -np.inf if x < 0.0 else -x * np.log(x)


def added_logarithms(a, b):
    """np.logaddexp. Numba's, which does the same, takes long to compile."""
    if a == b:
        return a + np.log1p(np.exp(a - a)) if abs(a) < np.inf else a
    gap = a - b
    return (a if gap > 0 else b) + np.log1p(np.exp(-abs(gap)))


def added_binary_logarithms(a, b):
    """np.logaddexp2. Numba's, which does the same, takes long to compile."""
    if a == b:
        return a + 1
    gap = a - b
    return (a if gap > 0 else b) + np.log1p(np.exp2(-abs(gap))) * 1.4426950408889634


def digamma(x):
    """scipy.special.digamma: reflected to positive numbers, moved to [1, 2] or beyond 10. Source: Cephes (S. Moshier, 1984), Boost (J. Maddock, 2006)."""
    x = np.float64(x)
    if x == 0.0:
        return np.copysign(np.inf, -x)
    y = 0.0
    if x < 0.0:
        r = x - np.trunc(x)
        if r == 0.0:
            return np.nan
        y = -np.pi / np.tan(np.pi * r)
        x = 1.0 - x
    if x <= 10.0 and x == np.floor(x):
        for i in range(1, np.int64(x)):
            y += 1.0 / i
        return y - 0.577215664901532860606512090082402431
    if x < 1.0:
        y -= 1.0 / x
        x += 1.0
    elif x < 10.0:
        while x > 2.0:
            x -= 1.0
            y += 1.0 / x
    if 1.0 <= x <= 2.0:
        g = ((x - 1569415565.0 / 1073741824.0) - (381566830.0 / 1073741824.0) / 1073741824.0) - 0.9016312093258695918615325266959189453125e-19
        z = x - 1.0
        p = 0.25479851061131551 + z * (-0.32555031186804491 + z * (-0.65031853770896507 + z * (-0.28919126444774784 + z * (-0.045251321448739056 + z * -0.0020713321167745952))))
        q = 1.0 + z * (2.0767117023730469 + z * (1.4606242909763515 + z * (0.43593529692665969 + z * (0.054151797245674225 + z * (0.0021284987017821144 + z * -0.55789841213675513e-6)))))
        return y + g * 0.99558162689208984 + g * (p / q)
    w = 0.0
    if x < 1.0e17:
        z = 1.0 / (x * x)
        w = z * (8.33333333333333333333e-2 + z * (-8.33333333333333333333e-3 + z * (3.96825396825396825397e-3 + z * (
            -4.16666666666666666667e-3 + z * (7.57575757575757575758e-3 + z * (-2.10927960927960927961e-2 + z * 8.33333333333333333333e-2))))))  # fmt: skip
    return y + np.log(x) - 0.5 / x - w


def hurwitz_zeta(order, x):
    """scipy.special.zeta(order, x), the sum over k of (x + k) ** -order, by Euler and Maclaurin. Source: Cephes (S. Moshier, 1984)."""
    x = np.float64(x)
    if order < 1:
        return np.nan
    if order == 1 or x <= 0.0 and x == np.floor(x):
        return np.inf
    if x > 1.0e8:
        return (1.0 / (order - 1) + 1.0 / (2.0 * x)) * x ** (1.0 - order)
    total, last, term, count = x ** (-1.0 * order), x, 1.0, 0
    while count < 9 or last <= 9.0:
        count += 1
        last += 1.0
        term = last ** (-1.0 * order)
        total += term
        if abs(term) < 1.1102230246251565e-16 * abs(total):
            return total
    total += term * last / (order - 1) - 0.5 * term
    square, rest = last * last, 1.0
    rest = 1.0 + rest * (order + 21.0) * (order + 22.0) / (-39.47842466476856 * square)
    rest = 1.0 + rest * (order + 19.0) * (order + 20.0) / (-39.47844585161373 * square)
    rest = 1.0 + rest * (order + 17.0) * (order + 18.0) / (-39.47853064403568 * square)
    rest = 1.0 + rest * (order + 15.0) * (order + 16.0) / (-39.4788702213509 * square)
    rest = 1.0 + rest * (order + 13.0) * (order + 14.0) / (-39.480232236660214 * square)
    rest = 1.0 + rest * (order + 11.0) * (order + 12.0) / (-39.48571428571429 * square)
    rest = 1.0 + rest * (order + 9.0) * (order + 10.0) / (-39.507959479015916 * square)
    rest = 1.0 + rest * (order + 7.0) * (order + 8.0) / (-39.6 * square)
    rest = 1.0 + rest * (order + 5.0) * (order + 6.0) / (-40.0 * square)
    rest = 1.0 + rest * (order + 3.0) * (order + 4.0) / (-42.0 * square)
    rest = 1.0 + rest * (order + 1.0) * (order + 2.0) / (-60.0 * square)
    return total + rest * term * order / (12.0 * last)


def riemann_zeta_below(x, log_gamma, reflected):
    """scipy.special.zeta of x below 0, from log(gamma(1 - x)) and zeta(1 - x) less 1: by Riemann's reflection; 0 at even integers."""
    if x % 2.0 == 0.0:
        return 0.0
    return 2.0 * np.exp(log_gamma + (x - 1.0) * np.log(2.0 * np.pi)) * np.sin(0.5 * np.pi * (x % 4.0)) * (reflected + 1.0)


def zeta_slope(order, x):
    """The derivative of this order, 1 or more, of Riemann's zeta function, from x = -1 on: those of the sum of 11 terms with Euler's and Maclaurin's rest (NIST DLMF 25.2.9)."""
    if x == 1.0:
        return -np.inf if order % 2 == 1 else np.nan
    total = 0.0
    for n in range(2, 12):
        total += (-np.log(n)) ** order * float(n) ** -x
    if not x <= 40.0:  # the rest is below its last digit
        return total
    rest, rising, factor = np.zeros(order + 1), np.zeros(order + 1), 1.0
    pole = 12.0 / (x - 1.0)
    rest[0], rising[0], rising[1] = 0.5, x, 1.0
    for k in range(order + 1):  # Taylor's coefficients around x
        rest[k] += pole
        pole /= 1.0 - x
    power, shift = 1.0 / 12.0, 1.0
    for number in (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600, -3617 / 10670622842880000):
        rest += number * power * rising
        power /= 144.0
        for _ in range(2):
            for k in range(order, 0, -1):
                rising[k] = (x + shift) * rising[k] + rising[k - 1]
            rising[0] *= x + shift
            shift += 1.0
    found = 0.0
    for k in range(order, -1, -1):  # times those of 12 ** -x, and the factorial
        found += rest[k] * factor
        factor *= -np.log(12.0) / (order - k + 1)
    for k in range(2, order + 1):
        found *= k
    return total + found * 12.0**-x


def complex_of(re, im):
    """The complex numbers of these parts, of Python's floats one of Python's; `re + 1j * im` makes nan of infinite ones, and loses the sign of -0.0."""
    if type(re) is float and type(im) is float:
        return complex(re, im)
    joined = np.empty(np.broadcast(re, im).shape, np.result_type(re, im, np.complex64))
    joined.real, joined.imag = re, im
    return joined[()]


def bits_of_double(a):
    """The bits of a float64, as int64."""
    return np.float64(a).view(np.int64)


def bits_of_single(a):
    """The bits of a float32, as int32."""
    return np.float32(a).view(np.int32)


def bits_of_half(a):
    """The bits of a float16, as int16."""
    return np.float16(a).view(np.int16)


def half_of_bits(a):
    """The float16 of these bits, put together: Numba sees no bits as a float16."""
    bits = np.int64(a) & 0x7FFF
    exponent, mantissa = bits >> 10, bits & 0x3FF
    if exponent == 31:
        size = np.inf if mantissa == 0 else np.nan
    else:
        size = mantissa * 2.0**-24 if exponent == 0 else (1024.0 + mantissa) * 2.0 ** (exponent - 25)
    return np.float16(-size if a < 0 else size)


def next_half(a, b):
    """The float16 that follows a on the way to b: what a number between half a step and one and a half steps further is rounded to."""
    if not (a < b or a > b):
        return np.float16(a if a == b else a + b)
    if abs(a) > 65504.0:
        return np.float16(65504.0 if a > 0 else -65504.0)
    step = max(abs(a) * 0.0005859375, 3.6e-08)
    return np.float16(a + step if a < b else a - step)


def double_of_bits(a):
    """The float64 of these bits."""
    return np.int64(a).view(np.float64)


def single_of_bits(a):
    """The float32 of these bits."""
    return np.int32(a).view(np.float32)


def lambert_w(z, k, tolerance):
    """scipy.special.lambertw: the branch k of w exp(w) = z, by Halley's steps from a series about the branch point or 0, or from logarithms.

    Source: R. Corless et al., "On the Lambert W function", 1996.
    """
    if np.isnan(z.real) or not np.isfinite(z.imag) and np.isfinite(z.real):
        return complex(np.nan, np.nan)
    if np.isinf(z.real):
        turns = 2.0 * np.pi * k
        return complex(z.real, z.imag + turns) if z.real > 0.0 else complex(-z.real, -z.imag + turns + np.pi)
    if z == 0.0:
        return z if k == 0 else complex(-np.inf, 0.0)
    near, above = complex(z.real + 0.36787944117144233, z.imag), np.copysign(1.0, z.imag) > 0.0
    if k == 0 and abs(near) < 0.3 or abs(near) < 0.1 and (k == -1 and above or k == 1 and not above):
        p = np.sqrt(5.43656365691809 * near)
        p = p if k == 0 else -p
        w = -1.0 + p * (1.0 - p * (1.0 / 3.0 - p * (11.0 / 72.0)))
    elif k == 0 and abs(z.imag) < 1.0 and -0.2 - 2.5 * abs(z.imag) < z.real < 1.5:
        w = z * (1.0 + z) / (1.0 + z * (2.0 + 0.5 * z))
    elif k == -1 and z.imag == 0.0 and z.real < 0.0 and near.real > 0.0:
        low = np.log(-z.real)
        w = complex(low - np.log(-low), 0.0)
    else:
        w = np.log(z) + complex(0.0, 2.0 * np.pi * k)
        w = w - np.log(w)
    steps, size = 0, 1.0
    while steps < 100 and size > tolerance * abs(w):
        grown = np.exp(-w) if w.real >= 0.0 else np.exp(w)
        miss = w - z * grown if w.real >= 0.0 else w * grown - z
        slope = w + 1.0 if w.real >= 0.0 else grown * (w + 1.0)
        change = miss / (slope - (w + 2.0) * miss / (2.0 * w + 2.0)) if miss != 0.0 else complex(0.0, 0.0)
        w -= change
        size = abs(change)
        steps += 1
    return w if steps < 100 else complex(np.nan, np.nan)


def gamma_motion(a, x, psi):
    """How a number x of the gamma distribution of parameter a moves with a, its probability held: -(dP(a, x)/da) / p(a, x); psi: digamma(a).

    By the series of P(a, x), or the continued fraction of 1 - P(a, x), differentiated term by term. Source: Cephes (S. Moshier, 1984); M. Figurnov et al., "Implicit reparameterization gradients", 2018.
    """
    if not (a > 0.0 and x >= 0.0):
        return np.nan
    if x == 0.0:
        return 0.0
    n, going = 0, True
    if x <= 1.0 or x <= a:
        total, term, slope, change = 1.0, 1.0, 0.0, 0.0
        while going and n < 2000:
            n += 1
            change = (change - term / (a + n)) * (x / (a + n))
            term = term * (x / (a + n))
            total += term
            slope += change
            going = abs(change) > 1e-16 * abs(slope) or term > 1e-16 * total
        return -(slope + total * (np.log(x) - psi - 1.0 / a)) * x / a
    y, z = 1.0 - a, x + 2.0 - a
    before, top, under_before, under = 1.0, x + 1.0, x, z * x
    d_before, d_top, d_under_before, d_under = 0.0, 0.0, 0.0, -x
    value = top / under
    slope = (d_top - value * d_under) / under
    while going and n < 2000:
        n += 1
        y += 1.0
        z += 2.0
        yn = y * n
        d_next, d_next_under = d_top * z - top - d_before * yn + before * n, d_under * z - under - d_under_before * yn + under_before * n
        following, following_under = top * z - before * yn, under * z - under_before * yn
        before, top, under_before, under = top, following, under, following_under
        d_before, d_top, d_under_before, d_under = d_top, d_next, d_under, d_next_under
        step = 1.0
        if under != 0.0:
            found = top / under
            found_slope = (d_top - found * d_under) / under
            step = max(abs(found - value) / abs(found), abs(found_slope - slope) / (abs(found_slope) + 1e-300))
            value, slope = found, found_slope
        if abs(top) > 4503599627370496.0:
            before, top, under_before, under = before / 4503599627370496.0, top / 4503599627370496.0, under_before / 4503599627370496.0, under / 4503599627370496.0
            d_before, d_top = d_before / 4503599627370496.0, d_top / 4503599627370496.0
            d_under_before, d_under = d_under_before / 4503599627370496.0, d_under / 4503599627370496.0
        going = step > 1e-15
    return (slope + value * (np.log(x) - psi)) * x


HELPERS: dict[str, Callable[..., Any]] = {
    helper.__name__: helper for helper in (
        added_binary_logarithms, added_logarithms, bits_of_double, bits_of_half, bits_of_single, c_remainder, complex_arccosh, complex_exp_less_one, complex_power, complex_tanh, digamma, double_of_bits, entr, gamma_motion, half_of_bits, heaviside, hurwitz_zeta, lambert_w, left_shift, logit, natural_number,
        natural_right_shift, next_half, riemann_zeta_below, right_shift, single_of_bits, wrapped_difference, wrapped_product, wrapped_quotient, wrapped_sum, xlog1py, xlogy, zeta_slope,
    )
}  # fmt: skip
"""What a scalar text may call, by name."""
OF_ARRAYS: dict[str, Callable[..., Any]] = {"complex_of": complex_of}
"""What an array text may call with whole arrays, by name."""
