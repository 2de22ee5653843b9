"""Containers ("pytrees"): nested tuples, lists, dicts, NamedTuples and dataclasses as a flat list of leaves and a structure.

    {"w": W, "b": (b0, b1)}   ->   [b0, b1, W],  {"b": (*, *), "w": *}

JAX's conventions: a dict's leaves stand in the order of its sorted keys, `None` is a container without leaves.
Dataclasses are containers of their fields without being registered. The work is done by optree.
"""
from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import optree

from s2s.not_here import refusing
from s2s.tree_keys import DictKey, FlattenedIndexKey, GetAttrKey, KeyEntry, KeyPath, SequenceKey, key_paths, keystr
from s2s.tree_nodes import (
    NAMESPACE,
    is_new,
    is_node,
    is_registered,
    parts_of,
    register_dataclass,
    register_new,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
)  # fmt: skip
from s2s.tree_prefixes import Level, prefix_error

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyEntry", "KeyPath", "Partial", "PyTreeDef", "SequenceKey", "all_leaves", "flatten_one_level", "flatten_one_level_with_keys", "is_tree_node", "keystr", "register_dataclass", "register_pytree_node",
    "register_pytree_node_class", "register_pytree_with_keys", "register_pytree_with_keys_class", "register_static", "tree_all", "tree_broadcast", "tree_flatten",
    "tree_flatten_with_path", "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_with_path", "tree_reduce", "tree_reduce_associative", "tree_structure", "tree_transpose",
    "tree_unflatten", "treedef_children", "treedef_is_leaf", "treedef_tuple",
]  # fmt: skip

PyTreeDef = optree.PyTreeSpec


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves in order and the structure.

    >>> tree_flatten({"b": 1, "a": (2, 3)})[0]
    [2, 3, 1]
    """
    while True:
        leaves, treedef = optree.tree_flatten(tree, is_leaf=is_leaf, namespace=NAMESPACE)
        new = {cls for cls in set(map(type, leaves)) if is_new(cls)}
        if new and is_leaf is not None:
            new = {type(leaf) for leaf in leaves if type(leaf) in new and not is_leaf(leaf)}
        if not new:
            return leaves, treedef
        for cls in new:
            register_new(cls)


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The container of this structure with these leaves.

    Raises
    ------
    ValueError
        There are fewer or more of them.

    >>> tree_unflatten(tree_structure({"b": 1, "a": (2, 3)}), [7, 8, 9])
    {'b': 9, 'a': (7, 8)}
    """
    given = list(leaves)
    if len(given) < treedef.num_leaves:
        raise ValueError(f"Too few leaves for PyTreeDef; expected {treedef.num_leaves}, got {len(given)}")
    if len(given) > treedef.num_leaves:
        raise ValueError(f"Too many leaves for PyTreeDef; expected {treedef.num_leaves}.")
    return optree.tree_unflatten(treedef, given)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves in order.

    >>> tree_leaves([1, None, (2, {"w": 3})])
    [1, 2, 3]
    """
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> PyTreeDef:
    """The structure without the leaves.

    >>> tree_structure((1, [2])) == tree_structure(("x", ["y"]))
    True
    """
    return tree_flatten(tree, is_leaf)[1]


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """A container like `tree` whose leaves are f(leaf, *corresponding leaves or subtrees of the rest).

    Raises
    ------
    ValueError
        One of the rest does not begin like `tree`: where, and how they differ.

    >>> tree_map(lambda x, y: x + y, {"w": 1, "b": (2, 3)}, {"w": 10, "b": (20, 30)})
    {'w': 11, 'b': (22, 33)}
    """
    leaves, treedef = tree_flatten(tree, is_leaf)
    if not rest:
        return tree_unflatten(treedef, map(f, leaves))
    others = [parts_like("tree_map tree", tree, treedef, other, is_leaf) for other in rest]
    return tree_unflatten(treedef, [f(*each) for each in zip(leaves, *others, strict=True)])


def flatten_like(treedef: PyTreeDef, tree: Any) -> list[Any]:
    """The parts of a container at the leaves of a structure that it begins like."""
    tree_flatten(tree)  # registers the classes in it
    return treedef.flatten_up_to(tree)


def parts_like(name: str, prefix: Any, treedef: PyTreeDef, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The same for a container that has this structure; ValueError in JAX's words where they differ."""
    try:
        return flatten_like(treedef, tree)
    except ValueError:
        said = prefix_error(name, one_level, prefix, tree, is_leaf)
        if said is None:
            raise
        raise ValueError(said) from None


def one_level(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Level:
    """The children, their keys (None: a leaf) and the data of a node.

    >>> one_level({"b": 1, "a": (2, 3)})[0]
    [(2, 3), 1]
    """
    children, treedef = tree_flatten(tree, lambda each: each is not tree or bool(is_leaf and is_leaf(each)))
    if treedef_is_leaf(treedef):
        return [tree], None, None
    data = tuple(sorted_keys(tree)) if isinstance(tree, dict) else parts_of(tree)[1] if is_node(tree) else None
    return children, [path[0] for path in key_paths(treedef)], data


def sorted_keys(tree: dict[Any, Any]) -> list[Any]:
    """A dict's keys in the order of its leaves."""
    return [path[0].key for path in key_paths(optree.tree_structure(dict.fromkeys(tree, 0)))]  # type: ignore[arg-type]


def flatten_one_level(tree: Any) -> tuple[Iterable[Any], Any]:
    """A node's children and data; ValueError for a leaf.

    >>> flatten_one_level({"b": 1, "a": (2, 3)})
    (((2, 3), 1), ('a', 'b'))
    """
    children, keys, data = one_level(tree)
    if keys is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return tuple(children), data


def flatten_one_level_with_keys(tree: Any) -> tuple[Iterable[tuple[Any, Any]], Any]:
    """A node's (key, child) pairs and data; ValueError for a leaf.

    >>> flatten_one_level_with_keys([1])
    (((SequenceKey(idx=0), 1),), None)
    """
    children, data = flatten_one_level(tree)
    return tuple(zip(one_level(tree)[1] or (), children, strict=True)), data


def is_tree_node(typ: type) -> bool:
    """Whether objects of a class are containers: Python's own, named tuples, dataclasses and registered classes.

    >>> is_tree_node(dict), is_tree_node(float)
    (True, False)
    """
    return typ in (tuple, list, dict, OrderedDict, defaultdict, type(None)) or is_registered(typ) or issubclass(typ, tuple) and hasattr(typ, "_fields") or dataclasses.is_dataclass(typ)


def tree_reduce(
    function: Callable[[Any, Any], Any], tree: Any, initializer: Any = dataclasses.MISSING, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """function(function(first, second), third)… over the leaves.

    >>> tree_reduce(max, {"a": 3, "b": (5, 1)})
    5
    """
    leaves = tree_leaves(tree, is_leaf)
    return functools.reduce(function, leaves) if initializer is dataclasses.MISSING else functools.reduce(function, leaves, initializer)


def tree_reduce_associative(operation: Callable[[Any, Any], Any], tree: Any, *, identity: Any = dataclasses.MISSING, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """operation over the leaves, two and two, in whatever order: from the left here. `identity`: what a tree without leaves gives.

    >>> tree_reduce_associative(max, {"a": 3, "b": (5, 1)}), tree_reduce_associative(max, [], identity=0)
    (5, 0)
    """
    leaves = tree_leaves(tree, is_leaf)
    if not leaves and identity is dataclasses.MISSING:
        raise TypeError("Must specify identity for parallel reduction of empty sequence.")
    return functools.reduce(operation, leaves) if leaves else identity


def tree_all(tree: Any, *, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Whether every leaf is true.

    >>> tree_all({"a": True, "b": (1, 0)})
    False
    """
    return all(tree_leaves(tree, is_leaf))


def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """A container of containers turned inside out: outer of inner -> inner of outer. Without `inner_treedef` it is that of the first part.

    >>> tree_transpose(tree_structure([0, 0]), None, [{"a": 1, "b": 2}, {"a": 3, "b": 4}])
    {'a': [1, 3], 'b': [2, 4]}
    """
    if inner_treedef is not None:
        check_sizes(outer_treedef, inner_treedef, tree_structure(pytree_to_transpose))
    parts = flatten_like(outer_treedef, pytree_to_transpose)
    inner = tree_structure(parts[0]) if inner_treedef is None else inner_treedef
    leaves = [flatten_like(inner, part) for part in parts]
    return tree_unflatten(inner, [tree_unflatten(outer_treedef, list(column)) for column in zip(*leaves, strict=True)])


def check_sizes(outer: PyTreeDef, inner: PyTreeDef, found: PyTreeDef) -> None:
    """TypeError unless a structure has as many leaves as one inside of another."""
    if found.num_leaves != outer.num_leaves * inner.num_leaves:
        raise TypeError(f"Mismatch\n{found}\n != \n{outer.compose(inner)}")


def tree_flatten_with_path(tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> tuple[list[tuple[KeyPath, Any]], PyTreeDef]:
    """(path, leaf) for each leaf in order, and the structure. `is_leaf_takes_path`: is_leaf(path, part of the tree) is asked.

    >>> [(keystr(path), leaf) for path, leaf in tree_flatten_with_path({"w": [1, 2]})[0]]
    [("['w'][0]", 1), ("['w'][1]", 2)]
    """
    leaves, treedef = tree_flatten(tree, with_paths(tree, is_leaf) if is_leaf_takes_path else is_leaf)
    return list(zip(key_paths(treedef), leaves, strict=True)), treedef


def with_paths(tree: Any, is_leaf: Callable[[KeyPath, Any], bool] | None) -> Callable[[Any], bool] | None:
    """is_leaf that takes a path, as one that does not: it is asked of the parts in optree's order, of which the paths are known."""
    if is_leaf is None:
        return None
    tree_flatten(tree)  # registers the classes in it
    answers = iter(list(_answers(tree, (), is_leaf)))
    return lambda part: next(answers)


def _answers(tree: Any, path: KeyPath, is_leaf: Callable[[KeyPath, Any], bool]) -> Iterator[bool]:
    """What is_leaf says of a part, and of those below it that are asked."""
    answer = bool(is_leaf(path, tree))
    yield answer
    children, keys, _ = ([], None, None) if answer else one_level(tree)
    for key, child in zip(keys or (), children if keys else (), strict=True):
        yield from _answers(child, (*path, key), is_leaf)


def tree_leaves_with_path(tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> list[tuple[KeyPath, Any]]:
    """(path, leaf) for each leaf in order.

    >>> [(keystr(path), leaf) for path, leaf in tree_leaves_with_path({"w": [1, 2]})]
    [("['w'][0]", 1), ("['w'][1]", 2)]
    """
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def tree_map_with_path(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False) -> Any:
    """A container like `tree` whose leaves are f(path, leaf, *corresponding leaves or subtrees of the rest).

    >>> tree_map_with_path(lambda path, leaf: keystr(path) * leaf, {"a": 1, "b": (2,)})
    {'a': "['a']", 'b': ("['b'][0]['b'][0]",)}
    """
    pairs, treedef = tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    others = [flatten_like(treedef, other) for other in rest]
    return tree_unflatten(treedef, [f(*pair, *each) for pair, *each in zip(pairs, *others, strict=True)])


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """A container like `full_tree` in which each leaf is that of the prefix above it.

    >>> tree_broadcast((1, 2), (("x", "y"), "z"))
    ((1, 1), 2)
    """
    leaves, treedef = tree_flatten(prefix_tree, is_leaf)
    parts = parts_like("broadcast_prefix prefix_tree", prefix_tree, treedef, full_tree, is_leaf)
    return tree_unflatten(treedef, [tree_map(lambda _, leaf=leaf: leaf, part, is_leaf=is_leaf) for leaf, part in zip(leaves, parts, strict=True)])


def all_leaves(iterable: Iterable[Any], is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Whether none of them is a container.

    >>> all_leaves([1, 2]), all_leaves([1, (2,)]), all_leaves([None])
    (True, False, False)
    """
    return all(treedef_is_leaf(tree_structure(each, is_leaf)) for each in iterable)


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Whether a structure is that of one leaf.

    >>> treedef_is_leaf(tree_structure(1)), treedef_is_leaf(tree_structure([1]))
    (True, False)
    """
    return treedef.is_leaf() and treedef.num_leaves == 1


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """The structures of the children.

    >>> len(treedef_children(tree_structure((1, [2, 3]))))
    2
    """
    return treedef.children()


def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> PyTreeDef:
    """The structure of a tuple of things of these structures.

    >>> treedef_tuple([tree_structure(1), tree_structure([2])]) == tree_structure((1, [2]))
    True
    """
    return tree_structure(tuple(tree_unflatten(each, [0] * each.num_leaves) for each in treedefs))


class Partial(functools.partial[Any]):
    """functools.partial as a container of its arguments: they are leaves, the function is static.

    >>> tree_leaves(Partial(max, 1, key=abs))[:1]
    [1]
    """


register_pytree_node(Partial, lambda partial: ((partial.args, partial.keywords), partial.func), lambda func, parts: Partial(func, *parts[0], **parts[1]))

__getattr__ = refusing(__name__)
