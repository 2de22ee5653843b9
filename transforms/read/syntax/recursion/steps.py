"""The steps of a function that calls itself: pieces of it between which it calls itself, branches and returns.

    def fact(n):                        0: if n < 2: 1, else 2
        if n < 2:                       1: return 1
            return 1                    2: call fact(n - 1), go on with 3
        return n * fact(n - 1)          3: called = result; return n * called

Statements in which none of that happens stay as they are, whole.
"""
from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Union

import libcst as cst

from s2s.records import dataclass, field
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.scope import Names, blocks_of, orelse_of
from s2s.transforms.read.syntax.source import FunctionNode, Tree, statements_of


class NotLooped(Exception):
    """This function can't be rewritten: what stands in the way, and where."""

    def __init__(self, what: str, node: cst.CSTNode) -> None:
        super().__init__(what)
        self.what, self.node = what, node


@dataclass(eq=False)
class Step:
    """Statements, then what follows them. `origin`: the user's statement that it begins in."""

    origin: cst.CSTNode
    statements: list[Any] = field(default_factory=list)
    end: End | None = None


@dataclass(eq=False)
class Jump:
    """Go on there."""

    to: Step


@dataclass(eq=False)
class Fork:
    """Go on here or there."""

    test: cst.BaseExpression
    then: Step
    orelse: Step


@dataclass(eq=False)
class OwnCall:
    """Call the function itself, or another one of its circle, and go on there with what it gives, if a name stands for that. `args`: by parameter."""

    of: Own
    args: dict[str, cst.BaseExpression]
    to: Step
    gives: str | None
    node: cst.CSTNode


@dataclass(eq=False)
class Return:
    """Return this, or None, from one of the functions. `last`: what the call before gave."""

    of: Own
    value: cst.BaseExpression | None
    node: cst.CSTNode
    last: bool = False


@dataclass(eq=False)
class Stop:
    """Nothing follows: an exception was raised."""


End = Union[Jump, Fork, OwnCall, Return, Stop]


@dataclass(frozen=True, eq=False)
class Member:
    """A function that calls itself, or one of a circle. `names`: those under which it is seen there; `method`: what it is called by as a method, or nothing; `is_cached`: whether it has a cache
    (functools.lru_cache).
    """

    tree: Tree
    names: Names
    method: str = ""
    is_cached: bool = False

    def is_called(self, node: cst.CSTNode) -> bool:
        """Whether a node is a call of it."""
        return isinstance(node, cst.Call) and (isinstance(node.func, cst.Name) and node.func.value in self.names or self.is_method(node))

    def is_method(self, node: cst.Call) -> bool:
        """Whether a call is one of a method of its name."""
        return bool(self.method) and isinstance(node.func, cst.Attribute) and node.func.attr.value == self.method


@dataclass(frozen=True, eq=False)
class Own:
    """What is known of the function, or of each of those that call each other in a circle: its parameters with their defaults, the locals of all of them;
    `steady`: whether what a name outside stands for surely is the same after a call; `fresh` makes a name.
    """

    member: Member
    parameters: dict[str, cst.BaseExpression | None]
    locals: set[str]
    steady: Callable[[str], bool]
    fresh: Callable[[str], str]
    sequence: str
    """The name of `marks.sequence`."""
    receiver: str
    """The name of what tells that an object's method is this one."""
    memo: str
    key: str
    """Of a function with a cache: the names of that and of a call's key in it, or nothing."""
    circle: list[Own]
    """All functions of the circle, itself among them."""
    first: Step
    """Where it begins."""
    passing: set[str] = field(default_factory=set)
    """Names that are stored right before each place where they are read: no call comes between."""

    def called(self, node: cst.CSTNode) -> Own | None:
        """Which of the functions a node calls."""
        return next((each for each in self.circle if each.member.is_called(node)), None)

    def calls(self, node: cst.CSTNode) -> bool:
        """Whether a node is a call of one of the functions."""
        return self.called(node) is not None

    def has_call(self, node: cst.CSTNode | None) -> bool:
        """Whether a call of one of the functions stands in a node."""
        return node is not None and any(map(self.calls, nodes.inside(node)))


@dataclass(eq=False)
class _Loop:
    again: Step
    after: Step


class Steps:
    """Takes a function's statements apart, from `own.first` on."""

    def __init__(self, own: Own) -> None:
        self.own = own
        self.here = own.first.origin
        self.step = own.first
        self.loops: list[_Loop] = []
        self.is_copy = False
        """Whether what is taken apart is a copy of the user's statements: where they stand the first one says."""

    # ---- where what is read now goes ------------------------------------------------------------------------------------------

    def put(self, *statements: Any) -> None:
        self.step.statements += statements

    def new(self) -> Step:
        return Step(self.here)

    def end(self, how: End, following: Step) -> None:
        """The step ends so; what is read next stands in `following`."""
        if self.step.end is None:
            self.step.end = how
        self.step = following

    def call(self, of: Own, args: dict[str, cst.BaseExpression], node: cst.CSTNode) -> cst.BaseExpression:
        """A call of one of the functions; the name of what it gives."""
        found, following = self.own.fresh("called"), self.new()
        self.end(OwnCall(of, args, following, found, node), following)
        return nodes.name(found)

    def kept(self, value: cst.BaseExpression, hint: str) -> cst.Name:
        """The name of what an expression is now."""
        found = self.own.fresh(hint)
        self.put(nodes.assign(found, value))
        return nodes.name(found)

    # ---- statements -----------------------------------------------------------------------------------------------------------

    def block(self, statements: list[Any]) -> None:
        for statement in statements:
            if self.step.end is not None:
                return
            if not self.is_copy:
                self.here = statement
            if not self.step.statements:
                self.step.origin = self.here
            self.statement(statement)

    def statement(self, node: Any) -> None:
        if not self.is_split(node):
            self.put(node)
            if isinstance(node, cst.Raise):
                self.end(Stop(), self.step)
            return
        rule = STATEMENTS.get(type(node))
        if rule is None:
            raise NotLooped(f"a call of itself, or a return, inside of a statement of this kind ({type(node).__name__.lower()})", node)
        rule(self, node)

    def remember(self, node: cst.CSTNode) -> None:
        """What a function with a cache begins with: the result, where it was worked out before."""
        names = [nodes.name(each) for each in self.own.parameters]
        key: Any = names[0] if len(names) == 1 else cst.Tuple([cst.Element(each) for each in names])
        self.put(nodes.assign(self.own.key, key))
        known, body = self.new(), self.new()
        self.end(Fork(nodes.compare(nodes.name(self.own.key), cst.In(), nodes.name(self.own.memo)), known, body), known)
        self.end(Return(self.own, nodes.item(nodes.name(self.own.memo), nodes.name(self.own.key)), node), body)

    def is_split(self, node: Any) -> bool:
        """Whether a statement calls the function itself or leaves what is taken apart."""
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            return self.own.has_call(node)
        return self.own.has_call(node) or leaves(node, bool(self.loops), in_loop=False)

    def returned(self, node: cst.Return) -> None:
        if self.own.memo:
            found = self.kept(nodes.name("None") if node.value is None else self.value(node.value), "found")
            self.put(nodes.assign(nodes.item(nodes.name(self.own.memo), nodes.name(self.own.key)), found))
            self.end(Return(self.own, nodes.name(found.value), self.here), self.step)
        elif node.value is not None and (of := self.own.called(node.value)) is not None:
            args = self.arguments(of, node.value)
            self.end(OwnCall(of, args, Step(self.here, [], Return(self.own, None, self.here, last=True)), None, node.value), self.step)
        elif isinstance(node.value, cst.IfExp) and (self.own.has_call(node.value.body) or self.own.has_call(node.value.orelse)):
            then, orelse = self.new(), self.new()
            self.end(Fork(self.value(node.value.test), then, orelse), then)
            self.returned(node.with_changes(value=node.value.body))
            self.step = orelse
            self.returned(node.with_changes(value=node.value.orelse))
        else:
            self.end(Return(self.own, None if node.value is None else self.value(node.value), self.here), self.step)

    def expression(self, node: cst.Expr) -> None:
        if (of := self.own.called(node.value)) is not None:
            args, following = self.arguments(of, node.value), self.new()
            self.end(OwnCall(of, args, following, None, node.value), following)
            return
        self.put(node.with_changes(value=self.value(node.value)))

    def assigned(self, node: cst.Assign | cst.AnnAssign) -> None:
        targets = [each.target for each in node.targets] if isinstance(node, cst.Assign) else [node.target]
        self.not_in(*targets)
        self.put(node.with_changes(value=self.value(node.value)))

    def augmented(self, node: cst.AugAssign) -> None:
        """The target is looked at before the value is worked out."""
        self.not_in(node.target)
        target = node.target
        if isinstance(target, cst.Name):
            if target.value not in self.own.locals:
                raise NotLooped(f"{target.value} of the function around, read before and stored after a call of itself", node)
            self.put(node.with_changes(value=self.value(node.value)))
            return
        target = self.steady_target(target)
        before = self.kept(target, "before")
        self.put(node.with_changes(target=before, value=self.value(node.value)), nodes.assign(target.deep_clone(), nodes.name(before.value)))

    def steady_target(self, target: Any) -> Any:
        """A subscript or attribute whose parts are names that stay."""
        if isinstance(target, cst.Attribute):
            return target.with_changes(value=self.steady(target.value))
        if isinstance(target, cst.Subscript) and len(target.slice) == 1 and isinstance(target.slice[0].slice, cst.Index):
            return nodes.item(self.steady(target.value), self.steady(target.slice[0].slice.value))
        raise NotLooped("an augmented assignment of this target by what a call of itself gives", target)

    def branched(self, node: cst.If) -> None:
        test = self.value(node.test)
        then, orelse, after = self.new(), self.new(), self.new()
        self.end(Fork(test, then, orelse), then)
        self.block(list(statements_of(node.body)))
        self.end(Jump(after), orelse)
        self.block(orelse_of(node))
        self.end(Jump(after), after)

    def while_loop(self, node: cst.While) -> None:
        if node.orelse is not None:
            raise NotLooped("a call of itself, or a return, inside of a loop with an else", node)
        head, body, after = self.new(), self.new(), self.new()
        self.end(Jump(head), head)
        test = self.value(node.test)
        self.end(Fork(test, body, after), body)
        self.loop_body(node, _Loop(head, after))

    def loop_body(self, node: cst.For | cst.While, loop: _Loop) -> None:
        self.loops.append(loop)
        self.block(list(statements_of(node.body)))
        self.loops.pop()
        self.end(Jump(loop.again), loop.after)

    def for_loop(self, node: cst.For) -> None:
        if node.orelse is not None:
            raise NotLooped("a call of itself, or a return, inside of a loop with an else", node)
        if isinstance(node.iter, cst.Tuple | cst.List) and len(node.iter.elements) <= FEW and all(map(_is_constant, node.iter.elements)):
            self.each_constant(node, [each.value for each in node.iter.elements])
            return
        test, start, advance = self.through(node.iter, node.target)
        head, body, after = self.new(), self.new(), self.new()
        self.put(*start)
        self.end(Jump(head), head)
        self.end(Fork(test, body, after), body)
        self.put(*advance)
        self.loop_body(node, _Loop(head, after))

    def each_constant(self, node: cst.For, values: list[cst.BaseExpression]) -> None:
        """A loop through a few constants: its trips one after the other."""
        after, was_copy = self.new(), self.is_copy
        for number, value in enumerate(values):
            following = self.new()
            self.put(nodes.assign(node.target if number == 0 else node.target.deep_clone(), value))
            self.is_copy = was_copy or number > 0
            self.loops.append(_Loop(following, after))
            self.block(list(statements_of(node.body if number == 0 else node.body.deep_clone())))
            self.loops.pop()
            self.end(Jump(following), following)
        self.is_copy = was_copy
        self.end(Jump(after), after)

    def through(self, iterable: cst.BaseExpression, target: Any) -> tuple[cst.BaseExpression, list[Any], list[Any]]:
        """Of a loop through something: whether there is a next item, what stands before the loop, and what takes the item."""
        builtin = iterable.func.value if isinstance(iterable, cst.Call) and isinstance(iterable.func, cst.Name) else ""
        if builtin in self.own.locals or isinstance(iterable, cst.Call) and any(arg.star or arg.keyword for arg in iterable.args):
            builtin = ""
        if builtin == "range":
            return self.through_range([arg.value for arg in iterable.args], target)  # type: ignore[attr-defined]
        count: Any = None
        if builtin == "enumerate" and len(iterable.args) == 1 and isinstance(target, cst.Tuple) and len(target.elements) == 2:  # type: ignore[attr-defined]
            iterable = iterable.args[0].value  # type: ignore[attr-defined]
            count, target = (element.value for element in target.elements)
        if isinstance(iterable, cst.List):  # nobody else sees it
            iterable = cst.Tuple(iterable.elements)
        items, at = self.own.fresh("items"), self.own.fresh("at")
        start = [nodes.assign(items, nodes.call(self.own.sequence, self.value(iterable))), nodes.assign(at, nodes.number(0))]
        test = nodes.compare(nodes.name(at), cst.LessThan(), nodes.call("len", nodes.name(items)))
        advance = [nodes.assign(target, nodes.item(nodes.name(items), nodes.name(at)))]
        if count is not None:
            advance.append(nodes.assign(count, nodes.name(at)))
        return test, start, [*advance, nodes.assign(at, nodes.binary(nodes.name(at), cst.Add(), nodes.number(1)))]

    def through_range(self, args: list[cst.BaseExpression], target: Any) -> tuple[cst.BaseExpression, list[Any], list[Any]]:
        args = self.values(args)
        lo, hi, by = (nodes.number(0), args[0], nodes.number(1)) if len(args) == 1 else (*args, nodes.number(1))[:3]
        at = self.own.fresh("at")
        start = [nodes.assign(at, lo)]
        if not _is_number(hi):
            end = self.own.fresh("end")
            start.append(nodes.assign(end, hi))
            hi = nodes.name(end)
        if not _is_number(by):
            raise NotLooped("a range whose step is no number that stands there, around a call of itself or a return", by)
        test = nodes.compare(nodes.name(at), cst.GreaterThan() if isinstance(by, cst.UnaryOperation) else cst.LessThan(), hi)
        return test, start, [nodes.assign(target, nodes.name(at)), nodes.assign(at, nodes.binary(nodes.name(at), cst.Add(), by))]

    def left(self, node: cst.Break | cst.Continue) -> None:
        loop = self.loops[-1]
        self.end(Jump(loop.after if isinstance(node, cst.Break) else loop.again), self.step)

    def asserted(self, node: cst.Assert) -> None:
        self.put(node.with_changes(test=self.value(node.test)))

    def raised(self, node: cst.Raise) -> None:
        raise NotLooped("a call of itself in a raise", node)

    def not_in(self, *parts: cst.CSTNode) -> None:
        """Refuse calls of itself where a value is stored to."""
        for each in parts:
            if self.own.has_call(each):
                raise NotLooped("a call of itself in the place that is stored to", each)

    # ---- expressions (`own_calls.py`) -------------------------------------------------------------------------------------------

    def value(self, node: Any) -> Any:
        """The expression without calls of the function itself: those are steps before it."""
        if not self.own.has_call(node):
            return node
        rule = EXPRESSIONS.get(type(node))
        if rule is None:
            raise NotLooped("a call of itself in an expression of this kind", node)
        return rule(self, node)

    def values(self, parts: list[Any]) -> list[Any]:
        """Expressions that are evaluated one after another."""
        last = max((k for k, part in enumerate(parts) if self.own.has_call(part)), default=-1)
        bound = {each.target.value for part in parts for each in nodes.inside(part) if isinstance(each, cst.NamedExpr) and isinstance(each.target, cst.Name)}
        return [self.value(part) if k >= last else self.steady(part, bound) for k, part in enumerate(parts)]

    def steady(self, node: Any, bound: Collection[str] = ()) -> Any:
        """What an expression gives now, whatever calls come behind it, and whichever of these names are bound there."""
        value = self.value(node)
        stays = self.is_steady(value) and not (isinstance(value, cst.Name) and value.value in bound)
        return value if stays else self.kept(value, "value")

    def is_steady(self, node: Any) -> bool:
        if isinstance(node, cst.Name):
            return node.value in self.own.locals or self.own.steady(node.value)
        if isinstance(node, cst.Lambda):
            return True
        return _is_number(node) or isinstance(node, cst.SimpleString)

    def arguments(self, of: Own, node: Any) -> dict[str, cst.BaseExpression]:
        """What a call of one of the functions gives its parameters."""
        names, found, positional = list(of.parameters), {}, positional_of(of.member.tree.node)
        if any(arg.star for arg in node.args):
            raise NotLooped("a call of itself with *", node)
        args = list(node.args)
        if of.member.is_method(node):
            itself = isinstance(node.func.value, cst.Name) and node.func.value.value == next(iter(self.own.parameters))  # looked at once, at the function's beginning
            args.insert(0, cst.Arg(node.func.value if itself else nodes.call(of.receiver, node.func.value)))
        values = self.values([arg.value for arg in args])
        for number, (arg, value) in enumerate(zip(args, values, strict=True)):
            name = arg.keyword.value if arg.keyword is not None else names[number] if number < positional else None
            if name not in of.parameters or name in found:
                raise NotLooped("a call of itself with arguments that it does not take", node)
            found[name] = value
        for name, default in of.parameters.items():
            if name in found:
                continue
            if default is None:
                raise NotLooped(f"a call of itself without {name}", node)
            if not _is_number(default) and not isinstance(default, cst.Name | cst.SimpleString):
                raise NotLooped(f"a call of itself that leaves {name} to its default", node)
            found[name] = default.deep_clone()
        return found


FEW = 8
"""Trips of a loop through constants that are written one after the other."""


def positional_of(node: FunctionNode) -> int:
    """How many parameters of a function may be given by position."""
    return len(node.params.posonly_params) + len(node.params.params)


def _is_constant(element: cst.BaseElement) -> bool:
    value = element.value
    if isinstance(value, cst.Tuple):
        return all(map(_is_constant, value.elements))
    return isinstance(element, cst.Element) and (_is_number(value) or isinstance(value, cst.SimpleString))


def _is_number(node: Any) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and _is_number(node.expression)
    return isinstance(node, cst.Integer | cst.Float)


def leaves(node: Any, split: bool, *, in_loop: bool) -> bool:
    """Whether a statement returns, or leaves a loop around it (`split`: there is one that is taken apart)."""
    if isinstance(node, cst.Return):
        return True
    if isinstance(node, cst.Break | cst.Continue):
        return split and not in_loop
    if isinstance(node, cst.FunctionDef | cst.ClassDef):
        return False
    if isinstance(node, cst.For | cst.While):
        body, orelse = blocks_of(node)
        return any(leaves(each, split, in_loop=True) for each in body) or any(leaves(each, split, in_loop=in_loop) for each in orelse)
    return any(leaves(statement, split, in_loop=in_loop) for block in blocks_of(node) for statement in block)


STATEMENTS: dict[type, Callable[[Steps, Any], None]] = {
    cst.Return: Steps.returned, cst.Expr: Steps.expression, cst.Assign: Steps.assigned, cst.AnnAssign: Steps.assigned, cst.AugAssign: Steps.augmented, cst.If: Steps.branched,
    cst.While: Steps.while_loop, cst.For: Steps.for_loop, cst.Break: Steps.left, cst.Continue: Steps.left, cst.Assert: Steps.asserted, cst.Raise: Steps.raised,
}  # fmt: skip
EXPRESSIONS: dict[type, Callable[[Steps, Any], Any]] = {}
"""By the kind of expression: filled in by `own_calls.py`."""
