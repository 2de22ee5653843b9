"""What stands for what is gone through while a function is read: ranges, iterators without an end, what a for loop takes its items from.

    for i in range(n):              RunRange(0, n, 1), then Iteration(None, 0, n, 1, item): only the run knows how often
    for a, b in zip(x, [1, 2]):     Iteration((…, …)): its two items are known
    for k in itertools.count():     Endless(at): the item of each number
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.records import dataclass
from s2s.transforms.read.values import Abstract, DictRef, IteratorRef, ListRef, Ref, StandIn, View
from s2s.types import Atom, size_literal


@dataclass(frozen=True, eq=False)
class RunRange(StandIn):
    """range(lo, hi, step) where one of them is known only at run time."""

    lo: Atom
    hi: Atom
    step: Atom

    @staticmethod
    def of(value: range | RunRange) -> RunRange:
        """A range, its bounds as atoms."""
        return value if isinstance(value, RunRange) else RunRange(*map(size_literal, (value.start, value.stop, value.step)))


@dataclass(frozen=True, eq=False)
class Endless(StandIn):
    """An iterator without an end: the item of each number from 0, a run-time one, too; `name` for messages."""

    at: Callable[[Abstract], Abstract]
    name: str


@dataclass(frozen=True, eq=False)
class Pulled(StandIn):
    """What an iterator goes through that takes each item from others when it is asked for one (`pulled.py`): `step(reader, state, held)`."""

    refs: tuple[IteratorRef, ...]
    step: Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Iteration(StandIn):
    """What a for loop goes through: `items` if known while reading, else lo, hi, step and the item of an index."""

    items: tuple[Abstract, ...] | None
    lo: Atom | None = None
    hi: Atom | None = None
    step: Atom | None = None
    item: Callable[[Atom], Abstract] | None = None
    static: Callable[[], tuple[Abstract, ...]] | None = None
    """The items one by one, where the trip count is a number (for loops that must be unrolled)."""
    views: tuple[View, ...] = ()
    """The arrays that it goes through: a loop sees what is stored into them meanwhile, under whatever name."""
    container: Ref | None = None
    """The list, dict or set itself that it goes through: a loop sees what is appended to a list meanwhile."""
    left_at: Callable[[Atom], None] | None = None
    """Told behind a loop of run time that may be left early: the first place that it did not come to."""
    calls: bool = False
    """Whether an item is what a function gives, which may change something when it is called."""


@dataclass(frozen=True, eq=False)
class Later(StandIn):
    """Item `index` of an array or list that is gone through: read when its turn comes, not before (`iteration.settled`). Of a dict, which must not grow until then, the item itself."""

    container: View | ListRef | DictRef
    index: Any
    length: int


@dataclass(frozen=True, eq=False)
class Turn(StandIn):
    """Item `index` of a run-time iteration that is read trip by trip: made by `at` when its turn comes."""

    at: Callable[[Atom], Abstract]
    index: int
