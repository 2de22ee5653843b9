"""An array of numbers that a loop only asks for its items is made once, before the loop.

    for q in queries:                             table = pack(x0, x1, x2; shape=(3,))
        table = pack(x0, x1, x2; shape=(3,))  ->  for q in queries:
        h = getitem(table, k)                         h = getitem(table, k)

Making it can't fail, so it may be made where no trip follows; that nobody stores into it is seen by how it is read.
"""
from __future__ import annotations

from s2s.records import replace
from s2s.transforms.ir.program import (
    Block,
    Equation,
    For,
    Function,
    Map,
    Node,
    Var,
    While,
    bound_inside,
    kept,
    operands,
    walk,
    with_blocks,
)
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.joining import pack


def tables_first(function: Function) -> Function:
    """The function with such arrays made before its loops (those of functions that it calls stay)."""
    if not any(_packs(node) for node in walk(function.body)):
        return function
    moves = _Moves(_only_asked(function.body))
    moves.find(function.body, ())
    return replace(function, body=moves.made(function.body)) if moves.gone else function


def _packs(node: Node) -> bool:
    return isinstance(node, Equation) and node.primitive is pack


def _only_asked(block: Block) -> set[Var]:
    """The packed arrays of which nothing is asked but single items."""
    nodes = walk(block)
    found = {node.outs[0] for node in nodes if _packs(node)}
    for inner in (block, *(each for node in nodes for each in node.blocks)):
        found.difference_update(atom for atom in inner.results if isinstance(atom, Var))
    for node in nodes:
        is_asked = isinstance(node, Equation) and node.primitive is getitem and not node.outs[0].type.shape
        found.difference_update(atom for atom in operands(node)[is_asked:] if isinstance(atom, Var))
    return found


class _Moves:
    """Which arrays are made before which loop."""

    def __init__(self, tables: set[Var]) -> None:
        self.tables = tables
        self.depths: dict[Var, int] = {}
        """How many nodes stand around what binds a Var (none: it is bound by the function, or by its own nodes)."""
        self.before: dict[Node, list[Node]] = {}
        self.gone: set[Node] = set()

    def find(self, block: Block, around: tuple[Node, ...]) -> None:
        """Look at a block; `around`: the nodes in which it stands."""
        for node in block.nodes:
            depth = len(around)
            if _packs(node) and node.outs[0] in self.tables:
                depth = self.move(node, around)
            self.depths.update(dict.fromkeys(node.outs, depth))
            self.depths.update(dict.fromkeys(bound_inside(node), len(around) + 1))
            for inner in node.blocks:
                self.find(inner, (*around, node))

    def move(self, node: Node, around: tuple[Node, ...]) -> int:
        """Move a node before the outermost loop in which its numbers do not change; how deep it stands then."""
        own = max((self.depths.get(atom, 0) for atom in operands(node) if isinstance(atom, Var)), default=0)
        for depth in range(own, len(around)):
            if isinstance(around[depth], For | While | Map):
                self.before.setdefault(around[depth], []).append(node)
                self.gone.add(node)
                return depth
        return len(around)

    def made(self, block: Block) -> Block:
        """The block with its nodes moved."""
        nodes: list[Node] = []
        for node in block.nodes:
            if node not in self.gone:
                nodes += self.before.get(node, [])
                nodes.append(kept(node, with_blocks(node, self.made)) if node.blocks else node)
        return kept(block, Block(tuple(nodes), block.results))
