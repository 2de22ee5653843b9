"""grad, value_and_grad, jvp, vjp: JAX's signatures, for NumPy functions."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.calls import checks
from s2s.calls.pullback import pull_back
from s2s.calls.transformations import GRAD, JVP, VALUE_AND_GRAD, VJP, of, offered
from s2s.calls.transformed import Transformed
from s2s.errors import ArgumentValueError


@offered(GRAD)
def grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Transformed:
    """The gradient of a scalar function: a function of the same arguments that returns what `argnums` name, differentiated.

    Parameters
    ----------
    fun
        A function of arrays and containers of arrays; with `has_aux` it returns (value, anything).
    argnums
        The argument (int) or arguments (sequence, then a tuple is returned) to differentiate with respect to.
    has_aux
        Return (gradient, aux).
    holomorphic
        Promise that the function is holomorphic: arguments and result are complex, and so is the derivative.
    allow_int
        Allow integer arguments; their gradients have the dtype float0.
    reduce_axes
        Deprecated in JAX; anything but () raises UnsupportedError, a NotImplementedError.

    Returns
    -------
    Gradients have the structure, shape and dtype of their argument: for a Python float a Python float, for np.float32 np.float32. For
    complex arguments (and a real result) the gradient is df/dx - i df/dy, JAX's convention.

    Raises
    ------
    ArgumentTypeError
        The result is no real scalar; an argument named by argnums is missing, or an integer (without `allow_int`).

    >>> grad(lambda x: x**3)(2.0)
    12.0
    """
    checks.check_reduce_axes("grad", reduce_axes)
    return of(GRAD, fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


@offered(VALUE_AND_GRAD)
def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Transformed:
    """As `grad`, but returns (value, gradient); with `has_aux` ((value, aux), gradient). Value and gradient come from one run.

    >>> value_and_grad(lambda x: x**3)(2.0)
    (8.0, 12.0)
    """
    checks.check_reduce_axes("value_and_grad", reduce_axes)
    return of(VALUE_AND_GRAD, fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


@offered(JVP)
def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> tuple[Any, ...]:
    """`fun` at `primals` and its directional derivative along `tangents`: (out, out_dot), with `has_aux` (out, out_dot, aux).

    Forward mode: values and tangents side by side, at about twice the cost of `fun` and in no more memory. `fun` may be any function of
    arrays, numbers and containers; out_dot has the structure, shapes and dtypes of out.

    Parameters
    ----------
    fun
        The function; it is called with positional arguments only.
    primals, tangents
        Tuples or lists with an entry for each argument. Tangents have their primals' structure, dtypes and shapes; those of integers have
        the dtype float0 (`np.zeros(shape, s2s.float0)`).
    has_aux
        `fun` returns (out, anything).

    Raises
    ------
    ArgumentTypeError
        Tangents of another structure or dtype than the primals.
    ArgumentValueError
        Tangents of another shape.

    >>> jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 0.0))
    (6.0, 3.0)
    """
    cleaned = checks.check_tangents(primals, tangents)
    result: tuple[Any, ...] = of(JVP, fun, has_aux=has_aux)(*primals, *cleaned)
    return result


@offered(VJP)
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Sequence[Any] = ()) -> tuple[Any, ...]:
    """`fun` at `primals` and a function that pulls cotangents of its result back: (out, pullback), with `has_aux` (out, pullback, aux).

    pullback(out_bar) -> a tuple with a cotangent for each primal, of its structure, shapes and dtypes (float0 for integers). It can be called
    many times, and keeps copies of what it needs. Reverse mode: `fun` is run once, here, and keeps what the reversed program can't compute
    again cheaply.

    Raises
    ------
    ArgumentValueError
        By pullback: a cotangent of another structure, shape or dtype than the result.
    ArgumentTypeError
        With `has_aux`: the function returns no pair. By pullback: more than one argument.

    >>> out, pullback = vjp(lambda x, y: x * y, 2.0, 3.0)
    >>> out, pullback(1.0)
    (6.0, (3.0, 2.0))
    """
    checks.check_reduce_axes("vjp", reduce_axes)
    return pull_back(fun, primals, has_aux, vjp)


def fwd_and_bwd(fun: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool = False, jitted: bool = True) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`fun`'s two sweeps as functions of their own: fwd(*args) -> (out, residuals), with `has_aux` (out, residuals, aux); bwd(residuals, out_bar) -> a tuple with a
    cotangent for each argument of `argnums`. They are compiled once for each kind of arguments; `jitted` is accepted and not needed.

    >>> fwd, bwd = fwd_and_bwd(lambda x, y: x * y, argnums=(0, 1))
    >>> out, residuals = fwd(2.0, 3.0)
    >>> out, bwd(residuals, 1.0)
    (6.0, (3.0, 2.0))
    """
    del jitted
    chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    def fwd(*args: Any) -> tuple[Any, ...]:
        for number in chosen:
            if not -len(args) <= number < len(args):
                raise ArgumentValueError(f"fwd_and_bwd with argnums={argnums} of a function that was called with {len(args)} arguments")
        return vjp(fun, *args, has_aux=has_aux)

    def bwd(residuals: Any, out_bar: Any) -> tuple[Any, ...]:
        bars = residuals(out_bar)
        return tuple(bars[number] for number in chosen)

    return fwd, bwd
