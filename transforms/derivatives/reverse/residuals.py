"""Which primal values a reverse sweep keeps, and how it gets each one back: one *level* (loop body or branch) at a time.

A level's adjoint code is written first and names primal values freely. Here each of them is provided, cheapest first:
outside values are still there; others are recomputed by cheap operations, rolled back (an array before a store is the
array after it with the overwritten elements put back), or read from a tape. A minimum cut on bytes kept decides.
"""
from __future__ import annotations

from s2s.transforms.derivatives.reverse.chains import Chain, Cycle, chain_to, loop_cycles, updated_array
from s2s.transforms.derivatives.reverse.mincut import cheapest_cut
from s2s.transforms.derivatives.reverse.plan import Chunk, Plan, decided
from s2s.transforms.derivatives.reverse.recording import Recorder
from s2s.transforms.derivatives.reverse.tapes import Group, Step, Tape, counters, elements, filled_part, trip_number
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Equation, For, If, Node, Var, free_vars
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.indexing import At, Item, Span, getitem, setitem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Cost
from s2s.transforms.primitives.structural import reshape
from s2s.transforms.primitives.value import Value
from s2s.types import Array, Dim, dim_atom


def bytes_of(type_: Array) -> int:
    """An estimate: a run-time length counts as 64."""
    total = type_.dtype.itemsize
    for dim in type_.shape:
        total *= dim if isinstance(dim, int) else 64
    return max(total, 1)


def recomputable(node: Node | None) -> bool:
    """Whether an equation is so cheap that doing it again beats reading its result from memory."""
    return isinstance(node, Equation) and node.primitive.cost in (Cost.FREE, Cost.CHEAP)


class Level:
    """One loop body or branch: turns its chunks of adjoint code into the nodes of the reversed body.

    `step` is the region and the number of its block; `given`: the Vars that are at hand in the reversed body from the start, besides the
    loop's index and what counts its trips.
    """

    def __init__(
        self, plan: Plan, step: Step, block: Block, chunks: list[Chunk], results: tuple[Atom, ...],
        given: frozenset[Var] = frozenset(),
    ) -> None:
        self.plan, self.step, self.block, self.chunks, self.results = plan, step, block, chunks, results
        self.given = set(given)
        self.layout = plan.layout
        self.position = {node: number for number, node in enumerate(block.nodes)}
        self.substitution = Substitution()
        self.builder = new_builder()
        self.recorder = Recorder(plan, step, block)
        self.tapes, self.lifted, self.groups = self.recorder.tapes, self.recorder.lifted, self.recorder.groups
        self.pointers: dict[Group, Atom] = {}
        self.lengths: dict[Group, Atom] = {}
        """Of ragged groups: how many elements this trip's value has."""
        self.old: dict[Var, Var] = {}
        self.index: Var | None = None
        self.counters = {} if isinstance(step[0], If) else counters(step[0], self.layout)
        self.cycles = self.find_cycles()
        self.versions = {version: cycle for cycle in self.cycles for chain in cycle for version in chain.versions()}
        self.starts = {chain.start for cycle in self.cycles for chain in cycle}
        self.rolled: list[Chain] = []
        self.flushing: set[Var] = set()
        self._needs = {id(chunk): self.needs(Block(tuple(chunk.nodes), ())) for chunk in chunks}
        self.decide()

    # ---- what is needed ---------------------------------------------------------------------------------------------

    def needs(self, block: Block) -> list[Var]:
        """The primal Vars of this level that adjoint code names."""
        return [var for var in free_vars(block) if self.is_local(var)]

    def is_local(self, var: Var) -> bool:
        return self.layout.block_of.get(var) is self.block or var in self.starts

    def definition(self, var: Var) -> Node | None:
        """The node that makes a primal value; or the equation that reads it from where it still is in the end."""
        return self.plan.final(var) or self.layout.definition.get(var)

    def _is_recomputable(self, var: Var) -> bool:
        node = self.definition(var)
        return recomputable(node) or node in self.plan.made.companions

    def demands(self) -> dict[Var, int]:
        """Each demanded Var -> the largest position (number of primal node) whose adjoint demands it."""
        demanded: dict[Var, int] = {}
        for number, chunk in enumerate(self.chunks):
            outside = len(self.position) if number == 0 else -1  # the first and the last chunk belong to no node
            place = outside if chunk.node is None else self.position[chunk.node]
            for var in self._needs[id(chunk)]:
                demanded[var] = max(demanded.get(var, -1), place)
        for var in self.needs(Block((), self.results)):
            demanded.setdefault(var, -1)
        return demanded

    def decide(self) -> None:
        """Lift the tapes and groups of inner levels to this one, then cut."""
        demanded = self.demands()
        for group in [group for group in self.plan.duties.groups if group.count in demanded or any(t.final in demanded for t in group.tapes)]:
            self.recorder.lift_group(group, demanded)
        for tape in [tape for tape in self.plan.duties.tapes if tape.group is None and tape.final in demanded]:
            self.recorder.lift(tape, demanded)
        for dim in (dim for var in self.plan.decisions.ragged if self.is_local(var) for dim in var.type.shape):
            if isinstance(dim, Var) and self.is_local(dim):
                demanded[dim] = len(self.position)
        if isinstance(self.step[0], For):
            demanded.pop(self.step[0].index, None)
        self.cut(demanded)

    # ---- the choice -------------------------------------------------------------------------------------------------

    def cut(self, demanded: dict[Var, int]) -> None:
        """Choose what is kept: values, or the overwritten elements of a cycle of arrays."""
        kept, cost = self._cheapest(demanded)
        followed = self._followed(demanded, kept)
        if followed:
            self.given |= {chain.end for chain in followed}
            again = {var: place for var, place in demanded.items() if var not in self.given}
            fewer, less = self._cheapest(again | {chain.start: again.get(chain.start, -1) for chain in followed})
            if less < cost:
                kept = fewer
                self.rolled += followed
            else:
                self.given -= {chain.end for chain in followed}
        for cycle in self.cycles:
            if cycle in kept or self._is_forced(cycle):
                self._roll(cycle)
        for var in [var for var in kept if isinstance(var, Var)]:
            if isinstance(self.step[0], If) and var in self.starts:
                self.substitution.mapping[var] = var  # wanted before it is rolled back: the surrounding level provides it
            else:
                self.recorder.record(var)
        for operand in [operand for cycle in self.cycles for operand in self._indices(cycle) if self._is_made_by_region(operand)]:
            self.recorder.record(operand)

    def _indices(self, cycle: Cycle) -> list[Var]:
        """Where the stores go that are undone to roll a cycle back: no adjoint of an array of integers asks for that."""
        after = [(node, after) for chain in cycle for node, _, after in chain.updates]
        return [operand for node, version in after if version in self.old for operand in node.ins[2:] if isinstance(operand, Var)]  # type: ignore[union-attr]

    def _is_made_by_region(self, var: Var) -> bool:
        """Whether a value can't be recomputed: it comes, by way of equations, out of a branch or a loop, and is not kept."""
        work = [var]
        while work:
            here = work.pop()
            if here in self.tapes or here in self.versions or not self._can_vary(here):
                continue
            if not isinstance(self.definition(here), Equation):
                return True
            work += self._operands(here)
        return False

    def _cheapest(self, demanded: dict[Var, int]) -> tuple[list[object], int]:
        """The values and cycles to keep, in order, and what they cost."""
        positions = self._positions(demanded)
        edges: list[tuple[object, object]] = []
        lost: set[object] = set()
        costs: dict[object, int] = {}
        for var, place in positions.items():
            costs[var] = bytes_of(var.type)
            cycle = self.versions.get(var)
            if cycle is not None and self._in_time(var, place):
                edges.append((cycle, var))
                costs[cycle] = 0 if self._is_forced(cycle) else self._cycle_cost(cycle)
                lost.add(cycle)
            elif cycle is None and self._is_recomputable(var) and self._inputs_in_time(var, place):
                edges += [(operand, var) for operand in self._operands(var) if operand in positions]
            else:
                lost.add(var)
        kept = cheapest_cut(costs, edges, lost, set(demanded) & set(positions))
        return [vertex for vertex in costs if vertex in kept], sum(costs[vertex] for vertex in kept)

    def _followed(self, demanded: dict[Var, int], kept: list[object]) -> list[Chain]:
        """Carried scalars that are kept at each trip's start: what they are at its end is what the next trip started with."""
        region = self.step[0]
        if isinstance(region, If):
            return []
        wanted = self._positions(demanded)
        results = self.block.results
        return [
            Chain(carry, result, [])
            for carry, result in zip(region.carry, results, strict=True)
            if carry in kept and isinstance(result, Var) and result in wanted and result is not carry
            and not carry.type.shape and results.count(result) == 1 and carry.type.dtype == result.type.dtype
        ]

    def _positions(self, demanded: dict[Var, int]) -> dict[Var, int]:
        """Demanded Vars and all they may be recomputed from -> the largest position where they may be wanted."""
        found: dict[Var, int] = {}
        work = [(var, place) for var, place in demanded.items() if self._can_vary(var)]
        while work:
            var, place = work.pop()
            if found.get(var, -2) >= place:
                continue
            found[var] = place
            if self._is_recomputable(var):
                work += [(operand, place) for operand in self._operands(var) if self._can_vary(operand)]
        return found

    def _can_vary(self, atom: Atom) -> bool:
        if not isinstance(atom, Var) or not self.is_local(atom) or atom in self.given:
            return False
        return not (isinstance(self.step[0], For) and atom is self.step[0].index) and atom not in self.lifted and atom not in self.counters

    def _operands(self, var: Var) -> list[Var]:
        node = self.definition(var)
        assert isinstance(node, Equation)
        operands = [atom for atom in node.ins if isinstance(atom, Var)]
        return operands + [dim for dim in var.type.shape if isinstance(dim, Var) and dim not in operands]

    def find_cycles(self) -> list[Cycle]:
        """The arrays of this level that are updated and could be rolled back from their final versions: in a branch each alone,
        in a loop those together that are swapped from trip to trip.
        """
        region = self.step[0]
        if isinstance(region, If):
            ends: dict[Var, Cycle] = {}
            for out, result in zip(region.outs, self.block.results, strict=True):
                chain = chain_to(result, self.block, self.layout)
                if chain is not None and chain.updates and updated_array(region, out, self.layout) is chain.start:
                    ends.setdefault(chain.end, (chain,))
            return list(ends.values())
        return loop_cycles(region, self.layout)

    def _cycle_cost(self, cycle: Cycle) -> int:
        total = 0
        for node, before, after in (update for chain in cycle for update in chain.updates):
            if isinstance(node, Equation):
                total += bytes_of(node.ins[1].type)
            elif (node, node.outs.index(after)) not in self.plan.decisions.forced and not self._restores(node, before):
                total += 64 * before.type.dtype.itemsize
        return max(total, 1)

    def _restores(self, node: Node, before: Var) -> bool:
        return any(chunk.node is node and before in chunk.restored for chunk in self.chunks)

    def _in_time(self, version: Var, place: int) -> bool:
        """Whether a version is back when it is wanted: regions after it restore it only when their adjoints have run."""
        for chain in self.versions[version]:
            if version in chain.versions():
                later = [node for node, _, _ in chain.updates[chain.versions().index(version):]]
                return all(isinstance(node, Equation) or place < self.position[node] for node in later)
        return True

    def _inputs_in_time(self, var: Var, place: int) -> bool:
        return all(operand not in self.versions or self._in_time(operand, place) for operand in self._operands(var))

    def _is_forced(self, cycle: Cycle) -> bool:
        ends = {chain.end for chain in cycle}
        return any(result in ends and (self.step[0], number) in self.plan.decisions.forced for number, result in enumerate(self.block.results))

    def _roll(self, cycle: Cycle) -> None:
        """Decide to roll arrays back; their overwritten elements become values to keep."""
        for node, before, after in (update for chain in cycle for update in chain.updates):
            if isinstance(node, Equation):
                self.old[after] = self._overwritten(node, before)
            elif not self._restores(node, before):
                raise decided(self.plan.decisions.forced, {(node, node.outs.index(after))})
        self.rolled += cycle
        self.plan.note_rolled(cycle)
        for node, _, after in (update for chain in cycle for update in chain.updates):
            if after in self.old:
                self.recorder.record(self.old[after])
                for operand in node.ins[2:]:  # type: ignore[union-attr]
                    if isinstance(operand, Var) and operand is not self.old[after] and self._hangs_on(operand, cycle):
                        self.recorder.record(operand)

    def _hangs_on(self, var: Var, cycle: Cycle) -> bool:
        """Whether where a store goes is computed from the arrays that are to be rolled back: `e[e[i]] = x`."""
        work = [var]
        while work:
            here = work.pop()
            if here in self.tapes or not self._can_vary(here):
                continue
            if self.versions.get(here) is cycle:
                return True
            if self._is_recomputable(here):
                work += self._operands(here)
        return False

    def _overwritten(self, node: Equation, before: Var) -> Var:
        """The Var that holds what a store overwrites: one that the user's code reads anyway, or a new one."""
        operands = node.ins[2:]
        for other in self.block.nodes:
            if other is node:
                break
            if isinstance(other, Equation) and other.primitive is getitem and other.ins == (before, *operands) and other.params == node.params:
                return other.outs[0]
        if node not in self.plan.made.olds:
            builder = new_builder()
            builder.where = node.where
            builder.equation(getitem, (before, *operands), node.params)
            self.plan.made.olds[node] = builder.nodes[0]
        read = self.plan.made.olds[node]
        if read not in self.plan.duties.before.get(node, []):
            self.plan.duties.before.setdefault(node, []).append(read)
        self.layout.bind(read, self.block)
        return read.outs[0]

    # ---- the reversed body ------------------------------------------------------------------------------------------

    def assemble(self, known: dict[Var, Atom], pointers: dict[Group, Var], index: Var | None = None) -> tuple[Builder, list[Atom]]:
        """The reversed body's nodes and the results there. `known`: what primal Vars are at its start (index, final versions);
        `pointers`: the Vars that carry the groups' positions; `index`: that of the reversed loop.
        """
        self.index = index
        self.substitution.mapping.update(known)
        self.pointers.update(pointers)
        for group in self.groups:
            if group in self.recorder.inner_count:
                self.substitution.mapping[self.recorder.inner_count[group]] = pointers[group]
            elif group.ragged is None:
                self.pointers[group] = sizes.minus(self.builder, pointers[group], 1, name="entry")
        for group in self.groups:
            if group.ragged is not None and group not in self.recorder.inner_count:
                self.lengths[group] = elements(self.builder, self._dims(group.ragged))
                self.pointers[group] = sizes.minus(self.builder, pointers[group], self.lengths[group], name="entry")
        for chunk in self.chunks:
            for var in self._needs[id(chunk)]:
                self.provide(var)
            for node in chunk.nodes:
                self.builder.add(self.substitution.node(node))
            for before, now in chunk.restored.items():
                self.substitution.mapping[before] = self.substitution.atom(now)
            for group, inner in self.recorder.inner_count.items():
                if inner in chunk.pointers:
                    self.pointers[group] = self.substitution.atom(chunk.pointers[inner])
        for chain in self.rolled:
            self.provide(chain.start)
        for var in self.needs(Block((), self.results)):
            self.provide(var)
        return self.builder, [self.substitution.atom(result) for result in self.results]

    def provide(self, var: Var) -> None:
        """Make a primal Var of this level available at this point of the reversed body."""
        if var in self.substitution.mapping or not self.is_local(var):  # growing tapes have found their home outside meanwhile
            return
        if var in self.counters:
            self.substitution.mapping[var] = self._counted(*self.counters[var])
        elif var in self.tapes:
            self.substitution.mapping[var] = self._load(self.tapes[var], var)
        elif var in self.lifted and self.lifted[var].group is None:
            self.substitution.mapping[var] = self._load(self.lifted[var], var)
        elif chain := next((chain for chain in self.rolled if var in chain.versions()), None):
            self._roll_back(chain, var)
        elif var in self.starts and self.layout.block_of.get(var) is not self.block:
            self.substitution.mapping[var] = var  # a branch's array that is not rolled back: its version outside
        else:
            self._recompute(var)

    def _counted(self, start: Atom, step: Atom) -> Atom:
        """What counts trips, at the start of this one."""
        region = self.step[0]
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
            if isinstance(dim, Var) and self.is_local(dim):
                self.provide(dim)
        return self.substitution.type(var.type).shape

    def _position(self, tape: Tape) -> tuple[list[Item], list[Atom]]:
        region = self.step[0]
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
            if isinstance(operand, Var) and self.is_local(operand):
                self.provide(operand)
        operands = self.substitution.atoms((after, self.old[after], *node.ins[2:]))
        (restored,) = self.builder.equation(setitem, operands, node.params, name=before.name)
        self.substitution.mapping[before] = restored

    def _flush(self, version: Var) -> None:
        """Recompute what is still to be read of a version before it is overwritten."""
        if version in self.flushing:
            return
        self.flushing.add(version)
        wanted = self._closure({var for needs in self._needs.values() for var in needs} | set(self.needs(Block((), self.results))))
        for out in [out for node in self.block.nodes for out in node.outs]:
            if out in wanted and version in self._operands_of(out) and self._at_hand(out):
                self.provide(out)

    def _at_hand(self, var: Var) -> bool:
        """Whether a value can be had now, without rolling an array back first."""
        if var in self.substitution.mapping or var in self.tapes or not self._can_vary(var):
            return True
        return var not in self.versions and all(self._at_hand(operand) for operand in self._operands(var))

    def _closure(self, wanted: set[Var]) -> set[Var]:
        found: set[Var] = set()
        work = list(wanted)
        while work:
            var = work.pop()
            if var in found or var in self.tapes or var in self.substitution.mapping or not self._can_vary(var):
                continue
            found.add(var)
            if var not in self.versions and self._is_recomputable(var):
                work += self._operands(var)
        return {var for var in found if var not in self.versions}

    def _operands_of(self, var: Var) -> list[Var]:
        return self._operands(var) if self._is_recomputable(var) else []

    def _recompute(self, var: Var) -> None:
        node = self.definition(var)
        assert isinstance(node, Equation), f"{var} of {self.step[0].where} is neither kept nor recomputable"
        for operand in self._operands(var):
            if self.is_local(operand):
                self.provide(operand)
        for dim in (dim for atom in node.ins for dim in atom.type.shape):
            if isinstance(dim, Var) and self.is_local(dim):
                self.provide(dim)
        if var in self.substitution.mapping:
            return
        if (final := self.plan.final(var)) is not None and self.plan.made.finals is not None:
            self.plan.settled.add(self.plan.made.finals.origin(final.ins[0]))  # type: ignore[arg-type]
        self.builder.add(self.substitution.node(node))
