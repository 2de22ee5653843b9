"""What JAX's users say about how a program runs, where s2s has nothing to wait for: barriers, names, contexts."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from s2s.errors import ArgumentTypeError


def named_call(fun: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
    """`fun` under another name: emitted functions and their derivatives are called after it.

    >>> import s2s
    >>> dense = named_call(lambda x: 2.0 * x, name="dense")
    >>> "def dense_grad(" in s2s.grad(dense).source(1.0)
    True
    """
    if not isinstance(fun, FunctionType):
        raise ArgumentTypeError(f"named_call of {type(fun).__name__}", why="a function of Python source can be given another name", instead="a def that calls it")
    chosen = fun.__name__ if name is None else name
    named = FunctionType(fun.__code__, fun.__globals__, chosen, fun.__defaults__, fun.__closure__)
    named.__kwdefaults__, named.__doc__, named.__module__ = fun.__kwdefaults__, fun.__doc__, fun.__module__
    named.__qualname__ = chosen
    named.__annotations__ = dict(fun.__annotations__)
    return named


@contextmanager
def named_scope(name: str) -> Iterator[None]:
    """A part of a program with a name, as a context or a decorator. What is emitted names functions and the user's lines; a scope adds nothing to them.

    >>> with named_scope("layer"):
    ...     1 + 1
    2
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(f"named_scope name argument must be a string. Got: {name!r}")
    yield


@contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """What is known when a function is read is always computed then; a context that says so changes nothing.

    >>> with ensure_compile_time_eval():
    ...     1 + 1
    2
    """
    yield
