"""Which names a function binds, which statements bind what, and what is live after each: s2s's own walk (libcst's is slow).

    for i in range(n):      header live: s, x, n      (read in a later trip, or after the loop)
        t = x[i]
        s += t              live after: s, x, n
    return s
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import libcst as cst

from s2s.records import dataclass, field, replace
from s2s.transforms.read.syntax.source import FunctionNode, parts_of, statements_of

Names = frozenset[str]
NONE: Names = frozenset()
Statement = cst.BaseSmallStatement | cst.BaseCompoundStatement


def names_read(node: cst.CSTNode | None) -> Names:
    """The names that an expression reads (those of nested lambdas included)."""
    return _names_read(node) if node is not None else NONE


@lru_cache(maxsize=4096)
def _names_read(node: cst.CSTNode) -> Names:  # loops are gone through until nothing changes
    return frozenset(_reads(node))


def _reads(node: cst.CSTNode) -> Iterator[str]:
    kind = type(node)  # libcst's classes are abstract ones: each isinstance asks a registry
    if kind is cst.Name:
        yield node.value  # type: ignore[attr-defined]
    elif kind is cst.Attribute or kind is cst.Arg:
        yield from _reads(node.value)  # type: ignore[attr-defined]
    elif kind is cst.Lambda:
        yield from names_read(node.body) - parameter_names(node.params)  # type: ignore[attr-defined]
        yield from default_reads(node.params)  # type: ignore[attr-defined]
    elif kind in _COMPREHENSIONS:
        yield from _comprehension_reads(node)  # type: ignore[arg-type]
    else:
        for child in parts_of(node):
            yield from _reads(child)


_COMPREHENSIONS = frozenset({cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp})
_OTHER_FRAMES = frozenset({cst.Lambda, cst.FunctionDef, cst.ClassDef})
_LEAVES = frozenset({cst.Name, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.Ellipsis, cst.Pass, cst.Break, cst.Continue})
"""Nodes without nodes inside."""
_WITH_BLOCKS = frozenset({cst.For, cst.While, cst.If, cst.Match, cst.With, cst.Try, cst.TryStar})


@lru_cache(maxsize=4096)
def _kinds(statement: cst.CSTNode) -> frozenset[type]:
    """The kinds of all nodes in a statement: whether it has a `yield`, a `:=` or a lambda at all is asked of most, and true of few."""
    found = {type(statement)}
    waiting = [statement]
    while waiting:
        for part in parts_of(waiting.pop()):
            found.add(type(part))
            if type(part) not in _LEAVES:
                waiting.append(part)
    return frozenset(found)


def _comprehension_reads(node: cst.BaseComp) -> Iterator[str]:
    yield from names_read(node.for_in.iter)  # in the scope around
    yield from reads_behind_its_items(node)


def reads_behind_its_items(node: cst.BaseComp) -> Names:
    """The names around that a comprehension reads for each item: a generator expression does so when it is asked for them, what it goes through it has read before."""
    bound: set[str] = set()
    inside: set[str] = set()
    loop: cst.CompFor | None = node.for_in
    while loop is not None:
        if loop is not node.for_in:
            inside |= names_read(loop.iter)
        inside |= {name for test in loop.ifs for name in names_read(test.test)}
        bound |= set(names_bound(loop.target))
        loop = loop.inner_for_in
    results = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)  # type: ignore[attr-defined]
    for result in results:
        inside |= names_read(result)
    return frozenset(inside - bound)


def default_reads(params: cst.Parameters) -> Names:
    """The names that parameters' defaults read."""
    return frozenset(name for param in all_params(params) if param.default is not None for name in _reads(param.default))


def all_params(params: cst.Parameters) -> list[cst.Param]:
    """Every parameter, *args and **kwargs too."""
    stars = [star for star in (params.star_arg, params.star_kwarg) if isinstance(star, cst.Param)]
    return [*params.posonly_params, *params.params, *params.kwonly_params, *stars]


def parameter_names(params: cst.Parameters) -> Names:
    """Their names."""
    return frozenset(param.name.value for param in all_params(params))


def names_bound(target: cst.CSTNode) -> Iterator[str]:
    """The names that an assignment to `target` binds."""
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from names_bound(element.value)
        case cst.AssignTarget():
            yield from names_bound(target.target)


def _target_reads(target: cst.CSTNode) -> Names:
    """The names that storing to a target reads: those of A[i] and a.b, not of plain names."""
    match target:
        case cst.Name():
            return NONE
        case cst.Tuple() | cst.List():
            return frozenset().union(*(_target_reads(element.value) for element in target.elements))
        case _:
            return names_read(target)


def _walruses(node: cst.CSTNode) -> Iterator[str]:
    kind = type(node)
    if kind is cst.NamedExpr:
        yield from names_bound(node.target)  # type: ignore[attr-defined]
    if kind not in _OTHER_FRAMES and kind not in _LEAVES:
        for child in parts_of(node):
            yield from _walruses(child)


def walruses(node: cst.CSTNode) -> Names:
    """The names that an expression binds: `:=` binds one of the function's, inside of a comprehension too."""
    return frozenset(_walruses(node))


def assigned(statements: Iterable[cst.CSTNode]) -> Names:
    """The names that statements bind, those nested in their blocks too (not those of nested functions)."""
    return frozenset().union(*(_assigned_by(statement) for statement in statements))


@lru_cache(maxsize=4096)
def _assigned_by(statement: cst.CSTNode) -> Names:
    found = frozenset(_assigned(statement))
    return found.union(_walruses_of(statement)) if cst.NamedExpr in _kinds(statement) else found


def _assigned(node: cst.CSTNode) -> Iterator[str]:
    binds = _BINDS.get(type(node))
    if binds is not None:
        yield from binds(node)
    for block in blocks_of(node):
        for statement in block:
            yield from _assigned(statement)


def _walruses_of(node: cst.CSTNode) -> Iterator[str]:
    """The names that `:=` binds in a statement, those nested in its blocks too."""
    for block in blocks_of(node):
        for statement in block:
            yield from _walruses_of(statement)
    for part in _heads(node) if isinstance(node, cst.BaseCompoundStatement) else (node,):
        yield from _walruses(part)


def _heads(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What a compound statement evaluates in front of its blocks."""
    match node:
        case cst.If() | cst.While():
            yield node.test
        case cst.For():
            yield node.iter
        case cst.With():
            yield from node.items
        case cst.Match():
            yield node.subject
            yield from (each.guard for each in node.cases if each.guard is not None)


def _captured_by(pattern: cst.CSTNode) -> Iterator[str]:
    """The names that a pattern binds."""
    name = pattern.rest if isinstance(pattern, cst.MatchMapping) else getattr(pattern, "name", None)
    if isinstance(pattern, cst.MatchAs | cst.MatchStar | cst.MatchMapping) and name is not None:
        yield name.value
    for child in parts_of(pattern):
        yield from _captured_by(child)


def imported(node: cst.Import | cst.ImportFrom) -> Iterator[str]:
    """The names that an import binds."""
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        if alias.asname is not None:
            yield from names_bound(alias.asname.name)
        else:
            yield cst.Module([]).code_for_node(alias.name).split(".")[0]


_BINDS: dict[type, Callable[[Any], Iterable[str]]] = {
    cst.Assign: lambda node: (name for target in node.targets for name in names_bound(target.target)),
    **dict.fromkeys((cst.AugAssign, cst.AnnAssign, cst.For), lambda node: names_bound(node.target)),
    **dict.fromkeys((cst.FunctionDef, cst.ClassDef), lambda node: (node.name.value,)),
    cst.With: lambda node: (name for item in node.items if item.asname is not None for name in names_bound(item.asname.name)),
    cst.Match: lambda node: (name for choice in node.cases for name in _captured_by(choice.pattern)),
    cst.Try: lambda node: (name for handler in node.handlers if handler.name is not None for name in names_bound(handler.name.name)),
    **dict.fromkeys((cst.Import, cst.ImportFrom), imported),
}
"""The names that a statement binds itself, by its kind."""


def blocks_of(node: cst.CSTNode) -> Iterator[list[Statement]]:
    """The statement lists of a compound statement (elif is a block with one If)."""
    if type(node) not in _WITH_BLOCKS:
        return
    match node:
        case cst.For() | cst.While():
            yield list(statements_of(node.body))
            yield orelse_of(node)
        case cst.If():
            yield list(statements_of(node.body))
            yield orelse_of(node)
        case cst.Match():
            for choice in node.cases:
                yield list(statements_of(choice.body))
        case cst.With() | cst.Try() | cst.TryStar():
            yield list(statements_of(node.body))
            for handler in getattr(node, "handlers", ()):
                yield list(statements_of(handler.body))
            for extra in (getattr(node, "orelse", None), getattr(node, "finalbody", None)):
                if extra is not None:
                    yield list(statements_of(extra.body))


def returns_of(node: FunctionNode) -> Iterator[cst.Return]:
    """The returns of a function, not those of nested ones."""
    work: list[Statement] = [] if isinstance(node, cst.Lambda) else list(statements_of(node.body))
    while work:
        statement = work.pop()
        if isinstance(statement, cst.Return):
            yield statement
        if not isinstance(statement, cst.FunctionDef | cst.ClassDef):
            work += [each for block in blocks_of(statement) for each in block]


@lru_cache(maxsize=4096)
def yields(node: cst.CSTNode) -> bool:
    """Whether a statement has a yield of its function."""
    return cst.Yield in _kinds(node) and _has_yield(node)


def _has_yield(node: cst.CSTNode) -> bool:
    kind = type(node)
    if kind is cst.Yield:
        return True
    return kind not in _OTHER_FRAMES and kind not in _LEAVES and any(map(_has_yield, parts_of(node)))


def orelse_of(node: cst.If | cst.For | cst.While) -> list[Statement]:
    """The statements of an else or elif."""
    match node.orelse:
        case None:
            return []
        case cst.If():
            return [node.orelse]
        case _:
            return list(statements_of(node.orelse.body))


@dataclass
class _Loop:
    header: Names
    after: Names


@dataclass(eq=False)
class Scope:
    """The names of one function. `after[statement]` is live behind it, `header[loop]` at the start of each of its trips."""

    params: tuple[str, ...]
    bound: Names
    captured: Names
    """Names that nested functions read: always live."""
    globals: Names = NONE
    """Names that the function declares global."""
    shared: Names = NONE
    """Names that nested functions bind too (`nonlocal`)."""
    after: dict[cst.CSTNode, Names] = field(default_factory=dict)
    header: dict[cst.CSTNode, Names] = field(default_factory=dict)
    loops: list[_Loop] = field(default_factory=list)
    escape: Names = NONE
    """What is live where an exception leads that is raised here."""

    def block(self, statements: list[Statement], after: Names) -> Names:
        live = after | self.escape
        leaving = self._leaving(statements)
        for statement in reversed(statements):
            self.after[statement] = live | self.captured | leaving
            live = self.before(statement, live) | self.escape
        return live

    def _guarded(self, statements: list[Statement], after: Names, escape: Names) -> Names:
        """A block of which each statement may raise what is caught behind it."""
        around, self.escape = self.escape, self.escape | escape
        found = self.block(statements, after)
        self.escape = around
        return found

    def _try(self, node: cst.Try | cst.TryStar, after: Names) -> Names:
        last = after if node.finalbody is None else self.block(list(statements_of(node.finalbody.body)), after) | after
        escape = NONE if node.finalbody is None else last
        caught = NONE.union(*((self._guarded(list(statements_of(each.body)), last, escape) - _caught_as(each)) | names_read(each.type) for each in node.handlers))
        behind = last if node.orelse is None else self._guarded(list(statements_of(node.orelse.body)), last, escape)
        return self._guarded(list(statements_of(node.body)), behind, caught | escape) | caught

    def _leaving(self, statements: list[Statement]) -> Names:
        """What is live where a break or continue in these statements leads: such paths pass their ends with a flag set."""
        if not self.loops:
            return NONE
        loop = self.loops[-1]
        skips = loop.header if any(_holds(statement, cst.Continue) for statement in statements) else NONE
        return skips | (loop.after if any(_holds(statement, cst.Break) for statement in statements) else NONE)

    def before(self, node: Statement, after: Names) -> Names:
        """What is live before a statement, given what is live after it."""
        match node:
            case cst.Assign():
                targets: list[cst.BaseExpression] = [target.target for target in node.targets]
                return self._bind(targets, names_read(node.value), after)
            case cst.AnnAssign():
                return self._bind([node.target], names_read(node.value), after) if node.value is not None else after
            case cst.AugAssign():
                return after | names_read(node.target) | names_read(node.value)
            case cst.Return():
                return names_read(node.value)
            case cst.Raise():
                return names_read(node)
            case cst.Break():
                return self.loops[-1].after if self.loops else after
            case cst.Continue():
                return self.loops[-1].header if self.loops else after
            case cst.If():
                inside = [self.block(block, after) for block in blocks_of(node)]
                return names_read(node.test).union(*inside)
            case cst.For() | cst.While():
                return self._loop(node, after)
            case cst.FunctionDef():
                return (after - {node.name.value}) | default_reads(node.params)
            case cst.Try() | cst.TryStar():
                return self._try(node, after)
            case cst.With():
                return after | names_read(node) | self._guarded(list(statements_of(node.body)), after, after)  # its context may catch
            case cst.BaseCompoundStatement():
                inside = [self.block(block, after) for block in blocks_of(node)]
                return (after | names_read(node)).union(*inside)
            case _:
                return after | names_read(node)

    def _bind(self, targets: list[cst.BaseExpression], reads: Names, after: Names) -> Names:
        killed = frozenset(name for target in targets for name in names_bound(target))
        return (after - killed).union(reads, *(_target_reads(target) for target in targets))

    def _loop(self, node: cst.For | cst.While, after: Names) -> Names:
        body = list(statements_of(node.body))
        leaving = self.block(orelse_of(node), after) | after  # a break skips the else, and meets the other paths in the body
        killed = frozenset(names_bound(node.target)) if isinstance(node, cst.For) else NONE
        endless = isinstance(node, cst.While) and isinstance(node.test, cst.Name) and node.test.value == "True"
        header = NONE if endless else leaving | (NONE if isinstance(node, cst.For) else names_read(node.test))
        while True:
            self.loops.append(_Loop(header, after))
            inside = self.block(body, header) - killed
            self.loops.pop()
            if inside <= header:
                break
            header |= inside
        self.header[node] = header | after | self.captured
        return header | (names_read(node.iter) if isinstance(node, cst.For) else NONE)


def _caught_as(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> Names:
    """The name that an except clause binds."""
    return NONE if handler.name is None else frozenset(names_bound(handler.name.name))


def _holds(node: cst.CSTNode, kind: type) -> bool:
    """Whether a statement has a break or continue of the loop around it."""
    if type(node) is kind:
        return True
    if type(node) in (cst.For, cst.While):
        return any(_holds(statement, kind) for statement in orelse_of(node))  # type: ignore[arg-type]
    return any(_holds(statement, kind) for block in blocks_of(node) for statement in block)


def scope_of(node: FunctionNode) -> Scope:
    """The scope of a function."""
    params = tuple(param.name.value for param in all_params(node.params))
    if isinstance(node, cst.Lambda):
        return Scope(params, frozenset(params) | walruses(node.body), NONE)
    statements = list(statements_of(node.body))
    nested = _captured_in(statements)
    bound = frozenset(params) | assigned(statements)
    outside = _declared(statements, cst.Global)
    scope = Scope(params, bound - _nonlocals(statements) - outside, nested, outside, _bound_from_inside(statements) & bound)
    scope.block(statements, NONE)
    return scope


def widened(scope: Scope, statements: list[Statement], names: Names, live: Names) -> Scope:
    """A scope with statements that a rewriting has put in, names of theirs, and what is live behind them."""
    nested = _captured_in(statements)
    made = replace(scope, bound=scope.bound | names, captured=scope.captured | nested | live, after=dict(scope.after), header=dict(scope.header), loops=[])
    made.block(statements, live)
    return made


def _nonlocals(statements: Iterable[cst.CSTNode]) -> Names:
    """The names that a function's statements declare nonlocal."""
    return _declared(statements, cst.Nonlocal)


def _declared(statements: Iterable[cst.CSTNode], kind: type[cst.Nonlocal | cst.Global]) -> Names:
    found: set[str] = set()
    for statement in statements:
        if kind not in _kinds(statement):
            continue
        if isinstance(statement, kind):
            found |= {item.name.value for item in statement.names}
        for block in () if isinstance(statement, cst.FunctionDef | cst.ClassDef) else blocks_of(statement):
            found |= _declared(block, kind)
    return frozenset(found)


def _bound_from_inside(statements: Iterable[cst.CSTNode]) -> Names:
    """The names that functions nested in these statements declare nonlocal, and that are of no function between."""
    found: set[str] = set()
    for statement in statements:
        if cst.Nonlocal not in _kinds(statement):
            continue
        if isinstance(statement, cst.FunctionDef):
            scope = scope_of(statement)
            body = list(statements_of(statement.body))
            found |= _nonlocals(body) | (_bound_from_inside(body) - scope.bound)
        elif not isinstance(statement, cst.ClassDef):
            for block in blocks_of(statement):
                found |= _bound_from_inside(block)
    return frozenset(found)


def _captured_in(statements: Iterable[cst.CSTNode]) -> Names:
    """The names that functions nested in statements read."""
    return frozenset(name for each in statements if not _kinds(each).isdisjoint((cst.Lambda, cst.FunctionDef)) for name in _captured(each))


def _captured(node: cst.CSTNode) -> Iterator[str]:
    kind = type(node)
    if kind is cst.Lambda:
        yield from names_read(node.body) - parameter_names(node.params)  # type: ignore[attr-defined]
    elif kind is cst.FunctionDef:
        for child in parts_of(node.body):  # type: ignore[attr-defined]
            yield from _all_names(child)
    elif kind not in _LEAVES:
        for child in parts_of(node):
            yield from _captured(child)


def _all_names(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    for child in parts_of(node):
        yield from _all_names(child)
