"""Checks that say the same in every trip of a loop are made before it, where it has a trip at all.

    for i in range(m):                                if 0 < m and n != k:
        if n != k:                                        raise ValueError('sizes', n, k)
            raise ValueError('sizes', n, k)     ->    for i in range(m):
        y[i] = x[i]                                       y[i] = x[i]

Only checks that a trip starts with: nothing that anybody sees happened before them, so that the same exception leaves the same arrays behind.
"""
from __future__ import annotations

from s2s.codegen.language.effects import effects
from s2s.codegen.language.expressions import Op, as_int, names_read
from s2s.codegen.language.operations import AND, LESS
from s2s.codegen.language.ranges import Ranges
from s2s.codegen.language.statements import Alloc, Assign, Body, IfElse, Loop, Raise, Statement, bodies, expressions, walk, with_bodies
from s2s.records import replace


def checks_first(body: Body, ranges: Ranges) -> Body:
    """The statements with such checks before their loops. `ranges`: what is known where they start."""
    done: list[Statement] = []
    for statement in body:
        inner = with_bodies(statement, tuple(checks_first(each, ranges.within(statement)) for each in bodies(statement)))
        done += _parted(inner, ranges) if isinstance(inner, Loop) else [inner]
        ranges.after(statement)
    return tuple(done)


def _parted(loop: Loop, ranges: Ranges) -> list[Statement]:
    """The checks that a loop's trips start with and that do not change in it, and the loop without them."""
    step = as_int(loop.step)
    changed = {loop.index, *effects([loop]).changed, *(each.name for each in walk([loop]) if isinstance(each, Alloc))}
    checks: list[IfElse] = []
    kept: list[Statement] = []
    for statement in loop.body if step else ():
        if isinstance(statement, IfElse) and _is_check(statement) and not _reads(statement) & changed:
            checks.append(_of_all(statement, changed))
        elif isinstance(statement, Assign) and not statement.move:
            kept.append(statement)  # a number that only the trip sees
        else:
            break
    rest = (*kept, *loop.body[len(checks) + len(kept):])
    if not checks or not rest:
        return [loop]
    first, last = (loop.lo, loop.hi) if step > 0 else (loop.hi, loop.lo)  # type: ignore[operator]
    if not ranges.has_trip(loop):
        checks = [replace(each, test=Op(AND, (Op(LESS, (first, last)), each.test))) for each in checks]
    return [*checks, replace(loop, body=rest)]


def _is_check(statement: IfElse) -> bool:
    return len(statement.then) == 1 and isinstance(statement.then[0], Raise) and not statement.orelse


def _of_all(check: IfElse, changed: set[str]) -> IfElse:
    """A check that fails for all examples, and so names none of them."""
    (error,) = check.then
    assert isinstance(error, Raise)
    left = tuple(number for number in error.examples if not names_read(number) & changed)
    return check if left == error.examples else replace(check, then=(replace(error, examples=left),))


def _reads(statement: Statement) -> set[str]:
    """What a check reads. The example that it names is no reason for it to stay in a loop."""
    return {name for each in walk([statement]) for expr in (each.args if isinstance(each, Raise) else expressions(each)) for name in names_read(expr)}

