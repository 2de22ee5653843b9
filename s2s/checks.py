"""What JAX's transformations demand of arguments and results, checked before any work is done, with JAX's errors."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.codegen import trees
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.staged import Result, Staged
from s2s.tree_util import tree_flatten, tree_leaves, tree_structure, tree_unflatten
from s2s.types import Array, is_float

FLOAT0 = np.dtype([("float0", np.void, 0)])
"""The dtype of the tangents of integers and booleans, as in JAX: it has one value, nothing."""


def dtype_of(leaf: Any) -> np.dtype:
    """The dtype of an array or number; object for anything else."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        return leaf.dtype
    return np.asarray(leaf).dtype if isinstance(leaf, (bool, int, float, complex)) else np.dtype(object)


def resolve_argnums(argnums: int | tuple[int, ...], count: int) -> int | tuple[int, ...]:
    """argnums without negative numbers; TypeError if there are not so many arguments."""
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if any(not -count <= number < count for number in numbers):
        needed = max(number + 1 if number >= 0 else -number for number in numbers)
        raise ArgumentTypeError(
            f"differentiating with respect to argnums={argnums} requires at least {needed} positional arguments to be passed by the caller,"
            f" but got only {count} positional arguments."
        )
    resolved = tuple(number % count for number in numbers)
    if len(set(resolved)) != len(resolved):
        raise ArgumentValueError(f"argnums={argnums} names an argument twice")
    return resolved[0] if isinstance(argnums, int) else resolved


def check_argnums(name: str, argnums: Any) -> int | tuple[int, ...]:
    """argnums as an int or a tuple of ints."""
    if isinstance(argnums, (int, np.integer)) and not isinstance(argnums, bool):
        return int(argnums)
    if isinstance(argnums, (tuple, list)) and argnums and all(isinstance(each, (int, np.integer)) for each in argnums):
        return tuple(int(each) for each in argnums)
    raise ArgumentTypeError(f"{name}: argnums must be an int or a non-empty sequence of ints, not {argnums!r}")


def check_differentiable(name: str, arg: Any, *, allow_int: bool, holomorphic: bool) -> None:
    """TypeError unless every leaf of an argument may be differentiated with respect to."""
    for leaf in tree_leaves(arg):
        dtype = dtype_of(leaf)
        if holomorphic and dtype.kind != "c":
            raise ArgumentTypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype}.")
        if dtype.kind in "biu":
            if not allow_int:
                raise ArgumentTypeError(
                    f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got {dtype}.",
                    instead="pass floats (3.0 instead of 3), choose other argnums, or set allow_int=True",
                )
        elif dtype.kind == "c" and not holomorphic:
            raise ArgumentTypeError(
                f"{name} requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got {dtype}.",
                instead="for holomorphic differentiation, pass holomorphic=True",
            )
        elif dtype.kind not in "fc":
            raise ArgumentTypeError(f"{name} can't differentiate with respect to an argument of type {type(leaf).__name__}", instead="choose other argnums")


def check_scalar_output(name: str, staged: Staged, *, has_aux: bool, holomorphic: bool) -> None:
    """TypeError unless the program returns one real scalar (with has_aux: a pair of it and something else)."""
    result = staged.result
    if has_aux:
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise ArgumentTypeError(f"{name} with has_aux=True needs a function that returns a pair (value, aux)", where=staged.function.where)
        result = result[0]
    type_ = _scalar_type(name, staged, result)
    if holomorphic and type_.dtype.kind != "c":
        raise ArgumentTypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {type_.dtype}.", where=staged.function.where)
    if not holomorphic and type_.dtype.kind != "f":
        raise ArgumentTypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {type_.dtype}.",
            where=staged.function.where, instead="for holomorphic differentiation pass holomorphic=True" if type_.dtype.kind == "c" else "return a float",
        )  # fmt: skip


def _scalar_type(name: str, staged: Staged, result: Any) -> Array:
    if not isinstance(result, Result):
        if isinstance(result, float):  # the same number for all arguments
            return Array(np.dtype(np.float64), (), weak=True)
        described = trees.tree_text(result, lambda leaf: str(staged.function.body.results[leaf.number].type))
        raise ArgumentTypeError(f"Gradient only defined for scalar-output functions. Output was {described}.", where=staged.function.where)
    type_ = staged.function.body.results[result.number].type
    if type_.ndim:
        shape = ", ".join(str(dim) for dim in type_.shape) + ("," if type_.ndim == 1 else "")
        raise ArgumentTypeError(
            f"Gradient only defined for scalar-output functions. Output had shape: ({shape}).", where=staged.function.where,
            instead=f"return a scalar, for example np.sum(…); for all derivatives of an array use s2s.vjp or s2s.jvp instead of {name}",
        )  # fmt: skip
    return type_


def check_tangents(primals: Any, tangents: Any) -> tuple[Any, ...]:
    """The tangents with None for those of integers; TypeError or ValueError, as in JAX, where they don't fit the primals."""
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise ArgumentTypeError(
            "primal and tangent arguments to s2s.jvp must be tuples or lists; "
            f"found {type(primals).__name__} and {type(tangents).__name__}."
        )
    leaves, treedef = tree_flatten(tuple(primals))
    tangent_leaves, tangent_treedef = tree_flatten(tuple(tangents), is_leaf=_is_float0)
    if treedef != tangent_treedef:
        raise ArgumentTypeError(
            "primal and tangent arguments to s2s.jvp must have the same tree structure; "
            f"primals have tree structure {treedef} whereas tangents have tree structure {tangent_treedef}."
        )
    return tuple(tree_unflatten(treedef, [_tangent(leaf, tangent) for leaf, tangent in zip(leaves, tangent_leaves, strict=True)]))


def _is_float0(leaf: Any) -> bool:
    return isinstance(leaf, (np.ndarray, np.void)) and leaf.dtype == FLOAT0


def _tangent(primal: Any, tangent: Any) -> Any:
    dtype, tangent_dtype = dtype_of(primal), FLOAT0 if _is_float0(tangent) else dtype_of(tangent)
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
    return _like(primal, tangent)


def _dtype_name(dtype: np.dtype) -> str:
    return "float0" if dtype == FLOAT0 else str(dtype)


def check_cotangent(name: str, out: Any, out_bar: Any) -> Any:
    """The cotangents with None for those of integers; ValueError, as in JAX, where they don't fit the outputs."""
    leaves, treedef = tree_flatten(out)
    bars, bar_treedef = tree_flatten(out_bar, is_leaf=_is_float0)
    if treedef != bar_treedef:
        raise ArgumentValueError(
            f"unexpected tree structure of argument to vjp function: got {tree_structure(out_bar)}, but expected to match {treedef}"
        )
    for leaf, bar in zip(leaves, bars, strict=True):
        dtype, shape = dtype_of(leaf), np.shape(leaf)
        expected = dtype if is_float(dtype) else FLOAT0
        found = FLOAT0 if _is_float0(bar) else dtype_of(bar)
        if shape != np.shape(bar) or expected != found and not _fits_weakly(bar, expected):
            raise ArgumentValueError(
                f"unexpected type (e.g. shape/dtype) for argument to vjp function: got {_dtype_name(found)}{list(np.shape(bar))}, but expected "
                f"{_dtype_name(expected)}{list(shape)} because the corresponding output of the function {name} had type {dtype}{list(shape)}"
            )
    matched = [None if not is_float(dtype_of(leaf)) else _like(leaf, bar) for leaf, bar in zip(leaves, bars, strict=True)]
    return treedef.unflatten(matched)


def _like(leaf: Any, bar: Any) -> Any:
    """A number of the leaf's own kind: Python numbers for Python numbers, NumPy scalars for NumPy scalars."""
    return bar if isinstance(leaf, np.ndarray) else type(leaf)(bar)


def _fits_weakly(number: Any, expected: np.dtype) -> bool:
    """Whether a Python float or complex may stand for a scalar of this dtype, as Python's numbers do in NumPy."""
    return type(number) is float and expected.kind == "f" or type(number) in (float, complex) and expected.kind == "c"
