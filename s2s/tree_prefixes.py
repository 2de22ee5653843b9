"""Why a container does not begin like another one, in JAX's words.

    (1, (2,)), (1, 3)   ->   "pytree structure error: different types at key path … tree_map tree[1] …"
"""
from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable
from typing import Any

from s2s.tree_keys import KeyPath, keystr

Level = tuple[list[Any], list[Any] | None, Any]
"""A node's children, their keys (None: a leaf) and its data."""
IsLeaf = Callable[[Any], bool] | None


def prefix_error(name: str, level: Callable[[Any, IsLeaf], Level], prefix: Any, full: Any, is_leaf: IsLeaf = None, path: KeyPath = ()) -> str | None:
    """What differs first between a container, called `name`, and one that should begin like it; None: nothing. `level` takes a node apart."""
    mine, my_keys, my_data = level(prefix, is_leaf)
    if my_keys is None:
        return None
    place = f"    {name}{keystr(path)}\nAt that key path, the prefix pytree {name} has a subtree of type"
    if type(prefix) is not type(full):
        return (
            f"pytree structure error: different types at key path\n{place}\n    {type(prefix)}\n"
            f"but at the same key path the full pytree has a subtree of different type\n    {type(full)}."
        )
    others, other_keys, other_data = level(full, None)
    kind = type(prefix).__name__
    if len(mine) != len(others) and isinstance(prefix, list | tuple):
        return (
            f"pytree structure error: different lengths of {kind} at key path\n{place} {kind} of length {len(mine)}, "
            f"but the full pytree has a subtree of the same type but of length {len(others)}."
        )
    if len(mine) != len(others):
        return _numbers(place, prefix, list(my_keys), list(other_keys or ()))
    if my_data != other_data:
        return _data(place, prefix, str(my_data), str(other_data))
    below = (prefix_error(name, level, this, other, None, (*path, key)) for key, this, other in zip(my_keys, mine, others, strict=True))
    return next((each for each in below if each is not None), None)


def _numbers(place: str, prefix: Any, mine: list[Any], others: list[Any]) -> str:
    apart = [key for key in (*mine, *others) if (key in mine) != (key in others)]
    return (
        f"pytree structure error: different numbers of pytree children at key path\n{place}\n    {type(prefix)}\nwith {len(mine)} child keys\n    {_names(mine)}\n"
        f"but at the same key path the full pytree has a subtree of the same type but with {len(others)} child keys\n    {_names(others)}\n"
        f"so the symmetric difference on key sets is\n    {_names(apart)}"
    )


def _names(keys: list[Any]) -> str:
    return " ".join(str(next(iter(vars(key).values()))) for key in keys)


def _data(place: str, prefix: Any, mine: str, others: str) -> str:
    apart = textwrap.indent("\n".join(difflib.ndiff(mine.splitlines(), others.splitlines())), prefix="    ")
    return (
        f"pytree structure error: different pytree metadata at key path\n{place}\n    {type(prefix)}\nwith metadata\n    {mine}\n"
        f"but at the same key path the full pytree has a subtree of the same type but with metadata\n    {others}\n"
        f"so the diff in the metadata at these pytree nodes is\n{apart}"
    )


__all__ = ["IsLeaf", "Level", "prefix_error"]
