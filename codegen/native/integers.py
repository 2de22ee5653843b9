"""Divisions of integers whose divisor is known not to be negative, in few instructions: Python's, and 0 by 0, as Numba's are."""
from __future__ import annotations

from llvmlite import ir

_INT64 = ir.IntType(64)


def divided(builder: ir.IRBuilder, x: ir.Value, y: ir.Value, *, rest: bool, rises: bool, zero: bool) -> ir.Value:
    """x // y, with `rest` x % y. `rises`: x is not negative, `zero`: y may be 0."""
    nothing = builder.icmp_signed("==", y, _INT64(0)) if zero else None
    by = y if nothing is None else builder.select(nothing, _INT64(1), y)
    if rises:
        found = builder.urem(x, by) if rest else builder.udiv(x, by)
    else:
        left = builder.srem(x, by)
        below = builder.icmp_signed("<", left, _INT64(0))
        cut = left if rest else builder.sdiv(x, by)
        found = builder.select(below, builder.add(cut, by if rest else _INT64(-1)), cut)
    return found if nothing is None else builder.select(nothing, _INT64(0), found)
