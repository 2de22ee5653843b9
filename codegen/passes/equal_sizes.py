"""Lengths that a check has shown to be equal go by one name from there on, so that loops over one are loops over the other.

    if n != m:                              if n != m:
        raise ValueError('')                    raise ValueError('')
    for i in range(n):              ->      for i in range(n):
        z[i] = x[i] * 2.0                       z[i] = x[i] * 2.0
    for i in range(m):                      for i in range(n):
        y[i] = z[i] + 1.0                       y[i] = z[i] + 1.0

The name is the one that most loops and arrays have already; what a check says in its message stays.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2s.codegen.language.expressions import Expr, Name, Op, Sum, form_of, names_read
from s2s.codegen.language.operations import AND, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_EQUAL
from s2s.codegen.language.statements import Alloc, Body, IfElse, Loop, Statement, is_check, of_kind, walk, with_each_body
from s2s.codegen.passes.fuse import with_names


def by_one_name(body: Body, sizes: frozenset[str]) -> Body:
    """A body in which each class of equal lengths has one name. `sizes`: names of lengths of arrays, which nothing assigns."""
    if not any(_compared(each, sizes) for each in of_kind(body, IfElse)):
        return body
    return _named(body, sizes, Counter(name for each in walk(body) for name in _lengths(each)))


def _lengths(statement: Statement) -> Iterator[str]:
    """The names in a loop's bounds and in an array's shape."""
    exprs = (statement.lo, statement.hi) if isinstance(statement, Loop) else statement.shape if isinstance(statement, Alloc) else ()
    for expr in exprs:
        yield from names_read(expr)


def _named(body: Body, sizes: frozenset[str], uses: Counter[str]) -> Body:
    equal: dict[str, tuple[str, ...]] = {}
    names: dict[Expr, Expr] = {}
    done: list[Statement] = []
    for each in body:
        pair = _compared(each, sizes)
        statement = with_names(each, names) if names and pair is None else each
        if isinstance(statement, IfElse) and is_check(statement) and _never_holds(statement.test):
            continue
        done.append(with_each_body(statement, lambda inner: _named(inner, sizes, uses)))
        if pair is not None:
            alike = tuple(dict.fromkeys((*equal.get(pair[0], pair[:1]), *equal.get(pair[1], pair[1:]))))
            equal.update(dict.fromkeys(alike, alike))
            one = Name(max(alike, key=uses.__getitem__))
            names.update((Name(other), one) for other in alike)
    return tuple(done)


def _compared(statement: Statement, sizes: frozenset[str]) -> tuple[str, str] | None:
    """The two lengths that are equal behind a check."""
    match statement:
        case IfElse(test=Op(operation=operation, operands=(Name(id=one), Name(id=other)))) if operation is NOT_EQUAL and is_check(statement):
            return (one, other) if one in sizes and other in sizes else None
        case _:
            return None


def _never_holds(test: Expr) -> bool:
    """Whether a comparison of integers fails whatever they are: n - 1 >= n."""
    if not isinstance(test, Op):
        return False
    if test.operation is AND:
        return any(map(_never_holds, test.operands))
    if len(test.operands) != 2 or not any(isinstance(each, Sum) for each in test.operands):  # a sum is one of integers
        return False
    ahead = form_of(test.operands[0]) - form_of(test.operands[1])
    if ahead.terms:
        return False
    fails = {GREATER_EQUAL: ahead.constant < 0, GREATER: ahead.constant <= 0, LESS: ahead.constant >= 0, LESS_EQUAL: ahead.constant > 0, NOT_EQUAL: ahead.constant == 0}
    return fails.get(test.operation, False)
