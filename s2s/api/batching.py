"""vmap."""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from s2s.calls.signature import signature_of
from s2s.calls.transformations import VMAP, of, offered
from s2s.calls.transformed import Transformed


@offered(VMAP)
def vmap(
    fun: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Hashable | None = None,
    axis_size: int | None = None,
    spmd_axis_name: Hashable | None = None,
) -> Transformed:
    """`fun` for a batch of arguments: as if it were called for each example, and the results were stacked.

    Parameters
    ----------
    fun
        A function of arrays, numbers and containers of them. Each example takes its own way through its branches and loops.
    in_axes
        Which axis of each positional argument the examples lie along: an int for all, or a tuple with an entry for each argument; an entry may be
        a container of ints that is a prefix of the argument. None: the same value for all examples. Keyword arguments are mapped over axis 0.
    out_axes
        Where the examples' axis stands in the results: an int, or a container that is a prefix of the result. None: a result that does not depend
        on the example, and is returned once.
    axis_name
        A name for the mapped axis, by which `s2s.lax`'s collectives find it.
    spmd_axis_name
        Accepted: there are no devices to spread examples over.
    axis_size
        The number of examples, needed where no argument is mapped.

    Returns
    -------
    A function of the same arguments with the axes added. What is the same for all examples is computed once.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        in_axes or out_axes are no such specifications, or don't fit the arguments or results; the arguments hold different numbers of examples.
    UnsupportedError
        When it is called: the shape of a result differs from example to example, or the function writes into an array that all examples share.

    >>> import numpy as np
    >>> def halvings(x):
    ...     count = 0
    ...     while x > 1.0:
    ...         x, count = 0.5 * x, count + 1
    ...     return count
    >>> vmap(halvings)(np.array([1.0, 5.0, 100.0]))
    array([0, 3, 7])
    >>> vmap(np.dot, in_axes=(0, None))(np.eye(2), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    signature = signature_of(fun)
    names = () if signature is None else tuple(signature.parameters)
    return of(VMAP, fun, in_axes=in_axes, out_axes=out_axes, axis_size=axis_size, axis_name=axis_name, names=names)
