"""Which values are weak, as JAX counts it (they came from Python numbers), and where a weak one becomes a strong one.

    mul(x, y)       x: f8*, y: f8[3]   ->   b:f64[] = convert_element_type[new_dtype=float64 weak_type=False] x
                                            c:f64[3] = mul b y
    mul(n, 2.0)     n: i8[3]           ->   b:f64[3] = convert_element_type[new_dtype=float64 weak_type=True] n
                                            c:f64[3] = mul b 2.0:f64[]               weak: no float took part that was strong
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.records import replace
from s2s.transforms.ir import program
from s2s.transforms.ir.program import Equation
from s2s.transforms.jaxprs.atoms import Atom, Literal, ShapedArray
from s2s.transforms.jaxprs.scope import Scope
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.row import Elementwise

_ORDER = "biufc"


def is_weak(operands: Sequence[ShapedArray]) -> bool:
    """Whether what these promote to is weak: none of them is strong and of its kind.

    >>> import numpy as np
    >>> one, two = ShapedArray((), np.dtype("float64"), True), ShapedArray((3,), np.dtype("int64"))
    >>> is_weak([one, one]), is_weak([one, two]), is_weak([two, two])
    (True, True, False)
    """
    kinds = {weak: max((_rank(aval) for aval in operands if aval.weak_type is weak), default=-1) for weak in (False, True)}
    return kinds[True] > kinds[False]


def _rank(aval: ShapedArray) -> int:
    return _ORDER.index(aval.dtype.kind.replace("u", "i"))


def is_weak_conversion(node: Equation, scope: Scope) -> bool:
    """Whether a conversion that an operation makes of its operand gives a weak one."""
    user = scope.user(node.outs[0])
    while user is not None and user.where == node.where and user.primitive is rows.broadcast:
        user = scope.user(user.outs[0])
    if user is None or user.where != node.where or not isinstance(user.primitive.emission, Elementwise):
        return False
    return is_weak([aval for atom in user.ins if (aval := _given(atom, user, scope)) is not None])


def _given(atom: program.Atom, user: Equation, scope: Scope) -> ShapedArray | None:
    """The type of what the user of an operation gave it, where it converts some operand."""
    made = scope.made(atom)
    while made is not None and made.where == user.where and made.primitive in (rows.broadcast, rows.convert):
        atom = made.ins[0]
        made = scope.made(atom)
    if isinstance(atom, program.Literal):
        return replace(scope[atom].aval, weak_type=True)
    return scope[atom].aval if scope.has(atom) else None


def result_is_weak(operands: Sequence[Atom], out: ShapedArray) -> bool:
    """Whether the result of an operation on elements is."""
    return out.dtype.kind != "b" and all(atom.aval.dtype.kind != "b" for atom in operands) and is_weak(_types(operands))


def strengthened(node: Equation, operands: list[Atom], scope: Scope) -> list[Atom]:
    """The operands; weak ones are converted where others are strong."""
    dtypes = {atom.aval.dtype for atom in operands}
    if len(operands) < 2 or len(dtypes) > 1 or is_weak(_types(operands)):
        return operands
    return [strong(atom, node, scope) if not isinstance(atom, Literal) and atom.aval.weak_type else atom for atom in operands]


def _types(operands: Sequence[Atom]) -> list[ShapedArray]:
    """The operands' types. Of a number that the source writes the program knows the dtype that it takes part with: it is taken for Python's."""
    return [replace(atom.aval, weak_type=True) if isinstance(atom, Literal) else atom.aval for atom in operands]


def strong(atom: Atom, node: Equation, scope: Scope) -> Atom:
    """A weak operand as a strong one."""
    aval = replace(atom.aval, weak_type=False)
    params: dict[str, Any] = {"new_dtype": aval.dtype, "weak_type": False}
    return scope.op("convert_element_type", lambda x, **_: x, [atom], aval, node.where, **params)


def starts_weak(init: Atom) -> bool:
    """Whether what a loop carries first is weak. Of numbers the program knows only the dtype that they are carried in: they are taken for Python's."""
    return isinstance(init, Literal) and init.aval.dtype.kind in "fc" or init.aval.weak_type


__all__ = ["is_weak", "is_weak_conversion", "result_is_weak", "starts_weak", "strengthened", "strong"]
