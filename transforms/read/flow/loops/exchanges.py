"""`LoopExchanges`: which arrays of a loop change places from trip to trip, found with what it carries.

Where somebody else sees such arrays (the caller, another name), the loop carries for each path its place among them (`exchange`).
"""
from __future__ import annotations

from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.leaves import PLACE, Leaves
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


class LoopExchanges:
    """What is known of one loop, from one reading of its body to the next."""

    def __init__(self, reader: Reader, before: Before, leaves: Leaves) -> None:
        self.reader, self.before, self.leaves = reader, before, leaves
        self.permuted: list[Group] = []
        """Groups of paths whose arrays change places."""
        self.frames: dict[Group, tuple[Cell, ...]] = {}
        """Those of them where somebody else sees which is which, with the storages of which their places tell."""
        self.apart: set[Group] = set()
        """Groups that turned out not to change places in each trip."""
        self.agreed = 0
        """How many of the groups are known to have one size."""

    def find(self, start: State, found: dict[Path, Abstract]) -> None:
        """At the end of a reading: the groups that are another permutation of the same arrays in the next trip."""
        reader, now = self.reader, self.reader.state()
        moved = moved_arrays(start, now, self.before.names, [ref for ref in self.before.refs if isinstance(ref, Ref)])
        moved = {path: cells for path, cells in moved.items() if whole_cell(self.before.value(path)) is not None}
        groups = dict.fromkeys(group for group, _ in permuted(moved, start, now))  # found by their hash: containers on a path have no ==
        for group, frame in list(self.frames.items()):
            if group not in groups or not all(has_place(moved[path][1], frame, reader.parked) for path in group):
                self._part(group)
        for group in groups:
            if group in self.frames:
                for path in group:
                    found[(*path, PLACE)] = place_among(reader, moved[path][1], self.frames[group])
            elif group not in self.apart | {*self.permuted} and self._alike(group):
                self._exchange(group, now)
        consumed = {cell for frame in self.frames.values() for cell in frame}
        for exchange in dict.fromkeys(made_since(reader.parked, start.parked).values()):
            if consumed.isdisjoint(exchange.bases):
                dissolve(reader, exchange)

    def _exchange(self, group: Group, now: State) -> None:
        """From the next reading on, these paths are known to be the same arrays in some order."""
        reader, before, leaves = self.reader, self.before.state, self.leaves
        bases, but, live, states = self.bases(group), frozenset(group), reader.frame.live, (before, now)
        leaves.changed = True
        self.permuted.append(group)
        frame = frame_of(reader, bases, but, live, states)
        if apart(before, bases) and matters(reader, bases, but, live, states) and may_become_bases(frame, before.parked):
            self.frames[group] = frame
            for path in group:
                leaves.add_place(path)
            for base in bases:
                leaves.plan.pop((base,), None)
            leaves.groups = [pair for pair in leaves.groups if not self.know(*pair)]

    def _alike(self, group: Group) -> bool:
        """Whether their arrays have one dtype and rank, so that they can be carried."""
        return len({(type_.dtype, type_.ndim) for type_ in (self.before.state.heap[base].type for base in self.bases(group))}) == 1

    def _part(self, group: Group) -> None:
        """They are not, on some path."""
        self.apart.add(group)
        del self.frames[group]
        for path in group:
            del self.leaves.plan[(*path, PLACE)]
        self.leaves.changed = True

    def agree_on_sizes(self) -> None:
        """Before a reading: where arrays that change places have the same sizes, they are carried with the same dimensions."""
        builder = self.reader.builder
        for group in self.permuted[self.agreed :]:
            types = [self.before.state.heap[base].type for base in self.bases(group)]
            agree(builder, types)
            for path, type_ in zip(group, types, strict=True):
                shape = (one if builder.same_size(one, own) else own for one, own in zip(types[0].shape, type_.shape, strict=True))
                if path in self.leaves.plan:
                    self.leaves.reshape(path, shape)
        self.agreed = len(self.permuted)

    def bases(self, group: Group) -> tuple[Cell, ...]:
        """The storages at these paths before the loop."""
        return tuple(self.before.value(path).cell for path in group)

    def all_bases(self) -> set[Cell]:
        """The storages that the loop's exchanges stand for: what they hold isn't carried."""
        return {base for group in self.frames for base in self.bases(group)}

    def parked(self, variables: dict[Path, Var]) -> Parked:
        """The exchanges at the start of a trip, or behind the loop, with the carried variables of there."""
        result = dict(self.before.state.parked)
        for group, frame in self.frames.items():
            if not all(self.leaves.cells.get(path) in self.reader.heap for path in group):  # none is carried where it is one of several
                raise self.reader.unsupported("arrays that change places in a loop, one of which may also be one of several others", "copies (np.copy) of them", "which is which depends on the path taken")
            slots, places = tuple(self.leaves.cells[path] for path in group), tuple(variables[(*path, PLACE)] for path in group)
            result.update(dict.fromkeys(frame, Exchange(frame, slots, places)))
        return result

    def initial_place(self, path: Path) -> Atom:
        """The place of what is at a path before the loop."""
        frame = next(frame for group, frame in self.frames.items() if path in {*group})
        return place_among(self.reader, self.before.value(path).cell, frame)

    def know(self, one: Cell, two: Cell) -> bool:
        """Whether exchanges say at the start of a trip which storages these are: a slot and what it may be."""
        parked = dict(self.before.state.parked)
        for group, frame in self.frames.items():
            slots = tuple(self.leaves.cells[path] for path in group if path in self.leaves.cells)
            parked.update(dict.fromkeys((*frame, *self.bases(group)), Exchange(frame, slots, ())))
        exchange = exchange_of(one, parked)
        return two in may_be(one, parked) or one in may_be(two, parked) or exchange is not None and two in exchange.slots
