"""What equations compute, so that two that compute the same are one, and what a round of simplification found of them, so that the next need not find it again.

    s = sin(x)                        y = mul(s, s)
    t = sin(x)               ->
    y = mul(s, t)
"""
from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType

from s2s.transforms.ir.program import Atom, Equation, Literal, Var
from s2s.transforms.primitives.row import Cost, Elementwise
from s2s.transforms.primitives.structural import broadcast


class Rounds:
    """What the last round found of one function's equations, and this one. Of an equation that came out as it was, there is nothing more to say as long as all that stands
    before it is the same: `before` is empty from the first one on that is not.
    """

    def __init__(self, before: dict[Equation, Hashable] | None = None) -> None:
        self.before: dict[Equation, Hashable] = before or {}
        self.now: dict[Equation, Hashable] = {}
        """Equations, and their contents (None: it is never shared)."""

    def differ(self) -> None:
        """From here on there is something that the last round did not know."""
        self.before = {}


def content(node: Equation, made: Mapping[Var, Equation] = MappingProxyType({})) -> Hashable:
    """What an equation computes: two with the same content have the same results. `made`: the equation of each Var, where it may be known; of what
    is dear, operands that are made again by a few cheap equations are told apart by those, as such are not always shared.
    """
    reach = 0 if _is_cheap(node) else _CHEAP_BEFORE
    return node.primitive, tuple([_operand(atom, made, reach) for atom in node.ins]), tuple(sorted(node.params.items())) if node.params else ()


_CHEAP_BEFORE = 3
"""Cheap equations one behind the other, through which the operands of a dear one are looked at."""


def _is_cheap(node: Equation) -> bool:
    return node.primitive.cost in (Cost.FREE, Cost.CHEAP)


def _operand(atom: Atom, made: Mapping[Var, Equation], reach: int) -> Hashable:
    if isinstance(atom, Literal):
        return atom.type.dtype, repr(atom.value)
    source = made.get(atom) if reach else None
    if source is None or not (source.primitive is broadcast or isinstance(source.primitive.emission, Elementwise) and _is_cheap(source)):
        return atom
    return source.primitive, tuple(_operand(each, made, reach - 1) for each in source.ins), tuple(sorted(source.params.items())), atom.type.weak
