"""Versions of an array: which stores and regions make the next one, so that it can be rolled back from the last.

    u0 -> setitem -> u1 -> for … -> u2        chain of u2: start u0, updates (setitem, u0, u1), (for, u1, u2)
"""
from __future__ import annotations

from s2s.records import dataclass
from s2s.transforms.derivatives.reverse.tapes import Layout
from s2s.transforms.ir.program import Atom, Block, Equation, For, If, Node, Var, While
from s2s.transforms.primitives.indexing import additem, setitem


@dataclass(eq=False)
class Chain:
    """An array's versions through a level: start -> … -> end, each made from the one before by `updates`, in order."""

    start: Var
    end: Var
    updates: list[tuple[Node, Var, Var]]

    def versions(self) -> list[Var]:
        return [self.start, *(after for _, _, after in self.updates)]


def chain_to(end: Atom, block: Block, layout: Layout) -> Chain | None:
    """The chain that ends in this Var: back through stores and regions that update an array; None for what is no Var."""
    updates: list[tuple[Node, Var, Var]] = []
    here = end
    while isinstance(here, Var) and layout.block_of.get(here) is block and (node := layout.definition.get(here)) is not None:
        before = updated_array(node, here, layout)
        if not isinstance(before, Var):
            break
        updates.append((node, before, here))
        here = before
    if not isinstance(here, Var) or not isinstance(end, Var):
        return None
    return Chain(here, end, updates[::-1])


def updated_array(node: Node, out: Var, layout: Layout) -> Atom | None:
    """The array of which a node's out is the next version."""
    match node:
        case Equation() if node.primitive in (setitem, additem):
            return node.ins[0]
        case For() | While():
            number = node.outs.index(out)
            ends = {chain.end for cycle in loop_cycles(node, layout) for chain in cycle}
            return node.init[number] if node.body.results[number] in ends else None
        case If():
            number = node.outs.index(out)
            pairs = [(chain_to(block.results[number], block, layout), block.results[number]) for block in (node.then, node.orelse)]
            starts = [result if chain is None else chain.start for chain, result in pairs]
            updated = any(chain is not None and chain.updates for chain, _ in pairs)
            return starts[0] if updated and starts[0] is starts[1] else None
        case _:
            return None


Cycle = tuple[Chain, ...]
"""Arrays that swap places from trip to trip (mostly one alone): each chain's end is in the slot of the next one's start."""


def loop_cycles(region: For | While, layout: Layout) -> list[Cycle]:
    """The cycles of a loop's carried arrays: each slot's result comes, by updates, from a slot of the same cycle."""
    if region in layout.cycles:
        return layout.cycles[region]
    slots = {carry: number for number, carry in enumerate(region.carry)}
    chains = [chain_to(result, region.body, layout) for result in region.body.results]
    found: list[Cycle] = []
    for first, begin in enumerate(chains):
        cycle: list[Chain] = []
        chain, number = begin, first
        while chain is not None and chain.start in slots and chain not in cycle:
            cycle.append(chain)
            number = slots[chain.start]
            chain = chains[number]
        closed = bool(cycle) and chain is cycle[0]
        if closed and first == min(slots[each.start] for each in cycle) and any(each.updates for each in cycle):
            found.append(tuple(cycle))
    layout.cycles[region] = found
    return found
