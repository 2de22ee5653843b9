"""Single numbers are left to `math`: only innermost loops are vectorised, and elsewhere the functions for vectors are slower.

    for i in range(n):                                        for i in range(n):
        total = 0.0                                               total = 0.0
        for j in range(m):                              ->        for j in range(m):
            total = plus(total, array_exp(x[i, j]))                   total = plus(total, array_exp(x[i, j]))
        y[i] = a[i] + array_log(total)                            y[i] = a[i] + log(total)
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from s2s.codegen.language.expressions import Expr, Op, Operation, as_int
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import SINGLE, VECTOR, single
from s2s.codegen.language.searching import substitute
from s2s.codegen.language.statements import Body, Loop, Statement, WhileLoop, expressions, operations_in, walk, with_bodies
from s2s.codegen.lowering.lowered import Lowered, Slot
from s2s.codegen.passes.fuse import replace_bodies_empty, with_names
from s2s.tuning import TUNING


def single_numbers(kernel: Lowered) -> Lowered:
    """The kernel with `math`'s functions outside of innermost loops, and in what it returns."""
    results = tuple(result if isinstance(result, Slot) else _single(result) for result in kernel.results)
    return replace(kernel, body=with_single_numbers(kernel.body), results=results)


def _single(expr: Expr) -> Expr:
    while by := _replaced([expr]):
        expr = substitute(expr, by)
    return expr


def with_single_numbers(body: Body) -> Body:
    """The statements with `math`'s functions outside of innermost loops."""
    return tuple(_statement(statement) for statement in body)


def _statement(statement: Statement) -> Statement:
    if not _vector_operations(statement.operations):
        return statement
    if isinstance(statement, Loop) and not any(_stays_a_loop(inner) for inner in walk(statement.body)):
        return statement
    return with_bodies(_own(statement), tuple(map(with_single_numbers, statement.bodies)))


def _stays_a_loop(statement: Statement) -> bool:
    if not isinstance(statement, Loop):
        return isinstance(statement, WhileLoop)
    ends = [as_int(end) for end in (statement.lo, statement.hi, statement.step)]
    return None in ends or len(range(*(end or 0 for end in ends))) > TUNING.unrolled_trips


def _own(statement: Statement) -> Statement:
    """The statement, its blocks empty, with `math`'s functions in its own expressions."""
    if not _calls(statement):
        return statement
    outer = replace_bodies_empty(statement) if statement.bodies else statement
    while by := _calls(outer):
        outer = with_names(outer, by)
    return outer


def _calls(statement: Statement) -> dict[Expr, Expr]:
    return _replaced(expressions(statement))


def _replaced(found_in: Iterable[Expr]) -> dict[Expr, Expr]:
    found = (part for expr in found_in if _vector_operations(expr.operations) for part in parts(expr) if isinstance(part, Op))
    return {part: Op(single(part.operation), part.operands) for part in found if single(part.operation) is not part.operation}


def _vector_operations(found: Iterable[Operation]) -> bool:
    """Whether `math` has a function for one of the operations."""
    return any(part in SINGLE for each in found for part in each.parts)


def vector_functions(body: Body) -> set[str]:
    """The functions for vectors that the statements still call."""
    return {name for each in operations_in(body) for part in each.parts if part in SINGLE for name in part.functions}


def math_functions(body: Body, results: Iterable[Expr]) -> set[str]:
    """Those of `math` that they, and what is returned, call in place of one."""
    found = operations_in(body).union(*[expr.operations for expr in results])
    return {name for each in found for part in each.parts if part in VECTOR for name in part.functions}
