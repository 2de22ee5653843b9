"""linearize and linear_transpose: what the API makes of them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.calls.array_likes import with_arrays
from s2s.calls.checks import check_tangent_like, dtype_of, fits_type, template
from s2s.calls.halves import run_first
from s2s.calls.leaves import example, has_type, ready, ready_for_entry
from s2s.calls.request import leaf_names, request_of
from s2s.calls.second_half import SecondHalf
from s2s.calls.specialise import building
from s2s.calls.transformations import LINEAR_TRANSPOSE, LINEARIZE, of
from s2s.errors import ArgumentTypeError, InternalError, SizesError
from s2s.tree_util import tree_flatten, tree_map
from s2s.types import Var

# ---- linearize ------------------------------------------------------------------------------------------------------


def linearize(fun: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool, maker: Callable[..., Any]) -> tuple[Any, ...]:
    """(out, f_jvp) or (out, f_jvp, aux)."""
    forward, second = (of(LINEARIZE, fun, part, has_aux=has_aux).enabled() for part in (0, 1))
    (out, residuals, *aux), half = run_first(forward, second, primals)
    like = template(with_arrays(primals))

    def f_jvp(residuals: Any, *tangents: Any) -> Any:
        """The tangent of the result for tangents of the arguments."""
        return half.run(residuals, *_matched_tangents(like, tangents))

    return out, SecondHalf(maker, f_jvp, second, half, residuals, like), *aux


def _matched_tangents(like: Any, tangents: tuple[Any, ...]) -> tuple[Any, ...]:
    expected, treedef = tree_flatten(like)
    found, found_treedef = tree_flatten(with_arrays(tangents), is_leaf=lambda leaf: isinstance(leaf, np.ndarray | np.void))
    if treedef != found_treedef:
        raise ArgumentTypeError(f"expected {treedef}, got {found_treedef}", why="a linearized function takes a tangent for each argument, in its containers")
    return tuple(treedef.unflatten([check_tangent_like(leaf, tangent) for leaf, tangent in zip(expected, found, strict=True)]))


# ---- linear_transpose -----------------------------------------------------------------------------------------------


def linear_transpose(fun: Callable[..., Any], primals: tuple[Any, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """The function out_bar -> a tuple with a cotangent for each argument."""
    made = [_Transpose(fun, primals, exact=False)]

    def fun_t(out_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the arguments for a cotangent of the result."""
        if not made[0].module.valid():
            made[0] = _Transpose(fun, primals, exact=made[0].exact)
        try:
            return made[0](out_bar)
        except SizesError as error:
            if made[0].exact:
                raise error.failure from None
        made[0] = _Transpose(fun, primals, exact=True)
        return made[0](out_bar)

    return fun_t


class _Transpose:
    """The module for arguments of these types, with their sizes."""

    def __init__(self, fun: Callable[..., Any], primals: tuple[Any, ...], *, exact: bool) -> None:
        examples = tree_map(example, with_arrays(primals), is_leaf=has_type)
        transposed = of(LINEAR_TRANSPOSE, fun).enabled()
        transposed.check_binding(examples, {})
        request = request_of(transposed, examples, {})
        request.exact = exact
        names = leaf_names(transposed, examples, request.treedef)
        shape, staged = transposed.knowing(request, lambda: (asked := request.shape(names), building().stage_call(transposed, asked)))
        self.exact, self.like = request.exact, staged.parameters[1].tree
        self.module = transposed.specialisation(request, examples)
        leaves = tree_flatten((shape.args, shape.kwargs))[0]
        self.sizes = tuple(size for leaf, given in zip(leaves, request.leaves, strict=True) for size in _sizes(leaf, given))

    def __call__(self, out_bar: Any) -> tuple[Any, ...]:
        hidden = [ready_for_entry(value, mutated=False) for value in self.module.look() or ()]
        given = (self.sizes, _matched_cotangent(self.like, out_bar))
        try:
            result: tuple[Any, ...] = self.module.run(given, {}, hidden, ())
        except Exception as error:
            explained = self.module.explained(error)
            if explained is error:
                raise
            raise explained from error
        if result is NotImplemented:
            raise InternalError("the module of a transposed function refuses the arguments that it was made for")
        return result


def _sizes(leaf: Any, like: Any) -> tuple[int, ...]:
    """The sizes of an array that are not fixed by its type."""
    return tuple(size for dim, size in zip(leaf.type.shape, like.shape, strict=True) if isinstance(dim, Var)) if isinstance(leaf, Var) and leaf.type.shape else ()


def _matched_cotangent(like: Any, out_bar: Any) -> Any:
    """The cotangent with leaves as the module takes them; TypeError unless its containers, dtypes and ranks are the result's."""
    leaves, treedef = tree_flatten(like)
    bars, bar_treedef = tree_flatten(with_arrays(out_bar))
    if treedef != bar_treedef:
        raise ArgumentTypeError(f"cotangent tree does not match function output, expected {treedef} but got {bar_treedef}")
    return treedef.unflatten([_bar(leaf, bar) for leaf, bar in zip(leaves, bars, strict=True)])


def _bar(like: Var, bar: Any) -> Any:
    type_ = like.type
    if not fits_type(bar, type_.dtype, type_.ndim):
        raise ArgumentTypeError(
            f"cotangent type does not match function output, expected {type_.dtype} with {type_.ndim} dimensions "
            f"but got {dtype_of(bar)}{list(np.shape(bar))}"
        )
    if type_.ndim == 0:
        number = type_.dtype.type(bar)
        return number.item() if type_.weak else number
    return ready(bar, mutated=False)
