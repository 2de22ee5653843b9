"""What functions with rules of their own have in common."""
from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any

from s2s.errors import ArgumentTypeError


class Ruled:
    """A function with rules, called as it is in plain Python, and bound as a method where a class holds it."""

    fun: Callable[..., Any]

    def __init__(self, fun: Callable[..., Any]) -> None:
        if not callable(fun):
            raise ArgumentTypeError(f"Expected a callable value, got {fun!r}", why=f"it is given to s2s.{type(self).__name__}")
        functools.update_wrapper(self, fun, updated=())
        self.fun = fun

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The plain function."""
        return self.fun(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        """What sets a rule of the function inside, which may have rules of its own."""
        if name.startswith("def") and "fun" in vars(self):
            return getattr(self.fun, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<s2s.{type(self).__name__} of {self.fun!r}>"


__all__ = ["Ruled"]
