"""Reductions and products over axes."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.families import linear_structural
from s2s.transforms.primitives.row import STRUCTURAL, Cost, NotYet, Primitive, Values
from s2s.transforms.primitives.value import Value
from s2s.types import Array, Atom, Dim


def _infer_reduced(ins: tuple[Atom, ...], *, axes: tuple[int, ...]) -> tuple[Array, ...]:
    type_ = ins[0].type
    return (type_.with_shape(tuple(dim for axis, dim in enumerate(type_.shape) if axis not in axes)),)


def _transpose_sum(bars: Any, ins: Values, linear: tuple[bool, ...], *, axes: tuple[int, ...]) -> Any:
    return (spread(bars[0], ins[0].shape, axes),)


def spread(reduced: Value, shape: tuple[Dim, ...], axes: tuple[int, ...]) -> Value:
    """A reduced value repeated along the reduced axes."""
    return reduced.broadcast_to(shape, tuple(axis for axis in range(len(shape)) if axis not in axes))


reduce_sum = linear_structural(
    "reduce_sum", lambda x, *, axes: np.sum(x, axis=axes, dtype=np.asarray(x).dtype), infer=_infer_reduced, linear_in=(0,),
    transpose=_transpose_sum, batch=NotYet("vmap"), samples=(), cost=Cost.HEAVY,
)
"""reduce_sum(x; axes): over the sorted tuple of non-negative axes, in x's dtype."""


# contract: every product of two arrays, with its axes named by letters: "ij,j->i" is A @ x, "i,j->ij" is np.outer.


def _letters(spec: str) -> tuple[str, str, str]:
    operands, _, result = spec.partition("->")
    first, second = operands.split(",")
    return first, second, result


def _infer_contract(ins: tuple[Atom, ...], *, spec: str) -> tuple[Array, ...]:
    first, second, result = _letters(spec)
    sizes: dict[str, Dim] = {}
    for letters, atom in ((first, ins[0]), (second, ins[1])):
        for letter, dim in zip(letters, atom.type.shape, strict=True):
            if sizes.setdefault(letter, dim) != dim:
                raise ShapeError(f"contract {spec}: {ins[0].type} and {ins[1].type} differ along {letter}")
    return (ins[0].type.strong().with_shape(tuple(sizes[letter] for letter in result)),)


def _jvp_contract(dots: Any, ins: Values, outs: Values, *, spec: str) -> tuple[Value | None, ...]:
    terms = [contract(dots[0], ins[1], spec=spec)] if dots[0] else []
    terms += [contract(ins[0], dots[1], spec=spec)] if dots[1] else []
    return (terms[0] + terms[1] if len(terms) == 2 else terms[0] if terms else None,)


def _transpose_contract(bars: Any, ins: Values, linear: tuple[bool, ...], *, spec: str) -> Any:
    first, second, result = _letters(spec)
    if linear[0]:
        return contract(bars[0], ins[1], spec=f"{result},{second}->{first}"), None
    return None, contract(ins[0], bars[0], spec=f"{first},{result}->{second}")


contract = Primitive(
    "contract", infer=_infer_contract, evaluate=lambda a, b, *, spec: np.einsum(spec, a, b), jvp=_jvp_contract,
    transpose=_transpose_contract, batch=NotYet("vmap"), cost=Cost.HEAVY, emission=STRUCTURAL, samples=(),
)
"""contract(a, b; spec): letters of `spec` are distinct within an operand; each letter stands in at least two of the
three places (so that a letter is summed, kept, or matched, and the transposes are contracts again)."""

ROWS = (reduce_sum, contract)
