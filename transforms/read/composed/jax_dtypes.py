"""s2s.dtypes' functions in code that is read."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def result_type(*args, return_weak_type_flag=False):
    """s2s.dtypes.result_type."""
    found = np.result_type(*[_example(arg) for arg in args])
    if not return_weak_type_flag:
        return found
    return found, all(isinstance(_example(arg), (bool, int, float, complex)) for arg in args)


def _example(arg):
    """A number of Python's own type, which is weak, for the type."""
    if arg is bool or arg is int or arg is float or arg is complex:
        return arg(0)
    return arg


def issubdtype(a, b):
    """s2s.dtypes.issubdtype."""
    return np.issubdtype(a, b)


def canonicalize_dtype(dtype, allow_extended_dtype=False):
    """s2s.dtypes.canonicalize_dtype."""
    return np.dtype(dtype)


EXPORTED: dict[str, Callable[..., Any]] = {each.__name__: each for each in (result_type, issubdtype, canonicalize_dtype)}
"""s2s.dtypes', by name."""
