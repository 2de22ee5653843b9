"""make_jaxpr."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from s2s.calls import making
from s2s.errors import ArgumentTypeError, UnsupportedError


def make_jaxpr(
    fun: Callable[..., Any], static_argnums: int | Iterable[int] = (), axis_env: Any = None, return_shape: bool = False, abstracted_axes: Any = None
) -> Callable[..., Any]:
    """A function that gives the program of `fun` in JAX's notation: a `ClosedJaxpr` (docs/jaxpr.md).

    Parameters
    ----------
    fun
        A function, or what a transformation made of one.
    static_argnums
        Arguments on whose values the program is built.
    axis_env
        Names and sizes of mapped axes around the function, outermost first: `[("i", 4)]`. Its collectives name them.
    return_shape
        Whether the result's container, with a ShapeDtypeStruct for each result, is given too.
    abstracted_axes
        JAX's; refused: sizes are symbols in our own program (`jit(f).trace(…).as_text()`), and numbers in a jaxpr.

    Raises
    ------
    UnsupportedError
        A NotImplementedError: the function writes into an argument, or a size depends on numbers.

    >>> import numpy as np
    >>> def loss(w, x):
    ...     return np.sum(np.tanh(x @ w) ** 2)
    >>> make_jaxpr(loss)(np.zeros(3), np.zeros((2, 3)))
    { lambda ; a:f64[3] b:f64[2,3]. let
        c:f64[2] = dot_general[
          dimension_numbers=(([1], [0]), ([], []))
          preferred_element_type=float64
        ] b a
        d:f64[2] = tanh c
        e:f64[2] = integer_pow[y=2] d
        f:f64[] = reduce_sum[axes=(0,) out_sharding=None] e
      in (f,) }
    """
    if not callable(fun):
        raise ArgumentTypeError(f"Expected a callable value, got {type(fun).__name__}", why="it is given to s2s.make_jaxpr")
    if abstracted_axes is not None:
        raise UnsupportedError("make_jaxpr(abstracted_axes=…)", why="a jaxpr's sizes are numbers", instead="jit(f).trace(…).as_text(): its sizes are symbols")
    numbers = making.numbers_of("static_argnums", static_argnums)

    def jaxpr_maker(*args: Any, **kwargs: Any) -> Any:
        from s2s.calls import jaxprs  # with all that reads

        closed, shapes = jaxprs.jaxpr_for(fun, numbers, tuple(axis_env or ()), args, kwargs)
        return (closed, shapes) if return_shape else closed

    jaxpr_maker.__name__ = f"make_jaxpr({getattr(fun, '__name__', type(fun).__name__)})"
    return jaxpr_maker
