"""What a reverse sweep has decided so far: the forward sweep's duties, and the adjoint code of each node."""
from __future__ import annotations

from dataclasses import dataclass, field

from s2s.transforms.derivatives.reverse.chains import Cycle
from s2s.transforms.derivatives.reverse.dependence import Finals
from s2s.transforms.derivatives.reverse.tapes import Group, Layout, Tape
from s2s.transforms.ir.program import Atom, Call, Equation, Function, Node, Var


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
class Plan:
    """Everything the forward sweep has to do besides computing, found while the reverse sweep is written."""

    layout: Layout
    companions: frozenset[Node] = frozenset()
    """Functions that the forward sweep may compute for the reverse sweep's sake, or the reverse sweep itself."""
    tapes: list[Tape] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    before: dict[Node, list[Node]] = field(default_factory=dict)
    """Equations to insert before a node: sizes of tapes, elements about to be overwritten."""
    trips: dict[Node, Var] = field(default_factory=dict)
    """While loops whose trips are counted."""
    calls: dict[Node, Node] = field(default_factory=dict)
    """Calls replaced by ones that return residuals."""
    forced: set[tuple[Node, int]] = field(default_factory=set)
    """(region, carry or out number): arrays that must be rolled back through this region."""
    growing: set[Var] = field(default_factory=set)
    """Values whose tapes must grow since a bound on their trips is not known outside."""
    ragged: set[Var] = field(default_factory=set)
    """Values whose sizes vary without a known bound: their tapes hold elements, and their sizes must be known first."""
    residual_calls: dict[Node, Call] = field(default_factory=dict)
    """Calls -> the same call with residuals behind its results, made once."""
    olds: dict[Node, Node] = field(default_factory=dict)
    """Stores -> the equation that reads what they overwrite."""

    finals: Finals | None = None
    """Values that an array still holds in the end."""
    unsettled: set[Var] = field(default_factory=set)
    """Arrays (their first versions) that are rolled back: they don't hold anything in the end."""
    rolled: set[Var] = field(default_factory=set)
    settled: set[Var] = field(default_factory=set)
    """Arrays (their first versions) from whose last versions values are read."""

    def again(self, function: Function) -> Plan:
        """A fresh plan that remembers the decisions."""
        return Plan(
            Layout(function), self.companions, forced=self.forced, growing=self.growing, ragged=self.ragged, residual_calls=self.residual_calls, olds=self.olds,
            finals=self.finals, unsettled=self.unsettled,
        )

    def final(self, var: Var) -> Equation | None:
        """How to read a value from an array's last version, where that holds it."""
        if self.finals is None:
            self.finals = Finals(self.layout)
        node = self.finals.definition(var)
        return None if node is None or self.finals.origin(node.ins[0]) in self.unsettled else node  # type: ignore[arg-type]

    def note_rolled(self, cycle: Cycle) -> None:
        """These arrays are rolled back."""
        if self.finals is not None:
            self.rolled |= {self.finals.origin(chain.start) for chain in cycle}

    def settle(self) -> None:
        """At the end: an array that is rolled back somewhere can't be read at its end elsewhere."""
        if self.rolled & self.settled:
            self.unsettled |= self.rolled & self.settled
            raise Again
