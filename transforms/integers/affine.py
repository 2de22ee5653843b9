"""Integers as sums: a constant and multiples of symbols, in normal form.

    n - 1 - (i + 1)   ->   -2 + 1*n - 1*i

What a symbol is, whoever makes the sums says: a Var of the program, a Var in one of two trips (`derivatives/reverse/dependence.py`),
a binding of a name in the emitted text (`codegen/language/ranges.py`).
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from s2s.records import cached_property, dataclass
from s2s.types import Literal

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Affine(Generic[S]):
    """constant + sum of coefficient * symbol, each symbol once, no coefficient 0. The terms' order (that in which they were added) is for
    whoever goes through them, so that nothing depends on the order of sets; sums are equal whatever it is.
    """

    constant: int = 0
    terms: tuple[tuple[S, int], ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Affine) and self.constant == other.constant and (self.terms == other.terms or self.unordered == other.unordered)

    def __hash__(self) -> int:
        return hash((self.constant, self.terms if len(self.terms) < 2 else self.unordered))

    @cached_property
    def unordered(self) -> frozenset[tuple[S, int]]:
        """The terms, whatever order they were added in."""
        return frozenset(self.terms)

    @staticmethod
    def of(integer: S | Literal | int, coefficient: int = 1) -> Affine[S]:
        """The normal form of a number, or of a symbol that stands for itself."""
        if isinstance(integer, Literal):
            integer = int(integer.value)  # type: ignore[arg-type]
        if isinstance(integer, int):
            return Affine(integer * coefficient)
        return Affine(0, ((integer, coefficient),) if coefficient else ())

    def __add__(self, other: Affine[S] | int) -> Affine[S]:
        if isinstance(other, int):
            return Affine(self.constant + other, self.terms) if other else self
        if not other.terms:
            return self + other.constant
        return Affine(self.constant + other.constant, _added(self.terms, other.terms, 1) if self.terms else other.terms)

    def __mul__(self, factor: int) -> Affine[S]:
        if factor == 1:
            return self
        return Affine(self.constant * factor, tuple([(symbol, c * factor) for symbol, c in self.terms]) if factor else ())

    def __neg__(self) -> Affine[S]:
        return self * -1

    def __sub__(self, other: Affine[S] | int) -> Affine[S]:
        if isinstance(other, int):
            return self + -other
        return Affine(self.constant - other.constant, _added(self.terms, other.terms, -1) if other.terms else self.terms)

    def symbols(self) -> tuple[S, ...]:
        """The symbols in it."""
        return tuple([symbol for symbol, _ in self.terms])

    def coefficient(self, symbol: S) -> int:
        """How often a symbol is in it."""
        for each, factor in self.terms:
            if each == symbol:
                return factor
        return 0

    def substitute(self, symbol: S, by: Affine[S]) -> Affine[S]:
        """The sum with another one in a symbol's place."""
        coefficient = self.coefficient(symbol)
        if not coefficient:
            return self
        return Affine(self.constant, tuple([item for item in self.terms if item[0] != symbol])) + by * coefficient


def _added(terms: tuple[tuple[S, int], ...], more: tuple[tuple[S, int], ...], factor: int) -> tuple[tuple[S, int], ...]:
    """Terms, and a multiple of others."""
    found = dict(terms)
    for symbol, coefficient in more:
        new = found.get(symbol, 0) + coefficient * factor
        if new:
            found[symbol] = new
        else:
            del found[symbol]
    return tuple(found.items())


def product(a: Affine[S], b: Affine[S]) -> Affine[S] | None:
    """a * b, if one of them is a number."""
    return b * a.constant if not a.terms else a * b.constant if not b.terms else None


def ends(lo: Affine[S], hi: Affine[S], step: int) -> tuple[Affine[S], Affine[S]]:
    """The least and the greatest that range(lo, hi, step) may hold; it holds both where step is 1 or -1 and it holds any."""
    return (lo, hi - 1) if step > 0 else (hi + 1, lo)
