"""Derivatives of staged programs: what grad, value_and_grad, jvp and vjp do to a program and to what its call looks like."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.records import replace
from s2s.streams import Stream
from s2s.transforms.derivatives import forward
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.requirements import check_inputs, output_and_aux, parameter, scalar_result
from s2s.transforms.derivatives.reverse import adjoint as reverse
from s2s.transforms.derivatives.shared import alike, with_bounds
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Function, Var
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.ir.staged import NoTangent, Parameter, Result, Staged
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import copy
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.simplify.simplification import simplify
from s2s.types import FLOAT0, Array, Literal, is_float, literal

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
    ArgumentTypeError, ArgumentValueError
        argnums names no positional argument; a differentiated argument is no float (complex with holomorphic), or the result is no
        real scalar (complex with holomorphic).
    """
    name = "value_and_grad" if value else "grad"
    chosen = [parameter(staged, number) for number in ((argnums,) if isinstance(argnums, int) else argnums)]
    for each in chosen:
        check_inputs(name, each, allow_int=allow_int, holomorphic=holomorphic)
    output, aux = output_and_aux(name, staged, has_aux)
    scalar = scalar_result(name, staged, output, holomorphic=holomorphic)
    staged = _simplified(staged)
    wanted = {leaf for each in chosen for leaf in tree_util.tree_leaves(each.tree) if _is_active(leaf)}
    function = staged.function
    active = tuple(param in wanted for param in function.params)
    useful = tuple(number == scalar for number in range(len(function.body.results)))
    function = with_bounds(function, active, useful)
    derivative = reverse.vjp(function, active, useful)
    seed = derivative.params[-1]
    mapping = Substitution({seed: literal(1.0, seed.type.dtype)})
    types = tuple(param.type for param in function.params if param in wanted)
    body = _typed(mapping.block(derivative.body), len(function.body.results), types)
    bars = dict(zip((p for p in function.params if p in wanted), range(len(function.body.results), len(body.results)), strict=True))
    sizes = _Sizes(body.results)
    trees = tuple(_map(each.tree, lambda leaf: Result(bars[leaf]) if leaf in bars else sizes.no_tangent(leaf)) for each in chosen)
    body = replace(body, results=tuple(sizes.results))
    grads = trees[0] if isinstance(argnums, int) else trees
    tree: Any = grads
    if value:
        tree = ((output, aux), grads) if has_aux else (output, grads)
    elif has_aux:
        tree = (grads, aux)
    return restaged(staged, function.params, body, tree, f"{function.name}_{name}")


def jvp(staged: Staged, *, has_aux: bool = False) -> Staged:
    """The program (primals…, tangents…) -> (out, out_dot), or (out, out_dot, aux); a tangent parameter is named <name>_dot."""
    staged = _simplified(staged)
    function = staged.function
    output, aux = output_and_aux("jvp", staged, has_aux)
    hidden = {item.param for item in staged.hidden}
    active = tuple(_is_active(param) and param not in hidden for param in function.params)
    derivative = forward.jvp(function, active)
    dots = dict(zip((p for p, on in zip(function.params, active, strict=True) if on), derivative.params[len(function.params):], strict=True))
    tangents = tuple(
        replace(each, name=f"{each.name}_dot", tree=_map(each.tree, dots.get), tangent=True)
        for each in staged.parameters
    )
    varied = [number for number, on in enumerate(varied_results(function, active)) if on]
    body = _typed(derivative.body, len(function.body.results), tuple(function.body.results[number].type for number in varied))
    builder = new_builder()
    builder.nodes.extend(body.nodes)
    count = len(function.body.results)
    told = [alike(Value(builder, dot), Value(builder, body.results[number])).atom for number, dot in zip(varied, body.results[count:], strict=True)]
    sizes = _Sizes((*body.results[:count], *told))
    results = sizes.results
    places = {number: count + k for k, number in enumerate(varied)}

    def tangent(leaf: Any) -> Any:
        if not isinstance(leaf, Result):
            return leaf
        type_ = function.body.results[leaf.number].type
        if not is_float(type_.dtype):
            return sizes.no_tangent(function.body.results[leaf.number])
        if leaf.number not in places:
            places[leaf.number] = len(results)
            zero = alike(zeros(builder, type_), Value(builder, function.body.results[leaf.number]))
            results.append(of_type(builder, zero.atom, type_))
        return replace(leaf, number=places[leaf.number])

    out_dot = _map(output, tangent)
    tree = (output, out_dot, aux) if has_aux else (output, out_dot)
    visible = [param for param in function.params if param not in hidden]
    params = (*visible, *derivative.params[len(function.params):], *(item.param for item in staged.hidden))
    made = restaged(staged, params, builder.block(*results), tree, f"{function.name}_jvp")
    return replace(made, parameters=(*staged.parameters, *tangents))


def vjp(staged: Staged, *, has_aux: bool = False) -> tuple[Staged, Staged]:
    """Two programs: (arguments…) -> (out, residuals) or (out, residuals, aux), and the pullback (residuals, out_bar) -> one
    cotangent tree for each positional argument.
    """
    staged = _simplified(staged)
    function = staged.function
    output, aux = output_and_aux("vjp", staged, has_aux)
    hidden = {item.param for item in staged.hidden}
    active = tuple(_is_active(param) and param not in hidden for param in function.params)
    numbers = {leaf.number for leaf in tree_util.tree_leaves(output) if isinstance(leaf, Result)}
    useful = tuple(k in numbers and is_float(atom.type.dtype) for k, atom in enumerate(function.body.results))
    function = with_bounds(function, active, useful)
    halves = reverse.halves(function, active, useful, {})
    count = len(function.body.results)
    residuals = tuple(Result(count + k) for k in range(len(halves.needed)))
    tree = (output, residuals, aux) if has_aux else (output, residuals)
    first = restaged(staged, halves.forward.params, _with_copies(halves), tree, f"{function.name}_fwd")

    back = halves.backward
    seeds = dict(zip((k for k, on in enumerate(useful) if on), back.params[len(halves.needed):], strict=True))
    bars = dict(zip((p for p, on in zip(function.params, active, strict=True) if on), range(len(back.body.results)), strict=True))
    trees = tuple(
        tree_util.tree_map(lambda leaf: Result(bars[leaf]) if leaf in bars else NO_TANGENT, each.tree, is_leaf=lambda part: isinstance(part, Stream))
        for each in staged.parameters if each.kind in ("positional", "star")
    )
    parameters = (
        Parameter("residuals", tuple(back.params[: len(halves.needed)])),
        Parameter("out_bar", _map(output, lambda leaf: seeds.get(leaf.number) if isinstance(leaf, Result) else leaf)),
    )
    types = tuple(param.type for param, on in zip(function.params, active, strict=True) if on)
    second = Staged(replace(back, body=_typed(back.body, 0, types)), parameters, trees, guards=staged.guards, target_name=f"{function.name}_bwd")
    return first, second


def _with_copies(halves: reverse.Halves) -> Block:
    """The forward half's body, returning all that the pullback needs; arrays of the caller, who may write to them, as copies."""
    builder = new_builder()
    builder.nodes.extend(halves.forward.body.nodes)
    kept = []
    for var in halves.needed:
        is_callers = var in halves.forward.params and var.type.shape and not is_traced_order()  # a jaxpr's values don't change
        kept.append(builder.equation(copy, (var,), name=var.name)[0] if is_callers else var)
    results = halves.forward.body.results
    return builder.block(*results[: len(results) - len(halves.extra)], *kept)


# ---- parts ----------------------------------------------------------------------------------------------------------


def _simplified(staged: Staged) -> Staged:
    """What is simple is differentiated into something simple: `a[i] -= v` as an addition has no adjoint that clears and adds."""
    return staged if is_traced_order() else replace(staged, function=simplify(staged.function))


def _map(tree: Any, function: Callable[[Any], Any]) -> Any:
    return tree_util.tree_map(function, tree)


def _is_active(leaf: Any) -> bool:
    return isinstance(leaf, Var) and is_float(leaf.type.dtype)


class _Sizes:
    """A block's results, to which the sizes are added that the tangents of integers are made with."""

    def __init__(self, results: tuple[Atom, ...]) -> None:
        self.results = list(results)

    def no_tangent(self, integer: Any) -> Any:
        """What an integer (an atom, or a Python number) has instead of a tangent."""
        shape = integer.type.shape if isinstance(integer, Var | Literal) else ()
        return NoTangent(tuple(dim if isinstance(dim, int) else self._result(dim) for dim in shape)) if shape else NO_TANGENT

    def _result(self, atom: Atom) -> Result:
        self.results.append(atom)
        return Result(len(self.results) - 1)


def _typed(body: Block, first: int, types: tuple[Array, ...]) -> Block:
    """The block with its results from number `first` on of these types: the derivative for a Python number is one, too."""
    builder = new_builder()
    builder.nodes.extend(body.nodes)
    typed = [of_type(builder, atom, type_) for atom, type_ in zip(body.results[first:], types, strict=True)]
    return builder.block(*body.results[:first], *typed)


def of_type(builder: Builder, atom: Atom, type_: Array) -> Atom:
    """A derivative as weak, or as strong, as what it belongs to."""
    if atom.type.weak == type_.weak:
        return atom
    if isinstance(atom, Literal):
        return Literal(atom.value, replace(atom.type, weak=type_.weak))
    return builder.equation(convert, (atom,), {"dtype": type_.dtype, "weak": type_.weak}, name=atom.name)[0]


def restaged(staged: Staged, params: tuple[Var, ...], body: Block, tree: Any, name: str) -> Staged:
    """The staged program of a derivative: it never mutates its inputs but for generators that it draws from, and returns just what its tree names."""
    numbers: dict[int, int] = {}
    renumber = partial(_renumbered, numbers)
    tree = _map(tree, renumber)
    stores = tuple((place, _map(stored, renumber)) for place, stored in staged.stores)
    mutated = tuple((var, numbers.setdefault(number, len(numbers))) for var, number in staged.mutated if var.type.stream)
    results: tuple[Atom, ...] = tuple(body.results[number] for number in numbers)
    function = Function(name, params, Block(body.nodes, results), staged.function.where, staged.function.doc, None, derived=True)
    separate = (*staged.separate, *_separate(staged))
    return replace(staged, function=function, result=tree, mutated=mutated, origins=(), aliased=False, target_name=name, separate=separate, stores=stores, changes=())


def _renumbered(numbers: dict[int, int], leaf: Any) -> Any:
    if isinstance(leaf, NoTangent):
        return NoTangent(tuple(_renumbered(numbers, dim) for dim in leaf.shape))
    return replace(leaf, number=numbers.setdefault(leaf.number, len(numbers))) if isinstance(leaf, Result) else leaf


def _separate(staged: Staged) -> Iterator[tuple[Var, Var]]:
    """The arrays that the program writes into, each with every other one."""
    leaves = [leaf for each in staged.parameters for leaf in tree_util.tree_leaves(each.tree)] + [item.param for item in staged.hidden]
    arrays = dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, Var) and leaf.type.shape)
    for written in (var for var, _ in staged.mutated if not var.type.stream):
        yield from ((written, other) for other in arrays if other is not written)
