"""Containers ("pytrees"): nested tuples, lists, dicts, NamedTuples and dataclasses as a flat list of leaves and a structure.

    {"w": W, "b": (b0, b1)}   ->   [b0, b1, W],  {"b": (*, *), "w": *}

JAX's conventions: a dict's leaves stand in the order of its sorted keys, `None` is a container without leaves.
Dataclasses are containers of their fields without being registered. The work is done by optree.
"""
from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import optree

from s2s import streams

NAMESPACE = "s2s"
PyTreeDef = optree.PyTreeSpec
T = TypeVar("T")

_REGISTERED: set[type] = set()
"""Dataclasses and user classes known to optree's namespace."""
_NODES: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {}
"""Classes that a user registered with functions of their own: (flatten, unflatten)."""

__all__ = [
    "PyTreeDef", "register_dataclass", "register_pytree_node", "register_pytree_node_class", "register_static", "tree_all", "tree_flatten",
    "tree_leaves", "tree_map", "tree_reduce", "tree_structure", "tree_transpose", "tree_unflatten",
]


def register_pytree_node(
    nodetype: type[T], flatten_func: Callable[[T], tuple[Iterable[Any], Hashable]], unflatten_func: Callable[[Any, Any], T]
) -> None:
    """Make a class a container: `flatten_func(node) -> (children, data)`, `unflatten_func(data, children) -> node`, as in JAX."""
    optree.register_pytree_node(nodetype, flatten_func, unflatten_func, namespace=NAMESPACE)  # type: ignore[arg-type]
    _REGISTERED.add(nodetype)
    _NODES[nodetype] = (flatten_func, unflatten_func)


def is_node(value: Any) -> bool:
    """Whether the value's class was registered with functions of its own."""
    return type(value) in _NODES


def is_node_class(cls: type) -> bool:
    """Whether a class was registered with functions of its own."""
    return cls in _NODES


def parts_of(node: Any) -> tuple[tuple[Any, ...], Any]:
    """A registered node's children and data."""
    children, data, *_ = _NODES[type(node)][0](node)
    return tuple(children), data


def make_node(cls: type[T], data: Any, children: tuple[Any, ...]) -> T:
    """A registered node of this class, data and children."""
    made: T = _NODES[cls][1](data, children)
    return made


def register_pytree_node_class(cls: type[T]) -> type[T]:
    """Class decorator: a container by its own methods `tree_flatten()` and `tree_unflatten(data, children)`."""
    register_pytree_node(cls, lambda node: node.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_static(cls: type[T]) -> type[T]:
    """Class decorator: instances are static (part of the structure); they must be hashable."""
    register_pytree_node(cls, lambda node: ((), node), lambda node, _: node)
    return cls


def register_dataclass(cls: type[T], data_fields: Sequence[str] | None = None, meta_fields: Sequence[str] = ()) -> type[T]:
    """Make a dataclass a container of `data_fields` (default: all but `meta_fields`); `meta_fields` are static and hashable."""
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    data = tuple(name for name in names if name not in meta_fields) if data_fields is None else tuple(data_fields)
    meta = tuple(meta_fields)

    def flatten(node: Any) -> tuple[tuple[Any, ...], Any, tuple[str, ...]]:
        return tuple(getattr(node, name) for name in data), tuple(getattr(node, name) for name in meta), data

    def unflatten(values: Any, children: Any) -> Any:
        return rebuild(cls, dict(zip((*data, *meta), (*children, *values), strict=True)))

    optree.register_pytree_node(cls, flatten, unflatten, namespace=NAMESPACE)  # type: ignore[arg-type]
    _REGISTERED.add(cls)
    return cls


def rebuild(cls: type[T], fields: dict[str, Any]) -> T:
    """A dataclass instance with these fields, its `__init__` and `__post_init__` not run (they may look into arrays)."""
    node = object.__new__(cls)
    for name, value in fields.items():
        object.__setattr__(node, name, value)
    return node


def _is_new(leaf: Any) -> bool:
    cls = type(leaf)
    if cls in _REGISTERED:
        return False
    return hasattr(cls, "__dataclass_fields__") and not cls.__module__.startswith("s2s.") or bool(streams.class_name(leaf))


def _register_new(cls: Any) -> None:
    """A dataclass, a container of its fields; NumPy's random generators, containers of their state (NumPy loads their module when it is used)."""
    if hasattr(cls, "__dataclass_fields__"):
        register_dataclass(cls)
    else:
        register_pytree_node(cls, streams.flattened, streams.unflattened)


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves in order and the structure."""
    while True:
        leaves, treedef = optree.tree_flatten(tree, is_leaf=is_leaf, namespace=NAMESPACE)
        new = {type(leaf) for leaf in leaves if _is_new(leaf) and not (is_leaf and is_leaf(leaf))}
        if not new:
            return leaves, treedef
        for cls in new:
            _register_new(cls)


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The container of this structure with these leaves."""
    return optree.tree_unflatten(treedef, leaves)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> PyTreeDef:
    """The structure without the leaves."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """A container like `tree` whose leaves are f(leaf, *corresponding leaves or subtrees of the rest)."""
    leaves, treedef = tree_flatten(tree, is_leaf)
    others = [_flatten_like(treedef, other) for other in rest]
    return tree_unflatten(treedef, [f(*each) for each in zip(leaves, *others, strict=True)])


register_pytree_node(streams.Stream, streams.flattened, streams.unflattened)


def _flatten_like(treedef: PyTreeDef, tree: Any) -> list[Any]:
    tree_flatten(tree)  # registers the classes in it
    return treedef.flatten_up_to(tree)


def tree_reduce(function: Callable[[Any, Any], Any], tree: Any, initializer: Any = dataclasses.MISSING) -> Any:
    """function(function(first, second), third)… over the leaves."""
    leaves = tree_leaves(tree)
    return functools.reduce(function, leaves) if initializer is dataclasses.MISSING else functools.reduce(function, leaves, initializer)


def tree_all(tree: Any) -> bool:
    """Whether every leaf is true."""
    return all(tree_leaves(tree))


def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef, pytree_to_transpose: Any) -> Any:
    """A container of containers turned inside out: outer of inner -> inner of outer."""
    leaves = [_flatten_like(inner_treedef, part) for part in _flatten_like(outer_treedef, pytree_to_transpose)]
    return tree_unflatten(inner_treedef, [tree_unflatten(outer_treedef, list(column)) for column in zip(*leaves, strict=True)])
