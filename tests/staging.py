"""Running a function and its derivatives through the reader, the rewrites and the interpreter, without codegen."""
from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numeric import map_leaves

from s2s import tree_util
from s2s.calls.leaves import exact_kind, kind_of_leaf, make_var
from s2s.codegen.modules.call import Static
from s2s.errors import SizesError
from s2s.hidden import fetch
from s2s.transforms.derivatives import derive
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Var
from s2s.transforms.ir.staged import Result, Staged
from s2s.transforms.ir.verify import verify
from s2s.transforms.read import read
from s2s.transforms.simplify.simplification import simplify


def stage(fun: Callable[..., Any], args: tuple[Any, ...], static: tuple[int, ...] = (), *, exact: bool = False) -> Staged:
    """The program of fun for such arguments; `exact`: for exactly their sizes."""
    params: list[Var] = []
    counter = itertools.count()

    def variable(leaf: Any) -> Any:
        kind = kind_of_leaf(leaf, "x")
        if isinstance(kind, Static):
            return leaf
        params.append(make_var(exact_kind(kind, leaf) if exact else kind, f"x{len(params)}", lambda: f"n{next(counter)}"))
        return params[-1]

    abstract = tuple(arg if k in static else tree_util.tree_map(variable, arg) for k, arg in enumerate(args))
    staged = read(fun, tuple(params), abstract, {})
    verify(staged.function)
    return staged


def simplified(staged: Staged) -> Staged:
    """What codegen gets: verified before and after."""
    verify(staged.function)
    function = simplify(staged.function)
    verify(function)
    return replace(staged, function=function)


def stretching(run: Callable[[bool], Any]) -> Any:
    """run(exact=False), as `jit` does it: if two sizes differ that NumPy would stretch, once more with exact sizes."""
    try:
        return run(False)
    except SizesError:
        return run(True)


def run(fun: Callable[..., Any], staged: Staged, args: tuple[Any, ...]) -> Any:
    """What the program returns for these arguments, one for each parameter; arrays that it mutates are mutated."""
    operands: dict[Var, Any] = {hidden.param: fetch(fun, hidden.access) for hidden in staged.hidden}

    def bind(leaf: Any, value: Any) -> None:
        if isinstance(leaf, Var):
            operands[leaf] = value

    for parameter, arg in zip(staged.parameters, args, strict=True):
        map_leaves(bind, parameter.tree, arg)
    results = interpret(staged.function, *(operands[param] for param in staged.function.params))
    if staged.mutated:
        results = copy.deepcopy(results)  # one may be an argument as it was before
    for var, number in staged.mutated:
        operands[var][...] = results[number]
    return map_leaves(lambda leaf: leaf.of(results) if isinstance(leaf, Result) else leaf, staged.result)


def stage_and_run(fun: Callable[..., Any], args: tuple[Any, ...], static: tuple[int, ...] = ()) -> Any:
    """The function itself, read and interpreted."""
    return stretching(lambda exact: run(fun, simplified(stage(fun, args, static, exact=exact)), args))


def stage_and_jvp(fun: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, ...], static: tuple[int, ...] = ()) -> Any:
    """(out, out_dot)."""
    return stretching(lambda exact: run(fun, simplified(derive.jvp(stage(fun, args, static, exact=exact))), (*args, *dots)))


def stage_and_vjp(fun: Callable[..., Any], args: tuple[Any, ...], bars_of: Callable[[Any], Any], static: tuple[int, ...] = ()) -> Any:
    """(out, bars_of(out), the arguments' cotangents)."""
    def both(exact: bool) -> Any:
        first, second = map(simplified, derive.vjp(stage(fun, args, static, exact=exact)))
        out, residuals = run(fun, first, args)
        bars = bars_of(out)
        return out, bars, run(fun, second, (residuals, bars))

    return stretching(both)


def stage_and_differentiate_twice(
    fun: Callable[..., Any], args: tuple[Any, ...], dots: tuple[Any, ...], bars_of: Callable[[Any], Any], argnums: tuple[int, ...]
) -> tuple[Any, Any, Any, Any]:
    """The gradient, its tangent along `dots`, bars_of(gradient), and the arguments' cotangents: forward and reverse over reverse."""
    gradient = simplified(derive.grad(stage(fun, args), argnums=argnums))
    value, value_dot = run(fun, simplified(derive.jvp(gradient)), (*args, *dots))
    first, second = map(simplified, derive.vjp(gradient))
    _, residuals = run(fun, first, args)
    bars = bars_of(value)
    return value, value_dot, bars, run(fun, second, (residuals, bars))
