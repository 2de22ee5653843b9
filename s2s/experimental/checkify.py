"""Errors as values, under the names of jax.experimental.checkify.

    def f(x):
        checkify.check(x > 0, "{x} needs to be positive", x=x)
        return np.log(x)

    error, y = checkify.checkify(f)(x)
    error.throw()
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.api.jit import jit
from s2s.calls.checked import Checked, Error, ErrorCategory, Errors
from s2s.errors import ArgumentTypeError, JaxRuntimeError
from s2s.not_here import refusing
from s2s.transforms.read.composed.checking import check

user_checks: Errors = frozenset({ErrorCategory.USER})
"""A `check` that does not hold."""
nan_checks: Errors = frozenset({ErrorCategory.NAN})
"""An operation that makes nan of what is none."""
div_checks: Errors = frozenset({ErrorCategory.DIV})
"""A division by zero."""
index_checks: Errors = frozenset({ErrorCategory.OOB})
"""An index that is out of range."""
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks
init_error = Error()
"""No error."""


def checkify(f: Callable[..., Any], errors: Errors = user_checks) -> Checked:
    """`f` with calls that give (error, result). `error.get()` is the first error's message, None without one; `error.throw()` raises it.

    Where something was raised there is no result (None; in JAX the program goes on). With `nan_checks` or `div_checks` NumPy runs the program first, operation by operation;
    they name the operation and its line. What is not asked for is raised, as ever.

    Parameters
    ----------
    f
        A function that s2s can read, jitted or transformed or plain.
    errors
        What becomes a value: `user_checks`, `nan_checks`, `div_checks`, `index_checks`, or several: `float_checks | user_checks`.

    >>> import numpy as np
    >>> def root(x):
    ...     check(x >= 0.0, "{x} is negative", x=x)
    ...     return np.sqrt(x)
    >>> error, y = checkify(jit(root, target="numpy"))(-4.0)
    >>> error.get()
    '-4.0 is negative (`check` failed)'
    """
    if not frozenset(errors) <= all_checks:
        raise ArgumentTypeError(f"checkify with errors={errors!r}", instead="checkify.user_checks, float_checks, index_checks, all_checks, or several: a | b")
    return Checked(jit(f), frozenset(errors))


def check_error(error: Error) -> None:
    """Raise an error, if it is one."""
    error.throw()


__all__ = [
    "Error", "ErrorCategory", "JaxRuntimeError", "all_checks", "automatic_checks", "check", "check_error", "checkify", "div_checks", "float_checks", "index_checks", "init_error", "nan_checks",
    "user_checks",
]  # fmt: skip

__getattr__ = refusing(__name__)
