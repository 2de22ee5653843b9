"""What rows say of integers: which of them are sums, and what the results of the others are known to be.

    b = n - 1              b is -1 + n
    m = minimum(a, b)      m <= a, m <= b
    q = floor_divide(a, 3) 0 <= a - 3 q <= 2
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from s2s.records import dataclass
from s2s.transforms.integers.affine import Affine, S, product
from s2s.transforms.primitives.arithmetic import (
    add,
    equal,
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
    not_equal,
    sub,
)  # fmt: skip
from s2s.transforms.primitives.row import Primitive


def sum_of(row: Primitive, operands: tuple[Affine[S], ...]) -> Affine[S] | None:
    """The row's result as a sum of its operands, if it is one."""
    if row is add:
        return operands[0] + operands[1]
    if row is sub:
        return operands[0] - operands[1]
    if row is neg:
        return -operands[0]
    return product(*operands) if row is mul else None


def bounds_of(row: Primitive, out: Affine[S], operands: tuple[Affine[S], ...], proves: Callable[[Affine[S]], bool]) -> tuple[Affine[S], ...]:
    """Sums that are at least 0 whatever the operands are. `proves`: whether a sum is known to be at least 0."""
    if row is minimum:
        return (*(each - out for each in operands), *((out,) if all(map(proves, operands)) else ()))
    if row is maximum:
        return tuple(out - each for each in operands)
    if row in (floor_divide, mod):
        a, b = operands
        if not b.terms and b.constant > 0:
            rest = out if row is mod else a - out * b.constant
            return (rest, b - 1 - rest)
        if row is mod and proves(b - 1):
            return (out, b - 1 - out)
        if row is floor_divide and proves(b - 1) and proves(a):
            return (out, a - out)
    return ()


@dataclass(frozen=True)
class Relation(Generic[S]):
    """What is 0, at least 0, and not 0."""

    equal: tuple[Affine[S], ...] = ()
    atleast: tuple[Affine[S], ...] = ()
    unequal: tuple[Affine[S], ...] = ()


COMPLEMENT = {equal: not_equal, not_equal: equal, less: greater_equal, greater_equal: less, greater: less_equal, less_equal: greater}
"""A comparison -> what holds where it doesn't."""


def relation_of(row: Primitive, a: Affine[S], b: Affine[S], *, holds: bool) -> Relation[S]:
    """What a comparison of integers says where it holds, or where it doesn't."""
    row = row if holds else COMPLEMENT[row]
    if row is equal:
        return Relation(equal=(a - b,))
    if row is not_equal:
        return Relation(unequal=(a - b,))
    more = a - b if row in (greater, greater_equal) else b - a
    return Relation(atleast=(more if row in (greater_equal, less_equal) else more - 1,))
