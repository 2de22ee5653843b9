"""scipy.sparse's matrices as containers of their arrays (SciPy is not imported for that).

    csr_array((data, indices, indptr), shape=(n, m))     leaves data, indices, indptr; the class and the shape are the structure
"""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

_PARTS = {"csr": ("data", "indices", "indptr"), "csc": ("data", "indices", "indptr"), "coo": ("data", "row", "col"), "dia": ("data", "offsets")}
"""The arrays of each kind."""
Data = tuple[str, tuple[int, ...]]


class Matrix:
    """A matrix whose arrays are no arrays: leaves of another kind stand in their place."""

    def __init__(self, name: str, shape: tuple[int, ...], parts: tuple[Any, ...]) -> None:
        self.name, self.shape, self.parts = name, shape, parts

    @property
    def cls(self) -> type:
        """The class of the matrix."""
        return class_of(self.name)


def class_of(name: str) -> Any:
    """scipy.sparse's class of this name: whoever holds a matrix has loaded it."""
    return vars(sys.modules["scipy.sparse"])[name]


def is_class(cls: type) -> bool:
    """Whether it is a class of matrices of these kinds."""
    kind, _, form = cls.__name__.partition("_")
    return cls.__module__.startswith("scipy.sparse.") and kind in _PARTS and form in ("array", "matrix")


def flattened(matrix: Any) -> tuple[tuple[Any, ...], Data]:
    """The arrays of a matrix, and what else it is."""
    if isinstance(matrix, Matrix):
        return matrix.parts, (matrix.name, matrix.shape)
    return tuple(getattr(matrix, name) for name in _PARTS[matrix.format]), (type(matrix).__name__, tuple(matrix.shape))


def unflattened(data: Data, parts: tuple[Any, ...]) -> Any:
    """The matrix whose arrays these are; a Matrix of leaves of another kind."""
    name, shape = data
    if not all(isinstance(part, np.ndarray) and part.dtype.kind in "biufc" for part in parts):  # integers have tangents without numbers
        return Matrix(name, shape, tuple(parts))
    first, *rest = parts
    return class_of(name)((first, tuple(rest)) if name.startswith("coo") else (first, *rest), shape=shape)


__all__ = ["Matrix", "class_of", "flattened", "is_class", "unflattened"]
