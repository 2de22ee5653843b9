"""What is known of the signs of numbers, from how they were computed: x * x + 1.0 is positive."""
from __future__ import annotations

from itertools import islice

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.value import Value
from s2s.types import Atom, Literal, Var, is_integer

LOOK_BACK = 200
"""How many equations are searched for a definition."""


def is_nonnegative(x: Value) -> bool:
    """Whether x is known to be at least 0 (or nan)."""
    return _nonnegative(x.builder, x.atom, 6)


def is_positive(x: Value) -> bool:
    """Whether x is known to be greater than 0 (or nan)."""
    return _positive(x.builder, x.atom, 6)


def _definition(builder: Builder, var: Var) -> Equation | None:
    scope: Builder | None = builder
    while scope is not None:
        for node in islice(reversed(scope.nodes), LOOK_BACK):
            if var in node.outs:
                return node if isinstance(node, Equation) else None
        scope = scope.outer
    return None


def _nonnegative(builder: Builder, atom: Atom, fuel: int) -> bool:
    if atom.type.dtype.kind == "c":  # there is no order of them: (1j) ** 2 + 1 is 0
        return False
    if isinstance(atom, Literal):
        return atom.value >= 0  # type: ignore[operator]
    if is_integer(atom.type.dtype) and not atom.type.shape and builder.proves_at_least(atom, 0):
        return True
    node = _definition(builder, atom) if fuel else None
    if node is None:
        return False

    def known(operand: Atom) -> bool:
        return _nonnegative(builder, operand, fuel - 1)

    match node.primitive:
        case rows.square | rows.absolute | rows.exp | rows.sqrt | rows.half_power | rows.exp2 | rows.cosh | rows.hypot:
            return True
        case rows.mul if node.ins[0] is node.ins[1]:
            return True
        case rows.add | rows.mul | rows.minimum:
            return all(known(operand) for operand in node.ins)
        case rows.div | rows.convert:
            return all(known(operand) for operand in node.ins)
        case rows.maximum:
            return any(known(operand) for operand in node.ins)
        case rows.power_to:
            return node.params["exponent"] % 2 == 0
    return False


def _positive(builder: Builder, atom: Atom, fuel: int) -> bool:
    if isinstance(atom, Literal):
        return atom.type.dtype.kind != "c" and atom.value > 0  # type: ignore[operator]
    node = _definition(builder, atom) if fuel else None
    if node is None or node.primitive is not rows.add:
        return False
    first, second = node.ins
    return any(
        _positive(builder, one, fuel - 1) and _nonnegative(builder, other, fuel - 1) for one, other in ((first, second), (second, first))
    )
