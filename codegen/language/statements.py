"""The loop language: what programs are lowered to, and how it is printed as Python.

    Loop("i", 0, n, 1, (Store("u", (Name("i"),), Number(0.0)),))        for i in range(n):
                                                                              u[i] = 0.0

Statements remember the user's code; the statement there is printed as a comment above the first one that stems from it (`comments`).
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, is_
from typing import Any, ClassVar, TypeVar, Union

import numpy as np

from s2s.codegen.language.comments import comment as user_statement
from s2s.codegen.language.comments import first_line
from s2s.codegen.language.expressions import Expr, Infix, Invoke, Load, Name, Number, Op, Operation, Part, Sum, names_read, total
from s2s.codegen.language.expressions import walk as walk_expression
from s2s.codegen.language.lines import WIDTH, Line
from s2s.codegen.language.operations import ADD, NEGATE, SUBTRACT, dtype_name, is_negative, negated
from s2s.codegen.language.printing import text
from s2s.errors import NOWHERE, Location
from s2s.records import cached_property, dataclass, replace


class _Node:
    """What passes ask of every statement, found once for each: it does not change, and most passes keep most of them."""

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Its own blocks, in order."""
        return _BODIES[type(self)](self)

    @cached_property
    def inside(self) -> tuple[Statement, ...]:
        """Every statement of its blocks, outer before inner, in order."""
        return tuple(walk([each for body in self.bodies for each in body]))

    @cached_property
    def by_kind(self) -> dict[type, list[Any]]:
        """The same, by the kind of statement."""
        found: dict[type, list[Any]] = {}
        for body in self.bodies:
            for each in body:
                found.setdefault(type(each), []).append(each)
                if each.bodies:
                    for kind, more in each.by_kind.items():
                        found.setdefault(kind, []).extend(more)
        return found

    @cached_property
    def names_read(self) -> frozenset[str]:
        """Every variable that is read, in its blocks too."""
        inner = [each.names_read for body in self.bodies for each in body]
        return frozenset().union(*[expr.names for expr in expressions(self)], *inner)  # type: ignore[arg-type]

    @cached_property
    def names_used(self) -> frozenset[str]:
        """Every variable that is read or stored into, in its blocks too."""
        stored = [each.array for each in of_kind((self,), Store)]  # type: ignore[arg-type]
        return self.names_read.union(stored) if stored else self.names_read

    @cached_property
    def operations(self) -> frozenset[Operation]:
        """Every operation in its expressions, in its blocks too."""
        inner = [each.operations for body in self.bodies for each in body]
        return frozenset().union(*[expr.operations for expr in expressions(self)], *inner)  # type: ignore[arg-type]


class _Simple(_Node):
    """A statement without blocks."""

    bodies: ClassVar[tuple[Body, ...]] = ()
    inside: ClassVar[tuple[Statement, ...]] = ()


@dataclass(frozen=True)
class Assign(_Simple):
    """targets = values, all at once. `move`: array variables get other arrays (their elements are not touched)."""

    targets: tuple[str, ...]
    values: tuple[Expr, ...]
    where: Location = NOWHERE
    move: bool = False


@dataclass(frozen=True)
class Store(_Simple):
    """array[index] = value; with `op` array[index] = array[index] op value."""

    array: str
    index: tuple[Expr, ...]
    value: Expr
    op: Operation | None = None
    where: Location = NOWHERE


@dataclass(frozen=True)
class Alloc(_Simple):
    """name = np.empty(shape, dtype)."""

    name: str
    shape: tuple[Expr, ...]
    dtype: np.dtype
    where: Location = NOWHERE


@dataclass(frozen=True)
class Loop(_Node):
    """for index in range(lo, hi, step). `example`: the index is the number of an example of a batch, which errors name."""

    index: str
    lo: Expr
    hi: Expr
    step: Expr
    body: Body
    where: Location = NOWHERE
    example: bool = False


@dataclass(frozen=True)
class WhileLoop(_Node):
    """while test (a pure expression), or `while True: head; if not test: break; body`."""

    head: Body
    test: Expr
    body: Body
    where: Location = NOWHERE


@dataclass(frozen=True)
class IfElse(_Node):
    """if test: then else: orelse."""

    test: Expr
    then: Body
    orelse: Body = ()
    where: Location = NOWHERE


@dataclass(frozen=True)
class Raise(_Simple):
    """raise exception(message). `stretch`: it says that sizes must be known (`program.Check`). `late`: it may be raised after the innermost loop around it.
    `examples`: the numbers of the examples in which it stands, the outermost batch's first, until they are put into the message (`passes/examples.py`).
    `made`: the name of what is raised where the exception is made of more than one text (`program.Check.made`): its class, or that of a stand-in (`made_errors.py`).
    """

    exception: str
    args: tuple[Expr, ...]
    where: Location
    stretch: bool
    late: bool
    examples: tuple[Expr, ...] = ()
    made: str = ""


@dataclass(frozen=True)
class CallKernel(_Simple):
    """targets = kernel(args)."""

    targets: tuple[str, ...]
    kernel: str
    args: tuple[Expr, ...]
    where: Location = NOWHERE
    writes: tuple[str, ...] = ()
    """The arrays among the arguments that it stores into."""


@dataclass(frozen=True)
class Return(_Simple):
    """return values."""

    values: tuple[Expr, ...]
    where: Location = NOWHERE


Statement = Union[Assign, Store, Alloc, Loop, WhileLoop, IfElse, Raise, CallKernel, Return]
Body = tuple[Statement, ...]
Kind = TypeVar("Kind")


def is_check(statement: IfElse) -> bool:
    """Whether it raises or does nothing."""
    return len(statement.then) == 1 and isinstance(statement.then[0], Raise) and not statement.orelse


_BODIES: dict[type, Callable[[Any], tuple[Body, ...]]] = {
    Loop: lambda loop: (loop.body,), WhileLoop: attrgetter("head", "body"), IfElse: attrgetter("then", "orelse"),
}


def with_bodies(statement: Statement, new: tuple[Body, ...]) -> Statement:
    """The statement with its blocks replaced; itself where they hold the very same, with all that is known of it."""
    if all(map(_is_same, statement.bodies, new)):
        return statement
    match statement:
        case Loop():
            return replace(statement, body=new[0])
        case WhileLoop():
            return replace(statement, head=new[0], body=new[1])
        case IfElse():
            return replace(statement, then=new[0], orelse=new[1])
        case _:
            return statement


def _is_same(old: Body, new: Body) -> bool:
    """Whether two blocks hold the very same statements."""
    return old is new or len(old) == len(new) and all(map(is_, old, new))


def with_each_body(statement: Statement, change: Callable[[Body], Body]) -> Statement:
    """The statement with each of its blocks changed; itself where that changes nothing."""
    return with_bodies(statement, tuple(map(change, statement.bodies))) if statement.bodies else statement


def expressions(statement: Statement) -> tuple[Expr, ...]:
    """The expressions of the statement itself (not of its blocks)."""
    return _EXPRESSIONS[type(statement)](statement)


_EXPRESSIONS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((Assign, Return), attrgetter("values")), Store: lambda store: (*store.index, store.value), Alloc: attrgetter("shape"),
    Loop: attrgetter("lo", "hi", "step"), **dict.fromkeys((WhileLoop, IfElse), lambda statement: (statement.test,)),
    Raise: lambda statement: (*statement.args, *statement.examples), CallKernel: attrgetter("args"),
}  # fmt: skip


def walk(body: Iterable[Statement]) -> list[Statement]:
    """Every statement, outer before inner."""
    found: list[Statement] = []
    for statement in body:
        found.append(statement)
        found += statement.inside
    return found


def of_kind(body: Iterable[Statement], kind: type[Kind]) -> list[Kind]:
    """Every statement of a kind, in the order of `walk`."""
    found: list[Kind] = []
    for statement in body:
        if type(statement) is kind:
            found.append(statement)
        if statement.bodies:
            found += statement.by_kind.get(kind, ())
    return found


def assigned(body: Iterable[Statement]) -> list[str]:
    """The targets of every assignment and call."""
    body = tuple(body)
    return [*(name for each in of_kind(body, Assign) for name in each.targets), *(name for each in of_kind(body, CallKernel) for name in each.targets)]


def names_used(body: Iterable[Statement]) -> frozenset[str]:
    """Every variable that is read or stored into (not those only assigned)."""
    return frozenset().union(*(statement.names_used for statement in body))


def operations_in(body: Iterable[Statement]) -> frozenset[Operation]:
    """Every operation in the statements' expressions."""
    return frozenset().union(*[statement.operations for statement in body])


def ranges_read(*loops: Loop) -> frozenset[str]:
    """The variables that the ranges of loops are told by."""
    return frozenset[str]().union(*(expr.names for loop in loops for expr in expressions(loop)))


def functions_called(body: Iterable[Statement]) -> set[str]:
    """Every function that is called by its name."""
    called = {each.kernel for each in walk(body) if isinstance(each, CallKernel)}
    return called | functions_in(expr for each in walk(body) for expr in expressions(each))


def functions_in(found: Iterable[Expr]) -> set[str]:
    """Every function that expressions call by its name."""
    exprs = list(found)
    called = {part.function for expr in exprs for part in walk_expression(expr) if type(part) is Invoke}
    return called.union(*[operation.functions for expr in exprs for operation in expr.operations])


# ---- printing -------------------------------------------------------------------------------------------------------


def lines(body: Body, indent: str = "    ", said: Location = NOWHERE, examples: tuple[str, ...] = ()) -> Iterator[Line]:
    """The statements as Python lines, each with its place. `said`: the user's line that the last comment showed; `examples`: the indices of the loops over
    examples in which they stand.
    """
    for statement in body:
        comment = _comment(statement, said, WIDTH - len(indent) - 2)
        if comment:
            said = statement.where
        written = list(_lines(statement, indent, said, examples))
        if comment and written[0].strip() != comment:
            yield Line(f"{indent}# {comment}", statement.where)
        spots = _spots(statement)
        yield from (line if isinstance(line, Line) else Line(line, statement.where, spots=spots, examples=examples) for line in written)


def _spots(statement: Statement) -> tuple[tuple[str, Location], ...]:
    """The parts of a statement that stem from other code of the user's than itself."""
    parts: list[Any] = [part for expr in expressions(statement) for part in walk_expression(expr) if type(part) in _PLACED]
    return tuple([(text(part), part.where) for part in parts if part.where not in (NOWHERE, statement.where)])


_PLACED = frozenset((Load, Part, Invoke))
"""Expressions that may stem from another line than their statement."""


def _comment(statement: Statement, said: Location, width: int) -> str:
    where = statement.where
    if not where.line or isinstance(statement, Return) or said.line and first_line(where) == first_line(said):
        return ""
    return user_statement(where, width)


def _lines(statement: Statement, indent: str, said: Location, examples: tuple[str, ...]) -> Iterator[str]:
    inner = indent + "    "
    match statement:
        case Assign():
            yield indent + _assign(statement)
        case Store():
            yield indent + _store(statement)
        case Alloc():
            yield f"{indent}{statement.name} = {allocation(statement.shape, statement.dtype)}"
        case Loop():
            yield f"{indent}for {statement.index} in {range_text(statement)}:"
            yield from lines(statement.body, inner, said, (*examples, statement.index) if statement.example else examples)
        case WhileLoop() if not statement.head:
            yield f"{indent}while {text(statement.test)}:"
            yield from lines(statement.body, inner, said, examples)
            if not statement.body:
                yield inner + "pass"
        case WhileLoop():
            yield f"{indent}while True:"
            yield from lines(statement.head, inner, said, examples)
            yield f"{inner}if {text(negated(statement.test))}:"
            yield f"{inner}    break"
            yield from lines(statement.body, inner, said, examples)
        case IfElse():
            yield from _if(statement, indent, said, examples)
        case Raise():
            args = ", ".join(map(text, statement.args))
            shown = f"{indent}raise {statement.made or statement.exception}({args})"
            yield Line(shown, statement.where, raises=True, stretch=statement.stretch, spots=_spots(statement))
        case CallKernel():
            call = f"{statement.kernel}({', '.join(map(text, statement.args))})"
            yield f"{indent}{', '.join(statement.targets)} = {call}" if statement.targets else indent + call
        case Return():
            yield f"{indent}return {', '.join(map(text, statement.values))}".rstrip()


def _if(statement: IfElse, indent: str, said: Location, examples: tuple[str, ...]) -> Iterator[str]:
    inner = indent + "    "
    test, then, orelse = statement.test, statement.then, statement.orelse
    if not then:
        test, then, orelse = negated(test), orelse, ()
    yield f"{indent}if {text(test)}:"
    yield from lines(then, inner, said, examples)
    if not then:
        yield inner + "pass"
    while len(orelse) == 1 and isinstance(orelse[0], IfElse) and orelse[0].then and not _comment(orelse[0], said, WIDTH):
        yield f"{indent}elif {text(orelse[0].test)}:"
        yield from lines(orelse[0].then, inner, said, examples)
        orelse = orelse[0].orelse
    if orelse:
        yield f"{indent}else:"
        yield from lines(orelse, inner, said, examples)


def range_text(loop: Loop) -> str:
    """range(hi), range(lo, hi) or range(lo, hi, step)."""
    parts = [text(loop.lo), text(loop.hi), text(loop.step)]
    if parts[2] == "1":
        parts = parts[1:2] if parts[0] == "0" else parts[:2]
    return f"range({', '.join(parts)})"


def allocation(shape: tuple[Expr, ...], dtype: np.dtype, *, zeroed: bool = False) -> str:
    """np.empty(shape, dtype) or np.zeros(shape, dtype), the dtype left out where it is float64."""
    lengths = ", ".join(map(text, shape))
    lengths = lengths if len(shape) == 1 else f"({lengths})"
    return f"np.{'zeros' if zeroed else 'empty'}({lengths}{'' if dtype == np.float64 else f', {dtype_name(dtype)}'})"


def _assign(statement: Assign) -> str:
    if len(statement.targets) == 1:
        target, value = statement.targets[0], statement.values[0]
        if not statement.move and isinstance(value, Op) and value.operation.augments and value.operands[0] == Name(target):
            return f"{target} {_symbol(value.operation)}= {text(value.operands[1])}"
        if isinstance(value, Sum) and (Name(target), 1) in value.terms:
            rest = total((value, 1), (Name(target), -1))
            if target not in names_read(rest):
                return f"{target} -= {text(total((rest, -1)))}" if is_negative(rest) else f"{target} += {text(rest)}"
    return f"{', '.join(statement.targets)} = {', '.join(map(text, statement.values))}"


def _store(statement: Store) -> str:
    target, value, op = Load(statement.array, statement.index), statement.value, statement.op
    if op is None and isinstance(value, Op) and value.operation.augments and value.operands[0] == target:
        op, value = value.operation, value.operands[1]
    if op in (ADD, SUBTRACT) and isinstance(value, Op) and value.operation is NEGATE:
        op, value = SUBTRACT if op is ADD else ADD, value.operands[0]
    return f"{text(target)} {_symbol(op)}= {text(value)}"


def _symbol(op: Operation | None) -> str:
    return op.written.symbol if op is not None and isinstance(op.written, Infix) else ""


ZERO, ONE = Number(0), Number(1)
