"""Records that a function logs: what is written for the function that logs one, and which function that is.

    log.warning("large: %s", x)    ->    Print("large: {}", (x,), function="logging.getLogger('x.y').warning")
"""
from __future__ import annotations

import ast
import logging
from collections.abc import Callable

LEVELS = {logging.DEBUG: "debug", logging.INFO: "info", logging.WARNING: "warning", logging.ERROR: "error", logging.CRITICAL: "critical"}
"""Python's own levels -> how the functions that log at them are called."""
_MODULE = "logging"
_LOGGER = f"{_MODULE}.getLogger("


def written(logger: logging.Logger | None, level: int) -> str:
    """The function that logs a text, as an expression: a logger's, or the module's own, which sees to a handler first.

    >>> written(logging.getLogger("x.y"), logging.INFO)
    "logging.getLogger('x.y').info"
    """
    return f"{_MODULE if logger is None else f'{_LOGGER}{logger.name!r})'}.{LEVELS[level]}"


def is_written(function: str) -> bool:
    """Whether this is the name of such a function: it takes a text."""
    return function.startswith(f"{_MODULE}.")


def read_back(function: str) -> Callable[[str], None]:
    """The function of such an expression.

    >>> read_back("logging.getLogger('x.y').info") == logging.getLogger("x.y").info
    True
    """
    owner, _, name = function.rpartition(".")
    found: Callable[[str], None] = getattr(logging if owner == _MODULE else logging.getLogger(ast.literal_eval(owner.removeprefix(_LOGGER)[:-1])), name)
    return found


__all__ = ["LEVELS", "is_written", "read_back", "written"]
