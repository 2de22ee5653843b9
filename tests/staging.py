"""Running a function through the reader and the interpreter, without codegen."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any


from s2s import tree_util
from s2s.codegen.entry import Static
from s2s.hidden import fetch
from s2s.leaves import exact_kind, kind_of_leaf, make_var
from s2s.specialise import is_stretch
from s2s.transforms.interpret import interpret
from s2s.transforms.program import Var
from s2s.transforms.read import read
from s2s.transforms.staged import Result, Staged
from s2s.transforms.verify import verify


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


def stage_and_run(fun: Callable[..., Any], args: tuple[Any, ...], static: tuple[int, ...] = ()) -> Any:
    """As `jit` does: if two sizes differ that NumPy would stretch, once more with exact sizes."""
    try:
        return run(fun, stage(fun, args, static), args, static)
    except ValueError as error:
        if not is_stretch(error):
            raise
    return run(fun, stage(fun, args, static, exact=True), args, static)


def run(fun: Callable[..., Any], staged: Staged, args: tuple[Any, ...], static: tuple[int, ...] = ()) -> Any:
    """What the program returns for these arguments; arrays that it mutates are mutated."""
    dynamic = [arg for k, arg in enumerate(args) if k not in static]
    leaves = [leaf for leaf in tree_util.tree_leaves(dynamic) if not isinstance(kind_of_leaf(leaf, "x"), Static)]
    operands = [*leaves, *(fetch(fun, hidden.access) for hidden in staged.hidden)]
    results = interpret(staged.function, *operands)
    by_var = dict(zip(staged.function.params, operands, strict=True))
    for var, number in staged.mutated:
        by_var[var][...] = results[number]
    return tree_util.tree_map(lambda leaf: results[leaf.number] if isinstance(leaf, Result) else leaf, staged.result)


