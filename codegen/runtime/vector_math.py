"""exp, log, tanh, erf, erfc and hypot of float64 in plain Python without branches, so that LLVM vectorises the loops that call them.

Numba calls `math`'s one element at a time (3 to 11 ns; these take about 1). They follow the C library's conventions for nan, infinities and signed zeros, and
are right to 1 unit in the last place (tanh, erf, hypot: 2, erfc: 5), subnormal numbers included. Their source is copied into the modules that use them.
Reduction and polynomials: fdlibm (Sun Microsystems, 1993); tanh near zero: Cephes (S. Moshier, 1989); erf and erfc: interpolation at Chebyshev's points in 50 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def array_exp(x):  # type: ignore[no-untyped-def]
    """math.exp: 2 ** k * exp(r), |r| < 0.35, by a polynomial whose even and odd terms are added apart; 2 ** k in two steps, lest subnormal results lose digits."""
    x = np.float64(x)
    t = 710.0 if x > 710.0 else x
    t = -746.0 if t < -746.0 else t
    whole = t * 1.4426950408889634 + 6755399441057790.0  # k in the last bits: adding 1.5 * 2 ** 52 + 2046 rounds to an integer
    k = whole - 6755399441057790.0
    r = t - k * 6.93147180369123816490e-01 - k * 1.90821492927058770002e-10
    z = r * r
    even = 2.4801491729408733e-05 + z * 2.7630763886684216e-07
    even = 0.0013888888944871324 + z * even
    even = 0.04166666666652578 + z * even
    even = 0.5000000000000011 + z * even
    odd = 2.7557530021730183e-06 + z * 2.502038099711407e-08
    odd = 0.00019841269560701792 + z * odd
    odd = 0.008333333333473705 + z * odd
    odd = 0.16666666666666438 + z * odd
    bits = np.float64(whole).view(np.int64)
    first = np.int64((bits & -2) << 51).view(np.float64)
    second = np.int64(((bits + 1) & -2) << 51).view(np.float64)
    return (first + first * r * (1.0 + r * (even + r * odd))) * second


def array_log(x):  # type: ignore[no-untyped-def]
    """math.log, but -inf at 0 and nan below: k * log(2) + log(m), m between sqrt(1/2) and sqrt(2), by the series of log((1 + s) / (1 - s))."""
    x = np.float64(x)
    tiny = x < 2.2250738585072014e-308
    bits = np.float64(x * 18014398509481984.0 if tiny else x).view(np.int64)
    k = (((bits >> 32) + 614242) >> 20) - 1023
    f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
    e = np.float64(k) - (54.0 if tiny else 0.0)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860510658591e-01)))
    h = 0.5 * f * f
    y = e * 6.93147180369123816490e-01 - ((h - (s * (h + (even + odd)) + e * 1.90821492927058770002e-10)) - f)
    y = y if x < np.inf else x
    return y if x > 0.0 else (-np.inf if x == 0.0 else np.nan)


def array_tanh(x):  # type: ignore[no-untyped-def]
    """math.tanh: 1 - 2 / (exp(2 |x|) + 1), near zero a rational function."""
    x = np.float64(x)
    size = abs(x)
    t = 2.0 * (20.0 if size > 20.0 else size)
    k = (t * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0
    high = t - k * 6.93147180369123816490e-01
    r = high - k * 1.90821492927058770002e-10
    s = r * r
    even = 2.4801491729408733e-05 + s * 2.7630763886684216e-07
    even = 0.0013888888944871324 + s * even
    even = 0.04166666666652578 + s * even
    even = 0.5000000000000011 + s * even
    odd = 2.7557530021730183e-06 + s * 2.502038099711407e-08
    odd = 0.00019841269560701792 + s * odd
    odd = 0.008333333333473705 + s * odd
    odd = 0.16666666666666438 + s * odd
    power = np.int64((np.float64(k + 6755399441055744.0).view(np.int64) + 1023) << 52).view(np.float64)
    far = 1.0 - 2.0 / ((1.0 + r * (1.0 + r * (even + r * odd))) * power + 1.0)
    z = size * size
    above = -1.61468768441708447952e3 + z * (-9.92877231001918586564e1 + z * -9.64399179425052238628e-1)
    below = 4.84406305325125486048e3 + z * (2.23548839060100448583e3 + z * (1.12811678491632931402e2 + z))
    near = size + size * z * (above / below)
    return np.copysign(far if size >= 0.625 else near, x)


def array_erf(x):  # type: ignore[no-untyped-def]
    """math.erf: near zero x + x * a polynomial of x ** 2; from 0.8 on 1 - exp(-x ** 2) t g(t), t = 1 / (|x| + 3)."""
    x = np.float64(x)
    size = abs(x)
    z = x * x
    q = -1.5827667064567424e-07 + z * 1.1079017947501558e-08
    q = 1.641705649300286e-06 + z * q
    q = -1.4923283048388212e-05 + z * q
    q = 0.00012055252657271225 + z * q
    q = -0.000854832526774754 + z * q
    q = 0.005223977601471378 + z * q
    q = -0.02686617064321942 + z * q
    q = 0.11283791670947298 + z * q
    q = -0.37612638903183626 + z * q
    q = 0.12837916709551256 + z * q
    far = 6.0 if size > 6.0 else size
    t = 1.0 / (far + 3.0)
    u = t * 13.153846153846153 - 2.4615384615384617
    g = 9.420319197908076e-12 + u * -8.697134829892585e-12
    g = 2.803795698358931e-10 + u * g
    g = -5.744148188088569e-10 + u * g
    g = -8.721109055452435e-09 + u * g
    g = 2.0339767718461165e-08 + u * g
    g = 3.226559395147224e-07 + u * g
    g = -3.381949188801956e-07 + u * g
    g = -1.3974069231764346e-05 + u * g
    g = -3.6068825705829354e-05 + u * g
    g = 0.0004921785133844807 + u * g
    g = 0.005866832904182545 + u * g
    g = 0.03541515478315175 + u * g
    g = 0.14895676317984863 + u * g
    g = 0.475902890987678 + u * g
    g = 1.1919984657881608 + u * g
    square = far * far
    k = (square * -1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0
    high = -square - k * 6.93147180369123816490e-01
    r = high - k * 1.90821492927058770002e-10
    s = r * r
    even = 2.4801491729408733e-05 + s * 2.7630763886684216e-07
    even = 0.0013888888944871324 + s * even
    even = 0.04166666666652578 + s * even
    even = 0.5000000000000011 + s * even
    odd = 2.7557530021730183e-06 + s * 2.502038099711407e-08
    odd = 0.00019841269560701792 + s * odd
    odd = 0.008333333333473705 + s * odd
    odd = 0.16666666666666438 + s * odd
    power = np.int64((np.float64(k + 6755399441055744.0).view(np.int64) + 1023) << 52).view(np.float64)
    tail = t * g * (1.0 + r * (1.0 + r * (even + r * odd))) * power
    return x + x * q if size < 0.8 else np.copysign(1.0 - tail, x)


def array_erfc(x):  # type: ignore[no-untyped-def]
    """math.erfc: as `array_erf`; x ** 2 as the square of its first 21 digits, which is exact, and the rest."""
    x = np.float64(x)
    size = abs(x)
    z = x * x
    q = -1.5827667064567424e-07 + z * 1.1079017947501558e-08
    q = 1.641705649300286e-06 + z * q
    q = -1.4923283048388212e-05 + z * q
    q = 0.00012055252657271225 + z * q
    q = -0.000854832526774754 + z * q
    q = 0.005223977601471378 + z * q
    q = -0.02686617064321942 + z * q
    q = 0.11283791670947298 + z * q
    q = -0.37612638903183626 + z * q
    q = 0.12837916709551256 + z * q
    near = 0.5 - (x * q + (x - 0.5))
    far = 27.5 if size > 27.5 else size
    t = 1.0 / (far + 3.0)
    u = t * 8.681647940074907 - 1.2846441947565543
    g = 1.1592439827436215e-10 + u * -8.60450398921269e-12
    g = 4.837368899674566e-11 + u * g
    g = -1.7732576874363003e-09 + u * g
    g = 2.307821063601626e-10 + u * g
    g = 2.0495409988049706e-08 + u * g
    g = -4.22925700655702e-09 + u * g
    g = -2.460354016044171e-07 + u * g
    g = -6.564812781012141e-08 + u * g
    g = 3.2099989189624775e-06 + u * g
    g = 5.070007667403282e-06 + u * g
    g = -3.961787989319994e-05 + u * g
    g = -0.00018346895137062432 + u * g
    g = 0.00010326075637576517 + u * g
    g = 0.004239697479933072 + u * g
    g = 0.02381678097644426 + u * g
    g = 0.08590318340952477 + u * g
    g = 0.23614358860818438 + u * g
    g = 0.5266643845696212 + u * g
    g = 0.9819264468765884 + u * g
    head = np.int64(np.float64(far).view(np.int64) & -4294967296).view(np.float64)
    square = head * head
    k = (square * -1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0
    high = -square - k * 6.93147180369123816490e-01
    r = high - (k * 1.90821492927058770002e-10 + (far - head) * (far + head))
    s = r * r
    even = 2.4801491729408733e-05 + s * 2.7630763886684216e-07
    even = 0.0013888888944871324 + s * even
    even = 0.04166666666652578 + s * even
    even = 0.5000000000000011 + s * even
    odd = 2.7557530021730183e-06 + s * 2.502038099711407e-08
    odd = 0.00019841269560701792 + s * odd
    odd = 0.008333333333473705 + s * odd
    odd = 0.16666666666666438 + s * odd
    half = k * 0.5 + 6755399441055744.0
    rest = (k - (half - 6755399441055744.0)) + 6755399441055744.0
    first = np.int64((np.float64(half).view(np.int64) + 1023) << 52).view(np.float64)
    second = np.int64((np.float64(rest).view(np.int64) + 1023) << 52).view(np.float64)
    tail = t * g * (1.0 + r * (1.0 + r * (even + r * odd))) * first * second
    return near if size < 0.8 else (tail if x > 0.0 else 2.0 - tail)


def array_hypot(x, y):  # type: ignore[no-untyped-def]
    """math.hypot, the modulus of a complex number too: the larger one times sqrt(1 + ratio ** 2), which neither overflows nor underflows before the result does."""
    x, y = abs(np.float64(x)), abs(np.float64(y))
    large, small = x if x > y else y, y if x > y else x
    ratio = small / (large if large > 0.0 else 1.0)
    found = large * np.sqrt(1.0 + ratio * ratio)
    return np.inf if (x == np.inf) | (y == np.inf) else found


VECTOR_MATH: dict[str, Callable[..., Any]] = {"array_exp": array_exp, "array_log": array_log, "array_tanh": array_tanh, "array_erf": array_erf, "array_erfc": array_erfc, "array_hypot": array_hypot}
"""By name: `array_` and the name of `math`'s function. A single number is left to `math`: there these are slower."""
