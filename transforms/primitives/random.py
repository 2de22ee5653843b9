"""Random numbers: draws from a generator whose memory is an array (`s2s.streams`).

The rows are not in the table: what they give depends on a memory that no sample holds. A draw gives the memory as it is afterwards, and what was drawn: to the program both are values, so that the order of draws is that of the memories,
and a draw that is done again from a memory that was kept gives the same numbers. Samples are constants to derivatives.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError, UnsupportedError
from s2s.transforms.primitives.draws import DRAWS, Draw, callable_of
from s2s.transforms.primitives.row import NOT_LINEAR, STORES, STRUCTURAL, Cost, NotYet, Primitive
from s2s.transforms.primitives.value import Value, Values
from s2s.types import INT64, Array, Atom, atom_dim


def _infer(ins: tuple[Atom, ...], *, what: str, ndim: int, first: int, inner: int) -> tuple[Array, ...]:
    memory, draw = ins[0], DRAWS[what]
    dims, given = tuple(atom_dim(size) for size in ins[1:1 + ndim]), ins[1 + ndim:]
    if memory.type.dtype != INT64 or memory.type.ndim != 1 or len(given) != len(draw.given):
        raise ShapeError(f"{what} is not drawn from {memory.type} with {len(given)} arguments")
    for atom in given:
        if atom.type.shape and (atom.type.shape != dims or not draw.each):
            raise ShapeError(f"{what} of the shape {dims} can't have an argument of the type {atom.type}")
    return memory.type, Array(np.dtype(draw.dtype), dims)


def evaluated(memory: Any, shape: tuple[int, ...], draw: Draw, place: tuple[int, int], given: tuple[Any, ...]) -> Any:
    """Draw from `memory`, which changes."""
    if not shape and draw.single:
        return np.dtype(draw.dtype).type(callable_of(draw.single)(memory, *place, *given))
    out = np.empty(shape, draw.dtype)
    if draw.filling:
        callable_of(draw.filling)(memory, *place, *given, out)
        return out[()]
    one = callable_of(draw.single)
    for index in np.ndindex(*shape):
        out[index] = one(memory, *place, *(each[index] if np.ndim(each) else each for each in given))
    return out


def _evaluate(memory: Any, *ins: Any, what: str, ndim: int, first: int, inner: int) -> tuple[Any, Any]:
    memory = np.array(memory)
    sample = evaluated(memory, tuple(int(size) for size in ins[:ndim]), DRAWS[what], (first, inner), ins[ndim:])
    return memory, sample


def _jvp(dots: tuple[Value | None, ...], ins: Values, outs: Values, *, what: str, **_: int) -> tuple[None, ...]:
    if any(dot is not None for dot in dots):
        raise UnsupportedError(
            f"the derivative of random numbers ({what.removeprefix('old_')}) with respect to their distribution's parameter", where=ins[0].builder.where,
            why="the numbers are drawn by an algorithm that has none", instead="parameters that only shift and scale (loc, scale, low, high), or s2s.stop_gradient(…) of this one",
        )  # fmt: skip
    return (None,) * len(outs)


_NO_BATCH = NotYet("NumPy's generators give each example other numbers, one after the other: draw them before, in one array with an axis for the examples")


draw = Primitive(
    "draw", infer=_infer, evaluate=_evaluate, jvp=_jvp, transpose=NOT_LINEAR, batch=_NO_BATCH, cost=Cost.HEAVY, emission=STRUCTURAL, storage=STORES,
    samples=(),
)
"""draw(memory, *lengths, *given; what, …) -> memory, numbers."""


def _infer_old(ins: tuple[Atom, ...], *, what: str, first: int, inner: int) -> tuple[Array, ...]:
    if len(ins) != 3 + len(DRAWS[what].given):
        raise ShapeError(f"{what} is not drawn with {len(ins) - 3} arguments")
    return ins[0].type, ins[1].type, Array(np.dtype(DRAWS[what].dtype), (atom_dim(ins[2]),))


def evaluated_old(memory: Any, before: Any, after: Any, size: int, draw: Draw, place: tuple[int, int], given: tuple[Any, ...]) -> Any:
    """Draw from `memory`, which changes, as RandomState does; `given`: one number each, or one for each number that is drawn."""
    here, one, out = callable_of("generator")(memory, *place), callable_of(draw.single), np.empty(size, draw.dtype)
    after[:] = before
    for k in range(size):
        out[k] = one(here, after, *(float(each[min(k, each.size - 1)]) for each in given))
    return out


def _evaluate_old(memory: Any, before: Any, size: Any, *given: Any, what: str, first: int, inner: int) -> tuple[Any, Any, Any]:
    memory, after = np.array(memory), np.empty_like(before)
    return memory, after, evaluated_old(memory, before, after, int(size), DRAWS[what], (first, inner), given)


draw_old = Primitive(
    "draw_old", infer=_infer_old, evaluate=_evaluate_old, jvp=_jvp, transpose=NOT_LINEAR, batch=_NO_BATCH, cost=Cost.HEAVY, emission=STRUCTURAL, storage=STORES,
    samples=(),
)
"""draw_old(memory, left, n, *given; what, …) -> memory, left, n numbers as RandomState draws them, of which one for two may be left over.
`left`: whether a normal number is left over, and its bits.
"""
