"""Has a system of linear equations and inequalities over integers no solution? By elimination (Fourier 1826, Motzkin 1936).

    k' > k,  i' = i,  k' = k        no solution: what trip (k, i) reads, no later trip (k', i') overwrites
    0 <= i,  i <= n - 2,  i >= n    no solution: i is in bounds

Rational elimination with integer tightening (a sum of multiples of g is at least -c exactly if the sum without g is at
least floor(-c / g)): `infeasible` is never wrong when it says yes, and may say no where it can't tell.
"""
from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Generic

from s2s.transforms.integers.affine import Affine, S

_Side = dict[S, list[tuple[int, Affine[S]]]]
_LIMIT = 300
"""Inequalities at a time, beyond which nothing is said."""


def infeasible(equal: Iterable[Affine[S]], atleast: Iterable[Affine[S]]) -> bool:
    """Whether no integers make each of `equal` 0 and each of `atleast` 0 or more."""
    rows: list[Affine[S]] = list(atleast)
    todo = list(equal)
    while todo:
        row = todo.pop()
        if not row.terms:
            if row.constant:
                return True
            continue
        if row.constant % gcd(*(factor for _, factor in row.terms)):
            return True
        unit = next(((symbol, factor) for symbol, factor in row.terms if abs(factor) == 1), None)
        if unit is None:
            rows += [row, -row]
            continue
        symbol, factor = unit
        value = Affine.of(symbol) - row * factor
        todo = [each.substitute(symbol, value) for each in todo]
        rows = [each.substitute(symbol, value) for each in rows]
    return _System(rows).infeasible()


class _System(Generic[S]):
    """Inequalities in lowest terms, of parallel ones the strictest, by their multiples of symbols."""

    def __init__(self, rows: Iterable[Affine[S]]) -> None:
        self.rows: dict[frozenset[tuple[S, int]], Affine[S]] = {}
        self.fails = False
        for row in rows:
            self.add(row)

    def add(self, row: Affine[S]) -> None:
        """One more: it is at least 0."""
        if not row.terms:
            self.fails = self.fails or row.constant < 0
            return
        divisor = gcd(*[factor for _, factor in row.terms])
        if divisor != 1:
            row = Affine(row.constant // divisor, tuple([(symbol, factor // divisor) for symbol, factor in row.terms]))
        known = self.rows.get(row.unordered)
        if known is None or row.constant < known.constant:
            self.rows[row.unordered] = row

    def infeasible(self) -> bool:
        """Eliminate one symbol after the other, the one that makes the fewest new rows first."""
        while not self.fails and len(self.rows) <= _LIMIT:
            above, below = self._sides()
            if not above and not below:
                return False
            if self._without_one_sided(above, below):
                continue
            chosen = min(above, key=lambda symbol: len(above[symbol]) * len(below[symbol]))
            up, down = above[chosen], below[chosen]
            if len(self.rows) + len(up) * len(down) > _LIMIT:
                return False
            for _, row in (*up, *down):
                del self.rows[row.unordered]
            for more, a in up:
                for less, b in down:
                    self.add(a * less + b * more)
        return self.fails

    def _sides(self) -> tuple[_Side[S], _Side[S]]:
        """The rows that bound each symbol from below, and from above, with its multiple in them."""
        above: _Side[S] = {}
        below: _Side[S] = {}
        for row in self.rows.values():
            for symbol, factor in row.terms:
                if factor > 0:
                    above.setdefault(symbol, []).append((factor, row))
                else:
                    below.setdefault(symbol, []).append((-factor, row))
        return above, below

    def _without_one_sided(self, above: _Side[S], below: _Side[S]) -> bool:
        """Drop what bounds a symbol that is bounded on one side only: all of that holds where the symbol is large enough. Whether there was any."""
        found = above.keys() ^ below.keys()
        if found:
            self.rows = {key: row for key, row in self.rows.items() if found.isdisjoint(row.symbols())}
        return bool(found)
