"""An index into one example becomes an index into a batch of them.

    A[i, 2:5]   i differs between examples:   A[arange(n), i, 2:5]      (shape (n, 3))
    A[:, i]     i is shared:                  A[:, :, i]

Axes of what the new index finds may stand elsewhere than in the part with a batch axis in front: `order` says where.
"""
from __future__ import annotations

import numpy as np

from s2s.records import dataclass
from s2s.transforms.primitives.index import Full, Index, Item, Span, Take, operand_count, take_axis
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.structural import broadcast, iota, shared_sizes
from s2s.transforms.primitives.value import Value, Values

Label = tuple[str, int]
"""An axis while it is followed from one index to the other: the batch axis, a Take's own, or one that stays of the array."""
BATCH: Label = ("batch", 0)


@dataclass(frozen=True)
class BatchedIndex:
    """transpose(array[index], axes=order) is the part, with the batch axis in front."""

    index: Index
    operands: Values
    order: tuple[int, ...]

    @property
    def inverse(self) -> tuple[int, ...]:
        """The axes that bring a part into the order in which the index stores it."""
        return tuple(int(k) for k in np.argsort(self.order))


@dataclass(frozen=True)
class _Piece:
    """An item of the index with the operands that it consumes."""

    item: Item
    values: Values
    batched: tuple[bool, ...]

    @property
    def becomes_take(self) -> bool:
        return isinstance(self.item, Take) or bool(self.batched) and self.batched[0]


@dataclass(frozen=True)
class _Frame:
    """The common shape of the new Takes: batch, the old Takes' own axes, one for each Span that becomes a Take."""

    size: Value
    own: Values
    spans: Values

    def place(self, value: Value, *axes: int) -> Value:
        """The value with its axis k at axes[k] of the frame."""
        shape = (self.size, *self.own, *self.spans)
        return value if axes == tuple(range(len(shape))) else broadcast(value, *shape, axes=axes)

    def take(self, piece: _Piece, number: int) -> Value:
        """The positions of one item; `number` counts the Spans."""
        (first, *_), (is_batched, *_) = piece.values, piece.batched
        match piece.item:
            case Span(step):
                offsets = self.place(iota(self.spans[number]) * step, 1 + len(self.own) + number)
                return self.place(first, 0) + offsets
            case Take():
                return self.place(first, *range(0 if is_batched else 1, 1 + len(self.own)))
            case _:
                return self.place(first, 0)


def batch_index(
    primitive: Primitive, index: Index, operands: Values, batched: tuple[bool, ...], size: Value, *, array_batched: bool
) -> BatchedIndex:
    """The index of the same positions in each example of a batch of `size`; the array or an operand is batched."""
    pieces = _pieces(index, operands, batched)
    for piece in pieces:
        if isinstance(piece.item, Span):
            shared_sizes(primitive, piece.batched[1:], size.builder.where)
    own = next((p.values[0].dims()[p.batched[0] :] for p in pieces if isinstance(p.item, Take)), ())
    kept = [("axis", k) for k, item in enumerate(index) if isinstance(item, Span | Full)]
    own_labels = [("own", k) for k in range(len(own))]
    place = take_axis(index)
    wanted: list[Label] = [BATCH, *kept[:place], *own_labels, *kept[place:]]
    if not any(batched):
        new: Index = (Full(), *index)
        return BatchedIndex(new, operands, _order(wanted, own_labels, [BATCH, *kept], take_axis(new)))
    gone = [("axis", k) for k, piece in enumerate(pieces) if isinstance(piece.item, Span) and piece.becomes_take]
    frame = _Frame(size, own, tuple(pieces[k].values[1] for _, k in gone))
    items, values = _rebuilt(pieces, frame)
    if array_batched:
        items, values = (Take(), *items), (frame.place(iota(size), 0), *values)
    still = [label for label in kept if label not in gone]
    return BatchedIndex(items, values, _order(wanted, [BATCH, *own_labels, *gone], still, take_axis(items)))


def _pieces(index: Index, operands: Values, batched: tuple[bool, ...]) -> list[_Piece]:
    pieces, position = [], 0
    for item in index:
        end = position + operand_count((item,))
        pieces.append(_Piece(item, operands[position:end], batched[position:end]))
        position = end
    return pieces


def _rebuilt(pieces: list[_Piece], frame: _Frame) -> tuple[Index, Values]:
    """The items and operands, where those that differ between examples are Takes."""
    items: list[Item] = []
    values: list[Value] = []
    spans = 0
    for piece in pieces:
        if piece.becomes_take:
            items.append(Take())
            values.append(frame.take(piece, spans))
            spans += isinstance(piece.item, Span)
        else:
            items.append(piece.item)
            values += piece.values
    return tuple(items), tuple(values)


def _order(wanted: list[Label], block: list[Label], rest: list[Label], place: int) -> tuple[int, ...]:
    """Where each wanted axis is found, when the Takes' block stands at `place` among the rest."""
    found = [*rest[:place], *block, *rest[place:]]
    return tuple(found.index(label) for label in wanted)


__all__ = ["BatchedIndex", "batch_index"]
