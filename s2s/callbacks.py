"""pure_callback and io_callback."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.tree_util import tree_flatten, tree_unflatten


def pure_callback(callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, vmap_method: str | None = None, **kwargs: Any) -> Any:
    """A call of a Python function that is not read, from inside of a program.

    Parameters
    ----------
    callback
        A pure function of arrays and numbers: a lambda, a closure, a method. It may be called more or less often than it stands in the source.
    args, kwargs
        Its arguments: containers of arrays and numbers.
    result_shape_dtypes
        What it returns: a container of things with a shape and a dtype (`ShapeDtypeStruct`; inside of a function that is read sizes may be those of arguments).
    sharding
        None: there is one device.
    vmap_method
        What a batch does: "sequential" and "sequential_unrolled" call it once for each example; "expand_dims", "broadcast_all" and "legacy_vectorized" once, the
        examples' axis in front, what all examples share with an axis of length 1, repeated, or as it is. Without it a batch is refused.

    Raises
    ------
    ArgumentTypeError
        A TypeError: it returned another structure, shape or dtype.
    UnsupportedError
        When it is read: the callback sees values of the run. When it is differentiated: it has no derivative (`custom_jvp` around the call says it).
        When a module that stands alone is made: it can't be imported by a name, or has other than positional arguments and one result.

    >>> import numpy as np
    >>> import s2s
    >>> s2s.jit(lambda x: 2.0 * s2s.pure_callback(np.linalg.norm, s2s.ShapeDtypeStruct((), "float64"), x), target="numpy")(np.array([3.0, 4.0]))
    np.float64(10.0)
    """
    del sharding, vmap_method
    return _checked(callback, result_shape_dtypes, callback(*args, **kwargs))


def io_callback(callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False, **kwargs: Any) -> Any:
    """A call of a function that may do more than return a value: what it prints is printed when the program runs, in its order.

    Inside of a function that is read it is called as it is, through Python; one that gives results is read, too, and what s2s does not read is refused at its line in the callback.

    >>> io_callback(lambda x: print("x is", x), None, 2.0)
    x is 2.0
    """
    del sharding, ordered
    result = callback(*args, **kwargs)
    return result if result_shape_dtypes is None else _checked(callback, result_shape_dtypes, result)


def _checked(callback: Callable[..., Any], wanted: Any, result: Any) -> Any:
    """The result as arrays, if it is what was announced."""
    likes, treedef = tree_flatten(wanted)
    leaves, found = tree_flatten(result)
    name = getattr(callback, "__name__", type(callback).__name__)
    if found != treedef:
        raise ArgumentTypeError(f"{name} returned a value of another structure than result_shape_dtypes: {found}, expected {treedef}")
    arrays = [np.asarray(leaf) for leaf in leaves]
    for like, array in zip(likes, arrays, strict=True):
        if (tuple(like.shape), np.dtype(like.dtype)) != (array.shape, array.dtype):
            raise ArgumentTypeError(f"{name} returned {array.dtype}{list(array.shape)}, expected {np.dtype(like.dtype)}{list(like.shape)} (result_shape_dtypes)")
    return tree_unflatten(treedef, [array[()] for array in arrays])
