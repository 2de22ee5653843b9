"""any(…) and all(…) of a generator expression that binds names by `:=`, or whose items change something: a loop that ends at the first item that decides.

    if any((hit := v) > limit for v in x):        found = False
                                                  for v_1 in x:
                                                      if (hit := v_1) > limit:
                                                          found = True
                                                          break
                                                  if found:
"""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.in_place import Renamed, fresh
from s2s.transforms.read.syntax.scope import Names, names_bound, names_read, walruses, widened
from s2s.transforms.read.values import Abstract, IteratorRef

Given = tuple[tuple[Abstract, ...], dict[str, Abstract]]


def sought(reader: Reader, function: Abstract, node: cst.Call, arguments: Callable[[], Given]) -> tuple[Abstract] | Given:
    """(what it gives,) of such a call; of any other its arguments."""
    if not _may_be(reader, function, node):
        return arguments()
    generator: Any = node.args[0].value
    if walruses(generator):
        return (_through(reader, function, generator),)
    before = reader.checkpoint()
    given = arguments()
    ((items,), _) = given
    if not isinstance(items, IteratorRef) or items.made_in is None:
        return given
    reader.rollback(before)
    return (_through(reader, function, generator),)


def _may_be(reader: Reader, function: Abstract, node: cst.Call) -> bool:
    if not any(function is each for each in (any, all)) or len(node.args) != 1 or node.args[0].star or node.args[0].keyword is not None:
        return False
    generator = node.args[0].value
    if not isinstance(generator, cst.GeneratorExp) or generator.for_in.inner_for_in is not None or reader.catching:
        return False
    return walruses(generator) <= reader.frame.scope.bound


def _through(reader: Reader, function: Abstract, generator: cst.GeneratorExp) -> Abstract:
    """The loop is read, in the place of the call."""
    frame = reader.frame
    statements, own, found, origins = _written(generator, function is all, _names(frame.tree.node) | frame.scope.bound)
    frame.tree.locations.update((new, reader.where(old)) for new, old in origins.items())
    scope, statement, live = frame.scope, frame.statement, frame.live
    frame.live = live | names_read(frame.read_now) | {found}
    frame.scope = widened(scope, list(statements), own, frame.live)
    try:
        reader.rules.execute(list(statements))
        value = frame.names[found]
    finally:
        frame.scope, frame.statement, frame.live = scope, statement, live
        for name in own:
            frame.names.pop(name, None)
    return value


@lru_cache(maxsize=256)
def _written(generator: cst.GeneratorExp, is_all: bool, taken: Names) -> tuple[tuple[Any, ...], Names, str, dict[Any, Any]]:
    """The loop, its new names, the one that says whether an item was found, and where its nodes come from."""
    names: dict[str, str] = {}
    for name in sorted(names_bound(generator.for_in.target)):
        names[name] = fresh(f"{name}_1", taken | set(names.values()))
    found = fresh("found", taken | set(names.values()))
    origins: dict[Any, Any] = {}

    def copied(node: Any) -> Any:
        copy = node.visit(Renamed(names))
        origins.update(zip(nodes.inside(copy), nodes.inside(node), strict=True))
        return copy

    test = copied(generator.elt)
    body: list[Any] = [nodes.branch(cst.UnaryOperation(cst.Not(), test) if is_all else test, [nodes.assign(found, cst.Name(str(not is_all))), cst.Break()], [])]
    for condition in reversed(generator.for_in.ifs):
        body = [nodes.branch(copied(condition.test), body, [])]
    loop = cst.For(copied(generator.for_in.target), generator.for_in.iter, nodes.suite(body))
    statements = (nodes.assign(found, cst.Name(str(is_all))), loop)
    of_users = frozenset(nodes.inside(generator.for_in.iter))
    for each in (inner for statement in statements for inner in nodes.inside(statement)):
        if each not in of_users:
            origins.setdefault(each, generator)
    return statements, frozenset((*names.values(), found)), found, origins


def _names(node: Any) -> Names:
    return frozenset(each.value for each in nodes.inside(node) if isinstance(each, cst.Name))


__all__ = ["sought"]
