"""What JAX's transformations demand of arguments and results, checked before any work is done, with JAX's errors."""
from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from s2s.calls.array_likes import with_arrays
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.records import dataclass
from s2s.transforms.derivatives.differentiable import check_input_dtype, not_numeric
from s2s.tree_util import tree_flatten, tree_leaves, tree_map, tree_unflatten
from s2s.types import FLOAT0, is_float


def dtype_of(leaf: Any) -> np.dtype:
    """The dtype of an array or number; object for anything else."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype
    return np.asarray(leaf).dtype if isinstance(leaf, (bool, int, float, complex)) else np.dtype(object)


def check_argnums(name: str, argnums: Any) -> int | tuple[int, ...]:
    """argnums as an int or a tuple of ints: whatever Python takes as an index, or a sequence of such."""
    try:
        return index(argnums)
    except TypeError:
        pass
    try:
        numbers = tuple(index(each) for each in argnums)
    except TypeError:
        raise ArgumentTypeError(f"{name}: argnums must be an int or a non-empty sequence of ints, not {argnums!r}") from None
    if not numbers:
        raise ArgumentValueError(f"{name}: argnums is empty", instead="name an argument to differentiate with respect to")
    return numbers


def check_reduce_axes(name: str, reduce_axes: Any) -> None:
    """NotImplementedError unless it is empty: JAX has the parameter only so that old calls still run."""
    if reduce_axes:
        raise UnsupportedError(f"reduce_axes argument to {name} is deprecated", why="it has no meaning, in JAX neither", instead="leave it out")


def check_differentiable(name: str, arg: Any, *, allow_int: bool, holomorphic: bool) -> None:
    """ArgumentTypeError unless every leaf of an argument may be differentiated with respect to."""
    for leaf in tree_leaves(arg):
        dtype = dtype_of(leaf)
        if dtype.kind == "O" and not isinstance(leaf, np.ndarray):
            raise not_numeric(name, leaf)
        check_input_dtype(name, dtype, allow_int=allow_int, holomorphic=holomorphic)


def check_tangents(primals: Any, tangents: Any) -> tuple[Any, ...]:
    """The tangents with None for those of integers; TypeError or ValueError, as in JAX, where they don't fit the primals."""
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise ArgumentTypeError(
            "primal and tangent arguments to s2s.jvp must be tuples or lists; "
            f"found {type(primals).__name__} and {type(tangents).__name__}."
        )
    leaves, treedef = tree_flatten(with_arrays(primals))
    tangent_leaves, tangent_treedef = tree_flatten(with_arrays(tangents), is_leaf=_is_float0)
    if treedef != tangent_treedef:
        raise ArgumentTypeError(
            "primal and tangent arguments to s2s.jvp must have the same tree structure; "
            f"primals have tree structure {treedef} whereas tangents have tree structure {tangent_treedef}."
        )
    return tuple(tree_unflatten(treedef, [_tangent(leaf, tangent) for leaf, tangent in zip(leaves, tangent_leaves, strict=True)]))


def _is_float0(leaf: Any) -> bool:
    return isinstance(leaf, (np.ndarray, np.void)) and leaf.dtype == FLOAT0


def _tangent(primal: Any, tangent: Any) -> Any:
    dtype, tangent_dtype = dtype_of(primal), dtype_of(tangent)
    expected = dtype if is_float(dtype) else FLOAT0
    if expected != tangent_dtype and dtype.kind != "O" and not _fits_weakly(tangent, expected):
        raise ArgumentTypeError(
            "primal and tangent arguments to s2s.jvp do not match; dtypes must be equal, or in case of int/bool primal dtype the tangent dtype "
            f"must be float0. Got primal dtype {dtype} and so expected tangent dtype {_dtype_name(expected)}, but got tangent dtype "
            f"{_dtype_name(tangent_dtype)} instead."
        )
    if np.shape(primal) != np.shape(tangent):
        raise ArgumentValueError(
            f"jvp called with different primal and tangent shapes; Got primal shape {np.shape(primal)} and tangent shape as {np.shape(tangent)}."
        )
    if expected == FLOAT0:
        return None
    return tangent if isinstance(primal, np.ndarray) else type(primal)(tangent)


def _dtype_name(dtype: np.dtype) -> str:
    return "float0" if dtype == FLOAT0 else str(dtype)


@dataclass(frozen=True)
class Expected:
    """What a cotangent must be like: kept instead of the result itself, which the caller may write to."""

    kind: type[Any]
    """np.ndarray, or the scalar's own: cotangents of Python floats are Python floats."""
    dtype: np.dtype
    shape: tuple[int, ...]


def template(out: Any) -> Any:
    """The result's containers with an `Expected` for each leaf."""
    return tree_map(lambda leaf: Expected(type(leaf), dtype_of(leaf), np.shape(leaf)), out)


def float0_shapes(primals: Any) -> dict[int, tuple[int, ...]]:
    """The shapes of those leaves that are arrays without derivatives, by their numbers."""
    leaves = enumerate(tree_leaves(primals))
    return {number: leaf.shape for number, leaf in leaves if isinstance(leaf, np.ndarray) and leaf.ndim and not is_float(leaf.dtype)}


def with_shapes(bars: Any, shapes: dict[int, tuple[int, ...]]) -> Any:
    """The cotangents, those of integer arrays in their shapes (a pullback does not know them)."""
    leaves, treedef = tree_flatten(bars, is_leaf=_is_float0)
    return tree_unflatten(treedef, [np.zeros(shapes[number], FLOAT0) if number in shapes else leaf for number, leaf in enumerate(leaves)])


def check_cotangent(name: str, like: Any, out_bar: Any) -> Any:
    """The cotangents with None for those of integers; ValueError, as in JAX, where they don't fit the outputs.

    As in JAX, whatever has the shape of an integer output may stand for its cotangent, which is nothing.
    """
    expected, treedef = tree_flatten(like)
    bars, bar_treedef = tree_flatten(with_arrays(out_bar), is_leaf=_is_float0)
    if treedef != bar_treedef:
        raise ArgumentValueError(
            f"unexpected tree structure of argument to vjp function: got {bar_treedef}, but expected to match {treedef}",
            why=f"it must match the structure of the result of {name}",
        )
    return treedef.unflatten([_cotangent(name, leaf, bar) for leaf, bar in zip(expected, bars, strict=True)])


def _cotangent(name: str, leaf: Expected, bar: Any) -> Any:
    if not is_float(leaf.dtype):
        if np.shape(bar) == leaf.shape:
            return None
        wanted = FLOAT0
    else:
        if np.shape(bar) == leaf.shape and (dtype_of(bar) == leaf.dtype or _fits_weakly(bar, leaf.dtype)):
            return bar if issubclass(leaf.kind, np.ndarray) else leaf.kind(bar)
        wanted = leaf.dtype
    raise ArgumentValueError(
        f"unexpected type (e.g. shape/dtype) for argument to vjp function: got {_type_name(bar)}, but expected {_dtype_name(wanted)}{list(leaf.shape)} "
        f"because the corresponding output of the function {name} had type {leaf.dtype}{list(leaf.shape)}"
    )


def _type_name(bar: Any) -> str:
    dtype = dtype_of(bar)
    return f"{_dtype_name(dtype)}{list(np.shape(bar))}" if dtype.kind != "O" else type(bar).__name__


def _fits_weakly(number: Any, expected: np.dtype) -> bool:
    """Whether a Python float or complex may stand for a scalar of this dtype, as Python's numbers do in NumPy."""
    return type(number) is float and expected.kind == "f" or type(number) in (float, complex) and expected.kind == "c"


def check_tangent_like(primal: Expected, tangent: Any) -> Any:
    """A tangent as a linearized function takes it (None for an integer's); ValueError, as in JAX, where it doesn't fit its primal."""
    wanted = primal.dtype if is_float(primal.dtype) else FLOAT0
    if np.shape(tangent) == primal.shape and (dtype_of(tangent) == wanted or _fits_weakly(tangent, wanted)):
        if wanted == FLOAT0:
            return None
        return tangent if issubclass(primal.kind, np.ndarray) else primal.kind(tangent)
    raise ArgumentValueError(
        "linearized function called on tangent values inconsistent with the original primal values: "
        f"Got tangent aval {_type_name(tangent)} for primal aval {_dtype_name(primal.dtype)}{list(primal.shape)} but expected "
        f"{_dtype_name(wanted)}{list(primal.shape)}."
    )


def fits_type(given: Any, dtype: np.dtype, ndim: int) -> bool:
    """Whether an array or number has this dtype (a Python number: would take it) and rank."""
    return np.ndim(given) == ndim and (dtype_of(given) == dtype or _fits_weakly(given, dtype))
