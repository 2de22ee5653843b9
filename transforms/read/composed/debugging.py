"""Prints and callbacks of JAX's: what a run writes, and functions that it calls besides.

The callbacks are the user's functions, read where they are called like any other: what they print is printed when the program runs.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import marks
from s2s.transforms.read.composed.formats import check_format


def print(  # noqa: A001 - its name
    fmt: str, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False, _use_logging: bool = False, **kwargs: Any
) -> None:
    """Print `fmt.format(*args, **kwargs)` when the program runs, once for each time that it comes by.

    Prints are made in the order in which the program runs; `ordered` and `partitioned` are accepted and not needed. With `skip_format_check` there may be more values than fields.

    >>> print("x = {x:.2f}, {}", 3, x=1.5)
    x = 1.50, 3
    """
    check_format(fmt, len(args), tuple(kwargs), skip_format_check)
    if _use_logging:
        marks.unsupported("debug.print(_use_logging=True)", "debug.callback of a function that logs")
    builtins.print(fmt.format(*args, **kwargs))  # noqa: T201 - what it is for


def callback(callback: Callable[..., Any], *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any) -> None:
    """Call a function with these arguments when the program runs; what it returns is not used.

    Inside of a function that is read it is called as it is, through Python; one that sees values of the run of the function around it is read, too.

    >>> seen = []
    >>> callback(seen.append, 2.0)
    >>> seen
    [2.0]
    """
    callback(*args, **kwargs)


def io_callback(callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False, **kwargs: Any) -> Any:
    """s2s.io_callback, inside of a function that is read."""
    return callback(*args, **kwargs)


def shape_dtype_struct(shape: tuple[int, ...], dtype: Any) -> Any:
    """s2s.ShapeDtypeStruct, made inside of a function that is read."""
    return marks.struct(tuple(shape), np.dtype(dtype))


def shaped_array(shape: tuple[int, ...], dtype: Any, weak_type: bool = False) -> Any:
    """s2s.core.ShapedArray, made inside of a function that is read: a ShapeDtypeStruct, as `typeof` gives there."""
    del weak_type
    return marks.struct(tuple(shape), np.dtype(dtype))


def typeof(x: Any) -> Any:
    """s2s.typeof, inside of a function that is read."""
    return marks.struct(np.shape(x), np.asarray(x).dtype)


DEBUG: dict[str, Callable[..., Any]] = {"print": print, "callback": callback}
"""By the names that they have in s2s.debug."""
