"""`Keeping`: which values of a level are kept for its reverse, and which arrays are rolled back.

Outside values are still there; others are recomputed by cheap operations, rolled back (an array before a store is the array after it with
the overwritten elements put back), or read from a tape. A minimum cut on bytes kept decides.
"""
from __future__ import annotations

from s2s.transforms.derivatives.reverse.chains import Chain, Cycle
from s2s.transforms.derivatives.reverse.levels import Level
from s2s.transforms.derivatives.reverse.mincut import cheapest_cut
from s2s.transforms.derivatives.reverse.plan import decided
from s2s.transforms.ir.program import Equation, For, If, Var
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.operators import new_builder
from s2s.types import Array


def bytes_of(type_: Array) -> int:
    """An estimate: a run-time length counts as 64."""
    total = type_.dtype.itemsize
    for dim in type_.shape:
        total *= dim if isinstance(dim, int) else 64
    return max(total, 1)


class Keeping:
    """The choice for one level. `rolled`: what is rolled back; `old`: for each version of such an array what the store overwrote;
    `outside`: what the level around provides.
    """

    def __init__(self, level: Level) -> None:
        self.level, self.recorder = level, level.recorder
        self.rolled: list[Chain] = []
        self.old: dict[Var, Var] = {}
        self.outside: list[Var] = []
        self._decide()

    def _decide(self) -> None:
        """Lift the tapes and groups of inner levels to this one, then cut."""
        demanded = self.level.demands()
        for group in [group for group in self.level.plan.duties.groups if group.count in demanded or any(t.final in demanded for t in group.tapes)]:
            self.recorder.lift_group(group, demanded)
        for tape in [tape for tape in self.level.plan.duties.tapes if tape.group is None and tape.final in demanded]:
            self.recorder.lift(tape, demanded)
        for dim in (dim for var in self.level.plan.decisions.ragged if self.level.is_local(var) for dim in var.type.shape):
            if isinstance(dim, Var) and self.level.is_local(dim):
                demanded[dim] = len(self.level.position)
        if isinstance(self.level.step[0], For):
            demanded.pop(self.level.step[0].index, None)
        self._cut(demanded)

    def _cut(self, demanded: dict[Var, int]) -> None:
        """Choose what is kept: values, or the overwritten elements of a cycle of arrays."""
        kept, cost = self._cheapest(demanded)
        followed = self._followed(demanded, kept)
        if followed:
            self.level.given |= {chain.end for chain in followed}
            again = {var: place for var, place in demanded.items() if var not in self.level.given}
            fewer, less = self._cheapest(again | {chain.start: again.get(chain.start, -1) for chain in followed})
            if less < cost:
                kept = fewer
                self.rolled += followed
            else:
                self.level.given -= {chain.end for chain in followed}
        rolled = [cycle for cycle in self.level.cycles if cycle in kept or self._is_forced(cycle)]
        self._force_inside(rolled)
        for cycle in rolled:
            self._roll(cycle)
        for var in [var for var in kept if isinstance(var, Var)]:
            if isinstance(self.level.step[0], If) and var in self.level.starts:
                self.outside.append(var)  # wanted before it is rolled back: the surrounding level provides it
            else:
                self.recorder.record(var)
        self._keep_indices(demanded)

    def _cheapest(self, demanded: dict[Var, int]) -> tuple[list[object], int]:
        """The values and cycles to keep, in order, and what they cost."""
        positions = self._positions(demanded)
        edges: list[tuple[object, object]] = []
        lost: set[object] = set()
        costs: dict[object, int] = {}
        for var, place in positions.items():
            costs[var] = bytes_of(var.type)
            cycle = self.level.versions.get(var)
            if cycle is not None and self.level.in_time(var, place):
                edges.append((cycle, var))
                costs[cycle] = 0 if self._is_forced(cycle) else self._cycle_cost(cycle)
                lost.add(cycle)
            elif cycle is None and self.level.is_recomputable(var) and self.level.inputs_in_time(var, place):
                edges += [(operand, var) for operand in self.level.operands(var) if operand in positions]
            else:
                lost.add(var)
        kept = cheapest_cut(costs, edges, lost, set(demanded) & set(positions))
        return [vertex for vertex in costs if vertex in kept], sum(costs[vertex] for vertex in kept)

    def _followed(self, demanded: dict[Var, int], kept: list[object]) -> list[Chain]:
        """Carried scalars that are kept at each trip's start: what they are at its end is what the next trip started with."""
        region = self.level.step[0]
        if isinstance(region, If):
            return []
        wanted = self._positions(demanded)
        results = self.level.block.results
        return [
            Chain(carry, result, [])
            for carry, result in zip(region.carry, results, strict=True)
            if carry in kept and isinstance(result, Var) and result in wanted and result is not carry
            and not carry.type.shape and results.count(result) == 1 and carry.type.dtype == result.type.dtype
        ]

    def _positions(self, demanded: dict[Var, int]) -> dict[Var, int]:
        """Demanded Vars and all they may be recomputed from -> the largest position where they may be wanted."""
        return self._spread(demanded, {})

    def _spread(self, demanded: dict[Var, int], undone: dict[Var, list[Var]]) -> dict[Var, int]:
        """As in `_positions`. `undone`: what is needed to roll arrays back to a version."""
        here = [(var, place) for var, place in demanded.items() if self.level.can_vary(var)]
        made_of: dict[Var, list[Var]] = {}
        work = [var for var, _ in here]
        while work:
            var = work.pop()
            if var not in made_of:
                made_of[var] = [each for each in self._made_of(var, undone) if self.level.can_vary(each)]
                work += made_of[var]
        found: dict[Var, int] = {}
        for demand, place in sorted(here, key=lambda each: -each[1]):  # the largest first: each is met once
            work = [demand]
            while work:
                var = work.pop()
                if var not in found:
                    found[var] = place
                    work += made_of[var]
        return {var: found[var] for var in made_of}

    def _keep_indices(self, demanded: dict[Var, int]) -> None:
        """Keep where the undone stores go, as far as it can't be recomputed when they are undone: no adjoint of an array of integers
        asks for that, and the arrays that it is read from may be at another version then, or not be rolled back at all.
        """
        undone = [(node, before, after) for cycle in self.level.cycles for chain in cycle for node, before, after in chain.updates if after in self.old]
        indices = {before: [atom for atom in node.ins[2:] if isinstance(atom, Var)] for node, before, _ in undone}  # type: ignore[union-attr]
        made_of = {before: [after, *indices[before]] for _, before, after in undone}
        starts = {chain.start: -1 for chain in self.rolled}
        places = self._spread({**starts, **demanded}, made_of)
        for operand in [operand for _, before, _ in undone for operand in indices[before]]:
            if self._is_lost(operand, made_of, places, set(), set()):
                self.recorder.record(operand)

    def _is_lost(self, var: Var, made_of: dict[Var, list[Var]], places: dict[Var, int], open_: set[Var], found: set[Var]) -> bool:
        """Whether a value can't be had in time, or not without itself. `made_of`: arrays before stores that are undone -> what that
        takes; `open_`: what is being looked at; `found`: what can be had.
        """
        if var in found or var in self.level.tapes or var in self.outside or not self.level.can_vary(var):
            return False
        if var in open_:
            return True
        open_.add(var)
        if var in self.level.versions:
            rolled = any(chain in self.rolled for chain in self.level.versions[var])
            lost = not rolled or not self.level.in_time(var, places.get(var, -1))
        else:
            lost = not self.level.is_recomputable(var)
        lost = lost or any(self._is_lost(each, made_of, places, open_, found) for each in self._made_of(var, made_of))
        open_.discard(var)
        if not lost:
            found.add(var)
        return lost

    def _made_of(self, var: Var, undone: dict[Var, list[Var]]) -> list[Var]:
        if var in self.level.versions or not self.level.is_recomputable(var):
            return undone.get(var, [])
        return self.level.operands(var)

    def _cycle_cost(self, cycle: Cycle) -> int:
        total = 0
        for node, before, after in (update for chain in cycle for update in chain.updates):
            if isinstance(node, Equation):
                total += bytes_of(node.ins[1].type)
            elif (node, node.outs.index(after)) not in self.level.plan.decisions.forced and not self.level.restores(node, before):
                total += 64 * before.type.dtype.itemsize
        return max(total, 1)

    def _is_forced(self, cycle: Cycle) -> bool:
        ends = {chain.end for chain in cycle}
        return any(result in ends and (self.level.step[0], number) in self.level.plan.decisions.forced for number, result in enumerate(self.level.block.results))

    def _force_inside(self, rolled: list[Cycle]) -> None:
        """Decide that regions which update arrays that are rolled back roll them back, too: of all of these at once, since each decision costs a try. What is forced costs
        nothing any more, so that the next try keeps the same.
        """
        missing = {
            (node, node.outs.index(after)) for cycle in rolled for chain in cycle for node, before, after in chain.updates
            if not isinstance(node, Equation) and not self.level.restores(node, before)
        }
        if missing:
            raise decided(self.level.plan.decisions.forced, missing)

    def _roll(self, cycle: Cycle) -> None:
        """Decide to roll arrays back; their overwritten elements become values to keep."""
        for node, before, after in (update for chain in cycle for update in chain.updates):
            if isinstance(node, Equation):
                self.old[after] = self._overwritten(node, before)
        self.rolled += cycle
        self.level.plan.note_rolled(cycle)
        for after in [after for chain in cycle for _, _, after in chain.updates if after in self.old]:
            self.recorder.record(self.old[after])

    def _overwritten(self, node: Equation, before: Var) -> Var:
        """The Var that holds what a store overwrites: one that the user's code reads anyway, or a new one."""
        operands = node.ins[2:]
        for other in self.level.block.nodes:
            if other is node:
                break
            if isinstance(other, Equation) and other.primitive is getitem and other.ins == (before, *operands) and other.params == node.params:
                return other.outs[0]
        if node not in self.level.plan.made.olds:
            builder = new_builder()
            builder.where = node.where
            builder.equation(getitem, (before, *operands), node.params)
            self.level.plan.made.olds[node] = builder.nodes[0]
        read = self.level.plan.made.olds[node]
        if read not in self.level.plan.duties.before.get(node, []):
            self.level.plan.duties.before.setdefault(node, []).append(read)
        self.level.layout.bind(read, self.level.block)
        return read.outs[0]
