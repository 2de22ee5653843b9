"""checkpoint, remat, checkpoint_name, print_saved_residuals."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from s2s.calls import checkpointing, making


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

    >>> from s2s import grad
    >>> grad(checkpoint(lambda x: x**3))(2.0)
    12.0
    """
    checkpointing.check_options(prevent_cse, policy, static_argnums, concrete, steps)
    if fun is None:
        given: dict[str, Any] = {"policy": policy, "static_argnums": static_argnums, "static_argnames": static_argnames, "steps": steps}
        return lambda function: checkpoint(function, prevent_cse=prevent_cse, **given)
    return checkpointing.checkpointed(fun, policy, steps, making.options(fun, None, static_argnums, static_argnames))


remat = checkpoint


def checkpoint_name(x: Any, name: str) -> Any:
    """x, named: the policies `save_only_these_names(name)` and the like then say whether it is kept. x may be a container.

    >>> import numpy as np
    >>> def layer(x):
    ...     return np.sum(np.cos(checkpoint_name(np.sin(x), "hidden")))
    >>> from s2s import checkpoint_policies, grad
    >>> from s2s import grad
    >>> grad(checkpoint(layer, policy=checkpoint_policies.save_only_these_names("hidden")))(np.zeros(2))
    array([-0., -0.])
    """
    return x


def print_saved_residuals(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print what the forward sweep of `fun` keeps for the reverse sweep, one value a line: its type, and where it comes from.

    >>> print_saved_residuals(checkpoint(lambda x: x**3), 2.0)
    f8 from the argument x
    """
    from s2s.calls.residuals import saved_residuals  # with the rewrites behind it, it is slow to import

    for type_, origin in saved_residuals(fun, args, kwargs):
        print(f"{type_} {origin}")  # noqa: T201 - it is what the function is for
