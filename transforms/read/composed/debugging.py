"""Prints and callbacks of JAX's: what a run writes, and functions that it calls besides.

The callbacks are the user's functions, read where they are called like any other: what they print is printed when the program runs.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import marks


def print(fmt: str, *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any) -> None:  # noqa: A001 - its name
    """Print `fmt.format(*args, **kwargs)` when the program runs, once for each time that it comes by.

    Prints are made in the order in which the program runs; `ordered` and `partitioned` are accepted and not needed.

    >>> print("x = {x:.2f}, {}", 3, x=1.5)
    x = 1.50, 3
    """
    builtins.print(fmt.format(*args, **kwargs))  # noqa: T201 - what it is for


def callback(callback: Callable[..., Any], *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any) -> None:
    """Call a function with these arguments when the program runs; what it returns is not used.

    Inside of a function that is read the callback is read, too: what it prints is printed; what s2s does not read is refused at its line in the callback.

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


DEBUG: dict[str, Callable[..., Any]] = {"print": print, "callback": callback}
"""By the names that they have in s2s.debug."""
