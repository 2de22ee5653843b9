"""linearize and linear_transpose: what the API makes of them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2s import rewrites
from s2s.checks import check_tangent_like, dtype_of, fits_type, template
from s2s.errors import ArgumentTypeError, ArgumentValueError, InternalError, SizesError
from s2s.leaves import ready
from s2s.second_half import SecondHalf
from s2s.specialise import leaf_names, request_of, stage_call
from s2s.transformed import Rewrite
from s2s.transforms.staged import Staged
from s2s.tree_util import tree_flatten, tree_map
from s2s.types import Var


class ShapeDtypeStruct:
    """What an array is like: `shape` and `dtype`, without its elements.

    >>> ShapeDtypeStruct((3,), "float32")
    ShapeDtypeStruct(shape=(3,), dtype=float32)
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Sequence[int], dtype: Any) -> None:
        if dtype is None:
            raise ArgumentValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape = tuple(int(size) for size in shape)
        self.dtype = np.dtype(dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and (other.shape, other.dtype) == (self.shape, self.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))


# ---- linearize ------------------------------------------------------------------------------------------------------


def linearize(fun: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool) -> tuple[Any, ...]:
    """(out, f_jvp) or (out, f_jvp, aux)."""
    chosen = rewrites.options(fun)
    forward = rewrites.transformed(fun, half(0, has_aux), chosen).enabled()
    second = rewrites.transformed(fun, half(1, has_aux), chosen).enabled()
    out, residuals, *aux = forward(*primals)
    made, run, shape = second.pullback_of(forward, primals)
    like = template(primals)

    def f_jvp(*tangents: Any) -> Any:
        """The tangent of the result for tangents of the arguments."""
        return run(residuals, *_matched_tangents(like, tangents))

    from s2s import api

    return out, SecondHalf(api.linearize, f_jvp, second, made, shape, residuals, like), *aux


def apart(staged: Staged, has_aux: bool) -> tuple[Staged, Staged]:
    """Both halves, for linearize inside of the user's own code."""
    from s2s.transforms.linearize import linearize as both

    return both(staged, has_aux=has_aux)


def half(part: int, has_aux: bool) -> Rewrite:
    """Forward sweep (part 0) or linear part (part 1)."""

    def apply(staged: Staged, args: tuple[Any, ...]) -> Staged:
        return apart(staged, has_aux)[part]

    return Rewrite(("linearize_forward", "linearize_pushforward")[part], {"has_aux": has_aux}, apply, takes_residuals=part == 1)


def _matched_tangents(like: Any, tangents: tuple[Any, ...]) -> tuple[Any, ...]:
    expected, treedef = tree_flatten(like)
    found, found_treedef = tree_flatten(tangents, is_leaf=lambda leaf: isinstance(leaf, np.ndarray | np.void))
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
        examples = tree_map(_example, primals, is_leaf=_has_type)
        transposed = rewrites.transformed(fun, TRANSPOSE, rewrites.options(fun)).enabled()
        transposed.check_binding(examples, {})
        request = request_of(transposed, examples, {})
        self.exact = request.exact = exact
        shape = request.shape(leaf_names(transposed, examples, request.treedef))
        self.like = stage_call(transposed, shape).parameters[1].tree
        self.module = transposed.specialisation(request, examples)
        leaves = tree_flatten((shape.args, shape.kwargs))[0]
        self.sizes = tuple(size for leaf, example in zip(leaves, request.leaves, strict=True) for size in _sizes(leaf, example))

    def __call__(self, out_bar: Any) -> tuple[Any, ...]:
        hidden = [ready(value, mutated=False) for value in self.module.look() or ()]
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


def _apply_transpose(staged: Staged, args: tuple[Any, ...]) -> Staged:
    from s2s.transforms.linearize import linear_transpose as transposed

    return transposed(staged)


TRANSPOSE = Rewrite("linear_transpose", {}, _apply_transpose, takes_residuals=True)


def _has_type(leaf: Any) -> bool:
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def _example(leaf: Any) -> Any:
    """An array of the leaf's shape and dtype that takes no memory; a Python number as it is."""
    if not _has_type(leaf):
        return leaf
    dtype, shape = np.dtype(leaf.dtype), tuple(leaf.shape)
    return np.broadcast_to(np.zeros((), dtype), shape) if shape else dtype.type(0)


def _sizes(leaf: Any, example: Any) -> tuple[int, ...]:
    """The sizes of an array that are not fixed by its type."""
    return tuple(size for dim, size in zip(leaf.type.shape, example.shape, strict=True) if isinstance(dim, Var)) if isinstance(leaf, Var) and leaf.type.shape else ()


def _matched_cotangent(like: Any, out_bar: Any) -> Any:
    """The cotangent with leaves as the module takes them; TypeError unless its containers, dtypes and ranks are the result's."""
    leaves, treedef = tree_flatten(like)
    bars, bar_treedef = tree_flatten(out_bar)
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
