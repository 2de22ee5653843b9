"""Calls of functions that can't be read: their results are known by type only (`s2s.register`).

The row is not in the table: what it means, and its derivative, are its user's.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import handles
from s2s.errors import UnsupportedError
from s2s.records import dataclass, field, replace
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, STRUCTURAL, Cost, Primitive, Sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import SIZE, Array, Atom, Literal, atom_dim


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
    batched: str = "sequential"
    """What a batch does: JAX's vmap_method; "": it is refused."""
    shown: str = ""
    """What the user calls it."""
    held: int = 0
    """How many of the operands, the first ones, are a number by which it is found, and lengths."""
    front: int = 0
    """How many axes of examples are in front."""

    def __repr__(self) -> str:
        return self.shown or self.name


def _infer(ins: tuple[Atom, ...], *, call: External) -> tuple[Array, ...]:
    return (Array(call.dtype, tuple(atom_dim(size) for size in ins[: call.ndim])),)


def _evaluate(*ins: Any, call: External) -> Any:
    return np.array(call.function(*ins[call.ndim:]))


def _jvp(dots: tuple[Value | None, ...], ins: Values, outs: Values, *, call: External) -> tuple[Value | None, ...]:
    if all(dot is None for dot in dots):
        return (None,)
    raise UnsupportedError(
        f"{call!r} has no derivative rule", where=ins[0].builder.where,
        instead="s2s.custom_jvp around the call" if call.shown else f"s2s.register({call.name}, …, jvp=… or vjp=…), or s2s.custom_jvp around the call",
    )


ONCE = ("expand_dims", "broadcast_all", "legacy_vectorized")
"""The vmap_methods that call a function once for all examples, with their axis in front."""


def _batch(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, call: External) -> Any:
    """One call for all examples. Operands that they share get an axis of length 1, or of all of them, or none."""
    assert call.batched in ONCE, call
    lengths, held, operands = ins[: call.ndim], ins[call.ndim : call.ndim + call.held], ins[call.ndim + call.held :]
    given = [value if own else _with_axis(value, size, call.batched) for value, own in zip(operands, batched[call.ndim + call.held :], strict=True)]
    number = (held[0], size.with_atom(Literal(call.front + 1, SIZE)), size, *held[2 if call.front else 1 :]) if held else ()
    together = replace(call, ndim=call.ndim + 1, held=len(number), front=call.front + 1)
    if held:
        together = replace(together, name=f"{handles.__name__}.called_at_once", function=handles.called_at_once)
    return primitive.outs(size, *lengths, *number, *given, call=together), (True,)


def _with_axis(value: Value, size: Value, method: str) -> Value:
    if method == "legacy_vectorized":
        return value
    length: Any = atom_dim(size.atom) if method == "broadcast_all" else 1
    return value.broadcast_to((length, *value.shape), tuple(range(1, value.ndim + 1)))


opaque = Primitive(
    "opaque", infer=_infer, evaluate=_evaluate, jvp=_jvp, transpose=NOT_LINEAR, batch=_batch,
    cost=Cost.HEAVY, emission=STRUCTURAL, storage=NEW,
    samples=(
        Sample(lambda rng: (3, rng.normal(size=3)), {"call": External("numpy.cbrt", np.cbrt, np.dtype(float), 1, elementwise=True)}, ()),
        Sample(lambda rng: (rng.normal(size=3),), {"call": External("numpy.linalg.norm", np.linalg.norm, np.dtype(float), 0, elementwise=False)}, ()),
    ),
)
"""opaque(*lengths, *operands; call): what the function returns."""
