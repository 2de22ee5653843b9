"""check_grads, check_vmap: derivatives against differences, batches against loops, for users' own tests."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from s2s.errors import ArgumentTypeError


def check_grads(
    f: Callable[..., Any], args: Sequence[Any], order: int, modes: Sequence[str] = ("fwd", "rev"), atol: float | None = None, rtol: float | None = None,
    eps: float | None = None, kwargs: dict[str, Any] | None = None, target: str | None = None,
) -> None:
    """Check the derivatives of `f` at `args`, up to `order`, against differences of `f` itself and against each other.

    Parameters
    ----------
    f
        A function that s2s can read, plain or jitted, of arrays, numbers and containers of them. It may change its
        arguments: it gets copies. Integers are held; derivatives are with respect to all floats and complex numbers.
    args
        The positional arguments: the point.
    order
        1 for first derivatives, 2 also for derivatives of those (forward over forward, reverse over forward, …), and so on.
    modes
        "fwd", "rev" or both.
    atol, rtol
        Allowed: atol + rtol * |differences|. Default: 1e-5 (2e-3 where single precision takes part).
    eps
        The step of plain central differences. Default: extrapolated ones, with an estimate of their own error.
    kwargs
        Keyword arguments of `f`: held.
    target
        "cpu" or "numpy": check also the modules that are emitted for this target. Default: programs are interpreted,
        and nothing is compiled.

    Raises
    ------
    GradientCheckError
        (an AssertionError) A derivative is wrong: which one, by how much, along which argument, and the file and line of
        the statement that disagrees first, for example the call of a function whose custom rule is wrong.
    KinkError
        (a GradientCheckError) The function has a kink or a jump at this point.

    Examples
    --------
    >>> import numpy as np
    >>> def f(x, w):
    ...     return np.sum(np.tanh(w * x))
    >>> check_grads(f, (np.array([0.3, -0.2]), 2.0), order=2)
    """
    from s2s.verification import checking  # with the rewrites behind it, it is slow to import

    if not isinstance(args, (tuple, list)):
        raise ArgumentTypeError(f"check_grads: args must be a tuple of arguments, not {type(args).__name__}", instead="check_grads(f, (x,), order=1)")
    options = checking.Options(checking.check_modes(modes), atol, rtol, eps, checking.check_target(target))
    for row in checking.check_rows(f, tuple(args), order, options, kwargs or {}):
        if row.failure is not None:
            raise row.failure


def check_vmap(
    f: Callable[..., Any], args: Sequence[Any], in_axes: Any = 0, out_axes: Any = 0, rtol: float = 1e-10, atol: float = 1e-12,
    kwargs: dict[str, Any] | None = None, target: str = "numpy",
) -> None:
    """Check that `vmap(f, in_axes, out_axes)(*args)` is what a loop over the examples gives that calls `f` as Python does.

    Parameters
    ----------
    f, in_axes, out_axes
        As for `vmap`.
    args, kwargs
        The batch. They may be changed by `f`: it gets copies.
    rtol, atol
        Allowed: atol + rtol * the largest number of the loop.
    target
        "numpy", or "cpu": what is compiled.

    Raises
    ------
    BatchCheckError
        (an AssertionError) The results differ, or their containers, shapes or dtypes.

    Examples
    --------
    >>> import numpy as np
    >>> check_vmap(lambda x, w: np.sum(np.tanh(w * x)), (np.array([[0.3, -0.2], [1.0, 2.0]]), 2.0), in_axes=(0, None))
    """
    from s2s.verification import batches, checking  # with the rewrites behind it, it is slow to import

    if not isinstance(args, (tuple, list)):
        raise ArgumentTypeError(f"check_vmap: args must be a tuple of arguments, not {type(args).__name__}", instead="check_vmap(f, (x,))")
    batches.check(f, tuple(args), kwargs or {}, in_axes, out_axes, checking.check_target(target) or "numpy", rtol, atol)
