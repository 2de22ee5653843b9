"""xla_computation."""
from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from operator import index
from typing import Any

import numpy as np

from s2s.api.batching import vmap
from s2s.api.jit import jit
from s2s.calls import making
from s2s.calls.leaves import has_type
from s2s.errors import UnsupportedError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.tree_util import tree_map


def xla_computation(
    fun: Callable[..., Any], static_argnums: Any = (), axis_env: Any = None, in_parts: Any = None, out_parts: Any = None, backend: str | None = None, tuple_args: bool = False,
    instantiate_const_outputs: bool | None = None, return_shape: bool = False, donate_argnums: Any = (),
) -> Callable[..., Any]:  # fmt: skip
    """A function that gives what `fun` is lowered to for its arguments: an `s2s.stages.Lowered`, whose `as_text()` is the emitted module.

    JAX's function of this name (gone from JAX 0.4.36 on: `jit(f).lower(*args)`) gives XLA's text.

    Parameters
    ----------
    fun
        A NumPy function.
    static_argnums, donate_argnums, backend
        As of `jit`.
    axis_env
        Names and sizes of mapped axes around the function, outermost first: `[("i", 4)]`. What is lowered runs for all their examples: its arguments, which are given
        here for one, and its results have these axes in front.
    in_parts, out_parts
        Parts of arrays on several devices: refused.
    tuple_args, instantiate_const_outputs
        Accepted and not needed.
    return_shape
        Whether the result's container, with a ShapeDtypeStruct for each result of one example, is given too.

    >>> import numpy as np
    >>> "def lambda__jit(x)" in xla_computation(lambda x: x + 1.0)(np.ones(2)).as_text()
    True
    >>> from s2s import lax
    >>> shares = xla_computation(lambda x: x / lax.psum(x, "i"), axis_env=[("i", 2)])(1.0)
    >>> shares.compile()(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    del tuple_args, instantiate_const_outputs
    given = [name for name, value in (("in_parts", in_parts), ("out_parts", out_parts)) if value]
    if given:
        raise UnsupportedError(f"xla_computation's {', '.join(given)}", why="emitted code runs in one process on the host's CPU", instead="shard_map, which cuts arrays into parts")
    static = making.numbers_of("static_argnums", static_argnums)
    axes = tuple((name, index(size)) for name, size in axis_env or ())

    def computation_maker(*args: Any, **kwargs: Any) -> Any:
        kept = {number % len(args) for number in static if args}
        batched = _over(fun, axes, tuple(None if number in kept else 0 for number in range(len(args))))
        jitted = jit(batched, static_argnums=static or None, donate_argnums=donate_argnums or None, backend=backend)
        longer = partial(_with_axes, tuple(size for _, size in axes))
        given = (arg if number in kept else tree_map(longer, arg, is_leaf=has_type) for number, arg in enumerate(args))
        lowered = jitted.lower(*given, **tree_map(longer, kwargs, is_leaf=has_type))
        return (lowered, tree_map(partial(_of_one, len(axes)), lowered.out_info)) if return_shape else lowered

    return computation_maker


def _over(fun: Callable[..., Any], axes: tuple[tuple[Hashable, int], ...], in_axes: tuple[int | None, ...]) -> Callable[..., Any]:
    """The function for all examples along the axes, the first of which is the outermost."""
    for name, size in reversed(axes):
        fun = vmap(fun, in_axes=in_axes, axis_name=name, axis_size=size)
    return fun


def _with_axes(sizes: tuple[int, ...], leaf: Any) -> Any:
    """What stands for an argument of all examples; without axes the argument itself."""
    if not sizes or not isinstance(leaf, bool | int | float | complex) and not has_type(leaf):
        return leaf
    like = leaf if has_type(leaf) else np.asarray(leaf)
    return ShapeDtypeStruct((*sizes, *like.shape), like.dtype)


def _of_one(axes: int, whole: ShapeDtypeStruct) -> ShapeDtypeStruct:
    return whole.update(shape=whole.shape[axes:])
