"""`LoopExchanges`: which arrays of a loop change places from trip to trip, found with what it carries.

Where somebody else sees such arrays (the caller, another name), the loop carries for each path its place among them (`exchange`).
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Exchange, Parked, State
from s2s.transforms.read.storage.cells import dissolve, exchange_of
from s2s.transforms.read.storage.exchange import (
    Group,
    agree,
    apart,
    frame_of,
    has_place,
    made_since,
    may_be,
    may_become_bases,
    moved_arrays,
    permuted,
    place_among,
    whole_cell,
)
from s2s.transforms.read.storage.visibility import Path, matters
from s2s.transforms.read.values import Abstract, Cell, Ref
from s2s.types import Atom, Var

PLACE = "%place"
"""The last step of a path: which of the arrays that change places is there."""


class Carried(Protocol):
    """What a loop carries, from one reading of its body to the next (`flow/loops.Carry`)."""

    reader: Reader
    before: State
    start: State
    names: tuple[str, ...]
    refs: tuple[Any, ...]
    plan: dict[Path, Any]
    found: dict[Path, Abstract]
    cells: dict[Path, Cell]
    groups: list[tuple[Cell, ...]]
    changed: bool

    def value_before(self, path: Path) -> Abstract:
        """The value at a path before the loop."""

    def add_place(self, path: Path) -> None:
        """Carry which of the arrays that change places is at a path."""


class LoopExchanges:
    """What is known of one loop, from one reading of its body to the next."""

    def __init__(self, carry: Carried) -> None:
        self.carry = carry
        self.permuted: list[Group] = []
        """Groups of paths whose arrays change places."""
        self.frames: dict[Group, tuple[Cell, ...]] = {}
        """Those of them where somebody else sees which is which, with the storages of which their places tell."""
        self.apart: set[Group] = set()
        """Groups that turned out not to change places in each trip."""
        self.agreed = 0
        """How many of the groups are known to have one size."""

    def find(self) -> None:
        """At the end of a reading: the groups that are another permutation of the same arrays in the next trip."""
        carry, reader, now = self.carry, self.carry.reader, self.carry.reader.state()
        moved = moved_arrays(carry.start, now, carry.names, [ref for ref in carry.refs if isinstance(ref, Ref)])
        moved = {path: cells for path, cells in moved.items() if whole_cell(carry.value_before(path)) is not None}
        found = [group for group, _ in permuted(moved, carry.start, now)]
        for group, frame in list(self.frames.items()):
            if group not in found or not all(has_place(moved[path][1], frame, reader.parked) for path in group):
                self._part(group)
        for group in found:
            if group in self.frames:
                for path in group:
                    carry.found[(*path, PLACE)] = place_among(reader, moved[path][1], self.frames[group])
            elif group not in self.apart and group not in self.permuted and self._alike(group):
                self._exchange(group, now)
        consumed = {cell for frame in self.frames.values() for cell in frame}
        for exchange in dict.fromkeys(made_since(reader.parked, carry.start.parked).values()):
            if consumed.isdisjoint(exchange.bases):
                dissolve(reader, exchange)

    def _exchange(self, group: Group, now: State) -> None:
        """From the next reading on, these paths are known to be the same arrays in some order."""
        carry, reader = self.carry, self.carry.reader
        bases, but, live, states = self.bases(group), frozenset(group), reader.frame.live, (carry.before, now)
        carry.changed = True
        self.permuted.append(group)
        frame = frame_of(reader, bases, but, live, states)
        if apart(carry.before, bases) and matters(reader, bases, but, live, states) and may_become_bases(frame, carry.before.parked):
            self.frames[group] = frame
            for path in group:
                carry.add_place(path)
            for base in bases:
                carry.plan.pop((base,), None)
            carry.groups = [pair for pair in carry.groups if not self.know(*pair)]

    def _alike(self, group: Group) -> bool:
        """Whether their arrays have one dtype and rank, so that they can be carried."""
        return len({(type_.dtype, type_.ndim) for type_ in (self.carry.before.heap[base].type for base in self.bases(group))}) == 1

    def _part(self, group: Group) -> None:
        """They are not, on some path."""
        self.apart.add(group)
        del self.frames[group]
        for path in group:
            del self.carry.plan[(*path, PLACE)]
        self.carry.changed = True

    def agree_on_sizes(self) -> None:
        """Before a reading: where arrays that change places have the same sizes, they are carried with the same dimensions."""
        carry, builder = self.carry, self.carry.reader.builder
        for group in self.permuted[self.agreed :]:
            types = [carry.before.heap[base].type for base in self.bases(group)]
            agree(builder, types)
            for path, type_ in zip(group, types, strict=True):
                shape = (one if builder.same_size(one, own) else own for one, own in zip(types[0].shape, type_.shape, strict=True))
                if path in carry.plan:
                    carry.plan[path] = replace(carry.plan[path], shape=tuple(shape))
        self.agreed = len(self.permuted)

    def bases(self, group: Group) -> tuple[Cell, ...]:
        """The storages at these paths before the loop."""
        return tuple(self.carry.value_before(path).cell for path in group)

    def all_bases(self) -> set[Cell]:
        """The storages that the loop's exchanges stand for: what they hold isn't carried."""
        return {base for group in self.frames for base in self.bases(group)}

    def parked(self, variables: dict[Path, Var]) -> Parked:
        """The exchanges at the start of a trip, or behind the loop, with the carried variables of there."""
        result = dict(self.carry.before.parked)
        for group, frame in self.frames.items():
            slots, places = tuple(self.carry.cells[path] for path in group), tuple(variables[(*path, PLACE)] for path in group)
            result.update(dict.fromkeys(frame, Exchange(frame, slots, places)))
        return result

    def initial_place(self, path: Path) -> Atom:
        """The place of what is at a path before the loop."""
        frame = next(frame for group, frame in self.frames.items() if path in group)
        return place_among(self.carry.reader, self.carry.value_before(path).cell, frame)

    def know(self, one: Cell, two: Cell) -> bool:
        """Whether exchanges say at the start of a trip which storages these are: a slot and what it may be."""
        parked = dict(self.carry.before.parked)
        for group, frame in self.frames.items():
            slots = tuple(self.carry.cells[path] for path in group if path in self.carry.cells)
            parked.update(dict.fromkeys((*frame, *self.bases(group)), Exchange(frame, slots, ())))
        exchange = exchange_of(one, parked)
        return two in may_be(one, parked) or one in may_be(two, parked) or exchange is not None and two in exchange.slots
