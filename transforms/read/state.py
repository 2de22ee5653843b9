"""What a path through a function has done so far: names, heap, what may be the same storage, arrays that have changed places."""
from __future__ import annotations

from typing import Any

from s2s.records import dataclass, field
from s2s.transforms.ir.build import Builder
from s2s.transforms.read.values import Abstract, Cell, Heap
from s2s.types import Atom, Var


@dataclass(frozen=True, eq=False)
class Exchange:
    """slots[k] is at run time the storage bases[places[k]]; `places` are a permutation."""

    bases: tuple[Cell, ...]
    slots: tuple[Cell, ...]
    places: tuple[Atom, ...]


Parked = dict[Cell, Exchange]
"""The exchanges of a state, by each of their bases."""


@dataclass(eq=False)
class State:
    """What a path through the function has done so far."""

    names: dict[str, Abstract]
    heap: Heap
    aliases: dict[Cell, frozenset[Cell]]
    parked: Parked
    """Arrays that have changed places with others, so that the heap doesn't say what they hold."""
    raised: bool = False
    excluded: dict[Atom, frozenset[int]] = field(default_factory=dict)
    """Options that a `OneOf` surely is not on this path, by its place."""

    def copy(self) -> State:
        """An independent copy."""
        return State(dict(self.names), Heap(self.heap), dict(self.aliases), dict(self.parked), self.raised, dict(self.excluded))


@dataclass(eq=False)
class Checkpoint:
    """A place in a block to which reading can go back."""

    state: State
    nodes: int
    notes: tuple[Any, Any, Any]
    pending: int
    """How many errors of the statement are caught by then (`flow/caught.py`)."""
    unsure: int | None
    """How many positions and errors were counted by then (`Reader.unsure`)."""


@dataclass(eq=False)
class Branch:
    """A block being read beside others: its builder and its state."""

    builder: Builder
    state: State


def bound_in(builder: Builder) -> set[Var]:
    """The Vars that a builder's nodes bind."""
    return {out for node in builder.nodes for out in node.outs}
