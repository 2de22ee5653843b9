"""Arguments that NumPy takes as arrays: objects with `__array__` or NumPy's array interface, and those that show their memory as doubles (memoryview, arrays of ctypes).

They are taken as `numpy.asarray` takes them: what shows its memory is not copied, so that a store reaches it. An object to which NumPy hands over what its own functions
do is none (a Series of pandas, whose sum with another one goes by labels): what is read are NumPy's operators and methods.
Nor are array.array and bytearray, whose `+` and `*` are those of lists, and memory of other numbers than doubles: what Python takes out of it is an int or float of its own, which does not wrap or round as NumPy's does.
"""
from __future__ import annotations

import ctypes
from array import ArrayType
from typing import Any

import numpy as np

from s2s.tree_util import tree_flatten, tree_unflatten

_SHOWING = (memoryview, ctypes.Array)
_LIKE_LISTS = (ArrayType, bytearray)
_DOUBLES = ("d", "<d")
"""The formats of their memory whose items are floats in Python, and the same ones in NumPy."""
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")
_HANDED_OVER = ("__array_ufunc__", "__array_function__")
_PLAIN = frozenset({np.ndarray, float, int, bool, complex, str, type(None)})
"""The classes of most leaves, which are no such objects."""


def is_array_like(leaf: Any) -> bool:
    """Whether it is no array, and NumPy takes it for one."""
    cls = type(leaf)
    if cls in _PLAIN or issubclass(cls, (np.ndarray, np.generic)):
        return False
    if issubclass(cls, _SHOWING):
        return memoryview(leaf).format in _DOUBLES
    return any(hasattr(cls, name) for name in _PROTOCOLS) and not has_own_functions(leaf)


def has_own_functions(leaf: Any) -> bool:
    """Whether NumPy leaves to the object's class what its functions make of it."""
    return any(hasattr(type(leaf), name) for name in _HANDED_OVER)


def has_own_operators(leaf: Any) -> bool:
    """Whether NumPy makes an array of it, and Python's operators and items of it are not that array's."""
    return isinstance(leaf, (*_LIKE_LISTS, *_SHOWING)) and not is_array_like(leaf) or has_own_functions(leaf) and hasattr(type(leaf), "__array__")


def as_arrays(leaves: list[Any]) -> list[Any]:
    """The leaves with the arrays that NumPy sees in them; the same list where there is none."""
    if not any(map(is_array_like, leaves)):
        return leaves
    return [np.asarray(leaf) if is_array_like(leaf) else leaf for leaf in leaves]


def with_arrays(tree: Any) -> Any:
    """The same of a container; itself where there is none."""
    leaves, treedef = tree_flatten(tree)
    taken = as_arrays(leaves)
    return tree if taken is leaves else tree_unflatten(treedef, taken)


__all__ = ["as_arrays", "has_own_functions", "has_own_operators", "is_array_like", "with_arrays"]
