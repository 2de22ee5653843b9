"""Polymorphic shapes: `shapecheck` says what shapes a function takes and gives, `mask` applies one to parts of padded arrays."""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.api.shapes import eval_shape
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.read.composed.masking import masked_of, size_of
from s2s.tree_util import tree_flatten, tree_leaves, tree_structure, tree_unflatten

Dim = tuple[tuple[int, tuple[str, ...]], ...]
"""A polynomial: terms of a factor and names."""
PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)


def mask(fun: Callable[..., Any], in_shapes: Any, out_shape: Any = "") -> Callable[[Any, Any], Any]:
    """A function of padded arrays: `mask(fun, in_shapes, out_shape)(arguments, {name: logical size})`.

    Parameters
    ----------
    fun
        The function, of arrays of the logical sizes.
    in_shapes, out_shape
        Containers of texts like '(n, m)', 'n', '' (a number), 'n * m', 'n + 1'. Each name stands alone in some argument's shape.

    Returns
    -------
    A function of a list of padded arguments and a dict of logical sizes, which may be known at run time only. Beyond the logical sizes results are zeros. It is
    differentiated and batched like any other; each example of a batch has sizes of its own.

    Raises
    ------
    ArgumentValueError
        A text is no shape.
    TypeError, ValueError
        When it is called: arguments or results don't have the shapes, or a logical size is larger than the padded one.

    >>> padded_sum = mask(np.sum, ["n"], "")
    >>> padded_sum([np.array([1.0, 2.0, 4.0])], {"n": 2})
    np.float64(3.0)
    """
    ins, outs = tuple(map(parsed, tree_leaves(in_shapes))), tuple(map(parsed, tree_leaves(out_shape)))
    alone = {dim[0][1][0] for shape in ins for dim in shape if len(dim) == 1 and dim[0][0] == 1 and len(dim[0][1]) == 1}
    names = _names((*ins, *outs))
    for name in names:
        if name not in alone:
            raise ArgumentValueError(f"the size {name} stands alone in no shape of in_shapes", why="the padded size is found where it does")
    made: Callable[[Any, Any], Any] = masked_of(fun, ins, outs, names)
    return made


def shapecheck(in_shapes: Any, out_shape: Any, fun: Callable[..., Any] | None = None, dtype: Any = np.float64) -> Any:
    """Check that a function takes arrays of `in_shapes` and gives `out_shape`, whatever the sizes; returns the function. A decorator without `fun`.

    The function is read once, with symbols for its sizes; nothing is computed.

    Raises
    ------
    ArgumentValueError
        A text is no shape.
    ArgumentTypeError
        The results have other shapes.
    ValueError, …
        What the function itself raises for sizes that don't fit.

    >>> @shapecheck(["(m, n)", "n"], "m")
    ... def matvec(a, b):
    ...     return np.dot(a, b)
    """
    if fun is None:
        return lambda fun: shapecheck(in_shapes, out_shape, fun, dtype)
    ins, treedef = tree_flatten(in_shapes)
    outs = tree_leaves(out_shape)
    shapes, wanted = [parsed(each) for each in ins], [parsed(each) for each in outs]
    for env in _environments(_names((*shapes, *wanted)), max((len(names) for shape in (*shapes, *wanted) for dim in shape for _, names in dim), default=0)):
        args = tree_unflatten(treedef, [ShapeDtypeStruct(tuple(size_of(dim, env) for dim in shape), dtype) for shape in shapes])
        found = eval_shape(fun, *args)
        if tree_structure(found) != tree_structure(out_shape):
            raise ArgumentTypeError(f"{_name(fun)} gives {tree_structure(found)}, out_shape is {tree_structure(out_shape)}")
        for text, shape, leaf in zip(outs, wanted, tree_leaves(found), strict=True):
            if tuple(size_of(dim, env) for dim in shape) != tuple(leaf.shape):
                sizes = ", ".join(f"{name} = {size}" for name, size in env.items())
                raise ArgumentTypeError(f"{_name(fun)} does not give the shape {text!r} for {ins}", why=f"it is {tuple(leaf.shape)} for {sizes}")
    return fun


def _name(fun: Any) -> str:
    return getattr(fun, "__name__", type(fun).__name__)


def _environments(names: tuple[str, ...], degree: int) -> list[dict[str, int]]:
    """Sizes that tell apart polynomials of this degree: different primes, as many as it takes."""
    return [{name: PRIMES[(3 * number + 2 * turn) % len(PRIMES)] + 60 * (3 * number // len(PRIMES)) for number, name in enumerate(names)} for turn in range(degree + 2)] or [{}]


def _names(shapes: tuple[tuple[Dim, ...], ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for shape in shapes for dim in shape for _, names in dim for name in names))


def parsed(text: Any) -> tuple[Dim, ...]:
    """The sizes that a text like '(n, m + 1)' stands for."""
    if not isinstance(text, str):
        raise ArgumentValueError(f"{text!r} is no shape", instead="a text like '(n, m)', 'n' or ''")
    if not text.strip() or text.strip() == "()":
        return ()
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ArgumentValueError(f"{text!r} is no shape", instead="a text like '(n, m)', 'n * m', 'n + 1' or ''") from None
    return tuple(_terms(each, text) for each in (tree.elts if isinstance(tree, ast.Tuple) else (tree,)))


def _terms(node: ast.expr, text: str) -> Dim:
    match node:
        case ast.Constant(value=int(value)):
            return _collected(((value, ()),))
        case ast.Name(id=name):
            return ((1, (name,)),)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign = 1 if isinstance(op, ast.Add) else -1
            return _collected((*_terms(left, text), *((sign * factor, names) for factor, names in _terms(right, text))))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _collected(tuple((one * two, tuple(sorted((*some, *more)))) for one, some in _terms(left, text) for two, more in _terms(right, text)))
    raise ArgumentValueError(f"{text!r} is no shape", why="sizes are made of names, whole numbers, +, - and *")


def _collected(terms: Dim) -> Dim:
    """Each product of names once."""
    sums: dict[tuple[str, ...], int] = {}
    for factor, names in terms:
        sums[names] = sums.get(names, 0) + factor
    return tuple((factor, names) for names, factor in sums.items() if factor) or ((0, ()),)


__all__ = ["mask", "shapecheck"]
