"""any(…), all(…), next(…) of a generator expression, and `in` one, that binds names by `:=`, or whose items change something or may raise: a loop that ends at the first item that decides.

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

from s2s.transforms.read.flow.written_loops import Copies, in_the_place, names_taken
from s2s.transforms.read.iterations import Pulled
from s2s.transforms.read.made_of import effects
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.scope import Names, names_bound, walruses
from s2s.transforms.read.values import Abstract, IteratorRef, ObjectRef

Given = tuple[tuple[Abstract, ...], dict[str, Abstract]]


def sought(reader: Reader, function: Abstract, node: cst.Call, arguments: Callable[[], Given]) -> tuple[Abstract] | Given:
    """(what it gives,) of such a call; of any other its arguments."""
    if not _may_be(reader, function, node):
        return arguments()
    generator: Any = node.args[0].value
    if walruses(generator):
        return (_through(reader, function.__name__, node),)
    before = reader.checkpoint()
    with effects(reader, failures=True) as changed:
        given = arguments()
        is_made_later = isinstance(given[0][0], ObjectRef) or isinstance(given[0][0], IteratorRef) and isinstance(given[0][0].source, Pulled)  # because it may raise, or is taken from by others
        if not is_made_later and all(isinstance(each, IteratorRef) for each in changed()):
            return given
    reader.rollback(before)
    return (_through(reader, function.__name__, node),)


def sought_in(reader: Reader, node: cst.Comparison, compared: Callable[[], Abstract]) -> Abstract:
    """`item in (… for …)` and `not in`, as `compared` reads them where making all items changes nothing and can't raise."""
    target = node.comparisons[0]
    generator = target.comparator
    if len(node.comparisons) > 1 or not isinstance(target.operator, cst.In | cst.NotIn) or not isinstance(generator, cst.GeneratorExp) or generator.for_in.inner_for_in is not None or walruses(generator):
        return compared()
    before = reader.checkpoint()
    with effects(reader, failures=True) as changed:
        value = compared()
        if all(isinstance(each, IteratorRef) for each in changed()):
            return value
    reader.rollback(before)
    return _through(reader, "in" if isinstance(target.operator, cst.In) else "not in", node)


def _may_be(reader: Reader, function: Abstract, node: cst.Call) -> bool:
    if not any(function is each for each in (any, all, next)) or not 1 <= len(node.args) <= 1 + (function is next) or any(arg.star or arg.keyword is not None for arg in node.args):
        return False
    if function is next and not all(isinstance(arg.value, (cst.Name, cst.BaseNumber, cst.UnaryOperation)) for arg in node.args[1:]):
        return False
    generator = node.args[0].value
    if not isinstance(generator, cst.GeneratorExp) or generator.for_in.inner_for_in is not None:
        return False
    return walruses(generator) <= reader.frame.scope.bound


def _through(reader: Reader, name: str, node: cst.Call | cst.Comparison) -> Abstract:
    """The loop is read, in the place of the call."""
    return in_the_place(reader, node, *_written(node, name, names_taken(reader.frame)))


@lru_cache(maxsize=256)
def _written(node: cst.Call | cst.Comparison, function: str, taken: Names) -> tuple[tuple[Any, ...], Names, cst.Name, dict[Any, Any]]:
    """The loop, its new names, the one that says what was found, and where its nodes come from."""
    generator: Any = node.args[0].value if isinstance(node, cst.Call) else node.comparisons[0].comparator
    given = [arg.value for arg in node.args[1:]] if isinstance(node, cst.Call) else [node.left]
    is_in, starts = function in ("in", "not in"), function in ("all", "not in")
    copies = Copies(frozenset(names_bound(generator.for_in.target)), taken)
    found, copied = copies.name("found"), copies.copied
    wanted = copies.name("wanted") if is_in else ""
    item = copied(generator.elt)
    if function == "next":
        body: list[Any] = [nodes.assign(found, item), cst.Break()]
    else:
        test = cst.UnaryOperation(cst.Not(), item) if function == "all" else nodes.compare(item, cst.Equal(), cst.Name(wanted)) if is_in else item
        body = [nodes.branch(test, [nodes.assign(found, cst.Name(str(not starts))), cst.Break()], [])]
    for condition in reversed(generator.for_in.ifs):
        body = [nodes.branch(copied(condition.test), body, [])]
    if function != "next":
        first = [*([nodes.assign(wanted, given[0])] if is_in else []), nodes.assign(found, cst.Name(str(starts)))]
        last = None
    else:
        first = []
        last = [nodes.assign(found, given[0]) if given else cst.Raise(cst.Name("StopIteration"))]
    loop = cst.For(copied(generator.for_in.target), generator.for_in.iter, nodes.suite(body), None if last is None else cst.Else(nodes.suite(last)))
    statements, result = (*first, loop), cst.Name(found)
    copies.note((*statements, result), generator, frozenset(each for part in (generator.for_in.iter, *given) for each in nodes.inside(part)))
    return statements, copies.own, result, copies.origins


__all__ = ["sought", "sought_in"]
