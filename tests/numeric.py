"""What the numeric tests share: walking containers, comparing results exactly, directional differences."""
from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

FLOAT0 = np.dtype([("float0", np.void, 0)])
"""The tangent type of integers and bools, as in JAX."""


def map_leaves(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The containers of `tree` with function(leaf, *corresponding leaves of the others) for each leaf."""
    if isinstance(tree, dict):
        return {key: map_leaves(function, value, *(other[key] for other in others)) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        items = [map_leaves(function, *values) for values in zip(tree, *others, strict=True)]
        return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)
    if is_dataclass(tree) and not isinstance(tree, type) and not type(tree).__module__.startswith("s2s."):  # Var and Result are leaves
        names = [field.name for field in fields(tree)]
        return type(tree)(**{name: map_leaves(function, *(getattr(t, name) for t in (tree, *others))) for name in names})
    return None if tree is None else function(tree, *others)


def leaves(tree: Any) -> list[Any]:
    """The leaves in the order of `map_leaves`."""
    found: list[Any] = []
    map_leaves(found.append, tree)
    return found


def structure(tree: Any) -> Any:
    """The containers with None for each leaf, comparable."""
    return map_leaves(lambda leaf: 0, tree)


def is_differentiable(leaf: Any) -> bool:
    """Whether the leaf is a real or complex float or an array of them."""
    return isinstance(leaf, (float, complex, np.ndarray, np.generic)) and np.asarray(leaf).dtype.kind in "fc"


def assert_same(got: Any, want: Any, what: str, *, rtol: float = 1e-12, atol: float = 1e-12) -> None:
    """Equal structure, shapes, dtypes (Python numbers: the dtype that NumPy gives them) and, nearly, values."""
    assert structure(got) == structure(want), f"{what}: structure {structure(got)} instead of {structure(want)}"
    for number, (a, b) in enumerate(zip(leaves(got), leaves(want), strict=True)):
        first, second = np.asarray(a), np.asarray(b)
        where = f"{what}, leaf {number}"
        assert first.shape == second.shape, f"{where}: shape {first.shape} instead of {second.shape}"
        assert first.dtype == second.dtype, f"{where}: dtype {first.dtype} instead of {second.dtype}"
        if second.dtype.kind in "fc":
            loose = 2e6 if second.dtype in (np.float32, np.complex64) else 1.0
            np.testing.assert_allclose(first, second, rtol=rtol * loose, atol=atol * loose, err_msg=where)
        else:
            np.testing.assert_array_equal(first, second, err_msg=where)


def is_single(tree: Any) -> bool:
    """Whether some float in the tree has single precision."""
    return any(np.asarray(leaf).dtype in (np.float32, np.complex64) for leaf in leaves(tree) if is_differentiable(leaf))


def random_like(rng: np.random.Generator, leaf: Any) -> Any:
    """A direction for one leaf: float0 where it has none."""
    if not is_differentiable(leaf):
        return np.zeros(np.shape(leaf), FLOAT0)
    array = np.asarray(leaf)
    drawn = rng.normal(size=array.shape)
    if array.dtype.kind == "c":
        drawn = drawn + 1j * rng.normal(size=array.shape)
    drawn = np.asarray(drawn).astype(array.dtype)
    return drawn if isinstance(leaf, np.ndarray) else drawn.item() if type(leaf) in (float, complex) else drawn[()]


def zero_like(leaf: Any) -> Any:
    """The zero direction of one leaf."""
    return np.zeros(np.shape(leaf), FLOAT0) if not is_differentiable(leaf) else leaf * 0


def step(leaf: Any, direction: Any, length: float) -> Any:
    """leaf + length * direction, in double precision."""
    if not is_differentiable(leaf):
        return copy.deepcopy(leaf)
    moved = np.asarray(leaf).astype(np.result_type(leaf, np.float64)) + length * np.asarray(direction)
    return moved.item() if type(leaf) in (float, complex) else np.asarray(moved) if isinstance(leaf, np.ndarray) else moved


def difference(function: Callable[..., Any], args: tuple[Any, ...], directions: tuple[Any, ...], length: float = 1e-6) -> list[Any]:
    """The central difference of each differentiable leaf of the result, in double precision."""
    up = function(*map_leaves(lambda leaf, d: step(leaf, d, length), args, directions))
    down = function(*map_leaves(lambda leaf, d: step(leaf, d, -length), args, directions))
    return [(np.asarray(a) - np.asarray(b)) / (2 * length) for a, b in zip(leaves(up), leaves(down), strict=True) if is_differentiable(a)]


def inner(bars: Any, dots: Any) -> Any:
    """The sum of products of corresponding differentiable leaves (no conjugate: as transposes pair them)."""
    return sum(np.sum(np.asarray(a) * np.asarray(b)) for a, b in pairs(bars, dots))


def pairs(bars: Any, dots: Any) -> Iterator[tuple[Any, Any]]:
    """Corresponding leaves that are differentiable."""
    return ((a, b) for a, b in zip(leaves(bars), leaves(dots), strict=True) if is_differentiable(a) and is_differentiable(b))
