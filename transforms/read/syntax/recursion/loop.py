"""A function that calls itself as a loop with a stack.

    def fact(n):                                    def fact(n):
        if n < 2:                                       place, places, n_stack = 0, [-1], []
            return 1                                    while place >= 0:
        return n * fact(n - 1)                              if place == 0:
                                                                if n < 2:
                                                                    result = 1
                                                                    place = places.pop()
                                                                else:
                                                                    places.append(1)
                                                                    n_stack.append(n)
                                                                    n = n - 1
                                                            else:
                                                                n = n_stack.pop()
                                                                result = n * result
                                                                place = places.pop()
                                                        return result

A place is where the function begins, where it goes on after a call, or where paths meet. Of its names those are kept on stacks
that are read after the call; parameters that each call hands on as they are, are no names of a call but of all. Where nothing
is left to do after any call (`return gcd(b, a % b)`), there is no stack.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.records import dataclass, replace
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.recursion import own_calls, tried
from s2s.transforms.read.syntax.recursion.circle import apart, body_of, declared, located
from s2s.transforms.read.syntax.recursion.nested import given_to_calls, made_again, seen_by
from s2s.transforms.read.syntax.recursion.steps import Fork, Jump, Member, NotLooped, Own, OwnCall, Return, Step, Steps, positional_of
from s2s.transforms.read.syntax.scope import NONE, Names, Scope, all_params, assigned, names_read, scope_of
from s2s.transforms.read.syntax.source import FunctionNode, Tree, parts_of

DEPTH = 1_000_000
"""Calls inside calls before it is called a recursion that does not end: more than any Python goes."""
SEQUENCE = "sequence"
"""The hint of the name by which the loop reaches `marks.sequence`."""


@dataclass(frozen=True, eq=False)
class Looped:
    """The function's tree as a loop; `sequence`: the parameter behind its own that stands for `marks.sequence`; `receivers`: for each function of the circle the one for what
    tells that an object's method is this function.
    """

    tree: Tree
    sequence: str
    receivers: tuple[str, ...]


def looped(steady: Callable[[str], bool], *members: Member) -> Looped:
    """The first function as a loop, in which those are that it calls in a circle. `steady`: whether what a name outside stands for surely stays.

    Raises NotLooped where it can't be one.
    """
    fresh = _Fresh(members)
    names = NONE.union(*(each.names for each in members))
    members = apart(members, fresh)
    sequence, circle, alike, outside, again = fresh(SEQUENCE), list[Own](), list[Any](), list[Any](), dict[str, Any]()
    for each in members:
        circle.append(_own(each, steady, fresh, sequence, circle))
    for own in circle:
        node, scope = own.member.tree.node, scope_of(own.member.tree.node)
        said, body = declared(body_of(node)) if len(circle) > 1 else ([], body_of(node))
        stay = [each for each in body if own is circle[0] and _is_alike_in_all_calls(own, scope, body, each)]
        functions = {name: each for name, each in made_again(own, scope, body).items() if each not in stay}
        again.update(functions)
        _refuse(node, scope, names, [*stay, *functions.values()], given_to_calls(own, scope, body))
        fresh.locals |= scope.bound - assigned(stay)
        alike += stay
        outside += said
        _taken_apart(own, [each for each in body if each not in stay])
    tree = replace(members[0].tree, locations={**members[0].tree.locations, **located(members)})
    return Looped(_Loop(tree, circle, fresh, [*outside, *alike], again).tree(), sequence, tuple(each.receiver for each in circle))


def _own(member: Member, steady: Callable[[str], bool], fresh: _Fresh, sequence: str, circle: list[Own]) -> Own:
    memo, key = (fresh("memo"), fresh("key")) if member.is_cached else ("", "")
    node = member.tree.node
    return Own(member, _parameters(node), fresh.locals, steady, fresh, sequence, fresh("receiver"), memo, key, circle, Step(node))


def _taken_apart(own: Own, body: list[Any]) -> None:
    steps = Steps(own)
    if own.member.is_cached:
        steps.remember(own.member.tree.node)
    steps.block(body)
    if steps.step.end is None:
        steps.here = own.member.tree.node
        steps.returned(cst.Return())


class _Fresh:
    """Names that the functions do not have."""

    def __init__(self, members: tuple[Member, ...]) -> None:
        self.taken = set(NONE.union(*(nodes.names_inside(each.tree.node) for each in members)))
        self.locals: set[str] = set()

    def __call__(self, hint: str) -> str:
        found = next(name for name in (hint, *(f"{hint}_{k}" for k in range(1, len(self.taken) + 2))) if name not in self.taken)
        self.taken.add(found)
        self.locals.add(found)
        return found


def _is_alike_in_all_calls(own: Own, scope: Scope, body: list[Any], statement: Any) -> bool:
    """Whether a statement makes a function that sees no other names than parameters which each call hands on: it is made once, before the loop."""
    match statement:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.Lambda()):
            function: Any = statement.value
        case cst.FunctionDef(name=cst.Name(value=name), asynchronous=None) if not statement.decorators:
            function = statement
        case _:
            return False
    node = own.member.tree.node
    seen = (names_read(function) & scope.bound) - scope_of(function).bound - {name}
    calls = [each for each in nodes.inside(node.body) if isinstance(each, cst.Call) and own.calls(each)]
    is_bound_again = name in assigned(each for each in body if each is not statement) or name in _parameters(node)
    calls_itself = any(each in calls for each in nodes.inside(function))
    return not is_bound_again and not calls_itself and not seen & assigned(body) and len(own.circle) == 1 and all(_hands_on(node, call, each) for call in calls for each in seen)


def _hands_on(node: FunctionNode, call: cst.Call, name: str) -> bool:
    """Whether a call of itself gives a parameter to the parameter of the same name."""
    place = list(_parameters(node)).index(name)
    plain = [arg for arg in call.args if arg.keyword is None]
    if any(arg.star for arg in call.args):
        return False
    given = plain[place].value if place < min(len(plain), positional_of(node)) else next((arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == name), None)
    return _is_name(given, name)


def _refuse(node: FunctionNode, scope: Scope, names: frozenset[str], alike: list[Any], given: set[cst.CSTNode]) -> None:
    """Functions whose calls can't share their names. `alike`: the statements that make functions which they can share, or which are made anew; `given`: the lambdas that calls are done with."""
    if names & scope.bound:
        raise NotLooped("a function in which its own name is another's", node)
    if not isinstance(node, cst.Lambda) and scope.captured & scope.bound:
        of_all = {each for statement in alike for each in nodes.inside(statement)}
        for each in nodes.inside(node.body):
            if each in of_all:
                continue
            if isinstance(each, cst.FunctionDef):
                raise NotLooped("a nested function that sees names of the one that calls itself", each)
            if isinstance(each, cst.Lambda) and names_read(each) & scope.bound and each not in given:
                raise NotLooped("a lambda that sees names of the function that calls itself", each)
    if isinstance(node.params.star_arg, cst.Param) or node.params.star_kwarg is not None:
        raise NotLooped("parameters with a star of a function that calls itself", node)
    for each in nodes.inside(node.body):
        if isinstance(each, cst.Yield | cst.Await):
            raise NotLooped("a generator that calls itself", each)


def _parameters(node: FunctionNode) -> dict[str, cst.BaseExpression | None]:
    return {param.name.value: param.default for param in all_params(node.params)}


class _Loop:
    """Writes the loop."""

    def __init__(self, tree: Tree, circle: list[Own], fresh: _Fresh, before: list[Any], again: dict[str, Any]) -> None:
        self.source, self.own, self.circle, self.before, self.again = tree, circle[0], circle, before, again
        self.first = self.own.first
        self.order = _reached(self.first)
        self.calls = [each.end for each in self.order if isinstance(each.end, OwnCall)]
        if not any(each.of is self.own for each in self.calls):
            raise NotLooped("a function that calls itself by way of others", tree.node)
        self.returns_value = any(isinstance(each.end, Return) and each.end.value is not None for each in self.order)
        self.is_tail = all(map(self.is_last, self.calls))
        self.shared = _shared(circle, self.order, self.calls)
        places = self.leaders()
        self.live = _Live(self.own, self.order, self.shared, again, frozenset(places))
        self.place, self.places, self.depth = fresh("place"), fresh("places"), fresh("depth")
        self.results = _results(circle, self.order, fresh)
        self.kept = {each: tuple(sorted(self.live.kept(each))) for each in self.calls}
        self.stacks = {name: fresh(f"{name}_stack") for each in self.calls for name in self.kept[each]}
        self.numbers = {each: number for number, each in enumerate(places)}
        self.where: dict[cst.CSTNode, Location] = dict(tree.locations)

    def is_last(self, call: OwnCall) -> bool:
        """Whether nothing is left to do after a call but to return what it gave."""
        step = call.to
        while isinstance(step.end, Jump) and not step.statements:
            step = step.end.to
        if step.statements or not isinstance(step.end, Return):
            return False
        return step.end.last or not self.returns_value or call.gives is not None and _is_name(step.end.value, call.gives)

    def leaders(self) -> list[Step]:
        """The steps that are places: in the order in which they stand in the source."""
        met: dict[Step, int] = {self.first: 2}
        for step in self.order:
            if isinstance(step.end, OwnCall):
                met[step.end.of.first] = 2
                met[step.end.to] = 2 if not self.is_tail else met.get(step.end.to, 0)
                continue
            for to in _following(step):
                met[to] = met.get(to, 0) + 1
        return [step for step in self.order if met.get(step, 0) > 1]

    # ---- statements -------------------------------------------------------------------------------------------------------------

    def tree(self) -> Tree:
        """The function's tree, with the loop for its body."""
        node: Any = self.source.node
        own = [cst.Param(nodes.name(each)) for each in (self.own.sequence, *(each.receiver for each in self.circle))]
        params = node.params.with_changes(kwonly_params=[*node.params.kwonly_params, *own], star_arg=node.params.star_arg if node.params.kwonly_params else cst.ParamStar())
        body = nodes.suite(self.body())
        made = cst.FunctionDef(nodes.name("function"), params, body) if isinstance(node, cst.Lambda) else node.with_changes(params=params, body=body, decorators=())
        self.locate(made, self.source.where(node))
        return replace(self.source, node=made, locations=self.where)

    def body(self) -> list[Any]:
        start = self.first_lines()
        for number, each in enumerate(start):  # lists are told apart by where they are made
            where = self.source.where(self.source.node)
            self.where[each.value] = replace(where, end_line=where.line, end_column=where.column + 1 + number)
        places = list(self.numbers)
        inner = self.told(places[0])
        if len(places) > 1:
            inner = self.dispatched(places)
        if self.is_tail:
            return [*self.before, *start, cst.While(nodes.name("True"), nodes.suite(inner))]
        test = nodes.compare(nodes.name(self.place), cst.GreaterThanEqual(), nodes.number(0))
        result = self.results[self.own]
        last = [cst.Return(nodes.name(result))] if result else []
        return [*self.before, *start, cst.While(test, nodes.suite(inner)), *last]

    def first_lines(self) -> list[Any]:
        found = [nodes.assign(self.place, nodes.number(0))] if len(self.numbers) > 1 or not self.is_tail else []
        if self.is_tail:
            return [*found, *self.looked_at(), nodes.assign(self.depth, nodes.number(0))]
        found.append(nodes.assign(self.places, cst.List([cst.Element(nodes.number(-1))])))
        memos = [nodes.assign(each.memo, cst.Dict([])) for each in self.circle if each.memo]
        return [*found, *memos, *self.looked_at(), *(nodes.assign(name, cst.List([])) for name in (*self.stacks.values(), *self.lists()))]

    def looked_at(self) -> list[Any]:
        """The functions are those that were found: by their names, and as the methods of the first one's object."""
        itself = next(iter(self.own.parameters), "")
        by_name, by_method = dict[str, None](), dict[str, None]()
        for call in self.calls:
            if isinstance(call.node, cst.Call) and call.of.member.is_method(call.node):
                by_method[call.of.receiver] = None
            elif isinstance(call.node, cst.Call) and isinstance(call.node.func, cst.Name) and call.of is not self.own:
                by_name[call.node.func.value] = None
        return [*(cst.Expr(nodes.name(each)) for each in by_name), *(cst.Expr(nodes.call(each, nodes.name(itself))) for each in by_method)]

    def lists(self) -> list[str]:
        """The names that begin as an empty list before they are read: lists are carried by loops from their beginning."""
        made = [
            target.target.value for step in self.order for each in step.statements if isinstance(each, cst.Assign) and isinstance(each.value, cst.List) and not each.value.elements
            for target in each.targets if isinstance(target.target, cst.Name)
        ]  # fmt: skip
        return [name for name in dict.fromkeys(made) if name in self.own.locals and name not in self.live.before[self.first]]

    def dispatched(self, places: list[Step]) -> list[Any]:
        """if place == 0: … elif place == 1: … else: …"""
        *others, last = places
        made: list[Any] = self.told(last)
        for step in reversed(others):
            made = [nodes.branch(nodes.compare(nodes.name(self.place), cst.Equal(), nodes.number(self.numbers[step])), self.told(step), made)]
        return made

    def told(self, step: Step) -> list[Any]:
        """What is done from a step on, to where another place is gone to."""
        found = self.after_call(step) + self.made_again(step) + self.located(step.origin, step.statements)
        match step.end:
            case Jump():
                found += self.gone_to(step.end.to)
            case Fork():
                found += self.located(step.origin, [nodes.branch(step.end.test, self.gone_to(step.end.then), self.gone_to(step.end.orelse))])
            case OwnCall():
                found += self.located(step.end.node, self.called(step.end))
            case Return():
                found += self.located(step.end.node, self.returned(step.end))
        return found

    def after_call(self, step: Step) -> list[Any]:
        """What the caller's names stood for, and what the call gave."""
        for each in self.calls if not self.is_tail else ():
            if each.to is step:
                restored = [nodes.assign(name, nodes.method(self.stacks[name], "pop")) for name in self.kept[each]]
                given = [nodes.assign(each.gives, nodes.name(self.results[each.of] or "None"))] if each.gives is not None else []
                return self.located(each.node, [*restored, *given])
        return []

    def made_again(self, step: Step) -> list[Any]:
        """The functions that are used from a place on, where they see this call's names."""
        made = []
        for name in sorted(self.live.anew.get(step, ())):
            statement = self.again[name]
            made.append(statement.deep_clone())
            for new, old in zip(nodes.inside(made[-1]), nodes.inside(statement), strict=True):
                if (where := self.place_of(old)) is not None:
                    self.where[new] = where
        return self.located(step.origin, made)

    def gone_to(self, step: Step) -> list[Any]:
        return [nodes.assign(self.place, nodes.number(self.numbers[step]))] if step in self.numbers else self.told(step)

    def called(self, call: OwnCall) -> list[Any]:
        given = {name: value for name, value in call.args.items() if name not in self.shared and not _is_name(value, name)}
        args = nodes.assign_all(list(given), list(given.values()))
        back = self.gone_to(call.of.first) if len(self.numbers) > 1 else []
        if self.is_tail:
            return [*args, _increment(self.depth), self.limited(nodes.name(self.depth)), *back]
        kept = [nodes.method(self.stacks[name], "append", nodes.name(name)) for name in self.kept[call]]
        pushed = [nodes.method(self.places, "append", nodes.number(self.numbers[call.to])), *kept]
        return [*map(cst.Expr, pushed), *args, self.limited(nodes.call("len", nodes.name(self.places))), *back]

    @staticmethod
    def limited(depth: cst.BaseExpression) -> Any:
        """A recursion that does not end raises as Python's does."""
        error = nodes.call("RecursionError", cst.SimpleString('"maximum recursion depth exceeded"'))
        return cst.If(nodes.compare(depth, cst.GreaterThan(), nodes.number(DEPTH)), nodes.suite([cst.Raise(error)]))

    def returned(self, end: Return) -> list[Any]:
        value = end.value
        if self.is_tail:
            return [cst.Return(value)]
        back = nodes.assign(self.place, nodes.method(self.places, "pop"))
        if not self.results[end.of] or end.last:
            return [back]
        return [nodes.assign(self.results[end.of], nodes.name("None") if value is None else value), back]

    # ---- places in the source --------------------------------------------------------------------------------------------------

    def located(self, origin: cst.CSTNode, statements: list[Any]) -> list[Any]:
        """The statements, all that is new in them being where the user's is."""
        where = self.place_of(origin) or self.source.where(self.source.node)
        for each in statements:
            self.locate(each, where)
        return statements

    def place_of(self, node: cst.CSTNode) -> Location | None:
        """Where the user's node stands; None of one that is new."""
        return self.where.get(node) or (self.source.where(node) if node in self.source.places else None)

    def locate(self, node: cst.CSTNode, where: Location) -> None:
        """Say of a node, and of those in it, where it is, unless that is known."""
        where = self.place_of(node) or where
        self.where[node] = where
        for part in parts_of(node):
            self.locate(part, where)


def _increment(name: str) -> Any:
    return nodes.assign(name, nodes.binary(nodes.name(name), cst.Add(), nodes.number(1)))


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _following(step: Step) -> tuple[Step, ...]:
    match step.end:
        case Jump():
            return (step.end.to,)
        case OwnCall():
            return (step.end.to, step.end.of.first)
        case Fork():
            return (step.end.then, step.end.orelse)
        case _:
            return ()


def _reached(first: Step) -> list[Step]:
    """The steps that are come to."""
    found: dict[Step, None] = {}
    waiting = [first]
    while waiting:
        step = waiting.pop()
        if step in found:
            continue
        found[step] = None
        waiting += reversed(_following(step))
    return list(found)


def _shared(circle: list[Own], steps: list[Step], calls: list[OwnCall]) -> frozenset[str]:
    """The parameters that each call hands on and nobody assigns."""
    bound = assigned(statement for step in steps for statement in step.statements)
    params = {name for own in circle for name in own.parameters} - bound
    return frozenset(name for name in params if all(_is_name(call.args.get(name), name) for call in calls if name in call.of.parameters))


def _results(circle: list[Own], steps: list[Step], fresh: _Fresh) -> dict[Own, str]:
    """The names of what the functions give, or nothing: one name for those of which one gives what the other does."""
    alike = {own: {own} for own in circle}
    for step in steps:
        if isinstance(step.end, OwnCall) and isinstance(step.end.to.end, Return) and step.end.to.end.last:
            both = alike[step.end.of] | alike[step.end.to.end.of]
            alike.update(dict.fromkeys(both, both))
    giving = {step.end.of for step in steps if isinstance(step.end, Return) and step.end.value is not None}
    found: dict[Own, str] = {}
    for own in circle:
        if own not in found:
            found.update(dict.fromkeys(alike[own], fresh("result") if alike[own] & giving else ""))
    return found


class _Live:
    """Which names are read after each step begins: those of the calls inside are others."""

    def __init__(self, own: Own, steps: list[Step], shared: frozenset[str], again: dict[str, Any], places: frozenset[Step]) -> None:
        self.own, self.shared, self.again, self.places = own, shared, again, places
        self.steady = {own.sequence, *(name for each in own.circle for name in (each.receiver, each.memo, *each.passing))}
        self.before: dict[Step, Names] = dict.fromkeys(steps, NONE)
        self.anew: dict[Step, Names] = {}
        """Which functions are used from a place on: they are made there."""
        changed = True
        while changed:
            changed = False
            for step in reversed(steps):
                found = self.at(step)
                changed |= found != self.before[step]
                self.before[step] = found

    def at(self, step: Step) -> Names:
        """What is live at the beginning of a step."""
        live = self.behind(step)
        scope = Scope((), NONE, NONE)
        for statement in reversed(step.statements):
            live = scope.before(statement, live)
            if statement not in self.again.values():
                live |= seen_by(self.again, statement)
        if step not in self.places:
            return live
        self.anew[step] = live & self.again.keys()
        return live - self.again.keys()

    def behind(self, step: Step) -> Names:
        match step.end:
            case Jump():
                return self.before[step.end.to]
            case Fork():
                return self.read(step.end.test) | self.before[step.end.then] | self.before[step.end.orelse]
            case OwnCall():
                return self.kept(step.end) | NONE.union(*map(self.read, step.end.args.values()))
            case Return():
                return self.read(step.end.value)
            case _:
                return NONE

    def read(self, node: cst.BaseExpression | None) -> Names:
        """What an expression reads, and what the functions see that it calls."""
        return NONE if node is None else names_read(node) | seen_by(self.again, node)

    def kept(self, call: OwnCall) -> Names:
        """What a call's caller needs afterwards."""
        return frozenset(name for name in self.before[call.to] if name in self.own.locals and name not in self.shared and name not in self.steady and name != call.gives)


__all__ = ["Looped", "Member", "NotLooped", "looped", "own_calls", "tried"]
