"""make_jaxpr: a call's program, read for the exact sizes of its arguments, in the jaxpr notation."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from s2s.calls import making
from s2s.calls.guards import enter_and_look
from s2s.calls.leaves import example, has_type
from s2s.calls.request import leaf_names, request_of
from s2s.calls.rewrite import program_of
from s2s.calls.transformations import JIT
from s2s.calls.transformed import Transformed
from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.batching.examples import body_of
from s2s.transforms.ir.jitted import kept_apart, python_name
from s2s.transforms.ir.named_axes import NamedAxis, binding
from s2s.transforms.ir.one_kind import of_one_kind
from s2s.transforms.ir.program import Block, Var
from s2s.transforms.ir.spread import Spread
from s2s.transforms.ir.staged import NoTangent, Result, Staged
from s2s.transforms.jaxprs.syntax import ClosedJaxpr, Literal, ShapedArray
from s2s.transforms.jaxprs.translate import jaxpr_of, jitted, unread
from s2s.transforms.primitives.traced_order import traced_order
from s2s.transforms.simplify.simplification import only_live
from s2s.tree_util import tree_flatten, tree_map, tree_unflatten

Axes = Sequence[tuple[Hashable, int]]
"""Names and sizes of mapped axes around a function, outermost first."""


def jaxpr_for(fun: Callable[..., Any], static_argnums: tuple[int, ...], axes: Axes, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[ClosedJaxpr, Any]:
    """The jaxpr of a call, and the result's container with a ShapeDtypeStruct for each of its results."""
    static = {number % len(args) for number in static_argnums if args}
    args = tuple(arg if number in static else tree_map(example, arg, is_leaf=has_type) for number, arg in enumerate(args))
    kwargs = tree_map(example, kwargs, is_leaf=has_type)
    transformed = making.transformed(fun, JIT.made(), making.options(fun, static_argnums=static_argnums))
    transformed.check_call(args, kwargs)
    request = request_of(transformed, args, kwargs)
    request.exact = True
    shape = request.shape(leaf_names(transformed, args, request.treedef))
    with ExitStack() as bound:
        bound.enter_context(kept_apart(all(step.is_shown for step in transformed.derivatives())))
        bound.enter_context(traced_order())
        for name, size in axes:
            bound.enter_context(binding(NamedAxis(name, size)))
        staged = of_one_kind(program_of(transformed, shape))
    _check(staged, transformed)
    _, look = enter_and_look(transformed.root, tuple(item.access for item in staged.hidden), staged.guards, _nothing, request.statics())
    hidden = {item.param: value for item, value in zip(staged.hidden, look() or (), strict=True)}
    params = [leaf for leaf in tree_flatten((shape.args, shape.kwargs))[0] if isinstance(leaf, Var)]
    leaves, treedef = tree_flatten(staged.result)
    function = staged.function
    results = [_result(leaf) for leaf in leaves]
    body = body_of(function) if isinstance(function.rule, Spread) else function.body
    wanted = tuple(body.results[each.number] for each in results if isinstance(each, Result))
    function = replace(function, body=only_live(Block(body.nodes, (*wanted, *unread(body, wanted)))))
    name = python_name(fun.root) if isinstance(fun, Transformed) and fun.rewrite.is_jit else ""
    jaxpr, consts = jaxpr_of(function, params, hidden, [None if isinstance(each, Result) else each for each in results], bool(name))
    if name:
        jaxpr = jitted(name, jaxpr, function.where)
    return ClosedJaxpr(jaxpr, consts), tree_unflatten(treedef, [ShapeDtypeStruct(atom.aval.shape, atom.aval.dtype) for atom in jaxpr.outvars])


def _check(staged: Staged, transformed: Transformed) -> None:
    """Refuse what a jaxpr does not say."""
    if staged.mutated:
        raise UnsupportedError(
            f"the jaxpr of {transformed.name}, which writes into {staged.mutated[0][0].name}", where=staged.function.where,
            why="a jaxpr's only effects are its results", instead="a function that works on a copy, or jit(f).trace(…).as_text() for the program",
        )  # fmt: skip


def _result(leaf: Any) -> Any:
    """A result as `jaxpr_of` takes it: one of the program's, or a number that is known."""
    if isinstance(leaf, Result) and not leaf.listed:
        return leaf
    if isinstance(leaf, bool | int | float | complex | np.generic):
        value = np.asarray(leaf)
        return Literal(value.item(), ShapedArray((), value.dtype, not isinstance(leaf, np.generic)))
    what = "integers' tangents" if isinstance(leaf, NoTangent) else "lists of run-time length" if isinstance(leaf, Result) else type(leaf).__name__
    raise UnsupportedError(f"make_jaxpr of a function that returns {what}", why="a jaxpr's results are arrays and numbers")


def _nothing(*_: Any) -> None:
    """What `enter` would call: it is not used."""


__all__ = ["jaxpr_for"]
