"""Functions of Python's math of several numbers and of integers. Integers of run time have 64 bits."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported


def factorial(n, /):
    """math.factorial."""
    _whole("factorial", n)
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
    _whole("comb", n)
    _whole("comb", k)
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
    _whole("perm", n)
    if k is None:
        return factorial(n)
    _whole("perm", k)
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
        _whole("gcd", each)
        found = _common(found, each)
    return found


def lcm(*integers):
    """math.lcm."""
    found = 1
    for each in integers:
        _whole("lcm", each)
        found = 0 if found == 0 or each == 0 else abs(found // _common(found, each) * each)
    return found


def _common(a, b):
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, a % b
    return a


def isqrt(n, /):
    """math.isqrt."""
    _whole("isqrt", n)
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


def fsum(seq, /):
    """math.fsum: rounded once. Its derivative is that of a sum. Source: Shewchuk, "Adaptive precision floating-point arithmetic" (1997)."""
    values = np.array([float(each) for each in seq])
    total = np.sum(values)
    return float(constant(_rounded_once(constant(values))) + (total - constant(total)) if np.isfinite(total) else total)


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
