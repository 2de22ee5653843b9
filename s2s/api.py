"""jit, grad, value_and_grad, jvp, vjp, disable_jit: JAX's signatures, for NumPy functions."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from s2s import rewrites
from s2s.checks import check_argnums
from s2s.pullback import pull_back
from s2s.transformed import DISABLED, Transformed

Numbers = int | Iterable[int] | None
Strings = str | Iterable[str] | None


def jit(
    fun: Callable[..., Any] | None = None, *, static_argnums: Numbers = None, static_argnames: Strings = None, target: str | None = None
) -> Any:
    """A function that runs the Python that s2s emits for `fun`, compiled.

    Parameters
    ----------
    fun
        A NumPy function; its source is read when it is first called. Without it, jit makes a decorator.
    static_argnums, static_argnames
        Arguments on whose values the program is built (hashable; another value, another module).
    target
        "cpu" (loops, compiled by Numba) or "numpy" (array expressions, run as they are).

    Returns
    -------
    A function like `fun`: the same results, dtypes, exceptions and changes of its arguments. A new shape does not compile again.
    """
    if fun is None:
        return lambda function: jit(function, static_argnums=static_argnums, static_argnames=static_argnames, target=target)
    return rewrites.transformed(fun, rewrites.JIT, rewrites.options(fun, target, static_argnums, static_argnames))


def grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
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
        Allow complex arguments, and promise that the function is holomorphic in them.
    allow_int
        Allow integer arguments; their gradients have the dtype float0.

    Returns
    -------
    Gradients have the structure and dtype of their argument; the gradient of a Python float is a np.float64, which is a float.
    """
    return rewrites.gradient(
        fun, "grad", argnums=check_argnums("grad", argnums), has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int
    )


def value_and_grad(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
) -> Transformed:
    """As `grad`, but returns (value, gradient); with `has_aux` ((value, aux), gradient)."""
    return rewrites.gradient(
        fun, "value_and_grad", argnums=check_argnums("value_and_grad", argnums), has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int
    )


def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> tuple[Any, ...]:
    """`fun` at `primals` and its directional derivative along `tangents`: (out, out_dot), with `has_aux` (out, out_dot, aux).

    Tangents have their primals' structure, dtypes and shapes; those of integers have the dtype float0.
    """
    from s2s.checks import check_tangents

    cleaned = check_tangents(primals, tangents)
    return rewrites.transformed(fun, rewrites.jvp(has_aux), rewrites.options(fun))(*primals, *cleaned)


jvp.transformed = lambda fun, has_aux: rewrites.transformed(fun, rewrites.jvp(has_aux), rewrites.options(fun))  # type: ignore[attr-defined]
"""For the reader: jvp inside of the user's own code."""


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """`fun` at `primals` and a function that pulls cotangents of its result back: (out, pullback), with `has_aux` (out, pullback, aux).

    pullback(out_bar) -> a tuple with a cotangent for each primal. It can be called many times.
    """
    return pull_back(fun, primals, has_aux)


@contextmanager
def disable_jit(disable: bool = True) -> Iterator[None]:
    """Inside, `jit` runs the user's own function, and derivatives run their emitted code without compiling it."""
    token = DISABLED.set(disable)
    try:
        yield
    finally:
        DISABLED.reset(token)
