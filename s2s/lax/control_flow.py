"""Loops and branches over functions, by JAX's contracts (documentation of jax.lax, version 0.10)."""
from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2s.api.shapes import eval_shape
from s2s.lax.carries import check_carried, keeping
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.read.composed import control, marks
from s2s.tree_util import tree_flatten, tree_map, tree_unflatten


@contextmanager
def _plain_python() -> Iterator[None]:
    """Around functions that are called here as they are: what they ask of arrays that only arrays of functions which are read have."""
    try:
        yield
    except AttributeError as error:
        if error.name == "at" and isinstance(error.obj, np.ndarray | np.generic):
            error.add_note("Called outside of a function that is read, lax's functions are plain Python, and arrays are NumPy's: inside of s2s.jit(…) x.at[i].set(v) is there; y = x.copy(); y[i] = v works everywhere.")
        raise


@_plain_python()
def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any, operand: Any = control.Unsaid, linear: Any = None) -> Any:
    """`true_fun(*operands)` if `pred` holds, else `false_fun(*operands)`; only that one runs.

    The old form cond(pred, true_operand, true_fun, false_operand, false_fun) is taken too. `linear` is accepted and not needed.

    Raises
    ------
    ArgumentTypeError
        A TypeError, when it is read: `pred` is no scalar, or the two results differ in structure, rank or dtype.

    >>> import s2s
    >>> s2s.grad(lambda x: cond(x > 0, lambda a: a * a, lambda a: -a, x))(3.0)
    6.0
    """
    return control.cond(pred, true_fun, false_fun, *operands, operand=operand, linear=linear)


@_plain_python()
def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, operand: Any = control.Unsaid) -> Any:
    """`branches[index](*operands)`, the index taken into the range of the branches; only that one runs.

    Raises
    ------
    ValueError
        There are no branches.
    ArgumentTypeError
        A TypeError, when it is read: the index is no integer, or results differ in structure, rank or dtype.

    >>> switch(7, [lambda a: a, lambda a: 2 * a], 3.0)
    6.0
    """
    return control.switch(index, branches, *operands, operand=operand)


@_plain_python()
def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """`val = body_fun(val)` from `init_val` on while `cond_fun(val)` holds; val is any container. Both derivative modes work.

    Raises
    ------
    ArgumentTypeError
        A TypeError, when it is read: cond_fun gives no scalar, or body_fun changes the structure, rank or dtype of what is carried.

    >>> import s2s
    >>> halve = lambda x: while_loop(lambda v: v > 1.0, lambda v: v / 2, x)
    >>> s2s.value_and_grad(halve)(6.0)
    (0.75, 0.125)
    """
    return control.while_loop(cond_fun, keeping("while_loop body", body_fun, 0), init_val)


@_plain_python()
def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, *, unroll: Any = None) -> Any:
    """`val = body_fun(i, val)` for i = lower … upper - 1. The bounds may be known at run time only, in both derivative modes. `unroll` is accepted and not needed.

    Raises
    ------
    ArgumentTypeError
        A TypeError, when it is read: bounds that are no integers, or body_fun changes the structure, rank or dtype of what is carried.

    >>> import s2s
    >>> s2s.grad(lambda x: fori_loop(0, 3, lambda i, v: v * x, 1.0))(2.0)
    12.0
    """
    return control.fori_loop(lower, upper, keeping("fori_loop body", body_fun, 1), init_val, unroll=unroll)


@_plain_python()
def scan(
    f: Callable[[Any, Any], tuple[Any, Any]], init: Any, xs: Any = None, length: int | None = None, reverse: bool = False, unroll: int | bool = 1,
    _split_transpose: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """(carry, ys) of `carry, y = f(carry, x)` for each x along the first axes of `xs`, from `init` on; ys are the y's, stacked.

    `xs`, the carry and y are any containers; without xs there are `length` trips. `reverse` goes from the last to the first, and stores each y at
    its x's place. `unroll` and `_split_transpose` are accepted and not needed.

    Raises
    ------
    ValueError
        xs have first axes of different sizes, none, or other ones than `length`.
    ArgumentTypeError
        A TypeError, when it is read: f changes the structure, rank or dtype of what is carried.

    >>> scan(lambda total, x: (total + x, total * x), 0.0, np.array([1.0, 2.0, 3.0]))
    (np.float64(6.0), array([0., 2., 9.]))
    """
    control.scan_arguments(f, unroll)
    leaves, treedef = tree_flatten(xs)
    n = control.trips("scan", leaves, length)
    rows: dict[int, Any] = {}
    carry = init
    for k in builtins.reversed(range(n)) if reverse else range(n):
        found = _pair(f(carry, tree_unflatten(treedef, [x[k] for x in leaves])))
        check_carried("scan body", f, 0, carry, found[0])
        carry, rows[k] = found
    return carry, _stacked([rows[k] for k in range(n)], lambda: _pair(_like(lambda x: f(init, x), leaves, treedef))[1])


def _pair(found: Any) -> Any:
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise TypeError(marks.NO_PAIR.format(found))
    return found


@_plain_python()
def map(f: Callable[[Any], Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """The results of f(x) for each x along the first axes of `xs`, stacked. `batch_size` is accepted and not needed.

    >>> map(lambda x: x * x, np.array([1.0, 2.0]))
    array([1., 4.])
    """
    leaves, treedef = tree_flatten(xs)
    rows = [f(tree_unflatten(treedef, [x[k] for x in leaves])) for k in range(control.trips("scan", leaves, None))]
    return _stacked(rows, lambda: _like(f, leaves, treedef))


def _stacked(rows: list[Any], like: Callable[[], Any]) -> Any:
    """Results with a new first axis; without any, empty arrays of what they would be like."""
    if rows:
        return tree_map(lambda *items: np.stack([np.asarray(item) for item in items]), *rows)
    return tree_map(lambda each: np.empty((0, *each.shape), each.dtype), like())


def _like(f: Callable[[Any], Any], leaves: list[Any], treedef: Any) -> Any:
    """What f gives for one of the rows, which is not there."""
    return eval_shape(f, tree_unflatten(treedef, [ShapeDtypeStruct(x.shape[1:], x.dtype) for x in leaves]))


@_plain_python()
def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Running results of an associative function: elems[0], fn(elems[0], elems[1]), fn(fn(elems[0], elems[1]), elems[2]), …

    `fn` sees parts of the arrays with all their axes. It is called element by element, in O(n); JAX's order of calls differs.

    >>> associative_scan(np.add, np.array([1.0, 2.0, 3.0]))
    array([1., 3., 6.])
    """
    return control.associative_scan(fn, elems, reverse=reverse, axis=axis)
