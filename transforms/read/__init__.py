"""Reading: from a Python function to its program. `read` is the only door; libcst stays behind it."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from s2s.transforms.ir.staged import Staged
    from s2s.types import Var


def read(fun: Callable[..., Any], params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], *, one_kind: bool = False) -> Staged:
    """The program of fun(*args, **kwargs).

    Parameters
    ----------
    fun
        A function, method, partial, lambda or object with `__call__` whose source can be found.
    params
        The Vars in args and kwargs, in order.
    args, kwargs
        Containers with a Var for each array and number; anything else in them is known while reading.
    one_kind
        Whether results of several kinds, each of which has numbers, are of no use (to derivatives and batches).

    Raises
    ------
    SourceError
        If there is no source.
    UnsupportedError
        If the function uses what s2s does not read; UnsupportedErrors lists all of it.
    """
    from s2s.transforms.read.wiring import read_python  # imports libcst: only where source is read

    return read_python(fun, params, args, kwargs, one_kind=one_kind)


__all__ = ["read"]
