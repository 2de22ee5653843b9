"""Errors of numbers raised after an innermost loop instead of within it, so that vector units compute it.

    for i in range(n):                                                failed = False
        if x[i] > 709.78:                                             for i in range(n):
            raise OverflowError('math range error')  # late     ->        failed |= x[i] > 709.78
        y[i] = array_exp(x[i])                                            y[i] = array_exp(x[i])
                                                                      if failed:
                                                                          raise OverflowError('math range error')

Of a loop over the examples of a batch the error names the first that failed:

    for i in range(n):                                                            failed = n
        if x[i] < 0.0:                                                            for i in range(n):
            raise ValueError('math domain error')  # late, example i     ->           failed = min(failed, i if x[i] < 0.0 else n)
        y[i] = sqrt(x[i])                                                             y[i] = sqrt(x[i])
                                                                                  if failed < n:
                                                                                      raise ValueError('math domain error')  # example failed

A loop with a second way out is computed one element at a time, five times as slowly. Only errors that nothing in the loop relies on (`Raise.late`), and of those one for
each loop: of two, the first would not be known. Where the loop raises anything else, what was noted is raised before it.
"""
from __future__ import annotations

from collections.abc import Callable

from s2s.codegen.language.effects import effects, raises_in_loops
from s2s.codegen.language.expressions import Expr, Name, Number, Op, as_int, names_read
from s2s.codegen.language.names import Names
from s2s.codegen.language.operations import BIT_OR, CHOOSE, LEAST, LESS
from s2s.codegen.language.statements import (
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Raise,
    Return,
    Statement,
    WhileLoop,
    walk,
    with_bodies,
    with_each_body,
)
from s2s.codegen.lowering.lowered import Lowered
from s2s.records import replace


def errors_deferred(kernel: Lowered) -> Lowered:
    """The kernel with such errors raised after their loops."""
    if not any(map(raises_in_loops, kernel.body)):
        return kernel
    return kernel.with_body(deferred(kernel.body, Names(kernel.taken).fresh))


def deferred(body: Body, fresh: Callable[[str], str]) -> Body:
    """The statements with such errors raised after their loops. `fresh` makes a name that nothing else has."""
    done: list[Statement] = []
    for statement in body:
        if not raises_in_loops(statement):
            done.append(statement)
            continue
        inner = with_each_body(statement, lambda each: deferred(each, fresh))
        done += _after(inner, fresh) if isinstance(inner, Loop) else [inner]
    return tuple(done)


def _after(loop: Loop, fresh: Callable[[str], str]) -> list[Statement]:
    late = _late_error(loop)
    if late is None:
        return [loop]
    flag = fresh("failed")
    if not any(loop.index in names_read(number) for number in late.examples):
        start, end = Assign((flag,), (Number(False),), loop.where), IfElse(Name(flag), (late,), (), late.where)
        return [start, with_bodies(loop, (_noting(loop.body, lambda test: Op(BIT_OR, (Name(flag), test)), flag, end),)), end]
    if as_int(loop.step) != 1 or names_read(loop.hi) & effects([loop]).changed:
        return [loop]

    def first(test: Expr) -> Expr:
        return Op(LEAST, (Name(flag), Op(CHOOSE, (test, Name(loop.index), loop.hi))))

    named = replace(late, examples=tuple(Name(flag) if number == Name(loop.index) else number for number in late.examples))
    start, end = Assign((flag,), (loop.hi,), loop.where), IfElse(Op(LESS, (Name(flag), loop.hi)), (named,), (), late.where)
    return [start, with_bodies(loop, (_noting(loop.body, first, flag, end),)), end]


def _late_error(loop: Loop) -> Raise | None:
    """The one error that the loop may raise later."""
    inside = list(walk(loop.body))
    if any(isinstance(each, Loop | WhileLoop | CallKernel | Return) for each in inside):
        return None
    errors = [each for each in inside if isinstance(each, Raise) and each.late]
    if not errors or len(errors) != sum(_is_late(each) for each in inside):
        return None
    first = errors[0]
    same = all((each.exception, each.args, each.examples) == (first.exception, first.args, first.examples) for each in errors)
    return first if same and not any(names_read(arg) for arg in first.args) else None


def _is_late(statement: Statement) -> bool:
    """Whether it is `if test: raise` of an error that may be raised later."""
    if not isinstance(statement, IfElse) or statement.orelse or len(statement.then) != 1:
        return False
    only = statement.then[0]
    return isinstance(only, Raise) and only.late


def _noting(body: Body, noted: Callable[[Expr], Expr], flag: str, end: Statement) -> Body:
    """The statements with late errors noted in the flag (`noted`: what it is then), and raised (`end`) before another one is."""
    done: list[Statement] = []
    for statement in body:
        if _is_late(statement):
            assert isinstance(statement, IfElse)
            done.append(Assign((flag,), (noted(statement.test),), statement.where))
            continue
        if isinstance(statement, Raise):
            done.append(end)
        done.append(with_each_body(statement, lambda each: _noting(each, noted, flag, end)))
    return tuple(done)
