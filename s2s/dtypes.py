"""dtypes, under the names of jax.dtypes. Promotion is NumPy's: float32 and int32 make float64 (JAX: float32), Python numbers are weak in both.

>>> canonicalize_dtype(float), result_type(np.float32, 1.0), issubdtype(np.float32, np.floating)
(dtype('float64'), dtype('float32'), True)
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy import finfo, iinfo, promote_types

from s2s.errors import ArgumentTypeError
from s2s.not_here import refusing
from s2s.types import FLOAT0, SUPPORTED_DTYPES

float0 = FLOAT0
"""The dtype of tangents of integers."""


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> np.dtype[Any]:
    """The dtype of arrays that are asked for with `dtype`: itself, 64-bit numbers stay what they are.

    Raises
    ------
    ArgumentTypeError
        A TypeError: a dtype that s2s does not have.

    >>> canonicalize_dtype(int)
    dtype('int64')
    """
    del allow_extended_dtype
    found = np.dtype(dtype)
    if found not in SUPPORTED_DTYPES and found != FLOAT0:
        raise ArgumentTypeError(f"dtype {found} is not supported", instead=f"one of {', '.join(map(str, SUPPORTED_DTYPES))}")
    return found


_NUMBERS: dict[type, complex] = {bool: False, int: 0, float: 0.0, complex: 0j}
"""Python's own types, which are weak: an example of each."""


def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """The dtype of an operation on these arrays, dtypes and Python numbers; with the flag also whether it is weak: made of Python numbers only.

    >>> result_type(np.int8, 1), result_type(1.0, 2, return_weak_type_flag=True)
    (dtype('int8'), (dtype('float64'), True))
    """
    given = [_NUMBERS.get(arg, arg) if isinstance(arg, type) else arg for arg in args]
    found = np.result_type(*given)
    weak = all(type(arg) in _NUMBERS for arg in given)
    return (found, weak) if return_weak_type_flag else found


def issubdtype(a: Any, b: Any) -> bool:
    """Whether `a` is a dtype below `b`, as np.issubdtype.

    >>> issubdtype(np.int32, np.integer)
    True
    """
    return bool(np.issubdtype(a, b))


def scalar_type_of(x: Any) -> type:
    """Python's type of an array's or number's elements: bool, int, float or complex.

    >>> scalar_type_of(np.float32(1.5))
    <class 'float'>
    """
    kind = np.asarray(x).dtype.kind
    if kind not in "biufc":
        raise ArgumentTypeError(f"Invalid scalar value {x!r}")
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}[kind]


def itemsize_bits(dtype: Any) -> int:
    """How many bits an element has.

    >>> itemsize_bits(np.float32)
    32
    """
    found = np.dtype(dtype)
    return 8 if found.kind == "b" else 8 * found.itemsize


__all__ = ["canonicalize_dtype", "finfo", "float0", "iinfo", "issubdtype", "itemsize_bits", "promote_types", "result_type", "scalar_type_of"]

__getattr__ = refusing(__name__)
