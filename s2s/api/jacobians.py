"""jacfwd, jacrev, jacobian, hessian."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.calls.transformations import HESSIAN, JACFWD, JACREV, of, offered
from s2s.calls.transformed import Transformed


@offered(JACFWD)
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
    return of(JACFWD, fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


@offered(JACREV)
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
    return of(JACREV, fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


@offered(JACREV)
def jacobian(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
) -> Transformed:
    """`jacrev`, under its other name.

    >>> jacobian(lambda x: x**2)(3.0)
    6.0
    """
    return of(JACREV, fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int)


@offered(HESSIAN)
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
    return of(HESSIAN, fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)
