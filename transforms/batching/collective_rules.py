"""What collectives are among the examples of a batch, which stand along the first axis of one array: `RULES`, a rule for each row.

    psum(x)            sum(x, axis=0)               one result, that all examples share
    all_gather(x)      x                            the array itself
    ppermute(x)        x[sources]
    psum_scatter(x)    sum(x, axis=0)               its axis is that of the examples now
    all_to_all(x)      x with two axes exchanged
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2s.records import dataclass
from s2s.transforms.primitives import collectives, sizes
from s2s.transforms.primitives.collectives import Groups
from s2s.transforms.primitives.conversion import converted
from s2s.transforms.primitives.families import repeat
from s2s.transforms.primitives.indexing import Full, Span, Take, at, getitem, setitem
from s2s.transforms.primitives.joining import concatenate, pack
from s2s.transforms.primitives.reductions import reduce_max, reduce_min, reduce_sum
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.structural import permuted, reshape
from s2s.transforms.primitives.value import Value, Values, zeros
from s2s.types import dim_atom


@dataclass(frozen=True)
class Met:
    """What a collective gives. `varies`: with an axis of examples in front, or the same for all."""

    value: Value
    varies: bool


Rule = Callable[..., Met]
"""rule(x, varies, size, *lengths, **params): x with an axis of `size` examples in front, or, if it does not vary, the same for all; `lengths` are the row's own operands."""


def met(row: Primitive, ins: Values, varies: bool, size: Value, params: Mapping[str, Any]) -> Met:
    """What the row of these operands gives among `size` examples; `varies`: whether the first one has an axis of them in front."""
    x, *lengths = ins
    rest = {key: value for key, value in params.items() if key not in ("axis", "groups")}
    groups: Groups = params.get("groups")
    if groups is None or len(groups) == 1 and groups[0] == tuple(range(len(groups[0]))):
        return RULES[row](x, varies, size, *lengths, **rest)
    return _in_groups(row, x if varies else repeat(x, size), lengths, groups, rest)


def shares(row: Primitive, params: Any) -> bool:
    """Whether what the row gives is the same for all examples."""
    groups: Groups = params.get("groups")
    return row in SHARED and (groups is None or len(groups) == 1 and groups[0] == tuple(range(len(groups[0]))))


# ---- sums, and the like -----------------------------------------------------------------------------------------------------


def _psum(x: Value, varies: bool, size: Value) -> Met:
    if varies:
        return Met(reduce_sum(x, axes=(0,)), varies=False)
    return Met(x * converted(size, x.dtype).broadcast_to(x.shape, ()), varies=False)


def _extreme(row: Primitive) -> Rule:
    def rule(x: Value, varies: bool, size: Value) -> Met:
        if varies and not x.builder.proves_at_least(size.atom, 1):
            x.builder.check((size.like(0) < size).atom, "ValueError", "zero-size axis to reduction operation p" + row.name.removeprefix("reduce_") + " which has no identity")
        return Met(row(x, axes=(0,)) if varies else x, varies=False)

    return rule


# ---- what moves elements ------------------------------------------------------------------------------------------------------


def _all_gather(x: Value, varies: bool, size: Value, length: Value, *, dim: int, tiled: bool) -> Met:
    everyone = x if varies else repeat(x, size)
    rest = everyone.ndim - 1
    placed = permuted(everyone, (*range(1, 1 + dim), 0, *range(1 + dim, 1 + rest)))
    return Met(_merged(placed, dim) if tiled else placed, varies=False)


def _psum_scatter(x: Value, varies: bool, size: Value, kept: Value, *, dim: int, tiled: bool) -> Met:
    total = _psum(x, varies, size).value
    parts = _cut(total, dim, size, kept) if tiled else total
    return Met(_in_front(parts, dim), varies=True)


def _all_to_all(x: Value, varies: bool, size: Value, kept: Value, joined: Value, *, split: int, concat: int) -> Met:
    everyone = x if varies else repeat(x, size)
    if split == concat:
        kept = Value(size.builder, sizes.quotient(size.builder, everyone.dim(1 + split).atom, size.atom, "part"))
    parts = _cut(everyone, 1 + split, size, kept)  # senders, …, receivers, part, …
    receivers = 1 + split
    others = [axis for axis in range(1, parts.ndim) if axis != receivers]
    into = receivers + 1 if split == concat else 1 + concat + (concat > split)
    others.insert(others.index(into), 0)
    return Met(_merged(permuted(parts, (receivers, *others)), 1 + concat), varies=True)


def _ppermute(x: Value, varies: bool, size: Value, *, perm: tuple[tuple[int, int], ...]) -> Met:
    everyone = x if varies else repeat(x, size)
    count = everyone.shape[0]
    if isinstance(count, int) and len(perm) == count:
        sources = {to: source for source, to in perm}
        return Met(_taken(everyone, tuple(sources[to] for to in range(count))), varies=True)
    if not perm:
        return Met(zeros(x.builder, everyone.type), varies=True)
    sent = _taken(everyone, tuple(source for source, _ in perm))
    index = (Take(), *(Full() for _ in everyone.shape[1:]))
    return Met(setitem(zeros(x.builder, everyone.type), sent, _places(x, tuple(to for _, to in perm)), index=index), varies=True)


def _varied(x: Value, varies: bool, size: Value) -> Met:
    return Met(x if varies else repeat(x, size), varies=True)


def _pbroadcast(x: Value, varies: bool, size: Value, *, source: int) -> Met:
    return Met(at(x, x.size(source)) if varies else x, varies=False)


# ---- groups -------------------------------------------------------------------------------------------------------------------


def _in_groups(row: Primitive, x: Value, lengths: Sequence[Value], groups: tuple[tuple[int, ...], ...], params: dict[str, Any]) -> Met:
    """A collective within each group: its places in front, the groups behind them, for all of which it is one; and back."""
    order = tuple(place for group in groups for place in group)
    back = tuple(int(place) for place in np.argsort(order))
    if len({len(group) for group in groups}) > 1:
        return _of_unequal(row, x, groups)
    count, length = len(groups), len(groups[0])
    ordered = _reshaped(_taken(x, order), (count, length, *x.shape[1:]))
    deeper = {key: value + 1 if key in ("dim", "split", "concat") else value for key, value in params.items()}
    found = RULES[row](_in_front(ordered, 1), True, x.size(length), *lengths, **deeper)
    each = found.value if found.varies else repeat(found.value, x.size(length))
    whole = permuted(each, (1, 0, *range(2, each.ndim)))
    return Met(_taken(_reshaped(whole, (count * length, *whole.shape[2:])), back), varies=True)


def _of_unequal(row: Primitive, x: Value, groups: tuple[tuple[int, ...], ...]) -> Met:
    """Sums, and the like, of groups of several sizes."""
    parts = [RULES[row](_taken(x, group), True, x.size(len(group))).value for group in groups]
    rows = concatenate(*(_reshaped(part, (1, *part.shape)) for part in parts), x.size(len(parts)), axis=0)
    group_of = {place: number for number, group in enumerate(groups) for place in group}
    return Met(_taken(rows, tuple(group_of[place] for place in range(len(group_of)))), varies=True)


# ---- parts --------------------------------------------------------------------------------------------------------------------


def _places(x: Value, places: tuple[int, ...]) -> Value:
    return pack(*(x.size(place) for place in places), shape=(len(places),))


def _taken(x: Value, places: tuple[int, ...]) -> Value:
    """x[places] along the first axis: itself where they are all of them in order, two slices where they go round."""
    count, first = len(places), places[0]
    if x.shape[0] == count and places == tuple((first + number) % count for number in range(count)):
        if not first:
            return x
        index = (Span(), *(Full() for _ in x.shape[1:]))
        halves = (getitem(x, x.size(start), x.size(length), index=index) for start, length in ((first, count - first), (0, first)))
        return concatenate(*halves, x.size(count), axis=0)
    return getitem(x, _places(x, places), index=(Take(), *(Full() for _ in x.shape[1:])))


def _reshaped(x: Value, shape: tuple[Any, ...]) -> Value:
    return reshape(x, *(Value(x.builder, dim_atom(dim)) for dim in shape))


def _in_front(x: Value, axis: int) -> Value:
    return permuted(x, (axis, *(other for other in range(x.ndim) if other != axis)))


def _cut(x: Value, axis: int, count: Value, part: Value) -> Value:
    """An axis as two: so many parts of so many elements."""
    return reshape(x, *x.dims()[:axis], count, part, *x.dims()[axis + 1 :])


def _merged(x: Value, axis: int) -> Value:
    """This axis and the next one as one."""
    whole = Value(x.builder, sizes.times(x.builder, x.dim(axis).atom, x.dim(axis + 1).atom, "size"))
    return reshape(x, *x.dims()[:axis], whole, *x.dims()[axis + 2 :])


RULES: dict[Primitive, Rule] = {
    collectives.psum: _psum, collectives.pmax: _extreme(reduce_max), collectives.pmin: _extreme(reduce_min), collectives.all_gather: _all_gather,
    collectives.psum_scatter: _psum_scatter, collectives.all_to_all: _all_to_all, collectives.ppermute: _ppermute, collectives.pbroadcast: _pbroadcast,
    collectives.varied: _varied,
}  # fmt: skip
"""Of the rows with an operand."""

SHARED = frozenset((collectives.psum, collectives.pmax, collectives.pmin, collectives.all_gather, collectives.pbroadcast))
"""The rows that give all examples the same."""
