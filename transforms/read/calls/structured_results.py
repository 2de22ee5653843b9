"""Objects of registered classes as results: their children are results, what the class calls its data stays what it is.

    Layer(x * 2.0, "tanh", 3)   ->   Layer(Result(0), "tanh", 3)
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s2s import tree_nodes, tree_util
from s2s.errors import UnknownSizeError
from s2s.transforms.ir.staged import Result
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.calls.trees import pythons_errors
from s2s.transforms.read.known import is_known
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ObjectRef, StandIn, is_number, remake
from s2s.types import Opaque


@dataclass(frozen=True, eq=False)
class _Held(StandIn):
    """What an object holds that is no plain value, while its class takes it apart."""

    value: Abstract


def node_of(reader: Reader, ref: ObjectRef, pack: Callable[[Abstract], Any]) -> Any:
    """The object with packed children, made by its class as JAX has it made.

    Raises
    ------
    UnknownSizeError
        Its data are known only at run time.
    """
    node: Any = tree_nodes.rebuild(ref.kind, {name: _plainly(item) for name, item in reader.heap[ref].items()})

    def known(leaf: Any) -> Any:
        return _known(reader, ref, leaf)

    with pythons_errors(reader):
        children, data, make = tree_nodes.taken_apart(node)
        data = tree_nodes.rebuild(ref.kind, {name: tree_util.tree_map(known, item) for name, item in vars(node).items()}) if data is node else tree_util.tree_map(known, data)
        return make(data, [tree_util.tree_map(lambda leaf: pack(leaf.value if isinstance(leaf, _Held) else leaf), child) for child in children])


def data_is_known(node: Any) -> bool:
    """Whether a registered node's data hold no results."""
    return not any(isinstance(leaf, Result) for leaf in tree_util.tree_leaves(tree_nodes.taken_apart(node)[1]))


def _plainly(value: Abstract) -> Any:
    if isinstance(value, tuple):
        return remake(value, [_plainly(item) for item in value])
    return value if value is None or is_number(value) or isinstance(value, str | bytes) else _Held(value)


def _known(reader: Reader, ref: ObjectRef, leaf: Any) -> Any:
    if not isinstance(leaf, _Held):
        return leaf
    value = whole(reader, leaf.value) if is_known(reader, leaf.value) else leaf.value
    if isinstance(value, Opaque):
        raise UnknownSizeError(
            f"a function that returns a {ref.kind.__name__} whose data are known only at run time", where=reader.builder.where, why="what a registered class calls its data is a part of the result's structure",
            instead="make it one of the class's children",
        )  # fmt: skip
    return value


__all__ = ["data_is_known", "node_of"]
