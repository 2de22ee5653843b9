"""Loops through iterators of the user's own classes: what a `for` is in Python, written out.

    for x in Count(3):        while True:
        …                         try:
                                      x = iterator.__next__()
                                  except StopIteration:
                                      break
                                  …
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.transforms.read.calls.special_methods import special
from s2s.transforms.read.classes import class_of, users
from s2s.transforms.read.composed import keyed, keyed_views, own_iterators
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.scope import names_bound
from s2s.transforms.read.syntax.source import parts_of, statements_of
from s2s.transforms.read.values import Abstract, DequeRef, ListRef, ObjectRef, Pooled


def is_own_iterator(value: Abstract) -> bool:
    """Whether it is an object with a `__next__` of the user's."""
    return isinstance(value, ObjectRef | Pooled) and users(class_of(value), "__next__") is not None


def iterator_of(reader: Reader, value: Abstract) -> Abstract:
    """iter(value) of an object whose class says what that is, if it is such an iterator; None otherwise."""
    kind = class_of(value)
    if not isinstance(value, ObjectRef | Pooled) or getattr(kind, "BY_INDEX", False):
        return None
    if users(kind, "__iter__") is None:
        return None if users(kind, "__getitem__") is None else reader.rules.call(own_iterators.ByItems, (value,))
    if not gives_own(value):
        return None
    said = special(reader, value, "__iter__")
    return said[0] if said is not None and is_own_iterator(said[0]) else None


def gives_own(value: Abstract) -> bool:
    """Whether it is an object whose `__iter__` may give such an iterator: itself, or an object of a class of the same module."""
    if not isinstance(value, ObjectRef | Pooled):
        return False
    if is_own_iterator(value):
        return True
    found = users(class_of(value), "__iter__")
    names = getattr(getattr(found[1] if found else None, "__code__", None), "co_names", ())
    made = [getattr(found[1], "__globals__", {}).get(name) for name in names] if found else []
    return any(isinstance(each, type) and users(each, "__next__") is not None for each in made)


_NOTICE: dict[Any, Any] = {keyed_views.KeysOf: own_iterators.OfKeys, keyed_views.ValuesOf: own_iterators.OfValues, keyed_views.ItemsOf: own_iterators.OfItems}
"""A view of a dict of run-time keys, and what goes through it as Python does where the dict may grow or shrink meanwhile."""


def _dict_behind(reader: Reader, given: Abstract) -> Abstract:
    """The dict of run-time keys that a loop goes through, itself or by a view; None for anything else."""
    if not isinstance(given, ObjectRef):
        return None
    found = reader.rules.attribute(given, "of") if given.kind in _NOTICE else given
    return found if isinstance(found, ObjectRef) and issubclass(found.kind, keyed.Keyed) else None


def lists_behind(reader: Reader, given: Abstract, over: Abstract) -> tuple[Any, ...]:
    """Lists, and what they hold now, that a loop goes through, and that may grow or shrink meanwhile as in Python."""
    if isinstance(over, ListRef) and over is given and not isinstance(over, DequeRef):
        return over, reader.heap[over]
    if isinstance(over, Pooled):
        return (over,)
    if (found := _dict_behind(reader, given)) is None:
        return ()
    return tuple(reader.heap.get(reader.heap[found].get(name)) for name in ("keys_", "held"))


def noticing(reader: Reader, given: Abstract) -> Abstract:
    """An iterator through a list or dict that may grow or shrink meanwhile."""
    if (found := _dict_behind(reader, given)) is None:
        return reader.rules.call(own_iterators.OfList, (given,))
    assert isinstance(given, ObjectRef)
    return reader.rules.call(_NOTICE.get(given.kind, own_iterators.OfKeys), (found,))


def items(reader: Reader, value: Abstract) -> Abstract:
    """The list of what such an object gives; any other value as it is."""
    iterator = iterator_of(reader, value)
    return value if iterator is None else all_of(reader, iterator)


def all_of(reader: Reader, iterator: Abstract) -> Abstract:
    """The list of all that such an iterator has left."""
    return reader.rules.call(own_iterators.items_of, (iterator,))


def items_alone(reader: Reader, value: Abstract) -> Abstract:
    """The list of what an object holds that has a length and `__getitem__` only, and so begins anew for everyone; any other value as it is."""
    kind = class_of(value)
    is_such = isinstance(value, ObjectRef | Pooled) and users(kind, "__iter__") is None and users(kind, "__getitem__") is not None and users(kind, "__len__") is not None
    return items(reader, value) if is_such else value


def next_of(reader: Reader, iterator: Abstract, *default: Abstract) -> Abstract:
    """next(iterator, …)."""
    if default:
        return reader.rules.call(own_iterators.next_or, (iterator, *default))
    said = special(reader, iterator, "__next__")
    assert said is not None
    return said[0]


def for_loop(reader: Reader, node: cst.For, iterator: Abstract) -> None:
    """Read a loop through it."""
    if node.orelse is not None and _leaves(node.orelse):
        raise reader.unsupported("a break or continue in the else of a loop through an iterator of your own", "a flag, and an if behind the loop")
    name = f"iterator_{reader.builder.where.line}_{reader.builder.where.column}"
    loop, made = _written_out(node, name)
    frame = reader.frame
    frame.tree.locations.update(dict.fromkeys(made, reader.where(node.iter)))
    frame.tree.locations[loop] = reader.where(node)
    scope, bound = frame.scope, frame.scope.bound
    header = scope.header[node] | frozenset(names_bound(node.target))
    scope.header[loop] = scope.header[node]
    scope.after.update({each: header for each in made if isinstance(each, cst.BaseSmallStatement | cst.Try)})
    scope.bound, frame.names[name] = bound | {name}, iterator
    try:
        reader.rules.execute([loop])
    finally:
        scope.bound = bound
        frame.names.pop(name, None)


@lru_cache(maxsize=256)
def _written_out(node: cst.For, name: str) -> tuple[cst.While, tuple[cst.CSTNode, ...]]:
    """The loop as a while, and the nodes in it that are new."""
    taken = nodes.assign(node.target, nodes.method(name, "__next__"))
    last = [] if node.orelse is None else list(statements_of(node.orelse.body))
    handler = cst.ExceptHandler(nodes.suite([*last, cst.Break()]), nodes.name("StopIteration"))
    trying = cst.Try(nodes.suite([taken]), [handler])
    loop = cst.While(nodes.name("True"), nodes.suite([trying, *statements_of(node.body)]))
    users_own = {part for statement in (*last, *statements_of(node.body)) for part in nodes.inside(statement)} | set(nodes.inside(node.target))
    return loop, tuple(part for part in nodes.inside(loop) if part not in users_own)


def _leaves(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Break | cst.Continue) or any(map(_leaves, parts_of(node)))


__all__ = ["for_loop", "gives_own", "is_own_iterator", "items", "items_alone", "iterator_of", "lists_behind", "next_of", "noticing"]
