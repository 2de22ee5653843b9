"""Calls of functions that can't be read: their results are known by type only (`s2s.register`).

The row is not in the table: what it means, and its derivative, are its user's.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import UnsupportedError
from s2s.records import dataclass, field
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, STRUCTURAL, Cost, NotYet, Primitive, Sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import Array, Atom, atom_dim


@dataclass(frozen=True)
class External:
    """A function from outside. `name`: dotted, importable; `compiled`: the name of one that Numba can call, or ""; `elementwise`: its
    operands have one shape, which is the result's.
    """

    name: str
    function: Any = field(compare=False)
    dtype: np.dtype
    ndim: int
    elementwise: bool
    compiled: str = ""
    stamp: str = ""

    def __repr__(self) -> str:
        return self.name


def _infer(ins: tuple[Atom, ...], *, call: External) -> tuple[Array, ...]:
    return (Array(call.dtype, tuple(atom_dim(size) for size in ins[: call.ndim])),)


def _evaluate(*ins: Any, call: External) -> Any:
    return np.array(call.function(*ins[call.ndim:]))


def _jvp(dots: tuple[Value | None, ...], ins: Values, outs: Values, *, call: External) -> tuple[Value | None, ...]:
    if all(dot is None for dot in dots):
        return (None,)
    raise UnsupportedError(
        f"{call.name} has no derivative rule", where=ins[0].builder.where, instead=f"s2s.register({call.name}, …, jvp=… or vjp=…), or s2s.custom_jvp around the call"
    )


opaque = Primitive(
    "opaque", infer=_infer, evaluate=_evaluate, jvp=_jvp, transpose=NOT_LINEAR, batch=NotYet("its source can't be read"),
    cost=Cost.HEAVY, emission=STRUCTURAL, storage=NEW,
    samples=(
        Sample(lambda rng: (3, rng.normal(size=3)), {"call": External("numpy.cbrt", np.cbrt, np.dtype(float), 1, elementwise=True)}, ()),
        Sample(lambda rng: (rng.normal(size=3),), {"call": External("numpy.linalg.norm", np.linalg.norm, np.dtype(float), 0, elementwise=False)}, ()),
    ),
)
"""opaque(*lengths, *operands; call): what the function returns."""
