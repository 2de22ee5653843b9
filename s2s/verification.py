"""check_grads: derivatives against differences, for users' own tests. JAX's `jax.test_util.check_grads`, and more."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError, GradientCheckError

if TYPE_CHECKING:
    from s2s.gradient_checks import Case, Options, Row

MODES = ("fwd", "rev")


def check_grads(
    f: Callable[..., Any], args: Sequence[Any], order: int, modes: Sequence[str] = MODES, atol: float | None = None, rtol: float | None = None,
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
    from s2s.gradient_checks import Options

    if not isinstance(args, (tuple, list)):
        raise ArgumentTypeError(f"check_grads: args must be a tuple of arguments, not {type(args).__name__}", instead="check_grads(f, (x,), order=1)")
    options = Options(check_modes(modes), atol, rtol, eps, _target(target))
    for row in check_rows(f, tuple(args), order, options, kwargs or {}):
        if row.failure is not None:
            raise row.failure


def check_modes(modes: Sequence[str]) -> tuple[str, ...]:
    """The modes as a tuple; ArgumentValueError for unknown ones."""
    chosen = (modes,) if isinstance(modes, str) else tuple(modes)
    if not chosen or not set(chosen) <= set(MODES):
        raise ArgumentValueError(f"check_grads: modes must be among 'fwd' and 'rev', not {modes!r}")
    return chosen


def _target(target: str | None) -> str | None:
    if target not in (None, "cpu", "numpy"):
        raise ArgumentValueError(f"unknown target {target!r}", instead="one of cpu, numpy")
    return target


def check_rows(f: Callable[..., Any], args: tuple[Any, ...], order: int, options: Options, kwargs: dict[str, Any]) -> Iterator[Row]:
    """The checks one by one, the value first."""
    from s2s.gradient_checks import Checks, Row

    if not isinstance(order, (int, np.integer)) or order < 1:
        raise ArgumentValueError(f"check_grads: order must be a positive int, not {order!r}")
    case, off, size = _case(f, args, kwargs)
    name = f"value of {case.what}"
    allowed = (1e-5 if case.single else 1e-11) * (1.0 + size)
    row = Row(name, "", off, allowed)
    if not off <= allowed:
        failure = GradientCheckError(f"{name}: what s2s reads differs from what Python computes by {off:.3g}", where=case.function.where, why="this is a fault of s2s, unless the function depends on more than its arguments", instead="please report it")  # fmt: skip
        failure.check = name
        row = Row(name, "", off, allowed, failure)
    yield row
    yield from Checks(options).rows(case, int(order))


def _case(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Case, float, float]:
    """The function's program at this point; how much it differs from the function; the size of its results."""
    from s2s.checked_functions import case_of

    return case_of(f, args, kwargs)
