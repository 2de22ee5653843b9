"""eval_shape."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The shapes and dtypes of what `fun(*args, **kwargs)` gives, in its container, without computing it.

    Arrays in the arguments may be anything that has a `shape` and a `dtype` (`ShapeDtypeStruct`); Python numbers are taken for run-time ones. Each
    array or number of the result is a `ShapeDtypeStruct`; None stays None.

    Raises
    ------
    ValueError, TypeError
        What the function raises for such shapes.
    UnsupportedError
        A NotImplementedError: a size of the result depends on numbers.

    >>> import numpy as np
    >>> eval_shape(lambda a, b: {"sum": a @ b, "rank": 2}, np.zeros((3, 4)), np.zeros((4, 5), np.float32))
    {'sum': ShapeDtypeStruct(shape=(3, 5), dtype=float64), 'rank': ShapeDtypeStruct(shape=(), dtype=int64)}
    """
    from s2s.calls import shapes  # with all that reads: not needed by a call that the cache answers

    return shapes.eval_shape(fun, args, kwargs)
