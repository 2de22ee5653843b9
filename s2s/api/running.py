"""What JAX's users say about how a program runs, where s2s has nothing to wait for: barriers, names, contexts."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, TypeVar

from s2s.errors import ArgumentTypeError

F = TypeVar("F", bound=Callable[..., Any])


def named_call(fun: F, *, name: str | None = None) -> F:
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
    return named  # type: ignore[return-value]


class named_scope:  # noqa: N801 - JAX's name
    """A part of a program with a name, as a context or a decorator. What is decorated is emitted under this name (`named_call`); a context adds
    nothing to what is emitted, which names functions and the user's lines.

    >>> with named_scope("layer"):
    ...     1 + 1
    2
    >>> import s2s
    >>> @named_scope("layer")
    ... def f(x):
    ...     return 2.0 * x
    >>> "def layer_grad(" in s2s.grad(f).source(1.0)
    True
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"named_scope name argument must be a string. Got: {name!r}")
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None

    def __call__(self, fun: F) -> F:
        return named_call(fun, name=self.name) if isinstance(fun, FunctionType) else fun


@contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """What is known when a function is read is always computed then; a context that says so changes nothing.

    >>> with ensure_compile_time_eval():
    ...     1 + 1
    2
    """
    yield
