"""A generator's statements in the place of the loop that goes through it: each `yield` is the loop's body.

    def pairs(v):                          for i in range(len(x) - 1):
        for i in range(len(v) - 1):            a, b = x[i], x[i + 1]
            yield v[i], v[i + 1]               s += a * b

    for a, b in pairs(x):
        s += a * b

The generator's names get others where the function around has them. A `break` of the loop leaves all that was the generator's (`LEAVE`), its `return`
likewise; a `return` of the loop notes that it is one (`Written.returned`), a `continue` ends the body, which is a loop of one trip then. What `with` does
with a generator that contextlib.contextmanager decorates is the same: its body stands in the place of the `yield`.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import libcst as cst

from s2s.records import dataclass
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.scope import Names, all_params, assigned, blocks_of, names_bound, orelse_of, yields
from s2s.transforms.read.syntax.source import statements_of

LEAVE = "__leave__"
"""What a `return` returns that only leaves what was the generator's."""
HELD = "__held__"
"""The context of a `with` around a body whose leaving waits for the rest of the generator."""
MOST = 4
"""Yields of a generator that is written in place: the body stands at each."""
_REFUSED = (cst.FunctionDef, cst.ClassDef, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal, cst.TryStar, cst.Await)


@dataclass(frozen=True, eq=False)
class Written:
    """`statements`, then `last` (the loop's else); `names`: of the generator's names those that stand for them here; `own`: all that are new; `origins`:
    of nodes that are new the generator's or the loop's. `returned`, `left`: the names that say whether the loop's body has returned, or left the loop, or nothing.
    """

    statements: tuple[Any, ...]
    last: tuple[Any, ...]
    names: dict[str, str]
    own: Names
    origins: dict[cst.CSTNode, cst.CSTNode]
    returned: str
    left: str


def can_be_written(node: Any) -> bool:
    """Whether a generator can stand in the place of a loop."""
    if not isinstance(node, cst.FunctionDef) or node.asynchronous is not None:
        return False
    statements = list(statements_of(node.body))
    places = list(_yields_of(statements))
    inside = [each for statement in statements for each in nodes.inside(statement)]
    all_yields = sum(isinstance(each, cst.Yield) for each in inside)
    return 0 < all_yields == len(places) <= MOST and not any(isinstance(each, _REFUSED) for each in inside)


def _yields_of(statements: list[Any]) -> Iterator[Any]:
    """The statements that do nothing but yield, or bind what is sent."""
    for statement in statements:
        if isinstance(statement, cst.Expr | cst.Assign) and isinstance(statement.value, cst.Yield):
            yield statement
        for block in blocks_of(statement):
            yield from _yields_of(block)


def leaves(statements: list[Any]) -> bool:
    """Whether statements may return, or break or continue a loop around them."""
    return any(isinstance(each, cst.Return) for each in _all(statements)) or _holds(statements, cst.Break) or _holds(statements, cst.Continue)


def is_in_the_open(node: cst.FunctionDef) -> bool:
    """Whether no yield stands in a loop or under a test."""
    return not any(isinstance(each, cst.For | cst.While | cst.If | cst.Match) and yields(each) for each in _all(list(statements_of(node.body))))


def is_shielded(node: cst.FunctionDef) -> bool:
    """Whether a yield stands where the generator would catch what is raised there: what a loop's body raises never comes there."""
    compound = [each for each in _all(list(statements_of(node.body))) if isinstance(each, cst.Try | cst.With)]
    return any((isinstance(each, cst.With) or each.handlers) and any(map(yields, statements_of(each.body))) for each in compound)


def _all(statements: list[Any]) -> Iterator[Any]:
    for statement in statements:
        yield statement
        if not isinstance(statement, cst.FunctionDef | cst.ClassDef):
            for block in blocks_of(statement):
                yield from _all(block)


def _holds(statements: list[Any], kind: type) -> bool:
    """Whether there is a break or continue of the loop around."""
    for statement in statements:
        if isinstance(statement, kind):
            return True
        blocks = [orelse_of(statement)] if isinstance(statement, cst.For | cst.While) else list(blocks_of(statement))
        if not isinstance(statement, cst.FunctionDef | cst.ClassDef) and any(_holds(block, kind) for block in blocks):
            return True
    return False


@lru_cache(maxsize=256)
def written(generator: cst.FunctionDef, node: cst.For | cst.With, taken: Names, kept: Names) -> Written:
    """The generator in the place of the loop, or of the `with`. `taken`: names that its own may not have; `kept`: of its names those that mean the same here."""
    statements = list(statements_of(generator.body))
    read = {each.value for statement in statements for each in nodes.inside(statement) if isinstance(each, cst.Name)}
    own = assigned(statements) | {param.name.value for param in all_params(generator.params)} | _inner(statements)
    names: dict[str, str] = {}
    for name in sorted((read | own) - kept):
        names[name] = fresh(name, taken | set(names.values()), read)
    return _Writer(node, names, taken | set(names.values()) | read).whole(statements)


def _inner(statements: list[Any]) -> set[str]:
    """What comprehensions bind for themselves."""
    return {name for statement in statements for each in nodes.inside(statement) if isinstance(each, cst.CompFor) for name in names_bound(each.target)}


def fresh(name: str, taken: set[str] | Names, also: set[str] | Names = frozenset()) -> str:
    """The name itself, or one with a number."""
    others = (f"{name}_{number}" for number in itertools.count(1))
    return name if name not in taken else next(each for each in others if each not in taken and each not in also)


class Renamed(cst.CSTTransformer):
    """The names of variables, not those of attributes and keywords."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self.names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802 libcst's name
        return updated_node.with_changes(value=self.names.get(original_node.value, original_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802 libcst's name
        return updated_node.with_changes(attr=original_node.attr.deep_clone())

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802 libcst's name
        return updated_node.with_changes(keyword=None if original_node.keyword is None else original_node.keyword.deep_clone())

    def leave_MatchKeywordElement(self, original_node: cst.MatchKeywordElement, updated_node: cst.MatchKeywordElement) -> cst.MatchKeywordElement:  # noqa: N802 libcst's name
        return updated_node.with_changes(key=original_node.key.deep_clone())


class _Writer:
    """Puts a loop's body in the place of each yield."""

    def __init__(self, node: cst.For | cst.With, names: dict[str, str], taken: Names) -> None:
        self.node, self.names = node, names
        self.origins: dict[cst.CSTNode, cst.CSTNode] = {}
        self.is_loop = isinstance(node, cst.For)
        body = list(statements_of(node.body))
        self.returned = fresh("has_returned", taken) if self.is_loop and any(isinstance(each, cst.Return) for each in _all(body)) else ""
        self.left = fresh("has_left", taken) if isinstance(node, cst.For) and node.orelse is not None else ""
        self.once = fresh("once", taken)
        self.of_users = frozenset(nodes.inside(node))
        self.body = self._body(body)
        self._told(self.body)
        self.written = 0

    def whole(self, statements: list[Any]) -> Written:
        flags = [nodes.assign(flag, cst.Name("False")) for flag in (self.returned, self.left) if flag]
        renamed = Renamed(self.names)
        own = []
        for statement in statements:
            copy: Any = statement.visit(renamed)
            self.origins.update(zip(nodes.inside(copy), nodes.inside(statement), strict=True))
            own.append(copy)
        made = [*flags, *self._block(own)]
        last: list[Any] = []
        if isinstance(self.node, cst.For) and self.node.orelse is not None:
            last = [cst.If(cst.UnaryOperation(cst.Not(), cst.Name(self.left)), self.node.orelse.body)]
        self._told([*made, *last])
        new = frozenset(filter(None, (*self.names.values(), self.returned, self.left, self.once)))
        return Written(tuple(made), tuple(last), self.names, new, self.origins, self.returned, self.left)

    def _told(self, statements: list[Any]) -> None:
        """What is of nobody stands where the loop does."""
        for each in (inner for statement in statements for inner in nodes.inside(statement)):
            if each not in self.of_users:
                self.origins.setdefault(each, self.node)

    # ---- the loop's body ------------------------------------------------------------------------------------------------------

    def _body(self, statements: list[Any]) -> list[Any]:
        if not self.is_loop:
            return [cst.With([cst.WithItem(cst.Name(HELD))], nodes.suite(statements))] if leaves(statements) else statements
        skips = _holds(statements, cst.Continue)
        made = self._leaving(statements, in_loop=False)
        return [cst.For(cst.Name(self.once), cst.Tuple([cst.Element(nodes.number(0))]), nodes.suite(made))] if skips else made

    def _leaving(self, statements: list[Any], *, in_loop: bool) -> list[Any]:
        """What leaves the loop, as it stands within the generator."""
        made: list[Any] = []
        for each in statements:
            if isinstance(each, cst.Break) and not in_loop:
                made += [*([nodes.assign(self.left, cst.Name("True"))] if self.left else []), cst.Return(cst.Name(LEAVE))]
            elif isinstance(each, cst.Return):
                made += [nodes.assign(self.returned, cst.Name("True")), each]
            elif isinstance(each, cst.BaseCompoundStatement) and not isinstance(each, cst.FunctionDef | cst.ClassDef):
                inside = partial(self._leaving, in_loop=in_loop or isinstance(each, cst.For | cst.While))
                made.append(rebuilt(each, inside, partial(self._leaving, in_loop=in_loop), self.origins))
            else:
                made.append(each)
        return made

    # ---- the generator's statements -------------------------------------------------------------------------------------------

    def _block(self, statements: list[Any]) -> list[Any]:
        made: list[Any] = []
        for each in statements:
            if isinstance(each, cst.Expr | cst.Assign) and isinstance(each.value, cst.Yield):
                made += self._yielded(each)
            elif isinstance(each, cst.Return):
                self.origins.setdefault(left := cst.Return(cst.Name(LEAVE)), self.origins.get(each, each))
                made.append(left)
            elif isinstance(each, cst.BaseCompoundStatement):
                made.append(rebuilt(each, self._block, self._block, self.origins))
            else:
                made.append(each)
        return made

    def _yielded(self, statement: Any) -> list[Any]:
        given = statement.value.value
        sent = [statement.with_changes(value=cst.Name("None"))] if isinstance(statement, cst.Assign) else []
        if isinstance(given, cst.From):
            return [cst.For(self._target() or cst.Name(self.once), given.item, nodes.suite(self._copy())), *sent]
        target = self._target()
        value = cst.Name("None") if given is None else given
        taken = cst.Expr(value) if target is None else nodes.assign(target, value)
        return [taken, *self._copy(), *sent]

    def _target(self) -> Any:
        """What the loop, or the `with`, binds."""
        if isinstance(self.node, cst.For):
            target = self.node.target
        else:
            asname = self.node.items[0].asname
            target = None if asname is None else asname.name  # type: ignore[assignment]
        return None if target is None else self._cloned(target)

    def _copy(self) -> list[Any]:
        self.written += 1
        return self.body if self.written == 1 else [self._cloned(each) for each in self.body]

    def _cloned(self, node: Any) -> Any:
        copy = node.deep_clone()
        self.origins.update((new, self.origins.get(old, old)) for new, old in zip(nodes.inside(copy), nodes.inside(node), strict=True))
        return copy


def rebuilt(node: Any, body: Callable[[list[Any]], list[Any]], orelse: Callable[[list[Any]], list[Any]], origins: dict[cst.CSTNode, cst.CSTNode]) -> Any:
    """A compound statement with other blocks. `origins` is told whose place it takes."""
    changes: dict[str, Any] = {}
    if not isinstance(node, cst.Match):
        changes["body"] = nodes.suite(body(list(statements_of(node.body))))
    else:
        changes["cases"] = [each.with_changes(body=nodes.suite(body(list(statements_of(each.body))))) for each in node.cases]
    if isinstance(getattr(node, "orelse", None), cst.If):
        changes["orelse"] = rebuilt(node.orelse, orelse, orelse, origins)
    elif getattr(node, "orelse", None) is not None:
        changes["orelse"] = cst.Else(nodes.suite(orelse(list(statements_of(node.orelse.body)))))
    if isinstance(node, cst.Try):
        changes["handlers"] = [each.with_changes(body=nodes.suite(orelse(list(statements_of(each.body))))) for each in node.handlers]
        if node.finalbody is not None:
            changes["finalbody"] = cst.Finally(nodes.suite(orelse(list(statements_of(node.finalbody.body)))))
    made = node.with_changes(**changes)
    origins[made] = origins.get(node, node)
    return made


__all__ = ["HELD", "LEAVE", "Renamed", "Written", "can_be_written", "fresh", "is_in_the_open", "is_shielded", "leaves", "rebuilt", "written"]
