"""Where two containers differ, in JAX's words.

    (1, {"a": 2}), (1, {"b": 2})   ->   ([1], "<class 'dict'> with pytree metadata ('a',)", "… ('b',)", "the pytree node …")
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from s2s.tree_keys import KeyPath
from s2s.tree_util import PyTreeDef, one_level, tree_unflatten

Difference = tuple[KeyPath, str, str, str]
"""The path, what is there, what is there in the other one, why they differ."""


class LeafKind(type):
    """What shows a class as a leaf."""

    def __repr__(cls) -> str:
        return "pytree leaf"


class _Leaf(metaclass=LeafKind):
    """What stands for a leaf."""


def structure_differences(one: PyTreeDef, two: PyTreeDef) -> Iterator[Difference]:
    """Where two structures differ."""
    return tree_differences(*(tree_unflatten(treedef, [_Leaf()] * treedef.num_leaves) for treedef in (one, two)))


def tree_differences(one: Any, two: Any, is_leaf: Callable[[Any], bool] | None = None, path: KeyPath = ()) -> Iterator[Difference]:
    """Where two containers' structures differ: the outermost places."""
    (mine, my_keys, my_data), (others, other_keys, other_data) = (one_level(each, is_leaf) for each in (one, two))
    if my_keys is None and other_keys is None:
        return
    if type(one) is not type(two):
        yield path, str(type(one)), str(type(two)), "their Python types differ"
    elif len(mine) != len(others):
        yield (path, *_counts(one, two, mine, others, my_keys or (), other_keys or ()))
    elif my_data != other_data:
        yield path, f"{type(one)} with pytree metadata {my_data}", f"{type(two)} with pytree metadata {other_data}", "the pytree node metadata does not match"
    else:
        for key, this, other in zip(my_keys or (), mine, others, strict=True):
            yield from tree_differences(this, other, is_leaf, (*path, key))


def _counts(one: Any, two: Any, mine: list[Any], others: list[Any], my_keys: Any, other_keys: Any) -> tuple[str, str, str]:
    if isinstance(one, list | tuple):
        return f"{type(one).__name__} of length {len(mine)}", f"{type(two).__name__} of length {len(others)}", "the lengths do not match"
    missing = [key for key in (*my_keys, *other_keys) if (key in my_keys) != (key in other_keys)]
    said = f", with the symmetric difference of key sets: {{{' '.join(repr(key.key) for key in missing)}}}" if all(hasattr(key, "key") for key in missing) and missing else ""
    return _children(one, mine), _children(two, others), f"the numbers of children do not match{said}"


def _children(node: Any, children: list[Any]) -> str:
    return f"{type(node)} with {len(children)} child{'ren' if len(children) > 1 else ''}"


__all__ = ["Difference", "LeafKind", "structure_differences", "tree_differences"]
