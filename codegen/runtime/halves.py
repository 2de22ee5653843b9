"""float16 for Numba's CPU kernels, which Numba itself does not know: two bytes in memory, computed in float32 as NumPy computes it.

    y[i] = np.float16(x[i] + z[i])     # a float32 sum, rounded to the nearest float16, ties to even

A number is held by its bits. Numba's promotion takes float16 to float32 for every operation, so that only conversions are told here. This
file's text is copied into modules that stand alone.
"""
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import boxing, types  # noqa: F401 (what is imported enters Numba's own conversions of floats, which the last lines replace)
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_cast, lower_constant
from numba.core.pythonapi import _boxers, _unboxers
from numba.core.typing import signature
from numba.extending import NativeValue, lower_builtin

_BITS, _SINGLE, _DOUBLE, _WORD, _LONG = ir.IntType(16), ir.FloatType(), ir.DoubleType(), ir.IntType(32), ir.IntType(64)


@register_default(types.Float)
class Floats(models.PrimitiveModel):
    """A float as LLVM has it; a float16 as its bits."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, {16: _BITS, 32: _SINGLE, 64: _DOUBLE}[fe_type.bitwidth])


def _widened(builder: Any, bits: Any) -> Any:
    """The float32 of a float16: its exponent and mantissa where float32 has them, times what the exponents' biases differ by."""
    word = builder.zext(bits, _WORD)
    sign = builder.shl(builder.and_(word, _WORD(0x8000)), _WORD(16))
    magnitude = builder.shl(builder.and_(word, _WORD(0x7FFF)), _WORD(13))
    scaled = builder.bitcast(builder.fmul(builder.bitcast(magnitude, _SINGLE), _SINGLE(2.0**112)), _WORD)
    endless = builder.icmp_unsigned(">=", magnitude, _WORD(0x7C00 << 13))
    found = builder.select(endless, builder.or_(magnitude, _WORD(0x7F800000)), scaled)
    return builder.bitcast(builder.or_(found, sign), _SINGLE)


def _rounded(builder: Any, single: Any) -> Any:
    """The float16 that is nearest to a float32, the even one of two; beyond the largest one infinity."""
    word = builder.bitcast(single, _WORD)
    sign = builder.trunc(builder.lshr(builder.and_(word, _WORD(0x80000000)), _WORD(16)), _BITS)
    magnitude = builder.and_(word, _WORD(0x7FFFFFFF))
    odd = builder.and_(builder.lshr(magnitude, _WORD(13)), _WORD(1))
    normal = builder.lshr(builder.add(builder.add(magnitude, _WORD(0xFFF - (112 << 23) & 0xFFFFFFFF)), odd), _WORD(13))
    shifted = builder.fadd(builder.bitcast(magnitude, _SINGLE), _SINGLE(0.5))  # whose last bit is that of a subnormal float16
    subnormal = builder.sub(builder.bitcast(shifted, _WORD), _WORD(0x3F000000))
    payload = builder.or_(builder.and_(builder.lshr(magnitude, _WORD(13)), _WORD(0x3FF)), _WORD(0x7C00))
    silent = builder.select(builder.icmp_unsigned("==", payload, _WORD(0x7C00)), _WORD(0x7C01), payload)
    found = builder.select(builder.icmp_unsigned("<", magnitude, _WORD(113 << 23)), subnormal, normal)
    found = builder.select(builder.icmp_unsigned(">=", magnitude, _WORD(0x477FF000)), _WORD(0x7C00), found)
    found = builder.select(builder.icmp_unsigned(">", magnitude, _WORD(0x7F800000)), silent, found)
    return builder.or_(builder.trunc(found, _BITS), sign)


def _narrowed(builder: Any, double: Any) -> Any:
    """The float32 of a float64 that is rounded to the same float16: cut off, its last bit set where anything was."""
    word = builder.bitcast(double, _LONG)
    cut = builder.and_(word, _LONG(~0x1FFFFFFF & 0xFFFFFFFFFFFFFFFF))
    kept = builder.or_(cut, builder.select(builder.icmp_unsigned("==", cut, word), _LONG(0), _LONG(0x20000000)))
    return builder.fptrunc(builder.bitcast(kept, _DOUBLE), _SINGLE)


@lower_cast(types.float16, types.float32)
def _half_to_single(context: Any, builder: Any, fromty: Any, toty: Any, val: Any) -> Any:
    return _widened(builder, val)


@lower_cast(types.float32, types.float16)
def _single_to_half(context: Any, builder: Any, fromty: Any, toty: Any, val: Any) -> Any:
    return _rounded(builder, val)


@lower_cast(types.float64, types.float16)
def _double_to_half(context: Any, builder: Any, fromty: Any, toty: Any, val: Any) -> Any:
    return _rounded(builder, _narrowed(builder, val))


@lower_cast(types.float16, types.float64)
@lower_cast(types.float16, types.Integer)
@lower_cast(types.float16, types.Complex)
def _half_to_number(context: Any, builder: Any, fromty: Any, toty: Any, val: Any) -> Any:
    return context.cast(builder, _widened(builder, val), types.float32, toty)


@lower_cast(types.Integer, types.float16)
@lower_cast(types.IntegerLiteral, types.float16)
def _integer_to_half(context: Any, builder: Any, fromty: Any, toty: Any, val: Any) -> Any:
    return _rounded(builder, context.cast(builder, val, fromty, types.float32))


@lower_constant(types.float16)
def _constant_half(context: Any, builder: Any, ty: Any, pyval: Any) -> Any:
    return _BITS(int(np.float16(pyval).view(np.uint16)))


@lower_builtin(bool, types.float16)
def _half_as_bool(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.icmp_unsigned("!=", builder.and_(args[0], _BITS(0x7FFF)), _BITS(0))


def _compared(compare: Any) -> None:
    """A comparison of two, which Numba asks for without promotion where it takes the larger one."""

    @lower_builtin(compare, types.float16, types.float16)
    def _halves_compared(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        of_singles = signature(types.boolean, types.float32, types.float32)
        return context.get_function(compare, of_singles)(builder, [_widened(builder, arg) for arg in args])


for _compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
    _compared(_compare)


def _unbox_float(typ: Any, obj: Any, c: Any) -> Any:
    number = c.pyapi.number_float(obj)
    double = c.pyapi.float_as_double(number)
    c.pyapi.decref(number)
    return NativeValue(c.context.cast(c.builder, double, types.float64, typ), is_error=c.pyapi.c_api_error())


def _box_float(typ: Any, val: Any, c: Any) -> Any:
    return c.pyapi.float_from_double(c.context.cast(c.builder, val, typ, types.float64))


_unboxers.functions[types.Float], _boxers.functions[types.Float] = _unbox_float, _box_float
