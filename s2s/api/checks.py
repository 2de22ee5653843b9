"""check_grads: derivatives against differences, for users' own tests. JAX's `jax.test_util.check_grads`, and more."""
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
