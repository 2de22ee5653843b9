"""linearize, linear_transpose."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.calls import checks, linear
from s2s.calls.transformations import LINEAR_TRANSPOSE, LINEARIZE, offered


@offered(LINEARIZE)
def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """`fun` at `primals` and its derivative there as a linear function: (out, f_jvp), with `has_aux` (out, f_jvp, aux).

    f_jvp(*tangents) -> the tangent of the result. What is not linear is computed once, here; f_jvp can be called many times, and is
    cheaper than jvp. It keeps copies of what it needs. Tangents have their primals' structure, dtypes and shapes (float0 for integers).

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        By f_jvp: tangents of another structure, or of other shapes or dtypes.

    >>> out, f_jvp = linearize(lambda x, y: x * y, 2.0, 3.0)
    >>> out, f_jvp(1.0, 0.0), f_jvp(0.0, 1.0)
    (6.0, 3.0, 2.0)
    """
    return linear.linearize(fun, primals, has_aux, linearize)


@offered(LINEAR_TRANSPOSE)
def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: Sequence[Any] = ()) -> Callable[[Any], tuple[Any, ...]]:
    """The transpose of a linear function: out_bar -> a tuple with a cotangent for each argument.

    Parameters
    ----------
    fun
        A function that is linear in all its arguments jointly; their values are never used.
    primals
        Arrays, or anything with their `shape` and `dtype` (`ShapeDtypeStruct`), in containers.
    reduce_axes
        Deprecated in JAX; anything but () raises UnsupportedError, a NotImplementedError.

    Raises
    ------
    ArgumentTypeError
        The function is not linear (the error shows the first operation that is not), arguments or results are no floats, or out_bar
        doesn't have the structure, dtype and shape of the result.

    >>> import numpy as np
    >>> linear_transpose(lambda x: 3.0 * x, np.zeros(2))(np.array([1.0, 2.0]))
    (array([3., 6.]),)
    """
    checks.check_reduce_axes("transpose", reduce_axes)
    return linear.linear_transpose(fun, primals)
