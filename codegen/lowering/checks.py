"""The loop language's own checker: what a pass may not do to a kernel.

    y[i] = z * 2.0        # <-- z is read, and nothing above gives it a value

It runs after lowering and after every pass in tests and under S2S_CHECK=1.
"""
from __future__ import annotations

from collections.abc import Iterator

from s2s.codegen.language.expressions import Constant, Expr, Length, Load, Name
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.statements import Alloc, Assign, Body, CallKernel, IfElse, Loop, Statement, Store, WhileLoop, expressions, lines
from s2s.codegen.lowering.lowered import Lowered, Module, Slot
from s2s.errors import InternalError
from s2s.records import dataclass, field


def check_statements(kernel: Lowered, module: Module, after: str) -> None:
    """Check a kernel's statements.

    Every variable is bound before it is read (in a loop's body, or before it on some path), what is indexed is an array with at
    least as many axes, and what the kernel returns is bound in the end.

    Raises
    ------
    InternalError
        With the statements printed, the fault beside its line.
    """
    checker = _Checker(kernel, frozenset({*module.names, *module.constants.values()}))
    fault = next(checker.faults(), None)
    if fault is not None:
        statement, what = fault
        text = "\n".join(_marked(kernel.body, statement, what))
        raise InternalError(f"the statements of {kernel.name} are wrong after {after!r}: {what}\n{text}")


@dataclass
class _Checker:
    kernel: Lowered
    known: frozenset[str]
    bound: set[str] = field(default_factory=set)
    ranks: dict[str, int] = field(default_factory=dict)

    def faults(self) -> Iterator[tuple[Statement | None, str]]:
        self.bound |= {*self.known, *self.kernel.sizes, *(slot.name for slot in self.kernel.params), *(buffer.name for buffer in self.kernel.buffers)}
        self.ranks = {slot.name: slot.type.ndim for slot in self.kernel.params if not slot.rebound}
        self.ranks |= {buffer.name: len(buffer.shape) for buffer in self.kernel.buffers}
        yield from self.body(self.kernel.body)
        for result in self.kernel.results:
            for name in [result.name] if isinstance(result, Slot) else [part.id for part in parts(result) if isinstance(part, Name)]:
                if name not in self.bound:
                    yield None, f"{name} is returned, and nothing gives it a value"

    def body(self, body: Body) -> Iterator[tuple[Statement | None, str]]:
        for statement in body:
            for expr in expressions(statement) if not isinstance(statement, WhileLoop) else ():
                yield from self.expression(statement, expr)
            match statement:
                case Assign() | CallKernel():
                    self.bind(statement.targets)
                case Store():
                    yield from self.access(statement, statement.array, statement.index)
                case Alloc():
                    if self.ranks.setdefault(statement.name, len(statement.shape)) != len(statement.shape):
                        yield statement, f"{statement.name} is allocated with {len(statement.shape)} axes, and with {self.ranks[statement.name]} before"
                    self.bound.add(statement.name)
                case Loop():
                    self.bind((statement.index,))
                    yield from self.body(statement.body)
                case WhileLoop():
                    yield from self.body(statement.head)
                    yield from self.expression(statement, statement.test)
                    yield from self.body(statement.body)
                case IfElse():
                    yield from self.body(statement.then)
                    yield from self.body(statement.orelse)
                case _:
                    pass

    def bind(self, names: tuple[str, ...]) -> None:
        """Names that get a value; arrays that change hands have any rank."""
        self.bound.update(names)
        for name in names:
            self.ranks.pop(name, None)

    def expression(self, statement: Statement, expr: Expr) -> Iterator[tuple[Statement | None, str]]:
        for part in parts(expr):
            match part:
                case Name() if part.id not in self.bound:
                    yield statement, f"{part.id} is read, and nothing above gives it a value"
                case Load():
                    yield from self.access(statement, part.array, part.index)
                case Length():
                    yield from self.access(statement, part.array, ())
                    if part.axis >= self.ranks.get(part.array, part.axis + 1):
                        yield statement, f"{part.array} has no axis {part.axis}"
                case _:
                    pass

    def access(self, statement: Statement, array: str, index: tuple[Expr, ...]) -> Iterator[tuple[Statement | None, str]]:
        if array not in self.bound:
            yield statement, f"{array} is used, and nothing above gives it a value"
        elif len(index) > self.ranks.get(array, len(index)) and not any(part == Constant(None) for part in index):
            yield statement, f"{array} has {self.ranks[array]} axes, and is indexed along {len(index)}"


def _marked(body: Body, wrong: Statement | None, what: str) -> Iterator[str]:
    """The statements' lines, the fault beside the first line of the wrong one."""
    mark = None if wrong is None else next(iter(lines((wrong,))), "").strip()
    for line in lines(body):
        if mark is not None and line.strip() == mark:
            mark = None
            yield f"{line}        # <-- {what}"
        else:
            yield line
