"""A function that pmap or shard_map spread over devices, inside of a program whose jaxpr is asked for: its calls stay calls, and it says what one device runs."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.records import dataclass
from s2s.transforms.ir.program import Function, Rule


@dataclass(frozen=True)
class Part:
    """What stands for a parameter or a result of one device: the whole one's `number`, and the axis along which the devices lie (None: each has the whole)."""

    number: int
    axis: int | None


class Spread(Rule):
    """`one`: what a device runs; `ins`: for its parameters the parts of this function's, `outs`: for each of this function's results which of `one`'s it is made of;
    `hidden`: the numbers of this function's parameters that it reads from around.
    """

    keeps_numbers = True

    def __init__(self, one: Function, ins: Sequence[Part], outs: Sequence[Part], axis_name: Any, size: int, hidden: Sequence[int]) -> None:
        self.hidden = frozenset(hidden)
        self.one, self.ins, self.outs, self.axis_name, self.size = one, tuple(ins), tuple(outs), axis_name, size


__all__ = ["Part", "Spread"]
