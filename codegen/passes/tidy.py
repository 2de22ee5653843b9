"""The last steps on a function's statements: what is never used goes, allocations leave loops.

    for t in range(steps):                        new = np.empty(n)
        new = np.empty(n)                         for t in range(steps):
        for i in range(n):                  ->        for i in range(n):
            new[i] = 0.5 * u[n - i - 1]                   new[i] = 0.5 * u[n - i - 1]
        u = new                                       u, new = new, u
"""
from __future__ import annotations

from collections import Counter
from operator import is_

from s2s.codegen.language.expressions import Expr, Length, Load, Name, Op, integer, names_read
from s2s.codegen.language.operations import LARGEST
from s2s.codegen.language.ranges import Ranges, ranges_of
from s2s.codegen.language.statements import (
    Alloc,
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Return,
    Statement,
    Store,
    WhileLoop,
    assigned,
    expressions,
    of_kind,
    walk,
    with_bodies,
    with_each_body,
)
from s2s.codegen.lowering.lowered import Lowered
from s2s.records import replace


def without_unused(body: Body, kept: frozenset[str]) -> Body:
    """Without assignments, allocations and stores whose variable nothing reads (and that are not in `kept`), and stores that change nothing, or that the next statement undoes."""
    while True:
        local = {statement.name for statement in of_kind(body, Alloc)}
        body = _without_overwritten(body, local - _renamed(body))
        used = set(kept).union(*[statement.names_read for statement in body])
        used.update(store.array for store in of_kind(body, Store) if store.array not in local)
        new = _without(body, used, local)
        if new == body:
            return body
        body = new


def _without(body: Body, used: set[str], local: set[str]) -> Body:
    result: list[Statement] = []
    for statement in body:
        match statement:
            case Assign() if not set(statement.targets) & used:
                continue
            case Alloc() if statement.name not in used:
                if not any(isinstance(each, Store) and each.array == statement.name for each in walk(body)):
                    continue
            case Store() if statement.array not in used and statement.array in local:
                continue
            case _:
                pass
        if statement.bodies:
            statement = with_each_body(statement, lambda inner: _without(inner, used, local))
            if isinstance(statement, Loop) and not statement.body or isinstance(statement, IfElse) and not (statement.then or statement.orelse):
                continue
        result.append(statement)
    return tuple(result)


def _renamed(body: Body) -> set[str]:
    """Arrays that may have another name, too."""
    moves = (statement for statement in of_kind(body, Assign) if statement.move)
    return {name for statement in moves for name in (*statement.targets, *(part for value in statement.values for part in names_read(value)))}


def _without_overwritten(body: Body, own: set[str]) -> Body:
    """Without `a[i] = a[i]`, and without the first of `a[i] = 0.0`, `a[i] = x[i]`. `own`: arrays that no other name means."""
    result: list[Statement] = []
    for statement in body:
        statement = with_each_body(statement, lambda inner: _without_overwritten(inner, own))
        if isinstance(statement, Store) and statement.op is None:
            if statement.value == Load(statement.array, statement.index):
                continue
            if result and _is_undone(result[-1], statement, own):
                result.pop()
        result.append(statement)
    return body if len(result) == len(body) and all(map(is_, result, body)) else tuple(result)


def _is_undone(before: Statement, store: Store, own: set[str]) -> bool:
    """Whether a store leaves nothing of what the statement before it has stored."""
    if not isinstance(before, Store) or (before.array, before.index) != (store.array, store.index) or store.array not in own:
        return False
    return store.array not in store.value.names and not any(store.array in position.names for position in store.index)


def hoisted(body: Body, swappable: frozenset[tuple[str, str]], sizes: frozenset[str]) -> Body:
    """With allocations out of loops. `swappable`: pairs (carried, new) of arrays of one type where `carried = new` at the
    end of a loop may as well exchange the two buffers; `sizes`: names of lengths.
    """
    counts = Counter(statement.name for statement in of_kind(body, Alloc))
    moves = [statement for statement in of_kind(body, Assign) if statement.move]
    values = [value for each in moves for value in each.values] + [value for each in of_kind(body, Return) for value in each.values]
    moved = Counter(part for value in values for part in names_read(value))
    moved.update(target for each in moves for target in each.targets)
    moved.update(target for each in of_kind(body, CallKernel) for target in each.targets)
    return _hoisted(body, {name for name, count in counts.items() if count == 1}, moved, swappable, ranges_of(body, sizes))


def exchanging(kernel: Lowered) -> Lowered:
    """The same kernel; parameters whose arrays change places with others are known to be written."""
    exchanged = {name for each in of_kind(kernel.body, Assign) if each.move and len(each.targets) > 1 for name in each.targets}
    for slot in kernel.params:
        slot.written |= slot.name in exchanged
    return kernel


def _hoisted(body: Body, once: set[str], moved: Counter[str], swappable: frozenset[tuple[str, str]], ranges: Ranges) -> Body:
    if not of_kind(body, Alloc):
        return body
    result: list[Statement] = []
    for statement in body:
        if statement.bodies:
            inner = tuple(_hoisted(each, once, moved, swappable, ranges.within(statement)) for each in statement.bodies)
            statement = with_bodies(statement, inner)
        if isinstance(statement, Loop | WhileLoop):
            statement, allocations = _lifted(statement, once, moved, swappable)
            result += [possible(each, ranges) for each in allocations]
        result.append(statement)
        ranges.after(statement)
    return tuple(result)


def possible(statement: Alloc, ranges: Ranges) -> Alloc:
    """An allocation that can't fail, for a place that may be reached where the one that the user wrote is not: no length is negative.

    >>> from s2s.codegen.language.expressions import integer, plus
    >>> import numpy as np
    >>> possible(Alloc("w", (plus(Name("n"), integer(-1)),), np.dtype(float)), ranges_of((), frozenset({"n"}))).shape[0].operation
    <max(a, b)>
    """
    return replace(statement, shape=tuple(length if _is_length(length, ranges) else Op(LARGEST, (length, integer(0))) for length in statement.shape))


def _is_length(length: Expr, ranges: Ranges) -> bool:
    if isinstance(length, Op) and length.operation is LARGEST:
        return any(_is_length(operand, ranges) for operand in length.operands)
    return isinstance(length, Length) or ranges.nonnegative(length)


def _lifted(
    loop: Loop | WhileLoop, once: set[str], moved: Counter[str], swappable: frozenset[tuple[str, str]]
) -> tuple[Loop | WhileLoop, list[Alloc]]:
    """A loop without its allocations that can stand before it, and those."""
    changed_by = {*assigned([loop]), *(statement.index for statement in of_kind([loop], Loop))}
    body = list(loop.body)
    for number, statement in enumerate(body):
        if isinstance(statement, Assign) and statement.move and len(statement.targets) == 1 and isinstance(statement.values[0], Name):
            pair = (statement.targets[0], statement.values[0].id)
            own = [each for each in loop.body if isinstance(each, Alloc) and each.name == pair[1]]
            if pair in swappable and own and moved[pair[1]] == 1 and not _reads(own[0]) & changed_by and not _used(body[number + 1:], pair[1]):
                body[number] = replace(statement, targets=pair, values=(Name(pair[1]), Name(pair[0])))
                moved = moved - Counter({pair[1]: moved[pair[1]]})
                changed_by.discard(pair[1])
    changed = loop if all(map(is_, body, loop.body)) else replace(loop, body=tuple(body))
    lifted: list[Alloc] = []
    for statement in walk(changed.body):
        if isinstance(statement, Alloc) and statement.name in once and not moved[statement.name] and not _reads(statement) & changed_by:
            lifted.append(statement)
    names = {statement.name for statement in lifted}
    return with_each_body(changed, lambda inner: _without_allocs(inner, names)), lifted  # type: ignore[return-value]


def _reads(statement: Alloc) -> set[str]:
    return {name for length in statement.shape for name in names_read(length)}


def _used(statements: list[Statement], name: str) -> bool:
    return any(name in names_read(expr) for statement in walk(statements) for expr in expressions(statement))


def _without_allocs(body: Body, names: set[str]) -> Body:
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Alloc) and statement.name in names:
            continue
        result.append(with_each_body(statement, lambda inner: _without_allocs(inner, names)))
    return tuple(result)
