"""Jaxprs as objects, under the names of jax.core and jax.extend.core, and what an array is like."""
from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.not_here import refusing
from s2s.transforms.jaxprs.syntax import (
    ClosedJaxpr,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Primitive,
    ShapedArray,
    Var,
    eval_jaxpr,
    jaxpr_as_fun,
)
from s2s.types import SUPPORTED_DTYPES

__all__ = ["ClosedJaxpr", "DropVar", "Jaxpr", "JaxprEqn", "Literal", "Primitive", "ShapedArray", "Tracer", "Var", "eval_jaxpr", "jaxpr_as_fun", "typeof"]


class Tracer(np.ndarray):
    """What stands for an array while JAX traces a function. Functions are read here, and see arrays and numbers: nothing is one.

    >>> isinstance(typeof(1.0), Tracer)
    False
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise ArgumentTypeError("a Tracer can't be made", why="functions are read, not traced", instead="an array")


def typeof(x: Any) -> Any:
    """What an array or number is like: its `shape` and `dtype`.

    Raises
    ------
    ArgumentTypeError
        A TypeError: it is neither.

    >>> import numpy as np
    >>> typeof(np.zeros((2, 3), np.float32)).str_short()
    'float32[2,3]'
    """
    found = np.asarray(x)
    if found.dtype not in SUPPORTED_DTYPES:
        raise ArgumentTypeError(f"Argument {x!r} of type {type(x)} is not a valid JAX type")
    return ShapedArray(found.shape, found.dtype)


__getattr__ = refusing(__name__)
