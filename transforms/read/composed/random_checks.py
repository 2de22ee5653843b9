"""What s2s.random's functions say of keys, shapes and dtypes that are none: the conditions, and where they can be the words, of `jax.random` (version 0.10)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from typing import Any

import numpy as np


def sizes_of(shape: Any) -> Any:
    """A shape as a tuple; a number is a shape of one axis."""
    sizes = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
    for size in sizes:
        if size < 0:
            raise ValueError("negative dimensions are not allowed")
    return sizes


def fitting(name: str, shape: Any, *shapes: Any) -> Any:
    """The sizes asked for; ValueError if parameters of these shapes have other ones."""
    sizes = sizes_of(shape)
    found = np.broadcast_shapes(sizes, *shapes)
    if found != sizes:
        raise ValueError(
            f"{name} parameter shapes must be broadcast-compatible with shape argument, and the result of broadcasting the shapes must equal the shape argument, "
            f"but got result {found} for shape argument {sizes}."
        )
    return sizes


def single(name: str, key: Any) -> None:
    """An error unless it is one key: TypeError unless there are two integers for each key, ValueError for several keys."""
    if np.ndim(key) < 1 or np.asarray(key).dtype.kind not in "iu":
        raise TypeError(f"{name} needs a random key, an array of two integers as random.key gives it, but got {np.asarray(key).dtype} of shape {np.shape(key)}")
    if np.shape(key)[-1] != 2:
        raise TypeError(f"{name} needs a random key: the shape of its data must end with (2,), but got {np.shape(key)}")
    if np.ndim(key) > 1:
        raise ValueError(f"{name} accepts a single key, but was given a key array of shape {np.shape(key)[:-1]} != (). Use jax.vmap for batching.")


def floats(name: str, dtype: Any) -> None:
    """ValueError unless it is a dtype of floats."""
    if np.dtype(dtype).kind != "f":
        raise ValueError(f"dtype argument to `{name}` must be a float dtype, got {np.dtype(dtype)}")
