"""What is known of integers in the loop language: the ranges of loop indices, the signs of lengths, sums.

    for i in range(n):
        for j in range(n - 1, i, -1):
            x[j - i - 1]               # j >= i + 1: never negative

Positions below 0 count from the end, so that two of them that differ may be one element: whoever moves accesses asks here.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2s.codegen.language.expressions import Expr, Name, Op, Sum, as_int
from s2s.codegen.language.operations import LARGEST, LEAST
from s2s.codegen.language.statements import Alloc, Assign, Body, CallKernel, Loop, Statement, bodies, walk
from s2s.transforms.integers.affine import Affine
from s2s.transforms.integers.known import Facts
from s2s.types import SIZE, Var


def ranges_of(body: Body, sizes: frozenset[str]) -> Ranges:
    """What is known where a kernel starts. `sizes`: names of lengths."""
    written: Counter[str] = Counter()
    for each in walk(body):
        if isinstance(each, Assign | CallKernel):
            written.update(each.targets)
        elif isinstance(each, Alloc):
            written[each.name] += 1
    indices = {each.index for each in walk(body) if isinstance(each, Loop)}
    ranges = Ranges(frozenset(written), frozenset(name for name in written if written[name] > 1 or name in indices | sizes))
    for name in sizes - ranges.unknown:
        ranges.bind(name, lower=(Affine(0),))
    return ranges


def places(body: Body, ranges: Ranges) -> Iterator[tuple[Statement, Ranges]]:
    """Every statement, and what is known there."""
    for statement in body:
        yield statement, ranges
        for inner in bodies(statement):
            yield from places(inner, ranges.within(statement))
        ranges.after(statement)


class Ranges:
    """What is known of integers at a place of the text. `written`: names that are assigned (they stand for nothing before that);
    `unknown`: those of them that stand for several values.
    """

    def __init__(self, written: frozenset[str], unknown: frozenset[str]) -> None:
        self.written, self.unknown = written, unknown
        self.variables: dict[str, Var] = {}
        self.values: dict[str, Affine[Var]] = {}
        self.facts: Facts[Var] = Facts()

    def inside(self) -> Ranges:
        """The same, for a block."""
        new = Ranges(self.written, self.unknown)
        new.variables, new.values, new.facts = dict(self.variables), dict(self.values), self.facts.copy()
        return new

    def bind(self, name: str, *, lower: tuple[Affine[Var], ...] = (), upper: tuple[Affine[Var], ...] = ()) -> None:
        """A name stands for another integer from here on."""
        self.values.pop(name, None)
        self.variables[name] = Var(name, SIZE)
        self.facts.know(self.variables[name], lower=lower, upper=upper)

    def form(self, expr: Expr) -> Affine[Var] | None:
        """An integer in terms of names that stand for one value each; None for what is none."""
        if (value := as_int(expr)) is not None:
            return Affine(value)
        if isinstance(expr, Name) and expr.id not in self.unknown:
            if expr.id in self.values:
                return self.values[expr.id]
            if expr.id not in self.variables:
                if expr.id in self.written:
                    return None
                self.bind(expr.id)
            return Affine.of(self.variables[expr.id])
        if isinstance(expr, Sum):
            total: Affine[Var] = Affine(expr.constant)
            for term, factor in expr.terms:
                form = self.form(term)
                if form is None:
                    return None
                total = total + form * factor
            return total
        return None

    def known(self, *expressions: Expr) -> tuple[Affine[Var], ...]:
        """The forms of those that have one."""
        return tuple(form for form in map(self.form, expressions) if form is not None)

    def after(self, statement: Statement) -> None:
        """Behind name = value: a sum, or the larger or smaller of two integers."""
        if not isinstance(statement, Assign) or len(statement.targets) != 1 or statement.targets[0] in self.unknown:
            return
        (name,), (value,) = statement.targets, statement.values
        if isinstance(value, Op) and value.operation in (LARGEST, LEAST):
            bounds = self.known(*value.operands)
            least: tuple[Affine[Var], ...] = (Affine(0),) if len(bounds) == 2 and all(map(self.facts.nonnegative, bounds)) else ()
            self.bind(name, lower=bounds if value.operation is LARGEST else least, upper=bounds if value.operation is LEAST else ())
        elif isinstance(value, Name | Sum) and (form := self.form(value)) is not None:
            self.values[name] = form
        else:
            self.bind(name)

    def loop(self, loop: Loop) -> Ranges:
        """In a loop's body: the range of its index."""
        step, first, end = as_int(loop.step), self.known(loop.lo), self.known(loop.hi)
        new = self.inside()
        if loop.index in self.unknown or not step:
            return new
        if step > 0:
            new.bind(loop.index, lower=first, upper=tuple(each - 1 for each in end))
        else:
            new.bind(loop.index, lower=tuple(each + 1 for each in end), upper=first)
        return new

    def within(self, statement: Statement) -> Ranges:
        """In a statement's blocks."""
        return self.loop(statement) if isinstance(statement, Loop) else self.inside()

    def nonnegative(self, position: Expr) -> bool:
        """Whether a position is never negative."""
        form = self.form(position)
        return form is not None and self.facts.nonnegative(form)
