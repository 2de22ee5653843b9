"""Programs as the statements that they are lowered to, for tests: what a rewrite of the program does, readable."""
from __future__ import annotations

import copy
import inspect
import math
import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2s.calls.leaves import kind_of_leaf, make_var
from s2s.codegen.emit import lowered
from s2s.codegen.language.printing import text
from s2s.codegen.language.statements import lines
from s2s.codegen.lowering.elementwise import constant_lines
from s2s.codegen.lowering.lowered import Module, Slot
from s2s.codegen.pipeline import PIPELINES
from s2s.transforms.ir.program import Function, Var
from s2s.transforms.ir.staged import Staged
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives.table import TABLE
from s2s.transforms.read import read

REWRITES = {step.name: step for pipeline in PIPELINES.values() for step in pipeline.rewrites}


def staged(fun: Callable[..., Any], args: tuple[Any, ...]) -> Staged:
    """The program of a function, its parameters called as they are; lengths of arrays have the names n, m, …, one for each size of `args`."""
    sizes: dict[int, Var] = {}
    params = []
    for name, arg in zip(inspect.signature(fun).parameters, args, strict=True):
        var = make_var(kind_of_leaf(arg, name), name, lambda: "n")
        shape = tuple(sizes.setdefault(size, Var("nmkl"[len(sizes)], dim.type)) if isinstance(dim, Var) else dim
                      for size, dim in zip(getattr(arg, "shape", ()), var.type.shape, strict=True))
        params.append(Var(name, replace(var.type, shape=shape)))
    return read(fun, tuple(params), tuple(params), {})


def after(function: Function, *steps: str) -> Function:
    """The program after rewrites, by name, each verified."""
    for step in steps:
        function = REWRITES[step].apply(function)
        verify(function)
    return function


def statements_of(function: Function, module: Module | None = None) -> str:
    """The statements that a program becomes on the cpu target, and what it returns; the constants of float32 that they name are the module's."""
    module = Module() if module is None else module
    module.anonymous |= frozenset(row.name for row in TABLE) | {"size", ""}
    kernel = lowered(function, "_f", {}, module, PIPELINES["cpu"], ())
    shown = [line for line in textwrap.dedent("\n".join(lines(kernel.body))).split("\n") if line and not line.lstrip().startswith("#")]
    results = [result.name if isinstance(result, Slot) else text(result) for result in kernel.results]
    return "\n".join([*shown, f"return {', '.join(results)}"])


# ---- run ----------------------------------------------------------------------------------------------------------------


def given(param: Any, size: int, rng: np.random.Generator) -> Any:
    """A value of a parameter: all lengths, and the numbers of trips, are the same."""
    if param.type.shape:
        return rng.uniform(0.1, 1.0, (size,) * len(param.type.shape)).astype(param.type.dtype)
    return size if param.type.dtype.kind == "i" else float(rng.uniform(0.1, 1.0))


def run(function: Function, args: list[Any]) -> tuple[Any, ...]:
    """What the statements return, as Python."""
    lengths = {dim.name: size for param, arg in zip(function.params, args, strict=True) for dim, size in zip(param.type.shape, np.shape(arg), strict=True)}
    params = ", ".join(param.name for param in function.params)
    module = Module()
    body = "\n".join(f"    {line}" for line in statements_of(function, module).split("\n"))
    names: dict[str, Any] = {**vars(math), "np": np, **lengths}
    exec("\n".join([*constant_lines(module), f"def run({params}):", body]), names)
    found = names["run"](*copy.deepcopy(args))
    return found if isinstance(found, tuple) else (found,)
