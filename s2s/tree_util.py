"""Containers ("pytrees"): nested tuples, lists, dicts, NamedTuples and dataclasses as a flat list of leaves and a structure.

    {"w": W, "b": (b0, b1)}   ->   [b0, b1, W],  {"b": (*, *), "w": *}

JAX's conventions: a dict's leaves stand in the order of its sorted keys, `None` is a container without leaves.
Dataclasses are containers of their fields without being registered. The work is done by optree.
"""
from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import optree

from s2s import sparse_parts, streams
from s2s.not_here import refusing
from s2s.tree_keys import KEYS, DictKey, FlattenedIndexKey, GetAttrKey, KeyEntry, KeyPath, SequenceKey, key_paths, keystr
from s2s.tree_prefixes import Level, prefix_error

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyEntry", "KeyPath", "Partial", "PyTreeDef", "SequenceKey", "all_leaves", "flatten_one_level", "flatten_one_level_with_keys", "is_tree_node", "keystr", "register_dataclass", "register_pytree_node",
    "register_pytree_node_class", "register_pytree_with_keys", "register_pytree_with_keys_class", "register_static", "tree_all", "tree_broadcast", "tree_flatten",
    "tree_flatten_with_path", "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_with_path", "tree_reduce", "tree_reduce_associative", "tree_structure", "tree_transpose",
    "tree_unflatten", "treedef_children", "treedef_is_leaf", "treedef_tuple",
]  # fmt: skip

NAMESPACE = "s2s"
PyTreeDef = optree.PyTreeSpec
T = TypeVar("T")

_REGISTERED: set[type] = set()
"""Dataclasses and user classes known to optree's namespace."""
_NODES: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {}
"""Classes that a user registered with functions of their own: (flatten, unflatten)."""


def register_pytree_node(
    nodetype: type[T], flatten_func: Callable[[T], tuple[Iterable[Any], Hashable]], unflatten_func: Callable[[Any, Any], T],
    flatten_with_keys_func: Callable[[T], tuple[Iterable[tuple[Any, Any]], Hashable]] | None = None,
) -> None:  # fmt: skip
    """Make a class a container: `flatten_func(node) -> (children, data)`, `unflatten_func(data, children) -> node`, as in JAX.

    `flatten_with_keys_func`: what gives (key, child) pairs instead of the children.
    """
    if flatten_with_keys_func is not None:
        register_pytree_with_keys(nodetype, flatten_with_keys_func, unflatten_func, flatten_func)
        return
    if nodetype in _REGISTERED:
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {nodetype}.")
    optree.register_pytree_node(nodetype, flatten_func, unflatten_func, namespace=NAMESPACE)  # type: ignore[arg-type]
    _REGISTERED.add(nodetype)
    _NODES[nodetype] = (flatten_func, unflatten_func)


def register_pytree_with_keys(
    nodetype: type[T], flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Hashable]], unflatten_func: Callable[[Any, Any], T],
    flatten_func: Callable[[T], tuple[Iterable[Any], Hashable]] | None = None,
) -> None:  # fmt: skip
    """Make a class a container whose children have keys: `flatten_with_keys(node) -> ((key, child) pairs, data)`, as in JAX."""

    def flatten(node: T) -> tuple[tuple[Any, ...], Hashable]:
        pairs, data = flatten_with_keys(node)
        pairs = tuple(pairs)
        KEYS[nodetype] = tuple(key for key, _ in pairs)
        return tuple(child for _, child in pairs), data

    register_pytree_node(nodetype, flatten, unflatten_func)
    del flatten_func  # what it gives are the children that flatten_with_keys gives


def register_pytree_with_keys_class(cls: type[T]) -> type[T]:
    """Class decorator: the same by its own methods `tree_flatten_with_keys()` and `tree_unflatten(data, children)`."""
    register_pytree_with_keys(cls, lambda node: node.tree_flatten_with_keys(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


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


def is_registered(cls: type) -> bool:
    """Whether a class was registered, dataclasses included."""
    return cls in _REGISTERED


def taken_apart(node: Any) -> tuple[list[Any], Any, Callable[[Any, list[Any]], Any]]:
    """A node's children, its data, and what makes a node of both."""
    children, data, _, make = optree.tree_flatten_one_level(node, namespace=NAMESPACE)
    return children, data, make


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


def register_dataclass(nodetype: type[T], data_fields: Sequence[str] | None = None, meta_fields: Sequence[str] | None = None, drop_fields: Sequence[str] = ()) -> type[T]:
    """Make a dataclass a container of `data_fields` (default: all but the others); `meta_fields` are static and hashable.

    Without `meta_fields` those are static that say so: `dataclasses.field(metadata={"static": True})`. `drop_fields` are neither: they have a default.

    Raises
    ------
    ValueError
        Fields that the class has not, or that are named nowhere.
    """
    cls = nodetype
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    meta = tuple(field.name for field in fields if field.metadata.get("static", False)) if meta_fields is None else tuple(meta_fields)
    data = tuple(field.name for field in fields if field.name not in (*meta, *drop_fields)) if data_fields is None else tuple(data_fields)
    named, expected = {*data, *meta, *drop_fields}, {field.name for field in fields if field.init}
    if data_fields is not None and named != expected:
        missing, unexpected = expected - named, named - {field.name for field in fields}
        said = (f" Missing fields: {missing}. Add them to drop_fields to suppress this error." if missing else "") + (f" Unexpected fields: {unexpected}." if unexpected else "")
        if said:
            raise ValueError(f"data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them.{said}")

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


_CONTAINERS = ("s2s.transforms.read.composed.statistical_results",)
"""Our own modules whose dataclasses are containers, as a user's are."""


def is_record(cls: type) -> bool:
    """Whether a dataclass is s2s's own and no container."""
    return cls.__module__.startswith("s2s.") and cls.__module__ not in _CONTAINERS


def _is_new(cls: type) -> bool:
    if cls in _REGISTERED:
        return False
    return hasattr(cls, "__dataclass_fields__") and not is_record(cls) or streams.is_class(cls) or sparse_parts.is_class(cls)


def _register_new(cls: Any) -> None:
    """A dataclass, a container of its fields; NumPy's random generators, containers of their state (NumPy loads their module when it is used); SciPy's sparse matrices, of their arrays."""
    if hasattr(cls, "__dataclass_fields__"):
        register_dataclass(cls)
    elif sparse_parts.is_class(cls):
        register_pytree_node(cls, sparse_parts.flattened, sparse_parts.unflattened)
    else:
        register_pytree_node(cls, streams.flattened, streams.unflattened)


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves in order and the structure."""
    while True:
        leaves, treedef = optree.tree_flatten(tree, is_leaf=is_leaf, namespace=NAMESPACE)
        new = {cls for cls in set(map(type, leaves)) if _is_new(cls)}
        if new and is_leaf is not None:
            new = {type(leaf) for leaf in leaves if type(leaf) in new and not is_leaf(leaf)}
        if not new:
            return leaves, treedef
        for cls in new:
            _register_new(cls)


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The container of this structure with these leaves.

    Raises
    ------
    ValueError
        There are fewer or more of them.
    """
    given = list(leaves)
    if len(given) < treedef.num_leaves:
        raise ValueError(f"Too few leaves for PyTreeDef; expected {treedef.num_leaves}, got {len(given)}")
    if len(given) > treedef.num_leaves:
        raise ValueError(f"Too many leaves for PyTreeDef; expected {treedef.num_leaves}.")
    return optree.tree_unflatten(treedef, given)


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> PyTreeDef:
    """The structure without the leaves."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """A container like `tree` whose leaves are f(leaf, *corresponding leaves or subtrees of the rest).

    Raises
    ------
    ValueError
        One of the rest does not begin like `tree`: where, and how they differ.
    """
    leaves, treedef = tree_flatten(tree, is_leaf)
    if not rest:
        return tree_unflatten(treedef, map(f, leaves))
    others = [parts_like("tree_map tree", tree, treedef, other, is_leaf) for other in rest]
    return tree_unflatten(treedef, [f(*each) for each in zip(leaves, *others, strict=True)])


register_pytree_node(streams.Stream, streams.flattened, streams.unflattened)
register_pytree_node(sparse_parts.Matrix, sparse_parts.flattened, sparse_parts.unflattened)


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
    return typ in (tuple, list, dict, OrderedDict, defaultdict, type(None)) or typ in _REGISTERED or issubclass(typ, tuple) and hasattr(typ, "_fields") or dataclasses.is_dataclass(typ)


def tree_reduce(
    function: Callable[[Any, Any], Any], tree: Any, initializer: Any = dataclasses.MISSING, is_leaf: Callable[[Any], bool] | None = None
) -> Any:
    """function(function(first, second), third)… over the leaves."""
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
    """Whether every leaf is true."""
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
    """(path, leaf) for each leaf in order."""
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
    """Whether a structure is that of one leaf."""
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
