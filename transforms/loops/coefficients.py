"""Coefficients of linear sums: products and sums of a loop's values that don't hang on what the loop carries.

    0.1 * (h * (dt * bar))      the coefficient of bar: Scaled(0.1, h * dt)
    bar + dt * bar              Coefficient(1, dt): the 1 is kept apart, so that a small step loses no digits to it

Each product or sum is held once (`Coefficients.parts`), so that what is written twice is computed once.
"""
from __future__ import annotations

import numpy as np

from s2s.records import dataclass
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives.arithmetic import add, div, mul, sub
from s2s.types import Atom, Literal, Var, literal


class NotSafeError(Exception):
    """A constant that would overflow, vanish or cancel: the sum is left as it is."""


@dataclass(frozen=True)
class Scaled:
    """number * part; without a part the number itself."""

    number: float
    part: int | None = None


@dataclass(frozen=True)
class Coefficient:
    """unit + rest: a unit of 1 or -1 takes no multiplication, and no digit from the rest."""

    unit: int
    rest: Scaled | None = None


@dataclass(frozen=True)
class _Leaf:
    var: Var


@dataclass(frozen=True)
class _Product:
    one: int
    other: int


@dataclass(frozen=True)
class _Reciprocal:
    of: int


@dataclass(frozen=True)
class _Sum:
    """one + other, or one - other; the numbers of both are positive."""

    one: Scaled
    other: Scaled
    minus: bool


class Coefficients:
    """The coefficients of one loop, all of one float type. `varying`: the values that are not the same in each trip."""

    def __init__(self, dtype: np.dtype, varying: set[Atom]) -> None:
        self.dtype, self.varying = dtype, varying
        self.parts: list[_Leaf | _Product | _Reciprocal | _Sum] = []
        self.varies: list[bool] = []
        self._numbers: dict[_Leaf | _Product | _Reciprocal | _Sum, int] = {}
        self._written: dict[Scaled, Atom] = {}

    # ---- making ---------------------------------------------------------------------------------------------------------

    def of(self, atom: Atom) -> Scaled:
        """An atom's value."""
        if isinstance(atom, Literal):
            return Scaled(self._checked(float(atom.value.real)))
        return Scaled(1.0, self._part(_Leaf(atom)))

    def over(self, atom: Atom) -> Scaled:
        """1 / atom."""
        below = self.of(atom)
        if below.part is None:
            return Scaled(self._checked(1.0 / below.number))
        return Scaled(1.0, self._part(_Reciprocal(below.part)))

    def times(self, one: Scaled, other: Scaled) -> Scaled:
        number = self._checked(one.number * other.number)
        if one.part is None or other.part is None:
            return Scaled(number, other.part if one.part is None else one.part)
        return Scaled(number, self._part(_Product(one.part, other.part)))

    def plus(self, one: Scaled, other: Scaled) -> Scaled:
        if one.part == other.part:
            return Scaled(self._checked(one.number + other.number), one.part)
        if one.number < 0 < other.number:
            one, other = other, one
        sign = 1.0 if one.number > 0 else -1.0
        minus = one.number * other.number < 0
        size, second = abs(one.number), abs(other.number)
        if size == second:
            return Scaled(sign * size, self._part(_Sum(Scaled(1.0, one.part), Scaled(1.0, other.part), minus)))
        return Scaled(sign, self._part(_Sum(Scaled(size, one.part), Scaled(second, other.part), minus)))

    def product(self, one: Coefficient, other: Coefficient) -> Coefficient:
        """(unit + rest) * (unit + rest)."""
        rest = None
        for unit, factor in ((one.unit, other.rest), (other.unit, one.rest)):
            if unit and factor is not None:
                rest = self._joined(rest, Scaled(unit * factor.number, factor.part))
        if one.rest is not None and other.rest is not None:
            rest = self._joined(rest, self.times(one.rest, other.rest))
        return Coefficient(one.unit * other.unit, rest)

    def sum(self, one: Coefficient, other: Coefficient) -> Coefficient:
        """Of two terms of the same value."""
        unit, rest = one.unit + other.unit, one.rest if other.rest is None else self._joined(one.rest, other.rest)
        if one.unit and other.unit:
            if not unit:
                raise NotSafeError
            unit, rest = 0, self._joined(rest, Scaled(float(unit)))
        return Coefficient(unit, rest)

    def _joined(self, one: Scaled | None, other: Scaled) -> Scaled:
        return other if one is None else self.plus(one, other)

    def _checked(self, number: float) -> float:
        """The number, rounded as the loop's numbers are; it must be an ordinary one."""
        with np.errstate(all="ignore"):
            rounded = float(self.dtype.type(number))
        if not np.isfinite(rounded) or abs(rounded) < np.finfo(self.dtype).tiny:
            raise NotSafeError
        return rounded

    def _part(self, part: _Leaf | _Product | _Reciprocal | _Sum) -> int:
        if part not in self._numbers:
            self._numbers[part] = len(self.parts)
            self.parts.append(part)
            self.varies.append(part.var in self.varying if isinstance(part, _Leaf) else any(self.varies[k] for k in _inner(part)))
        return self._numbers[part]

    # ---- what it costs, and the program ---------------------------------------------------------------------------------

    def is_varying(self, scaled: Scaled | None) -> bool:
        """Whether a value is not the same in each trip."""
        return scaled is not None and scaled.part is not None and self.varies[scaled.part]

    def operations(self, wanted: list[Scaled]) -> int:
        """How many operations a trip needs for these."""
        seen: set[Scaled] = set()
        parts: set[int] = set()
        work = list(wanted)
        while work:
            scaled = work.pop()
            if scaled in seen or scaled.part is None or not self.varies[scaled.part]:
                continue
            seen.add(scaled)
            parts.add(scaled.part)
            part = self.parts[scaled.part]
            work += [part.one, part.other] if isinstance(part, _Sum) else [Scaled(1.0, inner) for inner in _inner(part)]
        return sum(abs(scaled.number) != 1.0 for scaled in seen) + sum(not isinstance(self.parts[part], _Leaf) for part in parts)

    def write(self, scaled: Scaled, builder: Builder) -> Atom:
        """The atom that holds the value, of which the number is positive."""
        if scaled not in self._written:
            self._written[scaled] = self._new(scaled, builder)
        return self._written[scaled]

    def _new(self, scaled: Scaled, builder: Builder) -> Atom:
        if scaled.part is None:
            return literal(scaled.number, self.dtype)
        if scaled.number != 1.0:
            return builder.equation(mul, (literal(scaled.number, self.dtype), self.write(Scaled(1.0, scaled.part), builder)))[0]
        part = self.parts[scaled.part]
        match part:
            case _Leaf():
                return part.var
            case _Product():
                return builder.equation(mul, (self.write(Scaled(1.0, part.one), builder), self.write(Scaled(1.0, part.other), builder)))[0]
            case _Reciprocal():
                return builder.equation(div, (literal(1.0, self.dtype), self.write(Scaled(1.0, part.of), builder)))[0]
            case _Sum():
                return builder.equation(sub if part.minus else add, (self.write(part.one, builder), self.write(part.other, builder)))[0]


def _inner(part: _Leaf | _Product | _Reciprocal | _Sum) -> tuple[int, ...]:
    match part:
        case _Leaf():
            return ()
        case _Product():
            return part.one, part.other
        case _Reciprocal():
            return (part.of,)
        case _Sum():
            return tuple(each.part for each in (part.one, part.other) if each.part is not None)
