"""What a loop or a branch computes that is the same for all examples, though the rest of it is not.

    for k in range(3):                         for k in range(3):
        t = t + w * k                              t = t + w * k          once, before the examples
        s = s + x * k      (x: an example's) ->    ...
    return s, t                                for k in range(3):
                                                   t_1 = t_1 + w * k      for each of them; what nobody reads is dropped later
                                                   s = s + x * k
                                               return s, t
"""
from __future__ import annotations

from collections.abc import Iterable

from s2s.records import replace
from s2s.transforms.ir.program import Atom, Block, Check, For, If, Node, Var, While, dims_of, free_vars, operands
from s2s.transforms.ir.rewrite import Substitution


def reads(node: Node) -> set[Atom]:
    """The atoms that a node reads, blocks and sizes in types included."""
    found: set[Atom] = {*operands(node), *dims_of(node.outs)}
    for block in node.blocks:
        found.update(free_vars(block))
    return found


def same_for_all(node: Node, varied: set[Atom]) -> set[Var]:
    """The outs of a node that depend on nothing of this."""
    if varied.isdisjoint(reads(node)):
        return set(node.outs)
    match node:
        case For():
            found = set() if not varied.isdisjoint((node.lo, node.hi, node.step)) else _carried(node, varied)
        case While():
            found = _carried(node, varied)
        case If() if node.test not in varied:
            inside = [varied_in(block, varied) for block in (node.then, node.orelse)]
            found = {out for out, *ways in zip(node.outs, node.then.results, node.orelse.results, strict=True) if not any(way in each for way, each in zip(ways, inside, strict=True))}
        case _:
            found = set()
    return {out for out in found if all(dim not in varied and (dim in found or dim not in node.outs) for dim in dims_of((out,)))}


def varied_in(block: Block, varied: set[Atom]) -> set[Atom]:
    """This, and what of a block depends on it."""
    found = set(varied)
    for node in block.nodes:
        found |= set(node.outs) - same_for_all(node, found)
    return found


def _carried(node: For | While, varied: set[Atom]) -> set[Var]:
    """The outs of a loop of which no trip depends on this."""
    other = {number for number, start in enumerate(node.init) if start in varied}
    while True:
        inside = varied | {node.carry[number] for number in other}
        if isinstance(node, While) and node.test.results[0] in varied_in(node.test, inside):
            return set()
        after = varied_in(node.body, inside)
        more = {number for number, result in enumerate(node.body.results) if result in after} - other
        if not more:
            return {out for number, out in enumerate(node.outs) if number not in other}
        other |= more


def part_of(node: Node, varied: set[Atom]) -> Node:
    """A copy of a loop or a branch that computes only these outs: `same_for_all`."""
    return Substitution().node(_part(node, varied))


def _part(node: Node, varied: set[Atom]) -> Node:
    if varied.isdisjoint(reads(node)):
        return node
    same = same_for_all(node, varied)
    numbers = [number for number, out in enumerate(node.outs) if out in same]
    outs = tuple(node.outs[number] for number in numbers)
    if isinstance(node, If):
        then, orelse = (_block(each, varied, numbers) for each in (node.then, node.orelse))
        return replace(node, outs=outs, then=then, orelse=orelse)
    assert isinstance(node, For | While)
    inside = varied | {carried for carried, out in zip(node.carry, node.outs, strict=True) if out not in same}
    carry, init = tuple(node.carry[number] for number in numbers), tuple(node.init[number] for number in numbers)
    body = _block(node.body, inside, numbers)
    if isinstance(node, While):
        return replace(node, outs=outs, carry=carry, init=init, test=_block(node.test, inside, [0]), body=body)
    return replace(node, outs=outs, carry=carry, init=init, body=body)


def _block(block: Block, varied: set[Atom], numbers: Iterable[int]) -> Block:
    nodes: list[Node] = []
    now = set(varied)
    for node in block.nodes:
        same = same_for_all(node, now)
        if same or isinstance(node, Check) and now.isdisjoint(reads(node)):
            nodes.append(_part(node, now))
        now |= set(node.outs) - same
    return Block(tuple(nodes), tuple(block.results[number] for number in numbers))


def wanted(block: Block, varied: set[Atom]) -> set[Atom]:
    """What the results of a block that are the same for all examples are computed from."""
    now, same = set(varied), set[Atom]()
    for node in block.nodes:
        found = same_for_all(node, now)
        same |= found
        now |= set(node.outs) - found
    needed: set[Atom] = {result for result in block.results if result in same}
    for node in reversed(block.nodes):
        if not needed.isdisjoint(node.outs):
            needed |= reads(node)
    return needed
