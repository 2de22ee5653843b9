"""A program run as the module that would be emitted for it: for checks only."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.codegen.emit import emit_kernels, prepared
from s2s.codegen.modules import compile as compiler
from s2s.codegen.modules.module import Description, write_module
from s2s.codegen.pipeline import pipeline_of
from s2s.transforms.ir.program import Function
from s2s.transforms.ir.staged import Parameter, Result, Staged


def run_emitted(function: Function, operands: tuple[Any, ...], target: str) -> tuple[Any, ...]:
    """The results of the module emitted for `function`, called with `operands` (one for each parameter).

    >>> from s2s.errors import NOWHERE
    >>> from s2s.transforms.primitives.operators import new_builder
    >>> from s2s.types import FLOAT64, Array, Var
    >>> x = Var("x", Array(FLOAT64))
    >>> run_emitted(Function("same", (x,), new_builder().block(x), NOWHERE, "", None, derived=False), (2.0,), "numpy")
    (np.float64(2.0),)
    """
    function = prepared(function, target)
    name = f"{function.name}_checked"
    parameters = tuple(Parameter(f"{param.name}_{number}", param) for number, param in enumerate(function.params))
    staged = Staged(function, parameters, tuple(Result(number) for number in range(len(function.body.results))), target_name=name)
    kernels = emit_kernels(function, name=f"_{name}", target=target)
    about = Description("s2s verify", "s2s verify", f"{function.name}, emitted to be checked.")
    module = compiler.load(write_module(staged, kernels, name=name, about=about, compiled=pipeline_of(target).compiled, shape=None))
    given = []
    for value, param in zip(operands, function.params, strict=True):
        array = np.ascontiguousarray(value, param.type.dtype) if param.type.shape else np.asarray(value, param.type.dtype)[()]
        given.append(array.item() if param.type.weak else array)
    results: tuple[Any, ...] = getattr(module, name)(*given)
    return results
