"""Which classes are containers: those that a user registers, dataclasses, NumPy's generators and SciPy's sparse matrices.

    register_pytree_node(Ball, lambda ball: ((ball.place, ball.speed), None), lambda _, parts: Ball(*parts))
    s2s.grad(energy)(Ball(2.0, 3.0))      ->      Ball(place=9.81, speed=3.0)

The names are JAX's; `s2s.tree_util` has those that are public. optree keeps the classes, in a namespace of ours.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import optree

from s2s import sparse_parts, streams
from s2s.tree_keys import KEYS

NAMESPACE = "s2s"
T = TypeVar("T")

REGISTERED: set[type] = set()
"""Dataclasses and user classes known to optree's namespace."""
_MET: set[type] = set()
"""Of these, the dataclasses that nobody has registered: they were met in a call."""
_NODES: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {}
"""Classes that a user registered with functions of their own: (flatten, unflatten)."""


def register_pytree_node(
    nodetype: type[T], flatten_func: Callable[[T], tuple[Iterable[Any], Hashable]], unflatten_func: Callable[[Any, Any], T],
    flatten_with_keys_func: Callable[[T], tuple[Iterable[tuple[Any, Any]], Hashable]] | None = None,
) -> None:  # fmt: skip
    """Make a class a container: `flatten_func(node) -> (children, data)`, `unflatten_func(data, children) -> node`, as in JAX.

    `flatten_with_keys_func`: what gives (key, child) pairs instead of the children.

    >>> class Ball:
    ...     def __init__(self, place, speed):
    ...         self.place, self.speed = place, speed
    >>> register_pytree_node(Ball, lambda ball: ((ball.place, ball.speed), None), lambda _, parts: Ball(*parts))
    >>> parts_of(Ball(2.0, 3.0))
    ((2.0, 3.0), None)
    """
    if flatten_with_keys_func is not None:
        register_pytree_with_keys(nodetype, flatten_with_keys_func, unflatten_func, flatten_func)
        return
    if nodetype in REGISTERED:
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {nodetype}.")
    optree.register_pytree_node(nodetype, flatten_func, unflatten_func, namespace=NAMESPACE)  # type: ignore[arg-type]
    REGISTERED.add(nodetype)
    _NODES[nodetype] = (flatten_func, unflatten_func)


def register_pytree_with_keys(
    nodetype: type[T], flatten_with_keys: Callable[[Any], tuple[Iterable[tuple[Any, Any]], Hashable]], unflatten_func: Callable[[Any, Any], T],
    flatten_func: Callable[[T], tuple[Iterable[Any], Hashable]] | None = None,
) -> None:  # fmt: skip
    """Make a class a container whose children have keys: `flatten_with_keys(node) -> ((key, child) pairs, data)`, as in JAX.

    >>> class Pair(list): ...
    >>> register_pytree_with_keys(Pair, lambda pair: ((("left", pair[0]), ("right", pair[1])), None), lambda _, parts: Pair(parts))
    >>> parts_of(Pair([1, 2]))
    ((1, 2), None)
    """

    def flatten(node: T) -> tuple[tuple[Any, ...], Hashable]:
        pairs, data = flatten_with_keys(node)
        pairs = tuple(pairs)
        KEYS[nodetype] = tuple(key for key, _ in pairs)
        return tuple(child for _, child in pairs), data

    register_pytree_node(nodetype, flatten, unflatten_func)
    del flatten_func  # what it gives are the children that flatten_with_keys gives


def register_pytree_with_keys_class(cls: type[T]) -> type[T]:
    """Class decorator: the same by its own methods `tree_flatten_with_keys()` and `tree_unflatten(data, children)`.

    >>> @register_pytree_with_keys_class
    ... class Box:
    ...     def __init__(self, inside):
    ...         self.inside = inside
    ...     def tree_flatten_with_keys(self):
    ...         return (("inside", self.inside),), None
    ...     @classmethod
    ...     def tree_unflatten(cls, data, children):
    ...         return cls(*children)
    >>> parts_of(Box(1.0))
    ((1.0,), None)
    """
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
    return cls in REGISTERED


def holds_more(cls: type, attributes: Iterable[str]) -> bool:
    """Whether objects of a dataclass that nobody has registered hold more than its fields."""
    return (cls in _MET or cls not in REGISTERED) and dataclasses.is_dataclass(cls) and not {field.name for field in dataclasses.fields(cls)}.issuperset(attributes)


def taken_apart(node: Any) -> tuple[list[Any], Any, Callable[[Any, list[Any]], Any]]:
    """A node's children, its data, and what makes a node of both."""
    children, data, _, make = optree.tree_flatten_one_level(node, namespace=NAMESPACE)
    return children, data, make


def make_node(cls: type[T], data: Any, children: tuple[Any, ...]) -> T:
    """A registered node of this class, data and children."""
    made: T = _NODES[cls][1](data, children)
    return made


def register_pytree_node_class(cls: type[T]) -> type[T]:
    """Class decorator: a container by its own methods `tree_flatten()` and `tree_unflatten(data, children)`.

    >>> @register_pytree_node_class
    ... class Box:
    ...     def __init__(self, inside):
    ...         self.inside = inside
    ...     def tree_flatten(self):
    ...         return (self.inside,), None
    ...     @classmethod
    ...     def tree_unflatten(cls, data, children):
    ...         return cls(*children)
    >>> make_node(Box, *reversed(parts_of(Box(1.0)))).inside
    1.0
    """
    register_pytree_node(cls, lambda node: node.tree_flatten(), cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def register_static(cls: type[T]) -> type[T]:
    """Class decorator: instances are static (part of the structure); they must be hashable.

    >>> @register_static
    ... class Name(str): ...
    >>> parts_of(Name("x"))
    ((), 'x')
    """
    register_pytree_node(cls, lambda node: ((), node), lambda node, _: node)
    return cls


def register_dataclass(nodetype: type[T], data_fields: Sequence[str] | None = None, meta_fields: Sequence[str] | None = None, drop_fields: Sequence[str] = ()) -> type[T]:
    """Make a dataclass a container of `data_fields` (default: all but the others); `meta_fields` are static and hashable.

    Without `meta_fields` those are static that say so: `dataclasses.field(metadata={"static": True})`. `drop_fields` are neither: they have a default.

    Raises
    ------
    ValueError
        Fields that the class has not, or that are named nowhere.

    >>> Layer = dataclasses.make_dataclass("Layer", ["weights", "kind"])
    >>> taken_apart(register_dataclass(Layer, meta_fields=("kind",))(1.0, "dense"))[:2]
    ([1.0], ('dense',))
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
    REGISTERED.add(cls)
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


def is_new(cls: type) -> bool:
    """Whether objects of a class are containers that optree has not met."""
    if cls in REGISTERED:
        return False
    return hasattr(cls, "__dataclass_fields__") and not is_record(cls) or streams.is_class(cls) or sparse_parts.is_class(cls)


def register_new(cls: Any) -> None:
    """A dataclass, a container of its fields; NumPy's random generators, containers of their state (NumPy loads their module when it is used); SciPy's sparse matrices, of their arrays."""
    if hasattr(cls, "__dataclass_fields__"):
        register_dataclass(cls)
        _MET.add(cls)
    elif sparse_parts.is_class(cls):
        register_pytree_node(cls, sparse_parts.flattened, sparse_parts.unflattened)
    else:
        register_pytree_node(cls, streams.flattened, streams.unflattened)


register_pytree_node(streams.Stream, streams.flattened, streams.unflattened)
register_pytree_node(sparse_parts.Matrix, sparse_parts.flattened, sparse_parts.unflattened)
