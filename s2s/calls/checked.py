"""`checkify`: calls that give their first error as a value.

What a `check` says and what is out of range is raised by the function itself; nan and divisions by zero are looked for by NumPy, which runs the program
operation by operation before it is run compiled.
"""
from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from s2s.errors import JaxRuntimeError, S2SError
from s2s.records import dataclass


class ErrorCategory(enum.Enum):
    """What `checkify` looks for."""

    USER = "check"
    NAN = "nan"
    DIV = "division by zero"
    OOB = "index"


Errors = frozenset[ErrorCategory]


@dataclass(frozen=True)
class Error:
    """The first error of a call, or none."""

    exception: JaxRuntimeError | None = None

    def get(self) -> str | None:
        """What it says; None where there is none."""
        return None if self.exception is None else str(self.exception)

    def get_exception(self) -> JaxRuntimeError | None:
        """The exception that `throw` raises; None where there is none."""
        return self.exception

    def throw(self) -> None:
        """Raise it, if there is one.

        Raises
        ------
        JaxRuntimeError
            A ValueError.
        """
        if self.exception is not None:
            raise self.exception

    def __str__(self) -> str:
        return f"Error({self.get()})"


class Checked:
    """A function whose calls give (error, result); without a result where something was raised."""

    def __init__(self, fun: Any, errors: Errors) -> None:
        self.fun, self.errors = fun, errors

    def jitted(self, jit: Callable[[Any], Any]) -> Checked:
        """The same of a jitted function."""
        return Checked(jit(self.fun), self.errors)

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Error, Any]:
        looks = self.errors & {ErrorCategory.NAN, ErrorCategory.DIV}
        try:
            before = self._looked_through(args, kwargs) if looks else Error()
        except _RAISED as error:
            return self._instead(error), None
        try:
            return before, self.fun(*args, **kwargs)
        except _RAISED as error:
            return (self._instead(error) if before.exception is None else before), None

    def _instead(self, error: Exception) -> Error:
        """The error as a value, if it is asked for."""
        category = next(category for kind, category in _KINDS.items() if isinstance(error, kind))
        if isinstance(error, S2SError) or category not in self.errors:
            raise error
        return Error(_told(error))

    def _looked_through(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Error:
        """The first nan or division by zero of a call."""
        from s2s.calls.looking import first_error  # with all that reads

        found = first_error(self.fun, args, kwargs, nan=ErrorCategory.NAN in self.errors, div=ErrorCategory.DIV in self.errors)
        return Error() if found is None else Error(JaxRuntimeError(found))


_KINDS: dict[type[Exception], ErrorCategory] = {JaxRuntimeError: ErrorCategory.USER, IndexError: ErrorCategory.OOB, ZeroDivisionError: ErrorCategory.DIV}
_RAISED: tuple[type[Exception], ...] = tuple(_KINDS)


def _told(error: Exception) -> JaxRuntimeError:
    """The error of a call that raised."""
    if isinstance(error, JaxRuntimeError):
        return error
    made = JaxRuntimeError(f"out-of-bounds indexing: {error}" if isinstance(error, IndexError) else "division by zero")
    made.__cause__ = error
    return made


__all__ = ["Checked", "Error", "ErrorCategory", "Errors"]
