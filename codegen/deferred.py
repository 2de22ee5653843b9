"""Errors of numbers raised after an innermost loop instead of within it, so that vector units compute it.

    for i in range(n):                               failed = False
        if x[i] > 709.78 and x[i] < inf:             for i in range(n):
            raise OverflowError(…)           ->          failed |= x[i] > 709.78 and x[i] < inf
        y[i] = array_exp(x[i])                           y[i] = array_exp(x[i])
                                                     if failed:
                                                         raise OverflowError(…)

A loop with a second way out is computed one element at a time, five times as slowly. Only errors that nothing in the loop relies on (`Raise.late`), and only where the
loop raises no other: the first error of two would be another one.
"""
from __future__ import annotations

from collections.abc import Callable

from s2s.codegen.expressions import Name, Number, Op, names_read
from s2s.codegen.loops import Assign, Body, CallKernel, IfElse, Loop, Raise, Return, Statement, WhileLoop, bodies, walk, with_bodies


def deferred(body: Body, fresh: Callable[[str], str]) -> Body:
    """The statements with such errors raised after their loops. `fresh` makes a name that nothing else has."""
    done: list[Statement] = []
    for statement in body:
        inner = with_bodies(statement, tuple(deferred(each, fresh) for each in bodies(statement)))
        done += _after(inner, fresh) if isinstance(inner, Loop) else [inner]
    return tuple(done)


def _after(loop: Loop, fresh: Callable[[str], str]) -> list[Statement]:
    raised = _only_error(loop)
    if raised is None:
        return [loop]
    flag = fresh("failed")
    start = Assign((flag,), (Number("False"),), loop.where)
    return [start, with_bodies(loop, (_noting(loop.body, flag),)), IfElse(Name(flag), (raised,), (), raised.where)]


def _only_error(loop: Loop) -> Raise | None:
    """The one error that the loop raises, if it may be raised later."""
    inside = list(walk(loop.body))
    if any(isinstance(each, Loop | WhileLoop | CallKernel | Return) for each in inside):
        return None
    errors = [each for each in inside if isinstance(each, Raise)]
    checks = [each for each in inside if _is_check(each)]
    if not errors or len(checks) != len(errors):
        return None
    first = errors[0]
    same = all(each.late and (each.exception, each.args) == (first.exception, first.args) for each in errors)
    return first if same and not any(names_read(arg) for arg in first.args) else None


def _is_check(statement: Statement) -> bool:
    return isinstance(statement, IfElse) and not statement.orelse and len(statement.then) == 1 and isinstance(statement.then[0], Raise)


def _noting(body: Body, flag: str) -> Body:
    """The statements with their errors noted in the flag."""
    done: list[Statement] = []
    for statement in body:
        if _is_check(statement):
            assert isinstance(statement, IfElse)
            done.append(Assign((flag,), (Op("a | b", (Name(flag), statement.test)),), statement.where))
        else:
            done.append(with_bodies(statement, tuple(_noting(each, flag) for each in bodies(statement))))
    return tuple(done)
