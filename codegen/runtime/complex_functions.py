"""C functions that give complex numbers, which Numba's `ExternalFunction` does not: a complex number is its two parts, each in a register, on x86-64 and ARM.

This function's text is copied into modules that call one.
"""
# mypy: disallow-untyped-defs=False
from __future__ import annotations


def complex_function(symbol, *operands):
    """The signature and the code of the C function of this name, of numbers and of an int that Cython adds; or of one that is told where to write what it gives."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

    def code(context, builder, signature, values):
        parts = []
        for value, type_ in zip(values, signature.args, strict=True):
            parts += [builder.extract_value(value, k) for k in range(2)] if isinstance(type_, types.Complex) else [value]
        if gives != types.void:
            parts.append(ir.IntType(32)(0))
        result = ir.VoidType() if gives == types.void else context.get_value_type(gives)
        declared = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, [part.type for part in parts]), symbol)
        found = builder.call(declared, parts)
        return context.get_dummy_value() if gives == types.void else found

    kinds = [types.complex128 if isinstance(each, types.Complex) else types.uintp if isinstance(each, types.Integer) else types.float64 for each in operands]
    gives = types.void if types.uintp in kinds else types.complex128
    return gives(*kinds), code
