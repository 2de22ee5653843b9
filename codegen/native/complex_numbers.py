"""Products, quotients, moduli and square roots of complex numbers in LLVM, by Numba's formulas (CPython's).

    (a + bi)(c + di)     ->     fmul, fmul, fsub  and  fmul, fmul, fadd

Numba writes them in Python and compiles that: 0.1 s for each, in each process that needs it.
"""
from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
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


def _root(builder: ir.IRBuilder, values: Values, _fail: Fail) -> ir.Value:
    """With the larger part first ("Algorithm 312: absolute value and square root of a complex number", 1967); large ones are made smaller, so that nothing overflows before the result does."""
    real, imag = _parts(builder, values[0])
    type_, module = real.type, builder.module
    size, root = (module.declare_intrinsic(f"llvm.{name}", [type_]) for name in ("fabs", "sqrt"))
    sign = module.declare_intrinsic("llvm.copysign", [type_], ir.FunctionType(type_, [type_] * 2))
    zero, infinite = ir.Constant(type_, 0.0), ir.Constant(type_, float("inf"))
    above = ir.Constant(type_, float(np.finfo(np.float32 if isinstance(type_, ir.FloatType) else np.float64).max) / 4)
    size_real, size_imag = builder.call(size, [real]), builder.call(size, [imag])
    large = builder.or_(builder.fcmp_ordered(">", size_real, above), builder.fcmp_ordered(">", size_imag, above))
    down, up = (builder.select(large, ir.Constant(type_, factor), ir.Constant(type_, 1.0)) for factor in (0.25, 2.0))
    one, other = builder.fmul(size_real, down), builder.fmul(size_imag, down)
    modulus = _modulus(builder, [_joined(builder, values[0].type, one, other)], _fail)
    half = builder.call(root, [builder.fmul(builder.fadd(one, modulus), ir.Constant(type_, 0.5))])
    rest = builder.fdiv(other, builder.fadd(half, half))
    half, rest = builder.fmul(half, up), builder.fmul(rest, up)
    right = builder.fcmp_ordered(">=", real, zero)
    nothing = builder.and_(builder.fcmp_ordered("==", size_real, zero), builder.fcmp_ordered("==", size_imag, zero))
    endless = builder.fcmp_ordered("==", size_imag, infinite)
    found_real, found_imag = builder.select(right, half, rest), builder.call(sign, [builder.select(right, rest, half), imag])
    real = builder.select(nothing, zero, builder.select(endless, infinite, found_real))
    return _joined(builder, values[0].type, real, builder.select(builder.or_(nothing, endless), imag, found_imag))


_WRITTEN: dict[Any, Written] = {np.sqrt: _root, operator.mul: _product, operator.imul: _product, operator.truediv: _quotient, operator.itruediv: _quotient, abs: _modulus}
