"""What JAX's users say about how a program runs, where s2s has nothing to wait for: barriers, names, contexts."""
from __future__ import annotations

import gc
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from s2s.calls.transformed import Transformed
from s2s.errors import ArgumentTypeError
from s2s.placement import check_placed

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


def clear_caches() -> None:
    """Forget all modules that were made in this process, of all functions; those on disk stay.

    >>> clear_caches()
    """
    for each in gc.get_objects():
        if issubclass(type(each), Transformed):  # isinstance would ask a weak reference for what is gone
            each.clear_cache()


def make_array_from_callback(shape: Sequence[int], sharding: Any, data_callback: Callable[[tuple[slice, ...]], Any], dtype: Any = None) -> np.ndarray:
    """The array of this shape that a function gives for an index: for that of all of it, since arrays are whole.

    >>> make_array_from_callback((2, 2), None, lambda index: np.arange(4.0).reshape(2, 2)[index])
    array([[0., 1.],
           [2., 3.]])
    """
    found = np.array(data_callback(tuple(slice(None) for _ in shape)), dtype)
    if found.shape != tuple(shape):
        raise ArgumentTypeError(f"make_array_from_callback of the shape {tuple(shape)}: the callback gave an array of the shape {found.shape}")
    check_placed("device_put", found, sharding)
    return found


def make_array_from_process_local_data(sharding: Any, local_data: Any, global_shape: Sequence[int] | None = None) -> np.ndarray:
    """The array that this process has: there is no other.

    >>> make_array_from_process_local_data(None, [1.0, 2.0])
    array([1., 2.])
    """
    found = np.array(local_data)
    if global_shape is not None and found.shape != tuple(global_shape):
        raise ArgumentTypeError(f"make_array_from_process_local_data: the array has the shape {found.shape}, not {tuple(global_shape)}", why="there is one process, which has all of it")
    check_placed("device_put", found, sharding)
    return found


def print_environment_info(return_string: bool = False) -> str | None:
    """The versions that a report of a fault should name.

    >>> "numpy:" in (print_environment_info(return_string=True) or "")
    True
    """
    versions = {name: metadata.version(name) for name in ("numpy", "scipy", "numba", "llvmlite")}
    text = "\n".join([*(f"{name}: {version}" for name, version in versions.items()), f"python: {platform.python_version()}", f"platform: {platform.platform()}"])
    if return_string:
        return text
    print(text)  # noqa: T201 - what it is for
    return None
