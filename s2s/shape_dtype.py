"""`ShapeDtypeStruct`: what an array is like."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError


class ShapeDtypeStruct:
    """What an array is like: `shape` and `dtype`, without its elements.

    >>> ShapeDtypeStruct((3,), "float32")
    ShapeDtypeStruct(shape=(3,), dtype=float32)
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    sharding: Any
    """How the array shall lie (`s2s.sharding.NamedSharding`): no program depends on it."""

    def __init__(self, shape: Sequence[int], dtype: Any, *, sharding: Any = None) -> None:
        if dtype is None:
            raise ArgumentValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape = tuple(int(size) for size in shape)
        self.dtype, self.sharding = np.dtype(dtype), sharding

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def update(self, **kwargs: Any) -> ShapeDtypeStruct:
        """The same with another shape or dtype.

        >>> ShapeDtypeStruct((3,), "float32").update(shape=(4,))
        ShapeDtypeStruct(shape=(4,), dtype=float32)
        """
        return ShapeDtypeStruct(**{"shape": self.shape, "dtype": self.dtype, "sharding": self.sharding, **kwargs})

    def __repr__(self) -> str:
        lies = "" if self.sharding is None else f", sharding={self.sharding}"
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{lies})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and (other.shape, other.dtype, other.sharding) == (self.shape, self.dtype, self.sharding)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.sharding))
