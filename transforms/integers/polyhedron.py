"""Has a system of linear equations and inequalities over integers no solution? By elimination (Fourier 1826, Motzkin 1936).

    k' > k,  i' = i,  k' = k        no solution: what trip (k, i) reads, no later trip (k', i') overwrites

Rational elimination with integer tightening (a sum of multiples of g is at least -c exactly if the sum without g is at
least floor(-c / g)): `infeasible` is never wrong when it says yes, and may say no where it can't tell.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import gcd

Row = dict[Hashable, int]
"""constant (under the key None) + sum of coefficient * variable."""

_LIMIT = 300


def infeasible(equal: Iterable[Row], atleast: Iterable[Row]) -> bool:
    """Whether no integers make every row of `equal` 0 and every row of `atleast` 0 or more."""
    rows: list[Row] | None = [dict(row) for row in atleast]
    todo = [dict(row) for row in equal]
    while todo:
        row = _clean(todo.pop())
        variables = _variables(row)
        if not variables:
            if row.get(None, 0):
                return True
            continue
        if row.get(None, 0) % gcd(*(row[var] for var in variables)):
            return True
        unit = next((var for var in variables if abs(row[var]) == 1), None)
        assert rows is not None
        if unit is None:
            rows += [row, _scaled(row, -1)]
            continue
        todo = [_substituted(each, unit, row) for each in todo]
        rows = [_substituted(each, unit, row) for each in rows]
    return _no_solution(rows or [])


def _no_solution(rows: list[Row]) -> bool:
    """Eliminate one variable after the other, the one that makes the fewest new rows first."""
    current = _tightened(rows)
    while current is not None:
        counts: dict[Hashable, list[int]] = {}
        for row in current:
            for var in _variables(row):
                counts.setdefault(var, [0, 0])[row[var] < 0] += 1
        if not counts:
            return False
        chosen = min(counts, key=lambda var: counts[var][0] * counts[var][1])
        above = [row for row in current if row.get(chosen, 0) > 0]
        below = [row for row in current if row.get(chosen, 0) < 0]
        if len(current) + len(above) * len(below) > _LIMIT:
            return False
        rest = [row for row in current if not row.get(chosen, 0)]
        current = _tightened([*rest, *(_sum(_scaled(a, -b[chosen]), _scaled(b, a[chosen])) for a in above for b in below)])
    return True


def _tightened(rows: list[Row]) -> list[Row] | None:
    """The rows in lowest terms, each once, the strictest of parallel ones; None if one can't hold."""
    strictest: dict[frozenset[tuple[Hashable, int]], int] = {}
    for row in rows:
        variables = _variables(row)
        if not variables:
            if row.get(None, 0) < 0:
                return None
            continue
        divisor = gcd(*(row[var] for var in variables))
        key = frozenset((var, row[var] // divisor) for var in variables)
        constant = row.get(None, 0) // divisor
        strictest[key] = min(strictest.get(key, constant), constant)
    return [{None: constant, **dict(key)} for key, constant in strictest.items()]


def _variables(row: Row) -> list[Hashable]:
    return [var for var, factor in row.items() if var is not None and factor]


def _clean(row: Row) -> Row:
    return {var: factor for var, factor in row.items() if factor}


def _scaled(row: Row, factor: int) -> Row:
    return {var: each * factor for var, each in row.items()}


def _sum(a: Row, b: Row) -> Row:
    total = dict(a)
    for var, factor in b.items():
        total[var] = total.get(var, 0) + factor
    return _clean(total)


def _substituted(row: Row, var: Hashable, equation: Row) -> Row:
    """The row with `var` (whose coefficient in `equation`, which is 0, is 1 or -1) replaced."""
    factor = row.get(var, 0)
    return _sum(row, _scaled(equation, -factor * equation[var])) if factor else row
