"""Containers as trees inside of the user's code: `s2s.tree_util` by the same optree calls, on what stands for the leaves.

    {"w": View, "b": (View, 1.0)}   taken apart ->   [1.0, View, View], the structure that optree gives   put together ->   the same container

A structure is known while reading; leaves are what the reader has for them.
"""
from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from typing import Any

from s2s import tree_differences, tree_nodes, tree_util
from s2s.containers import is_half
from s2s.errors import ArgumentTypeError, ArgumentValueError, S2SError
from s2s.transforms.read.callables import half_of
from s2s.transforms.read.calls.hidden import ask, residuals_of
from s2s.transforms.read.classes import class_of
from s2s.transforms.read.describing import describe
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, DictRef, ListRef, ObjectRef, Outside, StandIn, dict_kind, is_runtime, remake
from s2s.tree_keys import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey, key_paths, keystr
from s2s.tree_util import PyTreeDef


@dataclasses.dataclass(frozen=True, eq=False)
class _Leaf(StandIn, metaclass=tree_differences.LeafKind):
    """A leaf in a container that optree sees, or what a registered class calls its data: known values are compared by what they are."""

    value: Abstract

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Leaf) or self.value is other.value:
            return isinstance(other, _Leaf)
        return not is_runtime(self.value) and not is_runtime(other.value) and bool(self.value == other.value)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(type(self.value))


Test = Callable[[Abstract], bool]


def flatten(reader: Reader, tree: Abstract, is_leaf: Test | None = None) -> tuple[list[Abstract], PyTreeDef]:
    """The leaves in optree's order, and the structure."""
    with pythons_errors(reader):
        leaves, treedef = tree_util.tree_flatten(_outward(reader, tree, is_leaf))
    return [_value_of(leaf) for leaf in leaves], treedef


def unflatten(reader: Reader, treedef: PyTreeDef, leaves: list[Abstract]) -> Abstract:
    """The container of this structure with these leaves."""
    with pythons_errors(reader):
        made = tree_util.tree_unflatten(treedef, [_Leaf(leaf) for leaf in leaves])
    return _inward(reader, made)


@contextmanager
def pythons_errors(reader: Reader) -> Iterator[None]:
    """What optree and Python raise, at the user's line."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if isinstance(error, S2SError):
            raise
        raise (ArgumentTypeError if isinstance(error, TypeError) else ArgumentValueError)(str(error), where=reader.builder.where) from None


_PLAIN = (str, bytes, bool, int, float, complex)
"""What a registered class sees of its attributes as it is: it may compute with its data."""


def _value_of(leaf: Any) -> Abstract:
    return leaf.value if isinstance(leaf, _Leaf) else leaf


def _outward(reader: Reader, tree: Abstract, is_leaf: Test | None, *, held: bool = False) -> Any:
    """A container of Python's own, with leaves for all that is none. `held`: by an object of a registered class, whose plain data are themselves."""
    if held and type(tree) in _PLAIN:
        return tree
    if is_leaf is not None and is_leaf(tree):
        return _Leaf(tree)
    if isinstance(tree, tuple):
        return remake(tree, [_outward(reader, item, is_leaf, held=held) for item in tree])
    if isinstance(tree, ListRef):
        return [_outward(reader, item, is_leaf, held=held) for item in reader.heap[tree]]
    if isinstance(tree, DictRef):
        return tree.kind({key: _outward(reader, item, is_leaf, held=held) for key, item in reader.heap[tree].items()})
    if isinstance(tree, Outside) and is_half(tree.object):
        return tree.object.holding(tuple(_Leaf(each) for each in residuals_of(reader, tree)))
    kind = class_of(tree) if isinstance(tree, ObjectRef | Outside) else None
    if kind is not None and (tree_nodes.is_node_class(kind) or dataclasses.is_dataclass(kind) and not tree_nodes.is_record(kind)):
        return tree_nodes.rebuild(kind, {name: _outward(reader, item, is_leaf, held=True) for name, item in _held(reader, tree).items()})
    return None if tree is None else _Leaf(tree)


def _held(reader: Reader, tree: ObjectRef | Outside) -> dict[str, Abstract]:
    """An object's attributes."""
    if isinstance(tree, ObjectRef):
        found: dict[str, Abstract] = reader.heap[tree]
        return found
    steps = None if tree.steps is None else (*tree.steps, ("attribute", "__dict__"))
    ask(reader, vars(tree.object), steps, "keys")
    return {name: reader.rules.attribute(tree, name) for name in vars(tree.object)}


def _inward(reader: Reader, tree: Any) -> Abstract:
    """What the reader has for such a container."""
    if isinstance(tree, _Leaf):
        return tree.value
    if isinstance(tree, tuple):
        return remake(tree, [_inward(reader, item) for item in tree])
    if isinstance(tree, list):
        return reader.new_list([_inward(reader, item) for item in tree])
    if isinstance(tree, dict):
        return reader.new_dict({key: _inward(reader, item) for key, item in tree.items()}, dict_kind(tree))
    if is_half(tree):
        return half_of(tree, [_inward(reader, each) for each in tree.residuals])
    if tree_nodes.is_node(tree) or dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        ref = ObjectRef(kind=type(tree))
        reader.heap[ref] = {name: _inward(reader, item) for name, item in vars(tree).items()}
        return ref
    return tree


# ---- the functions of tree_util ----------------------------------------------------------------------------------------------


def _test(reader: Reader, is_leaf: Abstract) -> Test | None:
    """The user's is_leaf as a question about what stands for a value."""
    if is_leaf is None:
        return None

    def asked(value: Abstract) -> bool:
        found = reader.rules.truth(reader.rules.call(is_leaf, (value,)))
        if is_runtime(found):
            raise reader.unsupported("is_leaf that depends on a number known only at run time", "a test of the container's type or keys")
        return bool(found)

    return asked


def _tree_flatten(reader: Reader, tree: Abstract, is_leaf: Abstract = None) -> Abstract:
    leaves, treedef = flatten(reader, tree, _test(reader, is_leaf))
    return reader.new_list(leaves), treedef


def _tree_leaves(reader: Reader, tree: Abstract, is_leaf: Abstract = None) -> Abstract:
    return reader.new_list(flatten(reader, tree, _test(reader, is_leaf))[0])


def _tree_structure(reader: Reader, tree: Abstract, is_leaf: Abstract = None) -> Abstract:
    return flatten(reader, tree, _test(reader, is_leaf))[1]


def _structure(reader: Reader, treedef: Abstract) -> PyTreeDef:
    if not isinstance(treedef, PyTreeDef):
        raise ArgumentTypeError(f"a tree structure is needed here, not {describe(reader, treedef)}", where=reader.builder.where)
    return treedef


def _tree_unflatten(reader: Reader, treedef: Abstract, leaves: Abstract) -> Abstract:
    return unflatten(reader, _structure(reader, treedef), items(reader, leaves))


def items(reader: Reader, sequence: Abstract) -> list[Abstract]:
    """The items of a sequence whose length is known."""
    return list(reader.rules.call(tuple, (sequence,)))


def _tree_map(reader: Reader, f: Abstract, tree: Abstract, *rest: Abstract, is_leaf: Abstract = None) -> Abstract:
    leaves, treedef = flatten(reader, tree, _test(reader, is_leaf))
    others = [_parts_like(reader, "tree_map tree", tree, treedef, other, is_leaf) for other in rest]
    return unflatten(reader, treedef, [reader.rules.call(f, each) for each in zip(leaves, *others, strict=True)])


def _flatten_like(reader: Reader, treedef: PyTreeDef, tree: Abstract) -> list[Abstract]:
    """The parts of a container at the leaves of a structure that it begins like."""
    with pythons_errors(reader):
        return [_inward(reader, part) for part in tree_util.flatten_like(treedef, _outward(reader, tree, None))]


def _parts_like(reader: Reader, name: str, prefix: Abstract, treedef: PyTreeDef, tree: Abstract, is_leaf: Abstract) -> list[Abstract]:
    """The same for a container that has this structure, with JAX's words where they differ."""
    with pythons_errors(reader):
        return [_inward(reader, part) for part in tree_util.parts_like(name, _outward(reader, prefix, _test(reader, is_leaf)), treedef, _outward(reader, tree, None))]


def _tree_reduce(reader: Reader, function: Abstract, tree: Abstract, *initializer: Abstract, is_leaf: Abstract = None) -> Abstract:
    leaves, _ = flatten(reader, tree, _test(reader, is_leaf))
    if not leaves and not initializer:
        raise ArgumentTypeError("reduce() of empty iterable with no initial value", where=reader.builder.where)
    return reduce(lambda one, two: reader.rules.call(function, (one, two)), (*initializer, *leaves))


def _tree_all(reader: Reader, tree: Abstract, *, is_leaf: Abstract = None) -> Abstract:
    return reader.rules.call(all, (reader.new_list(flatten(reader, tree, _test(reader, is_leaf))[0]),))


def _tree_transpose(reader: Reader, outer_treedef: Abstract, inner_treedef: Abstract, pytree_to_transpose: Abstract) -> Abstract:
    outer = _structure(reader, outer_treedef)
    if inner_treedef is not None:
        _check_sizes(reader, outer, _structure(reader, inner_treedef), flatten(reader, pytree_to_transpose)[1])
    apart = _flatten_like(reader, outer, pytree_to_transpose)
    inner = flatten(reader, apart[0])[1] if inner_treedef is None else _structure(reader, inner_treedef)
    parts = [_flatten_like(reader, inner, part) for part in apart]
    return unflatten(reader, inner, [unflatten(reader, outer, list(column)) for column in zip(*parts, strict=True)])


def _check_sizes(reader: Reader, outer: PyTreeDef, inner: PyTreeDef, found: PyTreeDef) -> None:
    with pythons_errors(reader):
        tree_util.check_sizes(outer, inner, found)


def _tree_broadcast(reader: Reader, prefix_tree: Abstract, full_tree: Abstract, is_leaf: Abstract = None) -> Abstract:
    leaves, treedef = flatten(reader, prefix_tree, _test(reader, is_leaf))
    made = []
    for leaf, part in zip(leaves, _parts_like(reader, "broadcast_prefix prefix_tree", prefix_tree, treedef, full_tree, is_leaf), strict=True):
        below, structure = flatten(reader, part, _test(reader, is_leaf))
        made.append(unflatten(reader, structure, [leaf] * len(below)))
    return unflatten(reader, treedef, made)


def _with_paths(reader: Reader, tree: Abstract, is_leaf: Abstract, is_leaf_takes_path: Abstract) -> tuple[list[tuple[Abstract, ...]], PyTreeDef]:
    if is_leaf is not None and is_leaf_takes_path:
        raise reader.unsupported("is_leaf_takes_path inside of a function that is read", "an is_leaf that looks at the part of the tree only, or the tree outside of the function")
    leaves, treedef = flatten(reader, tree, _test(reader, is_leaf))
    return list(zip(key_paths(treedef), leaves, strict=True)), treedef


def _tree_flatten_with_path(reader: Reader, tree: Abstract, is_leaf: Abstract = None, is_leaf_takes_path: Abstract = False) -> Abstract:
    pairs, treedef = _with_paths(reader, tree, is_leaf, is_leaf_takes_path)
    return reader.new_list(pairs), treedef


def _tree_leaves_with_path(reader: Reader, tree: Abstract, is_leaf: Abstract = None, is_leaf_takes_path: Abstract = False) -> Abstract:
    return reader.new_list(_with_paths(reader, tree, is_leaf, is_leaf_takes_path)[0])


def _tree_map_with_path(reader: Reader, f: Abstract, tree: Abstract, *rest: Abstract, is_leaf: Abstract = None, is_leaf_takes_path: Abstract = False) -> Abstract:
    pairs, treedef = _with_paths(reader, tree, is_leaf, is_leaf_takes_path)
    others = [_flatten_like(reader, treedef, other) for other in rest]
    return unflatten(reader, treedef, [reader.rules.call(f, (*pair, *each)) for pair, *each in zip(pairs, *others, strict=True)])


def _keystr(reader: Reader, keys: Abstract, *, simple: Abstract = False, separator: Abstract = "") -> Abstract:
    del reader
    return keystr(keys, simple=simple, separator=separator)


def _handler(rule: Callable[..., Abstract]) -> Callable[[Reader, Any, tuple[Abstract, ...], dict[str, Abstract]], Abstract]:
    """A rule with a function's own arguments as what the table of handlers holds."""

    def handle(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
        with pythons_errors(reader):
            bound = inspect.signature(function).bind(*args, **kwargs)
        return rule(reader, *bound.args, **bound.kwargs)

    return handle


@asks_python
def _key(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A key of a path."""
    del reader
    return function(*args, **kwargs)


HANDLERS = within("s2s.tree_util", **{
    rule.__name__.lstrip("_"): _handler(rule)
    for rule in (_tree_flatten, _tree_leaves, _tree_structure, _tree_unflatten, _tree_map, _tree_reduce, _tree_all, _tree_transpose, _tree_broadcast, _tree_flatten_with_path, _tree_leaves_with_path, _tree_map_with_path, _keystr)
} | {key.__name__: _key for key in (DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey)})  # fmt: skip
"""By qualified name: what a call of these does in the code that is read."""

__all__ = ["HANDLERS", "flatten", "items", "pythons_errors", "unflatten"]
