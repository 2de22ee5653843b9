"""What a reverse sweep has decided so far: the forward sweep's duties, and the adjoint code of each node.

A sweep is written at once; where it finds deep inside that something must be decided otherwise, the decision is noted and the sweep is
written again (`Again`). Decisions are only ever added, each about one of the function's values, so that the tries end.
"""
from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import TypeVar

from s2s.errors import InternalError
from s2s.records import dataclass, field
from s2s.transforms.derivatives.reverse.chains import Cycle
from s2s.transforms.derivatives.reverse.dependence import Finals
from s2s.transforms.derivatives.reverse.tapes import Group, Layout, Tape
from s2s.transforms.ir.program import Atom, Call, Equation, Function, Node, Var, bound_inside, walk

_T = TypeVar("_T")


class Again(Exception):
    """A decision taken deep inside must be another one: the reverse sweep is written again with it."""


@dataclass
class Chunk:
    """The adjoint code of one primal node. `restored`: arrays that it rolls back: the version before the node -> where it is now.

    `pointers`: growing tapes' positions that it counts down: the number of entries after the node -> before it.
    """

    node: Node | None
    nodes: list[Node]
    restored: dict[Var, Atom] = field(default_factory=dict)
    pointers: dict[Var, Atom] = field(default_factory=dict)


@dataclass
class Decisions:
    """What all tries after the one that found it know."""

    forced: set[tuple[Node, int]] = field(default_factory=set)
    """(region, carry or out number): arrays that must be rolled back through this region."""
    growing: set[Var] = field(default_factory=set)
    """Values whose tapes must grow since a bound on their trips is not known outside."""
    ragged: set[Var] = field(default_factory=set)
    """Values whose sizes vary without a known bound: their tapes hold elements, and their sizes must be known first."""
    unsettled: set[Var] = field(default_factory=set)
    """Arrays (their first versions) that are rolled back: they don't hold anything in the end."""


def decided(decisions: set[_T], new: AbstractSet[_T]) -> Again:
    """Note decisions; what to raise then.

    Raises
    ------
    InternalError
        If they are noted already: the next try would find the same.
    """
    if new <= decisions:
        raise InternalError("the reverse sweep comes back to a decision that it has taken")
    decisions |= new
    return Again()


@dataclass
class MadeOnce:
    """What the first try that needs it makes, and later ones find."""

    companions: frozenset[Node]
    """Functions that the forward sweep may compute for the reverse sweep's sake, or the reverse sweep itself."""
    residual_calls: dict[Node, Call] = field(default_factory=dict)
    """Calls -> the same call with residuals behind its results."""
    olds: dict[Node, Node] = field(default_factory=dict)
    """Stores -> the equation that reads what they overwrite."""
    finals: Finals | None = None
    """Values that an array still holds in the end."""
    trips: dict[Node, Var] = field(default_factory=dict)
    """While loops -> the number of their trips: decisions are about it, too."""


@dataclass
class Duties:
    """What the forward sweep has to do besides computing, as one try has it."""

    tapes: list[Tape] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    before: dict[Node, list[Node]] = field(default_factory=dict)
    """Equations to insert before a node: sizes of tapes, elements about to be overwritten."""
    trips: dict[Node, Var] = field(default_factory=dict)
    """While loops whose trips are counted."""
    calls: dict[Node, Node] = field(default_factory=dict)
    """Calls replaced by ones that return residuals."""


@dataclass
class Plan:
    """One try. `rolled`, `settled`: arrays (their first versions) that it rolls back, and from whose last versions it reads."""

    layout: Layout
    decisions: Decisions
    made: MadeOnce
    duties: Duties = field(default_factory=Duties)
    rolled: set[Var] = field(default_factory=set)
    settled: set[Var] = field(default_factory=set)

    def final(self, var: Var) -> Equation | None:
        """How to read a value from an array's last version, where that holds it."""
        finals = self.made.finals = self.made.finals or Finals(self.layout)
        node = finals.definition(var)
        return None if node is None or finals.origin(node.ins[0]) in self.decisions.unsettled else node  # type: ignore[arg-type]

    def note_rolled(self, cycle: Cycle) -> None:
        """These arrays are rolled back."""
        if self.made.finals is not None:
            self.rolled |= {self.made.finals.origin(chain.start) for chain in cycle}

    def settle(self) -> None:
        """At the end: an array that is rolled back somewhere can't be read at its end elsewhere."""
        if self.rolled & self.settled:
            raise decided(self.decisions.unsettled, self.rolled & self.settled)


def tried(function: Function, companions: frozenset[Node], write: Callable[[Plan], _T]) -> _T:
    """What `write` makes of a plan in which nothing has to be decided any more."""
    decisions, made = Decisions(), MadeOnce(companions)
    for _ in range(_most(function)):
        plan = Plan(Layout(function), decisions, made)
        try:
            sweeps = write(plan)
            plan.settle()
        except Again:
            continue
        return sweeps
    raise InternalError("the reverse sweep was written again for more decisions than there are")


def _most(function: Function) -> int:
    """More tries than there can be decisions: each kind of them about a value that a node binds."""
    return 2 + 4 * (len(function.params) + sum(len(node.outs) + len(bound_inside(node)) for node in walk(function.body)))
