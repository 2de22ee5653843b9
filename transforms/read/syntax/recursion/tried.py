"""A try around returns, and around calls of the function itself that stand in its handlers: what leaves it is noted there, and done behind it.

    try:                                    way = 0
        return formula(x)                   try:
    except OverflowError:                       given = formula(x)
        return f(x / 2) + 1                     way = 1
                                            except OverflowError:
                                                way = 2
                                            if way == 1:
                                                return given
                                            return f(x / 2) + 1

Exceptions in a handler, or in the else, are not caught by the try they stand in: so those go on behind it, a handler from its first statement on that leaves it or calls
the function itself. A call in the try's body stays refused: its exceptions would have to be caught, whatever is on the stack.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.recursion.steps import STATEMENTS, Fork, Jump, NotLooped, Steps, leaves
from s2s.transforms.read.syntax.scope import orelse_of
from s2s.transforms.read.syntax.source import statements_of

_LEAVING = (cst.Return, cst.Break, cst.Continue)


def tried(steps: Steps, node: cst.Try) -> None:
    """The try with stores in place of what leaves it, then what each of them stands for."""
    own = steps.own
    if own.has_call(node.body):
        raise NotLooped("a call of itself in the body of a try", next(each for each in nodes.inside(node.body) if own.calls(each)))
    steps.not_in(*(each.type for each in node.handlers if each.type is not None))
    if node.finalbody is not None and (own.has_call(node) or any(_leaves(steps, each, in_loop=False) for each in statements_of(node.finalbody.body))):
        raise NotLooped("a call of itself in a try with a finally, or a return in the finally", node)
    ways = _Ways(steps)
    steps.put(nodes.assign(ways.name, nodes.number(0)))
    orelse = [] if node.orelse is None else list(statements_of(node.orelse.body))
    goes_behind = bool(orelse) and node.finalbody is None
    body = ways.statements(list(statements_of(node.body)), 0)
    falls = _falls(list(statements_of(node.body)))
    handlers, caught = [], False
    for each in node.handlers:
        statements, goes_on = _handled(ways, each, may_go_on=node.finalbody is None, apart=goes_behind)
        handlers.append(each.with_changes(body=nodes.suite(statements)))
        caught |= goes_on
    changed = node.with_changes(body=nodes.suite(body), handlers=handlers)
    if goes_behind:
        changed = changed.with_changes(orelse=None)
        if falls:
            ways.others[0] = lambda: steps.block(orelse)
    elif orelse:
        changed = changed.with_changes(orelse=cst.Else(nodes.suite(ways.unless_left(ways.statements(orelse, 0), 0))))
        caught |= falls
    else:
        caught |= falls
    steps.put(changed)
    ways.follow(falls=caught)


def _handled(ways: _Ways, handler: cst.ExceptHandler, *, may_go_on: bool, apart: bool) -> tuple[list[Any], bool]:
    """The statements of a handler as they stay there, and whether what follows the try is come to from them. `may_go_on`: whether they may go on behind it; `apart`: whether
    their end must be told from the body's.
    """
    steps, statements = ways.steps, list(statements_of(handler.body))
    first = next((k for k, each in enumerate(statements) if _leaves(steps, each, in_loop=False) or steps.own.has_call(each)), len(statements))
    rest = statements[first:]
    seen = _of_what_is_caught(handler, rest)
    if seen is not None and steps.own.has_call(handler.body):
        raise NotLooped("what was caught, in a handler from its call of itself on", seen)
    if rest and may_go_on and seen is None:
        return [*statements[:first], ways.noted(lambda: steps.block(rest))], False
    falls = _falls(statements)
    if apart and falls:
        nothing = ways.noted(lambda: None)
        return [nothing, *ways.statements(statements, ways.last)], False
    return ways.statements(statements, 0), falls


def _of_what_is_caught(handler: cst.ExceptHandler, statements: list[Any]) -> cst.CSTNode | None:
    """Where statements of a handler see the exception, or raise it again."""
    caught = handler.name.name.value if handler.name is not None and isinstance(handler.name.name, cst.Name) else ""
    inside = [each for statement in statements for each in nodes.inside(statement)]
    return next((each for each in inside if isinstance(each, cst.Raise) and each.exc is None or caught and isinstance(each, cst.Name) and each.value == caught), None)


class _Ways:
    """By which way a try was left: numbers, each with what is to be done behind it."""

    def __init__(self, steps: Steps) -> None:
        self.steps, self.name = steps, steps.own.fresh("way")
        self.others: dict[int, Callable[[], None]] = {}
        self.last = 0

    def noted(self, what: Callable[[], None]) -> Any:
        """The statement that notes that this is to be done."""
        self.last += 1
        self.others[self.last] = what
        return nodes.assign(self.name, nodes.number(self.last))

    def follow(self, *, falls: bool) -> None:
        """What is done behind the try; `falls`: whether what follows may be come to at once."""
        steps, after = self.steps, self.steps.new()
        ways = [*((number, what) for number, what in self.others.items() if number), *((0, what) for number, what in self.others.items() if not number)]
        for k, (number, what) in enumerate(ways):
            other = steps.new()
            if falls or k < len(ways) - 1:
                then = steps.new()
                steps.end(Fork(nodes.compare(nodes.name(self.name), cst.Equal(), nodes.number(number)), then, other), then)
            what()
            steps.end(Jump(after), other)
        if falls or not ways:
            steps.end(Jump(after), after)
        steps.step = after

    def statements(self, statements: list[Any], before: int, *, in_loop: bool = False) -> list[Any]:
        """The statements with stores in place of what leaves the try. `before`: the way that is noted when they begin; `in_loop`: whether they stand in a loop of their own."""
        found: list[Any] = []
        for k, each in enumerate(statements):
            if not _leaves(self.steps, each, in_loop=in_loop):
                found.append(each)
                continue
            rest = statements[k + 1 :]
            if isinstance(each, _LEAVING):
                return [*found, *self.left(each), *([cst.Break()] if in_loop else [])]
            if isinstance(each, cst.If) and not in_loop and not _falls(list(statements_of(each.body))) and each.orelse is None:
                return [*found, nodes.branch(each.test, self.statements(list(statements_of(each.body)), before), self.statements(rest, before))]
            found.append(self.around(each, before, in_loop=in_loop))
            if not in_loop:
                return [*found, *self.unless_left(self.statements(rest, before), before)]
            if isinstance(each, cst.For | cst.While):
                found.append(cst.If(nodes.compare(nodes.name(self.name), cst.NotEqual(), nodes.number(before)), nodes.suite([cst.Break()])))
        return found

    def around(self, node: Any, before: int, *, in_loop: bool) -> Any:
        """A statement with blocks in which something leaves the try."""
        match node:
            case cst.If():
                return nodes.branch(node.test, self.statements(list(statements_of(node.body)), before, in_loop=in_loop), self.statements(orelse_of(node), before, in_loop=in_loop))
            case cst.For() | cst.While():
                orelse = None if node.orelse is None else node.orelse.with_changes(body=nodes.suite(self.statements(list(statements_of(node.orelse.body)), before, in_loop=in_loop)))
                return node.with_changes(body=nodes.suite(self.statements(list(statements_of(node.body)), before, in_loop=True)), orelse=orelse)
        raise NotLooped(f"a return, inside of a statement of this kind ({type(node).__name__.lower()}) in a try", node)

    def left(self, node: Any) -> list[Any]:
        """The stores in place of a return, a break or a continue."""
        steps = self.steps
        if isinstance(node, cst.Return):
            if node.value is None:
                return [self.noted(lambda: steps.returned(node))]
            given = steps.own.fresh("given")
            steps.own.passing.add(given)
            behind = node.with_changes(value=nodes.name(given))
            return [nodes.assign(given, node.value), self.noted(lambda: steps.returned(behind))]
        return [self.noted(lambda: steps.left(node))]

    def unless_left(self, statements: list[Any], before: int) -> list[Any]:
        """Statements that are done where nothing left the try before them."""
        return [cst.If(nodes.compare(nodes.name(self.name), cst.Equal(), nodes.number(before)), nodes.suite(statements))] if statements else []


def _leaves(steps: Steps, node: Any, *, in_loop: bool) -> bool:
    return leaves(node, bool(steps.loops), in_loop=in_loop)


def _falls(statements: list[Any]) -> bool:
    """Whether what follows statements may be come to from them."""
    if not statements:
        return True
    last = statements[-1]
    if isinstance(last, cst.If):
        return last.orelse is None or _falls(list(statements_of(last.body))) or _falls(orelse_of(last))
    return not isinstance(last, (*_LEAVING, cst.Raise))


STATEMENTS[cst.Try] = tried
