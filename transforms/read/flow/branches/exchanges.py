"""`BranchExchanges`: arrays that two paths have in another order, where somebody else sees them too.

    if c: u, v = v, u         behind the If u and v are slots, and a permutation says which array each of them is
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from s2s.transforms.read.flow.agreement import plain
from s2s.transforms.read.flow.branches.outs import Outs
from s2s.transforms.read.state import Exchange
from s2s.transforms.read.storage.cells import content_of, dissolve, note_aliases
from s2s.transforms.read.storage.exchange import (
    Group,
    agree,
    apart,
    frame_of,
    has_place,
    innermost,
    label,
    made_since,
    may_become_bases,
    moved_arrays,
    permuted,
    place_among,
)
from s2s.transforms.read.storage.visibility import matters
from s2s.transforms.read.values import Cell, Ref
from s2s.types import SIZE


class BranchExchanges:
    """The exchanges of one If. `slots`: the storage behind it for what was two on the paths."""

    def __init__(self, outs: Outs) -> None:
        self.reader, self.outs = outs.reader, outs
        self.slots: dict[tuple[Cell, Cell], Cell] = {}

    def find(self, names: frozenset[str], refs: Iterable[Any]) -> None:
        """Arrays that both paths have in another order, where somebody else sees them too: for each pair of them one cell."""
        reader, parked, (one, two) = self.reader, dict(self.reader.parked), (self.outs.one.state, self.outs.two.state)
        moved = moved_arrays(one, two, sorted(names), [ref for ref in refs if isinstance(ref, Ref) and ref in one.heap and ref in two.heap])
        first = {cells: path for path, cells in reversed(moved.items())}
        consumed: set[Cell] = set()
        for group, storages in permuted({path: cells for cells, path in first.items()}, one, two):
            cells = innermost(storages, parked)
            pairs = [moved[path] for path in group]
            but = frozenset(path for path, pair in moved.items() if pair in pairs)
            if self._may_exchange(cells) and matters(reader, cells, but, names, (one, two)):
                frame = frame_of(reader, cells, but, names, (one, two))
                known = all(has_place(cell, frame, state.parked) for pair in pairs for cell, state in zip(pair, (one, two), strict=True))
                if known and may_become_bases(frame, parked):
                    consumed.update(frame)
                    self._exchange(group, pairs, cells, frame)
        for branch in (self.outs.one, self.outs.two):
            with reader.inside(branch):
                for exchange in dict.fromkeys(made_since(branch.state.parked, parked).values()):
                    if consumed.isdisjoint(exchange.bases):
                        dissolve(reader, exchange)

    def _may_exchange(self, cells: tuple[Cell, ...]) -> bool:
        """Whether these arrays of before the branches are surely separate, and alike."""
        heap, branches = self.reader.heap, (self.outs.one, self.outs.two)
        if not all(cell in heap for cell in cells) or not all(apart(branch.state, cells) for branch in branches):
            return False
        return len({(type_.dtype, type_.ndim) for type_ in (heap[cell].type for cell in cells)}) == 1

    def _exchange(self, group: Group, pairs: list[tuple[Cell, Cell]], cells: tuple[Cell, ...], frame: tuple[Cell, ...]) -> None:
        """What is at these paths is a slot each from here on."""
        reader = self.reader
        agree(reader.builder, [reader.heap[cell].type for cell in cells])
        slots, places = [], []
        for path, pair in zip(group, pairs, strict=True):
            contents, numbers = [], []
            for branch, cell in zip((self.outs.one, self.outs.two), pair, strict=True):
                with reader.inside(branch):
                    contents.append(content_of(reader, cell))
                    numbers.append(place_among(reader, cell, frame))
            slot = Cell(plain(label(path)), contiguous=False)
            reader.heap[slot] = self.outs.content(contents[0], contents[1], slot.name)
            self.slots[pair] = slot
            slots.append(slot)
            places.append(self.outs.add(numbers[0], numbers[1], f"{slot.name}_place", SIZE))
        reader.parked.update(dict.fromkeys(frame, Exchange(frame, tuple(slots), tuple(places))))
        for other in {also for cell in (*cells, *frame) for also in reader.aliases.get(cell, ())} - {*cells, *frame}:
            for slot in slots:
                note_aliases(reader, slot, other)
