"""jit, grad, value_and_grad, jvp, vjp, disable_jit: JAX's signatures, for NumPy functions."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from s2s import checks, jacobians, linear, rewrites
from s2s.pullback import apart, pull_back
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

    Raises
    ------
    SourceError, UnsupportedError
        When it is called: the source can't be found, or uses what s2s does not read (docs/supported.md).
    ArgumentTypeError, ArgumentValueError
        When it is called: an argument is no array, number or container of them; a static argument can't be hashed.

    >>> import numpy as np
    >>> @jit
    ... def total(x):
    ...     s = 0.0
    ...     for i in range(len(x)):
    ...         s += x[i] ** 2
    ...     return s
    >>> total(np.array([1.0, 2.0]))
    np.float64(5.0)
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
    """As `grad`, but returns (value, gradient); with `has_aux` ((value, aux), gradient). Value and gradient come from one run.

    >>> value_and_grad(lambda x: x**3)(2.0)
    (8.0, 12.0)
    """
    checks.check_reduce_axes("value_and_grad", reduce_axes)
    return rewrites.gradient(
        fun, "value_and_grad", argnums=checks.check_argnums("value_and_grad", argnums), has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int
    )


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
    return rewrites.transformed(fun, rewrites.jvp(has_aux), rewrites.options(fun))(*primals, *cleaned)


jvp.transformed = lambda fun, has_aux: rewrites.transformed(fun, rewrites.jvp(has_aux), rewrites.options(fun))  # type: ignore[attr-defined]
"""For the reader: jvp inside of the user's own code."""


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
    return pull_back(fun, primals, has_aux)


vjp.apart = apart  # type: ignore[attr-defined]
"""For the reader: vjp inside of the user's own code."""


def jacfwd(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False) -> Transformed:
    """The Jacobian of `fun`, column by column, in forward mode: cheapest for few inputs and many outputs.

    Parameters
    ----------
    fun
        A function of arrays and containers of arrays; with `has_aux` it returns (value, anything).
    argnums
        The argument (int) or arguments (sequence) to differentiate with respect to; they are real (complex with `holomorphic`).
    has_aux
        Return (Jacobian, aux).
    holomorphic
        Promise that the function is holomorphic: arguments and results are complex, and so is the Jacobian.

    Returns
    -------
    A function of the same arguments. For an array of shape `in` and a result of shape `out` it returns an array of shape `(*out, *in)`;
    for containers the result's containers, each leaf of which is replaced by the argument's containers (by a tuple of them, if argnums
    is a sequence).

    Raises
    ------
    ArgumentTypeError
        An argument is no real number or array, or (with `holomorphic`) an argument or result is not complex.

    >>> import numpy as np
    >>> jacfwd(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return jacobians.jacobian(fun, "jacfwd", argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


def jacrev(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
) -> Transformed:
    """As `jacfwd`, row by row, in reverse mode: cheapest for few outputs. Results are real, or complex with `holomorphic`.

    `allow_int`: allow integer arguments; their Jacobians are zeros of their dtype. Shapes and containers are those of `jacfwd`; the function is
    run once, the reversed program once for each element of the result (docs/jacobians.md says when all at once).

    Raises
    ------
    ArgumentTypeError
        An argument is an integer (without `allow_int`), or a result is not real (with `holomorphic`: not complex).

    >>> import numpy as np
    >>> jacrev(lambda x: x @ x)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    return jacobians.jacobian(fun, "jacrev", argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


def jacobian(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
) -> Transformed:
    """`jacrev`, under its other name.

    >>> jacobian(lambda x: x**2)(3.0)
    6.0
    """
    return jacrev(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


def hessian(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False) -> Transformed:
    """The second derivatives of `fun`: jacfwd(jacrev(fun)), of shape `(*out, *in, *in)`; for containers, containers of containers.

    Forward over reverse mode: one gradient, and its linear part once for each element of the argument. Parameters are those of `jacfwd`.

    Raises
    ------
    ArgumentTypeError
        An argument or a result is not real (with `holomorphic`: not complex).

    >>> import numpy as np
    >>> hessian(lambda x: x[0] * x[1] ** 2)(np.array([3.0, 2.0]))
    array([[0., 4.],
           [4., 6.]])
    """
    return jacobians.jacobian(fun, "hessian", argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


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
    return linear.linearize(fun, primals, has_aux)


linearize.apart = linear.apart  # type: ignore[attr-defined]
"""For the reader: linearize inside of the user's own code."""


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


linear_transpose.transformed = lambda fun: rewrites.transformed(fun, linear.TRANSPOSE, rewrites.options(fun))  # type: ignore[attr-defined]
"""For the reader: linear_transpose inside of the user's own code."""


def checkpoint(
    fun: Callable[..., Any] | None = None,
    *,
    prevent_cse: bool | Sequence[bool] = True,
    policy: Callable[..., bool] | None = None,
    static_argnums: int | tuple[int, ...] = (),
    static_argnames: str | Iterable[str] = (),
    concrete: bool = False,
    steps: int | bool | str | None = None,
) -> Any:
    """A function like `fun` whose intermediate values are computed again for the reverse sweep instead of being kept for it.

    Parameters
    ----------
    fun
        A NumPy function. Without it, checkpoint makes a decorator.
    prevent_cse
        Accepted as in JAX: what is computed again is a function of its own, which no optimisation joins with the first run.
    policy
        Which values may be kept all the same (`s2s.checkpoint_policies`); None: the arguments only.
    static_argnums, static_argnames
        Arguments on whose values the program is built.
    concrete
        Not supported, as in JAX.
    steps
        For long loops: each outermost loop is reversed from at most this many snapshots of its state, and a tape of a few trips, instead
        of tapes of all trips (Griewank and Walther 2000; for `while` loops Wang, Moin and Iaccarino 2009). "auto" or True: about the
        square root of the number of trips. The rest of `fun` is differentiated as usual unless a policy is given too.

    Returns
    -------
    A function with the same results and the same derivatives, in all modes and orders; called by itself it is `fun`.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        An option can't be used.
    NotImplementedError
        `concrete` is set.

    >>> grad(checkpoint(lambda x: x**3))(2.0)
    12.0
    """
    from s2s import checkpointing

    checkpointing.check_options(prevent_cse, policy, static_argnums, concrete, steps)
    if fun is None:
        given: dict[str, Any] = {"policy": policy, "static_argnums": static_argnums, "static_argnames": static_argnames, "steps": steps}
        return lambda function: checkpoint(function, prevent_cse=prevent_cse, **given)
    return checkpointing.checkpointed(fun, policy, steps, rewrites.options(fun, None, static_argnums, static_argnames))


remat = checkpoint


def checkpoint_name(x: Any, name: str) -> Any:
    """x, named: the policies `save_only_these_names(name)` and the like then say whether it is kept. x may be a container.

    >>> import numpy as np
    >>> def layer(x):
    ...     return np.sum(np.cos(checkpoint_name(np.sin(x), "hidden")))
    >>> from s2s import checkpoint_policies
    >>> grad(checkpoint(layer, policy=checkpoint_policies.save_only_these_names("hidden")))(np.zeros(2))
    array([-0., -0.])
    """
    return x


def print_saved_residuals(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print what the forward sweep of `fun` keeps for the reverse sweep, one value a line: its type, and where it comes from.

    >>> print_saved_residuals(checkpoint(lambda x: x**3), 2.0)
    f8 from the argument x
    """
    from s2s import checkpointing

    for type_, origin in checkpointing.saved_residuals(fun, args, kwargs):
        print(f"{type_} {origin}")  # noqa: T201 - it is what the function is for


@contextmanager
def disable_jit(disable: bool = True) -> Iterator[None]:
    """Inside, `jit` runs the user's own function, and derivatives run their emitted code without compiling it.

    >>> with disable_jit():
    ...     grad(lambda x: x**3)(2.0)       # NumPy runs it: for print, pdb, and functions that are called once
    12.0
    """
    token = DISABLED.set(disable)
    try:
        yield
    finally:
        DISABLED.reset(token)
