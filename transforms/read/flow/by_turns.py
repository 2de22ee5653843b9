"""Iterators of which only the run knows how many items were taken, and that others take from: read again as objects with `__next__`.

    it = iter(x)                                          a first reading finds that `list(it)` asks for what only the run can count,
    head = list(takewhile(lambda v: v < 4, it))           and the next one makes of `takewhile(…)`, which takes from `it`,
    rest = list(it)                                       an object of `composed/by_turns.py`
"""
from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.transforms.read.callables import Closure
from s2s.transforms.read.composed import by_turns, own_iterators
from s2s.transforms.read.failures import TakenByTurns
from s2s.transforms.read.flow.own_iterators import gives_own
from s2s.transforms.read.iterations import Pulled
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.in_place import fresh
from s2s.transforms.read.syntax.scope import names_read, walruses
from s2s.transforms.read.values import Abstract, IteratorRef, ListRef, View

_OBJECTS: dict[Any, type] = {
    map: by_turns.Mapped, zip: by_turns.Zipped, enumerate: by_turns.Numbered, filter: by_turns.Filtered, itertools.filterfalse: by_turns.Rejected,
    itertools.takewhile: by_turns.TakenWhile, itertools.dropwhile: by_turns.DroppedWhile, itertools.compress: by_turns.Compressed, itertools.islice: by_turns.Sliced,
    itertools.accumulate: by_turns.Accumulated, itertools.starmap: by_turns.Starred, itertools.pairwise: by_turns.Paired, itertools.chain: by_turns.Chained, itertools.cycle: by_turns.Cycled,
}  # fmt: skip
"""What makes an iterator, and the class of the objects that do the same."""


def untold(reader: Reader, ref: IteratorRef, what: str, instead: str) -> TakenByTurns:
    """The refusal of a use of an iterator of which only the run knows how far it came."""
    return TakenByTurns(reader.unsupported(what, instead), frozenset(_places(ref)))


def _places(ref: IteratorRef) -> list[Location]:
    """Where an iterator was made, and those that it takes from."""
    found = [] if ref.made_at is None else [ref.made_at]
    for each in ref.source.refs if isinstance(ref.source, Pulled) else ():
        found += _places(each)
    return found


def is_by_turns(reader: Reader, value: Abstract) -> bool:
    """Whether an earlier reading found that only the run knows how much of this iterator is left when others take from it."""
    return isinstance(value, IteratorRef) and not reader.session.by_turns.isdisjoint(_places(value))


def made(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The object that stands for what such a function makes of the user's own iterators, or where an earlier reading found that it must; None elsewhere."""
    if function in _OBJECTS and any(map(gives_own, args)):
        return reader.rules.call(_OBJECTS[function], args, kwargs)
    if not reader.session.by_turns or function not in _OBJECTS and function is not iter:
        return None
    is_here = reader.builder.where in reader.session.by_turns
    if function is iter:
        is_known = len(args) == 1 and isinstance(args[0], tuple | range | ListRef | View) and _are_known(reader, args[0])
        return reader.rules.call(own_iterators.OfList, args) if is_known and (is_here or reader.frame.python in _OWN) else None
    return reader.rules.call(_OBJECTS[function], args, kwargs) if is_here or any(is_by_turns(reader, arg) for arg in args) else None


_OWN = frozenset(vars(each).get("__init__") for each in (*_OBJECTS.values(), by_turns.Expression, by_turns.Taken))
"""What makes such objects: they go through known items by a position, too."""


def _are_known(reader: Reader, value: Abstract) -> bool:
    """Whether its items are known one by one: only the run knows which is the next all the same."""
    found = reader.rules.iterate(value)
    return found.items is not None or found.static is not None


def expression(reader: Reader, node: cst.GeneratorExp, over: Abstract) -> Abstract:
    """The object that stands for a generator expression over such an iterator, or that is one itself; None elsewhere."""
    if not (gives_own(over) or reader.builder.where in reader.session.by_turns or is_by_turns(reader, over) or takes_from(reader, node, over)) or (functions := _functions(reader, node)) is None:
        return None
    return reader.rules.call(by_turns.Expression, (*functions, over))


def list_of(reader: Reader, node: cst.ListComp, over: Abstract) -> Abstract:
    """The list of a comprehension through such an iterator; None of any other."""
    if not (is_by_turns(reader, over) or takes_from(reader, node, over)) or (functions := _functions(reader, node)) is None:
        return None
    return reader.rules.call(by_turns.comprehended, (*functions, over))


def takes_from(reader: Reader, node: Any, ref: Abstract) -> bool:
    """Whether what makes an item of a comprehension takes from the iterator that it goes through, by one of its names."""
    parts = [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]
    loop = node.for_in
    while loop is not None:
        parts += [*loop.ifs, *([] if loop is node.for_in else [loop.iter])]
        loop = loop.inner_for_in
    return isinstance(ref, IteratorRef) and any(reader.frame.names.get(name) is ref for part in parts for name in names_read(part))


def _functions(reader: Reader, node: Any) -> tuple[Abstract, Abstract] | None:
    """What makes an item, and what says which are wanted (None where all are), as functions of an item; None of a comprehension that has no such."""
    if node.for_in.inner_for_in is not None or walruses(node):
        return None
    frame, (element, wanted) = reader.frame, _written(node)
    for each in (part for function in (element, wanted) if function is not None for part in nodes.inside(function)):
        frame.tree.locations.setdefault(each, reader.where(node))
    closures = (None if function is None else Closure(frame.tree, function, frame, function.name.value) for function in (element, wanted))
    return tuple(closures)  # type: ignore[return-value]


@lru_cache(maxsize=256)
def _written(node: Any) -> tuple[cst.FunctionDef, cst.FunctionDef | None]:
    """Of [elt for target in items if test]: a function of an item that binds target and returns elt, and one that returns whether test holds."""
    loop, item = node.for_in, fresh("item", nodes.names_inside(node))

    def function(name: str, statements: list[Any]) -> cst.FunctionDef:
        return cst.FunctionDef(cst.Name(name), cst.Parameters([cst.Param(cst.Name(item))]), nodes.suite([nodes.assign(loop.target, cst.Name(item)), *statements]))

    if not loop.ifs:
        return function("element", [cst.Return(node.elt)]), None
    tests: list[Any] = [cst.Return(nodes.name("True"))]
    for condition in reversed(loop.ifs):
        tests = [nodes.branch(condition.test, tests, [])]
    return function("element", [cst.Return(node.elt)]), function("wanted", [*tests, cst.Return(nodes.name("False"))])


__all__ = ["expression", "is_by_turns", "list_of", "made", "takes_from", "untold"]
