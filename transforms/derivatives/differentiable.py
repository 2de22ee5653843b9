"""What can be differentiated with respect to: each demand is stated here once, with JAX's errors.

Calls (`s2s.calls.checks`) and programs (`requirements.py`, and so transformations inside of the user's code) ask the same functions.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.types import is_whole


def resolve_argnums(argnums: int | tuple[int, ...], count: int) -> int | tuple[int, ...]:
    """argnums without negative numbers.

    Raises
    ------
    ArgumentTypeError
        There are not so many positional arguments.
    ArgumentValueError
        A negative number reaches before the first one, or an argument is named twice.
    """
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    if max(numbers) >= count:
        raise ArgumentTypeError(
            f"differentiating with respect to argnums={argnums} requires at least {max(numbers) + 1} positional arguments to be passed by the caller,"
            f" but got only {count} positional arguments."
        )
    if min(numbers) < -count:
        raise ArgumentValueError(
            f"argnums={argnums}: positional argument numbers must be greater than or equal to -len(args) and less than len(args), "
            f"but got {min(numbers)} for len(args) == {count}."
        )
    resolved = tuple(number % count for number in numbers)
    if len(set(resolved)) != len(resolved):
        raise ArgumentValueError(f"argnums={argnums} names an argument twice")
    return resolved[0] if isinstance(argnums, int) else resolved


def check_input_dtype(name: str, dtype: np.dtype, *, allow_int: bool, holomorphic: bool) -> None:
    """ArgumentTypeError unless a number or array of this dtype can be differentiated with respect to."""
    if holomorphic and dtype.kind != "c":
        raise ArgumentTypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {dtype}.")
    if is_whole(dtype) and not allow_int:
        raise ArgumentTypeError(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got {dtype}.",
            why="integers and bools have no derivative",
            instead="pass floats (3.0 instead of 3), choose other argnums, use vjp, or set allow_int=True",
        )
    if dtype.kind not in "biufc":
        raise ArgumentTypeError(f"{name} requires numerical-valued inputs (input dtype that is a sub-dtype of np.bool_ or np.number), but got {dtype}.")


def check_forward_dtype(name: str, dtype: np.dtype, *, holomorphic: bool) -> None:
    """ArgumentTypeError unless the columns of a Jacobian with respect to an argument of this dtype are its derivatives."""
    if holomorphic or dtype.kind == "f":
        check_input_dtype(name, dtype, allow_int=False, holomorphic=holomorphic)
        return
    raise ArgumentTypeError(
        f"{name} requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got {dtype}.",
        instead="for holomorphic differentiation, pass holomorphic=True; for other functions of complex numbers or integers use s2s.jvp",
    )


def not_numeric(name: str, leaf: Any) -> ArgumentTypeError:
    """The error for a leaf that is no number and no array, or one that is known when the program is built."""
    if isinstance(leaf, float | complex | np.generic | np.ndarray):
        return ArgumentTypeError(f"{name} can't differentiate with respect to a static argument ({leaf!r})", instead="leave it out of static_argnums")
    return ArgumentTypeError(
        f"{name} can't differentiate with respect to {leaf!r} of type {type(leaf).__name__}", instead="choose other argnums, or pass it by keyword",
    )  # fmt: skip
