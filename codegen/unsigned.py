"""Positions in inner loops as unsigned integers, where a compiler can't see that they are never negative.

    for j in range(n - 1, k, -1):               for j in range(n - 1, k, -1):
        b[j] += a[j] * x                ->          at = np.uint64(j)
                                                    b[at] += a[at] * x

Numba lets a negative position count from the end, with a test for each access that keeps a loop from being vectorised (a
factor of 4 to 8). LLVM removes the test where a loop starts from a constant; in triangular nests it can't, but the ranges
of the loops around prove it. An unsigned position needs no test. The proof is made on the finished text: what loops it was
joined with, and what its names are by then, is what counts.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from s2s.codegen.expressions import Expr, Load, Name, Op, Sum, as_int, names_read
from s2s.codegen.expressions import walk as parts
from s2s.codegen.fuse import with_names
from s2s.codegen.loops import (
    Alloc,
    Assign,
    Body,
    CallKernel,
    Loop,
    Raise,
    Statement,
    Store,
    WhileLoop,
    bodies,
    expressions,
    walk,
    with_bodies,
)
from s2s.transforms.affine import Affine, Facts
from s2s.types import SIZE, Var

_UNSIGNED = "np.uint64(a)"


def unsigned(body: Body, sizes: frozenset[str], taken: frozenset[str]) -> Body:
    """The statements with such positions cast. `sizes`: names of lengths; `taken`: names in use."""
    written: Counter[str] = Counter()
    for each in walk(body):
        if isinstance(each, Assign | CallKernel):
            written.update(each.targets)
        elif isinstance(each, Alloc):
            written[each.name] += 1
    indices = {each.index for each in walk(body) if isinstance(each, Loop)}
    ranges = _Ranges(frozenset(written), frozenset(name for name in written if written[name] > 1 or name in indices | sizes))
    for name in sizes - ranges.unknown:
        ranges.bind(name, lower=(Affine(0),))
    return _block(body, ranges, taken)


class _Ranges:
    """What is known of integers at a place of the text. `written`: names that are assigned (they stand for nothing before that);
    `unknown`: those of them that stand for several values.
    """

    def __init__(self, written: frozenset[str], unknown: frozenset[str]) -> None:
        self.written, self.unknown = written, unknown
        self.variables: dict[str, Var] = {}
        self.values: dict[str, Affine] = {}
        self.facts = Facts()

    def inside(self) -> _Ranges:
        """The same, for a block."""
        new = _Ranges(self.written, self.unknown)
        new.variables, new.values, new.facts = dict(self.variables), dict(self.values), self.facts.copy()
        return new

    def bind(self, name: str, *, lower: tuple[Affine, ...] = (), upper: tuple[Affine, ...] = ()) -> None:
        """A name stands for another integer from here on."""
        self.values.pop(name, None)
        self.variables[name] = Var(name, SIZE)
        self.facts.know(self.variables[name], lower=lower, upper=upper)

    def form(self, expr: Expr) -> Affine | None:
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
            total = Affine(expr.constant)
            for term, factor in expr.terms:
                form = self.form(term)
                if form is None:
                    return None
                total = total + form * factor
            return total
        return None

    def known(self, *expressions: Expr) -> tuple[Affine, ...]:
        """The forms of those that have one."""
        return tuple(form for form in map(self.form, expressions) if form is not None)

    def assign(self, statement: Assign) -> None:
        """name = value: a sum, or the larger or smaller of two integers."""
        if len(statement.targets) != 1 or statement.targets[0] in self.unknown:
            return
        (name,), (value,) = statement.targets, statement.values
        if isinstance(value, Op) and value.template in ("max(a, b)", "min(a, b)"):
            bounds = self.known(*value.operands)
            least = (Affine(0),) if len(bounds) == 2 and all(map(self.facts.nonnegative, bounds)) else ()
            self.bind(name, lower=bounds if value.template == "max(a, b)" else least, upper=bounds if value.template == "min(a, b)" else ())
        elif isinstance(value, Name | Sum) and (form := self.form(value)) is not None:
            self.values[name] = form
        else:
            self.bind(name)

    def loop(self, loop: Loop) -> _Ranges:
        """In a loop's body: the range of its index."""
        new = self.inside()
        step, first, end = as_int(loop.step), self.known(loop.lo), self.known(loop.hi)
        if loop.index in self.unknown or not step:
            return new
        one = Affine(1)
        if step > 0:
            new.bind(loop.index, lower=first, upper=tuple(each - one for each in end))
        else:
            new.bind(loop.index, lower=tuple(each + one for each in end), upper=first)
        return new

    def nonnegative(self, position: Expr) -> bool:
        """Whether a position is never negative."""
        form = self.form(position)
        return form is not None and self.facts.nonnegative(form)


def _block(body: Body, ranges: _Ranges, taken: frozenset[str]) -> Body:
    done: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            inside = ranges.loop(statement)
            innermost = not any(isinstance(each, Loop | WhileLoop | Raise) for each in walk(statement.body))
            done.append(_innermost(statement, inside, taken) if innermost else replace(statement, body=_block(statement.body, inside, taken)))
        else:
            done.append(with_bodies(statement, tuple(_block(inner, ranges.inside(), taken) for inner in bodies(statement))))
        if isinstance(statement, Assign):
            ranges.assign(statement)
    return tuple(done)


def _innermost(loop: Loop, ranges: _Ranges, taken: frozenset[str]) -> Loop:
    uses = Counter(position for position in _positions(loop.body) if loop.index in names_read(position))
    hidden = [position for position in uses if not _is_plain(position, loop)]
    assigned = {target for each in walk(loop.body) if isinstance(each, Assign) for target in each.targets}
    if not hidden or any(names_read(position) & assigned or not ranges.nonnegative(position) for position in hidden):
        return loop
    by: dict[Expr, Expr] = {}
    bound: list[Statement] = []
    for position in hidden:
        cast = Op(_UNSIGNED, (position,))
        if uses[position] == 1:
            by[position] = cast
            continue
        name = fresh(taken | {each.targets[0] for each in bound if isinstance(each, Assign)})
        by[position] = Name(name)
        bound.append(Assign((name,), (cast,), loop.body[0].where))
    return replace(loop, body=(*bound, *(with_positions(statement, by) for statement in loop.body)))


def _is_plain(position: Expr, loop: Loop) -> bool:
    """Whether a compiler sees that it is not negative: the loop's constant end and a constant."""
    rising = as_int(loop.step) is not None and (as_int(loop.step) or 0) > 0
    least = as_int(loop.lo) if rising else as_int(loop.hi)
    if least is None:
        return False
    least += 0 if rising else 1
    if position == Name(loop.index):
        return least >= 0
    return isinstance(position, Sum) and position.terms == ((Name(loop.index), 1),) and least + position.constant >= 0


def _positions(body: Body) -> Iterator[Expr]:
    for statement in walk(body):
        if isinstance(statement, Store):
            yield from statement.index
        for expr in expressions(statement):
            for part in parts(expr):
                if isinstance(part, Load):
                    yield from part.index


def with_positions(statement: Statement, by: dict[Expr, Expr]) -> Statement:
    """The statement with the positions of its accesses replaced (not what else it does with the same integers)."""
    loads: dict[Expr, Expr] = {
        part: replace(part, index=tuple(by.get(item, item) for item in part.index))
        for each in walk([statement]) for expr in expressions(each) for part in parts(expr) if isinstance(part, Load)
    }
    return _stores_cast(with_names(statement, loads), by)


def _stores_cast(statement: Statement, by: dict[Expr, Expr]) -> Statement:
    if isinstance(statement, Store):
        return replace(statement, index=tuple(by.get(item, item) for item in statement.index))
    return with_bodies(statement, tuple(tuple(_stores_cast(each, by) for each in inner) for inner in bodies(statement)))


def fresh(taken: frozenset[str] | set[str]) -> str:
    """A name for a position."""
    return next(name for name in ("at", *(f"at_{number}" for number in range(1, 1000))) if name not in taken)
