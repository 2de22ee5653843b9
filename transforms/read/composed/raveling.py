"""s2s.flatten_util: a container's arrays and numbers as one vector. Contract: that of `jax.flatten_util` (documentation of version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.tree_util import tree_flatten, tree_unflatten


def ravel_pytree(pytree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """All elements of a container as one vector of their common dtype, and the function that makes such a container of a vector.

    >>> vector, unravel = ravel_pytree({"a": 1.0, "b": np.array([[2.0, 3.0]])})
    >>> vector, unravel(vector * 2.0)
    (array([1., 2., 3.]), {'a': np.float64(2.0), 'b': array([[4., 6.]])})
    """
    leaves, treedef = tree_flatten(pytree)
    shapes = [np.shape(leaf) for leaf in leaves]
    dtypes = [np.asarray(leaf).dtype for leaf in leaves]
    vector = np.concatenate([np.ravel(leaf) for leaf in leaves]) if leaves else np.zeros(0)

    def unravel(flat: Any) -> Any:
        if np.shape(flat) != np.shape(vector):
            raise ValueError(f"The unravel function expected an input of shape {np.shape(vector)}, got shape {np.shape(flat)}")
        parts = []
        start = 0
        for shape, dtype in zip(shapes, dtypes, strict=True):
            size = 1
            for each in shape:
                size = size * each
            parts.append(np.reshape(flat[start : start + size], shape).astype(dtype)[()])
            start = start + size
        return tree_unflatten(treedef, parts)

    return vector, unravel


EXPORTED = {"ravel_pytree": ravel_pytree}
"""By the names that they have in s2s.flatten_util."""
