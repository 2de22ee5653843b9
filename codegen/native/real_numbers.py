"""Functions of floats in LLVM that Numba writes only once it has loaded all that it can compile (20 ms), or compiles from Python.

    np.floor(x)     ->     llvm.floor(x)        math.hypot(x, y)     ->     hypot(x, y)
"""
from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types

Values = list[ir.Value]

INTRINSICS = {np.floor: "floor", np.ceil: "ceil", np.trunc: "trunc", np.rint: "rint", np.exp2: "exp2", np.log2: "log2"}
"""LLVM's names."""
C_FUNCTIONS = {math.hypot: "hypot", np.cbrt: "cbrt"}


def written(function: Any, given: tuple[types.Type, ...]) -> Callable[[ir.IRBuilder, Values], ir.Value] | None:
    """What writes a function of Numba's for floats of one precision, where it is one of these."""
    if not given or not {types.float64, types.float32}.issuperset(given):
        return None
    if function is np.conjugate:
        return lambda _builder, values: values[0]
    if function in INTRINSICS:
        return lambda builder, values: builder.call(builder.module.declare_intrinsic(f"llvm.{INTRINSICS[function]}", [values[0].type]), values)
    if function in C_FUNCTIONS and sys.platform != "win32":  # they have other names there
        return lambda builder, values: called(builder, C_FUNCTIONS[function], values)
    return None


def called(builder: ir.IRBuilder, name: str, values: Values) -> ir.Value:
    """A C function of floats, that of their precision."""
    type_ = values[0].type
    declared = cgutils.insert_pure_function(builder.module, ir.FunctionType(type_, [type_] * len(values)), name + ("f" if isinstance(type_, ir.FloatType) else ""))
    return builder.call(declared, values)
