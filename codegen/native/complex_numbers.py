"""Operations on complex numbers in LLVM: products, quotients and moduli by Numba's formulas (CPython's), functions by C's, which are NumPy's.

    (a + bi)(c + di)     ->     fmul, fmul, fsub  and  fmul, fmul, fadd
    np.sin(z)            ->     csin(z)

Numba writes them in Python and compiles that: 0.1 s for each, in each process that needs it. Its functions are not NumPy's at large, infinite and tiny numbers.
"""
from __future__ import annotations

import math
import operator
import platform
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

from s2s.codegen.native.real_numbers import called

Values = list[ir.Value]
Fail = Callable[[type[Exception], str], None]
"""Leaves the kernel with an exception of these words."""
Written = Callable[[ir.IRBuilder, Values, Fail], ir.Value]


def written(function: Any, given: tuple[types.Type, ...]) -> Written | None:
    """What writes a function of Numba's for complex numbers, where it is one of these."""
    if sys.platform == "win32" or not given:  # C's functions have other names there
        return None
    if function is complex:
        return _of_parts if len(given) == 2 and given[0] == given[1] and isinstance(given[0], types.Float) else None
    if not all(isinstance(each, types.Complex) for each in given) or function is operator.mul and sys.version_info >= (3, 14):  # Numba's looks again at infinities there
        return None
    return _WRITTEN.get(function) or (BY_C.get(function) if platform.machine() in _MACHINES else None)


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
    return called(builder, "hypot", _parts(builder, values[0]))


def _of_parts(builder: ir.IRBuilder, values: Values, _fail: Fail) -> ir.Value:
    """complex(real, imag)."""
    return _joined(builder, ir.LiteralStructType([values[0].type] * 2), *values)


def _scaled(builder: ir.IRBuilder, value: ir.Value, factor: float) -> ir.Value:
    """Both parts times a real number."""
    real, imag = (builder.fmul(part, ir.Constant(part.type, factor)) for part in _parts(builder, value))
    return _joined(builder, value.type, real, imag)


def _c_function(name: str, before: float = 1.0, behind: float = 1.0) -> Written:
    """C's function of this name, of the number times `before`, times `behind`."""

    def write(builder: ir.IRBuilder, values: Values, _fail: Fail) -> ir.Value:
        given = values[0] if before == 1.0 else _scaled(builder, values[0], before)
        found = _called(builder, name, given)
        return found if behind == 1.0 else _scaled(builder, found, behind)

    return write


def _called(builder: ir.IRBuilder, name: str, given: ir.Value) -> ir.Value:
    """A C function of a complex number, whose parts lie in a register each, but for single precision on x86-64: there they share one."""
    parts = _parts(builder, given)
    single = isinstance(parts[0].type, ir.FloatType)
    in_one = single and platform.machine() not in _ARM
    shared = ir.VectorType(parts[0].type, 2)
    type_ = ir.FunctionType(shared, [shared]) if in_one else ir.FunctionType(given.type, [part.type for part in parts])
    declared = cgutils.insert_pure_function(builder.module, type_, name + ("f" if single else ""))
    if not in_one:
        return builder.call(declared, parts)
    first, second = (ir.IntType(32)(k) for k in range(2))
    found = builder.call(declared, [builder.insert_element(builder.insert_element(ir.Constant(shared, ir.Undefined), parts[0], first), parts[1], second)])
    return _joined(builder, given.type, builder.extract_element(found, first), builder.extract_element(found, second))


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


_ARM = frozenset({"aarch64", "arm64"})
_MACHINES = _ARM | {"x86_64"}
"""Those on which it is known how C passes complex numbers."""
BY_C: dict[Any, Written] = {
    np.exp: _c_function("cexp"), np.log: _c_function("clog"),
    np.sin: _c_function("csin"), np.cos: _c_function("ccos"), np.tan: _c_function("ctan"),
    np.arcsin: _c_function("casin"), np.arccos: _c_function("cacos"), np.arctan: _c_function("catan"),
    np.sinh: _c_function("csinh"), np.cosh: _c_function("ccosh"), np.tanh: _c_function("ctanh"),
    np.arcsinh: _c_function("casinh"), np.arccosh: _c_function("cacosh"), np.arctanh: _c_function("catanh"),
    np.exp2: _c_function("cexp", before=math.log(2.0)), np.log2: _c_function("clog", behind=math.log2(math.e)), np.log10: _c_function("clog", behind=math.log10(math.e)),
}  # fmt: skip
_WRITTEN: dict[Any, Written] = {np.sqrt: _root, operator.mul: _product, operator.imul: _product, operator.truediv: _quotient, operator.itruediv: _quotient, abs: _modulus}
