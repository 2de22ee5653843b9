"""NumPy's small functions: windows of signals, floats' parts, divisors, orders, kinds of numbers."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed import lax_bits
from s2s.transforms.read.composed.floats import as_floats
from s2s.transforms.read.composed.lax_elements import make_complex
from s2s.transforms.read.composed.marks import constant, unsupported

# ---- windows ---------------------------------------------------------------------------------------------------------------


def bartlett(M):
    """np.bartlett."""
    n = _odd(M)
    return np.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)) if M > 1 else np.ones(max(M, 0))


def blackman(M):
    """np.blackman."""
    n = _odd(M)
    return 0.42 + 0.5 * np.cos(np.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * np.pi * n / (M - 1)) if M > 1 else np.ones(max(M, 0))


def hamming(M):
    """np.hamming."""
    return 0.54 + 0.46 * np.cos(np.pi * _odd(M) / (M - 1)) if M > 1 else np.ones(max(M, 0))


def hanning(M):
    """np.hanning."""
    return 0.5 + 0.5 * np.cos(np.pi * _odd(M) / (M - 1)) if M > 1 else np.ones(max(M, 0))


def i0(x):
    """np.i0."""
    import scipy.special

    x = np.asanyarray(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    return np.asarray(scipy.special.i0(x)).astype(x.dtype)


def kaiser(M, beta):
    """np.kaiser."""
    import scipy.special

    if np.asarray(beta).dtype.kind == "c":
        unsupported("np.kaiser with a complex shape", "a real one")
    if M == 1:
        return np.ones(1)
    n, half = np.arange(0, M), (M - 1) / 2.0
    return scipy.special.i0(beta * np.sqrt(1 - ((n - half) / half) ** 2.0)) / scipy.special.i0(np.float64(beta))


def _odd(M):
    return np.arange(1.0 - M, M, 2.0)


def _need_plain(name, out, where, casting, order, dtype, signature):
    if out is not None or where is not True or casting != "same_kind" or order not in ("K", "A", "C", None) or dtype is not None or signature is not None:
        unsupported(f"np.{name} with an option of ufuncs", "astype, np.where")


def _floats(name, x):
    if x.dtype.kind == "c":
        raise TypeError(f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
    return as_floats(x)


# ---- floats ----------------------------------------------------------------------------------------------------------------


def modf(x, /, *, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.modf: the fraction and the whole, both with x's sign."""
    _need_plain("modf", out, where, casting, order, dtype, signature)
    x = _floats("modf", np.asarray(x))
    whole = np.trunc(x)
    return np.copysign(np.where(np.isinf(x), np.zeros_like(x), x - whole), x)[()], whole[()]


def frexp(x, /, *, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.frexp: the mantissa between 0.5 and 1, and the exponent of 2."""
    _need_plain("frexp", out, where, casting, order, dtype, signature)
    x = _floats("frexp", np.asarray(x))
    plain = np.isfinite(x) & (x != 0.0)
    size = np.abs(np.where(plain, x, np.ones_like(x)))
    tiny = size < np.finfo(x.dtype).tiny
    shift = np.finfo(x.dtype).nmant + 1  # makes the smallest number a normal one, and no number too large
    size = np.where(tiny, size * x.dtype.type(2.0**shift), size)
    exponent = np.floor(np.log2(size)).astype(np.int32) + np.int32(1)
    mantissa = ldexp(size, -exponent)
    exponent = exponent + (mantissa >= 1.0).astype(np.int32) - (mantissa < 0.5).astype(np.int32)
    mantissa = np.where(mantissa >= 1.0, mantissa * x.dtype.type(0.5), np.where(mantissa < 0.5, mantissa * x.dtype.type(2.0), mantissa))
    exponent = np.where(plain, exponent - np.where(tiny, np.int32(shift), np.int32(0)), np.int32(0))
    return np.where(plain, np.copysign(mantissa, x), x)[()], exponent[()]


def ldexp(x1, x2, /, *, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.ldexp: x1 * 2**x2, rounded once."""
    _need_plain("ldexp", out, where, casting, order, dtype, signature)
    if isinstance(x1, int):
        unsupported("np.ldexp of a Python int, which NumPy computes in float16,", "a float")
    x = _floats("ldexp", np.asarray(x1))
    if np.asarray(x2).dtype.kind not in "biu" or np.asarray(x2).dtype == np.uint64:
        raise TypeError("ufunc 'ldexp' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
    if x.dtype == np.float16:
        return ldexp(x.astype(np.float32), x2).astype(np.float16)[()]
    high, low = (1023, -1022) if x.dtype == np.float64 else (127, -126)
    whole = np.clip(np.asarray(x2).astype(np.int64), 3 * low, 3 * high)  # in three steps, the largest one last: only it rounds
    one = np.clip(whole, low, high)
    two = np.clip(whole - one, low, high)
    three = whole - one - two
    return (x * np.exp2(three.astype(x.dtype)) * np.exp2(two.astype(x.dtype)) * np.exp2(one.astype(x.dtype)))[()]


def spacing(x, /, *, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.spacing: how far the next number away from zero lies."""
    _need_plain("spacing", out, where, casting, order, dtype, signature)
    x = np.asarray(x)
    x = _floats("spacing", x)
    x = constant(x if x.dtype.kind == "f" else x.astype(np.float64))
    if x.dtype.name == "float16":  # NumPy's is positive, and finite at the largest number
        size = np.abs(x)
        return np.where(np.isfinite(x), np.minimum(np.nextafter(size, np.float16(np.inf)) - size, np.float16(32)), np.float16(np.nan))[()]
    away = np.where(x < 0, -np.inf, np.inf).astype(x.dtype)
    return (np.nextafter(x, away) - x)[()]


def isneginf(x, out=None):
    """np.isneginf."""
    _refuse_out("isneginf", out)
    return np.logical_and(np.isinf(x), np.signbit(x))


def isposinf(x, out=None):
    """np.isposinf."""
    _refuse_out("isposinf", out)
    return np.logical_and(np.isinf(x), ~np.signbit(x))


def _refuse_out(name, out):
    if out is not None:
        unsupported(f"np.{name}(…, out) by its place", "out=…")


def iscomplex(x):
    """np.iscomplex: whether the imaginary part is not zero; of a Python number, too, NumPy's bool."""
    return np.asanyarray(x).imag != 0


def isreal(x):
    """np.isreal: whether the imaginary part is zero; of a Python number Python's bool, as its imaginary part is its own."""
    return np.imag(x) == 0


def real_if_close(a, tol=100):
    """np.real_if_close: real or complex, by its values."""
    a = np.asanyarray(a)
    if a.dtype.kind != "c":
        return a
    bound = np.finfo(a.dtype).eps * tol if tol > 1 else tol
    if np.all(np.absolute(a.imag) < bound):
        return a.real
    return a


# ---- divisors --------------------------------------------------------------------------------------------------------------


def gcd(x1, x2, /, *, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.gcd: Euclid's algorithm."""
    _need_plain("gcd", out, where, casting, order, dtype, signature)
    x, y = _integers("gcd", x1, x2)
    if x.ndim == 0 and y.ndim == 0:
        a, b = _natural(x)[()], _natural(y)[()]
        while b != 0:
            a, b = b, a % b
        return a.astype(x.dtype)
    x, y = np.broadcast_arrays(x, y)
    return _common_divisor(_natural(x), _natural(y)).astype(x.dtype)[()]


def _natural(a):
    """The sizes of integers, without a sign: that of the least one is no integer of its dtype."""
    return a if a.dtype.kind == "u" else np.abs(a).astype(np.dtype("u" + a.dtype.name))


def _common_divisor(a, b):
    while np.any(b != 0):
        a, b = np.where(b == 0, a, b), np.where(b == 0, b, a % np.where(b == 0, np.ones_like(b), b))
    return a


def lcm(x1, x2, /, *, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    """np.lcm."""
    _need_plain("lcm", out, where, casting, order, dtype, signature)
    x, y = _integers("lcm", x1, x2)
    if x.ndim > 0 or y.ndim > 0:
        x, y = np.broadcast_arrays(x, y)
    a, b = _natural(x), _natural(y)
    divisor = gcd(a, b)
    return np.where(divisor == 0, np.zeros_like(a), a // np.where(divisor == 0, np.ones_like(a), divisor) * b).astype(x.dtype)[()]


def _integers(name, x1, x2):
    dtype = np.result_type(x1, x2)
    if dtype.kind not in "iu":
        raise TypeError(f"ufunc '{name}' did not contain a loop with signature matching types")
    return np.asarray(x1).astype(dtype), np.asarray(x2).astype(dtype)


# ---- orders and parts --------------------------------------------------------------------------------------------------------


def partition(a, kth, axis=-1, kind="introselect", order=None):
    """np.partition: sorted altogether, which is one of the partitions."""
    _need_kind(kind, order)
    found = np.sort(a, axis=axis)
    _need_places(a, kth, axis)
    return found


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """np.argpartition: the order of all, which is one of the partitions."""
    _need_kind(kind, order)
    found = np.argsort(a, axis=axis, kind="stable")
    _need_places(a, kth, axis)
    return found


def _need_kind(kind, order):
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


def _need_places(a, kth, axis):
    length = np.size(a) if axis is None else np.shape(a)[axis]
    for place in kth if isinstance(kth, (tuple, list)) else (kth,):
        if np.size(a) > 0 and np.any((np.asarray(place) < -length) | (np.asarray(place) >= length)):
            raise ValueError(f"kth(={place}) out of bounds ({length})")


def sort_complex(a):
    """np.sort_complex."""
    found = np.sort(a)
    if found.dtype.kind == "c":
        return found
    return found.astype(np.complex64 if found.dtype.kind in "iu" and found.dtype.itemsize <= 2 else np.complex128)


def diagflat(v, k=0):
    """np.diagflat."""
    return np.diag(np.ravel(v), k)


def diag_indices_from(arr):
    """np.diag_indices_from."""
    if not arr.ndim >= 2:
        raise ValueError("input array must be at least 2-d")
    if any(length != arr.shape[0] for length in arr.shape):
        raise ValueError("All dimensions of input must be of equal length")
    return (np.arange(arr.shape[0]),) * arr.ndim


def dsplit(ary, indices_or_sections):
    """np.dsplit."""
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return np.split(ary, indices_or_sections, 2)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """np.geomspace between real numbers of one sign."""
    start, stop = np.asarray(start), np.asarray(stop)
    if start.dtype.kind == "c" or stop.dtype.kind == "c" or dtype is not None and np.dtype(dtype).kind == "c":
        unsupported("np.geomspace of complex numbers", "np.exp(np.linspace(…))")
    start, stop = start.astype(np.float64), stop.astype(np.float64)
    if np.any(start == 0) or np.any(stop == 0):
        raise ValueError("Geometric sequence cannot include zero")
    sign = np.sign(start)
    exponents = np.linspace(np.log10(start / sign), np.log10(np.where(num > 1, stop, start) / sign), num, endpoint=endpoint)
    found = np.empty_like(exponents)
    # The ends are the arguments themselves: no power of a nan (ends of two signs) may reach their derivatives.
    inner = exponents[1 : num - 1] if num > 1 and endpoint else exponents[1:]
    found[1 : len(inner) + 1] = 10.0**inner
    if num > 0:
        found[0] = start / sign
        if num > 1 and endpoint:
            found[-1] = stop / sign
    found = np.moveaxis(found * sign, 0, axis)
    return found if dtype is None else found.astype(dtype)


def asarray_chkfinite(a, dtype=None, order=None):
    """np.asarray_chkfinite."""
    a = np.asarray(a, dtype=dtype, order=order)
    if a.dtype.kind in "fc" and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def astype(x, dtype, /, *, copy=True, device=None):
    """np.astype."""
    return x.astype(dtype)


def tolist(a):
    """x.tolist(): Python's numbers, in lists as deep as the array has axes."""
    if a.ndim == 0:
        return a.item()
    return [item.item() for item in a] if a.ndim == 1 else [tolist(row) for row in a]


def partition_in_place(a, kth, axis=-1, kind="introselect", order=None):
    """x.partition(…)."""
    a[...] = np.partition(a, kth, axis, kind, order)


def view(a, dtype, apart):
    """x.view(dtype): the bits of the last axis as numbers of another dtype. `apart`: how many bytes lie from one of its elements to the next."""
    dtype = np.dtype(dtype)
    if a.ndim > 0 and apart != a.dtype.itemsize and a.shape[-1] != 1 and a.size > 0:
        raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
    if a.dtype.kind == "c" and dtype.kind != "c":
        half = np.float32 if a.dtype.itemsize == 8 else np.float64
        parts = np.stack((a.real, a.imag), axis=-1)
        return _as_dtype(parts.reshape((*a.shape[:-1], a.shape[-1] * 2)) if a.ndim > 0 else parts, np.dtype(half), dtype)
    if dtype.kind == "c":
        pairs = _as_dtype(a, a.dtype, np.dtype(np.float32 if dtype.itemsize == 8 else np.float64))
        if pairs.ndim == 0 or pairs.shape[-1] % 2 != 0:
            raise ValueError("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.")
        return make_complex(pairs[..., ::2], pairs[..., 1::2])
    return _as_dtype(a, a.dtype, dtype)


def _as_dtype(a, own, dtype):
    """Bits of real numbers as those of another real dtype."""
    if own == dtype:
        return a
    if own.kind == "b" or dtype.kind == "b":
        unsupported(f"x.view from {own} to {dtype}", "x != 0, or astype")
    if own.itemsize == dtype.itemsize:
        return lax_bits.bitcast_convert_type(a, dtype)
    if a.ndim == 0:
        raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    if own.itemsize > dtype.itemsize:
        return lax_bits.bitcast_convert_type(a, dtype).reshape((*a.shape[:-1], a.shape[-1] * (own.itemsize // dtype.itemsize)))
    count = dtype.itemsize // own.itemsize
    if a.shape[-1] % count != 0:
        raise ValueError("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.")
    return lax_bits.bitcast_convert_type(a.reshape((*a.shape[:-1], a.shape[-1] // count, count)), dtype)


OF_METHODS: dict[str, Any] = {"numpy.ndarray.view": view, "numpy.ndarray.tolist": tolist, "numpy.ndarray.partition": partition_in_place}
"""Methods of arrays, by qualified name."""

SMALL = {
    f"numpy.{function.__name__}": function
    for function in (
        bartlett, blackman, hamming, hanning, i0, kaiser, spacing, sort_complex, modf, frexp, ldexp, isneginf, isposinf, iscomplex, isreal, real_if_close, gcd, lcm, partition, argpartition, diagflat,
        diag_indices_from, dsplit, geomspace, asarray_chkfinite, astype,
    )
}  # fmt: skip
