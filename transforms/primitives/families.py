"""Families: functions that make rows, so that a row states only what is particular to it.

An elementwise row gives its partial derivatives once; tangent, cotangent, batching and emission follow from it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ShapeError, UnsupportedError
from s2s.records import dataclass
from s2s.transforms.primitives.row import (
    NEW,
    NOT_LINEAR,
    STRUCTURAL,
    ZERO,
    Batch,
    Cost,
    Elementwise,
    Infer,
    Jvp,
    Nothing,
    NotYet,
    Primitive,
    Sample,
    Storage,
    Structural,
    Transpose,
    Written,
)
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Number, Value, Values, or_zeros
from s2s.types import Array, Atom, atom_dim, is_float, is_integer, kind_of


@dataclass(frozen=True)
class Over:
    """The partial derivative 1 / value: the tangent is x_dot / value."""

    value: Value


@dataclass(frozen=True)
class Tangent:
    """A whole jvp, for the few elementwise rows whose tangent is not, or not best, a sum of partial * x_dot."""

    jvp: Jvp


@dataclass(frozen=True)
class Missing:
    """A partial derivative that is not known: what, and what to write instead."""

    what: str
    instead: str


Partials = Callable[..., tuple["Value | Number | Over | Missing | None", ...]]
"""partials(ans, *ins): d ans / d ins[k] for each k; a number where it is constant, None where it is zero."""
Domain = tuple[float, float]
"""The interval from which a sample's operand is drawn."""

REAL: Domain = (-2.0, 2.0)
POSITIVE: Domain = (0.1, 3.0)


def same_types(ins: tuple[Atom, ...], **_: Any) -> tuple[Array, ...]:
    """The operands' common type; they must agree in dtype and shape."""
    first = ins[0].type
    for other in ins[1:]:
        if other.type.dtype != first.dtype:
            raise ArgumentTypeError(f"operands of different dtypes: {first} and {other.type}")
        if other.type.shape != first.shape:
            raise ShapeError(f"operands of different shapes: {first} and {other.type}")
    return (Array(first.dtype, first.shape, all(atom.type.weak for atom in ins)),)


def result_dtype(dtype: type[np.generic]) -> Infer:
    """As same_types, with this dtype for the result."""
    return lambda ins, **_: (same_types(ins)[0].with_dtype(np.dtype(dtype)),)


def elementwise(
    name: str,
    evaluate: Callable[..., Any],
    *,
    partials: Partials | Tangent | Nothing | NotYet,
    array: str,
    scalar: str,
    domains: tuple[Domain, ...],
    infer: Infer = same_types,
    transpose: Transpose | Nothing = NOT_LINEAR,
    cost: Cost = Cost.FUNCTION,
    dtypes: str = "fc",
    complex_scalar: str = "",
    params: tuple[dict[str, Any], ...] = ({},),
    widens: bool = False,
    wrt: tuple[int, ...] | None = None,
) -> Primitive:
    """A row for a function of corresponding elements. `dtypes`: the kinds of operands it takes (of "bifc").

    `complex_scalar`, `widens`: see `Elementwise`. `params`: the static parameters of its samples;
    `wrt`: the operands that have derivatives, if not all.
    """

    def infer_kind(ins: tuple[Atom, ...], **static: Any) -> tuple[Array, ...]:
        if kind_of(ins[0].type.dtype) not in dtypes:
            raise ArgumentTypeError(f"{name} does not take operands of type {ins[0].type}")
        return infer(ins, **static)

    rule: Jvp | Nothing | NotYet
    match partials:
        case Nothing() | NotYet():
            rule = partials
        case Tangent():
            rule = partials.jvp
        case _:
            rule = jvp_of_partials(partials)
    active = () if partials is ZERO or isinstance(partials, NotYet) else tuple(range(len(domains))) if wrt is None else wrt
    return Primitive(
        name=name,
        infer=infer_kind,
        evaluate=evaluate,
        jvp=rule,
        transpose=transpose,
        batch=batch_elementwise,
        cost=cost,
        emission=Elementwise(array, scalar, complex_scalar, widens), storage=NEW,
        samples=tuple(sample for static in params for sample in elementwise_samples(domains, dtypes, active, static)),
    )


def jvp_of_partials(partials: Partials) -> Jvp:
    """ans_dot = sum of partial * x_dot over the operands that have a tangent."""

    def jvp(dots: tuple[Value | None, ...], ins: Values, outs: Values, **params: Any) -> tuple[Value | None, ...]:
        total: Value | None = None
        traced = is_traced_order()
        if all(dot is None for dot in dots):
            return (None,)
        for dot, partial in zip(dots, partials(outs[0], *ins, **params), strict=True):
            if dot is None or partial is None:
                continue
            if isinstance(partial, Missing):
                raise UnsupportedError(f"{partial.what} is not supported", where=dot.builder.where, instead=partial.instead)
            if total is not None and isinstance(partial, int) and partial == -1:
                total = total - dot
                continue
            term = _as_traced(partial, dot) if traced else dot / partial.value if isinstance(partial, Over) else partial * dot
            total = term if total is None else total + term
        return (total,)

    return jvp


def _as_traced(partial: Any, dot: Value) -> Value:
    """The tangent times the partial; minus is taken of the product, not of the partial."""
    if isinstance(partial, Over):
        return dot / partial.value
    if not isinstance(partial, Value):
        return dot if partial == 1 else dot * partial
    made: Any = partial.builder.nodes[-1] if partial.builder.nodes else None
    if made is None or made.outs != (partial.atom,) or getattr(made, "primitive", None) is not partial.builder.operators.neg:
        return dot * partial
    partial.builder.nodes.pop()
    return -(dot * Value(partial.builder, made.ins[0]))


def batch_elementwise(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    """Operands without the batch axis are repeated along it; then the same equation."""
    full = [value if is_batched else repeat(value, size) for value, is_batched in zip(ins, batched, strict=True)]
    outs = primitive.outs(*full, **params)
    return outs, (True,) * len(outs)


def repeat(value: Value, size: Value) -> Value:
    """The value with a new leading axis of this size, along which it is the same."""
    return value.broadcast_to((atom_dim(size.atom), *value.shape), tuple(range(1, value.ndim + 1)))


KINDS = {"b": np.bool_, "i": np.int64, "f": np.float64, "c": np.complex128}


def elementwise_samples(domains: tuple[Domain, ...], dtypes: str, wrt: tuple[int, ...], params: dict[str, Any]) -> tuple[Sample, ...]:
    """Scalars, vectors, an empty and a size-1 array for each kind of dtype."""
    return tuple(
        Sample(draw(domains, shape, np.dtype(KINDS[kind])), params, wrt if kind in "fc" else ())
        for kind in dtypes
        for shape in ((), (4,), (2, 3), (0,), (1, 1))
    )


def draw(domains: tuple[Domain, ...], shape: tuple[int, ...], dtype: np.dtype) -> Callable[..., tuple[Any, ...]]:
    """What makes operands of this shape and dtype, the k-th from domains[k]; integers are spread wider."""

    def make(rng: np.random.Generator) -> tuple[Any, ...]:
        operands = []
        for lo, hi in domains:
            drawn: Any = rng.uniform(lo, hi, shape)
            if dtype.kind == "c":
                drawn = drawn + 1j * rng.uniform(-0.5, 0.5, shape)
            elif is_integer(dtype):
                drawn = np.round(drawn * 3)
            elif dtype.kind == "b":
                drawn = drawn > (lo + hi) / 2
            operands.append(np.asarray(drawn).astype(dtype))
        return tuple(operands)

    return make


def linear_structural(
    name: str,
    evaluate: Callable[..., Any],
    *,
    infer: Infer,
    linear_in: tuple[int, ...] | slice,
    transpose: Transpose,
    batch: Batch | NotYet,
    samples: tuple[Sample, ...],
    cost: Cost = Cost.FREE,
    storage: Storage = NEW,
    emission: Structural | Written = STRUCTURAL,
) -> Primitive:
    """A row that moves elements: linear in the operands `linear_in` *jointly*; its tangent is itself of the tangents.

    `emission`: what it is made of, where no target has a lowering of its own for it.
    """

    def jvp(dots: tuple[Value | None, ...], ins: Values, outs: Values, **params: Any) -> tuple[Value | None, ...]:
        linear = range(len(ins))[linear_in] if isinstance(linear_in, slice) else linear_in
        if all(dots[k] is None for k in linear):
            return (None,)
        operands = list(ins)
        for k in linear:
            operands[k] = or_zeros(dots[k], ins[k])
        return row.outs(*operands, **params)

    row = Primitive(name, infer, evaluate, jvp, transpose, batch, cost, emission, storage, samples)
    return row


def differentiable(atom: Atom) -> bool:
    """Whether an atom can have a tangent."""
    return is_float(atom.type.dtype)
