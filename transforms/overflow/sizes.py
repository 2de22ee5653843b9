"""How far integers are from zero on either side, and what rows make of that (`magnitudes.py`)."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from s2s.records import dataclass, replace
from s2s.transforms.ir.program import Equation, Var
from s2s.transforms.primitives import logic, reductions, structural
from s2s.transforms.primitives.arithmetic import (
    add,
    floor_divide,
    greater,
    greater_equal,
    less,
    less_equal,
    maximum,
    minimum,
    mod,
    mul,
    neg,
    select,
    sign,
    square,
    sub,
)
from s2s.transforms.primitives.conversion import absolute, convert
from s2s.transforms.primitives.elementwise import power, power_to
from s2s.transforms.primitives.indexing import additem, getitem, grow, setitem, shrink
from s2s.transforms.primitives.joining import concatenate, pack
from s2s.transforms.primitives.row import Primitive
from s2s.types import SMALL

LEAST, LARGEST = -(2**63), 2**63 - 1
"""Any integer is between them."""
LENGTH = SMALL
"""An axis of an array."""
COUNT = 2**47
"""The elements of one array: what addresses reach."""
BEYOND_TOTAL = "a sum of a list's integers beyond 64 bits, of which {} would be left: integers of run time have 64 bits in lists"
_BEYOND = 2**64
"""Of what may be larger than any integer of 64 bits."""


@dataclass(frozen=True)
class Size:
    """An integer from `low` to `high`. `carried`: it is no further from zero than one of these, which loops around it carry, and `grown` more, or than `floor`."""

    low: int
    high: int
    floor: int
    carried: frozenset[Var] = frozenset()
    grown: int = 0

    @property
    def most(self) -> int:
        """How far it may be from zero."""
        return max(-self.low, self.high)

    @property
    def fits(self) -> bool:
        """Whether it surely has 64 bits."""
        return self.low >= LEAST and self.high <= LARGEST

    def within(self, low: int, high: int) -> Size:
        """The same, known to be between two numbers; what it can't be is what no run comes to."""
        return replace(self, low=min(max(self.low, low), LARGEST), high=max(min(self.high, high), LEAST)) if low > self.low or high < self.high else self


def between(low: int, high: int) -> Size:
    """From one number to another."""
    return Size(low, high, max(-low, high))


ANY = between(LEAST, LARGEST)


def joined(sizes: Iterable[Size]) -> Size:
    """One of them, nobody knows which."""
    found = list(sizes)
    carried = frozenset().union(*(size.carried for size in found))
    return Size(min(size.low for size in found), max(size.high for size in found), max(size.floor for size in found), carried, max(size.grown for size in found))


def _power(node: Equation, a: Size, *rest: Size) -> Size:
    exponent = node.params["exponent"] if node.primitive is power_to else rest[0].high
    most = min(a.most, _BEYOND) ** exponent if isinstance(exponent, int) and 0 <= exponent <= 64 else _BEYOND if a.most > 1 else 1
    return between(0 if a.low >= 0 else -most, most)


def _shifted(node: Equation, a: Size, b: Size) -> Size:
    most = a.most << b.high if 0 <= b.high < 64 else _BEYOND
    return between(0 if a.low >= 0 else -most, most)


def _times(node: Equation, a: Size, b: Size) -> Size:
    corners = [x * y for x, y in product((a.low, a.high), (b.low, b.high))]
    return between(min(corners), max(corners))


def _joined_bits(a: Size, b: Size) -> Size:
    """As many bits as the longer one has."""
    most = int(2 ** max(a.most.bit_length(), b.most.bit_length()) - 1)
    return between(0 if min(a.low, b.low) >= 0 else -most - 1, most)


def _masked(a: Size, b: Size) -> Size:
    """No more bits than a mask has that is not negative."""
    masks = [each.high for each in (a, b) if each.low >= 0]
    return between(0, min(masks)) if masks else _joined_bits(a, b)


def _quotient(a: Size, b: Size) -> Size:
    """No further from zero than the first operand."""
    if b.low >= 1 and b.low == b.high:
        return replace(a, low=a.low // b.low, high=a.high // b.low)
    return replace(a, low=min(a.low, -a.high, 0), high=max(a.high, -a.low, 0)) if b.low < 0 or a.low < 0 else replace(a, low=0)


def _halved(a: Size, b: Size) -> Size:
    return replace(a, low=a.low >> b.low, high=a.high >> b.low) if 0 <= b.low == b.high < 64 else replace(a, low=min(a.low, 0), high=max(a.high, 0))


def _remainder(a: Size, b: Size) -> Size:
    return between(min(0, b.low + 1), max(0, b.high - 1))


def _size(a: Size) -> Size:
    return a if a.low >= 0 else replace(a, low=0, high=a.most)


SUMS: dict[Primitive, tuple[int, ...]] = {add: (1, 1), sub: (1, -1), neg: (-1,)}
"""Their operands together, with these signs."""
SCALED: dict[Primitive, Callable[..., Size]] = {
    mul: _times, square: lambda node, a: between(0, a.most * a.most), power: _power, power_to: _power, logic.left_shift: _shifted,
}  # fmt: skip
"""What may be much further from zero than their operands."""
PRESENT: dict[Primitive, tuple[int, int | None]] = {
    maximum: (0, None), minimum: (0, None), select: (1, None), concatenate: (0, None), pack: (0, None), setitem: (0, 2),
    **dict.fromkeys((
        convert, getitem, grow, shrink, reductions.sort, reductions.reduce_max, reductions.reduce_min, structural.broadcast, structural.retype,
        structural.reshape, structural.copy, structural.transpose, structural.stop_gradient, structural.checkpoint_name,
    ), (0, 1)),
}  # fmt: skip
"""Numbers that are there: in those of their operands."""
POSITIONS = frozenset({reductions.argmax, reductions.argmin, reductions.argsort, reductions.searchsorted, structural.iota, structural.where_true})
"""Places in an array."""
OTHER: dict[Primitive, Callable[..., Size]] = {
    floor_divide: _quotient, logic.right_shift: _halved, mod: _remainder, absolute: _size, sign: lambda a: between(-1, 1),
    logic.bitwise_and: _masked, logic.bitwise_or: _joined_bits, logic.bitwise_xor: _joined_bits,
    logic.bitwise_invert: lambda a: replace(a, low=-a.high - 1, high=-a.low - 1, grown=a.grown + 1, floor=a.floor + 1),
    structural.empty: lambda *sizes: between(0, 0), reductions.reduce_sum: lambda a: between(a.low * LENGTH, a.high * LENGTH),
}  # fmt: skip
"""No further than about one of their operands."""
PLACED = {getitem: 1, setitem: 2, additem: 2}
"""Their operands from this one on say where in an array."""
BELOW = {less: (0, 1, -1), less_equal: (0, 1, 0), greater: (1, 0, -1), greater_equal: (1, 0, 0)}
"""Tests: this operand is at most that one, plus a number."""
