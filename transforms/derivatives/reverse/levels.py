"""`Level`: one loop body or branch as its reverse sees it: which of its values are wanted where, and how each could be had again."""
from __future__ import annotations

from s2s.transforms.derivatives.reverse.chains import Cycle, chain_to, loop_cycles, updated_array
from s2s.transforms.derivatives.reverse.plan import Chunk, Plan
from s2s.transforms.derivatives.reverse.recording import Recorder
from s2s.transforms.derivatives.reverse.tapes import Step, counters
from s2s.transforms.ir.program import Atom, Block, Equation, For, If, Node, Var, free_vars
from s2s.transforms.primitives.row import Cost, Elementwise


class Level:
    """`step` is the region and the number of its block; `given`: the Vars that are at hand in the reversed body from the start, besides the
    loop's index and what counts its trips; `tapes`, `lifted`: as in `Recorder`, which fills them.
    """

    def __init__(self, plan: Plan, step: Step, block: Block, chunks: list[Chunk], results: tuple[Atom, ...], given: frozenset[Var]) -> None:
        self.plan, self.step, self.block, self.chunks, self.results = plan, step, block, chunks, results
        self.given = set(given)
        self.layout = plan.layout
        self.position = {node: number for number, node in enumerate(block.nodes)}
        self.recorder = Recorder(plan, step, block)
        self.tapes, self.lifted = self.recorder.tapes, self.recorder.lifted
        self.counters = {} if isinstance(step[0], If) else counters(step[0], self.layout)
        self.cycles = self._find_cycles()
        self.versions = {version: cycle for cycle in self.cycles for chain in cycle for version in chain.versions()}
        self.starts = {chain.start for cycle in self.cycles for chain in cycle}
        self._needs = {id(chunk): self.needs(Block(tuple(chunk.nodes), ())) for chunk in chunks}

    def needs_of(self, chunk: Chunk) -> list[Var]:
        """The primal Vars that a chunk names."""
        return self._needs[id(chunk)]

    def wanted(self) -> set[Var]:
        """All primal Vars that are named."""
        return {var for needs in self._needs.values() for var in needs} | set(self.needs(Block((), self.results)))

    def needs(self, block: Block) -> list[Var]:
        """The primal Vars of this level that adjoint code names."""
        return [var for var in free_vars(block) if self.is_local(var)]

    def is_local(self, var: Var) -> bool:
        """Whether a Var is a primal value of this level."""
        return self.layout.block_of.get(var) is self.block or var in self.starts

    def definition(self, var: Var) -> Node | None:
        """The node that makes a primal value; or the equation that reads it from where it still is in the end."""
        return self.plan.final(var) or self.layout.definition.get(var)

    def is_recomputable(self, var: Var) -> bool:
        """Whether making a value again is cheap, or it is the same number in each trip of a loop, which a compiler makes once."""
        node = self.definition(var)
        return recomputable(node) or node in self.plan.made.companions or not isinstance(self.step[0], If) and self._is_invariant(var)

    def _is_invariant(self, var: Var) -> bool:
        """Whether a number is made of what this level does not change; found step by step, as numbers may hang on one another more often than Python's calls may."""
        known: dict[Var, bool] = {}
        todo = [var]
        while todo:
            source = self._computed_of(todo[-1])
            unknown = next((each for each in source or () if each not in known), None)
            if source is None or any(known.get(each) is False for each in source):
                known[todo.pop()] = False
            elif unknown is None:
                known[todo.pop()] = True
            else:
                todo.append(unknown)
        return known[var]

    def _computed_of(self, var: Var) -> list[Var] | None:
        """The numbers that a number of this level is computed of (none, if it is of another level); None: it is made otherwise."""
        if not self.is_local(var):
            return []
        node = self.definition(var)
        if var.type.shape or not isinstance(node, Equation) or not isinstance(node.primitive.emission, Elementwise):
            return None
        return [atom for atom in node.ins if isinstance(atom, Var)]

    def operands(self, var: Var) -> list[Var]:
        """What a value is recomputed from, its dimensions included."""
        node = self.definition(var)
        assert isinstance(node, Equation)
        operands = [atom for atom in node.ins if isinstance(atom, Var)]
        return operands + [dim for dim in var.type.shape if isinstance(dim, Var) and dim not in operands]

    def can_vary(self, atom: Atom) -> bool:
        """Whether a value is of each trip, and neither at hand nor on a tape."""
        if not isinstance(atom, Var) or not self.is_local(atom) or atom in self.given:
            return False
        return not (isinstance(self.step[0], For) and atom is self.step[0].index) and atom not in self.lifted and atom not in self.counters

    def demands(self) -> dict[Var, int]:
        """Each demanded Var -> the largest position (number of primal node) whose adjoint demands it."""
        demanded: dict[Var, int] = {}
        for number, chunk in enumerate(self.chunks):
            outside = len(self.position) if number == 0 else -1  # the first and the last chunk belong to no node
            place = outside if chunk.node is None else self.position[chunk.node]
            for var in self.needs_of(chunk):
                demanded[var] = max(demanded.get(var, -1), place)
        for var in self.needs(Block((), self.results)):
            demanded.setdefault(var, -1)
        return demanded

    def _find_cycles(self) -> list[Cycle]:
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

    def restores(self, node: Node, before: Var) -> bool:
        """Whether a region's adjoint rolls an array back itself."""
        return any(chunk.node is node and before in chunk.restored for chunk in self.chunks)

    def in_time(self, version: Var, place: int) -> bool:
        """Whether a version is back when it is wanted: regions after it restore it only when their adjoints have run."""
        for chain in self.versions[version]:
            if version in chain.versions():
                later = [node for node, _, _ in chain.updates[chain.versions().index(version):]]
                return all(isinstance(node, Equation) or place < self.position[node] for node in later)
        return True

    def inputs_in_time(self, var: Var, place: int) -> bool:
        """Whether all versions of arrays that a value is made from are back when it is wanted."""
        return all(operand not in self.versions or self.in_time(operand, place) for operand in self.operands(var))


def recomputable(node: Node | None) -> bool:
    """Whether an equation is so cheap that doing it again beats reading its result from memory."""
    return isinstance(node, Equation) and node.primitive.cost in (Cost.FREE, Cost.CHEAP)
