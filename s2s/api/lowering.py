"""xla_computation."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.api.jit import jit
from s2s.api.shapes import eval_shape
from s2s.errors import UnsupportedError


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
    axis_env, in_parts, out_parts
        Named axes and parts around the function: refused.
    tuple_args, instantiate_const_outputs
        Accepted and not needed.
    return_shape
        Whether the result's container, with a ShapeDtypeStruct for each result, is given too.

    >>> import numpy as np
    >>> "def lambda__jit(x)" in xla_computation(lambda x: x + 1.0)(np.ones(2)).as_text()
    True
    """
    del tuple_args, instantiate_const_outputs
    given = [name for name, value in (("axis_env", axis_env), ("in_parts", in_parts), ("out_parts", out_parts)) if value]
    if given:
        raise UnsupportedError(f"xla_computation's {', '.join(given)}", why="emitted code runs in one process on the host's CPU", instead="vmap(f, axis_name=…) for a named axis")
    jitted = jit(fun, static_argnums=static_argnums or None, donate_argnums=donate_argnums or None, backend=backend)

    def computation_maker(*args: Any, **kwargs: Any) -> Any:
        lowered = jitted.lower(*args, **kwargs)
        return (lowered, eval_shape(jitted, *args, **kwargs)) if return_shape else lowered

    return computation_maker
