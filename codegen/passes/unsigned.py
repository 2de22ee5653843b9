"""Positions in inner loops as unsigned integers, where a compiler can't see that they are never negative.

    for k in range(m):                          for k in range(m):
        for j in range(n - 1, k, -1):     ->        for j in range(n - 1, k, -1):
            b[j] += a[j] * x[k]                         at = np.uint64(j)
                                                        b[at] += a[at] * x[k]

Numba lets a negative position count from the end, with a test for each access that keeps a loop from being vectorised (a
factor of 4 to 8). LLVM removes the test where a loop starts from a constant; in triangular nests it can't, but the ranges
of the loops around prove it. An unsigned position needs no test. The proof is made on the finished text: what loops it was
joined with, and what its names are by then, is what counts.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2s.codegen.language.effects import effects_of
from s2s.codegen.language.expressions import Expr, Load, Name, Op, Sum, as_int, names_read
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import UNSIGNED
from s2s.codegen.language.ranges import Ranges, ranges_of
from s2s.codegen.language.statements import (
    Assign,
    Body,
    Loop,
    Raise,
    Statement,
    Store,
    WhileLoop,
    expressions,
    walk,
    with_bodies,
    with_each_body,
)
from s2s.codegen.passes.fuse import with_names
from s2s.records import replace


def unsigned(body: Body, sizes: frozenset[str], taken: frozenset[str]) -> Body:
    """The statements with such positions cast. `sizes`: names of lengths; `taken`: names in use."""
    return _block(body, ranges_of(body, sizes), taken)


def _block(body: Body, ranges: Ranges, taken: frozenset[str]) -> Body:
    done: list[Statement] = []
    for statement in body:
        if isinstance(statement, Loop):
            inside = ranges.loop(statement)
            innermost = statement.by_kind.keys().isdisjoint((Loop, WhileLoop, Raise))
            done.append(_innermost(statement, inside, taken) if innermost else with_bodies(statement, (_block(statement.body, inside, taken),)))
        else:
            done.append(with_each_body(statement, lambda inner: _block(inner, ranges.inside(), taken)))
        ranges.after(statement)
    return tuple(done)


def _innermost(loop: Loop, ranges: Ranges, taken: frozenset[str]) -> Loop:
    if not _may_be_hidden(loop):
        return loop
    uses = Counter(position for position in _positions(loop.body) if loop.index in names_read(position))
    hidden = [position for position in uses if not _is_plain(position, loop)]
    assigned = {target for each in walk(loop.body) if isinstance(each, Assign) for target in each.targets}
    if not hidden or any(names_read(position) & assigned or not ranges.nonnegative(position) for position in hidden):
        return loop
    by: dict[Expr, Expr] = {}
    bound: list[Statement] = []
    for position in hidden:
        cast = Op(UNSIGNED, (position,))
        if uses[position] == 1:
            by[position] = cast
            continue
        name = fresh(taken | {each.targets[0] for each in bound if isinstance(each, Assign)})
        by[position] = Name(name)
        bound.append(Assign((name,), (cast,), loop.body[0].where))
    return replace(loop, body=(*bound, *(with_positions(statement, by) for statement in loop.body)))


def _may_be_hidden(loop: Loop) -> bool:
    """Whether one of the loop's positions may be one of which a compiler does not see that it is not negative."""
    found = effects_of(loop)
    indices = (index for places in (found.loads, found.stores) for each in places.values() for index in each)
    return any(loop.index in position.names and not _is_plain(position, loop) for index in indices for position in index)


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
    return with_each_body(statement, lambda inner: tuple(_stores_cast(each, by) for each in inner))


def fresh(taken: frozenset[str] | set[str]) -> str:
    """A name for a position."""
    return next(name for name in ("at", *(f"at_{number}" for number in range(1, 1000))) if name not in taken)
