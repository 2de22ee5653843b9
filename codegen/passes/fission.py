"""Loops parted before a function that vector units compute, where an inner loop would keep it from them.

    for i in range(n):                      for i in range(n):
        dot = 0.0                               dot = 0.0
        for j in range(m):            ->        for j in range(m):
            dot += w[i, j] * x[j]                   dot += w[i, j] * x[j]
        y[i] = array_tanh(dot)                  y[i] = dot
                                            for i in range(n):
                                                y[i] = array_tanh(y[i])

Only innermost loops are vectorised: an exp or tanh behind a row's product costs four times as much as in a loop of its own.
The numbers are the same; the trips of the two loops must not need each other's values.
"""
from __future__ import annotations

from s2s.codegen.language.effects import effects
from s2s.codegen.language.expressions import Expr, Load, Op
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import SINGLE, restored
from s2s.codegen.language.ranges import Ranges
from s2s.codegen.language.statements import (
    Body,
    Loop,
    Statement,
    Store,
    WhileLoop,
    of_kind,
    operations_in,
    ranges_read,
    walk,
    with_bodies,
)
from s2s.codegen.passes.fuse import independent_trips
from s2s.records import replace
from s2s.types import FLOAT32


def parted(body: Body, ranges: Ranges) -> Body:
    """The statements with such loops in two. `ranges`: what is known where they start."""
    return body if operations_in(body).isdisjoint(SINGLE) else _parted(body, ranges)


def _parted(body: Body, ranges: Ranges) -> Body:
    done: list[Statement] = []
    for statement in body:
        if len(of_kind((statement,), Loop)) + len(of_kind((statement,), WhileLoop)) < 2:
            done.append(statement)
            ranges.after(statement)
            continue
        inner = with_bodies(statement, tuple(_parted(each, ranges.within(statement)) for each in statement.bodies))
        done += _in_two(inner, ranges) if isinstance(inner, Loop) else [inner]
        ranges.after(statement)
    return tuple(done)


def _in_two(loop: Loop, ranges: Ranges) -> list[Statement]:
    """The loop, parted at the first place where it can be; its second part, too."""
    for number, statement in enumerate(loop.body):
        before, after = loop.body[:number], loop.body[number + 1:]
        operand = _operand(statement)
        if operand is None or not _has_loop(before):
            continue
        assert isinstance(statement, Store)
        here = Load(statement.array, statement.index)
        first = replace(loop, body=(*before, replace(statement, value=operand)))
        second = replace(loop, body=(replace(statement, value=_of(statement.value, here)), *after))
        if not _may_part(loop, first, second, ranges):
            continue
        if not _has_loop(after):
            return [first, second]
        alone, rest = replace(second, body=second.body[:1]), replace(second, body=after)
        if _may_part(second, alone, rest, ranges):
            return [first, alone, *_in_two(rest, ranges)]
    return [loop]


def _may_part(loop: Loop, first: Loop, second: Loop, ranges: Ranges) -> bool:
    both = effects([loop])
    return not (both.raises or both.opaque or ranges_read(loop) & both.changed) and independent_trips(first, second, ranges)


def _has_loop(body: Body) -> bool:
    return any(isinstance(each, Loop | WhileLoop) for each in walk(body))


def _operand(statement: Statement) -> Expr | None:
    """What a store's function is applied to, if it is one of those that vector units compute."""
    if not isinstance(statement, Store) or statement.op:
        return None
    value = statement.value.operands[0] if _narrows(statement.value) else statement.value  # type: ignore[union-attr]
    is_vector = isinstance(value, Op) and value.operation in SINGLE
    if not is_vector or any(isinstance(part, Load) and part.array == statement.array for index in statement.index for part in parts(index)):
        return None
    return value.operands[0]  # type: ignore[union-attr]


def _of(value: Expr, operand: Expr) -> Expr:
    """The store's function of another operand."""
    assert isinstance(value, Op)
    if _narrows(value):
        return replace(value, operands=(_of(value.operands[0], operand),))
    return replace(value, operands=(operand,))


def _narrows(value: Expr) -> bool:
    return isinstance(value, Op) and value.operation is restored(FLOAT32)
