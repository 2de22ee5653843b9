"""Whose a module is: of libraries the contents are constants, what users wrote is read."""
from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from s2s.hidden import is_transformed

_LIBRARIES = ("numpy", "math", "builtins", "operator", "scipy", "itertools", "functools", "typing", "dataclasses", "cmath", "s2s", "collections", "copy", "optree", "heapq", "_heapq", "bisect", "_bisect", "contextlib", "warnings", "numba", "queue", "_queue")
_LIKE_USERS = frozenset({"collections.abc"} | {f"s2s.transforms.read.composed.{name}" for name in (
    "array_iterators", "attribute_dicts", "bound_arguments", "by_copies", "by_turns", "coordinate_arrays", "dense_matrices", "densities", "frozen", "in_memory", "interpolants", "key_slots", "set_slots", "keyed", "keyed_sets", "keyed_views", "neighbours", "orthogonal",
    "own_attributes", "own_distributions", "own_iterators", "polynomial_classes", "pooled_dicts", "pooled_lists", "pooled_rows", "pooled_tables", "python_library", "quasi_random", "radial_functions", "records", "rotations",
    "found_objects", "solvers", "sparse_base", "sparse_diagonals", "sparse_elementwise", "sparse_indexing", "sparse_linalg", "sparse_matrices", "sparse_products", "spline_classes", "statistical_results", "subclassed",
    "systems", "thread_queues", "user_containers",
)})  # fmt: skip
"""Our own modules whose classes are read as a user's are."""


@functools.lru_cache(maxsize=4096)
def is_library(name: str | None) -> bool:
    """Whether a module belongs to Python or NumPy: its contents are constants, never guarded."""
    return (name or "").split(".")[0] in _LIBRARIES and name not in _LIKE_USERS


def module_of(value: Any) -> str | None:
    """Where a function's source stands, whatever it says: functools.wraps(np.floor) makes a user's function say "numpy". (One that wraps a transformation also has what s2s knows that by.)"""
    said: str | None = getattr(value, "__module__", None)
    if isinstance(value, types.FunctionType) and is_library(said) and not (said or "").startswith("s2s.") and "__name__" in value.__globals__:
        return str(value.__globals__["__name__"])
    return said


def holds_function(value: Any) -> bool:
    """Whether it is a library's object around a function, which is looked at: a partial, a transformed function, one with custom rules, a vectorized one, a pullback."""
    return isinstance(value, functools.partial) or is_transformed(value) or hasattr(type(value), "derivative_rule") or hasattr(type(value), "holds_function") or hasattr(value, "residuals") or isinstance(value, np.vectorize)
