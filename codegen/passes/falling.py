"""Rows that a loop takes in falling order, where a compiler would give up vectorising the loops over their elements.

    for t in range(n - 1, -1, -1):                            for t in range(n - 1, -1, -1):
        for i in range(m - 1):                          ->        at = unordered(t)
            y[i] += x[t, i] - x[t, i + 1] * y[i + 1]              for i in range(m - 1):
                                                                      y[i] += x[at, i] - x[at, i + 1] * y[i + 1]

LLVM tests whether arrays overlap once for the whole outer loop, and takes rows in falling order for overlapping ones (the
vectoriser's hoisted run-time checks ask for a stride that is not negative): twice the time for the reverse sweep of a
stencil. It does so where a loop touches many different elements; a row whose number it can't follow is tested alone.
"""
from __future__ import annotations

from collections.abc import Iterator

from s2s.codegen.language.expressions import Expr, Load, Name, Op, as_int, names_read, order
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import UNORDERED
from s2s.codegen.language.statements import (
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Raise,
    Statement,
    Store,
    WhileLoop,
    expressions,
    of_kind,
    operations_in,
    walk,
    with_each_body,
)
from s2s.codegen.passes.unsigned import fresh, with_positions
from s2s.records import replace
from s2s.tuning import TUNING


def with_unordered_rows(body: Body, taken: frozenset[str]) -> Body:
    """The statements with the rows of such loops hidden. `taken`: names in use."""
    return tuple(_statement(statement, taken) for statement in body)


def uses_unordered(body: Body) -> bool:
    """Whether a row was hidden."""
    return UNORDERED in operations_in(body) and any(isinstance(value, Op) and value.operation is UNORDERED for each in walk(body) if isinstance(each, Assign) for value in each.values)


def _statement(statement: Statement, taken: frozenset[str]) -> Statement:
    if not any((as_int(each.step) or 0) < 0 for each in of_kind((statement,), Loop)):
        return statement
    if isinstance(statement, Loop) and (as_int(statement.step) or 0) < 0:
        return replace(statement, body=_inside(statement.body, statement.index, taken))
    return with_each_body(statement, lambda inner: with_unordered_rows(inner, taken))


def _inside(body: Body, index: str, taken: frozenset[str]) -> Body:
    """The body of a falling loop, or of a branch in it."""
    done: list[Statement] = []
    for statement in body:
        if isinstance(statement, IfElse):
            done.append(with_each_body(statement, lambda inner: _inside(inner, index, taken)))
        elif isinstance(statement, Loop) and statement.by_kind.keys().isdisjoint((Loop, WhileLoop, Raise, CallKernel)):
            done += _hidden(statement, index, taken)
        else:
            done.append(_statement(statement, taken))
    return tuple(done)


def _hidden(loop: Loop, index: str, taken: frozenset[str]) -> list[Statement]:
    """The innermost loop, behind what names its rows."""
    elements = set(_accesses(loop.body))
    if len(elements) < TUNING.falling_elements or not any(isinstance(each, Store) for each in walk(loop.body)):
        return [loop]
    changing = {loop.index} | {target for each in walk(loop.body) if isinstance(each, Assign) for target in each.targets}
    rows = {item for _, position in elements for item in position if index in names_read(item) and not names_read(item) & changing}
    by: dict[Expr, Expr] = {}
    bound: list[Statement] = []
    for row in sorted((row for row in rows if not any(isinstance(part, Load) for part in parts(row))), key=order):
        name = fresh(taken | {each.targets[0] for each in bound if isinstance(each, Assign)})
        by[row] = Name(name)
        bound.append(Assign((name,), (Op(UNORDERED, (row,)),), loop.body[0].where))
    return [*bound, replace(loop, body=tuple(with_positions(statement, by) for statement in loop.body))]


def _accesses(body: Body) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    for statement in walk(body):
        if isinstance(statement, Store):
            yield statement.array, statement.index
        for expr in expressions(statement):
            for part in parts(expr):
                if isinstance(part, Load):
                    yield part.array, part.index
