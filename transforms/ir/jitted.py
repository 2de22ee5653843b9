"""A jitted function inside of a program whose jaxpr is asked for: its calls stay calls. In all other programs it is the function itself."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from s2s.transforms.ir.program import Rule

_KEPT: ContextVar[bool] = ContextVar("s2s_jitted_kept", default=False)


class Jitted(Rule):
    """Of a function that `jit` made. `arguments`: its first parameters, in the order of a jaxpr; `hidden`: the others, what it reads from around."""

    keeps_numbers = True

    def __init__(self, name: str, arguments: tuple[int, ...], hidden: tuple[int, ...]) -> None:
        self.name, self.arguments, self.hidden = name, arguments, hidden


@contextmanager
def kept_apart(kept: bool) -> Iterator[None]:
    """Inside, calls of jitted functions are kept as calls, or not: a derivative's program has none."""
    token = _KEPT.set(kept)
    try:
        yield
    finally:
        _KEPT.reset(token)


def python_name(function: Any) -> str:
    """What Python calls a function: <lambda>; of a partial, its function.

    >>> from functools import partial
    >>> python_name(partial(lambda a, x: a * x, 2.0))
    '<lambda>'
    """
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", type(function).__name__)
    return "<lambda>" if name == "lambda" else str(name)


def are_kept() -> bool:
    """Whether calls of jitted functions stay calls."""
    return _KEPT.get()


__all__ = ["Jitted", "are_kept", "kept_apart", "python_name"]
