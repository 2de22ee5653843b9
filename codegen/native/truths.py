"""Truths of numbers in LLVM, by Numba's formulas: Numba writes them only once it has loaded all that it can compile.

    np.bool_(x)     ->     x != 0, of complex numbers either part
"""
from __future__ import annotations

from llvmlite import ir
from numba.core import types


def is_truth(function: object, given: tuple[types.Type, ...]) -> bool:
    """Whether a function of Numba's makes a truth of a number."""
    return isinstance(function, types.NumberClass) and function.dtype == types.boolean and isinstance(given[0], types.Number)


def truth(builder: ir.IRBuilder, type_: types.Type, value: ir.Value) -> ir.Value:
    """Whether a number is not zero; nan is none."""
    if isinstance(type_, types.Complex):
        real, imag = (truth(builder, type_.underlying_float, builder.extract_value(value, k)) for k in range(2))
        return builder.or_(real, imag)
    if type_ == types.float16:  # its bits: all but the sign
        value = builder.and_(value, value.type(0x7FFF))
        return builder.icmp_unsigned("!=", value, value.type(0))
    compared = builder.fcmp_unordered if isinstance(type_, types.Float) else builder.icmp_unsigned
    return compared("!=", value, value.type(0))
