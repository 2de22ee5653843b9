"""What is known of integers in the loop language: the ranges of loop indices, the signs of lengths, sums.

    for i in range(n):
        for j in range(n - 1, i, -1):
            x[j - i - 1]               # j >= i + 1: never negative

Positions below 0 count from the end, so that two of them that differ may be one element: whoever moves accesses asks here.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2s.codegen.language.expressions import Expr, Name, Op, Sum, as_int, form_of, minus
from s2s.codegen.language.operations import LARGEST, LEAST
from s2s.codegen.language.statements import Alloc, Assign, Body, Loop, Statement, assigned, bodies, of_kind
from s2s.records import dataclass
from s2s.transforms.integers.affine import Affine, ends
from s2s.transforms.integers.known import Known
from s2s.transforms.primitives.arithmetic import maximum, minimum
from s2s.transforms.primitives.integer_rows import bounds_of

_ROWS = {LARGEST: maximum, LEAST: minimum}
"""Operations whose results are known by what rows say of integers."""


def ranges_of(body: Body, sizes: frozenset[str]) -> Ranges:
    """What is known where a kernel starts. `sizes`: names of lengths."""
    written = Counter([*(each.name for each in of_kind(body, Alloc)), *assigned(body)])
    indices = {each.index for each in of_kind(body, Loop)}
    ranges = Ranges(frozenset(written), frozenset(name for name in written if written[name] > 1 or name in indices | sizes))
    for name in sizes - ranges.unknown:
        ranges.known.know_size(ranges.bind(name))
    return ranges


def places(body: Body, ranges: Ranges) -> Iterator[tuple[Statement, Ranges]]:
    """Every statement, and what is known there."""
    for statement in body:
        yield statement, ranges
        for inner in bodies(statement):
            yield from places(inner, ranges.within(statement))
        ranges.after(statement)


@dataclass(frozen=True, eq=False)
class Binding:
    """An integer that a name stands for, or that nothing is known of; where the name is bound again, it stands for another one."""

    name: str


class Ranges:
    """What is known of integers at a place of the text. `written`: names that are assigned (they stand for nothing before that);
    `unknown`: those of them that stand for several values.
    """

    def __init__(self, written: frozenset[str], unknown: frozenset[str], outer: Ranges | None = None) -> None:
        self.written, self.unknown = written, unknown
        self.known: Known[Binding] = Known(outer.known if outer else None)
        self.bindings: dict[str, Binding] = dict(outer.bindings) if outer else {}

    def inside(self) -> Ranges:
        """The same, for a block."""
        return Ranges(self.written, self.unknown, self)

    def bind(self, name: str) -> Binding:
        """A name stands for another integer from here on."""
        self.bindings[name] = Binding(name)
        self.known.facts.know(self.bindings[name])
        return self.bindings[name]

    def form(self, expr: Expr) -> Affine[Binding] | None:
        """An integer in terms of names that stand for one value each; None for what is none."""
        if isinstance(expr, Name):
            if expr.id in self.unknown or expr.id not in self.bindings and expr.id in self.written:
                return None
            return self.known.form(self.bindings.get(expr.id) or self.bind(expr.id))
        total = form_of(expr)
        if total.terms and not isinstance(expr, Sum):
            return None
        found: Affine[Binding] = Affine(total.constant)
        for term, factor in total.terms:
            form = self.form(term)
            if form is None:
                return None
            found = found + form * factor
        return found

    def any_form(self, expr: Expr) -> Affine[Binding]:
        """The same; for what has none, one that nothing is known of."""
        form = self.form(expr)
        return Affine.of(Binding("")) if form is None else form

    def after(self, statement: Statement) -> None:
        """Behind name = value: a sum, or the larger or smaller of two integers."""
        if not isinstance(statement, Assign) or len(statement.targets) != 1 or statement.targets[0] in self.unknown:
            return
        (name,), (value,) = statement.targets, statement.values
        form = self.form(value) if isinstance(value, Name | Sum) else None
        operands = tuple(map(self.any_form, value.operands)) if isinstance(value, Op) and value.operation in _ROWS else ()
        binding = self.bind(name)
        if form is not None:
            self.known.normal[binding] = form
        elif operands and isinstance(value, Op):
            self.known.facts.know(binding, atleast=bounds_of(_ROWS[value.operation], Affine.of(binding), operands, self.known.proves))

    def _ends(self, loop: Loop) -> tuple[Affine[Binding], Affine[Binding]] | None:
        """The least and the greatest that a loop's index may be, where the step is known."""
        step = as_int(loop.step)
        return ends(self.any_form(loop.lo), self.any_form(loop.hi), step) if step else None

    def loop(self, loop: Loop) -> Ranges:
        """In a loop's body: the range of its index."""
        between, new = self._ends(loop), self.inside()
        if loop.index not in self.unknown and between is not None:
            new.known.facts.know(new.bind(loop.index), lower=between[:1], upper=between[1:])
        return new

    def from_zero(self, loop: Loop) -> bool:
        """Whether a loop's range says by itself that its index is never negative."""
        start, step = as_int(loop.lo), as_int(loop.step)
        return start is not None and start >= 0 and step is not None and step > 0 and loop.index not in self.unknown

    def has_trip(self, loop: Loop) -> bool:
        """Whether a loop surely has a trip."""
        between = self._ends(loop)
        return between is not None and self.known.proves(between[1] - between[0])

    def within(self, statement: Statement) -> Ranges:
        """In a statement's blocks."""
        return self.loop(statement) if isinstance(statement, Loop) else self.inside()

    def at_least(self, a: Expr, b: Expr) -> bool:
        """Whether an integer is surely not less than another one."""
        return self.nonnegative(minus(a, b))

    def nonnegative(self, position: Expr) -> bool:
        """Whether a position is never negative."""
        form = self.form(position)
        return form is not None and self.known.proves(form)
