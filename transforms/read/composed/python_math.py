"""Functions of Python's math of several numbers and of integers. Integers of run time have 64 bits."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
import operator

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported


def factorial(n, /):
    """math.factorial."""
    n = _whole("factorial", n)
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    if n > 20:
        raise OverflowError("math.factorial of a run-time value above 20: integers of run time have 64 bits in s2s")
    product = 1
    for k in range(2, n + 1):
        product *= k
    return product


def comb(n, k, /):
    """math.comb."""
    n = _whole("comb", n)
    k = _whole("comb", k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    ways, least = 1, min(k, n - k)
    if k > n:
        return 0
    for j in range(least):
        if ways > 9223372036854775807 // (n - j):
            raise OverflowError("math.comb of run-time values with a result beyond 64 bits: integers of run time have 64 bits in s2s")
        ways = ways * (n - j) // (j + 1)
    return ways


def perm(n, k=None, /):
    """math.perm."""
    n = _whole("perm", n)
    if k is None:
        return factorial(n)
    k = _whole("perm", k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    if k > n:
        return 0
    ways = 1
    for j in range(k):
        if ways > 9223372036854775807 // (n - j):
            raise OverflowError("math.perm of run-time values with a result beyond 64 bits: integers of run time have 64 bits in s2s")
        ways *= n - j
    return ways


def gcd(*integers):
    """math.gcd."""
    found = 0
    for each in integers:
        number = _whole("gcd", each)
        found = _common(found, number)
    return found


def lcm(*integers):
    """math.lcm."""
    found = 1
    for each in integers:
        number = _whole("lcm", each)
        found = 0 if found == 0 or number == 0 else abs(found // _common(found, number) * number)
    return found


def _common(a, b):
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, a % b
    return a


def isqrt(n, /):
    """math.isqrt."""
    n = _whole("isqrt", n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = min(int(float(n) ** 0.5), 3037000499)
    if root * root > n:
        root -= 1
    next_one = min(root + 1, 3037000499)  # its square has 64 bits
    return next_one if next_one * next_one <= n else root


def _whole(name, n):
    if np.asarray(n).dtype.kind not in "biu":
        raise TypeError("'float' object cannot be interpreted as an integer")
    if np.ndim(n) > 0:
        unsupported(f"math.{name} of an array", "a loop over its elements")
    return operator.index(n)


def fsum(seq, /):
    """math.fsum: rounded once. Its derivative is that of a sum. Source: Shewchuk, "Adaptive precision floating-point arithmetic" (1997)."""
    values = np.array([_number(each) for each in seq])
    total = np.sum(values)
    return float(constant(_rounded_once(constant(values))) + (total - constant(total)) if np.isfinite(total) else total)


def _number(value):
    if isinstance(value, str | None):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


def _rounded_once(values):
    """The exact sum as partial sums that don't overlap, added from the largest on; what is left decides a tie."""
    parts, count = np.zeros(64), 0
    for value in values:
        x, kept = value, 0
        for j in range(count):
            y = parts[j]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                parts[kept] = low
                kept += 1
            x = high
        parts[kept] = x
        count = kept + 1
    if count == 0:
        return 0.0
    total, low, place = parts[count - 1], 0.0, count - 1
    while place > 0 and low == 0.0:
        place -= 1
        x, y = total, parts[place]
        total = x + y
        low = y - (total - x)
    if place > 0 and ((low < 0.0 and parts[place - 1] < 0.0) or (low > 0.0 and parts[place - 1] > 0.0)):
        twice = low * 2.0
        moved = total + twice
        if twice == moved - total:
            total = moved
    return total


def dist(p, q, /):
    """math.dist of arrays."""
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    gaps = np.asarray(p, dtype=np.float64) - np.asarray(q, dtype=np.float64)
    largest = constant(np.max(np.abs(gaps), initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return float(np.sqrt(np.sum(gaps * gaps)))
    scaled = gaps / largest
    return float(largest * np.sqrt(np.sum(scaled * scaled)))


# ---- parts of a float ------------------------------------------------------------------------------------------------------


def frexp(x, /):
    """math.frexp."""
    mantissa, exponent = np.frexp(_real(x))
    return float(mantissa), int(exponent)


def ldexp(x, i, /):
    """math.ldexp."""
    if not isinstance(i, int):
        raise TypeError("Expected an int as second argument to ldexp.")
    found = float(np.ldexp(_real(x), i))
    if np.isinf(found) and np.isfinite(x):
        raise OverflowError("math range error")
    return found


def modf(x, /):
    """math.modf."""
    fraction, whole = np.modf(_real(x))
    return float(fraction), float(whole)


def nextafter(x, y, /, *, steps=None):
    """math.nextafter."""
    if steps is not None:
        unsupported("math.nextafter(…, steps=…)", "a loop")
    return float(np.nextafter(_real(x), _real(y)))


def ulp(x, /):
    """math.ulp."""
    size = abs(_real(x))
    if not np.isfinite(size):
        return size
    if size == 1.7976931348623157e308:  # the largest: none is above
        return 2.0**971
    return float(np.nextafter(size, np.inf)) - size


def remainder(x, y, /):
    """math.remainder: x less the multiple of y that is nearest, the even one of two. Exact, by two of fmod (IEEE 754)."""
    x, y = _real(x), _real(y)
    if np.isnan(x) or np.isnan(y):
        return x + y
    if np.isinf(x) or y == 0.0:
        raise ValueError("math domain error")
    if np.isinf(y):
        return x
    size, step = abs(x), abs(y)
    below = math.fmod(size, step)
    above = step - below
    if below == above:  # half a step: by whether the whole ones are even
        even = math.fmod(0.5 * (size - below), step) == 0.0
        nearest = below if even else -above
    else:
        nearest = below if below < above else -above
    return -nearest if np.signbit(x) else nearest


def _real(x):
    if isinstance(x, str):
        raise TypeError("must be real number, not str")
    return float(x)


# ---- decimals --------------------------------------------------------------------------------------------------------------


def rounded(number, ndigits):
    """round(x, n) of a Python float or int: to the nearest number of n decimals, halves to the even one. Equal bits: products and quotients with their rests (Dekker 1971) say which one is nearer."""
    if not isinstance(ndigits, int):
        raise TypeError("'float' object cannot be interpreted as an integer")
    if isinstance(number, int):
        return number if ndigits >= 0 else _rounded_int(number, -ndigits)
    return _rounded_float(float(constant(number)), ndigits)


def _rounded_float(x, ndigits):
    if not np.isfinite(x) or ndigits > 323:
        return x
    if ndigits < -308:
        return 0.0 * x
    if abs(ndigits) > _EXACT:
        return _beyond(x, ndigits)
    unit = 10.0 ** abs(ndigits)
    scaled = x * unit if ndigits >= 0 else x / unit
    if not abs(scaled) < 9007199254740992.0:  # a change is less than half of the distance to the next float
        return x
    near = np.rint(scaled)
    if abs(scaled - near) == 0.5:
        rest = _rest(x, unit, scaled) if ndigits >= 0 else (x - scaled * unit) - _rest(scaled, unit, scaled * unit)
        near = np.ceil(scaled) if rest > 0.0 else np.floor(scaled) if rest < 0.0 else near
    found = near / unit if ndigits >= 0 else near * unit
    return float(np.copysign(found, x))


_EXACT = 22
"""Powers of ten up to this one are floats."""


def _beyond(x, ndigits):
    """Where no float is the power of ten: of large numbers themselves, of small ones nothing."""
    size = abs(x)
    if ndigits < 0:
        if size < 0.49 * 10.0 ** (-ndigits):
            return 0.0 * x
    elif x == 0.0 or size * 1e22 * 10.0 ** (ndigits - _EXACT) > 1.9e16:
        return x
    raise NotImplementedError("round(x, n) of a run-time number to more than 22 decimals, of which some are not zero, is not supported")


def _rest(a, b, product):
    """a * b less its rounded value, exactly."""
    a_high, b_high = _upper_half(a), _upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _upper_half(a):
    split = 134217729.0 * a
    return split - (split - a)


def _rounded_int(n, tens):
    if tens > 18:
        if not -5000000000000000000 <= n <= 5000000000000000000:
            raise OverflowError("round(n, digits) of a run-time int beyond 64 bits: integers of run time have 64 bits in s2s")
        return 0
    unit = 10**tens
    count, rest = divmod(n, unit)
    return (count + 1 if 2 * rest > unit or (2 * rest == unit and count % 2 == 1) else count) * unit


# ---- bits of an int ----------------------------------------------------------------------------------------------------------


def bit_length(n):
    """int.bit_length."""
    _of_int("bit_length", n)
    if n == -(2**63):
        return 64
    n, count = abs(n), 0
    while n != 0:
        n >>= 1
        count += 1
    return count


def bit_count(n):
    """int.bit_count."""
    _of_int("bit_count", n)
    if np.asarray(n).dtype == np.uint64:
        unsupported("bit_count of np.uint64", "np.bitwise_count")
    n = int(n)
    if n == -(2**63):
        return 1
    n, count = abs(n), 0
    while n != 0:
        n &= n - 1
        count += 1
    return count


def _of_int(name, n):
    if not isinstance(n, int) and (name == "bit_length" or not isinstance(n, np.integer)):
        raise AttributeError(f"'{type(n).__name__}' object has no attribute '{name}'")


OF_INTS = {"builtins.int.bit_length": bit_length, "builtins.int.bit_count": bit_count}
"""Methods of Python's ints (and of NumPy's), by qualified name."""
