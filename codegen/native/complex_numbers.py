"""Products, quotients and moduli of complex numbers in LLVM, by Numba's formulas (CPython's).

    (a + bi)(c + di)     ->     fmul, fmul, fsub  and  fmul, fmul, fadd

Numba writes them in Python and compiles that: 0.1 s for each, in each process that needs it.
"""
from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

Values = list[ir.Value]
Fail = Callable[[type[Exception], str], None]
"""Leaves the kernel with an exception of these words."""
Written = Callable[[ir.IRBuilder, Values, Fail], ir.Value]


def written(function: Any, given: tuple[types.Type, ...]) -> Written | None:
    """What writes a function of Numba's for complex numbers, where it is one of these."""
    if sys.version_info >= (3, 14) or sys.platform == "win32":  # Numba's products look again at infinities there; C's hypot has another name
        return None
    return _WRITTEN.get(function) if given and all(isinstance(each, types.Complex) for each in given) else None


def _parts(builder: ir.IRBuilder, value: ir.Value) -> Values:
    return [builder.extract_value(value, k) for k in range(2)]


def _joined(builder: ir.IRBuilder, type_: ir.Type, real: ir.Value, imag: ir.Value) -> ir.Value:
    return builder.insert_value(builder.insert_value(ir.Constant(type_, ir.Undefined), real, 0), imag, 1)


def _product(builder: ir.IRBuilder, values: Values, _fail: Fail) -> ir.Value:
    (a, b), (c, d) = (_parts(builder, value) for value in values)
    real = builder.fsub(builder.fmul(a, c), builder.fmul(b, d))
    imag = builder.fadd(builder.fmul(a, d), builder.fmul(b, c))
    return _joined(builder, values[0].type, real, imag)


def _quotient(builder: ir.IRBuilder, values: Values, fail: Fail) -> ir.Value:
    """Both scaled by the divisor's larger part (Smith, "Algorithm 116: complex division", 1962)."""
    (a, b), (c, d) = (_parts(builder, value) for value in values)
    size = builder.module.declare_intrinsic("llvm.fabs", [c.type])
    size_c, size_d, zero = builder.call(size, [c]), builder.call(size, [d]), ir.Constant(c.type, 0.0)
    nothing = builder.and_(builder.fcmp_ordered("==", size_c, zero), builder.fcmp_ordered("==", size_d, zero))
    with builder.if_then(nothing, likely=False):
        fail(ZeroDivisionError, "complex division by zero")
    wide = builder.fcmp_ordered(">=", size_c, size_d)
    large, small = builder.select(wide, c, d), builder.select(wide, d, c)
    ratio = builder.fdiv(small, large)
    denominator = builder.fadd(large, builder.fmul(small, ratio))
    scaled_a, scaled_b = builder.fmul(a, ratio), builder.fmul(b, ratio)
    real = builder.fadd(builder.select(wide, a, scaled_a), builder.select(wide, scaled_b, b))
    imag = builder.fsub(builder.select(wide, b, scaled_b), builder.select(wide, scaled_a, a))
    return _joined(builder, values[0].type, builder.fdiv(real, denominator), builder.fdiv(imag, denominator))


def _modulus(builder: ir.IRBuilder, values: Values, _fail: Fail) -> ir.Value:
    real, imag = _parts(builder, values[0])
    name = "hypotf" if isinstance(real.type, ir.FloatType) else "hypot"
    hypot = cgutils.get_or_insert_function(builder.module, ir.FunctionType(real.type, [real.type] * 2), name)
    return builder.call(hypot, [real, imag])


_WRITTEN: dict[Any, Written] = {operator.mul: _product, operator.imul: _product, operator.truediv: _quotient, operator.itruediv: _quotient, abs: _modulus}
