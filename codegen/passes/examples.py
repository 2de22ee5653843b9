"""Errors that name the example of a batch which raises them.

    for j in range(n):                                          for j in range(n):
        if x[j] < 0.0:                                              if x[j] < 0.0:
            raise ValueError('negative')  # example j      ->           raise ValueError('negative (example {} of the batch)', j)
        y[j] = x[j]                                                 y[j] = x[j]

A kernel that examples call, and that may raise, is told the number: `_helper(x[j])` becomes `_helper(x[j], j)`.
The numbers are operands of the raise statements alone: a loop is what it was. Until all passes are done they stand apart from the message
(`Raise.examples`), so that a check which says the same for all examples can leave their loop.
"""
from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from string import Formatter

from s2s.codegen.language.expressions import Constant, Expr, Formatted, Name
from s2s.codegen.language.names import Names
from s2s.codegen.language.statements import Body, CallKernel, Loop, Raise, Statement, of_kind, walk, with_each_body
from s2s.codegen.lowering.lowered import Lowered, Module, Slot
from s2s.errors import in_batch
from s2s.records import replace
from s2s.types import SIZE, Var


class Telling:
    """The kernels of a module, as they are lowered: those that examples call, and that may raise, are written once more, with the examples' numbers."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.kernels: dict[str, Lowered] = {}
        self.raising: dict[str, bool] = {}
        self.told: dict[tuple[str, int], Lowered] = {}
        """(name, how many batches are around the call) -> the kernel that is told the numbers."""
        self.new: list[Lowered] = []

    def kernel(self, kernel: Lowered) -> Lowered:
        """The kernel with what it raises, and calls, in loops over examples."""
        self.kernels[kernel.name] = kernel
        self.raising[kernel.name] = any(
            [*(not each.stretch for each in of_kind(kernel.body, Raise)), *(self.raises(each.kernel) for each in of_kind(kernel.body, CallKernel))]
        )
        has_examples = any(each.example for each in of_kind(kernel.body, Loop))
        return kernel.with_body(self.body(kernel.body, ())) if has_examples else kernel

    def body(self, body: Body, numbers: tuple[Expr, ...]) -> Body:
        """Statements of the examples of these numbers, the outermost batch's first."""
        return tuple(self.statement(each, numbers) for each in body)

    def statement(self, statement: Statement, numbers: tuple[Expr, ...]) -> Statement:
        match statement:
            case Raise() if numbers:
                return replace(statement, examples=numbers)
            case CallKernel() if numbers and self.raises(statement.kernel):
                return replace(statement, kernel=self.telling(statement.kernel, len(numbers)).name, args=(*statement.args, *numbers))
        inner = (*numbers, Name(statement.index)) if isinstance(statement, Loop) and statement.example else numbers
        return with_each_body(statement, lambda each: self.body(each, inner))

    def raises(self, name: str) -> bool:
        """Whether a kernel may raise. That sizes must be known is no example's own."""
        return self.raising.get(name, False)

    def telling(self, name: str, depth: int) -> Lowered:
        """The kernel that is told so many numbers."""
        if (name, depth) not in self.told:
            kernel = self.kernels[name]
            names = Names(kernel.taken)
            slots = tuple(Slot(names.fresh("example"), SIZE, param=True, hint="example") for _ in range(depth))
            body = self.body(kernel.body, tuple(Name(slot.name) for slot in slots))
            function = replace(kernel.function, params=(*kernel.function.params, *(Var("example", SIZE) for _ in slots)))
            made = replace(kernel, function=function, name=self.fresh(name), params=(*kernel.params, *slots), body=body)
            self.told[name, depth] = made
            self.new.append(made)
        return self.told[name, depth]

    def fresh(self, name: str) -> str:
        """A name for a kernel that stands beside one of this name."""
        found = next(each for each in (f"{name}_{number}" for number in count(1)) if each not in self.module.names)
        self.module.names.add(found)
        return found

    def taken(self) -> list[Lowered]:
        """The kernels that were written since this was last asked for, what is called first."""
        found, self.new = self.new, []
        return found

    def original(self) -> dict[str, str]:
        """The names of kernels that are told numbers -> what they were made of."""
        return {made.name: name for (name, _), made in self.told.items()}


def with_numbers(body: Body, *, compiled: bool) -> Body:
    """The statements with the numbers of examples in the messages."""

    def told(each: Statement) -> Statement:
        if not isinstance(each, Raise):
            if Raise not in each.by_kind:
                return each
            return with_each_body(each, lambda inner: with_numbers(inner, compiled=compiled))
        if each.made:  # its words are its class's
            return replace(each, examples=())
        return replace(each, args=_told(each.args, each.examples, compiled=compiled), examples=()) if each.examples else each

    return tuple(map(told, body))


def _told(args: tuple[Expr, ...], numbers: tuple[Expr, ...], *, compiled: bool) -> tuple[Expr, ...]:
    """What a message is made of, with the numbers: compiled code hands over a text with fields and the values beside it, NumPy's is an f-string."""
    values: tuple[Expr, ...]
    args = args or (Constant(""),)
    if compiled:
        shown, *rest = args
        assert isinstance(shown, Constant)
        message, values = str(shown.value), tuple(rest)
    elif isinstance(args[0], Formatted):
        message, values = args[0].message, args[0].values
    else:
        assert isinstance(args[0], Constant)
        message, values = str(args[0].value).replace("{", "{{").replace("}", "}}"), ()
    message += in_batch([f"{{{len(values) + number}}}" if _is_counted(message) else "{}" for number in range(len(numbers))], alone=not message)
    values = (*values, *numbers[::-1])
    return (Constant(message), *values) if compiled else (Formatted(message, values),)


def _is_counted(message: str) -> bool:
    """Whether a text's fields are numbered."""
    return any(field for _, field, _, _ in Formatter().parse(message))


def named_as_before(kernels: list[Lowered], entry: Lowered, original: Mapping[str, str]) -> tuple[list[Lowered], Lowered]:
    """The kernels that the entry calls, directly or not; one that took the place of another has its name."""
    by_name = {kernel.name: kernel for kernel in kernels}
    reached: dict[str, None] = {}

    def visit(kernel: Lowered) -> None:
        for each in walk(kernel.body):
            if isinstance(each, CallKernel) and each.kernel in by_name and each.kernel not in reached:
                reached[each.kernel] = None
                visit(by_name[each.kernel])

    visit(entry)
    left = [kernel for kernel in kernels if kernel.name in reached]
    names: dict[str, str] = {}
    for kernel in left:
        before = original.get(kernel.name)
        if before is not None and before not in reached and before not in names.values():
            names[kernel.name] = before
    return [_renamed(kernel, names) for kernel in left], _renamed(entry, names)


def _renamed(kernel: Lowered, names: Mapping[str, str]) -> Lowered:
    def body(statements: Body) -> Body:
        return tuple(
            replace(each, kernel=names[each.kernel]) if isinstance(each, CallKernel) and each.kernel in names else with_each_body(each, body)
            for each in statements
        )

    return replace(kernel, name=names.get(kernel.name, kernel.name), body=body(kernel.body)) if names else kernel
