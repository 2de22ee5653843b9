"""How a reverse sweep gets the primal values back: one *level* (loop body or branch) at a time.

A level's adjoint code is written first and names primal values freely. `keeping` decides which of them are kept; here each of them is
provided where it is named: outside values are still there, others are recomputed, rolled back or read from a tape.
"""
from __future__ import annotations

from s2s.transforms.derivatives.reverse.chains import Chain
from s2s.transforms.derivatives.reverse.keeping import Keeping
from s2s.transforms.derivatives.reverse.levels import Level
from s2s.transforms.derivatives.reverse.plan import Chunk, Plan
from s2s.transforms.derivatives.reverse.tapes import Group, Step, Tape, elements, filled_part, trip_number
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Equation, For, Var
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, Item, Span, getitem, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.structural import reshape
from s2s.transforms.primitives.value import Value
from s2s.types import Dim, dim_atom


class ReversedLevel:
    """Turns the chunks of one level's adjoint code into the nodes of the reversed body; as in `Level` and `Keeping`."""

    def __init__(
        self, plan: Plan, step: Step, block: Block, chunks: list[Chunk], results: tuple[Atom, ...], given: frozenset[Var] = frozenset(),
    ) -> None:
        self.level = Level(plan, step, block, chunks, results, given)
        keeping = Keeping(self.level)
        self.block, self.rolled, self.old = block, keeping.rolled, keeping.old
        self.groups, self.inner_count = self.level.recorder.groups, self.level.recorder.inner_count
        self.builder = new_builder()
        self.substitution = Substitution()
        self.substitution.mapping.update({var: var for var in keeping.outside})
        self.pointers: dict[Group, Atom] = {}
        self.lengths: dict[Group, Atom] = {}
        """Of ragged groups: how many elements this trip's value has."""
        self.index: Var | None = None
        self.flushing: set[Var] = set()

    def assemble(self, known: dict[Var, Atom], pointers: dict[Group, Var], index: Var | None = None) -> tuple[Builder, list[Atom]]:
        """The reversed body's nodes and the results there. `known`: what primal Vars are at its start (index, final versions);
        `pointers`: the Vars that carry the groups' positions; `index`: that of the reversed loop.
        """
        self.index = index
        self.substitution.mapping.update(known)
        self.pointers.update(pointers)
        for group in self.groups:
            if group in self.inner_count:
                self.substitution.mapping[self.inner_count[group]] = pointers[group]
            elif group.ragged is None:
                self.pointers[group] = sizes.minus(self.builder, pointers[group], 1, name="entry")
        for group in self.groups:
            if group.ragged is not None and group not in self.inner_count:
                self.lengths[group] = elements(self.builder, self._dims(group.ragged))
                self.pointers[group] = sizes.minus(self.builder, pointers[group], self.lengths[group], name="entry")
        for chunk in self.level.chunks:
            for var in self.level.needs_of(chunk):
                self.provide(var)
            for node in chunk.nodes:
                self.builder.add(self.substitution.node(node))
            for before, now in chunk.restored.items():
                self.substitution.mapping[before] = self.substitution.atom(now)
            for group, inner in self.inner_count.items():
                if inner in chunk.pointers:
                    self.pointers[group] = self.substitution.atom(chunk.pointers[inner])
        for chain in self.rolled:
            self.provide(chain.start)
        for var in self.level.needs(Block((), self.level.results)):
            self.provide(var)
        return self.builder, [self.substitution.atom(result) for result in self.level.results]

    def provide(self, var: Var) -> None:
        """Make a primal Var of this level available at this point of the reversed body."""
        if var in self.substitution.mapping or not self.level.is_local(var):  # growing tapes have found their home outside meanwhile
            return
        if var in self.level.counters:
            self.substitution.mapping[var] = self._counted(*self.level.counters[var])
        elif var in self.level.tapes:
            self.substitution.mapping[var] = self._load(self.level.tapes[var], var)
        elif var in self.level.lifted and self.level.lifted[var].group is None:
            self.substitution.mapping[var] = self._load(self.level.lifted[var], var)
        elif chain := next((chain for chain in self.rolled if var in chain.versions()), None):
            self._roll_back(chain, var)
        elif var in self.level.starts and self.level.layout.block_of.get(var) is not self.level.block:
            self.substitution.mapping[var] = var  # a branch's array that is not rolled back: its version outside
        else:
            self._recompute(var)

    def _counted(self, start: Atom, step: Atom) -> Atom:
        """What counts trips, at the start of this one."""
        region = self.level.step[0]
        assert self.index is not None
        trip = trip_number(self.builder, self.index, region.lo, region.step) if isinstance(region, For) else self.index
        return sizes.plus(self.builder, start, sizes.times(self.builder, trip, step))

    def _load(self, tape: Tape, var: Var) -> Atom:
        """Read a tape at this trip: an element, a row, or the part of a row that was filled."""
        shape = self._dims(var)
        if tape.group is not None and tape.group.ragged is not None:
            operands = [tape.final, self.pointers[tape.group], self.lengths[tape.group]]
            (flat,) = self.builder.equation(getitem, tuple(operands), {"index": (Span(1),)}, name=var.name)
            return reshape(Value(self.builder, flat), *(Value(self.builder, dim_atom(dim)) for dim in shape)).atom
        index, operands = self._position(tape)
        items, filled = filled_part(shape, tape.final.type.shape[len(index):])
        operands += filled
        if not operands:
            return tape.final
        (loaded,) = self.builder.equation(getitem, (tape.final, *operands), {"index": (*index, *items)}, name=var.name)
        return loaded

    def _dims(self, var: Var) -> tuple[Dim, ...]:
        """The dimensions of a value, as they are named here."""
        for dim in var.type.shape:
            if isinstance(dim, Var) and self.level.is_local(dim):
                self.provide(dim)
        return self.substitution.type(var.type).shape

    def _position(self, tape: Tape) -> tuple[list[Item], list[Atom]]:
        region = self.level.step[0]
        if tape.group is not None:
            return [At(inside=True)], [self.pointers[tape.group]]
        if isinstance(region, For):
            index = self.substitution.atom(region.index)
            return [At(inside=True)], [trip_number(self.builder, index, region.lo, region.step)]
        return [], []

    def _roll_back(self, chain: Chain, var: Var) -> None:
        node, before, after = chain.updates[chain.versions().index(var)]
        self.provide(after)
        assert isinstance(node, Equation), f"{var} is wanted before its region restores it"
        self._flush(after)
        if before in self.substitution.mapping:
            return
        self.provide(self.old[after])
        for operand in node.ins[2:]:
            if isinstance(operand, Var) and self.level.is_local(operand):
                self.provide(operand)
        operands = self.substitution.atoms((after, self.old[after], *node.ins[2:]))
        (restored,) = self.builder.equation(setitem, operands, node.params, name=before.name)
        self.substitution.mapping[before] = restored

    def _flush(self, version: Var) -> None:
        """Recompute what is still to be read of a version before it is overwritten."""
        if version in self.flushing:
            return
        self.flushing.add(version)
        wanted = self._closure(self.level.wanted())
        for out in [out for node in self.level.block.nodes for out in node.outs]:
            if out in wanted and version in self._operands_of(out) and self._at_hand(out):
                self.provide(out)

    def _at_hand(self, var: Var) -> bool:
        """Whether a value can be had now, without rolling an array back first."""
        if var in self.substitution.mapping or var in self.level.tapes or not self.level.can_vary(var):
            return True
        return var not in self.level.versions and all(self._at_hand(operand) for operand in self.level.operands(var))

    def _closure(self, wanted: set[Var]) -> set[Var]:
        found: set[Var] = set()
        work = list(wanted)
        while work:
            var = work.pop()
            if var in found or var in self.level.tapes or var in self.substitution.mapping or not self.level.can_vary(var):
                continue
            found.add(var)
            if var not in self.level.versions and self.level.is_recomputable(var):
                work += self.level.operands(var)
        return {var for var in found if var not in self.level.versions}

    def _operands_of(self, var: Var) -> list[Var]:
        return self.level.operands(var) if self.level.is_recomputable(var) else []

    def _recompute(self, var: Var) -> None:
        node = self.level.definition(var)
        assert isinstance(node, Equation), f"{var} of {self.level.step[0].where} is neither kept nor recomputable"
        for operand in self.level.operands(var):
            if self.level.is_local(operand):
                self.provide(operand)
        for dim in (dim for atom in node.ins for dim in atom.type.shape):
            if isinstance(dim, Var) and self.level.is_local(dim):
                self.provide(dim)
        if var in self.substitution.mapping:
            return
        if (final := self.level.plan.final(var)) is not None and self.level.plan.made.finals is not None:
            self.level.plan.settled.add(self.level.plan.made.finals.origin(final.ins[0]))  # type: ignore[arg-type]
        self.builder.add(self.substitution.node(node))
