"""Collectives: what an example, or a process, says to all others along a named axis. Here stands what they are; who binds the axis puts others in their
place (`batching/collective_rules.py` does for `vmap`), so that none of them reaches a target.

    psum(x; axis)            the sum of all x's, for each              its transpose is psum: each x goes into each sum
    all_gather(x; axis)      all x's, for each                         its transpose is psum_scatter, and the other way round
    ppermute(x; axis, perm)  the x of another one                      its transpose is the inverse permutation

`axis` is one name: a collective over several is several of them. `groups` are tuples of positions along the axis, or None: each group is by itself.
Method: the contracts, and what transposes what, are those of JAX 0.10 (`jax.lax`, parallel operators).
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from s2s.errors import InternalError
from s2s.transforms.primitives.conversion import converted
from s2s.transforms.primitives.families import linear_structural, repeat
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, RENAMES, STRUCTURAL, ZERO, Cost, NotYet, Primitive
from s2s.transforms.primitives.structural import shared_sizes
from s2s.transforms.primitives.value import Value, Values
from s2s.types import SIZE, Array, Atom, atom_dim

Groups = tuple[tuple[int, ...], ...] | None


def _evaluate(*ins: Any, axis: Hashable, **params: Any) -> Any:
    raise InternalError(f"a collective over the axis {axis!r}, which nothing binds")


def _infer_same(ins: tuple[Atom, ...], **_: Any) -> tuple[Array, ...]:
    return (ins[0].type.strong(),)


def _infer_gathered(ins: tuple[Atom, ...], *, axis: Hashable, groups: Groups, dim: int, tiled: bool) -> tuple[Array, ...]:
    shape = ins[0].type.shape
    return (ins[0].type.strong().with_shape((*shape[:dim], atom_dim(ins[1]), *shape[dim + tiled :])),)


def _infer_scattered(ins: tuple[Atom, ...], *, axis: Hashable, groups: Groups, dim: int, tiled: bool) -> tuple[Array, ...]:
    shape = ins[0].type.shape
    return (ins[0].type.strong().with_shape((*shape[:dim], *((atom_dim(ins[1]),) if tiled else ()), *shape[dim + 1 :])),)


def _infer_exchanged(ins: tuple[Atom, ...], *, axis: Hashable, groups: Groups, split: int, concat: int) -> tuple[Array, ...]:
    shape = list(ins[0].type.shape)
    if split != concat:
        shape[split], shape[concat] = atom_dim(ins[1]), atom_dim(ins[2])
    return (ins[0].type.strong().with_shape(tuple(shape)),)


# ---- for examples along another axis -------------------------------------------------------------------------------------


def _batch_same(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    return (primitive(ins[0], **params),), (True,)


def _batch_dim(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, dim: int, **params: Any) -> Any:
    shared_sizes(primitive, batched[1:], size.builder.where)
    return (primitive(*ins, dim=dim + 1, **params),), (True,)


def _batch_exchange(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, split: int, concat: int, **params: Any) -> Any:
    shared_sizes(primitive, batched[1:], size.builder.where)
    return (primitive(*ins, split=split + 1, concat=concat + 1, **params),), (True,)


# ---- sums, and the like -----------------------------------------------------------------------------------------------------

psum: Primitive = linear_structural(
    "psum", _evaluate, infer=_infer_same, linear_in=(0,), batch=_batch_same, cost=Cost.HEAVY, samples=(),
    transpose=lambda bars, ins, linear, **params: (psum(bars[0], **params),),
)
"""psum(x; axis, groups)."""


def _jvp_chosen(dots: Any, ins: Values, outs: Values, **params: Any) -> tuple[Value | None, ...]:
    """The tangents of those that are chosen; ties share, as in `reduce_max`."""
    (dot,) = dots
    if dot is None:
        return (None,)
    chosen = converted(ins[0].equals(outs[0]), ins[0].dtype)
    return (psum(chosen * dot, **params) / psum(chosen, **params),)


def _extreme(name: str) -> Primitive:
    return Primitive(
        name, infer=_infer_same, evaluate=_evaluate, jvp=_jvp_chosen, transpose=NOT_LINEAR, batch=_batch_same, cost=Cost.HEAVY, emission=STRUCTURAL,
        storage=NEW, samples=(),
    )  # fmt: skip


pmax, pmin = _extreme("pmax"), _extreme("pmin")
"""pmax(x; axis, groups)."""


# ---- what moves elements ------------------------------------------------------------------------------------------------------


def _transpose_gather(bars: Any, ins: Values, linear: tuple[bool, ...], *, dim: int, tiled: bool, **params: Any) -> Any:
    kept = ins[0].dim(dim) if tiled else ins[0].size(1)
    return psum_scatter(bars[0], kept, dim=dim, tiled=tiled, **params), None


def _transpose_scatter(bars: Any, ins: Values, linear: tuple[bool, ...], *, dim: int, tiled: bool, **params: Any) -> Any:
    return all_gather(bars[0], ins[0].dim(dim), dim=dim, tiled=tiled, **params), None


def _transpose_exchange(bars: Any, ins: Values, linear: tuple[bool, ...], *, split: int, concat: int, **params: Any) -> Any:
    return all_to_all(bars[0], ins[0].dim(concat), ins[0].dim(split), split=concat, concat=split, **params), None, None


def _transpose_permuted(bars: Any, ins: Values, linear: tuple[bool, ...], *, axis: Hashable, perm: tuple[tuple[int, int], ...]) -> Any:
    return (ppermute(bars[0], axis=axis, perm=tuple((to, source) for source, to in perm)),)


def _transpose_broadcast(bars: Any, ins: Values, linear: tuple[bool, ...], *, axis: Hashable, source: int) -> Any:
    (bar,) = bars
    here = Value(bar.builder, bar.builder.equation(axis_index, (), {"axis": axis})[0]).equals(source)
    return (here.broadcast_to(bar.shape, ()).where(psum(bar, axis=axis, groups=None), 0),)


all_gather: Primitive = linear_structural(
    "all_gather", _evaluate, infer=_infer_gathered, linear_in=(0,), batch=_batch_dim, cost=Cost.HEAVY, samples=(), transpose=_transpose_gather,
)
"""all_gather(x, n; axis, groups, dim, tiled): all x's along a new axis `dim`, or end to end along the one there is (tiled); n is its length then."""

psum_scatter: Primitive = linear_structural(
    "psum_scatter", _evaluate, infer=_infer_scattered, linear_in=(0,), batch=_batch_dim, cost=Cost.HEAVY, samples=(), transpose=_transpose_scatter,
)
"""psum_scatter(x, m; axis, groups, dim, tiled): of the sum of all x's the part that is one's own along the axis `dim`, which has m elements (tiled), or is one that goes."""

all_to_all: Primitive = linear_structural(
    "all_to_all", _evaluate, infer=_infer_exchanged, linear_in=(0,), batch=_batch_exchange, cost=Cost.HEAVY, samples=(), transpose=_transpose_exchange,
)
"""all_to_all(x, m, n; axis, groups, split, concat): x is cut along `split`, a part for each; what all have sent stands end to end along `concat`. m, n: their lengths then."""

ppermute: Primitive = linear_structural(
    "ppermute", _evaluate, infer=_infer_same, linear_in=(0,), batch=_batch_same, cost=Cost.HEAVY, samples=(), transpose=_transpose_permuted,
)
"""ppermute(x; axis, perm): the x of the one from which a pair (source, destination) of perm leads here; zeros where none does."""

pbroadcast: Primitive = linear_structural(
    "pbroadcast", _evaluate, infer=_infer_same, linear_in=(0,), batch=_batch_same, cost=Cost.HEAVY, samples=(), transpose=_transpose_broadcast,
)
"""pbroadcast(x; axis, source): the x of one of them, for each."""

# ---- where one is ---------------------------------------------------------------------------------------------------------------


def _place(name: str) -> Primitive:
    return Primitive(
        name, infer=lambda ins, *, axis: (SIZE,), evaluate=_evaluate, jvp=ZERO, transpose=NOT_LINEAR, batch=NotYet("it has no operand"), cost=Cost.FREE,
        emission=STRUCTURAL, storage=NEW, samples=(),
    )  # fmt: skip


axis_index, axis_size = _place("axis_index"), _place("axis_size")
"""axis_index(; axis), axis_size(; axis)."""

asked: Primitive = linear_structural(
    "asked", lambda x, **params: np.array(x), infer=lambda ins, **params: (ins[0].type,), linear_in=(0,), storage=RENAMES, batch=_batch_same, samples=(),
    transpose=lambda bars, ins, linear, **params: (bars[0],),
)
"""asked(x; axis, key, leaf): x, of which a call wants to know whether it differs from example to example of the axis (`batching/questions.py`)."""

# ---- what all share, and what differs ---------------------------------------------------------------------------------------------


def _batch_first(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, **params: Any) -> Any:
    first = ins[0] if batched[0] else repeat(ins[0], size)
    return (primitive(first, *ins[1:], **params),), (True,)


def _itself(name: str, transpose: Any, evaluate: Any = _evaluate) -> Primitive:
    return linear_structural(
        name, evaluate, infer=lambda ins, **params: (ins[0].type,), linear_in=(0,), storage=RENAMES, batch=_batch_first, samples=(), transpose=transpose,
    )  # fmt: skip


def _transpose_entered(bars: Any, ins: Values, linear: tuple[bool, ...], **params: Any) -> Any:
    return tied(bars[0], ins[1], **params), None


def _transpose_left(bars: Any, ins: Values, linear: tuple[bool, ...], **params: Any) -> Any:
    return shared_out(bars[0], ins[1], **params), None


entered: Primitive = _itself("entered", _transpose_entered)
"""entered(x, x; axis): x, a variable of a derivative that is taken inside: its cotangent is `tied`."""

tied: Primitive = _itself("tied", _transpose_entered)
"""tied(x_bar, x; axis): the cotangents of a variable that all share added up; of one that each has for itself as they are, and they count as different even where they are not."""

left: Primitive = _itself("left", _transpose_left)
"""left(y, y; axis): y, a result of a derivative that is taken inside: its cotangent is `shared_out`."""

shared_out: Primitive = _itself("shared_out", _transpose_left)
"""shared_out(y_bar, y; axis): the cotangent of a result that all share in equal parts for each, of one that each has for itself as it is."""

varied: Primitive = _itself("varied", lambda bars, ins, linear, **params: (bars[0],))
"""varied(x; axis): x, as what may differ from example to example."""

alike: Primitive = _itself("alike", lambda bars, ins, linear, **params: (bars[0], None))
"""alike(x_dot, x; axis): x_dot, which differs where x does."""

BOUNDS = (entered, tied, left, shared_out, alike)
"""What stands at the bounds of a derivative; whoever binds the axis knows what all share, and puts others in their place (`batching/together.py`)."""

ROWS = (*BOUNDS, varied, psum, pmax, pmin, all_gather, psum_scatter, all_to_all, ppermute, pbroadcast, axis_index, axis_size)
"""They are in no target's table: whoever binds an axis has a rule for each."""
