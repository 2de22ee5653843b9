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
from s2s.codegen.language.statements import Alloc, Assign, Body, Loop, Statement, assigned, of_kind
from s2s.records import cached_property, dataclass
from s2s.transforms.integers.affine import Affine, ends
from s2s.transforms.integers.known import Known
from s2s.transforms.primitives.arithmetic import maximum, minimum
from s2s.transforms.primitives.integer_rows import bounds_of

_ROWS = {LARGEST: maximum, LEAST: minimum}
"""Operations whose results are known by what rows say of integers."""


def ranges_of(body: Body, sizes: frozenset[str]) -> Ranges:
    """What is known where a kernel starts. `sizes`: names of lengths."""
    return Ranges(_Names(body, sizes))


def places(body: Body, ranges: Ranges) -> Iterator[tuple[Statement, Ranges]]:
    """Every statement, and what is known there."""
    for statement in body:
        yield statement, ranges
        for inner in statement.bodies:
            yield from places(inner, ranges.within(statement))
        ranges.after(statement)


@dataclass(frozen=True, eq=False)
class Binding:
    """An integer that a name stands for, or that nothing is known of; where the name is bound again, it stands for another one."""

    name: str


@dataclass(frozen=True, eq=False)
class _Names:
    """The names of a kernel that is `body`, `sizes` those of lengths."""

    body: Body
    sizes: frozenset[str]

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter([*(each.name for each in of_kind(self.body, Alloc)), *assigned(self.body)])

    @cached_property
    def written(self) -> frozenset[str]:
        """Those that are assigned: they stand for nothing before that."""
        return frozenset(self._counts)

    @cached_property
    def unknown(self) -> frozenset[str]:
        """Those of them that stand for several values."""
        several = {each.index for each in of_kind(self.body, Loop)} | self.sizes
        return frozenset([name for name, count in self._counts.items() if count > 1 or name in several])


class _Integers:
    """What is known of integers at a place."""

    def __init__(self, names: _Names, around: _Integers | None) -> None:
        self.names = names
        self.known: Known[Binding] = Known(around.known if around else None)
        self.bindings: dict[str, Binding] = dict(around.bindings) if around else {}
        if around is None:
            for name in names.sizes - names.unknown:
                self.known.know_size(self.bind(name))

    def bind(self, name: str) -> Binding:
        """A name stands for another integer from here on."""
        self.bindings[name] = Binding(name)
        self.known.facts.know(self.bindings[name])
        return self.bindings[name]

    def form(self, expr: Expr) -> Affine[Binding] | None:
        """An integer in terms of names that stand for one value each; None for what is none."""
        if isinstance(expr, Name):
            if expr.id in self.names.unknown or expr.id not in self.bindings and expr.id in self.names.written:
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

    def after(self, statement: Assign) -> None:
        """Behind name = value: a sum, or the larger or smaller of two integers."""
        (name,), (value,) = statement.targets, statement.values
        form = self.form(value) if isinstance(value, Name | Sum) else None
        operands = tuple(map(self.any_form, value.operands)) if isinstance(value, Op) and value.operation in _ROWS else ()
        binding = self.bind(name)
        if form is not None:
            self.known.normal[binding] = form
        elif operands and isinstance(value, Op):
            self.known.facts.know(binding, atleast=bounds_of(_ROWS[value.operation], Affine.of(binding), operands, self.known.proves))

    def ends(self, loop: Loop) -> tuple[Affine[Binding], Affine[Binding]] | None:
        """The least and the greatest that a loop's index may be, where the step is known."""
        step = as_int(loop.step)
        return ends(self.any_form(loop.lo), self.any_form(loop.hi), step) if step else None

    def inside(self, loop: Loop | None) -> _Integers:
        """In a block, which may be a loop's: the range of its index."""
        between = self.ends(loop) if loop is not None and loop.index not in self.names.unknown else None
        new = _Integers(self.names, self)
        if loop is not None and between is not None:
            new.known.facts.know(new.bind(loop.index), lower=between[:1], upper=between[1:])
        return new


class Ranges:
    """What is known of integers at a place of the text: in the block of `loop` (None: another one), which stands at the place `outer`. It is worked out
    when it is asked for: most places are only passed.
    """

    def __init__(self, names: _Names, outer: Ranges | None = None, loop: Loop | None = None) -> None:
        self._names, self._outer, self._loop = names, outer, loop
        self._around = len(outer._passed) if outer else 0
        """How many of the statements that tell of an integer stand in front of the block."""
        self._passed: list[Assign] = []
        """Such statements of the block itself, in front of the place."""
        self._found: tuple[int, _Integers] | None = None
        """What is known behind so many of them."""

    def _at(self, number: int) -> _Integers:
        """What is known behind so many of the block's statements."""
        if self._found is None or self._found[0] > number:
            found = self._outer._at(self._around).inside(self._loop) if self._outer else _Integers(self._names, None)
            first = 0
        else:
            first, found = self._found
        for statement in self._passed[first:number]:
            if statement.targets[0] not in self._names.unknown:
                found.after(statement)
        if self._found is None or self._found[0] <= number:
            self._found = number, found
        return found

    @property
    def _now(self) -> _Integers:
        return self._at(len(self._passed))

    def inside(self) -> Ranges:
        """The same, for a block."""
        return Ranges(self._names, self)

    def loop(self, loop: Loop) -> Ranges:
        """In a loop's body: the range of its index."""
        return Ranges(self._names, self, loop)

    def within(self, statement: Statement) -> Ranges:
        """In a statement's blocks."""
        return Ranges(self._names, self, statement if isinstance(statement, Loop) else None)

    def after(self, statement: Statement) -> None:
        """Behind a statement."""
        if isinstance(statement, Assign) and len(statement.targets) == 1:
            self._passed.append(statement)

    def from_zero(self, loop: Loop) -> bool:
        """Whether a loop's range says by itself that its index is never negative."""
        start, step = as_int(loop.lo), as_int(loop.step)
        return start is not None and start >= 0 and step is not None and step > 0 and loop.index not in self._names.unknown

    def has_trip(self, loop: Loop) -> bool:
        """Whether a loop surely has a trip."""
        now = self._now
        between = now.ends(loop)
        return between is not None and now.known.proves(between[1] - between[0])

    def at_least(self, a: Expr, b: Expr) -> bool:
        """Whether an integer is surely not less than another one."""
        return self.nonnegative(minus(a, b))

    def nonnegative(self, position: Expr) -> bool:
        """Whether a position is never negative."""
        now = self._now
        form = now.form(position)
        return form is not None and now.known.proves(form)
