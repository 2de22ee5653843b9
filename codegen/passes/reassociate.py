"""Sums whose terms may be added in any order, so that their loops vectorise.

    for i in range(n):            for i in range(n):
        s += a[i] * b[i]    ->        s = plus(s, a[i] * b[i])

The left one is one chain of additions, each waiting for the one before: 4 cycles an element; the right one as many chains as the machine has: 0.3 cycles.

Leave is given where the order is ours to choose: sums of whole arrays, whose order NumPy doesn't promise either, and the
accumulators of derivatives. It is given to that one addition, never to the whole kernel (Numba's `fastmath` on the kernel):
that would drop the sign of zeros in the user's own lines (`arctan2(0.0 - y, x)`), undo compensated sums, contract
`a * a - b * b` below 0, and multiply constants into an underflow.
"""
from __future__ import annotations

from s2s.codegen.language.expressions import Expr, Name, Op, names_read
from s2s.codegen.language.operations import ADD, NEGATE, PLUS, added
from s2s.codegen.language.statements import (
    Assign,
    Body,
    IfElse,
    Loop,
    Statement,
    WhileLoop,
    expressions,
    operations_in,
    walk,
    with_each_body,
)
from s2s.records import replace


def with_free_sums(body: Body, accumulators: frozenset[str]) -> Body:
    """The statements, where innermost loops add to an accumulator by `plus`."""
    return tuple(_statement(statement, accumulators) for statement in body)


def uses_plus(body: Body) -> bool:
    """Whether a sum was freed."""
    return PLUS in operations_in(body) and any(isinstance(value, Op) and value.operation is PLUS for each in walk(body) if isinstance(each, Assign) for value in each.values)


def _statement(statement: Statement, accumulators: frozenset[str]) -> Statement:
    if isinstance(statement, Loop) and statement.by_kind.keys().isdisjoint((Loop, WhileLoop)):
        sums = sums_of(statement.body)
        if not carried(statement.body) - sums:
            for name in sorted(sums & accumulators):
                statement = replace(statement, body=_freed(statement.body, name))
        return statement
    return with_each_body(statement, lambda inner: with_free_sums(inner, accumulators))


def sums_of(body: Body) -> set[str]:
    """The scalars that a loop's body only adds to: nothing else in it reads or assigns them."""
    sums: set[str] = set()
    other: set[str] = set()
    for statement in walk(body):
        if _adds(statement):
            assert isinstance(statement, Assign) and isinstance(statement.values[0], Op)
            sums.add(statement.targets[0])
            other |= names_read(statement.values[0].operands[1])
            continue
        if isinstance(statement, Assign):
            other.update(statement.targets)
        for expr in expressions(statement):
            other |= names_read(expr)
    return sums - other


def carried(body: Body) -> set[str]:
    """The scalars that a trip hands to the next one: with any but sums among them, the loop does not vectorise anyway."""
    assigned = {name for statement in walk(body) if isinstance(statement, Assign) for name in statement.targets}
    first: set[str] = set()
    _read_first(body, set(), first)
    return first & assigned


def _read_first(body: Body, known: set[str], found: set[str]) -> set[str]:
    """Notes names that are read before they are surely assigned; returns those surely assigned at the end."""
    for statement in body:
        for expr in expressions(statement):
            found |= names_read(expr) - known
        inner = [_read_first(block, set(known), found) for block in statement.bodies]
        if isinstance(statement, IfElse):
            known = known | (inner[0] & inner[1])
        elif isinstance(statement, Assign):
            known = known | set(statement.targets)
    return known


def _adds(statement: Statement) -> bool:
    """target += term, or -=."""
    if not isinstance(statement, Assign) or len(statement.targets) != 1 or statement.move:
        return False
    return added(statement.values[0], Name(statement.targets[0])) is not None


def _freed(body: Body, name: str) -> Body:
    def rewritten(statement: Statement) -> Statement:
        if _adds(statement):
            assert isinstance(statement, Assign) and isinstance(statement.values[0], Op)
            if statement.targets[0] == name:
                return replace(statement, values=(_plus(statement.values[0]),))
        return with_each_body(statement, lambda inner: _freed(inner, name))

    return tuple(rewritten(statement) for statement in body)


def _plus(value: Op) -> Expr:
    total, term = value.operands
    return Op(PLUS, (total, term if value.operation is ADD else Op(NEGATE, (term,))))
