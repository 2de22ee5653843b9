"""Integers as sums: a constant and multiples of symbols, in normal form.

    n - 1 - (i + 1)   ->   -2 + 1*n - 1*i

What a symbol is, whoever makes the sums says: a Var of the program, a Var in one of two trips (`derivatives/reverse/dependence.py`),
a binding of a name in the emitted text (`codegen/language/ranges.py`).
"""
from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

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
        return isinstance(other, Affine) and self.constant == other.constant and frozenset(self.terms) == frozenset(other.terms)

    def __hash__(self) -> int:
        return hash((self.constant, frozenset(self.terms)))

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
            return Affine(self.constant + other, self.terms)
        if not other.terms:
            return Affine(self.constant + other.constant, self.terms)
        terms = dict(self.terms)
        for symbol, coefficient in other.terms:
            terms[symbol] = terms.get(symbol, 0) + coefficient
        return Affine(self.constant + other.constant, tuple(item for item in terms.items() if item[1]))

    def __mul__(self, factor: int) -> Affine[S]:
        return Affine(self.constant * factor, tuple((symbol, c * factor) for symbol, c in self.terms if factor))

    def __neg__(self) -> Affine[S]:
        return self * -1

    def __sub__(self, other: Affine[S] | int) -> Affine[S]:
        return self + -other

    def symbols(self) -> tuple[S, ...]:
        """The symbols in it."""
        return tuple(symbol for symbol, _ in self.terms)

    def coefficient(self, symbol: S) -> int:
        """How often a symbol is in it."""
        return next((factor for each, factor in self.terms if each == symbol), 0)

    def substitute(self, symbol: S, by: Affine[S]) -> Affine[S]:
        """The sum with another one in a symbol's place."""
        coefficient = self.coefficient(symbol)
        if not coefficient:
            return self
        return Affine(self.constant, tuple(item for item in self.terms if item[0] != symbol)) + by * coefficient


def product(a: Affine[S], b: Affine[S]) -> Affine[S] | None:
    """a * b, if one of them is a number."""
    return b * a.constant if not a.terms else a * b.constant if not b.terms else None


def ends(lo: Affine[S], hi: Affine[S], step: int) -> tuple[Affine[S], Affine[S]]:
    """The least and the greatest that range(lo, hi, step) may hold; it holds both where step is 1 or -1 and it holds any."""
    return (lo, hi - 1) if step > 0 else (hi + 1, lo)
