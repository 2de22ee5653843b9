"""Checks that say the same in every trip of a loop are made before it, where it has a trip at all.

    for i in range(m):                                if 0 < m and n != k:
        if n != k:                                        raise ValueError('sizes', n, k)
            raise ValueError('sizes', n, k)     ->    for i in range(m):
        y[i] = x[i]                                       y[i] = x[i]

Only checks that a trip starts with: nothing that anybody sees happened before them, so that the same exception leaves the same arrays behind.
Lengths that they are made of go with them. So does a check that a position is in range, where nothing but the position changes from trip to trip,
the trips store nothing that anybody sees, and raise nothing else: it fails for the last trip, if for any.

    for i in range(m):                                if m > n:
        if i >= n:                                        raise IndexError('range', n)
            raise IndexError('range', i)     ->       for i in range(m):
        total += x[i]                                     total += x[i]
"""
from __future__ import annotations

from collections import Counter

from s2s.codegen.language.effects import effects, raises_in_loops
from s2s.codegen.language.expressions import Expr, Length, Name, Number, Op, Sum, as_int, names_read, total
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import ADD, AND, GREATER, GREATER_EQUAL, LARGEST, LEAST, LESS, SUBTRACT
from s2s.codegen.language.ranges import Ranges
from s2s.codegen.language.statements import (
    Alloc,
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Raise,
    Statement,
    expressions,
    is_check,
    walk,
    with_bodies,
)
from s2s.codegen.passes.fuse import with_names
from s2s.records import replace


def checks_first(body: Body, ranges: Ranges, params: frozenset[str]) -> Body:
    """The statements with such checks before their loops. `ranges`: what is known where they start; `params`: what the caller gives."""
    if not any(map(raises_in_loops, body)):
        return body
    assigned = Counter(target for each in walk(body) if isinstance(each, Assign | CallKernel) for target in each.targets)
    return _block(body, ranges, params, frozenset(name for name, count in assigned.items() if count == 1 and name not in params))


def _block(body: Body, ranges: Ranges, params: frozenset[str], once: frozenset[str]) -> Body:
    done: list[Statement] = []
    for statement in body:
        if raises_in_loops(statement):
            inner = with_bodies(statement, tuple(_block(each, ranges.within(statement), params, once) for each in statement.bodies))
            done += [part for each in _of_range(inner, ranges, params) for part in _parted(each, ranges, once)] if isinstance(inner, Loop) else [inner]
        else:
            done.append(statement)
        ranges.after(statement)
    return tuple(done)


def _of_range(loop: Loop, ranges: Ranges, params: frozenset[str]) -> list[Statement]:
    """A loop's check that a position is in range, for all trips at once, and the loop without it."""
    check, rest = loop.body[0] if loop.body else loop, loop.body[1:]
    if not isinstance(check, IfElse) or not rest or not is_check(check) or as_int(loop.step) != 1 or loop.example:
        return [loop]
    if not isinstance(check.test, Op) or check.test.operation is not GREATER_EQUAL:
        return [loop]
    position, size = check.test.operands
    inside = effects(rest)
    changed = {loop.index, *inside.changed}
    first = total((size, 1), (position, -1), (Name(loop.index), 1))  # the trip that fails first
    may_not = inside.raises or inside.opaque or inside.stores.keys() & params or _reads(check) & (changed - {loop.index})
    if may_not or loop.index in names_read(first):
        return [loop]
    lowest = first if ranges.at_least(first, loop.lo) else Op(LARGEST, (loop.lo, first))
    test = Op(GREATER, (loop.hi, first))
    if lowest != first and not ranges.has_trip(loop):
        test = _both(Op(LESS, (loop.lo, loop.hi)), test)
    before = with_names(replace(check, test=test), {Name(loop.index): lowest})
    return [before, replace(loop, body=rest)]


def _both(first: Op, second: Expr) -> Op:
    """One test and another one, which may say the first already."""
    return second if isinstance(second, Op) and second.operation is AND and second.operands[0] == first else Op(AND, (first, second))


def _parted(loop: Statement, ranges: Ranges, once: frozenset[str]) -> list[Statement]:
    """The checks that a loop's trips start with and that do not change in it, and the loop without them. `once`: names that are bound at one place."""
    if not isinstance(loop, Loop):
        return [loop]
    step = as_int(loop.step)
    changed = {loop.index, *effects([loop]).changed, *(each.name for each in walk([loop]) if isinstance(each, Alloc))}
    same: list[Assign] = []  # lengths that a check may be made of
    checks: list[IfElse] = []
    kept: list[Assign] = []
    for statement in loop.body if step else ():
        if isinstance(statement, IfElse) and is_check(statement) and not _reads(statement) & changed:
            checks.append(_of_all(statement, changed))
        elif isinstance(statement, Assign) and not statement.move:
            kept.append(statement)  # a number that only the trip sees
            if set(statement.targets) <= once and _is_length(statement) and not _reads(statement) & changed:
                changed -= set(statement.targets)
                same.append(statement)
        else:
            break
    rest = loop.body[len(checks) + len(kept):]
    if not checks:
        return [loop]
    needed = _needed(checks, same)
    first, last = (loop.lo, loop.hi) if step > 0 else (loop.hi, loop.lo)  # type: ignore[operator]
    if not ranges.has_trip(loop):
        checks = [replace(each, test=_both(Op(LESS, (first, last)), each.test)) for each in checks]
    left = (*(each for each in kept if each not in needed), *rest)
    return [*needed, *checks, *([replace(loop, body=left)] if left else [])]


def _is_length(statement: Assign) -> bool:
    """Whether it is a sum of integers, or the larger or smaller of two: nothing that must not be made where the loop has no trip."""
    inside = [part for value in statement.values for part in parts(value)]
    return all(isinstance(part, Name | Number | Length | Sum) or isinstance(part, Op) and part.operation in (ADD, SUBTRACT, LARGEST, LEAST) for part in inside)


def _needed(checks: list[IfElse], same: list[Assign]) -> list[Assign]:
    """The lengths that checks are made of, and those that these are made of, in order."""
    names = {name for check in checks for name in _reads(check)}
    for statement in reversed(same):
        if names & set(statement.targets):
            names |= _reads(statement)
    return [statement for statement in same if names & set(statement.targets)]


def _of_all(check: IfElse, changed: set[str]) -> IfElse:
    """A check that fails for all examples, and so names none of them."""
    (error,) = check.then
    assert isinstance(error, Raise)
    left = tuple(number for number in error.examples if not names_read(number) & changed)
    return check if left == error.examples else replace(check, then=(replace(error, examples=left),))


def _reads(statement: Statement) -> set[str]:
    """What a check reads. The example that it names is no reason for it to stay in a loop."""
    return {name for each in walk([statement]) for expr in (each.args if isinstance(each, Raise) else expressions(each)) for name in names_read(expr)}

