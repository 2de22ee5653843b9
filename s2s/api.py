"""jit, grad, value_and_grad, jvp, vjp, disable_jit: JAX's signatures, for NumPy functions."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from s2s import checks, rewrites
from s2s.pullback import pull_back
from s2s.transformed import DISABLED, Transformed

Numbers = int | Iterable[int] | None
Strings = str | Iterable[str] | None


def jit(
    fun: Callable[..., Any] | None = None,
    /,
    *,
    in_shardings: Any = None,
    out_shardings: Any = None,
    static_argnums: Numbers = None,
    static_argnames: Strings = None,
    donate_argnums: Numbers = None,
    donate_argnames: Strings = None,
    keep_unused: bool = False,
    device: Any = None,
    backend: str | None = None,
    inline: bool = False,
    compiler_options: dict[str, Any] | None = None,
    target: str | None = None,
) -> Any:
    """A function that runs the Python that s2s emits for `fun`, compiled.

    Parameters
    ----------
    fun
        A NumPy function; its source is read when it is first called. Without it, jit makes a decorator.
    static_argnums, static_argnames
        Arguments on whose values the program is built (hashable; another value, another module).
    donate_argnums, donate_argnames, keep_unused, inline
        What JAX may do, and need not: checked, and without effect. Arguments are used where they are, and stay valid.
    in_shardings, out_shardings, device, backend, compiler_options
        JAX's; anything but the default (or backend="cpu") raises UnsupportedError.
    target
        "cpu" (loops, compiled by Numba) or "numpy" (array expressions, run as they are).

    Returns
    -------
    A function like `fun`: the same results, dtypes, exceptions and changes of its arguments. A new shape does not compile again.
    """
    if fun is None:
        given = {name: value for name, value in locals().items() if name != "fun"}
        return lambda function: jit(function, **given)
    rewrites.check_placement(in_shardings, out_shardings, device, backend, compiler_options)
    rewrites.check_donated(donate_argnums, donate_argnames)
    return rewrites.transformed(fun, rewrites.JIT, rewrites.options(fun, target, static_argnums, static_argnames))


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
    return rewrites.gradient(
        fun, "grad", argnums=checks.check_argnums("grad", argnums), has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int
    )


def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Any] = (),
) -> Transformed:
    """As `grad`, but returns (value, gradient); with `has_aux` ((value, aux), gradient).

    >>> value_and_grad(lambda x: x**3)(2.0)
    (8.0, 12.0)
    """
    checks.check_reduce_axes("value_and_grad", reduce_axes)
    return rewrites.gradient(
        fun, "value_and_grad", argnums=checks.check_argnums("value_and_grad", argnums), has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int
    )


def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> tuple[Any, ...]:
    """`fun` at `primals` and its directional derivative along `tangents`: (out, out_dot), with `has_aux` (out, out_dot, aux).

    Tangents have their primals' structure, dtypes and shapes; those of integers have the dtype float0.

    >>> jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 0.0))
    (6.0, 3.0)
    """
    cleaned = checks.check_tangents(primals, tangents)
    return rewrites.transformed(fun, rewrites.jvp(has_aux), rewrites.options(fun))(*primals, *cleaned)


jvp.transformed = lambda fun, has_aux: rewrites.transformed(fun, rewrites.jvp(has_aux), rewrites.options(fun))  # type: ignore[attr-defined]
"""For the reader: jvp inside of the user's own code."""


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Sequence[Any] = ()) -> tuple[Any, ...]:
    """`fun` at `primals` and a function that pulls cotangents of its result back: (out, pullback), with `has_aux` (out, pullback, aux).

    pullback(out_bar) -> a tuple with a cotangent for each primal. It can be called many times, and keeps copies of what it needs.

    >>> out, pullback = vjp(lambda x, y: x * y, 2.0, 3.0)
    >>> out, pullback(1.0)
    (6.0, (3.0, 2.0))
    """
    checks.check_reduce_axes("vjp", reduce_axes)
    return pull_back(fun, primals, has_aux)


@contextmanager
def disable_jit(disable: bool = True) -> Iterator[None]:
    """Inside, `jit` runs the user's own function, and derivatives run their emitted code without compiling it."""
    token = DISABLED.set(disable)
    try:
        yield
    finally:
        DISABLED.reset(token)
