"""Operations on numbers whose types Numba need not be asked for: it loads all that it can compile before it answers (30 ms).

    int64 + float64 -> float64 + float64 -> float64        int64 < int64 -> bool        np.int8(int64) -> int8

How they are written in LLVM, Numba says (`numba.cpython.numbers`, `mathimpl`); that these are the types it finds is tested.
"""
from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.core.typing import signature

from s2s.codegen.native.complex_numbers import BY_C
from s2s.codegen.native.real_numbers import INTRINSICS

Types = tuple[types.Type, ...]

_FLOATS = frozenset({types.float64, types.float32})
_SIGNED = frozenset({types.int64, types.int32})
_WHOLE = frozenset({types.int64, types.int32, types.uint64})
_KNOWN = _FLOATS | _WHOLE
_COMPLEX = frozenset({types.complex128, types.complex64})
_ARITHMETIC = frozenset({operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod})
_OF_COMPLEX = frozenset({operator.add, operator.sub, operator.mul, operator.truediv})
_COMPARISONS = frozenset({operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne})
_BITS = frozenset({operator.and_, operator.or_, operator.xor})
_TO_FLOATS = frozenset({
    math.sqrt, math.exp, math.exp2, math.expm1, math.log, math.log2, math.log10, math.log1p, math.sin, math.cos, math.tan, math.asin, math.acos, math.atan,
    math.sinh, math.cosh, math.tanh, math.asinh, math.acosh, math.atanh, math.erf, math.erfc, math.gamma, math.lgamma, math.fabs,
})  # fmt: skip
_TO_BOOLEANS = frozenset({math.isnan, math.isinf, math.isfinite})
_OF_TWO_FLOATS = frozenset({math.copysign, math.atan2, math.hypot})
_MATHEMATICS: dict[Any, Any] = {each: each for each in (*_TO_FLOATS, *_TO_BOOLEANS, *_OF_TWO_FLOATS, math.floor)} | {
    np.isnan: math.isnan, np.isinf: math.isinf, np.isfinite: math.isfinite, np.copysign: math.copysign, np.arctan2: math.atan2, np.hypot: math.hypot,
    np.sqrt: math.sqrt, np.exp: math.exp, np.expm1: math.expm1, np.log: math.log, np.log10: math.log10, np.log1p: math.log1p, np.fabs: math.fabs,
    np.sin: math.sin, np.cos: math.cos, np.tan: math.tan, np.arcsin: math.asin, np.arccos: math.acos, np.arctan: math.atan,
    np.sinh: math.sinh, np.cosh: math.cosh, np.tanh: math.tanh, np.arcsinh: math.asinh, np.arccosh: math.acosh, np.arctanh: math.atanh,
}  # fmt: skip
"""The functions of the module math, and those of NumPy that are written as one of them."""
_CLASSES: dict[Any, types.Type] = {
    np.bool_: types.boolean, np.int8: types.int8, np.int16: types.int16, np.int32: types.int32, np.int64: types.int64,
    np.uint8: types.uint8, np.uint16: types.uint16, np.uint32: types.uint32, np.uint64: types.uint64,
    np.float32: types.float32, np.float64: types.float64, np.complex64: types.complex64, np.complex128: types.complex128,
}  # fmt: skip
_ATTRIBUTES: dict[str, Callable[[types.Array], types.Type]] = {
    "dtype": lambda array: types.DType(array.dtype), "itemsize": lambda _: types.intp, "ctypes": types.ArrayCTypes,
    "shape": lambda array: types.UniTuple(types.intp, array.ndim),
}  # fmt: skip


def type_of(value: Any) -> types.Type | None:
    """The type of a number or a class of numbers, where it is one of these."""
    kind = type(value)
    if kind is int:
        return types.int64 if -(2**63) <= value < 2**63 else None
    if kind is float:
        return types.float64
    if kind is complex:
        return types.complex128
    if kind is bool:
        return types.boolean
    if isinstance(value, np.generic):
        return _CLASSES.get(kind)
    if kind is type and value in _CLASSES:
        return types.NumberClass(_CLASSES[value])
    return None


def attribute(of: types.Type, name: str) -> types.Type | None:
    """The type of an attribute of an array, of its address or of a number, where it is one of these."""
    if isinstance(of, types.Array) and name in _ATTRIBUTES:
        return _ATTRIBUTES[name](of)
    if name in {"real", "imag"} and isinstance(of, types.Float | types.Complex):
        return of.underlying_float if isinstance(of, types.Complex) else of
    return types.uintp if isinstance(of, types.ArrayCTypes) and name == "data" else None


def signature_of(function: Any, operands: Types) -> Any:
    """What a function takes and gives for such operands, where it is one of these."""
    if isinstance(function, types.ExternalFunction):
        taken = len(operands) == len(function.sig.args) and all(
            one == other or isinstance(one, types.Integer) and isinstance(other, types.Integer) for one, other in zip(operands, function.sig.args, strict=True)
        )
        return function.sig if taken else None
    if function in _CLASSES:
        return signature(_CLASSES[function], *operands) if len(operands) == 1 and isinstance(operands[0], types.Number | types.Boolean) else None
    if not _COMPLEX.isdisjoint(operands):
        return _of_complex(function, operands)
    if len(operands) == 2 and (_KNOWN.issuperset(operands) or operands == (types.boolean, types.boolean)):
        return _of_two(function, *operands)
    return _of_one(function, operands[0]) if len(operands) == 1 else None


def is_mathematical(function: Any, operands: Types) -> bool:
    """Whether it is one of the module math for these operands, or written as one."""
    return function in _MATHEMATICS and _COMPLEX.isdisjoint(operands)


def called(function: Any, operands: Types) -> Any:
    """What Numba knows a function by whose signature was found here."""
    return type_of(function) or (_MATHEMATICS[function] if is_mathematical(function, operands) else function)


def _of_complex(function: Any, operands: Types) -> Any:
    """Of complex numbers of one precision, floats of which may be among them."""
    one: Any = next(each for each in operands if each in _COMPLEX)
    if len(operands) == 1:
        return signature(one, one) if function in {operator.neg, np.sqrt} or function in BY_C else signature(one.underlying_float, one) if function is abs else None
    if len(operands) > 2 or not {one, one.underlying_float}.issuperset(operands):
        return None
    return signature(one, one, one) if function in _OF_COMPLEX else signature(types.boolean, one, one) if function in {operator.eq, operator.ne} else None


def _of_two(function: Any, one: types.Type, other: types.Type) -> Any:
    if function in _ARITHMETIC and one != types.boolean:
        return _arithmetic(function, one, other)
    if function in _COMPARISONS:
        common = one if one == other else _compared_as(one, other)
        return None if common is None else signature(types.boolean, common, common)
    if function in _BITS:
        if _WHOLE.issuperset((one, other)):
            return _of_whole(one, other)
        return signature(one, one, one) if one == other == types.boolean else None
    if function in {operator.lshift, operator.rshift} and one == other == types.int64:
        return signature(one, one, one)
    if function is operator.pow and (one == other == types.int64 or one in _FLOATS and other in {one, types.int64}):
        return signature(one, one, other)
    if one == other and one in _FLOATS:
        if function is complex:
            return signature(types.complex64 if one == types.float32 else types.complex128, one, one)
        return signature(one, one, one) if _MATHEMATICS.get(function) in _OF_TWO_FLOATS else None
    return None


def _arithmetic(function: Any, one: types.Type, other: types.Type) -> Any:
    if _WHOLE.issuperset((one, other)):
        whole = _of_whole(one, other)
        return signature(types.float64, *whole.args) if function is operator.truediv else whole
    common = types.float32 if one == other == types.float32 else types.float64
    return signature(common, common, common)


def _of_whole(one: types.Type, other: types.Type) -> Any:
    """Of integers: they are widened, and unsigned only where both are."""
    wide = [types.int64 if each in _SIGNED else each for each in (one, other)]
    return signature(types.uint64 if wide == [types.uint64] * 2 else types.int64, *wide)


def _compared_as(one: types.Type, other: types.Type) -> types.Type | None:
    if types.uint64 in (one, other):
        return None
    return types.int64 if _SIGNED.issuperset((one, other)) else types.float64


def _of_one(function: Any, operand: types.Type) -> Any:
    if function is operator.not_ and operand == types.boolean:
        return signature(operand, operand)
    if function in {operator.neg, abs} and (operand in _FLOATS or operand == types.int64):
        return signature(operand, operand)
    if operand not in _FLOATS:
        return None
    written_as = _MATHEMATICS.get(function)
    if written_as in _TO_FLOATS or function in INTRINSICS or function in (np.cbrt, np.conjugate):
        return signature(operand, operand)
    return signature(types.boolean, operand) if written_as in _TO_BOOLEANS else signature(types.int64, operand) if function is math.floor else None
