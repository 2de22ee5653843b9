"""Derivatives of staged programs: what grad, value_and_grad, jvp and vjp do to a program and to what its call looks like."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms import forward, reverse
from s2s.transforms.activity import varied_results
from s2s.transforms.build import Builder
from s2s.transforms.primitives.structural import copy
from s2s.transforms.primitives.value import zeros
from s2s.transforms.program import Atom, Block, Function, Var
from s2s.transforms.rewrite import Substitution
from s2s.transforms.simplify import simplify
from s2s.transforms.staged import Parameter, Result, Staged
from s2s.types import is_float, literal

FLOAT0 = np.dtype([("float0", np.void, 0)])
"""The dtype of the tangent of an integer or bool: it holds nothing."""
NO_TANGENT = np.zeros((), FLOAT0)


def grad(
    staged: Staged,
    *,
    argnums: int | tuple[int, ...] = 0,
    has_aux: bool = False,
    value: bool = False,
    allow_int: bool = False,
    holomorphic: bool = False,
) -> Staged:
    """The program of the gradient: results are grads, (value, grads), (grads, aux) or ((value, aux), grads).

    Raises
    ------
    ArgumentValueError
        argnums names no positional argument.
    ArgumentTypeError
        A differentiated argument is no float (complex with holomorphic), or the result is no scalar of that kind.
    """
    staged = _simplified(staged)
    chosen = [_parameter(staged, number) for number in ((argnums,) if isinstance(argnums, int) else argnums)]
    for parameter in chosen:
        _check_inputs(parameter, allow_int=allow_int, holomorphic=holomorphic)
    output, aux = _output(staged, has_aux)
    scalar = _scalar_result(staged, output, holomorphic=holomorphic)
    wanted = {leaf for parameter in chosen for leaf in tree_util.tree_leaves(parameter.tree) if _is_active(leaf)}
    function = staged.function
    active = tuple(param in wanted for param in function.params)
    useful = tuple(number == scalar for number in range(len(function.body.results)))
    derivative = reverse.vjp(function, active, useful)
    seed = derivative.params[-1]
    mapping = Substitution({seed: literal(1.0, seed.type.dtype)})
    body = mapping.block(derivative.body)
    results = list(body.results)
    bars = dict(zip((p for p in function.params if p in wanted), range(len(function.body.results), len(results)), strict=True))
    trees = tuple(_map(parameter.tree, lambda leaf: Result(bars[leaf]) if leaf in bars else NO_TANGENT) for parameter in chosen)
    grads = trees[0] if isinstance(argnums, int) else trees
    tree: Any = grads
    if value:
        tree = ((output, aux), grads) if has_aux else (output, grads)
    elif has_aux:
        tree = (grads, aux)
    suffix = "value_and_grad" if value else "grad"
    return _restaged(staged, function.params, Block(body.nodes, body.results), tree, f"{function.name}_{suffix}")


def jvp(staged: Staged, *, has_aux: bool = False) -> Staged:
    """The program (primals…, tangents…) -> (out, out_dot), or (out, out_dot, aux); a tangent parameter is named <name>_dot."""
    staged = _simplified(staged)
    function = staged.function
    output, aux = _output(staged, has_aux)
    hidden = {item.param for item in staged.hidden}
    active = tuple(_is_active(param) and param not in hidden for param in function.params)
    derivative = forward.jvp(function, active)
    dots = dict(zip((p for p, on in zip(function.params, active, strict=True) if on), derivative.params[len(function.params):], strict=True))
    tangents = tuple(
        replace(parameter, name=f"{parameter.name}_dot", tree=_map(parameter.tree, dots.get))
        for parameter in staged.parameters
    )
    varied = [number for number, on in enumerate(varied_results(function, active)) if on]
    builder = Builder()
    builder.nodes.extend(derivative.body.nodes)
    results = list(derivative.body.results)
    places = {number: len(function.body.results) + k for k, number in enumerate(varied)}

    def tangent(leaf: Any) -> Any:
        if not isinstance(leaf, Result):
            return leaf
        type_ = function.body.results[leaf.number].type
        if not is_float(type_.dtype):
            return NO_TANGENT
        if leaf.number not in places:
            places[leaf.number] = len(results)
            results.append(zeros(builder, type_).atom)
        return Result(places[leaf.number])

    out_dot = _map(output, tangent)
    tree = (output, out_dot, aux) if has_aux else (output, out_dot)
    visible = [param for param in function.params if param not in hidden]
    params = (*visible, *derivative.params[len(function.params):], *(item.param for item in staged.hidden))
    made = _restaged(staged, params, builder.block(*results), tree, f"{function.name}_jvp")
    return replace(made, parameters=(*staged.parameters, *tangents))


def vjp(staged: Staged, *, has_aux: bool = False) -> tuple[Staged, Staged]:
    """Two programs: (arguments…) -> (out, residuals) or (out, residuals, aux), and the pullback (residuals, out_bar) -> one
    cotangent tree for each positional argument.
    """
    staged = _simplified(staged)
    function = staged.function
    output, aux = _output(staged, has_aux)
    hidden = {item.param for item in staged.hidden}
    active = tuple(_is_active(param) and param not in hidden for param in function.params)
    numbers = {leaf.number for leaf in tree_util.tree_leaves(output) if isinstance(leaf, Result)}
    useful = tuple(k in numbers and is_float(atom.type.dtype) for k, atom in enumerate(function.body.results))
    halves = reverse.halves(function, active, useful, {})
    count = len(function.body.results)
    residuals = tuple(Result(count + k) for k in range(len(halves.needed)))
    tree = (output, residuals, aux) if has_aux else (output, residuals)
    first = _restaged(staged, halves.forward.params, _with_copies(halves), tree, f"{function.name}_fwd")

    back = halves.backward
    seeds = dict(zip((k for k, on in enumerate(useful) if on), back.params[len(halves.needed):], strict=True))
    bars = dict(zip((p for p, on in zip(function.params, active, strict=True) if on), range(len(back.body.results)), strict=True))
    trees = tuple(
        _map(parameter.tree, lambda leaf: Result(bars[leaf]) if leaf in bars else NO_TANGENT)
        for parameter in staged.parameters if parameter.kind in ("positional", "star")
    )
    parameters = (
        Parameter("residuals", tuple(back.params[: len(halves.needed)])),
        Parameter("out_bar", _map(output, lambda leaf: seeds.get(leaf.number) if isinstance(leaf, Result) else leaf)),
    )
    second = Staged(back, parameters, trees, target_name=f"{function.name}_bwd")
    return first, second


def _with_copies(halves: reverse.Halves) -> Block:
    """The forward half's body, returning all that the pullback needs; arrays of the caller, who may write to them, as copies."""
    builder = Builder()
    builder.nodes.extend(halves.forward.body.nodes)
    kept = []
    for var in halves.needed:
        is_callers = var in halves.forward.params and var.type.shape
        kept.append(builder.equation(copy, (var,), name=var.name)[0] if is_callers else var)
    results = halves.forward.body.results
    return builder.block(*results[: len(results) - len(halves.extra)], *kept)


# ---- what the arguments and results must be -------------------------------------------------------------------------


def _simplified(staged: Staged) -> Staged:
    """What is simple is differentiated into something simple: `a[i] -= v` as an addition has no adjoint that clears and adds."""
    return replace(staged, function=simplify(staged.function))


def _map(tree: Any, function: Callable[[Any], Any]) -> Any:
    return tree_util.tree_map(function, tree)


def _is_active(leaf: Any) -> bool:
    return isinstance(leaf, Var) and is_float(leaf.type.dtype)


def _parameter(staged: Staged, number: int) -> Parameter:
    positional = [parameter for parameter in staged.parameters if parameter.kind in ("positional", "star")]
    if not -len(positional) <= number < len(positional):
        raise ArgumentValueError(
            f"argnums contains {number}, but {staged.function.name} was called with {len(positional)} positional arguments",
            where=staged.function.where, why="derivatives are taken with respect to positional arguments",
        )
    return positional[number]


def _check_inputs(parameter: Parameter, *, allow_int: bool, holomorphic: bool) -> None:
    for leaf in tree_util.tree_leaves(parameter.tree):
        if not isinstance(leaf, Var):
            raise ArgumentTypeError(f"grad requires numbers or arrays, but argument {parameter.name} holds {type(leaf).__name__} {leaf!r}")
        kind = leaf.type.dtype.kind
        if holomorphic and kind != "c":
            raise ArgumentTypeError(f"grad with holomorphic=True requires complex inputs, but {leaf.name} is {leaf.type.dtype}")
        if kind == "c" and not holomorphic:
            raise ArgumentTypeError(
                f"grad requires real-valued inputs, but {leaf.name} is {leaf.type.dtype}",
                instead="pass holomorphic=True for a holomorphic function, or use s2s.vjp for any other",
            )
        if kind not in "fc" and not allow_int:
            raise ArgumentTypeError(
                f"grad requires real- or complex-valued inputs, but {leaf.name} is {leaf.type.dtype}",
                why="an integer has no derivative", instead=f"pass a float, for example float({leaf.name}), choose other argnums, or allow_int=True",
            )


def _output(staged: Staged, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return staged.result, None
    if not isinstance(staged.result, tuple) or len(staged.result) != 2:
        raise ArgumentTypeError(f"with has_aux=True {staged.function.name} must return a pair (output, aux)", where=staged.function.where)
    return staged.result


def _scalar_result(staged: Staged, output: Any, *, holomorphic: bool) -> int:
    name = staged.function.name
    if not isinstance(output, Result):
        kind = "a Python constant" if not isinstance(output, tuple | list | dict) else f"a {type(output).__name__}"
        raise ArgumentTypeError(f"grad requires a scalar output, but {name} returned {kind}", where=staged.function.where)
    type_ = staged.function.body.results[output.number].type
    if type_.shape:
        raise ArgumentTypeError(
            f"grad requires a scalar output, but {name} returned an array of type {type_}",
            where=staged.function.where, instead="return a sum or mean of it, or use s2s.vjp or s2s.jacrev",
        )
    if type_.dtype.kind != ("c" if holomorphic else "f"):
        wanted = "a complex" if holomorphic else "a real float"
        raise ArgumentTypeError(f"grad requires {wanted} output, but {name} returned {type_.dtype}", where=staged.function.where)
    return output.number


def _restaged(staged: Staged, params: tuple[Var, ...], body: Block, tree: Any, name: str) -> Staged:
    """The staged program of a derivative: it never mutates its inputs, and returns just what its tree names."""
    numbers: dict[int, int] = {}

    def renumber(leaf: Any) -> Any:
        return Result(numbers.setdefault(leaf.number, len(numbers))) if isinstance(leaf, Result) else leaf

    tree = _map(tree, renumber)
    results: tuple[Atom, ...] = tuple(body.results[number] for number in numbers)
    function = Function(name, params, Block(body.nodes, results), staged.function.where, staged.function.doc)
    return replace(staged, function=function, result=tree, mutated=(), target_name=name)
