"""Expressions that are read as the loop that they stand for, written out as statements in their place.

    [len(run) for run in runs(x) if run]        found = []
                                                for run_1 in runs(x):         in which a generator has its statements in the
                                                    if run_1:                 loop's place (`in_place.py`): what it yields is
                                                        found.append(…)       looked at before it goes on
"""
from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.frame import RAISED, Frame
from s2s.transforms.read.syntax.in_place import Renamed, fresh
from s2s.transforms.read.syntax.scope import Names, names_bound, names_read, walruses, widened
from s2s.transforms.read.values import Abstract, Missing, unset_words


def in_the_place(reader: Reader, node: cst.CSTNode, statements: tuple[Any, ...], own: Names, found: cst.Name, origins: dict[Any, Any]) -> Abstract:
    """Read these statements and give what `found` stands for then. `own`: their new names; `origins`: where their nodes come from."""
    frame = reader.frame
    frame.tree.locations.update((new, reader.where(old)) for new, old in origins.items())
    scope, statement, live = frame.scope, frame.statement, frame.live
    frame.live = live | names_read(frame.read_now) | {found.value}
    frame.scope = widened(scope, list(statements), own, frame.live)
    frame.names.update({each: Missing(unset_words(each), unset=True) for each in own})
    try:
        reader.rules.execute(list(statements))
        value = frame.names[found.value]
        if isinstance(value, Missing):  # no item was found: an error of the run, or behind one that is caught
            value = reader.rules.evaluate(found) if frame.names[RAISED] is False else value.value
    finally:
        frame.scope, frame.statement, frame.live = scope, statement, live
        for each in own:
            frame.names.pop(each, None)
    return value


def names_taken(frame: Frame) -> Names:
    """The names that new ones must not be."""
    return nodes.names_inside(frame.tree.node) | frame.scope.bound


class Copies:
    """Parts of an expression under new names, for statements in its place: `bound`, the names that are its own, and where the new nodes come from."""

    def __init__(self, bound: Names, taken: Names) -> None:
        self.taken, self.own = taken, frozenset[str]()
        """The names that no new one may be; the new ones."""
        self.origins: dict[Any, Any] = {}
        self.names = {name: self.name(f"{name}_1") for name in sorted(bound)}

    def name(self, name: str) -> str:
        """A new name."""
        found = fresh(name, self.taken | self.own)
        self.own |= {found}
        return found

    def copied(self, part: Any) -> Any:
        """A part, its names of the expression's own the new ones."""
        copy = part.visit(Renamed(self.names))
        self.origins.update(zip(nodes.inside(copy), nodes.inside(part), strict=True))
        return copy

    def note(self, made: Iterable[cst.CSTNode], node: cst.CSTNode, of_users: AbstractSet[cst.CSTNode]) -> None:
        """Whatever is new in what was made comes from a node."""
        for each in (inner for statement in made for inner in nodes.inside(statement)):
            if each not in of_users:
                self.origins.setdefault(each, node)


# ---- comprehensions --------------------------------------------------------------------------------------------------------------


def is_to_be_a_loop(reader: Reader, node: Any) -> bool:
    """Whether an earlier reading found that what a comprehension goes through can't be read apart from what is done with its items: the call of a generator, or iterators of the user's own."""
    if not reader.session.by_turns or walruses(node):
        return False
    return reader.where(node) in reader.session.by_turns or any(isinstance(loop.iter, cst.Call) and reader.where(loop.iter) in reader.session.by_turns for loop in _loops(node))


def as_loop(reader: Reader, node: cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp) -> Abstract:
    """The list, set or dict of a comprehension (of a generator expression the list), read as a loop."""
    return in_the_place(reader, node, *_written(node, names_taken(reader.frame)))


def listed(reader: Reader, node: cst.BaseExpression) -> Abstract:
    """What a call takes all items of: the list of them where it is the call of such a generator, or a map of one, which are read as a loop."""
    calls = _behind_map(reader, node) if reader.session.by_turns else None
    if calls is None or reader.where(calls[-1]) not in reader.session.by_turns:
        return reader.rules.evaluate(node)
    made = _items(*calls)
    given = frozenset(each for part in (calls[-1], *calls[0].args) for each in nodes.inside(part))
    reader.frame.tree.locations.update((each, reader.where(node)) for each in nodes.inside(made) if each not in given)
    return as_loop(reader, made)


def _behind_map(reader: Reader, node: Any) -> tuple[cst.Call, ...] | None:
    """map(function, call) and the call that it goes through; any other call alone."""
    if not isinstance(node, cst.Call):
        return None
    inner = node.args[-1].value if node.args else None
    is_map = len(node.args) == 2 and isinstance(node.func, cst.Name) and isinstance(node.args[0].value, cst.Name | cst.Attribute | cst.Lambda)
    is_plain = is_map and not any(arg.star or arg.keyword for arg in node.args)
    return (node, inner) if is_plain and isinstance(inner, cst.Call) and reader.rules.evaluate(node.func) is map else (node,)


@lru_cache(maxsize=256)
def _items(outer: cst.Call, inner: cst.Call | None = None) -> cst.ListComp:
    """[item for item in outer], or [function(item) for item in inner] of map(function, inner)."""
    item = cst.Name(fresh("item", nodes.names_inside(outer)))
    if inner is None:
        return cst.ListComp(item, cst.CompFor(cst.Name(item.value), outer))
    return cst.ListComp(nodes.call(outer.args[0].value, item), cst.CompFor(cst.Name(item.value), inner))


def _loops(node: Any) -> list[cst.CompFor]:
    found, loop = [], node.for_in
    while loop is not None:
        found.append(loop)
        loop = loop.inner_for_in
    return found


@lru_cache(maxsize=256)
def _written(node: Any, taken: Names) -> tuple[tuple[Any, ...], Names, cst.Name, dict[Any, Any]]:
    """The statements, their new names, the one of the list or set, and where their nodes come from."""
    copies = Copies(frozenset[str]().union(*(names_bound(loop.target) for loop in _loops(node))), taken)
    found, copied = copies.name("found"), copies.copied
    body: list[Any]
    empty: Any
    match node:
        case cst.DictComp():  # the key first, as Python does
            key = copies.name("key")
            body, empty = [nodes.assign(key, copied(node.key)), nodes.assign(nodes.item(cst.Name(found), cst.Name(key)), copied(node.value))], cst.Dict([])
        case cst.SetComp():
            body, empty = [cst.Expr(nodes.method(found, "add", copied(node.elt)))], nodes.call("set")
        case _:
            body, empty = [cst.Expr(nodes.method(found, "append", copied(node.elt)))], cst.List([])
    outermost, *_ = loops = _loops(node)
    for loop in reversed(loops):
        for condition in reversed(loop.ifs):
            body = [nodes.branch(copied(condition.test), body, [])]
        body = [cst.For(copied(loop.target), loop.iter if loop is outermost else copied(loop.iter), nodes.suite(body))]
    first = nodes.assign(found, empty)
    result = cst.Name(found)
    copies.note((first, *body, result), node, frozenset(nodes.inside(outermost.iter)))
    return (first, *body), copies.own, result, copies.origins


__all__ = ["Copies", "as_loop", "in_the_place", "is_to_be_a_loop", "listed", "names_taken"]
