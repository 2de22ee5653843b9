"""Products of two arrays: one row for dot, matmul, outer, tensordot, einsum of two.

Axes are named by letters: "ij,j->i" is A @ x, "i,j->ij" is np.outer.
"""
from __future__ import annotations

import string
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.row import NEW, STRUCTURAL, Cost, Primitive, Sample
from s2s.transforms.primitives.structural import complex_draws, draws, sample
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom, Dim


def letters(spec: str) -> tuple[str, str, str]:
    """The letters of the two operands and of the result."""
    operands, _, result = spec.partition("->")
    first, second = operands.split(",")
    return first, second, result


def _infer_contract(ins: tuple[Atom, ...], *, spec: str) -> tuple[Array, ...]:
    *operands, result = letters(spec)
    sizes: dict[str, Dim] = {}
    for named, atom in zip(operands, ins, strict=True):
        if len(set(named)) != len(named) or len(named) != atom.type.ndim or atom.type.dtype != ins[0].type.dtype:
            raise ShapeError(f"contract {spec} of {ins[0].type} and {ins[1].type}")
        for letter, dim in zip(named, atom.type.shape, strict=True):
            if sizes.setdefault(letter, dim) != dim:
                raise ShapeError(f"contract {spec}: {ins[0].type} and {ins[1].type} differ along {letter}")
    return (ins[0].type.strong().with_shape(tuple(sizes[letter] for letter in result)),)


def _jvp_contract(dots: Any, ins: Values, outs: Values, *, spec: str) -> tuple[Value | None, ...]:
    terms = [contract(dots[0], ins[1], spec=spec)] if dots[0] is not None else []
    terms += [contract(ins[0], dots[1], spec=spec)] if dots[1] is not None else []
    return (terms[0] + terms[1] if len(terms) == 2 else terms[0] if terms else None,)


def _transpose_contract(bars: Any, ins: Values, linear: tuple[bool, ...], *, spec: str) -> Any:
    first, second, result = letters(spec)
    if linear[0]:
        return contract(bars[0], ins[1], spec=f"{result},{second}->{first}"), None
    if is_traced_order():
        return None, contract(bars[0], ins[0], spec=f"{result},{first}->{second}")
    return None, contract(ins[0], bars[0], spec=f"{first},{result}->{second}")


def _batch_contract(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, spec: str) -> Any:
    new = next(letter for letter in string.ascii_letters if letter not in spec)
    first, second, result = letters(spec)
    operands = ",".join((new if is_batched else "") + named for named, is_batched in zip((first, second), batched, strict=True))
    return (contract(*ins, spec=f"{operands}->{new}{result}"),), (True,)


def spread_over(named: str, result: str) -> tuple[bool, ...] | None:
    """For each letter of the result (from the operand's first on) whether the operand has it, if its letters stand in the result's order; else None."""
    if [letter for letter in result if letter in named] != list(named):
        return None
    return tuple(letter in named for letter in result[result.index(named[0]) if named else len(result):])


def is_multiplication(spec: str) -> bool:
    """Whether nothing is summed, and both operands only need axes of length 1 between their own."""
    first, second, result = letters(spec)
    return set(first + second) == set(result) and all(spread_over(named, result) is not None for named in (first, second))


def _contract(a: Any, b: Any, *, spec: str) -> Any:
    if not is_multiplication(spec):
        return np.einsum(spec, a, b)
    first, second, result = letters(spec)  # einsum adds to 0.0, and loses the sign of zeros
    return np.multiply(*(np.asarray(x)[tuple(slice(None) if own else None for own in spread_over(named, result) or ())] for x, named in ((a, first), (b, second))))


SPECS = (
    ("i,i->", (4,), (4,)), ("ij,j->i", (3, 4), (4,)), ("i,ij->j", (3,), (3, 4)), ("ij,jk->ik", (2, 3), (3, 4)), ("i,j->ij", (2,), (3,)),
    ("ij,ij->", (2, 3), (2, 3)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 2)), ("ij,kj->ik", (2, 3), (4, 3)), ("i,i->i", (3,), (3,)),
    ("ij,jk->ik", (2, 0), (0, 3)), ("ij,jk->ik", (1, 3), (3, 1)), ("ij,jk->ki", (2, 3), (3, 4)), (",i->i", (), (3,)),
)


def _samples() -> tuple[Sample, ...]:
    real = tuple(sample(draws(*first), draws(*second), spec=spec, wrt=(0, 1)) for spec, first, second in SPECS)
    return (*real, sample(complex_draws(2, 3), complex_draws(3), spec="ij,j->i", wrt=(0, 1)), sample(draws(3, dtype=np.int64), draws(3, dtype=np.int64), spec="i,i->", wrt=()))


contract = Primitive(
    "contract", infer=_infer_contract, evaluate=_contract, jvp=_jvp_contract,
    transpose=_transpose_contract, batch=_batch_contract, cost=Cost.HEAVY, emission=STRUCTURAL, storage=NEW, samples=_samples(),
)
"""contract(a, b; spec): letters of `spec` are distinct within an operand; each letter stands in at least two of the
three places (so that a letter is summed, kept, or matched, and the transposes are contracts again)."""

ROWS: tuple[Primitive, ...] = (contract,)
